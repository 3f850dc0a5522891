//! Games that are written in Python.
//!
//! A position of such a game is a number: the rules are asked once about each position, and the answer is kept. So a
//! search over positions that are known runs without Python. A fault of the rules (an exception, a move without a name)
//! ends all work on the game.

use crate::failure::{rules as wrong, usage};
use crate::game::Shared;
use agon::core::family::shorten;
use agon::core::scene::{Scene, Shape, Sides, Token};
use agon::core::{
    Acyclic, Evaluate, Facts, Family, Game, GameError, Guide, Notation, NotationError, Outcome, Params, Player,
    Symmetric,
};
use agon::erased::{Capabilities, made};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

/// The first fault of the rules of a game in Python.
#[derive(Default)]
pub(crate) struct Fault {
    error: Mutex<Option<PyErr>>,
    flag: Arc<AtomicBool>,
}

impl Fault {
    /// The flag that stops all work.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// The exception, if the rules have failed.
    pub(crate) fn raised(&self, py: Python<'_>) -> Option<PyErr> {
        if !self.flag.load(Ordering::Relaxed) {
            return None;
        }
        self.error.lock().ok()?.as_ref().map(|error| error.clone_ref(py))
    }

    fn raise(&self, error: PyErr) {
        if let Ok(mut slot) = self.error.lock() {
            slot.get_or_insert(error);
        }
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// The optional methods that the rules have.
#[derive(Clone, Copy)]
struct Has {
    turn: bool,
    height: bool,
    show: bool,
    parse: bool,
    show_move: bool,
    evaluate: bool,
    board: bool,
    path: bool,
}

/// The rules, and every position that was met.
struct Rules {
    object: Py<PyAny>,
    has: Has,
    names: [String; 2],
    /// The number of each position, by the object of Python.
    numbers: Py<PyDict>,
    positions: RwLock<Positions>,
    fault: Arc<Fault>,
}

#[derive(Default)]
struct Positions {
    list: Vec<Arc<Place>>,
    by_text: HashMap<String, u32>,
}

/// A position that was met.
struct Place {
    object: Py<PyAny>,
    side: Player,
    text: String,
    facts: OnceLock<Arc<Found>>,
}

/// What the rules say about a position.
struct Found {
    outcome: Option<Outcome>,
    /// The moves: their names, and the positions that they lead to.
    moves: Vec<(String, u32)>,
    height: u32,
}

/// A game in Python.
#[derive(Clone)]
struct Written(Arc<Rules>);

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Written")
    }
}

/// Without blanks: notations have none.
fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// `MyGame` as `my-game`.
fn spelled(class: &str) -> String {
    let mut out = String::new();
    for c in class.trim_start_matches('_').chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '-' }));
    }
    out
}

