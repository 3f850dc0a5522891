//! The rules of a game with pictures, drawn from the game itself: how it begins, what its moves do, how it ends.
//!
//! Every game gets them from a few games played at random. Where that says too little, examples are named here; a test
//! plays them all.

use crate::app::{App, Metered, Trouble, UNITS};
use crate::draw::Played;
use agon_core::Player;
use agon_core::scene::Shape;
use agon_edge::failure::Failure;
use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// A line of play worth a picture.
struct Example {
    game: &'static str,
    /// Where it begins; empty for the start.
    from: &'static str,
    moves: &'static str,
    says: &'static str,
}

const fn example(game: &'static str, from: &'static str, moves: &'static str, says: &'static str) -> Example {
    Example { game, from, moves, says }
}

const EXAMPLES: &[Example] = &[
    example("mnk:3,3,3", "", "b2 a3", "The players mark empty cells in turn, x first."),
    example("mnk:3,3,3", "", "a1 b1 b2 c2 c3", "Three of one's own in a row, column or diagonal win."),
    example("mnk:3,3,3", "", "b2 a1 c1 a3 a2 c2 b1 b3 c3", "A full board without such a row is a draw."),
    example("drop:7,6,4", "", "d c d", "A man falls to the lowest empty hole of its column: click anywhere in it."),
    example("drop:7,6,4", "", "d d e c f f c e g", "Four in an unbroken row, column or diagonal win."),
    example("order-chaos:6x6", "", "X@c3 O@c4", "Both may put either mark into any empty cell: a click asks which."),
    example(
        "order-chaos:6x6",
        "",
        "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 X@e5 O@f6 X@a1",
        "Five equal marks in a row: order has won, whoever placed them. On a full board without them, chaos has.",
    ),
    example("tak:5", "", "a5 e1", "The first move of each side puts down a flat stone of the opponent."),
    example(
        "tak:5",
        "",
        "a5 e1 c3 Sc4 Cb3",
        "From then on one places, on an empty square, a flat, a wall (leaning) or the capstone (the cone).",
    ),
    example(
        "tak:5",
        "x5/x5/x5/x,121,x3/2,x3,1 1 5",
        "3b2>12",
        "Or moves a stack one owns, up to five pieces: straight on, at least one dropped on every square. Here one on c2, two on d2.",
    ),
    example(
        "tak:5",
        "x5/x5/x,1C,2S,x2/x5/2,x3,1 1 5",
        "b3>*",
        "Nothing moves onto a wall or a capstone; but a capstone alone flattens a wall.",
    ),
    example(
        "tak:5",
        "x5/x2,2,x2/1,1,x,1,1/2,2,2,x2/x4,2 1 7",
        "c3",
        "A road of flats and capstones from edge to edge wins; walls do not count. When a reserve is empty or the board full, more flats on top win.",
    ),
    example("antrin:3", "", "a1 a2 b1 c3", "Each side first places three men on the points, in turn."),
    example("antrin:3", "", "a1 a2 b1 c3 b3 c2 b3-b2", "Then a man moves along a line to an empty point."),
    example("antrin:3", "", "a1 a2 b1 b2 c1", "Three in a row or column win; diagonals do not count."),
    example("morris:nine", "", "a1 b2 d1 b4", "Each side first places nine men on the points, in turn."),
    example(
        "morris:nine",
        "",
        "a1 b2 d1 b4 g1xb2",
        "Three in a line, a mill, take a man of the other side; one that stands in no mill, if there is one.",
    ),
    example(
        "morris:nine",
        "B.W/.B./W.B/W.B.W./.../.WB/B.W:w",
        "g7-g4",
        "When all are placed, men move along the lines; with three men left, to any empty point. Fewer than three, or no move, is a loss.",
    ),
];

