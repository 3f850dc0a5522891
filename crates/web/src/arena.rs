//! The arena page: the form, and the standings of a tournament.

use crate::app::{App, Meter, RequestError};
use crate::job::{Artifact, Job, JobKind, Outcome, WorkDir};
use crate::jobs::JobSpec;
use crate::page::{self, term};
use crate::play::{offered, url};
use crate::play_page::{LEVELS, described};
use crate::solve;
use crate::tournament::{Session, TournamentSpec, tournament};
use crate::watch::Watch;
use agon_core::Ctx;
use agon_registry::erased::Offers;
use agon_report::failure::Failure;
use agon_report::words::grouped;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::{Arc, Mutex};

#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default)]
    game: String,
}

/// A request for a tournament.
#[derive(Serialize, Deserialize)]
pub(crate) struct TournamentRequest {
    game: String,
    /// The names of the players, separated by spaces.
    players: String,
    games: u64,
    #[serde(default)]
    opening: u32,
    #[serde(default)]
    seed: u64,
    seconds: Option<f64>,
}

/// The most games of one pairing.
const MAX_GAMES: u64 = 10_000;
const MAX_PLAYERS: usize = 12;
/// The number of games that the page lists.
const LISTED_GAMES: usize = 200;
const MEMORY_BYTES: u64 = 1 << 30;
/// The name of the file with all games.
const FILE: &str = "arena.sqlite";

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PageQuery>) -> Response {
    let drawn = app.bounded(move |app, meter| Ok(form(app, meter, &asked))).await;
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn form(app: &App, meter: &Meter, asked: &PageQuery) -> Response {
    let given = app.asked_for(&asked.game);
    let game = app.game(meter, given);
    let body = html! {
        section.narrow {
            h1 { "Arena" }
            p { "Each opening is played twice, with sides swapped. The table shows who is stronger, and how certain that is." }
            @match &game {
                Err(error) => { p.error { (error.message().unwrap_or_default()) } }
                Ok(game) => {
                    @let offers = game.offers();
                    form.card-form #start data-kind="arena" {
                        label { "Game" input name="game" list="games" value=(game.spelling()) required data-reload; }
                        (solve::suggestions(app))
                        fieldset.choices { legend { "Players: click to add or remove one" }
                            @for (player, name) in choices(&offers) {
                                button.quiet type="button" data-player=(player) aria-pressed="false" title=(player) { (name) }
                            }
                        }
                        details { summary { "More players" }
                            label { "All players, with spaces between them" input name="players" spellcheck="false" value=(BEGIN_WITH); }
                        }
                        label { "Games per pairing (even)" input name="games" type="number" min="2" max=(MAX_GAMES) step="2" value="100"; }
                        label { span { "Random opening " (term("plies", "moves of one side")) } input name="opening" type="number" min="0" max="20" value="0"; }
                        label { "Seconds per move" input name="seconds" type="number" min="0.01" max="60" step="0.01" value="1"; }
                        label { "Seed" input name="seed" type="number" min="0" value="1"; }
                        button.main type="submit" { "Start" }
                        p.notice role="alert" hidden {}
                    }
                }
            }
        }
    };
    page::frame(app, "Arena", "/arena", &["form.js"], body).into_response()
}

