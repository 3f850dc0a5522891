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
    let answer = json(&["solve", "tak:5", "--solver", "proof-number", "--from", tps, "--certificate", path]);
    assert_eq!(answer["value"], "win", "{answer}");
    assert_eq!(json(&["check", path])["holds"], true);
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
        (&["count", "tak:3"][..], "play can go round"),
        (&["solve", "tak:3", "--strong"], "--strong is not offered"),
        (&["solve", "tak:3", "--solver", "brute"], "alphabeta or proof-number"),
        (&["play", "tak:3", "--second", "nobody"], "human, random, perfect"),
        (&["show", "tak:9"], "size must be 3..=8"),
        (&["solve", "tic-tac-toe", "--solver", "proof-number"], "alphabeta"),
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{args:?}: {}", ran.err);
    }
}
