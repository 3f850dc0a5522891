//! Games analysed move by move: what each position is worth, and which moves gave something away.

use crate::erased::{AnyGame, AnyJudge, Judged};
use crate::record::Line;
use agon_core::{Bounds, Ctx, Player, Wdl};
use agon_report::failure::Failure;
use agon_report::{GameAnalysis, PlyReport, Worth};

/// Analyses a game. `limit` gives the context for each position; values are found from the last position backwards, so that
/// the judge can use what it learned from later ones.
///
/// A position is worth at least what the move that was made is worth, and after a move of a lost position the opponent
/// wins; so more may be proven than the judge says.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, analysis::analyse, record};
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let line = record::load(game.as_ref(), "b2 b1").unwrap();
/// let mut judge = game.judge().unwrap();
/// let analysis = analyse(game.as_ref(), &line, judge.as_mut(), &mut Ctx::default).unwrap();
/// assert_eq!(analysis.first_mistake, Some(2)); // only a corner holds the draw
/// assert_eq!(analysis.plies[1].mistake.map(|mistake| mistake.name()), Some("draw-to-loss"));
/// ```
pub fn analyse(
    game: &dyn AnyGame,
    line: &Line,
    judge: &mut dyn AnyJudge,
    limit: &mut dyn FnMut() -> Ctx,
) -> Result<GameAnalysis, Failure> {
    let positions: Vec<&str> =
        std::iter::once(line.from.as_str()).chain(line.played.iter().map(|(_, pos)| pos.as_str())).collect();
    let turns = positions.iter().map(|pos| game.turn(pos)).collect::<Result<Vec<Player>, Failure>>()?;
    let mut judged = Vec::with_capacity(positions.len());
    for pos in positions.iter().rev() {
        judged.push(judge.judge(pos, &limit())?);
    }
    judged.reverse();
    combine(line, &turns, &mut judged);
    let plies = line.played.iter().enumerate().map(|(i, (mv, _))| ply(game, i, mv, &turns, &judged)).collect();
    let mut analysis = GameAnalysis::new(line.from.clone(), line.position().to_string(), plies);
    analysis.proven = judged.iter().filter(|judged| judged.value.value().is_some()).count();
    analysis.status = game.status_text(line.position())?;
    analysis.winner = game.winner(line.position())?;
    Ok(analysis)
}

/// Draws the conclusions that hold between a position and the one after the move that was made.
fn combine(line: &Line, turns: &[Player], judged: &mut [Judged]) {
    let again = |i: usize| turns[i] == turns[i + 1];
    for i in (0..line.played.len()).rev() {
        let after = judged[i + 1].value.to_parent_with(again(i));
        let least = Bounds { lo: after.lo, hi: Wdl::Win };
        if judged[i].value.value().is_none() {
            judged[i].value = judged[i].value.and(least).expect("two proofs contradict each other");
            if judged[i].value.value() == Some(after.lo) {
                // The move that was made reaches the value; a quicker one is not excluded.
                judged[i].line = std::iter::once(&line.played[i].0).chain(&judged[i + 1].line).cloned().collect();
            }
        }
    }
    for i in 0..line.played.len() {
        let before = judged[i].value;
        let best = judged[i].line.first() == Some(&line.played[i].0);
        let known = match before.value() {
            Some(_) if best => before,
            _ => Bounds { lo: Wdl::Loss, hi: before.hi },
        };
        let next = &mut judged[i + 1].value;
        *next = next.and(known.to_parent_with(again(i))).expect("two proofs contradict each other");
    }
}

fn ply(game: &dyn AnyGame, i: usize, mv: &str, turns: &[Player], judged: &[Judged]) -> PlyReport {
    let (before, next) = (&judged[i], &judged[i + 1]);
    let after = Worth::new(next.value.to_parent_with(turns[i] == turns[i + 1]), next.plies);
    let player = (turns[i], game.player_name(turns[i]));
    let mut report = PlyReport::new(i + 1, player, mv.to_string(), Worth::new(before.value, before.plies), after);
    // The move that was made counts as best if no other one is better.
    let as_good = match (before.value.value(), before.plies, after.plies) {
        (Some(Wdl::Draw), ..) => after.value == Some("draw"),
        (Some(value), Some(plies), Some(left)) => after.value == Some(value.name()) && left + 1 == plies,
        _ => false,
    };
    if as_good && before.line.first().map(String::as_str) != Some(mv) {
        report.line = std::iter::once(mv.to_string()).chain(next.line.iter().cloned()).collect();
    } else {
        report.line.clone_from(&before.line);
    }
    report.best = report.line.first().cloned();
    report
}
