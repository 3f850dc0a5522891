//! Statistics of game results: shares with confidence intervals, Elo differences, sequential tests.

/// The two-sided 95 % point of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A share with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Share {
    /// The number of events.
    pub count: u64,
    /// The share.
    pub share: f64,
    /// The 95 % confidence interval.
    pub interval: [f64; 2],
}

impl Share {
    /// `count` out of `of`.
    #[must_use]
    pub fn new(count: u64, of: u64) -> Share {
        let share = if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let (lo, hi) = wilson(share, of as f64, Z95);
        Share { count, share, interval: [lo, hi] }
    }

    /// `12.3 % [10.1, 14.9]`, with enough digits to distinguish the ends of the interval.
    #[must_use]
    pub fn text(&self) -> String {
        let [lo, hi] = self.interval.map(|end| 100.0 * end);
        let digits = (1..6).find(|&d| hi - lo > 4.0 * 0.1f64.powi(d)).unwrap_or(6) as usize;
        format!("{:.digits$} % [{lo:.digits$}, {hi:.digits$}]", 100.0 * self.share)
    }
}

/// Wilson's score interval (1927) for a share observed in `n` trials, at `z` standard deviations; `[0, 1]` without trials.
#[must_use]
pub fn wilson(share: f64, n: f64, z: f64) -> (f64, f64) {
    if n <= 0.0 {
        return (0.0, 1.0);
    }
    let zz = z * z / n;
    let centre = (share + zz / 2.0) / (1.0 + zz);
    let half = z / (1.0 + zz) * (share * (1.0 - share) / n + zz / (4.0 * n)).max(0.0).sqrt();
    // Rounding must not exclude a share of 0 or 1 that was observed.
    let lo = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let hi = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (lo, hi)
}

/// The difference of two sample shares in standard errors (the two-proportion z statistic).
#[must_use]
pub fn two_share_z(a: u64, of_a: u64, b: u64, of_b: u64) -> f64 {
    let (n, m) = (of_a as f64, of_b as f64);
    let pooled = (a + b) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    let gap = a as f64 / n - b as f64 / m;
    if error > 0.0 { gap / error } else { 0.0 }
}

/// The Elo difference that corresponds to a score; infinite at 0 and 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score for an Elo difference.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Pairs of games from the same opening with sides swapped, counted by the points of one player: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// The score of each kind of pair.
    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair in which the player scored this many half points (0 to 4).
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a pair, and its variance.
    #[must_use]
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let n = self.count() as f64;
        let mean = self.0.iter().zip(Self::SCORES).map(|(&k, s)| k as f64 * s).sum::<f64>() / n;
        let variance = self.0.iter().zip(Self::SCORES).map(|(&k, s)| k as f64 * (s - mean).powi(2)).sum::<f64>() / n;
        (mean, variance)
    }

    /// The score with its 95 % confidence interval from the variance of pairs; if the variance is 0, Wilson's interval over
    /// pairs. `None` without pairs.
    #[must_use]
    pub fn score(&self) -> Option<(f64, [f64; 2])> {
        let n = self.count() as f64;
        if n == 0.0 {
            return None;
        }
        let (mean, variance) = self.mean_and_variance();
        let half = Z95 * (variance / n).sqrt();
        let (lo, hi) = if variance > 0.0 { (mean - half, mean + half) } else { wilson(mean, n, Z95) };
        Some((mean, [lo.max(0.0), hi.min(1.0)]))
    }

    /// The Elo difference with its 95 % confidence interval.
    #[must_use]
    pub fn elo(&self) -> Option<(f64, [f64; 2])> {
        self.score().map(|(mean, ends)| (elo(mean), ends.map(elo)))
    }

    /// The generalized log-likelihood ratio of `elo1` against `elo0`: for each, the maximum over the distributions of pairs
    /// with that mean score.
    #[must_use]
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        // A small count keeps kinds of pairs that have not occurred possible.
        let counts = self.0.map(|k| if k == 0 { 1e-3 } else { k as f64 });
        let total: f64 = counts.iter().sum();
        let (s0, s1) = (expected_score(elo0), expected_score(elo1));
        let (x0, x1) = (tilt(&counts, total, s0), tilt(&counts, total, s1));
        let term = |(k, a): (f64, f64)| k * ((1.0 + x0 * (a - s0)) / (1.0 + x1 * (a - s1))).ln();
        counts.into_iter().zip(Self::SCORES).map(term).sum()
    }
}

