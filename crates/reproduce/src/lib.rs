//! Claims of published documents, recomputed.
//!
//! An [`Item`] is one claim: its source, its statement, and a function that computes the same quantity. The verdict is
//! computed; the recorded verdict is there so that a change of the verdict is noticed.

mod antrin;
mod antrin_boards;
mod antrin_kin;
mod castelein;
mod ellie;
mod larger_boards;
pub mod links;
mod long_double;
mod misere;
mod open_questions;
mod order_games;
pub mod pages;
mod pairings;
pub mod recorded;
mod singh;
mod t1;
mod tak;
mod tak_games;
mod tak_play;
mod tak_sample;
mod tak_traps;
mod tak_weights;

use agon_core::Ctx;
use agon_report::VERSION;
use agon_report::failure::Failure;
use agon_report::words::{Paint, counted};
use serde::Serialize;
use std::fmt::Write as _;

/// The verdict on a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The computed value is the claimed one.
    Reproduced,
    /// The document is wrong; the note gives the right value.
    Corrected,
    /// The document leaves the question open; the computed value settles it.
    Answered,
    /// The computed value differs, but the document can be read so that both are right.
    Differs,
    /// The claim is a measured share, and our sample agrees with it.
    #[serde(rename = "statistical: agrees")]
    Agrees,
    /// The claim is a measured share, and our sample differs from it by more than chance explains.
    #[serde(rename = "statistical: differs")]
    Disagrees,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::Corrected,
        Verdict::Answered,
        Verdict::Differs,
        Verdict::Agrees,
        Verdict::Disagrees,
    ];

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Corrected => "corrected",
            Verdict::Answered => "answered",
            Verdict::Differs => "differs",
            Verdict::Agrees => "statistical: agrees",
            Verdict::Disagrees => "statistical: differs",
        }
    }
}

/// The result of recomputing a claim.
pub struct Finding {
    /// The computed value, in the format of the claimed one.
    pub computed: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Remarks: the definition used, the error in the document.
    pub note: String,
}

impl Finding {
    /// The verdict is `Reproduced` if the values are equal, else `Differs`.
    #[must_use]
    pub fn compare(claimed: &str, computed: impl Into<String>, note: impl Into<String>) -> Finding {
        let computed = computed.into();
        let verdict = if computed == claimed { Verdict::Reproduced } else { Verdict::Differs };
        Finding { computed, verdict, note: note.into() }
    }

    /// Turns `Differs` into `Corrected` if the document is shown to be wrong.
    #[must_use]
    pub fn corrected_if(self, wrong: bool) -> Finding {
        if wrong && self.verdict == Verdict::Differs { Finding { verdict: Verdict::Corrected, ..self } } else { self }
    }

    /// Turns `Differs` into `Answered` if the document leaves the question open and this settles it.
    #[must_use]
    pub fn answered_if(self, settled: bool) -> Finding {
        if settled && self.verdict == Verdict::Differs { Finding { verdict: Verdict::Answered, ..self } } else { self }
    }
}

/// One claim of a document.
pub struct Item {
    /// `DOCUMENT/slug`.
    pub id: &'static str,
    /// The document and the place in it.
    pub source: &'static str,
    /// The claim in words.
    pub claim: &'static str,
    /// The claimed value.
    pub claimed: &'static str,
    /// The method of computation.
    pub how: &'static str,
    /// True if it runs only in a full run or by name.
    pub slow: bool,
    /// The recorded verdict.
    pub expected: Verdict,
    /// The function that computes it.
    pub run: fn(&Ctx, &str) -> Result<Finding, Failure>,
}

impl Item {
    /// The boards and pages to open beside it.
    #[must_use]
    pub fn see(&self) -> &'static [links::Link] {
        links::of(self.id)
    }

    /// The number and the title of its document.
    #[must_use]
    pub fn document(&self) -> (&'static str, &'static str) {
        let number = self.id.split('/').next().unwrap_or_default();
        DOCUMENTS.iter().copied().find(|document| document.0 == number).unwrap_or((number, ""))
    }
}

