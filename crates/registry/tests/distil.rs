//! Short strategies: what the search calls shortest is compared with an enumeration of texts that shares no code with it.

use agon_core::{Ctx, Game, Player, Rng, Wdl};
use agon_games::drop::Drop;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_registry::Registry;
use agon_registry::erased::DistilRequest;
use agon_report::DistilReport;
use agon_report::words::grouped;
use agon_solve::verify::{self, Claim};
use agon_strategies::vocabulary::Phrase;
use agon_strategies::{Rules, Text, Vocabulary};
use std::collections::BTreeMap;

fn request(sides: &[Player], least: Wdl, features: &[&str]) -> DistilRequest {
    DistilRequest {
        sides: sides.to_vec(),
        least,
        features: features.iter().map(ToString::to_string).collect(),
        seed: 1,
        time: None,
        certificate: sides.len() == 1,
    }
}

/// The answer for a game; its certificate must be accepted, and its list must hold.
fn distilled(game: &str, sides: &[Player], least: Wdl, features: &[&str]) -> DistilReport {
    let game = Registry::standard().game(game).unwrap();
    let ctx = Ctx::default().with_budget(20_000_000);
    let (report, evidence) = game.distil(&game.start(), &request(sides, least, features), &ctx).unwrap();
    if let Some(certificate) = evidence.unwrap() {
        assert!(game.check(&certificate, &Ctx::default()).is_ok());
    }
    report
}

const FIRST: &[Player] = &[Player::First];
const SECOND: &[Player] = &[Player::Second];

#[test]
fn tic_tac_toe_needs_no_more_than_three_steps() {
    let never_lose = "rule 1\n  only not lets-win\n  prefer min forks-left\n  prefer max lines\n";
    let cases = [
        (FIRST, "rule 1\n  prefer blocks\n  prefer max lines\n", 22.05),
        (SECOND, never_lose, 33.57),
        (&Player::BOTH[..], never_lose, 33.57),
    ];
    for (sides, rules, bits) in cases {
        let report = distilled("tic-tac-toe", sides, Wdl::Draw, &[]);
        let size = report.size.unwrap();
        assert!(report.holds && report.minimal && (size.bits - bits).abs() < 0.01, "{sides:?}: {size:?}");
        assert_eq!(report.rules.as_deref(), Some(rules), "{sides:?}");
        // Each step rejects moves somewhere, and the list fails without it.
        assert!(report.steps.iter().all(|step| step.decides.is_some() && step.without.is_some()), "{sides:?}");
        assert!(report.steps.iter().all(|step| step.overrides.is_some()), "{sides:?}");
    }
}

#[test]
fn order_wins_on_four_by_four_without_an_exception() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/strategies");
    let [text, page] =
        ["order-4x4.rules", "order-4x4.md"].map(|name| std::fs::read_to_string(format!("{dir}/{name}")).unwrap());
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let rules = Rules::new(&game, &Text::parse(&text).unwrap()).unwrap();
    let size = rules.size(&game);
    assert_eq!((size.rules, size.book), (1, 0));
    assert!(size.literals < 11, "{size:?}");
    let claim = Claim { side: Player::First, least: Wdl::Win, root: game.start() };
    let verdict = verify::verify(&game, &rules, &claim, &Ctx::default()).unwrap();
    assert!(verdict.holds);
    for figure in [format!("{} positions", grouped(verdict.positions)), format!("{:.2} bits", size.bits)] {
        assert!(page.contains(&figure), "the page lacks {figure}");
    }
}

#[test]
fn a_claim_that_the_other_side_can_prevent_has_no_list() {
    let report = distilled("tic-tac-toe", SECOND, Wdl::Win, &[]);
    assert!(!report.holds && report.impossible && report.rules.is_none());
}

#[test]
fn play_that_cycles_can_be_held() {
    let report = distilled("antrin:3,men=2", FIRST, Wdl::Draw, &[]);
    assert!(report.holds, "{:?}", report.why);
}

#[test]
fn one_word_wins_nim_and_holds_a_drop_board() {
    let nim = distilled("nim:1+2+4", FIRST, Wdl::Win, &["xor"]);
    assert!(nim.minimal, "{nim:?}");
    let drop = distilled("drop:3,6,4", SECOND, Wdl::Draw, &["answers"]);
    assert_eq!(drop.rules.as_deref(), Some("rule 1\n  only answers(claimeven)\n"));
}

/// A piece of text with its bits.
type Piece = (String, f64);

/// All texts over some features, by the grammar of docs/strategies.md, with the bits of `agon_strategies::Size`.
struct Texts {
    flags: Vec<(String, f64, bool)>,
    numbers: Vec<(String, f64, bool)>,
}

