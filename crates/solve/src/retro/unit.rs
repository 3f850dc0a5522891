//! The tables of one group, solved together: two bytes a number.
//!
//! 1. Every position is looked at once, forwards: how many moves stay in the group, and what the best of
//!    the others leads to.
//! 2. Ply by ply, what was decided last tells the positions that lead to it.
//!
//! A state holds how many moves do not lose yet (none: the position is decided) and a code: the value, or
//! while the position is open what the best move out of the group leads to.

use super::{NoTable, Stats, code};
use agon_core::indexed::{Indexed, Place, Sight};
use agon_core::{Ctx, Stop, Wdl};
use agon_table::values::{Code, DRAW, UNUSED, Values};
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Numbers between two marks of what a stretch of the table holds.
const BLOCK: usize = 1 << 6;
/// Blocks a thread takes at once.
const PIECE: usize = 1 << 6;
/// Blocks between two moments at which the work can be saved.
const CHUNK: usize = if cfg!(test) { 1 << 8 } else { 1 << 15 };
/// Groups of fewer blocks are done before a second thread has started.
const FEW: usize = if cfg!(test) { 1 << 6 } else { 1 << 9 };

/// Finished tables that moves out of the group lead to.
pub(super) type Finished<'a, S> = Vec<(S, &'a Values)>;

/// How far the work has come: what is done, and the next block to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stage {
    /// Nothing while positions are looked at, then the plies being spread.
    pub(super) plies: Option<u32>,
    /// Blocks before this one are done.
    pub(super) next: usize,
}

/// Where unfinished work is kept.
pub(super) trait Keeper<G: Indexed> {
    /// Whether it is time to save.
    fn due(&self) -> bool;
    /// Told how many of the group's numbers are done, about.
    fn progress(&self, numbers: u64);
    /// Saves.
    fn save(&mut self, unit: &Unit<'_, G>) -> Result<(), NoTable>;
}

/// Keeps nothing.
pub(super) struct InMemory;

impl<G: Indexed> Keeper<G> for InMemory {
    fn due(&self) -> bool {
        false
    }

    fn progress(&self, _numbers: u64) {}

    fn save(&mut self, _unit: &Unit<'_, G>) -> Result<(), NoTable> {
        Ok(())
    }
}

pub(super) struct Unit<'a, G: Indexed> {
    game: &'a G,
    pub(super) shards: &'a [G::Shard],
    /// Where each table begins, at a multiple of a block; and the end.
    begins: Vec<usize>,
    sizes: Vec<usize>,
    pub(super) states: Vec<AtomicU16>,
    /// For each block, the plies (modulo 64) of the values and of the ways out in it.
    pub(super) marks: Vec<AtomicU64>,
    /// Bits of a state that hold the code; the others count moves.
    bits: u32,
    /// Whether moves can stay in the group.
    goes_round: bool,
    /// The deepest value or way out seen.
    pub(super) deepest: AtomicU32,
    pub(super) stage: Stage,
    stopped: AtomicBool,
    too_deep: AtomicBool,
}

/// Bytes needed while a group is solved, without the tables it leads to.
pub(super) fn bytes_of<G: Indexed>(game: &G, unit: &[G::Shard]) -> u64 {
    let numbers: u64 = unit.iter().map(|&shard| game.shard_size(shard)).sum();
    2 * numbers + numbers / (BLOCK as u64) * 8
}

/// What a thread carries along.
#[derive(Default)]
struct Told {
    /// Numbers of a stretch that were decided last.
    decided: Vec<u64>,
    /// Positions to tell, each with the number of moves that count.
    list: Vec<(usize, u16)>,
    /// Their states, as they were when asked for.
    seen: Vec<u16>,
    /// Ways back, to be counted together where they lead to one position: from which number, to where, and how
    /// many symmetries keep it.
    some: Vec<(usize, usize, u32)>,
}

/// Positions told at once: their states are fetched together, then changed.
const BATCH: usize = 1 << 8;

