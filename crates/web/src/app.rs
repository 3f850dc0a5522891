//! The state that all requests share: games, values, jobs.

mod meter;
mod seats;

use crate::job_kinds;
use crate::job_store::JobStore;
use crate::jobs::Jobs;
use agon_arena::game::Audience;
use agon_core::{Ctx, Stop};
use agon_registry::Registry;
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use agon_reproduce::Item;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use meter::{Meter, Metered, REQUEST_BUDGET, too_long};
pub(crate) use seats::Seats;

/// Games in the cache, with the tables they have computed.
const CACHED_GAMES: usize = 48;
/// Answers in the cache.
const CACHED_ANSWERS: usize = 8192;
/// Pages rendered at once; each has a budget.
pub(crate) const CONCURRENT_PAGES: usize = 4;
/// Searches that run at once, for values and for the moves of players.
const CONCURRENT_SEARCHES: usize = 4;
/// The node limit of the search for one answer.
pub(crate) const SEARCH_NODES: u64 = 100_000_000;

/// Locks a mutex, even if another thread panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of the server.
pub struct App {
    port: u16,
    /// The games.
    pub registry: Registry,
    token: String,
    games: Mutex<VecDeque<Arc<dyn AnyGame>>>,
    /// Directories of tables that jobs have computed, by game.
    tables: Mutex<HashMap<String, PathBuf>>,
    answers: Mutex<HashMap<String, Value>>,
    verdicts: Mutex<HashMap<&'static str, Value>>,
    /// The players that pages have in use.
    pub(crate) seats: Arc<Seats>,
    pages: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    /// The jobs.
    pub jobs: Arc<Jobs>,
    /// The claims of published documents.
    pub claims: Vec<&'static Item>,
    /// A listener for the games of every tournament, next to the pages.
    pub spectator: Option<Arc<dyn Audience + Send>>,
}

