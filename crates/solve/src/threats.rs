//! Proof-number search for a win by threats alone: every move of the attacker threatens to win on the
//! spot, and every reply fails to stop it for good. In Tak this is called tinue.
//!
//! Depth first, with two numbers for each position: how much is left to prove, and how much to refute.
//! Positions met twice are searched once. A line that repeats a position counts as refuted, so what is
//! proven is won, and what is not proven may still be won, by quieter moves or along another line.
//! Where keys are hashes a proof must be checked; a caller does so with the moves that [`Threats::proof`]
//! gives.

use agon_core::forcing::Forcing;
use agon_core::{Bounds, Ctx, Meter, Solution, Stop, Symmetric, Wdl, collect_moves};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// A number that is never reached.
const INFINITE: u32 = u32::MAX / 4;

/// Longer lines count as refuted.
const LONGEST_LINE: usize = 200;

struct Node<M> {
    /// Moves worth a look, each with the node it leads to.
    children: Box<[(M, u32)]>,
    expanded: bool,
    /// On the line being searched.
    on_line: bool,
    /// How much is left to prove, and to refute.
    proof: u32,
    refutation: u32,
    /// Proven nodes are numbered in the order of their proofs, so that a proof rests on smaller numbers.
    proven: u32,
}

/// The search for a win of the side to move.
pub struct Threats<'a, G: Forcing> {
    game: &'a G,
    root: G::Position,
    nodes: Vec<Node<G::Move>>,
    by_key: FxHashMap<u128, u32>,
    proofs: u32,
    /// Bytes in use, and the most there may be.
    bytes: usize,
    most: usize,
}

/// The winner's moves by position, and how long the longest play that follows them is.
type Winning<G> = (Vec<(<G as agon_core::Game>::Position, <G as agon_core::Game>::Move)>, u32);

/// When to come back from a node: its numbers reach these.
#[derive(Clone, Copy)]
struct Limits {
    proof: u32,
    refutation: u32,
}

impl<'a, G: Forcing + Symmetric> Threats<'a, G> {
    /// A search from `root` that remembers at most about that many bytes.
    #[must_use]
    pub fn new(game: &'a G, root: &G::Position, bytes: usize) -> Threats<'a, G> {
        let mut search = Threats {
            game,
            root: root.clone(),
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            proofs: 0,
            bytes: 0,
            most: bytes.max(1 << 16),
        };
        search.node(root);
        search
    }

    /// The node of a position, made if there is none.
    fn node(&mut self, pos: &G::Position) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *self.by_key.entry(self.game.fingerprint(pos)).or_insert(next);
        if id == next {
            // A table holds up to twice as many slots as entries, with a byte of its own for each.
            self.bytes += size_of::<Node<G::Move>>() + 2 * (size_of::<(u128, u32)>() + 1);
            let children = Box::default();
            self.nodes.push(Node { children, expanded: false, on_line: false, proof: 1, refutation: 1, proven: 0 });
        }
        id
    }

    /// Searches until the root is decided or the surroundings say stop.
    pub fn solve(&mut self, ctx: &Ctx) -> Solution<G::Move> {
        let mut solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        if let Some(outcome) = self.game.outcome(&self.root) {
            solution.value = Bounds::exactly(outcome.seen_by(self.game.turn(&self.root)));
            solution.plies = Some(0);
            return solution;
        }
        let mut meter = ctx.meter();
        let limits = Limits { proof: INFINITE, refutation: INFINITE };
        solution.stopped = self.search(0, &mut self.root.clone(), true, limits, 0, &mut meter, ctx).err();
        solution.nodes = meter.nodes();
        if self.nodes[0].proof == 0 {
            solution.value = Bounds::exactly(Wdl::Win);
            solution.stopped = None;
            solution.best = self.answer(0).or_else(|| self.game.win_now(&mut self.root.clone()));
        }
        solution
    }

