//! Random playouts.

use agon_core::{Evaluate, Outcome, Rng};

/// The settings of playouts.
///
/// ```
/// use agon_core::{Game, Rng};
/// use agon_games::mnk::Mnk;
/// use agon_play::Playouts;
///
/// let game = Mnk::new(3, 3, 3);
/// assert!(Playouts::default().run(&game, game.start(), &mut Rng::new(1)).is_some());
/// let short = Playouts { cut: Some(4), ..Playouts::default() };
/// assert_eq!(short.run(&game, game.start(), &mut Rng::new(1)), None); // nobody wins in four plies
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playouts {
    /// The weights of the moves; without them, moves are uniformly random.
    pub weights: Option<Vec<f64>>,
    /// The ply limit, in addition to the game's own; a playout cut off counts as a draw.
    pub cut: Option<u32>,
}

impl Playouts {
    /// The outcome of one playout from `pos`; `None` if it was cut off.
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
