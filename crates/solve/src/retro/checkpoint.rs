//! Checkpoints: the state of an unfinished component, in a file.

use super::NoTable;
use super::component::{Checkpoints, Component, Stage};
use super::folder::{BLOCKS_PER_THREAD, Job};
use agon_core::family::same_game;
use agon_core::indexed::BulkIndexed;
use agon_table::directory::UNFINISHED;
use agon_table::{Reader, Writer};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// The kind in the header of a checkpoint. The version changes whenever positions get other indices.
const KIND: &str = "unfinished 2";
/// Bytes in a block of a checkpoint.
const STATE_BLOCK: usize = 1 << 20;

/// The checkpoint file of one component.
pub(super) struct Checkpoint<'a> {
    path: PathBuf,
    spelling: &'a str,
    names: String,
    job: &'a Job<'a>,
    progress: &'a dyn Fn(u64),
    threads: usize,
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
        let path = job.folder.join(UNFINISHED);
        Checkpoint { path, spelling: job.spelling, names: names.join(" "), job, progress, threads }
    }

    /// Restores the states of this component. A checkpoint of another component is obsolete and ignored.
    pub(super) fn restore<G: BulkIndexed>(&self, component: &mut Component<'_, G>) -> Result<(), NoTable> {
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

    fn save(&mut self, component: &Component<'_, G>) -> Result<(), NoTable> {
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
        (self.job.saved)();
        Ok(())
    }
}
