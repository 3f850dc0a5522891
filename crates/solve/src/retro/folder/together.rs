//! One component solved by several processes, which see the same directory and have a line to one another.

use super::{
    Done, Inputs, Job, claim, is_solved, leads_out, made, place, prepare, read_stats, records, stats_fields,
    successors, write,
};
use crate::retro::checkpoint::{self, Checkpoint, Saved};
use crate::retro::component::{self, Checkpoints as _, Component, code_of};
use crate::retro::peers::{Lost, Peers};
use crate::retro::slice::{BLOCK, Slice};
use crate::retro::{NoTable, Stats};
use agon_core::Ctx;
use agon_core::indexed::BulkIndexed;
use agon_table::values::Values;
use agon_table::{BadFile, record};
use rustc_hash::FxHasher;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::time::Instant;

/// What the processes of a job sent one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    /// Batches of updates.
    pub batches: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Peak memory of one process among `processes`, in bytes: its slice of the largest component, the tables that it leads
/// to, and updates that wait to be sent.
#[must_use]
pub fn estimate_each<G: BulkIndexed>(game: &G, components: &[Vec<G::Shard>], processes: usize) -> u64 {
    let one = |component: &Vec<G::Shard>| {
        let before: u64 = leads_out(game, component).iter().map(|&shard| game.shard_size(shard)).sum();
        component::bytes_of(game, component) / processes as u64 + before + component::WAITING_BYTES
    };
    components.iter().map(one).max().unwrap_or(0)
}

/// Solves components together with other processes. Every process calls this with the same components and the same
/// directory, which holds the tables that the components lead to. The files are those that one process writes.
pub fn solve_together<G: BulkIndexed>(
    game: &G,
    components: &[Vec<G::Shard>],
    job: &Job<'_>,
    peers: &mut dyn Peers,
    ctx: &Ctx,
) -> Result<(Done, Sent), NoTable> {
    let needed = estimate_each(game, components, peers.processes());
    if needed > job.memory {
        return Err(NoTable::Memory(needed));
    }
    let _lock = prepare(game, job)?;
    let (mut done, mut peers) = (Done::default(), Counted { peers, sent: Sent::default() });
    for shards in components {
        let size: u64 = shards.iter().map(|&shard| game.shard_size(shard)).sum();
        let progress = |now: u64| ctx.progress("solving tables", now.min(size), Some(size));
        // 1. All work at the same tables, from the same inputs.
        let inputs = records::inputs(game, shards, job, ctx)?;
        let names: Vec<String> = shards.iter().map(|&shard| game.shard_name(shard)).collect();
        agreed(&mut peers, &(job.spelling, names, &inputs, record::VERSION), "the same tables from the same inputs")?;
        // 2. The first process claims the component, and looks whether it is solved.
        let mut claimed = None;
        let mut solved = false;
        if peers.process() == 0 {
            claimed = claim(game, shards, job, ctx)?;
            solved = is_solved(game, shards, Some(&inputs), job, ctx)?;
        }
        let words = peers.end_round(u64::from(solved))?;
        if words.first() == Some(&1) {
            done.found += shards.len();
        } else {
            solve_component(game, shards, &inputs, job, &mut peers, &progress, ctx)?;
            done.solved += shards.len();
        }
        if peers.process() == 0 {
            checkpoint::remove(game, job.folder, shards);
            claimed.into_iter().for_each(claim::Claim::finished);
        }
        // 3. The tables are in place before anybody goes on.
        peers.end_round(0)?;
    }
    let own_sent = peers.sent;
    let mut sum = |sent: u64| Ok::<u64, Lost>(peers.end_round(sent)?.into_iter().sum());
    Ok((done, Sent { batches: sum(own_sent.batches)?, bytes: sum(own_sent.bytes)? }))
}

/// Fails unless all processes say the same.
fn agreed(peers: &mut dyn Peers, what: &impl Hash, on: &str) -> Result<(), NoTable> {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    let words = peers.end_round(hasher.finish())?;
    if words.iter().any(|word| *word != words[0]) {
        return Err(NoTable::Processes(format!("the processes do not see {on} in the directory")));
    }
    Ok(())
}

