//! Checks tables of values by forward moves alone: the value of every position must follow from the values of its
//! children, and the counts in the header of a table must be those of its contents.
//!
//! That suffices. A position of distance n is decided as claimed, by induction over n. At a claimed draw no move leads
//! to a lost child and some move leads to another draw, so that either side can stay among draws for ever.

use crate::judge::Rejected;
use agon_core::family::same_game;
use agon_core::indexed::{Indexed, TableIndex};
use agon_core::{Ctx, Notation, Rng, Stop, Value, Wdl};
use agon_table::directory;
use agon_table::values::{Code, DRAW, UNUSED, Values};
use agon_table::{BadFile, Table};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

impl From<BadFile> for Rejected {
    fn from(bad: BadFile) -> Rejected {
        Rejected::Corrupt(bad.to_string())
    }
}

/// The indices to check.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Extent {
    /// Every index.
    Full,
    /// A random sample of each table.
    Sample {
        /// The number of indices of each table.
        of_each: u64,
        /// The seed.
        seed: u64,
    },
    /// Each index with this probability, independently of the others.
    Share {
        /// The probability.
        share: f64,
        /// The seed.
        seed: u64,
    },
}

/// The probability that at least one of `wrong` wrong values is among those that are derived again, when each is with
/// probability `share`. A check finds still more: a wrong value can also show where its predecessors are derived.
#[must_use]
pub fn found_with(share: f64, wrong: f64) -> f64 {
    1.0 - (1.0 - share.clamp(0.0, 1.0)).powf(wrong)
}

/// Counts of what was checked and found correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Tables.
    pub tables: usize,
    /// Indices checked.
    pub indices: u64,
    /// Used indices among them.
    pub positions: u64,
}

/// Tables up to this size are loaded whole even for a sample.
const MAX_LOADED: u64 = 1 << 26;

/// Checks the tables in `folder`, which may contain tables of this game only. The tables that they lead to must be
/// there too.
pub fn check<G: Indexed + Notation>(
    game: &G,
    spelling: &str,
    folder: &Path,
    extent: Extent,
    ctx: &Ctx,
) -> Result<Checked, Rejected> {
    check_some(game, spelling, folder, None, extent, ctx)
}

/// The same for the named tables only, or for all.
pub fn check_some<G: Indexed + Notation>(
    game: &G,
    spelling: &str,
    folder: &Path,
    named: Option<&[String]>,
    extent: Extent,
    ctx: &Ctx,
) -> Result<Checked, Rejected> {
    let components = game.components();
    nothing_else(game, spelling, folder)?;
    let path = |shard: G::Shard| folder.join(format!("{}.agt", game.shard_name(shard)));
    let mut checked = Checked::default();
    let here: Vec<(usize, G::Shard)> = components
        .iter()
        .enumerate()
        .flat_map(|(component, shards)| shards.iter().map(move |&shard| (component, shard)))
        .filter(|&(_, shard)| match named {
            Some(named) => named.contains(&game.shard_name(shard)),
            None => path(shard).exists(),
        })
        .collect();
    for (done, &(component, shard)) in here.iter().enumerate() {
        ctx.progress("checking tables", done as u64, Some(here.len() as u64));
        let mut wanted: Vec<G::Shard> = components[component].clone();
        wanted.extend(game.leads_to(shard));
        let mut tables = BTreeMap::new();
        let own = open(game, spelling, &path(shard), shard)?;
        for shard in wanted {
            let table = open(game, spelling, &path(shard), shard)?;
            let load = extent == Extent::Full || table.size() <= MAX_LOADED;
            tables.insert(shard, if load { Source::Memory(table.load()?) } else { Source::File(table) });
        }
        let (indices, counted) = check_table(game, shard, &tables, extent, ctx)?;
        if extent == Extent::Full {
            counted.compare(game, shard, &own)?;
        }
        checked.tables += 1;
        checked.indices += indices;
        checked.positions += counted.positions();
    }
    Ok(checked)
}

/// Fails if the directory contains anything but tables of this game.
fn nothing_else<G: Indexed>(game: &G, spelling: &str, folder: &Path) -> Result<(), Rejected> {
    let names: HashSet<String> = game.components().into_iter().flatten().map(|shard| game.shard_name(shard)).collect();
    for listed in directory::list(folder)? {
        if !same_game(listed.game(), spelling) {
            let (shown, found) = (listed.path.display(), listed.game());
            return Err(Rejected::Corrupt(format!("`{shown}` is a table of {found}, not of {spelling}")));
        }
        listed.fits(spelling, |name| names.contains(name))?;
    }
    Ok(())
}

