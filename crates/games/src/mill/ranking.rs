//! Ranking of positions of mill games (compare Gasser 1996).
//!
//! A table holds the positions with given numbers of men of the mover and of the other side, on the board and in hand;
//! the colours do not matter. One side is *leading*. An index combines the orbit of the leading men under symmetry with
//! the colexicographic rank of the other men among the free points. Positions with the same leading men form a row.
//!
//! The side with more men leads, no matter whose turn it is. So a move of the other side stays in its row, and the moves of the
//! leading side lead to a few rows that are the same for all positions of a row.
//!
//! Ranks use 12-bit lookup tables, and PEXT and PDEP where the processor has BMI2.

use super::steps::Steps;
use super::{Early, Fly, Line, Men, Mill};
use crate::grid::{Cells, Symmetry};
use agon_core::Player;
use agon_core::indexed::TableIndex;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

/// Men on the board and in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Counts {
    /// Men of the side to move on the board.
    pub own: u8,
    /// Men of the other side on the board.
    pub other: u8,
    /// Men of the side to move in hand.
    pub own_hand: u8,
    /// Men of the other side in hand.
    pub other_hand: u8,
}

impl Counts {
    /// Returns whether the mover leads: it has more men, on the board and in hand. If both have as many, the side that
    /// began leads while men are placed, and the mover leads later.
    #[inline]
    pub(super) fn mover_leads(self) -> bool {
        let (own, other) = (self.own + self.own_hand, self.other + self.other_hand);
        if own == other { self.own_hand <= self.other_hand } else { own > other }
    }

    /// The numbers of leading and of other men on the board.
    #[inline]
    pub(super) fn leading(self) -> (usize, usize) {
        let (own, other) = (usize::from(self.own), usize::from(self.other));
        if self.mover_leads() { (own, other) } else { (other, own) }
    }

    #[inline]
    pub(super) fn swapped(self) -> Counts {
        Counts { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }
}

/// The most men of one side.
pub const MAX_MEN: usize = 15;

/// The orbits of sets of `k` points under symmetry.
struct Orbits {
    /// For each rank of a set: its orbit, and in the low byte the symmetry that maps it to the representative.
    of: Vec<u32>,
    /// For each orbit, the representative, which is its least set.
    representatives: Vec<Cells>,
    /// For each orbit, the index in `stabilisers`.
    stabiliser: Vec<u8>,
    /// The distinct stabilisers of representatives, without the identity; the first is empty.
    stabilisers: Vec<Vec<u8>>,
}

/// Lookup tables for PEXT, PDEP and POPCNT of a byte.
struct Bytes {
    /// By holes, then by byte: the bits outside the holes, compressed.
    pext: Vec<[u8; 256]>,
    /// By holes, then by byte: the inverse of `pext`.
    pdep: Vec<[u8; 256]>,
    popcnt: [u8; 256],
}

static BYTES: LazyLock<Bytes> = LazyLock::new(|| {
    let mut bytes = Bytes { pext: vec![[0; 256]; 256], pdep: vec![[0; 256]; 256], popcnt: [0; 256] };
    for holes in 0..256usize {
        bytes.popcnt[holes] = holes.count_ones() as u8;
        let kept: Vec<usize> = (0..8).filter(|bit| holes >> bit & 1 == 0).collect();
        for compressed in 0..1usize << kept.len() {
            let expanded = kept.iter().enumerate().fold(0, |set, (i, bit)| set | (compressed >> i & 1) << bit);
            bytes.pdep[holes][compressed] = expanded as u8;
            bytes.pext[holes][expanded] = compressed as u8;
        }
    }
    bytes
});

/// Bit operations on sets of points.
pub(super) trait Bits: Copy {
    /// Parallel bit extract: compresses `set`, which is disjoint from `holes`, to the points outside `holes`.
    fn pext(self, set: Cells, holes: Cells) -> Cells;
    /// Parallel bit deposit: the inverse of [`Bits::pext`].
    fn pdep(self, set: Cells, holes: Cells) -> Cells;
    /// The size of a set of at most [`CHUNK_POINTS`] points.
    fn popcnt(self, set: usize) -> usize;
}

/// The portable implementation, byte by byte.
#[derive(Clone, Copy)]
pub(super) struct Portable {
    tables: &'static Bytes,
    /// The number of bytes of a set.
    bytes: usize,
}

impl Bits for Portable {
    #[inline]
    fn pext(self, set: Cells, holes: Cells) -> Cells {
        let (mut out, mut at) = (0, 0);
        for byte in 0..self.bytes {
            let hole = (holes >> (8 * byte)) as usize & 0xff;
            out |= Cells::from(self.tables.pext[hole][(set >> (8 * byte)) as usize & 0xff]) << at;
            at += 8 - self.tables.popcnt[hole];
        }
        out
    }

