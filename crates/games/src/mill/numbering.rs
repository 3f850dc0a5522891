//! Positions of mill games as numbers.
//!
//! A table holds the positions with so many men of the mover and of the other side, on the board and in
//! hand; who is white does not matter. Within it, the mover's men are counted up to symmetry, and the
//! other side's men by their order among the points left (colexicographically: as binary numbers).

use super::{Blocked, Early, Line, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::indexed::{Indexed, Place};
use agon_core::{Game, Player, Symmetric};
use std::fmt;
use std::sync::OnceLock;

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
    fn swapped(self) -> Counts {
        Counts { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }
}

/// The ways to put `k` men on the board, up to symmetry.
struct Classes {
    /// By order: class, and the symmetry that leads to its representative.
    of: Vec<(u32, u8)>,
    /// The representatives.
    heads: Vec<Cells>,
    /// For each, the symmetries other than the identity that leave it as it is.
    fixing: Vec<Vec<u8>>,
}

/// Tables for counting, filled when they are needed.
pub struct Numbering {
    points: usize,
    /// How many of `k` men's orders come before a byte at a place, with so many men before it.
    before: Vec<[[u32; 256]; 16]>,
    classes: Vec<OnceLock<Classes>>,
    /// By free points and men: every set, in order.
    sets: Vec<Vec<OnceLock<Vec<Cells>>>>,
}

impl fmt::Debug for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbering").field("points", &self.points).finish_non_exhaustive()
    }
}

/// Choices of `k` among `n`.
fn choose(n: usize, k: usize) -> u64 {
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
        let before = |byte: usize| {
            let mut table = [[0; 256]; 16];
            for (already, row) in table.iter_mut().enumerate() {
                for (bits, slot) in row.iter_mut().enumerate() {
                    let men = each_cell(bits as Cells).enumerate();
                    *slot =
                        men.map(|(i, bit)| choose(8 * byte + bit, already + i + 1) as u32).fold(0, u32::wrapping_add);
                }
            }
            table
        };
        Numbering {
            points,
            before: (0..points.div_ceil(8)).map(before).collect(),
            classes: (0..=men).map(|_| OnceLock::new()).collect(),
            sets: (0..=points).map(|_| (0..=men).map(|_| OnceLock::new()).collect()).collect(),
        }
    }

    /// How many sets with as many men come before this one.
    #[inline]
    fn order(&self, men: Cells) -> usize {
        let (mut rank, mut already) = (0, 0);
        for (byte, table) in self.before.iter().enumerate() {
            let bits = (men >> (8 * byte)) as usize & 0xff;
            rank += table[already & 15][bits] as usize;
            already += bits.count_ones() as usize;
        }
        rank
    }

    fn sets(&self, free: usize, men: usize) -> &[Cells] {
        self.sets[free][men].get_or_init(|| sets(free, men))
    }
}

/// `set` without the points of `holes`, which it does not hold: the rest moves together.
#[inline]
fn squeeze(mut set: Cells, mut holes: Cells) -> Cells {
    while holes != 0 {
        let below = Cells::MAX >> 1 >> (holes.leading_zeros());
        set = (set & below) | ((set >> 1) & !below);
        holes &= below;
    }
    set
}

/// The inverse of [`squeeze`].
#[inline]
fn spread(mut set: Cells, mut holes: Cells) -> Cells {
    while holes != 0 {
        let below = (holes & holes.wrapping_neg()) - 1;
        set = (set & below) | ((set & !below) << 1);
        holes &= holes - 1;
    }
    set
}

impl Mill {
    fn classes(&self, men: usize) -> &Classes {
        self.numbers.classes[men].get_or_init(|| {
            let group = &self.board.symmetries;
            let mut classes = Classes { of: Vec::new(), heads: Vec::new(), fixing: Vec::new() };
            let all = sets(self.board.size(), men);
            classes.of = vec![(u32::MAX, 0); all.len()];
            for &set in &all {
                if classes.of[self.numbers.order(set)].0 != u32::MAX {
                    continue;
                }
                // The least set of a class comes first and heads it.
                let class = classes.heads.len() as u32;
                let mut fixing = Vec::new();
                for (element, symmetry) in group.iter().enumerate() {
                    let image = symmetry.image(set);
                    let slot = &mut classes.of[self.numbers.order(image)];
                    if slot.0 == u32::MAX {
                        *slot = (class, symmetry.inverse as u8);
                    }
                    if element > 0 && image == set {
                        fixing.push(element as u8);
                    }
                }
                classes.heads.push(set);
                classes.fixing.push(fixing);
            }
            classes
        })
    }

    /// Whether a table can hold the position: where lines win, none stands.
    fn stands(&self, own: Cells, other: Cells) -> bool {
        let decides = self.rules.line == Line::Wins && self.rules.early != Early::Ignored;
        !(decides && (self.board.has_line(own) || self.board.has_line(other)))
    }

    /// Whether a side may have to pass while men are in hand.
    pub(super) fn passes_early(&self) -> bool {
        self.rules.blocked == Blocked::Passes && self.rules.early == Early::Forbidden
    }

    /// Whether there are moves that place nothing, with so many men in hand: they lead to the same counts
    /// with the sides exchanged.
    fn goes_round(&self, own_hand: u8, other_hand: u8) -> bool {
        self.rules.mixed || self.passes_early() || own_hand + other_hand == 0
    }

    /// Men that the mover of the position before may have moved last: none that closed a line.
    fn moved_last(&self, other: Cells) -> impl Iterator<Item = usize> {
        each_cell(other).filter(move |&to| !self.board.closes(other, to))
    }
}

impl Indexed for Mill {
    type Shard = Counts;

