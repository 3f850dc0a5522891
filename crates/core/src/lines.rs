//! Line games as maker-breaker games: one side, the *maker*, wants some set of cells filled with one mark; the other,
//! the *breaker*, wants to spoil every such set.
//!
//! Order and Chaos is such a game; an m,n,k game is one for each side, if the opponent's own rows are ignored. A game
//! declares its lines by [`Guide::lines`](crate::Guide::lines); solver and checker need nothing else of it.

use crate::game::Alternates;
use crate::words::{Player, Wdl};

/// A set of cells, bit `i` for cell `i`.
pub type CellSet = u64;

/// The most marks that a line game may have.
pub const MAX_MARKS: usize = 4;

/// One way for the maker to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// The mark its cells must hold.
    pub mark: u8,
    /// The cells that must hold it.
    pub want: CellSet,
    /// Cells that must not hold it.
    pub avoid: CellSet,
    /// The track: lines with different tracks share at most one cell.
    pub track: u16,
}

/// The lines of a game from the maker's side. Both sides put any of the marks into any empty cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The number of cells, at most 64.
    pub cells: usize,
    /// The number of marks, at most [`MAX_MARKS`].
    pub marks: usize,
    /// Every line.
    pub lines: Vec<Line>,
    /// Whether a line counts only when the cells it avoids are filled too.
    pub settled: bool,
    /// The symmetries of the board, as the new cell of each cell; the identity first.
    pub symmetries: Vec<Vec<u8>>,
    /// Whether any renaming of the marks is a symmetry.
    pub alike: bool,
    /// The maker's result if the breaker spoils every line.
    pub spoiled: Wdl,
    /// Whether a completed line wins. If not (the opponent may win first), only `spoiled` counts.
    pub decides: bool,
    /// The maker.
    pub maker: Player,
    /// The sides put their marks in turn: every argument about lines counts moves.
    pub alternates: Alternates,
}

impl Lines {
    /// The set of all cells.
    #[must_use]
    pub fn all(&self) -> CellSet {
        CellSet::MAX >> (64 - self.cells)
    }

    /// Returns whether some line avoids a cell.
    #[must_use]
    pub fn avoiding(&self) -> bool {
        self.lines.iter().any(|line| line.avoid != 0)
    }
}
