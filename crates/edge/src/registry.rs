//! The games by name: a value that is handed to commands, pages and the checker. A family is one entry.

use crate::entry::Entry;
use crate::erased::{AnyGame, Capabilities, board_file, heaps, mill_families, tak};
use agon_core::family::{check_length, same_game, split_spelling};
use agon_core::{GameError, Wdl};
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Coded, Dawson, GrundysGame, Kayles, Nim, Subtraction};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
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
        f.debug_list().entries(self.entries().map(|entry| entry.facts.family)).finish()
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
        standard_entries().into_iter().fold(Registry::empty(), Registry::with)
    }

    /// One family more, or another in the place of the one with the same name.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Registry {
        let entry = Arc::new(entry);
        match self.entries.iter_mut().find(|other| other.facts.family == entry.facts.family) {
            Some(other) => *other = entry,
            None => self.entries.push(entry),
        }
        self
    }

    /// From now on a spelling may name a file with a board. A page that anybody can open must not read files.
    #[must_use]
    pub fn with_board_files(self) -> Registry {
        self.with(board_file(true))
    }

    /// Every family.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(Arc::as_ref)
    }

    /// The family that a spelling begins with.
    #[must_use]
    pub fn entry(&self, spelling: &str) -> Option<&Entry> {
        let (name, _) = split_spelling(spelling);
        self.entries().find(|entry| entry.facts.family.eq_ignore_ascii_case(name))
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
        if let Some(entry) = self.entry(given) {
            return entry.build(given);
        }
        let (name, text) = split_spelling(given);
        match self.aliases().find(|(alias, _, _)| alias.eq_ignore_ascii_case(name)) {
            Some((_, spelling, entry)) if text.is_empty() => entry.build(spelling),
            Some((alias, spelling, entry)) => {
                let family = entry.facts.family;
                let why = format!("{alias} stands for {spelling} and takes no parameters; use {family}:…");
                Err(GameError::new(given, why))
            }
            None => Err(GameError::new(given, format!("expected {}", self.known_names(name)))),
        }
    }

    /// Whether the rules of the game of that spelling come from a file.
    #[must_use]
    pub fn names_a_file(&self, spelling: &str) -> bool {
        let from_file = self.entry(spelling).and_then(Entry::from_file);
        from_file.is_some_and(|from_file| (from_file.names_a_file)(spelling))
    }

    /// The game that a file is about: its canonical spelling and, where they come from a file, its rules in canonical
    /// form. Opens no file: who wrote the spelling may be anybody.
    pub fn described(&self, spelling: &str, rules: Option<&str>) -> Result<Box<dyn AnyGame>, GameError> {
        check_length(spelling)?;
        let built = match (rules, self.entry(spelling).and_then(Entry::from_file)) {
            (Some(rules), Some(from_file)) => (from_file.build)(spelling, rules)?,
            (Some(_), None) => {
                let why = "its rules do not come from a file, so no rules may stand beside it";
                return Err(GameError::new(spelling, why));
            }
            (None, _) if self.names_a_file(spelling) => {
                let why = "the rules of a board from a file must stand beside it, for no such file is looked for. An \
                           earlier version wrote none: make it again";
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
            true => format!("an earlier version wrote it and did not keep the rules; those there now are {now}"),
            false => format!("it should be spelled {now}"),
        };
        Err(GameError::new(spelling, why))
    }

    /// Aliases with the game each stands for.
    fn aliases(&self) -> impl Iterator<Item = (&str, &str, &Entry)> {
        let of = |entry: &'_ Arc<Entry>| entry.facts.aliases.iter();
        self.entries.iter().flat_map(move |entry| of(entry).map(move |(alias, game)| (*alias, *game, entry.as_ref())))
    }

    /// The names that would do, the nearest first.
    fn known_names(&self, near: &str) -> String {
        let families = self.entries().map(|entry| entry.facts.family);
        let mut names: Vec<&str> = families.chain(self.aliases().map(|(alias, _, _)| alias)).collect();
        let near: String = near.chars().take(64).collect();
        names.sort_by_key(|name| strsim::levenshtein(&near, name));
        format!("one of {}", names.join(", "))
    }
}

