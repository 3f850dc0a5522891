//! The context of a long computation: limits, cancellation, and progress events.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why a computation stopped before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stop {
    /// A cancellation flag was set (Ctrl-C, a closed page).
    Interrupted,
    /// The deadline has passed.
    Time,
    /// The node limit was reached.
    Nodes,
    /// The memory limit was reached.
    Memory,
}

impl Stop {
    /// The reason in a word: `interrupted`, `time`, `nodes` or `memory`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time limit was reached",
            Stop::Nodes => "the node limit was reached",
            Stop::Memory => "the memory limit was reached",
        })
    }
}

impl std::error::Error for Stop {}

/// A progress event.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The task, such as `solving`.
    pub task: &'static str,
    /// Units of work finished.
    pub done: u64,
    /// The total number of units of work, where it is known.
    pub total: Option<u64>,
    /// Nodes visited so far by all threads.
    pub nodes: u64,
}

type Sink = Arc<dyn Fn(Progress) + Send + Sync>;

/// Limits (nodes, a deadline), cancellation, threads and a sink for progress. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Ctx {
    cancels: Vec<Arc<AtomicBool>>,
    nodes: Arc<AtomicU64>,
    budget: u64,
    deadline: Option<Instant>,
    memory: usize,
    threads: usize,
    sink: Option<Sink>,
    /// The last progress event, repeated with the current node count.
    last: Arc<Mutex<Option<Progress>>>,
}

impl Default for Ctx {
    fn default() -> Ctx {
        Ctx {
            cancels: Vec::new(),
            nodes: Arc::default(),
            budget: u64::MAX,
            deadline: None,
            memory: usize::MAX,
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
    /// Sets the node budget. It is approximate: each thread checks it every few thousand nodes.
    #[must_use]
    pub fn with_budget(mut self, nodes: u64) -> Ctx {
        self.budget = nodes;
        self
    }

    /// Sets the bytes that a list of positions may take, about. Verification keeps this limit; solvers have their own.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Ctx {
        self.memory = bytes;
        self
    }

    /// The bytes that a list of positions may take, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Sets the number of threads, at least 1.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Ctx {
        self.threads = threads.max(1);
        self
    }

    /// Adds a cancellation flag: work stops once it is true.
    #[must_use]
    pub fn with_cancel(mut self, flag: Arc<AtomicBool>) -> Ctx {
        self.cancels.push(flag);
        self
    }

