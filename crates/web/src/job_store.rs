//! Jobs on disk: a directory that outlives the server.
//!
//! ```text
//! DIR/lock          held by the server that uses the directory; contains its address
//! DIR/token         the token of our pages, so that open pages keep working after a restart
//! DIR/jobs/17/      a job: its record and its files
//! ```
//!
//! A record is written to a temporary file and renamed, and it ends with its own hash. Whenever the server is killed, a
//! record is therefore complete or detectably damaged. Damaged records are left alone and reported.

use crate::Log;
use crate::app::lock;
use crate::job::Phase;
use agon_report::failure::Failure;
use agon_table::locked::Locked;
use agon_table::replace::{Access, replace};
use agon_table::sealed::{self, Broken};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const FIRST_LINE: &str = "agon-job 1\n";
const RECORD: &str = "record";
/// The largest record that is read, in bytes.
const MAX_RECORD_BYTES: u64 = 64 << 20;
/// Job numbers stay below 2^53, so that they are exact in JavaScript.
const MAX_JOB_NUMBER: u64 = 1 << 53;
/// The number of warnings that are remembered.
const MAX_WARNINGS: usize = 32;

/// The state of a job as it is stored on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Its number.
    pub id: u64,
    /// `solve`, `verify`, `check`, `grundy`, `arena` or `claims`.
    pub kind: String,
    /// A title of one line.
    pub title: String,
    /// The game, if the job is about one.
    pub game: Option<String>,
    /// The request that started it, as JSON.
    pub request: Value,
    /// The phase.
    pub phase: Phase,
    /// The reason why it failed.
    pub why: Option<String>,
    /// Seconds spent on it.
    pub seconds: f64,
    /// The number of times it was started.
    pub begun: u32,
    /// The report.
    pub report: Value,
    /// The file it produced.
    pub file: Option<StoredFile>,
}

/// A file in the directory of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its name, in the directory and for downloads.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its blake3 hash.
    pub hash: String,
}

/// A directory of jobs, locked by this server.
pub struct JobStore {
    root: PathBuf,
    claim: Mutex<Locked>,
    damaged: Mutex<BTreeMap<u64, String>>,
    warnings: Mutex<Vec<String>>,
    log: Log,
}

impl JobStore {
    /// Locks a directory, which is created if it does not exist.
    pub fn open(root: &Path, log: Log) -> Result<JobStore, Failure> {
        let shown = root.display();
        let cannot = |error: io::Error| Failure::Failed(format!("cannot store jobs in `{shown}`: {error}"));
        make_folder(&root.join("jobs")).map_err(cannot)?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(root.join("lock")).map_err(cannot)?;
        let Some(claim) = Locked::new(file) else {
            let holder = fs::read_to_string(root.join("lock")).unwrap_or_default();
            let holder = if holder.trim().is_empty() { String::new() } else { format!(" ({})", holder.trim()) };
            return Err(Failure::Failed(format!(
                "another workbench{holder} stores its jobs in `{shown}`: use that one, or give another directory"
            )));
        };
        let root = fs::canonicalize(root).map_err(cannot)?;
        let (damaged, warnings) = (Mutex::default(), Mutex::default());
        Ok(JobStore { root, claim: Mutex::new(claim), damaged, warnings, log })
    }

    /// Writes the address of this server into the lock file, for the error message of a second server.
    pub fn say_where(&self, url: &str) {
        let mut claim = lock(&self.claim);
        let text = format!("process {}, at {url}", std::process::id());
        let _ = claim.set_len(0).and_then(|()| claim.rewind()).and_then(|()| claim.write_all(text.as_bytes()));
    }

    /// The token of the last server in this directory; if there is none, `fresh` is stored and returned.
    #[must_use]
    pub fn token(&self, fresh: String) -> String {
        let path = self.root.join("token");
        let is_token = |text: &String| text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if let Some(token) = fs::read_to_string(&path).ok().filter(is_token) {
            // Other users of this machine may be able to read a directory that existed before.
            if let Err(error) = for_us_alone(&path) {
                self.report(&format!("cannot make `{}` private: {error}", path.display()));
            }
            return token;
        }
        if let Err(error) = replace(&path, fresh.as_bytes(), Access::Private) {
            self.report(&format!("cannot write `{}`: {error}", path.display()));
        }
        fresh
    }

    /// The directory of a job.
    #[must_use]
    pub fn folder(&self, id: u64) -> PathBuf {
        self.root.join("jobs").join(id.to_string())
    }

    /// Writes a record atomically. If that fails, a warning is reported and the job keeps running.
    pub fn write(&self, record: &Record) {
        let folder = self.folder(record.id);
        let written = record.write().map_err(io::Error::other).and_then(|text| {
            make_folder(&folder)?;
            replace(&folder.join(RECORD), text.as_bytes(), Access::Private)
        });
        if let Err(error) = written {
            self.report(&format!("cannot store job {} in `{}`: {error}", record.id, folder.display()));
        }
    }