/// Positions for the gallery, where the first moves of a random game look like nothing.
const THUMBNAILS: &[Example] = &[
    example("mnk:3,3,3", "", "b2 a3 c1 a1 a2", ""),
    example("drop:7,6,4", "", "d d c e c c e d e b f b d", ""),
    example("order-chaos:6x6", "", "X@c3 O@c5 X@d4 O@d2 X@b2 O@f4 O@e3 X@a6 O@b5", ""),
    example("tak:5", "2,x,1,x2/x,12S,1121C,2,x/x,1,212,x,1/x,1,x,2C,x/2,1,x,2,1 2 14", "", ""),
    example("morris:nine", "", "d2 d6 f4 b4 f2 b6 f6xb4 b2 a1 g7 a4 g4", ""),
    example("ellie:4x4", "", "a4b4a3 c2d2d1", ""),
    example("cram:4x4", "", "a4a3 b3c3 d2d1", ""),
    example("treblecross:1x9", "", "2 6 9", ""),
];

fn line(game: &Metered<'_>, example: &Example) -> Result<Played, Failure> {
    let from = if example.from.is_empty() { game.start() } else { game.position(example.from)? };
    let mut played = Played::at(from, "");
    for mv in example.moves.split_whitespace() {
        played.play(game, mv)?;
    }
    Ok(played)
}

/// A small board for the gallery.
pub(crate) fn thumbnail(game: &Metered<'_>) -> String {
    let named = THUMBNAILS.iter().find(|example| example.game == game.spelling());
    let mut played = named.and_then(|example| line(game, example).ok()).unwrap_or_else(|| opening(game));
    played.path.clear();
    played.small(game).unwrap_or_default()
}

/// The start where there is something to see, else a few moves.
fn opening(game: &Metered<'_>) -> Played {
    let mut played = Played::at(game.start(), "");
    let Ok(scene) = game.scene(&played.pos) else { return played };
    if scene.places.iter().any(|place| !place.stack.is_empty()) {
        return played;
    }
    let mut dice = Dice(1);
    for _ in 0..(scene.places.len() / 2).min(6) {
        let mut next = played.clone();
        if random_step(game, &mut next, &mut dice).is_none() || game.moves(&next.pos).is_ok_and(|m| m.is_empty()) {
            break;
        }
        played = next;
    }
    played
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn random_step(game: &Metered<'_>, played: &mut Played, dice: &mut Dice) -> Option<String> {
    let moves = game.moves(&played.pos).ok()?;
    let mv = moves.get(dice.below(moves.len()))?;
    played.play(game, mv).ok()
}

/// What a move did to the board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Deed {
    own: i64,
    other: i64,
    nobody: i64,
    tile: bool,
    apart: bool,
}

fn deed(game: &Metered<'_>, before: &Played, after: &Played) -> Result<Deed, Failure> {
    let mover = game.turn(&before.pos)?;
    let (was, is) = (game.scene(&before.pos)?, game.scene(&after.pos)?);
    let all = |scene: &agon_core::scene::Scene, owner: Option<Player>| {
        scene.places.iter().flat_map(|place| &place.stack).filter(|token| token.owner == owner).count() as i64
    };
    let change = |owner| all(&is, owner) - all(&was, owner);
    let tile = is.places.iter().flat_map(|place| &place.stack).any(|token| token.shape == Shape::Tile);
    let deed =
        Deed { own: change(Some(mover)), other: change(Some(mover.other())), nobody: change(None), tile, apart: false };
    Ok(Deed { apart: deed.nobody == 0 && deed.own == 0 && is.size != was.size, ..deed })
}

fn words(deed: Deed) -> &'static str {
    match deed {
        Deed { tile: true, .. } => "puts down a tile",
        Deed { apart: true, .. } => "splits a heap",
        Deed { nobody: 1.., .. } => "makes a mark",
        Deed { nobody: ..=-1, .. } => "takes counters",
        Deed { own: 1.., other: ..=-1, .. } => "puts down a piece and takes one",
        Deed { own: 1.., .. } => "puts down a piece",
        Deed { other: 1.., .. } => "puts down a piece of the other side",
        Deed { other: ..=-1, .. } => "moves a piece and takes one",
        _ => "moves",
    }
}

