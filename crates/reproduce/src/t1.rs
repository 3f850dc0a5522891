//! Document 000: the reading of Castelein's strategy T1 whose number of leaves comes nearest to the thesis's.

use agon_core::{Game, Strategy};
use agon_games::order_chaos::definitions::Direction;
use agon_games::order_chaos::{Board, OrderChaos, Placing};

/// T1 with the sum of P over the four directions before its maximum in step 4, and step 5 by its sentence.
pub(super) struct SumFirst;

/// A move with what the steps ask of it.
struct Seen {
    mv: Placing,
    /// P of the thesis for the mark, by direction, and for the other mark.
    own: [usize; 4],
    other: usize,
    /// Leftmost, then topmost, then X: the least i + 4j.
    tie: (usize, usize, u8),
}

impl Seen {
    fn of(game: &OrderChaos, pos: &Board, mv: Placing) -> Seen {
        let place = game.place_of(usize::from(mv.cell));
        let own = Direction::ALL.map(|direction| game.open_line(pos, place, usize::from(mv.symbol), direction));
        let other = game.feasible(pos, place, 1 - usize::from(mv.symbol));
        Seen { mv, own, other, tie: (place.1, place.0, mv.symbol) }
    }

    fn longest(&self) -> usize {
        self.own.into_iter().max().unwrap_or(0)
    }
}

/// The first by `worth`, largest first, among those that `fit`.
fn first<T: Ord>(all: &[Seen], fit: impl Fn(&Seen) -> bool, worth: impl Fn(&Seen) -> T) -> Option<Placing> {
    let best = all.iter().filter(|seen| fit(seen)).min_by_key(|seen| (std::cmp::Reverse(worth(seen)), seen.tie));
    best.map(|seen| seen.mv)
}

impl Strategy<OrderChaos> for SumFirst {
    fn choices(&self, game: &OrderChaos, pos: &Board) -> Vec<Placing> {
        if pos.filled() == 0 {
            let cell = game.cell_at((2, 2)).expect("a place of the board");
            return vec![Placing { cell: cell as u8, symbol: 0 }];
        }
        let mut all = Vec::new();
        game.moves(pos, &mut |mv| all.push(Seen::of(game, pos, mv)));
        let most = all.iter().map(Seen::longest).max().unwrap_or(0);
        // Steps 2 to 5, and any place if none applies.
        let chosen = first(&all, |seen| seen.longest() == 3, |_| ())
            .or_else(|| first(&all, |seen| seen.own.iter().filter(|&&n| n >= 2).count() >= 2, |_| ()))
            .or_else(|| first(&all, |seen| seen.other == 0, |seen| (seen.own.iter().sum::<usize>(), seen.longest())))
            .or_else(|| first(&all, |seen| seen.other < most, Seen::longest))
            .or_else(|| first(&all, |_| true, |_| ()));
        chosen.into_iter().collect()
    }
}