pub(crate) fn job_spec(app: &Arc<App>, meter: &Meter, asked: &TournamentRequest) -> Result<JobSpec, RequestError> {
    let game = app.game(meter, &asked.game)?;
    let players: Vec<String> = asked.players.split_whitespace().map(String::from).collect();
    if !(2..=MAX_PLAYERS).contains(&players.len()) {
        return Err(Failure::Usage(format!("{} players given: expected 2 to {MAX_PLAYERS}", players.len())).into());
    }
    for player in &players {
        offered(&game, player)?;
        game.unmetered().agent(&agon_registry::erased::StrategyRequest::named(player.clone()), 1)?;
    }
    if asked.games == 0 || asked.games % 2 == 1 || asked.games > MAX_GAMES {
        return Err(Failure::Usage(format!(
            "invalid number of games `{}`: expected an even number from 2 to {}",
            asked.games,
            grouped(MAX_GAMES)
        ))
        .into());
    }
    let spec = TournamentSpec {
        game: game.spelling().to_string(),
        players,
        games: asked.games,
        opening_plies: asked.opening.min(20),
        seed: asked.seed,
        seconds: asked.seconds.filter(|s| s.is_finite()).unwrap_or(1.0).clamp(0.01, 60.0),
    };
    let (live, watch): (Arc<Mutex<Value>>, Arc<Watch>) = Default::default();
    let (weak, told, shown) = (Arc::downgrade(app), live.clone(), watch.clone());
    let (title, game) = (
        format!(
            "Tournament of {}: {}",
            crate::play::named(app, &game),
            spec.players.iter().map(|player| player_name(player)).collect::<Vec<_>>().join(", ")
        ),
        Some(spec.game.clone()),
    );
    let work = Box::new(move |ctx: &Ctx, work_dir: &WorkDir| {
        let Some(app) = weak.upgrade() else { return Ok(Outcome::default()) };
        let file = work_dir.folder()?.join(FILE);
        let tell = |report: Value| *crate::app::lock(&told) = report;
        let spectator = app.spectator.as_deref();
        let session = Session { ctx, file: &file, tell: &tell, watch: &shown, spectator };
        let report = tournament(&app.registry, &spec, &session)?;
        Ok(Outcome { report, file: Some(Artifact::InWorkDir(FILE)) })
    });
    let (request, given) = (Value::Null, None);
    Ok(JobSpec {
        kind: JobKind::Arena,
        title,
        game,
        request,
        given,
        resumes: true,
        memory: MEMORY_BYTES,
        live,
        watch,
        work,
    })
}

/// The players of a tournament to begin with.
const BEGIN_WITH: &str = "level:1 level:3 level:5";

fn percent(value: &Value) -> String {
    value.as_f64().map_or("–".to_string(), |x| format!("{:.1} %", 100.0 * x))
}

/// An Elo difference with its interval; `score` gives the sign of an infinite one.
fn elo(estimate: &Value, score: &Value) -> String {
    if estimate.is_null() {
        return "–".to_string();
    }
    let number =
        |value: &Value, far: &str| value.as_f64().map_or(far.to_string(), |x| format!("{:+.0}", x.round() + 0.0));
    let far = if score["value"].as_f64().unwrap_or(0.5) > 0.5 { "+∞" } else { "−∞" };
    let [low, high] = [(0, "−∞"), (1, "+∞")].map(|(end, far)| number(&estimate["interval"][end], far));
    format!("{} [{low}, {high}]", number(&estimate["value"], far)).replace('-', "−")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The name of a player: `Level 3`, `Perfect`, or its spelling.
fn player_name(player: &str) -> String {
    player.strip_prefix("level:").map_or_else(|| described(player).0.to_string(), |level| format!("Level {level}"))
}

/// The players that a click adds: their spelling, and their name.
fn choices(offers: &Offers) -> Vec<(String, String)> {
    let levels = LEVELS.iter().map(|(player, name)| (player.to_string(), name.to_string()));
    let agents = offers.agents.iter().filter(|agent| **agent != "human" && !agent.contains(':'));
    let agents = agents.map(|agent| (agent.to_string(), described(agent).0.to_string()));
    let strategies = offers.strategies.iter().map(|strategy| (strategy.name.to_string(), strategy.name.to_string()));
    levels.chain(agents).chain(strategies).collect()
}

/// The indices of the players by score, the best first.
fn by_score(standings: &[Value]) -> Vec<usize> {
    let score = |i: &usize| {
        let (points, games) = (&standings[*i]["points"], &standings[*i]["games"]);
        points.as_f64().unwrap_or(0.0) / games.as_f64().unwrap_or(0.0).max(1.0)
    };
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

/// The score of one player against another, with its confidence interval.
fn cell(standings: &[Value], meetings: &[Value], me: usize, other: usize) -> Markup {
    if me == other {
        return html! { td.self aria-label="itself" { "·" } };
    }
    let names = [me, other].map(|i| text(&standings[i], "player"));
    let met = |m: &&Value| (0..2).all(|i| names.contains(&m["players"][i].as_str().unwrap_or_default()));
    let interval = meetings.iter().find(met).map(|m| {
        let ends = [0, 1].map(|end| m["score"]["interval"][end].as_f64());
        if m["players"][0] == names[0] { ends } else { [ends[1], ends[0]].map(|end| end.map(|x| 1.0 - x)) }
    });
    html! {
        td { (percent(&standings[me]["against"][other]))
            @if let Some([Some(low), Some(high)]) = interval { small { (format!("{:.0} – {:.0}", 100.0 * low, 100.0 * high)) } } }
    }
}

/// The numbers of proven and unproven moves, for a player that proves its moves.
fn proofs(standing: &Value) -> Markup {
    let [proven, unproven] = ["proven", "unproven"].map(|key| standing[key].as_u64());
    html! {
        @if let (Some(proven), Some(unproven)) = (proven, unproven) {
            small { (grouped(proven)) " moves proven, " (grouped(unproven)) " unproven" }
        }
    }
}

fn crosstable(standings: &[Value], meetings: &[Value]) -> Markup {
    let order = by_score(standings);
    let forfeits = standings.iter().any(|standing| standing["forfeits"].as_u64().unwrap_or(0) > 0);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Crosstable" { table.cross.points {
            caption.unseen { "Crosstable" }
            thead { tr { th scope="col" { "rank" } th.name scope="col" { "player" } th scope="col" { "points" } th scope="col" { "games" } th scope="col" { "score" } @if forfeits { th scope="col" title="games lost by time, by an illegal move or by a crash" { "forfeits" } }
                @for n in 1..=order.len() { th scope="col" { "against " (n) } } } }
            tbody { @for (rank, &me) in order.iter().enumerate() {
                @let s = &standings[me];
                @let (points, games) = (s["points"].as_f64().unwrap_or(0.0), s["games"].as_u64().unwrap_or(0));
                tr {
                    th { (rank + 1) } th.name scope="row" { (text(s, "player")) (proofs(s)) } td { (points) } td { (grouped(games)) }
                    td { strong { (percent(&(points / games.max(1) as f64).into())) } }
                    @if forfeits { td { (s["forfeits"].as_u64().unwrap_or(0)) } }
                    @for &other in &order { (cell(standings, meetings, me, other)) }
                }
            } }
        } }
        @if !standings.is_empty() { p.facts { "Below each score: the 95 % confidence interval." } }
    }
}

