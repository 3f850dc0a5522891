//! Games with extra turns: true tables are accepted, every single change is refused, and arguments that need the turn
//! to alternate are refused altogether.

use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::Pictured;
use agon_core::toy::{Dots, Take, Tree};
use agon_core::{Ctx, Game, Notation, Outcome, Player, Rng, Symmetric, Value, Wdl, collect_moves};
use std::collections::BTreeMap;

/// Values as the first side sees them: `1000 - plies` when it wins, `plies - 1000` when it loses, nought for a draw.
fn minimax<G: Game>(game: &G, pos: &G::Position, known: &mut BTreeMap<G::Position, i32>) -> i32 {
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let value = match game.outcome(pos) {
        Some(Outcome::Win(Player::First)) => 1000,
        Some(Outcome::Win(Player::Second)) => -1000,
        Some(Outcome::Draw) => 0,
        None => {
            let moves = collect_moves(game, pos);
            let values = moves.iter().map(|&mv| minimax(game, &game.after(pos, mv), known));
            let later = values.map(|value| value - value.signum());
            if game.turn(pos) == Player::First { later.max() } else { later.min() }.expect("a move")
        }
    };
    known.insert(pos.clone(), value);
    value
}

/// The true table of everything reachable, one entry for each class up to symmetry.
fn table<G: Notation + Symmetric>(game: &G) -> Vec<(String, Value)> {
    let mut known = BTreeMap::new();
    minimax(game, &game.start(), &mut known);
    let seen = |pos: &G::Position, value: i32| match if game.turn(pos) == Player::First { value } else { -value } {
        0 => Value::DRAW,
        won @ 1.. => Value::win_in((1000 - won) as u32),
        lost => Value::loss_in((1000 + lost) as u32),
    };
    let classes = known.iter().filter(|(pos, _)| game.canonical(pos).0 == **pos);
    classes.map(|(pos, &value)| (game.show(pos), seen(pos, value))).collect()
}

fn accepted<G: Notation + Symmetric>(game: &G, entries: &[(String, Value)]) -> bool {
    let sections = vec![Section::Values(entries.to_vec())];
    let from = game.show(&game.start());
    let certificate =
        Certificate { game: "toy".into(), rules: None, from, claim: Claim::Table, up_to_symmetry: true, sections };
    check(game, &Pictured::new(game), &certificate, &Ctx::default()).is_ok()
}

/// Every possible value within the given number of plies.
fn values(plies: u32) -> Vec<Value> {
    let decided = (0..=plies).flat_map(|plies| [Value::win_in(plies), Value::loss_in(plies)]);
    decided.chain([Value::DRAW]).collect()
}

/// The true table is accepted; with any one value changed, or one entry left out, it is not.
fn only_the_truth<G: Notation + Symmetric>(game: &G, plies: u32, name: &str) {
    let right = table(game);
    assert!(accepted(game, &right), "{name}: the truth is refused");
    for at in 0..right.len() {
        for value in values(plies).into_iter().filter(|&value| value != right[at].1) {
            let mut wrong = right.clone();
            wrong[at].1 = value;
            assert!(!accepted(game, &wrong), "{name}: {} as {value} is accepted", wrong[at].0);
        }
        let mut fewer = right.clone();
        fewer.remove(at);
        assert!(!accepted(game, &fewer), "{name}: accepted without {}", right[at].0);
    }
}

fn random_tree(rng: &mut Rng, depth: usize) -> String {
    let again = ["", "*"][rng.below(2)];
    if depth == 0 || rng.below(5) == 0 {
        return format!("{again}{}", ["+", "=", "-"][rng.below(3)]);
    }
    let children: Vec<String> = (0..=rng.below(2)).map(|_| random_tree(rng, depth - 1)).collect();
    format!("{again}({})", children.join(" "))
}

#[test]
fn tables_of_random_trees_with_extra_turns() {
    let mut rng = Rng::new(3);
    for _ in 0..150 {
        let text = random_tree(&mut rng, 4);
        let text = text.trim_start_matches('*');
        only_the_truth(&Tree::new(text), 5, text);
    }
}

#[test]
fn tables_of_take_and_dots_and_boxes() {
    for n in 0..=8 {
        only_the_truth(&Take(n), 9, &format!("take {n}"));
    }
    only_the_truth(&Dots::new(1, 1), 5, "dots 1x1");
    only_the_truth(&Dots::new(2, 1), 3, "dots 2x1");
    assert!(accepted(&Dots::new(2, 2), &table(&Dots::new(2, 2))));
}

#[test]
fn a_table_that_takes_alternation_for_granted_is_refuted() {
    // By alternation two counters are lost: taking one leaves a won position, and so, wrongly, does taking two.
    let game = Take(2);
    let mut entries = table(&game);
    let start = entries.iter_mut().find(|(pos, _)| *pos == game.show(&game.start())).expect("the start");
    start.1 = Value::loss_in(2);
    assert!(!accepted(&game, &entries));
}

#[test]
fn arguments_about_lines_are_refused_in_a_game_without_lines() {
    // A game with extra turns cannot have any: `LineGame` requires `Alternating`.
    let game = Dots::new(1, 1);
    for section in [
        Section::Lines { maker: Player::Second, wins: false, entries: Vec::new() },
        Section::Race { winner: Player::First, entries: Vec::new() },
        Section::Lifted(Vec::new()),
        Section::LiftedText("rule a\n".into()),
        Section::Pairing(Vec::new()),
    ] {
        let (from, claim) = (game.show(&game.start()), Claim::AtLeast(Player::First, Wdl::Draw));
        let sections = vec![section];
        let certificate = Certificate { game: "dots".into(), rules: None, from, claim, up_to_symmetry: true, sections };
        let why = "this argument needs a game with lines to complete".to_string();
        assert_eq!(check(&game, &Pictured::new(&game), &certificate, &Ctx::default()), Err(Rejected::Corrupt(why)));
    }
}
