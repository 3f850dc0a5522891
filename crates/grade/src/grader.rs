//! Games analysed one after the other, counted for each player.

use crate::reading::{Written, read};
use crate::report::{Estimated, Fault, FaultKind, GradeReport, GradedGame, PlayerGrade, Unread};
use agon_core::{Ctx, Player, Status, Wdl};
use agon_registry::analysis::analyse;
use agon_registry::erased::{AnyGame, AnyJudge, Judged};
use agon_registry::record::Line;
use agon_report::failure::Failure;
use agon_report::{GameAnalysis, PlyReport, SearchScore};
use std::collections::HashMap;

/// The context for each position, made when the work on it begins.
pub type Limit<'l> = &'l mut dyn FnMut() -> Ctx;

/// Positions whose values are kept.
const KEPT: usize = 1 << 18;
/// The share of the time and nodes of a position for its estimate, if its value is not proven.
const FOR_ESTIMATE: f64 = 0.1;
/// The memory of a search for an estimate, in bytes.
const ESTIMATE_MEMORY: u64 = 4 << 20;

/// Grades players game by game.
pub struct Grader<'g> {
    game: &'g dyn AnyGame,
    judge: Remembering,
    /// What searches said, by position: the points that they expect, and the move that they would make.
    estimates: Option<HashMap<String, Option<(f64, String)>>>,
    report: GradeReport,
    places: HashMap<String, usize>,
}

/// A judge that is asked about each position once.
struct Remembering {
    judge: Box<dyn AnyJudge>,
    known: HashMap<String, Judged>,
}

impl AnyJudge for Remembering {
    fn judge(&mut self, pos: &str, ctx: &Ctx) -> Result<Judged, Failure> {
        if let Some(known) = self.known.get(pos) {
            return Ok(known.clone());
        }
        let judged = self.judge.judge(pos, ctx)?;
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(pos.to_string(), judged.clone());
        Ok(judged)
    }
}

/// A game as far as it is legal.
struct Played {
    line: Line,
    /// The number of the illegal move, the move as it was written, and why it is none.
    illegal: Option<(usize, String, String)>,
    left_out: usize,
}

impl<'g> Grader<'g> {
    /// Grades games of this game, and estimates what is not proven. Fails if the game has no solver for single positions.
    pub fn new(game: &'g dyn AnyGame) -> Result<Grader<'g>, Failure> {
        let judge = Remembering { judge: game.judge()?, known: HashMap::new() };
        let mut report = GradeReport::new(game.spelling());
        report.estimated_by = Some(game.offers().strongest);
        Ok(Grader { game, judge, estimates: Some(HashMap::new()), report, places: HashMap::new() })
    }

    /// The same without estimates: what is not proven is only counted.
    #[must_use]
    pub fn proven_only(mut self) -> Grader<'g> {
        (self.estimates, self.report.estimated_by) = (None, None);
        self
    }

    /// Adds every game of a text. What cannot be read is reported, and the others count.
    pub fn add_text(&mut self, file: Option<&str>, text: &str, limit: Limit<'_>) -> Result<(), Failure> {
        for reading in read(self.game, text) {
            match reading {
                Ok(written) => self.add(file, &written, limit)?,
                Err(unread) => self.unread(file, Some(unread.place).filter(|place| !place.is_empty()), unread.why),
            }
        }
        Ok(())
    }

    /// Reports a text, or a part of one, that holds no game.
    pub fn unread(&mut self, file: Option<&str>, place: Option<String>, error: String) {
        self.report.unread.push(Unread { file: file.map(String::from), place, error });
    }

    /// Adds a game.
    pub fn add(&mut self, file: Option<&str>, written: &Written, limit: Limit<'_>) -> Result<(), Failure> {
        let played = self.play(written)?;
        let analysis = analyse(self.game, &played.line, &mut self.judge, limit)?;
        let names = [0, 1].map(|i| {
            let side = Player::BOTH[i].name().to_string();
            written.players[i].clone().filter(|name| !name.is_empty()).unwrap_or(side)
        });
        let players = self.enrol(&names, self.game.status(played.line.position())?);
        // Whether each side has made its first mistake of the game.
        let mut begun = [false; 2];
        for (i, ply) in analysis.plies.iter().enumerate() {
            let side = usize::from(ply.player != Player::First.name());
            let pos = match i {
                0 => played.line.from.as_str(),
                _ => played.line.played[i - 1].1.as_str(),
            };
            let estimate = match ply.before.proven && ply.after.proven {
                true => None,
                false => self.estimate(ply, pos, &played.line.played[i].1, limit)?,
            };
            let alternatives = has_something_to_lose(ply) && self.game.count_moves(pos)? > 1;
            let fault = ply.mistake.map(|mistake| self.fault(ply, pos, FaultKind::Mistake(mistake), !begun[side]));
            let grade = &mut self.report.players[players[side]];
            count(grade, ply, alternatives, estimate);
            if let Some(fault) = fault {
                grade.first_mistakes.extend(fault.first.then_some(ply.ply));
                grade.faults.push(fault);
                begun[side] = true;
            }
        }
        self.illegal(&played, players, begun)?;
        self.report.games.push(graded(file, written, names, played, analysis));
        Ok(())
    }

