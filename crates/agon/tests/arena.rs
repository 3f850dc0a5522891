//! Tournaments: the same whatever the threads, the interruptions and the parts; and engines that
//! misbehave in every way.
#![cfg(unix)]

mod common;

use common::{agon, json, missing, until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};

/// Everything that must not depend on threads, interruptions and parts.
fn essence(mut report: Json) -> Json {
    for key in ["seconds", "out"] {
        report.as_object_mut().unwrap().remove(key);
    }
    report
}

/// Every game in a file, with its moves.
fn games(path: &Path) -> Vec<(i64, String, String, String, String)> {
    let file = rusqlite::Connection::open(path).unwrap();
    let mut select = file.prepare("SELECT id, result, reason, start, moves FROM game ORDER BY id").unwrap();
    let rows = select.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn the_same_games_for_any_number_of_threads_and_in_parts() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let arena = |more: &[&str]| {
        let base = ["arena", "tic-tac-toe", "perfect", "skill:0.5", "random", "--games", "20", "--opening-plies", "1"];
        json(&[&base[..], more].concat())
    };
    let (one, four) = (file("one"), file("four"));
    let whole = essence(arena(&["--threads", "1", "--out", &one]));
    assert_eq!(whole, essence(arena(&["--threads", "4", "--out", &four])));
    assert_eq!(games(one.as_ref()), games(four.as_ref()));
    assert_eq!((whole["games"].as_u64(), whole["planned"].as_u64()), (Some(60), Some(60)));
    let (a, b, c) = (file("a"), file("b"), file("c"));
    let part = arena(&["--shard", "1/2", "--out", &a]);
    assert!(part["games"].as_u64().is_some_and(|n| n > 0 && n < 60), "{part}");
    arena(&["--shard", "2/2", "--out", &b]);
    assert_eq!(whole, essence(json(&["merge", &c, &a, &b])));
    assert_eq!(games(one.as_ref()), games(c.as_ref()));
    // Merging again changes nothing; another tournament is refused.
    assert_eq!(whole, essence(json(&["merge", &c, &a])));
    json(&["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", &file("other")]);
    let refused = agon(&["merge", &c, &file("other")]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("belongs to another tournament"), "{}", refused.err);
}

