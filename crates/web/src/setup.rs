//! The position editor: pieces are placed in the text of a position, and the rules decide whether it is legal.
//!
//! The game describes how its boards are written ([`Setup`]). Playing its first moves shows whether its text agrees with
//! its picture, and what the pieces look like.

use crate::app::{App, Metered, RequestError};
use agon_core::scene::{Scene, Token};
use agon_core::setup::Setup;
use agon_report::failure::Failure;
use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The text of a position, split into cells.
struct Draft {
    setup: Setup,
    /// The number of cells in each row.
    rows: Vec<usize>,
    /// The text of each cell; empty for an empty place.
    cells: Vec<String>,
    /// The text after the board.
    rest: String,
    /// True if `@second` after the board says that the second player is to move.
    marked: bool,
}

impl Draft {
    fn read(setup: Setup, text: &str) -> Option<Draft> {
        let (board, rest) = text.split_at(text.find([':', '_', ' ', '@']).unwrap_or(text.len()));
        let rows: Vec<Vec<String>> = board.split('/').map(setup.read_row).collect::<Option<_>>()?;
        Some(Draft {
            setup,
            rows: rows.iter().map(Vec::len).collect(),
            cells: rows.concat(),
            rest: rest.to_string(),
            marked: false,
        })
    }

    fn text(&self) -> String {
        let mut cells = &self.cells[..];
        let rows = self.rows.iter().map(|&wide| {
            let (row, others) = cells.split_at(wide);
            cells = others;
            (self.setup.show_row)(row)
        });
        rows.collect::<Vec<_>>().join("/") + &self.rest
    }

    /// The text of the same board with the other side to move, if it names the side to move: `:w`, ` 1 7`.
    fn with_other_side(&self) -> Option<String> {
        match self.rest.as_str() {
            "@second" => return self.text().strip_suffix("@second").map(str::to_string),
            "" if self.marked => return Some(self.text() + "@second"),
            _ => {}
        }
        let mut letters = self.rest.chars();
        let (mark, side) = (letters.next()?, letters.next()?);
        let [first, second] = self.setup.sides.filter(|sides| sides.contains(&side))?;
        let other = if side == first { second } else { first };
        let board = self.text();
        Some(format!("{}{mark}{other}{}", board.strip_suffix(&self.rest)?, letters.as_str()))
    }

    /// The letter of the side to move.
    fn side(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    /// Places a piece; `.` removes one. A man that is placed comes from the hand of its side, and one that is removed
    /// goes back there.
    fn put(&mut self, place: usize, piece: &str) {
        let Some(cell) = self.cells.get_mut(place) else { return };
        let before = std::mem::take(cell);
        *cell = (self.setup.put)(&before, piece);
        let after = cell.clone();
        if let (Some(mut hands), Some(sides)) = (self.hands(), self.setup.sides) {
            for (hand, side) in hands.iter_mut().zip(sides) {
                let count = |cell: &str| u32::from(cell.eq_ignore_ascii_case(&side.to_string()));
                *hand = (*hand + count(&before)).saturating_sub(count(&after));
            }
            self.set_hands(hands);
        }
    }

    /// The men in hand of the two sides, in games that have them: `:w:3-2`.
    fn hands(&self) -> Option<[u32; 2]> {
        let written = self.rest.split(':').nth(2).unwrap_or("0-0");
        let (first, second) = written.split_once('-')?;
        let hands = [first.parse().ok()?, second.parse().ok()?];
        self.setup.hands.then_some(hands)
    }

    fn set_hands(&mut self, [first, second]: [u32; 2]) {
        let side = self.rest.split(':').nth(1).unwrap_or_default().to_string();
        let hands = if (first, second) == (0, 0) { String::new() } else { format!(":{first}-{second}") };
        self.rest = format!(":{side}{hands}");
    }
}

/// The pieces of a game by their notation.
struct Pieces {
    setup: Setup,
    rows: Vec<usize>,
    tokens: BTreeMap<String, Vec<Token>>,
    /// True if `@second` after a board says that the second player is to move.
    marked: bool,
}

/// The plies that are played to find every piece.
const SAMPLE_PLIES: usize = 3;

fn pieces(game: &Metered<'_>) -> Option<Pieces> {
    let start = game.start();
    let (setup, first) = (game.setup(), Draft::read(game.setup(), &start)?);
    let places = game.scene(&start).ok()?.places.len();
    if first.cells.len() != places {
        return None;
    }
    let mut found = Pieces { setup, rows: first.rows, tokens: BTreeMap::new(), marked: false };
    let mut pos = start;
    for _ in 0..SAMPLE_PLIES {
        let moves = game.moves(&pos).ok()?;
        for mv in moves.iter().take(400) {
            let (_, next) = game.play(&pos, mv).ok()?;
            let (draft, scene) = (Draft::read(setup, &next)?, game.scene(&next).ok()?);
            found.marked |= draft.rest == "@second";
            // The text must name exactly the places that the picture fills.
            let agree = draft.cells.len() == places
                && draft.cells.iter().zip(&scene.places).all(|(cell, place)| cell.is_empty() == place.stack.is_empty());
            if !agree {
                return None;
            }
            for (cell, place) in draft.cells.iter().zip(scene.places) {
                if !cell.is_empty() {
                    found.tokens.entry(cell.clone()).or_insert(place.stack);
                }
            }
        }
        let Some(mv) = moves.first() else { break };
        pos = game.play(&pos, mv).ok()?.1;
    }
    (!found.tokens.is_empty()).then_some(found)
}

impl Pieces {
    fn stack(&self, cell: &str) -> Vec<Token> {
        self.tokens.get(cell).cloned().unwrap_or_else(|| (self.setup.draw)(cell))
    }

