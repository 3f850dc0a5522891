//! Pairing strategies of the breaker (Hales and Jewett 1963): every live line gets two empty cells of its own. When
//! one of them is filled, the breaker makes the other one differ.

use super::position::Live;
use agon_core::lines::CellSet;

/// Lines along one track that can share a pair.
#[derive(Clone, Copy, Default)]
struct Bundle {
    /// Cells that all of them need; with ends, also cells that all of them avoid.
    cells: CellSet,
    /// Those of them that are avoided.
    ends: CellSet,
    track: u16,
    /// The marks of its lines.
    marks: u8,
    /// Two cells, or none: each line needs one of them and avoids the other, but not all of them the same one.
    swapped: CellSet,
}

/// The most bundles that are matched; above that, no pairing is found.
const MAX_BUNDLES: usize = 120;

/// A pairing: two cells for each bundle, or the number of cells that are missing.
pub struct Pairs {
    /// The number of missing cells; 0 means that the breaker wins.
    pub missing: u32,
    /// Every cell of a pair.
    pub cells: CellSet,
    owner: [u8; 64],
    /// Cells that their lines avoid.
    ends: CellSet,
}

impl Pairs {
    /// No pairing.
    #[must_use]
    pub fn none() -> Pairs {
        Pairs { missing: u32::MAX, cells: 0, owner: [u8::MAX; 64], ends: 0 }
    }

    /// The pairs: two cells, and whether both get the same mark, because one is wanted and one avoided.
    #[must_use]
    pub fn list(&self) -> Vec<(u8, u8, bool)> {
        let mut pairs: Vec<Vec<u8>> = vec![Vec::new(); MAX_BUNDLES];
        for cell in 0..64u8 {
            if self.cells >> cell & 1 == 1 {
                pairs[usize::from(self.owner[usize::from(cell)])].push(cell);
            }
        }
        let is_end = |cell: u8| self.ends >> cell & 1 == 1;
        pairs.iter().filter(|p| p.len() == 2).map(|p| (p[0], p[1], is_end(p[0]) != is_end(p[1]))).collect()
    }
}

/// Searches for a pairing by bipartite matching, until `most` cells are missing.
///
/// If lines count only with their ends filled, `ends` gives the number of marks, and ends can be paired
/// too: with a wanted cell by the same mark (one of them spoils the line, whatever its mark), with each
/// other by different ones (that spoils the lines of two marks, or of one). If some lines of a bundle want one cell and
/// avoid another, and the rest avoid the first and want the second, the same mark in both spoils them all.
///
/// With `maker_last` the maker fills the last cell, so the breaker must open pairs. The breaker can open a pair whose
/// lines all have the same mark, by spoiling them. So every other pair must get to that state in time: some cell of its
/// lines outside closed pairs is filled before.
#[must_use]
pub fn pairs(live: &[Live], ends: Option<usize>, maker_last: bool, most: u32) -> Pairs {
    let mut found = Pairs { missing: 0, ..Pairs::none() };
    let mut bundles = [Bundle::default(); MAX_BUNDLES];
    let Some(count) = bundle(live, ends, &mut bundles) else { return Pairs::none() };
    let bundles = &mut bundles[..count];
    // A pair of this kind cannot be opened, so it is of no use if the maker fills the last cell.
    let swaps = !maker_last && bundles.iter().any(|b| b.swapped != 0);
    // Too few cells for so many pairs.
    let cells = bundles.iter().fold(0, |set: CellSet, b| set | b.cells).count_ones() as usize;
    if most == 1 && cells < 2 * count && !swaps {
        found.missing = 1;
        return found;
    }
    bundles.sort_unstable_by_key(|b| b.cells.count_ones());
    match_all(bundles, if swaps { u32::MAX } else { most }, &mut found);
    if swaps {
        swap_ends(bundles, &mut found);
    }
    if found.missing == 0 && maker_last && !can_open(bundles, ends == Some(2), &found) {
        found.missing = 1;
    }
    if ends.is_some() {
        let held = |(i, b): (usize, &Bundle)| cells_of(&found, i) & b.ends;
        found.ends = bundles.iter().enumerate().map(held).fold(0, |set, cells| set | cells);
    }
    found
}

/// Matches every bundle with two cells, until `most` cells are missing.
fn match_all(bundles: &[Bundle], most: u32, found: &mut Pairs) {
    *found = Pairs { missing: 0, ..Pairs::none() };
    let mut matching = Matching { bundles, seen: 0, found };
    for slot in 0..2 * bundles.len() {
        matching.seen = 0;
        if !matching.place((slot / 2) as u8) {
            matching.found.missing += 1;
            if matching.found.missing >= most {
                return;
            }
        }
    }
}

/// Gives bundles their swapped cells where fewer cells are missing then.
fn swap_ends(bundles: &mut [Bundle], found: &mut Pairs) {
    let mut left = bundles.iter().filter(|b| b.swapped != 0).count() as u32;
    for i in 0..bundles.len() {
        // A bundle can save two cells at most.
        if found.missing == 0 || found.missing > 2 * left {
            return;
        }
        let old = bundles[i];
        if old.swapped == 0 {
            continue;
        }
        left -= 1;
        bundles[i] = Bundle { cells: old.swapped, ends: old.swapped & old.swapped.wrapping_neg(), ..old };
        let mut other = Pairs::none();
        match_all(bundles, found.missing, &mut other);
        if other.missing < found.missing { *found = other } else { bundles[i] = old }
    }
}

