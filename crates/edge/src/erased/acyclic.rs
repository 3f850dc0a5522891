//! Games in which every play ends, with everything agon can do with them.

mod lines;

use super::agents::{self, Kit};
use super::impartial::ByParts;
use super::{AnyAgent, AnyGame, Entry, Evidence, MoveValue, Offers, SolveRequest, StrategyRequest, VerifyRequest};
use crate::erased::SolverName;
use crate::failure::Failure;
use crate::report::{
    CountReport, Exception, FailureReport, RepairReport, SolveReport, VerifyReport, counterexample_text,
};
use agon_check::{Certificate, Claim, Proved, Rejected, Section};
use agon_core::scene::Scene;
use agon_core::solver::Solver;
use agon_core::strategy::Patched;
use agon_core::{
    Acyclic, Ctx, Evaluate, Facts, Family, GameError, Guide, Player, Solution, Status, Stop, Strategy, Symmetric,
    Value, Wdl, collect_moves,
};
use agon_solve::count::Limits;
use agon_solve::lines::race::Race;
use agon_solve::repair::Repair;
use agon_solve::strong::NoTable;
use agon_solve::{AlphaBeta, Auto, Strong, auto, brute, count, perft, proof, repair, verify};
use std::time::Instant;

/// Memory for the solver behind a player or a repair.
const PLAYER_MEMORY: usize = 1 << 28;

/// Lines listed by `verify --all` at most.
const LINES_LISTED: usize = 1000;

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

    fn read(&self, text: &str) -> Result<G::Position, Failure> {
        if text.trim() == "start" { Ok(self.game.start()) } else { Ok(self.game.parse(text)?) }
    }

    fn line(&self, root: &G::Position, moves: &[G::Move]) -> Vec<String> {
        let mut pos = root.clone();
        let mut names = Vec::new();
        for &mv in moves {
            names.push(self.game.show_move(&pos, mv));
            self.game.play(&mut pos, mv);
        }
        names
    }

    fn strategy(&self, request: &StrategyRequest) -> Result<Box<dyn Strategy<G>>, Failure> {
        let (name, reading) = request.name.split_once(':').unwrap_or((&request.name, ""));
        let base = self.game.strategy(name, reading).ok_or_else(|| self.no_strategy(name, reading))?;
        let Some((file, text)) = &request.exceptions else { return Ok(base) };
        let mut patched = Patched::new(base);
        for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why: String| Failure::Usage(format!("`{file}`, line {number}: {why}"));
            let words: Vec<&str> = line.split_whitespace().collect();
            let [pos, mv] = words[..] else { return Err(wrong("expected `POSITION MOVE`".into())) };
            let pos = self.game.parse(pos).map_err(|e| wrong(e.to_string()))?;
            let mv = self.game.parse_move(&pos, mv).map_err(|e| wrong(e.to_string()))?;
            patched.except(&self.game, &pos, mv);
        }
        Ok(Box::new(patched))
    }

    fn no_strategy(&self, name: &str, reading: &str) -> Failure {
        let known = self.game.strategies();
        let why = match known.iter().find(|s| s.name == name) {
            Some(facts) => format!("{name} has the readings {}", facts.readings.join(", ")),
            None if known.is_empty() => format!("{} has no strategies", self.spelling),
            None => format!("expected one of {}", known.iter().map(|s| s.name).collect::<Vec<_>>().join(", ")),
        };
        let colon = if reading.is_empty() { "" } else { ":" };
        Failure::Usage(format!("invalid strategy `{name}{colon}{reading}`: {why}"))
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
        Certificate { game: self.spelling.clone(), from: self.game.show(pos), claim, up_to_symmetry, sections }
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

    fn repaired(
        &self,
        claim: &verify::Claim<G::Position>,
        request: &VerifyRequest,
        most: usize,
        solver: &mut AlphaBeta<G>,
        ctx: &Ctx,
    ) -> Result<(RepairReport, Option<Patched<G>>), Failure> {
        let base = self.strategy(&request.strategy)?;
        let quiet = ctx.silent();
        let keeps = |pos: &G::Position| self.keeps(pos, claim.side, claim.least, solver, &quiet);
        Ok(match repair::repair(&self.game, base, claim, most, ctx, keeps)? {
            Repair::Impossible => {
                (RepairReport::none("no strategy can keep this claim: the other side can prevent it"), None)
            }
            Repair::NotWithin(n) => {
                (RepairReport::none(&format!("more than {n} exceptions are needed; try more with --most")), None)
            }
            Repair::Repaired(patched) => {
                let again = verify::verify(&self.game, &patched, claim, ctx)?;
                let exceptions = patched.exceptions(&self.game);
                let show = |(pos, moves): &(G::Position, Vec<G::Move>)| Exception {
                    position: self.game.show(pos),
                    moves: moves.iter().map(|&mv| self.game.show_move(pos, mv)).collect(),
                    board: self.game.scene(pos).text(),
                    mover: self.game.player_name(claim.side),
                };
                let exceptions = exceptions.iter().map(show).collect();
                (RepairReport::found(exceptions, again.holds, again.positions), Some(patched))
            }
        })
    }
}

