//! Strategies that are functions on text.

use agon_core::{Notation, Strategy};
use std::fmt;
use std::sync::Arc;

/// The function: the moves that the strategy may play at a position.
type Choices = Arc<dyn Fn(&str) -> Vec<String> + Send + Sync>;

/// A strategy that is a function. It gets a position as text and returns the moves that it may play there; no move means
/// that it has no answer. It must give the same answer whenever it is asked about the same position.
///
/// ```
/// use agon_core::{Ctx, Player, Wdl};
/// use agon_registry::Registry;
/// use agon_registry::erased::{Called, StrategyRequest, VerifyRequest};
///
/// let game = Registry::standard().game("nim:3+5").unwrap();
/// let rules = game.duplicate();
/// let anything = Called::new(move |pos| rules.moves(pos).unwrap_or_default());
/// let request = VerifyRequest {
///     strategy: StrategyRequest::called("anything", anything),
///     side: Player::First,
///     least: Wdl::Win,
///     all: false,
///     repair: None,
///     certificate: false,
///     listed: false,
/// };
/// let (report, _) = game.verify(&game.start(), &request, &Ctx::default()).unwrap();
/// assert!(!report.holds);
/// ```
#[derive(Clone)]
pub struct Called(Choices);

impl Called {
    /// The strategy that plays what the function returns. Moves that are not legal count as no answer.
    pub fn new(choices: impl Fn(&str) -> Vec<String> + Send + Sync + 'static) -> Called {
        Called(Arc::new(choices))
    }
}

impl fmt::Debug for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Called")
    }
}

impl<G: Notation> Strategy<G> for Called {
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move> {
        let names = (self.0)(&game.show(pos));
        names.iter().filter_map(|name| game.parse_move(pos, name).ok()).collect()
    }
}