#[test]
fn players_that_search_repeat_themselves_when_they_count_their_work() {
    let run = |threads: &str| {
        let base = ["arena", "tak:4", "negamax:nodes=300", "mcts:playouts=40", "mc:playouts=1", "weighted"];
        essence(json(&[&base[..], &["--games", "4", "--seed", "3", "--threads", threads]].concat()))
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    assert_eq!(one["games"], 24);
}

#[test]
fn an_interrupted_tournament_resumes_to_the_same_end() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let args = ["arena", "tak:4", "random", "random", "--games", "400", "--seed", "5", "-q"];
    let uninterrupted = essence(json(&[&args[..], &["--out", whole.to_str().unwrap()]].concat()));
    for signal in [Signal::SIGKILL, Signal::SIGINT] {
        let broken = dir.path().join(signal.as_str());
        let mut run = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(args)
            .args(["--out", broken.to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let kept = || {
            let file = rusqlite::Connection::open_with_flags(&broken, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            file.query_row("SELECT count(*) FROM game", [], |r| r.get::<_, i64>(0))
        };
        until("twenty games", || kept().is_ok_and(|n| n >= 20));
        kill(Pid::from_raw(i32::try_from(run.id()).unwrap()), signal).unwrap();
        let code = run.wait().unwrap().code();
        // Quick machines may be done before the signal comes.
        assert!(code != Some(1) && code != Some(2), "{signal}: {code:?}");
        assert!(games(&broken).len() >= 20);
        let resumed = essence(json(&["arena", "--resume", broken.to_str().unwrap()]));
        assert_eq!(uninterrupted, resumed);
        assert_eq!(games(&whole), games(&broken));
    }
    let record: String = rusqlite::Connection::open(&whole)
        .and_then(|f| f.query_row("SELECT record FROM game WHERE id = 0", [], |r| r.get(0)))
        .unwrap();
    assert!(record.contains("[Player1 \"random\"]") && record.contains("[Size \"4\"]"), "{record}");
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_for_any_number_of_threads() {
    let run = |threads: &str| {
        json(&[
            "arena",
            "tic-tac-toe",
            "perfect",
            "random",
            "--games",
            "2000",
            "--sprt",
            "elo0=0,elo1=100",
            "--threads",
            threads,
        ])
    };
    let (one, three) = (run("1"), run("3"));
    assert_eq!(essence(one.clone()), essence(three));
    assert_eq!(one["sprt"]["accepted"], "elo1");
    assert!(one["games"].as_u64().is_some_and(|n| n < 200), "{one}");
}

#[test]
fn wrong_requests_and_damaged_files_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (noise, there) = (dir.path().join("noise"), dir.path().join("there"));
    std::fs::write(&noise, "not a database, but long enough to be looked at as one".repeat(40)).unwrap();
    let (noise, there, nothing) = (noise.to_str().unwrap(), there.to_str().unwrap(), missing());
    rusqlite::Connection::open(there).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    for (args, code, needle) in [
        (&["arena", "tic-tac-toe", "random"][..], 2, "at least two players"),
        (&["arena", "tic-tac-toe", "random", "god"], 2, "invalid player `god`"),
        (&["arena", "tic-tac-toe", "random", "human"], 2, "a tournament needs computer players"),
        (&["arena", "tic-tac-toe", "random", "random", "--games", "3"], 2, "an even one"),
        (&["arena", "tic-tac-toe", "random", "random", "--shard", "3/2"], 2, "invalid shard `3/2`"),
        (&["arena", "tic-tac-toe", "random", "random", "--sprt", "now"], 2, "expected elo0=0,elo1=10"),
        (&["arena", "tic-tac-toe", "random", "tei:cat"], 2, "TEI engines play tak"),
        (&["arena", "tak:5", "random", "tei:/no/such/engine"], 2, "cannot start it"),
        (&["arena", "tak:5", "random", "tei:"], 2, "expected a command"),
        (&["arena", "tak:5", "random", "random", "--time", "0"], 2, "invalid time `0`"),
        (&["arena", "--resume", &nothing], 1, "no such file"),
        (&["arena", "--resume", noise], 4, "noise"),
        (&["arena", "--resume", there], 4, "is not a tournament of agon"),
        (&["arena", "tic-tac-toe", "random", "random", "--out", there], 2, "--resume"),
        (&["merge", &nothing, noise], 4, "noise"),
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, code, "{args:?}\n{}{}", ran.out, ran.err);
        assert!(ran.err.contains(needle), "{args:?}: `{needle}` is not in\n{}", ran.err);
        assert!(ran.out.is_empty(), "{args:?} wrote to standard output:\n{}", ran.out);
    }
}

#[test]
fn proven_and_unproven_moves_are_counted_in_text_json_and_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let small = json(&["arena", "tic-tac-toe", "perfect", "random", "--games", "4", "--out", &file("small")]);
    let standings = &small["standings"];
    assert!(standings[0]["proven"].as_u64().unwrap() > 8, "{standings}");
    assert_eq!((&standings[0]["unproven"], &standings[1]["proven"]), (&Json::from(0), &Json::Null));
    // Nobody can prove what a first stone of Tak on 6×6 is worth.
    let args = ["arena", "tak:6", "perfect", "random", "--games", "2", "--time", "1", "--most-plies", "2"];
    let large = json(&[&args[..], &["--out", &file("large")]].concat());
    assert_eq!((&large["standings"][0]["proven"], &large["standings"][0]["unproven"]), (&0.into(), &2.into()));
    let read = |path: &str, columns: &str| -> Vec<(Option<i64>, Option<i64>)> {
        let file = rusqlite::Connection::open(path).unwrap();
        let mut select = file.prepare(&format!("SELECT {columns} FROM game ORDER BY id")).unwrap();
        let rows = select.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(read(&file("large"), "first_proven, first_unproven"), [(Some(0), Some(1)), (None, None)]);
    assert_eq!(read(&file("large"), "second_proven, second_unproven"), [(None, None), (Some(0), Some(1))]);
    let said = agon(&["arena", "--resume", &file("small")]);
    let total = standings[0]["proven"].as_u64().unwrap();
    assert!(said.out.contains(&format!("perfect: {total} moves proven, 0 not proven\n")), "{}", said.out);
}

#[test]
fn a_tournament_stopped_before_its_first_game_can_be_begun_again() {
    let dir = tempfile::tempdir().unwrap();
    let (empty, bare) = (dir.path().join("empty"), dir.path().join("bare"));
    std::fs::write(&empty, "").unwrap();
    // A kill between the first page and the first table leaves this behind.
    rusqlite::Connection::open(&bare).unwrap().execute_batch("PRAGMA journal_mode = WAL; VACUUM").unwrap();
    for path in [&empty, &bare] {
        let name = path.to_str().unwrap();
        let resumed = agon(&["arena", "--resume", name]);
        assert_eq!(resumed.code, 1, "{}", resumed.err);
        assert!(resumed.err.contains("it was stopped before its first game; start it again"), "{}", resumed.err);
        let begun = json(&["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", name]);
        assert_eq!(begun["games"], 2, "{begun}");
        assert_eq!(json(&["arena", "--resume", name])["games"], 2);
    }
}

#[test]
fn a_file_of_an_earlier_version_resumes() {
    let dir = tempfile::tempdir().unwrap();
    let (old, other) = (dir.path().join("old"), dir.path().join("other"));
    let names = [old.to_str().unwrap(), other.to_str().unwrap()];
    let args = ["arena", "heap:0.77:4+5", "perfect", "random", "--games", "4"];
    let whole = essence(json(&[&args[..], &["--out", names[0]]].concat()));
    let file = rusqlite::Connection::open(&old).unwrap();
    for column in ["first_proven", "first_unproven", "second_proven", "second_unproven"] {
        file.execute_batch(&format!("ALTER TABLE game DROP COLUMN {column}")).unwrap();
    }
    file.execute_batch("DELETE FROM game WHERE id > 1").unwrap();
    file.execute_batch("UPDATE tournament SET value = replace(value, 'heap:0.77:4', 'heap:0.77;4')").unwrap();
    drop(file);
    let merged = json(&["merge", names[1], names[0]]);
    assert_eq!((&merged["game"], &merged["games"]), (&"heap:0.77:4+5".into(), &2.into()));
    let resumed = essence(json(&["arena", "--resume", names[0]]));
    assert_eq!((&resumed["meetings"], &resumed["games"]), (&whole["meetings"], &whole["games"]));
}

#[test]
fn a_file_does_not_run_programs_unless_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (file, touched) = (dir.path().join("gift"), dir.path().join("touched"));
    let name = file.to_str().unwrap();
    json(&[
        "arena",
        "tak:5",
        "random",
        "weighted",
        "--games",
        "2",
        "--start-time",
        "0.5",
        "--shard",
        "1/2",
        "--out",
        name,
    ]);
    let program = format!("tei:touch {}", touched.display());
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute("UPDATE tournament SET value = replace(value, 'weighted', ?1)", [&program])
        .unwrap();
    let refused = agon(&["arena", "--resume", name]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("asks to run `touch ") && refused.err.contains("--allow-programs"), "{}", refused.err);
    assert!(!touched.exists());
    rusqlite::Connection::open(&file).unwrap().execute("DELETE FROM game", []).unwrap();
    assert_eq!(agon(&["arena", "--resume", name, "--allow-programs"]).code, 0);
    assert!(touched.exists());
}

#[test]
fn waiting_for_a_locked_file_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("locked");
    let name = path.to_str().unwrap();
    json(&["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", name]);
    let lock = rusqlite::Connection::open(&path).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["arena", "--resume", name])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = std::io::BufReader::new(run.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut lines, &mut said).unwrap();
    assert!(said.contains("locked by another process; waiting"), "{said}");
    lock.execute_batch("ROLLBACK").unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
}

