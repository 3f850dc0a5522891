//! Misère quotients of octal games (Plambeck 2005; Plambeck and Siegel 2008): sums of heaps, up to what no further sum
//! tells apart.
//!
//! The quotient of the heaps up to `n` is found as a minimal automaton is learned (Angluin 1987), with outcomes of sums
//! as answers, and then verified without them: the elements that the options of a sum have follow from the elements and
//! options of its heaps, so the pairs of element and option elements are finite in number, and in each of them the
//! element must lose exactly if no option does. A heap that extends a quotient without changing it needs this check
//! alone.

use super::Forms;
use agon_core::{Code, Ctx, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Elements of a quotient, by number; zero is the identity.
type Element = u8;

/// A set of elements.
type Elements = u64;

/// Larger quotients are given up.
pub const MOST_ELEMENTS: usize = 64;

/// More pairs of element and options are given up.
const MOST_PAIRS: usize = 100_000;

/// More canonical forms are given up.
const MOST_FORMS: usize = 60_000;

/// The quotient of all sums of some heaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotient {
    /// The product of each two elements.
    products: Vec<Vec<Element>>,
    /// A sum for each element, as heaps.
    words: Vec<Vec<usize>>,
    /// The elements whose sums are lost for the side to move.
    lost: Elements,
    /// The element of each heap, from 0 on.
    heaps: Vec<Element>,
}

impl Quotient {
    /// The quotient of no heap but the empty one, which the side to move wins.
    fn trivial() -> Quotient {
        Quotient { products: vec![vec![0]], words: vec![Vec::new()], lost: 0, heaps: vec![0] }
    }

    /// The number of elements.
    #[must_use]
    pub fn order(&self) -> usize {
        self.products.len()
    }

    /// The number of elements that are lost for the side to move: the P-portion.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.lost.count_ones() as usize
    }

    /// The element of each heap, from 0 on.
    #[must_use]
    pub fn heaps(&self) -> &[Element] {
        &self.heaps
    }

    /// The element of a sum of heaps.
    #[must_use]
    pub fn element(&self, sum: &[usize]) -> Element {
        sum.iter().fold(0, |at, &heap| self.products[usize::from(at)][usize::from(self.heaps[heap])])
    }

    /// A smallest sum of that element, as heaps.
    #[must_use]
    pub fn word(&self, element: Element) -> &[usize] {
        &self.words[usize::from(element)]
    }

    /// Returns whether the side to move loses sums of that element.
    #[must_use]
    pub fn loses(&self, element: Element) -> bool {
        self.lost >> element & 1 == 1
    }

    fn times(&self, set: Elements, by: Element) -> Elements {
        let product = |element: usize| 1 << self.products[element][usize::from(by)];
        (0..self.order()).filter(|&element| set >> element & 1 == 1).fold(0, |all, element| all | product(element))
    }

    /// The elements of the options of a heap.
    fn options(&self, code: &Code, heap: usize) -> Elements {
        options(code, heap).iter().fold(0, |set, sum| set | 1 << self.element(sum))
    }
}

/// The options of a heap, as sums of smaller heaps.
fn options(code: &Code, n: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    if code.takes(0).contains(&n) {
        all.push(Vec::new());
    }
    all.extend(code.takes(1).into_iter().filter(|&i| i < n).map(|i| vec![n - i]));
    for left in code.takes(2).into_iter().filter(|&i| i < n).map(|i| n - i) {
        let halves = (1..=left / 2).filter(|a| !(code.unequal() && 2 * a == left));
        all.extend(halves.map(|a| vec![a, left - a]));
    }
    all
}

/// The quotients of the heaps up to each size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotients {
    /// For each heap from 0 on, the order of the quotient of the heaps up to it, and how many elements are lost.
    pub sizes: Vec<(usize, usize)>,
    /// The quotient of all these heaps.
    pub last: Quotient,
    /// The period and the preperiod of the elements, if these heaps prove that the quotient is that of the whole game.
    pub whole: Option<(usize, usize)>,
    /// The reason why larger heaps are not included, if there is one.
    pub stopped: Option<&'static str>,
}

