//! Files of blocks: a readable header, compressed blocks, an index of their sizes and checksums, and a trailer that
//! marks the file as complete.

use crate::regular;
use crate::temporary::Temporary;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The first line of a file: the format and its version.
const FIRST_LINE: &str = "agon-table 1";
/// The last bytes of a complete file.
const END_MARK: &[u8; 8] = b"agon-end";
/// Bytes of the trailer: offset of the index, number of blocks, checksum of header and index, end mark.
const TRAILER: usize = 8 + 8 + 32 + 8;
/// Bytes of an index entry: compressed size, size, the first half of the checksum.
const ENTRY: usize = 4 + 4 + 16;
/// The most bytes of a header, of an index, or of a block.
const MAX_SECTION: u64 = 1 << 26;
/// The zstd level: fast enough to keep up with the disk, and nearly as small as slower levels.
const LEVEL: i32 = 3;
/// The zstd level for files that are written often and read once.
const FAST_LEVEL: i32 = 1;

/// The reason why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadFile {
    /// It cannot be read, written or used.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The attempt, as a verb: `read`, `write` or `use`.
        doing: &'static str,
        /// The fault.
        why: String,
    },
    /// The contents are not what was written.
    Damaged {
        /// The file, or the directory of files.
        path: PathBuf,
        /// The fault.
        why: String,
    },
}

impl BadFile {
    /// A file that is not what it should be.
    pub fn damaged(path: &Path, why: impl Into<String>) -> BadFile {
        BadFile::Damaged { path: path.to_path_buf(), why: why.into() }
    }

    /// A file that cannot be read, written or used; `doing` is the verb.
    pub fn io(path: &Path, doing: &'static str, why: impl ToString) -> BadFile {
        BadFile::Io { path: path.to_path_buf(), doing, why: why.to_string() }
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFile::Io { path, doing, why } => write!(f, "cannot {doing} `{}`: {why}", path.display()),
            BadFile::Damaged { path, why } => write!(f, "`{}`: {why}", path.display()),
        }
    }
}

impl std::error::Error for BadFile {}

fn damaged(path: &Path, why: &str) -> BadFile {
    BadFile::damaged(path, format!("the file is damaged: {why}"))
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    packed: u32,
    size: u32,
    sum: [u8; 16],
}

fn sum(bytes: &[u8]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    short
}

/// Writes a temporary file and renames it into place when it is complete.
pub struct Writer {
    file: BufWriter<File>,
    path: PathBuf,
    temporary: Temporary,
    header: Vec<u8>,
    entries: Vec<Entry>,
    offset: u64,
    level: i32,
    hasher: blake3::Hasher,
}

/// A file that is complete and on the disk, and does not have its name yet.
pub struct Complete {
    path: PathBuf,
    temporary: Temporary,
    /// The blake3 hash of the whole file.
    pub hash: blake3::Hash,
    /// The size of the file.
    pub bytes: u64,
}

impl Complete {
    /// Renames the file into place.
    pub fn place(self) -> Result<(), BadFile> {
        self.temporary.place(&self.path).map_err(|error| BadFile::io(&self.path, "write", error))
    }
}

impl Writer {
    /// Starts a file with these header fields. Keys and values contain no line breaks, and keys no spaces.
    pub fn create(path: &Path, fields: &[(&str, String)]) -> Result<Writer, BadFile> {
        let mut header = format!("{FIRST_LINE}\n");
        for (key, value) in fields {
            assert!(!key.contains([' ', '\n']) && !value.contains('\n'), "fields are one line each");
            header.push_str(&format!("{key} {value}\n"));
        }
        header.push('\n');
        let (file, temporary) = Temporary::beside(path).map_err(|error| BadFile::io(path, "write", error))?;
        let mut writer = Writer {
            file: BufWriter::with_capacity(1 << 20, file),
            path: path.to_path_buf(),
            temporary,
            offset: header.len() as u64,
            header: header.into_bytes(),
            entries: Vec::new(),
            level: LEVEL,
            hasher: blake3::Hasher::new(),
        };
        let header = std::mem::take(&mut writer.header);
        writer.put(&header)?;
        writer.header = header;
        Ok(writer)
    }

