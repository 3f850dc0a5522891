//! The games by name: a value that is handed to commands, pages and the checker. A family is one entry.

use crate::entry::{Entry, KnownValue};
use crate::erased::{AnyGame, board_file};
use crate::standard::entries;
use agon_core::family::{check_length, same_game, split_spelling};
use agon_core::{Bounds, GameError, Player};
use agon_report::Known;
use agon_report::failure::Failure;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The families that can be asked for by name.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Arc<Entry>>,
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries().map(|entry| &entry.facts.family)).finish()
    }
}

impl Registry {
    /// No family at all.
    #[must_use]
    pub fn empty() -> Registry {
        Registry { entries: Vec::new() }
    }

    /// The families that come with agon. No spelling opens a file; see [`Registry::with_board_files`].
    #[must_use]
    pub fn standard() -> Registry {
        entries().into_iter().fold(Registry::empty(), Registry::with)
    }

    /// Adds a family, replacing any family of the same name.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Registry {
        let entry = Arc::new(entry);
        match self.entries.iter_mut().find(|other| other.facts.family == entry.facts.family) {
            Some(other) => *other = entry,
            None => self.entries.push(entry),
        }
        self
    }

    /// Allows spellings to name board files. A page that anybody can open must not read files.
    #[must_use]
    pub fn with_board_files(self) -> Registry {
        self.with(board_file(true))
    }

    /// Every family.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(Arc::as_ref)
    }

    /// The game that pages show first: that of the first entry that features one, or else the first family.
    ///
    /// ```
    /// use agon_registry::Registry;
    ///
    /// assert_eq!(Registry::standard().featured(), Some("tic-tac-toe"));
    /// assert_eq!(Registry::empty().featured(), None);
    /// ```
    #[must_use]
    pub fn featured(&self) -> Option<&str> {
        let named = self.entries().find_map(Entry::featured);
        named.or_else(|| self.entries().next().map(|entry| entry.facts.family.as_str()))
    }

    /// The family that a spelling begins with. Case, blanks, hyphens, underscores and apostrophes do not matter as long
    /// as one family alone is meant.
    #[must_use]
    pub fn entry(&self, spelling: &str) -> Option<&Entry> {
        let (name, _) = split_spelling(spelling);
        let exact = self.entries().find(|entry| entry.facts.family.eq_ignore_ascii_case(name));
        exact.or_else(|| match self.named_like(name)[..] {
            [Name { spelling: None, entry, .. }] => Some(entry),
            _ => None,
        })
    }

    /// The value that is known for the start of the game of that canonical spelling.
    #[must_use]
    pub fn known(&self, spelling: &str) -> Option<&KnownValue> {
        self.entry(spelling)?.known().iter().find(|known| known.game == spelling)
    }

    /// The published value of a position, for its mover and compared with what was proven now. Only starts
    /// of games are known.
    pub fn known_at(&self, game: &dyn AnyGame, pos: &str, proved: Bounds) -> Result<Option<Known>, Failure> {
        let Some(known) = self.known(game.spelling()).filter(|_| pos == game.start()) else { return Ok(None) };
        let value = if game.turn(pos)? == Player::First { known.value } else { known.value.flip() };
        Ok(Some(Known::new(value, &known.says, &known.source, proved)))
    }

    /// Returns whether a spelling begins with the name of a family or an alias.
    #[must_use]
    pub fn knows(&self, spelling: &str) -> bool {
        self.entry(spelling).is_some() || self.alias(split_spelling(spelling).0).is_some()
    }

    /// The game of that spelling, alias or family name. Neither the spelling given nor the canonical one may be longer
    /// than [`LONGEST_SPELLING`](agon_core::family::LONGEST_SPELLING): what is written can be read again.
    pub fn game(&self, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
        check_length(given)?;
        let game = self.build(given)?;
        check_length(game.spelling())?;
        Ok(game)
    }

    fn build(&self, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
        let refused = match self.build_as_spelled(given) {
            Ok(game) => return Ok(game),
            Err(refused) => refused,
        };
        let meant = self.other_spellings(given).into_iter().find_map(|other| self.build_as_spelled(&other).ok());
        meant.ok_or(refused)
    }

    /// What people may mean by a spelling: `4x4` for `4,4` and the other way round, blanks for a colon and commas.
    fn other_spellings(&self, given: &str) -> Vec<String> {
        let mut synonyms = self.entries().flat_map(Entry::synonyms);
        if let Some((_, spelling)) = synonyms.find(|(name, _)| letters(name).eq(letters(given))) {
            return vec![spelling.to_string()];
        }
        let spaced = match given.trim().find(|c: char| c.is_ascii_digit()) {
            Some(at) if !given.contains(':') => {
                let (name, text) = given.trim().split_at(at);
                format!("{}:{}", name.trim(), text.split_whitespace().collect::<Vec<_>>().join(","))
            }
            _ => given.trim().to_string(),
        };
        let (name, text) = split_spelling(&spaced);
        // The first two numbers, and what stands between them.
        let first = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (columns, rest) = text.split_at(first);
        let crossed = match rest.chars().next() {
            Some('x' | 'X' | '×') => Some(","),
            Some(',') => Some("x"),
            _ => None,
        };
        let crossed = crossed.map(|sign| {
            let rows = rest.chars().skip(1).collect::<String>();
            format!("{name}:{columns}{sign}{}", rows.trim_start())
        });
        crossed.into_iter().chain([spaced.clone()]).collect()
    }

    fn build_as_spelled(&self, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
        if let Some(entry) = self.entry(given) {
            return entry.build(given);
        }
        let (name, text) = split_spelling(given);
        match self.alias(name) {
            Some((_, spelling, entry)) if text.is_empty() => entry.build(spelling),
            Some((alias, spelling, entry)) => {
                let family = &entry.facts.family;
                let why = format!("{alias} stands for {spelling} and takes no parameters; use {family}:…");
                Err(GameError::new(given, why))
            }
            None => Err(GameError::new(given, self.near_names(name))),
        }
    }

    /// Returns whether the rules of the game of that spelling come from a file.
    #[must_use]
    pub fn names_a_file(&self, spelling: &str) -> bool {
        let Some(entry) = self.entry(spelling) else { return false };
        // By the family's own name, however it was spelled.
        let own = format!("{}:{}", entry.facts.family, split_spelling(spelling).1);
        entry.from_file().is_some_and(|from_file| (from_file.names_a_file)(&own))
    }

    /// The game that a file is about: its canonical spelling and, where they come from a file, its rules in canonical
    /// form. Opens no file: who wrote the spelling may be anybody.
    pub fn described(&self, spelling: &str, rules: Option<&str>) -> Result<Box<dyn AnyGame>, GameError> {
        check_length(spelling)?;
        let built = match (rules, self.entry(spelling).and_then(Entry::from_file)) {
            (Some(rules), Some(from_file)) => (from_file.build)(spelling, rules)?,
            (Some(_), None) => {
                let why = "its rules do not come from a file, so no rules may be given with it";
                return Err(GameError::new(spelling, why));
            }
            (None, _) if self.names_a_file(spelling) => {
                let why = "the rules of a board from a file must be stored with it, because the file itself is not opened. \
                           Files from an earlier version have no rules: make them again";
                return Err(GameError::new(spelling, why));
            }
            (None, _) => self.game(spelling)?,
        };
        if is_spelling_of(built.as_ref(), spelling) {
            Ok(built)
        } else {
            Err(GameError::new(spelling, format!("it should be spelled {}", built.spelling())))
        }
    }

    /// The game of a canonical spelling that was written to a file by agon.
    pub fn canonical(&self, spelling: &str) -> Result<Box<dyn AnyGame>, GameError> {
        let built = self.game(spelling)?;
        if is_spelling_of(built.as_ref(), spelling) {
            return Ok(built);
        }
        let now = built.spelling();
        let why = match self.names_a_file(spelling) {
            true => format!(
                "it was written by an earlier version, which did not store the rules; the current rules are {now}"
            ),
            false => format!("it should be spelled {now}"),
        };
        Err(GameError::new(spelling, why))
    }

    /// Aliases with the game each stands for.
    fn aliases(&self) -> impl Iterator<Item = (&str, &str, &Entry)> {
        self.entries().flat_map(|entry| entry.aliases().map(move |(alias, game)| (alias, game, entry)))
    }

    /// The alias of that name, as tolerantly as [`Registry::entry`] reads names.
    fn alias(&self, name: &str) -> Option<(&str, &str, &Entry)> {
        let exact = self.aliases().find(|(alias, _, _)| alias.eq_ignore_ascii_case(name));
        exact.or_else(|| match self.named_like(name)[..] {
            [Name { name, spelling: Some(spelling), entry }] => Some((name, spelling, entry)),
            _ => None,
        })
    }

    /// Every name of a family, and every alias.
    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        let families = self.entries().map(|entry| Name { name: &entry.facts.family, spelling: None, entry });
        families.chain(self.aliases().map(|(name, game, entry)| Name { name, spelling: Some(game), entry }))
    }

    /// The names that differ from `name` in case, blanks, hyphens, underscores and apostrophes at most. Names of the
    /// same game count once.
    fn named_like(&self, name: &str) -> Vec<Name<'_>> {
        let mut like: Vec<Name<'_>> = self.names().filter(|other| letters(other.name).eq(letters(name))).collect();
        like.dedup_by_key(|name| (name.entry.facts.family.as_str(), name.spelling));
        like
    }

    /// What a name means that people know for a game which agon does not have: what is nearest.
    #[must_use]
    pub fn elsewhere(&self, given: &str) -> Option<&'static str> {
        ELSEWHERE.iter().find(|(name, _)| letters(name).eq(letters(given))).map(|(_, why)| *why)
    }

    /// `did you mean …?`, with the nearest names; or what a name is, where none is near.
    fn near_names(&self, given: &str) -> String {
        if let Some(why) = self.elsewhere(given) {
            return why.to_string();
        }
        const MAX_SUGGESTIONS: usize = 5;
        let wanted: String = letters(&given.chars().take(64).collect::<String>()).collect();
        let (far, length) = (wanted.len().div_ceil(3), wanted.chars().count());
        let distance = |name: &str| {
            let name: String = letters(name).collect();
            // No two texts are nearer than their lengths; the exact distance of a far one does not matter.
            let least = length.abs_diff(name.chars().count());
            let part = wanted.len() >= 3 && (name.contains(&wanted) || name.len() >= 5 && wanted.contains(&name));
            match part {
                true => 0,
                false if least > far => least,
                false => strsim::damerau_levenshtein(&wanted, &name),
            }
        };
        let mut near: Vec<(usize, &str)> = self.names().map(|name| (distance(name.name), name.name)).collect();
        near.retain(|(distance, _)| *distance <= far && far > 0);
        near.sort_by_key(|(distance, _)| *distance);
        match near.iter().take(MAX_SUGGESTIONS).map(|(_, name)| *name).collect::<Vec<_>>()[..] {
            [] => "expected the name of a family, like mnk:4,4,3, or an alias, like tic-tac-toe".to_string(),
            ref names => format!("did you mean {}?", names.join(", ")),
        }
    }
}

