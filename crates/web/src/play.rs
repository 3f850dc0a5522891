//! Play and analyse: the address is the position.

use crate::app::{App, Trouble};
use crate::draw::Played;
use crate::{bench, page};
use agon_core::{Player, Status, Wdl};
use agon_edge::erased::{AnyGame, MoveValue, StrategyRequest};
use agon_edge::failure::Failure;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Moves in one address.
const LONGEST_LINE: usize = 2000;
/// Moves of one position that are told.
const MOST_MOVES: usize = 4000;
/// Seconds for the values of all moves.
const VALUE_TIME: f64 = 5.0;
/// Seconds for anything asked for by hand.
const LONGEST_TIME: f64 = 60.0;

/// What an address says.
#[derive(Deserialize, Default)]
pub(crate) struct Asked {
    #[serde(default)]
    game: String,
    #[serde(default)]
    pub(crate) pos: String,
    #[serde(default)]
    pub(crate) moves: String,
    #[serde(default)]
    mv: String,
    /// How the board is turned.
    #[serde(default)]
    view: u8,
    /// Cells that tiles cover together, as an earlier answer said.
    #[serde(default)]
    joins: String,
    seconds: Option<f64>,
}

impl Asked {
    /// The canonical text of the position.
    pub(crate) fn position(&self, game: &dyn AnyGame) -> Result<String, Failure> {
        if self.pos.is_empty() { Ok(game.start()) } else { game.position(&self.pos) }
    }
}

/// Everything a page needs to know about a position.
fn describe(game: &dyn AnyGame, played: &Played, view: u8) -> Result<Value, Failure> {
    let pos = played.pos.as_str();
    let status = game.status(pos)?;
    let scene = played.scene(game, view)?;
    let moves = game.moves(pos)?;
    let count = moves.len();
    let moves = moves.into_iter().take(MOST_MOVES).map(|mv| Ok(json!({"path": game.path(pos, &mv)?, "mv": mv})));
    let moves = moves.collect::<Result<Vec<Value>, Failure>>()?;
    Ok(json!({
        "pos": pos, "status": game.status_text(pos)?, "over": matches!(status, Status::Over(_)),
        "winner": game.winner(pos)?, "turn": game.turn(pos)?.name(), "svg": scene.svg_in_page(), "text": scene.text(),
        "caption": scene.caption, "moves": moves, "count": count, "joins": played.joins(), "path": played.path,
        "labels": scene.places.iter().map(|place| place.label.as_str()).collect::<Vec<_>>(),
    }))
}

/// One position.
pub(crate) async fn node(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let played = Played::at(asked.position(game.as_ref())?, &asked.joins);
    Ok(Json(describe(game.as_ref(), &played, asked.view)?))
}

/// The position after a move.
pub(crate) async fn step(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let mut played = Played::at(asked.position(game.as_ref())?, &asked.joins);
    let mv = played.play(game.as_ref(), asked.mv.trim())?;
    let mut node = describe(game.as_ref(), &played, asked.view)?;
    node["mv"] = mv.into();
    Ok(Json(node))
}

/// A move with the position it led to, drawn.
fn short(game: &dyn AnyGame, mv: Option<&str>, played: &Played, view: u8) -> Result<Value, Failure> {
    let pos = played.pos.as_str();
    let (scene, status) = (played.scene(game, view)?, game.status(pos)?);
    Ok(json!({"mv": mv, "pos": pos, "status": game.status_text(pos)?, "over": matches!(status, Status::Over(_)),
              "winner": game.winner(pos)?, "turn": game.turn(pos)?.name(), "svg": scene.svg_in_page(), "text": scene.text(),
              "joins": played.joins(), "path": played.path}))
}

/// Every position of a game, as far as its moves are legal; and the last one.
fn replay(game: &dyn AnyGame, asked: &Asked) -> Result<(Value, Played), Failure> {
    let mut played = Played::at(asked.position(game)?, &asked.joins);
    let mut steps = vec![short(game, None, &played, asked.view)?];
    let mut error = None;
    for word in asked.moves.split_whitespace().take(LONGEST_LINE) {
        match played.play(game, word) {
            Ok(mv) => steps.push(short(game, Some(&mv), &played, asked.view)?),
            Err(failure) => {
                error = failure.message().map(String::from);
                break;
            }
        }
    }
    Ok((json!({"steps": steps, "error": error}), played))
}

pub(crate) async fn line(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    Ok(Json(replay(game.as_ref(), &asked)?.0))
}

