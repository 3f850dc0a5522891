//! `tools/check.py`, which shares no code with agon, gives the same verdict as `agon check` on every certificate.

mod common;

use agon::erased::{AnyGame, SolveRequest};
use agon_check::{Certificate, Rejected};
use agon_core::{Ctx, Rng};
use common::agon;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// Games of every family that the second checker knows, and how many random moves to make before solving.
const GAMES: &[(&str, usize, &str)] = &[
    ("mnk:3,3,3", 5, "alphabeta"),
    ("mnk:4,4,3", 7, "alphabeta"),
    ("mnk:3,3,3", 6, "strong"),
    ("mnk:4,3,3", 9, "strong"),
    ("mnk:4,4,3", 6, "race"),
    ("mnk:5,5,4", 9, "race"),
    ("mnk:6,4,4", 8, "race"),
    ("mnk:4,4,4", 9, "lines"),
    ("mnk:5,4,4", 9, "lines"),
    ("mnk:5,5,5", 12, "lines"),
    ("order-chaos:3x3,k=3", 6, "lines"),
    ("order-chaos:4x4,k=4", 9, "lines"),
    ("order-chaos:4x4,k=4,first=chaos", 9, "lines"),
    ("order-chaos:4x3,k=3,symbols=3", 6, "lines"),
    ("order-chaos:3x3,k=3,symbols=4,first=chaos", 5, "lines"),
    ("order-chaos:4x2,k=3,symbols=1,first=chaos", 4, "lines"),
    ("order-chaos:4x3,k=3,row=exact", 7, "lines"),
    ("order-chaos:4x4,k=3,first=chaos,row=exact", 8, "lines"),
    ("order-chaos:5x2,k=3,symbols=3,row=exact", 6, "lines"),
    ("order-chaos:4x4,k=3,row=exact-final", 11, "lines"),
    ("order-chaos:5x3,k=4,first=chaos,row=exact-final", 10, "lines"),
    ("order-chaos:5x2,k=3,symbols=3,row=exact-final", 6, "lines"),
    ("order-chaos:3x2,k=2,symbols=1,row=exact-final", 4, "lines"),
    ("order-chaos:3x3,k=3", 5, "alphabeta"),
    ("order-chaos:3x3,k=2,symbols=3,row=exact", 6, "strong"),
    ("order-chaos:3x2,k=2,first=chaos,row=exact-final", 4, "strong"),
    ("nim:3+5+7", 4, "auto"),
    ("nim:2+3+4,play=misere", 3, "auto"),
    ("kayles:5+7", 3, "auto"),
    ("kayles:6", 2, "strong"),
    ("dawson:5+11", 3, "auto"),
    ("grundy:12", 3, "auto"),
    ("grundy:9,play=misere", 2, "strong"),
    ("subtract:1,3,4:7+9", 3, "auto"),
    ("heap:0.007:9+12", 2, "auto"),
    ("heap:4.7:7", 3, "strong"),
    ("heap:0.f3:4+8,play=misere", 3, "auto"),
    ("antrin:3", 14, "auto"),
    ("antrin:3,blocked=passes,early=ignored", 14, "auto"),
    ("antrin:3,line=captures,fly=at3", 12, "auto"),
    ("achi", 12, "auto"),
    ("three-mens:bar=first", 12, "auto"),
    ("tapatan:blocked=draws", 12, "auto"),
    ("nine-holes:men=2", 8, "auto"),
    ("picaria", 12, "auto"),
    ("tant-fant", 10, "auto"),
    ("shisima:blocked=passes", 10, "auto"),
    ("rota:early=forbidden", 12, "auto"),
    ("tsoro-yematatu", 12, "auto"),
    ("morris:six,men=3,fly=at3", 12, "auto"),
    ("morris:lasker,men=3", 12, "auto"),
    ("achi:blocked=passes,early=forbidden", 12, "auto"),
    ("tak:3", 12, "auto"),
    ("tak:2x3,flats=5,caps=1", 6, "auto"),
    ("tak:3,komi=1.5,flats=4", 7, "auto"),
];

