//! The flags of each command.

use agon_core::Wdl;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `show`
#[derive(Args, Debug)]
pub struct Show {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The position (default: the start)
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Print the picture as SVG
    #[arg(long)]
    pub svg: bool,
    /// Show the value of each move: ▲ wins, ■ draws, ▼ loses, and in how many plies
    #[arg(long)]
    pub values: bool,
    /// With --values: stop after this many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 30.0)]
    pub time: f64,
    /// With --values: look the values up in this directory of tables
    #[arg(long, value_name = "DIR", requires = "values")]
    pub table: Option<PathBuf>,
}

/// `table`
#[derive(Subcommand, Debug)]
pub enum Table {
    /// Statistics of each table: positions by value, longest wins and losses
    Stats {
        /// The directory
        folder: PathBuf,
    },
    /// The value of a position and of each move
    Probe {
        /// The directory
        folder: PathBuf,
        /// The position (default: the start)
        #[arg(allow_hyphen_values = true)]
        position: Option<String>,
    },
    /// A longest forced win, move by move
    Longest {
        /// The directory
        folder: PathBuf,
    },
    /// Check the checksum of every block, and recount
    Verify {
        /// The directory
        folder: PathBuf,
    },
}

impl Table {
    /// The directory.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        let (Table::Stats { folder }
        | Table::Probe { folder, .. }
        | Table::Longest { folder }
        | Table::Verify { folder }) = self;
        folder
    }
}

/// `play`
#[derive(Args, Debug)]
pub struct Play {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The player who moves first
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub first: String,
    /// The player who moves second
    #[arg(long, default_value = "perfect", value_name = "PLAYER")]
    pub second: String,
    /// Seconds per move or hint; if `perfect` finds no proof in the first part of this time, it spends the rest on a
    /// search and says so
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 5.0)]
    pub time: f64,
    /// A game between two programs is a draw after this many plies, or at the third occurrence of a position
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Directory of tables in which perfect players and hints look up values
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `arena`
#[derive(Args, Debug)]
pub struct Arena {
    /// The game, like tic-tac-toe or tak:5 (see `agon games`)
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,
    /// The players, at least two
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Games of each pairing; an even number, because each opening is played twice
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// The first player plays each of the others, instead of a round robin
    #[arg(long)]
    pub gauntlet: bool,
    /// Random plies at the start, the same for both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub opening_plies: u32,
    /// A file of openings: each line has moves or `position POS`; # starts a comment
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Time limit for a move, in seconds [default: 10; 1 for external engines]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Time limit for the start of an external engine, in seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 5.0)]
    pub start_time: f64,
    /// Games longer than this are drawn
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Stop when a sequential probability ratio test is decided, such as elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<String>,
    /// Write every game to this SQLite file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the tournament in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "games", "gauntlet", "opening_plies", "book", "time", "start_time", "most_plies", "sprt", "from", "moves", "load", "seed"])]
    pub resume: Option<PathBuf>,
    /// With --resume: run the external engines (tei:COMMAND) that the file names
    #[arg(long, requires = "resume")]
    pub allow_programs: bool,
    /// Play only part i of n; merge the parts later
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
    /// Directory of tables in which perfect players look up values
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `merge`
#[derive(Args, Debug)]
pub struct Merge {
    /// The file to merge into
    pub out: PathBuf,
    /// The parts
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// `train`
#[derive(Args, Debug)]
pub struct Train {
    /// A small game, like antrin:3 or tic-tac-toe
    pub game: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub games: u64,
    /// Write the model to this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a plot of the learning curve [default: beside the model]
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// The learning rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    pub alpha: f64,
    /// The discount factor per move
    #[arg(long, value_name = "SHARE", default_value_t = 0.97)]
    pub gamma: f64,
    /// The exploration rate at the start; it falls to a tenth
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub epsilon: f64,
    /// Number of points on the learning curve
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub points: u64,
    /// Test games against each opponent at each point of the curve
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub exam: u64,
    /// Time limit for the perfect opponent at each point of the curve, in seconds; the opponent is left out if it finds no
    /// proof in time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 30.0)]
    pub time: f64,
}

/// `count`
#[derive(Args, Debug)]
pub struct Count {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Stop after this many plies
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Write every board up to symmetry, with weight, value and distance, to FILE.csv or FILE.json (mill games)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "from", "moves", "load"])]
    pub export: Option<PathBuf>,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub memory: usize,
}

