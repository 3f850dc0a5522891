//! Playing a tournament: threads that take the next game, and one that keeps the results.

use super::plan::Plan;
use super::seat::Seat;
use super::store::{GameResult, Row, Store};
use super::table::{Audience, Place, Played, play};
use crate::statistics::Pairs;
use agon_core::{Ctx, Player};
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What to play, and where to keep it.
pub struct Tournament<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The games to play, by number.
    pub todo: Vec<u64>,
    /// What was played before.
    pub results: Vec<GameResult>,
    /// The file, if there is one.
    pub store: Option<&'a mut Store>,
    /// How many games at once.
    pub threads: usize,
    /// Who looks on.
    pub audience: Option<&'a dyn Audience>,
}

impl Tournament<'_> {
    /// Plays until everything is played, the test is decided, or it is stopped. Returns all results by
    /// number.
    pub fn play(mut self, ctx: &Ctx) -> Result<Vec<GameResult>, Failure> {
        let mut watch = Sequence::new(self.plan, &self.results);
        if self.todo.is_empty() || watch.decided() {
            return Ok(watch.keep(self.results));
        }
        let threads = self.threads.min(self.todo.len());
        // Everybody sits down first, so that a wrong spelling is noticed before anything is played.
        let tables = (0..threads).map(|_| self.seats(ctx)).collect::<Result<Vec<_>, _>>()?;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let todo = std::mem::take(&mut self.todo);
        let (plan, game, audience) = (self.plan, self.game, self.audience);
        std::thread::scope(|scope| {
            let (send, finished) = channel();
            let workers: Vec<_> = tables
                .into_iter()
                .enumerate()
                .map(|(table, seats)| {
                    let (send, left) = (send.clone(), Left { todo: &todo, next: &next, stop: &stop });
                    let place = Place { table, audience, ctx };
                    scope.spawn(move || work(plan, game, seats, left, &send, place))
                })
                .collect();
            drop(send);
            let total = (self.results.len() + todo.len()) as u64;
            let kept = self.keep(&finished, &stop, &mut watch, total, ctx);
            stop.store(true, Ordering::Relaxed);
            // Whatever else is in the channel is not wanted; workers must not wait for it.
            drop(finished);
            workers.into_iter().for_each(|worker| drop(worker.join()));
            kept
        })?;
        Ok(watch.keep(self.results))
    }

    fn seats(&self, ctx: &Ctx) -> Result<Vec<Seat>, Failure> {
        let limit = self.plan.move_time.map(Duration::from_millis);
        let start = Duration::from_millis(self.plan.start_time);
        let seat = |name: &String| Seat::new(self.game, (name, &self.plan.files), limit, start, ctx);
        self.plan.players.iter().map(seat).collect()
    }

    /// Takes results as they come, and writes them at once.
    fn keep(
        &mut self,
        finished: &Receiver<Result<Played, Failure>>,
        stop: &AtomicBool,
        watch: &mut Sequence,
        total: u64,
        ctx: &Ctx,
    ) -> Result<(), Failure> {
        while let Ok(first) = finished.recv() {
            let mut rows = Vec::new();
            for played in std::iter::once(first).chain(finished.try_iter()) {
                let played = played?;
                if !watch.add(&GameResult::from(&played)) {
                    continue;
                }
                self.results.push(GameResult::from(&played));
                let record = self.store.as_ref().and_then(|_| self.record(&played));
                rows.push(Row { played, record });
            }
            if let Some(store) = &mut self.store {
                store.keep(&rows)?;
            }
            ctx.progress("playing", self.results.len() as u64, Some(total));
            if let Some(audience) = self.audience {
                audience.kept(&self.results, self.store.as_deref())?;
            }
            if watch.decided() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The whole game in the family's own notation, with the names of the players.
    fn record(&self, played: &Played) -> Option<String> {
        let record = self.game.write_record(&played.from, &played.moves)?;
        let (names, slot) = (self.plan.names(), self.plan.slot(played.id));
        let name = |seat: usize| names[slot.seats[seat]].replace('\\', "\\\\").replace('"', "\\\"");
        let tags = format!("[Player1 \"{}\"]\n[Player2 \"{}\"]\n[Round \"{}\"]\n", name(0), name(1), played.id + 1);
        Some(if record.starts_with('[') { tags + &record } else { record })
    }
}

/// The games that are left, and whether to go on.
#[derive(Clone, Copy)]
struct Left<'a> {
    todo: &'a [u64],
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

fn work(
    plan: &Plan,
    game: &dyn AnyGame,
    mut seats: Vec<Seat>,
    left: Left<'_>,
    send: &Sender<Result<Played, Failure>>,
    place: Place<'_>,
) {
    while !left.stop.load(Ordering::Relaxed) && place.ctx.check().is_ok() {
        let Some(&id) = left.todo.get(left.next.fetch_add(1, Ordering::Relaxed)) else { return };
        let sent = match play(plan, game, &plan.slot(id), &mut seats, place) {
            Ok(Some(played)) => send.send(Ok(played)),
            Ok(None) => return,
            Err(failure) => send.send(Err(failure)),
        };
        if sent.is_err() {
            return;
        }
    }
}

/// A sequential test looks at pairs in the order of their numbers, whichever came first: so the decision
/// is the same for any number of threads. Pairs beyond the decision do not count.
struct Sequence<'a> {
    plan: &'a Plan,
    waiting: BTreeMap<u64, Vec<usize>>,
    pairs: Pairs,
    next: u64,
    decided: bool,
}

impl<'a> Sequence<'a> {
    fn new(plan: &'a Plan, before: &[GameResult]) -> Sequence<'a> {
        let mut watch = Sequence { plan, waiting: BTreeMap::new(), pairs: Pairs::default(), next: 0, decided: false };
        for result in before {
            watch.add(result);
        }
        watch
    }

    fn decided(&self) -> bool {
        self.decided
    }

    /// Whether the result counts.
    fn add(&mut self, result: &GameResult) -> bool {
        let Some(test) = self.plan.sprt else { return true };
        let pair = result.id / 2;
        if self.decided && pair >= self.next {
            return false;
        }
        self.waiting.entry(pair).or_default().push(half_points(self.plan, result, 0));
        while !self.decided && self.waiting.get(&self.next).is_some_and(|games| games.len() == 2) {
            self.pairs.add(self.waiting[&self.next].iter().sum());
            self.next += 1;
            self.decided = test.verdict(&self.pairs).is_some();
        }
        true
    }

    /// The results that count, by number.
    fn keep(&self, mut results: Vec<GameResult>) -> Vec<GameResult> {
        if self.decided {
            results.retain(|result| result.id / 2 < self.next);
        }
        results.sort_unstable_by_key(|result| result.id);
        results
    }
}

/// What the player of that number in its pairing (0 or 1) made of a game: 0, 1 or 2 half points.
pub fn half_points(plan: &Plan, result: &GameResult, of: usize) -> usize {
    let slot = plan.slot(result.id);
    let side = if (of == 1) == slot.swapped { Player::First } else { Player::Second };
    match result.winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}
