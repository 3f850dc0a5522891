//! The features of the evaluation.

use super::roads::FAR;
use super::{Position, Tak};
use crate::grid::{Cells, each_cell};

/// The names of the features.
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
    "line-2-free",
    "line-3-free",
    "line-4-free",
    "line-5-free",
    "line-2-met",
    "line-3-met",
    "line-4-met",
    "line-5-met",
    "hard-flat",
    "hard-wall",
    "hard-cap",
    "wall-inside",
    "flat-corner",
    "stack-inside",
];

/// The number of features.
pub const COUNT: usize = 47;

/// The features of a position, for the mover.
pub type FeatureCounts = [i32; COUNT];

/// The index of the first line feature.
const LINES: usize = 33;

/// Parts of the board that the evaluation tells apart.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Squares off the edge, and those off the ring next to it.
    pub(crate) inside: Cells,
    pub(crate) centre: Cells,
    corners: Cells,
    /// Rows and columns.
    lines: Vec<Cells>,
}

impl Shape {
    pub(crate) fn new(columns: usize, rows: usize) -> Shape {
        let mut shape = Shape { inside: 0, centre: 0, corners: 0, lines: vec![0; columns + rows] };
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let bit = 1 << (y * columns + x);
            let edge = x.min(columns - 1 - x).min(y.min(rows - 1 - y));
            let at = |yes: bool| if yes { bit } else { 0 };
            shape.inside |= at(edge >= 1);
            shape.centre |= at(edge >= 2);
            shape.corners |= at((x == 0 || x == columns - 1) && (y == 0 || y == rows - 1));
            shape.lines[x] |= bit;
            shape.lines[columns + y] |= bit;
        }
        shape
    }
}

impl Tak {
    /// Counts every feature for the mover less the opponent.
    #[must_use]
    #[inline]
    pub fn features(&self, pos: &Position) -> FeatureCounts {
        let mover = usize::from(pos.turn);
        let mut counted = [0; COUNT];
        let mut theirs = [0; COUNT];
        let near = self.count_side(pos, mover, &mut counted);
        self.count_side(pos, mover ^ 1, &mut theirs);
        for (own, other) in counted.iter_mut().zip(theirs) {
            *own -= other;
        }
        counted[0] = 1;
        // The side to move is one stone nearer.
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
    fn count_side(&self, pos: &Position, side: usize, to: &mut FeatureCounts) -> u32 {
        let (own, road, shape) = (pos.tops[side], pos.road_squares(side), &*self.shape);
        let (walls, caps) = (own & pos.walls, own & pos.caps);
        let flats = road & !caps;
        to[1] = count(flats);
        to[2] = count(walls);
        to[3] = count(caps);
        to[4] = count(flats & shape.inside);
        to[5] = count(flats & shape.centre);
        to[6] = count(caps & shape.inside);
        to[7] = count(caps & shape.centre);
        to[44] = count(walls & shape.inside);
        to[45] = count(flats & shape.corners);
        if own & pos.tall != 0 {
            self.count_stacks(pos, side, flats, to);
        }
        // The connection of the stones.
        let rays = &self.rays;
        to[14] = count(road & rays.shift(2, road)) + count(road & rays.shift(1, road));
        to[16] = count(rays.grow(road) & rays.all & !pos.occupied());
        to[17] = count(rays.grow(own) & !(pos.walls | pos.caps) & !own);
        self.count_lines(pos, side, road, to);
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

    /// The pieces under each top, and own stacks under a flat next to a piece of the opponent.
    #[inline]
    fn count_stacks(&self, pos: &Position, side: usize, flats: Cells, to: &mut FeatureCounts) {
        for cell in each_cell(pos.tops[side] & pos.tall) {
            let under = pos.stacks[cell] >> 1;
            let (high, black) = (under.ilog2() as i32, under.count_ones() as i32 - 1);
            let of_side = if side == 1 { black } else { high - black };
            let kind = ((pos.walls >> cell & 1) + 2 * (pos.caps >> cell & 1)) as usize;
            to[8 + 2 * kind] += of_side;
            to[9 + 2 * kind] += high - of_side;
            to[41 + kind] += i32::from((under & 1) as usize == side);
        }
        let (rays, stacks, theirs) = (&self.rays, flats & pos.tall, pos.tops[side ^ 1]);
        to[46] = count(stacks & self.shape.inside);
        to[18] = count(stacks & rays.grow(theirs & !pos.walls & !pos.caps));
        to[19] = count(stacks & rays.grow(theirs & pos.walls));
        to[20] = count(stacks & rays.grow(theirs & pos.caps));
    }

    /// Rows and columns with a stone, and those with several: free of the opponent, or with no more than flats of it.
    #[inline]
    fn count_lines(&self, pos: &Position, side: usize, road: Cells, to: &mut FeatureCounts) {
        let theirs = pos.tops[side ^ 1];
        let blocked = theirs & (pos.walls | pos.caps);
        let mut touched = 0;
        for &line in &self.shape.lines {
            let own = (road & line).count_ones() as usize;
            touched += i32::from(own > 0);
            if own >= 2 && blocked & line == 0 {
                let met = usize::from(theirs & line != 0);
                to[LINES + 4 * met + own.min(5) - 2] += 1;
            }
        }
        to[15] = touched;
    }
}

#[inline]
fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Notation, Rng, Symmetric};

    fn named(tps: &str) -> impl Fn(&str) -> i32 {
        let game = Tak::new(5, 5);
        let counted = game.features(&game.parse(tps).unwrap());
        move |name| counted[FEATURES.iter().position(|feature| *feature == name).unwrap()]
    }

    #[test]
    fn features_count_what_their_names_say() {
        let feature = named("x5/x,112,x3/1,1,1,x2/x,2S,x3/2,x3,1 1 6");
        assert_eq!(feature("flat"), 4 - 2);
        assert_eq!(feature("wall"), -1);
        assert_eq!(feature("wall-inside"), -1);
        assert_eq!(feature("captive-under-flat"), -2);
        assert_eq!(feature("line-3-free"), 1);
        assert_eq!(feature("flat-corner"), 1 - 1);
        assert_eq!(feature("stack-beside-flat"), -1);
        assert_eq!(feature("tempo"), 1);
        let feature = named("x5/x,122C,x3/1,1,1,2,x/x,2S,x3/2,x3,1 2 6");
        assert_eq!((feature("line-3-met"), feature("line-3-free")), (-1, 0));
        assert_eq!((feature("hard-cap"), feature("hard-flat")), (1, 0));
        assert_eq!((feature("own-under-cap"), feature("captive-under-cap")), (1, 1));
    }

    #[test]
    fn features_do_not_depend_on_how_the_board_is_turned() {
        for (columns, rows) in [(4, 4), (6, 6), (5, 3)] {
            let game = Tak::new(columns, rows);
            let mut rng = Rng::new(8);
            for _ in 0..20 {
                let mut pos = game.start();
                while let Some(mv) = game.random_move(&pos, &mut rng) {
                    let element = rng.below(game.order());
                    let image = game.image(element, &pos);
                    assert_eq!(game.features(&pos), game.features(&image), "{}", game.show(&pos));
                    game.play(&mut pos, mv);
                }
            }
        }
    }
}