/// The quotients of the heaps of an octal game up to `to`.
///
/// ```
/// use agon_core::Ctx;
/// use agon_solve::misere::quotient::quotients;
///
/// // Nim with heaps of one and two: a, b with a² = 1 and b³ = b.
/// let found = quotients(&"0.33".parse().unwrap(), 2, &Ctx::default()).unwrap();
/// assert_eq!((found.last.order(), found.last.lost()), (6, 2));
/// ```
pub fn quotients(code: &Code, to: usize, ctx: &Ctx) -> Result<Quotients, Stop> {
    let mut search = Search::new(code);
    let mut found = Quotients { sizes: vec![(1, 0)], last: Quotient::trivial(), whole: None, stopped: None };
    for n in 1..=to {
        ctx.check()?;
        ctx.progress("misère quotients, heaps", n as u64, Some(to as u64));
        let next = match search.extended(&found.last, n, ctx)? {
            Ok(next) => next,
            Err(why) => {
                found.stopped = Some(why);
                break;
            }
        };
        found.sizes.push((next.order(), next.lost()));
        found.last = next;
    }
    found.whole = whole(code, &found.last);
    Ok(found)
}

/// The period and preperiod of the elements of the heaps, if they last long enough to last for ever.
///
/// Let p be a period from heap n0 on, and k the most that a move takes. Of two heaps that a move leaves of a heap larger
/// than 2 n0 + 2 p + k, one has at least n0 + p, and p less has the same element; so a heap and the heap p smaller have
/// options of the same elements, and the verification of the quotient holds with the same element for both.
fn whole(code: &Code, quotient: &Quotient) -> Option<(usize, usize)> {
    let heaps = &quotient.heaps;
    let last = heaps.len() - 1;
    (1..=last / 2).find_map(|period| {
        let differs = (0..=last - period).rev().find(|&n| heaps[n] != heaps[n + period]);
        let from = differs.map_or(0, |n| n + 1).max(1);
        (2 * from + 2 * period + code.longest() <= last).then_some((period, from))
    })
}

/// A pair of a sum's element and the elements of its options, with a sum that has them.
struct Pairs {
    all: Vec<(Element, Elements, Vec<usize>)>,
}

