//! Tables in a directory. Each is a file of its own, put in its place when it is whole; what is unfinished
//! is kept beside them, so that work that was killed at any moment goes on where it was last saved.

use super::unit::{self, Keeper, Stage, Unit};
use super::{NoTable, Retro, Source, Stats, Totals};
use agon_core::Ctx;
use agon_core::family::{rules_hash, same_game};
use agon_core::indexed::Indexed;
use agon_table::blocks::canonical;
use agon_table::directory::{self, ENDING, Listed, UNFINISHED};
use agon_table::values::{BLOCK, LARGEST, Values};
use agon_table::{BadFile, Reader, Table, Writer};
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;

/// What the head of unfinished work says that it is; another number where positions get other ones.
const KIND: &str = "unfinished 2";
/// Claimed by the program that works in the directory.
const LOCK: &str = ".lock";
/// Blocks compressed at once, for each thread.
const AT_ONCE: usize = 16;
/// Bytes of a block of unfinished work.
const STATE_BLOCK: usize = 1 << 20;

/// What to solve, and how.
pub struct Job<'a> {
    /// The canonical spelling of the game.
    pub spelling: &'a str,
    /// The rules, where they come from a file: the spelling has their hash.
    pub rules: Option<&'a str>,
    /// Where the tables go.
    pub folder: &'a Path,
    /// Go on with what is there.
    pub resume: bool,
    /// Bytes to use at most.
    pub memory: u64,
    /// Whether it is time to save unfinished work.
    pub due: &'a dyn Fn() -> bool,
    /// Called when unfinished work was saved.
    pub saved: &'a dyn Fn(),
    /// Called with what is wrong with a table that was there and is solved again.
    pub damaged: &'a dyn Fn(&str),
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Tables that were there already.
    pub found: usize,
    /// Tables solved.
    pub solved: usize,
}

/// The groups that `wanted` and everything it leads to are in, in order; every group without it.
#[must_use]
pub fn needed<G: Indexed>(game: &G, wanted: Option<G::Shard>) -> Vec<Vec<G::Shard>> {
    let units = game.units();
    let Some(wanted) = wanted else { return units };
    let group = |shard: G::Shard| units.iter().position(|unit| unit.contains(&shard));
    let mut keep = vec![false; units.len()];
    let mut todo: Vec<usize> = group(wanted).into_iter().collect();
    while let Some(unit) = todo.pop() {
        if !std::mem::replace(&mut keep[unit], true) {
            todo.extend(units[unit].iter().flat_map(|&shard| game.leads_to(shard)).filter_map(group));
        }
    }
    units.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(unit, _)| unit).collect()
}

/// Bytes of memory at most: for the largest group two bytes a number, and the tables it leads to.
#[must_use]
pub fn estimate<G: Indexed>(game: &G, units: &[Vec<G::Shard>]) -> u64 {
    let one = |unit: &Vec<G::Shard>| {
        let before: u64 = leads_out(game, unit).iter().map(|&shard| game.shard_size(shard)).sum();
        unit::bytes_of(game, unit) + before
    };
    units.iter().map(one).max().unwrap_or(0)
}