/// The documents, by number.
pub const DOCUMENTS: &[(&str, &str)] = &[
    ("000", "S. T. Castelein: Order and Chaos"),
    ("001", "A. Singh, K. Deep, A. Nagar: A “Never-loose” Strategy to Play the Game of Tic-tac-toe"),
    ("002", "S. Heubach, P. Chinn, M. Dufour, G. E. Stevens: Analyzing ELLIE, the Story of a Combinatorial Game"),
    ("003", "S. Vaki: Analysis and Implementation of Cypriot Game Antrin"),
    ("004", "L. Beljaards: AI agents for the abstract strategy game Tak"),
];

/// An item that takes a few seconds at most.
const fn item(
    id: &'static str,
    source: &'static str,
    claim: &'static str,
    claimed: &'static str,
    how: &'static str,
    expected: Verdict,
    run: fn(&Ctx, &str) -> Result<Finding, Failure>,
) -> Item {
    Item { id, source, claim, claimed, how, slow: false, expected, run }
}

/// Every item, in the order of the documents.
#[must_use]
pub fn items() -> Vec<&'static Item> {
    let mut all: Vec<&Item> = [
        castelein::ITEMS,
        order_games::ITEMS,
        larger_boards::ITEMS,
        open_questions::ITEMS,
        singh::ITEMS,
        ellie::ITEMS,
        misere::ITEMS,
        antrin::ITEMS,
        antrin_kin::ITEMS,
        tak::ITEMS,
        tak_play::ITEMS,
        tak_games::ITEMS,
        tak_weights::ITEMS,
        tak_traps::ITEMS,
    ]
    .into_iter()
    .flatten()
    .collect();
    all.sort_by_key(|item| item.document().0);
    all
}

/// One row of the answer.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// `DOCUMENT/slug`.
    pub id: &'static str,
    /// The document and the place in it.
    pub source: &'static str,
    /// The claim in words.
    pub claim: &'static str,
    /// The claimed value.
    pub claimed: &'static str,
    /// The computed value.
    pub computed: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Remarks.
    pub note: String,
    /// The method of computation.
    pub how: &'static str,
    /// What can be opened beside it.
    pub see: &'static [links::Link],
    /// True if the verdict equals the recorded one.
    pub as_recorded: bool,
    /// Seconds spent.
    pub seconds: f64,
}

/// The items with these ids or of these documents; slow ones only by id or with `full`.
pub fn chosen(asked: &[String], full: bool) -> Result<Vec<&'static Item>, Failure> {
    let all = items();
    for word in asked {
        let hit = all.iter().any(|item| matches(item, word));
        if !hit {
            let document = word.split('/').next().unwrap_or_default();
            let near: Vec<&str> = all.iter().filter(|item| matches(item, document)).map(|item| item.id).collect();
            let documents = || DOCUMENTS.iter().map(|d| d.0).collect();
            let known = if near.is_empty() { documents() } else { near }.join(", ");
            return Err(Failure::Usage(format!(
                "invalid claim `{}`: expected one of {known}",
                agon_core::family::shorten(word)
            )));
        }
    }
    let wanted = |item: &&&Item| {
        let named = asked.iter().any(|word| word == item.id);
        (asked.is_empty() || asked.iter().any(|word| matches(item, word))) && (full || named || !item.slow)
    };
    Ok(all.iter().filter(wanted).copied().collect())
}

fn matches(item: &Item, word: &str) -> bool {
    item.id == word || item.id.split('/').next() == Some(word)
}

/// The answer as JSON.
#[must_use]
pub fn answer(rows: &[Row]) -> serde_json::Value {
    serde_json::json!({"agon": VERSION, "game": null, "items": rows})
}

