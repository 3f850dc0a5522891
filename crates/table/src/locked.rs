//! Files that only one process works on.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// A file with a lock, which is released when this is dropped.
///
/// Closing the file would not be enough: a process that another thread is just starting holds a copy of every open file
/// until it executes its program, and the lock with it.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    /// Locks a file for this process alone; `None` if it is locked already. On file systems that know no locks, nothing
    /// is locked.
    #[must_use]
    pub fn new(file: File) -> Option<Locked> {
        Locked::unless_refused(file.try_lock(), file)
    }

    /// Locks a file together with others that lock it in this way; `None` if one process has it alone.
    #[must_use]
    pub fn shared(file: File) -> Option<Locked> {
        Locked::unless_refused(file.try_lock_shared(), file)
    }

    fn unless_refused(locked: Result<(), TryLockError>, file: File) -> Option<Locked> {
        match locked {
            Err(TryLockError::WouldBlock) => None,
            Ok(()) | Err(TryLockError::Error(_)) => Some(Locked(file)),
        }
    }
}

/// Returns whether it is certain that nobody has locked a file.
pub(crate) fn is_free(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok() && file.unlock().is_ok())
}

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_although_a_copy_of_the_file_is_still_open() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::create(folder.path().join("lock")).unwrap();
        let first = Locked::new(open()).expect("nobody has it");
        assert!(Locked::new(open()).is_none());
        // A process has this between its start and its program.
        let copy = first.try_clone().unwrap();
        drop(first);
        assert!(Locked::new(open()).is_some());
        drop(copy);
    }

    #[test]
    fn a_file_is_shared_by_many_or_belongs_to_one() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::create(folder.path().join("lock")).unwrap();
        let (first, second) = (Locked::shared(open()).unwrap(), Locked::shared(open()).unwrap());
        assert!(Locked::new(open()).is_none());
        drop((first, second));
        let alone = Locked::new(open()).unwrap();
        assert!(Locked::shared(open()).is_none());
        drop(alone);
    }
}
