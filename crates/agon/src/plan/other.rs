//! Tournaments, tests of strategies, sequences and claims as tasks.

use super::{START_SECONDS, flags, planned, task_seconds};
use crate::cli::{Claimed, PlanArena, PlanGrundy, PlanReproduce, PlanVerify, Shared};
use crate::failure::Failure;
use crate::output::grouped;
use agon_core::Code;
use agon_plan::{Plan, Task, quoted};
use agon_solve::grundy::Grundy;
use std::collections::BTreeSet;
use std::path::Path;

/// Memory of the program, of a player's table, and of a proof.
const PROGRAM_BYTES: u64 = 64 << 20;
const PLAYER_BYTES: u64 = 256 << 20;
const PROOF_BYTES: u64 = 1 << 30;
/// Processor time of a claim that is not slow, and of a slow one, in seconds.
const CLAIM_SECONDS: f64 = 3.0;
const SLOW_CLAIM_SECONDS: f64 = 900.0;
/// Processor time of the test of a strategy after one move, in seconds: nothing is known about it.
const PROOF_SECONDS: f64 = 60.0;
/// Processor time of a sequence to heap n is about this times n^2, in seconds.
const SEQUENCE_SECONDS: f64 = 1.2e-11;

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// `agon plan arena`.
pub(super) fn arena(args: &PlanArena, shared: &Shared) -> Result<Plan, Failure> {
    let game = shared.game(&args.game)?;
    let matches = &args.matches;
    matches.come_in_pairs()?;
    let players = args.players.len() as u64;
    let pairings = if matches.gauntlet { players - 1 } else { players * (players - 1) / 2 };
    let games = matches.games.checked_mul(pairings).ok_or_else(|| Failure::Usage("too many games".to_string()))?;
    let seconds = args.game_seconds.max(0.0) * games as f64;
    let worth = task_seconds(&args.form)?;
    let parts = args.parts.unwrap_or_else(|| if worth > 0.0 { (seconds / worth).ceil() as u64 } else { games / 2 });
    let parts = parts.clamp(1, games / 2).min(100_000);
    let threads = args.form.task_threads;
    let flags = flags(&args.form);
    let mut given =
        format!("{} {}", quoted(&args.game), args.players.iter().map(|p| quoted(p)).collect::<Vec<_>>().join(" "));
    given.push_str(&format!(" --games {} --seed {}", matches.games, shared.seed.unwrap_or(1)));
    given.push_str(if matches.gauntlet { " --gauntlet" } else { "" });
    for (flag, value) in [
        ("--opening-plies", (matches.opening_plies > 0).then(|| matches.opening_plies.to_string())),
        ("--book", matches.book.as_deref().map(text)),
        ("--time", matches.time.map(|seconds| seconds.to_string())),
        ("--most-plies", Some(matches.most_plies.to_string())),
        ("--table", matches.table.as_deref().map(text)),
    ] {
        given.push_str(&value.map_or(String::new(), |value| format!(" {flag} {}", quoted(&value))));
    }
    let part = |number: u64| {
        let name = args.db.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        text(&args.db.with_file_name(format!("{name}.part-{number}-of-{parts}.sqlite")))
    };
    let mut tasks: Vec<Task> = (1..=parts)
        .map(|number| Task {
            command: format!(
                "agon arena {given} --shard {number}/{parts} --out {} --continue {flags}",
                quoted(&part(number))
            ),
            inputs: matches.book.iter().map(|path| text(path)).collect(),
            outputs: vec![part(number)],
            processes: 1,
            threads,
            memory_bytes: PROGRAM_BYTES + PLAYER_BYTES * u64::from(threads),
            cpu_seconds: seconds / parts as f64 + START_SECONDS,
            disk_bytes: (1 << 16) + games / parts * 1000,
            ..Task::new(&format!("play-{number}"), "", &[])
        })
        .collect();
    let db = text(&args.db);
    let all: Vec<String> = (1..=parts).map(part).collect();
    tasks.push(Task {
        id: "merge".to_string(),
        command: format!(
            "agon merge {} {} --quiet",
            quoted(&db),
            all.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(" ")
        ),
        inputs: all,
        outputs: vec![db],
        after: tasks.iter().map(|task| task.id.clone()).collect(),
        memory_bytes: PROGRAM_BYTES,
        cpu_seconds: START_SECONDS + games as f64 * 1e-4,
        disk_bytes: (1 << 16) + games * 1000,
        ..Task::new("merge", "", &[])
    });
    let about = format!("a tournament of {}, {} games", game.spelling(), grouped(games));
    planned(&about, Some(game.spelling()), tasks)
}

