use super::definitions::{Direction, Run};
use super::oracle::{self, EXCEPTIONS, First, Mirror, PAIRS, Pairing};
use super::*;
use agon_core::{Notation, Rng, Strategy, laws};
use proptest::prelude::*;

fn classic() -> OrderChaos {
    OrderChaos::new(6, 6, 5, 2, true, Row::AtLeast)
}

#[test]
fn laws_hold_on_boards_of_every_kind() {
    for (columns, rows, k, symbols) in
        [(3, 3, 3, 2), (4, 4, 4, 2), (6, 6, 5, 2), (5, 4, 3, 3), (8, 8, 6, 4), (1, 1, 1, 1)]
    {
        for row in Row::ALL {
            for order_first in [true, false] {
                let game = OrderChaos::new(columns, rows, k, symbols, order_first, row);
                laws::check(&game, 6, 1);
                laws::lines(&game, 6, 1);
                if game.ranks().is_some() {
                    laws::ranked(&game, 6, 1);
                }
                laws::alternating(&game, 6, 1);
                laws::evaluation(&game, 6, 1);
                laws::order(&game, 6, 1);
            }
        }
    }
}

#[test]
fn laws_hold_on_boards_of_other_shapes() {
    for spelling in
        ["4x4,k=3,without=b2", "4x4,k=3,without=a1+d4+a4", "5x3,k=3,without=a1+c2,symbols=3", "8x8,k=5,without=d4+e5"]
    {
        for row in ["atleast", "exact", "exact-final"] {
            for first in ["order", "chaos"] {
                let (game, _) =
                    OrderChaos::from_spelling(&format!("order-chaos:{spelling},row={row},first={first}")).unwrap();
                laws::check(&game, 6, 1);
                laws::lines(&game, 6, 1);
                if game.ranks().is_some() {
                    laws::ranked(&game, 6, 1);
                }
                laws::evaluation(&game, 6, 1);
                laws::order(&game, 6, 1);
            }
        }
    }
}

#[test]
fn missing_cells_are_spelled_once_and_in_order() {
    let spelled = |given: &str| match OrderChaos::from_spelling(given) {
        Ok((_, spelling)) => spelling,
        Err(error) => error.to_string(),
    };
    assert_eq!(spelled("order-chaos:4x4,k=3,without=d1+a4+d1"), "order-chaos:4x4,k=3,without=a4+d1");
    assert_eq!(
        spelled("order-chaos:4x4,k=3,without=e5"),
        "invalid game `order-chaos:4x4,k=3,without=e5`: `e5` is not a cell of the board"
    );
    let (game, _) = OrderChaos::from_spelling("order-chaos:3x3,k=3,without=b2").unwrap();
    assert_eq!(game.show(&game.start()), ".../.#./...");
    assert!(game.parse(".../.../...").is_err() && game.parse(".../X#./...").is_ok());
    assert!(game.parse_move(&game.start(), "X@b2").is_err() && game.parse_move(&game.start(), "((2,2),X)").is_err());
}

/// The measures of example 2.2, in the table that a command shows.
#[test]
fn measures_are_those_of_example_2_2() {
    let game = classic();
    let table = game.measures(&game.parse(EXAMPLE).unwrap()).unwrap();
    let row = |name: &str| table.rows.iter().find(|row| row.values[0] == name).unwrap().values.join(" ");
    assert_eq!(table.columns.join(" "), "place (i,j) mark L→ L↑ L↗ L↘ L extended at P(X) P(O)");
    assert!(row("a6").starts_with("a6 (1,1) X 1 1 1 3 3 (4,4) 4 "), "{}", row("a6"));
    assert!(row("f6").ends_with(" 1"), "{}", row("f6"));
}

/// The board of examples 2.1 and 2.2.
const EXAMPLE: &str = "X....O/.XX.OX/..XO../..X.X./.O..X./...O.O";

