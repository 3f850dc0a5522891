//! The structure of draws in games in which play can cycle: only moves, and strongly connected components.
//!
//! The drawn orbits of one table are the nodes of a graph; an edge is a move that drawn_index the draw. Infinite play
//! among draws stays in a strongly connected component (SCC) that contains a cycle: one with more than one orbit, or
//! with an orbit that has an edge to itself. Only such components are counted here.

use super::Retro;
use agon_core::indexed::{BulkIndexed, TableIndex};
use agon_core::{Ctx, Stop, collect_moves};
use agon_table::Values;
use agon_table::values::DRAW;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A index of positions, and of orbits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Positions.
    pub positions: u64,
    /// Orbits: positions up to symmetry.
    pub classes: u64,
}

impl Count {
    fn add(&mut self, stands_for: u64) {
        self.positions += stands_for;
        self.classes += 1;
    }
}

/// The structure of the draws in a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draws {
    /// All draws.
    pub all: Count,
    /// Draws with an only move: one move keeps the draw, and there are others, which lose.
    pub only_move: Count,
    /// Draws that every move keeps.
    pub every_move: Count,
    /// Draws on a cycle of four plies through draws: each side makes a move and takes it back.
    pub there_and_back: Count,
    /// The size of each cyclic strongly connected component, in orbits, the largest first.
    pub sccs: Vec<u64>,
}

impl<G: BulkIndexed> Retro<G> {
    /// Analyses the draws of a table; `None` unless the table is in memory. A move that leaves the table does not
    /// count as one that drawn_index the draw.
    pub fn draws(&self, game: &G, shard: G::Shard, ctx: &Ctx) -> Result<Option<Draws>, Stop> {
        let Some(values) = self.table(shard) else { return Ok(None) };
        let graph = Graph { game, shard, values };
        let mut draws = graph.count(ctx)?;
        draws.sccs = graph.sccs(ctx)?;
        Ok(Some(draws))
    }
}

/// The drawn orbits of a table, as a graph.
struct Graph<'a, G: BulkIndexed> {
    game: &'a G,
    shard: G::Shard,
    values: &'a Values,
}

/// Words of 64 indices that a thread claims at a time.
const WORDS_PER_CLAIM: usize = 1 << 8;

