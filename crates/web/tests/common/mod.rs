//! A test server, and plain requests to it.
#![allow(dead_code, reason = "each test uses some of it")]

use agon_arena::game::{Audience, Played};
use agon_arena::plan::Slot;
use agon_arena::store::{GameResult, Store};
use agon_core::Ctx;
use agon_report::failure::Failure;
use agon_reproduce::{Finding, Item, Verdict};
use agon_web::Program;
use agon_web::job_store::JobStore;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// An answer that takes longer is a failure.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(600);

/// Controls the players of tournaments: no player moves before the gate allows it.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<u64>, Condvar)>);

impl Gate {
    /// Allows more moves.
    pub(crate) fn allow(&self, moves: u64) {
        let mut allowed = self.0.0.lock().unwrap();
        *allowed = allowed.saturating_add(moves);
        self.0.1.notify_all();
    }

    /// Allows every move from now on.
    pub(crate) fn open(&self) {
        self.allow(u64::MAX);
    }

    fn wait_until_open(&self) {
        drop(self.0.1.wait_while(self.0.0.lock().unwrap(), |allowed| *allowed < u64::MAX).unwrap());
    }

    fn pass(&self) {
        let mut allowed = self.0.1.wait_while(self.0.0.lock().unwrap(), |allowed| *allowed == 0).unwrap();
        if *allowed < u64::MAX {
            *allowed -= 1;
        }
    }
}

/// A claim that takes no time, a wrong claim, and a claim that panics.
static CLAIMS: [Item; 3] = {
    const fn claim(id: &'static str, run: fn(&Ctx, &str) -> Result<Finding, Failure>) -> Item {
        let (source, claim, claimed, how) = ("page 1", "two and two are four", "4", "adding");
        Item { id, source, claim, claimed, how, slow: false, expected: Verdict::Differs, run }
    }
    [
        claim("999/sum", |_, claimed| Ok(Finding::compare(claimed, "4", ""))),
        claim("999/other", |_, claimed| Ok(Finding::compare(claimed, "5", ""))),
        claim("999/broken", |_, _| panic!("broken on purpose")),
    ]
};

/// The players at table 0 move as the gate allows, those at other tables once it is open.
impl Audience for Gate {
    fn begins(&self, _: usize, _: &Slot, _: &str) {}

    fn moves(&self, table: usize, _: &str, _: Option<bool>) {
        if table == 0 { self.pass() } else { self.wait_until_open() }
    }

    fn ends(&self, _: usize, _: &Played) {}

    fn stored(&self, _: &[GameResult], _: Option<&Store>) -> Result<(), Failure> {
        Ok(())
    }
}

/// Starts a server in this process.
pub(crate) fn start() -> SocketAddr {
    start_in(None)
}

/// Starts a server that stores its jobs in a directory.
pub(crate) fn start_in(data: Option<std::path::PathBuf>) -> SocketAddr {
    let gate = Gate::default();
    gate.open();
    start_with(data, gate)
}

/// Starts a server whose tournaments move as the gate allows.
pub(crate) fn start_with(data: Option<std::path::PathBuf>, gate: Gate) -> SocketAddr {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let program = Program {
            registry: agon_registry::Registry::standard(),
            claims: CLAIMS.iter().collect(),
            spectator: Some(Arc::new(gate)),
            store: data.map(|root| JobStore::open(&root, Box::new(|_| ())).unwrap()),
        };
        let ended = agon_web::run(0, program, move |address| {
            let _ = tell.send(address);
        });
        panic!("the server ended: {ended:?}");
    });
    told.recv_timeout(TEST_TIMEOUT).expect("a server")
}

/// An answer: its status and the rest.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Sends bytes and reads until the server closes.
pub(crate) fn raw(address: SocketAddr, request: &[u8]) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(TEST_TIMEOUT)).ok()?;
    // A refusal may come before everything is sent.
    let _ = stream.write_all(request);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let split = all.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&all[..split]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { dechunk(&all[split + 4..]) } else { all[split + 4..].to_vec() };
    Some(Answer { status, head, body })
}

fn dechunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(String::from_utf8_lossy(&rest[..end]).trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < end + 2 + size {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[(end + 4 + size).min(rest.len())..];
    }
    body
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    raw(address, request.as_bytes()).expect("an answer")
}

/// A stream of events, read as they come.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    pub(crate) fn follow(address: SocketAddr, path: &str) -> Events {
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a time limit");
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a request");
        Events(BufReader::new(stream))
    }
}

/// Every event: its name and its data.
impl Iterator for Events {
    type Item = (String, serde_json::Value);

    fn next(&mut self) -> Option<Self::Item> {
        let mut name = None;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("an event in time") == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_string());
            } else if let (Some(name), Some(data)) = (&name, line.strip_prefix("data: ")) {
                return Some((name.clone(), serde_json::from_str(data.trim()).unwrap_or_default()));
            }
        }
    }
}

/// The token of our pages.
pub(crate) fn token(address: SocketAddr) -> String {
    let page = get(address, "/jobs").text();
    let (_, rest) = page.split_once("agon-token\" content=\"").expect("a token");
    rest.split('"').next().expect("a token").to_string()
}

pub(crate) fn post(address: SocketAddr, path: &str, headers: &str, body: &str) -> Answer {
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    raw(address, request.as_bytes()).expect("an answer")
}

/// Sends a request with the headers of our own pages.
pub(crate) fn post_as_page(address: SocketAddr, path: &str, body: &str) -> Answer {
    let headers = format!("origin: http://{address}\r\nx-agon-token: {}\r\n", token(address));
    post(address, path, &headers, body)
}
