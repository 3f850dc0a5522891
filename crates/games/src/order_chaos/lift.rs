//! Lemma 3.1 as code: a strategy for Order on n×n(n) becomes one on (n+2)×(n+2)(n+1).
//!
//! Inside, Order follows the given strategy. On the border, a mark is answered on the opposite place with
//! the other mark. A finished row of n then has ends that lie opposite each other: one of them can be, or
//! is, the same mark.
//!
//! The thesis prints the opposite place as n+1−i; on a board of n+2 rows it is n+3−i. It states the lemma
//! for any number of marks and proves it for two; with three, "another mark" need not extend the row.

use super::lines::Row;
use super::{Board, OrderChaos, Placing};
use crate::grid::{Cells, each_cell};
use agon_core::lines::Frame;
use agon_core::{Game, Strategy};

/// A strategy for the inner board, played on the board around it.
pub struct Lifted {
    inner: OrderChaos,
    strategy: Box<dyn Strategy<OrderChaos>>,
}

/// The square n×n game with rows of n in the middle of `outer`, if `outer` is a square of n+2 with rows of n+1 and two
/// marks, and n is at least 2.
pub(super) fn middle_game(outer: &OrderChaos) -> Option<OrderChaos> {
    let side = outer.grid().columns();
    let fits =
        outer.is_whole() && side == outer.grid().rows() && side >= 4 && outer.k() == side - 1 && outer.symbols() == 2;
    fits.then(|| OrderChaos::new(side - 2, side - 2, side - 2, 2, outer.order_first(), Row::AtLeast))
}

/// The game in the middle of `outer`, if Lemma 3.1 speaks of `outer`.
#[must_use]
pub fn inner_of(outer: &OrderChaos) -> Option<OrderChaos> {
    // On a full board only, an end filled last may make the row too long: without a spare move for
    // Order that cannot happen, and there is none when chaos begins on an even board.
    let fits = outer.row() != Row::ExactFinal || (!outer.order_first() && outer.grid().columns().is_multiple_of(2));
    middle_game(outer).filter(|_| fits)
}

/// The game in the middle with the border around it in pairs of opposite places. Whether the lemma holds under the rules
/// of `outer` is for the checker to say.
#[must_use]
pub fn frame(outer: &OrderChaos) -> Option<Frame<OrderChaos>> {
    let inner = middle_game(outer)?;
    let border = each_cell(outer.grid().all() & !middle(&inner)).map(|cell| (cell, opposite(outer, cell)));
    let pairs = border.filter(|(cell, there)| cell < there).collect();
    let cells = (0..inner.grid().cells()).map(|cell| outward(&inner, cell)).collect();
    Some(Frame { inner, cells, pairs })
}

/// The positions of the inner board's cells on the outer board.
#[must_use]
pub fn outward(inner: &OrderChaos, cell: usize) -> usize {
    let n = inner.grid().columns();
    (cell / n + 1) * (n + 2) + cell % n + 1
}

/// The cells of the inner board, on the board around it.
#[must_use]
pub fn middle(inner: &OrderChaos) -> Cells {
    (0..inner.grid().cells()).fold(0, |set, cell| set | 1 << outward(inner, cell))
}

/// The opposite place of a border cell (the map m of the lemma).
#[must_use]
pub fn opposite(outer: &OrderChaos, cell: usize) -> usize {
    let side = outer.grid().columns();
    let (i, j) = (cell / side, cell % side);
    let (top_or_bottom, left_or_right) = (i == 0 || i == side - 1, j == 0 || j == side - 1);
    let i = if top_or_bottom { side - 1 - i } else { i };
    let j = if left_or_right { side - 1 - j } else { j };
    i * side + j
}

/// The part of a board that lies in the middle.
#[must_use]
pub fn restrict(inner: &OrderChaos, pos: &Board) -> Board {
    let mut board = Board::default();
    for cell in 0..inner.grid().cells() {
        if let Some(symbol) = pos.at(outward(inner, cell)) {
            board.marks[symbol] |= 1 << cell;
        }
    }
    board
}

/// T₂: the answer to a border mark whose opposite place is empty.
#[must_use]
pub fn mirror(outer: &OrderChaos, border: Cells, pos: &Board) -> Option<Placing> {
    let waiting = each_cell(pos.filled() & border).find(|&cell| pos.filled() >> opposite(outer, cell) & 1 == 0)?;
    let other = 1 - pos.at(waiting).filter(|&symbol| symbol < 2)?;
    Some(Placing { cell: opposite(outer, waiting) as u8, symbol: other as u8 })
}

impl Lifted {
    /// Plays `strategy`, meant for [`inner_of`] the outer game.
    #[must_use]
    pub fn new(inner: OrderChaos, strategy: Box<dyn Strategy<OrderChaos>>) -> Lifted {
        Lifted { inner, strategy }
    }

    /// The transition function f: an empty end of a finished inner row, filled with its mark.
    fn extend(&self, outer: &OrderChaos, pos: &Board) -> Option<Placing> {
        let middle = middle(&self.inner);
        for (symbol, &own) in pos.marks.iter().enumerate() {
            for window in outer.windows() {
                let end = window.cells & !middle;
                let row = window.cells & middle;
                if end.count_ones() == 1 && row & own == row && pos.filled() & end == 0 {
                    return Some(Placing { cell: end.trailing_zeros() as u8, symbol: symbol as u8 });
                }
            }
        }
        None
    }

    fn choose(&self, outer: &OrderChaos, pos: &Board) -> (&'static str, Vec<Placing>) {
        let middle = middle(&self.inner);
        let border = outer.grid().all() & !middle;
        // Priority: a border mark without its counterpart.
        if let Some(answer) = mirror(outer, border, pos) {
            return ("T2: answer on the opposite border place", vec![answer]);
        }
        let inside = restrict(&self.inner, pos);
        if self.inner.outcome(&inside).is_none() {
            let moves = self.strategy.choices(&self.inner, &inside).into_iter();
            let moves = moves.map(|mv| Placing { cell: outward(&self.inner, usize::from(mv.cell)) as u8, ..mv });
            return ("T1: the inner strategy", moves.collect());
        }
        // The inner row stands. Judged at once, one more mark decides; judged at the end, wait.
        if outer.row() != Row::ExactFinal
            && let Some(end) = self.extend(outer, pos)
        {
            return ("f: bring the board in order", vec![end]);
        }
        let free = outer.empty(pos);
        let waiting = if free & middle != 0 { free & middle } else { free };
        ("the inner row stands: fill up", lowest(waiting).into_iter().collect())
    }
}

impl Strategy<OrderChaos> for Lifted {
    fn choices(&self, game: &OrderChaos, pos: &Board) -> Vec<Placing> {
        self.choose(game, pos).1
    }

    fn reason(&self, game: &OrderChaos, pos: &Board, _mv: Placing) -> Option<String> {
        Some(self.choose(game, pos).0.to_string())
    }
}

/// The first of some cells, row by row from the top left, with the first mark.
fn lowest(cells: Cells) -> Option<Placing> {
    each_cell(cells).next().map(|cell| Placing { cell: cell as u8, symbol: 0 })
}
