//! Tests of verification.

use super::*;
use agon_core::Family;
use agon_core::toy::{Graph as Loopy, Tree};
use agon_games::mnk::{Mnk, Stones};

/// Allows the moves listed for each position by number.
struct Listed(Vec<(u32, Vec<u8>)>);

impl Listed {
    fn at(&self, id: u32) -> Vec<u8> {
        self.0.iter().find(|(node, _)| *node == id).map_or(Vec::new(), |(_, moves)| moves.clone())
    }
}
impl Strategy<Tree> for Listed {
    fn choices(&self, _: &Tree, pos: &u32) -> Vec<u8> {
        self.at(*pos)
    }
}
impl Strategy<Loopy> for Listed {
    fn choices(&self, _: &Loopy, pos: &(u32, Player)) -> Vec<u8> {
        self.at(pos.0)
    }
}

fn run<G: Game>(game: &G, strategy: &dyn Strategy<G>, side: Player, least: Wdl) -> Verdict<G::Position, G::Move> {
    verify(game, strategy, &Claim { side, least, root: game.start() }, &Ctx::default()).unwrap()
}

#[test]
fn a_large_search_is_left_at_the_first_break() {
    // Taking the first free cell loses at tic-tac-toe, going second.
    struct FirstFree;
    impl Strategy<Mnk> for FirstFree {
        fn choices(&self, game: &Mnk, pos: &agon_games::mnk::Stones) -> Vec<u8> {
            collect_moves(game, pos).into_iter().take(1).collect()
        }
    }
    let game = Mnk::new(3, 3, 3);
    let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
    let whole = explore(&game, &FirstFree, &claim, MAX_COUNTED_POSITIONS, &Ctx::default()).unwrap();
    let part = explore(&game, &FirstFree, &claim, 40, &Ctx::default()).unwrap();
    assert!(part.partial && !whole.partial && part.nodes.len() < whole.nodes.len());
    let shortest = |graph: &Graph<_, u8>| graph.nodes.iter().position(|node| node.end.is_some()).unwrap();
    let (of_part, of_whole) = (part.line_to(shortest(&part)), whole.line_to(shortest(&whole)));
    assert_eq!((of_part.moves.len(), of_part.how), (of_whole.moves.len(), of_whole.how));
}

/// The quick answer is that of the whole search.
fn agrees<G: Game>(game: &G, strategy: &dyn Strategy<G>) {
    for side in Player::BOTH {
        for least in [Wdl::Win, Wdl::Draw] {
            let claim = Claim { side, least, root: game.start() };
            let whole = verify(game, strategy, &claim, &Ctx::default()).unwrap();
            assert_eq!(holds(game, strategy, &claim, &Ctx::default()), Ok(whole.holds), "{side:?} {least:?}");
            let response = whole.response.unwrap();
            assert_eq!(response.value >= least, whole.holds, "{side:?} {least:?}: {response:?}");
            let end = response.moves.iter().fold(game.start(), |pos, &mv| game.after(&pos, mv));
            if let Some(outcome) = game.outcome(&end) {
                assert_eq!(outcome.seen_by(side), response.value);
            }
        }
    }
}

#[test]
fn the_quick_answer_and_the_best_response_agree_with_the_whole_search() {
    let game = Mnk::new(3, 3, 3);
    for facts in game.strategies() {
        for reading in &facts.readings {
            agrees(&game, game.strategy(facts.name, reading).unwrap().as_ref());
        }
    }
    for text in ["((+ +) (+ -))", "(((- +) (- +)) ((+ -) (+ -)))", "(= (+ =))"] {
        for moves in [vec![0], vec![1], vec![0, 1], vec![]] {
            agrees(&Tree::new(text), &Listed((0..9).map(|node| (node, moves.clone())).collect()));
        }
    }
    for (text, moves) in [("a:b,+ b:a,a", vec![0]), ("a:b,+ b:a,a", vec![1]), ("a:b,+ b:a,a", vec![0, 1])] {
        agrees(&Loopy::new(text), &Listed(vec![(0, moves.clone()), (1, moves)]));
    }
}

