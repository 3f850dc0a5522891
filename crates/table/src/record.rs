//! Records: who computed a table, and from what. A record lies beside its table and never in it, so that the table is
//! the same whoever computes it.

use crate::blocks::BadFile;
use crate::regular;
use crate::replace::{Access, replace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The format of a record.
pub const FORMAT: &str = "agon-record 1";
/// The format of the result of a check.
pub const CHECK_FORMAT: &str = "agon-check 1";
/// What the name of a record has after that of its table.
pub const ENDING: &str = "json";
/// What the name of a check's result has after that of the table.
pub const CHECK_ENDING: &str = "check.json";
/// The most bytes of a record.
const LIMIT: u64 = 1 << 24;

/// The record of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// The canonical spelling of the game.
    pub game: String,
    /// The name of the table.
    pub table: String,
    /// The blake3 hash of the file.
    pub blake3: String,
    /// The size of the file.
    pub bytes: u64,
    /// The number of indices.
    pub numbers: u64,
    /// The tables that its component leads to, each with the hash that it had.
    pub inputs: BTreeMap<String, String>,
    /// The version of the program that wrote this record.
    pub agon: String,
    /// How the table was made; nothing if that is not known.
    pub made: Option<Made>,
}

/// How the tables of one component were made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// The worker, if it has a name.
    pub worker: Option<String>,
    /// The end of the work, in seconds since 1970.
    pub at: u64,
    /// How long the last run took for the whole component.
    pub seconds: f64,
    /// The number of threads.
    pub threads: usize,
    /// The indices of the component.
    pub numbers: u64,
    /// True if the run continued from a checkpoint, so that an earlier one did a part of the work.
    pub resumed: bool,
}

/// The result of a check by forward moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckRecord {
    /// [`CHECK_FORMAT`].
    pub format: String,
    /// The canonical spelling of the game.
    pub game: String,
    /// The name of the table.
    pub table: String,
    /// The hash of the table that was checked.
    pub blake3: String,
    /// The share of the indices that were chosen, each independently; 1 for all.
    pub share: f64,
    /// The seed of the choice.
    pub seed: u64,
    /// Indices checked.
    pub numbers: u64,
    /// The worker that checked, if it has a name.
    pub worker: Option<String>,
    /// The worker that made the table, if its record names it.
    pub made_by: Option<String>,
    /// The end of the work, in seconds since 1970.
    pub at: u64,
    /// The version of the program.
    pub agon: String,
}

/// The version that records name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The present, in seconds since 1970.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The path of the record of the table at `table`.
#[must_use]
pub fn record_of(table: &Path) -> PathBuf {
    beside(table, ENDING)
}

/// The path of the result of a check of the table at `table`.
#[must_use]
pub fn check_of(table: &Path) -> PathBuf {
    beside(table, CHECK_ENDING)
}

fn beside(table: &Path, ending: &str) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(ending);
    table.with_file_name(name)
}

/// Returns whether a file name is that of a record or of the result of a check.
#[must_use]
pub fn is_record(name: &str) -> bool {
    [ENDING, CHECK_ENDING].iter().any(|ending| {
        name.strip_suffix(ending).is_some_and(|table| table.ends_with(&format!(".{}.", crate::directory::ENDING)))
    })
}

/// The blake3 hash of a file as text, and its size.
pub fn hash_of(path: &Path) -> Result<(String, u64), BadFile> {
    let cannot = |error: std::io::Error| BadFile::io(path, "read", error);
    let mut file = regular::open(path).map_err(cannot)?;
    let (mut hasher, mut buffer, mut bytes) = (blake3::Hasher::new(), vec![0; 1 << 18], 0);
    loop {
        match file.read(&mut buffer).map_err(cannot)? {
            0 => return Ok((hasher.finalize().to_hex().to_string(), bytes)),
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// Reads the record of the table at `table`; `None` if there is none.
pub fn read(table: &Path) -> Result<Option<Record>, BadFile> {
    let path = record_of(table);
    let record: Option<Record> = read_json(&path)?;
    match record {
        Some(record) if record.format != FORMAT => {
            Err(BadFile::damaged(&path, format!("its format is `{}`, not `{FORMAT}`", short(&record.format))))
        }
        record => Ok(record),
    }
}

/// Reads the result of the check of the table at `table`; `None` if there is none.
pub fn read_check(table: &Path) -> Result<Option<CheckRecord>, BadFile> {
    let path = check_of(table);
    let record: Option<CheckRecord> = read_json(&path)?;
    match record {
        Some(record) if record.format != CHECK_FORMAT => {
            Err(BadFile::damaged(&path, format!("its format is `{}`, not `{CHECK_FORMAT}`", short(&record.format))))
        }
        record => Ok(record),
    }
}

fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, BadFile> {
    let bytes = match regular::read(path, LIMIT) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| BadFile::io(path, "read", error))?,
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| BadFile::damaged(path, format!("it is not a record: {}", short(&error.to_string()))))
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Writes the record of the table at `table`.
pub fn write(table: &Path, record: &Record) -> Result<(), BadFile> {
    write_json(&record_of(table), record)
}

/// Writes the result of the check of the table at `table`.
pub fn write_check(table: &Path, record: &CheckRecord) -> Result<(), BadFile> {
    write_json(&check_of(table), record)
}

fn write_json(path: &Path, record: &impl Serialize) -> Result<(), BadFile> {
    let text = serde_json::to_string_pretty(record).map_err(|error| BadFile::io(path, "write", error))?;
    replace(path, format!("{text}\n").as_bytes(), Access::Usual).map_err(|error| BadFile::io(path, "write", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_lies_beside_its_table_and_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("4+2-3+1.agt");
        std::fs::write(&table, "values").unwrap();
        let (blake3, bytes) = hash_of(&table).unwrap();
        assert_eq!((blake3.as_str(), bytes), (blake3::hash(b"values").to_hex().as_str(), 6));
        assert_eq!(read(&table), Ok(None));
        let record = Record {
            format: FORMAT.into(),
            game: "morris:six".into(),
            table: "4+2-3+1".into(),
            blake3,
            bytes,
            numbers: 6,
            inputs: BTreeMap::from([("3-3".into(), "00".into())]),
            agon: VERSION.into(),
            made: None,
        };
        write(&table, &record).unwrap();
        assert!(folder.path().join("4+2-3+1.agt.json").exists());
        assert_eq!(read(&table), Ok(Some(record.clone())));
        for broken in ["", "{}", "{\"format\": 1}"] {
            std::fs::write(record_of(&table), broken).unwrap();
            assert!(matches!(read(&table), Err(BadFile::Damaged { .. })), "{broken:?}");
        }
        let other = Record { format: "agon-record 2".into(), ..record };
        write(&table, &other).unwrap();
        assert!(read(&table).unwrap_err().to_string().contains("not `agon-record 1`"));
    }

    #[test]
    fn names_of_records_are_told_from_others() {
        assert!(is_record("3-3.agt.json") && is_record("3-3.agt.check.json"));
        assert!(!is_record("3-3.json") && !is_record("notes.json") && !is_record("3-3.agt"));
    }
}
