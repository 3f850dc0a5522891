//! Circular nim CN(n, k): the losing positions up to a largest stack, what is proved about them, and a search for
//! simple descriptions.
//!
//! A description is a set of relations between the stacks; a position fits if some turn or mirror image of it
//! satisfies all of them.

mod search;

pub use search::{Description, describe, families};

use agon_core::{Ctx, Stop};

/// Stacks around the circle.
pub type Stacks = Vec<u8>;

/// All positions of CN(n, k) with stacks of at most `cap`, each known to be lost or won for the mover.
#[derive(Debug)]
pub struct Circle {
    n: usize,
    cap: u8,
    lost: Vec<bool>,
}

impl Circle {
    /// Plays out CN(n, k). There are `(cap + 1)^n` positions.
    pub fn solve(n: usize, k: usize, cap: u8, ctx: &Ctx) -> Result<Circle, Stop> {
        assert!(1 <= k && k <= n, "a window of k stacks among n");
        let base = usize::from(cap) + 1;
        let mut circle = Circle { n, cap, lost: vec![true; base.pow(n as u32)] };
        let mut by_total: Vec<Vec<u32>> = vec![Vec::new(); n * usize::from(cap) + 1];
        for index in 0..circle.lost.len() {
            let total: usize = circle.stacks(index).iter().map(|&stack| usize::from(stack)).sum();
            by_total[total].push(index as u32);
        }
        // A move lowers the total: whatever no smaller lost position can be reached from is lost.
        for layer in by_total {
            for index in layer {
                if circle.lost[index as usize] {
                    ctx.check()?;
                    circle.mark_before(index as usize, k);
                }
            }
        }
        Ok(circle)
    }

    /// Marks every position from which a move leads to `index` as won.
    fn mark_before(&mut self, index: usize, k: usize) {
        let base = usize::from(self.cap) + 1;
        let stacks = self.stacks(index);
        for at in 0..self.n {
            let places: Vec<usize> = (0..k).map(|j| (at + j) % self.n).collect();
            let mut more: Vec<u8> = vec![0; k];
            let mut before = index;
            // Count through all ways to add counters to these stacks.
            'ways: loop {
                for (j, &place) in places.iter().enumerate() {
                    if stacks[place] + more[j] < self.cap {
                        more[j] += 1;
                        before += base.pow(place as u32);
                        self.lost[before] = false;
                        continue 'ways;
                    }
                    before -= usize::from(more[j]) * base.pow(place as u32);
                    more[j] = 0;
                }
                break;
            }
        }
    }

    fn stacks(&self, mut index: usize) -> Stacks {
        let base = usize::from(self.cap) + 1;
        (0..self.n)
            .map(|_| {
                let stack = (index % base) as u8;
                index /= base;
                stack
            })
            .collect()
    }

    /// Returns whether the mover loses. Every stack must be at most the cap.
    #[must_use]
    pub fn is_lost(&self, stacks: &[u8]) -> bool {
        let base = usize::from(self.cap) + 1;
        self.lost[stacks.iter().rev().fold(0, |index, &stack| index * base + usize::from(stack))]
    }

    /// One position of each class under turns and mirror images, with whether it is lost.
    pub fn classes(&self) -> impl Iterator<Item = (Stacks, bool)> + '_ {
        (0..self.lost.len())
            .map(|index| (self.stacks(index), self.lost[index]))
            .filter(|(s, _)| images(s).all(|i| *s <= i))
    }

    /// The orbits that are lost, each as its least image.
    #[must_use]
    pub fn lost_orbits(&self) -> Vec<Stacks> {
        self.classes().filter(|(_, lost)| *lost).map(|(stacks, _)| stacks).collect()
    }
}

/// The `2n` turns and mirror images.
fn images(stacks: &[u8]) -> impl Iterator<Item = Stacks> + '_ {
    let n = stacks.len();
    (0..2 * n)
        .map(move |g| (0..n).map(|j| stacks[if g < n { (g + j) % n } else { (2 * n - 1 - g + n - j) % n }]).collect())
}

/// A relation between stacks, by place. Lists are in order, and of two lists the shorter or earlier comes first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// The stack is empty.
    Zero(usize),
    /// The stack is a smallest one.
    Smallest(usize),
    /// The stack is a largest one.
    Largest(usize),
    /// The stacks of the one list hold as many counters as those of the other.
    Equal(Vec<usize>, Vec<usize>),
    /// The nim-sum of the stacks is zero.
    Nim(Vec<usize>),
    /// A stack equals the smaller of another and the sum of two more.
    Lesser(usize, usize, [usize; 2]),
}

