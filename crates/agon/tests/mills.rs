//! Mill games from outside: tables on disk, what they say, and what happens when the program is killed.
#![cfg(unix)]

mod common;

use common::{agon, agon_with_input, json};
use serde_json::json as value;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn phases_are_reported_as_documented() {
    let answer = json(&["solve", "antrin:3", "--strong"]);
    assert_eq!(answer["value"], "draw");
    // The moving phase: 1,452 positions without a line (Vaki's board, both sides with three men).
    assert_eq!(
        answer["phases"][1],
        value!({"name": "moving", "totals": {"win": 564, "draw": 676, "loss": 212},
                "classes": {"win": 75, "draw": 92, "loss": 28}, "longest_win": 5, "longest_loss": 4, "blocked": 4})
    );
    assert_eq!(answer["phases"][0]["name"], "placing");
}

#[test]
fn variants_have_the_values_of_the_document() {
    // docs/results/antrin.md; `--method brute` gives the same.
    for (game, result, plies) in [
        ("picaria:points=13", "win", value!(5)),
        ("picaria:points=13,bar=placing", "win", value!(7)),
        ("picaria:bar=placing", "win", value!(7)),
        ("tant-fant:lines=diagonals", "draw", value!(null)),
        ("three-mens:bar=first", "draw", value!(null)),
    ] {
        let solved = json(&["solve", game, "--strong"]);
        assert_eq!((&solved["value"], &solved["plies"]), (&value!(result), &plies), "{game}");
    }
}

/// Every query on tables, against the values of `solve` for each of the listed positions.
#[test]
fn tables_are_searched_for_positions_with_a_property() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("three");
    let folder = folder.to_str().unwrap();
    json(&["solve", "antrin:3", "--strong", "--table", folder, "--quiet"]);
    let find = |flags: &[&str]| json(&[&["table", "find", folder, "--only", "3-3"], flags].concat());
    // The numbers of the moving phase, as above.
    for (result, positions, orbits) in [("win", 564, 75), ("draw", 676, 92), ("loss", 212, 28)] {
        let found = find(&["--value", result, "--count", "0"]);
        assert_eq!(
            (&found["positions"], found["matches"].as_array().unwrap().len()),
            (&value!(positions), 0),
            "{found}"
        );
        assert_eq!(found["orbits"], value!(orbits), "{result}");
    }
    assert_eq!(find(&["--value", "win", "--plies", "5"])["matches"][0]["plies"], 5);
    assert_eq!(find(&["--plies", "6"])["orbits"], 0);

    // One move keeps the value, and no position of this kind is left out: each is examined move by move.
    let all = find(&["--count", "1000"]);
    let (mut only, mut zugzwangs) = (Vec::new(), Vec::new());
    let worth = |position: &str| json(&["table", "probe", folder, position]);
    for found in all["matches"].as_array().unwrap() {
        let position = found["position"].as_str().unwrap();
        let probed = worth(position);
        assert_eq!((&probed["value"], &probed["plies"]), (&found["value"], &found["plies"]), "{position}");
        let moves = probed["moves"].as_array().unwrap();
        let keep: Vec<_> = moves.iter().filter(|mv| mv["value"] == found["value"]).collect();
        if found["value"] != "loss" && moves.len() > 1 && keep.len() == 1 {
            only.push((position.to_string(), keep[0]["move"].clone()));
        }
        let other = position.replace(":w", ":b");
        assert_ne!(other, position, "white is to move in every listed position");
        let theirs = worth(&other);
        let points = |value: &serde_json::Value| match value.as_str().unwrap() {
            "win" => 1,
            "draw" => 0,
            _ => -1,
        };
        let blocked = |probed: &serde_json::Value| probed["moves"].as_array().unwrap().is_empty();
        if !blocked(&probed) && !blocked(&theirs) && points(&found["value"]) + points(&theirs["value"]) < 0 {
            zugzwangs.push(position.to_string());
        }
    }
    let found = find(&["--only-move", "--count", "1000"]);
    let listed: Vec<(String, serde_json::Value)> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (found["position"].as_str().unwrap().to_string(), found["only_move"].clone()))
        .collect();
    assert!(!only.is_empty() && listed == only, "{listed:?}\n{only:?}");
    let found = find(&["--zugzwang", "--count", "1000"]);
    let listed: Vec<&str> =
        found["matches"].as_array().unwrap().iter().map(|m| m["position"].as_str().unwrap()).collect();
    assert_eq!(listed, zugzwangs);

    // A sample follows from its seed alone; puzzles and tables of values come from the same list.
    let sample = |seed: &str, threads: &str| {
        find(&["--value", "win", "--sample", "--seed", seed, "--count", "10", "--threads", threads])["matches"].clone()
    };
    assert_eq!(sample("7", "1"), sample("7", "2"));
    assert_ne!(sample("7", "1"), sample("8", "1"));
    let puzzles = find(&["--only-move", "--value", "draw", "--count", "5", "--puzzles"]);
    assert_eq!((puzzles["kind"].as_str(), puzzles["puzzles"].as_array().unwrap().len()), (Some("save"), 5));
    for puzzle in puzzles["puzzles"].as_array().unwrap() {
        let position = puzzle["position"].as_str().unwrap().to_string();
        assert!(only.contains(&(position, puzzle["solution"].clone())), "{puzzle}");
    }
    let csv = agon(&["table", "find", folder, "--value", "loss", "--count", "3", "--csv"]);
    assert_eq!(csv.out.lines().next(), Some("game,table,position,mover,value,plies,only_move,orbit"));
    assert_eq!(csv.out.lines().count(), 4);
    assert_eq!(agon(&["table", "find", folder, "--only", "7-7"]).code, 2);
    assert_eq!(agon(&["table", "find", folder, "--puzzles"]).code, 2);
    assert_eq!(agon(&["table", "find", folder, "--only-move", "--value", "loss", "--puzzles"]).code, 2);
}

