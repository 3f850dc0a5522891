//! A piece of long work: how far it is, what it came to, and its record.

use crate::app::{Trouble, lock, shown};
use crate::keep::{Keep, Kept, Record};
use crate::watch::Watch;
use agon_core::{Ctx, Progress};
use agon_report::failure::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Waiting for a worker.
    Waiting,
    /// At work.
    Running,
    /// Ended with an answer.
    Done,
    /// Ended without one.
    Failed,
    /// Stopped by a person.
    Cancelled,
}

impl Phase {
    /// One word.
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

    /// Nothing more will happen.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Done | Phase::Failed | Phase::Cancelled)
    }
}

/// A file that the work of a job leaves.
#[derive(Clone, Debug)]
pub enum Left {
    /// Its name and contents.
    Bytes(&'static str, Vec<u8>),
    /// Its name at the [desk](Desk).
    AtDesk(&'static str),
}

/// What the work of a job comes to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The report.
    pub report: Value,
    /// A file to keep.
    pub file: Option<Left>,
}

/// The file of a job that is over.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Held(&'static str, Arc<Vec<u8>>),
    Kept(Kept),
}

/// Where the work of a job may put files: a directory that stays as long as the job where jobs are kept, else one that
/// is removed when the work ends.
pub struct Desk {
    folder: PathBuf,
    stays: bool,
    used: Cell<bool>,
}

impl Desk {
    /// The directory.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        self.used.set(true);
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| Failure::Failed(format!("cannot use `{}`: {error}", self.folder.display())))?;
        Ok(self.folder.clone())
    }

    /// Whether the directory stays.
    #[must_use]
    pub fn stays(&self) -> bool {
        self.stays
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if !self.stays && self.used.get() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The work of a job.
pub type Work = Box<dyn FnOnce(&Ctx, &Desk) -> Result<Outcome, Failure> + Send>;

/// A piece of long work.
pub struct Job {
    /// Its number.
    pub id: u64,
    /// `solve`, `verify`, `check`, `grundy`, `arena` or `claims`.
    pub kind: &'static str,
    /// What it is about, in one line.
    pub title: String,
    /// The game, where there is one.
    pub game: Option<String>,
    /// What was asked for.
    pub request: Value,
    pub(crate) live: Arc<Mutex<Value>>,
    pub(crate) watch: Arc<Watch>,
    pub(crate) cancel: Arc<AtomicBool>,
    pub(crate) keep: Option<Arc<Keep>>,
    pub(crate) state: Mutex<State>,
    /// Held while the record is written; true when there shall be none any more.
    pub(crate) gone: Mutex<bool>,
}

/// What jobs can be about.
pub(crate) const KINDS: &[&str] = &["solve", "verify", "check", "grundy", "arena", "claims"];

pub(crate) struct State {
    pub(crate) phase: Phase,
    pub(crate) memory: u64,
    pub(crate) progress: Option<Progress>,
    /// The first sign of life of this run that knew its share: when, and units done by then.
    pub(crate) base: Option<(Instant, u64)>,
    pub(crate) begun: Option<Instant>,
    pub(crate) ended: Option<Instant>,
    /// Seconds spent before this run.
    pub(crate) before: f64,
    pub(crate) times: u32,
    pub(crate) why: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) report: Arc<Value>,
    pub(crate) file: Option<Piece>,
    pub(crate) work: Option<Work>,
}

impl State {
    pub(crate) fn new(memory: u64, work: Option<Work>) -> State {
        State {
            phase: Phase::Waiting,
            memory,
            progress: None,
            base: None,
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

    /// Seconds of this run.
    fn running(&self) -> Option<f64> {
        self.begun.map(|begun| self.ended.unwrap_or_else(Instant::now).duration_since(begun).as_secs_f64())
    }
}

impl Job {
    /// How far it is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        lock(&self.state).phase
    }

    /// Its report; null until it is over.
    #[must_use]
    pub fn report(&self) -> Arc<Value> {
        lock(&self.state).report.clone()
    }

    /// The name and length of the file it left.
    #[must_use]
    pub fn file(&self) -> Option<(String, u64)> {
        lock(&self.state).file.as_ref().map(|piece| match piece {
            Piece::Held(name, bytes) => ((*name).to_string(), bytes.len() as u64),
            Piece::Kept(kept) => (kept.name.clone(), kept.bytes),
        })
    }

    /// What is in that file.
    pub fn contents(&self) -> Result<Vec<u8>, Trouble> {
        let piece = lock(&self.state).file.clone();
        match (piece, &self.keep) {
            (Some(Piece::Held(_, bytes)), _) => Ok(bytes.to_vec()),
            (Some(Piece::Kept(kept)), Some(keep)) => Ok(keep.read(self.id, &kept)?),
            _ => Err(Trouble::Missing("that job left no file".into())),
        }
    }

    /// How it stands while it runs; null when it does not say.
    #[must_use]
    pub fn live(&self) -> Value {
        lock(&self.live).clone()
    }

    /// The games being played, for tournaments.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Why it failed.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        lock(&self.state).why.clone()
    }

