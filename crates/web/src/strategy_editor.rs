//! Strategies as text, written next to the board: test, see the refutation, change a rule, test again.

use crate::app::{App, Metered};
use crate::charts;
use crate::job_kinds::{self, Verify};
use crate::play::Answer;
use axum::Json;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// The longest test. A job has no such limit.
const TEST_TIME: Duration = Duration::from_secs(10);

/// A list that every game understands.
const FIRST_GUESS: &str = "\
rule win
  only wins

rule do not lose at once
  only not lets-win

rule anything
";

/// Tests a strategy and answers with the fields of its report.
pub(crate) async fn tested(State(app): State<Arc<App>>, Json(asked): Json<Verify>) -> Answer {
    let found = app.bounded(move |app, meter| job_kinds::verification(app, meter, &asked)).await?;
    let (game, pos, request) = found;
    let report = app.search(TEST_TIME, move |ctx| Ok(json!(game.verify(&pos, &request, ctx)?.0)));
    Ok(Json(report.await?))
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
    use agon_registry::Registry;
    use agon_registry::erased::StrategyRequest;

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
