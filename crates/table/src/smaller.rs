//! Smaller tables, made from complete ones: results without distances, and chosen positions only.

use crate::values::{Code, DRAW, MAX_CODE, UNUSED};

/// The kind of a table that holds a result for every index, and no distances.
pub const OUTCOMES: &str = "outcomes 1";
/// The kind of a table that holds the values of some positions.
pub const CHOSEN: &str = "chosen 1";
/// The fields that the header of such a table has besides those of a complete one.
pub const FIELDS: [&str; 2] = ["entries", "coverage"];

/// A win of the side to move at an unknown distance.
pub const WON: Code = MAX_CODE + 2;
/// A loss of the side to move at an unknown distance.
pub const LOST: Code = MAX_CODE + 3;

/// Results in a byte: 3^5 = 243 combinations.
const PER_BYTE: usize = 5;
/// Entries in a block of a table of chosen positions.
pub const ENTRIES: usize = 1 << 13;

/// Encodes a block of results. An unused index repeats the result before it, which costs the least: no reader asks for
/// it.
#[must_use]
pub fn outcomes(codes: impl IntoIterator<Item = Code>) -> Vec<u8> {
    let (mut bytes, mut last, mut byte, mut at, mut weight) = (Vec::new(), 0, 0, 0, 1u8);
    for code in codes {
        last = match code {
            UNUSED => last,
            DRAW => 0,
            code if code % 2 == 0 => 1,
            _ => 2,
        };
        byte += last * weight;
        (weight, at) = (weight.wrapping_mul(3), at + 1);
        if at == PER_BYTE {
            bytes.push(byte);
            (byte, weight, at) = (0, 1, 0);
        }
    }
    if at > 0 {
        bytes.push(byte);
    }
    bytes
}

/// Decodes a block of results; `None` if it is malformed.
#[must_use]
pub fn read_outcomes(block: &[u8], indices: usize) -> Option<Vec<Code>> {
    if block.len() != indices.div_ceil(PER_BYTE) || block.iter().any(|&byte| byte >= 243) {
        return None;
    }
    let of_byte = |&byte: &u8| {
        let mut rest = byte;
        std::array::from_fn::<Code, PER_BYTE, _>(|_| {
            let digit = rest % 3;
            rest /= 3;
            [DRAW, WON, LOST][usize::from(digit)]
        })
    };
    let mut codes: Vec<Code> = block.iter().flat_map(of_byte).collect();
    codes.truncate(indices);
    Some(codes)
}

/// Encodes a block of chosen positions, sorted by index: for each the distance from the index before (from 0 for the
/// first of the block) as a number of 7 bits a byte, low bits first, and its code in the same way.
#[must_use]
pub fn chosen(entries: &[(u64, Code)]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    let put = |bytes: &mut Vec<u8>, mut number: u64| {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    };
    for &(index, code) in entries {
        put(&mut bytes, index - last);
        put(&mut bytes, u64::from(code));
        last = index;
    }
    bytes
}

/// Decodes and appends a block of chosen positions; returns false if it is malformed or not sorted.
#[must_use]
pub fn read_chosen(block: &[u8], entries: &mut Vec<(u64, Code)>) -> bool {
    let mut bytes = block.iter();
    let mut number = || -> Option<u64> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let &byte = bytes.next()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    };
    let mut last = 0u64;
    while let Some(step) = number() {
        let Some(code) = number().and_then(|code| Code::try_from(code).ok()) else { return false };
        let Some(index) = last.checked_add(step) else { return false };
        let sorted = entries.last().is_none_or(|&(before, _)| before < index);
        if !sorted || !(code <= MAX_CODE || code == WON || code == LOST) {
            return false;
        }
        entries.push((index, code));
        last = index;
    }
    block.last().is_none_or(|&byte| byte < 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_without_their_distances() {
        let codes = [DRAW, 2, 1, 30, 31, DRAW, MAX_CODE, UNUSED, DRAW, 7, 8];
        let block = outcomes(codes);
        assert_eq!(block.len(), 3);
        let back = read_outcomes(&block, codes.len()).unwrap();
        assert_eq!(back, [DRAW, WON, LOST, WON, LOST, DRAW, WON, WON, DRAW, LOST, WON]);
        assert!(read_outcomes(&block[..2], codes.len()).is_none());
        assert!(read_outcomes(&[243], 5).is_none() && read_outcomes(&[0, 0], 5).is_none());
    }

    #[test]
    fn chosen_positions_come_back_in_order() {
        let first = [(0, DRAW), (1, 5), (1 << 40, MAX_CODE), (u64::MAX >> 1, WON)];
        let mut back = Vec::new();
        assert!(read_chosen(&chosen(&first), &mut back) && back == first);
        // A block that begins before the last one ends, one that is cut off, and a code that is none.
        assert!(!read_chosen(&chosen(&[(3, DRAW)]), &mut back));
        assert!(!read_chosen(&[0x80], &mut Vec::new()) && !read_chosen(&[4], &mut Vec::new()));
        assert!(!read_chosen(&chosen(&[(3, UNUSED)]), &mut Vec::new()));
        assert!(read_chosen(&[], &mut Vec::new()));
    }
}
