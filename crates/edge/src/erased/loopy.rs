//! Games in which play can go round: everything that needs no height.

use super::agents::{self, Kit};
use super::spoken::Behind;
use super::tables::AnyTables;
use super::verifying::Verifying;
use super::{
    AnyAgent, AnyGame, BoardRow, Entry, Evidence, MoveValue, Offers, Recorded, SolveRequest, StrategyRequest,
    VerifyRequest,
};
use crate::failure::Failure;
use crate::report::{CountReport, FirstMove, Phase, SolveReport, VerifyReport};
use agon_check::{Certificate, Claim, Proved, Rejected, Section};
use agon_core::solver::Solver;
use agon_core::{
    Bounds, Ctx, Evaluate, Facts, Family, Game, GameError, Player, Solution, Stop, Symmetric, Wdl, collect_moves,
    moves_again,
};
use agon_play::perfect::Prover;
use agon_solve::count::{self, Limits};
use agon_solve::verify;
use num_bigint::BigUint;
use std::time::Instant;

/// A move, what it is worth to its player, and the plies until the end.
pub(super) type Worth<M> = (M, Wdl, Option<u32>);

/// Exchanges the sides of a position.
pub(super) type Exchange<P> = fn(&P) -> P;

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

    /// A bound on the number of positions, where one is known.
    fn positions_at_most(&self) -> Option<BigUint> {
        None
    }

    /// Whether a value found rests on hashes, so that its evidence must be checked before it is believed.
    fn must_check(&self) -> bool {
        false
    }

    /// What each move is worth, for families without a solver that values any position; moves about which
    /// nothing is proven in time are left out.
    fn values(&self, _pos: &Self::Position, _ctx: &Ctx) -> Option<Vec<Worth<Self::Move>>> {
        None
    }

    /// A solver that values any position at once, after the first question.
    fn solver(&self, _tables: &Self::Tables) -> Option<Box<dyn Solver<Self>>> {
        None
    }

    /// What went wrong while values were looked up, if something did.
    fn trouble(_tables: &Self::Tables) -> Option<Failure> {
        None
    }

    /// Every board up to symmetry with what it is worth; `None` where that is not offered.
    fn boards(&self, _tables: &Self::Tables, _memory: u64, _ctx: &Ctx) -> Option<Result<Vec<BoardRow>, Failure>> {
        None
    }

    /// Tables on disk, where positions have numbers.
    fn tables(&self, _named: Named<'_>, _kept: &Self::Tables) -> Option<Box<dyn AnyTables>> {
        None
    }

    /// The same position with the sides exchanged, where the rules are the same for both.
    const EXCHANGED: Option<Exchange<Self::Position>> = None;

    /// What stands behind the player `perfect`.
    fn prover(&self, tables: &Self::Tables) -> Box<dyn Prover<Self>>;

    /// Reads a game in a notation of its own.
    fn read_record(&self, _text: &str) -> Option<Result<Recorded, Failure>> {
        None
    }

    /// Writes a game in a notation of its own.
    fn write_record(&self, _from: &Self::Position, _moves: &[String]) -> Option<String> {
        None
    }
}

/// What a game is called in files.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The canonical spelling.
    pub spelling: &'a str,
    /// The rules in canonical form, where they come from a file.
    pub rules: Option<&'a str>,
}

/// What a solver of such a family found.
pub struct Found<G: Loopy> {
    /// The value.
    pub solution: Solution<G::Move>,
    /// Which solver.
    pub solver: &'static str,
    /// Neither side wins by force within that many plies, where the value stays open.
    pub none_within: Option<u32>,
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
        Found {
            solution,
            solver,
            none_within: None,
            first_moves: Vec::new(),
            evidence: Ok(None),
            holds: None,
            phases: Vec::new(),
        }
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
    Ok(erased(game, spelling, None))
}

/// A game of that canonical spelling; with its rules in canonical form, where they come from a file.
pub(super) fn erased<G: Loopy>(game: G, spelling: String, rules: Option<String>) -> Box<dyn AnyGame> {
    Box::new(Erased { game, spelling, rules, tables: G::Tables::default() })
}

#[derive(Clone)]
struct Erased<G: Loopy> {
    game: G,
    spelling: String,
    rules: Option<String>,
    tables: G::Tables,
}

