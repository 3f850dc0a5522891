//! Alpha-beta negamax with a transposition table over canonical positions.

use crate::move_values::{moves_where, stated};
use crate::recursion::{deep, holds_distances};
use crate::table::{Entry, Table};
use agon_core::solver::{Failed, Solver};
use agon_core::{
    Acyclic, Bounds, Ctx, Game, Guide, Meter, Player, Solution, Stop, Symmetric, Value, Wdl, collect_moves, moves_again,
};

/// Below this height a position is cheaper to search again than to look up.
const TABLE_HEIGHT: u32 = 4;

/// The solver. It keeps its transposition table between calls for positions of one game.
pub struct AlphaBeta<G: Game> {
    table: Table<G::Position, Known<G::Move>>,
    /// A stack of the moves of all plies on the current line.
    moves: Vec<(i32, G::Move)>,
}

/// The value of a position lies between `lo` and `hi`.
#[derive(Clone)]
struct Known<M> {
    height: u32,
    lo: Value,
    hi: Value,
    best: Option<M>,
}

impl<M: Copy> Entry for Known<M> {
    fn merge(&mut self, later: Known<M>) {
        self.lo = self.lo.max(later.lo);
        self.hi = self.hi.min(later.hi);
        self.best = later.best.or(self.best);
    }

    fn cost(&self) -> u32 {
        self.height
    }
}

/// The share of the whole search below the current node, for progress events.
#[derive(Clone, Copy)]
struct Share {
    from: u64,
    size: u64,
}

impl Share {
    const ALL: Share = Share { from: 0, size: 1 << 20 };

    fn part(self, i: usize, n: usize) -> Share {
        let at = |i: usize| self.size * i as u64 / n as u64;
        Share { from: self.from + at(i), size: at(i + 1) - at(i) }
    }
}

