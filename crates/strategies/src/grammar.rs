//! Every step that the language can say about a game, from the cheapest on: what a search for short strategies chooses
//! from.
//!
//! Conditions and expressions grow from the features of the vocabulary by all operators of the language. Two of them
//! that agree on every position that matters are interchangeable there, so only the cheaper one is kept.

use crate::compile::Vocabulary;
use crate::size::{BRANCH, NUMBER, OPERATOR, STEP};
use crate::text::{Comparison, Condition, Expression, Step, Term};
use crate::vocabulary::Phrase;
use agon_core::features::{Sort, Subject};
use agon_core::{Ctx, Family, Stop};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashSet};

/// A condition or an expression, by its number in a [`Grammar`].
type Id = u32;

/// A condition or an expression over others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    /// A feature, by its number in the vocabulary.
    Feature(u32),
    Number(i32),
    Plus(Id, Id),
    Minus(Id, Id),
    Most(Id),
    Least(Id),
    Count(Id),
    Any(Id),
    Not(Id),
    Both(Id, Id),
    Either(Id, Id),
    Compare(Id, Comparison, Id),
}

/// The facts of a node.
#[derive(Clone, Copy, Debug)]
struct Kind {
    node: Node,
    bits: f64,
    /// True for a condition.
    flag: bool,
    /// True if it says nothing about the single move, so that `when` accepts it.
    positional: bool,
    /// True if it looks at all legal moves; such nodes cannot be nested.
    over_all: bool,
}

/// The values of all features for the legal moves of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    moves: usize,
    /// All moves for the first feature, then all for the second, and so on.
    rows: Rows,
}

/// Many positions are kept, and most values are small.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Rows {
    Small(Box<[i8]>),
    Large(Box<[i32]>),
}

impl<G: Family> Vocabulary<G> {
    /// The legal moves of a position, in order, and the values of the features. `memory` is that of the opponent's last
    /// move.
    pub fn observe(&self, game: &G, pos: &G::Position, memory: u16) -> (Vec<G::Move>, Values) {
        let each = self.values(game, pos, memory);
        let (moves, features) = (each.len(), self.phrases().len());
        let rows: Vec<i32> = (0..features).flat_map(|f| each.iter().map(move |(_, values)| values[f])).collect();
        let small: Result<Box<[i8]>, _> = rows.iter().map(|&value| i8::try_from(value)).collect();
        let rows = small.map_or_else(|_| Rows::Large(rows.into()), Rows::Small);
        (each.iter().map(|(mv, _)| *mv).collect(), Values { moves, rows })
    }
}

impl Values {
    /// The set of all moves.
    #[must_use]
    pub fn all(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.moves as u32).unwrap_or(0)
    }

    #[inline]
    fn of(&self, feature: u32, mv: usize) -> i32 {
        let at = feature as usize * self.moves + mv;
        match &self.rows {
            Rows::Small(rows) => i32::from(rows[at]),
            Rows::Large(rows) => rows[at],
        }
    }
}

/// The way in which a step keeps moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// `when`
    When,
    /// `only`
    Only,
    /// `prefer`
    Prefer,
    /// `prefer max`
    Max,
    /// `prefer min`
    Min,
}

/// A step of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    way: Way,
    of: Id,
    /// Its cost as part of a rule.
    pub bits: f64,
}

impl Candidate {
    /// Returns whether there are positions to which a rule with this step need not apply.
    #[must_use]
    pub fn may_fail(&self) -> bool {
        matches!(self.way, Way::When | Way::Only)
    }
}

/// Conditions and expressions over the vocabulary of a game.
pub struct Grammar {
    phrases: Vec<Phrase>,
    leaves: Vec<Kind>,
    kinds: Vec<Kind>,
}

impl Grammar {
    /// The language over the features whose numbers `allowed` accepts.
    pub fn new(phrases: &[Phrase], allowed: impl Fn(usize) -> bool) -> Grammar {
        let leaf = |(i, phrase): (usize, &Phrase)| Kind {
            node: Node::Feature(i as u32),
            bits: phrase.bits,
            flag: phrase.sort == Sort::Flag,
            positional: phrase.subject == Subject::Position,
            over_all: false,
        };
        let usable = phrases.iter().enumerate().filter(|(i, _)| allowed(*i));
        Grammar { leaves: usable.map(leaf).collect(), kinds: Vec::new(), phrases: phrases.to_vec() }
    }

