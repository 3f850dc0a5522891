//! Answers: where a command begins, what it says when nothing is proven, and what it never says.

mod common;

use agon::entry::Entry;
use agon::erased::AnyGame;
use agon::registry::Registry;
use agon_check::{Certificate, Claim, Section};
use agon_core::{Ctx, Wdl};
use agon_games::mnk::Mnk;
use agon_report::words::grouped;
use agon_strategies::Text;
use common::{Ran, agon, agon_with_input, json};
use serde_json::{Value as Json, json as j};
use std::ffi::OsString;

const SAVED: &str = "agon-game 1\ngame mnk:3,3,3\nfrom .../.../...\nmoves b2 a1 c1\n";
const AFTER: &str = ".../.X./O.X";

fn read(ran: &Ran) -> Json {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{}{}", ran.out, ran.err))
}

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

#[test]
fn a_position_moves_or_a_file_mean_the_same_to_every_command() {
    let (_dir, paths) = files(&[("saved", SAVED), ("list", "1. b2 a1\n2. c1\n")]);
    let commands: [&[&str]; 5] = [
        &["show", "tic-tac-toe"],
        &["solve", "tic-tac-toe"],
        &["count", "tic-tac-toe"],
        &["perft", "tic-tac-toe", "2"],
        &["verify", "tic-tac-toe", "singh-process", "--as", "second"],
    ];
    let places: [(&[&str], &str); 8] = [
        (&["--from", AFTER], ""),
        (&["--from", "-"], ".../.X./O.X\n"),
        (&["--moves", "b2 a1 c1"], ""),
        (&["--moves", "-"], "b2 a1\nc1\n"),
        (&["--from", ".../.X./...", "--moves", "a1 c1"], ""),
        (&["--load", &paths[0]], ""),
        (&["--load", &paths[1]], ""),
        (&["--load", "-"], SAVED),
    ];
    for command in commands {
        for (place, input) in places {
            let args = [command, place, &["--json"]].concat();
            let ran = agon_with_input(&args, input);
            assert_eq!(read(&ran)["position"], AFTER, "{args:?}: {}", ran.err);
        }
    }
    for (place, input) in [(&[".../.X./...", "--moves", "a1 c1"][..], ""), (&["-"], AFTER)] {
        let ran = agon_with_input(&[&["show", "tic-tac-toe", "--json"], place].concat(), input);
        assert_eq!(read(&ran)["position"], AFTER, "{place:?}: {}", ran.err);
    }
}

