//! Tables on disk, solved one component at a time, checkpointed and resumable. Each table is a file, renamed into
//! place when it is complete; a checkpoint of the unfinished component lies beside them, so that work that was killed
//! at any moment continues from its last checkpoint.

mod claim;
mod records;
mod together;

use super::checkpoint::{self, Checkpoint};
use super::component::{self, Checkpoints as _, Component};
use super::{NoTable, Retro, Source, Stats};
use crate::Totals;
use agon_core::Ctx;
use agon_core::family::same_game;
use agon_core::indexed::BulkIndexed;
use agon_table::blocks::{Complete, canonical};
use agon_table::directory::{self, ENDING, Listed};
use agon_table::record::{self, Made};
use agon_table::values::{BLOCK, MAX_CODE, Values};
use agon_table::{BadFile, Table, Writer};
use claim::{claim, prepare, without_rules};
use records::{Inputs, is_solved};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
pub use together::{Sent, estimate_each, solve_together};

/// Blocks of a batch that is compressed together, for each thread.
pub(super) const BLOCKS_PER_THREAD: usize = 16;

/// A job: which game to solve, where, and with which limits.
pub struct Job<'a> {
    /// The canonical spelling of the game.
    pub spelling: &'a str,
    /// The text of the rules, if they come from a file; the spelling then contains its hash.
    pub rules: Option<&'a str>,
    /// The directory of the tables.
    pub folder: &'a Path,
    /// Continue with the tables and the checkpoint in the directory.
    pub resume: bool,
    /// The memory limit, in bytes.
    pub memory: u64,
    /// Returns whether a checkpoint is due.
    pub due: &'a dyn Fn() -> bool,
    /// Called after a checkpoint is written.
    pub saved: &'a dyn Fn(),
    /// Called with the reason why an existing table is damaged and solved again.
    pub damaged: &'a dyn Fn(&str),
    /// Solve exactly the given components, beside other processes that work at others in the same directory. The tables
    /// that they lead to must be there, with the hashes that their records name.
    pub among_others: bool,
    /// How long to wait for another process that is at work on the same component.
    pub patience: Duration,
    /// The name of this worker in the records of tables.
    pub worker: Option<&'a str>,
}

/// The result of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Tables that were there already.
    pub found: usize,
    /// Tables solved.
    pub solved: usize,
}

/// The components that `wanted` and its successors belong to, in order; all components if it is `None`.
#[must_use]
pub fn needed<G: BulkIndexed>(game: &G, wanted: Option<G::Shard>) -> Vec<Vec<G::Shard>> {
    let components = game.components();
    let Some(wanted) = wanted else { return components };
    let component_of = |shard: G::Shard| components.iter().position(|component| component.contains(&shard));
    let mut reached = vec![false; components.len()];
    let mut todo: Vec<usize> = component_of(wanted).into_iter().collect();
    while let Some(component) = todo.pop() {
        if !std::mem::replace(&mut reached[component], true) {
            todo.extend(components[component].iter().flat_map(|&shard| game.leads_to(shard)).filter_map(component_of));
        }
    }
    components.into_iter().zip(reached).filter(|(_, reached)| *reached).map(|(component, _)| component).collect()
}

/// Peak memory in bytes: for the largest component, two bytes an index and the tables it leads to.
#[must_use]
pub fn estimate<G: BulkIndexed>(game: &G, components: &[Vec<G::Shard>]) -> u64 {
    let one = |component: &Vec<G::Shard>| {
        let before: u64 = leads_out(game, component).iter().map(|&shard| game.shard_size(shard)).sum();
        component::bytes_of(game, component) + before
    };
    components.iter().map(one).max().unwrap_or(0)
}

