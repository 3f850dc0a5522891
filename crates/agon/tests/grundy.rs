//! `agon grundy`: sequences, files, statements and errors, as a person meets them.

mod common;

use common::{agon, json, missing, until};
use serde_json::json as j;
use std::process::{Command, Stdio};

#[test]
fn answers_follow_the_documented_shape() {
    let answer = json(&["grundy", "kayles", "--to", "200", "--period", "--stats", "--zeros", "--at", "5,11"]);
    assert_eq!((&answer["code"], &answer["to"], &answer["zeros"]), (&j!("0.77"), &j!(200), &j!([0])));
    assert_eq!(answer["at"], j!({"5": 4, "11": 6}));
    assert_eq!(answer["period"]["period"], 12);
    assert_eq!((&answer["period"]["preperiod"], &answer["period"]["proved"]), (&j!(71), &j!(true)));
    assert_eq!((&answer["stats"]["max"], &answer["stats"]["distinct"]), (&j!({"n": 27, "value": 8}), &j!(9)));
    assert!(answer["values"].is_null());
    let values = json(&["grundy", ".007", "--to", "9"]);
    assert_eq!(values["values"], j!([0, 0, 0, 1, 1, 1, 2, 2, 0, 3]));
    // The hash is that of the values as little-endian 16-bit numbers.
    let bytes: Vec<u8> = [0u16, 0, 0, 1, 1, 1, 2, 2, 0, 3].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(values["hash"], j!(blake3::hash(&bytes).to_hex().to_string()));
    assert_eq!(json(&["grundy", "0.007", "--to", "300", "--period"])["period"], j!(null));
}

#[test]
fn errors_name_the_input_and_what_would_do() {
    let nothing = missing();
    let told = format!("cannot read `{nothing}`");
    for (args, code, needle) in [
        (&["grundy", "0.9x"][..], 2, "invalid code `0.9x`"),
        (&["grundy", "3.7"], 2, "0, 4, 8 or c"),
        (&["grundy"], 2, "CODE"),
        (&["grundy", "0.7", "--to", "-5"], 2, "expected a heap"),
        (&["grundy", "0.007", "--to", "1000000000000"], 2, "expected --to of at most"),
        (&["grundy", "0.8", "--to", "100000000"], 2, "MiB"),
        (&["grundy", "--survey", "1", "--to", "1000000000000"], 2, "MiB"),
        (&["grundy", "0.6", "--self-test", "--to", "1000000000000"], 2, "MiB"),
        (&["grundy", "0.007", "--misere", "--resume"], 2, "--resume"),
        (&["grundy", "0.7", "--at", "3,x"], 2, "invalid heaps `3,x`"),
        (&["grundy", "0.7", "--to", "5", "--at", "9"], 2, "beyond --to 5"),
        (&["grundy", "0.7", "--plot", "pie"], 2, "invalid plot `pie`"),
        (&["grundy", "0.007", "--misere", "--to", "5000"], 2, "at most 400"),
        (&["grundy", "--audit", &nothing], 1, &told),
        (&["solve", "heap:0.7:x"], 2, "expected heaps such as 12+20+31"),
        (&["solve", "circular-nim:13,2"], 2, "n must be 1..=12"),
    ] {
        let ran = agon(args);
        assert_eq!(ran.code, code, "{args:?}\n{}{}", ran.out, ran.err);
        assert!(ran.err.contains(needle), "{args:?}: `{needle}` is not in\n{}", ran.err);
    }
}

#[test]
fn a_file_is_written_checked_resumed_and_found_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ellie.grundy");
    let name = file.to_str().unwrap();
    assert_eq!(agon(&["grundy", "0.007", "--to", "3000", "--out", name]).code, 0);
    assert_eq!(agon(&["check", name]).code, 0);
    let full = json(&["check", name, "--full"]);
    assert_eq!((&full["holds"], &full["positions"]), (&j!(true), &j!(3001)));
    // Cut as by a lost machine, resumed, the file is the same as made in one go.
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 7]).unwrap();
    assert_eq!(agon(&["check", name]).code, 4);
    let resumed = json(&["grundy", "0.007", "--to", "4000", "--out", name, "--resume"]);
    assert_eq!(resumed["hash"], json(&["grundy", "0.007", "--to", "4000"])["hash"]);
    assert_eq!(agon(&["check", name, "--full"]).code, 0);
    // An existing file is not overwritten unasked.
    let again = agon(&["grundy", "0.007", "--to", "10", "--out", name]);
    assert!(again.code == 2 && again.err.contains("continue with --resume"), "{}", again.err);
    // Another code is refused; a changed byte is noticed.
    let other = agon(&["grundy", "0.77", "--to", "10", "--out", name, "--resume"]);
    assert!(other.code == 2 && other.err.contains("holds the sequence of 0.007"), "{}", other.err);
    let mut damaged = std::fs::read(&file).unwrap();
    damaged[100] ^= 4;
    std::fs::write(&file, damaged).unwrap();
    assert_eq!(agon(&["check", name]).code, 4);
    assert_eq!(agon(&["grundy", "0.007", "--to", "10", "--out", name, "--resume"]).code, 4);
}

#[test]
fn a_run_that_wrote_nothing_can_resume() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("begun.grundy");
    let (_, head) = agon_check::sequence::Writer::new(&"0.007".parse().unwrap());
    for end in [0, 5, 20, head.len()] {
        std::fs::write(&file, &head[..end]).unwrap();
        let name = file.to_str().unwrap();
        assert_eq!(agon(&["grundy", "0.007", "--to", "50", "--out", name, "--resume"]).code, 0, "{end} bytes");
        assert_eq!(agon(&["check", name]).code, 0, "{end} bytes");
    }
}