/// The game of an object with rules.
pub(crate) fn shared(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Arc<Shared>> {
    let kind = given.get_type();
    let missing: Vec<&str> = ["start", "moves", "play", "outcome"]
        .into_iter()
        .filter(|name| !given.getattr(*name).is_ok_and(|method| method.is_callable()))
        .collect();
    if !missing.is_empty() {
        let kind = kind.name()?;
        let expected = "expected a spelling, a Game, a Position, or rules with start, moves, play and outcome";
        return Err(usage(py, format!("invalid game of type `{kind}`: it has no {}; {expected}", missing.join(", "))));
    }
    if given.is_instance_of::<pyo3::types::PyType>() {
        return Err(usage(py, "invalid game: expected an object, not a class; call it first, like MyGame()"));
    }
    let has = |name: &str| given.getattr(name).is_ok_and(|method| method.is_callable());
    let word = |name: &str| given.getattr(name).ok().and_then(|word| word.extract::<String>().ok());
    let has = Has {
        turn: has("turn"),
        height: has("height"),
        show: has("show"),
        parse: has("parse"),
        show_move: has("show_move"),
        evaluate: has("evaluate"),
        board: has("board"),
        path: has("path"),
    };
    let spelling = word("name").map_or_else(|| Ok(spelled(&kind.name()?.to_string())), PyResult::Ok)?;
    let title = word("title").unwrap_or_else(|| spelling.clone());
    let about = word("rules").or_else(|| given.getattr("__doc__").ok()?.extract::<String>().ok());
    let facts = Facts::new(&spelling, &title, about.unwrap_or_default().trim());
    let names = match given.getattr("players") {
        Ok(names) => names.extract::<[String; 2]>()?,
        Err(_) => Player::BOTH.map(|player| player.name().to_string()),
    };
    let rules = Arc::new(Rules {
        object: given.clone().unbind(),
        has,
        names,
        numbers: PyDict::new(py).unbind(),
        positions: RwLock::default(),
        fault: Arc::default(),
    });
    // The start is number 0.
    let start = rules.object.bind(py).call_method0("start")?;
    rules.number(py, &start, Player::First)?;
    let capabilities = if has.height { Capabilities::acyclic() } else { Capabilities::cyclic() };
    let fault = rules.fault.clone();
    Ok(Shared::new(made(Written(rules), spelling, facts, capabilities), Some(fault)))
}

impl Rules {
    fn place(&self, number: u32) -> Arc<Place> {
        let positions = self.positions.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        positions.list[number as usize].clone()
    }

    /// The number of a position; a position that is met for the first time gets one.
    fn number(&self, py: Python<'_>, object: &Bound<'_, PyAny>, alternate: Player) -> PyResult<u32> {
        let numbers = self.numbers.bind(py);
        let (key, side) = match self.has.turn {
            // The position alone says whose turn it is.
            true => (object.clone(), None),
            false => ((object, alternate as usize).into_pyobject(py)?.into_any(), Some(alternate)),
        };
        if let Some(number) = numbers.get_item(&key)? {
            return number.extract();
        }
        let side = match side {
            Some(side) => side,
            None => self.side(py, &self.object.bind(py).call_method1("turn", (object,))?)?,
        };
        let text = self.text(py, object, side)?;
        let new = {
            let mut positions = self.positions.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Some(other) = positions.by_text.get(&text).map(|&number| positions.list[number as usize].clone()) {
                drop(positions);
                return self.same(py, object, &other, side, &text);
            }
            let number = u32::try_from(positions.list.len()).map_err(|_| wrong(py, "there are too many positions"))?;
            let place = Place { object: object.clone().unbind(), side, text: text.clone(), facts: OnceLock::new() };
            positions.list.push(Arc::new(place));
            positions.by_text.insert(text, number);
            number
        };
        numbers.set_item(key, new)?;
        Ok(new)
    }

    /// A position that has the text of another one: it must be equal, and another thread was quicker.
    fn same(
        &self,
        py: Python<'_>,
        object: &Bound<'_, PyAny>,
        other: &Place,
        side: Player,
        text: &str,
    ) -> PyResult<u32> {
        if side != other.side || !object.eq(other.object.bind(py))? {
            return Err(wrong(py, format!("two different positions have the text `{}`", shorten(text))));
        }
        let positions = self.positions.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(positions.by_text[text])
    }

    /// The text of a position. Without `turn`, the side to move is part of it.
    fn text(&self, py: Python<'_>, object: &Bound<'_, PyAny>, side: Player) -> PyResult<String> {
        let text = match self.has.show {
            true => self.object.bind(py).call_method1("show", (object,))?.extract::<String>()?,
            false => compact(&object.repr()?.extract::<String>()?),
        };
        if text.is_empty() || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            let text = shorten(&text);
            return Err(wrong(py, format!("show returned `{text}`: expected a text without blanks on one line")));
        }
        Ok(if self.has.turn { text } else { format!("{text}:{}", side.name()) })
    }

    /// The side that a person means in Python.
    fn side(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Player> {
        let word = given.str()?.extract::<String>()?;
        let hit = Player::BOTH.into_iter().find(|&player| {
            word == player.name() || word == self.names[player as usize] || word == (player as usize).to_string()
        });
        let [first, second] = &self.names;
        hit.ok_or_else(|| wrong(py, format!("turn returned `{}`: expected `{first}` or `{second}`", shorten(&word))))
    }

    /// The outcome that a person means: None, a result for the side to move, or the side that has won.
    fn outcome(&self, py: Python<'_>, given: &Bound<'_, PyAny>, side: Player) -> PyResult<Option<Outcome>> {
        if given.is_none() {
            return Ok(None);
        }
        let word = given.str()?.extract::<String>()?;
        Ok(Some(match word.as_str() {
            "win" => Outcome::Win(side),
            "loss" => Outcome::Win(side.other()),
            "draw" => Outcome::Draw,
            _ => {
                let winner = Player::BOTH
                    .into_iter()
                    .find(|&player| word == player.name() || word == self.names[player as usize]);
                let [first, second] = &self.names;
                let expected = format!("None, `win`, `draw` or `loss` for the side to move, `{first}` or `{second}`");
                let given = shorten(&word);
                Outcome::Win(
                    winner.ok_or_else(|| wrong(py, format!("outcome returned `{given}`: expected {expected}")))?,
                )
            }
        }))
    }

    /// What the rules say about a position, asked once.
    fn found(&self, number: u32) -> Arc<Found> {
        let place = self.place(number);
        if let Some(found) = place.facts.get() {
            return found.clone();
        }
        let asked = Python::attach(|py| self.ask(py, &place).map_err(|error| self.fault.raise(error)));
        match asked {
            Ok(found) => place.facts.get_or_init(|| Arc::new(found)).clone(),
            // The work is over already, and nobody sees this answer.
            Err(()) => Arc::new(Found { outcome: Some(Outcome::Draw), moves: Vec::new(), height: 0 }),
        }
    }

    fn ask(&self, py: Python<'_>, place: &Place) -> PyResult<Found> {
        let (rules, object) = (self.object.bind(py), place.object.bind(py));
        let outcome = self.outcome(py, &rules.call_method1("outcome", (object,))?, place.side)?;
        let height = match self.has.height {
            true => rules.call_method1("height", (object,))?.extract()?,
            false => 0,
        };
        let mut moves: Vec<(String, u32)> = Vec::new();
        if outcome.is_none() {
            let mut taken = std::collections::HashSet::new();
            for mv in rules.call_method1("moves", (object,))?.try_iter()? {
                let mv = mv?;
                let name = match self.has.show_move {
                    true => rules.call_method1("show_move", (object, &mv))?.extract::<String>()?,
                    false => compact(&mv.str()?.extract::<String>()?),
                };
                if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
                    let text = &place.text;
                    return Err(wrong(py, format!("a move at `{text}` has the name `{}`", shorten(&name))));
                }
                if !taken.insert(name.to_lowercase()) {
                    return Err(wrong(py, format!("two moves at `{}` have the name `{name}`", place.text)));
                }
                let after = rules.call_method1("play", (object, &mv))?;
                if after.is_none() {
                    let why = "expected the position after the move; the position that it gets must not change";
                    return Err(wrong(py, format!("play returned None: {why}")));
                }
                moves.push((name, self.number(py, &after, place.side.other())?));
            }
            if moves.is_empty() {
                let text = &place.text;
                return Err(wrong(py, format!("there is no move at `{text}`, and outcome says that the play goes on")));
            }
            if self.has.height {
                self.falling(py, place, height, &moves)?;
            }
        }
        Ok(Found { outcome, moves, height })
    }

    /// A height must decrease with every move, or searches would not end.
    fn falling(&self, py: Python<'_>, place: &Place, height: u32, moves: &[(String, u32)]) -> PyResult<()> {
        for (mv, number) in moves {
            let after = self.place(*number);
            let next: u32 = self.object.bind(py).call_method1("height", (after.object.bind(py),))?.extract()?;
            if next >= height {
                let (from, to) = (&place.text, &after.text);
                let why = format!("height is {height} at `{from}` and {next} at `{to}`, after `{mv}`");
                return Err(wrong(py, format!("{why}: expected it to decrease with every move")));
            }
        }
        Ok(())
    }

    /// A call whose failure is a fault of the rules.
    fn call<T>(&self, instead: T, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        Python::attach(|py| {
            call(py).unwrap_or_else(|error| {
                self.fault.raise(error);
                instead
            })
        })
    }

    /// The position of a text that was not met yet.
    fn parsed(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        let (body, side) = match self.has.turn {
            true => (text, Player::First),
            false => {
                let side = |(body, name): (&str, &str)| {
                    Player::BOTH.into_iter().find(|player| player.name() == name).map(|side| (body.to_string(), side))
                };
                let found = text.rsplit_once(':').and_then(side);
                let (body, side) = found.ok_or_else(|| usage(py, "expected a position with :first or :second"))?;
                (&body.clone()[..], side)
            }
        };
        let object = match self.has.parse {
            true => self.object.bind(py).call_method1("parse", (body,))?,
            false if self.has.show => {
                return Err(usage(py, "it was not met yet; give the rules a method `parse`, which reads it"));
            }
            false => py.import("ast")?.call_method1("literal_eval", (body,))?,
        };
        let number = self.number(py, &object, side)?;
        match self.place(number).text == text {
            true => Ok(number),
            false => Err(usage(py, format!("it is written `{}`", self.place(number).text))),
        }
    }
}

