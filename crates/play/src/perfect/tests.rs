use super::*;
use crate::{mcts, negamax};
use agon_core::{Notation, Outcome, Player};
use agon_games::drop::Drop;
use agon_games::mnk::Mnk;
use agon_solve::AlphaBeta;

fn searching<G: Evaluate>(plays_out: bool) -> Search<G> {
    match plays_out {
        true => Search::Mcts(Box::new(Mcts::new(mcts::Settings::default(), 1))),
        false => Search::Negamax(Box::new(Negamax::new(negamax::Settings::default()))),
    }
}

/// Proves exactly what the test gives it, at no cost.
struct OnThought(Vec<(u8, Bounds)>);

impl Prover<Mnk> for OnThought {
    fn prove(&mut self, game: &Mnk, pos: &<Mnk as Game>::Position, _: &Ctx) -> Result<Proofs<u8>, Failed> {
        let mut proofs = Proofs { at_most: Wdl::Win, ..Proofs::none(game, pos) };
        self.0.iter().for_each(|&(mv, value)| proofs.learn(mv, value, None));
        Ok(proofs)
    }
}

const LOST: Bounds = Bounds { lo: Wdl::Loss, hi: Wdl::Loss };
const HELD: Bounds = Bounds { lo: Wdl::Draw, hi: Wdl::Win };

#[test]
fn a_move_proven_worse_than_another_is_never_played() {
    // Without proofs either search takes the centre; here a bound, right or wrong, is against it.
    let game = Mnk::new(3, 3, 3);
    let pos = game.parse("X../.../...").unwrap();
    for plays_out in [false, true] {
        for on_thought in [vec![(4, LOST), (1, HELD)], (1..9).filter(|&mv| mv != 7).map(|mv| (mv, LOST)).collect()] {
            let worse: Vec<u8> = on_thought.iter().filter(|(_, value)| *value == LOST).map(|(mv, _)| *mv).collect();
            let held = on_thought.iter().any(|(_, value)| *value == HELD);
            let on_thought = if held { on_thought } else { on_thought.into_iter().chain([(7, HELD)]).collect() };
            let mut player = Perfect::new(Box::new(OnThought(on_thought)), searching::<Mnk>(plays_out), 1.0, 1);
            let ctx = Ctx::default().with_budget(3_000);
            let chosen = player.choose_within(&game, &pos, &ctx, &ctx, &mut |_| ()).unwrap();
            assert!(!worse.contains(&chosen.thought.mv), "{} among {worse:?}", chosen.thought.mv);
            assert_eq!(chosen.proven, Some(false));
        }
    }
}

#[test]
fn the_best_by_its_bounds_is_proven_even_if_others_stay_open() {
    let game = Mnk::new(3, 3, 3);
    let pos = game.parse("X../.../...").unwrap();
    let on_thought = vec![(3, Bounds::exactly(Wdl::Win)), (4, HELD)];
    let mut player = Perfect::new(Box::new(OnThought(on_thought)), searching::<Mnk>(false), 1.0, 1);
    let chosen = player.choose_within(&game, &pos, &Ctx::default(), &Ctx::default(), &mut |_| ()).unwrap();
    assert_eq!((chosen.thought.mv, chosen.proven), (3, Some(true)));
}

