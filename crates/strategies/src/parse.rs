//! Reads the text of a strategy. Every fault has a line, a column and a sentence that says what would do.

use crate::text::{
    At, Body, Comparison, Condition, Entry, Expression, Fault, Guard, Guarded, Name, Section, Step, Term, Text,
};
use agon_core::family::shorten;

/// The longest text that is read, in bytes.
pub const LONGEST_TEXT: usize = 1 << 20;
/// The deepest nesting of parentheses and `not`.
const DEEPEST: usize = 32;
/// The most sections of a text.
const MOST_SECTIONS: usize = 1000;
/// The most terms of a sum: sums are followed term by term.
const MOST_TERMS: usize = 1000;
/// The largest number, and with its sign changed the smallest one.
const LARGEST: i32 = 1_000_000;
/// The words that begin a section.
const HEADINGS: &str = "rule, book, exact book, pairing or region";

impl Text {
    /// Reads a strategy.
    ///
    /// ```
    /// use agon_strategies::Text;
    ///
    /// let text = Text::parse("rule win\n  only completes\nrule else # anything\n").unwrap();
    /// assert_eq!(text.to_string(), "rule win\n  only completes\n\nrule else\n");
    /// let fault = Text::parse("rule win\n  only completes and\n").unwrap_err();
    /// assert_eq!(fault.to_string(), "line 2, column 21: expected a feature, a number or ( here");
    /// ```
    pub fn parse(text: &str) -> Result<Text, Fault> {
        if text.len() > LONGEST_TEXT {
            let why = format!("the text has {} bytes; expected at most {LONGEST_TEXT}", text.len());
            return Err(Fault::new(At { line: 1, column: 1 }, why));
        }
        let mut found = Text::default();
        for (number, line) in text.lines().enumerate() {
            if let Some(at) = line.chars().position(|c| c.is_control() && c != '\t') {
                let at = At { line: number as u32 + 1, column: at as u32 + 1 };
                return Err(Fault::new(at, "a control character; lines end in a line feed".to_string()));
            }
            let mut line = Line::new(number as u32 + 1, line);
            if !line.rest.is_empty() {
                read_line(&mut found, &mut line)?;
            }
            if found.sections.len() > MOST_SECTIONS || found.readings.len() > MOST_SECTIONS {
                return Err(line.fault(format!("expected at most {MOST_SECTIONS} rules, books, pairings and regions")));
            }
        }
        check_guards(&found)?;
        Ok(found)
    }
}

/// The rest of a line.
struct Line<'a> {
    rest: &'a str,
    at: At,
}

