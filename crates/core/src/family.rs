//! One spelling for games: `family:parameters`, e.g. `mnk:4,4,3` or `order-chaos:6x6,k=5`.
//!
//! A family declares its parameters as data; the one parser here reads them, fills in defaults, checks
//! ranges and words every error the same way.

use crate::features::{Features, Pictured};
use crate::game::{Game, Notation};
use crate::measures::Measures;
use crate::strategy::{Strategy, StrategyFacts};
use std::fmt;
use std::fmt::Write as _;

/// Why a text names no game. Displays as one line that carries the input and what would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    given: String,
    why: String,
}

impl GameError {
    /// `why` says what would do.
    pub fn new(given: impl Into<String>, why: impl Into<String>) -> GameError {
        GameError { given: given.into(), why: why.into() }
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid game `{}`: {}", shorten(&self.given), self.why)
    }
}

impl std::error::Error for GameError {}

/// Input echoed in an error, cut to a readable length and free of control characters.
#[must_use]
pub fn shorten(given: &str) -> String {
    const LONGEST: usize = 80;
    let cut = given.char_indices().nth(LONGEST).map(|(cut, _)| cut);
    let clean = given[..cut.unwrap_or(given.len())].chars().map(|c| if c.is_control() { '␣' } else { c });
    clean.chain(cut.map(|_| '…')).collect()
}

/// The type and range of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number in an inclusive range.
    Int(i64, i64),
    /// One of a few words.
    Word(Vec<String>),
    /// Columns × rows, spelled `6x6`, each in an inclusive range.
    Size(i64, i64),
    /// Anything; the family checks it itself. The text names what is expected.
    Text(String),
}

impl Kind {
    /// One of these words.
    #[must_use]
    pub fn words(words: &[&str]) -> Kind {
        Kind::Word(words.iter().map(ToString::to_string).collect())
    }

    /// A text that the family checks itself; `expected` describes it for listings and errors.
    #[must_use]
    pub fn text(expected: &str) -> Kind {
        Kind::Text(expected.to_string())
    }

    /// The range in words, for listings and errors.
    #[must_use]
    pub fn range(&self) -> String {
        match self {
            Kind::Int(lo, hi) => format!("{lo}..={hi}"),
            Kind::Word(words) => words.join("|"),
            Kind::Size(lo, hi) => format!("{lo}x{lo}..={hi}x{hi}"),
            Kind::Text(expected) => expected.clone(),
        }
    }

    fn accepts(&self, value: &str) -> bool {
        let int = |text: &str, lo, hi| text.parse::<i64>().is_ok_and(|v| (lo..=hi).contains(&v));
        match *self {
            Kind::Int(lo, hi) => int(value, lo, hi),
            Kind::Word(ref words) => words.iter().any(|word| word == value),
            Kind::Size(lo, hi) => value.split_once('x').is_some_and(|(w, h)| int(w, lo, hi) && int(h, lo, hi)),
            Kind::Text(_) => true,
        }
    }

    /// The shortest spelling of an accepted value: `+03` and `3` are the same game.
    fn canonical(&self, value: &str) -> String {
        let int = |text: &str| text.parse::<i64>().map_or(text.to_string(), |v| v.to_string());
        match self {
            Kind::Int(..) => int(value),
            Kind::Size(..) => value.split('x').map(int).collect::<Vec<_>>().join("x"),
            Kind::Word(_) | Kind::Text(_) => value.to_string(),
        }
    }
}

/// One parameter of a family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its key, as in `k=5`.
    pub name: String,
    /// Its type and range.
    pub kind: Kind,
    /// The default value.
    pub default: String,
    /// One line for listings.
    pub help: String,
    /// Positional parameters are written without their key and always shown; the others are written
    /// `key=value` and shown only when they differ from the default.
    pub positional: bool,
}

impl Param {
    /// A parameter that is written `name=value`.
    #[must_use]
    pub fn keyed(name: &str, kind: Kind, default: &str, help: &str) -> Param {
        let [name, default, help] = [name, default, help].map(String::from);
        Param { name, kind, default, help, positional: false }
    }

    /// A parameter that is written as its value alone, in the order of declaration.
    #[must_use]
    pub fn positional(name: &str, kind: Kind, default: &str, help: &str) -> Param {
        Param { positional: true, ..Param::keyed(name, kind, default, help) }
    }
}

