//! A game of any kind behind text.

use super::capabilities::Capabilities;
use super::tables::AnyTables;
use super::{
    AnyAgent, AnyGame, AnyJudge, BoardRow, DistilRequest, Evidence, ExplainRequest, Levels, MethodChoice, MoveValue,
    Note, Offers, PuzzleRequest, Recorded, SolveRequest, StrategyRequest, StrategyWord, TeiTerms, VerifyRequest,
    agents,
};
use crate::annotated::AnnotatedGame;
use crate::openspiel::OpenSpiel;
use crate::record::RecordedTree;
use agon_check::{Certificate, Claim, Proved, Rejected, Section};
use agon_core::setup::Setup;
use agon_core::solver::Solver;
use agon_core::{
    Bounds, Ctx, Evaluate, Facts, Family, GameError, Solution, Symmetric, Wdl, collect_moves, moves_again,
};
use agon_report::failure::Failure;
use agon_report::{
    CountReport, DistilReport, Estimate, ExplainReport, FirstMove, MoveReport, Phase, Puzzle, PuzzleKind,
    PuzzlesReport, SizeReport, SolveReport, VerifyReport,
};
use agon_solve::count::Limits;
use agon_solve::method::{self, Found, Purpose, Request};
use agon_solve::strategy::ListedStrategy;
use agon_solve::verify;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Nodes that the best moves, and a line of best play, may take besides what the value took.
const LINE_NODES: u64 = 1 << 16;

/// A line of best play is shown up to that many moves.
const LONGEST_LINE: usize = 200;

/// The moves of a report.
#[derive(Default)]
struct Lines {
    best_moves: Option<Vec<String>>,
    pv: Vec<String>,
    moves: Option<Vec<MoveReport>>,
}

/// A move, what it is worth to its mover, and the plies to the end where they are known.
type Valued<M> = (M, Bounds, Option<u32>);

/// Takes the value from the moves if all of them are proven: a position is worth as much as its best move. Returns
/// whether that was so.
fn decided_by_moves<M: Copy>(solution: &mut Solution<M>, valued: &[Valued<M>]) -> bool {
    let values: Option<Vec<Wdl>> = valued.iter().map(|(_, worth, _)| worth.value()).collect();
    let Some(best) = values.and_then(|values| values.into_iter().max()) else { return false };
    let lengths: Option<Vec<u32>> =
        valued.iter().filter(|(_, worth, _)| worth.value() == Some(best)).map(|(.., plies)| *plies).collect();
    let plies = lengths.and_then(|lengths| match best {
        Wdl::Win => lengths.into_iter().min(),
        Wdl::Loss => lengths.into_iter().max(),
        Wdl::Draw => None,
    });
    let chosen =
        valued.iter().find(|(_, worth, length)| worth.value() == Some(best) && (plies.is_none() || *length == plies));
    (solution.value, solution.plies) = (Bounds::exactly(best), plies);
    solution.best = chosen.map(|(mv, ..)| *mv);
    true
}

/// Builds a game of that spelling, with what it offers.
pub(crate) fn built<G: Family + Symmetric + Evaluate>(
    given: &str,
    offers: fn(&G) -> Capabilities<G>,
) -> Result<Box<dyn AnyGame>, GameError> {
    let (game, spelling) = G::from_spelling(given)?;
    let capabilities = offers(&game);
    Ok(Box::new(Erased::new(game, spelling, G::facts(), capabilities)))
}

/// A game that is made at run time instead of built from a spelling: what it is called, its facts, and what it offers.
///
/// ```
/// use agon_core::{Family, toy::Pile};
/// use agon_registry::erased::{Capabilities, made};
///
/// let game = made(Pile::new(7), "my-pile".to_string(), Pile::facts(), Capabilities::acyclic());
/// assert_eq!((game.spelling(), game.start().as_str()), ("my-pile", "7:first"));
/// ```
#[must_use]
pub fn made<G: Family + Symmetric + Evaluate>(
    game: G,
    spelling: String,
    facts: Facts,
    capabilities: Capabilities<G>,
) -> Box<dyn AnyGame> {
    Box::new(Erased::new(game, spelling, facts, capabilities))
}

