//! Games in which every play ends, with everything agon can do with them.

mod lines;

use super::agents::{self, Kit};
use super::impartial::ByParts;
use super::spoken::Behind;
use super::verifying::Verifying;
use super::{AnyAgent, AnyGame, Entry, Evidence, MoveValue, Offers, SolveRequest, StrategyRequest, VerifyRequest};
use crate::erased::SolverName;
use crate::failure::Failure;
use crate::report::{CountReport, SolveReport, VerifyReport};
use agon_check::{Certificate, Claim, Proved, Rejected, Section};
use agon_core::solver::Solver;
use agon_core::{
    Acyclic, Ctx, Evaluate, Facts, Family, GameError, Player, Solution, Stop, Symmetric, Value, Wdl, moves_again,
};
use agon_play::perfect::BySolver;
use agon_solve::count::Limits;
use agon_solve::lines::race::Race;
use agon_solve::strong::NoTable;
use agon_solve::{AlphaBeta, Auto, Strong, auto, brute, count, proof, verify};
use std::time::Instant;

/// Memory for the solver behind a player or a repair.
const PLAYER_MEMORY: usize = 1 << 28;

/// The capabilities this kind of game needs.
pub trait Complete: Family + Symmetric + Acyclic + Evaluate {}
impl<G: Family + Symmetric + Acyclic + Evaluate> Complete for G {}

/// The registry line of a family in which every play ends.
#[must_use]
pub const fn acyclic<G: Complete>() -> Entry {
    Entry { facts: G::FACTS, build: build::<G> }
}

fn build<G: Complete>(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    Ok(Box::new(Erased::<G>::build(given)?))
}

#[derive(Clone)]
pub(super) struct Erased<G: Complete> {
    game: G,
    spelling: String,
    facts: &'static Facts,
    /// For games that fall into parts.
    by_parts: Option<ByParts<G>>,
}

impl<G: Complete> Erased<G> {
    pub(super) fn build(given: &str) -> Result<Erased<G>, GameError> {
        let (game, spelling) = G::from_spelling(given)?;
        Ok(Erased::new(game, spelling, const { &G::FACTS }))
    }

    /// A game of that canonical spelling in a family that may share its type with others.
    pub(super) fn new(game: G, spelling: String, facts: &'static Facts) -> Erased<G> {
        Erased { game, spelling, facts, by_parts: None }
    }

    pub(super) fn by_parts(self, by_parts: ByParts<G>) -> Erased<G> {
        Erased { by_parts: Some(by_parts), ..self }
    }

    /// The solver behind players and the values of moves.
    fn quick_solver(&self) -> Box<dyn Solver<G>> {
        match self.by_parts {
            Some(by_parts) => (by_parts.solver)(),
            None => Box::new(Auto::new(PLAYER_MEMORY)),
        }
    }

