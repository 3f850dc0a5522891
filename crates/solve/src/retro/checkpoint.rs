//! Checkpoints: the state of an unfinished component, in a file; or in several, if several processes share it.
//!
//! A checkpoint is a *set* of one or more files. Each names the blocks of places whose states it holds, and those among
//! them that the sweep of the level has not reached. Whoever continues reads the blocks that it needs from the files of
//! a complete set, so that any number of processes can continue what any other number has begun.

use super::NoTable;
use super::component::{Checkpoints, Component, Stage};
use super::folder::{BLOCKS_PER_THREAD, Job};
use super::slice::{BLOCK, overlaps};
use agon_core::family::same_game;
use agon_core::indexed::BulkIndexed;
use agon_table::directory::CHECKPOINT;
use agon_table::{BadFile, Reader, Writer};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The kind in the header of a checkpoint. The version changes whenever positions get other indices, or with the fields.
const KIND: &str = "unfinished 3";
/// Bytes in a block of a checkpoint.
const STATE_BLOCK: usize = 1 << 20;
/// Bytes of the states of one block of places.
const STATES: usize = 2 * BLOCK;

/// A program that is told to stop has about five seconds. A checkpoint that takes longer is left out: the last one
/// stays.
const TIME_TO_STOP: Duration = Duration::from_secs(4);
/// A checkpoint that takes longer than this is not written again before the work has had this many times as long.
const BRIEF: Duration = Duration::from_secs(1);
const LEAST_SHARE_OF_WORK: u32 = 20;
/// The bytes that one thread compresses and writes in a second, as long as no checkpoint was measured.
const BYTES_PER_SECOND: u64 = 200 << 20;

/// The name of the files of a component: that of its first table.
fn name_of<G: BulkIndexed>(game: &G, shards: &[G::Shard]) -> String {
    shards.first().map(|&shard| game.shard_name(shard)).unwrap_or_default()
}

/// Which set a file belongs to, and which part of it the file is. The file of a process that works alone is set 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Part {
    pub(super) set: u32,
    pub(super) processes: usize,
    pub(super) process: usize,
}

impl Part {
    const ALONE: Part = Part { set: 0, processes: 1, process: 0 };

    /// The path of the part, such as `6-6.agp` or `6-6.3.0-of-2.agp`.
    fn path(self, folder: &Path, name: &str) -> PathBuf {
        let Part { set, processes, process } = self;
        folder.join(match self {
            Part::ALONE => format!("{name}.{CHECKPOINT}"),
            _ => format!("{name}.{set}.{process}-of-{processes}.{CHECKPOINT}"),
        })
    }

    /// The part that a file is, if it is one of this component.
    fn of_file(file: &str, name: &str) -> Option<Part> {
        let rest = file.strip_prefix(name)?.strip_suffix(CHECKPOINT)?.strip_suffix('.')?;
        if rest.is_empty() {
            return Some(Part::ALONE);
        }
        let (set, of) = rest.strip_prefix('.')?.split_once('.')?;
        let (process, processes) = of.split_once("-of-")?;
        let part = Part { set: set.parse().ok()?, processes: processes.parse().ok()?, process: process.parse().ok()? };
        (part.process < part.processes && part.set > 0).then_some(part)
    }
}

/// The parts that lie in a directory.
fn parts(folder: &Path, name: &str) -> Vec<Part> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<Part> = entries.filter_map(|entry| Part::of_file(entry.file_name().to_str()?, name)).collect();
    found.sort_unstable();
    found
}

/// Removes all checkpoints of a component, since it is solved.
pub(super) fn remove<G: BulkIndexed>(game: &G, folder: &Path, shards: &[G::Shard]) {
    remove_others(folder, &name_of(game, shards), None);
}

/// Removes the sets of a component but this one.
fn remove_others(folder: &Path, name: &str, kept: Option<u32>) {
    for part in parts(folder, name).into_iter().filter(|part| kept != Some(part.set)) {
        let _ = std::fs::remove_file(part.path(folder, name));
    }
}

/// One file of a checkpoint.
struct File {
    reader: Reader,
    /// Blocks of places, in the order of the file.
    held: Vec<Range<usize>>,
    /// Blocks of the file that were read last, by their numbers.
    states: (usize, Vec<u8>),
    marks: (usize, Vec<u8>),
}

/// A complete checkpoint.
pub(super) struct Saved {
    pub(super) set: u32,
    processes: usize,
    plies: Option<u32>,
    deepest: u32,
    /// Blocks of places that the sweep has not reached.
    open: Vec<Range<usize>>,
    files: Vec<File>,
}