/// Arguments that no search finds, and whole games.
const WRITTEN: &[&[&str]] = &[
    &["solve", "tic-tac-toe"],
    &["solve", "tic-tac-toe", "--strong", "--from", "XO./.../..."],
    &["verify", "tic-tac-toe", "singh-process", "--as", "first", "--listed"],
    &["solve", "mnk:4,4,3"],
    &["solve", "mnk:5,5,5", "--method", "lines"],
    &["solve", "mnk:7,7,4"],
    &["solve", "order-chaos:5x5,k=5,first=chaos"],
    &["solve", "order-chaos:4x3,k=3,symbols=3,row=exact"],
    &["solve", "order-chaos:5x3,k=3,row=exact-final,first=chaos", "--method", "lines"],
    &["verify", "order-chaos:6x6,row=exact-final", "pairing", "--as", "chaos", "--claim", "win"],
    &["solve", "antrin:3"],
    &["solve", "tsoro-yematatu"],
    &["solve", "tak:2x2,flats=3"],
];

/// Castelein's lemma on the smallest board it is about: the inner square is 2 × 2.
const LIFTED: &str = "agon-certificate 1
game order-chaos:4x4,k=3,first=chaos
from ..../..../..../....
claim at-least second win
symmetry none
sections 1
lifted 8
../.O O@b2
../.X X@b2
../O. O@b1
../X. X@b1
.O/.. O@b1
.X/.. X@b1
O./.. O@b1
X./.. X@b1
";

fn sealed(body: &str) -> String {
    format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())
}

fn body(text: &str) -> &str {
    &text[..text.rfind("blake3 ").expect("a sealed file")]
}

fn written(args: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("c.agon");
    let ran = agon(&[args, &["--certificate", file.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    std::fs::read_to_string(&file).unwrap()
}

/// A certificate from a position that random moves lead to; none where the solver does not decide it, or at length.
fn solved(game: &dyn AnyGame, moves: usize, solver: &str, rng: &mut Rng) -> Option<String> {
    let mut pos = game.start();
    for _ in 0..rng.below(3) + moves.saturating_sub(2) {
        let moves = game.moves(&pos).unwrap();
        let Some(mv) = rng.pick(&moves) else { break };
        pos = game.play(&pos, mv).unwrap().1;
    }
    if solver == "race" && game.moves(&pos).unwrap().is_empty() {
        return None; // A race that is over needs no proof.
    }
    let request = SolveRequest::plain(64 << 20).certified().by(solver);
    let (_, evidence) = game.solve(&pos, &request, &Ctx::default().with_budget(100_000)).ok()?;
    evidence.ok()?.map(|certificate| certificate.write()).filter(|text| text.len() < 4_000)
}

/// At least that many different certificates that agon wrote.
fn good(least: usize, rng: &mut Rng) -> Vec<String> {
    let mut found: BTreeSet<String> = WRITTEN.iter().map(|args| written(args)).collect();
    found.insert(sealed(LIFTED));
    let games: Vec<_> =
        GAMES.iter().map(|&(name, moves, how)| (agon::registry::standard().game(name).unwrap(), moves, how)).collect();
    for round in 0.. {
        let (game, moves, how) = &games[round % games.len()];
        found.extend(solved(game.as_ref(), *moves, how, rng));
        if found.len() >= least {
            break;
        }
    }
    found.into_iter().collect()
}

/// The verdict of `agon check`, without starting a program.
fn verdict(bytes: &[u8]) -> &'static str {
    let Ok(certificate) = Certificate::read(bytes) else { return "corrupt" };
    let Ok(game) = agon::registry::standard().game(&certificate.game) else { return "corrupt" };
    if game.spelling() != certificate.game {
        return "corrupt";
    }
    match game.check(&certificate, &Ctx::default()) {
        Ok(_) => "proved",
        Err(Rejected::Refuted(_)) => "refuted",
        Err(Rejected::Corrupt(_)) => "corrupt",
        Err(other) => panic!("{other:?}"),
    }
}

/// Flips, drops, doubles or swaps bytes, and leaves the seal as it was.
fn damaged(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    while bytes == text.as_bytes() {
        let (at, other) = (rng.below(bytes.len()), rng.below(bytes.len()));
        match rng.below(5) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, rng.next_u64() as u8),
            3 => drop(bytes.remove(at)),
            _ => bytes.swap(at, other),
        }
    }
    bytes
}

