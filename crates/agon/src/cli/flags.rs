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
    /// Show the numbers that the literature defines for each place: L, P and extensions in Order and Chaos, the table of
    /// solutions with f1, f2, … in m,n,k games
    #[arg(long, conflicts_with = "values")]
    pub measures: bool,
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
    /// Positions with a property: how many there are, and some of them
    #[command(after_help = "\
            Examples:\n  \
            agon table find six --value win --plies 31\n  \
            agon table find six --only 3-3 --zugzwang\n  \
            agon table find six --only-move --value draw --sample --seed 7 --count 100 --csv\n  \
            agon table find six --only-move --value win --sample --puzzles\n\n\
            Each position stands for its images under symmetry. Without --sample, the first matches are listed.")]
    Find(Find),
    /// Check the checksum of every block, and recount
    Verify {
        /// The directory
        folder: PathBuf,
    },
    /// Who made each table, who checked it, and whether its hash is the one on record
    Records {
        /// The directory
        folder: PathBuf,
    },
    /// Write smaller tables for players: results without distances, or what matters most in play
    #[command(after_help = "\
            Examples:\n  \
            agon table export six results\n  \
            agon table export six small --budget 1MB --games 5000\n  \
            agon play morris:six --second perfect --table small\n\n\
            With --budget, the values are kept that a perfect player compares most often in games against an opponent \
            whose moves are random half of the time. The coverage is the share of its moves, in other games, for which \
            all values were kept.")]
    Export(Export),
}

/// `table export`
#[derive(Args, Debug)]
pub struct Export {
    /// The directory of complete tables
    pub folder: PathBuf,
    /// A new directory for the smaller tables
    pub out: PathBuf,
    /// Keep as many values with distances as fit into this size, such as 50MB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub budget: Option<u64>,
    /// With --budget: the number of games that tell which values matter
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "budget", value_parser = clap::value_parser!(u64).range(4..=100_000_000))]
    pub games: u64,
}

/// A size in bytes.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "B" => Some(1),
        "kB" | "KB" => Some(1_000),
        "MB" => Some(1_000_000),
        "GB" => Some(1_000_000_000),
        _ => None,
    };
    let bytes = unit.and_then(|unit: u64| digits.parse::<u64>().ok()?.checked_mul(unit));
    bytes.ok_or_else(|| "expected a size such as 500kB, 50MB or 2GB".to_string())
}

/// `table find`
#[derive(Args, Debug)]
pub struct Find {
    /// The directory
    pub folder: PathBuf,
    /// Only positions of this table, such as 5-3
    #[arg(long, value_name = "TABLE")]
    pub only: Option<String>,
    /// Only positions with this value for the side to move
    #[arg(long, value_name = "VALUE")]
    pub value: Option<ValueFlag>,
    /// Only positions decided in exactly this many plies
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Only positions in which exactly one of several moves keeps the win or the draw
    #[arg(long)]
    pub only_move: bool,
    /// Only mutual zugzwangs: each side would do better if the other one had to move
    #[arg(long)]
    pub zugzwang: bool,
    /// The number of positions to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub count: u32,
    /// List a random sample of the matches, from --seed
    #[arg(long)]
    pub sample: bool,
    /// Print the list as comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print the list as puzzles, in the form of `agon puzzles`; needs --only-move and --value win or draw
    #[arg(long, requires = "only_move", requires = "value")]
    pub puzzles: bool,
}

/// A value for the side to move.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueFlag {
    /// The side to move wins
    Win,
    /// Neither side can win
    Draw,
    /// The side to move loses
    Loss,
}

impl From<ValueFlag> for Wdl {
    fn from(value: ValueFlag) -> Wdl {
        match value {
            ValueFlag::Win => Wdl::Win,
            ValueFlag::Draw => Wdl::Draw,
            ValueFlag::Loss => Wdl::Loss,
        }
    }
}

