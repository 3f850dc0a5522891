//! A disk that is full, a directory that is read-only, two processes at one file, a clock that goes back.

use crate::common::{Ran, agon};
use crate::{files, games, same, same_files, silent, text};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// Runs the program in a shell that first says something.
pub(crate) fn after(prelude: &str, args: &[&str]) -> Ran {
    let script = format!("{prelude}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_agon")]).args(args).stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?} ended by a signal: {:?}", output.status));
    Ran { code, out: said(output.stdout), err: said(output.stderr) }
}

/// No file may grow beyond this many kilobytes, which simulates a full disk without root rights.
pub(crate) fn on_a_small_disk(kilobytes: u32, args: &[&str]) -> Ran {
    after(&format!("trap '' XFSZ; ulimit -f {}", 2 * kilobytes), args)
}

fn tables(folder: &Path) -> [&str; 7] {
    ["solve", "antrin:4", "--strong", "-q", "--resume", "--table", text(folder)]
}

fn arena(file: &Path) -> [&str; 9] {
    ["arena", "tak:4", "random", "weighted", "--games", "60", "-q", "--out", text(file)]
}

#[test]
fn a_full_disk_is_reported_and_saved_work_resumes() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let refused = |ran: &Ran, what: &str| {
        assert_eq!(ran.code, 1, "{what}: {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("panicked") && !ran.err.trim().is_empty(), "{what}: {}", ran.err);
    };
    // 1. A certificate is there whole or not at all.
    let file = path("c.agon");
    let solve = ["solve", "mnk:4,4,3", "--certificate", text(&file)];
    refused(&on_a_small_disk(1, &solve), "certificate");
    assert!(!file.exists() && files(place.path()).is_empty(), "something was left behind");
    assert_eq!(agon(&solve).code, 0);
    assert_eq!(agon(&["check", text(&file)]).code, 0);
    // 2. Tables: those that fit are kept, and the rest is solved when there is room.
    let (whole, broken) = (path("whole"), path("broken"));
    assert_eq!(agon(&tables(&whole)).code, 0);
    refused(&on_a_small_disk(4, &tables(&broken)), "tables");
    assert_eq!(agon(&tables(&broken)).code, 0);
    same_files(&files(&broken), &files(&whole), "tables");
    // 3. A sequence.
    let file = path("s.grundy");
    let grundy = ["grundy", "0.007", "--to", "9000", "-q", "--resume", "--out", text(&file)];
    refused(&on_a_small_disk(1, &grundy), "sequence");
    assert_eq!(agon(&grundy).code, 0);
    assert_eq!(agon(&["check", text(&file)]).code, 0);
    // 4. A tournament.
    let (whole, broken) = (path("whole.sqlite"), path("broken.sqlite"));
    assert_eq!(agon(&arena(&whole)).code, 0);
    refused(&on_a_small_disk(32, &arena(&broken)), "tournament");
    let again = ["arena", "-q", "--resume", text(&broken)];
    assert_eq!(if broken.exists() { agon(&again) } else { agon(&arena(&broken)) }.code, 0);
    same(&games(&broken), &games(&whole), "games");
    // 5. A model.
    let file = path("model");
    refused(&on_a_small_disk(1, &["train", "tic-tac-toe", "--games", "200", "--out", text(&file), "-q"]), "model");
    assert!(!file.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    for args in [&["games"][..], &["solve", "tic-tac-toe", "--json"], &["grundy", "0.77", "--to", "9"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = silent(args).stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(1), "{args:?}");
    }
}

/// A directory in which nobody can make a file, not even root.
fn read_only(place: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let folder = place.join("read-only");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    let writable = |folder: &Path| {
        let file = folder.join("agon-test-file");
        let made = File::create(&file).is_ok();
        let _ = std::fs::remove_file(&file);
        made
    };
    // Permissions mean nothing to root; the file system of processes takes no files from anybody.
    [folder, PathBuf::from("/proc")].into_iter().find(|folder| folder.is_dir() && !writable(folder))
}

#[test]
fn a_read_only_directory_is_reported() {
    let place = tempfile::tempdir().unwrap();
    let Some(folder) = read_only(place.path()) else { return };
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    for args in [
        &["solve", "tic-tac-toe", "--certificate", &path("c.agon")][..],
        &["solve", "antrin:3", "--strong", "-q", "--table", &path("tables")],
        &["grundy", "0.77", "--to", "50", "-q", "--out", &path("s.grundy")],
        &["arena", "tic-tac-toe", "random", "random", "--games", "2", "-q", "--out", &path("a.sqlite")],
        &["train", "tic-tac-toe", "--games", "10", "-q", "--out", &path("model")],
        &["serve", "--port", "0", "--data", &path("data")],
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, 1, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(folder.to_str().unwrap()), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_directory_of_tables_in_use_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    std::fs::create_dir(&folder).unwrap();
    // Somebody else is at it.
    let lock = File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    let solve = ["solve", "antrin:3", "--strong", "-q", "--resume", "--table", text(&folder)];
    let ran = agon(&solve);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(text(&folder)), "{}", ran.err);
    assert_eq!(files(&folder).len(), 1);
    drop(lock);
    assert_eq!(agon(&solve).code, 0);
}

#[test]
fn a_sequence_in_use_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("s.grundy");
    let grundy = ["grundy", "0.77", "--to", "50", "-q", "--resume", "--out", text(&file)];
    assert_eq!(agon(&grundy).code, 0);
    let before = std::fs::read(&file).unwrap();
    let held = File::options().read(true).write(true).open(&file).unwrap();
    held.lock().unwrap();
    let ran = agon(&["grundy", "0.77", "--to", "90", "-q", "--resume", "--out", text(&file)]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("s.grundy"), "{}", ran.err);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    drop(held);
    assert_eq!(agon(&grundy).code, 0);
}

