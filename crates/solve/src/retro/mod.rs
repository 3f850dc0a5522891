//! Retrograde analysis: the value and distance of every position of a game in which play can cycle
//! (Ströhlein 1970; Thompson 1986; for mills, Gasser 1996).
//!
//! Tables are solved one strongly connected component at a time, successors first. Within a component,
//! values propagate backwards from decided positions, one ply at a time:
//!
//! - a position with a move to a lost child is won, one ply later than the fastest such child;
//! - a position whose moves all lead to won children is lost, one ply later than the slowest of them;
//! - a position that is never decided is a draw: neither side can be forced out of infinite play.
//!
//! An index stands for an orbit of positions under symmetry. A move from orbit Q to orbit P is met once for
//! every unmove from P; counted from Q it is met |stabiliser of Q| / |stabiliser of P| times as often. With
//! that weight the count of unrefuted moves stays exact.
//!
//! | module | idea |
//! |---|---|
//! | this one | look-ups in solved tables |
//! | `component` | retrograde analysis of one component |
//! | `slice` | the indices of one process, if several share a component |
//! | `together` | the levels of a component, by several processes |
//! | [`peers`] | what these processes send one another |
//! | [`folder`] | on-disk tables: solved one component at a time, checkpointed, resumable |
//! | [`smaller`] | tables without distances, and of chosen positions |
//! | `checkpoint` | the state of an unfinished component, in a file |
//! | `stats` | counts of the values in tables |
//! | `draws` | the structure of draws: forced moves, and strongly connected components |

mod checkpoint;
mod component;
mod draws;
pub mod folder;
pub mod peers;
mod slice;
pub mod smaller;
mod stats;
#[cfg(test)]
mod tests;
mod together;

use agon_core::indexed::{BulkIndexed, TableIndex};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Solution, Stop, Value, collect_moves};
use agon_table::values::{Code, DRAW, UNUSED};
use agon_table::{BadFile, Values};
use component::{Component, Finished, InMemory};
use folder::OnDisk;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub use draws::{Count, Draws};
pub use stats::Stats;

/// The number that can be too large for a table: the subject of [`Failed::OutOfRange`].
pub(crate) const FORCED_WIN: &str = "the length of a forced win in plies";

/// Why there is no table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoTable {
    /// The work was stopped.
    Stopped(Stop),
    /// The work needs this many bytes, more than allowed.
    Memory(u64),
    /// A forced win is longer than this many plies, the most that a code can express.
    TooDeep(u64),
    /// A file cannot be read or written.
    File(BadFile),
    /// The processes that share the work cannot finish it together, for this reason.
    Processes(String),
    /// The directory cannot be used, for this reason.
    Folder(String),
    /// This directory holds tables already, and the request was not to continue with them.
    Exists(String),
    /// The directory holds no tables of the game.
    None {
        /// The directory.
        folder: String,
        /// The game.
        game: String,
    },
}

impl From<Stop> for NoTable {
    fn from(stop: Stop) -> NoTable {
        NoTable::Stopped(stop)
    }
}

impl From<BadFile> for NoTable {
    fn from(bad: BadFile) -> NoTable {
        NoTable::File(bad)
    }
}

/// The code of a position that is decided in `plies`.
pub(crate) fn code(plies: u32) -> Code {
    plies as Code + 1
}

/// The value of a code. Wins take an odd number of plies, losses an even one.
pub(crate) fn decoded(code: Code) -> Value {
    match code {
        DRAW | UNUSED => Value::DRAW,
        code if code & 1 == 0 => Value::win_in(u32::from(code) - 1),
        code => Value::loss_in(u32::from(code) - 1),
    }
}

/// The plies until the end, where they are known: a table without distances says only who wins.
#[must_use]
pub fn known_plies(value: Value) -> Option<u32> {
    value.plies().filter(|&plies| plies < u32::from(agon_table::values::MAX_CODE))
}

/// The storage of a table's values.
#[derive(Debug)]
enum Source {
    Memory(Values),
    File(Box<OnDisk>),
}

