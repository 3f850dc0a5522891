//! Single steps of the checkers of lines and races, for tests that try every entry at every state; and the evaluator of
//! strategies as text, for tests that compare it with another one.
//!
//! A whole certificate reveals a bug only if everything else in it is correct. A step reveals it alone: if the states
//! that it depends on are as claimed, the state must be too.

use crate::lines::Reduced;
pub use crate::lines::State;
use crate::{Corrupt, lines, race, text};
use agon_core::features::Features;
use agon_core::{Ctx, Lines, Notation, Symmetric};
use std::collections::HashSet;

/// The result of a visit to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// The claim holds.
    Holds,
    /// The claim is refuted.
    Fails,
    /// The state needs an entry with a reason.
    Asks(State),
}

fn looked<T>(result: Result<(), crate::Rejected>, mut todo: Vec<(State, T)>) -> Look {
    match result {
        Err(_) => Look::Fails,
        Ok(()) => todo.pop().map_or(Look::Holds, |(state, _)| Look::Asks(state)),
    }
}

/// Checks lines sections.
pub struct LinesSteps(lines::Checker);

impl LinesSteps {
    /// For the claim that the maker completes a line, or not.
    #[must_use]
    pub fn new(rules: &Lines, wins: bool) -> LinesSteps {
        LinesSteps(lines::Checker::new(rules, wins))
    }

    /// Visits a state.
    #[must_use]
    pub fn look(&self, state: &State) -> Look {
        let mut todo = Vec::new();
        let result = self.0.ask(state.clone(), &mut todo, &mut HashSet::new());
        looked(result, todo)
    }

    /// The entry of a state; `None` if it has none.
    #[must_use]
    pub fn entry(&self, state: &State) -> Option<LinesEntry<'_>> {
        match self.0.see(state.clone()) {
            Reduced::On(state, live) => Some(LinesEntry { checker: &self.0, state, live }),
            Reduced::Made | Reduced::Spoiled => None,
        }
    }
}

/// A state with its entry of a lines section.
pub struct LinesEntry<'a> {
    checker: &'a lines::Checker,
    state: State,
    live: Vec<lines::Live>,
}

impl LinesEntry<'_> {
    /// The states that a reason depends on; `None` if it is not accepted.
    #[must_use]
    pub fn follow(&self, reason: &str) -> Option<Vec<State>> {
        let mut todo = Vec::new();
        self.checker.follow(&self.state, &self.live, reason, &mut todo, &mut HashSet::new()).ok()?;
        Some(todo.into_iter().map(|(state, _)| state).collect())
    }

    /// Returns whether all of these threats are read: if not, no longer list is accepted either.
    #[must_use]
    pub fn reads(&self, moves: &[&str]) -> bool {
        let mut list = moves.iter();
        let _ = self.checker.threats(&self.live, &mut list);
        list.as_slice().is_empty()
    }
}

/// Checks race sections.
pub struct RaceSteps<'a>(race::Checker<'a>);

impl<'a> RaceSteps<'a> {
    /// For these lines of the winner and of the loser.
    #[must_use]
    pub fn new(rules: [&'a Lines; 2]) -> RaceSteps<'a> {
        RaceSteps(race::Checker { rules })
    }

    /// Visits a state.
    #[must_use]
    pub fn look(&self, state: &State) -> Look {
        let mut todo = Vec::new();
        let result = self.0.ask(state.clone(), &mut todo, &mut HashSet::new());
        looked(result, todo)
    }

    /// The states that a reason depends on; `None` if it is not accepted.
    #[must_use]
    pub fn follow(&self, state: &State, reason: &str) -> Option<Vec<State>> {
        let (mut todo, live) = (Vec::new(), self.0.live(state));
        self.0.follow(state, &live, reason, &mut todo, &mut HashSet::new()).ok()?;
        Some(todo.into_iter().map(|(state, _)| state).collect())
    }
}

/// A strategy as text, as the checker reads it.
pub struct Text<'a, G: Notation>(text::Strategy<'a, G>);

impl<'a, G: Notation + Symmetric> Text<'a, G> {
    /// For a game and what strategies see of it.
    pub fn new(game: &'a G, features: &'a dyn Features<G>, text: &str) -> Result<Text<'a, G>, Corrupt> {
        text::Strategy::new(game, features, text).map(Text)
    }

    /// The moves that it allows, with what it remembers of the opponent's last move.
    #[must_use]
    pub fn moves(&self, pos: &G::Position, memory: u16) -> Vec<G::Move> {
        self.0.moves(pos, memory, &Ctx::default()).unwrap_or_default()
    }

    /// Returns whether it uses the opponent's last move.
    #[must_use]
    pub fn looks_back(&self) -> bool {
        self.0.looks_back
    }
}
