//! Games on heaps, and games with tiles. The families of each kind differ in spelling only, and share one type so that
//! everything is compiled for them once.

use super::capabilities::Capabilities;
use super::game::Erased;
use crate::entry::{Built, Entry};
use agon_games::impartial::heaps::{Coded, Heaps, Spelling};
use agon_games::impartial::tiles::{Ellie, Tile, Tiles};
use agon_games::impartial::{Named, Play};

/// The registry entry of a family of games on heaps.
#[must_use]
pub fn heaps<S: Spelling>() -> Entry {
    entry::<Heaps<S>, Heaps<Coded>>(Heaps::plain, Capabilities::impartial)
}

/// The registry entry of a family of games with tiles.
#[must_use]
pub fn tiles<T: Tile>(capabilities: fn() -> Capabilities<Play<Tiles<Ellie>>>) -> Entry {
    entry::<Tiles<T>, Tiles<Ellie>>(Tiles::plain, capabilities)
}

fn entry<R: Named, P: Named>(plain: fn(R) -> P, capabilities: fn() -> Capabilities<Play<P>>) -> Entry {
    Entry::new(R::facts(), move |given| -> Built {
        let (rules, params, spelling) = R::spelled(given)?;
        let game = Play::new(plain(rules), params.text("play") == "misere");
        Ok(Box::new(Erased::new(game, spelling, R::facts(), capabilities())))
    })
}