/// The families that come with agon, made once.
pub fn standard() -> &'static Registry {
    static STANDARD: LazyLock<Registry> = LazyLock::new(Registry::standard);
    &STANDARD
}

/// The families that come with agon. [`Entry::acyclic`] accepts only games with all that its methods need; anything else
/// does not compile. [`Entry::cyclic`] and [`Entry::indexed`] are for games in which play can cycle.
fn standard_entries() -> Vec<Entry> {
    let mut entries = vec![
        Entry::acyclic::<Mnk>()
            .with_title("mnk:3,3,3", "Tic-tac-toe")
            .with_example("mnk:3,3,3", "", "b2 a3", "The players mark empty cells in turn, x first.")
            .with_example("mnk:3,3,3", "", "a1 b1 b2 c2 c3", "Three of your marks in a row, column or diagonal win.")
            .with_example("mnk:3,3,3", "", "b2 a1 c1 a3 a2 c2 b1 b3 c3", "A full board without such a row is a draw.")
            .with_thumbnail("mnk:3,3,3", "", "b2 a3 c1 a1 a2"),
        Entry::acyclic::<Drop>()
            .with_title("drop:7,6,4", "Connect four")
            .with_example(
                "drop:7,6,4",
                "",
                "d c d",
                "A man falls to the lowest empty hole of its column: click anywhere in it.",
            )
            .with_example("drop:7,6,4", "", "d d e c f f c e g", "Four in an unbroken row, column or diagonal win.")
            .with_thumbnail("drop:7,6,4", "", "d d c e c c e d e b f b d")
            .with_known("drop:7,6,4", Wdl::Win, "x wins", "published: Allis, and Allen, 1988; not computed here"),
        Entry::acyclic::<OrderChaos>()
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c4",
                "Both may put either mark into any empty cell: a click asks which.",
            )
            .with_example(
                "order-chaos:6x6",
                "",
                "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 X@e5 O@f6 X@a1",
                "Five equal marks in a row: order has won, whoever placed them. On a full board without them, chaos \
                 has.",
            )
            .with_thumbnail("order-chaos:6x6", "", "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 O@e3 X@a6 O@b5")
            .with_known("order-chaos:6x6", Wdl::Win, "order wins", "solved here: docs/results/order-chaos.md"),
        tak()
            .with_example("tak:5", "", "a5 e1", "The first move of each side puts down a flat stone of the opponent.")
            .with_example(
                "tak:5",
                "",
                "a5 e1 c3 Sc4 Cb3",
                "From then on you place, on an empty square, a flat, a wall (leaning) or the capstone (the cone).",
            )
            .with_example(
                "tak:5",
                "x5/x5/x5/x,121,x3/2,x3,1 1 5",
                "3b2>12",
                "Or you move a stack that you own, up to five pieces: straight on, at least one dropped on every square. \
                 Here one on c2, two on d2.",
            )
            .with_example(
                "tak:5",
                "x5/x5/x,1C,2S,x2/x5/2,x3,1 1 5",
                "b3>*",
                "Nothing moves onto a wall or a capstone; but a capstone alone flattens a wall.",
            )
            .with_example(
                "tak:5",
                "x5/x2,2,x2/1,1,x,1,1/2,2,2,x2/x4,2 1 7",
                "c3",
                "A road of flats and capstones from edge to edge wins; walls do not count. When a reserve is empty or \
                 the board full, more flats on top win.",
            )
            .with_thumbnail("tak:5", "2,x,1,x2/x,12S,1121C,2,x/x,1,212,x,1/x,1,x,2C,x/2,1,x,2,1 2 14", ""),
        heaps::<Coded>(),
        heaps::<Subtraction>(),
        heaps::<Nim>(),
        heaps::<Kayles>(),
        heaps::<Dawson>(),
        heaps::<GrundysGame>(),
        Entry::impartial::<Play<Treblecross>>().with_thumbnail("treblecross:1x9", "", "2 6 9"),
        Entry::impartial::<Play<Tiles<Ellie>>>().with_thumbnail("ellie:4x4", "", "a4b4a3 c2d2d1"),
        // Its strongest search plays out instead of looking ahead; docs/agents.md has the measurement.
        Entry::of::<Play<Tiles<Cram>>>(|game| Capabilities::impartial(game).plays_out()).with_thumbnail(
            "cram:4x4",
            "",
            "a4a3 b3c3 d2d1",
        ),
        Entry::impartial::<Play<Circle>>(),
        Entry::impartial::<Play<Sum>>(),
    ];
    entries.extend(mill_families().map(|entry| {
        match entry.facts.family {
        "antrin" => entry
            .with_example("antrin:3", "", "a1 a2 b1 c3", "Each side first places three men on the points, in turn.")
            .with_example("antrin:3", "", "a1 a2 b1 c3 b3 c2 b3-b2", "Then a man moves along a line to an empty point.")
            .with_example("antrin:3", "", "a1 a2 b1 b2 c1", "Three in a row or column win; diagonals do not count."),
        "morris" => entry
            .with_title("morris:nine", "Nine men's morris")
            .with_title("morris:six", "Six men's morris")
            .with_title("morris:morabaraba", "Morabaraba")
            .with_example("morris:nine", "", "a1 b2 d1 b4", "Each side first places nine men on the points, in turn.")
            .with_example(
                "morris:nine",
                "",
                "a1 b2 d1 b4 g1xb2",
                "Three in a line, a mill, take a man of the other side; one that stands in no mill, if there is one.",
            )
            .with_example(
                "morris:nine",
                "B.W/.B./W.B/W.B.W./.../.WB/B.W:w",
                "g7-g4",
                "When all are placed, men move along the lines; with three men left, to any empty point. Fewer than \
                 three, or no move, is a loss.",
            )
            .with_thumbnail("morris:nine", "", "d2 d6 f4 b4 f2 b6 f6xb4 b2 a1 g7 a4 g4")
            .with_known(
                "morris:nine",
                Wdl::Draw,
                "a draw",
                "published: Gasser 1996; solved here: docs/results/nine-mens-morris.md",
            ),
        _ => entry,
    }
    }));
    entries.push(board_file(false));
    entries
}

