//! The requests that the server refuses; refusing them delays nobody.

mod common;

use common::{Events, TEST_TIMEOUT, get, post, post_as_page, raw, start, token};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn only_this_machine_is_answered() {
    let address = start();
    assert!(address.ip().is_loopback());
    let asked = |host: &str| {
        raw(address, format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").as_bytes()).unwrap().status
    };
    assert_eq!(asked(&address.to_string()), 200);
    assert_eq!(asked(&format!("localhost:{}", address.port())), 200);
    assert_eq!(asked("evil.example"), 421);
    assert_eq!(asked(&format!("evil.example:{}", address.port())), 421);
    assert_eq!(asked("127.0.0.1:1"), 421);
    // The port is written in one way, and there is one host.
    assert_eq!(asked(&format!("127.0.0.1:+{}", address.port())), 421);
    assert_eq!(asked(&format!("127.0.0.1:0{}", address.port())), 421);
    assert_eq!(asked(&format!("{address}\r\nhost: evil.example")), 421);
    assert_eq!(asked(&format!("{address}\r\nhost: {address}")), 421);
    let elsewhere = format!("GET http://evil.example/ HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    assert_eq!(raw(address, elsewhere.as_bytes()).unwrap().status, 421);
}

/// A browser's description of a request (site, mode, destination), and whether it gets pages and data.
const ASKED: &[(&str, &str, &str, bool, bool)] = &[
    ("same-origin", "cors", "empty", true, true),
    ("same-origin", "no-cors", "script", true, true),
    ("none", "navigate", "document", true, true),
    // A person follows a link on another site.
    ("cross-site", "navigate", "document", true, false),
    ("same-site", "navigate", "document", true, false),
    // Another site's page sends a request on its own.
    ("cross-site", "no-cors", "image", false, false),
    ("cross-site", "no-cors", "script", false, false),
    ("cross-site", "no-cors", "empty", false, false),
    ("cross-site", "cors", "empty", false, false),
    ("cross-site", "navigate", "iframe", false, false),
    ("cross-site", "navigate", "", false, false),
    ("cross-site", "", "document", false, false),
    ("same-site", "no-cors", "image", false, false),
    ("nonsense", "cors", "empty", false, false),
];

#[test]
fn another_site_may_lead_here_and_nothing_else() {
    let address = start();
    for (site, mode, destination, page, data) in ASKED {
        let header = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!("sec-fetch-{name}: {value}\r\n"),
        };
        let said = [header("site", site), header("mode", mode), header("dest", destination)].concat();
        let ask = |path: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{said}\r\n");
            raw(address, request.as_bytes()).unwrap().status
        };
        let status = |allowed: &bool| if *allowed { 200 } else { 403 };
        for path in ["/", "/jobs", "/solve", "/g/tic-tac-toe", "/assets/app.js", "/claims"] {
            assert_eq!(ask(path), status(page), "{path} {said}");
        }
        for path in ["/api/node?game=tic-tac-toe", "/api/verdicts", "/api/board.svg?game=tic-tac-toe"] {
            assert_eq!(ask(path), status(data), "{path} {said}");
        }
    }
    // Older browsers name only the page that asks.
    let foreign = format!(
        "GET /g/tic-tac-toe HTTP/1.1\r\nhost: {address}\r\norigin: http://evil.example\r\nconnection: close\r\n\r\n"
    );
    assert_eq!(raw(address, foreign.as_bytes()).unwrap().status, 403);
}

#[test]
fn only_our_pages_may_start_work() {
    let address = start();
    let body = r#"{"kind":"solve","game":"tic-tac-toe"}"#;
    let token = token(address);
    let with = |headers: String| post(address, "/api/jobs", &headers, body).status;
    assert_eq!(with(String::new()), 403);
    assert_eq!(with("x-agon-token: 00000000000000000000000000000000\r\n".into()), 403);
    assert_eq!(with(format!("x-agon-token: {token}\r\norigin: http://evil.example\r\n")), 403);
    assert_eq!(with(format!("x-agon-token: {token}\r\norigin: null\r\n")), 403);
    assert_eq!(with(format!("x-agon-token: {token}\r\norigin: http://{address}\r\n")), 200);
    // Requests that start a search are only for our pages, even if they only read.
    let foreign = format!(
        "GET /api/values?game=tic-tac-toe HTTP/1.1\r\nhost: {address}\r\nsec-fetch-site: cross-site\r\nconnection: close\r\n\r\n"
    );
    assert_eq!(raw(address, foreign.as_bytes()).unwrap().status, 403);
}

