//! Document 002: Heubach, Chinn, Dufour and Stevens on Ellie, Treblecross, .007 and circular nim.

use super::{Finding, Item, Verdict, item};
use agon_core::{Code, Ctx};
use agon_registry as registry;
use agon_registry::erased::{AnyGame, SolveRequest};
use agon_report::SolveReport;
use agon_report::failure::Failure;
use agon_report::words::grouped;
use agon_solve::circular::{self, Circle};
use agon_solve::grundy::{Grundy, Method, Stats};
use agon_solve::misere;
use std::sync::Mutex;

const SMALL: &str = "the Ellie talk, Working out small examples";
const GRUNDY: &str = "the Ellie talk, The Grundy Function";
const EQUIVALENT: &str = "the Ellie talk, Ellie equivalent";
const FREQUENCIES: &str = "the Ellie talk, Frequencies of G(n)";
const KNOWN: &str = "the Ellie talk, What is known about .007";
const TREBLECROSS: &str = "the Ellie talk, Treblecross = .007";
const NOW: &str = "the Ellie talk, What now";
const CIRCULAR: &str = "the Ellie talk, Circular (n, k) Games";

const TO_2_21: &str = "agon grundy 0.007 --to 2097152 --stats --zeros";

pub(super) static ITEMS: &[Item] = &[
    item(
        "002/2x2",
        SMALL,
        "On the 2×2 board the first player wins, whatever the move",
        "4 of 4 moves win",
        "agon solve ellie:2x2",
        Verdict::Reproduced,
        two_by_two,
    ),
    item(
        "002/2x3",
        SMALL,
        "On the 2×3 board, up to symmetry, the first and the fourth move win",
        "2 of 4 moves win",
        "agon solve ellie:3x2",
        Verdict::Reproduced,
        two_by_three,
    ),
    item(
        "002/2x3-tree",
        SMALL,
        "The game tree of the 2×3 board: every play ends after one move or two",
        "1 or 2",
        "agon perft ellie:3x2 4",
        Verdict::Reproduced,
        tree,
    ),
    item(
        "002/grundy-theorem",
        GRUNDY,
        "If G(G) = n, then for k ≤ n some k moves lead to a losing position",
        "0 ≤ k ≤ n",
        "every heap of .007 up to 60 and its options",
        Verdict::Corrected,
        distance,
    ),
    item(
        "002/equivalence",
        EQUIVALENT,
        "Ellie on 2×n is the 1×2n board with 1×3 tiles: only the number of squares matters",
        "equal",
        "agon solve ellie:NX2 against heap:0.007:2N, normal and misère",
        Verdict::Reproduced,
        equivalence,
    ),
    item(
        "002/recursion",
        EQUIVALENT,
        "G(G_n) is the mex of G(G_{i-1}) ⊕ G(G_{n-i-2}) over 1 ≤ i ≤ ⌊n/2⌋",
        "equal",
        "the recursion as printed against agon grundy 0.007 --to 2000",
        Verdict::Reproduced,
        recursion,
    ),
    item(
        "002/10000-max",
        FREQUENCIES,
        "The largest of the first 10,000 values",
        "262",
        "agon grundy 0.007 --to 9999 --stats",
        Verdict::Reproduced,
        |ctx, c| first(ctx, c, 10_000, |s| u64::from(s.max.value)),
    ),
    item(
        "002/10000-frequency",
        FREQUENCIES,
        "The highest frequency among the first 10,000 values",
        "202",
        "agon grundy 0.007 --to 9999 --stats",
        Verdict::Reproduced,
        |ctx, c| first(ctx, c, 10_000, |s| s.frequencies[0].1),
    ),
    item(
        "002/25000-max",
        FREQUENCIES,
        "The largest of the first 25,000 values",
        "392",
        "agon grundy 0.007 --to 24999 --stats",
        Verdict::Reproduced,
        |ctx, c| first(ctx, c, 25_000, |s| u64::from(s.max.value)),
    ),
    item(
        "002/25000-frequency",
        FREQUENCIES,
        "The highest frequency among the first 25,000 values",
        "372",
        "agon grundy 0.007 --to 24999 --stats",
        Verdict::Reproduced,
        |ctx, c| first(ctx, c, 25_000, |s| s.frequencies[0].1),
    ),
    item(
        "002/maximum",
        KNOWN,
        "The largest value up to 2^21",
        "G(1,683,655) = 1,314",
        TO_2_21,
        Verdict::Reproduced,
        |ctx, c| known(ctx, c, |s| at(s.max)),
    ),
    item(
        "002/last-new",
        KNOWN,
        "The last new value to occur up to 2^21",
        "G(1,686,918) = 1,237",
        TO_2_21,
        Verdict::Corrected,
        last_new,
    ),
    item(
        "002/most-frequent",
        KNOWN,
        "The most frequent value up to 2^21",
        "1,024, which occurs 63,506 times",
        TO_2_21,
        Verdict::Reproduced,
        |ctx, c| known(ctx, c, |s| frequent(s, 0)),
    ),
    item(
        "002/second-frequent",
        KNOWN,
        "The second most frequent value up to 2^21",
        "1,026, which occurs 62,178 times",
        TO_2_21,
        Verdict::Reproduced,
        |ctx, c| known(ctx, c, |s| frequent(s, 1)),
    ),
    item(
        "002/p-positions",
        KNOWN,
        "The 37 losing heaps up to 2^21",
        "0, 1, 2, 8, 14, 24, 32, 34, 46, 56, 66, 78, 88, 100, 112, 120, 132, 134, 164, 172, 186, 196, 204, 284, 292, 304, 358, 1048, 2504, 2754, 2914, 3054, 3078, 7252, 7358, 7868, 16170",
        TO_2_21,
        Verdict::Reproduced,
        p_positions,
    ),
    item(
        "002/treblecross",
        TREBLECROSS,
        "Treblecross on a row of L cells is .007 with a heap of L",
        "L + 0",
        "agon solve treblecross:1xL against heap:0.007:L+k, L from 3 to 18",
        Verdict::Corrected,
        treblecross,
    ),
    item(
        "002/misere",
        NOW,
        "Misère play of .007 is hopeless",
        "no outcome given",
        "agon grundy 0.007 --misere --to 120",
        Verdict::Answered,
        misere_play,
    ),
    item(
        "002/3xn",
        NOW,
        "Ellie on 3×n is very tough",
        "no value given",
        "agon solve ellie:NX3, N from 1 to 14",
        Verdict::Answered,
        three_rows,
    ),
    item(
        "002/circular",
        CIRCULAR,
        "What is the structure of the losing positions of circular nim?",
        "open",
        "every description known from the literature, as equality of sets within a largest stack",
        Verdict::Answered,
        circular_nim,
    ),
    item(
        "002/circular-variations",
        CIRCULAR,
        "Variations: a fixed number from each of the k stacks; at least one, or at least a, from each",
        "open",
        "agon solve circular-nim:3,2:4+2+5,each=1 (or each=2, or each=1,exact=yes), every position up to a largest stack",
        Verdict::Answered,
        variations,
    ),
];

