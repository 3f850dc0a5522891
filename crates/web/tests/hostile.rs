//! Addresses that ask for very much work. The work is counted before it is done: the answer is a page or an error that
//! names the limit, and neither is large.

mod common;

use common::{TEST_TIMEOUT, get, post_as_page, raw, start};
use std::io::Write as _;
use std::net::TcpStream;

/// The longest answer, in bytes.
const LONGEST: usize = agon_web::ANSWER_BYTES as usize;

enum Expected {
    /// An answer.
    Page,
    /// A refusal with this text.
    Limit(&'static str),
}
use Expected::{Limit, Page};

const MOVES: Expected = Limit("a page lists at most 100,000");

/// Sixteen games, each of 64 heaps of 24 counters.
fn large_sum() -> String {
    let heaps = ["24"; 64].join("%2B");
    let games: Vec<String> = (0..16).map(|_| format!("(nim:{heaps})")).collect();
    format!("sum:{}", games.join("%2B"))
}

/// Sums with long spellings: some that are refused, and one that just fits.
fn long_spellings() -> Vec<(String, Expected)> {
    let sum = |games: usize, heaps: usize| {
        let game = format!("(nim:{})", vec!["24"; heaps].join("+"));
        format!("sum:{}", vec![game; games].join("+"))
    };
    let encoded = |spelling: &str| spelling.replace('+', "%2B");
    let refused = || Limit("bytes; expected at most 4096");
    let (fits, long) = (sum(16, 64), format!("sum:{}", vec!["(nim:1)"; 2400].join("+")));
    let padded = format!("sum:{}(nim:24)", " ".repeat(19_000)).replace(' ', "%20");
    assert!(fits.len() <= 4096 && long.len() > 19_000);
    let mut list = vec![(format!("/g/{padded}"), refused()), (format!("/g/{fits}?moves=1"), Page)];
    for path in ["node", "play", "line", "values", "known", "rules", "board.svg", "record", "setup", "draft"] {
        list.push((format!("/api/{path}?mv=1&text=start&game={}", encoded(&long)), refused()));
    }
    for path in ["/solve", "/arena", "/strategies"] {
        list.push((format!("{path}?game={}", encoded(&fits)), Page));
    }
    list.push((format!("/g/{long}"), refused()));
    list
}

/// Positions and lines whose texts are long: every position of a line under threefold repetition repeats all before it.
fn long_texts() -> Vec<(String, Expected)> {
    let round = "a1%3E+c3-+b1%3C+c2%2B+";
    let opening = "c3+a1+";
    let boards = vec!["x2,1/x3/2,x2"; 3_000].join(".");
    vec![
        (format!("/api/line?game=tak:3,draw=threefold&moves={opening}{}", round.repeat(480)), Page),
        (format!("/g/tak:3?moves={opening}{}", round.repeat(480)), Page),
        (format!("/g/tak:8,draw=fifty?moves=h8+a1+{}", "a1%3E+h8-+b1%3C+h7%2B+".repeat(480)), Page),
        (
            format!("/api/line?game=tak:3,draw=threefold&pos=x2,1/x3/2,x2_1_2_!{boards}&moves={}", round.repeat(200)),
            Page,
        ),
        (format!("/g/tak:3,draw=threefold?pos=x2,1/x3/2,x2_1_2_!{boards}"), Page),
    ]
}

fn hostile() -> Vec<(String, Expected)> {
    let heaps = ["24"; 64].join("%2B");
    let squares = "a1+".repeat(20_000);
    let short_line = "24%3E23+".repeat(1_900);
    let joins = "0-1.".repeat(15_000);
    let text = |path: &str| path.to_string();
    vec![
        (text("/g/nim:1000000+1000000+1000000"), MOVES),
        (text("/g/heap:0.7;1000000"), MOVES),
        (text("/g/heap:0.777;1000000"), MOVES),
        (text("/g/grundy:1000000+999999+999998"), MOVES),
        (text("/g/kayles:1000000?moves=1000000%3E5"), MOVES),
        (text("/g/circular-nim:12,5;15+15+15+15+1+1+1+1+1+1+1+1"), MOVES),
        (text("/g/sum:(nim:1000000)+(kayles:1000000)+(heap:0.777;1000000)"), MOVES),
        (text("/g/nim:3?pos=1000000%2B999999"), MOVES),
        (text("/g/nim:3,play=misere?pos=1000000@second"), MOVES),
        (text("/api/node?game=nim:1000000%2B1000000"), MOVES),
        (text("/api/node?game=nim&pos=1000000"), MOVES),
        (text("/api/play?game=nim:1000000&mv=1000000%3E5"), MOVES),
        (text("/api/line?game=nim:1000000&moves=1000000%3E5"), MOVES),
        (text("/api/record?game=nim:1000000&moves=1000000%3E5"), MOVES),
        (text("/api/board.svg?game=nim:1000000"), MOVES),
        (text("/api/rules?game=heap:0.777;100000"), MOVES),
        (text("/api/known?game=heap:0.777;100000"), MOVES),
        (text("/api/values?game=heap:0.777;100000&seconds=60"), MOVES),
        (text("/api/setup?game=nim:1000000"), MOVES),
        // An illegal draft is drawn, with the reason why it is illegal.
        (text("/api/draft?game=nim:1000000&text=start"), Page),
        (format!("/g/nim:{heaps}%2B1"), Limit("65 heaps; expected at most 64")),
        (format!("/g/tic-tac-toe?moves={squares}"), Limit("20,000 moves is too long: expected at most 2,000")),
        (format!("/api/record?game=tic-tac-toe&moves={squares}"), Limit("expected at most 2,000")),
        // Each position is within the limit, but their sum is not.
        (format!("/api/line?game=nim:{heaps}&moves={short_line}"), Limit("this page would need more than the limit")),
        (format!("/api/line?game=nim:99999&moves={}", "99999%3E99998+".repeat(100)), Page),
        (format!("/api/line?game=tic-tac-toe&moves=b2+a1+c3&joins={joins}"), Page),
        (format!("/api/node?game={}", large_sum()), Page),
        (format!("/g/{}", large_sum().replace("%2B", "+")), Page),
        // A large board that is still drawn.
        (text("/g/nim:99999"), Page),
        (text("/g/kayles:40000"), Page),
        (text("/api/rules?game=kayles:40000"), Page),
        (text("/api/rules?game=tak:8"), Page),
        (text("/api/rules?game=heap:0.777;1000"), Page),
        (text("/api/setup?game=tak:8"), Page),
        (text("/api/setup?game=mnk:8,8,5"), Page),
        (text("/g/mnk:8,8,5"), Page),
        (text("/api/draft?game=tak:8&text=start"), Page),
        (text("/solve?game=nim:1000000"), Page),
        (text("/arena?game=nim:1000000"), Page),
        (text("/strategies?game=nim:1000000"), Page),
        (text("/grundy?code=0.777777777777&to=99999999999"), Page),
        (text("/api/known?game=grundy:100000"), Page),
        (text("/api/known?game=heap:0.777;1000"), Page),
        (text("/jobs/99999999999999999999"), Limit("Page not found")),
    ]
}

#[test]
fn what_an_address_asks_for_is_bounded() {
    let address = start();
    for (path, expected) in hostile().into_iter().chain(long_spellings()).chain(long_texts()) {
        let shown = &path[..path.len().min(120)];
        let answer = get(address, &path);
        assert!(answer.body.len() < LONGEST, "{shown}: {} bytes", answer.body.len());
        match expected {
            Page => assert_eq!(answer.status, 200, "{shown}: {}", &answer.text()[..answer.text().len().min(2000)]),
            Limit(said) => {
                assert!((400..500).contains(&answer.status), "{shown}: {}", answer.status);
                let text = answer.text();
                assert!(text.contains(said), "{shown}: {text}");
            }
        }
    }
}

#[test]
fn links_of_a_page_are_bounded_however_long_the_game_is_spelled() {
    let page = get(start(), &format!("/g/{}", large_sum().replace("%2B", "+"))).text();
    let (links, _) = page.split_once("<noscript>").and_then(|(_, rest)| rest.split_once("</noscript>")).unwrap();
    let bytes: usize = links.matches("<a href=").count() * large_sum().len();
    assert!(bytes > 100_000 && links.len() < 2 << 20, "{bytes} bytes, {}", links.len());
}

#[test]
fn what_a_page_sends_is_bounded_too() {
    let address = start();
    let long = "a1 ".repeat(30_000);
    for (path, body, said) in [
        ("/api/record", format!(r#"{{"game":"tak:5","text":"{long}"}}"#), "90,000 bytes is too long"),
        ("/api/record", r#"{"game":"nim:1000000","text":"1000000>5"}"#.to_string(), "lists at most 100,000"),
        (
            "/api/choose",
            r#"{"game":"nim:1000000","pos":"1000000","player":"random"}"#.to_string(),
            "lists at most 100,000",
        ),
    ] {
        let refused = post_as_page(address, path, &body);
        assert_eq!(refused.status, 400, "{path}");
        assert!(refused.text().contains(said), "{path}: {}", refused.text());
    }
}

/// Requests for pictures from another site's page.
#[test]
fn another_site_cannot_make_it_work() {
    let address = start();
    for path in ["/g/kayles:40000", "/g/tak:8", "/", "/solve?game=tak:8"] {
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\n\
             sec-fetch-dest: image\r\nconnection: close\r\n\r\n"
        );
        assert_eq!(raw(address, request.as_bytes()).unwrap().status, 403, "{path}");
    }
}

#[test]
fn the_jobs_are_shown_while_large_pages_are_drawn() {
    let address = start();
    let path = format!("/api/node?game={}", large_sum());
    let waiting: Vec<TcpStream> = (0..24)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
            let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    // The server reads none of them: the pages of the others do not depend on it.
    for _ in 0..6 {
        assert_eq!(get(address, "/jobs").status, 200);
    }
    drop(waiting);
    assert_eq!(get(address, "/g/tic-tac-toe").status, 200);
}

#[test]
fn no_message_names_a_flag_of_the_command_line() {
    let address = start();
    for path in [
        "/api/values?game=morris:morabaraba",
        "/api/values?game=drop:7,6,4&seconds=0.1",
        "/api/values?game=tak:5&seconds=0.1",
    ] {
        let answer = get(address, path).text();
        assert!(!answer.contains(" --"), "{path}: {answer}");
    }
    for body in [
        r#"{"kind":"solve","game":"tak:3","strong":true}"#,
        r#"{"kind":"solve","game":"mnk:4,4,4","strong":true,"memory":16}"#,
        r#"{"kind":"solve","game":"morris:morabaraba"}"#,
    ] {
        let started = post_as_page(address, "/api/jobs", body);
        if started.status != 200 {
            assert!(!started.text().contains(" --"), "{body}: {}", started.text());
            continue;
        }
        let page = started.json()["page"].as_str().unwrap().to_string();
        let events = get(address, &format!("/api{page}/events")).text();
        let shown = get(address, &page).text();
        assert!(events.contains("event: over"), "{events}");
        assert!(!events.contains(" --") && !shown.contains(" --"), "{body}: {events} {shown}");
    }
}
