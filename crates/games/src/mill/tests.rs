use super::presets::families;
use super::*;
use agon_core::indexed::{BulkIndexed, Indexed};
use agon_core::{Family, Notation, Rng, Strategy, collect_moves, laws};

fn game(spelling: &str) -> Mill {
    Mill::from_spelling(spelling).unwrap().0
}

fn each_game(mut each: impl FnMut(&str, &Mill)) {
    for facts in families() {
        each(&facts.family, &game(&facts.family));
    }
    for text in [
        "antrin:4",
        "antrin:3,early=ignored",
        "antrin:3,early=forbidden,blocked=passes",
        "antrin:3,bar=placing",
        "antrin:4,men=3,line=captures",
        "morris:five",
        "morris:six,fly=at3",
        "morris:six,men=4,line=wins,diagonals=corners",
        "morris:seven,bar=first",
        "morris:morabaraba",
        "morris:lasker,early=ignored",
        "picaria:points=13,bar=placing",
        "tant-fant:lines=diagonals",
        "tant-fant:start=placed,early=forbidden",
        "shisima:start=placed,bar=first,fly=always",
        "tsoro-yematatu:men=2,line=wins",
    ] {
        each(text, &game(text));
    }
}

#[test]
fn the_laws_hold_for_every_preset() {
    each_game(|_, game| {
        laws::rules(game, 3, 1);
        laws::notation(game, 1, 1);
        laws::symmetry(game, 1, 1);
        laws::indexed(game, 1, 1);
        laws::indices(game, 1);
        laws::bulk(game, 1, 1);
        laws::alternating(game, 1, 1);
        laws::guide(game, 1, 1);
        laws::evaluation(game, 1, 1);
    });
}

#[test]
fn spellings_are_canonical_and_errors_say_what_would_do() {
    for (given, expected) in [
        ("antrin", "antrin:3"),
        ("antrin:3,blocked=draws", "antrin:3,blocked=draws"),
        ("morris:six,fly=at3", "morris:six,fly=at3"),
        ("morris", "morris:nine"),
        ("morris:nine,fly=at3", "morris:nine"),
        ("morris:six,fly=never", "morris:six"),
        ("morris:nine,fly=never", "morris:nine,fly=never"),
        ("antrin:7", "invalid game `antrin:7`: n must be 3..=6"),
        ("antrin:4,men=4,line=wins", "antrin:4"),
        ("antrin:4,men=3", "antrin:4,men=3"),
        ("morris:morabaraba,men=12,diagonals=corners", "morris:morabaraba"),
        ("morris:six,men=5,line=wins", "morris:six,men=5,line=wins"),
        ("antrin:3,men=5", "invalid game `antrin:3,men=5`: men must be 1..=15, and twice as many points"),
        (
            "morris:six,bar=first",
            "invalid game `morris:six,bar=first`: bar is about the centre, and this board has no point there",
        ),
        (
            "tant-fant:bar=first",
            "invalid game `tant-fant:bar=first`: early and bar are about placing men: add start=placed",
        ),
    ] {
        let found = Mill::from_spelling(given).map_or_else(|e| e.to_string(), |(_, spelling)| spelling);
        assert_eq!(found, expected);
    }
}

#[test]
fn picaria_has_a_board_of_thirteen_points_too() {
    // Three rows and columns, the long diagonals of five points, the short ones through their crossings.
    let whole = game("picaria:points=13");
    let board = whole.board();
    assert_eq!((board.size(), board.edges().len(), board.mills.len(), whole.order()), (13, 28, 6 + 6 + 4, 8));
    assert_eq!(board.points[board.centre.unwrap()].2, "c3");
    let diagonals = game("tant-fant:lines=diagonals");
    assert_eq!((diagonals.board().mills.len(), game("tant-fant").board().mills.len()), (2, 6));
}

