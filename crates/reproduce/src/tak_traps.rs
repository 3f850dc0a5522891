//! Document 004: Beljaards on Tak, section 6.3: traps, and Figure 4.6: boards with either side to move.

use super::tak_sample::parallel;
use super::{Finding, Item, Verdict, item};
use agon_arena::plan::mix;
use agon_arena::statistics::Share;
use agon_core::{Ctx, Evaluate as _, Game, Notation, Rng, Wdl, collect_moves};
use agon_games::tak::{Move, Position, Tak};
use agon_play::{Agent, Limits, Mcts, Playouts, mcts};
use agon_report::failure::Failure;
use agon_solve::forced;
use std::collections::HashMap;

const TRAPS: &str = "Beljaards, section 6.3";
const METHOD: &str = "positions of weighted random games of 5×5 with a fixed seed; every move is refuted or not by a search \
                      for forced wins; MCTS as in the thesis, 1,000 playouts";

pub(super) static ITEMS: &[Item] = &[
    item(
        "004/figure-4.6",
        "Beljaards, Figure 4.6",
        "The same board can have either side to move, depending on the moves before",
        "either side",
        "every position of 3×3 within seven plies, by its board alone",
        Verdict::Reproduced,
        either_side,
    ),
    item(
        "004/traps",
        TRAPS,
        "How common are moves that lose by force within three plies, and does UCT play them?",
        "common; overlooked by UCT",
        METHOD,
        Verdict::Answered,
        |ctx, claimed| traps(100, 3, claimed, ctx),
    ),
    Item {
        slow: true,
        ..item(
            "004/traps-five",
            TRAPS,
            "The same within five plies",
            "common; overlooked by UCT",
            METHOD,
            Verdict::Answered,
            |ctx, claimed| traps(100, 5, claimed, ctx),
        )
    },
];

/// Returns whether an item searches too long for a test.
#[cfg(test)]
pub(super) fn is_long(id: &str) -> bool {
    id.starts_with("004/traps")
}

/// Plies to look for boards in.
const PLIES: usize = 7;

fn either_side(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = Tak::new(3, 3);
    // For each board, a play to it for each side to move.
    let mut plays: HashMap<String, [Option<Vec<Move>>; 2]> = HashMap::new();
    let mut level = vec![(game.start(), Vec::new())];
    let mut example = None;
    for ply in 0..=PLIES {
        ctx.progress("listing, plies", ply as u64, Some(PLIES as u64));
        let mut next = Vec::new();
        for (pos, play) in level {
            ctx.check()?;
            let text = game.show(&pos);
            let board = text.split('_').next().unwrap_or_default().to_string();
            let seen = plays.entry(board.clone()).or_default();
            let side = game.turn(&pos) as usize;
            if seen[side].is_some() {
                continue;
            }
            if let Some(other) = &seen[1 - side] {
                example = example.or_else(|| Some((board, other.clone(), play.clone())));
            }
            seen[side] = Some(play.clone());
            if ply < PLIES {
                for mv in collect_moves(&game, &pos) {
                    let play = play.iter().copied().chain([mv]).collect();
                    next.push((game.after(&pos, mv), play));
                }
            }
        }
        level = next;
        if example.is_some() {
            break;
        }
    }
    let Some((board, one, other)) = example else {
        return Ok(Finding::compare(claimed, format!("no such board within {PLIES} plies"), ""));
    };
    let line = |play: &[Move]| game.show_line(&game.start(), play).0.join(" ");
    let note = format!("{board} after {} and after {}", line(&one), line(&other));
    Ok(Finding::compare(claimed, "either side", note))
}

/// What happened at one position.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Positions whose side to move has no forced win in sight.
    positions: u64,
    /// Those with a move that loses by force and another that does not.
    trapped: u64,
    /// Moves, and those that lose by force, at all positions.
    moves: u64,
    losing: u64,
    /// Traps that MCTS played.
    fallen: u64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.positions += other.positions;
        self.trapped += other.trapped;
        self.moves += other.moves;
        self.losing += other.losing;
        self.fallen += other.fallen;
    }
}

