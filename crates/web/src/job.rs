//! A job: long work in the background, with its progress, its result and its record on disk.

use crate::app::{RequestError, lock, shown};
use crate::job_store::{JobStore, Record, StoredFile};
use crate::watch::Watch;
use agon_core::{Ctx, Progress};
use agon_report::failure::Failure;
use agon_report::forecast::Forecast;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The phase of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Phase {
    /// Waiting for a worker.
    Waiting,
    /// A worker runs it.
    Running,
    /// It ended with a result.
    Done,
    /// It ended without a result.
    Failed,
    /// A person stopped it.
    Cancelled,
}

impl Phase {
    /// The name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Waiting => "waiting",
            Phase::Running => "running",
            Phase::Done => "done",
            Phase::Failed => "failed",
            Phase::Cancelled => "cancelled",
        }
    }

    /// Returns whether the job has ended, for any reason.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Done | Phase::Failed | Phase::Cancelled)
    }
}

/// A file that a job produces.
#[derive(Clone, Debug)]
pub enum Artifact {
    /// A name and contents.
    Bytes(&'static str, Vec<u8>),
    /// Its name at the [work_dir](WorkDir).
    InWorkDir(&'static str),
}

/// The result of a job.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The report.
    pub report: Value,
    /// A file to store with the job.
    pub file: Option<Artifact>,
}

/// The file of a finished job.
#[derive(Clone, Debug)]
pub(crate) enum JobFile {
    InMemory(&'static str, Arc<Vec<u8>>),
    Stored(StoredFile),
}

/// The directory for a job's files. With a job store it lasts as long as the job; otherwise it is removed when the work
/// ends.
pub struct WorkDir {
    folder: PathBuf,
    persistent: bool,
    used: Cell<bool>,
}

impl WorkDir {
    /// Creates the directory if need be and returns its path.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        self.used.set(true);
        std::fs::create_dir_all(&self.folder).map_err(|error| Failure::io(&self.folder, "use", error))?;
        Ok(self.folder.clone())
    }

    /// Returns whether the directory outlives the work.
    #[must_use]
    pub fn persistent(&self) -> bool {
        self.persistent
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if !self.persistent && self.used.get() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The function that a job runs.
pub type Work = Box<dyn FnOnce(&Ctx, &WorkDir) -> Result<Outcome, Failure> + Send>;

/// Long work that runs in the background.
pub struct Job {
    /// Its number.
    pub id: u64,
    /// Its task.
    pub kind: JobKind,
    /// A title of one line.
    pub title: String,
    /// The game, if the job is about one.
    pub game: Option<String>,
    /// The request that started it, as JSON.
    pub request: Value,
    pub(crate) live: Arc<Mutex<Value>>,
    pub(crate) watch: Arc<Watch>,
    pub(crate) cancel: Arc<AtomicBool>,
    pub(crate) store: Option<Arc<JobStore>>,
    pub(crate) state: Mutex<State>,
    /// The lock for the record file; true once the job is deleted.
    pub(crate) gone: Mutex<bool>,
}

/// The task of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobKind {
    /// Solves a position.
    Solve,
    /// Verifies a strategy.
    Verify,
    /// Checks a certificate.
    Check,
    /// Computes the nim-values of heaps.
    Grundy,
    /// Grades players by their games.
    Grade,
    /// Plays a tournament.
    Arena,
    /// Recomputes the claims of documents.
    Claims,
}

impl JobKind {
    const ALL: [JobKind; 7] = {
        use JobKind::*;
        [Solve, Verify, Check, Grundy, Grade, Arena, Claims]
    };

    /// The name in records and addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            JobKind::Solve => "solve",
            JobKind::Verify => "verify",
            JobKind::Check => "check",
            JobKind::Grundy => "grundy",
            JobKind::Grade => "grade",
            JobKind::Arena => "arena",
            JobKind::Claims => "claims",
        }
    }

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<JobKind> {
        JobKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The page on which such jobs are started.
    pub(crate) fn room(self) -> &'static str {
        match self {
            JobKind::Solve | JobKind::Check => "/solve",
            JobKind::Verify => "/strategies",
            JobKind::Grundy => "/grundy",
            JobKind::Grade => "/grade",
            JobKind::Arena => "/arena",
            JobKind::Claims => "/claims",
        }
    }
}

pub(crate) struct State {
    pub(crate) phase: Phase,
    pub(crate) memory: u64,
    pub(crate) progress: Option<Progress>,
    /// The time and the units done at the first progress event of the current task; rates are measured from there.
    pub(crate) base: Option<(Instant, u64)>,
    pub(crate) forecast: Forecast,
    pub(crate) begun: Option<Instant>,
    pub(crate) ended: Option<Instant>,
    /// Seconds spent in earlier runs.
    pub(crate) before: f64,
    pub(crate) times: u32,
    pub(crate) why: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) report: Arc<Value>,
    pub(crate) file: Option<JobFile>,
    pub(crate) work: Option<Work>,
}