impl Relation {
    fn holds(&self, s: &[u8]) -> bool {
        let sum = |places: &[usize]| places.iter().map(|&p| u32::from(s[p])).sum::<u32>();
        match self {
            Relation::Zero(p) => s[*p] == 0,
            Relation::Smallest(p) => s.iter().all(|x| s[*p] <= *x),
            Relation::Largest(p) => s.iter().all(|x| s[*p] >= *x),
            Relation::Equal(a, b) => sum(a) == sum(b),
            Relation::Nim(places) => places.iter().fold(0, |x, &p| x ^ s[p]) == 0,
            Relation::Lesser(p, q, two) => u32::from(s[*p]) == u32::from(s[*q]).min(sum(two)),
        }
    }

    /// The number of stacks it names.
    fn weight(&self) -> usize {
        match self {
            Relation::Zero(_) | Relation::Smallest(_) | Relation::Largest(_) => 1,
            Relation::Equal(a, b) => a.len() + b.len(),
            Relation::Nim(places) => places.len(),
            Relation::Lesser(..) => 4,
        }
    }

    /// The same relation between other places.
    fn moved(&self, to: impl Fn(usize) -> usize) -> Relation {
        let list = |places: &[usize]| {
            let mut moved: Vec<usize> = places.iter().map(|&p| to(p)).collect();
            moved.sort_unstable();
            moved
        };
        match self {
            Relation::Zero(p) => Relation::Zero(to(*p)),
            Relation::Smallest(p) => Relation::Smallest(to(*p)),
            Relation::Largest(p) => Relation::Largest(to(*p)),
            Relation::Equal(a, b) => {
                let (a, b) = (list(a), list(b));
                if (a.len(), &a) <= (b.len(), &b) { Relation::Equal(a, b) } else { Relation::Equal(b, a) }
            }
            Relation::Nim(places) => Relation::Nim(list(places)),
            Relation::Lesser(p, q, two) => {
                let two = list(two);
                Relation::Lesser(to(*p), to(*q), [two[0], two[1]])
            }
        }
    }
}

impl std::fmt::Display for Relation {
    /// Stacks are called a, b, c, … around the circle.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |p: usize| char::from(b'a' + p as u8);
        let joined =
            |places: &[usize], by: &str| places.iter().map(|&p| name(p).to_string()).collect::<Vec<_>>().join(by);
        match self {
            Relation::Zero(p) => write!(f, "{} = 0", name(*p)),
            Relation::Smallest(p) => write!(f, "{} = min", name(*p)),
            Relation::Largest(p) => write!(f, "{} = max", name(*p)),
            Relation::Equal(a, b) => write!(f, "{} = {}", joined(a, " + "), joined(b, " + ")),
            Relation::Nim(places) => write!(f, "{} = 0", joined(places, " ⊕ ")),
            Relation::Lesser(p, q, two) => write!(f, "{} = min({}, {})", name(*p), name(*q), joined(two, " + ")),
        }
    }
}

/// Returns whether the lost positions are exactly those that fit all relations; otherwise a position that shows it.
#[must_use]
pub fn counterexample(circle: &Circle, relations: &[Relation]) -> Option<Stacks> {
    let fits = |s: &Stacks| images(s).any(|image| relations.iter().all(|relation| relation.holds(&image)));
    circle.classes().find(|(stacks, lost)| fits(stacks) != *lost).map(|(stacks, _)| stacks)
}

/// A theorem about CN(n, k).
pub struct Theorem {
    /// Stacks.
    pub n: usize,
    /// Neighbouring stacks a move may take from.
    pub k: usize,
    /// The relations that describe the lost positions.
    pub relations: Vec<Relation>,
}