#[test]
fn tables_are_stored_queried_and_checked() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("four");
    let folder = folder.to_str().unwrap();
    let solved = json(&["solve", "antrin:4", "--strong", "--table", folder, "--quiet"]);
    let memory = json(&["solve", "antrin:4", "--strong"]);
    assert_eq!((&solved["value"], &solved["phases"]), (&memory["value"], &memory["phases"]));

    let stats = json(&["table", "stats", folder]);
    let shards = stats["shards"].as_array().unwrap();
    let last = shards.iter().find(|shard| shard["name"] == "4-4").unwrap();
    assert_eq!(last["totals"], value!({"win": 168_896, "draw": 667_483, "loss": 56_625}));
    assert_eq!((&last["mover"], &last["longest_win"], &last["longest_loss"]), (&value!("4"), &value!(21), &value!(22)));
    assert_eq!(shards.len(), 9);

    let probed = json(&["table", "probe", folder]);
    assert_eq!((&probed["value"], probed["moves"].as_array().unwrap().len()), (&value!("draw"), 16));
    let longest = json(&["table", "longest", folder]);
    assert_eq!((&longest["plies"], &longest["shard"]), (&value!(21), &value!("4-4")));
    let moves: Vec<&str> = longest["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let from = longest["position"].as_str().unwrap();
    let played =
        json(&["play", "antrin:4", "--second", "human", "--from", from, "--moves", &moves.join(" "), "--quiet"]);
    assert_eq!((&played["over"], &played["winner"]), (&value!(true), &value!("first")));
    assert_eq!(agon(&["table", "verify", folder]).code, 0);
    assert_eq!(json(&["check", folder])["mode"], "full");
    let sampled = json(&["check", folder, "--sample", "50", "--seed", "3"]);
    assert_eq!((&sampled["mode"], &sampled["seed"], &sampled["holds"]), (&value!("sample"), &value!(3), &value!(true)));

    // Values from disk: the same as those solved on the spot.
    let position = "W.B./.W../..B./WB.W:b:0-1";
    let show =
        |extra: &[&str]| json(&[&["show", "antrin:4", position, "--values"][..], extra].concat())["values"].clone();
    assert_eq!(show(&["--table", folder]), show(&[]));
    let played =
        agon(&["play", "antrin:4", "--first", "perfect", "--second", "random", "--table", folder, "--seed", "1"]);
    assert_eq!(played.code, 0, "{}", played.err);

    // Existing tables are not overwritten by accident, nor used for another game.
    let again = agon(&["solve", "antrin:4", "--strong", "--table", folder]);
    assert!(again.code == 2 && again.err.contains("--resume"), "{}", again.err);
    let other = agon(&["solve", "antrin:3", "--table", folder]);
    assert!(other.code == 2 && other.err.contains("holds no tables of antrin:3"), "{}", other.err);
}

