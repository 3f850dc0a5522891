//! What requests share: games, values, jobs.

mod meter;

use crate::jobs::Jobs;
use crate::keep::Keep;
use crate::tasks;
use agon_arena::table::Audience;
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

pub(crate) use meter::{Meter, Metered, UNITS, too_long};

/// Games kept with what they have learnt.
const GAMES: usize = 48;
/// Answers kept.
const ANSWERS: usize = 8192;
/// Pages drawn at once; each does a counted amount of work.
pub(crate) const PAGES: usize = 4;
/// Searches at once: values, agents.
const SEARCHES: usize = 4;
/// Nodes that the search for one answer may visit.
pub(crate) const SEARCH_NODES: u64 = 100_000_000;

/// A lock that a panic elsewhere does not take away.
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
    /// Directories of tables that jobs have solved, by game.
    tables: Mutex<HashMap<String, PathBuf>>,
    answers: Mutex<HashMap<String, Value>>,
    verdicts: Mutex<HashMap<&'static str, Value>>,
    pages: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    /// Long work.
    pub jobs: Arc<Jobs>,
    /// Claims of documents.
    pub claims: Vec<&'static Item>,
    /// Looks on at every tournament.
    pub spectator: Option<Arc<dyn Audience + Send>>,
}

impl App {
    /// The state of a server on `port`, with its own workers.
    #[must_use]
    pub fn new(
        port: u16,
        registry: Registry,
        claims: Vec<&'static Item>,
        spectator: Option<Arc<dyn Audience + Send>>,
        keep: Option<Keep>,
    ) -> Arc<App> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).expect("the system has a source of randomness");
        let fresh = format!("{:032x}", u128::from_le_bytes(random));
        let token = keep.as_ref().map_or(fresh.clone(), |keep| keep.token(fresh));
        Arc::new(App {
            port,
            registry,
            token,
            games: Mutex::default(),
            tables: Mutex::default(),
            answers: Mutex::default(),
            verdicts: Mutex::default(),
            pages: Arc::new(Semaphore::new(PAGES)),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            jobs: Jobs::start(keep.map(Arc::new)),
            claims,
            spectator,
        })
    }

    /// Takes up the jobs of an earlier server, and what they left.
    pub fn restore(self: &Arc<App>) {
        self.jobs.restore(|request, given| match given {
            Some(bytes) => tasks::order_check(self, &Meter::new(), bytes),
            None => tasks::order_again(self, &Meter::new(), request),
        });
        for job in self.jobs.list().iter().rev() {
            let report = job.report();
            if let (Some(keep), Some(game), true) = (self.jobs.keep(), &job.game, report["tables"] == true) {
                self.adopt_tables(game, keep.folder(job.id).join(tasks::TABLES));
            }
            // Verdicts are shown on the page of all claims, too.
            for row in report["rows"].as_array().into_iter().flatten() {
                if let Some(claim) = self.claims.iter().find(|claim| row["id"] == claim.id) {
                    self.remember_verdict(claim.id, row.clone());
                }
            }
        }
    }

    /// From now on values of that game come from these tables.
    pub(crate) fn adopt_tables(&self, spelling: &str, folder: PathBuf) {
        lock(&self.tables).insert(spelling.to_string(), folder);
        lock(&self.games).retain(|game| game.spelling() != spelling);
    }

    /// What our pages send with every request that changes something.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a Host header names this server: one of its names and its port, written in the one usual way.
    #[must_use]
    pub fn is_own_host(&self, host: &str) -> bool {
        let port = if self.port == 80 { host.strip_suffix(":80").or(Some(host)) } else { None };
        let name = port.or_else(|| host.strip_suffix(&format!(":{}", self.port)));
        matches!(name, Some("127.0.0.1" | "localhost" | "[::1]"))
    }

    /// The game of that spelling, to be used at the cost of `meter`.
    pub(crate) fn game<'m>(&self, meter: &'m Meter, spelling: &str) -> Result<Metered<'m>, Failure> {
        meter.pay(spelling.len() as u64)?;
        Ok(Metered::new(self.kept_game(spelling)?, meter))
    }

    /// The game of that spelling; kept, so that tables are computed once.
    fn kept_game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
        let built = self.registry.game(spelling)?;
        let folder = self.tables_of(built.spelling());
        let mut games = lock(&self.games);
        let at = games.iter().position(|game| game.spelling() == built.spelling());
        let game = at.and_then(|at| games.remove(at)).unwrap_or_else(|| {
            // Without tables on disk values are computed when they are asked for.
            let opened = folder.zip(built.tables()).and_then(|(folder, tables)| tables.open(&folder).ok());
            Arc::from(opened.unwrap_or(built))
        });
        games.push_back(game.clone());
        if games.len() > GAMES {
            games.pop_front();
        }
        Ok(game)
    }

    /// Tables of a game that are still there.
    fn tables_of(&self, spelling: &str) -> Option<PathBuf> {
        let folder = lock(&self.tables).get(spelling).cloned()?;
        if folder.is_dir() {
            return Some(folder);
        }
        // Its job was removed: what was opened there is of no use any more.
        lock(&self.tables).remove(spelling);
        lock(&self.games).retain(|game| game.spelling() != spelling);
        None
    }

    /// An answer given before.
    pub(crate) fn remembered(&self, key: &str) -> Option<Value> {
        lock(&self.answers).get(key).cloned()
    }

    /// Keeps an answer.
    pub(crate) fn remember(&self, key: String, answer: &Value) {
        let mut answers = lock(&self.answers);
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        answers.insert(key, answer.clone());
    }

    /// Keeps what came out for a claim.
    pub(crate) fn remember_verdict(&self, id: &'static str, row: Value) {
        lock(&self.verdicts).insert(id, row);
    }

    /// What came out for the claims so far.
    pub(crate) fn verdicts(&self) -> HashMap<&'static str, Value> {
        lock(&self.verdicts).clone()
    }

    /// Runs work whose cost is counted, on a thread for such work.
    pub(crate) async fn bounded<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&Arc<App>, &Meter) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let app = self.clone();
        aside(&self.pages, move || work(&app, &Meter::new())).await
    }

    /// Runs a search on a thread for such work, for at most `limit` and [`SEARCH_NODES`].
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Ctx) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Trouble> {
        let searched = aside(&self.searches, move || {
            // The clock starts with the search, not with the wait for a thread.
            let ctx = Ctx::default().with_budget(SEARCH_NODES).within(limit);
            work(&ctx).map_err(|failure| match ctx.check() {
                Err(Stop::Time) => Trouble::Late(limit),
                _ => Trouble::Failure(failure),
            })
        });
        searched.await
    }
}

