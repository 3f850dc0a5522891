//! The report about a sequence.

use crate::VERSION;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use crate::report::grundy::{period_json, stats_json};
use agon_check::sequence::fingerprint;
use agon_core::Code;
use agon_solve::grundy::{Grundy, Period, Stats};
use agon_solve::misere::{Heap, LookAlike, look_alike};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::path::Path;

/// The parts of the answer that the flags select.
pub(super) struct Wanted<'a> {
    pub(super) values: bool,
    pub(super) zeros: bool,
    pub(super) stats: bool,
    pub(super) period: bool,
    pub(super) at: &'a [usize],
    pub(super) out: Option<&'a Path>,
}

/// The answer of `agon grundy CODE`.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    agon: &'static str,
    game: Option<String>,
    code: String,
    /// The moves that the code allows.
    rules: String,
    to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zeros: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<serde_json::Map<String, Json>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<Json>,
    hash: String,
    /// The sparse space that the engine used last.
    space: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip)]
    period_found: Option<Period>,
}

impl Answer {
    pub(super) fn new(grundy: &mut Grundy, wanted: &Wanted<'_>) -> Answer {
        let period_found = if wanted.period { grundy.find_period().cloned() } else { None };
        let grundy = &*grundy;
        let at = |n: &usize| (n.to_string(), json!(grundy.value(*n)));
        Answer {
            agon: VERSION,
            game: None,
            code: grundy.code().to_string(),
            rules: super::rules::in_words(grundy.code()),
            to: grundy.len() - 1,
            values: wanted.values.then(|| grundy.values().collect()),
            zeros: wanted.zeros.then(|| zeros(grundy)),
            at: (!wanted.at.is_empty()).then(|| wanted.at.iter().map(at).collect()),
            stats: if wanted.stats { Stats::of(grundy.values()).map(|stats| stats_json(&stats)) } else { None },
            period: wanted.period.then(|| period_found.as_ref().map_or(Json::Null, period_json)),
            hash: fingerprint(Vec::from_iter(grundy.values()).into_iter()),
            space: grundy.space().map(
                |(space, rares)| json!({"mask": space.mask, "with_parity_of_heap": space.shift, "rare_heaps": rares}),
            ),
            out: wanted.out.map(|path| path.display().to_string()),
            period_found,
        }
    }
}

fn zeros(grundy: &Grundy) -> Vec<usize> {
    grundy.values().enumerate().filter(|(_, v)| *v == 0).map(|(n, _)| n).collect()
}

impl Report for Answer {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{}, heaps 0 to {}\n{}\n", paint.bold(&self.code), grouped(self.to), self.rules);
        if let Some(values) = &self.values {
            out.push_str(&rows(values, 20));
        }
        if let Some(zeros) = &self.zeros {
            let list: Vec<String> = zeros.iter().map(usize::to_string).collect();
            let _ = writeln!(out, "\nlosing heaps ({}): {}", zeros.len(), list.join(" "));
        }
        for (n, value) in self.at.iter().flatten() {
            let _ = writeln!(out, "G({n}) = {value}");
        }
        if let Some(stats) = &self.stats {
            stats_text(stats, &mut out);
        }
        if self.period.is_some() {
            out.push_str(&period_text(self.period_found.as_ref(), paint));
        }
        if let Some(file) = &self.out {
            let _ = writeln!(out, "written to {file}; `agon check {file}` verifies it");
        }
        let _ = writeln!(out, "blake3 {}", self.hash);
        out
    }
}

/// Values with the heap each row begins with.
fn rows(values: &[u32], per_row: usize) -> String {
    let width = values.iter().max().map_or(1, |max| max.to_string().len());
    let head = values.len().to_string().len();
    let row = |(i, row): (usize, &[u32])| {
        let cells: Vec<String> = row.iter().map(|v| format!("{v:>width$}")).collect();
        format!("{:>head$}  {}\n", i * per_row, cells.join(" "))
    };
    values.chunks(per_row).enumerate().map(row).collect()
}

