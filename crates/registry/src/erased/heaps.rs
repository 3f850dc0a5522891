//! Games on heaps. They differ in spelling only, and share one type so that everything is compiled for them once.

use super::AnyGame;
use super::capabilities::Capabilities;
use super::game::Erased;
use crate::entry::Entry;
use agon_core::GameError;
use agon_games::impartial::heaps::{Heaps, Spelling};
use agon_games::impartial::{Named, Play};

/// The registry entry of a family of games on heaps.
#[must_use]
pub fn heaps<S: Spelling>() -> Entry {
    Entry::new(S::facts(), build::<S>)
}

fn build<S: Spelling>(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (rules, params, spelling) = Heaps::<S>::spelled(given)?;
    let game = Play::new(rules.plain(), params.text("play") == "misere");
    let capabilities = Capabilities::impartial();
    Ok(Box::new(Erased::new(game, spelling, S::facts(), capabilities)))
}
