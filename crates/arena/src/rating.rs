//! Maximum-likelihood Elo ratings of all players of a tournament.
//!
//! The model is that of Bradley and Terry (1952); a draw counts as half a win. To each pairing one drawn pair of games is
//! added, so that an unbeaten player has a finite rating. The errors are sandwich estimates from the variance of pairs,
//! because the two games of a pair share an opening.

use crate::statistics::{Pairs, Z95, expected_score};
use serde::Serialize;

/// The rating of a player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Elo points; the mean over all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

/// Elo points per unit of the natural logarithm of the odds.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of `players` from their pairings, with pairs counted for the first player of each; `None` if the players are
/// not all connected by games.
#[must_use]
pub fn ratings(players: usize, meetings: &[((usize, usize), Pairs)]) -> Option<Vec<Rating>> {
    let mut meetings: Vec<_> = meetings.iter().filter(|(_, pairs)| pairs.count() > 0).copied().collect();
    meetings.iter_mut().for_each(|(_, pairs)| pairs.add(2));
    if players == 0 || !connected(players, &meetings) {
        return None;
    }
    let mut elo = vec![0.0; players];
    for _ in 0..200 {
        let (slope, curve, _) = derivatives(&elo, &meetings);
        let inverse = inverse(curve)?;
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope).clamp(-200.0, 200.0)).collect();
        elo.iter_mut().zip(&step).for_each(|(elo, by)| *elo += by);
        if step.iter().all(|by| by.abs() < 1e-9) {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / players as f64;
    let (_, curve, spread) = derivatives(&elo, &meetings);
    let inverse = inverse(curve)?;
    let error = |i: usize| {
        let through: Vec<f64> = (0..players).map(|j| dot(&inverse[i], &spread[j])).collect();
        // The ridge term shifts all ratings equally, so differences are unaffected.
        Z95 * dot(&through, &inverse[i]).max(0.0).sqrt()
    };
    Some((0..players).map(|i| Rating { elo: elo[i] - mean, error: error(i) }).collect())
}

fn connected(players: usize, meetings: &[((usize, usize), Pairs)]) -> bool {
    let mut reached = vec![false; players];
    reached[0] = true;
    for _ in 0..players {
        for &((a, b), _) in meetings {
            let either = reached[a] || reached[b];
            (reached[a], reached[b]) = (either, either);
        }
    }
    reached.into_iter().all(|yes| yes)
}

type Matrix = Vec<Vec<f64>>;

/// The gradient and the negated Hessian of the log-likelihood in Elo points, and the covariance of the gradient.
fn derivatives(elo: &[f64], meetings: &[((usize, usize), Pairs)]) -> (Vec<f64>, Matrix, Matrix) {
    let n = elo.len();
    let (mut slope, mut spread) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    let mut curve = vec![vec![1e-6; n]; n];
    for &((a, b), pairs) in meetings {
        let p = expected_score(elo[a] - elo[b]);
        let count = pairs.count() as f64;
        let (mean, variance) = pairs.mean_and_variance();
        let miss = 2.0 * count * (mean - p) / ELO_PER_LOGIT;
        slope[a] += miss;
        slope[b] -= miss;
        let bend = 2.0 * count * p * (1.0 - p) / (ELO_PER_LOGIT * ELO_PER_LOGIT);
        let varies = 4.0 * count * (variance + (mean - p).powi(2)) / (ELO_PER_LOGIT * ELO_PER_LOGIT);
        for (matrix, by) in [(&mut curve, bend), (&mut spread, varies)] {
            matrix[a][a] += by;
            matrix[b][b] += by;
            matrix[a][b] -= by;
            matrix[b][a] -= by;
        }
    }
    (slope, curve, spread)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The inverse, by Gauss-Jordan elimination with partial pivoting.
fn inverse(mut left: Matrix) -> Option<Matrix> {
    let n = left.len();
    let mut right: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| left[a][i].abs().total_cmp(&left[b][i].abs()))?;
        left.swap(i, pivot);
        right.swap(i, pivot);
        let scale = left[i][i];
        if scale.abs() < 1e-300 {
            return None;
        }
        for x in left[i].iter_mut().chain(&mut right[i]) {
            *x /= scale;
        }
        let (row, answer) = (left[i].clone(), right[i].clone());
        for j in (0..n).filter(|&j| j != i) {
            let factor = left[j][i];
            left[j].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            right[j].iter_mut().zip(&answer).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo;

    #[test]
    fn the_difference_of_two_players_matches_their_score() {
        let pairs = Pairs([10, 20, 40, 30, 20]);
        let found = ratings(2, &[((0, 1), pairs)]).unwrap();
        let mut with_a_drawn_pair = pairs;
        with_a_drawn_pair.add(2);
        let (mean, variance) = with_a_drawn_pair.mean_and_variance();
        let gap = found[0].elo - found[1].elo;
        assert!((gap - elo(mean)).abs() < 1e-6, "{gap} {}", elo(mean));
        // The error of each rating is half the error of the difference.
        let error = ELO_PER_LOGIT * Z95 * (variance / 121.0).sqrt() / (mean * (1.0 - mean)) / 2.0;
        assert!((found[0].error - error).abs() < 0.01 * error, "{} {error}", found[0].error);
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
    }

    #[test]
    fn the_ratings_that_generated_the_results_are_recovered() {
        let truth = [150.0, 20.0, -60.0, -110.0];
        let mut meetings = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                // The expected numbers of pairs of independent games without draws.
                let p = expected_score(truth[a] - truth[b]);
                let count = |share: f64| (100_000.0 * share).round() as u64;
                let pairs = Pairs([count((1.0 - p).powi(2)), 0, count(2.0 * p * (1.0 - p)), 0, count(p * p)]);
                meetings.push(((a, b), pairs));
            }
        }
        let found = ratings(4, &meetings).unwrap();
        for (rating, truth) in found.iter().zip(truth) {
            assert!((rating.elo - truth).abs() < 0.1, "{found:?}");
            assert!(rating.error > 0.1 && rating.error < 2.0, "{found:?}");
        }
    }

    #[test]
    fn unbeaten_players_have_finite_ratings_and_unconnected_ones_have_none() {
        let found = ratings(3, &[((0, 1), Pairs([0, 0, 0, 0, 10])), ((0, 2), Pairs([0, 0, 0, 0, 10]))]).unwrap();
        assert!(found[0].elo > 200.0 && found[0].elo.is_finite() && found[0].error > 50.0, "{found:?}");
        assert_eq!(ratings(3, &[((0, 1), Pairs([1, 2, 3, 2, 1]))]), None);
        assert_eq!(ratings(2, &[((0, 1), Pairs::default())]), None);
    }
}
