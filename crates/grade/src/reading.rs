//! Games of a text, with the names of their players. The moves are not played yet, so that an illegal one can be counted.
//!
//! A text holds JSON lines (or one JSON value), saved games, games with tags such as PTN, a state of OpenSpiel, or lists of
//! moves: one game on each line, where a line that begins with a later move number continues the game before it.

use crate::openspiel;
use agon_core::Player;
use agon_core::family::shorten;
use agon_registry::annotated::AnnotatedGame;
use agon_registry::erased::AnyGame;
use agon_registry::is_spelling_of;
use agon_registry::openspiel::Action;
use agon_registry::record::{self, MOST_MOVES};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use serde_json::Value as Json;

/// A game as somebody wrote it down. Its moves may be illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Written {
    /// Its place in the text, such as `line 3` or `game 2`; empty if the text has only this one.
    pub place: String,
    /// The names of the first and the second player, where the text has them.
    pub players: [Option<String>; 2],
    /// The position at which it begins, in canonical text.
    pub from: String,
    /// Its moves, as they were written.
    pub moves: Vec<String>,
}

/// A game of a text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Its place in the text; empty if it is the whole text.
    pub place: String,
    /// The reason.
    pub why: String,
}

impl Written {
    /// A game between nameless players.
    #[must_use]
    pub fn new(from: String, moves: Vec<String>) -> Written {
        Written { place: String::new(), players: [None, None], from, moves }
    }

    /// The same between these players.
    #[must_use]
    pub fn between(self, players: [Option<String>; 2]) -> Written {
        Written { players, ..self }
    }
}

/// A game, or the reason why it cannot be read.
pub type Reading = Result<Written, Unreadable>;

/// Reads the games of a text.
///
/// ```
/// use agon_grade::reading::read;
/// use agon_registry::Registry;
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let games = read(game.as_ref(), "b2 a1 c3\n1. a1 b2\n2. c3\n");
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].as_ref().unwrap().moves, ["a1", "b2", "c3"]);
/// let numbered = read(game.as_ref(), "[4, 0, 8]"); // a history of OpenSpiel
/// assert_eq!(numbered[0].as_ref().unwrap().moves, ["b2", "a3", "c1"]);
/// ```
#[must_use]
pub fn read(game: &dyn AnyGame, text: &str) -> Vec<Reading> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let alone = |read: Result<Written, Failure>| vec![placed(read, String::new())];
    if text.is_empty() {
        return alone(Err(Failure::damaged_text("it is empty: expected games")));
    }
    if let Some(state) = openspiel::state(text) {
        return alone(state.and_then(|(name, moves)| numbered(game, &name, &moves)));
    }
    if text.starts_with(['{', '[']) {
        if let Ok(value) = serde_json::from_str::<Json>(text) {
            return values(game, value);
        }
        let first = text.lines().next().unwrap_or_default();
        if serde_json::from_str::<Json>(first).is_ok() || text.starts_with("{\"") {
            return lines(game, text);
        }
    }
    let parts = parts(text);
    let single = parts.len() == 1;
    let place = |number: usize, line: usize| match (single, tagged(text)) {
        (true, _) => String::new(),
        (_, true) => format!("game {}", number + 1),
        _ => format!("line {line}"),
    };
    let read = |(number, (line, part)): (usize, (usize, String))| placed(chunk(game, &part), place(number, line));
    parts.into_iter().enumerate().map(read).collect()
}

fn placed(read: Result<Written, Failure>, place: String) -> Reading {
    match read {
        Ok(written) => Ok(Written { place, ..written }),
        Err(failure) => {
            Err(Unreadable { place, why: failure.message().unwrap_or_else(|| "it cannot be read".to_string()) })
        }
    }
}

