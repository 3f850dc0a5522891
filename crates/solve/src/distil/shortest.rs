//! The shortest list over a whole language, with the proof that none is shorter.
//!
//! The search looks at a few points only. Two conditions that agree there are one candidate, so there are few. A list
//! that is right at these points is played out; if it is wrong elsewhere, the points that lead to its mistake join the
//! few, which tells the candidates apart that the search confused. When no list of so many bits is right at the points,
//! none is right in the game.

use super::exact::{Exact, Frame, List, Steps, Table, Verdict, chosen};
use super::points::{Observer, Points, bits};
use agon_core::solver::Failed;
use agon_core::{Ctx, Game};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A language of steps. In this one, every step is offered from the start; the steps and the game are those of the examples
/// of [`Steps`] and [`Observer`].
///
/// ```
/// use agon_core::Ctx;
/// use agon_solve::distil::exact::{Frame, List, Steps};
/// use agon_solve::distil::shortest::{Each, Language, shortest};
/// # use agon_core::toy::Pile;
/// # use agon_core::{Game, Player, collect_moves, solver::Failed};
/// # use agon_solve::distil::points::{Observed, Observer, Points};
/// # struct Left;
/// # impl Observer<Pile> for Left {
/// #     type Values = Vec<u8>;
/// #     fn observe(&mut self, game: &Pile, pos: &(u8, Player), _: u16) -> Result<Observed<Pile, Vec<u8>>, Failed> {
/// #         let moves = collect_moves(game, pos);
/// #         let left = moves.iter().map(|mv| pos.0 - mv).collect();
/// #         Ok((moves, left))
/// #     }
/// #     fn remembers(&self, _: &Pile, _: &(u8, Player), _: u8) -> u16 {
/// #         0
/// #     }
/// #     fn representative(&self, _: &Pile, pos: (u8, Player)) -> (u8, Player) {
/// #         pos
/// #     }
/// #     fn keeps(&mut self, _: &Pile, pos: &(u8, Player), side: Player) -> Result<bool, Failed> {
/// #         Ok((pos.0 % 3 != 0) == (pos.1 == side))
/// #     }
/// # }
/// # let pile = Pile::new(8);
/// # let mut points = Points::new(&pile, &pile.start(), &[Player::First], Left).unwrap();
/// # struct Multiples;
/// # impl Steps<Vec<u8>> for Multiples {
/// #     fn count(&self) -> usize {
/// #         3
/// #     }
/// #     fn bits(&self, _: usize) -> f64 {
/// #         2.0
/// #     }
/// #     fn may_fail(&self, _: usize) -> bool {
/// #         true
/// #     }
/// #     fn apply(&self, step: usize, left: &Vec<u8>, kept: u64) -> u64 {
/// #         let leaves = |mv: &usize| usize::from(left[*mv]) % (step + 2) == 0;
/// #         (0..left.len()).filter(leaves).fold(0, |set, mv| set | 1 << mv) & kept
/// #     }
/// #     fn all(&self, left: &Vec<u8>) -> u64 {
/// #         (1 << left.len()) - 1
/// #     }
/// # }
///
/// impl Language<Vec<u8>> for Multiples {
///     type Written = List;
///
///     fn offer(&mut self, _: &[&Vec<u8>], _: f64, _: &Ctx) -> Result<(), Failed> {
///         Ok(())
///     }
///
///     fn beyond(&mut self, _: &[&Vec<u8>], _: f64, _: f64, _: Each<'_, Vec<u8>, List>) -> Result<(), Failed> {
///         Ok(())
///     }
///
///     fn single(&self) -> (f64, f64) {
///         (2.0, 2.0)
///     }
///
///     fn write(&self, list: &List) -> List {
///         list.clone()
///     }
/// }
///
/// let frame = Frame { list: 1.0, rule: 1.0 };
/// let found = shortest(&mut points, &mut Multiples, frame, 100.0, &Ctx::default(), |_, _, _| ()).unwrap();
/// // One rule with one step: leave a multiple of three.
/// assert_eq!((found.best, found.at_least), (Some((vec![vec![1]], 4.0)), 4.0));
/// ```
pub trait Language<V>: Steps<V> {
    /// A list in a form that stays valid when other steps are offered.
    type Written: Clone;

