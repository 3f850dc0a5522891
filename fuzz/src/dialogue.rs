//! Readers of what comes line by line or request by request.

use super::{sampled, text};
use agon_web::app::App;
use agon_web::server::{Limits, Pages};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Words of the Tak Engine Interface.
pub const TEI_WORDS: &[&str] = &[
    "tei\n",
    "isready\n",
    "setoption name ",
    " value ",
    "HalfKomi",
    "MultiPV",
    "teinewgame 5\n",
    "teinewgame size 4 halfkomi 4\n",
    "position startpos",
    "position tps ",
    " moves ",
    "a1",
    "b2",
    "Sc3",
    "x3/x3/x3 1 1",
    "go nodes 1",
    "go infinite",
    " depth ",
    " movetime ",
    " wtime ",
    " winc ",
    "stop\n",
    "quit\n",
    "\n",
];

/// Lines to the engine. It answers every `go` with one move, and everything else without dying.
pub fn tei(data: &[u8]) {
    let (given, mut searches) = (text(data), 0);
    // A search takes a thread and a table: one conversation in sixty-four has some.
    let most = if sampled(data, 64) { 2 } else { 0 };
    let mut lines = Vec::new();
    for line in given.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Tables and threads as large as asked for are no surprise; only small ones are tried here.
        let large = words.first() == Some(&"setoption") && words.last().is_some_and(|last| last.len() > 1);
        match words.first() {
            _ if large => {}
            // The last word on each limit counts: one node is enough to see that the answer comes.
            Some(&"go") if searches < most => {
                searches += 1;
                lines.push(format!("{line} nodes 1 depth 1 movetime 1"));
            }
            Some(&"go") => {}
            Some(&"quit") => break,
            _ => lines.push(line.to_string()),
        }
    }
    let answered = Arc::new(AtomicUsize::new(0));
    let count = answered.clone();
    let say = move |said: &str| {
        count.fetch_add(said.lines().filter(|line| line.starts_with("bestmove ")).count(), Ordering::Relaxed);
    };
    let mut input = lines.join("\n").into_bytes();
    // A small table is made sooner.
    input.splice(0..0, *b"setoption name Hash value 1\n");
    let complain = |why: &str| super::readable(why);
    agon::engine::converse_in_tei(&mut &input[..], Box::new(say), Box::new(complain))
        .expect("what is in memory can be read");
    assert_eq!(answered.load(Ordering::Relaxed), searches, "{given}");
}

