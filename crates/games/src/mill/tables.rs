//! The tables of a mill game, expansion of their positions, and unmoves.

#[cfg(target_arch = "x86_64")]
use super::ranking::Bmi2;
use super::ranking::{Bits, Counts, Row, Table};
use super::{Bar, Blocked, Early, Line, MIN_MEN, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::indexed::{BulkIndexed, Expansion, Indexed, TableIndex, expand};
use agon_core::{Game, Symmetric, Wdl};
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
    fn too_few(&self, on_board: u8, hand: u8) -> bool {
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

/// Data that all positions of a row share when the leading side moves: its men are fixed, the others vary.
struct Mobility {
    own: Cells,
    /// The index of own men adjacent to each point, as bit planes.
    near: [Cells; 4],
    /// Moves that close a line: the target point, and the men after the move.
    closing: Vec<(Cells, Cells)>,
    flies: bool,
}

impl Mobility {
    fn new(mill: &Mill, own: Cells) -> Mobility {
        let flies = mill.flies(own, 0);
        let mut near = [0; 4];
        for point in each_cell(mill.board.all() & !own) {
            let count = (mill.board.near[point] & own).count_ones();
            near.iter_mut().enumerate().for_each(|(bit, set)| *set |= Cells::from(count >> bit & 1) << point);
        }
        let mut closing = Vec::new();
        mill.each_closing(own, !own, flies, |after| closing.push((after & !own, after)));
        Mobility { own, near, closing, flies }
    }

    /// The index of moves to the points of `empty`.
    #[inline]
    fn count(&self, empty: Cells) -> u32 {
        if self.flies {
            return self.own.count_ones() * empty.count_ones();
        }
        self.near.iter().enumerate().map(|(bit, set)| (set & empty).count_ones() << bit).sum()
    }
}

impl Mill {
    /// Calls `each` with the men after every move to a point of `to` that closes a line.
    #[inline(always)]
    fn each_closing(&self, own: Cells, to: Cells, flies: bool, mut each: impl FnMut(Cells)) {
        for point in each_cell(self.board.one_short(own) & to) {
            let able = if flies { own } else { self.board.near[point] & own };
            let rest = |line: &Cells| line & !(1 << point);
            let held = self.board.mills_at[point].iter().map(rest).filter(|rest| own & rest == *rest);
            let men = held.fold(0, |men, rest| men | able & !rest);
            each_cell(men).for_each(|from| each(own ^ (1 << from | 1 << point)));
        }
    }

    /// Calls `each` with the used indices of a range, row by row. `begin` computes the data that a row shares from its
    /// leading men; `each` gets them with the other men.
    #[inline(always)]
    fn each_used<R>(
        &self,
        bits: impl Bits,
        c: Counts,
        indices: Range<u64>,
        mut begin: impl FnMut(Cells) -> R,
        mut each: impl FnMut(u64, &R, Cells),
    ) {
        let table = self.table_with(bits, c);
        let decide = self.lines_decide();
        let mut index = indices.start;
        while index < indices.end {
            let row = index / table.row_len();
            let (first, end) = (row * table.row_len(), ((row + 1) * table.row_len()).min(indices.end));
            let leading = table.representative(row);
            if !(decide && self.board.has_line(leading)) {
                let (common, symmetric) = (begin(leading), table.is_symmetric(row));
                for index in index..end {
                    let others = table.others(leading, index - first);
                    let skip = symmetric && !table.is_least(row, others) || decide && self.board.has_line(others);
                    if !skip {
                        each(index, &common, others);
                    }
                }
            }
            index = end;
        }
    }

    /// Records the index of moves to the empty points, and how many of them close a line.
    #[inline(always)]
    fn record_moves(&self, expansion: &mut Expansion<Counts>, empty: Cells, moves: u32, closing: u32) {
        expansion.internal = moves - closing;
        if empty == 0 {
            expansion.over = Some(Wdl::Draw);
        } else if moves == 0 {
            match self.rules.blocked {
                Blocked::Loses => expansion.over = Some(Wdl::Loss),
                Blocked::Draws => expansion.over = Some(Wdl::Draw),
                Blocked::Passes => expansion.internal = 1,
            }
        }
    }

    /// Expands a range of a table of the moving phase, without leaps. A capture does not change the leading side: it
    /// has more men, or as many and is to move.
    #[inline(always)]
    fn expand_moving(
        &self,
        bits: impl Bits,
        c: Counts,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Counts>),
    ) {
        let mut expansion = Expansion::default();
        let all = self.board.all();
        let last_man = self.too_few(c.other - 1, 0);
        let fewer = Counts { own: c.other - 1, other: c.own, own_hand: 0, other_hand: 0 };
        let fewer = (self.rules.line == Line::Captures && !last_man).then(|| self.table_with(bits, fewer));
        if c.mover_leads() {
            let begin = |own: Cells| {
                let mobility = Mobility::new(self, own);
                let row = |(to, after): &(Cells, Cells)| fewer.as_ref().map(|table| (*to, table.row_of(*after)));
                let rows: Vec<_> = mobility.closing.iter().filter_map(row).collect();
                (mobility, rows)
            };
            return self.each_used(bits, c, indices, begin, |index, (mobility, rows), other| {
                expansion.clear();
                let empty = all & !(mobility.own | other);
                let closing = mobility.closing.iter().filter(|(to, _)| to & empty != 0).count();
                self.record_moves(&mut expansion, empty, mobility.count(empty), closing as u32);
                match &fewer {
                    _ if closing == 0 => {}
                    None => expansion.terminal = Some(Wdl::Win),
                    Some(table) => {
                        let takeable = self.takeable(other);
                        for (_, row) in rows.iter().filter(|(to, _)| to & empty != 0) {
                            let (others, takes) = (table.mapped(row, other), table.mapped(row, takeable));
                            table.indices(row, others, takes, &mut expansion.external);
                        }
                    }
                }
                each(index, &expansion);
            });
        }
        let (steps, flies, mut after) = (self.steps(), self.flies((1 << c.own) - 1, 0), Vec::new());
        let begin = |other: Cells| {
            let row = |take: usize| fewer.as_ref().map(|table| table.row_of(other & !(1 << take)));
            (other, each_cell(self.takeable(other)).filter_map(row).collect::<Vec<_>>())
        };
        self.each_used(bits, c, indices, begin, |index, (other, rows), own| {
            expansion.clear();
            let empty = all & !(own | other);
            let ways = if flies { own.count_ones() * empty.count_ones() } else { steps.count(own, empty) };
            after.clear();
            self.each_closing(own, empty, flies, |men| after.push(men));
            self.record_moves(&mut expansion, empty, ways, after.len() as u32);
            match &fewer {
                _ if after.is_empty() => {}
                None => expansion.terminal = Some(Wdl::Win),
                Some(table) => {
                    let external = &mut expansion.external;
                    rows.iter().for_each(|row| external.extend(after.iter().map(|&men| table.index(row, men))));
                }
            }
            each(index, &expansion);
        });
    }

    /// Expands a range of a table of a pure placing phase without bars. Placing does not change the leading side; a
    /// capture may.
    #[inline(always)]
    fn expand_placing(
        &self,
        bits: impl Bits,
        c: Counts,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Counts>),
    ) {
        let mut expansion = Expansion::default();
        let all = self.board.all();
        let plain = Counts { own: c.other, other: c.own + 1, own_hand: c.other_hand, other_hand: c.own_hand - 1 };
        let fewer = Counts { own: plain.own.saturating_sub(1), ..plain };
        let counting = self.rules.early == Early::Wins && (self.rules.line == Line::Wins || c.other > 0);
        let takes = self.rules.line == Line::Captures && c.other > 0 && !self.too_few(c.other - 1, c.other_hand);
        let lead_changes = fewer.mover_leads() == c.mover_leads();
        let (plain, fewer) = (self.table_with(bits, plain), takes.then(|| self.table_with(bits, fewer)));
        let closers = |own: Cells| if counting { self.board.one_short(own) } else { 0 };
        if c.mover_leads() {
            let begin = |own: Cells| {
                let closers = closers(own) & !own;
                let rows = |table: &Table<'_, _>, points: Cells| -> Vec<(Cells, Row)> {
                    each_cell(points).map(|point| (1 << point, table.row_of(own | 1 << point))).collect()
                };
                let mut images = Vec::new();
                plain.images(own, &mut images);
                let taking = fewer.as_ref().filter(|_| !lead_changes).map(|table| rows(table, closers));
                (own, closers, rows(&plain, all & !own & !closers), taking.unwrap_or_default(), images)
            };
            return self.each_used(bits, c, indices, begin, |index, (own, closers, rows, taking, images), other| {
                expansion.clear();
                let (empty, external) = (all & !(own | other), &mut expansion.external);
                let open = |(point, _): &&(Cells, Row)| point & empty != 0;
                external.extend(rows.iter().filter(open).map(|(_, row)| plain.index(row, other)));
                let closing = empty & closers;
                match &fewer {
                    _ if closing == 0 => {}
                    None => expansion.terminal = Some(Wdl::Win),
                    Some(table) if lead_changes => {
                        for take in each_cell(self.takeable(other)) {
                            let row = table.row_of(other & !(1 << take));
                            table.indices(&row, row.pick_image(images), table.mapped(&row, closing), external);
                        }
                    }
                    Some(table) => {
                        let takeable = self.takeable(other);
                        for (_, row) in taking.iter().filter(open) {
                            table.indices(row, table.mapped(row, other), table.mapped(row, takeable), external);
                        }
                    }
                }
                expansion.over = (empty == 0).then_some(Wdl::Draw);
                each(index, &expansion);
            });
        }
        let begin = |other: Cells| {
            let takeable = if takes { self.takeable(other) } else { 0 };
            let row = |take: usize| fewer.as_ref().map(|table| table.row_of(other & !(1 << take)));
            let taking: Vec<Row> = each_cell(takeable).filter(|_| !lead_changes).filter_map(row).collect();
            let mut images = Vec::new();
            plain.images(other, &mut images);
            (other, plain.row_of(other), takeable, taking, images)
        };
        self.each_used(bits, c, indices, begin, |index, (other, row, takeable, taking, images), own| {
            expansion.clear();
            let (empty, external) = (all & !(own | other), &mut expansion.external);
            let closing = closers(own) & empty;
            plain.indices(row, own, empty & !closing, external);
            match &fewer {
                _ if closing == 0 => {}
                None => expansion.terminal = Some(Wdl::Win),
                Some(table) if lead_changes => {
                    for point in each_cell(closing) {
                        let row = table.row_of(own | 1 << point);
                        table.indices(&row, row.pick_image(images), table.mapped(&row, *takeable), external);
                    }
                }
                Some(table) => {
                    for row in taking {
                        table.indices(row, table.mapped(row, own), table.mapped(row, closing), external);
                    }
                }
            }
            expansion.over = (empty == 0).then_some(Wdl::Draw);
            each(index, &expansion);
        });
    }

    /// The predecessors in the moving phase, without passes and leaps.
    #[inline(always)]
    fn unplay_moving(
        &self,
        bits: impl Bits,
        c: Counts,
        indices: &[u64],
        each: &mut impl FnMut(usize, TableIndex<Counts>),
    ) {
        let (here, before) = (self.table_with(bits, c), self.table_with(bits, c.swapped()));
        let (flies, decide, steps) = (self.flies((1 << c.other) - 1, 0), self.lines_decide(), self.steps());
        let back = |moved: Cells, empty: Cells, flips: &mut Vec<Cells>| {
            flips.clear();
            if flies {
                let to_all = |to: usize| each_cell(empty).map(move |from| 1 << to | 1 << from);
                flips.extend(each_cell(moved).flat_map(to_all));
            } else {
                steps.each(moved, empty, |flip| flips.push(flip));
            }
        };
        let alternates = c.own == c.other;
        // Data that the positions of a row share.
        let (mut row, mut leading, mut images, mut flips) = (0..0, 0, Vec::new(), Vec::new());
        let (mut same, mut rows) = (None, Vec::new());
        for (at, &index) in indices.iter().enumerate() {
            if !row.contains(&index) {
                let (which, length) = (index / here.row_len(), here.row_len());
                row = which * length..(which + 1) * length;
                leading = here.representative(which);
                if alternates {
                    here.images(leading, &mut images);
                } else if c.mover_leads() {
                    same = Some(before.row_of(leading));
                } else {
                    back(self.moved_last(leading), self.board.all() & !leading, &mut flips);
                    rows.clear();
                    let stands = |flip: &&Cells| !(decide && self.board.has_line(leading ^ **flip));
                    rows.extend(
                        flips.iter().filter(stands).map(|flip| (flip & !leading, before.row_of(leading ^ flip))),
                    );
                }
            }
            let others = here.others(leading, index - row.start);
            if !c.mover_leads() {
                let open = rows.iter().filter(|(from, _)| from & others == 0);
                open.for_each(|(_, row)| each(at, before.index(row, others)));
                continue;
            }
            back(self.moved_last(others), self.board.all() & !(leading | others), &mut flips);
            for men in flips.iter().map(|flip| others ^ flip).filter(|&men| !(decide && self.board.has_line(men))) {
                each(
                    at,
                    match &same {
                        Some(row) => before.index_mapped(row, men),
                        None => {
                            let row = before.row_of(men);
                            before.index_mapped(&row, row.pick_image(&images))
                        }
                    },
                );
            }
        }
    }

    #[inline(always)]
    fn unplay_bits(
        &self,
        bits: impl Bits,
        c: Counts,
        indices: &[u64],
        each: &mut impl FnMut(usize, TableIndex<Counts>),
    ) {
        if c.own_hand + c.other_hand == 0 && self.rules.blocked != Blocked::Passes && !self.board.leaping {
            return self.unplay_moving(bits, c, indices, each);
        }
        let table = self.table_with(bits, c);
        for (at, &index) in indices.iter().enumerate() {
            self.unplay(&self.unranked(c, &table, index), &mut |pos| each(at, self.table_index(&pos)));
        }
    }

    #[inline(always)]
    fn expand_bits(
        &self,
        bits: impl Bits,
        component: &[Counts],
        c: Counts,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Counts>),
    ) {
        let pure = !self.rules.mixed && !self.passes_early();
        if c.own_hand == 0 && c.other_hand == 0 && !self.board.leaping {
            self.expand_moving(bits, c, indices, each);
        } else if c.own_hand > 0 && pure && self.rules.bar == Bar::None && self.rules.early != Early::Forbidden {
            self.expand_placing(bits, c, indices, each);
        } else {
            let mut expansion = Expansion::default();
            let table = self.table_with(bits, c);
            self.each_used(
                bits,
                c,
                indices,
                |_| (),
                |index, (), _| {
                    expand(self, component, &self.unranked(c, &table, index), &mut expansion);
                    each(index, &expansion);
                },
            );
        }
    }
}

/// The same, compiled for BMI2: on tables 4-7 and 7-4 of nine men's morris it took 37 seconds of processor time instead
/// of 47.
#[cfg(target_arch = "x86_64")]
impl Mill {
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn unplay_bmi2(&self, bmi2: Bmi2, c: Counts, indices: &[u64], each: &mut impl FnMut(usize, TableIndex<Counts>)) {
        self.unplay_bits(bmi2, c, indices, each);
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn expand_bmi2(
        &self,
        bmi2: Bmi2,
        component: &[Counts],
        c: Counts,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Counts>),
    ) {
        self.expand_bits(bmi2, component, c, indices, each);
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
            for to in each_cell(self.moved_last(other)) {
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
        let moving = own_hand == 0 && other_hand == 0;
        if self.passes_early() || (moving && self.rules.blocked == Blocked::Passes) {
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