/// The tables outside a component that it leads to, each once.
fn leads_out<G: BulkIndexed>(game: &G, component: &[G::Shard]) -> Vec<G::Shard> {
    let mut list: Vec<G::Shard> = component.iter().flat_map(|&shard| game.leads_to(shard)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

pub(super) fn file_of<G: BulkIndexed>(game: &G, folder: &Path, shard: G::Shard) -> PathBuf {
    folder.join(format!("{}.{ENDING}", game.shard_name(shard)))
}

/// Solves components into a directory. The list must contain the successors of every component in it.
pub fn solve<G: BulkIndexed>(
    game: &G,
    components: &[Vec<G::Shard>],
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<Done, NoTable> {
    let needed = estimate(game, components);
    if needed > job.memory {
        return Err(NoTable::Memory(needed));
    }
    // Held until the end; the system releases it however the process ends.
    let _lock = prepare(game, job)?;
    let size = |component: &[G::Shard]| component.iter().map(|&shard| game.shard_size(shard)).sum::<u64>();
    let mut done = Done::default();
    let mut missing = Vec::new();
    for (read, component) in components.iter().enumerate() {
        ctx.progress("reading tables", read as u64, Some(components.len() as u64));
        // Among others, a component is examined again when it is claimed.
        if !job.among_others && is_solved(game, component, None, job, ctx)? {
            done.found += component.len();
        } else {
            missing.push(component);
        }
    }
    let total: u64 = missing.iter().map(|component| size(component)).sum();
    let mut finished = 0;
    for shards in missing {
        let progress = |now: u64| ctx.progress("solving tables", finished + now.min(size(shards)), Some(total));
        progress(0);
        ctx.check()?;
        let claim = claim(game, shards, job, ctx)?;
        let inputs = records::inputs(game, shards, job, ctx)?;
        if job.among_others && is_solved(game, shards, Some(&inputs), job, ctx)? {
            checkpoint::remove(game, job.folder, shards);
            done.found += shards.len();
        } else {
            solve_component(game, shards, &inputs, job, &progress, ctx)?;
            done.solved += shards.len();
        }
        claim.into_iter().for_each(claim::Claim::finished);
        finished += size(shards);
    }
    ctx.progress("solving tables", finished, Some(total));
    Ok(done)
}

/// Fails unless every file is a table of the game, under its own name.
fn all_fit<G: BulkIndexed>(game: &G, spelling: &str, listed: &[Listed]) -> Result<(), BadFile> {
    let names: HashSet<String> = game.components().into_iter().flatten().map(|shard| game.shard_name(shard)).collect();
    listed.iter().try_for_each(|listed| listed.fits(spelling, |name| names.contains(name)))
}

/// Solves one component and writes its tables.
fn solve_component<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    inputs: &Inputs,
    job: &Job<'_>,
    progress: &dyn Fn(u64),
    ctx: &Ctx,
) -> Result<(), NoTable> {
    let begun = Instant::now();
    let successors = successors(game, shards, job, ctx)?;
    let mut component = Component::new(game, shards);
    let mut checkpoint = Checkpoint::new(game, shards, job, progress, ctx.threads());
    if job.resume
        && let Some(mut saved) = checkpoint.found(&component)
    {
        checkpoint.restore(&mut component, &mut saved)?;
    }
    let finished: component::Finished<'_, G::Shard> =
        successors.iter().map(|(shard, values)| (*shard, values)).collect();
    // A stop comes after a checkpoint, or leaves the last one.
    component.solve(&finished, &mut checkpoint, ctx)?;
    drop(finished);
    drop(successors);
    for (table, &shard) in shards.iter().enumerate() {
        let stats = component.stats(table, ctx.threads());
        let values = |first: u64, last: u64| {
            let mut values = Values::with_capacity((last - first) as usize);
            (first..last).for_each(|index| values.push(component.code(table, index)));
            Ok(values)
        };
        let complete = match write(game, shard, &stats, values, job, ctx) {
            Err(NoTable::Stopped(stop)) => {
                checkpoint.save_last(&component)?;
                return Err(stop.into());
            }
            written => written?,
        };
        let made = made(game, shards, begun, ctx.threads(), checkpoint.resumed, job);
        place(game, shard, complete, inputs, made, job)?;
    }
    checkpoint::remove(game, job.folder, shards);
    Ok(())
}

/// The tables that a component leads to, in memory.
fn successors<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<Vec<(G::Shard, Values)>, NoTable> {
    let load = |shard: G::Shard| {
        ctx.check()?;
        Ok((shard, OnDisk::new(game, job.spelling, job.folder, shard).table()?.load()?))
    };
    leads_out(game, shards).into_iter().map(load).collect()
}

/// Gives a table that is complete its record and its name.
fn place<G: BulkIndexed>(
    game: &G,
    shard: G::Shard,
    complete: Complete,
    inputs: &Inputs,
    made: Made,
    job: &Job<'_>,
) -> Result<(), NoTable> {
    let hash = (complete.hash.to_hex().to_string(), complete.bytes);
    let record = records::new(game, shard, job, hash, inputs.clone(), Some(made));
    // The record first: a table that is there has a record, whenever the program ends.
    record::write(&file_of(game, job.folder, shard), &record)?;
    Ok(complete.place()?)
}

/// How the tables of a component are made, by work that began at `begun`.
fn made<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    begun: Instant,
    threads: usize,
    resumed: bool,
    job: &Job<'_>,
) -> Made {
    Made {
        worker: job.worker.map(String::from),
        at: record::now(),
        seconds: begun.elapsed().as_secs_f64(),
        threads,
        numbers: shards.iter().map(|&shard| game.shard_size(shard)).sum(),
        resumed,
    }
}

/// Writes one solved table under another name; `values` returns those of a range of indices.
fn write<G: BulkIndexed>(
    game: &G,
    shard: G::Shard,
    stats: &Stats,
    mut values: impl FnMut(u64, u64) -> Result<Values, BadFile>,
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<Complete, NoTable> {
    let (size, threads) = (game.shard_size(shard), ctx.threads());
    let mut fields = vec![
        ("kind", agon_table::values::KIND.to_string()),
        ("game", job.spelling.to_string()),
        ("shard", game.shard_name(shard)),
        ("phase", game.phase(shard).to_string()),
        ("numbers", size.to_string()),
    ];
    fields.extend(stats_fields(stats));
    fields.extend(job.rules.map(|rules| ("rules", rules.to_string())));
    let mut writer = Writer::create(&file_of(game, job.folder, shard), &fields)?;
    let mut begin = 0;
    while begin < size {
        ctx.check()?;
        let end = (begin + BLOCK * (BLOCKS_PER_THREAD * threads.max(1)) as u64).min(size);
        let block = |first: u64| Ok(values(first, (first + BLOCK).min(size))?.into_block());
        let blocks = (begin..end).step_by(BLOCK as usize).map(block).collect::<Result<Vec<_>, BadFile>>()?;
        writer.add(&blocks, threads)?;
        begin = end;
    }
    Ok(writer.complete()?)
}

/// The header fields of a table's statistics.
fn stats_fields(stats: &Stats) -> Vec<(&'static str, String)> {
    let triple = |t: &Totals| format!("{} {} {}", t.win, t.draw, t.loss);
    let distances = stats.by_distance.iter().filter_map(|((_, plies), n)| plies.map(|plies| (plies, n)));
    let mut distances: Vec<(u32, &u64)> = distances.collect();
    distances.sort_unstable();
    let distances: Vec<String> = distances.iter().map(|(plies, n)| format!("{plies}:{n}")).collect();
    vec![
        ("totals", triple(&stats.totals)),
        ("classes", triple(&stats.classes)),
        ("blocked", stats.blocked.to_string()),
        ("distances", distances.join(" ")),
    ]
}

/// The statistics in the header of a table.
pub fn stats_of(table: &Table) -> Result<Stats, BadFile> {
    let reader = table.reader();
    read_stats(|key| reader.field(key)).map_err(|key| reader.corrupt(&format!("`{key}` in its header cannot be read")))
}

/// Reads the fields that [`stats_fields`] writes; fails with the name of one that cannot be read.
fn read_stats<'a>(field: impl Fn(&str) -> Option<&'a str>) -> Result<Stats, &'static str> {
    let triple = |key: &'static str| -> Result<Totals, &'static str> {
        let counts: Option<Vec<u64>> = field(key).ok_or(key)?.split(' ').map(canonical).collect();
        match counts.as_deref() {
            Some(&[win, draw, loss]) => Ok(Totals { win, draw, loss }),
            _ => Err(key),
        }
    };
    let (totals, classes) = (triple("totals")?, triple("classes")?);
    let mut stats = Stats::default();
    let distances = field("distances").ok_or("distances")?;
    for part in distances.split(' ').filter(|part| !part.is_empty()) {
        let pair = part.split_once(':').and_then(|(plies, n)| Some((canonical::<u16>(plies)?, canonical(n)?)));
        let (plies, n) = pair.filter(|pair| pair.0 < MAX_CODE).ok_or("distances")?;
        stats.add(plies + 1, n, 0);
    }
    if classes.draw > 0 {
        stats.add(agon_table::values::DRAW, classes.draw, 0);
    }
    let blocked = field("blocked").and_then(canonical).ok_or("blocked")?;
    (stats.totals, stats.classes, stats.blocked) = (totals, classes, blocked);
    Ok(stats)
}