/// The tables outside a group that it leads to, each once.
fn leads_out<G: Indexed>(game: &G, unit: &[G::Shard]) -> Vec<G::Shard> {
    let mut list: Vec<G::Shard> = unit.iter().flat_map(|&shard| game.leads_to(shard)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

fn file_of<G: Indexed>(game: &G, folder: &Path, shard: G::Shard) -> PathBuf {
    folder.join(format!("{}.{ENDING}", game.shard_name(shard)))
}

/// Solves the groups `units`, which must be closed under what they lead to, into a directory.
pub fn solve<G: Indexed>(game: &G, units: &[Vec<G::Shard>], job: &Job<'_>, ctx: &Ctx) -> Result<Done, NoTable> {
    let needed = estimate(game, units);
    if needed > job.memory {
        return Err(NoTable::Memory(needed));
    }
    // Held until the end; let go by the system however the program ends.
    let _lock = prepare(game, job)?;
    let [found, missing] = sort_out(game, units, job, ctx)?;
    let tables = |units: &[&Vec<G::Shard>]| units.iter().map(|unit| unit.len()).sum();
    let numbers = |unit: &Vec<G::Shard>| unit.iter().map(|&shard| game.shard_size(shard)).sum::<u64>();
    let total: u64 = missing.iter().map(|unit| numbers(unit)).sum();
    let mut finished = 0;
    for shards in &missing {
        let progress = |done: u64| ctx.progress("solving tables", finished + done.min(numbers(shards)), Some(total));
        progress(0);
        ctx.check()?;
        solve_unit(game, shards, job, &progress, ctx)?;
        finished += numbers(shards);
    }
    ctx.progress("solving tables", finished, Some(total));
    Ok(Done { found: tables(&found), solved: tables(&missing) })
}

/// Some of the groups of a game.
type Groups<'a, G> = Vec<&'a Vec<<G as Indexed>::Shard>>;

/// The groups whose tables are all there and whole, and the others. The head of a table that is kept must be that of
/// the game, and every block must match its checksum, so that damage is repaired and never left behind.
fn sort_out<'a, G: Indexed>(
    game: &G,
    units: &'a [Vec<G::Shard>],
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<[Groups<'a, G>; 2], NoTable> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (done, unit) in units.iter().enumerate() {
        let mut whole = true;
        for &shard in unit {
            ctx.check()?;
            let file = OnDisk::new(game, job.spelling, job.folder, shard);
            if !file.path.exists() {
                whole = false;
                continue;
            }
            ctx.progress("reading tables", done as u64, Some(units.len() as u64));
            match file.table().and_then(|table| as_written(game, shard, job, table)) {
                Ok(()) => {}
                Err(BadFile::Corrupt(why)) => {
                    (job.damaged)(&why);
                    whole = false;
                }
                Err(unreadable) => return Err(unreadable.into()),
            }
        }
        if whole { found.push(unit) } else { missing.push(unit) }
    }
    Ok([found, missing])
}

/// Compares what can be compared without solving: phase and rules, counts that can be read, every block with its
/// checksum. That the values are right only the checker proves.
fn as_written<G: Indexed>(game: &G, shard: G::Shard, job: &Job<'_>, table: &Table) -> Result<(), BadFile> {
    let reader = table.reader();
    if reader.field("phase") != Some(game.phase(shard)) || reader.field("rules") != job.rules {
        return Err(reader.corrupt("its head names another phase or other rules than the game has"));
    }
    stats_of(table)?;
    reader.verify()
}

/// Makes the directory ready and claims it. A directory with anything but tables of this game is refused.
fn prepare<G: Indexed>(game: &G, job: &Job<'_>) -> Result<File, NoTable> {
    let shown = job.folder.display();
    let cannot = |error: std::io::Error| NoTable::File(BadFile::Io(format!("cannot use `{shown}`: {error}")));
    std::fs::create_dir_all(job.folder).map_err(cannot)?;
    let lock = File::create(job.folder.join(LOCK)).map_err(cannot)?;
    if lock.try_lock().is_err() {
        return Err(NoTable::File(BadFile::Io(format!("another program is working in `{shown}`"))));
    }
    let (mut some, mut left) = (false, Vec::new());
    for entry in std::fs::read_dir(job.folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == LOCK {
            continue;
        }
        if name.starts_with('.') && name.ends_with(".tmp") {
            left.push(path);
        } else if name == UNFINISHED || path.extension().is_some_and(|ending| ending == ENDING) {
            some = true;
        } else {
            return Err(NoTable::Folder(format!(
                "`{shown}` holds other files, such as `{name}`; give a directory of its own"
            )));
        }
    }
    let listed = directory::list(job.folder);
    let other = listed.iter().flatten().find(|listed| !same_game(listed.game(), job.spelling));
    if let Some(other) = other {
        let (found, hint) = (other.game(), without_rules(other.game(), job.spelling));
        return Err(NoTable::Folder(format!(
            "`{shown}` holds tables of {found}, not of {}{hint}; give another directory",
            job.spelling
        )));
    }
    if some && !job.resume {
        return Err(NoTable::Folder(format!("`{shown}` already holds tables; continue with --resume")));
    }
    let listed = listed.map_err(|bad| match bad {
        BadFile::Corrupt(why) => BadFile::Corrupt(format!("{why}; remove it to have it solved again")),
        unreadable => unreadable,
    })?;
    all_fit(game, job.spelling, &listed)?;
    // Left by work that was killed while writing.
    left.iter().for_each(|path| drop(std::fs::remove_file(path)));
    Ok(lock)
}

/// What to say about a game from a file that is named without its rules.
fn without_rules(found: &str, wanted: &str) -> &'static str {
    let family = |spelling: &str| agon_core::family::split_spelling(spelling).0.to_string();
    let old = rules_hash(found).is_none() && rules_hash(wanted).is_some() && family(found) == family(wanted);
    if old { " (an earlier version wrote them and did not keep the rules: solve them again)" } else { "" }
}