#[test]
fn examples_2_1_and_2_2() {
    let game = classic();
    let pos = game.parse(EXAMPLE).unwrap();
    // 2.1: the indicator of X along the main diagonal.
    let diagonal: Vec<u8> = (0..6).map(|i| (pos.marks[0] >> (7 * i) & 1) as u8).collect();
    assert_eq!(diagonal, [1, 1, 1, 0, 1, 0]);
    // 2.2: lengths and feasible lines.
    assert_eq!(game.longest_run(&pos, (1, 1)), Some(3));
    assert_eq!(game.run(&pos, (1, 1), Direction::Descending), Some(Run { length: 3, extensions: vec![(4, 4)] }));
    assert_eq!(game.feasible(&pos, (1, 1), 0), 4);
    assert_eq!(game.open_line(&pos, (1, 1), 0, Direction::Descending), 4);
    assert_eq!(game.longest_run(&pos, (1, 6)), Some(3));
    assert_eq!(game.run(&pos, (1, 6), Direction::Ascending).map(|r| r.length), Some(3));
    assert_eq!(game.feasible(&pos, (1, 6), 1), 1);
    assert_eq!(game.open_line(&pos, (1, 6), 1, Direction::Horizontal), 1);
}

#[test]
fn examples_2_3_to_2_6() {
    let game = classic();
    assert_eq!(game.show(&game.start()), "....../....../....../....../....../......");
    let ordered = game.parse("OX..../..X.O./.XOX../....X./....OX/.O....").unwrap();
    assert_eq!(game.longest_run(&ordered, (1, 2)), Some(5));
    assert!(game.in_order(&ordered));
    assert_eq!(game.outcome(&ordered), Some(Outcome::Win(game.order())));
    let chaotic = game.parse("OXOOXO/OXOXOO/XXOOOX/XOXXXO/OXOXOX/OOXXXO").unwrap();
    // Definition 2.7: full, and not in order.
    assert!(game.empty(&chaotic) == 0 && !game.in_order(&chaotic));
    assert_eq!(game.outcome(&chaotic), Some(Outcome::Win(game.order().other())));
    let board = game.parse("....../..X.../....../....../....../......").unwrap();
    let mv = game.parse_move(&board, "((3,4),X)").unwrap();
    assert_eq!(game.show(&game.after(&board, mv)), "....../..X.../...X../....../....../......");
}

#[test]
fn the_three_rules_part_at_a_row_of_six() {
    let board = "XXXXXX/OOXOOX/XXOXXO/OOXOOX/XXOXXO/OOXOOX";
    for (row, order_wins) in [(Row::AtLeast, true), (Row::Exact, false), (Row::ExactFinal, false)] {
        let game = OrderChaos::new(6, 6, 5, 2, true, row);
        let mut pos = Board::default();
        for (cell, mark) in board.chars().filter(|c| *c != '/').enumerate() {
            pos.marks[usize::from(mark == 'O')] |= 1 << cell;
        }
        assert_eq!(game.outcome(&pos).and_then(Outcome::winner) == Some(game.order()), order_wins, "{row:?}");
    }
    let five = "XXXXX./....../....../....../....../......";
    let judged = |row| OrderChaos::new(6, 6, 5, 2, true, row);
    assert!(judged(Row::Exact).outcome(&judged(Row::Exact).parse(five).unwrap()).is_some());
    assert!(judged(Row::ExactFinal).outcome(&judged(Row::ExactFinal).parse(five).unwrap()).is_none());
}

#[test]
fn moves_are_read_in_both_notations() {
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let pos = game.parse("O.../..../..../....").unwrap();
    let expected = Placing { cell: 5, symbol: 0 };
    for text in ["X@b3", "x@B3", "Xb3", "b3x", "((2,2),X)", " ((2, 2), x) "] {
        assert_eq!(game.parse_move(&pos, text), Ok(expected), "{text}");
    }
    for (text, error) in [
        (
            "X@a4",
            "invalid move `X@a4`: that cell is taken; expected one of X@b4 O@b4 X@c4 O@c4 X@d4 O@d4 X@a3 O@a3 X@b3 O@b3 X@c3 O@c3 …",
        ),
        ("A@b3", "invalid move `A@b3`: expected one of X@b4 O@b4 X@c4 O@c4 X@d4 O@d4 X@a3 O@a3 X@b3 O@b3 X@c3 O@c3 …"),
    ] {
        assert_eq!(game.parse_move(&pos, text).map_err(|e| e.to_string()), Err(error.to_string()));
    }
    assert!(game.parse_move(&pos, "((0,2),X)").is_err() && game.parse_move(&pos, "((2,5),X)").is_err());
}

