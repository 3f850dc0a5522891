//! One search from one position, by one thread.

use super::order::Order;
use super::table::{Bound, Entry, Table};
use agon_core::evaluate::MAX_EVALUATION;
use agon_core::{Ctx, Evaluate, Player, Value, Wdl};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The score of an immediate win; a win in n plies scores n points less.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are wins with a distance, which are proven.
const MIN_PROVEN: i32 = 28_000;
/// The score of a position that `Guide::bounds` proves won, without a distance.
const WON_AT_SIGHT: i32 = 24_000;
/// Above every score.
pub(super) const INFINITE: i32 = 31_000;
/// The ply limit of a line.
pub(super) const MAX_PLY: usize = 120;
/// The plies beyond the nominal depth in which threats are searched.
const MAX_THREAT_PLIES: usize = 8;

/// The proven value of a score: a win or loss with a distance.
pub(super) fn proven(score: i32) -> Option<Value> {
    match score {
        MIN_PROVEN.. => Some(Value::win_in((WIN - score) as u32)),
        _ if score <= -MIN_PROVEN => Some(Value::loss_in((WIN + score) as u32)),
        _ => None,
    }
}

/// Data that the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) ctx: &'a Ctx,
    /// Set when the main thread is done.
    pub(super) over: AtomicBool,
    /// The nodes that threads have reported.
    pub(super) nodes: AtomicU64,
}

/// The state of one thread.
pub(super) struct Search<'a, G: Evaluate> {
    game: &'a G,
    shared: &'a Shared<'a>,
    pub(super) nodes: u64,
    counted: u64,
    /// The exact node limit.
    most: u64,
    pub(super) stopped: bool,
    order: Order<G::Move>,
    /// A stack of the moves to try at each ply of the current line.
    list: Vec<Ranked<G::Move>>,
    /// The keys of the game so far and of the current line.
    line: Vec<u64>,
    /// The principal variation from each ply.
    pv: Vec<Vec<G::Move>>,
    /// The nominal depth of the current iteration.
    pub(super) target: usize,
}

/// A move, its index in the game's list and its ordering score.
#[derive(Clone, Copy)]
struct Ranked<M> {
    mv: M,
    move_index: u16,
    rank: i32,
}

/// The facts about a position before its moves are searched.
struct NodeInfo {
    key: u64,
    known: Option<Entry>,
    /// True if the opponent threatens to win.
    danger: bool,
}