impl<G: Loopy> Erased<G> {
    /// The certificate of what was found, where there is evidence.
    fn evidence(&self, pos: &G::Position, found: &mut Found<G>) -> Evidence {
        let mover = self.game.turn(pos);
        let (value, winner) = match found.solution.value.value() {
            Some(Wdl::Draw) => {
                let both = found.holds.take().map(|plans| {
                    let sections = Player::BOTH.into_iter().zip(&plans);
                    sections.map(|(side, plan)| self.section(side, Wdl::Draw, None, plan)).collect()
                });
                return Ok(both.map(|sections| self.certificate(pos, Wdl::Draw, sections)));
            }
            Some(Wdl::Win) => (Wdl::Win, mover),
            Some(Wdl::Loss) => (Wdl::Loss, mover.other()),
            None => return Ok(None),
        };
        let proof = std::mem::replace(&mut found.evidence, Ok(None))?;
        Ok(proof.map(|proof| {
            let section = self.section(winner, Wdl::Win, proof.within, &proof.moves);
            self.certificate(pos, value, vec![section])
        }))
    }

    /// Keeps a value only if its certificate is accepted: the search may have been misled by a hash.
    fn believe(&self, found: &mut Found<G>, evidence: &mut Evidence, ctx: &Ctx) {
        let accepted = match evidence {
            Ok(Some(certificate)) => agon_check::check(&self.game, certificate, ctx).is_ok(),
            _ => false,
        };
        if !accepted {
            let stopped = found.solution.stopped.or_else(|| ctx.check().err());
            found.solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, stopped, ..found.solution };
            found.first_moves.clear();
            *evidence = Ok(None);
        }
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
            rules: self.rules.clone(),
            from: self.game.show(pos),
            claim: Claim::Value(value),
            up_to_symmetry: true,
            sections,
        }
    }

    /// Whether the side can still get what is claimed.
    fn keeps(
        &self,
        pos: &G::Position,
        claim: &verify::Claim<G::Position>,
        solver: &mut dyn Solver<G>,
        ctx: &Ctx,
    ) -> Result<bool, Stop> {
        let solution = solver.solve(&self.game, pos, ctx);
        match (solution.stopped, solution.value.value()) {
            (Some(stop), _) => Err(stop),
            (None, Some(value)) if self.game.turn(pos) == claim.side => Ok(value >= claim.least),
            (None, Some(value)) => Ok(value.flip() >= claim.least),
            (None, None) => Err(Stop::Budget),
        }
    }

    fn not_offered(&self, what: &str) -> Failure {
        Failure::Usage(format!("{what} is not offered for {}, where play can go round", self.spelling))
    }
}

impl<G: Loopy> Behind for Erased<G> {
    type Game = G;
    const LARGE: bool = true;

    fn game(&self) -> &G {
        &self.game
    }

    fn spelled(&self) -> &str {
        &self.spelling
    }

    fn described(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    fn about(&self) -> &'static Facts {
        self.game.facts()
    }
}

impl<G: Loopy> AnyGame for Erased<G> {
    fn offers(&self) -> Offers {
        Offers { solvers: G::SOLVERS.to_vec(), agents: agents::names(G::STRONG), strategies: self.game.strategies() }
    }

    fn count(&self, pos: &str, limits: Limits, ctx: &Ctx) -> Result<CountReport, Failure> {
        let pos = self.read(pos)?;
        let exchange = G::EXCHANGED.as_ref().map(|exchange| exchange as &dyn Fn(&G::Position) -> G::Position);
        let counts = count::count_cyclic(&self.game, &pos, limits, exchange, ctx);
        let report = CountReport::new(&self.spelling, self.game.show(&pos), counts, None);
        Ok(report.bounded(self.game.positions_at_most()))
    }