    #[allow(clippy::too_many_arguments, reason = "one recursive step of a depth-first search")]
    fn search(
        &mut self,
        at: u32,
        pos: &mut G::Position,
        attacks: bool,
        limits: Limits,
        line: usize,
        meter: &mut Meter<'_>,
        ctx: &Ctx,
    ) -> Result<(), Stop> {
        // Step 1: list the moves worth a look.
        if !self.nodes[at as usize].expanded {
            meter.tick()?;
            // The meter looks seldom; an expansion here is long.
            ctx.check()?;
            if self.bytes > self.most {
                return Err(Stop::Budget);
            }
            self.expand(at, pos, attacks);
            ctx.progress("searching threats", self.nodes.len() as u64, None);
        }
        self.nodes[at as usize].on_line = true;
        let done = loop {
            // Step 2: the numbers of this node follow from those of its children.
            let Some((next, below)) = self.update(at, attacks, limits, line) else { break Ok(()) };
            // Step 3: go down where least is left to do, until another child looks better.
            let (mv, child) = self.nodes[at as usize].children[next];
            let undo = self.game.play(pos, mv);
            let done = self.search(child, pos, !attacks, below, line + 1, meter, ctx);
            self.game.undo(pos, mv, undo);
            if done.is_err() {
                break done;
            }
        };
        self.nodes[at as usize].on_line = false;
        done
    }

    /// Numbers from the children; where to go on and how far, unless a limit is reached.
    fn update(&mut self, at: u32, attacks: bool, limits: Limits, line: usize) -> Option<(usize, Limits)> {
        let node = &self.nodes[at as usize];
        if node.children.is_empty() || node.proof == 0 || node.refutation == 0 {
            return None;
        }
        // `own`: the number of which one child is enough; `all`: the number for which every child counts.
        // For `all` the largest counts in full and the others by one each, since lines meet again.
        let (mut best, mut best_own, mut second, mut best_all) = (0, INFINITE + 1, INFINITE, 0);
        let (mut largest, mut open) = (0, 0);
        for (i, &(_, child)) in node.children.iter().enumerate() {
            let there = &self.nodes[child as usize];
            let (proof, refutation) =
                if there.on_line || line >= LONGEST_LINE { (INFINITE, 0) } else { (there.proof, there.refutation) };
            let (own, all) = if attacks { (proof, refutation) } else { (refutation, proof) };
            if own < best_own {
                (second, best, best_own, best_all) = (best_own.min(INFINITE), i, own, all);
            } else {
                second = second.min(own);
            }
            largest = largest.max(all);
            open += u32::from(all > 0);
        }
        let all = if open == 0 { 0 } else { (largest + open - 1).min(INFINITE) };
        let (own, own_limit, all_limit) = if attacks {
            (best_own, limits.proof, limits.refutation)
        } else {
            (best_own, limits.refutation, limits.proof)
        };
        let (proof, refutation) = if attacks { (own, all) } else { (all, own) };
        let node = &mut self.nodes[at as usize];
        (node.proof, node.refutation) = (proof, refutation);
        if proof == 0 {
            self.proofs += 1;
            node.proven = self.proofs;
        }
        if own == 0 || all == 0 || own >= own_limit || all >= all_limit {
            return None;
        }
        // A little beyond the second best, so as not to go to and fro.
        let own_below = own_limit.min((second + second / 4 + 1).min(INFINITE));
        let all_below = if all_limit >= INFINITE { INFINITE } else { (all_limit - all + best_all).min(INFINITE) };
        let below = if attacks {
            Limits { proof: own_below, refutation: all_below }
        } else {
            Limits { proof: all_below, refutation: own_below }
        };
        Some((best, below))
    }

    fn expand(&mut self, at: u32, pos: &mut G::Position, attacks: bool) {
        self.nodes[at as usize].expanded = true;
        if self.game.win_now(pos).is_some() {
            return self.decide(at, attacks);
        }
        let mut moves = Vec::new();
        for mv in collect_moves(self.game, pos) {
            let undo = self.game.play(pos, mv);
            let keep = if attacks { self.is_threat(pos) } else { self.parries(pos) };
            if keep == Keep::Yes {
                moves.push((self.game.promise(pos), mv, self.node(pos)));
            }
            self.game.undo(pos, mv, undo);
            if keep == Keep::Refuted {
                return self.decide(at, false);
            }
        }
        if moves.is_empty() {
            return self.decide(at, !attacks);
        }
        moves.sort_by_key(|&(promise, ..)| -promise);
        let children: Box<[_]> = moves.into_iter().map(|(_, mv, child)| (mv, child)).collect();
        self.bytes += size_of_val(&*children);
        self.nodes[at as usize].children = children;
    }

    fn decide(&mut self, at: u32, proven: bool) {
        self.proofs += u32::from(proven);
        let node = &mut self.nodes[at as usize];
        (node.proof, node.refutation) = if proven { (0, INFINITE) } else { (INFINITE, 0) };
        node.proven = self.proofs;
    }

