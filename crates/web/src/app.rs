//! What requests share: games, values, jobs.

use crate::jobs::Jobs;
use crate::keep::Keep;
use crate::{Arena, Claim, tasks};
use agon_core::Ctx;
use agon_edge::erased::AnyGame;
use agon_edge::failure::Failure;
use agon_edge::registry;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Games kept with what they have learnt.
const GAMES: usize = 48;
/// Answers kept.
const ANSWERS: usize = 8192;
/// Short computations at once: values, agents.
const SHORT_WORK: usize = 4;

/// A lock that a panic elsewhere does not take away.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of the server.
pub struct App {
    port: u16,
    token: String,
    games: Mutex<VecDeque<Arc<dyn AnyGame>>>,
    /// Directories of tables that jobs have solved, by game.
    tables: Mutex<HashMap<String, PathBuf>>,
    answers: Mutex<HashMap<String, Value>>,
    verdicts: Mutex<HashMap<&'static str, Value>>,
    short: Arc<Semaphore>,
    /// Long work.
    pub jobs: Arc<Jobs>,
    /// Claims of documents.
    pub claims: Vec<Claim>,
    /// Plays tournaments.
    pub arena: Arena,
}

impl App {
    /// The state of a server on `port`, with its own workers.
    #[must_use]
    pub fn new(port: u16, claims: Vec<Claim>, arena: Arena, keep: Option<Keep>) -> Arc<App> {
        // The keys of a hasher come from the system's source of randomness.
        let random = RandomState::new();
        let fresh = format!("{:016x}{:016x}", random.hash_one(1), random.hash_one(2));
        let token = keep.as_ref().map_or(fresh.clone(), |keep| keep.token(fresh));
        Arc::new(App {
            port,
            token,
            games: Mutex::default(),
            tables: Mutex::default(),
            answers: Mutex::default(),
            verdicts: Mutex::default(),
            short: Arc::new(Semaphore::new(SHORT_WORK)),
            jobs: Jobs::start(keep.map(Arc::new)),
            claims,
            arena,
        })
    }

    /// Takes up the jobs of an earlier server, and what they left.
    pub fn restore(self: &Arc<App>) {
        self.jobs.restore(|request, given| match given {
            Some(bytes) => tasks::order_check(self, bytes),
            None => tasks::order_again(self, request),
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

    /// Whether a Host header names this server.
    #[must_use]
    pub fn is_own_host(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        port.parse() == Ok(self.port) && matches!(name, "127.0.0.1" | "localhost" | "[::1]")
    }

    /// The game of that spelling; kept, so that tables are computed once.
    pub fn game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
        let built = registry::game(spelling)?;
        let folder = self.tables_of(built.spelling());
        let mut games = lock(&self.games);
        let at = games.iter().position(|game| game.spelling() == built.spelling());
        let game = at.and_then(|at| games.remove(at)).unwrap_or_else(|| {
            if let (Some(folder), Some(tables)) = (folder, built.tables()) {
                // Without them values are computed when they are asked for.
                let _ = tables.open(&folder);
            }
            Arc::from(built)
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

    /// Runs short work on a thread of its own, for at most `limit`; the flag tells whether the time was used up.
    pub(crate) async fn short_work<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Ctx) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Trouble> {
        let late = Arc::new(AtomicBool::new(false));
        let permit = self.short.clone().acquire_owned().await;
        let ctx = Ctx::default().with_cancel(late.clone());
        let raise = late.clone();
        let clock = tokio::spawn(async move {
            tokio::time::sleep(limit).await;
            raise.store(true, Ordering::Relaxed);
        });
        let done = tokio::task::spawn_blocking(move || work(&ctx)).await;
        clock.abort();
        drop(permit);
        match done {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) if late.load(Ordering::Relaxed) => Err(Trouble::Late(limit)),
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => Err(Trouble::Broken),
        }
    }
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

impl Trouble {
    /// One line that says what was wrong and what would do.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Trouble::Failure(failure) => failure.message().unwrap_or("refused").to_string(),
            Trouble::Late(limit) => format!("not settled within {} s", limit.as_secs_f64()),
            Trouble::Broken => "this computation broke off with a defect of the program".to_string(),
            Trouble::Missing(what) | Trouble::Busy(what) => what.clone(),
        }
    }

    /// The status code.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Trouble::Failure(Failure::Usage(_)) => StatusCode::BAD_REQUEST,
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
    /// A server without claims and tournaments.
    pub(crate) fn bare() -> Arc<App> {
        App::new(8000, Vec::new(), Box::new(|_, _| Ok(Value::Null)), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_a_host() {
        let app = App::bare();
        assert!(app.is_own_host("127.0.0.1:8000") && app.is_own_host("localhost:8000"));
        assert!(!app.is_own_host("127.0.0.1") && !app.is_own_host("evil.example:8000"));
        assert!(!app.is_own_host("127.0.0.1:80") && !app.is_own_host(""));
        assert_eq!(app.token().len(), 32);
        assert_ne!(app.token(), App::bare().token());
    }

    #[test]
    fn a_game_is_built_once() {
        let app = App::bare();
        let (a, b) = (app.game("tic-tac-toe").unwrap(), app.game("mnk:3,3,3").unwrap());
        assert!(Arc::ptr_eq(&a, &b));
        assert!(app.game("no-such-game").is_err());
    }
}