    /// Compresses faster and less.
    #[must_use]
    pub fn fast(mut self) -> Writer {
        self.level = FAST_LEVEL;
        self
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), BadFile> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(|error| BadFile::io(&self.path, "write", error))
    }

    /// Compresses blocks on `threads` threads and appends them.
    pub fn add(&mut self, blocks: &[Vec<u8>], threads: usize) -> Result<(), BadFile> {
        let packed = pack(blocks, threads, self.level);
        for (block, packed) in blocks.iter().zip(packed) {
            let packed = packed.map_err(|error| BadFile::io(&self.path, "compress for", error))?;
            let entry = Entry { packed: packed.len() as u32, size: block.len() as u32, sum: sum(&packed) };
            self.put(&packed)?;
            self.offset += packed.len() as u64;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Completes the file, syncs it to the disk, and renames it into place. Returns its size in bytes.
    pub fn finish(self) -> Result<u64, BadFile> {
        let complete = self.complete()?;
        let bytes = complete.bytes;
        complete.place()?;
        Ok(bytes)
    }

    /// Completes the file and syncs it to the disk; [`Complete::place`] gives it its name.
    pub fn complete(mut self) -> Result<Complete, BadFile> {
        let mut index = Vec::with_capacity(self.entries.len() * ENTRY);
        for entry in &self.entries {
            index.extend(entry.packed.to_le_bytes());
            index.extend(entry.size.to_le_bytes());
            index.extend(entry.sum);
        }
        let trailer = trailer(&self.header, &index, self.offset, self.entries.len() as u64);
        self.put(&index)?;
        self.put(&trailer)?;
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| BadFile::io(&self.path, "write", error))?;
        let bytes = self.offset + (index.len() + TRAILER) as u64;
        Ok(Complete { path: self.path, temporary: self.temporary, hash: self.hasher.finalize(), bytes })
    }
}

fn trailer(header: &[u8], index: &[u8], offset: u64, blocks: u64) -> Vec<u8> {
    let mut trailer = Vec::with_capacity(TRAILER);
    trailer.extend(offset.to_le_bytes());
    trailer.extend(blocks.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(header).update(index).update(&trailer);
    trailer.extend(hasher.finalize().as_bytes());
    trailer.extend(END_MARK);
    trailer
}

fn pack(blocks: &[Vec<u8>], threads: usize, level: i32) -> Vec<std::io::Result<Vec<u8>>> {
    let one = |block: &Vec<u8>| zstd::bulk::compress(block, level);
    if threads < 2 || blocks.len() < 2 {
        return blocks.iter().map(one).collect();
    }
    let share = blocks.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let work = |share: &'_ [Vec<u8>]| share.iter().map(one).collect::<Vec<_>>();
        let jobs: Vec<_> = blocks.chunks(share).map(|share| scope.spawn(move || work(share))).collect();
        jobs.into_iter().flat_map(|job| job.join().expect("compressing does not panic")).collect()
    })
}

/// Reads a file of blocks on demand. It checks header and index on opening, and each block when it is read.
///
/// Blocks are read with positioned reads into their own memory, not mapped: if another process changes the file,
/// reading fails, and nothing else happens.
#[derive(Debug)]
pub struct Reader {
    file: File,
    path: PathBuf,
    fields: Vec<(String, String)>,
    entries: Vec<Entry>,
    /// The offset of each block, and the end of the last one.
    offsets: Vec<u64>,
}