/// What a part of a text says: about the position, about all moves.
#[derive(Clone, Copy, PartialEq)]
struct Says {
    positional: bool,
    over_all: bool,
}

impl Texts {
    fn new(phrases: &[Phrase], features: &[&str]) -> Texts {
        use agon_core::features::{Sort, Subject};
        let named = |sort: Sort| {
            let of = phrases.iter().filter(|phrase| phrase.sort == sort && features.contains(&phrase.name));
            let text = |phrase: &Phrase| match &phrase.argument {
                Some(argument) => format!("{}({argument})", phrase.name),
                None => phrase.name.to_string(),
            };
            of.map(|phrase| (text(phrase), phrase.bits, phrase.subject == Subject::Position)).collect()
        };
        Texts { flags: named(Sort::Flag), numbers: named(Sort::Number) }
    }

    fn numbers(&self, most: f64) -> Vec<(String, f64, Says)> {
        let mut all: Vec<(String, f64, Says)> = Vec::new();
        if most < 0.0 {
            return all;
        }
        let leaf = |(text, bits, positional): &(String, f64, bool)| {
            (text.clone(), *bits, Says { positional: *positional, over_all: false })
        };
        all.extend(self.numbers.iter().map(leaf));
        let over = Says { positional: true, over_all: true };
        if most > 3.0 {
            for (part, bits, _) in self.numbers(most - 3.0).into_iter().filter(|(.., says)| !says.over_all) {
                all.push((format!("most({part})"), bits + 3.0, over));
                all.push((format!("least({part})"), bits + 3.0, over));
            }
            for (part, bits, _) in self.conditions(most - 3.0).into_iter().filter(|(.., says)| !says.over_all) {
                all.push((format!("count({part})"), bits + 3.0, over));
            }
        }
        if most > 8.0 {
            for (a, bits, one) in self.numbers(most - 8.0) {
                for (b, more, other) in self.numbers(most - bits - 3.0) {
                    let says = Says {
                        positional: one.positional && other.positional,
                        over_all: one.over_all || other.over_all,
                    };
                    all.push((format!("({a} + {b})"), bits + more + 3.0, says));
                    all.push((format!("({a} - {b})"), bits + more + 3.0, says));
                }
            }
        }
        all.retain(|(_, bits, _)| *bits <= most);
        all
    }

    fn conditions(&self, most: f64) -> Vec<(String, f64, Says)> {
        let mut all: Vec<(String, f64, Says)> = Vec::new();
        if most < 0.0 {
            return all;
        }
        let leaf = |(text, bits, positional): &(String, f64, bool)| {
            (text.clone(), *bits, Says { positional: *positional, over_all: false })
        };
        all.extend(self.flags.iter().map(leaf));
        if most > 3.0 {
            for (part, bits, says) in self.conditions(most - 3.0) {
                all.push((format!("not ({part})"), bits + 3.0, says));
                if !says.over_all {
                    all.push((format!("any({part})"), bits + 3.0, Says { positional: true, over_all: true }));
                }
            }
        }
        let joined = |one: Says, other: Says| Says {
            positional: one.positional && other.positional,
            over_all: one.over_all || other.over_all,
        };
        if most > 7.0 {
            for (a, bits, one) in self.numbers(most - 7.0) {
                for sign in ["=", "!=", "<", "<=", ">", ">="] {
                    all.extend((0..=6).map(|n| (format!("{a} {sign} {n}"), bits + 7.0, one)));
                    for (b, more, other) in self.numbers(most - bits - 3.0) {
                        all.push((format!("{a} {sign} {b}"), bits + more + 3.0, joined(one, other)));
                    }
                }
            }
        }
        if most > 8.0 {
            for (a, bits, one) in self.conditions(most - 8.0) {
                for (b, more, other) in self.conditions(most - bits - 3.0) {
                    for word in ["and", "or"] {
                        all.push((format!("(({a}) {word} ({b}))"), bits + more + 3.0, joined(one, other)));
                    }
                }
            }
        }
        all.retain(|(_, bits, _)| *bits <= most);
        all
    }

    fn steps(&self, most: f64) -> Vec<Piece> {
        let mut all = Vec::new();
        for (text, bits, says) in self.conditions(most - 3.0) {
            let ways: &[&str] = if says.positional { &["when", "only", "prefer"] } else { &["only", "prefer"] };
            all.extend(ways.iter().map(|way| (format!("  {way} {text}\n"), bits + 3.0)));
        }
        for (text, bits, _) in self.numbers(most - 3.0) {
            all.extend(["max", "min"].map(|way| (format!("  prefer {way} {text}\n"), bits + 3.0)));
        }
        all
    }

