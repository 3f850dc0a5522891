//! Entries of the registry: everything that commands, pages and the checker need to know about a family of games.

use crate::erased::{AnyGame, Capabilities, Levels, built};
use crate::openspiel::OpenSpiel;
use agon_core::{
    Acyclic, BulkIndexed, Evaluate, Facts, Family, GameError, Guide, Impartial, Kind, Rng, Symmetric, Wdl,
};
use std::sync::Arc;

/// A game, or why there is none of that spelling.
pub type Built = Result<Box<dyn AnyGame>, GameError>;

/// Builds a game from its full spelling.
type Build = Arc<dyn Fn(&str) -> Built + Send + Sync>;

/// A spelling with random parameters; the number says how much larger than the smallest games it may be.
type Random = fn(usize, &mut Rng) -> String;

/// The group of a family in a list of games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Group {
    /// Lines of marks.
    Rows,
    /// Men that are placed and then moved.
    Mills,
    /// Stacks and roads.
    Tak,
    /// Impartial games.
    HeapsAndTiles,
    /// Games from outside, and boards from files.
    Yours,
}

impl Group {
    /// All groups, in the order in which they are listed.
    pub const ALL: [Group; 5] = [Group::Rows, Group::Mills, Group::Tak, Group::HeapsAndTiles, Group::Yours];

    /// The title of the group.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Group::Rows => "Rows",
            Group::Mills => "Mills",
            Group::Tak => "Tak",
            Group::HeapsAndTiles => "Heaps and tiles",
            Group::Yours => "Yours",
        }
    }
}

/// The rules of a family, told for the game of a spelling.
type OwnRules = fn(&str, &str) -> String;

/// A family of games.
#[derive(Clone)]
pub struct Entry {
    /// Name, rules, parameters, aliases.
    pub facts: Facts,
    build: Build,
    from_file: Option<FromFile>,
    examples: Vec<Example>,
    thumbnails: Vec<Example>,
    known: Vec<KnownValue>,
    titles: Vec<(String, String)>,
    synonyms: Vec<(String, String)>,
    puzzles: Vec<String>,
    featured: Option<String>,
    group: Group,
    goal: Option<String>,
    rules: Option<OwnRules>,
    samples: Vec<String>,
    random: Option<Random>,
    levels: Levels,
    openspiel: Option<OpenSpiel>,
}

/// The functions that build games whose rules come from a file.
#[derive(Clone, Copy)]
pub struct FromFile {
    /// Returns whether a spelling of the family names a file.
    pub names_a_file: fn(&str) -> bool,
    /// The game of that spelling with these rules in canonical form; opens no file.
    pub build: fn(&str, &str) -> Built,
}

/// A line of play worth a picture.
#[derive(Clone, Debug)]
pub struct Example {
    /// The canonical spelling of the game.
    pub game: String,
    /// The position where it begins; empty for the start.
    pub from: String,
    /// The moves, with spaces between them.
    pub moves: String,
    /// A sentence that says what it shows; empty for a thumbnail.
    pub says: String,
}

/// A value that is known from elsewhere or from a longer computation.
#[derive(Clone, Debug)]
pub struct KnownValue {
    /// The canonical spelling of the game.
    pub game: String,
    /// The value of the start for the first player.
    pub value: Wdl,
    /// The same in words.
    pub says: String,
    /// The source.
    pub source: String,
}

impl Entry {
    /// A family by its facts and a function that builds its games.
    pub fn new(facts: Facts, build: impl Fn(&str) -> Built + Send + Sync + 'static) -> Entry {
        Entry {
            facts,
            build: Arc::new(build),
            from_file: None,
            examples: Vec::new(),
            thumbnails: Vec::new(),
            known: Vec::new(),
            titles: Vec::new(),
            synonyms: Vec::new(),
            puzzles: Vec::new(),
            featured: None,
            group: Group::Yours,
            goal: None,
            rules: None,
            samples: Vec::new(),
            random: None,
            levels: Levels::default(),
            openspiel: None,
        }
    }

    /// A family whose games offer what `capabilities` says.
    #[must_use]
    pub fn of<G: Family + Symmetric + Evaluate>(capabilities: fn(&G) -> Capabilities<G>) -> Entry {
        Entry::new(G::facts(), move |given| built(given, capabilities))
    }

    /// A family in which every play ends.
    #[must_use]
    pub fn acyclic<G: Family + Symmetric + Acyclic + Guide + Evaluate>() -> Entry {
        Entry::of::<G>(|_| Capabilities::acyclic())
    }