/// A table that is opened on first use.
#[derive(Debug)]
pub(super) struct OnDisk {
    path: PathBuf,
    /// The header must name this game, this shard and this size.
    game: String,
    shard: String,
    size: u64,
    /// True if a smaller table will do.
    any: bool,
    table: OnceLock<Table>,
}

impl OnDisk {
    fn new<G: BulkIndexed>(game: &G, spelling: &str, folder: &Path, shard: G::Shard) -> OnDisk {
        OnDisk {
            path: file_of(game, folder, shard),
            game: spelling.to_string(),
            shard: game.shard_name(shard),
            size: game.shard_size(shard),
            any: false,
            table: OnceLock::new(),
        }
    }

    /// The number of indices, used or not.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Opens the table, and fails unless it is the one that its name promises.
    pub(super) fn table(&self) -> Result<&Table, BadFile> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = if self.any { Table::open_any(&self.path)? } else { Table::open(&self.path)? };
        let reader = table.reader();
        let found = reader.field("game").unwrap_or("nothing");
        if !same_game(found, &self.game) {
            return Err(BadFile::damaged(&self.path, format!("it is a table of {found}, not of {}", self.game)));
        }
        if table.size() != self.size || reader.field("shard") != Some(&self.shard) {
            return Err(reader.corrupt("it has another size or name than the game gives it"));
        }
        Ok(self.table.get_or_init(|| table))
    }
}

