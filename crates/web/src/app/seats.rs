//! The players that pages have in use. A player lives as long as its page asks for its moves, so that it keeps what it has
//! searched; there is room for a limited number of them.

use super::lock;
use agon_registry::erased::AnyAgent;
use std::collections::VecDeque;
use std::sync::Mutex;

/// The most players.
pub(crate) const MOST_SEATS: usize = 32;
/// The most bytes that they may use together.
pub(crate) const SEAT_BYTES: u64 = 1 << 30;

/// A player, and the page and side that it plays for.
struct Seat {
    key: String,
    agent: Box<dyn AnyAgent>,
    bytes: u64,
}

/// All of them, the one used last at the end.
#[derive(Default)]
pub(crate) struct Seats(Mutex<VecDeque<Seat>>);

impl Seats {
    /// Takes the player out for a move.
    pub(crate) fn take(&self, key: &str) -> Option<Box<dyn AnyAgent>> {
        let mut seats = lock(&self.0);
        let at = seats.iter().position(|seat| seat.key == key)?;
        seats.remove(at).map(|seat| seat.agent)
    }

    /// Puts it back. Players that have not moved for the longest time make room.
    pub(crate) fn put(&self, key: String, agent: Box<dyn AnyAgent>, bytes: u64) {
        let mut seats = lock(&self.0);
        seats.push_back(Seat { key, agent, bytes });
        while seats.len() > MOST_SEATS || seats.iter().map(|seat| seat.bytes).sum::<u64>() > SEAT_BYTES {
            seats.pop_front();
        }
    }

    /// The number of players.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        lock(&self.0).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_registry::erased::StrategyRequest;

    fn agent() -> Box<dyn AnyAgent> {
        let game = agon_registry::standard().game("tic-tac-toe").unwrap();
        game.agent(&StrategyRequest::named("random"), 1).unwrap()
    }

    #[test]
    fn players_that_wait_longest_make_room() {
        let seats = Seats::default();
        (0..MOST_SEATS + 3).for_each(|i| seats.put(i.to_string(), agent(), 1));
        assert_eq!(seats.count(), MOST_SEATS);
        assert!(seats.take("2").is_none() && seats.take("3").is_some() && seats.take("3").is_none());
        seats.put("large".into(), agent(), SEAT_BYTES - 2);
        assert_eq!(seats.count(), 3);
        seats.put("too large".into(), agent(), SEAT_BYTES + 1);
        assert_eq!(seats.count(), 0);
    }
}
