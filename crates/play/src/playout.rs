//! Random playouts.

use agon_core::{Evaluate, Outcome, Player, Rng};

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
#[derive(Clone, PartialEq, Debug)]
pub struct Playouts {
    /// The weights of the moves; without them, moves are uniformly random.
    pub weights: Option<Vec<f64>>,
    /// The ply limit, in addition to the game's own; a playout cut off counts as a draw.
    pub cut: Option<u32>,
    /// The points of a win, at least 1; a draw has one point and a loss none. With more than two, the player risks a
    /// loss rather than accept a draw.
    pub win: u32,
}

impl Default for Playouts {
    fn default() -> Playouts {
        Playouts { weights: None, cut: None, win: 2 }
    }
}

impl Playouts {
    /// The points of an outcome for a side; a playout that was cut off counts as a draw.
    #[inline]
    pub(crate) fn points(&self, end: Option<Outcome>, side: Player) -> u32 {
        match end {
            Some(Outcome::Win(winner)) if winner == side => self.win,
            Some(Outcome::Win(_)) => 0,
            Some(Outcome::Draw) | None => 1,
        }
    }

    /// The share of the points that were to be won.
    pub(crate) fn share(&self, points: u64, playouts: u64) -> f64 {
        if playouts == 0 { 0.5 } else { points as f64 / (f64::from(self.win) * playouts as f64) }
    }

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
