//! Document 002: misère play, which the talk calls hopeless: quotients as far as they go.

use super::{Finding, Item, Verdict, item};
use agon_core::{Code, Ctx};
use agon_report::failure::Failure;
use agon_solve::misere::quotient::{Quotients, quotients};

const NOW: &str = "the Ellie talk, What now";

pub(super) static ITEMS: &[Item] = &[
    item(
        "002/misere-quotients",
        NOW,
        "Octal games in misère play: which have a finite quotient that small heaps prove?",
        "none given",
        "agon grundy CODE --quotient; each quotient is verified without outcomes of sums, and the period by its theorem",
        Verdict::Answered,
        finite,
    ),
    item(
        "002/misere-ellie",
        NOW,
        "How far do misère quotients of .007 go?",
        "hopeless",
        "agon grundy 0.007 --quotient --to 31",
        Verdict::Answered,
        ellie,
    ),
];

fn found(code: &str, to: usize, ctx: &Ctx) -> Result<Quotients, Failure> {
    let code: Code = code.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    Ok(quotients(&code, to, ctx)?)
}

/// Codes with the heaps to look at.
const CODES: [(&str, usize); 12] = [
    ("0.01", 20),
    ("0.12", 30),
    ("0.123", 30),
    ("0.3", 20),
    ("0.33", 30),
    ("0.7", 20),
    ("0.56", 12),
    ("0.75", 30),
    ("0.26", 16),
    ("4.7", 12),
    ("0.15", 40),
    ("0.77", 20),
];

fn finite(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (mut whole, mut open) = (Vec::new(), Vec::new());
    for (code, to) in CODES {
        let found = found(code, to, ctx)?;
        let (order, lost) = (found.last.order(), found.last.lost());
        match found.whole {
            Some((period, from)) => {
                whole.push(format!("{code}: {order} elements, {lost} lost, period {period} from heap {from}"));
            }
            None => open.push(format!("{code}: {order} elements for heaps up to {}", found.sizes.len() - 1)),
        }
    }
    let note = format!("not proved to be whole: {}", if open.is_empty() { "none".into() } else { open.join("; ") });
    let some = !whole.is_empty();
    Ok(Finding::compare(claimed, whole.join("; "), note).answered_if(some))
}

/// The heaps of .007 that are looked at.
const TO: usize = 31;

fn ellie(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let found = found("0.007", TO, ctx)?;
    let orders: Vec<usize> = found.sizes.iter().map(|size| size.0).collect();
    let grows = |n: &usize| *n > 0 && orders[*n] != orders[n - 1];
    let steps: Vec<String> = (0..orders.len()).filter(grows).map(|n| format!("{} from heap {n}", orders[n])).collect();
    let last = orders.len() - 1;
    let end = match found.stopped {
        Some(why) => format!("heap {} is the first that is not decided: {why}", last + 1),
        None => format!(
            "no growth after that up to heap {last}; heap 32 makes a larger one, whose sums have more than 60,000 canonical forms"
        ),
    };
    let note = format!("elements of the quotient: {}; {end}", steps.join(", "));
    let computed =
        format!("{} elements, {} of them lost, for all sums of heaps up to {last}", orders[last], found.last.lost());
    Ok(Finding::compare(claimed, computed, note).answered_if(last > 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_quotients_has_what_is_computed() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/misere.md");
        let page = std::fs::read_to_string(page).expect("the page about quotients");
        let ctx = Ctx::default();
        for (code, to) in CODES {
            let found = found(code, to, &ctx).expect("no limit");
            let Some((period, from)) = found.whole else { continue };
            let row = format!("| {code} | {} | {} | {period} | {from} |", found.last.order(), found.last.lost());
            assert!(page.contains(&row), "docs/results/misere.md lacks: {row}");
        }
        let ellie = found("0.007", TO, &ctx).expect("no limit");
        for heap in [2, 5, 14, 15, 31] {
            let row = format!("| {heap} | {} |", ellie.sizes[heap].0);
            assert!(page.contains(&row), "docs/results/misere.md lacks: {row}");
        }
        assert_eq!((ellie.last.order(), ellie.last.lost()), (24, 5));
    }
}
