//! The sparse-space engine: one thread computes values speculatively, as if every heap were common; a second one
//! verifies them, by proving that no smaller rare value is missing.

use super::kernel::Level;
use super::moves::Moves;
use super::rare_heaps::{LANES, RareHeaps};
use super::sparse_space::Space;
use super::table::Table;
use super::witness::Witnesses;
use super::{Failure, Overflow};
use agon_core::Ctx;
use std::thread;

/// The most heaps verified together on the second thread.
const MAX_TILE: usize = 4096;
/// Below this tile, rare heaps are so frequent that speculation does not pay.
const MIN_SPECULATIVE_TILE: usize = 256;

/// The state of the engine for one sparse space.
#[derive(Debug)]
pub(super) struct Sparse {
    level: Level,
    rares: RareHeaps,
    witnesses: Witnesses,
    /// The proven values, followed by speculative ones.
    front: Vec<u16>,
    trained: usize,
    /// Heaps since the last rare one, and the current tile.
    common_run: usize,
    tile: usize,
    /// The number of wrong speculative values.
    pub(super) rollbacks: usize,
}

impl Sparse {
    pub(super) fn new(level: Level, space: Space, moves: &Moves, t: &Table, capacity: usize) -> Sparse {
        let mut front = Vec::with_capacity(capacity);
        front.extend_from_slice(t.values());
        Sparse {
            level,
            rares: RareHeaps::new(space, moves, t.values()),
            witnesses: Witnesses::new(level),
            front,
            trained: t.len(),
            common_run: 0,
            tile: LANES,
            rollbacks: 0,
        }
    }

    pub(super) fn rare_count(&self) -> usize {
        self.rares.len()
    }

    /// Extends `t` to `upto` values.
    pub(super) fn run(&mut self, ctx: &Ctx, moves: &Moves, t: &mut Table, upto: usize) -> Result<(), Failure> {
        while t.len() < upto {
            ctx.check()?;
            if t.len() >= self.trained + (t.len() / 32).clamp(2048, 16384) {
                self.rares.train(moves, t.values());
                self.trained = t.len();
            }
            if self.tile < MIN_SPECULATIVE_TILE {
                self.front.truncate(t.len());
                self.step(moves, t, upto)?;
            } else {
                self.run_tile(ctx, moves, t, upto)?;
            }
        }
        Ok(())
    }

    /// Computes one batch, each value proven before the next.
    fn step(&mut self, moves: &Moves, t: &mut Table, upto: usize) -> Result<(), Overflow> {
        let survey = self.rares.survey(self.level, moves, &self.front);
        for n in t.len()..upto.min(t.len() + LANES) {
            let m = self.rares.smallest_missing(moves, &self.front, &survey).ok_or(Overflow(n))?;
            let v = self.witnesses.resolve(moves, self.rares.classes(), t, n, m);
            self.front.push(v);
            t.push(v);
            let rare = self.rares.add(n, v);
            self.adapt(1, rare);
            if usize::from(v) >= self.rares.classes().width() {
                self.rares.widen(v);
                break;
            }
        }
        Ok(())
    }

    /// Verifies one tile on another thread, while this one computes the next.
    fn run_tile(&mut self, ctx: &Ctx, moves: &Moves, t: &mut Table, upto: usize) -> Result<(), Failure> {
        let proved = t.len();
        if self.front.len() == proved {
            self.speculate(moves, upto.min(proved + self.tile))?;
        }
        let reached = self.front.len();
        self.front[proved..].iter().for_each(|&v| t.push(v));
        let next = upto.min(reached + self.tile);
        let wrong = if ctx.threads() > 1 {
            let (classes, witnesses, table) = (self.rares.classes().clone(), &mut self.witnesses, &*t);
            let verify = move || first_wrong(witnesses, moves, &classes, table, proved);
            thread::scope(|scope| {
                let behind = scope.spawn(verify);
                let ahead = speculate(self.level, &mut self.rares, &mut self.front, moves, next);
                let wrong = behind.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                ahead.map(|()| wrong)
            })?
        } else {
            first_wrong(&mut self.witnesses, moves, self.rares.classes(), t, proved)
        };
        match wrong {
            None => self.adapt(reached - proved, false),
            Some((n, v)) => {
                self.rollbacks += 1;
                self.front.truncate(n);
                self.front.push(v);
                t.truncate(n);
                t.push(v);
                self.rares.add(n, v);
                self.adapt(n - proved, true);
            }
        }
        Ok(())
    }

    fn speculate(&mut self, moves: &Moves, to: usize) -> Result<(), Overflow> {
        speculate(self.level, &mut self.rares, &mut self.front, moves, to)
    }

    /// Doubles the tile after a long run of common heaps, and halves it after a rare one.
    fn adapt(&mut self, heaps: usize, rare: bool) {
        if rare {
            self.common_run = 0;
            self.tile = (self.tile / 2).max(LANES);
        } else {
            self.common_run += heaps;
            if self.common_run > 4 * self.tile {
                self.tile = (2 * self.tile).min(MAX_TILE);
            }
        }
    }
}

/// Extends `front` to `to` values, as if no further heap were rare.
fn speculate(
    level: Level,
    rares: &mut RareHeaps,
    front: &mut Vec<u16>,
    moves: &Moves,
    to: usize,
) -> Result<(), Overflow> {
    while front.len() < to {
        let survey = rares.survey(level, moves, front);
        for _ in 0..LANES.min(to - front.len()) {
            let m = rares.smallest_missing(moves, front, &survey).ok_or(Overflow(front.len()))?;
            front.push(m);
            if usize::from(m) >= rares.classes().width() {
                rares.widen(m);
                break;
            }
        }
    }
    Ok(())
}

/// The first heap from `from` on whose speculative value is wrong, with its true value.
fn first_wrong(
    witnesses: &mut Witnesses,
    moves: &Moves,
    classes: &super::rare_heaps::Classes,
    t: &Table,
    from: usize,
) -> Option<(usize, u16)> {
    (from..t.len()).find_map(|n| {
        let m = t.values()[n];
        let v = witnesses.resolve(moves, classes, t, n, m);
        (v != m).then_some((n, v))
    })
}
