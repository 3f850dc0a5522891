//! Expansion and unmoves of many positions of a mill game at once.

#[cfg(target_arch = "x86_64")]
use super::ranking::Bmi2;
use super::ranking::{Bits, Counts, Row, Table};
use super::{Bar, Blocked, Early, Line, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::Wdl;
use agon_core::indexed::{Expansion, Indexed, TableIndex, expand};
use std::ops::Range;

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
    pub(super) fn unplay_bits(
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
    pub(super) fn expand_bits(
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
    pub(super) fn unplay_bmi2(
        &self,
        bmi2: Bmi2,
        c: Counts,
        indices: &[u64],
        each: &mut impl FnMut(usize, TableIndex<Counts>),
    ) {
        self.unplay_bits(bmi2, c, indices, each);
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    pub(super) fn expand_bmi2(
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