/// Learning one quotient after the other.
struct Search<'a> {
    code: &'a Code,
    forms: Forms,
    /// The canonical form of each heap so far.
    heaps: Vec<u32>,
    /// Sums, as canonical forms, that tell elements apart.
    tests: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(code: &'a Code) -> Search<'a> {
        Search { code, forms: Forms::new(), heaps: vec![0], tests: vec![0] }
    }

    /// The quotient with one heap more.
    fn extended(&mut self, known: &Quotient, n: usize, ctx: &Ctx) -> Result<Result<Quotient, &'static str>, Stop> {
        let reached = known.options(self.code, n);
        // A heap without moves is the identity.
        let candidates: Vec<Element> = match reached {
            0 => vec![0],
            _ => {
                let loses = reached & known.lost == 0;
                (0..known.order() as Element).filter(|&element| known.loses(element) == loses).collect()
            }
        };
        for element in candidates {
            ctx.check()?;
            let mut next = known.clone();
            next.heaps.push(element);
            if reached == 0 || matches!(self.verified(&next), Verified::Holds) {
                return Ok(Ok(next));
            }
        }
        self.learn(n, ctx)
    }

    /// Learns the quotient of the heaps up to `n` anew, with more tests until it is verified.
    fn learn(&mut self, n: usize, ctx: &Ctx) -> Result<Result<Quotient, &'static str>, Stop> {
        while self.heaps.len() <= n {
            ctx.check()?;
            let sums = options(self.code, self.heaps.len());
            let reached =
                sums.iter().map(|sum| sum.iter().fold(0, |form, &heap| self.forms.sum(form, self.heaps[heap])));
            let reached = reached.collect();
            let form = self.forms.game(reached);
            self.heaps.push(form);
        }
        loop {
            ctx.check()?;
            let (found, test) = match self.learned(n + 1, ctx)? {
                Ok(learned) => learned,
                Err(why) => return Ok(Err(why)),
            };
            let test = match test {
                Some(test) => vec![test],
                None => match self.verified(&found) {
                    Verified::Holds => return Ok(Ok(found)),
                    Verified::TooLarge => return Ok(Err("its verification needs too many pairs")),
                    Verified::Fails(sum) => self.suffixes(&found, sum),
                },
            };
            let before = self.tests.len();
            for test in test {
                if !self.tests.contains(&test) {
                    self.tests.push(test);
                }
            }
            if self.tests.len() == before {
                return Ok(Err("no further test tells its elements apart"));
            }
        }
    }

    fn form(&mut self, sum: &[usize]) -> u32 {
        sum.iter().fold(0, |form, &heap| self.forms.sum(form, self.heaps[heap]))
    }

    fn row(&mut self, form: u32) -> Vec<bool> {
        (0..self.tests.len())
            .map(|i| {
                let whole = self.forms.sum(form, self.tests[i]);
                self.forms.wins[whole as usize]
            })
            .collect()
    }

    /// The automaton of the tests for the heaps below `n`, and a test that it lacks, if one is seen at once; or why there
    /// is none.
    fn learned(&mut self, n: usize, ctx: &Ctx) -> Result<Result<Learned, &'static str>, Stop> {
        let mut generators: Vec<usize> = (1..n).filter(|&heap| self.heaps[heap] != 0).collect();
        generators.dedup_by_key(|heap| self.heaps[*heap]);
        let mut words: Vec<Vec<usize>> = vec![Vec::new()];
        let mut forms: Vec<u32> = vec![0];
        let mut rows: FxHashMap<Vec<bool>, Element> = FxHashMap::default();
        let empty = self.row(0);
        rows.insert(empty, 0);
        let mut steps: Vec<Vec<Element>> = Vec::new();
        while steps.len() < words.len() {
            let at = steps.len();
            let mut step = Vec::new();
            for &heap in &generators {
                ctx.check()?;
                if self.forms.options.len() > MOST_FORMS {
                    return Ok(Err("its sums have too many canonical forms"));
                }
                let form = self.forms.sum(forms[at], self.heaps[heap]);
                let row = self.row(form);
                let next = words.len();
                let element = *rows.entry(row).or_insert(next as Element);
                if usize::from(element) == next {
                    if next >= MOST_ELEMENTS {
                        return Ok(Err("its quotient has more than 64 elements"));
                    }
                    words.push([&words[at][..], &[heap]].concat());
                    forms.push(form);
                }
                step.push(element);
            }
            steps.push(step);
        }
        let missing = self.inconsistent(&forms, &generators, &steps);
        let follow = |from: usize, word: &[usize]| {
            word.iter().fold(from, |at, heap| {
                let by = generators.iter().position(|g| self.heaps[*g] == self.heaps[*heap]);
                by.map_or(at, |by| usize::from(steps[at][by]))
            })
        };
        let products = (0..words.len()).map(|a| words.iter().map(|b| follow(a, b) as Element).collect()).collect();
        let lost = (0..forms.len()).filter(|&i| !self.forms.wins[forms[i] as usize]).fold(0, |set, i| set | 1 << i);
        let heaps = (0..n).map(|heap| follow(0, &[heap]) as Element).collect();
        Ok(Ok((Quotient { products, words, lost, heaps }, missing)))
    }

    /// A test that tells two sums apart which the tests so far do not: an element and a heap, against the element that
    /// stands for their sum, with one heap more.
    fn inconsistent(&mut self, forms: &[u32], generators: &[usize], steps: &[Vec<Element>]) -> Option<u32> {
        for at in 0..forms.len() {
            for (by, &heap) in generators.iter().enumerate() {
                let one = self.forms.sum(forms[at], self.heaps[heap]);
                let other = forms[usize::from(steps[at][by])];
                if one == other {
                    continue;
                }
                for &more in generators {
                    let one = self.forms.sum(one, self.heaps[more]);
                    let other = self.forms.sum(other, self.heaps[more]);
                    let (one, other) = (self.row(one), self.row(other));
                    if let Some(i) = (0..one.len()).find(|&i| one[i] != other[i]) {
                        return Some(self.forms.sum(self.tests[i], self.heaps[more]));
                    }
                }
            }
        }
        None
    }

    /// Verifies a quotient, heap by heap and pair by pair.
    fn verified(&self, quotient: &Quotient) -> Verified {
        let heaps: BTreeSet<(Element, Elements, usize)> = (1..quotient.heaps.len())
            .map(|heap| (quotient.heaps[heap], quotient.options(self.code, heap), heap))
            .filter(|(_, reached, _)| *reached != 0)
            .collect();
        let mut distinct: Vec<(Element, Elements, usize)> = heaps.into_iter().collect();
        distinct.dedup_by_key(|(element, reached, _)| (*element, *reached));
        let mut pairs = Pairs { all: vec![(0, 0, Vec::new())] };
        let mut seen: FxHashMap<(Element, Elements), ()> = FxHashMap::default();
        seen.insert((0, 0), ());
        let mut next = 0;
        while next < pairs.all.len() {
            let (element, reached, word) = pairs.all[next].clone();
            for &(by, options, heap) in &distinct {
                let product = quotient.products[usize::from(element)][usize::from(by)];
                let after = quotient.times(reached, by) | quotient.times(options, element);
                if seen.insert((product, after), ()).is_some() {
                    continue;
                }
                let word = [&word[..], &[heap]].concat();
                if quotient.loses(product) != (after & quotient.lost == 0) {
                    return Verified::Fails(word);
                }
                if pairs.all.len() >= MOST_PAIRS {
                    return Verified::TooLarge;
                }
                pairs.all.push((product, after, word));
            }
            next += 1;
        }
        Verified::Holds
    }

    /// Tests from a sum at which the verification fails: it, or one of its options, has another outcome than its
    /// element; every part of that sum is a test.
    fn suffixes(&mut self, quotient: &Quotient, sum: Vec<usize>) -> Vec<u32> {
        let mut candidates = vec![sum.clone()];
        for (i, &heap) in sum.iter().enumerate() {
            for option in options(self.code, heap) {
                let rest = sum.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, heap)| *heap);
                candidates.push(rest.chain(option).collect());
            }
        }
        let wrong = candidates.into_iter().find(|sum| {
            let form = self.form(sum);
            self.forms.wins[form as usize] == quotient.loses(quotient.element(sum))
        });
        let wrong = wrong.unwrap_or(sum);
        (0..wrong.len()).map(|from| self.form(&wrong[from..])).collect()
    }
}

