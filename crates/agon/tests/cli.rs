//! The command line: answers, errors and exit codes.

mod common;

use common::{agon, agon_with_input, json, missing};
use proptest::prelude::*;
use serde_json::json as j;

#[test]
fn bad_input_gets_one_line_that_names_it_and_says_what_would_do() {
    let dir = tempfile::tempdir().unwrap();
    let noise = dir.path().join("noise.agon");
    std::fs::write(&noise, [0xff, 0, 1, 2]).unwrap();
    let (noise, nothing) = (noise.to_str().unwrap(), missing());
    let (unreadable, told) = (format!("singh-process@{nothing}"), format!("cannot read `{nothing}`"));
    for (args, code, needles) in [
        (&["solve", "tictoe"][..], 2, &["invalid game `tictoe`", "tic-tac-toe"][..]),
        (&["solve", "mnk:9,9,5"], 2, &["mnk:9,9,5", "at most 64"]),
        (&["solve", "mnk:0,3,3"], 2, &["m must be 1..=16"]),
        (&["solve", "mnk:3,3,x"], 2, &["k must be 1..=16"]),
        (&["show", "tic-tac-toe", "XXX/.../..."], 2, &["invalid position `XXX/.../...`", "3 X and 0 O"]),
        (
            &["solve", "tic-tac-toe", "--from", "garbage"],
            2,
            &["invalid position `garbage`", "expected 3 rows of 3, not 1"],
        ),
        (&["perft", "tic-tac-toe", "-1"], 2, &["-1"]),
        (&["perft", "tic-tac-toe", "9999"], 2, &["9999"]),
        (&["verify", "tic-tac-toe", "nobody"], 2, &["invalid strategy `nobody`", "singh-process"]),
        (&["verify", "tic-tac-toe", "singh-process:odd"], 2, &["singh-process:odd", "block-first"]),
        (&["verify", "mnk:4,4,2", "singh-process"], 2, &["mnk:4,4,2 has no strategies"]),
        (
            &["verify", "tic-tac-toe", "singh-process", "--as", "third"],
            2,
            &["invalid side `third`", "first, second, x, o"],
        ),
        (&["verify", "tic-tac-toe", &unreadable], 1, &[&told]),
        (&["play", "tic-tac-toe", "--first", "god"], 2, &["invalid player `god`", "perfect"]),
        (&["play", "tic-tac-toe", "--first", "skill:2"], 2, &["invalid player `skill:2`"]),
        (&["play", "tic-tac-toe", "--moves", "b2 b2"], 2, &["invalid move `b2`", "taken"]),
        (&["check", &nothing], 1, &[&told]),
        (&["check", noise], 4, &["noise.agon", "not a text file"]),
        (&["reproduce", "999"], 2, &["invalid claim `999`", "001"]),
        (&["bench", "nothing"], 2, &["no bench matches `nothing`"]),
        (&["frobnicate"], 2, &["frobnicate"]),
        (&["solve", "tic-tac-toe", "--time", "-5"], 2, &["-5"]),
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, code, "{args:?}\n{}{}", ran.out, ran.err);
        for needle in needles {
            assert!(ran.err.contains(needle), "{args:?}: `{needle}` is not in\n{}", ran.err);
        }
        assert!(ran.out.is_empty(), "{args:?} wrote to standard output:\n{}", ran.out);
        if ran.err.starts_with("agon: ") {
            assert_eq!(ran.err.lines().count(), 1, "{args:?}: more than one line\n{}", ran.err);
        }
    }
}

#[test]
fn help_has_examples_and_exit_codes() {
    let help = agon(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("130 interrupted") && help.out.contains("3 claim refuted"));
    for command in [
        "games",
        "show",
        "explain",
        "analyse",
        "puzzles",
        "tree",
        "play",
        "count",
        "perft",
        "solve",
        "verify",
        "distil",
        "check",
        "reproduce",
        "bench",
    ] {
        let help = agon(&[command, "--help"]);
        assert!(help.code == 0 && help.out.contains("Examples:"), "{command}");
        assert!(help.out.contains("--json"), "{command}");
    }
    assert!(agon(&["completions", "bash"]).out.contains("reproduce"));
    assert!(agon(&["man"]).out.contains(".TH agon"));
}

