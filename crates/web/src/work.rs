//! Jobs as pages: progress as it happens, and what came out.

use crate::app::{App, Meter, Trouble};
use crate::job::{Job, Phase};
use crate::jobs::Order;
use crate::keep::Keep;
use crate::page;
use crate::tasks::{self, Request};
use crate::watch::Onlooker;
use crate::{arena, grundy, solve, strategies};
use agon_report::words::duration;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::Uri;
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

/// Puts a job into the line; the disk may take a moment.
async fn add(
    app: Arc<App>,
    order: impl FnOnce(&Arc<App>, &Meter) -> Result<Order, Trouble> + Send + 'static,
) -> Answer {
    told(&*app.bounded(move |app, meter| app.jobs.add(order(app, meter)?)).await?)
}

fn told(job: &Job) -> Answer {
    Ok(Json(json!({"id": job.id, "page": format!("/jobs/{}", job.id)})))
}

type Answer = Result<Json<Value>, Trouble>;

pub(crate) async fn start(State(app): State<Arc<App>>, Json(request): Json<Request>) -> Answer {
    add(app, move |app, meter| tasks::order(app, meter, request)).await
}

/// Checks a certificate that a person brings along.
pub(crate) async fn check_file(State(app): State<Arc<App>>, bytes: Bytes) -> Answer {
    add(app, move |app, meter| tasks::order_check(app, meter, bytes.to_vec())).await
}

pub(crate) async fn state(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    Ok(Json(find(&app, id)?.snapshot()))
}

pub(crate) async fn cancel(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let job = find(&app, id)?;
    // A job that waited is over at once, which goes to the disk.
    let cancelled = tokio::task::spawn_blocking(move || {
        app.jobs.cancel(&job);
        job.snapshot()
    });
    Ok(Json(cancelled.await.map_err(|_| Trouble::Broken)?))
}

/// Begins a job again that was cancelled or failed; it resumes where it can.
pub(crate) async fn again(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let begun = app.bounded(move |app, meter| {
        let job = find(app, id)?;
        app.jobs.again(&job, tasks::order_again(app, meter, &job.request)?)
    });
    told(&*begun.await?)
}

/// Removes a job that is over, and everything it left.
pub(crate) async fn remove(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let removed = tokio::task::spawn_blocking(move || app.jobs.remove(id)).await;
    removed.map_err(|_| Trouble::Broken)??;
    Ok(Json(json!({"removed": id})))
}

#[derive(Deserialize)]
pub(crate) struct Looking {
    /// The table to look at.
    watch: Option<usize>,
}

/// What is sent while a job runs: how far it is, and what happens at a table.
struct Follow {
    app: Arc<App>,
    job: Arc<Job>,
    last: String,
    onlooker: Option<Onlooker>,
    over: bool,
}

impl Follow {
    /// What is new at the table looked at.
    async fn look(&mut self) -> Option<String> {
        let mut onlooker = self.onlooker.take_if(|onlooker| onlooker.is_due())?;
        let job = self.job.clone();
        let looked = self.app.bounded(move |app, meter| {
            let seen = onlooker.look(app, meter, job.game.as_deref().unwrap_or_default(), job.watch());
            let told = seen.map(|mut seen| {
                seen["tables"] = json!(job.watch().tables());
                seen.to_string()
            });
            Ok((onlooker, told))
        });
        let (onlooker, told) = looked.await.ok()?;
        self.onlooker = Some(onlooker);
        told
    }

    async fn next(mut self) -> Option<(Result<Event, Infallible>, Follow)> {
        let event = |name: &str, data: String| Ok(Event::default().event(name).data(data));
        while !self.over {
            if !self.last.is_empty() {
                tokio::time::sleep(LOOK).await;
                if let Some(seen) = self.look().await {
                    return Some((event("board", seen), self));
                }
            }
            // Looked at before the picture is taken, so that the last picture shows the end.
            self.over = self.job.phase().is_over();
            let now = self.job.snapshot().to_string();
            if self.over {
                return Some((event("over", now), self));
            }
            if now != self.last {
                self.last.clone_from(&now);
                return Some((event("progress", now), self));
            }
        }
        None
    }
}

