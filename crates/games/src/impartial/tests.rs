use super::circle::Circle;
use super::heaps::{Coded, Dawson, GrundysGame, Heaps, Kayles, Nim, Subtraction};
use super::sum::Sum;
use super::tiles::{Cram, Ellie, Tiles};
use super::treblecross::Treblecross;
use super::*;
use agon_core::{collect_moves, laws};

fn spelled<R: Named>(given: &str) -> (Play<R>, String) {
    Play::<R>::from_spelling(given).expect(given)
}

fn obeys_the_laws<R: Named>(given: &str, canonical: &str) {
    let (game, spelling) = spelled::<R>(given);
    assert_eq!(spelling, canonical);
    assert_eq!(spelled::<R>(&spelling).1, spelling, "the spelling is a fixed point");
    laws::check(&game, 12, 7);
    laws::alternating(&game, 12, 7);
    laws::parts(&game, 12, 7);
    laws::evaluation(&game, 12, 7);
}

#[test]
fn laws() {
    obeys_the_laws::<Heaps<Coded>>("heap:.007:20+12", "heap:0.007:12+20");
    obeys_the_laws::<Heaps<Coded>>("heap:4.8f:9,play=misere", "heap:4.8f:9,play=misere");
    obeys_the_laws::<Heaps<Subtraction>>("subtract:4,1,3:10+7+0", "subtract:1,3,4:7+10");
    obeys_the_laws::<Heaps<Subtraction>>("subtract:1,3,4:10,play=misere", "subtract:1,3,4:10,play=misere");
    obeys_the_laws::<Heaps<Nim>>("nim:3+5+7", "nim:3+5+7");
    obeys_the_laws::<Heaps<Kayles>>("kayles:8", "kayles:8");
    obeys_the_laws::<Heaps<Kayles>>("kayles:7+9", "kayles:7+9");
    obeys_the_laws::<Heaps<GrundysGame>>("grundy:5+8", "grundy:5+8");
    obeys_the_laws::<Heaps<Dawson>>("dawson", "dawson:9");
    obeys_the_laws::<Heaps<GrundysGame>>("grundy:12", "grundy:12");
    obeys_the_laws::<Tiles<Ellie>>("ellie:4x3", "ellie:4x3");
    obeys_the_laws::<Tiles<Cram>>("cram:3x3", "cram:3x3");
    obeys_the_laws::<Treblecross>("treblecross:1x8", "treblecross:1x8");
    obeys_the_laws::<Circle>("circular-nim:5,03:1+2+0+3+1", "circular-nim:5,3:1+2+0+3+1");
    obeys_the_laws::<Circle>("circular-nim:4,2:3+2+1+3,each=1", "circular-nim:4,2:3+2+1+3,each=1");
    obeys_the_laws::<Circle>("circular-nim:3,2:4+2+5,exact=yes,each=2", "circular-nim:3,2:4+2+5,each=2,exact=yes");
    obeys_the_laws::<Sum>("sum:heap:.070:9++ellie:3x4", "sum:heap:0.07:9++ellie:3x4");
    obeys_the_laws::<Sum>(
        "sum:subtract:1,3:4++circular-nim:3,2:1+1+2++treblecross:1x4,play=misere",
        "sum:subtract:1,3:4++circular-nim:3,2:1+1+2++treblecross:1x4,play=misere",
    );
}

/// Characters that a shell gives a meaning of its own, or takes a spelling apart at.
const SPECIAL: &str = ";&|<>()[]{}*?$`'\"\\!#~ \t\n";

