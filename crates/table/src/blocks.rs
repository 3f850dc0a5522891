//! A file of blocks: a readable head, compressed blocks, their sizes and checksums, and an end that says
//! the file is whole.

use crate::regular;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

const FIRST_LINE: &str = "agon-table 1";
const LAST_WORD: &[u8; 8] = b"agon-end";
/// Where the index begins, how many blocks there are, the checksum of head and index, the last word.
const END: usize = 8 + 8 + 32 + 8;
/// Sizes of a block, compressed and not, and the beginning of its checksum.
const ENTRY: usize = 4 + 4 + 16;
/// No head is longer, and no block larger.
const LARGEST: u64 = 1 << 26;
/// Fast enough to keep up with the disk, and nearly as small as slower levels.
const LEVEL: i32 = 3;
/// Faster, for what is written often and read once.
const HASTY: i32 = 1;

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadFile {
    /// The system says no.
    Io(String),
    /// What was read is not what was written.
    Corrupt(String),
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (BadFile::Io(why) | BadFile::Corrupt(why)) = self;
        f.write_str(why)
    }
}

impl std::error::Error for BadFile {}

fn io(path: &Path, what: &str, error: &std::io::Error) -> BadFile {
    BadFile::Io(format!("cannot {what} `{}`: {error}", path.display()))
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

/// Writes a file beside its place and moves it there when it is whole.
pub struct Writer {
    file: BufWriter<File>,
    path: PathBuf,
    beside: PathBuf,
    head: Vec<u8>,
    entries: Vec<Entry>,
    offset: u64,
    level: i32,
    done: bool,
}

impl Writer {
    /// Begins a file with these fields; neither keys nor values may hold line breaks, nor keys spaces.
    pub fn create(path: &Path, fields: &[(&str, String)]) -> Result<Writer, BadFile> {
        let mut head = format!("{FIRST_LINE}\n");
        for (key, value) in fields {
            assert!(!key.contains([' ', '\n']) && !value.contains('\n'), "fields are one line each");
            head.push_str(&format!("{key} {value}\n"));
        }
        head.push('\n');
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
        let file = File::create(&beside).map_err(|error| io(&beside, "write", &error))?;
        let mut writer = Writer {
            file: BufWriter::with_capacity(1 << 20, file),
            path: path.to_path_buf(),
            beside,
            offset: head.len() as u64,
            head: head.into_bytes(),
            entries: Vec::new(),
            level: LEVEL,
            done: false,
        };
        let head = std::mem::take(&mut writer.head);
        writer.put(&head)?;
        writer.head = head;
        Ok(writer)
    }

    /// Compresses faster and less.
    #[must_use]
    pub fn hasty(mut self) -> Writer {
        self.level = HASTY;
        self
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), BadFile> {
        self.file.write_all(bytes).map_err(|error| io(&self.beside, "write", &error))
    }

    /// Adds blocks, compressed on that many threads.
    pub fn add(&mut self, blocks: &[Vec<u8>], threads: usize) -> Result<(), BadFile> {
        let packed = pack(blocks, threads, self.level);
        for (block, packed) in blocks.iter().zip(packed) {
            let packed = packed.map_err(|error| io(&self.beside, "compress for", &error))?;
            let entry = Entry { packed: packed.len() as u32, size: block.len() as u32, sum: sum(&packed) };
            self.put(&packed)?;
            self.offset += packed.len() as u64;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Ends the file, waits until it is on the disk, and puts it in its place. Says how many bytes it has.
    pub fn finish(mut self) -> Result<u64, BadFile> {
        let mut index = Vec::with_capacity(self.entries.len() * ENTRY);
        for entry in &self.entries {
            index.extend(entry.packed.to_le_bytes());
            index.extend(entry.size.to_le_bytes());
            index.extend(entry.sum);
        }
        let end = end(&self.head, &index, self.offset, self.entries.len() as u64);
        self.put(&index)?;
        self.put(&end)?;
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| io(&self.beside, "write", &error))?;
        std::fs::rename(&self.beside, &self.path).map_err(|error| io(&self.path, "write", &error))?;
        self.done = true;
        sync_parent(&self.path);
        Ok(self.offset + (index.len() + END) as u64)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.done {
            let _ = std::fs::remove_file(&self.beside);
        }
    }
}

/// Makes a renamed file outlast a power cut, where the system allows it.
fn sync_parent(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

fn end(head: &[u8], index: &[u8], offset: u64, blocks: u64) -> Vec<u8> {
    let mut end = Vec::with_capacity(END);
    end.extend(offset.to_le_bytes());
    end.extend(blocks.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(head).update(index).update(&end);
    end.extend(hasher.finalize().as_bytes());
    end.extend(LAST_WORD);
    end
}

fn pack(blocks: &[Vec<u8>], threads: usize, level: i32) -> Vec<std::io::Result<Vec<u8>>> {
    let one = |block: &Vec<u8>| zstd::bulk::compress(block, level);
    if threads < 2 || blocks.len() < 2 {
        return blocks.iter().map(one).collect();
    }
    let piece = blocks.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let work = |piece: &'_ [Vec<u8>]| piece.iter().map(one).collect::<Vec<_>>();
        let jobs: Vec<_> = blocks.chunks(piece).map(|piece| scope.spawn(move || work(piece))).collect();
        jobs.into_iter().flat_map(|job| job.join().expect("compressing does not panic")).collect()
    })
}

/// Reads a file of blocks: what is not asked for is never read. Head and index are checked when the file is opened,
/// each block when it is read.
///
/// Blocks are read at their places in the file, into memory of their own: whoever changes the file meanwhile can make
/// reading fail, and nothing else.
#[derive(Debug)]
pub struct Reader {
    file: File,
    path: PathBuf,
    fields: Vec<(String, String)>,
    entries: Vec<Entry>,
    /// Where each block begins, and where the last one ends.
    begins: Vec<u64>,
}

impl Reader {
    /// Opens a file that [`Writer`] wrote.
    pub fn open(path: &Path) -> Result<Reader, BadFile> {
        let corrupt = |why: &str| BadFile::Corrupt(format!("`{}` is damaged: {why}", path.display()));
        let file = regular::open(path).map_err(|error| io(path, "read", &error))?;
        let length = file.metadata().map_err(|error| io(path, "read", &error))?.len();
        let Some(body) = length.checked_sub(END as u64) else {
            return Err(corrupt("it is too short to be a table"));
        };
        let part = |begin: u64, size: u64| read_at(&file, path, begin, size);
        let end_bytes = part(body, END as u64)?;
        let number = |at: usize| u64::from_le_bytes(end_bytes[at..at + 8].try_into().unwrap_or_default());
        let (offset, blocks) = (number(0), number(8));
        let index_size = blocks.checked_mul(ENTRY as u64);
        let fits = index_size.and_then(|n| offset.checked_add(n)) == Some(body);
        if !fits || end_bytes[48..] != LAST_WORD[..] {
            return Err(corrupt("its end is missing"));
        }
        if body - offset > LARGEST {
            return Err(corrupt("its index is too large"));
        }
        let index = part(offset, body - offset)?;
        let entries: Vec<Entry> = index.chunks_exact(ENTRY).map(entry).collect();
        let packed: u64 = entries.iter().map(|entry| u64::from(entry.packed)).sum();
        let head_size = offset.checked_sub(packed).filter(|&n| n <= LARGEST);
        let head = part(0, head_size.ok_or_else(|| corrupt("its blocks do not fit"))?)?;
        if end(&head, &index, offset, blocks) != end_bytes {
            return Err(corrupt("head and index do not match their checksum"));
        }
        let mut begins = vec![head.len() as u64];
        for entry in &entries {
            begins.push(begins[begins.len() - 1] + u64::from(entry.packed));
        }
        let fields = fields(&head).map_err(|why| corrupt(&why))?;
        Ok(Reader { path: path.to_path_buf(), fields, entries, begins, file })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A field of the head.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// A field of the head that must be there, written as agon writes it: `00320` and `+320` are not `320`.
    pub fn expect<T: FromStr + ToString>(&self, key: &str) -> Result<T, BadFile> {
        let text = self.field(key).ok_or_else(|| self.corrupt(&format!("no `{key}` in its head")))?;
        let shown: String = text.chars().take(40).collect();
        canonical(text)
            .ok_or_else(|| self.corrupt(&format!("its head says `{key} {shown}`, which agon does not write")))
    }

    /// Fails unless every field of the head is among these.
    pub fn only(&self, known: &[&str]) -> Result<(), BadFile> {
        let unknown = self.fields.iter().find(|(key, _)| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |(key, _)| {
            let shown: String = key.chars().take(40).collect();
            Err(self.corrupt(&format!("its head has an unknown field `{shown}`: expected {}", known.join(", "))))
        })
    }

    /// An error about this file.
    #[must_use]
    pub fn corrupt(&self, why: &str) -> BadFile {
        BadFile::Corrupt(format!("`{}` is damaged: {why}", self.path.display()))
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.entries.len()
    }

    /// The compressed bytes of a block, which match their checksum.
    fn packed(&self, number: usize) -> Result<(Vec<u8>, Entry), BadFile> {
        let wrong = |why: &str| self.corrupt(&format!("block {number} {why}"));
        let Some(&entry) = self.entries.get(number) else { return Err(wrong("is not there")) };
        if u64::from(entry.size.max(entry.packed)) > LARGEST {
            return Err(wrong("is too large"));
        }
        let packed = read_at(&self.file, &self.path, self.begins[number], u64::from(entry.packed))?;
        if sum(&packed) == entry.sum { Ok((packed, entry)) } else { Err(wrong("does not match its checksum")) }
    }

    /// The contents of a block, checked.
    pub fn block(&self, number: usize) -> Result<Vec<u8>, BadFile> {
        let wrong = |why: &str| self.corrupt(&format!("block {number} {why}"));
        let (packed, entry) = self.packed(number)?;
        let block = zstd::bulk::decompress(&packed, entry.size as usize).map_err(|_| wrong("cannot be unpacked"))?;
        if block.len() == entry.size as usize { Ok(block) } else { Err(wrong("has the wrong size")) }
    }

    /// Compares every block with its checksum.
    pub fn verify(&self) -> Result<(), BadFile> {
        (0..self.blocks()).try_for_each(|number| self.packed(number).map(drop))
    }
}

/// That many bytes of a file; a file that ends before is damaged.
fn read_at(file: &File, path: &Path, begin: u64, size: u64) -> Result<Vec<u8>, BadFile> {
    let mut bytes = vec![0; size as usize];
    read_exact_at(file, &mut bytes, begin).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            BadFile::Corrupt(format!("`{}` is damaged: it is cut off", path.display()))
        }
        _ => io(path, "read", &error),
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

/// The fields of a file's head, without a look at the rest of the file: they are what the file says, not yet compared
/// with a checksum.
pub fn head(path: &Path) -> Result<Vec<(String, String)>, BadFile> {
    const FIRST: u64 = 1 << 12;
    let file = regular::open(path).map_err(|error| io(path, "read", &error))?;
    let mut bytes = Vec::new();
    let mut size = FIRST;
    loop {
        let read = (&file).take(size - bytes.len() as u64).read_to_end(&mut bytes);
        read.map_err(|error| io(path, "read", &error))?;
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").map(|at| at + 2);
        let corrupt = |why: &str| BadFile::Corrupt(format!("`{}` is damaged: {why}", path.display()));
        if let Some(end) = end {
            return fields(&bytes[..end]).map_err(|why| corrupt(&why));
        }
        let begins = bytes.starts_with(FIRST_LINE.as_bytes());
        if !begins || (bytes.len() as u64) < size || size > LARGEST {
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

/// A value whose text is the one that agon writes for it.
#[must_use]
pub fn canonical<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}

/// What is wrong with bytes that do not begin as a table does.
const NO_TABLE: &str = "its head is not that of a table";

/// The fields of a head, each named once; or what is wrong with it.
fn fields(head: &[u8]) -> Result<Vec<(String, String)>, String> {
    let text = std::str::from_utf8(head).ok().and_then(|text| text.strip_suffix("\n\n")).ok_or(NO_TABLE)?;
    let mut lines = text.split('\n');
    if lines.next() != Some(FIRST_LINE) {
        return Err(NO_TABLE.into());
    }
    let (mut fields, mut seen) = (Vec::new(), HashSet::new());
    for line in lines {
        let (key, value) = line.split_once(' ').ok_or(NO_TABLE)?;
        if !seen.insert(key) {
            let shown: String = key.chars().take(40).collect();
            return Err(format!("its head names `{shown}` twice"));
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
            assert!(matches!(readable(&damaged), Err(BadFile::Corrupt(_))), "byte {at}");
            assert!(matches!(readable(&bytes[..at]), Err(BadFile::Corrupt(_))), "cut at {at}");
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
        assert!((0..reader.blocks()).all(|i| matches!(reader.block(i), Err(BadFile::Corrupt(_)))));
        drop(written(&path));
        assert_eq!(Reader::open(&path).unwrap().block(3).unwrap(), blocks[3]);
    }

    #[test]
    fn heads_are_read_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agt");
        let long = "x".repeat(50_000);
        let fields = [("game", "antrin:3".to_string()), ("rules", long.clone())];
        Writer::create(&path, &fields).unwrap().finish().unwrap();
        let owned = |(key, value): &(&str, String)| ((*key).to_string(), value.clone());
        assert_eq!(head(&path).unwrap(), fields.iter().map(owned).collect::<Vec<_>>());
        for other in ["", "agon-table 1\n", "agon-table 2\ngame a\n\n", "hello\n\n", &long] {
            std::fs::write(&path, other).unwrap();
            assert!(matches!(head(&path), Err(BadFile::Corrupt(_))), "{other:.20}");
        }
        assert!(matches!(head(folder.path()), Err(BadFile::Io(_))));
    }

    #[test]
    fn a_head_names_each_field_once_and_writes_numbers_one_way() {
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
        for refused in [head(&path).map(drop), Reader::open(&path).map(drop)] {
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
