//! The evaluation of Tak positions.
//!
//! The evaluation is a weighted sum of features; each feature is the mover's count less the opponent's. `agon tune`
//! found the weights by logistic regression over self-play games.

use super::features::{COUNT, FEATURES};
pub use super::weights::FeatureWeights;
use super::{Move, Piece, Position, Tak};
use crate::grid::{Cells, each_cell};
use agon_core::evaluate::Weight;
use agon_core::{Evaluate, Guide, Outcome, Rng, Tunable};

impl Tak {
    /// The same game with other weights of the features.
    #[must_use]
    pub fn with_weights(mut self, weights: FeatureWeights) -> Tak {
        self.weights = std::sync::Arc::new(weights);
        self
    }

    /// The weights of the features.
    #[must_use]
    pub fn weights(&self) -> &FeatureWeights {
        &self.weights
    }

    /// The ordering score of a placement.
    #[inline]
    fn placing_promise(&self, cell: usize, piece: Piece, own: Cells, theirs: Cells) -> i32 {
        let bit = 1 << cell;
        let beside = self.rays.grow(bit);
        let count = |cells: Cells| (beside & cells).count_ones() as i32;
        let inside = i32::from(self.shape.inside & bit != 0) + i32::from(self.shape.centre & bit != 0);
        match piece {
            Piece::Flat => 60 + 8 * count(own) + 6 * count(theirs) + 6 * inside,
            Piece::Wall => 10 * count(theirs) - 20,
            Piece::Cap => 20 + 12 * count(theirs) + 8 * count(own) + 8 * inside,
        }
    }

    /// The ordering score of a slide: flats of the opponent that it covers, less own ones and those that it uncovers.
    #[inline]
    fn slide_promise(&self, pos: &Position, mv: Move) -> i32 {
        let (from, step, side) = (mv.cell(), self.rays.step[mv.direction()], u128::from(pos.turn));
        let hand = pos.stacks[from];
        let carried = mv.carried();
        let left = hand >> carried;
        let mut promise = match left {
            1 => -20,
            _ if left & 1 == side => 10,
            _ => -30,
        };
        let (mut rest, mut cell) = (carried, from);
        for drop in mv.drops() {
            rest -= drop;
            cell = (cell as isize + step) as usize;
            let bit = 1 << cell;
            let ours = hand >> rest & 1 == side;
            promise += match (ours, pos.tops[usize::from(pos.turn)] & bit != 0, pos.occupied() & bit != 0) {
                (true, false, true) => 55,
                (true, false, false) => 22,
                (true, true, _) => 0,
                (false, true, _) => -50,
                (false, false, _) => -25,
            };
        }
        promise
    }
}

/// Up to this many occupied squares, the hash is that of the canonical position.
const MAX_CANONICAL_MEN: u32 = 3;

impl Evaluate for Tak {
    const SELECTIVE: bool = true;
    const WEIGHTS: &'static [Weight] = super::weighted::WEIGHTS;
    const EVALUATIONS: &'static [(&'static str, &'static str)] =
        &[("four-factors", "pieces, area, stacks and mobility alone, as Beljaards's thesis names them")];

    fn with_evaluation(&self, name: &str) -> Option<Tak> {
        (name == Self::EVALUATIONS[0].0).then(|| self.clone().with_weights(FeatureWeights::four_factors()))
    }

    #[inline]
    fn hash(&self, pos: &Position) -> u64 {
        if pos.occupied().count_ones() <= MAX_CANONICAL_MEN { self.key_up_to_symmetry(pos) } else { pos.hash }
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> i32 {
        let counted = self.features(pos);
        counted.iter().zip(&self.weights.0).map(|(n, weight)| n * weight).sum()
    }

    #[inline]
    fn ended(&self, pos: &Position, mv: Move) -> Option<Outcome> {
        self.ended_by(pos, mv)
    }

    /// When the opponent is about to complete a road by placing, no placement helps but one on that square; if that
    /// leaves no move, all are as bad.
    fn ordered(&self, pos: &Position, each: &mut impl FnMut(Move, i32)) {
        let side = usize::from(pos.turn);
        let (own, theirs) = (pos.road_squares(side), pos.road_squares(side ^ 1));
        let empty = self.rays.all & !pos.occupied();
        let opening = self.is_opening(pos);
        let threats = if theirs.count_ones() as usize + 1 < self.carry || opening || self.near_the_end(pos) {
            0
        } else {
            self.rays.completes_road(theirs) & empty
        };
        let places = match threats {
            0 => empty,
            _ if threats & (threats - 1) == 0 => threats,
            _ => 0,
        };
        let mut any = false;
        for cell in each_cell(places) {
            for &piece in self.placeable(pos) {
                any = true;
                each(Move::place(cell, piece), self.placing_promise(cell, piece, own, theirs));
            }
        }
        if !opening {
            self.list_slides(pos, pos.tops[side], |mv| {
                any = true;
                each(mv, self.slide_promise(pos, mv));
            });
        }
        if !any {
            self.list(pos, |mv| each(mv, 0));
        }
    }

    #[inline]
    fn immediate_win(&self, pos: &mut Position) -> Option<Move> {
        self.win_quickly(pos)
    }

    #[inline]
    fn in_danger(&self, pos: &mut Position) -> bool {
        if self.is_opening(pos) {
            return false;
        }
        pos.turn ^= 1;
        let danger = self.win_quickly(pos).is_some();
        pos.turn ^= 1;
        danger
    }

    /// Not in the first round, and not near the end, where having to move may hurt.
    #[inline]
    fn pass(&self, pos: &mut Position) -> bool {
        if pos.number <= 2 || self.near_the_end(pos) {
            return false;
        }
        pos.turn ^= 1;
        pos.hash ^= super::position::BLACK_TO_MOVE;
        true
    }

    fn weighted_move(&self, pos: &Position, weights: &[f64], rng: &mut Rng) -> Option<Move> {
        if self.outcome_of(pos).is_some() { None } else { self.any_weighted(pos, weights, rng) }
    }

    fn weighted_playout(&self, pos: &mut Position, weights: &[f64], most: u32, rng: &mut Rng) -> Option<Outcome> {
        if let Some(outcome) = self.outcome_of(pos) {
            return Some(outcome);
        }
        for _ in 0..most {
            let mv = self.any_weighted(pos, weights, rng)?;
            agon_core::Game::play(self, pos, mv);
            if let Some(outcome) = self.ended_by(pos, mv) {
                return Some(outcome);
            }
        }
        None
    }
}

impl Tunable for Tak {
    const FEATURES: &'static [&'static str] = &FEATURES;

    fn features(&self, pos: &Position) -> Vec<i32> {
        Tak::features(self, pos).to_vec()
    }

    fn feature_weights(&self) -> Vec<i32> {
        self.weights.0.to_vec()
    }

    fn with_feature_weights(&self, weights: &[i32]) -> Tak {
        let mut table = [0; COUNT];
        table.iter_mut().zip(weights).for_each(|(entry, &weight)| *entry = weight);
        self.clone().with_weights(FeatureWeights(table))
    }
}

impl Tak {
    fn outcome_of(&self, pos: &Position) -> Option<Outcome> {
        agon_core::Game::outcome(self, pos)
    }

    /// Returns whether a few placements may end the play.
    #[inline]
    fn near_the_end(&self, pos: &Position) -> bool {
        let hand = |side: usize| pos.flats[side] + pos.capstones[side];
        hand(0).min(hand(1)) <= 3 || (self.rays.all & !pos.occupied()).count_ones() <= 4
    }
}

impl Guide for Tak {}
