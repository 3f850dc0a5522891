//! The interface for programs: every address of the OpenAPI description answers as it says, within limits.

mod common;

use agon_api::{BASE, OPERATIONS, Operation, openapi, schema};
use common::{get, post, post_as_page, raw, start};
use serde_json::{Value as Json, json as j};
use std::net::SocketAddr;

/// A certificate of the win on four by four.
fn certificate() -> String {
    let game = agon_registry::standard().game("mnk:4,4,3").unwrap();
    let request = agon_registry::erased::SolveRequest::plain(1 << 24).certified();
    let (_, evidence) = game.solve(&game.start(), &request, &agon_core::Ctx::default()).unwrap();
    evidence.unwrap().unwrap().write()
}

/// Arguments with which a question has an answer.
fn example(operation: &Operation) -> Json {
    match operation.name {
        "games" => j!({}),
        "rules" => j!({"game": "connect-four"}),
        "show" => j!({"game": "tic-tac-toe", "moves": "b2 a1", "svg": true}),
        "play" => j!({"game": "tic-tac-toe", "position": ".../.X./...", "move": "a1"}),
        "solve" => j!({"game": "tic-tac-toe", "moves": "b2 b1"}),
        "values" => j!({"game": "tic-tac-toe", "position": "XOX/.O./...", "seconds": 60}),
        "explain" => j!({"game": "nim:3+5+7"}),
        "analyse" => j!({"game": "tic-tac-toe", "moves": "b2 b1 a1"}),
        "grade" => j!({"game": "tic-tac-toe", "games": "b2 b1 a1\nb2 a1"}),
        "verify" => j!({"game": "tic-tac-toe", "text": "rule anything\n", "side": "second", "claim": "draw"}),
        "check" => j!({"certificate": certificate()}),
        "puzzles" => j!({"game": "tic-tac-toe", "kind": "save", "seconds": 60}),
        other => panic!("no example for {other}"),
    }
}

fn encoded(text: &str) -> String {
    let byte =
        |byte: u8| if byte.is_ascii_alphanumeric() { (byte as char).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(byte).collect()
}

/// The arguments in an address.
fn query(arguments: &Json) -> String {
    let pair = |(name, value): (&String, &Json)| {
        let text = value.as_str().map_or_else(|| value.to_string(), String::from);
        format!("{name}={}", encoded(&text))
    };
    arguments.as_object().unwrap().iter().map(pair).collect::<Vec<_>>().join("&")
}

fn ask(address: SocketAddr, operation: &Operation, arguments: &Json) -> (u16, Json) {
    let path = format!("{BASE}/{}", operation.name);
    let answer = match operation.long {
        true => post(address, &path, "", &arguments.to_string()),
        false => get(address, &format!("{path}?{}", query(arguments))),
    };
    (answer.status, answer.json())
}

#[test]
fn every_path_of_the_description_answers_as_described() {
    let address = start();
    let described = get(address, &format!("{BASE}/openapi.json"));
    assert_eq!((described.status, described.json()), (200, openapi()));
    let paths = openapi()["paths"].as_object().unwrap().clone();
    assert_eq!(paths.len(), OPERATIONS.len() + 1);
    for operation in OPERATIONS {
        let path = format!("{BASE}/{}", operation.name);
        let (method, other) = if operation.long { ("post", "get") } else { ("get", "post") };
        assert!(paths[&path][method].is_object() && paths[&path][other].is_null(), "{path}");
        let (status, answer) = ask(address, operation, &example(operation));
        assert_eq!(status, 200, "{path}: {answer}");
        let described = &paths[&path][method]["responses"]["200"]["content"]["application/json"]["schema"];
        for name in described["required"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            assert!(!answer[name].is_null() || described["properties"][name]["type"].is_array(), "{path}: {name}");
        }
        for (field, of) in operation.fields {
            assert!(schema::fits(&answer[field], *of), "{path}: {field} of {answer}");
        }
        // The same question as JSON has the same answer.
        let posted = post(address, &path, "", &example(operation).to_string());
        assert_eq!(posted.status, 200, "{path}: {}", posted.text());
        // A wrong question is refused as described.
        let wrong = post(address, &path, "", "{\"weather\": 7}");
        assert!(
            wrong.status == 400 && wrong.json()["error"].as_str().unwrap().contains("no parameter `weather`"),
            "{path}"
        );
        if operation.long {
            let refused = get(address, &path);
            assert!(refused.status == 405 && refused.json()["error"].as_str().unwrap().contains("POST"), "{path}");
        }
    }
}

#[test]
fn the_description_in_the_documents_is_that_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let written: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(written, openapi(), "write it again: agon serve --openapi > docs/openapi.json");
    let page = include_str!("../../../docs/http.md");
    let tools = include_str!("../../../docs/mcp.md");
    for operation in OPERATIONS {
        let method = if operation.long { "POST" } else { "GET" };
        assert!(page.contains(&format!("| {method} `{BASE}/{}` |", operation.name)), "{}", operation.name);
        assert!(tools.contains(&format!("| `{}` |", operation.name)), "{}", operation.name);
    }
}

