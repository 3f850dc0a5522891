//! Strategies put to the test, for every kind of game: verified, repaired, certified.

use super::game::Erased;
use super::written::{Written, book, free_name};
use super::{Evidence, VerifyRequest};
use agon_check::{Certificate, Claim, Section};
use agon_core::solver::Failed;
use agon_core::strategy::Patched;
use agon_core::{Ctx, Evaluate, Family, Notation, Stop, Strategy, Symmetric};
use agon_report::failure::Failure;
use agon_report::{
    Exception, FailureReport, RepairReport, ResponseReport, RuleReport, ShortestReport, VerifyReport,
    counterexample_text,
};
use agon_solve::repair::{self, Repair};
use agon_solve::verify::{self, Keeps, Verdict, verify};
use agon_strategies::{LONGEST_TEXT, Rules};

/// The most lines listed when all failures are asked for.
const LINES_LISTED: usize = 1000;

/// Each rule is left out in turn while the positions times the rules are at most that many.
const MOST_WITHOUT: u64 = 2_000_000;

/// The nodes that may be searched for the move that gave a claim away.
const NODES_FOR_BLAME: u64 = 1 << 21;

/// Answers, within the limits of a context, whether a side can still get what is claimed at a position.
pub(super) type Judged<'a, P> = &'a mut dyn FnMut(&P, &Ctx) -> Result<bool, Failed>;

/// The result of a repair, and the strategy with its exceptions, if there is one.
type Repaired<G> = (RepairReport, Option<Patched<G>>);

