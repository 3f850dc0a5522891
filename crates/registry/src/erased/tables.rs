//! Tables on disk, for games whose positions have indices.

mod find;

use super::capabilities::{Boards, Capabilities};
use super::game::Erased;
use super::{AnyGame, BoardRow, MoveValue};
use crate::Registry;
use agon_check::Rejected;
use agon_check::tables::{Checked, Extent};
use agon_core::{BulkIndexed, Ctx, Evaluate, Family, Stop, Symmetric, Value};
use agon_report::failure::Failure;
use agon_report::{MatchesReport, ShardReport};
use agon_solve::Retro;
use agon_solve::method::Tables;
use agon_solve::retro::NoTable;
use agon_solve::retro::folder::{self, Job, Sent};
use agon_solve::retro::peers::Peers;
use agon_solve::retro::smaller::{self, Exported, Smaller};
use agon_table::directory::ENDING;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use find::TableQuery;

/// A request to solve tables into a directory.
pub struct TableRequest<'a> {
    /// The directory.
    pub folder: &'a Path,
    /// Continue with the tables that are there.
    pub resume: bool,
    /// Only this table, and what it leads to.
    pub only: Option<&'a str>,
    /// Bytes to use at most.
    pub memory: u64,
    /// Returns whether it is time for a checkpoint.
    pub due: &'a dyn Fn() -> bool,
    /// Called when unfinished work was saved.
    pub saved: &'a dyn Fn(),
    /// Called with what is wrong with a table that was there and is solved again.
    pub damaged: &'a dyn Fn(&str),
    /// Solve exactly the components of these tables, beside other processes in the same directory.
    pub these: Option<&'a [String]>,
    /// How long to wait for another process that is at work on the same component.
    pub patience: Duration,
    /// The name of this worker in the records of tables.
    pub worker: Option<&'a str>,
}

impl<'a> TableRequest<'a> {
    /// A request to solve everything into a new directory.
    #[must_use]
    pub fn new(folder: &'a Path, memory: u64) -> TableRequest<'a> {
        TableRequest {
            folder,
            resume: false,
            only: None,
            memory,
            due: &|| false,
            saved: &|| (),
            damaged: &|_| (),
            these: None,
            patience: Duration::ZERO,
            worker: None,
        }
    }
}

/// Tables that are solved together, as a plan sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableUnit {
    /// The names of the tables.
    pub tables: Vec<String>,
    /// The number of indices of all of them.
    pub numbers: u64,
    /// The tables outside the unit that they lead to.
    pub inputs: Vec<String>,
    /// The memory that solving them takes, in bytes.
    pub bytes: u64,
    /// The part of it that every process needs, if several share the work.
    pub bytes_of_each: u64,
}

impl TableUnit {
    /// The memory of each of several processes that share the work, in bytes.
    #[must_use]
    pub fn bytes_among(&self, processes: u32) -> u64 {
        if processes < 2 { self.bytes } else { self.bytes_of_each + self.bytes.div_ceil(u64::from(processes)) }
    }
}

/// The missing tables of a directory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// Names of the tables of the game that are not there.
    pub missing: Vec<String>,
    /// Those of them that were asked for.
    pub wanted: Vec<String>,
    /// True if the table of the start position is missing.
    pub start: bool,
    /// A table that is there, and one it leads to that is not.
    pub broken: Option<(String, String)>,
}

