//! Short strategies found, for every kind of game.

mod report;
mod words;

use super::game::Erased;
use super::reduced::Basis;
use super::{AnyGame, DistilRequest, Evidence, StrategyRequest, VerifyRequest};
use agon_core::solver::{Failed, Solver};
use agon_core::{Ctx, Evaluate, Family, Player, Rng, Stop, Symmetric, Wdl};
use agon_report::failure::Failure;
use agon_report::{DistilReport, SizeReport};
use agon_solve::distil::climb::{Climb, Limits};
use agon_solve::distil::exact::{Frame, List};
use agon_solve::distil::points::{Observed, Observer, Points, bits};
use agon_solve::distil::shortest::{Language, shortest};
use agon_solve::verify::{self, verify};
use agon_strategies::grammar::{LIST, RULE, Values};
use agon_strategies::vocabulary::Phrase;
use agon_strategies::{Rules, Text, Vocabulary, english};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use words::{Words, as_text};

/// The bits of a list and of a rule without steps.
const FRAME: Frame = Frame { list: LIST, rule: RULE };

/// The share of the time for the proof that no list is shorter. If it finds none, the rest is for a list of any length.
const EXACT_SHARE: f64 = 0.25;

/// The proof stops when the next level, two bits on, would take longer than what is left, if it took so many times as
/// long as the last one.
const LEVEL_GROWTH: u32 = 2;

/// The share of what is left for lists of cheap steps only.
const CHEAP_SHARE: f64 = 0.5;

/// The most bits of a step, in these two searches.
const STEP_BITS: [f64; 2] = [12.0, 16.5];

/// The longest lists looked for.
const MOST_STEPS: usize = 11;
const MOST_RULES: usize = 4;

/// So many lists are tried for a shorter one.
const PATIENCE: u64 = 20_000_000;

/// Random plays that a search for any list begins with.
const PLAYS: usize = 300;

/// Positions at which features are compared with their images.
const COMPARED: usize = 100;

/// A found list as text, its bits, and the bits that none is below.
struct Found {
    text: Option<Text>,
    at_least: f64,
    tried: u64,
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// Looks for a short list of rules that keeps a claim.
    pub(super) fn distilled(
        &self,
        root: &G::Position,
        request: &DistilRequest,
        mut solver: Box<dyn Solver<G>>,
        ctx: &Ctx,
    ) -> Result<(DistilReport, Evidence), Failure> {
        let begun = Instant::now();
        let vocabulary = Vocabulary::new(&self.game);
        let phrases = self.allowed(vocabulary.phrases(), &request.features)?;
        let mut report = self.unfilled(root, request);
        let searching = request.time.map_or_else(|| ctx.clone(), |time| ctx.within(time));
        for &side in &request.sides {
            if !solver.keeps(&self.game, root, side, request.least, &searching.without_progress())? {
                report.impossible = true;
                report.why = Some("no strategy can achieve this claim: the other side can prevent it".to_string());
                return Ok((report, Ok(None)));
            }
        }
        let found = self.search(root, request, (&vocabulary, &phrases), solver.as_mut(), &searching)?;
        report.lower_bound = found.at_least;
        report.tried = found.tried;
        let Some(text) = found.text else {
            report.seconds = begun.elapsed().as_secs_f64();
            report.why = Some("no list was found in the time given".to_string());
            return Ok((report, Ok(None)));
        };
        self.measured(&mut report, &text, &claims(root, request), ctx)?;
        report.minimal =
            report.holds && report.size.as_ref().is_some_and(|size| size.bits <= report.lower_bound + 1e-6);
        report.seconds = begun.elapsed().as_secs_f64();
        let certified = request.certificate && report.holds;
        let evidence = certified.then(|| self.text_certificate(&claims(root, request)[0], text.to_string()));
        Ok((report, Ok(evidence)))
    }

