//! Games with extra turns: true tables are accepted, every single change is refused, and arguments that need the turn
//! to alternate are refused altogether.

use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::lines::{CellSet, Lines, MAX_MARKS};
use agon_core::toy::{Dots, Take, Tree};
use agon_core::{
    Alternates, Ctx, Game, Guide, Notation, NotationError, Outcome, Player, Rng, Scene, Symmetric, Value, Wdl,
    collect_moves,
};
use agon_games::mnk::Mnk;
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

fn accepted<G: Notation + Symmetric + Guide>(game: &G, entries: &[(String, Value)]) -> bool {
    let sections = vec![Section::Values(entries.to_vec())];
    let from = game.show(&game.start());
    let certificate =
        Certificate { game: "toy".into(), rules: None, from, claim: Claim::Table, up_to_symmetry: true, sections };
    check(game, &certificate, &Ctx::default()).is_ok()
}

/// Every value there can be within so many plies.
fn values(plies: u32) -> Vec<Value> {
    let decided = (0..=plies).flat_map(|plies| [Value::win_in(plies), Value::loss_in(plies)]);
    decided.chain([Value::DRAW]).collect()
}

/// The true table is accepted; with any one value changed, or one entry left out, it is not.
fn only_the_truth<G: Notation + Symmetric + Guide>(game: &G, plies: u32, name: &str) {
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

/// Tic-tac-toe in which the first side begins with two marks in a row: no marker, and lines that were never its own.
#[derive(Clone, Debug)]
struct HeadStart(Mnk);

impl HeadStart {
    fn placed(&self, pos: &<Mnk as Game>::Position) -> usize {
        self.0.grid().cells() - collect_moves(&self.0, pos).len()
    }
}

impl Game for HeadStart {
    type Position = (<Mnk as Game>::Position, bool);
    type Move = u8;
    type Undo = Self::Position;

    fn start(&self) -> Self::Position {
        (self.0.start(), true)
    }
    fn turn(&self, pos: &Self::Position) -> Player {
        if pos.1 { Player::First } else { self.0.turn(&pos.0) }
    }
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome> {
        self.0.outcome(&pos.0)
    }
    fn moves(&self, pos: &Self::Position, each: &mut impl FnMut(u8)) {
        self.0.moves(&pos.0, each);
    }
    fn play(&self, pos: &mut Self::Position, mv: u8) -> Self::Undo {
        let old = *pos;
        let again = pos.1 && self.placed(&pos.0) == 0;
        self.0.play(&mut pos.0, mv);
        pos.1 = again;
        old
    }
    fn undo(&self, pos: &mut Self::Position, _mv: u8, undo: Self::Undo) {
        *pos = undo;
    }
}

impl Symmetric for HeadStart {}

impl Guide for HeadStart {
    fn lines(&self, maker: Player) -> Option<Lines> {
        self.0.lines(maker)
    }
    fn line_marks(&self, pos: &Self::Position, maker: Player) -> [CellSet; MAX_MARKS] {
        self.0.line_marks(&pos.0, maker)
    }
}

impl Notation for HeadStart {
    fn show(&self, pos: &Self::Position) -> String {
        self.0.show(&pos.0)
    }
    fn parse(&self, text: &str) -> Result<Self::Position, NotationError> {
        self.0.parse(text).map(|pos| (pos, self.placed(&pos) < 2))
    }
    fn show_move(&self, pos: &Self::Position, mv: u8) -> String {
        self.0.show_move(&pos.0, mv)
    }
    fn scene(&self, pos: &Self::Position) -> Scene {
        self.0.scene(&pos.0)
    }
    fn path(&self, pos: &Self::Position, mv: u8) -> Vec<usize> {
        self.0.path(&pos.0, mv)
    }
}

#[test]
fn lines_and_races_are_refused_without_the_marker() {
    let (mnk, game) = (Mnk::new(3, 3, 3), HeadStart(Mnk::new(3, 3, 3)));
    assert!(Alternates::of(&mnk).is_of(&mnk) && !Alternates::of(&mnk).is_of(&game));
    let verdict = |section: Section, claim: Claim| {
        let (game_name, from) = ("toy".to_string(), game.show(&game.start()));
        let certificate =
            Certificate { game: game_name, rules: None, from, claim, up_to_symmetry: true, sections: vec![section] };
        match check(&game, &certificate, &Ctx::default()) {
            Err(Rejected::Corrupt(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let lines = Section::Lines { maker: Player::Second, wins: false, entries: Vec::new() };
    let why = verdict(lines, Claim::AtLeast(Player::First, Wdl::Draw));
    assert_eq!(why, "this argument needs a game in which the turn alternates");
    let race = Section::Race { winner: Player::First, entries: Vec::new() };
    let why = verdict(race, Claim::AtLeast(Player::First, Wdl::Win));
    assert_eq!(why, "this argument is about races to complete a line only");
    for section in [Section::Lifted(Vec::new()), Section::Pairing(Vec::new())] {
        verdict(section, Claim::AtLeast(Player::First, Wdl::Win));
    }
}
