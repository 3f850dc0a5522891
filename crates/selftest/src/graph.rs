//! The reference: the game graph, explored and valued with the rules only.
//!
//! This module uses no solver. A graph is explored breadth first, with positions as text, and valued backwards from its
//! final positions; a value is negated only if the turn changes. If the limit truncates the graph, the *horizon* is the
//! number of plies explored from a position, and only values decided within it count as known.

use agon_core::{Ctx, Outcome, Player, Status, Wdl};
use agon_registry::erased::AnyRules;
use agon_report::failure::Failure;
use std::collections::{HashMap, VecDeque};

/// One position.
pub struct Node {
    /// Its text.
    pub text: String,
    /// The side to move; for a finished position, the side that would move.
    turn: Player,
    outcome: Option<Outcome>,
    /// The moves with their target nodes; empty if the game is over or the graph is truncated here.
    pub moves: Vec<(String, usize)>,
    /// The distance from the root, in plies.
    depth: u32,
}

/// The truth about a position, by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The value for the side to move, with the distance if the rules determine it.
    Known(Wdl, Option<u32>),
    /// Neither side can force a win within this many plies; nothing else is known.
    Open(u32),
}

impl std::fmt::Display for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Truth::Known(value, None) => write!(f, "{value}"),
            Truth::Known(value, Some(plies)) => write!(f, "{value} in {plies}"),
            Truth::Open(plies) => write!(f, "no forced win within {plies} plies"),
        }
    }
}

/// The numbers of games by result.
pub type Games = [u128; 3];

/// The positions reachable from a root.
pub struct Graph {
    nodes: Vec<Node>,
    index: HashMap<String, usize>,
    /// The least depth of an unexplored position; `None` if the graph is complete.
    cut: Option<u32>,
    /// Wins and losses with their distances, as far as the explored part decides them.
    decided: Vec<Option<(Wdl, u32)>>,
    /// A topological order (children first), if the graph is complete and acyclic.
    order: Option<Vec<usize>>,
    /// The length of the drawn plays from a node, if all have the same length.
    drawn_in: Vec<Option<u32>>,
    nimbers: Vec<u32>,
}

impl Graph {
    /// Explores from `root` until there are `limit` positions, and values them.
    pub fn explore(rules: &(impl AnyRules + ?Sized), root: &str, limit: usize, ctx: &Ctx) -> Result<Graph, Failure> {
        let mut graph = Graph {
            nodes: Vec::new(),
            index: HashMap::new(),
            cut: None,
            decided: Vec::new(),
            order: None,
            drawn_in: Vec::new(),
            nimbers: Vec::new(),
        };
        graph.enter(rules, rules.identity(root)?, 0)?;
        let mut at = 0;
        while at < graph.nodes.len() {
            ctx.check()?;
            if graph.nodes.len() >= limit && graph.nodes[at].outcome.is_none() {
                graph.cut = Some(graph.nodes[at].depth);
                break;
            }
            let (text, depth) = (graph.nodes[at].text.clone(), graph.nodes[at].depth);
            let names = if graph.nodes[at].outcome.is_none() { rules.moves(&text)? } else { Vec::new() };
            let mut moves = Vec::with_capacity(names.len());
            for name in names {
                let child = rules.identity(&rules.play(&text, &name)?.1)?;
                moves.push((name, graph.enter(rules, child, depth + 1)?));
            }
            graph.nodes[at].moves = moves;
            at += 1;
        }
        graph.value();
        Ok(graph)
    }

    fn enter(&mut self, rules: &(impl AnyRules + ?Sized), text: String, depth: u32) -> Result<usize, Failure> {
        if let Some(&at) = self.index.get(&text) {
            return Ok(at);
        }
        let turn = rules.turn(&text)?;
        let outcome = match rules.status(&text)? {
            Status::Over(outcome) => Some(outcome),
            Status::Turn(_) => None,
        };
        self.index.insert(text.clone(), self.nodes.len());
        self.nodes.push(Node { text, turn, outcome, moves: Vec::new(), depth });
        Ok(self.nodes.len() - 1)
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: a graph contains its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns whether the graph contains every reachable position.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.cut.is_none()
    }

