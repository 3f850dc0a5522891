//! Drop games as one machine word for each side, with the tactics of a fast search.
//!
//! The cells are numbered column by column from the bottom, with one empty bit above each column, so that rows of cells
//! in every direction are at equal distances and none runs over an edge. Boards with more than 64 such bits have no rack.
//!
//! The bounds without search rest on *following*: the side that is not to move answers every move in the same column.
//! It gets every second cell of each column, counted from the top. If the mover completes no row with all other cells, the
//! follower does not lose; if the follower's cells hold a row, it wins (Allis 1988 calls this rule *claimeven*). The follower can
//! also wait for the mover to be left with the cell below one of its threats (*zugzwang*).

use crate::grid::Stones;
use agon_core::{Acyclic, Alternating, Game, Outcome, Player, StaticAnalysis, Symmetric, Tactics, Value};

/// A set of cells.
type Bits = u64;

/// The rules for one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rack {
    columns: u32,
    rows: u32,
    k: u32,
    /// Every cell.
    board: Bits,
    /// The lowest cell of each column.
    bottom: Bits,
    /// The top cell of each column and every second cell below it.
    seconds: Bits,
}

/// A position: the cells of the side to move, and all occupied cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Racked {
    own: Bits,
    all: Bits,
}

impl Racked {
    #[inline]
    fn other(self) -> Bits {
        self.own ^ self.all
    }
}

impl Rack {
    /// Board of `columns` and `rows` with `k` in a row to win; `None` if the board or a row of k cells has no room in 64
    /// bits.
    #[must_use]
    pub fn new(columns: usize, rows: usize, k: usize) -> Option<Rack> {
        let (columns, rows, k) = (columns as u32, rows as u32, k as u32);
        if columns * (rows + 1) > 64 || (k - 1) * (rows + 2) >= 64 {
            return None;
        }
        let each_column = |cells: Bits| (0..columns).map(|column| cells << (column * (rows + 1))).sum();
        let in_column =
            |wanted: fn(u32) -> bool| (0..rows).filter(|row| wanted(rows - 1 - row)).map(|row| 1 << row).sum();
        Some(Rack {
            columns,
            rows,
            k,
            board: each_column(in_column(|_| true)),
            bottom: each_column(1),
            seconds: each_column(in_column(|below_top| below_top % 2 == 0)),
        })
    }

    /// The same position on a rack. `stones` numbers the cells row by row from the top.
    #[must_use]
    pub fn place(&self, stones: &Stones) -> Racked {
        let (own, other) = stones.sides();
        let moved = |cells: u64| {
            let (mut left, mut bits) = (cells, 0);
            while left != 0 {
                let cell = left.trailing_zeros();
                left &= left - 1;
                bits |= 1 << (cell % self.columns * self.step() + self.rows - 1 - cell / self.columns);
            }
            bits
        };
        let (own, other) = (moved(own), moved(other));
        Racked { own, all: own | other }
    }

    /// The distance between neighbours in a row.
    #[inline]
    fn step(&self) -> u32 {
        self.rows + 1
    }

    /// The distances between neighbours in the three directions that are not a column.
    #[inline]
    fn slants(&self) -> [u32; 3] {
        [self.rows, self.rows + 1, self.rows + 2]
    }

    #[inline]
    fn directions(&self) -> [u32; 4] {
        [1, self.rows, self.rows + 1, self.rows + 2]
    }

    /// The first cells of the rows of k in `cells` in one direction.
    #[inline]
    fn rows_in(&self, cells: Bits, step: u32) -> Bits {
        if self.k == 4 { rows_of(4, cells, step) } else { rows_of(self.k, cells, step) }
    }

    #[inline]
    fn has_row(&self, cells: Bits) -> bool {
        self.directions().into_iter().any(|step| self.rows_in(cells, step) != 0)
    }

    /// All cells of the rows in one direction that begin at `firsts`.
    #[inline]
    fn whole_rows(&self, firsts: Bits, step: u32) -> Bits {
        if self.k == 4 { spread(4, firsts, step) } else { spread(self.k, firsts, step) }
    }

    /// Empty and occupied cells that complete a row with `cells`.
    #[inline]
    fn completing(&self, cells: Bits) -> Bits {
        let threats =
            if self.k == 4 { threats_of_four(cells, self.rows) } else { threats_of(self.k, cells, self.rows) };
        threats & self.board
    }

    /// The lowest empty cell of each column.
    #[inline]
    fn next(&self, pos: &Racked) -> Bits {
        (pos.all + self.bottom) & self.board
    }

    #[inline]
    fn empty(&self, pos: &Racked) -> u32 {
        (self.board & !pos.all).count_ones()
    }

