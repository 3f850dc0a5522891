//! What is asked of every request, and the headers of every answer.
//!
//! The server is for the person at this machine. Another site's page can make the browser send requests here, so the
//! host must be ours (else 421: a rebound name), and whatever changes something or makes the machine work must come
//! from a page of ours: its origin, and a token that only our pages know (else 403).

use crate::app::App;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a body.
pub(crate) const BODY_BYTES: usize = 8 << 20;
/// The header that carries the token.
pub(crate) const TOKEN: &str = "x-agon-token";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub(crate) async fn guard(
    State((app, request_time)): State<(Arc<App>, Duration)>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_string();
    let mut answer = match refusal(&app, &request) {
        Some((status, why)) => {
            let mut answer = (status, why).into_response();
            // What is left of the request is not read.
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            answer
        }
        None if path.ends_with("/events") => next.run(request).await,
        None => match tokio::time::timeout(request_time, next.run(request)).await {
            Ok(answer) => answer,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "that took too long").into_response(),
        },
    };
    let headers = answer.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    answer
}

fn refusal(app: &App, request: &Request) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if !text(&HOST).is_some_and(|host| app.is_own_host(host)) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server answers to 127.0.0.1 and localhost alone"));
    }
    let length = text(&CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > BODY_BYTES as u64) {
        return Some((StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 8 MiB"));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let works = request.uri().path().starts_with("/api/");
    if works && from_elsewhere(headers) || !reads && !is_ours(app, headers) {
        return Some((StatusCode::FORBIDDEN, "only a page of this server may ask for that"));
    }
    None
}

/// Whether the browser says that another site's page asks.
fn from_elsewhere(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    site.is_some_and(|site| !matches!(site, "same-origin" | "none"))
}

fn is_ours(app: &App, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(ORIGIN.as_str());
    let own_origin =
        origin.is_none_or(|origin| origin.strip_prefix("http://").is_some_and(|host| app.is_own_host(host)));
    own_origin && text(TOKEN) == Some(app.token())
}
