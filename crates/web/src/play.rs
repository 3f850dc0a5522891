//! Play and analyse: the address is the position.

use crate::app::{App, Meter, Metered, RequestError};
use crate::draw::Played;
use crate::{page, play_page};
use agon_core::scene::{Board, Scene, Token, Tray, Why};
use agon_core::{Ctx, Player, Status, Wdl};
use agon_registry::annotated::AnnotatedGame;
use agon_registry::entry::Group;
use agon_registry::erased::{AnyGame, ExplainRequest, MoveValue, SolveRequest, StrategyRequest, View};
use agon_registry::record;
use agon_report::failure::Failure;
use agon_report::words::grouped;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The most moves in one address.
const MAX_LINE: usize = 2000;
/// The most moves of one position that an answer lists.
const MAX_MOVES: usize = 4000;
/// The most bytes of a pasted game.
const MAX_RECORD_BYTES: usize = 64 << 10;
/// The default time for the values of all moves, in seconds.
const VALUE_SECONDS: f64 = 5.0;
/// The work for the nim-value of a position, besides the values of its moves.
const NIMBER_NODES: u64 = 1_000_000;
const NIMBER_BYTES: u64 = 64 << 20;
/// The longest time that a page may ask for, in seconds.
const MAX_SECONDS: f64 = 60.0;

/// The query of an address that names a position.
#[derive(Deserialize, Default)]
pub(crate) struct PositionQuery {
    #[serde(default)]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) pos: String,
    #[serde(default)]
    pub(crate) moves: String,
    #[serde(default)]
    mv: String,
    /// The rotation and reflection of the board, 0 to 7.
    #[serde(default)]
    view: u8,
    /// Pairs of cells covered by one tile, as an earlier answer returned them.
    #[serde(default)]
    joins: String,
    pub(crate) seconds: Option<f64>,
    /// The game with its variations and comments.
    #[serde(default)]
    tree: String,
}

impl PositionQuery {
    /// The canonical text of the position.
    pub(crate) fn position(&self, game: &Metered<'_>) -> Result<String, Failure> {
        game.position(if self.pos.is_empty() { "start" } else { &self.pos })
    }

    /// The position at which its moves start, with the tiles there.
    fn played(&self, game: &Metered<'_>) -> Result<Played, Failure> {
        Ok(Played::at(self.position(game)?, &self.joins))
    }

    /// Its moves; too many are refused.
    fn words(&self, game: &Metered<'_>) -> Result<Vec<String>, Failure> {
        short_enough(record::list(game.unmetered().as_ref(), &self.moves)?)
    }
}

/// The moves of a line; too many are refused.
fn short_enough(moves: Vec<String>) -> Result<Vec<String>, Failure> {
    if moves.len() > MAX_LINE {
        let (given, most) = (grouped(moves.len()), grouped(MAX_LINE));
        return Err(Failure::Usage(format!("a line of {given} moves is too long: expected at most {most}")));
    }
    Ok(moves)
}

/// A position as JSON: status, picture, moves and labels.
fn describe(game: &Metered<'_>, played: &Played, view: u8) -> Result<Value, Failure> {
    let seen = game.look(&played.pos, MAX_MOVES)?;
    let (mut node, scene) = drawn(game, played, &seen, view)?;
    let mut moves: Vec<Value> = seen.moves.into_iter().map(|(mv, path)| json!({"path": path, "mv": mv})).collect();
    for (at, path) in seen.other_paths {
        match &mut moves[at]["also"] {
            Value::Array(paths) => paths.push(json!(path)),
            none => *none = json!([path]),
        }
    }
    // Where the pieces beside the board are drawn, a line that counts them says nothing new.
    let caption: Vec<&String> = if scene.trays.is_empty() { scene.caption.iter().collect() } else { Vec::new() };
    (node["moves"], node["count"], node["caption"]) = (moves.into(), seen.move_count.into(), json!(caption));
    node["trays"] = trays(&scene);
    node["how"] = json!(how(game, &played.pos, &scene)?);
    node["labels"] = scene.places.iter().map(|place| place.label.as_str()).collect();
    game.meter().write(node)
}

