//! agon refuses these, with these messages: options that mean nothing, files that belong to something else,
//! directories that lack tables.

mod common;

use common::Ran;
use serde_json::{Value as Json, json as value};
use std::path::Path;
use std::process::Command;

/// The program, run in a directory.
fn agon_in(folder: &Path, args: &[&str]) -> Ran {
    let ran = Command::new(env!("CARGO_BIN_EXE_agon")).args(args).current_dir(folder).output().unwrap();
    Ran {
        code: ran.status.code().expect("agon is not killed by a signal"),
        out: String::from_utf8(ran.stdout).unwrap(),
        err: String::from_utf8(ran.stderr).unwrap(),
    }
}

fn json_in(folder: &Path, args: &[&str]) -> Json {
    let ran = agon_in(folder, &[args, &["--json"]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|why| panic!("{args:?}: {why}\n{}{}", ran.out, ran.err))
}

#[track_caller]
fn refused(ran: &Ran, code: i32, needles: &[&str]) {
    assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
    for needle in needles {
        assert!(ran.err.contains(needle), "`{needle}` is not in\n{}", ran.err);
    }
}

/// A directory with the tables of antrin:3 in `T`.
fn solved() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    assert_eq!(agon_in(place.path(), &["solve", "antrin:3", "--strong", "--table", "T"]).code, 0);
    place
}

/// The name of the table that the start of antrin:3 is in.
const TOP: &str = "0+3-0+3";

#[test]
fn a_directory_without_the_table_of_the_start_is_not_called_right() {
    let place = solved();
    let whole = json_in(place.path(), &["check", "T"]);
    assert_eq!(
        (&whole["verdict"], &whole["holds"], &whole["missing"]),
        (&value!("proved"), &value!(true), &value!([]))
    );
    std::fs::remove_file(place.path().join("T").join(format!("{TOP}.agt"))).unwrap();

    let said = agon_in(place.path(), &["check", "T"]);
    refused(&said, 1, &["some are missing", "--resume"]);
    let start = "the value of the start position is not among what was checked";
    assert!(said.out.contains(&format!("missing: {TOP}; {start}")) && !said.out.contains("correct:"), "{}", said.out);
    let part = json_in(place.path(), &["check", "T"]);
    assert_eq!((&part["verdict"], &part["holds"], &part["missing"]), (&value!("part"), &value!(false), &value!([TOP])));

    // A sample proves nothing anyway, and says what is missing; a part can be asked for.
    let sample = agon_in(place.path(), &["check", "T", "--sample", "10"]);
    assert!(sample.code == 0 && sample.out.contains(&format!("missing: {TOP}")), "{}", sample.out);
    let only = json_in(place.path(), &["check", "T", "--only", "3-3"]);
    assert_eq!((&only["verdict"], &only["missing"]), (&value!("proved"), &value!([TOP])));
    refused(&agon_in(place.path(), &["check", "T", "--only", TOP]), 1, &[&format!("--only {TOP} needs {TOP}")]);
    refused(&agon_in(place.path(), &["check", "T", "--only", "9-9"]), 2, &["no table `9-9`"]);
}

#[test]
fn a_directory_whose_tables_lead_to_missing_ones_is_incomplete_and_not_damaged() {
    let place = solved();
    std::fs::remove_file(place.path().join("T").join("3-3.agt")).unwrap();
    refused(&agon_in(place.path(), &["check", "T"]), 1, &["leads to 3-3, which is missing", "missing: 3-3"]);
    assert_eq!(json_in(place.path(), &["check", "T"])["missing"], value!(["3-3"]));
}

#[test]
fn another_games_directory_is_not_offered_for_resuming() {
    let place = solved();
    let other = agon_in(place.path(), &["solve", "three-mens", "--strong", "--table", "T"]);
    refused(&other, 2, &["holds tables of antrin:3, not of three-mens", "give another directory"]);
    assert!(!other.err.contains("--resume"), "{}", other.err);
    refused(&agon_in(place.path(), &["solve", "antrin:3", "--strong", "--table", "T"]), 2, &["--resume"]);
}

