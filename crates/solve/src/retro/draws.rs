//! How draws hold in games in which play can go round: where one move alone keeps them, and what play goes round in.
//!
//! The drawn classes of one table are the nodes of a graph; an edge is a move that keeps the draw, which leads to a
//! drawn class seen by the next mover. Play among draws for ever goes round in a *knot*: a part of that graph in which
//! every class can be reached from every other, with more than one class or with a class that leads to itself.

use super::Retro;
use agon_core::indexed::{Indexed, Place};
use agon_core::{Ctx, Stop, collect_moves};
use agon_table::Values;
use agon_table::values::DRAW;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Positions, and classes of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Positions.
    pub positions: u64,
    /// Positions up to symmetry.
    pub classes: u64,
}

impl Count {
    fn add(&mut self, stands_for: u64) {
        self.positions += stands_for;
        self.classes += 1;
    }
}

/// What the draws of a table are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draws {
    /// All of them.
    pub all: Count,
    /// One move keeps the draw and there are others, which lose.
    pub only_one: Count,
    /// Every move keeps the draw.
    pub every: Count,
    /// Both sides can go there and back: four plies, each side moving a man and moving it back, all through draws.
    pub there_and_back: Count,
    /// Classes of each knot, the largest first.
    pub knots: Vec<u64>,
}

impl<G: Indexed> Retro<G> {
    /// What the draws of a table are made of, if it is in memory. Moves that leave the table count as if they did not
    /// keep the draw.
    pub fn draws(&self, game: &G, shard: G::Shard, ctx: &Ctx) -> Result<Option<Draws>, Stop> {
        let Some(values) = self.table(shard) else { return Ok(None) };
        let graph = Graph { game, shard, values };
        let mut draws = graph.count(ctx)?;
        draws.knots = graph.knots(ctx)?;
        Ok(Some(draws))
    }
}

struct Graph<'a, G: Indexed> {
    game: &'a G,
    shard: G::Shard,
    values: &'a Values,
}

/// Words of 64 numbers a thread takes at once.
const PIECE: usize = 1 << 8;

