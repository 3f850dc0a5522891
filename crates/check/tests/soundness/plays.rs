//! Strategies and tables of values: whole certificates about games with few positions, cyclic ones among them.

use crate::Count;
use crate::common::{Places, Written, every_choice};
use crate::maps::tables;
use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::Pictured;
use agon_core::toy::{Graph, Tree};
use agon_core::{Ctx, Notation, Player, Symmetric, Value, Wdl};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use std::collections::{BTreeMap, BTreeSet};

impl Written {
    /// The value of every position for its mover, with the plies of a decided play. Wins and losses spread from
    /// the ends; what they do not reach is a draw.
    pub(crate) fn values(&self) -> Vec<Value> {
        let mut known: Vec<Option<Value>> = vec![None; self.len()];
        for plies in 0..=self.len() as u32 {
            let before = known.clone();
            for pos in (0..self.len()).filter(|&pos| before[pos].is_none()) {
                let mover = self.turns[pos];
                if let Some(ends) = self.ends[pos] {
                    known[pos] = Some(match ends[mover as usize] {
                        Wdl::Win => Value::win_in(0),
                        Wdl::Draw => Value::DRAW,
                        Wdl::Loss => Value::loss_in(0),
                    });
                    continue;
                }
                // The result of each move for the mover, as far as it is known.
                let got: Vec<Option<Wdl>> = self.moves[pos]
                    .iter()
                    .map(|&(_, next)| before[next].map(|value| seen_from(value.wdl(), self.turns[next] != mover)))
                    .collect();
                if got.contains(&Some(Wdl::Win)) {
                    known[pos] = Some(Value::win_in(plies));
                } else if got.iter().all(|got| *got == Some(Wdl::Loss)) {
                    known[pos] = Some(Value::loss_in(plies));
                }
            }
        }
        known.into_iter().map(|value| value.unwrap_or(Value::DRAW)).collect()
    }

    /// The positions of a side that a play can come to when it follows the moves.
    fn met(&self, side: Player, moves: &Places) -> BTreeSet<usize> {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![0]);
        while let Some(pos) = todo.pop() {
            if seen.insert(pos) {
                match moves.get(&pos).filter(|_| self.turns[pos] == side) {
                    Some(chosen) => todo.extend(chosen),
                    None if self.turns[pos] == side => {}
                    None => todo.extend(self.moves[pos].iter().map(|&(_, next)| next)),
                }
            }
        }
        seen.into_iter().filter(|&pos| self.turns[pos] == side && self.ends[pos].is_none()).collect()
    }
}

pub(crate) fn seen_from(value: Wdl, other_side: bool) -> Wdl {
    match (value, other_side) {
        (Wdl::Win, true) => Wdl::Loss,
        (Wdl::Loss, true) => Wdl::Win,
        (value, _) => value,
    }
}

fn judge<G: Notation + Symmetric>(
    game: &G,
    claim: Claim,
    up_to_symmetry: bool,
    sections: Vec<Section>,
) -> Result<(), Rejected> {
    let from = game.show(&game.start());
    let certificate = Certificate { game: "a game".into(), rules: None, from, claim, up_to_symmetry, sections };
    check(game, &Pictured::new(game), &certificate, &Ctx::default()).map(drop)
}

/// A strategy section; `moves` are numbers of moves.
fn section(
    all: &Written,
    side: Player,
    least: Wdl,
    within: Option<u32>,
    moves: &BTreeMap<usize, Vec<usize>>,
) -> Section {
    let names = |pos: usize, list: &[usize]| list.iter().map(|&i| all.moves[pos][i].0.clone()).collect::<Vec<_>>();
    let mut entries: Vec<(String, Vec<String>)> =
        moves.iter().map(|(&pos, list)| (all.names[pos].clone(), names(pos, list))).collect();
    entries.sort();
    Section::Strategy { side, least, within, entries }
}

