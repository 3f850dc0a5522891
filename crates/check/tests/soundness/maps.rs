//! All maps over games of up to twelve positions: every strategy, every pair of strategies, and every table that calls
//! each position a win, a draw or a loss.
//!
//! A table also holds distances, of which there are too many to try all in larger games. Those that follow from a map
//! by the rule of the format are the best a forger can do; others, near and far from them, are tried as well. Up to
//! seven positions all small distances are tried.

use crate::Count;
use crate::common::Written;
use crate::plays::{changed_strategies, changed_tables, draws, every_value, graphs_of_two, seen_from, strategies};
use agon_check::{Certificate, Claim, Section, check};
use agon_core::features::Pictured;
use agon_core::toy::{FreeGraph, Tree};
use agon_core::{Ctx, Notation, Rng, Symmetric, Value, Wdl};
use std::collections::BTreeSet;

const RESULTS: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

/// Trees of eleven and of twelve positions, some of them with extra turns.
const TREES: [&str; 8] = [
    "((+ -) (= +) (- = +))",
    "(((+ -) =) (- (= +)) -)",
    "((((+ =) -) +) (- =))",
    "(*(+ -) (*= +) (- *(+ =)))",
    "((+ -) (= +) (- = +) -)",
    "(((+ -) = +) (- =) =)",
    "((((= -) (+ =)) +) - =)",
    "((*(+ -) =) (- *(= -) +))",
];

/// Random graphs with exactly the given number of reachable positions; at each named one there are one to three moves,
/// every fourth of them an extra turn.
fn graphs(positions: usize, count: usize) -> Vec<(String, FreeGraph)> {
    let mut rng = Rng::new(positions as u64);
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    while found.len() < count {
        let named = 3 + rng.below(positions - 3);
        let name = |i: usize| char::from(b'a' + i as u8).to_string();
        let mut target = || {
            let again = if rng.below(4) == 0 { "*" } else { "" };
            let to = rng.below(named + 4);
            let to = if to < named { name(to) } else { ["+", "=", "-", "+"][to - named].to_string() };
            (again.to_string() + &to, rng.below(3) == 0)
        };
        let mut row = |i: usize| {
            let mut list = vec![target()];
            while list.len() < 3 && !list[list.len() - 1].1 {
                list.push(target());
            }
            let list: Vec<String> = list.into_iter().map(|(to, _)| to).collect();
            format!("{}:{}", name(i), list.join(","))
        };
        let text = (0..named).map(&mut row).collect::<Vec<_>>().join(" ");
        let graph = FreeGraph::with_turns(&text);
        let all = Written::new(&graph);
        let choices: usize = all.moves.iter().map(Vec::len).sum();
        if all.len() == positions && choices <= 14 && known.insert(text.clone()) {
            found.push((text, graph));
        }
    }
    found
}

/// The positions that the moves of each position lead to, and whether the turn changes on the way.
type Steps = Vec<Vec<(usize, bool)>>;

fn steps(all: &Written) -> Steps {
    let step = |pos: usize| {
        all.moves[pos].iter().map(move |&(_, next)| (next, all.turns[next] != all.turns[pos])).collect::<Vec<_>>()
    };
    (0..all.len()).map(step).collect()
}

/// The distances that follow from what a table calls each position, after the given number of rounds of the rule: a win
/// takes one ply more than the quickest move to a win, a loss one more than the slowest move to a loss.
fn follow(steps: &Steps, called: &[Wdl], first: u32, rounds: usize) -> Vec<u32> {
    let mut plies: Vec<u32> = steps.iter().map(|moves| if moves.is_empty() { 0 } else { first }).collect();
    for _ in 0..rounds {
        let before = plies.clone();
        for (pos, moves) in steps.iter().enumerate().filter(|(_, moves)| !moves.is_empty()) {
            let same = moves.iter().filter(|&&(next, turned)| seen_from(called[next], turned) == called[pos]);
            let further = same.map(|&(next, _)| before[next] + 1);
            let plied = if called[pos] == Wdl::Win { further.min() } else { further.max() };
            plies[pos] = plied.unwrap_or(first);
        }
    }
    plies
}

