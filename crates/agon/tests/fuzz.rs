//! Every reader under mutated input: a slice with fixed cases. `tools/fuzz` runs the same functions guided by coverage.
//!
//! `AGON_FUZZ` says how many cases each reader gets, `AGON_FUZZ_SEED` which ones.

#[allow(dead_code, unreachable_pub, reason = "the library of fuzz/, used here in part")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use agon_core::Rng;
use fuzz::{Reader, mutate};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The system's memory, with a count of what the thread has in use.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that is ending counts no more.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every request goes to the system's allocator as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static MEMORY: Counting = Counting;

/// Reads one case; says how much memory that took at most.
fn measured(reader: &Reader, case: &[u8], name: &str) -> usize {
    let before = NOW.get();
    PEAK.set(before);
    if catch_unwind(AssertUnwindSafe(|| (reader.read)(case))).is_err() {
        panic!("{}, {name}: {:?}", reader.name, String::from_utf8_lossy(case));
    }
    let used = usize::try_from(PEAK.get() - before).unwrap_or(0);
    let (each, besides) = reader.memory;
    let most = each * case.len() + besides;
    let shown = String::from_utf8_lossy(case);
    assert!(
        used <= most,
        "{}, {name}: {used} bytes for {} of input, at most {most}: {shown:?}",
        reader.name,
        case.len()
    );
    used
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn slice(name: &str) {
    let reader = fuzz::reader(name).unwrap_or_else(|| panic!("no reader {name}"));
    let seeds = (reader.seeds)();
    assert!(!seeds.is_empty());
    // Lazy values are built before memory is counted.
    let mut most = 0;
    fuzz::thoroughly(|| {
        seeds.iter().for_each(|seed| (reader.read)(seed));
        for (number, seed) in seeds.iter().enumerate() {
            most = most.max(measured(reader, seed, &format!("seed {number}")));
        }
    });
    let start = number("AGON_FUZZ_SEED").unwrap_or(1);
    let mut rng = Rng::new(start ^ u64::from(blake3::hash(name.as_bytes()).as_bytes()[0]) << 32);
    for round in 0..number("AGON_FUZZ").unwrap_or(reader.slice) {
        let case = mutate::case(&seeds, reader.words, &mut rng);
        let read = || measured(reader, &case, &format!("case {round}"));
        // Every second case is compared in every way, the others as libFuzzer would.
        most = most.max(if round.is_multiple_of(2) { fuzz::thoroughly(read) } else { read() });
    }
    if number("AGON_FUZZ").is_some() {
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{name}: at most {most} bytes");
    }
}

macro_rules! slices {
    ($($test:ident: $reader:literal,)*) => {
        $(#[test] fn $test() { slice($reader); })*

        #[test]
        fn no_reader_is_left_out() {
            let tested = [$($reader),*];
            assert!(fuzz::READERS.iter().map(|reader| reader.name).eq(tested));
        }
    };
}

slices! {
    spellings: "spelling",
    positions: "position",
    moves: "move",
    positions_of_tak: "tps",
    games_of_tak: "ptn",
    saved_games: "saved-game",
    players: "player",
    exceptions: "exceptions",
    strategies_as_text: "strategy",
    books: "book",
    codes: "code",
    statements: "statements",
    certificates: "certificate",
    sequences: "sequence",
    models: "model",
    tables: "table",
    boards: "board",
    rules_beside_spellings: "rules",
    tournaments: "tournament",
    jobs: "job",
    lines_to_the_engine: "tei",
    lines_to_an_engine_of_any_game: "ugi",
    games_to_grade: "games",
    messages_to_the_tool_server: "mcp",
    requests: "http",
}

/// Cases that once found something.
const FOUND: &[(&str, &[u8])] = &[
    // The engine waited for ever for a `stop` that could not come any more.
    ("tei", b"go infinite nodes 5"),
    // A game that begins on an empty board at a later move was saved without that move's number.
    ("saved-game", b"\x07agon-game 1\ngame tak:3\nfrom x3/x3/x3_1_7\nmoves a3 a1 b1 Sb3 Sb2 Sa2\n"),
    ("ptn", b"[Size \"3\"]\n[TPS \"x3/x3/x3 1 7\"]\n\n7. a3 a1\n"),
    // A name that looks like a comment was written back as one.
    ("strategy", b"\x00rule#"),
    // Every move from a heap this large was compared with every other.
    (
        "certificate",
        b"agon-certificate 1\ngame nim:1+2\nfrom 1+65536\nclaim at-least first win\nsymmetry none\nsections 1\n\
          text first win - 2\nrule leave a sum of zero\nrule else\n",
    ),
    // A name as long as this was repeated as a whole.
    ("player", &[b'x'; 5_000]),
    // A board on which one side has a line before play begins.
    (
        "board",
        b"men = 2\npoints = [[\"a\", 0, 0], [\"b\", 1, 0], [\"c\", 2, 0], [\"d\", 0, 1], [\"e\", 2, 1]]\n\
          paths = [[\"a\", \"b\", \"c\", \"e\"], [\"a\", \"d\"]]\nlines = [[\"a\", \"b\"], [\"c\", \"e\"]]\n\
          [start]\nwhite = [\"a\", \"b\"]\nblack = [\"c\", \"d\"]\n",
    ),
    // The same for the other side, which is not to move.
    (
        "board",
        b"men = 2\npoints = [[\"a\", 0, 0], [\"b\", 1, 0], [\"c\", 2, 0], [\"d\", 0, 1], [\"e\", 2, 1]]\n\
          paths = [[\"a\", \"b\", \"c\", \"e\"], [\"a\", \"d\"]]\nlines = [[\"a\", \"b\"], [\"b\", \"e\"]]\n\
          [start]\nwhite = [\"a\", \"c\"]\nblack = [\"b\", \"e\"]\n",
    ),
];

#[test]
fn what_was_found_once_stays_repaired() {
    for (number, (name, case)) in FOUND.iter().enumerate() {
        let reader = fuzz::reader(name).unwrap_or_else(|| panic!("no reader {name}"));
        fuzz::thoroughly(|| {
            // Lazy values are built before memory is counted.
            (reader.read)(case);
            measured(reader, case, &format!("finding {number}"))
        });
    }
}
