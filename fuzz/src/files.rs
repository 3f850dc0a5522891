//! Readers of files that are read from a disk: tables, boards, tournaments, jobs of the workbench.

use super::{readable, sampled, split, text};
use agon_arena::plan::Plan;
use agon_arena::store::Store;
use agon_check::tables::Extent;
use agon_core::Ctx;
use agon_registry as registry;
use agon_registry::erased::AnyGame;
use agon_registry::erased::tables::{TableRequest, tables_of};
use agon_table::{Table, Writer};
use agon_web::job_store::{JobStore, Record};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

/// Words of the heads of tables.
pub const TABLE_WORDS: &[&str] = &[
    "agon-table 1\n",
    "game antrin:3\n",
    "shard 3-3\n",
    "kind values 2\n",
    "numbers ",
    "totals ",
    "classes ",
    "agon-end",
    "\n\n",
];
/// Words of board files.
pub const BOARD_WORDS: &[&str] = &[
    "men = ",
    "line = \"captures\"",
    "fly = \"always\"",
    "blocked = \"passes\"",
    "early = \"forbidden\"",
    "bar = \"placing\"",
    "mixed = true",
    "points = [",
    "[\"d4\", 3, 3],",
    "paths = [",
    "lines = [",
    "leaps = [[\"a1\", \"b1\", \"c1\"]]",
    "[start]\nwhite = [\"a1\"]\nblack = [\"b1\"]\n",
    "\"a1\"",
    "\"b2\"",
    "]",
    "\n",
];
/// Words of the plan of a tournament.
pub const TOURNAMENT_WORDS: &[&str] =
    &["\"players\":", "\"random\"", "\"games\":", "\"sprt\":null", "\"book\":[", "null", "[", "]", "{", "}", "\"", ","];
/// Words of the record of a job.
pub const JOB_WORDS: &[&str] =
    &["\"id\":1", "\"phase\":\"done\"", "\"running\"", "\"report\":", "null", "[", "]", "{", "}", "\"", ",", "1e308"];

/// A temporary directory, in memory where there is one: some of these files are synced whenever they are written.
fn scratch() -> tempfile::TempDir {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.or_else(|_| tempfile::tempdir()).expect("a temporary directory")
}

/// A directory of this thread.
pub(super) fn with_folder<T>(work: impl FnOnce(&Path) -> T) -> T {
    thread_local!(static FOLDER: tempfile::TempDir = scratch());
    FOLDER.with(|folder| work(folder.path()))
}

const GAME: &str = "antrin:3";

/// The true tables of a small game: name and contents.
fn true_tables() -> &'static [(String, Vec<u8>)] {
    static TABLES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let game = registry::standard().game(GAME).expect("a game");
        let request = TableRequest::new(folder.path(), 1 << 28);
        tables_of(game.as_ref()).and_then(|tables| tables.solve(&request, &Ctx::default())).expect("tables");
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder.path()).expect("a directory").flatten() {
            let name = entry.file_name().into_string().expect("a name");
            if name.ends_with(".agt") {
                all.push((name, std::fs::read(entry.path()).expect("a table")));
            }
        }
        all.sort();
        all
    })
}

/// The same file with fitting checksums, if its end says where its blocks are.
fn resealed_table(data: &[u8]) -> Option<Vec<u8>> {
    const END: usize = 56;
    const ENTRY: usize = 24;
    let mut bytes = data.to_vec();
    let body = bytes.len().checked_sub(END)?;
    let number = |at: usize| usize::try_from(u64::from_le_bytes(data.get(at..at + 8)?.try_into().ok()?)).ok();
    // Whatever was cut out or put in: as many entries as are said, before the end.
    let blocks = number(body + 8)?.min(body / ENTRY);
    let index = body - blocks * ENTRY;
    let packed = |entry: usize| u32::from_le_bytes(data[entry..entry + 4].try_into().unwrap_or_default()) as usize;
    let mut at = index.checked_sub((0..blocks).map(|i| packed(index + i * ENTRY)).sum())?;
    let head = at;
    for entry in (0..blocks).map(|i| index + i * ENTRY) {
        let sum = blake3::hash(&bytes[at..at + packed(entry)]);
        bytes[entry + 8..entry + ENTRY].copy_from_slice(&sum.as_bytes()[..16]);
        at += packed(entry);
    }
    bytes[body..body + 8].copy_from_slice(&(index as u64).to_le_bytes());
    bytes[body + 8..body + 16].copy_from_slice(&(blocks as u64).to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..head]).update(&bytes[index..body + 16]);
    let hash = *hasher.finalize().as_bytes();
    bytes[body + 16..body + 48].copy_from_slice(&hash);
    bytes[body + 48..].copy_from_slice(b"agon-end");
    Some(bytes)
}

