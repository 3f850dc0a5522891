//! The page on which one plays: the board, and the panel beside it.

use crate::app::{App, Metered};
use crate::page;
use crate::play::{Asked, title, url};
use agon_core::{Kind, Player};
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// The page, with what its script needs to know as `data`.
pub(crate) fn page(app: &App, game: &Metered<'_>, asked: &Asked, node: &Value, data: &str) -> Markup {
    let bw = node["svg"].as_str().is_some_and(|svg| svg.contains("class=\"board bw\""));
    html! {
        script #data type="application/json" { (PreEscaped(data)) }
        div.bench.bw[bw] #bench {
            (stage(app, game, node))
            (panel(game, asked, node))
        }
        p.notice #notice role="alert" hidden {}
        (rules(app, game))
        div.menu #menu role="menu" hidden {}
    }
}

/// The board, and what goes through the game.
fn stage(app: &App, game: &Metered<'_>, node: &Value) -> Markup {
    html! {
        section.stage aria-label="Board" {
            div.headline {
                h1 { (title(app, game)) " " small { code title="How this game is spelled, here and on the command line" { (game.spelling()) } } }
                button.quiet #show-rules type="button" popovertarget="rules" title="How it is played, with pictures" { "Rules" }
                p.status #status { (node["status"].as_str().unwrap_or_default()) }
            }
            figure.board-box #board { (PreEscaped(node["svg"].as_str().unwrap_or_default())) }
            ul.caption #caption { @for line in node["caption"].as_array().into_iter().flatten() { li { (line.as_str().unwrap_or_default()) } } }
            pre.console #text hidden tabindex="0" aria-label="The board as text" { (node["text"].as_str().unwrap_or_default()) }
            div.controls role="toolbar" aria-label="Go through the game" {
                button #first type="button" title="To the beginning (Home)" aria-label="To the beginning" { "«" }
                button #back type="button" title="Take back (←)" aria-label="Take back" { "‹" }
                output #counter { "0" }
                button #forth type="button" title="Play again (→)" aria-label="Play again" { "›" }
                button #last type="button" title="To the end (End)" aria-label="To the end" { "»" }
                button #again type="button" title="Begin again, with the same players (N)" { "New game" }
                span.gap {}
                button #values type="button" aria-pressed="false" title="What each move is worth: ▲ wins, ■ draws, ▼ loses, and in how many plies (V)" { "▲ Values" }
                button #hint type="button" title="Show a best move (H)" { "Hint" }
                button #flip type="button" title="Mirror the board (F)" aria-label="Mirror the board" { "⇋" }
                button #turn type="button" title="Turn the board (R)" aria-label="Turn the board" { "↻" }
                button #console type="button" aria-pressed="false" title="The board as text, beside the picture or instead of it (C)" { "Text" }
            }
            ol.trace #trace aria-label="Every position of this game" {}
        }
    }
}