#[test]
fn wrong_positions_say_why() {
    let antrin = game("antrin:3");
    for (text, why) in [
        ("W../...", "expected 3 rows, not 2, like .../.../...:w:3-3"),
        ("W../..../...", "row 2 has 3 points, not 4, like .../.../...:w:3-3"),
        ("W.X/.../...", "`X` is not a mark; marks are . W B, like .../.../...:w:3-3"),
        ("WWW/W../...", "each side has 3 men"),
        ("W../.../...:w:2-3", "men are placed in turn, so 2-3 in hand cannot be"),
        ("WWW/BB./B..:w", "the side to move already has a line"),
        ("WW./BB./W.B:w!", "`!` means that the last move made a line, and there is none"),
        ("WW./BB./W.B:x", "the side to move is w or b, not `x`"),
    ] {
        assert_eq!(antrin.parse(text).map_err(|e| e.why().to_string()), Err(why.to_string()), "{text}");
    }
    let long = antrin.parse(&format!("WW./BB./W.B:{}", "x".repeat(5_000))).unwrap_err();
    assert!(long.why().len() < 200, "{long}");
    assert_eq!(antrin.show(&antrin.parse("100/020/000").unwrap()), "W../.B./...:w:2-2");
}

#[test]
fn wrong_moves_say_why() {
    let why = |text: &str, pos: &str, mv: &str| {
        let game = game(text);
        let pos = if pos == "start" { game.start() } else { game.parse(pos).unwrap() };
        game.parse_move(&pos, mv).map_err(|error| error.why().to_string()).unwrap_err()
    };
    // The console game of Vaki's thesis, figures 8.1 and 8.3.
    let placing = "..W/.B./...:w:2-2";
    assert_eq!(why("antrin", placing, "c1"), "c1 is taken; a1 b1 a2 c2 a3 b3 c3 are free");
    assert_eq!(why("antrin", placing, "b2"), "b2 is taken; a1 b1 a2 c2 a3 b3 c3 are free");
    assert!(why("antrin", placing, "aa").starts_with("no point `aa`; expected one of a1"));
    assert_eq!(why("antrin", placing, "c1-b1"), "men are placed first; expected a point like a1");
    let moving = "W.B/.B./WBW:w";
    for (mv, expected) in [
        ("a1-a1", "a1 is taken; a1 can go to b1 a2"),
        ("a1-c2", "a1 and c2 are not joined; a1 can go to b1 a2"),
        ("c3-b3", "b3 is taken; c3 can go to c2"),
        ("b2-b1", "white has no man on b2; its men are on a1 a3 c3"),
        ("b2", "white has no man on b2; its men are on a1 a3 c3"),
        ("a1-b1xb2", "no man is ever taken in this game"),
        ("a5", "no point `a5`; expected one of a1-b1 a1-a2 a3-a2 c3-c2"),
    ] {
        assert_eq!(why("antrin", moving, mv), expected, "{mv}");
    }
    let stuck = "WB./BW./W.B:w";
    assert_eq!(why("antrin", stuck, "a1"), "the man on a1 has no free point beside it");
    assert_eq!(why("antrin:3,bar=first", "start", "b2"), "the centre b2 is closed; a1 b1 c1 a2 c2 a3 b3 c3 are open");
    let early = "WW./BB./...:w:1-1";
    assert!(why("antrin:3,early=forbidden", early, "c1").starts_with("a line may not be made by placing"));
    let six = "WW./.../...W/B../BBB:w";
    for (mv, expected) in [
        ("e3-e5", "that makes a line: say which man it takes, x and one of b2"),
        ("e3-e5xa1", "a1 stands in a line while others do not; b2 can be taken"),
        ("e3-e5xc5", "there is no man to take on c5; b2 can be taken"),
        ("e3-e1xb2", "e1 is taken; e3 can go to e5 d3"),
        ("c5-c4xb2", "that makes no line, so it takes no man"),
    ] {
        assert_eq!(why("morris:six", six, mv), expected, "{mv}");
    }
}