/// The descriptions known from the literature (Dufour and Heubach, *Circular Nim games*; Ehrenborg and Steingrímsson
/// for the first four), for up to eight stacks.
#[must_use]
pub fn theorems() -> Vec<Theorem> {
    use Relation::{Equal, Largest, Lesser, Nim, Smallest, Zero};
    let eq = |a: &[usize], b: &[usize]| Equal(a.to_vec(), b.to_vec());
    let mut all = Vec::new();
    for n in 2..=6 {
        all.push(Theorem { n, k: 1, relations: vec![Nim((0..n).collect())] });
        all.push(Theorem { n, k: n, relations: (0..n).map(Zero).collect() });
        if n > 2 {
            all.push(Theorem { n, k: n - 1, relations: (1..n).map(|p| eq(&[0], &[p])).collect() });
        }
    }
    let more: [(usize, usize, Vec<Relation>); 6] = [
        (4, 2, vec![eq(&[0], &[2]), eq(&[1], &[3])]),
        (5, 2, vec![Largest(0), eq(&[1], &[4]), eq(&[0, 1], &[2, 3])]),
        (5, 3, vec![Zero(0), eq(&[1], &[4]), eq(&[2, 3], &[1])]),
        (6, 3, vec![eq(&[0, 1], &[3, 4]), eq(&[1, 2], &[4, 5])]),
        (6, 4, vec![eq(&[0, 1], &[3, 4]), eq(&[1, 2], &[4, 5]), Nim(vec![0, 2, 4]), Smallest(0)]),
        (8, 6, vec![Zero(0), eq(&[1], &[7]), eq(&[2, 3], &[1]), eq(&[5, 6], &[1]), Lesser(4, 1, [2, 6])]),
    ];
    all.extend(more.into_iter().map(|(n, k, relations)| Theorem { n, k, relations }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A largest stack small enough for a test and large enough to matter.
    fn cap(n: usize) -> u8 {
        [0, 30, 30, 16, 12, 8, 6, 4, 3][n]
    }

    #[test]
    fn the_known_theorems_hold_exactly() {
        for theorem in theorems() {
            let circle = Circle::solve(theorem.n, theorem.k, cap(theorem.n), &Ctx::default()).expect("no limit");
            assert_eq!(counterexample(&circle, &theorem.relations), None, "CN({}, {})", theorem.n, theorem.k);
        }
    }

    #[test]
    fn families_are_lost_throughout() {
        let circle = Circle::solve(6, 2, 3, &Ctx::default()).expect("no limit");
        let found = families(&circle, 4, &Ctx::default()).expect("no limit");
        assert!(!found.is_empty());
        for (relations, covered) in found {
            let fits = |s: &Stacks| images(s).any(|image| relations.iter().all(|relation| relation.holds(&image)));
            let fitting: Vec<bool> = circle.classes().filter(|(s, _)| fits(s)).map(|(_, lost)| lost).collect();
            assert!(fitting.iter().all(|lost| *lost), "{relations:?}");
            assert_eq!(fitting.len(), covered);
        }
    }

    /// The description of CN(6, 2) that the search found: two opposite stacks are least, and both sides have equal sums.
    #[test]
    fn most_lost_positions_of_six_stacks_by_two_are_balanced() {
        let circle = Circle::solve(6, 2, 6, &Ctx::default()).expect("no limit");
        let balanced =
            |s: &Stacks| images(s).any(|i| i.iter().all(|x| *x >= i[0]) && i[0] == i[3] && i[1] + i[2] == i[4] + i[5]);
        assert!(circle.classes().all(|(stacks, lost)| lost || !balanced(&stacks)));
        let lost = circle.lost_orbits();
        assert_eq!((lost.iter().filter(|s| balanced(s)).count(), lost.len()), (210, 262));
    }

    #[test]
    fn a_false_theorem_is_refuted() {
        let circle = Circle::solve(4, 2, 6, &Ctx::default()).expect("no limit");
        assert!(counterexample(&circle, &[Relation::Equal(vec![0], vec![2])]).is_some());
    }

    #[test]
    fn the_search_rediscovers_theorems() {
        for Theorem { n, k, relations } in theorems() {
            let circle = Circle::solve(n, k, cap(n), &Ctx::default()).expect("no limit");
            let found = describe(&circle, relations.len().max(2), &Ctx::default()).expect("no limit");
            assert_eq!(found.wrong, 0, "CN({n}, {k}): {:?}", found.relations);
            assert_eq!(counterexample(&circle, &found.relations), None);
        }
    }

    #[test]
    fn relations_move_with_the_stacks() {
        let stacks = [3, 1, 4, 1, 5, 2];
        for (g, image) in images(&stacks).enumerate() {
            let places: Stacks = (0..6).collect();
            let to = images(&places).nth(g).expect("as many images");
            for Theorem { relations, .. } in theorems().iter().filter(|theorem| theorem.n == 6) {
                for relation in relations {
                    let moved = relation.moved(|p| usize::from(to[p]));
                    assert_eq!(moved.holds(&stacks), relation.holds(&image), "{relation} moved to {moved}");
                }
            }
        }
    }
}
