//! A code in words.

use agon_core::Code;
use std::collections::BTreeMap;

/// The moves that a code allows, as a sentence.
pub(super) fn in_words(code: &Code) -> String {
    // The numbers of heaps that may be left, by what is taken; then what is taken, by those numbers.
    let mut leaves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for heaps in 0..=3 {
        code.takes(heaps).into_iter().for_each(|taken| leaves.entry(taken).or_default().push(heaps as usize));
    }
    let mut moves: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for (taken, left) in leaves {
        match moves.iter_mut().find(|(amounts, same)| *same == left && amounts[0] > 0 && taken > 0) {
            Some((amounts, _)) => amounts.push(taken),
            None => moves.push((vec![taken], left)),
        }
    }
    if moves.is_empty() {
        return "no move is allowed".to_string();
    }
    let said: Vec<String> = moves.iter().map(|(amounts, left)| one_move(amounts, left, code.unequal())).collect();
    said.join("; ")
}

fn one_move(amounts: &[usize], left: &[usize], unequal: bool) -> String {
    let heaps = |&n: &usize| ["no heap", "one heap", "two heaps", "three heaps"][n].to_string();
    let kind = if unequal { " of different sizes" } else { "" };
    if amounts == [0] {
        return format!("split a heap into {}{kind} and take nothing", or(left.iter().map(heaps).collect()));
    }
    let taken = or(runs(amounts));
    let counters = if amounts == [1] { "counter" } else { "counters" };
    match left {
        [0] => format!("take a whole heap of {taken} {counters}"),
        _ => format!("take {taken} {counters} from a heap and leave {}{kind}", or(left.iter().map(heaps).collect())),
    }
}

/// Amounts with three and more in a row as `1 to 5`.
fn runs(amounts: &[usize]) -> Vec<String> {
    amounts
        .chunk_by(|a, b| a + 1 == *b)
        .flat_map(|run| match run {
            [first, _, .., last] => vec![format!("{first} to {last}")],
            few => few.iter().map(usize::to_string).collect(),
        })
        .collect()
}

fn or(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_said_in_words() {
        for (code, words) in [
            ("0.007", "take 3 counters from a heap and leave no heap, one heap or two heaps"),
            ("0.77", "take 1 or 2 counters from a heap and leave no heap, one heap or two heaps"),
            (
                "0.17",
                "take a whole heap of 1 counter; take 2 counters from a heap and leave no heap, one heap or two heaps",
            ),
            ("0.333", "take 1 to 3 counters from a heap and leave no heap or one heap"),
            ("0.3303", "take 1, 2 or 4 counters from a heap and leave no heap or one heap"),
            ("4.4", "split a heap into two heaps and take nothing; take 1 counter from a heap and leave two heaps"),
            ("grundy", "split a heap into two heaps of different sizes and take nothing"),
            ("0.0", "no move is allowed"),
        ] {
            assert_eq!(in_words(&code.parse().unwrap()), words, "{code}");
        }
    }

    #[test]
    fn words_say_what_the_code_allows() {
        // Every digit of every code of one place, against its binary digits.
        for digit in 1..16u32 {
            let words = in_words(&format!("0.{digit:x}").parse().unwrap());
            for (bit, heaps) in [(1, "one heap"), (2, "two heaps"), (3, "three heaps")] {
                assert_eq!(words.contains(heaps), digit >> bit & 1 == 1, "{digit}: {words}");
            }
            assert_eq!(words.contains("no heap") || words.contains("whole heap"), digit & 1 == 1, "{digit}: {words}");
        }
    }
}
