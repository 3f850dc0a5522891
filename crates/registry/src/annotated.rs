//! A game with its variations, comments and marks, as text:
//!
//! ```text
//! [Player1 "Ada"] {an opening} b2 a1 (b1? {loses} a1) c3
//! ```
//!
//! A variation stands in brackets after the move that it replaces, a comment in braces after its move.

use crate::erased::AnyRules;
use crate::record::{MOST_BYTES, MOST_MOVES};
use agon_core::family::shorten;
use agon_report::failure::Failure;
use agon_report::words::grouped;
use serde::{Deserialize, Serialize};

/// Variations inside variations.
const DEEPEST: usize = 200;

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnnotatedGame {
    /// What is known about the game, such as the names of its players.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub intro: String,
    /// The result as written, if the game says one; empty if not.
    pub result: String,
    /// Every move, each after the one that it follows. Of several moves after the same one, the first belongs to the
    /// line, and the others begin variations.
    #[serde(rename = "told")]
    pub moves: Vec<AnnotatedMove>,
}

/// A move with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotatedMove {
    /// The move before it; none for a first move.
    pub parent: Option<usize>,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its marks, such as `?` or `!`.
    #[serde(default)]
    pub marks: String,
    /// The comments after it, one on each line.
    #[serde(default)]
    pub comment: String,
}

impl AnnotatedGame {
    /// A plain line.
    #[must_use]
    pub fn of_line(moves: &[String]) -> AnnotatedGame {
        let annotated = |(i, mv): (usize, &String)| AnnotatedMove {
            parent: i.checked_sub(1),
            mv: mv.clone(),
            ..AnnotatedMove::default()
        };
        AnnotatedGame { moves: moves.iter().enumerate().map(annotated).collect(), ..AnnotatedGame::default() }
    }

    /// Returns whether a text has more in it than moves.
    #[must_use]
    pub fn is_annotated(text: &str) -> bool {
        text.contains(['(', '{', '['])
    }

