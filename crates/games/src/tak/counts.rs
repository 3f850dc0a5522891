//! Upper bounds on the number of positions, and the positions after one and two plies, as in chapters 4
//! and 5 of Beljaards's thesis on Tak; exact, for any board and any reserve.

use num_bigint::BigUint;

/// Board and reserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Columns.
    pub m: u32,
    /// Rows.
    pub n: u32,
    /// Stones a side.
    pub stones: u32,
    /// Capstones a side.
    pub capstones: u32,
}

/// Equation 4.1: ways to move a stack of `h` stones when nothing is in the way.
#[must_use]
pub fn open_slides(h: u32) -> BigUint {
    ((BigUint::from(1u8) << h) - 1u8) * 4u8
}

/// Equation 4.2: ways to move a stack in one direction with `s` free squares, at most `most` stones.
#[must_use]
pub fn slides(h: u32, most: u32, s: u32) -> BigUint {
    (1..=s).map(|i| choose(h.min(most), i)).sum()
}

/// n over k.
#[must_use]
pub fn choose(n: u32, k: u32) -> BigUint {
    if k > n {
        return BigUint::ZERO;
    }
    (0..k).fold(BigUint::from(1u8), |product, i| product * (n - i) / (i + 1))
}

/// The number of ways to arrange groups of these sizes in a row.
fn multinomial(parts: &[u32]) -> BigUint {
    let (mut all, mut ways) = (0, BigUint::from(1u8));
    for &part in parts {
        all += part;
        ways *= choose(all, part);
    }
    ways
}

/// Equation 4.5: distributions of white and black flats over `t` squares in stacks.
#[must_use]
pub fn flats_exactly(t: u32, white: u32, black: u32) -> BigUint {
    multinomial(&[t - 1, white, black])
}

/// Equation 4.8: arrangements of walls and capstones on top.
#[must_use]
pub fn tops_exactly(t: u32, tops: [u32; 4]) -> BigUint {
    match t.checked_sub(tops.iter().sum()) {
        None => BigUint::ZERO,
        Some(free) => multinomial(&[free, tops[0], tops[1], tops[2], tops[3]]),
    }
}

impl super::Tak {
    /// Board and reserves of a game with the usual opening.
    #[must_use]
    pub fn material(&self) -> Option<Material> {
        let (stones, capstones) = self.reserves();
        let (m, n) = (self.grid().columns() as u32, self.grid().rows() as u32);
        self.swap.then(|| Material { m, n, stones: stones.into(), capstones: capstones.into() })
    }
}

impl Material {
    /// Table 2.1.
    #[must_use]
    pub fn of_square(n: usize) -> Material {
        let (stones, capstones) = super::Tak::new(n, n).reserves();
        Material { m: n as u32, n: n as u32, stones: stones.into(), capstones: capstones.into() }
    }

    /// Equation 4.12: an upper bound for the number of reachable positions.
    ///
    /// The four inner sums over walls and capstones, which the printed equation leaves out, run as long
    /// as stones and walls of a side do not exceed its reserve.
    #[must_use]
    pub fn positions_at_most(&self) -> BigUint {
        let t = self.m * self.n;
        let all = self.stones + self.capstones;
        let mut sum = BigUint::from(1 + t);
        // For each number of walls and capstones of both sides: the flats that go with them.
        let tops = |most: u32| {
            let walls = 0..self.stones.min(most + 1);
            walls.flat_map(move |w| (0..=self.capstones.min(most - w)).map(move |c| (w, c)))
        };
        let flats: Vec<Vec<BigUint>> =
            (0..=self.stones).map(|w| (0..=self.stones).map(|b| flats_exactly(t, w, b)).collect()).collect();
        for (ww, wc) in tops(t) {
            for (bw, bc) in tops(t - ww - wc) {
                let ways = tops_exactly(t, [ww, bw, wc, bc]);
                let mut under = BigUint::ZERO;
                for ws in 1..=self.stones - ww {
                    for bs in 1..=self.stones - bw {
                        let (white_out, black_out) = (ws + ww + wc == all, bs + bw + bc == all);
                        // The mover must have a piece left unless the last player ran out.
                        let turns = u32::from(!black_out) + u32::from(!white_out);
                        under += &flats[ws as usize][bs as usize] * turns;
                    }
                }
                sum += ways * under;
            }
        }
        sum
    }
}

/// Equation 5.3: first plies up to symmetry on an n × n board.
#[must_use]
pub fn first_plies(n: u64) -> u64 {
    let half = n.div_ceil(2);
    half * (half + 1) / 2
}

/// Equations 5.4 and 5.5: positions after two plies up to symmetry.
#[must_use]
pub fn second_plies(n: u64) -> u64 {
    if n.is_multiple_of(2) { (n.pow(4) + n * n - 2 * n) / 8 } else { (n.pow(4) + 3 * n * n - 4 * n) / 8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_matches_a_plain_sum_on_small_boards() {
        // Every sum of equation 4.12 written out, nothing shared.
        for m in [
            Material { m: 1, n: 2, stones: 2, capstones: 1 },
            Material { m: 2, n: 2, stones: 3, capstones: 0 },
            Material { m: 2, n: 3, stones: 3, capstones: 2 },
        ] {
            let (t, s, c) = (m.m * m.n, m.stones, m.capstones);
            let mut sum = BigUint::from(1 + t);
            for (ws, bs) in (1..=s).flat_map(|w| (1..=s).map(move |b| (w, b))) {
                for (ww, bw) in (0..=s - ws).flat_map(|w| (0..=s - bs).map(move |b| (w, b))) {
                    for (wc, bc) in (0..=c).flat_map(|w| (0..=c).map(move |b| (w, b))) {
                        let turns = u32::from(bs + bw + bc != s + c) + u32::from(ws + ww + wc != s + c);
                        sum += flats_exactly(t, ws, bs) * tops_exactly(t, [ww, bw, wc, bc]) * turns;
                    }
                }
            }
            assert_eq!(m.positions_at_most(), sum, "{m:?}");
        }
    }

    #[test]
    fn slides_agree_with_their_closed_forms() {
        for n in 3..=8 {
            // Equation 4.3: wherever the stack stands, both ways along a line together.
            for k in 0..n {
                let line = slides(n + 2, n, k) + slides(n + 2, n, n - 1 - k);
                // Equation 4.4: ways to move a stack of at least n stones on an unblocked n × n board.
                assert_eq!(line * 2u8, (BigUint::from(1u8) << (n + 1)) - 4u8);
            }
            assert_eq!(slides(n, n, n) * 4u8, open_slides(n));
        }
    }
}
