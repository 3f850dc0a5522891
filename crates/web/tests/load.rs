//! Many clients at once: no error, and nobody waits long. Measured in the release profile.

mod common;

use std::time::{Duration, Instant};

#[test]
#[ignore = "a measurement: run it alone, in the release profile"]
fn fifty_clients_with_sixty_requests_each() {
    let address = common::start();
    let paths = [
        "/g/tic-tac-toe?moves=b2+a1",
        "/api/node?game=antrin",
        "/api/values?game=antrin",
        "/api/play?game=tak:5&mv=a1",
        "/assets/app.css",
        "/solve",
    ];
    let client = |_| {
        std::thread::spawn(move || {
            let ask = |i: usize| {
                let begun = Instant::now();
                let status = common::get(address, paths[i % paths.len()]).status;
                (status, begun.elapsed())
            };
            (0..60).map(ask).collect::<Vec<(u16, Duration)>>()
        })
    };
    let clients: Vec<_> = (0..50).map(client).collect();
    let mut all: Vec<(u16, Duration)> = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    assert_eq!(all.len(), 3000);
    assert!(all.iter().all(|(status, _)| *status == 200), "an error");
    all.sort_by_key(|(_, took)| *took);
    let p99 = all[all.len() * 99 / 100].1;
    let seen = format!("median {:?}, p99 {p99:?}, slowest {:?}", all[all.len() / 2].1, all[all.len() - 1].1);
    // The number is the point of the measurement: a failing bound shows it.
    assert!(p99 < Duration::from_millis(100), "{seen}");
    let _ = std::fs::write(std::env::temp_dir().join("agon-web-load.txt"), seen);
}

#[test]
#[ignore = "a measurement: run it alone, in the release profile"]
fn pages_are_there_at_once() {
    let address = common::start();
    // Solved once, as a person would before looking at values.
    assert_eq!(common::get(address, "/api/values?game=antrin").status, 200);
    let mut seen = String::new();
    for path in ["/", "/g/antrin?values=1", "/api/values?game=antrin&pos=start", "/g/tak:6", "/claims"] {
        let mut took: Vec<Duration> = (0..20)
            .map(|_| {
                let begun = Instant::now();
                assert_eq!(common::get(address, path).status, 200, "{path}");
                begun.elapsed()
            })
            .collect();
        let first = took[0];
        took.sort();
        seen.push_str(&format!("{path}: first {first:?}, median {:?}, slowest {:?}\n", took[10], took[19]));
        assert!(took[19] < Duration::from_millis(100), "{seen}");
    }
    let _ = std::fs::write(std::env::temp_dir().join("agon-web-pages.txt"), seen);
}
