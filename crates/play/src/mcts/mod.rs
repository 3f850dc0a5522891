//! `mcts`: Monte Carlo tree search with UCT (Kocsis and Szepesvári 2006) and proven values (MCTS-Solver; Winands,
//! Björnsson and Saito 2008).

mod tree;

use crate::{Agent, Alternative, Limits, OnThought, Playouts, Score, Thought};
use agon_core::{Ctx, Evaluate, Stop, Value, Wdl};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
pub use tree::Formula;
use tree::{Growth, Tree};

/// The settings of a tree search.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The limit of playouts for a move, shared among the threads.
    pub limits: Limits,
    /// The settings of playouts.
    pub playouts: Playouts,
    /// The selection formula.
    pub formula: Formula,
    /// The exploration constant c of the formula.
    pub c: f64,
    /// True if outcomes are backed up as proofs (MCTS-Solver).
    pub solver: bool,
    /// True if the tree of the last move is reused for the next.
    pub reuse: bool,
    /// The memory of all trees together, in bytes.
    pub memory: usize,
    /// The number of threads (root parallelisation: each has its own tree, and visits are summed). For a given number,
    /// results are deterministic.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            playouts: Playouts::default(),
            formula: Formula::Uct,
            c: std::f64::consts::SQRT_2,
            solver: true,
            reuse: true,
            memory: 256 << 20,
            threads: 1,
        }
    }
}

/// A node of the tree of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grown<M> {
    /// The index of the node before, and the move from there; `None` for the root.
    pub by: Option<(usize, M)>,
    /// The number of plies from the root.
    pub ply: usize,
    /// The playouts through the node.
    pub visits: u64,
    /// The share of their points that the side won which made the move.
    pub share: f64,
    /// True if nodes after it are left out.
    pub cut: bool,
}

/// Monte Carlo tree search.
pub struct Mcts<G: Evaluate> {
    settings: Settings,
    trees: Vec<Tree<G>>,
}

/// Playouts between two checks of the limits.
const PLAYOUTS_PER_CHECK: u64 = 16;

impl<G: Evaluate> Mcts<G> {
    /// A player with empty trees.
    #[must_use]
    pub fn new(settings: Settings, seed: u64) -> Mcts<G> {
        let trees = planted(&settings, seed);
        Mcts { settings, trees }
    }

    /// Sets the limits of the next move.
    pub fn limit(&mut self, limits: Limits) {
        self.settings.limits = limits;
    }
}

fn planted<G: Evaluate>(settings: &Settings, seed: u64) -> Vec<Tree<G>> {
    let threads = settings.threads.max(1);
    let seeds = (0..threads as u64).map(|thread| seed ^ thread.wrapping_mul(0xd134_2543_de82_ef95));
    seeds.map(|seed| Tree::new(settings.memory / threads, settings.playouts.win, seed)).collect()
}

/// Grows one tree until its share of the work is done; returns the number of playouts.
fn grow<G: Evaluate>(
    tree: &mut Tree<G>,
    game: &G,
    settings: &Settings,
    share: u64,
    ctx: &Ctx,
    on_thought: &mut dyn FnMut(&Tree<G>, u64),
) -> u64 {
    let growth = Growth {
        formula: settings.formula,
        c: settings.c as f32,
        solver: settings.solver,
        playouts: &settings.playouts,
    };
    let (mut done, mut next) = (0, 4096);
    // The first playout expands the root, so that there is a move to choose.
    while done < share.max(2) && !(settings.solver && tree.is_proven()) {
        tree.grow(game, &growth);
        done += 1;
        if done % PLAYOUTS_PER_CHECK == 0 {
            ctx.count(PLAYOUTS_PER_CHECK);
            if ctx.check().is_err() {
                break;
            }
        }
        if done == next {
            on_thought(tree, done);
            next *= 2;
        }
    }
    done
}

/// The combined statistics of a move of the root, over all trees.
struct Vote<M> {
    mv: M,
    visits: u64,
    points: u64,
    value: Option<Value>,
    line: Vec<M>,
    /// Visits in the tree the line comes from.
    seen: u32,
}