    /// Writes a file into the directory of a job; `None` and a warning if that fails.
    pub fn put(&self, id: u64, name: &str, bytes: &[u8]) -> Option<StoredFile> {
        let folder = self.folder(id);
        let put = make_folder(&folder).and_then(|()| replace(&folder.join(name), bytes, Access::Private));
        match put {
            Ok(()) => Some(StoredFile {
                name: name.to_string(),
                bytes: bytes.len() as u64,
                hash: blake3::hash(bytes).to_string(),
            }),
            Err(error) => {
                self.report(&format!("cannot store `{name}` of job {id}: {error}"));
                None
            }
        }
    }

    /// Takes over a file that the work has already written into the directory of its job.
    pub fn adopt(&self, id: u64, name: &str) -> Option<StoredFile> {
        let hash = || {
            let mut hasher = blake3::Hasher::new();
            let bytes = io::copy(&mut File::open(self.folder(id).join(name))?, &mut hasher)?;
            Ok::<_, io::Error>(StoredFile { name: name.to_string(), bytes, hash: hasher.finalize().to_string() })
        };
        hash().map_err(|error| self.report(&format!("cannot store `{name}` of job {id}: {error}"))).ok()
    }

    /// Reads a file of a job and verifies its hash.
    pub fn read(&self, id: u64, stored: &StoredFile) -> Result<Vec<u8>, Failure> {
        let path = self.folder(id).join(&stored.name);
        let bytes = fs::read(&path)
            .map_err(|error| Failure::Failed(format!("cannot read `{}` of job {id}: {error}", stored.name)))?;
        if blake3::hash(&bytes).to_string() == stored.hash {
            Ok(bytes)
        } else {
            Err(Failure::damaged(
                Path::new(&stored.name),
                format!("the file of job {id} is damaged; run the job again"),
            ))
        }
    }

    /// Every readable record, sorted by number, and the largest number in use. Unreadable records are reported.
    #[must_use]
    pub fn records(&self) -> (Vec<Record>, u64) {
        let (mut records, mut largest) = (Vec::new(), 0);
        let entries = fs::read_dir(self.root.join("jobs")).into_iter().flatten().flatten();
        for entry in entries {
            let Some(id) = entry.file_name().to_str().and_then(job_number) else { continue };
            largest = largest.max(id);
            let path = entry.path().join(RECORD);
            match read_record(&path, id) {
                Ok(record) => records.push(record),
                Err(why) => {
                    let why = format!("job {id} is skipped: `{}` {why}", path.display());
                    (self.log)(&why);
                    lock(&self.damaged).insert(id, why);
                }
            }
        }
        records.sort_unstable_by_key(|record| record.id);
        (records, largest)
    }

    /// Deletes the directory of a job; false if there was none.
    pub fn forget(&self, id: u64) -> bool {
        let known = lock(&self.damaged).remove(&id).is_some();
        let folder = self.folder(id);
        if !folder.exists() {
            return known;
        }
        // Rename first, so that a half-deleted directory is never taken for a job.
        let aside = self.root.join("jobs").join(format!("{id}.gone"));
        let gone = fs::rename(&folder, &aside).and_then(|()| fs::remove_dir_all(&aside));
        if let Err(error) = gone {
            self.report(&format!("cannot remove `{}`: {error}", folder.display()));
        }
        true
    }

