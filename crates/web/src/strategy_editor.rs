//! Strategies as text, written next to the board: test, see the refutation, change a rule, test again.

use crate::app::{App, Metered};
use crate::charts;
use crate::job_kinds::{self, Verify};
use crate::play::Answer;
use agon_core::{Ctx, Stop};
use agon_registry::erased::{AnyGame, VerifyRequest};
use agon_report::FailureReport;
use agon_report::failure::Failure;
use axum::Json;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The longest test. A job has no such limit.
const TEST_TIME: Duration = Duration::from_secs(10);

/// The nodes of the first attempt: a fraction of a second.
const QUICK_NODES: u64 = 300_000;

/// Mistakes of a rule that are shown on the board.
const MISTAKES_SHOWN: usize = 3;

/// A list that every game understands.
const FIRST_GUESS: &str = "\
rule win
  only wins

rule do not lose at once
  only not lets-win

rule anything
";

/// Tests a strategy and answers with the fields of its report.
pub(crate) async fn tested(State(app): State<Arc<App>>, Json(mut asked): Json<Verify>) -> Answer {
    asked.all = true;
    let found = app.bounded(move |app, meter| job_kinds::verification(app, meter, &asked)).await?;
    let (game, pos, request) = found;
    let report = app.search(TEST_TIME, move |ctx| test(game.as_ref(), &pos, &request, ctx));
    Ok(Json(report.await?))
}

/// The report of a test, with the mistakes by the rule that made them.
///
/// A wrong text is refuted within few nodes, so a test begins with few: what they refute is refuted. Only a claim that
/// they do not decide is followed to its end.
fn test(game: &dyn AnyGame, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<Value, Failure> {
    let quick = if request.repair.is_some() { ctx.clone() } else { ctx.sub_budget(QUICK_NODES) };
    let mut report = match game.verify(pos, request, &quick) {
        Err(Failure::Stopped(Stop::Nodes)) => game.verify(pos, request, ctx)?.0,
        other => other?.0,
    };
    let mistakes = grouped(&report.failures.take().unwrap_or_default());
    report.losing = None;
    let mut answer = json!(report);
    answer["mistakes"] = mistakes;
    Ok(answer)
}

/// For each rule that made a mistake: how many, and the first ones with the lines that lead to them.
fn grouped(failures: &[FailureReport]) -> Value {
    let mut rules: Vec<&Option<String>> = Vec::new();
    for failure in failures {
        if !rules.contains(&&failure.reason) {
            rules.push(&failure.reason);
        }
    }
    let group = |rule: &Option<String>| {
        let of_rule = || failures.iter().filter(|failure| failure.reason == *rule);
        let shown = |failure: &FailureReport| json!({"moves": failure.line, "wrong": failure.wrong});
        let examples: Vec<Value> = of_rule().take(MISTAKES_SHOWN).map(shown).collect();
        json!({"rule": rule, "count": of_rule().count(), "examples": examples})
    };
    rules.into_iter().map(group).collect()
}

/// The editor and the place of its results.
pub(crate) fn editor(game: &Metered<'_>) -> Markup {
    let texts = texts(game);
    html! {
        section.workshop #workshop data-game=(game.spelling()) {
            form #draft {
                div.choices {
                    label { "Start from" select #from { @for (name, text) in &texts { option data-text=(text) { (name) } } } }
                    label { "Side" select name="side" { @for (word, name) in job_kinds::sides(game) { option value=(word) { (name) } } } }
                    label { "Claim" select name="claim" { option value="draw" { "at least a draw" } option value="win" { "a win" } } }
                }
                label.unseen for="rules" { "Rules" }
                textarea #rules name="text" rows="18" spellcheck="false" autocapitalize="off" aria-describedby="fault" { (FIRST_GUESS) }
                p.error #fault role="alert" hidden {}
                div.buttons {
                    button.main #test type="submit" title="Ctrl+Enter" { "Test" }
                    button #repair type="button" title="Find the fewest exceptions that make the claim hold, and write them into the text" { "Repair" }
                    button #as-job type="button" title="Test without a time limit, and write a certificate" { "Test as a job" }
                }
                (help(game))
            }
            div #tested aria-live="polite" {
                p.quiet-text #hint { "Press Test: agon plays your rules against every reply, follows every choice they leave open, and shows the shortest play that breaks the claim." }
                div #outcome hidden {
                    p.verdict #verdict {}
                    p.facts #counted {}
                    (charts::player("refutation", game.spelling(), "start", "", ""))
                    table #rule-table {}
                    table #mistakes {}
                    p.facts #response {}
                }
            }
        }
    }
}

