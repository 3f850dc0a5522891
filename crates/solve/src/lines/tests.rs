use super::depth::DepthFirst;
use super::sweep::Sweep;
use super::*;
use agon_core::{Game, Rng};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;

const TABLE: usize = 1 << 24;

fn order_chaos(
    columns: usize,
    rows: usize,
    k: usize,
    symbols: usize,
    order_first: bool,
    row: Row,
) -> (OrderChaos, Lines) {
    let game = OrderChaos::new(columns, rows, k, symbols, order_first, row);
    let lines = game.lines(game.order()).unwrap();
    (game, lines)
}

fn order_wins(columns: usize, rows: usize, k: usize, symbols: usize, order_first: bool) -> bool {
    let (game, lines) = order_chaos(columns, rows, k, symbols, order_first, Row::AtLeast);
    let ctx = Ctx::default();
    let mut prover = Prover::new(&lines, TABLE);
    let root = prover.board().position(game.start().marks, order_first);
    prover.maker_wins(&root, &ctx).unwrap()
}

/// Positions along random plays.
fn along(game: &OrderChaos, plays: u64, mut see: impl FnMut(&agon_games::order_chaos::Board)) {
    for seed in 0..plays {
        let mut rng = Rng::new(seed);
        let mut pos = game.start();
        while let Some(mv) = game.random_move(&pos, &mut rng) {
            see(&pos);
            game.play(&mut pos, mv);
        }
    }
}

#[test]
fn every_path_to_a_value_agrees_on_small_boards() {
    // The sweep uses no search, no symmetry and no lines; the other two use all of them.
    for row in Row::ALL {
        let mut wins = [0, 0];
        for (columns, rows, k, symbols) in [
            (3, 3, 3, 2),
            (3, 3, 2, 2),
            (4, 3, 3, 2),
            (4, 3, 4, 2),
            (4, 4, 4, 2),
            (4, 4, 3, 2),
            (5, 2, 3, 2),
            (5, 2, 4, 2),
            (6, 2, 2, 2),
            (5, 3, 3, 2),
            (5, 3, 4, 2),
            (3, 3, 3, 3),
            (4, 3, 3, 3),
            (5, 2, 4, 3),
            (3, 1, 3, 1),
            (4, 1, 3, 1),
            (5, 1, 3, 1),
            (3, 3, 3, 1),
            (4, 3, 3, 1),
            (4, 4, 3, 1),
            (7, 2, 3, 1),
        ] {
            let ctx = Ctx::default();
            let (_, lines) = order_chaos(columns, rows, k, symbols, true, row);
            let sweep = Sweep::new(&lines, &ctx).unwrap();
            for order_first in [true, false] {
                let (game, lines) = order_chaos(columns, rows, k, symbols, order_first, row);
                let mut prover = Prover::new(&lines, 1 << 20);
                let mut depth = DepthFirst::new(&lines, &ctx);
                along(&game, 40, |pos| {
                    let maker = game.turn(pos) == game.order();
                    let by_sweep = sweep.plies(sweep.rank(&pos.marks), maker).is_some();
                    let root = prover.board().position(pos.marks, maker);
                    wins[usize::from(by_sweep)] += 1;
                    let at = format!("{columns}x{rows}({k},{symbols}) {row:?} {pos:?} maker {maker}");
                    assert_eq!(prover.maker_wins(&root, &ctx).unwrap(), by_sweep, "proof numbers: {at}");
                    if game.empty(pos).count_ones() <= 12 {
                        assert_eq!(depth.maker_wins(&root).unwrap(), by_sweep, "depth first: {at}");
                    }
                });
            }
        }
        assert!(wins[0] > 500 && wins[1] > 500, "{row:?} tests one side only: {wins:?}");
    }
}

#[test]
fn the_sweep_agrees_with_plain_exhaustion_in_value_and_distance() {
    for (columns, rows, k, symbols) in [(3, 3, 3, 2), (4, 2, 3, 2), (3, 2, 2, 3)] {
        for row in Row::ALL {
            for order_first in [true, false] {
                let (game, lines) = order_chaos(columns, rows, k, symbols, order_first, row);
                let sweep = Sweep::new(&lines, &Ctx::default()).unwrap();
                along(&game, 12, |pos| {
                    if game.empty(pos).count_ones() > 7 {
                        return;
                    }
                    let slow = crate::brute::solve(&game, pos, &Ctx::default());
                    let maker = game.turn(pos) == game.order();
                    let plies = sweep.plies(sweep.rank(&pos.marks), maker);
                    assert_eq!(slow.value.value() == Some(Wdl::Win), plies.is_some() == maker, "{pos:?}");
                    if let Some(plies) = plies {
                        assert_eq!(slow.plies, Some(plies), "{pos:?}");
                    }
                });
            }
        }
    }
}