/// The pieces beside the board, each with its picture.
fn trays(scene: &Scene) -> Value {
    let picture = |token: &Token| {
        let mut small = Scene::grid(1, 1);
        (small.sides, small.board) = (scene.sides, Board::Tray);
        small.places[0].stack = vec![*token];
        small.svg_small()
    };
    let tray = |tray: &Tray| {
        let pieces = tray.pieces.iter().map(|(token, count)| {
            json!({"svg": picture(token), "shape": format!("{:?}", token.shape).to_lowercase(), "count": count})
        });
        json!({"side": tray.owner.name(), "pieces": pieces.collect::<Vec<_>>(), "half_points": tray.half_points})
    };
    scene.trays.iter().map(tray).collect()
}

/// The heaps that stand in rows below each other, from the top.
fn heaps(scene: &Scene) -> Option<Vec<u32>> {
    let rows = || scene.rows.iter().map(|row| row.parse().ok());
    (scene.board == Board::Tray && scene.columns.is_empty()).then(|| rows().collect()).flatten()
}

/// How a game that is over ended: `three in column b`, `road`, `no move`.
pub(crate) fn how(game: &Metered<'_>, pos: &str, scene: &Scene) -> Result<Option<String>, Failure> {
    if !matches!(game.status(pos)?, Status::Over(_)) {
        return Ok(None);
    }
    let decisive: Vec<&str> = scene
        .marks
        .iter()
        .filter(|mark| mark.why == Why::Decisive)
        .map(|mark| scene.places[mark.place].label.as_str())
        .collect();
    let reason = game.end_reason(pos)?;
    if reason != "line" || decisive.is_empty() {
        return Ok(Some(reason.to_string()));
    }
    const COUNTS: [&str; 9] = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let count = COUNTS.get(decisive.len()).map_or_else(|| decisive.len().to_string(), ToString::to_string);
    let shared = |part: fn(&str) -> &str| {
        let first = part(decisive[0]);
        decisive.iter().all(|label| part(label) == first).then(|| first.to_string())
    };
    let column = shared(|label| label.trim_end_matches(|c: char| c.is_ascii_digit()));
    let row = shared(|label| label.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    Ok(Some(match (column, row) {
        (Some(column), _) if !column.is_empty() => format!("{count} in column {column}"),
        (_, Some(row)) if !row.is_empty() => format!("{count} in row {row}"),
        _ => format!("{count} in a line: {}", decisive.join(" ")),
    }))
}

/// A position as a page without variations shows it.
pub(crate) fn described(game: &Metered<'_>, pos: &str) -> Result<Value, Failure> {
    describe(game, &Played::at(game.position(pos)?, ""), 0)
}

/// The status and the picture of a position.
fn drawn(game: &Metered<'_>, played: &Played, seen: &View, view: u8) -> Result<(Value, Scene), Failure> {
    let scene = played.finished(game, seen.scene.clone(), view)?;
    let node = json!({
        "pos": seen.position, "status": seen.status_text, "over": seen.over(), "winner": seen.winner().map(Player::name),
        "turn": seen.turn.name(), "svg": scene.svg_in_page(), "text": scene.text(),
        "joins": played.joins(), "path": played.path, "heaps": heaps(&scene),
    });
    Ok((node, scene))
}

pub(crate) type Answer = Result<Json<Value>, RequestError>;

/// One position.
pub(crate) async fn node(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let node = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        Ok(describe(&game, &asked.played(&game)?, asked.view)?)
    });
    Ok(Json(node.await?))
}

/// The position after a move.
pub(crate) async fn step(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let node = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let mut played = asked.played(&game)?;
        let mv = played.play(&game, asked.mv.trim())?;
        let mut node = describe(&game, &played, asked.view)?;
        node["mv"] = mv.into();
        Ok(node)
    });
    Ok(Json(node.await?))
}

/// A move with the position after it.
fn short(game: &Metered<'_>, mv: Option<&str>, played: &Played, view: u8) -> Result<Value, Failure> {
    let (mut node, _) = drawn(game, played, &game.look(&played.pos, 0)?, view)?;
    node["mv"] = json!(mv);
    game.meter().write(node)
}

/// Every position of a line up to the first illegal move, and the last of them.
fn replay(game: &Metered<'_>, asked: &PositionQuery) -> Result<(Value, Played), Failure> {
    let mut played = asked.played(game)?;
    let mut steps = vec![short(game, None, &played, asked.view)?];
    let mut error = None;
    for word in asked.words(game)? {
        match played.play(game, &word) {
            Ok(mv) => steps.push(short(game, Some(&mv), &played, asked.view)?),
            Err(failure) if game.meter().is_overdrawn() => return Err(failure),
            Err(failure) => {
                error = failure.message();
                break;
            }
        }
    }
    Ok((json!({"steps": steps, "error": error}), played))
}

