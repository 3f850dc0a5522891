//! Strategies as text: what is refused, and certificates of false claims that a careless evaluator would accept.

use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::Pictured;
use agon_core::toy::{FreeGraph, Graph, Tree};
use agon_core::{Ctx, Family, Game, Notation, NotationError, Outcome, Player, Symmetric, Wdl, collect_moves};
use agon_games::impartial::Play;
use agon_games::impartial::heaps::{Coded, Heaps, Nim};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn certificate<G: Notation>(game: &G, from: &str, side: Player, least: Wdl, text: &str) -> Certificate {
    Certificate {
        game: "a game".into(),
        rules: None,
        from: if from.is_empty() { game.show(&game.start()) } else { from.into() },
        claim: Claim::AtLeast(side, least),
        up_to_symmetry: false,
        sections: vec![Section::Text { side, least, within: None, text: text.into() }],
    }
}

/// The number of positions, or why the certificate is not accepted.
fn judged<G: Family + Symmetric>(game: &G, from: &str, side: Player, least: Wdl, text: &str) -> Result<u64, String> {
    let certificate = certificate(game, from, side, least, text);
    told(check(game, &*game.vocabulary(), &certificate, &Ctx::default()).map(|proved| proved.positions))
}

fn told(result: Result<u64, Rejected>) -> Result<u64, String> {
    result.map_err(|rejected| match rejected {
        Rejected::Corrupt(why) => format!("corrupt: {why}"),
        Rejected::Refuted(why) => format!("refuted: {why}"),
        Rejected::Stopped(stop) => stop.to_string(),
    })
}

