use super::{game, graph, truth, worth};
use agon_core::{Ctx, Rng};
use agon_registry::analysis::analyse;
use agon_registry::erased::AnyGame;
use agon_registry::record::Line;
use agon_selftest::graph::Graph;
use serde_json::{Value as Json, json};

/// A random play; play that can cycle is cut.
fn random_line(game: &dyn AnyGame, rng: &mut Rng) -> Line {
    let (mut pos, mut moves) = (game.start(), Vec::new());
    while let Some(mv) = rng.pick(&game.moves(&pos).unwrap()).filter(|_| moves.len() < 30) {
        pos = game.play(&pos, mv).unwrap().1;
        moves.push(mv.clone());
    }
    Line::new(game, game.start(), &moves).unwrap()
}

fn name(before: &str, after: &str) -> Json {
    match (before, after) {
        ("win", "draw") => json!("win-to-draw"),
        ("win", "loss") => json!("win-to-loss"),
        ("draw", "loss") => json!("draw-to-loss"),
        _ => json!(null),
    }
}

/// Compares an analysis with the graph; gives the number of mistakes.
fn compare(game: &dyn AnyGame, graph: &Graph, line: &Line, found: &Json, every_value: bool) -> usize {
    let (mut at, mut mistakes) = (0, Vec::new());
    let plies = found["plies"].as_array().unwrap();
    assert_eq!(plies.len(), line.played.len());
    for (i, (ply, (mv, _))) in plies.iter().zip(&line.played).enumerate() {
        let node = &graph.nodes()[at];
        let said = format!("{} {} {mv}: {ply}", game.spelling(), node.text);
        let child = node.moves.iter().find(|(name, _)| name == mv).expect("a legal move").1;
        let (before, plies_before) = truth(graph, at);
        let (after, plies_after) = worth(graph, at, child);
        assert_eq!((&ply["ply"], &ply["move"]), (&json!(i + 1), &json!(mv)), "{said}");
        assert_eq!(ply["player"], game.turn(&node.text).unwrap().name(), "{said}");
        for (told, value, plies) in
            [(&ply["before"], before, plies_before), (&ply["after"], after, plies_after.map(|plies| plies - 1))]
        {
            assert_eq!(
                (told["proven"] == true, told["value"].is_null()),
                (told["value"] == value, told["proven"] == false),
                "{said}"
            );
            assert!(!every_value || told["proven"] == true, "{said}");
            if value != "draw" && !told["plies"].is_null() {
                assert_eq!(told["plies"], json!(plies), "{said}");
            }
        }
        if ply["before"]["proven"] == true && ply["after"]["proven"] == true {
            assert_eq!(ply["mistake"], name(before, after), "{said}");
        } else {
            assert!(ply["mistake"].is_null(), "{said}");
        }
        if !ply["mistake"].is_null() {
            mistakes.push(i + 1);
        }
        if let Some(best) = ply["best"].as_str() {
            let best = node.moves.iter().find(|(name, _)| name == best).expect("a legal move").1;
            assert_eq!(worth(graph, at, best).0, before, "{said}");
            assert!(ply["before"]["proven"] == true && ply["line"][0] == ply["best"], "{said}");
        } else {
            assert!(!every_value, "{said}");
        }
        at = child;
    }
    assert_eq!(found["first_mistake"], json!(mistakes.first()), "{}", game.spelling());
    mistakes.len()
}

#[test]
fn random_games_are_analysed_as_brute_force_says() {
    let (mut rng, mut mistakes) = (Rng::new(11), 0);
    for spelling in [
        "mnk:3,3,3",
        "mnk:4,2,3",
        "drop:3,3,3",
        "nim:2+3+4",
        "nim:2+3,play=misere",
        "antrin:3",
        "order-chaos:3x2,k=2,symbols=3,row=exact",
    ] {
        let game = game(spelling);
        let graph = graph(game.as_ref(), &game.start());
        let mut judge = game.judge().unwrap();
        for _ in 0..12 {
            let line = random_line(game.as_ref(), &mut rng);
            let found = analyse(game.as_ref(), &line, judge.as_mut(), &mut Ctx::default).unwrap();
            mistakes += compare(game.as_ref(), &graph, &line, &json!(found), true);
        }
    }
    assert!(mistakes > 60, "{mistakes}");
}

#[test]
fn without_time_what_is_said_is_still_true() {
    let mut rng = Rng::new(12);
    let game = game("mnk:3,3,3");
    let graph = graph(game.as_ref(), &game.start());
    let mut proven = 0;
    for nodes in [0, 3, 20, 100] {
        for _ in 0..10 {
            // A judge that remembers nothing.
            let mut judge = game.judge().unwrap();
            let line = random_line(game.as_ref(), &mut rng);
            let mut limit = || Ctx::default().with_budget(nodes);
            let found = json!(analyse(game.as_ref(), &line, judge.as_mut(), &mut limit).unwrap());
            compare(game.as_ref(), &graph, &line, &found, false);
            proven += found["proven"].as_u64().unwrap();
        }
    }
    assert!(proven > 40, "{proven}");
}