/// The bytes of the table of a search.
const TABLE: usize = 1 << 22;

fn traps(positions: u64, plies: u32, claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let game = Tak::new(5, 5);
    let count = parallel(positions, ctx, Count::add, |first, last| {
        let mut count = Count::default();
        (first..last).for_each(|number| count.add(look(&game, number, plies, ctx)));
        count
    })?;
    let share = |part, all| Share::new(part, all).text();
    let computed = format!(
        "{} of positions have a trap; MCTS plays one in {}",
        share(count.trapped, count.positions),
        share(count.fallen, count.trapped)
    );
    let note = format!(
        "{} positions in which the side to move has no forced win within {plies} plies, after 8 to 31 plies; {} of all \
         moves lose by force within {plies} plies; where MCTS does not see them, {} of its moves would",
        count.positions,
        share(count.losing, count.moves),
        share(count.fallen, count.positions),
    );
    Ok(Finding::compare(claimed, computed, note).answered_if(count.trapped > 0))
}

/// Looks for traps in one position.
fn look(game: &Tak, number: u64, plies: u32, ctx: &Ctx) -> Count {
    let mut rng = Rng::new(mix(7, &[number]));
    let Some(pos) = sample(game, &mut rng) else { return Count::default() };
    let quiet = ctx.with_own_count();
    let wins = |pos: &Position| forced::solve(game, pos, plies, TABLE, &quiet).solution.value.value() == Some(Wdl::Win);
    if wins(&pos) {
        return Count::default();
    }
    let moves = collect_moves(game, &pos);
    let losing: Vec<Move> = moves.iter().copied().filter(|&mv| wins(&game.after(&pos, mv))).collect();
    let trapped = !losing.is_empty() && losing.len() < moves.len();
    let settings = mcts::Settings {
        limits: Limits { nodes: Some(1_000), depth: None },
        playouts: Playouts { weights: Some(Tak::default_weights()), win: 3, ..Playouts::default() },
        formula: mcts::Formula::Inverse,
        solver: false,
        reuse: false,
        memory: 64 << 20,
        ..mcts::Settings::default()
    };
    let falls = trapped
        && Mcts::new(settings, mix(11, &[number])).choose(game, &pos, &quiet).is_ok_and(|mv| losing.contains(&mv));
    Count {
        positions: 1,
        trapped: u64::from(trapped),
        moves: moves.len() as u64,
        losing: losing.len() as u64,
        fallen: u64::from(falls),
    }
}

/// A position after 8 to 31 weighted random plies; `None` if the game ends before.
fn sample(game: &Tak, rng: &mut Rng) -> Option<Position> {
    let (plies, weights) = (8 + rng.below(24), Tak::default_weights());
    let mut pos = game.start();
    for _ in 0..plies {
        let mv = game.weighted_move(&pos, &weights, rng)?;
        game.play(&mut pos, mv);
    }
    game.outcome(&pos).is_none().then_some(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_called_losing_lose_to_plain_search() {
        // A search without tables or threats, two plies deep: the opponent wins at once.
        let game = Tak::new(4, 4);
        for number in 0..30 {
            let Some(pos) = sample(&game, &mut Rng::new(number)) else { continue };
            for mv in collect_moves(&game, &pos) {
                let after = game.after(&pos, mv);
                let other = game.turn(&after);
                let won = |mv| game.outcome(&game.after(&after, mv)) == Some(agon_core::Outcome::Win(other));
                let plain = game.outcome(&after).is_none() && collect_moves(&game, &after).into_iter().any(won);
                let found = forced::solve(&game, &after, 1, TABLE, &Ctx::default()).solution;
                let forced = game.outcome(&after).is_none() && found.value.value() == Some(Wdl::Win);
                assert_eq!(plain, forced, "{} {}", game.show(&pos), game.show_move(&pos, mv));
            }
        }
    }
}