impl<'a, G: Indexed> Unit<'a, G> {
    /// The tables of `shards` before any work.
    pub(super) fn new(game: &'a G, shards: &'a [G::Shard]) -> Unit<'a, G> {
        let (mut begins, mut sizes) = (vec![0], Vec::new());
        for &shard in shards {
            let size = game.shard_size(shard) as usize;
            sizes.push(size);
            begins.push(begins[begins.len() - 1] + size.next_multiple_of(BLOCK));
        }
        let size = begins[shards.len()];
        let most = shards.iter().map(|&shard| game.most_inside(shard)).max().unwrap_or(0);
        // One more for all moves out of the group together.
        let count_bits = u32::BITS - (most + 1).leading_zeros();
        assert!(count_bits <= 8, "a position has more moves than can be counted");
        Unit {
            game,
            shards,
            begins,
            sizes,
            states: (0..size).map(|_| AtomicU16::new(0)).collect(),
            marks: (0..size / BLOCK).map(|_| AtomicU64::new(0)).collect(),
            bits: u16::BITS - count_bits,
            goes_round: most > 0,
            deepest: AtomicU32::new(0),
            stage: Stage::default(),
            stopped: AtomicBool::new(false),
            too_deep: AtomicBool::new(false),
        }
    }

    /// Solves, or goes on solving.
    pub(super) fn solve(
        &mut self,
        done: &Finished<'_, G::Shard>,
        keeper: &mut impl Keeper<G>,
        ctx: &Ctx,
    ) -> Result<(), NoTable> {
        if self.stage.plies.is_none() {
            self.pass(keeper, ctx, |unit, blocks| unit.begin(blocks, done))?;
            self.stage = Stage { plies: Some(0), next: 0 };
        }
        // Without moves inside, one look was enough.
        if !self.goes_round {
            return if self.too_deep.load(Relaxed) { Err(NoTable::TooDeep) } else { Ok(()) };
        }
        while let Some(plies) = self.stage.plies.filter(|&plies| plies <= self.deepest.load(Relaxed)) {
            self.pass(keeper, ctx, |unit, blocks| unit.level(blocks, plies))?;
            if self.too_deep.load(Relaxed) {
                return Err(NoTable::TooDeep);
            }
            self.stage = Stage { plies: Some(plies + 1), next: 0 };
        }
        Ok(())
    }

    /// Does the work for all blocks from `stage.next` on, on all threads, saving where it is time to.
    fn pass(
        &mut self,
        keeper: &mut impl Keeper<G>,
        ctx: &Ctx,
        work: impl Fn(&Self, std::ops::Range<usize>) + Sync,
    ) -> Result<(), NoTable> {
        while self.stage.next < self.marks.len() {
            let end = (self.stage.next + CHUNK).min(self.marks.len());
            self.chunk(self.stage.next..end, ctx, &work)?;
            self.stage.next = end;
            if self.stage.plies.is_none() {
                // Where values spread later, looking is about a third of the work.
                keeper.progress((end * BLOCK / if self.goes_round { 3 } else { 1 }) as u64);
            }
            if keeper.due() {
                keeper.save(self)?;
            }
        }
        Ok(())
    }

    fn chunk(
        &self,
        blocks: std::ops::Range<usize>,
        ctx: &Ctx,
        work: &(impl Fn(&Self, std::ops::Range<usize>) + Sync),
    ) -> Result<(), Stop> {
        let next = AtomicUsize::new(blocks.start);
        let run = || {
            let mut meter = ctx.meter();
            loop {
                let begin = next.fetch_add(PIECE, Relaxed);
                if begin >= blocks.end || self.stopped.load(Relaxed) {
                    return;
                }
                let piece = begin..(begin + PIECE).min(blocks.end);
                for _ in 0..piece.len() {
                    if meter.tick().is_err() {
                        return self.stopped.store(true, Relaxed);
                    }
                }
                work(self, piece);
            }
        };
        if ctx.threads() == 1 || blocks.len() < FEW {
            run();
        } else {
            std::thread::scope(|scope| (0..ctx.threads()).for_each(|_| drop(scope.spawn(run))));
        }
        if self.stopped.load(Relaxed) { ctx.check().and(Err(Stop::Cancelled)) } else { Ok(()) }
    }

    fn unused(&self) -> u16 {
        (1 << self.bits) - 1
    }

    /// The table a block belongs to.
    fn table_of(&self, block: usize) -> usize {
        self.begins.partition_point(|&begin| begin <= block * BLOCK) - 1
    }

    /// Step 1: looks at the positions of some blocks.
    fn begin(&self, blocks: std::ops::Range<usize>, done: &Finished<'_, G::Shard>) {
        for index in blocks.start * BLOCK..blocks.end * BLOCK {
            self.states[index].store(self.unused(), Relaxed);
        }
        let mut block = blocks.start;
        while block < blocks.end {
            let table = self.table_of(block);
            let begin = self.begins[table];
            let end = (blocks.end * BLOCK).min(begin + self.sizes[table]);
            let numbers = (block * BLOCK - begin) as u64..end.saturating_sub(begin) as u64;
            self.game.survey(self.shards, self.shards[table], numbers, &mut |number, sight| {
                let index = begin + number as usize;
                let (left, code) = self.first_state(sight, done);
                self.states[index].store(left << self.bits | code, Relaxed);
                if code != DRAW && self.goes_round {
                    self.mark(index, u32::from(code) - 1);
                }
            });
            block = blocks.end.min(self.begins[table + 1] / BLOCK);
        }
    }

    /// Moves left, and the value or the way out.
    fn first_state(&self, sight: &Sight<G::Shard>, done: &Finished<'_, G::Shard>) -> (u16, Code) {
        match sight.over {
            Some(Wdl::Loss) => return (0, code(0)),
            // Nothing can be won or lost from here: it stays a draw.
            Some(_) => return (1, DRAW),
            None if sight.ends == Some(Wdl::Win) => return (0, code(1)),
            None => {}
        }
        assert_ne!(sight.ends, Some(Wdl::Loss), "a move of this game loses at once");
        let inside = sight.inside as u16;
        if sight.outside.is_empty() && sight.ends.is_none() {
            return (inside, DRAW);
        }
        // The best way out: lost there as soon as can be, else a draw, else won there as late as can be. One number
        // for all of that, so that nothing hangs on what is found.
        const LOST: Code = Code::MAX;
        const DRAWN: Code = Code::MAX / 2;
        let mut best = if sight.ends.is_some() { DRAWN } else { 0 };
        let (mut table, mut unknown) = (None, false);
        for place in &sight.outside {
            if table.is_none_or(|(shard, _)| shard != place.shard) {
                table = done.iter().copied().find(|(shard, _)| *shard == place.shard);
            }
            let there = table.map_or(UNUSED, |(_, values)| values.get(place.index));
            unknown |= there == UNUSED;
            let worth = if there & 1 == 1 { LOST - there } else { there };
            best = best.max(if there == DRAW { DRAWN } else { worth });
        }
        assert!(!unknown, "a move out of the group leads to a finished table");
        match best {
            DRAWN => (inside + 1, DRAW),
            won if won < DRAWN && inside == 0 => (0, self.fitting(won + 1)),
            won if won < DRAWN => (inside + 1, self.fitting(won)),
            lost => match LOST - lost {
                // Losing at once there wins at once here; what takes longer may be beaten from inside.
                1 => (0, code(1)),
                lost if inside == 0 => (0, self.fitting(lost + 1)),
                lost => (inside + 1, self.fitting(lost)),
            },
        }
    }

    /// A code that a state can hold.
    fn fitting(&self, code: Code) -> Code {
        if code >= self.unused() - 1 {
            self.too_deep.store(true, Relaxed);
        }
        code.min(self.unused() - 1)
    }

    #[inline]
    fn mark(&self, index: usize, plies: u32) {
        let (mark, bit) = (&self.marks[index / BLOCK], 1 << (plies % 64));
        if mark.load(Relaxed) & bit == 0 {
            mark.fetch_or(bit, Relaxed);
        }
        if self.deepest.load(Relaxed) < plies {
            self.deepest.fetch_max(plies, Relaxed);
        }
    }

    /// Step 2: what is decided in `plies` in some blocks tells what leads to it.
    fn level(&self, blocks: std::ops::Range<usize>, plies: u32) {
        let (now, bit, mask) = (code(plies), 1 << (plies % 64), self.unused());
        let (mut told, mut table) = (Told::default(), self.table_of(blocks.start));
        for block in blocks.filter(|&block| self.marks[block].load(Relaxed) & bit != 0) {
            if block * BLOCK >= self.begins[table + 1] {
                self.tell(self.shards[table], plies, &mut told);
                table = self.table_of(block);
            }
            let mut states = [0; BLOCK];
            for (copy, state) in states.iter_mut().zip(&self.states[block * BLOCK..]) {
                *copy = state.load(Relaxed);
            }
            let mut here =
                states.iter().enumerate().fold(0, |set, (at, state)| set | u64::from(state & mask == now) << at);
            while here != 0 {
                let at = here.trailing_zeros() as usize;
                here &= here - 1;
                if states[at] >> self.bits == 0 {
                    told.decided.push((block * BLOCK + at - self.begins[table]) as u64);
                } else {
                    self.hear(block * BLOCK + at, plies, 1);
                }
            }
        }
        self.tell(self.shards[table], plies, &mut told);
    }

    /// Tells every position that leads to one that was decided.
    fn tell(&self, shard: G::Shard, plies: u32, told: &mut Told) {
        let length = self.game.row(shard);
        let index = |place: Place<G::Shard>| {
            let table = self.shards.iter().position(|&shard| shard == place.shard);
            self.begins[table.expect("a move taken back stays in the group")] + place.index as usize
        };
        let (decided, list, some) = (std::mem::take(&mut told.decided), &mut told.list, &mut told.some);
        let mut rest = decided.as_slice();
        while let Some(first) = rest.first() {
            let row = first / length;
            let (here, later) = rest.split_at(rest.partition_point(|&number| number / length == row));
            rest = later;
            if plies.is_multiple_of(2) || self.game.row_stands_for(shard, row) == Some(self.game.symmetries()) {
                self.game.unplay_all(shard, here, &mut |_, before: Place<G::Shard>| {
                    list.push((index(before), before.fixed_by as u16));
                    if list.len() >= BATCH {
                        self.flush(list, &mut told.seen, plies);
                    }
                });
                continue;
            }
            // Several ways back may belong to one move from there.
            some.clear();
            self.game.unplay_all(shard, here, &mut |at, before| some.push((at, index(before), before.fixed_by)));
            some.sort_unstable();
            for same in some.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let (at, index, fixed_by) = same[0];
                let fixed_here = self.game.place(&self.game.used_position(shard, here[at])).fixed_by;
                list.push((index, (same.len() as u32 * fixed_by / fixed_here) as u16));
            }
        }
        self.flush(list, &mut told.seen, plies);
        told.decided = decided;
        told.decided.clear();
    }

    /// Tells the positions listed.
    fn flush(&self, list: &mut Vec<(usize, u16)>, seen: &mut Vec<u16>, plies: u32) {
        // The states come from all over memory: ask for all of them before waiting for any.
        seen.clear();
        seen.extend(list.iter().map(|&(index, _)| self.states[index].load(Relaxed)));
        let open = list.drain(..).zip(seen.iter()).filter(|(_, state)| **state >> self.bits != 0);
        if plies.is_multiple_of(2) {
            open.for_each(|((index, _), _)| self.decide(index, plies + 1));
        } else {
            open.for_each(|((index, times), _)| self.hear(index, plies, times));
        }
    }

    /// This position is decided in `plies`.
    #[inline]
    fn decide(&self, index: usize, plies: u32) {
        let decided = code(plies);
        if decided >= self.unused() - 1 {
            self.too_deep.store(true, Relaxed);
        }
        self.states[index].store(decided, Relaxed);
        self.mark(index, plies);
    }

    /// A move of this position leads to one that is decided in `plies`; it counts for `times` moves.
    #[inline]
    fn hear(&self, index: usize, plies: u32, times: u16) {
        let state = &self.states[index];
        let mut now = state.load(Relaxed);
        loop {
            let left = now >> self.bits;
            if left == 0 {
                return;
            }
            // All that is heard at even plies is won, whoever says it first.
            if plies.is_multiple_of(2) {
                return self.decide(index, plies + 1);
            }
            let ends = left <= times;
            let next = if ends { code(plies + 1) } else { now - (times << self.bits) };
            match state.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) if ends => return self.decide(index, plies + 1),
                Ok(_) => return,
                Err(other) => now = other,
            }
        }
    }

    /// What a table holds, once it is solved: the code of a number.
    #[inline]
    pub(super) fn code(&self, table: usize, number: u64) -> Code {
        let state = self.states[self.begins[table] + number as usize].load(Relaxed);
        match state & self.unused() {
            _ if state >> self.bits != 0 => DRAW,
            code if code == self.unused() => UNUSED,
            code => code,
        }
    }

    /// A table, once it is solved.
    pub(super) fn values(&self, table: usize) -> Values {
        let mut values = Values::with_capacity(self.sizes[table]);
        (0..self.sizes[table] as u64).for_each(|number| values.push(self.code(table, number)));
        values
    }

    /// What a table holds, counted.
    pub(super) fn stats(&self, table: usize, threads: usize) -> Stats {
        Stats::of_table(self.game, self.shards[table], threads, &|number| self.code(table, number))
    }
}
