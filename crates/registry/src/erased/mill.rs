//! The mill games' capabilities besides their rules: a list of all boards with their values.

use super::AnyGame;
use super::capabilities::Capabilities;
use super::game::Erased;
use crate::entry::Entry;
use agon_core::setup::Setup;
use agon_core::{Facts, GameError};
use agon_games::mill::{Men, Mill};

/// The registry entry of a family of mill games. All of them share one type.
pub fn mill(facts: Facts) -> Entry {
    Entry::new(facts.clone(), move |given| build(&facts, given))
}

fn build(facts: &Facts, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (game, spelling) = Mill::of_family(facts, given)?;
    Ok(Box::new(erased(game, spelling, facts.clone())))
}

/// A mill game of that canonical spelling.
pub(super) fn erased(game: Mill, spelling: String, facts: Facts) -> Erased<Mill> {
    let capabilities = Capabilities::indexed().with_boards(super::boards::boards).with_exchange(Men::exchanged);
    let capabilities = capabilities.with_setup(Setup::LETTERS.with_sides(['w', 'b']).with_hands());
    Erased::new(game, spelling, facts, capabilities)
}
