//! A bounded queue of long work, with progress, cancelling and a memory limit. Jobs outlive the server where there
//! is a directory to [keep](crate::keep) them in.

use crate::app::{Trouble, lock};
use crate::job::{Job, KINDS, Phase, Piece, State, Work};
use crate::keep::{Keep, Record};
use crate::watch::Watch;
use agon_report::words::grouped;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

/// Jobs that run at once.
const WORKERS: usize = 2;
/// Jobs that may wait.
pub const QUEUE: usize = 16;
/// Jobs remembered after they have ended; older ones are removed.
pub const KEPT: usize = 64;
/// A job that was cut off that often is not begun again by itself: it may be what ends the server.
const MOST_BEGUN: u32 = 8;

/// All jobs, and the threads that work on them.
pub struct Jobs {
    all: Mutex<Line>,
    news: Condvar,
    keep: Option<Arc<Keep>>,
}

#[derive(Default)]
struct Line {
    next: u64,
    waiting: VecDeque<Arc<Job>>,
    jobs: VecDeque<Arc<Job>>,
    /// Nobody will ask for anything any more.
    closed: bool,
}

/// What a job is before it has a number.
pub struct Order {
    /// `solve`, `verify`, `check`, `grundy`, `arena` or `claims`.
    pub kind: &'static str,
    /// What it is about, in one line.
    pub title: String,
    /// The game, where there is one.
    pub game: Option<String>,
    /// What was asked for, so that it can be asked for again.
    pub request: Value,
    /// A file that belongs to what was asked for.
    pub given: Option<Vec<u8>>,
    /// Whether it resumes where it was interrupted; otherwise it starts again.
    pub resumes: bool,
    /// Bytes it may need.
    pub memory: u64,
    /// Where the work says how it stands, if it does.
    pub live: Arc<Mutex<Value>>,
    /// Where a tournament shows the games being played.
    pub watch: Arc<Watch>,
    /// The work.
    pub work: Work,
}

/// The name of the file that belongs to a request.
const GIVEN: &str = "given";

impl Jobs {
    /// An empty queue and its workers.
    #[must_use]
    pub fn start(keep: Option<Arc<Keep>>) -> Arc<Jobs> {
        let jobs = Arc::new(Jobs { all: Mutex::default(), news: Condvar::new(), keep });
        for _ in 0..WORKERS {
            let jobs = Arc::downgrade(&jobs);
            std::thread::spawn(move || {
                while let Some(jobs) = jobs.upgrade() {
                    match jobs.next() {
                        Some(job) => {
                            job.run();
                            jobs.prune();
                        }
                        None if lock(&jobs.all).closed => return,
                        None => {}
                    }
                }
            });
        }
        jobs
    }

    /// The directory that jobs are kept in.
    #[must_use]
    pub fn keep(&self) -> Option<&Keep> {
        self.keep.as_deref()
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
        has_room(&mut line, order.memory)?;
        line.next += 1;
        let job = self.job(line.next, order);
        line.jobs.push_back(job.clone());
        line.waiting.push_back(job.clone());
        drop(line);
        // On disk before its number is told: what was promised is not lost.
        job.write();
        self.news.notify_one();
        self.prune();
        Ok(job)
    }

    fn job(&self, id: u64, order: Order) -> Arc<Job> {
        if let (Some(keep), Some(given)) = (&self.keep, &order.given) {
            keep.put(id, GIVEN, given);
        }
        Arc::new(Job {
            id,
            kind: order.kind,
            title: order.title,
            game: order.game,
            request: order.request,
            live: order.live,
            watch: order.watch,
            cancel: Arc::default(),
            gone: Mutex::default(),
            keep: self.keep.clone(),
            state: Mutex::new(State::new(order.memory, Some(order.work))),
        })
    }

