//! The moves of a position one by one. Moves whose positions are images of each other are looked at once.

use agon_core::solver::{EachMove, Failed};
use agon_core::{Bounds, Ctx, Solution, Symmetric, Value, Wdl, collect_moves, moves_again};
use std::collections::BTreeMap;

/// The moves for which `reaches` holds.
pub(crate) fn moves_where<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    mut reaches: impl FnMut(G::Move) -> Result<bool, Failed>,
) -> Result<Vec<G::Move>, Failed> {
    let (mut known, mut moves) = (BTreeMap::new(), Vec::new());
    for mv in collect_moves(game, pos) {
        let class = game.canonical(&game.after(pos, mv)).0;
        let holds = match known.get(&class) {
            Some(&holds) => holds,
            None => *known.entry(class).or_insert(reaches(mv)?),
        };
        if holds {
            moves.push(mv);
        }
    }
    Ok(moves)
}

/// The value with its distance that a solved position states; `None` for a win or a loss without a distance.
pub(crate) fn stated<M>(solution: &Solution<M>) -> Option<Value> {
    match (solution.value.value()?, solution.plies) {
        (Wdl::Draw, _) => Some(Value::DRAW),
        (Wdl::Win, plies) => plies.map(Value::win_in),
        (Wdl::Loss, plies) => plies.map(Value::loss_in),
    }
}

/// The moves that keep the value of a solved position, without distances: all moves of a lost one, and for any other those
/// after which `solve` proves as much. `None` if the value is open.
pub(crate) fn keeping<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    solution: &Solution<G::Move>,
    mut solve: impl FnMut(&G::Position) -> Solution<G::Move>,
) -> Result<Option<Vec<G::Move>>, Failed> {
    let Some(value) = solution.value.value() else { return Ok(None) };
    let moves = moves_where(game, pos, |mv| {
        let after = game.after(pos, mv);
        if value == Wdl::Loss {
            return Ok(true);
        }
        let found = solve(&after);
        let seen = found.value.to_parent_with(moves_again(game, pos, &after));
        match found.stopped {
            _ if seen.lo >= value || seen.hi < value => Ok(seen.lo >= value),
            Some(stop) => Err(stop.into()),
            None => Err(Failed::Unsuitable("this method cannot tell the values of all moves".to_string())),
        }
    });
    moves.map(Some)
}

/// The values of the moves that follow from the value of a position and its best move: all moves of a lost position
/// lose; of any other, the best move alone is known. The others are solved, as long as `ctx` allows; then they stay open.
pub(crate) fn each_after_root<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    root: &Solution<G::Move>,
    ctx: &Ctx,
    mut solve: impl FnMut(&G::Position) -> Solution<G::Move>,
) -> Result<EachMove<G::Move>, Failed> {
    if let Some(stop) = root.stopped {
        return Err(stop.into());
    }
    let class = |mv: G::Move| game.canonical(&game.after(pos, mv)).0;
    let mut known = BTreeMap::new();
    if let Some(best) = root.best {
        let again = moves_again(game, pos, &game.after(pos, best));
        known.insert(class(best), open(root.value.to_parent_with(again)));
    }
    let mut list = Vec::new();
    for mv in collect_moves(game, pos) {
        let after = game.after(pos, mv);
        let found = match known.get(&class(mv)) {
            Some(found) => Solution { best: None, ..found.clone() },
            None if root.value.hi == Wdl::Loss => open(root.value.to_parent_with(moves_again(game, pos, &after))),
            None if ctx.check().is_err() => open(Bounds::UNKNOWN),
            None => solve(&after),
        };
        known.entry(class(mv)).or_insert_with(|| found.clone());
        list.push((mv, found));
    }
    Ok(list)
}

/// Bounds without a distance or a best move.
fn open<M>(value: Bounds) -> Solution<M> {
    Solution { value, plies: None, best: None, nodes: 0, stopped: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute;
    use agon_core::Game;
    use agon_games::mnk::Mnk;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn moves_that_keep_a_value_are_those_of_brute_force() {
        let (game, ctx) = (Mnk::new(3, 3, 3), Ctx::default());
        // A won, a drawn and a lost position.
        for (text, value) in [("XO./.../...", Wdl::Win), (".../.X./...", Wdl::Draw), ("XO./.X./...", Wdl::Loss)] {
            let pos = agon_core::Notation::parse(&game, text).unwrap();
            let root = brute::solve(&game, &pos, &ctx);
            assert_eq!(root.value, Bounds::exactly(value), "{text}");
            let expected: Vec<_> = collect_moves(&game, &pos)
                .into_iter()
                .filter(|&mv| brute::solve(&game, &game.after(&pos, mv), &ctx).value.flip() == root.value)
                .collect();
            let found = keeping(&game, &pos, &root, |pos| brute::solve(&game, pos, &ctx)).unwrap();
            assert_eq!(found, Some(expected), "{text}");
            let each = each_after_root(&game, &pos, &root, &ctx, |pos| brute::solve(&game, pos, &ctx)).unwrap();
            for (mv, after) in each {
                assert_eq!(after.value, brute::solve(&game, &game.after(&pos, mv), &ctx).value, "{text}");
            }
        }
    }

    #[test]
    fn moves_stay_open_when_the_work_is_stopped() {
        let (game, ctx) = (Mnk::new(3, 3, 3), Ctx::default());
        let root = brute::solve(&game, &game.start(), &ctx);
        let stopped = Ctx::default().with_cancel(Arc::new(AtomicBool::new(true)));
        let each = each_after_root(&game, &game.start(), &root, &stopped, |_| panic!("no more work")).unwrap();
        let proven: Vec<_> = each.iter().filter(|(_, after)| after.value.value().is_some()).collect();
        // The best move and its images.
        assert!(!proven.is_empty() && proven.len() < each.len());
    }
}
