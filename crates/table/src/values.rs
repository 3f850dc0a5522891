//! The values of a table, one byte each.

use crate::blocks::{BadFile, Reader};
use crate::smaller;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A value with its distance: [`DRAW`], [`UNUSED`], or plies until the end plus one. An odd number of plies is a win of
/// the side to move, an even one a loss.
pub type Code = u16;

/// A draw.
pub const DRAW: Code = 0;
/// The index is unused.
pub const UNUSED: Code = u16::MAX;
/// The greatest code of a distance: 29,999 plies.
pub const MAX_CODE: Code = 30_000;

/// The kind in the header of a file. The version changes whenever positions get other indices.
pub const KIND: &str = "values 2";

/// All fields of the header. `rules` is present only if the rules come from a file.
pub const FIELDS: [&str; 10] =
    ["kind", "game", "shard", "phase", "numbers", "totals", "classes", "blocked", "distances", "rules"];

/// Indices in a block of a file.
pub const BLOCK: u64 = 1 << 16;

/// The escape byte: the code follows after the bytes of the block.
const ESCAPE: u8 = 254;
/// The byte of [`UNUSED`].
const UNUSED_BYTE: u8 = 255;

/// The codes of a range of indices, in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    bytes: Vec<u8>,
    /// Codes that do not fit into a byte, sorted by index.
    escaped: Vec<(u64, Code)>,
}

impl Values {
    /// Empty values with room for `indices` codes.
    #[must_use]
    pub fn with_capacity(indices: usize) -> Values {
        Values { bytes: Vec::with_capacity(indices), escaped: Vec::new() }
    }

    /// Appends the code of the next index.
    pub fn push(&mut self, code: Code) {
        let byte = match code {
            UNUSED => UNUSED_BYTE,
            code if code < Code::from(ESCAPE) => code as u8,
            code => {
                self.escaped.push((self.bytes.len() as u64, code));
                ESCAPE
            }
        };
        self.bytes.push(byte);
    }

    /// The number of codes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether there are no codes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The code at an index; [`UNUSED`] beyond the end.
    #[inline]
    #[must_use]
    pub fn get(&self, index: u64) -> Code {
        match self.bytes.get(index as usize) {
            Some(&ESCAPE) => self.escaped_code(index),
            Some(&UNUSED_BYTE) | None => UNUSED,
            Some(&byte) => Code::from(byte),
        }
    }

    #[cold]
    fn escaped_code(&self, index: u64) -> Code {
        let found = self.escaped.binary_search_by_key(&index, |&(at, _)| at);
        found.map_or(UNUSED, |at| self.escaped[at].1)
    }

    /// Encodes a block of a file: the bytes, then the escaped codes in order.
    #[must_use]
    pub fn into_block(self) -> Vec<u8> {
        let mut block = self.bytes;
        self.escaped.iter().for_each(|(_, code)| block.extend(code.to_le_bytes()));
        block
    }

    /// Decodes and appends a block of `indices` codes; returns false if it is malformed.
    #[must_use]
    fn extend_from_block(&mut self, block: &[u8], indices: usize) -> bool {
        let Some((bytes, rest)) = block.split_at_checked(indices) else { return false };
        let begin = self.bytes.len() as u64;
        let mut codes = rest.chunks_exact(2).map(|pair| Code::from_le_bytes([pair[0], pair[1]]));
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == ESCAPE) {
            match codes.next().filter(|code| (Code::from(ESCAPE)..=MAX_CODE).contains(code)) {
                Some(code) => self.escaped.push((begin + at as u64, code)),
                None => return false,
            }
        }
        self.bytes.extend_from_slice(bytes);
        codes.next().is_none() && rest.len() % 2 == 0
    }
}

/// Blocks in the cache of a table: two megabytes, more than the moves of one position lead to.
const CACHED_BLOCKS: usize = 32;

/// One table on disk.
#[derive(Debug)]
pub struct Table {
    reader: Reader,
    size: u64,
    layout: Layout,
    cache: Mutex<Cache>,
}

/// What a table holds.
#[derive(Debug)]
enum Layout {
    /// A value with its distance for each index.
    Values,
    /// A result for each index.
    Outcomes,
    /// The values of some indices, read at the first question.
    Chosen(OnceLock<Vec<(u64, Code)>>),
}

/// The blocks read last, with their numbers, the latest at the end.
type Cache = VecDeque<(usize, Values)>;

impl Table {
    /// Opens a complete table, which has a value with its distance for each index.
    pub fn open(path: &Path) -> Result<Table, BadFile> {
        let table = Table::open_any(path)?;
        match table.layout {
            Layout::Values => Ok(table),
            _ => Err(table
                .reader
                .unsuitable("it is a smaller table, without all distances: use the one that it was made from")),
        }
    }

