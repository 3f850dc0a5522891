//! Plans from outside: their tasks, run one after the other, give what one process gives.
#![cfg(unix)]

mod common;

use agon_table::record::{self, Record};
use agon_table::values::{BLOCK, Code, DRAW, UNUSED, Values};
use agon_table::{Table, Writer};
use common::{Ran, agon, json};
use serde_json::{Value, json as value};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::Command;

/// Runs a command of a plan in a shell, in a directory.
fn run(command: &str, folder: &Path) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env("AGON_WORKER", "ann");
    let output = shell.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

fn tasks(plan: &Value) -> Vec<Value> {
    plan["tasks"].as_array().unwrap().clone()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

/// The tables of a directory.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = entries.filter(|path| path.extension().is_some_and(|ending| ending == "agt"));
    tables.map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap())).collect()
}

/// All tables of a game by one process.
fn solved(game: &str, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let ran = agon(&["solve", game, "--strong", "--quiet", "--table", text(folder)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    tables(folder)
}

#[test]
fn the_tasks_of_a_plan_give_the_tables_of_one_process() {
    let place = tempfile::tempdir().unwrap();
    for (game, at_least) in [("antrin:4", 9), ("shisima", 1)] {
        let folder = place.path().join(game.replace(':', "-"));
        std::fs::create_dir(&folder).unwrap();
        let whole = solved(game, &folder.join("whole"));
        let plan = json(&["plan", game, "--table", "parts", "--task-seconds", "0"]);
        assert_eq!(plan["agon"], env!("CARGO_PKG_VERSION"));
        let mut there = HashSet::new();
        for task in tasks(&plan) {
            let command = task["command"].as_str().unwrap();
            assert!(command.starts_with("agon "), "{command}");
            assert!(strings(&task["inputs"]).iter().all(|input| there.contains(input)), "{task}");
            for number in ["memory_bytes", "cpu_seconds", "disk_bytes"] {
                assert!(task[number].as_f64().is_some_and(|number| number > 0.0), "{task}");
            }
            let ran = run(command, &folder);
            assert_eq!(ran.code, 0, "{command}: {}", ran.err);
            for output in strings(&task["outputs"]) {
                assert!(folder.join(&output).exists(), "{output}");
                there.insert(output);
            }
        }
        assert!(tasks(&plan).len() >= at_least, "{plan}");
        assert!(tables(&folder.join("parts")) == whole, "{game}");
        // Nothing but tables and their records is left, and a second run does nothing.
        let names: Vec<String> = std::fs::read_dir(folder.join("parts"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert!(
            names.iter().all(|name| name == ".lock" || name.ends_with(".agt") || name.ends_with(".agt.json")),
            "{names:?}"
        );
        for task in tasks(&plan) {
            let ran = run(&format!("{} --json", task["command"].as_str().unwrap()), &folder);
            let said: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!((&said["tables"]["solved"], ran.code), (&value!(0), 0), "{said}");
        }
    }
}

#[test]
fn small_tables_share_a_task_unless_every_unit_is_one() {
    let count =
        |seconds: &str| tasks(&json(&["plan", "morris:six", "--table", "six", "--task-seconds", seconds])).len();
    let (all, few, one) = (count("0"), count("0.2"), count("1000"));
    assert!(one == 1 && 1 < few && few < all && all > 20, "{one} {few} {all}");
    // A plan in a file is the plan on standard output.
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("plan.json");
    let asked = ["plan", "antrin:4", "--table", "four"];
    let ran = agon(&[&asked[..], &["--out", text(&file)]].concat());
    assert!(
        ran.code == 0 && ran.out.contains("tasks written to") || ran.out.contains("task written to"),
        "{}",
        ran.out
    );
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(written, json(&asked));
    assert_eq!(serde_json::from_str::<Value>(&agon(&asked).out).unwrap(), written);
    for wrong in [
        &["plan"][..],
        &["plan", "antrin:4"],
        &["plan", "tak:5", "--table", "x"],
        &["plan", "antrin:4", "--table", "x", "--verify", "2"],
    ] {
        assert_eq!(agon(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_task_refuses_inputs_that_are_missing_or_changed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("four");
    let whole = solved("antrin:4", &folder);
    // 3+1-4 and others lead to 4-4, which every plan begins with.
    let solve =
        |name: &str| agon(&["solve", "antrin:4", "--strong", "--quiet", "--table", text(&folder), "--part", name]);
    let units = json(&["plan", "antrin:4", "--table", text(&folder), "--task-seconds", "0"]);
    let second = tasks(&units).into_iter().find(|task| !strings(&task["inputs"]).is_empty()).unwrap();
    let name = second["id"].as_str().unwrap().strip_prefix("solve-").unwrap();
    let input = strings(&second["inputs"]).into_iter().find(|path| path.ends_with(".agt")).unwrap();
    let input = Path::new(&input);
    let own = folder.join(format!("{name}.agt"));
    // 1. The input is not there, as in an old listing of the directory; later it is.
    let kept = std::fs::read(input).unwrap();
    std::fs::remove_file(input).unwrap();
    std::fs::remove_file(&own).unwrap();
    let ran = solve(name);
    assert!(ran.code == 1 && ran.err.contains("there is no such file"), "{} {}", ran.code, ran.err);
    std::fs::write(input, &kept).unwrap();
    assert_eq!(solve(name).code, 0);
    // 2. Its contents are others.
    std::fs::remove_file(&own).unwrap();
    let mut changed = kept.clone();
    let at = changed.len() / 2;
    changed[at] ^= 1;
    std::fs::write(input, &changed).unwrap();
    let ran = solve(name);
    assert!(ran.code == 4 && ran.err.contains("its record names"), "{} {}", ran.code, ran.err);
    assert!(!own.exists());
    std::fs::write(input, &kept).unwrap();
    // 3. It has no record; resuming alone writes one.
    std::fs::remove_file(record::record_of(input)).unwrap();
    let ran = solve(name);
    assert!(ran.code == 1 && ran.err.contains("writes the missing records"), "{} {}", ran.code, ran.err);
    let all = agon(&["solve", "antrin:4", "--strong", "--quiet", "--table", text(&folder), "--resume"]);
    assert_eq!(all.code, 0, "{}", all.err);
    assert!(tables(&folder) == whole && record::read(input).unwrap().is_some());
    // 4. A table that was computed from another input is solved again.
    let record = record::read(&own).unwrap().unwrap();
    let inputs = record.inputs.keys().map(|name| (name.clone(), "00".to_string())).collect();
    record::write(&own, &Record { inputs, ..record }).unwrap();
    let ran = agon(&["solve", "antrin:4", "--strong", "--table", text(&folder), "--part", name]);
    assert!(ran.code == 0 && ran.err.contains("computed from another table"), "{} {}", ran.code, ran.err);
    assert!(tables(&folder) == whole);
    assert_eq!(solve("9-9").code, 2);
}

#[test]
fn a_task_runs_where_its_inputs_were_copied_to() {
    let place = tempfile::tempdir().unwrap();
    let shared = place.path().join("shared");
    let whole = solved("antrin:4", &place.path().join("whole"));
    let plan = json(&["plan", "antrin:4", "--table", "four", "--task-seconds", "0"]);
    std::fs::create_dir_all(shared.join("four")).unwrap();
    for (number, task) in tasks(&plan).iter().enumerate() {
        let own = place.path().join(format!("worker-{number}"));
        std::fs::create_dir_all(own.join("four")).unwrap();
        for input in strings(&task["inputs"]) {
            std::fs::copy(shared.join(&input), own.join(&input)).unwrap();
        }
        let ran = run(task["command"].as_str().unwrap(), &own);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for output in strings(&task["outputs"]) {
            std::fs::copy(own.join(&output), shared.join(&output)).unwrap();
        }
    }
    assert!(tables(&shared.join("four")) == whole);
    assert_eq!(agon(&["check", text(&shared.join("four"))]).code, 0);
}

#[test]
fn every_table_has_a_record_of_who_made_it_from_what_and_who_checked_it() {
    let place = tempfile::tempdir().unwrap();
    let plan = json(&["plan", "antrin:3", "--table", "three", "--verify", "0.5", "--task-seconds", "0"]);
    let (solving, checking): (Vec<Value>, Vec<Value>) =
        tasks(&plan).into_iter().partition(|task| task["id"].as_str().unwrap().starts_with("solve-"));
    assert_eq!(solving.len(), checking.len());
    for task in solving.iter().chain(&checking) {
        let ran = run(task["command"].as_str().unwrap(), place.path());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        strings(&task["outputs"]).iter().for_each(|output| assert!(place.path().join(output).exists(), "{output}"));
    }
    let folder = place.path().join("three");
    let records = json(&["table", "records", text(&folder)]);
    for row in records["tables"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let record = record::read(&folder.join(format!("{name}.agt"))).unwrap().unwrap();
        assert_eq!(row["recorded"], true);
        assert_eq!((row["made"]["worker"].as_str(), row["checked"]["worker"].as_str()), (Some("ann"), Some("ann")));
        assert_eq!(
            (row["checked"]["share"].as_f64(), row["checked"]["blake3"].as_str()),
            (Some(0.5), Some(record.blake3.as_str()))
        );
        for (input, hash) in &record.inputs {
            assert_eq!(record::hash_of(&folder.join(format!("{input}.agt"))).unwrap().0, *hash);
        }
    }
    // Each check has a seed of its own, and a second run checks nothing.
    let seeds: HashSet<u64> =
        records["tables"].as_array().unwrap().iter().filter_map(|row| row["checked"]["seed"].as_u64()).collect();
    assert!(seeds.len() > 1);
    let again = run(checking[0]["command"].as_str().unwrap(), place.path());
    assert!(again.code == 0 && again.out.contains("checked before"), "{}", again.out);
    // A table with another hash is named.
    let path = folder.join("3-3.agt");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 60;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let ran = agon(&["table", "records", text(&folder)]);
    assert!(ran.code == 4 && ran.err.contains("3-3"), "{} {}", ran.code, ran.err);
}

/// Rewrites a table with another value at some indices, with checksums, counts and a record that fit as far as a liar
/// can make them fit.
fn lie(path: &Path, wrong: &[u64]) {
    let table = Table::open(path).unwrap();
    let mut codes: Vec<Code> = (0..table.size()).map(|index| table.get(index).unwrap()).collect();
    for &index in wrong {
        let code = &mut codes[index as usize];
        assert_ne!(*code, UNUSED);
        *code = if *code == DRAW { 4 } else { DRAW };
    }
    let keys = ["kind", "game", "shard", "phase", "numbers", "totals", "classes", "blocked", "distances"];
    let fields: Vec<(&str, String)> = keys.map(|key| (key, table.reader().field(key).unwrap().to_string())).to_vec();
    let mut writer = Writer::create(path, &fields).unwrap();
    for block in codes.chunks(BLOCK as usize) {
        let mut values = Values::default();
        block.iter().for_each(|&code| values.push(code));
        writer.add(&[values.into_block()], 1).unwrap();
    }
    let complete = writer.complete().unwrap();
    let record = record::read(path).unwrap().unwrap();
    record::write(path, &Record { blake3: complete.hash.to_hex().to_string(), bytes: complete.bytes, ..record })
        .unwrap();
    complete.place().unwrap();
}

/// A worker that returns one wrong value in a million, in all tables of a game: each check finds one of them with the
/// probability that a plan states, whatever its seed.
#[test]
fn one_wrong_value_in_a_million_is_found_with_the_stated_probability() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("six");
    let whole = solved("morris:six", &folder);
    let (mut before, mut wrong) = (0, BTreeMap::<&str, Vec<u64>>::new());
    for name in whole.keys() {
        let size = Table::open(&folder.join(name)).unwrap().size();
        for million in (before / 1_000_000..).map(|at| at * 1_000_000 + 500_000).take_while(|&at| at < before + size) {
            if million >= before {
                wrong.entry(name).or_default().push(used(&folder.join(name), million - before));
            }
        }
        before += size;
    }
    let (count, names) = (wrong.values().map(Vec::len).sum::<usize>(), Vec::from_iter(wrong.keys().copied()));
    assert_eq!((before / 1_000_000, count), (3, 3), "{wrong:?}");
    wrong.iter().for_each(|(name, wrong)| lie(&folder.join(name), wrong));
    let part: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(".agt")).collect();
    let trials = 30;
    let found = |seed: &u32| {
        let args = ["check", text(&folder), "--share", "0.3", "--quiet", "--part", &part.join(",")];
        let ran = agon(&[&args[..], &["--seed", &seed.to_string()]].concat());
        assert!(matches!(ran.code, 0 | 3), "{} {}", ran.code, ran.err);
        ran.code == 3
    };
    let times = (1..=trials).filter(found).count() as f64;
    let stated = agon_check::tables::found_with(0.3, count as f64);
    let deviation = (stated * (1.0 - stated) / f64::from(trials)).sqrt();
    assert!((stated - (1.0 - 0.343)).abs() < 1e-9);
    assert!(times / f64::from(trials) >= stated - 2.0 * deviation, "found {times} times in {trials}, stated {stated}");
}

/// A unit that needs more memory than a process may have asks for several processes.
#[test]
fn a_large_unit_asks_for_several_processes() {
    let plan = |more: &[&str]| {
        json(&[&["plan", "antrin:5", "--table", "five", "--task-seconds", "0", "--process-memory"], more].concat())
    };
    let shared: Vec<Value> =
        tasks(&plan(&["200"])).into_iter().filter(|task| task["processes"].as_u64().unwrap() > 1).collect();
    assert!(!shared.is_empty());
    for task in &shared {
        let (command, processes) = (task["command"].as_str().unwrap(), task["processes"].as_u64().unwrap());
        assert!(command.contains(&format!(" --processes {processes} ")), "{command}");
        let memory = command.split(" --memory ").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
        assert!(memory <= 200, "{command}");
        assert!(task["memory_bytes"].as_u64().unwrap() >= (processes * memory) << 20);
    }
    assert!(tasks(&plan(&["100000"])).iter().all(|task| task["processes"] == 1));
    let ran = agon(&["plan", "antrin:5", "--table", "five", "--process-memory", "10"]);
    assert!(ran.code == 2 && ran.err.contains("invalid --process-memory `10`"), "{} {}", ran.code, ran.err);
    // A program without the feature says so.
    if !cfg!(feature = "timely") {
        let args = ["solve", "antrin:4", "--strong", "--table", "x", "--part", "4-4", "--processes", "2"];
        let ran = agon(&args);
        assert!(ran.code == 2 && ran.err.contains("built with the feature `timely`"), "{} {}", ran.code, ran.err);
    }
}

/// A used index of a table, the first from `from` on.
fn used(path: &Path, from: u64) -> u64 {
    let table = Table::open(path).unwrap();
    (from..table.size()).find(|&index| table.get(index).unwrap() != UNUSED).unwrap()
}

#[test]
fn a_worker_that_lies_is_found_with_the_stated_probability() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("four");
    solved("antrin:4", &folder);
    let path = folder.join("4-4.agt");
    let size = Table::open(&path).unwrap().size();
    let found = |share: &str, seed: u64| {
        let seed = seed.to_string();
        let ran = agon(&["check", text(&folder), "--part", "4-4", "--share", share, "--seed", &seed, "--quiet"]);
        assert!(matches!(ran.code, 0 | 3), "{} {}", ran.code, ran.err);
        assert!(ran.code == 0 || ran.out.contains("table 4-4"), "{}", ran.out);
        ran.code == 3
    };
    assert!((1..=3).all(|seed| !found("0.5", seed)), "an honest worker is accused");
    // Wrong values that lie far from one another are found independently. A value has predecessors, at which it also
    // shows, so the stated probability is a lower bound.
    let wrong: Vec<u64> = [3, 5].iter().map(|&part| used(&path, size * part / 7)).collect();
    lie(&path, &wrong);
    let trials = 24;
    let times = (1..=trials).filter(|&seed| found("0.3", seed)).count() as f64;
    let stated = agon_check::tables::found_with(0.3, wrong.len() as f64);
    assert!((stated - 0.51).abs() < 1e-9);
    assert!(times / trials as f64 >= stated, "found {times} times in {trials}, stated {stated}");
    // A check of everything always finds it, and names the worker's table.
    assert!(found("1", 1));
    // One in a million: a share of 1 % finds a liar in 10^9 values for certain, in 10^6 once in a hundred times.
    assert!(agon_check::tables::found_with(0.01, 1000.0) > 0.9999);
    assert!((agon_check::tables::found_with(0.01, 1.0) - 0.01).abs() < 1e-12);
    let noted = agon(&["plan", "morris:nine", "--table", "nine", "--verify", "0.01", "--format", "make"]);
    assert!(noted.err.contains("99.99 %") && noted.out.contains("--share 0.01"), "{}", noted.err);
}

/// Every game of a tournament: what was played, not how long it took.
fn games(path: &Path) -> Vec<String> {
    let file = rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let text = "SELECT id || ' ' || first || ' ' || second || ' ' || result || ' ' || reason || ' ' || first_seed || ' ' || moves
                FROM game ORDER BY id";
    let mut select = file.prepare(text).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_tournament_from_a_plan_is_that_of_one_process() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let whole = ["arena", "tak:4", "random", "weighted", "negamax:nodes=200", "--games", "8", "--seed", "3"];
    let one = json(&[&whole[..], &["--out", text(&path("one.sqlite"))]].concat());
    let plan = json(&[
        "plan",
        "arena",
        "tak:4",
        "random",
        "weighted",
        "negamax:nodes=200",
        "--games",
        "8",
        "--seed",
        "3",
        "--db",
        "all.sqlite",
        "--parts",
        "5",
    ]);
    assert_eq!(tasks(&plan).len(), 6);
    for task in tasks(&plan) {
        // Every task runs twice: a scheduler may lose track of one.
        for _ in 0..2 {
            let ran = run(task["command"].as_str().unwrap(), place.path());
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
    }
    assert_eq!(games(&path("all.sqlite")), games(&path("one.sqlite")));
    // Parts again, in another order, and whole tournaments among them: nothing changes, neither do the ratings.
    let parts: Vec<String> =
        (1..=5).rev().map(|part| text(&path(&format!("all.part-{part}-of-5.sqlite"))).to_string()).collect();
    let mut merge = vec!["merge", text(&path("again.sqlite"))].into_iter().map(String::from).collect::<Vec<_>>();
    merge.extend(parts.iter().chain(&parts).cloned());
    merge.push(text(&path("one.sqlite")).to_string());
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    let (first, second) = (json(&merge), json(&merge));
    assert_eq!(games(&path("again.sqlite")), games(&path("one.sqlite")));
    for report in [&first, &second] {
        for part in ["standings", "pairs", "games"] {
            assert_eq!(report[part], one[part], "{part}");
        }
    }
}

#[test]
fn a_strategy_a_sequence_and_claims_are_tasks_too() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("proofs")).unwrap();
    let runs = |asked: &[&str], expected: usize| {
        let plan = json(asked);
        assert_eq!(tasks(&plan).len(), expected, "{plan}");
        for task in tasks(&plan) {
            let ran = run(task["command"].as_str().unwrap(), place.path());
            assert_eq!(ran.code, 0, "{task}: {}{}", ran.out, ran.err);
            strings(&task["outputs"]).iter().for_each(|output| assert!(place.path().join(output).exists(), "{output}"));
        }
    };
    // Three first moves up to symmetry.
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/strategies/tic-tac-toe-either.rules");
    runs(&["plan", "verify", "tic-tac-toe", rules, "--as", "second", "--dir", "proofs"], 3);
    runs(&["plan", "verify", "tic-tac-toe", rules, "--as", "first", "--dir", "proofs"], 1);
    runs(
        &["plan", "grundy", "0.007", "--to", "5000", "--file", "s.grundy", "--task-seconds", "0", "--checks", "2"],
        12,
    );
    runs(&["plan", "reproduce", "001/games", "--dir", "report"], 1);
}

#[test]
fn a_schedule_is_simulated_from_the_plan() {
    let asked = ["plan", "morris:nine", "--table", "nine", "--simulate", "1,16,100000"];
    let simulated = json(&asked);
    let schedules = simulated["schedules"].as_array().unwrap();
    let time = |at: usize| schedules[at]["makespan_seconds"].as_f64().unwrap();
    assert!(time(0) > time(1) && time(1) >= time(2));
    let chain = schedules[2]["critical_path_seconds"].as_f64().unwrap();
    assert!((time(2) / chain - 1.0).abs() < 1e-9, "{} {chain}", time(2));
    assert_eq!((&schedules[0]["bottleneck"], &schedules[2]["bottleneck"]), (&value!("work"), &value!("critical path")));
    let scaled = json(&[&asked[..], &["--scale", "1000"]].concat());
    let longer = scaled["schedules"][0]["makespan_seconds"].as_f64().unwrap() / time(0);
    assert!((longer - 1000.0).abs() < 1e-6, "{longer}");
    assert!(agon(&asked).out.contains("critical path"));
}

#[test]
fn smaller_tables_play_and_say_what_they_cover() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let whole = solved("antrin:4", &path("four"));
    let four = path("four");
    // 1. Results without distances: the same results.
    let exported = json(&["table", "export", text(&four), text(&path("results"))]);
    assert_eq!(exported["tables"], 9);
    let small = tables(&path("results"));
    let size = |tables: &BTreeMap<String, Vec<u8>>| tables.values().map(Vec::len).sum::<usize>();
    assert!(size(&small) < size(&whole), "{} {}", size(&small), size(&whole));
    for position in ["W.B./.W../..B./WB.W:b:0-1", "..../..../..../....:w:4-4", "W.../..../..../...B:w:3-3"] {
        let of = |folder: &str| json(&["table", "probe", text(&path(folder)), position]);
        let (there, here) = (of("four"), of("results"));
        let moves = |probed: &Value| -> BTreeMap<String, String> {
            let each = |mv: &Value| (mv["move"].to_string(), mv["value"].to_string());
            probed["moves"].as_array().unwrap().iter().map(each).collect()
        };
        assert_eq!((&there["value"], moves(&there)), (&here["value"], moves(&here)), "{position}");
        assert!(here["plies"].is_null(), "a table without distances knows none");
    }
    // 2. What matters most in play: within the budget, with a share of decisions that a game confirms.
    let budget = json(&["table", "export", text(&four), text(&path("some")), "--budget", "60kB", "--games", "2000"]);
    assert!(budget["bytes"].as_u64().unwrap() <= 60_000, "{budget}");
    let share = budget["coverage"]["share"].as_f64().unwrap();
    assert!(share > 0.2 && budget["coverage"]["decisions"].as_u64().unwrap() > 100, "{budget}");
    assert_eq!(json(&["table", "probe", text(&path("some"))])["value"], "draw");
    assert_eq!(agon(&["table", "verify", text(&path("some"))]).code, 0);
    assert_eq!(agon(&["table", "export", text(&four), text(&path("none")), "--budget", "10B"]).code, 2);
    // 3. Neither can be checked by forward moves or solved into.
    for folder in ["results", "some"] {
        let ran = agon(&["check", text(&path(folder))]);
        assert!(ran.code != 0 && ran.code != 3, "{} {}", ran.code, ran.out);
    }
    let again = agon(&["table", "export", text(&path("results")), text(&path("more"))]);
    assert!(again.code == 1 && again.err.contains("smaller table already"), "{} {}", again.code, again.err);
    assert_eq!(agon(&["table", "export", text(&four), text(&path("some"))]).code, 2, "the directory is not empty");
    // 4. Perfect players read both.
    for folder in ["results", "some"] {
        let played = agon(&[
            "play",
            "antrin:4",
            "--first",
            "perfect",
            "--second",
            "random",
            "--seed",
            "2",
            "--quiet",
            "--table",
            text(&path(folder)),
        ]);
        assert_eq!(played.code, 0, "{}", played.err);
    }
}
