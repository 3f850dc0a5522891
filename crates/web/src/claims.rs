//! The claims page: published claims, recomputed.

use crate::app::App;
use crate::page;
use agon_reproduce::Item;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::sync::Arc;

/// Verdict, sign and meaning.
const VERDICTS: &[(&str, &str, &str)] = &[
    ("reproduced", "✓", "the recomputed value is the same"),
    ("corrected", "✗", "the document is wrong; the note gives the right value"),
    ("differs", "≠", "the recomputed value differs, but the document can be read so that both are right"),
    ("statistical: agrees", "~", "a measured share; our sample agrees with it within the margin of chance"),
    ("statistical: differs", "~", "a measured share; our sample differs from it by more than chance would explain"),
];

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
            p { "Every claim has a recorded verdict. Press Run to recompute it on this machine." }
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
                    @for claim in app.claims.iter().filter(|claim| claim.document().0 == *number) { (article(claim)) }
                }
            }
        }
    };
    page::frame(&app, "Claims", "/claims", &["claims.js"], body).into_response()
}

fn article(claim: &Item) -> Markup {
    let recorded = claim.expected.name();
    let sign = VERDICTS.iter().find(|verdict| verdict.0 == recorded).map_or("·", |verdict| verdict.1);
    html! {
        article.claim id=(claim.id.replace('/', "-")) data-id=(claim.id) data-slow=(claim.slow) data-recorded=(recorded) {
            header { span.verdict-word { (sign) " " (recorded) " (recorded)" } code { (claim.id) } button type="button" data-run=(claim.id) { "Run" @if claim.slow { " (slow)" } } }
            p { (claim.claim) }
            dl.facts-list {
                dt { "claimed" } dd { (claim.claimed) }
                dt.computed hidden { "computed" } dd.computed hidden {}
                dt.note hidden { "note" } dd.note hidden {}
            }
            details { summary { "Evidence" } dl.facts-list { dt { "source" } dd { (claim.source) } dt { "method" } dd { (claim.how) } } }
        }
    }
}
