//! The gallery of games.

use crate::app::{App, Trouble};
use crate::page;
use crate::play::{title, url};
use agon_core::Wdl;
use agon_edge::erased::{AnyGame, SolveRequest, SolverName};
use agon_edge::registry::FAMILIES;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::IntoResponse as _;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Plies played in a thumbnail, so that it shows pieces.
const SHOWN_PLIES: usize = 5;
/// Time to find out what is known at once.
const KNOWN_TIME: Duration = Duration::from_millis(700);
/// Memory for that.
const KNOWN_MEMORY: usize = 256 << 20;

pub(crate) async fn page(State(app): State<Arc<App>>) -> Response {
    let built = FAMILIES.iter().filter_map(|entry| app.game(entry.facts.family).ok());
    let games: Vec<Arc<dyn AnyGame>> = built.collect();
    let body = html! {
        section.hero {
            h1 { "Choose a game" }
            p { "Play it, see why a move wins, solve it, and prove what was found." }
            label.search { span.unseen { "Search the games" } input #search type="search" placeholder="search: tak, morris, nim …" autocomplete="off"; }
        }
        section #continue hidden { h2 { "Go on where you left off" } ul.recent #recent {} }
        ul.gallery #gallery { @for game in &games { (card(game.as_ref())) } }
        p.nothing #nothing hidden { "No game of that name. A game is spelled family:parameters, like mnk:4,4,3." }
    };
    page::frame(&app, "Games", "/", &["home.js"], body).into_response()
}

fn card(game: &dyn AnyGame) -> Markup {
    let facts = game.facts();
    let aliases: Vec<&str> = facts.aliases.iter().map(|(alias, _)| *alias).collect();
    let words = format!("{} {} {} {}", facts.family, facts.title, aliases.join(" "), facts.rules).to_lowercase();
    html! {
        li.card data-words=(words) {
            a href=(format!("/g/{}", url(game.spelling()))) {
                span.thumb aria-hidden="true" { (PreEscaped(thumbnail(game))) }
                strong { (title(game)) }
                span.rules { (facts.rules) }
            }
            p.known data-game=(game.spelling()) { code { (game.spelling()) } " " span.fact {} }
        }
    }
}

/// A position a few plies into the game.
fn thumbnail(game: &dyn AnyGame) -> String {
    let mut pos = game.start();
    for ply in 0..SHOWN_PLIES {
        let Ok(moves) = game.moves(&pos) else { break };
        // Spread over the board, and the same every time.
        let Some(mv) = moves.get((ply * 7 + 4) % moves.len().max(1)) else { break };
        let Ok((_, next)) = game.play(&pos, mv) else { break };
        if game.winner(&next).is_ok_and(|winner| winner.is_some()) {
            break;
        }
        pos = next;
    }
    game.scene(&pos)
        .map(|scene| scene.svg_in_page().replace(" role=\"button\" tabindex=\"-1\"", ""))
        .unwrap_or_default()
}

#[derive(Deserialize)]
pub(crate) struct Known {
    game: String,
}

/// What can be said about a game at once.
pub(crate) async fn known(State(app): State<Arc<App>>, Query(asked): Query<Known>) -> Result<Json<Value>, Trouble> {
    let game = app.game(&asked.game)?;
    let key = format!("known {}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let solved = app.short_work(KNOWN_TIME, move |ctx| {
        let request =
            SolveRequest { solver: SolverName::Auto, strong: false, certificate: false, memory: KNOWN_MEMORY };
        let (report, _) = game.solve(&game.start(), request, ctx)?;
        Ok(report)
    });
    let answer = match solved.await {
        Ok(report) if report.value != "unknown" => {
            let sign = match report.value {
                "win" => '▲',
                "loss" => '▼',
                _ => '■',
            };
            let value = if report.value == Wdl::Draw.name() {
                "a draw".to_string()
            } else {
                let mover = report.winner == Some("first");
                format!("{} wins", if mover { report.mover[1].clone() } else { "the second player".into() })
            };
            let plies = report.plies.filter(|_| report.value != "draw").map_or(String::new(), |n| format!(" in {n}"));
            json!({"value": report.value, "text": format!("{sign} {value}{plies}"), "nodes": report.nodes})
        }
        _ => json!({"value": null, "text": "not settled at once: solve it"}),
    };
    app.remember(key, &answer);
    Ok(Json(answer))
}
