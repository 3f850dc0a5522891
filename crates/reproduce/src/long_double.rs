//! Arithmetic as a C compiler does it with `long double` on x86: 64 bits of mantissa, rounded to the nearest
//! and on a tie to the even one; and with it the sums of Table 4.1 of Beljaards's thesis as they were printed.

use agon_games::tak::counts::Material;
use num_bigint::BigUint;
use std::ops::{Add, Div, Mul};

/// A number of 64 significant bits, zero or more: `mantissa · 2^exponent`, the top bit of the mantissa set
/// unless the number is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extended {
    mantissa: u64,
    exponent: i32,
}

impl Extended {
    /// Zero.
    const ZERO: Extended = Extended { mantissa: 0, exponent: 0 };

    /// `wide · 2^exponent`, rounded; `more` says that something was cut off below the last bit.
    fn rounded(wide: u128, exponent: i32, more: bool) -> Extended {
        if wide == 0 {
            return Extended::ZERO;
        }
        let shift = 64 - wide.leading_zeros() as i32;
        if shift <= 0 {
            return Extended { mantissa: (wide << -shift) as u64, exponent: exponent + shift };
        }
        let (mut mantissa, rest) = (wide >> shift, wide & ((1 << shift) - 1));
        let half = 1u128 << (shift - 1);
        let up = rest > half || rest == half && (more || mantissa & 1 == 1);
        mantissa += u128::from(up);
        if mantissa >> 64 == 1 {
            return Extended { mantissa: 1 << 63, exponent: exponent + shift + 1 };
        }
        Extended { mantissa: mantissa as u64, exponent: exponent + shift }
    }

    /// The whole number this is; fractions are cut off.
    fn whole(self) -> BigUint {
        let mantissa = BigUint::from(self.mantissa);
        if self.exponent >= 0 { mantissa << self.exponent as u32 } else { mantissa >> self.exponent.unsigned_abs() }
    }
}

impl From<u32> for Extended {
    fn from(n: u32) -> Extended {
        Extended::rounded(u128::from(n), 0, false)
    }
}

impl Add for Extended {
    type Output = Extended;

    #[inline]
    fn add(self, other: Extended) -> Extended {
        let (large, small) = if (self.exponent, self.mantissa) >= (other.exponent, other.mantissa) {
            (self, other)
        } else {
            (other, self)
        };
        if small.mantissa == 0 || large.mantissa == 0 {
            return if large.mantissa == 0 { small } else { large };
        }
        // Two bits are left for the carry; what is shifted out below matters only by being there.
        let distance = (large.exponent - small.exponent) as u32;
        let (a, b) = (u128::from(large.mantissa) << 62, u128::from(small.mantissa) << 62);
        let (kept, lost) = if distance < 126 { (b >> distance, b & ((1 << distance) - 1) != 0) } else { (0, true) };
        Extended::rounded((a + kept) | u128::from(lost), large.exponent - 62, false)
    }
}

impl Mul for Extended {
    type Output = Extended;

    #[inline]
    fn mul(self, other: Extended) -> Extended {
        let wide = u128::from(self.mantissa) * u128::from(other.mantissa);
        Extended::rounded(wide, self.exponent + other.exponent, false)
    }
}

impl Div for Extended {
    type Output = Extended;

    /// The divisor must not be zero.
    #[inline]
    fn div(self, other: Extended) -> Extended {
        // The quotient of two full mantissas has 64 or 65 bits before the point here, and one more decides ties.
        let (dividend, divisor) = (u128::from(self.mantissa) << 64, u128::from(other.mantissa));
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        // One more bit of the quotient, and whether anything follows it.
        let (bit, more) = (u128::from(2 * rest >= divisor), 2 * rest % divisor != 0);
        Extended::rounded(quotient << 1 | bit, self.exponent - other.exponent - 65, more)
    }
}

/// n over k by factors from the smaller side, each multiplied and divided in turn.
fn choose(n: u32, k: u32) -> Extended {
    let k = k.min(n - k);
    (1..=k).fold(Extended::from(1), |product, i| product * Extended::from(n - i + 1) / Extended::from(i))
}

/// The multinomial of the flats as binomials, taken from the total downwards.
fn flats(t: u32, white: u32, black: u32) -> Extended {
    let all = t - 1 + white + black;
    choose(all, t - 1) * choose(white + black, white)
}

