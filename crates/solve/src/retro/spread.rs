//! The tables of one group, solved together.

use super::{DEEPEST, NoTable, OPEN, Retro, UNUSED, code};
use agon_core::indexed::Indexed;
use agon_core::{Ctx, Outcome, Stop, Value, Wdl};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Numbers between two marks of what a stretch of the table holds, and the piece a thread takes at once.
const BLOCK: usize = 1 << 10;

pub(super) struct Unit<'a, G: Indexed> {
    game: &'a G,
    shards: &'a [G::Shard],
    /// Where each table begins, and the end.
    begins: Vec<usize>,
    /// Value so far.
    values: Vec<AtomicU8>,
    /// Moves within the group, and one for all others together, that do not yet lose.
    left: Vec<AtomicU8>,
    /// What the best move out of the group leads to, as a code for the side to move there.
    out: Vec<AtomicU8>,
    /// For each block, the plies (modulo 64) of the values and of the ways out in it.
    marks: Vec<AtomicU64>,
    /// The deepest value or way out seen.
    deepest: AtomicU32,
    stopped: AtomicBool,
}

impl<'a, G: Indexed> Unit<'a, G> {
    /// The tables of `shards`, in their order.
    pub(super) fn solve(
        game: &'a G,
        shards: &'a [G::Shard],
        done: &Retro<G>,
        ctx: &Ctx,
    ) -> Result<Vec<Vec<u8>>, NoTable> {
        let mut begins = vec![0];
        for &shard in shards {
            begins.push(begins[begins.len() - 1] + game.shard_size(shard) as usize);
        }
        let size = begins[shards.len()];
        let bytes = || (0..size).map(|_| AtomicU8::new(OPEN)).collect::<Vec<_>>();
        let unit = Unit {
            game,
            shards,
            begins,
            values: bytes(),
            left: bytes(),
            out: bytes(),
            marks: (0..size.div_ceil(BLOCK)).map(|_| AtomicU64::new(0)).collect(),
            deepest: AtomicU32::new(0),
            stopped: AtomicBool::new(false),
        };
        unit.each_block(ctx, |index| unit.begin(index, done))?;
        let mut plies = 0;
        while plies <= unit.deepest.load(Relaxed) {
            if plies >= DEEPEST {
                return Err(NoTable::TooDeep);
            }
            let bit = 1 << (plies % 64);
            let now = code(plies);
            unit.each_block_if(
                ctx,
                |marks| marks & bit != 0,
                |index| {
                    if unit.out[index].load(Relaxed) == now {
                        unit.hear(index, plies, 1);
                    }
                    if unit.values[index].load(Relaxed) == now {
                        unit.tell(index, plies);
                    }
                },
            )?;
            plies += 1;
        }
        Ok(unit.tables())
    }

    fn tables(self) -> Vec<Vec<u8>> {
        let mut values = self.values.into_iter().map(AtomicU8::into_inner);
        let sizes = self.begins.windows(2).map(|pair| pair[1] - pair[0]);
        sizes.map(|size| values.by_ref().take(size).collect()).collect()
    }

    fn each_block(&self, ctx: &Ctx, work: impl Fn(usize) + Sync) -> Result<(), Stop> {
        self.each_block_if(ctx, |_| true, work)
    }

    /// Does the work for every number in the blocks whose marks are wanted, on all threads.
    fn each_block_if(
        &self,
        ctx: &Ctx,
        wanted: impl Fn(u64) -> bool + Sync,
        work: impl Fn(usize) + Sync,
    ) -> Result<(), Stop> {
        let next = AtomicU64::new(0);
        let run = || {
            let mut meter = ctx.meter();
            loop {
                let block = next.fetch_add(1, Relaxed) as usize;
                if block >= self.marks.len() || self.stopped.load(Relaxed) {
                    return;
                }
                if !wanted(self.marks[block].load(Relaxed)) {
                    continue;
                }
                for index in block * BLOCK..((block + 1) * BLOCK).min(self.values.len()) {
                    if meter.tick().is_err() {
                        return self.stopped.store(true, Relaxed);
                    }
                    work(index);
                }
            }
        };
        // Small groups are done before a thread has started.
        if ctx.threads() == 1 || self.marks.len() < 16 {
            run();
        } else {
            std::thread::scope(|scope| (0..ctx.threads()).for_each(|_| drop(scope.spawn(run))));
        }
        if self.stopped.load(Relaxed) { ctx.check().and(Err(Stop::Cancelled)) } else { Ok(()) }
    }

