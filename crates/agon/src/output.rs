//! Standard output, colour and numbers.

use crate::failure::Failure;
use num_bigint::BigUint;
use std::io::{ErrorKind, IsTerminal, Read, Write};
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

/// Whether and how to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(bool);

impl Paint {
    /// No colour.
    pub const PLAIN: Paint = Paint(false);

    /// What the flag and the surroundings ask for.
    #[must_use]
    pub fn new(color: Color) -> Paint {
        let asked = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Paint(asked)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// For headings and answers.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For what is as claimed.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// For what is not.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }

    /// For what needs a second look.
    #[must_use]
    pub fn warn(self, text: &str) -> String {
        self.wrap("33", text)
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

/// No file that agon reads is larger.
const LARGEST_FILE: u64 = 1 << 31;

/// Reads a file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |why: String| Failure::Failed(format!("cannot read `{}`: {why}", path.display()));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| fail(error.to_string()))?;
    let read = file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| fail(error.to_string()))?;
    if read as u64 > LARGEST_FILE {
        return Err(fail(format!("it is larger than {} GiB", LARGEST_FILE >> 30)));
    }
    Ok(bytes)
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 position`, `2,000 positions`.
#[must_use]
pub fn counted(number: impl ToString, what: &str) -> String {
    let number = grouped(number);
    if number == "1" { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A number as JSON: as a string once it is beyond what every reader keeps exactly.
#[must_use]
pub fn exact(number: &BigUint) -> serde_json::Value {
    match u64::try_from(number) {
        Ok(small) if small < 1 << 53 => small.into(),
        _ => number.to_string().into(),
    }
}

/// Rows with aligned columns; numbers to the right.
#[must_use]
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let numeric: Vec<bool> = (0..head.len())
        .map(|c| {
            !rows.is_empty() && rows.iter().all(|r| r[c].bytes().all(|b| b.is_ascii_digit() || b"-,.".contains(&b)))
        })
        .collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().enumerate().map(|(c, cell)| {
            let pad = " ".repeat(widths[c] - cell.chars().count());
            if numeric[c] { format!("{pad}{cell}") } else { format!("{cell}{pad}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut out = line(head.to_vec());
    out.push_str(&line(
        widths
            .iter()
            .map(|w| &"────────────────────────────────────────────────────────────"[..3 * (*w).min(60)])
            .collect(),
    ));
    rows.iter().for_each(|row| out.push_str(&line(row.iter().map(String::as_str).collect())));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_counted() {
        for (n, text) in [(0u64, "0"), (999, "999"), (1000, "1,000"), (986_410, "986,410"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
        assert_eq!((counted(1, "line"), counted(1200, "line")), ("1 line".into(), "1,200 lines".into()));
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

    #[test]
    fn big_numbers_become_strings_in_json() {
        assert_eq!(exact(&BigUint::from(255_168u32)), serde_json::json!(255_168));
        assert_eq!(exact(&(BigUint::from(1u8) << 53)), serde_json::json!("9007199254740992"));
    }

    #[test]
    fn tables_are_aligned() {
        let rows = [vec!["a".to_string(), "9".to_string()], vec!["bcd".to_string(), "1,000".to_string()]];
        assert_eq!(table(&["id", "n"], &rows), "id       n\n───  ─────\na        9\nbcd  1,000\n");
    }
}
