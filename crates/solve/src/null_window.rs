//! Null-window search for games with [`Tactics`]: it asks whether the value reaches a bound, one bound after the other.
//!
//! Every child is looked at before any is searched: forced moves are played out, and what the tactics of the game or
//! the table say may already decide the node. Several threads search the same window with slightly different orders and
//! share one table; the first answer counts.

use crate::move_values::stated;
use crate::packed_table::{Compact, LONGEST};
use agon_core::solver::{Failed, Solver};
use agon_core::{
    Bounds, Ctx, Game, Meter, Player, Rng, Solution, StaticAnalysis, Stop, Tactics, Value, Wdl, collect_moves,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Below this height a child is not looked up before it is searched.
const LOOK_UP_HEIGHT: u32 = 6;
/// The largest noise that a further thread adds to the order of moves at the root; it falls tenfold with every ply.
const NOISE: u32 = 1000;
/// Nodes that one thread searches before others join it.
const ALONE: u64 = 1 << 14;
/// Nodes that a move may take before the others are tried: those that the table proves take few.
const KNOWN_MOVE: u64 = 1 << 12;

/// The solver. It keeps its table between calls for positions of one game.
///
/// ```
/// use agon_core::solver::Solver;
/// use agon_core::{Bounds, Ctx, Game, Wdl};
/// use agon_games::drop::Drop;
/// use agon_solve::NullWindow;
///
/// let board = Drop::new(5, 4, 4).rack().unwrap();
/// let solution = NullWindow::new(1 << 24).solve(&board, &board.start(), &Ctx::default()).unwrap();
/// assert_eq!((solution.value, solution.plies), (Bounds::exactly(Wdl::Draw), Some(20)));
/// ```
pub struct NullWindow {
    table: Option<Compact>,
    bytes: usize,
}

/// A child that the tactics do not decide: the position after forced moves, and the plies to it.
#[derive(Clone)]
struct Child<P> {
    pos: P,
    plies: u32,
    /// Bounds on its value for the parent's mover.
    lo: Value,
    hi: Value,
    known: Option<Known>,
}

/// The key of a position and what the table holds for it.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    bounds: Option<(Value, Value)>,
}

/// Children that wait to be searched, with the order of their moves.
type Waiting<G> = Vec<(i32, <G as Game>::Move, Child<<G as Game>::Position>)>;

/// One thread at work on one window.
struct Search<'a, G: Tactics> {
    game: &'a G,
    table: &'a Compact,
    /// Set when another thread has the answer.
    over: &'a AtomicBool,
    meter: Meter<'a>,
    /// Noise for the order of moves. The first thread has none.
    noise: Option<Rng>,
    /// Stacks of the moves and children of all nodes on the current line.
    moves: Vec<G::Move>,
    waiting: Waiting<G>,
}

/// The end of a line of forced moves.
enum Line<P> {
    /// The value for the side that begins it.
    Decided(Value),
    /// An open position, after that many plies.
    Open(P, u32),
}

/// Every value.
const ANY: (Value, Value) = (Value::SOONEST_LOSS, Value::SOONEST_WIN);

/// Bounds for the mover of a descendant, as bounds for the mover of the ancestor.
#[inline]
fn to_ancestor((lo, hi): (Value, Value), plies: u32) -> (Value, Value) {
    let (lo, hi) = (lo.to_ancestor(plies), hi.to_ancestor(plies));
    if plies & 1 == 1 { (hi, lo) } else { (lo, hi) }
}

/// The inverse of [`to_ancestor`].
#[inline]
fn to_descendant((lo, hi): (Value, Value), plies: u32) -> (Value, Value) {
    let (lo, hi) = (lo.to_descendant(plies), hi.to_descendant(plies));
    if plies & 1 == 1 { (hi, lo) } else { (lo, hi) }
}

