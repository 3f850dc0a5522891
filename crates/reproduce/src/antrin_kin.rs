//! Document 003: Vaki on Antrin: the comparison with its kin, the tree of sub-patterns, and unique boards as a training set.

use super::{Finding, Item, Verdict, item};
use agon_core::{Ctx, Family as _, Game as _, Outcome, Rng, collect_moves};
use agon_games::mill::Mill;
use agon_registry as registry;
use agon_registry::erased::{AnyAgent, AnyGame, AnyTrainer, StrategyRequest};
use agon_registry::tree;
use agon_report::failure::Failure;

pub(super) static ITEMS: &[Item] = &[
    item(
        "003/comparison",
        "Vaki, Figure 1.6",
        "Antrin, Achi, Nine Men's Morris and Tic-tac-toe: put all tokens first; in three turns each; then move tokens; three \
         in a line win; one token a turn; one space a turn; jumps; starting points",
        "antrin ✓✓✓✓✓✓× 9; achi ~~~✓~✓× 9; morris ✓✓✓✓✓✓✓ 24; tic-tac-toe ✓××✓××× 9",
        "the rules of each game, and every move of 300 random games; for Achi with three and with four men a side",
        Verdict::Corrected,
        comparison,
    ),
    item(
        "003/sub-patterns",
        "Vaki, section 6.2",
        "The tree of unique sub-patterns: nodes of each step, and the sum of their weights, each its parents' weights times \
         the placements that lead to it",
        "3, 12, 38, 108, 174, 228; 9, 72, 504, 3024, 15120, 60480",
        "agon tree antrin:3,early=ignored --plies 6 --merge --most 2000",
        Verdict::Reproduced,
        sub_patterns,
    ),
    item(
        "003/training-set",
        "Vaki, section 9.2",
        "Can the unique boards serve as a training set for a player that learns?",
        "open",
        "agon count antrin:3 --export boards.csv; agon train antrin:3 --boards boards.csv; 200 games against each opponent",
        Verdict::Answered,
        training_set,
    ),
];

/// What Figure 1.6 asks of a game, in its order, and the starting points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Profile {
    answers: [bool; 7],
    starts: usize,
}

/// Random games of which every move is looked at.
const GAMES: u64 = 300;

/// Longer games are given up.
const MOST_PLIES: usize = 400;

fn profile(spelling: &str) -> Result<Profile, Failure> {
    let game = Mill::from_spelling(spelling)?.0;
    let start = game.start();
    let first = collect_moves(&game, &start);
    let placed_first = first.iter().all(|mv| mv.from().is_none());
    let (mut moved, mut near, mut far, mut lines, mut wins, mut single) = (0, 0, 0, 0, 0, true);
    let mut rng = Rng::new(1);
    for _ in 0..GAMES {
        let mut pos = start;
        for _ in 0..MOST_PLIES {
            let moves = collect_moves(&game, &pos);
            let Some(&mv) = rng.pick(&moves) else { break };
            let mover = pos.turn;
            let had = game.board().has_line(pos.sides[mover as usize]);
            let few = pos.sides[mover as usize].count_ones() <= 3;
            let after = game.after(&pos, mv);
            if let (Some(from), Some(to)) = (mv.from(), mv.to()) {
                moved += 1;
                // A side that may fly does so with three men at most.
                let beside = game.board().near[from] >> to & 1 == 1;
                near += u32::from(beside || few);
                far += u32::from(!beside);
                let changed = pos.sides[mover as usize] ^ after.sides[mover as usize];
                single &= changed.count_ones() == 2;
            }
            if !had && game.board().has_line(after.sides[mover as usize]) {
                lines += 1;
                wins += u32::from(game.outcome(&after) == Some(Outcome::Win(mover)));
            }
            pos = after;
        }
    }
    let turns = start.hand == [3, 3];
    let answers = [
        placed_first,
        turns,
        moved > 0,
        lines > 0 && wins == lines,
        moved > 0 && single,
        moved > 0 && near == moved,
        far > 0,
    ];
    Ok(Profile { answers, starts: first.len() })
}

/// Tic-tac-toe has no men to move: its moves put one mark each.
fn tic_tac_toe() -> Result<Profile, Failure> {
    let game = registry::standard().game("tic-tac-toe")?;
    let starts = game.moves(&game.start())?.len();
    let won = game.status_text("XXX/OO./...")? == "x wins";
    Ok(Profile { answers: [true, false, false, won, false, false, false], starts })
}

fn comparison(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let sign = |yes: bool| if yes { '✓' } else { '×' };
    let plain = |profile: Profile| profile.answers.map(sign).iter().collect::<String>();
    let (antrin, morris, marks) = (profile("antrin:3")?, profile("morris:nine")?, tic_tac_toe()?);
    let (four, three) = (profile("achi")?, profile("achi:men=3")?);
    let either = |i: usize| if four.answers[i] == three.answers[i] { sign(four.answers[i]) } else { '~' };
    let achi: String = (0..7).map(either).collect();
    let computed = format!(
        "antrin {} {}; achi {achi} {}; morris {} {}; tic-tac-toe {} {}",
        plain(antrin),
        antrin.starts,
        four.starts,
        plain(morris),
        morris.starts,
        plain(marks),
        marks.starts
    );
    let note = "In Nine Men's Morris each side places nine men, and a line captures a man instead of winning. Achi places all \
                men first, moves them afterwards, and one a turn; what varies is their number, three or four a side. A man of \
                Nine Men's Morris jumps once its side has three left";
    let wrong = morris.answers[1..4] == [false, true, false] && morris.starts == 24;
    Ok(Finding::compare(claimed, computed, note).corrected_if(wrong))
}

