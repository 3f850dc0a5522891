//! `negamax`: alpha-beta search with iterative deepening, which can be stopped at any time.
//!
//! | module | holds |
//! |---|---|
//! | `search` | principal variation search with null moves, reductions and a threat search at the horizon |
//! | `order` | move ordering: killer moves and history |
//! | `table` | the transposition table, shared by all threads |
//!
//! Wins and losses that it reports with a distance are proven, except for collisions of 64-bit hashes.

mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use crate::limits::Limits;
use crate::{Agent, Alternative, OnThought, Score, Thought};
use agon_core::{Ctx, Evaluate, Stop, Value};
use search::{INFINITE, Search, Shared, Window, proven};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use table::Table;

/// The settings of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The limits.
    pub limits: Limits,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The number of threads; with more than one, results are not deterministic.
    pub threads: usize,
    /// The number of principal variations to report.
    pub lines: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { limits: Limits::default(), memory: 64 << 20, threads: 1, lines: 1 }
    }
}

/// The alpha-beta player.
///
/// ```
/// use agon_core::{Ctx, Game, Notation, Outcome, Player};
/// use agon_games::mnk::Mnk;
/// use agon_play::{Agent, Negamax, negamax::Settings};
///
/// let game = Mnk::new(3, 3, 3);
/// let pos = game.parse("XX./OO./...").unwrap();
/// let mut agent = Negamax::new(Settings { memory: 1 << 20, ..Settings::default() });
/// let mv = agent.choose(&game, &pos, &Ctx::default()).unwrap();
/// assert_eq!(game.outcome(&game.after(&pos, mv)), Some(Outcome::Win(Player::First)));
/// ```
pub struct Negamax {
    settings: Settings,
    table: Table,
    /// The keys of the positions of this game at which it was asked.
    past: Vec<u64>,
}

/// A move of the root with its score and line.
#[derive(Clone)]
struct Rooted<M> {
    mv: M,
    score: i32,
    line: Vec<M>,
    nodes: u64,
}

/// The deepest completed iteration.
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

    /// Sets the limits of the next move.
    pub fn limit(&mut self, limits: Limits) {
        self.settings.limits = limits;
    }

    /// The share of the table that the present search has filled, in thousandths.
    #[must_use]
    pub fn filled(&self) -> u32 {
        self.table.filled()
    }
}

/// Iterative deepening; calls `on_thought` after each iteration.
fn deepen<G: Evaluate>(
    search: &mut Search<'_, G>,
    root: &G::Position,
    allowed: &dyn Fn(G::Move) -> bool,
    settings: &Settings,
    skip: u32,
    on_thought: &mut dyn FnMut(&Deepest<G::Move>, u64),
) -> Deepest<G::Move> {
    let mut pos = root.clone();
    let first = |mv| Rooted { mv, score: 0, line: vec![mv], nodes: 0 };
    let mut list: Vec<_> = search.root_moves(root).into_iter().filter(|&mv| allowed(mv)).collect();
    if list.is_empty() {
        // `Evaluate::ordered` may leave out equivalent moves.
        list = search.all_moves(root).into_iter().filter(|&mv| allowed(mv)).collect();
    }
    let moves: Vec<_> = list.into_iter().map(first).collect();
    let mut deepest = Deepest { depth: 0, moves };
    let last = settings.limits.depth.unwrap_or(search::MAX_PLY as u32 / 2);
    for depth in 1 + skip..=last {
        let mut moves = deepest.moves.clone();
        search.target = depth as usize;
        let lines = settings.lines.clamp(1, moves.len());
        for line in 0..lines {
            one_line(search, &mut pos, &mut moves[line..], depth as i32, deepest.moves[line].score);
            if search.stopped {
                // The previous best move was searched first, so a move that beat it is better.
                if line == 0 && depth > 1 && moves[0].score > -INFINITE {
                    deepest.moves = moves;
                }
                return deepest;
            }
        }
        deepest = Deepest { depth, moves };
        on_thought(&deepest, search.nodes);
        let plies = proven(deepest.moves[0].score).and_then(Value::plies);
        if plies.is_some_and(|plies| plies <= depth) && lines == 1 {
            break;
        }
    }
    deepest
}

/// Searches the moves to one depth and moves the best one to the front; the order of the others is stable, and moves
/// whose search did not complete stay where they are.
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
    /// Chooses among the allowed moves, of which there is at least one.
    pub fn think_among<G: Evaluate>(
        &mut self,
        game: &G,
        pos: &G::Position,
        allowed: &(dyn Fn(G::Move) -> bool + Sync),
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        self.table.new_generation();
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
                on_thought(&thought(deepest, nodes.max(shared.nodes.load(Relaxed)), lines));
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
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        self.think_among(game, pos, &|_| true, ctx, on_thought)
    }

    fn begin(&mut self, _seed: u64) {
        self.table.clear();
        self.past.clear();
    }
}
