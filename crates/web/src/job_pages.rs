//! The pages of jobs: live progress, and the result.

use crate::app::{App, Meter, RequestError};
use crate::job::{Job, JobKind, Phase};
use crate::job_kinds::{self, Request};
use crate::job_store::JobStore;
use crate::jobs::JobSpec;
use crate::page;
use crate::watch::Viewer;
use crate::{arena, grade, grundy, solve, strategies};
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

/// The time between two polls of a running job.
const POLL_INTERVAL: Duration = Duration::from_millis(150);

fn find(app: &App, id: u64) -> Result<Arc<Job>, RequestError> {
    app.jobs.get(id).ok_or_else(|| RequestError::NotFound(format!("there is no job {id}")))
}

/// Adds a job to the queue, on a blocking thread because its record goes to the disk.
async fn add(
    app: Arc<App>,
    spec: impl FnOnce(&Arc<App>, &Meter) -> Result<JobSpec, RequestError> + Send + 'static,
) -> Answer {
    job_address(&*app.bounded(move |app, meter| app.jobs.add(spec(app, meter)?)).await?)
}

fn job_address(job: &Job) -> Answer {
    Ok(Json(json!({"id": job.id, "page": format!("/jobs/{}", job.id)})))
}

type Answer = Result<Json<Value>, RequestError>;

pub(crate) async fn start(State(app): State<Arc<App>>, Json(request): Json<Request>) -> Answer {
    add(app, move |app, meter| job_kinds::job_spec(app, meter, request)).await
}

/// Checks an uploaded certificate.
pub(crate) async fn check_file(State(app): State<Arc<App>>, bytes: Bytes) -> Answer {
    add(app, move |app, meter| job_kinds::job_check(app, meter, bytes.to_vec())).await
}

pub(crate) async fn state(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    Ok(Json(find(&app, id)?.snapshot()))
}

pub(crate) async fn cancel(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let job = find(&app, id)?;
    // A waiting job ends at once, and its record goes to the disk.
    let cancelled = tokio::task::spawn_blocking(move || {
        app.jobs.cancel(&job);
        job.snapshot()
    });
    Ok(Json(cancelled.await.map_err(|_| RequestError::Panicked)?))
}

/// Starts a cancelled or failed job again; it resumes where it can.
pub(crate) async fn again(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let started = app.bounded(move |app, meter| {
        let job = find(app, id)?;
        app.jobs.again(&job, job_kinds::respawn(app, meter, &job.request)?)
    });
    job_address(&*started.await?)
}

/// Deletes a finished job with all its files.
pub(crate) async fn remove(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let removed = tokio::task::spawn_blocking(move || app.jobs.remove(id)).await;
    removed.map_err(|_| RequestError::Panicked)??;
    Ok(Json(json!({"removed": id})))
}

#[derive(Deserialize)]
pub(crate) struct EventsQuery {
    /// The table to watch.
    watch: Option<usize>,
}

/// The events that are sent while a job runs: its progress, and the moves at one table.
struct EventFeed {
    app: Arc<App>,
    job: Arc<Job>,
    last: String,
    viewer: Option<Viewer>,
    over: bool,
}

impl EventFeed {
    /// The news at the watched table.
    async fn look(&mut self) -> Option<String> {
        let mut viewer = self.viewer.take_if(|viewer| viewer.is_due())?;
        let job = self.job.clone();
        let looked = self.app.bounded(move |app, meter| {
            let seen = viewer.look(app, meter, job.game.as_deref().unwrap_or_default(), job.watch());
            let event = seen.map(|mut seen| {
                seen["tables"] = json!(job.watch().tables());
                seen.to_string()
            });
            Ok((viewer, event))
        });
        let (viewer, event) = looked.await.ok()?;
        self.viewer = Some(viewer);
        event
    }