#[test]
fn spellings_of_old_files_are_read_and_today_a_shell_leaves_them_alone() {
    fn same<R: Named>(old: &str, today: &str) {
        for given in [old, today] {
            let (game, spelling) = spelled::<R>(given);
            assert_eq!(spelling, today);
            assert_eq!(game.show(&game.start()), spelled::<R>(today).0.show(&spelled::<R>(today).0.start()), "{given}");
        }
        assert_eq!(modern(old), today);
        assert_eq!(modern(today), today);
        assert!(!today.contains(|c| SPECIAL.contains(c)), "{today}");
    }
    same::<Heaps<Coded>>("heap:0.007;12+20", "heap:0.007:12+20");
    same::<Heaps<Coded>>("heap:4.8f;9,play=misere", "heap:4.8f:9,play=misere");
    same::<Heaps<Subtraction>>("subtract:1,3,4;7+10,play=misere", "subtract:1,3,4:7+10,play=misere");
    same::<Circle>("circular-nim:5,3;1+2+0+3+1", "circular-nim:5,3:1+2+0+3+1");
    same::<Circle>("circular-nim:4,2", "circular-nim:4,2:3+3+3+3");
    same::<Circle>("circular-nim:3,2,play=misere", "circular-nim:3,2:3+3+3,play=misere");
    same::<Sum>("sum:(heap:0.07;9)+(ellie:3x4)", "sum:heap:0.07:9++ellie:3x4");
    same::<Sum>("sum:(nim:2+3)", "sum:nim:2+3");
    same::<Sum>(
        "sum:(subtract:1,3;4)+(circular-nim:3,2;1+1+2)+(treblecross:1x4),play=misere",
        "sum:subtract:1,3:4++circular-nim:3,2:1+1+2++treblecross:1x4,play=misere",
    );
    let (sum, _) = spelled::<Sum>("sum:nim:2+3++kayles:4");
    assert_eq!(sum.parse("2+3++4").unwrap(), sum.parse("(2+3)+(4)").unwrap());
}

#[test]
fn what_is_left_out_is_the_default_that_is_listed() {
    fn listed<R: Named>(without: &str) {
        let family = R::facts().family;
        assert_eq!(spelled::<R>(without).1, spelled::<R>(&family).1);
        let values: Vec<String> = R::facts().params.into_iter().filter(|p| p.positional).map(|p| p.default).collect();
        assert_eq!(spelled::<R>(&family).1, R::show_commas(&format!("{family}:{}", values.join(","))));
    }
    listed::<Heaps<Coded>>("heap:0.007");
    listed::<Heaps<Subtraction>>("subtract:1,2,3");
    listed::<Circle>("circular-nim:4,2");
    listed::<Sum>("sum:play=normal");
}