impl Saved {
    /// Opens a set. `None` if a part is missing, unreadable, or belongs to another component.
    fn open<G: BulkIndexed>(
        parts: &[Part],
        path: impl Fn(Part) -> PathBuf,
        checkpoint: &Checkpoint<'_>,
        component: &Component<'_, G>,
    ) -> Option<Saved> {
        let first = *parts.first()?;
        let mut saved = Saved {
            set: first.set,
            processes: first.processes,
            plies: None,
            deepest: 0,
            open: Vec::new(),
            files: Vec::new(),
        };
        let (places, mut run) = (component.slice.places(), None);
        for &part in parts {
            let reader = Reader::open(&path(part)).ok()?;
            let same = reader.field("game").is_some_and(|found| same_game(found, checkpoint.job.spelling))
                && reader.field("shards") == Some(&checkpoint.names)
                && reader.field("numbers") == Some(&places.to_string());
            if reader.field("kind") != Some(KIND) {
                return None;
            }
            let (held, open) = (ranges(reader.field("blocks")?)?, ranges(reader.field("open")?)?);
            let plies: i64 = reader.expect("plies").ok()?;
            let level = (u32::try_from(plies).ok(), reader.expect("deepest").ok()?);
            let own_run = reader.field("run").unwrap_or("0").to_string();
            let fits =
                saved.files.is_empty() || level == (saved.plies, saved.deepest) && run.as_ref() == Some(&own_run);
            if !same || !fits {
                return None;
            }
            run = Some(own_run);
            (saved.plies, saved.deepest) = level;
            saved.open.extend(open);
            saved.files.push(File { reader, held, states: (0, Vec::new()), marks: (0, Vec::new()) });
        }
        let blocks: usize = saved.files.iter().flat_map(|file| &file.held).map(|held| held.len()).sum();
        (parts.len() == first.processes && blocks == places / BLOCK).then_some(saved)
    }

    /// How far the work had come: of two checkpoints, the further one has the greater key.
    fn progress(&self) -> (Option<u32>, std::cmp::Reverse<usize>) {
        (self.plies, std::cmp::Reverse(self.open.iter().map(|range| range.len()).sum()))
    }

    /// Returns whether the component was solved, with this highest level.
    pub(super) fn is_finished(&self, plies: Option<u32>) -> bool {
        self.open.is_empty() && self.plies == plies
    }

    /// Numbers that differ for different checkpoints, with high probability.
    pub(super) fn key(&self) -> (u32, usize, Option<u32>, usize) {
        (self.set, self.processes, self.plies, self.progress().1.0)
    }

    /// Calls `each` with every wanted block of places: its number, the bytes of its states, and its marks.
    pub(super) fn read(
        &mut self,
        wanted: &[Range<usize>],
        mut each: impl FnMut(usize, &[u8], u64),
    ) -> Result<(), BadFile> {
        for file in &mut self.files {
            let all: usize = file.held.iter().map(|held| held.len()).sum();
            let (per_block, marks_begin) = (STATE_BLOCK / STATES, all.div_ceil(STATE_BLOCK / STATES));
            for (begin, places) in overlaps(&file.held, wanted) {
                for (at, place) in (begin..).zip(places) {
                    let bytes = cached(&file.reader, &mut file.states, at / per_block)?;
                    let from = at % per_block * STATES;
                    let short = || file.reader.corrupt("a block of states is too short");
                    let states = bytes.get(from..from + STATES).ok_or_else(short)?;
                    let (number, from) = (marks_begin + at * 8 / STATE_BLOCK, at * 8 % STATE_BLOCK);
                    let marks = cached(&file.reader, &mut file.marks, number)?;
                    let mark = marks.get(from..from + 8).and_then(|mark| mark.try_into().ok()).ok_or_else(short)?;
                    each(place, states, u64::from_le_bytes(mark));
                }
            }
        }
        Ok(())
    }
}

/// A block of a file, which is kept until another one is asked for.
fn cached<'a>(reader: &Reader, last: &'a mut (usize, Vec<u8>), number: usize) -> Result<&'a [u8], BadFile> {
    if last.1.is_empty() || last.0 != number {
        *last = (number, reader.block(number)?);
    }
    Ok(&last.1)
}

/// Ranges as text: `0-5 7-9`, where the ends are not included.
fn text_of(ranges: &[Range<usize>]) -> String {
    ranges.iter().map(|range| format!("{}-{}", range.start, range.end)).collect::<Vec<_>>().join(" ")
}

fn ranges(text: &str) -> Option<Vec<Range<usize>>> {
    let range = |text: &str| {
        let (start, end) = text.split_once('-')?;
        Some(start.parse().ok()?..end.parse().ok()?)
    };
    text.split(' ').filter(|part| !part.is_empty()).map(range).collect()
}