/// Recomputes one claim.
pub fn run(item: &Item, ctx: &Ctx) -> Result<Row, Failure> {
    let begun = std::time::Instant::now();
    let found = (item.run)(ctx, item.claimed)?;
    Ok(Row {
        id: item.id,
        source: item.source,
        claim: item.claim,
        claimed: item.claimed,
        computed: found.computed,
        verdict: found.verdict,
        note: found.note,
        how: item.how,
        see: links::of(item.id),
        as_recorded: found.verdict == item.expected,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The answer as text.
#[must_use]
pub fn text(rows: &[Row], paint: Paint) -> String {
    let mut out = String::new();
    let mut document = "";
    for row in rows {
        let of = row.id.split('/').next().unwrap_or_default();
        if of != document {
            document = of;
            let title = DOCUMENTS.iter().find(|d| d.0 == of).map_or("", |d| d.1);
            let _ = writeln!(out, "{}\n", paint.bold(&format!("{of}  {title}")));
        }
        let verdict = match row.verdict {
            Verdict::Reproduced => paint.good("✓ reproduced"),
            Verdict::Corrected => paint.bad("✗ corrected"),
            Verdict::Answered => paint.good("→ answered"),
            Verdict::Differs => paint.warn("≠ differs"),
            Verdict::Agrees => paint.good("~ statistical: agrees"),
            Verdict::Disagrees => paint.warn("~ statistical: differs"),
        };
        let _ = writeln!(out, "{verdict}  {}  {}", row.id, row.claim);
        let _ = writeln!(out, "    claimed   {}", row.claimed);
        let _ = writeln!(out, "    computed  {}", row.computed);
        let _ = writeln!(out, "    method    {}", row.how);
        for line in row.note.lines() {
            let _ = writeln!(out, "    {line}");
        }
        out.push('\n');
    }
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts: Vec<String> =
        Verdict::ALL.iter().filter(|&&v| count(v) > 0).map(|&v| format!("{} {}", count(v), v.name())).collect();
    let _ = writeln!(out, "{}: {}", counted(rows.len(), "claim"), counts.join(", "));
    out
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quick_item_has_its_recorded_verdict_and_its_line_on_the_page() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/claims.md");
        let page = std::fs::read_to_string(page).expect("the page of claims");
        for item in items().into_iter().filter(|item| {
            !item.slow
                && !ellie::LONG.contains(&item.id)
                && !open_questions::LONG.contains(&item.id)
                && !tak_games::is_long(item.id)
                && !tak_traps::is_long(item.id)
                && !tak_weights::is_long(item.id)
        }) {
            let row = run(item, &Ctx::default()).unwrap();
            assert!(
                page.contains(&pages::line(&row)),
                "docs/results/claims.md has another line for {}:\n{}",
                row.id,
                pages::line(&row)
            );
            assert!(row.as_recorded, "{}: {:?}, computed {}", row.id, row.verdict, row.computed);
            assert!(row.verdict != Verdict::Corrected || !row.note.is_empty(), "{} does not say what is wrong", row.id);
        }
    }

    #[test]
    fn ids_are_unique_and_belong_to_a_document() {
        let ids: std::collections::BTreeSet<&str> = items().iter().map(|item| item.id).collect();
        assert_eq!(ids.len(), items().len());
        for id in ids {
            let document = id.split('/').next().unwrap();
            assert!(DOCUMENTS.iter().any(|d| d.0 == document), "{id}");
        }
    }

    #[test]
    fn items_are_chosen_by_document_or_name() {
        assert_eq!(chosen(&["001/games".into()], false).unwrap().len(), 1);
        assert_eq!(chosen(&[], true).unwrap().len(), items().len());
        assert!(matches!(chosen(&["xyz".into()], false), Err(Failure::Usage(_))));
        assert!(matches!(chosen(&["ééé/é".into()], false), Err(Failure::Usage(_))));
    }
}
