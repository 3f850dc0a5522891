//! `--processes`: several processes at one component, on this machine, from outside.
#![cfg(all(unix, feature = "timely"))]

mod common;

use common::{agon, json};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const FOUR: &str = "antrin:4";
/// One table, which leads to no other and takes a while.
const FIVE: &str = "antrin:5";
const UNIT: &str = "5-5";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The tables of a directory.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = entries.filter(|path| path.extension().is_some_and(|ending| ending == "agt"));
    tables.map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap())).collect()
}

fn checkpoints(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(".agp")).collect();
    names.sort();
    names
}

fn five(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["solve", FIVE, "--strong", "--quiet", "--threads", "1", "--table", text(folder), "--part", UNIT]);
    command.args(more).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn said(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn several_processes_write_the_tables_of_one() {
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole");
    assert_eq!(agon(&["solve", FOUR, "--strong", "--quiet", "--table", text(&whole)]).code, 0);
    let plan = json(&["plan", FOUR, "--table", text(&whole), "--task-seconds", "0"]);
    for processes in ["2", "4"] {
        let folder = place.path().join(processes);
        let mut bytes = 0;
        for task in plan["tasks"].as_array().unwrap() {
            let unit = task["id"].as_str().unwrap().strip_prefix("solve-").unwrap();
            let args = ["solve", FOUR, "--strong", "--table", text(&folder), "--part", unit, "--processes", processes];
            let answer = json(&args);
            assert_eq!(answer["processes"].to_string(), processes);
            assert_eq!(answer["tables"]["found"], 0, "{answer}");
            bytes += answer["sent"]["bytes"].as_u64().unwrap();
        }
        assert!(bytes > 1000, "{bytes}");
        assert!(tables(&folder) == tables(&whole), "{processes} processes");
        assert!(checkpoints(&folder).is_empty(), "{:?}", checkpoints(&folder));
        let checked = agon(&["check", text(&folder)]);
        assert_eq!(checked.code, 0, "{}", checked.err);
        // All is there: nothing is sent, and the answer says so.
        let args = ["solve", FOUR, "--strong", "--table", text(&folder), "--part", "4-4", "--processes", processes];
        assert_eq!(json(&args)["tables"]["solved"], 0);
    }
}

/// One of three processes is killed, at some moment: the others end within seconds, and another number of processes
/// continues from what was saved.
#[test]
fn a_process_that_is_killed_ends_the_work_which_any_number_continues() {
    let place = tempfile::tempdir().unwrap();
    let (whole, folder) = (place.path().join("whole"), place.path().join("shared"));
    assert!(five(&whole, &[]).status().unwrap().success());
    let mut saved = 0;
    for attempt in 0..4 {
        let hosts = place.path().join("hosts");
        let listeners: Vec<TcpListener> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let addresses: Vec<String> = listeners.iter().map(|one| format!("{}\n", one.local_addr().unwrap())).collect();
        drop(listeners);
        std::fs::write(&hosts, addresses.concat()).unwrap();
        let start = |process: usize| {
            let number = process.to_string();
            let more = ["--processes", "3", "--process", &number, "--hosts", text(&hosts), "--save-every", "0.2"];
            five(&folder, &more).spawn().unwrap()
        };
        let mut all: Vec<Child> = (0..3).map(start).collect();
        std::thread::sleep(Duration::from_millis(600 << attempt));
        let victim = all.remove(attempt % 3);
        kill(Pid::from_raw(victim.id() as i32), Signal::SIGKILL).unwrap();
        let begun = Instant::now();
        let finished = said(victim).0 == Some(0);
        for child in all {
            let (code, err) = said(child);
            assert!(finished || code == Some(1) && err.contains(" is lost: ") || code == Some(0), "{code:?} {err}");
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        saved += usize::from(!checkpoints(&folder).is_empty());
        if finished {
            break;
        }
    }
    assert!(saved > 0, "nothing was saved");
    let (code, err) = said(five(&folder, &["--processes", "2"]).spawn().unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(tables(&folder) == tables(&whole));
    assert!(checkpoints(&folder).is_empty());
}

/// SIGTERM reaches the process that has started the others.
#[test]
fn processes_that_are_told_to_stop_leave_a_checkpoint_for_one() {
    let place = tempfile::tempdir().unwrap();
    for attempt in 0..6 {
        let folder = place.path().join(format!("stopped-{attempt}"));
        let child = five(&folder, &["--processes", "2", "--save-every", "100000"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(400 << attempt));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
        let begun = Instant::now();
        let (code, err) = said(child);
        if code == Some(0) {
            break;
        }
        assert_eq!(code, Some(130), "{err}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        let parts = checkpoints(&folder);
        if parts.is_empty() {
            continue;
        }
        assert_eq!(parts, ["5-5.1.0-of-2.agp", "5-5.1.1-of-2.agp"]);
        let whole = place.path().join("whole");
        assert!(five(&whole, &[]).status().unwrap().success());
        assert!(five(&folder, &[]).status().unwrap().success());
        let record = std::fs::read_to_string(folder.join("5-5.agt.json")).unwrap();
        assert!(record.contains("\"resumed\": true"), "{record}");
        assert!(tables(&folder) == tables(&whole));
        return;
    }
    panic!("the work was never stopped between its beginning and its end");
}

#[test]
fn processes_that_do_not_fit_together_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let hosts = place.path().join("hosts");
    std::fs::write(&hosts, "127.0.0.1:1\n").unwrap();
    let folder = place.path().join("tables");
    let (code, err) =
        said(five(&folder, &["--processes", "2", "--process", "0", "--hosts", text(&hosts)]).spawn().unwrap());
    assert!(code == Some(2) && err.contains("has 1 addresses: expected 2"), "{code:?} {err}");
    let (code, err) = said(five(&folder, &["--processes", "2"]).env("SLURM_STEP_NUM_TASKS", "3").spawn().unwrap());
    assert!(code == Some(2) && err.contains("srun has started 3 processes"), "{code:?} {err}");
}
