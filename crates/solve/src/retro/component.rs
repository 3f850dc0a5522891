//! Retrograde analysis of one strongly connected component of tables, at two bytes an index.
//!
//! 1. `init` expands every position once, forwards: it counts the moves that stay in the component and
//!    finds the best value among the moves that leave it.
//! 2. `propagate_level` pushes the values found at ply d to their predecessors, for d = 0, 1, 2, …
//!
//! A state packs (unrefuted moves, code). Count 0: the position is decided and the code is its value.
//! Otherwise the code is the best value among the moves that leave the component.

use super::peers::{self, Updates};
use super::slice::{BLOCK, Slice};
use super::{NoTable, Stats, code};
use agon_core::indexed::{BulkIndexed, Expansion, TableIndex};
use agon_core::{Ctx, Stop, Wdl};
use agon_table::values::{Code, DRAW, UNUSED, Values};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Blocks that a thread claims at a time.
const BLOCKS_PER_CLAIM: usize = 1 << 6;
/// Blocks between two points at which a checkpoint can be written.
const BLOCKS_PER_CHECKPOINT: usize = if cfg!(test) { 1 << 8 } else { 1 << 15 };
/// The same while positions are expanded, which takes longer for each block.
const BLOCKS_PER_EXPANSION: usize = BLOCKS_PER_CHECKPOINT / 16;
/// The time of a step, about.
const STEP: Duration = Duration::from_millis(500);
/// Blocks that are swept before their updates are sent to other processes.
const BLOCKS_PER_MESSAGE: usize = BLOCKS_PER_CHECKPOINT / 8;
/// About what updates that wait to be sent take: a position has some ten predecessors.
pub(super) const WAITING_BYTES: u64 = 3 * 10 * 8 * (BLOCKS_PER_MESSAGE * BLOCK) as u64;
/// Below this many blocks one thread finishes before a second one has started.
const MIN_PARALLEL_BLOCKS: usize = if cfg!(test) { 1 << 6 } else { 1 << 9 };

/// Finished tables that the moves out of the component lead to.
pub(super) type Finished<'a, S> = Vec<(S, &'a Values)>;

/// Progress of the analysis: the current level, and the blocks that its sweep has not reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stage {
    /// `None` during `init`; then the level being propagated, in plies.
    pub(super) plies: Option<u32>,
    /// Blocks of states that are not done.
    pub(super) open: Vec<Range<usize>>,
}

impl Stage {
    /// The next blocks of the sweep, at most `most`, which are done from now on.
    pub(super) fn take(&mut self, most: usize) -> Option<Range<usize>> {
        let first = self.open.first_mut()?;
        let taken = first.start..first.end.min(first.start + most);
        first.start = taken.end;
        if first.start == first.end {
            self.open.remove(0);
        }
        Some(taken)
    }
}