fn open<G: Indexed>(game: &G, spelling: &str, path: &Path, shard: G::Shard) -> Result<Table, Rejected> {
    let table = Table::open(path)?;
    let fits = table.reader().field("game").is_some_and(|found| same_game(found, spelling))
        && table.reader().field("shard") == Some(&game.shard_name(shard))
        && table.size() == game.shard_size(shard);
    let wrong = || Rejected::Corrupt(format!("`{}` is not that table of {spelling}", path.display()));
    fits.then_some(table).ok_or_else(wrong)
}

/// A table, in memory or read block by block.
enum Source {
    Memory(Values),
    File(Table),
}

impl Source {
    fn get(&self, index: u64) -> Result<Code, Rejected> {
        match self {
            Source::Memory(values) => Ok(values.get(index)),
            Source::File(table) => Ok(table.get(index)?),
        }
    }
}

type Tables<S> = BTreeMap<S, Source>;

/// The value of a code.
fn decoded(code: Code) -> Value {
    match code {
        DRAW => Value::DRAW,
        code if code.is_multiple_of(2) => Value::win_in(u32::from(code) - 1),
        code => Value::loss_in(u32::from(code) - 1),
    }
}

/// Counts of the values in a table.
#[derive(Default)]
struct Counts {
    /// For each code, the number of orbits and of positions.
    by_code: Vec<(u64, u64)>,
    /// Positions in which the side to move is blocked.
    blocked: u64,
}

impl Counts {
    fn add(&mut self, seen: &Confirmed) {
        let at = usize::from(seen.code);
        if self.by_code.len() <= at {
            self.by_code.resize(at + 1, (0, 0));
        }
        let slot = &mut self.by_code[at];
        (slot.0, slot.1) = (slot.0 + 1, slot.1 + seen.orbit);
        self.blocked += if seen.blocked { seen.orbit } else { 0 };
    }

    fn merge(&mut self, other: &Counts) {
        if self.by_code.len() < other.by_code.len() {
            self.by_code.resize(other.by_code.len(), (0, 0));
        }
        for (mine, theirs) in self.by_code.iter_mut().zip(&other.by_code) {
            (mine.0, mine.1) = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        self.blocked += other.blocked;
    }

    /// The number of orbits checked.
    fn positions(&self) -> u64 {
        self.by_code.iter().map(|(classes, _)| classes).sum()
    }

    /// Fails unless the header of the table has these counts.
    fn compare<G: Indexed>(&self, game: &G, shard: G::Shard, table: &Table) -> Result<(), Rejected> {
        let (mut classes, mut totals, mut distances) = ([0; 3], [0; 3], Vec::new());
        for (code, &(class, total)) in self.by_code.iter().enumerate().filter(|(_, (class, _))| *class > 0) {
            let column = match decoded(code as Code).wdl() {
                Wdl::Win => 0,
                Wdl::Draw => 1,
                Wdl::Loss => 2,
            };
            classes[column] += class;
            totals[column] += total;
            if code != usize::from(DRAW) {
                distances.push(format!("{}:{class}", code - 1));
            }
        }
        let triple = |[win, draw, loss]: [u64; 3]| format!("{win} {draw} {loss}");
        for (key, counted) in [
            ("totals", triple(totals)),
            ("classes", triple(classes)),
            ("blocked", self.blocked.to_string()),
            ("distances", distances.join(" ")),
            ("phase", game.phase(shard).to_string()),
        ] {
            let said = table.reader().field(key).unwrap_or("nothing");
            if said != counted {
                return Err(Rejected::Refuted(format!(
                    "the header of table {} says `{key} {said}`, and it is `{key} {counted}`",
                    game.shard_name(shard)
                )));
            }
        }
        Ok(())
    }
}

/// Chooses indices independently of one another.
struct Chance {
    salt: u64,
    /// An index is chosen if its random number of 64 bits is below this; nothing stands for all.
    below: Option<u64>,
}

impl Chance {
    fn takes(&self, index: u64) -> bool {
        let Some(below) = self.below else { return true };
        // The finaliser of SplitMix64: neighbours are as good as independent.
        let mut x = (index ^ self.salt).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) < below
    }
}

/// The share as a bound for numbers of 64 bits; nothing for everything.
fn below(share: f64) -> Option<u64> {
    (share < 1.0).then(|| (share.max(0.0) * 2f64.powi(64)) as u64)
}

/// A number for the name of a table (FNV-1a).
fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A position of a table, whose value was found correct.
struct Confirmed {
    code: Code,
    /// The size of its orbit.
    orbit: u64,
    /// True if the side to move is blocked.
    blocked: bool,
}