    /// Deletes what an earlier server did not finish deleting.
    pub fn sweep(&self) {
        let entries = fs::read_dir(self.root.join("jobs")).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".gone")) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }

    /// Reports a problem that loses no work, in the log and on the page of all jobs.
    pub fn report(&self, why: &str) {
        (self.log)(why);
        let mut warnings = lock(&self.warnings);
        if warnings.len() >= MAX_WARNINGS {
            warnings.remove(0);
        }
        warnings.push(why.to_string());
    }

    /// The damaged records by number, and the other warnings.
    #[must_use]
    pub fn warnings(&self) -> (BTreeMap<u64, String>, Vec<String>) {
        (lock(&self.damaged).clone(), lock(&self.warnings).clone())
    }

    /// Returns whether the record of that number is damaged.
    #[must_use]
    pub fn is_damaged(&self, id: u64) -> bool {
        lock(&self.damaged).contains_key(&id)
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// The job number that a directory name stands for. Other names, and numbers too large for a page, are no jobs.
fn job_number(name: &str) -> Option<u64> {
    name.parse().ok().filter(|id: &u64| *id < MAX_JOB_NUMBER && id.to_string() == name)
}

fn read_record(path: &Path, id: u64) -> Result<Record, String> {
    let file = File::open(path).map_err(|error| format!("cannot be read ({error})"))?;
    let mut text = String::new();
    file.take(MAX_RECORD_BYTES).read_to_string(&mut text).map_err(|error| format!("cannot be read ({error})"))?;
    Record::read(&text, id)
}

impl Record {
    /// The text of a record, which ends with its hash.
    pub fn write(&self) -> serde_json::Result<String> {
        Ok(sealed::seal(format!("{FIRST_LINE}{}\n", serde_json::to_string(self)?)))
    }

    /// Reads the record of job `id`. Fails with what is wrong with it.
    pub fn read(text: &str, id: u64) -> Result<Record, String> {
        let damaged = |what: &str| format!("is damaged ({what})");
        let body = sealed::open(text).map_err(|broken| match broken {
            Broken::Truncated => damaged("the end is missing"),
            Broken::Changed => damaged("the hash does not match"),
        })?;
        let body = body.strip_prefix(FIRST_LINE).ok_or_else(|| damaged("the first line is not that of a record"))?;
        let record: Record = serde_json::from_str(body).map_err(|error| damaged(&error.to_string()))?;
        let own_name =
            |stored: &StoredFile| Path::new(&stored.name).file_name().is_some_and(|name| name == stored.name.as_str());
        if record.id != id || !record.file.as_ref().is_none_or(own_name) {
            return Err(damaged("it is the record of another job"));
        }
        Ok(record)
    }
}

/// Creates a directory that only this user can read.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a file readable for this user only.
fn for_us_alone(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn record(id: u64) -> Record {
        Record {
            id,
            kind: "solve".into(),
            title: "solve tic-tac-toe".into(),
            game: Some("mnk:3,3,3".into()),
            request: Value::Null,
            phase: Phase::Done,
            why: None,
            seconds: 1.5,
            begun: 1,
            report: serde_json::json!({"value": "draw"}),
            file: None,
        }
    }

    fn open(root: &Path) -> (JobStore, Arc<Mutex<Vec<String>>>) {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = said.clone();
        (JobStore::open(root, Box::new(move |text| lock(&log).push(text.into()))).unwrap(), said)
    }

    #[test]
    fn records_come_back_and_damaged_ones_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let (store, said) = open(folder.path());
        (1..=9).for_each(|id| store.write(&record(id)));
        let path = |id: u64| store.folder(id).join(RECORD);
        let whole = fs::read(path(2)).unwrap();
        fs::write(path(2), &whole[..whole.len() / 2]).unwrap();
        fs::write(path(3), b"").unwrap();
        fs::remove_file(path(4)).unwrap();
        fs::write(path(5), String::from_utf8(whole.clone()).unwrap().replace("draw", "loss")).unwrap();
        fs::write(path(6), &whole).unwrap();
        fs::write(path(7), [0xff; 300]).unwrap();
        fs::create_dir(store.folder(0).with_file_name("notes")).unwrap();
        let (records, largest) = store.records();
        assert_eq!(records.iter().map(|r| r.id).collect::<Vec<_>>(), [1, 8, 9]);
        assert_eq!((records[0].report["value"].as_str(), largest), (Some("draw"), 9));
        assert_eq!((lock(&said).len(), store.warnings().0.len()), (6, 6));
        assert!(store.forget(5) && !store.forget(5) && !store.folder(5).exists());
        assert_eq!(store.warnings().0.len(), 5);
    }

    #[test]
    fn directories_with_other_names_are_no_jobs() {
        for (name, id) in [("7", Some(7)), ("0", Some(0)), ("07", None), ("+7", None), ("x", None), ("", None)] {
            assert_eq!(job_number(name), id, "{name}");
        }
        assert_eq!(job_number(&u64::MAX.to_string()), None);
    }

    #[test]
    fn a_second_server_is_told_where_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        let (store, _) = open(folder.path());
        store.say_where("http://127.0.0.1:4774/");
        let refused = JobStore::open(folder.path(), Box::new(|_| ())).err().unwrap();
        let why = refused.message().unwrap();
        assert!(why.contains("http://127.0.0.1:4774/") && why.contains("another directory"), "{why}");
        drop(store);
        assert!(JobStore::open(folder.path(), Box::new(|_| ())).is_ok());
    }

    #[test]
    fn files_are_read_as_they_were_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (store, _) = open(folder.path());
        let stored = store.put(3, "certificate.agon", b"proof").unwrap();
        assert_eq!(store.read(3, &stored).unwrap(), b"proof");
        fs::write(store.folder(3).join("certificate.agon"), b"prooF").unwrap();
        assert!(store.read(3, &stored).unwrap_err().message().unwrap().contains("damaged"));
        let token = store.token("0123456789abcdef0123456789abcdef".into());
        assert_eq!(store.token("f".repeat(32)), token);
        fs::write(folder.path().join("token"), "short").unwrap();
        assert_eq!(store.token("f".repeat(32)), "f".repeat(32));
    }

    #[test]
    #[cfg(unix)]
    fn nobody_else_can_read_the_token_and_the_records() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = folder.path().join("token");
        let (store, _) = open(folder.path());
        let token = store.token("f".repeat(32));
        assert_eq!(mode(&path), 0o600);
        store.write(&record(1));
        assert_eq!((mode(&store.folder(1)), mode(&store.folder(1).join(RECORD))), (0o700, 0o600));
        // A token that an older server wrote with public permissions.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(store.token("0".repeat(32)), token);
        assert_eq!(mode(&path), 0o600);
    }
}