fn votes<G: Evaluate>(trees: &[&Tree<G>]) -> Vec<Vote<G::Move>> {
    let mut votes: BTreeMap<G::Move, Vote<G::Move>> = BTreeMap::new();
    for tree in trees {
        for at in tree.moves() {
            let node = &tree.nodes[at];
            let vote = votes.entry(node.mv).or_insert_with(|| Vote {
                mv: node.mv,
                visits: 0,
                points: 0,
                value: None,
                line: vec![node.mv],
                seen: 0,
            });
            vote.visits += u64::from(node.visits);
            vote.points += u64::from(node.points);
            vote.value = vote.value.or_else(|| tree.value(at));
            if node.visits > vote.seen {
                (vote.seen, vote.line) = (node.visits, tree.line(at));
            }
        }
    }
    let mut votes: Vec<_> = votes.into_values().collect();
    let open = votes.iter().filter(|vote| vote.value.is_none() && vote.visits > 0);
    let open = open.max_by_key(|vote| vote.visits).map(|vote| tree::beats_draw(vote.points, vote.visits));
    let class = |vote: &Vote<G::Move>| tree::class(vote.value.map(Value::wdl), open);
    // The fastest proven win, else the most visited move, else the slowest loss.
    votes.sort_by_cached_key(|vote| {
        let haste = vote.value.filter(|value| value.wdl() != Wdl::Draw);
        Reverse((class(vote), haste, vote.visits, vote.points))
    });
    votes
}

fn thought<G: Evaluate>(trees: &[&Tree<G>], playouts: &Playouts, done: u64) -> Thought<G::Move> {
    let votes = votes(trees);
    let share = |vote: &Vote<G::Move>| Score::Share(playouts.share(vote.points, vote.visits));
    let best = &votes[0];
    let decided = trees.iter().any(|tree| tree.is_proven()) || best.value.is_some_and(|v| v.wdl() == Wdl::Win);
    let known = |vote: &Vote<G::Move>| Alternative {
        pv: vote.line.clone(),
        score: share(vote),
        visits: vote.visits,
        proven: vote.value,
    };
    Thought {
        mv: best.mv,
        score: Some(share(best)),
        depth: trees.iter().map(|tree| tree.deepest).max().unwrap_or(0),
        nodes: done,
        pv: best.line.clone(),
        proven: best.value.filter(|_| decided),
        alternatives: votes.iter().map(known).collect(),
    }
}

impl<G: Evaluate> Agent<G> for Mcts<G> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let mut any = None;
        game.moves(pos, &mut |mv| any = Some(mv));
        let any = any.expect("an agent is asked only in unfinished positions");
        let settings = &self.settings;
        for tree in &mut self.trees {
            if !settings.reuse {
                *tree =
                    Tree::new(settings.memory / settings.threads.max(1), settings.playouts.win, tree.rng.next_u64());
            }
            tree.settle(game, pos, any);
        }
        let share = settings.limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(self.trees.len() as u64));
        let [first, others @ ..] = &mut self.trees[..] else { unreachable!("there is a tree for each thread") };
        let done = std::thread::scope(|scope| {
            let work = |tree| scope.spawn(move || grow(tree, game, settings, share, ctx, &mut |_, _| ()));
            let handles: Vec<_> = others.iter_mut().map(work).collect();
            let mut tell = |tree: &Tree<G>, done: u64| on_thought(&thought(&[tree], &settings.playouts, done));
            let own = grow(first, game, settings, share, ctx, &mut tell);
            let theirs = handles.into_iter().map(|handle| handle.join().unwrap_or(0));
            own + theirs.sum::<u64>()
        });
        Ok(thought(&self.trees.iter().collect::<Vec<_>>(), &self.settings.playouts, done))
    }

    fn begin(&mut self, seed: u64) {
        self.trees = planted(&self.settings, seed);
    }

    /// The tree of the first thread, the most visited nodes first; a node comes after the one before it.
    fn grown(&self, most: usize) -> Vec<Grown<G::Move>> {
        let tree = &self.trees[0];
        let mut found: Vec<Grown<G::Move>> = Vec::new();
        // The visits of a node, itself, and the node of the answer before it; of equals the first comes first.
        let mut open: BinaryHeap<(u32, Reverse<usize>, Option<usize>)> = BinaryHeap::new();
        if !tree.nodes.is_empty() {
            open.push((tree.nodes[0].visits, Reverse(0), None));
        }
        while let Some((visits, Reverse(at), before)) = open.pop() {
            if found.len() >= most {
                if let Some(before) = before {
                    let cut: &mut Grown<G::Move> = &mut found[before];
                    cut.cut = true;
                }
                continue;
            }
            let node = &tree.nodes[at];
            let ply = before.map_or(0, |before| found[before].ply + 1);
            let share = self.settings.playouts.share(u64::from(node.points), u64::from(visits));
            let by = before.map(|before| (before, node.mv));
            let here = found.len();
            found.push(Grown { by, ply, visits: u64::from(visits), share, cut: false });
            open.extend(tree.tried(at).map(|child| (tree.nodes[child].visits, Reverse(child), Some(here))));
        }
        found
    }
}

#[cfg(test)]
mod tests;