    /// A family of impartial games: sums are solved part by part.
    #[must_use]
    pub fn impartial<G: Family + Symmetric + Acyclic + Guide + Impartial + Evaluate>() -> Entry {
        Entry::of::<G>(|_| Capabilities::impartial())
    }

    /// A family in which play can cycle: its reachable positions are listed in memory.
    #[must_use]
    pub fn cyclic<G: Family + Symmetric + Evaluate>() -> Entry {
        Entry::of::<G>(|_| Capabilities::cyclic())
    }

    /// A family in which play can cycle and whose positions have indices: tables in memory and on disk.
    #[must_use]
    pub fn indexed<G: Family + Symmetric + BulkIndexed + Evaluate>() -> Entry {
        Entry::of::<G>(|_| Capabilities::indexed())
    }

    /// Games of the family may have rules that come from a file.
    #[must_use]
    pub fn with_rules_from_files(self, from_file: FromFile) -> Entry {
        Entry { from_file: Some(from_file), ..self }
    }

    /// Adds a line of play that explains the rules of a game.
    #[must_use]
    pub fn with_example(mut self, game: &str, from: &str, moves: &str, says: &str) -> Entry {
        self.examples.push(Example::new(game, from, moves, says));
        self
    }

    /// Adds a line of play that ends in a position which looks like the game, for a small picture of it.
    #[must_use]
    pub fn with_thumbnail(mut self, game: &str, from: &str, moves: &str) -> Entry {
        self.thumbnails.push(Example::new(game, from, moves, ""));
        self
    }

    /// Adds a value that is known from elsewhere or from a longer computation, with its source.
    #[must_use]
    pub fn with_known(mut self, game: &str, value: Wdl, says: &str, source: &str) -> Entry {
        let (game, says, source) = (game.to_string(), says.to_string(), source.to_string());
        self.known.push(KnownValue { game, value, says, source });
        self
    }

    /// Adds the name that people use for one game of the family.
    #[must_use]
    pub fn with_title(mut self, game: &str, title: &str) -> Entry {
        self.titles.push((game.to_string(), title.to_string()));
        self
    }

    /// Adds another name for one game of the family. It is read wherever a game is asked for, and listed nowhere.
    ///
    /// ```
    /// use agon_registry::Registry;
    ///
    /// let registry = Registry::standard();
    /// let nim = registry.entry("nim").unwrap().clone().with_synonym("marienbad", "nim:1+3+5+7");
    /// assert!(registry.game("Marienbad").is_err());
    /// assert_eq!(registry.with(nim).game("Marienbad").unwrap().spelling(), "nim:1+3+5+7");
    /// ```
    #[must_use]
    pub fn with_synonym(mut self, name: &str, game: &str) -> Entry {
        self.synonyms.push((name.to_string(), game.to_string()));
        self
    }

    /// Adds a game in which puzzles are found quickly, for a page that offers some.
    #[must_use]
    pub fn with_puzzles(mut self, game: &str) -> Entry {
        self.puzzles.push(game.to_string());
        self
    }

    /// Makes a game of the family the one that pages show first.
    #[must_use]
    pub fn featuring(self, game: &str) -> Entry {
        Entry { featured: Some(game.to_string()), ..self }
    }

    /// Sets the group, and a short sentence that says how the default game is won.
    #[must_use]
    pub fn in_group(self, group: Group, goal: &str) -> Entry {
        Entry { group, goal: Some(goal.to_string()), ..self }
    }

    /// The group in which the family is listed.
    #[must_use]
    pub fn group(&self) -> Group {
        self.group
    }

    /// A short sentence that says how the default game is won; the rules if there is none.
    #[must_use]
    pub fn goal(&self) -> &str {
        self.goal.as_deref().unwrap_or(&self.facts.rules)
    }

    /// Sets how the rules of the family are told for one of its games: a function of those rules and its spelling.
    #[must_use]
    pub fn with_rules_for(self, rules: fn(&str, &str) -> String) -> Entry {
        Entry { rules: Some(rules), ..self }
    }

    /// The rules of the game of that canonical spelling, in one or two sentences.
    #[must_use]
    pub fn rules(&self, spelling: &str) -> String {
        self.rules.map_or_else(|| self.facts.rules.clone(), |own| own(&self.facts.rules, spelling))
    }