/// The points of `perfect` against a search with the given nodes, in a game it cannot prove.
fn points_without_proofs(nodes: u64) -> (f64, u32) {
    let game = Drop::new(7, 6, 4);
    let (mut points, mut unproven) = (0.0, 0);
    for number in 0..4 {
        let prover = BySolver { solver: AlphaBeta::new(1 << 20), table: false };
        let mut perfect = Perfect::new(Box::new(prover), searching(false), 1.0, number);
        let limits = Limits { nodes: Some(nodes), depth: None };
        let mut other = Negamax::new(negamax::Settings { limits, ..negamax::Settings::default() });
        let side = if number % 2 == 0 { Player::First } else { Player::Second };
        let (mut pos, mut rng) = (game.start(), Rng::new(number / 2));
        for _ in 0..2 {
            let mv = any_move(&game, &pos, &mut rng);
            game.play(&mut pos, mv);
        }
        while game.outcome(&pos).is_none() {
            let mv = if game.turn(&pos) == side {
                let ctx = Ctx::default().with_budget(30_000);
                let proving = ctx.budget_share(perfect.share());
                let chosen = perfect.choose_within(&game, &pos, &proving, &ctx, &mut |_| ()).unwrap();
                unproven += u32::from(chosen.proven == Some(false));
                chosen.thought.mv
            } else {
                other.choose(&game, &pos, &Ctx::default()).unwrap()
            };
            game.play(&mut pos, mv);
        }
        points += match game.outcome(&pos) {
            Some(Outcome::Win(winner)) if winner == side => 1.0,
            Some(Outcome::Draw) => 0.5,
            _ => 0.0,
        };
    }
    (points, unproven)
}

#[test]
fn without_a_proof_it_plays_as_well_as_its_search() {
    // With a fixed node budget the games are deterministic. What the proof leaves of it goes to a search far larger than
    // that of the opponent.
    let (points, unproven) = points_without_proofs(100);
    assert!(points >= 2.5 && unproven > 10, "{points} points, {unproven} moves without proof");
}

#[test]
fn proofs_get_less_as_long_as_none_is_found_and_half_again_in_a_new_game() {
    let game = Mnk::new(3, 3, 3);
    let mut player = Perfect::new(Box::new(OnThought(Vec::new())), searching::<Mnk>(false), 1.0, 1);
    let mut shares = Vec::new();
    for _ in 0..5 {
        shares.push(player.share());
        let ctx = Ctx::default().with_budget(100);
        player.think(&game, &game.start(), &ctx, &mut |_| ()).unwrap();
    }
    assert_eq!(shares, [0.5, 0.25, 0.125, 0.0625, 0.0625]);
    player.begin(1);
    assert_eq!(player.share(), 0.5);
}

/// A table that cannot be had.
struct NoTable(std::sync::Arc<std::sync::atomic::AtomicU32>);

impl Prover<Mnk> for NoTable {
    fn prove(&mut self, game: &Mnk, pos: &<Mnk as Game>::Position, _: &Ctx) -> Result<Proofs<u8>, Failed> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(Proofs::none(game, pos))
    }

    fn all_or_nothing(&self) -> bool {
        true
    }
}

#[test]
fn a_table_that_did_not_come_about_is_not_tried_again_in_the_same_game() {
    let game = Mnk::new(3, 3, 3);
    let tried = std::sync::Arc::default();
    let mut player = Perfect::new(Box::new(NoTable(std::sync::Arc::clone(&tried))), searching::<Mnk>(false), 1.0, 1);
    let ctx = || Ctx::default().with_budget(100);
    for _ in 0..3 {
        player.think(&game, &game.start(), &ctx(), &mut |_| ()).unwrap();
    }
    assert_eq!(tried.load(std::sync::atomic::Ordering::Relaxed), 1);
    player.begin(2);
    player.think(&game, &game.start(), &ctx(), &mut |_| ()).unwrap();
    assert_eq!(tried.load(std::sync::atomic::Ordering::Relaxed), 2);
}

#[test]
fn time_that_is_over_still_leaves_a_look_at_the_board() {
    // X to move must take the win at c3; every limit was used up before it was asked.
    let game = Mnk::new(3, 3, 3);
    let pos = game.parse("XX./OO./...").unwrap();
    let prover = BySolver { solver: AlphaBeta::new(1 << 16), table: false };
    let mut player = Perfect::new(Box::new(prover), searching::<Mnk>(false), 1.0, 1);
    let over = Ctx::default().with_budget(0);
    assert_eq!(game.show_move(&pos, player.choose(&game, &pos, &over).unwrap()), "c3");
}