/// A game, what it is called and what it offers. Clones share what solvers keep.
#[derive(Clone)]
pub(super) struct Erased<G: Family> {
    pub(super) game: G,
    pub(super) spelling: String,
    /// The rules in canonical form, where they come from a file.
    pub(super) rules: Option<String>,
    pub(super) facts: Arc<Facts>,
    pub(super) capabilities: Arc<Capabilities<G>>,
    pub(super) levels: Levels,
    /// Whether the start is solved quickly; empty until somebody asks.
    pub(super) quick: Arc<OnceLock<bool>>,
    pub(super) openspiel: Option<OpenSpiel>,
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// A game of that canonical spelling.
    pub(super) fn new(game: G, spelling: String, facts: Facts, capabilities: Capabilities<G>) -> Erased<G> {
        let (facts, capabilities) = (Arc::new(facts), Arc::new(capabilities));
        let (levels, quick) = (Levels::default(), Arc::default());
        Erased { game, spelling, rules: None, facts, capabilities, levels, quick, openspiel: None }
    }

    /// The same with its rules in canonical form, which come from a file.
    pub(super) fn with_rules(self, rules: String) -> Erased<G> {
        Erased { rules: Some(rules), ..self }
    }

    /// A position as a person spells it.
    pub(super) fn read(&self, text: &str) -> Result<G::Position, Failure> {
        if text.trim() == "start" { Ok(self.game.start()) } else { Ok(self.game.parse(text)?) }
    }

    /// The first solver for many questions of a kind, and whether it needs a table of all positions.
    pub(super) fn solver(&self, purpose: Purpose) -> Option<(Box<dyn Solver<G>>, bool)> {
        let memory = self.capabilities.player_memory;
        let mut methods = self.capabilities.methods.iter();
        methods.find_map(|method| Some((method.solver(&self.game, purpose, memory)?, method.needs_table())))
    }

    /// As [`Erased::solver`] for moves; the method of that name comes first, so that distances fit those it found.
    fn move_solver(&self, by: &str) -> Option<Box<dyn Solver<G>>> {
        let memory = self.capabilities.player_memory;
        let named = self.capabilities.methods.iter().find(|method| method.name() == by);
        let own = named.and_then(|method| method.solver(&self.game, Purpose::Moves, memory));
        own.or_else(|| self.solver(Purpose::Moves).map(|(solver, _)| solver))
    }

    /// A claim with its evidence.
    pub(super) fn certificate(
        &self,
        pos: &G::Position,
        claim: Claim,
        up_to_symmetry: bool,
        sections: Vec<Section>,
    ) -> Certificate {
        let (game, from) = (self.spelling.clone(), self.game.show(pos));
        Certificate { game, rules: self.rules.clone(), from, claim, up_to_symmetry, sections }
    }

    /// Runs the checker on a certificate of this game.
    pub(super) fn checked(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        (self.capabilities.check)(&self.game, &*self.game.vocabulary(), certificate, ctx)
    }

    /// The certificate of what was found, where there is evidence.
    pub(super) fn evidence(&self, pos: &G::Position, found: &mut Found<G>) -> Evidence {
        let evidence = std::mem::replace(&mut found.evidence, Ok(Vec::new()))?;
        let Some(value) = found.solution.value.value().filter(|_| !evidence.is_empty()) else { return Ok(None) };
        let table = evidence.iter().any(|part| matches!(part, method::Evidence::Values(_)));
        let claim = if table { Claim::Table } else { Claim::Value(value) };
        let sections = evidence.into_iter().map(|part| self.section(part)).collect();
        Ok(Some(self.certificate(pos, claim, true, sections)))
    }

    fn section(&self, evidence: method::Evidence<G>) -> Section {
        match evidence {
            method::Evidence::Strategy(ListedStrategy { side, least, within, moves }) => {
                let entry =
                    |(pos, mv): (G::Position, G::Move)| (self.game.show(&pos), vec![self.game.show_move(&pos, mv)]);
                let mut entries: Vec<_> = moves.into_iter().map(entry).collect();
                entries.sort_unstable();
                Section::Strategy { side, least, within, entries }
            }
            method::Evidence::Values(values) => {
                let mut entries: Vec<_> =
                    values.into_iter().map(|(pos, value)| (self.game.show(&pos), value)).collect();
                entries.sort_unstable();
                Section::Values(entries)
            }
            method::Evidence::Lines { maker, wins, entries } => Section::Lines { maker, wins, entries },
            method::Evidence::Lifted { inner, moves } => {
                let entry = |(pos, mv): (G::Position, G::Move)| (inner.show(&pos), vec![inner.show_move(&pos, mv)]);
                let mut entries: Vec<_> = moves.into_iter().map(entry).collect();
                entries.sort_unstable();
                Section::Lifted(entries)
            }
            method::Evidence::Race { winner, entries } => Section::Race { winner, entries },
        }
    }

