//! A corpus of strategies, right and wrong, with the expected verdicts; every rule text of the documentation is read.

use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::{Ctx, Game, Player, Rng, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_registry::erased::{AnyGame, StrategyRequest, VerifyRequest};
use agon_registry::{self as registry};
use agon_report::VerifyReport;
use agon_report::failure::Failure;
use agon_solve::verify;
use agon_strategies::{Rules, Text};
use std::path::{Path, PathBuf};

/// A strategy of the corpus: its file begins with lines `#! key: value`.
struct Case {
    name: String,
    text: String,
}

impl Case {
    fn header(&self, key: &str) -> Option<&str> {
        let prefix = format!("#! {key}: ");
        self.text.lines().find_map(|line| line.strip_prefix(prefix.as_str())).map(str::trim)
    }

    fn wanted(&self, key: &str) -> &str {
        self.header(key).unwrap_or_else(|| panic!("{}: no line `#! {key}: …`", self.name))
    }

    fn game(&self) -> Box<dyn AnyGame> {
        registry::standard().game(self.wanted("game")).unwrap_or_else(|e| panic!("{}: {e:?}", self.name))
    }

    fn request(&self, game: &dyn AnyGame, all: bool, repair: Option<usize>) -> VerifyRequest {
        VerifyRequest {
            strategy: StrategyRequest::written(&self.name, &self.text),
            side: game.side(self.wanted("as")).unwrap_or_else(|e| panic!("{}: {e:?}", self.name)),
            least: if self.wanted("claim") == "win" { Wdl::Win } else { Wdl::Draw },
            all,
            repair,
            certificate: false,
            listed: false,
        }
    }

    fn verify(&self, game: &dyn AnyGame, all: bool, repair: Option<usize>) -> Result<VerifyReport, Failure> {
        Ok(game.verify(&game.start(), &self.request(game, all, repair), &Ctx::default())?.0)
    }
}

fn corpus() -> Vec<Case> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strategies");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &PathBuf| Case {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(path).unwrap(),
    };
    files.iter().map(read).collect()
}

#[test]
fn every_strategy_of_the_corpus_gets_its_verdict() {
    let cases = corpus();
    assert!(cases.len() >= 20, "{} strategies", cases.len());
    for case in &cases {
        let game = case.game();
        if let Some(fault) = case.header("fault") {
            let failure = case.verify(game.as_ref(), false, None).expect_err(&case.name);
            assert_eq!(failure.message().unwrap_or_default(), format!("`{}`, {fault}", case.name));
            continue;
        }
        let report = case.verify(game.as_ref(), true, None).unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
        assert_eq!(report.holds, case.wanted("verdict") == "holds", "{}", case.name);
        let response = report.best_response.as_ref().unwrap_or_else(|| panic!("{}: no response", case.name));
        assert_eq!(response.value.name(), case.wanted("response"), "{}", case.name);
        let rules = report.rules.as_ref().expect("a text has rules");
        let unneeded: Vec<&str> = rules.iter().filter(|r| r.needed == Some(false)).map(|r| r.name.as_str()).collect();
        assert_eq!(unneeded.join("; "), case.header("unneeded").unwrap_or(""), "{}", case.name);
        assert_eq!(rules.iter().all(|rule| rule.needed.is_some()), report.holds, "{}", case.name);
        match &report.shortest_counterexample {
            None => assert!(report.holds, "{}", case.name),
            Some(shortest) => {
                assert_eq!(shortest.moves.len().to_string(), case.wanted("plies"), "{}", case.name);
                assert_eq!(shortest.rule.as_deref(), case.header("wrong"), "{}", case.name);
            }
        }
    }
}

#[test]
fn the_rule_that_gave_the_claim_away_is_named_without_a_list_of_mistakes() {
    let mut named = 0;
    for case in corpus() {
        let Some(wrong) = case.header("wrong") else { continue };
        let report = case.verify(case.game().as_ref(), false, None).unwrap();
        let shortest = report.shortest_counterexample.unwrap();
        assert_eq!(shortest.rule.as_deref(), Some(wrong), "{}", case.name);
        assert!(shortest.ply.is_some() && report.failures.is_none() && report.stopped.is_none(), "{}", case.name);
        named += 1;
    }
    assert!(named >= 8, "{named}");
}

#[test]
fn a_limit_that_comes_behind_a_counterexample_leaves_its_rule_and_the_mistakes() {
    let case = Case { name: "any.rules".into(), text: "#! as: second\n#! claim: draw\nrule anything\n".into() };
    let game = registry::standard().game("tic-tac-toe").unwrap();
    let request = case.request(game.as_ref(), true, None);
    let limited = Ctx::default().with_budget(4_000);
    let report = game.verify(&game.start(), &request, &limited).unwrap().0;
    assert!(!report.holds && report.partial, "{report:?}");
    assert_eq!(report.shortest_counterexample.unwrap().rule.as_deref(), Some("anything"));
    assert!(!report.failures.unwrap().is_empty());
}

