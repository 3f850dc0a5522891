//! What a player makes of a position, beside the move it chooses.

use agon_core::Value;

/// An estimate, seen by the mover. Never a proof.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of whatever the game's evaluation counts: flats, open rows, men.
    Points(i32),
    /// The share of playouts won, a draw counting half.
    Share(f64),
}

/// A move that was considered too.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative<M> {
    /// The line that begins with it.
    pub pv: Vec<M>,
    /// What it seems worth, to the side that moves at the root.
    pub score: Score,
    /// Playouts, or the nodes of its search.
    pub visits: u64,
    /// What it is worth, once that is proven.
    pub proven: Option<Value>,
}

/// A choice and its reasons, seen by the side that chooses.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<M> {
    /// The move.
    pub mv: M,
    /// What the position seems worth; `None` for players that do not say.
    pub score: Option<Score>,
    /// Plies searched to the end, or those of the longest line in the tree.
    pub depth: u32,
    /// Nodes searched, or playouts.
    pub nodes: u64,
    /// The line that is expected to follow, the move itself first.
    pub pv: Vec<M>,
    /// The value, once the player has proven it; the distance is an upper bound for a win and a lower
    /// bound for a loss.
    pub proven: Option<Value>,
    /// Moves and what each seems worth, best first; the chosen one is among them.
    pub alternatives: Vec<Alternative<M>>,
}

impl<M: Copy> Thought<M> {
    /// A move without reasons.
    #[must_use]
    pub fn plain(mv: M) -> Thought<M> {
        Thought { mv, score: None, depth: 0, nodes: 0, pv: vec![mv], proven: None, alternatives: Vec::new() }
    }

    /// Whether there is more to say than the move.
    #[must_use]
    pub fn says_more(&self) -> bool {
        self.score.is_some() || self.proven.is_some()
    }
}
