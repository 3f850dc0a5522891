//! The games under test: every family, with its samples and with random rules.

use agon_core::Rng;
use agon_registry::Registry;
use agon_registry::entry::Entry;
use agon_registry::erased::AnyGame;

/// The choice of games with random rules.
pub struct Chance<'a> {
    /// The number of games per family.
    pub games: usize,
    /// The amount by which heaps and boards are larger than those that are quickly explored.
    pub larger: usize,
    /// Returns true if a game is small enough.
    pub fits: &'a dyn Fn(&dyn AnyGame) -> bool,
}

/// The spellings to test: the samples of the family, then random ones.
#[must_use]
pub fn spellings(registry: &Registry, entry: &Entry, chance: &Chance<'_>, rng: &mut Rng) -> Vec<String> {
    let mut list = entry.samples();
    let most = list.len() + chance.games;
    // Some combinations of parameters are invalid, and random choices repeat.
    for _ in 0..chance.games * 50 {
        let spelling = entry.random_spelling(chance.larger, rng);
        let Ok(game) = registry.game(&spelling) else { continue };
        if (chance.fits)(game.as_ref()) && !list.iter().any(|known| known == game.spelling()) {
            list.push(game.spelling().to_string());
        }
        if list.len() >= most {
            break;
        }
    }
    list
}
