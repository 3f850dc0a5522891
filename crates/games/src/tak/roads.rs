//! Roads that can be completed at once, and how far off the others are, on bitboards.

use super::{Move, Piece, Position, Tak};
use crate::grid::{Cells, each_cell};
use agon_core::forcing::Forcing;

/// Stones that a road still needs at most, as far as anybody counts.
pub const FAR: u32 = 5;

impl Tak {
    /// A move that wins immediately. As [`Forcing::win_now`], but it tries only slides that could make a road.
    #[inline]
    pub(crate) fn win_quickly(&self, pos: &mut Position) -> Option<Move> {
        let side = usize::from(pos.turn);
        let empty = self.rays.all & !pos.occupied();
        let hand = pos.flats[side] + pos.capstones[side];
        if hand <= 1 || empty & empty.wrapping_sub(1) == 0 {
            return self.win_now(pos);
        }
        let road = pos.road_squares(side);
        let stones = road.count_ones() as usize;
        let tall = pos.tops[side] & pos.tall;
        if stones + 1 < self.carry && tall == 0 || self.is_opening(pos) {
            return None;
        }
        if stones + 1 >= self.carry {
            let completing = self.rays.completes_road(road);
            if completing & empty != 0 {
                let piece = if pos.flats[side] > 0 { Piece::Flat } else { Piece::Cap };
                return Some(Move::place((completing & empty).trailing_zeros() as usize, piece));
            }
            if let Some(mv) = self.winning_step(pos, side, completing) {
                return Some(mv);
            }
        }
        if tall == 0 { None } else { self.winning_long_slide(pos, road, tall, empty) }
    }

    /// A slide whose first square completes a road.
    fn winning_step(&self, pos: &mut Position, side: usize, completing: Cells) -> Option<Move> {
        let (own, blockers) = (pos.tops[side], pos.walls | pos.caps);
        for direction in 0..4 {
            let crushed = self.rays.shift(direction, own & pos.caps) & pos.walls;
            let to = (self.rays.shift(direction, own) & !blockers | crushed) & completing;
            for cell in each_cell(to) {
                let from = (cell as isize - self.rays.step[direction]) as usize;
                if let Some(mv) = self.slide_that_wins(pos, from, direction) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// A slide over several squares, or off a square, that makes a road or fills the board.
    fn winning_long_slide(&self, pos: &mut Position, road: Cells, tall: Cells, empty: Cells) -> Option<Move> {
        for cell in each_cell(tall) {
            let uncovers = pos.walls >> cell & 1 == 1;
            for direction in 0..4 {
                let slides = self.slides(pos, cell, direction);
                let reach = slides.h.min(slides.room + usize::from(slides.crush));
                if reach < 2 && !(uncovers && reach == 1) {
                    continue;
                }
                let step = self.rays.step[direction];
                let covered = (1..=reach as isize).fold(1u64 << cell, |set, i| set | 1 << (cell as isize + i * step));
                let most = road | covered;
                let paves = most.count_ones() as usize >= self.carry && self.rays.is_road(most);
                if (paves || empty & !covered == 0)
                    && let Some(mv) = self.slide_that_wins(pos, cell, direction)
                {
                    return Some(mv);
                }
            }
        }
        None
    }

    fn slide_that_wins(&self, pos: &mut Position, cell: usize, direction: usize) -> Option<Move> {
        let slides = self.slides(pos, cell, direction);
        (0..slides.count()).find_map(|n| {
            let mv = Move::slide(cell, direction, slides.nth(n)?);
            self.wins_by(pos, mv).then_some(mv)
        })
    }

    /// Stones that side still has to place for a road from left to right and from top to bottom, up to [`FAR`]. A flat
    /// of the opponent counts as two.
    #[inline]
    #[must_use]
    pub fn road_distances(&self, pos: &Position, side: usize) -> [u32; 2] {
        let own = pos.road_squares(side);
        let free = self.rays.all & !pos.occupied();
        let theirs = pos.tops[side ^ 1] & !pos.walls & !pos.caps;
        let rays = &self.rays;
        let distance = |from: Cells, to: Cells| {
            let mut before = 0;
            let mut reach = rays.flood(from & own, own);
            if reach & to != 0 {
                return 0;
            }
            for placed in 1..FAR {
                let entered = (rays.grow(reach) | from) & free;
                let taken = if placed > 1 { (rays.grow(before) | from) & theirs } else { 0 };
                let next = reach | entered | taken;
                let next = rays.flood(next, own | next);
                if next & to != 0 {
                    return placed;
                }
                (before, reach) = (reach, next);
            }
            FAR
        };
        [distance(rays.left, rays.right), distance(rays.top, rays.bottom)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Notation, Rng};

    #[test]
    fn quick_wins_are_those_of_the_plain_search() {
        for (n, games) in [(3, 300), (4, 150), (5, 100), (6, 40), (8, 8)] {
            let game = Tak::new(n, n);
            let mut rng = Rng::new(n as u64);
            let mut found = 0;
            for _ in 0..games {
                let mut pos = game.start();
                while game.outcome(&pos).is_none() {
                    let (quick, plain) = (game.win_quickly(&mut pos), game.win_now(&mut pos));
                    assert_eq!(quick.is_some(), plain.is_some(), "{}", game.show(&pos));
                    if let Some(mv) = quick {
                        assert!(game.wins_by(&mut pos, mv), "{}", game.show(&pos));
                        found += 1;
                    }
                    let mv = game.random_move(&pos, &mut rng).unwrap();
                    game.play(&mut pos, mv);
                }
            }
            assert!(found > 50 || n == 8, "{n}: {found}");
        }
    }

    #[test]
    fn distances_count_the_stones_that_are_missing() {
        for (tps, white, black) in [
            ("x5/x5/x5/x5/x5 1 1", [5, 5], [5, 5]),
            ("x5/x5/1,1,1,x2/x5/2,x4 1 4", [2, 4], [4, 5]),
            ("x5/x5/1,1,1,2,x/x5/2,x4 1 4", [3, 4], [4, 4]),
            ("x5/x5/1,1,1,2S,x/x5/2,x4 1 4", [3, 4], [4, 5]),
            ("2,x4/2,x4/2,1,x3/2,x4/x,1,1,x2 1 6", [3, 3], [4, 1]),
        ] {
            let game = Tak::new(5, 5);
            let pos = game.parse(tps).unwrap();
            assert_eq!((game.road_distances(&pos, 0), game.road_distances(&pos, 1)), (white, black), "{tps}");
        }
    }
}
