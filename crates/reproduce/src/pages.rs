//! The recomputed claims as files: Markdown, JSON, CSV and a self-contained HTML page.

use super::links::Link;
use super::{DOCUMENTS, Row, Verdict, items, links, recorded};
use agon_report::failure::Failure;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// All files: name and contents. The pictures of boards lie in `boards`.
pub fn all(rows: &[Row]) -> Result<Vec<(String, String)>, Failure> {
    let json = serde_json::to_string_pretty(&super::answer(rows)).unwrap_or_default();
    let pictures = pictures(rows)?;
    let mut files = vec![
        ("reproduce.md".to_string(), markdown(rows)),
        ("reproduce.json".to_string(), format!("{json}\n")),
        ("reproduce.csv".to_string(), csv(rows)),
        ("reproduce.html".to_string(), page(rows, &pictures)),
        ("slow.txt".to_string(), slow(rows)),
    ];
    files.extend(pictures.into_iter().map(|(name, svg)| (format!("boards/{name}"), svg)));
    Ok(files)
}

/// The file name of the picture of a board.
fn picture(game: &str, position: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = game.chars().chain(['_']).chain(position.chars()).map(plain).collect();
    // Long positions would make long names, and names must differ: the rest is a hash.
    let short: String = name.chars().take(48).collect();
    let mixed = agon_core::evaluate::mixed(&(game, position)) as u32;
    format!("{short}-{mixed:08x}.svg")
}

/// The pictures of the boards of some items.
fn pictures(rows: &[Row]) -> Result<BTreeMap<String, String>, Failure> {
    let mut found = BTreeMap::new();
    for link in rows.iter().flat_map(|row| row.see) {
        if let (Link::Board { game, position }, Some(svg)) = (link, link.svg()?) {
            found.insert(picture(game, position), svg);
        }
    }
    Ok(found)
}

/// The links of an item.
fn links(see: &[Link]) -> String {
    let link = |link: &Link| match link {
        Link::Board { game, position } => format!("[{game}](boards/{})", picture(game, position)),
        Link::Page { page } => {
            let name = page.rsplit('/').next().unwrap_or(page);
            format!("[{name}]({page})")
        }
    };
    see.iter().map(link).collect::<Vec<_>>().join(", ")
}

/// The slow items of a run, for `recorded.txt`: all but the day.
fn slow(rows: &[Row]) -> String {
    let is_slow = |row: &&Row| items().iter().any(|item| item.slow && item.id == row.id);
    let line = |row: &Row| {
        let computed = row.computed.replace(['\n', '\t'], " ");
        format!("{}\t{:.0}\t{}\t{computed}\n", row.id, row.seconds, row.verdict.name())
    };
    rows.iter().filter(is_slow).map(line).collect()
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

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>")
}

/// The line of an item in `docs/results/claims.md`.
#[must_use]
pub fn line(row: &Row) -> String {
    let cells = [row.claim, row.claimed, &row.computed, row.verdict.name(), &row.note].map(cell);
    format!("| `{}` | {} | {} |\n", row.id, cells.join(" | "), links(row.see))
}

/// The counts of some verdicts.
fn counted(verdicts: impl Iterator<Item = Verdict>) -> String {
    let all: Vec<Verdict> = verdicts.collect();
    let count = |verdict: Verdict| all.iter().filter(|&&other| other == verdict).count();
    let each = Verdict::ALL.into_iter().filter(|&verdict| count(verdict) > 0);
    each.map(|verdict| format!("{} {}", count(verdict), verdict.name())).collect::<Vec<_>>().join(", ")
}

fn markdown(rows: &[Row]) -> String {
    let mut out = String::from("# Claims recomputed\n");
    let _ = write!(
        out,
        "\nComputed by `agon reproduce --out DIR`, agon {}: {} claims, {}. Slow items are not part of that run; for them the \
         table has the recorded run, with its day and seconds on two cores. `agon reproduce ITEM` computes any item again, and \
         `--json` says how.\n",
        agon_report::VERSION,
        rows.len(),
        counted(rows.iter().map(|row| row.verdict))
    );
    for (number, title, own) in by_document(rows) {
        let _ = write!(
            out,
            "\n## {number} {title}\n\n| item | claim | claimed | computed | verdict | note | open |\n|---|---|---|---|---|---|---|\n"
        );
        own.iter().for_each(|row| out.push_str(&line(row)));
        let left_out = |item: &&super::Item| item.document().0 == number && !rows.iter().any(|row| row.id == item.id);
        for item in items().into_iter().filter(left_out) {
            out.push_str(&recorded_line(item));
        }
    }
    out.push_str("\n## What the documents wish for and agon does not have\n\n");
    for (document, wish) in OPEN {
        let _ = writeln!(out, "- {document}: {wish}");
    }
    out
}