fn seconds(asked: Option<f64>, usual: f64) -> Duration {
    Duration::from_secs_f64(asked.filter(|s| s.is_finite()).unwrap_or(usual).clamp(0.05, LONGEST_TIME))
}

/// The proven value of a position, from its moves; none when some move is unknown that might be better.
fn whole(values: &[MoveValue], count: usize) -> Option<&MoveValue> {
    let best = values.iter().max_by_key(|value| value.preference())?;
    (values.len() == count || best.value == Wdl::Win).then_some(best)
}

/// What each move is worth, proven.
pub(crate) async fn values(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let pos = asked.position(game.as_ref())?;
    let key = format!("values {} {pos}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let at = pos.clone();
    let limit = seconds(asked.seconds, VALUE_TIME);
    let answer = app.short_work(limit, move |ctx| {
        let values = game.values(&at, ctx)?;
        let each = |v: &MoveValue| json!({"mv": v.mv, "value": v.value.name(), "plies": v.plies, "path": v.path, "sign": v.sign()});
        let best = whole(&values, game.moves(&at)?.len());
        Ok(json!({"pos": at, "values": values.iter().map(each).collect::<Vec<_>>(), "best": best.map(each)}))
    });
    let answer = answer.await?;
    // More time may prove more.
    if !answer["best"].is_null() {
        app.remember(key, &answer);
    }
    Ok(Json(answer))
}

/// The board as a file.
pub(crate) async fn picture(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Response, Trouble> {
    let game = app.game(&asked.game)?;
    let pos = asked.position(game.as_ref())?;
    let mut scene = Played::at(pos.clone(), &asked.joins).scene(game.as_ref(), asked.view)?;
    scene.caption.push(game.status_text(&pos)?);
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CONTENT_DISPOSITION, "attachment; filename=\"board.svg\""),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    Ok((headers, scene.svg()).into_response())
}

const FIRST_LINE: &str = "agon-game 1";

/// A game as a file: in the family's own notation where it has one, else as `agon play` saves it.
pub(crate) async fn write_record(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let from = asked.position(game.as_ref())?;
    let (mut pos, mut moves) = (from.clone(), Vec::new());
    for word in asked.moves.split_whitespace().take(LONGEST_LINE) {
        let (mv, next) = game.play(&pos, word)?;
        moves.push(mv);
        pos = next;
    }
    let own = || format!("{FIRST_LINE}\ngame {}\nfrom {from}\nmoves {}\n", game.spelling(), moves.join(" "));
    Ok(Json(match game.write_record(&from, &moves) {
        Some(text) => json!({"text": text, "name": "game.ptn"}),
        None => json!({"text": own(), "name": "game.agon-game"}),
    }))
}

#[derive(Deserialize)]
pub(crate) struct Text {
    game: String,
    text: String,
}

/// Reads a game: the family's own notation, a saved game, or moves with spaces between.
pub(crate) async fn read_record(State(app): State<Arc<App>>, Json(given): Json<Text>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&given.game)?;
    let (spelling, from, moves) = match game.read_record(&given.text) {
        Some(recorded) => {
            let recorded = recorded?;
            (app.game(&recorded.spelling)?.spelling().to_string(), recorded.from, recorded.moves.join(" "))
        }
        None => match given.text.trim().strip_prefix(FIRST_LINE) {
            Some(rest) => {
                let field = |key: &str| rest.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
                let game = field("game ").unwrap_or(&given.game).to_string();
                (game, field("from ").unwrap_or("start").to_string(), field("moves ").unwrap_or("").to_string())
            }
            None => (game.spelling().to_string(), game.start(), given.text.clone()),
        },
    };
    let game = app.game(&spelling)?;
    let mut pos = game.position(&from)?;
    let from = pos.clone();
    let mut played = Vec::new();
    for word in moves.split_whitespace().take(LONGEST_LINE) {
        let (mv, next) = game.play(&pos, word)?;
        played.push(mv);
        pos = next;
    }
    Ok(Json(json!({"game": spelling, "pos": from, "moves": played})))
}

#[derive(Deserialize)]
pub(crate) struct Choose {
    game: String,
    pos: String,
    player: String,
    seconds: Option<f64>,
    #[serde(default)]
    seed: u64,
}

