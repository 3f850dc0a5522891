//! The meaning of texts, sentence by sentence of `docs/strategies.md`: the moves that they allow on an empty 3×3 board.

use agon_check::seam::Text;
use agon_core::{Family, Symmetric};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;

/// The cells into which a text allows to move first, and why it is refused.
fn allowed<G: Family + Symmetric>(game: &G, text: &str) -> Result<Vec<String>, String> {
    let features = game.vocabulary();
    let strategy = Text::new(game, features.as_ref(), text).map_err(|why| why.to_string())?;
    let moves = strategy.moves(&game.start(), 0);
    Ok(moves.into_iter().map(|mv| game.show_move(&game.start(), mv)).collect())
}

/// Asserts that a text allows exactly the cells whose column and row are as they should be.
fn means(text: &str, holds: impl Fn(i32, i32) -> bool) {
    let game = Mnk::new(3, 3, 3);
    let mut found = allowed(&game, text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    found.sort_unstable();
    let all = (1..=3).flat_map(|column| (1..=3).map(move |row| (column, row)));
    let cell = |(column, row): (i32, i32)| format!("{}{row}", char::from(b'a' + column as u8 - 1));
    let expected: Vec<String> = all.filter(|&(column, row)| holds(column, row)).map(cell).collect();
    assert_eq!(found, expected, "{text}");
}

fn refused(text: &str, why: &str) {
    let found = allowed(&Mnk::new(3, 3, 3), text).expect_err(text);
    assert!(found.contains(why), "{found}\n{text}");
}

#[test]
fn numbers_are_compared_by_every_sign() {
    means("rule a\n only column = 2", |column, _| column == 2);
    means("rule a\n only column != 2", |column, _| column != 2);
    means("rule a\n only column < 2", |column, _| column < 2);
    means("rule a\n only column <= 2", |column, _| column <= 2);
    means("rule a\n only column > 2", |column, _| column > 2);
    means("rule a\n only column >= 2", |column, _| column >= 2);
    means("rule a\n only 2<column", |column, _| column > 2);
    means("rule a\n only -1 < -2 + column", |column, _| column > 1);
    means("rule a\n only column = row", |column, row| column == row);
    means("rule a\n only 1000000 > column", |_, _| true);
    means("rule a\n only -1000000 > column", |_, _| false);
}

#[test]
fn sums_are_computed_from_the_left_and_saturate() {
    means("rule a\n only column - row - 1 = 0", |column, row| column - row == 1);
    means("rule a\n only column - (row - 1) = 0", |column, row| column == row - 1);
    means("rule a\n only column + row - 3 > 0", |column, row| column + row > 3);
    means("rule a\n only 3 - column + row > 3", |column, row| row > column);
    means("rule a\n prefer max column - row", |column, row| (column, row) == (3, 1));
    means("rule a\n prefer min column - row", |column, row| (column, row) == (1, 3));
    means("rule a\n prefer max (column)", |column, _| column == 3);
    // A thousand millions three times is more than a number holds, in either direction; what comes first is lost.
    let thousand = format!("(1000000{})", " + 1000000".repeat(999));
    let large = format!("{thousand} + {thousand} + {thousand}");
    means(&format!("rule a\n prefer max {large} + column"), |_, _| true);
    means(&format!("rule a\n prefer max column + {large}"), |_, _| true);
    means(&format!("rule a\n prefer max {large} - column"), |column, _| column == 1);
    means(&format!("rule a\n prefer min 0 - ({large}) - ({large}) - column"), |_, _| true);
    means(&format!("rule a\n prefer min column - {thousand}"), |column, _| column == 1);
}

#[test]
fn and_binds_more_than_or_and_not_more_than_both() {
    means("rule a\n only column = 1 or column = 2 and row = 3", |c, r| c == 1 || c == 2 && r == 3);
    means("rule a\n only column = 2 and row = 3 or column = 1", |c, r| c == 1 || c == 2 && r == 3);
    means("rule a\n only (column = 1 or column = 2) and row = 3", |c, r| (c == 1 || c == 2) && r == 3);
    means("rule a\n only not column = 1 and row = 1", |c, r| c != 1 && r == 1);
    means("rule a\n only not (column = 1 and row = 1)", |c, r| (c, r) != (1, 1));
    means("rule a\n only not not corner", |c, r| c != 2 && r != 2);
    means("rule a\n only corner and not column = 1", |c, r| c == 3 && r != 2);
    means("rule a\n only not(corner)or(centre)", |c, r| c == 2 || r == 2);
    means("rule a\n only column=1 and row=1 and corner or edge and row=3 or centre", |c, r| {
        (c, r) == (1, 1) || (c, r) == (2, 3) || (c, r) == (2, 2)
    });
}

#[test]
fn four_functions_look_at_all_legal_moves() {
    means("rule a\n only corner\n only column = most(column)", |c, r| c == 3 && r != 2);
    // Not at those that are left.
    means("rule a\n only column < 3\n only column = most(column)", |_, _| false);
    means("rule a\n only column = least(column) + 1", |c, _| c == 2);
    means("rule a\n only row = count(corner) - 1", |_, r| r == 3);
    means("rule a\n when count(corner) = 4\n only edge", |c, r| (c == 2) != (r == 2));
    means("rule a\n when any(corner and centre)", |_, _| false);
    means("rule a\n when any(corner and column = 1)\n only centre", |c, r| (c, r) == (2, 2));
    means("rule a\n when not any(column > 3)\n only centre", |c, r| (c, r) == (2, 2));
    means("rule a\n when most(column + row) = 6 and least(column) = 1", |_, _| true);
}

#[test]
fn the_first_rule_that_leaves_a_move_decides() {
    means("rule a\n only column > 3\nrule b\n only column = 2\nrule c\n only column = 1", |c, _| c == 2);
    means("rule a\n when filled > 0\n only column = 1\nrule b\n only column = 2", |c, _| c == 2);
    means("rule a\n prefer column > 3\n prefer row = 2\n prefer column > 3", |_, r| r == 2);
    means("rule a\n only corner\n only not corner\nrule b", |_, _| true);
    means("rule a\n only corner\n prefer max column\n prefer min row", |c, r| (c, r) == (3, 1));
    means("rule a\n only column > 3", |_, _| false);
}

#[test]
fn comments_white_space_and_descriptions_mean_nothing() {
    means("  # a comment\n\n\t\nabout rule b\nrule a # of\r\n\tonly\tcorner #and\tedge\n#only edge", |c, r| {
        c != 2 && r != 2
    });
    // A `#` inside a word is part of it.
    means("rule a#b\n only corner\nrule a#c\n only edge", |c, r| c != 2 && r != 2);
    refused("rule a#b\nrule a#b", "line 2, column 6: `a#b` occurs twice");
    refused("rule a\n only corner#", "line 2, column 13: expected and, or, a comparison or the end of the line");
    refused("rule a\n only corner\u{7}", "line 2, column 1: a control character");
    refused("rules a", "line 1, column 1: expected about, reading, or a heading");
    means("rule a\n  about corners\n only edge", |c, r| (c == 2) != (r == 2));
}

#[test]
fn only_the_first_reading_counts() {
    means("reading x,y\nreading z\nrule a\n [x] only corner\n [not y] only edge\n [z] only centre", |c, r| {
        c != 2 && r != 2
    });
    means("reading x\nreading z\n[z] rule a\n only corner\n[not z] rule b\n only edge", |c, r| (c == 2) != (r == 2));
    means("reading x\nreading z\n[z] book a\n  .../.../... a1\n[ x ] exact book b\n  .../.../... c2", |c, r| {
        (c, r) == (3, 2)
    });
    refused("reading x\n[z] rule a", "line 2, column 1: no reading has the word `z`");
    refused("reading x\n[x y] rule a", "expected [WORD] or [not WORD]");
    refused("reading x\n[not] rule a", "expected [WORD] or [not WORD]");
    refused("reading x_y\nrule a", "line 1, column 9: expected words with commas between them");
    refused("rule a\nreading x", "line 2, column 1: expected when, only, prefer or on, or a heading");
    refused("reading x\n[not x] rule b", "the strategy has no rule and no book");
}

#[test]
fn books_stand_for_images_and_exact_books_do_not() {
    means("book a\n  .../.../... a1", |c, r| c != 2 && r != 2);
    means("exact book a\n  .../.../... a1 B2", |c, r| (c, r) == (1, 1) || (c, r) == (2, 2));
    means("exact\tbook a\n  ???/???/X.. c3\n  ???/.?./... a1\n  .../???/... c3", |c, r| (c, r) == (1, 1));
    // Whole positions come before pictures, and books before the rules behind them.
    means("exact book a\n  ?../.../... a1\n  .../.../... c3\nrule b", |c, r| (c, r) == (3, 3));
    means("book a\n  X../.O./... a1\nrule b\n only centre", |c, r| (c, r) == (2, 2));
    refused("book a\n  X../.O./... a3", "line 2, column 15");
    refused("exactbook a", "line 1, column 1: expected about, reading, or a heading");
}

#[test]
fn regions_and_pairings_name_cells() {
    means("region west\n  a1 A2\n  a3\nrule a\n only in(west)", |c, _| c == 1);
    means("region west\n  a1 a1\nrule a\n only in(west)", |c, r| (c, r) == (1, 1));
    means("rule a\n only in(west)\nregion west\n  a1", |c, r| (c, r) == (1, 1));
    means("rule a\n only cell(C3) or cell(a1)", |c, r| c == r && c != 2);
    refused("region west\n  a1 d4\nrule a", "line 2, column 6: no cell `d4`");
    refused("region claimeven\nrule a", "`claimeven` is taken");
    // No cell has been marked yet, so no mark is answered.
    means("pairing p\n  a1 b2\n  c1 c3 same\nrule a\n only answers(p) or answers-last(p)", |_, _| false);
    refused("pairing p\n  a1 b2 same more\nrule a", "line 2, column 3: expected two cells, and perhaps `same`");
    refused("pairing p\n  a1 b2 different\nrule a", "line 2, column 3: expected two cells, and perhaps `same`");
}

#[test]
fn the_last_board_of_a_rule_applies_to_all_its_lines() {
    let (game, _) = OrderChaos::from_spelling("order-chaos:5x5,k=4").unwrap();
    let allows = |text: &str| allowed(&game, text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let count = |text: &str| allows(text).len();
    assert_eq!(count("rule a\n only inside"), 50);
    let features = game.vocabulary();
    let inner = features.boards().iter().find(|board| board.name == "inner");
    let cells = inner.map_or(0, |board| board.inside.count_ones() as usize);
    assert!(cells > 0 && cells < 25, "an inner board");
    assert_eq!(count("rule a\n on inner\n only inside"), 2 * cells);
    assert_eq!(count("rule a\n only inside\n on inner"), 2 * cells);
    assert_eq!(count("rule a\n on inner\n only inside\n on board"), 50);
    assert_eq!(count("rule a\n on inner\n only not inside\n only column > 6\nrule b\n only inside"), 50);
    assert_eq!(count("rule a\n on inner\n only corner"), 8);
}

#[test]
fn a_text_has_at_most_a_mebibyte_a_thousand_readings_and_a_thousand_headings() {
    let rules = |n: usize| (0..n).map(|i| format!("rule {i}\n only column > 3\n")).collect::<String>();
    means(&rules(1000), |_, _| false);
    refused(&rules(1001), "line 2001, column 1: expected at most 1000 readings, and as many parts");
    let readings =
        |n: usize| (0..n).map(|i| format!("reading r{i}\n")).collect::<String>() + "rule a\n[r0] only centre\n";
    means(&readings(1000), |c, r| (c, r) == (2, 2));
    refused(&readings(1001), "line 1001, column 1: expected at most 1000 readings, and as many parts");
    let long = |bytes: usize| format!("rule a\n only corner\n#{}", "x".repeat(bytes - 21));
    assert_eq!(long(1 << 20).len(), 1 << 20);
    means(&long(1 << 20), |c, r| c != 2 && r != 2);
    refused(&long((1 << 20) + 1), "line 1, column 1: the text has 1048577 bytes; expected at most 1048576");
}

#[test]
fn parentheses_and_not_are_at_most_32_deep() {
    let deep = |word: &str, levels: usize, inner: &str, close: &str| {
        format!("rule a\n only {}{inner}{}", word.repeat(levels), close.repeat(levels))
    };
    for (word, close) in [("(", ")"), ("not ", "")] {
        means(&deep(word, 32, "corner", close), |c, r| c != 2 && r != 2);
        refused(&deep(word, 33, "corner", close), "expected at most 32 levels");
    }
    means(&deep("(", 31, "any(corner)", ")"), |_, _| true);
    refused(&deep("(", 32, "any(corner)", ")"), "expected at most 32 levels");
    means(&deep("(", 31, "(column = 2)", ")"), |c, _| c == 2);
}