#[test]
fn what_cannot_be_evaluated_is_corrupt_and_has_a_place() {
    let game = Mnk::new(3, 3, 3);
    for (text, why) in [
        ("", "corrupt: the strategy has no rule and no book"),
        ("region a\n  a1\n", "corrupt: the strategy has no rule and no book"),
        ("only wins", "line 1, column 1: expected about, reading, or a heading"),
        ("rule", "line 1, column 5: expected a name"),
        ("rule a\nrule a", "line 2, column 6: `a` occurs twice"),
        ("rule a\n  only conrer", "line 2, column 8: no feature `conrer`"),
        ("rule a\n  only corner edge", "line 2, column 15: expected and, or, a comparison or the end of the line"),
        ("rule a\n  only corner and", "line 2, column 18: expected a feature, a number or ("),
        ("rule a\n  only (corner", "line 2, column 15: expected )"),
        ("rule a\n  only row", "line 2, column 8: `row` is a number"),
        ("rule a\n  only 3", "line 2, column 8: expected a condition, not a number"),
        ("rule a\n  only not 3", "line 2, column 8: `not` takes a condition"),
        ("rule a\n  only corner and 3", "line 2, column 8: `and` joins conditions"),
        ("rule a\n  prefer max corner", "line 2, column 14: `corner` is a yes or no"),
        ("rule a\n  prefer max not corner", "line 2, column 14: expected a number, not a condition"),
        ("rule a\n  only corner = 1", "line 2, column 8: `corner` is a yes or no"),
        ("rule a\n  only (corner or edge) = 1", "line 2, column 8: a comparison takes two numbers"),
        ("rule a\n  only 1 + (corner or edge) = 1", "line 2, column 8: a sum takes numbers"),
        ("rule a\n  only count(row) = 1", "line 2, column 14: `row` is a number"),
        ("rule a\n  only count(1) = 1", "line 2, column 8: `count` takes a condition"),
        ("rule a\n  only most(corner or edge) = 1", "line 2, column 8: `most` takes a number"),
        (
            "rule a\n  only any(count(corner) > 1)",
            "line 2, column 12: any, count, most and least cannot be used inside",
        ),
        ("rule a\n  when corner", "line 2, column 8: `corner` speaks of a move, and `when` of a position"),
        ("rule a\n  only corner(1)", "line 2, column 8: it takes nothing in parentheses"),
        ("rule a\n  only cell", "line 2, column 8: something in parentheses is missing"),
        ("rule a\n  only cell()", "line 2, column 13: expected a number or a word in the parentheses"),
        ("rule a\n  only cell(d1)", "line 2, column 13: no cell `d1`"),
        ("rule a\n  only in(here)", "line 2, column 11: `here` does not fit here"),
        ("rule a\n  only answers(here)", "line 2, column 16: `here` does not fit here"),
        ("rule a\n  only open(9) = 1", "line 2, column 13: `9` does not fit here"),
        ("rule a\n  only distance(corner) = 1", "line 2, column 17: `corner` does not fit here"),
        ("rule a\n  only row > 1000001", "line 2, column 14: expected a number, -1000000..=1000000"),
        ("rule a\n  only row > -2147483648", "line 2, column 14: expected a number, -1000000..=1000000"),
        ("rule a\n  on moon", "line 2, column 6: no board `moon`"),
        ("rule a\n  on", "line 2, column 5: expected the name of a board"),
        ("rule a\n  on#board", "line 2, column 5: expected the name of a board"),
        ("rule a\n  lonely corner", "line 2, column 3: expected when, only, prefer or on, or a heading"),
        ("pairing a\n  a1 a1\nrule b", "line 2, column 3: expected each cell once"),
        ("pairing a\n  a1 b1\n  c1 b1\nrule b", "line 3, column 3: expected each cell once"),
        ("pairing a\n  a1 b1\n  b1 a1\nrule b", "line 3, column 3: expected each cell once"),
        ("pairing a\n  a1\nrule b", "line 2, column 3: expected two cells, and perhaps `same`"),
        ("pairing border\nrule b", "line 1, column 9: `border` is taken"),
        ("region a\npairing a\nrule b", "line 2, column 9: `a` is taken"),
        ("book a\n  .../.../...", "line 2, column 3: expected a position and moves"),
        ("book a\n  .../... a1", "line 2, column 3: invalid position"),
        ("book a\n  .../.../... d1", "line 2, column 15: invalid move"),
        ("book a\n  ???/.../... a1", "line 2, column 3: a picture with ? needs an exact book"),
        ("exact book a\n  ???/... a1", "line 2, column 3: the rows of the picture are not those of the board"),
        ("exact book a\n  ??Z/.../... a1", "line 2, column 3: `Z` is not a mark"),
        ("[a] rule b", "line 1, column 1: no reading has the word `a`"),
        ("reading a\n[a rule b", "line 2, column 1: expected [WORD] or [not WORD]"),
        ("reading a,,b\nrule c", "line 1, column 9: expected words with commas between them"),
        (
            "reading a\nbook b\n  [a] .../.../... a1",
            "line 3, column 7: only headings and lines of rules can begin with a reading",
        ),
        ("reading a\nrule b\n  [not a] only conrer and", "line 3, column 26: expected a feature, a number or ("),
    ] {
        let found = judged(&game, "", Player::First, Wdl::Draw, text).expect_err(text);
        assert!(found.starts_with("corrupt: the strategy") && found.contains(why), "{text:?}: {found}");
    }
    let deep = |levels: usize| format!("rule a\n  only {}corner{}", "(".repeat(levels), ")".repeat(levels));
    assert!(judged(&game, "", Player::First, Wdl::Loss, &deep(32)).unwrap_err().starts_with("refuted"));
    assert!(judged(&game, "", Player::First, Wdl::Loss, &deep(33)).unwrap_err().contains("expected at most 32 levels"));
    let sum = |terms: usize| format!("rule a\n  prefer max row{}", " + 1000000".repeat(terms - 1));
    assert!(judged(&game, "", Player::First, Wdl::Win, &sum(1000)).unwrap_err().starts_with("refuted"));
    assert!(
        judged(&game, "", Player::First, Wdl::Win, &sum(1001)).unwrap_err().contains("expected at most 1000 terms")
    );
    let many = (0..1001).map(|n| format!("rule {n}\n")).collect::<String>();
    assert!(judged(&game, "", Player::First, Wdl::Win, &many).unwrap_err().contains("expected at most 1000 readings"));
    let long = format!("rule a\n# {}", "x".repeat(1 << 20));
    assert!(judged(&game, "", Player::First, Wdl::Win, &long).unwrap_err().contains("expected at most 1048576"));
    // A name that counts in no reading is not looked up.
    let other = "reading a\nreading b\nrule c\n  [not a] only conrer\n  only takes\n";
    assert!(judged(&game, "", Player::First, Wdl::Draw, other).unwrap_err().starts_with("refuted"));
    // A board without lines has no features of lines.
    let tree = Tree::new("(+ -)");
    let certificate = certificate(&tree, "", Player::First, Wdl::Draw, "rule a\n  only corner\n");
    let found = told(check(&tree, &Pictured::new(&tree), &certificate, &Ctx::default()).map(|proved| proved.positions));
    assert!(found.unwrap_err().ends_with("line 2, column 8: `corner` means nothing on this board"));
}

