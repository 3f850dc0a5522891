//! Finds explanations: asks a solver for the values of moves, and follows its best moves.

use super::{Cut, Ends, Explanation, Left, Limits, Line, Node, Shown};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Game, Player, Solution, Stop, Wdl, collect_moves, moves_again};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The node limit of the first round; each round has four times the limit of the one before.
const FIRST_ROUND: u64 = 1 << 18;

/// The share of the time and nodes for the values of moves; the rest is for trees and lines.
const FOR_VALUES: f64 = 0.6;

/// A position with more moves than this shows some of them.
const MANY_MOVES: usize = 1000;

/// A line of best play has at most that many moves.
const LONGEST_LINE: usize = 200;

/// Explains a position. `table` says that the solver needs a table of all positions before its first answer, so that it
/// is pointless to ask again after it was stopped once.
///
/// ```
/// use agon_core::{Ctx, Game, Wdl, toy::Pile};
/// use agon_solve::AlphaBeta;
/// use agon_solve::explain::{Limits, Shown, explain};
///
/// let game = Pile::new(4); // a move takes one or two counters; the player who takes the last one wins
/// let mut solver = AlphaBeta::new(1 << 20);
/// let why = explain(&game, &game.start(), &mut solver, false, &Limits::default(), &Ctx::default()).unwrap();
/// assert_eq!((why.root.value.value(), why.root.plies), (Some(Wdl::Win), Some(3)));
/// let (taken, three_left) = &why.root.moves[0];
/// assert_eq!((*taken, three_left.shown, three_left.moves.len()), (1, Shown::Every, 2)); // both replies are answered
/// assert_eq!(why.lines[1].moves, [2, 2]); // taking two loses: the opponent takes the rest
/// ```
pub fn explain<G: Game>(
    game: &G,
    pos: &G::Position,
    solver: &mut dyn Solver<G>,
    table: bool,
    limits: &Limits,
    ctx: &Ctx,
) -> Result<Explanation<G::Position, G::Move>, Failed> {
    let (proving, drafts) = (ctx.share(FOR_VALUES), Vec::new());
    let mut work = Work { game, solver, limits, ctx, proving, known: FxHashMap::default(), failed: None, drafts };
    if game.outcome(pos).is_some() {
        let known = work.proven(pos);
        work.add(pos.clone(), known, 0);
        return Ok(work.explanation(Vec::new(), 0));
    }
    let moves = work.root(pos, table)?;
    let lines = work.trees(&moves)?;
    if ctx.check() == Err(Stop::Interrupted) {
        return Err(Stop::Interrupted.into());
    }
    let left_out = game.count_moves(pos).saturating_sub(moves.list.len()) as u64;
    Ok(work.explanation(lines, left_out))
}

/// A position of the tree, whose children are known by index.
struct Draft<G: Game> {
    position: G::Position,
    value: Bounds,
    plies: Option<u32>,
    shown: Shown,
    moves: Vec<(G::Move, usize)>,
    depth: u32,
}

/// The moves of the root.
struct Moves<M> {
    /// Each move with its value for its mover, and the plies to the end.
    list: Vec<(M, Bounds, Option<u32>)>,
    /// The best of them, if the value is proven.
    best: Option<usize>,
}

struct Work<'a, G: Game> {
    game: &'a G,
    solver: &'a mut dyn Solver<G>,
    limits: &'a Limits,
    ctx: &'a Ctx,
    /// A part of the context, for the values of moves.
    proving: Ctx,
    /// The answers of the solver.
    known: FxHashMap<G::Position, Solution<G::Move>>,
    /// The first failure that stopped it.
    failed: Option<Failed>,
    drafts: Vec<Draft<G>>,
}

