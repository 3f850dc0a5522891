//! Files that people name: read with a limit, written whole or not at all.

use agon_report::failure::Failure;
use agon_table::replace::{Access, replace};
use std::path::Path;

/// Writes a file whole or not at all. Links are followed, permissions kept; devices and pipes are simply written to.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let written = match std::fs::metadata(&target) {
        Ok(old) if !old.is_file() => std::fs::write(&target, contents),
        Ok(old) => replace(&target, contents, Access::Like(old.permissions())),
        Err(_) => replace(&target, contents, Access::Usual),
    };
    written.map_err(|error| Failure::io(path, "write", error))
}

/// No certificate or sequence that agon reads is larger.
const LARGEST_FILE: u64 = 1 << 31;
/// No other file: a model, a saved game, a book of openings, exceptions.
const LARGEST_TEXT: u64 = 1 << 28;

fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let read = agon_table::regular::read(path, limit);
    read.map_err(|error| Failure::io(path, "read", error))
}

/// Reads a regular file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    read_at_most(path, LARGEST_FILE)
}

/// Reads a regular file that must be text.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    read_short_text(path, LARGEST_TEXT)
}

/// Reads a regular file that must be text and have at most `limit` bytes. A mark of the byte order before it is left out.
pub fn read_short_text(path: &Path, limit: u64) -> Result<String, Failure> {
    let text = String::from_utf8(read_at_most(path, limit)?);
    let mut text = text.map_err(|_| Failure::damaged(path, "it is not a text file"))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