/// A small engine: places flats from a1 on, and from its move number `at` on does what `how` says.
const ENGINE: &str = r#"
how=$1 at=$2 n=0
[ "$how" = child ] && NAP &
while read -r word rest; do
    case $word in
    tei)
        [ "$how" = silent ] && sleep 1000
        echo "id name test"; echo "option name HalfKomi type spin default 0 min 0 max 8"; echo teiok ;;
    isready) echo readyok ;;
    position) moves=" ${rest##*moves} " ;;
    quit) exit 0 ;;
    go)
        n=$((n + 1))
        for square in a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2 e3 e4 e5; do
            case $moves in *"$square "*) ;; *) break ;; esac
        done
        answer="bestmove $square"
        if [ $n -ge "$at" ]; then
            case $how in
            crash) exit 3 ;;
            hang) sleep 1000 ;;
            flood) yes "info string nothing to say" ;;
            long) tr '\0' x < /dev/zero ;;
            illegal) answer="bestmove z9" ;;
            empty) answer=bestmove ;;
            binary) printf '\377\376\200\n'; answer=$(printf 'bestmove \377') ;;
            esac
        fi
        echo "info depth 1 score cp 0 pv $square"; echo "$answer" ;;
    esac
done
"#;

/// The command of a process that outlives the test unless it is ended; of this test alone.
fn nap() -> String {
    format!("sleep 1000.{}", std::process::id())
}

fn engine(dir: &Path, how: &str, at: u32) -> String {
    let path = dir.join("engine.sh");
    std::fs::write(&path, ENGINE.replace("NAP", &nap())).unwrap();
    format!("tei:sh '{}' {how} {at}", path.display())
}

