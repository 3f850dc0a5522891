//! The search tree: all nodes in one array, siblings adjacent.

use crate::Playouts;
use agon_core::{Evaluate, Outcome, Player, Rng, Value, Wdl};

/// The formula that balances exploitation against exploration.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Formula {
    /// UCB1: wins per visit plus c·√(ln t / n).
    Uct,
    /// Wins per visit plus c·√(1 / n), equation 5.1 of Beljaards's thesis.
    Inverse,
}

/// One move in the tree, seen by the side that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    pub(super) mv: M,
    /// The index of the first child.
    pub(super) first: u32,
    /// The number of children; zero before expansion.
    pub(super) count: u16,
    /// The number of children that were visited.
    tried: u16,
    pub(super) visits: u32,
    /// The points of its playouts.
    pub(super) points: u32,
    pub(super) proven: Option<Wdl>,
    /// True if the side that makes the move moves again; known after the first visit.
    again: bool,
}

impl<M> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node { mv, first: 0, count: 0, tried: 0, visits: 0, points: 0, proven: None, again: false }
    }
}

/// A tree that grows from one position.
pub(super) struct Tree<G: Evaluate> {
    root: Option<G::Position>,
    pub(super) nodes: Vec<Node<G::Move>>,
    most: usize,
    /// The points of a win.
    win: u32,
    pub(super) rng: Rng,
    /// The path of the current simulation: nodes, each with the side that moved.
    path: Vec<(u32, Player)>,
    pub(super) deepest: u32,
}

/// The parameters of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth<'a> {
    pub(super) formula: Formula,
    pub(super) c: f32,
    pub(super) solver: bool,
    pub(super) playouts: &'a Playouts,
}

/// The natural logarithm within about 0.01, by operations whose results are the same on every machine.
fn ln(n: u32) -> f32 {
    let bits = (n as f32).to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let m = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    (exponent + (2.0 - m / 3.0) * m - 5.0 / 3.0) * std::f32::consts::LN_2
}

impl<G: Evaluate> Tree<G> {
    /// An empty tree of at most `bytes`, in which a win has `win` points.
    pub(super) fn new(bytes: usize, win: u32, seed: u64) -> Tree<G> {
        let most = (bytes / size_of::<Node<G::Move>>()).clamp(1024, u32::MAX as usize);
        Tree { root: None, nodes: Vec::new(), most, win, rng: Rng::new(seed), path: Vec::new(), deepest: 0 }
    }