/// The move of an agent.
pub(crate) async fn choose(State(app): State<Arc<App>>, Json(asked): Json<Choose>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let pos = game.position(&asked.pos)?;
    if matches!(game.status(&pos)?, Status::Over(_)) {
        return Err(Failure::Usage("the play is over".into()).into());
    }
    offered(game.as_ref(), &asked.player)?;
    let request = StrategyRequest { name: asked.player, exceptions: None };
    let limit = seconds(asked.seconds, VALUE_TIME);
    let choice = app.short_work(limit, move |ctx| {
        let mut agent = game.agent(&request, asked.seed)?;
        agent.limit(limit);
        agent.choose(&pos, ctx)
    });
    let choice = choice.await?;
    Ok(Json(json!({"mv": choice.mv, "proven": choice.proven, "proof": choice.proof, "thought": choice.thought})))
}

/// A page may ask for the players it was offered, and for no others: a player could be a program or a file.
pub(crate) fn offered(game: &dyn AnyGame, player: &str) -> Result<(), Failure> {
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
    Query(asked): Query<Asked>,
) -> Response {
    match prepared(&app, &spelling, &asked) {
        Ok(body) => body,
        Err(trouble) => page::trouble(&app, &trouble),
    }
}

fn prepared(app: &App, spelling: &str, asked: &Asked) -> Result<Response, Trouble> {
    let game = app.game(spelling)?;
    let game = game.as_ref();
    let (line, played) = replay(game, asked)?;
    let node = describe(game, &played, asked.view)?;
    let offers = game.offers();
    let strategies: Vec<Value> =
        offers.strategies.iter().map(|s| json!({"name": s.name, "readings": s.readings, "about": s.about})).collect();
    let data = json!({
        "game": game.spelling(), "title": title(game), "start": game.start(), "line": line, "node": node,
        "names": Player::BOTH.map(|p| game.player_name(p)), "agents": offers.agents, "strategies": strategies,
    });
    // Text inside a script element ends at `</`.
    let data = data.to_string().replace('<', "\\u003c");
    let title = format!("{} ({})", title(game), game.spelling());
    Ok(page::frame(app, &title, "/", &["play.js"], bench::page(game, asked, &node, &data)).into_response())
}

/// The name people use for this very game: an alias where the family is a general one (`tic-tac-toe` among m,n,k
/// games), else the family's.
pub(crate) fn title(game: &dyn AnyGame) -> String {
    let facts = game.facts();
    let alias = facts.aliases.iter().find(|(_, spelling)| *spelling == game.spelling()).map(|(alias, _)| *alias);
    let general = facts.title.ends_with(" game") || facts.title == "Morris";
    match alias.filter(|_| general) {
        Some(alias) => {
            let words = alias.replace("-mens-", " men's ").replace('-', " ");
            // Hyphens belong to the name.
            let words = if words == "tic tac toe" { alias.to_string() } else { words };
            words[..1].to_uppercase() + &words[1..]
        }
        None => facts.title.to_string(),
    }
}

/// Part of an address.
pub(crate) fn url(text: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:,;=/()".contains(&byte);
    text.bytes().map(|b| if kept(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_can_be_described() {
        let app = App::bare();
        for entry in agon_edge::registry::FAMILIES {
            let game = app.game(entry.facts.family).unwrap();
            let node = describe(game.as_ref(), &Played::at(game.start(), ""), 5).unwrap();
            assert!(node["svg"].as_str().unwrap().starts_with("<svg"), "{}", entry.facts.family);
            assert!(!node["moves"].as_array().unwrap().is_empty(), "{}", entry.facts.family);
        }
    }

    #[test]
    fn a_line_stops_at_the_first_illegal_move() {
        let app = App::bare();
        let game = app.game("tic-tac-toe").unwrap();
        let asked = Asked { moves: "b2 a1 b2 c3".into(), ..Asked::default() };
        let (played, last) = replay(game.as_ref(), &asked).unwrap();
        assert_eq!(last.path, [6]);
        assert_eq!(played["steps"].as_array().unwrap().len(), 3);
        assert!(played["error"].as_str().unwrap().contains("b2"));
    }

    #[test]
    fn games_go_by_the_name_people_use() {
        let app = App::bare();
        for (spelling, name) in [
            ("mnk:3,3,3", "Tic-tac-toe"),
            ("mnk:4,4,3", "m,n,k game"),
            ("drop:7,6,4", "Connect four"),
            ("morris:nine", "Nine men's morris"),
            ("morris:five", "Morris"),
            ("order-chaos:6x6", "Order and Chaos"),
        ] {
            assert_eq!(title(app.game(spelling).unwrap().as_ref()), name);
        }
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(url("mnk:3,3,3"), "mnk:3,3,3");
        assert_eq!(url("3+5>2 é"), "3%2B5%3E2%20%C3%A9");
    }
}