    /// A move of the attacker is worth a look when it threatens and the defender cannot win at once.
    fn is_threat(&self, pos: &mut G::Position) -> Keep {
        let over = self.game.outcome(pos).is_some();
        if !over && self.game.threatens(pos) && self.game.win_now(pos).is_none() { Keep::Yes } else { Keep::No }
    }

    /// A reply is worth a look when the attacker does not win at once. A play that it ends is decided.
    fn parries(&self, pos: &mut G::Position) -> Keep {
        match self.game.outcome(pos) {
            Some(outcome) if outcome.seen_by(self.game.turn(pos)) == Wdl::Win => Keep::No,
            Some(_) => Keep::Refuted,
            None if self.game.win_now(pos).is_some() => Keep::No,
            None => Keep::Yes,
        }
    }

    /// Children proven before this node was.
    fn proven_children(&self, at: u32) -> impl Iterator<Item = (G::Move, u32)> {
        let before = self.nodes[at as usize].proven;
        let children = self.nodes[at as usize].children.iter().copied();
        children.filter(move |&(_, i)| self.nodes[i as usize].proof == 0 && self.nodes[i as usize].proven < before)
    }

    /// The attacker's move at a proven node, unless it wins on the spot.
    fn answer(&self, at: u32) -> Option<G::Move> {
        let mut lengths = FxHashMap::default();
        self.best(at, &mut lengths).map(|(mv, _)| mv)
    }

    /// The proven move with the shortest play below it, and where it leads.
    fn best(&self, at: u32, lengths: &mut FxHashMap<u32, u32>) -> Option<(G::Move, u32)> {
        self.proven_children(at).min_by_key(|&(_, i)| self.longest(i, false, lengths))
    }

    /// The longest play below a proven node when the attacker takes the shortest way known.
    fn longest(&self, at: u32, attacks: bool, lengths: &mut FxHashMap<u32, u32>) -> u32 {
        if let Some(&known) = lengths.get(&at) {
            return known;
        }
        let below: Vec<u32> = self.proven_children(at).map(|(_, i)| i).collect();
        let below = below.into_iter().map(|i| self.longest(i, !attacks, lengths) + 1);
        // Replies that parry nothing lose to the next move.
        let length = if attacks { below.min().unwrap_or(1) } else { below.max().unwrap_or(2).max(2) };
        lengths.insert(at, length);
        length
    }

    /// A move of the attacker at every position, one for each class under symmetry, that its moves and
    /// any replies lead to; and the length of the longest such play. `None` without a proof.
    #[must_use]
    pub fn proof(&self) -> Option<Winning<G>> {
        if self.nodes[0].proof != 0 {
            return None;
        }
        let (mut known, mut lengths) = (FxHashMap::default(), FxHashMap::default());
        self.collect(&mut known, &mut lengths);
        // Keep what is reached when the shortest way known is taken everywhere.
        let side = self.game.turn(&self.root);
        let first = self.game.canonical(&self.root).0;
        let (mut seen, mut todo, mut moves) = (HashSet::from([first.clone()]), vec![first], Vec::new());
        while let Some(pos) = todo.pop() {
            if self.game.outcome(&pos).is_some() {
                continue;
            }
            let next: Vec<G::Position> = if self.game.turn(&pos) == side {
                let mv = self.game.win_now(&mut pos.clone()).or_else(|| known.get(&pos).map(|&(_, mv)| mv))?;
                moves.push((pos.clone(), mv));
                vec![self.game.after(&pos, mv)]
            } else {
                collect_moves(self.game, &pos).into_iter().map(|mv| self.game.after(&pos, mv)).collect()
            };
            for child in next {
                let child = self.game.canonical(&child).0;
                if seen.insert(child.clone()) {
                    todo.push(child);
                }
            }
        }
        Some((moves, self.longest(0, true, &mut lengths)))
    }

    /// The shortest proven way from each class of positions of the attacker in the proof.
    fn collect(&self, known: &mut FxHashMap<G::Position, (u32, G::Move)>, lengths: &mut FxHashMap<u32, u32>) {
        let (mut seen, mut todo) = (HashSet::from([0]), vec![(0, self.root.clone(), true)]);
        while let Some((at, pos, attacks)) = todo.pop() {
            let next: Vec<(G::Move, u32)> = if attacks {
                let Some((mv, child)) = self.best(at, lengths) else { continue };
                let (class, element) = self.game.canonical(&pos);
                let (length, mv_there) = (self.longest(at, true, lengths), self.game.image_of_move(element, mv));
                let best = known.entry(class).or_insert((length, mv_there));
                if length < best.0 {
                    *best = (length, mv_there);
                }
                vec![(mv, child)]
            } else {
                self.proven_children(at).collect()
            };
            for (mv, child) in next {
                if seen.insert(child) {
                    todo.push((child, self.game.after(&pos, mv), !attacks));
                }
            }
        }
    }
}

