//! The options behind a Grundy value: what a heap can become, and the mex of their values.

use crate::VERSION;
use crate::output::{Paint, grouped, table};
use crate::report::Report;
use agon_core::Code;
use agon_solve::grundy::Grundy;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The answer of `agon grundy CODE --options N`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Options {
    agon: &'static str,
    game: Option<String>,
    code: String,
    /// The moves that the code allows.
    rules: String,
    heap: usize,
    options: Vec<Left>,
    /// The different values of the options.
    values: Vec<u32>,
    /// The least value that is not among them.
    mex: u32,
}

/// What one move leaves.
#[derive(Clone, Debug, Serialize)]
struct Left {
    /// The heaps, none of them empty.
    heaps: Vec<usize>,
    /// The values of these heaps.
    parts: Vec<u32>,
    /// Their nim-sum.
    value: u32,
}

impl Options {
    pub(super) fn new(grundy: &Grundy, heap: usize) -> Options {
        let code = grundy.code();
        let value = |n: usize| grundy.value(n).expect("all smaller heaps have values");
        let left = |heaps: Vec<usize>| {
            let parts: Vec<u32> = heaps.iter().map(|&n| value(n)).collect();
            Left { value: parts.iter().fold(0, |sum, part| sum ^ part), heaps, parts }
        };
        let options: Vec<Left> = positions(code, heap).into_iter().map(left).collect();
        let mut values: Vec<u32> = options.iter().map(|option| option.value).collect();
        values.sort_unstable();
        values.dedup();
        let mex = (0..).zip(&values).take_while(|(i, value)| i == *value).count() as u32;
        Options {
            agon: VERSION,
            game: None,
            code: code.to_string(),
            rules: super::rules::in_words(code),
            heap,
            options,
            values,
            mex,
        }
    }
}

/// The heaps that each move leaves, in the order of what is taken.
fn positions(code: &Code, heap: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut moves: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for heaps in 0..=3 {
        code.takes(heaps).into_iter().for_each(|taken| moves.entry(taken).or_default().push(heaps));
    }
    for (taken, numbers) in moves.into_iter().filter(|(taken, _)| *taken <= heap) {
        let rest = heap - taken;
        for heaps in numbers {
            match heaps {
                0 if rest == 0 => all.push(Vec::new()),
                1 if rest > 0 => all.push(vec![rest]),
                2 => {
                    let halves = (1..=rest / 2).filter(|a| !(code.unequal() && 2 * a == rest));
                    all.extend(halves.map(|a| vec![a, rest - a]));
                }
                3 => {
                    let pairs = (1..=rest / 3).flat_map(|a| (a..=(rest - a) / 2).map(move |b| (a, b)));
                    all.extend(pairs.map(|(a, b)| vec![a, b, rest - a - b]));
                }
                _ => {}
            }
        }
    }
    all
}

/// Longer lists are summed up by value.
const LONGEST: usize = 60;

impl Report for Options {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{}, heap {}\n{}\n\n", paint.bold(&self.code), grouped(self.heap), self.rules);
        let spelled = |left: &Left| match &left.heaps[..] {
            [] => "no heap".to_string(),
            heaps => heaps.iter().map(usize::to_string).collect::<Vec<_>>().join(" + "),
        };
        if self.options.len() <= LONGEST {
            let sum = |left: &Left| match &left.parts[..] {
                [] | [_] => left.value.to_string(),
                parts => {
                    format!("{} = {}", parts.iter().map(u32::to_string).collect::<Vec<_>>().join(" ⊕ "), left.value)
                }
            };
            let rows: Vec<Vec<String>> = self.options.iter().map(|left| vec![spelled(left), sum(left)]).collect();
            out.push_str(&table(&["leaves", "value"], &rows));
        } else {
            let row = |&value: &u32| {
                let own: Vec<&Left> = self.options.iter().filter(|left| left.value == value).collect();
                vec![value.to_string(), grouped(own.len()), spelled(own[0])]
            };
            let rows: Vec<Vec<String>> = self.values.iter().map(row).collect();
            out.push_str(&table(&["value", "options", "for example"], &rows));
        }
        let values: Vec<String> = self.values.iter().map(u32::to_string).collect();
        let _ = writeln!(
            out,
            "\nmex {{{}}} = {}, so G({}) = {}",
            values.join(", "),
            self.mex,
            self.heap,
            paint.bold(&self.mex.to_string())
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Ctx;
    use agon_solve::grundy::Method;

    #[test]
    fn the_mex_of_the_options_is_the_value() {
        for code in ["0.007", "0.77", "0.17", "4.4", "grundy", "0.3303", "0.8f"] {
            let code: Code = code.parse().unwrap();
            let mut grundy = Grundy::new(&code, 60, Method::Auto);
            grundy.run(&Ctx::default(), 60).unwrap();
            for heap in 0..=60 {
                assert_eq!(Some(Options::new(&grundy, heap).mex), grundy.value(heap), "{code} {heap}");
            }
        }
    }

    #[test]
    fn the_options_of_ellie_with_nine_cells_are_those_of_the_talk() {
        // Three cells covered, a and 6 - a left on either side.
        let code: Code = "0.007".parse().unwrap();
        let mut grundy = Grundy::new(&code, 9, Method::Auto);
        grundy.run(&Ctx::default(), 9).unwrap();
        let text = Options::new(&grundy, 9).text(Paint::PLAIN);
        assert!(text.contains("1 + 5") && text.contains("mex {"), "{text}");
    }
}