impl<G: Indexed> Graph<'_, G> {
    fn size(&self) -> usize {
        self.values.len()
    }

    fn drawn(&self, number: u64) -> bool {
        self.values.get(number) == DRAW
    }

    /// The drawn number of an unfinished position, if it is one.
    fn keeps(&self, pos: &G::Position) -> Option<u64> {
        if self.game.outcome(pos).is_some() {
            return None;
        }
        let Place { shard, index, .. } = self.game.place(pos);
        (shard == self.shard && self.drawn(index)).then_some(index)
    }

    fn position(&self, number: u64) -> G::Position {
        self.game.used_position(self.shard, number)
    }

    /// Calls `each` with the drawn classes that moves lead to.
    fn after(&self, number: u64, each: &mut dyn FnMut(u64)) {
        let pos = self.position(number);
        self.game.moves(&pos, &mut |mv| {
            if let Some(next) = self.keeps(&self.game.after(&pos, mv)) {
                each(next);
            }
        });
    }

    /// Calls `each` with the drawn classes that a move leads to one of these from.
    fn before(&self, numbers: &[u64], each: &mut dyn FnMut(u64)) {
        self.game.unplay_all(self.shard, numbers, &mut |_, place| {
            if place.shard == self.shard && self.drawn(place.index) {
                each(place.index);
            }
        });
    }

    fn stands_for(&self, number: u64) -> u64 {
        let row = number / self.game.row(self.shard);
        let alike = self.game.row_stands_for(self.shard, row);
        let looked_up = || self.game.symmetries() / self.game.place(&self.position(number)).fixed_by;
        u64::from(alike.unwrap_or_else(looked_up))
    }

    /// Looks at every drawn class once.
    fn count(&self, ctx: &Ctx) -> Result<Draws, Stop> {
        let found = std::sync::Mutex::new(Draws::default());
        let size = self.size();
        in_pieces(size, ctx, |numbers| {
            ctx.progress("looking at draws", numbers.start, Some(size as u64));
            let mut some = Draws::default();
            for number in numbers.filter(|&number| self.drawn(number)) {
                self.look(number, &mut some);
            }
            if let Ok(mut found) = found.lock() {
                found.add(&some);
            }
        })?;
        Ok(found.into_inner().unwrap_or_default())
    }

    fn look(&self, number: u64, draws: &mut Draws) {
        let pos = self.position(number);
        let moves = collect_moves(self.game, &pos);
        let kept: Vec<G::Position> =
            moves.iter().map(|&mv| self.game.after(&pos, mv)).filter(|after| self.keeps(after).is_some()).collect();
        let stands_for = self.stands_for(number);
        draws.all.add(stands_for);
        if kept.len() == 1 && moves.len() > 1 {
            draws.only_one.add(stands_for);
        }
        if kept.len() == moves.len() {
            draws.every.add(stands_for);
        }
        if kept.iter().any(|first| self.returns(&pos, first)) {
            draws.there_and_back.add(stands_for);
        }
    }

    /// Whether play can go from `pos` by `first` and three more plies back to `pos`, through draws.
    fn returns(&self, pos: &G::Position, first: &G::Position) -> bool {
        let next = |pos: &G::Position| -> Vec<G::Position> {
            collect_moves(self.game, pos).into_iter().map(|mv| self.game.after(pos, mv)).collect()
        };
        // Whether a position is drawn is asked last: that takes the longest.
        let back = |third: &G::Position| next(third).contains(pos) && self.keeps(third).is_some();
        next(first).iter().any(|second| self.keeps(second).is_some() && next(second).iter().any(back))
    }

    /// The sizes of the knots, the largest first.
    fn knots(&self, ctx: &Ctx) -> Result<Vec<u64>, Stop> {
        // Most draws hang together in one large knot: what can be reached from one of its classes and can reach it.
        // Whatever is left is small enough to be taken apart class by class.
        let mut rest = Marks::new(self.size());
        (0..self.size() as u64).filter(|&number| self.drawn(number)).for_each(|number| {
            rest.set(number);
        });
        let mut sizes = Vec::new();
        for _ in 0..LARGE_KNOTS {
            let Some(seed) = self.wander(&rest).filter(|_| rest.count() > FEW) else { break };
            let ahead = spread(self.size(), seed, ctx, |numbers, each| {
                numbers.iter().for_each(|&n| {
                    self.after(n, &mut |to| {
                        if rest.has(to) {
                            each(to)
                        }
                    })
                });
            })?;
            let behind = spread(self.size(), seed, ctx, |numbers, each| {
                self.before(numbers, &mut |from| {
                    if rest.has(from) {
                        each(from)
                    }
                });
            })?;
            let knot = ahead.and(&behind);
            let alone = knot.count() == 1 && !self.leads_to_itself(seed);
            sizes.extend((!alone).then(|| knot.count()));
            rest.remove(&knot);
        }
        let list: Vec<u64> = rest.list();
        let place = |number: u64| list.binary_search(&number).ok().map(|at| at as u32);
        let mut edges: Vec<Vec<u32>> = Vec::with_capacity(list.len());
        for &number in &list {
            let mut next = Vec::new();
            self.after(number, &mut |to| next.extend(place(to)));
            edges.push(next);
        }
        ctx.check()?;
        sizes.extend(components(&edges).into_iter().filter(|part| is_knot(&edges, part)).map(|part| part.len() as u64));
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Ok(sizes)
    }

    fn leads_to_itself(&self, number: u64) -> bool {
        let mut found = false;
        self.after(number, &mut |to| found |= to == number);
        found
    }

    /// A class that play among the classes of `rest` gets to after many moves: likely one of a large knot.
    fn wander(&self, rest: &Marks) -> Option<u64> {
        let list_middle = self.size() as u64 / 2;
        let mut at = (list_middle..self.size() as u64).chain(0..list_middle).find(|&number| rest.has(number))?;
        let mut rng = agon_core::Rng::new(1);
        for _ in 0..10_000 {
            let mut next = Vec::new();
            self.after(at, &mut |to| next.extend(rest.has(to).then_some(to)));
            match rng.pick(&next) {
                Some(&to) => at = to,
                None => break,
            }
        }
        Some(at)
    }
}

/// Large knots are looked for at most so often.
const LARGE_KNOTS: usize = 8;
/// So few classes are taken apart one by one.
const FEW: u64 = 1 << 12;

impl Draws {
    fn add(&mut self, other: &Draws) {
        for (mine, theirs) in [
            (&mut self.all, other.all),
            (&mut self.only_one, other.only_one),
            (&mut self.every, other.every),
            (&mut self.there_and_back, other.there_and_back),
        ] {
            mine.positions += theirs.positions;
            mine.classes += theirs.classes;
        }
    }
}