/// Games that agon does not have: what is nearest, and why it is not the same.
const ELSEWHERE: &[(&str, &str)] = &[
    ("gomoku", GOMOKU),
    ("five in a row", GOMOKU),
    ("renju", GOMOKU),
    ("pente", GOMOKU),
    ("chess", "agon has no chess; did you mean dawson (Dawson's chess, a game of pawns played with heaps)?"),
    ("go", "agon has no Go; did you mean mnk:8,8,5, in which marks stay where they are placed?"),
    ("hex", "agon has no Hex; did you mean tak:5, in which a road also joins opposite edges?"),
];

/// What is nearest to gomoku.
const GOMOKU: &str = "did you mean mnk:8,8,5? It is the nearest: boards have at most 64 cells, so 15 × 15 is too large";

/// The name of a family, or an alias with the game it stands for.
struct Name<'a> {
    name: &'a str,
    spelling: Option<&'a str>,
    entry: &'a Entry,
}

/// The characters of a name that matter in a comparison.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let ignored = |c: char| c.is_whitespace() || matches!(c, '-' | '_' | '\'' | '’' | '‘' | '`');
    name.chars().filter(move |&c| !ignored(c)).flat_map(char::to_lowercase)
}

/// The families that come with agon, made once.
pub fn standard() -> &'static Registry {
    static STANDARD: LazyLock<Registry> = LazyLock::new(Registry::standard);
    &STANDARD
}