/// Takes the first free cell if the opponent's last one has an odd number, from 1, else the last free one.
struct OddOrEven;
impl Strategy<Mnk> for OddOrEven {
    fn choices(&self, game: &Mnk, pos: &Stones) -> Vec<u8> {
        self.choices_knowing(game, pos, 0)
    }
    fn looks_back(&self) -> bool {
        true
    }
    fn remembers(&self, _: &Mnk, _: &Stones, mv: u8) -> u16 {
        u16::from(mv) + 1
    }
    fn choices_knowing(&self, game: &Mnk, pos: &Stones, memory: u16) -> Vec<u8> {
        let legal = collect_moves(game, pos);
        let chosen = if memory % 2 == 1 { legal.first() } else { legal.last() };
        chosen.copied().into_iter().collect()
    }
}

/// Lines won, drawn and lost, play by play: no position is remembered.
fn lines_by_plays(game: &Mnk, pos: &Stones, side: Player, last: u16) -> [u32; 3] {
    if let Some(outcome) = game.outcome(pos) {
        return [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|result| u32::from(outcome.seen_by(side) == result));
    }
    let own = game.turn(pos) == side;
    let moves = if own { OddOrEven.choices_knowing(game, pos, last) } else { collect_moves(game, pos) };
    let mut sum = [0; 3];
    for mv in moves {
        let after = lines_by_plays(game, &game.after(pos, mv), side, if own { 0 } else { u16::from(mv) + 1 });
        (0..3).for_each(|i| sum[i] += after[i]);
    }
    sum
}

/// Plays what is listed.
struct ByPosition(Vec<(Stones, Vec<u8>)>);
impl Strategy<Mnk> for ByPosition {
    fn choices(&self, _: &Mnk, pos: &Stones) -> Vec<u8> {
        self.0.iter().find(|(there, _)| there == pos).map_or(Vec::new(), |(_, moves)| moves.clone())
    }
}

#[test]
fn a_strategy_that_looks_back_has_the_lines_that_playing_them_out_gives() {
    let game = Mnk::new(3, 3, 3);
    for side in Player::BOTH {
        let verdict = run(&game, &OddOrEven, side, Wdl::Draw);
        let lines = verdict.lines.clone().unwrap();
        let expected = lines_by_plays(&game, &game.start(), side, 0);
        assert_eq!([lines.win, lines.draw, lines.loss], expected.map(BigUint::from), "{side:?}");
        // Its moves by position meet the same results.
        let merged = verdict.moves();
        assert!(merged.len() < verdict.choices.len(), "some boards are met with two last moves");
        let again = run(&game, &ByPosition(merged), side, Wdl::Draw);
        assert_eq!(again.response.unwrap().value, verdict.response.unwrap().value);
    }
    agrees(&game, &OddOrEven);
}

#[test]
fn every_tie_is_followed() {
    let tree = Tree::new("((+ +) (+ -))");
    let careful = run(&tree, &Listed(vec![(0, vec![0])]), Player::First, Wdl::Win);
    assert!(careful.holds);
    let open = run(&tree, &Listed(vec![(0, vec![0, 1])]), Player::First, Wdl::Win);
    assert_eq!(open.counterexample, Some(Counterexample { moves: vec![1, 1], how: Break::Result(Wdl::Loss) }));
    let lines = open.lines.unwrap();
    assert_eq!((lines.win.clone(), lines.loss.clone()), (3u32.into(), 1u32.into()));
}

#[test]
fn silence_and_illegal_moves_break_a_claim() {
    let tree = Tree::new("((+ +) (+ -))");
    let silent = run(&tree, &Listed(vec![]), Player::First, Wdl::Draw);
    assert_eq!(silent.counterexample, Some(Counterexample { moves: vec![], how: Break::Silent }));
    let illegal = run(&tree, &Listed(vec![(0, vec![0, 7])]), Player::First, Wdl::Draw);
    assert_eq!(illegal.counterexample, Some(Counterexample { moves: vec![], how: Break::Illegal(7) }));
}

