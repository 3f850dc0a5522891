//! Forced wins, for games too large to list their positions.

use super::{Evidence, FirstMove, Found, Method, Methods, Purpose, Request};
use crate::forced::{self, Forced, Searches};
use crate::move_values::moves_where;
use crate::strategy::{ListedStrategy, Moves, extract};
use crate::threats::Threats;
use agon_core::forcing::Forcing;
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Ctx, Player, Solution, Symmetric, Wdl, collect_moves};
use std::collections::BTreeSet;

/// Longer wins are not looked for.
const LONGEST: u32 = 200;

/// The methods for a game whose wins can be seen coming: the shortest forced win, and wins by threats alone.
///
/// ```
/// use agon_core::{Ctx, Game, Wdl};
/// use agon_games::tak::Tak;
/// use agon_solve::method::{Request, forced};
///
/// let (game, request) = (Tak::new(2, 2), Request { evidence: true, totals: false, memory: 1 << 24 });
/// let found = forced::<Tak>()[0].solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!((found.solution.value.value(), found.solution.plies), (Some(Wdl::Win), Some(3)));
/// ```
#[must_use]
pub fn forced<G: Forcing + Symmetric>() -> Methods<G> {
    vec![Box::new(ByForced), Box::new(ByThreats)]
}

/// Wins within 1, 2, 3, … plies, until one is found.
struct ByForced;

impl<G: Forcing + Symmetric> Method<G> for ByForced {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let memory = request.memory as usize;
        let mut solver = Deepening::new(memory);
        let forced::ForcedSolution { solution, none_within } = solver.searches.solve(game, pos, LONGEST, ctx);
        let mut found = Found::new(solution, "alphabeta");
        found.must_check = !game.has_exact_keys();
        let Some(value) = found.solution.value.value() else {
            found.details.none_within = Some(none_within);
            return Ok(found);
        };
        // From the start every first move is worth knowing.
        if *pos == game.start() {
            found.details.first_moves = first_moves(game, pos, value, memory, ctx)?;
        }
        if request.evidence || found.must_check {
            let plan = |(side, least)| {
                let moves = plan(game, pos, side, least, memory, ctx)?;
                let within = found.solution.plies.filter(|_| least == Wdl::Win);
                Ok(Evidence::Strategy(ListedStrategy { side, least, within, moves }))
            };
            found.evidence = super::holders(game.turn(pos), value).into_iter().map(plan).collect();
        }
        found.solver = Some(Box::new(solver));
        Ok(found)
    }

    fn solver(&self, _: &G, purpose: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        (purpose == Purpose::Moves).then(|| Box::new(Deepening::new(memory as usize)) as Box<dyn Solver<G>>)
    }

    fn rests_on_hashes(&self, game: &G) -> bool {
        !game.has_exact_keys()
    }
}

/// The value of each first move up to symmetry, as far as the winner's wins decide it.
fn first_moves<G: Forcing + Symmetric>(
    game: &G,
    pos: &G::Position,
    value: Wdl,
    memory: usize,
    ctx: &Ctx,
) -> Result<Vec<FirstMove<G::Move>>, Failed> {
    let winner = match value {
        Wdl::Win => game.turn(pos),
        Wdl::Loss => game.turn(pos).other(),
        Wdl::Draw => return Ok(Vec::new()),
    };
    let (mut search, mut meter) = (Forced::new(winner, memory), ctx.meter());
    let (mut list, mut seen) = (Vec::new(), BTreeSet::new());
    for mv in collect_moves(game, pos) {
        let after = game.after(pos, mv);
        if seen.insert(game.canonical(&after).0) {
            let plies = search.shortest(game, &after, LONGEST, &mut meter)?.map(|plies| plies + 1);
            list.push((mv, plies.map(|_| value), plies));
        }
    }
    Ok(list)
}

/// A quickest move of a side that gets `least`, at every position that its moves and any replies lead to.
fn plan<G: Forcing + Symmetric>(
    game: &G,
    root: &G::Position,
    side: Player,
    least: Wdl,
    memory: usize,
    ctx: &Ctx,
) -> Result<Moves<G>, Failed> {
    let mut search = match least {
        Wdl::Draw => Forced::holding(side, memory / 2),
        _ => Forced::new(side, memory),
    };
    let mut meter = ctx.meter();
    let choose = |pos: &G::Position| {
        let plies = search.shortest(game, pos, LONGEST, &mut meter)?;
        let mv = match plies {
            Some(plies) => search.winning_move(game, pos, plies, &mut meter)?,
            None => None,
        };
        mv.ok_or_else(|| Failed::Unsuitable("the strategy behind the value could not be found again".to_string()))
    };
    extract(game, root, side, choose, ctx)
}

