//! Damaged files are found, whichever byte it is.

use crate::common::agon;
use crate::text;
use agon_check::Certificate;
use agon_check::sequence;
use agon_table::Table;
use std::path::Path;

#[test]
fn every_other_value_of_every_byte_of_a_certificate_is_found() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("c.agon");
    let ran = agon(&["solve", "tic-tac-toe", "--from", "XO./.X./O..", "--certificate", text(&file)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let original = std::fs::read(&file).unwrap();
    assert!(Certificate::read(&original).is_ok());
    let mut bytes = original.clone();
    for at in 0..bytes.len() {
        for change in 1..=255 {
            bytes[at] = original[at] ^ change;
            assert!(Certificate::read(&bytes).is_err(), "byte {at} as {}", bytes[at]);
        }
        bytes[at] = original[at];
    }
    // The program says so with its exit code.
    for at in (0..bytes.len()).step_by(bytes.len() / 7) {
        bytes[at] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(agon(&["check", text(&file)]).code, 4, "byte {at}");
        bytes[at] ^= 1;
    }
}

/// The tables of a small game.
fn tables(folder: &Path) {
    let ran = agon(&["solve", "antrin:3", "--strong", "-q", "--table", text(folder)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn every_flipped_bit_of_every_byte_of_a_table_is_found() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    tables(&folder);
    let read = |path: &Path| Table::open(path).and_then(|table| table.load().map(drop));
    let mut flips = 0;
    for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_none_or(|ending| ending != "agt") {
            continue;
        }
        let (original, case) = (std::fs::read(&entry).unwrap(), place.path().join("case.agt"));
        std::fs::write(&case, &original).unwrap();
        assert_eq!(read(&case), Ok(()));
        let mut bytes = original.clone();
        for at in 0..bytes.len() {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                bytes[at] = original[at] ^ change;
                std::fs::write(&case, &bytes).unwrap();
                assert!(read(&case).is_err(), "{}: byte {at} as {}", entry.display(), bytes[at]);
                flips += 1;
            }
            bytes[at] = original[at];
        }
    }
    crate::tell(&format!("{flips} flips, all found"));
}

/// Every reader refuses a damaged table, and a solver may solve it again.
#[test]
fn a_damaged_table_is_never_kept_by_a_resumed_solve() {
    let place = tempfile::tempdir().unwrap();
    let (whole, broken) = (place.path().join("whole"), place.path().join("broken"));
    tables(&whole);
    let expected = crate::files(&whole);
    let mut rng = agon_core::Rng::new(6);
    let names: Vec<&String> = expected.keys().filter(|name| name.ends_with(".agt")).collect();
    for round in 0..crate::times() {
        let _ = std::fs::remove_dir_all(&broken);
        std::fs::create_dir(&broken).unwrap();
        expected.iter().for_each(|(name, bytes)| std::fs::write(broken.join(name), bytes).unwrap());
        let name = names[round as usize % names.len()];
        let mut bytes = expected[name].clone();
        let at = rng.below(bytes.len());
        bytes[at] ^= 1 << rng.below(8);
        std::fs::write(broken.join(name), &bytes).unwrap();
        assert_eq!(agon(&["check", text(&broken)]).code, 4, "{name}, byte {at}");
        assert_eq!(agon(&["table", "verify", text(&broken)]).code, 4, "{name}, byte {at}");
        let ran = agon(&["solve", "antrin:3", "--strong", "-q", "--resume", "--table", text(&broken)]);
        // Refused as damaged, or solved again: never passed over.
        match ran.code {
            4 => assert!(ran.err.contains(name.as_str()), "{}", ran.err),
            0 => crate::same_files(&crate::files(&broken), &expected, &format!("{name}, byte {at}")),
            code => panic!("{name}, byte {at}: exit code {code}: {}", ran.err),
        }
    }
}

#[test]
fn every_flipped_bit_of_a_sequence_is_found() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("s.grundy");
    for to in ["40", "90"] {
        assert_eq!(agon(&["grundy", "0.77", "--to", to, "--out", text(&file), "--resume", "-q"]).code, 0);
    }
    let original = std::fs::read(&file).unwrap();
    let known = sequence::read(&original).unwrap().values;
    let mut bytes = original.clone();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            // A block that seems longer than the file is one that was being written: what is before it is kept.
            let found = sequence::read(&bytes).map_or(true, |read| read.whole < bytes.len());
            assert!(found, "byte {at}, bit {bit}");
            if let Ok(read) = sequence::read(&bytes) {
                assert!(known.starts_with(&read.values), "byte {at}, bit {bit}");
            }
            bytes[at] ^= 1 << bit;
        }
    }
}

/// Records whose numbers are as large as numbers get, and what is no number at all.
#[test]
fn absurd_records_do_not_stop_a_server() {
    let data = tempfile::tempdir().unwrap();
    let record = |id: u64, seconds: &str, begun: u64| {
        let body = format!(
            "agon-job 1\n{{\"id\":{id},\"kind\":\"solve\",\"title\":\"x\",\"game\":\"mnk:3,3,3\",\"request\":{{\"kind\":\
             \"solve\",\"game\":\"mnk:3,3,3\"}},\"phase\":\"done\",\"why\":null,\"seconds\":{seconds},\"begun\":{begun},\
             \"report\":{{}},\"file\":null}}\n"
        );
        let folder = data.path().join("jobs").join(id.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("record"), format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()))).unwrap();
    };
    record(1, "1e308", 1);
    record(2, "-1e308", u64::from(u32::MAX));
    record(u64::MAX - 1, "1", 1);
    record(u64::MAX, "1", 1);
    crate::server::is_alive(data.path());
}
