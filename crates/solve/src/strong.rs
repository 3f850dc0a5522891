//! The value of every position reachable from another, distances included.

use crate::Totals;
use crate::recursion::{deep, holds_distances};
use crate::table::table_bytes;
use agon_core::solver::{Failed, Solver};
use agon_core::{Acyclic, Bounds, Ctx, Game, Meter, Ranked, Solution, Stop, Symmetric, Value, moves_again};
use rustc_hash::FxHashMap;

enum Values<G: Game> {
    /// Indexed by rank; zero is "not reached". Holds every position.
    Dense { table: Vec<u16>, rank: Rank<G>, unrank: Unrank<G> },
    /// The canonical position of each orbit under the stabiliser of the root; every member is reachable.
    Sparse(FxHashMap<G::Position, Value>),
}

/// [`Ranked::rank`], for a table whose type does not say that the game has ranks.
type Rank<G> = fn(&G, &<G as Game>::Position) -> usize;

/// [`Ranked::unrank`] likewise.
type Unrank<G> = fn(&G, usize) -> Option<<G as Game>::Position>;

/// The values of all positions reachable from one root.
pub struct Strong<G: Acyclic + Symmetric> {
    game: G,
    /// The stabiliser of the root.
    keep: Vec<usize>,
    values: Values<G>,
    nodes: u64,
}

impl<G: Acyclic + Symmetric> Strong<G> {
    /// Solves every position reachable from `root`, in a hash table of canonical positions.
    ///
    /// Fails if it needs more than about `bytes`.
    pub fn solve(game: &G, root: &G::Position, bytes: usize, ctx: &Ctx) -> Result<Strong<G>, Failed> {
        holds_distances(game, root)?;
        let (mut meter, mut table) = (ctx.meter(), FxHashMap::default());
        let keep = game.stabiliser(root);
        sparse(game, &keep, root, &mut table, bytes, &mut meter)?;
        Ok(Strong { game: game.clone(), keep, values: Values::Sparse(table), nodes: meter.nodes() })
    }

    /// The same in an array over ranks, if the game has them and the array fits.
    pub fn solve_ranked(game: &G, root: &G::Position, bytes: usize, ctx: &Ctx) -> Result<Strong<G>, Failed>
    where
        G: Ranked,
    {
        let Some(ranks) = game.ranks().filter(|&ranks| 2 * ranks <= bytes) else {
            return Strong::solve(game, root, bytes, ctx);
        };
        let (mut meter, mut table) = (ctx.meter(), vec![0; ranks]);
        let dense = if game.height(root) > SHALLOW { dense::<true, G> } else { dense::<false, G> };
        dense(game, root, game.rank(root), &mut table, &mut meter)?;
        let (keep, values) = (game.stabiliser(root), Values::Dense { table, rank: G::rank, unrank: G::unrank });
        Ok(Strong { game: game.clone(), keep, values, nodes: meter.nodes() })
    }

    /// Positions visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a reachable position; `None` for others.
    #[must_use]
    pub fn value(&self, pos: &G::Position) -> Option<Value> {
        match &self.values {
            Values::Dense { table, rank, .. } => match table[rank(&self.game, pos)] {
                0 => None,
                code => Some(Value::from_code(code)),
            },
            Values::Sparse(table) => table.get(&least(&self.game, &self.keep, pos)).copied(),
        }
    }

    /// Calls `each` with every orbit of reachable positions under the symmetries of the game: its canonical position,
    /// the number of reachable members, and their value.
    pub fn each_class(&self, mut each: impl FnMut(&G::Position, u64, Value)) {
        let mut classes: FxHashMap<G::Position, (u64, Value)> = FxHashMap::default();
        let whole = self.keep.len() == self.game.order();
        match &self.values {
            Values::Sparse(table) if whole => {
                table.iter().for_each(|(pos, &value)| each(pos, self.orbit(pos), value));
            }
            Values::Sparse(table) => {
                for (pos, &value) in table {
                    let class = classes.entry(self.game.canonical(pos).0).or_insert((0, value));
                    class.0 += self.orbit(pos);
                }
            }
            Values::Dense { table, unrank, .. } => {
                let reached = table.iter().enumerate().filter(|(_, code)| **code != 0);
                let reached =
                    reached.filter_map(|(rank, &code)| Some((unrank(&self.game, rank)?, Value::from_code(code))));
                for (pos, value) in reached {
                    let canonical = self.game.canonical(&pos).0;
                    if !whole {
                        classes.entry(canonical).or_insert((0, value)).0 += 1;
                    } else if canonical == pos {
                        each(&pos, self.orbit(&pos), value);
                    }
                }
            }
        }
        classes.iter().for_each(|(pos, &(weight, value))| each(pos, weight, value));
    }