    /// What happened to it, if the server was stopped meanwhile.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        lock(&self.state).note.clone()
    }

    /// What the page shows while it runs.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let state = lock(&self.state);
        let running = state.running();
        let progress = state.progress;
        let share = progress.and_then(|p| p.total.filter(|&total| total > 0).map(|total| p.done as f64 / total as f64));
        // What was there when this run began took it no time.
        let (since, done) = state.base.map_or((0.0, 0), |(at, done)| (at.elapsed().as_secs_f64(), done));
        let left = progress.and_then(|p| {
            let (total, new) = (p.total?, p.done.checked_sub(done).filter(|&new| new > 0)?);
            Some(since * total.saturating_sub(p.done) as f64 / new as f64)
        });
        let unit = progress.and_then(|p| unit(p.task));
        let (count, rate) = match progress {
            Some(p) if p.nodes > 0 => (Some(p.nodes), running.filter(|s| *s > 0.5).map(|s| p.nodes as f64 / s)),
            Some(p) if unit.is_some() && p.done > 0 => {
                (Some(p.done), Some(since).filter(|s| *s > 0.5).map(|s| p.done.saturating_sub(done) as f64 / s))
            }
            _ => (None, None),
        };
        json!({
            "id": self.id, "kind": self.kind, "title": self.title, "game": self.game, "phase": state.phase.name(),
            "over": state.phase.is_over(), "why": state.why, "note": state.note,
            "seconds": running.map(|s| s + state.before).or((state.before > 0.0).then_some(state.before)),
            "left": left, "share": share, "task": progress.map(|p| p.task), "done": progress.map(|p| p.done),
            "total": progress.and_then(|p| p.total), "unit": unit.unwrap_or("positions"), "count": count, "rate": rate,
        })
    }

    /// Its record as it stands.
    pub(crate) fn record(&self) -> Record {
        let state = lock(&self.state);
        let file = match &state.file {
            Some(Piece::Kept(kept)) => Some(kept.clone()),
            _ => None,
        };
        Record {
            id: self.id,
            kind: self.kind.to_string(),
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

    /// Writes its record as it stands.
    pub(crate) fn write(&self) {
        let gone = lock(&self.gone);
        if let (Some(keep), false) = (&self.keep, *gone) {
            keep.write(&self.record());
        }
    }

    /// Removes everything it left.
    pub(crate) fn forget(&self) {
        let mut gone = lock(&self.gone);
        *gone = true;
        if let Some(keep) = &self.keep {
            keep.forget(self.id);
        }
    }

    fn desk(&self) -> Desk {
        match &self.keep {
            Some(keep) => Desk { folder: keep.folder(self.id), stays: true, used: Cell::default() },
            None => {
                static DESKS: AtomicU64 = AtomicU64::new(0);
                let number = DESKS.fetch_add(1, Ordering::Relaxed);
                let name = format!("agon-job-{}-{number}", std::process::id());
                Desk { folder: std::env::temp_dir().join(name), stays: false, used: Cell::default() }
            }
        }
    }

    /// Keeps a file where it can be found later.
    fn piece(&self, left: Left, desk: &Desk) -> Option<Piece> {
        match (left, &self.keep) {
            (Left::Bytes(name, bytes), Some(keep)) => keep.put(self.id, name, &bytes).map(Piece::Kept),
            (Left::Bytes(name, bytes), None) => Some(Piece::Held(name, Arc::new(bytes))),
            (Left::AtDesk(name), Some(keep)) => keep.adopt(self.id, name).map(Piece::Kept),
            (Left::AtDesk(name), None) => {
                std::fs::read(desk.folder.join(name)).ok().map(|bytes| Piece::Held(name, Arc::new(bytes)))
            }
        }
    }

    /// Ends the job. Its record is on disk before anybody can see that it is over: a server that is killed right after
    /// it has said so loses nothing.
    pub(crate) fn end(&self, phase: Phase, why: Option<String>, report: Value, file: Option<Piece>) {
        let gone = lock(&self.gone);
        if let (Some(keep), false) = (&self.keep, *gone) {
            let file = match &file {
                Some(Piece::Kept(kept)) => Some(kept.clone()),
                _ => None,
            };
            keep.write(&Record { phase, why: why.clone(), report: report.clone(), file, ..self.record() });
        }
        let mut state = lock(&self.state);
        (state.why, state.report, state.file) = (why, Arc::new(report), file);
        state.ended = Some(Instant::now());
        state.progress = None;
        state.note = state.note.take().map(|note| note.replace("goes on", "went on"));
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
        let teller = Arc::downgrade(self);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let ctx = Ctx::default().with_threads(threads).with_cancel(self.cancel.clone()).with_sink(move |progress| {
            let Some(job) = teller.upgrade() else { return };
            let mut state = lock(&job.state);
            if state.progress.is_none_or(|last| last.task != progress.task) {
                state.base = Some((Instant::now(), progress.done));
            }
            state.progress = Some(progress);
        });
        let desk = self.desk();
        let ended = catch_unwind(AssertUnwindSafe(|| work(&ctx, &desk)));
        let cancelled = self.cancel.load(Ordering::Relaxed);
        match ended {
            Ok(Ok(outcome)) => {
                let file = outcome.file.and_then(|left| self.piece(left, &desk));
                // What was found before a stop is kept.
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
                let why = format!("a defect of the program ended this job ({said}); the server continues");
                self.end(Phase::Failed, Some(why), Value::Null, None);
            }
        }
    }
}

/// What the units of a task are; `None` where their number says nothing.
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