/// The standings: crosstable, pairings and games.
pub(crate) fn standing(job: &Job, r: &Value) -> Markup {
    let empty = Vec::new();
    let list = |key: &str| r[key].as_array().unwrap_or(&empty);
    let (standings, meetings, games) = (list("standings"), list("meetings"), list("list"));
    let game = text(r, "game");
    html! {
        p.facts { (grouped(r["games"].as_u64().unwrap_or(0))) " of " (grouped(r["planned"].as_u64().unwrap_or(0))) " games, " (format!("{:.1}", r["plies"].as_f64().unwrap_or(0.0))) " plies on average" }
        (crosstable(standings, meetings))
        h2 { "Pairings" }
        div.scroll tabindex="0" role="region" aria-label="Pairings" { table.cross {
            thead { tr { th.name scope="col" { "pairing" } th scope="col" { "score of the first player" } th scope="col" { "95 % interval" } th scope="col" { (term("Elo", "a scale of playing strength; a difference of 400 means odds of 10 to 1")) " difference" } } }
            tbody { @for m in meetings { tr {
                th.name scope="row" { (m["players"][0].as_str().unwrap_or_default()) " – " (m["players"][1].as_str().unwrap_or_default()) }
                td { (percent(&m["score"]["value"])) } td { @if m["score"]["interval"][0].is_null() { "not enough games" } @else { (percent(&m["score"]["interval"][0])) " to " (percent(&m["score"]["interval"][1])) } } td { (elo(&m["elo"], &m["score"])) }
            } } }
        } }
        @if !games.is_empty() {
            h2 { "Games" @if games.len() >= LISTED_GAMES { small.facts { " (the last " (LISTED_GAMES) ")" } } }
            ol.games { @for g in games.iter().take(LISTED_GAMES) {
                li value=(g["id"].as_u64().unwrap_or(0) + 1) {
                    button.quiet type="button" data-replay=(text(g, "moves")) data-from=(text(g, "start")) title="Replay here" aria-label=(format!("Replay game {} here", g["id"].as_u64().unwrap_or(0) + 1)) { "▶" }
                    a href=(format!("/g/{}?pos={}&moves={}", url(game), url(text(g, "start")), url(text(g, "moves")))) { (text(g, "first")) " – " (text(g, "second")) }
                    " " span.facts { (match text(g, "result") { "first" => "1 : 0", "second" => "0 : 1", _ => "½ : ½" }) " · " (text(g, "reason")) " · " (solve::plies(&g["plies"])) } }
            } }
        }
        @if job.file().is_some() { div.buttons { a.button href=(format!("/jobs/{}/file", job.id)) download=(FILE) { "Download all games (SQLite)" } a.button href=(format!("/arena?game={}", url(game))) { "New tournament" } } }
    }
}

