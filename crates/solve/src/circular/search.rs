//! The search for simple descriptions of the lost positions.

use super::{Circle, Relation, Stacks, images};
use agon_core::{Ctx, Stop};
use std::cmp::Reverse;

/// What a search for a description found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The relations, simplest first.
    pub relations: Vec<Relation>,
    /// Classes that fit the relations though they are won. None: within the cap, the description is exact.
    pub wrong: usize,
}

/// Relations worth trying for `n` stacks.
fn vocabulary(n: usize) -> Vec<Relation> {
    let mut all: Vec<Relation> = Vec::new();
    let pairs: Vec<Vec<usize>> = (0..n).flat_map(|a| (a + 1..n).map(move |b| vec![a, b])).collect();
    let sides: Vec<Vec<usize>> = (0..n).map(|a| vec![a]).chain(pairs.iter().cloned()).collect();
    all.extend((0..n).flat_map(|p| [Relation::Zero(p), Relation::Smallest(p), Relation::Largest(p)]));
    for (i, a) in sides.iter().enumerate() {
        for b in sides[i + 1..].iter().filter(|b| b.iter().all(|p| !a.contains(p))) {
            all.push(Relation::Equal(a.clone(), b.clone()));
        }
    }
    let subsets = (0u32..1 << n).filter(|set| set.count_ones() >= 3);
    all.extend(subsets.map(|set| Relation::Nim((0..n).filter(|p| set >> p & 1 == 1).collect())));
    for p in 0..n {
        for q in (0..n).filter(|&q| q != p) {
            let two = pairs.iter().filter(|pair| !pair.contains(&p) && !pair.contains(&q));
            all.extend(two.map(|pair| Relation::Lesser(p, q, [pair[0], pair[1]])));
        }
    }
    all
}

/// Some relations, and for every class which of its images satisfy them all, as bits.
#[derive(Clone)]
struct Fit {
    chosen: Vec<usize>,
    lost: Vec<u32>,
    won: Vec<u32>,
}

impl Fit {
    /// How many classes fit: lost ones, won ones.
    fn counts(&self) -> (usize, usize) {
        let count = |bits: &[u32]| bits.iter().filter(|b| **b != 0).count();
        (count(&self.lost), count(&self.won))
    }

    fn and(&self, other: &Fit) -> Fit {
        let both = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| a & b).collect();
        let chosen = self.chosen.iter().chain(&other.chosen).copied().collect();
        Fit { chosen, lost: both(&self.lost, &other.lost), won: both(&self.won, &other.won) }
    }
}

/// Each relation alone, and no relation at all, which everything fits.
fn tables(circle: &Circle, relations: &[Relation], ctx: &Ctx) -> Result<(Vec<Fit>, Fit), Stop> {
    let (lost, won): (Vec<_>, Vec<_>) = circle.classes().partition(|(_, lost)| *lost);
    let bits = |relation: &Relation, classes: &[(Stacks, bool)]| {
        let of = |(stacks, _): &(Stacks, bool)| {
            images(stacks).enumerate().fold(0, |bits, (g, image)| bits | u32::from(relation.holds(&image)) << g)
        };
        classes.iter().map(of).collect()
    };
    let mut all = Vec::new();
    for (i, relation) in relations.iter().enumerate() {
        ctx.check()?;
        all.push(Fit { chosen: vec![i], lost: bits(relation, &lost), won: bits(relation, &won) });
    }
    let every = u32::MAX >> (32 - 2 * circle.n as u32);
    Ok((all, Fit { chosen: Vec::new(), lost: vec![every; lost.len()], won: vec![every; won.len()] }))
}

