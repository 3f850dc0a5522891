//! Runs the `agon` program the way a person or a script would.
#![allow(dead_code)]

use serde_json::Value as Json;
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn agon(args: &[&str]) -> Ran {
    agon_with_input(args, "")
}

pub(crate) fn agon_with_input(args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    // A program that does not read its input closes the pipe: that is its right.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("agon ends");
    Ran {
        code: status.code().expect("agon is not killed by a signal"),
        out: String::from_utf8(stdout).expect("text"),
        err: String::from_utf8(stderr).expect("text"),
    }
}

/// A path at which there is nothing.
pub(crate) fn missing() -> String {
    let gone = tempfile::tempdir().expect("a temporary directory");
    gone.path().join("missing").to_str().expect("text").to_string()
}

/// Waits for something that must come; the limit is for what is broken.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(600), "in vain: {what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Runs with `--json` and reads the answer, whatever the exit code.
pub(crate) fn json(args: &[&str]) -> Json {
    let ran = agon(&[args, &["--json"]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{args:?}: {e}\n{}\n{}", ran.out, ran.err))
}