impl<G: Acyclic + Symmetric + Guide> AlphaBeta<G> {
    /// A solver whose table takes at most about `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> AlphaBeta<G> {
        AlphaBeta { table: Table::new(bytes), moves: Vec::new() }
    }

    fn narrow(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        meter: &mut Meter<'_>,
        value: &mut Bounds,
    ) -> Result<(Value, Option<G::Move>), Stop> {
        // Step 1: does the mover win? Step 2: does it at least draw?
        let any_win = Value::win_in(game.height(pos));
        let (wins, draws) = ((any_win, Wdl::Win), (Value::DRAW, Wdl::Draw));
        for (bound, wdl) in [wins, draws] {
            if self.reaches(game, pos, bound, ctx, meter)? {
                value.lo = wdl;
                break;
            }
            value.hi = if wdl == Wdl::Win { Wdl::Draw } else { Wdl::Loss };
        }
        // Step 3: how soon?
        let exact = match value.value() {
            Some(Wdl::Draw) => Value::DRAW,
            _ => self.exact(game, pos, ctx, meter)?,
        };
        // Step 4: the first legal move that reaches it.
        let mut best = None;
        for mv in if game.outcome(pos).is_some() { Vec::new() } else { collect_moves(game, pos) } {
            if self.move_reaches(game, pos, mv, exact, ctx, meter)? {
                best = Some(mv);
                break;
            }
        }
        Ok((exact, best))
    }

    /// The value with its distance.
    pub fn exact(&mut self, game: &G, pos: &G::Position, ctx: &Ctx, meter: &mut Meter<'_>) -> Result<Value, Stop> {
        self.run(game, pos, Value::WORST, Value::BEST, ctx, meter)
    }

    /// Returns whether the value is at least `bound`.
    pub fn reaches(
        &mut self,
        game: &G,
        pos: &G::Position,
        bound: Value,
        ctx: &Ctx,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        Ok(self.run(game, pos, bound.just_below(), bound, ctx, meter)? >= bound)
    }

    /// Returns whether playing `mv` is worth at least `bound` to the side that plays it.
    pub fn move_reaches(
        &mut self,
        game: &G,
        pos: &G::Position,
        mv: G::Move,
        bound: Value,
        ctx: &Ctx,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let after = game.after(pos, mv);
        if moves_again(game, pos, &after) {
            return self.reaches(game, &after, bound.to_child_with(true), ctx, meter);
        }
        Ok(!self.reaches(game, &after, bound.to_child().just_above(), ctx, meter)?)
    }

    fn run(
        &mut self,
        game: &G,
        pos: &G::Position,
        alpha: Value,
        beta: Value,
        ctx: &Ctx,
        meter: &mut Meter<'_>,
    ) -> Result<Value, Stop> {
        self.moves.clear();
        self.search(game, pos, (alpha, beta), Share::ALL, ctx, meter)
    }

    /// Fail-soft: a result at or below alpha is an upper bound, one at or above beta a lower bound.
    fn search(
        &mut self,
        game: &G,
        pos: &G::Position,
        window: (Value, Value),
        share: Share,
        ctx: &Ctx,
        meter: &mut Meter<'_>,
    ) -> Result<Value, Stop> {
        meter.tick()?;
        // Step 1: is it over?
        if let Some(outcome) = game.outcome(pos) {
            return Ok(Value::finished(outcome.seen_by(game.turn(pos))));
        }
        // Step 2: proven bounds of the game narrow the window.
        let height = game.height(pos);
        let (mut lo, mut hi) = static_values(game.bounds(pos), height);
        // Step 3: so does the table.
        let canonical = (height >= TABLE_HEIGHT).then(|| game.canonical(pos));
        let mut hint = None;
        if let Some((key, element)) = &canonical
            && let Some(entry) = self.table.get(key)
        {
            (lo, hi) = (lo.max(entry.lo), hi.min(entry.hi));
            hint = entry.best.map(|mv| game.image_of_move(game.inverse(*element), mv));
        }
        let (alpha, beta) = (window.0.max(lo), window.1.min(hi));
        if lo >= beta || lo == hi {
            return Ok(lo);
        }
        if hi <= alpha {
            return Ok(hi);
        }
        // Step 4: candidates, most promising first, the table's move before all.
        let base = self.moves.len();
        let moves = &mut self.moves;
        game.candidates(pos, &mut |mv, order| moves.push((if Some(mv) == hint { i32::MAX } else { order }, mv)));
        moves[base..].sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        // Step 5: search them until a cutoff.
        let (count, mut best, mut best_move, mut raised) = (self.moves.len() - base, Value::WORST, None, alpha);
        for i in 0..count {
            let mv = self.moves[base + i].1;
            let part = share.part(i, count);
            if share.size > 1 << 10 {
                ctx.progress("solving", part.from, Some(Share::ALL.size));
            }
            let after = game.after(pos, mv);
            let again = moves_again(game, pos, &after);
            let (worst, best_yet) = (raised.to_child_with(again), beta.to_child_with(again));
            let child = if again { (worst, best_yet) } else { (best_yet, worst) };
            let value = deep(|| self.search(game, &after, child, part, ctx, meter))?.to_parent_with(again);
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            raised = raised.max(best);
            if raised >= beta {
                break;
            }
        }
        self.moves.truncate(base);
        // Step 6: store the bounds.
        let (mut new_lo, mut new_hi) = (lo, hi);
        if best > alpha {
            new_lo = new_lo.max(best);
        }
        if best < beta {
            new_hi = new_hi.min(best.max(lo));
        }
        if let Some((key, element)) = canonical {
            let best_move = best_move.map(|mv| game.image_of_move(element, mv));
            self.table.put(&key, Known { height, lo: new_lo, hi: new_hi, best: best_move });
        }
        Ok(best.clamp(lo, hi))
    }
}

impl<G: Acyclic + Symmetric + Guide> AlphaBeta<G> {
    /// Value, distance and a best move. First asks whether the mover wins, then whether it holds a draw,
    /// so that an interrupted search still has bounds; then for the distance.
    pub fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let mut meter = ctx.meter();
        let mut value = Bounds::UNKNOWN;
        let found = self.narrow(game, pos, ctx, &mut meter, &mut value);
        let (exact, best, stopped) = match found {
            Ok((exact, best)) => (Some(exact), best, None),
            Err(stop) => (None, None, Some(stop)),
        };
        let plies = exact.and_then(|v| v.plies().or_else(|| game.draw_plies(pos)));
        Solution { value, plies, best, nodes: meter.nodes(), stopped }
    }
}