impl<'a> Line<'a> {
    /// A line without its comment, from its first word.
    fn new(number: u32, text: &'a str) -> Line<'a> {
        let mut before = ' ';
        let comment = text.char_indices().find(|&(_, c)| std::mem::replace(&mut before, c).is_whitespace() && c == '#');
        let text = text[..comment.map_or(text.len(), |(i, _)| i)].trim_end();
        let mut line = Line { rest: text, at: At { line: number, column: 1 } };
        line.skip();
        line
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.at.column += taken.chars().count() as u32;
        taken
    }

    fn skip(&mut self) {
        let blank = self.rest.len() - self.rest.trim_start().len();
        self.take(blank);
    }

    /// The next word, up to white space.
    fn word(&mut self) -> Option<Name> {
        self.skip();
        let at = self.at;
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let word = self.take(end);
        self.skip();
        (!word.is_empty()).then(|| Name { word: word.to_string(), at })
    }

    /// Returns whether the line continues with this word, and takes the word if so.
    fn keyword(&mut self, word: &str) -> bool {
        let found = self.rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_name));
        if found {
            self.take(word.len());
            self.skip();
        }
        found
    }

    /// The same for the words that begin a section: white space follows each of them.
    fn heading(&mut self, words: &str) -> bool {
        let mut rest = self.rest;
        for word in words.split(' ') {
            match rest.strip_prefix(word) {
                Some(after) if after.is_empty() || after.starts_with(char::is_whitespace) => rest = after.trim_start(),
                _ => return false,
            }
        }
        self.take(self.rest.len() - rest.len());
        true
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = self.rest.starts_with(sign);
        if found {
            self.take(sign.len());
            self.skip();
        }
        found
    }

    fn fault(&self, why: impl Into<String>) -> Fault {
        Fault::new(self.at, why)
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

fn read_line(text: &mut Text, line: &mut Line<'_>) -> Result<(), Fault> {
    let guard = read_guard(line)?;
    let at = line.at;
    let heading = |body: Body, line: &mut Line<'_>| match line.rest.trim() {
        "" => Err(line.fault("expected a name here, the rest of the line")),
        name => Ok(Section { name: name.to_string(), guard: guard.clone(), at, body }),
    };
    if guard.is_none() && line.heading("about") {
        text.about.push(line.rest.to_string());
    } else if guard.is_none() && text.sections.is_empty() && line.heading("reading") {
        text.readings.push(reading(line)?);
    } else if line.heading("rule") {
        text.sections.push(heading(Body::Rule(Vec::new()), line)?);
    } else if line.heading("exact book") {
        text.sections.push(heading(Body::Book { exact: true, entries: Vec::new() }, line)?);
    } else if line.heading("book") {
        text.sections.push(heading(Body::Book { exact: false, entries: Vec::new() }, line)?);
    } else if line.heading("pairing") {
        text.sections.push(heading(Body::Pairing(Vec::new()), line)?);
    } else if line.heading("region") {
        text.sections.push(heading(Body::Region(Vec::new()), line)?);
    } else {
        let Some(section) = text.sections.last_mut() else {
            return Err(line.fault(format!("expected about, reading, {HEADINGS}")));
        };
        return read_entry(&mut section.body, guard, line);
    }
    Ok(())
}

fn reading(line: &mut Line<'_>) -> Result<String, Fault> {
    let at = line.at;
    let words = line.word().map(|name| name.word).unwrap_or_default();
    let valid = words.split(',').all(|word| !word.is_empty() && word.chars().all(is_name));
    match valid && line.rest.is_empty() {
        true => Ok(words),
        false => Err(Fault::new(at, "expected words with commas between them, like rescued,exceptions")),
    }
}

fn read_guard(line: &mut Line<'_>) -> Result<Option<Guard>, Fault> {
    if !line.sign("[") {
        return Ok(None);
    }
    let wanted = !line.keyword("not");
    let end = line.rest.find(|c| !is_name(c)).unwrap_or(line.rest.len());
    let word = line.take(end).to_string();
    line.skip();
    if word.is_empty() || !line.sign("]") {
        return Err(line.fault("expected a word of a reading and ], as in [rescued] or [not rescued]"));
    }
    Ok(Some(Guard { word, wanted }))
}

/// A guard must name a word of some reading, or it could never make a difference.
fn check_guards(text: &Text) -> Result<(), Fault> {
    let check = |guard: &Option<Guard>, at: At| match guard {
        Some(guard) if !text.readings.iter().any(|reading| reading.split(',').any(|word| word == guard.word)) => {
            let known = if text.readings.is_empty() { "there are none" } else { "see the lines that begin with it" };
            Err(Fault::new(at, format!("no reading has the word `{}`; {known}", shorten(&guard.word))))
        }
        _ => Ok(()),
    };
    for section in &text.sections {
        check(&section.guard, section.at)?;
        if let Body::Rule(steps) = &section.body {
            steps.iter().try_for_each(|step| check(&step.guard, step.at))?;
        }
    }
    Ok(())
}

fn read_entry(body: &mut Body, guard: Option<Guard>, line: &mut Line<'_>) -> Result<(), Fault> {
    let at = line.at;
    if guard.is_some() && !matches!(body, Body::Rule(_)) {
        return Err(line.fault("only headings and lines of rules can begin with a reading"));
    }
    match body {
        Body::Rule(steps) => steps.push(Guarded { guard, at, step: read_step(line)? }),
        Body::Book { entries, .. } => {
            let board = line.word().ok_or_else(|| line.fault("expected a board"))?;
            let moves: Vec<Name> = std::iter::from_fn(|| line.word()).collect();
            if moves.is_empty() {
                return Err(line.fault("expected a move after the board"));
            }
            entries.push(Entry { board, moves });
        }
        Body::Pairing(pairs) => {
            let words: Vec<Name> = std::iter::from_fn(|| line.word()).collect();
            match &words[..] {
                [one, other] => pairs.push((one.clone(), other.clone(), false)),
                [one, other, same] if same.word == "same" => pairs.push((one.clone(), other.clone(), true)),
                _ => return Err(Fault::new(at, "expected two cells, and `same` if both get the same mark")),
            }
        }
        Body::Region(cells) => cells.extend(std::iter::from_fn(|| line.word())),
    }
    Ok(())
}

