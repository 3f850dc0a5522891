//! Strategies that rest on an argument instead of a walk over plays.

use super::game::Erased;
use super::verifying::{rules_used, shortest};
use super::{Evidence, VerifyRequest};
use agon_check::{Claim, Rejected, Section};
use agon_core::{Ctx, Evaluate, Family, Game, Reduction, Strategy, Symmetric, Wdl};
use agon_report::failure::Failure;
use agon_report::{VerifyReport, counterexample_text};
use agon_solve::verify::{self, Verdict};
use agon_strategies::{Rules, Text};

/// The smaller thing that a strategy rests on.
pub(super) enum Basis<G: Game> {
    /// An argument of the game about one of its strategies.
    Argument(Reduction<G>),
    /// A text for the whole board, and the strategy for the inner game that it plays.
    Lifted(String, G, Box<Rules<G>>),
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// The smaller thing that a strategy rests on, if it rests on one: its win then need not be walked on the whole
    /// board.
    pub(super) fn basis(&self, root: &G::Position, request: &VerifyRequest) -> Option<Basis<G>> {
        let strategy = &request.strategy;
        let plain = strategy.exceptions.is_none()
            && strategy.called.is_none()
            && request.repair.is_none()
            && *root == self.game.start();
        if !plain || request.least != Wdl::Win {
            return None;
        }
        let Some(text) = &strategy.text else {
            let (name, reading) = strategy.name.split_once(':').unwrap_or((&strategy.name, ""));
            return self.game.reduction(name, reading).map(Basis::Argument);
        };
        let text = Text::parse(text).ok()?.read_as(&strategy.reading)?;
        let lifted = text.lifted()?;
        // What does not mean anything on the whole board is refused as usual.
        Rules::new(&self.game, &text).ok()?;
        let inner = (self.capabilities.inner)(&self.game)?;
        let rules = Rules::new(&inner, &lifted).ok()?;
        Some(Basis::Lifted(text.to_string(), inner, Box::new(rules)))
    }

    /// Verifies a strategy by the smaller thing it rests on. The checker has the last word.
    pub(super) fn verify_reduced(
        &self,
        root: &G::Position,
        request: &VerifyRequest,
        basis: Basis<G>,
        ctx: &Ctx,
    ) -> Result<(VerifyReport, Evidence), Failure> {
        let (verdict, section, inner, rules) = match basis {
            Basis::Argument(Reduction::Lifted(inner, strategy)) => {
                let verdict = followed(&inner, strategy.as_ref(), request, ctx)?;
                let section = Section::Lifted(listed(&inner, &verdict));
                (verdict, section, Some(inner), None)
            }
            Basis::Argument(Reduction::Pairing(pairs)) => {
                let (positions, lines, counterexample, choices) = (0, None, None, vec![]);
                let (partial, response) = (false, None);
                let nothing = Verdict { holds: true, positions, lines, partial, counterexample, response, choices };
                (nothing, Section::Pairing(pairs), None, None)
            }
            Basis::Lifted(text, inner, rules) => {
                let verdict = followed(&inner, rules.as_ref(), request, ctx)?;
                (verdict, Section::LiftedText(text), Some(inner), Some(rules))
            }
        };
        let claim = Claim::AtLeast(request.side, request.least);
        let certificate = self.certificate(root, claim, false, vec![section]);
        let checked = self.checked(&certificate, ctx);
        let mut report = VerifyReport::new(
            &self.spelling,
            self.game.show(root),
            &request.strategy.name,
            (request.side, request.least),
            &verdict,
        );
        report.side_name = self.game.player_name(request.side);
        report.holds = false;
        match (&checked, &verdict.counterexample, &inner) {
            (Ok(proved), _, _) => (report.holds, report.positions) = (true, proved.positions),
            (Err(Rejected::Stopped(stop)), _, _) => return Err((*stop).into()),
            (Err(_), Some(broken), Some(inner)) => {
                let (names, pos) = inner.show_line(&inner.start(), &broken.moves);
                report.counterexample = Some(names);
                report.how = Some(counterexample_text(broken.how, |mv| format!("{mv:?}")));
                report.board = Some(inner.scene(&pos).text());
            }
            (Err(Rejected::Refuted(why) | Rejected::Corrupt(why)), _, _) => report.how = Some(why.clone()),
        }
        if let (Some(inner), Some(rules)) = (&inner, &rules) {
            let claim = verify::Claim { side: request.side, least: request.least, root: inner.start() };
            report.rules = Some(rules_used(inner, rules, &claim, &verdict, ctx)?);
            report.shortest_counterexample = shortest(inner, rules.as_ref(), &claim, &verdict);
        }
        report.by = Some(if inner.is_some() { "decomposition" } else { "pairing" });
        let certificate = (request.certificate && checked.is_ok()).then_some(certificate);
        Ok((report, Ok(certificate)))
    }
}

/// Follows a strategy on the inner board.
fn followed<G: Family>(
    game: &G,
    strategy: &dyn Strategy<G>,
    request: &VerifyRequest,
    ctx: &Ctx,
) -> Result<Verdict<G::Position, G::Move>, Failure> {
    let claim = verify::Claim { side: request.side, least: request.least, root: game.start() };
    Ok(verify::verify(game, strategy, &claim, ctx)?)
}

/// The moves of a strategy, as entries of a section.
fn listed<G: Family>(game: &G, verdict: &Verdict<G::Position, G::Move>) -> Vec<(String, Vec<String>)> {
    let entry = |(pos, moves): &(G::Position, Vec<G::Move>)| {
        (game.show(pos), moves.iter().map(|&mv| game.show_move(pos, mv)).collect())
    };
    let mut entries: Vec<(String, Vec<String>)> = verdict.moves().iter().map(entry).collect();
    entries.sort_unstable();
    entries
}