#[test]
fn a_well_sealed_lie_is_refuted() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lie.grundy");
    let (mut writer, mut bytes) = agon_check::sequence::Writer::new(&"kayles".parse().unwrap());
    bytes.extend(writer.append(&[0, 1, 2, 3, 1, 4, 3, 3]));
    std::fs::write(&file, bytes).unwrap();
    let ran = agon(&["check", file.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.out.contains("G(7) of 0.77 is 3 in the file, but 2 by the definition"), "{}", ran.out);
    // Values that no heap of that size can have neither fill the memory nor pass.
    let (mut writer, mut bytes) = agon_check::sequence::Writer::new(&"0.77".parse().unwrap());
    bytes.extend(writer.append(&[0, 1, u32::MAX, 3, 1]));
    std::fs::write(&file, bytes).unwrap();
    let ran = agon(&["check", file.to_str().unwrap()]);
    assert!(ran.code == 3 && ran.out.contains("G(2) of 0.77 is 4294967295"), "{}{}", ran.out, ran.err);
}

#[test]
fn killed_without_warning_the_file_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("killed.grundy");
    let name = file.to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["grundy", "0.007", "--to", "2000000", "--out", name, "--quiet"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("some values", || std::fs::metadata(&file).is_ok_and(|file| file.len() > 0));
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = json(&["grundy", "0.007", "--to", "5000", "--out", name, "--resume"]);
    assert_eq!(resumed["hash"], json(&["grundy", "0.007", "--to", "5000"])["hash"]);
}

#[test]
fn statements_are_audited() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.csv");
    std::fs::write(&file, "# a table\n0.77,period,12\n0.77,preperiod,71\n0.137,period,34\n0.007,value,358,0\n")
        .unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(json(&["grundy", "--audit", name])["holds"], true);
    std::fs::write(&file, "0.77,period,13\n0.007,period,7\n").unwrap();
    let ran = agon(&["grundy", "--audit", name]);
    assert_eq!(ran.code, 3);
    let answer = json(&["grundy", "--audit", name]);
    let verdicts: Vec<&str> =
        answer["statements"].as_array().unwrap().iter().map(|s| s["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["false", "open"]);
    for (line, needle) in [
        ("0.77,frequency,13", "line 2: expected CODE,period,P"),
        ("0.77,period", "line 2: expected CODE,period,P"),
        ("0.77,period,0", "line 2: expected CODE,period,P"),
        ("0.77,value,3,-1", "line 2: expected CODE,period,P"),
        ("0.77,value,99999999999999999999,1", "line 2: expected CODE,period,P"),
        ("7.7,period,2", "line 2: invalid code `7.7`"),
        ("0.8,value,9999999,1", "MiB"),
    ] {
        std::fs::write(&file, format!("# a table\n{line}\n")).unwrap();
        let ran = agon(&["grundy", "--audit", name]);
        assert!(ran.code == 2 && ran.err.contains(needle), "{line}: {}", ran.err);
    }
    std::fs::write(&file, [0xff, 0xfe, 0x00]).unwrap();
    let ran = agon(&["grundy", "--audit", name]);
    assert!(ran.code != 0 && ran.err.contains("table.csv"), "{}", ran.err);
    std::fs::write(&file, "# nothing is stated\n").unwrap();
    let ran = agon(&["grundy", "--audit", name]);
    assert!(ran.code == 2 && ran.err.contains("no statements"), "{}", ran.err);
}

#[test]
fn sums_are_solved_and_played() {
    let answer = json(&["solve", "heap:0.007:12+20+30"]);
    let (nimber, winning) = (answer["nimber"].as_u64().unwrap(), answer["winning_moves"].as_array().unwrap());
    assert_eq!(nimber != 0, !winning.is_empty());
    // Every winning move leads to a lost position, and no other move does.
    let all = json(&["show", "heap:0.007:12+20+30"])["moves"].as_array().unwrap().clone();
    for mv in &all {
        let played = common::agon_with_input(
            &["play", "heap:0.007:12+20+30", "--second", "human", "--json"],
            &format!("{}\nquit\n", mv.as_str().unwrap()),
        );
        let after: serde_json::Value = serde_json::from_str(&played.out).unwrap();
        let position = after["position"].as_str().unwrap();
        let value = json(&["solve", "heap:0.007:12+20+30", "--from", position])["value"].clone();
        assert_eq!(value == "loss", winning.contains(mv), "{mv}");
    }
    let sum = json(&["solve", "sum:heap:0.07:9++ellie:3x4"]);
    assert_eq!((&sum["nimber"], &sum["value"]), (&j!(1), &j!("win")));
    let ran = agon(&["play", "sum:kayles:7++nim:2+3", "--first", "perfect", "--second", "random", "--json"]);
    let played: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let won = json(&["solve", "sum:kayles:7++nim:2+3"])["value"] == "win";
    assert!(!won || played["status"] == "first wins", "{played}");
}

#[test]
fn nimbers_and_exhaustion_agree() {
    for game in [
        "kayles:9",
        "ellie:4x3",
        "cram:3x3",
        "treblecross:1x8",
        "circular-nim:4,2:1+2+2+1",
        "grundy:10",
        "nim:1+2+2,play=misere",
        "heap:0.8f:8,play=misere",
    ] {
        let value = |solver: &str| json(&["solve", game, "--method", solver])["value"].clone();
        assert_eq!(value("auto"), value("brute"), "{game}");
    }
}