/// Stores checkpoints of unfinished work.
pub(super) trait Checkpoints<G: BulkIndexed> {
    /// Returns whether a checkpoint is due.
    fn due(&self) -> bool;
    /// Reports about how many indices of the component are done.
    fn progress(&self, indices: u64);
    /// Writes a checkpoint.
    fn save(&mut self, component: &Component<'_, G>) -> Result<(), NoTable>;
    /// Returns whether work that is told to stop goes on to a point from which it can continue.
    fn stops_soundly(&self) -> bool;
    /// Writes a checkpoint because the work is told to stop.
    fn save_last(&mut self, component: &Component<'_, G>) -> Result<(), NoTable>;
    /// Notes that every process that works at the component has written its part of the last checkpoint.
    fn saved_by_all(&mut self, _component: &Component<'_, G>) {}
}

/// Writes no checkpoints.
pub(super) struct InMemory;

impl<G: BulkIndexed> Checkpoints<G> for InMemory {
    fn due(&self) -> bool {
        false
    }

    fn progress(&self, _indices: u64) {}

    fn save(&mut self, _component: &Component<'_, G>) -> Result<(), NoTable> {
        Ok(())
    }

    fn stops_soundly(&self) -> bool {
        false
    }

    fn save_last(&mut self, _component: &Component<'_, G>) -> Result<(), NoTable> {
        Ok(())
    }
}

/// The states of all tables of one component; or, if several processes share it, those of one process.
pub(super) struct Component<'a, G: BulkIndexed> {
    game: &'a G,
    pub(super) shards: &'a [G::Shard],
    /// Which indices of the tables have their states here.
    pub(super) slice: Slice,
    /// Updates of positions that other processes have; `None` if this process works alone.
    away: Option<Mutex<Updates>>,
    pub(super) states: Vec<AtomicU16>,
    /// For each block, the set of levels (plies modulo 64) at which a state in it has its code.
    pub(super) marks: Vec<AtomicU64>,
    /// Low bits of a state, which hold the code; the high bits count unrefuted moves.
    code_bits: u32,
    /// True if moves can stay in the component, so that play can cycle.
    cyclic: bool,
    /// The highest level of any code, in plies.
    pub(super) deepest: AtomicU32,
    pub(super) stage: Stage,
    stopped: AtomicBool,
    too_deep: AtomicBool,
}

/// A list of all blocks; empty if there are none.
fn whole(blocks: usize) -> Vec<Range<usize>> {
    std::iter::once(0..blocks).filter(|all| !all.is_empty()).collect()
}

/// The code in the state of a solved component.
pub(super) fn code_of(state: u16, code_bits: u32) -> Code {
    let unused = (1 << code_bits) - 1;
    match state & unused {
        _ if state >> code_bits != 0 => DRAW,
        code if code == unused => UNUSED,
        code => code,
    }
}

/// Bytes needed to solve a component, without the tables it leads to.
pub(super) fn bytes_of<G: BulkIndexed>(game: &G, component: &[G::Shard]) -> u64 {
    let indices: u64 = component.iter().map(|&shard| game.shard_size(shard)).sum();
    2 * indices + indices / (BLOCK as u64) * 8
}

/// Buffers of one thread while it propagates a level.
#[derive(Default)]
struct Buffers {
    /// Indices in one table that were decided at this level.
    decided: Vec<u64>,
    /// Places of predecessors to update, each with the number of moves the update refutes.
    updates: Vec<(usize, u16)>,
    /// The states of the predecessors in `updates`, as loaded.
    loaded: Vec<u16>,
    /// Unmoves that still have to be grouped by predecessor: (entry of `decided`, predecessor, order of the
    /// predecessor's stabiliser).
    unmoves: Vec<(usize, usize, u32)>,
}

/// Updates applied together: their states are loaded first, then changed, so that the cache misses overlap.
const UPDATE_BATCH: usize = 1 << 8;

impl<'a, G: BulkIndexed> Component<'a, G> {
    /// Creates the component of `shards`, before any work.
    pub(super) fn new(game: &'a G, shards: &'a [G::Shard]) -> Component<'a, G> {
        Component::part(game, shards, Slice::whole(game, shards))
    }

    /// Creates the part of one process.
    pub(super) fn part(game: &'a G, shards: &'a [G::Shard], slice: Slice) -> Component<'a, G> {
        let size = slice.states();
        let max_internal = shards.iter().map(|&shard| game.max_internal(shard)).max().unwrap_or(0);
        // All moves that leave the component count as one more.
        let count_bits = u32::BITS - (max_internal + 1).leading_zeros();
        assert!(count_bits <= 8, "a position has more moves than a state can count");
        Component {
            game,
            shards,
            away: (slice.processes() > 1).then(Mutex::default),
            slice,
            states: (0..size).map(|_| AtomicU16::new(0)).collect(),
            marks: (0..size / BLOCK).map(|_| AtomicU64::new(0)).collect(),
            code_bits: u16::BITS - count_bits,
            cyclic: max_internal > 0,
            deepest: AtomicU32::new(0),
            stage: Stage { plies: None, open: whole(size / BLOCK) },
            stopped: AtomicBool::new(false),
            too_deep: AtomicBool::new(false),
        }
    }