fn stats_text(stats: &Json, out: &mut String) {
    let at = |key: &str| format!("G({}) = {}", grouped(&stats[key]["n"]), grouped(&stats[key]["value"]));
    let _ = writeln!(out, "largest value     {}", at("max"));
    let _ = writeln!(out, "different values  {}", grouped(&stats["distinct"]));
    let _ = writeln!(out, "last new value    {}", at("last_new"));
    let _ = writeln!(out, "never taken       {} is the smallest", grouped(&stats["smallest_missing"]));
    let cell = |v: &Json| vec![grouped(&v["value"]), grouped(&v["count"])];
    let rows: Vec<Vec<String>> = stats["most_frequent"].as_array().into_iter().flatten().take(10).map(cell).collect();
    let _ = write!(out, "\n{}\n", table(&["value", "times"], &rows));
}

fn period_text(period: Option<&Period>, paint: Paint) -> String {
    let Some(found) = period else {
        return "no period is proved by these values\n".to_string();
    };
    let exceptions: Vec<String> = found.exceptions.iter().map(usize::to_string).collect();
    let shown = if exceptions.len() > 40 { format!("{} of them", exceptions.len()) } else { exceptions.join(" ") };
    format!(
        "period {}, from heap {} on: {}\n  by the theorem of Guy and Smith, since it holds for all heaps up to {}\n  \
         exceptional heaps: {}\n",
        paint.bold(&grouped(found.period)),
        grouped(found.preperiod),
        paint.good("proved"),
        grouped(found.checked_to),
        if shown.is_empty() { "none".to_string() } else { shown }
    )
}

/// The answer of `agon grundy CODE --misere`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Misere {
    agon: &'static str,
    game: Option<String>,
    code: String,
    to: usize,
    play: &'static str,
    losing: Vec<usize>,
    first_wild: Option<usize>,
    genus: Vec<String>,
    look_alike: Option<Json>,
    forms: usize,
}

impl Misere {
    pub(super) fn new(code: &Code, heaps: &[Heap], forms: usize) -> Misere {
        let seen = |l: LookAlike| json!({"period": l.period, "residues": l.residues, "broken_at": l.broken_at});
        Misere {
            agon: VERSION,
            game: None,
            code: code.to_string(),
            to: heaps.len() - 1,
            play: "misere",
            losing: (0..heaps.len()).filter(|&n| !heaps[n].wins).collect(),
            first_wild: heaps.iter().position(|heap| !heap.genus.is_tame()),
            genus: heaps.iter().map(|heap| heap.genus.to_string()).collect(),
            look_alike: look_alike(heaps).map(seen),
            forms,
        }
    }
}

impl Report for Misere {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{} in misère play, heaps 0 to {}\n\n", paint.bold(&self.code), self.to);
        let list: Vec<String> = self.losing.iter().map(usize::to_string).collect();
        let _ = writeln!(out, "losing heaps ({}): {}\n", list.len(), list.join(" "));
        let cells = |(n, genus): (usize, &String)| {
            let outcome = if self.losing.binary_search(&n).is_ok() { "loses" } else { "wins" };
            vec![n.to_string(), outcome.to_string(), genus.clone()]
        };
        let rows: Vec<Vec<String>> = self.genus.iter().enumerate().map(cells).collect();
        out.push_str(&table(&["heap", "the mover", "genus"], &rows));
        if let Some(seen) = &self.look_alike {
            let residues: Vec<String> =
                seen["residues"].as_array().into_iter().flatten().map(Json::to_string).collect();
            let broken = seen["broken_at"]
                .as_u64()
                .map_or("and nothing here breaks it".to_string(), |n| format!("until heap {n} breaks it"));
            let _ =
                writeln!(out, "\nthe losing heaps look like {} mod {}, {broken}", residues.join(" "), seen["period"]);
        }
        if let Some(wild) = self.first_wild {
            let _ = writeln!(out, "heap {wild} is the first that does not behave like nim");
        }
        let _ = writeln!(out, "{} canonical forms", grouped(self.forms));
        out
    }
}
