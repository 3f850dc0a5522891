//! Puzzles: positions of random games, or of given ones, with exactly one right move, for every kind of game.

use super::game::Erased;
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Evaluate, Family, Rng, Solution, Stop, Symmetric, Wdl, collect_moves, moves_again};
use agon_report::failure::Failure;
use agon_report::{Puzzle, PuzzleKind, PuzzlesReport};
use std::collections::BTreeSet;
use std::time::Instant;

/// The most games that are played for one puzzle.
const PLAYS: usize = 400;

/// The most plies of such a game.
const LONGEST_PLAY: usize = 120;

/// The number of positions of each game that are examined.
const LOOKS: usize = 6;

/// Games end at a position with more moves.
const MOST_MOVES: usize = 1_000_000;

/// Positions with more moves are not looked at.
const MANY_MOVES: usize = 1000;

/// A request for puzzles.
#[derive(Clone, Debug)]
pub struct PuzzleRequest {
    /// The effect of the right move.
    pub kind: PuzzleKind,
    /// The number of puzzles.
    pub count: usize,
    /// The seed of the games. The same seed gives the same puzzles.
    pub seed: u64,
    /// The most nodes for each position and for each of its moves.
    pub nodes: u64,
    /// The positions to look at, in this order; empty means those of random games.
    pub positions: Vec<String>,
}

/// A puzzle, and its parts if the game is impartial.
type Found = (Puzzle, Option<Vec<String>>);