impl<G: BulkIndexed> Retro<G> {
    /// Opens every table of a game in a directory. It reads the headers now, so that a directory with other contents is
    /// refused; blocks are read and decompressed on first use.
    pub fn open(game: &G, spelling: &str, folder: &Path) -> Result<Retro<G>, NoTable> {
        let shown = folder.display();
        let listed = directory::list(folder)?;
        let (own, other): (Vec<_>, Vec<_>) = listed.iter().partition(|listed| same_game(listed.game(), spelling));
        if let Some(other) = other.first() {
            let (found, hint) = (other.game(), without_rules(other.game(), spelling));
            return Err(match own.first() {
                Some(_) => BadFile::damaged(folder, format!("it mixes tables of {spelling} and of {found}")).into(),
                None => NoTable::Folder(format!("`{shown}` holds no tables of {spelling}: it holds {found}{hint}")),
            });
        }
        all_fit(game, spelling, &listed)?;
        let mut retro = Retro::empty();
        for shard in game.components().into_iter().flatten() {
            let file = OnDisk { any: true, ..OnDisk::new(game, spelling, folder, shard) };
            if file.path.exists() {
                retro.tables.insert(shard, Source::File(Box::new(file)));
                retro.order.push(shard);
            }
        }
        if retro.order.is_empty() {
            return Err(NoTable::None { folder: shown.to_string(), game: spelling.to_string() });
        }
        Ok(retro)
    }

    /// The statistics in the header of a table on disk.
    pub fn header(&self, shard: G::Shard) -> Result<Option<Stats>, BadFile> {
        match self.tables.get(&shard) {
            Some(Source::File(file)) => stats_of(file.table()?).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a whole table on disk, checks every block, and counts its values.
    pub fn recount(&self, game: &G, shard: G::Shard, threads: usize) -> Result<Option<Stats>, BadFile> {
        let Some(Source::File(file)) = self.tables.get(&shard) else { return Ok(None) };
        let table = file.table()?;
        if !table.is_complete() {
            table.reader().verify()?;
            return stats_of(table).map(Some);
        }
        let values = table.load()?;
        Ok(Some(Stats::of_table(game, shard, threads, &|index| values.get(index))))
    }
}

/// The game whose tables are in a directory: its spelling and, if they come from a file, its rules.
pub fn game_of(folder: &Path) -> Result<(String, Option<String>), NoTable> {
    let shown = folder.display();
    let listed = directory::list(folder)?;
    let first = listed.iter().find(|listed| !listed.unfinished);
    let first = first.ok_or_else(|| NoTable::Folder(format!("`{shown}` holds no tables")))?;
    let (game, rules) = (first.game().to_string(), first.field("rules").map(String::from));
    match listed.iter().find(|listed| !same_game(listed.game(), &game)) {
        None => Ok((game, rules)),
        Some(other) => {
            Err(BadFile::damaged(folder, format!("it mixes tables of {game} and of {}", other.game())).into())
        }
    }
}
