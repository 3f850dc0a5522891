//! The engine against itself: do all methods give the same values?

use super::enough_memory;
use crate::VERSION;
use crate::cli::Shared;
use crate::failure::Failure;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use agon_core::{Code, Ctx};
use agon_solve::grundy::{Grundy, Level, Method, Stats};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Instant;

/// These codes have no period that 2^18 heaps prove (.16 settles later), and no two have the same values; they take in
/// one way or in two, split unequally without taking, and have good sparse spaces or poor ones.
const CODES: [&str; 24] = [
    "0.007", "0.6", "0.06", "0.004", "0.006", "0.014", "0.016", "0.024", "0.026", "0.034", "0.114", "0.126", "0.14",
    "0.142", "0.16", "0.162", "0.172", "0.206", "0.324", "0.342", "0.36", "0.371", "0.74", "grundy",
];

/// The heap from which the sparse engine is made to work: earlier than pays, but not so early that nothing is rare.
fn sparse_from(to: usize) -> usize {
    if to <= EVERY_LEVEL_TO { 1024 } else { 8192 }
}

/// All methods on one code.
#[derive(Clone, Debug, Serialize)]
struct Agreement {
    code: String,
    /// Seconds of the plain loop, of each vector level, and of the sparse engine at each level.
    seconds: Vec<(String, f64)>,
    /// The first heap where a method differs from the plain loop, with its name.
    differs: Option<(String, usize)>,
    largest: u32,
    distinct: usize,
    /// The period that these values prove, if they do.
    period: Option<usize>,
}

/// All methods on many codes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Agreements {
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
    let found = agreements(code, to.unwrap_or(1 << 14), &shared.context())?;
    shared.answer(&found)?;
    if found.agree { Ok(()) } else { Err(Failure::Failed("the methods disagree".into())) }
}

/// Every method to heap `to`, on many codes or on one.
pub(crate) fn agreements(code: Option<&str>, to: usize, ctx: &Ctx) -> Result<Agreements, Failure> {
    let asked: Vec<&str> = code.map_or(CODES.to_vec(), |code| vec![code]);
    let mut codes = Vec::new();
    for (i, code) in asked.iter().enumerate() {
        ctx.progress("codes", i as u64, Some(asked.len() as u64));
        let code: Code = code.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
        if code.most_heaps() > 2 {
            return Err(Failure::Usage(format!("{code} has one method only; expected an octal code")));
        }
        enough_memory(&code, to)?;
        codes.push(agreement(&code, to, &ctx.with_own_count().with_sink(|_| {}))?);
    }
    let agree = codes.iter().all(|code| code.differs.is_none());
    Ok(Agreements { agon: VERSION, game: None, to, agree, codes })
}

fn agreement(code: &Code, to: usize, ctx: &Ctx) -> Result<Agreement, Failure> {
    let run = |method: Method| -> Result<(Grundy, f64), Failure> {
        let begun = Instant::now();
        let mut grundy = Grundy::new(code, to, method);
        grundy.run(ctx, to)?;
        Ok((grundy, begun.elapsed().as_secs_f64()))
    };
    let (mut plain, seconds) = run(Method::Plain)?;
    let stats = Stats::of(plain.values());
    let mut all = Agreement {
        code: code.to_string(),
        seconds: vec![("plain".into(), seconds)],
        differs: None,
        largest: stats.as_ref().map_or(0, |stats| stats.max.value),
        distinct: stats.map_or(0, |stats| stats.distinct),
        period: plain.find_period().map(|found| found.period),
    };
    let levels = if to <= EVERY_LEVEL_TO { Level::available() } else { &[Level::best()] };
    let brute = levels.iter().map(|&level| (format!("brute {}", level.name()), Method::Brute(level)));
    let sparse =
        levels.iter().map(|&level| (format!("sparse {}", level.name()), Method::Sparse(level, sparse_from(to))));
    for (name, method) in brute.chain(sparse).chain([("auto".to_string(), Method::Auto)]) {
        let (grundy, seconds) = run(method)?;
        let differs = plain.values().zip(grundy.values()).position(|(a, b)| a != b);
        let differs = differs.or((grundy.len() != plain.len()).then_some(grundy.len()));
        if let (None, Some(n)) = (&all.differs, differs) {
            all.differs = Some((name.clone(), n));
        }
        all.seconds.push((name, seconds));
    }
    Ok(all)
}

impl Agreement {
    fn verdict(&self) -> String {
        self.differs.as_ref().map_or("yes".to_string(), |(name, n)| format!("no: {name} at {n}"))
    }
}

impl Agreements {
    /// The part that does not depend on the machine, as a table for a document.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::from("| code | period | agree |\n|---|---|---|\n");
        for code in &self.codes {
            let period = code.period.map_or("none yet".to_string(), grouped);
            let _ = writeln!(out, "| {} | {period} | {} |", code.code, code.verdict());
        }
        out
    }

    /// Codes without a period among these values, and whether all methods agree on all codes.
    pub(crate) fn wild(&self) -> (usize, bool) {
        (self.codes.iter().filter(|code| code.period.is_none()).count(), self.agree)
    }
}

impl Report for Agreements {
    fn text(&self, paint: Paint) -> String {
        let methods: Vec<&str> = self.codes[0].seconds.iter().map(|(name, _)| name.as_str()).collect();
        let head: Vec<&str> = ["code", "period", "largest"].into_iter().chain(methods).chain(["agree"]).collect();
        let row = |code: &Agreement| {
            let period = code.period.map_or("none yet".to_string(), grouped);
            let seconds = code.seconds.iter().map(|(_, s)| format!("{s:.2}"));
            [code.code.clone(), period, grouped(code.largest)]
                .into_iter()
                .chain(seconds)
                .chain([code.verdict()])
                .collect()
        };
        let rows: Vec<Vec<String>> = self.codes.iter().map(row).collect();
        let verdict = if self.agree { paint.good("all methods agree") } else { paint.bad("the methods disagree") };
        format!("seconds to heap {}\n\n{}\n{verdict}\n", grouped(self.to), table(&head, &rows))
    }
}