/// The games of one JSON value: a game, or a list of them.
fn values(game: &dyn AnyGame, value: Json) -> Vec<Reading> {
    let is_game = |list: &[Json]| !list.is_empty() && list.iter().all(|each| each.is_i64() || each.is_string());
    let list = match value {
        Json::Array(list) if !is_game(&list) => list,
        Json::Object(mut fields) if fields.get("games").is_some_and(Json::is_array) && !has_moves(&fields) => {
            let mut games = fields.remove("games").and_then(|games| games.as_array().cloned()).unwrap_or_default();
            // What the whole file says holds for each of its games.
            for each in games.iter_mut().filter_map(Json::as_object_mut) {
                for key in ["game", "players"] {
                    if let (false, Some(said)) = (each.contains_key(key), fields.get(key)) {
                        each.insert(key.to_string(), said.clone());
                    }
                }
            }
            games
        }
        one => return vec![placed(object(game, &one), String::new())],
    };
    let read = |(i, value): (usize, &Json)| placed(object(game, value), format!("game {}", i + 1));
    list.iter().enumerate().map(read).collect()
}

/// JSON lines.
fn lines(game: &dyn AnyGame, text: &str) -> Vec<Reading> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(i, line): (usize, &str)| {
        let value = serde_json::from_str::<Json>(line);
        let value = value.map_err(|error| Failure::damaged_text(format!("it is not JSON: {error}")));
        placed(value.and_then(|value| object(game, &value)), format!("line {}", i + 1))
    };
    lines.map(read).collect()
}

/// The fields that hold the moves of a game.
const MOVES: [&str; 3] = ["moves", "history", "actions"];

fn has_moves(fields: &serde_json::Map<String, Json>) -> bool {
    MOVES.iter().any(|key| fields.contains_key(*key))
}

/// A game as a JSON value: an object, or a list of moves.
fn object(game: &dyn AnyGame, value: &Json) -> Result<Written, Failure> {
    let fields = match value {
        Json::Object(fields) => fields,
        Json::Array(_) => {
            let start = game.start();
            let moves = moves(game, "", &start, "moves", value)?;
            return Ok(Written::new(start, moves));
        }
        other => {
            let other = shorten(&other.to_string());
            return Err(Failure::damaged_text(format!(
                "expected a game as an object or a list of moves, not `{other}`"
            )));
        }
    };
    let name = fields.get("game").and_then(Json::as_str).unwrap_or_default();
    if fields.get("game").is_some_and(Json::is_string) {
        same_game(game, name)?;
    }
    let from = ["from", "start"].iter().find_map(|key| fields.get(*key)?.as_str()).filter(|from| !from.is_empty());
    let from = from.map_or_else(|| Ok(game.start()), |from| game.position(from))?;
    let held = MOVES.iter().find_map(|key| Some((*key, fields.get(*key)?)));
    let (key, held) = held.ok_or_else(|| {
        Failure::damaged_text(format!(
            "the object has none of the fields {}",
            MOVES.map(|key| format!("`{key}`")).join(", ")
        ))
    })?;
    let moves = moves(game, name, &from, key, held)?;
    Ok(Written::new(from, moves).between(names(game, fields)))
}

/// Fails if a name means another game.
fn same_game(game: &dyn AnyGame, name: &str) -> Result<(), Failure> {
    let alike = |text: &str| text.trim().to_lowercase().replace(['_', ' '], "-");
    let alias = |name: &str| {
        let aliases = &game.facts().aliases;
        aliases.iter().any(|(alias, spelling)| alike(alias) == alike(name) && spelling == game.spelling())
    };
    let family = alike(name) == game.facts().family && game.facts().aliases.is_empty();
    if is_spelling_of(game, name.trim()) || alias(name) || family || openspiel::is_name_of(game, name) {
        return Ok(());
    }
    let saved = format!("agon-game 1\ngame {}\n", name.lines().next().unwrap_or_default());
    // The families understand more spellings than the canonical one.
    match record::load(game, &saved) {
        Ok(_) => Ok(()),
        Err(_) => Err(Failure::damaged_text(format!("it is a game of {}, not {}", shorten(name), game.spelling()))),
    }
}