    /// The players of a game that ends like this; the game is counted for both.
    fn enrol(&mut self, names: &[String; 2], status: Status) -> [usize; 2] {
        let players = names.each_ref().map(|name| self.player(name));
        for (side, &player) in players.iter().enumerate() {
            let grade = &mut self.report.players[player];
            // Somebody who plays against itself plays one game.
            grade.games += u64::from(side == 0 || players[0] != player);
            grade.sides[side] += 1;
            let results = &mut grade.results;
            match status {
                Status::Turn(_) => results.unfinished += 1,
                Status::Over(outcome) => match outcome.winner() {
                    None => results.drawn += 1,
                    Some(winner) if winner == Player::BOTH[side] => results.won += 1,
                    Some(_) => results.lost += 1,
                },
            }
        }
        players
    }

    /// Counts the illegal move that ends a game, if there is one.
    fn illegal(&mut self, played: &Played, players: [usize; 2], begun: [bool; 2]) -> Result<(), Failure> {
        let Some((ply, mv, why)) = &played.illegal else { return Ok(()) };
        let side = self.game.turn(played.line.position())? as usize;
        let fault = Fault {
            game: self.report.games.len() + 1,
            ply: *ply,
            position: played.line.position().to_string(),
            mv: mv.clone(),
            kind: FaultKind::Illegal,
            best: None,
            line: Vec::new(),
            why: Some(why.clone()),
            first: !begun[side],
        };
        let grade = &mut self.report.players[players[side]];
        grade.illegal += 1;
        grade.faults.push(fault);
        Ok(())
    }

    /// A move of the game that is being counted, as a fault.
    fn fault(&self, ply: &PlyReport, pos: &str, kind: FaultKind, first: bool) -> Fault {
        Fault {
            game: self.report.games.len() + 1,
            ply: ply.ply,
            position: pos.to_string(),
            mv: ply.mv.clone(),
            kind,
            best: ply.best.clone(),
            line: ply.line.clone(),
            why: None,
            first,
        }
    }

    /// The answer.
    #[must_use]
    pub fn finish(mut self, seconds: f64) -> GradeReport {
        self.report.seconds = seconds;
        self.report
    }

    /// The number of games so far.
    #[must_use]
    pub fn games(&self) -> usize {
        self.report.games.len()
    }

    fn play(&self, written: &Written) -> Result<Played, Failure> {
        let mut line = Line { from: self.game.position(&written.from)?, played: Vec::new() };
        for (i, mv) in written.moves.iter().enumerate() {
            let left_out = written.moves.len() - i;
            if matches!(self.game.status(line.position())?, Status::Over(_)) {
                return Ok(Played { line, illegal: None, left_out });
            }
            match self.game.play(line.position(), mv) {
                Ok(step) => line.played.push(step),
                Err(Failure::Usage(why)) => {
                    let mv = agon_core::family::shorten(mv);
                    return Ok(Played { line, illegal: Some((i + 1, mv, why)), left_out: left_out - 1 });
                }
                Err(other) => return Err(other),
            }
        }
        Ok(Played { line, illegal: None, left_out: 0 })
    }

    fn player(&mut self, name: &str) -> usize {
        let next = self.report.players.len();
        let place = *self.places.entry(name.to_string()).or_insert(next);
        if place == next {
            let estimated = self.estimates.is_some().then(Estimated::default);
            self.report.players.push(PlayerGrade { name: name.to_string(), estimated, ..PlayerGrade::default() });
        }
        place
    }