#[test]
fn a_sequence_never_overwrites_another_kind_of_file() {
    let place = tempfile::tempdir().unwrap();
    let run = |code: &str, file: &str| agon_in(place.path(), &["grundy", code, "--to", "50", "--out", file]);
    let keep = |file: &str, contents: &[u8]| std::fs::write(place.path().join(file), contents).unwrap();
    let kept = |file: &str| std::fs::read(place.path().join(file)).unwrap();
    keep("thesis.txt", b"my thesis");
    refused(&run("0.77", "thesis.txt"), 2, &["thesis.txt", "is not a file of Grundy values", "give another file"]);
    assert_eq!(kept("thesis.txt"), b"my thesis");
    let (_, header) = agon_check::sequence::Writer::new(&"0.007".parse().unwrap());
    keep("begun", &header);
    refused(&run("0.77", "begun"), 2, &["holds the sequence of 0.007, not of 0.77"]);
    assert_eq!(kept("begun"), header);
    // Its own beginning, an empty file and no file are no loss.
    assert_eq!(run("0.007", "begun").code, 0);
    refused(&run("0.77", "begun"), 2, &["holds the sequence of 0.007, not of 0.77"]);
    refused(&run("0.007", "begun"), 2, &["continue with --resume"]);
    keep("empty", b"");
    assert_eq!((run("0.77", "empty").code, run("0.77", "new").code), (0, 0));
}

#[test]
fn options_without_effect_are_refused() {
    let place = solved();
    let run = |args: &[&str]| agon_in(place.path(), args);
    assert_eq!(run(&["solve", "tic-tac-toe", "--certificate", "c.agon"]).code, 0);
    assert_eq!(run(&["grundy", "0.77", "--to", "50", "--out", "k.grundy"]).code, 0);
    for (args, needle) in [
        (&["check", "c.agon", "--from", "X../.../..."][..], "does not take --from"),
        (&["check", "T", "--from", "X../.../..."], "does not take --from"),
        (&["check", "k.grundy", "--from", "5"], "does not take --from"),
        (&["selftest", "--quick", "--from", "X../.../..."], "does not take --from"),
        (&["count", "antrin:3", "--export", "x.csv", "--from", "W../.../...:b:2-3"], "--from"),
        (&["check", "c.agon", "--sample", "5"], "--sample is for files of Grundy values and directories of tables"),
        (&["check", "c.agon", "--only", "3-3"], "--only is for directories of tables"),
        (&["check", "k.grundy", "--only", "3-3"], "--only is for directories of tables"),
        (&["check", "c.agon", "--seed", "5"], "--seed is for random samples"),
        (&["check", "T", "--seed", "5"], "--seed is for random samples"),
        (&["check", "k.grundy", "--full", "--seed", "5"], "--seed is for random samples"),
        (&["check", "T", "--sample", "0"], "--sample"),
        (&["check", "k.grundy", "--sample", "0"], "--sample"),
    ] {
        let ran = run(args);
        assert!(ran.code == 2 && ran.err.contains(needle), "{args:?}: {} {}{}", ran.code, ran.out, ran.err);
    }
    let from = "W../.../...:b:2-3";
    for args in [&["check", "c.agon"][..], &["check", "c.agon", "--full"], &["table", "probe", "T", "--from", from]] {
        let ran = run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    }
}

/// Learns a little; another seed gives another model.
fn train(folder: &Path, seed: &str) {
    let args = ["train", "tic-tac-toe", "--games", "30", "--out", "m.model", "--points", "1", "--exam", "2", "--quiet"];
    let trained = agon_in(folder, &[&args[..], &["--seed", seed]].concat());
    assert_eq!(trained.code, 0, "{}", trained.err);
}

#[test]
fn a_tournament_resumes_only_with_the_model_it_was_started_with() {
    let place = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| agon_in(place.path(), args);
    let part = |shard: &str, out: &str| {
        let args =
            ["arena", "tic-tac-toe", "learned:m.model", "random", "--games", "8", "--shard", shard, "--out", out];
        assert_eq!(run(&args).code, 0);
    };
    train(place.path(), "1");
    let first = std::fs::read(place.path().join("m.model")).unwrap();
    part("1/2", "a.sqlite");
    train(place.path(), "2");
    assert_ne!(std::fs::read(place.path().join("m.model")).unwrap(), first);
    let other = ["`m.model` has changed since this tournament started", "restore the old file"];
    refused(&run(&["arena", "--resume", "a.sqlite"]), 2, &other);
    part("2/2", "b.sqlite");
    refused(
        &run(&["merge", "c.sqlite", "a.sqlite", "b.sqlite"]),
        2,
        &["another tournament: it was started with a different `m.model`"],
    );
    std::fs::write(place.path().join("m.model"), first).unwrap();
    assert_eq!(run(&["arena", "--resume", "a.sqlite"]).code, 0);
    // A finished one needs no model, and is not continued with another one.
    std::fs::remove_file(place.path().join("m.model")).unwrap();
    assert_eq!(run(&["arena", "--resume", "a.sqlite"]).code, 0);
    train(place.path(), "2");
    refused(&run(&["arena", "--resume", "a.sqlite"]), 2, &other);
}

