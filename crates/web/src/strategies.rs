//! The strategies page: the form, and the result of a test.

use crate::app::{App, Meter, Metered};
use crate::job::Job;
use crate::page::{self, term};
use crate::play::url;
use crate::{job_kinds, job_pages, solve, strategy_editor};
use agon_report::words::grouped;
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
}

/// The most first mistakes that the page lists.
const LISTED_FAILURES: usize = 200;

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PageQuery>) -> Response {
    let drawn = app.bounded(move |app, meter| Ok(drawn(app, meter, &asked))).await;
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn drawn(app: &App, meter: &Meter, asked: &PageQuery) -> Response {
    let given = app.asked_for(&asked.game);
    let game = app.game(meter, given);
    let body = html! {
        h1 { "Strategies" }
        form.choose-game { label { "Game" input name="game" list="games" value=(game.as_ref().map_or(given, |game| game.spelling())) required; } button type="submit" { "Choose" } }
        (solve::suggestions(app))
        @match &game {
            Err(error) => { p.error { (error.message().unwrap_or_default()) } }
            Ok(game) => { (strategy_editor::editor(game)) }
        }
        section.narrow {
            @if let Ok(game) = &game { h2 { "Published strategies, certificates and lists of mistakes" } (form(game)) }
            h2 { "Games with published strategies" }
            ul.legal { @for family in with_strategies(app, meter) { li { a href=(format!("/strategies?game={family}")) { (family) } } } }
        }
    };
    page::frame(app, "Strategies", "/strategies", &["form.js", "workshop.js"], body).into_response()
}

fn with_strategies<'a>(app: &'a App, meter: &Meter) -> Vec<&'a str> {
    let some = |family: &&str| app.game(meter, family).is_ok_and(|game| !game.offers().strategies.is_empty());
    app.registry.entries().map(|entry| entry.facts.family.as_str()).filter(some).collect()
}

fn form(game: &Metered<'_>) -> Markup {
    let offers = game.offers();
    html! {
        form.card-form #start data-kind="verify" {
            input type="hidden" name="game" value=(game.spelling());
            @if offers.strategies.is_empty() { p.warning { (game.spelling()) " has no published strategies; write your own above, or choose one of the games below." } }
            @else {
                label { "Strategy" select name="strategy" {
                    @for s in &offers.strategies {
                        @for reading in &s.readings { option value=(format!("{}:{reading}", s.name)) { (s.name) ": " (reading) } }
                        @if s.readings.is_empty() { option value=(s.name) { (s.name) } }
                    }
                } }
                @for s in &offers.strategies { p.about { strong { (s.name) } ": " (s.about) } }
                label { "Side" select name="side" { @for (word, name) in job_kinds::sides(game) { option value=(word) { (name) } } } }
                label { "Claim" select name="claim" { option value="draw" { "at least a draw" } option value="win" { "a win" } } }
                label.check { input type="checkbox" name="all"; span { "List all first mistakes" } }
                label.check { input type="checkbox" name="repair"; span { "Find the fewest " (term("exceptions", "a position at which a repaired strategy plays a listed move instead of following its rules")) " that make the claim hold" } }
                label.check { input type="checkbox" name="certificate"; span { "Write a certificate" } }
                button.main type="submit" { "Test" }
                p.notice role="alert" hidden {}
            }
        }
    }
}

