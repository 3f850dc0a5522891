//! The recomputed claims as files: Markdown, JSON, CSV and a self-contained HTML page.

use super::{DOCUMENTS, Row, Verdict};
use agon_core::scene::palette_css;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Write as _;

/// All files: name and contents.
#[must_use]
pub fn all(rows: &[Row]) -> Vec<(&'static str, String)> {
    let json = serde_json::to_string_pretty(&super::answer(rows)).unwrap_or_default();
    vec![
        ("reproduce.md", markdown(rows)),
        ("reproduce.json", format!("{json}\n")),
        ("reproduce.csv", csv(rows)),
        ("reproduce.html", page(rows).into_string()),
    ]
}

fn document_of(row: &Row) -> &'static str {
    row.id.split('/').next().unwrap_or_default()
}

fn by_document(rows: &[Row]) -> impl Iterator<Item = (&'static str, &'static str, Vec<&Row>)> {
    DOCUMENTS.iter().filter_map(|&(number, title)| {
        let own: Vec<&Row> = rows.iter().filter(|row| document_of(row) == number).collect();
        (!own.is_empty()).then_some((number, title, own))
    })
}

fn markdown(rows: &[Row]) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', "<br>");
    let mut out = String::from("# Claims recomputed\n");
    for (number, title, own) in by_document(rows) {
        let _ = write!(
            out,
            "\n## {number} {title}\n\n| item | claim | claimed | computed | verdict | note |\n|---|---|---|---|---|---|\n"
        );
        for row in own {
            let cells = [row.claim, row.claimed, &row.computed, row.verdict.name(), &row.note].map(cell);
            let _ = writeln!(out, "| `{}` | {} |", row.id, cells.join(" | "));
        }
    }
    out
}

fn csv(rows: &[Row]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out = String::from("id,source,claim,claimed,computed,verdict,note,how\n");
    for row in rows {
        let cells = [row.id, row.source, row.claim, row.claimed, &row.computed, row.verdict.name(), &row.note, row.how];
        let _ = writeln!(out, "{}", cells.map(quoted).join(","));
    }
    out
}

/// The colours that no picture has, and the layout.
const STYLE: &str = "\
:root{color-scheme:light dark;--soft:#f4f3ef;--good:#1b6e3c;--bad:#a52a1a;--warn:#7a5a00}\
@media(prefers-color-scheme:dark){:root{--soft:#212327;--good:#7fd6a0;--bad:#ff9d8d;--warn:#e8c766}}\
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:0 auto;padding:24px 16px}\
h1{font-size:1.6rem;margin:0 0 8px}h2{font-size:1.15rem;margin:32px 0 8px}p.sum{margin:0 0 16px}\
article{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:8px 0}\
article h3{font-size:1rem;margin:0 0 8px;display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline}\
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}\
.v{font-weight:600;white-space:nowrap}.reproduced{color:var(--good)}.corrected{color:var(--bad)}.differs,.statistical{color:var(--warn)}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0}dt{opacity:.7}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\
@media(max-width:600px){dl{grid-template-columns:1fr}dt{margin-top:6px}}";

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Corrected => "✗",
        Verdict::Differs => "≠",
        Verdict::Agrees | Verdict::Disagrees => "~",
    }
}

fn page(rows: &[Row]) -> Markup {
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { "Claims recomputed" }
                style { (PreEscaped(palette_css())) (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Claims recomputed" }
                p.sum {
                    (rows.len()) " claims: " (count(Verdict::Reproduced)) " reproduced, "
                    (count(Verdict::Corrected)) " corrected, " (count(Verdict::Differs)) " differ, "
                    (count(Verdict::Agrees) + count(Verdict::Disagrees)) " statistical ("
                    (count(Verdict::Agrees)) " agree). agon " (agon_report::VERSION) "."
                }
                @for (number, title, own) in by_document(rows) {
                    h2 { (number) " " (title) }
                    @for row in own { (article(row)) }
                }
            }
        }
    }
}

fn article(row: &Row) -> Markup {
    html! {
        article id=(row.id) {
            h3 {
                span class=(format!("v {}", row.verdict.name().replace(':', ""))) { (sign(row.verdict)) " " (row.verdict.name()) }
                code { (row.id) }
                span { (row.claim) }
            }
            dl {
                dt { "claimed" } dd { (row.claimed) }
                dt { "computed" } dd { (row.computed) }
                @if !row.note.is_empty() { dt { "note" } dd { (row.note) } }
                dt { "source" } dd { (row.source) }
                dt { "method" } dd { (row.how) }
            }
        }
    }
}