/// Checks indices of one table on all threads; returns their number, and the counts of their values.
fn check_table<G: Indexed + Notation>(
    game: &G,
    shard: G::Shard,
    tables: &Tables<G::Shard>,
    extent: Extent,
    ctx: &Ctx,
) -> Result<(u64, Counts), Rejected> {
    const INDICES_PER_CLAIM: u64 = 1 << 11;
    let size = game.shard_size(shard);
    let count = match extent {
        Extent::Full | Extent::Share { .. } => size,
        Extent::Sample { of_each, .. } => of_each.min(size),
    };
    // Each table has its own choice of indices.
    let mixed = |seed: u64| Rng::new(seed ^ name_hash(&game.shard_name(shard)));
    let chance = match extent {
        Extent::Share { share, seed } => Some(Chance { salt: mixed(seed).next_u64(), below: below(share) }),
        _ => None,
    };
    let sum = Mutex::new((0, Counts::default()));
    ctx.for_each(count.div_ceil(INDICES_PER_CLAIM), |claim| -> Result<(), Rejected> {
        let (mut meter, mut mine, mut taken) = (ctx.meter(), Counts::default(), 0);
        let begin = claim * INDICES_PER_CLAIM;
        for turn in begin..(begin + INDICES_PER_CLAIM).min(count) {
            if chance.as_ref().is_some_and(|chance| !chance.takes(turn)) {
                continue;
            }
            meter.tick()?;
            taken += 1;
            let index = match extent {
                Extent::Full | Extent::Share { .. } => turn,
                Extent::Sample { seed, .. } => {
                    Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(turn)).below(size as usize) as u64
                }
            };
            check_index(game, shard, index, tables)?.iter().for_each(|seen| mine.add(seen));
        }
        let (checked, counted) = &mut *sum.lock().map_err(|_| Stop::Interrupted)?;
        *checked += taken;
        counted.merge(&mine);
        Ok(())
    })?;
    sum.into_inner().map_err(|_| Rejected::Stopped(Stop::Interrupted))
}

/// The position of an index, if the index is used; fails if its value does not follow from its children.
fn check_index<G: Indexed + Notation>(
    game: &G,
    shard: G::Shard,
    index: u64,
    tables: &Tables<G::Shard>,
) -> Result<Option<Confirmed>, Rejected> {
    let name = || game.shard_name(shard);
    let said = tables[&shard].get(index)?;
    let Some(pos) = game.position(shard, index) else {
        let fine = said == UNUSED;
        let why = || Rejected::Refuted(format!("index {index} of {} has a value and no position", name()));
        return if fine { Ok(None) } else { Err(why()) };
    };
    let at = game.table_index(&pos);
    if said == UNUSED || (at.shard, at.index) != (shard, index) {
        return Err(Rejected::Refuted(format!("{} (index {index} of {}) has no value", game.show(&pos), name())));
    }
    let true_value = forward_value(game, &pos, tables)?;
    if decoded(said) != true_value {
        return Err(Rejected::Refuted(format!(
            "{} is said to be a {}, and by its moves it is a {true_value}",
            game.show(&pos),
            decoded(said)
        )));
    }
    let blocked = if game.blocked_lose() { true_value == Value::loss_in(0) } else { game.is_blocked(&pos) };
    Ok(Some(Confirmed { code: said, orbit: u64::from(game.symmetries() / at.stabiliser), blocked }))
}

/// The value of a position by the rules and the values of its children.
fn forward_value<G: Indexed>(game: &G, pos: &G::Position, tables: &Tables<G::Shard>) -> Result<Value, Rejected> {
    let value = |pos: &G::Position| -> Result<Value, Rejected> {
        if let Some(outcome) = game.outcome(pos) {
            return Ok(Value::finished(outcome.seen_by(game.turn(pos))));
        }
        let TableIndex { shard, index, .. } = game.table_index(pos);
        let table =
            tables.get(&shard).ok_or_else(|| Rejected::Corrupt(format!("no table {}", game.shard_name(shard))))?;
        match table.get(index)? {
            UNUSED => Err(Rejected::Refuted(format!("index {index} of {} has no value", game.shard_name(shard)))),
            code => Ok(decoded(code)),
        }
    };
    if game.outcome(pos).is_some() {
        return value(pos);
    }
    let (mut best, mut failed) = (Value::WORST, None);
    game.moves(pos, &mut |mv| {
        let after = game.after(pos, mv);
        // A code tells wins from losses by parity, which requires that the turn alternates.
        if game.turn(&after) == game.turn(pos) {
            failed = Some(Rejected::Corrupt("a table is about games in which the turn alternates".into()));
        }
        match value(&after) {
            Ok(after) => best = best.max(after.to_parent()),
            Err(why) => failed = Some(why),
        }
    });
    failed.map_or(Ok(best), Err)
}