impl Reader {
    /// Opens a file that [`Writer`] wrote.
    pub fn open(path: &Path) -> Result<Reader, BadFile> {
        let corrupt = |why: &str| damaged(path, why);
        let file = regular::open(path).map_err(|error| BadFile::io(path, "read", error))?;
        let length = file.metadata().map_err(|error| BadFile::io(path, "read", error))?.len();
        let Some(body) = length.checked_sub(TRAILER as u64) else {
            return Err(corrupt("it is too short to be a table"));
        };
        let part = |begin: u64, size: u64| read_at(&file, path, begin, size);
        let trailer_bytes = part(body, TRAILER as u64)?;
        let number = |at: usize| u64::from_le_bytes(trailer_bytes[at..at + 8].try_into().unwrap_or_default());
        let (offset, blocks) = (number(0), number(8));
        let index_size = blocks.checked_mul(ENTRY as u64);
        let fits = index_size.and_then(|n| offset.checked_add(n)) == Some(body);
        if !fits || trailer_bytes[48..] != END_MARK[..] {
            return Err(corrupt("its end is missing"));
        }
        if body - offset > MAX_SECTION {
            return Err(corrupt("its index is too large"));
        }
        let index = part(offset, body - offset)?;
        let entries: Vec<Entry> = index.chunks_exact(ENTRY).map(entry).collect();
        let packed: u64 = entries.iter().map(|entry| u64::from(entry.packed)).sum();
        let head_size = offset.checked_sub(packed).filter(|&n| n <= MAX_SECTION);
        let header = part(0, head_size.ok_or_else(|| corrupt("its blocks do not fit"))?)?;
        if trailer(&header, &index, offset, blocks) != trailer_bytes {
            return Err(corrupt("header and index do not match their checksum"));
        }
        let mut offsets = vec![header.len() as u64];
        for entry in &entries {
            offsets.push(offsets[offsets.len() - 1] + u64::from(entry.packed));
        }
        let fields = fields(&header).map_err(|why| corrupt(&why))?;
        Ok(Reader { path: path.to_path_buf(), fields, entries, offsets, file })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A field of the header.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// A required field of the header, in canonical form: `00320` and `+320` are not `320`.
    pub fn expect<T: FromStr + ToString>(&self, key: &str) -> Result<T, BadFile> {
        let text = self.field(key).ok_or_else(|| self.corrupt(&format!("no `{key}` in its header")))?;
        let shown: String = text.chars().take(40).collect();
        canonical(text)
            .ok_or_else(|| self.corrupt(&format!("its header says `{key} {shown}`, which agon does not write")))
    }

    /// Fails unless every field of the header is among these.
    pub fn only(&self, known: &[&str]) -> Result<(), BadFile> {
        let unknown = self.fields.iter().find(|(key, _)| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |(key, _)| {
            let shown: String = key.chars().take(40).collect();
            Err(self.corrupt(&format!("its header has an unknown field `{shown}`: expected {}", known.join(", "))))
        })
    }

    /// An error about this file.
    #[must_use]
    pub fn corrupt(&self, why: &str) -> BadFile {
        damaged(&self.path, why)
    }

    /// An error about this file, which is sound and does not serve the purpose.
    #[must_use]
    pub fn unsuitable(&self, why: &str) -> BadFile {
        BadFile::io(&self.path, "use", why)
    }

    /// The number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.entries.len()
    }

    /// The compressed bytes of a block, checked against their checksum.
    fn packed(&self, number: usize) -> Result<(Vec<u8>, Entry), BadFile> {
        let wrong = |why: &str| self.corrupt(&format!("block {number} {why}"));
        let Some(&entry) = self.entries.get(number) else { return Err(wrong("is not there")) };
        if u64::from(entry.size.max(entry.packed)) > MAX_SECTION {
            return Err(wrong("is too large"));
        }
        let packed = read_at(&self.file, &self.path, self.offsets[number], u64::from(entry.packed))?;
        if sum(&packed) == entry.sum { Ok((packed, entry)) } else { Err(wrong("does not match its checksum")) }
    }

    /// The contents of a block, checked and decompressed.
    pub fn block(&self, number: usize) -> Result<Vec<u8>, BadFile> {
        let wrong = |why: &str| self.corrupt(&format!("block {number} {why}"));
        let (packed, entry) = self.packed(number)?;
        let block =
            zstd::bulk::decompress(&packed, entry.size as usize).map_err(|_| wrong("cannot be decompressed"))?;
        if block.len() == entry.size as usize { Ok(block) } else { Err(wrong("has the wrong size")) }
    }

    /// Compares every block with its checksum.
    pub fn verify(&self) -> Result<(), BadFile> {
        (0..self.blocks()).try_for_each(|number| self.packed(number).map(drop))
    }
}