#[test]
fn a_refutation_names_the_line_of_play() {
    let game = Mnk::new(3, 3, 3);
    let first = |text: &str| judged(&game, "", Player::First, Wdl::Draw, text).unwrap_err();
    let silent = first("rule a\n  only centre\n");
    assert!(silent.ends_with(": the strategy has no move for first, after b2 a3"), "{silent}");
    let at_once = first("rule a\n  only takes\n");
    assert_eq!(at_once, "refuted: at `.../.../...`: the strategy has no move for first");
    let lost = first("rule a\n  prefer min row\n  prefer min column\n");
    assert!(lost.contains("the play ends in a loss for first, not a draw, after a1 "), "{lost}");
}

#[test]
fn every_tie_and_every_reply_is_followed() {
    // One of two moves wins: a rule that allows both proves nothing, and one that allows the right one proves a win.
    let game = Mnk::new(3, 3, 3);
    let won = "XX./OO./...";
    assert_eq!(judged(&game, won, Player::First, Wdl::Win, "rule a\n  only completes\n"), Ok(2));
    assert!(judged(&game, won, Player::First, Wdl::Draw, "rule a\n  only row = 3 or row = 1\n").is_err());
    assert!(judged(&game, won, Player::First, Wdl::Win, "rule a\n").is_err());
    // The text does not decide the moves of the other side.
    assert!(judged(&game, won, Player::Second, Wdl::Draw, "rule a\n  only completes\n").is_err());
}

#[test]
fn a_cycle_keeps_a_draw_and_refutes_a_win() {
    let judge = |graph: &str, least, within, text: &str| {
        let game = Graph::new(graph);
        let mut certificate = certificate(&game, "", Player::First, least, text);
        if let Section::Text { within: limit, .. } = &mut certificate.sections[0] {
            *limit = within;
        }
        told(check(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions))
    };
    let round = "rule a\n  only not wins\n";
    assert_eq!(judge("a:b,+ b:a,a", Wdl::Draw, None, round), Ok(2));
    let cycles = Err("refuted: play can cycle through `a/first`, so nothing is won".to_string());
    assert_eq!(judge("a:b,+ b:a,a", Wdl::Win, None, round), cycles);
    assert_eq!(judge("a:b,+ b:a,a", Wdl::Draw, Some(100), round), cycles);
    assert_eq!(judge("a:b,+ b:a,a", Wdl::Win, Some(1), "rule a\n  only wins\n"), Ok(2));
    let late = Err("refuted: a play that follows the moves takes 1 plies, not 0".to_string());
    assert_eq!(judge("a:b,+ b:a,a", Wdl::Win, Some(0), "rule a\n  only wins\n"), late);
}

#[test]
fn a_side_that_moves_again_follows_the_text_again() {
    let game = FreeGraph::with_turns("a:*b,- b:+,-");
    let judge = |text: &str| {
        let certificate = certificate(&game, "", Player::First, Wdl::Win, text);
        told(check(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions))
    };
    assert_eq!(judge("rule a\n  only wins\nrule b\n  only not loses\n"), Ok(3));
    assert!(judge("rule b\n  only not loses\n  only not wins\n").unwrap_err().contains("no move for first, after 0b"));
}

#[test]
fn a_position_is_walked_once_for_each_last_move() {
    // A position can be reached by several last moves; a text that looks back may answer each of them differently.
    let game = Mnk::new(3, 2, 3);
    let draw = |text: &str| {
        let certificate = certificate(&game, "", Player::Second, Wdl::Draw, text);
        told(check(&game, &*game.vocabulary(), &certificate, &Ctx::default()).map(|proved| proved.positions))
    };
    let plain = draw("rule a\n  only blocks\nrule b\n").expect("a second mark in each row keeps the draw");
    let back = draw("rule a\n  only blocks\nrule b\n  prefer max distance(last)\n  prefer not same-row\n")
        .expect("so does this");
    assert!(plain > 20 && back > 20, "{plain} {back}");
    let both = draw("rule a\n  only blocks\nrule b\n  only same-column or not same-column\n").expect("all moves again");
    assert!(both > plain, "{both} {plain}");
    // All positions, and all of them with the last move of the opponent of the side that follows the text; neither side
    // gets three marks here.
    let game = Mnk::new(4, 1, 3);
    let (mut positions, mut todo) = (BTreeSet::new(), vec![(game.start(), None)]);
    while let Some((pos, last)) = todo.pop() {
        if positions.insert((pos, last)) && game.outcome(&pos).is_none() {
            for mv in collect_moves(&game, &pos) {
                let after = game.after(&pos, mv);
                todo.push((after, (game.turn(&after) == Player::Second).then_some(mv)));
            }
        }
    }
    let distinct: BTreeSet<_> = positions.iter().map(|(pos, _)| pos).collect();
    let walked = |text: &str| judged(&game, "", Player::Second, Wdl::Draw, text);
    assert_eq!(walked("rule a\n"), Ok(distinct.len() as u64));
    assert_eq!(walked("rule a\n  only same-row or not same-row\n"), Ok(positions.len() as u64));
}

