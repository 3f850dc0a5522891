//! The tables of a mill game, and the indices of positions.

#[cfg(target_arch = "x86_64")]
use super::ranking::Bmi2;
use super::ranking::Counts;
use super::{Bar, Blocked, Early, Line, MIN_MEN, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::indexed::{BulkIndexed, Expansion, Indexed, TableIndex};
use agon_core::{Game, Symmetric};
use std::collections::BTreeSet;
use std::ops::Range;

impl Mill {
    /// Returns whether a side may have to pass while men are in hand: all free points may be forbidden, because they
    /// would make a line, or because the only one is the centre.
    #[inline]
    pub(super) fn passes_early(&self) -> bool {
        let may_lack_room = self.rules.early == Early::Forbidden || self.rules.bar == Bar::Placing;
        self.rules.blocked == Blocked::Passes && may_lack_room
    }

    /// Returns whether some moves place no man, with the given numbers of men in hand. They lead to the same counts with the sides
    /// exchanged, so play can cycle.
    #[inline]
    fn is_cyclic(&self, own_hand: u8, other_hand: u8) -> bool {
        self.rules.mixed || self.passes_early() || own_hand + other_hand == 0
    }

    /// Returns whether a side with that number of men has lost.
    #[inline]
    pub(super) fn too_few(&self, on_board: u8, hand: u8) -> bool {
        self.rules.line == Line::Captures && u32::from(on_board + hand) < MIN_MEN
    }

    /// The counts that a move may lead to, in the same component or not.
    fn next_counts(&self, c: Counts) -> Vec<Counts> {
        let mut next = Vec::new();
        let captures = self.rules.line == Line::Captures;
        let mut after = |own: u8, own_hand: u8, placed: bool| {
            let plain = Counts { own: c.other, other: own, own_hand: c.other_hand, other_hand: own_hand };
            next.push(plain);
            let counts = !placed || self.rules.early == Early::Wins;
            let shortest = self.board.mills.iter().map(|line| line.count_ones()).min().unwrap_or(u32::MAX);
            if captures && counts && c.other > 0 && u32::from(own) >= shortest {
                next.push(Counts { own: c.other - 1, ..plain });
            }
        };
        if c.own_hand > 0 {
            after(c.own + 1, c.own_hand - 1, true);
        }
        if self.is_cyclic(c.own_hand, c.other_hand) {
            after(c.own, c.own_hand, false);
        }
        next.retain(|c| !self.too_few(c.own, c.own_hand) && !self.too_few(c.other, c.other_hand));
        next
    }

    /// Every pair of counts that play can reach; with men placed, every moving phase with fewer men too.
    fn reached(&self) -> BTreeSet<Counts> {
        let start = self.start();
        let counts = |pos: &Men| Counts {
            own: pos.sides[0].count_ones() as u8,
            other: pos.sides[1].count_ones() as u8,
            own_hand: pos.hand[0],
            other_hand: pos.hand[1],
        };
        let (mut seen, mut todo) = (BTreeSet::new(), vec![counts(&start)]);
        while let Some(c) = todo.pop() {
            if seen.insert(c) {
                todo.extend(self.next_counts(c));
            }
        }
        seen
    }
}

impl Indexed for Mill {
    type Shard = Counts;

    fn components(&self) -> Vec<Vec<Counts>> {
        let mut order: Vec<Counts> = self.reached().into_iter().collect();
        // Fewer men in hand come first, then fewer men in total.
        let key = |c: &Counts| {
            let hands = (c.own_hand + c.other_hand, c.own_hand.max(c.other_hand));
            (hands, c.own + c.other, c.own.max(c.other), *c)
        };
        order.sort_by_key(key);
        let mut components: Vec<Vec<Counts>> = Vec::new();
        for counts in order {
            let twin = counts.swapped();
            if !self.is_cyclic(counts.own_hand, counts.other_hand) || twin == counts {
                components.push(vec![counts]);
            } else if !components.iter().any(|component| component.contains(&counts)) {
                components.push(vec![counts, twin]);
            }
        }
        components
    }

    fn leads_to(&self, c: Counts) -> Vec<Counts> {
        let mut next = self.next_counts(c);
        next.retain(|&there| there != c && !(there == c.swapped() && self.is_cyclic(c.own_hand, c.other_hand)));
        next
    }

    fn shard_name(&self, c: Counts) -> String {
        match (c.own_hand, c.other_hand) {
            (0, 0) => format!("{}-{}", c.own, c.other),
            (a, b) => format!("{}+{a}-{}+{b}", c.own, c.other),
        }
    }

    fn shard_size(&self, c: Counts) -> u64 {
        let (leading, others) = c.leading();
        self.orbit_count(leading) * super::ranking::choose(self.board.size() - leading, others)
    }

    #[inline]
    fn shard(&self, pos: &Men) -> Counts {
        let (own, other) = pos.own_and_other();
        let (own_hand, other_hand) = pos.hands();
        Counts { own: own.count_ones() as u8, other: other.count_ones() as u8, own_hand, other_hand }
    }

    #[inline]
    fn table_index(&self, pos: &Men) -> TableIndex<Counts> {
        let (own, other) = pos.own_and_other();
        let counts = self.shard(pos);
        let table = self.table(counts);
        let (leading, others) = if counts.mover_leads() { (own, other) } else { (other, own) };
        table.index(&table.row_of(leading), others)
    }

    #[inline]
    fn position(&self, c: Counts, index: u64) -> Option<Men> {
        let table = self.table(c);
        let pos = self.unranked(c, &table, index);
        let others = pos.sides[usize::from(c.mover_leads())];
        let used = table.is_least(index / table.row_len(), others) && self.undecided(pos.sides[0], pos.sides[1]);
        used.then_some(pos)
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
        if self.walks(other_hand) && self.is_cyclic(own_hand, other_hand) {
            let empty = self.board.all() & !(own | other);
            let flies = self.flies(other, other_hand);
            // A move into a line takes a man, so it leads to another table, unless no man is there to be taken.
            let nothing_to_take = own == 0 && self.rules.line == Line::Captures;
            for to in each_cell(if nothing_to_take { other } else { self.moved_last(other) }) {
                let mut from = if flies { empty } else { self.board.near[to] & empty };
                if !flies && !self.board.leaps[to].is_empty() {
                    from |= self.leaps(to, own | other);
                }
                for from in each_cell(from) {
                    let men = other & !(1 << to) | 1 << from;
                    if self.undecided(men, own) {
                        each(before(men));
                    }
                }
            }
        }
        // With mixed phases a side that has placed all its men may be blocked while the other still has men in hand.
        if self.rules.blocked == Blocked::Passes && self.is_cyclic(own_hand, other_hand) {
            let passed = before(other);
            if self.outcome(&passed).is_none() && !self.can_move(&passed) {
                each(passed);
            }
        }
    }

    #[inline]
    fn is_blocked(&self, pos: &Men) -> bool {
        !pos.won && !self.can_move(pos)
    }

    #[inline]
    fn blocked_lose(&self) -> bool {
        self.rules.blocked == Blocked::Loses
    }

    #[inline]
    fn is_indexed(&self, pos: &Men) -> bool {
        let own = pos.own_and_other().0.count_ones() as u8;
        !pos.won && !self.too_few(own, pos.hands().0)
    }

    fn phase(&self, c: Counts) -> &'static str {
        if c.own_hand == 0 && c.other_hand == 0 { "moving" } else { "placing" }
    }
}