    #[inline]
    fn drop_at(&self, pos: &Racked, cell: Bits) -> Racked {
        Racked { own: pos.other(), all: pos.all | cell }
    }

    #[inline]
    fn column_of(&self, cell: Bits) -> u8 {
        (cell.trailing_zeros() / self.step()) as u8
    }

    #[inline]
    fn column(&self, column: u32) -> Bits {
        ((1 << self.rows) - 1) << (column * self.step())
    }

    #[inline]
    fn landing(&self, pos: &Racked, column: u8) -> Bits {
        self.next(pos) & self.column(u32::from(column))
    }

    /// The moves after which the opponent does not win at once; the opponent has no threat that must be met.
    #[inline]
    fn safe(&self, pos: &Racked) -> Bits {
        let threats = self.completing(pos.other()) & !pos.all;
        self.next(pos) & !(threats >> 1)
    }

    #[inline]
    fn mirrored(&self, key: u64) -> u64 {
        let column = (1 << self.step()) - 1;
        let (mut left, mut image) = (key, 0);
        for _ in 0..self.columns - 1 {
            image = (image | left & column) << self.step();
            left >>= self.step();
        }
        image | left
    }

    /// The mover's men that matter to nobody: all their rows hold a man of the other side, and each row through them that
    /// could still be filled holds another man of the mover that does matter.
    #[inline]
    fn idle(&self, pos: &Racked) -> Bits {
        let (mut live, mut touched) = (0, 0);
        for step in self.directions() {
            live |= self.whole_rows(self.rows_in(self.board & !pos.other(), step), step);
        }
        let free = self.board & !(pos.own & live);
        for step in self.directions() {
            let unfinished = self.rows_in(free, step) & !self.rows_in(pos.all, step);
            touched |= self.whole_rows(unfinished, step);
        }
        pos.own & !live & !touched
    }

    /// An upper bound on the value if the other side follows, with an even number of empty cells.
    ///
    /// Columns with an odd number of empty cells are even in number: the follower answers a move to one of them in
    /// another one, so the mover gets at most all cells that are next in these columns.
    #[inline]
    fn followed(&self, pos: &Racked, empty: u32) -> Value {
        let follower = pos.other() | (self.seconds & !pos.all & !self.next(pos));
        let leader = self.board & !follower;
        if self.rows_in(leader, 1) != 0 {
            return Value::BEST;
        }
        let mut bound = Value::DRAW;
        for step in self.slants() {
            let (of_leader, of_follower) = (self.rows_in(leader, step), self.rows_in(follower, step));
            // A row of the leader comes too late if it lies above one of the follower in the same columns.
            if of_leader & !self.above(of_follower) != 0 {
                return Value::BEST;
            }
            let mut left = of_follower;
            while left != 0 {
                let first = left & left.wrapping_neg();
                left ^= first;
                let missing = self.whole_rows(first, step) & !pos.all;
                bound = bound.min(Value::loss_in(empty - self.cells_above(missing)));
            }
        }
        bound
    }

    /// The number of cells above the highest of `cells`, which must be the last cells of the board to be filled.
    #[inline]
    fn cells_above(&self, cells: Bits) -> u32 {
        let (mut left, mut highest) = (cells, 0);
        while left != 0 {
            highest = highest.max(left.trailing_zeros() % self.step());
            left &= left - 1;
        }
        self.rows - 1 - highest
    }

    /// All cells above the lowest of `cells` in each column.
    #[inline]
    fn above(&self, cells: Bits) -> Bits {
        let (mut up, mut all) = (cells, 0);
        for _ in 1..self.rows {
            up = (up << 1) & self.board;
            all |= up;
        }
        all
    }

    /// An upper bound on the value if the other side waits for the cell of a threat, with an odd number of empty cells:
    /// all other columns pair off, and the mover must at last fill the cell below the threat.
    #[inline]
    fn in_zugzwang(&self, pos: &Racked, empty: u32) -> Value {
        let (next, mut bound) = (self.next(pos), Value::BEST);
        let mut threats = self.completing(pos.other()) & !pos.all & !next & !self.seconds;
        while threats != 0 {
            let threat = threats & threats.wrapping_neg();
            threats ^= threat;
            let column = self.column(u32::from(self.column_of(threat)));
            let below = column & (threat - 1) & !pos.all;
            if below.count_ones().is_multiple_of(2) {
                continue;
            }
            let elsewhere = self.seconds & !pos.all & !next & !column;
            let follower = pos.other() | threat | elsewhere | below & !self.seconds & !next;
            let never = column & !(threat - 1);
            if !self.has_row(self.board & !follower & !never) {
                bound = bound.min(Value::loss_in(empty - self.cells_above(threat)));
            }
        }
        bound
    }
}

