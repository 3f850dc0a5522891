//! A bounded queue of long work, with progress, cancelling and a memory limit.

use crate::app::{Trouble, lock};
use agon_core::{Ctx, Progress};
use agon_edge::failure::Failure;
use agon_edge::words::grouped;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// Jobs that run at once.
const WORKERS: usize = 2;
/// Jobs that may wait.
pub const QUEUE: usize = 16;
/// Jobs remembered after they have ended.
const KEPT: usize = 64;

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// What a job leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The report.
    pub report: Value,
    /// A file to keep: its name and contents.
    pub file: Option<(String, Vec<u8>)>,
    /// A sequence of numbers.
    pub values: Vec<u32>,
}

type Work = Box<dyn FnOnce(&Ctx) -> Result<Outcome, Failure> + Send>;

/// A piece of long work.
pub struct Job {
    /// Its number.
    pub id: u64,
    /// `solve`, `verify`, `check`, `grundy` or `claims`.
    pub kind: &'static str,
    /// What it is about, in one line.
    pub title: String,
    /// The game, where there is one.
    pub game: Option<String>,
    memory: u64,
    cancel: Arc<AtomicBool>,
    state: Mutex<State>,
}

struct State {
    phase: Phase,
    progress: Option<Progress>,
    begun: Option<Instant>,
    ended: Option<Instant>,
    why: Option<String>,
    outcome: Arc<Outcome>,
    work: Option<Work>,
}

impl Job {
    /// How far it is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        lock(&self.state).phase
    }

    /// Its report and file; empty until it is done.
    #[must_use]
    pub fn outcome(&self) -> Arc<Outcome> {
        lock(&self.state).outcome.clone()
    }

    /// Why it failed.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        lock(&self.state).why.clone()
    }

    /// What the page shows while it runs.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let state = lock(&self.state);
        let seconds =
            state.begun.map(|begun| state.ended.unwrap_or_else(Instant::now).duration_since(begun).as_secs_f64());
        let progress = state.progress;
        let share = progress.and_then(|p| p.total.filter(|&total| total > 0).map(|total| p.done as f64 / total as f64));
        let left = share.zip(seconds).filter(|(share, _)| *share > 0.0).map(|(share, s)| s * (1.0 - share) / share);
        json!({
            "id": self.id, "kind": self.kind, "title": self.title, "game": self.game, "phase": state.phase.name(),
            "over": state.phase.is_over(), "why": state.why, "seconds": seconds, "left": left, "share": share,
            "task": progress.map(|p| p.task), "done": progress.map(|p| p.done), "total": progress.and_then(|p| p.total),
            "nodes": progress.map(|p| p.nodes),
        })
    }

    fn end(&self, phase: Phase, why: Option<String>, outcome: Outcome) {
        let mut state = lock(&self.state);
        state.phase = phase;
        state.why = why;
        state.outcome = Arc::new(outcome);
        state.ended = Some(Instant::now());
    }

    fn run(self: &Arc<Job>) {
        let work = {
            let mut state = lock(&self.state);
            if state.phase != Phase::Waiting {
                return;
            }
            state.phase = Phase::Running;
            state.begun = Some(Instant::now());
            state.work.take()
        };
        let Some(work) = work else { return };
        let teller = Arc::downgrade(self);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let ctx = Ctx::default().with_threads(threads).with_cancel(self.cancel.clone()).with_sink(move |progress| {
            if let Some(job) = teller.upgrade() {
                lock(&job.state).progress = Some(progress);
            }
        });
        let ended = catch_unwind(AssertUnwindSafe(|| work(&ctx)));
        let cancelled = self.cancel.load(Ordering::Relaxed);
        match ended {
            Ok(Ok(outcome)) if !cancelled => self.end(Phase::Done, None, outcome),
            // What was found before the stop is kept.
            Ok(Ok(outcome)) => self.end(Phase::Cancelled, Some("cancelled".into()), outcome),
            Ok(Err(_)) if cancelled => self.end(Phase::Cancelled, Some("cancelled".into()), Outcome::default()),
            Ok(Err(failure)) => {
                let why = failure.message().unwrap_or("it failed").to_string();
                self.end(Phase::Failed, Some(why), Outcome::default());
            }
            Err(panic) => {
                let said = panic.downcast_ref::<&str>().map(ToString::to_string);
                let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                let why = format!("a defect of the program ended this job ({said}); the server goes on");
                self.end(Phase::Failed, Some(why), Outcome::default());
            }
        }
    }
}

/// All jobs, and the threads that work on them.
pub struct Jobs {
    all: Mutex<Line>,
    news: Condvar,
}

#[derive(Default)]
struct Line {
    next: u64,
    waiting: VecDeque<Arc<Job>>,
    jobs: VecDeque<Arc<Job>>,
}

/// What a job is before it has a number.
pub struct Order {
    /// `solve`, `verify`, `check`, `grundy` or `claims`.
    pub kind: &'static str,
    /// What it is about, in one line.
    pub title: String,
    /// The game, where there is one.
    pub game: Option<String>,
    /// Bytes it may need.
    pub memory: u64,
    /// The work.
    pub work: Work,
}