    /// The pieces on offer in the editor.
    fn palette(&self) -> Vec<String> {
        match self.setup.pieces {
            [] => self.tokens.keys().cloned().collect(),
            pieces => pieces.iter().map(ToString::to_string).collect(),
        }
    }

    /// The picture of a draft, legal or not.
    fn scene(&self, game: &Metered<'_>, draft: &Draft) -> Result<Scene, Failure> {
        let mut scene = game.scene(&game.start())?;
        (scene.marks, scene.caption) = (Vec::new(), Vec::new());
        for (place, cell) in scene.places.iter_mut().zip(&draft.cells) {
            place.stack = if cell.is_empty() { Vec::new() } else { self.stack(cell) };
        }
        Ok(scene)
    }
}

#[derive(Deserialize)]
pub(crate) struct DraftQuery {
    game: String,
    #[serde(default)]
    text: String,
    place: Option<usize>,
    put: Option<String>,
    /// True if to switch the side to move.
    #[serde(default)]
    swap: bool,
    /// The men in hand, as in `3-2`.
    hands: Option<String>,
    #[serde(default)]
    view: u8,
}

/// The pieces that can be placed.
pub(crate) async fn palette(
    State(app): State<Arc<App>>,
    Query(asked): Query<DraftQuery>,
) -> Result<Json<Value>, RequestError> {
    let drawn = app.bounded(move |app, meter| {
        let game = app.game(meter, &asked.game)?;
        let (found, start) = (pieces(&game), game.scene(&game.start())?);
        let drawn = |piece: &String| {
            let mut scene = Scene::grid(1, 1);
            if let Some(found) = &found {
                (scene.sides, scene.board) = (start.sides, agon_core::scene::Board::Tray);
                scene.places[0].stack = found.stack(piece);
            }
            json!({"piece": piece, "svg": scene.svg_in_page(), "says": scene.describe(0)})
        };
        let pieces: Vec<Value> = found.iter().flat_map(Pieces::palette).map(|piece| drawn(&piece)).collect();
        Ok(json!({"pieces": pieces, "stacks": found.as_ref().is_some_and(|f| f.setup.stacks)}))
    });
    Ok(Json(drawn.await?))
}

/// A draft after one edit: its picture, and whether the rules allow it.
pub(crate) async fn draft(
    State(app): State<Arc<App>>,
    Query(asked): Query<DraftQuery>,
) -> Result<Json<Value>, RequestError> {
    let drawn = app.bounded(move |app, meter| Ok(drafted(&app.game(meter, &asked.game)?, &asked)?));
    Ok(Json(drawn.await?))
}

fn drafted(game: &Metered<'_>, asked: &DraftQuery) -> Result<Value, Failure> {
    let mut text = if asked.text.trim() == "start" { game.start() } else { asked.text.clone() };
    let (mut svg, mut swaps, mut hands) = (None, false, None);
    if let Some(pieces) = pieces(game)
        && let Some(mut draft) = Draft::read(pieces.setup, &text)
        && draft.cells.len() == pieces.rows.iter().sum::<usize>()
    {
        // Rows that people divide otherwise are written as the game writes them.
        draft.rows.clone_from(&pieces.rows);
        draft.marked = pieces.marked;
        if let (Some(place), Some(put)) = (asked.place, &asked.put) {
            if put != "." && !pieces.palette().contains(put) {
                let (given, pieces) = (agon_core::family::shorten(put), pieces.palette().join(", "));
                return Err(Failure::Usage(format!("invalid piece `{given}`: expected one of {pieces}, or `.`")));
            }
            draft.put(place, put);
            text = draft.text();
        }
        if let Some((first, second)) = asked.hands.as_ref().and_then(|hands| hands.split_once('-'))
            && let (Ok(first), Ok(second)) = (first.parse(), second.parse())
        {
            draft.set_hands([first, second]);
            text = draft.text();
        }
        hands = draft.hands();
        let other = draft.with_other_side();
        swaps = other.is_some();
        // Men are placed in turn, and a change may leave only one side that can be to move.
        let changed = asked.put.is_some() || asked.hands.is_some();
        let placed = asked.put.as_ref().filter(|_| draft.setup.hands).and_then(|put| put.chars().next());
        let follows = placed.is_some_and(|piece| draft.side().is_some_and(|side| side.eq_ignore_ascii_case(&piece)));
        let other = other.filter(|other| {
            let fits = || game.position(other).is_ok() && (follows || game.position(&text).is_err());
            asked.swap || changed && fits()
        });
        text = other.unwrap_or(text);
        svg = Some(pieces.scene(game, &draft)?.seen_from(asked.view).svg_in_page());
    }
    let read = game.position(&text);
    let why = read.as_ref().err().and_then(Failure::message);
    if let (None, Ok(pos)) = (&svg, &read) {
        svg = Some(game.scene(pos)?.seen_from(asked.view).svg_in_page());
    }
    let status = read.as_ref().ok().and_then(|pos| game.status_text(pos).ok());
    Ok(
        json!({"text": text, "legal": read.is_ok(), "why": why, "pos": read.ok(), "svg": svg, "swaps": swaps, "status": status, "hands": hands}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(game: &str, text: &str, place: usize, put: &str) -> Value {
        let (app, meter) = App::bare();
        let game = app.game(&meter, game).unwrap();
        let asked = DraftQuery {
            game: String::new(),
            text: text.into(),
            place: Some(place),
            put: Some(put.into()),
            swap: false,
            hands: None,
            view: 0,
        };
        drafted(&game, &asked).unwrap()
    }

    #[test]
    fn men_in_hand_follow_the_board() {
        let one = change("morris:nine", "start", 0, "W");
        assert_eq!((one["legal"].as_bool(), &one["hands"]), (Some(true), &json!([8, 9])), "{one}");
        assert_eq!(one["text"], "W../.../.../......../.../.../...:b:8-9".replace("......../", "....../"));
        let two = change("morris:nine", one["text"].as_str().unwrap(), 3, "B");
        assert_eq!((two["legal"].as_bool(), &two["hands"]), (Some(true), &json!([8, 8])), "{two}");
        let back = change("morris:nine", two["text"].as_str().unwrap(), 3, ".");
        assert_eq!((back["legal"].as_bool(), &back["hands"]), (Some(true), &json!([8, 9])), "{back}");
        // Antrin takes no men: with the hands counted down, each board can be set up man by man.
        let mut text = "start".to_string();
        for (place, piece) in [(0, "W"), (4, "B"), (1, "W"), (5, "B"), (6, "W"), (8, "B")] {
            let next = change("antrin", &text, place, piece);
            assert_eq!(next["legal"], true, "{next}");
            text = next["text"].as_str().unwrap().to_string();
        }
        assert_eq!(text, "WW./.BB/W.B:w");
        let (app, meter) = App::bare();
        let built = app.game(&meter, "morris:nine").unwrap();
        let asked = DraftQuery {
            game: String::new(),
            text: two["text"].as_str().unwrap().into(),
            place: None,
            put: None,
            swap: false,
            hands: Some("5-5".into()),
            view: 0,
        };
        assert_eq!(drafted(&built, &asked).unwrap()["hands"], json!([5, 5]));
    }

    #[test]
    fn pieces_are_placed_and_removed() {
        let one = change("tic-tac-toe", "start", 4, "X");
        assert_eq!((one["text"].as_str(), one["legal"].as_bool()), (Some(".../.X./..."), Some(true)));
        let two = change("tic-tac-toe", ".../.X./...", 0, "X");
        assert_eq!(two["legal"], false);
        assert!(two["why"].as_str().unwrap().contains("X../.X./...") && two["svg"].is_string());
        assert_eq!(change("tic-tac-toe", "X../.X./...", 0, ".")["text"], ".../.X./...");
    }

    #[test]
    fn the_other_side_may_move() {
        for (game, text, other) in [
            ("tak:3", "1,2,x/x3/x3 1 2", Some("1,2,x/x,x,x/x,x,x 2 2")),
            ("antrin", "WW./BWB/..B:b", Some("WW./BWB/..B:w")),
            ("tic-tac-toe", "X../.../...", None),
            ("cram", "##../..../..../....", Some("##../..../..../....@second")),
            ("treblecross", "X........@second", Some("X........")),
        ] {
            let (app, meter) = App::bare();
            let built = app.game(&meter, game).unwrap();
            let asked = DraftQuery {
                game: String::new(),
                text: text.into(),
                place: None,
                put: None,
                swap: true,
                hands: None,
                view: 0,
            };
            let seen = drafted(&built, &asked).unwrap();
            assert_eq!(
                (seen["text"].as_str(), seen["swaps"].as_bool()),
                (Some(other.unwrap_or(text)), Some(other.is_some()))
            );
        }
    }

    #[test]
    fn tak_stacks_grow_and_shrink() {
        let grown = change("tak:3", "1,2,x/x3/x3 1 2", 0, "2S");
        assert_eq!(grown["text"], "12S,2,x/x,x,x/x,x,x 1 2");
        assert_eq!(change("tak:3", "12S,2,x/x3/x3 1 2", 0, "1")["text"], "121,2,x/x,x,x/x,x,x 1 2");
        assert_eq!(change("tak:3", "12S,2,x/x3/x3 1 2", 0, ".")["text"], "1,2,x/x,x,x/x,x,x 1 2");
    }

    #[test]
    fn games_in_another_notation_have_no_palette() {
        for (game, some) in [
            ("mnk", true),
            ("order-chaos", true),
            ("antrin", true),
            ("morris", true),
            ("tak", true),
            ("nim", false),
            ("cram", true),
            ("ellie", true),
            ("treblecross", true),
            ("kayles", false),
            ("circular-nim", false),
            ("sum", false),
        ] {
            let (app, meter) = App::bare();
            let built = app.game(&meter, game).unwrap();
            assert_eq!(pieces(&built).is_some(), some, "{game}");
        }
    }

    #[test]
    fn positions_of_every_family_are_set_up_with_the_mouse() {
        for entry in agon_registry::standard().entries() {
            let (app, meter) = App::bare();
            let game = app.game(&meter, &entry.facts.family).unwrap();
            // Heaps and the parts of sums are numbers and cells in the page, by the same shapes of text.
            let start = game.start();
            let heaps = start.chars().all(|c| c.is_ascii_digit() || c == '+');
            let sum = start.starts_with('(') && start.ends_with(')');
            assert!(pieces(&game).is_some() || heaps || sum, "{}: {start}", entry.facts.family);
        }
    }
}