/// Every strategy of a game as a certificate of every claim it could support.
pub(crate) fn strategies<G: Notation + Symmetric>(game: &G, limits: &[Option<u32>]) -> Count {
    let all = Written::new(game);
    let value = all.values()[0].wdl();
    let mut count = Count { states: all.len() as u64, ..Count::default() };
    for side in Player::BOTH {
        for map in every_choice(&all, side) {
            let places: BTreeMap<usize, Vec<usize>> =
                map.iter().map(|(&pos, list)| (pos, list.iter().map(|&i| all.moves[pos][i].1).collect())).collect();
            let needed = all.met(side, &places).into_iter().collect::<Vec<_>>();
            let no_more = places.keys().all(|pos| needed.contains(pos));
            for least in [Wdl::Draw, Wdl::Win] {
                for &within in limits {
                    let true_claim = no_more && all.keeps(side, least, within, &places);
                    let sections = vec![section(&all, side, least, within, &map)];
                    let accepted = judge(game, Claim::AtLeast(side, least), false, sections.clone()).is_ok();
                    assert_eq!(accepted, true_claim, "{side:?} {least} {within:?} {map:?}");
                    for wdl in [Wdl::Loss, Wdl::Draw, Wdl::Win] {
                        let accepted = judge(game, Claim::Value(wdl), false, sections.clone()).is_ok();
                        let supports = least == Wdl::Win && (wdl == Wdl::Win) == (side == all.turns[0]);
                        assert_eq!(accepted, true_claim && supports && wdl != Wdl::Draw, "{side:?} {wdl} {map:?}");
                        assert!(!accepted || wdl == value, "{side:?} {wdl} {map:?}");
                    }
                    count.tried += 4;
                    count.accepted += u64::from(true_claim);
                }
            }
        }
    }
    count
}

/// Every pair of strategies as a certificate of a draw; and as one of anything else.
pub(crate) fn draws<G: Notation + Symmetric>(game: &G) -> Count {
    let all = Written::new(game);
    let value = all.values()[0].wdl();
    let mut count = Count { states: all.len() as u64, ..Count::default() };
    let [first, second] = Player::BOTH.map(|side| every_choice(&all, side));
    let holds = |side: Player, map: &BTreeMap<usize, Vec<usize>>| {
        judge(game, Claim::AtLeast(side, Wdl::Draw), false, vec![section(&all, side, Wdl::Draw, None, map)]).is_ok()
    };
    let second: Vec<_> = second.into_iter().map(|map| (holds(Player::Second, &map), map)).collect();
    for map in &first {
        let first_holds = holds(Player::First, map);
        for (second_holds, other) in &second {
            let sections = vec![
                section(&all, Player::First, Wdl::Draw, None, map),
                section(&all, Player::Second, Wdl::Draw, None, other),
            ];
            let accepted = judge(game, Claim::Value(Wdl::Draw), false, sections.clone()).is_ok();
            assert_eq!(accepted, first_holds && *second_holds);
            assert!(!accepted || value == Wdl::Draw, "{map:?} {other:?}");
            let turned = sections.into_iter().rev().collect();
            assert!(judge(game, Claim::Value(Wdl::Draw), false, turned).is_err());
            count.tried += 2;
            count.accepted += u64::from(accepted);
        }
    }
    count
}

pub(crate) fn every_value(most: u32) -> Vec<Value> {
    let decided = (0..=most).flat_map(|plies| [Value::win_in(plies), Value::loss_in(plies)]);
    decided.chain([Value::DRAW]).collect()
}

