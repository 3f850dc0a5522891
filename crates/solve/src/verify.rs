//! Verifies a strategy against every reply.
//!
//! If the strategy allows several moves, each of them is followed. Positions are visited once; lines are counted
//! over the graph that they form.

use crate::exact_counts::Tally;
use crate::recursion::deep;
use agon_core::solver::Failed;
use agon_core::{Ctx, Game, Player, Stop, Strategy, Wdl, collect_moves};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The claim: if the strategy plays `side` from `root`, it gets at least `least`.
#[derive(Clone, Debug)]
pub struct Claim<P> {
    /// The side the strategy plays.
    pub side: Player,
    /// The least result: a win, or at least a draw.
    pub least: Wdl,
    /// The position from which play begins.
    pub root: P,
}

/// The way in which a line refutes a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Break<M> {
    /// The game ended with less than the claim.
    Result(Wdl),
    /// The strategy had no move.
    Silent,
    /// The strategy chose a move that is not legal.
    Illegal(M),
    /// Play can cycle for ever, which wins for nobody.
    Cycle,
}

/// A counterexample: a line from the root that refutes the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<M> {
    /// The moves of both sides.
    pub moves: Vec<M>,
    /// The failure at its end.
    pub how: Break<M>,
}

/// Complete lines by how they end for the strategy's side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Won.
    pub win: BigUint,
    /// Drawn.
    pub draw: BigUint,
    /// Lost.
    pub loss: BigUint,
    /// Without a legal move of the strategy.
    pub broken: BigUint,
}

impl Lines {
    /// The sum.
    #[must_use]
    pub fn all(&self) -> BigUint {
        &self.win + &self.draw + &self.loss + &self.broken
    }

    /// Lines that end worse than `least`.
    #[must_use]
    pub fn below(&self, least: Wdl) -> BigUint {
        let drawn = if least == Wdl::Win { self.draw.clone() } else { BigUint::default() };
        &self.loss + &self.broken + drawn
    }
}

/// The result of verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict<P, M> {
    /// True if the claim holds.
    pub holds: bool,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of lines; `None` if play can cycle, so that there are infinitely many, or if the search ended early.
    pub lines: Option<Lines>,
    /// True if the search ended early, at the first counterexample.
    pub partial: bool,
    /// A shortest counterexample.
    pub counterexample: Option<Counterexample<M>>,
    /// The opponent's best response to the strategy; `None` if the search ended early.
    pub response: Option<Response<M>>,
    /// The strategy's choices at each of its positions, in breadth-first order.
    pub choices: Vec<Choice<P, M>>,
}

/// The choice of a strategy at one of its positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice<P, M> {
    /// The position.
    pub position: P,
    /// The strategy's memory of the opponent's last move; 0 unless it looks back.
    pub memory: u16,
    /// The moves that it may make.
    pub moves: Vec<M>,
}

/// The worst that can happen to a strategy: the opponent plays best, and the strategy's free choices fall badly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response<M> {
    /// The result for the strategy's side. A strategy without a legal move has lost; play that cycles is a draw.
    pub value: Wdl,
    /// A line that leads there: a shortest one, or a longest one if the strategy always wins. Empty if play cycles.
    pub moves: Vec<M>,
}

impl<P: Clone + Ord, M: Copy + Ord> Verdict<P, M> {
    /// The strategy's choices by position: what it plays after different last moves is taken together. Any play that
    /// follows these moves is one that the strategy can be brought to, so they prove as much.
    #[must_use]
    pub fn moves(&self) -> Vec<(P, Vec<M>)> {
        let mut all: std::collections::BTreeMap<P, Vec<M>> = std::collections::BTreeMap::new();
        for choice in &self.choices {
            all.entry(choice.position.clone()).or_default().extend(&choice.moves);
        }
        let tidy = |(pos, mut moves): (P, Vec<M>)| {
            let mut seen = std::collections::BTreeSet::new();
            moves.retain(|mv| seen.insert(*mv));
            (pos, moves)
        };
        all.into_iter().map(tidy).collect()
    }
}

