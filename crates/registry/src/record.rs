//! Games written down: agon's own saved games, the notation of a family (PTN for Tak) and plain lists of moves.
//!
//! A saved game is text. Its first line is `agon-game 1`; the others are `game SPELLING`, `from POSITION` and
//! `moves …`, in any order. A line that is left out means the game at hand, its start, or no moves.

use crate::erased::{AnyGame, AnyRules, Recorded};
use crate::is_spelling_of;
use agon_core::Params;
use agon_core::family::{shorten, split_spelling};
use agon_report::failure::Failure;
use agon_report::words::grouped;

const FIRST_LINE: &str = "agon-game 1";

/// The extension of agon's own saved games.
const EXTENSION: &str = "agon-game";

/// No game that is read has more moves,
const MOST_MOVES: usize = 1_000_000;
/// and no list of them more bytes.
const MOST_BYTES: usize = 1 << 23;

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

/// The moves of a list as people write it. Numbers of moves, like `1.`, are left out.
pub fn list(rules: &dyn AnyRules, text: &str) -> Result<Vec<String>, Failure> {
    if text.len() > MOST_BYTES {
        let (given, most) = (grouped(text.len()), grouped(MOST_BYTES));
        return Err(Failure::Usage(format!("a list of moves of {given} bytes is too long: expected at most {most}")));
    }
    let is_number = |word: &str| word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
    Ok(rules.split_moves(text).into_iter().filter(|word| !is_number(word)).collect())
}

