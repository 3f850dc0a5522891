//! Files of Grundy values: the check by the definition against values computed here, for many codes.

use agon_check::sequence::{MAX_VALUES, Writer, Wrong, derive, fingerprint, read};
use agon_core::{Code, Ctx};
use std::collections::BTreeSet;

/// Values by the definition: every way to take from a heap and to leave at most three heaps.
fn values(digits: &[u8], unequal: bool, most: usize) -> Vec<u32> {
    let mut g: Vec<u32> = vec![0];
    for n in 1..=most {
        let mut options = BTreeSet::new();
        for (take, digit) in digits.iter().enumerate().filter(|(take, _)| *take <= n) {
            let left = n - take;
            if digit & 1 == 1 && left == 0 {
                options.insert(0);
            }
            if digit & 2 == 2 && left > 0 && take > 0 {
                options.insert(g[left]);
            }
            for a in 1..left {
                if digit & 4 == 4 && !(unequal && 2 * a == left) {
                    options.insert(g[a] ^ g[left - a]);
                }
                for b in 1..left - a {
                    if digit & 8 == 8 {
                        options.insert(g[a] ^ g[b] ^ g[left - a - b]);
                    }
                }
            }
        }
        g.push((0..).find(|value| !options.contains(value)).expect("a smallest number"));
    }
    g
}

const CODES: [(&str, &[u8], bool); 9] = [
    ("0.77", &[0, 7, 7], false),
    ("0.137", &[0, 1, 3, 7], false),
    ("0.007", &[0, 0, 0, 7], false),
    ("grundy", &[4], true),
    ("4.3", &[4, 3], false),
    ("0.8", &[0, 8], false),
    ("0.fe", &[0, 15, 14], false),
    ("8.9", &[8, 9], false),
    ("0.333", &[0, 3, 3, 3], false),
];

#[test]
fn the_definition_accepts_true_values_and_no_others() {
    let ctx = Ctx::default();
    for (name, digits, unequal) in CODES {
        let code: Code = name.parse().expect("a code");
        let right = values(digits, unequal, 40);
        assert_eq!(derive(&code, &right, 0..41, &ctx), Ok(None), "{name}");
        for n in 1..41 {
            for stated in [right[n] + 1, right[n] ^ 3, 1000] {
                let mut wrong = right.clone();
                wrong[n] = stated;
                let found = Wrong { n, stated, derived: right[n] };
                assert_eq!(derive(&code, &wrong, [n].into_iter(), &ctx), Ok(Some(found)), "{name}");
            }
        }
    }
}

#[test]
fn the_values_of_every_code_of_two_digits_are_derived() {
    for digits in 1..256 {
        let (one, two) = (digits >> 4, digits & 15);
        let name = format!("0.{one:x}{two:x}");
        let code: Code = name.parse().expect("a code");
        let right = values(&[0, one as u8, two as u8], false, 30);
        assert_eq!(derive(&code, &right, 0..31, &Ctx::default()), Ok(None), "{name}");
    }
}

#[test]
fn what_is_written_can_be_read_whatever_its_width() {
    let code: Code = "0.77".parse().expect("a code");
    for width in 0..=32u32 {
        let value = |n: u32| if n == 0 { 0 } else { n.wrapping_mul(0x9e37_79b9).checked_shr(32 - width).unwrap_or(0) };
        let all: Vec<u32> = (0..100).map(value).collect();
        let (mut writer, mut bytes) = Writer::new(&code);
        for part in [&all[..1], &all[1..8], &all[8..]] {
            bytes.extend(writer.append(part));
        }
        let found = read(&bytes).expect("a file");
        assert_eq!((found.values, found.whole, found.code), (all, bytes.len(), code.clone()), "{width} bits");
    }
}

#[test]
fn a_long_sequence_is_cut_into_blocks() {
    let code: Code = "0.77".parse().expect("a code");
    let all: Vec<u32> = (0..(2 << 20) + 5).map(|n| n % 2).collect();
    let (mut writer, mut bytes) = Writer::new(&code);
    bytes.extend(writer.append(&all));
    assert_eq!(read(&bytes).expect("a file").values, all);
    assert_eq!(MAX_VALUES, 1 << 30);
}

#[test]
fn zeros_need_no_bits_up_to_4096_of_them() {
    let (mut writer, head) = Writer::new(&"0.77".parse().expect("a code"));
    let zeros = writer.append(&[0; 4096]);
    assert_eq!(zeros.len(), 5 + 32);
    assert_eq!(writer.append(&[0; 4097]).len(), 5 + 4097usize.div_ceil(8) + 32);
    assert_eq!(read(&[head, zeros].concat()).expect("a file").values, [0; 4096]);
}

#[test]
fn a_file_that_is_no_sequence_says_why() {
    let why = |bytes: &[u8]| read(bytes).map(drop).expect_err("no sequence").to_string();
    assert!(why(b"agon-grundy 2\n").contains("the first line must be"));
    assert!(why(b"agon-grundy 1\ncode 0.77\n").contains("the second line must be"));
    assert!(why(b"agon-grundy 1\ncode kayles\n\n").contains("the code should be spelled 0.77"));
    assert!(why(b"agon-grundy 1\ncode xyz\n\n").contains("xyz"));
    let (mut writer, head) = Writer::new(&"0.77".parse().expect("a code"));
    assert!(why(&[&head[..], &writer.append(&[1])].concat()).contains("G(0) = 0"));
    // A block without values, one that is too large, and one with numbers that are too wide.
    for (count, bits) in [(0, 1), ((1 << 20) + 1, 1), (1, 33)] {
        let block = [&head[..], &u32::to_le_bytes(count), &[bits]].concat();
        assert!(why(&block).contains("impossible header"), "{count} {bits}");
    }
    let short = [&head[..], &u32::to_le_bytes(1 << 20), &[32]].concat();
    assert_eq!(read(&short).expect("a file that was cut").whole, head.len());
}

#[test]
fn a_fingerprint_is_the_hash_of_the_values() {
    let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    let narrow: Vec<u32> = (0..100_000).map(|n| n % 65_536).collect();
    let bytes: Vec<u8> = narrow.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect();
    assert_eq!(fingerprint(narrow.iter().copied()), hash(&bytes));
    let wide: Vec<u32> = narrow.iter().map(|value| value + 1).collect();
    let bytes: Vec<u8> = wide.iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(fingerprint(wide.iter().copied()), hash(&bytes));
}
