//! Features of Order and Chaos for strategies written as text.

use super::lines::Row;
use super::{Board, LETTERS, OrderChaos, Placing, lift};
use crate::layout;
use agon_core::features::{Extra, Features, Layout, Placing as Put, Sort, Subject};
use agon_core::lines::{CellSet, MAX_MARKS};

/// The board, and the one inside it that Lemma 3.1 speaks of.
pub(super) struct OrderChaosFeatures {
    boards: Vec<Layout>,
    letters: Vec<char>,
}

const EXTRAS: &[Extra] = &[Extra {
    name: "judged-at-end",
    sort: Sort::Flag,
    subject: Subject::Position,
    says: "rows count on the full board only",
    looks_back: false,
}];

impl OrderChaosFeatures {
    pub(super) fn new(game: &OrderChaos) -> OrderChaosFeatures {
        let mut boards = vec![layout::layout(game.grid(), game.k())];
        if let Some(inner) = lift::middle_game(game) {
            let to = |cell| lift::outward(&inner, cell);
            boards.push(layout::within("inner", game.grid(), inner.grid(), inner.k(), to));
        }
        OrderChaosFeatures { boards, letters: LETTERS[..game.symbols()].to_vec() }
    }
}

impl Features<OrderChaos> for OrderChaosFeatures {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }

    fn letters(&self) -> &[char] {
        &self.letters
    }

    fn owned(&self) -> bool {
        false
    }

    fn marks(&self, _: &OrderChaos, pos: &Board) -> [CellSet; MAX_MARKS] {
        pos.marks
    }

    fn placing(&self, _: &OrderChaos, _: &Board, mv: Placing) -> Put {
        Put { cell: Some(mv.cell), mark: mv.symbol, ..Put::default() }
    }

    fn extras(&self) -> &[Extra] {
        EXTRAS
    }

    fn extra(&self, game: &OrderChaos, _: &Board, _: Placing, _: u16, _: usize) -> i32 {
        i32::from(game.row() == Row::ExactFinal)
    }
}