    /// All positions, the root first.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a position.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<usize> {
        self.index.get(text).copied()
    }

    /// The truth about a node.
    #[must_use]
    pub fn truth(&self, at: usize) -> Truth {
        let horizon = self.cut.map(|cut| cut.saturating_sub(self.nodes[at].depth));
        match (self.decided[at], horizon) {
            (Some((value, plies)), None) => Truth::Known(value, Some(plies)),
            (Some((value, plies)), Some(horizon)) => Truth::Known(value, (plies <= horizon).then_some(plies)),
            (None, None) => Truth::Known(Wdl::Draw, self.drawn_in[at]),
            (None, Some(_)) if self.nodes[at].outcome.is_some() => Truth::Known(Wdl::Draw, Some(0)),
            (None, Some(horizon)) => Truth::Open(horizon),
        }
    }

    /// The value of the move from `at` to `child` for its mover.
    #[must_use]
    pub fn worth(&self, at: usize, child: usize) -> Truth {
        let seen = |value: Wdl| if self.nodes[at].turn == self.nodes[child].turn { value } else { value.flip() };
        match self.truth(child) {
            Truth::Known(value, plies) => Truth::Known(seen(value), plies.map(|plies| plies + 1)),
            Truth::Open(plies) => Truth::Open(plies + 1),
        }
    }

    /// The nim-value, if the graph is complete and acyclic. It is meaningful only for impartial games.
    #[must_use]
    pub fn nimber(&self, at: usize) -> Option<u32> {
        self.order.as_ref().map(|_| self.nimbers[at])
    }

    /// The numbers of positions that are won, drawn and lost for the side to move.
    #[must_use]
    pub fn totals(&self) -> [u64; 3] {
        let mut totals = [0; 3];
        for at in 0..self.len() {
            match self.truth(at) {
                Truth::Known(Wdl::Win, _) => totals[0] += 1,
                Truth::Known(Wdl::Loss, _) => totals[2] += 1,
                _ => totals[1] += 1,
            }
        }
        totals
    }

    /// The numbers of finished positions won by the first player, won by the second, and drawn.
    #[must_use]
    pub fn finished(&self) -> [u64; 3] {
        let mut finished = [0; 3];
        self.nodes.iter().filter_map(|node| node.outcome).for_each(|outcome| finished[place(outcome)] += 1);
        finished
    }

    /// The numbers of games from the root by result; `None` if the graph is cyclic or the numbers overflow.
    #[must_use]
    pub fn games(&self) -> Option<Games> {
        let mut games: Vec<Games> = vec![[0; 3]; self.len()];
        for &at in self.order.as_ref()? {
            if let Some(outcome) = self.nodes[at].outcome {
                games[at][place(outcome)] = 1;
            }
            for &(_, child) in &self.nodes[at].moves {
                let below = games[child];
                for (sum, more) in games[at].iter_mut().zip(below) {
                    *sum = sum.checked_add(more)?;
                }
            }
        }
        Some(games[0])
    }

    /// Values every node backwards from the final positions, in order of distance.
    fn value(&mut self) {
        let mut parents: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        let mut open: Vec<usize> = vec![usize::MAX; self.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.moves.iter().for_each(|&(_, child)| parents[child].push(at));
            if !node.moves.is_empty() {
                open[at] = node.moves.len();
            }
        }
        self.decided = self.nodes.iter().map(|node| Some((node.outcome?.seen_by(node.turn), 0))).collect();
        // Drawn final positions are not propagated: every position that is not won or lost is a draw.
        self.decided.iter_mut().filter(|known| matches!(known, Some((Wdl::Draw, _)))).for_each(|known| *known = None);
        let mut queue: VecDeque<usize> = (0..self.len()).filter(|&at| self.decided[at].is_some()).collect();
        while let Some(child) = queue.pop_front() {
            let Some((value, plies)) = self.decided[child] else { continue };
            for &at in &parents[child] {
                if self.decided[at].is_some() {
                    continue;
                }
                let same = self.nodes[at].turn == self.nodes[child].turn;
                if (if same { value } else { value.flip() }) == Wdl::Win {
                    self.decided[at] = Some((Wdl::Win, plies + 1));
                    queue.push_back(at);
                    continue;
                }
                open[at] -= 1;
                if open[at] == 0 {
                    self.decided[at] = Some((Wdl::Loss, plies + 1));
                    queue.push_back(at);
                }
            }
        }
        self.drawn_in = vec![None; self.len()];
        if self.complete() {
            self.order = self.children_first(&parents);
            self.follow_order();
        }
    }

    /// A topological order (children first); `None` if play can cycle.
    fn children_first(&self, parents: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = self.nodes.iter().map(|node| node.moves.len()).collect();
        let mut order: Vec<usize> = (0..self.len()).filter(|&at| left[at] == 0).collect();
        let mut next = 0;
        while let Some(&child) = order.get(next) {
            for &at in &parents[child] {
                left[at] -= 1;
                if left[at] == 0 {
                    order.push(at);
                }
            }
            next += 1;
        }
        (order.len() == self.len()).then_some(order)
    }

    /// Computes the nim-values and the lengths of drawn plays.
    fn follow_order(&mut self) {
        let Some(order) = &self.order else { return };
        self.nimbers = vec![0; self.nodes.len()];
        // The lengths of drawn plays: none, one, or several.
        let mut lengths: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for &at in order {
            let node = &self.nodes[at];
            let mut seen: Vec<u32> = node.moves.iter().map(|&(_, child)| self.nimbers[child]).collect();
            seen.sort_unstable();
            seen.dedup();
            let mex = (0..).zip(&seen).take_while(|(i, value)| i == *value).count();
            self.nimbers[at] = mex as u32;
            let mut own: Vec<u32> = node.moves.iter().flat_map(|&(_, child)| &lengths[child]).map(|n| n + 1).collect();
            if node.outcome == Some(Outcome::Draw) {
                own.push(0);
            }
            own.sort_unstable();
            own.dedup();
            own.truncate(2);
            self.drawn_in[at] = if let [only] = own[..] { Some(only) } else { None };
            lengths[at] = own;
        }
    }
}

/// The index of a result: first, second, draw.
fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(Player::First) => 0,
        Outcome::Win(Player::Second) => 1,
        Outcome::Draw => 2,
    }
}
