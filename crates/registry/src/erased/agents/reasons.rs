//! A player's judgement of a position, as text.

use crate::erased::Choice;
use agon_core::{Notation, Value, Wdl};
use agon_play::{Alternative, Score, Thought};
pub use agon_report::SearchScore;
use serde::Serialize;

/// A player's judgement of a position, for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Reasons {
    /// An estimate, for players that search or play out.
    pub score: Option<SearchScore>,
    /// Plies searched to the end, or those of the longest line in the tree.
    pub depth: u32,
    /// Nodes searched, or playouts.
    pub nodes: u64,
    /// The line that is expected to follow.
    pub pv: Vec<String>,
    /// The proven value in words: `win in 5`. For a win, the plies are an upper bound.
    pub proven: Option<String>,
    /// Moves and what each seems worth, best first.
    pub alternatives: Vec<Considered>,
}

/// A move that was considered.
#[derive(Clone, Debug, Serialize)]
pub struct Considered {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The estimate, for the side that makes it.
    pub score: SearchScore,
    /// Playouts, or nodes.
    pub visits: u64,
    /// The proven value.
    pub proven: Option<String>,
    /// The line it begins.
    pub pv: Vec<String>,
    /// The places a person clicks.
    pub path: Vec<usize>,
}

pub(super) fn search_score(score: Score) -> SearchScore {
    match score {
        Score::Points(points) => SearchScore::Points(points),
        Score::Share(share) => SearchScore::Share(share),
    }
}

pub(super) fn in_words(value: Value) -> String {
    match value.wdl() {
        Wdl::Draw => "draw".to_string(),
        _ => value.to_string(),
    }
}

/// A thought as text.
pub(in crate::erased) fn choice<G: Notation>(
    game: &G,
    pos: &G::Position,
    thought: &Thought<G::Move>,
    proof: Option<bool>,
) -> Choice {
    let considered = |other: &Alternative<G::Move>| {
        let pv = game.show_line(pos, &other.pv).0;
        Some(Considered {
            mv: pv.first()?.clone(),
            score: search_score(other.score),
            visits: other.visits,
            proven: other.proven.map(in_words),
            path: game.path(pos, *other.pv.first()?),
            pv,
        })
    };
    let reasons = || Reasons {
        score: thought.score.map(search_score),
        depth: thought.depth,
        nodes: thought.nodes,
        pv: game.show_line(pos, &thought.pv).0,
        proven: thought.proven.map(in_words),
        alternatives: thought.alternatives.iter().filter_map(considered).collect(),
    };
    let thought_told = thought.has_reasons().then(reasons);
    Choice { mv: game.show_move(pos, thought.mv), proven: proof.unwrap_or(true), proof, thought: thought_told }
}
