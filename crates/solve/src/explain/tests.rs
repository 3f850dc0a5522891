use super::*;
use crate::cyclic::LookUp;
use crate::lines::Provers;
use crate::{AlphaBeta, fixpoint};
use agon_core::solver::Solver;
use agon_core::toy::{Dots, FreeGraph, Pile, Take};
use agon_core::{Ctx, Game, Rng, Stop, Symmetric, Value, collect_moves};
use agon_games::mnk::Mnk;
use std::collections::{BTreeMap, BTreeSet};

type Truth<G> = BTreeMap<<G as Game>::Position, Value>;
type Tree<G> = Node<<G as Game>::Position, <G as Game>::Move>;

/// Compares every position of a tree with plain repetition over all positions, and what it shows with the rules.
fn check_node<G: Game>(game: &G, node: &Tree<G>, truth: &Truth<G>, depth: u32, most: u32) {
    let (pos, value) = (&node.position, truth[&node.position]);
    assert_eq!(node.mover, game.turn(pos));
    assert!(node.value.lo <= value.wdl() && value.wdl() <= node.value.hi, "{pos:?}");
    if value.wdl() != Wdl::Draw && node.plies.is_some() {
        assert_eq!(node.plies, value.plies(), "{pos:?}");
    }
    let shown: Vec<G::Move> = node.moves.iter().map(|(mv, _)| *mv).collect();
    match node.shown {
        Shown::End(outcome) => assert_eq!((game.outcome(pos), shown.len()), (Some(outcome), 0)),
        Shown::Every => assert_eq!(shown, collect_moves(game, pos)),
        Shown::Answer => assert_eq!((shown.len(), node.worth(0)), (1, node.value), "{pos:?}"),
        Shown::Proven(_) => assert!(node.value.value().is_some() && shown.is_empty() && game.outcome(pos).is_none()),
        Shown::Open => assert!(node.value.value().is_none() && shown.is_empty()),
        Shown::Some => panic!("few moves"),
    }
    assert!(depth <= most + 1);
    for (mv, child) in &node.moves {
        assert_eq!(game.after(pos, *mv), child.position);
        check_node(game, child, truth, depth + 1, most);
    }
}

/// Every leaf below is an end of play.
fn to_the_ends<P, M>(node: &Node<P, M>) -> bool {
    matches!(node.shown, Shown::End(_)) || !node.moves.is_empty() && node.moves.iter().all(|(_, n)| to_the_ends(n))
}

fn check<G: Game>(game: &G, pos: &G::Position, solver: &mut dyn Solver<G>, limits: &Limits) -> usize {
    let truth = fixpoint::solve(game, pos, &Ctx::default()).unwrap();
    let why = explain(game, pos, solver, false, limits, &Ctx::default()).unwrap();
    let (root, value) = (&why.root, truth[pos]);
    assert_eq!((root.value.value(), &why.stopped, why.cut.effort), (Some(value.wdl()), &None, 0), "{pos:?}");
    check_node(game, root, &truth, 0, limits.depth);
    assert!(root.size() <= 1 + 3 * collect_moves(game, pos).len() + limits.positions);
    let lost: BTreeSet<G::Move> =
        (0..root.moves.len()).filter(|&i| root.worth(i).value() == Some(Wdl::Loss)).map(|i| root.moves[i].0).collect();
    for (mv, tree) in root.moves.iter().filter(|(mv, _)| lost.contains(mv)) {
        assert!(why.cut.positions() > 0 || to_the_ends(tree), "{mv:?} at {pos:?}");
    }
    let won = root.moves.iter().filter(|(_, tree)| tree.winner() == Some(root.mover) && to_the_ends(tree)).count();
    let over = game.outcome(pos).is_some();
    assert!(over || value.wdl() != Wdl::Win || why.cut.positions() > 0 || won > 0, "{pos:?}");
    for line in &why.lines {
        let (mut at, own) = (pos.clone(), &line.moves[0]);
        let mut seen = BTreeSet::new();
        for mv in &line.moves {
            assert!(collect_moves(game, &at).contains(mv) && seen.insert(at.clone()), "{pos:?}");
            game.play(&mut at, *mv);
        }
        match line.ends {
            Ends::Over(outcome) => assert_eq!(game.outcome(&at), Some(outcome)),
            Ends::Repeats => assert!(seen.contains(&at) && value.wdl() == Wdl::Draw),
            Ends::Proven => panic!("{pos:?}: the line after {own:?} does not end"),
        }
        if lost.contains(own) {
            let plies = truth[&game.after(pos, *own)].plies().map(|plies| plies as usize + 1);
            assert_eq!((line.ends, Some(line.moves.len())), (Ends::Over(Outcome::Win(root.mover.other())), plies));
        }
    }
    let explained: BTreeSet<G::Move> = why.lines.iter().map(|line| line.moves[0]).collect();
    assert!(lost.is_subset(&explained));
    lost.len()
}