/// Changes one thing in a list of words.
fn changed(words: &mut Vec<String>, like: &[String], rng: &mut Rng) {
    let at = rng.below(words.len());
    match rng.below(5) {
        0 if words.len() > 1 => drop(words.remove(at)),
        1 => words.insert(at, rng.pick(like).expect("words").clone()),
        2 => words[at] = rng.pick(like).expect("words").clone(),
        _ => {
            let mut letters: Vec<char> = words[at].chars().collect();
            let all: Vec<char> = like.join("").chars().chain(".XO#mb0123-=".chars()).collect();
            match letters.len() {
                0 => letters.push(all[rng.below(all.len())]),
                long => letters[rng.below(long)] = all[rng.below(all.len())],
            }
            words[at] = letters.into_iter().collect();
        }
    }
}

/// Changes one thing as somebody would who wants to prove something false.
fn forge(lines: &mut Vec<String>, others: &[String], rng: &mut Rng) {
    let heads: Vec<usize> =
        (6..lines.len()).filter(|&i| SECTIONS.iter().any(|name| lines[i].starts_with(name))).collect();
    let Some(&head) = rng.pick(&heads) else { return };
    let end = heads.iter().copied().find(|&i| i > head).unwrap_or(lines.len());
    match rng.below(14) {
        which @ 0..6 => forge_head(lines, head, which, others, rng),
        which if end > head + 1 => forge_entry(lines, head..end, which, rng),
        _ => (),
    }
}

/// Another claim, symmetry, game, position, side, result or number.
fn forge_head(lines: &mut [String], head: usize, which: usize, others: &[String], rng: &mut Rng) {
    let at = 1 + rng.below(2);
    match which {
        0 => lines[3] = CLAIMS[rng.below(CLAIMS.len())].into(),
        1 => lines[4] = ["symmetry full", "symmetry none"][rng.below(2)].into(),
        2 => lines[at] = rng.pick(others).expect("files").lines().nth(at).expect("a header").to_string(),
        3 => {
            let mut words: Vec<String> = lines[1].split(',').map(String::from).collect();
            let like = ["2", "3", "4", "exact", "chaos", "misere", "captures", "draws"];
            changed(&mut words, &like.map(String::from), rng);
            lines[1] = words.join(",");
        }
        4 => {
            let (from, to) = SWAPS[rng.below(SWAPS.len())];
            lines[head] = lines[head].replacen(from, to, 1);
        }
        _ => {
            let mut words: Vec<String> = lines[head].split(' ').map(String::from).collect();
            let last = words.len() - 1;
            words[last - rng.below(2)] = rng.below(12).to_string();
            lines[head] = words.join(" ");
        }
    }
}

/// An entry left out, doubled, moved, or with another position, move or reason; the number of entries stays right.
fn forge_entry(lines: &mut Vec<String>, section: Range<usize>, which: usize, rng: &mut Rng) {
    let Range { start: head, end } = section;
    let (entry, other) = (head + 1 + rng.below(end - head - 1), head + 1 + rng.below(end - head - 1));
    let (place, what) = lines[entry].split_once(' ').unwrap_or((&lines[entry], ""));
    let (place, what) = (place.to_string(), what.to_string());
    match which {
        6 => {
            lines.remove(entry);
            lines[head] = recounted(&lines[head], -1);
        }
        7 => {
            lines.insert(entry, lines[entry].clone());
            lines[head] = recounted(&lines[head], 1);
        }
        8 => lines.swap(entry, other),
        9 | 10 => lines[entry] = format!("{place} {}", lines[other].split_once(' ').map_or("", |(_, what)| what)),
        11 => {
            // A changed position, put where it belongs.
            let mut changed_place = vec![place.clone()];
            changed(&mut changed_place, &[place], rng);
            lines[entry] = format!("{} {what}", changed_place.join(""));
            lines[head + 1..end].sort_by(|a, b| a.split(' ').next().cmp(&b.split(' ').next()));
        }
        _ => {
            let mut words: Vec<String> = what.split(' ').map(String::from).collect();
            let entries = lines[head + 1..end].iter();
            let like: Vec<String> = entries.flat_map(|line| line.split(' ').skip(1)).map(String::from).collect();
            changed(&mut words, &like, rng);
            lines[entry] = format!("{place} {}", words.join(" "));
        }
    }
}

