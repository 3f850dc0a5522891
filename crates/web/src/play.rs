//! Play and analyse: the address is the position.

use crate::app::{App, Meter, Metered, Trouble};
use crate::draw::Played;
use crate::{bench, page};
use agon_core::{Player, Status, Wdl};
use agon_registry::erased::{AnyGame, MoveValue, StrategyRequest};
use agon_report::failure::Failure;
use agon_report::words::grouped;
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
/// Bytes of a game to be read.
const LONGEST_RECORD: usize = 64 << 10;
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
    pub(crate) fn position(&self, game: &Metered<'_>) -> Result<String, Failure> {
        game.position(if self.pos.is_empty() { "start" } else { &self.pos })
    }

    /// Where its moves begin, and the cells that tiles cover together there.
    fn played(&self, game: &Metered<'_>) -> Result<Played, Failure> {
        Ok(Played::at(self.position(game)?, &self.joins))
    }

    /// Its moves; too many are refused.
    fn words(&self) -> Result<Vec<&str>, Failure> {
        line_of(&self.moves)
    }
}

/// The moves of a line; too many are refused.
fn line_of(moves: &str) -> Result<Vec<&str>, Failure> {
    let words: Vec<&str> = moves.split_whitespace().collect();
    if words.len() > LONGEST_LINE {
        let (given, most) = (grouped(words.len()), grouped(LONGEST_LINE));
        return Err(Failure::Usage(format!("a line of {given} moves is too long: expected at most {most}")));
    }
    Ok(words)
}

/// Everything a page needs to know about a position.
fn describe(game: &Metered<'_>, played: &Played, view: u8) -> Result<Value, Failure> {
    let pos = played.pos.as_str();
    let status = game.status(pos)?;
    let scene = played.scene(game, view)?;
    let count = game.count_moves(pos)?;
    let moves = game.moves_with_paths(pos, MOST_MOVES)?;
    let moves: Vec<Value> = moves.into_iter().map(|(mv, path)| json!({"path": path, "mv": mv})).collect();
    game.meter().write(json!({
        "pos": pos, "status": game.status_text(pos)?, "over": matches!(status, Status::Over(_)),
        "winner": game.winner(pos)?, "turn": game.turn(pos)?.name(), "svg": scene.svg_in_page(), "text": scene.text(),
        "caption": scene.caption, "moves": moves, "count": count, "joins": played.joins(), "path": played.path,
        "labels": scene.places.iter().map(|place| place.label.as_str()).collect::<Vec<_>>(),
    }))
}

type Answer = Result<Json<Value>, Trouble>;

/// One position.
pub(crate) async fn node(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Answer {
    let node = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        Ok(describe(&game, &asked.played(&game)?, asked.view)?)
    });
    Ok(Json(node.await?))
}