    /// Solves the component, starting or continuing at `stage`.
    pub(super) fn solve(
        &mut self,
        done: &Finished<'_, G::Shard>,
        checkpoints: &mut impl Checkpoints<G>,
        ctx: &Ctx,
    ) -> Result<(), NoTable> {
        if self.stage.plies.is_none() {
            self.sweep(checkpoints, ctx, |component, blocks| component.init(blocks, done))?;
            self.stage = Stage { plies: Some(0), open: self.all_blocks() };
        }
        // Without internal moves, the expansion has decided every position.
        if !self.cyclic {
            return self.fits();
        }
        while let Some(plies) = self.stage.plies.filter(|&plies| plies <= self.deepest.load(Relaxed)) {
            self.sweep(checkpoints, ctx, |component, blocks| component.propagate_level(blocks, plies))?;
            self.fits()?;
            self.stage = Stage { plies: Some(plies + 1), open: self.all_blocks() };
        }
        Ok(())
    }

    /// Fails if a forced win was longer than a code can express.
    fn fits(&self) -> Result<(), NoTable> {
        if self.too_deep.load(Relaxed) { Err(self.too_long()) } else { Ok(()) }
    }

    /// The failure of a component with a forced win that no code can express.
    pub(super) fn too_long(&self) -> NoTable {
        NoTable::TooDeep(u64::from(self.unused()) - 3)
    }

    /// Runs `work` on the blocks that are not done, on all threads, and writes a checkpoint whenever one is due.
    fn sweep(
        &mut self,
        checkpoints: &mut impl Checkpoints<G>,
        ctx: &Ctx,
        work: impl Fn(&Self, Range<usize>) + Sync,
    ) -> Result<(), NoTable> {
        let most = if self.stage.plies.is_none() { BLOCKS_PER_EXPANSION } else { BLOCKS_PER_CHECKPOINT };
        let mut step = most;
        let soundly = checkpoints.stops_soundly();
        while let Some(blocks) = self.stage.take(step) {
            let (end, begun) = (blocks.end, Instant::now());
            self.run_blocks(blocks, ctx, soundly, &work)?;
            // Between two steps the work can stop: on a slow machine a step has fewer blocks.
            step = match begun.elapsed() {
                long if long > STEP => (step / 2).max(BLOCKS_PER_CLAIM),
                short if short < STEP / 4 => (step * 2).min(most),
                _ => step,
            };
            if self.stage.plies.is_none() {
                self.report(end, checkpoints);
            }
            if let (Err(stop), true) = (ctx.check(), soundly) {
                checkpoints.save_last(self)?;
                return Err(stop.into());
            }
            if checkpoints.due() {
                checkpoints.save(self)?;
            }
        }
        Ok(())
    }

    /// Reports how much is done while blocks are expanded.
    pub(super) fn report(&self, blocks: usize, checkpoints: &impl Checkpoints<G>) {
        // If levels are propagated later, the expansion is about a third of the work.
        checkpoints.progress((blocks * BLOCK / if self.cyclic { 3 } else { 1 }) as u64);
    }

    /// Runs `work` on some blocks, on all threads; `to_the_end` even if the work is told to stop.
    pub(super) fn run_blocks(
        &self,
        blocks: Range<usize>,
        ctx: &Ctx,
        to_the_end: bool,
        work: &(impl Fn(&Self, Range<usize>) + Sync),
    ) -> Result<(), Stop> {
        let next = AtomicUsize::new(blocks.start);
        let run = || {
            let mut meter = ctx.meter();
            loop {
                let begin = next.fetch_add(BLOCKS_PER_CLAIM, Relaxed);
                if begin >= blocks.end || self.stopped.load(Relaxed) {
                    return;
                }
                let claimed = begin..(begin + BLOCKS_PER_CLAIM).min(blocks.end);
                for _ in 0..claimed.len() {
                    if meter.tick().is_err() && !to_the_end {
                        return self.stopped.store(true, Relaxed);
                    }
                }
                work(self, claimed);
            }
        };
        if ctx.threads() == 1 || blocks.len() < MIN_PARALLEL_BLOCKS {
            run();
        } else {
            std::thread::scope(|scope| (0..ctx.threads()).for_each(|_| drop(scope.spawn(run))));
        }
        if self.stopped.load(Relaxed) { ctx.check().and(Err(Stop::Interrupted)) } else { Ok(()) }
    }

