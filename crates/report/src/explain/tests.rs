use super::*;
use agon_core::Outcome;
use agon_solve::explain::Left;

fn leaf(position: &str, mover: Player, value: Wdl, plies: u32, shown: Shown) -> TextNode {
    let position = position.to_string();
    Node { position, mover, value: Bounds::exactly(value), plies: Some(plies), shown, moves: Vec::new() }
}

fn report(root: TextNode, lines: &[&[&str]], ends: Ends) -> ExplainReport {
    let line = |moves: &&[&str]| Line { moves: moves.iter().map(|mv| mv.to_string()).collect(), ends };
    let why = Explanation { root, lines: lines.iter().map(line).collect(), cut: Cut::default(), stopped: None };
    ExplainReport::new("toy", ["x".to_string(), "o".to_string()], why, Limits::default())
}

/// x is to move; a loses to b, c draws.
fn one_saves() -> ExplainReport {
    let end = leaf("ab", Player::First, Wdl::Loss, 0, Shown::End(Outcome::Win(Player::Second)));
    let mut lost = leaf("a", Player::Second, Wdl::Win, 1, Shown::Answer);
    lost.moves = vec![("b".to_string(), end)];
    let held = leaf("c", Player::Second, Wdl::Draw, 0, Shown::Proven(Left::Enough));
    let mut root = leaf("start", Player::First, Wdl::Draw, 9, Shown::Every);
    root.moves = vec![("a".to_string(), lost), ("c".to_string(), held)];
    report(root, &[&["c"], &["a", "b"]], Ends::Over(Outcome::Win(Player::Second)))
}

#[test]
fn the_fields_that_others_read_are_there() {
    let json = serde_json::to_value(one_saves()).unwrap();
    assert_eq!((&json["value"], &json["best"]), (&json!("draw"), &json!("c")));
    assert_eq!(json["sentence"], "Neither side can force a win: x draws with c; the other move loses.");
    let refuted = &json["refutations"][0];
    assert_eq!((&refuted["move"], &refuted["line"], &refuted["plies"]), (&json!("a"), &json!(["a", "b"]), &json!(2)));
    assert_eq!(refuted["sentence"], "a loses in 2 plies: o answers b and wins.");
    let end = &json["tree"]["moves"][0]["moves"][0];
    assert_eq!((&end["move"], &end["by"], &end["shown"]), (&json!("b"), &json!("second"), &json!("end")));
    assert_eq!((&end["winner"], &end["value"], &end["moves"]), (&json!("second"), &json!("loss"), &json!([])));
    assert_eq!((&json["moves"][1]["value"], &json["moves"][1]["lo"]), (&json!("draw"), &json!("draw")));
}

#[test]
fn moves_of_equal_fate_share_a_line() {
    let mut two = one_saves();
    let (_, tree) = two.why.root.moves[0].clone();
    two.why.root.moves.push(("d".to_string(), tree));
    let line = Line { moves: vec!["d".to_string(), "b".to_string()], ends: two.why.lines[1].ends };
    two.why.lines.push(line);
    let text = two.text(Paint::PLAIN);
    assert!(text.contains("■ c draws.\n▼ a d lose in 2 plies: o answers b and wins.\n"), "{text}");
    assert!(text.contains("every other move loses"), "{text}");
}

#[test]
fn what_is_not_proven_is_not_claimed() {
    for (lo, hi, words) in [
        (Wdl::Loss, Wdl::Win, "Nothing is proven about this position: the time limit was reached."),
        (Wdl::Draw, Wdl::Win, "x gets at least a draw; whether x can win is not proven: the time limit was reached."),
        (Wdl::Loss, Wdl::Draw, "x gets at most a draw; whether x loses is not proven: the time limit was reached."),
    ] {
        let mut open = report(leaf("start", Player::First, Wdl::Draw, 0, Shown::Every), &[], Ends::Proven);
        (open.why.root.value, open.why.root.plies) = (Bounds { lo, hi }, None);
        open.why.stopped = Some(Failed::Stopped(Stop::Time));
        let json = serde_json::to_value(&open).unwrap();
        assert_eq!(
            (&json["sentence"], &json["value"], &json["stopped"]),
            (&json!(words), &json!(null), &json!("time"))
        );
        assert_eq!((&json["lo"], &json["hi"], &json["best"]), (&json!(lo.name()), &json!(hi.name()), &json!(null)));
    }
}

#[test]
fn a_finished_play_says_who_won() {
    let end = |outcome, value| report(leaf("end", Player::First, value, 0, Shown::End(outcome)), &[], Ends::Proven);
    let mut won = end(Outcome::Win(Player::Second), Wdl::Loss);
    won.end_reason = Some("line");
    assert_eq!(won.sentence(), "The game is over: o has won (line).");
    assert_eq!(end(Outcome::Draw, Wdl::Draw).sentence(), "The game is over: a draw.");
    assert_eq!(serde_json::to_value(&won).unwrap()["over"], true);
}

#[test]
fn what_is_cut_is_said() {
    let mut cut = one_saves();
    cut.why.cut = Cut { size: 2, depth: 1, effort: 0, moves: 7 };
    let text = cut.text(Paint::PLAIN);
    for said in [
        "left out: play after 2 positions proven to be won, because the trees are limited to 300 positions",
        "after 1 position proven to be won, because a tree is limited to 40 plies",
        "7 other moves of",
    ] {
        assert!(text.contains(said), "{text}");
    }
    assert_eq!(serde_json::to_value(&cut).unwrap()["cut"], json!({"size": 2, "depth": 1, "effort": 0, "moves": 7}));
}