/// Whether a file that names its game so is about this game: by its one spelling, or by what was its one spelling in an
/// earlier version.
#[must_use]
pub fn is_spelling_of(game: &dyn AnyGame, text: &str) -> bool {
    same_game(&agon_games::impartial::modern(text), game.spelling())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_that_nobody_types_is_refused_with_its_length() {
        let (games, long) = (standard(), format!("sum:{}", vec!["(nim:24)"; 2111].join("+")));
        let refused = [games.game(&long).err(), games.described(&long, None).err(), games.canonical(&long).err()];
        for why in refused {
            let why = why.expect("it is too long").to_string();
            assert!(why.contains("it has 19002 bytes; expected at most 4096") && why.len() < 300, "{why}");
        }
        let fits = format!("nim:{}24", " ".repeat(4096 - "nim:24".len()));
        assert_eq!(
            (fits.len(), standard().game(&fits).map(|game| game.spelling().to_string())),
            (4096, Ok("nim:24".into()))
        );
    }

    #[test]
    fn names_aliases_and_what_would_do() {
        assert_eq!(standard().game("tic-tac-toe").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
        assert_eq!(standard().game(" mnk ").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
        let error = standard().game("tictactoe").err().map(|e| e.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("expected one of tic-tac-toe")), "{error:?}");
        assert!(standard().game("").is_err() && standard().game("tic-tac-toe:4").is_err());
    }

    #[test]
    fn a_family_is_added_or_takes_the_place_of_another() {
        let own = || Entry::acyclic::<agon_core::toy::Dots>();
        let (family, count) = (own().facts.family, standard().entries().count());
        assert!(standard().game(family).is_err());
        let more = Registry::standard().with(own()).with(own());
        assert_eq!(more.entries().count(), count + 1);
        assert!(more.game(family).is_ok());
    }

    #[test]
    fn every_default_and_alias_builds() {
        for entry in standard().entries() {
            assert!(entry.build(entry.facts.family).is_ok(), "{}", entry.facts.family);
            for (alias, spelling) in entry.facts.aliases {
                assert_eq!(standard().game(alias).map(|g| g.spelling().to_string()), Ok((*spelling).to_string()));
            }
        }
    }
}