#[test]
fn the_reported_time_is_that_of_solving_and_existing_tables_are_mentioned() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("three");
    let solve = ["solve", "antrin:3", "--strong", "--table", folder.to_str().unwrap()];
    let first = json(&solve);
    assert_eq!((&first["tables"]["solved"], &first["tables"]["found"]), (&value!(7), &value!(0)));
    let again = json(&[&solve[..], &["--resume"]].concat());
    assert_eq!((&again["tables"]["solved"], &again["tables"]["found"]), (&value!(0), &value!(7)));
    assert_eq!(first["phases"], again["phases"]);
    let said = agon(&[&solve[..], &["--resume"]].concat());
    assert!(
        said.out.contains("tables nothing to solve: all 7 are already in") && said.err.contains("nothing to solve"),
        "{}",
        said.err
    );
}

#[test]
fn damaged_tables_fail_every_command_that_needs_them() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("three");
    let folder = folder.to_str().unwrap();
    assert_eq!(agon(&["solve", "antrin:3", "--strong", "--table", folder]).code, 0);
    let path = Path::new(folder).join("3-3.agt");
    let whole = std::fs::read(&path).unwrap();
    let head = whole.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let mut flipped = whole.clone();
    flipped[head + 5] ^= 4;
    let pos = "WW./W.B/.BB:w";
    for damaged in [&flipped[..], &whole[..whole.len() / 2], &[]] {
        std::fs::write(&path, damaged).unwrap();
        for command in [
            &["table", "probe", folder, pos][..],
            &["show", "antrin:3", pos, "--values", "--table", folder],
            &["solve", "antrin:3", "--table", folder, "--from", pos],
            &["play", "antrin:3", "--first", "perfect", "--second", "random", "--table", folder, "--from", pos],
            &["arena", "antrin:3", "perfect", "skill:0.5", "--games", "2", "--table", folder, "--from", pos],
            &["check", folder],
            &["table", "verify", folder],
        ] {
            let ran = agon(command);
            assert!(ran.code == 4 && ran.err.contains("is damaged"), "{command:?}: {} {}", ran.code, ran.err);
        }
    }
    // Questions that do not concern the damaged table are answered.
    std::fs::write(&path, &flipped).unwrap();
    assert_eq!(agon(&["table", "probe", folder]).code, 0);
}

#[test]
fn moves_into_tables_that_are_not_there_have_no_value() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("three");
    let folder = folder.to_str().unwrap();
    assert_eq!(agon(&["solve", "antrin:3", "--strong", "--table", folder]).code, 0);
    std::fs::remove_file(Path::new(folder).join("3-3.agt")).unwrap();
    let last = "WB./.W./.B.:w:1-1";
    assert_eq!(json(&["show", "antrin:3", last, "--values", "--table", folder])["values"].as_array().unwrap().len(), 5);
    let end = "WB./.W./WB.:b:0-1";
    let shown = json(&["show", "antrin:3", end, "--values", "--table", folder]);
    assert_eq!(shown["values"], value!([]), "every move leads into the table that is missing");
    assert_eq!(shown["values_reason"], value!("the tables hold no value of 4 moves"));
}

#[test]
fn perfect_players_from_tables_never_lose_a_draw() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("picaria");
    let folder = folder.to_str().unwrap();
    assert_eq!(agon(&["solve", "picaria", "--strong", "--table", folder]).code, 0);
    let arena = json(&["arena", "picaria", "perfect", "skill:0.5", "random", "--games", "20", "--table", folder]);
    let standings = arena["standings"].as_array().unwrap();
    let points = |player: &str| standings.iter().find(|row| row["player"] == player).unwrap()["points"].as_f64();
    assert!(points("perfect") > points("skill:0.5") && points("skill:0.5") > points("random"), "{arena}");
    let hints = agon_with_input(&["play", "picaria", "--second", "human", "--table", folder], "hint\nquit\n");
    assert!(hints.out.contains("draws"), "{}", hints.out);
}

