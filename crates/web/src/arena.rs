//! Tournaments: who meets whom, and how it stands while they play.

use crate::app::{App, Trouble};
use crate::jobs::{Job, Order, Outcome};
use crate::page::{self, term};
use crate::play::{offered, url};
use crate::{Contest, solve};
use agon_edge::failure::Failure;
use agon_edge::words::grouped;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use std::sync::{Arc, Mutex};

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    game: String,
}

/// A request for a tournament.
#[derive(Deserialize)]
pub(crate) struct Match {
    game: String,
    /// With spaces between.
    players: String,
    games: u64,
    #[serde(default)]
    opening: u32,
    #[serde(default)]
    seed: u64,
    seconds: Option<f64>,
}

/// Games of one pairing.
const MOST_GAMES: u64 = 10_000;
const MOST_PLAYERS: usize = 12;
/// Games listed on the page.
const SHOWN: usize = 200;
const MEMORY: u64 = 1 << 30;

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Response {
    let given = if asked.game.is_empty() { "tic-tac-toe" } else { &asked.game };
    let game = app.game(given);
    let body = html! {
        section.narrow {
            h1 { "Arena" }
            p { "Players meet in pairs of games, the same opening twice with sides changed; the table says who is stronger, and how sure that is." }
            @match &game {
                Err(error) => { p.error { (error.message().unwrap_or_default()) } }
                Ok(game) => {
                    @let offers = game.offers();
                    form.card-form #start data-kind="arena" {
                        label { "Game" input name="game" list="games" value=(game.spelling()) required data-reload; }
                        (solve::suggestions())
                        label { "Players, with spaces between" input name="players" required spellcheck="false" value=(if offers.agents.contains(&"skill:P") { "perfect skill:0.7 random" } else { "perfect random" }); }
                        p.about { "There are " @for agent in offers.agents.iter().filter(|agent| **agent != "human") { code { (agent) } " " } @for s in &offers.strategies { code { (s.name) } " " } }
                        label { "Games of each pairing (an even number)" input name="games" type="number" min="2" max=(MOST_GAMES) step="2" value="100"; }
                        label { span { "Random " (term("plies", "moves of one side")) " at the beginning" } input name="opening" type="number" min="0" max="20" value="0"; }
                        label { "Seconds a move" input name="seconds" type="number" min="0.01" max="60" step="0.01" value="1"; }
                        label { "Seed" input name="seed" type="number" min="0" value="1"; }
                        button.main type="submit" { "Begin" }
                        p.notice role="alert" hidden {}
                    }
                }
            }
        }
    };
    page::frame(&app, "Arena", "/arena", &["form.js"], body).into_response()
}

pub(crate) fn order(app: &Arc<App>, asked: &Match) -> Result<Order, Trouble> {
    let game = app.game(&asked.game)?;
    let players: Vec<String> = asked.players.split_whitespace().map(String::from).collect();
    if !(2..=MOST_PLAYERS).contains(&players.len()) {
        return Err(Failure::Usage(format!("expected 2 to {MOST_PLAYERS} players, not {}", players.len())).into());
    }
    for player in &players {
        offered(game.as_ref(), player)?;
        game.agent(&agon_edge::erased::StrategyRequest { name: player.clone(), exceptions: None }, 1)?;
    }
    if asked.games == 0 || asked.games % 2 == 1 || asked.games > MOST_GAMES {
        return Err(Failure::Usage(format!(
            "invalid number of games `{}`: expected an even one, at most {}",
            asked.games,
            grouped(MOST_GAMES)
        ))
        .into());
    }
    let contest = Contest {
        game: game.spelling().to_string(),
        players,
        games: asked.games,
        opening_plies: asked.opening.min(20),
        seed: asked.seed,
        seconds: asked.seconds.filter(|s| s.is_finite()).unwrap_or(1.0).clamp(0.01, 60.0),
    };
    let live: Arc<Mutex<Value>> = Arc::default();
    let (keep, told) = (Arc::downgrade(app), live.clone());
    Ok(Order {
        kind: "arena",
        title: format!("{}: {}", contest.game, contest.players.join(", ")),
        game: Some(contest.game.clone()),
        memory: MEMORY,
        live,
        work: Box::new(move |ctx| {
            let Some(app) = keep.upgrade() else { return Ok(Outcome::default()) };
            let tell = |report: Value| *crate::app::lock(&told) = report;
            let (report, file) = (app.arena)(&contest, ctx, &tell)?;
            Ok(Outcome { report, file: file.map(|bytes| ("arena.sqlite".to_string(), bytes)), ..Outcome::default() })
        }),
    })
}

