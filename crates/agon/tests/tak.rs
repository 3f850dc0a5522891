//! Tak as a person meets it.

mod common;

use common::{agon, agon_with_input, json};

#[test]
fn perft_counts_from_a_tps() {
    let tps = "x2,2,x,2/x,12,x,12,x/212,x2,2121C,x/x,1,112221,1,1/x5 2 21";
    let answer = json(&["perft", "tak:5", "3", "--from", tps, "--divide"]);
    assert_eq!(answer["counts"], serde_json::json!([85, 11204, 956_736]));
    let divided: u64 = answer["divide"].as_array().unwrap().iter().map(|d| d["count"].as_u64().unwrap()).sum();
    assert_eq!(divided, 956_736);
}

#[test]
fn three_by_three_is_solved_and_its_certificate_checked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tak3.agon");
    let path = file.to_str().unwrap();
    let answer = json(&["solve", "tak:3", "--certificate", path]);
    assert_eq!((&answer["value"], &answer["plies"]), (&"win".into(), &13.into()));
    let firsts = answer["first_moves"].as_array().unwrap();
    let mut plies: Vec<u64> = firsts.iter().map(|m| m["plies"].as_u64().unwrap()).collect();
    plies.sort_unstable();
    assert_eq!(plies, [13, 13, 15]);
    let checked = json(&["check", path]);
    assert_eq!(checked["holds"], true, "{checked}");
}

#[test]
fn a_tinue_is_proved_and_its_certificate_checked() {
    // Row 3 and column c both lack one square after c3.
    let tps = "x2,1,x2/x2,1,x2/1,1,x,1,x/2,2,1,x,2/2,2,x,2,x 1 9";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tinue.agon");
    let path = file.to_str().unwrap();
    let answer = json(&["solve", "tak:5", "--method", "proof-number", "--from", tps, "--certificate", path]);
    assert_eq!(answer["value"], "win", "{answer}");
    assert_eq!(json(&["check", path])["holds"], true);
}

#[test]
fn every_puzzle_is_proved_and_its_certificate_checked() {
    let dir = tempfile::tempdir().unwrap();
    let data = include_str!("../../games/tests/data/tak-tinue.txt");
    for (i, line) in data.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let fields: Vec<&str> = line.split(" | ").collect();
        let (game, within, tps) = (fields[0], fields[2].parse::<u32>().unwrap(), fields[3]);
        let file = dir.path().join(format!("{i}.agon"));
        let path = file.to_str().unwrap();
        let answer = json(&["solve", game, "--method", "proof-number", "--from", tps, "--certificate", path]);
        assert_eq!(answer["value"], "win", "{line}");
        let checked = json(&["check", path]);
        let said = checked["statement"].as_str().unwrap();
        let plies: u32 = said.split(' ').filter_map(|word| word.parse().ok()).next_back().unwrap();
        assert!(checked["holds"] == true && plies <= within, "{line}: {said}");
    }
}

#[test]
fn draws_near_the_end_are_solved_and_certified() {
    // Black to move can end the game level, and White can level it after anything else.
    let tps = "1S,1S,1S,1S,1S,222222221S,x,222222221S/1S,1S,1S,1S,1S,211S,222222222C,x/\
               1S,1S,1S,1S,1S,1S,211S,222222221S/2S,2S,2S,2S,2S,2S,2S,2S/2S,2S,2S,2S,2S,2S,2S,2S/\
               1S,1S,1S,1S,1S,1S,1S,1S/1S,1S,1S,1S,1S,1S,1S,1S/11S,11S,11S,1S,1S,1S,1S,1S";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("zugzwang.agon");
    let path = file.to_str().unwrap();
    for (turn, value) in [("1", "loss"), ("2", "draw")] {
        let from = format!("{tps} {turn} 60");
        let answer = json(&["solve", "tak:8", "--from", &from, "--certificate", path]);
        assert_eq!(answer["value"], value, "{answer}");
        assert_eq!(json(&["check", path])["holds"], true);
    }
}

#[test]
fn on_a_single_column_the_first_stone_loses() {
    for game in ["tak:1x1", "tak:1x4", "tak:5x1"] {
        let answer = json(&["solve", game]);
        assert_eq!((&answer["game"], &answer["value"], &answer["plies"]), (&game.into(), &"loss".into(), &1.into()));
    }
}

#[test]
fn an_open_value_says_what_is_proven() {
    let ran = agon(&["solve", "tak:4", "--nodes", "5000", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&answer["value"], ran.code), (&"unknown".into(), 1));
    assert!(answer["none_within"].as_u64().unwrap() >= 5, "{answer}");
}

