//! `agon grade` as a person or a script calls it, and the texts that it reads.

mod common;

use agon::grade::reading::{Reading, read};
use common::{agon, agon_with_input};
use serde_json::{Value as Json, json as j};

fn graded(game: &str, input: &str) -> Json {
    let ran = agon_with_input(&["grade", game, "-", "--json"], input);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", ran.out, ran.err))
}

fn readings(game: &str, text: &str) -> Vec<Reading> {
    read(agon::registry::standard().game(game).unwrap().as_ref(), text)
}

/// The moves of each game, or the reason why it is none.
fn moves(game: &str, text: &str) -> Vec<String> {
    let one = |reading: &Reading| match reading {
        Ok(written) => written.moves.join(" "),
        Err(unread) => format!("{}: {}", unread.place, unread.why),
    };
    readings(game, text).iter().map(one).collect()
}

/// Three games of two players. After b2, o must take a corner, else x wins.
const LINES: &str = r#"
{"players": ["ada", "bob"], "moves": "b2 b1 a1 c3 a3 a2 c1"}
{"players": ["bob", "ada"], "moves": ["b2", "a1", "c3", "a3", "a2", "c2", "b1", "b3", "c1"]}
{"players": {"first": "ada", "second": "bob"}, "history": [4, 4]}
"#;

