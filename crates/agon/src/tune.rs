//! `agon tune`: what the features of the evaluation of Tak are worth, found from games against itself.

use crate::VERSION;
use crate::cli::{Shared, Tune};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, grouped, table};
use agon_core::{Ctx, Family, Tunable};
use agon_games::tak::Tak;
use agon_games::tak::evaluate::FeatureWeights;
use agon_play::tune::{SelfPlay, TRUST, compare, fit, loss, self_play};
use serde_json::json;

/// One game in this many is held out to test the weights.
const HELD_OUT: u64 = 5;

/// `agon tune`.
pub fn command(args: &Tune, shared: &Shared) -> Result<(), Failure> {
    let (family, _) = agon_core::family::split_spelling(&args.game);
    if !family.eq_ignore_ascii_case(&Tak::facts().family) {
        return Err(Failure::Usage(format!(
            "invalid game `{}`: only tak has an evaluation to tune, like tak:6",
            args.game
        )));
    }
    let (game, spelling) = Tak::from_spelling(&args.game)?;
    let plan = SelfPlay {
        games: args.games,
        nodes: args.nodes,
        opening: args.opening,
        longest: 200,
        seed: shared.seed.unwrap_or(1),
    };
    let ctx = shared.context();
    let game = if args.by_hand { game.with_weights(FeatureWeights::by_hand()) } else { game };
    let old = game.feature_weights();
    let mut found = Found { weights: old.clone(), losses: Vec::new() };
    for round in 0..args.rounds {
        let plan = SelfPlay { seed: plan.seed.wrapping_add(round.wrapping_mul(0x1000_0000)), ..plan };
        found = trained(&game.with_feature_weights(&found.weights), &plan, &ctx)?;
    }
    let Found { weights: new, losses } = found;
    let games = SelfPlay { games: args.compare, nodes: args.compare_nodes.unwrap_or(args.nodes), ..plan };
    let [won, drawn, lost] = compare(&game.with_feature_weights(&new), &game, &games, &ctx)?;
    if shared.json {
        let features: Vec<_> = Tak::FEATURES
            .iter()
            .zip(old.iter().zip(&new))
            .map(|(name, (old, new))| json!({"name": name, "old": old, "new": new}))
            .collect();
        let losses: Vec<_> = losses
            .into_iter()
            .map(|(name, count, old, new)| json!({"samples": name, "count": count, "old": old, "new": new}))
            .collect();
        return emit_json(&json!({"agon": VERSION, "game": spelling, "games": plan.games, "nodes": plan.nodes,
            "rounds": args.rounds, "opening": plan.opening, "seed": plan.seed, "features": features, "loss": losses,
            "comparison": {"nodes": games.nodes, "new_wins": won, "draws": drawn, "old_wins": lost}}));
    }
    let row = |(name, (old, new)): (&&str, (&i32, &i32))| vec![name.to_string(), old.to_string(), new.to_string()];
    let rows: Vec<Vec<String>> = Tak::FEATURES.iter().zip(old.iter().zip(&new)).map(row).collect();
    let mut out = table(&["feature", "old", "new"], &rows);
    for (name, count, old, new) in losses {
        out += &format!("loss on {} positions {name}: {old:.5} before, {new:.5} after\n", grouped(count as u64));
    }
    out += &format!("new against old, {} nodes a move: {won} won, {drawn} drawn, {lost} lost\n", grouped(games.nodes));
    let weights: Vec<String> = new.iter().map(ToString::to_string).collect();
    emit(&format!("{out}weights: {}\n", weights.join(", ")))
}

/// New weights, and the losses before and after on the training positions and the held-out ones.
struct Found {
    weights: Vec<i32>,
    losses: Vec<(&'static str, usize, f64, f64)>,
}

/// One round: games, and the weights that fit them.
fn trained(game: &Tak, plan: &SelfPlay, ctx: &Ctx) -> Result<Found, Failure> {
    let samples = self_play(game, plan, ctx)?;
    let (train, test): (Vec<_>, Vec<_>) = samples.into_iter().partition(|sample| sample.game % HELD_OUT != 0);
    let old = game.feature_weights();
    let weights: Vec<i32> = fit(&old, &train, TRUST).iter().map(|weight| weight.round() as i32).collect();
    let [before, after] = [&old, &weights].map(|list| list.iter().map(|&weight| f64::from(weight)).collect::<Vec<_>>());
    let losses = [("trained on", &train), ("held out", &test)]
        .map(|(name, samples)| (name, samples.len(), loss(&before, samples), loss(&after, samples)));
    Ok(Found { weights, losses: losses.to_vec() })
}
