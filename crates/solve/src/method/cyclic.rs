//! Methods for any game in which play can cycle.

use super::{BRUTE, Evidence, Found, Method, Methods, Purpose, Request, STRONG, holders};
use crate::cyclic::{Cyclic, LookUp};
use crate::fixpoint;
use crate::strategy::{ListedStrategy, extract};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Solution, Symmetric, Value, Wdl, collect_moves, moves_again};
use std::sync::{Arc, Mutex};

/// The methods for a game in which play can cycle, from its forward rules alone: all reachable positions in memory,
/// and brute force to compare with.
///
/// ```
/// use agon_core::{Ctx, Family, Game, Wdl};
/// use agon_games::mill::Mill;
/// use agon_solve::method::{Request, cyclic};
///
/// let game = Mill::from_spelling("antrin:3").unwrap().0;
/// let request = Request { evidence: false, totals: false, memory: 1 << 24 };
/// let found = cyclic::<Mill>()[0].solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!(found.solution.value.value(), Some(Wdl::Draw));
/// ```
#[must_use]
pub fn cyclic<G: Symmetric>() -> Methods<G> {
    vec![Box::new(ByCyclic(Shared::default())), Box::new(ByFixpoint)]
}

/// The last solution, shared by all callers.
type Shared<G> = Arc<Mutex<Option<Arc<Cyclic<G>>>>>;

/// Every reachable position.
struct ByCyclic<G: Symmetric>(Shared<G>);

impl<G: Symmetric> ByCyclic<G> {
    fn solved(&self) -> Option<Arc<Cyclic<G>>> {
        self.0.lock().ok().and_then(|solved| solved.clone())
    }
}

impl<G: Symmetric> Method<G> for ByCyclic<G> {
    fn name(&self) -> &'static str {
        STRONG
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        // The totals are about what this very position leads to.
        let solved = Arc::new(Cyclic::solve(game, pos, request.memory, ctx)?);
        if let Ok(mut shared) = self.0.lock() {
            *shared = Some(solved.clone());
        }
        let mut found = Found::new(solved.solution(pos).expect("the root is stored"), STRONG);
        found.details.totals = request.totals.then(|| solved.totals());
        if request.evidence {
            found.evidence = evidence(game, pos, |pos| Ok(solved.value(pos)), ctx);
        }
        Ok(found)
    }

    fn solver(&self, _: &G, _: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        Some(Box::new(LookUp { memory, solved: self.solved() }))
    }

    fn needs_table(&self) -> bool {
        true
    }
}

/// Plain repetition over every reachable position until nothing changes.
pub(super) struct ByFixpoint;

impl<G: Symmetric> Method<G> for ByFixpoint {
    fn name(&self) -> &'static str {
        BRUTE
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let values = fixpoint::solve(game, pos, ctx)?;
        let value = values[pos];
        let worth = |mv: &G::Move| {
            let after = game.after(pos, *mv);
            values[&after].to_parent_with(moves_again(game, pos, &after))
        };
        let solution = Solution {
            value: Bounds::exactly(value.wdl()),
            plies: value.plies(),
            best: collect_moves(game, pos).into_iter().max_by_key(worth),
            nodes: values.len() as u64,
            stopped: None,
        };
        let mut found = Found::new(solution, BRUTE);
        if request.evidence {
            found.evidence = evidence(game, pos, |pos| Ok(values.get(pos).copied()), ctx);
        }
        Ok(found)
    }
}

/// A best strategy for each side that holds the value of `pos`, where `value` gives the value of any position that
/// play can reach.
pub(super) fn evidence<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    value: impl Fn(&G::Position) -> Result<Option<Value>, Failed>,
    ctx: &Ctx,
) -> Result<Vec<Evidence<G>>, Failed> {
    // Values may be stored for reachable positions alone, and a canonical position need not be reachable.
    let known = |pos: &G::Position| {
        for element in 0..game.order() {
            if let Some(value) = value(&game.image(element, pos))? {
                return Ok(value);
            }
        }
        Err(Failed::Unsuitable("a position that play leads to has no value in the tables".to_string()))
    };
    let root = known(pos)?;
    let best = |pos: &G::Position| {
        let mut best = None;
        for mv in collect_moves(game, pos) {
            let after = game.after(pos, mv);
            let worth = known(&after)?.to_parent_with(moves_again(game, pos, &after));
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, mv));
            }
        }
        Ok(best
            .unwrap_or_else(|| panic!("the rules contradict themselves at {pos:?}: no move, and the game is not over"))
            .1)
    };
    let plan = |(side, least)| {
        let moves = extract(game, pos, side, best, ctx)?;
        let within = root.plies().filter(|_| least == Wdl::Win);
        Ok(Evidence::Strategy(ListedStrategy { side, least, within, moves }))
    };
    holders(game.turn(pos), root.wdl()).into_iter().map(plan).collect()
}