/// `agon plan verify`.
pub(super) fn verify(args: &PlanVerify, shared: &Shared) -> Result<Plan, Failure> {
    let game = shared.game(&args.game)?;
    let side = game.side(&args.side)?;
    let start = game.start();
    let claim = match args.claim {
        Claimed::Win => "win",
        Claimed::Draw => "draw",
    };
    let task = |id: String, moves: Option<&str>| {
        let certificate = text(&args.dir.join(format!("{id}.agon")));
        let from = moves.map_or(String::new(), |mv| format!(" --moves {}", quoted(mv)));
        Task {
            command: format!(
                "agon verify {} {} --as {} --claim {claim}{from} --certificate {} {}",
                quoted(&args.game),
                quoted(&args.strategy),
                quoted(&args.side),
                quoted(&certificate),
                flags(&args.form)
            ),
            inputs: if args.strategy.ends_with(".rules") { vec![args.strategy.clone()] } else { Vec::new() },
            outputs: vec![certificate],
            processes: 1,
            threads: args.form.task_threads,
            memory_bytes: PROOF_BYTES,
            cpu_seconds: PROOF_SECONDS,
            disk_bytes: 1 << 20,
            ..Task::new(&id, "", &[])
        }
    };
    let mut tasks = Vec::new();
    if game.turn(&start)? == side {
        tasks.push(task("start".to_string(), None));
    } else {
        let mut seen = BTreeSet::new();
        for mv in game.moves(&start)? {
            // Positions that are equal up to symmetry need one test.
            if seen.insert(game.canonical(&game.play(&start, &mv)?.1)?) {
                let id: String = mv.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
                tasks.push(task(format!("after-{}-{id}", seen.len()), Some(&mv)));
            }
        }
    }
    let about = format!("{} as {} gets at least a {claim} in {}", args.strategy, args.side, game.spelling());
    planned(&about, Some(game.spelling()), tasks)
}

/// `agon plan grundy`.
pub(super) fn grundy(args: &PlanGrundy) -> Result<Plan, Failure> {
    let code: Code = args.code.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    let (worth, to) = (task_seconds(&args.form)?, args.to as f64);
    let whole = SEQUENCE_SECONDS * to * to / f64::from(args.form.task_threads);
    let pieces = if worth > 0.0 { (whole / worth).ceil().clamp(1.0, 10_000.0) as u64 } else { 10 };
    let file = text(&args.file);
    let flags = flags(&args.form);
    let mut tasks: Vec<Task> = Vec::new();
    for piece in 1..=pieces {
        // The work grows with the square of the heap.
        let heap = (to * (piece as f64 / pieces as f64).sqrt()).ceil().min(to) as u64;
        let before = tasks.last().map(|task: &Task| task.id.clone());
        tasks.push(Task {
            command: format!("agon grundy {} --to {heap} --out {} --resume {flags}", quoted(&args.code), quoted(&file)),
            inputs: before.iter().map(|_| file.clone()).collect(),
            outputs: vec![file.clone()],
            after: before.into_iter().collect(),
            processes: 1,
            threads: args.form.task_threads,
            memory_bytes: PROGRAM_BYTES + Grundy::memory(&code, heap as usize),
            cpu_seconds: SEQUENCE_SECONDS * to * to / pieces as f64 + START_SECONDS,
            disk_bytes: 2 * heap,
            ..Task::new(&format!("heaps-{piece}"), "", &[])
        });
    }
    let last = tasks.last().map(|task| task.id.clone());
    for number in 1..=args.checks {
        tasks.push(Task {
            command: format!("agon check {} --sample 500 {flags}", quoted(&file)),
            inputs: vec![file.clone()],
            after: last.iter().cloned().collect(),
            processes: 1,
            threads: args.form.task_threads,
            memory_bytes: PROGRAM_BYTES + 8 * args.to,
            cpu_seconds: START_SECONDS + 500.0 * to * 1e-9,
            ..Task::new(&format!("check-{number}"), "", &[])
        });
    }
    planned(&format!("Grundy values of {} up to heap {}", args.code, grouped(args.to)), None, tasks)
}

/// `agon plan reproduce`.
pub(super) fn reproduce(args: &PlanReproduce) -> Result<Plan, Failure> {
    let items = agon_reproduce::chosen(&args.items, args.full)?;
    let task = |item: &&agon_reproduce::Item| {
        let id = item.id.replace('/', "-");
        let folder = args.dir.join(&id);
        Task {
            command: format!(
                "agon reproduce {} --out {} {}",
                quoted(item.id),
                quoted(&text(&folder)),
                flags(&args.form)
            ),
            outputs: vec![text(&folder.join("reproduce.json"))],
            processes: 1,
            threads: args.form.task_threads,
            memory_bytes: if item.slow { 4 * PROOF_BYTES } else { PROOF_BYTES },
            cpu_seconds: if item.slow { SLOW_CLAIM_SECONDS } else { CLAIM_SECONDS },
            disk_bytes: 1 << 17,
            ..Task::new(&id, "", &[])
        }
    };
    planned("claims of published documents", None, items.iter().map(task).collect())
}