    #[inline]
    fn pdep(self, set: Cells, holes: Cells) -> Cells {
        let (mut out, mut at) = (0, 0);
        for byte in 0..self.bytes {
            let hole = (holes >> (8 * byte)) as usize & 0xff;
            let room = 8 - self.tables.popcnt[hole];
            let here = (set >> at) & ((1 << room) - 1);
            out |= Cells::from(self.tables.pdep[hole][here as usize & 0xff]) << (8 * byte);
            at += room;
        }
        out
    }

    #[inline]
    fn popcnt(self, set: usize) -> usize {
        usize::from(self.tables.popcnt[set & 0xff] + self.tables.popcnt[set >> 8 & 0xff])
    }
}

/// The BMI2 implementation. A value exists only if the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// `None` if the processor lacks BMI1, BMI2 or POPCNT.
    pub(super) fn detect() -> Option<Bmi2> {
        (is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt"))
            .then_some(Bmi2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn pext(self, set: Cells, holes: Cells) -> Cells {
        // SAFETY: a value of this type exists only if the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(set, !holes) }
    }

    #[inline(always)]
    fn pdep(self, set: Cells, holes: Cells) -> Cells {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(set, !holes) }
    }

    #[inline(always)]
    fn popcnt(self, set: usize) -> usize {
        set.count_ones() as usize
    }
}

/// Points of a chunk, which is ranked by one lookup.
const CHUNK_POINTS: usize = 12;

/// Lookup tables for ranking, computed on first use.
pub struct Ranking {
    points: usize,
    men: usize,
    ranks: OnceLock<Ranks>,
    orbits: Vec<OnceLock<Orbits>>,
    /// By free points and men: every set, in colexicographic order.
    sets: Vec<Vec<OnceLock<Vec<Cells>>>>,
    steps: OnceLock<Steps>,
}

/// For each set of points in a chunk, its contribution to the rank.
type ChunkRanks = [u32; 1 << CHUNK_POINTS];

/// Contributions of the chunks to the colexicographic rank of a set.
struct Ranks {
    /// The first chunk.
    first: Box<ChunkRanks>,
    /// Each later chunk, by the number of men in the chunks before it.
    later: Vec<Vec<ChunkRanks>>,
}

impl fmt::Debug for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ranking").field("points", &self.points).finish_non_exhaustive()
    }
}

/// The binomial coefficient `n` over `k`.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k).fold(1u128, |c, i| c * n.saturating_sub(i) as u128 / (i as u128 + 1)) as u64
}

/// Every set of `k` among `n` points, in increasing order.
#[inline]
fn sets(n: usize, k: usize) -> Vec<Cells> {
    let mut list = Vec::with_capacity(choose(n, k) as usize);
    if k == 0 {
        return vec![0];
    }
    let mut set: Cells = (1 << k) - 1;
    while set < 1 << n {
        list.push(set);
        // The next larger integer with as many bits (Gosper's hack).
        let (low, up) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
        set = up | ((set ^ up) >> (2 + low.trailing_zeros()));
    }
    list
}

impl Ranking {
    pub(super) fn new(points: usize, men: usize) -> Ranking {
        Ranking {
            points,
            men,
            ranks: OnceLock::new(),
            orbits: (0..=men).map(|_| OnceLock::new()).collect(),
            sets: (0..=points).map(|_| (0..=men).map(|_| OnceLock::new()).collect()).collect(),
            steps: OnceLock::new(),
        }
    }

    pub(super) fn portable(&self) -> Portable {
        Portable { tables: &BYTES, bytes: self.points.div_ceil(8) }
    }

