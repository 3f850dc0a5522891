//! Move generation, likeliest moves first. Dominated moves are pruned.

use super::guarded;
use super::pairing::{Pairs, pairs};
use super::position::{Board, Live, Position, put, put_minding_ends};
use super::threats::{self, Win};
use agon_core::lines::{CellSet, MAX_MARKS};

/// The node limit of a threat-space search.
pub const MAX_THREATS: u32 = 200;

/// Refutations of a null move to find at the maker's nodes.
const MAX_REFUTATIONS: usize = 2;

/// A move of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Candidate {
    /// Put a mark into a cell.
    Put(u8, u8),
    /// Fill the neutral cell.
    Wait,
}

/// Returns whether the maker fills the last cell.
#[must_use]
pub fn maker_last(board: &Board, pos: &Position) -> bool {
    let empty = (board.rules.all() & !pos.filled()).count_ones() + u32::from(pos.spare);
    (empty & 1 == 1) == pos.maker && board.rules.alike
}

/// For each cell and mark, the weight of the live lines through it.
#[must_use]
pub fn weights(live: &[Live]) -> [[i32; MAX_MARKS]; 64] {
    Survey::new(live).weight
}

/// For each cell, the live lines that need or avoid it.
struct Survey {
    /// Cells that a live line of each mark needs.
    reach: [CellSet; MAX_MARKS],
    /// Cells that a live line of each mark avoids.
    avoid: [CellSet; MAX_MARKS],
    /// Cells that some line needs or avoids.
    used: CellSet,
    /// For each cell and mark, the weight of the lines through it.
    weight: [[i32; MAX_MARKS]; 64],
}

impl Survey {
    fn new(live: &[Live]) -> Survey {
        let mut survey = Survey { reach: [0; MAX_MARKS], avoid: [0; MAX_MARKS], used: 0, weight: [[0; MAX_MARKS]; 64] };
        for line in live {
            survey.reach[usize::from(line.mark)] |= line.need;
            survey.avoid[usize::from(line.mark)] |= line.guard;
            survey.used |= line.need | line.guard;
            let weight = 1 << (16 - 2 * line.need.count_ones().min(8));
            each(line.need, |cell| survey.weight[cell][usize::from(line.mark)] += weight);
        }
        survey
    }

    fn total(&self, cell: usize) -> i32 {
        self.weight[cell].iter().sum()
    }

    /// Returns whether mark `one` in a cell spoils all that `other` spoils there, and advances nothing else.
    fn spoils_more(&self, cell: usize, one: usize, other: usize) -> bool {
        one != other && self.reach[one] >> cell & 1 == 0 && self.avoid[other] >> cell & 1 == 0
    }

    /// The undominated marks for a cell; of equivalent marks, the first.
    fn marks(&self, board: &Board, maker: bool, cell: usize) -> impl Iterator<Item = u8> + use<> {
        let all = board.rules.marks;
        let dominated = |mark: usize| {
            (0..all).any(|other| {
                let (one, two) = if maker { (mark, other) } else { (other, mark) };
                self.spoils_more(cell, one, two) && (!self.spoils_more(cell, two, one) || other < mark)
            })
        };
        let kept = (0..all).filter(|&mark| !dominated(mark)).fold(0u8, |set, mark| set | 1 << mark);
        (0..all as u8).filter(move |m| kept >> m & 1 == 1)
    }
}

/// The moves of a side that no other mark in the same cell and no other cell dominates.
#[must_use]
pub fn replies(board: &Board, live: &[Live], maker: bool) -> Vec<(usize, usize)> {
    let survey = Survey::new(live);
    let mut found = Vec::new();
    each(survey.used & !dominated(live, &survey, survey.used), |cell| {
        found.extend(survey.marks(board, maker, cell).map(|mark| (cell, usize::from(mark))));
    });
    found
}

/// The live lines after a move.
pub fn after(board: &Board, live: &[Live], cell: usize, mark: u8, out: &mut Vec<Live>) {
    if board.avoiding { put_minding_ends(live, 1 << cell, mark, out) } else { put(live, 1 << cell, mark, out) }
}

/// A win of the maker, to move, by threats alone.
#[must_use]
pub fn forced_win(board: &Board, live: &[Live]) -> Option<Win> {
    if board.avoiding {
        guarded::win(board, live, MAX_THREATS)
    } else {
        threats::win(live, board.rules.marks, MAX_THREATS)
    }
}

