//! Line games as maker-breaker games: one side, the *maker*, wants some set of cells filled with one mark; the other,
//! the *breaker*, wants to spoil every such set.
//!
//! Order and Chaos is such a game; an m,n,k game is one for each side, if the opponent's own rows are ignored. A game
//! declares its lines by [`LineGame`]; solver and checker need nothing else of it.

use crate::game::Alternating;
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
    /// True if a line counts only when the cells it avoids are filled too.
    pub settled: bool,
    /// The symmetries of the board, as the new cell of each cell; the identity first.
    pub symmetries: Vec<Vec<u8>>,
    /// True if any renaming of the marks is a symmetry.
    pub alike: bool,
    /// The maker's result if the breaker spoils every line.
    pub spoiled: Wdl,
    /// True if a completed line wins. If not (the opponent may win first), only `spoiled` counts.
    pub decides: bool,
    /// The maker.
    pub maker: Player,
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

/// A smaller line game in the middle of a larger one, and pairs of the cells around it.
///
/// If the maker wins the inner game, it wins the outer one: it follows its strategy inside and answers every mark on
/// the border in the other cell of the pair, with the other mark. Then the ends of a complete inner line hold different
/// marks, and one of them continues the line. The checker tests that this argument fits: the cells and pairs make up
/// the board, and every inner line continues into both cells of some pair.
#[derive(Clone, Debug)]
pub struct Frame<G> {
    /// The game inside, with the same maker, the same side to begin, and an empty board at the start.
    pub inner: G,
    /// For each cell of the inner game, the cell of the outer game where it lies.
    pub cells: Vec<usize>,
    /// All other cells of the outer game, in pairs.
    pub pairs: Vec<(usize, usize)>,
}

