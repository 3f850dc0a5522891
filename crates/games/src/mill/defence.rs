//! The defensive map of Vaki's thesis on Antrin, section 7.2, as Rust: the oracle that its text is compared with.

use super::{Men, Mill, Step};
use crate::grid::each_cell;
use agon_core::{Strategy, collect_moves};

/// While placing: when the opponent lacks one man to a line, fill the gap; else place anywhere. The map
/// says nothing about moving, so every move is allowed then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defence;

impl Strategy<Mill> for Defence {
    fn choices(&self, game: &Mill, pos: &Men) -> Vec<Step> {
        let moves = collect_moves(game, pos);
        let (own, other) = pos.own_and_other();
        let gap = |line: &u64| (line & !other).count_ones() == 1 && line & own == 0;
        let gaps = game.board().mills.iter().filter(|line| gap(line)).fold(0, |set, line| set | (line & !other));
        let fills = |mv: &Step| mv.from().is_none() && mv.to().is_some_and(|to| each_cell(gaps).any(|p| p == to));
        let filling: Vec<Step> = moves.iter().copied().filter(fills).collect();
        if filling.is_empty() { moves } else { filling }
    }
}