/// What happens to a job, until it is over.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(looking): Query<Looking>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Trouble> {
    let job = find(&app, id)?;
    let onlooker = looking.watch.map(Onlooker::new);
    let follow = Follow { app, job, last: String::new(), onlooker, over: false };
    Ok(Sse::new(stream::unfold(follow, Follow::next)).keep_alive(KeepAlive::default()))
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Response {
    let jobs = app.jobs.list();
    let (damaged, troubles) = app.jobs.keep().map(Keep::troubles).unwrap_or_default();
    let body = html! {
        section.narrow {
            h1 { "Jobs" }
            @if jobs.is_empty() {
                p { "Nothing has run yet. " a href="/solve" { "Solve a game" } ", " a href="/strategies" { "test a strategy" } " or " a href="/grundy" { "compute nim-values" } "." }
            }
            p.notice role="alert" hidden {}
            div #kept-jobs {
            @if !damaged.is_empty() || !troubles.is_empty() {
                section.warning { h2 { "What could not be kept or read" }
                    ul.troubles {
                        @for (id, why) in &damaged { li { (why) " " button.quiet type="button" data-remove=(id) aria-label=(format!("Remove what is left of job {id}")) { "Remove" } } }
                        @for why in &troubles { li { (why) } }
                    }
                }
            }
            ul.jobs { @for job in &jobs {
                @let phase = job.phase();
                li data-id=(job.id) data-over=(phase.is_over()) {
                    a href=(format!("/jobs/{}", job.id)) { (job.title) }
                    span.phase.(phase.name()) { (mark(phase)) " " (phase.name()) @if let Some(note) = job.note() { ", " (note) } }
                    @if phase.is_over() { button.quiet type="button" data-remove=(job.id) aria-label=(format!("Remove job {}", job.id)) title="Remove this job and everything it left" { "Remove" } }
                    @else { button.quiet type="button" data-cancel=(job.id) aria-label=(format!("Cancel job {}", job.id)) { "Cancel" } }
                }
            } }
            @if jobs.iter().any(|job| job.phase().is_over()) { div.buttons { button #remove-all type="button" { "Remove all that are over" } } }
            }
            p.facts {
                @match app.jobs.keep() {
                    Some(keep) => { "Jobs are kept in " code { (keep.root().display()) } ", the last " (crate::jobs::KEPT) " that are over; what runs goes on when the server is started again." }
                    None => { "Jobs are not kept: they end with the server. " code { "agon serve --data DIR" } " keeps them." }
                }
            }
        }
    };
    page::frame(&app, "Jobs", "/jobs", &["jobs.js"], body).into_response()
}

fn mark(phase: Phase) -> &'static str {
    match phase {
        Phase::Done => "✓",
        Phase::Failed => "✗",
        Phase::Cancelled => "–",
        Phase::Running => "▶",
        Phase::Waiting => "…",
    }
}

pub(crate) async fn page(State(app): State<Arc<App>>, id: Result<Path<u64>, PathRejection>, uri: Uri) -> Response {
    let Ok(Path(id)) = id else { return page::not_found(State(app), uri).await };
    let drawn = app.bounded(move |app, meter| Ok(drawn(app, meter, &*find(app, id)?))).await;
    drawn.unwrap_or_else(|trouble| page::trouble(&app, &trouble))
}

fn drawn(app: &App, meter: &Meter, job: &Job) -> Response {
    let (room, scripts): (&str, &[&str]) = match job.kind {
        "grundy" => ("/grundy", &["job.js", "plot.js"]),
        "verify" => ("/strategies", &["job.js"]),
        "claims" => ("/claims", &["job.js"]),
        "arena" => ("/arena", &["job.js"]),
        _ => ("/solve", &["job.js"]),
    };
    let over = job.phase().is_over();
    let body = html! {
        section.job #job data-id=(job.id) data-over=(over) data-live=(job.kind == "arena") {
            h1 { (job.title) }
            p.notice #note hidden[job.note().is_none()] { (job.note().unwrap_or_default()) }
            div.progress #progress hidden[over] {
                progress #bar max="1" aria-label="How far it is" {}
                p.facts #facts { "waiting for a free worker" }
                button #cancel type="button" { "Cancel" }
            }
            @if job.kind == "arena" { (arena::screen(job, over)) }
            div #result { @if over { (outcome(app, meter, job)) } @else if job.kind == "arena" { (standing(job)) } }
        }
    };
    page::frame(app, &job.title, room, scripts, body).into_response()
}