    #[inline]
    fn ranks(&self) -> &Ranks {
        self.ranks.get_or_init(|| {
            let ways: Vec<Vec<u32>> = (0..self.points)
                .map(|n| (0..=CHUNK_POINTS + self.men).map(|k| choose(n, k) as u32).collect())
                .collect();
            let chunk = |first: usize, already: usize| {
                let mut counts = [0u32; 1 << CHUNK_POINTS];
                for set in 1..1usize << CHUNK_POINTS.min(self.points - first) {
                    // The contribution of the highest man, and of those below it.
                    let top = set.ilog2() as usize;
                    let below = set & !(1 << top);
                    let count = already + below.count_ones() as usize + 1;
                    counts[set] = counts[below].wrapping_add(ways[first + top][count]);
                }
                counts
            };
            let later = |first: usize| (0..=self.men).map(|already| chunk(first, already)).collect();
            Ranks {
                first: Box::new(chunk(0, 0)),
                later: (CHUNK_POINTS..self.points).step_by(CHUNK_POINTS).map(later).collect(),
            }
        })
    }

    #[inline]
    fn sets(&self, free: usize, men: usize) -> &[Cells] {
        self.sets[free][men].get_or_init(|| sets(free, men))
    }
}

/// The colexicographic rank of a set among the sets of its size.
#[inline(always)]
fn rank(bits: impl Bits, ranks: &Ranks, men: Cells) -> usize {
    const MASK: usize = (1 << CHUNK_POINTS) - 1;
    let here = men as usize & MASK;
    let (mut rank, mut already, mut rest) = (ranks.first[here] as usize, bits.popcnt(here), men >> CHUNK_POINTS);
    for chunk in &ranks.later {
        let here = rest as usize & MASK;
        rank += chunk[already][here] as usize;
        already += bits.popcnt(here);
        rest >>= CHUNK_POINTS;
    }
    rank
}

/// One row of a table: the orbit of the leading men.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The first index of the row.
    base: u64,
    /// The representative of the orbit.
    representative: Cells,
    /// The symmetry that maps the leading men to the representative.
    element: u8,
    /// The stabiliser of the representative, as an index; 0 is the trivial one.
    stabiliser: u8,
}

impl Row {
    /// Picks, from the images of a set, the one under the row's symmetry.
    #[inline(always)]
    pub(super) fn pick_image(&self, images: &[Cells]) -> Cells {
        images[usize::from(self.element)]
    }
}

/// The ranking of one table.
#[derive(Clone, Copy)]
pub(super) struct Table<'a, B> {
    bits: B,
    ranks: &'a Ranks,
    group: &'a [Symmetry],
    orbits: &'a Orbits,
    sets: &'a [Cells],
    counts: Counts,
}

