//! The moves worth trying, likeliest first. What is left out is no better than what is kept.

use super::pairing::pairs;
use super::position::{Board, Live, Position, put};
use super::threats;
use agon_core::lines::{CellSet, MOST_MARKS};

/// Tries of a search for forced wins.
pub const TRIES: u32 = 200;

/// Refutations of a pass to look for at the maker's nodes.
const REFUTATIONS: usize = 2;

/// A cell and a mark, or the neutral cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Candidate {
    /// Put a mark into a cell.
    Put(u8, u8),
    /// Fill the neutral cell.
    Wait,
}

/// Whether the maker fills the last cell.
#[must_use]
pub fn maker_last(board: &Board, pos: &Position) -> bool {
    let empty = (board.rules.all() & !pos.filled()).count_ones() + u32::from(pos.spare);
    (empty & 1 == 1) == pos.maker && board.rules.alike
}

/// How much the live lines of each mark through each cell weigh.
#[must_use]
pub fn weights(live: &[Live]) -> [[i32; MOST_MARKS]; 64] {
    Survey::new(live).weight
}

/// What the live lines say about each cell.
struct Survey {
    /// Cells that a live line of each mark needs.
    reach: [CellSet; MOST_MARKS],
    /// Cells that matter to some line.
    used: CellSet,
    /// How much the lines of each mark through a cell weigh.
    weight: [[i32; MOST_MARKS]; 64],
}

impl Survey {
    fn new(live: &[Live]) -> Survey {
        let mut survey = Survey { reach: [0; MOST_MARKS], used: 0, weight: [[0; MOST_MARKS]; 64] };
        for line in live {
            survey.reach[usize::from(line.mark)] |= line.need;
            survey.used |= line.need | line.guard;
            let weight = 1 << (16 - 2 * line.need.count_ones().min(8));
            each(line.need, |cell| survey.weight[cell][usize::from(line.mark)] += weight);
        }
        survey
    }

    fn total(&self, cell: usize) -> i32 {
        self.weight[cell].iter().sum()
    }

    /// The marks worth putting into a cell. A mark that completes nothing there is the best for the
    /// breaker and no good for the maker, unless lines avoid cells.
    fn marks(&self, board: &Board, maker: bool, cell: usize) -> impl Iterator<Item = u8> + use<> {
        let all = board.rules.marks;
        let reached = (0..all).filter(|&m| self.reach[m] >> cell & 1 == 1).fold(0u8, |set, m| set | 1 << m);
        let unreached = (0..all).find(|&m| reached >> m & 1 == 0).map(|m| 1u8 << m);
        let worth = match (board.avoiding, maker, unreached) {
            (true, ..) | (false, false, None) => u8::MAX,
            (false, true, _) => reached,
            (false, false, Some(spoiling)) => spoiling,
        };
        (0..all as u8).filter(move |m| worth >> m & 1 == 1)
    }
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
    if !forced && !board.avoiding {
        // A pass would lose in a way that only some cells can prevent.
        let zone = if pos.maker {
            refuting_zone(board, pos, live, &survey)
        } else {
            threats::win(live, board.rules.marks, TRIES).map(|win| win.zone)
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
    live.iter()
        .filter(|line| board.lacks(line) == 1)
        .all(|line| if line.need & cell != 0 { line.mark != mark } else { line.guard & cell != 0 && line.mark == mark })
}

/// If the maker passed: breaker's moves after which pairs hold. Any move outside the move's cell and the
/// pairs is met by it, so only the cells common to all of them are worth a try.
fn refuting_zone(board: &Board, pos: &Position, live: &[Live], survey: &Survey) -> Option<CellSet> {
    let last = maker_last(board, pos);
    let mut order = Vec::with_capacity(64);
    each(survey.used, |cell| order.push(cell));
    order.sort_by_key(|&cell| std::cmp::Reverse(survey.total(cell)));
    let (mut zone, mut found, mut after) = (None, 0, Vec::new());
    for (tried, cell) in order.into_iter().enumerate() {
        if found == REFUTATIONS || (found == 0 && tried == 3 * REFUTATIONS) {
            break;
        }
        for mark in survey.marks(board, false, cell) {
            put(live, 1 << cell, mark, &mut after);
            let pairs = pairs(&after, last, 1);
            if pairs.missing == 0 {
                found += 1;
                zone = Some(zone.unwrap_or(CellSet::MAX) & (1 << cell | pairs.cells));
            }
        }
    }
    zone
}

/// Cells all of whose lines also need another cell, both reached by one mark only: the other cell does
/// the same and more, for either side.
fn dominated(live: &[Live], survey: &Survey, allowed: CellSet) -> CellSet {
    let (once, twice) = survey.reach.iter().fold((0, 0), |(once, twice), r| (once | r, twice | (once & r)));
    let single = once & !twice;
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
