//! Files that are written under another name and renamed when they are complete, by several processes at once.

use crate::locked::{Locked, is_free};
use crate::replace::put_in_place;
use std::fs::File;
use std::io::Result;
use std::path::Path;
use tempfile::TempPath;

/// The ending of a file that is not complete.
const ENDING: &str = ".tmp";

/// A new file beside the one that it will become. It is locked while it is written and removed if it is dropped.
#[derive(Debug)]
pub struct Temporary {
    path: TempPath,
    lock: Option<Locked>,
}

impl Temporary {
    /// Creates an empty file with a name of its own beside `path`, with the default permissions of new files.
    pub fn beside(path: &Path) -> Result<(File, Temporary)> {
        Temporary::with_mode(path, 0o666)
    }

    /// The same with these permissions, as far as the umask allows.
    pub(crate) fn with_mode(path: &Path, mode: u32) -> Result<(File, Temporary)> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}.");
        builder.prefix(&prefix).suffix(ENDING);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        loop {
            let (file, path) = builder.tempfile_in(folder_of(path))?.into_parts();
            let lock = Locked::new(file.try_clone()?);
            // Another process may have taken the file for an abandoned one before it was locked.
            if path.exists() {
                return Ok((file, Temporary { path, lock }));
            }
        }
    }

    /// The path of the unfinished file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file, which is complete and synced, its name.
    pub fn place(self, path: &Path) -> Result<()> {
        put_in_place(&self.path, path)?;
        drop(self.lock);
        Ok(())
    }
}

/// Removes the unfinished files of processes that have ended. A file whose writer lives is locked, and stays.
pub fn remove_abandoned(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(ENDING));
        if ours && is_free(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The directory of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_is_being_written_stays_and_what_was_abandoned_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("3-3.agt");
        let (mut file, first) = Temporary::beside(&path).unwrap();
        let (_, second) = Temporary::beside(&path).unwrap();
        assert_ne!(first.path(), second.path());
        let abandoned = folder.path().join(".3-3.agt.123.tmp");
        std::fs::write(&abandoned, "cut off").unwrap();
        std::fs::write(folder.path().join("notes.tmp"), "mine").unwrap();
        remove_abandoned(folder.path());
        assert!(first.path().exists() && second.path().exists() && !abandoned.exists());
        file.write_all(b"whole").unwrap();
        first.place(&path).unwrap();
        drop(second);
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["3-3.agt", "notes.tmp"]);
    }
}
