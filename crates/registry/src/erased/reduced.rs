//! Strategies that rest on an argument instead of a walk over plays.

use super::game::Erased;
use super::{Evidence, VerifyRequest};
use agon_check::{Claim, Rejected, Section};
use agon_core::{Ctx, Evaluate, Family, Game, Reduction, Strategy, Symmetric};
use agon_report::failure::Failure;
use agon_report::{VerifyReport, counterexample_text};
use agon_solve::verify::{self, Verdict};

impl<G: Family + Symmetric + Evaluate> Erased<G> {
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
                let (partial, response) = (false, None);
                let nothing = Verdict { holds: true, positions, lines, partial, counterexample, response, choices };
                (nothing, Section::Pairing(pairs), None)
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
        report.by = Some(if inner.is_some() { "decomposition" } else { "pairing" });
        let certificate = (request.certificate && checked.is_ok()).then_some(certificate);
        Ok((report, Ok(certificate)))
    }
}

/// The report on a strategy, and its moves.
type Followed<G> = (Verdict<<G as Game>::Position, <G as Game>::Move>, Section);

/// Follows a strategy on the inner board and lists its moves.
fn follow<G: Family>(
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
    let mut entries: Vec<(String, Vec<String>)> = verdict.moves().iter().map(entry).collect();
    entries.sort_unstable();
    Ok((verdict, Section::Lifted(entries)))
}
