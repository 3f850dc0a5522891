//! The shortest list of rules, by branch and bound over its bits.
//!
//! A list is tried step by step. At a prefix, the moves that each point has left bound what any longer list can choose
//! there, so a prefix is given up when the opponent can always lead to a point with no move left that keeps the claim,
//! and when another prefix of no more bits leaves the same moves everywhere.

use agon_core::solver::Failed;
use agon_core::{Ctx, Meter, Stop};
use rustc_hash::FxHashMap;

/// Some points of a game, without the game.
pub struct Table {
    /// The first points.
    pub roots: Vec<u32>,
    /// For each point, the moves that keep the claim.
    pub good: Vec<u64>,
    /// For each point and each of its moves that keep the claim, points that can follow.
    pub next: Vec<Vec<(u8, Box<[u32]>)>>,
}

/// The steps to choose from, the cheapest first.
///
/// ```
/// use agon_solve::distil::exact::{Steps, chosen};
///
/// /// Keeps the moves that leave a multiple of two, three or four.
/// struct Multiples;
///
/// impl Steps<Vec<u8>> for Multiples {
///     fn count(&self) -> usize {
///         3
///     }
///
///     fn bits(&self, _: usize) -> f64 {
///         2.0
///     }
///
///     fn may_fail(&self, _: usize) -> bool {
///         true
///     }
///
///     fn apply(&self, step: usize, left: &Vec<u8>, kept: u64) -> u64 {
///         let leaves = |mv: &usize| usize::from(left[*mv]) % (step + 2) == 0;
///         (0..left.len()).filter(leaves).fold(0, |set, mv| set | 1 << mv) & kept
///     }
///
///     fn all(&self, left: &Vec<u8>) -> u64 {
///         (1 << left.len()) - 1
///     }
/// }
///
/// // Of moves that leave 6, 5 and 4 counters, two leave an even number, and one of these a multiple of three.
/// assert_eq!(chosen(&Multiples, &vec![vec![0]], &vec![6, 5, 4]), 0b101);
/// assert_eq!(chosen(&Multiples, &vec![vec![0, 1]], &vec![6, 5, 4]), 0b001);
/// ```
pub trait Steps<V> {
    /// Their number.
    fn count(&self) -> usize;
    /// The bits of one.
    fn bits(&self, step: usize) -> f64;
    /// Returns whether a rule with the step may not apply.
    fn may_fail(&self, step: usize) -> bool;
    /// The moves that it keeps at a point; none if the rule then does not apply.
    fn apply(&self, step: usize, values: &V, kept: u64) -> u64;
    /// All moves of a point.
    fn all(&self, values: &V) -> u64;
}

/// The moves that a list chooses at a point.
pub fn chosen<V>(steps: &impl Steps<V>, list: &List, values: &V) -> u64 {
    let all = steps.all(values);
    let rule = |rule: &Vec<usize>| {
        rule.iter().fold(all, |kept, &step| match kept {
            0 => 0,
            kept => steps.apply(step, values, kept),
        })
    };
    list.iter().map(rule).find(|&kept| kept != 0).unwrap_or(0)
}

/// The bits of what is not a step.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The end of a list.
    pub list: f64,
    /// A rule without steps.
    pub rule: f64,
}

/// A list of rules: each a list of steps.
pub type List = Vec<Vec<usize>>;

/// The moves that a prefix leaves at each point.
struct Prefix {
    /// Decided by a closed rule; 0 if not.
    fixed: Vec<u64>,
    /// Left by the open rule; 0 if it does not apply.
    kept: Vec<u64>,
    rules: List,
    bits: f64,
    /// True if the open rule has begun to choose: `when` comes first.
    chose: bool,
}

/// What a step keeps at each point, as classes of moves, the best class first.
pub(super) struct Levels {
    /// For each step and point, where its classes begin.
    begin: Vec<u32>,
    classes: Vec<u64>,
    points: usize,
}

impl Levels {
    pub(super) fn new<V>(steps: &impl Steps<V>, values: &[&V]) -> Levels {
        let mut levels = Levels { begin: vec![0], classes: Vec::new(), points: values.len() };
        for step in 0..steps.count() {
            for values in values {
                let mut left = steps.all(values);
                while left != 0 {
                    let class = steps.apply(step, values, left);
                    levels.classes.extend((class != 0).then_some(class));
                    left = if steps.may_fail(step) { 0 } else { left & !class };
                }
                levels.begin.push(levels.classes.len() as u32);
            }
        }
        levels
    }

    #[inline]
    pub(super) fn apply(&self, step: usize, point: usize, kept: u64) -> u64 {
        let at = step * self.points + point;
        let classes = &self.classes[self.begin[at] as usize..self.begin[at + 1] as usize];
        classes.iter().map(|class| class & kept).find(|&kept| kept != 0).unwrap_or(0)
    }
}