/// Fails unless every file is a table of the game, under its own name.
fn all_fit<G: Indexed>(game: &G, spelling: &str, listed: &[Listed]) -> Result<(), BadFile> {
    let names: HashSet<String> = game.units().into_iter().flatten().map(|shard| game.shard_name(shard)).collect();
    listed.iter().try_for_each(|listed| listed.fits(spelling, |name| names.contains(name)))
}

fn solve_unit<G: Indexed>(
    game: &G,
    shards: &[G::Shard],
    job: &Job<'_>,
    progress: &dyn Fn(u64),
    ctx: &Ctx,
) -> Result<(), NoTable> {
    let mut before: Vec<(G::Shard, Values)> = Vec::new();
    for shard in leads_out(game, shards) {
        before.push((shard, OnDisk::new(game, job.spelling, job.folder, shard).table()?.load()?));
    }
    let mut unit = Unit::new(game, shards);
    let mut keeper = Unfinished::new(game, shards, job, progress, ctx.threads());
    if job.resume {
        keeper.restore(&mut unit)?;
    }
    let finished = before.iter().map(|(shard, values)| (*shard, values)).collect();
    let solved = unit.solve(&finished, &mut keeper, ctx);
    if let Err(NoTable::Stopped(stop)) = solved {
        // States after a stop in mid-stretch cannot be gone on with; what was saved before can.
        return Err(stop.into());
    }
    solved?;
    drop(before);
    for (table, &shard) in shards.iter().enumerate() {
        write(game, &unit, table, shard, job, ctx.threads())?;
    }
    keeper.forget();
    Ok(())
}

fn write<G: Indexed>(
    game: &G,
    unit: &Unit<'_, G>,
    table: usize,
    shard: G::Shard,
    job: &Job<'_>,
    threads: usize,
) -> Result<(), NoTable> {
    let numbers = game.shard_size(shard);
    let stats = unit.stats(table, threads);
    let mut fields = vec![
        ("kind", agon_table::values::KIND.to_string()),
        ("game", job.spelling.to_string()),
        ("shard", game.shard_name(shard)),
        ("phase", game.phase(shard).to_string()),
        ("numbers", numbers.to_string()),
    ];
    fields.extend(stats_fields(&stats));
    fields.extend(job.rules.map(|rules| ("rules", rules.to_string())));
    let mut writer = Writer::create(&file_of(game, job.folder, shard), &fields)?;
    let mut begin = 0;
    while begin < numbers {
        let end = (begin + BLOCK * (AT_ONCE * threads.max(1)) as u64).min(numbers);
        let block = |first: u64| {
            let last = (first + BLOCK).min(numbers);
            let mut values = Values::with_capacity((last - first) as usize);
            (first..last).for_each(|number| values.push(unit.code(table, number)));
            values.into_block()
        };
        let blocks: Vec<Vec<u8>> = (begin..end).step_by(BLOCK as usize).map(block).collect();
        writer.add(&blocks, threads)?;
        begin = end;
    }
    writer.finish()?;
    Ok(())
}

/// What a table's head says about it.
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

/// What the head of a table says about it.
pub fn stats_of(table: &Table) -> Result<Stats, BadFile> {
    let reader = table.reader();
    let bad = |key: &str| reader.corrupt(&format!("`{key}` in its head cannot be read"));
    let triple = |key: &str| -> Result<Totals, BadFile> {
        let text = reader.field(key).ok_or_else(|| bad(key))?;
        let numbers: Option<Vec<u64>> = text.split(' ').map(canonical).collect();
        match numbers.as_deref() {
            Some(&[win, draw, loss]) => Ok(Totals { win, draw, loss }),
            _ => Err(bad(key)),
        }
    };
    let (totals, classes) = (triple("totals")?, triple("classes")?);
    let mut stats = Stats::default();
    let distances = reader.field("distances").ok_or_else(|| bad("distances"))?;
    for part in distances.split(' ').filter(|part| !part.is_empty()) {
        let pair = part.split_once(':').and_then(|(plies, n)| Some((canonical::<u16>(plies)?, canonical(n)?)));
        let (plies, n) = pair.filter(|pair| pair.0 < LARGEST).ok_or_else(|| bad("distances"))?;
        stats.add(plies + 1, n, 0);
    }
    if classes.draw > 0 {
        stats.add(agon_table::values::DRAW, classes.draw, 0);
    }
    (stats.totals, stats.classes, stats.blocked) = (totals, classes, reader.expect("blocked")?);
    Ok(stats)
}

