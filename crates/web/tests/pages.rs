//! The contents of pages and answers.

mod common;

use common::{Events, Gate, get, post_as_page, start, start_in, start_with};
use serde_json::Value;

fn finished(address: std::net::SocketAddr, body: &str) -> (String, String) {
    let started = post_as_page(address, "/api/jobs", body);
    assert_eq!(started.status, 200, "{}", started.text());
    let page = started.json()["page"].as_str().unwrap().to_string();
    let events = get(address, &format!("/api{page}/events")).text();
    assert!(events.contains("event: over"), "{events}");
    let result = get(address, &format!("{page}/result")).text();
    (page, result)
}

#[test]
fn the_address_is_the_position() {
    let address = start();
    let page = get(address, "/g/tic-tac-toe?moves=b2+a1");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("x to move") && page.text().contains("aria-label=\"b2, cross\""));
    assert!(get(address, "/g/tic-tac-toe?moves=b2+b2").text().contains("invalid move"));
    assert_eq!((get(address, "/g/TicTacToe").status, get(address, "/g/tictoe").status), (200, 400));
    assert!(get(address, "/g/tictoe").text().contains("tic-tac-toe"));
    assert_eq!(get(address, "/g/tic-tac-toe?pos=XX").status, 400);
}

#[test]
fn values_are_proven_and_signed() {
    let address = start();
    let values = get(address, "/api/values?game=tic-tac-toe&seconds=60&pos=XOX/.O./...").json();
    let of =
        |mv: &str| values["values"].as_array().unwrap().iter().find(|v| v["mv"] == mv).cloned().unwrap_or_default();
    assert_eq!((of("b1")["value"].as_str(), of("a1")["sign"].as_str()), (Some("draw"), Some("▼2")));
    assert_eq!(values["best"]["mv"], "b1");
    // An unproven estimate is not called a value, and it is not cached.
    assert!(get(address, "/api/values?game=tak:5&seconds=0.1").json()["best"].is_null());
    // That nothing is proven in time is an answer, with the reason.
    let open = get(address, "/api/values?game=drop:7,6,4&seconds=0.1");
    assert_eq!((open.status, &open.json()["best"]), (200, &serde_json::Value::Null));
    assert!(open.json()["why"].as_str().unwrap().starts_with("no result within"), "{}", open.text());
}

