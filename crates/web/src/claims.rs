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

#[derive(Deserialize)]
struct Recorded {
    computed: String,
    verdict: String,
    note: String,
}

/// The address of a board that a claim speaks of, and the game.
fn boards(claim: &Item) -> impl Iterator<Item = (String, &'static str)> {
    claim.see().iter().filter_map(|place| match *place {
        Link::Board { game, position: "start" } => Some((format!("/g/{}", url(game)), game)),
        Link::Board { game, position } => Some((format!("/g/{}?pos={}", url(game), url(position)), game)),
        Link::Page { .. } => None,
    })
}

/// How many claims have each recorded verdict.
fn totals<'a>(claims: impl Iterator<Item = &'a &'static Item>) -> Markup {
    let mut counts = [0; VERDICTS.len()];
    for claim in claims {
        if let Some(at) = VERDICTS.iter().position(|verdict| verdict.0 == claim.expected.name()) {
            counts[at] += 1;
        }
    }
    html! {
        ul.totals {
            li { strong { (counts.iter().sum::<usize>()) } " claims" }
            @for ((name, sign, means), count) in VERDICTS.iter().zip(counts) { @if count > 0 { li title=(means) { (sign) " " strong { (count) } " " (name) } } }
        }
    }
}

/// The verdicts recomputed so far.
pub(crate) async fn verdicts(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!(app.verdicts()))
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
                section.document data-document=(number) {
                    h2 { (number) " " (title) }
                    (totals(app.claims.iter().filter(|claim| claim.document().0 == *number)))
                    @for claim in app.claims.iter().filter(|claim| claim.document().0 == *number) { (article(claim)) }
                }
            }
        }
    };
    page::frame(&app, "Claims", "/claims", &["claims.js"], body).into_response()
}

fn article(claim: &Item) -> Markup {
    let recorded = claim.expected.name();
    let known = RECORDED.get(claim.id).filter(|known| known.verdict == recorded);
    let (right, note) = known.map_or(("", ""), |known| (known.computed.as_str(), known.note.as_str()));
    let sign = VERDICTS.iter().find(|verdict| verdict.0 == recorded).map_or("·", |verdict| verdict.1);
    html! {
        article.claim id=(claim.id.replace('/', "-")) data-id=(claim.id) data-slow=(claim.slow) data-recorded=(recorded) {
            header { span.verdict-word { (sign) " " (recorded) " (recorded)" } code { (claim.id) } button type="button" data-run=(claim.id) { "Run" @if claim.slow { " (slow)" } } }
            p { (claim.claim) }
            dl.facts-list {
                dt { "claimed" } dd { (claim.claimed) }
                dt.computed hidden[right.is_empty()] { "computed" } dd.computed hidden[right.is_empty()] { (right) }
                dt.note hidden[note.is_empty()] { "note" } dd.note hidden[note.is_empty()] { (note) }
            }
            ul.boards { @for (address, game) in boards(claim) { li { a href=(address) { "Open the board (" (game) ")" } } } }
            details { summary { "Evidence" } dl.facts-list { dt { "source" } dd { (claim.source) } dt { "method" } dd { (claim.how) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        }
    }
}
