//! What Tak brings to the command line: its solvers and its game files.

use super::loopy::{Found, Loopy, Plan, Proof};
use super::{Recorded, SolveRequest};
use crate::erased::SolverName;
use crate::failure::Failure;
use crate::report::FirstMove;
use agon_core::{Bounds, Ctx, Game, Notation, Player, Solution, Stop, Symmetric, Wdl, collect_moves};
use agon_games::tak::ptn::{PtnError, Record};
use agon_games::tak::{Move, Position, Tak};
use agon_play::perfect::{Proofs, Prover};
use agon_solve::forced::{self, Forced};
use agon_solve::threats::Threats;
use num_bigint::BigUint;

/// Longer wins are not looked for.
const MOST: u32 = 200;

/// Memory for the search behind a player.
const PLAYER_MEMORY: usize = 1 << 28;

impl Loopy for Tak {
    const SOLVERS: &'static [&'static str] = &["alphabeta", "proof-number"];
    type Tables = ();

    fn find(&self, pos: &Position, _: &(), request: SolveRequest, ctx: &Ctx) -> Result<Found<Tak>, Failure> {
        match request.solver {
            SolverName::Auto | SolverName::Alphabeta => shortest(self, pos, request, ctx),
            SolverName::ProofNumber => Ok(tinue(self, pos, request, ctx)),
            _ => Err(Failure::Usage(format!("invalid solver: tak is solved by {}", Self::SOLVERS.join(" or ")))),
        }
    }

    /// Equation 4.12 of Beljaards's thesis, which is about the usual opening.
    fn positions_at_most(&self) -> Option<BigUint> {
        self.material().map(|material| material.positions_at_most())
    }

    fn must_check(&self) -> bool {
        !self.has_exact_keys()
    }

    /// Every move looked at one ply deeper at a time, until the time is up.
    fn values(&self, pos: &Position, ctx: &Ctx) -> Option<Vec<(Move, Wdl, Option<u32>)>> {
        Some(values(self, pos, false, ctx))
    }

    fn prover(&self, _: &()) -> Box<dyn Prover<Tak>> {
        Box::new(Deepening)
    }

    fn read_record(&self, text: &str) -> Option<Result<Recorded, Failure>> {
        text.trim_start_matches('\u{feff}').trim_start().starts_with('[').then(|| {
            let corrupt = |error: PtnError| Failure::Corrupt(format!("PTN: {error}"));
            let record = Record::read(text).map_err(corrupt)?;
            // Played by its own tags: the caller compares the games.
            let (spelling, game) = (record.spelling().map_err(corrupt)?, record.game().map_err(corrupt)?);
            let game = game.with_draw(self.draw_rule());
            let line = record.replay(&game).map_err(corrupt)?;
            let moves = record.plies.iter().zip(&line).map(|(ply, pos)| {
                let mv = game.parse_move(pos, ply)?;
                Ok(game.show_move(pos, mv))
            });
            let moves = moves.collect::<Result<_, Failure>>()?;
            let from = line.first().map_or_else(|| game.show(&game.start()), |first| game.show(first));
            Ok(Recorded { spelling: format!("{spelling}{}", self.draw_rule().parameter()), from, moves })
        })
    }

    fn write_record(&self, from: &Position, moves: &[String]) -> Option<String> {
        self.ptn(from, moves, &[]).ok()
    }
}

/// Looks at every move one ply deeper at a time, until one is proven to win or all are proven to lose.
struct Deepening;

impl Prover<Tak> for Deepening {
    fn prove(&mut self, game: &Tak, pos: &Position, ctx: &Ctx) -> Proofs<Move> {
        let mut proofs = Proofs::none(game, pos);
        for (mv, value, plies) in values(game, pos, true, ctx) {
            proofs.learn(mv, Bounds::exactly(value), plies);
        }
        proofs
    }
}

/// The shortest forced win of either side.
fn shortest(game: &Tak, pos: &Position, request: SolveRequest, ctx: &Ctx) -> Result<Found<Tak>, Failure> {
    let forced::Found { solution, none_within } = forced::solve(game, pos, MOST, request.memory, ctx);
    let mut found = Found::new(solution, "alphabeta");
    if found.solution.value.value().is_none() {
        return Ok(Found { none_within: Some(none_within), ..found });
    }
    // From the start every first move is worth knowing.
    if *pos == game.start() {
        found.first_moves = first_moves(game, pos, &found.solution, request.memory, ctx)?;
    }
    if request.certificate && found.solution.value.value() == Some(Wdl::Draw) {
        found.holds = holds(game, pos, request.memory, ctx)?;
    } else if request.certificate {
        found.evidence = evidence(game, pos, &found.solution, request.memory, ctx).map_err(Failure::from);
    }
    Ok(found)
}

/// A win by threats alone, if there is one.
fn tinue(game: &Tak, pos: &Position, request: SolveRequest, ctx: &Ctx) -> Found<Tak> {
    let mut tree = Threats::new(game, pos, request.memory);
    let solution = tree.solve(ctx);
    let proof = || tree.proof().map(|(moves, within)| Proof { within: Some(within), moves });
    let evidence = Ok(if request.certificate { proof() } else { None });
    Found { evidence, ..Found::new(solution, "proof-number") }
}

