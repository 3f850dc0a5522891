//! Positions of mill games as numbers.
//!
//! A table holds the positions with so many men of the mover and of the other side, on the board and in
//! hand; who is white does not matter. Within it, the men of one side, the *leading* one, are counted up to
//! symmetry, and the other side's men by their order among the points left (colexicographically: as binary
//! numbers). Positions with the same leading men are a row.
//!
//! The side with more men leads, whoever is to move. So a move of the other side stays in its row, and the moves
//! of the leading side lead to a few rows that are the same for all positions of the row they begin in.
//!
//! Everything is looked up in pieces: orders of sets, sets without some points, images of sets. Where the
//! machine can take points out of a set by itself, it does.

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
    /// Whether the mover's men lead: there are more of them, on the board and in hand. Of two sides with as many
    /// men, the one that began leads while men are placed, and the mover later.
    pub(super) fn mover_leads(self) -> bool {
        let (own, other) = (self.own + self.own_hand, self.other + self.other_hand);
        if own == other { self.own_hand <= self.other_hand } else { own > other }
    }

    /// Leading men on the board, and the others.
    pub(super) fn leading(self) -> (usize, usize) {
        let (own, other) = (usize::from(self.own), usize::from(self.other));
        if self.mover_leads() { (own, other) } else { (other, own) }
    }

    pub(super) fn swapped(self) -> Counts {
        Counts { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }
}

/// No board may have more men of one side.
pub const MOST_MEN: usize = 15;

/// The ways to put `k` men on the board, up to symmetry.
struct Classes {
    /// By order: class, and in the low byte the symmetry that leads to its representative.
    of: Vec<u32>,
    /// The representatives.
    heads: Vec<Cells>,
    /// Which of `fixing` belongs to each.
    kind: Vec<u8>,
    /// Sets of symmetries, without the identity, that leave a representative as it is; the first is empty.
    fixing: Vec<Vec<u8>>,
}

/// Bytes without some of their bits, and the way back; bits of each byte.
struct Bytes {
    /// By holes, then by byte: the bits outside the holes, together.
    gather: Vec<[u8; 256]>,
    /// By holes, then by byte: the inverse.
    scatter: Vec<[u8; 256]>,
    ones: [u8; 256],
}

static BYTES: LazyLock<Bytes> = LazyLock::new(|| {
    let mut bytes = Bytes { gather: vec![[0; 256]; 256], scatter: vec![[0; 256]; 256], ones: [0; 256] };
    for holes in 0..256usize {
        bytes.ones[holes] = holes.count_ones() as u8;
        let kept: Vec<usize> = (0..8).filter(|bit| holes >> bit & 1 == 0).collect();
        for together in 0..1usize << kept.len() {
            let apart = kept.iter().enumerate().fold(0, |set, (i, bit)| set | (together >> i & 1) << bit);
            bytes.scatter[holes][together] = apart as u8;
            bytes.gather[holes][apart] = together as u8;
        }
    }
    bytes
});

/// Sets of points as bits.
pub(super) trait Bits: Copy {
    /// `set` without the points of `holes`, which it does not hold: the rest moves together.
    fn squeeze(self, set: Cells, holes: Cells) -> Cells;
    /// The inverse of [`Bits::squeeze`].
    fn spread(self, set: Cells, holes: Cells) -> Cells;
    /// How many points a set of at most [`PIECE`] has.
    fn ones(self, set: usize) -> usize;
}

/// On any machine: byte by byte.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    tables: &'static Bytes,
    /// Bytes of a set.
    bytes: usize,
}

impl Bits for Plain {
    #[inline]
    fn squeeze(self, set: Cells, holes: Cells) -> Cells {
        let (mut out, mut at) = (0, 0);
        for byte in 0..self.bytes {
            let hole = (holes >> (8 * byte)) as usize & 0xff;
            out |= Cells::from(self.tables.gather[hole][(set >> (8 * byte)) as usize & 0xff]) << at;
            at += 8 - self.tables.ones[hole];
        }
        out
    }

    #[inline]
    fn spread(self, set: Cells, holes: Cells) -> Cells {
        let (mut out, mut at) = (0, 0);
        for byte in 0..self.bytes {
            let hole = (holes >> (8 * byte)) as usize & 0xff;
            let room = 8 - self.tables.ones[hole];
            let here = (set >> at) & ((1 << room) - 1);
            out |= Cells::from(self.tables.scatter[hole][here as usize & 0xff]) << (8 * byte);
            at += room;
        }
        out
    }

