//! Jobs as pages: progress as it happens, and what came out.

use crate::app::{App, Trouble};
use crate::jobs::{Job, Phase};
use crate::page;
use crate::tasks::{self, Request};
use crate::{grundy, solve, strategies};
use agon_edge::words::duration;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream::{self, Stream};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Time between two looks at a running job.
const LOOK: Duration = Duration::from_millis(150);

fn find(app: &App, id: u64) -> Result<Arc<Job>, Trouble> {
    app.jobs.get(id).ok_or_else(|| Trouble::Missing(format!("there is no job {id}")))
}

pub(crate) async fn start(State(app): State<Arc<App>>, Json(request): Json<Request>) -> Result<Json<Value>, Trouble> {
    let order = tasks::order(&app, request)?;
    let job = app.jobs.add(order)?;
    Ok(Json(json!({"id": job.id, "page": format!("/jobs/{}", job.id)})))
}

/// Checks a certificate that a person brings along.
pub(crate) async fn check_file(State(app): State<Arc<App>>, bytes: Bytes) -> Result<Json<Value>, Trouble> {
    let job = app.jobs.add(tasks::order_check(&app, bytes.to_vec())?)?;
    Ok(Json(json!({"id": job.id, "page": format!("/jobs/{}", job.id)})))
}

