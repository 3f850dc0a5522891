//! Strategies as people name or write them, for every kind of game.

use super::StrategyRequest;
use super::game::Erased;
use agon_core::family::shorten;
use agon_core::strategy::Patched;
use agon_core::{Evaluate, Family, Game, Strategy, Symmetric};
use agon_report::failure::Failure;
use agon_solve::strategy::Moves;
use agon_strategies::text::{At, Body, Entry, Name, Section};
use agon_strategies::{Fault, Rules, Text};

/// A strategy as text, or as code.
pub(super) enum Written<G: Game> {
    /// Rules as text.
    Rules(Box<Rules<G>>),
    /// Anything else.
    Other(Box<dyn Strategy<G>>),
}

impl<G: Family> Written<G> {
    pub(super) fn as_dyn(&self) -> &dyn Strategy<G> {
        match self {
            Written::Rules(rules) => rules.as_ref(),
            Written::Other(strategy) => strategy.as_ref(),
        }
    }

    pub(super) fn boxed(self) -> Box<dyn Strategy<G>> {
        match self {
            Written::Rules(rules) => rules,
            Written::Other(strategy) => strategy,
        }
    }

    pub(super) fn text(&self) -> Option<&Text> {
        match self {
            Written::Rules(rules) => Some(rules.text()),
            Written::Other(_) => None,
        }
    }
}

/// A book whose boards stand for their images under symmetry too.
pub(super) fn book(name: String, entries: Vec<Entry>) -> Section {
    Section { name, guard: None, at: At::default(), body: Body::Book { exact: false, entries } }
}

/// The name, with a number behind it if the strategy has a section of that name.
pub(super) fn free_name(text: &Text, name: &str) -> String {
    let taken = |name: &String| text.sections.iter().any(|section| section.name == *name);
    let numbered = (2..).map(|n| format!("{name} {n}"));
    std::iter::once(name.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// Reads strategies.
impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// The strategy of that name or with that text, with its exceptions, if a file of them is given.
    pub(super) fn strategy(&self, request: &StrategyRequest) -> Result<Written<G>, Failure> {
        let (name, reading) = match request.brings_its_own() {
            true => (request.name.as_str(), request.reading.as_str()),
            false => request.name.split_once(':').unwrap_or((&request.name, "")),
        };
        let exceptions = match &request.exceptions {
            Some((file, text)) => self.exceptions(file, text)?,
            None => Vec::new(),
        };
        if let Some(called) = &request.called {
            let mut patched = Patched::new(Box::new(called.clone()));
            exceptions.iter().for_each(|(pos, mv)| patched.except(&self.game, pos, *mv));
            return Ok(Written::Other(Box::new(patched)));
        }
        let Some(text) = request.text.as_deref().or_else(|| self.game.strategy_text(name)) else {
            let base = self.game.strategy(name, reading).ok_or_else(|| self.no_strategy(name, reading))?;
            let mut patched = Patched::new(base);
            exceptions.iter().for_each(|(pos, mv)| patched.except(&self.game, pos, *mv));
            return Ok(Written::Other(Box::new(patched)));
        };
        let wrong = |fault: Fault| Failure::Usage(format!("`{}`, {fault}", shorten(name)));
        let parsed = Text::parse(text).map_err(wrong)?;
        let mut text = parsed.read_as(reading).ok_or_else(|| self.no_reading(name, reading, &parsed))?;
        if !exceptions.is_empty() {
            let entries = exceptions.iter().map(|(pos, mv)| self.entry(pos, &[*mv])).collect();
            text.sections.insert(0, book(free_name(&text, "exceptions"), entries));
        }
        Ok(Written::Rules(Box::new(Rules::new(&self.game, &text).map_err(wrong)?)))
    }

    /// The exceptions in a file: a position and a move on each line.
    fn exceptions(&self, file: &str, text: &str) -> Result<Moves<G>, Failure> {
        let mut exceptions = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why: String| Failure::Usage(format!("`{file}`, line {number}: {why}"));
            let words: Vec<&str> = line.split_whitespace().collect();
            let [pos, mv] = words[..] else { return Err(wrong("expected `POSITION MOVE`".into())) };
            let pos = self.game.parse(pos).map_err(|e| wrong(e.to_string()))?;
            let mv = self.game.parse_move(&pos, mv).map_err(|e| wrong(e.to_string()))?;
            // Of two lines about one position, up to symmetry, the later one counts.
            let canonical = self.game.canonical(&pos).0;
            exceptions.retain(|(other, _)| self.game.canonical(other).0 != canonical);
            exceptions.push((pos, mv));
        }
        Ok(exceptions)
    }

    /// A line of a book.
    pub(super) fn entry(&self, pos: &G::Position, moves: &[G::Move]) -> Entry {
        let name = |word: String| Name { word, at: At::default() };
        let moves = moves.iter().map(|&mv| name(self.game.show_move(pos, mv))).collect();
        Entry { board: name(self.game.show(pos)), moves }
    }

    fn no_reading(&self, name: &str, reading: &str, text: &Text) -> Failure {
        let known = match text.readings.is_empty() {
            true => format!("{} has a single, unnamed reading", shorten(name)),
            false => format!("{name} has the readings {}", shorten(&text.readings.join(" | "))),
        };
        Failure::Usage(format!("invalid strategy `{}:{}`: {known}", shorten(name), shorten(reading)))
    }

    /// Why there is no such strategy.
    fn no_strategy(&self, name: &str, reading: &str) -> Failure {
        let known = self.game.strategies();
        let why = match known.iter().find(|s| s.name == name) {
            Some(facts) if facts.readings.is_empty() => format!("{name} has a single, unnamed reading"),
            Some(facts) => format!("{name} has the readings {}", facts.readings.join(" | ")),
            None if known.is_empty() => format!("{} has no strategies; write one as FILE.rules", self.spelling),
            None => {
                let known: Vec<&str> = known.iter().map(|s| s.name).collect();
                format!("expected one of {}, or a FILE.rules", known.join(", "))
            }
        };
        let (name, reading) = (shorten(name), shorten(reading));
        let colon = if reading.is_empty() { "" } else { ":" };
        Failure::Usage(format!("invalid strategy `{name}{colon}{reading}`: {why}"))
    }
}