/// Wishes of the documents without an answer here.
const OPEN: &[(&str, &str)] = &[
    (
        "000",
        "Order and Chaos with more than two players. The thesis gives no rules for it, and a game has two sides in agon.",
    ),
    (
        "000",
        "Boards of 5×7, 6×7 and 7×7 with rows of five: who wins is unknown; [order-chaos.md](order-chaos.md) says how far searches got.",
    ),
    ("001", "Functions for games without rows, such as chess: the definition speaks of rows only."),
    ("002", "Misère play of .007 beyond the heaps above, and a period of .007: none is known."),
    (
        "004",
        "A winning strategy for White on boards larger than 3×3 ([tak.md](tak.md) has the bounds that are proven).",
    ),
    (
        "004",
        "The weights of the weighted player and of the evaluation: the thesis does not print them, and no reading tried gives its tables.",
    ),
];

/// The line of an item that was not part of a run.
fn recorded_line(item: &super::Item) -> String {
    let (computed, verdict, note) = match recorded::of(item) {
        Some(run) => {
            let note = format!("slow: recorded on {}, {} s, `{}`", run.date, run.seconds, recorded::command(item));
            (run.computed.to_string(), run.verdict.name().to_string(), note)
        }
        None => ("–".into(), "not yet run".into(), format!("slow: `{}`", recorded::command(item))),
    };
    let cells = [item.claim, item.claimed, &computed, &verdict, &note].map(cell);
    format!("| `{}` | {} | {} |\n", item.id, cells.join(" | "), links(links::of(item.id)))
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

const STYLE: &str = "\
p.sum{margin:0 0 16px}\
article{padding:12px 16px;margin:8px 0}\
article h3{font-size:1rem;margin:0 0 8px;display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline}\
.v{font-weight:600;white-space:nowrap}.reproduced,.answered{color:var(--good)}.corrected{color:var(--bad)}.differs,.statistical{color:var(--warn)}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0}dt{opacity:.7}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\
figure{display:inline-block;margin:8px 16px 8px 0}figure svg{max-width:260px;height:auto}figcaption{font-size:.85rem}\
@media(max-width:600px){dl{grid-template-columns:1fr}dt{margin-top:6px}}";

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Corrected => "✗",
        Verdict::Answered => "→",
        Verdict::Differs => "≠",
        Verdict::Agrees | Verdict::Disagrees => "~",
    }
}

fn page(rows: &[Row], pictures: &BTreeMap<String, String>) -> String {
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let body = html! {
        p.sum {
            (rows.len()) " claims: " (count(Verdict::Reproduced)) " reproduced, "
            (count(Verdict::Corrected)) " corrected, " (count(Verdict::Answered)) " answered, "
            (count(Verdict::Differs)) " differ, "
            (count(Verdict::Agrees) + count(Verdict::Disagrees)) " statistical ("
            (count(Verdict::Agrees)) " agree). agon " (agon_report::VERSION) "."
        }
        @for (number, title, own) in by_document(rows) {
            h2 { (number) " " (title) }
            @for row in own { (article(row, pictures)) }
        }
    };
    agon_report::page::page("Claims recomputed", STYLE, &body.into_string())
}

fn article(row: &Row, pictures: &BTreeMap<String, String>) -> Markup {
    let boards = row.see.iter().filter_map(|place| match place {
        Link::Board { game, position } => pictures.get(&picture(game, position)).map(|svg| (game, svg)),
        Link::Page { .. } => None,
    });
    let boards: Vec<(&&str, &String)> = boards.collect();
    html! {
        article.panel id=(row.id) {
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
            @if !boards.is_empty() {
                details {
                    summary { "Boards" }
                    @for (game, svg) in &boards { figure { (PreEscaped(svg)) figcaption { (game) } } }
                }
            }
        }
    }
}
