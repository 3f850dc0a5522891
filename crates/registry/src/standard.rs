//! The families that come with agon.

mod random;

use crate::entry::{Entry, Group};
use crate::erased::{Capabilities, Levels, alone, board_file, heaps, mill, tak, tiles};
use crate::openspiel::{self, OpenSpiel};
use agon_core::Wdl;
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Coded, Dawson, GrundysGame, Kayles, Nim, Subtraction};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Cram, Ellie};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mill::presets;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::rack::Rack;

/// The families that come with agon. [`Entry::acyclic`] accepts only games with all that its methods need; anything else
/// does not compile. [`Entry::cyclic`] and [`Entry::indexed`] are for games in which play can cycle.
pub(crate) fn entries() -> Vec<Entry> {
    vec![
        Entry::of::<Mnk>(|game| Capabilities::ranked().with_lines(game))
            .in_group(Group::Rows, "Three of your marks in a row win.")
            .with_rules_for(|rules, spelling| rules.replace("k marks", &in_a_row(spelling, "mark")))
            .with_samples(&["mnk:3,3,3", "mnk:2,2,2", "mnk:5,1,3", "mnk:4,3,3", "mnk:4,4,4"])
            .with_random(random::mnk)
            .with_openspiel(OpenSpiel::new(&[("tic_tac_toe", "mnk:3,3,3"), ("mnk", "mnk:3,3,3")], openspiel::cells))
            .with_title("mnk:3,3,3", "Tic-tac-toe")
            .with_synonym("x and o", "mnk:3,3,3")
            .with_synonym("xs and os", "mnk:3,3,3")
            .with_synonym("naughts and crosses", "mnk:3,3,3")
            .with_synonym("three in a row", "mnk:3,3,3")
            .featuring("tic-tac-toe")
            .with_puzzles("mnk:3,3,3")
            .with_puzzles("mnk:4,4,3")
            .with_example("mnk:3,3,3", "", "b2 a3", "The players take turns to mark an empty cell, x first.")
            .with_example("mnk:3,3,3", "", "a1 b1 b2 c2 c3", "Three of your marks in a row, column or diagonal win.")
            .with_example("mnk:3,3,3", "", "b2 a1 c1 a3 a2 c2 b1 b3 c3", "A full board without such a row is a draw.")
            .with_thumbnail("mnk:3,3,3", "", "b2 a3 c1 a1 a2"),
        Entry::of::<Drop>(|game| match game.rack() {
            Some(rack) => Capabilities::acyclic().with_tactics(rack, Rack::place),
            None => Capabilities::acyclic(),
        })
            .in_group(Group::Rows, "Drop pieces into columns: four in a row win.")
            .with_rules_for(|rules, spelling| rules.replace("k pieces", &in_a_row(spelling, "piece")))
            .with_samples(&["drop:3,3,3", "drop:2,4,2", "drop:4,3,3", "drop:4,4,4"])
            .with_random(random::drop)
            .with_openspiel(OpenSpiel::new(&[("connect_four", "drop:7,6,4")], openspiel::columns))
            .with_title("drop:7,6,4", "Connect four")
            .with_synonym("four in a row", "drop:7,6,4")
            .with_synonym("four in a line", "drop:7,6,4")
            .with_puzzles("drop:5,5,4")
            .with_example(
                "drop:7,6,4",
                "",
                "d c d",
                "A piece falls to the lowest empty cell of its column. Click anywhere in the column.",
            )
            .with_example("drop:7,6,4", "", "d d e c f f c e g", "Four in an unbroken row, column or diagonal win.")
            .with_thumbnail("drop:7,6,4", "", "d d c e c c e d e b f b d")
            .with_known("drop:7,6,4", Wdl::Win, "x wins", "published: Allis, and Allen, 1988"),
        Entry::of::<OrderChaos>(|game| Capabilities::ranked().with_lines(game))
            .in_group(Group::Rows, "Order wants five equal marks in a row; Chaos wants to prevent them.")
            .with_rules_for(|rules, spelling| {
                let own = spelling.split([':', ',']).find_map(|part| part.strip_prefix("k=")).unwrap_or("5");
                rules.replace("k equal marks", &counted(own, "equal mark"))
            })
            .with_levels(Levels { skills: [0.0, 0.3, 0.605, 0.818], searches: ["mcts:playouts=8", "mcts:playouts=80", "mcts:playouts=300", "mcts:playouts=1200"] })
            .with_samples(&[
                "order-chaos:3x1,k=3,symbols=1",
                "order-chaos:2x2,k=2",
                "order-chaos:4x1,k=3,first=chaos,row=exact-final",
                "order-chaos:3x2,k=2,symbols=3,row=exact",
                "order-chaos:3x3,k=3,symbols=1,first=chaos",
                "order-chaos:3x3,k=3",
            ])
            .with_random(random::order_chaos)
            .with_puzzles("order-chaos:4x4,k=4")
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c4",
                "Both players may put either mark into any empty cell. Click a cell and choose a mark.",
            )
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 X@e5 O@f6 X@a1",
                "Five equal marks in a row win for Order, no matter who placed them. A full board without them wins \
                 for Chaos.",
            )
            .with_thumbnail("order-chaos:6x6", "", "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 O@e3 X@a6 O@b5")
            .with_known("order-chaos:6x6", Wdl::Win, "order wins", "solved here: docs/results/order-chaos.md"),
        tak()
            .in_group(Group::Tak, "Connect two opposite edges of the board with a road.")
            .with_levels(Levels {
                searches: ["negamax:depth=1", "negamax:depth=2", "negamax:depth=4,nodes=7000", "negamax:depth=5"],
                ..Levels::default()
            })
            .with_samples(&[
                "tak:2x2,flats=2,caps=0",
                "tak:3x1,flats=3,caps=1,komi=0.5",
                "tak:3x2,flats=2,caps=1",
                "tak:3",
            ])
            .with_random(random::tak)
            .with_puzzles("tak:3")
            .with_example("tak:5", "", "a5 e1", "Each player's first move places a flat stone of the opponent.")
            .with_example(
                "tak:5",
                "",
                "a5 e1 c3 Sc4 Cb3",
                "After that you may place a flat, a wall (shown leaning) or your capstone (the cone) on an empty square.",
            )
            .with_example(
                "tak:5",
                "x5/x5/x5/x,121,x3/2,x3,1 1 5",
                "3b2>12",
                "Or you move up to five pieces of a stack whose top piece is yours, in a straight line, and drop at least \
                 one on every square. Here one piece stays on c2 and two on d2.",
            )
            .with_example(
                "tak:5",
                "x5/x5/x,1C,2S,x2/x5/2,x3,1 1 5",
                "b3>*",
                "No stack moves onto a wall or a capstone, except that a capstone on its own flattens a wall.",
            )
            .with_example(
                "tak:5",
                "x5/x2,2,x2/1,1,x,1,1/2,2,2,x2/x4,2 1 7",
                "c3",
                "A road of flats and capstones that joins opposite edges wins; walls do not count. When a player's reserve \
                 is empty or the board is full, the player with more flats on top wins.",
            )
            .with_thumbnail("tak:5", "2,x,1,x2/x,12S,1121C,2,x/x,1,212,x,1/x,1,x,2C,x/2,1,x,2,1 2 14", ""),
        heaps::<Nim>()
            .in_group(Group::HeapsAndTiles, "Take any number of counters from one heap. The last move wins.")
            .with_levels(Levels { skills: [0.0, 0.42, 0.739, 0.902], ..Levels::default() })
            .with_samples(&["nim:1+2", "nim:3+5", "nim:2+3+4,play=misere"])
            .with_random(random::nim)
            .with_openspiel(OpenSpiel::new(&[("nim", "")], openspiel::heaps))
            .with_puzzles("nim:3+5+7"),
        heaps::<Kayles>()
            .in_group(Group::HeapsAndTiles, "Knock down one skittle or two neighbours. The last move wins.")
            .with_samples(&["kayles:7", "kayles:4+6", "kayles:5+5,play=misere"])
            .with_random(random::kayles)
            .with_puzzles("kayles:12"),
        heaps::<Dawson>()
            .in_group(Group::HeapsAndTiles, "Dawson's game of pawns, played with heaps. The last move wins.")
            .with_samples(&["dawson:9", "dawson:5+9", "dawson:4+6,play=misere"])
            .with_random(random::dawson)
            .with_synonym("dawsons kayles", "dawson")
            .with_synonym("dawsons chess", "dawson"),
        heaps::<GrundysGame>()
            .in_group(Group::HeapsAndTiles, "Split a heap into two unequal heaps. The last move wins.")
            .with_samples(&["grundy:10", "grundy:5+8", "grundy:6+7,play=misere"])
            .with_random(random::grundy)
            .with_synonym("grundys game", "grundy"),
        heaps::<Coded>()
            .in_group(Group::HeapsAndTiles, "A code says what you may take from a heap. The last move wins.")
            .with_samples(&[
                "heap:0.007:9+5",
                "heap:0.77:4+5",
                "heap:4.3:3+4",
                "heap:0.8:9",
                "heap:0.137:8+4,play=misere",
            ])
            .with_random(random::heap),
        heaps::<Subtraction>()
            .in_group(Group::HeapsAndTiles, "Take one, two or three counters. The last move wins.")
            .with_samples(&["subtract:2:3+6", "subtract:1,2,3:5+6", "subtract:1,4:5+7,play=misere"])
            .with_random(random::subtract),
        alone::<Treblecross>()
            .in_group(Group::HeapsAndTiles, "Both players mark crosses; three in a row win.")
            .with_samples(&["treblecross:1x5", "treblecross:1x8", "treblecross:1x7,play=misere"])
            .with_random(random::treblecross)
            .with_thumbnail("treblecross:1x9", "", "2 6 9"),
        tiles::<Ellie>(Capabilities::impartial)
            .in_group(Group::HeapsAndTiles, "Place tiles of three cells. The last move wins.")
            .with_samples(&["ellie:3x3", "ellie:4x3", "ellie:3x3,play=misere"])
            .with_random(random::ellie)
            .with_thumbnail("ellie:4x4", "", "a4b4a3 c2d2d1"),
        // Its strongest search plays out instead of looking ahead; docs/agents.md has the measurement.
        tiles::<Cram>(|| Capabilities::impartial().plays_out())
            .in_group(Group::HeapsAndTiles, "Place dominoes. The last move wins.")
            .with_samples(&["cram:3x2", "cram:3x3", "cram:4x2,play=misere"])
            .with_random(random::cram)
            .with_puzzles("cram:4x4")
            .with_thumbnail("cram:4x4", "", "a4a3 b3c3 d2d1"),
        alone::<Circle>()
            .in_group(Group::HeapsAndTiles, "Take from neighbouring stacks of a ring. The last move wins.")
            .with_samples(&["circular-nim:3,2:1+2+2", "circular-nim:4,2:1+2+1+2", "circular-nim:3,1:2+2+3,play=misere", "circular-nim:3,2:3+4+2,each=1"])
            .with_random(random::circular_nim),
        Entry::impartial::<Play<Sum>>()
            .in_group(Group::HeapsAndTiles, "Move in one of several games. The last move wins.")
            .with_samples(&[
                "sum:grundy:5++grundy:8",
                "sum:kayles:4++cram:2x3",
                "sum:nim:1+2++heap:0.07:5,play=misere",
            ])
            .with_random(random::sum),
        mill(presets::antrin())
            .in_group(Group::Mills, "Three men each: three in a row or column win.")
            .with_levels(men([0.567, 0.872, 0.961, 0.991]))
            .with_rules_for(board_of_antrin)
            .with_samples(&[
                "antrin:3",
                "antrin:3,line=captures,fly=at3",
                "antrin:3,men=2,diagonals=all",
                "antrin:4,men=3",
            ])
            .with_puzzles("antrin:3")
            .with_example("antrin:3", "", "a1 a2 b1 c3", "Each side first places three men on the points, in turn.")
            .with_example("antrin:3", "", "a1 a2 b1 c3 b3 c2 b3-b2", "Then a man moves along a line to an empty point.")
            .with_example("antrin:3", "", "a1 a2 b1 b2 c1", "Three in a row or column win; diagonals do not count."),
        mill(presets::achi())
            .in_group(Group::Mills, "Four men each, one point left free: three in a row win.")
            .with_levels(men([0.0, 0.33, 0.64, 0.84]))
            .with_samples(&["achi", "achi:men=3,blocked=passes", "achi:men=2,fly=always"]),
        mill(presets::three_mens())
            .in_group(Group::Mills, "Three men each, moved along the lines: three in a row win.")
            .with_levels(men([0.0, 0.27, 0.605, 0.848]))
            .with_samples(&[
                "three-mens",
                "three-mens:line=captures,fly=at3",
                "three-mens:men=2,early=ignored",
                "three-mens:blocked=passes,bar=placing",
            ])
            .with_puzzles("three-mens"),
        mill(presets::tapatan())
            .in_group(Group::Mills, "As in three men's morris: three in a row, also diagonally, win.")
            .with_levels(men([0.0, 0.27, 0.605, 0.848]))
            .with_samples(&["tapatan", "tapatan:blocked=passes,early=forbidden", "tapatan:men=2,diagonals=all"]),
        mill(presets::nine_holes())
            .in_group(Group::Mills, "A man moves to any empty point: three in a row or column win.")
            .with_levels(men([0.778, 0.938, 0.984, 0.996]))
            .with_samples(&["nine-holes", "nine-holes:fly=never,blocked=draws", "nine-holes:men=2"])
            .with_puzzles("nine-holes"),
        mill(presets::picaria())
            .in_group(Group::Mills, "Lines along every diagonal: three in a row win.")
            .with_levels(men([0.87, 0.957, 0.989, 0.997]))
            .with_samples(&[
                "picaria",
                "picaria:bar=placing",
                "picaria:men=2,points=13",
                "picaria:blocked=passes,early=forbidden,bar=placing",
            ])
            .with_puzzles("picaria"),
        mill(presets::tant_fant())
            .in_group(Group::Mills, "Begin on your home row: three in a line elsewhere win.")
            .with_levels(men([0.853, 0.953, 0.986, 0.996]))
            .with_samples(&["tant-fant", "tant-fant:lines=diagonals", "tant-fant:start=placed,early=ignored"]),
        mill(presets::shisima())
            .in_group(Group::Mills, "Move around a ring and through its centre: three in a line win.")
            .with_levels(men([0.85, 0.953, 0.984, 0.996]))
            .with_samples(&["shisima", "shisima:line=captures", "shisima:start=placed,bar=first"]),
        mill(presets::rota())
            .in_group(Group::Mills, "A wheel of nine points: three in a line win.")
            .with_levels(men([0.87, 0.954, 0.986, 0.996]))
            .with_samples(&[
                "rota",
                "rota:men=2",
                "rota:line=captures,blocked=passes",
                "rota:men=4,blocked=passes,bar=placing",
            ]),
        mill(presets::tsoro_yematatu())
            .in_group(Group::Mills, "Place your men, then move them: three in a line win.")
            .with_levels(men([0.785, 0.928, 0.977, 0.994]))
            .with_samples(&["tsoro-yematatu", "tsoro-yematatu:men=2", "tsoro-yematatu:blocked=passes,early=ignored"]),
        mill(presets::morris())
            .in_group(Group::Mills, "A line of three captures a man; with two men left you lose.")
            .with_rules_for(board_of_morris)
            .with_levels(men([0.85, 0.953, 0.986, 0.996]))
            .with_samples(&[
                "morris:five,men=3",
                "morris:six,men=3,line=wins",
                "morris:seven,men=3,fly=always",
                "morris:seven,men=3,blocked=passes,bar=placing",
                "morris:seven,men=3,line=wins,bar=first",
            ])
            .with_openspiel(OpenSpiel::new(&[("nine_mens_morris", "morris:nine")], openspiel::men))
            .with_title("morris:nine", "Nine men's morris")
            .with_synonym("mill", "morris:nine")
            .with_synonym("mills", "morris:nine")
            .with_synonym("merels", "morris:nine")
            .with_synonym("merrills", "morris:nine")
            .with_synonym("nine mens", "morris:nine")
            .with_title("morris:six", "Six men's morris")
            .with_title("morris:morabaraba", "Morabaraba")
            .with_example("morris:nine", "", "a1 b2 d1 b4", "Each side first places nine men on the points, in turn.")
            .with_example(
                "morris:nine",
                "",
                "a1 b2 d1 b4 g1xb2",
                "Three in a line form a mill and capture an opposing man, from outside a mill if possible.",
            )
            .with_example(
                "morris:nine",
                "B.W/.B./W.B/W.B.W./.../.WB/B.W:w",
                "g7-g4",
                "When all men are placed, they move along the lines; a side with three men left may move one to any empty \
                 point. A side with fewer than three men, or without a move, loses.",
            )
            .with_thumbnail("morris:nine", "", "d2 d6 f4 b4 f2 b6 f6xb4 b2 a1 g7 a4 g4")
            .with_known(
                "morris:nine",
                Wdl::Draw,
                "a draw",
                "published: Gasser 1996; solved here: docs/results/nine-mens-morris.md",
            ),
        board_file(false),
    ]
}