/// A game whose sides fill cells with marks until a line is complete or every line is spoiled.
///
/// Solvers and the checker argue about the lines instead of the rules, so a game that describes its lines wrongly is
/// solved wrongly, and certificates about its lines prove nothing. [`laws::lines`](crate::laws::lines) compares
/// them with the rules along random plays.
///
/// ```
/// use agon_core::lines::{CellSet, Line, LineGame, Lines, MAX_MARKS};
/// use agon_core::{Alternating, Game, Outcome, Player, Wdl, laws};
///
/// /// One cell: the player who fills it wins. A position says whether it is filled.
/// #[derive(Clone, Debug)]
/// struct Cell;
/// # impl Game for Cell {
/// #     type Position = bool;
/// #     type Move = ();
/// #     type Undo = ();
/// #     fn start(&self) -> bool { false }
/// #     fn turn(&self, pos: &bool) -> Player { if *pos { Player::Second } else { Player::First } }
/// #     fn outcome(&self, pos: &bool) -> Option<Outcome> { pos.then_some(Outcome::Win(Player::First)) }
/// #     fn moves(&self, pos: &bool, each: &mut impl FnMut(())) { if !pos { each(()); } }
/// #     fn play(&self, pos: &mut bool, (): ()) { *pos = true; }
/// #     fn undo(&self, pos: &mut bool, (): (), (): ()) { *pos = false; }
/// # }
/// # impl Alternating for Cell {}
///
/// impl LineGame for Cell {
///     fn lines(&self, maker: Player) -> Option<Lines> {
///         (maker == Player::First).then(|| Lines {
///             cells: 1,
///             marks: 1,
///             lines: vec![Line { mark: 0, want: 0b1, avoid: 0, track: 0 }],
///             settled: false,
///             symmetries: vec![vec![0]],
///             alike: true,
///             spoiled: Wdl::Loss,
///             decides: true,
///             maker,
///         })
///     }
///     fn line_marks(&self, pos: &bool, _maker: Player) -> [CellSet; MAX_MARKS] {
///         [CellSet::from(*pos), 0, 0, 0]
///     }
///     fn line_move(&self, _pos: &bool, _maker: Player, _cell: usize, _mark: usize) -> Option<()> {
///         Some(())
///     }
/// }
///
/// assert_eq!(Cell.line_marks(&true, Player::First)[0], 0b1);
/// laws::lines(&Cell, 3, 1);
/// ```
///
/// Every argument about lines counts moves, so the trait requires [`Alternating`]. A game with extra turns cannot be a
/// line game:
///
/// ```compile_fail,E0277
/// # use agon_core::lines::{CellSet, LineGame, Lines, MAX_MARKS};
/// # use agon_core::{Game, Outcome, Player};
/// #[derive(Clone, Debug)]
/// struct WithExtraTurns;
/// # impl Game for WithExtraTurns {
/// #     type Position = bool;
/// #     type Move = ();
/// #     type Undo = ();
/// #     fn start(&self) -> bool { false }
/// #     fn turn(&self, pos: &bool) -> Player { Player::First }
/// #     fn outcome(&self, pos: &bool) -> Option<Outcome> { pos.then_some(Outcome::Win(Player::First)) }
/// #     fn moves(&self, pos: &bool, each: &mut impl FnMut(())) { if !pos { each(()); } }
/// #     fn play(&self, pos: &mut bool, (): ()) { *pos = true; }
/// #     fn undo(&self, pos: &mut bool, (): (), (): ()) { *pos = false; }
/// # }
///
/// impl LineGame for WithExtraTurns { // error: the trait bound `WithExtraTurns: Alternating` is not satisfied
///     // …
/// #     fn lines(&self, _: Player) -> Option<Lines> { None }
/// #     fn line_marks(&self, _: &bool, _: Player) -> [CellSet; MAX_MARKS] { [0; MAX_MARKS] }
/// #     fn line_move(&self, _: &bool, _: Player, _: usize, _: usize) -> Option<()> { None }
/// }
/// ```
pub trait LineGame: Alternating {
    /// The lines that `maker` wants to complete, the same at every call; `None` if it has none. Whether a side has
    /// lines may depend on the parameters of the game.
    ///
    /// At every position that can arise, with the marks of [`LineGame::line_marks`]: a finished game is won by `maker`
    /// exactly if a line is complete, and otherwise gives it at most [`Lines::spoiled`]. A game whose lines are
    /// [`settled`](Lines::settled) may continue after a line is complete; any other is over then. If the lines
    /// [`decide`](Lines::decides), play ends only by a complete line or a full board, and either side may put any mark
    /// into any empty cell.
    ///
    /// Solvers call it once for each game, so it may take time.
    fn lines(&self, maker: Player) -> Option<Lines>;

    /// The cells that hold each mark, numbered as in the lines of `maker`. No cell holds two marks; marks that the game
    /// does not have hold no cell. It is called only for a `maker` that has lines, once for each position that a
    /// search begins with, and for every move of a table player.
    fn line_marks(&self, pos: &Self::Position, maker: Player) -> [CellSet; MAX_MARKS];

    /// The legal move that puts `mark` into the empty `cell` and changes no other cell; `None` if the side to move has
    /// no such move. Every legal move is the move of one cell and one mark. It is called only for a `maker` that has
    /// lines and at positions where the game is not over.
    fn line_move(&self, pos: &Self::Position, maker: Player, cell: usize, mark: usize) -> Option<Self::Move>;

    /// The name of a cell, the same at every call and different for every cell, without spaces. Certificates name cells
    /// by it. The default is the number of the cell.
    fn cell_name(&self, cell: usize) -> String {
        cell.to_string()
    }

    /// A smaller game inside this one, if there is one from which a win of this game follows. Evidence about the inner
    /// game then proves a win of this one. The checker tests what the argument rests on, so a frame that does not fit
    /// proves nothing; the rules and lines of the inner game are trusted as those of this game are.
    fn frame(&self) -> Option<Frame<Self>> {
        None
    }
}
