//! Positions as numbers, for tables of games in which play can go round.

use crate::game::Game;
use std::fmt::Debug;
use std::hash::Hash;

/// Where a position stands in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<S> {
    /// Which table.
    pub shard: S,
    /// Its number there; the same for positions that symmetry makes equal.
    pub index: u64,
    /// How many symmetries leave the position as it is.
    pub fixed_by: u32,
}

/// The positions of a game fall into tables (*shards*), and moves can be taken back.
///
/// A position that symmetry, or exchanging the sides, turns into another of the same value may share its
/// number. Finished positions that a move leads to need no number: the rules value them. No move may lose
/// at once, so that wins take an odd number of plies and losses an even one.
pub trait Indexed: Game {
    /// A table.
    type Shard: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The tables, in an order such that a move from one group of them leads into the same group, into
    /// an earlier one, or to a finished position.
    fn units(&self) -> Vec<Vec<Self::Shard>>;

    /// Its name, for people.
    fn shard_name(&self, shard: Self::Shard) -> String;

    /// How many numbers it has; not all need to be used.
    fn shard_size(&self, shard: Self::Shard) -> u64;

    /// The table of an unfinished position.
    fn shard(&self, pos: &Self::Position) -> Self::Shard;

    /// The number of an unfinished position.
    fn place(&self, pos: &Self::Position) -> Place<Self::Shard>;

    /// A position of that number; `None` when the number is not used.
    fn position(&self, shard: Self::Shard, index: u64) -> Option<Self::Position>;

    /// How many symmetries there are: a number that `n` of them leave fixed stands for `order / n`
    /// positions.
    fn symmetries(&self) -> u32;

    /// Calls `each` once for every pair of a position in the same group as `pos` and a move from it to
    /// `pos`.
    fn unplay(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Position));

    /// Whether the side to move could not move and the rules decide what that means.
    fn is_blocked(&self, _pos: &Self::Position) -> bool {
        false
    }

    /// The part of the game a table belongs to, as in `placing` and `moving`.
    fn phase(&self, shard: Self::Shard) -> &'static str;
}
