//! The accept loop: limits on connections, headers and time.
//!
//! The connection of a client that sends its header slowly is closed after five seconds. A header that is too large is
//! answered with 431, a body that is too large with 413. Every connection has its own task, so slow clients do not delay others.

use crate::app::App;
use crate::{
    api, arena, claims, grade, grundy, guard, home, job_pages, page, play, puzzles, rules, setup, solve, strategies,
    strategy_editor, why,
};
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
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The longest life of a connection.
const CONNECTION_TIME: Duration = Duration::from_secs(60 * 60);
/// The most bytes of a request header.
const HEADER_BYTES: usize = 64 << 10;
/// The pause after a failed accept, for example when too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time within which a request header must arrive; also the life of an idle connection.
    pub header_time: Duration,
    /// The time limit of a request; event streams are exempt.
    pub request_time: Duration,
    /// The most connections at once.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { header_time: Duration::from_secs(5), request_time: Duration::from_secs(90), connections: 1024 }
    }
}

/// All routes.
fn routes(app: Arc<App>, limits: Limits) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/assets/{name}", get(page::asset))
        .route("/g/{*game}", get(play::page))
        .route("/api/node", get(play::node))
        .route("/api/play", get(play::step))
        .route("/api/line", get(play::line))
        .route("/api/values", get(play::values))
        .route("/api/why", get(why::explained))
        .route("/api/known", get(home::known))
        .route("/api/find", get(home::find))
        .route("/puzzles", get(puzzles::page))
        .route("/api/puzzles", get(puzzles::make))
        .route("/api/rules", get(rules::shown))
        .route("/api/board.svg", get(play::picture))
        .route("/api/record", get(play::write_record).post(play::read_record))
        .route("/api/story", post(play::write_story))
        .route("/api/choose", post(play::choose))
        .route("/api/strategy", post(strategy_editor::tested))
        .route("/api/setup", get(setup::palette))
        .route("/api/draft", get(setup::draft))
        .route("/solve", get(solve::page))
        .route("/strategies", get(strategies::page))
        .route("/grundy", get(grundy::page))
        .route("/grade", get(grade::page))
        .route("/arena", get(arena::page))
        .route("/claims", get(claims::page))
        .route("/api/verdicts", get(claims::verdicts))
        .route("/jobs", get(job_pages::list))
        .route("/jobs/{id}", get(job_pages::page))
        .route("/jobs/{id}/result", get(job_pages::result))
        .route("/jobs/{id}/file", get(job_pages::file))
        .route("/api/jobs", post(job_pages::start))
        .route("/api/jobs/{id}", get(job_pages::state))
        .route("/api/jobs/{id}/events", get(job_pages::events))
        .route("/api/jobs/{id}/cancel", post(job_pages::cancel))
        .route("/api/jobs/{id}/again", post(job_pages::again))
        .route("/api/jobs/{id}/remove", post(job_pages::remove))
        .route("/api/check", post(job_pages::check_file))
        .route("/api/v1/openapi.json", get(api::description))
        .route("/api/v1/{name}", get(api::asked).post(api::posted))
        .fallback(page::not_found)
        .layer(DefaultBodyLimit::max(guard::BODY_BYTES))
        .layer(from_fn_with_state((app.clone(), limits.request_time), guard::guard))
        .with_state(app)
}

/// Binds to the loopback interface; port 0 chooses a free port.
pub async fn bind(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// Serves until the process ends.
pub async fn serve(listener: TcpListener, app: Arc<App>, limits: Limits) {
    let router = routes(app, limits);
    let places = Arc::new(Semaphore::new(limits.connections));
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
        let router = router.clone();
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            connection(stream, router, limits).await;
            drop(place);
        });
    }
}

/// The pages of a workbench, for clients that do not come over a network.
pub struct Pages {
    router: Router,
    limits: Limits,
}

impl Pages {
    /// The pages of that server.
    #[must_use]
    pub fn new(app: Arc<App>, limits: Limits) -> Pages {
        Pages { router: routes(app, limits), limits }
    }

    /// Answers the requests of one client over any byte stream.
    pub async fn converse(&self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        connection(stream, self.router.clone(), self.limits).await;
    }
}

async fn connection(stream: impl AsyncRead + AsyncWrite + Unpin, router: Router, limits: Limits) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // A connection that breaks is the client's problem.
    let _ = tokio::time::timeout(CONNECTION_TIME, connection).await;
}