impl Game for Written {
    type Position = u32;
    type Move = u32;
    type Undo = u32;

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, pos: &u32) -> Player {
        self.0.place(*pos).side
    }

    fn outcome(&self, pos: &u32) -> Option<Outcome> {
        self.0.found(*pos).outcome
    }

    fn moves(&self, pos: &u32, each: &mut impl FnMut(u32)) {
        (0..self.0.found(*pos).moves.len() as u32).for_each(each);
    }

    fn play(&self, pos: &mut u32, mv: u32) -> u32 {
        let after = self.0.found(*pos).moves.get(mv as usize).map_or(*pos, |(_, after)| *after);
        std::mem::replace(pos, after)
    }

    fn undo(&self, pos: &mut u32, _mv: u32, before: u32) {
        *pos = before;
    }
}

impl Symmetric for Written {}
impl Guide for Written {}

impl Acyclic for Written {
    fn height(&self, pos: &u32) -> u32 {
        self.0.found(*pos).height
    }
}

impl Evaluate for Written {
    // Play may cycle.
    const CUT: Option<u32> = Some(500);

    fn evaluate(&self, pos: &u32) -> i32 {
        if !self.0.has.evaluate {
            return 0;
        }
        let place = self.0.place(*pos);
        self.0.call(0, |py| {
            let value: f64 = self.0.object.bind(py).call_method1("evaluate", (place.object.bind(py),))?.extract()?;
            Ok((value * 100.0).clamp(-9000.0, 9000.0) as i32)
        })
    }
}