/// Solved tables, in memory or on disk.
///
/// ```
/// use agon_core::{Ctx, Family, Game, Value};
/// use agon_games::mill::Mill;
/// use agon_solve::Retro;
///
/// let game = Mill::from_spelling("antrin:3").unwrap().0;
/// let tables = Retro::solve(&game, 1 << 26, &Ctx::default()).unwrap();
/// assert_eq!(tables.value(&game, &game.start()), Some(Value::DRAW));
/// ```
#[derive(Debug)]
pub struct Retro<G: BulkIndexed> {
    tables: FxHashMap<G::Shard, Source>,
    order: Vec<G::Shard>,
}

/// Bytes needed in memory: one for each index, and two more for each index of the largest component.
#[must_use]
pub fn estimate<G: BulkIndexed>(game: &G) -> u64 {
    let components = game.components();
    let all: u64 = components.iter().flatten().map(|&shard| game.shard_size(shard)).sum();
    all + components.iter().map(|shards| component::bytes_of(game, shards)).max().unwrap_or(0)
}

impl<G: BulkIndexed> Retro<G> {
    /// Solves every table in memory, with at most `memory` bytes.
    pub fn solve(game: &G, memory: u64, ctx: &Ctx) -> Result<Retro<G>, NoTable> {
        let needed = estimate(game);
        if needed > memory {
            return Err(NoTable::Memory(needed));
        }
        let mut retro = Retro::empty();
        let components = game.components();
        for (done, shards) in components.iter().enumerate() {
            ctx.progress("solving tables", done as u64, Some(components.len() as u64));
            ctx.check()?;
            let mut component = Component::new(game, shards);
            component.solve(&retro.finished(game, shards), &mut InMemory, ctx)?;
            let solved: Vec<Source> = (0..shards.len()).map(|table| Source::Memory(component.values(table))).collect();
            retro.order.extend(shards);
            retro.tables.extend(shards.iter().copied().zip(solved));
        }
        Ok(retro)
    }

    fn empty() -> Retro<G> {
        Retro { tables: FxHashMap::default(), order: Vec::new() }
    }

