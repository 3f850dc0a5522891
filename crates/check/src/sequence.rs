//! Files of nim-sequences, and their check by the definition alone. `docs/formats.md` describes the format.
//!
//! A file grows by blocks with hashes, so an interrupted writer loses at most its last block.

use crate::format::Corrupt;
use agon_core::{Code, Ctx, Stop};

/// The first bytes of every such file.
pub const MAGIC: &[u8] = b"agon-grundy 1\n";
/// The most values in a block.
const MAX_BLOCK: usize = 1 << 20;
/// The most values in a block of zero bits a value, so that a few bytes cannot encode a million values.
const MAX_ZERO_BIT_BLOCK: usize = 1 << 12;
/// The most values in a file.
pub const MAX_VALUES: usize = 1 << 30;
/// Bytes of a hash.
const HASH: usize = 32;

/// Writes blocks, each with a hash of itself and everything before it.
#[derive(Clone, Debug)]
pub struct Writer {
    hash: [u8; HASH],
}

impl Writer {
    /// The writer of a new file, and the first bytes of the file.
    #[must_use]
    pub fn new(code: &Code) -> (Writer, Vec<u8>) {
        let head = [MAGIC, format!("code {code}\n\n").as_bytes()].concat();
        (Writer { hash: *blake3::hash(&head).as_bytes() }, head)
    }

    /// The bytes to append for the next values.
    pub fn append(&mut self, values: &[u32]) -> Vec<u8> {
        values.chunks(MAX_BLOCK).flat_map(|values| self.block(values)).collect()
    }

    fn block(&mut self, values: &[u32]) -> Vec<u8> {
        let least = u32::from(values.len() > MAX_ZERO_BIT_BLOCK);
        let bits = (32 - values.iter().fold(0, |all, v| all | v).leading_zeros()).max(least);
        let mut block = (values.len() as u32).to_le_bytes().to_vec();
        block.push(bits as u8);
        let (mut held, mut word) = (0, 0u64);
        for &value in values {
            word |= u64::from(value) << held;
            held += bits;
            while held >= 8 {
                block.push(word as u8);
                word >>= 8;
                held -= 8;
            }
        }
        if held > 0 {
            block.push(word as u8);
        }
        self.hash = chained_hash(&self.hash, &block);
        block.extend_from_slice(&self.hash);
        block
    }
}

/// The hash of a block and of all blocks before it. A sealed text (`agon_table::sealed`) is hashed as a whole; this file
/// grows for days and is read up to its last complete block.
fn chained_hash(before: &[u8; HASH], block: &[u8]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(block);
    *hasher.finalize().as_bytes()
}

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The code.
    pub code: Code,
    /// `G(0), G(1), …`
    pub values: Vec<u32>,
    /// The length in bytes up to the end of the last complete block. Anything after it is an interrupted write.
    pub whole: usize,
    /// A writer that continues after the last complete block.
    pub writer: Writer,
}

/// Reads a file. It ignores an incomplete last block; any other deviation is corruption.
pub fn read(bytes: &[u8]) -> Result<Sequence, Corrupt> {
    let wrong = |why: String| Corrupt(why);
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("the first line must be `agon-grundy 1`".into()))?;
    let end = rest.windows(2).take(8192).position(|pair| pair == b"\n\n");
    let line = end.and_then(|end| std::str::from_utf8(&rest[..end]).ok()).and_then(|line| line.strip_prefix("code "));
    let line = line.ok_or_else(|| wrong("the second line must be `code CODE`, then an empty line".into()))?;
    let code: Code = line.parse().map_err(|error| wrong(format!("{error}")))?;
    let (mut writer, head) = Writer::new(&code);
    if !bytes.starts_with(&head) {
        return Err(wrong(format!("the code should be spelled {code}")));
    }
    let (mut values, mut at) = (Vec::new(), head.len());
    while let Some((block, end)) = next_block(bytes, at)? {
        let hash = chained_hash(&writer.hash, &bytes[at..end - HASH]);
        if hash != bytes[end - HASH..end] {
            return Err(wrong(format!("the hash of the block at byte {at} does not match: the file is damaged")));
        }
        writer.hash = hash;
        if values.len() + block.len() > MAX_VALUES {
            return Err(wrong(format!("it holds more than {MAX_VALUES} values")));
        }
        values.extend(block);
        at = end;
    }
    if values.first().is_some_and(|&first| first != 0) {
        return Err(wrong("the first value must be G(0) = 0".into()));
    }
    Ok(Sequence { code, values, whole: at, writer })
}