/// A table made of a head, up to an empty line, and one or more blocks.
fn assembled(path: &Path, data: &[u8]) -> bool {
    let Some(at) = data.windows(2).position(|pair| pair == b"\n\n") else { return false };
    let head = text(&data[..at]).into_owned();
    let fields: Vec<(&str, String)> =
        head.lines().skip(1).filter_map(|line| line.split_once(' ')).map(|(key, value)| (key, value.into())).collect();
    if fields.iter().any(|(key, value)| key.contains(['\n', '\r']) || value.contains(['\n', '\r'])) {
        return false;
    }
    let blocks: Vec<Vec<u8>> = data[at + 2..].chunks(1 << 16).map(<[u8]>::to_vec).collect();
    let mut writer = Writer::create(path, &fields).expect("a new file");
    writer.add(&blocks, 1).expect("a new file");
    writer.finish().expect("a new file");
    true
}

/// A table: the first byte says whether the rest is a file or what a file is made of.
pub fn table(data: &[u8]) {
    let (mode, rest) = split(data);
    with_folder(|folder| {
        let path = folder.join("case.agt");
        if mode % 2 == 1 {
            if assembled(&path, rest) {
                opened(&path);
            }
            return;
        }
        let resealed = resealed_table(rest).filter(|bytes| bytes != rest);
        for bytes in std::iter::once(rest).chain(resealed.as_deref()) {
            std::fs::write(&path, bytes).expect("a temporary file");
            // All tables of a game are checked for one case in eight.
            if opened(&path) && sampled(data, 8) {
                believed(&folder.join("tables"), bytes);
            }
        }
    });
}

/// Reads a table in both ways; whether it is one.
fn opened(path: &Path) -> bool {
    let table = match Table::open(path) {
        Ok(table) => table,
        Err(why) => {
            readable(&why.to_string());
            return false;
        }
    };
    let loaded = table.load();
    for index in (0..table.size()).step_by(table.size() as usize / 16 + 1) {
        match (&loaded, table.get(index)) {
            (Ok(values), code) => assert_eq!(Ok(values.get(index)), code),
            (Err(_), _) => break,
        }
    }
    loaded.is_ok()
}

/// A table among the true ones: if the directory is found right, the table is the true one.
fn believed(folder: &Path, bytes: &[u8]) {
    let name = text(bytes).lines().find_map(|line| line.strip_prefix("shard ")).map(|shard| format!("{shard}.agt"));
    let Some((name, original)) = true_tables().iter().find(|(known, _)| Some(known) == name.as_ref()) else { return };
    if !folder.exists() {
        std::fs::create_dir(folder).expect("a temporary directory");
        true_tables().iter().for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes).expect("a table"));
    }
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a table");
    let game = registry::standard().game(GAME).expect("a game");
    let tables = tables_of(game.as_ref()).expect("tables");
    let ctx = Ctx::default();
    if tables.check(folder, Extent::Full, &ctx).is_ok() && tables.verify(folder, &ctx).is_ok() {
        let values = |path: &Path| Table::open(path).and_then(|table| table.load()).expect("a table that was read");
        let found = values(&path);
        std::fs::write(&path, original).expect("a table");
        assert_eq!(found, values(&path), "a false table is believed");
    }
    std::fs::write(&path, original).expect("a table");
}

/// True tables, and what tables are made of.
pub fn tables() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = true_tables().iter().map(|(_, bytes)| [&[0], bytes.as_slice()].concat()).collect();
    let head = b"\x01agon-table 1\ngame antrin:3\nshard 3-3\nkind values 2\nnumbers 6\n\n";
    all.push([&head[..], &[1, 2, 0, 255, 254, 3, 44, 1]].concat());
    all.push([&head[..], &[0; 6]].concat());
    all
}

