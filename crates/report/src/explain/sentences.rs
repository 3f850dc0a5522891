//! An explanation in words.

use super::strategy::or;
use super::{ExplainReport, TextNode};
use crate::words::{Paint, counted, duration};
use agon_core::solver::Failed;
use agon_core::{Outcome, Player, Wdl};
use agon_solve::explain::sum::{Part, Sum};
use agon_solve::explain::{Ends, Line, Shown};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// At most that many values of options are listed as text.
const OPTIONS_SHOWN: usize = 16;

/// At most that many moves are listed in one sentence.
const MOVES_SHOWN: usize = 24;

impl ExplainReport {
    /// Says in one sentence what the position is worth.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (root, mover) = (&self.why.root, self.name(self.why.root.mover));
        if let Shown::End(outcome) = root.shown {
            let reason = self.end_reason.map_or(String::new(), |reason| format!(" ({reason})"));
            return match outcome {
                Outcome::Win(winner) => format!("The game is over: {} has won{reason}.", self.name(winner)),
                Outcome::Draw => format!("The game is over: a draw{reason}."),
            };
        }
        let within = root.plies.map_or(String::new(), |plies| format!(" in {}", in_plies(plies)));
        match (root.value.value(), root.value.lo, root.value.hi) {
            (Some(Wdl::Win), ..) => match self.best() {
                Some(best) => format!("{mover} wins{within} with {best}."),
                None => format!("{mover} wins{within}."),
            },
            (Some(Wdl::Loss), ..) if root.moves.len() == 1 => format!("{mover} loses{within}: the only move loses."),
            (Some(Wdl::Loss), ..) => format!("{mover} loses{within}: every move loses."),
            (Some(Wdl::Draw), ..) => self.draw(mover),
            (None, Wdl::Draw, _) => {
                format!("{mover} gets at least a draw; whether {mover} can win is not proven{}.", self.because())
            }
            (None, _, Wdl::Draw) => {
                format!("{mover} gets at most a draw; whether {mover} loses is not proven{}.", self.because())
            }
            _ => format!("Nothing is proven about this position{}.", self.because()),
        }
    }

    fn draw(&self, mover: &str) -> String {
        let holding = self.moves_worth(Wdl::Draw);
        let losing = self.moves_worth(Wdl::Loss).len();
        let rest = match (holding.len() + losing == self.why.root.moves.len(), losing) {
            (_, 0) => String::new(),
            (true, 1) => "; the other move loses".to_string(),
            (true, _) if holding.len() == 1 => "; every other move loses".to_string(),
            _ => format!("; {} {}", counted(losing, "move"), if losing == 1 { "loses" } else { "lose" }),
        };
        let moves = match holding.len() {
            0 => String::new(),
            n if n > MOVES_SHOWN => format!(": {mover} draws with {}", counted(n, "move")),
            _ => format!(": {mover} draws with {}", or(&holding)),
        };
        let endless = self.why.lines.first().is_some_and(|line| line.ends == Ends::Repeats);
        let endless = if endless { " Best play never ends, which is a draw." } else { "" };
        format!("Neither side can force a win{moves}{rest}.{endless}")
    }

    /// The moves of that proven value.
    fn moves_worth(&self, value: Wdl) -> Vec<String> {
        let root = &self.why.root;
        let worth = |i: &usize| root.worth(*i).value() == Some(value);
        (0..root.moves.len()).filter(worth).map(|i| root.moves[i].0.clone()).collect()
    }

    /// Why something is not proven.
    fn because(&self) -> String {
        match &self.why.stopped {
            Some(why @ Failed::Stopped(_)) => format!(": {why}"),
            Some(why) => format!(": {why}"),
            None => String::new(),
        }
    }

    /// Why a move loses, in one sentence.
    pub(super) fn refutation(&self, mv: &str, node: &TextNode, line: &Line<String>) -> String {
        format!("{mv} loses{}", self.refuted_by(node, line))
    }

    /// The text after the name of a losing move and the word `loses`.
    fn refuted_by(&self, node: &TextNode, line: &Line<String>) -> String {
        if matches!(node.shown, Shown::End(_)) {
            return " at once.".to_string();
        }
        let within = node.plies.map_or(String::new(), |plies| format!(" in {}", in_plies(plies + 1)));
        let Some(answer) = line.moves.get(1) else { return format!("{within}.") };
        let again = node.mover == self.why.root.mover;
        let (who, does) = (self.name(node.mover), if again { "continues with" } else { "answers" });
        let rest = &line.moves[2..];
        let ending = match (rest.is_empty(), line.ends) {
            (true, Ends::Over(_)) if again => " and has lost".to_string(),
            (true, Ends::Over(_)) => " and wins".to_string(),
            (true, _) => " and wins against every defence".to_string(),
            (false, Ends::Over(_)) if node.plies.is_some() => {
                format!(" and wins against every defence; the longest goes {}", rest.join(" "))
            }
            (false, Ends::Over(_)) => format!(" and wins against every defence, for example {}", rest.join(" ")),
            (false, _) => format!(" and wins against every defence; the line begins {}", rest.join(" ")),
        };
        let ending = if again && !rest.is_empty() { format!("; the line is {}", rest.join(" ")) } else { ending };
        format!("{within}: {who} {does} {answer}{ending}.")
    }

    /// The whole explanation.
    pub(super) fn text(&self, paint: Paint) -> String {
        let root = &self.why.root;
        let mut out = format!("{} from {}\n{}", self.game, root.position, self.board);
        let _ = writeln!(out, "{}", paint.bold(&self.sentence()));
        if let Some(sum) = &self.sum {
            self.sum_text(sum, &mut out);
        }
        self.moves_text(&mut out);
        self.trees_text(&mut out);
        if let Some(strategy) = &self.strategy {
            strategy.text(&mut out, paint);
        }
        self.cut_text(&mut out);
        if !matches!(root.shown, Shown::End(_)) {
            let _ = writeln!(out, "\n{} in the tree, {}", counted(root.size(), "position"), duration(self.seconds));
        }
        out
    }

    /// The moves by value; the losing ones with what refutes them.
    fn moves_text(&self, out: &mut String) {
        let root = &self.why.root;
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        let mut add = |says: String, mv: &str| match groups.iter_mut().find(|(other, _)| *other == says) {
            Some((_, moves)) => moves.push(mv.to_string()),
            None => groups.push((says, vec![mv.to_string()])),
        };
        for (i, (mv, node)) in root.moves.iter().enumerate() {
            let worth = root.worth(i);
            let within = node.plies.map_or(String::new(), |plies| format!(" in {}", in_plies(plies + 1)));
            match worth.value() {
                Some(Wdl::Win) => add(format!("▲ wins{within}."), mv),
                Some(Wdl::Draw) => match node.moves.first() {
                    Some((answer, _)) if node.shown == Shown::Answer && node.mover != root.mover => {
                        add(format!("■ draws: {} answers {answer}.", self.name(node.mover)), mv);
                    }
                    _ => add("■ draws.".to_string(), mv),
                },
                Some(Wdl::Loss) => match self.line(mv) {
                    Some(line) => add(format!("▼ loses{}", self.refuted_by(node, line)), mv),
                    None => add(format!("▼ loses{within}."), mv),
                },
                None if worth.lo == Wdl::Draw => add("? is at least a draw; more is not proven.".to_string(), mv),
                None if worth.hi == Wdl::Draw => add("? is at most a draw; more is not proven.".to_string(), mv),
                None => add("? is not decided.".to_string(), mv),
            }
        }
        // Best moves first.
        groups.sort_by_key(|(says, _)| ['▲', '■', '▼', '?'].iter().position(|sign| says.starts_with(*sign)));
        if !groups.is_empty() {
            out.push('\n');
        }
        for (says, moves) in groups {
            let (sign, says) = says.split_once(' ').unwrap_or(("", &says));
            let says = if moves.len() > 1 { plural(says) } else { says.to_string() };
            let _ = writeln!(out, "{sign} {} {says}", listed(&moves));
        }
    }

    /// The trees that have more to say than a sentence.
    fn trees_text(&self, out: &mut String) {
        let root = &self.why.root;
        for (i, (mv, node)) in root.moves.iter().enumerate() {
            let Some(winner) = root.worth(i).value().and(node.winner()) else { continue };
            let (head, below) = match (node.shown, node.moves.first()) {
                (Shown::Answer, Some((answer, after))) if node.mover == winner => {
                    (format!("{mv}, {} {answer}", self.name(winner)), after)
                }
                _ => (mv.clone(), node),
            };
            if below.moves.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\nafter {head}, {} wins:", self.name(winner));
            self.tree_text(below, winner, 1, out);
        }
    }

    /// The play after a position, one line for each group of moves that are answered alike.
    fn tree_text(&self, node: &TextNode, winner: Player, indent: usize, out: &mut String) {
        let name = self.name(winner);
        let mut groups: Vec<(String, Vec<String>, Option<&TextNode>)> = Vec::new();
        for (mv, child) in &node.moves {
            let (says, below) = match (child.shown, child.moves.first()) {
                (Shown::End(_), _) => (format!("{name} has won"), None),
                (Shown::Answer, Some((answer, after))) if child.mover == winner && node.mover != winner => {
                    match after.shown {
                        Shown::End(_) => (format!("{name} answers {answer} and wins"), None),
                        Shown::Proven(_) => (format!("{name} answers {answer}, {}", proven(name, after)), None),
                        _ => (format!("{name} answers {answer}"), Some(after)),
                    }
                }
                (Shown::Proven(_), _) => (proven(name, child), None),
                _ => (format!("{} moves next", self.name(child.mover)), Some(child)),
            };
            match groups.iter_mut().find(|(other, _, below)| *other == says && below.is_none()) {
                Some((_, moves, _)) => moves.push(mv.clone()),
                None => groups.push((says, vec![mv.clone()], below)),
            }
        }
        let margin = "  ".repeat(indent);
        for (says, moves, below) in groups {
            let end = if below.is_some() { ":" } else { "" };
            let _ = writeln!(out, "{margin}{}: {says}{end}", listed(&moves));
            if let Some(below) = below {
                self.tree_text(below, winner, indent + 1, out);
            }
        }
    }

    fn sum_text(&self, sum: &Sum, out: &mut String) {
        out.push('\n');
        if sum.misere {
            let parts: Vec<&str> = sum.parts.iter().map(|part| part.text.as_str()).collect();
            let parts = if parts.is_empty() { "nothing".to_string() } else { parts.join(", ") };
            let _ = writeln!(
                out,
                "In misère play nim-values do not settle the outcome, so the position is searched as a whole: {parts}."
            );
            return;
        }
        let mut shown = BTreeMap::new();
        for part in &sum.parts {
            if shown.insert(part.text.clone(), ()).is_none() {
                let _ = writeln!(out, "{}", part_text(part));
            }
        }
        let Some(nimber) = sum.nimber else { return };
        let values: Vec<String> = sum.parts.iter().filter_map(|part| part.nimber).map(|n| n.to_string()).collect();
        let xor = match values.len() {
            0 => "There are no moves: the nim-value is 0".to_string(),
            1 => format!("The nim-value is {nimber}"),
            _ => format!("The xor of the nim-values is {} = {nimber}", values.join(" xor ")),
        };
        let winning = self.moves_worth(Wdl::Win);
        let verdict = match (nimber, winning.len()) {
            (0, _) => "a position of nim-value 0 is lost for the side to move".to_string(),
            (_, 0) => "a move that makes it 0 wins".to_string(),
            (_, n) if n > MOVES_SHOWN => format!("{} make it 0 and win", counted(n, "move")),
            (_, 1) => format!("the move {} makes it 0 and wins", winning[0]),
            _ => format!("the moves {} make it 0 and win", winning.join(" ")),
        };
        let _ = writeln!(out, "{xor}; {verdict}.");
    }

    fn cut_text(&self, out: &mut String) {
        let cut = &self.why.cut;
        let mut say = |count: usize, why: String| {
            if count > 0 {
                let _ = writeln!(out, "\nleft out: play after {} proven to be won, {why}", counted(count, "position"));
            }
        };
        say(cut.size, format!("because the trees are limited to {}", counted(self.limits.positions, "position")));
        say(cut.depth, format!("because a tree is limited to {}", in_plies(self.limits.depth)));
        say(cut.effort, "because the time or node limit was reached".to_string());
        if cut.moves > 0 {
            let _ = writeln!(out, "\nleft out: {} of this position", counted(cut.moves, "other move"));
        }
    }
}