#[test]
fn every_change_asks_for_the_token() {
    let address = start();
    let token = token(address);
    let changes = [
        "/api/jobs",
        "/api/jobs/1/cancel",
        "/api/jobs/1/again",
        "/api/jobs/1/remove",
        "/api/check",
        "/api/choose",
        "/api/record",
        "/api/story",
    ];
    for path in changes {
        assert_eq!(post(address, path, "", "{}").status, 403, "{path} without a token");
        let foreign = format!("x-agon-token: {token}\r\norigin: http://evil.example\r\n");
        assert_eq!(post(address, path, &foreign, "{}").status, 403, "{path} from elsewhere");
        assert_ne!(post_as_page(address, path, "{}").status, 403, "{path} from our page");
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        let request = format!("{method} /api/jobs/1 HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        assert_eq!(raw(address, request.as_bytes()).unwrap().status, 403, "{method}");
    }
}

#[test]
fn a_job_that_would_need_too_much_is_refused_with_the_reason() {
    let address = start();
    let body = r#"{"kind":"solve","game":"drop:7,6,4","memory":1048576}"#;
    let refused = post_as_page(address, "/api/jobs", body);
    assert_eq!(refused.status, 503);
    assert!(refused.json()["error"].as_str().unwrap().contains("MiB of memory"), "{}", refused.text());
    // Tables say what they need before anything is done.
    let body = r#"{"kind":"solve","game":"morris:nine","strong":true,"memory":64}"#;
    let refused = post_as_page(address, "/api/jobs", body);
    assert_eq!(refused.status, 400);
    assert!(refused.json()["error"].as_str().unwrap().contains("allow more memory"), "{}", refused.text());
}

#[test]
fn the_queue_of_jobs_is_bounded() {
    let address = start();
    let body = r#"{"kind":"solve","game":"drop:7,6,4","memory":16}"#;
    let mut ids = Vec::new();
    let refused = loop {
        let answer = post_as_page(address, "/api/jobs", body);
        if answer.status != 200 {
            break answer;
        }
        ids.push(answer.json()["id"].as_u64().unwrap());
        assert!(ids.len() <= 18, "no end of jobs");
    };
    assert_eq!(refused.status, 503);
    assert!(refused.text().contains("16 jobs are waiting already"), "{}", refused.text());
    // The interface answers while they work, and all can be cancelled.
    assert_eq!(get(address, "/").status, 200);
    for id in ids.iter().rev() {
        assert_eq!(post_as_page(address, &format!("/api/jobs/{id}/cancel"), "{}").status, 200);
    }
    for id in ids {
        let events = get(address, &format!("/api/jobs/{id}/events")).text();
        assert!(events.contains("\"phase\":\"cancelled\""), "{events}");
    }
}

#[test]
fn several_tabs_follow_one_job() {
    let address = start();
    let started = post_as_page(address, "/api/jobs", r#"{"kind":"solve","game":"drop:7,6,4","memory":16}"#);
    let page = started.json()["page"].as_str().unwrap().to_string();
    let mut tabs: Vec<Events> = (0..12).map(|_| Events::follow(address, &format!("/api{page}/events"))).collect();
    for tab in &mut tabs {
        assert_eq!(tab.next().map(|event| event.0).as_deref(), Some("progress"));
    }
    // A new page is answered while they all follow.
    assert_eq!(get(address, "/g/tic-tac-toe").status, 200);
    assert_eq!(post_as_page(address, &format!("/api{page}/cancel"), "{}").status, 200);
    for tab in tabs {
        assert_eq!(tab.last().map(|event| event.0).as_deref(), Some("over"));
    }
}

#[test]
fn every_answer_has_a_strict_policy() {
    let address = start();
    for path in ["/", "/g/tic-tac-toe", "/assets/app.js", "/nowhere", "/api/nowhere", "/solve"] {
        let head = get(address, path).head.to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff") && !head.contains("unsafe"), "{path}");
    }
    // The pages need no more than the policy allows.
    for path in ["/", "/g/tak:5", "/solve", "/strategies", "/grundy", "/grade", "/arena", "/claims", "/jobs"] {
        let page = get(address, path).text();
        assert!(!page.contains(" style=") && !page.contains(" onclick=") && !page.contains("<style"), "{path}");
        assert!(!page.contains("http://") && !page.contains("https://"), "{path} points elsewhere");
    }
}

#[test]
fn paths_stay_inside() {
    let address = start();
    for path in ["/assets/../Cargo.toml", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/app.css", "/../etc/passwd"]
    {
        assert_eq!(get(address, path).status, 404, "{path}");
    }
    assert_eq!(get(address, "/assets/app.css").status, 200);
}

#[test]
fn large_headers_and_bodies_are_refused() {
    let address = start();
    let header = format!("GET / HTTP/1.1\r\nhost: {address}\r\nx-long: {}\r\n\r\n", "a".repeat(1 << 20));
    assert_eq!(raw(address, header.as_bytes()).map(|a| a.status), Some(431));
    let token = token(address);
    let announced = format!(
        "POST /api/jobs HTTP/1.1\r\nhost: {address}\r\nx-agon-token: {token}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        100 << 20
    );
    assert_eq!(raw(address, announced.as_bytes()).map(|a| a.status), Some(413));
    // A body that does not say how long it is gets no further.
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, "a".repeat(1 << 20));
    let mut chunked = format!(
        "POST /api/jobs HTTP/1.1\r\nhost: {address}\r\nx-agon-token: {token}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n"
    );
    (0..9).for_each(|_| chunked.push_str(&chunk));
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let _ = stream.write_all(chunked.as_bytes());
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 413");
}

#[test]
fn slow_clients_are_closed_and_delay_nobody() {
    let address = start();
    let slow: Vec<TcpStream> = (0..256)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
            stream
        })
        .collect();
    assert_eq!(get(address, "/g/tic-tac-toe").status, 200);
    for mut stream in slow {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("closed, not left open");
    }
}

#[test]
fn a_job_that_panics_is_reported_and_the_server_keeps_running() {
    let address = start();
    let started = post_as_page(address, "/api/jobs", r#"{"kind":"claims","ids":["999/broken"]}"#);
    assert_eq!(started.status, 200, "{}", started.text());
    let page = started.json()["page"].as_str().unwrap().to_string();
    // The stream of events ends when the job does.
    let events = get(address, &format!("/api{page}/events")).text();
    assert!(events.contains("event: over") && events.contains("failed"), "{events}");
    assert!(get(address, &page).text().contains("broken on purpose"));
    assert_eq!(get(address, "/").status, 200);
}
