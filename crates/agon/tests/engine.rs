//! `agon engine` as a program that another one talks to, and `engine:COMMAND` in the arena.
#![cfg(unix)]

mod common;

use common::{Ran, agon, agon_with_input, json};
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_agon");

/// What the engine says to these lines.
fn said(args: &[&str], lines: &str) -> Vec<String> {
    let Ran { code, out, err } = agon_with_input(&[&["engine"], args].concat(), lines);
    assert_eq!(code, 0, "{err}");
    out.lines().map(String::from).collect()
}

fn last(args: &[&str], lines: &str) -> String {
    said(args, lines).last().cloned().unwrap_or_default()
}

#[test]
fn it_introduces_itself_and_plays_every_game() {
    let hello = said(&["connect-four"], "ugi\nisready\n").join("\n");
    for line in
        ["id name agon", "option name Game type string default drop:7,6,4", "option name MultiPV", "ugiok\nreadyok"]
    {
        assert!(hello.contains(line), "{hello}");
    }
    let rules = agon::registry::standard();
    for entry in rules.entries() {
        let game = entry.build(&entry.facts.family).unwrap();
        let lines = "uginewgame\nposition startpos\ngo nodes 1\n";
        let answer = last(&[&entry.facts.family, "--player", "random"], lines);
        let mv = answer.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{}: {answer}", entry.facts.family));
        assert!(game.play(&game.start(), mv).is_ok(), "{}: {answer}", entry.facts.family);
    }
}

#[test]
fn it_finds_wins_and_says_what_it_has_proven() {
    let won = "position fen XX./OO./...\ngo movetime 100000\n";
    assert_eq!(last(&["tic-tac-toe"], won), "bestmove c3");
    let lines = said(&["tic-tac-toe", "--player", "negamax"], "position fen XX./OO./...\ngo depth 3\n");
    assert!(lines.iter().any(|line| line.contains("score cp 29999") && line.ends_with("pv c3")), "{lines:?}");
    let several = "setoption name MultiPV value 3\nposition startpos\ngo depth 2\n";
    let lines = said(&["connect-four", "--player", "negamax"], several);
    for k in 1..=3 {
        assert!(lines.iter().any(|line| line.contains(&format!(" multipv {k} pv "))), "{lines:?}");
    }
    let counted = said(&["tak:4", "--player", "mcts"], "position startpos moves a1 d4\ngo nodes 300\n");
    assert!(counted.iter().any(|line| line.contains("nodes 300 score cp ")), "{counted:?}");
}

#[test]
fn queries_are_answered_by_the_rules() {
    let ask =
        |position: &str| said(&["tic-tac-toe"], &format!("{position}\nquery p1turn\nquery gameover\nquery result\n"));
    for (position, answers) in [
        ("position startpos", ["true", "false", "none"]),
        ("position startpos moves b2", ["false", "false", "none"]),
        ("position fen XXX/OO./...", ["false", "true", "p1win"]),
        ("position fen XX./OOO/X..", ["false", "true", "p2win"]),
        ("position startpos moves b2 a1 c3 a3 a2 c2 b1 b3 c1", ["false", "true", "draw"]),
    ] {
        assert_eq!(ask(position), answers.map(|answer| format!("response {answer}")), "{position}");
    }
    assert!(last(&["tic-tac-toe"], "query weather\n").starts_with("info string no query `weather`: expected p1turn"));
    assert_eq!(last(&["tic-tac-toe"], "position fen XXX/OO./...\ngo depth 1\n"), "bestmove none");
}

#[test]
fn the_game_and_the_player_can_be_chosen_in_the_conversation() {
    let lines = "setoption name Game value connect-four\nsetoption name Player value level:1\nposition startpos moves d d\n\
                 query p1turn\ngo movetime 100000\n";
    let answers = said(&[], lines);
    assert_eq!(answers[0], "response true");
    assert!(answers.last().is_some_and(|line| line.starts_with("bestmove ") && line.len() == 10), "{answers:?}");
    assert!(said(&[], "position startpos\ngo depth 1\n")[0].starts_with("info string no game is chosen"));
    for wrong in [
        "setoption name Game value chess",
        "setoption name Game value board:/etc/passwd",
        "setoption name Player value nobody",
        "setoption name Player value learned:/etc/passwd",
        "setoption name Hash value 0",
        "position startpos moves b2 b2",
        "position fen garbage",
    ] {
        let lines = format!("position startpos moves b2\n{wrong}\nquery p1turn\n");
        let answers = said(&["tic-tac-toe"], &lines);
        assert!(answers[0].starts_with("info string "), "{wrong}: {answers:?}");
        assert_eq!(answers[1], "response false", "{wrong}: the position stays");
    }
    assert_eq!(agon(&["engine", "chess"]).code, 2);
    assert_eq!(agon(&["engine", "tic-tac-toe", "--player", "nobody"]).code, 2);
}