    /// The report on a strategy that is written already.
    pub(super) fn described(
        &self,
        root: &G::Position,
        text: &str,
        request: &DistilRequest,
        ctx: &Ctx,
    ) -> Result<DistilReport, Failure> {
        let begun = Instant::now();
        let (text, whole) = (Text::parse(text).map_err(|fault| Failure::Usage(fault.to_string()))?, text);
        let text = text.read_as("").unwrap_or_default();
        let mut report = self.unfilled(root, request);
        let verifying = VerifyRequest {
            strategy: StrategyRequest::written("the strategy", whole),
            side: request.sides[0],
            least: request.least,
            all: false,
            repair: None,
            certificate: false,
            listed: false,
        };
        if let Some(Basis::Lifted(_, inner, rules)) = self.basis(root, &verifying) {
            let inner = Erased { game: inner, ..self.clone() };
            inner.measured(&mut report, rules.text(), &claims(&inner.game.start(), request), ctx)?;
            let (verified, _) = self.verify(&self.game.show(root), &verifying, ctx)?;
            (report.holds, report.positions) = (verified.holds, verified.positions);
            let rules = Rules::new(&self.game, &text).map_err(|fault| Failure::Usage(fault.to_string()))?;
            self.named(&mut report, &rules);
        } else {
            self.measured(&mut report, &text, &claims(root, request), ctx)?;
        }
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    /// The size of a strategy as text.
    pub(super) fn size(&self, text: &str) -> Result<SizeReport, Failure> {
        let wrong = |fault: agon_strategies::Fault| Failure::Usage(fault.to_string());
        let text = Text::parse(text).map_err(wrong)?;
        let size = Rules::new(&self.game, &text).map_err(wrong)?.size(&self.game);
        Ok(SizeReport { bits: size.bits, rules: size.rules, literals: size.literals, book: size.book })
    }

    fn unfilled(&self, root: &G::Position, request: &DistilRequest) -> DistilReport {
        let mut report = DistilReport::new(&self.spelling, self.game.show(root), request.least);
        report.side = request.side_name();
        report.among = request.features.clone();
        report
    }

    /// Whether a strategy keeps the claims, its size, and what each part of it is for.
    fn measured(
        &self,
        report: &mut DistilReport,
        text: &Text,
        claims: &[verify::Claim<G::Position>],
        ctx: &Ctx,
    ) -> Result<(), Failure> {
        let rules = Rules::new(&self.game, text).map_err(|fault| Failure::Usage(fault.to_string()))?;
        report.holds = true;
        for claim in claims {
            let verdict = verify(&self.game, &rules, claim, ctx)?;
            report.holds &= verdict.holds;
            report.positions += verdict.positions;
        }
        self.named(report, &rules);
        report.steps = self.parts_shown(rules.text(), claims, ctx)?;
        Ok(())
    }

    /// The strategy as text and in English, and its size.
    fn named(&self, report: &mut DistilReport, rules: &Rules<G>) {
        let size = rules.size(&self.game);
        report.size = Some(SizeReport { bits: size.bits, rules: size.rules, literals: size.literals, book: size.book });
        report.english = english(rules.text(), self.game.vocabulary().extras());
        report.rules = Some(rules.text().to_string());
    }

    /// A shortest list if the time suffices, else any.
    fn search(
        &self,
        root: &G::Position,
        request: &DistilRequest,
        words: (&Vocabulary<G>, &[(usize, Phrase)]),
        solver: &mut dyn Solver<G>,
        ctx: &Ctx,
    ) -> Result<Found, Failure> {
        let (vocabulary, phrases) = words;
        let plain = ctx.without_progress();
        let sight = Sight { vocabulary, solver, least: request.least, canonical: false, ctx: &plain };
        let mut points = Points::new(&self.game, root, &request.sides, sight)?;
        let mut all = Words::new(vocabulary.phrases(), |i| phrases.iter().any(|(at, _)| *at == i));
        // Each level takes several times as long as the one before.
        let (hopeless, begun) = (Arc::new(AtomicBool::new(false)), Instant::now());
        let (share, mut last) = (request.time.map(|time| time.mul_f64(EXACT_SHARE)), begun);
        let tell = |level: f64, _, _| {
            ctx.progress("bits excluded", level as u64, None);
            let next = last.elapsed() * LEVEL_GROWTH;
            last = Instant::now();
            hopeless.store(share.is_some_and(|share| begun.elapsed() + next > share), Ordering::Relaxed);
        };
        let proving = ctx.share(EXACT_SHARE).with_cancel(hopeless.clone());
        let exact = shortest(&mut points, &mut all, FRAME, f64::INFINITY, &proving, tell)?;
        ctx.check().or_else(|stop| if stop == Stop::Interrupted { Err(stop) } else { Ok(()) })?;
        let mut found = Found { text: None, at_least: exact.at_least, tried: exact.tried };
        if let Some((text, _)) = exact.best {
            found.text = Some(text);
            return Ok(found);
        }
        drop(points);
        match self.any_list(root, request, words, solver, (&mut found.tried, ctx)) {
            Ok(text) => found.text = text,
            // What is proven so far is said even if the time was too short for a list.
            Err(_) if ctx.check().is_err_and(|stop| stop != Stop::Interrupted) => {}
            Err(failure) => return Err(failure),
        }
        Ok(found)
    }

    /// A list found by local search, made as short as the time allows.
    fn any_list(
        &self,
        root: &G::Position,
        request: &DistilRequest,
        (vocabulary, phrases): (&Vocabulary<G>, &[(usize, Phrase)]),
        solver: &mut dyn Solver<G>,
        (tried, ctx): (&mut u64, &Ctx),
    ) -> Result<Option<Text>, Failure> {
        let plain = ctx.without_progress();
        let sight = Sight { vocabulary, solver, least: request.least, canonical: true, ctx: &plain };
        let mut points = Points::new(&self.game, root, &request.sides, sight)?;
        let mut rng = Rng::new(request.seed);
        let few = sample(&mut points, &mut rng)?;
        let same = self.symmetric_features(&points, vocabulary);
        let usable = |i: usize| {
            let phrase = phrases.iter().find(|(at, _)| *at == i).map(|(_, phrase)| phrase);
            same[i] && phrase.is_some_and(|phrase| !vocabulary.looks_back(phrase))
        };
        for (most, share) in [(STEP_BITS[0], CHEAP_SHARE), (STEP_BITS[1], 1.0)] {
            let part = ctx.share(share);
            let mut words = Words::new(vocabulary.phrases(), usable);
            let values: Vec<&Values> = few.iter().map(|&point| &points.at(point).values).collect();
            words.offer(&values, most, &part)?;
            drop(values);
            let limits = Limits { steps: MOST_STEPS, rules: MOST_RULES, bits: f64::INFINITY, tried: u64::MAX };
            let mut climb = Climb::new(&words, &few, limits, request.seed);
            let best = shortened(&mut climb, &mut points, &words, limits, &part, ctx)?;
            *tried += climb.tried;
            if let Some(list) = best {
                return Ok(Some(as_text(&words, &list)));
            }
        }
        Ok(None)
    }

    /// The features that may be used, with their numbers.
    fn allowed(&self, phrases: &[Phrase], wanted: &[String]) -> Result<Vec<(usize, Phrase)>, Failure> {
        for word in wanted {
            if !phrases.iter().any(|phrase| phrase.name == word) {
                let mut known: Vec<&str> = phrases.iter().map(|phrase| phrase.name).collect();
                known.dedup();
                let why = format!("no feature `{word}` in {}; expected some of {}", self.spelling, known.join(", "));
                return Err(Failure::Usage(why));
            }
        }
        let usable = |phrase: &Phrase| wanted.is_empty() || wanted.iter().any(|word| word == phrase.name);
        Ok(phrases.iter().cloned().enumerate().filter(|(_, phrase)| usable(phrase)).collect())
    }

    /// For each feature, whether it has the same value after every symmetry, as far as some positions show.
    fn symmetric_features(&self, points: &Points<'_, G, Sight<'_, '_, G>>, vocabulary: &Vocabulary<G>) -> Vec<bool> {
        let game = &self.game;
        let mut same = vec![true; vocabulary.phrases().len()];
        for point in points.list().iter().rev().take(COMPARED) {
            let here = vocabulary.values(game, &point.pos, 0);
            for element in 0..game.order() {
                let image = vocabulary.values(game, &game.image(element, &point.pos), 0);
                for (mv, values) in &here {
                    let moved = game.image_of_move(element, *mv);
                    let there = image.iter().find(|(mv, _)| *mv == moved);
                    for (i, same) in same.iter_mut().enumerate() {
                        *same &= there.is_some_and(|(_, there)| there[i] == values[i]);
                    }
                }
            }
        }
        same
    }
}

/// The claims for all sides.
fn claims<P: Clone>(root: &P, request: &DistilRequest) -> Vec<verify::Claim<P>> {
    let claim = |&side: &Player| verify::Claim { side, least: request.least, root: root.clone() };
    request.sides.iter().map(claim).collect()
}

/// A right list, made shorter until nothing shorter is found for long, or the time is over.
fn shortened<G: Family + Symmetric>(
    climb: &mut Climb<'_, Words>,
    points: &mut Points<'_, G, Sight<'_, '_, G>>,
    words: &Words,
    mut limits: Limits,
    part: &Ctx,
    ctx: &Ctx,
) -> Result<Option<List>, Failure> {
    let mut best: Option<List> = None;
    let mut next = vec![Vec::new()];
    loop {
        let within = if best.is_some() { ctx } else { part };
        let tell = &mut |_: usize, few: usize, _: &List| ctx.progress("points told apart", few as u64, None);
        match climb.right(points, next, within, tell) {
            Ok(list) => {
                limits.bits = words.bits_of(&list);
                limits.tried = climb.tried.saturating_add(PATIENCE);
                climb.set_limits(limits);
                next = climb.without_one(&list);
                best = Some(list);
            }
            Err(Failed::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
            Err(Failed::Stopped(_)) => return Ok(best),
            Err(other) => return Err(other.into()),
        }
    }
}

/// The points of some random plays in which the side keeps its claim.
fn sample<G: Family + Symmetric>(
    points: &mut Points<'_, G, Sight<'_, '_, G>>,
    rng: &mut Rng,
) -> Result<Vec<u32>, Failed> {
    let mut few = points.roots().to_vec();
    for _ in 0..PLAYS {
        let mut at = points.roots()[rng.below(points.roots().len())];
        // Where play can cycle, it need not end.
        for _ in 0..64 {
            let good: Vec<usize> = bits(points.at(at).good).collect();
            let next = points.next(at, good[rng.below(good.len())])?;
            if next.is_empty() {
                break;
            }
            at = next[rng.below(next.len())];
            few.push(at);
        }
    }
    few.sort_unstable();
    few.dedup();
    Ok(few)
}

/// A game as the search sees it.
pub(super) struct Sight<'a, 's, G: Family> {
    vocabulary: &'a Vocabulary<G>,
    solver: &'a mut (dyn Solver<G> + 's),
    least: Wdl,
    /// True if positions stand for their images, and the last move does not count.
    canonical: bool,
    ctx: &'a Ctx,
}

impl<G: Family + Symmetric> Observer<G> for Sight<'_, '_, G> {
    type Values = Values;

    fn observe(&mut self, game: &G, pos: &G::Position, memory: u16) -> Result<Observed<G, Values>, Failed> {
        self.ctx.check()?;
        if game.count_moves(pos) > 64 {
            return Err(Failed::Unsuitable("strategies are found for games of at most 64 moves at a time".into()));
        }
        Ok(self.vocabulary.observe(game, pos, memory))
    }

    fn remembers(&self, game: &G, before: &G::Position, mv: G::Move) -> u16 {
        if self.canonical { 0 } else { self.vocabulary.remembers(game, before, mv) }
    }

    fn representative(&self, game: &G, pos: G::Position) -> G::Position {
        if self.canonical { game.canonical(&pos).0 } else { pos }
    }

    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player) -> Result<bool, Failed> {
        self.solver.keeps(game, pos, side, self.least, self.ctx)
    }
}