    /// The bits of the cheapest and of the longest step with a single feature.
    #[must_use]
    pub fn single(&self) -> (f64, f64) {
        let bits = || self.leaves.iter().map(|kind| kind.bits + STEP);
        (bits().fold(f64::INFINITY, f64::min), bits().fold(0.0, f64::max))
    }

    /// Forms all conditions and expressions that can be part of a step of at most `most` bits. Of those that agree at
    /// every one of `points`, it keeps one of the cheapest.
    ///
    /// Fails when the context stops the work, or when there are too many.
    pub fn grow(&mut self, points: &[&Values], most: f64, ctx: &Ctx) -> Result<(), Stop> {
        let mut meter = ctx.meter();
        let most = most - STEP + 1e-9;
        self.kinds.clear();
        let cheapest = self.single().0 - STEP;
        let mut growth = Growth::new(most);
        self.leaves.iter().for_each(|leaf| growth.offer(*leaf));
        while let Some(kind) = growth.next() {
            meter.tick()?;
            if growth.made.len() > MOST_MADE {
                return Err(Stop::Memory);
            }
            if !growth.is_new(self, kind, points) {
                continue;
            }
            let id = self.kinds.len() as Id;
            self.kinds.push(kind);
            self.alone(id, points, cheapest, &mut growth);
            for other in 0..=id {
                self.binary(id, other, &mut growth);
            }
        }
        Ok(())
    }

    /// Operators that need nothing but a node, and numbers.
    fn alone(&self, id: Id, points: &[&Values], cheapest: f64, growth: &mut Growth) {
        self.unary(id, growth);
        if !self.kinds[id as usize].flag {
            self.with_numbers(id, points, cheapest, growth);
        }
    }

    fn unary(&self, id: Id, growth: &mut Growth) {
        let kind = self.kinds[id as usize];
        let made = |node: Node, flag: bool, positional: bool, over_all: bool| Kind {
            node,
            bits: kind.bits + OPERATOR,
            flag,
            positional,
            over_all,
        };
        if kind.flag {
            growth.offer(made(Node::Not(id), true, kind.positional, kind.over_all));
        }
        if kind.over_all {
            return;
        }
        // Of a position, `any` says what its condition says, but `count` is the mobility or 0.
        if kind.flag {
            growth.offer(made(Node::Count(id), false, true, true));
        }
        if !kind.positional {
            let over: &[Node] = if kind.flag { &[Node::Any(id)] } else { &[Node::Most(id), Node::Least(id)] };
            over.iter().for_each(|&node| growth.offer(made(node, kind.flag, true, true)));
        }
    }

    /// Comparisons with numbers, and sums with them where a comparison can use them.
    fn with_numbers(&self, id: Id, points: &[&Values], cheapest: f64, growth: &mut Growth) {
        let kind = self.kinds[id as usize];
        let bits = kind.bits + OPERATOR + NUMBER;
        if matches!(kind.node, Node::Number(_)) || bits > growth.most {
            return;
        }
        let mut values = BTreeSet::new();
        for point in points {
            values.extend((0..point.moves).map(|at| self.number(id, point, at)));
        }
        for &n in &values {
            let number = Self::constant(n);
            for (_, comparison) in Comparison::ALL {
                growth.offer(Kind { node: Node::Compare(id, comparison, number), bits, flag: true, ..kind });
            }
        }
        // As a preference, a sum with a number is the same as without it.
        if bits + OPERATOR + cheapest.min(NUMBER) <= growth.most {
            let (low, high) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            let reach = (high - low).max(high.abs()).max(low.abs()) * 2;
            for n in -reach..=reach {
                let number = Self::constant(n);
                growth.offer(Kind { node: Node::Plus(id, number), bits, flag: false, ..kind });
                growth.offer(Kind { node: Node::Minus(number, id), bits, flag: false, ..kind });
            }
        }
    }