pub(crate) async fn line(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let line = app.bounded(move |app, meter| Ok(replay(&app.game(meter, &asked.game)?, &asked)?.0));
    Ok(Json(line.await?))
}

/// The time that a page asks for, within limits.
pub(crate) fn seconds(asked: Option<f64>, usual: f64) -> Duration {
    Duration::from_secs_f64(asked.filter(|s| s.is_finite()).unwrap_or(usual).clamp(0.05, MAX_SECONDS))
}

/// The best proven move; `None` if a move without a proof might be better.
fn whole(values: &[MoveValue], count: usize) -> Option<&MoveValue> {
    let best = values.iter().max_by_key(|value| value.preference())?;
    (values.len() == count || best.value == Wdl::Win).then_some(best)
}

/// The game and the canonical text of a position, for a search.
pub(crate) async fn searched(
    app: &Arc<App>,
    game: String,
    pos: String,
) -> Result<(Arc<dyn AnyGame>, String), RequestError> {
    let found = app.bounded(move |app, meter| {
        let game = app.game(meter, &game)?;
        let pos = game.position(if pos.is_empty() { "start" } else { &pos })?;
        Ok((game.unmetered(), pos))
    });
    found.await
}

/// The most moves whose nim-values are listed.
const NIMBER_MOVES: usize = 60;

/// The independent parts of a position, each with its nim-value.
fn parts(game: &dyn AnyGame, pos: &str, ctx: &Ctx) -> Option<Value> {
    let limits = agon_solve::explain::Limits { positions: 1, depth: 1 };
    let request = ExplainRequest { limits, ..ExplainRequest::default() };
    let told = json!(game.explain(pos, &request, &ctx.sub_budget(NIMBER_NODES)).ok()?);
    let parts =
        told["sum"]["parts"].as_array()?.iter().map(|part| json!({"part": part["part"], "nimber": part["nimber"]}));
    Some(parts.collect())
}

/// The proven values of the moves.
pub(crate) async fn values(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let (game, pos) = searched(&app, asked.game, asked.pos).await?;
    let key = format!("values {} {pos}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let limit = seconds(asked.seconds, VALUE_SECONDS);
    let impartial = app.registry.entry(game.spelling()).is_some_and(|entry| entry.group() == Group::HeapsAndTiles);
    let answer = app.search(limit, move |ctx| {
        let nimber = || game.solve(&pos, &SolveRequest::plain(NIMBER_BYTES), &ctx.sub_budget(NIMBER_NODES)).ok()?.0.nimber;
        let nimber = impartial.then(nimber).flatten();
        let values = game.values(&pos, ctx)?;
        let each = |v: &MoveValue| json!({"mv": v.mv, "value": v.value.name(), "plies": v.plies, "path": v.path, "sign": v.sign()});
        let count = usize::try_from(game.count_moves(&pos)?).unwrap_or(usize::MAX);
        let (best, all) = (whole(&values, count), values.len() == count);
        let nimbers = |after: &str| {
            let asked = SolveRequest::plain(NIMBER_BYTES);
            game.solve(after, &asked, &ctx.sub_budget(NIMBER_NODES / NIMBER_MOVES as u64)).ok()?.0.nimber
        };
        // What each move leaves, and the parts whose xor the nim-value is.
        let told = nimber.is_some() && values.len() <= NIMBER_MOVES;
        let listed: Vec<Value> = values
            .iter()
            .map(|v| {
                let mut one = each(v);
                one["nimber"] = json!(told.then(|| nimbers(&game.play(&pos, &v.mv).ok()?.1)).flatten());
                one
            })
            .collect();
        let parts = told.then(|| parts(game.as_ref(), &pos, ctx)).flatten();
        Ok(json!({"pos": pos, "values": listed, "all": all, "best": best.map(each), "nimber": nimber, "parts": parts}))
    });
    // That nothing is proven is an answer too.
    let answer = answer.await.or_else(|error| match error.status() {
        StatusCode::UNPROCESSABLE_ENTITY => Ok(json!({"values": [], "best": null, "why": error.message()})),
        _ => Err(error),
    })?;
    // An incomplete answer is not cached: more time may prove more.
    if !answer["best"].is_null() {
        app.remember(key, &answer);
    }
    Ok(Json(answer))
}

/// The board as an SVG file.
pub(crate) async fn picture(
    State(app): State<Arc<App>>,
    Query(asked): Query<PositionQuery>,
) -> Result<Response, RequestError> {
    let svg = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let played = asked.played(&game)?;
        let mut scene = played.scene(&game, asked.view)?;
        scene.caption.push(game.status_text(&played.pos)?);
        Ok(scene.svg())
    });
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CONTENT_DISPOSITION, "attachment; filename=\"board.svg\""),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    Ok((headers, svg.await?).into_response())
}

