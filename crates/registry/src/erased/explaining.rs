//! Explanations, for every kind of game.

use super::StrategyRequest;
use super::game::Erased;
use super::written::Written;
use agon_core::solver::{Failed, Solver};
use agon_core::{Ctx, Evaluate, Family, Game, Player, Solution, Stop, Symmetric, Wdl, collect_moves};
use agon_report::failure::Failure;
use agon_report::{ExplainReport, RuleTrace, StepTrace, StrategyTrace};
use agon_solve::explain::{Explanation, Limits, Line, explain};
use agon_solve::method::{Purpose, Request};
use agon_strategies::{Tried, Weighed};
use std::time::Instant;

/// Nodes that a method may take to find the distances that the default method does not know.
const DISTANCE_NODES: u64 = 200_000;

/// In positions with more moves no distances are looked for.
const MANY_MOVES: usize = 1000;

/// A request to explain a position.
#[derive(Clone, Debug, Default)]
pub struct ExplainRequest {
    /// The largest trees.
    pub limits: Limits,
    /// A strategy to explain as well, and the side it plays; without a side, the one to move.
    pub strategy: Option<(StrategyRequest, Option<Player>)>,
    /// The last move, with the position before it. Some strategies look at it.
    pub last: Option<(String, String)>,
}

/// A solver whose answers count only if their certificate is accepted, because they rest on hashes.
struct Checked<G: Family> {
    erased: Erased<G>,
    /// The index of the method.
    method: usize,
}

impl<G: Family + Symmetric + Evaluate> Solver<G> for Checked<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let capabilities = &self.erased.capabilities;
        let request = Request { evidence: true, totals: false, memory: capabilities.player_memory };
        let mut found = capabilities.methods[self.method].solve(game, pos, &request, ctx)?;
        let mut evidence = self.erased.evidence(pos, &mut found);
        self.erased.believe_if_checked(&mut found, &mut evidence, ctx);
        Ok(found.solution)
    }
}

