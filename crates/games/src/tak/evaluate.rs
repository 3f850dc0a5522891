//! What a position of Tak seems worth.
//!
//! The evaluation is a sum of features, each the mover's share less the opponent's, times its worth in the one table
//! below. The worths were set by hand; `agon tune` fits others by logistic regression over games that the player plays
//! against itself, and lets them play against these.

use super::roads::FAR;
use super::{Move, Piece, Position, Tak};
use crate::grid::{Cells, each_cell};
use agon_core::evaluate::Weight;
use agon_core::{Evaluate, Guide, Outcome, Rng, Tunable};

/// What is counted.
pub const FEATURES: [&str; COUNT] = [
    "tempo",
    "flat",
    "wall",
    "cap",
    "flat-inside",
    "flat-centre",
    "cap-inside",
    "cap-centre",
    "own-under-flat",
    "captive-under-flat",
    "own-under-wall",
    "captive-under-wall",
    "own-under-cap",
    "captive-under-cap",
    "links",
    "lines-touched",
    "liberties",
    "steps",
    "stack-beside-flat",
    "stack-beside-wall",
    "stack-beside-cap",
    "near-1",
    "near-2",
    "near-3",
    "near-4",
    "other-way-1",
    "other-way-2",
    "other-way-3",
    "other-way-4",
    "to-move-near-2",
    "to-move-near-3",
    "end-flats",
    "reserve",
];

/// How many features there are.
pub const COUNT: usize = 33;

/// What each feature is worth, in hundredths of a flat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worth(pub [i32; COUNT]);

/// Set by hand, after what players say: a flat is the unit, roads that lack few stones come before it.
const BY_HAND: [i32; COUNT] = [
    60, 100, 30, 70, 12, 8, 20, 15, 35, -30, 30, 20, 60, 40, 12, 14, 6, 3, -40, -10, -45, 150, 110, 60, 25, 80, 50, 25,
    10, 60, 25, 5, 0,
];

impl Worth {
    /// The worths used on a board of that side.
    #[must_use]
    pub fn of_board(_side: usize) -> Worth {
        Worth(BY_HAND)
    }
}

/// The features of a position, for the mover.
pub type Counted = [i32; COUNT];

/// Squares counted from the edge.
struct Rings {
    inside: Cells,
    centre: Cells,
}

impl Tak {
    /// The same game with other worths.
    #[must_use]
    pub fn with_worth(mut self, worth: Worth) -> Tak {
        self.worth = std::sync::Arc::new(worth);
        self
    }

    /// What players think things are worth.
    #[must_use]
    pub fn worth(&self) -> &Worth {
        &self.worth
    }

    #[inline]
    fn rings(&self) -> Rings {
        let peel = |cells: Cells| {
            let inner = |direction| self.rays.shift(direction, cells);
            cells & inner(0) & inner(1) & inner(2) & inner(3)
        };
        let inside = peel(self.rays.all);
        Rings { inside, centre: peel(inside) }
    }

    /// Counts every feature for the mover less the opponent.
    #[must_use]
    #[inline]
    pub fn features(&self, pos: &Position) -> Counted {
        let mover = usize::from(pos.turn);
        let rings = self.rings();
        let mut counted = [0; COUNT];
        let mut theirs = [0; COUNT];
        let near = self.count_side(pos, mover, &rings, &mut counted);
        self.count_side(pos, mover ^ 1, &rings, &mut theirs);
        for (own, other) in counted.iter_mut().zip(theirs) {
            *own -= other;
        }
        counted[0] = 1;
        // Whoever is to move is a stone nearer.
        counted[29] = i32::from(near == 2);
        counted[30] = i32::from(near == 3);
        counted[31] = self.end_lead(pos, mover);
        counted
    }

    /// The lead in the count with komi, in half flats, the more the nearer the end of play: sixteenths.
    #[inline]
    fn end_lead(&self, pos: &Position, mover: usize) -> i32 {
        let empty = (self.rays.all & !pos.occupied()).count_ones() as i32;
        let hand = |side: usize| i32::from(pos.flats[side] + pos.capstones[side]);
        let left = empty.min(2 * hand(0).min(hand(1)));
        let near = (16 - left).max(0);
        if near == 0 {
            return 0;
        }
        let white = 2 * (pos.flat_count(0) as i32 - pos.flat_count(1) as i32) - self.half_komi;
        near * if mover == 0 { white } else { -white }
    }

