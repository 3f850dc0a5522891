//! Tables on disk: every table of a graph with few positions, cyclic ones among them.

use crate::Count;
use agon_check::Rejected;
use agon_check::tables::{Checked, Extent, check};
use agon_core::indexed::{Indexed, TableIndex};
use agon_core::toy::Graph;
use agon_core::{Alternating, Ctx, Game, Notation, NotationError, Outcome, Player};
use agon_table::values::{Code, DRAW, KIND, UNUSED, Values};
use agon_table::{BadFile, Writer};
use std::collections::BTreeMap;
use std::path::Path;

const SPELLING: &str = "graph:test";

/// Writes the one table of a graph as the solver would.
fn write(graph: &Graph, folder: &Path, codes: &[Code]) -> Result<(), BadFile> {
    write_with(&header(graph, codes), &folder.join("all.agt"), codes)
}

/// The head of a table, which says what the codes add up to.
fn header(graph: &Graph, codes: &[Code]) -> Vec<(&'static str, String)> {
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
    vec![
        ("kind", KIND.to_string()),
        ("game", SPELLING.to_string()),
        ("shard", graph.shard_name(())),
        ("phase", graph.phase(()).to_string()),
        ("numbers", codes.len().to_string()),
        ("totals", totals.clone()),
        ("classes", totals),
        ("blocked", "0".to_string()),
        ("distances", distances.join(" ")),
    ]
}

