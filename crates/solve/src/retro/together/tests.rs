use super::*;
use crate::Retro;
use crate::retro::component::InMemory;
use crate::retro::peers::channels::connected;
use crate::retro::slice::Slice;
use agon_core::Family;
use agon_core::toy::Graph;
use agon_games::mill::Mill;

/// Batches and bytes that were sent.
#[derive(Clone, Copy, Default)]
struct Sent {
    batches: usize,
    bytes: usize,
}

/// Solves every component with several processes, which are threads, and compares all values with those of one process.
fn is_the_same<G: BulkIndexed>(game: &G, name: &str, processes: usize) -> Sent {
    let retro = Retro::solve(game, 1 << 30, &Ctx::default()).unwrap();
    let mut sent = Sent::default();
    for shards in &game.components() {
        let finished = retro.finished(game, shards);
        std::thread::scope(|scope| {
            let work = |mut peers: crate::retro::peers::channels::Channels| {
                let slice = Slice::part(game, shards, peers.process(), processes);
                let mut component = Component::part(game, shards, slice);
                let ctx = Ctx::default().with_threads(1 + peers.process() % 2);
                component.solve_together(&finished, &mut peers, &mut InMemory, &ctx).unwrap();
                (component, peers.sent, peers.bytes)
            };
            let jobs: Vec<_> = connected(processes).into_iter().map(|line| scope.spawn(move || work(line))).collect();
            for job in jobs {
                let (component, batches, bytes) = job.join().unwrap();
                (sent.batches, sent.bytes) = (sent.batches + batches, sent.bytes + bytes);
                for (table, &shard) in shards.iter().enumerate() {
                    let values = retro.table(shard).unwrap();
                    for index in component.slice.own(table) {
                        let (here, there) = (component.code(table, index as u64), values.get(index as u64));
                        assert_eq!(here, there, "{name}, {processes} processes: {shard:?} {index}");
                    }
                }
            }
        });
    }
    sent
}

fn game(text: &str) -> Mill {
    Mill::from_spelling(text).unwrap().0
}

#[test]
fn several_processes_find_the_values_of_one() {
    for name in ["antrin:4", "shisima", "antrin:4,fly=always", "rota"] {
        let game = game(name);
        for processes in [1, 2, 3, 5] {
            let sent = is_the_same(&game, name, processes);
            assert_eq!(sent.batches > 0, processes > 1, "{name}: {} batches", sent.batches);
        }
    }
}

#[test]
fn several_processes_find_the_values_of_a_game_with_captures() {
    let six = game("morris:six");
    let sent = is_the_same(&six, "morris:six", 2);
    // An update takes a byte or two of a batch.
    assert!(sent.bytes < 2 * 3_457_423, "{} bytes in {} batches", sent.bytes, sent.batches);
}

#[test]
fn more_processes_than_positions_find_the_values_of_graphs() {
    let rings: Vec<String> = [70, 200, 334]
        .iter()
        .map(|&size: &usize| {
            let vertex = |at: usize| match at {
                // Even vertices are the first player's, odd ones the second player's.
                0 => "v0:+,v1".to_string(),
                at if at % 66 == 33 => format!("v{at}:v{},-", (at + 1) % size),
                at => format!("v{at}:v{},v{}", (at + 1) % size, (at * 7 + 3) % size),
            };
            (0..size).map(vertex).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let small = ["a:b b:a", "a:b b:a,-", "a:b,c b:- c:d d:+,e e:a", "a:b,c b:- c:d d:e e:a,-"];
    for text in small.into_iter().chain(rings.iter().map(String::as_str)) {
        let graph = Graph::new(text);
        for processes in [2, 3, 8] {
            is_the_same(&graph, text, processes);
        }
    }
}

#[test]
fn words_are_read_as_they_were_said() {
    for bits in 0..16 {
        let flag = |at: u32| bits >> at & 1 == 1;
        let word = Word { deepest: 70_000, open: flag(0), due: flag(1), stop: flag(2), too_deep: flag(3) };
        assert_eq!(Word::unpacked(word.packed()), word);
    }
}
