//! Players in games with extra turns: their proofs are true, and their moves keep the value.

use agon_core::toy::{Dots, Take, Tree};
use agon_core::{Acyclic, Ctx, Evaluate, Game, Outcome, Player, Rng, Symmetric, Wdl, collect_moves};
use agon_play::learned::{Learned, Learner, Settings as Learning};
use agon_play::perfect::{BySolver, Search};
use agon_play::{Agent, Limits, MonteCarlo, Perfect, Playouts, Thought, mcts, negamax};
use agon_solve::AlphaBeta;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of every position for the first side, by the rules only: 1, 0 or -1.
fn minimax<G: Game>(game: &G, pos: &G::Position, known: &mut BTreeMap<G::Position, i32>) -> i32 {
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let value = match game.outcome(pos) {
        Some(Outcome::Win(Player::First)) => 1,
        Some(Outcome::Win(Player::Second)) => -1,
        Some(Outcome::Draw) => 0,
        None => {
            let moves = collect_moves(game, pos);
            let values = moves.iter().map(|&mv| minimax(game, &game.after(pos, mv), known));
            if game.turn(pos) == Player::First { values.max() } else { values.min() }.expect("a move")
        }
    };
    known.insert(pos.clone(), value);
    value
}

/// The values of all unfinished positions, and of all finished ones.
fn truth<G: Game>(game: &G) -> BTreeMap<G::Position, i32> {
    let mut known = BTreeMap::new();
    minimax(game, &game.start(), &mut known);
    known
}

fn wdl(value: i32, side: Player) -> Wdl {
    [Wdl::Loss, Wdl::Draw, Wdl::Win][(1 + if side == Player::First { value } else { -value }) as usize]
}

/// Asserts that the move keeps the value and that every proven claim is true; returns whether anything was proven.
fn is_right<G: Game>(
    game: &G,
    truth: &BTreeMap<G::Position, i32>,
    pos: &G::Position,
    thought: &Thought<G::Move>,
) -> bool {
    let mover = game.turn(pos);
    assert_eq!(truth[&game.after(pos, thought.mv)], truth[pos], "{:?} at {pos:?}", thought.mv);
    for other in &thought.alternatives {
        let worth = other.proven.map(|value| value.wdl());
        let real = wdl(truth[&game.after(pos, other.pv[0])], mover);
        assert!(worth.is_none_or(|worth| worth == real), "{other:?} at {pos:?} is a {real}");
    }
    let proven = thought.proven.map(|value| value.wdl());
    assert!(proven.is_none_or(|proven| proven == wdl(truth[pos], mover)), "{thought:?} at {pos:?}");
    proven.is_some()
}

/// Tests at every position: `negamax` to the end, `mcts` until it has proven something, and `perfect`.
fn plays_perfectly<G: Evaluate + Acyclic + Symmetric>(game: &G) {
    let (truth, ctx) = (truth(game), Ctx::default());
    let prover = BySolver { solver: AlphaBeta::new(1 << 20), table: false };
    let search = Search::Negamax(Box::new(negamax::Negamax::new(negamax::Settings::default())));
    let mut perfect = Perfect::new(Box::new(prover), search, 1.0, 1);
    for (pos, &value) in truth.iter().filter(|(pos, _)| game.outcome(pos).is_none()) {
        let depth = game.height(pos) + 1;
        let limits = Limits { depth: Some(depth), nodes: None };
        let mut searcher = negamax::Negamax::new(negamax::Settings { limits, memory: 1 << 16, ..Default::default() });
        let thought = searcher.think(game, pos, &ctx, &mut |_| ()).expect("a move");
        let decided = is_right(game, &truth, pos, &thought);
        assert_eq!(decided, value != 0, "negamax to the end at {pos:?}");
        let limits = Limits { depth: None, nodes: Some(20_000) };
        let settings = mcts::Settings { limits, memory: 1 << 22, ..Default::default() };
        let mut tree = mcts::Mcts::new(settings, 5);
        let thought = tree.think(game, pos, &ctx, &mut |_| ()).expect("a move");
        assert!(is_right(game, &truth, pos, &thought), "mcts has proven nothing at {pos:?}");
        let thought = perfect.think(game, pos, &ctx, &mut |_| ()).expect("a move");
        assert!(is_right(game, &truth, pos, &thought) || value == 0, "perfect has proven nothing at {pos:?}");
    }
}

#[test]
fn take_is_played_perfectly() {
    for n in 1..=10 {
        plays_perfectly(&Take(n));
    }
}

#[test]
fn small_dots_and_boxes_is_played_perfectly() {
    plays_perfectly(&Dots::new(1, 1));
    plays_perfectly(&Dots::new(2, 1));
}

#[test]
fn trees_with_extra_turns_are_played_perfectly() {
    for text in ["(*(- *(+ -)) -)", "(*(- -) (+ *(- =)))", "((*+ -) *(= *-))", "(*(*(- =) -) *(- (+ =)) -)"] {
        plays_perfectly(&Tree::new(text));
    }
}

#[test]
fn a_tree_that_is_used_again_stays_right() {
    // One tree for a whole game: after an extra turn its root is a move of the side that moves again.
    let game = Dots::new(2, 1);
    let (truth, ctx) = (truth(&game), Ctx::default());
    for seed in 0..20 {
        let limits = Limits { depth: None, nodes: Some(20_000) };
        let mut tree = mcts::Mcts::new(mcts::Settings { limits, memory: 1 << 22, ..Default::default() }, seed);
        let (mut pos, mut rng) = (game.start(), Rng::new(seed));
        while game.outcome(&pos).is_none() {
            let thought = tree.think(&game, &pos, &ctx, &mut |_| ()).expect("a move");
            is_right(&game, &truth, &pos, &thought);
            let any = game.random_move(&pos, &mut rng).expect("a move");
            game.play(&mut pos, if rng.below(2) == 0 { any } else { thought.mv });
        }
    }
}

#[test]
fn playouts_see_an_extra_turn() {
    // Of three counters: after taking two the same side takes the last.
    let game = Take(3);
    let limits = Limits { depth: None, nodes: Some(200) };
    let mut agent = MonteCarlo { limits, playouts: Playouts::default(), solver: true, rng: Rng::new(2) };
    let thought = agent.think(&game, &game.start(), &Ctx::default(), &mut |_| ()).expect("a move");
    assert_eq!(thought.mv, 2);
}

#[test]
fn an_extra_turn_is_learned() {
    let game = Take(8);
    let mut learner = Learner::new(game.clone(), Learning::default(), 1);
    learner.learn(&game.start(), 4_000, 4_000, &Ctx::default()).expect("a whole run");
    let mut learned = Learned { values: Arc::new(learner.values().clone()), rng: Rng::new(1) };
    let truth = truth(&game);
    for (pos, _) in truth.iter().filter(|(pos, _)| game.outcome(pos).is_none()) {
        let mv = learned.choose(&game, pos, &Ctx::default()).expect("a move");
        assert_eq!(truth[&game.after(pos, mv)], truth[pos], "{mv} at {pos:?}");
    }
}
