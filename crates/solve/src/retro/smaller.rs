//! Smaller tables for players: results without distances, or the positions that matter most in play.
//!
//! A player that knows the values of all moves plays perfectly, so the positions that matter are those that it has to
//! compare. They are found by play: a perfect player, which chooses among its best moves at random, meets an opponent
//! that chooses half of its moves at random among all. The values that it compares for the most frequent of its moves
//! are kept, as far as they fit.

use super::folder::{file_of, stats_of};
use super::{NoTable, Retro, Source};
use agon_core::indexed::{BulkIndexed, TableIndex};
use agon_core::{Ctx, Rng, collect_moves};
use agon_table::record::{self, Record};
use agon_table::smaller::{CHOSEN, ENTRIES, OUTCOMES, chosen, outcomes};
use agon_table::values::{BLOCK, Code, DRAW, UNUSED};
use agon_table::{BadFile, Table, Writer};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The most plies of a random game: a longer one tells nothing new.
const LONGEST_GAME: u32 = 120;
/// The least bytes of a chosen position in a file, for a first guess.
const BYTES_PER_ENTRY: f64 = 0.25;

/// What smaller tables are to hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Smaller {
    /// Every result, without distances.
    Outcomes,
    /// The values that matter most in play.
    Chosen {
        /// The most bytes of all files together.
        bytes: u64,
        /// The number of games that tell which positions matter.
        games: u64,
        /// The seed of the games.
        seed: u64,
    },
}

/// What was exported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Exported {
    /// Tables written.
    pub tables: usize,
    /// Bytes of their files.
    pub bytes: u64,
    /// Values in them.
    pub entries: u64,
    /// For chosen positions: how far they suffice in games that were not used for the choice.
    pub coverage: Option<Coverage>,
}

/// How far chosen positions suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Games played to find out.
    pub games: u64,
    /// Moves of the perfect player in them.
    pub decisions: u64,
    /// Those for which the value of every move is among the chosen.
    pub covered: u64,
}

impl Coverage {
    /// The share of the decisions that are covered.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.covered as f64 / (self.decisions as f64).max(1.0)
    }
}

/// The place of a position: its table and its index.
type Place<S> = (S, u64);

/// Writes smaller tables of those in `folder` to `out`, a directory that holds nothing yet.
pub fn export<G: BulkIndexed>(
    game: &G,
    spelling: &str,
    (folder, out): (&Path, &Path),
    what: Smaller,
    ctx: &Ctx,
) -> Result<Exported, NoTable> {
    let tables = Retro::open(game, spelling, folder)?;
    for &shard in tables.shards() {
        let Some(Source::File(file)) = tables.tables.get(&shard) else { continue };
        if !file.table()?.is_complete() {
            let why = "it is a smaller table already: export from complete ones";
            return Err(file.table()?.reader().unsuitable(why).into());
        }
    }
    let cannot = |error: std::io::Error| NoTable::File(BadFile::io(out, "use", error));
    std::fs::create_dir_all(out).map_err(cannot)?;
    if std::fs::read_dir(out).map_err(cannot)?.next().is_some() {
        return Err(NoTable::Folder(format!("`{}` is not empty: give a new directory", out.display())));
    }
    let export = Export { game, tables: &tables, folder, out };
    match what {
        Smaller::Outcomes => export.outcomes(ctx),
        Smaller::Chosen { bytes, games, seed } => export.chosen(bytes, games, seed, ctx),
    }
}

/// A move of the perfect player.
struct Decision<S> {
    /// How often it was met.
    times: u32,
    /// How many others were met before.
    seen: usize,
    /// What the player compares.
    values: Vec<(Place<S>, Code)>,
}

struct Export<'a, G: BulkIndexed> {
    game: &'a G,
    tables: &'a Retro<G>,
    folder: &'a Path,
    out: &'a Path,
}

/// A position that a move leads to: its place, unless the rules value it, and its code.
type Child<S> = (Option<Place<S>>, Code);

