//! The claims page: published claims, recomputed.

use crate::app::App;
use crate::page;
use crate::play::url;
use agon_reproduce::Item;
use agon_reproduce::links::Link;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Verdict, sign and meaning.
const VERDICTS: &[(&str, &str, &str)] = &[
    ("reproduced", "✓", "the recomputed value is the same"),
    ("corrected", "✗", "the document is wrong; the note gives the right value"),
    ("answered", "→", "the document leaves the question open; the recomputed value settles it"),
    ("differs", "≠", "the recomputed value differs, but the document can be read so that both are right"),
    ("statistical: agrees", "~", "a measured share; our sample agrees with it within the margin of chance"),
    ("statistical: differs", "~", "a measured share; our sample differs from it by more than chance would explain"),
];

/// What was computed for each claim when its verdict was recorded; `tools/recorded-claims` writes it.
static RECORDED: LazyLock<HashMap<String, Recorded>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../assets/recorded.json")).expect("the file is part of the program")
});

/// What notes say about the command line, and what the page says instead, with a tab between them.
const WORDED: &str = include_str!("../assets/worded.txt");

/// A note in the words of the page: what it says about the command line and about files of the repository is left out.
fn worded(note: &str) -> String {
    let mut said = note.to_string();
    for (from, to) in WORDED.lines().filter_map(|line| line.split_once('\t')) {
        said = said.replace(from, to);
    }
    // `slow: recorded on 2026-11-19, 44 s, `agon reproduce …``
    if let Some(slow) = said.strip_prefix("slow: ") {
        let (before, _) = slow.split_once('`').unwrap_or((slow, ""));
        said = before.trim_end_matches([' ', ',', ':']).to_string();
    }
    while let Some((before, (_, after))) =
        said.split_once(" (docs/").and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
    {
        said = format!("{before}{after}");
    }
    let word = |word: &str| match word.trim_start_matches('`').strip_prefix("docs/") {
        Some(file) => {
            let tail = file.len() - file.trim_end_matches(['.', ',', ';', '`']).len();
            format!("the page of results{}", file[file.len() - tail..].replace('`', ""))
        }
        None => word.to_string(),
    };
    let said = said.split(' ').map(word).collect::<Vec<_>>().join(" ").replace(". the page of", ". The page of");
    let mut letters = said.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// How a claim is checked, in words: `agon verify GAME NAME --as first` is *testing GAME NAME as first*.
fn method(how: &str) -> String {
    let (mut words, mut asked): (Vec<String>, bool) = (Vec::new(), false);
    for word in how.split_whitespace() {
        let bare = word.trim_start_matches(['`', '(']).trim_end_matches(['`', ',', ';', ')', '.']);
        let said = match bare {
            "agon" => {
                asked = true;
                continue;
            }
            verb if asked => match verb {
                "solve" => "solving",
                "verify" => "testing",
                "count" => "counting",
                "grundy" => "nim-values of",
                "show" => "measuring",
                "explain" => "explaining",
                "arena" => "a tournament of",
                other => other,
            },
            option if option.starts_with("--") => match option.trim_start_matches('-') {
                "claim" => "for a",
                "as" => "as",
                "to" => "to",
                _ => "",
            },
            file if file.starts_with("docs/") => "its published rules",
            _ => bare,
        };
        asked = false;
        if !said.is_empty() {
            words.push(word.replace(bare, said).replace('`', ""));
        } else if let Some(last) = words.last_mut() {
            // What follows the option stays: a comma, a bracket.
            last.push_str(&word[word.trim_end_matches(['`', ',', ';', ')', '.']).len()..].replace('`', ""));
        }
    }
    words.join(" ")
}

#[derive(Deserialize)]
struct Recorded {
    computed: String,
    verdict: String,
    note: String,
}

/// The address of a board that a claim speaks of, and the game.
fn boards(claim: &Item) -> impl Iterator<Item = (String, &'static str, &'static str)> {
    claim.see().iter().filter_map(|place| match *place {
        Link::Board { game, position: "start" } => Some((format!("/g/{}", url(game)), game, "")),
        Link::Board { game, position } => Some((format!("/g/{}?pos={}", url(game), url(position)), game, position)),
        Link::Page { .. } => None,
    })
}

/// How many claims have each recorded verdict.
fn counted<'a>(claims: impl Iterator<Item = &'a &'static Item>) -> [usize; VERDICTS.len()] {
    let mut counts = [0; VERDICTS.len()];
    for claim in claims {
        if let Some(at) = VERDICTS.iter().position(|verdict| verdict.0 == claim.expected.name()) {
            counts[at] += 1;
        }
    }
    counts
}

/// `12 claims: ✓ 10 reproduced · ✗ 2 corrected`.
fn totals_in_words<'a>(claims: impl Iterator<Item = &'a &'static Item>) -> String {
    let counts = counted(claims);
    let some = VERDICTS.iter().zip(counts).filter(|(_, count)| *count > 0);
    let parts: Vec<String> = some.map(|((name, sign, _), count)| format!("{sign} {count} {name}")).collect();
    let all: usize = counts.iter().sum();
    format!("{all} claim{}: {}", if all == 1 { "" } else { "s" }, parts.join(" · "))
}