/// Refuses a connection beyond the limit.
async fn refuse(mut stream: TcpStream) {
    let answer =
        format!("HTTP/1.1 {} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n", StatusCode::SERVICE_UNAVAILABLE);
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::CONCURRENT_PAGES;
    use std::io::{Read as _, Write as _};
    use std::time::Instant;

    /// An answer that takes longer is a failure.
    const TEST_TIMEOUT: Duration = Duration::from_secs(600);

    /// Starts a server with one thread for requests; returns its state and its address.
    fn start(limits: Limits) -> (Arc<App>, SocketAddr) {
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = bind(0).await.unwrap();
                let address = listener.local_addr().unwrap();
                let app = App::new(address.port(), agon_registry::Registry::standard(), Vec::new(), None, None);
                tell.send((app.clone(), address)).unwrap();
                serve(listener, app, limits).await;
            });
        });
        told.recv().unwrap()
    }

    fn answer(stream: &mut std::net::TcpStream) -> String {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Sends a request and does not wait for the answer.
    fn send(address: SocketAddr, path: &str) -> std::net::TcpStream {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        let _ = stream.write_all(head.as_bytes());
        stream
    }

    fn until(what: &str, holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < TEST_TIMEOUT, "waited in vain: {what}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_body_that_does_not_come_is_not_waited_for() {
        let (app, address) = start(Limits { request_time: Duration::from_millis(200), ..Limits::default() });
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /api/jobs HTTP/1.1\r\nhost: {address}\r\nx-agon-token: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
            app.token()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let said = answer(&mut stream);
        assert!(said.starts_with("HTTP/1.1 408"), "{said}");
    }

    #[test]
    fn more_connections_than_can_be_served_are_refused_and_places_come_free() {
        // Idle connections stay until this test closes them.
        let (_, address) = start(Limits { connections: 4, header_time: 100 * TEST_TIMEOUT, ..Limits::default() });
        let idle: Vec<_> = (0..4).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
        // The refusal comes before the request is read; what was sent may be lost with it.
        assert!(!answer(&mut send(address, "/jobs")).starts_with("HTTP/1.1 200"));
        let mut refused = std::net::TcpStream::connect(address).unwrap();
        assert!(answer(&mut refused).starts_with("HTTP/1.1 503"));
        drop(idle);
        until("a place comes free", || answer(&mut send(address, "/jobs")).starts_with("HTTP/1.1 200"));
    }

    /// Addresses that make the server build a game and draw.
    const DRAWN: &[&str] = &[
        "/",
        "/g/tic-tac-toe?moves=b2+a1",
        "/api/node?game=tic-tac-toe",
        "/api/play?game=tic-tac-toe&mv=b2",
        "/api/line?game=tic-tac-toe&moves=b2",
        "/api/values?game=tic-tac-toe",
        "/api/why?game=tic-tac-toe",
        "/api/known?game=tic-tac-toe",
        "/api/rules?game=tic-tac-toe",
        "/api/board.svg?game=tic-tac-toe",
        "/api/record?game=tic-tac-toe&moves=b2",
        "/api/find?name=tic-tac-toe",
        "/puzzles",
        "/api/puzzles?game=tic-tac-toe",
        "/api/setup?game=tic-tac-toe",
        "/api/draft?game=tic-tac-toe&text=start",
        "/solve",
        "/strategies",
        "/arena",
    ];

    #[test]
    fn the_jobs_are_shown_while_no_game_can_be_built() {
        let (app, address) = start(Limits::default());
        for path in DRAWN {
            // Every access to a game blocks here; the one thread for requests must not be among the blocked ones.
            let gate = app.hold_games();
            let mut waiting = send(address, path);
            until(path, || app.free_pages() < CONCURRENT_PAGES);
            assert!(answer(&mut send(address, "/jobs")).starts_with("HTTP/1.1 200"), "{path}");
            drop(gate);
            assert!(answer(&mut waiting).starts_with("HTTP/1.1 200"), "{path}");
        }
        // More of them than there are places.
        let gate = app.hold_games();
        let waiting: Vec<_> = (0..3 * CONCURRENT_PAGES).map(|_| send(address, "/g/tic-tac-toe")).collect();
        until("all places taken", || app.free_pages() == 0);
        assert!(answer(&mut send(address, "/jobs")).starts_with("HTTP/1.1 200"));
        drop(gate);
        for mut stream in waiting {
            assert!(answer(&mut stream).starts_with("HTTP/1.1 200"));
        }
    }

    #[test]
    fn work_that_nobody_waits_for_any_more_keeps_its_place() {
        let (app, address) = start(Limits { request_time: Duration::from_millis(200), ..Limits::default() });
        let gate = app.hold_games();
        let late = answer(&mut send(address, "/g/tic-tac-toe"));
        assert!(late.starts_with("HTTP/1.1 408"), "{late}");
        assert_eq!(app.free_pages(), CONCURRENT_PAGES - 1);
        drop(gate);
        until("its place comes free", || app.free_pages() == CONCURRENT_PAGES);
    }
}
