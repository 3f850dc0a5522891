//! Exceptions that make a strategy keep its claim: the fewest, or few and a bound.
//!
//! On any counterexample, the strategy must play differently somewhere. So the search takes a shortest counterexample,
//! tries an exception at each of the strategy's positions on it, and recurses, with iterative deepening over the number
//! of exceptions. The first success has the fewest, and every depth that fails is a lower bound. When that takes too
//! long, a book is searched that needs few entries. Where play can cycle, or the strategy remembers the last
//! move, exceptions are made wherever the strategy first goes wrong, until it holds. Those that it does without are dropped
//! again.

use crate::book::book;
use crate::verify::{Claim, Counterexample, Keeps, failures, holds, shortest};
use agon_core::solver::Failed;
use agon_core::strategy::Patched;
use agon_core::{Ctx, Game, Strategy, Symmetric, collect_moves};

/// The result of the search for exceptions.
pub enum Repair<G: Symmetric> {
    /// A strategy with exceptions that make the claim hold.
    Repaired {
        /// The strategy.
        patched: Patched<G>,
        /// No fewer exceptions suffice.
        at_least: usize,
    },
    /// No set of at most this many exceptions suffices.
    NotWithin(usize),
    /// No strategy keeps the claim: the other side can prevent it.
    Impossible,
}

/// The node limit of the exact search for the fewest exceptions. Beyond it, a repair is found greedily.
const EFFORT: u64 = 10_000_000;

/// Among more exceptions than these, none is dropped again.
const DROPPED: usize = 500;

/// Repairs a strategy with exceptions, counted up to symmetry: the fewest if they are at most `most` and found soon.
/// `keeps(pos)` returns whether the side can still get what is claimed.
///
/// ```
/// use agon_core::{Ctx, Family, Game, Player, Wdl};
/// use agon_core::solver::Solver;
/// use agon_games::mnk::Mnk;
/// use agon_solve::AlphaBeta;
/// use agon_solve::repair::{Repair, repair};
/// use agon_solve::verify::{Claim, verify};
///
/// let (game, ctx) = (Mnk::new(3, 3, 3), Ctx::default());
/// let base = game.strategy("singh-objectives", "").unwrap();
/// let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
/// let mut solver = AlphaBeta::new(1 << 20);
/// let mut keeps = |pos: &_| solver.keeps(&game, pos, claim.side, claim.least, &ctx);
/// let Ok(Repair::Repaired { patched, .. }) = repair(&game, base, &claim, 12, &ctx, &mut keeps) else { panic!() };
/// assert!(verify(&game, &patched, &claim, &ctx).unwrap().holds);
/// ```
pub fn repair<G: Symmetric>(
    game: &G,
    base: Box<dyn Strategy<G>>,
    claim: &Claim<G::Position>,
    most: usize,
    ctx: &Ctx,
    keeps: Keeps<'_, G::Position>,
) -> Result<Repair<G>, Failed> {
    repair_within(game, base, claim, (most, EFFORT), ctx, keeps)
}

/// The same with another effort.
fn repair_within<G: Symmetric>(
    game: &G,
    base: Box<dyn Strategy<G>>,
    claim: &Claim<G::Position>,
    (most, effort): (usize, u64),
    ctx: &Ctx,
    keeps: Keeps<'_, G::Position>,
) -> Result<Repair<G>, Failed> {
    if !keeps(&claim.root)? {
        return Ok(Repair::Impossible);
    }
    let mut search = Search { game, claim, ctx, left: effort };
    let mut patched = Patched::new(base);
    for allowed in 0..=most {
        ctx.progress("repairing", allowed as u64, Some(most as u64));
        match search.patch(&mut patched, allowed, keeps)? {
            Tried::Holds => return Ok(Repair::Repaired { patched, at_least: allowed }),
            Tried::Fails => {}
            Tried::Left => {
                if !patched.looks_back() {
                    let book = book(game, &patched, claim, ctx, keeps)?;
                    book.into_iter().flatten().for_each(|(pos, mv)| patched.except(game, &pos, mv));
                }
                search.mend(&mut patched, keeps)?;
                return Ok(Repair::Repaired { patched, at_least: allowed });
            }
        }
    }
    Ok(Repair::NotWithin(most))
}

/// The result of one depth of the search.
enum Tried {
    /// The exceptions suffice, and are in place.
    Holds,
    /// No exceptions suffice.
    Fails,
    /// It took too long to find out.
    Left,
}

struct Search<'a, G: Game> {
    game: &'a G,
    claim: &'a Claim<G::Position>,
    ctx: &'a Ctx,
    /// Positions that the search may still visit.
    left: u64,
}