impl<G: Complete> AnyGame for Erased<G> {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn spelling(&self) -> &str {
        &self.spelling
    }

    fn offers(&self) -> Offers {
        Offers { solvers: self.solver_names(), agents: agents::names(true), strategies: self.game.strategies() }
    }

    fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    fn start(&self) -> String {
        self.game.show(&self.game.start())
    }

    fn position(&self, text: &str) -> Result<String, Failure> {
        Ok(self.game.show(&self.read(text)?))
    }

    fn status(&self, pos: &str) -> Result<Status, Failure> {
        Ok(self.game.status(&self.read(pos)?))
    }

    fn turn(&self, pos: &str) -> Result<Player, Failure> {
        Ok(self.game.turn(&self.read(pos)?))
    }

    fn trainer(&self, settings: agon_play::learned::Settings, seed: u64) -> Box<dyn super::AnyTrainer> {
        super::learning::trainer(&self.game, &self.spelling, settings, seed)
    }

    fn learned(&self, model: (&str, &str), seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        super::learning::learned(&self.game, &self.spelling, model, seed)
    }

    fn end_reason(&self, pos: &str) -> Result<&'static str, Failure> {
        Ok(self.game.end_reason(&self.read(pos)?))
    }

    fn scene(&self, pos: &str) -> Result<Scene, Failure> {
        Ok(self.game.scene(&self.read(pos)?))
    }

    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure> {
        let pos = self.read(pos)?;
        Ok(collect_moves(&self.game, &pos).into_iter().map(|mv| self.game.show_move(&pos, mv)).collect())
    }

    fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure> {
        let pos = self.read(pos)?;
        Ok(self.game.path(&pos, self.game.parse_move(&pos, mv)?))
    }

    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure> {
        let pos = self.read(pos)?;
        let mv = self.game.parse_move(&pos, mv)?;
        Ok((self.game.show_move(&pos, mv), self.game.show(&self.game.after(&pos, mv))))
    }

    fn perft(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<u64>, Failure> {
        let pos = self.read(pos)?;
        Ok(match table {
            None => perft::perft(&self.game, &pos, depth, ctx)?,
            Some(bytes) => perft::perft_with_table(&self.game, &pos, depth, bytes, ctx)?,
        })
    }

    fn divide(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure> {
        let pos = self.read(pos)?;
        let counts = match table {
            None => perft::divide(&self.game, &pos, depth, ctx)?,
            Some(bytes) => perft::divide_with_table(&self.game, &pos, depth, bytes, ctx)?,
        };
        Ok(counts.into_iter().map(|(mv, n)| (self.game.show_move(&pos, mv), n)).collect())
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
        let strategy = self.strategy(&request.strategy)?;
        let (name, reading) = request.strategy.name.split_once(':').unwrap_or((&request.strategy.name, ""));
        let plain = request.strategy.exceptions.is_none() && request.repair.is_none() && root == self.game.start();
        if let Some(reduction) = self.game.reduction(name, reading).filter(|_| plain && request.least == Wdl::Win) {
            return self.verify_reduced(&root, request, reduction, ctx);
        }
        let claim = verify::Claim { side: request.side, least: request.least, root };
        let verdict = verify::verify(&self.game, strategy.as_ref(), &claim, ctx)?;
        let mut solver = AlphaBeta::new(PLAYER_MEMORY);
        let mut report = VerifyReport::new(&self.spelling, self.game.show(&claim.root), request, &verdict);
        report.side_name = self.game.player_name(request.side);
        if let Some(broken) = &verdict.counterexample {
            report.counterexample = Some(self.line(&claim.root, &broken.moves));
            report.how = Some(counterexample_text(broken.how, |mv| format!("{mv:?}")));
            let end = broken.moves.iter().fold(claim.root.clone(), |pos, &mv| self.game.after(&pos, mv));
            report.board = Some(self.game.scene(&end).text());
        }
        if request.all && !verdict.holds {
            let keeps = |pos: &G::Position| self.keeps(pos, claim.side, claim.least, &mut solver, ctx);
            let failures = verify::failures(&self.game, strategy.as_ref(), &claim, keeps)?;
            let show = |f: &verify::Failure<G::Position, G::Move>| FailureReport {
                position: self.game.show(&f.position),
                class: self.game.show(&self.game.canonical(&f.position).0),
                wrong: self.game.show_move(&f.position, f.wrong),
                reason: strategy.reason(&self.game, &f.position, f.wrong),
                line: self.line(&claim.root, &f.line),
            };
            report.failures = Some(failures.iter().map(show).collect());
            let broken = verify::broken_lines(&self.game, strategy.as_ref(), &claim, LINES_LISTED, ctx)?;
            report.losing = Some(broken.iter().map(|moves| self.line(&claim.root, moves)).collect());
        }
        let mut patched = None;
        if let (Some(most), false) = (request.repair, verdict.holds) {
            let (repair, strategy) = self.repaired(&claim, request, most, &mut solver, ctx)?;
            report.repair = Some(repair);
            patched = strategy;
        }
        let choices = match (&patched, verdict.holds) {
            _ if !request.certificate => None,
            (_, true) => Some(verdict.choices),
            (Some(patched), false) => Some(verify::verify(&self.game, patched, &claim, ctx)?.choices),
            (None, false) => None,
        };
        let certificate = choices.map(|choices| self.strategy_certificate(&claim, choices));
        Ok((report, Ok(certificate)))
    }

    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        agon_check::check(&self.game, certificate, ctx)
    }

    fn agent(&self, request: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        let kit = Kit {
            solver: Some(self.quick_solver()),
            skill: true,
            strategy: &|request| self.strategy(request),
            // No proof in time: the move the game itself would look at first.
            otherwise: |game, pos, _| (most_promising(game, pos), false),
        };
        agents::player(&self.game, request, seed, kit)
    }
}

