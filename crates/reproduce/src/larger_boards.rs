//! What documents 000 and 001 leave to further research: boards of other shapes, every n, other games.

use super::castelein::wins_on;
use super::{Finding, Item, Verdict, item, pairings};
use agon_core::{Ctx, Family as _, Game as _, LineGame as _, Notation as _, Player, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_registry as registry;
use agon_registry::erased::{StrategyRequest, VerifyRequest};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use agon_solve::lines::Provers;
use agon_solve::lines::sweep::Sweep;

pub(super) static ITEMS: &[Item] = &[
    item(
        "000/van-gent-every-n",
        "Castelein, section 5",
        "Who wins n×n with rows of n-1, for every n ≥ 7",
        "chaos",
        "pairings with a proof for every n, docs/results/pairings.md; agon solve order-chaos:7x7,k=6 and order-chaos:8x8,k=7",
        Verdict::Reproduced,
        pairings::every_n,
    ),
    item(
        "000/other-shapes",
        "Castelein, section 5",
        "What happens on boards of different shapes?",
        "open",
        "agon solve order-chaos:5x5,k=3,without=… and so on; a sweep of all boards as a second method where there are few",
        Verdict::Answered,
        other_shapes,
    ),
    larger("000/5x7", "Who wins 5×7 with rows of five?", |ctx, c| larger_board(5, 7, c, ctx)),
    larger("000/6x7", "Who wins 6×7 with rows of five?", |ctx, c| larger_board(6, 7, c, ctx)),
    larger("000/7x7", "Who wins 7×7 with rows of five?", |ctx, c| larger_board(7, 7, c, ctx)),
    item(
        "001/other-games",
        "Singh, Deep & Nagar, section V",
        "Can such objective functions be defined for other board games?",
        "open",
        "agon verify mnk:M,N,K singh-objectives, both sides, against every reply",
        Verdict::Answered,
        other_games,
    ),
];

/// A board whose winner is unknown: an hour or so of search.
const fn larger(id: &'static str, claim: &'static str, run: fn(&Ctx, &str) -> Result<Finding, Failure>) -> Item {
    let how = "proof-number search over live lines, 20,000,000 positions for each side to begin, 4 GiB";
    Item { slow: true, ..item(id, "Castelein, section 5", claim, "open", how, Verdict::Reproduced, run) }
}

/// Positions for a larger board.
const LARGER: u64 = 20_000_000;

fn larger_board(columns: usize, rows: usize, claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for (name, order_first) in [("order first", true), ("chaos first", false)] {
        let game = OrderChaos::new(columns, rows, 5, 2, order_first, Row::AtLeast);
        let mut provers = Provers::new(&game, 4 << 30).expect("order and chaos is a game of lines");
        let solution = provers.solve(&game, &game.start(), &ctx.with_own_count().with_budget(LARGER));
        ctx.check()?;
        let winner = solution
            .value
            .value()
            .map(|wdl| game.player_name(if wdl == Wdl::Win { Player::First } else { Player::Second }));
        found.push((name, winner, solution.nodes));
    }
    let words: Vec<String> = found
        .iter()
        .map(|(name, winner, nodes)| {
            format!("{name}: {} after {} positions", winner.as_deref().unwrap_or("unknown"), grouped(*nodes))
        })
        .collect();
    let open = found.iter().all(|(_, winner, _)| winner.is_none());
    let computed = if open { "open".to_string() } else { words.join("; ") };
    Ok(Finding::compare(claimed, computed, words.join("; ")).answered_if(!open))
}

/// Boards that are no rectangles: name, size, row, and the cells that are missing.
const SHAPES: [(&str, &str, &str); 8] = [
    ("ring of 8", "3x3,k=3", "b2"),
    ("ring of 12", "4x4,k=3", "b2+b3+c2+c3"),
    ("4×4 without corners, rows of 3", "4x4,k=3", "a1+a4+d1+d4"),
    ("4×4 without corners, rows of 4", "4x4,k=4", "a1+a4+d1+d4"),
    ("4×4 without the middle, rows of 4", "4x4,k=4", "b2+b3+c2+c3"),
    ("5×5 cross, rows of 3", "5x5,k=3", "a1+a2+a4+a5+b1+b2+b4+b5+d1+d2+d4+d5+e1+e2+e4+e5"),
    ("5×5 diamond, rows of 3", "5x5,k=3", "a1+a2+a4+a5+b1+b5+d1+d5+e1+e2+e4+e5"),
    ("6×6 without corners, rows of 5", "6x6,k=5", "a1+a6+f1+f6"),
];

fn other_shapes(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (mut found, mut compared, mut agree) = (Vec::new(), 0, true);
    for (name, board, missing) in SHAPES {
        let mut winners = Vec::new();
        for first in ["order", "chaos"] {
            ctx.check()?;
            let spelling = format!("order-chaos:{board},without={missing},first={first}");
            let game = OrderChaos::from_spelling(&spelling)?.0;
            let budget = ctx.with_own_count().with_budget(MOST_NODES);
            let won = match wins_on(&game, &budget) {
                Ok(won) => Some(won),
                Err(Failure::Stopped(agon_core::Stop::Nodes)) => None,
                Err(other) => return Err(other),
            };
            if agon_core::Ranked::ranks(&game).is_some() {
                let lines = game.lines(game.order()).expect("order and chaos is a game of lines");
                let swept = Sweep::new(&lines, ctx)?.plies(0, game.order_first()).is_some();
                agree &= won == Some(swept);
                compared += 1;
            }
            winners.push(won.map_or("unknown", |won| if won { "order" } else { "chaos" }));
        }
        let words = if winners[0] == winners[1] {
            format!("{} whoever begins", winners[0])
        } else {
            format!("{} if order begins, {} if chaos begins", winners[0], winners[1])
        };
        found.push(format!("{name}: {words}"));
    }
    let second = if agree { "the same" } else { "something else" };
    let note = format!(
        "Order and Chaos is played on any set of cells with without=…; the sweep of all boards gives {second} in {compared} \
         cases. Order, which wins 6×6 with rows of five, cannot do without the corners: without them Chaos answers by \
         pairs"
    );
    Ok(Finding::compare(claimed, found.join("; "), note).answered_if(agree && compared > 0))
}

/// Positions for one shape.
const MOST_NODES: u64 = 100_000;

/// Boards with the value for the side that moves first.
const BOARDS: [(&str, &str); 6] = [
    ("mnk:4,3,3", "win"),
    ("mnk:4,4,3", "win"),
    ("mnk:5,3,3", "win"),
    ("mnk:5,5,3", "win"),
    ("mnk:4,4,4", "draw"),
    ("mnk:5,4,4", "draw"),
];

fn other_games(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for (spelling, value) in BOARDS {
        ctx.check()?;
        let game = registry::standard().game(spelling)?;
        let keeps = |side: &str, least: Wdl| -> Result<bool, Failure> {
            let request = VerifyRequest {
                strategy: StrategyRequest::named("singh-objectives"),
                side: game.side(side)?,
                least,
                all: false,
                repair: None,
                certificate: false,
                listed: false,
            };
            Ok(game.verify(&game.start(), &request, ctx)?.0.holds)
        };
        let first = match (keeps("first", Wdl::Win)?, keeps("first", Wdl::Draw)?) {
            (true, _) => "wins",
            (false, true) => "never loses",
            (false, false) => "can lose",
        };
        let second = if keeps("second", Wdl::Draw)? { "never loses" } else { "can lose" };
        found.push(format!("{spelling} ({value}): first {first}, second {second}"));
    }
    let note = "One function for each row of k and their sum, with the four axioms for k: `agon show mnk:5,5,4 --measures` \
                shows them. In brackets the value of the game for the first player; a second player who meets a won \
                game can only lose to best play. For games without rows the definition says nothing.";
    let settled = !found.is_empty();
    Ok(Finding::compare(claimed, found.join("; "), note).answered_if(settled))
}