#[test]
fn a_repaired_strategy_is_a_text_that_holds() {
    let mut repaired = 0;
    for case in corpus() {
        let Some(fewest) = case.header("repair") else { continue };
        let game = case.game();
        let report = case.verify(game.as_ref(), false, Some(8)).unwrap();
        let repair = report.repair.expect("a repair was asked for");
        assert_eq!(repair.exceptions.unwrap().len().to_string(), fewest, "{}", case.name);
        let headers: Vec<&str> = case.text.lines().filter(|line| line.starts_with("#!")).collect();
        let text = format!("{}\n{}", headers.join("\n"), repair.text.expect("a text"));
        let again = Case { name: case.name.clone(), text };
        let verified = again.verify(game.as_ref(), false, None).unwrap();
        assert!(verified.holds, "{}:\n{}", case.name, again.text);
        repaired += 1;
    }
    assert!(repaired >= 3, "{repaired}");
}

/// A certificate that a text keeps a claim, whether it does or not.
fn certificate(game: &dyn AnyGame, text: &str, side: Player, least: Wdl) -> Certificate {
    Certificate {
        game: game.spelling().to_string(),
        rules: None,
        from: game.start(),
        claim: Claim::AtLeast(side, least),
        up_to_symmetry: false,
        sections: vec![Section::Text { side, least, within: None, text: text.to_string() }],
    }
}

#[test]
fn the_checker_gives_the_verdicts_of_verification() {
    let (mut accepted, mut refuted) = (0, 0);
    for case in corpus() {
        let game = case.game();
        for (side, least) in Player::BOTH.into_iter().flat_map(|side| [(side, Wdl::Draw), (side, Wdl::Win)]) {
            let certificate = certificate(game.as_ref(), &case.text, side, least);
            let certificate = Certificate::read(certificate.write().as_bytes()).unwrap();
            let checked = game.check(&certificate, &Ctx::default());
            let (strategy, certificate) = (StrategyRequest::written(&case.name, &case.text), false);
            let request = VerifyRequest { strategy, side, least, all: false, repair: None, certificate, listed: false };
            match (game.verify(&game.start(), &request, &Ctx::default()), checked) {
                (Ok((report, _)), Ok(_)) if report.holds => accepted += 1,
                (Ok((report, _)), Err(Rejected::Refuted(_))) if !report.holds => refuted += 1,
                (Err(Failure::Usage(_)), Err(Rejected::Corrupt(why))) => {
                    let place = case.wanted("fault").split(':').next().unwrap();
                    assert!(why.starts_with(&format!("the strategy, {place}: ")), "{}: {why}", case.name);
                }
                (verified, checked) => panic!("{} {side:?} {least}: {verified:?} but {checked:?}", case.name),
            }
        }
    }
    assert!(accepted >= 12 && refuted >= 40, "{accepted} {refuted}");
}

#[test]
fn certificates_of_texts_are_accepted_as_texts_and_as_lists_of_moves() {
    for case in corpus() {
        let (holds, repair) = (case.header("verdict") == Some("holds"), case.header("repair").map(|_| 8));
        if !holds && repair.is_none() {
            continue;
        }
        let game = case.game();
        for listed in [false, true] {
            let request = VerifyRequest { certificate: true, listed, ..case.request(game.as_ref(), false, repair) };
            let (_, evidence) = game.verify(&game.start(), &request, &Ctx::default()).unwrap();
            let certificate = evidence.unwrap().expect("there is something to certify");
            assert_eq!(matches!(certificate.sections[..], [Section::Text { .. }]), !listed, "{}", case.name);
            let checked = game.check(&certificate, &Ctx::default());
            assert!(checked.is_ok(), "{} {listed}: {checked:?}", case.name);
        }
    }
}

#[test]
fn the_json_has_the_fields_that_programs_rely_on() {
    let case = corpus().into_iter().find(|case| case.name == "tictactoe-corner-trap.rules").unwrap();
    let report = case.verify(case.game().as_ref(), true, None).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    for field in ["name", "fired", "decided", "needed"] {
        assert!(json["rules"][0].get(field).is_some(), "{field}");
    }
    let shortest = &json["shortest_counterexample"];
    let plies = shortest["moves"].as_array().unwrap().len();
    assert_eq!(shortest["rules"].as_array().unwrap().len(), plies / 2, "one for each move of the strategy");
    assert_eq!(json["best_response"]["value"], "loss");
}