    /// The code of an unused index; also the mask of the code.
    fn unused(&self) -> u16 {
        (1 << self.code_bits) - 1
    }

    /// All blocks, before a sweep.
    pub(super) fn all_blocks(&self) -> Vec<Range<usize>> {
        whole(self.marks.len())
    }

    /// The table a block belongs to.
    fn table_of(&self, block: usize) -> usize {
        self.slice.table_of(block * BLOCK)
    }

    /// Step 1: expands the positions of some blocks.
    pub(super) fn init(&self, blocks: Range<usize>, done: &Finished<'_, G::Shard>) {
        for state in blocks.start * BLOCK..blocks.end * BLOCK {
            self.states[state].store(self.unused(), Relaxed);
        }
        let mut block = blocks.start;
        while block < blocks.end {
            let table = self.table_of(block);
            let (begin, own) = (self.slice.offset(table), self.slice.own(table));
            let end = (blocks.end * BLOCK).min(begin + own.len());
            let index = |state: usize| (own.start + state.saturating_sub(begin)) as u64;
            let indices = index(block * BLOCK)..index(end);
            self.game.expand_range(self.shards, self.shards[table], indices, &mut |index, expansion| {
                let at = begin + (index as usize - own.start);
                let (left, code) = self.initial_state(expansion, done);
                self.states[at].store(left << self.code_bits | code, Relaxed);
                if code != DRAW && self.cyclic {
                    self.mark(at, u32::from(code) - 1);
                }
            });
            block = blocks.end.min(self.slice.offset(table + 1) / BLOCK);
        }
    }

    /// The number of unrefuted moves and the code of an expanded position.
    fn initial_state(&self, expansion: &Expansion<G::Shard>, done: &Finished<'_, G::Shard>) -> (u16, Code) {
        match expansion.over {
            Some(Wdl::Loss) => return (0, code(0)),
            // One move that is never refuted keeps this a draw.
            Some(_) => return (1, DRAW),
            None if expansion.terminal == Some(Wdl::Win) => return (0, code(1)),
            None => {}
        }
        assert_ne!(expansion.terminal, Some(Wdl::Loss), "a move of this game loses at once");
        let internal = expansion.internal as u16;
        if expansion.external.is_empty() && expansion.terminal.is_none() {
            return (internal, DRAW);
        }
        // The best external move leads to the fastest loss, else to a draw, else to the slowest win of the opponent.
        // Branch-free: one key orders losses, draws and wins.
        const LOST: Code = Code::MAX;
        const DRAWN: Code = Code::MAX / 2;
        let mut best = if expansion.terminal.is_some() { DRAWN } else { 0 };
        let (mut table, mut unknown) = (None, false);
        for child in &expansion.external {
            if table.is_none_or(|(shard, _)| shard != child.shard) {
                table = done.iter().copied().find(|(shard, _)| *shard == child.shard);
            }
            let there = table.map_or(UNUSED, |(_, values)| values.get(child.index));
            unknown |= there == UNUSED;
            let key = if there & 1 == 1 { LOST - there } else { there };
            best = best.max(if there == DRAW { DRAWN } else { key });
        }
        assert!(!unknown, "a move out of the component leads to a finished table");
        match best {
            DRAWN => (internal + 1, DRAW),
            won if won < DRAWN && internal == 0 => (0, self.clamped(won + 1)),
            won if won < DRAWN => (internal + 1, self.clamped(won)),
            lost => match LOST - lost {
                // A child lost in 0 plies wins in 1, which nothing beats; an internal move may beat a longer win.
                1 => (0, code(1)),
                lost if internal == 0 => (0, self.clamped(lost + 1)),
                lost => (internal + 1, self.clamped(lost)),
            },
        }
    }