/// Games played for pictures, the plies of each, and kinds of moves shown.
const GAMES: u64 = 5;
const PLIES: usize = 200;
const KINDS: usize = 3;

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Pictures from games played at random: the first move of each kind, and the shortest way to win.
fn found(game: &Metered<'_>) -> Result<Vec<(Played, String)>, Failure> {
    let mut kinds: Vec<(Deed, Played, String)> = Vec::new();
    let mut won: Option<(usize, Played)> = None;
    for seed in 1..=GAMES {
        let (mut played, mut dice) = (Played::at(game.start(), ""), Dice(seed));
        for ply in 0..PLIES {
            // Half of what this page may cost is for drawing what was found.
            if game.meter().used() > UNITS / 2 {
                break;
            }
            let before = played.clone();
            let Some(mv) = random_step(game, &mut played, &mut dice) else { break };
            if kinds.len() < KINDS {
                let did = deed(game, &before, &played)?;
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
        let says = format!("{} ({}).", capital(&game.status_text(&end.pos)?), game.end_reason(&end.pos)?);
        let empty = game.scene(&end.pos)?.places.iter().all(|place| place.stack.is_empty());
        match pictures.last_mut().filter(|_| empty) {
            // An empty board is no picture.
            Some((_, last)) => *last = format!("{last} When nothing is left: {}", says.to_lowercase()),
            None => pictures.push((end, says)),
        }
    }
    Ok(pictures)
}

/// Every picture with its words.
fn pictures(game: &Metered<'_>) -> Result<Vec<Value>, Failure> {
    let named: Vec<&Example> = EXAMPLES.iter().filter(|example| example.game == game.spelling()).collect();
    let start = Played::at(game.start(), "");
    let begins = format!("The beginning: {}.", game.status_text(&start.pos)?);
    let shown = if named.is_empty() {
        found(game)?
    } else {
        let each = named.into_iter().map(|example| Ok((line(game, example)?, example.says.to_string())));
        each.collect::<Result<Vec<_>, Failure>>()?
    };
    let all = std::iter::once((start, begins)).chain(shown);
    all.map(|(played, says)| Ok(json!({"svg": played.small(game)?, "says": says}))).collect()
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    game: String,
}

/// The pictures of a game's rules.
pub(crate) async fn shown(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Value>, Trouble> {
    let shown = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let key = format!("rules {}", game.spelling());
        if let Some(known) = app.remembered(&key) {
            return Ok(known);
        }
        let answer = json!({"pictures": pictures(&game)?});
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
        for example in EXAMPLES.iter().chain(THUMBNAILS) {
            let (app, meter) = App::bare();
            let game = app.game(&meter, example.game).unwrap();
            assert_eq!(game.spelling(), example.game);
            let played = line(&game, example).unwrap_or_else(|e| panic!("{}: {e:?}", example.moves));
            let over = game.moves(&played.pos).unwrap().is_empty();
            let ends = ["win", "won", "draw"].iter().any(|word| example.says.contains(word));
            assert_eq!(over, ends, "{}: {}", example.game, example.says);
        }
    }

    #[test]
    fn every_family_has_pictures_of_its_rules() {
        for entry in agon_edge::registry::FAMILIES {
            let (app, meter) = App::bare();
            let game = app.game(&meter, entry.facts.family).unwrap();
            let all = pictures(&game).unwrap();
            assert!(all.len() >= 2, "{}: {}", entry.facts.family, all.len());
            assert!(all.iter().all(|p| p["svg"].as_str().unwrap().starts_with("<svg")), "{}", entry.facts.family);
            assert!(thumbnail(&game).starts_with("<svg"), "{}", entry.facts.family);
        }
    }
}
