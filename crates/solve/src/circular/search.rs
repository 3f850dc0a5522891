//! The search for simple descriptions of the lost positions.

use super::{Circle, Relation, Stacks, images};
use agon_core::{Ctx, Stop};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The result of a search for a description.
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
    let of_size = |size: u32| -> Vec<Vec<usize>> {
        let sets = (0u32..1 << n).filter(move |set| set.count_ones() == size);
        let mut sets: Vec<Vec<usize>> = sets.map(|set| (0..n).filter(|p| set >> p & 1 == 1).collect()).collect();
        sets.sort();
        sets
    };
    let pairs = of_size(2);
    all.extend((0..n).flat_map(|p| [Relation::Zero(p), Relation::Smallest(p), Relation::Largest(p)]));
    let mut equal = |sides: &[Vec<usize>]| {
        for (i, a) in sides.iter().enumerate() {
            for b in sides[i + 1..].iter().filter(|b| b.iter().all(|p| !a.contains(p))) {
                all.push(Relation::Equal(a.clone(), b.clone()));
            }
        }
    };
    equal(&[of_size(1), pairs.clone()].concat());
    equal(&of_size(3));
    all.extend((3..=n as u32).flat_map(of_size).map(Relation::Nim));
    for p in 0..n {
        for q in (0..n).filter(|&q| q != p) {
            let two = pairs.iter().filter(|pair| !pair.contains(&p) && !pair.contains(&q));
            all.extend(two.map(|pair| Relation::Lesser(p, q, [pair[0], pair[1]])));
        }
    }
    all
}

/// The relations that no turn or mirror image carries to one before them: a description may begin with one of these.
fn first_of_their_images(n: usize, relations: &[Relation]) -> Vec<usize> {
    let places: Vec<u8> = (0..n as u8).collect();
    let moves: Vec<Stacks> = images(&places).collect();
    let is_first = |at: &usize| {
        let image = |to: &Stacks| relations[*at].moved(|p| usize::from(to[p]));
        let images: BTreeSet<Relation> = moves.iter().map(image).collect();
        !relations[..*at].iter().any(|earlier| images.contains(earlier))
    };
    (0..relations.len()).filter(is_first).collect()
}

/// Some relations, and for every class which of its images satisfy them all, as bits.
#[derive(Clone)]
struct Fit {
    chosen: Vec<usize>,
    lost: Vec<u32>,
    won: Vec<u32>,
}

impl Fit {
    fn lost_fitting(&self) -> usize {
        self.lost.iter().filter(|bits| **bits != 0).count()
    }

    /// Returns whether every lost class fits both.
    fn keeps_all_lost(&self, other: &Fit) -> bool {
        self.lost.iter().zip(&other.lost).all(|(a, b)| a & b != 0)
    }

    /// Returns whether some won class fits both.
    fn lets_won_in(&self, other: &Fit) -> bool {
        self.won.iter().zip(&other.won).any(|(a, b)| a & b != 0)
    }

    /// The number of won classes that fit both.
    fn wrong_with(&self, other: &Fit) -> usize {
        self.won.iter().zip(&other.won).filter(|(a, b)| *a & *b != 0).count()
    }

    fn and(&self, other: &Fit) -> Fit {
        let both = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| a & b).collect();
        let mut chosen: Vec<usize> = self.chosen.iter().chain(&other.chosen).copied().collect();
        chosen.sort_unstable();
        Fit { chosen, lost: both(&self.lost, &other.lost), won: both(&self.won, &other.won) }
    }

    /// The length of the description.
    fn weight(&self, relations: &[Relation]) -> usize {
        self.chosen.iter().map(|&i| relations[i].weight()).sum()
    }

    fn spelled(&self, relations: &[Relation]) -> Vec<Relation> {
        self.chosen.iter().map(|&i| relations[i].clone()).collect()
    }
}