    /// Takes up the jobs of an earlier server: finished jobs stay finished, the others resume.
    pub(crate) fn restore(&self, order: impl Fn(&Value, Option<Vec<u8>>) -> Result<Order, Trouble>) {
        let Some(keep) = &self.keep else { return };
        keep.sweep();
        let (records, largest) = keep.records();
        let mut line = lock(&self.all);
        line.next = line.next.max(largest);
        for record in records {
            let Some(kind) = KINDS.iter().copied().find(|kind| *kind == record.kind) else {
                keep.report(&format!("job {} is left out: there are no jobs of the kind `{}`", record.id, record.kind));
                continue;
            };
            let given = std::fs::read(keep.folder(record.id).join(GIVEN)).ok();
            let wanted = (!record.phase.is_over()).then(|| order(&record.request, given));
            let job = self.restored(record, kind, wanted);
            if !job.phase().is_over() {
                line.waiting.push_back(job.clone());
            }
            line.jobs.push_back(job);
        }
        drop(line);
        self.prune();
        self.news.notify_all();
    }

    fn restored(&self, record: Record, kind: &'static str, wanted: Option<Result<Order, Trouble>>) -> Arc<Job> {
        let mut state = State::new(0, None);
        state.phase = record.phase;
        (state.before, state.times, state.why) = (record.seconds, record.begun, record.why);
        (state.report, state.file) = (Arc::new(record.report), record.file.map(Piece::Kept));
        let (mut live, mut watch, changed) = (Arc::default(), Arc::default(), wanted.is_some());
        match wanted {
            None => {}
            Some(Ok(order)) if record.begun < MOST_BEGUN => {
                if record.begun > 0 {
                    let how = if order.resumes { "goes on" } else { "begun again" };
                    state.note = Some(format!("{how} after the server was stopped"));
                }
                (state.phase, state.memory, state.work) = (Phase::Waiting, order.memory, Some(order.work));
                (live, watch) = (order.live, order.watch);
            }
            Some(Ok(_)) => {
                state.phase = Phase::Failed;
                state.why = Some(format!("the server was stopped {} times while this ran", record.begun));
            }
            Some(Err(trouble)) => {
                state.phase = Phase::Failed;
                state.why = Some(format!("it cannot be begun again: {}", trouble.message()));
            }
        }
        let job = Arc::new(Job {
            id: record.id,
            kind,
            title: record.title,
            game: record.game,
            request: record.request,
            live,
            watch,
            cancel: Arc::default(),
            gone: Mutex::default(),
            keep: self.keep.clone(),
            state: Mutex::new(state),
        });
        if changed {
            job.write();
        }
        job
    }

    /// Begins a job again that ended without an answer; it resumes where it can.
    pub(crate) fn again(&self, old: &Job, order: Order) -> Result<Arc<Job>, Trouble> {
        let mut line = lock(&self.all);
        let at = line.jobs.iter().position(|job| job.id == old.id && job.phase().is_over());
        let at = at.ok_or_else(|| Trouble::Busy(format!("job {} is not over", old.id)))?;
        has_room(&mut line, order.memory)?;
        let seconds = old.record().seconds;
        // From now on the record is that of the new one.
        *lock(&line.jobs[at].gone) = true;
        let job = self.job(old.id, order);
        lock(&job.state).before = seconds;
        line.jobs[at] = job.clone();
        line.waiting.push_back(job.clone());
        drop(line);
        job.write();
        self.news.notify_one();
        Ok(job)
    }

    /// Forgets old jobs that are over.
    fn prune(&self) {
        loop {
            let mut line = lock(&self.all);
            let mut over = line.jobs.iter().enumerate().filter(|(_, job)| job.phase().is_over());
            let Some((oldest, _)) = over.next() else { return };
            if over.count() < KEPT {
                return;
            }
            let old = line.jobs.remove(oldest);
            drop(line);
            // Files are removed while nobody waits.
            old.iter().for_each(|job| job.forget());
        }
    }