/// What to do with a move when a node is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Yes,
    No,
    Refuted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forced::Forced;
    use agon_core::{Family, Game, Notation, Rng};
    use agon_games::tak::{Position, Tak};
    use std::collections::HashMap;

    /// Whether the side to move wins by threats within `n` plies: the definition, with memory and no numbers.
    fn plainly(game: &Tak, pos: &Position, n: u32, known: &mut HashMap<(Position, u32), bool>) -> bool {
        let wins = |pos: &Position| game.win_now(&mut pos.clone()).is_some();
        if wins(pos) || n < 3 {
            return wins(pos);
        }
        if let Some(&known) = known.get(&(pos.clone(), n)) {
            return known;
        }
        let side = game.turn(pos);
        let attacks = collect_moves(game, pos).into_iter().map(|mv| game.after(pos, mv)).any(|after| {
            let quiet = game.outcome(&after).is_some() || wins(&after) || !game.threatens(&mut after.clone());
            let replies = || collect_moves(game, &after).into_iter().map(|mv| game.after(&after, mv));
            // Replies that end play or parry nothing are cheap to judge.
            let (mut open, mut lost) = (Vec::new(), quiet);
            for end in replies().take_while(|_| !quiet) {
                match game.outcome(&end) {
                    Some(outcome) => lost |= outcome.winner() != Some(side),
                    None if !wins(&end) => open.push(end),
                    None => {}
                }
            }
            !lost && open.iter().all(|end| plainly(game, end, n - 2, known))
        });
        known.insert((pos.clone(), n), attacks);
        attacks
    }

    #[test]
    fn puzzles_of_seven_to_fifteen_plies_are_proven() {
        let mut puzzles = 0;
        for line in include_str!("../tests/data/tak-tinue.txt").lines().filter(|line| !line.starts_with('#')) {
            let [spelling, shortest, within, tps] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
            let game = Tak::from_spelling(spelling).unwrap().0;
            let pos = game.parse(tps).unwrap();
            let mut tree = Threats::new(&game, &pos, 1 << 28);
            assert_eq!(tree.solve(&Ctx::default()).value.value(), Some(Wdl::Win), "{line}");
            let (_, length) = tree.proof().unwrap();
            assert!(length <= within.parse().unwrap(), "{line}: {length}");
            if let Ok(plies) = shortest.parse() {
                let mut known = HashMap::new();
                let found = (1..=plies).step_by(2).find(|&n| plainly(&game, &pos, n, &mut known));
                assert_eq!(found, Some(plies), "{line}");
            }
            puzzles += 1;
        }
        assert_eq!(puzzles, 10);
    }

    #[test]
    fn what_threats_win_is_won() {
        // Positions of random play; each proof is confirmed by the search for forced wins.
        let (mut rng, mut long) = (Rng::new(5), 0);
        for n in [3, 4, 5] {
            let game = Tak::new(n, n);
            for _ in 0..1500 {
                let mut pos = game.start();
                for _ in 0..8 + rng.below(12) {
                    let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                    game.play(&mut pos, mv);
                }
                if game.outcome(&pos).is_some() {
                    continue;
                }
                let mut tree = Threats::new(&game, &pos, 1 << 22);
                let solution = tree.solve(&Ctx::default().with_budget(1 << 20));
                let Some((moves, within)) = tree.proof() else { continue };
                assert_eq!(solution.value.value(), Some(Wdl::Win));
                assert!(moves.iter().all(|(at, _)| game.turn(at) == game.turn(&pos)));
                if within <= 5 {
                    let mut forced = Forced::new(game.turn(&pos), 1 << 20);
                    let found = forced.within(&game, &pos, within, &mut Ctx::default().meter());
                    assert_eq!(found, Ok(true), "{} within {within}", game.show(&pos));
                    long += u32::from(within > 1);
                    if long > 10 {
                        return;
                    }
                }
            }
        }
        panic!("only {long} wins of more than one ply came up");
    }
}
