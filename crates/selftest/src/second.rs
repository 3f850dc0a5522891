//! The second checker: a program in another language that knows the rules of some games and reads certificates.

use crate::statement::Statement;
use crate::voice::Said;
use agon_edge::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Where the checker was found.
pub struct Second {
    script: PathBuf,
}

/// Files given to one process.
const BATCH: usize = 200;

impl Second {
    /// The checker, if the script and an interpreter are there; else why it does not take part.
    pub fn find() -> Result<Second, String> {
        let script = Path::new("tools/check.py");
        if !script.is_file() {
            return Err("tools/check.py is not in this directory".into());
        }
        match Command::new("python3").arg("--version").output() {
            Ok(output) if output.status.success() => Ok(Second { script: script.to_path_buf() }),
            _ => Err("python3 is not installed".into()),
        }
    }

    /// What it says about certificates that agon accepts: position and file each.
    pub fn listen(&self, certificates: &[(String, String)]) -> Result<Vec<Said>, Failure> {
        let mut said = Vec::new();
        for batch in certificates.chunks(BATCH) {
            said.extend(self.batch(batch)?);
        }
        Ok(said)
    }

    fn batch(&self, certificates: &[(String, String)]) -> Result<Vec<Said>, Failure> {
        let fail = |error: std::io::Error| Failure::Failed(format!("the second checker cannot run: {error}"));
        let folder = TempDir::new().map_err(fail)?;
        let mut command = Command::new("python3");
        command.arg(&self.script);
        for (i, (_, text)) in certificates.iter().enumerate() {
            let file = folder.path().join(format!("{i}.agon"));
            std::fs::write(&file, text).map_err(fail)?;
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
        let said = certificates.iter().zip(lines).filter_map(|((position, _), line)| {
            let verdict = verdict(line)?;
            Some((position.clone(), Statement::Holds(verdict)))
        });
        Ok(said.collect())
    }
}

/// What a line says; nothing where the checker does not know the rules. The name of the file may stand before.
fn verdict(line: &str) -> Option<Result<(), String>> {
    let words = ["proved:", "unsupported:", "refuted:", "corrupt:"];
    let first = words.iter().filter_map(|word| Some((line.find(word)?, *word))).min();
    match first {
        Some((_, "proved:")) => Some(Ok(())),
        Some((_, "unsupported:")) => None,
        _ => Some(Err(format!("the second checker says `{line}`"))),
    }
}
