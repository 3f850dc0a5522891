//! Whole certificates about lines and races, made from true values: accepted as they are, and not with an entry
//! more or less, for another side, or for another claim.

use crate::lines::rules;
use crate::race;
use crate::truth::{ROWS, Row, Truth, Variant};
use agon_check::seam::{LinesSteps, Look, RaceSteps, State};
use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::{Ctx, Game as _, LineGame, Notation, Player, Symmetric, Wdl};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::{OrderChaos, lines};
use std::collections::BTreeMap;

type Entries = Vec<(String, String)>;

fn text(state: &State) -> String {
    let cells: String = state.cells.iter().map(|&cell| char::from(cell)).collect();
    format!("{cells}{}{}", if state.maker { 'm' } else { 'b' }, if state.spare { "+" } else { "" })
}

fn judge<G: Notation + Symmetric + LineGame>(game: &G, claim: Claim, sections: Vec<Section>) -> Result<u64, Rejected> {
    let from = game.show(&game.start());
    let certificate = Certificate { game: "a game".into(), rules: None, from, claim, up_to_symmetry: true, sections };
    check_lines(game, &Pictured::new(game), &certificate, &Ctx::default()).map(|proved| proved.positions)
}

/// Entries for every state that is asked for: a move that wins, or `all`.
fn proof(
    first: Look,
    winner: impl Fn(&State) -> bool,
    moves: impl Fn(&State) -> Vec<String>,
    follow: impl Fn(&State, &str) -> Option<Vec<State>>,
    holds: impl Fn(&State) -> bool,
) -> Option<Entries> {
    let mut todo = match first {
        Look::Holds => return Some(Vec::new()),
        Look::Fails => return None,
        Look::Asks(state) => vec![state],
    };
    let mut entries = BTreeMap::new();
    while let Some(state) = todo.pop() {
        let reasons = if winner(&state) { moves(&state) } else { vec!["all".to_string()] };
        let mut good = reasons.into_iter().filter_map(|reason| Some((follow(&state, &reason)?, reason)));
        let (asked, reason) = good.find(|(asked, _)| asked.iter().all(&holds))?;
        entries.insert(text(&state), reason);
        todo.extend(asked.into_iter().filter(|asked| !entries.contains_key(&text(asked))));
    }
    Some(entries.into_iter().collect())
}

/// The proof of a lines section from the empty board.
fn lines_proof(variant: Variant, wins: bool, maker_first: bool) -> Option<Entries> {
    let (truth, rules) = (Truth::new(variant), rules(&variant));
    let steps = LinesSteps::new(&rules, wins);
    let moves = |_: &State| {
        let letters = ["X", "O", "A", "B"];
        let placing = |cell: usize| (0..variant.marks).map(move |mark| format!("play {}{cell}", letters[mark]));
        std::iter::once("wait".to_string()).chain((0..variant.cells()).flat_map(placing)).collect()
    };
    let follow = |state: &State, reason: &str| steps.entry(state)?.follow(reason);
    let start = variant.state(0, maker_first, false);
    proof(steps.look(&start), |state| state.maker == wins, moves, follow, |state| truth.of(state) == wins)
}

/// Tries a section as it is, with an entry less and with one more. True if the section is accepted.
fn attempt<G: Notation + Symmetric + LineGame>(
    game: &G,
    claim: Claim,
    entries: &Entries,
    section: impl Fn(Entries) -> Vec<Section>,
) -> bool {
    let result = judge(game, claim, section(entries.clone()));
    if result.is_err() {
        return false;
    }
    assert_eq!(result, Ok(entries.len() as u64));
    for at in 0..entries.len() {
        let mut fewer = entries.clone();
        fewer.remove(at);
        assert!(judge(game, claim, section(fewer)).is_err(), "without {:?}", entries[at]);
        let mut other = entries.clone();
        other[at].1 = "nothing".into();
        assert!(matches!(judge(game, claim, section(other)), Err(Rejected::Corrupt(_))));
    }
    let mut more = entries.clone();
    more.push(("zzz".into(), "all".into()));
    assert!(matches!(judge(game, claim, section(more)), Err(Rejected::Corrupt(_))));
    true
}