#[test]
fn a_line_takes_a_man_outside_lines_first() {
    let six = game("morris:six");
    // White closes the top row from e3; black has the bottom row and b2.
    let names = |text: &str| -> Vec<String> {
        let pos = six.parse(text).unwrap();
        collect_moves(&six, &pos).iter().map(|&mv| six.show_move(&pos, mv)).filter(|name| name.contains('x')).collect()
    };
    assert_eq!(names("WW./.../...W/B../BBB:w"), ["e3-e5xb2"]);
    assert_eq!(names("WW./.../...W/.../BBB:w"), ["e3-e5xa1", "e3-e5xc1", "e3-e5xe1"]);
}

#[test]
fn nine_mens_morris_opens_as_published() {
    // 24 placements, then 23, then 22 …: no mill before the fifth ply (Gasser's rules).
    let nine = game("morris:nine");
    let mut rng = Rng::new(3);
    let mut pos = nine.start();
    for left in [24, 23, 22, 21] {
        assert_eq!(nine.count_moves(&pos), left);
        let mv = nine.random_move(&pos, &mut rng).unwrap();
        nine.play(&mut pos, mv);
    }
}

#[test]
fn classes_are_counted_without_listing_them() {
    each_game(|name, game| {
        if game.board().size() <= 24 {
            for men in 0..=usize::from(game.rules().men).min(6) {
                let counts = ranking::Counts { own: men as u8, other: 0, own_hand: 0, other_hand: 0 };
                assert_eq!(game.orbit_count(men), game.table(counts).rows(), "{name}, {men} men");
            }
        }
    });
}

#[test]
fn a_move_of_the_side_that_does_not_lead_stays_in_its_row() {
    let nine = game("morris:nine");
    let row = |pos: &Men| {
        let place = nine.table_index(pos);
        (place.shard.mover_leads(), place.index / nine.row_len(place.shard))
    };
    let (mut rng, mut placed, mut moved) = (Rng::new(5), 0, 0);
    for _ in 0..300 {
        let mut pos = nine.start();
        while let Some(mv) = nine.random_move(&pos, &mut rng).filter(|_| nine.outcome(&pos).is_none()) {
            let (before, counts) = (row(&pos), nine.shard(&pos));
            nine.play(&mut pos, mv);
            if nine.outcome(&pos).is_none() && mv.take == NONE && !counts.mover_leads() {
                assert_eq!(row(&pos), (true, before.1));
                *(if counts.own_hand > 0 { &mut placed } else { &mut moved }) += 1;
            }
        }
    }
    assert!(placed > 1000 && moved > 1000, "{placed} placed, {moved} moved");
}

#[test]
fn every_used_index_of_a_table_is_reached_exactly_once() {
    let antrin = game("antrin:3");
    let mut positions = 0;
    for shard in antrin.components().into_iter().flatten().filter(|s| s.own_hand + s.other_hand == 0) {
        for index in 0..antrin.shard_size(shard) {
            if let Some(pos) = antrin.position(shard, index) {
                let place = antrin.table_index(&pos);
                assert_eq!((place.shard, place.index), (shard, index));
                positions += antrin.symmetries() / place.stabiliser;
            }
        }
    }
    // The same positions, listed on the board itself.
    let boards = |keep: &dyn Fn(u64, u64) -> bool| {
        let all = (0u64..512).flat_map(|own| (0u64..512).map(move |other| (own, other)));
        all.filter(|&(a, b)| a & b == 0 && a.count_ones() == 3 && b.count_ones() == 3 && keep(a, b)).count()
    };
    assert_eq!(boards(&|_, _| true), 1680);
    let quiet = boards(&|a, b| !antrin.board().has_line(a) && !antrin.board().has_line(b));
    assert_eq!(positions as usize, quiet);
    assert_eq!(Mill::facts().family, "antrin");
}

#[test]
fn vakis_defence_as_text_agrees_with_rust_on_every_reachable_position_of_three_by_three() {
    for (spelling, least) in [("antrin:3", 4_000), ("achi", 4_000), ("antrin:3,early=ignored", 4_000)] {
        let game = game(spelling);
        let text = game.strategy("vaki-defence", "").unwrap();
        let mut seen = std::collections::HashSet::from([game.start()]);
        let mut todo = vec![game.start()];
        while let Some(pos) = todo.pop() {
            let moves = agon_core::collect_moves(&game, &pos);
            if moves.is_empty() {
                continue;
            }
            let (mut expected, mut found) = (defence::Defence.choices(&game, &pos), text.choices(&game, &pos));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{spelling} at {}", game.show(&pos));
            todo.extend(moves.into_iter().map(|mv| game.after(&pos, mv)).filter(|next| seen.insert(*next)));
        }
        assert!(seen.len() >= least, "{spelling}: {} positions", seen.len());
    }
}

