//! Games of lines, and strategies that rest on an argument: what they have instead of a walk over plays.

use super::{Complete, Erased};
use crate::erased::{Evidence, SolveRequest, VerifyRequest};
use crate::failure::Failure;
use crate::report::{SolveReport, VerifyReport, counterexample_text};
use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::solver::Solver;
use agon_core::{Ctx, Game, Player, Reduction, Strategy, Wdl};
use agon_solve::Turns;
use agon_solve::lines::{Provers, Races, evidence};
use agon_solve::verify::{self, Verdict};
use std::time::Instant;

impl<G: Complete> Erased<G> {
    /// The value by proof over lines, and the evidence if asked for.
    pub(super) fn solve_lines(
        &self,
        pos: &G::Position,
        request: SolveRequest,
        ctx: &Ctx,
    ) -> Result<(SolveReport, Evidence), Failure> {
        let begun = Instant::now();
        let mut provers = Provers::new(&self.game, request.memory).ok_or_else(|| {
            Failure::Usage(format!("the solver `lines` is for games of lines, which {} is not", self.spelling))
        })?;
        let solution = provers.solve(&self.game, pos, ctx);
        let mut report = self.solve_report(pos, &solution, "lines");
        report.seconds = begun.elapsed().as_secs_f64();
        let evidence = match solution.value.value().filter(|_| request.certificate) {
            Some(value) => self.lines_certificate(pos, value, &mut provers, ctx).map(Some),
            None => Ok(None),
        };
        Ok((report, evidence))
    }

    /// The value of a race to complete a line: by forced wins alone, or by three ways in turns.
    pub(super) fn solve_race(
        &self,
        pos: &G::Position,
        request: SolveRequest,
        alone: bool,
        ctx: &Ctx,
    ) -> Result<(SolveReport, Evidence), Failure> {
        let begun = Instant::now();
        let mut turns = Turns::new(&self.game, request.memory).ok_or_else(|| {
            Failure::Usage(format!("the solver `race` is for races to complete a line, which {} is not", self.spelling))
        })?;
        let solution = if alone { turns.races.solve(&self.game, pos, ctx) } else { turns.solve(&self.game, pos, ctx) };
        let by = if alone { "race" } else { turns.by() };
        let mut report = self.solve_report(pos, &solution, if solution.stopped.is_some() { "auto" } else { by });
        report.seconds = begun.elapsed().as_secs_f64();
        let mover = self.game.turn(pos);
        let evidence = match (solution.value.value().filter(|_| request.certificate), by) {
            (None, _) => Ok(None),
            // A race that is over has no moves to tell of.
            (Some(value), _) if self.game.outcome(pos).is_some() => {
                self.value_certificate(pos, value, Some(0), &mut turns.alphabeta, ctx).map(Some)
            }
            (Some(value), "lines") => self.lines_certificate(pos, value, &mut turns.lines, ctx).map(Some),
            (Some(Wdl::Win), "race") => self.race_certificate(pos, mover, &mut turns.races, ctx).map(Some),
            (Some(Wdl::Loss), "race") => self.race_certificate(pos, mover.other(), &mut turns.races, ctx).map(Some),
            (Some(value), _) => self.value_certificate(pos, value, solution.plies, &mut turns.alphabeta, ctx).map(Some),
        };
        Ok((report, evidence))
    }

    /// Evidence that a side completes a line first.
    fn race_certificate(
        &self,
        pos: &G::Position,
        winner: Player,
        races: &mut Races,
        ctx: &Ctx,
    ) -> Result<Certificate, Failure> {
        let entries = races.evidence(&self.game, pos, winner, ctx)?;
        let value = if winner == self.game.turn(pos) { Wdl::Win } else { Wdl::Loss };
        Ok(self.certificate(pos, Claim::Value(value), true, vec![Section::Race { winner, entries }]))
    }