/// Conversations in both dialects.
pub fn tei_texts() -> Vec<Vec<u8>> {
    [
        "tei\nisready\nteinewgame 5\nposition startpos moves a1 e5 c3\ngo nodes 5\nquit\n",
        "tei\nteinewgame size 4 halfkomi 4\nposition tps x4/x,12,1C,x/2,x,2S,x/x4 1 7 moves b3+\ngo wtime 1000 winc 5\n",
        "setoption name MultiPV value 3\nsetoption name Player value mcts\nposition tps x3/x3/x3 1 1\ngo depth 2\nstop\n",
        "setoption name HalfKomi value 4\nposition startpos\nisready\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

/// Words of the Universal Game Interface.
pub const UGI_WORDS: &[&str] = &[
    "ugi\n",
    "isready\n",
    "setoption name ",
    " value ",
    "Game",
    "Player",
    "Seed",
    "MultiPV",
    "connect-four",
    "nim:3+5",
    "tak:4",
    "mnk:3,3,3",
    "uginewgame\n",
    "position startpos",
    "position fen ",
    " moves ",
    "b2",
    "a1",
    ".../.X./...",
    "query p1turn\n",
    "query gameover\n",
    "query result\n",
    "go nodes 1",
    "go infinite",
    " depth ",
    " movetime ",
    " p1time ",
    " p2inc ",
    "stop\n",
    "quit\n",
    "\n",
];

/// Lines to an engine for any game. It answers every `go` with one move and every known query with one response.
pub fn ugi(data: &[u8]) {
    let (given, mut searches) = (text(data), 0);
    let most = if sampled(data, 64) { 2 } else { 0 };
    let mut lines = Vec::new();
    for line in given.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Tables and threads as large as asked for are no surprise; a game that is chosen here may take long to play.
        let large = words.first() == Some(&"setoption") && words.iter().any(|word| word.len() > 9 || *word == "value");
        match words.first() {
            _ if large && !line.contains("Game") => {}
            Some(&"go") if searches < most => {
                searches += 1;
                lines.push(format!("{line} nodes 1 depth 1 movetime 1"));
            }
            Some(&"go") => {}
            Some(&"quit") => break,
            _ => lines.push(line.to_string()),
        }
    }
    let answered = Arc::new(AtomicUsize::new(0));
    let count = answered.clone();
    let say = move |said: &str| {
        count.fetch_add(said.lines().filter(|line| line.starts_with("bestmove ")).count(), Ordering::Relaxed);
    };
    let input = lines.join("\n").into_bytes();
    let complain = |why: &str| super::readable(why);
    // A player that looks one ply ahead answers at once in every game.
    let registry = agon_registry::standard().clone();
    let game = (Some("tic-tac-toe"), "random");
    let ended = agon::engine::converse_in_ugi(registry, game, &mut &input[..], Box::new(say), Box::new(complain));
    ended.expect("the game and the player exist").expect("what is in memory can be read");
    assert_eq!(answered.load(Ordering::Relaxed), searches, "{given}");
}

/// Conversations about several games.
pub fn ugi_texts() -> Vec<Vec<u8>> {
    [
        "ugi\nisready\nuginewgame\nposition startpos moves b2 a1\nquery p1turn\ngo nodes 5\nquit\n",
        "setoption name Game value connect-four\nposition startpos moves d d\nquery gameover\ngo p1time 1000 p2inc 5\n",
        "position fen .../.X./... moves a1 z9\nquery result\ngo depth 2\nstop\n",
        "setoption name Game value tak:4\nposition fen x4/x4/x4/x4 1 1 moves a1\nisready\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

/// Words of requests.
pub const HTTP_WORDS: &[&str] = &[
    "GET ",
    "POST ",
    "HEAD ",
    " HTTP/1.1\r\n",
    "host: 127.0.0.1:8000\r\n",
    "host: localhost:8000\r\n",
    "x-agon-token: TOKEN\r\n",
    "content-length: ",
    "content-type: application/json\r\n",
    "transfer-encoding: chunked\r\n",
    "connection: close\r\n",
    "origin: http://127.0.0.1:8000\r\n",
    "sec-fetch-site: cross-site\r\n",
    "\r\n",
    "\r\n\r\n",
    "?game=",
    "&from=",
    "&moves=",
    "&view=",
    "%20",
    "%2B",
    "%00",
    "%ff",
    "/api/",
    "/g/",
    "/jobs/1",
    "tic-tac-toe",
    "mnk:3,3,3",
    "tak:3",
    "nim:1+2",
    "{",
    "}",
    "\"kind\":\"solve\"",
    "\"game\":\"mnk:3,3,3\"",
];

/// Addresses behind which games are solved or played: with the games named here that takes no time.
const WORKING: [&str; 6] = ["/api/values", "/api/choose", "/api/known", "/api/jobs", "/api/check", "/api/v1"];
const QUICK: [&str; 4] = ["mnk:3,3,3", "nim:1%2B2", "kayles:4", "nim:1+2"];

/// Returns whether the request asks for long work, which is for other tests to bound.
fn takes_long(request: &str) -> bool {
    let numbers = request.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 3 && number != "8000");
    let games: Vec<&str> = request.split("game").skip(1).collect();
    let quick = |rest: &&str| {
        let rest = rest.trim_start_matches(['"', ':', '=', ' ']);
        let named = QUICK.iter().find_map(|game| rest.strip_prefix(game));
        named.is_some_and(|rest| rest.starts_with(['&', ' ', '"']))
    };
    let works = WORKING.iter().any(|path| request.contains(path));
    numbers || works && !(games.len() == 1 && games.iter().all(quick))
}

fn app() -> &'static Arc<App> {
    static APP: OnceLock<Arc<App>> = OnceLock::new();
    APP.get_or_init(|| App::new(8000, agon_registry::Registry::standard(), Vec::new(), None, None))
}

fn pages() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| Pages::new(app().clone(), Limits::default()))
}

