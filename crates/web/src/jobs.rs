//! A bounded queue of jobs, with progress, cancellation and a memory limit. With a [job store](crate::job_store), jobs
//! outlive the server.

use crate::app::{RequestError, lock};
use crate::job::{Job, JobFile, JobKind, Phase, State, Work};
use crate::job_store::{JobStore, Record};
use crate::watch::Watch;
use agon_report::words::grouped;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

/// The number of jobs that run at once.
const WORKERS: usize = 2;
/// The most jobs that may wait.
pub const MAX_WAITING: usize = 16;
/// The number of finished jobs that are stored; older ones are removed.
pub const MAX_FINISHED: usize = 64;
/// A job that was interrupted this many times is not restarted automatically: it may be the cause of the crashes.
const MAX_STARTS: u32 = 8;

/// All jobs, and the threads that run them.
pub struct Jobs {
    all: Mutex<Queue>,
    news: Condvar,
    store: Option<Arc<JobStore>>,
}

#[derive(Default)]
struct Queue {
    next: u64,
    waiting: VecDeque<Arc<Job>>,
    jobs: VecDeque<Arc<Job>>,
    /// No job will be added any more.
    closed: bool,
}

/// Everything needed to start a job, except its number.
pub struct JobSpec {
    /// Its task.
    pub kind: JobKind,
    /// A title of one line.
    pub title: String,
    /// The game, if the job is about one.
    pub game: Option<String>,
    /// The request as JSON, so that the job can be started again.
    pub request: Value,
    /// A file that belongs to the request.
    pub given: Option<Vec<u8>>,
    /// True if an interrupted job resumes; otherwise it starts again from the beginning.
    pub resumes: bool,
    /// The memory it may need, in bytes.
    pub memory: u64,
    /// The intermediate result, written by the work.
    pub live: Arc<Mutex<Value>>,
    /// The games of a tournament that are being played now.
    pub watch: Arc<Watch>,
    /// The function to run.
    pub work: Work,
}

/// The name of the file that belongs to a request.
const GIVEN: &str = "given";

