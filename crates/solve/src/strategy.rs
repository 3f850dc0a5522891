//! Strategies as lists of moves: for one side, a move at every position it can be brought to.

use agon_core::solver::Failed;
use agon_core::{Ctx, Game, Player, Symmetric, Wdl};
use rustc_hash::FxHashSet;

/// A strategy by which a side gets at least a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedStrategy<G: Game> {
    /// The side that follows the moves.
    pub side: Player,
    /// The value it gets at least.
    pub least: Wdl,
    /// No play that follows the moves takes more plies, where that is known.
    pub within: Option<u32>,
    /// A move at every canonical position in which the side is to move, sorted by position.
    pub moves: Moves<G>,
}

/// Positions with a move for each.
pub type Moves<G> = Vec<(<G as Game>::Position, <G as Game>::Move)>;

/// Lists a move of `side` at every position, up to symmetry, that these moves and any replies lead to. `choose` is
/// asked once for each canonical position and names a move that keeps what the side is to get.
///
/// ```
/// use agon_core::{Ctx, Game, Player, toy::Pile};
/// use agon_solve::{AlphaBeta, strategy::extract};
///
/// let (game, ctx, mut solver) = (Pile::new(5), Ctx::default(), AlphaBeta::new(1 << 20));
/// let best = |pos: &_| Ok(solver.solve(&game, pos, &ctx).best.expect("the play goes on"));
/// let moves = extract(&game, &game.start(), Player::First, best, &ctx).unwrap();
/// assert!(moves.iter().all(|((counters, mover), _)| *counters > 0 && *mover == Player::First));
/// ```
pub fn extract<G: Symmetric>(
    game: &G,
    root: &G::Position,
    side: Player,
    choose: impl FnMut(&G::Position) -> Result<G::Move, Failed>,
    ctx: &Ctx,
) -> Result<Moves<G>, Failed> {
    extract_by(game, root, side, |pos| game.canonical(pos).0, choose, ctx)
}

/// The same where `class` names the position that stands for a position: itself, for a list without symmetry.
pub fn extract_by<G: Game>(
    game: &G,
    root: &G::Position,
    side: Player,
    class: impl Fn(&G::Position) -> G::Position,
    mut choose: impl FnMut(&G::Position) -> Result<G::Move, Failed>,
    ctx: &Ctx,
) -> Result<Moves<G>, Failed> {
    let first = class(root);
    let mut seen = FxHashSet::from_iter([first.clone()]);
    let (mut todo, mut moves, mut next) = (vec![first], Vec::new(), Vec::new());
    while let Some(pos) = todo.pop() {
        if game.outcome(&pos).is_some() {
            continue;
        }
        if game.turn(&pos) == side {
            let mv = choose(&pos)?;
            next.push(game.after(&pos, mv));
            moves.push((pos, mv));
        } else {
            game.moves(&pos, &mut |mv| next.push(game.after(&pos, mv)));
        }
        for child in next.drain(..) {
            let child = class(&child);
            if seen.insert(child.clone()) {
                todo.push(child);
            }
        }
        ctx.progress("writing the proof", moves.len() as u64, None);
    }
    moves.sort_unstable();
    Ok(moves)
}
