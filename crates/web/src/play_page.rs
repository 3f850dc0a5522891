//! The play page: the board, and the panel next to it.

use crate::app::{App, Metered};
use crate::page;
use crate::play::{PositionQuery, title, url};
use agon_core::scene::Sides;
use agon_core::{Kind, Player};
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// The page; `data` is the JSON that its script reads.
pub(crate) fn page(app: &App, game: &Metered<'_>, asked: &PositionQuery, node: &Value, data: &str) -> Markup {
    let bw = game.scene(&game.start()).is_ok_and(|scene| scene.sides == Sides::LightAndDark);
    html! {
        script #data type="application/json" { (PreEscaped(data)) }
        div.bench.bw[bw].nobody[nobody(game)] #bench {
            (stage(app, game, node))
            (panel(game, asked, node, crate::play::is_perfect(app, game)))
        }
        p.notice #notice role="alert" hidden {}
        (rules(app, game))
        (keys())
        div.menu #menu role="menu" hidden {}
    }
}

/// Returns whether the pieces belong to nobody, so that no colour stands for a side.
fn nobody(game: &Metered<'_>) -> bool {
    let start = game.start();
    let first = || game.moves(&start).ok()?.first().and_then(|mv| Some(game.play(&start, mv).ok()?.1));
    let owners = |pos: &str| -> Vec<Option<Player>> {
        let places = game.scene(pos).map(|scene| scene.places).unwrap_or_default();
        places.iter().flat_map(|place| place.stack.iter().map(|token| token.owner)).collect()
    };
    let mut all = owners(&start);
    if all.is_empty() {
        all = first().map(|next| owners(&next)).unwrap_or_default();
    }
    !all.is_empty() && all.iter().all(Option::is_none)
}

/// The board, and the buttons that step through the game.
fn stage(app: &App, game: &Metered<'_>, node: &Value) -> Markup {
    html! {
        section.stage aria-label="Board" {
            div.headline {
                h1 { (title(app, game)) " " small { code title="The code of this game, here and on the command line" { (game.spelling()) } } }
                button.quiet #show-rules type="button" popovertarget="rules" title="How to play, with pictures" { "Rules" }
                p.status #status { (node["status"].as_str().unwrap_or_default()) }
            }
            div.verdict-line {
                p #verdict {}
                button #why type="button" aria-expanded="false" aria-controls="why-box" title="Why this position is won, drawn or lost (W)" { "Why?" }
            }
            div.table #table {
            div.tray #tray-second hidden {}
            figure.board-box #board tabindex="-1" { (PreEscaped(node["svg"].as_str().unwrap_or_default())) }
            div.tray #tray-first hidden {}
            }
            div.captions {
                ul.caption #caption { @for line in node["caption"].as_array().into_iter().flatten() { li { (line.as_str().unwrap_or_default()) } } }
                ul.caption #nimbers aria-label="Nim-values of the parts" {}
            }
            pre.console #text hidden tabindex="0" aria-label="The board as text" { (node["text"].as_str().unwrap_or_default()) }
            div.controls role="toolbar" aria-label="Step through the game" {
                button #first type="button" title="Go to the start (Home)" aria-label="Go to the start" { "«" }
                button #back type="button" title="Previous move (←)" aria-label="Previous move" { "‹" }
                output #counter { "0" }
                button #forth type="button" title="Next move (→)" aria-label="Next move" { "›" }
                button #last type="button" title="Go to the end (End)" aria-label="Go to the end" { "»" }
                button #again type="button" title="Start a new game with the same players (N)" { "New game" }
                span.gap {}
                button #values type="button" aria-pressed="false" title="Show the value of each move: ▲ wins, ■ draws, ▼ loses, and in how many plies (V)" { "▲ Values" }
                button #hint type="button" title="Show a best move (H)" { "Hint" }
                button #flip type="button" title="Flip the board (F)" aria-label="Flip the board" { "⇋" }
                button #turn type="button" title="Rotate the board (R)" aria-label="Rotate the board" { "↻" }
                button #road type="button" aria-pressed="false" title="Show how far each side's roads reach (O)" hidden { "Roads" }
                button #console type="button" aria-pressed="false" title="Show the board as text, next to the picture or instead of it (C)" { "Text" }
            }
            ol.trace #trace aria-label="Positions of this game" {}
        }
    }
}

