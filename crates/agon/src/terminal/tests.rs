use super::*;
use crate::registry;

fn played(first: &str, second: &str, input: &str) -> String {
    played_at("tic-tac-toe", [first, second], input, 1000)
}

fn played_at(game: &str, [first, second]: [&str; 2], input: &str, most_plies: u32) -> String {
    let game = registry::standard().game(game).unwrap();
    let from = game.start();
    let mut session = Session::new(game, from, "").unwrap();
    let names = [first.to_string(), second.to_string()];
    let players = Players { names, limit: Duration::MAX, seed: 1, table: None, most_plies };
    let agent =
        |session: &Session, name: &str| (name != "human").then(|| player(session.game.as_ref(), name, 1).unwrap());
    let sides = [agent(&session, first), agent(&session, second)];
    let mut out = Vec::new();
    let resume = Arc::new(Mutex::new(String::new()));
    let mut table = Table::new(&mut session, sides, &mut out, true, &players, resume);
    table.run(&mut input.as_bytes()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn two_people_can_play_a_whole_game() {
    let out = played("human", "human", "b2\na1\nb1\nb3\na3\nc1\nc3\na2\nc2\nquit\n");
    assert!(out.contains("9 moves · draw") || out.contains("wins"), "{out}");
}

#[test]
fn wrong_input_is_reported_and_asked_for_again() {
    let half = played("human", "human", "b2 c1 zz\nquit\n");
    assert!(half.contains("the first 2 played; invalid move `zz`") && half.contains("2 moves · x to move"), "{half}");
    let nowhere = tempfile::tempdir().unwrap().path().join("missing").display().to_string();
    let said = format!("zz\nb2\nb2\nboard XXX\nload {nowhere}\nundo\nredo\nredo\nquit\n");
    let out = played("human", "human", &said);
    assert!(out.contains("invalid move `zz`: expected one of a3"));
    assert!(out.contains("that cell is taken"));
    assert!(out.contains("invalid position `XXX`"));
    assert!(out.contains(&format!("cannot read `{nowhere}`")));
    assert!(out.contains("there is nothing to play again"));
}

#[test]
fn undo_goes_back_to_the_human() {
    let out = played("human", "perfect", "b2\nundo\nmoves\nquit\n");
    assert!(out.contains("a3 b3 c3 a2 b2 c2 a1 b1 c1"), "{out}");
    let nothing = played("perfect", "human", "undo\nquit\n");
    assert!(nothing.contains("there is nothing to take back"), "{nothing}");
}

#[test]
fn hints_show_what_each_move_is_worth() {
    let out = played("human", "human", "board XX./OO./...\nhint\n");
    assert!(out.contains("* c3     ▲1   wins in 1 ply") && out.contains("▼2   loses in 2 plies"), "{out}");
}

#[test]
fn two_programs_do_not_play_for_ever() {
    // With two men a side nobody can make a line of three.
    let out = played_at("antrin:3,men=2", ["random", "random"], "", 1_000_000);
    assert!(out.contains("the same position for the third time: the game is left as a draw"), "{out}");
    let out = played_at("antrin:3,men=2", ["random", "random"], "", 4);
    assert!(out.contains("4 moves without an end: the game is left as a draw"), "{out}");
}

#[test]
fn proven_moves_are_counted() {
    let out = played("perfect", "random", "");
    assert!(out.contains("x (perfect): ") && out.contains(" moves proven, 0 not proven"), "{out}");
    assert!(!out.contains("o (random): ") && !out.contains("not proven: its search"), "{out}");
}

#[test]
fn end_of_input_ends_cleanly_and_agents_play_alone() {
    assert!(played("human", "perfect", "b2").contains("1 move"));
    let out = played("perfect", "singh-objectives", "");
    assert!(out.contains("9 moves · draw"), "{out}");
}
