//! The budget of one request, counted in moves listed, pieces drawn and bytes written.
//!
//! An address can name a heap of a million counters or a line of two thousand moves. A handler therefore never holds a
//! plain game. It holds a [`Metered`] game, which counts work before doing it and refuses work beyond the budget. Only
//! [`App::bounded`](super::App::bounded) hands out a [`Meter`], and it does so on a blocking thread. No handler can
//! therefore build, list or draw on a thread that answers requests.

use agon_core::scene::Scene;
use agon_core::setup::Setup;
use agon_core::{Facts, Player, Status};
use agon_registry::erased::{AnyGame, Offers, StrategyWord, View};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use serde_json::Value;
use std::cell::Cell;
use std::sync::Arc;

/// The units that one request may use. Listing a move costs one.
pub(crate) const REQUEST_BUDGET: u64 = 4_000_000;
/// The units for drawing a place or a piece.
const UNITS_PER_PIECE: u64 = 20;
/// The bytes of a position's text that cost one unit, because the text is parsed for every query.
const BYTES_PER_UNIT: u64 = 64;
/// The most bytes that the parts of one answer may have together.
const WRITTEN_BYTES: u64 = 32 << 20;
/// The most moves a position may have.
pub(crate) const MAX_MOVES: u64 = 100_000;

/// Counts the work of one request.
pub(crate) struct Meter {
    left: Cell<u64>,
    written: Cell<u64>,
    overdrawn: Cell<bool>,
}

impl Meter {
    pub(super) fn new() -> Meter {
        Meter { left: Cell::new(REQUEST_BUDGET), written: Cell::new(0), overdrawn: Cell::new(false) }
    }

    /// The units used so far.
    pub(crate) fn used(&self) -> u64 {
        REQUEST_BUDGET - self.left.get()
    }

    /// Returns whether the request has exceeded its budget.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.overdrawn.get()
    }

    /// Pays some units; fails if the budget is exceeded.
    pub(crate) fn pay(&self, units: u64) -> Result<(), Failure> {
        let Some(left) = self.left.get().checked_sub(units) else {
            self.overdrawn.set(true);
            return Err(Failure::Usage(format!(
                "this page would need more than the limit of {} moves listed (a piece drawn counts as {UNITS_PER_PIECE}): use a \
                 smaller board or a shorter line",
                grouped(REQUEST_BUDGET)
            )));
        };
        self.left.set(left);
        Ok(())
    }

    /// Counts a part of the answer; fails if the answer becomes too long.
    pub(crate) fn write(&self, part: Value) -> Result<Value, Failure> {
        let written = self.written.get() + part.to_string().len() as u64;
        self.written.set(written);
        if written > WRITTEN_BYTES {
            self.overdrawn.set(true);
            return Err(too_long(written, WRITTEN_BYTES));
        }
        Ok(part)
    }
}

/// The refusal of an answer that is too long.
pub(crate) fn too_long(bytes: u64, most: u64) -> Failure {
    Failure::Usage(format!(
        "the answer has at least {} bytes, and a page may have at most {}: use a smaller board or a shorter line",
        grouped(bytes),
        grouped(most)
    ))
}

/// A game whose work is counted.
#[derive(Clone)]
pub(crate) struct Metered<'m> {
    game: Arc<dyn AnyGame>,
    meter: &'m Meter,
}

impl<'m> Metered<'m> {
    pub(super) fn new(game: Arc<dyn AnyGame>, meter: &'m Meter) -> Metered<'m> {
        Metered { game, meter }
    }

    /// The game without a meter, for jobs and searches, which have other limits.
    pub(crate) fn unmetered(&self) -> Arc<dyn AnyGame> {
        self.game.clone()
    }

    /// The meter.
    pub(crate) fn meter(&self) -> &'m Meter {
        self.meter
    }

    pub(crate) fn facts(&self) -> &Facts {
        self.game.facts()
    }

    pub(crate) fn spelling(&self) -> &str {
        self.game.spelling()
    }

    pub(crate) fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    pub(crate) fn offers(&self) -> Offers {
        self.game.offers()
    }

