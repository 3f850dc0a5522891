//! The solve page: the form, and the result of a solve.

use crate::app::{App, Meter};
use crate::job::Job;
use crate::page::{self, term};
use crate::play::url;
use crate::{charts, job_pages};
use agon_report::words::{duration, grouped};
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default)]
    game: String,
    #[serde(default)]
    pos: String,
    /// The memory limit in MiB.
    memory: Option<u64>,
}

/// The names of all families and aliases, for autocompletion.
pub(crate) fn suggestions(app: &App) -> Markup {
    html! {
        datalist #games {
            @for entry in app.registry.entries() {
                option value=(entry.facts.family) { (entry.facts.title) }
                @for (alias, spelling) in entry.aliases() { option value=(alias) { (spelling) } }
            }
        }
    }
}

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PageQuery>) -> Response {
    let drawn = app.bounded(move |app, meter| Ok(form(app, meter, &asked))).await;
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn form(app: &App, meter: &Meter, asked: &PageQuery) -> Response {
    let given = app.asked_for(&asked.game);
    let game = app.game(meter, given);
    let solvers = game.as_ref().map(|game| game.offers().solvers).unwrap_or_default();
    let body = html! {
        section.narrow {
            h1 { "Solve" }
            p { "Find the value of a position under best play, with a "
                (term("certificate", "a file that proves the value; a checker needs only the rules of the game to verify it"))
                " that proves it." }
            @if let Err(error) = &game { p.error { (error.message().unwrap_or_default()) } }
            form.card-form #start data-kind="solve" {
                label { "Game" input name="game" list="games" value=(given) required data-reload; }
                (suggestions(app))
                label { "Position" input name="pos" value=(asked.pos) placeholder="start"; }
                label { "Method" select name="solver" {
                    option value="auto" { "automatic" }
                    @for solver in &solvers { option value=(solver) { (method(solver)) } }
                } }
                label.check { input type="checkbox" name="strong"; span { "Solve every reachable position (strong solution)" } }
                label.check { input type="checkbox" name="certificate" checked; span { "Write a certificate" } }
                label { "Memory limit (MiB)" input name="memory" type="number" min="16" max="1048576" value=(asked.memory.unwrap_or(1024)); }
                button.main type="submit" { "Solve" }
                p.notice role="alert" hidden {}
            }
            h2 { "Check a certificate" }
            form.card-form #check { label { "File" input type="file" name="file" required; } button type="submit" { "Check" } p.notice role="alert" hidden {} }
        }
    };
    page::frame(app, "Solve", "/solve", &["form.js"], body).into_response()
}

pub(crate) fn outcome(app: &App, meter: &Meter, job: &Job) -> Markup {
    let report = job.report();
    let r = &*report;
    let text = |key: &str| r[key].as_str().unwrap_or_default().to_string();
    let (game, pos, value) = (text("game"), text("position"), text("value"));
    let mover = crate::play::spoken(r["mover"][1].as_str().unwrap_or_default());
    let mover = mover.as_str();
    let board =
        |pos: &str| app.game(meter, &game).ok().and_then(|g| g.scene(pos).ok()).map(|scene| scene.svg_in_page());
    let play = format!("/g/{}?pos={}&values=1", url(&game), url(&pos));
    html! {
        (charts::patterns())
        div.result {
            a.mini href=(play) { span aria-hidden="true" { (PreEscaped(board(&pos).map(|svg| pictured(&svg)).unwrap_or_default())) } span.unseen { "Open the board" } }
            div {
                p.value.{"v-" (value)} {
                    @if value == "unknown" { "Not solved" @if let Some(bounds) = bounds(&text("lo"), &text("hi")) { ": " (bounds) " for " (mover) } }
                    @else { (charts::sign(&value)) " A " (value) " for " (mover) @if let Some(plies) = r["plies"].as_u64().filter(|_| value != "draw") { ", in " (plies) " " (term(if plies == 1 { "ply" } else { "plies" }, "moves of one side")) } }
                }
                @if let Some(says) = r["estimate"]["says"].as_str() { p { "≈ " (says) } }
                (known(r, mover))
                @if let Some(best) = r["best"].as_str() { p { "Best move" @if let Some(n) = best_count(r) { " (one of " (n) ")" } ": " a href=(format!("/g/{}?pos={}&moves={}&values=1", url(&game), url(&pos), url(best))) { (best) } } }
                @if let Some(nimber) = r["nimber"].as_u64() { p { (term("Nim-value", "the size of the nim heap that this position is equivalent to")) " " (nimber) } }
                @let nodes = r["nodes"].as_u64().unwrap_or(0);
                p.facts { (grouped(nodes)) (if nodes == 1 { " position examined in " } else { " positions examined in " }) (duration(r["seconds"].as_f64().unwrap_or(0.0))) " (" (method(&text("solver"))) ")" }
                div.buttons {
                    a.button.main href=(play) { "Open the board" }
                    a.button href=(format!("{play}&first=perfect&second=perfect")) { "Watch best play" }
                    (crate::why::button(&game, &pos, ""))
                }
                (job_pages::certificate(job))
            }
        }
        (counts(r))
        (lines(&game, &pos, r, &board))
        (moves(&game, &pos, r))
    }
}

