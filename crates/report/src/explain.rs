//! Why a position has its value: the answer of `explain`.

mod sentences;
mod strategy;

pub use strategy::{RuleTrace, StepTrace, StrategyTrace};

use super::Report;
use crate::VERSION;
use crate::words::Paint;
use agon_core::solver::Failed;
use agon_core::{Bounds, Player, Stop, Wdl};
use agon_solve::explain::sum::Sum;
use agon_solve::explain::{Cut, Ends, Explanation, Limits, Line, Node, Shown};
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

/// A position of an explanation, as text.
pub type TextNode = Node<String, String>;

/// Answer of `explain`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainReport {
    /// Canonical spelling.
    pub game: String,
    /// The game's names for the first and the second player.
    pub names: [String; 2],
    /// The values of the moves, and the trees behind them.
    pub why: Explanation<String, String>,
    /// The limits that the trees keep to.
    pub limits: Limits,
    /// The position drawn as text.
    pub board: String,
    /// Why a finished play ended: `line`, `board full`.
    pub end_reason: Option<&'static str>,
    /// For impartial games: the parts and their nim-values.
    pub sum: Option<Sum>,
    /// The behaviour of a strategy here.
    pub strategy: Option<StrategyTrace>,
    /// Seconds spent.
    pub seconds: f64,
}

impl ExplainReport {
    /// An explanation in words and as JSON.
    #[must_use]
    pub fn new(game: &str, names: [String; 2], why: Explanation<String, String>, limits: Limits) -> ExplainReport {
        let (board, seconds) = (String::new(), 0.0);
        let game = game.to_string();
        ExplainReport { game, names, why, limits, board, end_reason: None, sum: None, strategy: None, seconds }
    }

    /// The game's name for a side.
    #[must_use]
    pub fn name(&self, player: Player) -> &str {
        &self.names[player as usize]
    }

    /// The proven value, for the side to move.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        self.why.root.value.value()
    }

    /// The best move: the first one of the first line, unless the play is over or nothing is proven.
    #[must_use]
    pub fn best(&self) -> Option<&str> {
        let value = self.value()?;
        let line = match value {
            Wdl::Loss => self.slowest_loss(),
            _ => self.why.lines.first(),
        };
        line.map(|line| line.moves[0].as_str())
    }

    /// The line of a move, where there is one.
    #[must_use]
    pub fn line(&self, mv: &str) -> Option<&Line<String>> {
        self.why.lines.iter().find(|line| line.moves[0] == mv)
    }

    /// The line of the move that loses as late as possible.
    fn slowest_loss(&self) -> Option<&Line<String>> {
        let plies = |mv: &str| self.why.root.moves.iter().find(|(name, _)| name == mv).and_then(|(_, node)| node.plies);
        let mut slowest: Option<&Line<String>> = None;
        for line in &self.why.lines {
            if slowest.is_none_or(|other| plies(&line.moves[0]) > plies(&other.moves[0])) {
                slowest = Some(line);
            }
        }
        slowest
    }

    /// The moves that are proven to lose, each with its tree and its line.
    pub fn refuted(&self) -> impl Iterator<Item = (&str, &TextNode, &Line<String>)> {
        let root = &self.why.root;
        let lost = root.moves.iter().enumerate().filter(|(i, _)| root.worth(*i).value() == Some(Wdl::Loss));
        lost.filter_map(|(_, (mv, node))| Some((mv.as_str(), node, self.line(mv)?)))
    }

    /// The reason for an early stop.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        match self.why.stopped.as_ref()? {
            Failed::Stopped(stop) => Some(*stop),
            _ => Some(Stop::Memory),
        }
    }

    fn json(&self) -> Json {
        let root = &self.why.root;
        let over = matches!(root.shown, Shown::End(_));
        let moves: Vec<Json> = root
            .moves
            .iter()
            .enumerate()
            .map(|(i, (mv, node))| {
                let worth = root.worth(i);
                let plies = node.plies.filter(|_| worth.value().is_some()).map(|plies| plies + 1);
                json!({"move": mv, "value": name(worth), "plies": plies, "lo": worth.lo.name(), "hi": worth.hi.name()})
            })
            .collect();
        let refutation = |(mv, node, line): (&str, &TextNode, &Line<String>)| {
            json!({"move": mv, "line": line.moves, "plies": node.plies.map(|plies| plies + 1),
                   "ends": ends(line.ends), "sentence": self.refutation(mv, node, line)})
        };
        let line = self.best().and_then(|best| self.line(best));
        let mut answer = json!({
            "agon": VERSION, "game": self.game, "position": root.position, "mover": [root.mover.name(), self.name(root.mover)],
            "over": over, "value": name(root.value), "plies": root.plies, "lo": root.value.lo.name(), "hi": root.value.hi.name(),
            "winner": root.winner().map(Player::name), "sentence": self.sentence(), "best": self.best(),
            "line": line.map(|line| &line.moves), "ends": line.map(|line| ends(line.ends)), "moves": moves,
            "refutations": self.refuted().map(refutation).collect::<Vec<_>>(), "tree": node_json(None, root),
            "cut": cut_json(&self.why.cut), "limits": {"positions": self.limits.positions, "depth": self.limits.depth},
            "stopped": self.stopped().map(Stop::name), "seconds": self.seconds,
        });
        if let Some(sum) = &self.sum {
            answer["sum"] = sum_json(sum);
        }
        if let Some(strategy) = &self.strategy {
            answer["strategy"] = json!(strategy);
        }
        answer
    }
}

impl Serialize for ExplainReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// `win`, `draw` or `loss`; nothing if the value is not proven.
fn name(bounds: Bounds) -> Option<&'static str> {
    bounds.value().map(Wdl::name)
}

fn ends(ends: Ends) -> &'static str {
    match ends {
        Ends::Over(_) => "over",
        Ends::Repeats => "repeats",
        Ends::Proven => "proven",
    }
}

fn cut_json(cut: &Cut) -> Json {
    json!({"size": cut.size, "depth": cut.depth, "effort": cut.effort, "moves": cut.moves})
}

/// A tree as nested objects; `made` is the side and the move that lead to its root.
#[must_use]
pub fn node_json(made: Option<(Player, &str)>, node: &TextNode) -> Json {
    let (shown, cut) = match node.shown {
        Shown::End(_) => ("end", None),
        Shown::Every => ("every", None),
        Shown::Answer => ("answer", None),
        Shown::Some => ("some", None),
        Shown::Proven(left) => ("proven", left.name()),
        Shown::Open => ("open", None),
    };
    let moves: Vec<Json> = node.moves.iter().map(|(mv, child)| node_json(Some((node.mover, mv)), child)).collect();
    json!({
        "move": made.map(|(_, mv)| mv), "by": made.map(|(player, _)| player.name()), "position": node.position,
        "mover": node.mover.name(), "value": name(node.value), "plies": node.plies,
        "winner": node.winner().map(Player::name), "shown": shown, "cut": cut, "moves": moves,
    })
}

fn sum_json(sum: &Sum) -> Json {
    let part = |part: &agon_solve::explain::sum::Part| {
        let options: Vec<Json> =
            part.options.iter().map(|option| json!({"leaves": option.leaves, "nimber": option.nimber})).collect();
        json!({"part": part.text, "nimber": part.nimber, "options": options, "more": part.more})
    };
    json!({"misere": sum.misere, "nimber": sum.nimber, "parts": sum.parts.iter().map(part).collect::<Vec<_>>()})
}

impl Report for ExplainReport {
    fn text(&self, paint: Paint) -> String {
        self.text(paint)
    }
}

#[cfg(test)]
mod tests;
