//! Positions as numbers, for tables of games in which play can go round.

use crate::game::Alternating;
use crate::words::Wdl;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

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

/// What a position looks like before anything is known about its group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight<S> {
    /// How the play ended, seen by the side to move.
    pub over: Option<Wdl>,
    /// Moves that stay in the group.
    pub inside: u32,
    /// What the moves that end the play are worth to the side that makes them, the best of them.
    pub ends: Option<Wdl>,
    /// The unfinished positions outside the group that moves lead to; one may stand here several times.
    pub outside: Vec<Place<S>>,
}

impl<S> Default for Sight<S> {
    fn default() -> Sight<S> {
        Sight { over: None, inside: 0, ends: None, outside: Vec::new() }
    }
}

impl<S> Sight<S> {
    /// Forgets what was seen, and keeps the memory.
    pub fn clear(&mut self) {
        (self.over, self.inside, self.ends) = (None, 0, None);
        self.outside.clear();
    }
}

/// The positions of a game fall into tables (*shards*), and moves can be taken back.
///
/// A position that symmetry, or exchanging the sides, turns into another of the same value may share its
/// number. Finished positions that a move leads to need no number: the rules value them. The turn alternates and
/// no move may lose at once, so that wins take an odd number of plies and losses an even one.
pub trait Indexed: Alternating {
    /// A table.
    type Shard: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The tables, in an order such that a move from one group of them leads into the same group, into
    /// an earlier one, or to a finished position.
    fn units(&self) -> Vec<Vec<Self::Shard>>;

    /// The tables outside its group that moves from this one may lead to.
    fn leads_to(&self, shard: Self::Shard) -> Vec<Self::Shard>;

    /// Its name, for people: unique, and fit for a file name.
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

    /// Whether the numbered positions that are lost without a move are exactly those whose mover is blocked.
    fn blocked_lose(&self) -> bool {
        false
    }

    /// Whether a finished position has a number nevertheless: it is looked up like any other.
    fn has_number(&self, _pos: &Self::Position) -> bool {
        false
    }

    /// The part of the game a table belongs to, as in `placing` and `moving`.
    fn phase(&self, shard: Self::Shard) -> &'static str;

    /// At least as many as the moves of any position of the table that stay in its group.
    fn most_inside(&self, _shard: Self::Shard) -> u32 {
        254
    }

    /// [`Indexed::position`] for a number that is known to be used. Worth overriding.
    fn used_position(&self, shard: Self::Shard, index: u64) -> Self::Position {
        self.position(shard, index).expect("the number is used")
    }

    /// [`Indexed::unplay`] for used numbers of one table, in increasing order: calls `each` with the position's
    /// place in the list and with where a position stands that leads to it. Worth overriding.
    fn unplay_all(&self, shard: Self::Shard, numbers: &[u64], each: &mut impl FnMut(usize, Place<Self::Shard>)) {
        for (at, &number) in numbers.iter().enumerate() {
            self.unplay(&self.used_position(shard, number), &mut |before| each(at, self.place(&before)));
        }
    }

    /// Calls `each` with every used number of a stretch and what is seen there. `unit` is the table's
    /// group. Worth overriding.
    fn survey(
        &self,
        unit: &[Self::Shard],
        shard: Self::Shard,
        numbers: Range<u64>,
        each: &mut impl FnMut(u64, &Sight<Self::Shard>),
    ) {
        let mut sight = Sight::default();
        for index in numbers {
            if let Some(pos) = self.position(shard, index) {
                self.look(unit, &pos, &mut sight);
                each(index, &sight);
            }
        }
    }

    /// What is seen at one position, by playing its moves.
    fn look(&self, unit: &[Self::Shard], pos: &Self::Position, sight: &mut Sight<Self::Shard>) {
        sight.clear();
        sight.over = self.outcome(pos).map(|outcome| outcome.seen_by(self.turn(pos)));
        self.moves(pos, &mut |mv| {
            let after = self.after(pos, mv);
            match self.outcome(&after) {
                Some(outcome) if !self.has_number(&after) => {
                    sight.ends = sight.ends.max(Some(outcome.seen_by(self.turn(pos))));
                }
                _ if unit.contains(&self.shard(&after)) => sight.inside += 1,
                _ => sight.outside.push(self.place(&after)),
            }
        });
    }

    /// Numbers from a multiple of this to the next stand for equally many positions each, where
    /// [`Indexed::row_stands_for`] says so.
    fn row(&self, _shard: Self::Shard) -> u64 {
        1
    }

    /// For how many positions each used number of that row stands, where it is the same for all.
    fn row_stands_for(&self, _shard: Self::Shard, _row: u64) -> Option<u32> {
        None
    }
}