/// Searches all moves of a position side by side, one ply deeper at a time.
struct Deepening<G: Forcing> {
    searches: Searches<G>,
    memory: usize,
}

impl<G: Forcing> Deepening<G> {
    fn new(memory: usize) -> Deepening<G> {
        Deepening { searches: Searches::new(memory), memory }
    }
}

impl<G: Forcing + Symmetric> Solver<G> for Deepening<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.searches.solve(game, pos, LONGEST, ctx).solution)
    }

    /// Moves about which nothing is proven in time stay open.
    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let mover = game.turn(pos);
        let mut meter = ctx.meter();
        let mut searches = [mover, mover.other()].map(|side| Forced::new(side, self.memory / 2));
        let open = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        let mut list: EachMove<G::Move> = collect_moves(game, pos).into_iter().map(|mv| (mv, open.clone())).collect();
        for plies in 0..LONGEST {
            let unknown = list.iter_mut().filter(|(_, after)| after.value.value().is_none());
            let mut some_open = false;
            for (mv, known) in unknown {
                match decided(game, &game.after(pos, *mv), plies, &mut searches, &mut meter) {
                    Ok(Some((value, plies))) => {
                        (known.value, known.plies) = (Bounds::exactly(value), plies);
                    }
                    Ok(None) => some_open = true,
                    Err(stop) => {
                        known.stopped = Some(stop);
                        return Ok(list);
                    }
                }
            }
            if !some_open {
                break;
            }
        }
        Ok(list)
    }

    /// The quickest wins, or the slowest losses, where positions are told apart by exact keys.
    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        let (Some(value), Some(plies)) = (solution.value.value(), solution.plies) else { return Ok(None) };
        let mover = game.turn(pos);
        let (winner, within) = match value {
            Wdl::Win => (mover, plies.checked_sub(1)),
            Wdl::Loss => (mover.other(), plies.checked_sub(2)),
            Wdl::Draw => return Ok(None),
        };
        if !game.has_exact_keys() {
            return Ok(None);
        }
        let (mut search, mut meter) = (Forced::new(winner, self.memory), ctx.meter());
        let reaches = |mv| {
            let after = game.after(pos, mv);
            let won = match (game.outcome(&after), within) {
                // A move that loses at once is as good as any where all lose at once.
                (Some(outcome), within) => outcome.winner() == Some(winner) && (value == Wdl::Win || within.is_some()),
                (None, Some(within)) => search.within(game, &after, within, &mut meter)?,
                (None, None) => false,
            };
            Ok(won == (value == Wdl::Win))
        };
        moves_where(game, pos, reaches).map(Some)
    }
}

/// The value of a position for its mover, if it is over or one side wins within that many plies; the side that moved
/// to it is the first of the searches.
fn decided<G: Forcing>(
    game: &G,
    after: &G::Position,
    plies: u32,
    searches: &mut [Forced<G>; 2],
    meter: &mut agon_core::Meter<'_>,
) -> Result<Option<(Wdl, Option<u32>)>, agon_core::Stop> {
    if let Some(outcome) = game.outcome(after) {
        let value = outcome.seen_by(game.turn(after));
        return Ok(Some((value, (value != Wdl::Draw).then_some(0))));
    }
    for (search, value) in searches.iter_mut().zip([Wdl::Loss, Wdl::Win]) {
        if search.within(game, after, plies, meter)? {
            return Ok(Some((value, Some(plies))));
        }
    }
    Ok(None)
}

/// Proof-number search for a win by threats alone.
struct ByThreats;

impl<G: Forcing + Symmetric> Method<G> for ByThreats {
    fn name(&self) -> &'static str {
        "proof-number"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut tree = Threats::new(game, pos, request.memory as usize);
        let mut found = Found::new(tree.solve(ctx), "proof-number");
        found.must_check = !game.has_exact_keys();
        if request.evidence || found.must_check {
            let plan = |(moves, within)| {
                let (side, least, within) = (game.turn(pos), Wdl::Win, Some(within));
                Evidence::Strategy(ListedStrategy { side, least, within, moves })
            };
            found.evidence = Ok(tree.proof().map(plan).into_iter().collect());
        }
        Ok(found)
    }
}