/// The flags about the starting position, by what `agon COMMAND --from x` answers: refused, or not.
#[test]
fn help_lists_only_the_flags_that_a_command_takes() {
    let help = agon(&["--help"]).out;
    let commands =
        help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    // Longer lines are wrapped, with more blanks.
    let indented = commands.lines().filter_map(|line| line.strip_prefix("  "));
    let commands: Vec<&str> =
        indented.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()).collect();
    assert!(commands.len() > 25 && commands.contains(&"solve"), "{commands:?}");
    let inner = ["table probe", "table find", "table stats", "plan arena"];
    for command in commands.iter().filter(|name| **name != "help").chain(&inner) {
        let words: Vec<&str> = command.split(' ').collect();
        let help = agon(&[&words[..], &["--help"]].concat()).out;
        // A flag that a command does not take is refused before anything is done.
        let lists = help.contains("--from ");
        let refused = match words[..] {
            ["plan" | "table"] => continue,
            ["completions"] => agon(&["completions", "bash", "--from", "x"]),
            ["grade"] => agon(&["grade", "tic-tac-toe", "-", "--from", "x"]),
            ["grundy"] => agon(&["grundy", "kayles", "--from", "x"]),
            ["results"] => agon(&["results", "octal", "--from", "x"]),
            ["merge"] => agon(&["merge", "a", "b", "--from", "x"]),
            ["perft"] => agon(&["perft", "tic-tac-toe", "1", "--from", "x"]),
            ["verify"] => agon(&["verify", "tic-tac-toe", "singh-process", "--from", "x"]),
            ["arena"] => agon(&["arena", "tic-tac-toe", "random", "random", "--from", "x"]),
            ["plan", "arena"] => {
                agon(&["plan", "arena", "nim", "random", "perfect", "--db", "x.sqlite", "--from", "x"])
            }
            ["games" | "reproduce" | "serve" | "bench" | "selftest" | "engine" | "tei" | "mcp" | "man"] => {
                agon(&[words[0], "--from", "x"])
            }
            _ => agon(&[&words[..], &["tic-tac-toe", "--from", "x"]].concat()),
        };
        assert_ne!(refused.code, 0, "{command}: {}", refused.out);
        let refuses = refused.err.contains("does not take --from");
        assert_eq!(lists, !refuses, "{command}: {}\n{help}", refused.err);
    }
    assert!(!agon(&["solve", "--help"]).out.contains("--seed ") && agon(&["play", "--help"]).out.contains("--seed "));
    assert!(!agon(&["mcp", "--help"]).out.contains("--json"));
}

#[test]
fn distil_answers_in_json() {
    let found = json(&["distil", "tic-tac-toe", "--as", "first"]);
    assert_eq!((&found["holds"], &found["minimal"], &found["as"]), (&j!(true), &j!(true), &j!("first")));
    assert_eq!((&found["size"]["rules"], &found["size"]["literals"]), (&j!(1), &j!(2)));
    let [bits, least] = [&found["size"]["bits"], &found["lower_bound"]].map(|bits| bits.as_f64().unwrap());
    assert!((bits - least).abs() < 1e-6, "{bits} bits, at least {least}");
    assert_eq!(found["rules"], "rule 1\n  prefer blocks\n  prefer max lines\n");
    let prevented = agon(&["distil", "tic-tac-toe", "--as", "second", "--claim", "win"]);
    assert!(prevented.code == 3 && prevented.out.contains("the other side can prevent it"), "{}", prevented.out);
    let misspelled = agon(&["distil", "tic-tac-toe", "--features", "conrer"]);
    assert!(misspelled.code == 2 && misspelled.err.contains("no feature `conrer`"), "{}", misspelled.err);
}