/// The moves in a field: a text, a list of texts, a list of objects with a move, or numbers of OpenSpiel.
fn moves(game: &dyn AnyGame, name: &str, from: &str, key: &str, held: &Json) -> Result<Vec<String>, Failure> {
    let list = match held {
        Json::Null => return Ok(Vec::new()),
        Json::String(text) if key == "moves" => return record::list(game, text),
        Json::String(text) => openspiel::numbers(text)?.into_iter().map(Json::from).collect(),
        Json::Array(list) => list.clone(),
        other => {
            let other = shorten(&other.to_string());
            return Err(Failure::damaged_text(format!("`{key}` must be a text or a list of moves, not `{other}`")));
        }
    };
    if list.len() > MOST_MOVES {
        let (given, most) = (grouped(list.len()), grouped(MOST_MOVES));
        return Err(Failure::damaged_text(format!("{given} moves are too many: expected at most {most}")));
    }
    let action = |value: &Json| match value {
        Json::Number(number) if number.is_i64() => Action::Number(number.as_i64().unwrap_or(i64::MAX)),
        Json::String(text) => Action::Text(text.trim().to_string()),
        // A player that made no move: its turn counts as an illegal move.
        other => Action::Text(other.to_string()),
    };
    let inner = |value: &Json| match value {
        Json::Object(fields) => {
            ["move", "mv", "action"].iter().find_map(|key| fields.get(*key)).cloned().unwrap_or(Json::Null)
        }
        other => other.clone(),
    };
    let actions: Vec<Action> = list.iter().map(|value| action(&inner(value))).collect();
    if actions.iter().any(|action| matches!(action, Action::Number(_))) {
        return openspiel::moves(game, name, from, &actions);
    }
    let text = |action: Action| match action {
        Action::Text(text) => text,
        Action::Number(number) => number.to_string(),
    };
    Ok(actions.into_iter().map(text).collect())
}

/// The moves of a state of OpenSpiel.
fn numbered(game: &dyn AnyGame, name: &str, moves: &[i64]) -> Result<Written, Failure> {
    same_game(game, name)?;
    let actions: Vec<Action> = moves.iter().map(|&number| Action::Number(number)).collect();
    let start = game.start();
    let moves = openspiel::moves(game, name, &start, &actions)?;
    Ok(Written::new(start, moves))
}

/// The names of the players of a JSON object: `players` as a list or an object, or a field for each side.
fn names(game: &dyn AnyGame, fields: &serde_json::Map<String, Json>) -> [Option<String>; 2] {
    let name = |value: &Json| match value {
        Json::Object(fields) => fields.get("name").and_then(Json::as_str).and_then(usable),
        Json::String(name) => usable(name),
        _ => None,
    };
    let of_side = |fields: &serde_json::Map<String, Json>, player: Player| {
        let keys = side_keys(game, player);
        fields.iter().find(|(key, _)| keys.iter().any(|own| own.eq_ignore_ascii_case(key))).and_then(|(_, v)| name(v))
    };
    match fields.get("players") {
        Some(Json::Array(list)) => [0, 1].map(|i| list.get(i).and_then(name)),
        Some(Json::Object(sides)) => Player::BOTH.map(|player| of_side(sides, player)),
        _ => Player::BOTH.map(|player| of_side(fields, player)),
    }
}

/// Words for a side in tags and fields.
fn side_keys(game: &dyn AnyGame, player: Player) -> Vec<String> {
    let [own, other] = [player, player.other()].map(|player| game.player_name(player));
    let (number, colour) = if player == Player::First { ("player1", "white") } else { ("player2", "black") };
    let mut keys = vec![player.name().to_string(), own, number.to_string()];
    if !other.eq_ignore_ascii_case(colour) {
        keys.push(colour.to_string());
    }
    keys
}