fn sub_patterns(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = registry::standard().game("antrin:3,early=ignored")?;
    let limits = tree::Limits { plies: 6, nodes: 2_000, merge: true };
    let grown = tree::grow(game.as_ref(), &game.start(), limits, ctx)?;
    let of_ply = |ply: usize| grown.nodes.iter().filter(move |node| node.ply == ply);
    let listed = |each: Vec<u64>| each.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let nodes = (1..=6).map(|ply| of_ply(ply).count() as u64).collect();
    let weights = (1..=6).map(|ply| of_ply(ply).map(|node| node.plays).sum()).collect();
    let links: usize = grown.nodes.iter().map(|node| node.from.len()).sum();
    let second: Vec<String> =
        of_ply(2).map(|node| format!("{} of {}", node.plays, grown.nodes[node.from[0].node].plays)).collect();
    let note = format!(
        "{links} links from a sub-pattern to one of the next step; the twelve of the second step, weight and its parent's: {}",
        second.join(", ")
    );
    Ok(Finding::compare(claimed, format!("{}; {}", listed(nodes), listed(weights)), note))
}

/// Games against each opponent.
const MEETINGS: u64 = 200;

/// A way to learn: its name, the boards to keep by their place in the list, and games.
type Plan = (&'static str, fn(usize) -> bool, u64);

/// Games that a player learns from.
const LESSONS: u64 = 1_500;

fn training_set(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = registry::standard().game("antrin:3")?;
    let boards = game.boards(1 << 28, ctx)?;
    let taught = |keep: fn(usize) -> bool, lessons: u64| -> Result<Box<dyn AnyTrainer>, Failure> {
        let mut trainer = game.trainer(Default::default(), 1);
        for (_, row) in boards.iter().enumerate().filter(|(i, _)| keep(*i)) {
            let values = [agon_core::Wdl::Loss, agon_core::Wdl::Draw, agon_core::Wdl::Win];
            let value = values.into_iter().find(|value| value.name() == row.value).expect("a value");
            trainer.teach(&row.board, value, row.plies.unwrap_or(0))?;
            if row.phase == "moving" {
                trainer.teach(&game.exchanged(&row.board)?, value, row.plies.unwrap_or(0))?;
            }
        }
        trainer.learn(lessons, lessons, ctx)?;
        Ok(trainer)
    };
    let mut found = Vec::new();
    let plans: [Plan; 4] = [
        ("all boards", |_| true, 0),
        ("every second board", |i| i % 2 == 0, 0),
        ("1,500 games against itself", |_| false, LESSONS),
        ("every second board and 1,500 games", |i| i % 2 == 0, LESSONS),
    ];
    let mut best = 0.0;
    for (name, keep, lessons) in plans {
        ctx.check()?;
        let trainer = taught(keep, lessons)?;
        let perfect = points(game.as_ref(), trainer.as_ref(), "perfect", ctx)?;
        let random = points(game.as_ref(), trainer.as_ref(), "random", ctx)?;
        if lessons == 0 && best == 0.0 {
            best = perfect;
        }
        found.push(format!("{name}: {:.1} % against perfect, {:.1} % against random", 100.0 * perfect, 100.0 * random));
    }
    let note = format!(
        "share of the points in {MEETINGS} games; {} boards up to symmetry, with their values; a draw is what perfect play \
         gives, so 50 % against perfect is the most",
        boards.len()
    );
    Ok(Finding::compare(claimed, found.join("; "), note).answered_if(best >= 0.5))
}

/// The share of the points of a learned player against another one, sides changing.
fn points(game: &dyn AnyGame, trainer: &dyn AnyTrainer, opponent: &str, ctx: &Ctx) -> Result<f64, Failure> {
    let mut learned = trainer.agent(1);
    let mut other: Box<dyn AnyAgent> = game.agent(&StrategyRequest::named(opponent), 1)?;
    let mut halves = 0;
    for number in 0..MEETINGS {
        learned.begin(number);
        other.begin(number);
        let own = number as usize % 2;
        let mut pos = game.start();
        for _ in 0..MOST_PLIES / 4 {
            let agon_core::Status::Turn(player) = game.status(&pos)? else { break };
            let agent = if player as usize == own { &mut learned } else { &mut other };
            pos = game.play(&pos, &agent.choose(&pos, ctx)?.mv)?.1;
        }
        halves += match game.status(&pos)? {
            agon_core::Status::Over(outcome) => {
                outcome.winner().map_or(1, |winner| if winner as usize == own { 2 } else { 0 })
            }
            agon_core::Status::Turn(_) => 1,
        };
    }
    Ok(f64::from(halves) / 2.0 / MEETINGS as f64)
}
