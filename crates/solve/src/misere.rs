//! Misère play of heap games, by canonical forms.
//!
//! In misère play sums have no nim-values. Two games are still interchangeable in every sum exactly when they have
//! the same canonical form, reached by deleting reversible moves (Conway; Winning Ways, chapter 13): if every move of
//! `G` that is not a move of `H` can be answered by moving to `H`, then `G = H`, provided, when `H` has no move at
//! all, that the mover wins `G`.

pub mod quotient;

use agon_core::{Code, Ctx, Stop};
use rustc_hash::FxHashMap;

/// A canonical form, by number. Zero is the game without moves.
type Form = u32;

/// Every canonical form met so far.
#[derive(Debug)]
struct Forms {
    /// The options of each form, in order.
    options: Vec<Vec<Form>>,
    numbers: FxHashMap<Vec<Form>, Form>,
    /// The canonical form of each set of options.
    simplified: FxHashMap<Vec<Form>, Form>,
    sums: FxHashMap<(Form, Form), Form>,
    /// True for each position that the mover wins in misère play.
    wins: Vec<bool>,
    genus: Vec<Genus>,
}

/// Digits of a genus kept while computing; more than enough to see it settle.
const DIGITS: usize = 8;

/// The genus of a game: its nim-value, and the misère nim-values of the game with 0, 1, 2, … heaps of two beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Genus {
    /// The nim-value in normal play.
    pub nimber: u32,
    digits: [u32; DIGITS],
}

impl Genus {
    /// The digits up to where they continue as `d, d ^ 2, d, d ^ 2, …`.
    #[must_use]
    pub fn digits(&self) -> &[u32] {
        let settled = |k: usize| self.digits[k..].windows(2).all(|pair| pair[0] ^ 2 == pair[1]);
        let end = (0..DIGITS - 1).find(|&k| settled(k)).unwrap_or(DIGITS - 2);
        &self.digits[..end + 2]
    }

    /// Returns whether the game behaves like a sum of nim-heaps, as far as the genus tells: `n` with `n`, or 0 with 1,
    /// or 1 with 0.
    #[must_use]
    pub fn is_tame(&self) -> bool {
        let tame = |nimber: u32, first: u32| match nimber {
            0 => first <= 1,
            1 => first <= 1,
            n => first == n,
        };
        let settled = self.digits().len() <= 3 && self.digits().iter().skip(1).all(|d| d ^ self.nimber <= 3);
        tame(self.nimber, self.digits[0]) && settled
    }
}

impl std::fmt::Display for Genus {
    /// As in Winning Ways: the nim-value, then the digits as an exponent.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = self.digits().iter().all(|&d| d < 10);
        let digits: Vec<String> = self.digits().iter().map(u32::to_string).collect();
        write!(f, "{}^{}", self.nimber, digits.join(if plain { "" } else { "." }))
    }
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    values.dedup();
    (0..).zip(&values).take_while(|(i, v)| i == *v).count() as u32
}

impl Forms {
    fn new() -> Forms {
        let mut forms = Forms {
            options: Vec::new(),
            numbers: FxHashMap::default(),
            simplified: FxHashMap::default(),
            sums: FxHashMap::default(),
            wins: Vec::new(),
            genus: Vec::new(),
        };
        forms.add(Vec::new());
        forms
    }

    /// A new form with these options, which cannot be simplified.
    fn add(&mut self, options: Vec<Form>) -> Form {
        let form = self.options.len() as Form;
        let wins = options.is_empty() || options.iter().any(|&option| !self.wins[option as usize]);
        let genus = self.genus_of(&options);
        self.numbers.insert(options.clone(), form);
        self.options.push(options);
        self.wins.push(wins);
        self.genus.push(genus);
        form
    }

    fn genus_of(&self, options: &[Form]) -> Genus {
        let of = |option: &Form| &self.genus[*option as usize];
        let nimber = mex(options.iter().map(|option| of(option).nimber));
        let mut digits = [0; DIGITS];
        // The game without moves is won by the mover, so it counts as a heap of one.
        digits[0] = if options.is_empty() { 1 } else { mex(options.iter().map(|option| of(option).digits[0])) };
        for k in 1..DIGITS {
            let before = [digits[k - 1], digits[k - 1] ^ 1];
            digits[k] = mex(options.iter().map(|option| of(option).digits[k]).chain(before));
        }
        Genus { nimber, digits }
    }

