//! Bit-parallel step generation: one bit for each directed edge of the board.

use crate::grid::{Cells, each_cell};

/// The steps along the edges of a board, 64 to a word.
#[derive(Debug)]
pub(super) struct Steps {
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    /// For each step, its source and its target.
    flips: Vec<Cells>,
    /// By byte of a set: the steps with their source in it, and those with their target in it.
    from: Vec<[u64; 256]>,
    to: Vec<[u64; 256]>,
}

impl Steps {
    /// Builds the tables; `near` has the points adjacent to each point.
    pub(super) fn new(near: &[Cells]) -> Steps {
        let steps = near.iter().enumerate().flat_map(|(from, set)| each_cell(*set).map(move |to| (from, to)));
        let steps: Vec<(usize, usize)> = steps.collect();
        let word = |steps: &[(usize, usize)]| {
            let bytes = |end: fn(&(usize, usize)) -> usize| {
                let at = |point: usize| {
                    let there = steps.iter().enumerate().filter(|(_, step)| end(step) == point);
                    there.fold(0, |set, (i, _)| set | 1 << i)
                };
                let points: Vec<u64> = (0..near.len()).map(at).collect();
                let byte = |points: &[u64]| {
                    let mut table = [0; 256];
                    for bits in 1..256usize {
                        let here = points.get(bits.ilog2() as usize).copied().unwrap_or(0);
                        table[bits] = table[bits ^ 1 << bits.ilog2()] | here;
                    }
                    table
                };
                points.chunks(8).map(byte).collect()
            };
            let flips = steps.iter().map(|(from, to)| 1 << from | 1 << to).collect();
            Word { flips, from: bytes(|step| step.0), to: bytes(|step| step.1) }
        };
        Steps { words: steps.chunks(64).map(word).collect() }
    }

    /// The steps of a word from a point of `men` to one of `free`.
    #[inline]
    fn between(word: &Word, men: Cells, free: Cells) -> u64 {
        let of = |bytes: &[[u64; 256]], set: Cells| {
            bytes.iter().enumerate().fold(0, |steps, (i, table)| steps | table[(set >> (8 * i)) as usize & 0xff])
        };
        of(&word.from, men) & of(&word.to, free)
    }

    /// The number of steps from a point of `men` to one of `free`.
    #[inline]
    pub(super) fn count(&self, men: Cells, free: Cells) -> u32 {
        self.words.iter().map(|word| Steps::between(word, men, free).count_ones()).sum()
    }

    /// Calls `each` with the source and target, as a set, of every step from a point of `men` to one of `free`.
    #[inline]
    pub(super) fn each(&self, men: Cells, free: Cells, mut each: impl FnMut(Cells)) {
        for word in &self.words {
            each_cell(Steps::between(word, men, free)).for_each(|step| each(word.flips[step]));
        }
    }
}