    /// A child context whose work stops `limit` from now at the latest, and earlier if this one's does.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Ctx {
        let end = Instant::now().checked_add(limit);
        Ctx { deadline: self.deadline.into_iter().chain(end).min(), ..self.clone() }
    }

    /// Sets the sink of progress events.
    #[must_use]
    pub fn with_sink(mut self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Ctx {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// A child context with its own node counter. It shares the cancellation flags and the sink.
    #[must_use]
    pub fn with_own_count(&self) -> Ctx {
        Ctx { nodes: Arc::default(), ..self.clone() }
    }

    /// A child context that stops after `nodes` more nodes, or when this one does. It shares the node counter.
    #[must_use]
    pub fn sub_budget(&self, nodes: u64) -> Ctx {
        Ctx { budget: self.budget.min(self.nodes().saturating_add(nodes)), ..self.clone() }
    }

    /// A child context that may use a share (0 to 1) of the remaining budget. It shares the node counter.
    #[must_use]
    pub fn budget_share(&self, share: f64) -> Ctx {
        match self.budget {
            u64::MAX => self.clone(),
            budget => self.sub_budget((budget.saturating_sub(self.nodes()) as f64 * share) as u64),
        }
    }

    /// A child context that may use a share (0 to 1) of the time and the budget that are left. It shares the node
    /// counter.
    #[must_use]
    pub fn share(&self, share: f64) -> Ctx {
        let part = self.budget_share(share);
        match self.deadline {
            Some(deadline) => part.within(deadline.saturating_duration_since(Instant::now()).mul_f64(share)),
            None => part,
        }
    }

    /// A child context that sends no progress events.
    #[must_use]
    pub fn without_progress(&self) -> Ctx {
        Ctx { sink: None, ..self.clone() }
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The nodes visited so far, as far as meters have reported them.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes that were counted elsewhere, and repeats the last progress event.
    pub fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.repeat_progress();
    }

    /// Fails when the work has to stop.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancels.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            Err(Stop::Interrupted)
        } else if self.nodes() >= self.budget {
            Err(Stop::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Stop::Time)
        } else {
            Ok(())
        }
    }

    /// Sends a progress event to the sink, if there is one.
    pub fn progress(&self, task: &'static str, done: u64, total: Option<u64>) {
        if let Some(sink) = &self.sink {
            let progress = Progress { task, done, total, nodes: self.nodes() };
            if let Ok(mut last) = self.last.lock() {
                *last = Some(progress);
            }
            sink(progress);
        }
    }

    /// Repeats the last progress event with the current node count. Work that counts nodes is seen even if it never
    /// says what it does.
    fn repeat_progress(&self) {
        let Some(sink) = &self.sink else { return };
        let last = self.last.lock().ok().and_then(|last| *last);
        let last = last.unwrap_or(Progress { task: "working", done: 0, total: None, nodes: 0 });
        sink(Progress { nodes: self.nodes(), ..last });
    }

    /// Calls `work` with every number below `count`, on all threads, until one call fails. This thread works too; threads
    /// that the system does not give are done without.
    pub fn for_each<E: Send>(&self, count: u64, work: impl Fn(u64) -> Result<(), E> + Sync) -> Result<(), E> {
        let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let worker = || {
            while !failed.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                work(number).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        let others = (self.threads as u64).min(count).saturating_sub(1);
        if others == 0 {
            return worker();
        }
        std::thread::scope(|scope| {
            let others = (0..others).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, worker).ok());
            let others: Vec<_> = others.collect();
            let own = worker();
            let joined = others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.fold(own, Result::and)
        })
    }

    /// The same with a result of each call, in the order of the numbers.
    pub fn map<T: Send, E: Send>(&self, count: u64, work: impl Fn(u64) -> Result<T, E> + Sync) -> Result<Vec<T>, E> {
        let results: Mutex<Vec<(u64, T)>> = Mutex::default();
        self.for_each(count, |number| {
            let result = work(number)?;
            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
            Ok(())
        })?;
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(number, _)| *number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// A node counter for one thread.
    #[must_use]
    pub fn meter(&self) -> Meter<'_> {
        Meter { ctx: self, nodes: 0, reported: 0, next: 1 }
    }
}

/// A node counter for one thread, which touches shared memory only every few thousand nodes.
#[derive(Debug)]
pub struct Meter<'a> {
    ctx: &'a Ctx,
    nodes: u64,
    reported: u64,
    /// The count at which to check the shared state again. It begins with the first node, so that many short jobs stop
    /// as promptly as one long job.
    next: u64,
}

