//! Tak against `fast-tak` (rules) and `takparse` (text): the same moves, the same results, the same text.

use agon_core::{Game as _, Notation, Rng, collect_moves};
use agon_games::tak::Tak;
use fast_tak::{Game, Reserves};
use takparse::Tps;

/// Plays at random until `positions` were compared.
fn compare<const N: usize>(positions: usize)
where
    Reserves<N>: Default,
{
    let ours = Tak::new(N, N);
    let mut rng = Rng::new(N as u64);
    let mut seen = 0;
    while seen < positions {
        let (mut pos, mut theirs) = (ours.start(), Game::<N, 0>::default());
        loop {
            // The oracle has a draw rule of its own, which is not compared.
            theirs.reversible_plies = 0;
            seen += 1;
            let text = ours.tps(&pos);
            let (read, written): (Tps, Tps) = (text.parse().expect("takparse reads our TPS"), theirs.clone().into());
            assert_eq!(read.to_string(), text);
            assert_eq!(ours.parse(&written.to_string()).map(|pos| ours.tps(&pos)), Ok(text.clone()));
            let result = takparse::GameResult::try_from(theirs.result()).ok().map(|result| result.to_string());
            assert_eq!(ours.result_text(&pos).map(str::to_string), result, "{text}");
            if result.is_some() {
                break;
            }
            let mut expected = Vec::new();
            theirs.possible_moves(&mut expected);
            let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
            let legal = collect_moves(&ours, &pos);
            let mut names: Vec<String> = legal.iter().map(|&mv| ours.show_move(&pos, mv)).collect();
            expected.sort_unstable();
            names.sort_unstable();
            assert_eq!(names, expected, "{text}");
            // Prefer placements now and then, so that full boards and empty reserves come up too.
            let mut mv = legal[rng.below(legal.len())];
            if rng.below(3) > 0 {
                let placements: Vec<_> = legal.iter().copied().filter(|mv| mv.piece().is_some()).collect();
                mv = placements[rng.below(placements.len())];
            }
            let name = ours.show_move(&pos, mv);
            ours.play(&mut pos, mv);
            theirs.play(name.parse().expect("takparse reads our moves")).expect("a legal move");
        }
    }
}

#[test]
fn moves_results_and_text_agree_on_every_size() {
    compare::<3>(30_000);
    compare::<4>(25_000);
    compare::<5>(20_000);
    compare::<6>(15_000);
    compare::<7>(8_000);
    compare::<8>(5_000);
}
