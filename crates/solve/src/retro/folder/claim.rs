//! Who may work in a directory, and at which component: one process at everything, or several at one component each.
//!
//! No table depends on these locks, which some file systems lack: every file is written under a name of its own and
//! renamed, and whoever writes a table writes the same bytes. Locks save work that would be done twice.

use super::{Job, all_fit};
use crate::retro::NoTable;
use agon_core::Ctx;
use agon_core::family::{rules_hash, same_game};
use agon_core::indexed::BulkIndexed;
use agon_table::BadFile;
use agon_table::directory::{self, CHECKPOINT, ENDING};
use agon_table::locked::Locked;
use agon_table::record::is_record;
use agon_table::temporary::remove_abandoned;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The lock file: the process that works at all tables has it alone, and those that work at some of them share it.
const LOCK: &str = ".lock";
/// The time between two attempts to claim a component.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(200);

/// Creates and locks the directory. Fails if it contains anything but tables of this game.
pub(super) fn prepare<G: BulkIndexed>(game: &G, job: &Job<'_>) -> Result<Locked, NoTable> {
    let shown = job.folder.display();
    let cannot = |error: std::io::Error| NoTable::File(BadFile::io(job.folder, "use", error));
    std::fs::create_dir_all(job.folder).map_err(cannot)?;
    let lock = File::options().create(true).truncate(false).write(true).read(true).open(job.folder.join(LOCK));
    let lock = lock.map_err(cannot)?;
    let Some(lock) = (if job.among_others { Locked::shared(lock) } else { Locked::new(lock) }) else {
        return Err(BadFile::io(job.folder, "use", "another program is working in it").into());
    };
    let mut some = false;
    for entry in std::fs::read_dir(job.folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ours = name.starts_with('.') && (name.ends_with(LOCK) || name.ends_with(".tmp"));
        if path.extension().is_some_and(|ending| ending == ENDING || ending == CHECKPOINT) {
            some = true;
        } else if !ours && !is_record(&name) {
            return Err(NoTable::Folder(format!(
                "`{shown}` holds other files, such as `{name}`; give a directory of its own"
            )));
        }
    }
    let listed = directory::list(job.folder);
    let other = listed.iter().flatten().find(|listed| !same_game(listed.game(), job.spelling));
    if let Some(other) = other {
        let (found, hint) = (other.game(), without_rules(other.game(), job.spelling));
        return Err(NoTable::Folder(format!(
            "`{shown}` holds tables of {found}, not of {}{hint}; give another directory",
            job.spelling
        )));
    }
    if some && !job.resume {
        return Err(NoTable::Exists(shown.to_string()));
    }
    let listed = listed.map_err(|bad| match bad {
        BadFile::Damaged { path, why } => BadFile::damaged(&path, format!("{why}; remove it to have it solved again")),
        unreadable => unreadable,
    })?;
    all_fit(game, job.spelling, &listed)?;
    remove_abandoned(job.folder);
    if !job.among_others {
        remove_claims(job.folder);
    }
    Ok(lock)
}

/// Removes the lock files of processes that were killed at work on a component. Nobody has one while this process has
/// the directory alone.
fn remove_claims(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(LOCK) && name != LOCK) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// A hint for tables of a game from a file whose spelling lacks the hash of the rules.
pub(super) fn without_rules(found: &str, wanted: &str) -> &'static str {
    let family = |spelling: &str| agon_core::family::split_spelling(spelling).0.to_string();
    let old = rules_hash(found).is_none() && rules_hash(wanted).is_some() && family(found) == family(wanted);
    if old { " (they were written by an earlier version, which did not store the rules: solve them again)" } else { "" }
}

/// A component that this process works at.
pub(super) struct Claim {
    path: PathBuf,
    lock: Option<Locked>,
}

/// Claims a component. Another process may be at work on it: then this waits until that one has finished or ended, but
/// not longer than the job's patience, for a process that was stopped may never continue.
pub(super) fn claim<G: BulkIndexed>(
    game: &G,
    shards: &[G::Shard],
    job: &Job<'_>,
    ctx: &Ctx,
) -> Result<Option<Claim>, NoTable> {
    if !job.among_others {
        return Ok(None);
    }
    let name = shards.first().map(|&shard| game.shard_name(shard)).unwrap_or_default();
    let path = job.folder.join(format!(".{name}{LOCK}"));
    let cannot = |error: std::io::Error| NoTable::File(BadFile::io(&path, "use", error));
    let begun = Instant::now();
    loop {
        ctx.check()?;
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(cannot)?;
        if let Some(lock) = Locked::new(file) {
            return Ok(Some(Claim { path, lock: Some(lock) }));
        }
        if begun.elapsed() >= job.patience {
            let seconds = job.patience.as_secs();
            (job.damaged)(&format!("another process has been at work on table {name} for {seconds} s or longer"));
            return Ok(Some(Claim { path, lock: None }));
        }
        std::thread::sleep(BETWEEN_ATTEMPTS);
    }
}

impl Claim {
    /// The component is finished: nobody needs its lock file any more.
    pub(super) fn finished(self) {
        if self.lock.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