    /// What a search says about a move whose value is not proven: whether it would make the move, and the points that the
    /// move gives away.
    fn estimate(
        &mut self,
        ply: &PlyReport,
        pos: &str,
        after: &str,
        limit: Limit<'_>,
    ) -> Result<Option<(bool, f64)>, Failure> {
        let Some((before, best)) = self.seen(pos, limit)? else { return Ok(None) };
        let before = proven_points(ply.before.bounds.value()).unwrap_or(before);
        let again = self.game.turn(after)? == self.game.turn(pos)?;
        let next = match proven_points(ply.after.bounds.value()) {
            Some(points) => points,
            None => match self.seen(after, limit)? {
                Some((points, _)) if again => points,
                Some((points, _)) => 1.0 - points,
                None => return Ok(None),
            },
        };
        Ok(Some((best == ply.mv, (before - next).max(0.0))))
    }

    /// The points that a search expects for the side to move, and the move it would make.
    fn seen(&mut self, pos: &str, limit: Limit<'_>) -> Result<Option<(f64, String)>, Failure> {
        let Some(known) = self.estimates.as_mut() else { return Ok(None) };
        if let Some(known) = known.get(pos) {
            return Ok(known.clone());
        }
        let ctx = limit();
        let found = match self.game.estimate(pos, ESTIMATE_MEMORY, &ctx.share(FOR_ESTIMATE)) {
            Ok(estimate) => estimate,
            // A search that is stopped before it has any move says nothing, unless everything is to stop.
            Err(failure) if failure.stop() == Some(agon_core::Stop::Interrupted) => return Err(failure),
            Err(_) => None,
        };
        let points = found.and_then(|found| {
            let claimed = found.claims.as_deref().and_then(|claim| match claim.split(' ').next() {
                Some("win") => Some(1.0),
                Some("draw") => Some(0.5),
                Some("loss") => Some(0.0),
                _ => None,
            });
            let searched = found.score.map(|score| match score {
                SearchScore::Points(points) => 1.0 / (1.0 + (-f64::from(points) / 100.0).exp()),
                SearchScore::Share(share) => share,
            });
            Some((claimed.or(searched)?, found.mv))
        });
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(pos.to_string(), points.clone());
        Ok(points)
    }
}

/// The points of a proven value.
fn proven_points(value: Option<Wdl>) -> Option<f64> {
    value.map(|value| match value {
        Wdl::Win => 1.0,
        Wdl::Draw => 0.5,
        Wdl::Loss => 0.0,
    })
}

/// Returns whether a move could have given a proven value away.
fn has_something_to_lose(ply: &PlyReport) -> bool {
    ply.after.proven && ply.before.bounds.value().is_some_and(|value| value != Wdl::Loss)
}

/// Counts a legal move for its player.
fn count(grade: &mut PlayerGrade, ply: &PlyReport, alternatives: bool, estimate: Option<(bool, f64)>) {
    grade.moves += 1;
    if let (Some(seen), Some((agrees, lost))) = (&mut grade.estimated, estimate) {
        seen.add(agrees, lost);
    }
    if !(ply.before.proven && ply.after.proven) {
        return;
    }
    grade.proven += 1;
    grade.decisions.moves += u64::from(alternatives);
    match ply.mistake {
        Some(mistake) => grade.given_away.add(mistake),
        None => {
            grade.kept += 1;
            grade.decisions.kept += u64::from(alternatives);
            distance(grade, ply);
        }
    }
}

/// Counts the plies by which a kept win comes later, or a loss sooner.
fn distance(grade: &mut PlayerGrade, ply: &PlyReport) {
    let (Some(before), Some(after)) = (ply.before.plies, ply.after.plies) else { return };
    let lost = match ply.before.bounds.value() {
        Some(Wdl::Win) => (after + 1).saturating_sub(before),
        Some(Wdl::Loss) => before.saturating_sub(after + 1),
        _ => return,
    };
    grade.distance.of += 1;
    grade.distance.moves += u64::from(lost > 0);
    grade.distance.plies += u64::from(lost);
}

fn graded(
    file: Option<&str>,
    written: &Written,
    players: [String; 2],
    played: Played,
    analysis: GameAnalysis,
) -> GradedGame {
    GradedGame {
        file: file.map(String::from),
        place: Some(written.place.clone()).filter(|place| !place.is_empty()),
        players,
        moves: played.line.moves(),
        from: analysis.from,
        position: analysis.position,
        status: analysis.status,
        winner: analysis.winner,
        first_mistake: analysis.first_mistake,
        illegal: played.illegal.map(|(ply, ..)| ply),
        left_out: played.left_out,
        proven: analysis.proven,
    }
}