/// The players, the moves, and the foldable sections.
pub(crate) fn panel(game: &Metered<'_>, asked: &PositionQuery, node: &Value, perfect: bool) -> Markup {
    let names = Player::BOTH.map(|p| game.player_name(p));
    html! {
        aside.panel aria-label="Game" {
            (opponent(&names, perfect))
            (players(game, &names, perfect))
            div.machines #machines hidden role="toolbar" aria-label="Two computer players" {
                button #machine-run type="button" aria-pressed="true" title="Pause or resume (Space)" { "❚❚ Pause" }
                button #machine-step type="button" title="Play one move" { "Step" }
                label.time { "Speed" input #machine-speed type="range" min="0" max="4" step="1" value="2" aria-label="Speed"; }
            }
            section.fold.end-card #end hidden aria-label="The end of the game" {
                h2 #result {}
                p #ending {}
                div.buttons {
                    button.main #rematch type="button" { "Rematch" }
                    button #swap type="button" { "Swap sides" }
                    button #turning type="button" { "See where it turned" }
                    a.button #puzzles href="/puzzles" title="Positions of this game with exactly one right move" { "Puzzles of this game" }
                }
            }
            section.fold.why #why-box hidden aria-label="Why?" {}
            form.typed #typed autocomplete="off" {
                label.unseen for="move" { "Type a move" }
                input #move name="move" placeholder="Type a move, such as " spellcheck="false" autocapitalize="off";
                button type="submit" { "Play" }
            }
            section.fold #story {
                header { h2 { "Moves" }
                    label.time title="The time for finding the values of the moves" { "Time limit: " input #seconds type="number" min="0.1" max="60" step="0.1" value="2"; " s" } }
                div.moves #moves { noscript { (links(game, asked, node)) } }
                details.remark #remark hidden {
                    summary { "Comment, mark, promote or delete" }
                    label { span.unseen { "Comment on this move" } textarea #comment rows="2" placeholder="Comment on this move" {} }
                    div.buttons {
                        @for mark in ["!", "?", "!?", "?!"] { button.quiet.glyph-mark type="button" data-mark=(mark) aria-pressed="false" title=(format!("Mark this move {mark}")) { (mark) } }
                        button.quiet #promote type="button" title="Make this variation the main line" { "Make main line" }
                        button.quiet #delete type="button" title="Delete this move and all that follows" { "Delete from here" }
                    }
                }
                div #history {}
                div.learning {
                    p.lesson #lesson aria-live="polite" hidden {}
                    button #learn type="button" disabled title="Go to the first mistake and try again from there" { "Learn from your mistakes" }
                }
            }
            div.folds {
                details.fold open[no_clicks(node)] { summary { "Legal moves" } ul.legal #legal {} }
                details.fold #setup { summary { "Set up a position" } div #editor {} }
                (share(game))
                details.fold { summary { "Variants" } (variant(game)) }
                details.fold #log-box { summary { "Log" } ol.log #log {} }
                (more_links(game))
            }
        }
    }
}

/// Returns whether no move is made by clicking on the board, so that the list of moves is what a person needs.
fn no_clicks(node: &Value) -> bool {
    let moves = node["moves"].as_array();
    moves.is_some_and(|moves| {
        !moves.is_empty() && moves.iter().all(|mv| mv["path"].as_array().is_some_and(Vec::is_empty))
    })
}