/// The work on one request.
struct Maker<'a, G: Family> {
    erased: &'a Erased<G>,
    solver: Box<dyn Solver<G>>,
    /// True if the solver needs a table of all positions before its first answer.
    table: bool,
    nodes: u64,
    rng: Rng,
    /// The positions looked at, one of each orbit.
    seen: BTreeSet<G::Position>,
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// Makes puzzles. If it finds too few, or is stopped by its context, the report has those that it found.
    pub(super) fn puzzling(&self, request: &PuzzleRequest, ctx: &Ctx) -> Result<PuzzlesReport, Failure> {
        let begun = Instant::now();
        let (solver, table) = self.prover().ok_or_else(|| self.not_offered("a puzzle"))?;
        // Several threads share their nodes in an order that differs from run to run.
        let quiet = ctx.without_progress().with_threads(1);
        let (rng, seen) = (Rng::new(request.seed), BTreeSet::new());
        // The parts of puzzles so far: the sides of an impartial game have the same moves.
        let mut sums = BTreeSet::new();
        let mut maker = Maker { erased: self, solver, table, nodes: request.nodes, rng, seen };
        let mut report = PuzzlesReport::new(&self.spelling, request.kind, request.seed, request.count);
        let mut given = request.positions.iter();
        let looks = if request.positions.is_empty() { request.count.saturating_mul(PLAYS) } else { given.len() };
        for _ in 0..looks {
            match ctx.check() {
                Err(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
                Err(_) => break,
                Ok(()) if report.puzzles.len() >= request.count => break,
                Ok(()) => {}
            }
            let found = match given.next() {
                Some(pos) => maker.look_at(&self.read(pos)?, request.kind, &quiet)?,
                None => {
                    report.plays += 1;
                    maker.play(request.kind, &quiet)?
                }
            };
            if let Some((puzzle, parts)) = found
                && parts.is_none_or(|parts| sums.insert(parts))
            {
                report.puzzles.push(puzzle);
            }
            ctx.progress("finding puzzles", report.puzzles.len() as u64, Some(request.count as u64));
        }
        report.sort();
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// The puzzle that a position is, if it is one.
    pub(super) fn puzzle_at(&self, pos: &G::Position, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Puzzle>, Failure> {
        let (solver, table) = self.prover().ok_or_else(|| self.not_offered("a puzzle"))?;
        let mut maker = Maker { erased: self, solver, table, nodes: u64::MAX, rng: Rng::new(0), seen: BTreeSet::new() };
        maker.puzzle(pos, kind, ctx)
    }
}

impl<G: Family + Symmetric + Evaluate> Maker<'_, G> {
    /// Plays a game, and looks for a puzzle among its positions.
    fn play(&mut self, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Found>, Failure> {
        let game = &self.erased.game;
        // Every second game is played well now and then: its positions are more like those of real games.
        let skill = [0.0, 0.6][self.rng.below(2)];
        let (mut pos, mut positions) = (game.start(), Vec::new());
        // A random move of very many takes too long to find.
        let continues = |pos: &G::Position| game.outcome(pos).is_none() && game.count_moves(pos) <= MOST_MOVES;
        while positions.len() < LONGEST_PLAY && continues(&pos) {
            positions.push(pos.clone());
            let best = if self.rng.unit() < skill { self.solve(&pos, ctx)?.best } else { None };
            let Some(mv) = best.or_else(|| game.random_move(&pos, &mut self.rng)) else { break };
            game.play(&mut pos, mv);
        }
        for _ in 0..LOOKS.min(positions.len()) {
            let pos = positions.swap_remove(self.rng.below(positions.len()));
            if let Some(found) = self.look_at(&pos, kind, ctx)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The puzzle that a position is, if it is one and no equal one was looked at before.
    fn look_at(&mut self, pos: &G::Position, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Found>, Failure> {
        let game = &self.erased.game;
        if game.outcome(pos).is_some() || !self.seen.insert(game.canonical(pos).0) {
            return Ok(None);
        }
        let Some(puzzle) = self.puzzle(pos, kind, ctx)? else { return Ok(None) };
        let sum = self.erased.capabilities.sum.map(|sum| sum(game, pos, ctx)).transpose()?;
        let parts = sum.map(|sum| {
            let mut parts: Vec<String> = sum.parts.into_iter().map(|part| part.text).collect();
            parts.sort_unstable();
            parts
        });
        Ok(Some((puzzle, parts)))
    }

    /// Returns what is proven about a position within its nodes.
    fn solve(&mut self, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failure> {
        let game = &self.erased.game;
        if let Some(outcome) = game.outcome(pos) {
            let value = Bounds::exactly(outcome.seen_by(game.turn(pos)));
            return Ok(Solution { value, plies: Some(0), best: None, nodes: 0, stopped: None });
        }
        let open = |stop| Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: Some(stop) };
        if game.count_moves(pos) > MANY_MOVES {
            return Ok(open(Stop::Nodes));
        }
        let nodes = if self.table { u64::MAX } else { self.nodes };
        let solution = match self.solver.solve(game, pos, &ctx.sub_budget(nodes)) {
            Err(Failed::Stopped(stop)) if !self.table => open(stop),
            Err(Failed::OutOfRange { .. }) => open(Stop::Memory),
            solution => solution?,
        };
        match solution.stopped {
            Some(Stop::Interrupted) => Err(Stop::Interrupted.into()),
            _ => Ok(solution),
        }
    }

    /// The puzzle that a position is, if it is one.
    fn puzzle(&mut self, pos: &G::Position, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Puzzle>, Failure> {
        let game = &self.erased.game;
        let moves = collect_moves(game, pos);
        let solved = self.solve(pos, ctx)?;
        let wanted = match kind {
            PuzzleKind::Win => Wdl::Win,
            PuzzleKind::Save => Wdl::Draw,
        };
        if moves.len() < 2 || solved.value.value() != Some(wanted) {
            return Ok(None);
        }
        let (mut right, mut slowest) = (None, Some(0));
        for &mv in &moves {
            let after = game.after(pos, mv);
            let known = self.solve(&after, ctx)?;
            let worth = known.value.to_parent_with(moves_again(game, pos, &after));
            match (worth.value() == Some(wanted), worth.hi < wanted) {
                (true, _) if right.is_none() => right = Some(mv),
                (false, true) => {
                    slowest = slowest.zip(known.plies).map(|(most, plies): (u32, u32)| most.max(plies + 1))
                }
                // A second right move, or one that is not decided.
                _ => return Ok(None),
            }
        }
        let Some(solution) = right else { return Ok(None) };
        let mut measured = self.erased.measurer(pos, &solved, ctx)?;
        let (solver, plies) = match &mut measured {
            Some((solver, measured)) => (solver, measured.plies),
            None => (&mut self.solver, solved.plies),
        };
        let root = Solution { best: Some(solution), plies, ..solved };
        let line = self.erased.principal_variation(pos, &root, solver.as_mut(), ctx);
        let distance = match kind {
            PuzzleKind::Win => plies,
            PuzzleKind::Save => slowest,
        };
        let (mover, decoys) = (game.turn(pos), moves.len() - 1);
        Ok(Some(Puzzle {
            position: game.show(pos),
            mover: mover.name(),
            name: game.player_name(mover),
            solution: game.show_move(pos, solution),
            line: game.show_line(pos, &line).0,
            distance,
            decoys,
            grade: Puzzle::grade(distance, decoys),
            board: game.scene(pos).text(),
        }))
    }
}
