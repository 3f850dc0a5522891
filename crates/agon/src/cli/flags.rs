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
    /// Draw as SVG
    #[arg(long)]
    pub svg: bool,
    /// Solve, and show what each move is worth: ▲ wins, ■ draws, ▼ loses, and in how many plies
    #[arg(long)]
    pub values: bool,
    /// With --values: give up after that many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 30.0)]
    pub time: f64,
    /// With --values: look them up in this directory of tables
    #[arg(long, value_name = "DIR", requires = "values")]
    pub table: Option<PathBuf>,
}

/// `table`
#[derive(Subcommand, Debug)]
pub enum Table {
    /// What each table holds: positions by value, longest wins and losses
    Stats {
        /// The directory
        folder: PathBuf,
    },
    /// The value of a position, and of every move there
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
    /// Read every block, compare checksums, count again
    Verify {
        /// The directory
        folder: PathBuf,
    },
}

impl Table {
    /// The directory asked.
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
    /// Who moves first
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub first: String,
    /// Who moves second
    #[arg(long, default_value = "perfect", value_name = "PLAYER")]
    pub second: String,
    /// Seconds for a move or a hint; a perfect player without a proof in the first part of it plays what its search finds
    /// in the rest, and says so
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 5.0)]
    pub time: f64,
    /// A game between two programs is left as a draw after that many moves, or at the third occurrence of a position
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Perfect players and hints look values up in this directory of tables
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
    /// Games of each pairing; even, for the sides change
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// The first player meets each of the others, instead of everybody everybody
    #[arg(long)]
    pub gauntlet: bool,
    /// Random plies before the players take over, the same for both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub opening_plies: u32,
    /// A file of openings: on each line moves, or `position POS`; # begins a remark
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Seconds a move may take [default: 10; 1 for external engines]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Seconds an external engine may take to start
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 5.0)]
    pub start_time: f64,
    /// A game that lasts longer is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Stop as soon as a sequential test is decided, like elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<String>,
    /// Keep every game in this SQLite file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the tournament in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "games", "gauntlet", "opening_plies", "book", "time", "start_time", "most_plies", "sprt", "from", "moves", "load", "seed"])]
    pub resume: Option<PathBuf>,
    /// With --resume: run the programs (tei:COMMAND) that the file names as players
    #[arg(long, requires = "resume")]
    pub allow_programs: bool,
    /// Play only part i of n, to be merged later
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
    /// Perfect players look values up in this directory of tables
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
    /// The game, a small one, like antrin:3 or tic-tac-toe
    pub game: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub games: u64,
    /// Write the model here
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the learning curve here [default: FILE.svg beside the model]
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// How far a value is drawn towards a new one
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    pub alpha: f64,
    /// How much of a value is left one move earlier
    #[arg(long, value_name = "SHARE", default_value_t = 0.97)]
    pub gamma: f64,
    /// The chance of a random move at the beginning; it falls to a tenth of that
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub epsilon: f64,
    /// Points of the learning curve
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub points: u64,
    /// Games against each opponent for a point of the curve
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub exam: u64,
    /// Seconds the perfect opponent may take for a point of the curve; without proof in that time it is left out
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 30.0)]
    pub time: f64,
}

/// `count`
#[derive(Args, Debug)]
pub struct Count {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Stop after that many plies
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Write every board up to symmetry, with weight, value and distance, to FILE.csv or FILE.json (mill games)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "from", "moves", "load"])]
    pub export: Option<PathBuf>,
    /// Memory to use at most, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub memory: usize,
}

/// `perft`
#[derive(Args, Debug)]
pub struct Perft {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The longest sequences to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub depth: u32,
    /// Split the last count by first move
    #[arg(long)]
    pub divide: bool,
    /// Remember counts, up to symmetry, in a table of that many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub table: Option<u64>,
}

/// `results`
#[derive(Args, Debug)]
pub struct Results {
    /// Which table
    #[arg(value_enum)]
    pub table: ResultsTable,
    /// Give each value of a game up after about that many nodes [default: 10000; for ellie 40000000]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// The largest board of antrin; 5 takes half an hour of processor time and 1 GB
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(3..=5))]
    pub size: u8,
}

/// Tables that `results` can compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ResultsTable {
    /// Antrin on 3×3, 4×4 (and 5×5) under every rule: values, distances, longest wins, draws
    Antrin,
    /// Order and Chaos up to 7×7, and m,n,k games by their lines
    OrderChaos,
    /// Octal games of up to three digits, and published periods
    Octal,
    /// Every method of computing Grundy values, value by value to 2^18
    Agreement,
    /// The nim-values of Ellie on boards of three to six rows
    Ellie,
}

