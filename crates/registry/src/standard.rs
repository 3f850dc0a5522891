//! The families that come with agon.

use crate::entry::Entry;
use crate::erased::{Capabilities, board_file, heaps, mill_families, tak};
use agon_core::Wdl;
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Coded, Dawson, GrundysGame, Kayles, Nim, Subtraction};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;

/// The families that come with agon. [`Entry::acyclic`] accepts only games with all that its methods need; anything else
/// does not compile. [`Entry::cyclic`] and [`Entry::indexed`] are for games in which play can cycle.
pub(crate) fn entries() -> Vec<Entry> {
    let mut entries = vec![
        Entry::of::<Mnk>(|game| Capabilities::ranked().with_lines(game))
            .with_title("mnk:3,3,3", "Tic-tac-toe")
            .with_example("mnk:3,3,3", "", "b2 a3", "The players mark empty cells in turn, x first.")
            .with_example("mnk:3,3,3", "", "a1 b1 b2 c2 c3", "Three of your marks in a row, column or diagonal win.")
            .with_example("mnk:3,3,3", "", "b2 a1 c1 a3 a2 c2 b1 b3 c3", "A full board without such a row is a draw.")
            .with_thumbnail("mnk:3,3,3", "", "b2 a3 c1 a1 a2"),
        Entry::acyclic::<Drop>()
            .with_title("drop:7,6,4", "Connect four")
            .with_example(
                "drop:7,6,4",
                "",
                "d c d",
                "A man falls to the lowest empty hole of its column: click anywhere in it.",
            )
            .with_example("drop:7,6,4", "", "d d e c f f c e g", "Four in an unbroken row, column or diagonal win.")
            .with_thumbnail("drop:7,6,4", "", "d d c e c c e d e b f b d")
            .with_known("drop:7,6,4", Wdl::Win, "x wins", "published: Allis, and Allen, 1988; not computed here"),
        Entry::of::<OrderChaos>(|game| Capabilities::ranked().with_lines(game))
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c4",
                "Both may put either mark into any empty cell: a click asks which.",
            )
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 X@e5 O@f6 X@a1",
                "Five equal marks in a row: order has won, whoever placed them. On a full board without them, chaos \
                 has.",
            )
            .with_thumbnail("order-chaos:6x6", "", "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 O@e3 X@a6 O@b5")
            .with_known("order-chaos:6x6", Wdl::Win, "order wins", "solved here: docs/results/order-chaos.md"),
        tak()
            .with_example("tak:5", "", "a5 e1", "The first move of each side puts down a flat stone of the opponent.")
            .with_example(
                "tak:5",
                "",
                "a5 e1 c3 Sc4 Cb3",
                "From then on you place, on an empty square, a flat, a wall (leaning) or the capstone (the cone).",
            )
            .with_example(
                "tak:5",
                "x5/x5/x5/x,121,x3/2,x3,1 1 5",
                "3b2>12",
                "Or you move a stack that you own, up to five pieces: straight on, at least one dropped on every square. \
                 Here one on c2, two on d2.",
            )
            .with_example(
                "tak:5",
                "x5/x5/x,1C,2S,x2/x5/2,x3,1 1 5",
                "b3>*",
                "Nothing moves onto a wall or a capstone; but a capstone alone flattens a wall.",
            )
            .with_example(
                "tak:5",
                "x5/x2,2,x2/1,1,x,1,1/2,2,2,x2/x4,2 1 7",
                "c3",
                "A road of flats and capstones from edge to edge wins; walls do not count. When a reserve is empty or \
                 the board full, more flats on top win.",
            )
            .with_thumbnail("tak:5", "2,x,1,x2/x,12S,1121C,2,x/x,1,212,x,1/x,1,x,2C,x/2,1,x,2,1 2 14", ""),
        heaps::<Coded>(),
        heaps::<Subtraction>(),
        heaps::<Nim>(),
        heaps::<Kayles>(),
        heaps::<Dawson>(),
        heaps::<GrundysGame>(),
        Entry::impartial::<Play<Treblecross>>().with_thumbnail("treblecross:1x9", "", "2 6 9"),
        Entry::impartial::<Play<Tiles<Ellie>>>().with_thumbnail("ellie:4x4", "", "a4b4a3 c2d2d1"),
        // Its strongest search plays out instead of looking ahead; docs/agents.md has the measurement.
        Entry::of::<Play<Tiles<Cram>>>(|_| Capabilities::impartial().plays_out()).with_thumbnail(
            "cram:4x4",
            "",
            "a4a3 b3c3 d2d1",
        ),
        Entry::impartial::<Play<Circle>>(),
        Entry::impartial::<Play<Sum>>(),
    ];
    entries.extend(mill_families().map(|entry| {
        match entry.facts.family.as_str() {
        "antrin" => entry
            .with_example("antrin:3", "", "a1 a2 b1 c3", "Each side first places three men on the points, in turn.")
            .with_example("antrin:3", "", "a1 a2 b1 c3 b3 c2 b3-b2", "Then a man moves along a line to an empty point.")
            .with_example("antrin:3", "", "a1 a2 b1 b2 c1", "Three in a row or column win; diagonals do not count."),
        "morris" => entry
            .with_title("morris:nine", "Nine men's morris")
            .with_title("morris:six", "Six men's morris")
            .with_title("morris:morabaraba", "Morabaraba")
            .with_example("morris:nine", "", "a1 b2 d1 b4", "Each side first places nine men on the points, in turn.")
            .with_example(
                "morris:nine",
                "",
                "a1 b2 d1 b4 g1xb2",
                "Three in a line, a mill, take a man of the other side; one that stands in no mill, if there is one.",
            )
            .with_example(
                "morris:nine",
                "B.W/.B./W.B/W.B.W./.../.WB/B.W:w",
                "g7-g4",
                "When all are placed, men move along the lines; with three men left, to any empty point. Fewer than \
                 three, or no move, is a loss.",
            )
            .with_thumbnail("morris:nine", "", "d2 d6 f4 b4 f2 b6 f6xb4 b2 a1 g7 a4 g4")
            .with_known(
                "morris:nine",
                Wdl::Draw,
                "a draw",
                "published: Gasser 1996; solved here: docs/results/nine-mens-morris.md",
            ),
        _ => entry,
    }
    }));
    entries.push(board_file(false));
    entries
}
