//! The interface for programs: the questions of `agon_api` under `/api/v1`.
//!
//! A question changes nothing, so that it needs no token; the other checks of `guard` hold for it too.

use crate::app::{App, RequestError};
use agon_api::{Arguments, OPERATIONS, Operation, operation};
use agon_core::family::shorten;
use agon_report::failure::Failure;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The addresses of the questions begin with this.
pub(crate) const BASE: &str = "/api/v1/";

type Answer = Result<Json<Value>, RequestError>;

/// The OpenAPI description.
pub(crate) async fn description() -> Json<Value> {
    Json(agon_api::openapi())
}

fn named(name: &str) -> Result<&'static Operation, RequestError> {
    operation(name).ok_or_else(|| {
        let known: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
        let name = shorten(name);
        RequestError::NotFound(format!("there is no `{BASE}{name}`: expected one of {}", known.join(", ")))
    })
}

/// A question in an address.
pub(crate) async fn asked(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Response {
    let operation = match named(&name) {
        Ok(operation) if operation.long => {
            let why = format!("{BASE}{name} takes its arguments as JSON: send them with POST");
            return (StatusCode::METHOD_NOT_ALLOWED, Json(json!({"error": why}))).into_response();
        }
        Ok(operation) => operation,
        Err(error) => return error.into_response(),
    };
    let read = query.map_err(|error| Failure::Usage(error.body_text()));
    match read.and_then(|Query(pairs)| Arguments::of_query(operation.params, &pairs)) {
        Ok(arguments) => answered(app, operation, arguments).await.into_response(),
        Err(failure) => RequestError::Failure(failure).into_response(),
    }
}

/// A question as JSON.
pub(crate) async fn posted(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    body: Result<Json<Map<String, Value>>, JsonRejection>,
) -> Response {
    let body = match body {
        Ok(Json(body)) => body,
        Err(error) => return (error.status(), Json(json!({"error": error.body_text()}))).into_response(),
    };
    let read = || {
        let operation = named(&name)?;
        Ok::<_, RequestError>((operation, Arguments::read(operation.params, &body)?))
    };
    match read() {
        Ok((operation, arguments)) => answered(app, operation, arguments).await.into_response(),
        Err(error) => error.into_response(),
    }
}

/// The answer, by a search that is limited like those of the pages.
async fn answered(app: Arc<App>, operation: &'static Operation, arguments: Arguments) -> Answer {
    let games = app.clone();
    let limit = agon_api::time_of(&arguments);
    let answer = app.search(limit, move |ctx| operation.answer(games.as_ref(), &arguments, ctx));
    Ok(Json(answer.await?))
}