fn read_step(line: &mut Line<'_>) -> Result<Step, Fault> {
    let step = if line.keyword("on") {
        let (at, board) = (line.at, line.word().filter(|name| name.word.chars().all(is_name)));
        Step::On(board.ok_or_else(|| Fault::new(at, "expected the name of a board"))?)
    } else if line.keyword("when") {
        Step::When(condition(line, 0)?)
    } else if line.keyword("only") {
        Step::Only(condition(line, 0)?)
    } else if line.keyword("prefer") {
        if line.keyword("max") {
            Step::Max(expression(line, 0)?)
        } else if line.keyword("min") {
            Step::Min(expression(line, 0)?)
        } else {
            Step::Prefer(condition(line, 0)?)
        }
    } else {
        let given = shorten(line.rest.split_whitespace().next().unwrap_or_default());
        return Err(line.fault(format!("invalid line `{given}…`: expected when, only, prefer or on, or {HEADINGS}")));
    };
    match line.rest.is_empty() {
        true => Ok(step),
        false => Err(line.fault(format!(
            "`{}` is one too many; expected and, or, a comparison or the end of the line",
            shorten(line.rest)
        ))),
    }
}

/// A condition or an expression: a feature alone can be either.
enum Value {
    Condition(Condition),
    Expression(Expression),
}

fn condition(line: &mut Line<'_>, depth: usize) -> Result<Condition, Fault> {
    let at = line.at;
    as_condition(either(line, depth)?, at)
}

fn expression(line: &mut Line<'_>, depth: usize) -> Result<Expression, Fault> {
    let at = line.at;
    as_expression(either(line, depth)?, at)
}

fn as_condition(value: Value, at: At) -> Result<Condition, Fault> {
    match value {
        Value::Condition(condition) => Ok(condition),
        Value::Expression(Expression::Feature(term)) => Ok(Condition::Flag(term)),
        Value::Expression(found) => {
            Err(Fault::new(at, format!("`{found}` is a number; expected a condition, like {found} > 0")))
        }
    }
}

fn as_expression(value: Value, at: At) -> Result<Expression, Fault> {
    match value {
        Value::Expression(expression) => Ok(expression),
        Value::Condition(found) => {
            Err(Fault::new(at, format!("`{found}` is a condition; expected a number, like count({found})")))
        }
    }
}

/// `a or b`
fn either(line: &mut Line<'_>, depth: usize) -> Result<Value, Fault> {
    if depth > DEEPEST {
        return Err(line.fault(format!("too deep; expected at most {DEEPEST} levels of parentheses")));
    }
    joined(line, "or", depth, both, Condition::Or)
}

/// `a and b`
fn both(line: &mut Line<'_>, depth: usize) -> Result<Value, Fault> {
    joined(line, "and", depth, negated, Condition::And)
}

