//! Threat-space search: wins of the maker in which every move leaves a line one cell short, so that every reply is
//! forced.
//!
//! It requires lines that avoid no cells: such a line, one cell short, can be spoiled in that cell only.

use super::position::{Live, put};
use agon_core::lines::CellSet;

/// The depth limit, in the maker's moves.
const MAX_DEPTH: u32 = 30;

/// A move of the maker: cell and mark.
pub type Threat = (u8, u8);

/// A forced win: a tree of the maker's moves, one for each reply.
#[derive(Clone, Debug, Default)]
pub struct Win {
    /// The maker's moves, depth first.
    pub moves: Vec<Threat>,
    /// The relevance zone: the cells that any line of the tree uses. A breaker's move elsewhere changes nothing.
    pub zone: CellSet,
}

/// A search for forced wins with a node limit.
#[derive(Debug)]
pub struct Threats {
    marks: u8,
    tries: u32,
    moves: Vec<Threat>,
}

/// A forced win for the maker to move, if one is found within `tries` moves.
#[must_use]
pub fn win(live: &[Live], marks: usize, tries: u32) -> Option<Win> {
    if !live.iter().any(|line| line.need.count_ones() <= 2) {
        return None;
    }
    let mut search = Threats { marks: marks as u8, tries, moves: Vec::new() };
    let zone = search.attack(live, MAX_DEPTH)?;
    Some(Win { moves: search.moves, zone })
}

impl Threats {
    fn attack(&mut self, live: &[Live], depth: u32) -> Option<CellSet> {
        if let Some(line) = live.iter().find(|line| line.need.count_ones() == 1) {
            self.moves.push((line.need.trailing_zeros() as u8, line.mark));
            return Some(line.need);
        }
        if depth == 0 {
            return None;
        }
        let mut next = Vec::new();
        for line in live.iter().filter(|line| line.need.count_ones() == 2) {
            let first = line.need & line.need.wrapping_neg();
            for cell in [first, line.need & !first] {
                self.tries = self.tries.checked_sub(1)?;
                let begun = self.moves.len();
                self.moves.push((cell.trailing_zeros() as u8, line.mark));
                put(live, cell, line.mark, &mut next);
                if let Some(zone) = self.replies(&next, line.need & !cell, depth) {
                    return Some(zone | cell);
                }
                self.moves.truncate(begun);
            }
        }
        None
    }

    /// Tries all replies of the breaker while some line lacks only `cell`.
    fn replies(&mut self, live: &[Live], cell: CellSet, depth: u32) -> Option<CellSet> {
        let (mut completing, mut threatened) = (0u8, 0);
        for line in live.iter().filter(|line| line.need.count_ones() == 1) {
            threatened |= line.need;
            completing |= u8::from(line.need == cell) << line.mark;
        }
        if threatened != cell {
            let one = threatened & threatened.wrapping_neg();
            let rest = threatened & !one;
            return Some(one | (rest & rest.wrapping_neg()));
        }
        let mut zone = cell;
        let mut after = Vec::new();
        for mark in (0..self.marks).filter(|mark| completing >> mark & 1 == 0) {
            put(live, cell, mark, &mut after);
            zone |= self.attack(&after, depth - 1)?;
        }
        Some(zone)
    }
}