#[test]
fn a_tournament_of_an_earlier_version_does_not_say_which_model_played() {
    let place = tempfile::tempdir().unwrap();
    train(place.path(), "1");
    let args = ["arena", "tic-tac-toe", "learned:m.model", "random", "--games", "8", "--shard", "1/2", "--out", "a"];
    assert_eq!(agon_in(place.path(), &args).code, 0);
    let file = rusqlite::Connection::open(place.path().join("a")).unwrap();
    let plan: String = file.query_row("SELECT value FROM tournament WHERE key = 'plan'", [], |row| row.get(0)).unwrap();
    let mut plan: Json = serde_json::from_str(&plan).unwrap();
    let recorded = plan.as_object_mut().unwrap().remove("files").unwrap();
    let model = std::fs::read(place.path().join("m.model")).unwrap();
    assert_eq!(recorded["m.model"], blake3::hash(&model).to_hex().as_str());
    file.execute("UPDATE tournament SET value = ?1 WHERE key = 'plan'", [plan.to_string()]).unwrap();
    drop(file);
    refused(
        &agon_in(place.path(), &["arena", "--resume", "a"]),
        2,
        &["has no hash of `m.model`", "start a new tournament"],
    );
}

#[test]
fn a_tournament_is_a_regular_file() {
    let place = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| agon_in(place.path(), args);
    assert!(Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap().success());
    std::fs::create_dir(place.path().join("folder")).unwrap();
    assert_eq!(run(&["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", "a"]).code, 0);
    for (path, what) in [("pipe", "`pipe` is a pipe"), ("folder", "`folder` is a directory")] {
        for args in [
            &["arena", "--resume", path][..],
            &["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", path],
            &["merge", path, "a"],
            &["merge", "a", path],
        ] {
            refused(&run(args), 1, &[what, "expected a regular file that holds a tournament"]);
        }
    }
}

#[test]
fn what_a_killed_start_left_is_removed_by_the_next() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    // No process has a number as large as the first; the second is this test.
    let gone = ["a.sqlite.999999999.new", "a.sqlite.999999999.new-journal"].map(at);
    let kept = [
        &format!("a.sqlite.{}.new", std::process::id()),
        "a.sqlite.mine.new",
        "a.sqlite.999999999.old",
        "b.sqlite.999999999.new",
    ]
    .map(at);
    let leave = || gone.iter().chain(&kept).for_each(|path| std::fs::write(path, "left").unwrap());
    let args = ["arena", "tic-tac-toe", "random", "random", "--games", "2", "--out", "a.sqlite"];
    for args in [&args[..], &["arena", "--resume", "a.sqlite"]] {
        leave();
        assert_eq!(agon_in(place.path(), args).code, 0);
        assert!(!gone.iter().any(|path| path.exists()) && kept.iter().all(|path| path.exists()), "{args:?}");
    }
}

#[test]
fn a_board_that_is_not_there_is_named_with_the_place_where_it_was_looked_for() {
    let place = tempfile::tempdir().unwrap();
    let board = place.path().join("p.toml");
    std::fs::write(&board, include_str!("../../registry/src/erased/example.toml")).unwrap();
    let run = |args: &[&str]| agon_in(place.path(), args);
    assert_eq!(run(&["solve", "board:p.toml", "--certificate", "c.agon"]).code, 0);
    assert_eq!(run(&["arena", "board:p.toml", "random", "random", "--games", "2", "--out", "a"]).code, 0);
    std::fs::remove_file(board).unwrap();
    let here = format!("cannot read `p.toml` in `{}`", place.path().canonicalize().unwrap().display());
    refused(&run(&["show", "board:p.toml"]), 2, &[&here]);
    refused(&run(&["arena", "--resume", "a"]), 1, &[&here, "the tournament in `a` needs a board"]);
    // A certificate has the rules in it. Without them nothing is looked for: it is no certificate of this format.
    assert_eq!(run(&["check", "c.agon"]).code, 0);
    let text = std::fs::read_to_string(place.path().join("c.agon")).unwrap();
    let body = text.rsplit_once("blake3 ").unwrap().0;
    let body: String = body.split_inclusive('\n').filter(|line| !line.starts_with("rules ")).collect();
    let forged = format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex());
    std::fs::write(place.path().join("c.agon"), forged).unwrap();
    refused(
        &run(&["check", "c.agon"]),
        4,
        &["p.toml", "must be stored with it, because the file itself is not opened"],
    );
}