/// Copying, saving and loading.
fn share(game: &Metered<'_>) -> Markup {
    html! {
        details.fold {
            summary { "Share & export" }
            div.rows {
                label { "Position" input #notation readonly; }
                div.buttons {
                    button #copy-pos type="button" { "Copy position" }
                    button #copy-line type="button" title="The whole game with its variations and comments" { "Copy game" }
                    button #copy-link type="button" title="The whole game, at this position" { "Copy link" }
                }
                div.buttons {
                    button #save type="button" { "Save game" }
                    a.button #picture href="#" download="board.svg" title="A picture for documents, sharp at any size" { "Download board (SVG)" }
                }
                dl.facts-list #tags hidden {}
                label { span { "Paste a game (moves or a saved game) or a position" @if let Some((short, name)) = game.record_notation() { ", also in " (page::term(&short.to_uppercase(), name)) } } textarea #paste rows="3" spellcheck="false" {} }
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
            @for p in &facts.params {
                label { (p.help)
                    @match &p.kind {
                        Kind::Word(words) => { select name=(p.name) data-default=(p.default) data-positional=(p.positional) {
                            @for word in words { option value=(word) selected[*word == p.default] { (word) } } } }
                        kind => { input name=(p.name) data-default=(p.default) data-positional=(p.positional) placeholder=(p.default) title=(kind.range()); }
                    }
                }
            }
            button type="submit" { "Play this" }
        }
        @if !facts.aliases.is_empty() {
            p { "Presets: " @for (alias, spelling) in &facts.aliases { a href=(format!("/g/{}", url(spelling))) { (alias) } " " } }
        }
    }
}

/// Links to the other pages for this game.
fn more_links(game: &Metered<'_>) -> Markup {
    let to = |room: &str| format!("/{room}?game={}", url(game.spelling()));
    html! {
        p.elsewhere {
            a href=(to("solve")) title="Find and prove who wins" { "Solve this game" }
            @if !game.offers().strategies.is_empty() { " · " a href=(to("strategies")) title="Test a strategy against every reply" { "Test a strategy" } }
            " · " a href=(to("arena")) title="Play computer players against each other" { "Run a tournament" }
        }
    }
}

/// The rules as a popover; its pictures are loaded when it opens.
fn rules(app: &App, game: &Metered<'_>) -> Markup {
    html! {
        div.rules-box #rules popover aria-label="Rules" {
            header { h2 { "How to play " (title(app, game)) }
                button.quiet type="button" popovertarget="rules" popovertargetaction="hide" title="Close (Escape)" aria-label="Close" { "✕" } }
            p { (app.registry.entry(game.spelling()).map_or_else(|| game.facts().rules.clone(), |entry| entry.rules(game.spelling()))) }
            ol.lessons #pictures {}
            h3 { "Controls" }
            ul.how {
                li { "Click a place to play there. If a move has several parts, click them one after another; Esc cancels." }
                li { "If a click could mean several moves, a menu lets you choose." }
                li { "Keyboard: Tab moves to the board, the arrow keys choose a place, Enter selects it. Outside the board, ← and → step through the game." }
                li { "Press ? for all keys." }
            }
        }
    }
}

/// The keys, shown by `?`.
fn keys() -> Markup {
    const KEYS: [(&str, &str); 16] = [
        ("← →", "previous and next move"),
        ("Home End", "start and end of the game"),
        ("Tab, arrows, Enter", "go to the board, choose a place, play there"),
        ("Enter again", "in Tak: a wall instead of the flat, then the capstone"),
        ("Esc", "cancel a half-made move"),
        ("Ctrl+Z", "take back"),
        ("N", "new game"),
        ("V", "values of the moves"),
        ("W", "why?"),
        ("H", "hint"),
        ("F", "flip the board"),
        ("R", "rotate the board"),
        ("O", "roads, in Tak"),
        ("C", "board as text"),
        ("Space", "with two computer players: pause or resume"),
        ("?", "these keys"),
    ];
    html! {
        div.rules-box #keys popover aria-label="Keys" {
            header { h2 { "Keys" } button.quiet type="button" popovertarget="keys" popovertargetaction="hide" title="Close (Escape)" aria-label="Close" { "✕" } }
            dl.keys { @for (key, does) in KEYS { dt { kbd { (key) } } dd { (does) } } }
        }
    }
}

/// The label of a player in the menu, and its description.
pub(crate) fn described(agent: &str) -> (&str, &'static str) {
    match agent {
        "human" => ("Human", "you, or another person at this screen"),
        "perfect" => ("Perfect", "plays proven moves; without a proof in time, the best move its search finds"),
        "negamax" => ("Search (negamax)", "searches as deep as the time allows and evaluates the positions it reaches"),
        "mcts" => ("Tree search (mcts)", "Monte Carlo tree search: random playouts, more of them for promising moves"),
        "mc" => ("Playouts (mc)", "random playouts, the same number for every move"),
        "weighted" => ("Weighted random (weighted)", "random moves, with a preference for moves that look good"),
        "random" => ("Random", "any legal move"),
        other => (other, ""),
    }
}

/// Opponents by strength, the easiest first. The last one plays as well as agon can.
pub(crate) const LEVELS: [(&str, &str); 5] = [
    ("level:1", "Level 1 (easiest)"),
    ("level:2", "Level 2"),
    ("level:3", "Level 3"),
    ("level:4", "Level 4"),
    ("level:5", "Level 5 (strongest)"),
];

/// The levels of a game, in which the strongest may be known to be perfect.
pub(crate) fn levels(perfect: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = move |(player, name)| (player, if perfect && player == "level:5" { "Level 5 (perfect)" } else { name });
    LEVELS.into_iter().map(named)
}

/// The first thing that a visitor may want: an opponent.
fn opponent(names: &[String; 2], perfect: bool) -> Markup {
    html! {
        form.fold.opponent #opponent aria-label="Play the computer" {
            label { "Play the computer" select #level aria-label="Level" { @for (player, about) in levels(perfect) { option value=(player) { (about) } } } }
            fieldset.sides { legend.unseen { "Your side" }
                @for (side, says) in [("first", names[0].as_str()), ("second", names[1].as_str()), ("random", "Random")] {
                    label { input type="radio" name="side" value=(side) checked[side == "first"]; span { (says) } }
                }
            }
            button.main type="submit" { "Play" }
        }
    }
}

fn players(game: &Metered<'_>, names: &[String; 2], perfect: bool) -> Markup {
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
                            optgroup label="Computer" { @for (player, about) in levels(perfect) { option value=(player) { (about) } } }
                            optgroup label="Methods" {
                                @for agent in agents().rev().filter(|agent| !agent.contains(':')) {
                                    @let (label, means) = described(agent);
                                    option value=(agent) title=(means) { (label) }
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
                    label.time title="Seconds per move" hidden { input data-seconds=(side) type="number" min="0.1" max="60" step="0.1" value="2" aria-label=(format!("Seconds per move for {name}")); "s" }
                }
            }
        }
    }
}

/// The most bytes of all links together.
const LINK_BYTES: usize = 1 << 20;

/// Every move as a link, for browsers without scripts.
fn links(game: &Metered<'_>, asked: &PositionQuery, node: &Value) -> Markup {
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
