//! What documents 000 and 003 wish for: strategies without exceptions, more marks, a guaranteed tie, larger boards.
//!
//! The rules are those of `docs/results/strategies`.

use super::castelein::wins_on;
use super::{Finding, Item, Verdict, item};
use agon_core::{Ctx, Family as _, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_registry as registry;
use agon_registry::erased::{MethodChoice, SolveRequest, StrategyRequest, VerifyRequest};
use agon_report::failure::Failure;
use agon_report::words::grouped;

pub(super) static ITEMS: &[Item] = &[
    item(
        "000/without-exceptions",
        "Castelein, section 5",
        "Is there a winning strategy for Order on 4×4 without any exceptions?",
        "open",
        "agon verify order-chaos:4x4,k=4 docs/results/strategies/order-4x4.rules --as order --claim win",
        Verdict::Answered,
        without_exceptions,
    ),
    item(
        "000/more-symbols",
        "Castelein, section 5",
        "Who wins with more symbols?",
        "open",
        "agon solve order-chaos:4x4,k=4,symbols=3 and so on, either side first",
        Verdict::Answered,
        more_symbols,
    ),
    item(
        "003/drawing-rule",
        "Vaki, section 9.2",
        "Is there a set of plays that a person can follow to a guaranteed tie, in both phases?",
        "open",
        "agon verify antrin:3 docs/results/strategies/antrin-3-either.rules --as first --claim draw, and --as second",
        Verdict::Answered,
        drawing_rule,
    ),
    item(
        "003/bigger-boards",
        "Vaki, section 9.2",
        "What happens on bigger boards?",
        "open",
        "agon solve antrin:4 --strong: retrograde analysis of both phases; 5×5 is in docs/results/antrin.md",
        Verdict::Answered,
        bigger_boards,
    ),
];

/// Items that take too long in tests.
#[cfg(test)]
pub(super) const LONG: &[&str] = &["000/without-exceptions"];

/// Order's list for 4×4.
const ORDER: &str = "rule 1
  prefer max open(3)
  prefer min cuts(2)
  prefer max directions(1)
  prefer min cuts(1)
  prefer max directions(2)
  prefer max distance(other)
  prefer max degree
";

/// The list for either side of Antrin.
const ANTRIN: &str = "rule 1
  prefer completes
  prefer min leaves
  prefer max free-points
  prefer min replies
  prefer max cut
  prefer corner
";

/// Verifies a list of rules. Returns whether it holds, and the number of positions.
fn verified(spelling: &str, rules: &str, side: &str, least: Wdl, ctx: &Ctx) -> Result<(bool, u64), Failure> {
    let game = registry::standard().game(spelling)?;
    let request = VerifyRequest {
        strategy: StrategyRequest::written("list", rules),
        side: game.side(side)?,
        least,
        all: false,
        repair: None,
        certificate: false,
        listed: false,
    };
    let report = game.verify(&game.start(), &request, ctx)?.0;
    Ok((report.holds, report.positions))
}

fn without_exceptions(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (holds, positions) = verified("order-chaos:4x4,k=4", ORDER, "order", Wdl::Win, ctx)?;
    let computed = if holds { "yes, one rule of seven preferences" } else { "not this one" };
    let note = format!(
        "No exception, no book and no tie-break: every choice that the rule leaves open wins against every reply, from the \
         first move on ({} positions). By Lemma 3.1 the same rule wins 6×6; `agon distil` found it \
         (docs/results/strategies/order-4x4.md, order-6x6.md).",
        grouped(positions)
    );
    Ok(Finding::compare(claimed, computed, note).answered_if(holds))
}

/// Boards, rows and numbers of marks.
const MARKS: [(&str, usize); 5] = [("3x3,k=3", 3), ("3x3,k=3", 4), ("4x4,k=4", 2), ("4x4,k=4", 3), ("4x4,k=4", 4)];

fn more_symbols(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for (board, marks) in MARKS {
        let mut winners = Vec::new();
        for first in ["order", "chaos"] {
            ctx.check()?;
            let game = OrderChaos::from_spelling(&format!("order-chaos:{board},symbols={marks},first={first}"))?.0;
            winners.push(if wins_on(&game, ctx)? { "order" } else { "chaos" });
        }
        let who = match winners[..] {
            [one, other] if one == other => format!("{one} whoever begins"),
            _ => format!("{} if order begins, {} if chaos begins", winners[0], winners[1]),
        };
        let (size, row) = board.split_once(",k=").expect("a size and a row");
        found.push(format!("{}({row}) with {marks}: {who}", size.replace('x', "×")));
    }
    let note = "More symbols help Chaos: with three of them Chaos wins 4×4. Larger boards are in \
                docs/results/order-chaos.md. The thesis also asks about more players, but not what a third one would want.";
    Ok(Finding::compare(claimed, found.join("; "), note).answered_if(true))
}

fn drawing_rule(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (first, by_first) = verified("antrin:3", ANTRIN, "first", Wdl::Draw, ctx)?;
    let (second, by_second) = verified("antrin:3", ANTRIN, "second", Wdl::Draw, ctx)?;
    let computed = match (first, second) {
        (true, true) => "yes, one rule of six preferences for either side",
        (true, false) => "for the first player",
        (false, true) => "for the second player",
        (false, false) => "not this one",
    };
    let note = format!(
        "It never loses, in either phase, against any play ({} positions as first player, {} as second). The defensive map \
         of the thesis loses (003/defence, 003/defence-later). `agon distil` found the rule \
         (docs/results/strategies/antrin-3-either.md).",
        grouped(by_first),
        grouped(by_second)
    );
    Ok(Finding::compare(claimed, computed, note).answered_if(first && second))
}

/// Bytes that the tables may take.
const MEMORY: u64 = 1 << 30;

fn bigger_boards(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = registry::standard().game("antrin:4")?;
    let request = SolveRequest::plain(MEMORY).by(MethodChoice::Strong);
    let value = game.solve(&game.start(), &request, ctx)?.0.value;
    let note = "On 4×4 with four men and rows of four, both phases. 5×5 is a draw as well, and docs/results/antrin.md says \
                what 6×6 would take.";
    let settled = value == "draw";
    Ok(Finding::compare(claimed, format!("4×4: {value}"), note).answered_if(settled))
}

#[cfg(test)]
mod tests {
    use super::{ANTRIN, ORDER};

    #[test]
    fn the_rules_are_those_of_the_pages() {
        for (name, rules) in [("order-4x4", ORDER), ("antrin-3-either", ANTRIN)] {
            let path = format!("{}/../../docs/results/strategies/{name}.rules", env!("CARGO_MANIFEST_DIR"));
            let page = std::fs::read_to_string(path).expect("the rules");
            let plain: String =
                page.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
            assert_eq!(plain, rules, "{name}");
        }
    }
}
