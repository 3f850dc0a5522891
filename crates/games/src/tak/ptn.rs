//! Whole games as PTN: tags, numbered plies, comments, marks, a result.
//!
//! Reading forgives what is found in the wild: unknown tags, a missing result, `--` for a move that was
//! not made, marks and comments anywhere, any white space. Writing is canonical.

use super::{Position, Tak};
use agon_core::{Family, Game, Notation, Outcome, Player};
use std::fmt::{self, Write as _};

/// A game as written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Tags in the order of the file, unknown ones included.
    pub tags: Vec<(String, String)>,
    /// The text of the position play begins at, if it is not the start.
    pub tps: Option<String>,
    /// Plies as written, without marks.
    pub plies: Vec<String>,
    /// The result as written, in its usual spelling.
    pub result: Option<&'static str>,
}

/// Why a text is no game; names the tag or the ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PtnError(String);

impl fmt::Display for PtnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PtnError {}

/// The results, as written and as meant.
const RESULTS: [(&str, &str); 11] = [
    ("R-0", "R-0"),
    ("0-R", "0-R"),
    ("F-0", "F-0"),
    ("0-F", "0-F"),
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("1-2-1-2", "1/2-1/2"),
    ("0.5-0.5", "1/2-1/2"),
    ("0-0", "0-0"),
];

impl Record {
    /// Reads a file without playing it.
    pub fn read(text: &str) -> Result<Record, PtnError> {
        let mut record = Record { tags: Vec::new(), tps: None, plies: Vec::new(), result: None };
        let mut rest = text.trim_start_matches('\u{feff}').trim_start();
        while !rest.is_empty() {
            if let Some(tag) = rest.strip_prefix('[') {
                if !record.plies.is_empty() || record.result.is_some() {
                    let after = record.plies.len();
                    return Err(PtnError(format!("another game begins after {after} plies: expected one game")));
                }
                rest = record.read_tag(tag)?;
            } else if let Some(comment) = rest.strip_prefix('{') {
                let end = comment.find('}').ok_or_else(|| PtnError("a comment `{` is never closed".into()))?;
                rest = &comment[end + 1..];
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len());
                record.read_word(&rest[..end])?;
                rest = &rest[end..];
            }
            rest = rest.trim_start();
        }
        record.tps = record.tag("TPS").map(str::to_string);
        if record.result.is_none() {
            record.result = record.tag("Result").and_then(usual_result);
        }
        Ok(record)
    }

    /// The value of a tag, in either case.
    #[must_use]
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    fn read_tag<'a>(&mut self, text: &'a str) -> Result<&'a str, PtnError> {
        let broken = || PtnError(format!("a tag is broken near `{}`", agon_core::family::shorten(text)));
        let quote = text.find('"').ok_or_else(broken)?;
        let (key, mut value) = (text[..quote].trim(), String::new());
        if key.is_empty() || key.contains([']', '[', '\n']) {
            return Err(broken());
        }
        let mut chars = text[quote + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => value.push(chars.next().ok_or_else(broken)?.1),
                '"' => {
                    let after = text[quote + 1 + at + 1..].trim_start();
                    let after = after.strip_prefix(']').ok_or_else(broken)?;
                    if self.tag(key).is_some() {
                        return Err(PtnError(format!("the tag {} occurs twice", agon_core::family::shorten(key))));
                    }
                    self.tags.push((key.to_string(), value));
                    return Ok(after);
                }
                c => value.push(c),
            }
        }
        Err(broken())
    }

    fn read_word(&mut self, word: &str) -> Result<(), PtnError> {
        if let Some(result) = usual_result(word) {
            self.result = Some(result);
            return Ok(());
        }
        // A move number, perhaps with its branch, may be glued to the ply: `12.a1`.
        let word = word.rsplit('.').next().unwrap_or_default();
        let ply = word.trim_end_matches(['*', '\'', '"', '!', '?', '’', '”']);
        let nothing = ply.chars().all(|c| matches!(c, '-' | '.' | '*') || !c.is_alphanumeric());
        let number = ply.chars().all(|c| c.is_ascii_digit());
        if !nothing && !number {
            if let Some(result) = &self.result {
                let ply = agon_core::family::shorten(ply);
                return Err(PtnError(format!("the ply `{ply}` stands after the result {result}")));
            }
            self.plies.push(ply.to_string());
        }
        Ok(())
    }

    /// The game its tags describe: `tak:6,komi=2`.
    pub fn spelling(&self) -> Result<String, PtnError> {
        let size = match (self.tag("Size"), &self.tps) {
            (Some(size), _) => size.trim().to_string(),
            (None, Some(tps)) => tps.split('/').count().to_string(),
            (None, None) => return Err(PtnError("no Size tag: expected [Size \"5\"] or so".into())),
        };
        let mut out = format!("tak:{size}");
        for (tag, name) in [("Komi", "komi"), ("Flats", "flats"), ("Caps", "caps")] {
            if let Some(value) = self.tag(tag) {
                let _ = write!(out, ",{name}={}", value.trim());
            }
        }
        // Reserves of each side on its own: the same for both, or not a game we know.
        for (name, tags) in [("flats", ["Flats1", "Flats2"]), ("caps", ["Caps1", "Caps2"])] {
            match tags.map(|tag| self.tag(tag).map(str::trim)) {
                [None, None] => {}
                [Some(white), Some(black)] if white == black => {
                    let _ = write!(out, ",{name}={white}");
                }
                _ => return Err(PtnError(format!("the sides have different {name}: expected the same for both"))),
            }
        }
        match self.tag("Opening").map(str::trim) {
            None | Some("swap" | "") => {}
            Some("no-swap" | "noswap") => out.push_str(",opening=noswap"),
            Some(other) => {
                let other = agon_core::family::shorten(other);
                return Err(PtnError(format!("opening `{other}` is not known: expected swap or no-swap")));
            }
        }
        Ok(out)
    }

    /// The game its tags describe, ready to play.
    pub fn game(&self) -> Result<Tak, PtnError> {
        let game = Tak::from_spelling(&self.spelling()?);
        game.map(|(game, _)| game).map_err(|error| PtnError(error.to_string()))
    }

    /// The start position.
    pub fn start(&self, game: &Tak) -> Result<Position, PtnError> {
        match &self.tps {
            None => Ok(game.start()),
            Some(tps) => game.parse(tps).map_err(|error| PtnError(error.to_string())),
        }
    }

    /// Plays it; every position from the first to the last. Names the first ply that is not legal.
    pub fn replay(&self, game: &Tak) -> Result<Vec<Position>, PtnError> {
        let mut line = vec![self.start(game)?];
        for (i, ply) in self.plies.iter().enumerate() {
            let pos = &line[i];
            let mv = game.parse_move(pos, ply).map_err(|error| PtnError(format!("ply {}: {error}", i + 1)))?;
            let next = game.after(pos, mv);
            line.push(next);
        }
        Ok(line)
    }
}

