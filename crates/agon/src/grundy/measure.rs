//! Measures the engine against the scalar loop.

use crate::VERSION;
use crate::cli::Shared;
use crate::failure::Failure;
use crate::output::{Paint, grouped};
use crate::report::Report;
use agon_core::Code;
use agon_solve::grundy::{Grundy, Method};
use serde::Serialize;
use std::time::Instant;

/// The largest heap of the scalar loop in a race.
const PLAIN_TO: usize = 1 << 17;

#[derive(Clone, Debug, Serialize)]
struct Race {
    agon: &'static str,
    game: Option<String>,
    code: String,
    to: usize,
    plain_to: usize,
    plain_seconds: f64,
    /// The plain loop at `to`, as its time grows with the square of the heap.
    plain_extrapolated: f64,
    seconds: f64,
    cpu_seconds: Option<f64>,
    times_faster: f64,
    agree: bool,
}

/// `agon grundy CODE --to N --race`.
pub(super) fn race(code: &Code, to: usize, shared: &Shared) -> Result<(), Failure> {
    let ctx = shared.context();
    let plain_to = PLAIN_TO.min(to);
    let before = cpu_seconds();
    let mut plain = Grundy::new(code, plain_to, Method::Plain);
    let begun = Instant::now();
    plain.run(&ctx, plain_to)?;
    let plain_wall = begun.elapsed().as_secs_f64();
    let between = cpu_seconds();
    let mut best = Grundy::new(code, to, Method::Auto);
    let begun = Instant::now();
    best.run(&ctx, to)?;
    let seconds = begun.elapsed().as_secs_f64();
    let spent = |from: Option<f64>, to: Option<f64>| Some(to? - from?);
    let cpu = spent(between, cpu_seconds());
    // Processor time where it is known: other work on the machine does not count.
    let plain_seconds = spent(before, between).unwrap_or(plain_wall);
    let growth = (to as f64 / plain_to as f64).powi(2);
    shared.answer(&Race {
        agon: VERSION,
        game: None,
        code: code.to_string(),
        to,
        plain_to,
        plain_seconds,
        plain_extrapolated: plain_seconds * growth,
        seconds,
        cpu_seconds: cpu,
        times_faster: plain_seconds * growth / cpu.unwrap_or(seconds).max(0.01),
        agree: plain.values().eq(best.values().take(plain_to + 1)),
    })
}

/// Processor time of this process so far, where the system tells.
fn cpu_seconds() -> Option<f64> {
    /// Of /proc, on every Linux machine.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}

impl Report for Race {
    fn text(&self, paint: Paint) -> String {
        let cpu = self.cpu_seconds.map_or(String::new(), |s| format!(", {s:.1} s of processor time"));
        format!(
            "{} to {}: {:.1} s{cpu}\nplain loop to {}: {:.2} s, so about {:.0} s to {}\n{} times faster; the values up to {} {}\n",
            paint.bold(&self.code),
            grouped(self.to),
            self.seconds,
            grouped(self.plain_to),
            self.plain_seconds,
            self.plain_extrapolated,
            grouped(self.to),
            paint.bold(&format!("{:.0}", self.times_faster)),
            grouped(self.plain_to),
            if self.agree { "agree" } else { "DIFFER" }
        )
    }
}