impl<G: Symmetric> Search<'_, G> {
    /// Returns whether at most `allowed` further exceptions suffice; leaves them in place if so.
    fn patch(
        &mut self,
        patched: &mut Patched<G>,
        allowed: usize,
        keeps: Keeps<'_, G::Position>,
    ) -> Result<Tried, Failed> {
        let (broken, visited) = shortest(self.game, patched, self.claim, self.ctx)?;
        self.left = self.left.saturating_sub(visited);
        let Some(broken) = broken else { return Ok(Tried::Holds) };
        if allowed == 0 {
            return Ok(Tried::Fails);
        }
        if self.left == 0 {
            return Ok(Tried::Left);
        }
        for pos in self.where_it_could_differ(&broken, keeps)?.into_iter().rev() {
            if patched.is_exception(self.game, &pos) {
                continue;
            }
            for mv in distinct_moves(self.game, &pos) {
                if !keeps(&self.game.after(&pos, mv))? {
                    continue;
                }
                patched.except(self.game, &pos, mv);
                match self.patch(patched, allowed - 1, keeps)? {
                    Tried::Fails => patched.unless(self.game, &pos),
                    Tried::Holds => return Ok(Tried::Holds),
                    Tried::Left => {
                        patched.unless(self.game, &pos);
                        return Ok(Tried::Left);
                    }
                }
            }
        }
        Ok(Tried::Fails)
    }

    /// The strategy's positions on the line, up to the last at which the claim could still be kept: the natural place
    /// for an exception is where the strategy first goes wrong.
    fn where_it_could_differ(
        &self,
        broken: &Counterexample<G::Move>,
        keeps: Keeps<'_, G::Position>,
    ) -> Result<Vec<G::Position>, Failed> {
        let (game, mut own, mut pos) = (self.game, Vec::new(), self.claim.root.clone());
        for &mv in &broken.moves {
            if game.turn(&pos) == self.claim.side {
                own.push(pos.clone());
            }
            game.play(&mut pos, mv);
            if !keeps(&pos)? {
                break;
            }
        }
        if game.outcome(&pos).is_none() && game.turn(&pos) == self.claim.side && keeps(&pos)? {
            own.push(pos);
        }
        Ok(own)
    }

    /// Makes an exception wherever the strategy first goes wrong, until the claim holds. Every exception keeps the
    /// claim, and no position gets two, so this ends. Then drops exceptions that are not needed.
    fn mend(&mut self, patched: &mut Patched<G>, keeps: Keeps<'_, G::Position>) -> Result<(), Failed> {
        let game = self.game;
        while !holds(game, patched, self.claim, self.ctx)? {
            let (wrong, stopped) = failures(game, patched, self.claim, keeps, self.ctx)?;
            if let Some(stop) = stopped {
                return Err(stop.into());
            }
            if wrong.is_empty() {
                break;
            }
            for failure in wrong {
                if patched.is_exception(game, &failure.position) {
                    continue;
                }
                for mv in distinct_moves(game, &failure.position) {
                    if keeps(&game.after(&failure.position, mv))? {
                        patched.except(game, &failure.position, mv);
                        break;
                    }
                }
            }
            self.ctx.progress("repairing", patched.exceptions(game).len() as u64, None);
        }
        if patched.exceptions(game).len() > DROPPED {
            return Ok(());
        }
        // An exception may become needless when another one is dropped.
        loop {
            let before = patched.exceptions(game);
            for (pos, moves) in &before {
                patched.unless(game, pos);
                if !holds(game, patched, self.claim, self.ctx)? {
                    patched.except(game, pos, moves[0]);
                }
            }
            if patched.exceptions(game).len() == before.len() {
                break;
            }
        }
        Ok(())
    }
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
    use crate::verify::verify;
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
        let mut keeps = |pos: &G::Position| {
            let seen = strong.value(pos).expect("reachable").wdl();
            Ok(if game.turn(pos) == side { seen >= least } else { seen.flip() >= least })
        };
        match repair(game, base, &claim, 12, &Ctx::default(), &mut keeps).unwrap() {
            Repair::Repaired { patched, at_least } => {
                assert!(verify(game, &patched, &claim, &Ctx::default()).unwrap().holds);
                assert_eq!(patched.exceptions(game).len(), at_least);
                Some(at_least)
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
    fn with_little_effort_a_repair_holds_and_the_bound_is_true() {
        let game = Mnk::new(3, 3, 3);
        let (side, least) = (Player::Second, Wdl::Draw);
        let claim = Claim { side, least, root: game.start() };
        let strong = Strong::solve(&game, &claim.root, 1 << 30, &Ctx::default()).unwrap();
        let seen = |pos: &agon_games::mnk::Stones| {
            let seen = strong.value(pos).expect("reachable").wdl();
            if game.turn(pos) == side { seen >= least } else { seen.flip() >= least }
        };
        // Three exceptions are the fewest.
        for effort in [1, 3_000, 100_000] {
            let base = game.strategy("singh-process", "win-first").unwrap();
            let found = repair_within(&game, base, &claim, (12, effort), &Ctx::default(), &mut |pos| Ok(seen(pos)));
            let Ok(Repair::Repaired { patched, at_least }) = found else { panic!("{effort}: no repair") };
            assert!(verify(&game, &patched, &claim, &Ctx::default()).unwrap().holds, "{effort}");
            let exceptions = patched.exceptions(&game);
            assert!(at_least <= 3 && exceptions.len() >= 3, "{effort}: {at_least} to {}", exceptions.len());
            assert!(exceptions.len() <= 8, "{effort}: {}", exceptions.len());
        }
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