impl<G: BulkIndexed> Graph<'_, G> {
    fn size(&self) -> usize {
        self.values.len()
    }

    fn drawn(&self, index: u64) -> bool {
        self.values.get(index) == DRAW
    }

    /// The index of a position that is unfinished, in this table and drawn.
    fn drawn_index(&self, pos: &G::Position) -> Option<u64> {
        if self.game.outcome(pos).is_some() {
            return None;
        }
        let TableIndex { shard, index, .. } = self.game.table_index(pos);
        (shard == self.shard && self.drawn(index)).then_some(index)
    }

    fn position(&self, index: u64) -> G::Position {
        self.game.used_position(self.shard, index)
    }

    /// Calls `each` with the drawn successors of an orbit.
    fn successors(&self, index: u64, each: &mut dyn FnMut(u64)) {
        let pos = self.position(index);
        self.game.moves(&pos, &mut |mv| {
            if let Some(next) = self.drawn_index(&self.game.after(&pos, mv)) {
                each(next);
            }
        });
    }

    /// Calls `each` with the drawn predecessors of some orbits.
    fn predecessors(&self, indices: &[u64], each: &mut dyn FnMut(u64)) {
        self.game.unplay_all(self.shard, indices, &mut |_, at| {
            if at.shard == self.shard && self.drawn(at.index) {
                each(at.index);
            }
        });
    }

    /// The index of positions in an orbit.
    fn orbit_size(&self, index: u64) -> u64 {
        let row = index / self.game.row_len(self.shard);
        let row_orbit = self.game.row_orbit_size(self.shard, row);
        let computed = || self.game.symmetries() / self.game.table_index(&self.position(index)).stabiliser;
        u64::from(row_orbit.unwrap_or_else(computed))
    }

    /// Classifies every drawn orbit.
    fn count(&self, ctx: &Ctx) -> Result<Draws, Stop> {
        let found = std::sync::Mutex::new(Draws::default());
        let size = self.size();
        for_ranges(size, ctx, |indices| {
            ctx.progress("counting draws", indices.start, Some(size as u64));
            let mut part = Draws::default();
            for index in indices.filter(|&index| self.drawn(index)) {
                self.classify(index, &mut part);
            }
            if let Ok(mut found) = found.lock() {
                found.add(&part);
            }
        })?;
        Ok(found.into_inner().unwrap_or_default())
    }

    /// Adds one drawn orbit to the counts.
    fn classify(&self, index: u64, draws: &mut Draws) {
        let pos = self.position(index);
        let moves = collect_moves(self.game, &pos);
        let kept: Vec<G::Position> = moves
            .iter()
            .map(|&mv| self.game.after(&pos, mv))
            .filter(|after| self.drawn_index(after).is_some())
            .collect();
        let orbit = self.orbit_size(index);
        draws.all.add(orbit);
        if kept.len() == 1 && moves.len() > 1 {
            draws.only_move.add(orbit);
        }
        if kept.len() == moves.len() {
            draws.every_move.add(orbit);
        }
        if kept.iter().any(|first| self.returns(&pos, first)) {
            draws.there_and_back.add(orbit);
        }
    }

    /// Returns whether play can return from `first`, a child of `pos`, to `pos` in three plies, through draws.
    fn returns(&self, pos: &G::Position, first: &G::Position) -> bool {
        let next = |pos: &G::Position| -> Vec<G::Position> {
            collect_moves(self.game, pos).into_iter().map(|mv| self.game.after(pos, mv)).collect()
        };
        // The look-up comes last because it is the slowest test.
        let back = |third: &G::Position| next(third).contains(pos) && self.drawn_index(third).is_some();
        next(first).iter().any(|second| self.drawn_index(second).is_some() && next(second).iter().any(back))
    }

    /// The sizes of the cyclic strongly connected components, the largest first.
    fn sccs(&self, ctx: &Ctx) -> Result<Vec<u64>, Stop> {
        // Forward-backward search (Fleischer, Hendrickson, Pinar 2000) finds the few large components: the intersection
        // of what a seed reaches and what reaches it. Tarjan's algorithm finds the rest, which is small.
        let mut rest = IndexSet::new(self.size());
        (0..self.size() as u64).filter(|&index| self.drawn(index)).for_each(|index| {
            rest.insert(index);
        });
        let mut sizes = Vec::new();
        for _ in 0..MAX_SEEDS {
            let Some(seed) = self.random_walk(&rest).filter(|_| rest.count() > MAX_TARJAN_NODES) else { break };
            let ahead = reachable(self.size(), seed, ctx, |indices, each| {
                indices.iter().for_each(|&n| {
                    self.successors(n, &mut |to| {
                        if rest.has(to) {
                            each(to)
                        }
                    })
                });
            })?;
            let behind = reachable(self.size(), seed, ctx, |indices, each| {
                self.predecessors(indices, &mut |from| {
                    if rest.has(from) {
                        each(from)
                    }
                });
            })?;
            let scc = ahead.and(&behind);
            let cyclic = scc.count() > 1 || self.has_loop(seed);
            sizes.extend(cyclic.then(|| scc.count()));
            rest.remove(&scc);
        }
        let nodes: Vec<u64> = rest.list();
        let node = |index: u64| nodes.binary_search(&index).ok().map(|at| at as u32);
        let mut edges: Vec<Vec<u32>> = Vec::with_capacity(nodes.len());
        for &index in &nodes {
            let mut next = Vec::new();
            self.successors(index, &mut |to| next.extend(node(to)));
            edges.push(next);
        }
        ctx.check()?;
        sizes.extend(components(&edges).into_iter().filter(|scc| is_cyclic(&edges, scc)).map(|scc| scc.len() as u64));
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Ok(sizes)
    }

    /// Returns whether an orbit has an edge to itself.
    fn has_loop(&self, index: u64) -> bool {
        let mut found = false;
        self.successors(index, &mut |to| found |= to == index);
        found
    }

    /// The end of a long random walk within `rest`, which is likely to be in a large component.
    fn random_walk(&self, rest: &IndexSet) -> Option<u64> {
        let middle = self.size() as u64 / 2;
        let mut at = (middle..self.size() as u64).chain(0..middle).find(|&index| rest.has(index))?;
        let mut rng = agon_core::Rng::new(1);
        for _ in 0..WALK_PLIES {
            let mut next = Vec::new();
            self.successors(at, &mut |to| next.extend(rest.has(to).then_some(to)));
            match rng.pick(&next) {
                Some(&to) => at = to,
                None => break,
            }
        }
        Some(at)
    }
}

/// Seeds of forward-backward search at most.
const MAX_SEEDS: usize = 8;
/// Tarjan's algorithm takes over at this many orbits, or after `MAX_SEEDS`.
const MAX_TARJAN_NODES: u64 = 1 << 12;
/// Plies of a random walk that looks for a seed.
const WALK_PLIES: usize = 10_000;

impl Draws {
    fn add(&mut self, other: &Draws) {
        for (mine, theirs) in [
            (&mut self.all, other.all),
            (&mut self.only_move, other.only_move),
            (&mut self.every_move, other.every_move),
            (&mut self.there_and_back, other.there_and_back),
        ] {
            mine.positions += theirs.positions;
            mine.classes += theirs.classes;
        }
    }
}

/// A set of indices that several threads add to.
struct IndexSet(Vec<AtomicU64>);

