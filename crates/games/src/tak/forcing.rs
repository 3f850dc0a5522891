//! Immediate wins, and keys for tables.

use super::past::WideHash;
use super::position::height;
use super::{DrawRule, Move, Piece, Position, Tak};
use crate::grid::each_cell;
use agon_core::forcing::Forcing;
use agon_core::{Game, Outcome, Player, Symmetric};

/// Bits for the plies that [`DrawRule::Fifty`] counts.
const PLIES_BITS: u32 = 6;

impl Tak {
    /// Returns whether every position of this game fits a key of 128 bits: a bit for each stone's colour, its
    /// place in the row of stones and separators, the walls and capstones on top, and the plies that a draw rule
    /// counts. What threefold repetition remembers fits no key.
    #[must_use]
    pub fn has_exact_keys(&self) -> bool {
        let (pieces, cells) = (2 * (u32::from(self.flats) + u32::from(self.capstones)), self.grid.cells() as u32);
        let tops = if self.capstones == 0 { cells } else { 2 * cells };
        let memory = match self.draw {
            DrawRule::None => 0,
            DrawRule::Fifty => PLIES_BITS,
            DrawRule::Threefold => return false,
        };
        2 * pieces + cells + tops + memory < 128
    }

    fn exact_key(&self, pos: &Position, element: usize) -> u128 {
        let (mut colours, mut row, mut walls, mut caps, mut stones) = (0u128, 0u128, 0u128, 0u128, 0);
        for i in 0..self.grid.cells() {
            let cell = self.grid.image_of_cell(element, i);
            let stack = pos.stacks[cell];
            let h = height(stack);
            colours = colours << h | (stack & !(1 << h));
            row = row << (h + 1) | ((1 << h) - 1);
            walls = walls << 1 | u128::from(pos.walls >> cell & 1);
            caps = caps << 1 | u128::from(pos.caps >> cell & 1);
            stones += h;
        }
        let cells = self.grid.cells() as u32;
        let mut key = colours << (stones + cells) | row;
        key = key << cells | walls;
        if self.capstones > 0 {
            key = key << cells | caps;
        }
        key << 1 | u128::from(pos.turn)
    }

    fn hashed_key(&self, pos: &Position, element: usize) -> u128 {
        let (mut a, mut b) = (0x243f_6a88_85a3_08d3u64 ^ u64::from(pos.turn), 0x1319_8a2e_0370_7344u64);
        for i in 0..self.grid.cells() {
            let cell = self.grid.image_of_cell(element, i);
            let stack = pos.stacks[cell];
            let kind = (pos.walls >> cell & 1) + 2 * (pos.caps >> cell & 1);
            let mix = |state: u64, word: u64, odd: u64| {
                let wide = u128::from(state ^ word) * u128::from(odd);
                (wide >> 64) as u64 ^ (wide as u64).rotate_left(23)
            };
            let (low, high) = (stack as u64, (stack >> 64) as u64 ^ kind << 61);
            a = mix(a.wrapping_add(high), low, 0xa409_3822_299f_31d1);
            b = mix(b.wrapping_add(high.rotate_left(31)), low, 0x082e_fa98_ec4e_6c89 | 1);
        }
        u128::from(a) << 64 | u128::from(b)
    }

    /// A key of the image of `pos` under a symmetry, with what the draw rule remembers: positions that differ in that
    /// alone may differ in their value.
    fn key_of_image(&self, pos: &Position, element: usize) -> u128 {
        let exact = self.has_exact_keys();
        let board = || if exact { self.exact_key(pos, element) } else { self.hashed_key(pos, element) };
        match self.draw {
            DrawRule::None => board(),
            DrawRule::Fifty if exact => board() << PLIES_BITS | u128::from(pos.past.plies()),
            DrawRule::Fifty => with_memory(board(), pos.past.plies().into()),
            DrawRule::Threefold => with_memory(board(), pos.past.multiset_hash()),
        }
    }

    /// A number that the images of a position share.
    pub(super) fn key_up_to_symmetry(&self, pos: &Position) -> u64 {
        (0..self.order()).map(|element| (self.hashed_key(pos, element) >> 64) as u64).min().unwrap_or_default()
    }

    /// Returns whether the mover wins by this move.
    pub(crate) fn wins_by(&self, pos: &mut Position, mv: Move) -> bool {
        let mover = self.turn(pos);
        let undo = self.play(pos, mv);
        let won = self.outcome(pos) == Some(Outcome::Win(mover));
        self.undo(pos, mv, undo);
        won
    }

