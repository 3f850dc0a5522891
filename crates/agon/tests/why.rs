//! `agon explain`, `analyse` and `puzzles` as a person or a script calls them.

mod common;

use common::{agon, agon_with_input, json};
use serde_json::{Value as Json, json as j};

/// A directory with these files.
fn files(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let write = |(name, text): &(&str, &str)| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let paths = files.iter().map(write).collect();
    (dir, paths)
}

fn list(value: &Json) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

#[test]
fn explain_says_what_is_won_and_what_refutes_the_rest() {
    let saved = json(&["explain", "tic-tac-toe", "XOX/.O./..."]);
    assert_eq!((&saved["value"], &saved["best"], &saved["game"]), (&j!("draw"), &j!("b1"), &j!("mnk:3,3,3")));
    let mut refuted: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in saved["refutations"].as_array().unwrap() {
        refuted.push((one["move"].as_str().unwrap(), list(&one["line"])));
    }
    assert_eq!(refuted, ["a2", "c2", "a1", "c1"].map(|mv| (mv, vec![mv, "b1"])));
    let won = json(&["explain", "mnk:4,4,3"]);
    assert_eq!((&won["value"], &won["plies"]), (&j!("win"), &j!(5)));
    assert_eq!(won["sentence"], "x wins in 5 plies with b3.");
    assert_eq!(list(&won["line"]).len(), 5);
    let lost = json(&["explain", "nim:1+2+3"]);
    assert_eq!((&lost["value"], &lost["sum"]["nimber"]), (&j!("loss"), &j!(0)));
    assert_eq!(lost["refutations"].as_array().unwrap().len(), lost["moves"].as_array().unwrap().len());
    let text = agon(&["explain", "nim:3+5+7"]);
    assert!(text.out.contains("3 xor 5 xor 7 = 1; the moves 3>2 5>4 7>6 make it 0 and win."), "{}", text.out);
    let marks = json(&["explain", "order-chaos:3x3,k=3", "--moves", "X@a1 O@b2"]);
    assert!(marks["best"].as_str().unwrap().contains('@') && marks["winner"] == "first", "{marks}");
}

#[test]
fn explain_handles_every_kind_of_position() {
    let over = json(&["explain", "tic-tac-toe", "XXX/OO./..."]);
    assert_eq!((&over["over"], &over["sentence"]), (&j!(true), &j!("The game is over: x has won (line).")));
    assert_eq!((&over["refutations"], &over["tree"]["shown"]), (&j!([]), &j!("end")));
    let endless = json(&["explain", "antrin:3"]);
    assert!(endless["sentence"].as_str().unwrap().contains("Best play never ends"), "{}", endless["sentence"]);
    assert_eq!((&endless["value"], &endless["ends"]), (&j!("draw"), &j!("repeats")));
    let open = agon(&["explain", "connect-four", "--nodes", "1000", "--json"]);
    let said: Json = serde_json::from_str(&open.out).unwrap();
    assert_eq!((open.code, &said["value"], &said["stopped"]), (1, &j!(null), &j!("nodes")), "{}", open.err);
    assert!(said["sentence"].as_str().unwrap().starts_with("Nothing is proven about this position"), "{said}");
    assert!(open.err.contains("nothing is proven"), "{}", open.err);
    let large = agon(&["explain", "morris:nine", "--json"]);
    assert!(large.code == 1 && large.err.contains("MiB of memory; the limit is"), "{}", large.err);
    let huge = json(&["explain", "heap:0.f:1000000"]);
    assert_eq!((&huge["value"], &huge["cut"]["moves"]), (&j!("loss"), &j!(83_333_666_667u64)));
    let misere = json(&["explain", "nim:1+1,play=misere"]);
    assert_eq!((&misere["value"], &misere["sum"]["nimber"]), (&j!("win"), &j!(null)));
    for (args, code, said) in [
        (&["explain", "tic-tac-toe", "garbage"][..], 2, "invalid position `garbage`"),
        (&["explain", "tic-tac-toe", "--time", "-1"], 2, "invalid time `-1`"),
        (&["explain", "tic-tac-toe", "--strategy", "nobody"], 2, "invalid strategy `nobody`"),
        (&["explain", "tic-tac-toe", "--strategy", "singh-process", "--as", "z"], 2, "invalid side `z`"),
        (&["explain", "tic-tac-toe", "--as", "first"], 2, "--strategy"),
    ] {
        let ran = agon(args);
        assert!(ran.code == code && ran.err.contains(said), "{args:?}: {}", ran.err);
    }
}