/// Texts to start from, with their names.
fn texts(game: &Metered<'_>) -> Vec<(String, &'static str)> {
    let game_texts = game.offers().strategies.into_iter();
    let published = game_texts.filter_map(|s| Some((s.name.to_string(), game.strategy_text(s.name)?)));
    std::iter::once(("a first guess".to_string(), FIRST_GUESS)).chain(published).collect()
}

/// The language in a few lines, and all words for this game.
fn help(game: &Metered<'_>) -> Markup {
    html! {
        details.fold {
            summary { "The language" }
            p { "Rules are tried from the top. A rule narrows the legal moves; the first rule that leaves some decides, and agon follows every move it leaves." }
            ul.how {
                li { code { "rule NAME" } " begins a rule, and " code { "when CONDITION" } " says in which positions it applies." }
                li { code { "only WORD" } " keeps the moves for which the word is true; if there are none, the rule does not apply." }
                li { code { "prefer WORD" } ", " code { "prefer max WORD" } " and " code { "prefer min WORD" } " keep the best moves and always leave some." }
                li { "Conditions combine words with " code { "and" } ", " code { "or" } ", " code { "not" } " and comparisons such as " code { "marks >= 2" } "." }
                li { code { "# …" } " is a comment." }
            }
            h3 { "Words for this game" }
            dl.words { @for entry in game.strategy_words() { dt { code { (entry.word) } } dd { (entry.says) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Player, Wdl};
    use agon_registry::Registry;
    use agon_registry::erased::StrategyRequest;

    /// The test of a text for Order on 4 × 4, and the nodes that it took.
    fn tested_on_four(text: &str) -> (Value, u64) {
        let game = Registry::standard().game("order-chaos:4x4,k=4").unwrap();
        let request = VerifyRequest {
            strategy: StrategyRequest::written("your rules", text),
            side: Player::First,
            least: Wdl::Win,
            all: true,
            repair: None,
            certificate: false,
            listed: false,
        };
        let ctx = Ctx::default();
        (test(game.as_ref(), &game.start(), &request, &ctx).unwrap(), ctx.nodes())
    }

    #[test]
    fn a_wrong_text_on_four_by_four_takes_few_nodes_and_its_mistakes_are_grouped_by_rule() {
        // A million nodes take less than a second.
        let guess = "rule complete\n  only completes\nrule extend\n  prefer max line\n";
        for text in [FIRST_GUESS, guess] {
            let (answer, nodes) = tested_on_four(text);
            assert!(nodes <= 1_000_000, "{nodes} nodes");
            assert_eq!(answer["holds"], false);
            assert!(answer["shortest_counterexample"]["rule"].is_string(), "{answer}");
            let mistakes = answer["mistakes"].as_array().unwrap();
            assert!(!mistakes.is_empty() && answer.get("failures").is_none(), "{answer}");
            for group in mistakes {
                let (count, examples) = (group["count"].as_u64().unwrap(), group["examples"].as_array().unwrap());
                assert_eq!(examples.len() as u64, count.min(MISTAKES_SHOWN as u64));
                assert!(group["rule"].is_string() && examples[0]["wrong"].is_string(), "{group}");
            }
        }
    }

    #[test]
    fn every_game_understands_the_texts_to_start_from() {
        let (app, meter) = App::bare();
        for entry in Registry::standard().entries() {
            let game = app.game(&meter, &entry.facts.family).unwrap();
            for (name, text) in texts(&game) {
                let agent = game.unmetered().agent(&StrategyRequest::written(&name, text), 1);
                assert!(agent.is_ok(), "{name} on {}: {:?}", game.spelling(), agent.err());
            }
            assert!(game.strategy_words().iter().any(|entry| entry.word == "lets-win"), "{}", game.spelling());
        }
    }
}
