//! How far apart the levels of a game are: each plays against the one below.

use crate::erased::AnyGame;
use crate::failure::Failure;
use crate::output::grouped;
use agon_arena::files::Files;
use agon_arena::plan::Plan;
use agon_arena::report::{ArenaReport, Estimate};
use agon_arena::run::Tournament;
use agon_core::Ctx;
use agon_registry::Registry;
use std::fmt::Write as _;

/// One game a line: its spelling, the random plies of an opening, the games of a pairing, the seconds of level 5.
const MEASURED: &str = include_str!("levels.txt");

/// The steps that a scale aims at, in Elo.
const AIM: std::ops::RangeInclusive<f64> = 150.0..=300.0;

/// A game whose levels are measured.
struct Measured {
    game: &'static str,
    opening_plies: u32,
    games: u64,
    /// The time of level 5, in milliseconds, where its moves are not all proven.
    time: Option<u64>,
}

fn list() -> impl Iterator<Item = Measured> {
    let lines = MEASURED.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [game, plies, games, time] = words[..] else { unreachable!("a line of the list has four words") };
        let number = |word: &str| word.parse().expect("a number in the list");
        let time = time.parse::<f64>().ok().map(|seconds| (1000.0 * seconds) as u64);
        Measured { game, opening_plies: number(plies) as u32, games: number(games), time }
    })
}

/// The Elo of a level over another one, with its interval; the seed is that of the command.
fn difference(
    row: &Measured,
    game: &dyn AnyGame,
    levels: [u8; 2],
    threads: usize,
    ctx: &Ctx,
) -> Result<Estimate, Failure> {
    let players = levels.map(|level| format!("level:{level}")).to_vec();
    let plan = Plan {
        game: game.spelling().to_string(),
        files: Files::of(&players)?,
        players,
        gauntlet: false,
        games: row.games,
        seed: 1,
        from: game.start(),
        opening_plies: row.opening_plies,
        book: Vec::new(),
        move_time: row.time.filter(|_| levels.contains(&5)),
        start_time: 60_000,
        most_plies: 1000,
        sprt: None,
    };
    let tournament = Tournament {
        plan: &plan,
        game,
        todo: (0..plan.total()).collect(),
        results: Vec::new(),
        store: None,
        threads,
        audience: None,
    };
    let results = tournament.play(ctx)?;
    let report = ArenaReport::new(&plan, game, &results);
    report
        .meetings
        .into_iter()
        .next()
        .and_then(|meeting| meeting.elo)
        .ok_or_else(|| ctx.check().err().map_or(Failure::Failed("no pair of games was finished".into()), Failure::from))
}

/// A step between two levels, seen by the higher one.
fn cell(estimate: &Estimate) -> String {
    // The estimate is the lower level's.
    let number =
        |x: Option<f64>, infinite: &str| x.map_or(infinite.to_string(), |x| format!("{:.0}", (-x).round() + 0.0));
    let [low, high] = estimate.interval;
    format!("{} [{}, {}]", number(estimate.value, "∞"), number(high, "−∞"), number(low, "∞"))
}

/// What a row says about the distances.
fn remark(steps: &[Option<f64>]) -> &'static str {
    let within = steps.iter().filter(|step| step.is_some_and(|step| AIM.contains(&-step.round()))).count();
    match within {
        4 => "150 to 300 each",
        _ if steps.iter().all(|step| step.is_some_and(|step| -step < *AIM.end())) => "less room",
        _ => "uneven",
    }
}

/// The page about levels, or the rows of the games whose spelling contains a text.
pub(super) fn table(registry: &Registry, only: &str, threads: usize, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::new();
    if only.is_empty() {
        out.push_str(
            "# Levels\n\n\
             Computed by `agon results levels`. Every game has five levels. Where the start is solved quickly, they are\n\
             `skill:P`, which plays a perfect move with probability P and a random one otherwise; elsewhere they are searches\n\
             with a fixed number of nodes or playouts. Level 5 is `perfect`. A cell says by how many Elo a level beats the one\n\
             below, with the 95 % interval, over the stated number of games; openings of random plies are played twice with\n\
             sides swapped. *150 to 300 each*: all four estimates lie in that range. *Less room*: the levels are spread over the whole\n\
             distance from random to perfect play, which is too short for four such steps, because perfect play cannot always win.\n\n",
        );
        out.push_str("| game | levels 1 to 4 | 1 → 2 | 2 → 3 | 3 → 4 | 4 → 5 | games a pair, random plies | |\n|---|---|---|---|---|---|---|---|\n");
    }
    for row in list().filter(|row| row.game.contains(only)) {
        let game = registry.game(row.game)?;
        let players: Vec<String> = (1..=4).filter_map(|level| game.level(level)).collect();
        let _ = write!(out, "| `{}` | {} |", row.game, spelled(&players));
        let mut steps = Vec::new();
        for below in 1..=4 {
            let step = difference(&row, game.as_ref(), [below, below + 1], threads, ctx)?;
            let _ = write!(out, " {} |", cell(&step));
            steps.push(step.value);
        }
        let timed = row.time.map_or(String::new(), |time| format!("; level 5: {} s a move", time as f64 / 1000.0));
        let _ = writeln!(out, " {}, {}{timed} | {} |", grouped(row.games), row.opening_plies, remark(&steps));
    }
    Ok(out)
}

/// Players of one kind with their parameters: `skill:0, 0.4, 0.7`.
fn spelled(players: &[String]) -> String {
    let (first, rest) = players.split_first().expect("four levels");
    let end = first.rfind(['=', ':']).map_or(first.len(), |at| at + 1);
    match rest
        .iter()
        .map(|player| player.strip_prefix(&first[..end]).filter(|rest| !rest.contains(',')))
        .collect::<Option<Vec<_>>>()
    {
        Some(others) => format!("`{first}`, {}", others.join(", ")),
        None => players.iter().map(|player| format!("`{player}`")).collect::<Vec<_>>().join(", "),
    }
}