/// The fields of a table's header.
type Fields = Vec<(String, String)>;
/// They, and the blocks.
type Parts = (Fields, Vec<Vec<u8>>);
/// A change to a header.
type Change<'a> = &'a dyn Fn(&mut Fields);

fn parts(path: &Path) -> Parts {
    let reader = agon_table::Reader::open(path).unwrap();
    let blocks = (0..reader.blocks()).map(|number| reader.block(number).unwrap()).collect();
    (agon_table::blocks::header(path).unwrap(), blocks)
}

/// A table with right hashes, whatever is in it.
fn write(path: &Path, (fields, blocks): &Parts) {
    let fields: Vec<(&str, String)> = fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    let mut writer = agon_table::Writer::create(path, &fields).unwrap();
    writer.add(blocks, 1).unwrap();
    writer.finish().unwrap();
}

#[test]
fn headers_with_repeated_unknown_or_oddly_written_fields_are_refused() {
    let place = solved();
    let path = place.path().join("T").join("3-3.agt");
    let whole = parts(&path);
    let with = |change: Change<'_>| {
        let mut forged = whole.clone();
        change(&mut forged.0);
        write(&path, &forged);
    };
    let prefixed = |key: &'static str, prefix: &'static str| {
        move |fields: &mut Fields| {
            let field = fields.iter_mut().find(|(name, _)| name == key).unwrap();
            field.1 = format!("{prefix}{}", field.1);
        }
    };
    let add = |key: &'static str, text: &'static str| {
        move |fields: &mut Fields| fields.push((key.to_string(), text.to_string()))
    };
    let every = [&["check", "T"][..], &["table", "stats", "T"], &["table", "verify", "T"]];
    let cases: [(Change<'_>, &str); 6] = [
        (&prefixed("numbers", "00"), "numbers 00"),
        (&prefixed("numbers", "+"), "numbers +"),
        (&add("numbers", "1"), "its header names `numbers` twice"),
        (&add("game", "antrin:3"), "its header names `game` twice"),
        (&add("colour", "red"), "unknown field `colour`"),
        (&add("", "red"), "unknown field ``"),
    ];
    for (change, why) in cases {
        with(change);
        for args in every {
            refused(&agon_in(place.path(), args), 4, &["3-3.agt", why]);
        }
    }
    for key in ["totals", "classes", "blocked", "distances"] {
        with(&prefixed(key, "0"));
        assert_eq!(agon_in(place.path(), &["table", "stats", "T"]).code, 4, "{key}");
        assert!(matches!(agon_in(place.path(), &["check", "T"]).code, 3 | 4), "{key}");
    }
}

#[test]
fn check_refutes_a_table_that_resuming_keeps_because_its_hashes_are_right() {
    let place = solved();
    let path = place.path().join("T").join("3-3.agt");
    let mut forged = parts(&path);
    // A draw becomes a loss in zero plies.
    let at = forged.1[0].iter().position(|&byte| byte == 0).unwrap();
    forged.1[0][at] = 1;
    write(&path, &forged);
    let resume = ["solve", "antrin:3", "--strong", "--table", "T", "--resume"];
    let resumed = agon_in(place.path(), &resume);
    assert!(resumed.code == 0 && resumed.err.contains("its record names"), "{}", resumed.err);
    // Without its record, only the hashes inside the table are left, and those are right.
    write(&path, &forged);
    std::fs::remove_file(path.with_extension("agt.json")).unwrap();
    let resumed = agon_in(place.path(), &resume);
    assert!(resumed.code == 0 && resumed.err.contains("nothing to solve"), "{}", resumed.err);
    let checked = agon_in(place.path(), &["check", "T"]);
    assert!(checked.code == 3 && checked.out.contains("wrong: "), "{}{}", checked.out, checked.err);
    // A table whose header shows the fault is not kept: another phase, or counts that cannot be read.
    for key in ["phase", "totals", "colour"] {
        let mut forged = parts(&path);
        forged.0.retain(|(name, _)| name != key);
        forged.0.push((key.to_string(), "placing".to_string()));
        write(&path, &forged);
        let resumed = agon_in(place.path(), &resume);
        assert!(resumed.code == 0 && resumed.err.contains("it is solved again"), "{key}: {}", resumed.err);
        assert_eq!(agon_in(place.path(), &["check", "T"]).code, 0, "{key}");
    }
}
