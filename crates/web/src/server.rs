//! The accept loop: limits on connections, headers and time.
//!
//! A client that sends its header slowly is closed after five seconds; a header that is too large is answered with
//! 431, a body that is too large with 413. Every connection has a task of its own, so slow ones delay nobody.

use crate::app::App;
use crate::{arena, claims, grundy, guard, home, page, play, rules, setup, solve, strategies, work};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Time for a request's header to arrive, and for an idle connection to live.
pub const HEADER_TIME: Duration = Duration::from_secs(5);
/// No connection lives longer.
const CONNECTION_TIME: Duration = Duration::from_secs(60 * 60);
/// Bytes of a header.
const HEADER_BYTES: usize = 64 << 10;
/// Connections at once.
const CONNECTIONS: usize = 1024;
/// Wait after a failed accept, for example when there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Every address.
fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/assets/{name}", get(page::asset))
        .route("/g/{*game}", get(play::page))
        .route("/api/node", get(play::node))
        .route("/api/play", get(play::step))
        .route("/api/line", get(play::line))
        .route("/api/values", get(play::values))
        .route("/api/known", get(home::known))
        .route("/api/rules", get(rules::shown))
        .route("/api/board.svg", get(play::picture))
        .route("/api/record", get(play::write_record).post(play::read_record))
        .route("/api/choose", post(play::choose))
        .route("/api/setup", get(setup::palette))
        .route("/api/draft", get(setup::draft))
        .route("/solve", get(solve::page))
        .route("/strategies", get(strategies::page))
        .route("/grundy", get(grundy::page))
        .route("/arena", get(arena::page))
        .route("/claims", get(claims::page))
        .route("/api/verdicts", get(claims::verdicts))
        .route("/jobs", get(work::list))
        .route("/jobs/{id}", get(work::page))
        .route("/jobs/{id}/result", get(work::result))
        .route("/jobs/{id}/file", get(work::file))
        .route("/api/jobs", post(work::start))
        .route("/api/jobs/{id}", get(work::state))
        .route("/api/jobs/{id}/events", get(work::events))
        .route("/api/jobs/{id}/cancel", post(work::cancel))
        .route("/api/check", post(work::check_file))
        .fallback(page::not_found)
        .layer(DefaultBodyLimit::max(guard::BODY_BYTES))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

/// Binds to this machine only; port 0 chooses a free one.
pub async fn bind(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// Serves until the process ends.
pub async fn serve(listener: TcpListener, app: Arc<App>) {
    let router = routes(app);
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            tokio::spawn(refuse(stream));
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(HEADER_BYTES)
                .serve_connection(TokioIo::new(stream), service);
            // A broken connection is the client's business.
            let _ = tokio::time::timeout(CONNECTION_TIME, connection).await;
            drop(place);
        });
    }
}

/// More connections than can be served.
async fn refuse(mut stream: TcpStream) {
    let answer =
        format!("HTTP/1.1 {} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n", StatusCode::SERVICE_UNAVAILABLE);
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}