#[test]
fn true_proofs_about_lines_are_accepted_whole_and_for_the_right_side_only() {
    for (columns, rows, k, marks) in
        [(3, 1, 2, 2), (4, 1, 3, 2), (2, 2, 2, 2), (3, 1, 3, 3), (4, 1, 2, 1), (5, 1, 3, 2)]
    {
        for row in ROWS {
            let variant = Variant { columns, rows, k, marks, row, one_sided: false };
            let word = [lines::Row::AtLeast, lines::Row::Exact, lines::Row::ExactFinal][row as usize];
            for order_first in [true, false] {
                let game = OrderChaos::new(columns, rows, k, marks, order_first, word);
                let order_wins = Truth::new(variant).get(0, order_first, false);
                let entries = lines_proof(variant, order_wins, order_first).expect("a proof");
                assert_eq!(lines_proof(variant, !order_wins, order_first), None);
                let section = |maker, wins| move |entries| vec![Section::Lines { maker, wins, entries }];
                let value = if order_wins == order_first { Wdl::Win } else { Wdl::Loss };
                let right = section(game.order(), order_wins);
                assert!(attempt(&game, Claim::Value(value), &entries, right), "{variant:?} {order_first}");
                let winner = if order_wins { game.order() } else { game.order().other() };
                assert!(attempt(&game, Claim::AtLeast(winner, Wdl::Win), &entries, right));
                for (claim, section) in [
                    (Claim::Value(value.flip()), section(game.order(), order_wins)),
                    (Claim::Value(Wdl::Draw), section(game.order(), order_wins)),
                    (Claim::Value(value), section(game.order().other(), order_wins)),
                    (Claim::Value(value), section(game.order(), !order_wins)),
                ] {
                    assert!(!attempt(&game, claim, &entries, section), "{variant:?} {claim}");
                }
            }
        }
    }
}

#[test]
fn a_draw_is_two_proofs_that_no_line_can_be_completed() {
    for (columns, rows, k) in [(3, 1, 3), (4, 1, 3), (2, 2, 3), (3, 2, 3)] {
        let variant = Variant { columns, rows, k, marks: 2, row: Row::AtLeast, one_sided: true };
        let game = Mnk::new(columns, rows, k);
        let [first, second] = [true, false].map(|maker_first| lines_proof(variant, false, maker_first));
        let (Some(of_first), Some(of_second)) = (first, second) else { panic!("{variant:?} is drawn") };
        let section = |maker, entries: &Entries| Section::Lines { maker, wins: false, entries: entries.clone() };
        let both = vec![section(Player::Second, &of_second), section(Player::First, &of_first)];
        let positions = (of_first.len() + of_second.len()) as u64;
        assert_eq!(judge(&game, Claim::Value(Wdl::Draw), both.clone()), Ok(positions), "{variant:?}");
        assert!(judge(&game, Claim::Value(Wdl::Draw), both[..1].to_vec()).is_err());
        assert!(judge(&game, Claim::Value(Wdl::Win), both.clone()).is_err());
        let holds = Claim::AtLeast(Player::First, Wdl::Draw);
        assert_eq!(judge(&game, holds, both[..1].to_vec()), Ok(of_second.len() as u64));
        let makes = vec![Section::Lines { maker: Player::First, wins: true, entries: of_first.clone() }];
        assert!(judge(&game, Claim::Value(Wdl::Win), makes).is_err());
    }
    // A side that completes a line may be too late, so that proves nothing.
    let single = Mnk::new(1, 1, 1);
    let makes = vec![Section::Lines { maker: Player::First, wins: true, entries: vec![] }];
    let decided = judge(&single, Claim::Value(Wdl::Win), makes);
    assert_eq!(decided, Err(Rejected::Corrupt("a completed line decides nothing here".into())));
}

