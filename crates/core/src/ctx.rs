//! What a long computation needs from its surroundings: when to stop, and whom to tell.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Why a computation ended before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Somebody asked for it (Ctrl-C, a closed page, a time limit).
    Cancelled,
    /// The node budget is used up.
    Budget,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Cancelled => "interrupted",
            Stop::Budget => "the node budget is used up",
        })
    }
}

impl std::error::Error for Stop {}

/// A sign of life.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is being done, e.g. `solving`.
    pub task: &'static str,
    /// Units of work finished.
    pub done: u64,
    /// Units in all, where that is known.
    pub total: Option<u64>,
    /// Nodes visited so far by all threads.
    pub nodes: u64,
}

type Sink = Arc<dyn Fn(Progress) + Send + Sync>;

/// Budget, cancellation, threads and a sink for progress. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Ctx {
    cancel: Arc<AtomicBool>,
    /// More reasons to stop, for limits inside limits.
    also: Vec<Arc<AtomicBool>>,
    nodes: Arc<AtomicU64>,
    budget: u64,
    threads: usize,
    sink: Option<Sink>,
    /// The last sign of life, repeated while nothing new is known.
    last: Arc<Mutex<Option<Progress>>>,
}

impl Default for Ctx {
    fn default() -> Ctx {
        Ctx {
            cancel: Arc::default(),
            also: Vec::new(),
            nodes: Arc::default(),
            budget: u64::MAX,
            threads: 1,
            sink: None,
            last: Arc::default(),
        }
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctx").field("budget", &self.budget).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Ctx {
    /// At most about that many nodes (each thread looks every few thousand nodes).
    #[must_use]
    pub fn with_budget(mut self, nodes: u64) -> Ctx {
        self.budget = nodes;
        self
    }

    /// How many threads may work at once.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Ctx {
        self.threads = threads.max(1);
        self
    }

    /// Stop when `flag` becomes true.
    #[must_use]
    pub fn with_cancel(mut self, flag: Arc<AtomicBool>) -> Ctx {
        self.cancel = flag;
        self
    }

    /// Stop when `flag` becomes true too, for a limit inside a limit.
    #[must_use]
    pub fn with_also(mut self, flag: Arc<AtomicBool>) -> Ctx {
        self.also.push(flag);
        self
    }

    /// Send progress to `sink`.
    #[must_use]
    pub fn with_sink(mut self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Ctx {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// The same surroundings with a node count of its own, for a job inside a job.
    #[must_use]
    pub fn fresh(&self) -> Ctx {
        Ctx { nodes: Arc::default(), ..self.clone() }
    }

    /// The same surroundings and node count, to be left after that many nodes more, or when it must be.
    #[must_use]
    pub fn slice(&self, nodes: u64) -> Ctx {
        Ctx { budget: self.budget.min(self.nodes().saturating_add(nodes)), ..self.clone() }
    }

    /// The same surroundings and node count, to be left when that share of the nodes still allowed is used up.
    #[must_use]
    pub fn part(&self, share: f64) -> Ctx {
        match self.budget {
            u64::MAX => self.clone(),
            budget => self.slice((budget.saturating_sub(self.nodes()) as f64 * share) as u64),
        }
    }

    /// The same surroundings without signs of life, for small jobs inside one that gives its own.
    #[must_use]
    pub fn silent(&self) -> Ctx {
        Ctx { sink: None, ..self.clone() }
    }

    /// How many threads may work at once.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Nodes visited so far, as far as the meters have reported them.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts nodes of a job that keeps its own count.
    pub fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Whether it is time to stop.
    pub fn check(&self) -> Result<(), Stop> {
        let raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if raised(&self.cancel) || self.also.iter().any(raised) {
            Err(Stop::Cancelled)
        } else if self.nodes() >= self.budget {
            Err(Stop::Budget)
        } else {
            Ok(())
        }
    }

    /// Tells the sink, if any, how far the work is.
    pub fn progress(&self, task: &'static str, done: u64, total: Option<u64>) {
        if let Some(sink) = &self.sink {
            let progress = Progress { task, done, total, nodes: self.nodes() };
            if let Ok(mut last) = self.last.lock() {
                *last = Some(progress);
            }
            sink(progress);
        }
    }

    /// Repeats the last sign of life with the nodes counted since.
    fn pulse(&self) {
        let Some(sink) = &self.sink else { return };
        let last = self.last.lock().ok().and_then(|last| *last);
        if let Some(last) = last {
            sink(Progress { nodes: self.nodes(), ..last });
        }
    }

    /// A node counter for one thread.
    #[must_use]
    pub fn meter(&self) -> Meter<'_> {
        Meter { ctx: self, nodes: 0, reported: 0, next: 1 }
    }
}

/// Counts nodes without touching shared memory at each one.
#[derive(Debug)]
pub struct Meter<'a> {
    ctx: &'a Ctx,
    nodes: u64,
    reported: u64,
    /// The node at which to look at the shared state again; the first one, so that many short jobs stop
    /// as readily as one long one.
    next: u64,
}

impl Meter<'_> {
    /// Nodes between two looks at the shared state.
    const STRIDE: u64 = 4096;

    /// Counts one node; fails when it is time to stop.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes >= self.next {
            self.next = self.nodes + Self::STRIDE;
            self.report();
            self.ctx.pulse();
            self.ctx.check()?;
        }
        Ok(())
    }

    /// Nodes counted by this meter.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn report(&mut self) {
        self.ctx.nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_stops_at_the_budget_and_reports_its_rest() {
        let ctx = Ctx::default().with_budget(10_000);
        let mut meter = ctx.meter();
        let stopped = (0..100_000).find_map(|_| meter.tick().err());
        assert_eq!(stopped, Some(Stop::Budget));
        assert!(meter.nodes() < 10_000 + 4096 + 1);
        let seen = meter.nodes();
        drop(meter);
        assert_eq!(ctx.nodes(), seen);
    }

    #[test]
    fn a_slice_ends_before_the_whole_and_counts_towards_it() {
        let whole = Ctx::default().with_budget(50_000);
        let mut meters = 0;
        while whole.check().is_ok() {
            let slice = whole.slice(20_000);
            let mut meter = slice.meter();
            while meter.tick().is_ok() {}
            meters += 1;
        }
        assert_eq!(meters, 3);
        assert!((50_000..60_000).contains(&whole.nodes()));
    }

    #[test]
    fn cancelling_reaches_every_clone() {
        let flag = Arc::new(AtomicBool::new(false));
        let ctx = Ctx::default().with_cancel(flag.clone());
        assert_eq!(ctx.fresh().check(), Ok(()));
        let inner = Arc::new(AtomicBool::new(true));
        assert_eq!(ctx.clone().with_also(inner).check(), Err(Stop::Cancelled));
        assert_eq!(ctx.check(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(ctx.fresh().check(), Err(Stop::Cancelled));
    }
}