/// The side that wins from `pos`, where it is known.
fn winner(game: &Tak, pos: &Position, solution: &Solution<Move>) -> Option<Player> {
    match solution.value.value()? {
        Wdl::Win => Some(game.turn(pos)),
        Wdl::Loss => Some(game.turn(pos).other()),
        Wdl::Draw => None,
    }
}

/// What each first move up to symmetry is worth, as far as wins of the winner go.
fn first_moves(
    game: &Tak,
    pos: &Position,
    solution: &Solution<Move>,
    memory: usize,
    ctx: &Ctx,
) -> Result<Vec<FirstMove>, Stop> {
    let Some(side) = winner(game, pos, solution) else { return Ok(Vec::new()) };
    let mut search = Forced::new(side, memory);
    let mut meter = ctx.meter();
    let mut list = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for mv in collect_moves(game, pos) {
        let after = game.after(pos, mv);
        if !seen.insert(game.canonical(&after).0) {
            continue;
        }
        let plies = search.shortest(game, &after, MOST, &mut meter)?.map(|n| n + 1);
        let value = match plies {
            Some(_) if side == game.turn(pos) => Wdl::Win.name(),
            Some(_) => Wdl::Loss.name(),
            None => "unknown",
        };
        list.push(FirstMove { mv: game.show_move(pos, mv), value, plies });
    }
    Ok(list)
}

/// How each side brings play to an end without losing.
fn holds(game: &Tak, root: &Position, memory: usize, ctx: &Ctx) -> Result<Option<[Plan<Tak>; 2]>, Stop> {
    let plan = |side| plan(game, root, side, &mut Forced::holding(side, memory / 2), ctx);
    Ok(plan(Player::First)?.zip(plan(Player::Second)?).map(|(first, second)| [first, second]))
}

/// A quickest win.
fn evidence(
    game: &Tak,
    root: &Position,
    solution: &Solution<Move>,
    memory: usize,
    ctx: &Ctx,
) -> Result<Option<Proof<Tak>>, Stop> {
    let Some(side) = winner(game, root, solution) else { return Ok(None) };
    let moves = plan(game, root, side, &mut Forced::new(side, memory), ctx)?;
    Ok(moves.map(|moves| Proof { within: solution.plies, moves }))
}

/// A quickest move of a side that gets what the search looks for, at every position, up to symmetry, that its
/// moves and any replies lead to. `None` if the search finds no such move at one of them: two positions then share a
/// hash, and there is no evidence.
fn plan(
    game: &Tak,
    root: &Position,
    side: Player,
    search: &mut Forced<Tak>,
    ctx: &Ctx,
) -> Result<Option<Plan<Tak>>, Stop> {
    let mut meter = ctx.meter();
    let mut plan = Vec::new();
    let first = game.canonical(root).0;
    let mut seen = std::collections::HashSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(pos) = todo.pop() {
        if game.outcome(&pos).is_some() {
            continue;
        }
        let mut next = Vec::new();
        if game.turn(&pos) == side {
            let Some(plies) = search.shortest(game, &pos, MOST, &mut meter)? else { return Ok(None) };
            let Some(mv) = search.winning_move(game, &pos, plies, &mut meter)? else { return Ok(None) };
            next.push(game.after(&pos, mv));
            plan.push((pos, mv));
        } else {
            game.moves(&pos, &mut |mv| next.push(game.after(&pos, mv)));
        }
        for child in next {
            let child = game.canonical(&child).0;
            if seen.insert(child.clone()) {
                todo.push(child);
            }
        }
        ctx.progress("writing the proof", plan.len() as u64, None);
    }
    Ok(Some(plan))
}

/// Moves whose worth is proven before the time is up, by searching all of them one ply deeper at a time; perhaps only
/// until one wins.
fn values(game: &Tak, pos: &Position, until_won: bool, ctx: &Ctx) -> Vec<(Move, Wdl, Option<u32>)> {
    let mover = game.turn(pos);
    let mut meter = ctx.meter();
    let mut searches = [mover, mover.other()].map(|side| Forced::new(side, PLAYER_MEMORY / 2));
    let mut open = collect_moves(game, pos);
    let mut known = Vec::new();
    for n in 1..=MOST {
        let mut still = Vec::new();
        for mv in std::mem::take(&mut open) {
            let after = game.after(pos, mv);
            let over = game.outcome(&after).map(|outcome| outcome.seen_by(mover));
            let mut found = over.map(|value| (value, 1));
            for (search, value) in searches.iter_mut().zip([Wdl::Win, Wdl::Loss]) {
                if found.is_none() {
                    match search.within(game, &after, n - 1, &mut meter) {
                        Ok(true) => found = Some((value, n)),
                        Ok(false) => {}
                        Err(_) => return known,
                    }
                }
            }
            match found {
                Some((value, plies)) => {
                    known.push((mv, value, (value != Wdl::Draw).then_some(plies)));
                    if until_won && value == Wdl::Win {
                        return known;
                    }
                }
                None => still.push(mv),
            }
        }
        if still.is_empty() || ctx.check().is_err() {
            break;
        }
        open = still;
    }
    known
}