    fn position(&self, index: usize) -> Option<G::Position> {
        let table = self.begins.partition_point(|&begin| begin <= index) - 1;
        self.game.position(self.shards[table], (index - self.begins[table]) as u64)
    }

    /// The number of an unfinished position of this group, and how many symmetries leave it fixed.
    fn number(&self, pos: &G::Position) -> (usize, u32) {
        let place = self.game.place(pos);
        let table = self.shards.iter().position(|&shard| shard == place.shard);
        (self.begins[table.expect("a move taken back stays in the group")] + place.index as usize, place.fixed_by)
    }

    fn mark(&self, index: usize, plies: u32) {
        self.marks[index / BLOCK].fetch_or(1 << (plies % 64), Relaxed);
        self.deepest.fetch_max(plies, Relaxed);
    }

    /// Looks at a position once: is it over, how many moves stay in the group, where do the others lead.
    fn begin(&self, index: usize, done: &Retro<G>) {
        let Some(pos) = self.position(index) else { return self.values[index].store(UNUSED, Relaxed) };
        let game = self.game;
        match game.outcome(&pos).map(|outcome| outcome.seen_by(game.turn(&pos))) {
            Some(Wdl::Loss) => return self.value(index, 0),
            // Nothing can be won or lost from here: it stays a draw.
            Some(_) => return,
            None => {}
        }
        let (mut inside, mut best) = (0u8, None::<Value>);
        game.moves(&pos, &mut |mv| {
            let after = game.after(&pos, mv);
            let over = game.outcome(&after);
            if over.is_none() && self.shards.contains(&game.shard(&after)) {
                inside += 1;
                return;
            }
            let there = match over {
                Some(Outcome::Draw) => Value::DRAW,
                Some(outcome) => Value::finished(outcome.seen_by(game.turn(&after))),
                None => done.value(game, &after).expect("a move out of the group leads to a finished table"),
            };
            assert_ne!(there, Value::win_in(0), "a move of this game loses at once");
            best = best.max(Some(there.a_ply_earlier()));
        });
        let Some(best) = best else { return self.left[index].store(inside, Relaxed) };
        if best == Value::win_in(1) {
            return self.value(index, 1);
        }
        self.left[index].store(inside + 1, Relaxed);
        if let Some(plies) = best.plies() {
            self.out[index].store(code(plies - 1), Relaxed);
            self.mark(index, plies - 1);
        }
    }

    /// Gives a value, unless there is one.
    fn value(&self, index: usize, plies: u32) {
        let byte = code(plies.min(DEEPEST));
        if self.values[index].compare_exchange(OPEN, byte, Relaxed, Relaxed).is_ok() {
            self.mark(index, plies.min(DEEPEST));
        }
    }

    /// A move of this position leads to one that is decided in `plies`; it is met `times` times.
    fn hear(&self, index: usize, plies: u32, times: u8) {
        if self.values[index].load(Relaxed) != OPEN {
            return;
        }
        let lost_there = plies.is_multiple_of(2);
        if lost_there || self.left[index].fetch_sub(times, Relaxed) == times {
            self.value(index, plies + 1);
        }
    }

    /// Tells every position that leads to this one.
    fn tell(&self, index: usize, plies: u32) {
        let Some(pos) = self.position(index) else { return };
        let fixed_here = self.number(&pos).1;
        if plies.is_multiple_of(2) || fixed_here == 1 {
            return self.game.unplay(&pos, &mut |before| {
                let (before, fixed) = self.number(&before);
                self.hear(before, plies, fixed as u8);
            });
        }
        // Several ways back may belong to one move from there.
        let mut met: Vec<(usize, u32)> = Vec::new();
        self.game.unplay(&pos, &mut |before| met.push(self.number(&before)));
        met.sort_unstable();
        for same in met.chunk_by(|a, b| a.0 == b.0) {
            let (before, fixed) = same[0];
            self.hear(before, plies, (same.len() as u32 * fixed / fixed_here) as u8);
        }
    }
}