fn recounted(line: &str, by: i64) -> String {
    let (front, count) = line.rsplit_once(' ').expect("a count");
    format!("{front} {}", count.parse::<i64>().expect("a count") + by)
}

const SWAPS: &[(&str, &str)] = &[
    ("first", "second"),
    ("second", "first"),
    ("win", "draw"),
    ("makes", "spoils"),
    ("spoils", "makes"),
    (" - ", " 4 "),
];
const SECTIONS: &[&str] = &["strategy ", "values ", "lines ", "race ", "lifted ", "pairing "];
const CLAIMS: &[&str] = &[
    "claim value win",
    "claim value draw",
    "claim value loss",
    "claim at-least first win",
    "claim at-least second draw",
    "claim at-least second win",
    "claim table",
];

fn forged(text: &str, others: &[String], rng: &mut Rng) -> Vec<u8> {
    loop {
        let mut lines: Vec<String> = body(text).lines().map(String::from).collect();
        for _ in 0..1 + rng.below(2) {
            forge(&mut lines, others, rng);
        }
        lines.push(String::new());
        let forged = lines.join("\n");
        if forged != body(text) {
            return sealed(&forged).into_bytes();
        }
    }
}

/// The verdicts of the second checker on the files of a directory, in the order of their names.
fn second_verdicts(dir: &Path) -> Vec<(String, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check.py");
    let ran = Command::new("python3").arg(&script).arg("--json").arg(dir).output();
    let ran = ran.expect("python3 3.8 or later must be installed: the second checker is written in Python");
    let out = String::from_utf8(ran.stdout).expect("text");
    let answers: serde_json::Value =
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(&ran.stderr)));
    let text = |answer: &serde_json::Value, name: &str| answer[name].as_str().expect("a string").to_string();
    answers.as_array().expect("a list").iter().map(|a| (text(a, "verdict"), text(a, "why"))).collect()
}

/// The same verdict; where a lines or race section has several faults, the one that is met first decides between
/// corrupt and refuted, and the document leaves the order open.
fn agree(ours: &str, theirs: &str, file: &[u8]) -> bool {
    let walked =
        String::from_utf8_lossy(file).lines().any(|line| line.starts_with("lines ") || line.starts_with("race "));
    ours == theirs || walked && [ours, theirs].iter().all(|verdict| matches!(*verdict, "refuted" | "corrupt"))
}

/// The number of files of each kind; `AGON_SECOND_CHECKER=SEED,TIMES` takes another seed and that many times as many.
fn extent() -> (u64, usize) {
    let given = std::env::var("AGON_SECOND_CHECKER").unwrap_or_else(|_| "1,1".into());
    let (seed, times) = given.split_once(',').expect("SEED,TIMES");
    (seed.parse().expect("a seed"), times.parse().expect("a number"))
}

#[test]
fn both_checkers_agree_on_good_damaged_and_forged_certificates() {
    let (seed, times) = extent();
    let mut rng = Rng::new(seed);
    let good = good(1_000 * times, &mut rng);
    let mut files: Vec<Vec<u8>> = good.iter().map(|text| text.clone().into_bytes()).collect();
    for _ in 0..300 * times {
        files.push(damaged(rng.pick(&good).expect("files"), &mut rng));
    }
    for _ in 0..1_200 * times {
        files.push(forged(rng.pick(&good).expect("files"), &good, &mut rng));
    }
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (i, file) in files.iter().enumerate() {
        std::fs::write(dirs[i % 2].path().join(format!("{i:06}.agon")), file).unwrap();
    }
    // Both halves in Python, and agon meanwhile.
    let (halves, ours) = std::thread::scope(|scope| {
        let halves = dirs.each_ref().map(|dir| scope.spawn(|| second_verdicts(dir.path())));
        let ours: Vec<_> = files.iter().map(|file| verdict(file)).collect();
        (halves.map(|half| half.join().expect("the second checker answers")), ours)
    });
    let mut seen = std::collections::BTreeMap::new();
    let mut differences = Vec::new();
    for (i, (file, ours)) in files.iter().zip(&ours).enumerate() {
        let (theirs, why) = &halves[i % 2][i / 2];
        *seen.entry((i < good.len(), *ours)).or_insert(0) += 1;
        if !agree(ours, theirs, file) {
            differences.push(format!("agon: {ours}, check.py: {theirs} ({why})\n{}", String::from_utf8_lossy(file)));
        }
    }
    assert!(differences.is_empty(), "{} of {} differ:\n{}", differences.len(), files.len(), differences.join("\n"));
    let refused = good.iter().zip(&ours).find(|(_, ours)| **ours != "proved");
    assert!(refused.is_none(), "agon wrote a certificate that neither checker accepts: {refused:#?}");
    assert!(seen[&(false, "refuted")] > 200 * times && seen[&(false, "corrupt")] > 200 * times, "{seen:?}");
}

