//! Failures of a request, each with its exit code. The command line and the pages suggest what to do, each in its own
//! words.

use agon_core::solver::Failed;
use agon_core::{GameError, NotationError, Stop};
use std::fmt;
use std::path::{Path, PathBuf};

/// The reasons why a command does not succeed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The work could not be done.
    Failed(String),
    /// The command line or an input text is wrong.
    Usage(String),
    /// A claim was checked and is false; the report has already been written.
    Refuted,
    /// A file, or a text that should be one, does not hold what it should.
    Damaged {
        /// The file or directory, where the text is known to come from one.
        path: Option<PathBuf>,
        /// The fault.
        why: String,
    },
    /// A file cannot be read, written or used.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The attempt, as a verb: `read`, `write` or `use`.
        doing: &'static str,
        /// The fault.
        why: String,
    },
    /// A number is larger than the work can store.
    OutOfRange {
        /// The number, such as "the length of a forced win in plies".
        what: String,
        /// The largest that can be stored.
        limit: u64,
    },
    /// The game does not offer what was asked for.
    NotOffered {
        /// The request, such as "a puzzle" or "method `x`".
        what: String,
        /// The game.
        game: String,
        /// The names that it offers instead; empty if it offers nothing of the kind.
        offered: Vec<String>,
    },
    /// Interrupted; says what was saved.
    Interrupted(String),
    /// Interrupted, and what is finished was saved: the same work can be continued. Says where.
    Saved(String),
    /// The work was stopped before it had any result.
    Stopped(Stop),
    /// The work needs more memory than is allowed.
    NoMemory {
        /// Bytes needed, where that is known beforehand.
        needed: Option<u64>,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The output exists already, and the work can be resumed.
    Exists {
        /// The file or directory.
        path: String,
        /// The kind of its contents.
        holds: Holds,
    },
    /// The directory holds no tables of the game.
    NoTables {
        /// The directory.
        folder: String,
        /// The game.
        game: String,
    },
    /// The reader of our output went away: nothing to say.
    Closed,
}

/// The kind of a file or directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Holds {
    /// Tables of a game.
    Tables,
    /// A tournament.
    Tournament,
}

impl Failure {
    /// Exit code of a usage error.
    pub const USAGE: u8 = 2;

    /// A file that does not hold what it should.
    pub fn damaged(path: &Path, why: impl ToString) -> Failure {
        Failure::Damaged { path: Some(path.to_path_buf()), why: why.to_string() }
    }

    /// A text that does not hold what it should; [`Failure::in_file`] adds where it comes from.
    pub fn damaged_text(why: impl Into<String>) -> Failure {
        Failure::Damaged { path: None, why: why.into() }
    }

    /// A file that cannot be read, written or used; `doing` is the verb.
    pub fn io(path: &Path, doing: &'static str, why: impl ToString) -> Failure {
        Failure::Io { path: path.to_path_buf(), doing, why: why.to_string() }
    }

    /// A request for something that a game does not offer at all.
    pub fn not_offered(what: impl Into<String>, game: &str) -> Failure {
        Failure::NotOffered { what: what.into(), game: game.to_string(), offered: Vec::new() }
    }

    /// The failure of reading a text that comes from this file.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Failure {
        match self {
            Failure::Usage(why) => Failure::Usage(format!("`{}`: {why}", path.display())),
            Failure::Damaged { path: None, why } => Failure::damaged(path, why),
            other => other,
        }
    }

    /// The documented exit code.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Failure::Stopped(Stop::Interrupted) => 130,
            Failure::Failed(_)
            | Failure::Io { .. }
            | Failure::OutOfRange { .. }
            | Failure::Stopped(_)
            | Failure::NoMemory { .. } => 1,
            Failure::Usage(_) | Failure::Exists { .. } | Failure::NoTables { .. } | Failure::NotOffered { .. } => {
                Failure::USAGE
            }
            Failure::Refuted => 3,
            Failure::Damaged { .. } => 4,
            Failure::Interrupted(_) | Failure::Saved(_) => 130,
            Failure::Closed => 0,
        }
    }

    /// The reason why the work was stopped, if nothing else went wrong.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        match self {
            Failure::Stopped(stop) => Some(*stop),
            Failure::NoMemory { .. } => Some(Stop::Memory),
            Failure::Interrupted(_) | Failure::Saved(_) => Some(Stop::Interrupted),
            _ => None,
        }
    }

    /// The message, unless the report already has it.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Failure::Refuted | Failure::Closed => return None,
            Failure::Failed(text) | Failure::Usage(text) => text.clone(),
            Failure::Interrupted(text) | Failure::Saved(text) => text.clone(),
            Failure::Damaged { path: None, why } => why.clone(),
            Failure::Damaged { path: Some(path), why } => {
                Failed::Damaged { path: path.clone(), why: why.clone() }.to_string()
            }
            Failure::Io { path, doing, why } => Failed::Io { path: path.clone(), doing, why: why.clone() }.to_string(),
            Failure::OutOfRange { what, limit } => Failed::OutOfRange { what: what.clone(), limit: *limit }.to_string(),
            Failure::NotOffered { what, game, offered } if offered.is_empty() => {
                format!("{what} is not available for {game}")
            }
            Failure::NotOffered { what, game, offered } => {
                format!("no {what} for {game}: expected {}", offered.join(", "))
            }
            Failure::Stopped(Stop::Interrupted) => "interrupted; nothing was saved".to_string(),
            Failure::Stopped(stop) => stop.to_string(),
            Failure::NoMemory { needed, allowed } => {
                Failed::NoMemory { needed: *needed, allowed: *allowed }.to_string()
            }
            Failure::Exists { path, holds: Holds::Tables } => Failed::TablesExist { folder: path.clone() }.to_string(),
            Failure::Exists { path, holds: Holds::Tournament } => format!("`{path}` already exists"),
            Failure::NoTables { folder, game } => {
                Failed::NoTables { folder: folder.clone(), game: game.clone() }.to_string()
            }
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refuted => f.write_str("the claim is refuted"),
            Failure::Closed => f.write_str("standard output is closed"),
            other => f.write_str(&other.message().unwrap_or_default()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        match failed {
            Failed::Stopped(stop) => stop.into(),
            Failed::NoMemory { needed, allowed } => Failure::NoMemory { needed, allowed },
            Failed::TablesExist { folder } => Failure::Exists { path: folder, holds: Holds::Tables },
            Failed::NoTables { folder, game } => Failure::NoTables { folder, game },
            Failed::Damaged { path, why } => Failure::Damaged { path: Some(path), why },
            Failed::Io { path, doing, why } => Failure::Io { path, doing, why },
            Failed::OutOfRange { what, limit } => Failure::OutOfRange { what, limit },
            Failed::Processes(why) => Failure::Failed(why),
            Failed::Unsuitable(why) => Failure::Usage(why),
            other => Failure::Failed(other.to_string()),
        }
    }
}

impl From<agon_solve::grundy::Failure> for Failure {
    fn from(failure: agon_solve::grundy::Failure) -> Failure {
        Failed::from(failure).into()
    }
}