fn write_with(fields: &[(&'static str, String)], path: &Path, codes: &[Code]) -> Result<(), BadFile> {
    let mut writer = Writer::create(path, fields)?;
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
            let found = judge(&graph, folder.path(), Extent::Full);
            let accepted = found.is_ok();
            assert_eq!(accepted, codes == right, "{text}: {codes:?}, and not {right:?}");
            assert!(accepted || matches!(found, Err(Rejected::Refuted(_))), "{text}: {found:?}");
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

#[test]
fn the_head_of_a_table_must_say_what_its_codes_add_up_to() {
    let folder = tempfile::tempdir().expect("a directory");
    for text in GRAPHS {
        let graph = Graph::new(text);
        let right = truth(&graph);
        for changed in ["totals", "classes", "blocked", "distances", "phase"] {
            let mut fields = header(&graph, &right);
            fields.iter_mut().filter(|(key, _)| *key == changed).for_each(|(_, value)| value.push('9'));
            write_with(&fields, &folder.path().join("all.agt"), &right).expect("a table");
            match judge(&graph, folder.path(), Extent::Full) {
                Err(Rejected::Refuted(why)) => assert!(why.contains(&format!("says `{changed} ")), "{text}: {why}"),
                found => panic!("{text}, {changed}: {found:?}"),
            }
        }
    }
}

#[test]
fn a_directory_holds_tables_of_one_game_only() {
    let folder = tempfile::tempdir().expect("a directory");
    let graph = Graph::new(GRAPHS[0]);
    let right = truth(&graph);
    write(&graph, folder.path(), &right).expect("a table");
    assert!(judge(&graph, folder.path(), Extent::Full).is_ok());
    for (key, other) in [("game", "graph:other"), ("shard", "none")] {
        let mut fields = header(&graph, &right);
        fields.iter_mut().filter(|(found, _)| *found == key).for_each(|(_, value)| *value = other.to_string());
        let path = folder.path().join("none.agt");
        write_with(&fields, &path, &right).expect("a table");
        let found = judge(&graph, folder.path(), Extent::Full);
        assert!(matches!(found, Err(Rejected::Corrupt(_))), "{key}: {found:?}");
        std::fs::remove_file(path).expect("a table");
    }
    assert!(judge(&graph, folder.path(), Extent::Full).is_ok());
}

/// A graph in which the first side is said to be blocked wherever it is to move, unless blocked sides lose; positions
/// have images.
#[derive(Clone, Debug)]
struct Blocked(Graph, bool);

impl Game for Blocked {
    const ALTERNATES: bool = true;
    type Position = <Graph as Game>::Position;
    type Move = u8;
    type Undo = <Graph as Game>::Undo;

    fn start(&self) -> Self::Position {
        self.0.start()
    }
    fn turn(&self, pos: &Self::Position) -> Player {
        self.0.turn(pos)
    }
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome> {
        self.0.outcome(pos)
    }
    fn moves(&self, pos: &Self::Position, each: &mut impl FnMut(u8)) {
        self.0.moves(pos, each);
    }
    fn play(&self, pos: &mut Self::Position, mv: u8) -> Self::Undo {
        self.0.play(pos, mv)
    }
    fn undo(&self, pos: &mut Self::Position, mv: u8, undo: Self::Undo) {
        self.0.undo(pos, mv, undo);
    }
}

impl Alternating for Blocked {}

impl Notation for Blocked {
    fn show(&self, pos: &Self::Position) -> String {
        self.0.show(pos)
    }
    fn parse(&self, text: &str) -> Result<Self::Position, NotationError> {
        self.0.parse(text)
    }
    fn show_move(&self, pos: &Self::Position, mv: u8) -> String {
        self.0.show_move(pos, mv)
    }
}

impl Indexed for Blocked {
    type Shard = ();

    fn components(&self) -> Vec<Vec<()>> {
        self.0.components()
    }
    fn leads_to(&self, shard: ()) -> Vec<()> {
        self.0.leads_to(shard)
    }
    fn shard_name(&self, shard: ()) -> String {
        self.0.shard_name(shard)
    }
    fn shard_size(&self, shard: ()) -> u64 {
        self.0.shard_size(shard)
    }
    fn shard(&self, _pos: &Self::Position) {}
    fn table_index(&self, pos: &Self::Position) -> TableIndex<()> {
        // Half of the twelve symmetries leave every position of the first side as it is.
        TableIndex { stabiliser: if pos.1 == Player::First { 6 } else { 3 }, ..self.0.table_index(pos) }
    }
    fn position(&self, shard: (), index: u64) -> Option<Self::Position> {
        self.0.position(shard, index)
    }
    fn symmetries(&self) -> u32 {
        12
    }
    fn unplay(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Position)) {
        self.0.unplay(pos, each);
    }
    fn phase(&self, shard: ()) -> &'static str {
        self.0.phase(shard)
    }
    fn is_blocked(&self, pos: &Self::Position) -> bool {
        pos.1 == Player::First
    }
    fn blocked_lose(&self) -> bool {
        self.1
    }
}

#[test]
fn positions_of_an_orbit_and_blocked_ones_are_counted() {
    let folder = tempfile::tempdir().expect("a directory");
    for text in GRAPHS {
        let graph = Graph::new(text);
        let right = truth(&graph);
        let used = (0..right.len()).filter(|&index| right[index] != UNUSED);
        // The first side is to move at even indices, where an orbit has two positions; the others have four.
        let mut totals = [0; 3];
        for index in used.clone() {
            let kind = if right[index] == DRAW { 1 } else { 2 * usize::from(right[index] % 2 == 1) };
            totals[kind] += if index % 2 == 0 { 2 } else { 4 };
        }
        let blocked = 2 * used.filter(|index| index % 2 == 0).count();
        // Nobody has lost at once in a position with moves.
        for (lose, blocked) in [(false, blocked), (true, 0)] {
            let mut fields = header(&graph, &right);
            for (key, value) in &mut fields {
                match *key {
                    "totals" => *value = totals.map(|n| n.to_string()).join(" "),
                    "blocked" => *value = blocked.to_string(),
                    _ => {}
                }
            }
            write_with(&fields, &folder.path().join("all.agt"), &right).expect("a table");
            let found = check(&Blocked(graph.clone(), lose), SPELLING, folder.path(), Extent::Full, &Ctx::default());
            assert!(found.is_ok(), "{text}: {found:?}");
        }
    }
}
