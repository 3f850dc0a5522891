//! Statements about a position, and their comparison with the graph.

use crate::graph::{Graph, Truth};
use agon_core::{Bounds, Wdl};
use std::collections::BTreeSet;

/// A statement about one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// The value for the side to move, and the plies to the end under best play.
    Value(Bounds, Option<u32>),
    /// The winning side needs at most this many plies.
    Within(u32),
    /// Neither side can force a win within this many plies.
    NoneWithin(u32),
    /// The nim-value.
    Nimber(u32),
    /// This move keeps the value, and if `true` also the distance.
    Keeps(String, bool),
    /// Exactly these moves keep the value, and if `true` also the distance.
    Best(Vec<String>, bool),
    /// A line of play in which every move keeps the value for its mover, and if `true` also the distance.
    Line(Vec<String>, bool),
    /// Exactly these moves win.
    Winning(Vec<String>),
    /// The value of one move for its mover.
    Move(String, Wdl, Option<u32>),
    /// The numbers of reachable positions that are won, drawn and lost for the side to move.
    Totals([u64; 3]),
    /// The number of reachable positions.
    Positions(u64),
    /// The numbers of finished positions won by the first player, won by the second, and drawn.
    Finished([u64; 3]),
    /// The numbers of games won by the first player, won by the second, and drawn.
    Games([u128; 3]),
    /// The result of a check that the method runs itself; `Err` holds the reason of a failure.
    Holds(Result<(), String>),
}

/// The result of comparing a statement with the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is true.
    Agrees,
    /// It is false.
    Differs {
        /// The statement.
        said: String,
        /// The true statement, by the rules.
        expected: String,
    },
    /// The graph is too small to decide.
    Unknown,
}

fn verdict(agrees: bool, said: impl Into<String>, expected: impl Into<String>) -> Verdict {
    if agrees { Verdict::Agrees } else { Verdict::Differs { said: said.into(), expected: expected.into() } }
}

impl Statement {
    /// Compares the statement with a node of the graph.
    #[must_use]
    pub fn judge(&self, graph: &Graph, at: usize) -> Verdict {
        let truth = graph.truth(at);
        let whole = graph.complete() && at == 0;
        let counted = |said: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug, agrees: bool, what: &str| {
            verdict(agrees, format!("{said:?} {what}"), format!("{found:?}"))
        };
        match self {
            Statement::Value(bounds, plies) => value(*bounds, *plies, truth),
            Statement::Within(n) => match truth {
                Truth::Known(Wdl::Win | Wdl::Loss, Some(plies)) => {
                    verdict(plies <= *n, format!("an end within {n} plies"), truth.to_string())
                }
                _ => Verdict::Unknown,
            },
            Statement::NoneWithin(n) => {
                let agrees = match truth {
                    Truth::Open(horizon) if horizon < *n => return Verdict::Unknown,
                    Truth::Known(Wdl::Win | Wdl::Loss, Some(plies)) => plies > *n,
                    _ => true,
                };
                verdict(agrees, format!("no forced win within {n} plies"), truth.to_string())
            }
            Statement::Nimber(said) => match graph.nimber(at) {
                Some(nimber) => verdict(*said == nimber, format!("nimber {said}"), format!("nimber {nimber}")),
                None => Verdict::Unknown,
            },
            Statement::Keeps(mv, distance) => keeps(graph, at, mv, *distance),
            Statement::Best(said, distance) => best(graph, at, said, *distance),
            Statement::Line(said, distance) => line(graph, at, said, *distance),
            Statement::Winning(said) => winning(graph, at, said),
            Statement::Move(mv, value, plies) => worth(graph, at, mv, *value, *plies),
            Statement::Totals(said) if whole => {
                counted(said, &graph.totals(), *said == graph.totals(), "won, drawn, lost positions")
            }
            Statement::Positions(said) if whole => {
                counted(said, &graph.len(), *said == graph.len() as u64, "positions")
            }
            Statement::Finished(said) if whole => {
                counted(said, &graph.finished(), *said == graph.finished(), "finished positions")
            }
            Statement::Games(said) if whole => match graph.games() {
                Some(games) => counted(said, &games, *said == games, "games"),
                None => Verdict::Unknown,
            },
            Statement::Holds(Ok(())) => Verdict::Agrees,
            Statement::Holds(Err(why)) => verdict(false, why, "no such failure"),
            _ => Verdict::Unknown,
        }
    }
}

fn spelled(bounds: Bounds, plies: Option<u32>) -> String {
    match (bounds.value(), plies) {
        (Some(value), Some(plies)) => format!("{value} in {plies}"),
        (Some(value), None) => value.to_string(),
        (None, _) => format!("between {} and {}", bounds.lo, bounds.hi),
    }
}