/// The values of the block at `at`, and its end; `None` if the block is incomplete.
fn next_block(bytes: &[u8], at: usize) -> Result<Option<(Vec<u32>, usize)>, Corrupt> {
    let Some(head) = bytes.get(at..at + 5) else { return Ok(None) };
    let count = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    let bits = u32::from(head[4]);
    let most = if bits == 0 { MAX_ZERO_BIT_BLOCK } else { MAX_BLOCK };
    if count == 0 || count > most || bits > 32 {
        return Err(Corrupt(format!("the block at byte {at} has an impossible header: the file is damaged")));
    }
    let end = at + 5 + (count * bits as usize).div_ceil(8) + HASH;
    let Some(packed) = bytes.get(at + 5..end).map(|all| &all[..all.len() - HASH]) else { return Ok(None) };
    let (mut values, mut held, mut word, mut next) = (Vec::with_capacity(count), 0, 0u64, packed.iter());
    for _ in 0..count {
        while held < bits {
            word |= u64::from(*next.next().expect("as many bytes as the count needs")) << held;
            held += 8;
        }
        values.push((word & ((1 << bits) - 1)) as u32);
        word >>= bits;
        held -= bits;
    }
    Ok(Some((values, end)))
}

/// The BLAKE3 hash of the values as little-endian 16-bit integers, or 32-bit ones if one does not fit.
pub fn fingerprint(values: impl Iterator<Item = u32> + Clone) -> String {
    let wide = values.clone().any(|v| v > u32::from(u16::MAX));
    let mut hasher = blake3::Hasher::new();
    let mut buffer = Vec::with_capacity(1 << 16);
    for value in values {
        buffer.extend_from_slice(&value.to_le_bytes()[..if wide { 4 } else { 2 }]);
        if buffer.len() >= 1 << 16 {
            hasher.update(&buffer);
            buffer.clear();
        }
    }
    hasher.update(&buffer);
    hasher.finalize().to_hex().to_string()
}

/// A value that the definition contradicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The heap.
    pub n: usize,
    /// Its value in the file.
    pub stated: u32,
    /// The mex of its options, given the smaller heaps of the file.
    pub derived: u32,
}

/// Checks the values of the given heaps against those of all smaller ones, by the definition. If every heap is checked,
/// the whole sequence is proven.
pub fn derive(
    code: &Code,
    values: &[u32],
    heaps: impl Iterator<Item = usize>,
    ctx: &Ctx,
) -> Result<Option<Wrong>, Stop> {
    let takes = [0, 1, 2, 3].map(|left| code.takes(left));
    let mut seen = Vec::new();
    for (done, n) in heaps.enumerate() {
        ctx.check()?;
        ctx.progress("checking heaps", done as u64, None);
        let derived = mex(code.unequal(), &takes, &values[..n], &mut seen);
        if derived != values[n] {
            return Ok(Some(Wrong { n, stated: values[n], derived }));
        }
    }
    Ok(None)
}