/// The checkpoint file of one component.
pub(super) struct Checkpoint<'a> {
    name: String,
    names: String,
    job: &'a Job<'a>,
    progress: &'a dyn Fn(u64),
    threads: usize,
    /// What this process has written last.
    part: Part,
    /// A number of this run. Parts of different runs are no set, even if both work in the directory at once.
    run: u64,
    /// How long the last checkpoint took, and when it was finished.
    took: Option<Duration>,
    last: Option<Instant>,
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
        let (name, names) = (name_of(game, shards), names.join(" "));
        Checkpoint {
            name,
            names,
            job,
            progress,
            threads,
            part: Part::ALONE,
            run: 0,
            took: None,
            last: None,
            resumed: false,
        }
    }

    /// The complete checkpoint of this component that has come furthest. One of another component is obsolete and
    /// ignored.
    pub(super) fn found<G: BulkIndexed>(&self, component: &Component<'_, G>) -> Option<Saved> {
        let mut sets: BTreeMap<(u32, usize), Vec<Part>> = BTreeMap::new();
        for part in parts(self.job.folder, &self.name) {
            sets.entry((part.set, part.processes)).or_default().push(part);
        }
        let path = |part: Part| part.path(self.job.folder, &self.name);
        let saved = sets.values().filter_map(|parts| Saved::open(parts, path, self, component));
        saved.max_by_key(Saved::progress)
    }

    /// The greatest number of a set that lies in the directory, complete or not.
    pub(super) fn last_set(&self) -> u32 {
        parts(self.job.folder, &self.name).into_iter().map(|part| part.set).max().unwrap_or(0)
    }

    /// From now on this process writes a part of each set, beginning after `set`.
    pub(super) fn share(&mut self, set: u32, process: usize, processes: usize, run: u64) {
        (self.part, self.run) = (Part { set, processes, process }, run);
    }

    /// Restores the states of a component from a checkpoint.
    pub(super) fn restore<G: BulkIndexed>(
        &mut self,
        component: &mut Component<'_, G>,
        saved: &mut Saved,
    ) -> Result<(), NoTable> {
        let (states, marks, slice) = (&component.states, &component.marks, &component.slice);
        saved.read(&slice.blocks(), |block, bytes, mark| {
            let Ok(begin) = slice.locate(block * BLOCK) else { return };
            for (state, pair) in states[begin..].iter().zip(bytes.chunks_exact(2)) {
                state.store(u16::from_le_bytes([pair[0], pair[1]]), Relaxed);
            }
            marks[begin / BLOCK].store(mark, Relaxed);
        })?;
        let open = slice.blocks_of_states(&saved.open);
        component.deepest.store(saved.deepest, Relaxed);
        component.stage = Stage { plies: saved.plies, open };
        self.resumed = true;
        Ok(())
    }
}

impl<G: BulkIndexed> Checkpoints<G> for Checkpoint<'_> {
    fn due(&self) -> bool {
        // Large checkpoints are written more rarely, so that most of the time is spent on the work.
        let often = self
            .took
            .zip(self.last)
            .is_some_and(|(took, last)| took > BRIEF && last.elapsed() < took * LEAST_SHARE_OF_WORK);
        !often && (self.job.due)()
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
        let slice = &component.slice;
        let fields = [
            ("kind", KIND.to_string()),
            ("game", self.job.spelling.to_string()),
            ("shards", self.names.clone()),
            ("numbers", slice.places().to_string()),
            ("plies", component.stage.plies.map_or(-1, i64::from).to_string()),
            ("deepest", component.deepest.load(Relaxed).to_string()),
            ("run", self.run.to_string()),
            ("blocks", text_of(&slice.blocks())),
            ("open", text_of(&slice.blocks_of_places(&component.stage.open))),
        ];
        if self.part != Part::ALONE {
            self.part.set += 1;
        }
        let mut writer = Writer::create(&self.part.path(self.job.folder, &self.name), &fields)?.fast();
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
        (self.took, self.last) = (Some(begun.elapsed()), Some(Instant::now()));
        (self.job.saved)();
        if self.part == Part::ALONE {
            remove_others(self.job.folder, &self.name, Some(Part::ALONE.set));
        }
        Ok(())
    }

    fn saved_by_all(&mut self, _component: &Component<'_, G>) {
        if self.part.process == 0 {
            remove_others(self.job.folder, &self.name, Some(self.part.set));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_their_parts() {
        let folder = Path::new("tables");
        for part in [Part::ALONE, Part { set: 12, processes: 16, process: 3 }] {
            let path = part.path(folder, "6-6");
            assert_eq!(Part::of_file(path.file_name().unwrap().to_str().unwrap(), "6-6"), Some(part));
        }
        for other in ["6-6.agt", "6-5.agp", "6-6.1.2-of-2.agp", "6-6.0.0-of-1.agp", "6-6.1.agp", "6-66.agp"] {
            assert_eq!(Part::of_file(other, "6-6"), None, "{other}");
        }
        assert_eq!(ranges(&text_of(&[0..5, 7..9])), Some(vec![0..5, 7..9]));
        assert_eq!((ranges(""), ranges("5")), (Some(vec![]), None));
    }
}