    /// A placement that wins: on a square that completes a road, or the last piece or square.
    fn winning_placement(&self, pos: &mut Position) -> Option<Move> {
        let side = usize::from(pos.turn);
        let empty = self.grid.all() & !pos.occupied();
        let piece = if pos.flats[side] > 0 { Piece::Flat } else { Piece::Cap };
        let completing = empty & self.rays.completes_road(pos.road_squares(side));
        if completing != 0 {
            return Some(Move::place(completing.trailing_zeros() as usize, piece));
        }
        let last_piece = pos.flats[side] + pos.capstones[side] == 1;
        if !last_piece && empty.count_ones() > 1 {
            return None;
        }
        let mut placements = Vec::new();
        self.list(pos, |mv| placements.extend(mv.piece().map(|_| mv)));
        placements.into_iter().find(|&mv| self.wins_by(pos, mv))
    }

    /// A slide that wins: by a road through squares it reaches, or by filling the board.
    fn winning_slide(&self, pos: &mut Position) -> Option<Move> {
        let side = usize::from(pos.turn);
        let (own, empty) = (pos.road_squares(side), self.grid.all() & !pos.occupied());
        let mut slides = Vec::new();
        for cell in each_cell(pos.tops[side]) {
            for direction in 0..4 {
                // Only these squares can become part of a road.
                let reach = self.reach(pos, cell, direction);
                let may_win = reach != 0 && (empty & !reach == 0 || self.rays.is_road(own | reach | 1 << cell));
                if may_win {
                    self.list_slides_towards(pos, cell, direction, |mv| slides.push(mv));
                }
            }
        }
        slides.into_iter().find(|&mv| self.wins_by(pos, mv))
    }

    /// Empty squares on which a flat would complete a road of that side.
    #[must_use]
    pub fn threats(&self, pos: &Position, side: Player) -> u64 {
        self.rays.completes_road(pos.road_squares(side as usize)) & self.grid.all() & !pos.occupied()
    }
}

/// The hash of a board together with what a draw rule remembers.
fn with_memory(board: u128, memory: u128) -> u128 {
    let mut hash = WideHash::new();
    [board as u64, (board >> 64) as u64, memory as u64, (memory >> 64) as u64]
        .into_iter()
        .for_each(|word| hash.add(word));
    hash.finish()
}

impl Forcing for Tak {
    fn has_exact_keys(&self) -> bool {
        Tak::has_exact_keys(self)
    }

    fn key(&self, pos: &Position) -> u128 {
        (0..self.order()).map(|element| self.key_of_image(pos, element)).min().unwrap_or_default()
    }

    fn fingerprint(&self, pos: &Position) -> u128 {
        self.key_of_image(pos, 0)
    }

    fn win_now(&self, pos: &mut Position) -> Option<Move> {
        if self.is_opening(pos) {
            // The opponent's last flat, or the last square, can bring a flat count that komi turns into a win.
            let mut placements = Vec::new();
            self.list(pos, |mv| placements.push(mv));
            return placements.into_iter().find(|&mv| self.wins_by(pos, mv));
        }
        if let Some(mv) = self.winning_placement(pos) {
            return Some(mv);
        }
        self.winning_slide(pos)
    }

    fn threatens(&self, pos: &mut Position) -> bool {
        pos.turn ^= 1;
        let threatens = self.win_now(pos).is_some();
        pos.turn ^= 1;
        threatens
    }

    fn promise(&self, pos: &Position) -> i32 {
        let (mover, last) = (self.turn(pos), self.turn(pos).other());
        let threats = |side| self.threats(pos, side).count_ones() as i32;
        let lead = pos.flat_count(last as usize) as i32 - pos.flat_count(mover as usize) as i32;
        16 * threats(last).min(3) - 64 * threats(mover).min(1) + lead
    }

    /// A full board needs a piece for every square, and a ply adds one at most; a reserve loses one piece in
    /// two plies. Until then a piece can be placed that makes no road of the opponent, unless a single flat is
    /// one and the first round is on.
    fn runs_out_within(&self, pos: &Position, n: u32) -> bool {
        if self.carry == 1 || self.draw != DrawRule::None {
            return true;
        }
        let left = |side: usize| u32::from(pos.flats[side]) + u32::from(pos.capstones[side]);
        let all = 2 * (u32::from(self.flats) + u32::from(self.capstones));
        let on_board = all - left(0) - left(1);
        on_board + n >= self.grid.cells() as u32 || left(0).min(left(1)) <= n.div_ceil(2)
    }
}