fn random_positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::Position> {
    let mut rng = Rng::new(seed);
    let mut list = vec![game.start()];
    while list.len() < count {
        let mut pos = game.start();
        for _ in 0..2 + rng.below(10) {
            let Some(mv) = game.random_move(&pos, &mut rng) else { break };
            game.play(&mut pos, mv);
        }
        list.push(pos);
    }
    list
}

/// Explains random positions under small and large limits.
fn check_all<G: Game + Symmetric>(game: &G, count: usize, mut solver: impl FnMut() -> Box<dyn Solver<G>>) -> usize {
    let mut refuted = 0;
    for (i, pos) in random_positions(game, count, 5).iter().enumerate() {
        let positions = [0, 1, 7, 40, 1_000_000][i % 5];
        let limits = Limits { positions, depth: if i % 3 == 0 { 4 } else { 40 } };
        refuted += check(game, pos, solver().as_mut(), &limits);
    }
    refuted
}

#[test]
fn every_defence_is_answered_in_games_that_end() {
    for (m, n, k) in [(3, 3, 3), (4, 2, 3), (3, 3, 2)] {
        let refuted = check_all(&Mnk::new(m, n, k), 40, || Box::new(AlphaBeta::new(1 << 20)));
        assert!(refuted > 10, "{refuted}");
    }
    check_all(&Pile::new(9), 10, || Box::new(AlphaBeta::new(1 << 16)));
}

#[test]
fn a_side_that_moves_again_is_no_answer() {
    let refuted = check_all(&Dots::new(2, 1), 40, || Box::new(AlphaBeta::new(1 << 20)));
    assert!(refuted > 0, "{refuted}");
    check_all(&Take(9), 20, || Box::new(AlphaBeta::new(1 << 16)));
}

#[test]
fn play_may_cycle() {
    let (mut rng, mut refuted) = (Rng::new(4), 0);
    for _ in 0..200 {
        let name = |i: usize| ["a", "b", "c", "d", "e", "f", "+", "=", "-"][i];
        let star = |rng: &mut Rng| if rng.below(4) == 0 { "*" } else { "" };
        let row = |i: usize, rng: &mut Rng| {
            let next: Vec<String> =
                (0..1 + rng.below(3)).map(|_| format!("{}{}", star(rng), name(rng.below(9)))).collect();
            format!("{}:{}", name(i), next.join(","))
        };
        let rows: Vec<String> = (0..6).map(|i| row(i, &mut rng)).collect();
        let graph = FreeGraph::with_turns(&rows.join(" "));
        let mut solver = LookUp { memory: 1 << 20, solved: None };
        refuted += check(&graph, &graph.start(), &mut solver, &Limits::default());
    }
    assert!(refuted > 30, "{refuted}");
}

#[test]
fn a_solver_without_distances_explains_too() {
    // Provers know who wins, and sometimes a move; the rest follows from the values of moves.
    let game = Mnk::new(3, 3, 3);
    for pos in random_positions(&game, 40, 8) {
        let mut solver = Provers::new(&game, 1 << 20).expect("a game of lines");
        let why = explain(&game, &pos, &mut solver, false, &Limits::default(), &Ctx::default()).unwrap();
        let truth = fixpoint::solve(&game, &pos, &Ctx::default()).unwrap();
        check_node(&game, &why.root, &truth, 0, Limits::default().depth);
    }
}

#[test]
fn nothing_is_claimed_without_time() {
    let game = Mnk::new(5, 5, 4);
    let budget = Ctx::default().with_budget(2000);
    let mut solver = AlphaBeta::new(1 << 20);
    let why = explain(&game, &game.start(), &mut solver, false, &Limits::default(), &budget).unwrap();
    assert_eq!((why.root.value, &why.stopped), (Bounds::UNKNOWN, &Some(Failed::Stopped(Stop::Nodes))));
    assert!(why.root.moves.iter().all(|(_, node)| node.shown == Shown::Open) && why.lines.is_empty());
}
