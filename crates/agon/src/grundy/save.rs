//! Computes a sequence and saves it to a file along the way.

use crate::failure::Failure;
use agon_check::sequence::{self, Writer};
use agon_core::{Code, Ctx, Stop};
use agon_solve::grundy::{Failure as Stopped, Grundy, Method};
use agon_table::locked::Locked;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// No more work than this is ever lost.
const BETWEEN_SAVES: Duration = Duration::from_secs(20);

/// More than the 2^30 values that a file may hold can take.
const LARGEST_FILE: u64 = 5 << 30;

/// The file being written.
struct SequenceFile {
    file: Locked,
    name: String,
    writer: Writer,
    /// The number of values in it.
    len: usize,
}

impl SequenceFile {
    fn create(path: &Path, code: &Code) -> Result<SequenceFile, Failure> {
        let file = claim(path)?;
        if file.metadata().is_ok_and(|facts| facts.is_file()) {
            nothing_to_lose(path, code)?;
        }
        SequenceFile::begin(file, path, code)
    }

    /// Writes the beginning of a file and replaces what was there.
    fn begin(file: Locked, path: &Path, code: &Code) -> Result<SequenceFile, Failure> {
        let (writer, head) = Writer::new(code);
        if file.metadata().is_ok_and(|facts| facts.is_file()) {
            file.set_len(0).map_err(|error| cannot("write", path, &error))?;
        }
        let mut output = SequenceFile { file, name: path.display().to_string(), writer, len: 0 };
        output.write(&head)?;
        Ok(output)
    }

    /// Opens a file to continue it and returns the values in it.
    fn open(path: &Path, code: &Code) -> Result<(SequenceFile, Vec<u32>), Failure> {
        if path.exists() {
            // Opening a pipe for writing would wait for a reader.
            agon_table::regular::open(path).map_err(|error| cannot("read", path, &error))?;
        }
        let mut file = claim(path)?;
        let bytes = agon_table::regular::read(path, LARGEST_FILE).map_err(|error| cannot("read", path, &error))?;
        if Writer::new(code).1.starts_with(&bytes) {
            // The last run ended before it had written anything.
            return Ok((SequenceFile::begin(file, path, code)?, Vec::new()));
        }
        let read = sequence::read(&bytes).map_err(|why| Failure::damaged(path, why))?;
        if read.code != *code {
            let (there, name) = (&read.code, path.display());
            return Err(Failure::Usage(format!("`{name}` holds the sequence of {there}, not of {code}")));
        }
        // The last run ended while it wrote the bytes after the last complete block.
        let cut = file.set_len(read.whole as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| cannot("write", path, &error))?;
        let output =
            SequenceFile { file, name: path.display().to_string(), writer: read.writer, len: read.values.len() };
        Ok((output, read.values))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        written.map_err(|error| Failure::Failed(format!("cannot write `{}`: {error}", self.name)))
    }

    fn save(&mut self, grundy: &Grundy) -> Result<(), Failure> {
        let new: Vec<u32> = grundy.values().skip(self.len).collect();
        if !new.is_empty() {
            let block = self.writer.append(&new);
            self.write(&block)?;
            self.len += new.len();
        }
        Ok(())
    }
}

/// Opens a file for writing, which is made if it is not there, unless another process writes it.
fn claim(path: &Path) -> Result<Locked, Failure> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = file.map_err(|error| cannot("write", path, &error))?;
    Locked::new(file).ok_or_else(|| {
        let name = path.display();
        Failure::Failed(format!("another process writes `{name}`: wait for it, or give another file"))
    })
}

/// Fails unless the file is empty or no more than how a file of this sequence begins: nothing else is written over.
fn nothing_to_lose(path: &Path, code: &Code) -> Result<(), Failure> {
    let mut begins = Vec::new();
    // A code has at most 4096 digits.
    let read = agon_table::regular::open(path).and_then(|file| file.take(8192).read_to_end(&mut begins));
    read.map_err(|error| cannot("read", path, &error))?;
    if Writer::new(code).1.starts_with(&begins) {
        return Ok(());
    }
    let name = path.display();
    let there = begins.strip_prefix(sequence::MAGIC).and_then(|text| text.strip_prefix(b"code ")).and_then(|text| {
        let end = text.windows(2).position(|pair| pair == b"\n\n")?;
        std::str::from_utf8(&text[..end]).ok()?.parse::<Code>().ok()
    });
    Err(Failure::Usage(match there {
        Some(there) if there == *code => format!("`{name}` holds values already; continue with --resume, or remove it"),
        Some(there) => format!("`{name}` holds the sequence of {there}, not of {code}; give another file"),
        None => format!("`{name}` exists and is not a file of Grundy values; give another file, or remove it"),
    }))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("cannot {what} `{}`: {error}", path.display()))
}

/// Computes the sequence to `to`. On request it is saved to a file, or continued from it.
pub(super) fn run(code: &Code, to: usize, out: Option<&Path>, resume: bool, ctx: &Ctx) -> Result<Grundy, Failure> {
    let mut output = None;
    let mut known = vec![0];
    match out {
        Some(path) if resume && path.exists() => {
            let (file, values) = SequenceFile::open(path, code)?;
            output = Some(file);
            if !values.is_empty() {
                known = values;
            }
        }
        Some(path) => output = Some(SequenceFile::create(path, code)?),
        None => {}
    }
    let mut grundy = Grundy::resume(code, to, Method::Auto, &known);
    drop(known);
    let mut saved = Instant::now();
    while grundy.len() <= to {
        let slice = grundy.len() + grundy.len() / 64 + 512;
        match grundy.run(ctx, slice.min(to)) {
            Ok(()) => {}
            Err(failure) => {
                if let Some(output) = &mut output {
                    output.save(&grundy)?;
                }
                return Err(stopped(failure, &grundy, out));
            }
        }
        if let Some(output) = output.as_mut().filter(|_| saved.elapsed() >= BETWEEN_SAVES) {
            output.save(&grundy)?;
            saved = Instant::now();
        }
    }
    if let Some(output) = &mut output {
        output.save(&grundy)?;
    }
    Ok(grundy)
}

fn stopped(failure: Stopped, grundy: &Grundy, out: Option<&Path>) -> Failure {
    match (failure, out) {
        (Stopped::Stopped(Stop::Interrupted), Some(path)) => {
            Failure::Saved(format!("interrupted; heaps 0 to {} are in `{}`", grundy.len() - 1, path.display()))
        }
        (failure, _) => failure.into(),
    }
}
