use super::*;
use agon_core::{Game, Notation};
use agon_games::drop::Drop;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_games::tak::Tak;

fn with<G: Evaluate>(playouts: u64, threads: usize, seed: u64) -> Mcts<G> {
    let limits = Limits { nodes: Some(playouts), depth: None };
    Mcts::new(Settings { limits, threads, memory: 64 << 20, ..Settings::default() }, seed)
}

fn thinks<G: Evaluate + Notation>(agent: &mut Mcts<G>, game: &G, pos: &str) -> (Thought<G::Move>, String) {
    let pos = if pos == "start" { game.start() } else { game.parse(pos).unwrap() };
    let thought = agent.think(game, &pos, &Ctx::default(), &mut |_| ()).unwrap();
    let name = game.show_move(&pos, thought.mv);
    (thought, name)
}

#[test]
fn it_proves_that_tic_tac_toe_is_a_draw() {
    let (thought, _) = thinks(&mut with(500_000, 1, 1), &Mnk::new(3, 3, 3), "start");
    assert_eq!(thought.proven, Some(Value::DRAW));
    assert!(thought.nodes < 500_000, "{}", thought.nodes);
}

#[test]
fn it_proves_wins_and_losses_with_their_distance() {
    let game = Mnk::new(3, 3, 3);
    let (thought, name) = thinks(&mut with(2_000, 1, 1), &game, "XX./OO./...");
    assert_eq!((thought.proven, name.as_str()), (Some(Value::win_in(1)), "c3"));
    let (thought, _) = thinks(&mut with(20_000, 1, 1), &game, "X.O/.../X.O");
    assert_eq!(thought.proven, Some(Value::win_in(1)));
    // Two rows at once cannot be stopped.
    let (thought, _) = thinks(&mut with(20_000, 1, 1), &game, "X.X/.O./X.O");
    assert_eq!(thought.proven, Some(Value::loss_in(2)));
    // The first player wins 4×3 with three in a row (7 plies at best).
    let (thought, _) = thinks(&mut with(200_000, 1, 1), &Mnk::new(4, 3, 3), "start");
    assert_eq!(thought.proven.map(Value::wdl), Some(Wdl::Win));
}

#[test]
fn the_same_seed_playouts_and_threads_give_the_same_thought() {
    let game = Tak::new(4, 4);
    for threads in [1, 2] {
        let run = |seed| thinks(&mut with(600, threads, seed), &game, "x4/x2,2,x/x,1,x2/2,x2,1 1 3").0;
        assert_eq!(run(7), run(7));
        assert_eq!(run(7).nodes, 600);
        assert_ne!(run(7).alternatives, run(8).alternatives);
    }
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let game = Drop::new(7, 6, 4);
    let mut agent = with(5_000, 1, 3);
    let (first, _) = thinks(&mut agent, &game, "start");
    let mut pos = game.after(&game.start(), first.mv);
    game.play(&mut pos, first.pv[1]);
    let visits = first.alternatives[0].visits;
    let (second, _) = thinks(&mut agent, &game, &game.show(&pos));
    let seen: u64 = second.alternatives.iter().map(|other| other.visits).sum();
    assert!(seen > 5_000 && seen <= 5_000 + visits, "{seen}");
}

#[test]
fn memory_is_bounded() {
    let game = OrderChaos::new(6, 6, 5, 2, true, Row::AtLeast);
    let limits = Limits { nodes: Some(20_000), depth: None };
    let mut agent = Mcts::new(Settings { limits, memory: 1 << 16, ..Settings::default() }, 1);
    thinks(&mut agent, &game, "start");
    assert!(agent.trees[0].nodes.len() * size_of::<tree::Node<agon_games::order_chaos::Placing>>() <= 1 << 16);
}

#[test]
fn tak_wins_in_one_are_taken_and_threats_blocked() {
    let game = Tak::new(4, 4);
    for formula in [Formula::Uct, Formula::Inverse] {
        let limits = Limits { nodes: Some(3_000), depth: None };
        let playouts = Playouts { weights: Some(Tak::default_weights()), ..Playouts::default() };
        let mut agent = Mcts::new(Settings { limits, formula, playouts, ..Settings::default() }, 2);
        let (thought, name) = thinks(&mut agent, &game, "x4/2,2,x2/1,1,1,x/2,x3 1 4");
        assert_eq!((name.as_str(), thought.proven), ("d2", Some(Value::win_in(1))));
        let (thought, name) = thinks(&mut agent, &game, "x4/2,2,x2/1,1,1,x/2,x3 2 4");
        assert!(thought.proven.is_none_or(|value| value.plies() > Some(2)), "{name} {thought:?}");
    }
}

#[test]
fn the_tree_told_of_adds_up() {
    let (game, mut agent) = (
        Mnk::new(3, 3, 3),
        Mcts::new(
            Settings { limits: Limits { nodes: Some(400), depth: None }, solver: false, ..Settings::default() },
            1,
        ),
    );
    assert!(Agent::<Mnk>::grown(&agent, 100).is_empty());
    thinks(&mut agent, &game, "start");
    let all = agent.grown(usize::MAX);
    assert_eq!((all[0].visits, all[0].by), (400, None));
    for (at, node) in all.iter().enumerate() {
        let children: Vec<_> = all.iter().filter(|child| child.by.is_some_and(|(from, _)| from == at)).collect();
        let visits: u64 = children.iter().map(|child| child.visits).sum();
        assert!(children.is_empty() || visits <= node.visits && visits + 1 >= node.visits, "{node:?}");
        assert!(children.iter().all(|child| child.ply == node.ply + 1));
        // What the side to move wins after its moves, the other side loses.
        let won: f64 = children.iter().map(|child| child.share * child.visits as f64).sum();
        let lost = (1.0 - node.share) * node.visits as f64;
        assert!(children.is_empty() || (won - lost).abs() <= 1.0 + 1e-9, "{won} {lost}");
    }
    let few = agent.grown(12);
    assert!(few.len() <= 12 && few.iter().any(|node| node.cut));
}