fn in_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_string() } else { format!("{plies} plies") }
}

/// `x then wins in 3 plies`.
fn proven(name: &str, node: &TextNode) -> String {
    match node.plies {
        Some(plies) => format!("{name} then wins in {} (proven)", in_plies(plies)),
        None => format!("{name} then wins (proven)"),
    }
}

/// The words after one move, made to fit several.
fn plural(says: &str) -> String {
    let (verb, rest) = says.split_once([' ', ':', '.']).unwrap_or((says, ""));
    let verb_now = match verb {
        "is" => "are",
        "wins" => "win",
        "loses" => "lose",
        "draws" => "draw",
        other => other,
    };
    format!("{verb_now}{}{rest}", &says[verb.len()..says.len() - rest.len()])
}

fn listed(moves: &[String]) -> String {
    let more =
        if moves.len() > MOVES_SHOWN { format!(" … ({})", counted(moves.len(), "move")) } else { String::new() };
    format!("{}{more}", moves.iter().take(MOVES_SHOWN).map(String::as_str).collect::<Vec<_>>().join(" "))
}

/// `5 has the nim-value 2: its options have the values 0 (leaving 3), 1 (leaving 4), and 2 is the least value not among
/// them (mex).`
fn part_text(part: &Part) -> String {
    let Some(nimber) = part.nimber else { return part.text.clone() };
    let Some(more) = part.more else { return format!("{} has the nim-value {nimber}.", part.text) };
    if part.options.is_empty() {
        return format!("{} has the nim-value 0: it has no options.", part.text);
    }
    let listed =
        part.options.iter().take(OPTIONS_SHOWN).map(|option| format!("{} (leaving {})", option.nimber, option.leaves));
    let left = more + part.options.len().saturating_sub(OPTIONS_SHOWN);
    let left = if left > 0 { format!(" and {}", counted(left, "more value")) } else { String::new() };
    let values = if part.options.len() == 1 { "value" } else { "values" };
    format!(
        "{} has the nim-value {nimber}: its options have the {values} {}{left}, and {nimber} is the least value not \
         among them (mex).",
        part.text,
        listed.collect::<Vec<_>>().join(", ")
    )
}
