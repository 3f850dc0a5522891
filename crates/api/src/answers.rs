//! The answers, with the fields that the command line gives them.

use crate::arguments::Arguments;
use crate::{Games, MEMORY, MOST_NODES};
use agon_check::{Certificate, Rejected};
use agon_core::{Ctx, Kind, Param, Player, Stop, Wdl};
use agon_grade::Grader;
use agon_registry::analysis;
use agon_registry::erased::{AnyGame, ExplainRequest, PuzzleRequest, SolveRequest, StrategyRequest, VerifyRequest};
use agon_registry::record::{self, Line};
use agon_registry::{Registry, is_spelling_of};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use agon_report::{AnalyseReport, PuzzleKind, VERSION};
use agon_solve::explain::Limits;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most moves of a line.
const LONGEST_LINE: usize = 2000;
/// The most legal moves of a position.
const MOST_MOVES: u64 = 100_000;
/// The most legal moves of all positions of a line together.
const MOST_LISTED: u64 = 4_000_000;
/// The legal moves that an answer lists.
const LISTED: usize = 4000;
/// The legal moves that the rules show as examples.
const EXAMPLES: usize = 12;
/// The largest trees of an explanation.
const TREE: Limits = Limits { positions: 600, depth: 40 };
/// The most exceptions of a repair.
const MOST_EXCEPTIONS: usize = 16;
/// The most nodes for each position that is examined as a puzzle.
const PUZZLE_NODES: u64 = 200_000;
/// The most time for one position of the games that are graded.
const GRADED_POSITION: Duration = Duration::from_secs(1);

/// An answer as JSON.
fn of(report: impl serde::Serialize) -> Result<Json, Failure> {
    serde_json::to_value(report).map_err(|error| Failure::Failed(format!("the answer cannot be written: {error}")))
}

fn game(games: &dyn Games, arguments: &Arguments) -> Result<Arc<dyn AnyGame>, Failure> {
    games.game(arguments.text("game").unwrap_or_default())
}

/// Refuses a position that has very many legal moves before they are listed; returns their number.
fn bounded(game: &dyn AnyGame, pos: &str) -> Result<u64, Failure> {
    let moves = game.count_moves(pos)?;
    if moves <= MOST_MOVES {
        return Ok(moves);
    }
    let (moves, most) = (grouped(moves), grouped(MOST_MOVES));
    Err(Failure::Usage(format!("the position has {moves} moves: expected at most {most}; use a smaller game")))
}

/// The game and the line of play of a question.
fn line(games: &dyn Games, arguments: &Arguments) -> Result<(Arc<dyn AnyGame>, Line), Failure> {
    let game = game(games, arguments)?;
    let from = arguments.text("position").filter(|text| !text.trim().is_empty());
    let from = from.map_or_else(|| Ok(game.start()), |text| game.position(text))?;
    let moves = record::list(game.as_ref(), arguments.text("moves").unwrap_or_default())?;
    let line = played(game.as_ref(), from, &moves)?;
    Ok((game, line))
}

fn played(game: &dyn AnyGame, from: String, moves: &[String]) -> Result<Line, Failure> {
    if moves.len() > LONGEST_LINE {
        let (given, most) = (grouped(moves.len()), grouped(LONGEST_LINE));
        return Err(Failure::Usage(format!("a line of {given} moves is too long: expected at most {most}")));
    }
    let mut listed = bounded(game, &from)?;
    let mut line = Line { from, played: Vec::with_capacity(moves.len()) };
    for (number, mv) in moves.iter().enumerate() {
        let step = game.play(line.position(), mv).map_err(|failure| match failure {
            Failure::Usage(why) => Failure::Usage(format!("move {}: {why}", number + 1)),
            other => other,
        })?;
        listed += bounded(game, &step.1)?;
        line.played.push(step);
        if listed > MOST_LISTED {
            let most = grouped(MOST_LISTED);
            return Err(Failure::Usage(format!(
                "the positions of the line have more than {most} moves: use a shorter line"
            )));
        }
    }
    Ok(line)
}

/// The families of a registry, as `agon games` lists them.
pub fn families(registry: &Registry) -> Result<Vec<Json>, Failure> {
    let built = |entry: &agon_registry::entry::Entry| entry.build(&entry.facts.family);
    registry.entries().map(|entry| Ok(family(built(entry)?.as_ref()))).collect()
}