/// Items that compute .007 to 2^21, which takes too long in tests without full optimisation.
#[cfg(test)]
pub(super) const LONG: &[&str] =
    &["002/maximum", "002/last-new", "002/most-frequent", "002/second-frequent", "002/p-positions"];

fn ellie() -> Code {
    "0.007".parse().expect("a code")
}

fn values(to: usize, ctx: &Ctx) -> Result<Vec<u32>, Failure> {
    let mut grundy = Grundy::new(&ellie(), to, Method::Auto);
    grundy.run(ctx, to)?;
    Ok(grundy.values().collect())
}

/// The values to 2^21, computed once.
fn far<T>(ctx: &Ctx, use_them: impl FnOnce(&[u32]) -> T) -> Result<T, Failure> {
    static FAR: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let mut far = FAR.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if far.is_empty() {
        *far = values(1 << 21, ctx)?;
    }
    Ok(use_them(&far))
}

fn stats(values: &[u32]) -> Stats {
    Stats::of(values.iter().copied()).expect("at least G(0)")
}

fn solve(game: &dyn AnyGame, pos: &str, ctx: &Ctx) -> Result<SolveReport, Failure> {
    Ok(game.solve(pos, &SolveRequest::plain(1 << 28), ctx)?.0)
}

/// The nim-value and the number of winning moves.
fn solved(spelling: &str, ctx: &Ctx) -> Result<SolveReport, Failure> {
    let game = registry::standard().game(spelling)?;
    solve(game.as_ref(), &game.start(), ctx)
}

fn winning(spelling: &str, ctx: &Ctx) -> Result<(usize, usize), Failure> {
    let game = registry::standard().game(spelling)?;
    let won = solve(game.as_ref(), &game.start(), ctx)?.winning_moves.map_or(0, |moves| moves.len());
    Ok((won, game.moves(&game.start())?.len()))
}

