//! Files say which game they are about, and are read with care.

mod common;
use common::{Ran, agon, json};
use serde_json::json as value;
use std::path::Path;
use std::process::Command;

const EXAMPLE: &str = include_str!("../../registry/src/erased/example.toml");

/// A directory with the example as `p.toml`.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("p.toml"), EXAMPLE).unwrap();
    place
}

/// The program, run in a directory.
fn agon_in(folder: &Path, args: &[&str]) -> Ran {
    let ran = Command::new(env!("CARGO_BIN_EXE_agon")).args(args).current_dir(folder).output().unwrap();
    Ran {
        code: ran.status.code().expect("agon is not killed by a signal"),
        out: String::from_utf8(ran.stdout).unwrap(),
        err: String::from_utf8(ran.stderr).unwrap(),
    }
}

fn contents(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "agt"));
    files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// A certificate with some text changed and the hash made right again.
fn forged(certificate: &str, from: &str, to: &str) -> String {
    let (body, _) = certificate.rsplit_once("blake3 ").unwrap();
    assert!(body.contains(from), "{from}");
    let body = body.replace(from, to);
    format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())
}

fn line<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(key)).unwrap()
}

#[test]
fn a_board_is_spelled_with_the_hash_of_its_rules() {
    let place = place();
    let spelling = |args: &[&str]| {
        let ran = agon_in(place.path(), &[&["show", "--json"], args].concat());
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
        answer["game"].as_str().unwrap().to_string()
    };
    let here = spelling(&["board:p.toml"]);
    let hash = here.strip_prefix("board:p.toml#").unwrap().to_string();
    assert_eq!(hash.len(), 32);
    assert_eq!(spelling(&[&here]), here);
    std::fs::write(place.path().join("q.toml"), format!("# the same\n{}", EXAMPLE.replace("mixed = false", "")))
        .unwrap();
    assert_eq!(spelling(&["board:q.toml"]), format!("board:q.toml#{hash}"));
    std::fs::write(place.path().join("p.toml"), EXAMPLE.replace("bar = \"none\"", "bar = \"first\"")).unwrap();
    assert_ne!(spelling(&["board:p.toml"]), here);
    let refused = agon_in(place.path(), &["solve", &here]);
    assert!(refused.code == 2 && refused.err.contains("`p.toml` has different rules"), "{}", refused.err);
    let refused = agon_in(place.path(), &["show", "board:p.\ntoml"]);
    assert!(refused.code == 2 && refused.err.contains("control characters"), "{}", refused.err);
}

#[test]
fn a_certificate_of_a_board_is_checked_without_the_file() {
    let (place, elsewhere) = (place(), tempfile::tempdir().unwrap());
    assert_eq!(agon_in(place.path(), &["solve", "board:p.toml", "--certificate", "p.agon"]).code, 0);
    std::fs::remove_file(place.path().join("p.toml")).unwrap();
    let path = place.path().join("p.agon");
    let checked = agon_in(elsewhere.path(), &["check", path.to_str().unwrap()]);
    assert!(checked.code == 0 && checked.out.contains("proved"), "{}{}", checked.out, checked.err);

    // Neither other rules nor another hash are believed, and no file is opened in their place.
    let text = std::fs::read_to_string(&path).unwrap();
    let (game, rules) = (line(&text, "game "), line(&text, "rules "));
    let without = format!("rules {rules}\n");
    std::fs::write(place.path().join("p.toml"), EXAMPLE).unwrap();
    for (from, to, why) in [
        (" bar=none ", " bar=first ", "have the hash"),
        (" men=3", " men=03", "men=03"),
        ("rules men=3", "rules men=3 ", "cannot be read"),
        (without.as_str(), "", "must be stored with it"),
        (game, "board:p.toml", "have the hash"),
        (game, "antrin:3", "no rules may be given with it"),
    ] {
        std::fs::write(&path, forged(&text, from, to)).unwrap();
        let refused = agon_in(place.path(), &["check", "p.agon"]);
        let said = if why == "men=03" { "canonical form" } else { why };
        assert!(refused.code == 4 && refused.err.contains(said), "{to}: {}{}", refused.out, refused.err);
    }
    // A true certificate of other rules is one of another game.
    let game = forged(&text, &format!("game {game}\nrules {rules}"), "game board:p.toml");
    std::fs::write(&path, game).unwrap();
    let refused = agon_in(place.path(), &["check", "p.agon"]);
    assert!(refused.code == 4 && refused.err.contains("earlier version"), "{}", refused.err);
}

