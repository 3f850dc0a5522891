//! Games written down: every form is read, what is wrong is said with its place, what is written is read again.

use agon_registry::record::{MOST_BYTES, MOST_MOVES, list, load, write};
use agon_registry::standard;

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
        ("tic-tac-toe", "\u{feff}agon-game 1\r\ngame mnk:3,3,3\r\nfrom .../.../...\r\nmoves b2 a1\r\n\r\n", "b2 a1"),
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
        ("tic-tac-toe", "[Size 5]\n1. a1", "a tag is broken near `[Size 5]"),
        ("tic-tac-toe", "b2 (a1", "a variation is never closed"),
        ("tic-tac-toe", "z9 {first}", "neither a saved game nor a list of moves of mnk:3,3,3: move 1"),
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