fn two_by_two(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (won, all) = winning("ellie:2x2", ctx)?;
    Ok(Finding::compare(claimed, format!("{won} of {all} moves win"), ""))
}

fn two_by_three(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (won, all) = winning("ellie:3x2", ctx)?;
    // No tile equals its left-right mirror image, so moves come in pairs.
    let note = format!("{won} of {all} without symmetry: the moves that separate the three free cells");
    Ok(Finding::compare(claimed, format!("{} of {} moves win", won / 2, all / 2), note))
}

fn tree(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = registry::standard().game("ellie:3x2")?;
    let counts = game.perft(&game.start(), 4, None, ctx)?;
    let depth = counts.iter().filter(|&&count| count > 0).count();
    let short = counts[0] > 0 && winning("ellie:3x2", ctx)?.0 > 0;
    let note = format!("{} first moves, {} lines of two moves", counts[0], counts[1]);
    Ok(Finding::compare(claimed, if short && depth == 2 { "1 or 2".to_string() } else { format!("{depth}") }, note))
}

/// The k for which every position of value n has a line of k moves to a losing position.
fn distance(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let g = values(60, ctx)?;
    let options = |n: usize| (0..=n.saturating_sub(3) / 2).filter(move |_| n >= 3).map(move |a| (a, n - 3 - a));
    // A heap of value n has a move to every smaller value, so k moves go n → k − 1 → … → 0, for every k from 1 to n.
    let downward = (0..=60).all(|n| (0..g[n]).all(|v| options(n).any(|(a, b)| g[a] ^ g[b] == v)));
    let none_at_zero = (0..=60).any(|n| g[n] > 0);
    let computed = match (downward, none_at_zero) {
        (true, true) => "1 ≤ k ≤ n",
        (true, false) => "0 ≤ k ≤ n",
        _ => "not always",
    };
    let note = "With k = 0 the position itself would have to be lost, which it is only for n = 0. And n is not a distance: \
                a losing position may be one move away for any n > 0.";
    Ok(Finding::compare(claimed, computed, note).corrected_if(downward && none_at_zero))
}

fn equivalence(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let g = values(24, ctx)?;
    let mut different = Vec::new();
    for n in 1..=12 {
        if solved(&format!("ellie:{n}x2"), ctx)?.nimber != Some(g[2 * n]) {
            different.push(format!("2×{n}"));
        }
    }
    for n in 1..=9 {
        let board = solved(&format!("ellie:{n}x2,play=misere"), ctx)?.value;
        if board != solved(&format!("heap:0.007:{},play=misere", 2 * n), ctx)?.value {
            different.push(format!("2×{n} misère"));
        }
    }
    let computed = if different.is_empty() { "equal".to_string() } else { different.join(", ") };
    Ok(Finding::compare(claimed, computed, "values for n up to 12, misère outcomes for n up to 9"))
}

fn recursion(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    const TO: usize = 2000;
    let engine = values(TO, ctx)?;
    let mut g = vec![0u32; 3];
    for n in 3..=TO {
        // Near the middle, the printed range extends past the last tile that fits.
        let options: std::collections::BTreeSet<u32> =
            (1..=n / 2).filter(|i| i + 2 <= n).map(|i| g[i - 1] ^ g[n - i - 2]).collect();
        g.push((0..).find(|v| !options.contains(v)).expect("a mex"));
    }
    let differs = (0..=TO).find(|&n| g[n] != engine[n]);
    let computed = differs.map_or("equal".to_string(), |n| format!("differs at {n}"));
    Ok(Finding::compare(claimed, computed, "all heaps up to 2000"))
}

fn first(ctx: &Ctx, claimed: &str, count: usize, of: fn(&Stats) -> u64) -> Result<Finding, Failure> {
    Ok(Finding::compare(claimed, of(&stats(&values(count - 1, ctx)?)).to_string(), ""))
}

fn at(at: agon_solve::grundy::stats::At) -> String {
    format!("G({}) = {}", grouped(at.n), grouped(at.value))
}

fn frequent(stats: &Stats, rank: usize) -> String {
    let (value, times) = stats.frequencies[rank];
    format!("{}, which occurs {} times", grouped(value), grouped(times))
}