#[test]
fn a_certificate_makes_agon_open_no_file() {
    let place = tempfile::tempdir().unwrap();
    let (fifo, path) = (place.path().join("fifo"), place.path().join("c.agon"));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for named in ["/dev/zero", fifo.to_str().unwrap()] {
        let body = format!(
            "agon-certificate 1\ngame board:{named}\nfrom .../.../...:w:3-3\nclaim value win\nsymmetry full\nsections 0\n"
        );
        std::fs::write(&path, format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())).unwrap();
        let refused = agon(&["check", path.to_str().unwrap()]);
        assert!(refused.code == 4 && refused.err.contains("must be stored with it"), "{}", refused.err);
    }
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for path in ["/dev/zero", fifo.to_str().unwrap()] {
        let (board, model, exceptions) =
            (format!("board:{path}"), format!("learned:{path}"), format!("castelein@{path}"));
        for args in [
            &["check", path][..],
            &["show", &board],
            &["play", "tak:5", "--load", path],
            &["play", "tic-tac-toe", "--first", &model, "--second", "random"],
            &["verify", "order-chaos", &exceptions, "--as", "order", "--claim", "win"],
            &["grundy", "--audit", path],
            &["grundy", "kayles", "--to", "20", "--out", path, "--resume"],
            &["arena", "tic-tac-toe", "random", "random", "--book", path],
        ] {
            let refused = agon(args);
            assert!(
                matches!(refused.code, 1 | 2) && refused.err.contains("not a regular file"),
                "{args:?}: {}",
                refused.err
            );
        }
    }
}

#[test]
fn tables_of_another_game_are_not_written_over() {
    let place = place();
    let solve = |game: &str, more: &[&str]| {
        let args = ["solve", game, "--strong", "--table", "T"];
        agon_in(place.path(), &[&args[..], more].concat())
    };
    assert_eq!(solve("antrin:3", &[]).code, 0);
    let folder = place.path().join("T");
    let before = contents(&folder);
    for other in ["antrin:3,blocked=draws", "three-mens", "board:p.toml"] {
        let refused = solve(other, &["--resume"]);
        assert!(refused.code == 2 && refused.err.contains("holds tables of antrin:3"), "{other}: {}", refused.err);
        assert_eq!(contents(&folder), before);
        let refused = agon_in(place.path(), &["solve", other, "--table", "T"]);
        assert!(refused.code == 2 && refused.err.contains("it holds antrin:3"), "{other}: {}", refused.err);
    }
    assert_eq!(solve("antrin:3", &["--resume"]).code, 0);
}

#[test]
fn a_directory_that_mixes_games_is_refused_by_every_command() {
    let place = tempfile::tempdir().unwrap();
    let solve = |game: &str, folder: &str| {
        assert_eq!(agon_in(place.path(), &["solve", game, "--strong", "--table", folder]).code, 0);
    };
    solve("antrin:3", "T");
    solve("antrin:3,blocked=draws", "U");
    let (mine, others) = (place.path().join("T"), place.path().join("U"));
    let refused = |why: &str| {
        for args in [
            &["check", "T"][..],
            &["check", "T", "--sample", "10"],
            &["table", "stats", "T"],
            &["table", "verify", "T"],
            &["table", "probe", "T"],
            &["table", "longest", "T"],
            &["solve", "antrin:3", "--table", "T"],
            &["solve", "antrin:3", "--strong", "--table", "T", "--resume"],
            &["show", "antrin:3", "--values", "--table", "T"],
            &["arena", "antrin:3", "perfect", "random", "--games", "2", "--table", "T"],
        ] {
            let ran = agon_in(place.path(), args);
            assert!(
                matches!(ran.code, 2 | 4) && ran.err.contains(why),
                "{args:?}: {} {}{}",
                ran.code,
                ran.out,
                ran.err
            );
        }
    };
    // A table of the other game in the place of one of this one, or beside them all, under whatever name.
    let whole = std::fs::read(mine.join("3-3.agt")).unwrap();
    std::fs::copy(others.join("3-3.agt"), mine.join("3-3.agt")).unwrap();
    refused("antrin:3,blocked=draws");
    std::fs::write(mine.join("3-3.agt"), &whole).unwrap();
    std::fs::copy(others.join("3-3.agt"), mine.join("9-9.agt")).unwrap();
    refused("antrin:3,blocked=draws");
    std::fs::copy(mine.join("3-3.agt"), mine.join("9-9.agt")).unwrap();
    refused("9-9.agt");
    std::fs::write(mine.join("9-9.agt"), "junk").unwrap();
    refused("9-9.agt");
}

