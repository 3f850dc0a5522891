//! Whole games as PTN: tags, numbered plies, comments, marks, variations, a result.
//!
//! Reading forgives what is found in the wild: unknown tags, a missing result, `--` for a move that was
//! not made, marks and comments anywhere, any white space. Writing is canonical.
//!
//! A variation follows the game. Its heading says where it leaves its line: after `{3w1}` comes another third move of
//! white, and `{3w1/4b2}` leaves that variation. A heading may also be a name; then the number that follows it, which
//! goes back, shows that it is one.

use super::{Position, Tak};
use agon_core::{Family, Game, Notation, Outcome, Player};
use std::fmt::{self, Write as _};

/// A game as written down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Tags in the order of the file, unknown ones included.
    pub tags: Vec<(String, String)>,
    /// The text of the position play begins at, if it is not the start.
    pub tps: Option<String>,
    /// Plies as written, without marks; those of variations are not among them.
    pub plies: Vec<String>,
    /// The result as written, in its usual spelling.
    pub result: Option<&'static str>,
    /// Comments before the first ply.
    pub intro: Vec<String>,
    /// Every ply of the game and its variations, each after the one that it follows.
    pub noted: Vec<Noted>,
}

/// A ply with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Noted {
    /// The ply before it; `None` for a first ply. Of several plies after the same one, the first belongs to the line
    /// and the others begin variations.
    pub parent: Option<usize>,
    /// As written, without marks.
    pub ply: String,
    /// Its marks as written: `!`, `?`, `'`, `"`.
    pub marks: String,
    /// The comments after it.
    pub comments: Vec<String>,
}

/// A variation that is being read, or the game itself.
#[derive(Default)]
struct Strand {
    name: String,
    /// The ply at its end.
    tip: Option<usize>,
    /// The result that stands behind it.
    over: Option<&'static str>,
}

/// What is read so far.
struct Reader {
    record: Record,
    strands: Vec<Strand>,
    /// The number of plies before each ply.
    depths: Vec<usize>,
    /// The number of the first move, and the side that makes it.
    first: (usize, usize),
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
        let record = Record {
            tags: Vec::new(),
            tps: None,
            plies: Vec::new(),
            result: None,
            intro: Vec::new(),
            noted: Vec::new(),
        };
        let mut reader = Reader { record, strands: vec![Strand::default()], depths: Vec::new(), first: (1, 0) };
        let mut rest = text.trim_start_matches('\u{feff}').trim_start();
        while !rest.is_empty() {
            if let Some(tag) = rest.strip_prefix('[') {
                let (plies, result) = (reader.record.plies.len(), reader.record.result);
                if plies > 0 || result.is_some() {
                    return Err(PtnError(format!("another game begins after {plies} plies: expected one game")));
                }
                rest = reader.record.read_tag(tag)?;
                reader.first = reader.record.first_turn();
            } else if let Some(comment) = rest.strip_prefix('{') {
                let end = comment.find('}').ok_or_else(|| PtnError("a comment `{` is never closed".into()))?;
                rest = &comment[end + 1..];
                reader.comment(&comment[..end], rest.trim_start())?;
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len());
                reader.word(&rest[..end])?;
                rest = &rest[end..];
            }
            rest = rest.trim_start();
        }
        let mut record = reader.record;
        record.tps = record.tag("TPS").map(str::to_string);
        if record.result.is_none() {
            record.result = record.tag("Result").and_then(usual_result);
        }
        Ok(record)
    }

    /// The number of the first move and the side that makes it, as the tag TPS says.
    fn first_turn(&self) -> (usize, usize) {
        let tps = self.tag("TPS").unwrap_or_default();
        let mut words = tps.split(|c: char| c == '_' || c.is_whitespace()).filter(|word| !word.is_empty()).skip(1);
        let side = usize::from(words.next() == Some("2"));
        (words.next().and_then(|number| number.parse().ok()).unwrap_or(1), side)
    }

    /// The indices of the plies of the game itself, without its variations.
    fn main_line(&self) -> Vec<usize> {
        let mut line: Vec<usize> = Vec::new();
        for (i, noted) in self.noted.iter().enumerate() {
            // The first ply after another one belongs to the line.
            if noted.parent == line.last().copied() {
                line.push(i);
            }
        }
        line
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
            let next = after(game, &line[i], ply).map_err(|error| PtnError(format!("ply {}: {error}", i + 1)))?;
            line.push(next);
        }
        Ok(line)
    }

    /// Plays the game and its variations; the position before each ply, and the one after it.
    pub fn replay_all(&self, game: &Tak) -> Result<Vec<(Position, Position)>, PtnError> {
        let start = self.start(game)?;
        let mut all: Vec<(Position, Position)> = Vec::with_capacity(self.noted.len());
        for noted in &self.noted {
            let before = noted.parent.map_or(&start, |parent| &all[parent].1).clone();
            let next = after(game, &before, &noted.ply).map_err(|error| {
                let side = ["white", "black"][usize::from(before.turn)];
                PtnError(format!("move {} of {side}: {error}", before.number))
            })?;
            all.push((before, next));
        }
        Ok(all)
    }
}