    fn constant(n: i32) -> Id {
        CONSTANTS.wrapping_add(n as u32)
    }

    fn binary(&self, a: Id, b: Id, growth: &mut Growth) {
        let (one, other) = (self.kinds[a as usize], self.kinds[b as usize]);
        let bits = one.bits + other.bits + OPERATOR;
        if one.flag != other.flag || bits > growth.most {
            return;
        }
        let joined = |node: Node, flag: bool| Kind {
            node,
            bits,
            flag,
            positional: one.positional && other.positional,
            over_all: one.over_all || other.over_all,
        };
        if one.flag {
            growth.offer(joined(Node::Both(b, a), true));
            growth.offer(joined(Node::Either(b, a), true));
            return;
        }
        growth.offer(joined(Node::Plus(b, a), false));
        growth.offer(joined(Node::Minus(a, b), false));
        growth.offer(joined(Node::Minus(b, a), false));
        for (_, comparison) in Comparison::ALL {
            growth.offer(joined(Node::Compare(b, comparison, a), true));
        }
    }

    /// Every step of at most `most` bits. Of steps that keep the same moves at every one of `points`, whatever is left
    /// there, it returns one of the cheapest; steps that never reject a move are left out.
    #[must_use]
    pub fn steps(&self, points: &[&Values], most: f64) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (id, kind) in self.kinds.iter().enumerate() {
            let candidates = ways(*kind).iter().map(|&way| Candidate { way, of: id as Id, bits: kind.bits + STEP });
            all.extend(candidates.filter(|candidate| candidate.bits <= most + 1e-9));
        }
        all.sort_by(|a, b| a.bits.total_cmp(&b.bits).then(a.way.cmp(&b.way)));
        let mut seen = HashSet::new();
        all.retain(|candidate| {
            let (mut hash, mut idle) = (Hash::new(), true);
            hash.add(candidate.may_fail().into());
            for point in points {
                self.levels(candidate, point, &mut |level| {
                    idle &= level == point.all();
                    hash.add(level);
                });
                hash.add(u64::MAX);
            }
            !idle && seen.insert(hash.finish())
        });
        all
    }

    /// The classes of moves that a step distinguishes, the best one first.
    fn levels(&self, step: &Candidate, point: &Values, each: &mut dyn FnMut(u64)) {
        match step.way {
            Way::When | Way::Only => each(self.apply(step, point, point.all())),
            Way::Prefer | Way::Max | Way::Min => {
                let mut left = point.all();
                while left != 0 {
                    let level = self.apply(step, point, left);
                    each(level);
                    left &= !level;
                }
            }
        }
    }

    /// Calls `each` with every step of more than `above` and fewer than `below` bits that operators make of what has
    /// grown, until it returns false. While it looks at a step, the grammar has it as its newest.
    pub fn beyond(
        &mut self,
        points: &[&Values],
        (above, below): (f64, f64),
        each: &mut dyn FnMut(&Grammar, &Candidate) -> bool,
    ) -> bool {
        let limits = (above - STEP + 1e-9, below - STEP - 1e-6);
        let cheapest = self.single().0 - STEP;
        (0..self.kinds.len() as Id).all(|id| {
            let mut growth = Growth::new(limits.1);
            self.alone(id, points, cheapest, &mut growth);
            (0..=id).for_each(|other| self.binary(id, other, &mut growth));
            let beyond = growth.made.iter().filter(|kind| kind.bits > limits.0);
            beyond.copied().all(|kind| self.each_beyond(kind, points, (limits.1, cheapest), each))
        })
    }

    fn each_beyond(
        &mut self,
        kind: Kind,
        points: &[&Values],
        (most, cheapest): (f64, f64),
        each: &mut dyn FnMut(&Grammar, &Candidate) -> bool,
    ) -> bool {
        let of = self.kinds.len() as Id;
        self.kinds.push(kind);
        let candidate = |&way: &Way| Candidate { way, of, bits: kind.bits + STEP };
        let mut more = ways(kind).iter().map(candidate).all(|candidate| each(self, &candidate));
        if more && kind.bits + OPERATOR <= most {
            let mut growth = Growth::new(most);
            self.alone(of, points, cheapest, &mut growth);
            let made = std::mem::take(&mut growth.made);
            more = made.into_iter().all(|longer| self.each_beyond(longer, points, (most, cheapest), each));
        }
        self.kinds.pop();
        more
    }

    /// The moves that a step keeps of some moves; none if the rule then does not apply.
    #[must_use]
    #[inline]
    pub fn apply(&self, step: &Candidate, point: &Values, kept: u64) -> u64 {
        match step.way {
            Way::When => {
                if kept != 0 && self.holds(step.of, point, 0) {
                    kept
                } else {
                    0
                }
            }
            Way::Only => self.passing(step.of, point, kept),
            Way::Prefer => {
                let passing = self.passing(step.of, point, kept);
                if passing == 0 { kept } else { passing }
            }
            Way::Max | Way::Min => self.best(step, point, kept),
        }
    }

    #[inline]
    fn passing(&self, id: Id, point: &Values, kept: u64) -> u64 {
        let (mut left, mut passing) = (kept, 0);
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            passing |= u64::from(self.holds(id, point, at)) << at;
        }
        passing
    }

    #[inline]
    fn best(&self, step: &Candidate, point: &Values, kept: u64) -> u64 {
        let sign = if step.way == Way::Max { 1 } else { -1 };
        let (mut left, mut best, mut found) = (kept, i64::MIN, 0);
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let value = i64::from(self.number(step.of, point, at)) * sign;
            if value > best {
                (best, found) = (value, 0);
            }
            if value == best {
                found |= 1 << at;
            }
        }
        found
    }

    fn kind(&self, id: Id) -> Kind {
        match self.kinds.get(id as usize) {
            Some(kind) => *kind,
            None => Kind {
                node: Node::Number(id.wrapping_sub(CONSTANTS) as i32),
                bits: NUMBER,
                flag: false,
                positional: true,
                over_all: false,
            },
        }
    }

    fn number(&self, id: Id, point: &Values, at: usize) -> i32 {
        let over = |part: Id| (0..point.moves).map(move |at| self.number(part, point, at));
        match self.kind(id).node {
            Node::Feature(feature) => point.of(feature, at),
            Node::Number(n) => n,
            Node::Plus(a, b) => self.number(a, point, at).saturating_add(self.number(b, point, at)),
            Node::Minus(a, b) => self.number(a, point, at).saturating_sub(self.number(b, point, at)),
            Node::Most(part) => over(part).max().unwrap_or(0),
            Node::Least(part) => over(part).min().unwrap_or(0),
            Node::Count(part) => (0..point.moves).filter(|&at| self.holds(part, point, at)).count() as i32,
            _ => self.holds(id, point, at).into(),
        }
    }

    fn holds(&self, id: Id, point: &Values, at: usize) -> bool {
        match self.kind(id).node {
            Node::Feature(feature) => point.of(feature, at) != 0,
            Node::Not(part) => !self.holds(part, point, at),
            Node::Both(a, b) => self.holds(a, point, at) && self.holds(b, point, at),
            Node::Either(a, b) => self.holds(a, point, at) || self.holds(b, point, at),
            Node::Compare(a, comparison, b) => comparison.holds(self.number(a, point, at), self.number(b, point, at)),
            Node::Any(part) => (0..point.moves).any(|at| self.holds(part, point, at)),
            _ => self.number(id, point, at) != 0,
        }
    }

    /// The step as it is written.
    #[must_use]
    pub fn step(&self, step: &Candidate) -> Step {
        match step.way {
            Way::When => Step::When(self.condition(step.of)),
            Way::Only => Step::Only(self.condition(step.of)),
            Way::Prefer => Step::Prefer(self.condition(step.of)),
            Way::Max => Step::Max(self.expression(step.of)),
            Way::Min => Step::Min(self.expression(step.of)),
        }
    }

    fn term(&self, feature: u32) -> Term {
        let phrase = &self.phrases[feature as usize];
        Term::new(phrase.name, phrase.argument.as_deref())
    }

    fn condition(&self, id: Id) -> Condition {
        let parts = |a: Id, b: Id| vec![self.condition(a), self.condition(b)];
        match self.kind(id).node {
            Node::Not(part) => Condition::Not(Box::new(self.condition(part))),
            Node::Both(a, b) => Condition::And(parts(a, b)),
            Node::Either(a, b) => Condition::Or(parts(a, b)),
            Node::Any(part) => Condition::Any(Box::new(self.condition(part))),
            Node::Compare(a, comparison, b) => Condition::Compare(self.expression(a), comparison, self.expression(b)),
            Node::Feature(feature) => Condition::Flag(self.term(feature)),
            other => unreachable!("{other:?} is no condition"),
        }
    }

    fn expression(&self, id: Id) -> Expression {
        let boxed = |part: Id| Box::new(self.expression(part));
        match self.kind(id).node {
            Node::Number(n) => Expression::Number(n),
            Node::Feature(feature) => Expression::Feature(self.term(feature)),
            Node::Most(part) => Expression::Most(boxed(part)),
            Node::Least(part) => Expression::Least(boxed(part)),
            Node::Count(part) => Expression::Count(Box::new(self.condition(part))),
            Node::Plus(a, b) => Expression::Plus(boxed(a), boxed(b)),
            Node::Minus(a, b) => Expression::Minus(boxed(a), boxed(b)),
            other => unreachable!("{other:?} is no number"),
        }
    }
}