    /// The size of an orbit under the stabiliser of the root.
    fn orbit(&self, pos: &G::Position) -> u64 {
        let fixing = self.keep.iter().filter(|&&element| self.game.image(element, pos) == *pos).count();
        (self.keep.len() / fixing) as u64
    }

    /// Totals over positions and over orbits.
    #[must_use]
    pub fn totals(&self) -> (Totals, Totals) {
        let (mut positions, mut classes) = (Totals::default(), Totals::default());
        self.each_class(|_, weight, value| {
            positions.add(value.wdl(), weight);
            classes.add(value.wdl(), 1);
        });
        (positions, classes)
    }

    /// Value, distance and the first best move of a reachable position.
    #[must_use]
    pub fn solution(&self, pos: &G::Position) -> Option<Solution<G::Move>> {
        let value = self.value(pos)?;
        let best = best_move(&self.game, pos, value, |after| self.value(after));
        Some(Solution {
            value: Bounds::exactly(value.wdl()),
            plies: value.plies().or_else(|| self.game.draw_plies(pos)),
            best,
            nodes: self.nodes,
            stopped: None,
        })
    }
}

/// Looks positions up; those that the root does not lead to have no value.
impl<G: Acyclic + Symmetric> Solver<G> for Strong<G> {
    fn solve(&mut self, _: &G, pos: &G::Position, _: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let unreachable = || Failed::Unsuitable("the table holds no such position".to_string());
        self.solution(pos).map(|found| Solution { nodes: 1, ..found }).ok_or_else(unreachable)
    }
}

/// A play of at most that many plies needs no more stack than a thread has.
const SHALLOW: u32 = 256;

/// Solves `pos` and everything below it; with `DEEP`, on growing stacks. It lists the moves before it asks for the outcome,
/// because most positions have some.
fn dense<const DEEP: bool, G: Ranked>(
    game: &G,
    pos: &G::Position,
    rank: usize,
    table: &mut [u16],
    meter: &mut Meter<'_>,
) -> Result<Value, Stop> {
    meter.tick()?;
    let (mut best, mut stop) = (Value::WORST, None);
    game.moves(pos, &mut |mv| {
        let child = game.after(pos, mv);
        let next = game.rank_after(rank, pos, mv, &child);
        let value = match table[next] {
            0 if stop.is_some() => return,
            0 if DEEP => deep(|| dense::<DEEP, G>(game, &child, next, table, meter)),
            0 => dense::<DEEP, G>(game, &child, next, table, meter),
            code => Ok(Value::from_code(code)),
        };
        match value {
            Ok(value) => best = best.max(value.to_parent_with(moves_again(game, pos, &child))),
            Err(why) => stop = Some(why),
        }
    });
    if let Some(why) = stop {
        return Err(why);
    }
    if best == Value::WORST {
        let outcome = game.outcome(pos).expect("no moves means the play is over");
        best = Value::finished(outcome.seen_by(game.turn(pos)));
    }
    table[rank] = best.code();
    Ok(best)
}

/// The first move that keeps the value and distance of `pos`, where `value_of` gives those of the positions after it.
pub(crate) fn best_move<G: Game>(
    game: &G,
    pos: &G::Position,
    value: Value,
    value_of: impl Fn(&G::Position) -> Option<Value>,
) -> Option<G::Move> {
    let mut best = None;
    game.moves(pos, &mut |mv| {
        let after = game.after(pos, mv);
        let again = moves_again(game, pos, &after);
        if best.is_none() && value_of(&after).is_some_and(|child| child.to_parent_with(again) == value) {
            best = Some(mv);
        }
    });
    best
}

/// The least image under some of the symmetries.
pub(crate) fn least<G: Symmetric>(game: &G, keep: &[usize], pos: &G::Position) -> G::Position {
    keep.iter().map(|&element| game.image(element, pos)).min().unwrap_or_else(|| pos.clone())
}

