//! Bounds on the number of moves of a position: the most, by exhaustion on small boards; boards with the most and the
//! fewest known; and what random games offer.

use super::moves::{Rays, SLIDES};
use super::{Piece, Position, Tak};
use crate::grid::{Cells, each_cell};
use agon_core::{Game, Outcome, Player, Rng};

/// The kinds of square, seen by the mover, that determine the number of moves.
const ROLES: usize = 5;
const EMPTY: usize = 0;
const OWN: usize = 1;
const OWN_WALL: usize = 2;
const OTHER: usize = 3;
const OTHER_WALL: usize = 4;

/// The most moves any position of a board without capstones can have, with a position that has them.
///
/// Goes through every assignment of roles to squares and gives the pieces that are left to the stacks
/// where they help most, so reachable or not nothing is left out. The play must not be over: no road, a
/// free square, a stone left in each reserve; and the last mover has a piece on top.
#[must_use]
pub fn most_moves(game: &Tak) -> (u32, Position) {
    assert!(game.capstones == 0 && game.grid.cells() <= 9, "exhaustion is for small boards without capstones");
    let mut search = Most { game, best: 0, roles: [0; ROLES], heights: Vec::new() };
    search.fill(0, [0; ROLES]);
    let position = search.position();
    (search.best, position)
}

struct Most<'a> {
    game: &'a Tak,
    best: u32,
    roles: [Cells; ROLES],
    heights: Vec<usize>,
}

impl Most<'_> {
    fn fill(&mut self, cell: usize, roles: [Cells; ROLES]) {
        if cell == self.game.grid.cells() {
            return self.judge(roles);
        }
        for role in 0..ROLES {
            let mut next = roles;
            next[role] |= 1 << cell;
            self.fill(cell + 1, next);
        }
    }

    fn judge(&mut self, roles: [Cells; ROLES]) {
        let rays = &*self.game.rays;
        let (own, other) = (roles[OWN] | roles[OWN_WALL], roles[OTHER] | roles[OTHER_WALL]);
        let pieces = 2 * (u32::from(self.game.flats) - 1);
        let taken = (own | other).count_ones();
        if roles[EMPTY] == 0 || other == 0 || taken > pieces {
            return;
        }
        let blockers = roles[OWN_WALL] | roles[OTHER_WALL];
        let gains: Vec<Vec<u32>> = each_cell(own).map(|cell| self.gains(rays, cell, blockers)).collect();
        let placements = 2 * roles[EMPTY].count_ones();
        let at_most: u32 = gains.iter().map(|g| g[self.game.carry]).sum();
        if placements + at_most <= self.best || rays.is_road(roles[OWN]) || rays.is_road(roles[OTHER]) {
            return;
        }
        let (slides, heights) = best_heights(&gains, (pieces - taken) as usize);
        if placements + slides > self.best {
            (self.best, self.roles, self.heights) = (placements + slides, roles, heights);
        }
    }

    /// Slides of a stack by its height.
    fn gains(&self, rays: &Rays, cell: usize, blockers: Cells) -> Vec<u32> {
        let slides = |h: usize| (0..4).map(|d| u32::from(SLIDES[h][rays.room(d, cell, blockers)])).sum();
        (0..=self.game.carry).map(slides).collect()
    }

    /// The best board as a position: what lies below is the opponent's as long as it has stones.
    fn position(&self) -> Position {
        let mut pos = Position::empty(self.game.flats, 0);
        let mut left = u32::from(self.game.flats) - 1;
        for role in [OTHER, OTHER_WALL] {
            for cell in each_cell(self.roles[role]) {
                pos.set(cell, 3, if role == OTHER { Piece::Flat } else { Piece::Wall });
                left -= 1;
            }
        }
        let own = each_cell(self.roles[OWN] | self.roles[OWN_WALL]);
        for (cell, &height) in own.zip(&self.heights) {
            let mut stack = 1;
            for _ in 1..height {
                let black = u128::from(left > 0);
                left -= black as u32;
                stack = stack << 1 | black;
            }
            let wall = self.roles[OWN_WALL] >> cell & 1 == 1;
            pos.set(cell, stack << 1, if wall { Piece::Wall } else { Piece::Flat });
        }
        pos
    }
}