    /// Returns whether the root is proven.
    pub(super) fn is_proven(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.proven.is_some())
    }

    /// Returns whether the side that made a move that was tried moves again.
    #[inline]
    fn again(&self, at: usize) -> bool {
        !G::ALTERNATES && self.nodes[at].again
    }

    /// Makes `pos` the root, and keeps its subtree if it is at most two moves away.
    pub(super) fn settle(&mut self, game: &G, pos: &G::Position, any: G::Move) {
        self.deepest = 0;
        let found = self.root.take().and_then(|root| self.find(game, &root, pos));
        match found {
            Some(0) => {}
            Some(at) => self.keep(at),
            None => self.nodes = vec![Node::new(any)],
        }
        self.root = Some(pos.clone());
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    /// The node of `pos`, at most two moves after the root.
    fn find(&self, game: &G, root: &G::Position, pos: &G::Position) -> Option<usize> {
        if root == pos {
            return Some(0);
        }
        for child in self.children(0).filter(|&child| self.nodes[child].visits > 0) {
            let after = game.after(root, self.nodes[child].mv);
            if after == *pos {
                return Some(child);
            }
            let grandchildren = self.children(child).filter(|&next| self.nodes[next].visits > 0);
            let hit = grandchildren.into_iter().find(|&next| game.after(&after, self.nodes[next].mv) == *pos);
            if hit.is_some() {
                return hit;
            }
        }
        None
    }

    /// Keeps the subtree of a node and drops the rest.
    fn keep(&mut self, at: usize) {
        let old = std::mem::take(&mut self.nodes);
        self.nodes.push(old[at]);
        let mut next = 0;
        while next < self.nodes.len() {
            let Node { first, count, .. } = self.nodes[next];
            if count > 0 {
                self.nodes[next].first = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&old[first as usize..first as usize + usize::from(count)]);
            }
            next += 1;
        }
    }

    /// Expands a node, with its children in random order; returns false if the memory is full.
    fn expand(&mut self, game: &G, pos: &G::Position, at: usize) -> bool {
        let (first, capacity) = (self.nodes.len(), self.nodes.capacity());
        let needed = first + game.count_moves(pos);
        if needed > self.most {
            return false;
        }
        if needed > capacity {
            // Grow to the limit at most, where doubling would exceed it.
            let wanted = needed.max(2 * capacity).min(self.most);
            self.nodes.reserve_exact(wanted - first);
        }
        game.moves(pos, &mut |mv| self.nodes.push(Node::new(mv)));
        let count = self.nodes.len() - first;
        for i in (1..count).rev() {
            self.nodes.swap(first + i, first + self.rng.below(i + 1));
        }
        let node = &mut self.nodes[at];
        (node.first, node.count, node.tried) = (first as u32, count.min(usize::from(u16::MAX)) as u16, 0);
        count > 0
    }

    /// Selects a child.
    #[inline]
    fn select(&mut self, at: usize, growth: &Growth<'_>) -> usize {
        let node = &mut self.nodes[at];
        let (first, visits) = (node.first as usize, node.visits);
        if node.tried < node.count {
            node.tried += 1;
            return first + usize::from(node.tried) - 1;
        }
        let explore = growth.c * growth.c * if growth.formula == Formula::Uct { ln(visits) } else { 1.0 };
        let win = 1.0 / self.win as f32;
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        for (child, node) in self.nodes[self.children(at)].iter().enumerate() {
            // A proven child needs no more playouts; some child is open, or this node would be proven.
            if growth.solver && node.proven.is_some() {
                continue;
            }
            let inverse = 1.0 / node.visits as f32;
            let worth = win * node.points as f32 * inverse + (explore * inverse).sqrt();
            if worth > most {
                (best, most) = (child, worth);
            }
        }
        first + best
    }

    /// Runs one simulation.
    pub(super) fn grow(&mut self, game: &G, growth: &Growth<'_>) {
        let Some(mut pos) = self.root.clone() else { return };
        self.path.clear();
        let mover = game.turn(&pos);
        self.path.push((0, if self.again(0) { mover } else { mover.other() }));
        let (mut at, mut settled) = (0, false);
        // Step 1: selection, down to an unvisited child.
        let end = loop {
            let node = self.nodes[at];
            if let Some(proven) = node.proven.filter(|_| growth.solver || node.count == 0) {
                break as_outcome(proven, self.path[self.path.len() - 1].1);
            }
            let ready = node.count > 0 || (node.visits > 0 || at == 0) && self.expand(game, &pos, at);
            if !ready {
                // Step 2: playout.
                break growth.playouts.run(game, pos, &mut self.rng);
            }
            let mover = game.turn(&pos);
            at = self.select(at, growth);
            let mv = self.nodes[at].mv;
            game.play(&mut pos, mv);
            self.path.push((at as u32, mover));
            if !G::ALTERNATES {
                self.nodes[at].again = game.turn(&pos) == mover;
            }
            if self.nodes[at].visits == 0
                && let Some(outcome) = game.ended(&pos, mv)
            {
                self.nodes[at].proven = Some(outcome.seen_by(mover));
                settled = true;
                break Some(outcome);
            }
        };
        // Step 3: backpropagation.
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        for &(at, mover) in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.points += growth.playouts.points(end, mover);
        }
        if settled && growth.solver {
            self.prove();
        }
    }

    /// Backs the proven value of the last node of the path up towards the root, as far as it decides a parent.
    fn prove(&mut self) {
        for i in (0..self.path.len() - 1).rev() {
            let (at, child) = (self.path[i].0 as usize, self.path[i + 1].0 as usize);
            let proven = match self.nodes[child].proven {
                Some(Wdl::Win) => Some(Wdl::Win),
                Some(_) => {
                    let replies = self.children(at).map(|child| self.nodes[child].proven);
                    // An open child may be the best.
                    replies.reduce(|best, next| Some(best?.max(next?))).flatten()
                }
                None => None,
            };
            match proven {
                Some(best) => self.nodes[at].proven = Some(best.to_parent_with(self.again(at))),
                None => return,
            }
        }
    }

    /// The proven value of a move for the side that makes it, with the distance as far as the tree knows it.
    pub(super) fn value(&self, at: usize) -> Option<Value> {
        let wdl = self.nodes[at].proven?;
        Some(match wdl {
            Wdl::Draw => Value::DRAW,
            Wdl::Win | Wdl::Loss => {
                let replies = self.children(at).filter_map(|child| self.value(child));
                let best = replies.max();
                best.map_or_else(|| decided_by(wdl), |best| best.to_parent_with(self.again(at)))
            }
        })
    }

    /// The principal variation by visits, from a node.
    pub(super) fn line(&self, mut at: usize) -> Vec<G::Move> {
        let mut line = vec![self.nodes[at].mv];
        while let Some(next) = self.favourite(at) {
            line.push(self.nodes[next].mv);
            at = next;
        }
        line
    }

    /// The best child: a proven win, else the most visited one that is not a proven loss.
    pub(super) fn favourite(&self, at: usize) -> Option<usize> {
        let tried = || self.children(at).filter(|&child| self.nodes[child].visits > 0);
        let open = tried().filter(|&child| self.nodes[child].proven.is_none());
        let open = open.max_by_key(|&child| self.nodes[child].visits).map(|child| {
            let node = &self.nodes[child];
            beats_draw(u64::from(node.points), u64::from(node.visits))
        });
        let rank = |&child: &usize| {
            let node = &self.nodes[child];
            (class(node.proven, open), node.visits, std::cmp::Reverse(child))
        };
        tried().max_by_key(rank)
    }

    /// The children that were visited.
    pub(super) fn tried(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.children(at).filter(|&child| self.nodes[child].visits > 0)
    }

    /// The moves of the root.
    pub(super) fn moves(&self) -> std::ops::Range<usize> {
        self.children(0)
    }
}

