//! What a search for forced wins needs of a game in which play can go round.

use crate::game::Alternating;

/// A game with wins that can be seen coming.
pub trait Forcing: Alternating {
    /// A number that positions share only if they are equal up to symmetry. Where a position does not
    /// fit, a hash of 128 bits: what is found then holds but for a collision.
    fn key(&self, pos: &Self::Position) -> u128;

    /// Whether equal keys mean equal positions up to symmetry, draw rules included. Otherwise what is found by keys is
    /// believed only after it was checked.
    fn has_exact_keys(&self) -> bool;

    /// The same as [`Forcing::key`] without symmetry.
    fn fingerprint(&self, pos: &Self::Position) -> u128;

    /// A move that wins on the spot, if there is one. The play is not over; `pos` is left as it was.
    fn win_now(&self, pos: &mut Self::Position) -> Option<Self::Move>;

    /// Whether the side that has just moved would win on the spot if it could move again. The play is not
    /// over; `pos` is left as it was.
    fn threatens(&self, pos: &mut Self::Position) -> bool;

    /// How promising it is for the side that has just moved to have reached `pos`; larger is better.
    /// Decides the order of search and nothing else.
    fn promise(&self, pos: &Self::Position) -> i32;

    /// Whether play can end within `n` plies otherwise than by a move that wins for the side that makes it;
    /// false only where it surely cannot.
    fn runs_out_within(&self, pos: &Self::Position, n: u32) -> bool;
}
