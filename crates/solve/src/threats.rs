//! Threat-space search by proof numbers (df-pn; Nagai 2002): every move of the attacker threatens to win with the next
//! one, and no reply refutes the attack. In Tak such a win is called tinue.
//!
//! Positions are merged by key. A line that repeats a position counts as disproved. So a proof is sound, while a
//! position without one may still be won, by quiet moves or along another line. Where keys are hashes, the caller must
//! check a proof by the moves of [`Threats::proof`].

use agon_core::forcing::Forcing;
use agon_core::{Bounds, Ctx, Meter, Solution, Stop, Symmetric, Wdl, collect_moves};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// The number of a position that cannot be proven, or disproven.
const INFINITE: u32 = u32::MAX / 4;

/// Lines of more plies count as disproved.
const MAX_LINE: usize = 200;

struct Node<M> {
    /// The moves to search, each with its child.
    children: Box<[(M, u32)]>,
    expanded: bool,
    /// True if the node is on the current line.
    on_line: bool,
    /// The proof number.
    pn: u32,
    /// The disproof number.
    dn: u32,
    /// The ordinal of the node's proof; a proof depends on smaller ordinals only.
    proven: u32,
}

/// The search for a win of the side to move.
pub struct Threats<'a, G: Forcing> {
    game: &'a G,
    root: G::Position,
    nodes: Vec<Node<G::Move>>,
    by_key: FxHashMap<u128, u32>,
    proofs: u32,
    /// Bytes in use, and the memory limit.
    bytes: usize,
    most: usize,
}

/// The winner's moves by position, and the length of the longest line of play by them.
type Winning<G> = (Vec<(<G as agon_core::Game>::Position, <G as agon_core::Game>::Move)>, u32);