#[test]
fn positions_that_cannot_arise_say_why() {
    let game = OrderChaos::new(3, 3, 3, 2, true, Row::AtLeast);
    for (text, why) in [
        ("XXX/.../OOO", "there was a row of 3 before the last move, whichever it was"),
        ("X../..", "expected 3 rows of 3 from . X O, like .../.../..."),
        ("XA./.../...", "expected 3 rows of 3 from . X O, like .../.../..."),
    ] {
        assert_eq!(game.parse(text).map_err(|e| e.why().to_string()), Err(why.to_string()));
    }
    assert!(game.parse("XXX/XOO/XOO").is_ok(), "one move may complete two rows");
}

#[test]
fn spellings() {
    for (given, expected) in [
        ("order-chaos", Ok("order-chaos:6x6")),
        ("order-chaos:4x4,k=4,first=chaos", Ok("order-chaos:4x4,k=4,first=chaos")),
        ("order-chaos:4x4", Err("invalid game `order-chaos:4x4`: k must be at most the longer side, 4")),
        ("order-chaos:9x9", Err("invalid game `order-chaos:9x9`: board must be 1x1..=8x8")),
        (
            "order-chaos:6x6,row=long",
            Err("invalid game `order-chaos:6x6,row=long`: row must be atleast|exact|exact-final"),
        ),
    ] {
        let found = OrderChaos::from_spelling(given).map(|g| g.1).map_err(|e| e.to_string());
        assert_eq!(found, expected.map(String::from).map_err(String::from));
    }
}

#[test]
fn the_pairing_table_has_eighteen_pairs_and_leaves_four_windows_out() {
    let mut count = [0; 19];
    PAIRS.iter().flatten().for_each(|&n| count[usize::from(n)] += 1);
    assert_eq!(count[1..], [2; 18]);
    let game = classic();
    let holds_a_pair = |w: &&Window| each_cell(w.cells).any(|c| w.cells >> Pairing::partner(c) & 1 == 1);
    let without: Vec<&Window> = game.windows().iter().filter(|w| !holds_a_pair(w)).collect();
    let diagonals: Cells = (0..6).fold(0, |set, i| set | 1 << (7 * i) | 1 << (5 * i + 5));
    assert_eq!((game.windows().len(), without.len()), (32, 4));
    assert!(without.iter().all(|w| w.cells & !diagonals == 0));
}

#[test]
fn opposite_border_places_are_ends_of_the_same_rows() {
    // The thesis's example 3.1, with (1,4) lying opposite (6,4), not (4,6).
    let game = classic();
    let opposite = |place| game.place_of(lift::opposite(&game, game.cell_at(place).unwrap()));
    assert_eq!([opposite((1, 4)), opposite((1, 3)), opposite((6, 1))], [(6, 4), (6, 3), (1, 6)]);
    let inner = lift::inner_of(&game).unwrap();
    assert_eq!(inner, OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast));
    for window in inner.windows() {
        let outside = each_cell(window.cells).fold(0, |set, cell| set | 1 << lift::outward(&inner, cell));
        let ends = windows(game.grid(), 4).into_iter().find(|w| w.cells == outside).unwrap().ends;
        let ends: Vec<usize> = each_cell(ends).collect();
        assert_eq!(ends.len(), 2);
        assert_eq!(lift::opposite(&game, ends[0]), ends[1]);
    }
}

#[test]
fn the_exceptions_are_boards_of_the_game() {
    assert_eq!(oracle::exceptions().len(), 6);
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    for (board, mv) in EXCEPTIONS {
        let pos = game.parse(board).unwrap();
        assert_eq!(game.turn(&pos), game.order(), "{board}");
        assert!(game.parse_move(&pos, mv).is_ok(), "{board}");
    }
}

/// The positions at which a strategy is asked on 4×4(4), as Order, moving first or second.
fn asked(game: &OrderChaos, strategy: &dyn Strategy<OrderChaos>, mut see: impl FnMut(&Board)) {
    let mut seen = std::collections::HashSet::new();
    let mut todo = vec![game.start()];
    while let Some(pos) = todo.pop() {
        if game.outcome(&pos).is_some() || !seen.insert(pos) {
            continue;
        }
        let own = game.turn(&pos) == game.order();
        let moves = if own { strategy.choices(game, &pos) } else { agon_core::collect_moves(game, &pos) };
        if own {
            see(&pos);
        }
        todo.extend(moves.into_iter().map(|mv| game.after(&pos, mv)));
    }
}