/// What the caller makes of a list that is right at the points of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is right everywhere: only shorter ones are of interest.
    Right,
    /// It is wrong elsewhere.
    Wrong,
    /// It is wrong elsewhere, and the search shall end.
    Enough,
}

/// The caller's test of a list of so many bits.
pub type Accept<'a> = &'a mut dyn FnMut(&List, f64) -> Result<Verdict, Failed>;

/// The search for a shortest list.
pub struct Exact<'a> {
    table: &'a Table,
    all: Vec<u64>,
    levels: Levels,
    bits: Vec<f64>,
    frame: Frame,
    ended: bool,
    /// Lists must have fewer bits.
    bound: f64,
    seen: FxHashMap<u128, f64>,
    /// Marks of the walk: the number of the walk that met a point.
    met: Vec<u32>,
    walk: u32,
    stack: Vec<u32>,
    feasible: Vec<(u32, bool)>,
    cheapest: f64,
    cheapest_filter: f64,
    /// Lists tried.
    pub tried: u64,
}

impl<'a> Exact<'a> {
    /// A search among the lists of these steps, at these points.
    ///
    /// Fails if there are too many of both.
    pub fn new<V>(table: &'a Table, values: &[&V], steps: &impl Steps<V>, frame: Frame) -> Result<Exact<'a>, Stop> {
        if values.len().saturating_mul(steps.count()) > MOST_LEVELS {
            return Err(Stop::Memory);
        }
        let least = |filter: bool| {
            let of = (0..steps.count()).filter(|&step| !filter || steps.may_fail(step));
            of.map(|step| steps.bits(step)).fold(f64::INFINITY, f64::min)
        };
        Ok(Exact {
            table,
            all: values.iter().map(|values| steps.all(values)).collect(),
            levels: Levels::new(steps, values),
            bits: (0..steps.count()).map(|step| steps.bits(step)).collect(),
            frame,
            ended: false,
            bound: f64::INFINITY,
            seen: FxHashMap::default(),
            met: vec![0; values.len()],
            walk: 0,
            stack: Vec::new(),
            feasible: vec![(0, false); values.len()],
            cheapest: least(false),
            cheapest_filter: least(true),
            tried: 0,
        })
    }

    /// Hands every list of fewer than `bound` bits that is right at the points to `accept`, until it has had enough;
    /// once one is accepted, shorter ones only. Lists that choose alike are handed over once.
    pub fn search(&mut self, bound: f64, accept: Accept<'_>, ctx: &Ctx) -> Result<(), Failed> {
        (self.bound, self.ended) = (bound, false);
        self.seen.clear();
        let start = Prefix {
            fixed: vec![0; self.all.len()],
            kept: self.all.clone(),
            rules: vec![Vec::new()],
            bits: self.frame.list + self.frame.rule,
            chose: false,
        };
        let mut meter = ctx.meter();
        if start.bits < self.bound - SMALL {
            if self.is_right(&start, None) {
                self.offer(&start, None, accept)?;
            }
            self.extend(&start, accept, &mut meter)?;
        }
        Ok(())
    }

    /// The bits of the shortest list accepted, or the bound.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.bound
    }

    fn offer(&mut self, prefix: &Prefix, step: Option<usize>, accept: Accept<'_>) -> Result<(), Failed> {
        let mut rules = prefix.rules.clone();
        rules.last_mut().expect("a rule is open").extend(step);
        let bits = prefix.bits + step.map_or(0.0, |step| self.bits[step]);
        match accept(&rules, bits)? {
            Verdict::Right => self.bound = bits,
            Verdict::Wrong => {}
            Verdict::Enough => self.ended = true,
        }
        Ok(())
    }

    fn extend(&mut self, prefix: &Prefix, accept: Accept<'_>, meter: &mut Meter<'_>) -> Result<(), Failed> {
        for step in 0..self.bits.len() {
            let total = prefix.bits + self.bits[step];
            if self.ended || total >= self.bound - SMALL {
                break;
            }
            meter.tick()?;
            self.tried += 1;
            if self.is_right(prefix, Some(step)) {
                self.offer(prefix, Some(step), accept)?;
            }
            if total + self.cheapest.min(self.frame.rule) >= self.bound - SMALL || self.ended {
                continue;
            }
            let kept = |point: usize| match prefix.fixed[point] {
                0 => self.levels.apply(step, point, prefix.kept[point]),
                _ => 0,
            };
            let kept: Vec<u64> = (0..prefix.kept.len()).map(kept).collect();
            let mut rules = prefix.rules.clone();
            rules.last_mut().expect("a rule is open").push(step);
            let longer = Prefix { fixed: prefix.fixed.clone(), kept, rules, bits: total, chose: true };
            self.enter(&longer, accept, meter)?;
        }
        let falls = |point: usize| prefix.fixed[point] == 0 && prefix.kept[point] == 0;
        let total = prefix.bits + self.frame.rule;
        if !self.ended && total < self.bound - SMALL && prefix.chose && (0..prefix.kept.len()).any(falls) {
            let fixed = prefix.fixed.iter().zip(&prefix.kept).map(|(fixed, kept)| fixed | kept).collect();
            let mut rules = prefix.rules.clone();
            rules.push(Vec::new());
            let closed = Prefix { fixed, kept: self.all.clone(), rules, bits: total, chose: false };
            if self.is_right(&closed, None) {
                self.offer(&closed, None, accept)?;
            }
            self.enter(&closed, accept, meter)?;
        }
        Ok(())
    }