/// The operations on a strategy.
impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// Plays a strategy against every reply, and does what else was asked for. Listing all failures and repairing
    /// need `judge`, and so does the rule that gave the claim away.
    ///
    /// A limit that is reached before the verdict is an error. One that is reached later leaves out what it stopped.
    pub(super) fn verified(
        &self,
        claim: &verify::Claim<G::Position>,
        request: &VerifyRequest,
        judge: Option<Judged<'_, G::Position>>,
        ctx: &Ctx,
    ) -> Result<(VerifyReport, Evidence), Failure> {
        let strategy = self.strategy(&request.strategy)?;
        let verdict = verify(&self.game, strategy.as_dyn(), claim, ctx)?;
        let mut report = self.verdict(request, claim, &verdict);
        report.shortest_counterexample = shortest(&self.game, strategy.as_dyn(), claim, &verdict);
        if let Written::Rules(rules) = &strategy {
            report.rules = Some(rules_used(&self.game, rules, claim, &verdict, ctx)?);
        }
        let mut patched = None;
        if let (Some(judge), false) = (judge, verdict.holds) {
            // What follows a verdict may take as many nodes again.
            let (ctx, mut stopped) = (&ctx.with_own_count(), None);
            let quiet = ctx.without_progress();
            let few = quiet.sub_budget(NODES_FOR_BLAME);
            self.blame(&mut report, claim, &verdict, &mut |pos| judge(pos, &few))?;
            let keeps: Keeps<'_, G::Position> = &mut |pos| judge(pos, &quiet);
            if request.all {
                let (wrong, limit) = self.wrong_moves(strategy.as_dyn(), claim, keeps, ctx)?;
                (report.failures, stopped) = (Some(wrong), limit.map(Stop::name));
                match self.losing_lines(strategy.as_dyn(), claim, &verdict, ctx) {
                    Ok(lines) => report.losing = lines,
                    Err(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
                    Err(stop) => stopped = Some(stop.name()),
                }
            }
            report.stopped = stopped;
            if let Some(most) = request.repair {
                let (repair, strategy) = self.repaired(claim, request, most, keeps, ctx)?;
                report.repair = Some(repair);
                patched = strategy;
            }
        }
        let short = |text: &String| !request.listed && text.len() <= LONGEST_TEXT;
        let certificate = match (patched, verdict.holds) {
            _ if !request.certificate => None,
            (_, true) => Some(match strategy.text().map(ToString::to_string).filter(short) {
                Some(text) => self.text_certificate(claim, text),
                None => self.listed_certificate(claim, verdict.moves()),
            }),
            (Some(patched), false) => {
                let text = report.repair.as_ref().and_then(|repair| repair.text.clone());
                Some(match text.filter(short) {
                    Some(text) => self.text_certificate(claim, text),
                    None => self.listed_certificate(claim, verify(&self.game, &patched, claim, ctx)?.moves()),
                })
            }
            (None, false) => None,
        };
        Ok((report, Ok(certificate)))
    }

    /// Finds the move of the shortest counterexample after which the claim was lost for good. Positions near the end are
    /// the easiest to judge, so it goes backwards; where a position is too hard, the rule stays unknown.
    fn blame(
        &self,
        report: &mut VerifyReport,
        claim: &verify::Claim<G::Position>,
        verdict: &Verdict<G::Position, G::Move>,
        keeps: Keeps<'_, G::Position>,
    ) -> Result<(), Failed> {
        let (Some(shortest), Some(broken)) = (&mut report.shortest_counterexample, &verdict.counterexample) else {
            return Ok(());
        };
        let (mut pos, mut own) = (claim.root.clone(), Vec::new());
        for (ply, &mv) in broken.moves.iter().enumerate() {
            if self.game.turn(&pos) == claim.side {
                own.push((ply, pos.clone()));
            }
            self.game.play(&mut pos, mv);
        }
        for (nth, (ply, before)) in own.iter().enumerate().rev() {
            let after = self.game.after(before, broken.moves[*ply]);
            let gave = |keeps: Keeps<'_, G::Position>| Ok(!keeps(&after)? && keeps(before)?);
            match gave(keeps) {
                Ok(true) => {
                    (shortest.ply, shortest.rule) = (Some(*ply), shortest.rules.get(nth).cloned().flatten());
                    break;
                }
                Ok(false) => {}
                Err(Failed::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
                Err(Failed::Stopped(_) | Failed::NoMemory { .. } | Failed::OutOfRange { .. }) => break,
                Err(why) => return Err(why),
            }
        }
        Ok(())
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
        report.best_response = verdict.response.as_ref().map(|response| ResponseReport {
            value: response.value,
            moves: game.show_line(&claim.root, &response.moves).0,
        });
        report
    }

    /// Every position where the strategy first gives its claim away.
    fn wrong_moves(
        &self,
        strategy: &dyn Strategy<G>,
        claim: &verify::Claim<G::Position>,
        keeps: Keeps<'_, G::Position>,
        ctx: &Ctx,
    ) -> Result<(Vec<FailureReport>, Option<Stop>), Failed> {
        let game = &self.game;
        let (failures, stopped) = verify::failures(game, strategy, claim, keeps, ctx)?;
        let reports = failures.iter().map(|f| FailureReport {
            position: game.show(&f.position),
            class: game.show(&game.canonical(&f.position).0),
            wrong: f.wrong.map(|mv| game.show_move(&f.position, mv)),
            reason: strategy
                .reason_knowing(game, &f.position, f.memory)
                .or_else(|| strategy.reason(game, &f.position, f.wrong?)),
            line: self.game.show_line(&claim.root, &f.line).0,
        });
        Ok((reports.collect(), stopped))
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
        let text = base.text().cloned();
        Ok(match repair::repair(game, base.boxed(), claim, most, ctx, keeps)? {
            Repair::Impossible => {
                (RepairReport::none("no strategy can achieve this claim: the other side can prevent it"), None)
            }
            Repair::NotWithin(n) => (RepairReport::beyond(n), None),
            Repair::Repaired { patched, at_least } => {
                let again = verify(game, &patched, claim, ctx)?;
                let show = |(pos, moves): &(G::Position, Vec<G::Move>)| Exception {
                    position: game.show(pos),
                    moves: moves.iter().map(|&mv| game.show_move(pos, mv)).collect(),
                    board: game.scene(pos).text(),
                    mover: game.player_name(claim.side),
                };
                let found = patched.exceptions(game);
                if let Some((pos, _)) = found.iter().find(|(pos, _)| game.show(pos).starts_with('#')) {
                    let why = "needs an exception that cannot be written: `#` begins a comment";
                    return Err(Failure::Failed(format!("a repair of the position `{}` {why}", game.show(pos))));
                }
                let exceptions = found.iter().map(show).collect();
                let mut report = RepairReport::found(exceptions, at_least, again.holds, again.positions);
                report.text = text.map(|mut text| {
                    let entries = found.iter().map(|(pos, moves)| self.entry(pos, &moves[..1])).collect();
                    text.sections.insert(0, book(free_name(&text, "repair"), entries));
                    text.to_string()
                });
                (report, Some(patched))
            }
        })
    }

    /// A strategy as text, which is its own evidence.
    pub(super) fn text_certificate(&self, claim: &verify::Claim<G::Position>, text: String) -> Certificate {
        let section = Section::Text { side: claim.side, least: claim.least, within: None, text };
        self.certificate(&claim.root, Claim::AtLeast(claim.side, claim.least), false, vec![section])
    }

    /// The moves of the strategy at every position it reaches, as evidence.
    fn listed_certificate(
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
        self.certificate(&claim.root, Claim::AtLeast(claim.side, claim.least), false, vec![section])
    }
}

/// The shortest counterexample, with the rules that decided the strategy's moves.
pub(super) fn shortest<G: Notation>(
    game: &G,
    strategy: &dyn Strategy<G>,
    claim: &verify::Claim<G::Position>,
    verdict: &Verdict<G::Position, G::Move>,
) -> Option<ShortestReport> {
    let broken = verdict.counterexample.as_ref()?;
    let (mut pos, mut memory, mut rules) = (claim.root.clone(), 0, Vec::new());
    for &mv in &broken.moves {
        let own = game.turn(&pos) == claim.side;
        if own {
            let reason = strategy.reason_knowing(game, &pos, memory);
            rules.push(reason.or_else(|| strategy.reason(game, &pos, mv)));
        }
        memory = if own { 0 } else { strategy.remembers(game, &pos, mv) };
        game.play(&mut pos, mv);
    }
    Some(ShortestReport {
        moves: game.show_line(&claim.root, &broken.moves).0,
        position: game.show(&pos),
        how: counterexample_text(broken.how, |mv| format!("{mv:?}")),
        rules,
        rule: None,
        ply: None,
    })
}

/// The behaviour of each rule, and whether the claim, if it holds, fails without it.
pub(super) fn rules_used<G: Family + Symmetric>(
    game: &G,
    rules: &Rules<G>,
    claim: &verify::Claim<G::Position>,
    verdict: &Verdict<G::Position, G::Move>,
    ctx: &Ctx,
) -> Result<Vec<RuleReport>, Stop> {
    let row = |name: &str| RuleReport { name: name.to_string(), fired: 0, decided: 0, needed: None };
    let mut used: Vec<RuleReport> = rules.names().map(row).collect();
    let sorted = |mut moves: Vec<G::Move>| {
        moves.sort_unstable();
        moves
    };
    for choice in &verdict.choices {
        let [decision, next] = rules.decide_twice(game, &choice.position, choice.memory);
        let Some((rule, moves)) = decision else { continue };
        used[rule].fired += 1;
        let without = next.map(|(_, moves)| sorted(moves));
        used[rule].decided += u64::from(without != Some(sorted(moves)));
    }
    let quick = verdict.positions.saturating_mul(used.len() as u64) <= MOST_WITHOUT;
    for (i, rule) in used.iter_mut().enumerate().filter(|_| verdict.holds && quick) {
        rule.needed = Some(match rules.without(game, i) {
            _ if rule.decided == 0 => false,
            Some(rest) => match verify::holds(game, &rest, claim, ctx) {
                Ok(holds) => !holds,
                Err(Stop::Interrupted) => return Err(Stop::Interrupted),
                // A limit: whether this rule and the next ones are needed is not found out.
                Err(_) => break,
            },
            None => true,
        });
    }
    Ok(used)
}
