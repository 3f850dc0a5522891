//! Move sequences by length. A finished position has no continuation.
//!
//! There are three methods: by copying positions, by playing and undoing moves, and with a hash table. The last move of
//! a sequence is never played; the moves are counted (bulk counting).

use agon_core::{Ctx, Game, Meter, Stop, Symmetric, collect_moves};
use std::hash::BuildHasher;
use std::sync::Mutex;

/// The number of sequences of each length 1 to `depth`. Uses the threads of `ctx`.
///
/// ```
/// use agon_core::{Ctx, Game};
/// use agon_games::mnk::Mnk;
///
/// let game = Mnk::new(3, 3, 3);
/// assert_eq!(agon_solve::perft::perft(&game, &game.start(), 3, &Ctx::default()), Ok(vec![9, 72, 504]));
/// ```
pub fn perft<G: Game>(game: &G, pos: &G::Position, depth: u32, ctx: &Ctx) -> Result<Vec<u64>, Stop> {
    let mut counts = vec![0; depth as usize];
    for length in 1..=depth {
        let count = divide(game, pos, length, ctx)?.iter().map(|(_, n)| n).sum();
        counts[length as usize - 1] = count;
        if count == 0 {
            break; // no longer sequence either
        }
    }
    Ok(counts)
}

/// The number of sequences of exactly `depth` moves, by first move.
pub fn divide<G: Game>(game: &G, pos: &G::Position, depth: u32, ctx: &Ctx) -> Result<Vec<(G::Move, u64)>, Stop> {
    divide_by(game, pos, depth, ctx, &below)
}

/// [`perft`] for games whose positions are too large to copy at every node: it plays and undoes moves.
pub fn perft_in_place<G: Game>(game: &G, pos: &G::Position, depth: u32, ctx: &Ctx) -> Result<Vec<u64>, Stop> {
    let lengths = (1..=depth).map(|length| divide_in_place(game, pos, length, ctx));
    lengths.map(|divided| Ok(divided?.iter().map(|(_, n)| n).sum())).collect()
}

/// [`divide`] by playing and undoing moves.
pub fn divide_in_place<G: Game>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    ctx: &Ctx,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    let below = |game: &G, pos: &mut G::Position, depth, meter: &mut Meter<'_>| {
        below_in_place(game, pos, depth, meter, &mut Vec::new(), &Forgetful)
    };
    divide_by(game, pos, depth, ctx, &below)
}

/// [`perft`] with a hash table of at most about `bytes`. Keys are whole positions, so a count found is that of the
/// position or of one in its orbit.
pub fn perft_with_table<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    bytes: usize,
    ctx: &Ctx,
) -> Result<Vec<u64>, Stop> {
    let table = Table::new(game, bytes);
    let lengths = (1..=depth).map(|length| divide_remembering(game, pos, length, &table, ctx));
    lengths.map(|divided| Ok(divided?.iter().map(|(_, n)| n).sum())).collect()
}

/// [`divide`] with a table.
pub fn divide_with_table<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    bytes: usize,
    ctx: &Ctx,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    divide_remembering(game, pos, depth, &Table::new(game, bytes), ctx)
}

fn divide_remembering<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    table: &Table<'_, G>,
    ctx: &Ctx,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    let below = |game: &G, pos: &mut G::Position, depth, meter: &mut Meter<'_>| {
        below_in_place(game, pos, depth, meter, &mut Vec::new(), table)
    };
    divide_by(game, pos, depth, ctx, &below)
}

/// Counts the sequences below a position.
type Below<'a, G> = &'a (dyn Fn(&G, &mut <G as Game>::Position, u32, &mut Meter<'_>) -> Result<u64, Stop> + Sync);

/// A memory of earlier counts.
trait Memory<P>: Sync {
    /// The slot of a position, if it gets one, and its count, if known.
    fn recall(&self, pos: &P, depth: u32) -> (Option<P>, Option<u64>);

    fn keep(&self, key: P, depth: u32, count: u64);
}

/// No memory.
struct Forgetful;

impl<P> Memory<P> for Forgetful {
    #[inline]
    fn recall(&self, _: &P, _: u32) -> (Option<P>, Option<u64>) {
        (None, None)
    }

    fn keep(&self, _: P, _: u32, _: u64) {}
}

/// Counts by position and depth; a newer count replaces an older one.
struct Table<'a, G: Symmetric> {
    game: &'a G,
    parts: Vec<Part<G::Position>>,
    /// The number of slots in each shard.
    slots: usize,
    hasher: rustc_hash::FxBuildHasher,
}

struct Entry<P> {
    key: P,
    depth: u32,
    count: u64,
}

/// A shard of the table, with its own lock.
type Part<P> = Mutex<Vec<Option<Entry<P>>>>;

/// The number of shards.
const SHARDS: usize = 64;

/// The least remaining plies at which positions are looked up by their canonical form, which costs more than counting
/// two plies.
const MIN_CANONICAL_PLIES: u32 = 3;

impl<'a, G: Symmetric> Table<'a, G> {
    fn new(game: &'a G, bytes: usize) -> Table<'a, G> {
        let slots = (bytes / size_of::<Option<Entry<G::Position>>>() / SHARDS).max(1);
        let part = || Mutex::new(std::iter::repeat_with(|| None).take(slots).collect());
        let parts = std::iter::repeat_with(part).take(SHARDS).collect();
        Table { game, parts, slots, hasher: rustc_hash::FxBuildHasher }
    }

    fn place(&self, key: &G::Position, depth: u32) -> (usize, usize) {
        let hash = (self.hasher.hash_one(key) ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash as usize % SHARDS, ((u128::from(hash) * self.slots as u128) >> 64) as usize)
    }
}

impl<G: Symmetric> Memory<G::Position> for Table<'_, G> {
    fn recall(&self, pos: &G::Position, depth: u32) -> (Option<G::Position>, Option<u64>) {
        let key = if depth >= MIN_CANONICAL_PLIES { self.game.canonical(pos).0 } else { pos.clone() };
        let (part, slot) = self.place(&key, depth);
        let part = self.parts[part].lock().expect("no thread panics while counting");
        let known = part[slot].as_ref().filter(|entry| entry.depth == depth && entry.key == key);
        let count = known.map(|entry| entry.count);
        (Some(key), count)
    }

    fn keep(&self, key: G::Position, depth: u32, count: u64) {
        let (part, slot) = self.place(&key, depth);
        let mut part = self.parts[part].lock().expect("no thread panics while counting");
        part[slot] = Some(Entry { key, depth, count });
    }
}

fn divide_by<G: Game>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    ctx: &Ctx,
    below: Below<'_, G>,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    let moves = collect_moves(game, pos);
    ctx.map(moves.len() as u64, |i| {
        let (mv, mut meter) = (moves[i as usize], ctx.meter());
        let count = if depth == 0 { 0 } else { below(game, &mut game.after(pos, mv), depth - 1, &mut meter)? };
        ctx.progress("counting", i + 1, Some(moves.len() as u64));
        Ok((mv, count))
    })
}

