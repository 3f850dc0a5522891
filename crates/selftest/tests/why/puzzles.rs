use super::{game, graph, truth, worth};
use agon_core::Ctx;
use agon_registry::erased::PuzzleRequest;
use agon_report::{Puzzle, PuzzleKind};
use std::collections::BTreeSet;

/// Every image of a square board under the eight symmetries of the square.
fn images(board: &str) -> Vec<String> {
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let n = rows.len();
    let image = |element: usize| {
        let cell = |x: usize, y: usize| {
            let (x, y) = if element & 4 == 0 { (x, y) } else { (y, x) };
            rows[if element & 2 == 0 { y } else { n - 1 - y }][if element & 1 == 0 { x } else { n - 1 - x }]
        };
        (0..n).map(|y| (0..n).map(|x| cell(x, y)).collect::<String>()).collect::<Vec<_>>().join("/")
    };
    (0..8).map(image).collect()
}

fn made(spelling: &str, kind: PuzzleKind, count: usize, seed: u64) -> Vec<Puzzle> {
    let request = PuzzleRequest { kind, count, seed, nodes: 100_000, positions: Vec::new() };
    let report = game(spelling).puzzles(&request, &Ctx::default()).unwrap();
    assert_eq!((report.puzzles.len(), report.kind, report.seed), (count, kind, seed), "{spelling}");
    report.puzzles
}

#[test]
fn every_puzzle_has_exactly_one_right_move() {
    for (spelling, kind, count) in [
        ("mnk:3,3,3", PuzzleKind::Win, 20),
        ("mnk:3,3,3", PuzzleKind::Save, 12),
        ("drop:3,3,3", PuzzleKind::Win, 8),
        ("drop:4,3,3", PuzzleKind::Win, 4),
        ("antrin:3", PuzzleKind::Win, 8),
        ("antrin:3", PuzzleKind::Save, 8),
        ("nim:2+3+4", PuzzleKind::Win, 6),
        ("kayles:4+6,play=misere", PuzzleKind::Win, 3),
        ("order-chaos:3x3,k=3", PuzzleKind::Win, 3),
    ] {
        let game = game(spelling);
        for puzzle in made(spelling, kind, count, 5) {
            let graph = graph(game.as_ref(), &puzzle.position);
            let value = if kind == PuzzleKind::Win { "win" } else { "draw" };
            let legal = &graph.nodes()[0].moves;
            let right: Vec<&str> = legal
                .iter()
                .filter(|(_, child)| worth(&graph, 0, *child).0 == value)
                .map(|(mv, _)| mv.as_str())
                .collect();
            assert_eq!(
                (truth(&graph, 0).0, right),
                (value, vec![puzzle.solution.as_str()]),
                "{spelling} {}",
                puzzle.position
            );
            assert_eq!((puzzle.decoys, &puzzle.line[0]), (legal.len() - 1, &puzzle.solution));
            let lost = legal.iter().filter(|(_, child)| worth(&graph, 0, *child).0 == "loss");
            let distance = match kind {
                PuzzleKind::Win => truth(&graph, 0).1,
                PuzzleKind::Save => lost.filter_map(|(_, child)| worth(&graph, 0, *child).1).max(),
            };
            assert_eq!(puzzle.distance, distance, "{spelling} {}", puzzle.position);
            assert_eq!(puzzle.grade, Puzzle::grade(distance, puzzle.decoys));
            let end = puzzle.line.iter().fold(puzzle.position.clone(), |pos, mv| game.play(&pos, mv).unwrap().1);
            if kind == PuzzleKind::Win {
                assert_eq!(game.winner(&end).unwrap(), Some(puzzle.mover), "{spelling} {}", puzzle.position);
                assert_eq!(Some(puzzle.line.len() as u32), distance, "{spelling} {}", puzzle.position);
            }
        }
    }
}

#[test]
fn puzzles_differ_up_to_symmetry_and_follow_from_the_seed() {
    let (one, other) = (made("mnk:3,3,3", PuzzleKind::Win, 40, 1), made("mnk:3,3,3", PuzzleKind::Win, 40, 2));
    let classes: BTreeSet<String> =
        one.iter().map(|puzzle| images(&puzzle.position).into_iter().min().expect("eight images")).collect();
    assert_eq!(classes.len(), 40);
    assert!(one.is_sorted_by_key(|puzzle| puzzle.grade) && one.iter().any(|puzzle| puzzle.grade > 1));
    assert_eq!(one, made("mnk:3,3,3", PuzzleKind::Win, 40, 1));
    assert_ne!(one, other);
    // The sides of an impartial game have the same moves, so exchanging them makes no new puzzle.
    let heaps: Vec<String> = made("nim:3+4+5", PuzzleKind::Win, 10, 3)
        .iter()
        .map(|puzzle| puzzle.position.trim_end_matches("@second").to_string())
        .collect();
    assert_eq!(heaps.iter().collect::<BTreeSet<_>>().len(), heaps.len(), "{heaps:?}");
}

#[test]
fn a_game_without_draws_has_nothing_to_save() {
    let request = PuzzleRequest { kind: PuzzleKind::Save, count: 2, seed: 1, nodes: 1000, positions: Vec::new() };
    let report = game("nim:2+3").puzzles(&request, &Ctx::default()).unwrap();
    assert!(report.puzzles.is_empty() && report.plays > 100);
}