impl<B: Bits> Table<'_, B> {
    /// The row of these leading men.
    #[inline(always)]
    pub(super) fn row_of(&self, leading: Cells) -> Row {
        let found = self.orbits.of[rank(self.bits, self.ranks, leading)];
        let orbit = (found >> 8) as usize;
        Row {
            base: orbit as u64 * self.sets.len() as u64,
            representative: self.orbits.representatives[orbit],
            element: found as u8,
            stabiliser: self.orbits.stabiliser[orbit],
        }
    }

    /// The index of the position with these other men.
    #[inline(always)]
    pub(super) fn index(&self, row: &Row, others: Cells) -> TableIndex<Counts> {
        self.index_mapped(row, self.mapped(row, others))
    }

    /// The image of a set under the symmetry that maps the leading men to the row's representative.
    #[inline(always)]
    pub(super) fn mapped(&self, row: &Row, set: Cells) -> Cells {
        self.group[usize::from(row.element)].image(set)
    }

    /// Appends the indices of the positions whose other men differ from `others` in one point of `flips` each. Both
    /// sets are mapped by the row's symmetry already.
    #[inline(always)]
    pub(super) fn indices(&self, row: &Row, others: Cells, mut flips: Cells, list: &mut Vec<TableIndex<Counts>>) {
        while flips != 0 {
            list.push(self.index_mapped(row, others ^ (flips & flips.wrapping_neg())));
            flips &= flips - 1;
        }
    }

    /// The images of a set under every symmetry.
    #[inline]
    pub(super) fn images(&self, set: Cells, images: &mut Vec<Cells>) {
        images.clear();
        images.extend(self.group.iter().map(|symmetry| symmetry.image(set)));
    }

    /// The index of a position whose other men are mapped by the row's symmetry already.
    #[inline(always)]
    pub(super) fn index_mapped(&self, row: &Row, mapped: Cells) -> TableIndex<Counts> {
        let (least, stabiliser) = if row.stabiliser == 0 { (mapped, 1) } else { self.least(row.stabiliser, mapped) };
        let index = row.base + rank(self.bits, self.ranks, self.bits.pext(least, row.representative)) as u64;
        TableIndex { shard: self.counts, index, stabiliser }
    }

    /// The least image of a set under a stabiliser, and the number of its elements that fix the set.
    #[inline]
    fn least(&self, stabiliser: u8, set: Cells) -> (Cells, u32) {
        let images = self.orbits.stabilisers[usize::from(stabiliser)]
            .iter()
            .map(|&element| self.group[usize::from(element)].image(set));
        images.fold((set, 1), |(least, fixing), image| (least.min(image), fixing + u32::from(image == set)))
    }

    /// The length of a row.
    #[inline]
    pub(super) fn row_len(&self) -> u64 {
        self.sets.len() as u64
    }

    /// The number of rows, by listing; `Mill::orbit_count` computes it without.
    #[cfg(test)]
    #[inline]
    pub(super) fn rows(&self) -> u64 {
        self.orbits.representatives.len() as u64
    }

    /// The leading men of a row.
    #[inline]
    pub(super) fn representative(&self, row: u64) -> Cells {
        self.orbits.representatives[row as usize]
    }

    /// The other men at an offset of a row.
    #[inline(always)]
    pub(super) fn others(&self, representative: Cells, at: u64) -> Cells {
        self.bits.pdep(self.sets[at as usize], representative)
    }

    /// Returns whether the stabiliser of a row's leading men is not trivial.
    #[inline]
    pub(super) fn is_symmetric(&self, row: u64) -> bool {
        self.orbits.stabiliser[row as usize] != 0
    }

    /// Returns whether `others` is the least in its orbit under the stabiliser of the leading men.
    #[inline]
    pub(super) fn is_least(&self, row: u64, others: Cells) -> bool {
        let stabiliser = &self.orbits.stabilisers[usize::from(self.orbits.stabiliser[row as usize])];
        stabiliser.iter().all(|&element| self.group[usize::from(element)].image(others) >= others)
    }
}