#[test]
fn answers_say_what_is_right_and_what_is_wrong() {
    let address = start();
    let solved = get(address, "/api/v1/solve?game=tic-tac-toe&moves=b2+b1").json();
    assert_eq!((&solved["value"], &solved["plies"], &solved["game"]), (&j!("win"), &j!(5), &j!("mnk:3,3,3")));
    for (path, status, why) in [
        ("/api/v1/weather", 404, "there is no `/api/v1/weather`: expected one of games, rules"),
        ("/api/v1/show", 400, "`game` is missing"),
        ("/api/v1/show?game=chess", 400, "chess"),
        ("/api/v1/show?game=nim&game=nim", 400, "given twice"),
        ("/api/v1/show?game=board:/etc/passwd", 400, "board"),
        ("/api/v1/show?game=tic-tac-toe&file=/etc/passwd", 400, "no parameter `file`"),
        ("/api/v1/play?game=tic-tac-toe&moves=b2&move=b2", 400, "invalid move `b2`"),
        ("/api/v1/solve?game=tic-tac-toe&seconds=1000", 400, "expected a number from 0.01 to 60"),
        ("/api/v1/show?game=nim:1000000", 400, "expected at most 100,000"),
        ("/api/v1/puzzles?game=tic-tac-toe&count=11", 400, "from 1 to 10"),
    ] {
        let answer = get(address, path);
        let said = answer.json()["error"].as_str().unwrap_or_default().to_string();
        assert!(answer.status == status && said.contains(why), "{path}: {} {said}", answer.status);
    }
    let long = format!("/api/v1/show?game=nim:24%2B24&moves={}", "24%3E23+".repeat(2001));
    assert!(get(address, &long).json()["error"].as_str().unwrap().contains("2,001 moves is too long"));
    let open = get(address, "/api/v1/solve?game=connect-four&seconds=0.2");
    assert_eq!((open.status, &open.json()["value"]), (200, &j!("unknown")), "{}", open.text());
}

#[test]
fn no_token_is_needed_and_no_other_site_may_ask() {
    let address = start();
    let body = j!({"game": "tic-tac-toe", "moves": "b2"}).to_string();
    let path = "/api/v1/analyse";
    assert_eq!(post(address, path, "", &body).status, 200);
    assert_eq!(post(address, path, &format!("origin: http://{address}\r\n"), &body).status, 200);
    for headers in [
        "origin: http://evil.example\r\n",
        "sec-fetch-site: cross-site\r\n",
        "sec-fetch-site: same-site\r\n",
        "origin: null\r\n",
    ] {
        assert_eq!(post(address, path, headers, &body).status, 403, "{headers}");
        let got = raw(
            address,
            format!("GET /api/v1/games HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}\r\n").as_bytes(),
        );
        assert_eq!(got.unwrap().status, 403, "{headers}");
    }
    let rebound = "GET /api/v1/games HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    assert_eq!(raw(address, rebound.as_bytes()).unwrap().status, 421);
    // A form of another site cannot send JSON.
    let form = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(raw(address, form.as_bytes()).unwrap().status, 415);
    // What changes something still needs the token of our pages.
    assert_eq!(post(address, "/api/jobs", "", "{\"kind\": \"solve\", \"game\": \"nim\"}").status, 403);
}

#[test]
fn players_are_graded_by_a_job() {
    let address = start();
    let page = get(address, "/grade").text();
    assert!(page.contains("data-kind=\"grade\"") && page.contains("type=\"file\""), "{page}");
    let lines = "{\"players\": [\"ada\", \"<b>bob\"], \"moves\": \"b2 b1 a1\"}\n{\"players\": [\"ada\", \"<b>bob\"], \"moves\": \"b2 b2\"}\n";
    let request = j!({"kind": "grade", "game": "tic-tac-toe", "text": lines, "seconds": 1});
    let started = post_as_page(address, "/api/jobs", &request.to_string());
    assert_eq!(started.status, 200, "{}", started.text());
    let job = format!("/api/jobs/{}", started.json()["id"]);
    let begun = std::time::Instant::now();
    while !["done", "failed"].contains(&get(address, &job).json()["phase"].as_str().unwrap_or_default()) {
        assert!(begun.elapsed() < common::TEST_TIMEOUT);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let result = get(address, &format!("{}/result", started.json()["page"].as_str().unwrap())).text();
    assert!(result.contains("turns a draw into a loss") && result.contains("is not legal"), "{result}");
    assert!(result.contains("&lt;b&gt;bob") && !result.contains("<b>bob"), "{result}");
    let file = get(address, &format!("{}/file", started.json()["page"].as_str().unwrap()));
    assert!(file.text().starts_with("<!DOCTYPE html>"), "{}", file.head);
    for (text, why) in [("", "there are no games"), (&"x".repeat((4 << 20) + 1), "expected at most 4,194,304")] {
        let request = j!({"kind": "grade", "game": "tic-tac-toe", "text": text});
        let refused = post_as_page(address, "/api/jobs", &request.to_string());
        assert!(refused.status == 400 && refused.text().contains(why), "{}", refused.text());
    }
}
