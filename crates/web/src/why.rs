//! Why a position has its value: the explanation behind *Why?*.

use crate::app::App;
use crate::play::{Answer, PositionQuery, searched, seconds};
use agon_registry::erased::ExplainRequest;
use agon_solve::explain::Limits;
use axum::Json;
use axum::extract::{Query, State};
use serde_json::json;
use std::sync::Arc;

/// The default time for an explanation, in seconds.
const WHY_SECONDS: f64 = 5.0;
/// The largest trees. A branch that is cut can be explained from its own position.
const LIMITS: Limits = Limits { positions: 600, depth: 40 };

/// The explanation of a position, as the fields of its report. Boards are drawn when a branch is opened.
pub(crate) async fn explained(State(app): State<Arc<App>>, Query(asked): Query<PositionQuery>) -> Answer {
    let limit = seconds(asked.seconds, WHY_SECONDS);
    let (game, pos) = searched(&app, asked.game, asked.pos).await?;
    let key = format!("why {} {pos}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let request = ExplainRequest { limits: LIMITS, ..ExplainRequest::default() };
    let answer = app.search(limit, move |ctx| Ok(json!(game.explain(&pos, &request, ctx)?))).await?;
    // An incomplete explanation is not cached: more time may prove more.
    if answer["stopped"].is_null() && answer["cut"]["effort"] == 0 {
        app.remember(key, &answer);
    }
    Ok(Json(answer))
}
