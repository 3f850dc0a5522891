//! Values and distances of every reachable position of any game, from its forward rules alone: play may cycle, a move
//! may lose at once, and a side may move several times in a row.
//!
//! The positions are listed first, one for each orbit under the symmetries of the root, together with the positions
//! their moves lead to. Then values are pushed to predecessors, one ply at a time: a position with a move to something
//! won for its mover is won, and one all of whose moves lead to something lost for its mover is lost. What is never
//! reached is a draw by endless play (or by a drawn end).

use crate::Totals;
use crate::strong::{best_move, least};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Game, Player, Solution, Symmetric, Value, Wdl};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::sync::Arc;

/// Positions, each with its index.
type Positions<G> = IndexSet<<G as Game>::Position, FxBuildHasher>;

/// The longest distance that a [`Value`] can store.
const LONGEST: u32 = 29_999;

/// The values of all positions reachable from one root.
#[derive(Debug)]
pub struct Cyclic<G: Symmetric> {
    game: G,
    /// The symmetries that leave the root as it is.
    keep: Vec<usize>,
    /// The least position of each orbit under them.
    positions: Positions<G>,
    values: Vec<Value>,
}

/// The positions and the moves between them, by index.
struct Graph {
    turns: Vec<Player>,
    ends: Vec<Option<Wdl>>,
    /// The targets of position `i` are `targets[starts[i]..starts[i + 1]]`, each once.
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl<G: Symmetric> Cyclic<G> {
    /// Values everything reachable from `root`. Fails rather than take more than about `memory` bytes; the memory for
    /// the second half of the work is estimated before it begins.
    pub fn solve(game: &G, root: &G::Position, memory: u64, ctx: &Ctx) -> Result<Cyclic<G>, Failed> {
        let keep = game.stabiliser(root);
        let (positions, graph) = list(game, root, &keep, memory, ctx)?;
        let needed = bytes_of::<G>(positions.len(), graph.targets.len()) + backward_bytes(&graph);
        if needed > memory {
            return Err(Failed::NoMemory { needed: Some(needed), allowed: memory });
        }
        let values = graph.values(ctx)?;
        Ok(Cyclic { game: game.clone(), keep, positions, values })
    }

    /// The value of a position for the side to move; `None` when the root does not lead to it.
    #[must_use]
    pub fn value(&self, pos: &G::Position) -> Option<Value> {
        self.positions.get_index_of(&least(&self.game, &self.keep, pos)).map(|index| self.values[index])
    }

    /// The number of stored positions: one for each orbit under the symmetries of the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether nothing is stored; never true, because the root is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Value, distance and a best move.
    #[must_use]
    pub fn solution(&self, pos: &G::Position) -> Option<Solution<G::Move>> {
        let value = self.value(pos)?;
        let best = best_move(&self.game, pos, value, |after| self.value(after));
        let (value, plies) = (Bounds::exactly(value.wdl()), value.plies());
        Some(Solution { value, plies, best, nodes: self.len() as u64, stopped: None })
    }

    /// Totals over positions, and over positions up to the symmetries of the game.
    #[must_use]
    pub fn totals(&self) -> (Totals, Totals) {
        let (mut positions, mut classes) = (Totals::default(), Totals::default());
        let mut seen = FxHashSet::default();
        let whole = self.keep.len() == self.game.order();
        for (pos, &value) in self.positions.iter().zip(&self.values) {
            let fixing = self.keep.iter().filter(|&&element| self.game.image(element, pos) == *pos).count();
            positions.add(value.wdl(), (self.keep.len() / fixing) as u64);
            if whole || seen.insert(self.game.canonical(pos).0) {
                classes.add(value.wdl(), 1);
            }
        }
        (positions, classes)
    }
}

/// Bytes for the listed positions and their moves; what a position keeps on the heap is not counted.
fn bytes_of<G: Symmetric>(positions: usize, moves: usize) -> u64 {
    // A position, its hash and its slot in the set; its turn, its end and where its moves begin.
    let each = size_of::<G::Position>() + size_of::<u64>() + 2 * size_of::<usize>() + 2 + size_of::<usize>();
    (positions * each + moves * size_of::<u32>()) as u64
}

/// Bytes for the predecessors, the counts of moves not yet refuted, the values and two lists of positions.
fn backward_bytes(graph: &Graph) -> u64 {
    let each = size_of::<usize>() + size_of::<u32>() + size_of::<Value>() + 2 * size_of::<u32>();
    (graph.turns.len() * each + graph.targets.len() * size_of::<u32>()) as u64
}

/// Lists every reachable position with the positions its moves lead to.
fn list<G: Symmetric>(
    game: &G,
    root: &G::Position,
    keep: &[usize],
    memory: u64,
    ctx: &Ctx,
) -> Result<(Positions<G>, Graph), Failed> {
    let mut meter = ctx.meter();
    let mut positions = IndexSet::with_hasher(FxBuildHasher);
    positions.insert(least(game, keep, root));
    let mut graph = Graph { turns: Vec::new(), ends: Vec::new(), starts: vec![0], targets: Vec::new() };
    let mut index = 0;
    while let Some(pos) = positions.get_index(index).cloned() {
        meter.tick()?;
        if index % 4096 == 0 {
            ctx.progress("listing positions", positions.len() as u64, None);
            let full = positions.len() > u32::MAX as usize / 2;
            if full || bytes_of::<G>(positions.capacity(), graph.targets.capacity()) > memory {
                return Err(Failed::NoMemory { needed: None, allowed: memory });
            }
        }
        let (turn, begin) = (game.turn(&pos), graph.targets.len());
        graph.turns.push(turn);
        graph.ends.push(game.outcome(&pos).map(|outcome| outcome.seen_by(turn)));
        game.moves(&pos, &mut |mv| {
            let (target, _) = positions.insert_full(least(game, keep, &game.after(&pos, mv)));
            graph.targets.push(target as u32);
        });
        graph.targets[begin..].sort_unstable();
        let mut last = begin;
        for at in begin..graph.targets.len() {
            if at == begin || graph.targets[at] != graph.targets[last - 1] {
                graph.targets[last] = graph.targets[at];
                last += 1;
            }
        }
        graph.targets.truncate(last);
        graph.starts.push(last);
        index += 1;
    }
    Ok((positions, graph))
}

impl Graph {
    /// For each position the positions with a move to it, laid out like the targets.
    fn predecessors(&self) -> (Vec<usize>, Vec<u32>) {
        let mut starts = vec![0; self.turns.len() + 1];
        self.targets.iter().for_each(|&target| starts[target as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sources = vec![0; self.targets.len()];
        for source in 0..self.turns.len() {
            for &target in &self.targets[self.starts[source]..self.starts[source + 1]] {
                sources[starts[target as usize]] = source as u32;
                starts[target as usize] += 1;
            }
        }
        // Each start has moved on to the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        (starts, sources)
    }

    /// The value of every position, by the distance of decided positions from the end.
    fn values(&self, ctx: &Ctx) -> Result<Vec<Value>, Failed> {
        let (starts, sources) = self.predecessors();
        let mut meter = ctx.meter();
        // Moves that are not known to lose.
        let mut open: Vec<u32> = self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u32).collect();
        let mut values: Vec<Value> = self.ends.iter().map(|end| end.map_or(Value::DRAW, Value::finished)).collect();
        let decided = |value: &Value| value.wdl() != Wdl::Draw;
        let mut level: Vec<u32> = (0..values.len() as u32).filter(|&i| decided(&values[i as usize])).collect();
        let (mut plies, mut done) = (0, 0);
        while !level.is_empty() {
            done += level.len() as u64;
            ctx.progress("spreading values", done, Some(values.len() as u64));
            if plies == LONGEST {
                return Err(Failed::OutOfRange { what: crate::retro::FORCED_WIN.to_string(), limit: LONGEST.into() });
            }
            let mut next = Vec::new();
            for &child in &level {
                let child = child as usize;
                for &source in &sources[starts[child]..starts[child + 1]] {
                    meter.tick()?;
                    let source = source as usize;
                    if decided(&values[source]) || self.ends[source].is_some() {
                        continue;
                    }
                    let value = values[child].to_parent_with(self.turns[source] == self.turns[child]);
                    open[source] -= u32::from(value.wdl() == Wdl::Loss);
                    if value.wdl() == Wdl::Win || open[source] == 0 {
                        values[source] = value;
                        next.push(source as u32);
                    }
                }
            }
            (level, plies) = (next, plies + 1);
        }
        Ok(values)
    }
}

/// Looks values up in what was solved; solves again for a position that it does not hold.
pub struct LookUp<G: Symmetric> {
    /// Bytes of memory to use at most.
    pub memory: u64,
    /// The solutions so far.
    pub solved: Option<Arc<Cyclic<G>>>,
}

impl<G: Symmetric> LookUp<G> {
    /// Positions that are reachable from `pos`, and perhaps more. The start position is tried before `pos` itself,
    /// since it leads to most positions anybody asks for.
    pub fn holding(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Arc<Cyclic<G>>, Failed> {
        for root in [game.start(), pos.clone()] {
            if let Some(solved) = self.solved.as_ref().filter(|solved| solved.value(pos).is_some()) {
                return Ok(solved.clone());
            }
            self.solved = Some(Arc::new(Cyclic::solve(game, &root, self.memory, ctx)?));
        }
        Ok(self.solved.clone().expect("solved above"))
    }
}

impl<G: Symmetric> Solver<G> for LookUp<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let solved = self.holding(game, pos, ctx)?;
        Ok(solved.solution(pos).expect("it holds the position"))
    }
}