/// The facts of a family, known before a game is built. They own their texts, since rules that are read at run time
/// make families too.
///
/// ```
/// use agon_core::{Facts, Kind, family::usage};
///
/// let facts = Facts::new("pile", "Pile", "A move takes one or two counters; the player who takes the last one wins.")
///     .positional("n", Kind::Int(1, 99), "10", "counters")
///     .keyed("play", Kind::words(&["normal", "misere"]), "normal", "whether the last move wins or loses")
///     .alias("dozen", "pile:12");
/// assert_eq!(usage(&facts), "expected pile:N,play=normal|misere");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The word before the colon.
    pub family: String,
    /// The name people use.
    pub title: String,
    /// The rules in one or two sentences.
    pub rules: String,
    /// Parameters in positional order.
    pub params: Vec<Param>,
    /// Other spellings: alias, and the game it stands for.
    pub aliases: Vec<(String, String)>,
}

impl Facts {
    /// A family without parameters: the word before the colon, the name people use, the rules in one or two sentences.
    #[must_use]
    pub fn new(family: &str, title: &str, rules: &str) -> Facts {
        let [family, title, rules] = [family, title, rules].map(String::from);
        Facts { family, title, rules, params: Vec::new(), aliases: Vec::new() }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, param: Param) -> Facts {
        self.params.push(param);
        self
    }

    /// Adds several parameters.
    #[must_use]
    pub fn with_params(mut self, params: impl IntoIterator<Item = Param>) -> Facts {
        self.params.extend(params);
        self
    }

    /// Adds a parameter that is written as its value alone; see [`Param::positional`].
    #[must_use]
    pub fn positional(self, name: &str, kind: Kind, default: &str, help: &str) -> Facts {
        self.with(Param::positional(name, kind, default, help))
    }

    /// Adds a parameter that is written `name=value`; see [`Param::keyed`].
    #[must_use]
    pub fn keyed(self, name: &str, kind: Kind, default: &str, help: &str) -> Facts {
        self.with(Param::keyed(name, kind, default, help))
    }

    /// Adds another name for one game of the family.
    #[must_use]
    pub fn alias(mut self, alias: &str, spelling: &str) -> Facts {
        self.aliases.push((alias.to_string(), spelling.to_string()));
        self
    }
}

/// Parameter values, checked against their declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Params {
    given: String,
    values: Vec<(String, String)>,
}

impl Params {
    /// Reads the text after the colon. `given` is the whole spelling, for errors.
    pub fn parse(facts: &Facts, given: &str, text: &str) -> Result<Params, GameError> {
        let fail = |why: String| GameError::new(given, why);
        let mut slots: Vec<Option<String>> = vec![None; facts.params.len()];
        let mut position = 0;
        for part in text.split(',').map(str::trim) {
            if text.trim().is_empty() {
                break;
            }
            let (slot, value) = match part.split_once('=') {
                Some((key, value)) => {
                    let key = key.trim();
                    let slot = facts.params.iter().position(|p| p.name == key);
                    (
                        slot.ok_or_else(|| fail(format!("no parameter `{}`; {}", shorten(key), usage(facts))))?,
                        value.trim(),
                    )
                }
                None => {
                    let slot = position;
                    position += 1;
                    if !facts.params.get(slot).is_some_and(|p| p.positional) {
                        return Err(fail(format!("`{}` is one too many; {}", shorten(part), usage(facts))));
                    }
                    (slot, part)
                }
            };
            let param = &facts.params[slot];
            if slots[slot].is_some() {
                return Err(fail(format!("{} is given twice", param.name)));
            }
            if !param.kind.accepts(value) {
                return Err(fail(format!("{} must be {}", param.name, param.kind.range())));
            }
            slots[slot] = Some(param.kind.canonical(value));
        }
        let values = facts.params.iter().zip(slots);
        let values = values.map(|(p, v)| (p.name.clone(), v.unwrap_or_else(|| p.default.clone()))).collect();
        Ok(Params { given: given.to_string(), values })
    }