/// Who plays, the moves, and everything that folds away.
pub(crate) fn panel(game: &Metered<'_>, asked: &Asked, node: &Value) -> Markup {
    let names = Player::BOTH.map(|p| game.player_name(p));
    html! {
        aside.panel aria-label="Game" {
            (players(game, &names))
            form.typed #typed autocomplete="off" {
                label.unseen for="move" { "Type a move" }
                input #move name="move" placeholder="type a move, like " spellcheck="false" autocapitalize="off";
                button type="submit" { "Play" }
            }
            section.fold #story {
                header { h2 { "Moves" }
                    label.time title="Time to find out what moves are worth" { "Values in " input #seconds type="number" min="0.1" max="60" step="0.1" value="2"; " s" } }
                div.moves #moves { noscript { (links(game, asked, node)) } }
                div #history hidden {}
                p.lesson #lesson aria-live="polite" hidden {}
                button #learn type="button" disabled title="Goes to the first move that gave the game away, and lets you try again" { "Learn from your mistakes" }
            }
            div.folds {
                details.fold open[no_clicks(node)] { summary { "What can be played" } ul.legal #legal {} }
                details.fold #setup { summary { "Set up a position" } div #editor {} }
                (share())
                details.fold { summary { "Another board, other rules" } (variant(game)) }
                details.fold #log-box { summary { "Log" } ol.log #log {} }
                (elsewhere(game))
            }
        }
    }
}

/// Whether no move is made by clicking on the board, so that the list of moves is what a person needs.
fn no_clicks(node: &Value) -> bool {
    let moves = node["moves"].as_array();
    moves.is_some_and(|moves| moves.iter().all(|mv| mv["path"].as_array().is_some_and(Vec::is_empty)))
}

/// Copying, saving and loading.
fn share() -> Markup {
    html! {
        details.fold {
            summary { "Share and keep" }
            div.rows {
                label { "Position" input #notation readonly; }
                div.buttons {
                    button #copy-pos type="button" { "Copy position" }
                    button #copy-line type="button" { "Copy moves" }
                    button #copy-link type="button" { "Copy link" }
                }
                div.buttons {
                    button #save type="button" { "Save game" }
                    a.button #picture href="#" download="board.svg" title="A drawing for documents, sharp at any size" { "Board as SVG" }
                }
                label { span { "Paste a game: moves, a saved game, or " (page::term("PTN", "Portable Tak Notation, how games of Tak are written down")) } textarea #paste rows="3" spellcheck="false" {} }
                button #load type="button" { "Load" }
            }
        }
    }
}

/// A form for every parameter of the family.
fn variant(game: &Metered<'_>) -> Markup {
    let facts = game.facts();
    html! {
        form.variant #variant data-family=(facts.family) {
            @for p in facts.params {
                label { (p.help)
                    @match p.kind {
                        Kind::Word(words) => { select name=(p.name) data-default=(p.default) data-positional=(p.positional) {
                            @for word in words { option value=(word) selected[*word == p.default] { (word) } } } }
                        kind => { input name=(p.name) data-default=(p.default) data-positional=(p.positional) placeholder=(p.default) title=(kind.range()); }
                    }
                }
            }
            button type="submit" { "Play that" }
        }
        @if !facts.aliases.is_empty() {
            p { "Known ones: " @for (alias, spelling) in facts.aliases { a href=(format!("/g/{}", url(spelling))) { (alias) } " " } }
        }
    }
}

/// What else can be done with the game.
fn elsewhere(game: &Metered<'_>) -> Markup {
    let to = |room: &str| format!("/{room}?game={}", url(game.spelling()));
    html! {
        p.elsewhere {
            a href=(to("solve")) title="Find and prove who wins" { "Solve this game" }
            @if !game.offers().strategies.is_empty() { " · " a href=(to("strategies")) title="Test a strategy against every reply" { "Test a strategy" } }
            " · " a href=(to("arena")) title="Let players meet" { "Hold a tournament" }
        }
    }
}

/// How it is played: shown over the page, the pictures when it is opened.
fn rules(app: &App, game: &Metered<'_>) -> Markup {
    html! {
        div.rules-box #rules popover aria-label="Rules" {
            header { h2 { "How " (title(app, game)) " is played" }
                button.quiet type="button" popovertarget="rules" popovertargetaction="hide" title="Close (Escape)" aria-label="Close" { "✕" } }
            p { (game.facts().rules) }
            ol.lessons #pictures {}
            h3 { "At this board" }
            ul.how {
                li { "Click a place to play there; where a move has several parts, click them one after the other. Escape begins again." }
                li { "If a click could mean several moves, a small menu asks which." }
                li { "With the keyboard: Tab to the board, arrows to a place, Enter to choose; outside the board ← and → go through the game." }
                li { "Keys: V values, H hint, F mirrors, R turns, C text, N new game." }
            }
        }
    }
}

/// Players by what they do. `skill` plays the best move as often as it says, else any.
fn described(agent: &str) -> (&str, &'static str) {
    match agent {
        "human" => ("a person", "somebody who clicks"),
        "perfect" => ("perfect", "plays proven moves, and without a proof in time what its search finds"),
        "negamax" => ("looks ahead (negamax)", "searches as deep as time allows and judges the positions there"),
        "mcts" => ("tries games out (mcts)", "plays games out at random, the promising moves more often"),
        "mc" => ("tries moves out (mc)", "plays games out at random, every move equally often"),
        "weighted" => ("half blind (weighted)", "random, but prefers moves that look good"),
        "random" => ("blind (random)", "any legal move"),
        other => (other, ""),
    }
}

fn players(game: &Metered<'_>, names: &[String; 2]) -> Markup {
    let offers = game.offers();
    let agents = || offers.agents.iter().filter(|agent| **agent != "human");
    html! {
        div.players {
            @for (side, name) in names.iter().enumerate() {
                @let word = if side == 0 { "first" } else { "second" };
                div.player data-side=(word) {
                    span.chip.(word) aria-hidden="true" {}
                    label { span.name { (name) }
                        select data-player=(side) aria-label=(format!("Who plays {name}")) {
                            option value="human" title=(described("human").1) { (described("human").0) }
                            optgroup label="Players" {
                                @for agent in agents().rev().filter(|agent| !agent.contains(':')) {
                                    @let (label, means) = described(agent);
                                    option value=(agent) title=(means) { (label) }
                                }
                            }
                            @if agents().any(|agent| *agent == "skill:P") {
                                optgroup label="Perfect, now and then" {
                                    @for (p, about) in [("0.9", "strong: 9 moves of 10"), ("0.7", "fair: 7 of 10"), ("0.4", "weak: 4 of 10")] {
                                        option value=(format!("skill:{p}")) { (about) }
                                    }
                                }
                            }
                            @if !offers.strategies.is_empty() {
                                optgroup label="Strategies" {
                                    @for strategy in &offers.strategies {
                                        @for reading in strategy.readings.iter().take(if strategy.readings.len() > 1 { usize::MAX } else { 0 }) {
                                            option value=(format!("{}:{reading}", strategy.name)) title=(strategy.about) { (strategy.name) ":" (reading) }
                                        }
                                        @if strategy.readings.len() <= 1 { option value=(strategy.name) title=(strategy.about) { (strategy.name) } }
                                    }
                                }
                            }
                        }
                    }
                    label.time title="Seconds for a move" hidden { input data-seconds=(side) type="number" min="0.1" max="60" step="0.1" value="2" aria-label=(format!("Seconds a move for {name}")); "s" }
                }
            }
        }
    }
}

/// Bytes of all links together.
const LINK_BYTES: usize = 1 << 20;

/// For browsers without scripts: every move is a link.
fn links(game: &Metered<'_>, asked: &Asked, node: &Value) -> Markup {
    // Every link repeats the game, the position and the whole line.
    let (line, between) = (asked.moves.trim(), if asked.moves.trim().is_empty() { "" } else { "%20" });
    let begin = format!("/g/{}?pos={}&moves={}{between}", url(game.spelling()), url(&asked.pos), url(line));
    let moves = node["moves"].as_array().into_iter().flatten().filter_map(|mv| mv["mv"].as_str());
    let mut bytes = 0;
    let links = moves.map(|mv| (format!("{begin}{}", url(mv)), mv)).take_while(|(link, _)| {
        bytes += link.len();
        bytes <= LINK_BYTES
    });
    html! {
        ul.legal { @for (link, mv) in links { li { a href=(link) { (mv) } } } }
    }
}