    /// The canonical form of the game with these options.
    fn game(&mut self, mut options: Vec<Form>) -> Form {
        options.sort_unstable();
        options.dedup();
        if let Some(&form) = self.numbers.get(&options).or_else(|| self.simplified.get(&options)) {
            return form;
        }
        let form = self.shorter(&options);
        let form = form.unwrap_or_else(|| self.add(options.clone()));
        self.simplified.insert(options, form);
        form
    }

    /// A form with fewer options that the game equals.
    fn shorter(&self, options: &[Form]) -> Option<Form> {
        let has = |list: &[Form], form: Form| list.binary_search(&form).is_ok();
        let of = |form: Form| self.options[form as usize].as_slice();
        let equals = |&form: &Form| {
            let kept = of(form);
            kept.len() < options.len()
                && kept.iter().all(|&option| has(options, option))
                && options.iter().all(|&option| has(kept, option) || has(of(option), form))
                && (!kept.is_empty() || options.iter().any(|&option| !self.wins[option as usize]))
        };
        // Every deleted option has the form among its own.
        let mut candidates: Vec<Form> = options.iter().flat_map(|&option| of(option).iter().copied()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().find(equals)
    }

    fn sum(&mut self, a: Form, b: Form) -> Form {
        if a == 0 || b == 0 {
            return a.max(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&form) = self.sums.get(&key) {
            return form;
        }
        let mut options = Vec::new();
        for i in 0..self.options[a as usize].len() {
            options.push(self.sum(self.options[a as usize][i], b));
        }
        for i in 0..self.options[b as usize].len() {
            options.push(self.sum(a, self.options[b as usize][i]));
        }
        let form = self.game(options);
        self.sums.insert(key, form);
        form
    }
}

/// The result for one heap in misère play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heap {
    /// True if the mover wins.
    pub wins: bool,
    /// The genus.
    pub genus: Genus,
}

/// Every heap from 0 to `to`, and how many canonical forms were met.
pub fn heaps(code: &Code, to: usize, ctx: &Ctx) -> Result<(Vec<Heap>, usize), Stop> {
    let mut forms = Forms::new();
    let mut heap: Vec<Form> = vec![0];
    let mut meter = ctx.meter();
    for n in 1..=to {
        ctx.check()?;
        ctx.progress("misère forms", n as u64, Some(to as u64));
        let mut options = Vec::new();
        if code.takes(0).contains(&n) {
            options.push(0);
        }
        options.extend(code.takes(1).into_iter().filter(|&i| i < n).map(|i| heap[n - i]));
        for m in code.takes(2).into_iter().filter(|&i| i < n).map(|i| n - i) {
            for a in (1..=m / 2).filter(|a| !(code.unequal() && 2 * a == m)) {
                meter.tick()?;
                options.push(forms.sum(heap[a], heap[m - a]));
            }
        }
        for m in code.takes(3).into_iter().filter(|&i| i < n).map(|i| n - i) {
            for a in 1..=m / 3 {
                for b in a..=(m - a) / 2 {
                    meter.tick()?;
                    let two = forms.sum(heap[a], heap[b]);
                    options.push(forms.sum(two, heap[m - a - b]));
                }
            }
        }
        let form = forms.game(options);
        heap.push(form);
    }
    let known = |&form: &Form| Heap { wins: forms.wins[form as usize], genus: forms.genus[form as usize] };
    Ok((heap.iter().map(known).collect(), forms.options.len()))
}

/// A period that the losing heaps seem to have at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookAlike {
    /// The period.
    pub period: usize,
    /// The losing heaps of its first round.
    pub residues: Vec<usize>,
    /// The first heap that breaks it, if one does.
    pub broken_at: Option<usize>,
}

