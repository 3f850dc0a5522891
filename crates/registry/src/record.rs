//! Games written down: agon's own saved games, the notation of a family (PTN for Tak) and plain lists of moves.
//!
//! A saved game is text. Its first line is `agon-game 1`; the others are `game SPELLING`, `from POSITION` and
//! `moves …`, in any order. A line that is left out means the game at hand, its start, or no moves.

use crate::annotated::AnnotatedGame;
use crate::erased::{AnyGame, AnyRules, Recorded};
use crate::is_spelling_of;
use agon_core::Params;
use agon_core::family::{shorten, split_spelling};
use agon_report::failure::Failure;
use agon_report::words::grouped;

const FIRST_LINE: &str = "agon-game 1";

/// The extension of agon's own saved games.
const EXTENSION: &str = "agon-game";

/// No game that is read has more moves.
pub const MOST_MOVES: usize = 1_000_000;
/// No list of moves that is read has more bytes.
pub const MOST_BYTES: usize = 1 << 23;

/// A line of play: where it begins, and its moves, each with the position it leads to. All text is canonical.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The position at which it begins.
    pub from: String,
    /// The moves, each with the position it leads to.
    pub played: Vec<(String, String)>,
}

impl Line {
    /// Plays `moves` from the canonical position `from`. The failure says which of them is not legal.
    pub fn new(rules: &dyn AnyRules, from: String, moves: &[String]) -> Result<Line, Failure> {
        if moves.len() > MOST_MOVES {
            let (given, most) = (grouped(moves.len()), grouped(MOST_MOVES));
            return Err(Failure::Usage(format!("a line of {given} moves is too long: expected at most {most}")));
        }
        let mut line = Line { from, played: Vec::with_capacity(moves.len()) };
        for (number, mv) in moves.iter().enumerate() {
            let step = rules.play(line.position(), mv).map_err(|failure| match failure {
                Failure::Usage(why) => Failure::Usage(format!("move {}: {why}", number + 1)),
                other => other,
            })?;
            line.played.push(step);
        }
        Ok(line)
    }

    /// The position at which it ends.
    #[must_use]
    pub fn position(&self) -> &str {
        self.played.last().map_or(&self.from, |(_, pos)| pos)
    }

    /// The moves alone.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.played.iter().map(|(mv, _)| mv.clone()).collect()
    }
}

/// The moves of a list as people write it. Numbers of moves, like `1.`, are left out, and so are variations and comments
/// ([`AnnotatedGame`]).
pub fn list(rules: &dyn AnyRules, text: &str) -> Result<Vec<String>, Failure> {
    if text.len() > MOST_BYTES {
        let (given, most) = (grouped(text.len()), grouped(MOST_BYTES));
        return Err(Failure::Usage(format!("a list of moves of {given} bytes is too long: expected at most {most}")));
    }
    if AnnotatedGame::is_annotated(text) {
        Ok(AnnotatedGame::read(rules, text)?.line())
    } else {
        Ok(words(rules, text))
    }
}

/// The moves of a text that has nothing else in it but numbers of moves.
pub(crate) fn words(rules: &dyn AnyRules, text: &str) -> Vec<String> {
    let is_number = |word: &str| {
        word.ends_with(['.', '…']) && word.trim_end_matches(['.', '…']).bytes().all(|b| b.is_ascii_digit())
    };
    rules.split_moves(text).into_iter().filter(|word| !is_number(word)).collect()
}

