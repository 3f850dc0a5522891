//! Threat-space search where lines avoid cells: a line one cell short can also be spoiled at its ends.

use super::position::{Board, Live, put_minding_ends};
use super::threats::{Threat, Win};
use agon_core::lines::CellSet;

/// The depth limit, in the maker's moves.
const MAX_DEPTH: u32 = 30;

struct Search<'a> {
    board: &'a Board,
    tries: u32,
    moves: Vec<Threat>,
}

/// A forced win for the maker to move, if one is found within `tries` moves.
#[must_use]
pub fn win(board: &Board, live: &[Live], tries: u32) -> Option<Win> {
    if !live.iter().any(|line| board.lacks(line) <= 2) {
        return None;
    }
    let mut search = Search { board, tries, moves: Vec::new() };
    let zone = search.attack(live, MAX_DEPTH)?;
    Some(Win { moves: search.moves, zone })
}

/// The moves (cell, mark) that spoil every line that is one cell short, and the cells of the lines that exclude other
/// moves. `None` if no line is one cell short.
#[must_use]
pub fn parries(board: &Board, live: &[Live]) -> Option<(Vec<Threat>, CellSet)> {
    let mut short = live.iter().filter(|line| board.lacks(line) == 1);
    let first = short.next()?;
    let cells = first.need | first.guard;
    let placings = (0..64u8).filter(|c| cells >> c & 1 == 1).flat_map(|c| marks(board).map(move |m| (c, m)));
    let mut left: Vec<Threat> = placings.filter(|&(c, m)| first.spoiled_by(1 << c, m)).collect();
    let mut zone = cells;
    for line in short {
        let before = left.len();
        left.retain(|&(c, m)| line.spoiled_by(1 << c, m));
        if left.len() < before {
            zone |= line.need | line.guard;
        }
    }
    Some((left, zone))
}

fn marks(board: &Board) -> std::ops::Range<u8> {
    0..board.rules.marks as u8
}

/// The moves of the maker that bring a line closer to completion, by cell and mark.
fn closer(board: &Board, line: &Live) -> Vec<Threat> {
    let cells = if board.rules.settled { line.need | line.guard } else { line.need };
    let placings = (0..64u8).filter(|c| cells >> c & 1 == 1).flat_map(|c| marks(board).map(move |m| (c, m)));
    placings.filter(|&(c, m)| !line.spoiled_by(1 << c, m)).collect()
}

impl Search<'_> {
    fn attack(&mut self, live: &[Live], depth: u32) -> Option<CellSet> {
        let board = self.board;
        if let Some(line) = live.iter().find(|line| board.lacks(line) == 1) {
            self.moves.push(*closer(board, line).first()?);
            return Some(line.need | line.guard);
        }
        if depth == 0 {
            return None;
        }
        let mut next = Vec::new();
        for line in live.iter().filter(|line| board.lacks(line) == 2) {
            for (cell, mark) in closer(board, line) {
                self.tries = self.tries.checked_sub(1)?;
                let begun = self.moves.len();
                self.moves.push((cell, mark));
                put_minding_ends(live, 1 << cell, mark, &mut next);
                if let Some(zone) = self.replies(&next, depth) {
                    return Some(zone | 1 << cell);
                }
                self.moves.truncate(begun);
            }
        }
        None
    }

    /// Tries all replies of the breaker while some line is one cell short.
    fn replies(&mut self, live: &[Live], depth: u32) -> Option<CellSet> {
        let (parries, mut zone) = parries(self.board, live)?;
        let mut after = Vec::new();
        for (cell, mark) in parries {
            put_minding_ends(live, 1 << cell, mark, &mut after);
            let made = after.iter().find(|line| self.board.lacks(line) == 0);
            zone |= match made {
                // The reply itself completes another line.
                Some(line) => line.guard | 1 << cell,
                None => self.attack(&after, depth - 1)?,
            };
        }
        Some(zone)
    }
}
