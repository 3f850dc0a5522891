//! A summary of a sequence: maximum, frequencies, first occurrences, gaps.

/// A heap and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The heap.
    pub n: usize,
    /// Its value.
    pub value: u32,
}

/// A summary of `G(0), …, G(N)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The largest value, where it first occurs.
    pub max: At,
    /// The number of distinct values.
    pub distinct: usize,
    /// Values with their frequencies, the most frequent first, ties by value.
    pub frequencies: Vec<(u32, u64)>,
    /// The first heap of each value, in order of occurrence.
    pub first: Vec<At>,
    /// The smallest value that never occurs.
    pub smallest_missing: u32,
}

impl Stats {
    /// The summary of a sequence that begins with `G(0)`. `None` if it is empty.
    pub fn of(values: impl Iterator<Item = u32>) -> Option<Stats> {
        let mut count: Vec<u64> = Vec::new();
        let (mut first, mut max): (Vec<At>, Option<At>) = (Vec::new(), None);
        for (n, value) in values.enumerate() {
            let v = value as usize;
            if v >= count.len() {
                count.resize(v + 1, 0);
            }
            if count[v] == 0 {
                first.push(At { n, value });
            }
            count[v] += 1;
            max = max.filter(|max| max.value >= value).or(Some(At { n, value }));
        }
        let occurring = count.iter().enumerate().filter(|(_, c)| **c > 0);
        let mut frequencies: Vec<(u32, u64)> = occurring.map(|(v, &c)| (v as u32, c)).collect();
        let smallest_missing = count.iter().position(|&c| c == 0).unwrap_or(count.len()) as u32;
        frequencies.sort_by_key(|&(v, c)| (std::cmp::Reverse(c), v));
        Some(Stats { max: max?, distinct: first.len(), frequencies, first, smallest_missing })
    }

    /// The last value to occur for the first time.
    #[must_use]
    pub fn last_new(&self) -> At {
        *self.first.last().expect("a summary holds at least one value")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_sequence() {
        let stats = Stats::of([0, 1, 2, 1, 4, 1, 2, 4].into_iter()).expect("values");
        assert_eq!(stats.max, At { n: 4, value: 4 });
        assert_eq!(stats.frequencies, [(1, 3), (2, 2), (4, 2), (0, 1)]);
        assert_eq!((stats.distinct, stats.last_new(), stats.smallest_missing), (4, At { n: 4, value: 4 }, 3));
        assert_eq!(Stats::of([].into_iter()), None);
    }
}