/// A picture without places to click.
fn pictured(svg: &str) -> String {
    svg.split_once("<g class=\"hits\">").map_or(svg.to_string(), |(before, _)| format!("{before}</svg>"))
}

/// The name of a method in words.
fn method(name: &str) -> &str {
    match name {
        "null-window" => "null-window search",
        "alphabeta" => "alpha–beta search",
        "brute" => "search of every line",
        "portfolio" => "several methods in turn",
        "strong" => "every reachable position",
        "retrograde" => "backward from the ends",
        "nimbers" | "grundy" => "nim-values",
        "pns" | "proof-number" => "proof-number search",
        other => other,
    }
}

/// What is proven about a value that is not known, if anything is.
fn bounds(lo: &str, hi: &str) -> Option<&'static str> {
    match (lo, hi) {
        ("draw", _) => Some("at least a draw"),
        (_, "draw") => Some("at most a draw"),
        _ => None,
    }
}

/// The value known from elsewhere, with its source.
fn known(r: &Value, mover: &str) -> Markup {
    let text = |key: &str| r["known"][key].as_str().unwrap_or_default();
    html! {
        @if r["known"].is_object() {
            p { "Known value: a " (text("value")) " for " (mover) " (" (text("source")) ")."
                @if r["known"]["agrees"] == false { " " strong { "This contradicts what was proved now: one of the two is wrong." } } }
        }
    }
}

/// The number of equally good moves, if it is known and there are several.
fn best_count(r: &Value) -> Option<usize> {
    r["best_moves"].as_array().map(Vec::len).filter(|&n| n > 1)
}

/// Charts of positions by value and by distance.
fn counts(r: &Value) -> Markup {
    let rows = r["distances"].as_array().into_iter().flatten();
    let rows: Vec<(u64, u64)> = rows.filter_map(|row| Some((row[0].as_u64()?, row[1].as_u64()?))).collect();
    html! {
        @if r["totals"].is_object() { h2 { "Reachable positions, by their value for the side to move" } (charts::shares("all reachable", &r["totals"])) (charts::shares("up to symmetry", &r["classes"])) }
        @if let Some(phases) = r["phases"].as_array() {
            @if !phases.is_empty() { h2 { "By phase, for the side to move" } }
            @for phase in phases {
                (charts::shares(phase["name"].as_str().unwrap_or_default(), &phase["totals"]))
                p.facts { "Longest win: " (plies(&phase["longest_win"])) "; longest defence: " (plies(&phase["longest_loss"])) }
            }
        }
        @if !rows.is_empty() { h2 { "Distance to the end" } (charts::distances(&rows)) }
    }
}

/// Replays of best play and of the longest win.
fn lines(game: &str, pos: &str, r: &Value, board: &dyn Fn(&str) -> Option<String>) -> Markup {
    let words =
        |list: &Value| list.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
    let (line, longest) = (words(&r["line"]), &r["longest"]);
    let from = longest["position"].as_str().unwrap_or_default();
    html! {
        div.reels {
            @if !line.is_empty() {
                section { h2 { "Best play on both sides" }
                    (charts::player("best-line", game, pos, &line, &board(pos).unwrap_or_default())) }
            }
            @if longest.is_object() {
                section { h2 { "Longest win: " (plies(&longest["plies"])) }
                    (charts::player("longest", game, from, &words(&longest["line"]), &board(from).unwrap_or_default())) }
            }
        }
    }
}

/// The values of the first moves.
fn moves(game: &str, pos: &str, r: &Value) -> Markup {
    let to = |mv: &str| format!("/g/{}?pos={}&moves={}&values=1", url(game), url(pos), url(mv));
    html! {
        @if let Some(first) = r["first_moves"].as_array().filter(|f| !f.is_empty()) {
            h2 { "First moves" }
            ul.legal.tall { @for mv in first {
                @let (name, value) = (mv["move"].as_str().unwrap_or_default(), mv["value"].as_str().unwrap_or("unknown"));
                li { a href=(to(name)) { (name) " " span class=(format!("v-{value}")) { (charts::sign(value)) @if value != "draw" && mv["plies"].is_u64() { (mv["plies"]) } span.unseen { " " (value) } } } }
            } }
        }
        @if let Some(winning) = r["winning_moves"].as_array().filter(|w| !w.is_empty()) {
            h2 { "Winning moves" }
            ul.legal { @for mv in winning.iter().filter_map(Value::as_str).take(200) { li { a href=(to(mv)) { (mv) } } } }
        }
    }
}

/// A number of plies in words; `none` if there is no number.
pub(crate) fn plies(value: &Value) -> String {
    match value.as_u64() {
        None => "none".to_string(),
        Some(1) => "1 ply".to_string(),
        Some(n) => format!("{n} plies"),
    }
}