/// A pairing of the breaker. The search for it ends once `most` cells are missing.
#[must_use]
pub fn private_pairs(board: &Board, pos: &Position, live: &[Live], most: u32) -> Pairs {
    if board.rules.marks == 1 && !live.is_empty() {
        // The two cells of a pair would need different marks.
        return Pairs::none();
    }
    pairs(live, board.rules.settled.then_some(board.rules.marks), maker_last(board, pos), most)
}

fn each(mut cells: CellSet, mut see: impl FnMut(usize)) {
    while cells != 0 {
        see(cells.trailing_zeros() as usize);
        cells &= cells - 1;
    }
}

/// The candidates of a position with these live lines, none of which the maker can complete at once.
#[must_use]
pub fn candidates(board: &Board, pos: &Position, live: &[Live]) -> Vec<Candidate> {
    let survey = Survey::new(live);
    let mut allowed = survey.used;
    let mut may_wait = pos.spare;
    let forced = !pos.maker && live.iter().any(|line| board.lacks(line) == 1);
    if !forced {
        // Null-move relevance zone: passing loses, and only moves in these cells can prevent that.
        let zone = if pos.maker {
            refuting_zone(board, pos, live, &survey)
        } else {
            forced_win(board, live).map(|win| win.zone)
        };
        if let Some(zone) = zone {
            allowed &= zone;
            may_wait = false;
        }
        allowed &= !dominated(live, &survey, allowed);
    }
    let mut found = Vec::new();
    each(allowed, |cell| {
        for mark in survey.marks(board, pos.maker, cell) {
            if !forced || spoils_every_threat(board, live, 1 << cell, mark) {
                found.push(Candidate::Put(cell as u8, mark));
            }
        }
    });
    let score = |candidate: &Candidate| match *candidate {
        Candidate::Wait => i32::MAX,
        Candidate::Put(cell, mark) => {
            let near = survey.weight[usize::from(cell)][usize::from(mark)];
            let spoiled = survey.total(usize::from(cell)) - near;
            if pos.maker { spoiled - 2 * near } else { near - 4 * spoiled }
        }
    };
    found.sort_by_key(score);
    if may_wait && !forced {
        found.push(Candidate::Wait);
    }
    found
}

fn spoils_every_threat(board: &Board, live: &[Live], cell: CellSet, mark: u8) -> bool {
    live.iter().filter(|line| board.lacks(line) == 1).all(|line| line.spoiled_by(cell, mark))
}

/// The relevance zone of a null move of the maker: breaker's moves after which a pairing holds. Each refutes every
/// maker's move outside its own cell and its pairs, so only the cells common to all of them are searched.
fn refuting_zone(board: &Board, pos: &Position, live: &[Live], survey: &Survey) -> Option<CellSet> {
    let mut order = Vec::with_capacity(64);
    each(survey.used, |cell| order.push(cell));
    order.sort_by_key(|&cell| std::cmp::Reverse(survey.total(cell)));
    let (mut zone, mut found, mut next) = (None, 0, Vec::new());
    for (tried, cell) in order.into_iter().enumerate() {
        if found == MAX_REFUTATIONS || (found == 0 && tried == 3 * MAX_REFUTATIONS) {
            break;
        }
        for mark in survey.marks(board, false, cell) {
            after(board, live, cell, mark, &mut next);
            let pairs = private_pairs(board, pos, &next, 1);
            if pairs.missing == 0 {
                found += 1;
                zone = Some(zone.unwrap_or(CellSet::MAX) & (1 << cell | pairs.cells));
            }
        }
    }
    zone
}

/// Dominated cells: all lines of the cell also need another cell, and both cells are needed by one mark only and
/// avoided by none, so that the other cell is at least as good for either side. Of equivalent cells, the first stays.
fn dominated(live: &[Live], survey: &Survey, allowed: CellSet) -> CellSet {
    let (once, twice) = survey.reach.iter().fold((0, 0), |(once, twice), r| (once | r, twice | (once & r)));
    let single = once & !twice & !survey.avoid.iter().fold(0, |set, cells| set | cells);
    let mut partners = [CellSet::MAX; 64];
    for line in live {
        each(line.need & single, |cell| partners[cell] &= line.need);
    }
    let mut dropped = 0;
    each(allowed & single, |cell| {
        each(partners[cell] & single & !(1 << cell), |other| {
            let equal = partners[other] >> cell & 1 == 1;
            let kept = other < cell && allowed >> other & 1 == 1;
            if !equal || kept {
                dropped |= 1 << cell;
            }
        });
    });
    dropped
}