pub(crate) async fn result(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Result<Html<String>, Trouble> {
    let drawn = app.bounded(move |app, meter| Ok(outcome(app, meter, &*find(app, id)?).into_string()));
    Ok(Html(drawn.await?))
}

/// How a tournament stands.
fn standing(job: &Job) -> Markup {
    let (report, live) = (job.report(), job.live());
    let r = if report.is_null() { &live } else { &*report };
    html! { @if !r.is_null() { (arena::standing(job, r)) } }
}

/// What came out.
fn outcome(app: &App, meter: &Meter, job: &Job) -> Markup {
    let report = job.report();
    let seconds = job.snapshot()["seconds"].as_f64().unwrap_or(0.0);
    let phase = job.phase();
    html! {
        @match phase {
            Phase::Failed => { p.error { (job.why().unwrap_or_default()) } }
            Phase::Cancelled => { p.warning { "Cancelled after " (duration(seconds)) "." @if !report.is_null() { " What is shown was found before." } } }
            _ => {}
        }
        @if phase.is_over() && phase != Phase::Done { div.buttons {
            @if job.kind != "check" { button.main type="button" data-again=(job.id) { @if job.kind == "arena" && app.jobs.keep().is_some() { "Go on" } @else { "Try again" } } }
            a.button href=(elsewhere(job)) { "Ask for something else" }
        } }
        @if job.kind == "arena" { (standing(job)) }
        @else if !report.is_null() {
            @match job.kind {
                "solve" => { (solve::outcome(app, meter, job)) }
                "verify" => { (strategies::outcome(app, meter, job)) }
                "check" => { (checked(&report)) }
                "grundy" => { (grundy::outcome(job)) }
                _ => { p { "All are recomputed. " a href="/claims" { "See the verdicts" } "." } }
            }
        }
    }
}

fn elsewhere(job: &Job) -> String {
    let room = match job.kind {
        "grundy" => "/grundy",
        "verify" => "/strategies",
        "claims" => "/claims",
        "arena" => "/arena",
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
        @if let Some(positions) = report["positions"].as_u64() { p.facts { (agon_report::words::grouped(positions)) " positions looked at, with the rules alone." } }
    }
}

/// The parts of a result that concern its certificate.
pub(crate) fn certificate(job: &Job) -> Markup {
    html! {
        @if let Some((name, bytes)) = job.file() {
            div.buttons {
                a.button href=(format!("/jobs/{}/file", job.id)) download=(name) { "Certificate (" (agon_report::words::grouped(bytes)) " bytes)" }
                button type="button" data-check=(job.id) { "Check it with the rules alone" }
            }
        }
        @if let Some(why) = job.report()["no_certificate"].as_str() { p.warning { "No certificate: " (why) } }
    }
}

#[derive(Deserialize)]
pub(crate) struct Form {
    #[serde(default, rename = "as")]
    form: String,
}

/// What a job leaves behind as a file: its certificate, its games, or its numbers as text or as 32-bit little-endian
/// words.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(asked): Query<Form>,
) -> Result<Response, Trouble> {
    let read = tokio::task::spawn_blocking(move || {
        let job = find(&app, id)?;
        let bytes = job.contents()?;
        let name = job.file().map(|(name, _)| name).unwrap_or_default();
        Ok::<_, Trouble>(if job.kind == "grundy" && asked.form != "words" {
            ("grundy.csv".to_string(), "text/csv", csv(&bytes))
        } else {
            (name, "application/octet-stream", bytes)
        })
    });
    let (name, kind, bytes) = read.await.map_err(|_| Trouble::Broken)??;
    let attached = format!("attachment; filename=\"{name}\"");
    Ok(([(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, attached)], bytes).into_response())
}

/// Words as lines of text.
fn csv(words: &[u8]) -> Vec<u8> {
    let mut text = String::from("heap,value\n");
    for (n, word) in words.as_chunks::<4>().0.iter().enumerate() {
        let _ = writeln!(text, "{n},{}", u32::from_le_bytes(*word));
    }
    text.into_bytes()
}
