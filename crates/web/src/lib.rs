//! The workbench in a browser: a local server, its pages and its jobs.
//!
//! | module | room |
//! |---|---|
//! | [`server`] | the accept loop: limits on connections, headers and time |
//! | `guard` | what is asked of every request: host, origin, token, size; and the headers of every answer |
//! | [`app`] | what requests share: games, values, jobs; what one request may cost |
//! | [`jobs`], [`job`] | a bounded queue of long work, with progress, cancelling and a memory limit |
//! | [`keep`] | jobs on disk, so that they outlive the server |
//! | [`watch`] | games being played, for those who look on |
//! | `tournament` | a tournament that a page looks on at |
//! | `tasks` | what a job can do: solve, verify, check, Grundy values, claims |
//! | `solving` | what a solve tells beyond its value: distances, first moves, lines to play through |
//! | `charts` | numbers as pictures, with their tables |
//! | `page` | the frame of every page, and the compiled-in files |
//! | `draw` | a line of play as pictures |
//! | `rules` | the rules of a game with pictures |
//! | `home`, `play`, `bench`, `setup`, `work`, `solve`, `strategies`, `grundy`, `arena`, `claims` | the pages |
//!
//! Pages are drawn here, with boards from [`agon_core::scene::Scene`]; a little JavaScript makes them lively.

pub mod app;
mod arena;
mod bench;
mod charts;
mod claims;
mod draw;
mod grundy;
mod guard;
mod home;
pub mod job;
pub mod jobs;
pub mod keep;
mod page;
mod play;
mod rules;
pub mod server;
mod setup;
mod solve;
mod solving;
mod strategies;
mod tasks;
mod tournament;
pub mod watch;
mod work;

pub use guard::ANSWER_BYTES;

use agon_arena::table::Audience;
use agon_registry::Registry;
use agon_report::failure::Failure;
use agon_reproduce::Item;
use std::sync::Arc;

/// What a workbench is made of.
pub struct Program {
    /// The games; none of them opens a file.
    pub registry: Registry,
    /// Claims of published documents.
    pub claims: Vec<&'static Item>,
    /// Looks on at every tournament.
    pub spectator: Option<Arc<dyn Audience + Send>>,
    /// Where jobs are kept; without it they end with the server.
    pub keep: Option<keep::Keep>,
}

/// Takes lines for a log.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Serves on this machine until the process ends. Port 0 chooses a free one; `ready` is told which.
pub fn run(port: u16, program: Program, ready: impl FnOnce(std::net::SocketAddr)) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Failed(format!("cannot serve on port {port}: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let Program { registry, claims, spectator, keep } = program;
    runtime.block_on(async {
        let listener = server::bind(port).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if let Some(keep) = &keep {
            keep.say_where(&format!("http://{address}/"));
        }
        let app = app::App::new(address.port(), registry, claims, spectator, keep);
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