/// Runs a conversation under a clock that jumps to the next timer when nothing else can be done. The runtime of the
/// thread is made once.
fn with_runtime<T>(work: impl Future<Output = T>) -> T {
    thread_local!(static RUNTIME: tokio::runtime::Runtime = {
        let builder = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        builder.expect("a runtime")
    });
    RUNTIME.with(|runtime| runtime.block_on(work))
}

/// Requests to the workbench over a connection in memory. Time stands still, so that a time limit is never waited for.
pub fn http(data: &[u8]) {
    let request = text(data).replace("TOKEN", app().token());
    if takes_long(&request.replace(app().token(), "")) {
        return;
    }
    let answer = with_runtime(async {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (mut from, mut to) = tokio::io::split(ours);
        let serve = pages().converse(theirs);
        let ask = async {
            let _ = to.write_all(request.as_bytes()).await;
        };
        let hear = async {
            let mut answer = Vec::new();
            // Streams of events may go on; the beginning is enough.
            let _ = (&mut from).take(1 << 20).read_to_end(&mut answer).await;
            answer
        };
        tokio::select! {
            answer = async { tokio::join!(ask, hear).1 } => answer,
            () = async { serve.await; std::future::pending().await } => unreachable!(),
        }
    });
    for job in app().jobs.list() {
        app().jobs.cancel(&job);
    }
    let answer = text(&answer);
    let status = answer.strip_prefix("HTTP/1.1 ").or_else(|| answer.strip_prefix("HTTP/1.0 "));
    if !answer.is_empty() {
        let status = status.and_then(|rest| rest.get(..3)).unwrap_or_else(|| panic!("{request}\n{answer}"));
        assert_ne!(status, "500", "{request}\n{answer}");
    }
}

/// Requests of every kind.
pub fn requests() -> Vec<Vec<u8>> {
    let paths = [
        "/",
        "/assets/app.css",
        "/g/tic-tac-toe",
        "/g/tak:3?from=x3/x3/x3%201%201&moves=a1%20b2",
        "/api/node?game=mnk:3,3,3&from=start&moves=a1",
        "/api/play?game=mnk:3,3,3&from=X../.../...&move=b2",
        "/api/line?game=nim:1%2B2&moves=",
        "/api/values?game=mnk:3,3,3&from=XO./.../...",
        "/api/known?game=kayles:4",
        "/api/rules?game=three-mens",
        "/api/board.svg?game=antrin:3&view=2",
        "/api/record?game=tak:3&moves=a1",
        "/api/setup?game=order-chaos:3x3,k=3",
        "/api/draft?game=mnk:3,3,3&from=XX./.../...",
        "/solve",
        "/strategies",
        "/grundy",
        "/arena",
        "/claims",
        "/api/verdicts",
        "/jobs",
        "/jobs/1",
        "/jobs/1/result",
        "/jobs/2/file",
    ];
    let get = |path: &&str| format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:8000\r\nconnection: close\r\n\r\n");
    let post = |path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:8000\r\norigin: http://127.0.0.1:8000\r\nx-agon-token: TOKEN\r\n\
             content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut all: Vec<String> = paths.iter().map(get).collect();
    all.push(post("/api/jobs", "{\"kind\":\"solve\",\"game\":\"mnk:3,3,3\",\"strong\":true,\"memory\":64}"));
    all.push(post("/api/choose", "{\"game\":\"mnk:3,3,3\",\"from\":\"start\",\"moves\":\"\",\"player\":\"random\"}"));
    all.push(post("/api/record", "[Size \"3\"]\n1. a1 b2\n"));
    all.push(post("/api/jobs/1/cancel", ""));
    all.push(post("/api/jobs/1/again", ""));
    all.push(post("/api/jobs/1/remove", ""));
    all.into_iter().map(String::into_bytes).collect()
}