/// The thresholds of a node: the search returns when one of its numbers reaches them.
#[derive(Clone, Copy)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl<'a, G: Forcing + Symmetric> Threats<'a, G> {
    /// A search from `root` with about `bytes` of memory.
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

    /// The node of a position; creates it if it is new.
    fn node(&mut self, pos: &G::Position) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *self.by_key.entry(self.game.fingerprint(pos)).or_insert(next);
        if id == next {
            // A hash table has up to two slots for each entry, and one more byte for each slot.
            self.bytes += size_of::<Node<G::Move>>() + 2 * (size_of::<(u128, u32)>() + 1);
            let children = Box::default();
            self.nodes.push(Node { children, expanded: false, on_line: false, pn: 1, dn: 1, proven: 0 });
        }
        id
    }

    /// Searches until the root is decided or the context stops the work.
    pub fn solve(&mut self, ctx: &Ctx) -> Solution<G::Move> {
        let mut solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        if let Some(outcome) = self.game.outcome(&self.root) {
            solution.value = Bounds::exactly(outcome.seen_by(self.game.turn(&self.root)));
            solution.plies = Some(0);
            return solution;
        }
        let mut meter = ctx.meter();
        let thresholds = Thresholds { pn: INFINITE, dn: INFINITE };
        solution.stopped = self.search(0, &mut self.root.clone(), true, thresholds, 0, &mut meter, ctx).err();
        solution.nodes = meter.nodes();
        if self.nodes[0].pn == 0 {
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
        thresholds: Thresholds,
        line: usize,
        meter: &mut Meter<'_>,
        ctx: &Ctx,
    ) -> Result<(), Stop> {
        // Step 1: expand the node.
        if !self.nodes[at as usize].expanded {
            meter.tick()?;
            // The meter checks rarely, and an expansion is slow.
            ctx.check()?;
            if self.bytes > self.most {
                return Err(Stop::Nodes);
            }
            self.expand(at, pos, attacks);
            ctx.progress("searching threats", self.nodes.len() as u64, None);
        }
        self.nodes[at as usize].on_line = true;
        let done = loop {
            // Step 2: compute the numbers from the children; return at a threshold.
            let Some((next, below)) = self.update(at, attacks, thresholds, line) else { break Ok(()) };
            // Step 3: search the best child until another looks better.
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

    /// Computes the numbers of a node from its children. Returns the best child and its thresholds, unless a threshold
    /// is reached.
    fn update(&mut self, at: u32, attacks: bool, thresholds: Thresholds, line: usize) -> Option<(usize, Thresholds)> {
        let node = &self.nodes[at as usize];
        if node.children.is_empty() || node.pn == 0 || node.dn == 0 {
            return None;
        }
        // φ is the minimum over the children. δ would be a sum, but transpositions would be counted twice: so the
        // largest counts in full, and the others by one each.
        let (mut best, mut phi, mut second, mut best_delta) = (0, INFINITE + 1, INFINITE, 0);
        let (mut largest, mut open) = (0, 0);
        for (i, &(_, child)) in node.children.iter().enumerate() {
            let there = &self.nodes[child as usize];
            let (pn, dn) = if there.on_line || line >= MAX_LINE { (INFINITE, 0) } else { (there.pn, there.dn) };
            let (child_phi, child_delta) = if attacks { (pn, dn) } else { (dn, pn) };
            if child_phi < phi {
                (second, best, phi, best_delta) = (phi.min(INFINITE), i, child_phi, child_delta);
            } else {
                second = second.min(child_phi);
            }
            largest = largest.max(child_delta);
            open += u32::from(child_delta > 0);
        }
        let delta = if open == 0 { 0 } else { (largest + open - 1).min(INFINITE) };
        let (max_phi, max_delta) =
            if attacks { (thresholds.pn, thresholds.dn) } else { (thresholds.dn, thresholds.pn) };
        let (pn, dn) = if attacks { (phi, delta) } else { (delta, phi) };
        let node = &mut self.nodes[at as usize];
        (node.pn, node.dn) = (pn, dn);
        if pn == 0 {
            self.proofs += 1;
            node.proven = self.proofs;
        }
        if phi == 0 || delta == 0 || phi >= max_phi || delta >= max_delta {
            return None;
        }
        // A quarter beyond the second best, against thrashing (Pawlewicz and Lew 2007).
        let child_phi = max_phi.min((second + second / 4 + 1).min(INFINITE));
        let child_delta = if max_delta >= INFINITE { INFINITE } else { (max_delta - delta + best_delta).min(INFINITE) };
        let below = if attacks {
            Thresholds { pn: child_phi, dn: child_delta }
        } else {
            Thresholds { pn: child_delta, dn: child_phi }
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
        (node.pn, node.dn) = if proven { (0, INFINITE) } else { (INFINITE, 0) };
        node.proven = self.proofs;
    }

    /// Selects the attacker's moves: those that threaten, and after which the defender cannot win immediately.
    fn is_threat(&self, pos: &mut G::Position) -> Keep {
        let over = self.game.outcome(pos).is_some();
        if !over && self.game.threatens(pos) && self.game.win_now(pos).is_none() { Keep::Yes } else { Keep::No }
    }

    /// Selects the defender's moves: those after which the attacker cannot win immediately.
    fn parries(&self, pos: &mut G::Position) -> Keep {
        match self.game.outcome(pos) {
            Some(outcome) if outcome.seen_by(self.game.turn(pos)) == Wdl::Win => Keep::No,
            Some(_) => Keep::Refuted,
            None if self.game.win_now(pos).is_some() => Keep::No,
            None => Keep::Yes,
        }
    }

    /// The children that were proven before this node.
    fn proven_children(&self, at: u32) -> impl Iterator<Item = (G::Move, u32)> {
        let before = self.nodes[at as usize].proven;
        let children = self.nodes[at as usize].children.iter().copied();
        children.filter(move |&(_, i)| self.nodes[i as usize].pn == 0 && self.nodes[i as usize].proven < before)
    }

    /// The attacker's move at a proven node, unless it wins immediately.
    fn answer(&self, at: u32) -> Option<G::Move> {
        let mut lengths = FxHashMap::default();
        self.best(at, &mut lengths).map(|(mv, _)| mv)
    }

    /// The proven move with the shortest win, and its child.
    fn best(&self, at: u32, lengths: &mut FxHashMap<u32, u32>) -> Option<(G::Move, u32)> {
        self.proven_children(at).min_by_key(|&(_, i)| self.longest(i, false, lengths))
    }

    /// The longest line of play below a proven node, if the attacker plays the shortest known wins.
    fn longest(&self, at: u32, attacks: bool, lengths: &mut FxHashMap<u32, u32>) -> u32 {
        if let Some(&known) = lengths.get(&at) {
            return known;
        }
        let below: Vec<u32> = self.proven_children(at).map(|(_, i)| i).collect();
        let below = below.into_iter().map(|i| self.longest(i, !attacks, lengths) + 1);
        // A reply that parries nothing loses to the next move.
        let length = if attacks { below.min().unwrap_or(1) } else { below.max().unwrap_or(2).max(2) };
        lengths.insert(at, length);
        length
    }

    /// The attacker's move at every position, one for each orbit, that these moves and any replies lead to; and the
    /// length of the longest such line. `None` without a proof.
    #[must_use]
    pub fn proof(&self) -> Option<Winning<G>> {
        if self.nodes[0].pn != 0 {
            return None;
        }
        let (mut known, mut lengths) = (FxHashMap::default(), FxHashMap::default());
        self.collect(&mut known, &mut lengths);
        // Keep the positions that are reached by the shortest known wins.
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

    /// The shortest known win from each orbit of the attacker's positions in the proof.
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

/// The selection of a move when a node is expanded.
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

    /// Returns whether the side to move wins by threats within `n` plies, by the definition, memoised.
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
