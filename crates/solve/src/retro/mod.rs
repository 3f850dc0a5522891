//! Retrograde analysis: the value and distance of every position of a game in which play can go round.
//!
//! Tables are solved group by group, those that others lead to first. Within a group, values spread
//! backwards from what is decided, one ply at a time:
//!
//! - a position that leads to a lost one is won, a ply later;
//! - a position all of whose moves lead to won ones is lost, a ply after the last of them;
//! - what is never reached is a draw: either side can go round for ever.
//!
//! Numbers stand for classes under symmetry. A move from class Q to class P is met once for every way to
//! take it back from P; counted from Q it is met |stabiliser of Q| / |stabiliser of P| times as often, and
//! with that weight the count of moves not yet refuted stays exact.

mod spread;
#[cfg(test)]
mod tests;

use agon_core::indexed::Indexed;
use agon_core::solver::Solver;
use agon_core::{Bounds, Ctx, Solution, Stop, Value, Wdl, collect_moves};
use rustc_hash::FxHashMap;
use spread::Unit;
use std::sync::Arc;

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTable {
    /// The work was stopped.
    Stopped(Stop),
    /// It needs that many bytes, more than allowed.
    Memory(u64),
    /// A forced win is longer than a table can say.
    TooDeep,
}

impl From<Stop> for NoTable {
    fn from(stop: Stop) -> NoTable {
        NoTable::Stopped(stop)
    }
}

/// One byte of a table: not valued (a draw, in the end), plies plus one, or no position.
pub(crate) const OPEN: u8 = 0;
pub(crate) const UNUSED: u8 = u8::MAX;
/// The longest distance a byte holds.
pub(crate) const DEEPEST: u32 = 253;

pub(crate) fn code(plies: u32) -> u8 {
    plies as u8 + 1
}

/// Wins take an odd number of plies, losses an even one.
pub(crate) fn decoded(code: u8) -> Value {
    match code {
        OPEN | UNUSED => Value::DRAW,
        code if code & 1 == 0 => Value::win_in(u32::from(code) - 1),
        code => Value::loss_in(u32::from(code) - 1),
    }
}

/// Counts of positions by value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

impl Totals {
    fn add(&mut self, wdl: Wdl, n: u64) {
        match wdl {
            Wdl::Win => self.win += n,
            Wdl::Draw => self.draw += n,
            Wdl::Loss => self.loss += n,
        }
    }
}

/// What one table, or several, hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions.
    pub totals: Totals,
    /// Positions up to symmetry.
    pub classes: Totals,
    /// The longest forced win, in plies.
    pub longest_win: Option<u32>,
    /// The longest resistance, in plies.
    pub longest_loss: Option<u32>,
    /// Positions whose mover cannot move.
    pub blocked: u64,
    /// Positions up to symmetry by value and distance, draws under no distance.
    pub by_distance: std::collections::BTreeMap<(Wdl, Option<u32>), u64>,
}

/// The solved tables.
#[derive(Clone, Debug)]
pub struct Retro<G: Indexed> {
    tables: FxHashMap<G::Shard, Vec<u8>>,
    order: Vec<G::Shard>,
}

/// Bytes needed: every table, and two bytes more for each position of the largest group.
#[must_use]
pub fn estimate<G: Indexed>(game: &G) -> u64 {
    let size = |unit: &Vec<G::Shard>| unit.iter().map(|&shard| game.shard_size(shard)).sum::<u64>();
    let units: Vec<u64> = game.units().iter().map(size).collect();
    units.iter().sum::<u64>() + 2 * units.iter().max().copied().unwrap_or(0)
}

impl<G: Indexed> Retro<G> {
    /// Solves every table, with at most `memory` bytes.
    pub fn solve(game: &G, memory: u64, ctx: &Ctx) -> Result<Retro<G>, NoTable> {
        let needed = estimate(game);
        if needed > memory {
            return Err(NoTable::Memory(needed));
        }
        let mut retro = Retro { tables: FxHashMap::default(), order: Vec::new() };
        let units = game.units();
        for (done, unit) in units.iter().enumerate() {
            ctx.progress("solving tables", done as u64, Some(units.len() as u64));
            ctx.check()?;
            let solved = Unit::solve(game, unit, &retro, ctx)?;
            retro.order.extend(unit);
            retro.tables.extend(unit.iter().copied().zip(solved));
        }
        Ok(retro)
    }