impl Jobs {
    /// An empty queue and its workers.
    #[must_use]
    pub fn start(store: Option<Arc<JobStore>>) -> Arc<Jobs> {
        let jobs = Arc::new(Jobs { all: Mutex::default(), news: Condvar::new(), store });
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

    /// The job store, if there is one.
    #[must_use]
    pub fn store(&self) -> Option<&JobStore> {
        self.store.as_deref()
    }

    /// The next waiting job, or `None` if there is none for half a second.
    fn next(&self) -> Option<Arc<Job>> {
        let queue = lock(&self.all);
        let pause = std::time::Duration::from_millis(500);
        let waited = self.news.wait_timeout_while(queue, pause, |queue| queue.waiting.is_empty());
        waited.unwrap_or_else(std::sync::PoisonError::into_inner).0.waiting.pop_front()
    }

    /// Adds a job to the queue, or returns the reason why there is no room.
    pub fn add(&self, spec: JobSpec) -> Result<Arc<Job>, RequestError> {
        let mut queue = lock(&self.all);
        has_room(&mut queue, spec.memory)?;
        queue.next += 1;
        let job = self.job(queue.next, spec);
        queue.jobs.push_back(job.clone());
        queue.waiting.push_back(job.clone());
        drop(queue);
        // The record is on disk before the page learns the number, so no accepted job is lost.
        job.write();
        self.news.notify_one();
        self.prune();
        Ok(job)
    }

    fn job(&self, id: u64, spec: JobSpec) -> Arc<Job> {
        if let (Some(store), Some(given)) = (&self.store, &spec.given) {
            store.put(id, GIVEN, given);
        }
        Arc::new(Job {
            id,
            kind: spec.kind,
            title: spec.title,
            game: spec.game,
            request: spec.request,
            live: spec.live,
            watch: spec.watch,
            cancel: Arc::default(),
            gone: Mutex::default(),
            store: self.store.clone(),
            state: Mutex::new(State::new(spec.memory, Some(spec.work))),
        })
    }

    /// Restores the jobs of an earlier server: finished jobs stay finished, the others resume or restart.
    pub(crate) fn restore(&self, spec: impl Fn(&Value, Option<Vec<u8>>) -> Result<JobSpec, RequestError>) {
        let Some(store) = &self.store else { return };
        store.sweep();
        let (records, largest) = store.records();
        let mut queue = lock(&self.all);
        queue.next = queue.next.max(largest);
        for record in records {
            let Some(kind) = JobKind::named(&record.kind) else {
                store.report(&format!("job {} is skipped: unknown kind `{}`", record.id, record.kind));
                continue;
            };
            let given = std::fs::read(store.folder(record.id).join(GIVEN)).ok();
            let wanted = (!record.phase.is_over()).then(|| spec(&record.request, given));
            let job = self.restored(record, kind, wanted);
            if !job.phase().is_over() {
                queue.waiting.push_back(job.clone());
            }
            queue.jobs.push_back(job);
        }
        drop(queue);
        self.prune();
        self.news.notify_all();
    }

    fn restored(&self, record: Record, kind: JobKind, wanted: Option<Result<JobSpec, RequestError>>) -> Arc<Job> {
        let mut state = State::new(0, None);
        state.phase = record.phase;
        (state.before, state.times, state.why) = (record.seconds, record.begun, record.why);
        (state.report, state.file) = (Arc::new(record.report), record.file.map(JobFile::Stored));
        let (mut live, mut watch, changed) = (Arc::default(), Arc::default(), wanted.is_some());
        match wanted {
            None => {}
            Some(Ok(spec)) if record.begun < MAX_STARTS => {
                if record.begun > 0 {
                    let how = if spec.resumes { "resumes" } else { "restarts" };
                    state.note = Some(format!("{how} after the server was stopped"));
                }
                (state.phase, state.memory, state.work) = (Phase::Waiting, spec.memory, Some(spec.work));
                (live, watch) = (spec.live, spec.watch);
            }
            Some(Ok(_)) => {
                state.phase = Phase::Failed;
                state.why = Some(format!("the server stopped {} times while this job ran", record.begun));
            }
            Some(Err(error)) => {
                state.phase = Phase::Failed;
                state.why = Some(format!("it cannot be started again: {}", error.message()));
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
            store: self.store.clone(),
            state: Mutex::new(state),
        });
        if changed {
            job.write();
        }
        job
    }

    /// Starts a cancelled or failed job again; it resumes where it can.
    pub(crate) fn again(&self, old: &Job, spec: JobSpec) -> Result<Arc<Job>, RequestError> {
        let mut queue = lock(&self.all);
        let at = queue.jobs.iter().position(|job| job.id == old.id && job.phase().is_over());
        let at = at.ok_or_else(|| RequestError::Busy(format!("job {} has not ended", old.id)))?;
        has_room(&mut queue, spec.memory)?;
        let seconds = old.record().seconds;
        // From now on the record belongs to the new job.
        *lock(&queue.jobs[at].gone) = true;
        let job = self.job(old.id, spec);
        lock(&job.state).before = seconds;
        queue.jobs[at] = job.clone();
        queue.waiting.push_back(job.clone());
        drop(queue);
        job.write();
        self.news.notify_one();
        Ok(job)
    }

    /// Deletes the oldest finished jobs beyond [`MAX_FINISHED`].
    fn prune(&self) {
        loop {
            let mut queue = lock(&self.all);
            let mut over = queue.jobs.iter().enumerate().filter(|(_, job)| job.phase().is_over());
            let Some((oldest, _)) = over.next() else { return };
            if over.count() < MAX_FINISHED {
                return;
            }
            let old = queue.jobs.remove(oldest);
            drop(queue);
            // Files are deleted without holding the lock.
            old.iter().for_each(|job| job.forget());
        }
    }

    /// Deletes a finished job with all its files, or a damaged record of that number.
    pub fn remove(&self, id: u64) -> Result<(), RequestError> {
        let mut queue = lock(&self.all);
        let Some(at) = queue.jobs.iter().position(|job| job.id == id) else {
            drop(queue);
            let known = self.store.as_ref().is_some_and(|store| store.is_damaged(id) && store.forget(id));
            return if known { Ok(()) } else { Err(RequestError::NotFound(format!("there is no job {id}"))) };
        };
        if !queue.jobs[at].phase().is_over() {
            return Err(RequestError::Busy(format!("job {id} has not ended; cancel it first")));
        }
        let job = queue.jobs.remove(at);
        drop(queue);
        job.iter().for_each(|job| job.forget());
        Ok(())
    }

    /// Stops the workers once the queue is empty.
    pub fn close(&self) {
        lock(&self.all).closed = true;
    }

    /// The job with that number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<Arc<Job>> {
        lock(&self.all).jobs.iter().find(|job| job.id == id).cloned()
    }

