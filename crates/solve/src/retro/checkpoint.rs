//! Checkpoints: the state of an unfinished component, in a file.

use super::NoTable;
use super::component::{Checkpoints, Component, Stage};
use super::folder::{BLOCKS_PER_THREAD, Job};
use agon_core::family::same_game;
use agon_core::indexed::BulkIndexed;
use agon_table::directory::CHECKPOINT;
use agon_table::{Reader, Writer};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The kind in the header of a checkpoint. The version changes whenever positions get other indices.
const KIND: &str = "unfinished 2";
/// Bytes in a block of a checkpoint.
const STATE_BLOCK: usize = 1 << 20;

/// A program that is told to stop has about five seconds. A checkpoint that takes longer is left out: the last one
/// stays.
const TIME_TO_STOP: Duration = Duration::from_secs(4);
/// The bytes that one thread compresses and writes in a second, as long as no checkpoint was measured.
const BYTES_PER_SECOND: u64 = 200 << 20;

/// The path of the checkpoint of a component, which has the name of its first table.
pub(super) fn path_of<G: BulkIndexed>(game: &G, folder: &Path, shards: &[G::Shard]) -> PathBuf {
    let name = shards.first().map(|&shard| game.shard_name(shard)).unwrap_or_default();
    folder.join(format!("{name}.{CHECKPOINT}"))
}

/// The checkpoint file of one component.
pub(super) struct Checkpoint<'a> {
    path: PathBuf,
    spelling: &'a str,
    names: String,
    job: &'a Job<'a>,
    progress: &'a dyn Fn(u64),
    threads: usize,
    /// How long the last checkpoint took.
    took: Option<Duration>,
    /// True if the work continued from a checkpoint.
    pub(super) resumed: bool,
}

impl<'a> Checkpoint<'a> {
    pub(super) fn new<G: BulkIndexed>(
        game: &G,
        shards: &[G::Shard],
        job: &'a Job<'a>,
        progress: &'a dyn Fn(u64),
        threads: usize,
    ) -> Checkpoint<'a> {
        let names: Vec<String> = shards.iter().map(|&shard| game.shard_name(shard)).collect();
        let path = path_of(game, job.folder, shards);
        let names = names.join(" ");
        Checkpoint { path, spelling: job.spelling, names, job, progress, threads, took: None, resumed: false }
    }

    /// Restores the states of this component. A checkpoint of another component is obsolete and ignored.
    pub(super) fn restore<G: BulkIndexed>(&mut self, component: &mut Component<'_, G>) -> Result<(), NoTable> {
        let Ok(reader) = Reader::open(&self.path) else { return Ok(()) };
        let same = reader.field("kind") == Some(KIND)
            && reader.field("game").is_some_and(|found| same_game(found, self.spelling))
            && reader.field("shards") == Some(&self.names)
            && reader.field("numbers") == Some(&component.states.len().to_string());
        if !same {
            return Ok(());
        }
        let state_blocks = component.states.len().div_ceil(STATE_BLOCK / 2);
        for at in 0..state_blocks {
            let block = reader.block(at)?;
            let states = &component.states[at * (STATE_BLOCK / 2)..];
            for (state, pair) in states.iter().zip(block.chunks_exact(2)) {
                state.store(u16::from_le_bytes([pair[0], pair[1]]), Relaxed);
            }
        }
        let marks: Vec<u8> =
            (state_blocks..reader.blocks()).map(|at| reader.block(at)).collect::<Result<Vec<_>, _>>()?.concat();
        for (mark, bytes) in component.marks.iter().zip(marks.chunks_exact(8)) {
            mark.store(u64::from_le_bytes(bytes.try_into().unwrap_or_default()), Relaxed);
        }
        let plies: i64 = reader.expect("plies")?;
        component.deepest.store(reader.expect("deepest")?, Relaxed);
        component.stage = Stage { plies: u32::try_from(plies).ok(), next: reader.expect("next")? };
        self.resumed = true;
        Ok(())
    }

    /// Removes the checkpoint, since the component is solved.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl<G: BulkIndexed> Checkpoints<G> for Checkpoint<'_> {
    fn due(&self) -> bool {
        (self.job.due)()
    }

    fn progress(&self, indices: u64) {
        (self.progress)(indices);
    }

    fn stops_soundly(&self) -> bool {
        true
    }

    fn save_last(&mut self, component: &Component<'_, G>) -> Result<(), NoTable> {
        let bytes = 2 * component.states.len() as u64;
        let guess = Duration::from_secs(bytes / (BYTES_PER_SECOND * self.threads.max(1) as u64));
        if self.took.unwrap_or(guess) < TIME_TO_STOP { self.save(component) } else { Ok(()) }
    }

    fn save(&mut self, component: &Component<'_, G>) -> Result<(), NoTable> {
        let begun = Instant::now();
        let fields = [
            ("kind", KIND.to_string()),
            ("game", self.spelling.to_string()),
            ("shards", self.names.clone()),
            ("numbers", component.states.len().to_string()),
            ("plies", component.stage.plies.map_or(-1, i64::from).to_string()),
            ("next", component.stage.next.to_string()),
            ("deepest", component.deepest.load(Relaxed).to_string()),
        ];
        let mut writer = Writer::create(&self.path, &fields)?.fast();
        let bytes = |states: &[std::sync::atomic::AtomicU16]| -> Vec<u8> {
            let mut bytes = vec![0; 2 * states.len()];
            for (pair, state) in bytes.chunks_exact_mut(2).zip(states) {
                pair.copy_from_slice(&state.load(Relaxed).to_le_bytes());
            }
            bytes
        };
        for chunk in component.states.chunks(STATE_BLOCK / 2 * BLOCKS_PER_THREAD * self.threads.max(1)) {
            let blocks: Vec<Vec<u8>> = chunk.chunks(STATE_BLOCK / 2).map(bytes).collect();
            writer.add(&blocks, self.threads)?;
        }
        for chunk in component.marks.chunks(STATE_BLOCK / 8) {
            writer.add(&[chunk.iter().flat_map(|mark| mark.load(Relaxed).to_le_bytes()).collect()], 1)?;
        }
        writer.finish()?;
        self.took = Some(begun.elapsed());
        (self.job.saved)();
        Ok(())
    }
}