/// The position after a ply.
fn after(game: &Tak, pos: &Position, ply: &str) -> Result<Position, agon_core::NotationError> {
    Ok(game.after(pos, game.parse_move(pos, ply)?))
}

impl Reader {
    /// A comment, or the heading of a variation.
    fn comment(&mut self, text: &str, rest: &str) -> Result<(), PtnError> {
        let strand = self.strands.last().expect("the game itself");
        let (tip, next) = (strand.tip, strand.tip.map_or(0, |tip| self.depths[tip] + 1));
        if let Some(depth) = turn_named(rest).and_then(|turn| self.depth(turn))
            && !self.record.noted.is_empty()
            && (is_heading(text) || depth < next)
        {
            return self.begin_variation(text.trim(), depth);
        }
        let comment = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments = match tip {
            Some(tip) => &mut self.record.noted[tip].comments,
            None => &mut self.record.intro,
        };
        if !comment.is_empty() {
            comments.push(comment);
        }
        Ok(())
    }

    /// The plies before this side's move of that number.
    fn depth(&self, (number, side): (usize, usize)) -> Option<usize> {
        let (first, begins) = self.first;
        (2 * number.checked_sub(first)? + side).checked_sub(begins)
    }

    fn begin_variation(&mut self, name: &str, depth: usize) -> Result<(), PtnError> {
        let parent = name.rsplit_once('/').map_or("", |(parent, _)| parent);
        let strand = self.strands.iter().find(|strand| strand.name == parent).unwrap_or(&self.strands[0]);
        let mut tip = strand.tip;
        while tip.is_some_and(|at| self.depths[at] + 1 > depth) {
            tip = tip.and_then(|at| self.record.noted[at].parent);
        }
        if tip.map_or(0, |at| self.depths[at] + 1) != depth {
            let name = agon_core::family::shorten(name);
            return Err(PtnError(format!("the variation `{name}` begins after the end of its line")));
        }
        self.strands.push(Strand { name: name.to_string(), tip, over: None });
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), PtnError> {
        let main = self.strands.len() == 1;
        let strand = self.strands.last_mut().expect("the game itself");
        if let Some(result) = usual_result(word) {
            strand.over = Some(result);
            if main {
                self.record.result = Some(result);
            }
            return Ok(());
        }
        // A move number, perhaps with its branch, may be glued to the ply: `12.a1`.
        let word = word.rsplit('.').next().unwrap_or_default();
        let ply = word.trim_end_matches(['*', '\'', '"', '!', '?', '’', '”']);
        let nothing = ply.chars().all(|c| matches!(c, '-' | '.' | '*') || !c.is_alphanumeric());
        let number = ply.chars().all(|c| c.is_ascii_digit());
        if nothing || number {
            return Ok(());
        }
        if let Some(result) = strand.over {
            let ply = agon_core::family::shorten(ply);
            return Err(PtnError(format!("the ply `{ply}` stands after the result {result}")));
        }
        let marks = word[ply.len()..].replace('*', "").replace('’', "'").replace('”', "\"");
        let noted = Noted { parent: strand.tip, ply: ply.to_string(), marks, comments: Vec::new() };
        self.depths.push(strand.tip.map_or(0, |tip| self.depths[tip] + 1));
        strand.tip = Some(self.record.noted.len());
        self.record.noted.push(noted);
        if main {
            self.record.plies.push(ply.to_string());
        }
        Ok(())
    }
}

/// The number of the move that a text begins with, and the side that makes it: `3.` or `3. --`.
fn turn_named(text: &str) -> Option<(usize, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text[digits..].strip_prefix('.')?;
    let number = text[..digits].parse::<u32>().ok()? as usize;
    let dots = after.bytes().take_while(|&b| b == b'.').count();
    let black = dots > 0 || after[dots..].trim_start().starts_with("--");
    Some((number, usize::from(black)))
}

