//! `agon tune`: what the features of the evaluation of Tak are worth, found from games against itself.

use crate::VERSION;
use crate::cli::{Shared, Tune};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, grouped, table};
use agon_core::{Family, Tunable};
use agon_games::tak::Tak;
use agon_play::tune::{Plan, TRUST, compare, fit, loss, self_play};
use serde_json::json;

/// Every so many games is kept back to test the worths on.
const KEPT_BACK: u64 = 5;

/// `agon tune`.
pub fn command(args: &Tune, shared: &Shared) -> Result<(), Failure> {
    let (family, _) = agon_core::family::split_spelling(&args.game);
    if !family.eq_ignore_ascii_case(Tak::FACTS.family) {
        return Err(Failure::Usage(format!(
            "invalid game `{}`: only tak has an evaluation to tune, like tak:6",
            args.game
        )));
    }
    let (game, spelling) = Tak::from_spelling(&args.game)?;
    let plan = Plan {
        games: args.games,
        nodes: args.nodes,
        opening: args.opening,
        longest: 200,
        seed: shared.seed.unwrap_or(1),
    };
    let ctx = shared.context();
    let samples = self_play(&game, &plan, &ctx)?;
    let (learn, test): (Vec<_>, Vec<_>) = samples.into_iter().partition(|sample| sample.game % KEPT_BACK != 0);
    let old = game.worths();
    let before: Vec<f64> = old.iter().map(|&worth| f64::from(worth)).collect();
    let found = fit(&old, &learn, TRUST);
    let new: Vec<i32> = found.iter().map(|worth| worth.round() as i32).collect();
    let losses = [(&learn, "learnt from"), (&test, "kept back")].map(|(samples, name)| {
        let rounded: Vec<f64> = new.iter().map(|&worth| f64::from(worth)).collect();
        (name, samples.len(), loss(&before, samples), loss(&rounded, samples))
    });
    let games = Plan { games: args.compare, ..plan };
    let [won, drawn, lost] = compare(&game.with_worths(&new), &game, &games, &ctx)?;
    if shared.json {
        let features: Vec<_> = Tak::FEATURES
            .iter()
            .zip(old.iter().zip(&new))
            .map(|(name, (old, new))| json!({"name": name, "old": old, "new": new}))
            .collect();
        let losses =
            losses.map(|(name, count, old, new)| json!({"samples": name, "count": count, "old": old, "new": new}));
        return emit_json(&json!({"agon": VERSION, "game": spelling, "games": plan.games, "nodes": plan.nodes,
            "opening": plan.opening, "seed": plan.seed, "features": features, "loss": losses,
            "comparison": {"new_wins": won, "draws": drawn, "old_wins": lost}}));
    }
    let row = |(name, (old, new)): (&&str, (&i32, &i32))| vec![name.to_string(), old.to_string(), new.to_string()];
    let rows: Vec<Vec<String>> = Tak::FEATURES.iter().zip(old.iter().zip(&new)).map(row).collect();
    let mut out = table(&["feature", "old", "new"], &rows);
    for (name, count, old, new) in losses {
        out += &format!("loss on {} positions {name}: {old:.5} before, {new:.5} after\n", grouped(count as u64));
    }
    out += &format!("new against old, {} nodes a move: {won} won, {drawn} drawn, {lost} lost\n", grouped(plan.nodes));
    let worths: Vec<String> = new.iter().map(ToString::to_string).collect();
    emit(&format!("{out}worths: {}\n", worths.join(", ")))
}
