//! The sparse-space engine: common values are computed ahead, rare ones are ruled out behind, on a second core.

use super::kernel::Level;
use super::rares::{GROUP, Rares};
use super::space::Space;
use super::table::Table;
use super::takes::Takes;
use super::witness::Witnesses;
use super::{Failure, Overflow};
use agon_core::Ctx;
use std::thread;

/// Heaps ruled out in one go on the second core.
const LARGEST_TILE: usize = 4096;
/// Below this, rare heaps come so often that running ahead does not pay.
const SMALLEST_TILE: usize = 256;

/// The state of one space. A new space needs a new one.
#[derive(Debug)]
pub(super) struct Sparse {
    level: Level,
    rares: Rares,
    witnesses: Witnesses,
    /// The proved values, and after them those computed ahead.
    front: Vec<u16>,
    trained: usize,
    /// Heaps in a row without a rare one, and the tile that suits.
    calm: usize,
    tile: usize,
    /// How often a value computed ahead was wrong.
    pub(super) rollbacks: usize,
}

impl Sparse {
    pub(super) fn new(level: Level, space: Space, takes: &Takes, t: &Table, capacity: usize) -> Sparse {
        let mut front = Vec::with_capacity(capacity);
        front.extend_from_slice(t.values());
        Sparse {
            level,
            rares: Rares::new(space, takes, t.values()),
            witnesses: Witnesses::new(level),
            front,
            trained: t.len(),
            calm: 0,
            tile: GROUP,
            rollbacks: 0,
        }
    }

    pub(super) fn rares(&self) -> usize {
        self.rares.len()
    }

    /// Extends `t` to `upto` values.
    pub(super) fn run(&mut self, ctx: &Ctx, takes: &Takes, t: &mut Table, upto: usize) -> Result<(), Failure> {
        while t.len() < upto {
            ctx.check()?;
            if t.len() >= self.trained + (t.len() / 32).clamp(2048, 16384) {
                self.rares.train(takes, t.values());
                self.trained = t.len();
            }
            if self.tile < SMALLEST_TILE {
                self.front.truncate(t.len());
                self.step(takes, t, upto)?;
            } else {
                self.leap(ctx, takes, t, upto)?;
            }
        }
        Ok(())
    }

    /// One group, each value proved before the next.
    fn step(&mut self, takes: &Takes, t: &mut Table, upto: usize) -> Result<(), Overflow> {
        let survey = self.rares.survey(self.level, takes, &self.front);
        for n in t.len()..upto.min(t.len() + GROUP) {
            let m = self.rares.smallest_missing(takes, &self.front, &survey).ok_or(Overflow(n))?;
            let v = self.witnesses.settle(takes, self.rares.kinds(), t, n, m);
            self.front.push(v);
            t.push(v);
            let rare = self.rares.note(n, v);
            self.adapt(1, rare);
            if usize::from(v) >= self.rares.kinds().width() {
                self.rares.widen(v);
                break;
            }
        }
        Ok(())
    }

    /// One tile is verified on another thread while the next is computed here.
    fn leap(&mut self, ctx: &Ctx, takes: &Takes, t: &mut Table, upto: usize) -> Result<(), Failure> {
        let proved = t.len();
        if self.front.len() == proved {
            self.ahead(takes, upto.min(proved + self.tile))?;
        }
        let reached = self.front.len();
        self.front[proved..].iter().for_each(|&v| t.push(v));
        let next = upto.min(reached + self.tile);
        let wrong = if ctx.threads() > 1 {
            let (kinds, witnesses, table) = (self.rares.kinds().clone(), &mut self.witnesses, &*t);
            let verify = move || first_wrong(witnesses, takes, &kinds, table, proved);
            thread::scope(|scope| {
                let behind = scope.spawn(verify);
                let ahead = ahead(self.level, &mut self.rares, &mut self.front, takes, next);
                let wrong = behind.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                ahead.map(|()| wrong)
            })?
        } else {
            first_wrong(&mut self.witnesses, takes, self.rares.kinds(), t, proved)
        };
        match wrong {
            None => self.adapt(reached - proved, false),
            Some((n, v)) => {
                self.rollbacks += 1;
                self.front.truncate(n);
                self.front.push(v);
                t.truncate(n);
                t.push(v);
                self.rares.note(n, v);
                self.adapt(n - proved, true);
            }
        }
        Ok(())
    }

    fn ahead(&mut self, takes: &Takes, to: usize) -> Result<(), Overflow> {
        ahead(self.level, &mut self.rares, &mut self.front, takes, to)
    }

    /// Longer tiles while rare heaps stay away.
    fn adapt(&mut self, heaps: usize, rare: bool) {
        if rare {
            self.calm = 0;
            self.tile = (self.tile / 2).max(GROUP);
        } else {
            self.calm += heaps;
            if self.calm > 4 * self.tile {
                self.tile = (2 * self.tile).min(LARGEST_TILE);
            }
        }
    }
}

/// Extends `front` to `to` values as if no further heap were rare.
fn ahead(level: Level, rares: &mut Rares, front: &mut Vec<u16>, takes: &Takes, to: usize) -> Result<(), Overflow> {
    while front.len() < to {
        let survey = rares.survey(level, takes, front);
        for _ in 0..GROUP.min(to - front.len()) {
            let m = rares.smallest_missing(takes, front, &survey).ok_or(Overflow(front.len()))?;
            front.push(m);
            if usize::from(m) >= rares.kinds().width() {
                rares.widen(m);
                break;
            }
        }
    }
    Ok(())
}

/// The first heap from `from` on that is rare after all, with its value.
fn first_wrong(
    witnesses: &mut Witnesses,
    takes: &Takes,
    kinds: &super::rares::Kinds,
    t: &Table,
    from: usize,
) -> Option<(usize, u16)> {
    (from..t.len()).find_map(|n| {
        let m = t.values()[n];
        let v = witnesses.settle(takes, kinds, t, n, m);
        (v != m).then_some((n, v))
    })
}
