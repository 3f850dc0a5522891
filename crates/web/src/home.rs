//! The gallery of games.

use crate::app::{App, Meter, Metered, RequestError};
use crate::page;
use crate::play::{is_perfect, title, url};
use crate::play_page::levels;
use crate::rules::thumbnail;
use agon_core::{Ctx, Player, Wdl};
use agon_registry::entry::{Entry, Group};
use agon_registry::erased::{AnyGame, SolveRequest};
use agon_report::failure::Failure;
use agon_report::words::counted;
use agon_solve::count::Limits;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::IntoResponse as _;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The node limits for the facts on a card: the value, and the number of positions.
const VALUE_NODES: u64 = 2_000_000;
const SIZE_NODES: u64 = 1_000_000;
/// The time limit for each of the two.
const KNOWN_TIME: Duration = Duration::from_secs(3);
/// Positions are counted only if the start has at most this many moves; each position counts as one node.
const COUNTED_MOVES: u64 = 1000;
/// The memory limit for both, in bytes.
const KNOWN_MEMORY: usize = 256 << 20;

pub(crate) async fn page(State(app): State<Arc<App>>) -> Response {
    let drawn = app.bounded(|app, meter| Ok(gallery(app, meter))).await;
    drawn.unwrap_or_else(|error| page::error(&app, &error))
}

fn gallery(app: &App, meter: &Meter) -> Response {
    let built = app.registry.entries().filter_map(|entry| app.game(meter, &entry.facts.family).ok());
    let games: Vec<Metered<'_>> = built.collect();
    let of =
        |group: Group| games.iter().filter(move |game| entry_of(app, game).is_some_and(|entry| entry.group() == group));
    let groups = Group::ALL.into_iter().filter(|group| of(*group).next().is_some());
    let body = html! {
        section.hero {
            div.welcome {
                h1 { "Play, and see why" }
                p { "Play against the computer, see why a move wins or loses, solve a game, check the proof." }
                p { "Your move: click a cell to play against an easy opponent, or choose one:" }
                (easy(app, meter))
            }
            (featured(app, meter))
        }
        section.find {
            h2.unseen { "All games" }
            label.search { span.unseen { "Search games" } input #search type="search" placeholder="Search: tak, morris, nim …" autocomplete="off"; }
        }
        section #continue { h2 { "Continue where you left off" } ul.recent #recent {} }
        div #gallery {
            @for group in groups {
                section.group {
                    h2 { (group.title()) }
                    ul.gallery { @for game in of(group) { (card(app, game)) } }
                }
            }
        }
        p.nothing #nothing role="status" hidden {}
    };
    page::frame(app, "Games", "/", &["home.js"], body).into_response()
}

fn card(app: &App, game: &Metered<'_>) -> Markup {
    let (facts, entry) = (game.facts(), entry_of(app, game));
    let address = format!("/g/{}", url(game.spelling()));
    let aliases: Vec<&str> = facts.aliases.iter().map(|(alias, _)| alias.as_str()).collect();
    let words = format!("{} {} {} {}", facts.family, facts.title, title(app, game), aliases.join(" ")).to_lowercase();
    html! {
        li.card data-words=(words) {
            a.look href=(address) title=(entry.map_or_else(|| facts.rules.clone(), |entry| entry.rules(game.spelling()))) {
                span.thumb aria-hidden="true" { (PreEscaped(thumbnail(app, game))) }
                strong { (title(app, game)) }
                span.rules { (entry.map_or("", Entry::goal)) }
            }
            a.button.main.play href=(format!("{address}?second={}", url(EASIEST))) data-game=(game.spelling()) { "Play" span.unseen { " " (title(app, game)) " against the computer" } }
            p.known data-game=(game.spelling()) { span.fact { "…" } span.source {} span.size title="positions that can be reached, symmetric ones counted apart" {} code { (game.spelling()) } }
        }
    }
}