    /// From now on offers every step of at most `most` bits, of those that agree at `points` one of the cheapest.
    fn offer(&mut self, points: &[&V], most: f64, ctx: &Ctx) -> Result<(), Failed>;

    /// Calls `each` with every step of more than `above` and fewer than `below` bits that is made of parts of steps
    /// that are offered, until it returns false.
    fn beyond(&mut self, points: &[&V], above: f64, below: f64, each: Each<'_, V, Self::Written>)
    -> Result<(), Failed>;

    /// The bits of the cheapest and of the longest step with a single word.
    fn single(&self) -> (f64, f64);

    /// That form of a list.
    fn write(&self, list: &List) -> Self::Written;
}

/// A list of one step that is not offered.
pub struct Single<'a, V, W> {
    /// The bits of the step.
    pub bits: f64,
    /// The moves that it keeps of all moves of a point.
    pub choose: &'a dyn Fn(&V) -> u64,
    /// The list.
    pub write: &'a dyn Fn() -> W,
}

/// The caller's look at a list of one step; false ends the search.
pub type Each<'a, V, W> = &'a mut dyn FnMut(Single<'_, V, W>) -> Result<bool, Failed>;

/// The result of the search.
pub struct Shortest<W> {
    /// A shortest list found, with its bits.
    pub best: Option<(W, f64)>,
    /// No right list has fewer bits.
    pub at_least: f64,
    /// The points that the proof needs.
    pub points: usize,
    /// Lists tried.
    pub tried: u64,
}

/// So many lists that are wrong elsewhere add their points at once.
const WRONG_AT_ONCE: usize = 16;

/// Lists grow by so many bits from one round to the next.
const ROUND: f64 = 2.0;

/// Looks for a right list of fewer than `bound` bits, the shortest there is. When the context stops the work, what was
/// found so far is the result.
pub fn shortest<G: Game, O: Observer<G, Values: Clone>, L: Language<O::Values>>(
    points: &mut Points<'_, G, O>,
    language: &mut L,
    frame: Frame,
    bound: f64,
    ctx: &Ctx,
    mut tell: impl FnMut(f64, usize, usize),
) -> Result<Shortest<L::Written>, Failed> {
    let mut found = Shortest { best: None, at_least: 0.0, points: 0, tried: 0 };
    let mut few: Vec<u32> = points.roots().to_vec();
    let least = frame.list + frame.rule;
    let mut level = least + 1.0;
    loop {
        level = level.min(bound);
        let round = Round { frame, level };
        match round.play(points, language, &mut few, &mut found, ctx) {
            Err(Failed::Stopped(_)) => break,
            Err(other) => return Err(other),
            Ok(()) => {}
        }
        found.points = few.len();
        if let Some((_, bits)) = &found.best {
            found.at_least = *bits;
            break;
        }
        found.at_least = level;
        tell(level, few.len(), language.count());
        if level >= bound {
            break;
        }
        level += ROUND;
    }
    Ok(found)
}

/// The search for lists of fewer than so many bits.
struct Round {
    frame: Frame,
    level: f64,
}

impl Round {
    fn play<G: Game, O: Observer<G, Values: Clone>, L: Language<O::Values>>(
        &self,
        points: &mut Points<'_, G, O>,
        language: &mut L,
        few: &mut Vec<u32>,
        found: &mut Shortest<L::Written>,
        ctx: &Ctx,
    ) -> Result<(), Failed> {
        loop {
            let bound = found.best.as_ref().map_or(self.level, |(_, bits)| *bits);
            let before = few.len();
            let steps = bound - self.frame.list - self.frame.rule;
            // In a list of several steps, and as part of a longer step, none is longer than that.
            let (cheapest, longest) = language.single();
            let several = (steps - cheapest).max(longest);
            {
                let values: Vec<&O::Values> = few.iter().map(|&point| &points.at(point).values).collect();
                language.offer(&values, several, ctx)?;
            }
            let mut wrong: Vec<u32> = Vec::new();
            let mut wrongs = 0;
            // 1. Lists of the steps that are offered.
            let table = table(points, few);
            {
                let values: Vec<&O::Values> = few.iter().map(|&point| &points.at(point).values).collect();
                let mut exact = Exact::new(&table, &values, &*language, self.frame)?;
                drop(values);
                let language = &*language;
                let mut accept =
                    |list: &List, bits: f64| match mistake(points, &|values| chosen(language, list, values))? {
                        None => {
                            found.best = Some((language.write(list), bits));
                            Ok(Verdict::Right)
                        }
                        Some(path) => {
                            wrong.extend(path);
                            wrongs += 1;
                            Ok(if wrongs >= WRONG_AT_ONCE { Verdict::Enough } else { Verdict::Wrong })
                        }
                    };
                exact.search(bound, &mut accept, ctx)?;
                found.tried += exact.tried;
            }
            // 2. Single steps that are longer.
            if wrong.is_empty() {
                let bound = found.best.as_ref().map_or(bound, |(_, bits)| *bits);
                let below = bound - self.frame.list - self.frame.rule;
                let (roots, tried) = (points.roots().to_vec(), &mut found.tried);
                let best = &mut found.best;
                let seen: Vec<O::Values> = few.iter().map(|&point| points.at(point).values.clone()).collect();
                let seen: Vec<&O::Values> = seen.iter().collect();
                let mut meter = ctx.meter();
                language.beyond(&seen, several, below, &mut |single| {
                    *tried += 1;
                    meter.tick()?;
                    let wrong_at = |&point: &u32| {
                        let here = points.at(point);
                        let kept = (single.choose)(&here.values);
                        kept == 0 || kept & !here.good != 0
                    };
                    if roots.iter().any(wrong_at) {
                        return Ok(true);
                    }
                    match mistake(points, single.choose)? {
                        None => {
                            *best = Some(((single.write)(), single.bits + self.frame.list + self.frame.rule));
                            Ok(false)
                        }
                        Some(path) => {
                            wrong.extend(path);
                            wrongs += 1;
                            Ok(wrongs < WRONG_AT_ONCE)
                        }
                    }
                })?;
                if best.as_ref().is_some_and(|(_, bits)| *bits < bound) {
                    continue;
                }
            }
            wrong.sort_unstable();
            wrong.dedup();
            wrong.retain(|point| !few.contains(point));
            few.extend(&wrong);
            if few.len() == before {
                return Ok(());
            }
        }
    }
}

/// The few points among themselves.
pub(super) fn table<G: Game, O: Observer<G>>(points: &Points<'_, G, O>, few: &[u32]) -> Table {
    let number: FxHashMap<u32, u32> = few.iter().enumerate().map(|(i, &point)| (point, i as u32)).collect();
    let kept = |list: &[u32]| list.iter().filter_map(|point| number.get(point).copied()).collect::<Box<[u32]>>();
    let next =
        |&point: &u32| bits(points.at(point).good).map(|mv| (mv as u8, kept(points.known_next(point, mv)))).collect();
    Table {
        roots: kept(points.roots()).to_vec(),
        good: few.iter().map(|&point| points.at(point).good).collect(),
        next: few.iter().map(next).collect(),
    }
}

/// The points that lead to a mistake of a list, the nearest one, if it makes any.
fn mistake<G: Game, O: Observer<G>>(
    points: &mut Points<'_, G, O>,
    choose: &dyn Fn(&O::Values) -> u64,
) -> Result<Option<Vec<u32>>, Failed> {
    let mut from: FxHashMap<u32, u32> = points.roots().iter().map(|&root| (root, u32::MAX)).collect();
    let mut queue: VecDeque<u32> = points.roots().iter().copied().collect();
    while let Some(point) = queue.pop_front() {
        let here = points.at(point);
        let (choice, good) = (choose(&here.values), here.good);
        if choice == 0 || choice & !good != 0 {
            let path = std::iter::successors(Some(point), |at| from.get(at).copied().filter(|&at| at != u32::MAX));
            return Ok(Some(path.collect()));
        }
        for mv in bits(choice) {
            for &next in points.next(point, mv)? {
                from.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    point
                });
            }
        }
    }
    Ok(None)
}