/// The board of antrin:4 has too many positions to compare all of them.
#[test]
fn vakis_defence_as_text_agrees_with_rust_along_random_plays() {
    for spelling in ["antrin:4"] {
        let game = game(spelling);
        let text = game.strategy("vaki-defence", "").unwrap();
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let mut pos = game.start();
            for _ in 0..40 {
                let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                let (mut expected, mut found) = (defence::Defence.choices(&game, &pos), text.choices(&game, &pos));
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{spelling} at {}", game.show(&pos));
                game.play(&mut pos, mv);
            }
        }
    }
}

/// Two rows of four points, with lines of two and of four.
fn ladder() -> Board {
    let points = (0..8).map(|p| (p % 4, p / 4, format!("{}{}", (b'a' + p as u8 % 4) as char, 1 + p / 4))).collect();
    let edges: Vec<(usize, usize)> =
        (0..3).flat_map(|x| [(x, x + 1), (x + 4, x + 5)]).chain((0..4).map(|x| (x, x + 4))).collect();
    Board::new(points, &edges, &[], &[vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![1, 5], vec![2, 6]])
}

/// All rules for that many men on a board.
fn all_rules(board: &Board, men: u8) -> Vec<Rules> {
    let mut all = Vec::new();
    for mixed in [false, true] {
        for line in [Line::Wins, Line::Captures] {
            for fly in [Fly::Never, Fly::AtThree, Fly::Always] {
                for blocked in [Blocked::Loses, Blocked::Passes, Blocked::Draws] {
                    for early in [Early::Wins, Early::Ignored, Early::Forbidden] {
                        for bar in [Bar::None, Bar::First, Bar::Placing] {
                            all.push(Rules { men, line, fly, blocked, early, bar, mixed, start: None });
                        }
                    }
                }
            }
        }
    }
    all.retain(|rules| Mill::fits(board, rules).is_ok());
    all
}

/// Plays every move of every position of every table, and takes every position back.
fn moves_and_their_reverse_agree(game: &Mill) -> u64 {
    let (components, mut moves) = (game.components(), 0);
    for component in &components {
        for &shard in component {
            for pos in (0..game.shard_size(shard)).filter_map(|index| game.position(shard, index)) {
                if game.outcome(&pos).is_some() {
                    continue;
                }
                game.moves(&pos, &mut |mv| {
                    let after = game.after(&pos, mv);
                    if game.outcome(&after).is_none() {
                        let mut back = false;
                        game.unplay(&after, &mut |before| back |= before == pos);
                        let inside = component.contains(&game.shard(&after));
                        assert_eq!(back, inside, "{:?}: {mv:?} at {}", game.rules(), game.show(&pos));
                        moves += 1;
                    }
                });
                game.unplay(&pos, &mut |before| {
                    let leads = collect_moves(game, &before).into_iter().any(|mv| game.after(&before, mv) == pos);
                    assert!(leads, "{:?}: {} does not lead to {}", game.rules(), game.show(&before), game.show(&pos));
                });
            }
        }
    }
    moves
}

#[test]
fn every_move_within_a_table_can_be_taken_back_under_all_rules() {
    let square = || Board::square(2, super::board::Diagonals::All, false);
    let boards: [(&dyn Fn() -> Board, u8); 3] = [(&ladder, 3), (&Board::triangle, 2), (&square, 2)];
    let mut moves = 0;
    for (board, men) in boards {
        for rules in all_rules(&board(), men) {
            moves += moves_and_their_reverse_agree(&Mill::new(board(), rules));
        }
    }
    assert!(moves > 500_000, "{moves} moves");
}