/// The period from the start that lasts longest, if one lasts for three rounds; the shortest of equals.
#[must_use]
pub fn look_alike(heaps: &[Heap]) -> Option<LookAlike> {
    let loses = |n: usize| !heaps[n].wins;
    let lasts = |p: usize| (p..heaps.len()).find(|&n| loses(n) != loses(n - p)).unwrap_or(heaps.len());
    let rounds = (1..=heaps.len() / 3).map(|p| (lasts(p), p)).filter(|&(end, p)| end >= 3 * p && (0..p).any(loses));
    let (end, period) = rounds.max_by_key(|&(end, p)| (end, std::cmp::Reverse(p)))?;
    let residues = (0..period).filter(|&n| loses(n)).collect();
    Some(LookAlike { period, residues, broken_at: (end < heaps.len()).then_some(end) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nimbers::Nimbers;
    use agon_core::{Family, Game};
    use agon_games::impartial::Play;
    use agon_games::impartial::heaps::{Coded, Heaps};
    use agon_games::impartial::sum::Sum;

    fn found(code: &str, to: usize) -> Vec<Heap> {
        heaps(&code.parse().expect("a code"), to, &Ctx::default()).expect("no limit").0
    }

    #[test]
    fn outcomes_agree_with_a_search_of_whole_sums() {
        for (code, to) in
            [("0.007", 74), ("0.77", 22), ("0.137", 22), ("4.", 22), ("0.8f", 22), ("grundy", 22), ("0.3033", 22)]
        {
            // The heap to begin with is all that differs, so one table serves.
            let mut searched = Nimbers::default();
            for (n, heap) in found(code, to).iter().enumerate() {
                let (game, _) =
                    Play::<Heaps<Coded>>::from_spelling(&format!("heap:{code}:{n},play=misere")).expect("a game");
                let wins = searched.wins(&game, &game.start(), &Ctx::default());
                assert_eq!(wins, Ok(heap.wins), "{code}, heap {n}");
            }
        }
    }

    #[test]
    fn the_genus_of_kayles_matches_winning_ways() {
        // Winning Ways, chapter 13: Kayles is tame up to heap 4; heap 5 is 4^146, the first wild one.
        let kayles: Vec<String> = found("0.77", 9).iter().map(|heap| heap.genus.to_string()).collect();
        assert_eq!(kayles[..5], ["0^120", "1^031", "2^20", "3^31", "1^031"]);
        assert_eq!(kayles[5], "4^146");
    }

    /// A digit of the genus by its definition: with that many heaps of two beside it, the game is a misère loss beside
    /// just one nim-heap, the digit. Whole sums are searched, without canonical forms.
    #[test]
    fn the_genus_follows_from_its_definition() {
        for (code, to) in [("0.77", 7), ("0.007", 16)] {
            for (n, heap) in found(code, to).iter().enumerate() {
                for (k, &digit) in heap.genus.digits().iter().enumerate() {
                    let lost = |m: &u32| {
                        let twos = "+2".repeat(k);
                        let spelled = format!("sum:heap:{code}:{n}++nim:{m}{twos},play=misere");
                        let (game, _) = Play::<Sum>::from_spelling(&spelled).expect("a game");
                        Nimbers::default().wins(&game, &game.start(), &Ctx::default()) == Ok(false)
                    };
                    assert_eq!((0..).find(lost), Some(digit), "{code}, heap {n}, digit {k}");
                }
            }
        }
    }

    #[test]
    fn nimber_of_the_genus_is_the_normal_value() {
        let mut grundy = crate::grundy::Grundy::new(&"0.007".parse().expect("a code"), 60, crate::grundy::Method::Auto);
        grundy.run(&Ctx::default(), 60).expect("no limit");
        let misere = found("0.007", 60);
        assert!(misere.iter().map(|heap| heap.genus.nimber).eq(grundy.values()));
    }

    #[test]
    fn ellie_looks_periodic_until_heap_71() {
        let found = look_alike(&found("0.007", 120)).expect("a look-alike");
        assert_eq!((found.period, found.broken_at), (22, Some(71)));
        assert_eq!(found.residues, [3, 4, 5, 11, 12, 13, 19]);
    }
}