struct Node<P, M> {
    pos: P,
    /// The strategy's memory here.
    memory: u16,
    from: Option<(u32, M)>,
    /// The range of this node's successors in the list of edges.
    edges: std::ops::Range<usize>,
    end: Option<Break<M>>,
    result: Option<Wdl>,
}

/// Every position that the strategy can reach, in breadth-first order, so that the first counterexample is a shortest
/// one.
struct Graph<P, M> {
    nodes: Vec<Node<P, M>>,
    edges: Vec<(u32, M)>,
    choices: Vec<Choice<P, M>>,
    /// True if the search ended at the first counterexample.
    partial: bool,
}

/// Above this number of positions, the search stops at the first counterexample and does not count lines.
const MAX_COUNTED_POSITIONS: usize = 1 << 20;

/// Nodes between two looks at the memory that the graph takes.
const NODES_PER_LOOK: usize = 4096;

/// Checks the claim against every reply. A limit of `ctx` that is reached before the claim is decided is an error; a
/// counterexample that was met by then decides it.
///
/// ```
/// use agon_core::{Ctx, Family, Game, Player, Wdl};
/// use agon_games::mnk::Mnk;
/// use agon_solve::verify::{Claim, verify};
///
/// let game = Mnk::new(3, 3, 3);
/// let strategy = game.strategy("singh-objectives", "").unwrap();
/// let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
/// let verdict = verify(&game, strategy.as_ref(), &claim, &Ctx::default()).unwrap();
/// assert!(!verdict.holds && verdict.lines.unwrap().loss == 48u32.into());
/// ```
pub fn verify<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    ctx: &Ctx,
) -> Result<Verdict<G::Position, G::Move>, Stop> {
    let graph = explore(game, strategy, claim, MAX_COUNTED_POSITIONS, ctx)?;
    let order = if graph.partial { None } else { topological(&graph) };
    let worse = graph.nodes.iter().position(|node| node.end.is_some());
    let mut counterexample = worse.map(|at| graph.line_to(at));
    let lines = order.as_ref().map(|order| lines(&graph, order));
    if order.is_none() && claim.least == Wdl::Win && counterexample.is_none() {
        counterexample = cycle(&graph).map(|at| Counterexample { how: Break::Cycle, ..graph.line_to(at) });
    }
    Ok(Verdict {
        holds: counterexample.is_none(),
        positions: graph.nodes.len() as u64,
        lines,
        partial: graph.partial,
        counterexample,
        response: (!graph.partial).then(|| response(&graph, order.as_deref())),
        choices: graph.choices,
    })
}

/// Returns whether the claim holds. The search is depth-first, so that it meets an end soon, and stops at the first
/// counterexample.
pub fn holds<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    ctx: &Ctx,
) -> Result<bool, Stop> {
    let (mut meter, memory) = (ctx.meter(), Memory::of(game, strategy, claim.side));
    // For each state, whether it lies on the path from the root.
    let mut met: FxHashMap<(G::Position, u16), bool> = FxHashMap::default();
    // A map that grows takes twice the room of its contents.
    let owned = if std::mem::needs_drop::<G::Position>() { 2 } else { 1 };
    let most = ctx.memory() / (2 * owned * size_of::<((G::Position, u16), bool)>());
    let mut path = vec![((claim.root.clone(), 0), None)];
    while let Some((state, moves)) = path.last_mut() {
        let (pos, known) = &*state;
        if moves.is_none() {
            meter.tick()?;
            if met.len() > most {
                return Err(Stop::Memory);
            }
            met.insert(state.clone(), true);
            *moves = Some(match game.outcome(pos) {
                Some(outcome) if outcome.seen_by(claim.side) < claim.least => return Ok(false),
                Some(_) => Vec::new(),
                None => {
                    let legal = collect_moves(game, pos);
                    if game.turn(pos) == claim.side {
                        let chosen = strategy.choices_knowing(game, pos, *known);
                        if chosen.is_empty() || chosen.iter().any(|mv| !legal.contains(mv)) {
                            return Ok(false);
                        }
                        chosen
                    } else {
                        legal
                    }
                }
            });
            continue;
        }
        let Some(mv) = moves.as_mut().and_then(Vec::pop) else {
            met.insert(state.clone(), false);
            path.pop();
            continue;
        };
        let next = game.after(pos, mv);
        let next = (next.clone(), memory.after(pos, mv, &next));
        match met.get(&next) {
            // Play can cycle, which wins for nobody.
            Some(true) if claim.least == Wdl::Win => return Ok(false),
            Some(_) => {}
            None => path.push((next, None)),
        }
    }
    Ok(true)
}

