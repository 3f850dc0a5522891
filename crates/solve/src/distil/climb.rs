//! A right list by local search: lists change step by step while they fail at fewer points.
//!
//! As in the search for the shortest list, the search looks at a few points only. A list that is right there is played
//! out, and the points that lead to its mistakes join the few.

use super::exact::{Levels, List, Steps, Table, chosen};
use super::points::{Observer, Points, bits};
use super::shortest::table;
use agon_core::solver::Failed;
use agon_core::{Ctx, Game, Rng, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The weight of a point at which a list has no right move; one at which it has wrong moves too weighs 1.
const LOST: usize = 4;

/// A list changes so often without getting better before the search goes back to the best one.
const PATIENCE: u32 = 4_000;

/// A list that is right at the few points changes so often to reach fewer of them.
const TIGHTENING: usize = 1_500;

/// So many mistakes of a list add their points at once.
const MISTAKES: usize = 64;

/// Random plays before a walk over all plays, and their length where play can cycle.
const PROBES: usize = 2_000;
const LONGEST_PROBE: usize = 100;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps of a list.
    pub steps: usize,
    /// The most rules.
    pub rules: usize,
    /// Lists must have fewer bits.
    pub bits: f64,
    /// The search gives up once it has tried so many lists.
    pub tried: u64,
}

/// A local search over the lists of some steps.
pub struct Climb<'a, S> {
    steps: &'a S,
    limits: Limits,
    rng: Rng,
    few: Vec<u32>,
    known: FxHashSet<u32>,
    /// Lists tried.
    pub tried: u64,
}

/// A report of progress: mistakes left at the few points, the number of these, and the list.
pub type Tell<'a> = &'a mut dyn FnMut(usize, usize, &List);