fn entry_of<'a>(app: &'a App, game: &Metered<'_>) -> Option<&'a Entry> {
    app.registry.entry(game.spelling())
}

/// The opponent of a first game.
const EASIEST: &str = "level:2";

/// A board that plays: each cell links to the game after that move, against an easy computer player.
fn featured(app: &App, meter: &Meter) -> Markup {
    let Ok(game) = app.game(meter, app.asked_for("")) else { return html! {} };
    let address = |mv: &str| format!("/g/{}?moves={}&second={}", url(game.spelling()), url(mv), url(EASIEST));
    let (Ok(scene), Ok(view)) = (game.scene(&game.start()), game.look(&game.start(), usize::MAX)) else {
        return html! {};
    };
    let moves: Vec<Value> = view
        .moves
        .iter()
        .map(|(mv, path)| json!({"place": path.first(), "move": mv, "address": address(mv)}))
        .collect();
    html! {
        figure.featured #featured data-moves=(json!(moves)) aria-label=(title(app, &game)) { (PreEscaped(scene.svg_in_page())) }
    }
}

/// The levels of the game at the front door.
fn easy(app: &App, meter: &Meter) -> Markup {
    let Ok(game) = app.game(meter, app.asked_for("")) else { return html! {} };
    html! {
        div.buttons {
            @for (level, name) in levels(is_perfect(app, &game)) {
                a.button.main[level == EASIEST] data-level=(level) href=(format!("/g/{}?second={}", url(game.spelling()), url(level))) { (name) }
            }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct FindQuery {
    #[serde(default)]
    name: String,
}

/// The game that a name means, or what is nearest to it.
pub(crate) async fn find(
    State(app): State<Arc<App>>,
    Query(asked): Query<FindQuery>,
) -> Result<Json<Value>, RequestError> {
    let found = app.bounded(move |app, meter| {
        let name = asked.name.trim();
        Ok(match app.game(meter, name) {
            Ok(game) => json!({"game": game.spelling(), "title": title(app, &game), "elsewhere": false}),
            Err(failure) => {
                let why = failure.message().unwrap_or_default();
                // The message repeats what was typed; the page shows only what would do.
                let says = why.split_once("`: ").map_or(why.as_str(), |(_, says)| says);
                let named: Vec<&str> = says
                    .split(|c: char| c.is_whitespace() || matches!(c, '?' | ';' | '('))
                    .map(|word| word.trim_end_matches(','))
                    .filter(|word| word.len() > 2 && app.registry.game(word).is_ok())
                    .collect();
                json!({"game": null, "why": says, "nearest": named, "elsewhere": app.registry.elsewhere(name).is_some()})
            }
        })
    });
    Ok(Json(found.await?))
}

#[derive(Deserialize)]
pub(crate) struct KnownQuery {
    game: String,
    /// True for what is found at once; the page asks again for the rest.
    #[serde(default)]
    quick: bool,
}

/// The part of the work that a quick answer may take.
const QUICK_SHARE: u64 = 40;

/// The facts that can be found quickly: the value of the start and the number of positions.
pub(crate) async fn known(
    State(app): State<Arc<App>>,
    Query(asked): Query<KnownQuery>,
) -> Result<Json<Value>, RequestError> {
    let asked_quick = asked.quick;
    let built = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let moves = game.count_moves(&game.start())?;
        Ok((game.unmetered(), moves))
    });
    let (game, moves) = built.await?;
    let key = format!("known {}", game.spelling());
    if let Some(known) = app.remembered(&key) {
        return Ok(Json(known));
    }
    let (solved, sized) = (game.clone(), game.clone());
    let share = if asked_quick { QUICK_SHARE } else { 1 };
    let value = app.search(KNOWN_TIME, move |ctx| value_of(solved.as_ref(), &ctx.sub_budget(VALUE_NODES / share)));
    let value = value.await.ok().flatten();
    let recorded = app.registry.known(game.spelling());
    let (value, text, source) = match (value, recorded) {
        (Some((value, text)), _) => (Some(value), text, "proved here just now"),
        (None, Some(known)) => {
            (Some(known.value), format!("{} {}", sign(known.value), known.says), known.source.as_str())
        }
        (None, None) => (None, "not solved yet".to_string(), ""),
    };
    let size = if moves <= COUNTED_MOVES {
        let size = app.search(KNOWN_TIME, move |ctx| size_of(sized.as_ref(), &ctx.sub_budget(SIZE_NODES / share)));
        size.await.unwrap_or_default()
    } else {
        String::new()
    };
    // A short search may miss what a longer one finds.
    let complete = !asked_quick || value.is_some() && !size.is_empty();
    let answer =
        json!({"value": value.map(Wdl::name), "text": text, "source": source, "size": size, "complete": complete});
    if complete {
        app.remember(key, &answer);
    }
    Ok(Json(answer))
}

fn sign(value: Wdl) -> char {
    match value {
        Wdl::Win => '▲',
        Wdl::Draw => '■',
        Wdl::Loss => '▼',
    }
}

/// The value for the first player, and its description; `None` if it is not found.
fn value_of(game: &dyn AnyGame, ctx: &Ctx) -> Result<Option<(Wdl, String)>, Failure> {
    let (report, _) = game.solve(&game.start(), &SolveRequest::plain(KNOWN_MEMORY as u64), ctx)?;
    let Some(value) = [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|value| value.name() == report.value) else {
        return Ok(None);
    };
    let words = match value {
        Wdl::Draw => "a draw".to_string(),
        value => {
            let winner = Player::BOTH[usize::from(value == Wdl::Loss)];
            format!("{} wins", game.player_name(winner))
        }
    };
    let plies = report.plies.filter(|_| value != Wdl::Draw).map_or(String::new(), |n| format!(" in {n}"));
    Ok(Some((value, format!("{} {words}{plies}", sign(value)))))
}

/// The number of positions in words; nothing if they are too many to count quickly.
fn size_of(game: &dyn AnyGame, ctx: &Ctx) -> Result<String, Failure> {
    let limits = Limits { plies: u32::MAX, bytes: KNOWN_MEMORY / 4, up_to_symmetry: false };
    let report = game.count(&game.start(), limits, ctx)?;
    let counts = report.counts();
    let whole = counts.closed || (counts.complete && counts.cut.is_none());
    Ok(if whole { counted(counts.positions.0, "position") } else { String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_registry as registry;

    #[test]
    fn recorded_values_belong_to_games_of_the_gallery() {
        for entry in registry::standard().entries() {
            let shown = entry.build(&entry.facts.family).unwrap().spelling().to_string();
            for known in entry.known() {
                let game = entry.build(&known.game).unwrap();
                assert_eq!((game.spelling(), &known.game), (known.game.as_str(), &shown));
                let name = game.player_name(Player::BOTH[usize::from(known.value == Wdl::Loss)]);
                assert!(known.value == Wdl::Draw || known.says.starts_with(&name), "{}", known.game);
            }
        }
    }

    #[test]
    fn value_and_size_of_a_small_game() {
        let game = registry::standard().game("tic-tac-toe").unwrap();
        assert_eq!(value_of(game.as_ref(), &Ctx::default()).unwrap(), Some((Wdl::Draw, "■ a draw".into())));
        // 5,478 positions, the empty board included.
        assert_eq!(size_of(game.as_ref(), &Ctx::default()).unwrap(), "5,478 positions");
        let game = registry::standard().game("nim").unwrap();
        assert_eq!(value_of(game.as_ref(), &Ctx::default()).unwrap().map(|known| known.0), Some(Wdl::Win));
        // Positions that were not all counted say nothing about how many there are.
        let game = registry::standard().game("connect-four").unwrap();
        assert_eq!(size_of(game.as_ref(), &Ctx::default().with_budget(20_000)).unwrap_or_default(), "");
    }
}