impl App {
    /// Creates the state of a server on `port` and starts its workers.
    #[must_use]
    pub fn new(
        port: u16,
        registry: Registry,
        claims: Vec<&'static Item>,
        spectator: Option<Arc<dyn Audience + Send>>,
        store: Option<JobStore>,
    ) -> Arc<App> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).expect("the system has a source of randomness");
        let fresh = format!("{:032x}", u128::from_le_bytes(random));
        let token = store.as_ref().map_or(fresh.clone(), |store| store.token(fresh));
        Arc::new(App {
            port,
            registry,
            token,
            games: Mutex::default(),
            tables: Mutex::default(),
            answers: Mutex::default(),
            verdicts: Mutex::default(),
            seats: Arc::default(),
            pages: Arc::new(Semaphore::new(CONCURRENT_PAGES)),
            searches: Arc::new(Semaphore::new(CONCURRENT_SEARCHES)),
            jobs: Jobs::start(store.map(Arc::new)),
            claims,
            spectator,
        })
    }

    /// Restores the jobs of an earlier server, with their tables and verdicts.
    pub fn restore(self: &Arc<App>) {
        self.jobs.restore(|request, given| match given {
            Some(bytes) => job_kinds::job_check(self, &Meter::new(), bytes),
            None => job_kinds::respawn(self, &Meter::new(), request),
        });
        for job in self.jobs.list().iter().rev() {
            let report = job.report();
            if let (Some(store), Some(game), true) = (self.jobs.store(), &job.game, report["tables"] == true) {
                self.adopt_tables(game, store.folder(job.id).join(job_kinds::TABLES));
            }
            // The page of all claims shows these verdicts, too.
            for row in report["rows"].as_array().into_iter().flatten() {
                if let Some(claim) = self.claims.iter().find(|claim| row["id"] == claim.id) {
                    self.remember_verdict(claim.id, row.clone());
                }
            }
        }
    }

    /// Uses these tables for the values of that game from now on.
    pub(crate) fn adopt_tables(&self, spelling: &str, folder: PathBuf) {
        lock(&self.tables).insert(spelling.to_string(), folder);
        lock(&self.games).retain(|game| game.spelling() != spelling);
    }

    /// The token that our pages send with every request that changes something.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns whether a Host header names this server: one of its names and its port, in the usual spelling.
    #[must_use]
    pub fn is_own_host(&self, host: &str) -> bool {
        let port = if self.port == 80 { host.strip_suffix(":80").or(Some(host)) } else { None };
        let name = port.or_else(|| host.strip_suffix(&format!(":{}", self.port)));
        matches!(name, Some("127.0.0.1" | "localhost" | "[::1]"))
    }

    /// The game that an address names, or the one that pages show first.
    pub(crate) fn asked_for<'a>(&'a self, given: &'a str) -> &'a str {
        if given.is_empty() { self.registry.featured().unwrap_or_default() } else { given }
    }

    /// The game of that spelling; its work is counted by `meter`.
    pub(crate) fn game<'m>(&self, meter: &'m Meter, spelling: &str) -> Result<Metered<'m>, Failure> {
        meter.pay(spelling.len() as u64)?;
        Ok(Metered::new(self.kept_game(spelling)?, meter))
    }

    /// The game of that spelling, cached so that its tables are computed once.
    fn kept_game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
        let built = self.registry.game(spelling)?;
        let folder = self.tables_of(built.spelling());
        let mut games = lock(&self.games);
        let at = games.iter().position(|game| game.spelling() == built.spelling());
        let game = at.and_then(|at| games.remove(at)).unwrap_or_else(|| {
            // Without tables on disk, values are computed on demand.
            let opened = folder.zip(built.tables()).and_then(|(folder, tables)| tables.open(&folder).ok());
            Arc::from(opened.unwrap_or(built))
        });
        games.push_back(game.clone());
        if games.len() > CACHED_GAMES {
            games.pop_front();
        }
        Ok(game)
    }

    /// The directory with the tables of a game, if it still exists.
    fn tables_of(&self, spelling: &str) -> Option<PathBuf> {
        let folder = lock(&self.tables).get(spelling).cloned()?;
        if folder.is_dir() {
            return Some(folder);
        }
        // Its job was deleted, so a game with these tables open is of no use any more.
        lock(&self.tables).remove(spelling);
        lock(&self.games).retain(|game| game.spelling() != spelling);
        None
    }

    /// A cached answer.
    pub(crate) fn remembered(&self, key: &str) -> Option<Value> {
        lock(&self.answers).get(key).cloned()
    }

    /// Caches an answer.
    pub(crate) fn remember(&self, key: String, answer: &Value) {
        let mut answers = lock(&self.answers);
        if answers.len() >= CACHED_ANSWERS {
            answers.clear();
        }
        answers.insert(key, answer.clone());
    }

    /// Remembers the recomputed verdict of a claim.
    pub(crate) fn remember_verdict(&self, id: &'static str, row: Value) {
        lock(&self.verdicts).insert(id, row);
    }

    /// The verdicts recomputed so far.
    pub(crate) fn verdicts(&self) -> HashMap<&'static str, Value> {
        lock(&self.verdicts).clone()
    }

    /// Runs work with a budget on a blocking thread.
    pub(crate) async fn bounded<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&Arc<App>, &Meter) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let app = self.clone();
        run_blocking(&self.pages, move || work(&app, &Meter::new())).await
    }

    /// Runs a search on a blocking thread, limited to the time `limit` and to [`SEARCH_NODES`].
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Ctx) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, RequestError> {
        let searched = run_blocking(&self.searches, move || {
            // The clock starts with the search, not with the wait for a thread.
            let ctx = Ctx::default().with_budget(SEARCH_NODES).within(limit);
            work(&ctx).map_err(|failure| match ctx.check() {
                Err(Stop::Time) => RequestError::Timeout(limit),
                _ => RequestError::Failure(failure),
            })
        });
        searched.await
    }
}

impl agon_api::Games for App {
    fn registry(&self) -> &Registry {
        &self.registry
    }

    fn game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
        self.kept_game(spelling)
    }
}