impl<'a, S> Climb<'a, S> {
    /// A search that begins with these points.
    pub fn new(steps: &'a S, few: &[u32], limits: Limits, seed: u64) -> Climb<'a, S> {
        let mut climb =
            Climb { steps, limits, rng: Rng::new(seed), few: Vec::new(), known: FxHashSet::default(), tried: 0 };
        climb.add(few);
        climb
    }

    /// From now on, other limits count.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The points that the search looks at.
    #[must_use]
    pub fn few(&self) -> &[u32] {
        &self.few
    }

    fn add(&mut self, points: &[u32]) {
        self.few.extend(points.iter().filter(|&&point| self.known.insert(point)));
    }

    /// A list without one of its steps, by lot.
    pub fn without_one(&mut self, list: &List) -> List {
        let steps: usize = list.iter().map(Vec::len).sum();
        let mut at = self.rng.below(steps.max(1));
        let mut shorter = list.clone();
        for rule in &mut shorter {
            if at < rule.len() {
                rule.remove(at);
                break;
            }
            at -= rule.len();
        }
        shorter
    }

    /// Changes a list until it is right.
    pub fn right<G: Game, O: Observer<G>>(
        &mut self,
        points: &mut Points<'_, G, O>,
        start: List,
        ctx: &Ctx,
        tell: Tell<'_>,
    ) -> Result<List, Failed>
    where
        S: Steps<O::Values>,
    {
        let mut list = start;
        loop {
            let table = table(points, &self.few);
            let values: Vec<&O::Values> = self.few.iter().map(|&point| &points.at(point).values).collect();
            let levels = Levels::new(self.steps, &values);
            let all = values.iter().map(|values| self.steps.all(values)).collect();
            let mut sight =
                Sight { table: &table, levels, all, met: vec![0; values.len()], walk: 0, count: 0, stack: Vec::new() };
            drop(values);
            list = self.climb(&mut sight, list, ctx, tell)?;
            let mut path = self.probed(points, &list)?;
            if path.is_empty() {
                let known = |point: u32| self.known.contains(&point);
                match mistakes(points, self.steps, &list, known)? {
                    None => return Ok(list),
                    Some(found) => path = found,
                }
            }
            self.add(&path);
            ctx.check()?;
        }
    }

    /// The points that lead to mistakes of a list in random plays: most lists need no walk over all plays.
    fn probed<G: Game, O: Observer<G>>(
        &mut self,
        points: &mut Points<'_, G, O>,
        list: &List,
    ) -> Result<Vec<u32>, Failed>
    where
        S: Steps<O::Values>,
    {
        let (mut found, mut paths) = (0, Vec::new());
        for _ in 0..PROBES {
            let mut at = points.roots()[self.rng.below(points.roots().len())];
            let mut path = vec![at];
            while path.len() < LONGEST_PROBE {
                let here = points.at(at);
                let choice = chosen(self.steps, list, &here.values);
                if choice == 0 || choice & !here.good != 0 {
                    found += 1;
                    paths.append(&mut path);
                    break;
                }
                let moves: Vec<usize> = bits(choice).collect();
                let next = points.next(at, moves[self.rng.below(moves.len())])?;
                if next.is_empty() {
                    break;
                }
                at = next[self.rng.below(next.len())];
                path.push(at);
            }
            if found >= MISTAKES {
                break;
            }
        }
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Changes a list until it makes no mistake at the few points.
    fn climb<V>(&mut self, sight: &mut Sight<'_>, start: List, ctx: &Ctx, tell: Tell<'_>) -> Result<List, Stop>
    where
        S: Steps<V>,
    {
        let mut current = start;
        let mut score = sight.faults(&current, usize::MAX);
        let (mut best, mut stale) = ((current.clone(), score), 0);
        let mut rounds = 0;
        let mut meter = ctx.meter();
        while score > 0 || !self.fits(&current) {
            meter.tick()?;
            if self.tried >= self.limits.tried {
                return Err(Stop::Nodes);
            }
            self.tried += 1;
            stale += 1;
            if stale > PATIENCE {
                (current, score, stale) = (best.0.clone(), best.1, 0);
                rounds += 1;
                if rounds > 3 {
                    // Begin elsewhere.
                    for _ in 0..3 {
                        current = self.changed(&current).unwrap_or(current);
                    }
                    score = sight.faults(&current, usize::MAX);
                    best = (current.clone(), score);
                    rounds = 0;
                }
            }
            let Some(changed) = self.changed(&current).filter(|list| self.fits(list)) else { continue };
            // Now and then a list may be a little worse.
            let slack = if self.rng.below(50) == 0 { score / 10 + 1 } else { 0 };
            let faults = sight.faults(&changed, score + slack + 1);
            if faults <= score + slack {
                (current, score) = (changed, faults);
                if faults < best.1 {
                    tell(faults, self.few.len(), &current);
                    (best, stale) = ((current.clone(), faults), 0);
                }
            }
        }
        // The fewer points the list leads to, the fewer mistakes it can make elsewhere.
        let mut met = sight.reach(&current);
        for _ in 0..TIGHTENING {
            let Some(changed) = self.changed(&current).filter(|list| self.fits(list)) else { continue };
            self.tried += 1;
            if sight.faults(&changed, 1) == 0 && sight.count <= met {
                (current, met) = (changed, sight.count);
            }
        }
        Ok(current)
    }

    fn fits<V>(&self, list: &List) -> bool
    where
        S: Steps<V>,
    {
        let steps: usize = list.iter().map(Vec::len).sum();
        steps <= self.limits.steps && list.len() <= self.limits.rules && self.bits(list) < self.limits.bits
    }

    fn bits<V>(&self, list: &List) -> f64
    where
        S: Steps<V>,
    {
        let steps: f64 = list.iter().flatten().map(|&step| self.steps.bits(step)).sum();
        1.0 + 4.0 * list.len() as f64 + steps
    }

    /// The list with one random change.
    fn changed<V>(&mut self, list: &List) -> Option<List>
    where
        S: Steps<V>,
    {
        let mut list = list.clone();
        let rule = self.rng.below(list.len());
        let step = self.rng.below(self.steps.count());
        let length = list[rule].len();
        match self.rng.below(16) {
            0..=5 => list[rule].insert(self.rng.below(length + 1), step),
            6..=10 if length > 0 => list[rule][self.rng.below(length)] = step,
            11 if length > 0 => {
                list[rule].remove(self.rng.below(length));
            }
            12 | 13 if length > 1 => {
                let from = self.rng.below(length);
                let moved = list[rule].remove(from);
                list[rule].insert(self.rng.below(length), moved);
            }
            14 => list.insert(rule, vec![step]),
            15 if list.len() > 1 => {
                list.remove(rule);
            }
            _ => return None,
        }
        Some(list)
    }
}

/// The few points, ready for many lists.
struct Sight<'a> {
    table: &'a Table,
    levels: Levels,
    all: Vec<u64>,
    met: Vec<u32>,
    walk: u32,
    /// The number of points that the last walk met.
    count: usize,
    stack: Vec<u32>,
}

impl Sight<'_> {
    /// The number of points that a list leads to.
    fn reach(&mut self, list: &List) -> usize {
        self.faults(list, usize::MAX);
        self.count
    }