/// Reads `size` bytes at `begin`; a file that ends before is damaged.
fn read_at(file: &File, path: &Path, begin: u64, size: u64) -> Result<Vec<u8>, BadFile> {
    let mut bytes = vec![0; size as usize];
    read_exact_at(file, &mut bytes, begin).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => damaged(path, "it is cut off"),
        _ => BadFile::io(path, "read", error),
    })?;
    Ok(bytes)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], begin: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, begin)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut begin: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, begin) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                begin += read as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(file: &File, bytes: &mut [u8], begin: u64) -> std::io::Result<()> {
    read_in_turn(file, bytes, begin)
}

/// For systems without positioned reads. Handles of one file share their place in it, so threads take turns.
#[cfg(any(test, not(any(unix, windows))))]
fn read_in_turn(mut file: &File, bytes: &mut [u8], begin: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom};
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    file.seek(SeekFrom::Start(begin))?;
    file.read_exact(bytes)
}

/// Reads the fields of a file's header alone. They are not verified by a checksum.
pub fn header(path: &Path) -> Result<Vec<(String, String)>, BadFile> {
    const FIRST_READ: u64 = 1 << 12;
    let file = regular::open(path).map_err(|error| BadFile::io(path, "read", error))?;
    let mut bytes = Vec::new();
    let mut size = FIRST_READ;
    loop {
        let read = (&file).take(size - bytes.len() as u64).read_to_end(&mut bytes);
        read.map_err(|error| BadFile::io(path, "read", error))?;
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").map(|at| at + 2);
        let corrupt = |why: &str| damaged(path, why);
        if let Some(end) = end {
            return fields(&bytes[..end]).map_err(|why| corrupt(&why));
        }
        let is_table = bytes.starts_with(FIRST_LINE.as_bytes());
        if !is_table || (bytes.len() as u64) < size || size > MAX_SECTION {
            return Err(corrupt(NO_TABLE));
        }
        size *= 4;
    }
}

fn entry(bytes: &[u8]) -> Entry {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
    let mut sum = [0; 16];
    sum.copy_from_slice(&bytes[8..24]);
    Entry { packed: number(0), size: number(4), sum }
}

/// Parses a value whose text is in canonical form, as agon writes it.
#[must_use]
pub fn canonical<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}

/// The error for a file that does not begin as a table does.
const NO_TABLE: &str = "its header is not that of a table";

