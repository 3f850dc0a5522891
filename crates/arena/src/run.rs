//! Runs a tournament: worker threads take the next game, and one thread stores the results.

use super::game::{Audience, Played, Table, play};
use super::plan::Plan;
use super::seat::Seat;
use super::store::{GameResult, Row, Store};
use crate::statistics::Pairs;
use agon_core::{Ctx, Player};
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A tournament that is ready to run.
pub struct Tournament<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The numbers of the games to play.
    pub todo: Vec<u64>,
    /// The results of games played before.
    pub results: Vec<GameResult>,
    /// The file, if there is one.
    pub store: Option<&'a mut Store>,
    /// The number of games that run at once.
    pub threads: usize,
    /// The listener.
    pub audience: Option<&'a dyn Audience>,
}

impl Tournament<'_> {
    /// Plays until all games are over, the sequential test decides, or `ctx` stops it. Returns all results, sorted by
    /// number.
    pub fn play(mut self, ctx: &Ctx) -> Result<Vec<GameResult>, Failure> {
        let mut sequence = Sequence::new(self.plan, &self.results);
        if self.todo.is_empty() || sequence.decided() {
            return Ok(sequence.counted(self.results));
        }
        let threads = self.threads.min(self.todo.len());
        // All players are created first, so that a wrong spelling is refused before the first game.
        let tables = (0..threads).map(|_| self.seats(ctx)).collect::<Result<Vec<_>, _>>()?;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let todo = std::mem::take(&mut self.todo);
        let (plan, game, audience) = (self.plan, self.game, self.audience);
        std::thread::scope(|scope| {
            let (send, finished) = channel();
            let workers: Vec<_> = tables
                .into_iter()
                .enumerate()
                .map(|(number, seats)| {
                    let (send, queue) = (send.clone(), Queue { todo: &todo, next: &next, stop: &stop });
                    let table = Table { number, audience, ctx };
                    scope.spawn(move || work(plan, game, seats, queue, &send, table))
                })
                .collect();
            drop(send);
            let total = (self.results.len() + todo.len()) as u64;
            let collected = self.collect(&finished, &stop, &mut sequence, total, ctx);
            stop.store(true, Ordering::Relaxed);
            // Close the channel, so that no worker waits for it.
            drop(finished);
            workers.into_iter().for_each(|worker| drop(worker.join()));
            collected
        })?;
        Ok(sequence.counted(self.results))
    }

    fn seats(&self, ctx: &Ctx) -> Result<Vec<Seat>, Failure> {
        let limit = self.plan.move_time.map(Duration::from_millis);
        let start = Duration::from_millis(self.plan.start_time);
        let seat = |name: &String| Seat::new(self.game, (name, &self.plan.files), limit, start, ctx);
        self.plan.players.iter().map(seat).collect()
    }

    /// Receives results and writes them at once.
    fn collect(
        &mut self,
        finished: &Receiver<Result<Played, Failure>>,
        stop: &AtomicBool,
        sequence: &mut Sequence,
        total: u64,
        ctx: &Ctx,
    ) -> Result<(), Failure> {
        ctx.progress("playing", self.results.len() as u64, Some(total));
        while let Ok(first) = finished.recv() {
            let mut rows = Vec::new();
            for played in std::iter::once(first).chain(finished.try_iter()) {
                let played = played?;
                if !sequence.add(&GameResult::from(&played)) {
                    continue;
                }
                self.results.push(GameResult::from(&played));
                let record = self.store.as_ref().and_then(|_| self.record(&played));
                rows.push(Row { played, record });
            }
            if let Some(store) = &mut self.store {
                store.insert(&rows)?;
            }
            ctx.progress("playing", self.results.len() as u64, Some(total));
            if let Some(audience) = self.audience {
                audience.stored(&self.results, self.store.as_deref())?;
            }
            if sequence.decided() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The game in the standard notation of its family, with the names of the players.
    fn record(&self, played: &Played) -> Option<String> {
        let record = self.game.write_record(&played.from, &played.moves)?;
        let (names, slot) = (self.plan.names(), self.plan.slot(played.id));
        let name = |seat: usize| names[slot.seats[seat]].replace('\\', "\\\\").replace('"', "\\\"");
        let tags = format!("[Player1 \"{}\"]\n[Player2 \"{}\"]\n[Round \"{}\"]\n", name(0), name(1), played.id + 1);
        Some(if record.starts_with('[') { tags + &record } else { record })
    }
}

/// The games that are left, and whether to stop.
#[derive(Clone, Copy)]
struct Queue<'a> {
    todo: &'a [u64],
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

fn work(
    plan: &Plan,
    game: &dyn AnyGame,
    mut seats: Vec<Seat>,
    queue: Queue<'_>,
    send: &Sender<Result<Played, Failure>>,
    table: Table<'_>,
) {
    while !queue.stop.load(Ordering::Relaxed) && table.ctx.check().is_ok() {
        let Some(&id) = queue.todo.get(queue.next.fetch_add(1, Ordering::Relaxed)) else { return };
        let sent = match play(plan, game, &plan.slot(id), &mut seats, table) {
            Ok(Some(played)) => send.send(Ok(played)),
            Ok(None) => return,
            Err(failure) => send.send(Err(failure)),
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Feeds pairs to a sequential test in the order of their numbers, so that the decision is the same for any number of
/// threads. Pairs after the decision do not count.
struct Sequence<'a> {
    plan: &'a Plan,
    waiting: BTreeMap<u64, Vec<usize>>,
    pairs: Pairs,
    next: u64,
    decided: bool,
}

impl<'a> Sequence<'a> {
    fn new(plan: &'a Plan, before: &[GameResult]) -> Sequence<'a> {
        let mut sequence =
            Sequence { plan, waiting: BTreeMap::new(), pairs: Pairs::default(), next: 0, decided: false };
        for result in before {
            sequence.add(result);
        }
        sequence
    }

    fn decided(&self) -> bool {
        self.decided
    }

    /// Adds a result; returns whether it counts.
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

    /// The results that count, sorted by number.
    fn counted(&self, mut results: Vec<GameResult>) -> Vec<GameResult> {
        if self.decided {
            results.retain(|result| result.id / 2 < self.next);
        }
        results.sort_unstable_by_key(|result| result.id);
        results
    }
}

/// The half points (0, 1 or 2) that player `of` of the pairing (0 or 1) scored in a game.
pub fn half_points(plan: &Plan, result: &GameResult, of: usize) -> usize {
    let slot = plan.slot(result.id);
    let side = if (of == 1) == slot.swapped { Player::First } else { Player::Second };
    match result.winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}