/// Looks for the fewest relations, at most `most`, that all lost positions fit, and as few others as possible.
pub fn describe(circle: &Circle, most: usize, ctx: &Ctx) -> Result<Description, Stop> {
    const BEAM: usize = 24;
    let relations = vocabulary(circle.n);
    let (mut singles, nothing) = tables(circle, &relations, ctx)?;
    singles.retain(|fit| !fit.lost.contains(&0));
    let mut best = (nothing.counts().1, Vec::new());
    let mut beam = vec![nothing];
    for _ in 0..most {
        let mut next: Vec<(usize, Fit)> = Vec::new();
        for partial in &beam {
            ctx.check()?;
            let wrong_before = partial.counts().1;
            for single in singles.iter().filter(|single| !partial.chosen.contains(&single.chosen[0])) {
                let fit = partial.and(single);
                let wrong = fit.counts().1;
                if wrong < wrong_before && !fit.lost.contains(&0) {
                    next.push((wrong, fit));
                }
            }
            next.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.chosen.cmp(&b.1.chosen)));
            // What fits the same positions by the same images is no new choice.
            next.dedup_by(|a, b| a.0 == b.0 && a.1.won == b.1.won);
            next.truncate(BEAM);
        }
        let Some((wrong, first)) = next.first() else { break };
        if *wrong < best.0 {
            best = (*wrong, first.chosen.clone());
        }
        if best.0 == 0 {
            break;
        }
        beam = next.into_iter().map(|(_, fit)| fit).collect();
    }
    let mut chosen = best.1;
    chosen.sort_unstable();
    Ok(Description { relations: chosen.iter().map(|&i| relations[i].clone()).collect(), wrong: best.0 })
}

/// Conjunctions of at most three relations that only lost positions fit, and how many lost classes each covers: the
/// one that adds most first.
pub fn families(circle: &Circle, most: usize, ctx: &Ctx) -> Result<Vec<(Vec<Relation>, usize)>, Stop> {
    let relations: Vec<Relation> =
        vocabulary(circle.n).into_iter().filter(|r| !matches!(r, Relation::Lesser(..))).collect();
    let pure = pure(circle, &relations, ctx)?;
    let mut covered = pure.first().map_or(Vec::new(), |fit| vec![false; fit.lost.len()]);
    let mut found = Vec::new();
    while found.len() < most {
        let new = |fit: &Fit| fit.lost.iter().zip(&covered).filter(|(b, c)| **b != 0 && !**c).count();
        let best = pure.iter().max_by_key(|fit| (new(fit), Reverse(fit.chosen.len()), Reverse(&fit.chosen)));
        let Some(fit) = best.filter(|fit| new(fit) > 0) else { break };
        found.push((fit.chosen.iter().map(|&i| relations[i].clone()).collect(), fit.counts().0));
        covered.iter_mut().zip(&fit.lost).for_each(|(c, b)| *c |= *b != 0);
    }
    Ok(found)
}

/// Conjunctions that no won position fits, followed from the most promising ones.
fn pure(circle: &Circle, relations: &[Relation], ctx: &Ctx) -> Result<Vec<Fit>, Stop> {
    const DEPTH: usize = 3;
    const BEAM: usize = 60;
    const FEWEST: usize = 4;
    let (singles, nothing) = tables(circle, relations, ctx)?;
    let (mut beam, mut pure) = (vec![nothing], Vec::new());
    for _ in 0..DEPTH {
        let mut next: Vec<((usize, usize), Fit)> = Vec::new();
        for partial in &beam {
            ctx.check()?;
            let after = partial.chosen.last().map_or(0, |last| last + 1);
            for single in &singles[after..] {
                let fit = partial.and(single);
                match fit.counts() {
                    (lost, _) if lost < FEWEST => {}
                    (_, 0) => pure.push(fit),
                    counts => next.push((counts, fit)),
                }
            }
        }
        // The highest share of lost classes first.
        next.sort_by(|(a, x), (b, y)| (b.0 * a.1).cmp(&(a.0 * b.1)).then_with(|| x.chosen.cmp(&y.chosen)));
        next.truncate(BEAM);
        beam = next.into_iter().map(|(_, fit)| fit).collect();
    }
    Ok(pure)
}
