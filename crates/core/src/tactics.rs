//! The interface of null-window search, for games whose tactics can be read off a position.

use crate::game::{Acyclic, Alternating, Symmetric};
use crate::words::Value;

/// The result of looking at a position without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticAnalysis<M> {
    /// The value, with its distance.
    Decided(Value),
    /// This move has the best value and distance of all.
    Forced(M),
    /// Neither.
    Open,
}

/// Tactics of a game that a search uses at every node: what is decided or forced, which moves are worth a search, bounds
/// with distances, and keys that identify positions in a table. All of it must be proven, not likely.
/// [`laws::tactics`](crate::laws::tactics) compares it with exhaustive search along random plays.
///
/// ```
/// use agon_core::tactics::{StaticAnalysis, Tactics};
/// use agon_core::{Player, Value, laws, toy::Pile};
///
/// let game = Pile::new(7);
/// assert_eq!(game.static_analysis(&(2, Player::First)), StaticAnalysis::Decided(Value::win_in(1)));
/// assert_eq!(game.static_analysis(&(5, Player::First)), StaticAnalysis::Open);
/// assert_eq!(game.value_bounds(&(5, Player::First)), (Value::win_in(5), Value::win_in(3)));
/// laws::tactics(&game, 20, 1);
/// ```
pub trait Tactics: Acyclic + Alternating + Symmetric {
    /// Analyses `pos` without search. It is called at unfinished positions, and after promising and forced moves: if such a
    /// move ends the game, the position is decided.
    fn static_analysis(&self, pos: &Self::Position) -> StaticAnalysis<Self::Move>;

    /// Calls `each` with legal moves of an open position. A move of best value *and* distance is among them.
    fn promising(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move));

    /// The value of an open position is between these two.
    fn value_bounds(&self, pos: &Self::Position) -> (Value, Value);

    /// An ordering score of a promising move; higher is searched first.
    fn promise(&self, pos: &Self::Position, mv: Self::Move) -> i32;

    /// The number of bits of a key, at most 64.
    fn key_bits(&self) -> u32;

    /// A key below 2 to the power of [`Tactics::key_bits`]. Positions with equal keys have equal values and distances; they
    /// need not be equal or symmetric.
    fn key(&self, pos: &Self::Position) -> u64;
}