    /// Clamps a code to what a state can hold, and notes when it does not fit.
    fn clamped(&self, code: Code) -> Code {
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

    /// Step 2: pushes the values decided at `plies` in some blocks to their predecessors.
    pub(super) fn propagate_level(&self, blocks: Range<usize>, plies: u32) {
        let (now, bit, mask) = (code(plies), 1 << (plies % 64), self.unused());
        let (mut buffers, mut table) = (Buffers::default(), self.table_of(blocks.start));
        for block in blocks.filter(|&block| self.marks[block].load(Relaxed) & bit != 0) {
            if block * BLOCK >= self.slice.offset(table + 1) {
                self.push_predecessors(self.shards[table], plies, &mut buffers);
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
                if states[at] >> self.code_bits == 0 {
                    let index = block * BLOCK + at - self.slice.offset(table) + self.slice.own(table).start;
                    buffers.decided.push(index as u64);
                } else {
                    self.decrement(block * BLOCK + at, plies, 1);
                }
            }
        }
        self.push_predecessors(self.shards[table], plies, &mut buffers);
    }

    /// Updates every predecessor of the positions in `decided`.
    fn push_predecessors(&self, shard: G::Shard, plies: u32, buffers: &mut Buffers) {
        let length = self.game.row_len(shard);
        let index = |at: TableIndex<G::Shard>| {
            let table = self.shards.iter().position(|&shard| shard == at.shard);
            self.slice.place(table.expect("an unmove stays in the component"), at.index as usize)
        };
        let (decided, updates, unmoves) =
            (std::mem::take(&mut buffers.decided), &mut buffers.updates, &mut buffers.unmoves);
        let mut rest = decided.as_slice();
        while let Some(first) = rest.first() {
            let row = first / length;
            let (here, later) = rest.split_at(rest.partition_point(|&index| index / length == row));
            rest = later;
            if plies.is_multiple_of(2) || self.game.row_orbit_size(shard, row) == Some(self.game.symmetries()) {
                self.game.unplay_all(shard, here, &mut |_, before: TableIndex<G::Shard>| {
                    updates.push((index(before), before.stabiliser as u16));
                    if updates.len() >= UPDATE_BATCH {
                        self.flush(updates, &mut buffers.loaded, plies);
                    }
                });
                continue;
            }
            // Several unmoves may be images of one move under the stabiliser of the predecessor.
            unmoves.clear();
            self.game.unplay_all(shard, here, &mut |at, before| unmoves.push((at, index(before), before.stabiliser)));
            unmoves.sort_unstable();
            for same in unmoves.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let (at, index, stabiliser) = same[0];
                let stabiliser_here = self.game.table_index(&self.game.used_position(shard, here[at])).stabiliser;
                updates.push((index, (same.len() as u32 * stabiliser / stabiliser_here) as u16));
            }
        }
        self.flush(updates, &mut buffers.loaded, plies);
        buffers.decided = decided;
        buffers.decided.clear();
    }

    /// Applies and empties `updates`; those that concern other processes wait to be sent.
    fn flush(&self, updates: &mut Vec<(usize, u16)>, loaded: &mut Vec<u16>, plies: u32) {
        if let Some(away) = &self.away {
            let mut away = away.lock().unwrap_or_else(PoisonError::into_inner);
            updates.retain_mut(|(place, times)| match self.slice.locate(*place) {
                Ok(state) => {
                    *place = state;
                    true
                }
                Err(_) => {
                    away.push(*place, *times);
                    false
                }
            });
        }
        self.update(updates, loaded, plies);
    }

    /// Applies and empties a list of states, each with the number of moves that are refuted.
    fn update(&self, updates: &mut Vec<(usize, u16)>, loaded: &mut Vec<u16>, plies: u32) {
        // The states are scattered over memory: issue all loads before any result is used.
        loaded.clear();
        loaded.extend(updates.iter().map(|&(index, _)| self.states[index].load(Relaxed)));
        let open = updates.drain(..).zip(loaded.iter()).filter(|(_, state)| **state >> self.code_bits != 0);
        if plies.is_multiple_of(2) {
            open.for_each(|((index, _), _)| self.decide(index, plies + 1));
        } else {
            open.for_each(|((index, times), _)| self.decrement(index, plies, times));
        }
    }

