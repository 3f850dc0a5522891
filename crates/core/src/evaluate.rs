//! Heuristics for players: evaluation, move ordering, threats. Estimates, never proofs.

use crate::game::Guide;
use crate::rng::Rng;
use crate::words::Outcome;
use std::hash::{Hash, Hasher};

/// The weight of a class of moves, for players and playouts that prefer some moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    /// The parameter that sets it, as in `wall=0.5`.
    pub name: &'static str,
    /// The default value.
    pub default: f64,
    /// One line for listings.
    pub help: &'static str,
}

/// Heuristics for players. Every item has a default, so `impl Evaluate for G {}` suffices; what a game overrides makes
/// its players stronger or faster and never changes a rule. [`laws::evaluation`](crate::laws::evaluation) and
/// [`laws::order`](crate::laws::order) test what can be tested.
///
/// ```
/// use agon_core::{Evaluate, Game, Player, laws, toy::Pile};
///
/// let game = Pile::new(5);
/// assert_eq!(game.evaluate(&game.start()), 100);
/// assert_eq!(game.immediate_win(&mut game.start()), None);
/// assert_eq!(game.immediate_win(&mut (2, Player::First)), Some(2));
/// laws::evaluation(&game, 20, 1);
/// ```
pub trait Evaluate: Guide {
    /// The ply limit of a playout, for games whose playouts may be too long; a playout cut off counts as a draw.
    const CUT: Option<u32> = None;

    /// True if [`Evaluate::ordered`] and the evaluation are good enough for late-move pruning near the leaves.
    const SELECTIVE: bool = false;

    /// The weights of [`Evaluate::weighted_move`].
    const WEIGHTS: &'static [Weight] = &[];

    /// The names of other evaluations of the game, each with a line for listings.
    const EVALUATIONS: &'static [(&'static str, &'static str)] = &[];

    /// A 64-bit hash for transposition tables. The positions of an orbit may share it, which pays near the root.
    fn hash(&self, pos: &Self::Position) -> u64 {
        mixed(pos)
    }

    /// The static evaluation of an unfinished position for the mover, in hundredths of the game's unit (as centipawns
    /// are), between -[`MAX_EVALUATION`] and [`MAX_EVALUATION`].
    fn evaluate(&self, _pos: &Self::Position) -> i32 {
        0
    }

    /// The outcome of a position that `mv` led to. Override it where the last move makes that faster.
    #[inline]
    fn ended(&self, pos: &Self::Position, _mv: Self::Move) -> Option<Outcome> {
        self.outcome(pos)
    }

    /// Calls `each` with moves of an unfinished position and their ordering scores (higher first; 100 is high). A move
    /// of best value and distance must be among them.
    #[inline]
    fn ordered(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move, i32)) {
        self.candidates(pos, each);
    }

    /// A move that wins immediately, if the game detects one; `pos` is unchanged afterwards.
    #[inline]
    fn immediate_win(&self, _pos: &mut Self::Position) -> Option<Self::Move> {
        None
    }

    /// Returns whether the opponent is known to win immediately if it moved now; `pos` is unchanged afterwards. In a
    /// game with extra turns the opponent need not get the turn.
    #[inline]
    fn in_danger(&self, _pos: &mut Self::Position) -> bool {
        false
    }

    /// Toggles a null move and returns true, if null-move pruning is sound in this position; a second call undoes the
    /// null move. Otherwise it returns false and changes nothing.
    #[inline]
    fn pass(&self, _pos: &mut Self::Position) -> bool {
        false
    }

    /// A random move, drawn by weight; `None` when the game is over. `weights` has the length of [`Evaluate::WEIGHTS`].
    fn weighted_move(&self, pos: &Self::Position, _weights: &[f64], rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(pos, rng)
    }

    /// Plays weighted moves until the game is over, and leaves the final position in `pos`. Returns `None` if it is not
    /// over after `max_plies`.
    fn weighted_playout(
        &self,
        pos: &mut Self::Position,
        weights: &[f64],
        max_plies: u32,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        for _ in 0..max_plies {
            match self.weighted_move(pos, weights, rng) {
                Some(mv) => self.play(pos, mv),
                None => return self.outcome(pos),
            };
        }
        self.outcome(pos)
    }

    /// The same game with another evaluation; `None` without one of that name.
    #[must_use]
    fn with_evaluation(&self, _name: &str) -> Option<Self> {
        None
    }

    /// The default weights of the moves.
    #[must_use]
    fn default_weights() -> Vec<f64> {
        Self::WEIGHTS.iter().map(|weight| weight.default).collect()
    }
}

/// An evaluation that is linear in its features, so that its weights can be tuned from games: [`Evaluate::evaluate`] is
/// the sum of the features times their weights, up to rounding.
///
/// ```
/// use agon_core::{Evaluate, Game, Tunable, toy::Pile};
///
/// let game = Pile::new(5).with_feature_weights(&[70]);
/// let pos = game.start();
/// let sum: i32 = game.features(&pos).iter().zip(game.feature_weights()).map(|(feature, weight)| feature * weight).sum();
/// assert_eq!((game.evaluate(&pos), sum), (70, 70));
/// ```
pub trait Tunable: Evaluate {
    /// The names of the features.
    const FEATURES: &'static [&'static str];

    /// The features of a position, for the mover, in the order of [`Tunable::FEATURES`].
    fn features(&self, pos: &Self::Position) -> Vec<i32>;

    /// The weight of each feature.
    fn feature_weights(&self) -> Vec<i32>;

    /// The same game with other weights, one for each feature.
    #[must_use]
    fn with_feature_weights(&self, weights: &[i32]) -> Self;
}

/// The greatest absolute value of an evaluation.
pub const MAX_EVALUATION: i32 = 20_000;

/// A hash of any hashable value, the same on every machine.
pub fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = Mix(0);
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hasher that multiplies and folds each word: fast, and the same on every machine.
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (wide >> 64) as u64 ^ (wide as u64).rotate_left(23);
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// A hash of a move below `2^bits`, for small tables.
#[must_use]
#[inline]
pub fn slot<M: Hash>(mv: &M, bits: u32) -> usize {
    let mut hasher = Mix(0);
    mv.hash(&mut hasher);
    (hasher.finish() >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_repeat_and_spread() {
        let hash = |words: &[u64]| {
            let mut hasher = Mix(0);
            words.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(hash(&[1, 2]), hash(&[1, 2]));
        let mut seen: Vec<u64> = (0..64).flat_map(|i| (0..64).map(move |j| hash(&[1 << i, 1 << j]))).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 64 * 64);
        let mut slots = [0u32; 16];
        (0..16_000u16).for_each(|mv| slots[slot(&mv, 4)] += 1);
        assert!(slots.iter().all(|n| (500..1500).contains(n)), "{slots:?}");
    }
}