/// Returns whether a comment looks like the heading that is written for a variation: `3w1`, `3w1/4b2`.
fn is_heading(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let last = text.rsplit('/').next().unwrap_or_default();
    last.split_once(['w', 'b']).is_some_and(|(a, b)| number(a) && number(b))
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
        self.annotated(start, plies, &Record { tags: tags.to_vec(), ..Record::default() }, &[])
    }

    /// The same with a mark (`?`, `!` or nothing) and a comment, which may be empty, for each ply. What the source says about
    /// the game is kept: its tags and result and, if its line has as many plies, its marks, comments and variations.
    pub fn annotated(
        &self,
        start: &Position,
        plies: &[String],
        source: &Record,
        notes: &[(&str, &str)],
    ) -> Result<String, PtnError> {
        let line = source.main_line();
        // A source with another line says nothing about these plies.
        let own = line.len() == plies.len();
        let plain =
            |(i, ply): (usize, &String)| Noted { parent: i.checked_sub(1), ply: ply.clone(), ..Noted::default() };
        let mut noted: Vec<Noted> = match own {
            true => source.noted.clone(),
            false => plies.iter().enumerate().map(plain).collect(),
        };
        for (i, (marks, comment)) in notes.iter().enumerate() {
            let Some(noted) = noted.get_mut(if own { line[i] } else { i }) else { break };
            if !noted.marks.contains(marks) {
                noted.marks.push_str(marks);
            }
            if !comment.is_empty() {
                noted.comments.push(comment.to_string());
            }
        }
        let kept = if own { source.clone() } else { Record { tags: source.tags.clone(), ..Record::default() } };
        self.written(start, &Record { plies: plies.to_vec(), noted, ..kept })
    }

    /// A game with its variations from `start`, in canonical form. What the tags of the record say about the board is
    /// replaced by what this game says; its result is kept unless the game shows another one.
    pub fn written(&self, start: &Position, record: &Record) -> Result<String, PtnError> {
        let record = &Record { tps: Some(self.tps(start)), ..record.clone() };
        let line = record.replay_all(self)?;
        // The children of each ply; those of the start come first.
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); record.noted.len() + 1];
        for (i, noted) in record.noted.iter().enumerate() {
            after[noted.parent.map_or(0, |parent| parent + 1)].push(i);
        }
        let mut end = None;
        while let Some(&next) = after[end.map_or(0, |end| end + 1)].first() {
            end = Some(next);
        }
        let shown = self.result_text(end.map_or(start, |end| &line[end].1));
        let result = shown.or(record.result);
        let mut out = self.tags_text(start, &record.tags, result);
        for comment in &record.intro {
            let _ = write!(out, "\n{}", comment_text(comment));
        }
        let mut lines = vec![(String::new(), after[0].first().copied())];
        let mut at = 0;
        while let Some((name, first)) = lines.get(at).cloned() {
            let named = if name.is_empty() { String::new() } else { format!("\n\n{{{name}}}") };
            out.push_str(&named);
            let (mut ply, mut head) = (first, true);
            while let Some(i) = ply {
                self.write_ply(&mut out, record, &line[i].0, i, head);
                // Other plies at the same place begin variations; those beside a heading belong to its parent.
                if name.is_empty() || !head {
                    let beside = &after[record.noted[i].parent.map_or(0, |parent| parent + 1)];
                    for (k, &other) in beside.iter().enumerate().skip(1) {
                        let pos = &line[other].0;
                        let heading = format!("{}{}{k}", pos.number, ['w', 'b'][usize::from(pos.turn)]);
                        let path = if name.is_empty() { heading } else { format!("{name}/{heading}") };
                        lines.push((path, Some(other)));
                    }
                }
                (ply, head) = (after[i + 1].first().copied(), false);
            }
            if let (true, Some(result)) = (at == 0, result) {
                let _ = write!(out, "\n{result}");
            }
            at += 1;
        }
        out.push('\n');
        Ok(out)
    }

    /// Writes a ply with its number, marks and comments.
    fn write_ply(&self, out: &mut String, record: &Record, pos: &Position, i: usize, head: bool) {
        let _ = match (pos.turn, head) {
            (0, _) => write!(out, "\n{}. ", pos.number),
            (_, true) => write!(out, "\n{}. -- ", pos.number),
            _ => write!(out, " "),
        };
        let noted = &record.noted[i];
        match self.parse_move(pos, &noted.ply) {
            Ok(mv) => out.push_str(&self.show_move(pos, mv)),
            Err(_) => out.push_str(&noted.ply),
        }
        out.push_str(&noted.marks);
        for comment in &noted.comments {
            let _ = write!(out, " {}", comment_text(comment));
        }
    }

    /// The tags: those of a record that say nothing about the board, and then those of this game.
    fn tags_text(&self, start: &Position, tags: &[(String, String)], result: Option<&str>) -> String {
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
        if let Some(result) = result {
            tag("Result", result);
        }
        out
    }
}

/// A comment in braces. A closing brace would end it, and a heading would begin a variation.
fn comment_text(comment: &str) -> String {
    let comment = comment.replace('}', ")");
    if is_heading(&comment) { format!("{{ {comment} }}") } else { format!("{{{comment}}}") }
}