fn known(ctx: &Ctx, claimed: &str, of: fn(&Stats) -> String) -> Result<Finding, Failure> {
    far(ctx, |values| Finding::compare(claimed, of(&stats(values)), ""))
}

fn last_new(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    far(ctx, |values| {
        let stats = stats(values);
        let later: Vec<String> = stats.first.iter().filter(|new| new.n > 1_686_918).map(|new| at(*new)).collect();
        let stated = stats.first.iter().any(|new| at(*new) == claimed);
        let note = format!(
            "{} is new there{}, but {} more values first occur later and below 2^21: {}",
            claimed,
            if stated { "" } else { " according to the talk" },
            later.len(),
            later.join(", ")
        );
        Finding::compare(claimed, at(stats.last_new()), note).corrected_if(!later.is_empty())
    })
}

fn p_positions(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    far(ctx, |values| {
        let zeros: Vec<String> =
            values.iter().enumerate().filter(|(_, v)| **v == 0).map(|(n, _)| n.to_string()).collect();
        Finding::compare(claimed, zeros.join(", "), format!("{} of them", zeros.len()))
    })
}

/// The offset k for which a row of L cells is won exactly if the heap of L + k is won.
fn treblecross(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    const ROWS: std::ops::RangeInclusive<usize> = 3..=18;
    let g = values(30, ctx)?;
    let mut wins = Vec::new();
    for length in ROWS {
        wins.push((length, solved(&format!("treblecross:1x{length}"), ctx)?.value == "win"));
    }
    let fits = |k: usize| wins.iter().all(|&(length, won)| won == (g[length + k] != 0));
    let offsets: Vec<String> = (0..=6).filter(|&k| fits(k)).map(|k| format!("L + {k}")).collect();
    let broken = wins.iter().find(|&&(length, won)| won != (g[length] != 0));
    let note = broken.map_or(String::new(), |(length, won)| {
        let (row, heap) = if *won { ("won", "lost") } else { ("lost", "won") };
        format!(
            "A mark at the end of the row bars two cells beyond it, so the heap is larger by two. Without that, a row of \
             {length} is {row} and a heap of {length} is {heap}. The rows themselves are not sums: three marks in a row end the whole game."
        )
    });
    Ok(Finding::compare(claimed, offsets.join(" or "), note).corrected_if(broken.is_some()))
}

fn misere_play(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    const TO: usize = 120;
    let (heaps, forms) = misere::heaps(&ellie(), TO, ctx)?;
    let losing: Vec<String> = (0..=TO).filter(|&n| !heaps[n].wins).map(|n| n.to_string()).collect();
    let look = misere::look_alike(&heaps).map_or(String::new(), |look| {
        let broken = look.broken_at.map_or("never".to_string(), |n| format!("at heap {n}"));
        format!(" They look like {:?} mod {}, which breaks {broken}.", look.residues, look.period)
    });
    let note = format!("By {} canonical forms of the octal game 0.007 in misère play.{look}", grouped(forms));
    let found = Finding::compare(claimed, format!("losing heaps up to {TO}: {}", losing.join(" ")), note);
    Ok(found.answered_if(!losing.is_empty()))
}

fn three_rows(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    const TO: usize = 14;
    let g = values(3 * TO, ctx)?;
    let mut found = Vec::new();
    for n in 1..=TO {
        found.push(solved(&format!("ellie:{n}x3"), ctx)?.nimber.unwrap_or_default());
    }
    let apart = (3..=TO).find(|&n| found[n - 1] != g[3 * n]);
    let note = apart.map_or(String::new(), |n| {
        format!(
            "The number of cells no longer determines the value: 3×{n} has value {}, a heap of {} has {}. docs/results/ellie.md has more values.",
            found[n - 1],
            3 * n,
            g[3 * n]
        )
    });
    let list: Vec<String> = found.iter().map(u32::to_string).collect();
    Ok(Finding::compare(claimed, format!("3×1 to 3×{TO}: {}", list.join(" ")), note).answered_if(apart.is_some()))
}

/// Circles of the variations: stacks, neighbours, largest stack.
const VARIED: [(usize, usize, u8); 5] = [(3, 2, 6), (4, 2, 4), (4, 3, 4), (5, 2, 3), (5, 3, 3)];