#[test]
fn players_are_graded_over_all_of_their_games() {
    let report = graded("tic-tac-toe", LINES);
    let [ada, bob] = [&report["players"][0], &report["players"][1]];
    assert_eq!((&ada["name"], &bob["name"]), (&j!("ada"), &j!("bob")));
    assert_eq!((&ada["games"], &ada["moves"], &ada["illegal"]), (&j!(3), &j!(9), &j!(0)), "{ada}");
    assert_eq!((&bob["games"], &bob["moves"], &bob["illegal"]), (&j!(3), &j!(8), &j!(1)), "{bob}");
    assert_eq!((&ada["kept"], &bob["kept"]), (&j!(9), &j!(7)));
    assert_eq!(bob["given_away"], j!({"win_to_draw": 0, "draw_to_loss": 1, "win_to_loss": 0}));
    assert_eq!(bob["sides"], j!({"first": 1, "second": 2}));
    assert_eq!(ada["results"], j!({"won": 1, "drawn": 1, "lost": 0, "unfinished": 1}));
    assert_eq!((&bob["proven"], &bob["open"]), (&j!(8), &j!(0)));
    let interval = bob["kept_share"]["interval"].as_array().unwrap();
    // Wilson's interval for 7 of 8.
    assert!((interval[0].as_f64().unwrap() - 0.5291).abs() < 1e-3, "{interval:?}");
    assert!((interval[1].as_f64().unwrap() - 0.9776).abs() < 1e-3, "{interval:?}");
    assert_eq!(bob["first_mistake"], j!({"games": 1, "earliest": 2, "median": 2}));
    let faults = bob["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2);
    let mistake = &faults[0];
    assert_eq!((&mistake["kind"], &mistake["move"], &mistake["ply"]), (&j!("draw-to-loss"), &j!("b1"), &j!(2)));
    assert_eq!((&mistake["position"], &mistake["first"]), (&j!(".../.X./..."), &j!(true)));
    assert_eq!(mistake["line"][0], mistake["best"]);
    let illegal = &faults[1];
    assert_eq!((&illegal["kind"], &illegal["move"], &illegal["game"]), (&j!("illegal"), &j!("b2"), &j!(3)));
    assert!(illegal["why"].as_str().unwrap().contains("b2"), "{illegal}");
    let last = &report["games"][2];
    assert_eq!((&last["illegal"], &last["moves"], &last["place"]), (&j!(2), &j!(["b2"]), &j!("line 3")), "{last}");
}

#[test]
fn it_is_the_analysis_summed_over_games() {
    let report = graded("tic-tac-toe", LINES);
    let analysed = common::json(&["analyse", "tic-tac-toe", "--moves", "b2 b1 a1 c3 a3 a2 c1"]);
    assert_eq!(report["games"][0]["first_mistake"], analysed["first_mistake"]);
    assert_eq!(report["games"][0]["proven"], analysed["proven"]);
    let fault = &report["players"][1]["faults"][0];
    assert_eq!((&fault["line"], &fault["best"]), (&analysed["plies"][1]["line"], &analysed["plies"][1]["best"]));
}

#[test]
fn a_slower_win_keeps_the_value_and_loses_distance() {
    // x wins at once with c3, and later with a1.
    let slow = graded("tic-tac-toe", r#"{"from": "XX./OO./...", "moves": "a1 c2"}"#);
    assert_eq!(slow["players"][0]["given_away"]["win_to_loss"], 1, "{slow}");
    let late = graded("nim:3+5+7", "3>2 7>6\n3>2 5>1\n");
    let second = &late["players"][1];
    assert_eq!((&second["name"], &second["kept"]), (&j!("second"), &j!(2)), "{late}");
    let won = graded("mnk:4,4,3", r#"{"moves": "b3 a1 d1"}"#);
    let first = &won["players"][0];
    assert!(first["distance"]["of"].as_u64() >= Some(1), "{won}");
}

#[test]
fn every_form_of_a_game_is_read() {
    let (d, c4) = ("drop:7,6,4", "connect-four");
    for (game, text, expected) in [
        ("tic-tac-toe", "b2 a1 c3", &["b2 a1 c3"][..]),
        ("tic-tac-toe", "b2 a1\nc3 a3\n\n# a comment\nb1", &["b2 a1", "c3 a3", "b1"]),
        ("tic-tac-toe", "1. b2 a1\n2. c3 a3\n1. b1", &["b2 a1 c3 a3", "b1"]),
        ("tic-tac-toe", "b2 {a comment\nover lines} a1\nc3", &["b2 a1", "c3"]),
        ("tic-tac-toe", "[X \"ada\"]\n[O \"bob\"]\nb2 a1\n\n[X \"bob\"]\nc3 *", &["b2 a1", "c3"]),
        ("tic-tac-toe", "agon-game 1\nmoves b2 a1\n\nagon-game 1\nmoves c3\n", &["b2 a1", "c3"]),
        ("tic-tac-toe", "[4, 0, 8]", &["b2 a3 c1"]),
        ("tic-tac-toe", "[[4, 0], [\"a1\", \"b2\"]]", &["b2 a3", "a1 b2"]),
        ("tic-tac-toe", "{\"history\": \"4, 0, 8\"}", &["b2 a3 c1"]),
        ("tic-tac-toe", "{\"game\": \"tic_tac_toe\", \"actions\": [4, 99]}", &["b2 action 99"]),
        ("tic-tac-toe", "{\"moves\": [{\"player\": \"ada\", \"move\": \"b2\"}, {\"move\": null}]}", &["b2 null"]),
        (
            "tic-tac-toe",
            "{\"game\": \"mnk:3,3,3\", \"games\": [{\"moves\": \"b2\"}, {\"moves\": \"a1\"}]}",
            &["b2", "a1"],
        ),
        ("mnk:5,4,4", "{\"game\": \"mnk(m=5,n=4,k=4)\", \"history\": [0, 19]}", &["a4 e1"]),
        (c4, "4455", &["4 4 5 5"]),
        (c4, "[3, 3, 4, 4]", &["d d e e"]),
        (d, "{\"game\": \"connect_four\", \"history\": [0, 6]}", &["a g"]),
        // In nim a number is a count of counters and a heap; the name of the game gives the order of the heaps.
        ("nim:3+5", "[1, 2]", &["5>4 3>1"]),
        ("nim:3+5", "{\"game\": \"nim(is_misere=False,pile_sizes=5;3)\", \"history\": [1, 2]}", &["3>2 5>3"]),
        ("nim:3+5", "[1, \"4>0\", 4, 1]", &["5>4 4>0 3>0 action 1"]),
        ("nim:3+5", "[99, -1]", &["action 99 action -1"]),
        // In nine men's morris a capture has a number of its own, and belongs to the move that closes the mill.
        ("morris:nine", "[0, 3, 1, 4, 2, 3, 5]", &["a7 b6 d7 d6 g7xb6 f6"]),
        ("morris:nine", "[0, 3, 1, 4, 2]", &["a7 b6 d7 d6"]),
        ("nine-mens-morris", "{\"game\": \"nine_mens_morris()\", \"history\": [0, 25]}", &["a7 a7-d7"]),
        ("morris:nine", "[0, 0, -1, 9223372036854775807]", &["a7 a7 action -1 action 9223372036854775807"]),
        (
            "tic-tac-toe",
            "# Automatically generated by OpenSpiel SerializeGameAndState\n[Meta]\nVersion: 1\n\n[Game]\ntic_tac_toe()\n[State]\n4\n0\n",
            &["b2 a3"],
        ),
        (
            "tak:5",
            "[Size \"5\"]\n[Player1 \"ada\"]\n\n1. a5 e1 2. c3 Sc4 0-1\n\n[Size \"5\"]\n1. a1 b2\n",
            &["a5 e1 c3 Sc4", "a1 b2"],
        ),
        ("tak:5", "[Size \"5\"]\n[Player1 \"ada\"]\n\n1. a5 a5 2. c3\n", &["a5 a5 c3"]),
    ] {
        assert_eq!(moves(game, text), expected, "{game}: {text}");
    }
}

#[test]
fn players_have_the_names_of_their_files() {
    for (game, text, names) in [
        ("tic-tac-toe", r#"{"players": ["ada", {"name": "bob"}], "moves": "b2"}"#, [Some("ada"), Some("bob")]),
        ("tic-tac-toe", r#"{"players": {"x": "ada", "o": "bob"}, "moves": "b2"}"#, [Some("ada"), Some("bob")]),
        ("tic-tac-toe", r#"{"first": "ada", "moves": "b2"}"#, [Some("ada"), None]),
        ("tic-tac-toe", "[Player2 \"bob\"]\nb2", [None, Some("bob")]),
        ("tak:5", "[Size \"5\"]\n[Player1 \"ada\"]\n[Player2 \"bob\"]\n1. a5 e1", [Some("ada"), Some("bob")]),
        ("tic-tac-toe", "b2 a1", [None, None]),
    ] {
        let read = readings(game, text).remove(0).unwrap();
        assert_eq!(read.players.each_ref().map(Option::as_deref), names, "{text}");
    }
    let unnamed = graded("tic-tac-toe", "b2 a1");
    assert_eq!((&unnamed["players"][0]["name"], &unnamed["players"][1]["name"]), (&j!("first"), &j!("second")));
}

#[test]
fn what_is_no_game_is_listed_with_its_place() {
    for (game, text, why) in [
        ("tic-tac-toe", "", "it is empty"),
        ("tic-tac-toe", "hello there", "it is no game of mnk:3,3,3: invalid move `hello`"),
        ("tic-tac-toe", "{\"moves\": \"b2\"}\n{\"moves\"", "line 2: it is not JSON"),
        ("tic-tac-toe", "{\"winner\": \"ada\"}", "none of the fields `moves`, `history`, `actions`"),
        ("tic-tac-toe", "{\"game\": \"connect_four\", \"history\": [0]}", "a game of connect_four, not mnk:3,3,3"),
        (
            "morris:six",
            "{\"game\": \"nine_mens_morris\", \"history\": [0]}",
            "a game of nine_mens_morris, not morris:six",
        ),
        ("mnk:4,4,4", "{\"game\": \"tic_tac_toe\", \"history\": [0]}", "a game of tic_tac_toe, not mnk:4,4,4"),
        ("tic-tac-toe", "{\"moves\": 7}", "must be a text or a list of moves, not `7`"),
        ("tic-tac-toe", "[true, 7]", "expected a game as an object or a list of moves, not `true`"),
        ("tak:5", "[1, 2]", "numbered moves are those of OpenSpiel, which has no tak:5: write the moves as text"),
        ("morris:six", "[1, 2]", "OpenSpiel has no board of morris:six: write the moves as text"),
        ("nim:3+5", "{\"game\": \"nim(pile_sizes=3;4)\", \"history\": [1]}", "has other heaps than 3+5"),
        ("tic-tac-toe", "{\"from\": \"XXX\", \"moves\": \"b2\"}", "invalid position `XXX`"),
        ("tak:5", "[Size \"6\"]\n1. a1 f6", "tak:6, not tak:5"),
    ] {
        let said = moves(game, text).join("; ");
        assert!(said.contains(why), "{game}: {text}: {said}");
    }
    let ran = agon_with_input(&["grade", "tic-tac-toe", "-"], "b2 a1\nhello\nc3 a1 b1 b2\n");
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("no game: standard input, line 2: it is no game"), "{}", ran.out);
    assert!(ran.out.starts_with("mnk:3,3,3: 2 games, 2 players"), "{}", ran.out);
}

#[test]
fn what_is_not_proven_is_estimated_apart() {
    let line = r#"{"players": ["ada", "bob"], "moves": "d d d d"}"#;
    let ask = |flags: &[&str]| {
        let args = [&["grade", "connect-four", "-", "--nodes", "20000", "--time", "1000"], flags].concat();
        agon_with_input(&args, line)
    };
    let report: Json = serde_json::from_str(&ask(&["--json"]).out).unwrap();
    let ada = &report["players"][0];
    assert_eq!((&ada["moves"], &ada["proven"], &ada["open"]), (&j!(2), &j!(0), &j!(2)), "{ada}");
    assert_eq!((&ada["estimated"]["moves"], &ada["kept"], &ada["kept_share"]), (&j!(2), &j!(0), &j!(null)), "{ada}");
    assert!(report["estimated_by"].is_string());
    let (mean, interval) = (ada["estimated"]["per_move"].as_f64().unwrap(), &ada["estimated"]["interval"]);
    assert!((mean - ada["estimated"]["lost"].as_f64().unwrap() / 2.0).abs() < 1e-9, "{ada}");
    assert!(interval[0].as_f64().unwrap() <= mean && mean <= interval[1].as_f64().unwrap(), "{ada}");
    let text = ask(&[]).out;
    assert!(text.contains("≈ ada: 2 moves without a proof"), "{text}");
    assert!(text.contains("4 of 4 moves have no proven value"), "{text}");
    let bare: Json = serde_json::from_str(&ask(&["--json", "--proven-only"]).out).unwrap();
    assert_eq!((&bare["players"][0]["estimated"], &bare["estimated_by"]), (&j!(null), &j!(null)));
}

#[test]
fn the_answer_is_text_csv_and_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.jsonl");
    std::fs::write(&file, LINES).unwrap();
    let (file, out) = (file.to_str().unwrap(), dir.path().join("report"));
    let ran = agon(&["grade", "tic-tac-toe", file, "--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("87.5 % [5"), "{}", ran.out);
    assert!(ran.out.contains("line 1, ply 2: b1 turns a draw into a loss at .../.X./...; better is a"), "{}", ran.out);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert!(read("grade.csv").starts_with("player,games,won,drawn,lost,unfinished,moves,illegal,"));
    assert_eq!(read("faults.csv").lines().count(), 3);
    let page = read("grade.html");
    assert!(page.contains("<svg") && page.contains("turns a draw into a loss") && page.contains("ada"), "{page:.300}");
    assert!(!page.contains("<script") && !page.contains("http-equiv"), "{page:.300}");
    let json: Json = serde_json::from_str(&read("grade.json")).unwrap();
    assert_eq!(json["players"].as_array().unwrap().len(), 2);
    let csv = agon(&["grade", "tic-tac-toe", file, "--csv"]);
    assert_eq!(csv.out, read("grade.csv"));
    for (args, said) in [
        (&["grade", "tic-tac-toe"][..], "required"),
        (&["grade", "tic-tac-toe", file, "--csv", "--json"], "give --csv or --json"),
        (&["grade", "tic-tac-toe", file, "--moves", "b2"], "does not take --moves"),
        (&["grade", "nothing", file], "nothing"),
    ] {
        let ran = agon(args);
        assert!(ran.code == 2 && ran.err.contains(said), "{args:?}: {}", ran.err);
    }
}

#[test]
fn names_of_players_cannot_write_into_the_page() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let line = r#"{"players": ["<script>alert(1)</script>", "b"], "moves": ["<img src=x>"]}"#;
    let ran = agon_with_input(&["grade", "tic-tac-toe", "-", "--out", out], line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = std::fs::read_to_string(dir.path().join("grade.html")).unwrap();
    assert!(!page.contains("<script>") && !page.contains("<img"), "{page}");
}
