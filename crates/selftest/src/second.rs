//! The second checker: a Python program that knows the rules of some games and checks certificates.

use crate::methods::Accepted;
use crate::statement::Statement;
use crate::witness::Answer;
use agon_report::failure::Failure;
use std::process::Command;
use tempfile::TempDir;

/// The source of the checker, compiled in.
const SCRIPT: &str = include_str!("check.py");

/// The checker, written to a temporary directory.
pub struct Second {
    folder: TempDir,
}

/// The most files per process.
const BATCH: usize = 200;

impl Second {
    /// Prepares the checker; fails with the reason, for example if there is no interpreter.
    pub fn find() -> Result<Second, String> {
        if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
            return Err("python3 is not installed".into());
        }
        let folder = TempDir::new().and_then(|folder| {
            std::fs::write(folder.path().join("check.py"), SCRIPT)?;
            Ok(folder)
        });
        folder.map(|folder| Second { folder }).map_err(|error| format!("it cannot be written: {error}"))
    }

    /// Its verdicts on certificates that agon accepts.
    pub fn question(&self, certificates: &[Accepted]) -> Result<Vec<Answer>, Failure> {
        let mut said = Vec::new();
        for batch in certificates.chunks(BATCH) {
            said.extend(self.batch(batch)?);
        }
        Ok(said)
    }

    fn batch(&self, certificates: &[Accepted]) -> Result<Vec<Answer>, Failure> {
        let fail = |error: std::io::Error| Failure::Failed(format!("the second checker cannot run: {error}"));
        let folder = TempDir::new().map_err(fail)?;
        let mut command = Command::new("python3");
        command.arg(self.folder.path().join("check.py"));
        for (i, certificate) in certificates.iter().enumerate() {
            let file = folder.path().join(format!("{i}.agon"));
            std::fs::write(&file, &certificate.file).map_err(fail)?;
            command.arg(file);
        }
        let output = command.output().map_err(fail)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() != certificates.len() {
            let error = String::from_utf8_lossy(&output.stderr);
            let last = error.lines().last().unwrap_or_default();
            let why = format!("{} lines about {} certificates: {last}", lines.len(), certificates.len());
            return Err(Failure::Failed(format!("the second checker answers with {why}")));
        }
        let said = certificates
            .iter()
            .zip(lines)
            .filter_map(|(certificate, line)| Some((certificate.position.clone(), Statement::Holds(verdict(line)?))));
        Ok(said.collect())
    }
}

/// Parses a line `VERDICT: FILE: WHY`; `None` if the checker does not know the game.
fn verdict(line: &str) -> Option<Result<(), String>> {
    let (verdict, rest) = line.split_once(": ").unwrap_or((line, ""));
    let why = rest.split_once(": ").map_or(rest, |(_, why)| why);
    match verdict {
        "proved" => Some(Ok(())),
        "unsupported" => None,
        _ => Some(Err(format!("{verdict}: {why}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, verdict};

    // `check.py` is a symbolic link to the script in `tools`; some systems check it out as a file that contains a path.
    #[test]
    fn the_script_is_the_checker_and_not_the_path_of_a_link() {
        assert!(SCRIPT.starts_with("#!/usr/bin/env python3\n"), "{SCRIPT:.60}");
    }

    #[test]
    fn lines_are_read_as_the_checker_writes_them() {
        assert_eq!(verdict("proved: /tmp/0.agon: nim:1+2 from 1+2: value win"), Some(Ok(())));
        assert_eq!(verdict("unsupported: 0.agon: the rules of `cram` are not here"), None);
        assert_eq!(verdict("refuted: 0.agon: the maker has won"), Some(Err("refuted: the maker has won".into())));
        assert!(verdict("Traceback (most recent call last):").is_some_and(|verdict| verdict.is_err()));
    }
}