fn totals<'a>(claims: impl Iterator<Item = &'a &'static Item>) -> Markup {
    let counts = counted(claims);
    html! {
        ul.totals {
            li { strong { (counts.iter().sum::<usize>()) } " claims" }
            @for ((name, sign, means), count) in VERDICTS.iter().zip(counts) { @if count > 0 { li title=(means) { (sign) " " strong { (count) } " " (name) } } }
        }
    }
}

/// The verdicts recomputed so far.
pub(crate) async fn verdicts(State(app): State<Arc<App>>) -> Json<Value> {
    let mut rows = app.verdicts();
    for row in rows.values_mut() {
        if let Some(note) = row["note"].as_str().map(worded) {
            row["note"] = note.into();
        }
    }
    Json(json!(rows))
}

pub(crate) async fn page(State(app): State<Arc<App>>) -> Response {
    let mut documents: Vec<(&str, &str)> = app.claims.iter().map(|claim| claim.document()).collect();
    documents.dedup();
    let body = html! {
        section.claims {
            h1 { "Published claims, checked" }
            p { "Every claim has a recorded verdict and the value behind it. Press Run to recompute it on this machine." }
            (totals(app.claims.iter()))
            div.filters role="group" aria-label="Filter" {
                label { "Document" select #document { option value="" { "all" } @for (number, title) in &documents { option value=(number) { (number) " " (title) } } } }
                label { "Verdict" select #verdict { option value="" { "any" } option value="none" { "not yet run" } @for (name, sign, means) in VERDICTS { option value=(name) title=(means) { (sign) " " (name) } } } }
                button.main #run-all type="button" { "Recompute these" }
                label.check { input #slow type="checkbox"; span { "include slow ones" } }
            }
            div.progress #progress hidden { progress #bar max="1" {} p.facts #facts {} button #cancel type="button" { "Cancel" } }
            p.notice role="alert" hidden {}
            @for (number, title) in &documents {
                details.document data-document=(number) {
                    summary { h2 { (title) " " small.facts { (number) } } span.facts { (totals_in_words(app.claims.iter().filter(|claim| claim.document().0 == *number))) } }
                    @for claim in app.claims.iter().filter(|claim| claim.document().0 == *number) { (article(claim)) }
                }
            }
        }
    };
    page::frame(&app, "Claims", "/claims", &["claims.js", "reasons.js"], body).into_response()
}

fn article(claim: &Item) -> Markup {
    let recorded = claim.expected.name();
    let known = RECORDED.get(claim.id).filter(|known| known.verdict == recorded);
    let (right, note) = known.map_or(("", String::new()), |known| (known.computed.as_str(), worded(&known.note)));
    let sign = VERDICTS.iter().find(|verdict| verdict.0 == recorded).map_or("·", |verdict| verdict.1);
    html! {
        article.claim id=(claim.id.replace('/', "-")) data-id=(claim.id) data-slow=(claim.slow) data-recorded=(recorded) {
            header { span.verdict-word { (sign) " " (recorded) " (recorded)" } button type="button" data-run=(claim.id) { "Run" @if claim.slow { " (slow)" } } }
            p { (claim.claim) " " a.facts href=(format!("#{}", claim.id.replace('/', "-"))) title="The number of this claim: a link to it" { (claim.id) } }
            dl.facts-list {
                dt { "claimed" } dd { (claim.claimed) }
                dt.computed hidden[right.is_empty()] { "computed" } dd.computed hidden[right.is_empty()] { (right) }
                dt.note hidden[note.is_empty()] { "note" } dd.note hidden[note.is_empty()] { (note) }
            }
            ul.boards { @for (address, game, position) in boards(claim) { li { a href=(address) { "Open the board (" (game) ")" } " " (crate::why::button(game, position, "")) } } }
            details { summary { "Evidence" } dl.facts-list { dt { "source" } dd { (claim.source) } dt { "method" } dd { (method(claim.how)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_speak_the_language_of_the_page() {
        for (note, said) in [
            ("slow: recorded on 2026-11-19, 44 s, `agon reproduce 000/lemma-sample`", "Recorded on 2026-11-19, 44 s"),
            ("slow: `agon reproduce 000/5x7`", ""),
            (
                "It loses. `agon distil` found the rule (docs/results/a.md, b.md).",
                "It loses. A search over rules found the rule.",
            ),
        ] {
            assert_eq!(worded(note), said);
        }
        assert_eq!(
            method("`agon verify tic-tac-toe singh-process --as first --all`, twice"),
            "testing tic-tac-toe singh-process as first, twice"
        );
        for item in agon_reproduce::items() {
            let said = method(item.how);
            assert!(!said.contains("agon ") && !said.contains("--") && !said.contains("docs/"), "{}: {said}", item.id);
        }
        for (id, recorded) in RECORDED.iter() {
            let said = worded(&recorded.note);
            assert!(!said.contains("`agon") && !said.contains(" --") && !said.contains("docs/"), "{id}: {said}");
        }
    }

    #[test]
    fn what_is_recorded_belongs_to_the_claims() {
        let items = agon_reproduce::items();
        let mut known = 0;
        for (id, recorded) in RECORDED.iter() {
            let Some(item) = items.iter().find(|item| item.id == id) else { panic!("{id} is no claim") };
            // A claim whose verdict changed since is shown without the old value.
            known += usize::from(recorded.verdict == item.expected.name());
        }
        assert!(known >= 100, "{known}");
        for item in items {
            assert!(boards(item).count() > 0, "{}", item.id);
            assert!(article(item).into_string().contains(" data-why"), "{}", item.id);
        }
    }
}
