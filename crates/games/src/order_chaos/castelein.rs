//! The strategies of S. T. Castelein's bachelor thesis *Order and Chaos* (Leiden, 2019), written as text.
//!
//! | name | text | plays |
//! |---|---|---|
//! | `castelein-t1` | section 3.3.1, exceptions of section 3.5 | Order on 4×4(4) |
//! | `castelein-t2` | the mirroring of Lemma 3.1 | Order, on the border only |
//! | `castelein` | section 3.6: T1 inside, T2 on the border, and the transition function | Order on 6×6(5) |
//! | `pairing` | section 4.2, table (2) | Chaos on 6×6(5) |

use super::lift;
use super::{OrderChaos, Row};
use crate::strategies::{CASTELEIN, CASTELEIN_T1, CASTELEIN_T2, PAIRING, Shipped};
use agon_core::{Reduction, Strategy};
use agon_strategies::text::Body;

/// The strategies of the thesis for this board.
#[must_use]
pub fn offered(game: &OrderChaos) -> Vec<Shipped> {
    let shape = (game.grid().columns(), game.grid().rows(), game.k(), game.symbols());
    if !game.is_whole() {
        return Vec::new();
    }
    match shape {
        (4, 4, 4, 2) => vec![CASTELEIN_T1],
        (6, 6, 5, 2) => vec![CASTELEIN, CASTELEIN_T2, PAIRING],
        _ if lift::inner_of(game).is_some() => vec![CASTELEIN_T2],
        _ => Vec::new(),
    }
}

/// The strategy of that name and reading for this board.
#[must_use]
pub fn strategy(game: &OrderChaos, name: &str, reading: &str) -> Option<Box<dyn Strategy<OrderChaos>>> {
    offered(game).iter().find(|shipped| shipped.name == name)?.strategy(game, reading)
}

/// The argument of the thesis for the strategy of that name, if it has one.
#[must_use]
pub fn reduction(game: &OrderChaos, name: &str, reading: &str) -> Option<Reduction<OrderChaos>> {
    strategy(game, name, reading)?;
    match name {
        "castelein" => {
            let inner = lift::inner_of(game)?;
            let strategy = CASTELEIN_T1.strategy(&inner, reading)?;
            Some(Reduction::Lifted(inner, strategy))
        }
        "pairing" if game.row() == Row::ExactFinal && game.order_first() => Some(Reduction::Pairing(pairs())),
        _ => None,
    }
}

/// The 18 pairs of table (2), and whether both cells get the same mark.
#[must_use]
pub fn pairs() -> Vec<(String, String, bool)> {
    let sections = PAIRING.parsed().sections;
    let pairs = sections.into_iter().find_map(|section| match section.body {
        Body::Pairing(pairs) => Some(pairs),
        _ => None,
    });
    pairs.unwrap_or_default().into_iter().map(|(one, other, same)| (one.word, other.word, same)).collect()
}

/// The six boards of section 3.5, each with the move to make there.
#[must_use]
pub fn exceptions() -> Vec<(String, String)> {
    let sections = CASTELEIN_T1.parsed().sections;
    let entries = sections.into_iter().find_map(|section| match section.body {
        Body::Book { entries, .. } => Some(entries),
        _ => None,
    });
    let pair = |entry: agon_strategies::text::Entry| (entry.board.word, entry.moves[0].word.clone());
    entries.unwrap_or_default().into_iter().map(pair).collect()
}
