//! The interface of threat-space search, for games in which play can cycle.

use crate::game::Alternating;

/// A game with threats: positions in which a side would win immediately if it moved. Searches call these methods at
/// every node. [`laws::forcing`](crate::laws::forcing) compares them with the rules, except for
/// [`Forcing::threatens`] and [`Forcing::promise`].
///
/// ```
/// use agon_core::{forcing::Forcing, toy::Pile, Player};
///
/// let game = Pile::new(5);
/// assert_eq!(game.win_now(&mut (2, Player::First)), Some(2));
/// assert!(game.threatens(&mut (1, Player::First)) && !game.threatens(&mut (3, Player::First)));
/// assert_ne!(game.key(&(3, Player::First)), game.key(&(3, Player::Second)));
/// ```
pub trait Forcing: Alternating {
    /// A key that is constant on orbits and differs between them. If a position does not fit in 128 bits, it is a hash,
    /// and results hold except for collisions.
    fn key(&self, pos: &Self::Position) -> u128;

    /// Returns whether equal keys imply equal orbits, draw rules included. Otherwise a result found by keys counts only
    /// after it is checked.
    fn has_exact_keys(&self) -> bool;

    /// The same as [`Forcing::key`] without symmetry.
    fn fingerprint(&self, pos: &Self::Position) -> u128;

    /// A move that wins immediately, if there is one. The game is not over; `pos` is unchanged afterwards.
    fn win_now(&self, pos: &mut Self::Position) -> Option<Self::Move>;

    /// Returns whether the side that has just moved threatens to win with its next move. The game is not over; `pos` is
    /// unchanged afterwards.
    fn threatens(&self, pos: &mut Self::Position) -> bool;

    /// An ordering score of `pos` for the side that has just moved; higher is better. It affects the order of search
    /// only.
    fn promise(&self, pos: &Self::Position) -> i32;

    /// Returns whether the game may run out within `n` plies; `true` is always correct. False means: no play of at most
    /// `n` plies is drawn, and in every unfinished position that can arise before ply `n` some move wins for its mover
    /// or lets the game continue. Then nobody can be forced to make the move that loses, so a forced win of at most `n`
    /// plies ends with a move of the winner.
    fn runs_out_within(&self, pos: &Self::Position, n: u32) -> bool;
}
