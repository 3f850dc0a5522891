//! Progress on standard error: a bar on a terminal, an occasional line elsewhere. Work that takes less than two seconds
//! shows none.
//!
//! On a terminal something is shown within two seconds, even if the work reports nothing: a thread repeats the last
//! event.

use crate::output::{duration, grouped};
use agon_core::{Ctx, Progress};
use agon_report::forecast::Forecast;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, Weak};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);

/// True if some work polls the flag that Ctrl-C sets.
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

/// From now on Ctrl-C and SIGTERM end the program with exit code 130: at once as long as no task checks the flag it raises, and
/// else when the work in hand has come to its own end.
pub fn handle_interrupts() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        handle_termination();
        // Without a handler Ctrl-C still ends the program, only less politely.
        let _ = ctrlc::set_handler(told_to_stop);
    });
}

/// Ctrl-C was pressed, or a scheduler asks the program to end.
fn told_to_stop() {
    if flag().swap(true, Ordering::Relaxed) || !WATCHED.load(Ordering::Relaxed) || !on_interrupt() {
        std::process::exit(130);
    }
}

/// SIGTERM does the same as Ctrl-C. No thread that begins later gets the signal itself: one thread waits for it. Child
/// processes begin without blocked signals.
#[cfg(unix)]
fn handle_termination() {
    use nix::sys::signal::{SigSet, Signal};
    let signals = SigSet::from(Signal::SIGTERM);
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        while signals.wait().is_ok() {
            told_to_stop();
        }
    };
    let _ = std::thread::Builder::new().name("termination".to_string()).spawn(wait);
}

#[cfg(not(unix))]
fn handle_termination() {}

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

/// Decides what to show, and when. It reads no clock: times are those since the work began.
#[derive(Default)]
struct Teller {
    /// True if to show a frame of a bar now and then, instead of a line from time to time.
    terminal: bool,
    /// The last event; nothing once the answer is being written.
    last: Option<Progress>,
    /// When something was shown for the last time.
    shown: Option<Duration>,
    forecast: Forecast,
}

impl Teller {
    fn new(terminal: bool) -> Teller {
        let working = Progress { task: "working", done: 0, total: None, nodes: 0 };
        Teller { terminal, last: Some(working), ..Teller::default() }
    }

    /// An event: the text to show, if it is time for one.
    fn update(&mut self, progress: Progress, now: Duration) -> Option<String> {
        self.last = Some(progress);
        self.beat(now)
    }

    /// Some time has passed: the last event once more, if it is time for it.
    fn beat(&mut self, now: Duration) -> Option<String> {
        let last = self.last?;
        self.forecast.update(&last, now);
        let pause = if self.terminal { BETWEEN_FRAMES } else { BETWEEN_LINES };
        if now < PATIENCE || self.shown.is_some_and(|shown| now < shown + pause) {
            return None;
        }
        self.shown = Some(now);
        Some(describe(last, now, self.forecast.left()))
    }
}

struct Shown {
    begun: Instant,
    teller: Teller,
    bar: Option<ProgressBar>,
}

/// The text or bar that is shown at present.
static DISPLAY: Mutex<Weak<Mutex<Shown>>> = Mutex::new(Weak::new());

/// A context with the threads asked for, Ctrl-C wired up, and progress unless `quiet`.
#[must_use]
pub fn context(threads: usize, quiet: bool) -> Ctx {
    let ctx = Ctx::default().with_threads(threads).with_cancel(interrupt_flag());
    if quiet {
        return ctx;
    }
    let teller = Teller::new(std::io::stderr().is_terminal());
    let shown = Arc::new(Mutex::new(Shown { begun: Instant::now(), teller, bar: None }));
    if let Ok(mut display) = DISPLAY.lock() {
        *display = Arc::downgrade(&shown);
    }
    repeat(Arc::downgrade(&shown));
    ctx.with_sink(move |progress| {
        if let Ok(mut shown) = shown.try_lock() {
            let now = shown.begun.elapsed();
            let text = shown.teller.update(progress, now);
            shown.show(text);
        }
    })
}

