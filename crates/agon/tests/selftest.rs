//! `agon selftest`: answers, exit codes and interruption.
#![cfg(unix)]

mod common;

use common::{agon, json};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json as j;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_family_that_agrees_with_its_rules_passes_and_says_how_much_was_compared() {
    let answer = json(&["selftest", "nim", "--quick", "--seed", "3"]);
    assert_eq!((&answer["disagreements"], &answer["seed"], &answer["quick"]), (&j!([]), &j!(3), &j!(true)));
    let families = answer["families"].as_array().expect("a list");
    assert_eq!(families.len(), 1);
    let (family, comparisons) = (&families[0], answer["comparisons"].as_u64().expect("a number"));
    assert_eq!((&family["family"], family["comparisons"].as_u64()), (&j!("nim"), Some(comparisons)));
    assert!(comparisons > 1_000 && family["games"].as_array().is_some_and(|games| games.len() >= 3), "{answer}");
    for method in ["auto", "brute", "strong", "certificate by alphabeta", "values", "perfect", "count"] {
        assert!(family["methods"][method].as_u64() > Some(0), "{method}: {answer}");
    }
    let ran = agon(&["selftest", "nim", "--quick", "--seed", "3"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("no disagreement") && ran.out.contains("seed 3") && ran.out.contains("second checker"));
}

#[test]
fn an_unknown_family_is_named_with_those_that_would_do() {
    let ran = agon(&["selftest", "chess", "--quick"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("invalid family `chess`") && ran.err.contains("order-chaos"), "{}", ran.err);
}

#[test]
fn an_interrupted_test_exits_with_130() {
    // The whole test of all families takes many minutes; the first sign of life comes when it is well under way.
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("selftest")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    let read = errors.read_line(&mut line);
    // The process ends before anything is asserted: a failing test leaves none behind.
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal is sent");
    let ended = child.wait().expect("agon ends");
    read.expect("a line");
    assert!(line.contains("comparing"), "{line}");
    assert_eq!(ended.code(), Some(130));
}
