//! Sums of heaps: the nimber of a sum against the definition, whichever heap is valued first.

use agon_core::{Code, Ctx, Family, Game, Rng, Wdl};
use agon_games::impartial::Named;
use agon_games::impartial::Play;
use agon_games::impartial::heaps::{Coded, Dawson, GrundysGame, Heaps, Kayles, Subtraction};
use agon_solve::nimbers::Nimbers;
use std::collections::{BTreeMap, BTreeSet};

/// Heaps in order, none empty.
type Sum = Vec<usize>;

/// The heaps that a move in one heap can leave, from the digits of the code alone.
fn left(code: &Code, n: usize) -> Vec<Sum> {
    let mut all = Vec::new();
    for i in code.takes(0).into_iter().filter(|&i| i == n) {
        all.push(vec![0; n - i]);
    }
    all.extend(code.takes(1).into_iter().filter(|&i| i < n).map(|i| vec![n - i]));
    for m in code.takes(2).into_iter().filter(|&i| i < n).map(|i| n - i) {
        all.extend((1..m).map(|a| vec![a, m - a]).filter(|pair| !(code.unequal() && pair[0] == pair[1])));
    }
    for m in code.takes(3).into_iter().filter(|&i| i < n).map(|i| n - i) {
        all.extend((1..m).flat_map(|a| (1..m - a).map(move |b| vec![a, b, m - a - b])));
    }
    all
}

fn mex(values: &BTreeSet<u32>) -> u32 {
    (0..).find(|v| !values.contains(v)).expect("a mex")
}

/// The nimber of a whole sum from its moves, without the theorem that the nimbers of its heaps add.
fn by_moves(code: &Code, sum: &Sum, known: &mut BTreeMap<Sum, u32>) -> u32 {
    if let Some(&value) = known.get(sum) {
        return value;
    }
    let mut options = BTreeSet::new();
    for k in 0..sum.len() {
        for heaps in left(code, sum[k]) {
            let mut next: Sum = sum.iter().copied().enumerate().filter(|&(j, _)| j != k).map(|(_, n)| n).collect();
            next.extend(heaps);
            next.sort_unstable();
            options.insert(by_moves(code, &next, known));
        }
    }
    let value = mex(&options);
    known.insert(sum.clone(), value);
    value
}

/// The nimbers of single heaps from the definition.
fn by_heaps(code: &Code, to: usize) -> Vec<u32> {
    let mut g: Vec<u32> = Vec::new();
    for n in 0..=to {
        let options = left(code, n).iter().map(|heaps| heaps.iter().fold(0, |sum, &a| sum ^ g[a])).collect();
        g.push(mex(&options));
    }
    g
}

fn nimber<R: Named>(spelling: &str) -> (u32, Wdl) {
    let game = Play::<R>::from_spelling(spelling).expect(spelling).0;
    let (mut nimbers, ctx) = (Nimbers::default(), Ctx::default());
    let value = nimbers.nimber(&game, &game.start(), &ctx).expect("a value");
    let solved = Nimbers::default().solve(&game, &game.start(), &ctx).value.value().expect("solved");
    (value, solved)
}

fn spelled(sum: &[usize]) -> String {
    sum.iter().map(usize::to_string).collect::<Vec<_>>().join("+")
}

/// The nimber agon gives a sum of heaps of that code.
fn of_sum(code: &str, sum: &[usize]) -> (u32, Wdl) {
    let heaps = spelled(sum);
    match code {
        "kayles" => nimber::<Heaps<Kayles>>(&format!("kayles:{heaps}")),
        "dawson" => nimber::<Heaps<Dawson>>(&format!("dawson:{heaps}")),
        "grundy" => nimber::<Heaps<GrundysGame>>(&format!("grundy:{heaps}")),
        code => nimber::<Heaps<Coded>>(&format!("heap:{code};{heaps}")),
    }
}

fn random_code(rng: &mut Rng) -> String {
    let largest = [8, 8, 16][rng.below(3)];
    let zero = ["0", "0", "0", "4", "8"][rng.below(if largest == 8 { 4 } else { 5 })];
    let digits = 1 + rng.below(4);
    format!("{zero}.{}", (0..digits).map(|_| format!("{:x}", rng.below(largest))).collect::<String>())
}

#[test]
fn sums_that_cancel_are_lost() {
    for (code, sum) in [("grundy", [5, 8]), ("dawson", [5, 9]), ("kayles", [17, 21]), ("grundy", [8, 11])] {
        assert_eq!(of_sum(code, &sum), (0, Wdl::Loss), "{code}:{}", spelled(&sum));
    }
    assert_eq!(of_sum("kayles", &[13, 34, 15]), (0, Wdl::Loss));
    assert_eq!(nimber::<Heaps<Subtraction>>("subtract:2:3+6"), (0, Wdl::Loss));
}

#[test]
fn random_sums_have_the_nimber_of_their_heaps() {
    let mut rng = Rng::new(14);
    let named = ["kayles", "dawson", "grundy"].map(str::to_string);
    let codes: Vec<String> = named.into_iter().chain((0..40).map(|_| random_code(&mut rng))).collect();
    for name in &codes {
        let code: Code = name.parse().expect(name);
        let most = if code.most_heaps() < 3 { 60 } else { 40 };
        let single = by_heaps(&code, most);
        for _ in 0..30 {
            let sum: Vec<usize> = (0..2 + rng.below(3)).map(|_| 1 + rng.below(most)).collect();
            let truth = sum.iter().fold(0, |all, &n| all ^ single[n]);
            let wdl = if truth == 0 { Wdl::Loss } else { Wdl::Win };
            assert_eq!(of_sum(name, &sum), (truth, wdl), "{name}:{}", spelled(&sum));
        }
    }
}

#[test]
fn small_sums_have_the_nimber_of_their_moves() {
    let mut rng = Rng::new(15);
    let named = ["kayles", "dawson", "grundy", "0.007", "0.8"].map(str::to_string);
    let codes: Vec<String> = named.into_iter().chain((0..25).map(|_| random_code(&mut rng))).collect();
    for name in &codes {
        let code: Code = name.parse().expect(name);
        let mut known = BTreeMap::new();
        for _ in 0..12 {
            let mut sum: Sum = (0..2 + rng.below(2)).map(|_| 1 + rng.below(6)).collect();
            sum.sort_unstable();
            let truth = by_moves(&code, &sum, &mut known);
            assert_eq!(of_sum(name, &sum).0, truth, "{name}:{}", spelled(&sum));
        }
    }
}

#[test]
fn random_subtraction_sums_have_the_nimber_of_their_heaps() {
    let mut rng = Rng::new(16);
    for _ in 0..60 {
        let mut amounts: Vec<usize> = (0..1 + rng.below(4)).map(|_| 1 + rng.below(9)).collect();
        amounts.sort_unstable();
        amounts.dedup();
        let single = by_heaps(&Code::subtraction(&amounts), 50);
        let sum: Vec<usize> = (0..2 + rng.below(3)).map(|_| 1 + rng.below(50)).collect();
        let truth = sum.iter().fold(0, |all, &n| all ^ single[n]);
        let list: Vec<String> = amounts.iter().map(usize::to_string).collect();
        let spelling = format!("subtract:{};{}", list.join(","), spelled(&sum));
        assert_eq!(nimber::<Heaps<Subtraction>>(&spelling).0, truth, "{spelling}");
    }
}
