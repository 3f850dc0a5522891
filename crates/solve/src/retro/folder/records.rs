//! Records of tables: what a component was computed from, and whether that is still what lies there.

use super::{Job, OnDisk, file_of, leads_out};
use crate::retro::NoTable;
use crate::retro::folder::stats_of;
use agon_core::Ctx;
use agon_core::family::same_game;
use agon_core::indexed::BulkIndexed;
use agon_table::record::{self, Made, Record};
use agon_table::{BadFile, Table};
use std::collections::BTreeMap;
use std::path::Path;

/// The tables that a component leads to, each with its hash.
pub(super) type Inputs = BTreeMap<String, String>;

/// The tables that a component leads to, with the hashes that their records name. Among others, every file must have
/// the hash that its record names, and the tables must have been computed from one another as they are now.
pub(super) fn inputs<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<Inputs, NoTable> {
    let mut inputs = Inputs::new();
    let mut made_from: Vec<(String, Inputs)> = Vec::new();
    for shard in leads_out(game, shards) {
        ctx.check()?;
        let (name, path) = (game.shard_name(shard), file_of(game, job.folder, shard));
        if !path.exists() {
            let why = format!("the work needs table {name}, and there is no such file");
            return Err(BadFile::io(&path, "read", why).into());
        }
        let record = match record::read(&path)? {
            Some(record) => record,
            None if job.among_others => {
                let why = "it has no record of its hash; a process that has the directory alone writes the missing \
                           records when it resumes";
                return Err(BadFile::io(&path, "use", why).into());
            }
            None => unknown(game, shard, job)?,
        };
        if job.among_others {
            is_recorded(&path, &record)?;
        }
        inputs.insert(name.clone(), record.blake3);
        made_from.push((name, record.inputs));
    }
    if job.among_others {
        for (table, before) in &made_from {
            let changed = before.iter().find(|(name, hash)| inputs.get(*name).is_some_and(|now| now != *hash));
            if let Some((name, _)) = changed {
                let why =
                    format!("table {table} was computed from another table {name}; remove {table} and solve it again");
                return Err(BadFile::damaged(job.folder, why).into());
            }
        }
    }
    Ok(inputs)
}

/// Fails unless the file has the hash that its record names.
fn is_recorded(path: &Path, record: &Record) -> Result<(), BadFile> {
    let (hash, _) = record::hash_of(path)?;
    if hash == record.blake3 {
        return Ok(());
    }
    Err(BadFile::damaged(path, format!("its hash is {hash}, and its record names {}", record.blake3)))
}

/// Writes the record of an intact table that has none.
pub(super) fn unknown<G: BulkIndexed>(game: &G, shard: G::Shard, job: &Job<'_>) -> Result<Record, NoTable> {
    let path = file_of(game, job.folder, shard);
    let (blake3, bytes) = record::hash_of(&path)?;
    let mut inputs = Inputs::new();
    for before in leads_out(game, &component_of(game, shard)) {
        let path = file_of(game, job.folder, before);
        if let Some(record) = record::read(&path).ok().flatten() {
            inputs.insert(game.shard_name(before), record.blake3);
        }
    }
    let record = new(game, shard, job, (blake3, bytes), inputs, None);
    record::write(&path, &record)?;
    Ok(record)
}

fn component_of<G: BulkIndexed>(game: &G, shard: G::Shard) -> Vec<G::Shard> {
    game.components().into_iter().find(|component| component.contains(&shard)).unwrap_or_default()
}

/// The record of a table with this hash and size.
pub(super) fn new<G: BulkIndexed>(
    game: &G,
    shard: G::Shard,
    job: &Job<'_>,
    (blake3, bytes): (String, u64),
    inputs: Inputs,
    made: Option<Made>,
) -> Record {
    Record {
        format: record::FORMAT.to_string(),
        game: job.spelling.to_string(),
        table: game.shard_name(shard),
        blake3,
        bytes,
        numbers: game.shard_size(shard),
        inputs,
        agon: record::VERSION.to_string(),
        made,
    }
}

/// Returns whether all tables of a component are there and intact. The header of an intact table is that of the game,
/// its contents have the hash in its record or match their checksums, and it was computed from `inputs`.
pub(super) fn is_solved<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    inputs: Option<&Inputs>,
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<bool, NoTable> {
    let mut whole = true;
    for &shard in shards {
        ctx.check()?;
        let file = OnDisk::new(game, job.spelling, job.folder, shard);
        if !file.path.exists() {
            whole = false;
            continue;
        }
        match file.table().and_then(|table| as_written(game, shard, inputs, job, table)) {
            Ok(recorded) => {
                if !recorded && !job.among_others {
                    unknown(game, shard, job)?;
                }
                whole &= recorded || !job.among_others;
            }
            Err(bad @ BadFile::Damaged { .. }) => {
                (job.damaged)(&bad.to_string());
                whole = false;
            }
            Err(unreadable) => return Err(unreadable.into()),
        }
    }
    Ok(whole)
}

/// Checks everything that needs no solving: phase and rules, readable counts, the hash or the checksum of every block.
/// Only the checker proves that the values are right. Returns whether the table has a record.
fn as_written<G: BulkIndexed>(
    game: &G,
    shard: G::Shard,
    inputs: Option<&Inputs>,
    job: &Job<'_>,
    table: &Table,
) -> Result<bool, BadFile> {
    let reader = table.reader();
    if reader.field("phase") != Some(game.phase(shard)) || reader.field("rules") != job.rules {
        return Err(reader.corrupt("its header names another phase or other rules than the game has"));
    }
    stats_of(table)?;
    let Some(record) = record::read(reader.path())? else {
        reader.verify()?;
        return Ok(false);
    };
    if !same_game(&record.game, job.spelling) || record.table != game.shard_name(shard) {
        return Err(BadFile::damaged(&record::record_of(reader.path()), "it is the record of another table"));
    }
    is_recorded(reader.path(), &record)?;
    let changed = inputs.and_then(|inputs| record.inputs.iter().find(|(name, hash)| inputs.get(*name) != Some(hash)));
    if let Some((name, _)) = changed {
        return Err(BadFile::damaged(reader.path(), format!("it was computed from another table {name}")));
    }
    Ok(true)
}