/// The position after a move.
pub(crate) async fn step(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Answer {
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

/// A move with the position it led to, drawn.
fn short(game: &Metered<'_>, mv: Option<&str>, played: &Played, view: u8) -> Result<Value, Failure> {
    let pos = played.pos.as_str();
    let (scene, status) = (played.scene(game, view)?, game.status(pos)?);
    game.meter().write(json!({
        "mv": mv, "pos": pos, "status": game.status_text(pos)?, "over": matches!(status, Status::Over(_)),
        "winner": game.winner(pos)?, "turn": game.turn(pos)?.name(), "svg": scene.svg_in_page(), "text": scene.text(),
        "joins": played.joins(), "path": played.path,
    }))
}

/// Every position of a game, as far as its moves are legal; and the last one.
fn replay(game: &Metered<'_>, asked: &Asked) -> Result<(Value, Played), Failure> {
    let mut played = asked.played(game)?;
    let mut steps = vec![short(game, None, &played, asked.view)?];
    let mut error = None;
    for word in asked.words()? {
        match played.play(game, word) {
            Ok(mv) => steps.push(short(game, Some(&mv), &played, asked.view)?),
            Err(failure) if game.meter().is_overdrawn() => return Err(failure),
            Err(failure) => {
                error = failure.message().map(String::from);
                break;
            }
        }
    }
    Ok((json!({"steps": steps, "error": error}), played))
}

pub(crate) async fn line(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Answer {
    let line = app.bounded(move |app, meter| Ok(replay(&app.game(meter, &asked.game)?, &asked)?.0));
    Ok(Json(line.await?))
}

fn seconds(asked: Option<f64>, usual: f64) -> Duration {
    Duration::from_secs_f64(asked.filter(|s| s.is_finite()).unwrap_or(usual).clamp(0.05, LONGEST_TIME))
}

/// The proven value of a position, from its moves; none when some move is unknown that might be better.
fn whole(values: &[MoveValue], count: usize) -> Option<&MoveValue> {
    let best = values.iter().max_by_key(|value| value.preference())?;
    (values.len() == count || best.value == Wdl::Win).then_some(best)
}

/// A position that may be searched: its canonical text, and its game.
async fn searched(app: &Arc<App>, game: String, pos: String) -> Result<(Arc<dyn AnyGame>, String), Trouble> {
    let found = app.bounded(move |app, meter| {
        let game = app.game(meter, &game)?;
        let pos = game.position(if pos.is_empty() { "start" } else { &pos })?;
        Ok((game.unmetered(), pos))
    });
    found.await
}

/// What each move is worth, proven.
pub(crate) async fn values(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Answer {
    let (game, pos) = searched(&app, asked.game, asked.pos).await?;
    let key = format!("values {} {pos}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let limit = seconds(asked.seconds, VALUE_TIME);
    let answer = app.search(limit, move |ctx| {
        let values = game.values(&pos, ctx)?;
        let each = |v: &MoveValue| json!({"mv": v.mv, "value": v.value.name(), "plies": v.plies, "path": v.path, "sign": v.sign()});
        let best = whole(&values, usize::try_from(game.count_moves(&pos)?).unwrap_or(usize::MAX));
        Ok(json!({"pos": pos, "values": values.iter().map(each).collect::<Vec<_>>(), "best": best.map(each)}))
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

const FIRST_LINE: &str = "agon-game 1";

/// Plays moves one after the other; answers their canonical texts.
fn played_line(game: &Metered<'_>, from: &str, moves: &[&str]) -> Result<Vec<String>, Failure> {
    let (mut pos, mut played) = (from.to_string(), Vec::new());
    for word in moves {
        let (mv, next) = game.play(&pos, word)?;
        played.push(mv);
        pos = next;
    }
    Ok(played)
}

/// A game as a file: in the family's own notation where it has one, else as `agon play` saves it.
pub(crate) async fn write_record(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Answer {
    let written = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let from = asked.position(&game)?;
        let moves = played_line(&game, &from, &asked.words()?)?;
        let own = || format!("{FIRST_LINE}\ngame {}\nfrom {from}\nmoves {}\n", game.spelling(), moves.join(" "));
        Ok(match game.unmetered().write_record(&from, &moves) {
            Some(text) => json!({"text": text, "name": "game.ptn"}),
            None => json!({"text": own(), "name": "game.agon-game"}),
        })
    });
    Ok(Json(written.await?))
}

#[derive(Deserialize)]
pub(crate) struct Text {
    game: String,
    text: String,
}

/// Reads a game: the family's own notation, a saved game, or moves with spaces between.
pub(crate) async fn read_record(State(app): State<Arc<App>>, Json(given): Json<Text>) -> Answer {
    let read = app.bounded(move |app, meter| {
        if given.text.len() > LONGEST_RECORD {
            let (bytes, most) = (grouped(given.text.len()), grouped(LONGEST_RECORD));
            return Err(Failure::Usage(format!("a game of {bytes} bytes is too long: expected at most {most}")).into());
        }
        let (spelling, from, moves) = recorded(&app.game(meter, &given.game)?, &given.text)?;
        let game = app.game(meter, &spelling)?;
        let from = game.position(&from)?;
        let played = played_line(&game, &from, &line_of(&moves)?)?;
        Ok(json!({"game": game.spelling(), "pos": from, "moves": played}))
    });
    Ok(Json(read.await?))
}

/// The game, the position and the moves that a text tells.
fn recorded(game: &Metered<'_>, text: &str) -> Result<(String, String, String), Failure> {
    if let Some(recorded) = game.unmetered().read_record(text) {
        let recorded = recorded?;
        return Ok((recorded.spelling, recorded.from, recorded.moves.join(" ")));
    }
    let Some(rest) = text.trim().strip_prefix(FIRST_LINE) else {
        return Ok((game.spelling().to_string(), game.start(), text.to_string()));
    };
    let field = |key: &str| rest.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let spelling = field("game ").unwrap_or(game.spelling()).to_string();
    Ok((spelling, field("from ").unwrap_or("start").to_string(), field("moves ").unwrap_or("").to_string()))
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
pub(crate) async fn choose(State(app): State<Arc<App>>, Json(asked): Json<Choose>) -> Answer {
    let (limit, seed) = (seconds(asked.seconds, VALUE_TIME), asked.seed);
    let found = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let pos = game.position(&asked.pos)?;
        if matches!(game.status(&pos)?, Status::Over(_)) {
            return Err(Failure::Usage("the play is over".into()).into());
        }
        offered(&game, &asked.player)?;
        Ok((game.unmetered(), pos, StrategyRequest { name: asked.player, exceptions: None }))
    });
    let (game, pos, request) = found.await?;
    let choice = app.search(limit, move |ctx| {
        let mut agent = game.agent(&request, seed)?;
        agent.limit(limit);
        agent.choose(&pos, ctx)
    });
    let choice = choice.await?;
    Ok(Json(json!({"mv": choice.mv, "proven": choice.proven, "proof": choice.proof, "thought": choice.thought})))
}

/// A page may ask for the players it was offered, and for no others: a player could be a program or a file.
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
    Query(asked): Query<Asked>,
) -> Response {
    let drawn = app.bounded(move |app, meter| prepared(app, meter, &spelling, &asked)).await;
    drawn.unwrap_or_else(|trouble| page::trouble(&app, &trouble))
}

fn prepared(app: &App, meter: &Meter, spelling: &str, asked: &Asked) -> Result<Response, Trouble> {
    let game = app.game(meter, spelling)?;
    let (line, played) = replay(&game, asked)?;
    let node = describe(&game, &played, asked.view)?;
    let offers = game.offers();
    let strategies: Vec<Value> =
        offers.strategies.iter().map(|s| json!({"name": s.name, "readings": s.readings, "about": s.about})).collect();
    let data = json!({
        "game": game.spelling(), "title": title(app, &game), "start": game.start(), "line": line, "node": node,
        "names": Player::BOTH.map(|p| game.player_name(p)), "agents": offers.agents, "strategies": strategies,
    });
    // Text inside a script element ends at `</`.
    let data = data.to_string().replace('<', "\\u003c");
    let title = format!("{} ({})", title(app, &game), game.spelling());
    Ok(page::frame(app, &title, "/", &["play.js"], bench::page(app, &game, asked, &node, &data)).into_response())
}

/// The name people use for this very game, or that of its family.
pub(crate) fn title(app: &App, game: &Metered<'_>) -> String {
    let entry = app.registry.entry(game.spelling());
    entry.map_or_else(|| game.facts().title.to_string(), |entry| entry.title(game.spelling()).to_string())
}

/// Part of an address.
pub(crate) fn url(text: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:,;=/()".contains(&byte);
    text.bytes().map(|b| if kept(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::toy::Pile;

    #[test]
    fn every_family_can_be_described() {
        let (app, meter) = App::bare();
        for entry in agon_registry::standard().entries() {
            let game = app.game(&meter, entry.facts.family).unwrap();
            let node = describe(&game, &Played::at(game.start(), ""), 5).unwrap();
            assert!(node["svg"].as_str().unwrap().starts_with("<svg"), "{}", entry.facts.family);
            assert!(!node["moves"].as_array().unwrap().is_empty(), "{}", entry.facts.family);
        }
    }

    #[test]
    fn a_game_without_a_picture_is_played_from_the_list_of_moves() {
        let registry = agon_registry::Registry::standard().with(agon_registry::entry::Entry::acyclic::<Pile>());
        let app = App::new(8000, registry, Vec::new(), Box::new(|_, _| Ok(Value::Null)), None);
        let (_, meter) = App::bare();
        let page = |spelling: &str| {
            let game = app.game(&meter, spelling).unwrap();
            let node = describe(&game, &Played::at(game.start(), ""), 0).unwrap();
            let panel = crate::bench::panel(&game, &Asked::default(), &node).into_string();
            (node, panel)
        };
        let (node, panel) = page("pile:5");
        assert_eq!(node["caption"][0], "5:first");
        assert_eq!(node["moves"][1], json!({"path": [], "mv": "2"}));
        let list = "<summary>What can be played</summary>";
        assert!(panel.contains(&format!("<details class=\"fold\" open>{list}")), "{panel}");
        let (_, panel) = page("mnk:3,3,3");
        assert!(panel.contains(&format!("<details class=\"fold\">{list}")), "moves are clicked on the board: {panel}");
    }

    #[test]
    fn a_line_stops_at_the_first_illegal_move() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "tic-tac-toe").unwrap();
        let asked = Asked { moves: "b2 a1 b2 c3".into(), ..Asked::default() };
        let (played, last) = replay(&game, &asked).unwrap();
        assert_eq!(last.path, [6]);
        assert_eq!(played["steps"].as_array().unwrap().len(), 3);
        assert!(played["error"].as_str().unwrap().contains("b2"));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "nim:24+24").unwrap();
        let asked = Asked { moves: "24>23 ".repeat(LONGEST_LINE + 1), ..Asked::default() };
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