    /// The tables in memory that moves out of a component lead to.
    fn finished(&self, game: &G, component: &[G::Shard]) -> Finished<'_, G::Shard> {
        let mut list: Finished<'_, G::Shard> = Vec::new();
        for shard in component.iter().flat_map(|&shard| game.leads_to(shard)) {
            if let (Some(Source::Memory(values)), false) = (self.tables.get(&shard), list.iter().any(|t| t.0 == shard))
            {
                list.push((shard, values));
            }
        }
        list
    }

    /// The code at an index; `None` when no table holds it.
    fn code(&self, at: &TableIndex<G::Shard>) -> Result<Option<Code>, BadFile> {
        let code = match self.tables.get(&at.shard) {
            None => return Ok(None),
            Some(Source::Memory(values)) => values.get(at.index),
            Some(Source::File(file)) => file.table()?.get(at.index)?,
        };
        Ok((code != UNUSED).then_some(code))
    }

    /// The value at an index of a table; `None` when the index is unused or the table is not here.
    pub fn value_at(&self, shard: G::Shard, index: u64) -> Result<Option<Value>, BadFile> {
        Ok(self.code(&TableIndex { shard, index, stabiliser: 1 })?.map(decoded))
    }

    /// The value of a position; `None` when no table holds it. Fails when its table cannot be read.
    pub fn look_up(&self, game: &G, pos: &G::Position) -> Result<Option<Value>, BadFile> {
        match game.outcome(pos) {
            Some(outcome) => Ok(Some(Value::finished(outcome.seen_by(game.turn(pos))))),
            None => Ok(self.code(&game.table_index(pos))?.map(decoded)),
        }
    }

    /// [`Retro::look_up`] for tables in memory, which cannot fail.
    ///
    /// # Panics
    /// When the tables are on disk and cannot be read.
    #[must_use]
    pub fn value(&self, game: &G, pos: &G::Position) -> Option<Value> {
        self.look_up(game, pos).expect("tables in memory can be read")
    }

    /// The number of indices in all tables, used or not.
    #[must_use]
    pub fn size(&self) -> u64 {
        let size = |source: &Source| match source {
            Source::Memory(values) => values.len() as u64,
            Source::File(file) => file.size(),
        };
        self.tables.values().map(size).sum()
    }

    /// The tables, in the order they were solved.
    #[must_use]
    pub fn shards(&self) -> &[G::Shard] {
        &self.order
    }

    /// Returns whether the table of a shard is here.
    #[must_use]
    pub fn holds(&self, shard: G::Shard) -> bool {
        self.tables.contains_key(&shard)
    }

    /// Calls `each` with every orbit of a table: a position, the size of its orbit, its value. Tables on
    /// disk are read block by block.
    pub fn each(
        &self,
        game: &G,
        shard: G::Shard,
        mut each: impl FnMut(&G::Position, u64, Value),
    ) -> Result<(), BadFile> {
        for index in 0..game.shard_size(shard) {
            let Some(code) = self.code(&TableIndex { shard, index, stabiliser: 1 })? else { continue };
            if let Some(pos) = game.position(shard, index) {
                let orbit = game.symmetries() / game.table_index(&pos).stabiliser;
                each(&pos, u64::from(orbit), decoded(code));
            }
        }
        Ok(())
    }

    /// The first position of a table that has that value.
    pub fn find(&self, game: &G, shard: G::Shard, value: Value) -> Result<Option<G::Position>, BadFile> {
        for index in 0..game.shard_size(shard) {
            let code = self.code(&TableIndex { shard, index, stabiliser: 1 })?;
            if code.is_some_and(|code| decoded(code) == value) {
                return Ok(game.position(shard, index));
            }
        }
        Ok(None)
    }

    /// The combined statistics of some tables. Fails when one cannot be read.
    pub fn stats(&self, game: &G, shards: &[G::Shard]) -> Result<Stats, BadFile> {
        let mut stats = Stats::default();
        for &shard in shards {
            match self.tables.get(&shard) {
                None => {}
                Some(Source::Memory(values)) => {
                    stats.merge(&Stats::of_table(game, shard, 1, &|index| values.get(index)))
                }
                Some(Source::File(file)) => stats.merge(&folder::stats_of(file.table()?)?),
            }
        }
        Ok(stats)
    }

    /// A principal variation of at most `longest` moves.
    pub fn line(&self, game: &G, from: &G::Position, longest: usize) -> Result<Vec<G::Move>, BadFile> {
        let (mut pos, mut line) = (from.clone(), Vec::new());
        while line.len() < longest
            && let Some(mv) = self.best(game, &pos)?
        {
            line.push(mv);
            game.play(&mut pos, mv);
        }
        Ok(line)
    }

    /// A move that keeps the value of the position. Tables may lack the values of some moves; where none of the others
    /// keeps the value, or the position has none, no move is known to be best.
    fn best(&self, game: &G, pos: &G::Position) -> Result<Option<G::Move>, BadFile> {
        let Some(value) = self.look_up(game, pos)? else { return Ok(None) };
        let mut best = None;
        for mv in collect_moves(game, pos) {
            let value = self.look_up(game, &game.after(pos, mv))?.map(Value::to_parent);
            if best.is_none_or(|(highest, _)| value >= highest) {
                best = Some((value, mv));
            }
        }
        let keeps = |found: &(Option<Value>, G::Move)| found.0.is_some_and(|found| found.wdl() == value.wdl());
        Ok(best.filter(keeps).map(|(_, mv)| mv))
    }

    /// The values of a table, if it is in memory.
    #[must_use]
    pub fn table(&self, shard: G::Shard) -> Option<&Values> {
        match self.tables.get(&shard)? {
            Source::Memory(values) => Some(values),
            Source::File(_) => None,
        }
    }
}

/// A solver that looks values up in shared tables.
#[derive(Clone, Debug)]
pub struct LookUp<G: BulkIndexed>(pub Arc<Retro<G>>);

impl<G: BulkIndexed> Solver<G> for LookUp<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, _ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let value = self.0.look_up(game, pos).map_err(unreadable)?;
        Ok(Solution {
            value: value.map_or(Bounds::UNKNOWN, |v| Bounds::exactly(v.wdl())),
            plies: value.and_then(known_plies),
            best: self.0.best(game, pos).map_err(unreadable)?,
            nodes: 1,
            stopped: None,
        })
    }
}

/// Converts a bad table file into a solver's failure.
#[must_use]
pub fn unreadable(bad: BadFile) -> Failed {
    match bad {
        BadFile::Damaged { path, why } => Failed::Damaged { path, why },
        BadFile::Io { path, doing, why } => Failed::Io { path, doing, why },
        other => Failed::Unsuitable(other.to_string()),
    }
}