/// True if the playouts of a move have at least the points of as many draws.
pub(super) fn beats_draw(points: u64, visits: u64) -> bool {
    points >= visits
}

/// The preference among moves: proven wins, then open moves and proven draws, then losses. `open` says whether the most
/// visited open move promises at least a draw; if not, a proven draw is better.
pub(super) fn class(proven: Option<Wdl>, open: Option<bool>) -> u8 {
    match proven {
        Some(Wdl::Win) => 4,
        Some(Wdl::Draw) if open != Some(true) => 3,
        None => 2,
        Some(Wdl::Draw) => 1,
        Some(Wdl::Loss) => 0,
    }
}

/// The value of a move that ends the game, for the side that makes it.
fn decided_by(wdl: Wdl) -> Value {
    if wdl == Wdl::Win { Value::win_in(1) } else { Value::loss_in(1) }
}

fn as_outcome(wdl: Wdl, mover: Player) -> Option<Outcome> {
    Some(match wdl {
        Wdl::Win => Outcome::Win(mover),
        Wdl::Draw => Outcome::Draw,
        Wdl::Loss => Outcome::Win(mover.other()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_enough() {
        for n in [1u32, 2, 3, 7, 10, 1000, 123_456, 1 << 30] {
            assert!((f64::from(ln(n)) - f64::from(n).ln()).abs() < 0.01, "{n}: {}", ln(n));
        }
    }
}
