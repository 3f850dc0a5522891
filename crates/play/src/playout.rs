//! Games played to the end at random.

use agon_core::{Evaluate, Outcome, Rng};

/// How positions are played out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playouts {
    /// The weights of the moves; without them, every move has the same chance.
    pub weights: Option<Vec<f64>>,
    /// Plies after which a playout counts as half a win, even if the game says nothing.
    pub cut: Option<u32>,
}

impl Playouts {
    /// How a play that goes on at random ends; `None` if it was cut.
    #[inline]
    pub fn run<G: Evaluate>(&self, game: &G, mut pos: G::Position, rng: &mut Rng) -> Option<Outcome> {
        let cut = match (self.cut, G::CUT) {
            (Some(own), Some(theirs)) => Some(own.min(theirs)),
            (own, theirs) => own.or(theirs),
        };
        match (&self.weights, cut) {
            (Some(weights), cut) => game.weighted_playout(&mut pos, weights, cut.unwrap_or(u32::MAX), rng),
            (None, None) => Some(game.playout(pos, rng)),
            (None, Some(cut)) => {
                for _ in 0..cut {
                    match game.random_move(&pos, rng) {
                        Some(mv) => game.play(&mut pos, mv),
                        None => break,
                    };
                }
                game.outcome(&pos)
            }
        }
    }
}