#[test]
fn players_begin_there_too() {
    let (_dir, paths) = files(&[("saved", SAVED)]);
    let two = ["play", "tic-tac-toe", "--first", "random", "--second", "random", "--most-plies", "3"];
    for (place, input) in [(["--load", &paths[0]], ""), (["--load", "-"], SAVED), (["--moves", "-"], "b2 a1 c1")] {
        let played = read(&agon_with_input(&[&two[..], &place, &["--json"]].concat(), input));
        assert_eq!((&played["position"], &played["moves"]), (&j!(AFTER), &j!(["b2", "a1", "c1"])), "{place:?}");
    }
    let human = agon_with_input(&["play", "tic-tac-toe", "--moves", "-"], "b2\n");
    assert!(human.code == 2 && human.err.contains("a human plays on standard input"), "{}", human.err);
    let asked = agon_with_input(&["play", "connect-four", "--second", "human", "--moves", "44"], "55\nquit\n");
    assert!(asked.out.contains("4 moves · x to move"), "{}", asked.out);
    for (game, said) in [("connect-four", "no proof within 0 s"), ("morris:nine", "MiB of memory; the limit is")] {
        let hinted = agon_with_input(&["play", game, "--second", "human", "--time", "0"], "hint\nmoves\nquit\n");
        assert!(hinted.code == 0 && hinted.out.contains(said), "{}{}", hinted.out, hinted.err);
    }
    let arena = ["arena", "tic-tac-toe", "random", "random", "--games", "2"];
    let (ran, wrong) =
        (agon(&[&arena[..], &["--moves", "b2 a1"]].concat()), [&arena[..], &["--moves", "b2 b2"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(agon(&wrong).err.contains("move 2: invalid move `b2`"));
}

#[test]
fn tables_are_asked_about_moves_and_games_in_files() {
    let (dir, paths) = files(&[("list", "a1 b2")]);
    let folder = dir.path().join("tables");
    let folder = folder.to_str().unwrap();
    assert_eq!(agon(&["solve", "antrin:3", "--strong", "--table", folder, "--quiet"]).code, 0);
    let probe = |place: &[&str]| json(&[&["table", "probe", folder], place].concat());
    let (moves, list) = (probe(&["--moves", "a1 b2"]), probe(&["--load", &paths[0]]));
    assert_eq!(moves, list);
    assert_ne!(moves["position"], probe(&[])["position"]);
    let values = json(&["show", "antrin:3", "--values", "--table", folder, "--moves", "a1 b2"]);
    assert_eq!((&values["position"], values["values"].as_array().map(Vec::len)), (&moves["position"], Some(7)));
}

#[test]
fn connect_four_reads_digits_and_prints_letters() {
    let played = read(&agon(&[
        "play",
        "connect-four",
        "--first",
        "random",
        "--second",
        "random",
        "--moves",
        "4455",
        "--most-plies",
        "4",
        "--json",
    ]));
    assert_eq!(played["moves"], j!(["d", "d", "e", "e"]));
    let spaced = json(&["show", "connect-four", "--moves", "4 4 e 5"]);
    assert_eq!(spaced["position"], json(&["show", "connect-four", "--moves", "4455"])["position"]);
    let wide = json(&["show", "drop:12,4,4", "--moves", "12 1"]);
    assert_eq!(wide["position"], "............/............/............/O..........X");
}

#[test]
fn games_of_tak_are_read_wherever_a_position_is() {
    let ptn = "[Size \"5\"]\n\n1. a5 e1\n2. c3 c4 {a remark}\n";
    let (_dir, paths) = files(&[("game.ptn", ptn), ("wrong.ptn", "[Size \"5\"]\n\n1. a5 a5\n")]);
    let shown = json(&["show", "tak:5", "--load", &paths[0]]);
    assert_eq!(shown["position"], json(&["show", "tak:5", "--moves", "a5 e1 c3 c4"])["position"]);
    let solved = json(&["solve", "tak:5", "--load", &paths[0], "--nodes", "100"]);
    assert_eq!(solved["position"], shown["position"]);
    let other = agon(&["show", "tak:6", "--load", &paths[0]]);
    assert!(other.code == 2 && other.err.contains("the saved game is tak:5, not tak:6"), "{}", other.err);
    let wrong = agon(&["show", "tak:5", "--load", &paths[1]]);
    assert!(wrong.code == 4 && wrong.err.contains("wrong.ptn") && wrong.err.contains("a5"), "{}", wrong.err);
}

#[test]
fn what_is_wrong_with_a_place_is_said_in_one_line() {
    let (dir, paths) = files(&[
        ("saved", SAVED),
        ("empty", ""),
        ("nul", "b2 \0 a1"),
        ("other", "agon-game 1\ngame mnk:4,4,4\nfrom start\nmoves\n"),
        ("late", "b2 a1 c3 a3 a2 c2 b1 b3 c1 a1"),
    ]);
    let folder = dir.path().to_str().unwrap();
    let long = "b2 ".repeat(100_000);
    for (place, input, code, needles) in [
        (&["--moves", "b2 zz"][..], "", 2, &["move 2: invalid move `zz`", "expected one of a3"][..]),
        (&["--moves", "b2 a1 c3 a3 a2 c2 b1 b3 c1 a1"], "", 2, &["move 10: invalid move `a1`: the play is over"]),
        (&["--moves", "-"], &long, 2, &["move 2: invalid move `b2`: that cell is taken"]),
        (&["--moves", "-"], "b2\0", 2, &["move 1: invalid move `b2␣`"]),
        (&["--from", "-"], "", 2, &["standard input is empty: expected a position"]),
        (&["--from", "-", "--moves", "-"], "b2", 2, &["`-` can be used only once"]),
        (&["--from", AFTER, "--load", &paths[0]], "", 2, &["leave --load or the position out"]),
        (&["--moves", "b2", "--load", &paths[0]], "", 2, &["leave --load or --moves out"]),
        (&["--load", &paths[1]], "", 4, &["empty`: it is empty: expected"]),
        (&["--load", "-"], "", 4, &["standard input: it is empty: expected"]),
        (&["--load", &paths[2]], "", 4, &["move 2: invalid move `␣`"]),
        (&["--load", &paths[3]], "", 2, &["the saved game is mnk:4,4,4, not mnk:3,3,3"]),
        (&["--load", &paths[4]], "", 4, &["late`: move 10: invalid move `a1`: the play is over"]),
        (&["--load", folder], "", 1, &["cannot read"]),
        (&["--load", "-"], "agon-game 1\nmovs b2", 4, &["line 2: expected `game …`, `from …` or `moves …`"]),
    ] {
        for command in [&["show", "tic-tac-toe"][..], &["solve", "tic-tac-toe"], &["perft", "tic-tac-toe", "2"]] {
            let args = [command, place].concat();
            let ran = agon_with_input(&args, input);
            assert_eq!((ran.code, ran.err.lines().count()), (code, 1), "{args:?}: {}", ran.err);
            assert!(needles.iter().all(|needle| ran.err.contains(needle)), "{args:?}: {}", ran.err);
        }
    }
    let twice = agon(&["show", "tic-tac-toe", AFTER, "--from", AFTER]);
    assert!(twice.code == 2 && twice.err.contains("give the position once"), "{}", twice.err);
    let nowhere = agon(&["games", "--moves", "b2"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("does not take --moves"), "{}", nowhere.err);
}

#[test]
fn an_unknown_value_comes_with_an_estimate_that_says_so() {
    for (game, by) in [("mnk:6,6,5", "negamax"), ("tak:5", "negamax"), ("cram:7x7", "mcts")] {
        let ran = agon(&["solve", game, "--nodes", "3000", "--json"]);
        let answer = read(&ran);
        assert_eq!((ran.code, &answer["value"], &answer["stopped"]), (1, &j!("unknown"), &j!("nodes")), "{game}");
        assert_eq!(
            (&answer["best"], &answer["pv"], &answer["estimate"]["by"]),
            (&j!(null), &j!([]), &j!(by)),
            "{game}"
        );
        let best = answer["estimate"]["move"].as_str().unwrap();
        assert!(json(&["show", game])["moves"].as_array().unwrap().contains(&j!(best)), "{game}: {best}");
        let text = agon(&["solve", game, "--nodes", "3000"]);
        assert!(text.out.contains("\n≈      ") && text.out.contains("an estimate, not a proof"), "{}", text.out);
        assert!(text.out.contains("value  unknown"), "{}", text.out);
        assert!(text.err.contains("the node limit was reached"), "{}", text.err);
    }
    assert!(json(&["solve", "tic-tac-toe"])["estimate"].is_null());
}

#[test]
fn reasons_to_stop_are_distinguished_even_without_any_result() {
    for (args, stopped, said) in [
        (&["solve", "morris:nine", "--memory", "16"][..], "memory", "MiB of memory; the limit is 16 MiB"),
        (&["solve", "antrin:4", "--time", "0"], "time", "the time limit was reached"),
        (&["solve", "connect-four", "--time", "0"], "time", "the time limit was reached"),
        (&["solve", "connect-four", "--nodes", "1000"], "nodes", "the node limit was reached"),
    ] {
        let ran = agon(&[args, &["--json"]].concat());
        let answer = read(&ran);
        assert_eq!((ran.code, &answer["stopped"], &answer["value"]), (1, &j!(stopped), &j!("unknown")), "{args:?}");
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    assert_eq!(json(&["solve", "tic-tac-toe"])["stopped"], j!(null));
}

#[test]
fn a_board_with_values_says_what_they_mean_or_why_there_are_none() {
    let all = agon(&["show", "tic-tac-toe", "XOX/.O./...", "--values"]);
    assert!(
        all.out.ends_with("x to move\n▲ wins, ■ draws, ▼ loses, in that many plies\n5 moves valued\n"),
        "{}",
        all.out
    );
    assert!(agon(&["show", "tic-tac-toe", "--values", "--svg"]).out.contains("▲ wins, ■ draws"));
    let (args, reason) = (["show", "connect-four", "--values", "--time", "0"], "nothing is proven within 0 s");
    let none = agon(&args);
    assert_eq!(none.code, 1);
    assert!(none.out.contains(&format!("x to move\nno values: {reason}")) && none.err.contains(reason), "{}", none.out);
    let answer = json(&args);
    assert_eq!(answer["values"], j!(null));
    assert!(answer["values_reason"].as_str().unwrap().contains(reason), "{answer}");
    let whole = json(&["show", "tic-tac-toe", "--values"]);
    assert_eq!((whole["values"].as_array().map(Vec::len), &whole["values_reason"]), (Some(9), &j!(null)));
    let over = agon(&["show", "tic-tac-toe", "XXX/OO./...", "--values"]);
    assert!(over.code == 0 && over.out.ends_with("x wins\nno values: the play is over\n"), "{}", over.out);
    assert!(json(&["show", "tic-tac-toe"])["values_reason"].is_null());
}

#[test]
fn published_values_are_shown_with_their_source_and_never_as_the_value() {
    let ran = agon(&["solve", "connect-four", "--nodes", "1000"]);
    assert!(ran.out.contains("\nknown  x wins (published: Allis, and Allen, 1988"), "{}", ran.out);
    let start = json(&["solve", "connect-four", "--nodes", "1000"]);
    assert_eq!((&start["value"], &start["winner"]), (&j!("unknown"), &j!(null)));
    assert_eq!((&start["known"]["value"], &start["known"]["agrees"]), (&j!("win"), &j!(null)));
    for args in [&["solve", "connect-four", "--moves", "4", "--nodes", "1000"][..], &["solve", "drop:4,4,4"]] {
        assert!(json(args)["known"].is_null(), "{args:?}");
    }
}

#[test]
fn a_refuted_published_value_shows_in_the_exit_code() {
    let solved = |known: Wdl, game: &str| {
        let entry = Entry::acyclic::<Mnk>().with_known("mnk:3,3,3", known, "somebody said so", "a book");
        let args = ["agon", "solve", game, "--quiet"].map(OsString::from);
        format!("{:?}", agon::run(Registry::standard().with(entry), args))
    };
    let code = |code: u8| format!("{:?}", std::process::ExitCode::from(code));
    assert_eq!(solved(Wdl::Draw, "tic-tac-toe"), code(0));
    assert_eq!(solved(Wdl::Win, "tic-tac-toe"), code(3));
    assert_eq!(solved(Wdl::Win, "mnk:3,2,3"), code(0));
}

#[test]
fn a_finished_position_names_the_winner_and_no_move() {
    for (args, said, winner) in [
        (&["tic-tac-toe", "--from", "XXX/OO./..."][..], "x has won", j!("first")),
        (&["tic-tac-toe", "--moves", "b2 a1 c1 a3 a2 c2 b1 b3 c3"], "the game is drawn", j!(null)),
        (&["antrin:3", "--moves", "a1 a2 b1 b2 c1"], "white has won", j!("first")),
        (&["connect-four", "--moves", "1212121"], "x has won", j!("first")),
        (&["nim:1", "--moves", "1>0"], "first has won", j!("first")),
    ] {
        let args = [&["solve"], args].concat();
        let ran = agon(&args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert!(ran.out.contains(&format!("\nover   {said}\n")), "{args:?}: {}", ran.out);
        assert!(!ran.out.contains("nodes") && !ran.out.contains("best"), "{args:?}: {}", ran.out);
        let answer = json(&args);
        let told = [&answer["winner"], &answer["over"], &answer["best"], &answer["best_moves"], &answer["pv"]];
        assert_eq!(told, [&winner, &j!(true), &j!(null), &j!([]), &j!([])], "{args:?}");
    }
    assert_eq!(json(&["solve", "tic-tac-toe"])["over"], j!(false));
}

#[test]
fn lines_and_best_moves_agree_with_the_distance_that_the_solver_found() {
    for (game, solver) in [
        ("heap:0.3c5:8+5,play=misere", "alphabeta"),
        ("nim:2+3", "brute"),
        ("nim:2+3", "strong"),
        ("kayles:4+3", "alphabeta"),
        ("nim:2+3", "nimbers"),
        // From 4, 4>3 wins too, but in 4 plies instead of 2.
        ("subtract:1,3,6:5,play=misere", "brute"),
        ("subtract:1,3,6:5,play=misere", "strong"),
    ] {
        let answer = json(&["solve", game, "--method", solver]);
        let (best, best_moves) = (&answer["best"], answer["best_moves"].as_array());
        if let Some(moves) = best_moves {
            assert!(moves.contains(best), "{game} by {solver}: {best} is not among {moves:?}");
        }
        let (line, plies) = (answer["pv"].as_array().unwrap(), answer["plies"].as_u64());
        assert_eq!(&line[0], best, "{game} by {solver}");
        if let Some(plies) = plies {
            assert!(line.len() == 1 || line.len() as u64 == plies, "{game} by {solver}: {plies} plies, {line:?}");
        }
    }
    let line = |solver| json(&["solve", "subtract:1,3,6:5,play=misere", "--method", solver])["pv"].clone();
    for solver in ["brute", "strong", "alphabeta"] {
        assert_eq!(line(solver), j!(["5>4", "4>1", "1>0"]), "{solver}");
    }
}

#[test]
fn every_best_move_is_named_whichever_method_found_the_value() {
    // The moves of the empty board, by hand: on 4,4,4 and 5,4,4 every move draws; the others by `alphabeta --all`.
    for (game, moves) in [("mnk:4,4,4", 16), ("mnk:5,4,4", 20), ("mnk:5,5,4", 25), ("mnk:6,5,4", 10), ("tak:3", 5)] {
        let answer = json(&["solve", game]);
        let best = answer["best_moves"].as_array().unwrap_or_else(|| panic!("{game}: {answer}"));
        assert_eq!(best.len(), moves, "{game}");
        assert!(best.contains(&answer["best"]), "{game}");
        let line = answer["pv"].as_array().unwrap();
        assert!(line.len() > 1, "{game}: {line:?}");
        if let Some(plies) = answer["plies"].as_u64() {
            assert_eq!(line.len() as u64, plies, "{game}: {line:?}");
        }
    }
    // Every move of a lost position loses.
    let lost = json(&["solve", "order-chaos:5x6"]);
    assert_eq!(lost["best_moves"].as_array().map(Vec::len), Some(60));
}

#[test]
fn all_values_every_move_or_says_which_stay_open() {
    let moves = json(&["solve", "mnk:5,5,4", "--all"])["moves"].as_array().unwrap().clone();
    assert!(moves.len() == 25 && moves.iter().all(|mv| mv["proven"] == true), "{moves:?}");
    let ran = agon(&["solve", "mnk:4,3,3", "--moves", "a1 b2 c3 d1", "--method", "lines", "--all"]);
    assert!(ran.err.contains("8 of 8 moves stay open: `lines` cannot tell their values"), "{}", ran.err);
}

#[test]
fn moves_given_as_a_position_are_recognised() {
    for args in [&["show", "connect-four", "4455"][..], &["solve", "connect-four", "--from", "4455"]] {
        let ran = agon(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.err.contains("--moves \"4455\""), "{args:?}: {}", ran.err);
    }
    assert!(!agon(&["show", "connect-four", "nonsense"]).err.contains("--moves"));
}

#[test]
fn proven_moves_decide_a_position_that_the_solver_named_cannot() {
    let args = ["solve", "tak:2x2", "--method", "proof-number"];
    assert_eq!(json(&args)["value"], "unknown");
    let answer = json(&[&args[..], &["--all"]].concat());
    assert_eq!((&answer["value"], &answer["plies"]), (&j!("win"), &j!(3)));
    assert!(answer["best_moves"].as_array().unwrap().contains(&answer["best"]));
    // Moves are valued by the solver that was named, so they cannot say more than it does.
    let lines = ["solve", "mnk:4,3,3", "--moves", "a1 b2 c3 d1", "--method", "lines", "--all"];
    let moves = json(&lines)["moves"].as_array().unwrap().clone();
    assert!(moves.len() == 8 && moves.iter().all(|mv| mv["proven"] == false), "{moves:?}");
}

#[test]
fn with_a_certificate_the_distance_the_best_moves_and_the_line_agree() {
    // By brute force: 7>0 wins nim:5+5+7 in 11 plies and 5>2 in 15; 7>1+4 wins kayles:7 in 5 and 7>3+3 in 7.
    for (game, plies, best) in [("nim:5+5+7", 11, "7>0"), ("kayles:7", 5, "7>1+4"), ("subtract:1,6,8:2+2+8", 5, "8>0")]
    {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.agon").display().to_string();
        let answer = json(&["solve", game, "--certificate", &file]);
        assert_eq!((&answer["plies"], &answer["best"]), (&j!(plies), &j!(best)), "{game}");
        assert_eq!(answer["best_moves"], j!([best]), "{game}");
        assert_eq!(answer["pv"].as_array().map(Vec::len), Some(plies), "{game}");
    }
}

#[test]
fn a_file_of_another_kind_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("thesis.txt"), "my thesis").unwrap();
    let solve = ["solve", "tic-tac-toe", "--certificate"];
    let verify = ["verify", "tic-tac-toe", "singh-process", "--claim", "draw"];
    let repair = ["verify", "tic-tac-toe", "singh-objectives", "--as", "second", "--claim", "draw", "--repair"];
    let train = ["train", "mnk:2,2,2", "--games", "2"];
    for (command, option, file, code, why) in [
        (&solve[..2], "--certificate", "thesis.txt", 2, "exists and is not a certificate"),
        (&verify, "--certificate", "thesis.txt", 2, "exists and is not a certificate"),
        (&repair, "--exceptions", "thesis.txt", 2, "exists and is not a file of exceptions"),
        (&repair, "--out", "thesis.txt", 2, "exists and is not a strategy"),
        (&train, "--out", "thesis.txt", 2, "exists and is not a model"),
        (&train, "--plot", "thesis.txt", 2, "exists and is not a picture"),
        (&solve[..2], "--certificate", "none/c.agon", 1, "there is no directory"),
        (&train, "--out", "none/m.model", 1, "there is no directory"),
        (&train, "--out", "thesis.txt/m.model", 1, "there is no directory"),
        (&solve[..2], "--certificate", ".", 2, "is a directory"),
        (&train, "--out", ".", 2, "is a directory"),
    ] {
        let ran = agon(&[command, &[option, &path(file)]].concat());
        assert!(ran.code == code && ran.err.contains(why), "{command:?} {option} {file}: {} {}", ran.code, ran.err);
        assert_eq!(ran.out, "", "{command:?} {option} {file}: it is refused before any work is done");
    }
    assert_eq!(std::fs::read_to_string(path("thesis.txt")).unwrap(), "my thesis");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    // Files of the same kind are replaced.
    for _ in 0..2 {
        assert_eq!(agon(&[&solve[..], &[&path("c.agon")]].concat()).code, 0);
        assert_eq!(agon(&[&train[..], &["--out", &path("m.model")]].concat()).code, 0);
        let repaired = ["--exceptions", &path("e.txt"), "--out", &path("r.rules")];
        assert_eq!(agon(&[&repair[..], &repaired].concat()).code, 3);
    }
    for file in ["c.agon", "m.model", "m.model.svg", "e.txt", "r.rules"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn wrong_requests_name_what_is_wrong() {
    for (args, code, why) in [
        (&["arena", "tic-tac-toe", "random", "perfect", "--moves", "a1 b1 a2 b2 a3"][..], 2, "the play is over at"),
        (&["show", "connect-four", "--moves", "4444444"], 2, "column d is full; expected one of a b c e f g"),
        (&["solve", "tic-tac-toe", "--time", "-1"], 2, "invalid time `-1`"),
    ] {
        let ran = agon(args);
        assert!(ran.code == code && ran.err.contains(why), "{args:?}: {} {}", ran.code, ran.err);
    }
}

#[test]
fn a_place_shows_the_best_of_the_moves_that_end_there() {
    // c1-b2 wins at once, and another man could go to b2 too.
    let shown = agon(&["show", "tapatan", "--values", "--moves", "c3 c2 c1 b1 a1 a3"]);
    assert!(shown.out.contains("[▲1]") && shown.out.contains("the best move that ends there"), "{}", shown.out);
    let answer = json(&["show", "tapatan", "--values", "--moves", "c3 c2 c1 b1 a1 a3"]);
    let values = answer["values"].as_array().unwrap();
    assert!(values.iter().any(|value| value["move"] == "c1-b2" && value["value"] == "win"), "{values:?}");
}

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

#[test]
fn totals_are_counted_when_they_are_asked_for() {
    assert!(json(&["solve", "shisima"])["phases"].is_null());
    assert_eq!(
        json(&["solve", "shisima", "--strong"])["phases"],
        json(&["solve", "shisima", "--method", "strong"])["phases"]
    );
    assert!(json(&["solve", "shisima", "--strong"])["phases"].is_array());
}

#[test]
fn verification_stops_at_its_limits_and_says_that_nothing_is_decided() {
    let (_dir, paths) = files(&[("any.rules", "rule anything\n")]);
    for (limit, stopped) in [(["--nodes", "20000"], "nodes"), (["--memory", "1"], "memory"), (["--time", "0"], "time")]
    {
        let args = ["verify", "mnk:6,6,6", &paths[0], "--as", "second", limit[0], limit[1]];
        let ran = agon(&args);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("not decided: stopped after about "), "{}", ran.out);
        assert!(ran.err.contains(&format!("before the claim was decided; allow more with --{stopped}")), "{}", ran.err);
        let ran = agon(&[&args[..], &["--json"]].concat());
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, &answer["stopped"], &answer["holds"]), (1, &j!(stopped), &j!(null)), "{}", ran.out);
    }
}

/// The folder with the pages about strategies.
const STRATEGIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/strategies");

/// The certificate that a file of rules is, without a walk over the plays.
fn sealed(text: &str) -> (Certificate, Box<dyn AnyGame>) {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("#! {key}: "))).unwrap();
    let game = agon::registry::standard().game(value("game")).unwrap();
    let side = game.side(value("as")).unwrap();
    let least = if value("claim") == "win" { Wdl::Win } else { Wdl::Draw };
    let rules = Text::parse(text).unwrap();
    let section = match rules.lifted() {
        Some(_) => Section::LiftedText(rules.to_string()),
        None => Section::Text { side, least, within: None, text: rules.to_string() },
    };
    let certificate = Certificate {
        game: game.spelling().to_string(),
        rules: None,
        from: text.lines().find_map(|line| line.strip_prefix("#! from: ")).map_or_else(|| game.start(), str::to_string),
        claim: Claim::AtLeast(side, least),
        up_to_symmetry: false,
        sections: vec![section],
    };
    (certificate, game)
}

#[test]
fn the_pages_about_strategies_are_what_is_computed() {
    let index = agon(&["results", "strategies", "--dir", STRATEGIES]);
    assert_eq!(index.out, std::fs::read_to_string(format!("{STRATEGIES}/README.md")).unwrap());
    let files = std::fs::read_dir(STRATEGIES).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "rules")).collect();
    assert!(files.len() >= 8, "{}", files.len());
    for file in files {
        let (text, name) = (std::fs::read_to_string(&file).unwrap(), file.file_stem().unwrap().to_str().unwrap());
        let page = std::fs::read_to_string(file.with_extension("md")).unwrap_or_else(|e| panic!("{name}.md: {e}"));
        if !text.contains("#! slow: ") {
            let made = agon(&["results", "strategies", "--dir", STRATEGIES, "--only", name]);
            assert_eq!(made.out, page, "{name}: {}", made.err);
            continue;
        }
        // The page takes minutes; the certificate on it is checked.
        let (certificate, game) = sealed(&text);
        let written = certificate.write();
        let hash = written.lines().last().unwrap();
        assert!(page.contains(&hash[.."blake3 ".len() + 16]), "{name}: {hash}");
        let proved = game.check(&certificate, &Ctx::default()).unwrap();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = format!("looks at {} positions and says: *{}*", grouped(proved.positions), proved.statement);
        assert!(page.contains(&says), "{name}: {says}");
    }
}

