//! Why a position has its value: every move with what it is worth, and trees in which every defence is answered.
//!
//! A tree shows how one side wins. Where this side is to move, the tree has one move, its *answer*: the quickest one,
//! if the solver knows distances. Where the other side is to move, the tree has every legal move. So each leaf is an
//! end of play, or a position whose value is proven and whose play is left out because the tree would become too large.
//!
//! | module | holds |
//! |---|---|
//! | this one | what an explanation is |
//! | `unroll` | how it is found |
//! | [`sum`] | for impartial games: nim-values, their xor, and the option set behind each |

pub mod sum;
mod unroll;

pub use unroll::explain;

use agon_core::solver::Failed;
use agon_core::{Bounds, Outcome, Player, Wdl};

/// Why a position has its value. Positions and moves are those of a game, or texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation<P, M> {
    /// The position, with all of its moves.
    pub root: Node<P, M>,
    /// Best play of both sides after the best move and after each move that is proven to lose.
    pub lines: Vec<Line<M>>,
    /// Counts of the parts left out.
    pub cut: Cut,
    /// The limit that ended the work before every move of the position had a value.
    pub stopped: Option<Failed>,
}

/// A position of an explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<P, M> {
    /// The position.
    pub position: P,
    /// The side to move, or whose turn it would be.
    pub mover: Player,
    /// The proven bounds of its value, seen by that side.
    pub value: Bounds,
    /// Plies to the end under best play, where they are known.
    pub plies: Option<u32>,
    /// The moves that follow.
    pub shown: Shown,
    /// These moves, each with the position that it leads to.
    pub moves: Vec<(M, Node<P, M>)>,
}

/// The moves of a position that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// No moves: the play is over.
    End(Outcome),
    /// Every legal move.
    Every,
    /// One move, which keeps the value of the position for the side that makes it.
    Answer,
    /// Some of very many moves.
    Some,
    /// No moves: the value is proven, and the play is left out.
    Proven(Left),
    /// No moves: the value is not proven.
    Open,
}

/// Why the play after a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// The explanation does not need it.
    Enough,
    /// The tree would have too many positions.
    Size,
    /// The tree would be too deep.
    Depth,
    /// The time, the nodes or the memory are used up.
    Effort,
}

impl Left {
    /// `size`, `depth` or `effort`; nothing if the explanation does not need the play.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Left::Enough => None,
            Left::Size => Some("size"),
            Left::Depth => Some("depth"),
            Left::Effort => Some("effort"),
        }
    }
}

/// The positions of trees at which play is left out although the tree needs it, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// Too many positions.
    pub size: usize,
    /// Too deep.
    pub depth: usize,
    /// No time, nodes or memory.
    pub effort: usize,
    /// Moves of the position itself that are not shown, because there are very many.
    pub moves: u64,
}

impl Cut {
    /// The number of positions at which play is left out.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.size + self.depth + self.effort
    }
}

/// A line of best play of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The moves, the first of them made at the position that is explained.
    pub moves: Vec<M>,
    /// The end of the line.
    pub ends: Ends,
}

/// The end of a line of best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// The play is over.
    Over(Outcome),
    /// A position occurs again: play never ends, which is a draw.
    Repeats,
    /// At a proven value: the rest is left out.
    Proven,
}

/// Limits of the size of an explanation. The moves of the position itself do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most positions in all trees together.
    pub positions: usize,
    /// The most plies in a tree.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { positions: 300, depth: 40 }
    }
}

impl<P, M> Node<P, M> {
    /// The number of positions in this tree, this one included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.moves.iter().map(|(_, node)| node.size()).sum::<usize>()
    }

    /// The bounds of the `i`-th move for the side that makes it.
    #[must_use]
    pub fn worth(&self, i: usize) -> Bounds {
        let child = &self.moves[i].1;
        child.value.to_parent_with(child.mover == self.mover)
    }

    /// The side that wins this position, if one is proven to.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.value.value()? {
            Wdl::Win => Some(self.mover),
            Wdl::Loss => Some(self.mover.other()),
            Wdl::Draw => None,
        }
    }

    /// The same tree with positions and moves in another form.
    pub fn map<Q, N>(&self, show: &impl Fn(&P) -> Q, show_move: &impl Fn(&P, &M) -> N) -> Node<Q, N> {
        Node {
            position: show(&self.position),
            mover: self.mover,
            value: self.value,
            plies: self.plies,
            shown: self.shown,
            moves: self
                .moves
                .iter()
                .map(|(mv, node)| (show_move(&self.position, mv), node.map(show, show_move)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
