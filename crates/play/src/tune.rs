//! Tunes the weights of an evaluation's features by logistic regression over self-play games of `negamax` (known as
//! Texel tuning).
//!
//! Results alone are a biased sample: a player that never builds a wall without need gives no example of a needless
//! wall, and the walls that do occur are those that held. So samples also come from positions one random ply off the
//! games, with the score of a search in place of the result; for positions of the games, result and score count half
//! each.

use crate::negamax::{Negamax, Settings};
use crate::{Agent, Limits, Score, Thought};
use agon_core::{Ctx, Outcome, Player, Rng, Stop, Tunable, Wdl};

/// The scale of the logistic curve: at this evaluation the expected score is 73 %.
pub const SCALE: f64 = 250.0;

/// The settings of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// The number of games.
    pub games: u64,
    /// The node limit of each move.
    pub nodes: u64,
    /// Random plies before the players begin.
    pub opening: u32,
    /// The ply limit of a game, which is then a draw.
    pub longest: u32,
    /// Seed of the openings.
    pub seed: u64,
}

/// The features of a position, and its expected score for the mover.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The features.
    pub features: Vec<i32>,
    /// The expected score of the mover, 0 to 1.
    pub share: f64,
    /// The number of its game.
    pub game: u64,
}

fn player(nodes: u64) -> Negamax {
    let limits = Limits { nodes: Some(nodes), depth: None };
    Negamax::new(Settings { limits, memory: 1 << 20, ..Settings::default() })
}

/// A position after some weighted random plies; the same for the same seed.
fn opening<G: Tunable>(game: &G, plies: u32, seed: u64) -> G::Position {
    let mut rng = Rng::new(seed);
    let weights = G::default_weights();
    loop {
        let mut pos = game.start();
        for _ in 0..plies {
            if let Some(mv) = game.weighted_move(&pos, &weights, &mut rng) {
                game.play(&mut pos, mv);
            }
        }
        if game.outcome(&pos).is_none() {
            return pos;
        }
    }
}

/// Runs `work` for every game on all threads of `ctx`; the results are in the order of the games.
fn each_game<T: Send>(
    games: u64,
    ctx: &Ctx,
    task: &'static str,
    work: impl Fn(u64) -> Result<T, Stop> + Sync,
) -> Result<Vec<T>, Stop> {
    ctx.map(games, |number| {
        ctx.check()?;
        let result = work(number)?;
        ctx.progress(task, number, Some(games));
        Ok(result)
    })
}

/// Returns whether neither side threatens to win.
fn is_quiet<G: Tunable>(game: &G, pos: &mut G::Position) -> bool {
    game.outcome(pos).is_none() && !game.in_danger(pos) && game.immediate_win(pos).is_none()
}

/// The expected score of the mover, by a search.
fn judged<M>(thought: &Thought<M>) -> f64 {
    match thought.score {
        Some(Score::Points(points)) => logistic(f64::from(points)),
        Some(Score::Share(share)) => share,
        None => 0.5,
    }
}

/// Plays self-play games and returns samples: the quiet positions of each game, and as many one random ply off.
pub fn self_play<G: Tunable>(game: &G, plan: &SelfPlay, ctx: &Ctx) -> Result<Vec<Sample>, Stop> {
    let games = each_game(plan.games, ctx, "playing", |number| {
        let seed = plan.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Rng::new(seed ^ 0xaaaa);
        let mut pos = opening(game, plan.opening, seed);
        let mut players = [player(plan.nodes), player(plan.nodes), player(plan.nodes)];
        let (mut seen, mut samples, mut plies) = (Vec::new(), Vec::new(), 0);
        while game.outcome(&pos).is_none() && plies < plan.longest {
            let side = game.turn(&pos);
            let thought = players[side as usize].think(game, &pos, &ctx.without_progress(), &mut |_| ())?;
            if is_quiet(game, &mut pos) {
                seen.push((side, game.features(&pos), judged(&thought)));
            }
            if let Some(mut aside) = game.random_move(&pos, &mut rng).map(|mv| game.after(&pos, mv))
                && is_quiet(game, &mut aside)
            {
                let share = judged(&players[2].think(game, &aside, &ctx.without_progress(), &mut |_| ())?);
                samples.push(Sample { features: game.features(&aside), share, game: number });
            }
            game.play(&mut pos, thought.mv);
            plies += 1;
        }
        ctx.check()?;
        let end = game.outcome(&pos).unwrap_or(Outcome::Draw);
        let sample = |(side, features, judged): (Player, _, f64)| Sample {
            features,
            share: 0.5 * (share(end, side) + judged),
            game: number,
        };
        samples.extend(seen.into_iter().map(sample));
        Ok(samples)
    })?;
    Ok(games.into_iter().flatten().collect())
}

fn share(end: Outcome, side: Player) -> f64 {
    match end.seen_by(side) {
        Wdl::Win => 1.0,
        Wdl::Draw => 0.5,
        Wdl::Loss => 0.0,
    }
}

fn expected(weights: &[f64], features: &[i32]) -> f64 {
    let points: f64 = weights.iter().zip(features).map(|(weight, &n)| weight * f64::from(n)).sum();
    logistic(points)
}

fn logistic(points: f64) -> f64 {
    1.0 / (1.0 + (-points / SCALE).exp())
}

