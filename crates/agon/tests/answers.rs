//! Answers: where a command begins, what it says when nothing is proven, and what it never says.

mod common;

use common::{agon, json};

#[test]
fn names_are_read_kindly_and_unknown_ones_get_a_few_near_ones() {
    for (given, spelling) in [
        ("TicTacToe", "mnk:3,3,3"),
        ("connect 4", "drop:7,6,4"),
        ("nine men's morris", "morris:nine"),
        ("ORDER_AND_CHAOS", "order-chaos:6x6"),
    ] {
        assert_eq!(json(&["show", given])["game"], spelling);
    }
    let unknown = agon(&["solve", "tiktaktoe"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean tic-tac-toe") && unknown.err.contains("`agon games`"),
        "{}",
        unknown.err
    );
    assert!(unknown.err.len() < 200 && unknown.err.matches(", ").count() < 5, "{}", unknown.err);
    let wrong = agon(&["solve", "mnk:9,9,9"]);
    assert!(wrong.code == 2 && !wrong.err.contains("agon games"), "{}", wrong.err);
}