/// The search window of a node.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// A null window: it tests whether the score exceeds alpha.
    fn null(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

impl<'a, G: Evaluate> Search<'a, G> {
    pub(super) fn new(game: &'a G, shared: &'a Shared<'a>, past: &[u64], most: u64) -> Search<'a, G> {
        Search {
            game,
            shared,
            nodes: 0,
            counted: 0,
            most,
            stopped: false,
            order: Order::new(),
            list: Vec::new(),
            line: past.to_vec(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            target: 0,
        }
    }

    /// The line that follows the move just searched from ply `ply`.
    pub(super) fn line_from(&self, ply: usize) -> &[G::Move] {
        &self.pv[ply]
    }

    /// Reports the nodes since the last report to the shared counter.
    pub(super) fn report(&mut self) {
        let new = self.nodes - self.counted;
        self.counted = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed);
        self.shared.ctx.count(new);
    }

    #[inline]
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            self.report();
            self.stopped |= self.shared.over.load(Relaxed) || self.shared.ctx.check().is_err();
        }
        self.stopped |= self.nodes >= self.most;
    }

    /// Plays `mv`, which leads to ply `ply`, and searches what follows; the score is that of the mover. Unless the move
    /// threatens to win, it is searched `reduction` plies less deep.
    fn follow(
        &mut self,
        pos: &mut G::Position,
        mv: G::Move,
        depth: i32,
        window: Window,
        ply: usize,
        reduction: i32,
    ) -> i32 {
        if self.stopped {
            return 0;
        }
        let mover = self.game.turn(pos);
        let undo = self.game.play(pos, mv);
        let score = if let Some(outcome) = self.game.ended(pos, mv) {
            self.count();
            self.pv[ply].clear();
            finished(outcome.seen_by(mover), ply)
        } else if reduction > 0 {
            let danger = self.game.in_danger(pos);
            let less = if danger { 0 } else { reduction };
            self.child(pos, mover, depth - 1 - less, window, ply, Some(danger))
        } else {
            self.child(pos, mover, depth - 1, window, ply, None)
        };
        self.game.undo(pos, mv, undo);
        score
    }

    /// The score of an unfinished position for `mover`, who has just moved there.
    #[inline]
    fn child(
        &mut self,
        pos: &mut G::Position,
        mover: Player,
        depth: i32,
        window: Window,
        ply: usize,
        danger: Option<bool>,
    ) -> i32 {
        if !G::ALTERNATES && self.game.turn(pos) == mover {
            self.node(pos, depth, window, ply, true, danger)
        } else {
            -self.node(pos, depth, window.flip(), ply, true, danger)
        }
    }

    /// The score of an unfinished position at ply `ply` for its mover.
    fn node(
        &mut self,
        pos: &mut G::Position,
        depth: i32,
        window: Window,
        ply: usize,
        may_pass: bool,
        danger: Option<bool>,
    ) -> i32 {
        self.pv[ply].clear();
        self.count();
        if self.stopped {
            return 0;
        }
        // Step 1: a repetition is a draw; mate-distance pruning.
        let key = self.game.hash(pos);
        if self.line.contains(&key) {
            return 0;
        }
        let window = Window { alpha: window.alpha.max(ply as i32 - WIN), beta: window.beta.min(WIN - ply as i32 - 1) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        // Step 2: transposition table.
        let known = if depth > 0 { self.shared.table.get(key) } else { None };
        if let Some(score) = known.and_then(|known| cutoff_score(known, depth, window, ply)) {
            return score;
        }
        // Step 3: proven bounds and immediate wins.
        if let Some(mv) = self.game.immediate_win(pos) {
            self.pv[ply].push(mv);
            return WIN - ply as i32 - 1;
        }
        if let Some(wdl) = self.game.bounds(pos).value() {
            return match wdl {
                Wdl::Win => WON_AT_SIGHT - ply as i32,
                Wdl::Draw => 0,
                Wdl::Loss => ply as i32 - WON_AT_SIGHT,
            };
        }
        let danger = danger.unwrap_or_else(|| self.game.in_danger(pos));
        // Step 4: at the horizon, the evaluation, unless the opponent threatens to win.
        let followed = danger && ply < self.target + MAX_THREAT_PLIES && ply < MAX_PLY;
        if depth <= 0 && !followed || ply >= MAX_PLY {
            return self.game.evaluate(pos).clamp(-MAX_EVALUATION, MAX_EVALUATION);
        }
        let depth = depth.max(1);
        // Step 5: reverse futility and null-move pruning.
        if window.is_null() && !danger {
            let eval = self.game.evaluate(pos);
            if let Some(score) = self.prune(pos, depth, window, ply, may_pass, eval) {
                return score;
            }
        }
        self.line.push(key);
        let score = self.each_move(pos, depth, window, ply, &NodeInfo { key, known, danger });
        self.line.pop();
        score
    }

    /// A score at or above beta without a move, by reverse futility or null-move pruning.
    fn prune(
        &mut self,
        pos: &mut G::Position,
        depth: i32,
        window: Window,
        ply: usize,
        may_pass: bool,
        eval: i32,
    ) -> Option<i32> {
        const MARGIN: i32 = 120;
        if window.beta.abs() >= MAX_EVALUATION || eval < window.beta {
            return None;
        }
        if depth <= 3 && eval - MARGIN * depth >= window.beta {
            return Some(eval);
        }
        if depth < 3 || !may_pass || !self.game.pass(pos) {
            return None;
        }
        let less = 3 + depth / 4;
        let score =
            -self.node(pos, depth - less, Window { alpha: -window.beta, beta: 1 - window.beta }, ply + 1, false, None);
        self.game.pass(pos);
        // A win after a null move is no proof, since the rules may not allow a pass.
        (!self.stopped && score >= window.beta).then_some(score.min(MAX_EVALUATION))
    }

    /// Searches the moves in order.
    fn each_move(&mut self, pos: &mut G::Position, depth: i32, window: Window, ply: usize, info: &NodeInfo) -> i32 {
        let begin = self.list.len();
        let end = self.rank(pos, ply, info.known.map(|known| known.move_index));
        let side = self.game.turn(pos) as usize;
        let (mut best, mut alpha, mut move_index) = (-INFINITE, window.alpha, 0);
        let most = if G::SELECTIVE && window.is_null() && !info.danger { max_quiet_moves(depth) } else { usize::MAX };
        for tried in 0..end - begin {
            // A loss is proven only if every move is searched.
            if tried >= most && best > -MIN_PROVEN {
                break;
            }
            let Ranked { mv, move_index: here, .. } = self.next(begin + tried, end, tried);
            let now = Window { alpha, beta: window.beta };
            let score = if tried == 0 {
                self.follow(pos, mv, depth, now, ply + 1, 0)
            } else {
                let less = if info.danger { 0 } else { reduction(depth, tried, now.is_null()) };
                let mut score = self.follow(pos, mv, depth, now.null(), ply + 1, less);
                if score > alpha && less > 0 {
                    score = self.follow(pos, mv, depth, now.null(), ply + 1, 0);
                }
                if score > alpha && score < window.beta {
                    score = self.follow(pos, mv, depth, now, ply + 1, 0);
                }
                score
            };
            if self.stopped {
                break;
            }
            if score > best {
                (best, move_index) = (score, here);
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= window.beta {
                let earlier = self.list[begin..begin + tried].iter().map(|ranked| ranked.mv);
                self.order.cutoff(mv, earlier, side, depth, ply);
                break;
            }
        }
        self.list.truncate(begin);
        if !self.stopped {
            let bound = match best {
                _ if best >= window.beta => Bound::Lower,
                _ if best > window.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry { score: to_table(best, ply), depth: depth.min(255) as u8, bound, move_index };
            self.shared.table.put(info.key, entry);
        }
        best
    }

    /// Pushes the moves with their ordering scores onto the stack; returns the end of the list.
    fn rank(&mut self, pos: &G::Position, ply: usize, first: Option<u16>) -> usize {
        let side = self.game.turn(pos) as usize;
        let (list, order) = (&mut self.list, &self.order);
        let mut move_index = 0;
        self.game.ordered(pos, &mut |mv, score| {
            let rank = if first == Some(move_index) { i32::MAX } else { order.rank(mv, score, side, ply) };
            list.push(Ranked { mv, move_index, rank });
            move_index = move_index.saturating_add(1);
        });
        self.list.len()
    }

    /// Selects the best of the moves from `at` to `end` and swaps it to `at`. After a few selections, the rest is
    /// sorted.
    #[inline]
    fn next(&mut self, at: usize, end: usize, tried: usize) -> Ranked<G::Move> {
        const SELECTIONS: usize = 4;
        let rest = &mut self.list[at..end];
        match tried {
            0..SELECTIONS => {
                let best = (0..rest.len()).max_by_key(|&i| (rest[i].rank, std::cmp::Reverse(rest[i].move_index)));
                rest.swap(0, best.expect("there is a move left"));
            }
            SELECTIONS => rest.sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.rank), ranked.move_index)),
            _ => {}
        }
        rest[0]
    }

    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (here, deeper) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&deeper[0]);
    }

    /// The moves of the root, by ordering score.
    pub(super) fn root_moves(&mut self, pos: &G::Position) -> Vec<G::Move> {
        let key = self.game.hash(pos);
        let known = self.shared.table.get(key).map(|known| known.move_index);
        let end = self.rank(pos, 0, known);
        self.list[..end].sort_by_cached_key(|ranked| std::cmp::Reverse(ranked.rank));
        self.list.drain(..).map(|ranked| ranked.mv).collect()
    }

    /// Every legal move, unordered.
    pub(super) fn all_moves(&self, pos: &G::Position) -> Vec<G::Move> {
        agon_core::collect_moves(self.game, pos)
    }

    /// Searches one move of the root; the score is that of the mover. The first one tried is expected to be best.
    pub(super) fn root_move(
        &mut self,
        pos: &mut G::Position,
        mv: G::Move,
        depth: i32,
        window: Window,
        tried: usize,
    ) -> i32 {
        let key = self.game.hash(pos);
        self.line.push(key);
        let score = if tried == 0 {
            self.follow(pos, mv, depth, window, 1, 0)
        } else {
            let less = reduction(depth, tried, false);
            let mut score = self.follow(pos, mv, depth, window.null(), 1, less);
            if score > window.alpha && less > 0 {
                score = self.follow(pos, mv, depth, window.null(), 1, 0);
            }
            if score > window.alpha {
                score = self.follow(pos, mv, depth, window, 1, 0);
            }
            score
        };
        self.line.pop();
        score
    }
}

