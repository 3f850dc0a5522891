//! The memory of draw rules: repetition of positions, and plies without progress.

use std::cmp::Ordering;
use std::sync::Arc;

/// The plies since the last irreversible move and, where a rule counts repetitions, the positions before them.
///
/// A game with such a rule keeps this in its positions and starts it anew at every irreversible move, so that searches,
/// certificates and tables never confuse two positions with different histories. `B` is what makes two positions the
/// same; it need not contain what only irreversible moves change. Positions share what lies behind them: playing and
/// copying cost the same however long the play is.
///
/// ```
/// use agon_core::repetition::Repetition;
///
/// let start = Repetition::default();
/// let later = start.after("a", 17).after("b", 23).after("a", 17);
/// assert_eq!((later.plies(), later.times(|&board| board == "a")), (3, 2));
/// assert_eq!(later.boards(), [&"a", &"b", &"a"]);
/// // Equal multisets have equal hashes; only equal plays are equal.
/// let other = start.after("b", 23).after("a", 17).after("a", 17);
/// assert_eq!(later.multiset_hash(), other.multiset_hash());
/// assert_ne!(later, other);
/// ```
#[derive(Debug)]
pub struct Repetition<B> {
    plies: u32,
    last: Option<Arc<Earlier<B>>>,
}

/// A position of the play, and those before it.
#[derive(Debug)]
struct Earlier<B> {
    board: B,
    /// The sum of the hashes of this position and of those before it.
    sum: u128,
    before: Option<Arc<Earlier<B>>>,
}

impl<B> Drop for Earlier<B> {
    /// One after the other: a long play must not use up the stack.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut earlier) = next.and_then(|shared| Arc::try_unwrap(shared).ok()) {
            next = earlier.before.take();
        }
    }
}

impl<B> Repetition<B> {
    /// A history of which only the number of plies counts.
    pub fn of_plies(plies: u32) -> Repetition<B> {
        Repetition { plies, last: None }
    }

    /// A ply further, without the position before it.
    pub fn after_a_ply(&self) -> Repetition<B> {
        Repetition::of_plies(self.plies + 1)
    }

    /// A ply further, from a position with this board and a hash of it in 128 bits.
    pub fn after(&self, board: B, hash: u128) -> Repetition<B> {
        let sum = self.multiset_hash().wrapping_add(hash);
        Repetition { plies: self.plies + 1, last: Some(Arc::new(Earlier { board, sum, before: self.last.clone() })) }
    }

    /// The number of plies.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The sum of the hashes of the positions, each as often as it occurred: a key for what repetition depends on.
    pub fn multiset_hash(&self) -> u128 {
        self.last.as_ref().map_or(0, |last| last.sum)
    }

    fn earlier(&self) -> impl Iterator<Item = &B> {
        let plays = std::iter::successors(self.last.as_deref(), |earlier| earlier.before.as_deref());
        plays.map(|earlier| &earlier.board)
    }

    /// The number of positions with a board that `is` the one asked for.
    pub fn times(&self, is: impl Fn(&B) -> bool) -> usize {
        self.earlier().filter(|board| is(board)).count()
    }

    /// The boards of the play, the first one first.
    pub fn boards(&self) -> Vec<&B> {
        let mut list: Vec<&B> = self.earlier().collect();
        list.reverse();
        list
    }
}

impl<B> Clone for Repetition<B> {
    fn clone(&self) -> Repetition<B> {
        Repetition { plies: self.plies, last: self.last.clone() }
    }
}

impl<B> Default for Repetition<B> {
    fn default() -> Repetition<B> {
        Repetition::of_plies(0)
    }
}

impl<B: Ord> PartialEq for Repetition<B> {
    fn eq(&self, other: &Repetition<B>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<B: Ord> Eq for Repetition<B> {}

impl<B: Ord> PartialOrd for Repetition<B> {
    fn partial_cmp(&self, other: &Repetition<B>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<B: Ord> Ord for Repetition<B> {
    fn cmp(&self, other: &Repetition<B>) -> Ordering {
        let plies = self.plies.cmp(&other.plies);
        if plies != Ordering::Equal {
            return plies;
        }
        let (mut one, mut two) = (&self.last, &other.last);
        while let (Some(a), Some(b)) = (one, two) {
            // Most plays that are compared have the same beginning.
            if Arc::ptr_eq(a, b) {
                return Ordering::Equal;
            }
            match a.board.cmp(&b.board) {
                Ordering::Equal => (one, two) = (&a.before, &b.before),
                other => return other,
            }
        }
        one.is_some().cmp(&two.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_play_is_dropped_without_using_up_the_stack() {
        drop((0..300_000).fold(Repetition::default(), |play, _| play.after(7_u8, 1)));
    }

    #[test]
    fn plays_are_ordered_by_length_and_then_from_the_last_position_back() {
        let play = |boards: &[u8]| boards.iter().fold(Repetition::default(), |play, &b| play.after(b, b.into()));
        let sorted = [play(&[]), play(&[9]), play(&[2, 1]), play(&[1, 2])];
        assert!(sorted.is_sorted() && sorted.windows(2).all(|two| two[0] != two[1]));
        assert_eq!(play(&[3, 1]), play(&[3, 1]));
        assert_ne!(play(&[3]), Repetition::of_plies(1));
        assert_eq!((play(&[3]).after_a_ply().plies(), play(&[3]).after_a_ply().boards().len()), (2, 0));
    }
}