pub(crate) async fn state(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Result<Json<Value>, Trouble> {
    Ok(Json(find(&app, id)?.snapshot()))
}

pub(crate) async fn cancel(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Result<Json<Value>, Trouble> {
    let job = find(&app, id)?;
    app.jobs.cancel(&job);
    Ok(Json(job.snapshot()))
}

/// What happens to a job, until it is over.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Trouble> {
    let job = find(&app, id)?;
    let stream = stream::unfold(Some((job, String::new())), |at| async move {
        let (job, last) = at?;
        loop {
            // Looked at before the picture is taken, so that the last picture shows the end.
            let over = job.phase().is_over();
            let now = job.snapshot().to_string();
            if over {
                return Some((Ok(Event::default().event("over").data(now)), None));
            }
            if now != last {
                let event = Event::default().event("progress").data(now.clone());
                tokio::time::sleep(if last.is_empty() { Duration::ZERO } else { LOOK }).await;
                return Some((Ok(event), Some((job, now))));
            }
            tokio::time::sleep(LOOK).await;
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Response {
    let jobs = app.jobs.list();
    let body = html! {
        section.narrow {
            h1 { "Jobs" }
            @if jobs.is_empty() {
                p { "Nothing has run yet. " a href="/solve" { "Solve a game" } ", " a href="/strategies" { "test a strategy" } " or " a href="/grundy" { "compute nim-values" } "." }
            }
            ul.jobs { @for job in &jobs { li { a href=(format!("/jobs/{}", job.id)) { (job.title) } " " span.phase.(job.phase().name()) { (job.phase().name()) } } } }
        }
    };
    page::frame(&app, "Jobs", "/jobs", &[], body).into_response()
}

pub(crate) async fn page(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Response {
    let job = match find(&app, id) {
        Ok(job) => job,
        Err(trouble) => return page::trouble(&app, &trouble),
    };
    let (room, scripts): (&str, &[&str]) = match job.kind {
        "grundy" => ("/grundy", &["job.js", "plot.js"]),
        "verify" => ("/strategies", &["job.js"]),
        "claims" => ("/claims", &["job.js"]),
        _ => ("/solve", &["job.js"]),
    };
    let over = job.phase().is_over();
    let body = html! {
        section.job #job data-id=(job.id) data-over=(over) {
            h1 { (job.title) }
            div.progress #progress hidden[over] {
                progress #bar max="1" {}
                p.facts #facts { "waiting for a free worker" }
                button #cancel type="button" { "Cancel" }
            }
            div #result { @if over { (outcome(&app, &job)) } }
        }
    };
    page::frame(&app, &job.title, room, scripts, body).into_response()
}

pub(crate) async fn result(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Result<Html<String>, Trouble> {
    let job = find(&app, id)?;
    Ok(Html(outcome(&app, &job).into_string()))
}

/// What came out.
fn outcome(app: &App, job: &Job) -> Markup {
    let left = job.outcome();
    let seconds = job.snapshot()["seconds"].as_f64().unwrap_or(0.0);
    html! {
        @match job.phase() {
            Phase::Failed => { p.error { (job.why().unwrap_or_default()) } }
            Phase::Cancelled => { p.warning { "Cancelled after " (duration(seconds)) "." @if !left.report.is_null() { " What is shown was proven before." } } }
            _ => {}
        }
        @if !left.report.is_null() {
            @match job.kind {
                "solve" => { (solve::outcome(app, job, &left)) }
                "verify" => { (strategies::outcome(app, job, &left)) }
                "check" => { (checked(&left.report)) }
                "grundy" => { (grundy::outcome(job, &left)) }
                _ => { p { "All are recomputed. " a href="/claims" { "See the verdicts" } "." } }
            }
        }
        @if job.phase() != Phase::Done { p { a.button href=(again(job)) { "Try again" } } }
    }
}

fn again(job: &Job) -> String {
    let room = match job.kind {
        "grundy" => "/grundy",
        "verify" => "/strategies",
        "claims" => "/claims",
        _ => "/solve",
    };
    job.game.as_ref().map_or(room.to_string(), |game| format!("{room}?game={}", crate::play::url(game)))
}

fn checked(report: &Value) -> Markup {
    let (verdict, said) =
        (report["verdict"].as_str().unwrap_or_default(), report["statement"].as_str().unwrap_or_default());
    html! {
        p.verdict.(verdict) { @if verdict == "proved" { "✓ Proved" } @else if verdict == "refuted" { "✗ Not proved" } @else { "✗ Damaged" } }
        p { (said) }
        @if let Some(positions) = report["positions"].as_u64() { p.facts { (agon_edge::words::grouped(positions)) " positions looked at, with the rules alone." } }
    }
}

/// The parts of a result that concern its certificate.
pub(crate) fn certificate(job: &Job, left: &crate::jobs::Outcome) -> Markup {
    html! {
        @if let Some((name, bytes)) = &left.file {
            div.buttons {
                a.button href=(format!("/jobs/{}/file", job.id)) download=(name) { "Certificate (" (agon_edge::words::grouped(bytes.len())) " bytes)" }
                button type="button" data-check=(job.id) { "Check it with the rules alone" }
            }
        }
        @if let Some(why) = left.report["no_certificate"].as_str() { p.warning { "No certificate: " (why) } }
    }
}

#[derive(Deserialize)]
pub(crate) struct Form {
    #[serde(default, rename = "as")]
    form: String,
}

/// What a job leaves behind as a file: its certificate, or its numbers as text or as 32-bit little-endian words.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(asked): Query<Form>,
) -> Result<Response, Trouble> {
    let left = find(&app, id)?.outcome();
    let attached = |name: &str| format!("attachment; filename=\"{name}\"");
    let answer = match (&left.file, asked.form.as_str()) {
        (Some((name, bytes)), _) => {
            let headers =
                [(CONTENT_TYPE, "application/octet-stream".to_string()), (CONTENT_DISPOSITION, attached(name))];
            (headers, bytes.clone()).into_response()
        }
        (None, _) if left.values.is_empty() => return Err(Trouble::Missing("that job left no file".into())),
        (None, "words") => {
            let bytes: Vec<u8> = left.values.iter().flat_map(|value| value.to_le_bytes()).collect();
            ([(CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
        }
        (None, _) => {
            let mut text = String::from("heap,value\n");
            for (n, value) in left.values.iter().enumerate() {
                let _ = writeln!(text, "{n},{value}");
            }
            let headers = [(CONTENT_TYPE, "text/csv".to_string()), (CONTENT_DISPOSITION, attached("grundy.csv"))];
            (headers, text).into_response()
        }
    };
    Ok(answer)
}
