//! What the mill games bring besides their rules: all boards with what they are worth.

use super::capabilities::Capabilities;
use super::game::Erased;
use super::{AnyGame, Entry};
use agon_core::{Facts, GameError};
use agon_games::mill::presets as families;
use agon_games::mill::{Men, Mill};

/// The registry lines of the mill games, which share one type.
#[must_use]
pub const fn mills() -> [Entry; 11] {
    macro_rules! entry {
        ($facts:ident) => {
            Entry { facts: families::$facts, build: |given| build(&families::$facts, given) }
        };
    }
    [
        entry!(ANTRIN),
        entry!(ACHI),
        entry!(THREE_MENS),
        entry!(TAPATAN),
        entry!(NINE_HOLES),
        entry!(PICARIA),
        entry!(TANT_FANT),
        entry!(SHISIMA),
        entry!(ROTA),
        entry!(TSORO_YEMATATU),
        entry!(MORRIS),
    ]
}

fn build(facts: &'static Facts, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (game, spelling) = Mill::of_family(facts, given)?;
    Ok(Box::new(erased(game, spelling)))
}

/// A mill game of that canonical spelling.
pub(super) fn erased(game: Mill, spelling: String) -> Erased<Mill> {
    let facts = agon_core::Family::facts(&game);
    let capabilities = Capabilities::indexed().with_boards(super::boards::boards).with_exchange(Men::exchanged);
    Erased::new(game, spelling, facts, capabilities)
}