fn table(all: &Written, values: &[Value]) -> Vec<(String, Value)> {
    let mut entries: Vec<(String, Value)> = all.names.iter().cloned().zip(values.iter().copied()).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// Every single change to the true table of values: one value, one entry less, one entry twice.
pub(crate) fn changed_tables<G: Notation + Symmetric>(game: &G) -> Count {
    let all = Written::new(game);
    let truth = all.values();
    let mut count = Count { states: all.len() as u64, ..Count::default() };
    let judge = |entries: Vec<(String, Value)>| judge(game, Claim::Table, false, vec![Section::Values(entries)]);
    assert_eq!(judge(table(&all, &truth)), Ok(()));
    for pos in 0..all.len() {
        for value in every_value(9).into_iter().filter(|&value| value != truth[pos]) {
            let mut values = truth.clone();
            values[pos] = value;
            assert!(matches!(judge(table(&all, &values)), Err(Rejected::Refuted(_))), "{pos} {value}");
            count.tried += 1;
        }
        let mut fewer = table(&all, &truth);
        let entry = fewer.remove(pos);
        assert!(matches!(judge(fewer.clone()), Err(Rejected::Refuted(_))), "{entry:?}");
        fewer.extend([entry.clone(), entry]);
        assert!(matches!(judge(fewer), Err(Rejected::Corrupt(_))));
        count.tried += 2;
    }
    count
}

/// A strategy that is best at every position, and every single change to it.
pub(crate) fn changed_strategies<G: Notation + Symmetric>(game: &G) -> Count {
    let all = Written::new(game);
    let truth = all.values();
    let mut count = Count { states: all.len() as u64, ..Count::default() };
    for side in Player::BOTH {
        let got = seen_from(truth[0].wdl(), all.turns[0] != side);
        let best = |pos: usize| {
            let worth = |i: &usize| {
                let next = all.moves[pos][*i].1;
                let value = truth[next].wdl();
                let plies = i64::from(truth[next].plies().unwrap_or(0));
                match seen_from(value, all.turns[next] != side) {
                    Wdl::Win => 1_000_000 - plies,
                    Wdl::Draw => 0,
                    Wdl::Loss => plies - 1_000_000,
                }
            };
            (0..all.moves[pos].len()).max_by_key(worth).expect("a move")
        };
        let places = |map: &BTreeMap<usize, Vec<usize>>| -> BTreeMap<usize, Vec<usize>> {
            map.iter().map(|(&pos, list)| (pos, list.iter().map(|&i| all.moves[pos][i].1).collect())).collect()
        };
        let own = (0..all.len()).filter(|&pos| all.turns[pos] == side && all.ends[pos].is_none());
        let mut right: BTreeMap<usize, Vec<usize>> = own.map(|pos| (pos, vec![best(pos)])).collect();
        let met = all.met(side, &places(&right));
        right.retain(|pos, _| met.contains(pos));
        for least in [Wdl::Draw, Wdl::Win] {
            let mut attempt = |map: &BTreeMap<usize, Vec<usize>>| {
                let map_places = places(map);
                let no_more = map.keys().all(|pos| all.met(side, &map_places).contains(pos));
                let true_claim = no_more && all.keeps(side, least, None, &map_places);
                let sections = vec![section(&all, side, least, None, map)];
                let accepted = judge(game, Claim::AtLeast(side, least), false, sections).is_ok();
                assert_eq!(accepted, true_claim, "{side:?} {least} {map:?}");
                count.tried += 1;
                count.accepted += u64::from(accepted);
                accepted
            };
            assert_eq!(attempt(&right), got >= least, "{side:?} {least}");
            for &pos in right.keys() {
                for chosen in 0..1usize << all.moves[pos].len() {
                    let mut map = right.clone();
                    let list: Vec<usize> = (0..all.moves[pos].len()).filter(|i| chosen >> i & 1 == 1).collect();
                    if list.is_empty() {
                        drop(map.remove(&pos))
                    } else {
                        drop(map.insert(pos, list))
                    }
                    attempt(&map);
                }
            }
        }
    }
    count
}

/// Every list of one or two places out of these.
pub(crate) fn lists(places: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = places.iter().map(|place| (*place).to_string()).collect();
    for (i, one) in places.iter().enumerate() {
        all.extend(places[i..].iter().map(|other| format!("{one},{other}")));
    }
    all
}

/// Every graph with two named positions and at most two moves at each.
pub(crate) fn graphs_of_two() -> Vec<Graph> {
    let lists = lists(&["a", "b", "+", "=", "-"]);
    lists.iter().flat_map(|a| lists.iter().map(move |b| Graph::new(&format!("a:{a} b:{b}")))).collect()
}

const TREES: [&str; 9] = [
    "+",
    "=",
    "(+ -)",
    "(- =)",
    "((+ -) (= +))",
    "((+ -) (- =) -)",
    "((= =) (- +))",
    "(((+ -) -) (= (+ =)))",
    "((- (+ =)) ((= -) +))",
];

#[test]
fn a_strategy_is_accepted_if_and_only_if_every_play_that_follows_it_ends_well() {
    let limits = [None, Some(0), Some(1), Some(2), Some(3), Some(4)];
    let mut count = Count::default();
    for tree in TREES {
        count.add(strategies(&Tree::new(tree), &limits));
    }
    for graph in graphs_of_two() {
        count.add(strategies(&graph, &limits));
    }
    count.say("strategies, all of them in games of up to 10 positions");
    assert!(count.tried > 100_000 && count.accepted > 1_000, "{count:?}");
}

/// The second way to `d` is longer than the first, by which it is known already.
#[test]
fn the_longest_play_counts_however_a_position_was_met_first() {
    let limits: Vec<Option<u32>> = (0..7).map(Some).chain([None]).collect();
    let mut count = strategies(&Graph::new("a:d,b b:c c:d d:-"), &limits);
    count.add(strategies(&Graph::new("a:b,d b:c c:d d:-"), &limits));
    assert!(count.accepted > 0);
}

#[test]
fn two_strategies_are_accepted_as_a_draw_if_and_only_if_both_hold_it() {
    let mut count = Count::default();
    for tree in TREES {
        count.add(draws(&Tree::new(tree)));
    }
    for graph in graphs_of_two() {
        count.add(draws(&graph));
    }
    count.say("draws, all pairs of strategies in games of up to 10 positions");
    assert!(count.accepted > 1_000, "{count:?}");
}

#[test]
fn only_the_true_table_of_values_is_accepted() {
    let mut count = Count::default();
    for tree in &TREES[..4] {
        count.add(tables(&Tree::new(tree), 4));
    }
    for graph in graphs_of_two().iter().filter(|graph| Written::new(*graph).len() <= 4) {
        count.add(tables(graph, 3));
    }
    count.say("values, all tables of games of up to 4 positions");
    assert!(count.tried > 100_000, "{count:?}");
}

#[test]
fn every_change_to_a_true_table_or_strategy_is_judged_rightly() {
    let mut count = Count::default();
    for tree in TREES {
        count.add(changed_tables(&Tree::new(tree)));
        count.add(changed_strategies(&Tree::new(tree)));
    }
    for graph in graphs_of_two() {
        count.add(changed_tables(&graph));
        count.add(changed_strategies(&graph));
    }
    for (m, n, k) in [(1, 1, 1), (2, 1, 2), (3, 1, 2), (2, 2, 2), (3, 1, 3)] {
        count.add(changed_tables(&Mnk::new(m, n, k)));
        count.add(changed_strategies(&Mnk::new(m, n, k)));
    }
    for row in Row::ALL {
        for order_first in [true, false] {
            let game = OrderChaos::new(3, 1, 2, 2, order_first, row);
            count.add(changed_tables(&game));
            count.add(changed_strategies(&game));
        }
    }
    count.say("values and strategies, every single change to true ones");
}

#[test]
#[ignore = "minutes of processor time"]
fn strategies_of_all_graphs_of_three_positions() {
    let lists = lists(&["a", "b", "c", "+", "=", "-"]);
    let mut count = Count::default();
    for a in &lists {
        for b in &lists {
            for c in &lists {
                let graph = Graph::new(&format!("a:{a} b:{b} c:{c}"));
                count.add(strategies(&graph, &[None, Some(3)]));
                count.add(changed_tables(&graph));
            }
        }
    }
    count.say("strategies_of_all_graphs_of_three_positions");
}