/// Runs work on a blocking thread once a permit is free. The work holds its permit until it ends, even if the client
/// has given up.
async fn run_blocking<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    let permit: OwnedSemaphorePermit = permits.clone().acquire_owned().await.map_err(|_| RequestError::Panicked)?;
    let done = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(permit);
        answer
    });
    done.await.unwrap_or(Err(RequestError::Panicked))
}

/// The reason why a request fails.
#[derive(Debug)]
pub enum RequestError {
    /// The request is invalid, or its work failed.
    Failure(Failure),
    /// The work did not finish within the time limit.
    Timeout(Duration),
    /// The work panicked.
    Panicked,
    /// The requested thing does not exist.
    NotFound(String),
    /// The server has no capacity for it now.
    Busy(String),
}

impl From<Failure> for RequestError {
    fn from(failure: Failure) -> RequestError {
        RequestError::Failure(failure)
    }
}

impl From<agon_core::GameError> for RequestError {
    fn from(error: agon_core::GameError) -> RequestError {
        RequestError::Failure(error.into())
    }
}

/// The message of a failure, with advice that fits a page.
pub(crate) fn shown(failure: &Failure) -> String {
    let advice = match failure {
        Failure::Stopped(Stop::Nodes) => return "no result within the work limit of one answer".into(),
        Failure::Stopped(Stop::Time) => "; allow more time",
        Failure::Stopped(Stop::Memory) | Failure::NoMemory { .. } => "; allow more memory under Solve",
        _ => "",
    };
    failure.message().map_or("refused".to_string(), |message| message + advice)
}

impl RequestError {
    /// One line that says what was wrong and what would work.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            RequestError::Failure(failure) => shown(failure),
            RequestError::Timeout(limit) => format!("no result within {} s", limit.as_secs_f64()),
            RequestError::Panicked => "a bug in agon ended this computation".to_string(),
            RequestError::NotFound(what) | RequestError::Busy(what) => what.clone(),
        }
    }

    /// The HTTP status code.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            RequestError::Failure(failure) if failure.code() == Failure::USAGE => StatusCode::BAD_REQUEST,
            RequestError::Failure(_) | RequestError::Timeout(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RequestError::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            RequestError::NotFound(_) => StatusCode::NOT_FOUND,
            RequestError::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        (self.status(), Json(json!({"error": self.message()}))).into_response()
    }
}

#[cfg(test)]
impl App {
    /// Blocks every access to the games until the guard is dropped.
    pub(crate) fn hold_games(&self) -> MutexGuard<'_, VecDeque<Arc<dyn AnyGame>>> {
        lock(&self.games)
    }

    /// The number of free permits for rendering.
    pub(crate) fn free_pages(&self) -> usize {
        self.pages.available_permits()
    }

    /// A server without claims, and the budget of one request.
    pub(crate) fn bare() -> (Arc<App>, Meter) {
        (App::new(8000, Registry::standard(), Vec::new(), None, None), Meter::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_a_host() {
        let (app, _) = App::bare();
        for host in ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"] {
            assert!(app.is_own_host(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:08000",
            "127.0.0.1:+8000",
            "127.0.0.1:8000 ",
            " 127.0.0.1:8000",
            "127.0.0.1::8000",
            "127.0.0.1:8000:8000",
            "user@127.0.0.1:8000",
            "127.0.0.1.:8000",
            "127.1:8000",
            "evil.example:8000",
            "localhost.evil.example:8000",
        ] {
            assert!(!app.is_own_host(host), "{host}");
        }
        assert_eq!(app.token().len(), 32);
        assert_ne!(app.token(), App::bare().0.token());
        // Browsers omit the default port.
        let usual = App::new(80, Registry::standard(), Vec::new(), None, None);
        assert!(usual.is_own_host("localhost") && usual.is_own_host("localhost:80") && !usual.is_own_host("evil"));
    }

    #[test]
    fn a_game_is_built_once() {
        let (app, meter) = App::bare();
        let [a, b] = ["tic-tac-toe", "mnk:3,3,3"].map(|spelling| app.game(&meter, spelling).unwrap().unmetered());
        assert!(Arc::ptr_eq(&a, &b));
        assert!(app.game(&meter, "no-such-game").is_err());
    }
}
