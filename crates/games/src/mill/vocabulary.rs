//! Features of mill games for strategies written as text.

use super::{Men, Mill, Step};
use agon_core::features::{Extra, Features, Layout, Placing, Row, Sort, Spot, Subject};
use agon_core::lines::{CellSet, MAX_MARKS};

/// The points of the board and its mills.
pub(super) struct MillFeatures {
    boards: Vec<Layout>,
}

const EXTRAS: &[Extra] = &[
    Extra {
        name: "in-hand",
        sort: Sort::Number,
        subject: Subject::Position,
        says: "the number of men in hand",
        looks_back: false,
    },
    Extra {
        name: "free-points",
        sort: Sort::Number,
        subject: Subject::Move,
        says: "the number of free points next to the man that was placed or moved",
        looks_back: false,
    },
];

impl MillFeatures {
    pub(super) fn new(game: &Mill) -> MillFeatures {
        let board = game.board();
        let bottom = board.points.iter().map(|point| point.1).max().unwrap_or(0);
        let spot = |(x, y, name): &(i32, i32, String)| Spot { name: name.clone(), column: x + 1, row: bottom - y + 1 };
        let row = |&cells: &CellSet| Row { cells, ends: 0, direction: 0 };
        let layout = Layout {
            name: "board",
            spots: board.points.iter().map(spot).collect(),
            inside: board.all(),
            near: board.near.clone(),
            rows: board.mills.iter().map(row).collect(),
        };
        MillFeatures { boards: vec![layout] }
    }
}

impl Features<Mill> for MillFeatures {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }

    fn letters(&self) -> &[char] {
        &super::notation::LETTERS
    }

    fn marks(&self, _: &Mill, pos: &Men) -> [CellSet; MAX_MARKS] {
        [pos.sides[0], pos.sides[1], 0, 0]
    }

    fn placing(&self, _: &Mill, pos: &Men, mv: Step) -> Placing {
        let point = |point: Option<usize>| point.map(|point| point as u8);
        let taken = mv.take().map_or(0, |point| 1 << point);
        Placing { cell: point(mv.to()), mark: pos.turn as u8, from: point(mv.from()), taken }
    }

    fn extras(&self) -> &[Extra] {
        EXTRAS
    }

    fn extra(&self, game: &Mill, pos: &Men, mv: Step, _: u16, which: usize) -> i32 {
        if which == 0 {
            return i32::from(pos.hands().0);
        }
        let left = mv.from().map_or(0, |from| 1 << from);
        let free = game.empty(pos) | left;
        mv.to().map_or(0, |to| (game.board().near[to] & free).count_ones() as i32)
    }
}
