//! A rule for choosing moves.

use crate::game::Game;

/// Maps a position to the *set* of moves the rule may choose among: where a rule leaves a choice open,
/// every choice is real, and verification follows each one.
pub trait Strategy<G: Game>: Send + Sync {
    /// The moves the rule allows when it is to move at `pos`. Empty means the rule has no answer.
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move>;

    /// Why the rule allows `mv` at `pos`, in a few words, if it can say.
    fn reason(&self, _game: &G, _pos: &G::Position, _mv: G::Move) -> Option<String> {
        None
    }
}

/// What is known about a strategy before it is built.
#[derive(Clone, Debug)]
pub struct StrategyFacts {
    /// Its name.
    pub name: &'static str,
    /// Readings that may follow the name after a colon, the default one first.
    pub readings: &'static [&'static str],
    /// One line: where it comes from and what it claims.
    pub about: &'static str,
}