/// A table that is opened when it is first asked for.
#[derive(Debug)]
pub(super) struct OnDisk {
    path: PathBuf,
    /// What its head must say: game, shard, numbers.
    game: String,
    shard: String,
    numbers: u64,
    table: OnceLock<Table>,
}

impl OnDisk {
    fn new<G: Indexed>(game: &G, spelling: &str, folder: &Path, shard: G::Shard) -> OnDisk {
        OnDisk {
            path: file_of(game, folder, shard),
            game: spelling.to_string(),
            shard: game.shard_name(shard),
            numbers: game.shard_size(shard),
            table: OnceLock::new(),
        }
    }

    /// How many numbers it has.
    pub(super) fn numbers(&self) -> u64 {
        self.numbers
    }

    /// The table, which must be the one its name promises.
    pub(super) fn table(&self) -> Result<&Table, BadFile> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = Table::open(&self.path)?;
        let reader = table.reader();
        let found = reader.field("game").unwrap_or("nothing");
        if !same_game(found, &self.game) {
            let shown = self.path.display();
            return Err(BadFile::Corrupt(format!("`{shown}` is a table of {found}, not of {}", self.game)));
        }
        if table.numbers() != self.numbers || reader.field("shard") != Some(&self.shard) {
            return Err(reader.corrupt("it has another size or name than the game gives it"));
        }
        Ok(self.table.get_or_init(|| table))
    }
}

impl<G: Indexed> Retro<G> {
    /// Opens every table of a game that a directory holds. The heads are looked at now, so that a directory that holds
    /// anything else is refused; blocks are read and unpacked when they are asked for.
    pub fn open(game: &G, spelling: &str, folder: &Path) -> Result<Retro<G>, NoTable> {
        let shown = folder.display();
        let listed = directory::list(folder)?;
        let (own, other): (Vec<_>, Vec<_>) = listed.iter().partition(|listed| same_game(listed.game(), spelling));
        if let Some(other) = other.first() {
            let (found, hint) = (other.game(), without_rules(other.game(), spelling));
            return Err(match own.first() {
                Some(_) => BadFile::Corrupt(format!("`{shown}` mixes tables of {spelling} and of {found}")).into(),
                None => NoTable::Folder(format!("`{shown}` holds no tables of {spelling}: it holds {found}{hint}")),
            });
        }
        all_fit(game, spelling, &listed)?;
        let mut retro = Retro::empty();
        for shard in game.units().into_iter().flatten() {
            let file = OnDisk::new(game, spelling, folder, shard);
            if file.path.exists() {
                retro.tables.insert(shard, Source::File(file));
                retro.order.push(shard);
            }
        }
        if retro.order.is_empty() {
            return Err(NoTable::Folder(format!(
                "`{shown}` holds no tables of {spelling}; `agon solve {spelling} --strong --table {shown}` makes them"
            )));
        }
        Ok(retro)
    }

    /// What the head of a table on disk says about it.
    pub fn head(&self, shard: G::Shard) -> Result<Option<Stats>, BadFile> {
        match self.tables.get(&shard) {
            Some(Source::File(file)) => stats_of(file.table()?).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a table whole, checking every block, and counts what it holds.
    pub fn recount(&self, game: &G, shard: G::Shard, threads: usize) -> Result<Option<Stats>, BadFile> {
        let Some(Source::File(file)) = self.tables.get(&shard) else { return Ok(None) };
        let values = file.table()?.load()?;
        Ok(Some(Stats::of_table(game, shard, threads, &|number| values.get(number))))
    }
}

/// The game whose tables a directory holds, as its files say: the spelling and, where they come from a file, the rules.
pub fn game_of(folder: &Path) -> Result<(String, Option<String>), NoTable> {
    let shown = folder.display();
    let listed = directory::list(folder)?;
    let first = listed.iter().find(|listed| !listed.unfinished);
    let first = first.ok_or_else(|| NoTable::Folder(format!("`{shown}` holds no tables")))?;
    let (game, rules) = (first.game().to_string(), first.field("rules").map(String::from));
    match listed.iter().find(|listed| !same_game(listed.game(), &game)) {
        None => Ok((game, rules)),
        Some(other) => {
            Err(BadFile::Corrupt(format!("`{shown}` mixes tables of {game} and of {}", other.game())).into())
        }
    }
}

/// Unfinished work of one group, saved now and then.
struct Unfinished<'a> {
    path: PathBuf,
    spelling: &'a str,
    names: String,
    job: &'a Job<'a>,
    progress: &'a dyn Fn(u64),
    threads: usize,
}

impl<'a> Unfinished<'a> {
    fn new<G: Indexed>(
        game: &G,
        shards: &[G::Shard],
        job: &'a Job<'a>,
        progress: &'a dyn Fn(u64),
        threads: usize,
    ) -> Unfinished<'a> {
        let names: Vec<String> = shards.iter().map(|&shard| game.shard_name(shard)).collect();
        let path = job.folder.join(UNFINISHED);
        Unfinished { path, spelling: job.spelling, names: names.join(" "), job, progress, threads }
    }