/// Plays a line and returns the canonical texts of its moves.
fn played_line(game: &Metered<'_>, from: &str, moves: &[String]) -> Result<Vec<String>, Failure> {
    let (mut pos, mut played) = (from.to_string(), Vec::new());
    for word in moves {
        let (mv, next) = game.play(&pos, word)?;
        played.push(mv);
        pos = next;
    }
    Ok(played)
}

/// A game as a file: in the standard notation of its family if there is one, else as `agon play` saves it.
pub(crate) async fn write_record(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let written = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let from = asked.position(&game)?;
        let moves = played_line(&game, &from, &asked.words(&game)?)?;
        let (text, extension) = record::write(game.unmetered().as_ref(), &from, &moves);
        Ok(json!({"text": text, "name": format!("game.{extension}")}))
    });
    Ok(Json(written.await?))
}

/// A game with its variations: each move with the position that it leads to, drawn only when a page goes there.
fn with_positions(game: &Metered<'_>, from: &str, story: &AnnotatedGame) -> Result<Value, Failure> {
    if story.moves.len() > MAX_LINE {
        let (given, most) = (grouped(story.moves.len()), grouped(MAX_LINE));
        return Err(Failure::Usage(format!("a game of {given} moves is too long: expected at most {most}")));
    }
    let start = Played::at(from.to_string(), "");
    let (mut all, mut nodes): (Vec<Played>, Vec<Value>) = (Vec::new(), Vec::new());
    for (number, told) in story.moves.iter().enumerate() {
        let mut played = told.parent.map_or(&start, |parent| &all[parent]).clone();
        let mv = played.play(game, &told.mv).map_err(|failure| match failure {
            Failure::Usage(why) => Failure::Usage(format!("move {}: {why}", number + 1)),
            other => other,
        })?;
        let seen = game.look(&played.pos, 0)?;
        let node = json!({
            "parent": told.parent, "mv": mv, "marks": told.marks, "comment": told.comment, "pos": seen.position,
            "status": seen.status_text, "over": seen.over(), "winner": seen.winner().map(Player::name),
            "turn": seen.turn.name(), "joins": played.joins(), "path": played.path, "heaps": heaps(&seen.scene),
        });
        nodes.push(game.meter().write(node)?);
        all.push(played);
    }
    Ok(json!({"tags": story.tags, "intro": story.intro, "result": result_of(story), "nodes": nodes}))
}

/// The result as written behind the moves, or in a tag.
fn result_of(story: &AnnotatedGame) -> String {
    let tagged =
        || story.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case("result")).map(|(_, value)| value.clone());
    if story.result.is_empty() { tagged().unwrap_or_default() } else { story.result.clone() }
}

#[derive(Deserialize)]
pub(crate) struct Written {
    game: String,
    #[serde(default)]
    pos: String,
    story: AnnotatedGame,
}

/// A game with its variations and comments as a file.
pub(crate) async fn write_story(State(app): State<Arc<App>>, Json(given): Json<Written>) -> Answer {
    let written = app.bounded(move |app, meter| {
        let game = app.game(meter, &given.game)?;
        let from = game.position(if given.pos.is_empty() { "start" } else { &given.pos })?;
        let parents = given.story.moves.iter().enumerate().all(|(i, told)| told.parent.is_none_or(|parent| parent < i));
        if !parents {
            return Err(Failure::Usage("a move stands before the one that it follows".into()).into());
        }
        // Illegal moves are refused before anything is written.
        with_positions(&game, &from, &given.story)?;
        let story = AnnotatedGame { result: result_of(&given.story), ..given.story };
        let (text, extension) = record::write_tree(game.unmetered().as_ref(), &from, &story);
        Ok(json!({"text": text, "name": format!("game.{extension}")}))
    });
    Ok(Json(written.await?))
}

