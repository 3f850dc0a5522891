//! 3×3 Tak solved once more with nothing of ours: the rules of `fast-tak` and a search written for this file.

use fast_tak::{Game, GameResult, Symmetry};
use std::collections::HashMap;
use takparse::{Color, Move};

type Three = Game<3, 0>;

/// A search for a win of White: plain iterative deepening with memory.
#[derive(Default)]
struct Search {
    /// By position: White wins within the first number of plies, and not within the second.
    known: HashMap<Three, (u32, u32)>,
    /// The number of positions that a move settled.
    settled: HashMap<(bool, Move), u32>,
}

impl Search {
    fn white_wins(&mut self, game: &Three, plies: u32) -> bool {
        match game.result() {
            GameResult::Ongoing if plies > 0 => {}
            GameResult::Winner { color, .. } => return color == Color::White,
            _ => return false,
        }
        let key = game.symmetries().into_iter().min().expect("eight of them");
        let (won, open) = self.known.get(&key).copied().unwrap_or((u32::MAX, 0));
        if won <= plies || plies <= open {
            return won <= plies;
        }
        let white = game.to_move == Color::White;
        let mut moves = Vec::new();
        game.possible_moves(&mut moves);
        let mut children: Vec<_> = moves.into_iter().map(|mv| (mv, after(game, mv))).collect();
        // Moves that end play at once are tried first, then moves that settled other positions.
        let often = |mv: Move| self.settled.get(&(white, mv)).copied().unwrap_or(0);
        children.sort_by_cached_key(|&(mv, ref child)| {
            (child.result() == GameResult::Ongoing, std::cmp::Reverse(often(mv)))
        });
        let settling = children.iter().find(|(_, child)| self.white_wins(child, plies - 1) == white);
        let wins = settling.is_some() == white;
        if let Some(&(mv, _)) = settling {
            *self.settled.entry((white, mv)).or_default() += plies;
        }
        self.known.insert(key, if wins { (plies, open) } else { (won, plies) });
        wins
    }
}

fn after(game: &Three, mv: Move) -> Three {
    let mut next = game.clone();
    next.play(mv).expect("a legal move");
    // Its draw rule is not ours, and how many plies were played does not matter after the first round.
    next.reversible_plies = 0;
    next.ply = if next.ply < 2 { next.ply } else { 2 + next.ply % 2 };
    next
}

#[test]
fn the_shortest_wins_of_white_are_as_solved() {
    let mut search = Search::default();
    for (first, plies) in [("b1", 13), ("b2", 13), ("a1", 15)] {
        let game = after(&Three::default(), first.parse().unwrap());
        let found = (2..=20).step_by(2).find(|&n| search.white_wins(&game, n));
        assert_eq!(found.map(|n| n + 1), Some(plies), "{first}");
        // When play runs out the last ply may be Black's, so one ply less is asked for too.
        assert!(!search.white_wins(&game, plies - 2), "{first}");
    }
}