/// Equation 4.12 in `long double`, in the order in which all six sums of Table 4.1 come out as printed:
/// for each player to move and each number of flats, the walls and capstones are summed first (as
/// quotients of factorials) and multiplied once (by a product of binomials).
pub(crate) fn positions(material: &Material) -> BigUint {
    let (t, s, c) = (material.m * material.n, material.stones, material.capstones);
    let factorials: Vec<Extended> = std::iter::successors(Some((0u32, Extended::from(1))), |&(n, product)| {
        Some((n + 1, product * Extended::from(n + 1)))
    })
    .map(|(_, product)| product)
    .take(t as usize + 1)
    .collect();
    let over =
        |parts: [u32; 5]| parts.into_iter().fold(factorials[t as usize], |ways, part| ways / factorials[part as usize]);
    let tops = |ww: u32, bw: u32| {
        let pairs = (0..=c).flat_map(move |wc| (0..=c).map(move |bc| (wc, bc)));
        let fitting = pairs.filter(move |(wc, bc)| ww + bw + wc + bc <= t);
        fitting.map(move |(wc, bc)| (wc, bc, [t - ww - bw - wc - bc, ww, bw, wc, bc]))
    };
    // The contribution of each pair of walls, by capstones, so that nothing is divided twice.
    let table: Vec<Vec<Vec<(u32, u32, Extended)>>> = (0..s)
        .map(|ww| (0..s).map(|bw| tops(ww, bw).map(|(wc, bc, parts)| (wc, bc, over(parts))).collect()).collect())
        .collect();
    let mut sum = Extended::from(1 + t);
    for player in 0..2 {
        for (ws, bs) in (1..=s).flat_map(|ws| (1..=s).map(move |bs| (ws, bs))) {
            let mut inner = Extended::ZERO;
            for (ww, bw) in (0..=s - ws).flat_map(|ww| (0..=s - bs).map(move |bw| (ww, bw))) {
                for &(wc, bc, ways) in &table[ww as usize][bw as usize] {
                    let out = if player == 0 { bs + bw + bc == s + c } else { ws + ww + wc == s + c };
                    if !out {
                        inner = inner + ways;
                    }
                }
            }
            sum = sum + flats(t, ws, bs) * inner;
        }
    }
    sum.whole()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest number of 64 bits to a quotient of whole numbers, by big integers.
    fn nearest(numerator: &BigUint, denominator: &BigUint) -> (BigUint, i64) {
        let mut shift = 66 + denominator.bits() as i64 - numerator.bits() as i64;
        let scaled = |shift: i64| {
            if shift >= 0 {
                (numerator << shift as u64, denominator.clone())
            } else {
                (numerator.clone(), denominator << (-shift) as u64)
            }
        };
        loop {
            let (a, b) = scaled(shift);
            let whole = &a / &b;
            if whole.bits() > 64 {
                shift -= 1;
                continue;
            }
            let rest = (&a - &whole * &b) * 2u8;
            let up = rest > b || rest == b && whole.bit(0);
            return (whole + u8::from(up), -shift);
        }
    }

    #[test]
    fn sums_products_and_quotients_are_the_nearest_numbers() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        let value = |e: Extended, power: i64| {
            // e as a whole number of 2^-power.
            BigUint::from(e.mantissa) << (i64::from(e.exponent) + power) as u64
        };
        for _ in 0..3000 {
            let (mantissa_a, mantissa_b) = (next() << 11 | 1 << 63 | next() >> 40, next() << 11 | 1 << 63);
            let a = Extended { mantissa: mantissa_a, exponent: (next() % 70) as i32 };
            let b = Extended { mantissa: mantissa_b, exponent: (next() % 70) as i32 };
            let one = BigUint::from(1u8);
            for (found, numerator, denominator) in [
                (a + b, value(a, 0) + value(b, 0), one.clone()),
                (a * b, value(a, 0) * value(b, 0), one.clone()),
                (a / b, value(a, 0), value(b, 0)),
            ] {
                let (mantissa, exponent) = nearest(&numerator, &denominator);
                let expected = &mantissa << (exponent + 200) as u64;
                assert_eq!(value(found, 200), expected, "{a:?} {b:?}");
            }
        }
        // Ties go to the even mantissa.
        let tie = Extended { mantissa: 1 << 63 | 1, exponent: 1 } + Extended::from(1);
        assert_eq!(tie.mantissa, (1 << 63) + 2);
        let tie = Extended { mantissa: 1 << 63, exponent: 1 } + Extended::from(1);
        assert_eq!(tie.mantissa, 1 << 63);
    }

    #[test]
    fn the_printed_sums_of_small_boards_come_out() {
        // Table 4.1; the items of document 004 have the larger boards.
        for (n, printed) in
            [(3, "96317109784544"), (4, "186068001400694400139264"), (5, "17373764696009420302734166749679190016")]
        {
            assert_eq!(positions(&Material::of_square(n)).to_string(), printed, "{n}");
        }
    }
}