#[test]
fn agents_move_and_illegal_moves_are_explained() {
    let address = start();
    let choice = post_as_page(
        address,
        "/api/choose",
        r#"{"game":"tic-tac-toe","pos":"XX./OO./...","player":"perfect","seconds":60}"#,
    );
    assert_eq!(choice.json()["mv"], "c3");
    for player in ["human", "tei:sh -c true", "learned:/etc/passwd", "singh-process@/etc/passwd", ""] {
        let body = format!(r#"{{"game":"tic-tac-toe","pos":"start","player":"{player}"}}"#);
        let refused = post_as_page(address, "/api/choose", &body);
        assert_eq!(refused.status, 400, "{player}");
        assert!(refused.text().contains("expected one of"), "{}", refused.text());
    }
    let nowhere = get(address, "/jobs/none");
    assert!(nowhere.status == 404 && nowhere.text().contains("Page not found"), "{}", nowhere.text());
    let refused = get(address, "/api/play?game=tic-tac-toe&mv=d9");
    assert_eq!(refused.status, 400);
    assert!(refused.json()["error"].as_str().unwrap().contains("expected one of"));
}

#[test]
fn games_are_written_and_read_again() {
    let address = start();
    let ptn = get(address, "/api/record?game=tak:5&moves=a1+e5+c3").json();
    assert!(ptn["text"].as_str().unwrap().contains("1. a1 e5"), "{ptn}");
    let body = serde_json::json!({"game": "tak:5", "text": ptn["text"]}).to_string();
    let read = post_as_page(address, "/api/record", &body).json();
    assert_eq!(read["moves"], serde_json::json!(["a1", "e5", "c3"]));
    // With variations, comments, marks, tags and the result.
    let told = "[Size \"5\"]\n[Player1 \"Ada\"]\n1. a1 e5\n2. c3! {nice} c2 1-0\n\n{2w1}\n2. d3";
    let body = serde_json::json!({"game": "tak:5", "text": told}).to_string();
    let read = post_as_page(address, "/api/record", &body).json();
    assert_eq!(read["tree"], "[Size \"5\"] [Player1 \"Ada\"] a1 e5 c3! {nice} (d3) c2");
    let nodes = read["story"]["nodes"].as_array().unwrap();
    assert_eq!((nodes.len(), nodes[2]["comment"].as_str(), nodes[2]["marks"].as_str()), (5, Some("nice"), Some("!")));
    let story: Vec<_> = nodes
        .iter()
        .map(|node| serde_json::json!({"parent": node["parent"], "move": node["mv"], "marks": node["marks"], "comment": node["comment"]}))
        .collect();
    let story = serde_json::json!({"tags": read["story"]["tags"], "intro": "", "result": read["story"]["result"], "told": story});
    let body = serde_json::json!({"game": "tak:5", "pos": "", "story": story}).to_string();
    let written = post_as_page(address, "/api/story", &body).json();
    for kept in ["[Player1 \"Ada\"]", "[Result \"1-0\"]", "c3! {nice} c2", "{2w1}\n2. d3"] {
        assert!(written["text"].as_str().unwrap().contains(kept), "{written}");
    }
    // The page of a link has the variations before any script asks.
    let page = get(address, "/g/tak:5?moves=a1&tree=a1+e5+(d4)+c3").text();
    assert!(page.contains("\"nodes\":[{") && page.contains("\"mv\":\"d4\""), "{page}");
    let own = get(address, "/api/record?game=tic-tac-toe&moves=b2+a1").json();
    let body = serde_json::json!({"game": "tic-tac-toe", "text": own["text"]}).to_string();
    assert_eq!(post_as_page(address, "/api/record", &body).json()["moves"], serde_json::json!(["b2", "a1"]));
}

#[test]
fn a_solve_ends_with_a_certificate_that_checks() {
    let address = start();
    let (page, result) = finished(address, r#"{"kind":"solve","game":"mnk:4,4,3","certificate":true}"#);
    assert!(result.contains("A win for X") && result.contains("Download certificate ("), "{result}");
    let id = page.rsplit('/').next().unwrap();
    assert!(get(address, &format!("{page}/file")).text().contains("mnk:4,4,3"));
    let (_, checked) = finished(address, &format!(r#"{{"kind":"check","job":{id}}}"#));
    assert!(checked.contains("✓ Proved"), "{checked}");
}

#[test]
fn a_refuted_strategy_shows_its_counterexample() {
    let address = start();
    let body = r#"{"kind":"verify","game":"tic-tac-toe","strategy":"singh-objectives","side":"second","claim":"draw","all":true,"repair":true}"#;
    let (_, result) = finished(address, body);
    assert!(result.contains("refuted") && result.contains("id=\"counterexample\"") && result.contains("1 exception"));
}

#[test]
fn grundy_values_come_with_period_and_file() {
    let address = start();
    let (page, result) = finished(address, r#"{"kind":"grundy","code":"kayles","to":2000}"#);
    assert!(result.contains("Period 12"), "{result}");
    assert!(get(address, &format!("{page}/file")).text().starts_with("heap,value\n0,0\n1,1\n2,2\n3,3\n4,1\n"));
    assert_eq!(get(address, &format!("{page}/file?as=words")).body.len(), 4 * 2001);
    let refused = post_as_page(address, "/api/jobs", r#"{"kind":"grundy","code":"0.9x","to":20}"#);
    assert_eq!(refused.status, 400);
}

#[test]
fn claims_are_recomputed_one_by_one() {
    let address = start();
    finished(address, r#"{"kind":"claims","ids":["999/sum","999/other"]}"#);
    let verdicts: Value = get(address, "/api/verdicts").json();
    assert_eq!(
        (&verdicts["999/sum"]["verdict"], &verdicts["999/other"]["verdict"]),
        (&"reproduced".into(), &"differs".into())
    );
}

#[test]
fn a_tournament_shows_its_games_and_asks_for_sensible_players() {
    let address = start();
    let (page, result) =
        finished(address, r#"{"kind":"arena","game":"tic-tac-toe","players":"perfect random","games":4}"#);
    assert!(result.contains("4 of 4 games") && result.contains("/g/mnk:3,3,3?pos=.../.../...&amp;moves="), "{result}");
    assert!(get(address, &format!("{page}/file")).body.starts_with(b"SQLite format 3"));
    assert_eq!(result.matches("data-replay=").count(), 4, "{result}");
    for (players, games) in [("perfect", 4), ("perfect random", 3), ("perfect tei:sh", 4), ("human random", 2)] {
        let body = format!(r#"{{"kind":"arena","game":"tic-tac-toe","players":"{players}","games":{games}}}"#);
        assert_eq!(post_as_page(address, "/api/jobs", &body).status, 400, "{players} {games}");
    }
}

#[test]
fn a_game_can_be_watched_while_it_is_played() {
    let gate = Gate::default();
    let address = start_with(None, gate.clone());
    let body = r#"{"kind":"arena","game":"tic-tac-toe","players":"perfect random","games":20}"#;
    let started = post_as_page(address, "/api/jobs", body).json();
    let page = started["page"].as_str().unwrap();
    assert!(get(address, page).text().contains("id=\"watch\""));
    let mut events = Events::follow(address, &format!("/api{page}/events?watch=0"));
    let mut next = |news: &dyn Fn(&Value) -> bool| {
        let board = events.find(|(name, data)| name == "board" && news(data)).expect("a board").1;
        assert!(board["svg"].as_str().unwrap().starts_with("<svg") && board["players"].is_array(), "{board}");
        board
    };
    // One move after the other, as they are made, until another game begins at this table.
    let first = next(&|board| board["ply"] == 0);
    let mut plies = Vec::new();
    loop {
        gate.allow(1);
        let last = plies.len() as u64;
        let board = next(&|board| board["id"] != first["id"] || board["ply"].as_u64() > Some(last));
        if board["id"] != first["id"] {
            break;
        }
        assert!(board["mv"].is_string(), "{board}");
        plies.push(board["ply"].as_u64().unwrap());
    }
    assert!(plies.len() >= 5 && plies.iter().copied().eq(1..=plies.len() as u64), "{plies:?}");
    gate.open();
    assert!(events.any(|(name, _)| name == "over"));
    assert!(Events::follow(address, &format!("/api{page}/events?watch=7")).all(|(name, _)| name != "board"));
}

#[test]
fn a_strong_solve_shows_counts_distances_and_a_longest_win() {
    let folder = tempfile::tempdir().unwrap();
    let address = start_in(Some(folder.path().to_path_buf()));
    // Tables: as the thesis on Antrin counts, the game is a draw.
    let (page, result) = finished(address, r#"{"kind":"solve","game":"antrin:3","strong":true,"certificate":true}"#);
    assert!(result.contains("A draw for white") && result.contains("By phase"), "{result}");
    assert!(
        result.contains("class=\"chart\"")
            && result.contains("id=\"longest\"")
            && result.contains("Download certificate ("),
        "{result}"
    );
    assert!(folder.path().join(format!("{}/table", page.trim_start_matches('/'))).is_dir());
    // The page of the game looks its values up there.
    assert_eq!(get(address, "/api/values?game=antrin:3&seconds=60").json()["best"]["value"], "draw");
    // Without tables: from the values of the certificate.
    let (page, result) = finished(address, r#"{"kind":"solve","game":"tic-tac-toe","strong":true,"certificate":true}"#);
    for said in ["class=\"chart\"", "id=\"longest\"", "First moves", "2,836 won", "1,068 drawn", "1,574 lost"] {
        assert!(result.contains(said), "{said}: {result}");
    }
    // Removed, it is gone from the list and from the disk.
    let id = page.rsplit('/').next().unwrap();
    assert!(folder.path().join("jobs").join(id).is_dir());
    assert_eq!(post_as_page(address, &format!("/api/jobs/{id}/remove"), "{}").status, 200);
    assert_eq!(get(address, &page).status, 404);
    assert!(!folder.path().join("jobs").join(id).exists());
}

#[test]
fn a_cancelled_job_can_be_started_again() {
    let address = start();
    let started = post_as_page(address, "/api/jobs", r#"{"kind":"solve","game":"drop:7,6,4","memory":16}"#).json();
    let page = started["page"].as_str().unwrap();
    assert_eq!(post_as_page(address, &format!("/api{page}/remove"), "{}").status, 503);
    post_as_page(address, &format!("/api{page}/cancel"), "{}");
    assert!(get(address, &format!("/api{page}/events")).text().contains("cancelled"));
    assert!(get(address, page).text().contains("Try again"));
    let again = post_as_page(address, &format!("/api{page}/again"), "{}");
    assert_eq!((again.status, again.json()["page"].as_str()), (200, Some(page)));
    post_as_page(address, &format!("/api{page}/cancel"), "{}");
    assert!(get(address, &format!("/api{page}/events")).text().contains("event: over"));
}

/// The text of a page without its scripts.
fn said(page: &str) -> String {
    let mut text = String::new();
    for (i, part) in page.split("<script").enumerate() {
        let part = if i == 0 { part } else { part.split_once("</script>").map_or("", |(_, rest)| rest) };
        text.push_str(part);
    }
    text
}

#[test]
fn no_page_speaks_the_language_of_the_command_line() {
    // Phrases that a native reader trips over, in the words in which they were once on the pages.
    const AWKWARD: [&str; 12] = [
        "Go on where you left off",
        "What can be played",
        "somebody who clicks",
        "or go on clicking",
        "gives it away as well",
        "one that stands in no line",
        "half blind",
        "That did not work",
        "goes on when",
        "changes sides",
        "k marks",
        "k pieces",
    ];
    let address = start();
    let rooms = ["/", "/solve", "/puzzles", "/strategies", "/grade", "/grundy", "/arena", "/claims", "/jobs"];
    let games = ["/g/tic-tac-toe", "/g/tak:5", "/g/morris:nine", "/g/kayles", "/g/sum", "/g/connect-four"];
    for page in rooms.into_iter().chain(games) {
        let text = said(&get(address, page).text());
        assert!(text.len() > 500, "{page}");
        for word in ["`agon", "agon solve ", "agon reproduce", "agon show", "docs/results"] {
            assert!(!text.contains(word), "{page}: {word}");
        }
        let option = text.split(" --").skip(1).find(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        assert!(option.is_none(), "{page}: --{}", option.unwrap_or_default().chars().take(40).collect::<String>());
        for phrase in AWKWARD {
            assert!(!text.contains(phrase), "{page}: {phrase}");
        }
    }
    // More memory than allowed: the page offers to allow it, and does not offer the same failure again.
    let (page, result) =
        finished(address, r#"{"kind":"solve","game":"morris:nine","pos":"","solver":"auto","memory":1024}"#);
    assert!(result.contains("memory=") && !result.contains("data-again"), "{page}: {result}");
}