/// The steps that a node can be.
fn ways(kind: Kind) -> &'static [Way] {
    match (kind.flag, kind.positional) {
        (true, true) => &[Way::When],
        (true, false) => &[Way::Prefer, Way::Only],
        (false, false) => &[Way::Max, Way::Min],
        (false, true) => &[],
    }
}

/// A grammar grows no further than that many conditions and expressions, those included that turn out to be known.
const MOST_MADE: usize = 40_000_000;

/// Constants have numbers around this one.
const CONSTANTS: Id = 0xC000_0000;

/// The bits of the end of a list.
pub const LIST: f64 = BRANCH;

/// The bits of a rule without its steps.
pub const RULE: f64 = BRANCH + STEP;

/// Nodes that wait for their turn, the cheapest first.
struct Growth {
    seen: HashSet<(u128, bool, bool, bool)>,
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    made: Vec<Kind>,
    most: f64,
}

impl Growth {
    fn new(most: f64) -> Growth {
        Growth { seen: HashSet::new(), waiting: BinaryHeap::new(), made: Vec::new(), most }
    }

    fn offer(&mut self, kind: Kind) {
        if kind.bits <= self.most {
            self.waiting.push(Reverse((kind.bits.to_bits(), self.made.len())));
            self.made.push(kind);
        }
    }

    fn next(&mut self) -> Option<Kind> {
        self.waiting.pop().map(|Reverse((_, at))| self.made[at])
    }

    /// Returns whether no node before it has the same values. Nodes that the grammar treats differently are kept apart.
    fn is_new(&mut self, grammar: &mut Grammar, kind: Kind, points: &[&Values]) -> bool {
        grammar.kinds.push(kind);
        let id = grammar.kinds.len() as Id - 1;
        let mut hash = Hash::new();
        for point in points {
            let moves = if kind.positional { point.moves.min(1) } else { point.moves };
            (0..moves).for_each(|at| {
                let value =
                    if kind.flag { i32::from(grammar.holds(id, point, at)) } else { grammar.number(id, point, at) };
                hash.add(value as u64);
            });
        }
        grammar.kinds.pop();
        self.seen.insert((hash.finish(), kind.flag, kind.positional, kind.over_all))
    }
}

/// A hash of 128 bits.
struct Hash(u64, u64);

impl Hash {
    fn new() -> Hash {
        Hash(0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
    }

    #[inline]
    fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(31);
        self.1 = (self.1.rotate_left(27) ^ value).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    }

    fn finish(&self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1 ^ self.1 >> 29)
    }
}
