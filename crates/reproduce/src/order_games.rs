//! Document 000: Castelein on Order and Chaos, section 3.2: games between Monte Carlo tree searches.

use super::tak_sample::parallel;
use super::{Finding, Item, Verdict};
use agon_arena::plan::mix;
use agon_arena::statistics::{Share, Z95, two_share_z};
use agon_core::{Ctx, Game, Outcome, Player};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_play::{Agent, Limits, Mcts, mcts};
use agon_report::failure::Failure;

pub(super) static ITEMS: &[Item] = &[Item {
    id: "000/mcts",
    source: "Castelein, section 3.2",
    claim: "Games of 200 that Order wins on 4×4, both sides by MCTS with 5,000 iterations a move",
    claimed: "199",
    how: "200 games by plain UCT with c = √2, a new tree for every move, a fixed seed; the two shares by a test for two \
          samples at 95 %",
    slow: true,
    expected: Verdict::Disagrees,
    run: order_wins,
}];

const GAMES: u64 = 200;
const SEED: u64 = 1;

fn order_wins(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let wins = parallel(
        GAMES,
        ctx,
        |sum: &mut u64, part| *sum += part,
        |first, last| (first..last).filter(|&number| won(&game, number, ctx)).count() as u64,
    )?;
    let theirs = claimed.parse().unwrap_or(0);
    let apart = two_share_z(wins, GAMES, theirs, GAMES);
    let verdict = if apart.abs() <= Z95 { Verdict::Agrees } else { Verdict::Disagrees };
    let note = format!(
        "{} of the games, seed {SEED}; {apart:.1} standard errors from the thesis's; Order wins with perfect play",
        Share::new(wins, GAMES).text()
    );
    Ok(Finding { computed: wins.to_string(), verdict, note })
}

/// Returns whether Order wins a game.
fn won(game: &OrderChaos, number: u64, ctx: &Ctx) -> bool {
    let settings = mcts::Settings {
        limits: Limits { nodes: Some(5_000), depth: None },
        solver: false,
        reuse: false,
        memory: 64 << 20,
        ..mcts::Settings::default()
    };
    let mut agents = [0, 1].map(|side| Mcts::new(settings.clone(), mix(SEED, &[number, side])));
    let mut pos = game.start();
    while game.outcome(&pos).is_none() {
        match agents[game.turn(&pos) as usize].choose(game, &pos, ctx) {
            Ok(mv) => game.play(&mut pos, mv),
            Err(_) => return false,
        };
    }
    game.outcome(&pos) == Some(Outcome::Win(Player::First))
}