/// Heights that make the most slides, with that many pieces to add to stacks of one; and the slides.
fn best_heights(gains: &[Vec<u32>], more: usize) -> (u32, Vec<usize>) {
    let mut best: Vec<(u32, Vec<usize>)> = vec![(0, Vec::new()); more + 1];
    for gain in gains {
        let with = |spend: usize| {
            let options = (1..gain.len()).filter(|h| h - 1 <= spend);
            let value = |h: &usize| best[spend + 1 - h].0 + gain[*h];
            let h = options.max_by_key(value).unwrap_or(1);
            let mut heights = best[spend + 1 - h].1.clone();
            heights.push(h);
            (value(&h), heights)
        };
        best = (0..=more).map(with).collect();
    }
    best.pop().unwrap_or_default()
}

/// Boards of the thesis's figures 4.2–4.5, as positions: board, number of moves.
pub const FIGURES: [(&str, &str, usize); 5] = [
    ("tak:3", FIGURE_3X3, 71),
    ("tak:5", FIGURE_5X5, 528),
    ("tak:8", FIGURE_8X8, 6304),
    // The fewest: every square but one is a wall, those around it are Black's.
    ("tak:3", "1S,2S,1S/2S,x,2S/1S,2S,11S 1 20", 2),
    ("tak:5", "1S,1S,1S,1S,1S/1S,1S,2S,1S,1S/1S,2S,x,2S,1S/1S,1S,2S,1S,1S/1S,1S,1S,1S,11S 1 40", 1),
];

/// Five stacks of three, one of two, two empty squares.
pub const FIGURE_3X3: &str = "2,21,221/221,x,221/121,111,x 1 20";
/// Eight stacks of five, sixteen empty squares.
pub const FIGURE_5X5: &str = "22221,x,22221,x,22221/x5/22221,x,22221,x,11111/x5/11111,x,11111,x,2 1 60";
/// Twelve stacks of eight, one of four, fifty empty squares.
pub const FIGURE_8X8: &str = "22222221C,x7/\
    x,22222221,x,22222221,x,22222221,x2/\
    x2,22222221,x,22222221,x,22222221,x/\
    x4,1111,x3/\
    x8/\
    x,21111111,x,11111111,x,11111111,x2/\
    x2,11111111,x,11111111,x3/\
    x7,2C 1 99";

/// A mean in the making.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn error(&self) -> f64 {
        let variance = (self.squares - self.sum * self.sum / self.count) / (self.count - 1.0);
        (variance / self.count).sqrt()
    }
}

/// Statistics of random games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RandomGames {
    /// Plies of a game.
    pub plies: Sample,
    /// Legal moves, averaged over each game.
    pub moves: Sample,
    /// The most legal moves met.
    pub most: usize,
    /// Games won by White, won by Black, and drawn.
    pub won: [u64; 3],
}

/// Plays that many games, each move chosen among all legal ones with the same chance.
#[must_use]
pub fn random_games(game: &Tak, games: u64, rng: &mut Rng) -> RandomGames {
    let mut found = RandomGames::default();
    for _ in 0..games {
        let mut pos = game.start();
        let (mut plies, mut moves) = (0u32, 0usize);
        while let Some(mv) = game.random_move(&pos, rng) {
            let count = game.count(&pos);
            found.most = found.most.max(count);
            moves += count;
            plies += 1;
            game.play(&mut pos, mv);
        }
        found.plies.add(f64::from(plies));
        found.moves.add(moves as f64 / f64::from(plies));
        found.won[match game.outcome(&pos) {
            Some(Outcome::Win(Player::First)) => 0,
            Some(Outcome::Win(Player::Second)) => 1,
            _ => 2,
        }] += 1;
    }
    found
}