impl BulkIndexed for Mill {
    fn max_internal(&self, c: Counts) -> u32 {
        // A pass is the only move there is.
        if self.is_cyclic(c.own_hand, c.other_hand) { self.max_steps(c).max(1) } else { 0 }
    }

    #[inline]
    fn used_position(&self, c: Counts, index: u64) -> Men {
        self.unranked(c, &self.table(c), index)
    }

    fn unplay_all(&self, c: Counts, indices: &[u64], each: &mut impl FnMut(usize, TableIndex<Counts>)) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = Bmi2::detect() {
            // SAFETY: a `Bmi2` exists only if the processor has the instructions.
            return unsafe { self.unplay_bmi2(bmi2, c, indices, each) };
        }
        self.unplay_bits(self.ranking.portable(), c, indices, each);
    }

    fn expand_range(
        &self,
        component: &[Counts],
        c: Counts,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Counts>),
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = Bmi2::detect() {
            // SAFETY: a `Bmi2` exists only if the processor has the instructions.
            return unsafe { self.expand_bmi2(bmi2, component, c, indices, each) };
        }
        self.expand_bits(self.ranking.portable(), component, c, indices, each);
    }

    #[inline]
    fn row_len(&self, c: Counts) -> u64 {
        self.table(c).row_len()
    }

    #[inline]
    fn row_orbit_size(&self, c: Counts, row: u64) -> Option<u32> {
        (!self.table(c).is_symmetric(row)).then(|| self.symmetries())
    }
}