    fn units(&self) -> Vec<Vec<Counts>> {
        let men = self.rules.men;
        let mut units: Vec<Vec<Counts>> = Vec::new();
        let least = if self.rules.line == Line::Captures { 3 } else { men };
        let lost = |total: u8| total < least.min(men);
        // Fewer men in hand come first, then fewer men in all.
        let mut pairs: Vec<(u8, u8)> = Vec::new();
        for hand in 0..=men {
            pairs.push((hand, hand));
            if self.rules.mixed || self.passes_early() {
                pairs.extend((0..hand).flat_map(|less| [(hand, less), (less, hand)]));
            } else if hand < men {
                pairs.push((hand + 1, hand));
            }
        }
        if self.rules.start.is_some() {
            pairs.retain(|&pair| pair == (0, 0));
        }
        pairs.sort_by_key(|&(a, b)| (a + b, a.max(b)));
        for (own_hand, other_hand) in pairs {
            let most = |hand: u8| men - hand;
            let mut sizes: Vec<(u8, u8)> = Vec::new();
            for own in 0..=most(own_hand) {
                sizes.extend((0..=most(other_hand)).map(|other| (own, other)));
            }
            sizes.retain(|&(own, other)| !lost(own + own_hand) && !lost(other + other_hand));
            sizes.sort_by_key(|&(own, other)| (own + other, own.max(other), own));
            for (own, other) in sizes {
                let counts = Counts { own, other, own_hand, other_hand };
                if units.iter().any(|unit| unit.contains(&counts)) {
                    continue;
                }
                let twin = counts.swapped();
                units.push(if self.goes_round(own_hand, other_hand) && twin != counts {
                    vec![counts, twin]
                } else {
                    vec![counts]
                });
            }
        }
        units
    }

    fn shard_name(&self, c: Counts) -> String {
        match (c.own_hand, c.other_hand) {
            (0, 0) => format!("{}-{}", c.own, c.other),
            (a, b) => format!("{}+{a}-{}+{b}", c.own, c.other),
        }
    }

    fn shard_size(&self, c: Counts) -> u64 {
        let free = self.board.size() - usize::from(c.own);
        self.classes(usize::from(c.own)).heads.len() as u64 * choose(free, usize::from(c.other))
    }

    #[inline]
    fn shard(&self, pos: &Men) -> Counts {
        let (own, other) = pos.own_and_other();
        let (own_hand, other_hand) = pos.hands();
        Counts { own: own.count_ones() as u8, other: other.count_ones() as u8, own_hand, other_hand }
    }

    #[inline]
    fn place(&self, pos: &Men) -> Place<Counts> {
        let shard = self.shard(pos);
        let (own, other) = pos.own_and_other();
        let classes = self.classes(usize::from(shard.own));
        let (class, element) = classes.of[self.numbers.order(own)];
        let (head, fixing) = (classes.heads[class as usize], &classes.fixing[class as usize]);
        let moved = self.board.symmetries[usize::from(element)].image(other);
        let (mut least, mut fixed_by) = (moved, 1);
        for &element in fixing {
            let image = self.board.symmetries[usize::from(element)].image(moved);
            fixed_by += u32::from(image == moved);
            least = least.min(image);
        }
        let free = self.board.size() - usize::from(shard.own);
        let block = self.numbers.sets(free, usize::from(shard.other)).len() as u64;
        let index = u64::from(class) * block + self.numbers.order(squeeze(least, head)) as u64;
        Place { shard, index, fixed_by }
    }

    fn position(&self, c: Counts, index: u64) -> Option<Men> {
        let classes = self.classes(usize::from(c.own));
        let list = self.numbers.sets(self.board.size() - usize::from(c.own), usize::from(c.other));
        let class = (index / list.len() as u64) as usize;
        let own = classes.heads[class];
        let other = spread(list[(index % list.len() as u64) as usize], own);
        let smaller = |&e: &u8| self.board.symmetries[usize::from(e)].image(other) < other;
        if classes.fixing[class].iter().any(smaller) || !self.stands(own, other) {
            return None;
        }
        Some(Men { sides: [own, other], hand: [c.own_hand, c.other_hand], turn: Player::First, won: false })
    }

    fn symmetries(&self) -> u32 {
        self.order() as u32
    }

    fn unplay(&self, pos: &Men, each: &mut impl FnMut(Men)) {
        let (own, other) = pos.own_and_other();
        let (own_hand, other_hand) = pos.hands();
        let before = |men: Cells| {
            let mut pos = Men { turn: pos.turn.other(), ..*pos };
            pos.sides[pos.turn as usize] = men;
            pos
        };
        if self.walks(other_hand) && self.goes_round(own_hand, other_hand) {
            let empty = self.board.all() & !(own | other);
            let flies = self.flies(other, other_hand);
            for to in self.moved_last(other) {
                let mut from = if flies { empty } else { self.board.near[to] & empty };
                if !flies && !self.board.leaps[to].is_empty() {
                    from |= self.leaps(to, own | other);
                }
                for from in each_cell(from) {
                    let men = other & !(1 << to) | 1 << from;
                    if self.stands(men, own) {
                        each(before(men));
                    }
                }
            }
        }
        let moving = own_hand == 0 && other_hand == 0;
        if self.passes_early() || (moving && self.rules.blocked == Blocked::Passes) {
            let passed = before(other);
            if self.outcome(&passed).is_none() && !self.can_move(&passed) {
                each(passed);
            }
        }
    }

    fn is_blocked(&self, pos: &Men) -> bool {
        !pos.won && !self.can_move(pos)
    }

    fn phase(&self, c: Counts) -> &'static str {
        if c.own_hand == 0 && c.other_hand == 0 { "moving" } else { "placing" }
    }
}