#[test]
fn processes_at_one_file_or_directory_leave_it_right() {
    let place = tempfile::tempdir().unwrap();
    let (whole, shared) = (place.path().join("whole.sqlite"), place.path().join("shared.sqlite"));
    let begin = |file: &Path| {
        let args = ["arena", "tak:4", "random", "weighted", "--games", "20", "--seed", "9", "-q", "--out", text(file)];
        assert!(silent(&args).status().unwrap().success());
    };
    begin(&whole);
    for _ in 0..crate::times().div_ceil(5) {
        let _ = std::fs::remove_file(&shared);
        // All three continue with the same tournament, of which nothing is played yet.
        begin(&shared);
        rusqlite::Connection::open(&shared).unwrap().execute("DELETE FROM game", []).unwrap();
        let run = || silent(&["arena", "-q", "--resume", text(&shared)]).spawn().unwrap();
        let ended = [run(), run(), run()].map(|mut child| child.wait().unwrap().code());
        assert!(ended.iter().all(|code| matches!(code, Some(0 | 1))), "{ended:?}");
        assert!(silent(&["arena", "-q", "--resume", text(&shared)]).status().unwrap().success());
        same(&games(&shared), &games(&whole), "games");
    }
    let (whole, shared) = (place.path().join("whole"), place.path().join("shared"));
    let solve = |folder: &Path| silent(&["solve", "antrin:4", "--strong", "-q", "--resume", "--table", text(folder)]);
    assert!(solve(&whole).status().unwrap().success());
    let ended = [(); 3].map(|()| solve(&shared).spawn().unwrap()).map(|mut child| child.wait().unwrap().code());
    assert!(ended.contains(&Some(0)) && ended.iter().all(|code| matches!(code, Some(0 | 1))), "{ended:?}");
    same_files(&files(&shared), &files(&whole), "tables");
}

/// Files from the future and from before 1970: what is there is judged by its contents alone.
#[test]
fn a_clock_that_goes_back_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let (whole, folder) = (place.path().join("whole"), place.path().join("tables"));
    let solve = |folder: &Path, extra: &[&str]| {
        let ran = agon(&[&["solve", "antrin:3", "--strong", "-q", "--table", text(folder)], extra].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    solve(&whole, &[]);
    let years = Duration::from_secs(30 * 365 * 86_400);
    for moment in [SystemTime::now() + years, SystemTime::UNIX_EPOCH - years] {
        let date = |path: &Path| File::options().write(true).open(path).unwrap().set_modified(moment).unwrap();
        // Some tables are there, all from another time; the others are solved beside them.
        let _ = std::fs::remove_dir_all(&folder);
        solve(&folder, &[]);
        std::fs::remove_file(folder.join("3-3.agt")).unwrap();
        files(&folder).keys().for_each(|name| date(&folder.join(name)));
        solve(&folder, &["--resume"]);
        same_files(&files(&folder), &files(&whole), "tables");
        // A sequence and a tournament.
        let sequence = place.path().join("s.grundy");
        for to in ["100", "300"] {
            assert_eq!(agon(&["grundy", "0.77", "--to", to, "-q", "--resume", "--out", text(&sequence)]).code, 0);
            date(&sequence);
        }
        assert_eq!(agon(&["check", "--full", text(&sequence)]).code, 0);
        let arena = place.path().join("a.sqlite");
        let _ = std::fs::remove_file(&arena);
        let args = ["arena", "tic-tac-toe", "random", "weighted", "--games", "20", "-q", "--out", text(&arena)];
        assert_eq!(agon(&args).code, 0);
        let expected = games(&arena);
        rusqlite::Connection::open(&arena).unwrap().execute("DELETE FROM game WHERE id > 4", []).unwrap();
        date(&arena);
        assert_eq!(agon(&["arena", "-q", "--resume", text(&arena)]).code, 0);
        same(&games(&arena), &expected, "games");
    }
}

/// A table for the search that is larger than the memory becomes smaller; the engine plays on.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_asked_for_more_memory_than_there_is_plays_on() {
    use std::io::Write;
    let script = "ulimit -v 1000000; exec \"$0\" tei";
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_agon")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"setoption name Hash value 65536\ngo nodes 5\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("bestmove "), "{:?} {said}", output.status);
}