    /// Counts for one side; says how many stones its nearest road needs.
    #[inline]
    fn count_side(&self, pos: &Position, side: usize, rings: &Rings, to: &mut Counted) -> u32 {
        let (own, road) = (pos.tops[side], pos.road_squares(side));
        let (walls, caps) = (own & pos.walls, own & pos.caps);
        let flats = road & !caps;
        let count = |cells: Cells| cells.count_ones() as i32;
        to[1] = count(flats);
        to[2] = count(walls);
        to[3] = count(caps);
        to[4] = count(flats & rings.inside);
        to[5] = count(flats & rings.centre);
        to[6] = count(caps & rings.inside);
        to[7] = count(caps & rings.centre);
        // Stacks: what is under each top.
        for cell in each_cell(own & pos.tall) {
            let under = pos.stacks[cell] >> 1;
            let (high, black) = (under.ilog2() as i32, under.count_ones() as i32 - 1);
            let of_side = if side == 1 { black } else { high - black };
            let kind = 2 * ((pos.walls >> cell & 1) + 2 * (pos.caps >> cell & 1)) as usize;
            to[8 + kind.min(4)] += of_side;
            to[9 + kind.min(4)] += high - of_side;
        }
        // How the stones hang together.
        let rays = &self.rays;
        to[14] = count(road & rays.shift(2, road)) + count(road & rays.shift(1, road));
        to[15] = self.lines_touched(road);
        let blockers = pos.walls | pos.caps;
        let grown = rays.grow(road);
        to[16] = count(grown & rays.all & !pos.occupied());
        to[17] = count(rays.grow(own) & !blockers & !own);
        // Own stacks under a flat that a piece of the opponent stands beside.
        let stacks = flats & pos.tall;
        if stacks != 0 {
            let theirs = pos.tops[side ^ 1];
            to[18] = count(stacks & rays.grow(theirs & !blockers));
            to[19] = count(stacks & rays.grow(theirs & pos.walls));
            to[20] = count(stacks & rays.grow(theirs & pos.caps));
        }
        let [across, down] = self.road_distances(pos, side);
        let (near, far) = (across.min(down), across.max(down));
        if (1..FAR).contains(&near) {
            to[20 + near as usize] = 1;
        }
        if (1..FAR).contains(&far) {
            to[24 + far as usize] = 1;
        }
        to[32] = i32::from(pos.flats[side] + pos.capstones[side]);
        near
    }

    /// Rows and columns with a stone.
    #[inline]
    fn lines_touched(&self, road: Cells) -> i32 {
        let rays = &self.rays;
        let (mut columns, mut rows, mut rest) = (0, 0, road);
        for _ in 0..self.grid().rows() {
            columns |= rest & rays.top;
            rest = rays.shift(0, rest);
        }
        rest = road;
        for _ in 0..self.grid().columns() {
            rows |= rest & rays.left;
            rest = rays.shift(3, rest);
        }
        (columns.count_ones() + rows.count_ones()) as i32
    }

    /// How early to try a placement.
    #[inline]
    fn placing_promise(&self, cell: usize, piece: Piece, own: Cells, theirs: Cells, rings: &Rings) -> i32 {
        let bit = 1 << cell;
        let beside = self.rays.grow(bit);
        let count = |cells: Cells| (beside & cells).count_ones() as i32;
        let inside = i32::from(rings.inside & bit != 0) + i32::from(rings.centre & bit != 0);
        match piece {
            Piece::Flat => 60 + 8 * count(own) + 6 * count(theirs) + 6 * inside,
            Piece::Wall => 10 * count(theirs) - 20,
            Piece::Cap => 20 + 12 * count(theirs) + 8 * count(own) + 8 * inside,
        }
    }

    /// How early to try a slide: flats of the opponent that it covers, less own ones and what it uncovers.
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

impl Evaluate for Tak {
    const WEIGHTS: &'static [Weight] = super::weighted::WEIGHTS;

    #[inline]
    fn hash(&self, pos: &Position) -> u64 {
        pos.hash
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> i32 {
        let counted = self.features(pos);
        counted.iter().zip(&self.worth.0).map(|(n, worth)| n * worth).sum()
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
        let rings = self.rings();
        let mut any = false;
        for cell in each_cell(places) {
            for &piece in self.placeable(pos) {
                any = true;
                each(Move::place(cell, piece), self.placing_promise(cell, piece, own, theirs, &rings));
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
    fn win_at_sight(&self, pos: &mut Position) -> Option<Move> {
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

    fn counted(&self, pos: &Position) -> Vec<i32> {
        self.features(pos).to_vec()
    }

    fn worths(&self) -> Vec<i32> {
        self.worth.0.to_vec()
    }

    fn with_worths(&self, worths: &[i32]) -> Tak {
        let mut table = [0; COUNT];
        table.iter_mut().zip(worths).for_each(|(kept, &worth)| *kept = worth);
        self.clone().with_worth(Worth(table))
    }
}

impl Tak {
    fn outcome_of(&self, pos: &Position) -> Option<Outcome> {
        agon_core::Game::outcome(self, pos)
    }

    /// Whether a few placements may end the play.
    #[inline]
    fn near_the_end(&self, pos: &Position) -> bool {
        let hand = |side: usize| pos.flats[side] + pos.capstones[side];
        hand(0).min(hand(1)) <= 3 || (self.rays.all & !pos.occupied()).count_ones() <= 4
    }
}

impl Guide for Tak {}
