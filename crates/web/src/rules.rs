//! Illustrated rules, drawn from the game itself: the start, the effects of moves, the end.
//!
//! By default the pictures come from a few random games. A registry entry can name better examples; a test plays them all.

use crate::app::{App, Metered, REQUEST_BUDGET, RequestError};
use crate::draw::Played;
use agon_core::scene::{Board, Shape};
use agon_core::{Player, Rng};
use agon_registry::entry::{Entry, Example};
use agon_report::failure::Failure;
use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

fn line(game: &Metered<'_>, example: &Example) -> Result<Played, Failure> {
    let from = if example.from.is_empty() { game.start() } else { game.position(&example.from)? };
    let mut played = Played::at(from, "");
    for mv in example.moves.split_whitespace() {
        played.play(game, mv)?;
    }
    Ok(played)
}

/// A small board for the gallery.
pub(crate) fn thumbnail(app: &App, game: &Metered<'_>) -> String {
    let named = app.registry.entry(game.spelling()).map_or(&[][..], Entry::thumbnails);
    let named = named.iter().find(|example| example.game == game.spelling());
    let mut played = named.and_then(|example| line(game, example).ok()).unwrap_or_else(|| opening(game));
    played.path.clear();
    played.small(game).unwrap_or_default()
}

/// The start if it has pieces, else the position after a few random moves.
fn opening(game: &Metered<'_>) -> Played {
    let mut played = Played::at(game.start(), "");
    let Ok(scene) = game.scene(&played.pos) else { return played };
    if scene.places.iter().any(|place| !place.stack.is_empty()) {
        return played;
    }
    let mut rng = Rng::new(1);
    for _ in 0..(scene.places.len() / 2).min(6) {
        let mut next = played.clone();
        if random_step(game, &mut next, &mut rng).is_none() || game.moves(&next.pos).is_ok_and(|m| m.is_empty()) {
            break;
        }
        played = next;
    }
    played
}

fn random_step(game: &Metered<'_>, played: &mut Played, rng: &mut Rng) -> Option<String> {
    let moves = game.moves(&played.pos).ok()?;
    played.play(game, rng.pick(&moves)?).ok()
}

/// The effect of a move on the board: changes in the number of pieces by owner.
#[derive(Clone, Copy, PartialEq, Eq)]
struct MoveEffect {
    own: i64,
    other: i64,
    nobody: i64,
    tile: bool,
    heaps: bool,
    apart: bool,
}

fn effect(game: &Metered<'_>, before: &Played, after: &Played) -> Result<MoveEffect, Failure> {
    let mover = game.turn(&before.pos)?;
    let (was, is) = (game.scene(&before.pos)?, game.scene(&after.pos)?);
    let all = |scene: &agon_core::scene::Scene, owner: Option<Player>| {
        scene.places.iter().flat_map(|place| &place.stack).filter(|token| token.owner == owner).count() as i64
    };
    let change = |owner| all(&is, owner) - all(&was, owner);
    let tile = is.places.iter().flat_map(|place| &place.stack).any(|token| token.shape == Shape::Tile);
    let effect = MoveEffect {
        own: change(Some(mover)),
        other: change(Some(mover.other())),
        nobody: change(None),
        tile,
        // Long heaps are not drawn counter by counter.
        heaps: is.board == Board::Tray && !(is.rows.is_empty() && was.rows.is_empty()),
        apart: is.rows.len() > was.rows.len(),
    };
    Ok(effect)
}

fn words(effect: MoveEffect) -> &'static str {
    match effect {
        MoveEffect { tile: true, .. } => "places a tile",
        MoveEffect { heaps: true, apart: true, .. } => "splits a heap",
        MoveEffect { heaps: true, .. } => "takes counters",
        MoveEffect { nobody: 1.., .. } => "places a mark",
        MoveEffect { nobody: ..=-1, .. } => "takes counters",
        MoveEffect { own: 1.., other: ..=-1, .. } => "places a piece and captures one",
        MoveEffect { own: 1.., .. } => "places a piece",
        MoveEffect { other: 1.., .. } => "places a piece of the opponent",
        MoveEffect { other: ..=-1, .. } => "moves a piece and captures one",
        _ => "moves a piece",
    }
}

/// The number of random games, the most plies of each, and the most kinds of moves shown.
const SAMPLE_GAMES: u64 = 5;
const SAMPLE_PLIES: usize = 200;
const SHOWN_KINDS: usize = 3;

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Pictures from random games: the first move of each kind, and the shortest win.
fn found(game: &Metered<'_>) -> Result<Vec<(Played, String)>, Failure> {
    let mut kinds: Vec<(MoveEffect, Played, String)> = Vec::new();
    let mut won: Option<(usize, Played)> = None;
    for seed in 1..=SAMPLE_GAMES {
        let (mut played, mut rng) = (Played::at(game.start(), ""), Rng::new(seed));
        for ply in 0..SAMPLE_PLIES {
            // Half of the budget is reserved for drawing the pictures.
            if game.meter().used() > REQUEST_BUDGET / 2 {
                break;
            }
            let before = played.clone();
            let Some(mv) = random_step(game, &mut played, &mut rng) else { break };
            if kinds.len() < SHOWN_KINDS {
                let did = effect(game, &before, &played)?;
                if kinds.iter().all(|(known, _, _)| words(*known) != words(did)) {
                    let name = game.player_name(game.turn(&before.pos)?);
                    kinds.push((did, played.clone(), format!("{} {}: {mv}.", capital(&name), words(did))));
                }
            }
            if game.winner(&played.pos)?.is_some() {
                if won.as_ref().is_none_or(|(shortest, _)| ply < *shortest) {
                    won = Some((ply, played));
                }
                break;
            }
        }
    }
    let mut pictures: Vec<(Played, String)> = kinds.into_iter().map(|(_, played, says)| (played, says)).collect();
    if let Some((_, end)) = won {
        let says = ended(game, &end)?;
        let empty = game.scene(&end.pos)?.places.iter().all(|place| place.stack.is_empty());
        match pictures.last_mut().filter(|_| empty) {
            // An empty board makes no useful picture.
            Some((_, last)) => *last = format!("{last} {says}"),
            None => pictures.push((end, says)),
        }
    }
    Ok(pictures)
}

