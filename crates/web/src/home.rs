//! The gallery of games.

use crate::app::{App, Meter, Metered, RequestError};
use crate::page;
use crate::play::{title, url};
use crate::rules::thumbnail;
use agon_core::{Ctx, Player, Wdl};
use agon_registry::erased::{AnyGame, SolveRequest};
use agon_report::failure::Failure;
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
    let body = html! {
        section.hero {
            h1 { "Choose a game" }
            p { "Play it, see why a move wins, solve it, check the proof." }
            label.search { span.unseen { "Search games" } input #search type="search" placeholder="Search: tak, morris, nim …" autocomplete="off"; }
        }
        section #continue { h2 { "Continue where you left off" } ul.recent #recent {} }
        ul.gallery #gallery { @for game in &games { (card(app, game)) } }
        p.nothing #nothing hidden { "No match. Try a name, or enter a code such as mnk:4,4,3 and press Enter." }
    };
    page::frame(app, "Games", "/", &["home.js"], body).into_response()
}

fn card(app: &App, game: &Metered<'_>) -> Markup {
    let facts = game.facts();
    let aliases: Vec<&str> = facts.aliases.iter().map(|(alias, _)| alias.as_str()).collect();
    let words = format!("{} {} {} {}", facts.family, facts.title, aliases.join(" "), facts.rules).to_lowercase();
    html! {
        li.card data-words=(words) {
            a href=(format!("/g/{}", url(game.spelling()))) {
                span.thumb aria-hidden="true" { (PreEscaped(thumbnail(app, game))) }
                strong { (title(app, game)) }
                span.rules { (facts.rules) }
            }
            p.known data-game=(game.spelling()) { span.fact { "…" } span.size {} code { (game.spelling()) } }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct KnownQuery {
    game: String,
}

/// The facts that can be found quickly: the value of the start and the number of positions.
pub(crate) async fn known(
    State(app): State<Arc<App>>,
    Query(asked): Query<KnownQuery>,
) -> Result<Json<Value>, RequestError> {
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
    let value = app.search(KNOWN_TIME, move |ctx| value_of(solved.as_ref(), &ctx.sub_budget(VALUE_NODES)));
    let value = value.await.ok().flatten();
    let recorded = app.registry.known(game.spelling());
    let (value, text, source) = match (value, recorded) {
        (Some((value, text)), _) => (Some(value), text, "solved just now on this machine"),
        (None, Some(known)) => {
            (Some(known.value), format!("{} {}", sign(known.value), known.says), known.source.as_str())
        }
        (None, None) => (None, "not solved yet".to_string(), "no quick answer: try Solve"),
    };
    let size = if moves <= COUNTED_MOVES {
        let size = app.search(KNOWN_TIME, move |ctx| size_of(sized.as_ref(), &ctx.sub_budget(SIZE_NODES)));
        size.await.unwrap_or_default()
    } else {
        String::new()
    };
    let answer = json!({"value": value.map(Wdl::name), "text": text, "source": source, "size": size});
    app.remember(key, &answer);
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

/// The number of positions, or a lower bound, in words.
fn size_of(game: &dyn AnyGame, ctx: &Ctx) -> Result<String, Failure> {
    let limits = Limits { plies: u32::MAX, bytes: KNOWN_MEMORY / 4, up_to_symmetry: false };
    let report = game.count(&game.start(), limits, ctx)?;
    let counts = report.counts();
    let whole = counts.closed || (counts.complete && counts.cut.is_none());
    Ok(match (whole, counts.positions.0) {
        (true, 1) => "1 position".to_string(),
        (true, n) => format!("{} positions", grouped(n)),
        (false, 0..1000) => String::new(),
        (false, n) => format!("over {} positions", grouped(rounded(n))),
    })
}

/// Rounds down to two significant digits.
fn rounded(n: u64) -> u64 {
    let scale = 10u64.pow(n.max(10).ilog10() - 1);
    n / scale * scale
}

/// `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap_or("")).collect();
    parts.join(",")
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
        assert_eq!((rounded(1_278_901), grouped(1_200_000)), (1_200_000, "1,200,000".into()));
        assert_eq!((rounded(7), grouped(7)), (7, "7".into()));
    }
}