/// The mean log loss (cross-entropy) of an evaluation on samples.
#[must_use]
pub fn loss(weights: &[f64], samples: &[Sample]) -> f64 {
    let one = |sample: &Sample| {
        let p = expected(weights, &sample.features).clamp(1e-9, 1.0 - 1e-9);
        -(sample.share * p.ln() + (1.0 - sample.share) * (1.0 - p).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// A good `trust` for [`fit`]. It is high because the positions of one game share its result and so are correlated.
pub const TRUST: f64 = 4000.0;

/// The weights of least loss, regularised towards `prior` with the strength of `trust` samples, by Newton's method.
#[must_use]
pub fn fit(prior: &[i32], samples: &[Sample], trust: f64) -> Vec<f64> {
    let count = prior.len();
    let prior: Vec<f64> = prior.iter().map(|&weight| f64::from(weight)).collect();
    let mut weights = prior.clone();
    for _ in 0..12 {
        // The gradient and the Hessian, in units of the scale.
        let mut gradient: Vec<f64> = (0..count).map(|i| trust * (prior[i] - weights[i]) / (SCALE * SCALE)).collect();
        let mut hessian = vec![vec![0.0; count]; count];
        hessian.iter_mut().enumerate().for_each(|(i, row)| row[i] = trust / (SCALE * SCALE));
        for sample in samples {
            let p = expected(&weights, &sample.features);
            let (miss, bend) = ((sample.share - p) / SCALE, p * (1.0 - p) / (SCALE * SCALE));
            for (i, &a) in sample.features.iter().enumerate().filter(|(_, a)| **a != 0) {
                gradient[i] += miss * f64::from(a);
                for (j, &b) in sample.features.iter().enumerate() {
                    hessian[i][j] += bend * f64::from(a * b);
                }
            }
        }
        let step = solved(hessian, gradient);
        weights.iter_mut().zip(&step).for_each(|(weight, by)| *weight += by);
        if step.iter().all(|by| by.abs() < 0.01) {
            break;
        }
    }
    weights
}

/// Solves a system of linear equations by Gaussian elimination with partial pivoting.
fn solved(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for i in 0..count {
        let pivot = (i..count).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).unwrap_or(i);
        rows.swap(i, pivot);
        right.swap(i, pivot);
        let lead = rows[i].clone();
        for j in i + 1..count {
            let factor = rows[j][i] / lead[i];
            rows[j].iter_mut().zip(&lead).for_each(|(a, b)| *a -= factor * b);
            right[j] -= factor * right[i];
        }
    }
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| rows[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / rows[i][i];
    }
    right
}

/// Plays games between two sets of weights, each opening twice with sides swapped; returns wins, draws and losses of
/// the first.
pub fn compare<G: Tunable>(first: &G, second: &G, plan: &SelfPlay, ctx: &Ctx) -> Result<[u64; 3], Stop> {
    let results = each_game(plan.games, ctx, "comparing", |number| {
        let seed = plan.seed ^ (number / 2).wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5555;
        let mut pos = opening(first, plan.opening, seed);
        let swapped = number % 2 == 1;
        let mut players = [player(plan.nodes), player(plan.nodes)];
        let mut plies = 0;
        while first.outcome(&pos).is_none() && plies < plan.longest {
            let side = first.turn(&pos);
            let game = if (side == Player::First) == swapped { second } else { first };
            let mv = players[side as usize].choose(game, &pos, &ctx.without_progress())?;
            first.play(&mut pos, mv);
            plies += 1;
        }
        ctx.check()?;
        let own = if swapped { Player::Second } else { Player::First };
        Ok(share(first.outcome(&pos).unwrap_or(Outcome::Draw), own))
    })?;
    let count = |wanted: f64| results.iter().filter(|&&result| result == wanted).count() as u64;
    Ok([count(1.0), count(0.5), count(0.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::tak::Tak;

    #[test]
    fn regression_finds_the_weights_that_made_the_results() {
        let truth = [120.0, -40.0, 15.0];
        let mut rng = Rng::new(4);
        let sample = |game| {
            let features: Vec<i32> = (0..3).map(|_| rng.below(9) as i32 - 4).collect();
            let share = f64::from(u8::from(rng.unit() < expected(&truth, &features)));
            Sample { features, share, game }
        };
        let samples: Vec<Sample> = (0..40_000).map(sample).collect();
        let found = fit(&[0, 0, 0], &samples, 50.0);
        assert!(found.iter().zip(truth).all(|(a, b)| (a - b).abs() < 5.0), "{found:?}");
        assert!(loss(&found, &samples) < loss(&[0.0; 3], &samples));
    }

    #[test]
    fn samples_and_comparisons_repeat_on_any_number_of_threads() {
        let game = Tak::new(4, 4);
        let plan = SelfPlay { games: 4, nodes: 200, opening: 4, longest: 60, seed: 1 };
        let run = |threads| {
            let ctx = Ctx::default().with_threads(threads);
            (self_play(&game, &plan, &ctx).unwrap(), compare(&game, &game, &plan, &ctx).unwrap())
        };
        let (samples, [wins, draws, losses]) = run(1);
        assert_eq!((samples.clone(), [wins, draws, losses]), run(2));
        assert!(samples.len() > 20);
        assert_eq!(wins, losses, "the same player on both sides of each opening");
    }
}
