use super::*;
use agon_core::laws;
use proptest::prelude::*;

#[test]
fn laws_hold_on_boards_of_every_shape() {
    for (m, n, k) in [(3, 3, 3), (4, 3, 3), (5, 4, 4), (8, 8, 5), (7, 1, 3), (16, 4, 4), (2, 2, 1), (1, 1, 1)] {
        let game = Mnk::new(m, n, k);
        laws::check(&game, 25, 1);
        laws::lines(&game, 25, 1);
        if game.ranks().is_some() {
            laws::ranked(&game, 25, 1);
        }
        laws::alternating(&game, 25, 1);
        laws::evaluation(&game, 25, 1);
        laws::order(&game, 25, 1);
    }
}

#[test]
fn the_table_of_rows_agrees_with_shifting_and_with_the_windows() {
    for (m, n, k) in [(3, 3, 3), (4, 4, 3), (4, 3, 4), (5, 2, 1), (16, 1, 5)] {
        let game = Mnk::new(m, n, k);
        let windows = game.grid.windows(k);
        let mut rng = agon_core::Rng::new(9);
        for _ in 0..2000 {
            let cells = rng.next_u64() & game.grid.all();
            let expected = windows.iter().any(|w| cells & w == *w);
            assert_eq!((game.has_row(cells), game.has_row_by_shifting(cells)), (expected, expected));
        }
    }
}

#[test]
fn impossible_positions_say_why() {
    let game = Mnk::new(3, 3, 3);
    for (text, why) in [
        ("XX./.../...", "2 X and 0 O; x begins, so there must be as many X as O or one more"),
        ("O../.../...", "0 X and 1 O; x begins, so there must be as many X as O or one more"),
        ("XXX/OO./O..", "x has 3 in a row, yet it would be x's turn"),
        ("OOO/XX./XX.", "o has 3 in a row, yet it would be o's turn"),
        ("XXX/XXX/OO.", "6 X and 2 O; x begins, so there must be as many X as O or one more"),
        ("X./../..", "expected 3 rows of 3, and row 1 has 2; marks are . X O, like .../.../..."),
        ("XO.", "expected 3 rows of 3, not 1; marks are . X O, like .../.../..."),
        ("Xé./.../...", "expected 3 rows of 3, and `é` is not a mark; marks are . X O, like .../.../..."),
    ] {
        assert_eq!(game.parse(text).map_err(|e| e.why().to_string()), Err(why.to_string()), "{text}");
    }
    let wide = Mnk::new(3, 4, 3);
    let two = wide.parse("XXX/OO./XXX/OOO");
    assert!(two.is_err());
    assert_eq!(
        Mnk::new(3, 6, 3).parse("XXX/OO./.../XXX/OO./O..").map_err(|e| e.why().to_string()),
        Err("two rows that no single move can have completed".into())
    );
    assert!(game.parse("XXX/XOO/XOO").is_ok(), "one move may complete two rows");
}

#[test]
fn moves_may_be_cells_or_boxes() {
    let game = Mnk::new(3, 3, 3);
    let pos = game.parse("X../.../...").unwrap();
    assert_eq!(game.parse_move(&pos, "5"), Ok(4));
    assert_eq!(game.parse_move(&pos, "B2"), Ok(4));
    for (text, error) in [
        ("a3", "invalid move `a3`: that cell is taken; expected one of b3 c3 a2 b2 c2 a1 b1 c1"),
        ("10", "invalid move `10`: expected one of b3 c3 a2 b2 c2 a1 b1 c1"),
        ("", "invalid move ``: expected one of b3 c3 a2 b2 c2 a1 b1 c1"),
    ] {
        assert_eq!(game.parse_move(&pos, text).map_err(|e| e.to_string()), Err(error.to_string()));
    }
}

#[test]
fn spellings_out_of_range_say_what_would_do() {
    for (text, error) in [
        ("mnk:9,9,5", "invalid game `mnk:9,9,5`: m·n must be at most 64, not 81"),
        ("mnk:3,3,4", "invalid game `mnk:3,3,4`: k must be at most the longer side, 3"),
        ("mnk:0,3,3", "invalid game `mnk:0,3,3`: m must be 1..=16"),
        ("mnk:3,3,3,3", "invalid game `mnk:3,3,3,3`: `3` is one too many; expected mnk:M,N,K"),
    ] {
        assert_eq!(Mnk::from_spelling(text).map(|g| g.1).map_err(|e| e.to_string()), Err(error.to_string()));
    }
    assert_eq!(Mnk::from_spelling("mnk").map(|g| g.1), Ok("mnk:3,3,3".into()));
    assert_eq!(Mnk::from_spelling("mnk:4,4,k=3").map(|g| g.1), Ok("mnk:4,4,3".into()));
}

#[test]
fn a_finished_row_is_marked() {
    let game = Mnk::new(3, 3, 3);
    let pos = game.parse("XXX/OO./...").unwrap();
    assert_eq!(
        game.scene(&pos).text(),
        "3 [X]│[X]│[X]\n  ───┼───┼───\n2  O │ O │\n  ───┼───┼───\n1    │   │\n   a   b   c\n"
    );
}

#[test]
fn the_paper_numbers_its_objective_functions_so() {
    // Table I, X5 move, solution 3, and the printed weights of f9.
    let x = [0, 1, 0, -1, 0, 1, 1, 0, 0, -1];
    assert_eq!(singh::objectives(&x), [0, 2, -1, 1, 1, -1, 1, 0, 3]);
    let weights: Vec<i32> = (1..=9)
        .map(|b| {
            let mut one = [0; 10];
            one[b] = 1;
            singh::objectives(&one)[8]
        })
        .collect();
    assert_eq!(weights, [3, 2, 3, 2, 4, 2, 3, 2, 3]);
}

#[test]
fn the_rules_of_the_paper_as_text_agree_with_rust_at_every_position() {
    let game = Mnk::new(3, 3, 3);
    for facts in game.strategies() {
        for reading in &facts.readings {
            let rust = oracle::strategy(facts.name, reading).unwrap();
            let text = game.strategy(facts.name, reading).unwrap();
            let (mut todo, mut seen) = (vec![game.start()], std::collections::HashSet::new());
            while let Some(pos) = todo.pop() {
                if game.outcome(&pos).is_some() || !seen.insert(pos) {
                    continue;
                }
                let (mut expected, mut found) = (rust.choices(&game, &pos), text.choices(&game, &pos));
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{}:{reading} at {}", facts.name, game.show(&pos));
                game.moves(&pos, &mut |mv| todo.push(game.after(&pos, mv)));
            }
            assert_eq!(seen.len(), 4520, "all unfinished positions");
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}") {
        let game = Mnk::new(4, 3, 3);
        let _ = game.parse(&text);
        let _ = game.parse_move(&game.start(), &text);
        let _ = Mnk::from_spelling(&text);
    }

    #[test]
    fn every_accepted_position_round_trips(text in "[XO.]{3}/[XO.]{3}/[XO.]{3}") {
        let game = Mnk::new(3, 3, 3);
        if let Ok(pos) = game.parse(&text) {
            prop_assert_eq!(game.show(&pos), text);
        }
    }
}