/// `perft`
#[derive(Args, Debug)]
pub struct Perft {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The length of the longest sequences
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub depth: u32,
    /// Split the last count by first move
    #[arg(long)]
    pub divide: bool,
    /// Use a transposition table of this many MiB, up to symmetry
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub table: Option<u64>,
}

/// `solve`
#[derive(Args, Debug)]
pub struct Solve {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The method; see the list below [default: auto, the first one that `agon games` lists for the game]
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Solve every reachable position
    #[arg(long, conflicts_with = "solver")]
    pub strong: bool,
    /// Also solve the position after each move
    #[arg(long)]
    pub all: bool,
    /// Write a certificate that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Stop after about this many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: usize,
    /// With --strong: write tables to this directory; without: look values up there
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
    /// With --table: continue an earlier run
    #[arg(long, requires_all = ["table", "strong"])]
    pub resume: bool,
    /// With --table: only this table, such as 5-5, and those it leads to
    #[arg(long, value_name = "NAME", requires_all = ["table", "strong"])]
    pub only: Option<String>,
    /// With --table: interval between checkpoints
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 50.0, requires = "table")]
    pub save_every: f64,
}

/// The result that a strategy claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Claimed {
    /// It always wins
    Win,
    /// It gets at least a draw
    Draw,
}

impl From<Claimed> for Wdl {
    fn from(claimed: Claimed) -> Wdl {
        match claimed {
            Claimed::Win => Wdl::Win,
            Claimed::Draw => Wdl::Draw,
        }
    }
}

/// `verify`
#[derive(Args, Debug)]
pub struct Verify {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The strategy: a name, or a file that ends in .rules (docs/strategies.md)
    pub strategy: String,
    /// The side it plays: first, second, or the game's own name
    #[arg(long = "as", default_value = "first", value_name = "SIDE")]
    pub side: String,
    /// The claim to test
    #[arg(long, value_enum, default_value_t = Claimed::Draw)]
    pub claim: Claimed,
    /// List every first mistake, and the lines that refute the claim
    #[arg(long)]
    pub all: bool,
    /// Find the fewest exceptions, up to symmetry, that make the claim true
    #[arg(long)]
    pub repair: bool,
    /// With --repair: the largest number of exceptions to try
    #[arg(long, value_name = "N", default_value_t = 16, requires = "repair")]
    pub most: usize,
    /// With --repair: write the exceptions to a file, which you can use as NAME@FILE
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub exceptions: Option<PathBuf>,
    /// With --repair: write the repaired strategy as text
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub out: Option<PathBuf>,
    /// Write a certificate that `agon check` accepts; with --repair, for the repaired strategy
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// In the certificate, list the moves at every position even if the strategy is text (for tools/check.py)
    #[arg(long, requires = "certificate")]
    pub listed: bool,
}