impl Notation for Written {
    fn show(&self, pos: &u32) -> String {
        self.0.place(*pos).text.clone()
    }

    fn parse(&self, text: &str) -> Result<u32, NotationError> {
        let text = text.trim();
        let known = {
            let positions = self.0.positions.read().unwrap_or_else(|poisoned| poisoned.into_inner());
            positions.by_text.get(text).copied()
        };
        match known {
            Some(number) => Ok(number),
            None => Python::attach(|py| {
                let why = |error: PyErr| NotationError::position(text, error.value(py).to_string());
                self.0.parsed(py, text).map_err(why)
            }),
        }
    }

    fn show_move(&self, pos: &u32, mv: u32) -> String {
        self.0.found(*pos).moves.get(mv as usize).map_or_else(String::new, |(name, _)| name.clone())
    }

    fn scene(&self, pos: &u32) -> Scene {
        let place = self.0.place(*pos);
        let text = || Scene::of_text(place.text.clone());
        if !self.0.has.board {
            return text();
        }
        self.0.call(None, |py| self.0.board(py, &place).map(Some)).unwrap_or_else(text)
    }

    fn path(&self, pos: &u32, mv: u32) -> Vec<usize> {
        if !self.0.has.path {
            return Vec::new();
        }
        let (place, scene) = (self.0.place(*pos), self.scene(pos));
        let name = self.show_move(pos, mv);
        self.0.call(Vec::new(), |py| {
            let cells: Vec<String> =
                self.0.object.bind(py).call_method1("path", (place.object.bind(py), name))?.extract()?;
            let index = |cell: &String| {
                let hit = scene.places.iter().position(|place| place.label == *cell);
                hit.ok_or_else(|| wrong(py, format!("path names the cell `{}`: expected one like a1", shorten(cell))))
            };
            cells.iter().map(index).collect()
        })
    }