/// Each relation alone, and no relation at all, which everything fits.
fn tables(circle: &Circle, relations: &[Relation], ctx: &Ctx) -> Result<(Vec<Fit>, Fit), Stop> {
    let (mut lost, mut won): (Vec<Vec<Stacks>>, Vec<Vec<Stacks>>) = Default::default();
    for (stacks, is_lost) in circle.classes() {
        let list = if is_lost { &mut lost } else { &mut won };
        list.push(images(&stacks).collect());
    }
    let bits = |relation: &Relation, classes: &[Vec<Stacks>]| {
        let of = |images: &Vec<Stacks>| {
            images.iter().rev().fold(0, |bits, image| bits << 1 | u32::from(relation.holds(image)))
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

/// Looks for few relations, at most `most`, that all lost positions fit, and as few others as possible. One and two
/// relations are tried exhaustively, more of them from the best.
pub fn describe(circle: &Circle, most: usize, ctx: &Ctx) -> Result<Description, Stop> {
    const BEAM: usize = 32;
    let relations = vocabulary(circle.n);
    let (mut singles, nothing) = tables(circle, &relations, ctx)?;
    singles.retain(|fit| !fit.lost.contains(&0));
    let firsts = first_of_their_images(circle.n, &relations);
    let mut best = (nothing.won.len(), nothing.clone());
    let mut beam: Vec<Fit> = vec![nothing];
    for depth in 0..most {
        let mut next: Vec<(usize, usize, usize, usize)> = Vec::new();
        for (k, partial) in beam.iter().enumerate() {
            ctx.check()?;
            let before = partial.won.iter().filter(|bits| **bits != 0).count();
            for (j, single) in singles.iter().enumerate() {
                let begins = depth > 0 || firsts.binary_search(&single.chosen[0]).is_ok();
                if !begins || partial.chosen.contains(&single.chosen[0]) || !partial.keeps_all_lost(single) {
                    continue;
                }
                let wrong = partial.wrong_with(single);
                // Alone, `a = min` says nothing; beside another relation it may.
                if wrong < before || depth == 0 {
                    let weight = partial.weight(&relations) + single.weight(&relations);
                    next.push((wrong, weight, k, j));
                }
            }
        }
        next.sort_unstable();
        if depth > 0 {
            next.truncate(4 * BEAM);
        }
        let Some(&(wrong, _, k, j)) = next.first() else { break };
        if wrong < best.0 {
            best = (wrong, beam[k].and(&singles[j]));
        }
        if best.0 == 0 {
            break;
        }
        let mut grown: Vec<Fit> = Vec::new();
        for &(_, _, k, j) in &next {
            let fit = beam[k].and(&singles[j]);
            // Skip a relation that the same positions fit by the same images.
            if (depth == 0 || grown.len() < BEAM) && grown.iter().all(|other| other.won != fit.won) {
                grown.push(fit);
            }
        }
        beam = grown;
    }
    Ok(Description { relations: best.1.spelled(&relations), wrong: best.0 })
}

/// Conjunctions of at most three relations that only lost positions fit, and how many lost classes each covers: the
/// one that adds most first, and of equals the one with least to read.
pub fn families(circle: &Circle, most: usize, ctx: &Ctx) -> Result<Vec<(Vec<Relation>, usize)>, Stop> {
    let relations: Vec<Relation> =
        vocabulary(circle.n).into_iter().filter(|r| !matches!(r, Relation::Lesser(..))).collect();
    let pure = pure(circle, &relations, ctx)?;
    let mut covered = pure.first().map_or(Vec::new(), |fit| vec![false; fit.lost.len()]);
    let mut found = Vec::new();
    while found.len() < most {
        let new = |fit: &Fit| fit.lost.iter().zip(&covered).filter(|(b, c)| **b != 0 && !**c).count();
        let best = pure.iter().max_by_key(|fit| (new(fit), Reverse(fit.weight(&relations)), Reverse(&fit.chosen)));
        let Some(fit) = best.filter(|fit| new(fit) > 0) else { break };
        found.push((fit.spelled(&relations), fit.lost_fitting()));
        covered.iter_mut().zip(&fit.lost).for_each(|(c, b)| *c |= *b != 0);
    }
    Ok(found)
}

/// Every conjunction of at most three relations, up to turns and mirror images, that at least a few lost classes fit
/// and no won one; those with a relation to spare are left out.
fn pure(circle: &Circle, relations: &[Relation], ctx: &Ctx) -> Result<Vec<Fit>, Stop> {
    const MIN_COVERED: usize = 4;
    let (singles, nothing) = tables(circle, relations, ctx)?;
    let mut pure: Vec<Fit> = Vec::new();
    let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
    let few = |fit: &Fit| fit.lost_fitting() < MIN_COVERED;
    for first in first_of_their_images(circle.n, relations) {
        let one = &singles[first];
        if !nothing.lets_won_in(one) {
            pure.push(one.clone());
            continue;
        }
        for (i, second) in singles.iter().enumerate() {
            ctx.check()?;
            let two = one.and(second);
            if i == first || few(&two) || !seen.insert(two.chosen.clone()) {
                continue;
            }
            if !one.lets_won_in(second) {
                pure.push(two);
                continue;
            }
            for third in singles[i + 1..].iter().filter(|third| third.chosen[0] != first) {
                if !two.lets_won_in(third) && one.lets_won_in(third) {
                    let three = two.and(third);
                    if !few(&three) && seen.insert(three.chosen.clone()) {
                        pure.push(three);
                    }
                }
            }
        }
    }
    Ok(pure)
}