#[test]
fn draws_are_repaired_where_play_can_cycle_and_wins_are_not() {
    let verify = ["verify", "antrin:3", "vaki-defence", "--as", "second", "--repair", "--most", "1"];
    let ran = agon(&[&verify[..], &["--claim", "draw"]].concat());
    assert!(
        ran.code == 3 && ran.out.contains("more than 1 exceptions are needed") && ran.err.contains("--most"),
        "{}{}",
        ran.out,
        ran.err
    );
    let win = agon(&[&verify[..], &["--claim", "win"]].concat());
    assert!(win.code == 2 && win.err.contains("only draw claims can be repaired"), "{}", win.err);
    // Here black wins at once, and the map says nothing about that: one exception is enough. It is written, read
    // again, and certified.
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    let (exceptions, certificate) = (path("exceptions"), path("proof.agon"));
    let from = ["--as", "second", "--claim", "draw", "--from", "WWB/WB./..B:b"];
    let asked = ["--repair", "--exceptions", &exceptions, "--certificate", &certificate];
    let repaired = agon(&[&["verify", "antrin:3", "vaki-defence"][..], &from, &asked].concat());
    assert!(repaired.out.contains("repaired with 1 exception"), "{}", repaired.out);
    assert_eq!(agon(&["check", &certificate]).code, 0);
    let patched = format!("vaki-defence@{exceptions}");
    assert_eq!(json(&[&["verify", "antrin:3", &patched][..], &from].concat())["holds"], true);
    // Two men never make a line of three: every play cycles, which keeps a draw and wins nothing.
    let two = ["verify", "antrin:3,men=2", "vaki-defence", "--as", "second", "--claim"];
    assert_eq!(agon(&[&two[..], &["draw", "--certificate", &certificate]].concat()).code, 0);
    assert_eq!(agon(&["check", &certificate]).code, 0);
    assert_eq!(agon(&[&two[..], &["win"]].concat()).code, 3);
}

#[test]
fn a_wrong_value_is_found_though_every_checksum_fits() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("three");
    assert_eq!(agon(&["solve", "antrin:3", "--strong", "--table", folder.to_str().unwrap()]).code, 0);
    let path = folder.join("3-3.agt");
    let table = agon_table::Table::open(&path).unwrap();
    let fields = ["kind", "game", "shard", "phase", "numbers", "totals", "classes", "blocked", "distances"];
    let fields: Vec<(&str, String)> =
        fields.iter().map(|key| (*key, table.reader().field(key).unwrap().to_string())).collect();
    let values = table.load().unwrap();
    let mut wrong = 0;
    for at in (0..values.len() as u64).filter(|&at| values.get(at) != agon_table::values::UNUSED) {
        let mut changed = agon_table::Values::default();
        let twist = |code: u16| if code == 0 { 3 } else { code + 2 };
        (0..values.len() as u64).for_each(|i| changed.push(if i == at { twist(values.get(i)) } else { values.get(i) }));
        let mut writer = agon_table::Writer::create(&path, &fields).unwrap();
        writer.add(&[changed.into_block()], 1).unwrap();
        writer.finish().unwrap();
        if at % 40 == 0 {
            let ran = agon(&["check", folder.to_str().unwrap()]);
            assert!(ran.code == 3 && ran.out.contains("wrong"), "number {at}: {}{}", ran.out, ran.err);
            wrong += 1;
        }
    }
    assert!(wrong > 3);
    // A damaged byte is not a wrong value: the file is corrupt.
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(agon(&["check", folder.to_str().unwrap()]).code, 4);
    assert_eq!(agon(&["table", "verify", folder.to_str().unwrap()]).code, 4);
}