#[test]
fn t1_as_text_agrees_with_rust_wherever_it_is_asked_and_at_random_positions() {
    for order_first in [true, false] {
        let game = OrderChaos::new(4, 4, 4, 2, order_first, Row::AtLeast);
        for reading in castelein::offered(&game)[0].facts().readings {
            let (rust, text) = (First::new(&reading), game.strategy("castelein-t1", &reading).unwrap());
            let mut count = 0;
            asked(&game, &rust, |pos| {
                count += 1;
                let (expected, found) = (rust.choices(&game, pos), text.choices(&game, pos));
                assert_eq!(found, expected, "{reading} at {}", game.show(pos));
            });
            assert!(count > 1000, "{reading}: {count} positions");
            let mut rng = Rng::new(7);
            for _ in 0..500 {
                let mut pos = game.start();
                while game.outcome(&pos).is_none() {
                    assert_eq!(
                        text.choices(&game, &pos),
                        rust.choices(&game, &pos),
                        "{reading} at {}",
                        game.show(&pos)
                    );
                    let mv = game.random_move(&pos, &mut rng).unwrap();
                    game.play(&mut pos, mv);
                }
            }
        }
    }
}

/// A position of 6 × 6: one of 4 × 4 in the middle, and marks elsewhere.
fn around(inner: &OrderChaos, pos: &Board, marks: &[(usize, usize)]) -> Board {
    let mut board = Board::default();
    for symbol in 0..2 {
        for cell in each_cell(pos.marks[symbol]) {
            board.marks[symbol] |= 1 << lift::outward(inner, cell);
        }
    }
    for &(cell, symbol) in marks {
        board.marks[symbol] |= 1 << cell;
    }
    board
}

/// Compares the choices of two strategies, unless the play is over; returns whether it is not.
fn same_choices(
    game: &OrderChaos,
    pos: &Board,
    rust: &dyn Strategy<OrderChaos>,
    text: &dyn Strategy<OrderChaos>,
) -> bool {
    if game.outcome(pos).is_some() {
        return false;
    }
    let (mut expected, mut found) = (rust.choices(game, pos), text.choices(game, pos));
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "at {}", game.show(pos));
    true
}

/// Positions of 6 × 6 are too many to compare all of them. These strategies look at the cells of one pair at a time,
/// and elsewhere they follow T1; so every content of every pair is compared, with the others empty or answered, around
/// every position of 4 × 4 at which T1 is asked.
#[test]
fn the_strategies_for_6x6_as_text_agree_with_rust_in_every_situation_of_a_pair() {
    let game = OrderChaos::new(6, 6, 5, 2, true, Row::AtLeast);
    let inner = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let border: Vec<usize> = each_cell(game.grid().all() & !lift::middle(&inner)).collect();
    let opposite = |cell: usize| lift::opposite(&game, cell);
    // The other pairs on the border: all empty, or all answered.
    let answered = |but: &[usize]| -> Vec<(usize, usize)> {
        let firsts = border.iter().filter(|&&cell| cell < opposite(cell) && !but.contains(&cell));
        firsts.flat_map(|&cell| [(cell, cell % 2), (opposite(cell), 1 - cell % 2)]).collect()
    };
    let (mirror, t2) = (Mirror, game.strategy("castelein-t2", "mirror").unwrap());
    let (table, pairing) = (Pairing, game.strategy("pairing", "table").unwrap());
    let mut situations = 0;
    for (cell, symbol) in (0..36).flat_map(|cell| [(cell, 0), (cell, 1)]) {
        let partner = Pairing::partner(cell);
        let others = |but: &[usize]| -> Vec<(usize, usize)> {
            // No row of five: marks change after every row and every second column.
            let mark = |cell: usize| (cell % 6 / 2 + cell / 6) % 2;
            (0..36).filter(|other| !but.contains(other)).map(|other| (other, mark(other))).collect()
        };
        let full = others(&[cell, partner]);
        let both = [(cell, symbol), (partner, symbol)];
        for marks in [&both[..1], &both, &[]] {
            for rest in [&full[..], &[]] {
                let pos = around(&inner, &Board::default(), &[rest, marks].concat());
                situations += usize::from(same_choices(&game, &pos, &table, pairing.as_ref()));
            }
        }
        if !border.contains(&cell) {
            continue;
        }
        for marks in [vec![(cell, symbol)], vec![(cell, symbol), (opposite(cell), 1 - symbol)], vec![]] {
            for rest in [answered(&[cell, opposite(cell)]), Vec::new()] {
                let pos = around(&inner, &Board::default(), &[&rest[..], &marks].concat());
                situations += usize::from(same_choices(&game, &pos, &mirror, t2.as_ref()));
            }
        }
    }
    let all = 36 * 2 * 6 + 20 * 2 * 6;
    assert!(situations > all * 3 / 4, "{situations} of {all}");
    for reading in castelein::offered(&game)[0].facts().readings {
        let rust = lift::Lifted::new(inner.clone(), Box::new(First::new(&reading)));
        let text = game.strategy("castelein", &reading).unwrap();
        let (mut rng, mut met) = (Rng::new(11), 0);
        asked(&inner, &First::new(&reading), |pos| {
            let cell = border[rng.below(border.len())];
            for marks in [
                Vec::new(),
                answered(&[]),
                vec![(cell, 0)],
                [answered(&[cell, opposite(cell)]), vec![(cell, 1)]].concat(),
            ] {
                same_choices(&game, &around(&inner, pos, &marks), &rust, text.as_ref());
            }
            met += 1;
        });
        assert!(met > 1000, "{reading}: {met} positions");
    }
}

