//! Every reader of agon, each as a function from bytes that panics when the reader misbehaves.
//!
//! | module | holds |
//! |---|---|
//! | [`mutate`] | a deterministic mutator: seed and seed texts decide the case |
//! | [`games`] | small games and their positions; values by plain exhaustion |
//! | [`notation`] | spellings, positions, moves, PTN, TPS, saved games, players, books, exceptions, codes, statements |
//! | [`strategy`] | strategies as text |
//! | [`sealed`] | files with a hash: certificates, sequences, models |
//! | [`files`] | tables, boards, tournaments, jobs |
//! | [`questions`] | what programs send: games to grade, messages to the tool server |
//! | [`identity`] | which game a file is about: its spelling and the rules beside it |
//! | [`dialogue`] | what comes line by line or request by request: TEI, UGI, HTTP |
//!
//! libFuzzer runs these functions guided by coverage (`tools/fuzz`); `crates/agon/tests/fuzz.rs` includes this file and
//! runs a slice of fixed cases. A function accepts any bytes. It panics when a reader does, when what was read and
//! written again reads differently, and when a file that was tampered with is believed although it is false. Work
//! behind a reader has a budget of nodes, so that a case ends by itself.
//!
//! Every case is read. Comparisons that take much longer than the reader are made for a sample of the cases, which the
//! bytes of a case decide, and for all seeds (see [`thoroughly`]).

pub mod dialogue;
pub mod files;
pub mod games;
pub mod identity;
pub mod mutate;
pub mod notation;
pub mod questions;
pub mod sealed;
pub mod strategy;

use std::cell::Cell;

/// A reader under test.
pub struct Reader {
    /// The name for `tools/fuzz`.
    pub name: &'static str,
    /// Reads one case.
    pub read: fn(&[u8]),
    /// Valid inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the language.
    pub words: &'static [&'static str],
    /// Peak memory allowed: so many bytes for each byte of input, and so many besides.
    pub memory: (usize, usize),
    /// The number of cases of a quick run; fewer where one case takes longer.
    pub slice: u64,
}

const MIB: usize = 1 << 20;

/// All readers.
pub static READERS: &[Reader] = &[
    Reader {
        name: "spelling",
        read: notation::spelling,
        seeds: notation::spellings,
        words: notation::SPELLING_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "position",
        read: notation::position,
        seeds: notation::positions,
        words: notation::POSITION_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "move",
        read: notation::a_move,
        seeds: notation::moves,
        words: notation::POSITION_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "tps",
        read: notation::tps,
        seeds: notation::tps_texts,
        words: notation::TAK_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "ptn",
        read: notation::ptn,
        seeds: notation::ptn_texts,
        words: notation::TAK_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "saved-game",
        read: notation::saved_game,
        seeds: notation::saved_games,
        words: notation::POSITION_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "player",
        read: notation::player,
        seeds: notation::players,
        words: notation::PLAYER_WORDS,
        // A player's table has the size that was asked for: at most 64 MiB here.
        memory: (4096, 128 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "exceptions",
        read: notation::exceptions,
        seeds: notation::exception_files,
        words: notation::POSITION_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "strategy",
        read: strategy::strategy,
        seeds: strategy::strategies,
        words: strategy::STRATEGY_WORDS,
        memory: (4096, 4 * MIB),
        slice: 10_000,
    },
    Reader {
        name: "book",
        read: notation::book,
        seeds: notation::books,
        words: notation::POSITION_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "code",
        read: notation::code,
        seeds: notation::codes,
        words: notation::CODE_WORDS,
        memory: (256, MIB),
        slice: 20_000,
    },
    Reader {
        name: "statements",
        read: notation::statements,
        seeds: notation::statement_files,
        words: notation::CODE_WORDS,
        memory: (4096, MIB),
        slice: 20_000,
    },
    Reader {
        name: "certificate",
        read: sealed::certificate,
        seeds: sealed::certificates,
        words: sealed::CERTIFICATE_WORDS,
        memory: (4096, 64 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "sequence",
        read: sealed::sequence,
        seeds: sealed::sequences,
        words: &[],
        // Values are packed to as little as nothing for 4,096 of them.
        memory: (2048, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "model",
        read: sealed::model,
        seeds: sealed::models,
        words: sealed::CERTIFICATE_WORDS,
        memory: (4096, 4 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "table",
        read: files::table,
        seeds: files::tables,
        words: files::TABLE_WORDS,
        // A block of 65,536 equal values takes about forty bytes.
        memory: (16 << 10, 16 * MIB),
        slice: 5_000,
    },
    Reader {
        name: "board",
        read: files::board,
        seeds: files::boards,
        words: files::BOARD_WORDS,
        memory: (4096, 16 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "rules",
        read: identity::rules,
        seeds: identity::rules_texts,
        words: identity::RULES_WORDS,
        memory: (4096, 16 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "tournament",
        read: files::tournament,
        seeds: files::tournaments,
        words: files::TOURNAMENT_WORDS,
        memory: (4096, 16 * MIB),
        slice: 10_000,
    },
    Reader {
        name: "job",
        read: files::job,
        seeds: files::jobs,
        words: files::JOB_WORDS,
        memory: (4096, 16 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "tei",
        read: dialogue::tei,
        seeds: dialogue::tei_texts,
        words: dialogue::TEI_WORDS,
        memory: (4096, 96 * MIB),
        slice: 20_000,
    },
    Reader {
        name: "ugi",
        read: dialogue::ugi,
        seeds: dialogue::ugi_texts,
        words: dialogue::UGI_WORDS,
        memory: (4096, 96 * MIB),
        slice: 5_000,
    },
    Reader {
        name: "games",
        read: questions::games,
        seeds: questions::game_texts,
        words: questions::GAME_WORDS,
        memory: (4096, 16 * MIB),
        slice: 10_000,
    },
    Reader {
        name: "mcp",
        read: questions::mcp,
        seeds: questions::mcp_texts,
        words: questions::MCP_WORDS,
        memory: (4096, 16 * MIB),
        slice: 5_000,
    },
    Reader {
        name: "http",
        read: dialogue::http,
        seeds: dialogue::requests,
        words: dialogue::HTTP_WORDS,
        memory: (4096, 64 * MIB),
        slice: 5_000,
    },
];

/// The reader of that name.
#[must_use]
pub fn reader(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.name == name)
}

thread_local!(static THOROUGH: Cell<bool> = const { Cell::new(false) });

/// Makes every comparison for what `work` reads, instead of a sample.
pub fn thoroughly<T>(work: impl FnOnce() -> T) -> T {
    let before = THOROUGH.replace(true);
    let result = work();
    THOROUGH.set(before);
    result
}

/// Returns whether the slow comparisons are made for this case: for one in so many, by its bytes alone.
fn sampled(data: &[u8], one_in: u8) -> bool {
    THOROUGH.get() || blake3::hash(data).as_bytes()[0].is_multiple_of(one_in)
}

/// Input as text; what is no text is replaced, as a terminal would do.
fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The first byte chooses among several; the rest is the input.
fn split(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}

/// A message is for a person: short, whatever was given.
fn readable(message: &str) {
    assert!(message.len() < 4096, "a message of {} bytes: {:.200}…", message.len(), message);
}
