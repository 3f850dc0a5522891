//! Games that OpenSpiel has too: their names there, and moves that it writes as numbers.
//!
//! OpenSpiel numbers the moves of each game in its own way. A family says how with its registry entry:
//! [`Entry::with_openspiel`](crate::entry::Entry::with_openspiel).

use crate::erased::AnyGame;
use agon_report::failure::Failure;

/// A move as somebody wrote it down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The move, as agon writes it.
    Text(String),
    /// Its number in OpenSpiel.
    Number(i64),
}

/// Numbered moves, and where they were made.
#[derive(Clone, Copy)]
pub struct History<'a> {
    /// The name of the game in OpenSpiel with its parameters, such as `nim(pile_sizes=3;5)`; empty if it is not known.
    pub name: &'a str,
    /// The position at which the moves begin.
    pub from: &'a str,
    /// The moves.
    pub actions: &'a [Action],
}

/// The moves of a history as text. A number that is no move becomes a text that is no move.
pub type Written = fn(&dyn AnyGame, &History<'_>) -> Result<Vec<String>, Failure>;

/// What OpenSpiel calls the games of a family, and how it numbers their moves.
#[derive(Clone, Copy)]
pub struct OpenSpiel {
    names: &'static [(&'static str, &'static str)],
    written: Written,
}

impl OpenSpiel {
    /// Names of games in OpenSpiel, each with the spelling of the game that it means without parameters there, or nothing
    /// if it means any; and how their moves are numbered.
    #[must_use]
    pub const fn new(names: &'static [(&'static str, &'static str)], written: Written) -> OpenSpiel {
        OpenSpiel { names, written }
    }

    /// The moves of a history as text.
    pub fn moves(&self, game: &dyn AnyGame, history: &History<'_>) -> Result<Vec<String>, Failure> {
        (self.written)(game, history)
    }

    /// Returns whether a name in OpenSpiel, such as `mnk(m=3,n=3,k=3)`, can mean this game. Parameters are not compared.
    #[must_use]
    pub fn is_name_of(&self, game: &dyn AnyGame, text: &str) -> bool {
        let (name, given) = text.split_once('(').unwrap_or((text, ""));
        let given = given.contains('=');
        self.names
            .iter()
            .any(|(own, only)| *own == name.trim() && (given || only.is_empty() || *only == game.spelling()))
    }
}

fn number(number: i64) -> String {
    format!("action {number}")
}

/// Moves numbered by a list of their names.
fn listed(names: &[String], history: &History<'_>) -> Vec<String> {
    let name = |action: &Action| match action {
        Action::Text(text) => text.clone(),
        Action::Number(n) => usize::try_from(*n).ok().and_then(|n| names.get(n)).cloned().unwrap_or_else(|| number(*n)),
    };
    history.actions.iter().map(name).collect()
}

/// Cells are counted row by row from the top left.
pub fn cells(game: &dyn AnyGame, history: &History<'_>) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = game.scene(&game.start())?.places.iter().map(|place| place.label.clone()).collect();
    Ok(listed(&names, history))
}

/// Columns are counted from the left.
pub fn columns(game: &dyn AnyGame, history: &History<'_>) -> Result<Vec<String>, Failure> {
    Ok(listed(&game.scene(&game.start())?.columns, history))
}

/// Counters are taken from heaps in a fixed order: all heaps for one counter, then all heaps for two, and so on.
///
/// The order is that of `pile_sizes` in the name of the game, or that of the position without it.
pub fn heaps(_game: &dyn AnyGame, history: &History<'_>) -> Result<Vec<String>, Failure> {
    let sizes =
        |text: &str, between: char| -> Vec<i64> { text.split(between).filter_map(|n| n.trim().parse().ok()).collect() };
    let mut heaps = sizes(history.from.split('@').next().unwrap_or_default(), '+');
    if let Some((_, piles)) = history.name.split_once("pile_sizes=") {
        let named = sizes(piles.split([',', ')']).next().unwrap_or_default(), ';');
        let sorted = |heaps: &[i64]| {
            let mut heaps: Vec<i64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
            heaps.sort_unstable();
            heaps
        };
        if sorted(&named) != sorted(&heaps) {
            let from = history.from;
            return Err(Failure::damaged_text(format!("`{}` has other heaps than {from}", history.name)));
        }
        heaps = named;
    }
    let mut write = |action: &Action| match action {
        Action::Text(text) => {
            let number = |text: &str| text.parse::<i64>().ok();
            let halves = text.split_once('>').and_then(|(size, left)| Some((number(size)?, number(left)?)));
            if let Some((size, left)) = halves
                && let Some(heap) = heaps.iter_mut().find(|heap| **heap == size)
            {
                *heap = left;
            }
            text.clone()
        }
        Action::Number(n) => {
            let count = i64::try_from(heaps.len()).unwrap_or(i64::MAX).max(1);
            let (taken, place) = (n.div_euclid(count).saturating_add(1), n.rem_euclid(count));
            let heap = usize::try_from(place).ok().and_then(|place| heaps.get_mut(place));
            match heap.filter(|heap| *n >= 0 && taken <= **heap) {
                Some(heap) => {
                    let size = *heap;
                    *heap -= taken;
                    format!("{size}>{heap}")
                }
                None => number(*n),
            }
        }
    };
    Ok(history.actions.iter().map(&mut write).collect())
}

/// The points of nine men's morris in OpenSpiel's order.
const POINTS: [&str; 24] = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3", "d3", "e3", "b2",
    "d2", "f2", "a1", "d1", "g1",
];

/// Men are placed on points, and moved from point to point; a capture is a move of its own, by the number of the point.
/// Here it belongs to the move that closes the mill. A history that ends between the two ends before the move.
pub fn men(game: &dyn AnyGame, history: &History<'_>) -> Result<Vec<String>, Failure> {
    let board = game.scene(&game.start())?;
    let known = |point: &str| board.places.iter().any(|place| place.label == point);
    if board.places.len() != POINTS.len() || !POINTS.iter().all(|point| known(point)) {
        let game = game.spelling();
        return Err(Failure::Usage(format!("OpenSpiel has no board of {game}: write the moves as text")));
    }
    let point = |n: i64| usize::try_from(n).ok().and_then(|n| POINTS.get(n)).copied();
    let of_move = |n: i64| {
        let n = n.checked_sub(24)?;
        Some(format!("{}-{}", point(n.div_euclid(24))?, point(n.rem_euclid(24))?))
    };
    let (mut at, mut moves, mut due) = (history.from.to_string(), Vec::new(), None::<String>);
    for action in history.actions {
        let written = match (action, due.take()) {
            (Action::Number(n), None) => {
                point(*n).map(str::to_string).or_else(|| of_move(*n)).unwrap_or_else(|| number(*n))
            }
            (Action::Number(n), Some(mv)) => point(*n).map_or_else(|| number(*n), |taken| format!("{mv}x{taken}")),
            (Action::Text(text), before) => {
                moves.extend(before);
                text.clone()
            }
        };
        let captures = |legal: &String| legal.strip_prefix(&written).is_some_and(|rest| rest.starts_with('x'));
        if matches!(action, Action::Number(_)) && game.moves(&at)?.iter().any(captures) {
            due = Some(written);
            continue;
        }
        // What is not legal is counted by whoever reads the moves.
        if let Ok((_, after)) = game.play(&at, &written) {
            at = after;
        }
        moves.push(written);
    }
    Ok(moves)
}