    /// The weight of the mistakes of a list, up to a limit.
    fn faults(&mut self, list: &List, enough: usize) -> usize {
        self.walk += 1;
        self.count = 0;
        self.stack.clear();
        self.stack.extend(&self.table.roots);
        let mut faults = 0;
        while let Some(point) = self.stack.pop() {
            let at = point as usize;
            if std::mem::replace(&mut self.met[at], self.walk) == self.walk {
                continue;
            }
            self.count += 1;
            let rule = |rule: &Vec<usize>| {
                rule.iter()
                    .fold(self.all[at], |kept, &step| if kept == 0 { 0 } else { self.levels.apply(step, at, kept) })
            };
            let choice = list.iter().map(rule).find(|&kept| kept != 0).unwrap_or(0);
            let good = self.table.good[at];
            let right = match choice & good {
                0 => {
                    faults += LOST;
                    good & good.wrapping_neg()
                }
                right => {
                    faults += usize::from(choice & !good != 0);
                    right
                }
            };
            if faults >= enough {
                break;
            }
            for (mv, next) in &self.table.next[at] {
                if right >> mv & 1 == 1 {
                    self.stack.extend(next.iter().filter(|&&next| self.met[next as usize] != self.walk));
                }
            }
        }
        faults
    }
}

/// The points that lead to mistakes of a list, or `None` if it makes none. With them come the points that lead to the
/// narrowest ones on the way, where few moves keep the claim: there a similar list errs most easily. Play goes on after
/// moves that keep the claim.
fn mistakes<G: Game, O: Observer<G>>(
    points: &mut Points<'_, G, O>,
    steps: &impl Steps<O::Values>,
    list: &List,
    known: impl Fn(u32) -> bool,
) -> Result<Option<Vec<u32>>, Failed> {
    let mut from: FxHashMap<u32, u32> = points.roots().iter().map(|&root| (root, u32::MAX)).collect();
    let mut queue: VecDeque<u32> = points.roots().iter().copied().collect();
    let (mut wrong, mut narrow, mut met) = (Vec::new(), Vec::new(), 0);
    while let Some(point) = queue.pop_front() {
        met += 1;
        let here = points.at(point);
        let (choice, good) = (chosen(steps, list, &here.values), here.good);
        if choice == 0 || choice & !good != 0 {
            wrong.push(point);
        } else if !known(point) {
            narrow.push((good.count_ones() * 64 / here.moves.len() as u32, point.wrapping_mul(0x9E37_79B1), point));
        }
        if wrong.len() >= MISTAKES || !wrong.is_empty() && met > MET_WITH_MISTAKES {
            break;
        }
        for mv in bits(choice & good) {
            for &next in points.next(point, mv)? {
                from.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    point
                });
            }
        }
    }
    if wrong.is_empty() {
        return Ok(None);
    }
    narrow.sort_unstable();
    wrong.extend(narrow.iter().take(NARROW).map(|(.., point)| *point));
    let mut path = FxHashSet::default();
    for &end in &wrong {
        let back = std::iter::successors(Some(end), |at| from.get(at).copied().filter(|&at| at != u32::MAX));
        path.extend(back);
    }
    let mut path: Vec<u32> = path.into_iter().collect();
    path.sort_unstable();
    Ok(Some(path))
}

/// A walk that met a mistake goes on for so many points.
const MET_WITH_MISTAKES: usize = 20_000;

/// So many narrow points come with the mistakes.
const NARROW: usize = 100;