#[test]
fn true_proofs_of_races_are_accepted_whole_and_for_the_right_side_only() {
    for (columns, rows, k) in [(2, 1, 1), (3, 1, 2), (2, 2, 2), (3, 2, 2), (4, 2, 2)] {
        let game = Mnk::new(columns, rows, k);
        let truth = race::Truth::new(columns, rows, k);
        let [own, other] = Player::BOTH.map(|side| game.lines(side).expect("a game of lines"));
        let steps = RaceSteps::new([&own, &other]);
        let start = State { cells: vec![b'.'; columns * rows], maker: true, spare: false };
        let moves = |_: &State| (0..columns * rows).map(|cell| format!("play {cell}")).collect();
        let follow = |state: &State, reason: &str| steps.follow(state, reason);
        let entries = proof(steps.look(&start), |state| state.maker, moves, follow, |state| truth.of(state));
        let entries = entries.expect("the first player wins");
        let section = |winner| move |entries| vec![Section::Race { winner, entries }];
        assert!(attempt(&game, Claim::Value(Wdl::Win), &entries, section(Player::First)), "{columns},{rows},{k}");
        assert!(!attempt(&game, Claim::Value(Wdl::Loss), &entries, section(Player::Second)));
        assert!(!attempt(&game, Claim::Value(Wdl::Loss), &entries, section(Player::First)));
    }
    let order_chaos = OrderChaos::new(2, 1, 1, 2, true, lines::Row::AtLeast);
    let race = vec![Section::Race { winner: Player::First, entries: vec![] }];
    assert!(matches!(judge(&order_chaos, Claim::Value(Wdl::Win), race), Err(Rejected::Corrupt(_))));
}

/// Sections are tested from every position that comes up, not from the empty board only.
#[test]
fn proofs_begin_at_the_position_they_are_about() {
    let (game, variant) = (Mnk::new(3, 2, 2), (3, 2, 2));
    let truth = race::Truth::new(variant.0, variant.1, variant.2);
    let sides = Player::BOTH.map(|side| game.lines(side).expect("a game of lines"));
    let (mut todo, mut proved) = (vec![game.start()], 0);
    while let Some(pos) = todo.pop() {
        if game.outcome(&pos).is_some() {
            continue;
        }
        for winner in Player::BOTH {
            let steps = RaceSteps::new([&sides[winner as usize], &sides[winner.other() as usize]]);
            let letter = |cell: char| match (cell, winner) {
                ('.' | '/', _) => b'.',
                ('X', Player::First) | ('O', Player::Second) => b'X',
                _ => b'O',
            };
            let cells = game.show(&pos).chars().filter(|&cell| cell != '/').map(letter).collect();
            let start = State { cells, maker: game.turn(&pos) == winner, spare: false };
            let moves = |_: &State| (0..6).map(|cell| format!("play {cell}")).collect();
            let follow = |state: &State, reason: &str| steps.follow(state, reason);
            let entries = proof(steps.look(&start), |state| state.maker, moves, follow, |state| truth.of(state));
            let value = if game.turn(&pos) == winner { Wdl::Win } else { Wdl::Loss };
            let judge = |entries| {
                let certificate = Certificate {
                    game: "mnk:3,2,2".into(),
                    rules: None,
                    from: game.show(&pos),
                    claim: Claim::Value(value),
                    up_to_symmetry: true,
                    sections: vec![Section::Race { winner, entries }],
                };
                check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions)
            };
            match entries {
                Some(entries) => {
                    assert_eq!(judge(entries.clone()), Ok(entries.len() as u64), "{}", game.show(&pos));
                    proved += 1;
                }
                None => assert!(judge(Vec::new()).is_err()),
            }
        }
        todo.extend(agon_core::collect_moves(&game, &pos).into_iter().take(3).map(|mv| game.after(&pos, mv)));
    }
    assert!(proved > 10, "{proved}");
}

