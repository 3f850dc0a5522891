//! The places where files are written: a file of another kind is never replaced, and a place where no file can be
//! written is refused before any work is done.

use crate::failure::Failure;
use agon_table::replace::can_replace;
use std::io::Read as _;
use std::path::Path;

/// A kind of file that commands write over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A certificate.
    Certificate,
    /// A trained player.
    Model,
    /// Exceptions to a strategy.
    Exceptions,
    /// A strategy as text.
    Strategy,
    /// An SVG picture.
    Picture,
}

impl FileKind {
    fn name(self) -> &'static str {
        match self {
            FileKind::Certificate => "certificate",
            FileKind::Model => "model",
            FileKind::Exceptions => "file of exceptions that agon wrote",
            FileKind::Strategy => "strategy",
            FileKind::Picture => "picture",
        }
    }

    /// Returns whether a file that begins like this is of the kind.
    fn begins(self, text: &str) -> bool {
        let any = |beginnings: &[&str]| beginnings.iter().any(|beginning| text.starts_with(beginning));
        match self {
            FileKind::Certificate => any(&["agon-certificate "]),
            FileKind::Model => any(&["agon-model "]),
            FileKind::Exceptions => any(&["# POSITION MOVE"]),
            FileKind::Picture => any(&["<svg", "<?xml"]),
            FileKind::Strategy => {
                let mut words = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                let first = words.next().and_then(|line| line.split_whitespace().next()).unwrap_or_default();
                first.starts_with('[')
                    || ["about", "reading", "rule", "book", "exact", "pairing", "region"].contains(&first)
            }
        }
    }
}

/// Refuses to write a file of this kind over a file of another kind, and where no file can be written.
pub fn check_place(path: Option<&Path>, kind: FileKind) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return Err(Failure::Usage(format!("`{shown}` is a directory: expected a file")));
        }
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(found) if found.len() > 0 => {
            let mut begin = Vec::new();
            let read = std::fs::File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut begin));
            if read.is_err() || !kind.begins(&String::from_utf8_lossy(&begin)) {
                let why = format!("`{shown}` exists and is not a {}: choose another name", kind.name());
                return Err(Failure::Usage(why));
            }
        }
        _ => {}
    }
    let why = match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => format!("there is no directory `{}`", folder.display()),
        None => match can_replace(path) {
            Ok(()) => return Ok(()),
            Err(error) => error.to_string(),
        },
    };
    Err(Failure::io(path, "write", why))
}