#[test]
fn a_line_of_more_than_100_plies_is_not_spelled_out() {
    let refuted = |plies: usize| {
        let tree = Tree::new(&format!("{}-{}", "(".repeat(plies), ")".repeat(plies)));
        let certificate = certificate(&tree, "", Player::First, Wdl::Draw, "rule a\n");
        told(check(&tree, &Pictured::new(&tree), &certificate, &Ctx::default()).map(|proved| proved.positions))
            .unwrap_err()
    };
    let spelled = refuted(100);
    let line = spelled.split_once(", after ").map_or("", |(_, line)| line);
    assert_eq!(line.split(' ').count(), 100);
    assert!(refuted(101).ends_with(", after 101 plies"));
}

#[test]
fn a_node_is_the_root_or_a_successor() {
    let tree = Tree::new("((= =) -)");
    let root = tree.show(&tree.start());
    let mv = tree.show_move(&tree.start(), collect_moves(&tree, &tree.start())[0]);
    let text = format!("exact book a\n  {root} {mv}\n");
    let (certificate, ctx) = (certificate(&tree, "", Player::First, Wdl::Draw, &text), Ctx::default());
    let proved = check(&tree, &Pictured::new(&tree), &certificate, &ctx).expect("a draw");
    assert_eq!((proved.positions, ctx.nodes()), (4, 4), "the root, the move of the book and two replies");
}

#[test]
fn symmetry_plays_no_part() {
    // The text tells images apart: with positions up to symmetry it would seem to answer all of them.
    let game = Mnk::new(3, 1, 2);
    let text = "exact book a\n  ... b1\n  OX. c1\n";
    let mut certificate = certificate(&game, "", Player::First, Wdl::Win, text);
    for full in [false, true] {
        certificate.up_to_symmetry = full;
        let found =
            told(check(&game, &*game.vocabulary(), &certificate, &Ctx::default()).map(|proved| proved.positions));
        assert_eq!(found, Err("refuted: at `.XO`: the strategy has no move for first, after b1 c1".into()));
    }
}