/// A shortest counterexample, if there is one, and the number of positions visited.
pub type Sought<M> = (Option<Counterexample<M>>, u64);

/// Looks for a shortest counterexample; the search ends when it is found.
pub fn shortest<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    ctx: &Ctx,
) -> Result<Sought<G::Move>, Stop> {
    let graph = explore(game, strategy, claim, 0, ctx)?;
    let worse = graph.nodes.iter().position(|node| node.end.is_some());
    let cycles = || claim.least == Wdl::Win && topological(&graph).is_none();
    let broken = match worse {
        Some(at) => Some(graph.line_to(at)),
        None if cycles() => cycle(&graph).map(|at| Counterexample { how: Break::Cycle, ..graph.line_to(at) }),
        None => None,
    };
    Ok((broken, graph.nodes.len() as u64))
}

/// The worst end of a line, with a line that leads there.
fn response<P: Clone + Eq + std::hash::Hash, M: Copy>(graph: &Graph<P, M>, order: Option<&[u32]>) -> Response<M> {
    let value = |node: &Node<P, M>| match (node.result, &node.end) {
        (None, Some(_)) => Some(Wdl::Loss),
        (result, _) => result,
    };
    let worst = graph.nodes.iter().filter_map(value).min().unwrap_or(Wdl::Win);
    let Some(order) = order else {
        // Play can cycle, which is a draw for both.
        let end = graph.nodes.iter().position(|node| worst < Wdl::Draw && value(node) == Some(worst));
        let moves = end.map_or(Vec::new(), |end| graph.line_to(end).moves);
        return Response { value: worst.min(Wdl::Draw), moves };
    };
    if worst < Wdl::Win {
        let end = graph.nodes.iter().position(|node| value(node) == Some(worst)).unwrap_or(0);
        return Response { value: worst, moves: graph.line_to(end).moves };
    }
    // The longest line, from the ends backwards.
    let mut longest: Vec<(u32, Option<(u32, M)>)> = vec![(0, None); graph.nodes.len()];
    for &at in order.iter().rev() {
        for &(to, mv) in graph.next(at as usize) {
            let plies = longest[to as usize].0 + 1;
            if plies > longest[at as usize].0 {
                longest[at as usize] = (plies, Some((to, mv)));
            }
        }
    }
    let (mut at, mut moves) = (0, Vec::new());
    while let Some((to, mv)) = longest[at].1 {
        moves.push(mv);
        at = to as usize;
    }
    Response { value: worst, moves }
}