impl<G: Tactics> Search<'_, G> {
    /// Plays forced moves until the position is decided or open.
    #[inline]
    fn follow(&self, mut pos: G::Position) -> Line<G::Position> {
        let mut plies = 0;
        loop {
            match self.game.static_analysis(&pos) {
                StaticAnalysis::Decided(value) => return Line::Decided(value.to_ancestor(plies)),
                StaticAnalysis::Forced(mv) => {
                    self.game.play(&mut pos, mv);
                    plies += 1;
                }
                StaticAnalysis::Open => return Line::Open(pos, plies),
            }
        }
    }

    #[inline]
    fn look_up(&self, pos: &G::Position) -> Known {
        let key = self.game.key(pos);
        Known { key, bounds: self.table.get(key) }
    }

    /// The value of an unfinished position, with the meaning of [`Search::search`].
    fn value(&mut self, pos: &G::Position, window: (Value, Value)) -> Result<Value, Stop> {
        let (pos, plies) = match self.follow(pos.clone()) {
            Line::Decided(value) => return Ok(value),
            Line::Open(pos, plies) => (pos, plies),
        };
        let (known, noise) = (self.look_up(&pos), if self.noise.is_some() { NOISE } else { 0 });
        let value = self.search(&pos, to_descendant(window, plies), known, noise)?;
        Ok(value.to_ancestor(plies))
    }

    /// Fail-soft search of an open position: a result at or below alpha is an upper bound, one at or above beta a lower
    /// bound.
    fn search(&mut self, pos: &G::Position, window: (Value, Value), known: Known, noise: u32) -> Result<Value, Stop> {
        self.meter.tick()?;
        if self.over.load(Relaxed) {
            return Err(Stop::Interrupted);
        }
        // Step 1: the table narrows the window.
        let (lo, mut hi) = known.bounds.unwrap_or(ANY);
        if lo >= window.1 || lo == hi {
            return Ok(lo);
        }
        if hi <= window.0 {
            return Ok(hi);
        }
        let (mut alpha, mut beta) = (window.0.max(lo), window.1.min(hi));
        let before = self.meter.nodes();
        // Step 2: look at every child before any is searched.
        let (first_move, first) = (self.moves.len(), self.waiting.len());
        let moves = &mut self.moves;
        self.game.promising(pos, &mut |mv| moves.push(mv));
        let (mut best, mut most) = (Value::WORST, Value::WORST);
        for i in first_move..self.moves.len() {
            let mv = self.moves[i];
            let ((least, upper), child) = self.look_at(self.game.after(pos, mv));
            (best, alpha) = (best.max(least), alpha.max(least));
            if alpha >= beta {
                break;
            }
            match child {
                Some(child) if upper > alpha => self.waiting.push((0, mv, child)),
                _ => (best, most) = (best.max(upper), most.max(upper)),
            }
        }
        self.moves.truncate(first_move);
        // Step 3: look the others up. All keys come first, so that the reads of the table overlap.
        if alpha < beta {
            if self.game.height(pos) > LOOK_UP_HEIGHT {
                self.look_up_from(first);
            }
            for (_, _, child) in &self.waiting[first..] {
                (best, alpha, most) = (best.max(child.lo), alpha.max(child.lo), most.max(child.hi));
            }
        }
        // Step 4: unless that decides, search the others until a cutoff, most promising first.
        if alpha < beta {
            (hi, beta) = (hi.min(most), beta.min(most));
            if alpha < beta {
                self.order(pos, first, noise);
            } else {
                best = best.max(hi);
            }
        }
        for i in first..self.waiting.len() {
            let child = self.waiting[i].2.clone();
            if alpha >= beta {
                break;
            }
            if child.hi <= alpha {
                best = best.max(child.hi);
                continue;
            }
            let known = child.known.unwrap_or_else(|| self.look_up(&child.pos));
            let inner = to_descendant((alpha, beta), child.plies);
            let value = self.search(&child.pos, inner, known, noise / 10)?;
            best = best.max(value.to_ancestor(child.plies).min(child.hi));
            alpha = alpha.max(best);
        }
        self.waiting.truncate(first);
        // Step 5: store what the result proves.
        let best = best.clamp(lo, hi);
        let least = if best > window.0.max(lo) { best } else { lo };
        let most = if best < window.1.min(hi) { best } else { hi };
        self.table.put(known.key, (least, most), self.meter.nodes() - before);
        Ok(best)
    }

    /// The bounds on the value of a child for the parent's mover, and what there is to search unless they decide it.
    #[inline]
    fn look_at(&self, pos: G::Position) -> ((Value, Value), Option<Child<G::Position>>) {
        let (pos, plies) = match self.follow(pos) {
            Line::Decided(value) => return ((value.to_parent(), value.to_parent()), None),
            Line::Open(pos, plies) => (pos, plies + 1),
        };
        let (lo, hi) = to_ancestor(self.game.value_bounds(&pos), plies);
        ((lo, hi), (lo < hi).then_some(Child { pos, plies, lo, hi, known: None }))
    }

    /// Narrows the bounds of the children that wait from `first` on by what the table holds.
    #[inline]
    fn look_up_from(&mut self, first: usize) {
        for (_, _, child) in &mut self.waiting[first..] {
            child.known = Some(Known { key: self.game.key(&child.pos), bounds: None });
        }
        for (_, _, child) in &mut self.waiting[first..] {
            let Some(known) = &mut child.known else { continue };
            known.bounds = self.table.get(known.key);
            if let Some(bounds) = known.bounds {
                let (lo, hi) = to_ancestor(bounds, child.plies);
                (child.lo, child.hi) = (child.lo.max(lo), child.hi.min(hi));
            }
        }
    }

    /// Sorts the children that wait from `first` on.
    #[inline]
    fn order(&mut self, pos: &G::Position, first: usize, noise: u32) {
        for (order, mv, _) in &mut self.waiting[first..] {
            let jitter = match &mut self.noise {
                Some(rng) if noise > 0 => rng.below(1 + noise as usize % 10) as i32,
                _ => 0,
            };
            *order = self.game.promise(pos, *mv) + jitter;
        }
        self.waiting[first..].sort_by_key(|(order, ..)| std::cmp::Reverse(*order));
    }
}

