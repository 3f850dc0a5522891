//! Move sequences by length. A finished position has no continuation.

use agon_core::{Ctx, Game, Meter, Stop, collect_moves};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of sequences of each length 1 to `depth`. Uses the threads of `ctx`.
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
    divide_by(game, pos, depth, ctx, below)
}

/// [`perft`] for games whose positions are too large to copy at every node: plays and takes back.
pub fn perft_in_place<G: Game>(game: &G, pos: &G::Position, depth: u32, ctx: &Ctx) -> Result<Vec<u64>, Stop> {
    let lengths = (1..=depth).map(|length| divide_in_place(game, pos, length, ctx));
    lengths.map(|divided| Ok(divided?.iter().map(|(_, n)| n).sum())).collect()
}

/// [`divide`] by playing and taking back.
pub fn divide_in_place<G: Game>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    ctx: &Ctx,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    divide_by(game, pos, depth, ctx, |game, pos, depth, meter| below_in_place(game, pos, depth, meter, &mut Vec::new()))
}

/// Counts what lies below a position.
type Below<G> = fn(&G, &mut <G as Game>::Position, u32, &mut Meter<'_>) -> Result<u64, Stop>;

fn divide_by<G: Game>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    ctx: &Ctx,
    below: Below<G>,
) -> Result<Vec<(G::Move, u64)>, Stop> {
    let moves = collect_moves(game, pos);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![None; moves.len()]));
    let work = || -> Result<(), Stop> {
        let mut meter = ctx.meter();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(&mv) = moves.get(i) else { return Ok(()) };
            let count = if depth == 0 { 0 } else { below(game, &mut game.after(pos, mv), depth - 1, &mut meter)? };
            results.lock().expect("no thread panics while counting")[i] = Some((mv, count));
            ctx.progress("counting", i as u64 + 1, Some(moves.len() as u64));
        }
    };
    std::thread::scope(|scope| {
        // This thread works too; if the system gives no more threads, it goes on alone.
        let more = 1..ctx.threads().min(moves.len());
        let more: Vec<_> = more.map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work();
        let join = |t: std::thread::ScopedJoinHandle<'_, _>| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
        more.into_iter().map(join).fold(own, Result::and)
    })?;
    let results = results.into_inner().expect("no thread panics while counting");
    Ok(results.into_iter().flatten().collect())
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

/// `moves` is a stack of move lists, one above the other.
fn below_in_place<G: Game>(
    game: &G,
    pos: &mut G::Position,
    depth: u32,
    meter: &mut Meter<'_>,
    moves: &mut Vec<G::Move>,
) -> Result<u64, Stop> {
    match depth {
        0 => return Ok(1),
        1 => {
            meter.tick()?;
            return Ok(game.count_moves(pos) as u64);
        }
        _ => meter.tick()?,
    }
    let begin = moves.len();
    game.moves(pos, &mut |mv| moves.push(mv));
    let mut total = 0;
    while moves.len() > begin {
        let Some(mv) = moves.pop() else { break };
        let undo = game.play(pos, mv);
        total += below_in_place(game, pos, depth - 1, meter, moves)?;
        game.undo(pos, mv, undo);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::mnk::Mnk;

    #[test]
    fn tic_tac_toe_sequences_match_the_published_counts() {
        // Bottomley, "How many Tic-Tac-Toe games are possible?": continuations after each ply.
        let game = Mnk::new(3, 3, 3);
        let expected = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
        for threads in [1, 2, 3] {
            let ctx = Ctx::default().with_threads(threads);
            assert_eq!(perft(&game, &game.start(), 9, &ctx), Ok(expected.to_vec()));
            assert_eq!(perft_in_place(&game, &game.start(), 9, &ctx), Ok(expected.to_vec()));
        }
        assert_eq!(perft(&game, &game.start(), 0, &Ctx::default()), Ok(vec![]));
    }
}
