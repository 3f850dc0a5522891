//! Checks on every request, and the headers of every answer.
//!
//! The server is for the person at this machine. Another site's page can make the browser send requests here, so three
//! rules apply. The host must be ours (else 421: DNS rebinding). A request that changes something must come from one of
//! our pages, which its origin and a secret token show (else 403); a question under `/api/v1` changes nothing and needs no
//! token, but must not come from another site either. From another site, only a followed link to a page is
//! answered, and no picture, script or frame (else 403).

use crate::app::{App, RequestError, too_long};
use crate::{api, page};
use axum::body::HttpBody as _;
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

/// The most bytes of an answer; event streams and the files of jobs are exempt.
pub const ANSWER_BYTES: u64 = 64 << 20;
/// The most bytes of a request body.
pub(crate) const BODY_BYTES: usize = 8 << 20;
/// The header that carries the token.
pub(crate) const TOKEN: &str = "x-agon-token";

/// The headers in which a browser describes a request: initiator, mode and destination.
const SITE: &str = "sec-fetch-site";
const MODE: &str = "sec-fetch-mode";
const DESTINATION: &str = "sec-fetch-dest";

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
            // The rest of the request is not read.
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            answer
        }
        None if path.ends_with("/events") => next.run(request).await,
        None => match tokio::time::timeout(request_time, next.run(request)).await {
            Ok(answer) => of_bounded_size(&app, &path, answer),
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response(),
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

/// Replaces an answer that is too long by an error.
fn of_bounded_size(app: &App, path: &str, answer: Response) -> Response {
    let bytes = answer.body().size_hint().lower();
    if bytes <= ANSWER_BYTES || path.ends_with("/file") {
        return answer;
    }
    let error = RequestError::Failure(too_long(bytes, ANSWER_BYTES));
    if path.starts_with("/api/") { error.into_response() } else { page::error(app, &error) }
}

fn refusal(app: &App, request: &Request) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    if !names_us(app, request) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server answers only to 127.0.0.1 and localhost"));
    }
    let length = text(headers, CONTENT_LENGTH.as_str()).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > BODY_BYTES as u64) {
        return Some((StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 8 MiB"));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_page = !request.uri().path().starts_with("/api/");
    let may_ask = !from_elsewhere(headers) || reads && is_page && is_step_to_a_page(headers);
    let changes = !reads && !request.uri().path().starts_with(api::BASE);
    if !may_ask || !own_origin(app, headers) || changes && text(headers, TOKEN) != Some(app.token()) {
        return Some((StatusCode::FORBIDDEN, "only a page of this server may send this request"));
    }
    None
}

/// The value of a header that occurs exactly once.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let only = all.next().filter(|_| all.next().is_none());
    only.and_then(|value| value.to_str().ok())
}

/// Returns whether the one Host header names this server, and so does the address if it has a host.
fn names_us(app: &App, request: &Request) -> bool {
    let host = text(request.headers(), HOST.as_str());
    let authority = request.uri().authority();
    host.is_some_and(|host| app.is_own_host(host)) && authority.is_none_or(|named| app.is_own_host(named.as_str()))
}

/// Returns whether the browser says that another site sends the request, or says something unreadable.
fn from_elsewhere(headers: &HeaderMap) -> bool {
    headers.contains_key(SITE) && !matches!(text(headers, SITE), Some("same-origin" | "none"))
}

/// Returns whether the browser says that a person followed a link to a page.
fn is_step_to_a_page(headers: &HeaderMap) -> bool {
    text(headers, MODE) == Some("navigate") && text(headers, DESTINATION) == Some("document")
}

/// Returns whether the origin, if the browser sends one, is ours.
fn own_origin(app: &App, headers: &HeaderMap) -> bool {
    let ours = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| app.is_own_host(host));
    !headers.contains_key(ORIGIN) || text(headers, ORIGIN.as_str()).is_some_and(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_too_long_is_replaced_by_the_reason() {
        let (app, _) = App::bare();
        let long = || "a".repeat(ANSWER_BYTES as usize + 1).into_response();
        for path in ["/g/nim", "/api/line", "/jobs/1/result"] {
            let refused = of_bounded_size(&app, path, long());
            assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{path}");
            assert!(refused.body().size_hint().upper().is_some_and(|bytes| bytes < 10_000), "{path}");
        }
        assert_eq!(of_bounded_size(&app, "/jobs/1/file", long()).status(), StatusCode::OK);
        assert_eq!(of_bounded_size(&app, "/g/nim", "short".into_response()).status(), StatusCode::OK);
    }
}
