//! The puzzles room: positions with exactly one right move.

use crate::app::{App, Metered};
use crate::page;
use crate::play::{Answer, described, seconds, title};
use agon_core::{Ctx, Status};
use agon_registry::entry::Entry;
use agon_registry::erased::PuzzleRequest;
use agon_registry::record;
use agon_report::PuzzleKind;
use agon_report::failure::Failure;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::html;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// The time in which a puzzle is looked for, in seconds.
const PUZZLE_SECONDS: f64 = 20.0;
/// The most nodes for each position that is examined.
const PUZZLE_NODES: u64 = 200_000;

#[derive(Deserialize, Default)]
pub(crate) struct PuzzleQuery {
    #[serde(default)]
    game: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    seed: u64,
    seconds: Option<f64>,
    /// A game whose positions are puzzles: where it begins, and its moves.
    #[serde(default)]
    pos: String,
    #[serde(default)]
    moves: String,
}

impl PuzzleQuery {
    fn kind(&self) -> Result<PuzzleKind, Failure> {
        match self.kind.as_str() {
            "" | "win" => Ok(PuzzleKind::Win),
            "save" => Ok(PuzzleKind::Save),
            other => {
                let other = agon_core::family::shorten(other);
                Err(Failure::Usage(format!("invalid kind `{other}`: expected win or save")))
            }
        }
    }
}

/// The positions of a played game.
fn positions(game: &Metered<'_>, asked: &PuzzleQuery) -> Result<Vec<String>, Failure> {
    let mut pos = game.position(if asked.pos.is_empty() { "start" } else { &asked.pos })?;
    let mut line = vec![pos.clone()];
    for mv in record::list(game.unmetered().as_ref(), &asked.moves)? {
        pos = game.play(&pos, &mv)?.1;
        line.push(pos.clone());
    }
    // At the end there is nothing to find.
    line.retain(|pos| matches!(game.status(pos), Ok(Status::Turn(_))));
    Ok(line)
}

/// A puzzle, with its board.
pub(crate) async fn make(State(app): State<Arc<App>>, Query(asked): Query<PuzzleQuery>) -> Answer {
    let kind = asked.kind()?;
    let limit = seconds(asked.seconds, PUZZLE_SECONDS);
    let request = PuzzleRequest { kind, count: 1, seed: asked.seed, nodes: PUZZLE_NODES, positions: Vec::new() };
    let seed = asked.seed;
    let prepared = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let line = if asked.moves.is_empty() { Vec::new() } else { positions(&game, &asked)? };
        Ok((game.unmetered(), line))
    });
    let (game, line) = prepared.await?;
    let spelling = game.spelling().to_string();
    let puzzle = if line.is_empty() {
        let report = app.search(limit, move |ctx| game.puzzles(&request, ctx)).await?;
        let first = report.puzzles.into_iter().next();
        first.ok_or_else(|| Failure::Failed(format!("no such puzzle was found in {} games", report.plays)))?
    } else {
        let of_game = move |ctx: &Ctx| {
            let each = line.iter().filter_map(|pos| game.puzzle(pos, kind, &ctx.sub_budget(PUZZLE_NODES)).transpose());
            each.collect::<Result<Vec<_>, Failure>>()
        };
        let mut found = app.search(limit, of_game).await?;
        if found.is_empty() {
            return Err(Failure::Failed("no position of this game has exactly one such move".into()).into());
        }
        let count = found.len() as u64;
        found.swap_remove((seed % count) as usize)
    };
    let drawn = app.bounded(move |app, meter| {
        let node = described(&app.game(meter, &spelling)?, &puzzle.position)?;
        Ok(json!({"game": spelling, "puzzle": puzzle, "node": node}))
    });
    Ok(Json(drawn.await?))
}

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PuzzleQuery>) -> Response {
    let drawn = app.bounded(move |app, meter| {
        let game = app.game(meter, app.asked_for(&asked.game))?;
        let spelling = game.spelling().to_string();
        // Games in which puzzles are found quickly; any other can be named in the address.
        let mut games: Vec<&str> = app.registry.entries().flat_map(Entry::puzzles).map(String::as_str).collect();
        if !games.contains(&spelling.as_str()) {
            games.push(&spelling);
        }
        let named: Vec<(&str, String)> = games
            .into_iter()
            .filter_map(|game| {
                let built = app.game(meter, game).ok()?;
                let name = title(app, &built);
                Some((game, if game == name { name } else { format!("{name} ({game})") }))
            })
            .collect();
        let saves = asked.kind == "save";
        let body = html! {
            h1 { "Puzzles" }
            p { "Each position has exactly one right move; every other one is proven to be worse. Find it." }
            @if !asked.moves.is_empty() { p #of-game { "These are positions of the game that you played. " a href=(format!("/puzzles?game={}", crate::play::url(&spelling))) { "Other puzzles" } } }
            form.choose-game #choose {
                label { "Game" select name="game" { @for (game, name) in &named { option value=(game) selected[*game == spelling] { (name) } } } }
                label { "Goal" select name="kind" { option value="win" { "Find the only winning move" } option value="save" selected[saves] { "Find the only saving move" } } }
                button type="submit" { "New puzzle" }
            }
            div.puzzle #puzzle data-seed=(asked.seed) data-of=(spelling) data-pos=(asked.pos) data-moves=(asked.moves) {
                div {
                    p.status #status role="status" { "Looking for a puzzle …" }
                    figure.board-box #board {}
                }
                aside.fold {
                    p #about {}
                    p.lesson #answer aria-live="polite" hidden {}
                    div.buttons {
                        button #show type="button" disabled { "Show the move" }
                        button.main #next type="button" { "Next puzzle" }
                        a.button #open href="/" { "Open the board" }
                    }
                    p.facts #score {}
                }
            }
            p.notice #notice role="alert" hidden {}
            div.menu #menu role="menu" hidden {}
        };
        Ok(page::frame(app, "Puzzles", "/puzzles", &["puzzles.js"], body).into_response())
    });
    drawn.await.unwrap_or_else(|error| page::error(&app, &error))
}