/// The losing positions of the three variations, up to turning and mirroring.
fn variations(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    use agon_games::impartial::Rules as _;
    use agon_games::impartial::circle::{Circle, Stacks};
    let rules =
        [("at least 1 from each", 1, false), ("at least 2 from each", 2, false), ("exactly 1 from each", 1, true)];
    let (mut counts, mut shapes, mut agree) = (Vec::new(), Vec::new(), true);
    for (name, each, exact) in rules {
        let mut row = Vec::new();
        for (n, k, cap) in VARIED {
            ctx.check()?;
            let circle = Circle::new(n, k, &vec![cap; n]).with_each(each, exact);
            let mut all: Vec<Stacks> = vec![circle.start()];
            for place in 0..n {
                let lower = |stacks: &Stacks| {
                    let stacks = *stacks;
                    (0..=cap).map(move |height| {
                        let mut lower = stacks;
                        lower[place] = height;
                        lower
                    })
                };
                all = all.iter().flat_map(lower).collect();
            }
            // A move lowers the sum of the stacks.
            all.sort_by_key(|stacks| circle.height(stacks));
            let mut lost = std::collections::BTreeSet::new();
            for stacks in all {
                let mut wins = false;
                circle.steps(&stacks, &mut |after| wins |= lost.contains(&after));
                if !wins {
                    lost.insert(stacks);
                }
            }
            let orbits: std::collections::BTreeSet<Stacks> =
                lost.iter().map(|stacks| circle.canonical(stacks)).collect();
            if n == 3 {
                let few: Vec<String> = orbits.iter().take(8).map(|stacks| circle.show(stacks)).collect();
                shapes.push(format!("{name}, CN(3, 2): {} …", few.join(" ")));
            }
            // The solver of sums knows nothing of this list.
            let start = circle.start();
            let exactly = if exact { ",exact=yes" } else { "" };
            let spelled = format!("circular-nim:{n},{k}:{},each={each}{exactly}", circle.show(&start));
            agree &= (solved(&spelled, ctx)?.value == "loss") == lost.contains(&start);
            row.push(format!("CN({n}, {k}) to {cap}: {}", orbits.len()));
        }
        counts.push(format!("{name}: {}", row.join(", ")));
    }
    let note = format!("losing positions up to turning and mirroring\n{}\n{}", counts.join("\n"), shapes.join("\n"));
    Ok(Finding::compare(claimed, format!("{} circles of each variation solved", VARIED.len()), note).answered_if(agree))
}

/// The largest stack that is tried, by the number of stacks.
const CAPS: [u8; 9] = [0, 30, 30, 16, 12, 8, 6, 4, 3];

fn circular_nim(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let joined = |list: &[circular::Relation]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    let (mut hold, mut broken, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for theorem in circular::theorems() {
        let name = format!("CN({}, {})", theorem.n, theorem.k);
        let circle = Circle::solve(theorem.n, theorem.k, CAPS[theorem.n], ctx)?;
        match circular::counterexample(&circle, &theorem.relations) {
            None => {
                let search = circular::describe(&circle, theorem.relations.len().max(2), ctx)?;
                let special = theorem.k > 1 && theorem.k + 1 < theorem.n;
                if search.wrong == 0 && special {
                    found.push(format!("{name}: {}", joined(&search.relations)));
                } else if search.wrong > 0 {
                    broken.push(format!("{name} is not rediscovered"));
                }
                hold.push(name);
            }
            Some(stacks) => broken.push(format!("{name} at {stacks:?}")),
        }
    }
    let six_two = Circle::solve(6, 2, CAPS[6], ctx)?;
    let best = circular::describe(&six_two, 4, ctx)?;
    let exact = if best.wrong == 0 {
        format!("CN(6, 2) is described by {}.", joined(&best.relations))
    } else {
        let families = circular::families(&six_two, 4, ctx)?;
        let each: Vec<String> =
            families.iter().map(|(family, covers)| format!("{} ({covers} orbits)", joined(family))).collect();
        format!(
            "For CN(6, 2) no conjunction of up to four such relations is exact; of its {} lost orbits up to stacks of \
             {}, these families are lost throughout: {}.",
            grouped(six_two.lost_orbits().len()),
            CAPS[6],
            each.join("; ")
        )
    };
    let note = format!(
        "Exact within the largest stack: {}. The search finds a description of each automatically; {}. {exact}",
        hold.join(", "),
        found.join("; ")
    );
    let refuted = if broken.is_empty() { String::new() } else { format!("; refuted: {}", broken.join(", ")) };
    let computed = format!("{} descriptions hold{refuted}", hold.len());
    Ok(Finding::compare(claimed, computed, note).answered_if(broken.is_empty()))
}
