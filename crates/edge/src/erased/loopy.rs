//! Games in which play can go round: everything that needs no height.

use super::agents::{self, Kit};
use super::{
    AnyAgent, AnyGame, Entry, Evidence, MoveValue, Offers, Recorded, SolveRequest, StrategyRequest, VerifyRequest,
};
use crate::failure::Failure;
use crate::report::{CountReport, FirstMove, Phase, SolveReport, VerifyReport, counterexample_text};
use agon_check::{Certificate, Claim, Proved, Rejected, Section};
use agon_core::scene::Scene;
use agon_core::solver::Solver;
use agon_core::{
    Ctx, Evaluate, Facts, Family, Game, GameError, Player, Solution, Status, Strategy, Symmetric, Wdl, collect_moves,
};
use agon_solve::count::Limits;
use agon_solve::{perft, verify};
use std::time::Instant;

/// What a family in which play can go round brings along.
pub trait Loopy: Family + Symmetric + Evaluate {
    /// Names for `--solver`.
    const SOLVERS: &'static [&'static str];

    /// Whether every position can be valued.
    const STRONG: bool = false;

    /// What solving leaves behind for the next question.
    type Tables: Clone + Default + Send + Sync + 'static;

    /// The value of `pos` as far as it can be proven.
    fn find(
        &self,
        pos: &Self::Position,
        tables: &Self::Tables,
        request: SolveRequest,
        ctx: &Ctx,
    ) -> Result<Found<Self>, Failure>;

    /// A solver that values any position at once, after the first question.
    fn solver(&self, _tables: &Self::Tables) -> Option<Box<dyn Solver<Self>>> {
        None
    }

    /// The move of the player `perfect`, and whether it is proven.
    fn best(&self, pos: &Self::Position, ctx: &Ctx) -> (Self::Move, bool);

    /// Reads a game in a notation of its own.
    fn read_record(&self, _text: &str) -> Option<Result<Recorded, Failure>> {
        None
    }

    /// Writes a game in a notation of its own.
    fn write_record(&self, _from: &Self::Position, _moves: &[String]) -> Option<String> {
        None
    }
}

/// What a solver of such a family found.
pub struct Found<G: Loopy> {
    /// The value.
    pub solution: Solution<G::Move>,
    /// Which solver.
    pub solver: &'static str,
    /// The first moves up to symmetry with what each is worth, where that was computed.
    pub first_moves: Vec<FirstMove>,
    /// The evidence for a win, if it was asked for.
    pub evidence: Result<Option<Proof<G>>, Failure>,
    /// The evidence for a draw, if it was asked for: how each side holds it.
    pub holds: Option<[Plan<G>; 2]>,
    /// What the tables hold, part by part.
    pub phases: Vec<Phase>,
}

/// A move for one side at every position that can come up, one for each class under symmetry.
pub(super) type Plan<G> = Vec<(<G as Game>::Position, <G as Game>::Move)>;

impl<G: Loopy> Found<G> {
    /// A value and nothing more.
    pub fn new(solution: Solution<G::Move>, solver: &'static str) -> Found<G> {
        Found { solution, solver, first_moves: Vec::new(), evidence: Ok(None), holds: None, phases: Vec::new() }
    }
}

/// A forced win.
pub struct Proof<G: Loopy> {
    /// No play that follows the moves is longer.
    pub within: Option<u32>,
    /// The winner's moves.
    pub moves: Plan<G>,
}

/// The registry line of a family in which play can go round.
#[must_use]
pub const fn loopy<G: Loopy>() -> Entry {
    Entry { facts: G::FACTS, build: build::<G> }
}

fn build<G: Loopy>(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (game, spelling) = G::from_spelling(given)?;
    Ok(erased(game, spelling))
}

/// A game of that canonical spelling.
pub(super) fn erased<G: Loopy>(game: G, spelling: String) -> Box<dyn AnyGame> {
    Box::new(Erased { game, spelling, tables: G::Tables::default() })
}

#[derive(Clone)]
struct Erased<G: Loopy> {
    game: G,
    spelling: String,
    tables: G::Tables,
}

impl<G: Loopy> Erased<G> {
    fn read(&self, text: &str) -> Result<G::Position, Failure> {
        if text.trim() == "start" { Ok(self.game.start()) } else { Ok(self.game.parse(text)?) }
    }

    fn strategy(&self, request: &StrategyRequest) -> Result<Box<dyn Strategy<G>>, Failure> {
        let (name, reading) = request.name.split_once(':').unwrap_or((&request.name, ""));
        let known = || self.game.strategies().iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
        let none = || match known() {
            names if names.is_empty() => format!("{} has no strategies", self.spelling),
            names => format!("expected one of {names}"),
        };
        if request.exceptions.is_some() {
            return Err(Failure::Usage(format!("exceptions are not offered for {}", self.spelling)));
        }
        let strategy = self.game.strategy(name, reading);
        strategy.ok_or_else(|| Failure::Usage(format!("invalid strategy `{}`: {}", request.name, none())))
    }

    fn section(&self, side: Player, least: Wdl, within: Option<u32>, moves: &Plan<G>) -> Section {
        let entry = |(pos, mv): &(G::Position, G::Move)| (self.game.show(pos), vec![self.game.show_move(pos, *mv)]);
        let mut entries: Vec<_> = moves.iter().map(entry).collect();
        entries.sort_unstable();
        Section::Strategy { side, least, within, entries }
    }

    fn certificate(&self, pos: &G::Position, value: Wdl, sections: Vec<Section>) -> Certificate {
        Certificate {
            game: self.spelling.clone(),
            from: self.game.show(pos),
            claim: Claim::Value(value),
            up_to_symmetry: true,
            sections,
        }
    }