#[test]
fn explain_shows_how_a_strategy_decides() {
    let text = "rule the same column\n  only same-column\nrule when it is late\n  when filled > 3\n  prefer max row\nrule anything\n";
    let (_dir, paths) = files(&[("even.rules", text)]);
    let ask = |place: &[&str]| {
        json(&[&["explain", "drop:4,4,4", "--strategy", &paths[0]], place].concat())["strategy"].clone()
    };
    let after_a = ask(&["--moves", "a"]);
    assert_eq!((&after_a["rule"], &after_a["moves"]), (&j!("the same column"), &j!(["a"])));
    let step = &after_a["rules"][0]["steps"][0];
    assert_eq!(
        (&step["step"], &step["kept"], &step["rejected"]),
        (&j!("only same-column"), &j!(["a"]), &j!(["b", "c", "d"]))
    );
    assert_eq!((&after_a["keeping"], &after_a["losing"], &after_a["note"]), (&j!(["a"]), &j!([]), &j!(null)));
    // Without the moves, the last one is not known.
    let unknown = ask(&["--from", "..../..../..../X..."]);
    assert_eq!((&unknown["rule"], unknown["moves"].as_array().unwrap().len()), (&j!("anything"), 4));
    assert!(unknown["note"].as_str().unwrap().contains("last move"), "{unknown}");
    let rules = unknown["rules"].as_array().unwrap();
    assert_eq!(rules[0]["why"], "does not apply, because no move passes `only same-column`");
    assert_eq!(rules[1]["why"], "does not apply, because `when filled > 3` does not hold");
    assert_eq!((&rules[1]["steps"][0]["holds"], &rules[2]["decides"]), (&j!(false), &j!(true)));
    let other = ask(&["--moves", "a", "--as", "x"]);
    assert_eq!((&other["to_move"], &other["moves"]), (&j!(false), &j!([])));
    let late = ask(&["--from", "..../..../X.../OX.O"]);
    assert_eq!((&late["rule"], &late["moves"]), (&j!("when it is late"), &j!(["a"])));
    let best = late["rules"][1]["steps"].as_array().unwrap();
    assert_eq!((&best[0]["holds"], &best[1]["value"]), (&j!(true), &j!(3)), "{late}");
    let book = "book opening\n  .../.../... b2\nrule anything\n";
    let (_dir, paths) = files(&[("book.rules", book)]);
    let opened = json(&["explain", "tic-tac-toe", "--strategy", &paths[0]])["strategy"].clone();
    assert_eq!((&opened["rule"], &opened["moves"]), (&j!("opening"), &j!(["b2"])));
    let later = json(&["explain", "tic-tac-toe", "--moves", "a1", "--strategy", &paths[0]])["strategy"].clone();
    assert_eq!(
        (&later["rules"][0]["why"], &later["rule"]),
        (&j!("the book does not contain this position"), &j!("anything"))
    );
    assert!(later["losing"].as_array().unwrap().len() > 3, "only the centre holds a corner opening: {later}");
}