    /// Removes a job that is over, with everything it left; or what is damaged under that number.
    pub fn remove(&self, id: u64) -> Result<(), Trouble> {
        let mut line = lock(&self.all);
        let Some(at) = line.jobs.iter().position(|job| job.id == id) else {
            drop(line);
            let known = self.keep.as_ref().is_some_and(|keep| keep.is_damaged(id) && keep.forget(id));
            return if known { Ok(()) } else { Err(Trouble::Missing(format!("there is no job {id}"))) };
        };
        if !line.jobs[at].phase().is_over() {
            return Err(Trouble::Busy(format!("job {id} is not over; cancel it first")));
        }
        let job = line.jobs.remove(at);
        drop(line);
        job.iter().for_each(|job| job.forget());
        Ok(())
    }

    /// Lets the workers go home as soon as there is nothing to do.
    pub fn close(&self) {
        lock(&self.all).closed = true;
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
            job.end(Phase::Cancelled, Some("cancelled before it began".into()), Value::Null, None);
        }
    }
}

/// Whether there is room for one more, and for its memory.
fn has_room(line: &mut Line, memory: u64) -> Result<(), Trouble> {
    line.waiting.retain(|job| job.phase() == Phase::Waiting);
    if line.waiting.len() >= QUEUE {
        return Err(Trouble::Busy(format!("{QUEUE} jobs are waiting already; cancel one or try again later")));
    }
    let needs = |job: &Arc<Job>| lock(&job.state).memory;
    let taken: u64 = line.jobs.iter().filter(|job| !job.phase().is_over()).map(needs).sum();
    let free = free_memory() / 10 * 8;
    if taken.saturating_add(memory) > free {
        return Err(Trouble::Busy(format!(
            "this needs about {} MiB of memory; {} are free and {} promised to other jobs: ask for less, or wait",
            grouped(memory >> 20),
            grouped(free >> 20),
            grouped(taken >> 20)
        )));
    }
    Ok(())
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
    use crate::job::{Left, Outcome};
    use agon_core::Ctx;
    use agon_report::failure::Failure;
    use serde_json::json;
    use std::time::{Duration, Instant};

    /// No wait is longer, unless something is wrong.
    const PATIENCE: Duration = Duration::from_secs(600);

    fn order(work: impl FnOnce(&Ctx) -> Result<Outcome, Failure> + Send + 'static) -> Order {
        Order {
            kind: "check",
            title: "test".into(),
            game: None,
            request: Value::Null,
            given: None,
            resumes: false,
            memory: 0,
            live: Arc::default(),
            watch: Arc::default(),
            work: Box::new(|ctx, _| work(ctx)),
        }
    }

    fn wait(job: &Job) -> Phase {
        let begun = Instant::now();
        while !job.phase().is_over() && begun.elapsed() < PATIENCE {
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
        let jobs = Jobs::start(None);
        for _ in 0..2 * WORKERS {
            let broken = jobs.add(order(|_| panic!("on purpose"))).unwrap();
            assert_eq!(wait(&broken), Phase::Failed);
            assert!(broken.why().unwrap().contains("on purpose"));
        }
        let fine = jobs.add(order(|_| Ok(Outcome { report: json!(7), ..Outcome::default() }))).unwrap();
        assert_eq!((wait(&fine), (*fine.report()).clone()), (Phase::Done, json!(7)));
    }

    #[test]
    fn the_line_is_bounded_and_cancelling_frees_it() {
        let jobs = Jobs::start(None);
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
        let jobs = Jobs::start(None);
        let greedy = Order { memory: u64::MAX / 2, ..order(|_| Ok(Outcome::default())) };
        let refused = jobs.add(greedy).err().map(|trouble| trouble.message());
        assert!(refused.is_some_and(|why| why.contains("MiB")));
    }

    fn keeping(root: &std::path::Path) -> Arc<Jobs> {
        Jobs::start(Some(Arc::new(Keep::open(root, Box::new(|_| ())).unwrap())))
    }

    /// Closes a server: its workers let go of the directory.
    fn close(jobs: Arc<Jobs>) {
        let keep = Arc::downgrade(jobs.keep.as_ref().unwrap());
        jobs.close();
        drop(jobs);
        while keep.strong_count() > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn what_was_over_is_over_and_what_was_not_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = keeping(folder.path());
        let file = Some(Left::Bytes("certificate.agon", b"proof".to_vec()));
        let done = jobs.add(order(|_| Ok(Outcome { report: json!(7), file }))).unwrap();
        let broken = jobs.add(order(|_| panic!("on purpose"))).unwrap();
        assert_eq!((wait(&done), wait(&broken)), (Phase::Done, Phase::Failed));
        let ids = (done.id, broken.id);
        drop((done, broken));
        let (done, broken) = ids;
        close(jobs);
        // A server that was killed in the midst of the third.
        let mut record = Keep::open(folder.path(), Box::new(|_| ())).unwrap().records().0.remove(0);
        (record.id, record.phase, record.begun, record.report) = (3, Phase::Running, 1, Value::Null);
        Keep::open(folder.path(), Box::new(|_| ())).unwrap().write(&record);
        (record.id, record.begun) = (4, MOST_BEGUN);
        Keep::open(folder.path(), Box::new(|_| ())).unwrap().write(&record);

        let jobs = keeping(folder.path());
        jobs.restore(|_, _| Ok(order(|_| Ok(Outcome { report: json!(8), ..Outcome::default() }))));
        let again = jobs.get(3).unwrap();
        assert_eq!(
            (wait(&again), again.note().unwrap().as_str()),
            (Phase::Done, "begun again after the server was stopped")
        );
        assert_eq!(*again.report(), json!(8));
        let done = jobs.get(done).unwrap();
        assert_eq!(
            (done.phase(), (*done.report()).clone(), done.contents().unwrap()),
            (Phase::Done, json!(7), b"proof".to_vec())
        );
        assert!(jobs.get(broken).unwrap().why().unwrap().contains("on purpose"));
        assert!(jobs.get(4).unwrap().why().unwrap().contains("stopped 8 times"));
        // Numbers are not used twice, and what is removed is gone.
        assert_eq!(jobs.add(order(|_| Ok(Outcome::default()))).unwrap().id, 5);
        jobs.remove(3).unwrap();
        assert!(jobs.get(3).is_none() && jobs.remove(3).is_err() && !folder.path().join("jobs/3").exists());
    }

    #[test]
    fn old_jobs_are_removed_with_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = keeping(folder.path());
        for _ in 0..KEPT + 5 {
            wait(&jobs.add(order(|_| Ok(Outcome::default()))).unwrap());
        }
        jobs.add(order(|_| Ok(Outcome::default()))).unwrap();
        let kept = || std::fs::read_dir(folder.path().join("jobs")).unwrap().count();
        let begun = Instant::now();
        while kept() > KEPT && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!((kept(), jobs.list().len()), (KEPT, KEPT));
        assert!(jobs.get(1).is_none() && jobs.get(6).is_none() && jobs.get(7).is_some());
    }

    #[test]
    fn a_job_that_was_cancelled_can_be_begun_again() {
        let jobs = Jobs::start(None);
        let job = jobs.add(order(until_stopped)).unwrap();
        assert!(matches!(jobs.again(&job, order(until_stopped)), Err(Trouble::Busy(_))));
        assert!(matches!(jobs.remove(job.id), Err(Trouble::Busy(_))));
        jobs.cancel(&job);
        assert_eq!(wait(&job), Phase::Cancelled);
        let again = jobs.again(&job, order(|_| Ok(Outcome { report: json!(9), ..Outcome::default() }))).unwrap();
        assert_eq!((again.id, wait(&again), (*again.report()).clone()), (job.id, Phase::Done, json!(9)));
    }
}