    /// Keeps a value that rests on hashes only if its certificate is accepted: the search may have been misled.
    pub(super) fn believe_if_checked(&self, found: &mut Found<G>, evidence: &mut Evidence, ctx: &Ctx) {
        if !found.must_check || found.solution.value.value().is_none() || found.solution.plies == Some(0) {
            return;
        }
        let accepted = match evidence {
            Ok(Some(certificate)) => self.checked(certificate, ctx).is_ok(),
            _ => false,
        };
        if !accepted {
            let stopped = found.solution.stopped.or_else(|| ctx.check().err());
            found.solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, stopped, ..found.solution };
            found.details.first_moves.clear();
            *evidence = Ok(None);
        }
    }

    /// The value of a position at which the play is over.
    fn finished(&self, pos: &G::Position) -> Option<Solution<G::Move>> {
        let value = Bounds::exactly(self.game.outcome(pos)?.seen_by(self.game.turn(pos)));
        Some(Solution { value, plies: Some(0), best: None, nodes: 0, stopped: None })
    }

    /// The report on a solution.
    fn report(&self, pos: &G::Position, found: Found<G>, lines: Lines) -> SolveReport {
        let (mover, game) = (self.game.turn(pos), &self.game);
        let best = found.solution.best.map(|mv| game.show_move(pos, mv));
        let name = (mover, game.player_name(mover));
        let mut report = SolveReport::new(&self.spelling, game.show(pos), name, &found.solution, best, found.by);
        let details = found.details;
        (report.best_moves, report.pv, report.moves) = (lines.best_moves, lines.pv, lines.moves);
        if let Some(outcome) = game.outcome(pos) {
            report.end(outcome.winner().map(|winner| game.player_name(winner)));
        }
        report.nimber = details.nimber;
        report.winning_moves =
            details.winning_moves.map(|moves| moves.into_iter().map(|mv| game.show_move(pos, mv)).collect());
        report.none_within = details.none_within;
        let first = |(mv, value, plies): (G::Move, Option<Wdl>, Option<u32>)| FirstMove {
            mv: game.show_move(pos, mv),
            value: value.map_or("unknown", Wdl::name),
            plies,
        };
        report.first_moves = details.first_moves.into_iter().map(first).collect();
        report.phases = details.phases.iter().map(|(name, stats)| Phase::new((*name).to_string(), stats)).collect();
        if let Some(totals) = details.totals {
            report.set_totals(totals);
        }
        report
    }

    /// All best moves and a line of best play, as far as they are proven with about as much work again as the value took.
    /// With `all`, the value of every move, without such a limit.
    fn lines(&self, pos: &G::Position, found: &mut Found<G>, all: bool, ctx: &Ctx) -> Lines {
        let mut lines = Lines::default();
        let Some(mut solver) = found.solver.take().or_else(|| self.move_solver(found.by)) else { return lines };
        let solved = found.solution.value.value().is_some() && self.game.outcome(pos).is_none();
        if !solved && !all {
            return lines;
        }
        let more = if all { u64::MAX } else { found.solution.nodes + LINE_NODES };
        let (whole, ctx) = (ctx, ctx.sub_budget(more));
        let reaching = if solved && !all { solver.reaching(&self.game, pos, &found.solution, &ctx) } else { Ok(None) };
        if !matches!(reaching, Ok(None)) {
            let best_moves = reaching.ok().flatten();
            let line = self.principal_variation(pos, &found.solution, solver.as_mut(), &whole.sub_budget(more));
            let names = |moves: Vec<G::Move>| moves.iter().map(|&mv| self.game.show_move(pos, mv)).collect();
            lines.best_moves = best_moves.map(names);
            lines.pv = self.game.show_line(pos, &line).0;
            return lines;
        }
        let each = solver.each_move(&self.game, pos, &ctx).unwrap_or_default();
        let valued: Vec<Valued<G::Move>> = each
            .iter()
            .map(|(mv, after)| {
                let again = moves_again(&self.game, pos, &self.game.after(pos, *mv));
                let plies = after.plies.filter(|_| after.value.value().is_some()).map(|plies| plies + 1);
                (*mv, after.value.to_parent_with(again), plies)
            })
            .collect();
        if all {
            let report = |(mv, value, plies): &Valued<G::Move>| MoveReport {
                mv: self.game.show_move(pos, *mv),
                value: value.value().map_or("unknown", Wdl::name),
                plies: *plies,
                proven: value.value().is_some(),
            };
            lines.moves = Some(valued.iter().map(report).collect());
            if valued.iter().any(|(_, value, _)| value.value().is_none()) {
                found.solution.stopped = found.solution.stopped.or_else(|| ctx.check().err());
            }
        }
        if !solved && !decided_by_moves(&mut found.solution, &valued) {
            return lines;
        }
        let (value, plies) = (found.solution.value, found.solution.plies);
        let line = self.principal_variation(pos, &found.solution, solver.as_mut(), &ctx);
        lines.pv = self.game.show_line(pos, &line).0;
        // The list is complete only if every move is known to keep the value or not.
        let measured = value.value() != Some(Wdl::Draw) && plies.is_some();
        let decided = |moves: &Vec<Valued<G::Move>>| {
            moves.iter().all(|(_, worth, length)| {
                worth.hi < value.lo || worth.value().is_some() && !(measured && *worth == value && length.is_none())
            })
        };
        lines.best_moves = Some(valued).filter(|moves| !moves.is_empty() && decided(moves)).map(|moves| {
            let keeps = |(_, worth, length): &&Valued<G::Move>| *worth == value && (!measured || *length == plies);
            moves.iter().filter(keeps).map(|(mv, ..)| self.game.show_move(pos, *mv)).collect()
        });
        lines
    }

    /// Best play of both sides from `pos`, until it ends, repeats itself or is not proven. Where the solution has a
    /// distance, so has every position of the line, one ply less after each move.
    pub(super) fn principal_variation(
        &self,
        pos: &G::Position,
        root: &Solution<G::Move>,
        solver: &mut dyn Solver<G>,
        ctx: &Ctx,
    ) -> Vec<G::Move> {
        let (mut pos, mut line) = (pos.clone(), Vec::new());
        let (mut known, mut seen) = (root.clone(), std::collections::BTreeSet::new());
        while let Some(mv) = self.next_of_line(&pos, &known).filter(|_| line.len() < LONGEST_LINE) {
            if !seen.insert(pos.clone()) {
                break;
            }
            line.push(mv);
            self.game.play(&mut pos, mv);
            if self.game.outcome(&pos).is_some() {
                break;
            }
            let Ok(next) = solver.solve(&self.game, &pos, ctx) else { break };
            let measured = known.plies.filter(|_| known.value.value() != Some(Wdl::Draw));
            if measured.is_some() && next.plies.map(|plies| plies + 1) != measured {
                break;
            }
            known = next;
        }
        line
    }

    /// The best move of a solved position. Without distances, every move of a lost position is as good as any other.
    fn next_of_line(&self, pos: &G::Position, known: &Solution<G::Move>) -> Option<G::Move> {
        let value = known.value.value()?;
        let any = || collect_moves(&self.game, pos).first().copied();
        known.best.or_else(|| if value == Wdl::Loss && known.plies.is_none() { any() } else { None })
    }

    /// `after` is the solution of the position the move leads to, seen by the next mover.
    fn move_value(&self, pos: &G::Position, mv: G::Move, after: &Solution<G::Move>) -> Option<MoveValue> {
        after.value.value()?;
        let again = moves_again(&self.game, pos, &self.game.after(pos, mv));
        Some(MoveValue {
            mv: self.game.show_move(pos, mv),
            value: after.value.to_parent_with(again).lo,
            plies: after.plies.map(|plies| plies + 1),
            path: self.game.path(pos, mv),
        })
    }

    pub(super) fn not_offered(&self, what: &str) -> Failure {
        Failure::not_offered(what, &self.spelling)
    }
}

