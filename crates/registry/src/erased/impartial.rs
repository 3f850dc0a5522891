//! Impartial games. Families share a type, so that everything is compiled once for all games with tiles, and once for sums
//! and the rest.

use super::capabilities::Capabilities;
use super::game::Erased;
use crate::entry::{Built, Entry};
use agon_games::impartial::heaps::{Heaps, Spelling};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Ellie, Tile, Tiles};
use agon_games::impartial::{Named, Play};

/// The registry entry of a family of heap games.
#[must_use]
pub fn heaps<S: Spelling>() -> Entry {
    entry::<Heaps<S>, Sum>(|heaps| heaps.plain().into(), Capabilities::impartial)
}

/// The registry entry of a family of games with tiles.
#[must_use]
pub fn tiles<T: Tile>(capabilities: fn() -> Capabilities<Play<Tiles<Ellie>>>) -> Entry {
    entry::<Tiles<T>, Tiles<Ellie>>(Tiles::plain, capabilities)
}

/// The registry entry of a family that is solved as a sum of one game.
#[must_use]
pub fn alone<R: Named + Into<Sum>>() -> Entry {
    entry::<R, Sum>(R::into, Capabilities::impartial)
}

fn entry<R: Named, P: Named>(plain: fn(R) -> P, capabilities: fn() -> Capabilities<Play<P>>) -> Entry {
    Entry::new(R::facts(), move |given| -> Built {
        let (rules, params, spelling) = R::spelled(given)?;
        let game = Play::new(plain(rules), params.text("play") == "misere");
        Ok(Box::new(Erased::new(game, spelling, R::facts(), capabilities())))
    })
}