#[test]
fn tables_of_a_board_belong_to_its_rules_and_not_to_its_file() {
    let (place, elsewhere) = (place(), tempfile::tempdir().unwrap());
    assert_eq!(agon_in(place.path(), &["solve", "board:p.toml", "--strong", "--table", "T"]).code, 0);
    let folder = place.path().join("T");
    let folder = folder.to_str().unwrap();
    // The same rules by another name, and no file at all.
    let other = place.path().join("p.toml");
    let named = format!("board:{}", other.display());
    let again = agon_in(elsewhere.path(), &["solve", &named, "--strong", "--table", folder, "--resume"]);
    assert!(again.code == 0 && again.err.contains("nothing to solve"), "{}", again.err);
    std::fs::rename(&other, place.path().join("moved.toml")).unwrap();
    for args in [&["check", folder][..], &["table", "probe", folder], &["table", "stats", folder]] {
        let ran = agon_in(elsewhere.path(), args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    }
    // Other rules by the same name.
    std::fs::write(&other, EXAMPLE.replace("bar = \"none\"", "bar = \"first\"")).unwrap();
    let before = contents(Path::new(folder));
    for args in [
        &["solve", "board:p.toml", "--table", "T"][..],
        &["solve", "board:p.toml", "--strong", "--table", "T", "--resume"],
        &["show", "board:p.toml", "--values", "--table", "T"],
        &["play", "board:p.toml", "--first", "perfect", "--second", "random", "--table", "T"],
    ] {
        let refused = agon_in(place.path(), args);
        assert!(refused.code == 2 && refused.err.contains("board:p.toml#"), "{args:?}: {}{}", refused.out, refused.err);
    }
    assert_eq!(contents(Path::new(folder)), before);
}

/// The parts of a table: the fields of its head, and its blocks.
fn parts(path: &Path) -> (Vec<(String, String)>, Vec<Vec<u8>>) {
    let reader = agon_table::Reader::open(path).unwrap();
    let blocks = (0..reader.blocks()).map(|number| reader.block(number).unwrap()).collect();
    (agon_table::blocks::header(path).unwrap(), blocks)
}

fn write(path: &Path, fields: &[(String, String)], blocks: &[Vec<u8>]) {
    let fields: Vec<(&str, String)> = fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    let mut writer = agon_table::Writer::create(path, &fields).unwrap();
    writer.add(blocks, 1).unwrap();
    writer.finish().unwrap();
}

#[test]
fn check_counts_what_the_heads_of_tables_say() {
    let place = tempfile::tempdir().unwrap();
    assert_eq!(agon_in(place.path(), &["solve", "antrin:3", "--strong", "--table", "T"]).code, 0);
    let path = place.path().join("T").join("3-3.agt");
    let (fields, blocks) = parts(&path);
    write(&path, &fields, &blocks);
    let whole = agon_in(place.path(), &["check", "T"]);
    assert!(whole.code == 0 && whole.out.contains("the counts in their headers"), "{}{}", whole.out, whole.err);
    for key in ["totals", "classes", "blocked", "distances", "phase"] {
        let mut changed = fields.clone();
        let field = changed.iter_mut().find(|(name, _)| name == key).unwrap();
        field.1 = if key == "phase" { "placing".into() } else { format!("1{}", field.1) };
        write(&path, &changed, &blocks);
        let ran = agon_in(place.path(), &["check", "T"]);
        assert!(ran.code == 3 && ran.out.contains(&format!("`{key} 1")) | (key == "phase"), "{key}: {}", ran.out);
    }
}

#[test]
fn distances_that_no_value_can_have_are_refused() {
    let place = tempfile::tempdir().unwrap();
    assert_eq!(agon_in(place.path(), &["solve", "antrin:3", "--strong", "--table", "T"]).code, 0);
    let path = place.path().join("T").join("3-3.agt");
    let (fields, mut blocks) = parts(&path);
    // Every draw becomes "lost in 32,000 plies", which taken modulo 2^16 would be a draw again.
    let draws = blocks[0].iter().filter(|&&byte| byte == 0).count();
    assert!(draws > 0);
    blocks[0].iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = 254);
    (0..draws).for_each(|_| blocks[0].extend(32_001u16.to_le_bytes()));
    write(&path, &fields, &blocks);
    for args in [&["check", "T"][..], &["table", "verify", "T"], &["table", "probe", "T", "W.B/.WB/B.W:w"]] {
        let ran = agon_in(place.path(), args);
        assert_eq!(ran.code, 4, "{args:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_damaged_table_is_not_left_behind_by_going_on() {
    let place = tempfile::tempdir().unwrap();
    let solve = |more: &[&str]| {
        let args = ["solve", "antrin:3", "--strong", "--table", "T"];
        agon_in(place.path(), &[&args[..], more].concat())
    };
    assert_eq!(solve(&[]).code, 0);
    let folder = place.path().join("T");
    let before = contents(&folder);
    for (path, whole) in &before {
        let mut bytes = whole.clone();
        let at = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 4;
        bytes[at] ^= 1;
        std::fs::write(path, bytes).unwrap();
        let ran = solve(&["--resume"]);
        assert!(ran.code == 0 && ran.err.contains("it is solved again"), "{path}: {} {}", ran.code, ran.err);
        assert_eq!(contents(&folder), before);
    }
}

#[test]
fn samples_are_taken_afresh_and_say_what_they_are() {
    let place = tempfile::tempdir().unwrap();
    assert_eq!(agon_in(place.path(), &["solve", "antrin:3", "--strong", "--table", "T"]).code, 0);
    let (folder, file) = (place.path().join("T"), place.path().join("k.grundy"));
    let (folder, file) = (folder.to_str().unwrap(), file.to_str().unwrap());
    assert_eq!(agon(&["grundy", "0.77", "--to", "3000", "--out", file]).code, 0);
    for args in [&["check", folder, "--sample", "10"][..], &["check", file]] {
        let seeds: Vec<_> = (0..3).map(|_| json(args)["seed"].as_u64().unwrap()).collect();
        assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != 1, "{seeds:?}");
        let given = json(&[args, &["--seed", "7"]].concat());
        assert_eq!(given["seed"], value!(7));
        let said = agon(&[args, &["--seed", "7"]].concat());
        assert!(said.out.contains("sample holds") && said.out.contains("seed 7"), "{}", said.out);
        assert!(said.out.contains("a sample proves nothing about"), "{}", said.out);
    }
    assert_eq!(json(&["check", folder, "--sample", "10"])["verdict"], "sample");
    let full = json(&["check", file, "--full"]);
    assert_eq!((&full["seed"], &full["full"]), (&value!(null), &value!(true)));
}

#[test]
fn a_sequence_is_resumed_only_by_its_own_code() {
    let place = tempfile::tempdir().unwrap();
    let run = |code: &str| agon_in(place.path(), &["grundy", code, "--to", "300", "--out", "f.grundy", "--resume"]);
    assert_eq!(run("0.77").code, 0);
    let before = std::fs::read(place.path().join("f.grundy")).unwrap();
    let refused = run("0.07");
    assert!(refused.code == 2 && refused.err.contains("holds the sequence of 0.77"), "{}", refused.err);
    assert_eq!(std::fs::read(place.path().join("f.grundy")).unwrap(), before);
}

#[test]
fn models_and_tournaments_of_a_board_belong_to_its_rules() {
    let place = place();
    let run = |args: &[&str]| agon_in(place.path(), args);
    let trained =
        run(&["train", "board:p.toml", "--games", "20", "--out", "m.model", "--points", "1", "--exam", "2", "--quiet"]);
    assert_eq!(trained.code, 0, "{}", trained.err);
    let arena = ["arena", "board:p.toml", "learned:m.model", "random", "--games", "2", "--most-plies", "20"];
    let played = run(&[&arena[..], &["--out", "a.sqlite"]].concat());
    assert_eq!(played.code, 0, "{}", played.err);
    assert_eq!(run(&["arena", "--resume", "a.sqlite"]).code, 0);
    std::fs::write(place.path().join("p.toml"), EXAMPLE.replace("blocked = \"loses\"", "blocked = \"draws\"")).unwrap();
    let refused = run(&["arena", "--resume", "a.sqlite"]);
    assert!(refused.code == 4 && refused.err.contains("has different rules"), "{}", refused.err);
    let refused = run(&["play", "board:p.toml", "--first", "learned:m.model", "--second", "random"]);
    assert!(refused.code == 2 && refused.err.contains("is a model of board:p.toml#"), "{}", refused.err);
}
