//! The flags of the commands that say why.

use agon_report::PuzzleKind;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `explain`
#[derive(Args, Debug)]
pub struct Explain {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The position (default: the start)
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Also say what this strategy does here: a name, or a file that ends in .rules (docs/strategies.md)
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<String>,
    /// The side that the strategy plays: first, second, or the game's own name [default: the side to move]
    #[arg(long = "as", value_name = "SIDE", requires = "strategy")]
    pub side: Option<String>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 10.0)]
    pub time: f64,
    /// Stop after about this many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Maximum number of positions in the trees
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub most: u32,
    /// Maximum depth of a tree, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,
    /// Look the values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `tree`
#[derive(Args, Debug)]
pub struct Tree {
    /// The game, like ellie:3x2 or tic-tac-toe (see `agon games`)
    pub game: String,
    /// The position (default: the start)
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Follow moves for at most that many plies
    #[arg(long, value_name = "N")]
    pub plies: Option<u16>,
    /// Maximum number of nodes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub most: u32,
    /// Make equivalent positions at the same ply one node, with the number of plays that lead to it
    #[arg(long)]
    pub merge: bool,
    /// Show the tree of this player's search instead, like mcts:playouts=30: how many playouts each move won
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["plies", "merge"])]
    pub player: Option<String>,
    /// Write a picture to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 60.0)]
    pub time: f64,
}

/// `analyse`
#[derive(Args, Debug)]
pub struct Analyse {
    /// The game, like tic-tac-toe or tak:5 (see `agon games`)
    pub game: String,
    /// A saved game, PTN for Tak, or a list of moves; a directory of such files; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 1.0)]
    pub time: f64,
    /// Node limit for each position (approximate)
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Write the game as PTN, with marks and comments (Tak)
    #[arg(long)]
    pub ptn: bool,
    /// Look the values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `grade`
#[derive(Args, Debug)]
pub struct Grade {
    /// The game, like tic-tac-toe or connect-four (see `agon games`)
    pub game: String,
    /// Files with games, directories of such files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 1.0)]
    pub time: f64,
    /// Node limit for each position (approximate)
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Do not estimate moves whose value is not proven
    #[arg(long)]
    pub proven_only: bool,
    /// Write the players as comma-separated values
    #[arg(long)]
    pub csv: bool,
    /// Write grade.json, grade.csv, faults.csv and grade.html to this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Look the values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `puzzles`
#[derive(Args, Debug)]
pub struct Puzzles {
    /// The game, like tic-tac-toe or connect-four (see `agon games`)
    pub game: String,
    /// Take the positions of these games instead of random ones: files of `agon analyse`, directories, `-` for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: u32,
    /// The effect of the one right move
    #[arg(long, value_enum, default_value_t = RightMove::Win)]
    pub kind: RightMove,
    /// Write comma-separated values
    #[arg(long)]
    pub csv: bool,
    /// Node limit for each position and each of its moves (approximate)
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub nodes: u64,
    /// Stop after this many seconds with the puzzles found so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Look the values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// The effect of the right move of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RightMove {
    /// It wins, and no other move does
    Win,
    /// It draws, and every other move loses
    Save,
}

impl From<RightMove> for PuzzleKind {
    fn from(right: RightMove) -> PuzzleKind {
        match right {
            RightMove::Win => PuzzleKind::Win,
            RightMove::Save => PuzzleKind::Save,
        }
    }
}