/// Runs work on a thread of its own, when there is a place free. The work keeps its place until it ends, even if nobody
/// waits for the answer any more.
async fn aside<T: Send + 'static>(
    places: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    let place: OwnedSemaphorePermit = places.clone().acquire_owned().await.map_err(|_| Trouble::Broken)?;
    let done = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(place);
        answer
    });
    done.await.unwrap_or(Err(Trouble::Broken))
}

/// Why a request got no answer.
#[derive(Debug)]
pub enum Trouble {
    /// What was asked makes no sense, or could not be done.
    Failure(Failure),
    /// Not within the time given.
    Late(Duration),
    /// The work panicked.
    Broken,
    /// No such thing.
    Missing(String),
    /// Too much at once.
    Busy(String),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Failure(failure)
    }
}

impl From<agon_core::GameError> for Trouble {
    fn from(error: agon_core::GameError) -> Trouble {
        Trouble::Failure(error.into())
    }
}

/// What went wrong, for a page.
pub(crate) fn shown(failure: &Failure) -> String {
    let advice = match failure {
        Failure::Stopped(Stop::Nodes) => return "not settled by as much work as one answer may take".into(),
        Failure::Stopped(Stop::Time) => "; give it more",
        Failure::Stopped(Stop::Memory) | Failure::NoMemory { .. } => {
            "; allow more memory, or ask for this position alone"
        }
        _ => "",
    };
    failure.message().map_or("refused".to_string(), |message| message + advice)
}

impl Trouble {
    /// One line that says what was wrong and what would do.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Trouble::Failure(failure) => shown(failure),
            Trouble::Late(limit) => format!("not settled within {} s", limit.as_secs_f64()),
            Trouble::Broken => "this computation broke off with a defect of the program".to_string(),
            Trouble::Missing(what) | Trouble::Busy(what) => what.clone(),
        }
    }

    /// The status code.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Trouble::Failure(failure) if failure.code() == Failure::USAGE => StatusCode::BAD_REQUEST,
            Trouble::Failure(_) | Trouble::Late(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Trouble::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Trouble::Missing(_) => StatusCode::NOT_FOUND,
            Trouble::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status(), Json(json!({"error": self.message()}))).into_response()
    }
}

#[cfg(test)]
impl App {
    /// Nobody gets a game until the guard is dropped.
    pub(crate) fn hold_games(&self) -> MutexGuard<'_, VecDeque<Arc<dyn AnyGame>>> {
        lock(&self.games)
    }

    /// Places for drawing that are free.
    pub(crate) fn free_pages(&self) -> usize {
        self.pages.available_permits()
    }

    /// A server without claims, and what one request may cost.
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
        // Browsers leave the port out where it is the usual one.
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