impl State {
    pub(crate) fn new(memory: u64, work: Option<Work>) -> State {
        State {
            phase: Phase::Waiting,
            memory,
            progress: None,
            base: None,
            forecast: Forecast::default(),
            begun: None,
            ended: None,
            before: 0.0,
            times: 0,
            why: None,
            note: None,
            report: Arc::default(),
            file: None,
            work,
        }
    }

    /// Seconds spent in this run.
    fn running(&self) -> Option<f64> {
        self.begun.map(|begun| self.ended.unwrap_or_else(Instant::now).duration_since(begun).as_secs_f64())
    }
}

impl Job {
    /// The phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        lock(&self.state).phase
    }

    /// The report; null until the job has ended.
    #[must_use]
    pub fn report(&self) -> Arc<Value> {
        lock(&self.state).report.clone()
    }

    /// The name and the length in bytes of the file it produced.
    #[must_use]
    pub fn file(&self) -> Option<(String, u64)> {
        lock(&self.state).file.as_ref().map(|piece| match piece {
            JobFile::InMemory(name, bytes) => ((*name).to_string(), bytes.len() as u64),
            JobFile::Stored(stored) => (stored.name.clone(), stored.bytes),
        })
    }

    /// The contents of that file.
    pub fn contents(&self) -> Result<Vec<u8>, RequestError> {
        let piece = lock(&self.state).file.clone();
        match (piece, &self.store) {
            (Some(JobFile::InMemory(_, bytes)), _) => Ok(bytes.to_vec()),
            (Some(JobFile::Stored(stored)), Some(store)) => Ok(store.read(self.id, &stored)?),
            _ => Err(RequestError::NotFound("this job has no file".into())),
        }
    }

    /// The intermediate result of a running job; null if it has none.
    #[must_use]
    pub fn live(&self) -> Value {
        lock(&self.live).clone()
    }

    /// The games of a tournament that are being played now.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The reason why it failed.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        lock(&self.state).why.clone()
    }

    /// A note on how the job was restored, if the server was stopped while it ran.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        lock(&self.state).note.clone()
    }

    /// The state of the job as JSON, for the page that follows it.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let mut state = lock(&self.state);
        let running = state.running();
        let progress = state.progress;
        if let (Some(progress), Some(now)) = (progress, running) {
            state.forecast.update(&progress, Duration::from_secs_f64(now));
        }
        let share = progress.and_then(|p| p.total.filter(|&total| total > 0).map(|total| p.done as f64 / total as f64));
        // Units that an earlier run finished cost this run no time.
        let (since, done) = state.base.map_or((0.0, 0), |(at, done)| (at.elapsed().as_secs_f64(), done));
        let left = state.forecast.left().filter(|_| running.is_some()).map(|left| left.as_secs_f64());
        let unit = progress.and_then(|p| unit(p.task));
        let (count, rate) = match progress {
            Some(p) if p.nodes > 0 => (Some(p.nodes), running.filter(|s| *s > 0.5).map(|s| p.nodes as f64 / s)),
            Some(p) if unit.is_some() && p.done > 0 => {
                (Some(p.done), Some(since).filter(|s| *s > 0.5).map(|s| p.done.saturating_sub(done) as f64 / s))
            }
            _ => (None, None),
        };
        json!({
            "id": self.id, "kind": self.kind.name(), "title": self.title, "game": self.game, "phase": state.phase.name(),
            "over": state.phase.is_over(), "why": state.why, "note": state.note,
            "seconds": running.map(|s| s + state.before).or((state.before > 0.0).then_some(state.before)),
            "left": left, "share": share, "task": progress.map(|p| p.task), "done": progress.map(|p| p.done),
            "total": progress.and_then(|p| p.total), "unit": unit.unwrap_or("positions"), "count": count, "rate": rate,
            // What is found before the job ends, in words.
            "found": lock(&self.live)["found"],
        })
    }

    /// The record of its present state.
    pub(crate) fn record(&self) -> Record {
        let state = lock(&self.state);
        let file = match &state.file {
            Some(JobFile::Stored(stored)) => Some(stored.clone()),
            _ => None,
        };
        Record {
            id: self.id,
            kind: self.kind.name().to_string(),
            title: self.title.clone(),
            game: self.game.clone(),
            request: self.request.clone(),
            phase: state.phase,
            why: state.why.clone(),
            seconds: state.before + state.running().unwrap_or(0.0),
            begun: state.times,
            report: (*state.report).clone(),
            file,
        }
    }

    /// Writes the record of its present state.
    pub(crate) fn write(&self) {
        let gone = lock(&self.gone);
        if let (Some(store), false) = (&self.store, *gone) {
            store.write(&self.record());
        }
    }

    /// Deletes its record and its files.
    pub(crate) fn forget(&self) {
        let mut gone = lock(&self.gone);
        *gone = true;
        if let Some(store) = &self.store {
            store.forget(self.id);
        }
    }

    fn work_dir(&self) -> WorkDir {
        match &self.store {
            Some(store) => WorkDir { folder: store.folder(self.id), persistent: true, used: Cell::default() },
            None => {
                static WORK_DIRS: AtomicU64 = AtomicU64::new(0);
                let number = WORK_DIRS.fetch_add(1, Ordering::Relaxed);
                let name = format!("agon-job-{}-{number}", std::process::id());
                WorkDir { folder: std::env::temp_dir().join(name), persistent: false, used: Cell::default() }
            }
        }
    }

    /// Stores a file so that pages can download it.
    fn piece(&self, left: Artifact, work_dir: &WorkDir) -> Option<JobFile> {
        match (left, &self.store) {
            (Artifact::Bytes(name, bytes), Some(store)) => store.put(self.id, name, &bytes).map(JobFile::Stored),
            (Artifact::Bytes(name, bytes), None) => Some(JobFile::InMemory(name, Arc::new(bytes))),
            (Artifact::InWorkDir(name), Some(store)) => store.adopt(self.id, name).map(JobFile::Stored),
            (Artifact::InWorkDir(name), None) => {
                std::fs::read(work_dir.folder.join(name)).ok().map(|bytes| JobFile::InMemory(name, Arc::new(bytes)))
            }
        }
    }

    /// Ends the job. The record is on disk before any page can see the end, so a server that is killed right afterwards
    /// loses nothing.
    pub(crate) fn end(&self, phase: Phase, why: Option<String>, report: Value, file: Option<JobFile>) {
        let gone = lock(&self.gone);
        if let (Some(store), false) = (&self.store, *gone) {
            let file = match &file {
                Some(JobFile::Stored(stored)) => Some(stored.clone()),
                _ => None,
            };
            store.write(&Record { phase, why: why.clone(), report: report.clone(), file, ..self.record() });
        }
        let mut state = lock(&self.state);
        (state.why, state.report, state.file) = (why, Arc::new(report), file);
        state.ended = Some(Instant::now());
        state.progress = None;
        state.note = state.note.take().map(|note| note.replace("resumes", "resumed").replace("restarts", "restarted"));
        state.phase = phase;
    }

    pub(crate) fn run(self: &Arc<Job>) {
        let work = {
            let mut state = lock(&self.state);
            if state.phase != Phase::Waiting {
                return;
            }
            state.phase = Phase::Running;
            state.begun = Some(Instant::now());
            state.times += 1;
            state.work.take()
        };
        let Some(work) = work else { return };
        self.write();
        let weak = Arc::downgrade(self);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let ctx = Ctx::default().with_threads(threads).with_cancel(self.cancel.clone()).with_sink(move |progress| {
            let Some(job) = weak.upgrade() else { return };
            let mut state = lock(&job.state);
            if state.progress.is_none_or(|last| last.task != progress.task) {
                state.base = Some((Instant::now(), progress.done));
            }
            state.progress = Some(progress);
            let now = state.running().unwrap_or(0.0);
            state.forecast.update(&progress, Duration::from_secs_f64(now));
        });
        let work_dir = self.work_dir();
        let ended = catch_unwind(AssertUnwindSafe(|| work(&ctx, &work_dir)));
        let cancelled = self.cancel.load(Ordering::Relaxed);
        match ended {
            Ok(Ok(outcome)) => {
                let file = outcome.file.and_then(|left| self.piece(left, &work_dir));
                // Results found before the stop are stored.
                let (phase, why) =
                    if cancelled { (Phase::Cancelled, Some("cancelled".into())) } else { (Phase::Done, None) };
                self.end(phase, why, outcome.report, file);
            }
            Ok(Err(_)) if cancelled => self.end(Phase::Cancelled, Some("cancelled".into()), Value::Null, None),
            Ok(Err(failure)) => {
                let why = shown(&failure);
                self.end(Phase::Failed, Some(why), Value::Null, None);
            }
            Err(panic) => {
                let said = panic.downcast_ref::<&str>().map(ToString::to_string);
                let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                let why = format!("a bug in agon ended this job ({said}); the server keeps running");
                self.end(Phase::Failed, Some(why), Value::Null, None);
            }
        }
    }
}

/// The name of a task's units; `None` if their number tells a reader nothing.
fn unit(task: &str) -> Option<&'static str> {
    match task {
        "solving tables" | "verifying" | "checking" => Some("positions"),
        "playing" => Some("games"),
        "grundy" => Some("heaps"),
        "recomputing" => Some("claims"),
        "writing the proof" => Some("positions written"),
        _ => None,
    }
}