/// A file describing a board.
pub fn board(data: &[u8]) {
    let path = with_folder(|folder| folder.join("board.toml"));
    std::fs::write(&path, data).expect("a temporary file");
    static GAMES: LazyLock<registry::Registry> = LazyLock::new(|| registry::Registry::standard().with_board_files());
    match GAMES.game(&format!("board:{}", path.display())) {
        Err(error) => readable(&error.to_string()),
        Ok(game) if sampled(data, 4) => playable(game.as_ref()),
        Ok(_) => {}
    }
}

/// A game can be begun: its first position is read and drawn, and its moves are played.
pub(super) fn playable(game: &dyn AnyGame) {
    let (start, rules) = (game.start(), game.rules_line());
    assert_eq!(game.position(&start).as_ref(), Ok(&start), "{rules:?}");
    let _ = game.scene(&start).expect("a picture").text();
    for mv in game.moves(&start).expect("moves").iter().take(8) {
        let (name, after) = game.play(&start, mv).expect("a legal move");
        assert_eq!((&name, game.position(&after).as_ref()), (mv, Ok(&after)), "{rules:?}");
        game.path(&start, mv).expect("a path");
    }
}

/// The example and two smaller ones.
pub fn boards() -> Vec<Vec<u8>> {
    let example = include_str!("../../crates/registry/src/erased/example.toml");
    let small = "men = 2\npoints = [[\"a\", 0, 0], [\"b\", 1, 0], [\"c\", 2, 0], [\"d\", 0, 1], [\"e\", 2, 1]]\n\
                 paths = [[\"a\", \"b\", \"c\", \"e\"], [\"a\", \"d\"]]\nlines = [[\"a\", \"b\"], [\"c\", \"e\"]]\n";
    let started = format!("{small}blocked = \"passes\"\n[start]\nwhite = [\"a\", \"c\"]\nblack = [\"b\", \"e\"]\n");
    [example, small, &started].iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn plan() -> String {
    let start = registry::standard().game("mnk:3,3,3").expect("a game").start();
    serde_json::json!({"game": "mnk:3,3,3", "players": ["random", "weighted"], "gauntlet": false, "games": 4, "seed": 7,
        "from": start, "opening_plies": 0, "book": [], "move_time": null, "start_time": 5000, "most_plies": 100,
        "sprt": null})
    .to_string()
}

/// A new tournament, as a file; it is made once.
fn new_tournament() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = scratch();
        let path = folder.path().join("new.sqlite");
        let plan: Plan = serde_json::from_str(&plan()).expect("a plan");
        drop(Store::create(&path, &plan).expect("a new tournament"));
        std::fs::read(&path).expect("a file")
    })
}

