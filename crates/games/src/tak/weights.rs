//! The weights of the features, in hundredths of a flat, and where they come from.

use super::features::{COUNT, FEATURES};

/// The weight of each feature, in hundredths of a flat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureWeights(pub [i32; COUNT]);

/// Weights set by hand, after what players say: a flat is the unit, and roads that lack few stones weigh more.
const BY_HAND: [i32; COUNT] = [
    60, 100, 30, 70, 12, 8, 20, 15, 35, -30, 30, 20, 60, 40, 12, 14, 6, 3, -40, -10, -45, 150, 110, 60, 25, 80, 50, 25,
    10, 60, 25, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];

/// `agon tune tak:5 --by-hand --games 250 --nodes 1500 --rounds 4 --seed 1`, version 0.1.0.
const FIVE: [i32; COUNT] = [
    89, 96, 27, 70, 16, 11, 33, 26, 66, -13, 35, 24, 75, 24, 6, 7, 5, -1, -21, -13, -50, 150, 101, 61, 32, 80, 51, 24,
    8, 62, 38, -1, -40, -5, 4, 0, 0, 4, 7, -1, 0, 5, 0, 0, 7, -6, -2,
];

/// `agon tune tak:6,komi=2 --by-hand --games 250 --nodes 1500 --rounds 4 --seed 1`, version 0.1.0.
const SIX: [i32; COUNT] = [
    61, 71, 29, 63, 6, 3, 27, 9, 55, -21, 39, 10, 57, 15, -8, -1, -6, 2, -16, -14, -43, 150, 98, 59, 31, 80, 44, 23,
    12, 43, 25, 1, -19, 0, -2, 1, 1, -3, -4, 6, 2, 5, 0, 1, 10, -7, 5,
];

/// Pieces on the board; empty squares beside own stones; stones under own tops; squares that own stones can step to.
const FOUR_FACTORS: &[(&str, i32)] = &[
    ("flat", 100),
    ("wall", 60),
    ("cap", 100),
    ("liberties", 10),
    ("own-under-flat", 30),
    ("captive-under-flat", 10),
    ("own-under-wall", 30),
    ("captive-under-wall", 10),
    ("own-under-cap", 30),
    ("captive-under-cap", 10),
    ("steps", 10),
];

impl FeatureWeights {
    /// The weights for a board of that side: those of 5×5 up to that size, and those of 6×6 beyond.
    #[must_use]
    pub fn of_board(side: usize) -> FeatureWeights {
        FeatureWeights(if side <= 5 { FIVE } else { SIX })
    }

    /// The four factors that Beljaards's thesis names for its negamax agent (section 5.3) and nothing else: pieces on the
    /// board, area control, stack control and mobility. The thesis gives no weights; these are round numbers.
    #[must_use]
    pub fn four_factors() -> FeatureWeights {
        let mut weights = [0; COUNT];
        for (name, weight) in FOUR_FACTORS {
            let at = FEATURES.iter().position(|feature| feature == name);
            weights[at.expect("a feature of that name")] = *weight;
        }
        FeatureWeights(weights)
    }

    /// The weights set by hand, with which tuning began.
    #[must_use]
    pub fn by_hand() -> FeatureWeights {
        FeatureWeights(BY_HAND)
    }
}
