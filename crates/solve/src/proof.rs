//! The moves that prove a value: for one side, a move at every position it can be brought to.

use crate::alphabeta::AlphaBeta;
use agon_core::{Acyclic, Ctx, Guide, Meter, Player, Stop, Symmetric, Value, Wdl};
use rustc_hash::FxHashMap;

/// Canonical positions in which `side` is to move, each with a move that keeps the claim.
pub type Moves<P, M> = Vec<(P, M)>;

/// Extracts a strategy by which `side` gets at least `least` from `root`; the caller has proven that it
/// can. Wins are as quick as possible.
pub fn extract<G: Acyclic + Symmetric + Guide>(
    game: &G,
    root: &G::Position,
    side: Player,
    least: Wdl,
    solver: &mut AlphaBeta<G>,
    ctx: &Ctx,
) -> Result<Moves<G::Position, G::Move>, Stop> {
    let mut proof = FxHashMap::default();
    let mut meter = ctx.meter();
    let mut todo = vec![root.clone()];
    let mut seen: rustc_hash::FxHashSet<G::Position> = todo.iter().map(|pos| game.canonical(pos).0).collect();
    while let Some(pos) = todo.pop() {
        let pos = game.canonical(&pos).0;
        if game.outcome(&pos).is_some() {
            continue;
        }
        let mut next = Vec::new();
        if game.turn(&pos) == side {
            let mv = keeping(game, &pos, least, solver, ctx, &mut meter)?;
            proof.insert(pos.clone(), mv);
            next.push(game.after(&pos, mv));
        } else {
            game.moves(&pos, &mut |mv| next.push(game.after(&pos, mv)));
        }
        for child in next {
            if seen.insert(game.canonical(&child).0) {
                todo.push(child);
            }
        }
        ctx.progress("writing the proof", proof.len() as u64, None);
    }
    let mut moves: Moves<_, _> = proof.into_iter().collect();
    moves.sort_unstable();
    Ok(moves)
}

/// The first move that reaches the value; for a win, the quickest.
fn keeping<G: Acyclic + Symmetric + Guide>(
    game: &G,
    pos: &G::Position,
    least: Wdl,
    solver: &mut AlphaBeta<G>,
    ctx: &Ctx,
    meter: &mut Meter<'_>,
) -> Result<G::Move, Stop> {
    let wanted = match least {
        Wdl::Win => solver.exact(game, pos, ctx, meter)?,
        _ => Value::DRAW,
    };
    // The most promising first; there is surely a best one among the candidates.
    let mut candidates = Vec::new();
    game.candidates(pos, &mut |mv, order| candidates.push((std::cmp::Reverse(order), mv)));
    candidates.sort_unstable();
    for (_, mv) in candidates {
        if solver.move_reaches(game, pos, mv, wanted, ctx, meter)? {
            return Ok(mv);
        }
    }
    unreachable!("a position that keeps the claim has a move that does")
}
