//! One search from one position, by one thread.

use super::order::Order;
use super::table::{Bound, Entry, Table};
use agon_core::evaluate::MAX_EVALUATION;
use agon_core::{Ctx, Evaluate, Player, Value, Wdl};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The score of a win on the spot; a win after some plies is worth as many points less.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are wins with a distance.
const SURE: i32 = 28_000;
/// The score of a position that is won at sight, without a distance.
const WON_AT_SIGHT: i32 = 24_000;
/// Larger than every score.
pub(super) const INFINITE: i32 = 31_000;
/// No line is searched further.
pub(super) const DEEPEST: usize = 120;
/// Plies beyond the depth for which threats are followed.
const THREATS: usize = 8;

/// What a score says for sure: wins and losses with a distance.
pub(super) fn proven(score: i32) -> Option<Value> {
    match score {
        SURE.. => Some(Value::win_in((WIN - score) as u32)),
        _ if score <= -SURE => Some(Value::loss_in((WIN + score) as u32)),
        _ => None,
    }
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) ctx: &'a Ctx,
    /// Raised when the leading thread is done.
    pub(super) over: AtomicBool,
    /// Nodes of threads that are done or have looked up lately.
    pub(super) nodes: AtomicU64,
}

/// The state of one thread.
pub(super) struct Search<'a, G: Evaluate> {
    game: &'a G,
    shared: &'a Shared<'a>,
    pub(super) nodes: u64,
    counted: u64,
    /// Stop at exactly so many nodes.
    most: u64,
    pub(super) stopped: bool,
    order: Order<G::Move>,
    /// The moves still to be tried at each ply of the present line, one after the other.
    list: Vec<Ranked<G::Move>>,
    /// Keys of the game so far and of the present line.
    line: Vec<u64>,
    /// The best line found from each ply.
    pv: Vec<Vec<G::Move>>,
    /// The depth of the present iteration.
    pub(super) target: usize,
}

/// A move, its place in the game's list and its rank.
#[derive(Clone, Copy)]
struct Ranked<M> {
    mv: M,
    place: u16,
    rank: i32,
}

/// What is known about a position before its moves are tried.
struct Spot {
    key: u64,
    known: Option<Entry>,
    /// Whether the opponent is about to win.
    danger: bool,
}