    /// Evidence for a value: one section for each side that is held to it.
    fn lines_certificate(
        &self,
        pos: &G::Position,
        value: Wdl,
        provers: &mut Provers,
        ctx: &Ctx,
    ) -> Result<Certificate, Failure> {
        let mut sections = Vec::new();
        // The first player is held by a proof about the second player's lines, and the other way round.
        for maker in [Player::Second, Player::First] {
            let Some(prover) = provers.prover(maker) else { continue };
            let marks = self.game.line_marks(pos, maker);
            let root = prover.board().position(marks, self.game.turn(pos) == maker);
            let (wins, entries) = evidence::extract(prover, &root, ctx)?;
            sections.push(Section::Lines { maker, wins, entries });
        }
        Ok(self.certificate(pos, Claim::Value(value), true, sections))
    }

    /// Verifies a strategy by the smaller thing it rests on. The checker has the last word.
    pub(super) fn verify_reduced(
        &self,
        root: &G::Position,
        request: &VerifyRequest,
        reduction: Reduction<G>,
        ctx: &Ctx,
    ) -> Result<(VerifyReport, Evidence), Failure> {
        let (verdict, section, inner) = match reduction {
            Reduction::Lifted(inner, strategy) => {
                let (verdict, section) = follow(&inner, strategy.as_ref(), request, ctx)?;
                (verdict, section, Some(inner))
            }
            Reduction::Pairing(pairs) => {
                let (positions, lines, counterexample, choices) = (0, None, None, vec![]);
                let nothing = Verdict { holds: true, positions, lines, partial: false, counterexample, choices };
                (nothing, Section::Pairing(pairs), None)
            }
        };
        let claim = Claim::AtLeast(request.side, request.least);
        let certificate = self.certificate(root, claim, false, vec![section]);
        let checked = agon_check::check(&self.game, &certificate, ctx);
        let mut report = VerifyReport::new(&self.spelling, self.game.show(root), request, &verdict);
        report.side_name = self.game.player_name(request.side);
        report.holds = false;
        match (&checked, &verdict.counterexample, &inner) {
            (Ok(proved), _, _) => (report.holds, report.positions) = (true, proved.positions),
            (Err(Rejected::Stopped(stop)), _, _) => return Err((*stop).into()),
            (Err(_), Some(broken), Some(inner)) => {
                let mut pos = inner.start();
                let mut names = Vec::new();
                for &mv in &broken.moves {
                    names.push(inner.show_move(&pos, mv));
                    inner.play(&mut pos, mv);
                }
                report.counterexample = Some(names);
                report.how = Some(counterexample_text(broken.how, |mv| format!("{mv:?}")));
                report.board = Some(inner.scene(&pos).text());
            }
            (Err(Rejected::Refuted(why) | Rejected::Corrupt(why)), _, _) => report.how = Some(why.clone()),
        }
        report.by = Some(if inner.is_some() { "decomposition" } else { "pairing" });
        let certificate = (request.certificate && checked.is_ok()).then_some(certificate);
        Ok((report, Ok(certificate)))
    }
}

/// What following a strategy found, and its moves.
type Followed<G> = (Verdict<<G as Game>::Position, <G as Game>::Move>, Section);

/// Follows a strategy on the inner board and lists its moves.
fn follow<G: Complete>(
    game: &G,
    strategy: &dyn Strategy<G>,
    request: &VerifyRequest,
    ctx: &Ctx,
) -> Result<Followed<G>, Failure> {
    let claim = verify::Claim { side: request.side, least: request.least, root: game.start() };
    let verdict = verify::verify(game, strategy, &claim, ctx)?;
    let entry = |(pos, moves): &(G::Position, Vec<G::Move>)| {
        (game.show(pos), moves.iter().map(|&mv| game.show_move(pos, mv)).collect())
    };
    let mut entries: Vec<(String, Vec<String>)> = verdict.choices.iter().map(entry).collect();
    entries.sort_unstable();
    Ok((verdict, Section::Lifted(entries)))
}