    /// Opens a table of any kind: complete, without distances, or with chosen positions only ([`smaller`]).
    pub fn open_any(path: &Path) -> Result<Table, BadFile> {
        let reader = Reader::open(path)?;
        let size: u64 = reader.expect("numbers")?;
        let layout = match reader.field("kind") {
            Some("values") => {
                return Err(
                    reader.corrupt("an earlier version wrote it, which indexed positions differently: solve it again")
                );
            }
            Some(KIND) => Layout::Values,
            Some(smaller::OUTCOMES) => Layout::Outcomes,
            Some(smaller::CHOSEN) => Layout::Chosen(OnceLock::new()),
            _ => return Err(reader.corrupt("it does not hold the values it names")),
        };
        let blocks = match layout {
            Layout::Chosen(_) => reader.expect::<u64>("entries")?.div_ceil(smaller::ENTRIES as u64),
            _ => size.div_ceil(BLOCK),
        };
        if blocks != reader.blocks() as u64 {
            return Err(reader.corrupt("it does not hold the values it names"));
        }
        match layout {
            Layout::Values => reader.only(&FIELDS)?,
            _ => reader.only(&[&FIELDS[..], &smaller::FIELDS[..]].concat())?,
        }
        Ok(Table { reader, size, layout, cache: Mutex::default() })
    }

    /// Returns whether the table has a value with its distance for each index.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.layout, Layout::Values)
    }

    /// The file.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The number of indices, used or not.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The code at an index; reads its block unless it is cached. In a table of chosen positions, all others are
    /// [`UNUSED`]; in a table without distances, an unused index has some result.
    pub fn get(&self, index: u64) -> Result<Code, BadFile> {
        if index >= self.size {
            return Ok(UNUSED);
        }
        if let Layout::Chosen(entries) = &self.layout {
            let entries = match entries.get() {
                Some(entries) => entries,
                None => {
                    let read = self.chosen()?;
                    entries.get_or_init(|| read)
                }
            };
            let found = entries.binary_search_by_key(&index, |&(at, _)| at);
            return Ok(found.map_or(UNUSED, |at| entries[at].1));
        }
        let (number, at) = ((index / BLOCK) as usize, index % BLOCK);
        if let Some(code) = self.cache().iter().rfind(|(block, _)| *block == number).map(|(_, values)| values.get(at)) {
            return Ok(code);
        }
        // The lock is not held while the block is read.
        let mut values = Values::default();
        self.append(number, &mut values)?;
        let code = values.get(at);
        let mut cache = self.cache();
        if cache.len() == CACHED_BLOCKS {
            cache.pop_front();
        }
        cache.push_back((number, values));
        Ok(code)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, number: usize, values: &mut Values) -> Result<(), BadFile> {
        let size = BLOCK.min(self.size - number as u64 * BLOCK) as usize;
        let block = self.reader.block(number)?;
        let fits = match self.layout {
            Layout::Values => values.extend_from_block(&block, size),
            _ => smaller::read_outcomes(&block, size)
                .map(|codes| codes.into_iter().for_each(|code| values.push(code)))
                .is_some(),
        };
        if fits { Ok(()) } else { Err(self.reader.corrupt(&format!("block {number} does not hold values"))) }
    }

    /// All chosen positions with their codes, sorted by index.
    pub fn chosen(&self) -> Result<Vec<(u64, Code)>, BadFile> {
        let mut entries = Vec::new();
        for number in 0..self.reader.blocks() {
            if !smaller::read_chosen(&self.reader.block(number)?, &mut entries) {
                return Err(self.reader.corrupt(&format!("block {number} does not hold values")));
            }
        }
        let fits = entries.len() as u64 == self.reader.expect::<u64>("entries")?
            && entries.last().is_none_or(|&(last, _)| last < self.size);
        if fits { Ok(entries) } else { Err(self.reader.corrupt("it does not hold the values it names")) }
    }

    /// Reads all values of a complete table into memory.
    pub fn load(&self) -> Result<Values, BadFile> {
        let mut values = Values::with_capacity(self.size as usize);
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
    fn a_header_with_an_unknown_field_is_refused() {
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
        for block in [&[ESCAPE, 0][..], &[1, 0, 9], &[ESCAPE, 0, 3, 0], &[1, 1, 7, 7]] {
            assert!(!Values::default().extend_from_block(block, 2));
        }
        assert!(Values::default().extend_from_block(&[ESCAPE, 0, 44, 1], 2));
    }

    #[test]
    fn a_distance_that_is_too_long_to_be_a_value_is_refused() {
        let with = |code: Code| {
            let [low, high] = code.to_le_bytes();
            Values::default().extend_from_block(&[ESCAPE, low, high], 1)
        };
        assert!(with(254) && with(MAX_CODE));
        for code in [253, MAX_CODE + 1, 32_001, 32_768, UNUSED - 1, UNUSED] {
            assert!(!with(code), "{code}");
        }
    }
}