/// A quotient that may not be right yet, and a test that it lacks.
type Learned = (Quotient, Option<u32>);

/// The result of a verification.
enum Verified {
    /// Every sum has the outcome of its element.
    Holds,
    /// Not at this sum or one of its options.
    Fails(Vec<usize>),
    /// There are too many pairs to tell.
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nimbers::Nimbers;
    use agon_core::{Family, Game};
    use agon_games::impartial::Play;
    use agon_games::impartial::heaps::{Coded, Heaps};

    fn found(code: &str, to: usize) -> Quotients {
        quotients(&code.parse().expect("a code"), to, &Ctx::default()).expect("no limit")
    }

    /// Plambeck and Siegel (2008), section 2: the quotient of Nim heaps up to 2^n - 1 is T_n, of order 2^n + 2 (n ≥ 2),
    /// and T_1 has order 2.
    #[test]
    fn quotients_of_nim_are_the_tame_ones() {
        let nim = found("0.3333333", 7);
        let orders: Vec<usize> = nim.sizes.iter().map(|size| size.0).collect();
        assert_eq!((orders[1], orders[3], orders[7]), (2, 6, 10), "{orders:?}");
    }

    /// The same paper, its example 0.123: order 20, period 5 from heap 5 on.
    #[test]
    fn the_quotient_of_0_123_is_that_of_the_paper() {
        let whole = found("0.123", 30);
        assert_eq!((whole.last.order(), whole.whole.map(|(period, _)| period)), (20, Some(5)), "{whole:?}");
    }

    #[test]
    fn outcomes_by_quotients_agree_with_a_search_of_whole_sums() {
        for (code, to, most) in [("0.123", 8, 4), ("0.77", 7, 4), ("0.007", 16, 3), ("0.137", 9, 3), ("4.7", 6, 3)] {
            let found = found(code, to).last;
            let mut searched = Nimbers::default();
            let mut sums: Vec<Vec<usize>> = vec![Vec::new()];
            for _ in 0..most {
                let longer = |sum: &Vec<usize>| {
                    let from = sum.last().copied().unwrap_or(1);
                    let sum = sum.clone();
                    (from..found.heaps().len()).map(move |heap| [&sum[..], &[heap]].concat())
                };
                let more: Vec<Vec<usize>> = sums.iter().flat_map(longer).collect();
                for sum in &more {
                    let spelled: Vec<String> = sum.iter().map(usize::to_string).collect();
                    let spelled = format!("heap:{code}:{},play=misere", spelled.join("+"));
                    let (game, _) = Play::<Heaps<Coded>>::from_spelling(&spelled).expect("a game");
                    let wins = searched.wins(&game, &game.start(), &Ctx::default()).expect("no limit");
                    assert_eq!(wins, !found.loses(found.element(sum)), "{spelled}");
                }
                sums = more;
            }
        }
    }
}