/// The answer of one thread to whether the value of `pos` reaches `bound`, and the nodes it took.
fn ask_alone<G: Tactics>(
    (game, table, over): (&G, &Compact, &AtomicBool),
    pos: &G::Position,
    bound: Value,
    thread: usize,
    ctx: &Ctx,
) -> (Result<Value, Stop>, u64) {
    let noise = (thread > 0).then(|| Rng::new(thread as u64));
    let (meter, moves, waiting) = (ctx.meter(), Vec::new(), Vec::new());
    let mut search = Search { game, table, over, meter, noise, moves, waiting };
    let found = search.value(pos, (bound.just_below(), bound));
    (found, search.meter.nodes())
}

impl NullWindow {
    /// A solver whose table takes at most about `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> NullWindow {
        NullWindow { table: None, bytes }
    }

    /// Makes room for a search from `pos`. A search from a greater height gets a larger table.
    fn prepare<G: Tactics>(&mut self, game: &G, pos: &G::Position) -> Result<(), Failed> {
        let (height, least) = (game.height(pos), Compact::least_bytes(game.key_bits()));
        if height > LONGEST {
            return Err(Failed::OutOfRange {
                what: "the length of a play in plies".to_string(),
                limit: LONGEST.into(),
            });
        }
        if least > self.bytes {
            return Err(Failed::NoMemory { needed: Some(least as u64), allowed: self.bytes as u64 });
        }
        let larger = Compact::sized(game.key_bits(), 1 << (height / 2 + 4).min(40), self.bytes);
        if self.table.as_ref().is_none_or(|table| table.room() < larger) {
            let table = Compact::new(game.key_bits(), larger);
            if let Some(old) = &self.table {
                table.absorb(old);
            }
            self.table = Some(table);
        }
        Ok(())
    }

    /// Searches `pos` with a null window below `bound`, and counts the nodes. A result of at least `bound` is a lower
    /// bound on the value, and a result below it an upper bound.
    fn ask<G: Tactics>(
        &mut self,
        game: &G,
        pos: &G::Position,
        bound: Value,
        task: &'static str,
        ctx: &Ctx,
    ) -> Result<(Value, u64), Failed> {
        self.prepare(game, pos)?;
        if let Some(outcome) = game.outcome(pos) {
            return Ok((Value::finished(outcome.seen_by(game.turn(pos))), 0));
        }
        ctx.progress(task, 0, None);
        let table = self.table.as_ref().expect("just made");
        let (over, answer, mut nodes) = (AtomicBool::new(false), Mutex::new(None), 0);
        let shared = (game, table, &over);
        if ctx.threads() > 1 {
            // Most questions about single moves are answered before a thread has started.
            match ask_alone(shared, pos, bound, 0, &ctx.sub_budget(ALONE)) {
                (Err(Stop::Nodes), spent) => nodes = spent,
                (found, nodes) => return Ok((found?, nodes)),
            }
            ctx.check()?;
        }
        let work = |thread: usize| {
            let (found, nodes) = ask_alone(shared, pos, bound, thread, ctx);
            if !over.swap(true, Relaxed) {
                *answer.lock().expect("no thread panics") = Some(found);
            }
            nodes
        };
        nodes += std::thread::scope(|scope| {
            let others: Vec<_> = (1..ctx.threads()).map(|thread| scope.spawn(move || work(thread))).collect();
            work(0) + others.into_iter().map(|thread| thread.join().expect("no thread panics")).sum::<u64>()
        });
        let found = answer.into_inner().expect("no thread panics").expect("one thread answers");
        Ok((found?, nodes))
    }

    /// The value with its distance, if `bounds` can be narrowed to one; they hold whatever stops the search.
    fn narrow<G: Tactics>(
        &mut self,
        game: &G,
        pos: &G::Position,
        bounds: &mut Bounds,
        nodes: &mut u64,
        ctx: &Ctx,
    ) -> Result<Value, Failed> {
        let mut ask = |bound, task| {
            let (value, more) = self.ask(game, pos, bound, task, ctx)?;
            *nodes += more;
            Ok::<Value, Failed>(value)
        };
        let any_win = Value::win_in(game.height(pos));
        let mut value = ask(any_win, "looking for a win")?;
        if value >= any_win {
            *bounds = Bounds::exactly(Wdl::Win);
            loop {
                let quicker = ask(value.just_above(), "looking for a quicker win")?;
                if quicker <= value {
                    return Ok(value);
                }
                value = quicker;
            }
        }
        bounds.hi = Wdl::Draw;
        if ask(Value::DRAW, "looking for a draw")? >= Value::DRAW {
            *bounds = Bounds::exactly(Wdl::Draw);
            return Ok(Value::DRAW);
        }
        *bounds = Bounds::exactly(Wdl::Loss);
        let mut value = Value::loss_in(game.height(pos));
        loop {
            let slower = ask(value, "looking for a slower loss")?;
            if slower >= value {
                return Ok(value);
            }
            value = slower;
        }
    }

    /// The value with its distance.
    pub fn exact<G: Tactics>(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Value, Failed> {
        let mut bounds = Bounds::UNKNOWN;
        self.narrow(game, pos, &mut bounds, &mut 0, ctx)
    }

    /// Returns whether playing `mv` is worth at least `bound` to the side that plays it.
    pub fn move_reaches<G: Tactics>(
        &mut self,
        game: &G,
        pos: &G::Position,
        mv: G::Move,
        bound: Value,
        ctx: &Ctx,
    ) -> Result<bool, Failed> {
        let too_much = bound.to_child().just_above();
        let (value, _) = self.ask(game, &game.after(pos, mv), too_much, "comparing moves", ctx)?;
        Ok(value < too_much)
    }

    /// A move that reaches the value of `pos`: one that the table proves, or the most promising.
    fn best<G: Tactics>(
        &mut self,
        game: &G,
        pos: &G::Position,
        value: Value,
        ctx: &Ctx,
    ) -> Result<Option<G::Move>, Failed> {
        if game.outcome(pos).is_some() {
            return Ok(None);
        }
        let mut moves = collect_moves(game, pos);
        moves.sort_by_key(|&mv| std::cmp::Reverse(game.promise(pos, mv)));
        for limit in [KNOWN_MOVE, u64::MAX] {
            for &mv in &moves {
                match self.move_reaches(game, pos, mv, value, &ctx.sub_budget(limit).with_threads(1)) {
                    Ok(true) => return Ok(Some(mv)),
                    Err(Failed::Stopped(Stop::Nodes)) => ctx.check()?,
                    Ok(false) => {}
                    Err(failed) => return Err(failed),
                }
            }
        }
        Ok(None)
    }
}

