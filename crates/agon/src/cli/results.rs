//! The flags of `results`.

use clap::Args;
use std::path::PathBuf;

/// `results`
#[derive(Args, Debug)]
pub struct Results {
    /// The page
    #[arg(value_enum)]
    pub table: ResultsTable,
    /// Node limit for each value [default: 10000; cram and ellie: 4000000; known: none]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// The largest board of antrin; 5 takes half an hour of processor time and 1 GB
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(3..=5))]
    pub size: u8,
    /// connect-four: the largest sum of columns and rows; 13 takes several minutes
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u8).range(8..=13))]
    pub most: u8,
    /// known, levels: only the games that contain this text; strategies: the page of this strategy
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub only: String,
    /// strategies: the folder with the rules
    #[arg(long, value_name = "DIR", default_value = "docs/results/strategies")]
    pub dir: PathBuf,
}

/// Tables that `results` can compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ResultsTable {
    /// Antrin on 3×3, 4×4 (and 5×5) under every rule: values, distances, longest wins, draws
    Antrin,
    /// Connect Four on boards of four and more columns and rows: values, last moves, nodes
    ConnectFour,
    /// Recompute every value on the other pages with `agon solve GAME` (about an hour; --only selects games)
    Known,
    /// How far apart the levels of players are (about ten minutes; --only selects games)
    Levels,
    /// Order and Chaos up to 7×7, and m,n,k games by their lines
    OrderChaos,
    /// Octal games of up to three digits, and published periods
    Octal,
    /// All methods of computing Grundy values, compared value by value up to 2^18
    Agreement,
    /// The nim-values of Cram on boards of up to 64 cells
    Cram,
    /// The list of the rules in a folder, each verified, certified and explained with --only NAME
    Strategies,
    /// The nim-values of Ellie on boards of three and more rows and up to 64 cells
    Ellie,
}
