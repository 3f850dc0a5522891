use super::*;
use agon_core::{Acyclic, Family, Game, Notation, Rng, Symmetric, Wdl};
use agon_games::drop::Drop;
use agon_games::mill::Mill;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::{OrderChaos, lines::Row};
use agon_games::tak::Tak;
use agon_solve::brute;

fn to_depth(depth: u32) -> Negamax {
    let limits = Limits { depth: Some(depth), nodes: None };
    Negamax::new(Settings { limits, memory: 1 << 22, ..Settings::default() })
}

fn thinks<G: Evaluate + Notation>(agent: &mut Negamax, game: &G, pos: &str) -> (Thought<G::Move>, String) {
    let pos = game.parse(pos).unwrap();
    let thought = agent.think(game, &pos, &Ctx::default(), &mut |_| ()).unwrap();
    let name = game.show_move(&pos, thought.mv);
    (thought, name)
}

/// Proven values agree with plain exhaustion, and a search to the end proves the whole game.
fn agrees_with_brute<G: Evaluate + Acyclic + Symmetric + Family>(game: &G, positions: u32, fewest: u32) {
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..positions {
        let mut pos = game.start();
        while game.height(&pos) > fewest && game.outcome(&pos).is_none() {
            let mv = game.random_move(&pos, &mut rng).unwrap();
            game.play(&mut pos, mv);
        }
        if game.outcome(&pos).is_some() {
            continue;
        }
        let value = |pos: &G::Position| brute::solve(game, pos, &Ctx::default()).value.value().unwrap();
        let exact = value(&pos);
        let thought = to_depth(fewest + 1).think(game, &pos, &Ctx::default(), &mut |_| ()).unwrap();
        let worth = value(&game.after(&pos, thought.mv)).flip();
        assert_eq!(worth, exact, "{}", game.show(&pos));
        if let Some(proven) = thought.proven {
            assert_eq!(proven.wdl(), exact, "{}", game.show(&pos));
            decided += 1;
        }
        assert_eq!(thought.proven.is_some(), exact != Wdl::Draw, "{}", game.show(&pos));
    }
    assert!(decided > 3, "{decided}");
}

#[test]
fn small_games_are_played_as_exhaustion_says() {
    agrees_with_brute(&Mnk::new(3, 3, 3), 60, 6);
    agrees_with_brute(&Mnk::new(4, 4, 3), 30, 8);
    agrees_with_brute(&Drop::new(5, 4, 3), 30, 10);
}

/// After `plies` random moves, the images of a position share its number; a move later it has another.
fn shares_numbers<G: Evaluate + Symmetric>(game: &G, plies: u32) {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let mut pos = game.start();
        let before = game.hash(&pos);
        for _ in 0..plies {
            let mv = game.random_move(&pos, &mut rng).unwrap();
            game.play(&mut pos, mv);
        }
        assert_ne!(game.hash(&pos), before);
        assert!((0..game.order()).all(|element| game.hash(&game.image(element, &pos)) == game.hash(&pos)));
    }
}

#[test]
fn symmetric_boards_share_a_number_while_few_men_stand() {
    shares_numbers(&Mnk::new(5, 5, 4), 3);
    shares_numbers(&OrderChaos::new(6, 6, 5, 2, true, Row::AtLeast), 3);
    shares_numbers(&Tak::new(5, 5), 2);
}

#[test]
fn tak_wins_in_one_are_taken_and_losses_in_one_avoided() {
    let game = Tak::new(5, 5);
    let (thought, name) = thinks(&mut to_depth(3), &game, "x5/2,2,x3/1,1,1,1,x/2,x4/x5 1 5");
    assert_eq!((name.as_str(), thought.proven), ("e3", Some(Value::win_in(1))));
    // Black must block; only a stone on e3, or cutting the row, does.
    let (thought, name) = thinks(&mut to_depth(4), &game, "x5/2,2,x3/1,1,1,1,x/2,x4/x5 2 5");
    assert!(thought.proven.is_none_or(|value| value.plies() > Some(2)), "{name} {:?}", thought.proven);
    // Two ways to complete a road are one too many.
    let lost = "x,1,x3/2,1,x3/1,1,1,1,x/2,1,x3/2,x4 2 7";
    let (thought, _) = thinks(&mut to_depth(3), &game, lost);
    assert_eq!(thought.proven, Some(Value::loss_in(2)));
}