/// A set of numbers that several threads add to.
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(size: usize) -> Marks {
        Marks((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn has(&self, number: u64) -> bool {
        self.0[number as usize / 64].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// Adds a number; whether it is new.
    fn set(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        self.0[number as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    fn and(&self, other: &Marks) -> Marks {
        Marks(self.0.iter().zip(&other.0).map(|(a, b)| AtomicU64::new(a.load(Relaxed) & b.load(Relaxed))).collect())
    }

    fn remove(&mut self, other: &Marks) {
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

/// Calls `work` with stretches of numbers on all threads.
fn in_pieces(size: usize, ctx: &Ctx, work: impl Fn(std::ops::Range<u64>) + Sync) -> Result<(), Stop> {
    let next = AtomicU64::new(0);
    let piece = 64 * PIECE as u64;
    let run = || {
        loop {
            let begin = next.fetch_add(piece, Relaxed);
            if begin >= size as u64 || ctx.check().is_err() {
                return;
            }
            work(begin..(begin + piece).min(size as u64));
        }
    };
    std::thread::scope(|scope| (0..ctx.threads()).for_each(|_| drop(scope.spawn(run))));
    ctx.check()
}

/// Everything that `next` leads to from `seed`, the seed included. Each number is asked once, among others that are near.
fn spread(size: usize, seed: u64, ctx: &Ctx, next: impl Fn(&[u64], &mut dyn FnMut(u64)) + Sync) -> Result<Marks, Stop> {
    let (seen, todo) = (Marks::new(size), Marks::new(size));
    seen.set(seed);
    todo.set(seed);
    let more = AtomicBool::new(true);
    while more.swap(false, Relaxed) {
        ctx.progress("following draws", seen.count(), Some(size as u64));
        in_pieces(size, ctx, |numbers| {
            let mut list = Vec::new();
            for word in numbers.start as usize / 64..(numbers.end as usize).div_ceil(64) {
                let bits = todo.0[word].swap(0, Relaxed);
                list.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| word as u64 * 64 + bit));
            }
            next(&list, &mut |to| {
                if seen.set(to) {
                    todo.set(to);
                    more.store(true, Relaxed);
                }
            });
        })?;
    }
    Ok(seen)
}

/// Whether play can go round in a part.
fn is_knot(next: &[Vec<u32>], part: &[u32]) -> bool {
    part.len() > 1 || next[part[0] as usize].contains(&part[0])
}

/// The strongly connected parts of a graph (Tarjan, without recursion).
fn components(next: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = next.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0u32; n]);
    let (mut on_stack, mut stack, mut parts, mut count) = (vec![false; n], Vec::new(), Vec::new(), 0);
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
                let part = stack.split_off(at);
                part.iter().for_each(|&node| on_stack[node as usize] = false);
                parts.push(part);
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::mill::Mill;
    use agon_games::mill::presets::ANTRIN;

    #[test]
    fn parts_of_graphs() {
        let sizes = |edges: &[&[u32]]| {
            let edges: Vec<Vec<u32>> = edges.iter().map(|next| next.to_vec()).collect();
            let mut sizes: Vec<usize> = components(&edges).iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(&[&[1], &[2], &[0], &[0]]), [1, 3]);
        assert_eq!(sizes(&[&[1], &[0], &[3, 0], &[2]]), [2, 2]);
        assert_eq!(sizes(&[&[], &[0]]), [1, 1]);
        assert!(is_knot(&[vec![0]], &[0]) && !is_knot(&[vec![]], &[0]));
    }

    /// Large knots by what is ahead and behind are those that are found class by class.
    #[test]
    fn two_ways_to_find_knots_agree() {
        let game = Mill::of_family(&ANTRIN, "antrin:4").unwrap().0;
        let retro = Retro::solve(&game, 1 << 30, &Ctx::default()).unwrap();
        let shard = *retro.shards().iter().find(|&&shard| game.phase(shard) == "moving").unwrap();
        let graph = Graph { game: &game, shard, values: retro.table(shard).unwrap() };
        let list: Vec<u64> = (0..graph.size() as u64).filter(|&number| graph.drawn(number)).collect();
        let place = |number: u64| list.binary_search(&number).unwrap() as u32;
        let mut edges = Vec::new();
        for &number in &list {
            let mut next = Vec::new();
            graph.after(number, &mut |to| next.push(place(to)));
            edges.push(next);
        }
        let parts = components(&edges);
        let mut slowly: Vec<u64> =
            parts.iter().filter(|part| is_knot(&edges, part)).map(|part| part.len() as u64).collect();
        slowly.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(graph.knots(&Ctx::default().with_threads(2)).unwrap(), slowly);
    }
}
