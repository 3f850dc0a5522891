//! The flags of `plan`.

use super::{Claimed, Matches};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `plan`
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Plan {
    /// Work other than tables.
    #[command(subcommand)]
    pub other: Option<PlanOf>,
    /// The game whose tables to solve, like morris:nine (see `agon games`)
    #[arg(required = true)]
    pub game: Option<String>,
    /// The directory of the tables, as the tasks will see it
    #[arg(long, value_name = "DIR", required = true)]
    pub table: Option<PathBuf>,
    /// Only this table, such as 5-5, and those it leads to
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// Add tasks that derive this share of all values again, such as 0.01, by forward moves and with a new seed
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub verify: Option<f64>,
    /// Share a unit that needs more memory than this among several processes (an agon with the feature `timely`)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub process_memory: Option<u64>,
    /// Processor time for an index, in nanoseconds [default: measured by the records in the directory, else 200]
    #[arg(long, value_name = "NS")]
    pub rate: Option<f64>,
    /// The form of the plan, and what to do with it.
    #[command(flatten)]
    pub form: PlanForm,
}

/// The form of a plan.
#[derive(Args, Debug)]
pub struct PlanForm {
    /// Write the plan to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The form
    #[arg(long, value_enum, default_value_t = PlanFormat::Json, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Join small units to tasks of at most about this many seconds; 0 makes every unit a task
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub task_seconds: f64,
    /// Threads of each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub task_threads: u32,
    /// Instead of the plan, show how long it would take on these numbers of workers, such as 2,16,256
    #[arg(long, value_name = "WORKERS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub simulate: Vec<u32>,
    /// With --simulate: multiply all estimates by this
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "simulate")]
    pub scale: f64,
}

/// The form of a plan.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanFormat {
    /// JSON
    Json,
    /// A Snakefile
    Snakemake,
    /// A shell script that submits Slurm job arrays
    Slurm,
    /// A makefile
    Make,
}

/// Work other than tables.
#[derive(Subcommand, Debug)]
pub enum PlanOf {
    /// A tournament in parts, and their merging
    #[command(after_help = "\
            Examples:\n  \
            agon plan arena tak:5 negamax:nodes=20000 mcts:playouts=2000 --games 1000 --db match.sqlite --parts 16\n\n\
            Games and ratings are those of `agon arena` with the same seed, as long as no player is limited by time.")]
    Arena(PlanArena),
    /// A strategy, tested after each first move of the other side
    #[command(after_help = "\
            Examples:\n  \
            agon plan verify tic-tac-toe singh-objectives --as second --claim draw --dir proofs\n\n\
            The claim holds if every task succeeds. If the strategy moves first, the plan has one task.")]
    Verify(PlanVerify),
    /// A sequence of Grundy values in pieces, and checks of the file
    #[command(after_help = "Examples:\n  agon plan grundy 0.007 --to 16777216 --file ellie.grundy --checks 8")]
    Grundy(PlanGrundy),
    /// The claims of published documents, one task for each
    #[command(
        after_help = "Examples:\n  agon plan reproduce --full --dir report\n  agon plan reproduce 001 --dir report"
    )]
    Reproduce(PlanReproduce),
}

/// `plan arena`
#[derive(Args, Debug)]
pub struct PlanArena {
    /// The game, like tic-tac-toe or tak:5 (see `agon games`)
    pub game: String,
    /// The players, at least two
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    pub players: Vec<String>,
    /// The games that they play.
    #[command(flatten)]
    pub matches: Matches,
    /// The tournament file that the parts are merged into
    #[arg(long, value_name = "FILE")]
    pub db: PathBuf,
    /// The number of parts [default: from --game-seconds and --task-seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub parts: Option<u64>,
    /// About the processor time of a game, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub game_seconds: f64,
    /// The form of the plan, and what to do with it.
    #[command(flatten)]
    pub form: PlanForm,
}

/// `plan verify`
#[derive(Args, Debug)]
pub struct PlanVerify {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The strategy: a name, or a file that ends in .rules
    pub strategy: String,
    /// The side it plays: first, second, or the game's own name
    #[arg(long = "as", default_value = "first", value_name = "SIDE")]
    pub side: String,
    /// The claim to test
    #[arg(long, value_enum, default_value_t = Claimed::Draw)]
    pub claim: Claimed,
    /// The directory for a certificate of each task
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// The form of the plan, and what to do with it.
    #[command(flatten)]
    pub form: PlanForm,
}

/// `plan grundy`
#[derive(Args, Debug)]
pub struct PlanGrundy {
    /// The code, such as 0.007
    pub code: String,
    /// The largest heap
    #[arg(long, value_name = "N")]
    pub to: u64,
    /// The file of values
    #[arg(long, value_name = "FILE")]
    pub file: PathBuf,
    /// The number of checks, each of 500 random values
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub checks: u32,
    /// The form of the plan, and what to do with it.
    #[command(flatten)]
    pub form: PlanForm,
}

/// `plan reproduce`
#[derive(Args, Debug)]
pub struct PlanReproduce {
    /// Documents (001) or items (001/games) [default: all]
    pub items: Vec<String>,
    /// Include the slow items
    #[arg(long)]
    pub full: bool,
    /// The directory for the report of each task
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// The form of the plan, and what to do with it.
    #[command(flatten)]
    pub form: PlanForm,
}

/// A share of everything.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (f64::MIN_POSITIVE..=1.0).contains(share));
    share.ok_or_else(|| "expected a share above 0 and at most 1, such as 0.01".to_string())
}