/// `solve`
#[derive(Args, Debug)]
pub struct Solve {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Which method, by a name that the game offers (`agon games` lists them); auto takes the first. nimbers:
    /// nim-values of impartial games; sweep: a table of all boards of a game of lines; lines: proofs over lines that
    /// can still be completed; race: who completes a line first; portfolio: alphabeta, race and lines in turns;
    /// alphabeta: search with a table over positions up to symmetry, or for the shortest forced win; proof-number: a
    /// win by threats alone (tak: tinue); strong: every reachable position, the same as --strong; brute: plain
    /// exhaustion, to compare the others with
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Value every reachable position
    #[arg(long, conflicts_with = "solver")]
    pub strong: bool,
    /// Value every move of the position, however long that takes
    #[arg(long)]
    pub all: bool,
    /// Write a certificate that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Give up after about that many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after that many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Memory to use at most, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: usize,
    /// Keep tables in this directory (with --strong), or look values up there (without)
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
    /// With --table: continue with the tables that are there
    #[arg(long, requires_all = ["table", "strong"])]
    pub resume: bool,
    /// With --table: only this table, such as 5-5, and those it leads to
    #[arg(long, value_name = "NAME", requires_all = ["table", "strong"])]
    pub only: Option<String>,
    /// With --table: save unfinished work that often
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 50.0, requires = "table")]
    pub save_every: f64,
}

/// What a strategy is claimed to reach.
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
    /// What it should reach
    #[arg(long, value_enum, default_value_t = Claimed::Draw)]
    pub claim: Claimed,
    /// List every position where it first goes wrong, and the lines that break the claim
    #[arg(long)]
    pub all: bool,
    /// Find the fewest exceptions, up to symmetry, that make the claim hold
    #[arg(long)]
    pub repair: bool,
    /// With --repair: try at most that many exceptions
    #[arg(long, value_name = "N", default_value_t = 16, requires = "repair")]
    pub most: usize,
    /// With --repair: write the exceptions to a file that NAME@FILE reads
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub exceptions: Option<PathBuf>,
    /// With --repair: write the repaired strategy as text
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub out: Option<PathBuf>,
    /// Write a certificate that `agon check` accepts; with --repair, of the repaired strategy
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
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
    /// List all values even if something else is asked for
    #[arg(long)]
    pub values: bool,
    /// List the heaps of value zero
    #[arg(long)]
    pub zeros: bool,
    /// Largest, most frequent, last new, missing values
    #[arg(long)]
    pub stats: bool,
    /// Find the period and prove it
    #[arg(long)]
    pub period: bool,
    /// Values of these heaps, such as 5,17,100..=120
    #[arg(long, value_name = "HEAPS", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Keep the values in a file that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume the file of --out
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Draw: FILE.svg, or values, freq or density, alone or as KIND:FILE.svg
    #[arg(long, value_name = "PLOT")]
    pub plot: Vec<String>,
    /// Outcomes and genus in misère play
    #[arg(long, conflicts_with_all = ["out", "resume", "period", "stats", "zeros", "at", "plot", "values"])]
    pub misere: bool,
    /// All octal codes of up to that many digits, and their periods
    #[arg(long, value_name = "DIGITS", conflicts_with = "code", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub survey: Option<u32>,
    /// Check a file of published statements
    #[arg(long, value_name = "FILE", conflicts_with = "code")]
    pub audit: Option<PathBuf>,
    /// Compare every method value by value, on many codes or the one given [default --to: 16384]
    #[arg(long)]
    pub self_test: bool,
    /// Time the engine against the plain loop
    #[arg(long)]
    pub race: bool,
}

/// A heap that a machine could hold.
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
    /// Derive every value, which proves them all (tables: the default)
    #[arg(long, conflicts_with = "sample")]
    pub full: bool,
    /// How many random values to derive [default for Grundy values: 500; for tables: of each one, instead of all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Tables: this one, such as 5-5, and those it leads to must be there, instead of all
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// `reproduce`
#[derive(Args, Debug)]
pub struct Reproduce {
    /// Documents (001) or items (001/games); all when left out
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
    /// Show it in the browser at once
    #[arg(long)]
    pub open: bool,
    /// Keep jobs in this directory, so that they continue after a restart; `none` keeps no jobs
    /// [default: agon in $XDG_STATE_HOME, or in ~/.local/state]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// `tune`
#[derive(Args, Debug)]
pub struct Tune {
    /// The game, like tak:6
    pub game: String,
    /// Games to learn from in each round; every fifth is kept back for testing
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(5..=10_000_000))]
    pub games: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub opening: u32,
    /// Begin with the weights set by hand, not with those in use
    #[arg(long)]
    pub by_hand: bool,
    /// Rounds; from the second on, the weights found so far play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub rounds: u64,
    /// Games of the new weights against the old
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub compare: u64,
    /// Nodes for each move of these games [default: those of the games learnt from]
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
    /// Families to test; all when left out
    #[arg(value_name = "FAMILY")]
    pub families: Vec<String>,
    /// Fewer and smaller games, fewer positions
    #[arg(long)]
    pub quick: bool,
}