#[test]
fn the_page_about_chaos_holds_its_certificate_and_its_pairs() {
    let page = std::fs::read_to_string(format!("{STRATEGIES}/chaos-7x7.md")).unwrap();
    let blocks: Vec<&str> = page.split("```\n").skip(1).step_by(2).collect();
    let [board, proof] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let (_dir, paths) = files(&[("proof.agon", proof)]);
    let checked = agon(&["check", &paths[0]]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let told = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let statement = checked.out.lines().next().unwrap().strip_prefix("proved: ").unwrap();
    assert!(told.contains(&format!("looks at one position and says: *{statement}*")), "{statement}");
    // The letters of the board are the pairs of the certificate, in their order.
    let cells: String = board.lines().take(7).flat_map(|row| row.split_whitespace().skip(1)).collect();
    let listed = proof.lines().find_map(|line| line.split_once(" pairs ")).expect("pairs").1;
    for (letter, pair) in ('A'..).zip(listed.split(' ')) {
        let places = cells.match_indices(letter).map(|(at, _)| at.to_string()).collect::<Vec<_>>().join("-");
        assert_eq!(places, pair, "{letter}");
    }
    assert_eq!(cells.matches('.').count(), 9);
}

#[test]
fn the_page_about_levels_is_what_tournaments_measure() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/levels.md")).unwrap();
    for game in ["tic-tac-toe", "mnk:4,4,3", "kayles:12", "antrin:3", "three-mens", "picaria"] {
        let row = agon(&["results", "levels", "--only", game]);
        assert!(row.out.starts_with(&format!("| `{game}` |")) && page.contains(&row.out), "{}{}", row.out, row.err);
    }
}