/// Reads a game in any of the notations: that of the family, agon's own, or a list of moves from the start. Only the
/// first has been played through; [`load`] also compares the games and plays the moves.
pub fn read(game: &dyn AnyGame, text: &str) -> Result<Recorded, Failure> {
    if let Some(recorded) = game.read_record(text) {
        return recorded;
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.lines().next() {
        None => Err(Failure::damaged_text("it is empty: expected a saved game or a list of moves")),
        Some(first) if first.trim_end() == FIRST_LINE => saved(game, text),
        Some(first) if first.starts_with("agon-game") => {
            let given = shorten(first);
            Err(Failure::damaged_text(format!("the first line of a saved game must be `{FIRST_LINE}`, not `{given}`")))
        }
        Some(_) => Ok(Recorded { spelling: game.spelling().to_string(), from: game.start(), moves: list(game, text)? }),
    }
}

/// The fields of a saved game, as they stand there.
fn saved(game: &dyn AnyGame, text: &str) -> Result<Recorded, Failure> {
    let [mut spelling, mut from, mut moves] = [None; 3];
    for (number, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let line = line.trim();
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let corrupt = |why: String| Err(Failure::damaged_text(format!("line {}: {why}", number + 1)));
        let field = match key {
            "game" => &mut spelling,
            "from" => &mut from,
            "moves" => &mut moves,
            _ => {
                return corrupt(format!("expected `game …`, `from …` or `moves …`, not `{}`", shorten(line)));
            }
        };
        if field.replace(rest.trim()).is_some() {
            return corrupt(format!("`{key}` occurs twice"));
        }
    }
    Ok(Recorded {
        spelling: spelling.unwrap_or(game.spelling()).to_string(),
        from: from.filter(|from| !from.is_empty()).map_or_else(|| game.start(), String::from),
        moves: list(game, moves.unwrap_or_default())?,
    })
}

/// A game with all that its text says: where it began, and its moves with variations and comments.
#[derive(Clone, Debug)]
pub struct RecordedTree {
    /// The game it is of.
    pub spelling: String,
    /// The position at which play began.
    pub from: String,
    /// The moves, with variations and comments; not played yet.
    pub tree: AnnotatedGame,
}

/// Reads a game in any of the notations as [`read`] does, with its variations and comments. A text that is a position
/// is a game that begins there and has no moves.
pub fn read_tree(game: &dyn AnyGame, text: &str) -> Result<RecordedTree, Failure> {
    if let Some(recorded) = game.read_annotated(text) {
        return recorded;
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    let own = |from: String, tree| RecordedTree { spelling: game.spelling().to_string(), from, tree };
    match text.lines().next() {
        None => Err(Failure::damaged_text("it is empty: expected a saved game, a list of moves or a position")),
        Some(first) if first.starts_with("agon-game") => {
            let recorded = read(game, text)?;
            let moves = text.lines().find_map(|line| line.trim().strip_prefix("moves ")).unwrap_or_default();
            Ok(RecordedTree {
                spelling: recorded.spelling,
                from: recorded.from,
                tree: AnnotatedGame::read(game, moves)?,
            })
        }
        // In some games, a move is written like the position that it leads to.
        Some(_) => match (game.play(&game.start(), text), game.position(text)) {
            (Err(_), Ok(from)) => Ok(own(from, AnnotatedGame::default())),
            _ => Ok(own(game.start(), AnnotatedGame::read(game, text)?)),
        },
    }
}

/// Writes a game with its variations and comments: its text, and the extension that a file with it has.
#[must_use]
pub fn write_tree(game: &dyn AnyGame, from: &str, tree: &AnnotatedGame) -> (String, &'static str) {
    match (game.write_annotated(from, tree), game.record_notation()) {
        (Some(text), Some((extension, _))) => (text, extension),
        _ => {
            let text = format!("{FIRST_LINE}\ngame {}\nfrom {from}\nmoves {}\n", game.spelling(), tree.text());
            (text, EXTENSION)
        }
    }
}

/// The canonical spelling that a person's spelling of a game in this family stands for.
fn respelled(game: &dyn AnyGame, given: &str) -> Option<String> {
    let facts = game.facts();
    if let Some((_, spelling)) = facts.aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(given)) {
        return Some(spelling.clone());
    }
    let (family, text) = split_spelling(given);
    let params = Params::parse(facts, given, text).ok().filter(|_| family.eq_ignore_ascii_case(&facts.family));
    params.map(|params| params.spelling(facts))
}

/// Reads a game that must be of the same rules as `game`, and plays it through.
///
/// ```
/// use agon_registry::{Registry, record};
///
/// let game = Registry::standard().game("connect-four").unwrap();
/// let line = record::load(game.as_ref(), "1. d d 2. e e").unwrap();
/// let (text, extension) = record::write(game.as_ref(), &game.start(), &line.moves());
/// assert_eq!(extension, "agon-game");
/// assert_eq!(record::load(game.as_ref(), &text).unwrap().position(), line.position());
/// assert_eq!(record::read(game.as_ref(), &text).unwrap().moves, ["d", "d", "e", "e"]);
/// assert_eq!(record::list(game.as_ref(), "4455").unwrap(), ["4", "4", "5", "5"]);
/// ```
pub fn load(game: &dyn AnyGame, text: &str) -> Result<Line, Failure> {
    let recorded = read(game, text)?;
    if !is_spelling_of(game, &recorded.spelling)
        && respelled(game, &recorded.spelling).as_deref() != Some(game.spelling())
    {
        let other = shorten(&recorded.spelling);
        return Err(Failure::Usage(format!("the saved game is {other}, not {}", game.spelling())));
    }
    let corrupt = |failure: Failure| match failure {
        Failure::Usage(why) => Failure::damaged_text(why),
        other => other,
    };
    let from = game.position(&recorded.from).map_err(corrupt)?;
    Line::new(game, from, &recorded.moves).map_err(|failure| match corrupt(failure) {
        Failure::Damaged { path: None, why } if why.starts_with("move 1: ") => {
            Failure::damaged_text(format!("neither a saved game nor a list of moves of {}: {why}", game.spelling()))
        }
        other => other,
    })
}

/// Writes a game: its text, and the extension that a file with it has. It is in the family's own notation where there
/// is one.
#[must_use]
pub fn write(game: &dyn AnyGame, from: &str, moves: &[String]) -> (String, &'static str) {
    let own = || format!("{FIRST_LINE}\ngame {}\nfrom {from}\nmoves {}\n", game.spelling(), moves.join(" "));
    match (game.write_record(from, moves), game.record_notation()) {
        (Some(text), Some((extension, _))) => (text, extension),
        _ => (own(), EXTENSION),
    }
}
