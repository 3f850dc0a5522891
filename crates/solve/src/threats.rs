//! Proof-number search for a win by threats alone: every move of the attacker threatens to win on the
//! spot, and every reply fails to stop it for good. In Tak this is called tinue.
//!
//! The tree is kept in memory, so a proof is read off it, and a line that repeats a position counts as
//! refuted: what is proven is won, what is not proven may still be won by quieter moves.

use agon_core::forcing::Forcing;
use agon_core::{Bounds, Ctx, Solution, Stop, Symmetric, Wdl, collect_moves};
use std::collections::{HashMap, HashSet};

/// A proof number that is never reached.
const INFINITE: u32 = u32::MAX / 4;

struct Node<M> {
    /// The move that leads here.
    mv: Option<M>,
    parent: usize,
    key: u128,
    /// Children stand side by side.
    children: std::ops::Range<usize>,
    expanded: bool,
    /// Leaves still to be proven for a proof, and for a refutation.
    proof: u32,
    refutation: u32,
}

/// The search for a win of the side to move.
pub struct Threats<'a, G: Forcing> {
    game: &'a G,
    root: G::Position,
    nodes: Vec<Node<G::Move>>,
    most: usize,
}

/// The winner's moves by position, and how long the longest play that follows them is.
type Winning<G> = (Vec<(<G as agon_core::Game>::Position, <G as agon_core::Game>::Move)>, u32);