    /// The value of a position; `None` when no table holds it.
    #[must_use]
    pub fn value(&self, game: &G, pos: &G::Position) -> Option<Value> {
        if let Some(outcome) = game.outcome(pos) {
            return Some(Value::finished(outcome.seen_by(game.turn(pos))));
        }
        let place = game.place(pos);
        let code = *self.tables.get(&place.shard)?.get(place.index as usize)?;
        (code != UNUSED).then(|| decoded(code))
    }

    /// How many classes of positions are valued.
    #[must_use]
    pub fn classes(&self) -> u64 {
        self.tables.values().map(|table| table.iter().filter(|&&code| code != UNUSED).count() as u64).sum()
    }

    /// The tables, in the order they were solved.
    #[must_use]
    pub fn shards(&self) -> &[G::Shard] {
        &self.order
    }

    /// Calls `each` with every class of a table: a position, how many it stands for, its value.
    pub fn each(&self, game: &G, shard: G::Shard, mut each: impl FnMut(&G::Position, u64, Value)) {
        let Some(table) = self.tables.get(&shard) else { return };
        for (index, &code) in table.iter().enumerate().filter(|(_, code)| **code != UNUSED) {
            if let Some(pos) = game.position(shard, index as u64) {
                let stands_for = game.symmetries() / game.place(&pos).fixed_by;
                each(&pos, u64::from(stands_for), decoded(code));
            }
        }
    }

    /// What the tables hold together.
    #[must_use]
    pub fn stats(&self, game: &G, shards: &[G::Shard]) -> Stats {
        let mut stats = Stats::default();
        for &shard in shards {
            self.each(game, shard, |pos, n, value| {
                stats.totals.add(value.wdl(), n);
                stats.classes.add(value.wdl(), 1);
                match value.wdl() {
                    Wdl::Win => stats.longest_win = stats.longest_win.max(value.plies()),
                    Wdl::Loss => stats.longest_loss = stats.longest_loss.max(value.plies()),
                    Wdl::Draw => {}
                }
                *stats.by_distance.entry((value.wdl(), value.plies())).or_default() += 1;
                stats.blocked += if game.is_blocked(pos) { n } else { 0 };
            });
        }
        stats
    }

    /// A line of best play on both sides, of at most `longest` moves.
    #[must_use]
    pub fn line(&self, game: &G, from: &G::Position, longest: usize) -> Vec<G::Move> {
        let (mut pos, mut line) = (from.clone(), Vec::new());
        while let Some(mv) = self.best(game, &pos).filter(|_| line.len() < longest) {
            line.push(mv);
            game.play(&mut pos, mv);
        }
        line
    }

    /// A best move.
    fn best(&self, game: &G, pos: &G::Position) -> Option<G::Move> {
        let worth = |mv: &G::Move| self.value(game, &game.after(pos, *mv)).map(Value::a_ply_earlier);
        collect_moves(game, pos).into_iter().max_by_key(worth)
    }

    /// The bytes of a table.
    #[must_use]
    pub fn table(&self, shard: G::Shard) -> Option<&[u8]> {
        self.tables.get(&shard).map(Vec::as_slice)
    }
}

/// Looks values up in tables that others look into too.
#[derive(Clone, Debug)]
pub struct LookUp<G: Indexed>(pub Arc<Retro<G>>);

impl<G: Indexed> Solver<G> for LookUp<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, _ctx: &Ctx) -> Solution<G::Move> {
        let value = self.0.value(game, pos);
        Solution {
            value: value.map_or(Bounds::UNKNOWN, |v| Bounds::exactly(v.wdl())),
            plies: value.and_then(Value::plies),
            best: self.0.best(game, pos),
            nodes: 1,
            stopped: None,
        }
    }
}