impl Mill {
    /// The ranking of a table.
    #[inline]
    pub(super) fn table(&self, counts: Counts) -> Table<'_, Portable> {
        self.table_with(self.ranking.portable(), counts)
    }

    /// The ranking of a table with given bit operations.
    #[inline]
    pub(super) fn table_with<B: Bits>(&self, bits: B, counts: Counts) -> Table<'_, B> {
        let (ranking, group) = (&self.ranking, &self.board.symmetries);
        let (leading, others) = counts.leading();
        let orbits = self.orbits(leading);
        let sets = ranking.sets(self.board.size() - leading, others);
        Table { bits, ranks: ranking.ranks(), group, orbits, sets, counts }
    }

    /// The steps of the board.
    #[inline]
    pub(super) fn steps(&self) -> &Steps {
        self.ranking.steps.get_or_init(|| Steps::new(&self.board.near))
    }

    /// The number of orbits of sets of `men` points, without listing them: by Burnside's lemma, the mean over all
    /// symmetries of the number of sets that each fixes.
    pub(super) fn orbit_count(&self, men: usize) -> u64 {
        let group = &self.board.symmetries;
        let fixed = |symmetry: &Symmetry| {
            // A symmetry fixes exactly the sets that are unions of its cycles.
            let mut ways = vec![0u64; men + 1];
            ways[0] = 1;
            let mut seen: Cells = 0;
            for point in 0..self.board.size() {
                let (mut at, mut length) = (point, 0);
                while seen >> at & 1 == 0 {
                    seen |= 1 << at;
                    length += 1;
                    at = usize::from(symmetry.to[at]);
                }
                for k in (length..=men).rev().filter(|_| length > 0) {
                    ways[k] += ways[k - length];
                }
            }
            ways[men]
        };
        group.iter().map(fixed).sum::<u64>() / group.len() as u64
    }

    #[inline]
    fn orbits(&self, men: usize) -> &Orbits {
        self.ranking.orbits[men].get_or_init(|| {
            let group = &self.board.symmetries;
            const NONE: u32 = u32::MAX;
            let mut orbits = Orbits {
                of: Vec::new(),
                representatives: Vec::new(),
                stabiliser: Vec::new(),
                stabilisers: vec![Vec::new()],
            };
            let all = sets(self.board.size(), men);
            let rank = |set: Cells| rank(self.ranking.portable(), self.ranking.ranks(), set);
            orbits.of = vec![NONE; all.len()];
            for &set in &all {
                if orbits.of[rank(set)] != NONE {
                    continue;
                }
                // The least set of an orbit comes first and represents it.
                let orbit = orbits.representatives.len() as u32;
                let mut stabiliser = Vec::new();
                for (element, symmetry) in group.iter().enumerate() {
                    let image = symmetry.image(set);
                    let slot = &mut orbits.of[rank(image)];
                    if *slot == NONE {
                        *slot = orbit << 8 | symmetry.inverse as u32;
                    }
                    if element > 0 && image == set {
                        stabiliser.push(element as u8);
                    }
                }
                let known = orbits.stabilisers.iter().position(|list| *list == stabiliser);
                let index = known.unwrap_or_else(|| {
                    orbits.stabilisers.push(stabiliser);
                    orbits.stabilisers.len() - 1
                });
                orbits.representatives.push(set);
                orbits.stabiliser.push(u8::try_from(index).expect("a board has few symmetries, so few stabilisers"));
            }
            orbits
        })
    }

    /// Returns whether a line decides the game, so that no table holds a position with one.
    #[inline]
    pub(super) fn lines_decide(&self) -> bool {
        self.rules.line == Line::Wins && self.rules.early != Early::Ignored
    }

    /// Returns whether a table can hold the position: where lines win, it has none.
    #[inline]
    pub(super) fn undecided(&self, own: Cells, other: Cells) -> bool {
        !(self.lines_decide() && (self.board.has_line(own) || self.board.has_line(other)))
    }

    /// An upper bound of the mover's moves that place and take no man.
    pub(super) fn max_steps(&self, counts: Counts) -> u32 {
        let (own, free) = (u32::from(counts.own), self.board.size() - usize::from(counts.own + counts.other));
        let flies = match self.rules.fly {
            Fly::Never => false,
            Fly::AtThree => counts.own <= 3 && counts.own_hand == 0,
            Fly::Always => true,
        };
        let near =
            self.board.near.iter().zip(&self.board.leaps).map(|(near, leaps)| near.count_ones() as usize + leaps.len());
        let ways = if flies { free } else { near.max().unwrap_or(0).min(free) };
        own * ways as u32
    }

    /// The position of an index, used or not.
    #[inline]
    pub(super) fn unranked<B: Bits>(&self, c: Counts, table: &Table<'_, B>, index: u64) -> Men {
        let (row, at) = (index / table.row_len(), index % table.row_len());
        let leading = table.representative(row);
        let others = table.others(leading, at);
        let sides = if c.mover_leads() { [leading, others] } else { [others, leading] };
        Men { sides, hand: [c.own_hand, c.other_hand], turn: Player::First, won: false }
    }

    /// The men that may have moved last: all except those in a line, which would have closed it.
    #[inline]
    pub(super) fn moved_last(&self, other: Cells) -> Cells {
        other & !self.board.in_lines(other)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::{BYTES, Bits, Bmi2, Portable};
    use agon_core::Rng;

    #[test]
    fn bmi2_agrees_with_the_portable_implementation() {
        let Some(bmi2) = Bmi2::detect() else { return };
        let (mut rng, portable) = (Rng::new(1), Portable { tables: &BYTES, bytes: 8 });
        for _ in 0..10_000 {
            let (holes, set) = (rng.next_u64(), rng.next_u64());
            let outside = set & !holes;
            let compressed = portable.pext(outside, holes);
            assert_eq!(compressed, bmi2.pext(outside, holes));
            assert_eq!(outside, portable.pdep(compressed, holes));
            assert_eq!(outside, bmi2.pdep(compressed, holes));
            assert_eq!(portable.popcnt(set as usize & 0xfff), bmi2.popcnt(set as usize & 0xfff));
        }
    }
}
