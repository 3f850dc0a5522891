//! Files that only one process works on.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// A file with an exclusive lock, which is released when this is dropped.
///
/// Closing the file would not be enough: a process that another thread is just starting holds a copy of every open file
/// until it executes its program, and the lock with it.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    /// Locks a file; `None` if it is locked already. On file systems that know no locks, nothing is locked.
    #[must_use]
    pub fn new(file: File) -> Option<Locked> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            Ok(()) | Err(TryLockError::Error(_)) => Some(Locked(file)),
        }
    }
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
}