/// How a game ended that somebody won, in a sentence.
fn ended(game: &Metered<'_>, end: &Played) -> Result<String, Failure> {
    let winner =
        game.winner(&end.pos)?.map(|name| if name == Player::First.name() { Player::First } else { Player::Second });
    let turn = game.turn(&end.pos)?;
    let how = crate::play::how(game, &end.pos, &game.scene(&end.pos)?)?.unwrap_or_default();
    let name = |player: Player| game.player_name(player);
    Ok(match winner {
        Some(winner) if how == "no move" && winner != turn => {
            format!("In the end {} cannot move: {} wins.", name(turn), name(winner))
        }
        Some(winner) => format!("{} wins: {how}.", capital(&name(winner))),
        None => format!("{}: {how}.", capital(&game.status_text(&end.pos)?)),
    })
}

/// Every picture with its caption.
fn pictures(app: &App, game: &Metered<'_>) -> Result<Vec<Value>, Failure> {
    let examples = app.registry.entry(game.spelling()).map_or(&[][..], Entry::examples);
    let named: Vec<&Example> = examples.iter().filter(|example| example.game == game.spelling()).collect();
    let start = Played::at(game.start(), "");
    let begins = format!("The start: {} moves first.", game.player_name(game.turn(&start.pos)?));
    // An empty board shows nothing that the board of the page does not show.
    let empty = game.scene(&start.pos)?.places.iter().all(|place| place.stack.is_empty());
    let shown = if named.is_empty() {
        found(game)?
    } else {
        let each = named.into_iter().map(|example| Ok((line(game, example)?, example.says.to_string())));
        each.collect::<Result<Vec<_>, Failure>>()?
    };
    let all = (!empty || shown.is_empty()).then_some((start, begins)).into_iter().chain(shown);
    all.map(|(played, says)| Ok(json!({"svg": played.small(game)?, "says": says}))).collect()
}

#[derive(Deserialize)]
pub(crate) struct RulesQuery {
    game: String,
}

/// The pictures for the rules of a game.
pub(crate) async fn shown(
    State(app): State<Arc<App>>,
    Query(asked): Query<RulesQuery>,
) -> Result<Json<Value>, RequestError> {
    let shown = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let key = format!("rules {}", game.spelling());
        if let Some(known) = app.remembered(&key) {
            return Ok(known);
        }
        let answer = json!({"pictures": pictures(app, &game)?});
        app.remember(key, &answer);
        Ok(answer)
    });
    Ok(Json(shown.await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_can_be_played() {
        let (app, _) = App::bare();
        for example in app.registry.entries().flat_map(|entry| entry.examples().iter().chain(entry.thumbnails())) {
            let (_, meter) = App::bare();
            let game = app.game(&meter, &example.game).unwrap();
            assert_eq!(game.spelling(), example.game);
            let played = line(&game, example).unwrap_or_else(|e| panic!("{}: {e:?}", example.moves));
            let over = game.moves(&played.pos).unwrap().is_empty();
            let ends = ["win", "won", "draw"].iter().any(|word| example.says.contains(word));
            assert_eq!(over, ends, "{}: {}", example.game, example.says);
        }
    }

    #[test]
    fn the_rules_of_every_family_say_how_it_is_won() {
        let standard = agon_registry::standard();
        // The rules of a board from a file stand in the file.
        for entry in standard.entries().filter(|entry| entry.facts.family != "board") {
            let rules = &entry.facts.rules;
            let told = entry.rules(entry.build(&entry.facts.family).unwrap().spelling());
            assert!(
                !told.contains("k marks")
                    && !told.contains("k pieces")
                    && !told.contains("k equal")
                    && !told.contains(" n men"),
                "{told}"
            );
            assert!(!told.contains("The boards:") && told.len() <= rules.len() + 8, "{told}");
            assert!(["win", "lose"].iter().any(|word| rules.contains(word)), "{}: {rules}", entry.facts.family);
            // A card shows the whole sentence.
            assert!(entry.goal().len() <= 70 && entry.goal().ends_with('.'), "{}", entry.goal());
        }
    }

    #[test]
    fn every_family_has_pictures_of_its_rules() {
        for entry in agon_registry::standard().entries() {
            let (app, meter) = App::bare();
            let game = app.game(&meter, &entry.facts.family).unwrap();
            let all = pictures(&app, &game).unwrap();
            assert!(all.len() >= 2, "{}: {}", entry.facts.family, all.len());
            let captions: Vec<&str> = all.iter().filter_map(|picture| picture["says"].as_str()).collect();
            let ends = captions.iter().filter(|says| says.contains("win") || says.contains("lose")).count();
            assert!(ends > 0, "{}: no picture shows how the game is won: {captions:?}", entry.facts.family);
            assert!(captions.iter().all(|says| !says.contains("(line)")), "{captions:?}");
            assert!(all.iter().all(|p| p["svg"].as_str().unwrap().starts_with("<svg")), "{}", entry.facts.family);
            assert!(thumbnail(&app, &game).starts_with("<svg"), "{}", entry.facts.family);
        }
    }
}