impl<'a, G: Forcing + Symmetric> Threats<'a, G> {
    /// A search from `root` with a tree of at most that many bytes.
    #[must_use]
    pub fn new(game: &'a G, root: &G::Position, bytes: usize) -> Threats<'a, G> {
        let most = (bytes / size_of::<Node<G::Move>>()).max(1024);
        let mut search = Threats { game, root: root.clone(), nodes: Vec::new(), most };
        search.push(None, 0, root);
        search
    }

    fn push(&mut self, mv: Option<G::Move>, parent: usize, pos: &G::Position) {
        let key = self.game.key(pos);
        let node = Node { mv, parent, key, children: 0..0, expanded: false, proof: 1, refutation: 1 };
        self.nodes.push(node);
    }

    /// Searches until the root is decided or the surroundings say stop.
    pub fn solve(&mut self, ctx: &Ctx) -> Solution<G::Move> {
        let mut solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        if let Some(outcome) = self.game.outcome(&self.root) {
            solution.value = Bounds::exactly(outcome.seen_by(self.game.turn(&self.root)));
            return solution;
        }
        solution.stopped = self.run(ctx).err();
        solution.nodes = self.nodes.len() as u64;
        if self.nodes[0].proof == 0 {
            solution.value = Bounds::exactly(Wdl::Win);
            solution.best = self.answer(0, &self.root.clone());
        }
        solution
    }

    fn run(&mut self, ctx: &Ctx) -> Result<(), Stop> {
        let mut meter = ctx.meter();
        while self.nodes[0].proof > 0 && self.nodes[0].refutation > 0 {
            meter.tick()?;
            // The meter looks seldom; an expansion here is long.
            ctx.check()?;
            if self.nodes.len() > self.most {
                return Err(Stop::Budget);
            }
            let (leaf, pos, attacks) = self.most_proving();
            self.expand(leaf, pos, attacks);
            self.update(leaf, attacks);
            ctx.progress("searching threats", self.nodes.len() as u64, None);
        }
        Ok(())
    }

    /// Goes down where the smallest number of leaves decides.
    fn most_proving(&self) -> (usize, G::Position, bool) {
        let (mut at, mut pos, mut attacks) = (0, self.root.clone(), true);
        while self.nodes[at].expanded {
            let measure = |&i: &usize| if attacks { self.nodes[i].proof } else { self.nodes[i].refutation };
            let Some(next) = self.nodes[at].children.clone().min_by_key(measure) else { break };
            if let Some(mv) = self.nodes[next].mv {
                self.game.play(&mut pos, mv);
            }
            (at, attacks) = (next, !attacks);
        }
        (at, pos, attacks)
    }

    fn expand(&mut self, at: usize, mut pos: G::Position, attacks: bool) {
        self.nodes[at].expanded = true;
        let won_now = self.game.win_now(&mut pos).is_some();
        if won_now || self.repeats(at) {
            return self.decide(at, won_now && attacks);
        }
        let begin = self.nodes.len();
        for mv in collect_moves(self.game, &pos) {
            let undo = self.game.play(&mut pos, mv);
            let keep = if attacks { self.is_threat(&mut pos) } else { self.parries(&mut pos) };
            if keep == Keep::Yes {
                self.push(Some(mv), at, &pos);
            }
            self.game.undo(&mut pos, mv, undo);
            if keep == Keep::Refuted {
                self.nodes.truncate(begin);
                return self.decide(at, false);
            }
        }
        self.nodes[at].children = begin..self.nodes.len();
        if begin == self.nodes.len() {
            self.decide(at, !attacks);
        }
    }

    fn decide(&mut self, at: usize, proven: bool) {
        (self.nodes[at].proof, self.nodes[at].refutation) = if proven { (0, INFINITE) } else { (INFINITE, 0) };
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

    fn repeats(&self, at: usize) -> bool {
        let mut up = at;
        while up != 0 {
            up = self.nodes[up].parent;
            if self.nodes[up].key == self.nodes[at].key {
                return true;
            }
        }
        false
    }

    /// Numbers from `at` up to the root.
    fn update(&mut self, mut at: usize, mut attacks: bool) {
        loop {
            let children = &self.nodes[self.nodes[at].children.clone()];
            if !children.is_empty() {
                let sum = |of: fn(&Node<G::Move>) -> u32| children.iter().map(of).fold(0, |a, b| (a + b).min(INFINITE));
                let least = |of: fn(&Node<G::Move>) -> u32| children.iter().map(of).min().unwrap_or(INFINITE);
                let (proof, refutation) = if attacks {
                    (least(|n| n.proof), sum(|n| n.refutation))
                } else {
                    (sum(|n| n.proof), least(|n| n.refutation))
                };
                (self.nodes[at].proof, self.nodes[at].refutation) = (proof, refutation);
            }
            if at == 0 {
                return;
            }
            (at, attacks) = (self.nodes[at].parent, !attacks);
        }
    }

    /// The attacker's move at a proven node.
    fn answer(&self, at: usize, pos: &G::Position) -> Option<G::Move> {
        let proven = self.nodes[at].children.clone().filter(|&i| self.nodes[i].proof == 0);
        proven
            .min_by_key(|&i| self.longest(i))
            .map_or_else(|| self.game.win_now(&mut pos.clone()), |i| self.nodes[i].mv)
    }

    /// The longest play below a proven node when the attacker takes the shortest way of the tree.
    fn longest(&self, at: usize) -> u32 {
        let children = self.nodes[at].children.clone();
        let attacks = self.is_attack(at);
        let lengths = children.filter(|&i| self.nodes[i].proof == 0).map(|i| self.longest(i) + 1);
        match (attacks, self.nodes[at].children.is_empty()) {
            (true, false) => lengths.min().unwrap_or(1),
            (true, true) => 1,
            // Replies that parry nothing lose to the next move.
            (false, _) => lengths.max().unwrap_or(2).max(2),
        }
    }

    fn is_attack(&self, mut at: usize) -> bool {
        let mut attacks = true;
        while at != 0 {
            (at, attacks) = (self.nodes[at].parent, !attacks);
        }
        attacks
    }

    /// A move of the attacker at every position, one for each class under symmetry, that its moves and
    /// any replies lead to; and the length of the longest such play. `None` without a proof.
    #[must_use]
    pub fn proof(&self) -> Option<Winning<G>> {
        if self.nodes[0].proof != 0 {
            return None;
        }
        let mut known = HashMap::new();
        self.collect(0, &self.root, &mut known);
        // Keep what is reached when the shortest way known is taken everywhere.
        let side = self.game.turn(&self.root);
        let first = self.game.canonical(&self.root).0;
        let (mut seen, mut todo, mut moves) = (HashSet::from([first.clone()]), vec![first], Vec::new());
        while let Some(pos) = todo.pop() {
            if self.game.outcome(&pos).is_some() {
                continue;
            }
            let next: Vec<G::Position> = if self.game.turn(&pos) == side {
                let mv = known.get(&pos).map_or_else(|| self.game.win_now(&mut pos.clone()), |&(_, mv)| Some(mv))?;
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
        Some((moves, self.longest(0)))
    }

    /// The shortest proven way from each class of positions of the attacker in the proof.
    fn collect(&self, at: usize, pos: &G::Position, known: &mut HashMap<G::Position, (u32, G::Move)>) {
        if self.is_attack(at) {
            let Some(mv) = self.answer(at, pos) else { return };
            let (class, element) = self.game.canonical(pos);
            let (length, mv_there) = (self.longest(at), self.game.image_of_move(element, mv));
            let best = known.entry(class).or_insert((length, mv_there));
            if length < best.0 {
                *best = (length, mv_there);
            }
            let child = self.nodes[at].children.clone().find(|&i| self.nodes[i].mv == Some(mv));
            if let Some(child) = child {
                self.collect(child, &self.game.after(pos, mv), known);
            }
            return;
        }
        for i in self.nodes[at].children.clone() {
            if let Some(mv) = self.nodes[i].mv {
                self.collect(i, &self.game.after(pos, mv), known);
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
    use agon_core::{Game, Notation, Rng};
    use agon_games::tak::Tak;

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