impl Jobs {
    /// An empty queue and its workers.
    #[must_use]
    pub fn start() -> Arc<Jobs> {
        let jobs = Arc::new(Jobs { all: Mutex::default(), news: Condvar::new() });
        for _ in 0..WORKERS {
            let jobs = Arc::downgrade(&jobs);
            std::thread::spawn(move || {
                while let Some(jobs) = jobs.upgrade() {
                    if let Some(job) = jobs.next() {
                        job.run();
                    }
                }
            });
        }
        jobs
    }

    /// The next job, or none after a while.
    fn next(&self) -> Option<Arc<Job>> {
        let line = lock(&self.all);
        let pause = std::time::Duration::from_millis(500);
        let waited = self.news.wait_timeout_while(line, pause, |line| line.waiting.is_empty());
        waited.unwrap_or_else(std::sync::PoisonError::into_inner).0.waiting.pop_front()
    }

    /// Puts a job into the line, or says why not.
    pub fn add(&self, order: Order) -> Result<Arc<Job>, Trouble> {
        let mut line = lock(&self.all);
        line.waiting.retain(|job| job.phase() == Phase::Waiting);
        if line.waiting.len() >= QUEUE {
            return Err(Trouble::Busy(format!("{QUEUE} jobs are waiting already; cancel one or try again later")));
        }
        let taken: u64 = line.jobs.iter().filter(|job| !job.phase().is_over()).map(|job| job.memory).sum();
        let free = free_memory() / 10 * 8;
        if taken.saturating_add(order.memory) > free {
            return Err(Trouble::Busy(format!(
                "this needs about {} MiB of memory; {} are free and {} promised to other jobs: ask for less, or wait",
                grouped(order.memory >> 20),
                grouped(free >> 20),
                grouped(taken >> 20)
            )));
        }
        line.next += 1;
        let state = State {
            phase: Phase::Waiting,
            progress: None,
            begun: None,
            ended: None,
            why: None,
            outcome: Arc::default(),
            work: Some(order.work),
        };
        let job = Arc::new(Job {
            id: line.next,
            kind: order.kind,
            title: order.title,
            game: order.game,
            memory: order.memory,
            cancel: Arc::default(),
            state: Mutex::new(state),
        });
        line.jobs.push_back(job.clone());
        line.waiting.push_back(job.clone());
        let over = line.jobs.iter().filter(|job| job.phase().is_over()).count();
        if over > KEPT
            && let Some(at) = line.jobs.iter().position(|job| job.phase().is_over())
        {
            line.jobs.remove(at);
        }
        drop(line);
        self.news.notify_one();
        Ok(job)
    }

    /// The job of that number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<Arc<Job>> {
        lock(&self.all).jobs.iter().find(|job| job.id == id).cloned()
    }

    /// Every job remembered, the newest first.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<Job>> {
        lock(&self.all).jobs.iter().rev().cloned().collect()
    }

    /// Stops a job, or takes it out of the line.
    pub fn cancel(&self, job: &Job) {
        job.cancel.store(true, Ordering::Relaxed);
        if job.phase() == Phase::Waiting {
            job.end(Phase::Cancelled, Some("cancelled before it began".into()), Outcome::default());
        }
    }
}

/// Bytes of memory the system says are free, or a guess.
pub(crate) fn free_memory() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib << 10)
    });
    told.unwrap_or(4 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn order(work: impl FnOnce(&Ctx) -> Result<Outcome, Failure> + Send + 'static) -> Order {
        Order { kind: "check", title: "test".into(), game: None, memory: 0, work: Box::new(work) }
    }

    fn wait(job: &Job) -> Phase {
        let begun = Instant::now();
        while !job.phase().is_over() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        job.phase()
    }

    fn until_stopped(ctx: &Ctx) -> Result<Outcome, Failure> {
        loop {
            ctx.check()?;
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_panic_fails_its_job_and_the_next_one_runs() {
        let jobs = Jobs::start();
        for _ in 0..2 * WORKERS {
            let broken = jobs.add(order(|_| panic!("on purpose"))).unwrap();
            assert_eq!(wait(&broken), Phase::Failed);
            assert!(broken.why().unwrap().contains("on purpose"));
        }
        let fine = jobs.add(order(|_| Ok(Outcome { report: json!(7), ..Outcome::default() }))).unwrap();
        assert_eq!((wait(&fine), fine.outcome().report.clone()), (Phase::Done, json!(7)));
    }

    #[test]
    fn the_line_is_bounded_and_cancelling_frees_it() {
        let jobs = Jobs::start();
        let mut all = Vec::new();
        let refused = loop {
            match jobs.add(order(until_stopped)) {
                Ok(job) => all.push(job),
                Err(trouble) => break trouble,
            }
            assert!(all.len() <= QUEUE + WORKERS);
        };
        assert!(matches!(refused, Trouble::Busy(_)));
        for job in &all {
            jobs.cancel(job);
        }
        assert!(all.iter().all(|job| wait(job) == Phase::Cancelled));
        assert!(jobs.add(order(|_| Ok(Outcome::default()))).is_ok());
    }

    #[test]
    fn a_job_that_needs_too_much_memory_is_refused() {
        let jobs = Jobs::start();
        let greedy = Order { memory: u64::MAX / 2, ..order(|_| Ok(Outcome::default())) };
        let refused = jobs.add(greedy).err().map(|trouble| trouble.message());
        assert!(refused.is_some_and(|why| why.contains("MiB")));
    }
}