#[test]
fn three_by_three_tak_is_won_in_thirteen() {
    // The shortest win of 3×3 from the start is 13 plies; six plies before its end it is in sight.
    let game = Tak::new(3, 3);
    let mut pos = game.start();
    let mut agent = to_depth(13);
    let thought = agent.think(&game, &pos, &Ctx::default(), &mut |_| ()).unwrap();
    assert_eq!(thought.proven.map(Value::wdl), Some(Wdl::Win));
    for &mv in &thought.pv {
        game.play(&mut pos, mv);
    }
    assert!(thought.pv.len() < 13 || game.outcome(&pos).is_some());
}

#[test]
fn the_same_nodes_give_the_same_thought() {
    let game = Tak::new(5, 5);
    let settings =
        Settings { limits: Limits { nodes: Some(20_000), depth: None }, memory: 1 << 20, ..Settings::default() };
    let think = || {
        let mut agent = Negamax::new(settings);
        let (first, name) = thinks(&mut agent, &game, "x5/x2,2,x2/x2,1,x2/x5/2,x3,1 1 3");
        let second = thinks(&mut agent, &game, "x5/x2,2,x2/x2,1,x2/x,1,x2,2/2,x3,1 1 4").0;
        (first, second, name)
    };
    let (first, second, _) = think();
    assert_eq!((first.clone(), second.clone()), (think().0, think().1));
    assert_eq!((first.nodes, second.nodes), (20_000, 20_000));
    let mut agent = Negamax::new(settings);
    thinks(&mut agent, &game, "x5/x5/x5/x5/x5 1 1");
    Agent::<Tak>::begin(&mut agent, 0);
    assert_eq!(thinks(&mut agent, &game, "x5/x2,2,x2/x2,1,x2/x5/2,x3,1 1 3").0, first, "a new game forgets the old");
}

#[test]
fn several_lines_are_in_order_and_begin_with_different_moves() {
    let game = Tak::new(4, 4);
    let limits = Limits { depth: Some(3), nodes: None };
    let mut agent = Negamax::new(Settings { limits, lines: 4, memory: 1 << 20, ..Settings::default() });
    let (thought, _) = thinks(&mut agent, &game, "x4/x2,2,x/x,1,x2/2,x2,1 1 3");
    assert_eq!(thought.alternatives.len(), 4);
    let points = |other: &Alternative<_>| match other.score {
        Score::Points(points) => points,
        Score::Share(_) => unreachable!("negamax counts points"),
    };
    assert!(thought.alternatives.windows(2).all(|pair| points(&pair[0]) >= points(&pair[1])));
    let mut firsts: Vec<_> = thought.alternatives.iter().map(|other| other.pv[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn a_raised_flag_stops_it_with_a_legal_move() {
    let flag = std::sync::Arc::new(AtomicBool::new(true));
    let ctx = Ctx::default().with_cancel(flag);
    let game = Tak::new(6, 6);
    let mut agent = Negamax::new(Settings { memory: 1 << 20, threads: 2, ..Settings::default() });
    let thought = agent.think(&game, &game.start(), &ctx, &mut |_| ()).unwrap();
    assert!(agon_core::collect_moves(&game, &game.start()).contains(&thought.mv));
}

#[test]
fn going_round_is_no_win_and_does_not_hang() {
    let (game, _) = Mill::from_spelling("antrin:3").unwrap();
    let mut pos = game.start();
    let limits = Limits { depth: None, nodes: Some(2_000) };
    let mut agents = [0, 1].map(|_| Negamax::new(Settings { limits, memory: 1 << 18, ..Settings::default() }));
    for ply in 0..60 {
        if game.outcome(&pos).is_some() {
            break;
        }
        let mv = agents[ply % 2].choose(&game, &pos, &Ctx::default()).unwrap();
        game.play(&mut pos, mv);
    }
}