/// The cells of one bundle's pair.
fn cells_of(found: &Pairs, bundle: usize) -> CellSet {
    let own = (0..64).filter(|&cell| found.cells >> cell & 1 == 1 && usize::from(found.owner[cell]) == bundle);
    own.fold(0, |set, cell| set | 1 << cell)
}

/// The ends of a line that can be paired: with more than two marks, one of them.
fn paired_ends(line: &Live, ends: Option<usize>) -> CellSet {
    match ends {
        None => 0,
        Some(2) => line.guard,
        Some(_) => line.guard & line.guard.wrapping_neg(),
    }
}

/// Joins lines along a track while they share two cells.
fn bundle(live: &[Live], ends: Option<usize>, bundles: &mut [Bundle; MAX_BUNDLES]) -> Option<usize> {
    let mut count = 0;
    let mut members = Vec::with_capacity(if ends.is_some() { live.len() } else { 0 });
    for line in live {
        let line_ends = paired_ends(line, ends);
        let shared = |b: &Bundle| (b.cells & !b.ends & line.need) | (b.ends & line_ends);
        let fits = |b: &Bundle| b.track == line.track && shared(b).count_ones() >= 2;
        let joined = match bundles[..count].iter_mut().enumerate().rev().find(|(_, b)| fits(b)) {
            Some((i, b)) => {
                b.cells = shared(b);
                b.ends &= b.cells;
                b.marks |= 1 << line.mark;
                i
            }
            None => {
                let cells = line.need | line_ends;
                let (track, marks) = (line.track, 1 << line.mark);
                *bundles.get_mut(count)? = Bundle { cells, ends: line_ends, track, marks, swapped: 0 };
                count += 1;
                count - 1
            }
        };
        if ends.is_some() {
            members.push(joined);
        }
    }
    if ends.is_some() {
        let lines = |i: usize| live.iter().zip(&members).filter(move |(_, joined)| **joined == i).map(|(line, _)| line);
        bundles[..count].iter_mut().enumerate().for_each(|(i, b)| b.swapped = swapped(lines(i)));
    }
    Some(count)
}

/// Two cells such that every line needs one and avoids the other, and both are avoided by some line.
fn swapped<'a>(lines: impl Iterator<Item = &'a Live> + Clone) -> CellSet {
    let (within, ends) = lines.clone().fold((CellSet::MAX, 0), |(within, ends): (CellSet, CellSet), line| {
        (within & (line.need | line.guard), ends | line.guard)
    });
    let mut firsts = within & ends;
    while firsts != 0 {
        let one = firsts & firsts.wrapping_neg();
        firsts ^= one;
        let mut others = firsts;
        while others != 0 {
            let pair = one | others & others.wrapping_neg();
            others &= others - 1;
            if lines.clone().all(|line| (line.guard & pair).count_ones() == 1) {
                return pair;
            }
        }
    }
    0
}

/// Returns whether every pair can be opened, one after the other. With two marks a filled end leaves one, as a
/// filled cell does.
fn can_open(bundles: &[Bundle], two_marks: bool, found: &Pairs) -> bool {
    let mut pair = [0; MAX_BUNDLES];
    for cell in (0..64).filter(|cell| found.cells >> cell & 1 == 1) {
        pair[usize::from(found.owner[cell])] |= 1 << cell;
    }
    let mixed = |b: &Bundle| b.marks.count_ones() > 1;
    let mut closed = bundles.iter().zip(pair).filter(|(b, _)| mixed(b)).fold(0, |set, (_, pair)| set | pair);
    let telling = |b: &Bundle| if two_marks { b.cells } else { b.cells & !b.ends };
    while closed != 0 {
        let open = |(b, pair): &(&Bundle, CellSet)| pair & closed != 0 && telling(b) & !closed != 0;
        match bundles.iter().zip(pair).find(open) {
            Some((_, pair)) => closed &= !pair,
            None => return false,
        }
    }
    true
}

/// Bipartite matching of bundles, two places each, with cells.
struct Matching<'a> {
    bundles: &'a [Bundle],
    seen: CellSet,
    found: &'a mut Pairs,
}

impl Matching<'_> {
    fn place(&mut self, bundle: u8) -> bool {
        let wanted = self.bundles[usize::from(bundle)].cells;
        let free = wanted & !self.found.cells;
        if free != 0 {
            self.found.owner[free.trailing_zeros() as usize] = bundle;
            self.found.cells |= free & free.wrapping_neg();
            return true;
        }
        loop {
            let untried = wanted & !self.seen;
            if untried == 0 {
                return false;
            }
            let cell = untried.trailing_zeros() as usize;
            self.seen |= 1 << cell;
            let owner = self.found.owner[cell];
            if owner != bundle && self.place(owner) {
                self.found.owner[cell] = bundle;
                return true;
            }
        }
    }
}