/// Returns whether a file that names its game so is about this game: by its canonical spelling, or by the canonical
/// spelling of an earlier version.
#[must_use]
pub fn is_spelling_of(game: &dyn AnyGame, text: &str) -> bool {
    same_game(&agon_games::impartial::modern(text), game.spelling())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_people_write_them() {
        let registry = Registry::standard();
        for (given, spelling) in [
            ("connect 4", "drop:7,6,4"),
            ("Four in a Row", "drop:7,6,4"),
            ("Nine Men’s Morris", "morris:nine"),
            ("mills", "morris:nine"),
            ("mnk 4,4,3", "mnk:4,4,3"),
            ("mnk 4 4 3", "mnk:4,4,3"),
            ("mnk:4x4,3", "mnk:4,4,3"),
            ("mnk: 4 x 4, 3", "mnk:4,4,3"),
            ("order-chaos:4,4,k=4", "order-chaos:4x4,k=4"),
            ("Order and Chaos", "order-chaos:6x6"),
            ("cram:3,2", "cram:3x2"),
            ("tak 5", "tak:5"),
        ] {
            let game = registry.game(given).unwrap_or_else(|error| panic!("{given}: {error}"));
            assert_eq!(game.spelling(), spelling, "{given}");
        }
        for (name, spelling) in registry.entries().flat_map(Entry::synonyms) {
            assert_eq!(registry.game(name).unwrap().spelling(), registry.game(spelling).unwrap().spelling(), "{name}");
        }
        for (name, why) in ELSEWHERE {
            let refused = registry.game(name).map(drop).unwrap_err().to_string();
            assert!(refused.contains(why) && why.contains("did you mean"), "{refused}");
        }
        assert!(registry.game("mnk:4x4x3").is_err() && registry.game("").is_err());
    }
}