    #[inline]
    fn ones(self, set: usize) -> usize {
        usize::from(self.tables.ones[set & 0xff] + self.tables.ones[set >> 8 & 0xff])
    }
}

/// On machines that have instructions for it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Wired(());

#[cfg(target_arch = "x86_64")]
impl Wired {
    /// `None` where the machine lacks them.
    pub(super) fn found() -> Option<Wired> {
        (is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt"))
            .then_some(Wired(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Bits for Wired {
    #[inline(always)]
    fn squeeze(self, set: Cells, holes: Cells) -> Cells {
        // SAFETY: a value of this type is made only where the machine has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(set, !holes) }
    }

    #[inline(always)]
    fn spread(self, set: Cells, holes: Cells) -> Cells {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(set, !holes) }
    }

    #[inline(always)]
    fn ones(self, set: usize) -> usize {
        set.count_ones() as usize
    }
}

/// Points of a set that are looked up at once.
const PIECE: usize = 12;

/// Tables for counting, filled when they are needed.
pub struct Numbering {
    points: usize,
    men: usize,
    before: OnceLock<Before>,
    classes: Vec<OnceLock<Classes>>,
    /// By free points and men: every set, in order.
    sets: Vec<Vec<OnceLock<Vec<Cells>>>>,
    steps: OnceLock<Steps>,
}

/// How many sets come before one, as far as its points of a piece go; by those points.
type Piece = [u32; 1 << PIECE];

/// How many sets come before one.
struct Before {
    /// The first piece.
    first: Box<Piece>,
    /// Each later piece, by the men before it.
    later: Vec<Vec<Piece>>,
}

impl fmt::Debug for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbering").field("points", &self.points).finish_non_exhaustive()
    }
}

/// Choices of `k` among `n`.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k).fold(1u128, |c, i| c * n.saturating_sub(i) as u128 / (i as u128 + 1)) as u64
}

/// Every set of `k` among `n` points, in increasing order.
fn sets(n: usize, k: usize) -> Vec<Cells> {
    let mut list = Vec::with_capacity(choose(n, k) as usize);
    if k == 0 {
        return vec![0];
    }
    let mut set: Cells = (1 << k) - 1;
    while set < 1 << n {
        list.push(set);
        // The next larger number with as many bits.
        let (low, up) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
        set = up | ((set ^ up) >> (2 + low.trailing_zeros()));
    }
    list
}

impl Numbering {
    pub(super) fn new(points: usize, men: usize) -> Numbering {
        Numbering {
            points,
            men,
            before: OnceLock::new(),
            classes: (0..=men).map(|_| OnceLock::new()).collect(),
            sets: (0..=points).map(|_| (0..=men).map(|_| OnceLock::new()).collect()).collect(),
            steps: OnceLock::new(),
        }
    }

    pub(super) fn plain(&self) -> Plain {
        Plain { tables: &BYTES, bytes: self.points.div_ceil(8) }
    }

    fn before(&self) -> &Before {
        self.before.get_or_init(|| {
            let ways: Vec<Vec<u32>> =
                (0..self.points).map(|n| (0..=PIECE + self.men).map(|k| choose(n, k) as u32).collect()).collect();
            let piece = |first: usize, already: usize| {
                let mut counts = [0u32; 1 << PIECE];
                for set in 1..1usize << PIECE.min(self.points - first) {
                    // The highest man, after those below it.
                    let top = set.ilog2() as usize;
                    let below = set & !(1 << top);
                    let count = already + below.count_ones() as usize + 1;
                    counts[set] = counts[below].wrapping_add(ways[first + top][count]);
                }
                counts
            };
            let later = |first: usize| (0..=self.men).map(|already| piece(first, already)).collect();
            Before { first: Box::new(piece(0, 0)), later: (PIECE..self.points).step_by(PIECE).map(later).collect() }
        })
    }

    fn sets(&self, free: usize, men: usize) -> &[Cells] {
        self.sets[free][men].get_or_init(|| sets(free, men))
    }
}

/// How many sets with as many men come before this one.
#[inline(always)]
fn order(bits: impl Bits, before: &Before, men: Cells) -> usize {
    const MASK: usize = (1 << PIECE) - 1;
    let here = men as usize & MASK;
    let (mut rank, mut already, mut rest) = (before.first[here] as usize, bits.ones(here), men >> PIECE);
    for piece in &before.later {
        let here = rest as usize & MASK;
        rank += piece[already][here] as usize;
        already += bits.ones(here);
        rest >>= PIECE;
    }
    rank
}

/// One row of a table, found by leading men: their class, and how the others are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The number of the row's first position.
    base: u64,
    /// The class's representative.
    head: Cells,
    /// The symmetry that leads to it.
    element: u8,
    /// Which symmetries keep it.
    kind: u8,
}