fn value(called: Wdl, plies: u32) -> Value {
    match called {
        Wdl::Win => Value::win_in(plies),
        Wdl::Draw => Value::DRAW,
        Wdl::Loss => Value::loss_in(plies),
    }
}

/// A certificate whose values are changed in place.
struct Forger<'a, G> {
    game: &'a G,
    certificate: Certificate,
    /// The place of each position among the sorted entries.
    places: Vec<usize>,
    truth: Vec<Value>,
    count: Count,
}

impl<'a, G: Notation + Symmetric> Forger<'a, G> {
    fn new(game: &'a G, all: &Written) -> Forger<'a, G> {
        let mut names: Vec<&String> = all.names.iter().collect();
        names.sort();
        let place = |name: &String| names.iter().position(|other| *other == name).expect("one of the names");
        let certificate = Certificate {
            game: "a game".into(),
            rules: None,
            from: game.show(&game.start()),
            claim: Claim::Table,
            up_to_symmetry: false,
            sections: vec![Section::Values(names.iter().map(|name| ((*name).clone(), Value::DRAW)).collect())],
        };
        let count = Count { states: all.len() as u64, ..Count::default() };
        Forger { game, certificate, places: all.names.iter().map(place).collect(), truth: all.values(), count }
    }

    /// Has a table judged: it is accepted if and only if it is the true one.
    fn attempt(&mut self, values: &[Value]) {
        let Some(Section::Values(entries)) = self.certificate.sections.first_mut() else { unreachable!("one section") };
        for (&place, &value) in self.places.iter().zip(values) {
            entries[place].1 = value;
        }
        let accepted = check(self.game, &Pictured::new(self.game), &self.certificate, &Ctx::default()).is_ok();
        assert_eq!(accepted, values == self.truth, "{values:?} {:?}", self.truth);
        self.count.tried += 1;
        self.count.accepted += u64::from(accepted);
    }
}

/// Every way to call each position a win, a draw or a loss, with the distances that follow; where `more` is asked for
/// also with distances after fewer rounds, from another beginning, without any, and one too long.
fn called<G: Notation + Symmetric>(game: &G, more: bool) -> Count {
    let all = Written::new(game);
    let (steps, mut forger) = (steps(&all), Forger::new(game, &all));
    let mut called = vec![Wdl::Loss; all.len()];
    for number in 0..3usize.pow(all.len() as u32) {
        let mut rest = number;
        for result in &mut called {
            *result = RESULTS[rest % 3];
            rest /= 3;
        }
        let mut attempt = |plies: &[u32]| {
            let values: Vec<Value> = called.iter().zip(plies).map(|(&wdl, &plies)| value(wdl, plies)).collect();
            forger.attempt(&values);
        };
        let plies = follow(&steps, &called, 0, all.len());
        attempt(&plies);
        if more {
            attempt(&follow(&steps, &called, 0, all.len() / 2));
            attempt(&follow(&steps, &called, 2, all.len()));
            attempt(&vec![0; all.len()]);
            attempt(&plies.iter().map(|plies| plies + 1).collect::<Vec<_>>());
        }
    }
    // Of the tables that are accepted, one at least follows from its map.
    assert!(forger.count.accepted > 0, "the true table is refused: {:?}", forger.truth);
    forger.count
}

/// Every table of values of a game, with every distance up to `most`.
pub(crate) fn tables<G: Notation + Symmetric>(game: &G, most: u32) -> Count {
    let all = Written::new(game);
    let (choice, mut forger) = (every_value(most), Forger::new(game, &all));
    let mut values = vec![Value::DRAW; all.len()];
    for number in 0..choice.len().pow(all.len() as u32) {
        let mut rest = number;
        for value in &mut values {
            *value = choice[rest % choice.len()];
            rest /= choice.len();
        }
        forger.attempt(&values);
    }
    forger.count
}

#[test]
fn every_strategy_of_games_of_eleven_and_twelve_positions_is_judged_rightly() {
    let limits = [None, Some(1), Some(3), Some(5)];
    let (mut kept, mut drawn) = (Count::default(), Count::default());
    for tree in TREES.map(Tree::new) {
        assert!([11, 12].contains(&Written::new(&tree).len()));
        kept.add(strategies(&tree, &limits));
        drawn.add(draws(&tree));
    }
    for (_, graph) in [11, 12].into_iter().flat_map(|positions| graphs(positions, 8)) {
        kept.add(strategies(&graph, &limits));
        drawn.add(draws(&graph));
    }
    kept.say("strategies, all of them in 24 games of 11 and 12 positions");
    drawn.say("draws, all pairs of strategies in 24 games of 11 and 12 positions");
    assert!(kept.accepted > 100 && drawn.accepted > 100, "{kept:?} {drawn:?}");
}

#[test]
fn of_all_tables_of_wins_draws_and_losses_only_the_true_one_is_accepted() {
    let mut count = Count::default();
    for graph in graphs_of_two().iter().filter(|graph| Written::new(*graph).len() <= 6) {
        count.add(called(graph, true));
    }
    for (_, graph) in [7, 8, 9].into_iter().flat_map(|positions| graphs(positions, 4)) {
        count.add(called(&graph, true));
    }
    for (_, graph) in [10, 11, 12].into_iter().flat_map(|positions| graphs(positions, 1)) {
        count.add(called(&graph, false));
    }
    count.add(called(&Tree::new(TREES[3]), false));
    count.say("values, all maps of win, draw and loss in games of up to 12 positions");
    assert!(count.tried > 1_000_000, "{count:?}");
}

#[test]
fn every_change_to_a_true_table_or_strategy_of_twelve_positions_is_judged_rightly() {
    let mut count = Count::default();
    for tree in TREES.map(Tree::new) {
        count.add(changed_tables(&tree));
        count.add(changed_strategies(&tree));
    }
    for (_, graph) in [11, 12].into_iter().flat_map(|positions| graphs(positions, 50)) {
        count.add(changed_tables(&graph));
        count.add(changed_strategies(&graph));
    }
    count.say("values and strategies of 11 and 12 positions, every single change to true ones");
}

#[test]
#[ignore = "minutes of processor time"]
fn all_maps_over_many_games_of_up_to_twelve_positions() {
    let (mut kept, mut drawn, mut valued) = (Count::default(), Count::default(), Count::default());
    for graph in graphs_of_two() {
        valued.add(called(&graph, true));
    }
    for (_, graph) in (7..=12).flat_map(|positions| graphs(positions, 20)) {
        kept.add(strategies(&graph, &[None, Some(1), Some(2), Some(3), Some(5), Some(8)]));
        drawn.add(draws(&graph));
        valued.add(called(&graph, Written::new(&graph).len() <= 10));
    }
    for tree in TREES.map(Tree::new) {
        valued.add(called(&tree, false));
    }
    kept.say("strategies, all of them in 120 games of 7 to 12 positions");
    drawn.say("draws, all pairs of strategies in 120 games of 7 to 12 positions");
    valued.say("values, all maps in 528 games of up to 12 positions");
}

#[test]
#[ignore = "minutes of processor time"]
fn all_tables_with_all_distances_over_games_of_five_to_seven_positions() {
    let mut count = Count::default();
    for graph in graphs_of_two() {
        if [5, 6].contains(&Written::new(&graph).len()) {
            count.add(tables(&graph, 3));
        }
    }
    for (positions, most) in [(5, 4), (6, 3), (7, 2)] {
        for (_, graph) in graphs(positions, 10) {
            count.add(tables(&graph, most));
        }
    }
    count.say("values, all tables with distances up to 2, 3 or 4 of games of 5 to 7 positions");
}
