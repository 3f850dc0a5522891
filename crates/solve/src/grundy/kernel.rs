//! The inner loops. Each is written once and compiled for AVX-512, for AVX2 and for the baseline; the level is
//! chosen at run time. On one core of a Xeon, `.007` up to 2^18 with AVX-512 takes a third of the baseline's time.

use super::rare_heaps::{CANDIDATES, Heaps, LANES, Lanes};

/// The instruction set that the loops use. Only [`Level::available`] creates a level, so a level exists only on a
/// processor that has its instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Vectors);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vectors {
    /// The instructions that every processor of the target has.
    Baseline,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// For each 16-bit value, 1 if it was seen, else 0.
pub(super) type Seen = [u8; 1 << 16];

/// Compiles a loop for every level: `name` picks one at run time.
macro_rules! levels {
    ($(#[$doc:meta])* $name:ident ( $($arg:ident : $type:ty),* ) $(-> $result:ty)? = $body:ident, $wide:ident, $wider:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $wide($($arg: $type),*) $(-> $result)? {
            $body($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512bw,avx512vl")]
        fn $wider($($arg: $type),*) $(-> $result)? {
            $body($($arg),*)
        }

        impl Level {
            $(#[$doc])*
            #[inline]
            pub(super) fn $name(self, $($arg: $type),*) $(-> $result)? {
                match self.0 {
                    Vectors::Baseline => $body($($arg),*),
                    // SAFETY: the field is private to this module, and only `Level::available` sets it to more than
                    // the baseline, after it asked the processor.
                    #[cfg(target_arch = "x86_64")]
                    Vectors::Avx2 => unsafe { $wide($($arg),*) },
                    // SAFETY: as above.
                    #[cfg(target_arch = "x86_64")]
                    Vectors::Avx512 => unsafe { $wider($($arg),*) },
                }
            }
        }
    };
}

impl Level {
    /// The levels that this processor supports, slowest first.
    #[must_use]
    pub fn available() -> &'static [Level] {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512bw") && has!("avx512vl") && has!("avx2") {
                return &[Level(Vectors::Baseline), Level(Vectors::Avx2), Level(Vectors::Avx512)];
            }
            if has!("avx2") {
                return &[Level(Vectors::Baseline), Level(Vectors::Avx2)];
            }
        }
        &[Level(Vectors::Baseline)]
    }

    /// The fastest level that this processor supports.
    #[must_use]
    pub fn best() -> Level {
        *Level::available().last().expect("the baseline")
    }

    /// `baseline`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Vectors::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => "avx512",
        }
    }
}

levels! {
    /// Returns whether some `x[j] ^ y[j]` equals `v`.
    contains(x: &[u16], y: &[u16], v: u16) -> bool = contains, contains_256, contains_512
}

levels! {
    /// For each wanted value, returns whether some `x[j] ^ y[j]` equals it.
    contains_each(x: &[u16], y: &[u16], wanted: &[u16; WANTED]) -> [bool; WANTED]
        = contains_each, contains_each_256, contains_each_512
}

levels! {
    /// For a batch of totals from `base` on, one in each lane: sets `least` to zero where one of the `heaps` and its
    /// partner have the wanted value.
    search_lanes(heaps: &Heaps, span: (usize, usize), g: &[u16], base: usize, wanted: &[Lanes; CANDIDATES], least: &mut [Lanes; CANDIDATES])
        = search_lanes, search_lanes_256, search_lanes_512
}

/// Values that [`Level::contains_each`] searches for together.
pub(super) const WANTED: usize = 8;

#[inline(always)]
fn contains(x: &[u16], y: &[u16], v: u16) -> bool {
    const RUN: usize = 512;
    let ((xs, xt), (ys, yt)) = (x.as_chunks::<RUN>(), y.as_chunks::<RUN>());
    let least = |x: &[u16], y: &[u16]| x.iter().zip(y).fold(u16::MAX, |least, (a, b)| least.min(a ^ b ^ v));
    xs.iter().zip(ys).any(|(a, b)| least(a, b) == 0) || least(xt, yt) == 0
}

#[inline(always)]
fn contains_each(x: &[u16], y: &[u16], wanted: &[u16; WANTED]) -> [bool; WANTED] {
    const WIDTH: usize = 32;
    let ((xs, xt), (ys, yt)) = (x.as_chunks::<WIDTH>(), y.as_chunks::<WIDTH>());
    let mut least = [[u16::MAX; WIDTH]; WANTED];
    for (a, b) in xs.iter().zip(ys) {
        for (l, &v) in least.iter_mut().zip(wanted) {
            for j in 0..WIDTH {
                l[j] = l[j].min(a[j] ^ b[j] ^ v);
            }
        }
    }
    let rest = |v: u16| xt.iter().zip(yt).any(|(a, b)| a ^ b == v);
    std::array::from_fn(|k| least[k].contains(&0) || rest(wanted[k]))
}

#[inline(always)]
fn search_lanes(
    heaps: &Heaps,
    span: (usize, usize),
    g: &[u16],
    base: usize,
    wanted: &[Lanes; CANDIDATES],
    least: &mut [Lanes; CANDIDATES],
) {
    let mut low = *least;
    for (r, v) in heaps.within(span) {
        let run: &Lanes = g[base - r..][..LANES].try_into().expect("a whole batch");
        for k in 0..CANDIDATES {
            for j in 0..LANES {
                low[k][j] = low[k][j].min(run[j] ^ v ^ wanted[k][j]);
            }
        }
    }
    *least = low;
}

/// Marks every `x[j] ^ y[j]` in `seen`. Scattered stores gain nothing from vector instructions.
#[inline]
pub(super) fn mark(x: &[u16], y: &[u16], seen: &mut Seen) {
    let ((xs, xt), (ys, yt)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    let word = |c: &[u16; 4]| c.iter().rev().fold(0u64, |w, &v| w << 16 | u64::from(v));
    for (a, b) in xs.iter().zip(ys) {
        let w = word(a) ^ word(b);
        seen[(w & 0xffff) as usize] = 1;
        seen[(w >> 16 & 0xffff) as usize] = 1;
        seen[(w >> 32 & 0xffff) as usize] = 1;
        seen[(w >> 48) as usize] = 1;
    }
    for (a, b) in xt.iter().zip(yt) {
        seen[usize::from(a ^ b)] = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Rng;

    fn values(seed: u64, len: usize) -> Vec<u16> {
        let mut rng = Rng::new(seed);
        (0..len).map(|_| rng.below(700) as u16).collect()
    }

    #[test]
    fn every_level_agrees_with_plain_loops() {
        for len in [0, 1, 31, 32, 33, 511, 512, 1500] {
            let (x, y) = (values(1, len), values(2, len));
            let mut seen: Box<Seen> = vec![0; 1 << 16].try_into().expect("the size");
            mark(&x, &y, &mut seen);
            let has = |v: u16| x.iter().zip(&y).any(|(a, b)| a ^ b == v);
            for v in 0..1100 {
                assert_eq!(seen[usize::from(v)] == 1, has(v), "mark, length {len}, value {v}");
                for level in Level::available() {
                    assert_eq!(level.contains(&x, &y, v), has(v), "{level:?}, length {len}, value {v}");
                }
            }
            let wanted = [0, 5, 77, 300, 511, 512, 900, 1023];
            for level in Level::available() {
                assert_eq!(level.contains_each(&x, &y, &wanted), wanted.map(has), "{level:?}, length {len}");
            }
        }
    }
}
