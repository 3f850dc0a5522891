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
    written.map_err(|error| Failure::Failed(format!("cannot write `{}`: {error}", path.display())))
}

/// No certificate or sequence that agon reads is larger.
const LARGEST_FILE: u64 = 1 << 31;
/// No other file: a model, a saved game, a book of openings, exceptions.
const LARGEST_TEXT: u64 = 1 << 28;

fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let read = agon_table::regular::read(path, limit);
    read.map_err(|error| Failure::Failed(format!("cannot read `{}`: {error}", path.display())))
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
    let mut text = text.map_err(|_| Failure::Corrupt(format!("`{}` is not a text file", path.display())))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_the_byte_order_is_left_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}rule a\n").unwrap();
        assert_eq!(read_text(file.path()).unwrap(), "rule a\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        write_file(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        assert!(write_file(&dir.path().join("no/such/dir"), b"x").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing is left beside");
    }
}