#[test]
fn a_check_can_be_stopped_and_reports_its_progress() {
    let (game, _) = OrderChaos::from_spelling("order-chaos:4x4,k=4").unwrap();
    // Every play ends in at least a loss, so the walk is long.
    let text = "rule any move\n  prefer max forks-left - forks-left + mark - mark\n";
    let certificate = certificate(&game, "", Player::First, Wdl::Loss, text);
    let judge = |ctx: &Ctx| check(&game, &*game.vocabulary(), &certificate, ctx);
    let stopped = judge(&Ctx::default().with_budget(5000));
    assert!(matches!(stopped, Err(Rejected::Stopped(agon_core::Stop::Nodes))), "{stopped:?}");
    let interrupted = judge(&Ctx::default().with_cancel(Arc::new(AtomicBool::new(true))));
    assert!(matches!(interrupted, Err(Rejected::Stopped(agon_core::Stop::Interrupted))), "{interrupted:?}");
    let most = Arc::new(AtomicU64::new(0));
    let seen = most.clone();
    let ctx = Ctx::default().with_budget(50_000).with_sink(move |progress| {
        seen.fetch_max(progress.done, Ordering::Relaxed);
    });
    assert!(judge(&ctx).is_err() && most.load(Ordering::Relaxed) > 100);
    // A long text takes long at each position: the check stops there, not after thousands of positions.
    let long = format!("rule any move\n{}", "  prefer max run - run\n".repeat(100));
    let certificate = self::certificate(&game, "", Player::First, Wdl::Loss, &long);
    let (cancel, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (flag, seen) = (cancel.clone(), most.clone());
    let ctx = Ctx::default().with_cancel(cancel).with_sink(move |progress| {
        flag.store(progress.done > 3, Ordering::Relaxed);
        seen.fetch_max(progress.done, Ordering::Relaxed);
    });
    let interrupted = check(&game, &*game.vocabulary(), &certificate, &ctx);
    assert!(matches!(interrupted, Err(Rejected::Stopped(agon_core::Stop::Interrupted))), "{interrupted:?}");
    assert!(most.load(Ordering::Relaxed) < 10);
}

#[test]
fn the_work_is_bounded_where_a_position_has_very_many_moves() {
    let (game, _) = Play::<Heaps<Nim>>::from_spelling("nim:1+2").unwrap();
    for text in ["rule any move\n", "rule a\n  only not lets-win\n", "rule a\n  prefer max replies\n"] {
        let certificate = certificate(&game, "1+65536", Player::First, Wdl::Win, text);
        let ctx = Ctx::default().with_budget(10_000);
        let stopped = check(&game, &*game.vocabulary(), &certificate, &ctx);
        assert!(matches!(stopped, Err(Rejected::Stopped(agon_core::Stop::Nodes))), "{text}: {stopped:?}");
        assert!(ctx.nodes() < 500_000, "{text}: {} nodes", ctx.nodes());
    }
}

#[test]
fn moves_that_no_memory_holds_are_not_listed() {
    let (game, _) = Play::<Heaps<Coded>>::from_spelling("heap:0.8:1000000").unwrap();
    for side in Player::BOTH {
        let certificate = certificate(&game, "", side, Wdl::Win, "rule any move\n");
        let stopped = check(&game, &*game.vocabulary(), &certificate, &Ctx::default());
        assert!(matches!(stopped, Err(Rejected::Stopped(agon_core::Stop::Memory))), "{stopped:?}");
    }
}

/// One line of play, in which the second side may also end the game in other ways at once. The first position has a
/// very long name; positions own memory.
#[derive(Clone, Debug)]
struct Long {
    plies: u32,
    others: u8,
}

impl Game for Long {
    type Position = Arc<u32>;
    type Move = u8;
    type Undo = Arc<u32>;

    fn start(&self) -> Arc<u32> {
        Arc::new(0)
    }
    fn turn(&self, pos: &Arc<u32>) -> Player {
        Player::BOTH[**pos as usize % 2]
    }
    fn outcome(&self, pos: &Arc<u32>) -> Option<Outcome> {
        (**pos >= self.plies).then_some(Outcome::Draw)
    }
    fn moves(&self, pos: &Arc<u32>, each: &mut impl FnMut(u8)) {
        (0..=if **pos == 1 { self.others } else { 0 }).for_each(each);
    }
    fn play(&self, pos: &mut Arc<u32>, mv: u8) -> Arc<u32> {
        let next = if mv == 0 { **pos + 1 } else { self.plies + u32::from(mv) };
        std::mem::replace(pos, Arc::new(next))
    }
    fn undo(&self, pos: &mut Arc<u32>, _mv: u8, undo: Arc<u32>) {
        *pos = undo;
    }
}

impl Symmetric for Long {}

impl Notation for Long {
    fn show(&self, pos: &Arc<u32>) -> String {
        if **pos == 0 { "0".repeat(1 << 20) } else { pos.to_string() }
    }
    fn parse(&self, text: &str) -> Result<Arc<u32>, NotationError> {
        text.parse().map(Arc::new).map_err(|_| NotationError::position(text, "expected a number"))
    }
    fn show_move(&self, _pos: &Arc<u32>, mv: u8) -> String {
        mv.to_string()
    }
}

/// The memory of a position is estimated by the length of its name, so that a gigabyte holds 511 of these; every
/// position counts twice, and every successor of the line of play that is being walked once.
#[test]
fn positions_that_no_memory_holds_are_not_walked() {
    for (others, plies, holds) in [(2, 169, true), (3, 169, false), (2, 170, false), (0, 169, true), (0, 170, false)] {
        let game = Long { plies, others };
        let certificate = certificate(&game, "", Player::First, Wdl::Draw, "rule a\n");
        match check(&game, &Pictured::new(&game), &certificate, &Ctx::default()) {
            Ok(proved) => assert!(holds && proved.positions == u64::from(plies) + 1 + u64::from(others), "{game:?}"),
            Err(Rejected::Stopped(agon_core::Stop::Memory)) => assert!(!holds, "{game:?}"),
            Err(other) => panic!("{game:?}: {other:?}"),
        }
    }
}
