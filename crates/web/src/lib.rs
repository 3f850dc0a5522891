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
//! | `tasks` | what a job can do: solve, verify, check, Grundy values, claims |
//! | `solving` | what a solve tells beyond its value: distances, first moves, lines to play through |
//! | `charts` | numbers as pictures, with their tables |
//! | `page` | the frame of every page, and the compiled-in files |
//! | `draw` | a line of play as pictures |
//! | `rules` | the rules of a game with pictures |
//! | `words` | messages of the crates below, without command-line flags |
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
pub mod watch;
mod words;
mod work;

pub use guard::ANSWER_BYTES;

use agon_core::Ctx;
use agon_registry::Registry;
use agon_report::failure::Failure;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What only the program knows, handed over to its workbench.
pub struct Program {
    /// The games; none of them opens a file.
    pub registry: Registry,
    /// Claims of published documents.
    pub claims: Vec<Claim>,
    /// Plays a tournament.
    pub arena: Arena,
    /// Where jobs are kept; without it they end with the server.
    pub data: Option<PathBuf>,
    /// Tells whoever runs the server what went wrong.
    pub log: Log,
}

/// Takes lines for a log.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Plays a tournament, or continues with the one in the file; answers how it stands at the end, or when it is stopped.
pub type Arena = Box<dyn Fn(&Contest, &Stage<'_>) -> Result<Value, Failure> + Send + Sync>;

/// Where a tournament is played, and who looks on.
pub struct Stage<'a> {
    /// When to stop, and whom to tell how far it is.
    pub ctx: &'a Ctx,
    /// The file of every game; it is there already when the tournament was cut off.
    pub file: &'a Path,
    /// Told now and then how it stands.
    pub tell: &'a (dyn Fn(Value) + Sync),
    /// Shown every game while it is played.
    pub watch: &'a watch::Watch,
}

/// A tournament: everybody meets everybody.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub game: String,
    /// The players.
    pub players: Vec<String>,
    /// Games of each pairing, an even number.
    pub games: u64,
    /// Random moves at the beginning.
    pub opening_plies: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Seconds for a move.
    pub seconds: f64,
}

/// A claim of a published document, as the program hands it over.
pub struct Claim {
    /// `DOCUMENT/slug`.
    pub id: &'static str,
    /// The document's number and name.
    pub document: (&'static str, &'static str),
    /// Document and place.
    pub source: &'static str,
    /// What is claimed, in words.
    pub claim: &'static str,
    /// The value claimed.
    pub claimed: &'static str,
    /// How it is computed here.
    pub how: &'static str,
    /// The verdict on record.
    pub recorded: &'static str,
    /// Takes more than a few seconds.
    pub slow: bool,
    /// Computes it.
    pub run: Recompute,
}

/// Computes a claim again.
pub type Recompute = Box<dyn Fn(&Ctx) -> Result<Recomputed, Failure> + Send + Sync>;

/// What came out for a claim.
pub struct Recomputed {
    /// The value computed.
    pub computed: String,
    /// `reproduced`, `corrected`, `differs`, `statistical: agrees` or `statistical: differs`.
    pub verdict: &'static str,
    /// What to know about it.
    pub note: String,
    /// Whether the verdict is the one on record.
    pub as_recorded: bool,
}

/// Serves on this machine until the process ends. Port 0 chooses a free one; `ready` is told which.
pub fn run(port: u16, program: Program, ready: impl FnOnce(std::net::SocketAddr)) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Failed(format!("cannot serve on port {port}: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let Program { registry, claims, arena, data, log } = program;
    let keep = data.map(|root| keep::Keep::open(&root, log)).transpose()?;
    runtime.block_on(async {
        let listener = server::bind(port).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if let Some(keep) = &keep {
            keep.say_where(&format!("http://{address}/"));
        }
        let app = app::App::new(address.port(), registry, claims, arena, keep);
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
