//! Impartial games: both sides have the same moves, and a player who cannot move has lost (or won, in misère play).

use crate::code::Code;
use crate::game::Alternating;
use std::fmt::Debug;
use std::hash::Hash;

/// A game both sides play alike, whose positions fall into independent parts.
///
/// A move changes one part into any number of parts and leaves the others alone. Play ends when no part can be
/// moved in; the mover then has lost, or has won if [`Impartial::misere`]. [`laws::parts`](crate::laws::parts) compares
/// the parts and their options with the rules.
///
/// ```
/// use agon_core::{Game, Impartial, laws, toy::Pile};
///
/// let game = Pile::new(5);
/// let mut left = Vec::new();
/// game.options(&5, &mut |option| left.push(option.to_vec()));
/// assert_eq!((game.parts(&game.start()), left), (vec![5], vec![vec![4], vec![3]]));
/// laws::parts(&game, 20, 1);
/// ```
pub trait Impartial: Alternating {
    /// One independent part in a form that is equal for parts that play alike.
    type Part: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Returns whether the player who cannot move wins.
    fn misere(&self) -> bool;

    /// The parts of a position; those that cannot be moved in may be left out.
    fn parts(&self, pos: &Self::Position) -> Vec<Self::Part>;

    /// Calls `each` for every option of a part, as the parts it leaves; those that cannot be moved in may be left
    /// out. An option may come twice.
    fn options(&self, part: &Self::Part, each: &mut impl FnMut(&[Self::Part]));

    /// The same as long as `each` returns `true`, the most promising options first. Override it where it takes time to
    /// find the parts that an option leaves.
    fn options_while(&self, part: &Self::Part, each: &mut impl FnMut(&[Self::Part]) -> bool) {
        let mut more = true;
        self.options(part, &mut |option| more = more && each(option));
    }

    /// The text of a part: the size of a heap, the cells of a board.
    fn show_part(&self, part: &Self::Part) -> String {
        format!("{part:?}")
    }

    /// The code and the size of a part that is a heap; its value then comes from a table.
    fn heap<'a>(&'a self, _part: &Self::Part) -> Option<(&'a Code, usize)> {
        None
    }

    /// An estimate of the work it takes to search a part. Options whose parts have less work together are searched
    /// first. It affects speed only.
    fn work(&self, _part: &Self::Part) -> u64 {
        0
    }

    /// The value of a part that needs no search.
    fn static_nimber(&self, _part: &Self::Part) -> Option<u32> {
        None
    }
}