/// The first cells of the rows of `k` cells of `cells` that are `step` apart.
#[inline(always)]
fn rows_of(k: u32, cells: Bits, step: u32) -> Bits {
    let (mut rows, mut length) = (cells, 1);
    while length < k {
        let more = length.min(k - length);
        rows &= rows >> (more * step);
        length += more;
    }
    rows
}

/// The cells of the rows of `k` cells that begin at `firsts`.
#[inline(always)]
fn spread(k: u32, firsts: Bits, step: u32) -> Bits {
    let (mut cells, mut length) = (firsts, 1);
    while length < k {
        let more = length.min(k - length);
        cells |= cells << (more * step);
        length += more;
    }
    cells
}

/// The cells that complete a row of `k` with `cells`, on the board or beside it.
fn threats_of(k: u32, cells: Bits, rows: u32) -> Bits {
    // In a column only a cell on top can complete a row.
    let mut found = (1..k).fold(!0, |below, i| below & (cells << i));
    for step in [rows, rows + 1, rows + 2] {
        for before in 0..k {
            let lower = (1..=before).fold(!0, |run, i| run & (cells << (i * step)));
            found |= (1..k - before).fold(lower, |run, i| run & (cells >> (i * step)));
        }
    }
    found
}

/// The same for rows of four: two neighbours on one side, and the third on either side.
#[inline(always)]
fn threats_of_four(cells: Bits, rows: u32) -> Bits {
    let mut found = (cells << 1) & (cells << 2) & (cells << 3);
    for step in [rows, rows + 1, rows + 2] {
        let (below, above) = (cells << step, cells >> step);
        found |= below & (cells << (2 * step)) & (cells << (3 * step) | above);
        found |= above & (cells >> (2 * step)) & (cells >> (3 * step) | below);
    }
    found
}

impl Alternating for Rack {}

impl Game for Rack {
    const ALTERNATES: bool = true;

    type Position = Racked;
    type Move = u8;
    type Undo = Racked;

    fn start(&self) -> Racked {
        Racked::default()
    }