#[test]
fn perft_with_a_table_counts_the_same() {
    let plain = json(&["perft", "tak:4", "5", "--divide"]);
    assert_eq!(plain["counts"], serde_json::json!([16, 240, 7440, 216_464, 6_468_872]));
    for mib in ["1", "64"] {
        let table = json(&["perft", "tak:4", "5", "--divide", "--table", mib]);
        assert_eq!((&table["counts"], &table["divide"]), (&plain["counts"], &plain["divide"]));
    }
    assert_eq!(agon(&["perft", "tak:4", "2", "--table", "0"]).code, 2);
}

#[test]
fn positions_are_counted_and_bounded() {
    let answer = json(&["count", "tak:3", "--plies", "3"]);
    let classes: Vec<u64> =
        answer["plies"].as_array().unwrap().iter().map(|ply| ply["classes"].as_u64().unwrap()).collect();
    assert_eq!((classes[1], classes[2]), (3, 12));
    // Beljaards, Table 4.1.
    assert_eq!(answer["positions_at_most"].as_u64(), Some(96_317_109_784_544));
    assert_eq!(answer["closed"], false);
    let whole = json(&["count", "tak:2x2,flats=2"]);
    assert_eq!((&whole["closed"], &whole["cut"]), (&true.into(), &serde_json::Value::Null));
}

#[test]
fn hints_show_what_is_proven() {
    // Either side completes a road at once. Two plies settle every move, so the hint does not wait for its time.
    let players = ["--first", "human", "--second", "human", "--time", "100000"];
    let from = ["play", "tak:2x2", "--from", "2,x/x,1 1 2"];
    let ran = agon_with_input(&[&from[..], &players[..]].concat(), "hint\nquit\n");
    for (mv, worth) in
        [("* a1 ", "▲1   wins in 1 ply"), ("* b2 ", "▲1   wins in 1 ply"), ("  Sa1", "▼2   loses in 2 plies")]
    {
        assert!(ran.out.contains(&format!("{mv}    {worth}")), "{mv}: {}{}", ran.out, ran.err);
    }
    let open = ["play", "tak:5"];
    let players = ["--first", "human", "--second", "human", "--time", "0.3"];
    let ran = agon_with_input(&[&open[..], &players[..]].concat(), "hint\nquit\n");
    assert!(ran.out.contains("nothing is proven of the 25 moves"), "{}{}", ran.out, ran.err);
}

#[test]
fn games_are_loaded_and_saved_as_ptn() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("a.ptn"), dir.path().join("b.ptn"));
    std::fs::write(&from, "[Size \"3\"]\n[Unknown \"x\"]\n\n1. a3 {corner} c1!\n2. c2'' a2\n3. b2?!\n").unwrap();
    let input = format!("b1\nsave {}\nquit\n", to.display());
    let players = ["--first", "human", "--second", "human"];
    let ran = agon_with_input(&[&["play", "tak:3", "--load", from.to_str().unwrap()], &players[..]].concat(), &input);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let saved = std::fs::read_to_string(&to).unwrap();
    assert_eq!(saved, "[Size \"3\"]\n\n1. a3 c1\n2. c2 a2\n3. b2 b1\n");
    std::fs::write(&from, "[Size \"3\"]\n1. a3 c9\n").unwrap();
    let ran = agon(&[&["play", "tak:3", "--load", from.to_str().unwrap()], &players[..]].concat());
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("ply 2: invalid move `c9`: expected one of "), "{}", ran.err);
}

#[test]
fn boards_show_stacks_reserves_and_flat_counts() {
    let ran = agon(&["show", "tak:3", "x,1,2S/x,212,x/1,x2 1 6"]);
    for part in
        ["●○●", "▮", "white: reserve 7 stones", "flats on top 2", "TPS x,1,2S/x,212,x/1,x2 1 6", "white to move"]
    {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
}

#[test]
fn what_is_not_offered_is_refused_with_a_reason() {
    for (args, why) in [
        (&["solve", "tak:3", "--strong"][..], "no method `strong` for tak:3: expected alphabeta, proof-number"),
        (&["verify", "tak:3", "any"], "tak:3 has no strategies"),
        (&["solve", "tak:3", "--method", "brute"], "expected alphabeta, proof-number"),
        (&["play", "tak:3", "--second", "nobody"], "human, random, weighted, mc, mcts, negamax, perfect"),
        (&["show", "tak:9"], "size must be 3..=8"),
        (&["solve", "tic-tac-toe", "--method", "proof-number"], "alphabeta"),
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{args:?}: {}", ran.err);
    }
}
