//! Random moves that favour placing, as the weighted random player of Beljaards's thesis (section 5.1): a square is
//! drawn first, then a move there, so that tall stacks do not take over; flats weigh three times as much as walls, and
//! more than that while the board is empty. The thesis gives no other numbers; the rest was fitted to its tables.

use super::{Move, Piece, Position, Tak};
use crate::grid::{Cells, each_cell};
use agon_core::Rng;
use agon_core::evaluate::Weight;

/// The weights and their defaults.
pub const WEIGHTS: &[Weight] = &[
    Weight { name: "flat", default: 3.0, help: "a flat on an empty square" },
    Weight { name: "wall", default: 1.0, help: "a wall on an empty square" },
    Weight { name: "cap", default: 3.0, help: "a capstone on an empty square" },
    Weight { name: "place", default: 1.0, help: "times the three above, against moving" },
    Weight { name: "early", default: 4.0, help: "how much more a flat weighs on an empty board" },
    Weight { name: "slide", default: 3.0, help: "all moves of a stack together" },
];

impl Tak {
    /// A weighted random move of an unfinished position.
    #[inline]
    pub(crate) fn any_weighted(&self, pos: &Position, weights: &[f64], rng: &mut Rng) -> Option<Move> {
        let &[flat, wall, cap, place, early, slide] = weights else { return self.any(pos, rng) };
        let empty = self.rays.all & !pos.occupied();
        let own = if self.is_opening(pos) { 0 } else { self.movable(pos) };
        let pieces = self.placeable(pos);
        let (free, cells) = (f64::from(empty.count_ones()), f64::from(self.rays.all.count_ones()));
        let flat = flat * (1.0 + early * (free / cells).sqrt());
        let weight = |piece: Piece| match piece {
            Piece::Flat => flat,
            Piece::Wall => wall,
            Piece::Cap => cap,
        };
        let a_square: f64 = pieces.iter().map(|&piece| weight(piece)).sum();
        let (placing, sliding) = (free * place * a_square, f64::from(own.count_ones()) * slide);
        if placing + sliding <= 0.0 {
            return self.any(pos, rng);
        }
        if rng.unit() * (placing + sliding) < placing {
            let cell = nth(empty, rng.below(free as usize));
            let mut drawn = rng.unit() * a_square;
            let chosen = pieces.iter().find(|&&piece| {
                drawn -= weight(piece);
                drawn < 0.0
            });
            return Some(Move::place(cell, *chosen.unwrap_or(&pieces[0])));
        }
        let cell = nth(own, rng.below(own.count_ones() as usize));
        let slides: [_; 4] = std::array::from_fn(|direction| self.slides(pos, cell, direction));
        let mut n = rng.below(slides.iter().map(|s| s.count()).sum());
        for (direction, slides) in slides.iter().enumerate() {
            if n < slides.count() {
                return Some(Move::slide(cell, direction, slides.nth(n)?));
            }
            n -= slides.count();
        }
        None
    }

    /// Squares from which the mover can slide.
    #[inline]
    fn movable(&self, pos: &Position) -> Cells {
        let own = pos.tops[usize::from(pos.turn)];
        let open = self.rays.all & !pos.walls & !pos.caps;
        let mut able = 0;
        for (direction, back) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
            able |= self.rays.shift(back, self.rays.shift(direction, own) & open);
            able |= self.rays.shift(back, self.rays.shift(direction, own & pos.caps) & pos.walls);
        }
        able & own
    }
}

fn nth(cells: Cells, n: usize) -> usize {
    each_cell(cells).nth(n).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Evaluate, Game, Notation, collect_moves};

    #[test]
    fn weighted_moves_are_legal_and_every_move_comes_up() {
        let game = Tak::new(4, 4);
        let weights = Tak::default_weights();
        let mut rng = Rng::new(3);
        for _ in 0..60 {
            let mut pos = game.start();
            while let Some(mv) = game.weighted_move(&pos, &weights, &mut rng) {
                assert!(collect_moves(&game, &pos).contains(&mv), "{} {mv:?}", game.show(&pos));
                game.play(&mut pos, mv);
            }
            assert!(game.outcome(&pos).is_some());
        }
        let game = Tak::new(5, 5);
        let pos = game.parse("x5/x5/x,12C,1S,x2/x,2,11,x2/x5 1 5").unwrap();
        let mut seen = std::collections::BTreeSet::new();
        (0..20_000).for_each(|_| seen.extend(game.weighted_move(&pos, &weights, &mut rng)));
        assert_eq!(seen.len(), collect_moves(&game, &pos).len());
    }

    #[test]
    fn flats_come_three_times_as_often_as_walls_and_more_often_early() {
        let game = Tak::new(5, 5);
        let mut rng = Rng::new(1);
        let mut ratio = |tps: &str, early: f64| {
            let pos = game.parse(tps).unwrap();
            let mut weights = Tak::default_weights();
            weights[4] = early;
            let (mut flats, mut walls) = (0, 0);
            for _ in 0..40_000 {
                match game.weighted_move(&pos, &weights, &mut rng).and_then(Move::piece) {
                    Some(Piece::Flat) => flats += 1,
                    Some(Piece::Wall) => walls += 1,
                    _ => {}
                }
            }
            f64::from(flats) / f64::from(walls)
        };
        let (few, many) = ("x5/x5/x2,1,x2/x5/2,x4 1 2", "x,1,2,1,2/2,2,1,2,1/1,1,1,2,2/2,1,1,2,1/2,1,2,1S,2 1 20");
        assert!((2.85..3.15).contains(&ratio(few, 0.0)));
        // 3 · (1 + 4 · √(23/25)), and 3 · (1 + 4 · √(1/25)).
        let (early, late) = (ratio(few, 4.0), ratio(many, 4.0));
        assert!((13.6..15.5).contains(&early) && (5.0..5.8).contains(&late), "{early} {late}");
    }
}