#[test]
fn stop_works_at_any_moment_and_garbage_does_no_harm() {
    let lines = "stop\ngo infinite\nisready\nstop\ngo infinite\ngo infinite\nposition startpos moves b2\nstop\nquit\n";
    let answers = said(&["tic-tac-toe"], lines);
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove ")).count(), 3, "{answers:?}");
    let mut garbage = String::from("\u{0}\u{7f}\ngo\nstop\nsetoption\nposition fen\nposition\nquery\nugi ugi\n");
    garbage.push_str(&"a".repeat(3 << 20));
    garbage.push_str("\nisready\nposition startpos\ngo nodes 10\n");
    assert!(last(&["tic-tac-toe"], &garbage).starts_with("bestmove "));
}

/// The example of the page about engines.
fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    path.canonicalize().unwrap().to_str().unwrap().to_string()
}

fn has_python() -> bool {
    std::process::Command::new("python3").arg("--version").output().is_ok_and(|ran| ran.status.success())
}

#[test]
fn the_page_about_engines_shows_the_example_as_it_is() {
    let page = include_str!("../../../docs/engines.md");
    let code = std::fs::read_to_string(example()).unwrap();
    assert!(page.contains(&format!("```python\n{code}```")), "docs/engines.md does not show examples/engine.py");
    assert!(code.lines().count() <= 40, "the page says less than forty lines");
}

#[test]
fn the_example_in_python_plays_whole_games_in_the_arena() {
    if !has_python() {
        return;
    }
    let engine = format!("engine:python3 '{}'", example());
    let report =
        json(&["arena", "connect-four", &engine, "random", "--games", "10", "--time", "100", "--start-time", "100"]);
    assert_eq!((&report["games"], &report["standings"][0]["forfeits"]), (&10.into(), &0.into()), "{report}");
    assert!(report["meetings"][0]["score"]["value"].as_f64().unwrap() >= 0.8, "{report}");
    // It reads positions too, and boards of another size.
    let book = ["arena", "drop:5,5,4", &engine, "random", "--games", "4", "--opening-plies", "2", "--time", "100"];
    let report = json(&book);
    assert_eq!(report["standings"][0]["forfeits"], 0, "{report}");
}

#[test]
fn agon_plays_itself_through_the_protocol() {
    let engine = format!("engine:'{PROGRAM}' engine --player random");
    for game in ["tic-tac-toe", "nim:3+5", "antrin:3", "tak:3"] {
        let players = [&engine, "random"];
        let report =
            json(&[&["arena", game], &players[..], &["--games", "4", "--time", "100", "--start-time", "100"]].concat());
        assert_eq!((&report["games"], &report["standings"][0]["forfeits"]), (&4.into(), &0.into()), "{game}: {report}");
    }
}

#[test]
fn engines_that_do_not_speak_it_are_refused_or_lose() {
    for (player, why) in [
        ("engine:", "expected a command"),
        ("engine:/no/such/engine", "cannot start it"),
        ("engine:'open", "quotation mark"),
    ] {
        let ran = agon(&["arena", "tic-tac-toe", "random", player]);
        assert!(ran.code == 2 && ran.err.contains(why), "{player}: {}", ran.err);
    }
    let report = json(&["arena", "tic-tac-toe", "engine:cat", "random", "--games", "2", "--start-time", "0.5"]);
    assert_eq!(report["standings"][0]["forfeits"], 2, "{report}");
}

#[test]
fn a_file_that_names_an_engine_runs_it_only_if_that_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("match.sqlite");
    let (name, engine) = (file.to_str().unwrap(), format!("engine:'{PROGRAM}' engine --player random"));
    let base = ["arena", "tic-tac-toe", &engine, "random", "--games", "4", "--time", "100", "--out", name];
    assert_eq!(agon(&[&base[..], &["--shard", "1/2"]].concat()).code, 0);
    let refused = agon(&["arena", "--resume", name]);
    assert!(refused.code == 2 && refused.err.contains("--allow-programs"), "{}", refused.err);
    let resumed = json(&["arena", "--resume", name, "--allow-programs"]);
    assert_eq!(resumed["games"], 4, "{resumed}");
}