/// The fenced blocks of a page with that word behind the fence.
fn blocks(page: &str, word: &str) -> Vec<String> {
    let fence = format!("```{word}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_string()).collect()
}

#[test]
fn every_rule_text_of_the_documentation_does_what_the_page_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strategies.md");
    let page = std::fs::read_to_string(page).unwrap();
    let texts = blocks(&page, "rules");
    assert!(texts.len() >= 4, "{}", texts.len());
    for (number, text) in texts.into_iter().enumerate() {
        let case = Case { name: format!("block {}", number + 1), text };
        let report = case.verify(case.game().as_ref(), false, None);
        let report = report.unwrap_or_else(|e| panic!("{}: {e:?}\n{}", case.name, case.text));
        assert_eq!(report.holds, case.wanted("verdict") == "holds", "{}", case.text);
    }
}

fn any_move(spelling: &str, text: &str, repair: Option<usize>) -> Result<VerifyReport, Failure> {
    let game = registry::standard().game(spelling).unwrap();
    let case = Case { name: "any.rules".into(), text: format!("#! as: second\n#! claim: win\n{text}") };
    case.verify(game.as_ref(), false, repair)
}

#[test]
fn a_repair_that_no_text_can_state_is_refused() {
    // `##../....` would be a comment in a book.
    let refused = any_move("cram:4x2", "rule any move\n", Some(8)).unwrap_err();
    assert!(refused.message().unwrap().contains("`#` begins a comment"), "{refused:?}");
}

#[test]
fn a_sum_has_no_cells_and_a_text_no_control_characters() {
    for (text, why) in [
        ("rule a\n  prefer max column\n", "column"),
        ("rule a\u{1b}[2K\n", "a control character"),
        ("rule a\r  only wins\n", "a control character"),
    ] {
        let refused = any_move("sum:(kayles:9)+(nim:2)", text, None).unwrap_err();
        assert!(refused.message().unwrap().contains(why), "{text:?}: {refused:?}");
    }
}

/// A text for the board around a smaller one: the answer on the border, and these lines inside.
fn around(lines: &[&str]) -> String {
    let inside: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!(
        "rule answer\n  only answers(border)\nrule extend\n  on inner\n  only extends\n\
         rule inside\n  on inner\n  only inside\n{inside}"
    )
}

/// The verdict by a walk over all plays, without the argument about the board in the middle.
fn walked(game: &OrderChaos, text: &str) -> bool {
    let rules = Rules::new(game, &Text::parse(text).unwrap()).unwrap();
    let claim = verify::Claim { side: game.order(), least: Wdl::Win, root: game.start() };
    verify::holds(game, &rules, &claim, &Ctx::default()).unwrap()
}

/// Each position of 3 × 3 is met with thousands of borders around it.
const MOST_INSIDE: u64 = 400;

#[test]
fn a_text_that_wins_in_the_middle_wins_on_the_whole_board() {
    let steps = [
        "prefer completes",
        "prefer min cut",
        "prefer max line",
        "prefer max directions(1)",
        "prefer max open(1)",
        "prefer not corner",
        "only cut = 0",
        "prefer max threats",
        "prefer min distance(own)",
    ];
    let mut rng = Rng::new(3);
    let (mut won, mut lost) = (0, 0);
    for round in 0..60 {
        // 3 × 3 in 5 × 5, and 2 × 2 in 4 × 4, where the middle is won in many ways.
        let (size, order_first) = (if round % 4 == 0 { 5 } else { 4 }, round % 3 != 0);
        let begins = if order_first { "" } else { ",first=chaos" };
        let spelling = format!("order-chaos:{size}x{size},k={}{begins}", size - 1);
        let game = OrderChaos::new(size, size, size - 1, 2, order_first, Row::AtLeast);
        let lines: Vec<&str> = match round {
            0 => [&steps[..4], &["prefer min column", "prefer max row", "prefer min mark"]].concat(),
            _ => (0..1 + rng.below(3)).map(|_| steps[rng.below(steps.len())]).collect(),
        };
        let text = around(&lines);
        let case = Case { name: "around.rules".into(), text: format!("#! as: order\n#! claim: win\n{text}") };
        let entry = registry::standard().game(&spelling).unwrap();
        let report = case.verify(entry.as_ref(), false, None).unwrap();
        assert_eq!(report.by, Some("decomposition"), "{spelling}\n{text}");
        if !report.holds {
            assert!(report.shortest_counterexample.is_some(), "{spelling}\n{text}");
            lost += 1;
        } else if size == 4 || report.positions < MOST_INSIDE {
            assert!(walked(&game, &text), "{spelling}\n{text}");
            won += 1;
        }
    }
    assert!(won > 10 && lost > 3, "{won} {lost}");
}

#[test]
fn a_text_that_looks_at_the_border_is_walked() {
    for line in
        ["when any(completes)", "prefer lets-win", "prefer max mobility", "prefer min distance(last)", "on inner"]
    {
        assert_eq!(Text::parse(&around(&[line])).unwrap().lifted(), None, "{line}");
    }
    let early = around(&[]).replace("  only inside\n", "  prefer completes\n  only inside\n");
    assert_eq!(Text::parse(&early).unwrap().lifted(), None);
    assert!(Text::parse(&around(&[])).unwrap().lifted().is_some());
}