/// The levels of a mill game: these skills where the start is solved quickly, searches of so many nodes elsewhere. Play is
/// long, so one random move loses most games.
fn men(skills: [f64; 4]) -> Levels {
    Levels { skills, searches: ["negamax:nodes=150", "negamax:nodes=600", "negamax:nodes=2500", "negamax:nodes=15000"] }
}

/// `three marks`.
fn counted(number: &str, thing: &str) -> String {
    const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let word = number.parse::<usize>().ok().and_then(|n| NUMBERS.get(n).copied()).unwrap_or(number);
    format!("{word} {thing}{}", if number == "1" { "" } else { "s" })
}

/// `three marks`, by the last of the parameters m, n and k.
fn in_a_row(spelling: &str, thing: &str) -> String {
    counted(spelling.rsplit(',').next().unwrap_or("k"), thing)
}

/// The rules of the morris games with the board of one of them.
fn board_of_morris(rules: &str, spelling: &str) -> String {
    let (rules, _) = rules.split_once(" The boards:").unwrap_or((rules, ""));
    let board = match spelling.split([':', ',']).nth(1).unwrap_or("nine") {
        "five" => "The board has two squares, and each side five men.",
        "six" => "The board has two squares, and each side six men.",
        "seven" => "The board has two squares and a cross, and each side seven men.",
        "morabaraba" => "The board has three squares and diagonals, and each side twelve men.",
        "lasker" => "The board has three squares, and each side ten men, which may move before all are placed.",
        _ => "The board has three squares, and each side nine men.",
    };
    // A number of men that is not the usual one is a parameter.
    let own = spelling.split(',').find_map(|part| part.strip_prefix("men="));
    let board = own.map_or(board.to_string(), |men| {
        let (squares, _) = board.split_once(", and each side").unwrap_or((board, ""));
        format!("{squares}, and each side {}.", counted(men, "man").replace("mans", "men"))
    });
    format!("{rules} {board}")
}

/// The rules of Antrin on a board of its size.
fn board_of_antrin(rules: &str, spelling: &str) -> String {
    let mut params = spelling.split([':', ',']).skip(1);
    let size = params.next().unwrap_or("3");
    let men = params.find_map(|part| part.strip_prefix("men=")).unwrap_or(size);
    let men = counted(men, "man").replace("mans", "men");
    rules.replace("n × n points", &format!("{size} × {size} points")).replace("n men", &men)
}