#[test]
fn nine_mens_morris_up_to_five_men_each() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("nine");
    let folder = folder.to_str().unwrap();
    let answer = json(&["solve", "morris:nine", "--strong", "--table", folder, "--only", "5-5", "--quiet"]);
    let shards = answer["shards"].as_array().unwrap();
    let names: Vec<&str> = shards.iter().map(|shard| shard["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["3-3", "3-4", "4-3", "4-4", "3-5", "5-3", "4-5", "5-4", "5-5"]);
    // As many positions as there are ways to put the men: C(24, own) · C(24 - own, other).
    let sums =
        shards.iter().map(|s| ["win", "draw", "loss"].iter().map(|n| s["totals"][n].as_u64().unwrap()).sum::<u64>());
    assert_eq!(
        sums.collect::<Vec<_>>(),
        [2_691_920, 12_113_640, 12_113_640, 51_482_970, 41_186_376, 41_186_376, 164_745_504, 164_745_504, 494_236_512]
    );
    // The deepest tables as docs/results/nine-mens-morris.md has them.
    assert_eq!(shards[8]["totals"], value!({"win": 460_176, "draw": 493_708_108, "loss": 68_228}));
    assert_eq!((&shards[8]["longest_win"], &shards[8]["longest_loss"]), (&value!(57), &value!(56)));
    let sample = agon(&["check", folder, "--sample", "5000"]);
    assert_eq!(sample.code, 0, "{}", sample.err);
}

/// Every file but the records of tables, which say when their tables were made.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| !path.to_string_lossy().ends_with(".agt.json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap()))
        .collect()
}

/// The system kills the solver that many times, further on each time, and then it finishes. A limit on the size of
/// files decides when: no run gets past a file that is larger, however fast the machine is. `faults` has kills at
/// random moments.
fn killed(times: u64) {
    let place = tempfile::tempdir().unwrap();
    let (whole, broken) = (place.path().join("whole"), place.path().join("broken"));
    let solve = |mut command: Command, folder: &Path, extra: &[&str]| {
        command.args(["solve", "morris:six", "--strong", "--save-every", "0.02", "--quiet", "--table"]).arg(folder);
        command.args(extra).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap()
    };
    let agon = || Command::new(env!("CARGO_BIN_EXE_agon"));
    assert!(solve(agon(), &whole, &[]).success());
    let expected = files(&whole);
    let largest = expected.values().map(Vec::len).max().unwrap() as u64;
    for kill in 1..=times {
        // A block has 512 bytes, in some shells 1,024.
        let blocks = largest / 1024 * kill / (times + 1);
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -c 0; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
        limited.arg(env!("CARGO_BIN_EXE_agon"));
        let ended = solve(limited, &broken, &["--resume"]);
        assert!(ended.signal().is_some(), "{blocks} blocks: {ended}");
    }
    assert!(solve(agon(), &broken, &["--resume"]).success());
    assert_eq!(files(&broken), expected);
}

#[test]
fn killed_and_resumed_the_tables_are_the_same() {
    killed(3);
}

#[test]
#[ignore = "takes a minute; cargo test --test mills -- --ignored"]
fn killed_twenty_times_the_tables_are_the_same() {
    killed(20);
}