impl IndexSet {
    fn new(size: usize) -> IndexSet {
        IndexSet((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn has(&self, index: u64) -> bool {
        self.0[index as usize / 64].load(Relaxed) >> (index % 64) & 1 == 1
    }

    /// Adds an index; returns whether it is new.
    fn insert(&self, index: u64) -> bool {
        let bit = 1 << (index % 64);
        self.0[index as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    fn and(&self, other: &IndexSet) -> IndexSet {
        IndexSet(self.0.iter().zip(&other.0).map(|(a, b)| AtomicU64::new(a.load(Relaxed) & b.load(Relaxed))).collect())
    }

    fn remove(&mut self, other: &IndexSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a.get_mut() &= !b.load(Relaxed));
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    fn list(&self) -> Vec<u64> {
        let bits = |(at, word): (usize, &AtomicU64)| {
            let word = word.load(Relaxed);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u64 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits).collect()
    }
}

/// Calls `work` with ranges that cover `0..size`, on all threads.
fn for_ranges(size: usize, ctx: &Ctx, work: impl Fn(std::ops::Range<u64>) + Sync) -> Result<(), Stop> {
    let (size, step) = (size as u64, 64 * WORDS_PER_CLAIM as u64);
    ctx.for_each(size.div_ceil(step), |number| {
        ctx.check()?;
        work(number * step..((number + 1) * step).min(size));
        Ok(())
    })?;
    ctx.check()
}

/// The indices reachable from `seed` by `next`, the seed included. `next` is called once for each index, in batches of
/// neighbouring indices.
fn reachable(
    size: usize,
    seed: u64,
    ctx: &Ctx,
    next: impl Fn(&[u64], &mut dyn FnMut(u64)) + Sync,
) -> Result<IndexSet, Stop> {
    let (seen, todo) = (IndexSet::new(size), IndexSet::new(size));
    seen.insert(seed);
    todo.insert(seed);
    let more = AtomicBool::new(true);
    while more.swap(false, Relaxed) {
        ctx.progress("following draws", seen.count(), Some(size as u64));
        for_ranges(size, ctx, |indices| {
            let mut list = Vec::new();
            for word in indices.start as usize / 64..(indices.end as usize).div_ceil(64) {
                let bits = todo.0[word].swap(0, Relaxed);
                list.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| word as u64 * 64 + bit));
            }
            next(&list, &mut |to| {
                if seen.insert(to) {
                    todo.insert(to);
                    more.store(true, Relaxed);
                }
            });
        })?;
    }
    Ok(seen)
}

/// Returns whether a strongly connected component contains a cycle.
fn is_cyclic(next: &[Vec<u32>], scc: &[u32]) -> bool {
    scc.len() > 1 || next[scc[0] as usize].contains(&scc[0])
}

/// The strongly connected components of a graph (Tarjan 1972, without recursion).
fn components(next: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = next.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0u32; n]);
    let (mut on_stack, mut stack, mut sccs, mut count) = (vec![false; n], Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        let mut calls: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
            if *edge == 0 && order[node] == NEW {
                (order[node], low[node]) = (count, count);
                count += 1;
                stack.push(node as u32);
                on_stack[node] = true;
            }
            if let Some(&to) = next[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if order[to] == NEW {
                    calls.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let at = stack.iter().rposition(|&other| other as usize == node).unwrap_or(0);
                let scc = stack.split_off(at);
                scc.iter().for_each(|&node| on_stack[node as usize] = false);
                sccs.push(scc);
            }
        }
    }
    sccs
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Family;
    use agon_core::indexed::Indexed as _;
    use agon_games::mill::Mill;

    #[test]
    fn components_of_small_graphs() {
        let sizes = |edges: &[&[u32]]| {
            let edges: Vec<Vec<u32>> = edges.iter().map(|next| next.to_vec()).collect();
            let mut sizes: Vec<usize> = components(&edges).iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(&[&[1], &[2], &[0], &[0]]), [1, 3]);
        assert_eq!(sizes(&[&[1], &[0], &[3, 0], &[2]]), [2, 2]);
        assert_eq!(sizes(&[&[], &[0]]), [1, 1]);
        assert!(is_cyclic(&[vec![0]], &[0]) && !is_cyclic(&[vec![]], &[0]));
    }

    /// Forward-backward search finds the components that Tarjan's algorithm finds.
    #[test]
    fn two_ways_to_find_components_agree() {
        let game = Mill::from_spelling("antrin:4").unwrap().0;
        let retro = Retro::solve(&game, 1 << 30, &Ctx::default()).unwrap();
        let shard = *retro.shards().iter().find(|&&shard| game.phase(shard) == "moving").unwrap();
        let graph = Graph { game: &game, shard, values: retro.table(shard).unwrap() };
        let nodes: Vec<u64> = (0..graph.size() as u64).filter(|&index| graph.drawn(index)).collect();
        let node = |index: u64| nodes.binary_search(&index).unwrap() as u32;
        let mut edges = Vec::new();
        for &index in &nodes {
            let mut next = Vec::new();
            graph.successors(index, &mut |to| next.push(node(to)));
            edges.push(next);
        }
        let sccs = components(&edges);
        let mut slowly: Vec<u64> =
            sccs.iter().filter(|scc| is_cyclic(&edges, scc)).map(|scc| scc.len() as u64).collect();
        slowly.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(graph.sccs(&Ctx::default().with_threads(2)).unwrap(), slowly);
    }
}