/// Reads a game in any of the notations: that of the family, agon's own, or a list of moves from the start. Only the
/// first has been played through; [`load`] also compares the games and plays the moves.
pub fn read(game: &dyn AnyGame, text: &str) -> Result<Recorded, Failure> {
    if let Some(recorded) = game.read_record(text) {
        return recorded;
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.lines().next() {
        None => Err(Failure::Corrupt("it is empty: expected a saved game or a list of moves".into())),
        Some(first) if first.trim_end() == FIRST_LINE => saved(game, text),
        Some(first) if first.starts_with("agon-game") => {
            let given = shorten(first);
            Err(Failure::Corrupt(format!("the first line of a saved game must be `{FIRST_LINE}`, not `{given}`")))
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
        let corrupt = |why: String| Err(Failure::Corrupt(format!("line {}: {why}", number + 1)));
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
pub fn load(game: &dyn AnyGame, text: &str) -> Result<Line, Failure> {
    let recorded = read(game, text)?;
    if !is_spelling_of(game, &recorded.spelling)
        && respelled(game, &recorded.spelling).as_deref() != Some(game.spelling())
    {
        let other = shorten(&recorded.spelling);
        return Err(Failure::Usage(format!("the saved game is {other}, not {}", game.spelling())));
    }
    let corrupt = |failure: Failure| match failure {
        Failure::Usage(why) => Failure::Corrupt(why),
        other => other,
    };
    let from = game.position(&recorded.from).map_err(corrupt)?;
    Line::new(game, from, &recorded.moves).map_err(|failure| match corrupt(failure) {
        Failure::Corrupt(why) if why.starts_with("move 1: ") => {
            Failure::Corrupt(format!("neither a saved game nor a list of moves of {}: {why}", game.spelling()))
        }
        other => other,
    })
}

/// Writes a game: its text, and the extension that a file with it has. It is in the family's own notation where there
/// is one.
#[must_use]
pub fn write(game: &dyn AnyGame, from: &str, moves: &[String]) -> (String, &'static str) {
    let own = || format!("{FIRST_LINE}\ngame {}\nfrom {from}\nmoves {}\n", game.spelling(), moves.join(" "));
    match (game.write_record(from, moves), game.record_extension()) {
        (Some(text), Some(extension)) => (text, extension),
        _ => (own(), EXTENSION),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard;

    fn loaded(game: &str, text: &str) -> Result<String, String> {
        let game = standard().game(game).unwrap();
        let line = load(game.as_ref(), text).map_err(|failure| failure.to_string())?;
        Ok(line.moves().join(" "))
    }

    #[test]
    fn every_form_of_a_game_is_read() {
        let ptn = "[Size \"5\"]\n[Player1 \"a\"]\n\n1. a5 e1 2. c3 Sc4\n";
        for (game, text, moves) in [
            ("tic-tac-toe", "agon-game 1\ngame mnk:3,3,3\nfrom .../.../...\nmoves b2 a1\n", "b2 a1"),
            (
                "tic-tac-toe",
                "\u{feff}agon-game 1\r\ngame mnk:3,3,3\r\nfrom .../.../...\r\nmoves b2 a1\r\n\r\n",
                "b2 a1",
            ),
            ("tic-tac-toe", "agon-game 1\nmoves b2 a1", "b2 a1"),
            ("tic-tac-toe", "agon-game 1\ngame mnk:3,3,3\nfrom .../.X./...\nmoves a1", "a1"),
            ("tic-tac-toe", "agon-game 1\n", ""),
            ("tic-tac-toe", "b2 a1\n c3", "b2 a1 c3"),
            ("tic-tac-toe", "1. b2 a1 2. C3", "b2 a1 c3"),
            ("drop", "4455", "d d e e"),
            ("drop", "44 e 5", "d d e e"),
            ("tak:5", ptn, "a5 e1 c3 Sc4"),
            ("tak:5", "a5 e1 c3", "a5 e1 c3"),
            ("heap:0.77:4+5", "agon-game 1\ngame heap:0.77;4+5\nfrom 4+5\nmoves \n", ""),
            ("tic-tac-toe", "agon-game 1\ngame Tic-Tac-Toe\nmoves b2", "b2"),
            ("mnk:4,4,3", "agon-game 1\ngame mnk:4,4\nmoves b2", "b2"),
        ] {
            assert_eq!(loaded(game, text).as_deref(), Ok(moves), "{game}: {text:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (game, text, why) in [
            ("tic-tac-toe", "", "it is empty: expected"),
            ("tic-tac-toe", "agon-game 2\n", "must be `agon-game 1`, not `agon-game 2`"),
            ("tic-tac-toe", "agon-game 1\nmoves b2\nmoves a1", "line 3: `moves` occurs twice"),
            ("tic-tac-toe", "agon-game 1\nplayers me you", "line 2: expected `game …`, `from …` or `moves …`"),
            ("tic-tac-toe", "agon-game 1\ngame mnk:4,4,4\nmoves", "the saved game is mnk:4,4,4, not mnk:3,3,3"),
            ("tic-tac-toe", "agon-game 1\nfrom XXX", "invalid position `XXX`"),
            ("tic-tac-toe", "b2 b2", "move 2: invalid move `b2`"),
            ("tic-tac-toe", "b2 a1 c3 a3 a2 c2 b1 b3 c1 a1", "move 10: invalid move `a1`: the play is over"),
            ("tic-tac-toe", "[Size \"5\"]\n1. a1", "neither a saved game nor a list of moves of mnk:3,3,3: move 1"),
            ("tak:5", "[Size \"5\"]\n1. a1 e5\n\n[Size \"5\"]\n1. b1", "another game begins after 2 plies"),
            ("tak:5", "[Size \"5\"]\n[Size \"6\"]\n1. b1", "the tag Size occurs twice"),
            ("tak:5", "[Size \"5\"]\n1. a1 e5 0-1\n2. c3", "the ply `c3` stands after the result 0-1"),
            ("tak:5", "[Size \"6\"]\n1. a1 f6", "the saved game is tak:6, not tak:5"),
            ("drop", "4448", "move 4: invalid move `8`"),
        ] {
            let said = loaded(game, text).unwrap_err();
            assert!(said.contains(why), "{game}: {text:?}: {said}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (game, moves, extension) in
            [("tic-tac-toe", "b2 a1", "agon-game"), ("tak:5", "a5 e1 c3", "ptn"), ("drop", "d d e", "agon-game")]
        {
            let built = standard().game(game).unwrap();
            let words: Vec<String> = moves.split(' ').map(String::from).collect();
            let (text, ending) = write(built.as_ref(), &built.start(), &words);
            assert_eq!((loaded(game, &text).as_deref(), ending), (Ok(moves), extension));
        }
    }

    #[test]
    fn numbers_of_columns_are_digits_up_to_nine_columns() {
        let words = |game: &str, text: &str| list(standard().game(game).unwrap().as_ref(), text).unwrap();
        assert_eq!(words("drop:7,6,4", "12 3"), ["1", "2", "3"]);
        assert_eq!(words("drop:12,4,4", "12 3"), ["12", "3"]);
        assert_eq!(words("tic-tac-toe", "12 3"), ["12", "3"]);
    }

    #[test]
    fn a_list_too_long_is_refused_before_it_is_split() {
        let said = loaded("tic-tac-toe", &"b2 ".repeat(MOST_BYTES / 3 + 2)).unwrap_err();
        assert!(said.contains("a list of moves of 8,388,611 bytes is too long"), "{said}");
        let said = loaded("drop", &"4".repeat(MOST_MOVES + 1)).unwrap_err();
        assert!(said.contains("a line of 1,000,001 moves is too long: expected at most 1,000,000"), "{said}");
    }
}