fn explore<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    large: usize,
    ctx: &Ctx,
) -> Result<Graph<G::Position, G::Move>, Stop> {
    let mut meter = ctx.meter();
    let mut graph = Graph { nodes: Vec::new(), edges: Vec::new(), choices: Vec::new(), partial: false };
    let mut found = FxHashMap::default();
    let memory = Memory::of(game, strategy, claim.side);
    graph.add(claim.root.clone(), 0, None, &mut found);
    let (mut at, mut broken) = (0, false);
    while at < graph.nodes.len() {
        let room = at % NODES_PER_LOOK != 0 || graph.bytes() <= ctx.memory();
        match meter.tick().and(if room { Ok(()) } else { Err(Stop::Memory) }) {
            Err(stop) if stop == Stop::Interrupted || !broken => return Err(stop),
            Err(_) => {
                graph.partial = true;
                break;
            }
            Ok(()) => {}
        }
        if at % 65_536 == 0 {
            ctx.progress("verifying", at as u64, None);
        }
        let pos = graph.nodes[at].pos.clone();
        let (begin, met) = (graph.edges.len(), graph.nodes.len());
        if let Some(outcome) = game.outcome(&pos) {
            let result = outcome.seen_by(claim.side);
            graph.nodes[at].result = Some(result);
            graph.nodes[at].end = (result < claim.least).then_some(Break::Result(result));
        } else {
            let legal = collect_moves(game, &pos);
            let moves = if game.turn(&pos) == claim.side {
                let known = graph.nodes[at].memory;
                let chosen = strategy.choices_knowing(game, &pos, known);
                let illegal = chosen.iter().find(|mv| !legal.contains(mv));
                graph.nodes[at].end = match illegal {
                    Some(&mv) => Some(Break::Illegal(mv)),
                    None => chosen.is_empty().then_some(Break::Silent),
                };
                graph.choices.push(Choice { position: pos.clone(), memory: known, moves: chosen.clone() });
                if illegal.is_some() { Vec::new() } else { chosen }
            } else {
                legal
            };
            for mv in moves {
                let next = game.after(&pos, mv);
                let known = memory.after(&pos, mv, &next);
                let child = graph.add(next, known, Some((at as u32, mv)), &mut found);
                graph.edges.push((child, mv));
            }
        }
        graph.nodes[at].edges = begin..graph.edges.len();
        broken |= graph.nodes[at].end.is_some();
        at += 1;
        if graph.nodes.len() > large {
            graph.partial = broken || graph.look_ahead(game, claim, met);
            if graph.partial {
                break;
            }
        }
    }
    Ok(graph)
}

/// The memory of a strategy when it is to move: of the opponent's last move if it looks back, else 0.
struct Memory<'a, G: Game> {
    game: &'a G,
    strategy: &'a dyn Strategy<G>,
    side: Player,
    looks_back: bool,
}

impl<'a, G: Game> Memory<'a, G> {
    fn of(game: &'a G, strategy: &'a dyn Strategy<G>, side: Player) -> Memory<'a, G> {
        Memory { game, strategy, side, looks_back: strategy.looks_back() }
    }

    fn after(&self, before: &G::Position, mv: G::Move, next: &G::Position) -> u16 {
        let answers = self.looks_back && self.game.turn(before) != self.side && self.game.turn(next) == self.side;
        if answers { self.strategy.remembers(self.game, before, mv) } else { 0 }
    }
}

impl<P: Clone + Eq + std::hash::Hash, M: Copy> Graph<P, M> {
    fn add(&mut self, pos: P, memory: u16, from: Option<(u32, M)>, found: &mut FxHashMap<(P, u16), u32>) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *found.entry((pos.clone(), memory)).or_insert(next);
        if id == next {
            self.nodes.push(Node { pos, memory, from, edges: 0..0, end: None, result: None });
        }
        id
    }

    /// The bytes that the graph and the map of its positions take, about. What positions own outside of themselves is
    /// taken to be as much again.
    fn bytes(&self) -> usize {
        let owned = if std::mem::needs_drop::<P>() { 2 } else { 1 };
        let node = size_of::<Node<P, M>>() + 2 * size_of::<((P, u16), u32)>() + owned * size_of::<P>();
        // Lists that grow take twice the room of their contents.
        2 * (self.nodes.len() * node * owned
            + self.edges.len() * size_of::<(u32, M)>()
            + self.choices.len() * (size_of::<Choice<P, M>>() + size_of::<M>()))
    }

    /// Returns whether one of the positions from `first` on refutes the claim.
    fn look_ahead<G: Game<Position = P, Move = M>>(&mut self, game: &G, claim: &Claim<P>, first: usize) -> bool {
        let result = |node: &Node<P, M>| game.outcome(&node.pos).map(|outcome| outcome.seen_by(claim.side));
        let mut fresh = self.nodes[first..].iter_mut();
        let broken = fresh.find_map(|node| Some((result(node).filter(|&r| r < claim.least)?, node)));
        if let Some((result, node)) = broken {
            (node.result, node.end) = (Some(result), Some(Break::Result(result)));
            return true;
        }
        false
    }

    fn next(&self, at: usize) -> &[(u32, M)] {
        &self.edges[self.nodes[at].edges.clone()]
    }

    fn line_to(&self, end: usize) -> Counterexample<M> {
        let (mut at, mut moves) = (end, Vec::new());
        while let Some((parent, mv)) = self.nodes[at].from {
            moves.push(mv);
            at = parent as usize;
        }
        moves.reverse();
        Counterexample { moves, how: self.nodes[end].end.unwrap_or(Break::Cycle) }
    }
}