fn percent(value: &Value) -> String {
    value.as_f64().map_or("–".to_string(), |x| format!("{:.1} %", 100.0 * x))
}

fn elo(estimate: &Value) -> String {
    let number = |value: &Value, far: &str| value.as_f64().map_or(far.to_string(), |x| format!("{x:+.0}"));
    let won = estimate["interval"][0].is_f64();
    let far = if won { "+∞" } else { "−∞" };
    format!(
        "{} [{}, {}]",
        number(&estimate["value"], far),
        number(&estimate["interval"][0], "−∞"),
        number(&estimate["interval"][1], "+∞")
    )
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// How it stands: crosstable, pairings and games.
pub(crate) fn standing(job: &Job, r: &Value) -> Markup {
    let empty = Vec::new();
    let standings = r["standings"].as_array().unwrap_or(&empty);
    let meetings = r["meetings"].as_array().unwrap_or(&empty);
    let games = r["list"].as_array().unwrap_or(&empty);
    let game = text(r, "game");
    html! {
        p.facts { (grouped(r["games"].as_u64().unwrap_or(0))) " of " (grouped(r["planned"].as_u64().unwrap_or(0))) " games, " (format!("{:.1}", r["plies"].as_f64().unwrap_or(0.0))) " plies each" }
        div.scroll { table.cross {
            thead { tr { th {} th { "player" } th { "points" } th { "games" } @for n in 1..=standings.len() { th { (n) } } } }
            tbody { @for (i, s) in standings.iter().enumerate() { tr {
                th { (i + 1) } td.name { (text(s, "player")) } td { (s["points"].as_f64().unwrap_or(0.0)) } td { (s["games"].as_u64().unwrap_or(0)) }
                @for against in s["against"].as_array().into_iter().flatten() { td { (percent(against)) } }
            } } }
        } }
        h2 { "Who met whom" }
        div.scroll { table.cross {
            thead { tr { th { "pairing" } th { "score of the first" } th { "at 95 %" } th { (term("Elo", "a difference of 400 points means ten to one")) " difference" } } }
            tbody { @for m in meetings { tr {
                td.name { (m["players"][0].as_str().unwrap_or_default()) " – " (m["players"][1].as_str().unwrap_or_default()) }
                td { (percent(&m["score"]["value"])) } td { (percent(&m["score"]["interval"][0])) " to " (percent(&m["score"]["interval"][1])) } td { (elo(&m["elo"])) }
            } } }
        } }
        @if !games.is_empty() {
            h2 { "Games" }
            ol.games { @for g in games.iter().take(SHOWN) {
                li value=(g["id"].as_u64().unwrap_or(0) + 1) { a href=(format!("/g/{}?pos={}&moves={}", url(game), url(text(g, "start")), url(text(g, "moves")))) { (text(g, "first")) " – " (text(g, "second")) }
                    " " span.facts { (match text(g, "result") { "first" => "1 : 0", "second" => "0 : 1", _ => "½ : ½" }) " · " (text(g, "reason")) " · " (g["plies"].as_u64().unwrap_or(0)) " plies" } }
            } }
        }
        @if job.outcome().file.is_some() { div.buttons { a.button href=(format!("/jobs/{}/file", job.id)) download="arena.sqlite" { "All games as SQLite" } a.button href=(format!("/arena?game={}", url(game))) { "Another tournament" } } }
    }
}
