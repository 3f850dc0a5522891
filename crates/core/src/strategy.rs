//! A rule for choosing moves.

use crate::game::{Game, Symmetric};
use std::collections::BTreeMap;

/// Maps a position to the *set* of moves the rule may choose among: where a rule leaves a choice open,
/// every choice is real, and verification follows each one.
///
/// ```
/// use agon_core::{Game, Player, Strategy, toy::Pile};
///
/// /// Leaves a multiple of three.
/// struct Threes;
///
/// impl Strategy<Pile> for Threes {
///     fn choices(&self, _game: &Pile, pos: &(u8, Player)) -> Vec<u8> {
///         (1..=2).filter(|mv| pos.0 % 3 == *mv).collect()
///     }
/// }
///
/// let game = Pile::new(5);
/// assert_eq!(Threes.choices(&game, &game.start()), [2]);
/// assert_eq!(Threes.choices(&game, &(3, Player::First)), []); // the rule has no answer
/// ```
pub trait Strategy<G: Game>: Send + Sync {
    /// The moves the rule allows when it is to move at `pos`. Empty means the rule has no answer.
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move>;

    /// Why the rule allows `mv` at `pos`, in a few words, if it can say.
    fn reason(&self, _game: &G, _pos: &G::Position, _mv: G::Move) -> Option<String> {
        None
    }

    /// Returns whether the choice depends on the opponent's last move. If so, the other methods about memory count.
    fn looks_back(&self) -> bool {
        false
    }

    /// The memory of the rule after a move of the opponent, played at `before`; 0 is nothing.
    fn remembers(&self, _game: &G, _before: &G::Position, _mv: G::Move) -> u16 {
        0
    }

    /// [`Strategy::choices`] after a last move of which the rule remembers `memory`.
    fn choices_knowing(&self, game: &G, pos: &G::Position, _memory: u16) -> Vec<G::Move> {
        self.choices(game, pos)
    }

    /// The name of the part of the rule that decides, if it has named parts.
    fn reason_knowing(&self, _game: &G, _pos: &G::Position, _memory: u16) -> Option<String> {
        None
    }
}

/// The facts of a strategy, known before it is built.
#[derive(Clone, Debug)]
pub struct StrategyFacts {
    /// Its name.
    pub name: &'static str,
    /// Readings that may follow the name after a colon, the default one first.
    pub readings: Vec<String>,
    /// One line: where it comes from and what it claims.
    pub about: String,
}

/// A strategy with exceptions: at the listed positions, and at their images under symmetry, it plays the
/// listed moves instead.
pub struct Patched<G: Game> {
    base: Box<dyn Strategy<G>>,
    exceptions: BTreeMap<G::Position, Vec<G::Move>>,
}

impl<G: Symmetric> Patched<G> {
    /// The base strategy without exceptions.
    #[must_use]
    pub fn new(base: Box<dyn Strategy<G>>) -> Patched<G> {
        Patched { base, exceptions: BTreeMap::new() }
    }

    /// Adds an exception: at `pos` and its images, the strategy plays `mv` and its images.
    pub fn except(&mut self, game: &G, pos: &G::Position, mv: G::Move) {
        let (canonical, element) = game.canonical(pos);
        self.exceptions.insert(canonical, vec![game.image_of_move(element, mv)]);
    }

    /// Removes the exception at `pos`.
    pub fn unless(&mut self, game: &G, pos: &G::Position) {
        self.exceptions.remove(&game.canonical(pos).0);
    }

    /// Returns whether there is an exception at `pos`.
    #[must_use]
    pub fn is_exception(&self, game: &G, pos: &G::Position) -> bool {
        self.exceptions.contains_key(&game.canonical(pos).0)
    }

    /// The exceptions: a representative position, and its moves up to its stabiliser.
    #[must_use]
    pub fn exceptions(&self, game: &G) -> Vec<(G::Position, Vec<G::Move>)> {
        self.exceptions.iter().map(|(pos, moves)| (pos.clone(), orbit(game, pos, moves))).collect()
    }
}

/// The images of `moves` under the stabiliser of `pos`.
fn orbit<G: Symmetric>(game: &G, pos: &G::Position, moves: &[G::Move]) -> Vec<G::Move> {
    let stabiliser = game.stabiliser(pos);
    let mut all: Vec<G::Move> =
        stabiliser.iter().flat_map(|&element| moves.iter().map(move |&mv| game.image_of_move(element, mv))).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl<G: Symmetric> Strategy<G> for Patched<G> {
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move> {
        let (canonical, element) = game.canonical(pos);
        let Some(moves) = self.exceptions.get(&canonical) else { return self.base.choices(game, pos) };
        let back = game.inverse(element);
        orbit(game, &canonical, moves).into_iter().map(|mv| game.image_of_move(back, mv)).collect()
    }

    fn reason(&self, game: &G, pos: &G::Position, mv: G::Move) -> Option<String> {
        if self.is_exception(game, pos) { Some("exception".to_string()) } else { self.base.reason(game, pos, mv) }
    }

    fn looks_back(&self) -> bool {
        self.base.looks_back()
    }

    fn remembers(&self, game: &G, before: &G::Position, mv: G::Move) -> u16 {
        self.base.remembers(game, before, mv)
    }

    fn choices_knowing(&self, game: &G, pos: &G::Position, memory: u16) -> Vec<G::Move> {
        match self.is_exception(game, pos) {
            true => self.choices(game, pos),
            false => self.base.choices_knowing(game, pos, memory),
        }
    }

    fn reason_knowing(&self, game: &G, pos: &G::Position, memory: u16) -> Option<String> {
        match self.is_exception(game, pos) {
            true => Some("exception".to_string()),
            false => self.base.reason_knowing(game, pos, memory),
        }
    }
}