/// How a node is searched.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Asks only whether the score exceeds alpha.
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
            pv: vec![Vec::new(); DEEPEST + 2],
            target: 0,
        }
    }

    /// The line that follows the move just searched from ply `ply`.
    pub(super) fn line_from(&self, ply: usize) -> &[G::Move] {
        &self.pv[ply]
    }

    /// Tells the others how many nodes there were since the last time.
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
        // Step 1: going round is worth a draw; nothing is better than winning now or worse than losing now.
        let key = self.game.hash(pos);
        if self.line.contains(&key) {
            return 0;
        }
        let window = Window { alpha: window.alpha.max(ply as i32 - WIN), beta: window.beta.min(WIN - ply as i32 - 1) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        // Step 2: what is known about the position.
        let known = if depth > 0 { self.shared.table.get(key) } else { None };
        if let Some(score) = known.and_then(|known| usable(known, depth, window, ply)) {
            return score;
        }
        // Step 3: what is seen at once.
        if let Some(mv) = self.game.win_at_sight(pos) {
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
        // Step 4: at the end of the search, the evaluation, unless the opponent is about to win.
        let followed = danger && ply < self.target + THREATS && ply < DEEPEST;
        if depth <= 0 && !followed || ply >= DEEPEST {
            return self.game.evaluate(pos).clamp(-MAX_EVALUATION, MAX_EVALUATION);
        }
        let depth = depth.max(1);
        // Step 5: if even passing is good enough, so is a move.
        if window.is_null() && !danger {
            let seems = self.game.evaluate(pos);
            if let Some(score) = self.without_moving(pos, depth, window, ply, may_pass, seems) {
                return score;
            }
        }
        self.line.push(key);
        let score = self.each_move(pos, depth, window, ply, &Spot { key, known, danger });
        self.line.pop();
        score
    }

    /// A score at or above beta that needs no move: because the position is far better, or good enough even if the
    /// opponent moves twice.
    fn without_moving(
        &mut self,
        pos: &mut G::Position,
        depth: i32,
        window: Window,
        ply: usize,
        may_pass: bool,
        seems: i32,
    ) -> Option<i32> {
        const MARGIN: i32 = 120;
        if window.beta.abs() >= MAX_EVALUATION || seems < window.beta {
            return None;
        }
        if depth <= 3 && seems - MARGIN * depth >= window.beta {
            return Some(seems);
        }
        if depth < 3 || !may_pass || !self.game.pass(pos) {
            return None;
        }
        let less = 3 + depth / 4;
        let score =
            -self.node(pos, depth - less, Window { alpha: -window.beta, beta: 1 - window.beta }, ply + 1, false, None);
        self.game.pass(pos);
        // A win after passing is no proof: the opponent may not be allowed to pass.
        (!self.stopped && score >= window.beta).then_some(score.min(MAX_EVALUATION))
    }

    /// Tries the moves one after the other.
    fn each_move(&mut self, pos: &mut G::Position, depth: i32, window: Window, ply: usize, spot: &Spot) -> i32 {
        let begin = self.list.len();
        let end = self.rank(pos, ply, spot.known.map(|known| known.place));
        let side = self.game.turn(pos) as usize;
        let (mut best, mut alpha, mut place) = (-INFINITE, window.alpha, 0);
        let most = if G::SELECTIVE && window.is_null() && !spot.danger { enough(depth) } else { usize::MAX };
        for tried in 0..end - begin {
            // What loses must be looked at to the last move, or nothing is proven.
            if tried >= most && best > -SURE {
                break;
            }
            let Ranked { mv, place: here, .. } = self.next(begin + tried, end, tried);
            let now = Window { alpha, beta: window.beta };
            let score = if tried == 0 {
                self.follow(pos, mv, depth, now, ply + 1, 0)
            } else {
                let less = if spot.danger { 0 } else { reduction(depth, tried, now.is_null()) };
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
                (best, place) = (score, here);
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= window.beta {
                let earlier = self.list[begin..begin + tried].iter().map(|ranked| ranked.mv);
                self.order.good(mv, earlier, side, depth, ply);
                break;
            }
        }
        self.list.truncate(begin);
        if !self.stopped {
            let bound = match best {
                _ if best >= window.beta => Bound::Least,
                _ if best > window.alpha => Bound::Exact,
                _ => Bound::Most,
            };
            let entry = Entry { score: from_here(best, ply), depth: depth.min(255) as u8, bound, place };
            self.shared.table.put(spot.key, entry);
        }
        best
    }

    /// Lists the moves with their ranks behind those of earlier plies; says where the list ends.
    fn rank(&mut self, pos: &G::Position, ply: usize, first: Option<u16>) -> usize {
        let side = self.game.turn(pos) as usize;
        let (list, order) = (&mut self.list, &self.order);
        let mut place = 0;
        self.game.ordered(pos, &mut |mv, promise| {
            let rank = if first == Some(place) { i32::MAX } else { order.rank(mv, promise, side, ply) };
            list.push(Ranked { mv, place, rank });
            place = place.saturating_add(1);
        });
        self.list.len()
    }

    /// The best of the moves from `at` to `end`, brought to `at`. After a few have been looked for one by one, the rest
    /// is sorted.
    #[inline]
    fn next(&mut self, at: usize, end: usize, tried: usize) -> Ranked<G::Move> {
        const ONE_BY_ONE: usize = 4;
        let rest = &mut self.list[at..end];
        match tried {
            0..ONE_BY_ONE => {
                let best = (0..rest.len()).max_by_key(|&i| (rest[i].rank, std::cmp::Reverse(rest[i].place)));
                rest.swap(0, best.expect("there is a move left"));
            }
            ONE_BY_ONE => rest.sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.rank), ranked.place)),
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

    /// The moves of the root in the order of their promise.
    pub(super) fn root_moves(&mut self, pos: &G::Position) -> Vec<G::Move> {
        let key = self.game.hash(pos);
        let known = self.shared.table.get(key).map(|known| known.place);
        let end = self.rank(pos, 0, known);
        self.list[..end].sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        self.list.drain(..).map(|ranked| ranked.mv).collect()
    }

    /// Every legal move, in no order.
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

/// The score of a play that is over after `ply` plies.
#[inline]
fn finished(result: Wdl, ply: usize) -> i32 {
    match result {
        Wdl::Win => WIN - ply as i32,
        Wdl::Draw => 0,
        Wdl::Loss => ply as i32 - WIN,
    }
}

/// How many moves of a quiet position are enough that far from the end of the search.
fn enough(depth: i32) -> usize {
    match depth {
        ..=1 => 10,
        2 => 20,
        3 => 36,
        _ => usize::MAX,
    }
}

/// By how much less deep a move is searched that is not among the first: about a logarithm of both.
fn reduction(depth: i32, tried: usize, null: bool) -> i32 {
    if depth < 2 || tried < 3 {
        return 0;
    }
    let product = depth.ilog2() as i32 * tried.ilog2() as i32;
    (product + 1) / 3 + i32::from(null && tried > 8 && depth > 2)
}

/// The score of a known position, where it settles the question.
fn usable(known: Entry, depth: i32, window: Window, ply: usize) -> Option<i32> {
    let score = seen_from_root(known.score, ply);
    let sure = score.abs() >= SURE;
    let settles = match known.bound {
        Bound::Exact => window.is_null(),
        Bound::Least => score >= window.beta,
        Bound::Most => score <= window.alpha,
    };
    // What is proven holds at any depth.
    let holds = if score > 0 { known.bound != Bound::Most } else { known.bound != Bound::Least };
    let deep = i32::from(known.depth) >= depth || sure && holds;
    (settles && deep).then_some(score)
}

/// Wins are counted from the root in the search, from the position in the table.
fn from_here(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let moved = match score {
        SURE.. => score + ply,
        _ if score <= -SURE => score - ply,
        _ => score,
    };
    moved as i16
}

fn seen_from_root(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        SURE.. => score - ply,
        _ if score <= -SURE => score + ply,
        _ => score,
    }
}