fn value(bounds: Bounds, plies: Option<u32>, truth: Truth) -> Verdict {
    let agrees = match truth {
        Truth::Known(value, known) => {
            let inside = bounds.lo <= value && value <= bounds.hi;
            inside && plies.zip(known).is_none_or(|(said, known)| said == known)
        }
        // The graph would contain such a short win.
        Truth::Open(horizon) => match (bounds.value(), plies) {
            (Some(Wdl::Win | Wdl::Loss), Some(plies)) if plies <= horizon => false,
            (Some(Wdl::Win | Wdl::Loss), Some(_)) => true,
            _ => return Verdict::Unknown,
        },
    };
    // Bounds that exclude no value state nothing.
    if agrees && bounds == Bounds::UNKNOWN {
        return Verdict::Unknown;
    }
    verdict(agrees, spelled(bounds, plies), truth.to_string())
}

/// Returns whether the move to `child` keeps the value of `at`, and if `distance` also the distance of a win or a loss;
/// `None` if the graph is too small to decide.
fn kept(graph: &Graph, at: usize, child: usize, distance: bool) -> Option<bool> {
    let Truth::Known(value, plies) = graph.truth(at) else { return None };
    let measured = distance && value != Wdl::Draw;
    match graph.worth(at, child) {
        Truth::Known(after, _) if after != value => Some(false),
        Truth::Known(..) if !measured => Some(true),
        Truth::Known(_, within) => Some(plies? == within?),
        // A child with this distance would have been found.
        Truth::Open(horizon) => (measured && plies? <= horizon).then_some(false),
    }
}

fn keeps(graph: &Graph, at: usize, mv: &str, distance: bool) -> Verdict {
    let Some((_, child)) = graph.nodes()[at].moves.iter().find(|(name, _)| name == mv) else {
        let expected = "a legal move";
        let cut = graph.nodes()[at].moves.is_empty() && !graph.complete();
        return if cut { Verdict::Unknown } else { verdict(false, format!("best move {mv}"), expected) };
    };
    match kept(graph, at, *child, distance) {
        None => Verdict::Unknown,
        Some(agrees) => {
            let expected = format!("a move that keeps {}", graph.truth(at));
            verdict(agrees, format!("best move {mv}, which leads to {}", graph.worth(at, *child)), expected)
        }
    }
}

fn best(graph: &Graph, at: usize, said: &[String], distance: bool) -> Verdict {
    let moves = &graph.nodes()[at].moves;
    let judged: Option<Vec<bool>> = moves.iter().map(|(_, child)| kept(graph, at, *child, distance)).collect();
    let Some(judged) = judged.filter(|judged| !judged.is_empty() || graph.complete()) else { return Verdict::Unknown };
    let said: BTreeSet<&str> = said.iter().map(String::as_str).collect();
    let found: BTreeSet<&str> =
        moves.iter().zip(judged).filter(|(_, keeps)| *keeps).map(|((mv, _), _)| &**mv).collect();
    verdict(said == found, format!("best moves {said:?}"), format!("{found:?}"))
}

/// The first move of the line that is wrong or cannot be judged decides.
fn line(graph: &Graph, mut at: usize, said: &[String], distance: bool) -> Verdict {
    for (played, mv) in said.iter().enumerate() {
        match keeps(graph, at, mv, distance) {
            Verdict::Agrees => {}
            Verdict::Differs { said: wrong, expected } => {
                let said = format!("the line {}: after {played} plies {wrong}", said.join(" "));
                return Verdict::Differs { said, expected };
            }
            Verdict::Unknown => return Verdict::Unknown,
        }
        let next = graph.nodes()[at].moves.iter().find(|(name, _)| name == mv);
        at = next.map_or(at, |&(_, child)| child);
    }
    Verdict::Agrees
}

fn winning(graph: &Graph, at: usize, said: &[String]) -> Verdict {
    if !graph.complete() {
        return Verdict::Unknown;
    }
    let said: BTreeSet<&str> = said.iter().map(String::as_str).collect();
    let wins = |(_, child): &&(String, usize)| matches!(graph.worth(at, *child), Truth::Known(Wdl::Win, _));
    let found: BTreeSet<&str> = graph.nodes()[at].moves.iter().filter(wins).map(|(mv, _)| mv.as_str()).collect();
    verdict(said == found, format!("winning moves {said:?}"), format!("{found:?}"))
}

fn worth(graph: &Graph, at: usize, mv: &str, said: Wdl, plies: Option<u32>) -> Verdict {
    match graph.nodes()[at].moves.iter().find(|(name, _)| name == mv) {
        Some((_, child)) => match value(Bounds::exactly(said), plies, graph.worth(at, *child)) {
            Verdict::Differs { said, expected } => Verdict::Differs { said: format!("{mv} is a {said}"), expected },
            verdict => verdict,
        },
        None if graph.complete() => verdict(false, format!("{mv} is a {said}"), "a legal move"),
        None => Verdict::Unknown,
    }
}
