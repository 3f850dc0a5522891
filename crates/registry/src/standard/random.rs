//! Spellings with random parameters, for the self-test. Most are small; some are invalid, which costs another try.

use agon_core::Rng;

fn between(lo: usize, hi: usize, rng: &mut Rng) -> usize {
    lo + rng.below(hi - lo + 1)
}

fn misere(rng: &mut Rng) -> &'static str {
    if rng.below(3) == 0 { ",play=misere" } else { "" }
}

fn rows(family: &str, rng: &mut Rng) -> String {
    let (m, n) = (between(1, 5, rng), between(1, 4, rng));
    format!("{family}:{m},{n},{}", between(1, m.max(n), rng))
}

pub(super) fn mnk(_larger: usize, rng: &mut Rng) -> String {
    rows("mnk", rng)
}

pub(super) fn drop(_larger: usize, rng: &mut Rng) -> String {
    rows("drop", rng)
}

pub(super) fn order_chaos(_larger: usize, rng: &mut Rng) -> String {
    let (m, n) = (between(1, 4, rng), between(1, 3, rng));
    let (k, symbols) = (between(1, m.max(n), rng), between(1, 4, rng));
    let first = ["order", "chaos"][rng.below(2)];
    let row = ["atleast", "exact", "exact-final"][rng.below(3)];
    // One board in three lacks a cell or two, but not all.
    let cell = |rng: &mut Rng| format!("{}{}", ["a", "b", "c", "d"][rng.below(m)], 1 + rng.below(n));
    let without = match rng.below(if m * n > 2 { 6 } else { 1 }) {
        4 => format!(",without={}", cell(rng)),
        5 => format!(",without={}+{}", cell(rng), cell(rng)),
        _ => String::new(),
    };
    format!("order-chaos:{m}x{n},k={k},symbols={symbols},first={first},row={row}{without}")
}

pub(super) fn tak(_larger: usize, rng: &mut Rng) -> String {
    let (m, n, flats) = (between(1, 3, rng), between(1, 3, rng), between(1, 4, rng));
    let komi = ["-1", "-0.5", "0", "0.5", "1", "2"][rng.below(6)];
    let draw = ["none", "none", "none", "threefold", "fifty"][rng.below(5)];
    let opening = ["swap", "noswap"][rng.below(2)];
    format!("tak:{m}x{n},flats={flats},caps={},komi={komi},opening={opening},draw={draw}", rng.below(2))
}

pub(super) fn heap(larger: usize, rng: &mut Rng) -> String {
    format!("heap:{};{}{}", random_code(rng), random_heaps(16 + larger, rng), misere(rng))
}

pub(super) fn subtract(larger: usize, rng: &mut Rng) -> String {
    let set: Vec<String> = (1..=6).filter(|_| rng.below(2) == 0).map(|take: u32| take.to_string()).collect();
    format!("subtract:{};{}{}", set.join(","), random_heaps(20 + larger, rng), misere(rng))
}

pub(super) fn nim(larger: usize, rng: &mut Rng) -> String {
    format!("nim:{}{}", random_heaps(12 + larger, rng), misere(rng))
}

pub(super) fn kayles(larger: usize, rng: &mut Rng) -> String {
    format!("kayles:{}{}", random_heaps(16 + larger, rng), misere(rng))
}

pub(super) fn dawson(larger: usize, rng: &mut Rng) -> String {
    format!("dawson:{}{}", random_heaps(16 + larger, rng), misere(rng))
}

pub(super) fn grundy(larger: usize, rng: &mut Rng) -> String {
    format!("grundy:{}{}", random_heaps(16 + larger, rng), misere(rng))
}

pub(super) fn treblecross(larger: usize, rng: &mut Rng) -> String {
    format!("treblecross:1x{}{}", between(3, 9 + larger / 3, rng), misere(rng))
}

pub(super) fn ellie(larger: usize, rng: &mut Rng) -> String {
    format!("ellie:{}x{}{}", between(1, 5, rng), between(1, 3 + larger / 8, rng), misere(rng))
}

pub(super) fn cram(larger: usize, rng: &mut Rng) -> String {
    format!("cram:{}x{}{}", between(1, 5, rng), between(1, 3 + larger / 8, rng), misere(rng))
}

pub(super) fn circular_nim(larger: usize, rng: &mut Rng) -> String {
    let n = between(1, 4, rng);
    let stacks: Vec<String> = (0..n).map(|_| rng.below(4 + larger / 4).to_string()).collect();
    let each = match rng.below(4) {
        0 => format!(",each={}", between(1, 3, rng)),
        1 => format!(",each={},exact=yes", between(1, 3, rng)),
        _ => String::new(),
    };
    format!("circular-nim:{n},{}:{}{each}{}", between(1, n, rng), stacks.join("+"), misere(rng))
}

pub(super) fn sum(larger: usize, rng: &mut Rng) -> String {
    let parts = (0..between(2, 3, rng)).map(|_| format!("({})", random_part(larger / 2, rng)));
    let parts: Vec<String> = parts.collect();
    format!("sum:{}{}", parts.join("+"), misere(rng))
}

/// Up to four heaps with at most `total` counters.
fn random_heaps(total: usize, rng: &mut Rng) -> String {
    let mut left = total;
    let mut heaps = Vec::new();
    for _ in 0..1 + rng.below(4) {
        let heap = rng.below(left + 1);
        left -= heap;
        heaps.push(heap.to_string());
    }
    heaps.join("+")
}

/// An octal or hexadecimal code of one to three digits.
fn random_code(rng: &mut Rng) -> String {
    let base = if rng.below(3) == 0 { 16 } else { 8 };
    let first = if rng.below(4) == 0 { "4" } else { "0" };
    let digits: String = (0..1 + rng.below(3)).map(|_| format!("{:x}", rng.below(base))).collect();
    format!("{first}.{digits}")
}

/// A small summand of a sum.
fn random_part(larger: usize, rng: &mut Rng) -> String {
    match rng.below(9) {
        0 => format!("nim:{}", random_heaps(5 + larger, rng)),
        1 => format!("kayles:{}", 1 + rng.below(7 + larger)),
        2 => format!("dawson:{}", 1 + rng.below(9 + larger)),
        3 => format!("grundy:{}", 1 + rng.below(9 + larger)),
        4 => format!("heap:{};{}", random_code(rng), random_heaps(7 + larger, rng)),
        5 => format!("cram:{}x{}", 1 + rng.below(3), 1 + rng.below(2)),
        6 => format!("ellie:{}x{}", 2 + rng.below(2), 2 + rng.below(2)),
        7 => format!("treblecross:1x{}", 3 + rng.below(3)),
        _ => format!("circular-nim:3,2;{}+{}+{}", rng.below(3), rng.below(3), rng.below(2)),
    }
}
