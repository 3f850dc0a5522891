//! The tree behind *Why?*: every legal defence is answered, and every leaf is an end of play or a proven value.

mod common;

use agon_core::Status;
use agon_registry::erased::AnyGame;
use common::{get, start};
use serde_json::Value;

/// Won, lost and drawn positions of five families.
const POSITIONS: [(&str, &str); 20] = [
    ("mnk:3,3,3", "start"),
    ("mnk:3,3,3", "X../.../.O."),
    ("mnk:3,3,3", "XOX/.O./..."),
    ("mnk:3,3,3", "XO./.X./O.."),
    ("mnk:4,3,3", "start"),
    ("mnk:4,4,3", "start"),
    ("drop:3,3,3", "start"),
    ("drop:4,4,3", "start"),
    ("drop:4,3,3", "start"),
    ("order-chaos:3x2,k=3", "start"),
    ("order-chaos:3x3,k=3", "XO./.X./O.."),
    ("order-chaos:2x2,k=2", "start"),
    ("kayles:3+4", "start"),
    ("nim:1+2+3", "start"),
    ("grundy:7", "start"),
    ("nim:1+2,play=misere", "start"),
    ("antrin:3", "WW./BB./...:w:1-1"),
    ("antrin:3", "start"),
    ("achi", "start"),
    ("three-mens", "start"),
];

/// Checks a tree and counts its positions.
fn checked(game: &dyn AnyGame, node: &Value) -> usize {
    let pos = node["position"].as_str().unwrap();
    let below = node["moves"].as_array().unwrap();
    let named: Vec<&str> = below.iter().map(|next| next["move"].as_str().unwrap()).collect();
    let (legal, status) = (game.moves(pos).unwrap(), game.status(pos).unwrap());
    match node["shown"].as_str().unwrap() {
        "every" => {
            let (mut legal, mut named) = (legal.iter().map(String::as_str).collect::<Vec<_>>(), named);
            legal.sort_unstable();
            named.sort_unstable();
            assert_eq!(named, legal, "{pos}");
        }
        "answer" => assert!(named.len() == 1 && legal.iter().any(|mv| mv == named[0]), "{pos}: {named:?}"),
        "end" => assert!(matches!(status, Status::Over(_)) && below.is_empty(), "{pos}"),
        "proven" => assert!(!node["value"].is_null() && below.is_empty(), "{pos}"),
        other => panic!("{pos}: {other}"),
    }
    for next in below {
        let (_, after) = game.play(pos, next["move"].as_str().unwrap()).unwrap();
        assert_eq!(next["position"], after.as_str(), "{pos}");
        // The answer to a move keeps what the tree shows: the side that wins goes on winning.
        if node["shown"] != "every" || !node["winner"].is_null() && node["winner"] != node["mover"] {
            assert_eq!(next["winner"], node["winner"], "{pos}");
        }
    }
    1 + below.iter().map(|next| checked(game, next)).sum::<usize>()
}

#[test]
fn every_defence_is_answered() {
    let address = start();
    let mut positions = 0;
    for (spelling, pos) in POSITIONS {
        let game = agon_registry::standard().game(spelling).unwrap();
        let told = get(address, &format!("/api/why?game={}&pos={pos}&seconds=60", spelling.replace('+', "%2B"))).json();
        assert_eq!(told["position"], game.position(pos).unwrap().as_str(), "{spelling} {pos}: {told}");
        assert!(told["stopped"].is_null() && told["cut"]["effort"] == 0, "{spelling} {pos}");
        let tree = &told["tree"];
        positions += checked(game.as_ref(), tree);
        // The best move, if it wins, and every move that loses are answered below, unless the tree is cut.
        for next in tree["moves"].as_array().unwrap() {
            let wins = next["winner"] == tree["mover"];
            if next["shown"] == "proven" && (wins && next["move"] == told["best"] || !wins && !next["winner"].is_null())
            {
                assert!(!next["cut"].is_null(), "{spelling} {pos}: {}", next["move"]);
            }
        }
    }
    assert!(positions > 1500, "{positions}");
}

#[test]
fn what_cannot_be_explained_is_said() {
    let address = start();
    let over = get(address, "/api/why?game=tic-tac-toe&pos=XXX/OO./...").json();
    assert!(over["sentence"].as_str().unwrap().contains("over"), "{over}");
    let open = get(address, "/api/why?game=mnk:8,8,5&seconds=0.2");
    assert!(open.status == 422 || open.json()["value"].is_null(), "{}", open.text());
    assert_eq!(get(address, "/api/why?game=tic-tac-toe&pos=XX").status, 400);
    // The page has the button without any script.
    assert!(get(address, "/g/tic-tac-toe").text().contains(">Why?</button>"));
}
