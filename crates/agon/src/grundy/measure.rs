//! The engine against itself: do all methods agree, and how much faster is the best one?

use crate::VERSION;
use crate::cli::Shared;
use crate::failure::Failure;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use agon_core::{Code, Ctx};
use agon_solve::grundy::{Grundy, Level, Method};
use serde::Serialize;
use std::time::Instant;

/// Codes of every sort: one take and several, periodic and wild, splitting, unequal, with and without a sparse space.
const CODES: [&str; 24] = [
    "0.007", "0.6", "0.06", "0.07", "0.77", "0.137", "0.16", "0.56", "0.36", "0.37", "0.104", "0.106", "0.114", "0.14",
    "0.142", "0.356", "0.644", "0.74", "0.76", "0.004", "4.3", "4.004", "grundy", "0.0404",
];

/// The heap from which the sparse engine is made to work: earlier than pays, but not so early that nothing is rare.
fn sparse_from(to: usize) -> usize {
    if to <= EVERY_LEVEL_TO { 1024 } else { 8192 }
}

#[derive(Clone, Debug, Serialize)]
struct Agreement {
    code: String,
    /// Seconds of the plain loop, of each vector level, and of the sparse engine at each level.
    seconds: Vec<(String, f64)>,
    /// The first heap where a method differs from the plain loop, with its name.
    differs: Option<(String, usize)>,
}

#[derive(Clone, Debug, Serialize)]
struct Agreements {
    agon: &'static str,
    game: Option<String>,
    to: usize,
    agree: bool,
    codes: Vec<Agreement>,
}

/// Up to here every vector level is tried; beyond, the best one.
const EVERY_LEVEL_TO: usize = 1 << 15;

/// `agon grundy [CODE] --self-test`: every method, value by value, on many codes or on one.
pub(super) fn self_test(code: Option<&str>, to: Option<usize>, shared: &Shared) -> Result<(), Failure> {
    let to = to.unwrap_or(1 << 14);
    let ctx = shared.context();
    let asked: Vec<&str> = code.map_or(CODES.to_vec(), |code| vec![code]);
    let mut codes = Vec::new();
    for (i, code) in asked.iter().enumerate() {
        ctx.progress("codes", i as u64, Some(asked.len() as u64));
        let code: Code = code.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
        if code.most_heaps() > 2 {
            return Err(Failure::Usage(format!("{code} has one method only; expected an octal code")));
        }
        codes.push(agreement(&code, to, &ctx.fresh().with_sink(|_| {}))?);
    }
    let agree = codes.iter().all(|code| code.differs.is_none());
    shared.answer(&Agreements { agon: VERSION, game: None, to, agree, codes })?;
    if agree { Ok(()) } else { Err(Failure::Failed("the methods disagree".into())) }
}

fn agreement(code: &Code, to: usize, ctx: &Ctx) -> Result<Agreement, Failure> {
    let run = |method: Method| -> Result<(Vec<u32>, f64), Failure> {
        let begun = Instant::now();
        let mut grundy = Grundy::new(code, to, method);
        grundy.run(ctx, to)?;
        Ok((grundy.values().collect(), begun.elapsed().as_secs_f64()))
    };
    let (plain, seconds) = run(Method::Plain)?;
    let mut all = Agreement { code: code.to_string(), seconds: vec![("plain".into(), seconds)], differs: None };
    let levels = if to <= EVERY_LEVEL_TO { Level::available() } else { &[Level::best()] };
    let brute = levels.iter().map(|&level| (format!("brute {}", level.name()), Method::Brute(level)));
    let sparse =
        levels.iter().map(|&level| (format!("sparse {}", level.name()), Method::Sparse(level, sparse_from(to))));
    for (name, method) in brute.chain(sparse).chain([("auto".to_string(), Method::Auto)]) {
        let (values, seconds) = run(method)?;
        if let (None, Some(n)) = (&all.differs, (0..=to).find(|&n| values[n] != plain[n])) {
            all.differs = Some((name.clone(), n));
        }
        all.seconds.push((name, seconds));
    }
    Ok(all)
}

impl Report for Agreements {
    fn text(&self, paint: Paint) -> String {
        let methods: Vec<&str> = self.codes[0].seconds.iter().map(|(name, _)| name.as_str()).collect();
        let head: Vec<&str> = ["code"].into_iter().chain(methods).chain(["agree"]).collect();
        let row = |code: &Agreement| {
            let agree = code.differs.as_ref().map_or("yes".to_string(), |(name, n)| format!("no: {name} at {n}"));
            let seconds = code.seconds.iter().map(|(_, s)| format!("{s:.2}"));
            [code.code.clone()].into_iter().chain(seconds).chain([agree]).collect()
        };
        let rows: Vec<Vec<String>> = self.codes.iter().map(row).collect();
        let verdict = if self.agree { paint.good("all methods agree") } else { paint.bad("the methods disagree") };
        format!("seconds to heap {}\n\n{}\n{verdict}\n", grouped(self.to), table(&head, &rows))
    }
}

/// How far the plain loop runs in a race.
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
