//! The page about strategies lists every feature, and the published strategies are texts that can be read.

use agon_core::Family;
use agon_core::features::{Extra, Sort, Subject};
use agon_games::impartial::Play;
use agon_games::impartial::heaps::{Heaps, Nim};
use agon_games::mill::Mill;
use agon_games::order_chaos::OrderChaos;
use agon_games::strategies::ALL;
use agon_strategies::vocabulary::reference;
use std::fmt::Write as _;

/// The extras of a game as a table.
fn extras(title: &str, extras: &[Extra]) -> String {
    let mut out = format!("\n**{title}**\n\n| word | is | of | meaning |\n|---|---|---|---|\n");
    for extra in extras {
        let sort = if extra.sort == Sort::Flag { "yes or no" } else { "number" };
        let subject = if extra.subject == Subject::Position { "a position" } else { "a move" };
        let _ = writeln!(out, "| `{}` | {sort} | {subject} | {} |", extra.name, extra.says);
    }
    out
}

fn extras_of<G: Family>(title: &str, spelling: &str) -> String {
    let game = G::from_spelling(spelling).unwrap().0;
    extras(title, game.vocabulary().extras())
}

#[test]
fn the_page_lists_the_whole_vocabulary() {
    let mut expected = reference();
    expected += &extras_of::<Play<Heaps<Nim>>>("Heap games", "nim:3+5");
    expected += &extras_of::<Mill>("Mill games", "antrin:3");
    expected += &extras_of::<OrderChaos>("Order and Chaos", "order-chaos:4x4,k=4");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strategies.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("<!-- vocabulary -->\n").expect("a mark before the vocabulary");
    let (found, _) = rest.split_once("<!-- end of vocabulary -->").expect("a mark behind the vocabulary");
    assert_eq!(found, expected, "expected on the page:\n{expected}");
}

#[test]
fn every_published_strategy_is_in_canonical_form() {
    for shipped in ALL {
        let text = shipped.parsed();
        let blank = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let (written, canonical) = (shipped.text, text.to_string());
        assert!(written.lines().filter(blank).eq(canonical.lines().filter(blank)), "{}:\n{canonical}", shipped.name);
        assert!(!text.about.is_empty(), "{}", shipped.name);
        for reading in text.readings.iter().map(String::as_str).chain([""]) {
            assert!(text.read_as(reading).is_some_and(|text| !text.sections.is_empty()), "{}:{reading}", shipped.name);
        }
    }
}