/// A solver that knows distances, and its solution of a position.
pub(super) type Measured<G> = (Box<dyn Solver<G>>, Solution<<G as Game>::Move>);

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// A solver for many questions, whose every answer is proven, and whether it needs a table of all positions.
    pub(super) fn prover(&self) -> Option<(Box<dyn Solver<G>>, bool)> {
        (0..self.capabilities.methods.len()).find_map(|method| self.prover_by(method))
    }

    fn prover_by(&self, method: usize) -> Option<(Box<dyn Solver<G>>, bool)> {
        let (chosen, memory) = (&self.capabilities.methods[method], self.capabilities.player_memory);
        let solver = chosen.solver(&self.game, Purpose::Moves, memory)?;
        match chosen.rests_on_hashes(&self.game) {
            true => Some((Box::new(Checked { erased: self.clone(), method }), false)),
            false => Some((solver, chosen.needs_table())),
        }
    }

    /// The same; one that knows distances, if the first one does not and another one finds them quickly.
    fn measuring_prover(&self, pos: &G::Position, ctx: &Ctx) -> Result<(Box<dyn Solver<G>>, bool), Failure> {
        let (mut first, table) = self.prover().ok_or_else(|| self.not_offered("an explanation"))?;
        if table || self.game.outcome(pos).is_some() || self.game.count_moves(pos) > MANY_MOVES {
            return Ok((first, table));
        }
        let known = first.solve(&self.game, pos, &ctx.share(0.25))?;
        Ok(self.measurer(pos, &known, ctx)?.map_or((first, table), |(other, _)| (other, false)))
    }

    /// Another solver with its solution of a won or lost position, if `known` has no distance and this one finds it
    /// quickly.
    pub(super) fn measurer(
        &self,
        pos: &G::Position,
        known: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Measured<G>>, Failed> {
        let decided = matches!(known.value.value(), Some(Wdl::Win | Wdl::Loss)) && known.stopped.is_none();
        if !decided || known.plies.is_some() {
            return Ok(None);
        }
        for method in 0..self.capabilities.methods.len() {
            let Some((mut other, false)) = self.prover_by(method) else { continue };
            let measured = match other.solve(&self.game, pos, &ctx.sub_budget(DISTANCE_NODES)) {
                Err(Failed::OutOfRange { .. }) => continue,
                measured => measured?,
            };
            if measured.stopped.is_none() && measured.value == known.value && measured.plies.is_some() {
                return Ok(Some((other, measured)));
            }
        }
        Ok(None)
    }

    /// Explains a position.
    pub(super) fn explained(
        &self,
        pos: &G::Position,
        request: &ExplainRequest,
        ctx: &Ctx,
    ) -> Result<ExplainReport, Failure> {
        let (begun, game) = (Instant::now(), &self.game);
        // A strategy that cannot be read is said before any work.
        let strategy = match &request.strategy {
            Some((strategy, side)) => Some((strategy, *side, self.strategy(strategy)?)),
            None => None,
        };
        let (mut solver, table) = self.measuring_prover(pos, ctx)?;
        let found = explain(game, pos, solver.as_mut(), table, &request.limits, ctx)?;
        let lines = found.lines.iter().map(|line| {
            let (moves, ends) = (game.show_line(pos, &line.moves).0, line.ends);
            Line { moves, ends }
        });
        let why = Explanation {
            root: found.root.map(&|pos| game.show(pos), &|pos, mv| game.show_move(pos, *mv)),
            lines: lines.collect(),
            cut: found.cut,
            stopped: found.stopped,
        };
        let names = Player::BOTH.map(|player| game.player_name(player));
        let mut report = ExplainReport::new(&self.spelling, names, why, request.limits);
        report.board = game.scene(pos).text();
        report.end_reason = game.outcome(pos).map(|_| game.end_reason(pos));
        report.sum = match self.capabilities.sum.map(|sum| sum(game, pos, ctx)) {
            None | Some(Err(Failed::Stopped(Stop::Time | Stop::Nodes))) => None,
            Some(sum) => Some(sum?),
        };
        if let Some((spelled, side, strategy)) = strategy {
            let side = side.unwrap_or_else(|| game.turn(pos));
            report.strategy = Some(self.trace(pos, (spelled, side, &strategy), request, &report)?);
        }
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    /// The behaviour of a strategy at a position.
    fn trace(
        &self,
        pos: &G::Position,
        (spelled, side, strategy): (&StrategyRequest, Player, &Written<G>),
        request: &ExplainRequest,
        report: &ExplainReport,
    ) -> Result<StrategyTrace, Failure> {
        let game = &self.game;
        let to_move = game.outcome(pos).is_none() && game.turn(pos) == side;
        let mut trace = StrategyTrace::new(&spelled.name, side.name(), game.player_name(side), to_move);
        if !to_move {
            return Ok(trace);
        }
        let memory = match &request.last {
            Some((before, mv)) => {
                let before = self.read(before)?;
                let mv = game.parse_move(&before, mv)?;
                if game.turn(&before) == side { 0 } else { strategy.as_dyn().remembers(game, &before, mv) }
            }
            None => 0,
        };
        if strategy.as_dyn().looks_back() && request.last.is_none() {
            let note = "the strategy looks at the opponent's last move, which is not known here; give the moves that lead to \
                        the position";
            trace.note = Some(note.to_string());
        }
        let legal = collect_moves(game, pos);
        let mut moves = strategy.as_dyn().choices_knowing(game, pos, memory);
        moves.retain(|mv| legal.contains(mv));
        let named = |moves: &[G::Move]| moves.iter().map(|&mv| game.show_move(pos, mv)).collect::<Vec<String>>();
        trace.rule = strategy.as_dyn().reason_knowing(game, pos, memory);
        trace.rule = trace.rule.or_else(|| strategy.as_dyn().reason(game, pos, *moves.first()?));
        trace.moves = named(&moves);
        let root = &report.why.root;
        for (i, (mv, _)) in root.moves.iter().enumerate().filter(|(_, (mv, _))| trace.moves.contains(mv)) {
            match (root.worth(i), root.value.value()) {
                (worth, Some(value)) if worth.lo >= value => trace.keeping.push(mv.clone()),
                (worth, Some(value)) if worth.hi < value => trace.losing.push(mv.clone()),
                _ => {}
            }
        }
        if let Written::Rules(rules) = strategy {
            let tried = rules.trace(game, pos, memory);
            let sentences = agon_strategies::english(rules.text(), game.vocabulary().extras());
            trace.says = tried
                .last()
                .filter(|last| !last.moves.is_empty())
                .and_then(|_| sentences.get(tried.len() - 1))
                .cloned();
            trace.rules = Some(tried.iter().map(|tried| rule(tried, &named)).collect());
        }
        Ok(trace)
    }
}

/// A rule that was tried, as text.
fn rule<M: Clone>(tried: &Tried<M>, named: &dyn Fn(&[M]) -> Vec<String>) -> RuleTrace {
    let decides = !tried.moves.is_empty();
    let why = match tried.steps.as_ref().map(|steps| steps.last()) {
        _ if decides => None,
        None => Some("the book does not contain this position".to_string()),
        Some(Some(last)) if last.line.starts_with("when ") => {
            Some(format!("does not apply, because `{}` does not hold", last.line))
        }
        Some(Some(last)) => Some(format!("does not apply, because no move passes `{}`", last.line)),
        Some(None) => Some("does not apply".to_string()),
    };
    let step = |weighed: &Weighed<M>| StepTrace {
        step: weighed.line.clone(),
        holds: weighed.line.starts_with("when ").then_some(weighed.applies),
        kept: named(&weighed.kept),
        rejected: named(&weighed.rejected),
        value: weighed.value,
    };
    RuleTrace { name: tried.name.clone(), decides, why, steps: tried.steps.iter().flatten().map(step).collect() }
}
