//! The workbench in a browser: a local server, its pages and its jobs.
//!
//! | module | room |
//! |---|---|
//! | [`server`] | the accept loop: limits on connections, headers and time |
//! | `guard` | what is asked of every request: host, origin, token, size; and the headers of every answer |
//! | [`app`] | what requests share: games, values, jobs |
//! | [`jobs`] | a bounded queue of long work, with progress, cancelling and a memory limit |
//! | `tasks` | what a job can do: solve, verify, check, Grundy values, claims |
//! | `page` | the frame of every page, and the compiled-in files |
//! | `draw` | a line of play as pictures |
//! | `rules` | the rules of a game with pictures |
//! | `home`, `play`, `bench`, `setup`, `work`, `solve`, `strategies`, `grundy`, `arena`, `claims` | the pages |
//!
//! Pages are drawn here, with boards from [`agon_core::scene::Scene`]; a little JavaScript makes them lively.

pub mod app;
mod arena;
mod bench;
mod claims;
mod draw;
mod grundy;
mod guard;
mod home;
pub mod jobs;
mod page;
mod play;
mod rules;
pub mod server;
mod setup;
mod solve;
mod strategies;
mod tasks;
mod work;

use agon_core::Ctx;
use agon_edge::failure::Failure;
use serde_json::Value;

/// What only the program knows, handed over to its workbench.
pub struct Program {
    /// Claims of published documents.
    pub claims: Vec<Claim>,
    /// Plays a tournament; tells now and then how it stands, and answers the end of it and its file.
    pub arena: Arena,
}

/// Plays a tournament.
pub type Arena = Box<dyn Fn(&Contest, &Ctx, &dyn Fn(Value)) -> Result<(Value, Option<Vec<u8>>), Failure> + Send + Sync>;

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
    runtime.block_on(async {
        let listener = server::bind(port).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let app = app::App::new(address.port(), program);
        ready(address);
        server::serve(listener, app).await;
        Ok(())
    })
}