    /// Adds small games of different sizes and rules, by their spelling; `agon selftest` tests them.
    #[must_use]
    pub fn with_samples(mut self, samples: &[&str]) -> Entry {
        self.samples.extend(samples.iter().map(ToString::to_string));
        self
    }

    /// Sets how random small games are spelled; the first argument says how much larger than the smallest they may be. A
    /// spelling may be invalid. Without it, parameters get random values of their kind, and texts their defaults.
    #[must_use]
    pub fn with_random(self, random: fn(usize, &mut Rng) -> String) -> Entry {
        Entry { random: Some(random), ..self }
    }

    /// OpenSpiel has games of the family too: their names there, and how it numbers their moves.
    #[must_use]
    pub fn with_openspiel(self, openspiel: OpenSpiel) -> Entry {
        Entry { openspiel: Some(openspiel), ..self }
    }

    /// Small games for tests: those of [`Entry::with_samples`], or the game with all defaults.
    #[must_use]
    pub fn samples(&self) -> Vec<String> {
        if self.samples.is_empty() { vec![self.facts.family.clone()] } else { self.samples.clone() }
    }

    /// A spelling with random parameters, which may be invalid; see [`Entry::with_random`].
    pub fn random_spelling(&self, larger: usize, rng: &mut Rng) -> String {
        match self.random {
            Some(random) => random(larger, rng),
            None => random_parameters(&self.facts, rng),
        }
    }

    /// Other names, each with the spelling of the game it stands for.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.facts.aliases.iter().map(|(alias, spelling)| (alias.as_str(), spelling.as_str()))
    }

    /// Names that are read and listed nowhere, each with the spelling of the game it stands for.
    pub fn synonyms(&self) -> impl Iterator<Item = (&str, &str)> {
        self.synonyms.iter().map(|(name, spelling)| (name.as_str(), spelling.as_str()))
    }

    /// Games in which puzzles are found quickly.
    #[must_use]
    pub fn puzzles(&self) -> &[String] {
        &self.puzzles
    }

    /// The game of the family that pages show first, if it has one.
    #[must_use]
    pub fn featured(&self) -> Option<&str> {
        self.featured.as_deref()
    }

    /// Sets the players behind the levels; `agon results levels` measures how far apart they are.
    #[must_use]
    pub fn with_levels(self, levels: Levels) -> Entry {
        Entry { levels, ..self }
    }

    /// Builds a game from its full spelling.
    pub fn build(&self, given: &str) -> Built {
        let mut game = (self.build)(given)?;
        game.set_levels(self.levels);
        if let Some(openspiel) = self.openspiel {
            game.set_openspiel(openspiel);
        }
        Ok(game)
    }

    /// The functions that build games with rules from a file, if the family has such games.
    #[must_use]
    pub fn from_file(&self) -> Option<FromFile> {
        self.from_file
    }

    /// Lines of play that explain the rules.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Lines of play for small pictures.
    #[must_use]
    pub fn thumbnails(&self) -> &[Example] {
        &self.thumbnails
    }

    /// Values known from elsewhere.
    #[must_use]
    pub fn known(&self) -> &[KnownValue] {
        &self.known
    }

    /// The name that people use for the game of that spelling: its own, or that of the family.
    #[must_use]
    pub fn title(&self, spelling: &str) -> &str {
        let own = self.titles.iter().find(|(game, _)| game == spelling);
        own.map_or(&self.facts.title, |(_, title)| title)
    }
}

impl Example {
    fn new(game: &str, from: &str, moves: &str, says: &str) -> Example {
        let [game, from, moves, says] = [game, from, moves, says].map(String::from);
        Example { game, from, moves, says }
    }
}

/// Each parameter with its default or a random valid value.
fn random_parameters(facts: &Facts, rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    for param in &facts.params {
        let value = match param.kind {
            _ if rng.below(2) == 0 => param.default.to_string(),
            Kind::Int(lo, hi) => (lo + rng.below((hi - lo + 1) as usize) as i64).to_string(),
            Kind::Word(ref words) => words[rng.below(words.len())].to_string(),
            Kind::Size(lo, hi) => {
                let side = |rng: &mut Rng| lo + rng.below((hi - lo + 1).min(4) as usize) as i64;
                format!("{}x{}", side(rng), side(rng))
            }
            _ => param.default.to_string(),
        };
        parts.push(if param.positional { value } else { format!("{}={value}", param.name) });
    }
    format!("{}:{}", facts.family, parts.join(","))
}