    /// The text of a parameter. Asking for one that was not declared is a bug.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.values.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => value,
            None => panic!("parameter `{name}` is not declared"),
        }
    }

    /// The same parameters with another text for one of them, which a game knows to mean the same.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Params {
        self.values.iter_mut().filter(|(key, _)| *key == name).for_each(|(_, value)| *value = text.to_string());
        self
    }

    /// A parameter declared as [`Kind::Int`].
    #[must_use]
    pub fn int(&self, name: &str) -> usize {
        self.text(name).parse().unwrap_or_else(|_| panic!("parameter `{name}` is not declared as a number"))
    }

    /// A parameter declared as [`Kind::Size`]: columns, rows.
    #[must_use]
    pub fn size(&self, name: &str) -> (usize, usize) {
        let parts = self.text(name).split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        parts.unwrap_or_else(|| panic!("parameter `{name}` is not declared as a size"))
    }

    /// An error about a combination of parameters.
    #[must_use]
    pub fn error(&self, why: impl Into<String>) -> GameError {
        GameError::new(&self.given, why)
    }

    /// The one spelling of this game: positional parameters, then what differs from the defaults.
    #[must_use]
    pub fn spelling(&self, facts: &Facts) -> String {
        let mut out = facts.family.to_string();
        let mut separator = ':';
        for (param, (_, value)) in facts.params.iter().zip(&self.values) {
            if param.positional {
                let _ = write!(out, "{separator}{value}");
            } else if *value != param.default {
                let _ = write!(out, "{separator}{}={value}", param.name);
            } else {
                continue;
            }
            separator = ',';
        }
        out
    }
}

/// The syntax of a family's spelling, in one line.
#[must_use]
pub fn usage(facts: &Facts) -> String {
    if facts.params.is_empty() {
        return format!("`{}` takes no parameters", facts.family);
    }
    let part = |p: &Param| if p.positional { p.name.to_uppercase() } else { format!("{}={}", p.name, p.kind.range()) };
    let parts: Vec<String> = facts.params.iter().map(part).collect();
    format!("expected {}:{}", facts.family, parts.join(","))
}

/// The longest spelling of a game that is accepted, in bytes. It leaves room for a path.
pub const LONGEST_SPELLING: usize = 4096;

/// Refuses a spelling of more than [`LONGEST_SPELLING`] bytes.
pub fn check_length(spelling: &str) -> Result<(), GameError> {
    if spelling.len() <= LONGEST_SPELLING {
        return Ok(());
    }
    let why = format!("it has {} bytes; expected at most {LONGEST_SPELLING}", spelling.len());
    Err(GameError::new(spelling, why))
}

/// Splits `family:parameters`.
#[must_use]
pub fn split_spelling(given: &str) -> (&str, &str) {
    let given = given.trim();
    given.split_once(':').map_or((given, ""), |(family, text)| (family.trim(), text))
}

/// Hexadecimal digits of the hash of rules in a spelling.
const HASH_DIGITS: usize = 32;

/// The hash of the rules at the end of a spelling, as in `board:FILE.toml#0123…`; present if the rules come from a
/// file.
#[must_use]
pub fn rules_hash(spelling: &str) -> Option<&str> {
    let (_, hash) = spelling.rsplit_once('#')?;
    let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (hash.len() == HASH_DIGITS && hash.bytes().all(digits)).then_some(hash)
}

/// Returns whether two canonical spellings name the same rules. Where the rules come from a file, their hash counts and
/// the name of the file does not.
///
/// ```
/// use agon_core::family::same_game;
/// let spelled = |file: &str, digit: &str| format!("board:{file}#{}", digit.repeat(32));
/// assert!(same_game("mnk:3,3,3", "mnk:3,3,3") && !same_game("mnk:3,3,3", "mnk:4,4,3"));
/// assert!(same_game(&spelled("a.toml", "0"), &spelled("there/b.toml", "0")));
/// assert!(!same_game(&spelled("a.toml", "0"), &spelled("a.toml", "1")));
/// ```
#[must_use]
pub fn same_game(one: &str, other: &str) -> bool {
    let hashed = |spelling| rules_hash(spelling).map(|hash| (split_spelling(spelling).0, hash));
    one == other || hashed(one).is_some_and(|one| hashed(other) == Some(one))
}

/// A reduction: a smaller fact from which it follows that a strategy wins.
pub enum Reduction<G: Game> {
    /// The strategy plays another strategy on a sub-board, and a lemma does the rest.
    Lifted(G, Box<dyn Strategy<G>>),
    /// The strategy is a pairing strategy: pairs of cells by name, and whether both get the same mark.
    Pairing(Vec<(String, String, bool)>),
}

