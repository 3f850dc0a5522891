//! Standard output, files and when to use colour.

use crate::failure::Failure;
pub use agon_report::words::{Paint, counted, duration, exact, grouped, table};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// When to use colour. Colour only repeats what words and signs say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// What the flag and the surroundings ask for.
    #[must_use]
    pub fn paint(self) -> Paint {
        Paint::new(match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        })
    }
}

/// Writes to standard output; a reader that has gone away is not an error, and changes no exit code.
pub fn emit(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error; if nobody can read it, nothing is lost.
pub fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "agon: {text}");
}

/// Writes a file whole or not at all: first beside it, then renamed. Links are followed, permissions kept;
/// devices and pipes are simply written to.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let written = match std::fs::metadata(&target) {
        Ok(old) if !old.is_file() => std::fs::write(&target, contents),
        old => replace_file(&target, contents, old.ok().map(|old| old.permissions())),
    };
    written.map_err(|error| Failure::Failed(format!("cannot write `{}`: {error}", path.display())))
}

fn replace_file(target: &Path, contents: &[u8], permissions: Option<std::fs::Permissions>) -> std::io::Result<()> {
    let beside = target.with_file_name(format!(".{}.agon-tmp", std::process::id()));
    let write = || {
        let mut file = std::fs::File::create(&beside)?;
        file.write_all(contents)?;
        file.sync_all()?;
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        std::fs::rename(&beside, target)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(&beside);
    })
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
    let text = String::from_utf8(read_at_most(path, LARGEST_TEXT)?);
    text.map_err(|_| Failure::Corrupt(format!("`{}` is not a text file", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

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
