use super::sweep::Sweep;
use super::*;
use crate::lines::portfolio::Argument;
use agon_core::{Game, Notation, Outcome, Rng};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;

type Position = <OrderChaos as Game>::Position;

/// The rules and a position, in few words.
fn name(game: &OrderChaos, pos: &Position) -> String {
    let grid = game.grid();
    let rules = (grid.columns(), grid.rows(), game.k(), game.symbols(), game.row(), game.order_first());
    format!("{rules:?} at {}", game.show(pos))
}

fn game(side: usize, order_first: bool, row: Row) -> OrderChaos {
    OrderChaos::new(side, side, side - 1, 2, order_first, row)
}

/// The rules under which Lemma 3.1 speaks of a square of that side.
fn framed(side: usize) -> Vec<OrderChaos> {
    let all = Row::ALL.into_iter().flat_map(|row| [true, false].map(|first| game(side, first, row)));
    all.filter(|game| Decomposition::new(game, 1 << 20).is_some()).collect()
}

#[test]
fn a_frame_is_used_exactly_where_the_lemma_holds() {
    let found = |side| framed(side).iter().map(|game| (game.row(), game.order_first())).collect::<Vec<_>>();
    let both = |row| [(row, true), (row, false)];
    let mut odd: Vec<_> = both(Row::AtLeast).into_iter().chain(both(Row::Exact)).collect();
    assert_eq!((found(5), found(7)), (odd.clone(), odd.clone()));
    odd.push((Row::ExactFinal, false));
    assert_eq!((found(4), found(6), found(8)), (odd.clone(), odd.clone(), odd));
    assert!(Decomposition::new(&OrderChaos::new(6, 6, 5, 3, true, Row::AtLeast), 1 << 20).is_none());
    assert!(Decomposition::new(&OrderChaos::new(6, 5, 5, 2, true, Row::AtLeast), 1 << 20).is_none());
}

/// Compares a portfolio with a table of all boards along random plays, in which the maker follows decomposition where
/// that shows a win. Returns how often each argument found the value.
fn compare(game: &OrderChaos, sweep: &Sweep, plays: u64) -> [u32; 3] {
    let (ctx, order) = (Ctx::default(), game.order());
    let wins = |pos: &Position| sweep.plies(sweep.rank(&pos.marks), game.turn(pos) == order).is_some();
    let mut portfolio = LinePortfolio::new(game, 1 << 22).unwrap();
    let mut argument = Decomposition::new(game, 1 << 20);
    let mut by = [0; 3];
    for seed in 0..plays {
        let (mut rng, mut pos) = (Rng::new(seed), game.start());
        loop {
            let (maker, won) = (game.turn(&pos) == order, wins(&pos));
            let at = format!("{} by {:?}", name(game, &pos), portfolio.by());
            let found = portfolio.solve(game, &pos, &ctx);
            let value = if won == maker { Wdl::Win } else { Wdl::Loss };
            assert_eq!(found.value, Bounds::exactly(value), "{at}");
            by[portfolio.by() as usize] += 1;
            if let Some(mv) = found.best {
                assert_eq!((wins(&game.after(&pos, mv)), value), (won, Wdl::Win), "{at}: {mv:?}");
            }
            let Some(mut mv) = game.random_move(&pos, &mut rng) else { break };
            let shown = argument.as_mut().and_then(|argument| argument.win(pos.marks, maker, &ctx).unwrap());
            if let Some(best) = shown {
                assert!(won && best.is_some() == maker, "{at}");
                mv = best.map_or(mv, |(cell, mark)| game.line_move(&pos, order, cell, mark).unwrap());
            }
            game.play(&mut pos, mv);
        }
    }
    by
}

#[test]
fn the_portfolio_agrees_with_a_table_of_all_boards() {
    let mut by = [0; 3];
    for row in Row::ALL {
        for (columns, rows, k, symbols, plays) in
            [(4, 4, 3, 2, 60), (4, 3, 3, 2, 8), (5, 2, 4, 2, 8), (6, 2, 5, 2, 8), (5, 2, 4, 3, 8), (3, 3, 3, 3, 8)]
        {
            let game = |first| OrderChaos::new(columns, rows, k, symbols, first, row);
            let sweep = Sweep::new(&game(true).lines(game(true).order()).unwrap(), &Ctx::default()).unwrap();
            for first in [true, false] {
                let counts = compare(&game(first), &sweep, plays);
                by.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
    }
    assert!(by.iter().all(|&times| times > 100), "{by:?}");
}

#[test]
fn order_wins_every_play_by_decomposition() {
    let ctx = Ctx::default();
    for game in [5, 6].into_iter().flat_map(framed) {
        let mut argument = Decomposition::new(&game, 1 << 24).unwrap();
        for seed in 0..25 {
            let (mut rng, mut pos) = (Rng::new(seed), game.start());
            while let Some(mut mv) = game.random_move(&pos, &mut rng) {
                let maker = game.turn(&pos) == game.order();
                let win = argument.win(pos.marks, maker, &ctx).unwrap();
                let best = win.expect("the maker keeps what it has won");
                if let Some((cell, mark)) = best {
                    assert!(maker && game.empty(&pos) >> cell & 1 == 1);
                    mv = game.line_move(&pos, game.order(), cell, mark).unwrap();
                }
                game.play(&mut pos, mv);
            }
            assert_eq!(game.outcome(&pos), Some(Outcome::Win(game.order())), "{}", name(&game, &pos));
        }
    }
}

#[test]
fn known_values_by_arguments() {
    // The 6×6 game of the thesis (Lemma 3.1), and what Chaos prevents even where longer rows count.
    for (game, value, by) in [
        (game(6, true, Row::AtLeast), Wdl::Win, Argument::Decomposition),
        (game(6, false, Row::ExactFinal), Wdl::Loss, Argument::Decomposition),
        (OrderChaos::new(6, 4, 5, 2, true, Row::Exact), Wdl::Loss, Argument::Relaxation),
        (OrderChaos::new(5, 4, 4, 2, true, Row::Exact), Wdl::Win, Argument::Lines),
    ] {
        let mut portfolio = LinePortfolio::new(&game, 1 << 26).unwrap();
        let found = portfolio.solve(&game, &game.start(), &Ctx::default());
        assert_eq!((found.value, portfolio.by()), (Bounds::exactly(value), by), "{}", name(&game, &game.start()));
        assert_eq!(found.best.is_some(), value == Wdl::Win);
    }
}