#[test]
fn analyse_reads_games_from_everywhere() {
    let saved = "agon-game 1\ngame mnk:3,3,3\nfrom .../.../...\nmoves b2 b1 a1\n";
    let (dir, paths) = files(&[("a.txt", saved), ("b.txt", "b2 a1"), ("c.txt", "b2 b2")]);
    let moves = ["b2", "b1", "a1"];
    let given: [(&[&str], &str); 5] = [
        (&[&paths[0]], ""),
        (&["-"], "b2 b1 a1"),
        (&["--moves", "b2 b1 a1"], ""),
        (&["--load", &paths[0]], ""),
        (&["--from", ".../.../...", "--moves", "-"], "b2 b1\na1"),
    ];
    for (place, input) in given {
        let ran = agon_with_input(&[&["analyse", "tic-tac-toe", "--json"], place].concat(), input);
        let found: Json = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{place:?}: {}", ran.err));
        let plies = found["plies"].as_array().unwrap();
        assert_eq!(plies.iter().map(|ply| ply["move"].as_str().unwrap()).collect::<Vec<_>>(), moves, "{place:?}");
        assert_eq!((ran.code, &found["first_mistake"]), (0, &j!(2)), "{place:?}");
        assert_eq!(plies[1]["mistake"], "draw-to-loss");
        let worth = j!({"value": "loss", "plies": 5, "proven": true, "lo": "loss", "hi": "loss"});
        assert_eq!((&plies[1]["after"], &plies[1]["player"]), (&worth, &j!("second")));
    }
    let two = json(&["analyse", "tic-tac-toe", &paths[0], &paths[1]]);
    assert_eq!((&two["summary"]["games"], &two["summary"]["mistakes"]["second"]["draw-to-loss"]), (&j!(2), &j!(1)));
    let all = agon(&["analyse", "tic-tac-toe", dir.path().to_str().unwrap(), "--json"]);
    let found: Json = serde_json::from_str(&all.out).unwrap();
    assert_eq!((all.code, &found["summary"]["unread"]), (4, &j!(1)), "{}", all.err);
    assert!(found["unread"][0]["error"].as_str().unwrap().contains("move 2: invalid move `b2`"), "{found}");
    assert!(all.err.contains("1 of 3 files hold no game"), "{}", all.err);
    for (args, code, said) in [
        (&["analyse", "tic-tac-toe"][..], 2, "give the game to analyse"),
        (&["analyse", "tic-tac-toe", &paths[0], "--moves", "b2"], 2, "give the game once"),
        (&["analyse", "tic-tac-toe", &paths[2]], 4, "move 2: invalid move `b2`"),
        (&["analyse", "tic-tac-toe", &paths[1], "--ptn"], 2, "--ptn is for Tak"),
        (&["analyse", "tic-tac-toe", "nowhere.txt"], 1, "cannot read `nowhere.txt`"),
    ] {
        let ran = agon(args);
        assert!(ran.code == code && ran.err.contains(said), "{args:?}: {} {}", ran.code, ran.err);
    }
}

#[test]
fn analyse_is_content_with_nothing_proven() {
    let ran = agon(&["analyse", "connect-four", "--moves", "44", "--nodes", "10", "--json"]);
    let found: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &found["first_mistake"], &found["proven"]), (0, &j!(null), &j!(0)), "{}", ran.err);
    let before = j!({"value": null, "plies": null, "proven": false, "lo": "loss", "hi": "win"});
    assert_eq!((&found["plies"][0]["before"], &found["plies"][0]["best"]), (&before, &j!(null)));
    let large = json(&["analyse", "morris:nine", "--moves", "a1 d1"]);
    assert_eq!((&large["proven"], large["plies"].as_array().unwrap().len()), (&j!(0), 2));
}

#[test]
fn analyse_annotates_tak() {
    let game = "[Size \"5\"]\n[Player1 \"me \\\"x\\\"\"]\n[Site \"here\"]\n\n1. a5 e1 2. c3 c4 3. b3 d4 4. a3 b4 5. d3 a4 6. e3\n";
    let (_dir, paths) = files(&[("game.ptn", game)]);
    let annotated = agon(&["analyse", "tak:5", &paths[0], "--ptn", "--nodes", "2000"]);
    assert_eq!(annotated.code, 0, "{}", annotated.err);
    for part in
        ["[Player1 \"me \\\"x\\\"\"]", "[Site \"here\"]", "5. d3 a4 {loss in 1 for black, proven}", "6. e3\nR-0"]
    {
        assert!(annotated.out.contains(part), "{part}\n{}", annotated.out);
    }
    // The written file reads back as the same game.
    let again = agon_with_input(&["show", "tak:5", "--load", "-", "--json"], &annotated.out);
    let first = json(&["show", "tak:5", "--load", &paths[0]]);
    assert_eq!(serde_json::from_str::<Json>(&again.out).unwrap()["position"], first["position"], "{}", again.err);
    assert_eq!(agon(&["analyse", "tak:5", &paths[0], "--ptn", "--json"]).code, 2);
}

