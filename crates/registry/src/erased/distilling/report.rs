//! Boards that show what each part of a list is for.

use crate::erased::game::Erased;
use agon_core::solver::Failed;
use agon_core::{Ctx, Evaluate, Family, Strategy, Symmetric, collect_moves};
use agon_report::{Instead, PunishedReport, StepReport, StepShown, counterexample_text};
use agon_solve::verify::{self, Choice, Claim, verify};
use agon_strategies::text::{Body, Section, Step};
use agon_strategies::{Rules, Text};

/// A rule or a book, by its number among them, or a step of a rule.
#[derive(Clone, Copy)]
struct Part {
    rule: usize,
    step: Option<usize>,
}

/// The rules and books of a text if there are several, and the steps of rules that have several.
fn parts(text: &Text) -> Vec<Part> {
    let several = text.deciding().count() > 1;
    let mut parts = Vec::new();
    for (rule, section) in text.deciding().enumerate() {
        parts.extend(several.then_some(Part { rule, step: None }));
        let Body::Rule(lines) = &section.body else { continue };
        let steps = lines.iter().enumerate().filter(|(_, line)| !matches!(line.step, Step::On(_)));
        let steps: Vec<usize> = steps.map(|(at, _)| at).collect();
        if !several || steps.len() > 1 {
            parts.extend(steps.iter().map(|&at| Part { rule, step: Some(at) }));
        }
    }
    parts
}

/// The text without a part.
fn without(text: &Text, part: Part) -> Text {
    let mut shorter = text.clone();
    let deciding = |section: &Section| matches!(section.body, Body::Rule(_) | Body::Book { .. });
    let at = (0..text.sections.len()).filter(|&at| deciding(&text.sections[at])).nth(part.rule);
    let at = at.expect("a part of the text");
    match (part.step, &mut shorter.sections[at].body) {
        (Some(step), Body::Rule(steps)) => drop(steps.remove(step)),
        _ => drop(shorter.sections.remove(at)),
    }
    shorter
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// For each part, a position where it decides or rejects moves, one where the list plays something else without it,
    /// and the shortest line that refutes the list without it.
    pub(super) fn parts_shown(
        &self,
        text: &Text,
        claims: &[Claim<G::Position>],
        ctx: &Ctx,
    ) -> Result<Vec<StepReport>, Failed> {
        let game = &self.game;
        let Ok(rules) = Rules::new(game, text) else { return Ok(Vec::new()) };
        let (quiet, mut choices) = (ctx.without_progress(), Vec::new());
        for claim in claims {
            choices.extend(verify(game, &rules, claim, &quiet)?.choices);
        }
        let (parts, mut shown) = (parts(text), Vec::new());
        for (done, &part) in parts.iter().enumerate() {
            ctx.progress("steps left out", done as u64, Some(parts.len() as u64));
            let section = text.deciding().nth(part.rule).expect("a part of the text");
            let line = match (part.step, &section.body) {
                (Some(step), Body::Rule(lines)) => Some(lines[step].step.to_string()),
                _ => None,
            };
            let decides = |choice: &Choice<G::Position, G::Move>| match part.step {
                Some(step) => self.rejects(&rules, Part { step: Some(step), ..part }, section, choice),
                None => self.decides(&rules, part.rule, choice),
            };
            let shorter = Rules::new(game, &without(text, part)).ok();
            shown.push(StepReport {
                rule: section.name.clone(),
                step: line,
                decides: choices.iter().find_map(decides),
                overrides: shorter
                    .as_ref()
                    .and_then(|shorter| choices.iter().find_map(|choice| self.differs(shorter, choice))),
                without: match &shorter {
                    Some(shorter) => self.punished(shorter, claims, &quiet)?,
                    None => None,
                },
            });
        }
        Ok(shown)
    }

    fn moves_named(&self, pos: &G::Position, moves: &[G::Move]) -> Vec<String> {
        moves.iter().map(|&mv| self.game.show_move(pos, mv)).collect()
    }

    /// A rule or book at a position, if it decides there against some legal move.
    fn decides(&self, rules: &Rules<G>, rule: usize, choice: &Choice<G::Position, G::Move>) -> Option<StepShown> {
        let (by, kept) = rules.decide(&self.game, &choice.position, choice.memory)?;
        let legal = collect_moves(&self.game, &choice.position);
        let rejected: Vec<G::Move> = legal.into_iter().filter(|mv| !kept.contains(mv)).collect();
        (by == rule && !rejected.is_empty()).then(|| self.shown(&choice.position, &kept, &rejected))
    }

    fn shown(&self, pos: &G::Position, kept: &[G::Move], rejected: &[G::Move]) -> StepShown {
        StepShown {
            position: self.game.show(pos),
            keeps: self.moves_named(pos, kept),
            rejects: self.moves_named(pos, rejected),
            board: self.game.scene(pos).text(),
        }
    }

    /// A step at a position, if it rejects moves there in the rule that decides.
    fn rejects(
        &self,
        rules: &Rules<G>,
        part: Part,
        section: &Section,
        choice: &Choice<G::Position, G::Move>,
    ) -> Option<StepShown> {
        let tried = rules.trace(&self.game, &choice.position, choice.memory);
        if tried.len() != part.rule + 1 {
            return None;
        }
        // The trace leaves out the line that names a board.
        let Body::Rule(lines) = &section.body else { return None };
        let boards = lines.iter().take(part.step?).filter(|line| matches!(line.step, Step::On(_))).count();
        let weighed = tried.last()?.steps.as_ref()?.get(part.step? - boards);
        let weighed = weighed.filter(|weighed| !weighed.rejected.is_empty())?;
        Some(self.shown(&choice.position, &weighed.kept, &weighed.rejected))
    }

    /// What a shorter list plays instead.
    fn differs(&self, shorter: &Rules<G>, choice: &Choice<G::Position, G::Move>) -> Option<Instead> {
        let mut instead = shorter.choices_knowing(&self.game, &choice.position, choice.memory);
        let mut moves = choice.moves.clone();
        instead.sort_unstable();
        moves.sort_unstable();
        (instead != moves).then(|| Instead {
            position: self.game.show(&choice.position),
            plays: self.moves_named(&choice.position, &moves),
            instead: self.moves_named(&choice.position, &instead),
            board: self.game.scene(&choice.position).text(),
        })
    }

    /// The shortest line that refutes a list.
    fn punished(
        &self,
        rules: &Rules<G>,
        claims: &[Claim<G::Position>],
        ctx: &Ctx,
    ) -> Result<Option<PunishedReport>, Failed> {
        for claim in claims {
            if let (Some(broken), _) = verify::shortest(&self.game, rules, claim, ctx)? {
                let end = broken.moves.iter().fold(claim.root.clone(), |pos, &mv| self.game.after(&pos, mv));
                return Ok(Some(PunishedReport {
                    line: self.game.show_line(&claim.root, &broken.moves).0,
                    how: counterexample_text(broken.how, |mv| format!("{mv:?}")),
                    board: self.game.scene(&end).text(),
                }));
            }
        }
        Ok(None)
    }
}