impl<G: Acyclic + Symmetric + Guide> Solver<G> for AlphaBeta<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        holds_distances(game, pos)?;
        Ok(self.solve(game, pos, ctx))
    }

    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        let Some(value) = stated(solution) else { return Ok(None) };
        let mut meter = ctx.meter();
        let reaches = |mv| Ok(self.move_reaches(game, pos, mv, value, ctx, &mut meter)?);
        moves_where(game, pos, reaches).map(Some)
    }

    /// Searches for one bound instead of the value.
    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player, least: Wdl, ctx: &Ctx) -> Result<bool, Failed> {
        holds_distances(game, pos)?;
        let mut meter = ctx.meter();
        let height = game.height(pos);
        if game.turn(pos) == side {
            let bound = if least == Wdl::Win { Value::win_in(height) } else { Value::DRAW };
            return Ok(self.reaches(game, pos, bound, ctx, &mut meter)?);
        }
        // The opponent must not exceed the negated bound.
        let too_much = if least == Wdl::Win { Value::DRAW } else { Value::win_in(height) };
        Ok(!self.reaches(game, pos, too_much, ctx, &mut meter)?)
    }
}

/// Bounds as values: a won position wins in 1 to `height` plies, a lost one loses in 2 to `height`.
fn static_values(bounds: Bounds, height: u32) -> (Value, Value) {
    let lo = match bounds.lo {
        Wdl::Win => Value::win_in(height),
        Wdl::Draw => Value::DRAW,
        Wdl::Loss => Value::loss_in(1),
    };
    let hi = match bounds.hi {
        Wdl::Win => Value::win_in(1),
        Wdl::Draw => Value::DRAW,
        Wdl::Loss => Value::loss_in(height),
    };
    (lo, hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute;
    use agon_core::Rng;
    use agon_core::toy::Tree;
    use agon_games::mnk::Mnk;

    fn solver<G: Acyclic + Symmetric + Guide>() -> AlphaBeta<G> {
        AlphaBeta::new(1 << 24)
    }

    #[test]
    fn trees_agree_with_brute_force() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let tree = Tree::new(&random_tree(&mut rng, 5));
            let (slow, fast) = (
                brute::solve(&tree, &tree.start(), &Ctx::default()),
                solver().solve(&tree, &tree.start(), &Ctx::default()),
            );
            assert_eq!((slow.value, slow.plies, slow.best), (fast.value, fast.plies, fast.best), "{tree:?}");
        }
    }

    fn random_tree(rng: &mut Rng, depth: usize) -> String {
        if depth == 0 || rng.below(5) == 0 {
            return ["+", "=", "-"][rng.below(3)].to_string();
        }
        let children: Vec<String> = (0..=rng.below(3)).map(|_| random_tree(rng, depth - 1)).collect();
        format!("({})", children.join(" "))
    }

    #[test]
    fn every_tic_tac_toe_position_agrees_with_brute_force() {
        for (m, n, k) in [(3, 3, 3), (4, 2, 3), (3, 3, 2), (4, 3, 4)] {
            let game = Mnk::new(m, n, k);
            let mut fast = solver();
            let mut rng = Rng::new(11);
            for _ in 0..200 {
                let mut pos = game.start();
                for _ in 0..2 + rng.below(game.grid().cells()) {
                    let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                    game.play(&mut pos, mv);
                }
                let (slow, fast) =
                    (brute::solve(&game, &pos, &Ctx::default()), fast.solve(&game, &pos, &Ctx::default()));
                assert_eq!((slow.value, slow.plies, slow.best), (fast.value, fast.plies, fast.best), "{pos:?}");
            }
        }
    }

    #[test]
    fn known_m_n_k_values() {
        // Uiterwijk and van den Herik, "The advantage of the initiative" (2000), table of m,n,k games.
        for ((m, n, k), value) in [
            ((3, 3, 3), Wdl::Draw),
            ((4, 3, 3), Wdl::Win),
            ((4, 4, 3), Wdl::Win),
            ((4, 4, 4), Wdl::Draw),
            ((5, 3, 3), Wdl::Win),
        ] {
            let game = Mnk::new(m, n, k);
            let solution = solver().solve(&game, &game.start(), &Ctx::default());
            assert_eq!(solution.value, Bounds::exactly(value), "{m},{n},{k}");
        }
    }

    #[test]
    fn an_interrupted_search_still_gives_bounds() {
        let game = Mnk::new(5, 5, 4);
        let solution = solver().solve(&game, &game.start(), &Ctx::default().with_budget(20_000));
        assert_eq!(solution.stopped, Some(Stop::Nodes));
        assert_eq!(solution.best, None);
    }
}
