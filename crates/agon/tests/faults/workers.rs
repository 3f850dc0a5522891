//! Workers at one task: two at a time, killed, stopped and continued, on a full disk. No table is wrong or lost.

use crate::{files, same_files, signal_after, silent, text, times};
use agon_core::Rng;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

const GAME: &str = "antrin:4";

/// The units of the game in order, each by one of its tables.
fn units(folder: &Path) -> Vec<String> {
    let plan = crate::common::json(&["plan", GAME, "--table", text(folder), "--task-seconds", "0"]);
    let name = |task: &serde_json::Value| task["id"].as_str().unwrap().strip_prefix("solve-").unwrap().to_string();
    plan["tasks"].as_array().unwrap().iter().map(name).collect()
}

fn task(folder: &Path, unit: &str, patience: &str) -> Command {
    silent(&[
        "solve",
        GAME,
        "--strong",
        "-q",
        "--save-every",
        "0.01",
        "--table",
        text(folder),
        "--part",
        unit,
        "--patience",
        patience,
    ])
}

fn whole(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    assert!(silent(&["solve", GAME, "--strong", "-q", "--table", text(folder)]).status().unwrap().success());
    files(folder)
}

/// The tables among some files.
fn tables(files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    files.into_iter().filter(|(name, _)| name.ends_with(".agt")).collect()
}

fn send(child: &Child, signal: Signal) {
    // A child that has ended and was not waited for still has its number.
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
}

#[test]
fn two_workers_at_one_task_and_killed_ones_leave_the_same_tables() {
    let place = tempfile::tempdir().unwrap();
    let expected = whole(&place.path().join("whole"));
    let names = units(place.path());
    let mut rng = Rng::new(5);
    for round in 0..times().div_ceil(5) {
        let folder = place.path().join(format!("shared-{round}"));
        for unit in &names {
            // One is killed at some moment, two go on side by side; without patience they even compute the same.
            let mut killed = task(&folder, unit, "0").spawn().unwrap();
            let patience = if rng.below(2) == 0 { "0" } else { "300" };
            let mut others = [(); 2].map(|()| task(&folder, unit, patience).spawn().unwrap());
            std::thread::sleep(Duration::from_micros(rng.below(60_000) as u64));
            send(&killed, Signal::SIGKILL);
            killed.wait().unwrap();
            let codes: Vec<Option<i32>> = others.iter_mut().map(|child| child.wait().unwrap().code()).collect();
            assert_eq!(codes, [Some(0), Some(0)], "round {round}, {unit}");
        }
        // A killed worker leaves an empty lock file, and its last checkpoint if it was late.
        same_files(&tables(files(&folder)), &tables(expected.clone()), &format!("round {round}"));
    }
}

#[test]
fn a_worker_that_is_stopped_and_continued_harms_nothing() {
    let place = tempfile::tempdir().unwrap();
    let expected = whole(&place.path().join("whole"));
    let folder = place.path().join("shared");
    let mut rng = Rng::new(6);
    for unit in units(place.path()) {
        let mut stopped = task(&folder, &unit, "300").spawn().unwrap();
        std::thread::sleep(Duration::from_micros(rng.below(40_000) as u64));
        send(&stopped, Signal::SIGSTOP);
        // The other one does not wait for ever, and finishes the task.
        assert!(task(&folder, &unit, "1").status().unwrap().success(), "{unit}");
        let done = folder.join(format!("{unit}.agt"));
        let before = std::fs::read(&done).unwrap();
        send(&stopped, Signal::SIGCONT);
        assert!(stopped.wait().unwrap().success(), "{unit}");
        assert!(std::fs::read(&done).unwrap() == before, "{unit}");
    }
    assert!(
        silent(&["solve", GAME, "--strong", "-q", "--resume", "--table", text(&folder)]).status().unwrap().success()
    );
    same_files(&tables(files(&folder)), &tables(expected), "tables");
}

#[test]
fn a_task_on_a_full_disk_fails_and_is_done_when_there_is_room() {
    let place = tempfile::tempdir().unwrap();
    let expected = whole(&place.path().join("whole"));
    let folder = place.path().join("shared");
    for unit in units(place.path()) {
        let args = ["solve", GAME, "--strong", "-q", "--table", text(&folder), "--part", &unit];
        for kilobytes in [1, 8] {
            let ran = crate::surroundings::on_a_small_disk(kilobytes, &args);
            assert!(matches!(ran.code, 0 | 1), "{unit}: {} {}", ran.code, ran.err);
        }
        assert!(task(&folder, &unit, "0").status().unwrap().success());
    }
    same_files(&files(&folder), &expected, "tables");
}

/// SIGTERM is what schedulers send. The checkpoint is that of the moment: none was due before.
#[test]
fn a_worker_that_is_told_to_stop_leaves_a_checkpoint() {
    let place = tempfile::tempdir().unwrap();
    let solve = |folder: &Path| {
        silent(&[
            "solve",
            "antrin:5",
            "--strong",
            "-q",
            "--save-every",
            "100000",
            "--table",
            text(folder),
            "--part",
            "5-5",
        ])
    };
    // The later the signal, the more is done; at some moment the work has begun and is not finished.
    for attempt in 0..12 {
        let folder = place.path().join(format!("five-{attempt}"));
        let after = Duration::from_millis(100 << attempt);
        let begun = std::time::Instant::now();
        let code = signal_after(solve(&folder), Signal::SIGTERM, after);
        let stopping = begun.elapsed() - after;
        assert!(stopping < Duration::from_secs(5), "{stopping:?}");
        let checkpoint = folder.join("5-5.agp");
        if checkpoint.exists() {
            assert_eq!(code, Some(130));
            // It is one that the next run accepts.
            let reader = agon_table::Reader::open(&checkpoint).unwrap();
            assert_eq!((reader.field("game"), reader.field("shards")), (Some("antrin:5"), Some("5-5")));
            reader.verify().unwrap();
            return;
        }
        assert!(code != Some(0), "the work was finished before any checkpoint");
    }
    panic!("no checkpoint was left");
}
