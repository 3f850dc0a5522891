//! What documents show and agon shows: measures on boards, options behind a mex, quotients, trees of searches, boards to
//! learn from.

mod common;

use common::{agon, json};
use serde_json::json as j;

#[test]
fn measures_stand_in_a_table_and_on_the_board() {
    // Table I of Singh, Deep and Nagar, the move X5: solution 3 is best.
    let shown = json(&["show", "tic-tac-toe", "X.O/.X./..O", "--measures"]);
    let rows = shown["measures"]["rows"].as_array().unwrap();
    assert_eq!(rows[2]["values"], j!(["c2", "6", "0", "2", "-1", "1", "1", "-1", "1", "0", "3", "best"]));
    let text = agon(&["show", "tic-tac-toe", "X.O/.X./..O", "--measures"]).out;
    assert!(text.contains("[3*]") && text.contains("f1  f2"), "{text}");
    // Example 2.2 of Castelein: L((1,1)) is 3 and extended at (4,4), P((1,1), X) is 4.
    let board = "X....O/.XX.OX/..XO../..X.X./.O..X./...O.O";
    let shown = json(&["show", "order-chaos:6x6", board, "--measures"]);
    assert_eq!(
        shown["measures"]["rows"][0]["values"],
        j!(["a6", "(1,1)", "X", "1", "1", "1", "3", "3", "(4,4)", "4", "0"])
    );
    let refused = agon(&["show", "tak:5", "--measures"]);
    assert!(refused.code == 2 && refused.err.contains("Order and Chaos"), "{}", refused.err);
    assert_eq!(agon(&["show", "tic-tac-toe", "--measures", "--values"]).code, 2);
}

#[test]
fn a_board_of_any_shape_is_spelled_solved_and_drawn() {
    let solved = json(&["solve", "order-chaos:3x3,k=3,without=b2"]);
    // Four sides of three cells each: a sweep of all 3^8 boards without any library of lines gives the same in the tests
    // of the claims.
    assert_eq!((&solved["game"], &solved["value"]), (&j!("order-chaos:3x3,k=3,without=b2"), &j!("loss")));
    let wrong = agon(&["show", "order-chaos:3x3,k=3,without=z9"]);
    assert!(wrong.code == 2 && wrong.err.contains("`z9` is not a cell of the board"), "{}", wrong.err);
}

#[test]
fn the_options_behind_a_mex_are_listed() {
    let shown = json(&["grundy", "0.007", "--options", "9"]);
    assert_eq!((&shown["mex"], &shown["values"]), (&j!(3), &j!([0, 1, 2])));
    assert_eq!(shown["options"][1], j!({"heaps": [1, 5], "parts": [0, 1], "value": 1}));
    let text = agon(&["grundy", "0.007", "--options", "9"]).out;
    assert!(text.contains("1 + 5") && text.contains("mex {0, 1, 2} = 3, so G(9) = 3"), "{text}");
}

#[test]
fn misere_quotients_are_told_with_their_period() {
    // Plambeck and Siegel (2008): the quotient of 0.123 has 20 elements, and its period is 5.
    let found = json(&["grundy", "0.123", "--quotient", "--to", "30"]);
    assert_eq!((&found["order"], &found["whole"]), (&j!(20), &j!([5, 5])));
    assert_eq!(agon(&["grundy", "0.8f", "--quotient"]).code, 2);
}

#[test]
fn the_tree_of_a_search_has_won_playouts_of_playouts() {
    let tree = json(&["tree", "tic-tac-toe", "X../.O./...", "--player", "mcts:playouts=50,solver=off", "--most", "12"]);
    let nodes = tree["nodes"].as_array().unwrap();
    assert_eq!((nodes.len(), &nodes[0]["visits"]), (12, &j!(50)));
    assert_eq!(tree["player"], "mcts:playouts=50,solver=off");
    let text = agon(&["tree", "tic-tac-toe", "--player", "mcts:playouts=50"]).out;
    assert!(text.contains("/50\n├─ "), "{text}");
    let none = agon(&["tree", "tic-tac-toe", "--player", "random"]);
    assert!(none.code == 2 && none.err.contains("grows no tree"), "{}", none.err);
}

#[test]
fn a_player_learns_from_exported_boards() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("boards.csv");
    let path = file.to_str().unwrap();
    assert_eq!(agon(&["count", "antrin:3", "--export", path]).code, 0);
    let trained = json(&["train", "antrin:3", "--boards", path, "--games", "0", "--points", "1", "--exam", "40"]);
    // Antrin is a draw, so half of the points is what perfect play gets against itself.
    assert_eq!(trained["curve"][0]["against_perfect"], 0.5);
    std::fs::write(&file, "a,b\n1,2\n").unwrap();
    let wrong = agon(&["train", "antrin:3", "--boards", path, "--games", "0"]);
    assert!(wrong.code == 2 && wrong.err.contains("no column `board`"), "{}", wrong.err);
}

#[test]
fn negamax_takes_the_evaluation_that_a_game_names() {
    let played = agon(&["arena", "tak:3", "negamax:nodes=200,eval=four-factors", "random", "--games", "2", "--quiet"]);
    assert_eq!(played.code, 0, "{}", played.err);
    let wrong = agon(&["arena", "tak:3", "negamax:eval=none", "random", "--games", "2"]);
    assert!(wrong.code == 2 && wrong.err.contains("eval must be four-factors"), "{}", wrong.err);
}