impl<G: Complete> Erased<G> {
    /// `after` is the solution of the position the move leads to, seen by the next mover.
    fn move_value(&self, pos: &G::Position, mv: G::Move, after: &Solution<G::Move>) -> MoveValue {
        MoveValue {
            mv: self.game.show_move(pos, mv),
            value: after.value.lo.flip(),
            plies: after.plies.map(|plies| plies + 1),
            path: self.game.path(pos, mv),
        }
    }

    fn strategy_certificate(
        &self,
        claim: &verify::Claim<G::Position>,
        choices: Vec<(G::Position, Vec<G::Move>)>,
    ) -> Certificate {
        let entry = |(pos, moves): (G::Position, Vec<G::Move>)| {
            let moves = moves.iter().map(|&mv| self.game.show_move(&pos, mv)).collect();
            (self.game.show(&pos), moves)
        };
        let mut entries: Vec<(String, Vec<String>)> = choices.into_iter().map(entry).collect();
        entries.sort_unstable();
        let section = Section::Strategy { side: claim.side, least: claim.least, within: None, entries };
        self.certificate(&claim.root, Claim::AtLeast(claim.side, claim.least), false, vec![section])
    }
}

fn most_promising<G: Guide>(game: &G, pos: &G::Position) -> G::Move {
    let mut best = None;
    game.candidates(pos, &mut |mv, order| {
        if best.is_none_or(|(most, _)| order > most) {
            best = Some((order, mv));
        }
    });
    best.expect("an unfinished position has a candidate").1
}