impl Meter<'_> {
    /// Nodes between two checks of the shared state.
    const NODES_PER_CHECK: u64 = 4096;

    /// Counts one node; fails when the work has to stop.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.count(1)
    }

    /// Counts several nodes at once; fails when the work has to stop.
    #[inline]
    pub fn count(&mut self, nodes: u64) -> Result<(), Stop> {
        self.nodes += nodes;
        if self.nodes >= self.next {
            self.next = self.nodes + Self::NODES_PER_CHECK;
            self.report();
            self.ctx.repeat_progress();
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
        assert_eq!(stopped, Some(Stop::Nodes));
        assert!(meter.nodes() < 10_000 + 4096 + 1);
        let seen = meter.nodes();
        drop(meter);
        assert_eq!(ctx.nodes(), seen);
    }

    #[test]
    fn a_sub_budget_ends_before_the_whole_and_counts_towards_it() {
        let whole = Ctx::default().with_budget(50_000);
        let mut meters = 0;
        while whole.check().is_ok() {
            let part = whole.sub_budget(20_000);
            let mut meter = part.meter();
            while meter.tick().is_ok() {}
            meters += 1;
        }
        assert_eq!(meters, 3);
        assert!((50_000..60_000).contains(&whole.nodes()));
    }

    #[test]
    fn whoever_counts_nodes_is_seen() {
        let seen: Arc<Mutex<Vec<(&str, u64)>>> = Arc::default();
        let heard = seen.clone();
        let ctx = Ctx::default().with_sink(move |p| heard.lock().unwrap().push((p.task, p.nodes)));
        let mut meter = ctx.meter();
        (0..10_000).for_each(|_| meter.tick().unwrap());
        ctx.progress("solving", 0, None);
        (0..5_000).for_each(|_| meter.tick().unwrap());
        let step = Meter::NODES_PER_CHECK;
        let nodes = [1, 1 + step, 1 + 2 * step].map(|nodes| ("working", nodes));
        let rest = [("solving", 1 + 2 * step), ("solving", 1 + 3 * step)];
        assert_eq!(*seen.lock().unwrap(), [&nodes[..], &rest].concat());
    }

    #[test]
    fn a_share_ends_before_the_whole() {
        let whole = Ctx::default().with_budget(1000).within(Duration::from_secs(3600));
        let half = whole.share(0.5);
        assert_eq!((half.budget, half.check()), (500, Ok(())));
        assert!(half.deadline < whole.deadline && half.deadline > Some(Instant::now()));
        assert_eq!(whole.share(0.0).check(), Err(Stop::Nodes));
        let free = Ctx::default().share(0.5);
        assert_eq!((free.budget, free.deadline), (u64::MAX, None));
        assert_eq!(Ctx::default().within(Duration::ZERO).share(0.5).check(), Err(Stop::Time));
    }

    #[test]
    fn cancelling_reaches_every_clone() {
        let flag = Arc::new(AtomicBool::new(false));
        let ctx = Ctx::default().with_cancel(flag.clone());
        assert_eq!(ctx.with_own_count().check(), Ok(()));
        let inner = Arc::new(AtomicBool::new(true));
        assert_eq!(ctx.clone().with_cancel(inner).check(), Err(Stop::Interrupted));
        assert_eq!(ctx.check(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(ctx.with_own_count().check(), Err(Stop::Interrupted));
    }

    #[test]
    fn every_number_has_its_turn_once_until_one_fails() {
        for threads in [1, 2, 7] {
            let ctx = Ctx::default().with_threads(threads);
            let squares: Result<Vec<u64>, Stop> = ctx.map(1000, |n| Ok(n * n));
            assert_eq!(squares, Ok((0..1000).map(|n| n * n).collect()), "{threads} threads");
            assert_eq!(ctx.map(0, Ok::<u64, Stop>), Ok(vec![]));
            let calls = AtomicU64::new(0);
            let refused = ctx.for_each(u64::MAX, |n| {
                calls.fetch_add(1, Ordering::Relaxed);
                if n == 50 { Err(n) } else { Ok(()) }
            });
            assert_eq!(refused, Err(50));
            assert!(calls.into_inner() < 1_000_000);
        }
    }

    #[test]
    fn the_earliest_deadline_counts() {
        let hour = Duration::from_secs(3600);
        let ctx = Ctx::default().within(hour);
        assert_eq!(ctx.check(), Ok(()));
        let over = ctx.within(Duration::ZERO);
        assert_eq!((over.check(), over.within(hour).check()), (Err(Stop::Time), Err(Stop::Time)));
        assert_eq!(ctx.within(Duration::MAX).check(), Ok(()));
        assert_eq!(over.with_cancel(Arc::new(AtomicBool::new(true))).check(), Err(Stop::Interrupted));
    }
}