impl<G: Game> Work<'_, G> {
    /// Asks the solver about a position. Fails only if the solver's data are damaged, or if the work is interrupted.
    fn ask(&mut self, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let (game, before) = (self.game, self.proven(pos));
        if game.outcome(pos).is_some() || before.value.value().is_some() && before.stopped.is_none() {
            return Ok(before);
        }
        let open = |stop| Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: Some(stop) };
        let mut answer = match self.solver.solve(game, pos, ctx) {
            Ok(answer) => answer,
            Err(Failed::Stopped(stop)) => open(stop),
            Err(why @ (Failed::NoMemory { .. } | Failed::OutOfRange { .. })) => {
                self.failed.get_or_insert(why);
                open(Stop::Memory)
            }
            Err(why) => return Err(why),
        };
        if answer.stopped == Some(Stop::Interrupted) {
            return Err(Stop::Interrupted.into());
        }
        answer.value = answer.value.and(before.value).expect("two proofs contradict each other");
        if answer.value.value().is_none() {
            (answer.plies, answer.best) = (None, None);
        }
        self.known.insert(pos.clone(), answer.clone());
        Ok(answer)
    }

    /// Returns what the solver has proven about a position so far.
    fn proven(&self, pos: &G::Position) -> Solution<G::Move> {
        let outcome = self.game.outcome(pos).map(|outcome| outcome.seen_by(self.game.turn(pos)));
        let value = outcome.map_or(Bounds::UNKNOWN, Bounds::exactly);
        let unasked = Solution { value, plies: outcome.map(|_| 0), best: None, nodes: 0, stopped: None };
        self.known.get(pos).cloned().unwrap_or(unasked)
    }

    /// Values the root and its moves, and adds both to the tree.
    fn root(&mut self, pos: &G::Position, table: bool) -> Result<Moves<G::Move>, Failed> {
        let (game, ctx) = (self.game, self.proving.clone());
        let many = game.count_moves(pos) > MANY_MOVES;
        let first = self.ask(pos, &ctx.sub_budget(if table { u64::MAX } else { FIRST_ROUND }))?;
        let moves = if many { first.best.into_iter().collect() } else { collect_moves(game, pos) };
        let children: Vec<G::Position> = moves.iter().map(|&mv| game.after(pos, mv)).collect();
        self.ask_in_rounds(pos, &children, table, &ctx)?;
        let solution = self.proven(pos);
        let mut list = Vec::new();
        for (&mv, child) in moves.iter().zip(&children) {
            let (after, again) = (self.proven(child), moves_again(game, pos, child));
            let mut worth = after.value.to_parent_with(again);
            let mut plies = after.plies.filter(|_| after.value.value().is_some()).map(|plies| plies + 1);
            // A best move is worth as much as the position, and so is every move of a lost one.
            if solution.best == Some(mv) && solution.value.value().is_some() {
                worth = worth.and(solution.value).expect("two proofs contradict each other");
                plies = plies.or(solution.plies);
            } else if solution.value.hi == Wdl::Loss {
                worth = Bounds::exactly(Wdl::Loss);
            }
            list.push((mv, worth, plies));
        }
        let lo = list.iter().map(|(_, worth, _)| worth.lo).max().unwrap_or(Wdl::Loss);
        let hi = list.iter().map(|(_, worth, _)| worth.hi).max().filter(|_| !many).unwrap_or(Wdl::Win);
        let value = solution.value.and(Bounds { lo, hi }).expect("two proofs contradict each other");
        let best = value.value().and_then(|value| best(&list, value, solution.best));
        // The distance of the best move is that of the position only if no other move can be better.
        let measured = !many && list.iter().all(|(_, worth, plies)| *worth != value || plies.is_some());
        let plies = solution.plies.or_else(|| best.filter(|_| measured).and_then(|best| list[best].2));
        let shown = if many { Shown::Some } else { Shown::Every };
        self.drafts.push(Draft { position: pos.clone(), value, plies, shown, moves: Vec::new(), depth: 0 });
        for (child, &(mv, worth, plies)) in children.into_iter().zip(&list) {
            let mut known = self.proven(&child);
            known.value = worth.to_parent_with(moves_again(game, pos, &child));
            known.plies = plies.map(|plies| plies - 1);
            let at = self.add(child, known, 1);
            self.drafts[0].moves.push((mv, at));
        }
        Ok(Moves { list, best })
    }

    /// Asks about a position and its children until all of them are valued or the context stops.
    fn ask_in_rounds(
        &mut self,
        pos: &G::Position,
        children: &[G::Position],
        table: bool,
        ctx: &Ctx,
    ) -> Result<(), Failed> {
        let mut nodes = if table { u64::MAX } else { FIRST_ROUND };
        loop {
            let mut open = false;
            for (i, pos) in std::iter::once(pos).chain(children).enumerate() {
                let share = if i == 0 { nodes } else { nodes / children.len() as u64 };
                // More nodes do not help where memory is short.
                if let Some(Stop::Nodes | Stop::Time) = self.ask(pos, &ctx.sub_budget(share))?.stopped {
                    open = true;
                    if table || ctx.check().is_err() {
                        return Ok(());
                    }
                }
            }
            if !open {
                return Ok(());
            }
            ctx.progress("valuing moves", 0, None);
            nodes = nodes.saturating_mul(4);
        }
    }

    /// Adds a position without moves.
    fn add(&mut self, position: G::Position, known: Solution<G::Move>, depth: u32) -> usize {
        let shown = match self.game.outcome(&position) {
            Some(outcome) => Shown::End(outcome),
            None if known.value.value().is_some() => Shown::Proven(Left::Enough),
            None => Shown::Open,
        };
        let Solution { value, plies, .. } = known;
        self.drafts.push(Draft { position, value, plies, shown, moves: Vec::new(), depth });
        self.drafts.len() - 1
    }

    /// Adds the position after a move that keeps the value.
    fn extend(&mut self, at: usize, mv: G::Move) -> Result<usize, Failed> {
        let (ctx, Draft { position, value, depth, .. }) = (self.ctx, &self.drafts[at]);
        let (after, depth) = (self.game.after(position, mv), depth + 1);
        let implied = value.to_parent_with(moves_again(self.game, position, &after));
        let mut known = self.ask(&after, ctx)?;
        known.value = known.value.and(implied).expect("two proofs contradict each other");
        let child = self.add(after, known, depth);
        self.drafts[at].moves.push((mv, child));
        Ok(child)
    }

    /// Unrolls the best move, if it wins, and every move that loses; shows the answer to each move that draws. Returns
    /// the lines of the best move and of those that lose.
    fn trees(&mut self, moves: &Moves<G::Move>) -> Result<Vec<Line<G::Move>>, Failed> {
        let mover = self.game.turn(&self.drafts[0].position);
        let lost = |i: usize| moves.list[i].1.value() == Some(Wdl::Loss);
        let mut chosen: Vec<usize> = (0..moves.list.len()).filter(|&i| lost(i)).collect();
        if let Some(best) = moves.best.filter(|&best| !lost(best)) {
            chosen.insert(0, best);
        }
        let mut lines = Vec::new();
        for &i in &chosen {
            lines.push(self.line(moves.list[i].0)?);
        }
        for (i, (_, worth, _)) in moves.list.iter().enumerate() {
            let at = self.drafts[0].moves[i].1;
            if worth.value() == Some(Wdl::Draw)
                && let Some(answer) = self.answer(at)?
            {
                self.extend(at, answer)?;
                self.drafts[at].shown = Shown::Answer;
            }
        }
        let won = |&&i: &&usize| moves.list[i].1.value() != Some(Wdl::Draw);
        let mut waiting = chosen.iter().filter(won).count();
        let mut room = self.limits.positions;
        for &i in chosen.iter().filter(won) {
            let winner = if lost(i) { mover.other() } else { mover };
            let share = room / waiting;
            let used = self.unroll(self.drafts[0].moves[i].1, winner, share)?;
            (room, waiting) = (room - used.min(room), waiting - 1);
        }
        Ok(lines)
    }

    /// Unrolls a position that `winner` wins, breadth first, with about as many positions as there is room for. Returns
    /// how many there are.
    fn unroll(&mut self, root: usize, winner: Player, room: usize) -> Result<usize, Failed> {
        let (mut queue, before) = (VecDeque::from([root]), self.drafts.len());
        while let Some(at) = queue.pop_front() {
            let (game, used) = (self.game, self.drafts.len() - before);
            let left = match &self.drafts[at] {
                draft if matches!(draft.shown, Shown::End(_)) => continue,
                // A defence and the answer to it come together.
                draft if draft.depth + 2 > self.limits.depth => Left::Depth,
                draft if game.turn(&draft.position) == winner => {
                    if used < room.max(1) {
                        queue.extend(self.reply(at)?);
                        continue;
                    }
                    Left::Size
                }
                draft if used.saturating_add(game.count_moves(&draft.position).saturating_mul(2)) > room => Left::Size,
                draft => {
                    for mv in collect_moves(game, &draft.position.clone()) {
                        let child = self.extend(at, mv)?;
                        match game.turn(&self.drafts[child].position) == winner {
                            true => queue.extend(self.reply(child)?),
                            false => queue.push_back(child),
                        }
                    }
                    self.drafts[at].shown = Shown::Every;
                    continue;
                }
            };
            self.drafts[at].shown = Shown::Proven(left);
        }
        Ok(self.drafts.len() - before)
    }

    /// Adds the answer at a position that its mover wins; gives the position after it.
    fn reply(&mut self, at: usize) -> Result<Option<usize>, Failed> {
        if matches!(self.drafts[at].shown, Shown::End(_)) {
            return Ok(None);
        }
        let Some(answer) = self.answer(at)? else {
            self.drafts[at].shown = Shown::Proven(Left::Effort);
            return Ok(None);
        };
        self.drafts[at].shown = Shown::Answer;
        self.extend(at, answer).map(Some)
    }

    /// A move that keeps the proven value of a position of the tree; the solver's best one, if it names one.
    fn answer(&mut self, at: usize) -> Result<Option<G::Move>, Failed> {
        let (pos, value) = (self.drafts[at].position.clone(), self.drafts[at].value);
        self.keeping(&pos, value)
    }

    fn keeping(&mut self, pos: &G::Position, value: Bounds) -> Result<Option<G::Move>, Failed> {
        let (game, ctx) = (self.game, self.ctx);
        if let Some(best) = self.ask(pos, ctx)?.best {
            return Ok(Some(best));
        }
        if value == Bounds::exactly(Wdl::Loss) {
            // Every move loses.
            return Ok(collect_moves(game, pos).first().copied());
        }
        if game.count_moves(pos) > MANY_MOVES {
            return Ok(None);
        }
        for mv in collect_moves(game, pos) {
            let after = game.after(pos, mv);
            let known = self.ask(&after, ctx)?;
            if known.value.to_parent_with(moves_again(game, pos, &after)).lo >= value.lo {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Best play of both sides after a move of the root.
    fn line(&mut self, mv: G::Move) -> Result<Line<G::Move>, Failed> {
        let (game, ctx) = (self.game, self.ctx);
        let mut pos = self.drafts[0].position.clone();
        let (mut moves, mut seen) = (vec![mv], FxHashSet::from_iter([pos.clone()]));
        game.play(&mut pos, mv);
        loop {
            if let Some(outcome) = game.outcome(&pos) {
                return Ok(Line { moves, ends: Ends::Over(outcome) });
            }
            if !seen.insert(pos.clone()) {
                return Ok(Line { moves, ends: Ends::Repeats });
            }
            let value = self.ask(&pos, ctx)?.value;
            let next = match value.value() {
                Some(_) if moves.len() < LONGEST_LINE => self.keeping(&pos, value)?,
                _ => None,
            };
            let Some(next) = next else { return Ok(Line { moves, ends: Ends::Proven }) };
            moves.push(next);
            game.play(&mut pos, next);
        }
    }

    fn explanation(mut self, lines: Vec<Line<G::Move>>, left_out: u64) -> Explanation<G::Position, G::Move> {
        let mut cut = Cut { moves: left_out, ..Cut::default() };
        for draft in &self.drafts {
            match draft.shown {
                Shown::Proven(Left::Size) => cut.size += 1,
                Shown::Proven(Left::Depth) => cut.depth += 1,
                Shown::Proven(Left::Effort) => cut.effort += 1,
                _ => {}
            }
        }
        let open = self.drafts.iter().filter(|draft| draft.depth <= 1).any(|draft| {
            let known = self.known.get(&draft.position);
            draft.value.value().is_none() || known.is_some_and(|known| known.stopped.is_some())
        });
        // A part of the nodes for one position says nothing about the whole.
        let whole = self.proving.check().err();
        let stopped = whole.or_else(|| self.known.values().find_map(|known| known.stopped)).map(Failed::from);
        let stopped = self.failed.take().or(stopped).filter(|_| open || cut.effort > 0);
        // Children come after their parents, so the last positions are finished first.
        let mut nodes: Vec<Option<Node<G::Position, G::Move>>> = Vec::new();
        nodes.resize_with(self.drafts.len(), || None);
        for (at, draft) in self.drafts.into_iter().enumerate().rev() {
            let moves = draft.moves.into_iter().filter_map(|(mv, child)| Some((mv, nodes[child].take()?))).collect();
            let Draft { position, value, plies, shown, .. } = draft;
            let mover = self.game.turn(&position);
            nodes[at] = Some(Node { position, mover, value, plies, shown, moves });
        }
        let root = nodes[0].take().expect("the root is there");
        Explanation { root, lines, cut, stopped }
    }
}

/// The index of the best move: the quickest win, the slowest loss, and among equal ones the solver's.
fn best<M: PartialEq>(list: &[(M, Bounds, Option<u32>)], value: Wdl, named: Option<M>) -> Option<usize> {
    let preference = |i: &usize| {
        let (mv, _, plies) = &list[*i];
        let haste = match (value, plies) {
            (Wdl::Win, Some(plies)) => -i64::from(*plies),
            (Wdl::Win, None) => i64::MIN,
            (Wdl::Loss, plies) => plies.map_or(-1, i64::from),
            (Wdl::Draw, _) => 0,
        };
        (haste, named.as_ref() == Some(mv), std::cmp::Reverse(*i))
    };
    (0..list.len()).filter(|&i| list[i].1.value() == Some(value)).max_by_key(preference)
}