    fn player_name(&self, player: Player) -> String {
        self.0.names[player as usize].clone()
    }

    fn end_reason(&self, pos: &u32) -> &'static str {
        match self.outcome(pos) {
            Some(Outcome::Win(_)) => "win",
            _ => "draw",
        }
    }
}

impl Rules {
    /// The picture: rows of text, a letter for each cell. `pieces` says what letters are.
    fn board(&self, py: Python<'_>, place: &Place) -> PyResult<Scene> {
        let rules = self.object.bind(py);
        let rows: Vec<String> = rules.call_method1("board", (place.object.bind(py),))?.extract()?;
        let width = rows.first().map_or(0, |row| row.chars().count());
        if width == 0 || rows.iter().any(|row| row.chars().count() != width) || width > 26 || rows.len() > 99 {
            return Err(wrong(py, "board must return rows of text of equal length, at most 26 columns and 99 rows"));
        }
        let pieces: HashMap<char, String> = match rules.getattr("pieces") {
            Ok(pieces) => pieces.extract()?,
            Err(_) => HashMap::new(),
        };
        let mut scene = Scene::grid(width, rows.len());
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate().filter(|(_, letter)| !matches!(letter, '.' | ' ')) {
                let token = match pieces.get(&letter) {
                    Some(words) => token(py, letter, words)?,
                    None => usual(letter),
                };
                scene.put(scene.at(x, y), token);
            }
        }
        if rows.iter().any(|row| row.contains('W')) && !pieces.contains_key(&'W') {
            scene.sides = Sides::LightAndDark;
        }
        Ok(scene)
    }
}

/// Letters that everybody reads alike.
fn usual(letter: char) -> Token {
    match letter {
        'X' => Token::new(Shape::Cross, Player::First, letter),
        'O' => Token::new(Shape::Ring, Player::Second, letter),
        'W' => Token::new(Shape::Disc, Player::First, letter),
        'B' => Token::new(Shape::Disc, Player::Second, letter),
        '#' => Token::neutral(Shape::Tile, letter),
        _ => Token::neutral(Shape::Letter, letter),
    }
}

/// A piece in words: `first disc`, `second tile`, `letter`.
fn token(py: Python<'_>, letter: char, words: &str) -> PyResult<Token> {
    const SHAPES: [(&str, Shape); 7] = [
        ("cross", Shape::Cross),
        ("ring", Shape::Ring),
        ("disc", Shape::Disc),
        ("flat", Shape::Flat),
        ("wall", Shape::Wall),
        ("tile", Shape::Tile),
        ("letter", Shape::Letter),
    ];
    let (owner, shape) = match words.split_once(' ') {
        Some((owner, shape)) => (Player::BOTH.into_iter().find(|player| player.name() == owner), shape),
        None => (None, words),
    };
    let known = SHAPES.iter().find(|(name, _)| *name == shape && (owner.is_some() == words.contains(' ')));
    match (known, owner) {
        (Some((_, shape)), Some(owner)) => Ok(Token::new(*shape, owner, letter)),
        (Some((_, shape)), None) => Ok(Token::neutral(*shape, letter)),
        (None, _) => {
            let shapes = SHAPES.map(|(name, _)| name).join(", ");
            Err(wrong(py, format!("the piece `{letter}` is `{words}`: expected first or second, and one of {shapes}")))
        }
    }
}

impl Family for Written {
    fn facts() -> Facts {
        Facts::new("python", "A game in Python", "Its rules are an object of Python.")
    }

    fn build(params: &Params) -> Result<Written, GameError> {
        Err(params.error("a game in Python is made from an object, by agon.game(MyGame())"))
    }
}