    fn solve(&self, pos: &str, request: SolveRequest, ctx: &Ctx) -> Result<(SolveReport, Evidence), Failure> {
        if request.strong && !G::STRONG {
            return Err(self.not_offered("--strong"));
        }
        let pos = self.read(pos)?;
        let begun = Instant::now();
        let certificate = request.certificate || self.game.must_check();
        let mut found = self.game.find(&pos, &self.tables, SolveRequest { certificate, ..request }, ctx)?;
        let mut evidence = self.evidence(&pos, &mut found);
        if self.game.must_check() && found.solution.value.value().is_some() && found.solution.plies != Some(0) {
            self.believe(&mut found, &mut evidence, ctx);
        }
        let (mover, solution) = (self.game.turn(&pos), &found.solution);
        let best = solution.best.map(|mv| self.game.show_move(&pos, mv));
        let name = (mover, self.game.player_name(mover));
        let mut report = SolveReport::new(&self.spelling, self.game.show(&pos), name, solution, best, found.solver);
        report.seconds = begun.elapsed().as_secs_f64();
        report.none_within = found.none_within;
        report.first_moves = found.first_moves;
        report.phases = found.phases;
        Ok((report, if request.certificate { evidence } else { Ok(None) }))
    }

    fn values(&self, pos: &str, ctx: &Ctx) -> Result<Vec<MoveValue>, Failure> {
        let pos = self.read(pos)?;
        let Some(mut solver) = self.game.solver(&self.tables) else {
            let known = self.game.values(&pos, ctx).ok_or_else(|| self.not_offered("the value of every move"))?;
            let value = |(mv, value, plies)| {
                let (text, path) = (self.game.show_move(&pos, mv), self.game.path(&pos, mv));
                MoveValue { mv: text, value, plies, path }
            };
            return Ok(known.into_iter().map(value).collect());
        };
        let mut known = Vec::new();
        for mv in collect_moves(&self.game, &pos) {
            let next = self.game.after(&pos, mv);
            let after = solver.solve(&self.game, &next, ctx);
            after.stopped.map_or(Ok(()), Err)?;
            // A table that was not solved leaves a move without a value.
            if let Some(value) = after.value.value() {
                let (text, path) = (self.game.show_move(&pos, mv), self.game.path(&pos, mv));
                let plies = after.plies.map(|plies| plies + 1);
                let value = value.a_move_earlier(moves_again(&self.game, &pos, &next));
                known.push(MoveValue { mv: text, value, plies, path });
            }
        }
        G::trouble(&self.tables).map_or(Ok(known), Err)
    }

    fn verify(&self, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<(VerifyReport, Evidence), Failure> {
        let claim = verify::Claim { side: request.side, least: request.least, root: self.read(pos)? };
        let mut solver = self.game.solver(&self.tables);
        let (all, repair) = (request.all, request.repair.is_some());
        if solver.is_none() && (all || repair) {
            return Err(self.not_offered(if all { "--all" } else { "--repair" }));
        }
        if repair && request.least == Wdl::Win {
            // A line that goes round is not broken at one of its positions: which exceptions are the fewest cannot be
            // told from such lines.
            let why = "is not offered where play can go round; --claim draw can be repaired";
            return Err(Failure::Usage(format!("--repair of a claim to win {why}")));
        }
        let Some(solver) = &mut solver else { return self.verified(&claim, request, None, ctx) };
        let mut keeps = |pos: &G::Position| self.keeps(pos, &claim, solver.as_mut(), ctx);
        self.verified(&claim, request, Some(&mut keeps), ctx)
    }

    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        agon_check::check(&self.game, certificate, ctx)
    }

    fn agent(&self, request: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        let kit = Kit {
            prover: self.game.prover(&self.tables),
            skill: G::STRONG,
            strategy: &|request| self.strategy(request),
            trouble: Some(Box::new({
                let tables = self.tables.clone();
                move || G::trouble(&tables)
            })),
        };
        agents::player(&self.game, request, seed, kit)
    }

    fn boards(&self, memory: u64, ctx: &Ctx) -> Result<Vec<BoardRow>, Failure> {
        let boards = self.game.boards(&self.tables, memory, ctx);
        boards.unwrap_or_else(|| {
            Err(Failure::Usage(format!("--export is for mill games, and {} is none", self.spelling)))
        })
    }

    fn tables(&self) -> Option<Box<dyn AnyTables>> {
        self.game.tables(Named { spelling: &self.spelling, rules: self.described() }, &self.tables)
    }

    fn read_record(&self, text: &str) -> Option<Result<Recorded, Failure>> {
        self.game.read_record(text)
    }

    fn write_record(&self, from: &str, moves: &[String]) -> Option<String> {
        self.game.write_record(&self.read(from).ok()?, moves)
    }
}