#[derive(Deserialize)]
pub(crate) struct Text {
    game: String,
    text: String,
}

/// Reads a game in the standard notation of its family, a saved game, moves separated by spaces, or a position.
pub(crate) async fn read_record(State(app): State<Arc<App>>, Json(given): Json<Text>) -> Answer {
    let read = app.bounded(move |app, meter| {
        if given.text.len() > MAX_RECORD_BYTES {
            let (bytes, most) = (grouped(given.text.len()), grouped(MAX_RECORD_BYTES));
            return Err(Failure::Usage(format!("a game of {bytes} bytes is too long: expected at most {most}")).into());
        }
        let recorded = record::read_tree(app.game(meter, &given.game)?.unmetered().as_ref(), &given.text)?;
        let game = app.game(meter, &recorded.spelling)?;
        let from = game.position(&recorded.from)?;
        let played = played_line(&game, &from, &short_enough(recorded.tree.line())?)?;
        let story = with_positions(&game, &from, &recorded.tree)?;
        let tree = recorded.tree.text();
        Ok(json!({"game": game.spelling(), "pos": from, "moves": played, "story": story, "tree": tree}))
    });
    Ok(Json(read.await?))
}

#[derive(Deserialize)]
pub(crate) struct Choose {
    game: String,
    pos: String,
    player: String,
    seconds: Option<f64>,
    #[serde(default)]
    seed: u64,
    /// The page for which the player plays; it keeps its player. Empty for a player that is asked once.
    #[serde(default)]
    page: String,
    /// The rotation and reflection of the board after the move.
    #[serde(default)]
    view: u8,
    #[serde(default)]
    joins: String,
}

/// The memory of a searching player, in MiB, unless its spelling says another.
const PLAYER_MIB: u64 = 32;
/// The memory of a player that solves, which is bounded by its solver.
const SOLVER_MIB: u64 = 256;

/// The player as it is built, and the bytes that it may use.
fn seated(player: &str) -> (String, u64) {
    let base = player.split(':').next().unwrap_or_default();
    let given = player.split_once("memory=").and_then(|(_, rest)| rest.split(',').next()?.parse::<u64>().ok());
    match (base, given) {
        ("mcts" | "negamax", Some(mib)) => (player.to_string(), mib << 20),
        ("mcts" | "negamax", None) => {
            let joint = if player.contains(':') { "," } else { ":" };
            // A player without any other limit would get one second; its page says how long it may think.
            (format!("{player}{joint}memory={PLAYER_MIB}"), PLAYER_MIB << 20)
        }
        ("level", _) if player == "level:1" => (player.to_string(), 1 << 20),
        ("perfect" | "skill" | "level", _) => (player.to_string(), SOLVER_MIB << 20),
        _ => (player.to_string(), 1 << 20),
    }
}

/// The move of a player, and the position after it.
pub(crate) async fn choose(State(app): State<Arc<App>>, Json(asked): Json<Choose>) -> Answer {
    let (limit, seed) = (seconds(asked.seconds, VALUE_SECONDS), asked.seed);
    let (page, view, joins) = (agon_core::family::shorten(&asked.page), asked.view, asked.joins);
    let (player, bytes) = seated(&asked.player);
    let found = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let pos = game.position(&asked.pos)?;
        if matches!(game.status(&pos)?, Status::Over(_)) {
            return Err(Failure::Usage("the game is over".into()).into());
        }
        offered(&game, &asked.player)?;
        Ok((game.unmetered(), pos))
    });
    let (game, pos) = found.await?;
    let (spelling, from) = (game.spelling().to_string(), pos.clone());
    let seats = app.seats.clone();
    let choice = app.search(limit, move |ctx| {
        let side = game.turn(&pos)?.name();
        let key = (!page.is_empty()).then(|| format!("{page} {} {side} {player}", game.spelling()));
        let kept = key.as_ref().and_then(|key| seats.take(key));
        let mut agent = match kept {
            Some(agent) => agent,
            None => game.agent(&StrategyRequest::named(player), seed)?,
        };
        agent.limit(limit);
        let choice = agent.choose(&pos, ctx);
        if let (Some(key), true) = (key, choice.is_ok()) {
            seats.put(key, agent, bytes);
        }
        choice
    });
    let choice = choice.await?;
    let mv = choice.mv.clone();
    let after = app.bounded(move |app, meter| {
        let game = app.game(meter, &spelling)?;
        let mut played = Played::at(from, &joins);
        let mv = played.play(&game, &mv)?;
        let mut node = describe(&game, &played, view)?;
        node["mv"] = mv.into();
        Ok(node)
    });
    let node = after.await?;
    Ok(Json(
        json!({"mv": choice.mv, "proven": choice.proven, "proof": choice.proof, "thought": choice.thought, "node": node}),
    ))
}

