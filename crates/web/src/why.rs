//! Why a position has its value: the explanation behind *Why?*.

use crate::app::App;
use crate::play::url;
use crate::play::{Answer, PositionQuery, searched, seconds};
use agon_core::Player;
use agon_registry::erased::ExplainRequest;
use agon_solve::explain::Limits;
use axum::Json;
use axum::extract::{Query, State};
use maud::{Markup, html};
use serde_json::json;
use std::sync::Arc;

/// The default time for an explanation, in seconds.
const WHY_SECONDS: f64 = 5.0;
/// The largest trees. A branch that is cut can be explained from its own position.
const LIMITS: Limits = Limits { positions: 600, depth: 40 };

/// A button that explains a position, or with a move, why this move is wrong. `reasons.js` unrolls it; without scripts it
/// leads to the board.
pub(crate) fn button(game: &str, pos: &str, wrong: &str) -> Markup {
    let address = format!("/g/{}?pos={}&moves={}", url(game), url(pos), url(wrong));
    html! {
        a.button.why-button href=(address) data-why data-game=(game) data-pos=(pos) data-move=(wrong) {
            @if wrong.is_empty() { "Why?" } @else { "Why not " (wrong) "?" }
        }
    }
}

/// The explanation of a position, as the fields of its report. Boards are drawn when a branch is opened.
pub(crate) async fn explained(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let limit = seconds(asked.seconds, WHY_SECONDS);
    let (game, pos) = searched(&app, asked.game, asked.pos).await?;
    let key = format!("why {} {pos}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let request = ExplainRequest { limits: LIMITS, ..ExplainRequest::default() };
    let answer = app.search(limit, move |ctx| {
        let mut answer = json!(game.explain(&pos, &request, ctx)?);
        answer["names"] = json!(Player::BOTH.map(|player| game.player_name(player)));
        Ok(answer)
    });
    let answer = answer.await?;
    // An incomplete explanation is not cached: more time may prove more.
    if answer["stopped"].is_null() && answer["cut"]["effort"] == 0 {
        app.remember(key, &answer);
    }
    Ok(Json(answer))
}