impl<G: Family + Symmetric + Evaluate> AnyGame for Erased<G> {
    fn duplicate(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn offers(&self) -> Offers {
        let solvers = self.capabilities.methods.iter().map(|method| method.name()).collect();
        let strongest = if self.capabilities.plays_out { "mcts" } else { "negamax" };
        Offers {
            solvers,
            agents: agents::names(self.capabilities.quick),
            strategies: self.game.strategies(),
            strongest,
        }
    }

    fn count(&self, pos: &str, limits: Limits, ctx: &Ctx) -> Result<CountReport, Failure> {
        let pos = self.read(pos)?;
        let counts = (self.capabilities.count)(&self.game, &pos, limits, ctx);
        let played_out = if pos == self.game.start() { self.game.played_out() } else { None };
        let report = CountReport::new(&self.spelling, self.game.show(&pos), counts, played_out);
        Ok(report.bounded(self.capabilities.positions_at_most.and_then(|bound| bound(&self.game))))
    }

    fn solve(&self, pos: &str, request: &SolveRequest, ctx: &Ctx) -> Result<(SolveReport, Evidence), Failure> {
        let pos = self.read(pos)?;
        let begun = Instant::now();
        let name = self.method_name(&request.solver)?;
        let mut methods = self.capabilities.methods.iter();
        let method = methods.find(|method| method.name() == name).ok_or_else(|| self.not_offered("a solution"))?;
        let totals = request.solver == MethodChoice::Strong;
        let asked = Request { evidence: request.certificate, totals, memory: request.memory };
        let mut found = match self.finished(&pos).filter(|_| method.needs_table() && !asked.totals && !asked.evidence) {
            Some(solution) => Found::new(solution, method.name()),
            None => method.solve(&self.game, &pos, &asked, ctx)?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        let mut evidence = self.evidence(&pos, &mut found);
        self.believe_if_checked(&mut found, &mut evidence, ctx);
        let lines = self.lines(&pos, &mut found, request.all, ctx);
        let mut report = self.report(&pos, found, lines);
        report.seconds = seconds;
        Ok((report, if request.certificate { evidence } else { Ok(None) }))
    }

    fn estimate(&self, pos: &str, memory: u64, ctx: &Ctx) -> Result<Option<Estimate>, Failure> {
        let pos = self.read(pos)?;
        match self.game.outcome(&pos) {
            Some(_) => Ok(None),
            None => Ok(Some(agents::estimate(self, &pos, memory, ctx)?)),
        }
    }

    fn values(&self, pos: &str, ctx: &Ctx) -> Result<Vec<MoveValue>, Failure> {
        let pos = self.read(pos)?;
        let (mut solver, _) = self.solver(Purpose::Moves).ok_or_else(|| self.not_offered("the value of every move"))?;
        let each = solver.each_move(&self.game, &pos, ctx)?;
        Ok(each.iter().filter_map(|(mv, after)| self.move_value(&pos, *mv, after)).collect())
    }

    fn explain(&self, pos: &str, request: &ExplainRequest, ctx: &Ctx) -> Result<ExplainReport, Failure> {
        self.explained(&self.read(pos)?, request, ctx)
    }

    fn judge(&self) -> Result<Box<dyn AnyJudge>, Failure> {
        self.judging()
    }

    fn puzzles(&self, request: &PuzzleRequest, ctx: &Ctx) -> Result<PuzzlesReport, Failure> {
        self.puzzling(request, ctx)
    }

    fn puzzle(&self, pos: &str, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Puzzle>, Failure> {
        self.puzzle_at(&self.read(pos)?, kind, ctx)
    }

    fn verify(&self, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<(VerifyReport, Evidence), Failure> {
        let root = self.read(pos)?;
        if let Some(basis) = self.basis(&root, request) {
            return self.verify_reduced(&root, request, basis, ctx);
        }
        let claim = verify::Claim { side: request.side, least: request.least, root };
        let (all, repair) = (request.all, request.repair.is_some());
        let Some((mut solver, _)) = self.solver(Purpose::Claims) else {
            if all || repair {
                return Err(self.not_offered(if all { "a list of all wrong moves" } else { "a repair" }));
            }
            return self.verified(&claim, request, None, ctx);
        };
        if repair && request.least == Wdl::Win && self.capabilities.cyclic {
            // A line that cycles is not broken at one of its positions: which exceptions are the fewest cannot be
            // told from such lines.
            let why = "where play can cycle, only draw claims can be repaired, not win claims";
            return Err(Failure::Usage(why.into()));
        }
        let mut keeps = |pos: &G::Position, ctx: &Ctx| solver.keeps(&self.game, pos, claim.side, claim.least, ctx);
        self.verified(&claim, request, Some(&mut keeps), ctx)
    }

    fn distil(&self, pos: &str, request: &DistilRequest, ctx: &Ctx) -> Result<(DistilReport, Evidence), Failure> {
        let root = self.read(pos)?;
        let Some((solver, _)) = self.solver(Purpose::Moves).or_else(|| self.solver(Purpose::Claims)) else {
            return Err(self.not_offered("a search for strategies"));
        };
        if request.least == Wdl::Win && self.capabilities.cyclic {
            let why = "where play can cycle, strategies are found for draw claims, not for win claims";
            return Err(Failure::Usage(why.into()));
        }
        self.distilled(&root, request, solver, ctx)
    }

    fn describe(&self, pos: &str, text: &str, request: &DistilRequest, ctx: &Ctx) -> Result<DistilReport, Failure> {
        self.described(&self.read(pos)?, text, request, ctx)
    }

    fn size_of(&self, text: &str) -> Result<SizeReport, Failure> {
        self.size(text)
    }

    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
        self.checked(certificate, ctx)
    }

    fn strategy_text(&self, name: &str) -> Option<&'static str> {
        self.game.strategy_text(name)
    }

    fn strategy_words(&self) -> Vec<StrategyWord> {
        agon_strategies::vocabulary::words(self.game.vocabulary().as_ref())
    }

    fn agent(&self, request: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        agents::player(self, request, seed)
    }

    fn exchanged(&self, pos: &str) -> Result<String, Failure> {
        let exchange = self.capabilities.exchange.ok_or_else(|| self.not_offered("an exchange of the sides"))?;
        Ok(self.game.show(&exchange(&self.read(pos)?)))
    }

    fn set_levels(&mut self, levels: Levels) {
        self.levels = levels;
    }

    fn level(&self, level: u8) -> Option<String> {
        agents::level(self, &level.to_string())
    }

    fn boards(&self, memory: u64, ctx: &Ctx) -> Result<Vec<BoardRow>, Failure> {
        let none = || self.not_offered("a list of all boards");
        let tables = self.capabilities.tables.as_ref().ok_or_else(none)?;
        tables.boards(&self.game, memory, ctx).ok_or_else(none)?
    }

    fn tables(&self) -> Option<Box<dyn AnyTables>> {
        self.capabilities.tables.as_ref().map(|tables| tables.of(self))
    }

    fn read_record(&self, text: &str) -> Option<Result<Recorded, Failure>> {
        let read = (self.capabilities.records.as_ref()?.read)(&self.game, &self.spelling, text)?;
        Some(read.map(|(recorded, _)| recorded))
    }

    fn read_annotated(&self, text: &str) -> Option<Result<RecordedTree, Failure>> {
        let read = (self.capabilities.records.as_ref()?.read)(&self.game, &self.spelling, text)?;
        Some(read.map(|(recorded, tree)| RecordedTree { spelling: recorded.spelling, from: recorded.from, tree }))
    }

    fn write_annotated(&self, from: &str, tree: &AnnotatedGame) -> Option<String> {
        (self.capabilities.records.as_ref()?.write_tree)(&self.game, &self.read(from).ok()?, tree)
    }

    fn record_notation(&self) -> Option<(&'static str, &'static str)> {
        self.capabilities.records.as_ref().map(|records| (records.extension, records.name))
    }

    fn setup(&self) -> Setup {
        self.capabilities.setup
    }

    fn tei_terms(&self) -> Option<TeiTerms> {
        self.capabilities.tei_terms.and_then(|terms| terms(&self.game))
    }

    fn openspiel(&self) -> Option<OpenSpiel> {
        self.openspiel
    }

    fn set_openspiel(&mut self, openspiel: OpenSpiel) {
        self.openspiel = Some(openspiel);
    }

    fn write_record(&self, from: &str, moves: &[String]) -> Option<String> {
        (self.capabilities.records.as_ref()?.write)(&self.game, &self.read(from).ok()?, moves)
    }

    fn annotate_record(&self, from: &str, moves: &[String], notes: &[Note], source: &str) -> Option<String> {
        (self.capabilities.records.as_ref()?.annotate)(&self.game, &self.read(from).ok()?, moves, notes, source)
    }
}