    #[inline]
    fn turn(&self, pos: &Racked) -> Player {
        if pos.all.count_ones().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self, pos: &Racked) -> Option<Outcome> {
        if self.has_row(pos.other()) {
            Some(Outcome::Win(self.turn(pos).other()))
        } else {
            (pos.all == self.board).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn moves(&self, pos: &Racked, each: &mut impl FnMut(u8)) {
        if self.outcome(pos).is_none() {
            each_column_of(self, self.next(pos), each);
        }
    }

    #[inline]
    fn play(&self, pos: &mut Racked, mv: u8) -> Racked {
        let after = self.drop_at(pos, self.landing(pos, mv));
        std::mem::replace(pos, after)
    }

    #[inline]
    fn undo(&self, pos: &mut Racked, _mv: u8, undo: Racked) {
        *pos = undo;
    }
}

#[inline]
fn each_column_of(rack: &Rack, cells: Bits, each: &mut impl FnMut(u8)) {
    let mut left = cells;
    while left != 0 {
        each(rack.column_of(left));
        left &= left - 1;
    }
}

impl Symmetric for Rack {
    fn order(&self) -> usize {
        if self.columns > 1 { 2 } else { 1 }
    }

    fn image(&self, element: usize, pos: &Racked) -> Racked {
        match element {
            0 => *pos,
            _ => Racked { own: self.mirrored(pos.own), all: self.mirrored(pos.all) },
        }
    }

    fn image_of_move(&self, element: usize, mv: u8) -> u8 {
        if element == 0 { mv } else { self.columns as u8 - 1 - mv }
    }

    fn inverse(&self, element: usize) -> usize {
        element
    }
}

impl Acyclic for Rack {
    #[inline]
    fn height(&self, pos: &Racked) -> u32 {
        self.empty(pos)
    }

    fn draw_plies(&self, pos: &Racked) -> Option<u32> {
        Some(self.empty(pos))
    }
}

impl Tactics for Rack {
    #[inline]
    fn static_analysis(&self, pos: &Racked) -> StaticAnalysis<u8> {
        let next = self.next(pos);
        if self.completing(pos.own) & next != 0 {
            return StaticAnalysis::Decided(Value::win_in(1));
        }
        let threats = self.completing(pos.other()) & !pos.all;
        let urgent = threats & next;
        if urgent != 0 {
            // Two threats, or one above the other.
            let lost = urgent & (urgent - 1) != 0 || (urgent << 1) & threats != 0;
            return if lost {
                StaticAnalysis::Decided(Value::loss_in(2))
            } else {
                StaticAnalysis::Forced(self.column_of(urgent))
            };
        }
        if next == 0 {
            return StaticAnalysis::Decided(Value::DRAW);
        }
        let safe = next & !(threats >> 1);
        match (safe, safe & safe.wrapping_sub(1)) {
            (0, _) => StaticAnalysis::Decided(Value::loss_in(2)),
            (_, 0) => StaticAnalysis::Forced(self.column_of(safe)),
            _ => StaticAnalysis::Open,
        }
    }

    #[inline]
    fn promising(&self, pos: &Racked, each: &mut impl FnMut(u8)) {
        each_column_of(self, self.safe(pos), each);
    }

    #[inline]
    fn value_bounds(&self, pos: &Racked) -> (Value, Value) {
        // Nobody wins with the next move, and no safe move loses at once.
        let (mut lo, mut hi) = (Value::loss_in(4), Value::win_in(3));
        if !self.has_row(self.board & !pos.other()) {
            hi = Value::DRAW;
        }
        if !self.has_row(self.board & !pos.own) {
            lo = Value::DRAW;
        }
        let empty = self.empty(pos);
        let following = if empty.is_multiple_of(2) { self.followed(pos, empty) } else { self.in_zugzwang(pos, empty) };
        (lo, hi.min(following))
    }

    #[inline]
    fn promise(&self, pos: &Racked, mv: u8) -> i32 {
        let cell = self.landing(pos, mv);
        let all = pos.all | cell;
        // A threat above one of the opponent's is of no use.
        let useless = (self.completing(pos.other()) & !pos.all) << 1;
        let threats = self.completing(pos.own | cell) & !all & !useless;
        let next = (all + self.bottom) & self.board;
        let count = |cells: Bits| cells.count_ones() as i32;
        let from_edge = i32::from(mv).min(self.columns as i32 - 1 - i32::from(mv));
        4 * count(threats & next) + 8 * count(threats & (next << 1)) + 4 * count(threats) + from_edge
    }

    fn key_bits(&self) -> u32 {
        self.columns * self.step()
    }

    /// In each column: the mover's men, and a bit on top of all men.
    #[inline]
    fn key(&self, pos: &Racked) -> u64 {
        let key = (pos.own & !self.idle(pos)).wrapping_add(pos.all).wrapping_add(self.bottom);
        key.min(self.mirrored(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drop::Drop;
    use agon_core::{Rng, collect_moves, laws};

    const SHAPES: [(usize, usize, usize); 12] = [
        (4, 4, 4),
        (5, 4, 4),
        (4, 5, 4),
        (7, 6, 4),
        (3, 3, 3),
        (4, 3, 3),
        (3, 5, 3),
        (1, 5, 3),
        (8, 1, 3),
        (5, 3, 2),
        (3, 4, 1),
        (8, 7, 5),
    ];

    #[test]
    fn laws_hold_on_boards_of_every_shape() {
        for (m, n, k) in SHAPES {
            let rack = Rack::new(m, n, k).unwrap();
            laws::rules(&rack, 30, 1);
            laws::alternating(&rack, 30, 1);
            laws::symmetry(&rack, 15, 1);
            laws::acyclic(&rack, 30, 1);
            laws::tactics(&rack, 300, 1);
        }
    }

    #[test]
    fn a_rack_has_the_moves_and_outcomes_of_the_drop_game() {
        for (m, n, k) in SHAPES {
            let (drop, rack) = (Drop::new(m, n, k), Rack::new(m, n, k).unwrap());
            for seed in 0..40 {
                let (mut rng, mut pos) = (Rng::new(seed), drop.start());
                let mut racked = rack.start();
                loop {
                    assert_eq!(rack.place(&pos), racked);
                    assert_eq!(drop.status(&pos), rack.status(&racked));
                    assert_eq!(collect_moves(&drop, &pos), collect_moves(&rack, &racked));
                    let Some(mv) = drop.random_move(&pos, &mut rng) else { break };
                    drop.play(&mut pos, mv);
                    rack.play(&mut racked, mv);
                }
            }
        }
    }

    #[test]
    fn threats_of_four_are_those_of_any_k() {
        let mut rng = Rng::new(4);
        for rows in 1..16 {
            for cells in (0..200).map(|_| rng.next_u64() & rng.next_u64()) {
                assert_eq!(threats_of_four(cells, rows), threats_of(4, cells, rows));
            }
        }
    }

    #[test]
    fn boards_that_do_not_fit_have_no_rack() {
        assert!(Rack::new(8, 8, 4).is_none() && Rack::new(13, 4, 4).is_none() && Rack::new(8, 7, 4).is_some());
        assert!(Rack::new(1, 16, 5).is_none() && Rack::new(1, 16, 4).is_some());
    }
}
