//! Atomic replacement of a file.

use crate::temporary::{Temporary, folder_of};
use std::fs::{File, Permissions};
use std::io::{Result, Write};
use std::path::Path;

/// The permissions of a new file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Only the current user can read it.
    Private,
    /// The default permissions of new files.
    Usual,
    /// These permissions.
    Like(Permissions),
}

/// Writes `contents` to a new file next to `path`, syncs it to the disk and renames it. A reader of `path` finds the
/// old contents or the new, even after a power failure.
pub fn replace(path: &Path, contents: &[u8], access: Access) -> Result<()> {
    let mode = if access == Access::Usual { 0o666 } else { 0o600 };
    let (mut file, temporary) = Temporary::with_mode(path, mode)?;
    file.write_all(contents)?;
    if let Access::Like(permissions) = access {
        file.set_permissions(permissions)?;
    }
    file.sync_all()?;
    temporary.place(path)
}

/// Gives a file that is complete and synced its name, whether or not there is a file of that name. The name survives a
/// power failure too.
pub fn put_in_place(complete: &Path, path: &Path) -> Result<()> {
    std::fs::rename(complete, path)?;
    sync_folder(folder_of(path));
    Ok(())
}

/// The same, but fails if there is a file of that name, where the system supports it.
pub fn put_in_new_place(complete: &Path, path: &Path) -> Result<()> {
    match std::fs::hard_link(complete, path) {
        Err(error) if path.exists() => Err(error),
        Err(_) => put_in_place(complete, path),
        Ok(()) => {
            sync_folder(folder_of(path));
            std::fs::remove_file(complete)
        }
    }
}

/// Returns `Ok` if [`replace`] can make a new file next to `path`, else the reason.
pub fn can_replace(path: &Path) -> Result<()> {
    Temporary::beside(path).map(drop)
}

/// Syncs a directory, so that a rename in it survives a power failure, where the system supports it.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for contents in ["old", "new"] {
            replace(&path, contents.as_bytes(), Access::Usual).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), contents);
        }
        assert!(replace(&path.join("below"), b"", Access::Usual).is_err());
        assert!(can_replace(&path).is_ok() && can_replace(&path.join("below")).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_for_one_person_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mode = |access: Access| {
            replace(&path, b"", access).unwrap();
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode(Access::Private), 0o600);
        assert_eq!(mode(Access::Like(Permissions::from_mode(0o640))), 0o640);
        let usual = mode(Access::Usual);
        std::fs::File::create(folder.path().join("other")).unwrap();
        let other = std::fs::metadata(folder.path().join("other")).unwrap().permissions().mode() & 0o777;
        assert_eq!(usual, other);
    }
}