    async fn next(mut self) -> Option<(Result<Event, Infallible>, EventFeed)> {
        let event = |name: &str, data: String| Ok(Event::default().event(name).data(data));
        while !self.over {
            if !self.last.is_empty() {
                tokio::time::sleep(POLL_INTERVAL).await;
                if let Some(seen) = self.look().await {
                    return Some((event("board", seen), self));
                }
            }
            // The phase is read before the snapshot, so that the last snapshot shows the end.
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

/// The stream of a job's events, until it ends.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(looking): Query<EventsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestError> {
    let job = find(&app, id)?;
    let viewer = looking.watch.map(Viewer::new);
    let follow = EventFeed { app, job, last: String::new(), viewer, over: false };
    Ok(Sse::new(stream::unfold(follow, EventFeed::next)).keep_alive(KeepAlive::default()))
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Response {
    let jobs = app.jobs.list();
    let (damaged, warnings) = app.jobs.store().map(JobStore::warnings).unwrap_or_default();
    let body = html! {
        section.narrow {
            h1 { "Jobs" }
            @if jobs.is_empty() {
                p { "No jobs yet. " a href="/solve" { "Solve a game" } ", " a href="/strategies" { "test a strategy" } " or " a href="/grundy" { "compute nim-values" } "." }
            }
            p.notice role="alert" hidden {}
            div #kept-jobs {
            @if !damaged.is_empty() || !warnings.is_empty() {
                section.warning { h2 { "Problems with stored jobs" }
                    ul.troubles {
                        @for (id, why) in &damaged { li { (why) " " button.quiet type="button" data-remove=(id) aria-label=(format!("Remove damaged job {id}")) { "Remove" } } }
                        @for why in &warnings { li { (why) } }
                    }
                }
            }
            ul.jobs { @for job in &jobs {
                @let phase = job.phase();
                li data-id=(job.id) data-over=(phase.is_over()) {
                    a href=(format!("/jobs/{}", job.id)) { (job.title) }
                    span.phase.(phase.name()) { (if refuted(job) { "✗" } else { mark(phase) }) " " (phase.name()) @if let Some(note) = job.note() { ", " (note) } @if let Some(found) = found(job) { ": " (found) } }
                    @if phase.is_over() { button.quiet type="button" data-remove=(job.id) aria-label=(format!("Remove job {}", job.id)) title="Delete this job and its files" { "Remove" } }
                    @else { button.quiet type="button" data-cancel=(job.id) aria-label=(format!("Cancel job {}", job.id)) { "Cancel" } }
                }
            } }
            @if jobs.iter().any(|job| job.phase().is_over()) { div.buttons { button #remove-all type="button" { "Clear finished" } } }
            }
            p.facts {
                @match app.jobs.store() {
                    Some(store) => { "The last " (crate::jobs::MAX_FINISHED) " finished jobs are kept in " code { (store.root().display()) } "; running jobs resume after a restart." }
                    None => { "Jobs are not saved and end with the server. To save them, start the server with a directory for its data." }
                }
            }
        }
    };
    page::frame(&app, "Jobs", "/jobs", &["jobs.js"], body).into_response()
}

/// The result of a finished job in a few words, and how long it took.
fn found(job: &Job) -> Option<String> {
    if job.phase() != Phase::Done {
        return None;
    }
    let report = job.report();
    let said = match (report["verdict"].as_str(), report["value"].as_str(), report["holds"].as_bool()) {
        (Some(verdict), ..) => Some(verdict.to_string()),
        (_, Some("unknown"), _) => Some("not solved".to_string()),
        (_, Some(value), _) => Some(format!(
            "a {value} for {}",
            crate::play::spoken(report["mover"][1].as_str().unwrap_or("the side to move"))
        )),
        (.., Some(holds)) => Some(if holds { "the claim holds" } else { "the claim is refuted" }.to_string()),
        _ => None,
    };
    let seconds = job.snapshot()["seconds"].as_f64().map(duration);
    let parts: Vec<String> = said.into_iter().chain(seconds).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns whether the job is over and refuted what it was asked about.
fn refuted(job: &Job) -> bool {
    let report = job.report();
    job.phase() == Phase::Done
        && (report["holds"] == false || report["verdict"] == "refuted" || report["verdict"] == "corrupt")
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
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn drawn(app: &App, meter: &Meter, job: &Job) -> Response {
    let scripts: &[&str] = if job.kind == JobKind::Grundy { &["job.js", "plot.js"] } else { &["job.js", "reasons.js"] };
    let over = job.phase().is_over();
    let body = html! {
        section.job #job data-id=(job.id) data-over=(over) data-live=(job.kind == JobKind::Arena) {
            h1 { (job.title) }
            p.notice #note hidden[job.note().is_none()] { (job.note().unwrap_or_default()) }
            div.progress #progress hidden[over] {
                p.found #found role="status" hidden {}
                progress #bar max="1" aria-label="Progress" {}
                p.facts #facts { "Waiting for a free worker" }
                button #cancel type="button" { "Cancel" }
            }
            @if job.kind == JobKind::Arena { (arena::screen(job, over)) }
            div #result { @if over { (outcome(app, meter, job)) } @else if job.kind == JobKind::Arena { (standing(job)) } }
        }
    };
    page::frame(app, &job.title, job.kind.room(), scripts, body).into_response()
}

pub(crate) async fn result(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Result<Html<String>, RequestError> {
    let drawn = app.bounded(move |app, meter| Ok(outcome(app, meter, &*find(app, id)?).into_string()));
    Ok(Html(drawn.await?))
}

/// The standings of a tournament.
fn standing(job: &Job) -> Markup {
    let (report, live) = (job.report(), job.live());
    let r = if report.is_null() { &live } else { &*report };
    html! { @if !r.is_null() { (arena::standing(job, r)) } }
}

/// The result of a job.
fn outcome(app: &App, meter: &Meter, job: &Job) -> Markup {
    let report = job.report();
    let seconds = job.snapshot()["seconds"].as_f64().unwrap_or(0.0);
    let phase = job.phase();
    html! {
        @match phase {
            Phase::Failed => { p.error { (job.why().unwrap_or_default()) } }
            Phase::Cancelled => { p.warning { "Cancelled after " (duration(seconds)) "." @if !report.is_null() { " Results so far:" } } }
            _ => {}
        }
        @if phase.is_over() && phase != Phase::Done { div.buttons {
            @let memory = job.why().as_deref().and_then(memory_needed);
            @if let Some(memory) = memory { a.button.main href=(format!("{}{}memory={memory}", form_address(job), if job.game.is_some() { "&" } else { "?" })) { "Allow " (agon_report::words::grouped(memory)) " MiB" } }
            @else if job.kind != JobKind::Check { button.main type="button" data-again=(job.id) { @if job.kind == JobKind::Arena && app.jobs.store().is_some() { "Continue" } @else { "Try again" } } }
            a.button href=(form_address(job)) { "New query" }
        } }
        @match job.kind {
            JobKind::Arena => { (standing(job)) }
            _ if report.is_null() => {}
            JobKind::Solve => { (solve::outcome(app, meter, job)) }
            JobKind::Verify => { (strategies::outcome(app, meter, job)) }
            JobKind::Check => { (checked(&report)) }
            JobKind::Grundy => { (grundy::outcome(job)) }
            JobKind::Grade => { (grade::outcome(app, meter, job)) }
            JobKind::Claims => { p { "All claims have been recomputed. " a href="/claims" { "See the verdicts" } "." } }
        }
    }
}

/// The memory in MiB that a job needed and was not allowed.
fn memory_needed(why: &str) -> Option<u64> {
    let (_, about) = why.split_once("this needs about ")?;
    let (number, _) = about.split_once(" MiB")?;
    number.replace(',', "").parse().ok()
}

fn form_address(job: &Job) -> String {
    let room = job.kind.room();
    job.game.as_ref().map_or(room.to_string(), |game| format!("{room}?game={}", crate::play::url(game)))
}

fn checked(report: &Value) -> Markup {
    let (verdict, said) =
        (report["verdict"].as_str().unwrap_or_default(), report["statement"].as_str().unwrap_or_default());
    html! {
        p.verdict.(verdict) { @if verdict == "proved" { "✓ Proved" } @else if verdict == "refuted" { "✗ Not proved" } @else { "✗ Damaged" } }
        p { (said) }
        @if let Some(positions) = report["positions"].as_u64() { p.facts { (agon_report::words::grouped(positions)) " positions checked, using only the rules." } }
    }
}

/// The buttons for the certificate of a result, or the reason why there is none.
pub(crate) fn certificate(job: &Job) -> Markup {
    html! {
        @if let Some((name, bytes)) = job.file() {
            div.buttons {
                a.button href=(format!("/jobs/{}/file", job.id)) download=(name) { "Download certificate (" (agon_report::words::grouped(bytes)) " bytes)" }
                button type="button" data-check=(job.id) { "Check it independently" }
            }
        }
        @if let Some(why) = job.report()["no_certificate"].as_str() { p.warning { "No certificate: " (why) } }
    }
}

#[derive(Deserialize)]
pub(crate) struct FileQuery {
    #[serde(default, rename = "as")]
    form: String,
}

/// The file of a job: its certificate, its games, or its Grundy values, as CSV or as 32-bit little-endian words.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(asked): Query<FileQuery>,
) -> Result<Response, RequestError> {
    let read = tokio::task::spawn_blocking(move || {
        let job = find(&app, id)?;
        let bytes = job.contents()?;
        let name = job.file().map(|(name, _)| name).unwrap_or_default();
        Ok::<_, RequestError>(if job.kind == JobKind::Grundy && asked.form != "words" {
            ("grundy.csv".to_string(), "text/csv", csv(&bytes))
        } else {
            (name, "application/octet-stream", bytes)
        })
    });
    let (name, kind, bytes) = read.await.map_err(|_| RequestError::Panicked)??;
    let attached = format!("attachment; filename=\"{name}\"");
    Ok(([(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, attached)], bytes).into_response())
}

/// The words as CSV.
fn csv(words: &[u8]) -> Vec<u8> {
    let mut text = String::from("heap,value\n");
    for (n, word) in words.as_chunks::<4>().0.iter().enumerate() {
        let _ = writeln!(text, "{n},{}", u32::from_le_bytes(*word));
    }
    text.into_bytes()
}