/// Tables in a directory.
///
/// ```
/// use agon_check::tables::Extent;
/// use agon_core::Ctx;
/// use agon_registry::{Registry, erased::tables::TableRequest};
///
/// let game = Registry::standard().game("antrin:3").unwrap();
/// let tables = game.tables().expect("mill games have indices");
/// let folder = tempfile::tempdir().unwrap();
/// let request = TableRequest::new(folder.path(), 1 << 30);
/// let (found, solved) = tables.solve(&request, &Ctx::default()).unwrap();
/// assert!(found == 0 && solved > 0);
/// assert_eq!(tables.check(folder.path(), Extent::Full, &Ctx::default()).unwrap().tables, solved);
/// ```
pub trait AnyTables {
    /// The number of indices of all tables asked for, and the bytes of memory needed to solve them.
    fn size(&self, only: Option<&str>) -> Result<(u64, u64), Failure>;
    /// Solves tables into a directory; says how many were there already and how many were solved.
    fn solve(&self, request: &TableRequest<'_>, ctx: &Ctx) -> Result<(usize, usize), Failure>;
    /// The same with other processes, at the components that the request names.
    fn solve_together(
        &self,
        request: &TableRequest<'_>,
        peers: &mut dyn Peers,
        ctx: &Ctx,
    ) -> Result<(usize, usize, Sent), Failure>;
    /// The values in this directory, position by position.
    fn look_up(&self, folder: &Path) -> Result<Box<dyn AnyLookUp>, Failure>;
    /// The same game with values from this directory.
    fn open(&self, folder: &Path) -> Result<Box<dyn AnyGame>, Failure>;
    /// The statistics in the header of each table.
    fn stats(&self, folder: &Path) -> Result<Vec<ShardReport>, Failure>;
    /// A position of the longest win and how it is played on both sides: the table, the position, its moves.
    fn longest(&self, folder: &Path) -> Result<Option<(String, String, Vec<String>)>, Failure>;
    /// The positions that have a property: how many there are, and some of them.
    fn find(&self, folder: &Path, query: &TableQuery<'_>, ctx: &Ctx) -> Result<MatchesReport, Failure>;
    /// Reads every block and counts again; returns the numbers of tables and of indices.
    fn verify(&self, folder: &Path, ctx: &Ctx) -> Result<(usize, u64), Failure>;
    /// The tables that a directory lacks; `only` as for solving.
    fn gaps(&self, folder: &Path, only: Option<&str>) -> Result<Gaps, Failure>;
    /// Derives values again by forward moves.
    fn check(&self, folder: &Path, extent: Extent, ctx: &Ctx) -> Result<Checked, Rejected>;
    /// The same for these tables alone.
    fn check_some(&self, folder: &Path, these: &[String], extent: Extent, ctx: &Ctx) -> Result<Checked, Rejected>;
    /// The components, successors first; `only` as for solving.
    fn units(&self, only: Option<&str>) -> Result<Vec<TableUnit>, Failure>;
    /// Writes smaller tables of those in a directory to another one.
    fn export(&self, folder: &Path, out: &Path, what: Smaller, ctx: &Ctx) -> Result<Exported, Failure>;
}

/// Values of positions from tables. Nothing is searched, so a look-up is quick.
///
/// ```
/// use agon_core::{Ctx, Value};
/// use agon_registry::{Registry, erased::tables::TableRequest};
///
/// let game = Registry::standard().game("antrin:3").unwrap();
/// let (tables, folder) = (game.tables().unwrap(), tempfile::tempdir().unwrap());
/// let folder = folder.path();
/// tables.solve(&TableRequest::new(folder, 1 << 30), &Ctx::default()).unwrap();
/// assert_eq!(tables.look_up(folder).unwrap().value(&game.start()).unwrap(), Some(Value::DRAW));
/// ```
pub trait AnyLookUp: Send + Sync {
    /// The value for the side to move; `None` when no table holds the position.
    fn value(&self, pos: &str) -> Result<Option<Value>, Failure>;
}

/// Look-ups in the tables of one directory.
struct LookUp<G: Family + BulkIndexed> {
    erased: Erased<G>,
    tables: Retro<G>,
}

impl<G: Family + Symmetric + Evaluate + BulkIndexed> AnyLookUp for LookUp<G> {
    fn value(&self, pos: &str) -> Result<Option<Value>, Failure> {
        let value = self.tables.look_up(&self.erased.game, &self.erased.read(pos)?);
        value.map_err(|bad| no_table(bad.into(), 0, None))
    }
}

/// Tables of a game, for games whose positions have indices.
pub(super) trait TableSupport<G: Family>: Send + Sync {
    /// The tables of that game.
    fn of(&self, game: &Erased<G>) -> Box<dyn AnyTables>;
    /// Every board with what it is worth, where that is offered.
    fn boards(&self, game: &G, memory: u64, ctx: &Ctx) -> Option<Result<Vec<BoardRow>, Failure>>;
}

/// Tables in memory, or in a directory.
pub(super) struct OnDisk<G: BulkIndexed> {
    pub(super) tables: Tables<G>,
    pub(super) boards: Option<Boards<G>>,
}

impl<G: Family + Symmetric + Evaluate + BulkIndexed> TableSupport<G> for OnDisk<G> {
    fn of(&self, game: &Erased<G>) -> Box<dyn AnyTables> {
        Box::new(TableSet { erased: game.clone(), boards: self.boards })
    }

    fn boards(&self, game: &G, memory: u64, ctx: &Ctx) -> Option<Result<Vec<BoardRow>, Failure>> {
        let boards = self.boards?;
        let solved = self.tables.get(game, memory, ctx).map_err(Failure::from);
        Some(solved.and_then(|solved| boards(game, &solved)))
    }
}

/// The tables of one game.
struct TableSet<G: Family + BulkIndexed> {
    erased: Erased<G>,
    boards: Option<Boards<G>>,
}

impl<G: Family + BulkIndexed> TableSet<G> {
    fn components(&self, only: Option<&str>) -> Result<Vec<Vec<G::Shard>>, Failure> {
        let Some(name) = only else { return Ok(self.erased.game.components()) };
        let components = self.erased.game.components();
        Ok(folder::needed(&self.erased.game, Some(self.named(&components, name)?)))
    }

    /// The table of that name.
    fn named(&self, components: &[Vec<G::Shard>], name: &str) -> Result<G::Shard, Failure> {
        let all = || components.iter().flatten().copied();
        let found = all().find(|&shard| self.erased.game.shard_name(shard) == name);
        found.ok_or_else(|| Failure::NotOffered {
            what: format!("table `{name}`"),
            game: self.erased.spelling.clone(),
            offered: all().map(|shard| self.erased.game.shard_name(shard)).collect(),
        })
    }

    fn job<'a>(&'a self, request: &TableRequest<'a>) -> Job<'a> {
        Job {
            spelling: &self.erased.spelling,
            rules: self.erased.rules.as_deref(),
            folder: request.folder,
            resume: request.resume,
            memory: request.memory,
            due: request.due,
            saved: request.saved,
            damaged: request.damaged,
            among_others: request.these.is_some(),
            patience: request.patience,
            worker: request.worker,
        }
    }

    /// The components of these tables, in the order of the game.
    fn these(&self, names: &[String]) -> Result<Vec<Vec<G::Shard>>, Failure> {
        let components = self.erased.game.components();
        let wanted = names.iter().map(|name| self.named(&components, name)).collect::<Result<Vec<_>, _>>()?;
        Ok(components.into_iter().filter(|component| component.iter().any(|shard| wanted.contains(shard))).collect())
    }
}

impl<G: Family + Symmetric + Evaluate + BulkIndexed> AnyTables for TableSet<G> {
    fn size(&self, only: Option<&str>) -> Result<(u64, u64), Failure> {
        let components = self.components(only)?;
        let indices = components.iter().flatten().map(|&shard| self.erased.game.shard_size(shard)).sum();
        Ok((indices, folder::estimate(&self.erased.game, &components)))
    }

    fn solve(&self, request: &TableRequest<'_>, ctx: &Ctx) -> Result<(usize, usize), Failure> {
        let job = self.job(request);
        let components = match request.these {
            Some(names) => self.these(names)?,
            None => self.components(request.only)?,
        };
        let done = folder::solve(&self.erased.game, &components, &job, ctx);
        let done = done.map_err(|why| no_table(why, request.memory, Some(request.folder)))?;
        Ok((done.found, done.solved))
    }

    fn solve_together(
        &self,
        request: &TableRequest<'_>,
        peers: &mut dyn Peers,
        ctx: &Ctx,
    ) -> Result<(usize, usize, Sent), Failure> {
        let components = self.these(request.these.unwrap_or_default())?;
        let done = folder::solve_together(&self.erased.game, &components, &self.job(request), peers, ctx);
        let (done, sent) = done.map_err(|why| no_table(why, request.memory, Some(request.folder)))?;
        Ok((done.found, done.solved, sent))
    }

    fn look_up(&self, folder: &Path) -> Result<Box<dyn AnyLookUp>, Failure> {
        let erased = self.erased.clone();
        let tables = Retro::open(&erased.game, &erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        Ok(Box::new(LookUp { erased, tables }))
    }

    fn open(&self, folder: &Path) -> Result<Box<dyn AnyGame>, Failure> {
        let erased = &self.erased;
        let opened = Retro::open(&erased.game, &erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        let capabilities = Capabilities {
            count: erased.capabilities.count.clone(),
            records: erased.capabilities.records,
            positions_at_most: erased.capabilities.positions_at_most,
            ..Capabilities::indexed().with_tables(Tables::from(opened), self.boards)
        };
        Ok(Box::new(Erased { capabilities: Arc::new(capabilities), ..erased.clone() }))
    }

    fn stats(&self, folder: &Path) -> Result<Vec<ShardReport>, Failure> {
        let tables =
            Retro::open(&self.erased.game, &self.erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        let report = |&shard: &G::Shard| {
            let stats = tables.header(shard).map_err(|bad| no_table(bad.into(), 0, None))?.unwrap_or_default();
            let (name, phase) = (self.erased.game.shard_name(shard), self.erased.game.phase(shard));
            Ok(ShardReport::new(name, phase, self.erased.game.shard_size(shard), &stats))
        };
        tables.shards().iter().map(report).collect()
    }

    fn longest(&self, folder: &Path) -> Result<Option<(String, String, Vec<String>)>, Failure> {
        let tables =
            Retro::open(&self.erased.game, &self.erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        let bad = |bad: agon_table::BadFile| no_table(bad.into(), 0, None);
        let mut most = None;
        for &shard in tables.shards() {
            let plies = tables.header(shard).map_err(bad)?.and_then(|stats| stats.longest_win);
            if most.is_none_or(|(longest, _)| plies > longest) {
                most = Some((plies, shard));
            }
        }
        let Some((Some(plies), shard)) = most else { return Ok(None) };
        let Some(from) = tables.find(&self.erased.game, shard, Value::win_in(plies)).map_err(bad)? else {
            return Ok(None);
        };
        let line = tables.line(&self.erased.game, &from, plies as usize).map_err(bad)?;
        let names = self.erased.game.show_line(&from, &line).0;
        Ok(Some((self.erased.game.shard_name(shard), self.erased.game.show(&from), names)))
    }

    fn find(&self, folder: &Path, query: &TableQuery<'_>, ctx: &Ctx) -> Result<MatchesReport, Failure> {
        let tables =
            Retro::open(&self.erased.game, &self.erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        find::find(&self.erased, &tables, query, ctx)
    }

    fn verify(&self, folder: &Path, ctx: &Ctx) -> Result<(usize, u64), Failure> {
        let tables =
            Retro::open(&self.erased.game, &self.erased.spelling, folder).map_err(|why| no_table(why, 0, None))?;
        for (done, &shard) in tables.shards().iter().enumerate() {
            ctx.progress("reading tables", done as u64, Some(tables.shards().len() as u64));
            ctx.check()?;
            let bad = |bad: agon_table::BadFile| no_table(bad.into(), 0, None);
            let (said, found) = (
                tables.header(shard).map_err(bad)?,
                tables.recount(&self.erased.game, shard, ctx.threads()).map_err(bad)?,
            );
            if said != found {
                let name = self.erased.game.shard_name(shard);
                let why = format!("the counts in the header of table {name} do not match its contents");
                return Err(Failure::damaged(folder, why));
            }
        }
        Ok((tables.shards().len(), tables.size()))
    }

    fn gaps(&self, folder: &Path, only: Option<&str>) -> Result<Gaps, Failure> {
        let name = |shard: &G::Shard| self.erased.game.shard_name(*shard);
        let there = |shard: &G::Shard| folder.join(format!("{}.{ENDING}", name(shard))).exists();
        let missing = |components: &[Vec<G::Shard>]| {
            components.iter().flatten().filter(|shard| !there(shard)).map(name).collect()
        };
        let components = self.erased.game.components();
        let broken = components.iter().find_map(|component| {
            let mut present = component.iter().filter(|shard| there(shard));
            present.find_map(|&shard| {
                let leads_to = self.erased.game.leads_to(shard);
                let lost = component.iter().chain(&leads_to).find(|shard| !there(shard))?;
                Some((name(&shard), name(lost)))
            })
        });
        let start = !there(&self.erased.game.table_index(&self.erased.game.start()).shard);
        Ok(Gaps { missing: missing(&components), wanted: missing(&self.components(only)?), start, broken })
    }

    fn check(&self, folder: &Path, extent: Extent, ctx: &Ctx) -> Result<Checked, Rejected> {
        agon_check::tables::check(&self.erased.game, &self.erased.spelling, folder, extent, ctx)
    }

    fn check_some(&self, folder: &Path, these: &[String], extent: Extent, ctx: &Ctx) -> Result<Checked, Rejected> {
        agon_check::tables::check_some(&self.erased.game, &self.erased.spelling, folder, Some(these), extent, ctx)
    }

    fn units(&self, only: Option<&str>) -> Result<Vec<TableUnit>, Failure> {
        let game = &self.erased.game;
        let name = |shard: &G::Shard| game.shard_name(*shard);
        let unit = |component: &Vec<G::Shard>| {
            let mut inputs: Vec<G::Shard> = component.iter().flat_map(|&shard| game.leads_to(shard)).collect();
            inputs.sort_unstable();
            inputs.dedup();
            TableUnit {
                tables: component.iter().map(name).collect(),
                numbers: component.iter().map(|&shard| game.shard_size(shard)).sum(),
                inputs: inputs.iter().map(name).collect(),
                bytes: folder::estimate(game, std::slice::from_ref(component)),
                bytes_of_each: folder::estimate_each(game, std::slice::from_ref(component), usize::MAX),
            }
        };
        Ok(self.components(only)?.iter().map(unit).collect())
    }

    fn export(&self, folder: &Path, out: &Path, what: Smaller, ctx: &Ctx) -> Result<Exported, Failure> {
        let exported = smaller::export(&self.erased.game, &self.erased.spelling, (folder, out), what, ctx);
        exported.map_err(|why| no_table(why, 0, None))
    }
}

/// Turns the reason why there are no tables into a failure. `kept` is the directory with the finished work.
pub(super) fn no_table(why: NoTable, allowed: u64, kept: Option<&Path>) -> Failure {
    match (why, kept) {
        (NoTable::Stopped(Stop::Interrupted), Some(folder)) => {
            Failure::Saved(format!("interrupted; what was saved is in `{}`", folder.display()))
        }
        (why, _) => why.failed(allowed).into(),
    }
}

/// The game a directory holds tables of, built from what its files say; no other file is opened.
pub fn game_in(registry: &Registry, folder: &Path) -> Result<Box<dyn AnyGame>, Failure> {
    let (spelling, rules) = folder::game_of(folder).map_err(|why| no_table(why, 0, None))?;
    let game = registry.described(&spelling, rules.as_deref());
    game.map_err(|why| Failure::damaged(folder, format!("the tables cannot be used: {why}")))
}

/// The tables of a game, or that it has none.
pub fn tables_of(game: &dyn AnyGame) -> Result<Box<dyn AnyTables>, Failure> {
    let none = || {
        Failure::Usage(format!(
            "{} cannot have tables on disk, because its positions have no indices; solve it in memory",
            game.spelling()
        ))
    };
    game.tables().ok_or_else(none)
}

/// A position looked up: its value, and every move with its worth.
pub struct Probe {
    /// The position, canonical.
    pub position: String,
    /// The best any move reaches; nothing when the play is over.
    pub best: Option<MoveValue>,
    /// Every move, the best first.
    pub moves: Vec<MoveValue>,
}

/// Looks a position up.
pub fn probe(game: &dyn AnyGame, position: &str, ctx: &Ctx) -> Result<Probe, Failure> {
    let position = game.position(position)?;
    let mut moves = game.values(&position, ctx)?;
    moves.sort_by_key(|value| std::cmp::Reverse(value.preference()));
    Ok(Probe { position, best: moves.first().cloned(), moves })
}