    /// Every job, the newest first.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<Job>> {
        lock(&self.all).jobs.iter().rev().cloned().collect()
    }

    /// Stops a job, or takes it out of the queue.
    pub fn cancel(&self, job: &Job) {
        job.cancel.store(true, Ordering::Relaxed);
        if job.phase() == Phase::Waiting {
            job.end(Phase::Cancelled, Some("cancelled before it started".into()), Value::Null, None);
        }
    }
}

/// Refuses a job for which there is no room in the queue or in memory.
fn has_room(queue: &mut Queue, memory: u64) -> Result<(), RequestError> {
    queue.waiting.retain(|job| job.phase() == Phase::Waiting);
    if queue.waiting.len() >= MAX_WAITING {
        return Err(RequestError::Busy(format!(
            "{MAX_WAITING} jobs are waiting already; cancel one or try again later"
        )));
    }
    let needs = |job: &Arc<Job>| lock(&job.state).memory;
    let taken: u64 = queue.jobs.iter().filter(|job| !job.phase().is_over()).map(needs).sum();
    let free = agon_registry::memory::free() / 10 * 8;
    if taken.saturating_add(memory) > free {
        return Err(RequestError::Busy(format!(
            "this job needs about {} MiB of memory; {} MiB are free and {} MiB are reserved for other jobs: allow less memory, or wait",
            grouped(memory >> 20),
            grouped(free >> 20),
            grouped(taken >> 20)
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Artifact, Outcome};
    use agon_core::Ctx;
    use agon_report::failure::Failure;
    use serde_json::json;
    use std::time::{Duration, Instant};

    /// A wait longer than this is a failure.
    const TEST_TIMEOUT: Duration = Duration::from_secs(600);

    fn spec(work: impl FnOnce(&Ctx) -> Result<Outcome, Failure> + Send + 'static) -> JobSpec {
        JobSpec {
            kind: JobKind::Check,
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
        while !job.phase().is_over() && begun.elapsed() < TEST_TIMEOUT {
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
            let broken = jobs.add(spec(|_| panic!("on purpose"))).unwrap();
            assert_eq!(wait(&broken), Phase::Failed);
            assert!(broken.why().unwrap().contains("on purpose"));
        }
        let fine = jobs.add(spec(|_| Ok(Outcome { report: json!(7), ..Outcome::default() }))).unwrap();
        assert_eq!((wait(&fine), (*fine.report()).clone()), (Phase::Done, json!(7)));
    }

    #[test]
    fn the_queue_is_bounded_and_cancelling_frees_it() {
        let jobs = Jobs::start(None);
        let mut all = Vec::new();
        let refused = loop {
            match jobs.add(spec(until_stopped)) {
                Ok(job) => all.push(job),
                Err(error) => break error,
            }
            assert!(all.len() <= MAX_WAITING + WORKERS);
        };
        assert!(matches!(refused, RequestError::Busy(_)));
        for job in &all {
            jobs.cancel(job);
        }
        assert!(all.iter().all(|job| wait(job) == Phase::Cancelled));
        assert!(jobs.add(spec(|_| Ok(Outcome::default()))).is_ok());
    }

    #[test]
    fn a_job_that_needs_too_much_memory_is_refused() {
        let jobs = Jobs::start(None);
        let greedy = JobSpec { memory: u64::MAX / 2, ..spec(|_| Ok(Outcome::default())) };
        let refused = jobs.add(greedy).err().map(|error| error.message());
        assert!(refused.is_some_and(|why| why.contains("MiB")));
    }

    fn storing(root: &std::path::Path) -> Arc<Jobs> {
        Jobs::start(Some(Arc::new(JobStore::open(root, Box::new(|_| ())).unwrap())))
    }

    /// Closes a server and waits until its workers release the directory.
    fn close(jobs: Arc<Jobs>) {
        let store = Arc::downgrade(jobs.store.as_ref().unwrap());
        jobs.close();
        drop(jobs);
        while store.strong_count() > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn finished_jobs_stay_finished_and_unfinished_ones_restart() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = storing(folder.path());
        let file = Some(Artifact::Bytes("certificate.agon", b"proof".to_vec()));
        let done = jobs.add(spec(|_| Ok(Outcome { report: json!(7), file }))).unwrap();
        let broken = jobs.add(spec(|_| panic!("on purpose"))).unwrap();
        assert_eq!((wait(&done), wait(&broken)), (Phase::Done, Phase::Failed));
        let ids = (done.id, broken.id);
        drop((done, broken));
        let (done, broken) = ids;
        close(jobs);
        // A server that was killed while it ran the third job.
        let mut record = JobStore::open(folder.path(), Box::new(|_| ())).unwrap().records().0.remove(0);
        (record.id, record.phase, record.begun, record.report) = (3, Phase::Running, 1, Value::Null);
        JobStore::open(folder.path(), Box::new(|_| ())).unwrap().write(&record);
        (record.id, record.begun) = (4, MAX_STARTS);
        JobStore::open(folder.path(), Box::new(|_| ())).unwrap().write(&record);

        let jobs = storing(folder.path());
        jobs.restore(|_, _| Ok(spec(|_| Ok(Outcome { report: json!(8), ..Outcome::default() }))));
        let again = jobs.get(3).unwrap();
        assert_eq!(
            (wait(&again), again.note().unwrap().as_str()),
            (Phase::Done, "restarted after the server was stopped")
        );
        assert_eq!(*again.report(), json!(8));
        let done = jobs.get(done).unwrap();
        assert_eq!(
            (done.phase(), (*done.report()).clone(), done.contents().unwrap()),
            (Phase::Done, json!(7), b"proof".to_vec())
        );
        assert!(jobs.get(broken).unwrap().why().unwrap().contains("on purpose"));
        assert!(jobs.get(4).unwrap().why().unwrap().contains("stopped 8 times"));
        // Numbers are not reused, and removed jobs are gone.
        assert_eq!(jobs.add(spec(|_| Ok(Outcome::default()))).unwrap().id, 5);
        jobs.remove(3).unwrap();
        assert!(jobs.get(3).is_none() && jobs.remove(3).is_err() && !folder.path().join("jobs/3").exists());
    }

    #[test]
    fn old_jobs_are_removed_with_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = storing(folder.path());
        for _ in 0..MAX_FINISHED + 5 {
            wait(&jobs.add(spec(|_| Ok(Outcome::default()))).unwrap());
        }
        jobs.add(spec(|_| Ok(Outcome::default()))).unwrap();
        let kept = || std::fs::read_dir(folder.path().join("jobs")).unwrap().count();
        let begun = Instant::now();
        while kept() > MAX_FINISHED && begun.elapsed() < TEST_TIMEOUT {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!((kept(), jobs.list().len()), (MAX_FINISHED, MAX_FINISHED));
        assert!(jobs.get(1).is_none() && jobs.get(6).is_none() && jobs.get(7).is_some());
    }

    #[test]
    fn a_cancelled_job_can_be_started_again() {
        let jobs = Jobs::start(None);
        let job = jobs.add(spec(until_stopped)).unwrap();
        assert!(matches!(jobs.again(&job, spec(until_stopped)), Err(RequestError::Busy(_))));
        assert!(matches!(jobs.remove(job.id), Err(RequestError::Busy(_))));
        jobs.cancel(&job);
        assert_eq!(wait(&job), Phase::Cancelled);
        let again = jobs.again(&job, spec(|_| Ok(Outcome { report: json!(9), ..Outcome::default() }))).unwrap();
        assert_eq!((again.id, wait(&again), (*again.report()).clone()), (job.id, Phase::Done, json!(9)));
    }
}