#[test]
fn solve_answers_in_json() {
    let start = json(&["solve", "tic-tac-toe"]);
    assert_eq!(start["game"], "mnk:3,3,3");
    assert_eq!((&start["value"], &start["winner"], &start["plies"]), (&j!("draw"), &j!(null), &j!(9)));
    for solver in ["alphabeta", "brute"] {
        let won = json(&["solve", "tic-tac-toe", "--from", "XX./OO./...", "--method", solver]);
        assert_eq!(
            (&won["value"], &won["winner"], &won["plies"], &won["best"]),
            (&j!("win"), &j!("first"), &j!(1), &j!("c3"))
        );
        let lost = json(&["solve", "tic-tac-toe", "--from", "X../.O./X..", "--solver", solver]);
        assert_eq!((&lost["value"], &lost["position"]), (&j!("draw"), &j!("X../.O./X..")));
    }
    let over = json(&["solve", "tic-tac-toe", "--from", "XXX/OO./..."]);
    assert_eq!(
        (&over["value"], &over["winner"], &over["plies"], &over["best"]),
        (&j!("loss"), &j!("first"), &j!(0), &j!(null))
    );
    let strong = json(&["solve", "tic-tac-toe", "--strong"]);
    assert_eq!(strong["totals"], j!({"win": 2836, "draw": 1068, "loss": 1574}));
    assert_eq!(strong["classes"], j!({"win": 390, "draw": 151, "loss": 224}));
}

#[test]
fn an_unfinished_solve_says_unknown_and_fails() {
    let ran = agon(&["solve", "mnk:6,6,5", "--nodes", "20000", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &answer["value"], &answer["best"]), (1, &j!("unknown"), &j!(null)));
    let timed = agon(&["solve", "drop:8,7,4", "--time", "0.05"]);
    assert!(timed.code == 1 && timed.out.contains("unknown"), "{}{}", timed.out, timed.err);
}

#[test]
fn perft_and_count_answer_in_json() {
    let perft = json(&["perft", "tic-tac-toe", "9"]);
    assert_eq!(perft["counts"], j!([9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]));
    let divided = json(&["perft", "tic-tac-toe", "2", "--divide"]);
    assert_eq!(divided["divide"][0], j!({"move": "a3", "count": 8}));
    let count = json(&["count", "tic-tac-toe"]);
    assert_eq!(count["games"], j!({"total": 255_168, "first": 131_184, "second": 77_904, "draw": 46_080}));
    let ply = &count["plies"][5];
    assert_eq!([&ply["ply"], &ply["sequences"], &ply["positions"], &ply["classes"]], [5, 15120, 1260, 174]);
    assert_eq!(count["played_out"], j!({"nodes": 986_410, "leaves": 362_880}));
    let cut = json(&["count", "mnk:8,8,5", "--plies", "2"]);
    assert_eq!((&cut["complete"], &cut["plies"][2]["sequences"]), (&j!(false), &j!(64 * 63)));
    assert!(cut["played_out"]["leaves"].as_str().is_some_and(|n| n.len() == 90), "64! has 90 digits");
}

#[test]
fn verify_answers_in_json_and_by_exit_code() {
    let args = ["verify", "tic-tac-toe", "singh-objectives", "--as", "o", "--claim", "draw", "--all"];
    let ran = agon(&args);
    assert_eq!(ran.code, 3);
    let answer = json(&args);
    assert_eq!((&answer["holds"], &answer["losing_lines"], &answer["lines"]), (&j!(false), &j!(48), &j!(968)));
    assert_eq!(answer["counterexample"].as_array().map(Vec::len), Some(7));
    assert_eq!(answer["failures"].as_array().map(Vec::len), Some(4));
    // Every lost line begins corner, centre, opposite corner, corner.
    let losing = answer["losing"].as_array().unwrap();
    let corner = |mv: &serde_json::Value| ["a1", "a3", "c1", "c3"].contains(&mv.as_str().unwrap());
    assert!(
        losing.len() == 48 && losing.iter().all(|l| corner(&l[0]) && l[1] == "b2" && corner(&l[2]) && corner(&l[3]))
    );
    let holds = json(&["verify", "tic-tac-toe", "singh-objectives", "--as", "first"]);
    assert_eq!((&holds["holds"], &holds["losing_lines"], &holds["counterexample"]), (&j!(true), &j!(0), &j!(null)));
}

