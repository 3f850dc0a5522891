//! Reads the text of a strategy: its parts, and what stands on each line. Every line must be well formed; only the
//! parts and lines that count in the first reading are kept. Names are looked up later.

use crate::format::Corrupt;
use agon_core::family::shorten;

/// The longest text, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The most parts, readings, and terms of a sum.
const MAX_ITEMS: usize = 1000;
/// The deepest nesting of parentheses and `not`.
const MAX_DEPTH: usize = 32;

/// The largest number, and with its sign changed the smallest one.
const MAX_NUMBER: i32 = 1_000_000;

/// Some characters of a line, and where they begin; lines and columns are counted from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Span<'a> {
    /// A line without its comment and the white space around it.
    fn of_line(line: usize, text: &'a str) -> Span<'a> {
        let begins = |&(at, c): &(usize, char)| c == '#' && !text[..at].ends_with(|c: char| !c.is_whitespace());
        let end = text.char_indices().find(begins).map_or(text.len(), |(at, _)| at);
        Span { text: text[..end].trim_end(), line, column: 1 }.after(0)
    }

    /// The rest after the first bytes and the white space behind them.
    fn after(self, bytes: usize) -> Span<'a> {
        let text = self.text[bytes..].trim_start();
        let gone = &self.text[..self.text.len() - text.len()];
        Span { text, column: self.column + gone.chars().count(), ..self }
    }

    /// The characters up to the first one that ends them, and what follows.
    fn cut(self, ends: impl Fn(char) -> bool) -> (Span<'a>, Span<'a>) {
        let end = self.text.find(ends).unwrap_or(self.text.len());
        (Span { text: &self.text[..end], ..self }, self.after(end))
    }

    /// The letters, digits and hyphens at its beginning, and what follows.
    fn name(self) -> (Span<'a>, Span<'a>) {
        self.cut(|c| !in_names(c))
    }

    fn words(self) -> Vec<Span<'a>> {
        let mut rest = self;
        let mut words = Vec::new();
        while !rest.text.is_empty() {
            let (word, after) = rest.cut(char::is_whitespace);
            words.push(word);
            rest = after;
        }
        words
    }

    /// The text after a heading of one word or two.
    fn heading(self, words: &str) -> Option<Span<'a>> {
        words.split(' ').try_fold(self, |rest, word| {
            let after = rest.text.strip_prefix(word)?;
            let apart = after.is_empty() || after.starts_with(char::is_whitespace);
            apart.then(|| rest.after(word.len()))
        })
    }

    /// A fault at this place.
    pub(super) fn fault(self, why: impl AsRef<str>) -> Corrupt {
        Corrupt(format!("the strategy, line {}, column {}: {}", self.line, self.column, why.as_ref()))
    }
}

fn in_names(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// A part of a strategy under its heading.
pub(super) struct Part<'a> {
    pub(super) name: Span<'a>,
    pub(super) body: Body<'a>,
    counts: bool,
}