impl<G: Tactics> Solver<G> for NullWindow {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let (mut value, mut nodes) = (Bounds::UNKNOWN, 0);
        let found = self.narrow(game, pos, &mut value, &mut nodes, ctx).and_then(|exact| {
            let best = self.best(game, pos, exact, ctx)?;
            Ok((exact, best))
        });
        let (exact, best, stopped) = match found {
            Ok((exact, best)) => (Some(exact), best, None),
            Err(Failed::Stopped(stop)) => (None, None, Some(stop)),
            Err(failed) => return Err(failed),
        };
        let plies = exact.and_then(|value| value.plies().or_else(|| game.draw_plies(pos)));
        Ok(Solution { value, plies, best, nodes, stopped })
    }

    /// Asks of each move whether it reaches the value, and not what else it is worth.
    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        let Some(value) = stated(solution) else { return Ok(None) };
        let mut moves = Vec::new();
        for mv in collect_moves(game, pos) {
            if self.move_reaches(game, pos, mv, value, ctx)? {
                moves.push(mv);
            }
        }
        Ok(Some(moves))
    }

    /// Searches for one bound instead of the value.
    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player, least: Wdl, ctx: &Ctx) -> Result<bool, Failed> {
        let any_win = Value::win_in(game.height(pos));
        let bound = match (least, game.turn(pos) == side) {
            (Wdl::Win, true) | (Wdl::Draw, false) => any_win,
            (Wdl::Draw, true) | (Wdl::Win, false) => Value::DRAW,
            (Wdl::Loss, _) => return Ok(true),
        };
        let reached = self.ask(game, pos, bound, "testing a claim", ctx)?.0 >= bound;
        Ok(reached == (game.turn(pos) == side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute;
    use agon_core::Acyclic;
    use agon_core::toy::Pile;
    use agon_games::rack::Rack;

    /// Plays random moves, and at each position of the last plies compares the solver with brute force.
    fn compare(rack: &Rack, solver: &mut NullWindow, seed: u64, ctx: &Ctx) {
        let (mut rng, mut pos) = (Rng::new(seed), rack.start());
        loop {
            if rack.height(&pos) <= 9 {
                let slow = brute::solve(rack, &pos, &Ctx::default());
                let fast = Solver::solve(solver, rack, &pos, ctx).unwrap();
                assert_eq!((fast.value, fast.plies, fast.stopped), (slow.value, slow.plies, None), "{rack:?} {pos:?}");
                let exact = solver.exact(rack, &pos, ctx).unwrap();
                if let Some(best) = fast.best {
                    let after = brute::solve(rack, &rack.after(&pos, best), &Ctx::default());
                    assert_eq!(after.value.to_parent_with(false), slow.value, "{best} at {pos:?}");
                    assert!(slow.value.value() == Some(Wdl::Draw) || after.plies.map(|plies| plies + 1) == slow.plies);
                }
                for (side, least) in Player::BOTH.into_iter().flat_map(|side| [(side, Wdl::Win), (side, Wdl::Draw)]) {
                    let wdl = if side == rack.turn(&pos) { exact.wdl() } else { exact.wdl().flip() };
                    assert_eq!(solver.keeps(rack, &pos, side, least, ctx).unwrap(), wdl >= least, "{side:?} {pos:?}");
                }
            }
            let Some(mv) = rack.random_move(&pos, &mut rng) else { break };
            rack.play(&mut pos, mv);
        }
    }

    #[test]
    fn random_positions_agree_with_brute_force() {
        for (m, n, k) in
            [(4, 4, 4), (5, 4, 4), (4, 5, 4), (6, 4, 4), (5, 5, 4), (4, 4, 3), (5, 3, 3), (7, 4, 5), (3, 4, 2)]
        {
            let rack = Rack::new(m, n, k).unwrap();
            let mut solver = NullWindow::new(1 << 20);
            for seed in 0..25 {
                compare(&rack, &mut solver, seed, &Ctx::default().with_threads(1 + seed as usize % 2));
            }
        }
    }

    #[test]
    fn small_boards_have_the_published_values_and_last_moves() {
        // John Tromp, "John's Connect Four Playground" (2006); Christophe Steininger, "c4" (2024): value and last move.
        for ((m, n), value, plies) in [
            ((4, 4), Wdl::Draw, 16),
            ((5, 4), Wdl::Draw, 20),
            ((6, 4), Wdl::Loss, 24),
            ((7, 4), Wdl::Draw, 28),
            ((4, 5), Wdl::Draw, 20),
            ((5, 5), Wdl::Draw, 25),
            ((4, 6), Wdl::Draw, 24),
        ] {
            let rack = Rack::new(m, n, 4).unwrap();
            let solution = Solver::solve(&mut NullWindow::new(1 << 24), &rack, &rack.start(), &Ctx::default()).unwrap();
            assert_eq!((solution.value, solution.plies), (Bounds::exactly(value), Some(plies)), "{m}x{n}");
        }
    }

    #[test]
    fn a_pile_is_solved_too() {
        for counters in 1..28 {
            let pile = Pile::new(counters);
            let (slow, fast) = (
                brute::solve(&pile, &pile.start(), &Ctx::default()),
                Solver::solve(&mut NullWindow::new(1 << 16), &pile, &pile.start(), &Ctx::default()).unwrap(),
            );
            assert_eq!((slow.value, slow.plies), (fast.value, fast.plies), "{counters}");
        }
    }

    #[test]
    fn a_stopped_search_keeps_its_bounds_and_the_table_keeps_to_its_limit() {
        let rack = Rack::new(7, 6, 4).unwrap();
        let mut solver = NullWindow::new(1 << 20);
        let budget = Ctx::default().with_budget(50_000).with_threads(2);
        let solution = Solver::solve(&mut solver, &rack, &rack.start(), &budget).unwrap();
        assert_eq!((solution.value, solution.stopped), (Bounds::UNKNOWN, Some(Stop::Nodes)));
        assert!(solver.table.unwrap().room() * 8 <= 1 << 20);
        let small = Solver::solve(&mut NullWindow::new(1 << 8), &rack, &rack.start(), &budget);
        assert!(matches!(small, Err(Failed::NoMemory { .. })), "{small:?}");
    }
}
