//! Signs of life on standard error: a bar on a terminal, a line now and then elsewhere. Nothing at all
//! for work that takes less than two seconds.

use crate::output::{duration, grouped};
use agon_core::{Ctx, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);

/// Whether some work polls the flag that Ctrl-C sets.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C raises.
fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(Arc::default).clone()
}

/// Returns whether Ctrl-C was pressed.
#[must_use]
pub fn interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}

/// From now on Ctrl-C ends the program with exit code 130: at once as long as no task checks the flag it raises, and
/// else when the work in hand has come to its own end.
pub fn handle_interrupts() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        let seen = flag();
        // Without a handler Ctrl-C still ends the program, only less politely.
        let _ = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) || !WATCHED.load(Ordering::Relaxed) || !on_interrupt() {
                std::process::exit(130);
            }
        });
    });
}

/// The flag that Ctrl-C raises; every [`Ctx`] made by [`context`] looks at it.
#[must_use]
pub fn interrupt_flag() -> Arc<AtomicBool> {
    handle_interrupts();
    WATCHED.store(true, Ordering::Relaxed);
    flag()
}

type Farewell = Box<dyn Fn() + Send>;

static FAREWELL: Mutex<Option<Farewell>> = Mutex::new(None);

/// The message when Ctrl-C ends the program while it waits for input.
pub fn farewell(say: impl Fn() + Send + 'static) {
    let _ = interrupt_flag();
    if let Ok(mut slot) = FAREWELL.lock() {
        *slot = Some(Box::new(say));
    }
}

/// Says farewell if there is one; true when the work in hand should come to its own end.
fn on_interrupt() -> bool {
    match FAREWELL.lock() {
        Ok(slot) => match slot.as_ref() {
            Some(say) => {
                say();
                false
            }
            None => true,
        },
        Err(_) => false,
    }
}

struct Shown {
    begun: Instant,
    last: Instant,
    bar: Option<ProgressBar>,
    terminal: bool,
}

/// A context with the threads asked for, Ctrl-C wired up, and progress unless `quiet`.
#[must_use]
pub fn context(threads: usize, quiet: bool) -> Ctx {
    let ctx = Ctx::default().with_threads(threads).with_cancel(interrupt_flag());
    if quiet {
        return ctx;
    }
    let now = Instant::now();
    let shown = Mutex::new(Shown { begun: now, last: now, bar: None, terminal: std::io::stderr().is_terminal() });
    ctx.with_sink(move |progress| {
        if let Ok(mut shown) = shown.try_lock() {
            shown.show(progress);
        }
    })
}

impl Shown {
    fn show(&mut self, progress: Progress) {
        let elapsed = self.begun.elapsed();
        let pause = if self.terminal { BETWEEN_FRAMES } else { BETWEEN_LINES };
        let first = self.last == self.begun;
        if elapsed < PATIENCE || (!first && self.last.elapsed() < pause) {
            return;
        }
        self.last = Instant::now();
        let text = describe(progress, elapsed);
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("{spinner} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner());
                ProgressBar::new_spinner().with_style(style)
            });
            bar.set_message(text);
            bar.tick();
        } else {
            crate::output::tell(&text);
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `solving: 34 % · 1,234,567 nodes · 5 s, about 10 s left`.
fn describe(progress: Progress, elapsed: Duration) -> String {
    let mut parts = Vec::new();
    match progress.total {
        Some(total) if total > 0 => parts.push(format!("{} %", progress.done * 100 / total)),
        _ if progress.done > 0 => parts.push(grouped(progress.done)),
        _ => {}
    }
    if progress.nodes > 0 {
        parts.push(format!("{} nodes", grouped(progress.nodes)));
    }
    let spent = elapsed.as_secs_f64();
    let left = progress.total.filter(|_| progress.done > 0).map(|total| {
        let rest = total.saturating_sub(progress.done) as f64;
        format!(", about {} left", duration(spent * rest / progress.done as f64))
    });
    parts.push(format!("{}{}", duration(spent), left.unwrap_or_default()));
    format!("{}: {}", progress.task, parts.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_like_a_sentence() {
        let progress = Progress { task: "solving", done: 25, total: Some(100), nodes: 1_234_567 };
        assert_eq!(
            describe(progress, Duration::from_secs(5)),
            "solving: 25 % · 1,234,567 nodes · 5.0 s, about 15.0 s left"
        );
        let unknown = Progress { task: "verifying", done: 0, total: None, nodes: 0 };
        assert_eq!(describe(unknown, Duration::from_secs(200)), "verifying: 3 min");
    }
}
