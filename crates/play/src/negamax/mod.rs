//! `negamax`: looks ahead, deeper and deeper, and can be stopped at any time.
//!
//! | module | holds |
//! |---|---|
//! | `search` | one search: principal variation, null move, reductions, threats at the end |
//! | `order` | which moves to try first |
//! | `table` | what threads remember together |
//!
//! Wins and losses it reports with a distance are proven, but for two positions that share a number of 64 bits.

mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use crate::limits::Limits;
use crate::{Agent, Alternative, Score, Thought, Told};
use agon_core::{Ctx, Evaluate, Stop, Value};
use search::{INFINITE, Search, Shared, Window, proven};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use table::Table;

/// How a search is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// When to stop.
    pub limits: Limits,
    /// Bytes of the table.
    pub memory: usize,
    /// Threads; with more than one, results do not repeat exactly.
    pub threads: usize,
    /// Moves of the root whose lines are wanted.
    pub lines: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { limits: Limits::default(), memory: 64 << 20, threads: 1, lines: 1 }
    }
}

/// Searches with iterative deepening.
pub struct Negamax {
    settings: Settings,
    table: Table,
    /// Keys of positions of this game, as far as it was asked about them.
    past: Vec<u64>,
}

/// A move of the root and what became of it.
#[derive(Clone)]
struct Rooted<M> {
    mv: M,
    score: i32,
    line: Vec<M>,
    nodes: u64,
}

/// The deepest search so far.
struct Deepest<M> {
    depth: u32,
    moves: Vec<Rooted<M>>,
}

impl Negamax {
    /// A player with an empty table.
    #[must_use]
    pub fn new(settings: Settings) -> Negamax {
        Negamax { settings, table: Table::new(settings.memory), past: Vec::new() }
    }

    /// Other limits, for the next move.
    pub fn limit(&mut self, limits: Limits) {
        self.settings.limits = limits;
    }

    /// The share of the table that the present search has filled, in thousandths.
    #[must_use]
    pub fn filled(&self) -> u32 {
        self.table.filled()
    }
}

/// Goes deeper and deeper; `told` after each depth.
fn deepen<G: Evaluate>(
    search: &mut Search<'_, G>,
    root: &G::Position,
    allowed: &dyn Fn(G::Move) -> bool,
    settings: &Settings,
    skip: u32,
    told: &mut dyn FnMut(&Deepest<G::Move>, u64),
) -> Deepest<G::Move> {
    let mut pos = root.clone();
    let first = |mv| Rooted { mv, score: 0, line: vec![mv], nodes: 0 };
    let mut list: Vec<_> = search.root_moves(root).into_iter().filter(|&mv| allowed(mv)).collect();
    if list.is_empty() {
        // The game orders only some of several equal moves.
        list = search.all_moves(root).into_iter().filter(|&mv| allowed(mv)).collect();
    }
    let moves: Vec<_> = list.into_iter().map(first).collect();
    let mut deepest = Deepest { depth: 0, moves };
    let last = settings.limits.depth.unwrap_or(search::DEEPEST as u32 / 2);
    for depth in 1 + skip..=last {
        let mut moves = deepest.moves.clone();
        search.target = depth as usize;
        let lines = settings.lines.clamp(1, moves.len());
        for line in 0..lines {
            one_line(search, &mut pos, &mut moves[line..], depth as i32, deepest.moves[line].score);
            if search.stopped {
                // The first move was searched again before any other, so a better one is better.
                if line == 0 && depth > 1 && moves[0].score > -INFINITE {
                    deepest.moves = moves;
                }
                return deepest;
            }
        }
        deepest = Deepest { depth, moves };
        told(&deepest, search.nodes);
        let plies = proven(deepest.moves[0].score).and_then(Value::plies);
        if plies.is_some_and(|plies| plies <= depth) && lines == 1 {
            break;
        }
    }
    deepest
}