#[test]
fn a_cycle_refutes_a_win_and_keeps_a_draw() {
    let graph = Loopy::new("a:b,+ b:a,a");
    let round = Listed(vec![(0, vec![0])]);
    let win = run(&graph, &round, Player::First, Wdl::Win);
    assert_eq!((win.holds, win.lines), (false, None));
    assert_eq!(win.counterexample.map(|c| c.how), Some(Break::Cycle));
    assert!(run(&graph, &round, Player::First, Wdl::Draw).holds);
    assert!(run(&graph, &Listed(vec![(0, vec![1])]), Player::First, Wdl::Win).holds);
}

#[test]
fn the_published_rules_for_tic_tac_toe_keep_or_break_their_promise() {
    // W/D/L lines over all ties and replies, counted independently before this code existed.
    let game = Mnk::new(3, 3, 3);
    for (name, reading, side, expected) in [
        ("singh-objectives", "filters", Player::First, Some([184u32, 24, 0])),
        ("singh-objectives", "filters", Player::Second, Some([656, 264, 48])),
        ("singh-objectives", "literal", Player::First, None),
        ("singh-process", "any", Player::First, None),
        ("singh-process", "any", Player::Second, None),
    ] {
        let strategy = game.strategy(name, reading).unwrap();
        let verdict = run(&game, strategy.as_ref(), side, Wdl::Draw);
        let lines = verdict.lines.unwrap();
        let claim = Claim { side, least: Wdl::Draw, root: game.start() };
        let broken = broken_lines(&game, strategy.as_ref(), &claim, 1000, &Ctx::default()).unwrap();
        let distinct: std::collections::BTreeSet<_> = broken.iter().collect();
        assert_eq!(lines.loss, BigUint::from(distinct.len()), "{name}:{reading} {side:?}");
        if let Some(expected) = expected {
            let found = [lines.win.clone(), lines.draw.clone(), lines.loss.clone()];
            assert_eq!(found, expected.map(BigUint::from), "{name}:{reading} {side:?}");
        }
        let fails = (name, reading, side) == ("singh-objectives", "literal", Player::First) || side == Player::Second;
        assert_eq!(verdict.holds, !fails, "{name}:{reading} {side:?}");
        if reading == "literal" {
            assert_eq!(lines.loss, 8u32.into());
        }
    }
}

/// Plays anything.
struct Anything;

impl Strategy<Mnk> for Anything {
    fn choices(&self, game: &Mnk, pos: &Stones) -> Vec<u8> {
        collect_moves(game, pos)
    }
}

#[test]
fn a_limit_that_is_reached_before_a_counterexample_leaves_the_claim_undecided() {
    let game = Mnk::new(4, 4, 4);
    let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
    let ctx = Ctx::default();
    let limits = [
        (ctx.clone().with_budget(1000), Stop::Nodes),
        (ctx.clone().with_memory(100_000), Stop::Memory),
        (ctx.within(std::time::Duration::ZERO), Stop::Time),
    ];
    for (limit, stop) in limits {
        assert_eq!(verify(&game, &Anything, &claim, &limit).unwrap_err(), stop);
    }
    let small = ctx.with_memory(10_000);
    assert_eq!(holds(&Mnk::new(4, 4, 3), &Anything, &claim, &small), Ok(false), "the depth-first search meets an end");
    let never = Claim { side: Player::First, least: Wdl::Loss, root: game.start() };
    assert_eq!(holds(&game, &Anything, &never, &small), Err(Stop::Memory));
    let mut keeps = |_: &Stones| Ok(true);
    let listed = failures(&game, &Anything, &claim, &mut keeps, &small);
    assert_eq!(listed, Ok((Vec::new(), Some(Stop::Memory))));
}

#[test]
fn a_counterexample_that_was_met_before_a_limit_refutes_the_claim() {
    // Anything loses at tic-tac-toe within five plies, among the first few hundred positions.
    let game = Mnk::new(3, 3, 3);
    let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
    let verdict = verify(&game, &Anything, &claim, &Ctx::default().with_budget(4_000)).unwrap();
    assert!(!verdict.holds && verdict.partial && verdict.lines.is_none(), "{} positions", verdict.positions);
    assert_eq!(verdict.counterexample.unwrap().moves.len(), 5);
    let whole = run(&game, &Anything, Player::Second, Wdl::Draw);
    assert!(verdict.positions < whole.positions && whole.positions == 5478);
}
