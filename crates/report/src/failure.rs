//! How a command can fail, and the exit code each way has.

use agon_core::solver::Failed;
use agon_core::{GameError, NotationError, Stop};

/// Why a command did not simply succeed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The work could not be done.
    Failed(String),
    /// The command line or an input text is wrong.
    Usage(String),
    /// A claim was checked and is false; the report has already been written.
    Refuted,
    /// A file is damaged.
    Corrupt(String),
    /// Interrupted; says what was saved and how to go on.
    Interrupted(String),
    /// The reader of our output went away: nothing to say.
    Closed,
}

impl Failure {
    /// Exit code of a usage error.
    pub const USAGE: u8 = 2;

    /// The documented exit code.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Failure::Failed(_) => 1,
            Failure::Usage(_) => Failure::USAGE,
            Failure::Refuted => 3,
            Failure::Corrupt(_) => 4,
            Failure::Interrupted(_) => 130,
            Failure::Closed => 0,
        }
    }

    /// The line for standard error, if there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Failure::Failed(text) | Failure::Usage(text) | Failure::Corrupt(text) | Failure::Interrupted(text) => {
                Some(text)
            }
            Failure::Refuted | Failure::Closed => None,
        }
    }
}

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
        match stop {
            Stop::Interrupted => Failure::Interrupted("interrupted; nothing was saved, run the command again".into()),
            Stop::Time => Failure::Failed(format!("{stop}; give more with --time")),
            Stop::Nodes => Failure::Failed(format!("{stop}; give more with --nodes")),
            stop => Failure::Failed(format!("{stop}; allow more with --memory")),
        }
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        match failed {
            Failed::Stopped(stop) => stop.into(),
            Failed::NoMemory { .. } => Failure::Failed(format!("{failed}; allow more with --memory")),
            Failed::Damaged(why) => Failure::Corrupt(why),
            Failed::Unsuitable(why) => Failure::Usage(why),
            other => Failure::Failed(other.to_string()),
        }
    }
}

impl From<agon_solve::grundy::Failure> for Failure {
    fn from(failure: agon_solve::grundy::Failure) -> Failure {
        match failure {
            agon_solve::grundy::Failure::Stopped(stop) => stop.into(),
            overflow @ agon_solve::grundy::Failure::Overflow(_) => Failure::Failed(overflow.to_string()),
        }
    }
}