    /// Reads a text. The moves are split as the game splits them, and not played.
    ///
    /// ```
    /// use agon_registry::{Registry, annotated::AnnotatedGame};
    ///
    /// let game = Registry::standard().game("tic-tac-toe").unwrap();
    /// let story = AnnotatedGame::read(game.as_ref(), "b2 a1 (b1? {loses} a1) c3").unwrap();
    /// assert_eq!(story.line(), ["b2", "a1", "c3"]);
    /// assert_eq!(story.text(), "b2 a1 (b1? {loses} a1) c3");
    /// ```
    pub fn read(rules: &dyn AnyRules, text: &str) -> Result<AnnotatedGame, Failure> {
        if text.len() > MOST_BYTES {
            let (given, most) = (grouped(text.len()), grouped(MOST_BYTES));
            return Err(Failure::Usage(format!("a game of {given} bytes is too long: expected at most {most}")));
        }
        let damaged = |why: &str, near: &str| Failure::damaged_text(format!("{why} near `{}`", shorten(near)));
        let mut story = AnnotatedGame::default();
        // The move that the next one follows, inside each open bracket.
        let (mut at, mut open): (Option<usize>, Vec<Option<usize>>) = (None, Vec::new());
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let here = rest;
            match first {
                '{' => {
                    let end = rest.find('}').ok_or_else(|| damaged("a comment is never closed", here))?;
                    story.comment(at, &rest[1..end]);
                    rest = &rest[end + 1..];
                }
                '[' => rest = story.tag(&rest[1..]).ok_or_else(|| damaged("a tag is broken", here))?,
                '(' => {
                    let last = at.ok_or_else(|| damaged("a variation before any move", here))?;
                    if open.len() >= DEEPEST {
                        return Err(damaged("too many variations inside each other", here));
                    }
                    open.push(at);
                    at = story.moves[last].parent;
                    rest = &rest[1..];
                }
                ')' => {
                    at = open.pop().ok_or_else(|| damaged("a bracket that is not open is closed", here))?;
                    rest = &rest[1..];
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '[');
                    let end = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                    at = story.word(rules, &rest[..end], at)?;
                    rest = &rest[end..];
                }
            }
            rest = rest.trim_start();
        }
        if open.is_empty() { Ok(story) } else { Err(Failure::damaged_text("a variation is never closed")) }
    }

    fn comment(&mut self, at: Option<usize>, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comment = match at {
            Some(at) => &mut self.moves[at].comment,
            None => &mut self.intro,
        };
        if !comment.is_empty() && !text.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&text);
    }

    /// Reads a tag behind its bracket, and returns what follows it.
    fn tag<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let (key, rest) = text.split_once('"')?;
        let (mut value, mut letters) = (String::new(), rest.char_indices());
        loop {
            match letters.next()? {
                (_, '\\') => value.push(letters.next()?.1),
                (at, '"') => {
                    self.tags.push((key.trim().to_string(), value));
                    return rest[at + 1..].trim_start().strip_prefix(']');
                }
                (_, letter) => value.push(letter),
            }
        }
    }

    /// Reads one word: moves, or a number that is left out.
    fn word(&mut self, rules: &dyn AnyRules, word: &str, at: Option<usize>) -> Result<Option<usize>, Failure> {
        let mut at = at;
        for mv in crate::record::words(rules, word) {
            if self.moves.len() >= MOST_MOVES {
                return Err(Failure::Usage(format!("expected at most {} moves", grouped(MOST_MOVES))));
            }
            let bare = mv.trim_end_matches(['!', '?', '\'', '"']);
            let (bare, marks) = if bare.is_empty() { (mv.as_str(), "") } else { (bare, &mv[bare.len()..]) };
            let annotated =
                AnnotatedMove { parent: at, mv: bare.to_string(), marks: marks.to_string(), comment: String::new() };
            at = Some(self.moves.len());
            self.moves.push(annotated);
        }
        Ok(at)
    }

    /// The moves after each move; those at the beginning come first.
    fn following(&self) -> Vec<Vec<usize>> {
        let mut after = vec![Vec::new(); self.moves.len() + 1];
        for (i, mv) in self.moves.iter().enumerate() {
            after[mv.parent.map_or(0, |parent| parent + 1)].push(i);
        }
        after
    }

    /// The moves of the game itself.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        let (after, mut line, mut at) = (self.following(), Vec::new(), 0);
        while let Some(&next) = after[at].first() {
            line.push(self.moves[next].mv.clone());
            at = next + 1;
        }
        line
    }

    /// The text that [`AnnotatedGame::read`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (key, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            push_word(&mut out, &format!("[{key} \"{value}\"]"));
        }
        comments(&self.intro).for_each(|comment| push_word(&mut out, &comment));
        let after = self.following();
        self.write(&after, after[0].first().copied(), true, &mut out);
        out
    }

    /// Writes the line that begins with a move. Other moves at its first place are written only if it is the first.
    fn write(&self, after: &[Vec<usize>], first: Option<usize>, main: bool, out: &mut String) {
        let (mut at, mut beside) = (first, main);
        while let Some(i) = at {
            let annotated = &self.moves[i];
            push_word(out, &format!("{}{}", annotated.mv, annotated.marks));
            comments(&annotated.comment).for_each(|comment| push_word(out, &comment));
            if beside {
                for &other in after[annotated.parent.map_or(0, |parent| parent + 1)].iter().skip(1) {
                    push_word(out, "(");
                    self.write(after, Some(other), false, out);
                    out.push(')');
                }
            }
            (at, beside) = (after[i + 1].first().copied(), true);
        }
    }
}

/// Adds a word, with a blank before it unless it is the first of all or of a variation.
fn push_word(out: &mut String, word: &str) {
    if !out.is_empty() && !out.ends_with('(') {
        out.push(' ');
    }
    out.push_str(word);
}

/// Each line of a comment in braces.
fn comments(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{{{}}}", line.replace('}', ")")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn games_are_written_as_they_are_read() {
        let game = Registry::standard().game("mnk:4,4,3").unwrap();
        for text in [
            "",
            "a1",
            "[Player1 \"A \\\"B\\\" \\\\\"] {before} {two} a1! {one} {more} b1?? (c1?! {why (not)} c2 (d1) d2) (d4) c3",
            "a1 (b1) (c1)",
        ] {
            let story = AnnotatedGame::read(game.as_ref(), text).unwrap();
            assert_eq!(story.text(), text);
            assert_eq!(AnnotatedGame::read(game.as_ref(), &story.text()).unwrap(), story);
        }
        let numbered = AnnotatedGame::read(game.as_ref(), "1. a1 b1 (1… c1) 2. c3").unwrap();
        assert_eq!(numbered.text(), "a1 b1 (c1) c3");
        for text in ["(a1)", "a1 (b1", "a1)", "a1 {x", "[x] a1", "a1 [Player \"x"] {
            assert!(AnnotatedGame::read(game.as_ref(), text).is_err(), "{text}");
        }
        let four = Registry::standard().game("connect-four").unwrap();
        assert_eq!(AnnotatedGame::read(four.as_ref(), "4455 (3) {x}").unwrap().line(), ["4", "4", "5", "5"]);
    }
}