fn sparse<G: Acyclic + Symmetric>(
    game: &G,
    keep: &[usize],
    pos: &G::Position,
    table: &mut FxHashMap<G::Position, Value>,
    bytes: usize,
    meter: &mut Meter<'_>,
) -> Result<Value, Failed> {
    let canonical = least(game, keep, pos);
    if let Some(&value) = table.get(&canonical) {
        return Ok(value);
    }
    meter.tick()?;
    let value = match game.outcome(pos) {
        Some(outcome) => Value::finished(outcome.seen_by(game.turn(pos))),
        None => {
            let mut best = Ok(Value::WORST);
            game.moves(pos, &mut |mv| {
                let Ok(so_far) = best else { return };
                let after = game.after(pos, mv);
                let again = moves_again(game, pos, &after);
                let value = deep(|| sparse(game, keep, &after, table, bytes, meter));
                best = value.map(|v| so_far.max(v.to_parent_with(again)));
            });
            best?
        }
    };
    table.insert(canonical, value);
    if table_bytes(table.len(), table.capacity(), size_of::<(G::Position, Value)>()) > bytes {
        return Err(Failed::NoMemory { needed: None, allowed: bytes as u64 });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlphaBeta, brute};
    use agon_core::{Game, Notation};
    use agon_games::mnk::Mnk;

    #[test]
    fn tic_tac_toe_has_5478_positions_in_765_classes() {
        let game = Mnk::new(3, 3, 3);
        let strong = Strong::solve(&game, &game.start(), 1 << 30, &Ctx::default()).unwrap();
        let (positions, classes) = strong.totals();
        assert_eq!((positions.sum(), classes.sum()), (5478, 765));
        // Independent path: brute force at one member of every class.
        let mut by_force = Totals::default();
        strong.each_class(|pos, weight, value| {
            let slow = brute::solve(&game, pos, &Ctx::default());
            assert_eq!(slow.value, Bounds::exactly(value.wdl()));
            assert_eq!(slow.plies, value.plies().or_else(|| game.draw_plies(pos)));
            by_force.add(value.wdl(), weight);
        });
        assert_eq!(by_force, positions);
    }

    #[test]
    fn array_and_hash_table_agree_from_any_root() {
        for ((m, n, k), root) in [
            ((3, 3, 3), ".../.../..."),
            ((3, 3, 3), "X../.../..."),
            ((3, 3, 3), "XO./.../..."),
            ((4, 3, 3), "..../..../...."),
            ((4, 3, 4), "X.../..../...O"),
        ] {
            let game = Mnk::new(m, n, k);
            let root = game.parse(root).unwrap();
            let array = Strong::solve_ranked(&game, &root, 1 << 30, &Ctx::default()).unwrap();
            let hashed = Strong::solve(&game, &root, 1 << 30, &Ctx::default()).unwrap();
            assert!(matches!((&array.values, &hashed.values), (Values::Dense { .. }, Values::Sparse(_))));
            assert_eq!(array.totals(), hashed.totals());
        }
    }

    #[test]
    fn every_position_agrees_with_alpha_beta() {
        let game = Mnk::new(4, 3, 3);
        let strong = Strong::solve(&game, &game.start(), 1 << 30, &Ctx::default()).unwrap();
        let mut solver = AlphaBeta::new(1 << 24);
        let mut i = 0;
        strong.each_class(|pos, _, value| {
            i += 1;
            if i % 50 == 0 {
                let found = solver.exact(&game, pos, &Ctx::default(), &mut Ctx::default().meter()).unwrap();
                assert_eq!(found, value, "{}", game.show(pos));
            }
        });
    }

    #[test]
    fn memory_is_bounded() {
        let game = Mnk::new(4, 4, 4);
        let refused = Strong::solve(&game, &game.start(), 1 << 20, &Ctx::default());
        assert_eq!(refused.err(), Some(Failed::NoMemory { needed: None, allowed: 1 << 20 }));
    }

    #[test]
    fn from_a_lopsided_root_only_reached_members_count() {
        let game = Mnk::new(3, 3, 3);
        let root = game.parse("X../.../...").unwrap();
        let strong = Strong::solve(&game, &root, 1 << 30, &Ctx::default()).unwrap();
        let mut reached = std::collections::BTreeSet::from([root]);
        let mut todo = vec![root];
        while let Some(pos) = todo.pop() {
            game.moves(&pos, &mut |mv| {
                let next = game.after(&pos, mv);
                if reached.insert(next) {
                    todo.push(next);
                }
            });
        }
        assert_eq!(strong.totals().0.sum(), reached.len() as u64);
    }
}
