//! `mcts`: a tree that grows where playouts went well (UCT), and that knows what it has proven (MCTS-Solver).

mod tree;

use crate::{Agent, Alternative, Limits, Playouts, Score, Thought, Told};
use agon_core::{Ctx, Evaluate, Stop, Value, Wdl};
use std::collections::BTreeMap;
pub use tree::Formula;
use tree::{Growth, Tree};

/// How a tree is grown.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Playouts for a move, shared among the threads.
    pub limits: Limits,
    /// How positions are played out.
    pub playouts: Playouts,
    /// How to choose where to grow.
    pub formula: Formula,
    /// The constant of the formula.
    pub c: f64,
    /// Whether finished plays are carried up as proofs.
    pub solver: bool,
    /// Whether what was found for the last move serves the next.
    pub reuse: bool,
    /// Bytes of all trees together.
    pub memory: usize,
    /// Threads, each with a tree of its own; their visits are added up. For a given number, results repeat exactly.
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

/// Monte Carlo tree search.
pub struct Mcts<G: Evaluate> {
    settings: Settings,
    trees: Vec<Tree<G>>,
}

/// Playouts between two looks at the clock.
const STRIDE: u64 = 16;

impl<G: Evaluate> Mcts<G> {
    /// A player without a tree yet.
    #[must_use]
    pub fn new(settings: Settings, seed: u64) -> Mcts<G> {
        let trees = planted(&settings, seed);
        Mcts { settings, trees }
    }

    /// Other limits, for the next move.
    pub fn limit(&mut self, limits: Limits) {
        self.settings.limits = limits;
    }
}

fn planted<G: Evaluate>(settings: &Settings, seed: u64) -> Vec<Tree<G>> {
    let threads = settings.threads.max(1);
    let seeds = (0..threads as u64).map(|thread| seed ^ thread.wrapping_mul(0xd134_2543_de82_ef95));
    seeds.map(|seed| Tree::new(settings.memory / threads, seed)).collect()
}

/// Lets one tree grow until its share of the work is done; says how many playouts that were.
fn grow<G: Evaluate>(
    tree: &mut Tree<G>,
    game: &G,
    settings: &Settings,
    share: u64,
    ctx: &Ctx,
    told: &mut dyn FnMut(&Tree<G>, u64),
) -> u64 {
    let growth = Growth {
        formula: settings.formula,
        c: settings.c as f32,
        solver: settings.solver,
        playouts: &settings.playouts,
    };
    let (mut done, mut next) = (0, 4096);
    // The first playout lists the moves, so that there is one to choose.
    while done < share.max(2) && !(settings.solver && tree.is_proven()) {
        tree.grow(game, &growth);
        done += 1;
        if done % STRIDE == 0 {
            ctx.count(STRIDE);
            if ctx.check().is_err() {
                break;
            }
        }
        if done == next {
            told(tree, done);
            next *= 2;
        }
    }
    done
}

/// What the trees say together about a move of the root.
struct Vote<M> {
    mv: M,
    visits: u64,
    halves: u64,
    value: Option<Value>,
    line: Vec<M>,
    /// Visits in the tree the line comes from.
    seen: u32,
}

impl<M> Vote<M> {
    fn share(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.halves as f64 / (2 * self.visits) as f64 }
    }
}

fn votes<G: Evaluate>(trees: &[&Tree<G>]) -> Vec<Vote<G::Move>> {
    let mut votes: BTreeMap<G::Move, Vote<G::Move>> = BTreeMap::new();
    for tree in trees {
        for at in tree.moves() {
            let node = &tree.nodes[at];
            let vote = votes.entry(node.mv).or_insert_with(|| Vote {
                mv: node.mv,
                visits: 0,
                halves: 0,
                value: None,
                line: vec![node.mv],
                seen: 0,
            });
            vote.visits += u64::from(node.visits);
            vote.halves += u64::from(node.halves);
            vote.value = vote.value.or_else(|| tree.value(at));
            if node.visits > vote.seen {
                (vote.seen, vote.line) = (node.visits, tree.line(at));
            }
        }
    }
    let mut votes: Vec<_> = votes.into_values().collect();
    let open = votes.iter().filter(|vote| vote.value.is_none() && vote.visits > 0);
    let open = open.max_by_key(|vote| vote.visits).map(Vote::share);
    let class = |vote: &Vote<G::Move>| tree::class(vote.value.map(Value::wdl), open);
    // Among proven wins the quickest, among losses the slowest; else the most visited.
    votes.sort_by_key(|vote| {
        let haste = vote.value.filter(|value| value.wdl() != Wdl::Draw);
        std::cmp::Reverse((class(vote), haste, vote.visits, vote.halves))
    });
    votes
}

fn thought<G: Evaluate>(trees: &[&Tree<G>], done: u64) -> Thought<G::Move> {
    let votes = votes(trees);
    let best = &votes[0];
    let decided = trees.iter().any(|tree| tree.is_proven()) || best.value.is_some_and(|v| v.wdl() == Wdl::Win);
    let known = |vote: &Vote<G::Move>| Alternative {
        pv: vote.line.clone(),
        score: Score::Share(vote.share()),
        visits: vote.visits,
        proven: vote.value,
    };
    Thought {
        mv: best.mv,
        score: Some(Score::Share(best.share())),
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
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let mut any = None;
        game.moves(pos, &mut |mv| any = Some(mv));
        let any = any.expect("an agent is asked only while play goes on");
        let settings = &self.settings;
        for tree in &mut self.trees {
            if !settings.reuse {
                *tree = Tree::new(settings.memory / settings.threads.max(1), tree.rng.next_u64());
            }
            tree.settle(game, pos, any);
        }
        let share = settings.limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(self.trees.len() as u64));
        let [first, others @ ..] = &mut self.trees[..] else { unreachable!("there is a tree for each thread") };
        let done = std::thread::scope(|scope| {
            let work = |tree| scope.spawn(move || grow(tree, game, settings, share, ctx, &mut |_, _| ()));
            let handles: Vec<_> = others.iter_mut().map(work).collect();
            let mut tell = |tree: &Tree<G>, done: u64| told(&thought(&[tree], done));
            let own = grow(first, game, settings, share, ctx, &mut tell);
            let theirs = handles.into_iter().map(|handle| handle.join().unwrap_or(0));
            own + theirs.sum::<u64>()
        });
        Ok(thought(&self.trees.iter().collect::<Vec<_>>(), done))
    }

    fn begin(&mut self, seed: u64) {
        self.trees = planted(&self.settings, seed);
    }
}

#[cfg(test)]
mod tests;