impl Row {
    /// Of the images of a set, the one under the symmetry that leads to the representative.
    #[inline(always)]
    pub(super) fn among(&self, images: &[Cells]) -> Cells {
        images[usize::from(self.element)]
    }
}

/// The numbers of one table.
#[derive(Clone, Copy)]
pub(super) struct Table<'a, B> {
    bits: B,
    before: &'a Before,
    group: &'a [Symmetry],
    classes: &'a Classes,
    sets: &'a [Cells],
    counts: Counts,
}

impl<B: Bits> Table<'_, B> {
    /// The row of these leading men.
    #[inline(always)]
    pub(super) fn row_of(&self, leading: Cells) -> Row {
        let found = self.classes.of[order(self.bits, self.before, leading)];
        let class = (found >> 8) as usize;
        Row {
            base: class as u64 * self.sets.len() as u64,
            head: self.classes.heads[class],
            element: found as u8,
            kind: self.classes.kind[class],
        }
    }

    /// Where the position with these other men stands.
    #[inline(always)]
    pub(super) fn place(&self, row: &Row, others: Cells) -> TableIndex<Counts> {
        self.place_moved(row, self.moved(row, others))
    }

    /// The image of a set under the symmetry that leads to the row's representative.
    #[inline(always)]
    pub(super) fn moved(&self, row: &Row, set: Cells) -> Cells {
        self.group[usize::from(row.element)].image(set)
    }

    /// Where the positions stand that have these other men but for one point of `flips` each, all of them moved to
    /// the row's representative already.
    #[inline(always)]
    pub(super) fn places(&self, row: &Row, others: Cells, mut flips: Cells, list: &mut Vec<TableIndex<Counts>>) {
        while flips != 0 {
            list.push(self.place_moved(row, others ^ (flips & flips.wrapping_neg())));
            flips &= flips - 1;
        }
    }

    /// The images of a set under every symmetry.
    pub(super) fn images(&self, set: Cells, images: &mut Vec<Cells>) {
        images.clear();
        images.extend(self.group.iter().map(|symmetry| symmetry.image(set)));
    }

    /// Where the position stands, after the symmetry that leads to the row's representative.
    #[inline(always)]
    pub(super) fn place_moved(&self, row: &Row, moved: Cells) -> TableIndex<Counts> {
        let (least, stabiliser) = if row.kind == 0 { (moved, 1) } else { self.least(row.kind, moved) };
        let index = row.base + order(self.bits, self.before, self.bits.squeeze(least, row.head)) as u64;
        TableIndex { shard: self.counts, index, stabiliser }
    }

    /// The least image of a set under symmetries that keep the leading men, and how many keep it too.
    fn least(&self, kind: u8, set: Cells) -> (Cells, u32) {
        let images =
            self.classes.fixing[usize::from(kind)].iter().map(|&element| self.group[usize::from(element)].image(set));
        images.fold((set, 1), |(least, stabiliser), image| (least.min(image), stabiliser + u32::from(image == set)))
    }

    /// Positions in a row.
    pub(super) fn row(&self) -> u64 {
        self.sets.len() as u64
    }

    /// Rows, listed; `Mill::class_count` counts them without.
    #[cfg(test)]
    pub(super) fn rows(&self) -> u64 {
        self.classes.heads.len() as u64
    }

    /// The leading men of a row.
    pub(super) fn head(&self, row: u64) -> Cells {
        self.classes.heads[row as usize]
    }

    /// The other men at a number of a row.
    #[inline(always)]
    pub(super) fn others(&self, head: Cells, at: u64) -> Cells {
        self.bits.spread(self.sets[at as usize], head)
    }

    /// Whether symmetries keep the leading men of that row.
    pub(super) fn is_symmetric(&self, row: u64) -> bool {
        self.classes.kind[row as usize] != 0
    }

    /// Whether no symmetry that keeps the leading men makes the set of the others smaller.
    #[inline]
    pub(super) fn is_least(&self, row: u64, others: Cells) -> bool {
        let fixing = &self.classes.fixing[usize::from(self.classes.kind[row as usize])];
        fixing.iter().all(|&element| self.group[usize::from(element)].image(others) >= others)
    }
}