/// Searches the moves to one depth and brings the best to the front, the others after it as they were. What was not
/// searched to the end keeps its place.
fn one_line<G: Evaluate>(
    search: &mut Search<'_, G>,
    pos: &mut G::Position,
    moves: &mut [Rooted<G::Move>],
    depth: i32,
    expected: i32,
) {
    let mut margin = if depth < 4 { 2 * INFINITE } else { 40 };
    let mut window = Window { alpha: (expected - margin).max(-INFINITE), beta: (expected + margin).min(INFINITE) };
    loop {
        let (mut alpha, mut best) = (window.alpha, None);
        for (tried, rooted) in moves.iter_mut().enumerate() {
            let before = search.nodes;
            let score = search.root_move(pos, rooted.mv, depth, Window { alpha, ..window }, tried);
            if search.stopped {
                break;
            }
            rooted.nodes = search.nodes - before;
            if score > alpha || tried == 0 {
                rooted.score = score;
                rooted.line = [&[rooted.mv][..], search.line_from(1)].concat();
            }
            if score > alpha {
                (alpha, best) = (score, Some(tried));
            }
            if alpha >= window.beta {
                break;
            }
        }
        if let Some(best) = best {
            moves[..=best].rotate_right(1);
        }
        let score = moves[0].score;
        if search.stopped || score > window.alpha && score < window.beta {
            return;
        }
        margin = margin.saturating_mul(3);
        if score <= window.alpha {
            window.alpha = (score - margin).max(-INFINITE);
        } else {
            window.beta = (score + margin).min(INFINITE);
        }
    }
}

fn thought<M: Copy>(deepest: &Deepest<M>, nodes: u64, lines: usize) -> Thought<M> {
    let best = &deepest.moves[0];
    let known = |rooted: &Rooted<M>| Alternative {
        pv: rooted.line.clone(),
        score: Score::Points(rooted.score),
        visits: rooted.nodes,
        proven: proven(rooted.score),
    };
    Thought {
        mv: best.mv,
        score: Some(Score::Points(best.score)),
        depth: deepest.depth,
        nodes,
        pv: best.line.clone(),
        proven: if deepest.depth == 0 { None } else { proven(best.score) },
        alternatives: deepest.moves.iter().take(lines).map(known).collect(),
    }
}

impl Negamax {
    /// Chooses among the moves allowed, of which there is one.
    pub fn think_among<G: Evaluate>(
        &mut self,
        game: &G,
        pos: &G::Position,
        allowed: &(dyn Fn(G::Move) -> bool + Sync),
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        self.table.grow_older();
        let (settings, past) = (self.settings, &self.past);
        let shared = Shared { table: &self.table, ctx, over: AtomicBool::new(false), nodes: AtomicU64::new(0) };
        let most = settings.limits.nodes.unwrap_or(u64::MAX);
        let last = std::thread::scope(|scope| {
            for helper in 1..settings.threads as u32 {
                let shared = &shared;
                scope.spawn(move || {
                    let mut search = Search::new(game, shared, past, u64::MAX);
                    let quiet = Settings { lines: 1, ..settings };
                    deepen(&mut search, pos, allowed, &quiet, helper % 2, &mut |_, _| ());
                    search.report();
                });
            }
            let mut search = Search::new(game, &shared, past, most);
            let lines = settings.lines;
            let mut tell = |deepest: &Deepest<G::Move>, nodes: u64| {
                told(&thought(deepest, nodes.max(shared.nodes.load(Relaxed)), lines));
            };
            let last = deepen(&mut search, pos, allowed, &settings, 0, &mut tell);
            shared.over.store(true, Relaxed);
            search.report();
            last
        });
        let nodes = shared.nodes.load(Relaxed);
        self.past.push(game.hash(pos));
        Ok(thought(&last, nodes, settings.lines))
    }
}

impl<G: Evaluate> Agent<G> for Negamax {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        self.think_among(game, pos, &|_| true, ctx, told)
    }

    fn begin(&mut self, _seed: u64) {
        self.table.clear();
        self.past.clear();
    }
}
