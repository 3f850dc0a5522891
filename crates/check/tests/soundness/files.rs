//! Tables on disk: every table of a graph with few positions, cyclic ones among them.

use crate::Count;
use agon_check::Rejected;
use agon_check::tables::{Checked, Extent, check};
use agon_core::indexed::Indexed;
use agon_core::toy::Graph;
use agon_core::{Ctx, Game};
use agon_table::values::{Code, DRAW, KIND, UNUSED, Values};
use agon_table::{BadFile, Writer};
use std::collections::BTreeMap;
use std::path::Path;

const SPELLING: &str = "graph:test";

/// Writes the one table of a graph as the solver would: the head says what the codes add up to.
fn write(graph: &Graph, folder: &Path, codes: &[Code]) -> Result<(), BadFile> {
    let is = |code: Code, kind: usize| {
        code != UNUSED && kind == [2, 0, 1][usize::from(code != DRAW) * (1 + usize::from(code % 2))]
    };
    let count = |kind: usize| codes.iter().filter(|&&code| is(code, kind)).count();
    let totals = format!("{} {} {}", count(0), count(2), count(1));
    let mut distances: BTreeMap<Code, u32> = BTreeMap::new();
    for &code in codes.iter().filter(|&&code| ![DRAW, UNUSED].contains(&code)) {
        *distances.entry(code - 1).or_default() += 1;
    }
    let distances: Vec<String> = distances.iter().map(|(plies, n)| format!("{plies}:{n}")).collect();
    let fields = [
        ("kind", KIND.to_string()),
        ("game", SPELLING.to_string()),
        ("shard", graph.shard_name(())),
        ("phase", graph.phase(()).to_string()),
        ("numbers", codes.len().to_string()),
        ("totals", totals.clone()),
        ("classes", totals),
        ("blocked", "0".to_string()),
        ("distances", distances.join(" ")),
    ];
    let mut writer = Writer::create(&folder.join("all.agt"), &fields)?;
    let mut values = Values::default();
    codes.iter().for_each(|&code| values.push(code));
    writer.add(&[values.into_block()], 1)?;
    writer.finish().map(drop)
}

/// The codes of a graph, by going backwards from the ends: 0 draw, otherwise plies plus one.
fn truth(graph: &Graph) -> Vec<Code> {
    let size = graph.shard_size(());
    let mut codes: Vec<Option<Code>> = vec![None; size as usize];
    let known = |codes: &[Option<Code>], pos: &(u32, agon_core::Player)| match graph.outcome(pos) {
        Some(outcome) => match outcome.seen_by(graph.turn(pos)) {
            agon_core::Wdl::Draw => Some(DRAW),
            // Ends are not in the table. A finished play that is won for the mover cannot be written as a code.
            agon_core::Wdl::Win => Some(UNUSED),
            agon_core::Wdl::Loss => Some(1),
        },
        None => codes[graph.table_index(pos).index as usize],
    };
    for plies in 1..=2 * size as Code {
        let before = codes.clone();
        for index in 0..size {
            let Some(pos) = graph.position((), index).filter(|_| before[index as usize].is_none()) else { continue };
            let mut next = Vec::new();
            graph.moves(&pos, &mut |mv| next.push(known(&before, &graph.after(&pos, mv))));
            let lost = |code: &Option<Code>| code.is_some_and(|code| code % 2 == 1 && code != UNUSED);
            let won = |code: &Option<Code>| code.is_some_and(|code| code == UNUSED || (code % 2 == 0 && code != DRAW));
            if next.iter().any(lost) || next.iter().all(won) {
                codes[index as usize] = Some(plies + 1);
            }
        }
    }
    let code = |index: u64| graph.position((), index).map(|_| codes[index as usize].unwrap_or(DRAW));
    (0..size).map(|index| code(index).unwrap_or(UNUSED)).collect()
}

fn judge(graph: &Graph, folder: &Path, extent: Extent) -> Result<Checked, Rejected> {
    check(graph, SPELLING, folder, extent, &Ctx::default())
}

const GRAPHS: [&str; 8] =
    ["a:b,+ b:a,a", "a:b b:a,-", "a:b,= b:a,+", "a:a,-", "a:b,c b:= c:-", "a:b b:c c:+", "a:a b:a", "a:b,- b:a,="];

#[test]
fn only_the_true_table_of_a_graph_is_accepted() {
    let folder = tempfile::tempdir().expect("a directory");
    let mut count = Count::default();
    for text in GRAPHS {
        let graph = Graph::new(text);
        let right = truth(&graph);
        let places: Vec<usize> = (0..right.len()).filter(|&index| right[index] != UNUSED).collect();
        let choice = [DRAW, 1, 2, 3, 4, 5, UNUSED];
        // Every table while there are few; else every change of one code.
        let tables: Vec<Vec<Code>> = if places.len() <= 2 {
            let pick = |number: usize| {
                let mut codes = right.clone();
                places.iter().enumerate().for_each(|(i, &at)| codes[at] = choice[number / 7usize.pow(i as u32) % 7]);
                codes
            };
            (0..7usize.pow(places.len() as u32)).map(pick).collect()
        } else {
            let change = |&at: &usize| choice.map(|code| [&right[..at], &[code], &right[at + 1..]].concat());
            places.iter().flat_map(change).collect()
        };
        let empty = right.iter().position(|&code| code == UNUSED).into_iter();
        let stray = empty.map(|at| [&right[..at], &[1], &right[at + 1..]].concat());
        for codes in tables.into_iter().chain(stray) {
            write(&graph, folder.path(), &codes).expect("a table");
            let accepted = judge(&graph, folder.path(), Extent::Full).is_ok();
            assert_eq!(accepted, codes == right, "{text}: {codes:?}, and not {right:?}");
            count.tried += 1;
            count.accepted += u64::from(accepted);
        }
        count.states += places.len() as u64;
    }
    count.say("tables on disk, all tables of two positions and every change to larger ones");
    assert!(count.accepted >= GRAPHS.len() as u64, "{count:?}");
}

#[test]
fn a_table_of_another_game_or_size_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let graph = Graph::new(GRAPHS[0]);
    let right = truth(&graph);
    write(&graph, folder.path(), &right).expect("a table");
    let positions = right.iter().filter(|&&code| code != UNUSED).count() as u64;
    let expected = Checked { tables: 1, indices: right.len() as u64, positions };
    assert_eq!(judge(&graph, folder.path(), Extent::Full), Ok(expected));
    let few = Extent::Sample { of_each: 3, seed: 5 };
    assert_eq!(judge(&graph, folder.path(), few).map(|checked| checked.indices), Ok(3));
    let other = check(&graph, "graph:other", folder.path(), Extent::Full, &Ctx::default());
    assert!(matches!(other, Err(Rejected::Corrupt(_))), "{other:?}");
    write(&graph, folder.path(), &[&right[..], &[UNUSED]].concat()).expect("a table");
    let longer = judge(&graph, folder.path(), Extent::Full);
    assert!(matches!(longer, Err(Rejected::Corrupt(_))), "{longer:?}");
}
