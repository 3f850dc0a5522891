//! The reasons of an agent for its move: score, principal variation, alternatives.

use agon_core::Value;

/// An estimate, seen by the mover. Never a proof.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of the unit of the game's evaluation: flats, open rows, men.
    Points(i32),
    /// The share of playouts won, a draw counting half.
    Share(f64),
}

/// A move of the root with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative<M> {
    /// The principal variation that begins with the move.
    pub pv: Vec<M>,
    /// The score, for the side to move at the root.
    pub score: Score,
    /// The number of playouts, or of nodes of its search.
    pub visits: u64,
    /// The value, once it is proven.
    pub proven: Option<Value>,
}

/// A choice and its reasons, seen by the side that chooses.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<M> {
    /// The move.
    pub mv: M,
    /// The score of the position; `None` for agents without one.
    pub score: Option<Score>,
    /// The completed search depth in plies, or the longest line in the tree.
    pub depth: u32,
    /// Nodes searched, or playouts.
    pub nodes: u64,
    /// The principal variation, with the move itself first.
    pub pv: Vec<M>,
    /// The value, once the agent has proven it; the distance is an upper bound for a win and a lower
    /// bound for a loss.
    pub proven: Option<Value>,
    /// Moves with their scores, best first; the chosen move is among them.
    pub alternatives: Vec<Alternative<M>>,
}

impl<M: Copy> Thought<M> {
    /// A move without reasons.
    #[must_use]
    pub fn plain(mv: M) -> Thought<M> {
        Thought { mv, score: None, depth: 0, nodes: 0, pv: vec![mv], proven: None, alternatives: Vec::new() }
    }

    /// Returns whether the thought has a score or a proven value.
    #[must_use]
    pub fn has_reasons(&self) -> bool {
        self.score.is_some() || self.proven.is_some()
    }
}