#[test]
fn engines_that_misbehave_forfeit_in_time_and_the_tournament_continues() {
    let dir = tempfile::tempdir().unwrap();
    for (how, at, reason) in [
        ("hang", 2, "time"),
        ("flood", 2, "time"),
        ("long", 1, "flood"),
        ("crash", 1, "crash"),
        ("illegal", 1, "illegal move"),
        ("empty", 1, "illegal move"),
        ("binary", 1, "illegal move"),
        ("silent", 1, "no start"),
    ] {
        let name = engine(dir.path(), how, at);
        // Time is short only for what never comes, and long for the other player, whom a busy machine keeps waiting.
        let start = if how == "silent" { "0.5" } else { "100" };
        let time = if reason == "time" { "5" } else { "100" };
        let base = ["arena", "tak:5", &name, "random", "--games", "2", "--threads", "1"];
        let report = json(&[&base[..], &["--time", time, "--start-time", start]].concat());
        assert_eq!(report["games"], 2, "{how}: {report}");
        let endings = &report["meetings"][0]["endings"];
        assert_eq!(endings[1]["total"]["count"], 2, "{how}: {endings}");
        let either = [reason, "flood"].iter().filter_map(|r| endings[1]["by"][r]["count"].as_u64()).sum::<u64>();
        assert!(either >= 2, "{how}: {endings}");
        assert_eq!(report["standings"][0]["forfeits"], 2, "{how}");
    }
}

#[test]
fn engines_that_behave_play_whole_games_and_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let (good, parent) = (engine(dir.path(), "good", 0), engine(dir.path(), "child", 0));
    let report = json(&["arena", "tak:5,komi=2", &good, &parent, "--games", "4", "--time", "100"]);
    assert_eq!((report["games"].as_u64(), report["standings"][0]["forfeits"].as_u64()), (Some(4), Some(0)), "{report}");
    let nap = nap();
    let sleeping = || {
        let out = Command::new("ps").args(["-eo", "args"]).output().unwrap().stdout;
        String::from_utf8_lossy(&out).lines().filter(|line| line.trim() == nap).count()
    };
    until("the end of an engine's child", || sleeping() == 0);
    // Nor when agon itself is killed while an engine hangs.
    let hanging = format!("tei:sh -c '{nap} & exec sh {}/engine.sh hang 1'", dir.path().display());
    let run = |engine: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["arena", "tak:5", engine, "random", "--games", "2", "--time", "10000"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut agon = run(&hanging).spawn().unwrap();
    until("the start of an engine", || sleeping() > 0);
    agon.kill().unwrap();
    agon.wait().unwrap();
    until("the end of an engine that agon left", || sleeping() == 0);
    // Nor when it is killed as soon as the engine runs: here the engine does that itself.
    let killing = format!("tei:sh -c '{nap} & kill -s KILL $PPID; wait'");
    for _ in 0..5 {
        let ran = run(&killing).status().unwrap();
        assert_eq!(ran.code(), None, "agon was killed");
        until("the end of an engine that has killed agon", || sleeping() == 0);
    }
}

#[test]
fn a_player_learns_and_a_damaged_model_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let model = dir.path().join("ttt.model");
    let name = model.to_str().unwrap();
    let train = ["train", "tic-tac-toe", "--games", "6000", "--points", "3", "--exam", "40", "--out", name];
    let report = json(&train);
    let curve = report["curve"].as_array().unwrap();
    let share = |i: usize, whom: &str| curve[i][whom].as_f64().unwrap();
    assert_eq!(curve.len(), 4);
    assert!(share(0, "against_perfect") < 0.25 && share(3, "against_perfect") > 0.45, "{report}");
    assert!(share(3, "against_random") > 0.85, "{report}");
    let first = std::fs::read_to_string(&model).unwrap();
    assert!(first.starts_with("agon-model 1\ngame mnk:3,3,3\nagon "), "{first:.200}");
    assert!(std::fs::read_to_string(dir.path().join("ttt.model.svg")).unwrap().contains("against perfect"));
    json(&train);
    assert_eq!(first, std::fs::read_to_string(&model).unwrap(), "the same seed gives the same model");
    let learned = format!("learned:{name}");
    let report = json(&["arena", "tic-tac-toe", &learned, "random", "--games", "40"]);
    assert!(report["meetings"][0]["score"]["value"].as_f64().unwrap() > 0.85, "{report}");
    std::fs::write(&model, first.replace("seed 1", "seed 9")).unwrap();
    let refused = agon(&["arena", "tic-tac-toe", &learned, "random"]);
    assert_eq!(refused.code, 4, "{}", refused.err);
    assert!(refused.err.contains("do not match their hash"), "{}", refused.err);
    assert_eq!(agon(&["play", "tic-tac-toe", "--first", &format!("learned:{}", missing())]).code, 1);
}