fn family(game: &dyn AnyGame) -> Json {
    let facts = game.facts();
    let offers = game.offers();
    let param = |p: &Param| {
        let (lo, hi, choices) = match &p.kind {
            Kind::Int(lo, hi) | Kind::Size(lo, hi) => (Some(lo), Some(hi), None),
            Kind::Word(words) => (None, None, Some(words)),
            _ => (None, None, None),
        };
        json!({"name": p.name, "default": p.default, "range": p.kind.range(), "min": lo, "max": hi,
               "choices": choices, "help": p.help, "positional": p.positional})
    };
    let aliases: serde_json::Map<String, Json> =
        facts.aliases.iter().map(|(alias, game)| (alias.clone(), json!(game))).collect();
    let strategies: Vec<Json> =
        offers.strategies.iter().map(|s| json!({"name": s.name, "readings": s.readings, "about": s.about})).collect();
    json!({
        "family": facts.family, "title": facts.title, "rules": facts.rules, "default": game.spelling(),
        "params": facts.params.iter().map(param).collect::<Vec<_>>(), "aliases": aliases,
        "solvers": offers.solvers, "agents": offers.agents, "strategies": strategies,
    })
}

pub(crate) fn games(games: &dyn Games, _: &Arguments, _: &Ctx) -> Result<Json, Failure> {
    Ok(json!({"agon": VERSION, "game": null, "families": families(games.registry())?}))
}

pub(crate) fn rules(games: &dyn Games, arguments: &Arguments, _: &Ctx) -> Result<Json, Failure> {
    let game = game(games, arguments)?;
    let start = game.start();
    let count = bounded(game.as_ref(), &start)?;
    let seen = game.look(&start, EXAMPLES)?;
    let entry = games.registry().entry(game.spelling());
    let title = entry.map_or(game.facts().title.to_string(), |entry| entry.title(game.spelling()).to_string());
    let moves: Vec<&String> = seen.moves.iter().map(|(mv, _)| mv).collect();
    Ok(json!({
        "agon": VERSION, "game": game.spelling(), "title": title,
        "rules": entry.map_or_else(|| game.facts().rules.clone(), |entry| entry.rules(game.spelling())),
        "sides": Player::BOTH.map(|player| game.player_name(player)), "start": start, "first_moves": moves,
        "first_move_count": count, "text": seen.scene.text(),
        "words": game.strategy_words().iter().map(|entry| json!({"word": entry.word, "says": entry.says})).collect::<Vec<_>>(),
    }))
}

fn shown(game: &dyn AnyGame, pos: &str, arguments: &Arguments) -> Result<Json, Failure> {
    bounded(game, pos)?;
    let seen = game.look(pos, LISTED)?;
    let moves: Vec<&String> = seen.moves.iter().map(|(mv, _)| mv).collect();
    Ok(json!({
        "agon": VERSION, "game": game.spelling(), "position": seen.position, "status": seen.status_text,
        "over": seen.over(), "winner": seen.winner().map(Player::name), "turn": seen.turn.name(),
        "moves": moves, "move_count": seen.move_count, "text": seen.scene.text(),
        "svg": arguments.flag("svg").then(|| seen.scene.svg()),
    }))
}

pub(crate) fn show(games: &dyn Games, arguments: &Arguments, _: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    shown(game.as_ref(), line.position(), arguments)
}

pub(crate) fn play(games: &dyn Games, arguments: &Arguments, _: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let (mv, after) = game.play(line.position(), arguments.text("move").unwrap_or_default())?;
    let mut shown = shown(game.as_ref(), &after, arguments)?;
    shown["move"] = json!(mv);
    Ok(shown)
}

pub(crate) fn solve(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let pos = line.position();
    // An estimate needs a part of the time.
    let (mut report, _) = game.solve(pos, &SolveRequest::plain(MEMORY), &ctx.share(0.9))?;
    if report.bounds.value().is_none() {
        report.estimate = game.estimate(pos, MEMORY, ctx).ok().flatten();
    }
    of(report)
}

