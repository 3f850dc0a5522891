//! The commands that say why, compared with a graph of the game that is explored and valued with the rules alone.

mod analyse;
mod explain;
mod puzzles;

use agon_core::{Ctx, Rng};
use agon_registry::Registry;
use agon_registry::erased::AnyGame;
use agon_selftest::graph::{Graph, Truth};
use serde_json::Value as Json;

fn game(spelling: &str) -> Box<dyn AnyGame> {
    Registry::standard().game(spelling).unwrap_or_else(|error| panic!("{error}"))
}

/// The text by which the graph knows a position: the number of the move is notation alone.
fn identity(game: &dyn AnyGame, text: &str) -> String {
    let mut words: Vec<&str> = text.split('_').collect();
    if game.facts().family == "tak" && words.len() > 2 {
        words[2] = "1";
    }
    words.join("_")
}

/// A position after that many random moves, or fewer if the play is over before.
fn wander(game: &dyn AnyGame, plies: usize, rng: &mut Rng) -> String {
    let mut pos = game.start();
    for _ in 0..plies {
        match rng.pick(&game.moves(&pos).unwrap()) {
            Some(mv) => pos = game.play(&pos, mv).unwrap().1,
            None => break,
        }
    }
    pos
}

/// All positions that a position leads to.
fn graph(game: &dyn AnyGame, pos: &str) -> Graph {
    let graph = Graph::explore(game, pos, 60_000, &Ctx::default()).unwrap();
    assert!(graph.complete(), "{} from {pos}", game.spelling());
    graph
}

/// The true value of a position for its mover, and its distance.
fn truth(graph: &Graph, at: usize) -> (&'static str, Option<u32>) {
    match graph.truth(at) {
        Truth::Known(value, plies) => (value.name(), plies),
        Truth::Open(_) => panic!("the graph is complete"),
    }
}

/// The true value of a move for its mover, and the plies to the end, itself included.
fn worth(graph: &Graph, at: usize, child: usize) -> (&'static str, Option<u32>) {
    match graph.worth(at, child) {
        Truth::Known(value, plies) => (value.name(), plies),
        Truth::Open(_) => panic!("the graph is complete"),
    }
}

fn texts(list: &Json) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_string()).collect()
}