#[test]
fn a_repair_is_written_read_and_certified() {
    let dir = tempfile::tempdir().unwrap();
    let (fix, proof) = (dir.path().join("fix.txt"), dir.path().join("proof.agon"));
    let (fix, proof) = (fix.to_str().unwrap(), proof.to_str().unwrap());
    let base = ["verify", "tic-tac-toe", "singh-objectives", "--as", "second", "--repair"];
    let answer = json(&[&base[..], &["--exceptions", fix, "--certificate", proof]].concat());
    assert_eq!((&answer["holds"], &answer["repair"]["holds"]), (&j!(false), &j!(true)));
    assert_eq!(answer["repair"]["exceptions"].as_array().map(Vec::len), Some(1));
    let again = agon(&["verify", "tic-tac-toe", &format!("singh-objectives@{fix}"), "--as", "second"]);
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    assert_eq!(agon(&["check", proof]).code, 0);
    std::fs::write(fix, "..X/.O./X.. a3\n").unwrap();
    let wrong = agon(&["verify", "tic-tac-toe", &format!("singh-objectives@{fix}"), "--as", "second"]);
    assert_eq!(wrong.code, 3, "an exception that loses is followed too");
    std::fs::write(fix, "nonsense\n").unwrap();
    let bad = agon(&["verify", "tic-tac-toe", &format!("singh-objectives@{fix}"), "--as", "second"]);
    assert!(bad.code == 2 && bad.err.contains("line 1"), "{}", bad.err);
}

#[test]
fn colour_only_when_asked_for() {
    let args = ["verify", "tic-tac-toe", "singh-process"];
    assert!(!agon(&args).out.contains('\x1b'));
    assert!(agon(&[&args[..], &["--color", "always"]].concat()).out.contains('\x1b'));
    assert!(!agon(&[&args[..], &["--color", "always", "--json"]].concat()).out.contains('\x1b'));
}

#[test]
fn games_can_be_played_through_a_pipe() {
    let ran = agon_with_input(&["play", "tic-tac-toe", "--second", "human"], "b2 a3\nzz\nundo\nquit\n");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("invalid move `zz`") && ran.out.contains("2 moves · x to move"), "{}", ran.out);
    let ran = agon_with_input(&["play", "tic-tac-toe"], "b2\n");
    assert!(ran.code == 0 && ran.out.contains("o (perfect) plays"), "{}", ran.out);
    let answer = json(&["play", "tic-tac-toe", "--first", "perfect", "--second", "perfect", "--seed", "5"]);
    assert_eq!(answer["status"], "draw");
    assert_eq!(answer, json(&["play", "tic-tac-toe", "--first", "perfect", "--second", "perfect", "--seed", "5"]));
}

#[test]
fn games_are_saved_and_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt");
    let file = file.to_str().unwrap();
    let saved = agon_with_input(&["play", "tic-tac-toe", "--second", "human"], &format!("b2 a3 c1\nsave {file}\n"));
    assert!(saved.out.contains("saved to"));
    let loaded = agon_with_input(&["play", "tic-tac-toe", "--second", "human", "--load", file], "");
    assert!(loaded.out.contains("3 moves · o to move"), "{}", loaded.out);
    assert_eq!(agon(&["play", "mnk:4,4,4", "--load", file]).code, 2);
    std::fs::write(file, "something else").unwrap();
    assert_eq!(agon(&["play", "tic-tac-toe", "--load", file]).code, 4);
}