    fn solver_names(&self) -> Vec<&'static str> {
        let lines = Player::BOTH.iter().any(|&maker| self.game.lines(maker).is_some());
        let race = Race::new(&self.game, Player::First).is_some();
        let special = self.by_parts.iter().map(|_| "nimbers");
        let special = special.chain(lines.then_some("lines")).chain(race.then_some("race"));
        special.chain(["alphabeta", "brute", "strong"]).collect()
    }

    fn solve_by_parts(&self, by_parts: ByParts<G>, pos: &G::Position, ctx: &Ctx) -> Result<SolveReport, Failure> {
        let begun = Instant::now();
        let (solution, details) = (by_parts.told)(&self.game, pos, ctx)?;
        let mut report = self.solve_report(pos, &solution, "nimbers");
        if let Some(details) = details {
            report.nimber = details.nimber;
            report.winning_moves = Some(details.winning.into_iter().map(|mv| self.game.show_move(pos, mv)).collect());
        }
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    fn value_certificate(
        &self,
        pos: &G::Position,
        value: Wdl,
        plies: Option<u32>,
        solver: &mut AlphaBeta<G>,
        ctx: &Ctx,
    ) -> Result<Certificate, Failure> {
        let mover = self.game.turn(pos);
        let sides = match value {
            Wdl::Win => vec![(mover, Wdl::Win, plies)],
            Wdl::Loss => vec![(mover.other(), Wdl::Win, plies)],
            Wdl::Draw => vec![(Player::First, Wdl::Draw, None), (Player::Second, Wdl::Draw, None)],
        };
        let mut sections = Vec::new();
        for (side, least, within) in sides {
            let moves = proof::extract(&self.game, pos, side, least, solver, ctx)?;
            let entry = |(pos, mv): (G::Position, G::Move)| (self.game.show(&pos), vec![self.game.show_move(&pos, mv)]);
            let mut entries: Vec<_> = moves.into_iter().map(entry).collect();
            entries.sort_unstable();
            sections.push(Section::Strategy { side, least, within, entries });
        }
        Ok(self.certificate(pos, Claim::Value(value), true, sections))
    }

    fn certificate(
        &self,
        pos: &G::Position,
        claim: Claim,
        up_to_symmetry: bool,
        sections: Vec<Section>,
    ) -> Certificate {
        let (game, from) = (self.spelling.clone(), self.game.show(pos));
        Certificate { game, rules: None, from, claim, up_to_symmetry, sections }
    }

    fn solve_strong(
        &self,
        pos: &G::Position,
        request: SolveRequest,
        ctx: &Ctx,
    ) -> Result<(SolveReport, Evidence), Failure> {
        let begun = Instant::now();
        let strong = Strong::solve(&self.game, pos, request.memory, ctx).map_err(|why| match why {
            NoTable::Stopped(stop) => stop.into(),
            NoTable::Memory => Failure::Failed(format!(
                "the table of {} needs more than {} MiB; allow more with --memory, or leave --strong out",
                self.spelling,
                request.memory >> 20
            )),
        })?;
        let solution = strong.solution(pos).expect("the root is reachable");
        let mut report = self.solve_report(pos, &solution, "strong");
        report.seconds = begun.elapsed().as_secs_f64();
        report.set_totals(strong.totals());
        let certificate = request.certificate.then(|| {
            let mut entries: Vec<(String, Value)> = Vec::new();
            strong.each_class(|pos, _, value| entries.push((self.game.show(pos), value)));
            entries.sort_unstable();
            self.certificate(pos, Claim::Table, true, vec![Section::Values(entries)])
        });
        Ok((report, Ok(certificate)))
    }

    fn solve_report(&self, pos: &G::Position, solution: &Solution<G::Move>, solver: &'static str) -> SolveReport {
        let mover = self.game.turn(pos);
        SolveReport::new(
            &self.spelling,
            self.game.show(pos),
            (mover, self.game.player_name(mover)),
            solution,
            solution.best.map(|mv| self.game.show_move(pos, mv)),
            solver,
        )
    }

    /// Whether `side` can still get `least` at `pos`.
    fn keeps(
        &self,
        pos: &G::Position,
        side: Player,
        least: Wdl,
        solver: &mut AlphaBeta<G>,
        ctx: &Ctx,
    ) -> Result<bool, Stop> {
        let mut meter = ctx.meter();
        let height = self.game.height(pos);
        let bound = if least == Wdl::Win { Value::win_in(height) } else { Value::DRAW };
        if self.game.turn(pos) == side {
            return solver.reaches(&self.game, pos, bound, ctx, &mut meter);
        }
        // The opponent must not reach more than the side's share leaves over.
        let too_much = if least == Wdl::Win { Value::DRAW } else { Value::win_in(height) };
        Ok(!solver.reaches(&self.game, pos, too_much, ctx, &mut meter)?)
    }
}

impl<G: Complete> Behind for Erased<G> {
    type Game = G;
    const LARGE: bool = false;

    fn game(&self) -> &G {
        &self.game
    }

    fn spelled(&self) -> &str {
        &self.spelling
    }

    fn about(&self) -> &'static Facts {
        self.facts
    }
}

impl<G: Complete> AnyGame for Erased<G> {
    fn offers(&self) -> Offers {
        Offers { solvers: self.solver_names(), agents: agents::names(true), strategies: self.game.strategies() }
    }

    fn count(&self, pos: &str, limits: Limits, ctx: &Ctx) -> Result<CountReport, Failure> {
        let pos = self.read(pos)?;
        let counts = count::count(&self.game, &pos, limits, ctx);
        let played_out = if pos == self.game.start() { self.game.played_out() } else { None };
        Ok(CountReport::new(&self.spelling, self.game.show(&pos), counts, played_out))
    }

