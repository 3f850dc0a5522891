//! Frames around a smaller game that are wrong in one way each: the checker trusts nothing about them.

use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::lines::{CellSet, Frame, LineGame, Lines, MAX_MARKS};
use agon_core::{Alternating, Ctx, Game, Notation, NotationError, Outcome, Player, Symmetric, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;

/// What is wrong with a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    NoFrame,
    CellTwice,
    CellOffBoard,
    PairMissing,
    InnerTooSmall,
    CellsSwapped,
    PairsCrossed,
    OtherSideBegins,
    ThreeMarks,
    ShorterRows,
    ExactRows,
    JudgedAtTheEnd,
}

/// Order and Chaos on 4×4 with rows of three around 2×2 with rows of two, as a game of its own.
#[derive(Clone, Debug)]
struct Framed(OrderChaos, Fault);

type Board = <OrderChaos as Game>::Position;
type Placing = <OrderChaos as Game>::Move;

impl Game for Framed {
    type Position = Board;
    type Move = Placing;
    type Undo = Board;

    fn start(&self) -> Board {
        self.0.start()
    }
    fn turn(&self, pos: &Board) -> Player {
        self.0.turn(pos)
    }
    fn outcome(&self, pos: &Board) -> Option<Outcome> {
        self.0.outcome(pos)
    }
    fn moves(&self, pos: &Board, each: &mut impl FnMut(Placing)) {
        self.0.moves(pos, each);
    }
    fn play(&self, pos: &mut Board, mv: Placing) -> Board {
        self.0.play(pos, mv)
    }
    fn undo(&self, pos: &mut Board, mv: Placing, undo: Board) {
        self.0.undo(pos, mv, undo);
    }
}

impl Alternating for Framed {}
impl Symmetric for Framed {}

impl Notation for Framed {
    fn show(&self, pos: &Board) -> String {
        self.0.show(pos)
    }
    fn parse(&self, text: &str) -> Result<Board, NotationError> {
        self.0.parse(text)
    }
    fn show_move(&self, pos: &Board, mv: Placing) -> String {
        self.0.show_move(pos, mv)
    }
}

impl LineGame for Framed {
    fn lines(&self, maker: Player) -> Option<Lines> {
        self.0.lines(maker)
    }
    fn line_marks(&self, pos: &Board, maker: Player) -> [CellSet; MAX_MARKS] {
        self.0.line_marks(pos, maker)
    }
    fn line_move(&self, pos: &Board, maker: Player, cell: usize, mark: usize) -> Option<Placing> {
        self.0.line_move(pos, maker, cell, mark)
    }
    fn frame(&self) -> Option<Frame<Framed>> {
        let inner = |k, marks, order_first, row| OrderChaos::new(2, 2, k, marks, order_first, row);
        let inside = match self.1 {
            Fault::OtherSideBegins => inner(2, 2, false, Row::AtLeast),
            Fault::ThreeMarks => inner(2, 3, true, Row::AtLeast),
            Fault::ShorterRows => inner(1, 2, true, Row::AtLeast),
            Fault::ExactRows => OrderChaos::new(3, 2, 2, 2, true, Row::Exact),
            Fault::JudgedAtTheEnd => inner(2, 2, true, Row::ExactFinal),
            Fault::InnerTooSmall => OrderChaos::new(2, 1, 2, 2, true, Row::AtLeast),
            _ => inner(2, 2, true, Row::AtLeast),
        };
        let mut cells = vec![5, 6, 9, 10];
        let mut pairs = vec![(0, 15), (1, 13), (2, 14), (3, 12), (4, 7), (8, 11)];
        match self.1 {
            Fault::NoFrame => return None,
            Fault::CellTwice => pairs[0].0 = 5,
            Fault::CellOffBoard => pairs[0].0 = 16,
            Fault::PairMissing => drop(pairs.pop()),
            Fault::CellsSwapped => (cells[0], pairs[0].0) = (0, 5),
            Fault::PairsCrossed => (pairs[1].1, pairs[2].1) = (14, 13),
            _ => {}
        }
        Some(Frame { inner: Framed(inside, Fault::None), cells, pairs })
    }
}

fn judge(fault: Fault, entries: &[(&str, &str)]) -> Result<u64, Rejected> {
    let game = Framed(OrderChaos::new(4, 4, 3, 2, true, Row::AtLeast), fault);
    let entries = entries.iter().map(|(pos, mv)| ((*pos).to_string(), vec![(*mv).to_string()])).collect();
    let (from, claim) = (game.show(&game.start()), Claim::AtLeast(Player::First, Wdl::Win));
    let sections = vec![Section::Lifted(entries)];
    let certificate = Certificate { game: "framed".into(), rules: None, from, claim, up_to_symmetry: false, sections };
    check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions)
}

/// Order puts an X into a corner and completes a row of two, whatever the reply is; a reply may complete it, too.
const WIN: [(&str, &str); 4] = [("../..", "X@a2"), ("X./.O", "X@b2"), ("X./O.", "X@b2"), ("XO/..", "X@a1")];

#[test]
fn a_game_brings_a_frame_of_its_own() {
    // The start, the first move, six replies, and three rows.
    assert_eq!(judge(Fault::None, &WIN), Ok(11));
    assert!(matches!(judge(Fault::None, &WIN[..3]), Err(Rejected::Refuted(_))), "a reply is not answered");
}

#[test]
fn a_frame_that_does_not_fit_is_refuted() {
    for (fault, why) in [
        (Fault::NoFrame, "there is no frame"),
        (Fault::CellTwice, "uses a cell twice"),
        (Fault::CellOffBoard, "not on the board"),
        (Fault::PairMissing, "do not make up the outer board"),
        (Fault::InnerTooSmall, "do not make up the outer board"),
        (Fault::CellsSwapped, "does not continue"),
        (Fault::PairsCrossed, "does not continue"),
        (Fault::OtherSideBegins, "the sides of the inner game"),
        (Fault::ThreeMarks, "two marks"),
        (Fault::ShorterRows, "does not continue"),
        (Fault::ExactRows, "as soon as they are complete"),
        (Fault::JudgedAtTheEnd, "as soon as they are complete"),
    ] {
        match judge(fault, &WIN) {
            Err(Rejected::Refuted(said)) => assert!(said.contains(why), "{fault:?}: {said}"),
            other => panic!("{fault:?}: {other:?}"),
        }
    }
}