fn below<G: Game>(game: &G, pos: &mut G::Position, depth: u32, meter: &mut Meter<'_>) -> Result<u64, Stop> {
    match depth {
        0 => return Ok(1),
        1 => {
            meter.tick()?;
            return Ok(game.count_moves(pos) as u64);
        }
        _ => meter.tick()?,
    }
    let mut total = Ok(0);
    game.moves(pos, &mut |mv| {
        let Ok(so_far) = total else { return };
        total = below(game, &mut game.after(pos, mv), depth - 1, meter).map(|n| so_far + n);
    });
    total
}

/// `moves` is a stack of move lists.
fn below_in_place<G: Game>(
    game: &G,
    pos: &mut G::Position,
    depth: u32,
    meter: &mut Meter<'_>,
    moves: &mut Vec<G::Move>,
    memory: &impl Memory<G::Position>,
) -> Result<u64, Stop> {
    match depth {
        0 => return Ok(1),
        1 => {
            meter.tick()?;
            return Ok(game.count_moves(pos) as u64);
        }
        _ => meter.tick()?,
    }
    let (key, known) = memory.recall(pos, depth);
    if let Some(count) = known {
        return Ok(count);
    }
    let begin = moves.len();
    game.moves(pos, &mut |mv| moves.push(mv));
    let mut total = 0;
    while moves.len() > begin {
        let Some(mv) = moves.pop() else { break };
        let undo = game.play(pos, mv);
        total += below_in_place(game, pos, depth - 1, meter, moves, memory)?;
        game.undo(pos, mv, undo);
    }
    if let Some(key) = key {
        memory.keep(key, depth, total);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Notation};
    use agon_games::mnk::Mnk;
    use agon_games::tak::Tak;

    #[test]
    fn tic_tac_toe_sequences_match_the_published_counts() {
        // Bottomley, "How many Tic-Tac-Toe games are possible?": continuations after each ply.
        let game = Mnk::new(3, 3, 3);
        let expected = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
        for threads in [1, 2, 3] {
            let ctx = Ctx::default().with_threads(threads);
            assert_eq!(perft(&game, &game.start(), 9, &ctx), Ok(expected.to_vec()));
            assert_eq!(perft_in_place(&game, &game.start(), 9, &ctx), Ok(expected.to_vec()));
            for bytes in [0, 1 << 12, 1 << 22] {
                assert_eq!(perft_with_table(&game, &game.start(), 9, bytes, &ctx), Ok(expected.to_vec()));
            }
        }
        assert_eq!(perft(&game, &game.start(), 0, &Ctx::default()), Ok(vec![]));
    }

    #[test]
    fn tak_sequences_match_the_published_tables_to_the_last_row() {
        // The rows that fit a test of the rules are checked there too, by playing every sequence.
        let mut rows = 0;
        for line in include_str!("../tests/data/tak-perft.txt").lines() {
            let Some((position, counts)) = line.split_once('|').filter(|_| !line.starts_with('#')) else { continue };
            let (spelling, position) = position.trim().split_once(' ').unwrap();
            let game = Tak::from_spelling(spelling).unwrap().0;
            let pos = if position == "start" { game.start() } else { game.parse(position).unwrap() };
            let counts: Vec<u64> = counts.split_whitespace().map(|n| n.parse().unwrap()).collect();
            let found = perft_with_table(&game, &pos, counts.len() as u32, 1 << 28, &Ctx::default());
            assert_eq!(found.as_ref(), Ok(&counts), "{line}");
            rows += counts.len();
            // Without a table, where it takes about a second: the last row of 3×3 and 6×6 is left to the bench.
            if counts.last().is_some_and(|&n| n < 500_000_000) {
                assert_eq!(perft_in_place(&game, &pos, counts.len() as u32, &Ctx::default()), Ok(counts), "{line}");
            }
        }
        assert_eq!(rows, 45);
    }
}
