//! Many clients at once: every client gets the same answers. Their waiting time is measured but not asserted.

mod common;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const PATHS: &[&str] = &[
    "/g/tic-tac-toe?moves=b2+a1",
    "/api/node?game=antrin",
    "/api/values?game=antrin&seconds=60",
    "/api/play?game=tak:5&mv=a1",
    "/assets/app.css",
    "/solve",
];

/// An answer: the path, the body and the time it took.
type Answered = (&'static str, Vec<u8>, Duration);

/// The answers to clients that request all paths in turn.
fn asked(address: SocketAddr, clients: usize, requests: usize) -> Vec<Answered> {
    let client = |first: usize| {
        std::thread::spawn(move || {
            let ask = |i: usize| {
                let (path, begun) = (PATHS[(first + i) % PATHS.len()], Instant::now());
                let answer = common::get(address, path);
                assert_eq!(answer.status, 200, "{path}");
                (path, answer.body, begun.elapsed())
            };
            (0..requests).map(ask).collect::<Vec<Answered>>()
        })
    };
    let clients: Vec<_> = (0..clients).map(client).collect();
    clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
}

#[test]
fn fifty_clients_at_once_are_all_answered_alike() {
    let answers = asked(common::start(), 50, PATHS.len());
    assert_eq!(answers.len(), 50 * PATHS.len());
    let mut first: HashMap<&str, Vec<u8>> = HashMap::new();
    for (path, body, _) in answers {
        assert!(*first.entry(path).or_insert_with(|| body.clone()) == body, "{path} differs from client to client");
    }
    assert_eq!(first.len(), PATHS.len());
}

#[test]
#[ignore = "a measurement: run it alone, in the release profile"]
fn fifty_clients_with_sixty_requests_each() {
    let mut took: Vec<Duration> = asked(common::start(), 50, 60).into_iter().map(|(_, _, took)| took).collect();
    took.sort();
    let (median, p99) = (took[took.len() / 2], took[took.len() * 99 / 100]);
    let seen = format!("{} answers: median {median:?}, p99 {p99:?}, slowest {:?}", took.len(), took[took.len() - 1]);
    let (mut file, path) = tempfile::NamedTempFile::with_prefix("agon-web-load-").unwrap().keep().unwrap();
    std::io::Write::write_all(&mut file, format!("{seen}\n").as_bytes()).unwrap();
    assert!(path.exists());
}
