//! Proved periods.
//!
//! Theorem (Guy and Smith 1956): let a game take at most `t` counters and leave at most `h ≥ 1` heaps. If
//! `G(n + p) = G(n)` for all `n` with `e ≤ n < h·e + (h − 1)·p + t`, where `e ≥ 1`, then it holds for all `n ≥ e`. For
//! larger `n`, the largest heap left by a move from `n + p` has at least `e + p` counters, and the largest left by a
//! move from `n` at least `e`; so each move from one corresponds to a move from the other whose largest heap differs by
//! `p`, by induction with the same value. Where heaps must be unequal the corresponding move may be forbidden, and the
//! theorem is not applied.

use agon_core::Code;

/// `G(n + period) = G(n)` for all `n >= preperiod`, without end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// The shortest period.
    pub period: usize,
    /// The first heap from which it holds.
    pub preperiod: usize,
    /// The heaps whose value differs from the one the period would give.
    pub exceptions: Vec<usize>,
    /// The claim was checked for all `n` with `n + period` up to here, as the theorem asks.
    pub checked_to: usize,
}

/// The largest heap whose value the theorem needs.
fn bound(code: &Code, preperiod: usize, period: usize) -> usize {
    let heaps = code.most_heaps().max(1);
    heaps * preperiod + heaps * period + code.longest()
}

/// The shortest period that `g` suffices to prove.
#[must_use]
pub fn find<T: Eq + Copy>(code: &Code, g: &[T]) -> Option<Period> {
    if code.unequal() {
        return None;
    }
    let last = g.len().checked_sub(1)?;
    let agree = matches_from_the_end(g);
    let (period, preperiod) = (1..g.len()).find_map(|p| {
        // The last `agree[p]` heaps have the value of the heap p before them.
        let preperiod = (last + 1 - p - agree[p] as usize).max(1);
        (bound(code, preperiod, p) <= last).then_some((p, preperiod))
    })?;
    let expected = |n: usize| g[n + (preperiod - n).div_ceil(period) * period];
    let exceptions = (0..preperiod).filter(|&n| g[n] != expected(n)).collect();
    Some(Period { period, preperiod, exceptions, checked_to: bound(code, preperiod, period) })
}

/// For each `p`, how many heaps in a row, counted from the last one down, have the value of the heap `p` before.
/// (The Z-function of the reversed sequence. A sequence that does not fit in 32 bits would not fit in memory.)
fn matches_from_the_end<T: Eq + Copy>(g: &[T]) -> Vec<u32> {
    let at = |i: usize| g[g.len() - 1 - i];
    let mut z = vec![0; g.len()];
    let (mut left, mut right) = (0, 0);
    for i in 1..g.len() {
        let mut len = if i < right { (z[i - left] as usize).min(right - i) } else { 0 };
        while i + len < g.len() && at(len) == at(i + len) {
            len += 1;
        }
        if i + len > right {
            (left, right) = (i, i + len);
        }
        z[i] = len as u32;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_agree_with_counting() {
        let g = [1u16, 2, 3, 1, 2, 1, 2, 1, 2, 1];
        let z = matches_from_the_end(&g);
        for p in 1..g.len() {
            let slow = (p..g.len()).rev().take_while(|&n| g[n] == g[n - p]).count();
            assert_eq!(z[p] as usize, slow, "distance {p}");
        }
    }

    #[test]
    fn a_period_needs_as_many_values_as_the_theorem_asks() {
        let code: Code = "0.3".parse().expect("a code"); // G(n) = n mod 2
        let g: Vec<u16> = (0..10).map(|n| n % 2).collect();
        assert_eq!(find(&code, &g[..4]), None);
        let found = find(&code, &g[..5]).expect("a period");
        assert_eq!((found.period, found.preperiod, found.checked_to), (2, 1, 4));
        assert_eq!(found.exceptions, [] as [usize; 0]);
    }
}
