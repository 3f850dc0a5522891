//! Every octal code of up to a few digits, and the periods that can be proven.

use super::enough_memory;
use crate::VERSION;
use crate::cli::Shared;
use crate::failure::Failure;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use agon_check::sequence::fingerprint;
use agon_core::{Code, Ctx};
use agon_solve::grundy::{Failure as Stopped, Grundy, Method};
use serde::Serialize;

/// Heaps looked at for each code unless said otherwise.
pub(crate) const DEFAULT_TO: usize = 16_384;

/// One code.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) code: String,
    pub(crate) period: Option<usize>,
    pub(crate) preperiod: Option<usize>,
    pub(crate) proved: bool,
    pub(crate) largest: u32,
    /// Of the values, as in `agon grundy --json`: codes with the same values have the same.
    pub(crate) hash: String,
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
    let codes = survey(&codes(digits), to, &shared.context())?;
    shared.answer(&Survey { agon: VERSION, game: None, to, codes })
}

/// The octal codes with exactly one to `digits` digits after the point, without those that end in 0.
pub(crate) fn codes(digits: u32) -> Vec<Code> {
    let spelled =
        (1..=digits).flat_map(|len| (0..8usize.pow(len)).map(move |n| format!("0.{n:0len$o}", len = len as usize)));
    spelled.filter(|text| !text.ends_with('0')).filter_map(|text| text.parse().ok()).collect()
}

/// The period, if it is proven within `to` heaps, and what else is reported for each code.
pub(crate) fn survey(codes: &[Code], to: usize, ctx: &Ctx) -> Result<Vec<Row>, Failure> {
    for code in codes {
        enough_memory(code, to)?;
    }
    let (alone, count) = (ctx.with_own_count().with_threads(1).with_sink(|_| {}), codes.len() as u64);
    let rows = ctx.map(count, |i| {
        ctx.progress("codes", i, Some(count));
        look_at(&codes[i as usize], to, &alone)
    });
    Ok(rows?)
}

fn look_at(code: &Code, to: usize, ctx: &Ctx) -> Result<Row, Stopped> {
    let mut grundy = Grundy::new(code, to, Method::Auto);
    grundy.run(ctx, to)?;
    let period = grundy.find_period().cloned();
    let values: Vec<u32> = grundy.values().collect();
    Ok(Row {
        code: code.to_string(),
        period: period.as_ref().map(|p| p.period),
        preperiod: period.as_ref().map(|p| p.preperiod),
        proved: period.is_some(),
        largest: values.iter().copied().max().unwrap_or(0),
        hash: fingerprint(values.iter().copied()),
    })
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

    /// Every published period and preperiod that a survey of three digits can prove is the one it proves.
    #[test]
    fn published_short_periods_are_found_and_proved() {
        let codes = codes(3);
        let found = survey(&codes, 4096, &Ctx::default().with_threads(2)).expect("no limit");
        let mut compared = 0;
        for line in super::super::audit::PUBLISHED.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split(',').collect();
            let Some(row) = found.iter().find(|row| row.code == fields[0]) else { continue };
            let (found, stated) =
                (if fields[1] == "period" { row.period } else { row.preperiod }, fields[2].parse().ok());
            if row.proved {
                compared += 1;
                assert_eq!(found, stated, "{line}");
            }
        }
        assert!(compared >= 75, "{compared} statements");
    }
}