    /// The updates of a level that other processes wait for, as batches with their receivers.
    pub(super) fn outgoing(&self, plies: u32) -> Vec<(usize, Vec<u8>)> {
        let Some(away) = &self.away else { return Vec::new() };
        let mut away = away.lock().unwrap_or_else(PoisonError::into_inner);
        away.batches(plies, |place| self.slice.locate(place).err().unwrap_or(self.slice.process()))
    }

    /// Applies a batch that another process sent. Returns whether it is one of this level and for this process.
    pub(super) fn apply(&self, batch: &[u8], plies: u32) -> bool {
        let Some(mut updates) = peers::updates(batch, plies) else { return false };
        for (place, _) in &mut updates {
            match (*place < self.slice.places()).then(|| self.slice.locate(*place)) {
                Some(Ok(state)) => *place = state,
                _ => return false,
            }
        }
        self.update(&mut updates, &mut Vec::new(), plies);
        true
    }

    /// Blocks to sweep before updates are sent.
    pub(super) fn blocks_per_message(&self) -> usize {
        if self.stage.plies.is_none() { BLOCKS_PER_EXPANSION } else { BLOCKS_PER_MESSAGE }
    }

    pub(super) fn deepest(&self) -> u32 {
        self.deepest.load(Relaxed)
    }

    /// Notes the highest level of a code that another process has.
    pub(super) fn raise_deepest(&self, plies: u32) {
        self.deepest.fetch_max(plies, Relaxed);
    }

    pub(super) fn is_cyclic(&self) -> bool {
        self.cyclic
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.too_deep.load(Relaxed)
    }

    /// Stores that a position is decided in `plies`.
    #[inline]
    fn decide(&self, index: usize, plies: u32) {
        let decided = code(plies);
        if decided >= self.unused() - 1 {
            self.too_deep.store(true, Relaxed);
        }
        self.states[index].store(decided, Relaxed);
        self.mark(index, plies);
    }

    /// Refutes `times` moves of a position, which lead to a child decided in `plies`; wins it if that child is lost.
    #[inline]
    fn decrement(&self, index: usize, plies: u32, times: u16) {
        let state = &self.states[index];
        let mut now = state.load(Relaxed);
        loop {
            let left = now >> self.code_bits;
            if left == 0 {
                return;
            }
            // A child lost in an even number of plies makes this a win; racing threads write the same value.
            if plies.is_multiple_of(2) {
                return self.decide(index, plies + 1);
            }
            let refuted = left <= times;
            let next = if refuted { code(plies + 1) } else { now - (times << self.code_bits) };
            match state.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) if refuted => return self.decide(index, plies + 1),
                Ok(_) => return,
                Err(other) => now = other,
            }
        }
    }

    /// The code at an index of a solved table.
    #[inline]
    pub(super) fn code(&self, table: usize, index: u64) -> Code {
        code_of(self.states[self.slice.state(table, index as usize)].load(Relaxed), self.code_bits)
    }

    /// The low bits of a state, which hold its code.
    pub(super) fn code_bits(&self) -> u32 {
        self.code_bits
    }

    /// The values of a solved table, as far as they are here.
    pub(super) fn values(&self, table: usize) -> Values {
        let own = self.slice.own(table);
        let mut values = Values::with_capacity(own.len());
        own.for_each(|index| values.push(self.code(table, index as u64)));
        values
    }

    /// The statistics of a solved table, as far as it is here.
    pub(super) fn stats(&self, table: usize, threads: usize) -> Stats {
        let own = self.slice.own(table);
        let indices = own.start as u64..own.end as u64;
        Stats::of_range(self.game, self.shards[table], indices, threads, &|index| self.code(table, index))
    }
}
