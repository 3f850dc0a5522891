//! Features of m,n,k games for strategies written as text.

use super::{Mnk, Stones};
use crate::layout;
use agon_core::Game;
use agon_core::features::{Features, Layout, Placing};
use agon_core::lines::{CellSet, MAX_MARKS};

pub(super) struct MnkFeatures {
    boards: Vec<Layout>,
}

impl MnkFeatures {
    pub(super) fn new(game: &Mnk) -> MnkFeatures {
        MnkFeatures { boards: vec![layout::layout(game.grid(), game.k())] }
    }
}

impl Features<Mnk> for MnkFeatures {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }

    fn marks(&self, _: &Mnk, pos: &Stones) -> [CellSet; MAX_MARKS] {
        [pos.x, pos.o, 0, 0]
    }

    fn placing(&self, game: &Mnk, pos: &Stones, mv: u8) -> Placing {
        Placing { cell: Some(mv), mark: game.turn(pos) as u8, ..Placing::default() }
    }
}