/// The score of a game that ends at ply `ply`.
#[inline]
fn finished(result: Wdl, ply: usize) -> i32 {
    match result {
        Wdl::Win => WIN - ply as i32,
        Wdl::Draw => 0,
        Wdl::Loss => ply as i32 - WIN,
    }
}

/// The number of moves searched in a quiet position at a depth (late-move pruning).
fn max_quiet_moves(depth: i32) -> usize {
    match depth {
        ..=1 => 10,
        2 => 20,
        3 => 36,
        _ => usize::MAX,
    }
}

/// The late-move reduction in plies: about the product of the logarithms of depth and move number.
fn reduction(depth: i32, tried: usize, null: bool) -> i32 {
    if depth < 2 || tried < 3 {
        return 0;
    }
    let product = depth.ilog2() as i32 * tried.ilog2() as i32;
    (product + 1) / 3 + i32::from(null && tried > 8 && depth > 2)
}

/// The score of a table entry, if it causes a cutoff.
fn cutoff_score(known: Entry, depth: i32, window: Window, ply: usize) -> Option<i32> {
    let score = from_table(known.score, ply);
    let proven = score.abs() >= MIN_PROVEN;
    let cuts = match known.bound {
        Bound::Exact => window.is_null(),
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    // A proven score holds at any depth.
    let holds = if score > 0 { known.bound != Bound::Upper } else { known.bound != Bound::Lower };
    let deep = i32::from(known.depth) >= depth || proven && holds;
    (cuts && deep).then_some(score)
}

/// Converts a score for the table. In the search, distances of wins count from the root; in the table, from the
/// position.
fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let moved = match score {
        MIN_PROVEN.. => score + ply,
        _ if score <= -MIN_PROVEN => score - ply,
        _ => score,
    };
    moved as i16
}

/// The inverse of [`to_table`].
fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        MIN_PROVEN.. => score - ply,
        _ if score <= -MIN_PROVEN => score + ply,
        _ => score,
    }
}