/// Claims that are false: pairs under `exact-final` that cannot all be opened, and pairs where there is one mark.
#[test]
fn forgeries_that_were_accepted_once_are_refuted_by_both() {
    let spoiled = |game: &str, from: &str, claim: &str, side: &str, entry: &str| {
        let head = format!("agon-certificate 1\ngame order-chaos:{game}\nfrom {from}\nclaim value {claim}\n");
        sealed(&format!("{head}symmetry full\nsections 1\nlines {side} spoils 1\n{entry}\n"))
    };
    let files = [
        spoiled("4x1,k=3,first=chaos,row=exact-final", ".XX.", "win", "second", ".OO.b pairs 0=3"),
        spoiled("4x1,k=3,first=chaos,row=exact-final", "....", "win", "second", "....b pairs 1-2"),
        spoiled("3x1,k=3,symbols=1", "...", "loss", "first", "...m pairs 0-1"),
        spoiled("2x1,k=2,symbols=1,first=chaos", "..", "win", "second", "..b pairs 0-1"),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (i, file) in files.iter().enumerate() {
        std::fs::write(dir.path().join(format!("{i}.agon")), file).unwrap();
        assert_eq!(verdict(file.as_bytes()), "refuted", "{file}");
    }
    for (file, (found, why)) in files.iter().zip(second_verdicts(dir.path())) {
        assert_eq!(found, "refuted", "{why}\n{file}");
    }
}

#[test]
fn the_verdict_taken_here_is_that_of_the_program() {
    let mut rng = Rng::new(3);
    let good = [written(&["solve", "tic-tac-toe"]), written(&["solve", "order-chaos:3x3,k=3"]), sealed(LIFTED)];
    let dir = tempfile::tempdir().unwrap();
    for round in 0..24 {
        let bytes =
            if round < 3 { good[round].clone().into_bytes() } else { forged(&good[round % 3], &good, &mut rng) };
        let file = dir.path().join(format!("{round}.agon"));
        std::fs::write(&file, &bytes).unwrap();
        let code = agon(&["check", file.to_str().unwrap()]).code;
        assert_eq!(
            verdict(&bytes),
            ["proved", "", "", "refuted", "corrupt"][usize::try_from(code).unwrap()],
            "round {round}"
        );
    }
}

#[test]
fn the_second_checker_says_how_it_went_with_its_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("c.agon");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check.py");
    let ran = |bytes: &str| {
        std::fs::write(&file, bytes).unwrap();
        let ran = Command::new("python3").arg(&script).arg(&file).output().expect("python3 must be installed");
        (ran.status.code().expect("no signal"), String::from_utf8(ran.stdout).expect("text"))
    };
    let text = written(&["solve", "tic-tac-toe"]);
    let cases = [
        (text.clone(), 0, "proved: "),
        (sealed(&body(&text).replace("value draw", "value win")), 3, "refuted: "),
        (text.replace("value draw", "value win"), 4, "corrupt: "),
        (sealed(&body(&text).replace("mnk:3,3,3", "cram:3x3")), 1, "unsupported: "),
        (written(&["verify", "tic-tac-toe", "singh-process", "--as", "first"]), 1, "unsupported: "),
    ];
    for (bytes, code, said) in cases {
        let (found, out) = ran(&bytes);
        assert!(found == code && out.starts_with(said), "{found}: {out}");
    }
    let usage = Command::new("python3").arg(&script).output().expect("python3 must be installed");
    assert_eq!(usage.status.code(), Some(2));
}