/// Repeats the last event for as long as the work goes on. Without a thread for it, only events are shown.
fn repeat(shown: Weak<Mutex<Shown>>) {
    let beat = move || {
        loop {
            std::thread::sleep(BETWEEN_FRAMES);
            let Some(shown) = shown.upgrade() else { return };
            if let Ok(mut shown) = shown.lock() {
                let now = shown.begun.elapsed();
                let text = shown.teller.beat(now);
                shown.show(text);
            }
        }
    };
    let _ = std::thread::Builder::new().name("progress".to_string()).spawn(beat);
}

/// Takes the bar away before an answer is written. It comes back with the next event.
pub fn hide() {
    let shown = DISPLAY.lock().ok().and_then(|display| display.upgrade());
    if let Some(shown) = shown
        && let Ok(mut shown) = shown.lock()
    {
        shown.teller.last = None;
        shown.clear();
    }
}

impl Shown {
    fn show(&mut self, text: Option<String>) {
        let Some(text) = text else { return };
        if self.teller.terminal {
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

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Totals up to here are shown as they are, larger ones as a percentage.
const MAX_PLAIN_TOTAL: u64 = 10_000;

/// `solving: 34 % · 1,234,567 nodes · 5 s, about 10 s left`, or `playing: 3 of 100 · 57 moves · 5 s`.
fn describe(progress: Progress, elapsed: Duration, left: Option<Duration>) -> String {
    let mut parts = Vec::new();
    match progress.total {
        Some(total) if total > MAX_PLAIN_TOTAL => {
            parts.push(format!("{} %", progress.done.saturating_mul(100) / total))
        }
        Some(total) if total > 0 => parts.push(format!("{} of {}", grouped(progress.done), grouped(total))),
        _ if progress.done > 0 => parts.push(grouped(progress.done)),
        _ => {}
    }
    if progress.nodes > 0 {
        // A tournament counts the moves of its games.
        let unit = if progress.task == "playing" { "moves" } else { "nodes" };
        parts.push(format!("{} {unit}", grouped(progress.nodes)));
    }
    let left = left.map_or(String::new(), |left| format!(", about {} left", duration(left.as_secs_f64())));
    parts.push(format!("{}{left}", duration(elapsed.as_secs_f64())));
    format!("{}: {}", progress.task, parts.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn progress_reads_like_a_sentence() {
        let progress = Progress { task: "solving", done: 25_000, total: Some(100_000), nodes: 1_234_567 };
        assert_eq!(
            describe(progress, seconds(5), Some(seconds(15))),
            "solving: 25 % · 1,234,567 nodes · 5.0 s, about 15.0 s left"
        );
        let unknown = Progress { task: "verifying", done: 0, total: None, nodes: 0 };
        assert_eq!(describe(unknown, seconds(200), None), "verifying: 3 min");
        let games = Progress { task: "playing", done: 3, total: Some(100), nodes: 57 };
        assert_eq!(describe(games, seconds(5), None), "playing: 3 of 100 · 57 moves · 5.0 s");
    }

    #[test]
    fn something_is_shown_after_two_seconds_even_of_silent_work() {
        let mut teller = Teller::new(true);
        let shown: Vec<(u64, String)> =
            (0..40).filter_map(|tenth| Some((tenth, teller.beat(Duration::from_millis(100 * tenth))?))).collect();
        assert_eq!(shown.first(), Some(&(20, "working: 2.0 s".to_string())));
        assert_eq!(shown.len(), 20);
    }

    #[test]
    fn short_work_is_silent_and_lines_are_rare() {
        let mut teller = Teller::new(false);
        let progress = |done: u64| Progress { task: "checking", done, total: Some(100), nodes: 0 };
        assert!((0..2).all(|second| teller.update(progress(second), seconds(second)).is_none()));
        let shown: Vec<u64> =
            (2..20).filter(|&second| teller.update(progress(second), seconds(second)).is_some()).collect();
        assert_eq!(shown, [2, 7, 12, 17]);
    }

    #[test]
    fn nothing_is_shown_while_an_answer_is_written() {
        let mut teller = Teller::new(true);
        assert!(teller.beat(seconds(3)).is_some());
        teller.last = None;
        assert!(teller.beat(seconds(4)).is_none());
        let progress = Progress { task: "solving", done: 0, total: None, nodes: 0 };
        assert!(teller.update(progress, seconds(5)).is_some());
    }
}