fn joined(
    line: &mut Line<'_>,
    word: &str,
    depth: usize,
    part: fn(&mut Line<'_>, usize) -> Result<Value, Fault>,
    join: fn(Vec<Condition>) -> Condition,
) -> Result<Value, Fault> {
    let at = line.at;
    let first = part(line, depth)?;
    if !line.rest.starts_with(word) {
        return Ok(first);
    }
    let mut parts = vec![as_condition(first, at)?];
    while line.keyword(word) {
        let at = line.at;
        parts.push(as_condition(part(line, depth)?, at)?);
    }
    Ok(Value::Condition(if parts.len() == 1 { parts.swap_remove(0) } else { join(parts) }))
}

/// `not a`, or a comparison
fn negated(line: &mut Line<'_>, depth: usize) -> Result<Value, Fault> {
    if depth > DEEPEST {
        return Err(line.fault(format!("too deep; expected at most {DEEPEST} levels of `not`")));
    }
    if line.keyword("not") {
        let at = line.at;
        let part = as_condition(negated(line, depth + 1)?, at)?;
        return Ok(Value::Condition(Condition::Not(Box::new(part))));
    }
    let at = line.at;
    let left = sum(line, depth)?;
    let Some((_, comparison)) = Comparison::ALL.into_iter().find(|(sign, _)| line.sign(sign)) else { return Ok(left) };
    let left = as_expression(left, at)?;
    let at = line.at;
    let right = as_expression(sum(line, depth)?, at)?;
    Ok(Value::Condition(Condition::Compare(left, comparison, right)))
}

/// `a + b - c`, from the left
fn sum(line: &mut Line<'_>, depth: usize) -> Result<Value, Fault> {
    let at = line.at;
    let mut total = atom(line, depth)?;
    for _ in 0..MOST_TERMS {
        let minus = line.rest.starts_with('-');
        if !(line.sign("+") || line.sign("-")) {
            return Ok(total);
        }
        let left = Box::new(as_expression(total, at)?);
        let at = line.at;
        let right = Box::new(as_expression(atom(line, depth)?, at)?);
        let joined = if minus { Expression::Minus(left, right) } else { Expression::Plus(left, right) };
        total = Value::Expression(joined);
    }
    Err(line.fault(format!("expected at most {MOST_TERMS} terms")))
}

/// A number, a feature, an aggregate, or something in parentheses
fn atom(line: &mut Line<'_>, depth: usize) -> Result<Value, Fault> {
    let at = line.at;
    if line.sign("(") {
        let value = either(line, depth + 1)?;
        close(line)?;
        return Ok(value);
    }
    let negative = line.rest.starts_with('-');
    if negative || line.rest.starts_with(|c: char| c.is_ascii_digit()) {
        return number(line);
    }
    let end = line.rest.find(|c| !is_name(c)).unwrap_or(line.rest.len());
    let name = line.take(end).to_string();
    line.skip();
    if name.is_empty() || ["and", "or", "not"].contains(&name.as_str()) {
        return Err(Fault::new(at, "expected a feature, a number or ( here"));
    }
    if !line.sign("(") {
        return Ok(Value::Expression(Expression::Feature(Term { name, argument: None, at })));
    }
    let value = match name.as_str() {
        "any" => Value::Condition(Condition::Any(Box::new(condition(line, depth + 1)?))),
        "count" => Value::Expression(Expression::Count(Box::new(condition(line, depth + 1)?))),
        "most" => Value::Expression(Expression::Most(Box::new(expression(line, depth + 1)?))),
        "least" => Value::Expression(Expression::Least(Box::new(expression(line, depth + 1)?))),
        _ => {
            let (end, at_word) =
                (line.rest.find(|c: char| "()".contains(c) || c.is_whitespace()).unwrap_or(line.rest.len()), line.at);
            let word = line.take(end).to_string();
            line.skip();
            if word.is_empty() {
                return Err(line.fault("expected a number or a word in the parentheses"));
            }
            let argument = Some(Name { word, at: at_word });
            Value::Expression(Expression::Feature(Term { name, argument, at }))
        }
    };
    close(line)?;
    Ok(value)
}

fn number(line: &mut Line<'_>) -> Result<Value, Fault> {
    let at = line.at;
    let digits = line.rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(line.rest.len(), |end| end + 1);
    let text = line.take(digits);
    line.skip();
    match text.parse::<i32>().ok().filter(|n| (-LARGEST..=LARGEST).contains(n)) {
        Some(n) => Ok(Value::Expression(Expression::Number(n))),
        None => Err(Fault::new(at, format!("invalid number `{}`: expected {}..={LARGEST}", shorten(text), -LARGEST))),
    }
}

fn close(line: &mut Line<'_>) -> Result<(), Fault> {
    match line.sign(")") {
        true => Ok(()),
        false => Err(line.fault("expected ) here")),
    }
}