/// Refuses players other than those on offer, because the name of a player can also name a program or a file.
pub(crate) fn offered(game: &Metered<'_>, player: &str) -> Result<(), Failure> {
    let base = |name: &str| name.split(':').next().unwrap_or_default().to_string();
    let offers = game.offers();
    let agents = offers.agents.iter().map(|agent| base(agent)).filter(|agent| agent != "human");
    let names: Vec<String> = agents.chain(offers.strategies.iter().map(|s| s.name.to_string())).collect();
    if names.contains(&base(player)) && !player.contains('@') {
        return Ok(());
    }
    let given = agon_core::family::shorten(player);
    Err(Failure::Usage(format!("invalid player `{given}`: expected one of {}", names.join(", "))))
}

/// The page.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    Path(spelling): Path<String>,
    Query(asked): Query<PositionQuery>,
) -> Response {
    let drawn = app.bounded(move |app, meter| prepared(app, meter, &spelling, &asked)).await;
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn prepared(app: &App, meter: &Meter, spelling: &str, asked: &PositionQuery) -> Result<Response, RequestError> {
    let game = app.game(meter, spelling)?;
    let (line, played) = replay(&game, asked)?;
    let told = match asked.tree.trim() {
        "" => Ok(Value::Null),
        tree => AnnotatedGame::read(game.unmetered().as_ref(), tree)
            .and_then(|story| with_positions(&game, &asked.position(&game)?, &story)),
    };
    let untold = told.as_ref().err().and_then(Failure::message);
    let node = describe(&game, &played, asked.view)?;
    let offers = game.offers();
    let strategies: Vec<Value> =
        offers.strategies.iter().map(|s| json!({"name": s.name, "readings": s.readings, "about": s.about})).collect();
    let data = json!({
        "game": game.spelling(), "title": title(app, &game), "start": game.start(), "line": line, "node": node,
        "names": Player::BOTH.map(|p| game.player_name(p)), "agents": offers.agents, "strategies": strategies,
        "strongest": offers.strongest, "perfect": is_perfect(app, &game),
        "known": app.registry.known(game.spelling()).map(|known| json!({"says": known.says, "source": known.source})),
        "story": told.unwrap_or_default(), "untold": untold,
        "notation": game.record_notation().map(|(short, _)| short),
    });
    // Text inside a script element ends at `</`.
    let data = data.to_string().replace('<', "\\u003c");
    let title = named(app, &game);
    Ok(page::frame(app, &title, "/", &["play.js"], play_page::page(app, &game, asked, &node, &data)).into_response())
}

/// The work that may show that the strongest level plays perfectly: few enough positions for every one of its moves.
const PERFECT_NODES: u64 = 20_000;
const PERFECT_BYTES: u64 = 16 << 20;

/// Returns whether the strongest level is known to play perfectly: it proves the start almost at once.
pub(crate) fn is_perfect(app: &App, game: &Metered<'_>) -> bool {
    let key = format!("perfect {}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return known == true;
    }
    let (built, ctx) = (game.unmetered(), Ctx::default().with_budget(PERFECT_NODES));
    let solved = built.solve(&built.start(), &SolveRequest::plain(PERFECT_BYTES), &ctx);
    let perfect = solved.is_ok_and(|(report, _)| report.bounds.value().is_some());
    app.remember(key, &perfect.into());
    perfect
}

/// The common name of this game, or the name of its family.
pub(crate) fn title(app: &App, game: &Metered<'_>) -> String {
    let entry = app.registry.entry(game.spelling());
    entry.map_or_else(|| game.facts().title.to_string(), |entry| entry.title(game.spelling()).to_string())
}

/// The title with the code: `Tic-tac-toe (mnk:3,3,3)`.
pub(crate) fn named(app: &App, game: &Metered<'_>) -> String {
    format!("{} ({})", title(app, game), game.spelling())
}

/// The name of a side inside a sentence: a mark such as x is a capital letter.
pub(crate) fn spoken(name: &str) -> String {
    if name.chars().count() == 1 { name.to_uppercase() } else { name.to_string() }
}

/// Percent-encodes a part of an address.
pub(crate) fn url(text: &str) -> String {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b':')
        .remove(b',')
        .remove(b';')
        .remove(b'=')
        .remove(b'/')
        .remove(b'(')
        .remove(b')');
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::toy::Pile;

    #[test]
    fn every_family_can_be_described() {
        let (app, meter) = App::bare();
        for entry in agon_registry::standard().entries() {
            let game = app.game(&meter, &entry.facts.family).unwrap();
            let node = describe(&game, &Played::at(game.start(), ""), 5).unwrap();
            assert!(node["svg"].as_str().unwrap().starts_with("<svg"), "{}", entry.facts.family);
            assert!(!node["moves"].as_array().unwrap().is_empty(), "{}", entry.facts.family);
        }
    }

    #[test]
    fn a_game_without_a_picture_is_played_from_the_list_of_moves() {
        let registry = agon_registry::Registry::standard().with(agon_registry::entry::Entry::acyclic::<Pile>());
        let app = App::new(8000, registry, Vec::new(), None, None);
        let (_, meter) = App::bare();
        let page = |spelling: &str| {
            let game = app.game(&meter, spelling).unwrap();
            let node = describe(&game, &Played::at(game.start(), ""), 0).unwrap();
            let panel = crate::play_page::panel(&game, &PositionQuery::default(), &node, false).into_string();
            (node, panel)
        };
        let (node, panel) = page("pile:5");
        assert_eq!(node["caption"][0], "5:first");
        assert_eq!(node["moves"][1], json!({"path": [], "mv": "2"}));
        let list = "<summary>Legal moves</summary>";
        assert!(panel.contains(&format!("<details class=\"fold\" open>{list}")), "{panel}");
        let (_, panel) = page("mnk:3,3,3");
        assert!(panel.contains(&format!("<details class=\"fold\">{list}")), "moves are clicked on the board: {panel}");
    }

    #[test]
    fn a_line_stops_at_the_first_illegal_move() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "tic-tac-toe").unwrap();
        let asked = PositionQuery { moves: "b2 a1 b2 c3".into(), ..PositionQuery::default() };
        let (played, last) = replay(&game, &asked).unwrap();
        assert_eq!(last.path, [6]);
        assert_eq!(played["steps"].as_array().unwrap().len(), 3);
        assert!(played["error"].as_str().unwrap().contains("b2"));
    }

    #[test]
    fn columns_of_connect_four_may_be_digits() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "connect-four").unwrap();
        let asked = PositionQuery { moves: "4455".into(), ..PositionQuery::default() };
        let (played, _) = replay(&game, &asked).unwrap();
        assert_eq!((played["steps"].as_array().unwrap().len(), &played["steps"][4]["mv"]), (5, &json!("e")));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "nim:24+24").unwrap();
        let asked = PositionQuery { moves: "24>23 ".repeat(MAX_LINE + 1), ..PositionQuery::default() };
        let refused = replay(&game, &asked).unwrap_err();
        assert!(refused.message().unwrap().contains("2,001 moves is too long: expected at most 2,000"), "{refused:?}");
    }

    #[test]
    fn games_go_by_the_name_people_use() {
        let (app, meter) = App::bare();
        for (spelling, name) in [
            ("mnk:3,3,3", "Tic-tac-toe"),
            ("mnk:4,4,3", "m,n,k game"),
            ("drop:7,6,4", "Connect four"),
            ("morris:nine", "Nine men's morris"),
            ("morris:five", "Morris"),
            ("order-chaos:6x6", "Order and Chaos"),
        ] {
            assert_eq!(title(&app, &app.game(&meter, spelling).unwrap()), name);
        }
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(url("mnk:3,3,3"), "mnk:3,3,3");
        assert_eq!(url("3+5>2 é"), "3%2B5%3E2%20%C3%A9");
    }
}