/// The `x` for which the weights `k / (1 + x·(a − s))` have mean `s`: the most likely distribution with
/// that mean is proportional to them (by Lagrange's multipliers).
fn tilt(counts: &[f64; 5], total: f64, s: f64) -> f64 {
    let excess = |x: f64| -> f64 {
        counts.iter().zip(Pairs::SCORES).map(|(k, a)| k / total * (a - s) / (1.0 + x * (a - s))).sum()
    };
    // The function falls from +∞ to −∞ between the two poles.
    let (mut lo, mut hi) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..200 {
        let middle = f64::midpoint(lo, hi);
        if excess(middle) > 0.0 { lo = middle } else { hi = middle }
    }
    f64::midpoint(lo, hi)
}

/// A sequential probability ratio test (Wald 1945) of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The probability of a false positive (accepting `elo1` when `elo0` holds).
    pub alpha: f64,
    /// The probability of a false negative (accepting `elo0` when `elo1` holds).
    pub beta: f64,
}

impl Sprt {
    /// Reads `elo0=0,elo1=10`, optionally with `alpha=0.05,beta=0.05`.
    pub fn read(text: &str) -> Result<Sprt, String> {
        let wrong = |why: &str| {
            let given = agon_core::family::shorten(text);
            format!("invalid test `{given}`: {why}; expected elo0=0,elo1=10, perhaps with ,alpha=0.05,beta=0.05")
        };
        let mut test = Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05 };
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| wrong("a part has no `=`"))?;
            let value: f64 = value.trim().parse().map_err(|_| wrong("a value is not a number"))?;
            match key.trim() {
                "elo0" => test.elo0 = value,
                "elo1" => test.elo1 = value,
                "alpha" => test.alpha = value,
                "beta" => test.beta = value,
                _ => return Err(wrong("there is an unknown word")),
            }
        }
        let sound = |p: f64| p > 0.0 && p < 0.5;
        let near = |elo: f64| elo.abs() <= 1000.0;
        if test.elo0 < test.elo1 && near(test.elo0) && near(test.elo1) && sound(test.alpha) && sound(test.beta) {
            Ok(test)
        } else {
            Err(wrong("elo0 must be below elo1, and the chances of error between 0 and 0.5"))
        }
    }

    /// The bounds on the log-likelihood ratio: below the first, `elo0` is accepted; above the second, `elo1`.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// `Some(true)` if `elo1` is accepted, `Some(false)` if `elo0` is, `None` while the test is open.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> Option<bool> {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        let (lo, hi) = self.bounds();
        if ratio >= hi {
            Some(true)
        } else if ratio <= lo {
            Some(false)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, within: f64) -> bool {
        (a - b).abs() <= within
    }

    #[test]
    fn wilson_intervals_as_published() {
        // R: prop.test(x, n, correct = FALSE)$conf.int
        for (x, n, lo, hi) in [
            (10u64, 20u64, 0.299_298, 0.700_702),
            (0, 10, 0.0, 0.277_533),
            (1, 10, 0.017_876, 0.404_150),
            (81, 263, 0.255_289, 0.366_207),
            (10, 10, 0.722_467, 1.0),
        ] {
            let share = Share::new(x, n);
            assert!(near(share.interval[0], lo, 1e-5) && near(share.interval[1], hi, 1e-5), "{x}/{n}: {share:?}");
        }
        assert_eq!(Share::new(0, 0).interval, [0.0, 1.0]);
        assert_eq!(Share::new(5, 10).text(), "50.0 % [23.7, 76.3]");
    }

    #[test]
    fn elo_as_published() {
        // The logistic table: 100 points are 64.0 %, 200 are 76.0 %, 400 are 10 to 1.
        assert!(near(expected_score(100.0), 0.640_065, 1e-6) && near(expected_score(200.0), 0.759_747, 1e-6));
        assert!(near(expected_score(400.0), 10.0 / 11.0, 1e-12) && near(elo(0.75), 190.848_5, 1e-3));
        for points in [-300.0, -5.0, 0.0, 12.5, 250.0] {
            assert!(near(elo(expected_score(points)), points, 1e-9));
        }
        assert!(elo(1.0) == f64::INFINITY && elo(0.0) == f64::NEG_INFINITY);
    }

    #[test]
    fn pairs_have_a_mean_and_an_error() {
        // 10, 20, 40, 20, 10: mean one half, variance (2·10·¼ + 2·20·1/16) / 100 = 0.075.
        let pairs = Pairs([10, 20, 40, 20, 10]);
        let (mean, variance) = pairs.mean_and_variance();
        assert!(near(mean, 0.5, 1e-12) && near(variance, 0.075, 1e-12));
        let (points, [lo, hi]) = pairs.elo().unwrap();
        let half = Z95 * (0.075f64 / 100.0).sqrt();
        assert!(near(points, 0.0, 1e-9) && near(hi, elo(0.5 + half), 1e-9) && near(lo, -hi, 1e-9));
        // One decided random game per pair has the error of a coin.
        let (_, [lo, hi]) = Pairs([0, 0, 0, 0, 7]).elo().unwrap();
        assert!(lo > 100.0 && lo.is_finite() && hi == f64::INFINITY);
        assert_eq!(Pairs::default().elo(), None);
    }

    /// The maximum likelihood over distributions with mean `s`, by hill climbing: slow and simple.
    fn climbed(pairs: &Pairs, s: f64) -> f64 {
        let counts = pairs.0.map(|k| if k == 0 { 1e-3 } else { k as f64 });
        let likelihood = |p: &[f64; 5]| -> f64 { counts.iter().zip(p).map(|(k, p)| k * p.ln()).sum() };
        // Start from a binomial with that mean, then move along directions that keep sum and mean.
        let mut p = [1.0, 4.0, 6.0, 4.0, 1.0];
        for (i, w) in p.iter_mut().enumerate() {
            *w *= s.powi(i as i32) * (1.0 - s).powi(4 - i as i32);
        }
        let (mut step, mut best) = (0.05, likelihood(&p));
        while step > 1e-10 {
            let mut better = false;
            for i in 0..3 {
                for sign in [1.0, -1.0] {
                    let mut q = p;
                    for (j, d) in [1.0, -2.0, 1.0].into_iter().enumerate() {
                        q[i + j] += sign * step * d;
                    }
                    if q.iter().all(|&w| w > 0.0) && likelihood(&q) > best {
                        (p, best, better) = (q, likelihood(&q), true);
                    }
                }
            }
            if !better {
                step /= 2.0;
            }
        }
        best
    }

    #[test]
    fn the_likelihood_ratio_is_that_of_the_best_distributions() {
        for pairs in [Pairs([10, 20, 40, 20, 10]), Pairs([3, 18, 61, 35, 9]), Pairs([0, 5, 9, 12, 0])] {
            for (elo0, elo1) in [(0.0, 10.0), (-5.0, 5.0), (20.0, 60.0)] {
                let by_climbing = climbed(&pairs, expected_score(elo1)) - climbed(&pairs, expected_score(elo0));
                let ratio = pairs.log_likelihood_ratio(elo0, elo1);
                assert!(near(ratio, by_climbing, 1e-3), "{pairs:?} {elo0} {elo1}: {ratio} {by_climbing}");
            }
        }
        // For small differences the ratio is about n·(s1 − s0)·(2·mean − s0 − s1) / (2·variance).
        let pairs = Pairs([600, 2600, 5000, 2700, 700]);
        let ((mean, variance), n) = (pairs.mean_and_variance(), pairs.count() as f64);
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let about = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!(near(pairs.log_likelihood_ratio(0.0, 5.0), about, 0.03 * about.abs()));
        assert!(near(Pairs([5, 9, 20, 9, 5]).log_likelihood_ratio(-7.0, 7.0), 0.0, 1e-9));
    }

    #[test]
    fn a_sequential_test_decides_at_its_bounds() {
        let test = Sprt::read("elo0=0,elo1=10").unwrap();
        assert!(near(test.bounds().0, -2.944_439, 1e-6) && near(test.bounds().1, 2.944_439, 1e-6));
        assert_eq!(test.verdict(&Pairs([0, 0, 5, 0, 0])), None);
        assert_eq!(test.verdict(&Pairs([10, 60, 200, 160, 40])), Some(true));
        assert_eq!(test.verdict(&Pairs([40, 160, 200, 60, 10])), Some(false));
        for text in ["", "elo0=5,elo1=0", "elo0=0", "elo0=0,elo1=10,alpha=0.7", "elo0=x,elo1=1", "speed=3"] {
            assert!(Sprt::read(text).unwrap_err().contains("expected elo0=0,elo1=10"), "{text}");
        }
    }

    #[test]
    fn shares_of_two_samples_compare() {
        // 15/100 against 30/100: pooled 0.225, error 0.0590…, gap −0.15.
        assert!(near(two_share_z(15, 100, 30, 100), -0.15 / (0.225f64 * 0.775 * 0.02).sqrt(), 1e-12));
        assert_eq!(two_share_z(0, 10, 0, 20), 0.0);
    }
}
