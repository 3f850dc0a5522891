//! Tables by retrograde analysis, for games that number their positions.

use super::cyclic::{ByFixpoint, evidence};
use super::{Found, Method, Methods, Purpose, Request, STRONG};
use crate::retro::{self, FORCED_WIN, NoTable, Retro, Stats, unreadable};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, BulkIndexed, Ctx, Solution, Symmetric};
use std::sync::{Arc, OnceLock};

/// Tables, once there are any. Clones share them.
#[derive(Debug)]
pub struct Tables<G: BulkIndexed>(Arc<OnceLock<Arc<Retro<G>>>>);

impl<G: BulkIndexed> Clone for Tables<G> {
    fn clone(&self) -> Tables<G> {
        Tables(self.0.clone())
    }
}

impl<G: BulkIndexed> Default for Tables<G> {
    /// No tables yet: they are solved in memory at the first question.
    fn default() -> Tables<G> {
        Tables(Arc::default())
    }
}

impl<G: BulkIndexed> From<Retro<G>> for Tables<G> {
    fn from(solved: Retro<G>) -> Tables<G> {
        Tables(Arc::new(OnceLock::from(Arc::new(solved))))
    }
}

impl<G: BulkIndexed> Tables<G> {
    /// The tables; solves them in memory if there are none yet.
    pub fn get(&self, game: &G, memory: u64, ctx: &Ctx) -> Result<Arc<Retro<G>>, Failed> {
        if let Some(solved) = self.0.get() {
            return Ok(solved.clone());
        }
        let solved = Arc::new(Retro::solve(game, memory, ctx).map_err(|why| why.failed(memory))?);
        Ok(self.0.get_or_init(|| solved).clone())
    }
}

impl NoTable {
    /// The same as a failure of the work; `allowed` is how much memory it might take.
    #[must_use]
    pub fn failed(self, allowed: u64) -> Failed {
        match self {
            NoTable::Stopped(stop) => stop.into(),
            NoTable::Memory(needed) => Failed::NoMemory { needed: Some(needed), allowed },
            NoTable::TooDeep(limit) => Failed::OutOfRange { what: FORCED_WIN.to_string(), limit },
            NoTable::Processes(why) => Failed::Processes(why),
            NoTable::File(bad) => unreadable(bad),
            NoTable::Folder(why) => Failed::Unsuitable(why),
            NoTable::Exists(folder) => Failed::TablesExist { folder },
            NoTable::None { folder, game } => Failed::NoTables { folder, game },
        }
    }
}

/// The methods for a game whose positions have indices; values come from `tables`.
#[must_use]
pub fn indexed<G: BulkIndexed + Symmetric>(tables: &Tables<G>) -> Methods<G> {
    vec![Box::new(ByTables(tables.clone())), Box::new(ByFixpoint)]
}

struct ByTables<G: BulkIndexed>(Tables<G>);

impl<G: BulkIndexed + Symmetric> Method<G> for ByTables<G> {
    fn name(&self) -> &'static str {
        STRONG
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let solved = self.0.get(game, request.memory, ctx)?;
        let value = solved.look_up(game, pos).map_err(unreadable)?.ok_or_else(|| {
            let why = "that position is in no table: no play leads to it, or its table was not solved";
            Failed::Unsuitable(why.to_string())
        })?;
        let solution = Solution {
            value: Bounds::exactly(value.wdl()),
            plies: retro::known_plies(value),
            best: solved.line(game, pos, 1).map_err(unreadable)?.first().copied(),
            nodes: solved.size(),
            stopped: None,
        };
        let mut found = Found::new(solution, STRONG);
        if request.totals {
            found.details.phases = phases(game, &solved)?;
        }
        if request.evidence {
            found.evidence = evidence(game, pos, |pos| solved.look_up(game, pos).map_err(unreadable), ctx);
        }
        Ok(found)
    }

    fn solver(&self, _: &G, _: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        Some(Box::new(LookUp { memory, tables: self.0.clone() }))
    }

    fn needs_table(&self) -> bool {
        true
    }
}

/// Solves the tables at the first question, and then looks values up.
struct LookUp<G: BulkIndexed> {
    memory: u64,
    tables: Tables<G>,
}

impl<G: BulkIndexed> Solver<G> for LookUp<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        retro::LookUp(self.tables.get(game, self.memory, ctx)?).solve(game, pos, ctx)
    }
}

/// The parts of a game, with what their tables hold.
fn phases<G: BulkIndexed>(game: &G, solved: &Retro<G>) -> Result<Vec<(&'static str, Stats)>, Failed> {
    let mut names: Vec<&'static str> = Vec::new();
    for &shard in solved.shards().iter().rev() {
        if !names.contains(&game.phase(shard)) {
            names.push(game.phase(shard));
        }
    }
    let phase = |name: &'static str| {
        let shards: Vec<_> = solved.shards().iter().copied().filter(|&shard| game.phase(shard) == name).collect();
        Ok((name, solved.stats(game, &shards).map_err(unreadable)?))
    };
    names.into_iter().map(phase).collect()
}
