//! Every octal code of up to a few digits, and the periods that can be proved.

use crate::VERSION;
use crate::cli::Shared;
use crate::failure::Failure;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use agon_core::{Code, Ctx};
use agon_solve::grundy::{Failure as Stopped, Grundy, Method, Period};
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Heaps looked at for each code unless said otherwise.
const DEFAULT_TO: usize = 16_384;

#[derive(Clone, Debug, Serialize)]
struct Row {
    code: String,
    period: Option<usize>,
    preperiod: Option<usize>,
    proved: bool,
    largest: u32,
}

#[derive(Clone, Debug, Serialize)]
struct Survey {
    agon: &'static str,
    game: Option<String>,
    to: usize,
    codes: Vec<Row>,
}

/// `agon grundy --survey DIGITS`.
pub(super) fn command(digits: u32, to: Option<usize>, shared: &Shared) -> Result<(), Failure> {
    let to = to.unwrap_or(DEFAULT_TO);
    let ctx = shared.context();
    let codes = codes(digits);
    let rows = survey(&codes, to, &ctx)?;
    let row = |(code, (period, largest)): (&Code, (Option<Period>, u32))| Row {
        code: code.to_string(),
        period: period.as_ref().map(|p| p.period),
        preperiod: period.as_ref().map(|p| p.preperiod),
        proved: period.is_some(),
        largest,
    };
    shared.answer(&Survey { agon: VERSION, game: None, to, codes: codes.iter().zip(rows).map(row).collect() })
}

/// The octal codes with exactly one to `digits` digits after the point, without those that end in 0.
fn codes(digits: u32) -> Vec<Code> {
    let spelled =
        (1..=digits).flat_map(|len| (0..8usize.pow(len)).map(move |n| format!("0.{n:0len$o}", len = len as usize)));
    spelled.filter(|text| !text.ends_with('0')).filter_map(|text| text.parse().ok()).collect()
}

type Found = (Option<Period>, u32);

/// The period, if it is proved within `to` heaps, and the largest value, for each code.
fn survey(codes: &[Code], to: usize, ctx: &Ctx) -> Result<Vec<Found>, Stopped> {
    let next = AtomicUsize::new(0);
    let found: Vec<Mutex<Option<Found>>> = codes.iter().map(|_| Mutex::new(None)).collect();
    let work = || -> Result<(), Stopped> {
        let alone = ctx.fresh().with_threads(1).with_sink(|_| {});
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(code) = codes.get(i) else { return Ok(()) };
            ctx.progress("codes", i as u64, Some(codes.len() as u64));
            let mut grundy = Grundy::new(code, to, Method::Auto);
            grundy.run(&alone, to)?;
            let period = grundy.find_period().cloned();
            let largest = grundy.values().max().unwrap_or(0);
            *found[i].lock().expect("no panic while it was held") = Some((period, largest));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..ctx.threads()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let taken = |slot: Mutex<Option<_>>| slot.into_inner().ok().flatten().expect("every code was looked at");
    Ok(found.into_iter().map(taken).collect())
}

impl Report for Survey {
    fn text(&self, paint: Paint) -> String {
        let proved: Vec<&Row> = self.codes.iter().filter(|row| row.proved).collect();
        let cell = |n: Option<usize>| n.map(grouped).unwrap_or_default();
        let row = |row: &&Row| vec![row.code.clone(), cell(row.period), cell(row.preperiod), grouped(row.largest)];
        let rows: Vec<Vec<String>> = proved.iter().map(row).collect();
        let table = table(&["code", "period", "from heap", "largest value"], &rows);
        let open: Vec<&str> = self.codes.iter().filter(|row| !row.proved).map(|row| row.code.as_str()).collect();
        format!(
            "{table}\n{} of {} codes have a period that heaps up to {} prove; still open: {}\n",
            paint.bold(&grouped(proved.len())),
            grouped(self.codes.len()),
            grouped(self.to),
            if open.is_empty() { "none".to_string() } else { open.join(" ") }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_listed_once() {
        assert_eq!((codes(1).len(), codes(2).len(), codes(3).len()), (7, 63, 511));
    }

    #[test]
    fn short_periods_of_two_digit_codes_are_proved() {
        // Code and period, from memory of the published tables of octal games; not compared with a copy.
        let known = [
            ("0.07", 34),
            ("0.15", 10),
            ("0.26", 4),
            ("0.34", 8),
            ("0.35", 6),
            ("0.44", 24),
            ("0.45", 20),
            ("0.52", 4),
            ("0.53", 9),
            ("0.54", 7),
            ("0.57", 4),
            ("0.72", 4),
            ("0.75", 2),
            ("0.77", 12),
        ];
        let codes = codes(2);
        let found = survey(&codes, 4000, &Ctx::default().with_threads(2)).expect("no limit");
        for (code, period) in known {
            let at = codes.iter().position(|c| c.to_string() == code).expect("listed");
            assert_eq!(found[at].0.as_ref().map(|p| p.period), Some(period), "{code}");
        }
    }
}
