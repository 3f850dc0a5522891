//! Long work: it runs on a thread of its own while the lock of the interpreter is released. The calling thread shows
//! progress and looks for signals, so Ctrl-C stops the work as it does on the command line.

use crate::failure::exception;
use agon::core::{Ctx, Progress};
use agon::failure::Failure;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The pause between two looks for signals.
const BEAT: Duration = Duration::from_millis(50);

/// Work that takes less shows no progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// Searches recurse: their thread gets a stack as large as that of a main thread.
const STACK: usize = 8 << 20;

/// What limits a piece of work.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits {
    pub(crate) seconds: Option<f64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) threads: Option<usize>,
}

impl Limits {
    /// The context of work with these limits; `failed` stops it.
    pub(crate) fn context(self, py: Python<'_>, failed: Option<Arc<AtomicBool>>) -> PyResult<Ctx> {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let ctx = Ctx::default().with_threads(self.threads.unwrap_or_else(all));
        let ctx = ctx.with_budget(self.nodes.unwrap_or(u64::MAX));
        let ctx = failed.map_or(ctx.clone(), |flag| ctx.with_cancel(flag));
        match self.seconds.map(Duration::try_from_secs_f64) {
            None => Ok(ctx),
            Some(Ok(limit)) => Ok(ctx.within(limit)),
            Some(Err(_)) => {
                let given = self.seconds.unwrap_or_default();
                Err(crate::failure::usage(py, format!("invalid time `{given}`: expected seconds, like 10")))
            }
        }
    }
}

/// Does a piece of work and waits for it.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    ctx: Ctx,
    work: impl FnOnce(&Ctx) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (cancel, last) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None::<Progress>)));
    let heard = last.clone();
    let ctx = ctx.with_cancel(cancel.clone()).with_sink(move |progress| {
        if let Ok(mut last) = heard.lock() {
            *last = Some(progress);
        }
    });
    std::thread::scope(|scope| {
        let (send, finished) = channel();
        let finished = Mutex::new(finished);
        let worker = std::thread::Builder::new().name("agon".to_string()).stack_size(STACK);
        let worker = worker.spawn_scoped(scope, move || {
            let done = work(&ctx);
            let _ = send.send(());
            done
        });
        let worker = worker.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")));
        let worker = worker.map_err(|failure| exception(py, &failure))?;
        let mut display = Display::new();
        let mut interrupt = None;
        // Only the main thread of Python sees signals, and only where it asks for them.
        let working = || match finished.lock() {
            Ok(finished) => finished.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout),
            Err(_) => false,
        };
        while py.detach(working) {
            if interrupt.is_none()
                && let Err(signal) = py.check_signals()
            {
                cancel.store(true, Ordering::Relaxed);
                interrupt = Some(signal);
            }
            let event = last.lock().ok().and_then(|last| *last);
            if let Err(error) = display.update(py, event)
                && interrupt.is_none()
            {
                cancel.store(true, Ordering::Relaxed);
                interrupt = Some(error);
            }
        }
        let done = py.detach(move || worker.join());
        display.close(py);
        if let Some(signal) = interrupt {
            return Err(signal);
        }
        match done {
            Ok(done) => done.map_err(|failure| exception(py, &failure)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The bar that shows progress, made by `agon.progress` once the work has taken a while.
struct Display {
    begun: Instant,
    bar: Option<Py<PyAny>>,
}

impl Display {
    fn new() -> Display {
        Display { begun: Instant::now(), bar: None }
    }

    fn update(&mut self, py: Python<'_>, event: Option<Progress>) -> PyResult<()> {
        if self.begun.elapsed() < PATIENCE {
            return Ok(());
        }
        if self.bar.is_none() {
            self.bar = Some(py.import("agon.progress")?.getattr("_begin")?.call0()?.unbind());
        }
        let Some(bar) = self.bar.as_ref().filter(|bar| !bar.is_none(py)) else { return Ok(()) };
        let event = event.unwrap_or(Progress { task: "working", done: 0, total: None, nodes: 0 });
        bar.call_method1(py, "update", (event.task, event.done, event.total, event.nodes))?;
        Ok(())
    }

    fn close(self, py: Python<'_>) {
        if let Some(bar) = self.bar.filter(|bar| !bar.is_none(py)) {
            // The answer matters more than the bar.
            let _ = bar.call_method0(py, "close");
        }
    }
}