/// A family of games, built from a spelling.
///
/// ```
/// use agon_core::{Family, toy::Pile};
///
/// let (game, spelling) = Pile::from_spelling("pile: 07").unwrap();
/// assert_eq!((game, spelling.as_str()), (Pile::new(7), "pile:7"));
/// let error = Pile::from_spelling("pile:100").unwrap_err();
/// assert_eq!(error.to_string(), "invalid game `pile:100`: n must be 1..=99");
/// ```
pub trait Family: Game + Notation + Sized {
    /// Name, rules, parameters, aliases.
    fn facts() -> Facts;

    /// Builds the game; single parameters are already in range, combinations are checked here.
    fn build(params: &Params) -> Result<Self, GameError>;

    /// Numbers that the literature defines for a position of this game, if it does.
    fn measures(&self, _pos: &Self::Position) -> Option<Measures> {
        None
    }

    /// The strategies this game (with these parameters) offers.
    fn strategies(&self) -> Vec<StrategyFacts> {
        Vec::new()
    }

    /// The strategy of that name; `reading` is the text after its colon, empty when there is none.
    /// `None` when the name or the reading is not one of [`Family::strategies`].
    fn strategy(&self, _name: &str, _reading: &str) -> Option<Box<dyn Strategy<Self>>> {
        None
    }

    /// The text of the strategy of that name, where it is written as text.
    fn strategy_text(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// The reduction of a strategy, for strategies that meet too many positions to be verified directly.
    fn reduction(&self, _name: &str, _reading: &str) -> Option<Reduction<Self>> {
        None
    }

    /// The features that strategies written as text can see. The default sees what the picture shows.
    fn vocabulary(&self) -> Box<dyn Features<Self>> {
        Box::new(Pictured::new(self))
    }

    /// The branching factor at each ply of the tree that ignores wins, if it depends on the ply alone. Without it,
    /// `count` omits that tree.
    fn played_out(&self) -> Option<Vec<u64>> {
        None
    }

    /// Reads a full spelling of this family.
    fn from_spelling(given: &str) -> Result<(Self, String), GameError> {
        let (_, text) = split_spelling(given);
        let facts = Self::facts();
        let params = Params::parse(&facts, given, text)?;
        Ok((Self::build(&params)?, params.spelling(&facts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts::new("toy", "Toy", "None.")
            .positional("board", Kind::Size(3, 8), "4x4", "")
            .keyed("k", Kind::Int(2, 8), "4", "")
            .keyed("row", Kind::words(&["atleast", "exact"]), "atleast", "")
    }

    fn spelled(text: &str) -> String {
        match Params::parse(&facts(), &format!("toy:{text}"), text) {
            Ok(params) => params.spelling(&facts()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn spellings_and_errors() {
        for (given, expected) in [
            ("", "toy:4x4"),
            ("6x6", "toy:6x6"),
            (" 6x6 , k = 5", "toy:6x6,k=5"),
            ("06x6,k=4,row=atleast", "toy:6x6"),
            ("row=exact,board=5x3", "toy:5x3,row=exact"),
            ("9x9", "invalid game `toy:9x9`: board must be 3x3..=8x8"),
            ("4x4,k=nine", "invalid game `toy:4x4,k=nine`: k must be 2..=8"),
            ("4x4,k=5,k=5", "invalid game `toy:4x4,k=5,k=5`: k is given twice"),
            ("4x4,5", "invalid game `toy:4x4,5`: `5` is one too many; expected toy:BOARD,k=2..=8,row=atleast|exact"),
            ("4x4,z=1", "invalid game `toy:4x4,z=1`: no parameter `z`; expected toy:BOARD,k=2..=8,row=atleast|exact"),
            ("4x4,", "invalid game `toy:4x4,`: `` is one too many; expected toy:BOARD,k=2..=8,row=atleast|exact"),
        ] {
            assert_eq!(spelled(given), expected, "{given}");
        }
    }

    #[test]
    fn a_spelling_is_a_fixed_point() {
        for given in ["", "3x8,row=exact", "k=7"] {
            let once = spelled(given);
            assert_eq!(spelled(split_spelling(&once).1), once);
        }
    }

    #[test]
    fn long_or_odd_input_is_echoed_safely() {
        assert_eq!(shorten("a\nb"), "a␣b");
        assert!(shorten(&"é".repeat(500)).chars().count() <= 81);
    }
}
