//! Standard output and when to use colour.

use crate::failure::Failure;
pub use agon_registry::files::{read_file, read_text, write_file};
pub use agon_report::words::{Paint, better, counted, duration, exact, grouped, table};
use std::io::{ErrorKind, IsTerminal, Read, Write};

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
    /// Resolves the flag and the environment.
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
    crate::progress::hide();
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error; if it is closed, nothing is lost.
pub fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "agon: {text}");
}

/// No more of standard input is read.
const LONGEST_INPUT: u64 = 1 << 28;

/// Reads standard input to its end; it must be text.
pub fn read_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST_INPUT + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
    if bytes.len() as u64 > LONGEST_INPUT {
        return Err(Failure::Failed(format!("standard input has more than {} bytes", grouped(LONGEST_INPUT))));
    }
    String::from_utf8(bytes).map_err(|_| Failure::damaged_text("standard input is not text"))
}
