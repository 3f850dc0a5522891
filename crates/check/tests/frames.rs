//! Frames around a smaller game that are wrong in one way each: the checker trusts nothing about them.

use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::lines::{CellSet, Frame, LineGame, Lines, MAX_MARKS};
use agon_core::{Ctx, Game, Notation, Player, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use altered::{Altered, Change};

#[path = "common/altered.rs"]
mod altered;

/// A fault of a frame.
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
    Undecided,
    MarkAtTheStart,
    OneRowOfOneMark,
    OtherMarkOutside,
}

/// Order and Chaos on 4×4 with rows of three around 2×2 with rows of two, as a game of its own.
type Framed = Altered<OrderChaos, Fault>;
type Board = <OrderChaos as Game>::Position;

impl Change<OrderChaos> for Fault {
    fn lines(self, game: &OrderChaos, maker: Player) -> Option<Lines> {
        let mut lines = game.lines(maker)?;
        let outer = lines.cells == 16;
        // A row of the inner board, and both rows of the outer board that continue it.
        let upper: CellSet = if outer { 0b1111 << 4 } else { 0b11 };
        match self {
            Fault::Undecided => lines.decides = false,
            Fault::OneRowOfOneMark => lines.lines.retain(|line| line.want & !upper == 0 && line.mark == 0),
            Fault::OtherMarkOutside => lines.lines.retain(|line| (line.mark == 1) == outer),
            _ => {}
        }
        Some(lines)
    }
    fn line_marks(self, game: &OrderChaos, pos: &Board, maker: Player) -> [CellSet; MAX_MARKS] {
        let mut marks = game.line_marks(pos, maker);
        marks[0] |= CellSet::from(self == Fault::MarkAtTheStart);
        marks
    }
    fn frame(self) -> Option<Frame<Framed>> {
        let inner = |k, marks, order_first, row| OrderChaos::new(2, 2, k, marks, order_first, row);
        let inside = match self {
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
        match self {
            Fault::NoFrame => return None,
            Fault::CellTwice => pairs[0].0 = 5,
            Fault::CellOffBoard => pairs[0].0 = 16,
            Fault::PairMissing => drop(pairs.pop()),
            Fault::CellsSwapped => (cells[0], pairs[0].0) = (0, 5),
            Fault::PairsCrossed => (pairs[1].1, pairs[2].1) = (14, 13),
            _ => {}
        }
        let fault = if matches!(self, Fault::OneRowOfOneMark | Fault::OtherMarkOutside) { self } else { Fault::None };
        Some(Frame { inner: Altered(inside, fault), cells, pairs })
    }
}

fn judge(fault: Fault, entries: &[(&str, &str)]) -> Result<u64, Rejected> {
    let game = Altered(OrderChaos::new(4, 4, 3, 2, true, Row::AtLeast), fault);
    let entries = entries.iter().map(|(pos, mv)| ((*pos).to_string(), vec![(*mv).to_string()])).collect();
    let (from, claim) = (game.show(&game.start()), Claim::AtLeast(Player::First, Wdl::Win));
    let sections = vec![Section::Lifted(entries)];
    let certificate = Certificate { game: "framed".into(), rules: None, from, claim, up_to_symmetry: false, sections };
    check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions)
}

/// The same for a text.
fn judge_text(fault: Fault, text: &str) -> Result<u64, Rejected> {
    let game = Altered(OrderChaos::new(4, 4, 3, 2, true, Row::AtLeast), fault);
    let (from, claim) = (game.show(&game.start()), Claim::AtLeast(Player::First, Wdl::Win));
    let sections = vec![Section::LiftedText(text.into())];
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
    assert_eq!(judge(Fault::OneRowOfOneMark, &WIN), Ok(11));
}

/// The same moves in the middle of the board.
const TEXT: &str = "exact book a
  ..../..../..../.... X@b2
  ..../.X../..O./.... X@c3
  ..../.X../.O../.... X@c3
  ..../.XO./..../.... X@b2
";

#[test]
fn a_text_must_win_inside_while_the_border_is_empty() {
    assert!(matches!(judge_text(Fault::None, TEXT), Err(Rejected::Refuted(why)) if why.contains("no move at")));
    let text = TEXT.replacen("X@b2", "X@b3", 1);
    assert_eq!(judge_text(Fault::None, &text), judge(Fault::None, &WIN));
    for (fault, why) in [
        (Fault::NoFrame, "there is no frame"),
        (Fault::PairsCrossed, "does not continue"),
        (Fault::JudgedAtTheEnd, "as soon as they are complete"),
    ] {
        assert!(matches!(judge_text(fault, &text), Err(Rejected::Refuted(said)) if said.contains(why)), "{fault:?}");
    }
    let outside = judge_text(Fault::None, "rule any move\n");
    assert!(matches!(outside, Err(Rejected::Refuted(why)) if why.contains("outside the inner board")));
    assert!(matches!(judge_text(Fault::None, "rule a\n  only nothing\n"), Err(Rejected::Corrupt(_))));
}

#[test]
fn lines_that_do_not_decide_and_a_board_that_is_not_empty_are_no_place_for_a_frame() {
    for (fault, why) in [(Fault::Undecided, "the lines of one side decide"), (Fault::MarkAtTheStart, "the empty board")]
    {
        match judge(fault, &WIN) {
            Err(Rejected::Corrupt(said)) => assert!(said.contains(why), "{fault:?}: {said}"),
            other => panic!("{fault:?}: {other:?}"),
        }
    }
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
        (Fault::OtherMarkOutside, "does not continue"),
        (Fault::JudgedAtTheEnd, "as soon as they are complete"),
    ] {
        match judge(fault, &WIN) {
            Err(Rejected::Refuted(said)) => assert!(said.contains(why), "{fault:?}: {said}"),
            other => panic!("{fault:?}: {other:?}"),
        }
    }
}