pub(crate) fn values(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let pos = line.position();
    let all = game.count_moves(pos)?;
    let (values, why) = match game.values(pos, ctx) {
        Ok(values) => (values, None),
        Err(failure) => match failure.stop() {
            None | Some(Stop::Interrupted) => return Err(failure),
            Some(_) => (Vec::new(), failure.message()),
        },
    };
    let open = all.saturating_sub(values.len() as u64);
    let why = why.or_else(|| (open > 0).then(|| format!("nothing is proven of {} moves in time", grouped(open))));
    Ok(json!({"agon": VERSION, "game": game.spelling(), "position": pos, "values": values, "values_reason": why}))
}

pub(crate) fn explain(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let request = ExplainRequest { limits: TREE, ..ExplainRequest::default() };
    of(game.explain(line.position(), &request, ctx)?)
}

pub(crate) fn analyse(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let (begun, positions) = (Instant::now(), line.played.len() as u32 + 1);
    let time = crate::time_of(arguments) / positions;
    let mut judge = game.judge()?;
    let mut limit = || ctx.without_progress().sub_budget(MOST_NODES / u64::from(positions)).within(time);
    let analysis = analysis::analyse(game.as_ref(), &line, judge.as_mut(), &mut limit)?;
    let names = Player::BOTH.map(|player| game.player_name(player));
    let mut report = AnalyseReport::new(game.spelling(), names, false);
    report.games.push(analysis);
    report.seconds = begun.elapsed().as_secs_f64();
    of(report)
}

pub(crate) fn grade(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let game = game(games, arguments)?;
    let begun = Instant::now();
    let mut grader = Grader::new(game.as_ref())?;
    let mut limit = || ctx.without_progress().within(GRADED_POSITION);
    grader.add_text(None, arguments.text("games").unwrap_or_default(), &mut limit)?;
    of(grader.finish(begun.elapsed().as_secs_f64()))
}

pub(crate) fn verify(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let (game, line) = line(games, arguments)?;
    let request = VerifyRequest {
        strategy: StrategyRequest::written("the text", arguments.text("text").unwrap_or_default()),
        side: game.side(arguments.text("side").unwrap_or_default())?,
        least: if arguments.text("claim") == Some("win") { Wdl::Win } else { Wdl::Draw },
        all: false,
        repair: arguments.flag("repair").then_some(MOST_EXCEPTIONS),
        certificate: false,
        listed: false,
    };
    of(game.verify(line.position(), &request, ctx)?.0)
}

pub(crate) fn check(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let text = arguments.text("certificate").unwrap_or_default();
    let answer = |game: Option<&str>, claim: Option<String>, verdict: &str, said: &str, positions: u64| {
        Ok(json!({"agon": VERSION, "game": game, "claim": claim, "holds": verdict == "proved", "verdict": verdict,
                  "statement": said, "positions": positions}))
    };
    let certificate = match Certificate::read(text.as_bytes()) {
        Ok(certificate) => certificate,
        Err(error) => return answer(None, None, "corrupt", &error.to_string(), 0),
    };
    let game = match games.registry().described(&certificate.game, certificate.rules.as_deref()) {
        Ok(game) if is_spelling_of(game.as_ref(), &certificate.game) => game,
        Ok(game) => {
            let why = format!("the game must be spelled {}", game.spelling());
            return answer(None, None, "corrupt", &why, 0);
        }
        Err(error) => return answer(None, None, "corrupt", &error.to_string(), 0),
    };
    let (name, claim) = (Some(game.spelling()), Some(certificate.claim.to_string()));
    match game.check(&certificate, ctx) {
        Ok(proved) => answer(name, claim, "proved", &proved.statement, proved.positions),
        Err(Rejected::Stopped(stop)) => Err(stop.into()),
        Err(Rejected::Corrupt(why)) => answer(name, claim, "corrupt", &why, 0),
        Err(Rejected::Refuted(why)) => answer(name, claim, "refuted", &why, 0),
    }
}

pub(crate) fn puzzles(games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
    let game = game(games, arguments)?;
    bounded(game.as_ref(), &game.start())?;
    let kind = if arguments.text("kind") == Some("save") { PuzzleKind::Save } else { PuzzleKind::Win };
    let count = arguments.integer("count").and_then(|count| usize::try_from(count).ok()).unwrap_or(1);
    let seed = arguments.integer("seed").and_then(|seed| u64::try_from(seed).ok()).unwrap_or(1);
    of(game.puzzles(&PuzzleRequest { kind, count, seed, nodes: PUZZLE_NODES, positions: Vec::new() }, ctx)?)
}