/// Writes the file of a tournament in the place of the last one.
fn put_tournament(path: &Path, bytes: &[u8]) {
    for ending in ["-journal", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
    std::fs::write(path, bytes).expect("a temporary file");
}

/// The file of a tournament: the first byte says whether the rest is the file or the plan in it.
pub fn tournament(data: &[u8]) {
    let (mode, rest) = split(data);
    if mode % 2 == 0 {
        with_folder(|folder| {
            let path = folder.join("case.sqlite");
            put_tournament(&path, rest);
            match Store::open(&path) {
                Err(failure) => readable(&failure.message().unwrap_or_default()),
                Ok(store) => {
                    let _ = (store.results().map(|results| results.len()), store.games(5).map(|games| games.len()));
                    every_slot_has_players(&store.plan);
                }
            }
        });
        return;
    }
    let given = text(rest);
    let read = Plan::read(&given);
    match &read {
        Err(why) => readable(why),
        Ok(plan) => every_slot_has_players(plan),
    }
    if sampled(data, 32) {
        in_a_tournament(&given, read.ok());
    }
}

/// A plan in a file is read as it is read alone.
fn in_a_tournament(given: &str, read: Option<Plan>) {
    with_folder(|folder| {
        let path = folder.join("case.sqlite");
        put_tournament(&path, new_tournament());
        let file = rusqlite::Connection::open(&path).expect("a file");
        file.execute("UPDATE tournament SET value = ?1 WHERE key = 'plan'", [given]).expect("a row");
        drop(file);
        match Store::open(&path) {
            Err(failure) => {
                readable(&failure.message().unwrap_or_default());
                assert!(read.is_none(), "{given}");
            }
            Ok(store) => {
                assert_eq!(Some(&store.plan), read.as_ref());
                assert!(store.results().is_ok_and(|results| results.is_empty()));
                assert!(store.games(5).is_ok_and(|games| games.is_empty()));
            }
        }
    });
}

fn every_slot_has_players(plan: &Plan) {
    let total = plan.total();
    for id in [0, total.saturating_sub(1)].into_iter().filter(|&id| id < total) {
        assert!(plan.slot(id).seats.iter().all(|&seat| seat < plan.players.len()));
    }
    assert_eq!(plan.names().len(), plan.players.len());
}

/// An empty tournament, and its plan.
pub fn tournaments() -> Vec<Vec<u8>> {
    vec![[&[0], new_tournament()].concat(), [&[1], plan().as_bytes()].concat()]
}

/// The record of a job of the workbench, as it is and sealed again. What is read and written again is the same.
pub fn job(data: &[u8]) {
    let given = text(data);
    let body = given.rfind("\nblake3 ").map_or(&*given, |at| &given[..at]);
    let sealed = format!("{body}\nblake3 {}\n", blake3::hash(format!("{body}\n").as_bytes()));
    let as_it_is = Some(&*given).filter(|given| *given != sealed);
    for read in std::iter::once(&*sealed).chain(as_it_is).map(|text| Record::read(text, 1)) {
        match read {
            Err(why) => readable(&why),
            Ok(record) => {
                let written = record.write().expect("a record that was read is written");
                let again = Record::read(&written, 1).unwrap_or_else(|why| panic!("{written} {why}"));
                same_record(&again, &record);
            }
        }
    }
    if sampled(data, 16) {
        in_a_store(data, Record::read(&given, 1).ok().as_ref());
        in_a_store(sealed.as_bytes(), Record::read(&sealed, 1).ok().as_ref());
    }
}

fn same_record(one: &Record, other: &Record) {
    assert_eq!((one.id, &one.request, &one.report), (other.id, &other.request, &other.report));
    assert_eq!((one.phase, one.begun), (other.phase, other.begun));
}

/// A record in the directory of its job is read as it is read alone, also after it was written again. Bytes that are no
/// text are no record.
fn in_a_store(bytes: &[u8], read: Option<&Record>) {
    thread_local!(static KEEP: (tempfile::TempDir, JobStore) = {
        let folder = scratch();
        let keep = JobStore::open(folder.path(), Box::new(readable)).expect("a directory of jobs");
        std::fs::create_dir_all(keep.folder(1)).expect("a directory");
        (folder, keep)
    });
    let read = read.filter(|_| std::str::from_utf8(bytes).is_ok());
    KEEP.with(|(_, keep)| {
        std::fs::write(keep.folder(1).join("record"), bytes).expect("a temporary file");
        let (records, _) = keep.records();
        assert_eq!(records.len(), usize::from(read.is_some()));
        for (record, read) in records.iter().zip(read) {
            same_record(record, read);
            keep.write(record);
            let again = keep.records().0;
            assert_eq!(again.len(), 1);
            same_record(&again[0], record);
        }
    });
}

/// Records of jobs.
pub fn jobs() -> Vec<Vec<u8>> {
    let record = |phase: &str, report: &str| {
        let body = format!(
            "agon-job 1\n{{\"id\":1,\"kind\":\"solve\",\"title\":\"solve tic-tac-toe\",\"game\":\"mnk:3,3,3\",\
             \"request\":{{\"kind\":\"solve\",\"game\":\"tic-tac-toe\"}},\"phase\":\"{phase}\",\"why\":null,\
             \"seconds\":1.5,\"begun\":1,\"report\":{report},\"file\":null}}\n"
        );
        format!("{body}blake3 {}\n", blake3::hash(body.as_bytes())).into_bytes()
    };
    vec![record("done", "{\"value\":\"draw\"}"), record("waiting", "null")]
}
