//! A deterministic mutator. It knows lines, words and numbers, so that many cases stay nearly valid.

use agon_core::Rng;

/// No case is longer.
const LONGEST: usize = 16 << 10;

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "16",
    "63",
    "64",
    "255",
    "-1",
    "65536",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
];

/// One case: a seed text changed in one to six ways.
#[must_use]
pub fn case(seeds: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut data = rng.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..1 + rng.below(6).min(rng.below(6)) {
        change(&mut data, seeds, words, rng);
    }
    data.truncate(LONGEST);
    data
}

/// Changes the data in one way.
pub fn change(data: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str], rng: &mut Rng) {
    let at = rng.below(data.len() + 1);
    match rng.below(16) {
        0 if at < data.len() => data[at] ^= 1 << rng.below(8),
        1 if at < data.len() => data[at] = rng.next_u64() as u8,
        2 => data.insert(at, rng.next_u64() as u8),
        3 => data.truncate(at),
        4 => drop(data.drain(range(data.len(), rng))),
        5 => {
            let copy = data[range(data.len(), rng)].to_vec();
            data.splice(at..at, copy);
        }
        6 if at < data.len() => {
            let other = rng.below(data.len());
            data.swap(at, other);
        }
        7 | 8 => number(data, rng),
        9 => line(data, rng),
        10 | 11 => {
            // A word of the language, in the place of one that is there or beside it.
            let new = rng.pick(words).map_or(&b" "[..], |word| word.as_bytes());
            let old = if rng.below(2) == 0 { word_at(data, at) } else { at..at };
            data.splice(old, new.iter().copied());
        }
        12 | 13 => {
            // A word of another text.
            let other = rng.pick(seeds).map_or(&[][..], Vec::as_slice);
            let new = other[word_at(other, rng.below(other.len() + 1))].to_vec();
            data.splice(word_at(data, at), new);
        }
        14 => {
            // The beginning of this text, the end of another.
            let other = rng.pick(seeds).map_or(&[][..], Vec::as_slice);
            data.truncate(at);
            data.extend_from_slice(&other[rng.below(other.len() + 1).min(other.len())..]);
        }
        _ => {
            let piece = data[range(data.len(), rng)].to_vec();
            let times = 1 + rng.below(8);
            for _ in 0..times {
                data.splice(at..at, piece.iter().copied());
            }
        }
    }
    data.truncate(LONGEST);
}

fn range(len: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let begin = rng.below(len + 1);
    let most = if rng.below(4) == 0 { len } else { 8 };
    begin..(begin + rng.below(most + 1)).min(len)
}

fn word_at(data: &[u8], at: usize) -> std::ops::Range<usize> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric();
    let begin = data[..at].iter().rposition(|byte| !part(byte)).map_or(0, |i| i + 1);
    let end = data[at..].iter().position(|byte| !part(byte)).map_or(data.len(), |i| at + i);
    begin..end
}

/// Another number in the place of one that is there.
fn number(data: &mut Vec<u8>, rng: &mut Rng) {
    let begins: Vec<usize> =
        (0..data.len()).filter(|&i| data[i].is_ascii_digit() && (i == 0 || !data[i - 1].is_ascii_digit())).collect();
    let Some(&begin) = rng.pick(&begins) else { return };
    let end = data[begin..].iter().position(|byte| !byte.is_ascii_digit()).map_or(data.len(), |i| begin + i);
    let old: Option<u64> = std::str::from_utf8(&data[begin..end]).ok().and_then(|text| text.parse().ok());
    let new = match (rng.below(4), old) {
        (0, Some(old)) => old.wrapping_add(1).to_string(),
        (1, Some(old)) => old.saturating_sub(1).to_string(),
        _ => NUMBERS[rng.below(NUMBERS.len())].to_string(),
    };
    data.splice(begin..end, new.into_bytes());
}

/// A line dropped, doubled or moved.
fn line(data: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    let (one, other) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one]),
        _ => lines.swap(one, other),
    }
    *data = lines.join(&b'\n');
}