#[test]
fn reproduce_lists_runs_and_writes_files() {
    let list = json(&["reproduce", "--list"]);
    assert!(list["items"].as_array().is_some_and(|items| items.iter().any(|i| i["id"] == "001/table-1")));
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("report");
    let answer = json(&["reproduce", "001", "--out", out.to_str().unwrap()]);
    let item = answer["items"].as_array().unwrap().iter().find(|i| i["id"] == "001/tree-nodes").unwrap().clone();
    assert_eq!(
        (&item["claimed"], &item["computed"], &item["verdict"]),
        (&j!("986,409"), &j!("549,946"), &j!("corrected"))
    );
    for name in ["reproduce.md", "reproduce.json", "reproduce.csv", "reproduce.html"] {
        assert!(std::fs::read_to_string(out.join(name)).unwrap().contains("001/tree-nodes"), "{name}");
    }
}

#[test]
fn bench_checks_its_answers() {
    let bench = json(&["bench", "strong", "verify"]);
    for item in bench["items"].as_array().unwrap() {
        assert_eq!(item["answer_ok"], true, "{item}");
        assert!(item["rate"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn pictures_are_drawn() {
    let svg = agon(&["show", "tic-tac-toe", "X../.O./...", "--svg"]);
    assert!(svg.out.starts_with("<svg") && svg.out.trim_end().ends_with("</svg>"));
    let values = agon(&["show", "tic-tac-toe", "XOX/.O./...", "--values"]);
    assert!(values.out.contains("▼2") && values.out.contains('■'), "{}", values.out);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_spelling_panics(text in "\\PC{0,30}", params in "(mnk|tic-tac-toe|[a-z-]{1,12}):[0-9,=a-z;x+.()]{0,16}") {
        for given in [&text, &params] {
            if let Ok(game) = agon::registry::standard().game(given) {
                let again = agon::registry::standard().game(game.spelling()).expect("a canonical spelling is accepted");
                prop_assert_eq!(again.spelling(), game.spelling());
            }
        }
    }
}

#[cfg(unix)]
mod streams {
    #[cfg(target_os = "linux")]
    use crate::common::until;
    use std::process::{Command, Stdio};

    fn command(args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(args).stdin(Stdio::null());
        command
    }

    #[test]
    fn a_reader_that_goes_away_changes_no_exit_code() {
        let mut child = command(&["verify", "tic-tac-toe", "singh-objectives", "--as", "second"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(3));
    }

    #[test]
    fn a_full_disk_is_an_error_and_no_panic() {
        let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
        let out = command(&["games"]).stdout(full()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(out.code(), Some(1));
        let err = command(&["show", "nothing"]).stdout(Stdio::null()).stderr(full()).status().unwrap();
        assert_eq!(err.code(), Some(2));
    }

    /// Returns whether a process has said what to do at SIGINT, which is number 2.
    #[cfg(target_os = "linux")]
    fn catches_ctrl_c(process: u32) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 1 & 1 == 1)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn ctrl_c_ends_long_work_with_130() {
        for args in [
            &["solve", "drop:8,7,4"][..],
            &["count", "mnk:5,5,5"],
            &["verify", "tic-tac-toe", "singh-process", "--as", "second", "--repair"],
        ] {
            let mut child = command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            until("a handler of Ctrl-C", || catches_ctrl_c(child.id()));
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
        }
    }
}

#[test]
fn one_meaning_of_up_to_symmetry() {
    for from in [".../.../...", "X../.../...", "XOX/.O./..."] {
        let (count, strong) = (
            json(&["count", "tic-tac-toe", "--from", from]),
            json(&["solve", "tic-tac-toe", "--strong", "--from", from]),
        );
        let all = |key: &str| ["win", "draw", "loss"].iter().map(|n| strong[key][n].as_u64().unwrap()).sum::<u64>();
        assert_eq!([&count["positions"], &count["classes"]], [&j!(all("totals")), &j!(all("classes"))], "{from}");
    }
    let (count, strong) = (json(&["count", "shisima"]), json(&["solve", "shisima", "--strong"]));
    let classes = &strong["phases"][0]["classes"];
    let open = count["classes_exchanging_sides"].as_u64().unwrap()
        - count["finished"]["classes_exchanging_sides"].as_u64().unwrap();
    assert_eq!(open, ["win", "draw", "loss"].iter().map(|n| classes[n].as_u64().unwrap()).sum::<u64>());
    assert!(agon(&["count", "shisima"]).out.contains("up to symmetry and exchange of sides"));
}

#[test]
fn exit_codes_are_the_same_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    std::fs::write(at("file"), "").unwrap();
    // Another process works in the directory.
    std::fs::create_dir(at("claimed")).unwrap();
    let lock = std::fs::File::create(at("claimed/.lock")).unwrap();
    lock.lock().unwrap();
    for (args, code) in [
        // A value that stays unknown, with a limit and without.
        (vec!["solve".to_string(), "tak:4".into(), "--nodes".into(), "500".into()], 1),
        (vec!["solve".into(), "tak:3".into(), "--method".into(), "proof-number".into()], 1),
        // Files that are missing or cannot be used.
        (vec!["check".into(), at("none")], 1),
        (vec!["table".into(), "stats".into(), at("none")], 1),
        (vec!["play".into(), "tic-tac-toe".into(), "--load".into(), at("none")], 1),
        (vec!["arena".into(), "--resume".into(), at("none")], 1),
        (
            ["solve", "antrin:3", "--strong", "--table"].map(String::from).into_iter().chain([at("file/in")]).collect(),
            1,
        ),
        (
            ["solve", "antrin:3", "--strong", "--table"].map(String::from).into_iter().chain([at("claimed")]).collect(),
            1,
        ),
    ] {
        let ran = agon(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, code, "{args:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn an_argument_instead_of_a_walk_is_called_one() {
    let ran = agon(&["verify", "order-chaos:6x6,row=exact-final", "pairing", "--as", "second", "--claim", "win"]);
    assert!(ran.out.contains("holds: ") && ran.out.contains("by pairing, so lines are not counted"), "{}", ran.out);
    assert!(!ran.out.contains("cycle"), "{}", ran.out);
}

#[test]
fn two_programs_end_their_game_and_say_what_was_proven() {
    let args = ["play", "antrin:3,men=2", "--first", "random", "--second", "random", "--seed", "1"];
    let answer = json(&args);
    assert_eq!(
        (&answer["left"], &answer["over"], &answer["proofs"]),
        (&j!("repetition"), &j!(false), &j!([null, null]))
    );
    assert_eq!(json(&[&args[..], &["--most-plies", "4"]].concat())["left"], "too long");
    let answer = json(&["play", "tic-tac-toe", "--first", "perfect", "--second", "random", "--seed", "1"]);
    assert_eq!(
        (&answer["proofs"][0]["unproven"], &answer["proofs"][1], &answer["left"]),
        (&j!(0), &j!(null), &j!(null))
    );
    // Nobody can prove what a first stone of Tak on 6×6 is worth.
    let open = ["play", "tak:6", "--first", "perfect", "--second", "random", "--time", "0.2", "--most-plies", "1"];
    let ran = agon(&open);
    assert!(ran.out.contains(", not proven: its search found it\n"), "{}", ran.out);
    assert!(ran.out.contains("(perfect): 0 moves proven, 1 not proven\n"), "{}", ran.out);
}

#[test]
fn a_game_saved_with_a_former_spelling_is_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("old.game");
    std::fs::write(&file, "agon-game 1\ngame heap:0.77;4+5\nfrom 4+5\nmoves \n").unwrap();
    let name = file.to_str().unwrap();
    let ran = agon_with_input(&["play", "heap:0.77:4+5", "--second", "human", "--load", name], "quit\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}