/// Two rows of three on five cells, from positions in which one of them is dead already.
#[test]
fn proofs_about_lines_begin_at_the_position_they_are_about() {
    let game = OrderChaos::new(5, 1, 3, 2, true, lines::Row::AtLeast);
    let judge = |from: &str, value: Wdl, makes: bool, entries: &[(&str, &str)]| {
        let entries = entries.iter().map(|(pos, reason)| ((*pos).to_string(), (*reason).to_string())).collect();
        let certificate = Certificate {
            game: "order-chaos".into(),
            rules: None,
            from: from.into(),
            claim: Claim::Value(value),
            up_to_symmetry: true,
            sections: vec![Section::Lines { maker: Player::First, wins: makes, entries }],
        };
        check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions)
    };
    assert_eq!(judge("XX...", Wdl::Win, true, &[]), Ok(0));
    assert_eq!(judge("XO.XO", Wdl::Loss, false, &[]), Ok(0));
    assert!(judge("XX...", Wdl::Loss, false, &[]).is_err());
    assert!(judge("..XX.", Wdl::Win, true, &[]).is_ok() && judge(".XO..", Wdl::Win, true, &[]).is_err());
}

#[test]
fn reasons_are_read_to_the_letter() {
    let variant = Variant { columns: 4, rows: 1, k: 3, marks: 2, row: Row::AtLeast, one_sided: false };
    let rules = rules(&variant);
    let (makes, spoils) = (LinesSteps::new(&rules, true), LinesSteps::new(&rules, false));
    let maker = variant.state(0, true, false);
    let entry = makes.entry(&maker).expect("a state with lines");
    assert!(entry.follow("play X1").is_some());
    for reason in [
        "play X01",
        "play X+1",
        "play X4",
        "play A1",
        "play x1",
        "play X",
        "play",
        "play X1 X2",
        " play X1",
        "play X1 ",
        "",
    ] {
        assert!(entry.follow(reason).is_none(), "`{reason}`");
    }
    let entry = spoils.entry(&maker).expect("a state with lines");
    assert!(entry.follow("pairs 1-2").is_some());
    for reason in
        ["pairs 1-1", "pairs 01-2", "pairs 1-+2", "pairs 1", "pairs 1~2", "pairs 1-2-3", "pairs 1-2 2-3", "pairs"]
    {
        assert!(entry.follow(reason).is_none(), "`{reason}`");
    }
    for reason in ["meet", "meet X0", "meet X1 meet", "meet 1-2", "pairs 1-2 ", "all 1", "wait"] {
        assert!(entry.follow(reason).is_none(), "`{reason}`");
    }
    let game = Mnk::new(3, 1, 2);
    let [own, other] = Player::BOTH.map(|side| game.lines(side).expect("a game of lines"));
    let steps = RaceSteps::new([&own, &other]);
    let winner = State { cells: b"...".to_vec(), maker: true, spare: false };
    assert!(steps.follow(&winner, "play 1").is_some() && steps.follow(&winner, "threats 1").is_some());
    for reason in
        ["play 01", "play +1", "play 3", "play", "play 1 2", "play 1 ", "threats", "threats 1 0", "all", "wait"]
    {
        assert!(steps.follow(&winner, reason).is_none(), "`{reason}`");
    }
}

/// The choice among them makes no difference to the truth, but entries for the others would never be reached.
#[test]
fn of_equivalent_cells_the_first_is_asked() {
    let variant = Variant { columns: 4, rows: 1, k: 3, marks: 2, row: Row::AtLeast, one_sided: true };
    let mut rules = rules(&variant);
    // Without the mirror image, which would make them one.
    rules.symmetries = vec![(0..4).collect()];
    for wins in [true, false] {
        let steps = LinesSteps::new(&rules, wins);
        // Both lines lack the two cells in the middle; each of the others is in one line only.
        let loser = variant.state(0, !wins, false);
        let asked = steps.entry(&loser).and_then(|entry| entry.follow("all")).unwrap_or_default();
        let filled: Vec<Vec<usize>> =
            asked.iter().map(|next| (0..4).filter(|&cell| next.cells[cell] != b'.').collect()).collect();
        assert!(filled.iter().all(|cells| cells.contains(&1) && !cells.contains(&2)), "{wins}: {asked:?}");
        assert_eq!(asked.is_empty(), wins, "after a mark in the middle no line can be completed any more");
    }
}
