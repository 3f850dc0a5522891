//! Nim-values of parts by questions with a yes or no: *is the nim-value of this part k?*
//!
//! A part P has the nim-value k exactly if P + *k is lost for the mover. A question is answered without the values of
//! most options (Lemoine and Viennot, *Nimbers are inevitable*, 2012): once one option has the value k, P does not have
//! it. Every answer is kept, as the nim-value or as values that the part does not have, so a later question begins
//! where an earlier one ended.

use super::Heaps;
use crate::grundy::Failure;
use crate::recursion::deep;
use crate::table::{Entry, Shared};
use agon_core::{Ctx, Impartial, Meter, Stop};
use std::num::NonZeroU8;
use std::sync::atomic::{AtomicBool, Ordering};

/// Knowledge of the nim-value of a part: the value, or values below 63 that it does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Facts(u64);

/// The bit of facts that are a value.
const EXACT: u64 = 1 << 63;
/// The number of values that facts can exclude.
const EXCLUDABLE: u32 = 63;

impl Facts {
    fn value(value: u32) -> Facts {
        Facts(EXACT | u64::from(value))
    }

    fn exact(self) -> Option<u32> {
        (self.0 & EXACT != 0).then_some(self.0 as u32)
    }

    fn excludes(self, value: u32) -> bool {
        match self.exact() {
            Some(exact) => exact != value,
            None => value < EXCLUDABLE && self.0 >> value & 1 == 1,
        }
    }
}

/// Facts and what they cost, as a binary logarithm from 1 of the parts searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    facts: Facts,
    cost: NonZeroU8,
}

impl Entry for Known {
    fn merge(&mut self, later: Known) {
        self.facts = match (self.facts.exact(), later.facts.exact()) {
            (Some(_), _) => self.facts,
            (None, Some(_)) => later.facts,
            (None, None) => Facts(self.facts.0 | later.facts.0),
        };
        self.cost = self.cost.max(later.cost);
    }

    fn cost(&self) -> u32 {
        u32::from(self.cost.get())
    }
}

/// The nim-values that options are known to have.
struct Taken {
    /// Those below 63.
    low: u64,
    high: Vec<u32>,
}

impl Taken {
    fn insert(&mut self, value: u32) {
        match value {
            0..EXCLUDABLE => self.low |= 1 << value,
            _ => self.high.push(value),
        }
    }

    fn contains(&self, value: u32) -> bool {
        if value < EXCLUDABLE { self.low >> value & 1 == 1 } else { self.high.contains(&value) }
    }
}

/// A sum whose nim-value is not known: that of its parts, xor `sum`.
struct Open<P> {
    sum: u32,
    /// Parts without a known value, the one with most work last.
    parts: Vec<P>,
    work: u64,
}

/// A sum whose known parts are added up.
enum Reduced<P> {
    Value(u32),
    Open(Open<P>),
}

/// The search of one thread.
pub(super) struct Search<'a, G: Impartial> {
    game: &'a G,
    ctx: &'a Ctx,
    meter: Meter<'a>,
    parts: &'a Shared<G::Part, Known>,
    heaps: &'a Heaps,
    /// Raised when another thread has the answer.
    over: &'a AtomicBool,
    /// The number of this thread; each tries options in an order of its own.
    thread: usize,
    searched: u64,
    /// The search gives up after so many parts.
    most: u64,
}

/// Why a search ended without an answer.
pub(super) enum End {
    /// It has searched as many parts as it was allowed to.
    Enough,
    /// Another thread has the answer.
    Over,
    Failed(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Failed(stop.into())
    }
}

