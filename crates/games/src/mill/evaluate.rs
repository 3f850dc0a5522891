//! The evaluation: men, lines one man short, and mobility.

use super::{Line, Men, Mill, Step};
use crate::grid::Cells;
use agon_core::Evaluate;

impl Mill {
    /// Lines of three with two of `own` and an empty third point, and empty points adjacent to a man.
    fn outlook(&self, own: Cells, empty: Cells) -> i32 {
        let two =
            self.board.mills.iter().filter(|&&line| {
                (own & line).count_ones() + 1 == line.count_ones() && (empty & line).count_ones() == 1
            });
        let room = crate::grid::each_cell(own).fold(0, |set, p| set | self.board.near[p]) & empty;
        30 * two.count() as i32 + 4 * room.count_ones() as i32
    }
}

impl Evaluate for Mill {
    const CUT: Option<u32> = Some(200);

    fn evaluate(&self, pos: &Men) -> i32 {
        let (own, other) = pos.own_and_other();
        let empty = self.empty(pos);
        let men = match self.rules.line {
            Line::Wins => 0,
            Line::Captures => {
                let (hand, theirs) = pos.hands();
                100 * (own.count_ones() as i32 + i32::from(hand) - other.count_ones() as i32 - i32::from(theirs))
            }
        };
        men + self.outlook(own, empty) - self.outlook(other, empty)
    }

    /// Captures first.
    fn ordered(&self, pos: &Men, each: &mut impl FnMut(Step, i32)) {
        agon_core::Game::moves(self, pos, &mut |mv| each(mv, if mv.take().is_some() { 100 } else { 0 }));
    }
}
