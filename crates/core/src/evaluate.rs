//! What a game tells players about positions that are not over: estimates, never proofs.

use crate::game::Guide;
use crate::rng::Rng;
use crate::words::Outcome;
use std::hash::{Hash, Hasher};

/// A class of moves with a weight of its own, for players and playouts that favour some moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    /// The parameter that sets it, as in `wall=0.5`.
    pub name: &'static str,
    /// What it is when left out.
    pub default: f64,
    /// One line for listings.
    pub help: &'static str,
}

/// Helps players. Everything has a default, so `impl Evaluate for G {}` is enough for a game to be played; what a
/// game adds makes its players stronger or faster and never changes a rule.
pub trait Evaluate: Guide {
    /// Plies after which a playout counts as half a win, for games whose playouts may go on too long.
    const CUT: Option<u32> = None;

    /// Whether the order of [`Evaluate::ordered`] and the evaluation are good enough for a search to leave out late moves
    /// shortly before its end.
    const SELECTIVE: bool = false;

    /// The weights of [`Evaluate::weighted_move`].
    const WEIGHTS: &'static [Weight] = &[];

    /// A number that different positions hardly ever share, for tables. Positions that symmetry makes equal may share
    /// theirs: it pays where they are few and near the root, as while there are few men on the board.
    fn hash(&self, pos: &Self::Position) -> u64 {
        mixed(pos)
    }

    /// What an unfinished position seems worth to the mover, in hundredths of whatever the game counts, between
    /// -[`MOST_POINTS`] and [`MOST_POINTS`].
    fn evaluate(&self, _pos: &Self::Position) -> i32 {
        0
    }

    /// The outcome of a position that `mv` has led to. Worth overriding where that is quicker than looking everywhere.
    #[inline]
    fn ended(&self, pos: &Self::Position, _mv: Self::Move) -> Option<Outcome> {
        self.outcome(pos)
    }

    /// Calls `each` for moves of an unfinished position, among which there is surely one of best value and distance,
    /// with a number that says how early to try it (larger first; a hundred is much).
    #[inline]
    fn ordered(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move, i32)) {
        self.candidates(pos, each);
    }

    /// A move that wins on the spot, if one is seen; `pos` is left as it was.
    #[inline]
    fn win_at_sight(&self, _pos: &mut Self::Position) -> Option<Self::Move> {
        None
    }

    /// Whether the opponent would win on the spot if it were to move now, as far as that is seen; `pos` is left as it
    /// was. In a game with extra turns it need not get the turn.
    #[inline]
    fn in_danger(&self, _pos: &mut Self::Position) -> bool {
        false
    }

    /// Hands the turn to the other side if that is a fair way to see whether a position is good enough as it is; called once more, it
    /// takes the turn back.
    #[inline]
    fn pass(&self, _pos: &mut Self::Position) -> bool {
        false
    }

    /// A random move, favouring some; `None` when the play is over. `weights` are as many as [`Evaluate::WEIGHTS`].
    fn weighted_move(&self, pos: &Self::Position, _weights: &[f64], rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(pos, rng)
    }

    /// Plays weighted moves to the end, which is left in `pos`. After `most` plies without one, `None`.
    fn weighted_playout(&self, pos: &mut Self::Position, weights: &[f64], most: u32, rng: &mut Rng) -> Option<Outcome> {
        for _ in 0..most {
            match self.weighted_move(pos, weights, rng) {
                Some(mv) => self.play(pos, mv),
                None => return self.outcome(pos),
            };
        }
        self.outcome(pos)
    }

    /// The weights of the moves when nobody sets them.
    #[must_use]
    fn default_weights() -> Vec<f64> {
        Self::WEIGHTS.iter().map(|weight| weight.default).collect()
    }
}

/// An evaluation that is a sum of features, each times its worth: such worths can be found from games.
pub trait Tunable: Evaluate {
    /// What is counted.
    const FEATURES: &'static [&'static str];

    /// The features of a position, for the mover; as many as there are names.
    fn counted(&self, pos: &Self::Position) -> Vec<i32>;

    /// What each feature is worth.
    fn worths(&self) -> Vec<i32>;

    /// The same game with other worths, as many as there are features.
    #[must_use]
    fn with_worths(&self, worths: &[i32]) -> Self;
}

/// No evaluation says more than this.
pub const MOST_POINTS: i32 = 20_000;

/// A number for anything that can be hashed, the same on every machine.
pub fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = Mix(0);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Multiplies and folds each word: quick, and the same on every machine.
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

/// A small number for a move, the same for equal moves, below `2^bits`.
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