pub(super) enum Body<'a> {
    Rule(Vec<Line<'a>>),
    Book { exact: bool, entries: Vec<(Span<'a>, Vec<Span<'a>>)> },
    Pairing(Vec<(Span<'a>, Span<'a>, bool)>),
    Region(Vec<Span<'a>>),
}

/// A line of a rule.
pub(super) enum Line<'a> {
    On(Span<'a>),
    When(Node<'a>),
    Only(Node<'a>),
    Prefer(Node<'a>),
    /// `prefer max` or `prefer min`.
    Best(Node<'a>, bool),
}

/// A condition or a number.
pub(super) enum Node<'a> {
    Number(i32),
    /// A feature, and what stands in its parentheses.
    Feature(Span<'a>, Option<Span<'a>>),
    /// `any`, `count`, `most` or `least`.
    Over(Span<'a>, Box<Node<'a>>),
    /// Terms, each with whether it is taken away.
    Sum(Vec<(bool, Node<'a>)>),
    Compare(Box<Node<'a>>, &'static str, Box<Node<'a>>),
    Not(Box<Node<'a>>),
    And(Vec<Node<'a>>),
    Or(Vec<Node<'a>>),
}

impl Node<'_> {
    fn is_number(&self) -> bool {
        match self {
            Node::Number(_) | Node::Sum(_) => true,
            Node::Over(word, _) => word.text != "any",
            _ => false,
        }
    }

    fn is_condition(&self) -> bool {
        !self.is_number() && !matches!(self, Node::Feature(..))
    }
}

/// The parts that count, in order.
pub(super) fn read(text: &str) -> Result<Vec<Part<'_>>, Corrupt> {
    let start = Span { text, line: 1, column: 1 };
    if text.len() > MAX_BYTES {
        return Err(start.fault(format!("the text has {} bytes; expected at most {MAX_BYTES}", text.len())));
    }
    let (mut readings, mut parts): (Vec<Vec<&str>>, Vec<Part<'_>>) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err(Span { text: line, line: number + 1, column: 1 }.fault("a control character"));
        }
        let line = Span::of_line(number + 1, line);
        if line.text.is_empty() {
            continue;
        }
        let (guard, line) = read_guard(line, &readings)?;
        if guard.is_none() && line.heading("about").is_some() {
            continue;
        }
        if let Some(words) = line.heading("reading").filter(|_| guard.is_none() && parts.is_empty()) {
            readings.push(read_reading(words)?);
        } else if let Some((name, body)) = read_heading(line) {
            if name.text.is_empty() {
                return Err(name.fault("expected a name"));
            }
            parts.push(Part { name, body, counts: guard != Some(false) });
        } else {
            let part = parts.last_mut().ok_or_else(|| line.fault("expected about, reading, or a heading"))?;
            read_entry(&mut part.body, guard, line)?;
        }
        if parts.len().max(readings.len()) > MAX_ITEMS {
            return Err(line.fault(format!("expected at most {MAX_ITEMS} readings, and as many parts")));
        }
    }
    parts.retain(|part| part.counts);
    Ok(parts)
}

fn read_heading(line: Span<'_>) -> Option<(Span<'_>, Body<'_>)> {
    let book = |exact| Body::Book { exact, entries: Vec::new() };
    let bodies = [
        ("rule", Body::Rule(Vec::new())),
        ("exact book", book(true)),
        ("book", book(false)),
        ("pairing", Body::Pairing(Vec::new())),
        ("region", Body::Region(Vec::new())),
    ];
    bodies.into_iter().find_map(|(word, body)| Some((line.heading(word)?, body)))
}

/// The words of a reading.
fn read_reading(words: Span<'_>) -> Result<Vec<&str>, Corrupt> {
    let list: Vec<&str> = words.text.split(',').collect();
    match list.iter().all(|word| !word.is_empty() && word.chars().all(in_names)) {
        true => Ok(list),
        false => Err(words.fault("expected words with commas between them")),
    }
}

/// Returns whether a line that begins with `[word]` or `[not word]` counts in the first reading, and the rest of it.
fn read_guard<'a>(line: Span<'a>, readings: &[Vec<&str>]) -> Result<(Option<bool>, Span<'a>), Corrupt> {
    let Some(rest) = line.text.strip_prefix('[') else { return Ok((None, line)) };
    let inner = rest.split_once(']').map_or("", |(inner, _)| inner);
    let words: Vec<&str> = inner.split_whitespace().collect();
    let (word, wanted) = match words[..] {
        [word] if word != "not" => (word, true),
        ["not", word] => (word, false),
        _ => return Err(line.fault("expected [WORD] or [not WORD]")),
    };
    if !word.chars().all(in_names) || !readings.iter().flatten().any(|known| *known == word) {
        return Err(line.fault(format!("no reading has the word `{}`", shorten(word))));
    }
    let has = readings.first().is_some_and(|first| first.contains(&word));
    Ok((Some(has == wanted), line.after(inner.len() + 2)))
}

fn read_entry<'a>(body: &mut Body<'a>, guard: Option<bool>, line: Span<'a>) -> Result<(), Corrupt> {
    let words = line.words();
    match body {
        Body::Rule(lines) => {
            let read = read_line(line)?;
            if guard != Some(false) {
                lines.push(read);
            }
        }
        _ if guard.is_some() => return Err(line.fault("only headings and lines of rules can begin with a reading")),
        Body::Book { entries, .. } => match words.split_first() {
            Some((&board, moves)) if !moves.is_empty() => entries.push((board, moves.to_vec())),
            _ => return Err(line.fault("expected a position and moves")),
        },
        Body::Pairing(pairs) => match words[..] {
            [one, other] => pairs.push((one, other, false)),
            [one, other, same] if same.text == "same" => pairs.push((one, other, true)),
            _ => return Err(line.fault("expected two cells, and perhaps `same`")),
        },
        Body::Region(cells) => cells.extend(words),
    }
    Ok(())
}

fn read_line(line: Span<'_>) -> Result<Line<'_>, Corrupt> {
    let (word, rest) = line.name();
    let (next, after) = rest.name();
    match (word.text, next.text) {
        ("on", _) => match rest.words()[..] {
            [board] if board.text.chars().all(in_names) => Ok(Line::On(board)),
            _ => Err(rest.fault("expected the name of a board")),
        },
        ("when", _) => condition(rest).map(Line::When),
        ("only", _) => condition(rest).map(Line::Only),
        ("prefer", "max") => Ok(Line::Best(number(after)?, true)),
        ("prefer", "min") => Ok(Line::Best(number(after)?, false)),
        ("prefer", _) => condition(rest).map(Line::Prefer),
        _ => Err(line.fault("expected when, only, prefer or on, or a heading")),
    }
}

fn condition(rest: Span<'_>) -> Result<Node<'_>, Corrupt> {
    let node = whole(rest)?;
    if node.is_number() { Err(rest.fault("expected a condition, not a number")) } else { Ok(node) }
}

fn number(rest: Span<'_>) -> Result<Node<'_>, Corrupt> {
    let node = whole(rest)?;
    if node.is_condition() { Err(rest.fault("expected a number, not a condition")) } else { Ok(node) }
}

fn whole(rest: Span<'_>) -> Result<Node<'_>, Corrupt> {
    let mut cursor = Cursor { rest };
    let node = cursor.or(0)?;
    match cursor.rest.text.is_empty() {
        true => Ok(node),
        false => Err(cursor.rest.fault("expected and, or, a comparison or the end of the line")),
    }
}

/// Reads conditions and numbers; stands at the next character that is no white space.
struct Cursor<'a> {
    rest: Span<'a>,
}

impl<'a> Cursor<'a> {
    /// Goes past a word if it is the next one.
    fn word(&mut self, word: &str) -> bool {
        let (next, after) = self.rest.name();
        let found = next.text == word;
        if found {
            self.rest = after;
        }
        found
    }

    /// Goes past a sign if it is the next one.
    fn sign(&mut self, sign: &str) -> bool {
        let found = self.rest.text.starts_with(sign);
        if found {
            self.rest = self.rest.after(sign.len());
        }
        found
    }

    /// Reads conditions joined by a word. A single one may also be a number.
    fn joined(
        &mut self,
        word: &str,
        join: fn(Vec<Node<'a>>) -> Node<'a>,
        read: impl Fn(&mut Self) -> Result<Node<'a>, Corrupt>,
    ) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        let first = read(self)?;
        let mut parts = vec![first];
        while self.word(word) {
            parts.push(read(self)?);
        }
        match parts.len() {
            1 => Ok(parts.swap_remove(0)),
            _ if parts.iter().any(Node::is_number) => Err(begin.fault(format!("`{word}` joins conditions"))),
            _ => Ok(join(parts)),
        }
    }

    fn or(&mut self, depth: usize) -> Result<Node<'a>, Corrupt> {
        self.joined("or", Node::Or, |me| me.joined("and", Node::And, |me| me.not(depth)))
    }

    fn not(&mut self, depth: usize) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        if depth > MAX_DEPTH {
            return Err(begin.fault(format!("expected at most {MAX_DEPTH} levels of parentheses and `not`")));
        }
        if !self.word("not") {
            return self.compared(depth);
        }
        let part = self.not(depth + 1)?;
        if part.is_number() { Err(begin.fault("`not` takes a condition")) } else { Ok(Node::Not(Box::new(part))) }
    }

    fn compared(&mut self, depth: usize) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        let left = self.sum(depth)?;
        let signs = ["!=", "<=", ">=", "=", "<", ">"];
        let Some(sign) = signs.into_iter().find(|sign| self.sign(sign)) else { return Ok(left) };
        let right = self.sum(depth)?;
        match left.is_condition() || right.is_condition() {
            true => Err(begin.fault("a comparison takes two numbers")),
            false => Ok(Node::Compare(Box::new(left), sign, Box::new(right))),
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        let mut terms = vec![(false, self.atom(depth)?)];
        loop {
            let minus = self.rest.text.starts_with('-');
            if !self.sign("+") && !self.sign("-") {
                break;
            }
            terms.push((minus, self.atom(depth)?));
        }
        match terms.len() {
            1 => Ok(terms.swap_remove(0).1),
            _ if terms.iter().any(|(_, term)| term.is_condition()) => Err(begin.fault("a sum takes numbers")),
            n if n > MAX_ITEMS => Err(begin.fault(format!("expected at most {MAX_ITEMS} terms"))),
            _ => Ok(Node::Sum(terms)),
        }
    }

    /// A number, a feature, a word about all moves, or something in parentheses.
    fn atom(&mut self, depth: usize) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        if self.sign("(") {
            let node = self.or(depth + 1)?;
            return self.close(node);
        }
        if begin.text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return self.constant();
        }
        let (name, after) = begin.name();
        if ["", "and", "or", "not"].contains(&name.text) {
            return Err(begin.fault("expected a feature, a number or ("));
        }
        self.rest = after;
        if !self.sign("(") {
            return Ok(Node::Feature(name, None));
        }
        if ["any", "count", "most", "least"].contains(&name.text) {
            let inner = self.or(depth + 1)?;
            let of_conditions = ["any", "count"].contains(&name.text);
            if if of_conditions { inner.is_number() } else { inner.is_condition() } {
                let wanted = if of_conditions { "a condition" } else { "a number" };
                return Err(name.fault(format!("`{}` takes {wanted}", name.text)));
            }
            return self.close(Node::Over(name, Box::new(inner)));
        }
        let (argument, after) = self.rest.cut(|c| c == '(' || c == ')' || c.is_whitespace());
        if argument.text.is_empty() {
            return Err(argument.fault("expected a number or a word in the parentheses"));
        }
        self.rest = after;
        self.close(Node::Feature(name, Some(argument)))
    }

    fn constant(&mut self) -> Result<Node<'a>, Corrupt> {
        let begin = self.rest;
        let digits = begin.text[1..].find(|c: char| !c.is_ascii_digit()).map_or(begin.text.len(), |end| end + 1);
        let value = begin.text[..digits].parse::<i32>().ok().filter(|n| (-MAX_NUMBER..=MAX_NUMBER).contains(n));
        self.rest = begin.after(digits);
        value.map(Node::Number).ok_or_else(|| begin.fault(format!("expected a number, {}..={MAX_NUMBER}", -MAX_NUMBER)))
    }

    fn close(&mut self, node: Node<'a>) -> Result<Node<'a>, Corrupt> {
        if self.sign(")") { Ok(node) } else { Err(self.rest.fault("expected )")) }
    }
}