/// `grundy`
#[derive(Args, Debug)]
pub struct Grundy {
    /// The code, such as 0.007
    #[arg(required_unless_present_any = ["audit", "survey", "self_test"], allow_hyphen_values = true)]
    pub code: Option<String>,
    /// The largest heap [default: 100, or the largest of --at; with --survey 16384; with --misere 120]
    #[arg(long, value_name = "N", value_parser = heap, allow_hyphen_values = true)]
    pub to: Option<usize>,
    /// List all values as well, when other options are given
    #[arg(long)]
    pub values: bool,
    /// List the heaps of value zero
    #[arg(long)]
    pub zeros: bool,
    /// Statistics: the largest, most frequent, last new and smallest missing values
    #[arg(long)]
    pub stats: bool,
    /// Find the period and prove it
    #[arg(long)]
    pub period: bool,
    /// Values of these heaps, such as 5,17,100..=120
    #[arg(long, value_name = "HEAPS", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Write the values to a file that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// With --out: continue the file
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Write a plot: FILE.svg, or a KIND (values, freq, density), or KIND:FILE.svg
    #[arg(long, value_name = "PLOT")]
    pub plot: Vec<String>,
    /// Outcomes and genus in misère play
    #[arg(long, conflicts_with_all = ["out", "resume", "period", "stats", "zeros", "at", "plot", "values"])]
    pub misere: bool,
    /// Find the periods of all octal codes with up to this many digits
    #[arg(long, value_name = "DIGITS", conflicts_with = "code", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub survey: Option<u32>,
    /// Check the published statements in a file
    #[arg(long, value_name = "FILE", conflicts_with = "code")]
    pub audit: Option<PathBuf>,
    /// Compare every method value by value, on many codes or the one given [default --to: 16384]
    #[arg(long)]
    pub self_test: bool,
    /// Compare the speed of the engine with a scalar loop
    #[arg(long)]
    pub race: bool,
}

/// A heap that fits into memory.
fn heap(text: &str) -> Result<usize, String> {
    const LARGEST: usize = 1 << 40;
    let heap = text.replace(['_', ','], "").parse().ok().filter(|&n| n <= LARGEST);
    heap.ok_or_else(|| format!("expected a heap, 0..={LARGEST}"))
}

/// `check`
#[derive(Args, Debug)]
pub struct CheckFile {
    /// The certificate, a file of Grundy values, or a directory of tables
    pub file: PathBuf,
    /// Derive every value, which proves all of them [default for tables]
    #[arg(long, conflicts_with = "sample")]
    pub full: bool,
    /// Number of random values to derive, per table for tables [default for Grundy values: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Check only this table, such as 5-5, and those it leads to
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// `reproduce`
#[derive(Args, Debug)]
pub struct Reproduce {
    /// Documents (001) or items (001/games) [default: all]
    pub items: Vec<String>,
    /// Only list the items
    #[arg(long)]
    pub list: bool,
    /// Include the slow items
    #[arg(long)]
    pub full: bool,
    /// Also write Markdown, JSON, CSV and an HTML page into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `serve`
#[derive(Args, Debug)]
pub struct Serve {
    /// The port; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 4774)]
    pub port: u16,
    /// Open the workbench in the browser
    #[arg(long)]
    pub open: bool,
    /// Store jobs in this directory, so that they continue after a restart; `none` stores nothing
    /// [default: agon in $XDG_STATE_HOME, or in ~/.local/state]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// `tune`
#[derive(Args, Debug)]
pub struct Tune {
    /// The game, like tak:6
    pub game: String,
    /// Games per round; one in five is held out for validation
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(5..=10_000_000))]
    pub games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub opening: u32,
    /// Start from the weights that were set by hand
    #[arg(long)]
    pub by_hand: bool,
    /// Number of rounds; each plays with the weights of the round before
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub rounds: u64,
    /// Games between the new and the old weights
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub compare: u64,
    /// Nodes per move in these games [default: the value of --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub compare_nodes: Option<u64>,
}

/// `bench`
#[derive(Args, Debug)]
pub struct Bench {
    /// Only items whose name contains one of these words
    pub only: Vec<String>,
}

/// `selftest`
#[derive(Args, Debug)]
pub struct Selftest {
    /// Families to test [default: all]
    #[arg(value_name = "FAMILY")]
    pub families: Vec<String>,
    /// Fewer and smaller games, fewer positions
    #[arg(long)]
    pub quick: bool,
}