#[test]
fn the_strategies_for_6x6_as_text_agree_with_rust_along_random_replies() {
    for (row, order_first) in
        [(Row::AtLeast, true), (Row::AtLeast, false), (Row::Exact, true), (Row::ExactFinal, false)]
    {
        let game = OrderChaos::new(6, 6, 5, 2, order_first, row);
        let inner = OrderChaos::new(4, 4, 4, 2, order_first, Row::AtLeast);
        let readings = castelein::offered(&game)[0].facts().readings;
        let lifted = |reading: &String| -> Box<dyn Strategy<OrderChaos>> {
            Box::new(lift::Lifted::new(inner.clone(), Box::new(First::new(reading))))
        };
        let mut pairs: Vec<(String, Player, Box<dyn Strategy<OrderChaos>>)> =
            readings.iter().map(|r| (format!("castelein:{r}"), game.order(), lifted(r))).collect();
        pairs.push(("castelein-t2:mirror".into(), game.order(), Box::new(Mirror)));
        pairs.push(("pairing:table".into(), game.order().other(), Box::new(Pairing)));
        for (name, side, rust) in pairs {
            let (strategy, reading) = name.split_once(':').unwrap();
            let text = game.strategy(strategy, reading).unwrap();
            let (mut rng, mut asked) = (Rng::new(3), 0);
            for _ in 0..60 {
                let mut pos = game.start();
                while game.outcome(&pos).is_none() {
                    let mut mv = game.random_move(&pos, &mut rng).unwrap();
                    if game.turn(&pos) == side {
                        let (mut expected, mut found) = (rust.choices(&game, &pos), text.choices(&game, &pos));
                        expected.sort_unstable();
                        found.sort_unstable();
                        assert_eq!(found, expected, "{name} {row:?} at {}", game.show(&pos));
                        asked += expected.len();
                        // If T2 is silent, play continues inside.
                        let inside = |mv: &Placing| lift::middle(&inner) >> mv.cell & 1 == 1;
                        let free: Vec<Placing> =
                            agon_core::collect_moves(&game, &pos).into_iter().filter(inside).collect();
                        let Some(chosen) = rng.pick(if expected.is_empty() { &free } else { &expected }) else { break };
                        mv = *chosen;
                    }
                    game.play(&mut pos, mv);
                }
            }
            assert!(asked > 50, "{name}: {asked}");
        }
    }
}

#[test]
fn the_texts_hold_the_tables_of_the_thesis() {
    let game = classic();
    let named = |cell: usize| game.grid().name(cell);
    for (one, other, same) in castelein::pairs() {
        let cell = game.grid().cell(&one).unwrap();
        assert_eq!((named(Pairing::partner(cell)), Pairing::same(cell)), (other, same));
    }
    let small = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    for ((board, mv), (text, written)) in EXCEPTIONS.iter().zip(castelein::exceptions()) {
        let pos = small.parse(board).unwrap();
        assert_eq!(small.show(&pos), text);
        assert_eq!(small.parse_move(&pos, mv), small.parse_move(&pos, &written));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}") {
        let game = OrderChaos::new(4, 3, 3, 3, true, Row::Exact);
        let _ = game.parse(&text);
        let _ = game.parse_move(&game.start(), &text);
        let _ = OrderChaos::from_spelling(&text);
    }
}
