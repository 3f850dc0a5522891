//! A game with extra turns as text: what each move is said to be worth is what it leads to.

use agon_core::toy::Dots;
use agon_core::{Ctx, Player, Status, Wdl};
use agon_registry::entry::Entry;
use agon_registry::erased::{AnyGame, MethodChoice, SolveRequest, StrategyRequest};
use std::collections::BTreeMap;

/// The value for the first side, found by playing every move as text: 1, 0 or -1.
fn minimax(game: &dyn AnyGame, pos: &str, known: &mut BTreeMap<String, i32>) -> i32 {
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let value = match game.status(pos).expect("a position") {
        Status::Over(outcome) => outcome.winner().map_or(0, |winner| if winner == Player::First { 1 } else { -1 }),
        Status::Turn(mover) => {
            let moves = game.moves(pos).expect("moves");
            let values = moves.iter().map(|mv| minimax(game, &game.play(pos, mv).expect("a move").1, known));
            if mover == Player::First { values.max() } else { values.min() }.expect("a move")
        }
    };
    known.insert(pos.to_string(), value);
    value
}

fn seen(value: i32, side: Player) -> Wdl {
    [Wdl::Loss, Wdl::Draw, Wdl::Win][(1 + if side == Player::First { value } else { -value }) as usize]
}

#[test]
fn values_of_moves_and_perfect_players_mind_the_turn() {
    let (game, ctx) = (Entry::acyclic::<Dots>().build("dots:2x1").expect("a game"), Ctx::default());
    let mut known = BTreeMap::new();
    minimax(game.as_ref(), &game.start(), &mut known);
    let request = StrategyRequest::named("perfect");
    let mut perfect = game.agent(&request, 1).expect("a player");
    for (pos, &value) in &known {
        let Status::Turn(mover) = game.status(pos).expect("a position") else { continue };
        for worth in game.values(pos, &ctx).expect("values") {
            let after = game.play(pos, &worth.mv).expect("a move").1;
            assert_eq!(worth.value, seen(known[&after], mover), "{} at {pos}", worth.mv);
        }
        let chosen = perfect.choose(pos, &ctx).expect("a move").mv;
        assert_eq!(known[&game.play(pos, &chosen).expect("a move").1], value, "perfect plays {chosen} at {pos}");
    }
}

#[test]
fn certificates_of_a_game_with_extra_turns_are_accepted() {
    let (game, ctx) = (Entry::acyclic::<Dots>().build("dots:2x1").expect("a game"), Ctx::default());
    for strong in [false, true] {
        let request = SolveRequest::plain(1 << 26).certified();
        let request = if strong { request.by(MethodChoice::Strong) } else { request };
        let (_, evidence) = game.solve(&game.start(), &request, &ctx).expect("a solution");
        let certificate = evidence.expect("evidence").expect("a certificate");
        game.check(&certificate, &ctx).expect("proved");
    }
}