fn mex(unequal: bool, takes: &[Vec<usize>; 4], g: &[u32], seen: &mut Vec<bool>) -> u32 {
    let n = g.len();
    seen.clear();
    // Every option is below a power of two above the largest value of a smaller heap; and there are no more different
    // ones than options, however large the values of the file are. The mex is at most either.
    let largest = (g.iter().copied().max().unwrap_or(0) as usize + 1).next_power_of_two();
    let pairs = takes[2].len().saturating_mul(n);
    let triples = takes[3].len().saturating_mul(n).saturating_mul(n);
    let options = 1 + takes[1].len().saturating_add(pairs).saturating_add(triples);
    seen.resize(largest.min(options), false);
    let mut note = |option: u32| {
        if let Some(slot) = seen.get_mut(option as usize) {
            *slot = true;
        }
    };
    if n > 0 && takes[0].contains(&n) {
        note(0);
    }
    for &i in takes[1].iter().filter(|&&i| i < n) {
        note(g[n - i]);
    }
    for &i in takes[2].iter().filter(|&&i| i < n) {
        let m = n - i;
        for a in (1..=m / 2).filter(|a| !(unequal && 2 * a == m)) {
            note(g[a] ^ g[m - a]);
        }
    }
    for &i in takes[3].iter().filter(|&&i| i < n) {
        let m = n - i;
        for a in 1..=m / 3 {
            for b in a..=(m - a) / 2 {
                note(g[a] ^ g[b] ^ g[m - a - b]);
            }
        }
    }
    seen.iter().position(|&s| !s).unwrap_or(seen.len()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const KAYLES: [u32; 24] = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7];

    fn file() -> Vec<u8> {
        let (mut writer, mut bytes) = Writer::new(&"kayles".parse().expect("a code"));
        bytes.extend(writer.append(&KAYLES[..10]));
        bytes.extend(writer.append(&KAYLES[10..]));
        bytes
    }

    #[test]
    fn what_is_written_can_be_read() {
        let bytes = file();
        let read = read(&bytes).expect("a sound file");
        assert_eq!((read.values.as_slice(), read.whole), (KAYLES.as_slice(), bytes.len()));
        assert_eq!(read.code.to_string(), "0.77");
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_blocks_and_can_be_resumed() {
        let bytes = file();
        for end in MAGIC.len() + 11..bytes.len() {
            let mut cut = read(&bytes[..end]).expect("a cut file");
            assert!([0, 10].contains(&cut.values.len()), "cut at {end}");
            let mut again = bytes[..cut.whole].to_vec();
            again.extend(cut.writer.append(&KAYLES[cut.values.len()..]));
            assert_eq!(read(&again).expect("a repaired file").values, KAYLES);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let bytes = file();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let noticed =
                read(&damaged).map_or(true, |read| read.values.len() < KAYLES.len() || read.whole < bytes.len());
            assert!(noticed, "byte {at}");
        }
    }

    #[test]
    fn a_few_bytes_do_not_stand_for_a_million_values() {
        let code: Code = "0.1".parse().expect("a code");
        let zeros = vec![0; 3 * MAX_ZERO_BIT_BLOCK];
        let (mut writer, head) = Writer::new(&code);
        let bytes = [head.clone(), writer.append(&zeros)].concat();
        assert!(bytes.len() > zeros.len() / 8);
        assert_eq!(read(&bytes).expect("a sound file").values, zeros);
        // The same without any bits, with a correct hash.
        let (writer, _) = Writer::new(&code);
        let block = [&(zeros.len() as u32).to_le_bytes()[..], &[0]].concat();
        let forged = [head, block.clone(), chained_hash(&writer.hash, &block).to_vec()].concat();
        assert!(read(&forged).is_err());
    }

    #[test]
    fn the_definition_finds_a_wrong_value() {
        let code: Code = "kayles".parse().expect("a code");
        assert_eq!(derive(&code, &KAYLES, 0..24, &Ctx::default()), Ok(None));
        let mut wrong = KAYLES;
        wrong[11] = 5;
        let found = Wrong { n: 11, stated: 5, derived: 6 };
        assert_eq!(derive(&code, &wrong, 0..24, &Ctx::default()), Ok(Some(found)));
    }
}