fn usual_result(word: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(written, _)| word.trim().eq_ignore_ascii_case(written)).map(|&(_, usual)| usual)
}

impl Tak {
    /// The text of a result: `R-0`, `0-F`, `1/2-1/2`.
    #[must_use]
    pub fn result_text(&self, pos: &Position) -> Option<&'static str> {
        let road = self.has_road(pos, 0) || self.has_road(pos, 1);
        Some(match (self.outcome(pos)?, road) {
            (Outcome::Win(Player::First), true) => "R-0",
            (Outcome::Win(Player::Second), true) => "0-R",
            (Outcome::Win(Player::First), false) => "F-0",
            (Outcome::Win(Player::Second), false) => "0-F",
            (Outcome::Draw, _) => "1/2-1/2",
        })
    }

    /// A game as PTN. The moves must be legal from `start`; fails with the first that is not.
    pub fn ptn(&self, start: &Position, plies: &[String], tags: &[(String, String)]) -> Result<String, PtnError> {
        self.annotated(start, plies, tags, &[])
    }

    /// The same with a mark (`?`, `!` or nothing) and a comment, which may be empty, for each ply.
    pub fn annotated(
        &self,
        start: &Position,
        plies: &[String],
        tags: &[(String, String)],
        notes: &[(&str, &str)],
    ) -> Result<String, PtnError> {
        let record = Record { tags: Vec::new(), tps: Some(self.tps(start)), plies: plies.to_vec(), result: None };
        let line = record.replay(self)?;
        let mut out = String::new();
        let mut tag = |key: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "[{key} \"{value}\"]");
        };
        let own = ["size", "komi", "flats", "caps", "opening", "tps", "result", "flats1", "flats2", "caps1", "caps2"];
        tags.iter().filter(|(key, _)| !own.contains(&key.to_lowercase().as_str())).for_each(|(k, v)| tag(k, v));
        tag("Size", &self.size_text());
        let usual = Tak::new(self.grid.columns(), self.grid.rows()).reserves();
        if self.half_komi != 0 {
            tag("Komi", &(f64::from(self.half_komi) / 2.0).to_string());
        }
        if !self.swap {
            tag("Opening", "no-swap");
        }
        if self.reserves() != usual {
            tag("Flats", &self.flats.to_string());
            tag("Caps", &self.capstones.to_string());
        }
        // Positions are equal whatever the number of the move; as text they are not.
        if self.tps(start) != self.tps(&self.start()) {
            tag("TPS", &self.tps(start));
        }
        let result = line.last().and_then(|end| self.result_text(end));
        if let Some(result) = result {
            tag("Result", result);
        }
        let mut text = String::new();
        for (i, (pos, ply)) in line.iter().zip(plies).enumerate() {
            let mv = self.parse_move(pos, ply).map_err(|error| PtnError(error.to_string()))?;
            match (i, pos.turn) {
                (_, 0) => {
                    let _ = write!(text, "\n{}. ", pos.number);
                }
                (0, _) => {
                    let _ = write!(text, "\n{}. -- ", pos.number);
                }
                _ => text.push(' '),
            }
            text.push_str(&self.show_move(pos, mv));
            let (mark, comment) = notes.get(i).copied().unwrap_or_default();
            text.push_str(mark);
            if !comment.is_empty() {
                // A closing brace would end the comment.
                let _ = write!(text, " {{{}}}", comment.replace('}', ")"));
            }
        }
        if let Some(result) = result {
            let _ = write!(text, "\n{result}");
        }
        Ok(format!("{out}{text}\n"))
    }
}