/// A name that is one.
fn usable(name: &str) -> Option<String> {
    let name = name.trim();
    (!name.is_empty() && name != "?").then(|| shorten(name))
}

/// Returns whether games in a text begin with tags or headings.
fn tagged(text: &str) -> bool {
    text.starts_with('[') || text.starts_with("agon-game")
}

/// The games of a text that is not JSON, each with the number of its first line.
fn parts(text: &str) -> Vec<(usize, String)> {
    let mut parts: Vec<(usize, String)> = Vec::new();
    let (tags, mut in_tags, mut depth) = (tagged(text), false, 0i64);
    for (i, line) in text.lines().enumerate() {
        let bare = line.trim();
        let heading = bare.starts_with('[') || bare.starts_with("agon-game");
        let begins = match tags {
            true => heading && !in_tags && depth == 0,
            false => depth == 0 && !bare.starts_with('#') && !continues(bare) && !bare.is_empty(),
        };
        if bare.is_empty() || (!tags && bare.starts_with('#')) {
            continue;
        }
        match parts.last_mut() {
            Some((_, part)) if !begins => {
                part.push('\n');
                part.push_str(line);
            }
            _ => parts.push((i + 1, line.to_string())),
        }
        in_tags = heading && bare.starts_with('[');
        depth += nesting(bare);
    }
    parts
}

/// Brackets of comments and variations that a line opens, less those that it closes.
fn nesting(line: &str) -> i64 {
    line.chars().map(|c| i64::from(matches!(c, '{' | '(')) - i64::from(matches!(c, '}' | ')'))).sum()
}

/// Returns whether a line goes on with the game before it: it begins with a move number that is not 1.
fn continues(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    digits > 0 && line[digits..].starts_with(['.', '…']) && line[..digits].parse() != Ok(1u32)
}

/// Results at the end of a game with tags. They are no moves.
const RESULTS: [&str; 12] =
    ["*", "R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "1/2", "1-2-1-2", "0.5-0.5", "0-0"];

/// One game that is not JSON.
fn chunk(game: &dyn AnyGame, text: &str) -> Result<Written, Failure> {
    let (spelling, from, tree) = match record::read_tree(game, text) {
        Ok(recorded) => (recorded.spelling, recorded.from, recorded.tree),
        // The notation of a family plays the moves: one of them may be illegal.
        Err(failure) => {
            let header: String = text
                .lines()
                .filter(|line| line.trim().starts_with('['))
                .fold(String::new(), |all, line| all + line + "\n");
            match game.read_record(&header) {
                Some(Ok(recorded)) => (recorded.spelling, recorded.from, AnnotatedGame::read(game, text)?),
                _ => return Err(failure),
            }
        }
    };
    if !is_spelling_of(game, &spelling) {
        same_game(game, &spelling)?;
    }
    let from = game.position(&from)?;
    let mut moves = tree.line();
    while moves.last().is_some_and(|last| RESULTS.contains(&last.as_str())) {
        moves.pop();
    }
    let tag = |player: Player| {
        let keys = side_keys(game, player);
        let mut tags = tree.tags.iter();
        tags.find(|(key, _)| keys.iter().any(|own| own.eq_ignore_ascii_case(key))).and_then(|(_, name)| usable(name))
    };
    let players = Player::BOTH.map(tag);
    // A text without any structure may be no game at all.
    if tree.tags.is_empty() && !text.starts_with("agon-game") {
        if let Some(Err(failure)) = moves.first().map(|mv| game.play(&from, mv)) {
            let why = failure.message().unwrap_or_default();
            return Err(Failure::damaged_text(format!("it is no game of {}: {why}", game.spelling())));
        }
        if moves.is_empty() {
            return Err(Failure::damaged_text("it has no moves"));
        }
    }
    Ok(Written::new(from, moves).between(players))
}