/// A topological order of the nodes; `None` if play can cycle.
fn topological<P: Clone + Eq + std::hash::Hash, M: Copy>(graph: &Graph<P, M>) -> Option<Vec<u32>> {
    let mut entering = vec![0u32; graph.nodes.len()];
    graph.edges.iter().for_each(|&(to, _)| entering[to as usize] += 1);
    let mut order: Vec<u32> = (0..graph.nodes.len() as u32).filter(|&at| entering[at as usize] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &(to, _) in graph.next(order[done] as usize) {
            entering[to as usize] -= 1;
            if entering[to as usize] == 0 {
                order.push(to);
            }
        }
        done += 1;
    }
    (order.len() == graph.nodes.len()).then_some(order)
}

/// The first node on a cycle.
fn cycle<P: Clone + Eq + std::hash::Hash, M: Copy>(graph: &Graph<P, M>) -> Option<usize> {
    // Depth-first search; a successor on the current path closes a cycle.
    let mut state = vec![0u8; graph.nodes.len()];
    let mut path = vec![(0usize, 0usize)];
    state[0] = 1;
    while let Some(&mut (at, ref mut edge)) = path.last_mut() {
        let Some(&(to, _)) = graph.next(at).get(*edge) else {
            state[at] = 2;
            path.pop();
            continue;
        };
        *edge += 1;
        match state[to as usize] {
            0 => {
                state[to as usize] = 1;
                path.push((to as usize, 0));
            }
            1 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Propagates the number of paths to each node along its edges.
fn lines<P: Clone + Eq + std::hash::Hash, M: Copy>(graph: &Graph<P, M>, order: &[u32]) -> Lines {
    let mut ways = vec![Tally::default(); graph.nodes.len()];
    ways[0] = Tally::ONE;
    let mut ends: [Tally; 4] = Default::default();
    for &at in order {
        let node = &graph.nodes[at as usize];
        let here = ways[at as usize].clone();
        match node.result {
            Some(Wdl::Win) => ends[0] += &here,
            Some(Wdl::Draw) => ends[1] += &here,
            Some(Wdl::Loss) => ends[2] += &here,
            None if node.end.is_some() => ends[3] += &here,
            None => graph.next(at as usize).iter().for_each(|&(to, _)| ways[to as usize] += &here),
        }
    }
    let [win, draw, loss, broken] = ends.map(|n| n.big());
    Lines { win, draw, loss, broken }
}

/// Up to `most` complete lines that refute the claim; none if play can cycle.
pub fn broken_lines<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    most: usize,
    ctx: &Ctx,
) -> Result<Vec<Vec<G::Move>>, Stop> {
    let graph = explore(game, strategy, claim, MAX_COUNTED_POSITIONS, ctx)?;
    let mut lines = Vec::new();
    let Some(order) = topological(&graph) else { return Ok(lines) };
    // Enter only nodes from which a failure can be reached.
    let mut leads = vec![false; graph.nodes.len()];
    for &at in order.iter().rev() {
        let at = at as usize;
        leads[at] = graph.nodes[at].end.is_some() || graph.next(at).iter().any(|&(to, _)| leads[to as usize]);
    }
    if leads[0] {
        walk_broken(&graph, &leads, 0, &mut Vec::new(), &mut lines, most);
    }
    Ok(lines)
}

fn walk_broken<P: Clone + Eq + std::hash::Hash, M: Copy>(
    graph: &Graph<P, M>,
    leads: &[bool],
    at: usize,
    line: &mut Vec<M>,
    lines: &mut Vec<Vec<M>>,
    most: usize,
) {
    if lines.len() >= most {
        return;
    }
    if graph.nodes[at].end.is_some() {
        return lines.push(line.clone());
    }
    for &(to, mv) in graph.next(at).iter().filter(|(to, _)| leads[*to as usize]) {
        line.push(mv);
        deep(|| walk_broken(graph, leads, to as usize, line, lines, most));
        line.pop();
    }
}

/// A mistake: a position in which the strategy gives the claim away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure<P, M> {
    /// The position before the mistake, with the strategy to move.
    pub position: P,
    /// A move of the strategy after which the claim is lost; none if the strategy has no move.
    pub wrong: Option<M>,
    /// The strategy's memory of the opponent's last move.
    pub memory: u16,
    /// A line that leads to the position.
    pub line: Vec<M>,
}

/// The mistakes of a strategy, in breadth-first order.
pub type Failures<G> = Vec<Failure<<G as Game>::Position, <G as Game>::Move>>;

/// Answers whether a side can still get what is claimed at a position.
pub type Keeps<'a, P> = &'a mut dyn FnMut(&P) -> Result<bool, Failed>;

/// Every distinct position of a first mistake: the claim can be kept before the strategy's move and not after it.
/// `keeps(pos)` returns whether `side` can still get what is claimed. A limit that stops the search leaves the mistakes
/// nearest to the root, and is given with them.
pub fn failures<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    keeps: Keeps<'_, G::Position>,
    ctx: &Ctx,
) -> Result<(Failures<G>, Option<Stop>), Failed> {
    let mut failures = Vec::new();
    match collect_failures(game, strategy, claim, keeps, ctx, &mut failures) {
        Ok(()) => Ok((failures, None)),
        Err(Failed::Stopped(stop)) if stop != Stop::Interrupted => Ok((failures, Some(stop))),
        Err(why) => Err(why),
    }
}

