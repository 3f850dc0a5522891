//! What Tak brings to the command line: its solvers and its game files.

use super::loopy::{Found, Loopy, Proof};
use super::{Recorded, SolveRequest};
use crate::erased::SolverName;
use crate::failure::Failure;
use crate::report::FirstMove;
use agon_core::forcing::Forcing;
use agon_core::{Ctx, Game, Notation, Player, Solution, Stop, Symmetric, Wdl, collect_moves};
use agon_games::tak::ptn::{PtnError, Record};
use agon_games::tak::{Move, Position, Tak};
use agon_solve::forced::{self, Forced};
use agon_solve::threats::Threats;

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

    /// The shortest forced win, or the longest resistance; without a proof in time, the move that looks
    /// best among those that do not lose at once.
    fn best(&self, pos: &Position, ctx: &Ctx) -> (Move, bool) {
        let solution = forced::solve(self, pos, MOST, PLAYER_MEMORY, ctx);
        match solution.best {
            Some(mv) => (mv, true),
            None => (most_promising(self, pos), false),
        }
    }

    fn read_record(&self, text: &str) -> Option<Result<Recorded, Failure>> {
        text.trim_start_matches('\u{feff}').trim_start().starts_with('[').then(|| {
            let corrupt = |error: PtnError| Failure::Corrupt(format!("PTN: {error}"));
            let record = Record::read(text).map_err(corrupt)?;
            let from = record.start(self).map_err(corrupt)?;
            let line = record.replay(self).map_err(corrupt)?;
            let moves = record.plies.iter().zip(&line).map(|(ply, pos)| {
                let mv = self.parse_move(pos, ply)?;
                Ok(self.show_move(pos, mv))
            });
            let spelling = record.spelling().map_err(corrupt)?;
            Ok(Recorded { spelling, from: self.show(&from), moves: moves.collect::<Result<_, Failure>>()? })
        })
    }

    fn write_record(&self, from: &Position, moves: &[String]) -> Option<String> {
        self.ptn(from, moves, &[]).ok()
    }
}

fn most_promising(game: &Tak, pos: &Position) -> Move {
    let measure = |mv: &Move| {
        let mut after = game.after(pos, *mv);
        let lost = match game.outcome(&after) {
            Some(outcome) => outcome.seen_by(game.turn(pos)) == Wdl::Loss,
            None => game.win_now(&mut after).is_some(),
        };
        (!lost, game.promise(&after))
    };
    let best = collect_moves(game, pos).into_iter().max_by_key(measure);
    best.expect("an unfinished position has a move")
}

/// The shortest forced win of either side.
fn shortest(game: &Tak, pos: &Position, request: SolveRequest, ctx: &Ctx) -> Result<Found<Tak>, Failure> {
    let solution = forced::solve(game, pos, MOST, request.memory, ctx);
    let mut found = Found::new(solution, "alphabeta");
    if found.solution.value.value().is_none() || found.solution.stopped.is_some() {
        return Ok(found);
    }
    // From the start every first move is worth knowing.
    if *pos == game.start() {
        found.first_moves = first_moves(game, pos, &found.solution, request.memory, ctx)?;
    }
    if request.certificate {
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

/// A quickest move of the winner at every position, up to symmetry, that its moves and any replies lead
/// to.
fn evidence(
    game: &Tak,
    root: &Position,
    solution: &Solution<Move>,
    memory: usize,
    ctx: &Ctx,
) -> Result<Option<Proof<Tak>>, Stop> {
    let Some(side) = winner(game, root, solution) else { return Ok(None) };
    let mut search = Forced::new(side, memory);
    let mut meter = ctx.meter();
    let mut proof = Vec::new();
    let first = game.canonical(root).0;
    let mut seen = std::collections::HashSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(pos) = todo.pop() {
        if game.outcome(&pos).is_some() {
            continue;
        }
        let mut next = Vec::new();
        if game.turn(&pos) == side {
            let plies = search.shortest(game, &pos, MOST, &mut meter)?;
            let plies = plies.expect("every position of the proof is won");
            let mv = search.winning_move(game, &pos, plies, &mut meter)?.expect("a win begins with a move");
            next.push(game.after(&pos, mv));
            proof.push((pos, mv));
        } else {
            game.moves(&pos, &mut |mv| next.push(game.after(&pos, mv)));
        }
        for child in next {
            let child = game.canonical(&child).0;
            if seen.insert(child.clone()) {
                todo.push(child);
            }
        }
        ctx.progress("writing the proof", proof.len() as u64, None);
    }
    Ok(Some(Proof { within: solution.plies, moves: proof }))
}