#[test]
fn analyse_keeps_what_the_file_says_about_the_game() {
    let game = "[Size \"5\"]\n\n{corners first}\n1. a5 e1 2. c3! {the middle} c4\n\n{2w1}\n2. d3 {calm} d4\n";
    let (_dir, paths) = files(&[("game.ptn", game)]);
    let annotated = agon(&["analyse", "tak:5", &paths[0], "--ptn", "--nodes", "500"]);
    for part in ["{corners first}", "c3!", "{the middle}", "d3 {calm} d4"] {
        assert!(annotated.out.contains(part), "{part}\n{}{}", annotated.out, annotated.err);
    }
}

#[test]
fn puzzles_come_from_played_games_too() {
    let games = [("a.txt", "b2 b1 a1 c3 a3 a2 c1"), ("b.txt", "b2 b1 a1 c3")];
    let (_dir, paths) = files(&games);
    let found = json(&["puzzles", "tic-tac-toe", &paths[0], &paths[1]]);
    let positions: Vec<&str> =
        found["puzzles"].as_array().unwrap().iter().map(|puzzle| puzzle["position"].as_str().unwrap()).collect();
    let line = json(&["analyse", "tic-tac-toe", &paths[0]]);
    let only = |pos: &&str| {
        let values = json(&["show", "tic-tac-toe", pos, "--values"]);
        let wins = values["values"].as_array().unwrap().iter().filter(|worth| worth["value"] == "win").count();
        wins == 1
    };
    assert_eq!((found["plays"].as_u64(), line["plies"].as_array().unwrap().len()), (Some(0), 7));
    assert!(!positions.is_empty() && positions.iter().all(only), "{positions:?}");
    let none = agon(&["puzzles", "tic-tac-toe", &paths[1], "--kind", "save", "--nodes", "1"]);
    assert_eq!(none.code, 1, "{}", none.out);
}

#[test]
fn puzzles_are_written_in_every_form() {
    let found = json(&["puzzles", "tic-tac-toe", "--count", "4", "--seed", "3"]);
    let puzzles = found["puzzles"].as_array().unwrap();
    assert_eq!((puzzles.len(), &found["kind"], &found["seed"]), (4, &j!("win"), &j!(3)));
    let csv = agon(&["puzzles", "tic-tac-toe", "--count", "4", "--seed", "3", "--csv"]).out;
    assert_eq!(csv.lines().count(), 5, "{csv}");
    for (puzzle, line) in puzzles.iter().zip(csv.lines().skip(1)) {
        let position = puzzle["position"].as_str().unwrap();
        assert!(line.starts_with(&format!("\"mnk:3,3,3\",win,{position},")), "{line}");
        // The values of all moves say the same.
        let values = json(&["show", "tic-tac-toe", position, "--values"]);
        let won = |value: &&Json| value["value"] == "win";
        let winning: Vec<&Json> = values["values"].as_array().unwrap().iter().filter(won).collect();
        assert_eq!((winning.len(), &winning[0]["move"]), (1, &puzzle["solution"]), "{position}");
    }
    let text = agon(&["puzzles", "antrin:3", "--kind", "save", "--count", "1"]).out;
    assert!(text.contains("to move and save the draw (grade") && text.contains("\nsolutions\n1. "), "{text}");
    let none = agon(&["puzzles", "nim:2+3", "--kind", "save", "--count", "2", "--json"]);
    assert!(none.code == 1 && none.err.contains("0 puzzles instead of 2"), "{}", none.err);
    let stopped = agon(&["puzzles", "connect-four", "--time", "0"]);
    assert!(stopped.code == 1 && stopped.out.contains("0 puzzles"), "{}{}", stopped.out, stopped.err);
    assert_eq!(agon(&["puzzles", "tic-tac-toe", "--csv", "--json"]).code, 2);
    assert!(agon(&["puzzles", "tic-tac-toe", "--from", "start"]).err.contains("`agon puzzles` does not take --from"));
}