fn collect_failures<G: Game>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    keeps: Keeps<'_, G::Position>,
    ctx: &Ctx,
    failures: &mut Failures<G>,
) -> Result<(), Failed> {
    let mut meter = ctx.meter();
    if !keeps(&claim.root)? {
        return Ok(());
    }
    let mut graph: Graph<G::Position, G::Move> =
        Graph { nodes: Vec::new(), edges: Vec::new(), choices: Vec::new(), partial: false };
    let mut found = FxHashMap::default();
    let memory = Memory::of(game, strategy, claim.side);
    graph.add(claim.root.clone(), 0, None, &mut found);
    let mut at = 0;
    while at < graph.nodes.len() {
        meter.tick()?;
        if at % NODES_PER_LOOK == 0 && graph.bytes() > ctx.memory() {
            return Err(Stop::Memory.into());
        }
        let (pos, known) = (graph.nodes[at].pos.clone(), graph.nodes[at].memory);
        let own = game.turn(&pos) == claim.side;
        let legal = collect_moves(game, &pos);
        let asked = own && !legal.is_empty();
        let moves = if asked { strategy.choices_knowing(game, &pos, known) } else { legal.clone() };
        let mut wrong = |graph: &Graph<_, _>, wrong: Option<G::Move>| {
            failures.push(Failure { position: pos.clone(), wrong, memory: known, line: graph.line_to(at).moves });
        };
        if asked && moves.is_empty() {
            wrong(&graph, None);
        }
        for mv in moves {
            let next = legal.contains(&mv).then(|| game.after(&pos, mv));
            match next {
                Some(next) if !own || keeps(&next)? => {
                    let known = memory.after(&pos, mv, &next);
                    graph.add(next, known, Some((at as u32, mv)), &mut found);
                }
                _ => wrong(&graph, Some(mv)),
            }
        }
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
