//! The fewest exceptions that make a strategy keep its claim.
//!
//! On any counterexample, the strategy must play differently somewhere. So the search takes a shortest counterexample,
//! tries an exception at each of the strategy's positions on it, and recurses, with iterative deepening over the number
//! of exceptions. The first success has the fewest.

use crate::verify::{Claim, verify};
use agon_core::solver::Failed;
use agon_core::strategy::Patched;
use agon_core::{Ctx, Strategy, Symmetric, collect_moves};

/// The result of the search for exceptions.
pub enum Repair<G: Symmetric> {
    /// The strategy with the fewest exceptions that make the claim hold.
    Repaired(Patched<G>),
    /// No set of at most this many exceptions suffices.
    NotWithin(usize),
    /// No strategy keeps the claim: the other side can prevent it.
    Impossible,
}

/// Repairs a strategy with at most `most` exceptions, counted up to symmetry. `keeps(pos)` returns
/// whether the side can still get what is claimed.
pub fn repair<G: Symmetric>(
    game: &G,
    base: Box<dyn Strategy<G>>,
    claim: &Claim<G::Position>,
    most: usize,
    ctx: &Ctx,
    mut keeps: impl FnMut(&G::Position) -> Result<bool, Failed>,
) -> Result<Repair<G>, Failed> {
    if !keeps(&claim.root)? {
        return Ok(Repair::Impossible);
    }
    let mut patched = Patched::new(base);
    for allowed in 0..=most {
        ctx.progress("repairing", allowed as u64, Some(most as u64));
        if patch(game, &mut patched, claim, allowed, ctx, &mut keeps)? {
            return Ok(Repair::Repaired(patched));
        }
    }
    Ok(Repair::NotWithin(most))
}

/// Returns whether at most `allowed` further exceptions suffice; leaves them in place if so.
fn patch<G: Symmetric>(
    game: &G,
    patched: &mut Patched<G>,
    claim: &Claim<G::Position>,
    allowed: usize,
    ctx: &Ctx,
    keeps: &mut impl FnMut(&G::Position) -> Result<bool, Failed>,
) -> Result<bool, Failed> {
    let verdict = verify(game, patched, claim, ctx)?;
    let Some(broken) = verdict.counterexample else { return Ok(true) };
    if allowed == 0 {
        return Ok(false);
    }
    // The strategy's positions on the line, from the last at which the claim could still be kept: the
    // natural place for an exception is where the strategy first goes wrong.
    let mut own = Vec::new();
    let mut pos = claim.root.clone();
    for &mv in &broken.moves {
        if game.turn(&pos) == claim.side {
            own.push(pos.clone());
        }
        game.play(&mut pos, mv);
        if !keeps(&pos)? {
            break;
        }
    }
    if game.outcome(&pos).is_none() && game.turn(&pos) == claim.side && keeps(&pos)? {
        own.push(pos);
    }
    for pos in own.into_iter().rev() {
        if patched.is_exception(game, &pos) {
            continue;
        }
        for mv in distinct_moves(game, &pos) {
            if !keeps(&game.after(&pos, mv))? {
                continue;
            }
            patched.except(game, &pos, mv);
            if patch(game, patched, claim, allowed - 1, ctx, keeps)? {
                return Ok(true);
            }
            patched.unless(game, &pos);
        }
    }
    Ok(false)
}

/// One move for each orbit of moves under the stabiliser of `pos`.
fn distinct_moves<G: Symmetric>(game: &G, pos: &G::Position) -> Vec<G::Move> {
    let keep = game.stabiliser(pos);
    let least = |mv: &G::Move| keep.iter().all(|&element| game.image_of_move(element, *mv) >= *mv);
    collect_moves(game, pos).into_iter().filter(least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strong;
    use agon_core::toy::Tree;
    use agon_core::{Family, Player, Wdl};
    use agon_games::mnk::Mnk;

    struct First;
    impl Strategy<Tree> for First {
        fn choices(&self, _: &Tree, _: &u32) -> Vec<u8> {
            vec![0]
        }
    }

    fn repaired<G: agon_core::Acyclic + Symmetric>(
        game: &G,
        base: Box<dyn Strategy<G>>,
        side: Player,
        least: Wdl,
    ) -> Option<usize> {
        let claim = Claim { side, least, root: game.start() };
        let strong = Strong::solve(game, &claim.root, 1 << 30, &Ctx::default()).unwrap();
        let keeps = |pos: &G::Position| {
            let seen = strong.value(pos).expect("reachable").wdl();
            Ok(if game.turn(pos) == side { seen >= least } else { seen.flip() >= least })
        };
        match repair(game, base, &claim, 12, &Ctx::default(), keeps).unwrap() {
            Repair::Repaired(patched) => {
                assert!(verify(game, &patched, &claim, &Ctx::default()).unwrap().holds);
                Some(patched.exceptions(game).len())
            }
            Repair::NotWithin(_) | Repair::Impossible => None,
        }
    }

    #[test]
    fn one_early_exception_beats_two_late_ones() {
        // Always playing the first move loses twice below the left branch; going right needs one exception.
        let tree = Tree::new("(((- +) (- +)) ((+ -) (+ -)))");
        assert_eq!(repaired(&tree, Box::new(First), Player::First, Wdl::Win), Some(1));
        let twice = Tree::new("(((- +) (- +)) ((- -) (+ -)))");
        assert_eq!(repaired(&twice, Box::new(First), Player::First, Wdl::Win), Some(2));
        let lost = Tree::new("(((- -) (- +)) -)");
        assert_eq!(repaired(&lost, Box::new(First), Player::First, Wdl::Win), None);
    }

    #[test]
    fn the_published_rules_need_few_exceptions() {
        let game = Mnk::new(3, 3, 3);
        for (name, reading, side, fewest) in [
            ("singh-objectives", "filters", Player::Second, 1),
            ("singh-objectives", "literal", Player::First, 1),
            ("singh-process", "win-first", Player::Second, 3),
        ] {
            let strategy = game.strategy(name, reading).unwrap();
            let exceptions = repaired(&game, strategy, side, Wdl::Draw);
            assert_eq!(exceptions, Some(fewest), "{name}:{reading}");
        }
    }
}