#[test]
fn errors_say_what_would_do() {
    fn error<R: Named>(given: &str) -> String {
        Play::<R>::from_spelling(given).map(|_| ()).expect_err(given).to_string()
    }
    for (found, expected) in [
        (
            error::<Heaps<Coded>>("heap:7;3"),
            "invalid game `heap:7;3`: invalid code `7`: expected digits with a point, such as 0.007",
        ),
        (
            error::<Heaps<Coded>>("heap:0.7;-3"),
            "invalid game `heap:0.7;-3`: expected heaps such as 12+20+31, each 0..=1000000",
        ),
        (
            error::<Heaps<Subtraction>>("subtract:0;3"),
            "invalid game `subtract:0;3`: expected numbers to take such as 1,3,4, each 1..=4096",
        ),
        (error::<Tiles<Ellie>>("ellie:9x9"), "invalid game `ellie:9x9`: the board may have at most 64 cells, not 81"),
        (error::<Treblecross>("treblecross:2x5"), "invalid game `treblecross:2x5`: board must be 1xL with L in 3..=64"),
        (
            error::<Circle>("circular-nim:4,2,exact=yes"),
            "invalid game `circular-nim:4,2,exact=yes`: exact=yes needs each=1 or more",
        ),
        (error::<Circle>("circular-nim:4,5"), "invalid game `circular-nim:4,5`: k must be 1..=4, the number of stacks"),
        (
            error::<Sum>("sum:(mnk:3,3,3)"),
            "invalid game `mnk:3,3,3`: in a sum expected an impartial game such as heap:0.07:9 or ellie:3x4",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_heap_can_be_split_however_many_heaps_there_are() {
    let (game, _) = spelled::<Heaps<Kayles>>(&format!("kayles:{}8", "1+".repeat(63)));
    let mut pos = game.start();
    let split = game.parse_move(&pos, "8>3+4").unwrap();
    game.play(&mut pos, split);
    let shown = game.show(&pos);
    assert_eq!((shown.split('+').count(), game.parse(&shown)), (65, Ok(pos.clone())), "{shown}");
    let scene = game.scene(&pos);
    collect_moves(&game, &pos).iter().for_each(|&mv| {
        assert!(game.path(&pos, mv).iter().all(|&place| place < scene.places.len()));
    });
    // A picture stays small, and what no game can come to is refused.
    let many = game.parse(&format!("{}24", "1+".repeat(4_000))).unwrap();
    assert_eq!(game.scene(&many).places.len(), 4_001);
    let why = game.parse(&vec!["1000000"; 65].join("+")).map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("65000000 counters; expected at most 64000000"), "{why}");
}

#[test]
fn kayles_moves_from_a_row_of_three() {
    let (game, _) = spelled::<Heaps<Kayles>>("kayles:3");
    let start = game.start();
    let mut names: Vec<String> = collect_moves(&game, &start).iter().map(|&mv| game.show_move(&start, mv)).collect();
    names.sort();
    assert_eq!(names, ["3>1", "3>1+1", "3>2"]);
}

/// The moves and the parts must describe the same game: the options of the parts, one at a time, are the positions
/// after the moves.
#[test]
fn parts_follow_the_moves() {
    fn agrees<R: Named>(given: &str) {
        let (game, _) = spelled::<R>(given);
        let mut rng = agon_core::Rng::new(11);
        for _ in 0..10 {
            let mut pos = game.start();
            while let Some(mv) = game.random_move(&pos, &mut rng) {
                let parts = game.parts(&pos);
                let mut by_parts = std::collections::BTreeSet::new();
                for (i, part) in parts.iter().enumerate() {
                    game.options(part, &mut |option| {
                        let mut rest = parts.clone();
                        rest.remove(i);
                        rest.extend_from_slice(option);
                        rest.sort();
                        by_parts.insert(rest);
                    });
                }
                let after = |mv| {
                    let mut parts = game.parts(&game.after(&pos, mv));
                    parts.sort();
                    parts
                };
                let by_moves = collect_moves(&game, &pos).into_iter().map(after).collect();
                assert_eq!(by_parts, by_moves, "{given} at {}", game.show(&pos));
                game.play(&mut pos, mv);
            }
            assert!(game.parts(&pos).iter().all(|part| {
                let mut moves = 0;
                game.options(part, &mut |_| moves += 1);
                moves == 0
            }));
        }
    }
    agrees::<Heaps<Coded>>("heap:4.37:9+6");
    agrees::<Heaps<Coded>>("heap:0.8f:9+6");
    agrees::<Heaps<GrundysGame>>("grundy:9+6");
    agrees::<Tiles<Ellie>>("ellie:5x4");
    agrees::<Tiles<Cram>>("cram:4x4");
    agrees::<Treblecross>("treblecross:1x9");
    agrees::<Circle>("circular-nim:4,2:2+1+3+1");
    agrees::<Sum>("sum:heap:0.07:9++ellie:3x4++nim:2+1");
}

/// Moves and places are counted without listing them, and there are as many as are listed.
#[test]
fn counts_agree_with_lists() {
    fn agrees<R: Named>(given: &str) {
        let (game, _) = spelled::<R>(given);
        let mut rng = agon_core::Rng::new(5);
        for _ in 0..20 {
            let mut pos = game.start();
            loop {
                let listed = collect_moves(&game, &pos);
                assert_eq!(game.count_moves(&pos), listed.len(), "{given} at {}", game.show(&pos));
                assert_eq!(game.rules().places(&pos.state), game.scene(&pos).places.len(), "{given}");
                assert_eq!(game.outcome(&pos).is_some(), listed.is_empty(), "{given}");
                let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                game.play(&mut pos, mv);
            }
        }
    }
    for code in ["0.007", "4.37", "0.777", "4.8f", "0.8f", "0.3331", "grundy", "0.e6f9"] {
        (0..=30).for_each(|heap| agrees::<Heaps<Coded>>(&format!("heap:{code};{heap}+9+{heap}")));
    }
    agrees::<Heaps<Subtraction>>("subtract:1,3,4;10+7");
    agrees::<Heaps<Nim>>("nim:3+5+7+7");
    agrees::<Tiles<Ellie>>("ellie:5x4");
    agrees::<Tiles<Cram>>("cram:4x4");
    agrees::<Treblecross>("treblecross:1x9");
    for (n, k) in [(1, 1), (3, 3), (4, 2), (5, 3), (5, 4), (6, 2), (7, 5)] {
        let stacks: Vec<String> = (0..n).map(|i| (i * i % 4).to_string()).collect();
        for rule in ["", ",each=1", ",each=2", ",each=1,exact=yes", ",each=2,exact=yes"] {
            agrees::<Circle>(&format!("circular-nim:{n},{k}:{}{rule}", stacks.join("+")));
        }
    }
    agrees::<Sum>("sum:(heap:0.07;9)+(ellie:3x4)+(nim:2+1)+(circular-nim:4,2)+(treblecross:1x5)");
}

/// The moves of every variation, by trying every other arrangement of the stacks.
#[test]
fn a_circle_takes_what_its_rule_allows() {
    for (n, k) in [(1, 1), (2, 1), (3, 2), (3, 3), (4, 2), (4, 3)] {
        for (each, exact) in [(0, false), (1, false), (2, false), (1, true), (2, true)] {
            let stacks: Vec<u8> = (0..n).map(|i| [3, 2, 4, 1][i]).collect();
            let circle = Circle::new(n, k, &stacks).with_each(each, exact);
            let mut listed = Vec::new();
            circle.steps(&circle.start(), &mut |after| listed.push(after));
            listed.sort_unstable();
            let mut wanted = Vec::new();
            for number in 0..5u32.pow(n as u32) {
                let after: Vec<u8> = (0..n).map(|i| (number / 5u32.pow(i as u32) % 5) as u8).collect();
                if (0..n).any(|i| after[i] > stacks[i]) || after == stacks {
                    continue;
                }
                let taken = |i: usize| stacks[i] - after[i];
                let fits = (0..n).any(|at| {
                    let inside: Vec<usize> = (0..k).map(|j| (at + j) % n).collect();
                    let enough = |&i: &usize| if exact { taken(i) == each } else { taken(i) >= each };
                    (0..n).all(|i| inside.contains(&i) || taken(i) == 0) && inside.iter().all(enough)
                });
                if fits {
                    wanted.push(Circle::new(n, k, &after).start());
                }
            }
            wanted.sort_unstable();
            assert_eq!(listed, wanted, "CN({n}, {k}), each {each}, exact {exact}");
        }
    }
}

#[test]
fn the_moves_of_large_heaps_are_counted_without_listing_them() {
    fn moves<R: Named>(given: &str) -> usize {
        let (game, _) = spelled::<R>(given);
        game.count_moves(&game.start())
    }
    // Equal heaps have the same moves.
    assert_eq!(moves::<Heaps<Nim>>("nim:1000000+1000000+999999"), 1_999_999);
    // Take two and leave three: the partitions of 999,998 into three parts are the whole number nearest to n²/12.
    assert_eq!(moves::<Heaps<Coded>>("heap:0.08;1000000"), 83_333_000_000);
}

#[test]
fn a_board_of_one_row_of_64_cells_has_parts() {
    for spelling in ["cram:1x64", "cram:64x1"] {
        let (game, _) = Play::<Tiles<Cram>>::from_spelling(spelling).unwrap();
        assert_eq!(game.parts(&game.start()).len(), 1, "{spelling}");
        // A tile in the middle leaves two parts.
        let mut moves = agon_core::collect_moves(&game, &game.start());
        assert_eq!(moves.len(), 63, "{spelling}");
        let middle = game.after(&game.start(), moves.swap_remove(31));
        assert_eq!(game.parts(&middle).len(), 2, "{spelling}");
    }
}
