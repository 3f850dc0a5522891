//! Strategies put to the test, for every kind of game: read, verified, repaired, certified.

use super::game::Erased;
use super::{Evidence, StrategyRequest, VerifyRequest};
use agon_check::{Certificate, Claim, Section};
use agon_core::family::shorten;
use agon_core::solver::Failed;
use agon_core::strategy::Patched;
use agon_core::{Ctx, Evaluate, Family, Stop, Strategy, Symmetric};
use agon_report::failure::Failure;
use agon_report::{Exception, FailureReport, RepairReport, VerifyReport, counterexample_text};
use agon_solve::repair::{self, Repair};
use agon_solve::verify::{self, Verdict, verify};

/// Lines listed by `verify --all` at most.
const LINES_LISTED: usize = 1000;

/// Says whether the side can still get what is claimed.
pub(super) type Keeps<'a, P> = &'a mut dyn FnMut(&P) -> Result<bool, Failed>;

/// The result of a repair, and the strategy with its exceptions, if there is one.
type Repaired<G> = (RepairReport, Option<Patched<G>>);

/// The operations on a strategy.
impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// The strategy of that name, with its exceptions, if a file of them is given.
    pub(super) fn strategy(&self, request: &StrategyRequest) -> Result<Box<dyn Strategy<G>>, Failure> {
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

    /// The error when there is no such strategy.
    fn no_strategy(&self, name: &str, reading: &str) -> Failure {
        let known = self.game.strategies();
        let why = match known.iter().find(|s| s.name == name) {
            Some(facts) if facts.readings.is_empty() => format!("{name} has one reading, and it has no name"),
            Some(facts) => format!("{name} has the readings {}", facts.readings.join(" | ")),
            None if known.is_empty() => format!("{} has no strategies", self.spelling),
            None => format!("expected one of {}", known.iter().map(|s| s.name).collect::<Vec<_>>().join(", ")),
        };
        let (name, reading) = (shorten(name), shorten(reading));
        let colon = if reading.is_empty() { "" } else { ":" };
        Failure::Usage(format!("invalid strategy `{name}{colon}{reading}`: {why}"))
    }

    /// Plays a strategy against every reply, and does what else was asked for. Listing all failures and repairing
    /// need `keeps`.
    pub(super) fn verified(
        &self,
        claim: &verify::Claim<G::Position>,
        request: &VerifyRequest,
        keeps: Option<Keeps<'_, G::Position>>,
        ctx: &Ctx,
    ) -> Result<(VerifyReport, Evidence), Failure> {
        let strategy = self.strategy(&request.strategy)?;
        let verdict = verify(&self.game, strategy.as_ref(), claim, ctx)?;
        let mut report = self.verdict(request, claim, &verdict);
        let mut patched = None;
        if let (Some(keeps), false) = (keeps, verdict.holds) {
            if request.all {
                report.failures = Some(self.wrong_moves(strategy.as_ref(), claim, keeps)?);
                report.losing = self.losing_lines(strategy.as_ref(), claim, &verdict, ctx)?;
            }
            if let Some(most) = request.repair {
                let (repair, strategy) = self.repaired(claim, request, most, keeps, ctx)?;
                report.repair = Some(repair);
                patched = strategy;
            }
        }
        let choices = match (&patched, verdict.holds) {
            _ if !request.certificate => None,
            (_, true) => Some(verdict.choices),
            (Some(patched), false) => Some(verify(&self.game, patched, claim, ctx)?.choices),
            (None, false) => None,
        };
        Ok((report, Ok(choices.map(|choices| self.strategy_certificate(claim, choices)))))
    }

    /// The verdict as text, with the line that breaks the claim, if one does.
    fn verdict(
        &self,
        request: &VerifyRequest,
        claim: &verify::Claim<G::Position>,
        verdict: &Verdict<G::Position, G::Move>,
    ) -> VerifyReport {
        let game = &self.game;
        let mut report = VerifyReport::new(
            &self.spelling,
            game.show(&claim.root),
            &request.strategy.name,
            (request.side, request.least),
            verdict,
        );
        report.side_name = game.player_name(request.side);
        if let Some(broken) = &verdict.counterexample {
            report.counterexample = Some(self.game.show_line(&claim.root, &broken.moves).0);
            // A move that is not legal may have no name.
            report.how = Some(counterexample_text(broken.how, |mv| format!("{mv:?}")));
            let end = broken.moves.iter().fold(claim.root.clone(), |pos, &mv| game.after(&pos, mv));
            report.board = Some(game.scene(&end).text());
        }
        report
    }

    /// Every position where the strategy first gives its claim away.
    fn wrong_moves(
        &self,
        strategy: &dyn Strategy<G>,
        claim: &verify::Claim<G::Position>,
        keeps: Keeps<'_, G::Position>,
    ) -> Result<Vec<FailureReport>, Failed> {
        let game = &self.game;
        let failures = verify::failures(game, strategy, claim, keeps)?;
        let told = failures.iter().map(|f| FailureReport {
            position: game.show(&f.position),
            class: game.show(&game.canonical(&f.position).0),
            wrong: game.show_move(&f.position, f.wrong),
            reason: strategy.reason(game, &f.position, f.wrong),
            line: self.game.show_line(&claim.root, &f.line).0,
        });
        Ok(told.collect())
    }

    /// Lines that break the claim, where they can be listed: there are endlessly many when play can cycle.
    fn losing_lines(
        &self,
        strategy: &dyn Strategy<G>,
        claim: &verify::Claim<G::Position>,
        verdict: &Verdict<G::Position, G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<Vec<String>>>, Stop> {
        if verdict.lines.is_none() {
            return Ok(None);
        }
        let broken = verify::broken_lines(&self.game, strategy, claim, LINES_LISTED, ctx)?;
        Ok(Some(broken.iter().map(|moves| self.game.show_line(&claim.root, moves).0).collect()))
    }

    /// The fewest exceptions that make the claim hold.
    fn repaired(
        &self,
        claim: &verify::Claim<G::Position>,
        request: &VerifyRequest,
        most: usize,
        keeps: Keeps<'_, G::Position>,
        ctx: &Ctx,
    ) -> Result<Repaired<G>, Failure> {
        let game = &self.game;
        let base = self.strategy(&request.strategy)?;
        Ok(match repair::repair(game, base, claim, most, ctx, keeps)? {
            Repair::Impossible => {
                (RepairReport::none("no strategy can keep this claim: the other side can prevent it"), None)
            }
            Repair::NotWithin(n) => (RepairReport::beyond(n), None),
            Repair::Repaired(patched) => {
                let again = verify(game, &patched, claim, ctx)?;
                let show = |(pos, moves): &(G::Position, Vec<G::Move>)| Exception {
                    position: game.show(pos),
                    moves: moves.iter().map(|&mv| game.show_move(pos, mv)).collect(),
                    board: game.scene(pos).text(),
                    mover: game.player_name(claim.side),
                };
                let exceptions = patched.exceptions(game).iter().map(show).collect();
                (RepairReport::found(exceptions, again.holds, again.positions), Some(patched))
            }
        })
    }

    /// The moves of the strategy at every position it reaches, as evidence.
    fn strategy_certificate(
        &self,
        claim: &verify::Claim<G::Position>,
        choices: Vec<(G::Position, Vec<G::Move>)>,
    ) -> Certificate {
        let game = &self.game;
        let entry = |(pos, moves): (G::Position, Vec<G::Move>)| {
            let moves = moves.iter().map(|&mv| game.show_move(&pos, mv)).collect();
            (game.show(&pos), moves)
        };
        let mut entries: Vec<(String, Vec<String>)> = choices.into_iter().map(entry).collect();
        entries.sort_unstable();
        let section = Section::Strategy { side: claim.side, least: claim.least, within: None, entries };
        let (game, from) = (self.spelling.clone(), game.show(&claim.root));
        let claim = Claim::AtLeast(claim.side, claim.least);
        let rules = self.rules.clone();
        Certificate { game, rules, from, claim, up_to_symmetry: false, sections: vec![section] }
    }
}