impl<'a, G: Impartial> Search<'a, G> {
    pub(super) fn new(
        game: &'a G,
        (parts, heaps): (&'a Shared<G::Part, Known>, &'a Heaps),
        ctx: &'a Ctx,
        over: &'a AtomicBool,
        thread: usize,
    ) -> Search<'a, G> {
        Search { game, ctx, meter: ctx.meter(), parts, heaps, over, thread, searched: 0, most: u64::MAX }
    }

    /// The same, giving up after a number of parts.
    pub(super) fn at_most(self, parts: u64) -> Search<'a, G> {
        Search { most: parts, ..self }
    }

    /// The nim-value of a sum of parts. If the question is only whether it is `wanted`, `None` says that it is not.
    pub(super) fn sum(&mut self, parts: &[G::Part], wanted: Option<u32>) -> Result<Option<u32>, End> {
        match self.reduced(parts)? {
            Reduced::Value(value) => Ok(Some(value)),
            Reduced::Open(mut open) => self.ask(&mut open, wanted),
        }
    }

    /// A sum without the parts whose values are known, and without equal parts, which cancel.
    fn reduced(&self, parts: &[G::Part]) -> Result<Reduced<G::Part>, End> {
        let mut open = Open { sum: 0, parts: Vec::new(), work: 0 };
        for part in parts {
            match self.look(part)?.exact() {
                Some(value) => open.sum ^= value,
                None => open.parts.push(part.clone()),
            }
        }
        if let [_, _, ..] = open.parts[..] {
            open.parts.sort_unstable();
            let mut kept: Vec<G::Part> = Vec::with_capacity(open.parts.len());
            for part in open.parts.drain(..) {
                if kept.last() == Some(&part) {
                    kept.pop();
                } else {
                    kept.push(part);
                }
            }
            kept.sort_by_key(|part| self.game.work(part));
            open.parts = kept;
        }
        open.work = open.parts.iter().map(|part| self.game.work(part)).sum();
        Ok(if open.parts.is_empty() { Reduced::Value(open.sum) } else { Reduced::Open(open) })
    }

    /// As [`Search::sum`]. All parts but the one with most work get their values.
    fn ask(&mut self, open: &mut Open<G::Part>, wanted: Option<u32>) -> Result<Option<u32>, End> {
        while open.parts.len() > 1 {
            let value = self.settled(&open.parts[0], None)?.exact().expect("a value was asked for");
            open.parts.remove(0);
            open.sum ^= value;
        }
        let facts = self.settled(&open.parts[0], wanted.map(|wanted| wanted ^ open.sum))?;
        Ok(facts.exact().map(|value| value ^ open.sum))
    }

    /// Returns what is known of a part without search.
    fn look(&self, part: &G::Part) -> Result<Facts, End> {
        if let Some(value) = self.game.static_nimber(part) {
            return Ok(Facts::value(value));
        }
        if let Some((code, size)) = self.game.heap(part) {
            return Ok(Facts::value(self.heaps.value(code, size, self.ctx)?));
        }
        Ok(self.parts.get(part).map_or(Facts::default(), |known| known.facts))
    }

    /// Facts that tell whether the nim-value of a part is `wanted`, or what it is if nothing is wanted.
    fn settled(&mut self, part: &G::Part, wanted: Option<u32>) -> Result<Facts, End> {
        let facts = self.look(part)?;
        if facts.exact().is_some() || wanted.is_some_and(|wanted| facts.excludes(wanted)) {
            return Ok(facts);
        }
        deep(|| self.settle(part, facts, wanted))
    }

    fn settle(&mut self, part: &G::Part, facts: Facts, wanted: Option<u32>) -> Result<Facts, End> {
        self.meter.tick()?;
        if self.over.load(Ordering::Relaxed) {
            return Err(End::Over);
        }
        let begun = self.searched;
        if begun >= self.most {
            return Err(End::Enough);
        }
        self.searched += 1;
        // Step 1: the options; those with known values need no search, and one of them may answer the question.
        let mut taken = Taken { low: facts.0, high: Vec::new() };
        let mut open = self.options(part, &mut taken, wanted)?;
        // Step 2: no part has the value of one of its options.
        let mut most = u32::MAX;
        let mut answered = false;
        if let Some(wanted) = wanted {
            answered = taken.contains(wanted) || self.find(wanted, &mut open, &mut taken)?;
            most = wanted;
        }
        // Step 3: otherwise it has the least value that is no option's. That is at most the wanted one.
        let mut value = 0;
        while !answered && value < most && (taken.contains(value) || self.find(value, &mut open, &mut taken)?) {
            value += 1;
        }
        let facts = if answered { Facts(taken.low) } else { Facts::value(value) };
        let cost = NonZeroU8::MIN.saturating_add((self.searched - begun).ilog2() as u8);
        self.parts.put(part, Known { facts, cost });
        Ok(facts)
    }

    /// The options without a known value, those with least work first. The known values go into `taken`; if the wanted
    /// value is among them, the other options are left out.
    fn options(&self, part: &G::Part, taken: &mut Taken, wanted: Option<u32>) -> Result<Vec<Open<G::Part>>, End> {
        let (mut open, mut failed) = (Vec::new(), None);
        self.game.options_while(part, &mut |option| {
            match self.reduced(option) {
                Ok(Reduced::Value(value)) => {
                    taken.insert(value);
                    return wanted != Some(value);
                }
                Ok(Reduced::Open(option)) => open.push(option),
                Err(end) => failed = Some(end),
            }
            failed.is_none()
        });
        if let Some(end) = failed {
            return Err(end);
        }
        open.sort_by_key(|option| option.work);
        // Threads that search the same part begin with different options and meet in the table.
        let near = open.len().min(4);
        if self.thread > 0 && near > 1 {
            open.rotate_left((self.thread + self.searched as usize) % near);
        }
        Ok(open)
    }

    /// Returns whether an option has this value. Options that get a value are no longer open.
    fn find(&mut self, value: u32, open: &mut Vec<Open<G::Part>>, taken: &mut Taken) -> Result<bool, End> {
        let mut at = 0;
        while at < open.len() {
            match self.ask(&mut open[at], Some(value))? {
                None => at += 1,
                Some(found) => {
                    open.remove(at);
                    taken.insert(found);
                    if found == value {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
