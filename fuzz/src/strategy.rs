//! Strategies as text.

use super::games::samples;
use super::{readable, sampled, split, text};
use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::{Ctx, Player, Status, Wdl};
use agon_registry::erased::{AnyGame, StrategyRequest};
use agon_strategies::Text;

/// Words of strategies.
pub const STRATEGY_WORDS: &[&str] = &[
    "rule ",
    "book ",
    "exact book ",
    "pairing ",
    "region ",
    "reading ",
    "about ",
    "\n",
    "  only ",
    "  when ",
    "  prefer ",
    "max ",
    "min ",
    "on inner",
    "any(",
    "count(",
    "most(",
    "least(",
    ")",
    " and ",
    " or ",
    "not ",
    " = ",
    " < ",
    " >= ",
    " + ",
    " - ",
    "completes",
    "blocks",
    "centre",
    "corner",
    "line",
    "cut",
    "cuts(1)",
    "open(2)",
    "directions(1)",
    "threats",
    "leaves",
    "forks-left",
    "distance(last)",
    "beside(own)",
    "answers(half-turn)",
    "answers-last(border)",
    "same-column",
    "wins",
    "lets-win",
    "replies",
    "mobility",
    "filled",
    "xor",
    "same-heap",
    "mark",
    "row",
    "?",
    "[a] ",
];

/// A strategy; the first byte chooses the game. What is read is written back as the same strategy, a strategy that
/// fits the game names legal moves, and the checker, which reads it by itself, refuses the same texts.
pub fn strategy(data: &[u8]) {
    let (which, rest) = split(data);
    let given = text(rest);
    match Text::parse(&given) {
        Err(fault) => readable(&fault.to_string()),
        Ok(read) => {
            let written = read.to_string();
            assert_eq!(Text::parse(&written).as_ref(), Ok(&read), "{written}");
        }
    }
    let sample = &samples()[which % samples().len()];
    let refused = refused(sample.game.as_ref(), &given);
    match sample.game.agent(&StrategyRequest::written("text", given.into_owned()), 1) {
        Err(failure) => {
            assert!(refused.is_some(), "the checker accepts\n{}", text(rest));
            readable(&failure.message().unwrap_or_default());
        }
        Ok(_) if refused.is_some() => panic!("the checker refuses: {refused:?}\n{}", text(rest)),
        Ok(mut player) if sampled(data, 8) => {
            for pos in sample.positions.iter().take(4) {
                if let Ok(Status::Turn(_)) = sample.game.status(pos) {
                    let chosen = player.choose(pos, &Ctx::default()).expect("a strategy needs no search");
                    assert!(sample.game.play(pos, &chosen.mv).is_ok(), "{} at {pos}", chosen.mv);
                }
            }
        }
        Ok(_) => {}
    }
}

/// Why the checker takes a text for no strategy.
fn refused(game: &dyn AnyGame, text: &str) -> Option<String> {
    let (side, least, text) = (Player::First, Wdl::Draw, text.to_string());
    let certificate = Certificate {
        game: game.spelling().to_string(),
        rules: None,
        from: game.start(),
        claim: Claim::AtLeast(side, least),
        up_to_symmetry: false,
        sections: vec![Section::Text { side, least, within: None, text }],
    };
    match game.check(&certificate, &Ctx::default().with_budget(1)) {
        Err(Rejected::Corrupt(why)) => {
            readable(&why);
            Some(why)
        }
        _ => None,
    }
}

/// Strategies of several games.
pub fn strategies() -> Vec<Vec<u8>> {
    let with = |which: u8, text: &str| [&[which][..], text.as_bytes()].concat();
    let line = "about lines\nreading a,b\nreading b\nrule win\n  only completes or wins\n[a] rule block\n  [not b] prefer blocks\n  \
                prefer max line + open(1) - cut\nrule far\n  when filled > 2 and any(corner)\n  only distance(last) < most(distance(own))\n\
                region sides\n  a2 b1\npairing two\n  a1 a2\n  b1 b2 same\nrule else\n  only in(sides) or answers(two)\n";
    let book = "book opening\n  .../.../... b2\nexact book more\n  X../???/... b2\nrule else\n";
    let heap = "rule zero\n  only xor = 0 or same-heap\n  prefer min counters-left\nrule else\n";
    let mut seeds: Vec<Vec<u8>> = [0, 1, 2, 3, 23].iter().map(|&which| with(which, line)).collect();
    seeds.push(with(0, book));
    seeds.extend([14, 15].map(|which| with(which, heap)));
    seeds
}