#[test]
fn the_winning_move_completes_the_row_and_not_its_end() {
    let (game, _) = order_chaos(6, 1, 3, 2, true, Row::Exact);
    let pos = agon_core::Notation::parse(&game, "..XX..").unwrap();
    let found = Provers::new(&game, TABLE).unwrap().solve(&game, &pos, &Ctx::default());
    assert!(game.in_order(&game.after(&pos, found.best.unwrap())), "{found:?}");
}

#[test]
fn four_by_four_takes_order_thirteen_plies_or_twelve() {
    let (_, lines) = order_chaos(4, 4, 4, 2, true, Row::AtLeast);
    let sweep = Sweep::new(&lines, &Ctx::default()).unwrap();
    assert_eq!(sweep.boards(), 43_046_721);
    assert_eq!((sweep.plies(0, true), sweep.plies(0, false)), (Some(13), Some(12)));
    // All 32 first moves win.
    let first = (0..16).flat_map(|cell| (1..3).map(move |d| d * 3usize.pow(cell)));
    assert_eq!(first.filter(|&rank| sweep.plies(rank, false).is_some()).count(), 32);
}

#[test]
fn known_values_beyond_tables() {
    // 5×5(4): Lemma 3.1 from 3×3(3). 5×5(5) and 5×6(5): first computed here, by two searches.
    assert!(order_wins(5, 5, 4, 2, true) && order_wins(5, 5, 4, 2, false));
    assert!(!order_wins(5, 5, 5, 2, false));
    // van Gent: n×n with rows of n-1 is Chaos's from n = 7 on.
    assert!(!order_wins(7, 7, 6, 2, true));
}

#[test]
fn with_one_mark_every_full_board_is_in_order() {
    for (columns, rows, k) in [(8, 8, 8), (6, 6, 6), (3, 1, 3), (1, 1, 1)] {
        for row in Row::ALL {
            for order_first in [true, false] {
                let (game, lines) = order_chaos(columns, rows, k, 1, order_first, row);
                let mut prover = Prover::new(&lines, TABLE);
                let root = prover.board().position(game.start().marks, order_first);
                assert!(prover.maker_wins(&root, &Ctx::default()).unwrap(), "{columns}x{rows},{k} {row:?}");
            }
        }
    }
}

#[test]
fn seven_by_seven_with_five_in_a_row_is_a_draw() {
    let game = Mnk::new(7, 7, 5);
    let solution = Provers::new(&game, 1 << 26).unwrap().solve(&game, &game.start(), &Ctx::default());
    assert_eq!(solution.value, Bounds::exactly(Wdl::Draw));
}

#[test]
fn races_agree_with_plain_exhaustion() {
    let mut seen = [0; 3];
    for (m, n, k) in [(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 3, 4), (5, 2, 3), (4, 4, 4), (5, 3, 3)] {
        let game = Mnk::new(m, n, k);
        let mut races = Races::new(&game, 1 << 20).unwrap();
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let mut pos = game.start();
            while let Some(mv) = game.random_move(&pos, &mut rng) {
                game.play(&mut pos, mv);
                if game.outcome(&pos).is_some() || agon_core::Acyclic::height(&game, &pos) > 8 {
                    continue;
                }
                let slow = crate::brute::solve(&game, &pos, &Ctx::default());
                let found = races.solve(&game, &pos, &Ctx::default());
                assert_eq!(found.value, slow.value, "{m},{n},{k} {pos:?}");
                seen[slow.value.lo as usize] += 1;
                if let Some(mv) = found.best {
                    let after = crate::brute::solve(&game, &game.after(&pos, mv), &Ctx::default());
                    assert_eq!(after.value, slow.value.flip(), "{m},{n},{k} {pos:?} {mv}");
                }
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn four_in_a_row_wins_on_seven_by_seven() {
    // Published: four in a row is won by the first player from 6×5 on (Uiterwijk and van den Herik, 2000).
    for (m, n) in [(6, 5), (7, 5), (6, 6), (7, 6), (7, 7)] {
        let game = Mnk::new(m, n, 4);
        let found = Races::new(&game, 1 << 26).unwrap().solve(&game, &game.start(), &Ctx::default());
        assert_eq!(found.value, Bounds::exactly(Wdl::Win), "{m},{n},4");
    }
}
