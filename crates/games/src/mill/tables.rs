//! Which tables a mill game has, what a position looks like to them, and moves backwards.

#[cfg(target_arch = "x86_64")]
use super::numbering::Wired;
use super::numbering::{Bits, Counts};
use super::{Bar, Blocked, Early, FEWEST, Line, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::indexed::{Indexed, Place, Sight};
use agon_core::{Game, Player, Symmetric, Wdl};
use std::collections::BTreeSet;
use std::ops::Range;

impl Mill {
    /// Whether a side may have to pass while men are in hand.
    pub(super) fn passes_early(&self) -> bool {
        self.rules.blocked == Blocked::Passes && self.rules.early == Early::Forbidden
    }

    /// Whether there are moves that place nothing, with so many men in hand: they lead to the same counts
    /// with the sides exchanged.
    fn goes_round(&self, own_hand: u8, other_hand: u8) -> bool {
        self.rules.mixed || self.passes_early() || own_hand + other_hand == 0
    }

    /// Whether a side with so many men has lost.
    fn too_few(&self, on_board: u8, hand: u8) -> bool {
        self.rules.line == Line::Captures && u32::from(on_board + hand) < FEWEST
    }

    /// Counts that a move may lead to, in the same group or not.
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
        if self.goes_round(c.own_hand, c.other_hand) {
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

/// What a row of a moving table has in common: the mover's men stand still, the others vary.
struct Row {
    own: Cells,
    /// Bits of the number of own men next to each point.
    near: [Cells; 4],
    /// Points where a line closes, and the men that can close it.
    closers: Vec<(usize, Cells)>,
    flies: bool,
}

impl Row {
    fn new(mill: &Mill, own: Cells, hand: u8) -> Row {
        let flies = mill.flies(own, hand);
        let mut near = [0; 4];
        let mut closers = Vec::new();
        for point in each_cell(mill.board.all() & !own) {
            let beside = mill.board.near[point] & own;
            let count = beside.count_ones();
            near.iter_mut().enumerate().for_each(|(bit, set)| *set |= Cells::from(count >> bit & 1) << point);
            let able = if flies { own } else { beside };
            let rest = |line: &Cells| line & !(1 << point);
            let held = mill.board.mills_at[point].iter().map(rest).filter(|rest| own & rest == *rest);
            let men = held.fold(0, |men, rest| men | able & !rest);
            if men != 0 {
                closers.push((point, men));
            }
        }
        Row { own, near, closers, flies }
    }

    /// Moves to the points of `empty`, closing lines or not.
    fn ways(&self, empty: Cells) -> u32 {
        if self.flies {
            return self.own.count_ones() * empty.count_ones();
        }
        self.near.iter().enumerate().map(|(bit, set)| (set & empty).count_ones() << bit).sum()
    }
}

impl Mill {
    /// Calls `each` for the used numbers of a stretch, row by row: first `begin` with the mover's men.
    #[inline(always)]
    fn each_used<R>(
        &self,
        bits: impl Bits,
        c: Counts,
        numbers: Range<u64>,
        mut begin: impl FnMut(Cells) -> R,
        mut each: impl FnMut(u64, &R, Cells),
    ) {
        let table = self.table_with(bits, c);
        let decide = self.lines_decide();
        let mut index = numbers.start;
        while index < numbers.end {
            let row = index / table.row();
            let (first, end) = (row * table.row(), ((row + 1) * table.row()).min(numbers.end));
            let own = table.head(row);
            if !(decide && self.board.has_line(own)) {
                let (common, symmetric) = (begin(own), table.is_symmetric(row));
                for index in index..end {
                    let other = table.other(own, index - first);
                    let skip = symmetric && !table.is_least(row, other) || decide && self.board.has_line(other);
                    if !skip {
                        each(index, &common, other);
                    }
                }
            }
            index = end;
        }
    }

    /// A stretch of a table of the moving phase, without leaps.
    #[inline(always)]
    fn survey_moving(
        &self,
        bits: impl Bits,
        c: Counts,
        numbers: Range<u64>,
        each: &mut impl FnMut(u64, &Sight<Counts>),
    ) {
        let mut sight = Sight::default();
        let last_man = self.too_few(c.other - 1, 0);
        let smaller = (self.rules.line == Line::Captures && !last_man)
            .then(|| self.table_with(bits, Counts { own: c.other - 1, other: c.own, own_hand: 0, other_hand: 0 }));
        let begin = |own: Cells| Row::new(self, own, 0);
        self.each_used(bits, c, numbers, begin, |index, row, other| {
            sight.clear();
            let empty = self.board.all() & !(row.own | other);
            let ways = row.ways(empty);
            let open = |closer: &&(usize, Cells)| empty >> closer.0 & 1 == 1;
            let closing: u32 = row.closers.iter().filter(open).map(|(_, men)| men.count_ones()).sum();
            sight.inside = ways - closing;
            if empty == 0 {
                sight.over = Some(Wdl::Draw);
            } else if ways == 0 {
                match self.rules.blocked {
                    Blocked::Loses => sight.over = Some(Wdl::Loss),
                    Blocked::Draws => sight.over = Some(Wdl::Draw),
                    Blocked::Passes => sight.inside = 1,
                }
            }
            match &smaller {
                _ if closing == 0 => {}
                None => sight.ends = Some(Wdl::Win),
                Some(table) => {
                    for take in each_cell(self.takeable(other)) {
                        let mover = table.mover(other & !(1 << take));
                        for &(to, men) in row.closers.iter().filter(open) {
                            let own = row.own | 1 << to;
                            sight.outside.extend(each_cell(men).map(|from| table.place(&mover, own & !(1 << from))));
                        }
                    }
                }
            }
            each(index, &sight);
        });
    }

    /// A stretch of a table of a pure placing phase without bars.
    #[inline(always)]
    fn survey_placing(
        &self,
        bits: impl Bits,
        c: Counts,
        numbers: Range<u64>,
        each: &mut impl FnMut(u64, &Sight<Counts>),
    ) {
        let mut sight = Sight::default();
        let plain = Counts { own: c.other, other: c.own + 1, own_hand: c.other_hand, other_hand: c.own_hand - 1 };
        let counting = self.rules.early == Early::Wins && (self.rules.line == Line::Wins || c.other > 0);
        let takes = self.rules.line == Line::Captures && c.other > 0 && !self.too_few(c.other - 1, c.other_hand);
        let (plain_table, fewer) = (
            self.table_with(bits, plain),
            takes.then(|| self.table_with(bits, Counts { own: plain.own - 1, ..plain })),
        );
        let begin = |own: Cells| {
            let closes = |&point: &usize| counting && self.board.closes(own | 1 << point, point);
            let closers = each_cell(self.board.all() & !own).filter(closes).fold(0, |set, point| set | 1 << point);
            let mut images = Vec::new();
            plain_table.images(own, &mut images);
            (own, closers, images)
        };
        self.each_used(bits, c, numbers, begin, |index, (own, closers, images), other| {
            sight.clear();
            let empty = self.board.all() & !(own | other);
            if empty == 0 {
                sight.over = Some(Wdl::Draw);
                return each(index, &sight);
            }
            let outside = &mut sight.outside;
            plain_table.places(&plain_table.mover(other), images, empty & !closers, outside);
            let closing = empty & closers;
            match &fewer {
                _ if closing == 0 => {}
                None => sight.ends = Some(Wdl::Win),
                Some(table) => {
                    for take in each_cell(self.takeable(other)) {
                        table.places(&table.mover(other & !(1 << take)), images, closing, outside);
                    }
                }
            }
            each(index, &sight);
        });
    }

    #[inline(always)]
    fn unplay_bits(&self, bits: impl Bits, c: Counts, numbers: &[u64], each: &mut impl FnMut(usize, Place<Counts>)) {
        let (here, before) = (self.table_with(bits, c), self.table_with(bits, c.swapped()));
        if c.own_hand + c.other_hand > 0 || self.rules.blocked == Blocked::Passes || self.board.leaping {
            for (at, &number) in numbers.iter().enumerate() {
                self.unplay(&self.unranked(c, &here, number), &mut |pos| each(at, self.place(&pos)));
            }
            return;
        }
        let (flies, decide, steps) = (self.flies((1 << c.other) - 1, 0), self.lines_decide(), self.steps());
        // What the positions of a row have in common.
        let (mut row, mut own, mut images, mut flips) = (0..0, 0, Vec::new(), Vec::new());
        for (at, &number) in numbers.iter().enumerate() {
            if !row.contains(&number) {
                let (which, length) = (number / here.row(), here.row());
                row = which * length..(which + 1) * length;
                own = here.head(which);
                here.images(own, &mut images);
            }
            let other = here.other(own, number - row.start);
            let empty = self.board.all() & !(own | other);
            let moved = self.moved_last(other);
            flips.clear();
            if flies {
                let to_all = |to: usize| each_cell(empty).map(move |from| 1 << to | 1 << from);
                flips.extend(each_cell(moved).flat_map(to_all));
            } else {
                steps.each(moved, empty, |flip| flips.push(flip));
            }
            for flip in &flips {
                let men = other ^ flip;
                if !(decide && self.board.has_line(men)) {
                    each(at, {
                        let mover = before.mover(men);
                        before.place_moved(&mover, mover.among(&images))
                    });
                }
            }
        }
    }

    #[inline(always)]
    fn survey_bits(
        &self,
        bits: impl Bits,
        unit: &[Counts],
        c: Counts,
        numbers: Range<u64>,
        each: &mut impl FnMut(u64, &Sight<Counts>),
    ) {
        let pure = !self.rules.mixed && !self.passes_early();
        if c.own_hand == 0 && c.other_hand == 0 && !self.board.leaping {
            self.survey_moving(bits, c, numbers, each);
        } else if c.own_hand > 0 && pure && self.rules.bar == Bar::None && self.rules.early != Early::Forbidden {
            self.survey_placing(bits, c, numbers, each);
        } else {
            let mut sight = Sight::default();
            let pos = |own, other| Men {
                sides: [own, other],
                hand: [c.own_hand, c.other_hand],
                turn: Player::First,
                won: false,
            };
            self.each_used(
                bits,
                c,
                numbers,
                |own| own,
                |index, &own, other| {
                    self.look(unit, &pos(own, other), &mut sight);
                    each(index, &sight);
                },
            );
        }
    }
}

/// The same, built for machines that have the instructions: on tables 4-7 and 7-4 of nine men's morris it took
/// 37 seconds of processor time instead of 47.
#[cfg(target_arch = "x86_64")]
impl Mill {
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn unplay_wired(&self, wired: Wired, c: Counts, numbers: &[u64], each: &mut impl FnMut(usize, Place<Counts>)) {
        self.unplay_bits(wired, c, numbers, each);
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn survey_wired(
        &self,
        wired: Wired,
        unit: &[Counts],
        c: Counts,
        numbers: Range<u64>,
        each: &mut impl FnMut(u64, &Sight<Counts>),
    ) {
        self.survey_bits(wired, unit, c, numbers, each);
    }
}

impl Indexed for Mill {
    type Shard = Counts;

    fn units(&self) -> Vec<Vec<Counts>> {
        let mut order: Vec<Counts> = self.reached().into_iter().collect();
        // Fewer men in hand come first, then fewer men in all.
        let key = |c: &Counts| {
            let hands = (c.own_hand + c.other_hand, c.own_hand.max(c.other_hand));
            (hands, c.own + c.other, c.own.max(c.other), *c)
        };
        order.sort_by_key(key);
        let mut units: Vec<Vec<Counts>> = Vec::new();
        for counts in order {
            let twin = counts.swapped();
            if !self.goes_round(counts.own_hand, counts.other_hand) || twin == counts {
                units.push(vec![counts]);
            } else if !units.iter().any(|unit| unit.contains(&counts)) {
                units.push(vec![counts, twin]);
            }
        }
        units
    }

    fn leads_to(&self, c: Counts) -> Vec<Counts> {
        let mut next = self.next_counts(c);
        next.retain(|&there| there != c && !(there == c.swapped() && self.goes_round(c.own_hand, c.other_hand)));
        next
    }

    fn shard_name(&self, c: Counts) -> String {
        match (c.own_hand, c.other_hand) {
            (0, 0) => format!("{}-{}", c.own, c.other),
            (a, b) => format!("{}+{a}-{}+{b}", c.own, c.other),
        }
    }

    fn shard_size(&self, c: Counts) -> u64 {
        let free = self.board.size() - usize::from(c.own);
        self.class_count(usize::from(c.own)) * super::numbering::choose(free, usize::from(c.other))
    }

    #[inline]
    fn shard(&self, pos: &Men) -> Counts {
        let (own, other) = pos.own_and_other();
        let (own_hand, other_hand) = pos.hands();
        Counts { own: own.count_ones() as u8, other: other.count_ones() as u8, own_hand, other_hand }
    }

    #[inline]
    fn place(&self, pos: &Men) -> Place<Counts> {
        let (own, other) = pos.own_and_other();
        let table = self.table(self.shard(pos));
        table.place(&table.mover(own), other)
    }

    fn position(&self, c: Counts, index: u64) -> Option<Men> {
        let table = self.table(c);
        let pos = self.unranked(c, &table, index);
        let used = table.is_least(index / table.row(), pos.sides[1]) && self.stands(pos.sides[0], pos.sides[1]);
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
        if self.walks(other_hand) && self.goes_round(own_hand, other_hand) {
            let empty = self.board.all() & !(own | other);
            let flies = self.flies(other, other_hand);
            for to in each_cell(self.moved_last(other)) {
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

    fn blocked_lose(&self) -> bool {
        self.rules.blocked == Blocked::Loses
    }

    fn has_number(&self, pos: &Men) -> bool {
        let own = pos.own_and_other().0.count_ones() as u8;
        !pos.won && !self.too_few(own, pos.hands().0)
    }

    fn phase(&self, c: Counts) -> &'static str {
        if c.own_hand == 0 && c.other_hand == 0 { "moving" } else { "placing" }
    }

    fn most_inside(&self, c: Counts) -> u32 {
        // A pass is the only move there is.
        if self.goes_round(c.own_hand, c.other_hand) { self.most_ways(c).max(1) } else { 0 }
    }

    #[inline]
    fn used_position(&self, c: Counts, index: u64) -> Men {
        self.unranked(c, &self.table(c), index)
    }

    fn unplay_all(&self, c: Counts, numbers: &[u64], each: &mut impl FnMut(usize, Place<Counts>)) {
        #[cfg(target_arch = "x86_64")]
        if let Some(wired) = Wired::found() {
            // SAFETY: the machine has the instructions.
            return unsafe { self.unplay_wired(wired, c, numbers, each) };
        }
        self.unplay_bits(self.numbers.plain(), c, numbers, each);
    }

    fn survey(&self, unit: &[Counts], c: Counts, numbers: Range<u64>, each: &mut impl FnMut(u64, &Sight<Counts>)) {
        #[cfg(target_arch = "x86_64")]
        if let Some(wired) = Wired::found() {
            // SAFETY: the machine has the instructions.
            return unsafe { self.survey_wired(wired, unit, c, numbers, each) };
        }
        self.survey_bits(self.numbers.plain(), unit, c, numbers, each);
    }

    fn row(&self, c: Counts) -> u64 {
        self.table(c).row()
    }

    fn row_stands_for(&self, c: Counts, row: u64) -> Option<u32> {
        (!self.table(c).is_symmetric(row)).then(|| self.symmetries())
    }
}