/// The board that shows a live game or a replay.
pub(crate) fn screen(job: &Job, over: bool) -> Markup {
    html! {
        section.watch #watch data-game=(job.game.as_deref().unwrap_or_default()) hidden {
            div.headline {
                h2 #watch-title { @if over { "Replay" } @else { "Live game" } }
                div.buttons #watch-tables role="group" aria-label="Choose a table" {}
            }
            figure.reel #screen {
                div.screen {}
                figcaption { p.status aria-live="polite" {}
                    span.buttons role="group" aria-label="Step through the game" hidden {
                        button type="button" data-go="first" aria-label="Go to the start" { "«" }
                        button type="button" data-go="back" aria-label="Previous move" { "‹" }
                        button.main type="button" data-go="run" { "▶ Play" }
                        button type="button" data-go="forth" aria-label="Next move" { "›" }
                        button type="button" data-go="last" aria-label="Go to the end" { "»" }
                        a.button href="#" { "Open the board" }
                        button #watch-live type="button" hidden { "Back to the live game" }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_table_is_in_the_order_of_the_scores_and_so_are_its_columns() {
        let player = |name: &str, points: f64, against: [Option<f64>; 3]| json!({"player": name, "points": points, "games": 40, "against": against});
        let standings = [
            player("weak", 4.0, [None, Some(0.15), Some(0.05)]),
            player("fair", 23.0, [Some(0.85), None, Some(0.3)]),
            player("good", 33.0, [Some(0.95), Some(0.7), None]),
        ];
        let meeting = |a: &str, b: &str, low: f64, high: f64| json!({"players": [a, b], "score": {"value": (low + high) / 2.0, "interval": [low, high]}});
        let meetings =
            [meeting("weak", "fair", 0.1, 0.2), meeting("weak", "good", 0.0, 0.1), meeting("fair", "good", 0.2, 0.4)];
        assert_eq!(by_score(&standings), [2, 1, 0]);
        let table = crosstable(&standings, &meetings).into_string();
        let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
        let cells = |row: &str| -> Vec<String> {
            let cells = row
                .split("<td")
                .skip(4)
                .map(|cell| cell.split_once('>').unwrap().1.split("</td>").next().unwrap().to_string());
            cells.collect()
        };
        assert!(rows[0].contains("good") && rows[1].contains("fair") && rows[2].contains("weak"));
        assert_eq!(cells(rows[0]), ["·", "70.0 %<small>60 – 80</small>", "95.0 %<small>90 – 100</small>"]);
        assert_eq!(cells(rows[1]), ["30.0 %<small>20 – 40</small>", "·", "85.0 %<small>80 – 90</small>"]);
        assert_eq!(cells(rows[2]), ["5.0 %<small>0 – 10</small>", "15.0 %<small>10 – 20</small>", "·"]);
    }

    #[test]
    fn a_player_that_proves_its_moves_shows_how_many() {
        let standing = json!({"player": "perfect", "points": 1.0, "games": 2, "proven": 7, "unproven": 1200});
        assert_eq!(proofs(&standing).into_string(), "<small>7 moves proven, 1,200 unproven</small>");
        assert_eq!(proofs(&json!({"player": "random", "proven": null, "unproven": null})).into_string(), "");
    }

    #[test]
    fn an_elo_difference_has_a_sign() {
        let far =
            |value: f64, interval: Value| elo(&json!({"value": null, "interval": interval}), &json!({"value": value}));
        assert_eq!(far(1.0, json!([120.0, null])), "+∞ [+120, +∞]");
        assert_eq!(far(0.0, json!([null, -120.4])), "−∞ [−∞, −120]");
        assert_eq!(elo(&json!({"value": -0.2, "interval": [-3.0, 3.0]}), &Value::Null), "+0 [−3, +3]");
        assert_eq!(elo(&Value::Null, &Value::Null), "–");
    }
}
