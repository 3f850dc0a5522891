//! Faults: kills at any moment, damaged files, full disks, several processes, clocks that run backwards.
//!
//! `AGON_FAULTS` says how many faults of each kind are tried; 10 unless told. No test depends on how fast anything is:
//! a run may be killed before it begins or after it has ended, and must lead to the same files all the same.
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod damage;
mod kills;
mod server;
mod surroundings;
mod workers;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of faults of each kind.
fn times() -> u64 {
    std::env::var("AGON_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

/// Says what a long run has seen.
fn tell(line: &str) {
    if std::env::var_os("AGON_FAULTS").is_some() {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// The program with arguments, saying nothing.
fn silent(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Sends a signal some time after the start; returns the exit code, if the program ended by itself.
fn signal_after(mut run: Command, signal: nix::sys::signal::Signal, after: std::time::Duration) -> Option<i32> {
    let mut child = run.spawn().unwrap();
    std::thread::sleep(after);
    // A child that has ended and was not waited for still has its number.
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    child.wait().unwrap().code()
}

/// Every file of a directory but the records of tables, which say when their tables were made.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| !path.to_string_lossy().ends_with(".agt.json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap()))
        .collect()
}

/// The same files with the same contents; else says which differ.
fn same_files(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>, what: &str) {
    let names: BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
    let differ: Vec<_> = names.into_iter().filter(|&name| found.get(name) != expected.get(name)).collect();
    assert!(differ.is_empty(), "{what}: {differ:?} differ");
}

/// The same items in the same order; else says where they differ first.
fn same<T: PartialEq + Debug>(found: &[T], expected: &[T], what: &str) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
        panic!("{what}: number {at} of {} is {:?}, not {:?}", expected.len(), found.get(at), expected.get(at));
    }
}

/// Every game of a tournament: what was played, not how long it took.
fn games(path: &Path) -> Vec<String> {
    let file = rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let text =
        "SELECT id || ' ' || pair || ' ' || first || ' ' || second || ' ' || result || ' ' || reason || ' ' || plies
                || ' ' || first_seed || ' ' || second_seed || ' ' || start || ' ' || moves FROM game ORDER BY id";
    let mut select = file.prepare(text).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary directories have plain names")
}
