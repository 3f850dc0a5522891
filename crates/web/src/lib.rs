//! The workbench in the browser: a local server, its pages and its jobs.
//!
//! | module | contents |
//! |---|---|
//! | [`server`] | the accept loop: limits on connections, headers and time |
//! | `guard` | checks on every request (host, origin, token, size) and the headers of every answer |
//! | [`app`] | the state that requests share (games, values, jobs) and the budget of one request |
//! | [`jobs`], [`job`] | a bounded queue of long work, with progress, cancellation and a memory limit |
//! | [`job_store`] | jobs on disk, so that they outlive the server |
//! | [`watch`] | live games of a tournament, for pages that watch |
//! | `tournament` | a tournament that pages can watch |
//! | `job_kinds` | the kinds of work a job can do: solve, verify, check, grade, Grundy values, claims |
//! | `job_pages` | the pages of jobs, with their results |
//! | `solve_report` | the report of a solve beyond the value: distances, first moves, lines of play |
//! | `charts` | charts with their tables |
//! | `page` | the layout of every page, and the compiled-in files |
//! | `draw` | boards along a line of play |
//! | `rules` | illustrated rules of a game |
//! | `puzzles` | positions with one right move |
//! | `why` | the explanation of a position |
//! | `strategy_editor` | strategies as text, written beside the board |
//! | `api` | the interface for programs, under `/api/v1` |
//! | `home`, `play`, `play_page`, `setup`, `solve`, `strategies`, `grundy`, `grade`, `arena`, `claims` | the pages |
//!
//! The server renders the pages, with boards from [`agon_core::scene::Scene`]; a little JavaScript makes them interactive.

mod api;
pub mod app;
mod arena;
mod charts;
mod claims;
mod draw;
mod grade;
mod grundy;
mod guard;
mod home;
pub mod job;
mod job_kinds;
mod job_pages;
pub mod job_store;
pub mod jobs;
mod page;
mod play;
mod play_page;
mod puzzles;
mod rules;
pub mod server;
mod setup;
mod solve;
mod solve_report;
mod strategies;
mod strategy_editor;
mod tournament;
pub mod watch;
mod why;

pub use guard::ANSWER_BYTES;

use agon_arena::game::Audience;
use agon_registry::Registry;
use agon_report::failure::Failure;
use agon_reproduce::Item;
use std::sync::Arc;

/// Everything a workbench is built from.
pub struct Program {
    /// The games. No game of this registry may open files.
    pub registry: Registry,
    /// The claims of published documents.
    pub claims: Vec<&'static Item>,
    /// A listener for the games of every tournament, next to the pages.
    pub spectator: Option<Arc<dyn Audience + Send>>,
    /// The job store; without one, jobs end with the server.
    pub store: Option<job_store::JobStore>,
}

/// Receives log lines.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Serves this machine until the process ends. Port 0 chooses a free port; `ready` receives the address.
pub fn run(port: u16, program: Program, ready: impl FnOnce(std::net::SocketAddr)) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Failed(format!("cannot serve on port {port}: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let Program { registry, claims, spectator, store } = program;
    runtime.block_on(async {
        let listener = server::bind(port).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if let Some(store) = &store {
            store.say_where(&format!("http://{address}/"));
        }
        let app = app::App::new(address.port(), registry, claims, spectator, store);
        app.restore();
        ready(address);
        server::serve(listener, app, server::Limits::default()).await;
        Ok(())
    })
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