    /// Takes up what was saved of this group. What was saved of another one is of no use any more.
    fn restore<G: Indexed>(&self, unit: &mut Unit<'_, G>) -> Result<(), NoTable> {
        let Ok(reader) = Reader::open(&self.path) else { return Ok(()) };
        let same = reader.field("kind") == Some(KIND)
            && reader.field("game").is_some_and(|found| same_game(found, self.spelling))
            && reader.field("shards") == Some(&self.names)
            && reader.field("numbers") == Some(&unit.states.len().to_string());
        if !same {
            return Ok(());
        }
        let words = unit.states.len().div_ceil(STATE_BLOCK / 2);
        for number in 0..words {
            let block = reader.block(number)?;
            let states = &unit.states[number * (STATE_BLOCK / 2)..];
            for (state, pair) in states.iter().zip(block.chunks_exact(2)) {
                state.store(u16::from_le_bytes([pair[0], pair[1]]), Relaxed);
            }
        }
        let marks: Vec<u8> =
            (words..reader.blocks()).map(|number| reader.block(number)).collect::<Result<Vec<_>, _>>()?.concat();
        for (mark, bytes) in unit.marks.iter().zip(marks.chunks_exact(8)) {
            mark.store(u64::from_le_bytes(bytes.try_into().unwrap_or_default()), Relaxed);
        }
        let plies: i64 = reader.expect("plies")?;
        unit.deepest.store(reader.expect("deepest")?, Relaxed);
        unit.stage = Stage { plies: u32::try_from(plies).ok(), next: reader.expect("next")? };
        Ok(())
    }

    fn forget(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl<G: Indexed> Keeper<G> for Unfinished<'_> {
    fn due(&self) -> bool {
        (self.job.due)()
    }

    fn progress(&self, numbers: u64) {
        (self.progress)(numbers);
    }

    fn save(&mut self, unit: &Unit<'_, G>) -> Result<(), NoTable> {
        let fields = [
            ("kind", KIND.to_string()),
            ("game", self.spelling.to_string()),
            ("shards", self.names.clone()),
            ("numbers", unit.states.len().to_string()),
            ("plies", unit.stage.plies.map_or(-1, i64::from).to_string()),
            ("next", unit.stage.next.to_string()),
            ("deepest", unit.deepest.load(Relaxed).to_string()),
        ];
        let mut writer = Writer::create(&self.path, &fields)?.hasty();
        let bytes = |states: &[std::sync::atomic::AtomicU16]| -> Vec<u8> {
            let mut bytes = vec![0; 2 * states.len()];
            for (pair, state) in bytes.chunks_exact_mut(2).zip(states) {
                pair.copy_from_slice(&state.load(Relaxed).to_le_bytes());
            }
            bytes
        };
        for chunk in unit.states.chunks(STATE_BLOCK / 2 * AT_ONCE * self.threads.max(1)) {
            let blocks: Vec<Vec<u8>> = chunk.chunks(STATE_BLOCK / 2).map(bytes).collect();
            writer.add(&blocks, self.threads)?;
        }
        for chunk in unit.marks.chunks(STATE_BLOCK / 8) {
            writer.add(&[chunk.iter().flat_map(|mark| mark.load(Relaxed).to_le_bytes()).collect()], 1)?;
        }
        writer.finish()?;
        (self.job.saved)();
        Ok(())
    }
}
