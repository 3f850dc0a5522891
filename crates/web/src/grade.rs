//! The page that grades players: a form that takes games as text or as a file, and the result.

use crate::app::{App, Meter};
use crate::job::Job;
use crate::page;
use crate::play::url;
use crate::solve::suggestions;
use agon_report::words::{duration, grouped};
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// The faults of a player that are drawn.
const DRAWN: usize = 6;

#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default)]
    game: String,
}

/// Games to try the page with.
const SAMPLE: &str = "\
{\"players\": [\"ada\", \"bob\"], \"moves\": \"b2 b1 a1 c3 a3 a2 c1\"}
{\"players\": [\"bob\", \"ada\"], \"moves\": \"b2 a1 c3 a3 a2 c2 b1 b3 c1\"}
";

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PageQuery>) -> Response {
    let given = app.asked_for(&asked.game);
    let body = html! {
        section.narrow {
            h1 { "Grade players" }
            p { "Drop a file with games here: JSON lines, PTN, lists of moves with one game on each line, or OpenSpiel \
                 histories. For each player you get the legal and the illegal moves, the share of moves that keep the value, \
                 and what the others give away." }
            form.card-form #start data-kind="grade" data-drop="text" {
                label { "Game" input name="game" list="games" value=(given) required; }
                (suggestions(&app))
                label { "File" input type="file" data-into="text"; }
                label { "Games" textarea name="text" rows="10" spellcheck="false" autocapitalize="off" required { (SAMPLE) } }
                label { "Seconds for each position" input name="seconds" type="number" min="0.05" max="60" step="any" value="1"; }
                button.main type="submit" { "Grade" }
                p.notice role="alert" hidden {}
            }
        }
    };
    page::frame(&app, "Grade players", "/grade", &["form.js"], body).into_response()
}

/// The result of a job.
pub(crate) fn outcome(app: &App, meter: &Meter, job: &Job) -> Markup {
    let report = job.report();
    let r = &*report;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (players, games) = (list(&r["players"]), list(&r["games"]));
    html! {
        p.facts { (grouped(games.len())) " games, " (duration(r["seconds"].as_f64().unwrap_or(0.0))) }
        div.wide { table {
            thead { tr { @for name in HEADS { th { (name) } } } }
            tbody { @for player in &players { (row(player)) } }
        } }
        @for player in &players {
            @if let Some(seen) = estimate(player) { p { (seen) } }
        }
        div.buttons { a.button href=(format!("/jobs/{}/file", job.id)) download="grade.html" { "Download the report" } }
        @for player in &players {
            @let firsts: Vec<Value> = list(&player["faults"]).into_iter().filter(|fault| fault["first"] == true).collect();
            @if !firsts.is_empty() {
                h2 { (text(&player["name"])) ": first fault in " (firsts.len()) @if firsts.len() == 1 { " game" } @else { " games" } }
                ul.faults { @for fault in firsts.iter().take(DRAWN) { li { (drawn(app, meter, text(&r["game"]), &games, fault)) } } }
            }
        }
        @let unread = list(&r["unread"]);
        @if !unread.is_empty() {
            h2 { "Not read" }
            ul { @for one in &unread { li { (text(&one["place"])) " " (text(&one["error"])) } } }
        }
    }
}

const HEADS: [&str; 9] =
    ["Player", "Games", "Moves", "Illegal", "Proven", "Keep the value", "Win → draw", "Draw → loss", "Win → loss"];

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn row(player: &Value) -> Markup {
    let kept = &player["kept_share"];
    let percent = |value: &Value| value.as_f64().map_or("–".to_string(), |share| format!("{:.1}", 100.0 * share));
    html! { tr {
        td { (text(&player["name"])) }
        @for key in ["games", "moves", "illegal", "proven"] { td { (grouped(&player[key])) } }
        td {
            @if kept.is_null() { "–" }
            @else { (percent(&kept["share"])) " % [" (percent(&kept["interval"][0])) ", " (percent(&kept["interval"][1])) "]" }
        }
        @for key in ["win_to_draw", "draw_to_loss", "win_to_loss"] { td { (grouped(&player["given_away"][key])) } }
    } }
}

/// The estimate of the moves without a proof, apart from what is proven.
fn estimate(player: &Value) -> Option<String> {
    let seen = &player["estimated"];
    let moves = seen["moves"].as_u64().filter(|&moves| moves > 0)?;
    let (name, agreed) = (text(&player["name"]), seen["agreed"].as_u64().unwrap_or(0));
    let lost = seen["per_move"].as_f64().unwrap_or(0.0);
    let interval = match (seen["interval"][0].as_f64(), seen["interval"][1].as_f64()) {
        (Some(low), Some(high)) => format!(" [{low:.2}, {high:.2}]"),
        _ => String::new(),
    };
    Some(format!(
        "≈ {name}: {} moves without a proof, {} as the search would play, {lost:.2}{interval} points given away per move",
        grouped(moves),
        grouped(agreed)
    ))
}

/// A fault with its board, and a link to the game up to there.
fn drawn(app: &App, meter: &Meter, game: &str, games: &[Value], fault: &Value) -> Markup {
    let number = fault["game"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
    let ply = fault["ply"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
    let played = games.get(number.wrapping_sub(1)).unwrap_or(&Value::Null);
    let moves: Vec<&str> = played["moves"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let (from, line) = (text(&played["from"]), moves[..moves.len().min(ply.saturating_sub(1))].join(" "));
    let address = format!("/g/{}?pos={}&moves={}", url(game), url(from), url(&line));
    let scene = app.game(meter, game).and_then(|game| game.scene(text(&fault["position"])));
    html! {
        p { "Game " (number) ", ply " (ply) ": " strong { (text(&fault["move"])) } " "
            @if fault["kind"] == "illegal" { "is not legal" }
            @else { "turns a " (text(&fault["kind"]).replace("-to-", " into a ")) }
            @if let Some(best) = fault["best"].as_str() { "; better is " strong { (best) } }
        }
        @if let Ok(scene) = scene { a href=(address) aria-label=(format!("Open game {number} at ply {ply}")) { (PreEscaped(scene.svg_small())) } }
    }
}