/// Solves one component; the first process writes its tables.
fn solve_component<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    inputs: &Inputs,
    job: &Job<'_>,
    peers: &mut dyn Peers,
    progress: &dyn Fn(u64),
    ctx: &Ctx,
) -> Result<(), NoTable> {
    let begun = Instant::now();
    let (process, processes) = (peers.process(), peers.processes());
    let mut component = Component::part(game, shards, Slice::part(game, shards, process, processes));
    let mut checkpoint = Checkpoint::new(game, shards, job, progress, ctx.threads());
    // 1. All continue from the same checkpoint, and number their own after every one that is there.
    let saved = checkpoint.found(&component);
    agreed(peers, &saved.as_ref().map(Saved::key), "the same checkpoint")?;
    let last = peers.end_round(checkpoint.last_set().into())?;
    let last = last.into_iter().max().unwrap_or(0) as u32;
    let run = peers.end_round(RandomState::new().hash_one(process))?;
    checkpoint.share(last, process, processes, run.first().copied().unwrap_or(0));
    if let Some(mut saved) = saved {
        checkpoint.restore(&mut component, &mut saved)?;
    }
    // 2. The levels. What they lead to is in the last checkpoint, in which nothing is open.
    let successors = successors(game, shards, job, ctx)?;
    let finished: component::Finished<'_, G::Shard> =
        successors.iter().map(|(shard, values)| (*shard, values)).collect();
    component.solve_together(&finished, peers, &mut checkpoint, ctx)?;
    drop(finished);
    drop(successors);
    checkpoint.save(&component)?;
    // 3. The first process gets the statistics, and writes the tables from the parts.
    let own = (0..shards.len()).map(|table| component.stats(table, ctx.threads()));
    let mut stats: Vec<Stats> = own.collect();
    if process > 0 {
        for (table, stats) in stats.iter().enumerate() {
            peers.send(0, stats_text(table, stats).into_bytes())?;
        }
    }
    peers.end_round(0)?;
    checkpoint.saved_by_all(&component);
    if process > 0 {
        return Ok(());
    }
    while let Some(text) = peers.receive()? {
        let (table, other) = stats_in(&text).filter(|(table, _)| *table < stats.len()).ok_or_else(unreadable)?;
        stats[table].merge(&other);
    }
    let last = checkpoint.found(&component).filter(|saved| saved.is_finished(component.stage.plies));
    let mut saved = last.ok_or_else(|| {
        NoTable::Processes("the last checkpoint of all processes cannot be read in the directory".to_string())
    })?;
    let (code_bits, slice) = (component.code_bits(), component.slice.clone());
    drop(component);
    for (table, (&shard, stats)) in shards.iter().zip(&stats).enumerate() {
        let values = |first: u64, last: u64| {
            let at = |index: u64| slice.place(table, index as usize);
            let wanted = at(first) / BLOCK..at(last).div_ceil(BLOCK);
            let mut states = vec![0; wanted.len() * BLOCK];
            let mut found = 0;
            saved.read(std::slice::from_ref(&wanted), |block, bytes, _| {
                found += 1;
                let begin = (block - wanted.start) * BLOCK;
                for (state, pair) in states[begin..].iter_mut().zip(bytes.chunks_exact(2)) {
                    *state = u16::from_le_bytes([pair[0], pair[1]]);
                }
            })?;
            if found < wanted.len() {
                return Err(BadFile::io(job.folder, "use", "the last checkpoint of all processes is not complete"));
            }
            let mut values = Values::with_capacity((last - first) as usize);
            states[..(last - first) as usize].iter().for_each(|&state| values.push(code_of(state, code_bits)));
            Ok(values)
        };
        let complete = write(game, shard, stats, values, job, ctx)?;
        let made = made(game, shards, begun, ctx.threads() * processes, checkpoint.resumed, job);
        place(game, shard, complete, inputs, made, job)?;
    }
    Ok(())
}

fn unreadable() -> NoTable {
    NoTable::Processes("a process sent statistics that cannot be read".to_string())
}

/// The statistics of a part of a table, as a message.
fn stats_text(table: usize, stats: &Stats) -> String {
    let fields = stats_fields(stats).into_iter().map(|(key, value)| format!("{key} {value}\n"));
    format!("table {table}\n{}", fields.collect::<String>())
}

fn stats_in(text: &[u8]) -> Option<(usize, Stats)> {
    let fields: Option<Vec<(&str, &str)>> =
        std::str::from_utf8(text).ok()?.lines().map(|line| line.split_once(' ')).collect();
    let fields = fields?;
    let field = |key: &str| fields.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    Some((field("table")?.parse().ok()?, read_stats(field).ok()?))
}

/// A line that counts what goes through it.
struct Counted<'a> {
    peers: &'a mut dyn Peers,
    sent: Sent,
}

impl Peers for Counted<'_> {
    fn process(&self) -> usize {
        self.peers.process()
    }

    fn processes(&self) -> usize {
        self.peers.processes()
    }

    fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost> {
        (self.sent.batches, self.sent.bytes) = (self.sent.batches + 1, self.sent.bytes + batch.len() as u64);
        self.peers.send(to, batch)
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        self.peers.receive()
    }

    fn end_round(&mut self, word: u64) -> Result<Vec<u64>, Lost> {
        self.peers.end_round(word)
    }
}