    /// Every list of at most `most` bits.
    fn lists(&self, most: f64) -> Vec<Piece> {
        let steps = self.steps(most - 5.0);
        let mut all: Vec<Piece> = Vec::new();
        let mut open: Vec<(String, f64, usize)> = vec![("rule 1\n".to_string(), 5.0, 1)];
        while let Some((text, bits, rules)) = open.pop() {
            if bits + 4.0 <= most && !text.ends_with(&format!("rule {rules}\n")) {
                open.push((format!("{text}rule {}\n", rules + 1), bits + 4.0, rules + 1));
            }
            for (step, more) in steps.iter().filter(|(_, more)| bits + more <= most) {
                open.push((format!("{text}{step}"), bits + more, rules));
            }
            all.push((text, bits));
        }
        all
    }
}

/// The bits of the shortest list of at most `most` bits, by trying all texts.
fn by_enumeration<G: agon_core::Family + agon_core::Symmetric>(
    game: &G,
    (sides, least): (&[Player], Wdl),
    features: &[&str],
    most: f64,
) -> Option<f64> {
    let vocabulary = Vocabulary::new(game);
    let texts = Texts::new(vocabulary.phrases(), features);
    let mut lists: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (text, bits) in texts.lists(most) {
        lists.entry((bits * 1e6) as u64).or_default().push(text);
    }
    lists.into_values().flatten().find_map(|text| {
        let rules = Rules::new(game, &Text::parse(&text).unwrap()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let holds = |&side: &Player| {
            let claim = Claim { side, least, root: game.start() };
            verify::holds(game, &rules, &claim, &Ctx::default()).unwrap()
        };
        sides.iter().all(holds).then(|| rules.size(game).bits)
    })
}

/// Compares the search with the enumeration for some features of a game.
fn compare<G: agon_core::Family + agon_core::Symmetric>(
    game: &G,
    spelling: &str,
    claim: (&[Player], Wdl),
    features: &[&str],
) -> bool {
    let most = 27.6;
    let wanted = by_enumeration(game, claim, features, most);
    let entry = Registry::standard().game(spelling).unwrap();
    // The search for lists that are too long is cut off by a small budget of nodes.
    let ctx = Ctx::default().with_budget(4_000_000);
    let answer = entry.distil(&entry.start(), &request(claim.0, claim.1, features), &ctx);
    let Ok((report, _)) = answer else {
        assert_eq!(wanted, None, "{spelling} {features:?}: stopped, but there is a list");
        return false;
    };
    let found = report.size.as_ref().filter(|_| report.minimal).map(|size| size.bits);
    match wanted {
        Some(bits) => {
            let found = found.unwrap_or_else(|| panic!("{spelling} {features:?}: nothing, expected {bits}"));
            assert!((bits - found).abs() < 1e-6, "{spelling} {features:?}: {found}, by enumeration {bits}");
        }
        None => {
            assert!(found.is_none_or(|bits| bits > most), "{spelling} {features:?}: {found:?}, none by enumeration");
            assert!(found.is_some() || report.size.is_none_or(|size| size.bits > most - 1e-6));
        }
    }
    wanted.is_some()
}

#[test]
fn shortest_lists_are_those_of_an_enumeration_of_all_texts() {
    let words = [
        "blocks",
        "completes",
        "corner",
        "centre",
        "lines",
        "leaves",
        "forks-left",
        "threats",
        "fork",
        "lets-win",
        "cut",
        "line",
        "column",
        "first",
        "filled",
        "replies",
        "edge",
        "row",
    ];
    let mut rng = Rng::new(7);
    let mut found = 0;
    for round in 0..8 {
        let mut some: Vec<&str> = (0..3).map(|_| words[rng.below(words.len())]).collect();
        some.sort_unstable();
        some.dedup();
        found += usize::from(match round % 4 {
            0 => compare(&Mnk::new(3, 3, 3), "mnk:3,3,3", (FIRST, Wdl::Draw), &some),
            1 => compare(&Mnk::new(3, 2, 2), "mnk:3,2,2", (FIRST, Wdl::Win), &some),
            2 => compare(&Drop::new(3, 3, 3), "drop:3,3,3", (SECOND, Wdl::Draw), &some),
            _ => compare(&Mnk::new(4, 1, 2), "mnk:4,1,2", (FIRST, Wdl::Win), &some),
        });
    }
    assert!(found > 1, "only {found} lists");
}