    /// Extends a prefix, unless nothing can come of it.
    fn enter(&mut self, prefix: &Prefix, accept: Accept<'_>, meter: &mut Meter<'_>) -> Result<(), Failed> {
        if !self.may_succeed(prefix) {
            return Ok(());
        }
        let key = fingerprint(prefix);
        match self.seen.get_mut(&key) {
            Some(bits) if *bits <= prefix.bits + SMALL => return Ok(()),
            Some(bits) => *bits = prefix.bits,
            None => {
                self.seen.insert(key, prefix.bits);
            }
        }
        self.extend(prefix, accept, meter)
    }

    /// Returns whether every point that play leads to under a prefix and one more step has only moves that keep the
    /// claim.
    fn is_right(&mut self, prefix: &Prefix, step: Option<usize>) -> bool {
        self.walk += 1;
        self.stack.clear();
        self.stack.extend(&self.table.roots);
        while let Some(point) = self.stack.pop() {
            let at = point as usize;
            if std::mem::replace(&mut self.met[at], self.walk) == self.walk {
                continue;
            }
            let chosen = match (prefix.fixed[at], step) {
                (0, Some(step)) => self.levels.apply(step, at, prefix.kept[at]),
                (0, None) => prefix.kept[at],
                (fixed, _) => fixed,
            };
            if chosen == 0 || chosen & !self.table.good[at] != 0 {
                return false;
            }
            for (mv, next) in &self.table.next[at] {
                if chosen >> mv & 1 == 1 {
                    self.stack.extend(next.iter().filter(|&&next| self.met[next as usize] != self.walk));
                }
            }
        }
        true
    }

    /// Returns whether each point still has a move that keeps the claim, after which each reply leads to such a point.
    fn may_succeed(&mut self, prefix: &Prefix) -> bool {
        let slack = self.bound - SMALL - prefix.bits;
        // A point can still get other moves if another rule can follow, and the open one can be made not to apply.
        let another = slack > self.frame.rule;
        let undone = slack > self.frame.rule + self.cheapest_filter;
        self.walk += 1;
        let table = self.table;
        let options = |point: usize| match (prefix.fixed[point], prefix.kept[point]) {
            (0, 0) => {
                if another {
                    table.good[point]
                } else {
                    0
                }
            }
            (0, kept) => {
                if undone {
                    table.good[point]
                } else {
                    kept & table.good[point]
                }
            }
            (fixed, _) => fixed & table.good[point],
        };
        table.roots.iter().all(|&root| self.some_move(root, &options))
    }

    fn some_move(&mut self, point: u32, options: &impl Fn(usize) -> u64) -> bool {
        let at = point as usize;
        if self.feasible[at].0 == self.walk {
            return self.feasible[at].1;
        }
        // While it is being looked at, a point that play comes back to counts as one where there is a move.
        self.feasible[at] = (self.walk, true);
        let table = self.table;
        let options_here = options(at);
        let holds = table.next[at]
            .iter()
            .filter(|(mv, _)| options_here >> mv & 1 == 1)
            .any(|(_, next)| next.iter().all(|&next| self.some_move(next, options)));
        self.feasible[at] = (self.walk, holds);
        holds
    }
}

/// At most so many steps times points.
const MOST_LEVELS: usize = 1 << 26;

/// Sums of bits differ by less than that only through rounding.
const SMALL: f64 = 1e-6;

fn fingerprint(prefix: &Prefix) -> u128 {
    let (mut a, mut b) = (0x9E37_79B9_7F4A_7C15_u64, 0xD1B5_4A32_D192_ED03_u64);
    for (&fixed, &kept) in prefix.fixed.iter().zip(&prefix.kept) {
        let value = if fixed == 0 { kept } else { fixed };
        a = (a ^ value).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(31);
        b = (b.rotate_left(27) ^ value ^ u64::from(fixed != 0)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    }
    u128::from(a) << 64 | u128::from(b ^ b >> 29)
}