impl Mill {
    /// The numbers of a table.
    #[inline]
    pub(super) fn table(&self, counts: Counts) -> Table<'_, Plain> {
        self.table_with(self.numbers.plain(), counts)
    }

    /// The numbers of a table, by a machine's own instructions.
    #[inline]
    pub(super) fn table_with<B: Bits>(&self, bits: B, counts: Counts) -> Table<'_, B> {
        let (numbers, group) = (&self.numbers, &self.board.symmetries);
        let (leading, others) = counts.leading();
        let classes = self.classes(leading);
        let sets = numbers.sets(self.board.size() - leading, others);
        Table { bits, before: numbers.before(), group, classes, sets, counts }
    }

    /// The steps of the board.
    pub(super) fn steps(&self) -> &Steps {
        self.numbers.steps.get_or_init(|| Steps::new(&self.board.near))
    }

    /// How many ways there are to put so many men on the board, up to symmetry, without listing them: by Burnside's
    /// lemma, the average over all symmetries of the sets that each leaves as they are.
    pub(super) fn class_count(&self, men: usize) -> u64 {
        let group = &self.board.symmetries;
        let fixed = |symmetry: &Symmetry| {
            // A set stays as it is when it holds whole cycles of points.
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

    fn classes(&self, men: usize) -> &Classes {
        self.numbers.classes[men].get_or_init(|| {
            let group = &self.board.symmetries;
            const NONE: u32 = u32::MAX;
            let mut classes = Classes { of: Vec::new(), heads: Vec::new(), kind: Vec::new(), fixing: vec![Vec::new()] };
            let all = sets(self.board.size(), men);
            let order = |set: Cells| order(self.numbers.plain(), self.numbers.before(), set);
            classes.of = vec![NONE; all.len()];
            for &set in &all {
                if classes.of[order(set)] != NONE {
                    continue;
                }
                // The least set of a class comes first and heads it.
                let class = classes.heads.len() as u32;
                let mut fixing = Vec::new();
                for (element, symmetry) in group.iter().enumerate() {
                    let image = symmetry.image(set);
                    let slot = &mut classes.of[order(image)];
                    if *slot == NONE {
                        *slot = class << 8 | symmetry.inverse as u32;
                    }
                    if element > 0 && image == set {
                        fixing.push(element as u8);
                    }
                }
                let known = classes.fixing.iter().position(|list| *list == fixing);
                let kind = known.unwrap_or_else(|| {
                    classes.fixing.push(fixing);
                    classes.fixing.len() - 1
                });
                classes.heads.push(set);
                classes
                    .kind
                    .push(u8::try_from(kind).expect("a board has few symmetries, so they keep few kinds of sets"));
            }
            classes
        })
    }

    /// Whether lines decide, so that no table holds a position with one.
    pub(super) fn lines_decide(&self) -> bool {
        self.rules.line == Line::Wins && self.rules.early != Early::Ignored
    }

    /// Whether a table can hold the position: where lines win, none stands.
    pub(super) fn stands(&self, own: Cells, other: Cells) -> bool {
        !(self.lines_decide() && (self.board.has_line(own) || self.board.has_line(other)))
    }

    /// How many points of the board can be reached from the worst placed man, at most.
    pub(super) fn most_ways(&self, counts: Counts) -> u32 {
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

    /// The position of a number, used or not.
    #[inline]
    pub(super) fn unranked<B: Bits>(&self, c: Counts, table: &Table<'_, B>, index: u64) -> Men {
        let (row, at) = (index / table.row(), index % table.row());
        let leading = table.head(row);
        let others = table.others(leading, at);
        let sides = if c.mover_leads() { [leading, others] } else { [others, leading] };
        Men { sides, hand: [c.own_hand, c.other_hand], turn: Player::First, won: false }
    }

    /// Men that the mover of the position before may have moved last: none that closed a line.
    #[inline]
    pub(super) fn moved_last(&self, other: Cells) -> Cells {
        other & !self.board.in_lines(other)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::{BYTES, Bits, Plain, Wired};
    use agon_core::Rng;

    #[test]
    fn the_machine_moves_points_as_the_tables_do() {
        let Some(wired) = Wired::found() else { return };
        let (mut rng, plain) = (Rng::new(1), Plain { tables: &BYTES, bytes: 8 });
        for _ in 0..10_000 {
            let (holes, set) = (rng.next_u64(), rng.next_u64());
            let outside = set & !holes;
            let together = plain.squeeze(outside, holes);
            assert_eq!(together, wired.squeeze(outside, holes));
            assert_eq!(outside, plain.spread(together, holes));
            assert_eq!(outside, wired.spread(together, holes));
            assert_eq!(plain.ones(set as usize & 0xfff), wired.ones(set as usize & 0xfff));
        }
    }
}