/// The positions of a line as small boards.
fn strip(game: &Metered<'_>, from: &str, moves: &[&str]) -> Markup {
    let mut pos = from.to_string();
    let mut boards = vec![(String::new(), pos.clone())];
    for mv in moves {
        let Ok((_, next)) = game.play(&pos, mv) else { break };
        boards.push(((*mv).to_string(), next.clone()));
        pos = next;
    }
    let svg = |pos: &str| game.scene(pos).map(|scene| scene.svg_in_page()).unwrap_or_default();
    let address = |n: usize| {
        format!("/g/{}?pos={}&moves={}&values=1", url(game.spelling()), url(from), url(&moves[..n].join(" ")))
    };
    html! {
        ol.trace.still { @for (n, (mv, pos)) in boards.iter().enumerate() {
            li { a href=(address(n)) { (PreEscaped(svg(pos))) span { @if n == 0 { "start" } @else { (n.div_ceil(2)) (if n % 2 == 1 { ". " } else { "… " }) (mv) } } }
                @if n + 1 < boards.len() { (crate::why::button(game.spelling(), pos, "")) } }
        } }
    }
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn number(value: &Value) -> String {
    match value {
        Value::Number(n) => grouped(n),
        Value::String(s) => grouped(s),
        _ => "infinitely many".to_string(),
    }
}

pub(crate) fn outcome(app: &App, meter: &Meter, job: &Job) -> Markup {
    let report = job.report();
    let r = &*report;
    let holds = r["holds"] == true;
    let Ok(game) = app.game(meter, r["game"].as_str().unwrap_or_default()) else { return html! {} };
    let game = &game;
    let from = r["position"].as_str().unwrap_or("start");
    let line = words(&r["counterexample"]);
    let o = &r["outcomes"];
    html! {
        p.verdict.(if holds { "proved" } else { "refuted" }) { @if holds { "✓ The claim holds" } @else { "✗ The claim is refuted" } }
        p.facts { (number(&r["positions"])) " positions, " (number(&r["lines"])) " lines"
            @if o.is_object() { ": " (number(&o["win"])) " won, " (number(&o["draw"])) " drawn, " (number(&o["loss"])) " lost" } "." }
        (job_pages::certificate(job))
        @if r["counterexample"].is_array() {
            h2 { "Counterexample" }
            p { "Shortest refutation: " (r["how"].as_str().unwrap_or_default()) ". Lines that refute the claim: " (number(&r["losing_lines"])) "." }
            p { a.button.main #counterexample href=(format!("/g/{}?pos={}&moves={}&values=1", url(game.spelling()), url(from), url(&line.join(" ")))) { "Replay on the board" } }
            (strip(game, from, &line))
        }
        @if let Some(failures) = r["failures"].as_array() {
            h2 { "First mistakes (" (failures.len()) ")" }
            ul.boards { @for f in failures.iter().take(LISTED_FAILURES) { (failure(game, from, f)) } }
        }
        @if r["repair"].is_object() { (repair(game, &r["repair"])) }
    }
}

fn failure(game: &Metered<'_>, from: &str, f: &Value) -> Markup {
    let pos = f["position"].as_str().unwrap_or_default();
    let wrong = f["move"].as_str().unwrap_or_default();
    let svg = game.scene(pos).map(|scene| scene.svg_in_page()).unwrap_or_default();
    let moves = words(&f["line"]).join(" ");
    html! {
        li { a href=(format!("/g/{}?pos={}&moves={}&values=1", url(game.spelling()), url(from), url(&moves))) { (PreEscaped(svg)) span { "plays " strong { (wrong) } } }
            (crate::why::button(game.spelling(), pos, wrong))
            @if let Some(why) = f["reason"].as_str() { small { (why) } } }
    }
}

fn repair(game: &Metered<'_>, repair: &Value) -> Markup {
    let Some(exceptions) = repair["exceptions"].as_array() else {
        return html! { h2 { "No repair" } p { (repair["why"].as_str().unwrap_or("No repair was found.")) } };
    };
    html! {
        h2 { "Repaired with " (exceptions.len()) " exception" @if exceptions.len() != 1 { "s" } @if repair["fewest"] == true { ", the fewest possible" } @else { "; at least " (repair["at_least"]) " are needed" } }
        p { "The repaired strategy " strong { @if repair["holds"] == true { "holds" } @else { "is refuted" } } ". The exceptions also hold for rotated and reflected boards." }
        ul.boards { @for e in exceptions {
            @let pos = e["position"].as_str().unwrap_or_default();
            @let moves = words(&e["moves"]);
            li { a href=(format!("/g/{}?pos={}&values=1", url(game.spelling()), url(pos))) {
                (PreEscaped(game.scene(pos).map(|scene| scene.svg_in_page()).unwrap_or_default()))
                span { (e["mover"].as_str().unwrap_or_default()) " plays " strong { (moves.join(" or ")) } } } }
        } }
    }
}