    fn not_offered(&self, what: &str) -> Failure {
        Failure::Usage(format!("{what} is not offered for {}, where play can go round", self.spelling))
    }
}

impl<G: Loopy> AnyGame for Erased<G> {
    fn facts(&self) -> &'static Facts {
        self.game.facts()
    }

    fn spelling(&self) -> &str {
        &self.spelling
    }

    fn offers(&self) -> Offers {
        Offers { solvers: G::SOLVERS.to_vec(), agents: agents::names(G::STRONG), strategies: self.game.strategies() }
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

    fn perft(&self, pos: &str, depth: u32, ctx: &Ctx) -> Result<Vec<u64>, Failure> {
        Ok(perft::perft_in_place(&self.game, &self.read(pos)?, depth, ctx)?)
    }

    fn divide(&self, pos: &str, depth: u32, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure> {
        let pos = self.read(pos)?;
        let counts = perft::divide_in_place(&self.game, &pos, depth, ctx)?;
        Ok(counts.into_iter().map(|(mv, n)| (self.game.show_move(&pos, mv), n)).collect())
    }

    fn count(&self, _pos: &str, _limits: Limits, _ctx: &Ctx) -> Result<CountReport, Failure> {
        Err(Failure::Usage(format!(
            "count needs a game in which every play ends, and in {} play can go round; `agon perft` counts sequences",
            self.spelling
        )))
    }

    fn solve(&self, pos: &str, request: SolveRequest, ctx: &Ctx) -> Result<(SolveReport, Evidence), Failure> {
        if request.strong && !G::STRONG {
            return Err(self.not_offered("--strong"));
        }
        let pos = self.read(pos)?;
        let begun = Instant::now();
        let found = self.game.find(&pos, &self.tables, request, ctx)?;
        let (mover, solution) = (self.game.turn(&pos), &found.solution);
        let best = solution.best.map(|mv| self.game.show_move(&pos, mv));
        let name = (mover, self.game.player_name(mover));
        let mut report = SolveReport::new(&self.spelling, self.game.show(&pos), name, solution, best, found.solver);
        report.seconds = begun.elapsed().as_secs_f64();
        report.first_moves = found.first_moves;
        report.phases = found.phases;
        let (value, winner) = match solution.value.value() {
            Some(Wdl::Draw) => {
                let both = found.holds.map(|plans| {
                    let sections = Player::BOTH.into_iter().zip(&plans);
                    sections.map(|(side, plan)| self.section(side, Wdl::Draw, None, plan)).collect()
                });
                return Ok((report, Ok(both.map(|sections| self.certificate(&pos, Wdl::Draw, sections)))));
            }
            Some(Wdl::Win) => (Wdl::Win, mover),
            Some(Wdl::Loss) => (Wdl::Loss, mover.other()),
            None => return Ok((report, Ok(None))),
        };
        let section = |proof: Proof<G>| self.section(winner, Wdl::Win, proof.within, &proof.moves);
        let evidence = found.evidence.map(|proof| Some(self.certificate(&pos, value, vec![section(proof?)])));
        Ok((report, evidence))
    }

    fn values(&self, pos: &str, ctx: &Ctx) -> Result<Vec<MoveValue>, Failure> {
        let solver = self.game.solver(&self.tables);
        let mut solver = solver.ok_or_else(|| self.not_offered("the value of every move"))?;
        let pos = self.read(pos)?;
        let each = solver.each_move(&self.game, &pos, ctx)?;
        let value = |(mv, after): &(G::Move, Solution<G::Move>)| MoveValue {
            mv: self.game.show_move(&pos, *mv),
            value: after.value.lo.flip(),
            plies: after.plies.map(|plies| plies + 1),
            path: self.game.path(&pos, *mv),
        };
        Ok(each.iter().map(value).collect())
    }

    fn verify(&self, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<(VerifyReport, Evidence), Failure> {
        if request.repair.is_some() || request.all {
            return Err(self.not_offered(if request.all { "--all" } else { "--repair" }));
        }
        let root = self.read(pos)?;
        let strategy = self.strategy(&request.strategy)?;
        let claim = verify::Claim { side: request.side, least: request.least, root };
        let verdict = verify::verify(&self.game, strategy.as_ref(), &claim, ctx)?;
        let mut report = VerifyReport::new(&self.spelling, self.game.show(&claim.root), request, &verdict);
        report.side_name = self.game.player_name(request.side);
        if let Some(broken) = &verdict.counterexample {
            let (mut names, mut end) = (Vec::new(), claim.root.clone());
            for &mv in &broken.moves {
                names.push(self.game.show_move(&end, mv));
                self.game.play(&mut end, mv);
            }
            report.counterexample = Some(names);
            report.how = Some(counterexample_text(broken.how, |mv| self.game.show_move(&end, mv)));
            report.board = Some(self.game.scene(&end).text());
        }
        Ok((report, Ok(None)))
    }

    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        agon_check::check(&self.game, certificate, ctx)
    }

    fn agent(&self, request: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        let kit = Kit {
            solver: self.game.solver(&self.tables),
            skill: G::STRONG,
            strategy: &|request| self.strategy(request),
            otherwise: |game, pos, ctx| game.best(pos, ctx),
        };
        agents::player(&self.game, request, seed, kit)
    }

    fn read_record(&self, text: &str) -> Option<Result<Recorded, Failure>> {
        self.game.read_record(text)
    }

    fn write_record(&self, from: &str, moves: &[String]) -> Option<String> {
        self.game.write_record(&self.read(from).ok()?, moves)
    }
}