/// The tree of Ellie on 2×3 in the talk of Heubach, Chinn, Dufour and Stevens: two moves win, two lead to one more move.
#[test]
fn the_tree_of_a_small_game_has_every_play() {
    let tree = json(&["tree", "ellie:3x2"]);
    let nodes = tree["nodes"].as_array().unwrap();
    assert_eq!((&tree["complete"], &nodes[0]["value"], &nodes[0]["nimber"]), (&j!(true), &j!("win"), &j!(2)));
    let plays = |ply: u64| {
        nodes.iter().filter(|node| node["ply"] == ply).map(|node| node["plays"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((plays(1), plays(2)), (8, 4));
    // Of eight moves, four leave an L and four do not, and the rest is rotation and reflection.
    assert_eq!(nodes.iter().map(|node| node["ply"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 1, 2]);
    // Values follow from the values of the moves: every position, without a solver.
    for (i, node) in nodes.iter().enumerate().filter(|(_, node)| node["over"] == false) {
        let led = nodes.iter().filter(|other| other["from"].as_array().unwrap().iter().any(|by| by["node"] == i));
        let some_lost = led.clone().any(|other| other["value"] == "loss");
        assert_eq!(node["value"] == "win", some_lost, "{node}");
        let options: Vec<u64> = led.map(|other| other["nimber"].as_u64().unwrap()).collect();
        let mex = (0..).find(|value| !options.contains(value)).unwrap();
        assert_eq!(node["nimber"], mex, "{node}");
    }
    let text = agon(&["tree", "ellie:3x2"]).out;
    assert!(text.contains("├─ ") && text.contains("└─ ") && text.contains("P · 0") && text.contains("N · 1"), "{text}");
}

#[test]
fn a_value_that_takes_too_long_is_left_open() {
    let tree = json(&["tree", "connect-four", "--most", "1"]);
    let nodes = tree["nodes"].as_array().unwrap();
    assert_eq!((nodes.len(), &nodes[0]["value"], &nodes[0]["cut"]), (1, &j!(null), &j!(true)));
    assert!(agon(&["tree", "connect-four", "--most", "1"]).out.contains("?"));
}

/// The placements of Antrin's thesis: unique boards, with the number of sequences that lead to each.
#[test]
fn merged_trees_count_the_plays_to_each_board() {
    let tree = json(&["tree", "antrin:3", "--plies", "3", "--merge"]);
    let nodes = tree["nodes"].as_array().unwrap();
    for (ply, boards, sequences) in [(1, 3, 9), (2, 12, 72), (3, 38, 504)] {
        let own: Vec<_> = nodes.iter().filter(|node| node["ply"] == ply).collect();
        let plays: u64 = own.iter().map(|node| node["plays"].as_u64().unwrap()).sum();
        assert_eq!((own.len(), plays), (boards, sequences), "ply {ply}");
    }
    assert_eq!(tree["complete"], false);
}

#[test]
fn trees_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tree.svg");
    let ran = agon(&["tree", "tic-tac-toe", "XOX/.O./...", "--plies", "2", "--svg", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert_eq!(svg.matches("class=\"edge\"").count() + 1, svg.matches("class=\"value\"").count());
    assert!(svg.contains("draw") && svg.contains("o wins in"), "{svg}");
    assert_eq!(agon(&["tree", "tic-tac-toe", "--most", "0"]).code, 2);
    assert_eq!(agon(&["tree", "tic-tac-toe", "XXX/XXX/XXX"]).code, 2);
}