/// Parses the fields of a header, each of which must occur once.
fn fields(header: &[u8]) -> Result<Vec<(String, String)>, String> {
    let text = std::str::from_utf8(header).ok().and_then(|text| text.strip_suffix("\n\n")).ok_or(NO_TABLE)?;
    let mut lines = text.split('\n');
    if lines.next() != Some(FIRST_LINE) {
        return Err(NO_TABLE.into());
    }
    let (mut fields, mut seen) = (Vec::new(), HashSet::new());
    for line in lines {
        let (key, value) = line.split_once(' ').ok_or(NO_TABLE)?;
        if !seen.insert(key) {
            let shown: String = key.chars().take(40).collect();
            return Err(format!("its header names `{shown}` twice"));
        }
        fields.push((key.to_string(), value.to_string()));
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &Path) -> Vec<Vec<u8>> {
        let blocks: Vec<Vec<u8>> = (0..5u8).map(|i| vec![i; 1000 * usize::from(i)]).collect();
        let mut writer = Writer::create(path, &[("game", "antrin:3".into()), ("shard", "3-3".into())]).unwrap();
        writer.add(&blocks, 2).unwrap();
        writer.finish().unwrap();
        blocks
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        let blocks = written(&path);
        let reader = Reader::open(&path).unwrap();
        assert_eq!((reader.field("game"), reader.field("colour")), (Some("antrin:3"), None));
        assert_eq!((0..reader.blocks()).map(|i| reader.block(i).unwrap()).collect::<Vec<_>>(), blocks);
        assert!(reader.block(5).is_err());
    }

    #[test]
    fn threads_without_positioned_reads_get_the_bytes_they_ask_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, (0..=255).collect::<Vec<u8>>()).unwrap();
        let file = File::open(&path).unwrap();
        std::thread::scope(|scope| {
            for begin in [0, 100, 200, 250] {
                let file = &file;
                scope.spawn(move || {
                    for _ in 0..2_000 {
                        let (mut bytes, mut expected) = ([0; 5], [0; 5]);
                        read_in_turn(file, &mut bytes, begin).unwrap();
                        read_exact_at(file, &mut expected, begin).unwrap();
                        assert_eq!((bytes, u64::from(bytes[0])), (expected, begin));
                    }
                });
            }
        });
        let error = read_in_turn(&file, &mut [0; 5], 252).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn every_byte_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bad) = (folder.path().join("a.agt"), folder.path().join("b.agt"));
        written(&path);
        let bytes = std::fs::read(&path).unwrap();
        let readable = |bytes: &[u8]| {
            std::fs::write(&bad, bytes).unwrap();
            let reader = Reader::open(&bad)?;
            (0..reader.blocks()).try_for_each(|i| reader.block(i).map(drop))
        };
        assert_eq!(readable(&bytes), Ok(()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(matches!(readable(&damaged), Err(BadFile::Damaged { .. })), "byte {at}");
            assert!(matches!(readable(&bytes[..at]), Err(BadFile::Damaged { .. })), "cut at {at}");
        }
    }

    #[test]
    fn a_file_changed_while_it_is_open_makes_reading_fail_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        let blocks = written(&path);
        let reader = Reader::open(&path).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(10).unwrap();
        assert!((0..reader.blocks()).all(|i| matches!(reader.block(i), Err(BadFile::Damaged { .. }))));
        drop(written(&path));
        assert_eq!(Reader::open(&path).unwrap().block(3).unwrap(), blocks[3]);
    }

    #[test]
    fn headers_are_read_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        let long = "x".repeat(50_000);
        let fields = [("game", "antrin:3".to_string()), ("rules", long.clone())];
        Writer::create(&path, &fields).unwrap().finish().unwrap();
        let owned = |(key, value): &(&str, String)| ((*key).to_string(), value.clone());
        assert_eq!(header(&path).unwrap(), fields.iter().map(owned).collect::<Vec<_>>());
        for other in ["", "agon-table 1\n", "agon-table 2\ngame a\n\n", "hello\n\n", &long] {
            std::fs::write(&path, other).unwrap();
            assert!(matches!(header(&path), Err(BadFile::Damaged { .. })), "{other:.20}");
        }
        assert!(matches!(header(folder.path()), Err(BadFile::Io { .. })));
    }

    #[test]
    fn a_header_names_each_field_once_and_writes_numbers_one_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        let fields = |list: &[(&str, &str)]| {
            let list: Vec<(&str, String)> = list.iter().map(|(key, value)| (*key, (*value).to_string())).collect();
            Writer::create(&path, &list).unwrap().finish().unwrap();
        };
        fields(&[("numbers", "320"), ("shard", "3-3")]);
        let reader = Reader::open(&path).unwrap();
        assert_eq!((reader.expect("numbers"), reader.only(&["shard", "numbers"])), (Ok(320u64), Ok(())));
        assert!(reader.only(&["numbers"]).is_err_and(|why| why.to_string().contains("unknown field `shard`")));
        for text in ["00320", "+320", "320 ", "0x140", ""] {
            fields(&[("numbers", text)]);
            assert!(Reader::open(&path).unwrap().expect::<u64>("numbers").is_err(), "{text}");
        }
        fields(&[("numbers", "320"), ("shard", "3-3"), ("numbers", "320")]);
        for refused in [header(&path).map(drop), Reader::open(&path).map(drop)] {
            assert!(refused.is_err_and(|why| why.to_string().contains("names `numbers` twice")));
        }
    }

    #[test]
    fn an_unfinished_file_leaves_nothing_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        written(&path);
        let before = std::fs::read(&path).unwrap();
        let mut writer = Writer::create(&path, &[]).unwrap();
        writer.add(&[vec![7; 100]], 1).unwrap();
        drop(writer);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
