//! The values of a table: a byte each.

use crate::blocks::{BadFile, Reader};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// Value and distance: [`DRAW`], [`UNUSED`], or plies until the end plus one. An odd number of plies is a
/// win of the side to move, an even one a loss.
pub type Code = u16;

/// A draw.
pub const DRAW: Code = 0;
/// No position has this number.
pub const UNUSED: Code = u16::MAX;
/// No distance is longer than this code says: 29,999 plies.
pub const LARGEST: Code = 30_000;

/// What the head of a file says that it is; another number where positions get other ones.
pub const KIND: &str = "values 2";

/// Every field that the head of a file can have; `rules` only where they come from a file.
pub const FIELDS: [&str; 10] =
    ["kind", "game", "shard", "phase", "numbers", "totals", "classes", "blocked", "distances", "rules"];

/// Numbers in a block of a file.
pub const BLOCK: u64 = 1 << 16;

/// A byte that says: the code stands after the bytes of the block.
const LONG: u8 = 254;
const NOTHING: u8 = 255;

/// The codes of a stretch of numbers, in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    bytes: Vec<u8>,
    /// Codes that do not fit into a byte, by number.
    long: Vec<(u64, Code)>,
}

impl Values {
    /// Room for that many numbers.
    #[must_use]
    pub fn with_capacity(numbers: usize) -> Values {
        Values { bytes: Vec::with_capacity(numbers), long: Vec::new() }
    }

    /// Adds the next number.
    pub fn push(&mut self, code: Code) {
        let byte = match code {
            UNUSED => NOTHING,
            code if code < Code::from(LONG) => code as u8,
            code => {
                self.long.push((self.bytes.len() as u64, code));
                LONG
            }
        };
        self.bytes.push(byte);
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The code of a number; [`UNUSED`] beyond the end.
    #[inline]
    #[must_use]
    pub fn get(&self, index: u64) -> Code {
        match self.bytes.get(index as usize) {
            Some(&LONG) => self.long_code(index),
            Some(&NOTHING) | None => UNUSED,
            Some(&byte) => Code::from(byte),
        }
    }

    #[cold]
    fn long_code(&self, index: u64) -> Code {
        let found = self.long.binary_search_by_key(&index, |&(at, _)| at);
        found.map_or(UNUSED, |at| self.long[at].1)
    }

    /// As a block of a file: the bytes, then the long codes in order.
    #[must_use]
    pub fn into_block(self) -> Vec<u8> {
        let mut block = self.bytes;
        self.long.iter().for_each(|(_, code)| block.extend(code.to_le_bytes()));
        block
    }

    /// Adds a block of a file with that many numbers; false when it is not one.
    #[must_use]
    fn extend_from_block(&mut self, block: &[u8], numbers: usize) -> bool {
        let Some((bytes, rest)) = block.split_at_checked(numbers) else { return false };
        let begin = self.bytes.len() as u64;
        let mut codes = rest.chunks_exact(2).map(|pair| Code::from_le_bytes([pair[0], pair[1]]));
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == LONG) {
            match codes.next().filter(|code| (Code::from(LONG)..=LARGEST).contains(code)) {
                Some(code) => self.long.push((begin + at as u64, code)),
                None => return false,
            }
        }
        self.bytes.extend_from_slice(bytes);
        codes.next().is_none() && rest.len() % 2 == 0
    }
}

/// Blocks kept for the next question: two megabytes, more than the moves of one position lead to.
const KEPT: usize = 32;

/// One table on disk.
#[derive(Debug)]
pub struct Table {
    reader: Reader,
    numbers: u64,
    kept: Mutex<Kept>,
}

/// The blocks read last, by number, the latest at the end.
type Kept = VecDeque<(usize, Values)>;

impl Table {
    /// Opens a table.
    pub fn open(path: &Path) -> Result<Table, BadFile> {
        let reader = Reader::open(path)?;
        let numbers: u64 = reader.expect("numbers")?;
        if reader.field("kind") == Some("values") {
            return Err(
                reader.corrupt("an earlier version wrote it, which numbered positions otherwise: solve it again")
            );
        }
        if reader.field("kind") != Some(KIND) || numbers.div_ceil(BLOCK) != reader.blocks() as u64 {
            return Err(reader.corrupt("it does not hold the values it names"));
        }
        reader.only(&FIELDS)?;
        Ok(Table { reader, numbers, kept: Mutex::default() })
    }