    fn solve(&self, pos: &str, request: SolveRequest, ctx: &Ctx) -> Result<(SolveReport, Evidence), Failure> {
        let pos = self.read(pos)?;
        let begun = Instant::now();
        if request.strong {
            return self.solve_strong(&pos, request, ctx);
        }
        if let (Some(by_parts), SolverName::Auto, false) = (self.by_parts, request.solver, request.certificate) {
            return Ok((self.solve_by_parts(by_parts, &pos, ctx)?, Ok(None)));
        }
        let choice = match request.solver {
            SolverName::Auto => auto::choice(&self.game, request.memory),
            SolverName::Lines => "lines",
            SolverName::Race => "race",
            SolverName::Alphabeta | SolverName::Strong => "alphabeta",
            SolverName::Brute => "brute",
            SolverName::ProofNumber => {
                let offered = self.offers().solvers.join(", ");
                return Err(Failure::Usage(format!("{} has no threats to search; expected {offered}", self.spelling)));
            }
        };
        if choice == "lines" || (choice == "sweep" && request.certificate) {
            return self.solve_lines(&pos, request, ctx);
        }
        if choice == "turns" || choice == "race" {
            return self.solve_race(&pos, request, choice == "race", ctx);
        }
        let mut solver = AlphaBeta::new(request.memory);
        let solution = match choice {
            "sweep" => Auto::new(request.memory).solve(&self.game, &pos, ctx),
            "brute" => brute::solve(&self.game, &pos, ctx),
            _ => solver.solve(&self.game, &pos, ctx),
        };
        let mut report = self.solve_report(&pos, &solution, choice);
        report.seconds = begun.elapsed().as_secs_f64();
        let evidence = match solution.value.value().filter(|_| request.certificate) {
            Some(value) => self.value_certificate(&pos, value, solution.plies, &mut solver, ctx).map(Some),
            None => Ok(None),
        };
        Ok((report, evidence))
    }

    fn values(&self, pos: &str, ctx: &Ctx) -> Result<Vec<MoveValue>, Failure> {
        let pos = self.read(pos)?;
        let each = self.quick_solver().each_move(&self.game, &pos, ctx)?;
        let known = each.iter().filter(|(_, after)| after.value.value().is_some());
        Ok(known.map(|(mv, after)| self.move_value(&pos, *mv, after)).collect())
    }

    fn verify(&self, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<(VerifyReport, Evidence), Failure> {
        let root = self.read(pos)?;
        let (name, reading) = request.strategy.name.split_once(':').unwrap_or((&request.strategy.name, ""));
        let plain = request.strategy.exceptions.is_none() && request.repair.is_none() && root == self.game.start();
        if let Some(reduction) = self.game.reduction(name, reading).filter(|_| plain && request.least == Wdl::Win) {
            return self.verify_reduced(&root, request, reduction, ctx);
        }
        let claim = verify::Claim { side: request.side, least: request.least, root };
        let mut solver = AlphaBeta::new(PLAYER_MEMORY);
        let mut keeps = |pos: &G::Position| self.keeps(pos, claim.side, claim.least, &mut solver, &ctx.silent());
        self.verified(&claim, request, Some(&mut keeps), ctx)
    }

    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        agon_check::check(&self.game, certificate, ctx)
    }

    fn agent(&self, request: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        let table = self.by_parts.is_none() && auto::choice(&self.game, PLAYER_MEMORY) == "sweep";
        let kit = Kit {
            prover: Box::new(BySolver { solver: self.quick_solver(), table }),
            skill: true,
            strategy: &|request| self.strategy(request),
            trouble: None,
        };
        agents::player(&self.game, request, seed, kit)
    }
}

impl<G: Complete> Erased<G> {
    /// `after` is the solution of the position the move leads to, seen by the next mover.
    fn move_value(&self, pos: &G::Position, mv: G::Move, after: &Solution<G::Move>) -> MoveValue {
        MoveValue {
            mv: self.game.show_move(pos, mv),
            value: after.value.a_move_earlier(moves_again(&self.game, pos, &self.game.after(pos, mv))).lo,
            plies: after.plies.map(|plies| plies + 1),
            path: self.game.path(pos, mv),
        }
    }
}