impl<G: BulkIndexed> Export<'_, G> {
    fn outcomes(&self, ctx: &Ctx) -> Result<Exported, NoTable> {
        let mut done = Exported::default();
        for (number, &shard) in self.tables.shards().iter().enumerate() {
            ctx.progress("exporting tables", number as u64, Some(self.tables.shards().len() as u64));
            let (table, size) = (self.table(shard)?, self.game.shard_size(shard));
            let values = table.load()?;
            let mut writer = self.writer(shard, table, OUTCOMES, &[("entries", size.to_string())])?;
            for begin in (0..size).step_by(BLOCK as usize) {
                ctx.check()?;
                let block = outcomes((begin..size.min(begin + BLOCK)).map(|index| values.get(index)));
                writer.add(&[block], 1)?;
            }
            done.bytes += self.finish(shard, writer)?;
            done.entries += size;
            done.tables += 1;
        }
        Ok(done)
    }

    fn chosen(&self, budget: u64, games: u64, seed: u64, ctx: &Ctx) -> Result<Exported, NoTable> {
        // 1. How often each decision was met, and in which order; then the values of the most frequent ones first.
        let mut decisions: FxHashMap<Place<G::Shard>, Decision<G::Shard>> = FxHashMap::default();
        for number in 0..games {
            ctx.progress("playing", number, Some(games));
            self.play(number, seed, ctx, &mut |compared| {
                let values = || compared.iter().filter_map(|&(place, code)| Some((place?, code)));
                let seen = decisions.len();
                // The position itself comes last.
                if let Some((own, _)) = values().last() {
                    decisions
                        .entry(own)
                        .or_insert_with(|| Decision { times: 0, seen, values: values().collect() })
                        .times += 1;
                }
            })?;
        }
        let mut frequent: Vec<Decision<G::Shard>> = decisions.into_values().collect();
        frequent.sort_unstable_by_key(|decision| (std::cmp::Reverse(decision.times), decision.seen));
        let mut known: HashSet<Place<G::Shard>> = HashSet::new();
        let ranked: Vec<(Place<G::Shard>, Code)> = frequent
            .into_iter()
            .flat_map(|decision| decision.values)
            .filter(|(place, _)| known.insert(*place))
            .collect();
        // 2. As many as fit.
        let mut keep = ranked.len().min((budget as f64 / BYTES_PER_ENTRY) as usize);
        loop {
            let written = self.write_chosen(&ranked[..keep], None)?.bytes;
            if written <= budget {
                break;
            }
            if keep == 0 {
                let least = written;
                return Err(NoTable::Folder(format!(
                    "a budget of {budget} bytes is too small: expected more than {least}"
                )));
            }
            keep = ((keep as f64 * 0.97 * budget as f64 / written as f64) as usize).min(keep - 1);
        }
        // 3. How far they suffice in other games.
        let kept: HashSet<Place<G::Shard>> = ranked[..keep].iter().map(|&(place, _)| place).collect();
        let mut coverage = Coverage { games: games.div_ceil(4), ..Coverage::default() };
        for number in 0..coverage.games {
            ctx.progress("measuring coverage", number, Some(coverage.games));
            self.play(games + number, seed, ctx, &mut |compared| {
                coverage.decisions += 1;
                let known = compared.iter().all(|(place, _)| place.is_none_or(|place| kept.contains(&place)));
                coverage.covered += u64::from(known);
            })?;
        }
        // The headers say so: the files are written once more.
        Ok(Exported { coverage: Some(coverage), ..self.write_chosen(&ranked[..keep], Some(coverage))? })
    }

    fn write_chosen(
        &self,
        ranked: &[(Place<G::Shard>, Code)],
        coverage: Option<Coverage>,
    ) -> Result<Exported, NoTable> {
        let mut of_table: BTreeMap<G::Shard, Vec<(u64, Code)>> = BTreeMap::new();
        for &((shard, index), code) in ranked {
            of_table.entry(shard).or_default().push((index, code));
        }
        for entry in std::fs::read_dir(self.out).into_iter().flatten().flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
        let mut done = Exported { entries: ranked.len() as u64, ..Exported::default() };
        let share = format!("{:.4}", coverage.unwrap_or_default().share());
        for (shard, mut entries) in of_table {
            entries.sort_unstable();
            let fields = [("entries", entries.len().to_string()), ("coverage", share.clone())];
            let mut writer = self.writer(shard, self.table(shard)?, CHOSEN, &fields)?;
            for entries in entries.chunks(ENTRIES) {
                writer.add(&[chosen(entries)], 1)?;
            }
            done.bytes += self.finish(shard, writer)?;
            done.tables += 1;
        }
        Ok(done)
    }

    fn table(&self, shard: G::Shard) -> Result<&Table, NoTable> {
        match self.tables.tables.get(&shard) {
            Some(Source::File(file)) => Ok(file.table()?),
            _ => Err(NoTable::Folder(format!("there is no table {}", self.game.shard_name(shard)))),
        }
    }

    /// A file with the header of the complete table and these fields.
    fn writer(&self, shard: G::Shard, table: &Table, kind: &str, more: &[(&str, String)]) -> Result<Writer, NoTable> {
        stats_of(table)?;
        let of_table = |key: &'static str| match key {
            "kind" => Some((key, kind.to_string())),
            _ => table.reader().field(key).map(|value| (key, value.to_string())),
        };
        let mut fields: Vec<(&str, String)> = agon_table::values::FIELDS.into_iter().filter_map(of_table).collect();
        fields.extend(more.iter().cloned());
        Ok(Writer::create(&file_of(self.game, self.out, shard), &fields)?)
    }

    /// Completes a file and writes its record, which names the table it was made from.
    fn finish(&self, shard: G::Shard, writer: Writer) -> Result<u64, NoTable> {
        let complete = writer.complete()?;
        let (name, source) = (self.game.shard_name(shard), file_of(self.game, self.folder, shard));
        let from = match record::read(&source)? {
            Some(record) => record.blake3,
            None => record::hash_of(&source)?.0,
        };
        let record = Record {
            format: record::FORMAT.to_string(),
            game: self.table(shard)?.reader().field("game").unwrap_or_default().to_string(),
            table: name.clone(),
            blake3: complete.hash.to_hex().to_string(),
            bytes: complete.bytes,
            numbers: self.game.shard_size(shard),
            inputs: BTreeMap::from([(name, from)]),
            agon: record::VERSION.to_string(),
            made: None,
        };
        record::write(&file_of(self.game, self.out, shard), &record)?;
        let bytes = complete.bytes;
        complete.place()?;
        Ok(bytes)
    }

    /// Plays one game; in even ones the perfect player begins. Calls `each` with what it compares before each move: its
    /// own position and those that its moves lead to.
    fn play(
        &self,
        number: u64,
        seed: u64,
        ctx: &Ctx,
        each: &mut impl FnMut(&[Child<G::Shard>]),
    ) -> Result<(), NoTable> {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let mut pos = self.game.start();
        for ply in 0..LONGEST_GAME {
            ctx.check()?;
            if self.game.outcome(&pos).is_some() {
                return Ok(());
            }
            let moves = collect_moves(self.game, &pos);
            let mut children = Vec::with_capacity(moves.len() + 1);
            for &mv in &moves {
                match self.child(&self.game.after(&pos, mv))? {
                    Some(child) => children.push(child),
                    // The tables of this part of the game are not there.
                    None => return Ok(()),
                }
            }
            let perfect = u64::from(ply) % 2 == number % 2;
            let best = children.iter().map(|&(_, code)| preference(code)).max();
            let good: Vec<usize> = (0..moves.len()).filter(|&at| Some(preference(children[at].1)) == best).collect();
            if perfect {
                children.extend(self.child(&pos)?);
                each(&children);
            }
            let among: Vec<usize> = if perfect || rng.unit() < 0.5 { good } else { (0..moves.len()).collect() };
            let Some(&at) = rng.pick(&among) else { return Ok(()) };
            self.game.play(&mut pos, moves[at]);
        }
        Ok(())
    }

    /// A position after a move; `None` if its table is not there.
    fn child(&self, pos: &G::Position) -> Result<Option<Child<G::Shard>>, NoTable> {
        if let Some(value) = self.game.outcome(pos).filter(|_| !self.game.is_indexed(pos)) {
            let value = value.seen_by(self.game.turn(pos));
            return Ok(Some((None, if value == agon_core::Wdl::Draw { DRAW } else { super::code(0) })));
        }
        let TableIndex { shard, index, .. } = self.game.table_index(pos);
        let code = self.tables.code(&TableIndex { shard, index, stabiliser: 1 })?;
        Ok(code.map(|code| (Some((shard, index)), code)))
    }
}

/// How much the mover likes a child with this code: a fast loss of the opponent most, a fast win of the opponent least.
fn preference(code: Code) -> i32 {
    match code {
        DRAW | UNUSED => 0,
        code if code % 2 == 1 => i32::from(Code::MAX) - i32::from(code),
        code => i32::from(code) - i32::from(Code::MAX),
    }
}