    /// The file.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// How many numbers it has.
    #[must_use]
    pub fn numbers(&self) -> u64 {
        self.numbers
    }

    /// The code of a number, reading one block if need be.
    pub fn get(&self, index: u64) -> Result<Code, BadFile> {
        if index >= self.numbers {
            return Ok(UNUSED);
        }
        let (number, at) = ((index / BLOCK) as usize, index % BLOCK);
        if let Some(code) = self.kept()?.iter().rfind(|(block, _)| *block == number).map(|(_, values)| values.get(at)) {
            return Ok(code);
        }
        // Others may ask while this block is read.
        let mut values = Values::default();
        self.append(number, &mut values)?;
        let code = values.get(at);
        let mut kept = self.kept()?;
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((number, values));
        Ok(code)
    }

    fn kept(&self) -> Result<MutexGuard<'_, Kept>, BadFile> {
        self.kept.lock().map_err(|_| BadFile::Io("a reader failed".into()))
    }

    fn append(&self, number: usize, values: &mut Values) -> Result<(), BadFile> {
        let size = BLOCK.min(self.numbers - number as u64 * BLOCK) as usize;
        let block = self.reader.block(number)?;
        let fits = values.extend_from_block(&block, size);
        if fits { Ok(()) } else { Err(self.reader.corrupt(&format!("block {number} does not hold values"))) }
    }

    /// All values, read into memory.
    pub fn load(&self) -> Result<Values, BadFile> {
        let mut values = Values::with_capacity(self.numbers as usize);
        (0..self.reader.blocks()).try_for_each(|number| self.append(number, &mut values))?;
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Writer;

    #[test]
    fn long_distances_survive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.agt");
        let code = |i: u64| match i % 5 {
            0 => DRAW,
            1 => UNUSED,
            2 => (i % 253) as Code,
            3 => 253 + (i % 3) as Code,
            _ => 254 + (i % 500) as Code,
        };
        let numbers = BLOCK * 2 + 77;
        let mut blocks = Vec::new();
        for begin in (0..numbers).step_by(BLOCK as usize) {
            let mut values = Values::default();
            (begin..numbers.min(begin + BLOCK)).for_each(|i| values.push(code(i)));
            blocks.push(values.into_block());
        }
        let fields = [("kind", KIND.to_string()), ("numbers", numbers.to_string())];
        let mut writer = Writer::create(&path, &fields).unwrap();
        writer.add(&blocks, 2).unwrap();
        writer.finish().unwrap();
        let table = Table::open(&path).unwrap();
        let loaded = table.load().unwrap();
        for i in (0..numbers).chain([3, 70_000]) {
            assert_eq!((loaded.get(i), table.get(i)), (code(i), Ok(code(i))), "{i}");
        }
        assert_eq!((loaded.get(numbers), table.get(numbers)), (UNUSED, Ok(UNUSED)));
    }

    #[test]
    fn a_head_with_a_field_that_means_nothing_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.agt");
        for (key, numbers, why) in
            [("phase", "0", ""), ("colour", "0", "unknown field `colour`"), ("phase", "00", "`numbers 00`")]
        {
            let fields = [("kind", KIND.to_string()), ("numbers", numbers.to_string()), (key, "moving".to_string())];
            Writer::create(&path, &fields).unwrap().finish().unwrap();
            let said = Table::open(&path).err().map(|bad| bad.to_string()).unwrap_or_default();
            assert!(said.is_empty() == why.is_empty() && said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_block_with_too_many_or_too_few_long_codes_is_refused() {
        for block in [&[LONG, 0][..], &[1, 0, 9], &[LONG, 0, 3, 0], &[1, 1, 7, 7]] {
            assert!(!Values::default().extend_from_block(block, 2));
        }
        assert!(Values::default().extend_from_block(&[LONG, 0, 44, 1], 2));
    }

    #[test]
    fn a_distance_that_is_too_long_to_be_a_value_is_refused() {
        let with = |code: Code| {
            let [low, high] = code.to_le_bytes();
            Values::default().extend_from_block(&[LONG, low, high], 1)
        };
        assert!(with(254) && with(LARGEST));
        for code in [253, LARGEST + 1, 32_001, 32_768, UNUSED - 1, UNUSED] {
            assert!(!with(code), "{code}");
        }
    }
}
