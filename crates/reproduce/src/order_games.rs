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

const HOW: &str = "200 games by plain UCT with c = √2, a new tree for every move, a fixed seed; the two shares by a test for \
                   two samples at 95 %";

const fn games(
    id: &'static str,
    claim: &'static str,
    expected: Verdict,
    run: fn(&Ctx, &str) -> Result<Finding, Failure>,
) -> Item {
    Item { id, source: "Castelein, section 3.2", claim, claimed: "199", how: HOW, slow: false, expected, run }
}

pub(super) static ITEMS: &[Item] = &[
    games(
        "000/mcts",
        "Games of 200 that Order wins on 4×4, both sides by MCTS with 5,000 iterations a move",
        Verdict::Disagrees,
        |ctx, claimed| order_wins(5_000, claimed, ctx),
    ),
    games(
        "000/mcts-weaker-chaos",
        "The same if Chaos has 1,000 iterations: the script that the thesis builds on gives its two players different numbers",
        Verdict::Agrees,
        |ctx, claimed| order_wins(1_000, claimed, ctx),
    ),
];

const GAMES: u64 = 200;
const SEED: u64 = 1;

/// The iterations of Order.
const ITERATIONS: u64 = 5_000;

fn order_wins(chaos: u64, claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let wins = parallel(
        GAMES,
        ctx,
        |sum: &mut u64, part| *sum += part,
        |first, last| (first..last).filter(|&number| won(&game, number, [ITERATIONS, chaos], ctx)).count() as u64,
    )?;
    let theirs = claimed.parse().unwrap_or(0);
    let apart = two_share_z(wins, GAMES, theirs, GAMES);
    let verdict = if apart.abs() <= Z95 { Verdict::Agrees } else { Verdict::Disagrees };
    let varied = match verdict {
        Verdict::Disagrees => {
            ". What varies between the readings is the number of iterations of Chaos, which the thesis does not print; with \
             1,000 the games agree (000/mcts-weaker-chaos)"
        }
        _ => "",
    };
    let note = format!(
        "{} of the games, seed {SEED}; {apart:.1} standard errors from the thesis's; Order has {ITERATIONS} iterations, \
         Chaos {chaos}; Order wins with perfect play{varied}",
        Share::new(wins, GAMES).text()
    );
    Ok(Finding { computed: wins.to_string(), verdict, note })
}

/// Returns whether Order wins a game.
fn won(game: &OrderChaos, number: u64, iterations: [u64; 2], ctx: &Ctx) -> bool {
    let mut agents = [0, 1].map(|side| {
        let settings = mcts::Settings {
            limits: Limits { nodes: Some(iterations[side]), depth: None },
            solver: false,
            reuse: false,
            memory: 64 << 20,
            ..mcts::Settings::default()
        };
        Mcts::new(settings, mix(SEED, &[number, side as u64]))
    });
    let mut pos = game.start();
    while game.outcome(&pos).is_none() {
        match agents[game.turn(&pos) as usize].choose(game, &pos, ctx) {
            Ok(mv) => game.play(&mut pos, mv),
            Err(_) => return false,
        };
    }
    game.outcome(&pos) == Some(Outcome::Win(Player::First))
}