impl Table {
    /// The directory.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        let (Table::Stats { folder }
        | Table::Probe { folder, .. }
        | Table::Longest { folder }
        | Table::Find(Find { folder, .. })
        | Table::Records { folder }
        | Table::Export(Export { folder, .. })
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

/// The games of a tournament.
#[derive(Args, Debug)]
pub struct Matches {
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
    /// Games longer than this are drawn
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Directory of tables in which perfect players look up values
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
    /// The games that they play.
    #[command(flatten)]
    pub matches: Matches,
    /// Time limit for the start of an external engine, in seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 5.0)]
    pub start_time: f64,
    /// Stop when a sequential probability ratio test is decided, such as elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<String>,
    /// Write every game to this SQLite file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the tournament in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "games", "gauntlet", "opening_plies", "book", "time", "start_time", "most_plies", "sprt", "from", "moves", "load", "seed"])]
    pub resume: Option<PathBuf>,
    /// With --resume: run the external engines (engine:COMMAND, tei:COMMAND) that the file names
    #[arg(long, requires = "resume")]
    pub allow_programs: bool,
    /// With --out: continue the same tournament if the file exists
    #[arg(long = "continue", requires = "out")]
    pub go_on: bool,
    /// Play only part i of n; merge the parts later
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
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
    /// First learn the boards of this file, as `agon count --export` writes it; with --games 0 nothing else
    #[arg(long, value_name = "FILE")]
    pub boards: Option<PathBuf>,
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

/// `engine`
#[derive(Args, Debug)]
pub struct Engine {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`); the option Game chooses another
    pub game: Option<String>,
    /// The player, as for `agon play`, without files
    #[arg(long, value_name = "PLAYER", default_value = "perfect")]
    pub player: String,
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
    #[arg(long, alias = "solver", value_name = "NAME")]
    pub method: Option<String>,
    /// Solve every reachable position
    #[arg(long, conflicts_with = "method")]
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
    /// With --table: exactly the components of these tables, such as 4-4,3-5, beside other processes in the directory; the
    /// tables they lead to must be there
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires_all = ["table", "strong"], conflicts_with = "only")]
    pub part: Vec<String>,
    /// With --part: how long to wait for another process that is at work on the same component
    #[arg(long, value_name = "SECONDS", default_value_t = 300, requires = "part")]
    pub patience: u32,
    /// With --part: share each component among this many processes, which see the same directory; --memory is for each of
    /// them (needs the Cargo feature `timely`)
    #[arg(long, value_name = "N", default_value_t = 1, requires = "part")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub processes: u32,
    /// With --processes: the number of this process, from 0, where neither agon nor srun starts all of them
    #[arg(long, value_name = "K", requires_all = ["processes", "hosts"])]
    pub process: Option<u32>,
    /// With --process: a file whose line K is the address of process K, such as node7:4000
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,
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

/// `distil`
#[derive(Args, Debug)]
pub struct Distil {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The side to play: first, second, the game's own name, or either for one list that serves both
    #[arg(long = "as", default_value = "first", value_name = "SIDE")]
    pub side: String,
    /// The result to get against every reply
    #[arg(long, value_enum, default_value_t = Claimed::Draw)]
    pub claim: Claimed,
    /// The only features that rules may use, by name (docs/strategies.md)
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub features: Vec<String>,
    /// The time for the search, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    pub time: f64,
    /// Write the rules to a file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a certificate that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
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
    /// Stop after that many seconds
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Stop after about that many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Stop when the list of positions takes about that much memory, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: usize,
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
    /// Misère quotients of the heaps, one after the other, verified; the period where it is proved [default --to: 40]
    #[arg(long, conflicts_with_all = ["out", "resume", "period", "stats", "zeros", "at", "plot", "values", "misere"])]
    pub quotient: bool,
    /// List the options of this heap and the mex of their values
    #[arg(long, value_name = "HEAP", value_parser = few, conflicts_with_all = ["out", "resume", "period", "stats", "zeros", "at", "plot", "values", "misere", "quotient", "to"])]
    pub options: Option<usize>,
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

/// A heap whose options can be listed.
fn few(text: &str) -> Result<usize, String> {
    const LARGEST: usize = 100_000;
    text.replace(['_', ','], "")
        .parse()
        .ok()
        .filter(|&n| n <= LARGEST)
        .ok_or_else(|| format!("expected a heap, 0..={LARGEST}"))
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
    /// Derive each value of the tables with this probability, such as 0.01
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["sample", "full"], value_parser = super::plan::share)]
    pub share: Option<f64>,
    /// Check exactly these tables, such as 4-4,3-5: first their hashes and those of what they were computed from
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["only", "sample"])]
    pub part: Vec<String>,
    /// With --part: write the result beside each table, and skip tables that have it already
    #[arg(long, requires = "part")]
    pub record: bool,
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
    /// Write the OpenAPI description of the interface for programs, and serve nothing
    #[arg(long, conflicts_with_all = ["open", "data"])]
    pub openapi: bool,
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