    pub(crate) fn strategy_text(&self, name: &str) -> Option<&'static str> {
        self.game.strategy_text(name)
    }

    pub(crate) fn strategy_words(&self) -> Vec<StrategyWord> {
        self.game.strategy_words()
    }

    pub(crate) fn setup(&self) -> Setup {
        self.game.setup()
    }

    pub(crate) fn record_notation(&self) -> Option<(&'static str, &'static str)> {
        self.game.record_notation()
    }

    pub(crate) fn side(&self, name: &str) -> Result<Player, Failure> {
        self.game.side(name)
    }

    pub(crate) fn start(&self) -> String {
        self.game.start()
    }

    pub(crate) fn turn(&self, pos: &str) -> Result<Player, Failure> {
        self.game.turn(pos)
    }

    /// The canonical text of a position; fails if it has more moves than [`MAX_MOVES`].
    pub(crate) fn position(&self, text: &str) -> Result<String, Failure> {
        self.meter.pay(text.len() as u64)?;
        let pos = self.game.position(text)?;
        self.pay_for_moves(&pos)?;
        Ok(pos)
    }

    /// Pays for listing every move of a position.
    fn pay_for_moves(&self, pos: &str) -> Result<u64, Failure> {
        let moves = self.game.count_moves(pos)?;
        if moves > MAX_MOVES {
            return Err(Failure::Usage(format!(
                "position `{}` of {} has {} moves, and a page lists at most {}: use smaller heaps or stacks",
                agon_core::family::shorten(pos),
                agon_core::family::shorten(self.spelling()),
                grouped(moves),
                grouped(MAX_MOVES)
            )));
        }
        self.meter.pay(moves + 1 + pos.len() as u64 / BYTES_PER_UNIT)?;
        Ok(moves)
    }

    /// The number of legal moves.
    pub(crate) fn count_moves(&self, pos: &str) -> Result<u64, Failure> {
        self.pay_for_moves(pos)
    }

    pub(crate) fn status(&self, pos: &str) -> Result<Status, Failure> {
        self.pay_for_moves(pos)?;
        self.game.status(pos)
    }

    pub(crate) fn status_text(&self, pos: &str) -> Result<String, Failure> {
        self.pay_for_moves(pos)?;
        self.game.status_text(pos)
    }

    pub(crate) fn winner(&self, pos: &str) -> Result<Option<&'static str>, Failure> {
        self.pay_for_moves(pos)?;
        self.game.winner(pos)
    }

    pub(crate) fn end_reason(&self, pos: &str) -> Result<&'static str, Failure> {
        self.pay_for_moves(pos)?;
        self.game.end_reason(pos)
    }

    pub(crate) fn moves(&self, pos: &str) -> Result<Vec<String>, Failure> {
        self.pay_for_moves(pos)?;
        self.game.moves(pos)
    }

    /// The status, the picture and the first `most` moves.
    pub(crate) fn look(&self, pos: &str, most: usize) -> Result<View, Failure> {
        self.pay_for_moves(pos)?;
        let view = self.game.look(pos, most)?;
        self.pay_for_drawing(&view.scene)?;
        Ok(view)
    }

    /// Plays a move; returns its canonical text and the position after it.
    pub(crate) fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure> {
        self.pay_for_moves(pos)?;
        let played = self.game.play(pos, mv)?;
        self.pay_for_moves(&played.1)?;
        Ok(played)
    }

    pub(crate) fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure> {
        self.pay_for_moves(pos)?;
        self.game.path(pos, mv)
    }

    /// The picture of a position.
    pub(crate) fn scene(&self, pos: &str) -> Result<Scene, Failure> {
        self.pay_for_moves(pos)?;
        let scene = self.game.scene(pos)?;
        self.pay_for_drawing(&scene)?;
        Ok(scene)
    }

    /// Pays for every line and piece of a picture.
    fn pay_for_drawing(&self, scene: &Scene) -> Result<(), Failure> {
        let pieces = scene.places.iter().map(|place| 1 + place.stack.len()).sum::<usize>() + scene.lines.len();
        self.meter.pay(pieces as u64 * UNITS_PER_PIECE)
    }

    /// Pays for lines added to a picture.
    pub(crate) fn pay_for_lines(&self, lines: usize) -> Result<(), Failure> {
        self.meter.pay(lines as u64 * UNITS_PER_PIECE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metered<'m>(meter: &'m Meter, spelling: &str) -> Metered<'m> {
        Metered::new(Arc::from(agon_registry::standard().game(spelling).unwrap()), meter)
    }

    #[test]
    fn a_position_with_very_many_moves_is_refused_before_they_are_listed() {
        let meter = Meter::new();
        for spelling in ["nim:1000000", "heap:0.777;1000000", "circular-nim:12,5;15+15+15+15+1+1+1+1+1+1+1+1"] {
            let game = metered(&meter, spelling);
            let start = game.start();
            for refused in [
                game.position(&start).map(drop),
                game.status(&start).map(drop),
                game.moves(&start).map(drop),
                game.look(&start, 10).map(drop),
                game.play(&start, "1").map(drop),
                game.path(&start, "1").map(drop),
                game.scene(&start).map(drop),
                game.winner(&start).map(drop),
                game.end_reason(&start).map(drop),
                game.status_text(&start).map(drop),
            ] {
                let why = refused.unwrap_err();
                let why = why.message().unwrap();
                assert!(why.contains("a page lists at most 100,000") && why.contains("moves"), "{why}");
            }
        }
        // Only the text of the positions was paid for.
        assert!(meter.used() < 200, "{}", meter.used());
    }

    #[test]
    fn what_is_written_is_counted() {
        let meter = Meter::new();
        let part = || Value::String("a".repeat(1 << 20));
        for _ in 0..31 {
            meter.write(part()).unwrap();
        }
        let refused = meter.write(part()).and_then(|_| meter.write(part())).unwrap_err();
        assert!(refused.message().unwrap().contains("at most 33,554,432"), "{refused:?}");
        assert!(meter.is_overdrawn());
    }

    #[test]
    fn a_long_position_costs_more_every_time_it_is_read() {
        let meter = Meter::new();
        let game = metered(&meter, "tak:3,draw=threefold");
        let pos = format!("1,x2/2,x2/x3_1_2_!{}", vec!["1,x2/2,x2/x3"; 500].join("."));
        game.count_moves(&pos).unwrap();
        assert!(meter.used() > pos.len() as u64 / BYTES_PER_UNIT, "{}", meter.used());
    }

    #[test]
    fn what_is_listed_and_drawn_is_counted() {
        let meter = Meter::new();
        let game = metered(&meter, "tic-tac-toe");
        game.moves(&game.start()).unwrap();
        assert_eq!(meter.used(), 10);
        game.scene(".../.X./...").unwrap();
        assert_eq!(meter.used(), 10 + 9 + 10 * UNITS_PER_PIECE);
        let refused = meter.pay(REQUEST_BUDGET).unwrap_err();
        assert!(refused.message().unwrap().contains("4,000,000 moves listed"), "{refused:?}");
    }
}