#[test]
fn boards_are_exported_with_weight_value_and_distance() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    assert_eq!(agon(&["count", "antrin:3", "--export", &path("boards.csv")]).code, 0);
    let text = std::fs::read_to_string(path("boards.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    // Vaki's thesis, 6.4: 174 boards at step five (15 won) and, going on from boards that are not won, 210 at step six
    // (15 won), one of which is blocked, so that play is over there too. 15,120 ways to place five men, four more each
    // for the 14,040 that made no line.
    let of = |step: &str, over: &str| rows.iter().filter(|row| row[1] == step && row[3] == over).count();
    assert_eq!((of("5", "true"), of("5", "false"), of("6", "true"), of("6", "false")), (15, 159, 15 + 1, 194));
    let sequences =
        |step: &str| rows.iter().filter(|row| row[1] == step).map(|row| row[5].parse::<u64>().unwrap()).sum::<u64>();
    assert_eq!((sequences("5"), sequences("6")), (15_120, 4 * 14_040));
    let moving: Vec<_> = rows.iter().filter(|row| row[0] == "moving").collect();
    assert_eq!(moving.len(), 75 + 92 + 28);
    assert_eq!(moving.iter().map(|row| row[4].parse::<u64>().unwrap()).sum::<u64>(), 1_452);
    assert_eq!(json(&["count", "antrin:3", "--export", &path("boards.json")])["boards"], rows.len());
    let wrong = agon(&["count", "antrin:3", "--export", &path("boards.txt")]);
    assert!(wrong.code == 2 && wrong.err.contains(".csv or .json"));
    assert_eq!(agon(&["count", "mnk", "--export", &path("x.csv")]).code, 2);
    let six = json(&["count", "antrin:3,early=ignored", "--plies", "6"]);
    assert_eq!(six["plies"][6]["classes"], 228);
}

#[test]
fn a_board_of_ones_own_is_played_and_wrong_ones_name_the_line() {
    let place = tempfile::tempdir().unwrap();
    let example = include_str!("../../registry/src/erased/example.toml");
    let (good, bad) = (place.path().join("mine.toml"), place.path().join("bad.toml"));
    std::fs::write(&good, example).unwrap();
    std::fs::write(&bad, example.replace("[\"b1\", \"b2\", \"b3\"], [\"a2\"", "[\"b1\", \"z2\", \"b3\"], [\"a2\""))
        .unwrap();
    let solved = json(&["solve", &format!("board:{}", good.display()), "--strong"]);
    // Three men's morris: the first player wins.
    assert_eq!((&solved["value"], &solved["plies"]), (&value!("win"), &value!(9)));
    let refused = agon(&["show", &format!("board:{}", bad.display())]);
    assert!(refused.code == 2 && refused.err.contains("line 24: no point `z2`"), "{}", refused.err);
    assert!(agon(&["show", "board:/no/such.toml"]).err.contains("cannot read"));
}

#[test]
fn moves_can_be_typed_part_by_part_and_traced() {
    let from = ["play", "antrin:3", "--second", "human", "--from", "WB./BW./W.B:w"];
    let ran = agon_with_input(&from, "b2\nc2\ntrace\nquit\n");
    assert!(ran.out.contains("b2, and then? ") && ran.out.contains("1. b2-c2"), "{}", ran.out);
    assert!(ran.out.contains("1 move · black to move"), "{}", ran.out);
    let taken = agon_with_input(
        &["play", "morris:six", "--second", "human", "--from", "WW./.../...W/B../BBB:w"],
        "e3 e5\nb2\ntrace\nquit\n",
    );
    assert!(taken.out.contains("e3-e5, and then? b2") && taken.out.contains("1. e3-e5xb2"), "{}", taken.out);
}

#[test]
fn where_the_defensive_map_goes_wrong_is_listed() {
    let answer = json(&["verify", "antrin:3", "vaki-defence", "--as", "second", "--claim", "draw", "--all"]);
    assert_eq!(answer["holds"], false);
    let failures = answer["failures"].as_array().unwrap();
    assert!(!failures.is_empty() && failures.iter().all(|failure| failure["line"].is_array()));
}

#[test]
fn a_side_passes_with_men_in_hand_when_only_the_barred_centre_is_left() {
    let place = tempfile::tempdir().unwrap();
    let board = |name: &str, rules: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, rules).unwrap();
        path.to_str().unwrap().to_string()
    };
    let mixed = board(
        "mixed.toml",
        r#"men = 3
fly = "at3"
blocked = "passes"
early = "ignored"
bar = "placing"
mixed = true
points = [["a",2,0],["b",1,1],["c",2,1],["d",0,2],["e",1,2],["f",2,2]]
paths = [["e","d"],["e","b"]]
lines = [["c","b"],["b","e","d"],["e","b","a"]]
leaps = [["f","d","a"]]
"#,
    );
    let plain = board(
        "plain.toml",
        r#"men = 3
blocked = "passes"
early = "ignored"
bar = "placing"
points = [["a",0,0],["b",1,0],["c",2,0],["d",0,1],["e",1,1],["f",2,2]]
paths = [["a","b","c"],["d","e"],["e","f"],["a","d"]]
lines = [["a","b","c"]]
"#,
    );
    // Both values come from a retrograde analysis in another language.
    for (board, result, plies) in [(mixed, "win", value!(7)), (plain, "draw", value!(null))] {
        let (game, tables) = (format!("board:{board}"), format!("{board}.tables"));
        let solved = json(&["solve", &game, "--strong", "--table", &tables]);
        assert_eq!((&solved["value"], &solved["plies"]), (&value!(result), &plies), "{board}");
        let checked = agon(&["check", &tables]);
        assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    }
}
