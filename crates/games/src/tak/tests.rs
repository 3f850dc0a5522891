use super::*;
use agon_core::{Notation, collect_moves, laws};

/// Sequences of that many moves, by playing every one of them.
fn perft(game: &Tak, pos: &mut Position, depth: u32) -> u64 {
    if depth == 1 {
        return game.count_moves(pos) as u64;
    }
    let mut sum = 0;
    for mv in collect_moves(game, pos) {
        let undo = game.play(pos, mv);
        sum += perft(game, pos, depth - 1);
        game.undo(pos, mv, undo);
    }
    sum
}

#[test]
fn laws_hold_on_boards_of_every_size() {
    for n in 3..=8 {
        let game = Tak::new(n, n);
        laws::rules(&game, 6, 1);
        laws::notation(&game, 2, 2);
        laws::symmetry(&game, 2, 3);
        laws::alternating(&game, 2, 4);
        laws::evaluation(&game, 2, 5);
        laws::forcing(&game, 2, 6);
    }
    for (columns, rows) in [(2, 3), (4, 3), (3, 7), (1, 4), (5, 1), (1, 1), (8, 2)] {
        let game = Tak::new(columns, rows).with_reserves(9, 2);
        laws::rules(&game, 20, 4);
        laws::notation(&game, 10, 5);
        laws::symmetry(&game, 10, 6);
        laws::alternating(&game, 10, 7);
        laws::evaluation(&game, 10, 8);
        laws::forcing(&game, 10, 9);
    }
}

#[test]
fn laws_hold_for_every_variant() {
    for spelling in
        ["tak:4,draw=fifty", "tak:4,draw=threefold", "tak:5,komi=2.5,opening=noswap", "tak:3,flats=5,caps=1"]
    {
        let (game, canonical) = Tak::from_spelling(spelling).unwrap();
        assert_eq!(canonical, spelling);
        laws::rules(&game, 8, 1);
        laws::notation(&game, 4, 2);
        laws::symmetry(&game, 4, 3);
        laws::alternating(&game, 4, 4);
        laws::evaluation(&game, 4, 5);
    }
}

#[test]
fn spellings_have_one_form_and_errors_say_what_would_do() {
    let spelled = |given: &str| Tak::from_spelling(given).map(|g| g.1).map_err(|e| e.to_string());
    for (given, expected) in [
        ("tak", "tak:5"),
        ("tak:6x6", "tak:6"),
        ("tak:5x4,komi=2.0", "tak:5x4,komi=2"),
        ("tak:5,flats=21,caps=1,draw=none", "tak:5"),
        ("tak:6,komi=-0.5", "tak:6,komi=-0.5"),
        ("tak:6,komi=-0", "tak:6"),
        ("tak:2x2", "tak:2x2"),
    ] {
        assert_eq!(spelled(given).as_deref(), Ok(expected), "{given}");
        assert_eq!(spelled(expected).as_deref(), Ok(expected), "{given}");
    }
    for (given, why) in [
        ("tak:9", "invalid game `tak:9`: size must be 3..=8, or MxN with sides 1..=8"),
        ("tak:2", "invalid game `tak:2`: size must be 3..=8, or MxN with sides 1..=8"),
        ("tak:5,komi=0.3", "invalid game `tak:5,komi=0.3`: komi must be -10..=10 in halves, like 2 or 2.5"),
        ("tak:5,komi=NaN", "invalid game `tak:5,komi=NaN`: komi must be -10..=10 in halves, like 2 or 2.5"),
        ("tak:5,flats=0", "invalid game `tak:5,flats=0`: flats must be 1..=63"),
        ("tak:5,flats=60,caps=9", "invalid game `tak:5,flats=60,caps=9`: flats and caps must be at most 63 together"),
        ("tak:5,opening=double", "invalid game `tak:5,opening=double`: opening must be swap|noswap"),
    ] {
        assert_eq!(spelled(given), Err(why.to_string()), "{given}");
    }
}

#[test]
fn perft_matches_the_published_tables() {
    let data = include_str!("../../tests/data/tak-perft.txt");
    let mut rows = 0;
    for line in data.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (position, counts) = line.split_once('|').unwrap();
        let (spelling, position) = position.trim().split_once(' ').unwrap();
        let game = Tak::from_spelling(spelling).unwrap().0;
        let mut pos = if position == "start" { game.start() } else { game.parse(position).unwrap() };
        for (i, count) in counts.split_whitespace().enumerate() {
            let count: u64 = count.parse().unwrap();
            // Larger numbers are checked by `agon bench`, which is built to be fast.
            if count < 30_000_000 {
                assert_eq!(perft(&game, &mut pos, i as u32 + 1), count, "{line}: depth {}", i + 1);
                rows += 1;
            }
        }
    }
    assert_eq!(rows, 37);
}

#[test]
fn the_hash_kept_while_playing_is_the_hash_from_scratch() {
    for n in [3, 5, 8] {
        let game = Tak::new(n, n);
        let mut rng = Rng::new(n as u64);
        let mut pos = game.start();
        while let Some(mv) = game.random_move(&pos, &mut rng) {
            game.play(&mut pos, mv);
            assert_eq!(pos.hash, pos.fresh_hash(), "{}", game.tps(&pos));
        }
    }
}

fn after(game: &Tak, from: &str, moves: &str) -> (String, Option<Outcome>) {
    let mut pos = game.parse(from).unwrap();
    for mv in moves.split(' ') {
        let mv = game.parse_move(&pos, mv).unwrap();
        game.play(&mut pos, mv);
    }
    (game.tps(&pos), game.outcome(&pos))
}

#[test]
fn the_first_round_places_the_opponents_flat() {
    let game = Tak::new(3, 3);
    let (tps, _) = after(&game, "x3/x3/x3 1 1", "a1 c3");
    assert_eq!(tps, "x2,1/x3/2,x2 1 2");
    let mut names: Vec<String> =
        collect_moves(&game, &game.start()).iter().map(|&m| game.show_move(&game.start(), m)).collect();
    names.sort();
    assert_eq!(names, ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
}

#[test]
fn only_a_lone_capstone_crushes() {
    let game = Tak::new(5, 5);
    let from = "x5/x5/21C,2S,x3/x5/x5 1 9";
    let legal = |mv: &str| game.parse_move(&game.parse(from).unwrap(), mv).is_ok();
    assert!(legal("a3>*") && legal("a3>") && !legal("2a3>"));
    assert_eq!(after(&game, from, "a3>").0, "x5/x5/2,21C,x3/x5/x5 2 9");
    // With a square between, both stones go: one is left on the way, the capstone alone goes on.
    let far = "x5/x5/21C,x,1S,x2/x5/x5 1 9";
    assert_eq!(after(&game, far, "2a3>11").0, "x5/x5/x,2,11C,x2/x5/x5 2 9");
    let wall = "x5/x5/21S,2S,x3/x5/x5 1 9";
    assert!(game.parse_move(&game.parse(wall).unwrap(), "a3>").is_err());
}

#[test]
fn roads_ends_and_counts_are_judged_in_order() {
    let (white, black) = (Some(Outcome::Win(Player::First)), Some(Outcome::Win(Player::Second)));
    let game = Tak::new(3, 3);
    // Uncovering the opponent's road loses; completing both wins for the mover.
    assert_eq!(after(&game, "x3/2,21,2/1,x2 1 5", "b2-").1, black);
    assert_eq!(after(&game, "x3/2,21,2/1,x,1 1 5", "b2-").1, white);
    // A full board is decided by flats on top, half-flat komi included.
    let full = "1S,2S,x/2S,1S,2S/1,1S,2 1 9";
    assert_eq!(after(&game, full, "c3").1, white);
    assert_eq!(after(&game, full, "Sc3").1, Some(Outcome::Draw));
    assert_eq!(after(&game.clone().with_half_komi(2), full, "c3").1, Some(Outcome::Draw));
    assert_eq!(after(&game.clone().with_half_komi(3), full, "c3").1, black);
    // Capstones carry roads; walls do not.
    let caps = Tak::new(3, 3).with_reserves(10, 1);
    assert_eq!(after(&caps, "1,1,x/x3/2,2,x 1 3", "Cc3").1, white);
    assert_eq!(after(&caps, "1,1,x/x3/2,2,x 1 3", "Sc3").1, None);
}

#[test]
fn play_without_an_end_is_drawn_only_by_rule() {
    let line = "a1 c3 a1+ c3- a2- c2+ a1+ c3- a2- c2+";
    let end = |draw| {
        let game = Tak::new(3, 3).with_draw(draw);
        let moves = line.replace("a1 c3 a1+ c3-", "a1 c3 c3- a1+ c2+ a2- c3- a1+ c2+ a2-");
        let moves: Vec<&str> = moves.split(' ').take(10).collect();
        after(&game, &game.show(&game.start()), &moves.join(" ")).1
    };
    assert_eq!(end(DrawRule::None), None);
    assert_eq!(end(DrawRule::Threefold), Some(Outcome::Draw));
    assert_eq!(end(DrawRule::Fifty), None);
    let game = Tak::new(3, 3).with_draw(DrawRule::Fifty);
    assert_eq!(after(&game, "2,x,x/x3/x,x,1 1 40 !49", "c1+").1, Some(Outcome::Draw));
}

#[test]
fn only_the_same_position_counts_as_a_repetition() {
    let game = Tak::new(3, 3).with_draw(DrawRule::Threefold);
    let pos = game.parse("2,x,x/x3/x,x,1 1 4").unwrap();
    let mut other = game.parse("x,2,x/x3/x,x,1 1 4").unwrap();
    // Two positions with one hash: there are 2^64 hashes and many more positions.
    other.hash = pos.hash;
    let met = |first: &Position, second: &Position| {
        let past = [first, &other, second, &other]
            .into_iter()
            .fold(past::Past::default(), |past, pos| past::extended(&past, pos));
        game.outcome(&Position { past, ..pos.clone() })
    };
    assert_eq!(met(&other, &other), None);
    assert_eq!(met(&pos, &other), None);
    assert_eq!(met(&pos, &pos), Some(Outcome::Draw));
    let (past, same) = (past::after(&pos), past::after(&other));
    assert_ne!(Position { past, ..pos.clone() }, Position { past: same, ..pos.clone() });
}

#[test]
fn what_threefold_repetition_remembers_is_written_and_read() {
    let game = Tak::new(4, 4).with_draw(DrawRule::Threefold);
    let (mut pos, mut rng, mut longest) = (game.start(), Rng::new(11), 0);
    for _ in 0..200 {
        let Some(mv) = game.random_move(&pos, &mut rng) else { break };
        game.play(&mut pos, mv);
        longest = longest.max(pos.past.plies());
        assert_eq!(game.parse(&game.show(&pos)).as_ref(), Ok(&pos));
    }
    assert!(longest > 3, "{longest}");
    let read = |text: &str| game.parse(text).map_err(|error| error.to_string());
    assert!(read("2,x3/x4/x4/x3,1 1 4 !2,x3/x4/x3,1/x4.2,x3/x4/x4/x3,1").is_ok());
    for (past, why) in [("3f2a", "board 1 after !"), ("2,x3/x4/x4/x4", "other pieces"), ("x9/x4/x4/x4", "not a square")]
    {
        let found = read(&format!("2,x3/x4/x4/x3,1 1 4 !{past}"));
        assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{past}: {found:?}");
    }
}

#[test]
fn tps_is_read_with_tolerance_and_refused_with_a_reason() {
    let game = Tak::new(5, 5);
    for (given, canonical) in [
        ("x5/x2,2S,x2/x2,121,x2/x5/x5 1 4", "x5/x2,2S,x2/x2,121,x2/x5/x5 1 4"),
        ("x5-x2,2s,x2-x2,121,x,x-x5-X5_2_7", "x5/x2,2S,x2/x2,121,x2/x5/x5 2 7"),
        ("  x,x,x,x,x/x5/x5/x2,2,x2/x1,1,x3   1  ", "x5/x5/x5/x2,2,x2/x,1,x3 1 1"),
    ] {
        assert_eq!(game.parse(given).map(|pos| game.tps(&pos)), Ok(canonical.to_string()));
    }
    for (given, why) in [
        ("", "expected a TPS"),
        ("x5/x5/x5/x5 1 1", "expected 5 rows"),
        ("x5/x4/x5/x5/x5 1 1", "row 4 has fewer"),
        ("x5/x6/x5/x5/x5 1 1", "row 4 has more"),
        ("x5/x5/x5/x5/1S2,x4 1 1", "`1S2`"),
        ("x5/x5/x5/x5/S,x4 1 1", "`S`"),
        ("x5/x5/x5/x5/3,x4 1 1", "`3`"),
        ("x5/x5/x5/x5/x0,x5 1 1", "`x0`"),
        ("x5/x5/x5/x5/1C,1C,2,x2 1 4", "white has 0 stones and 2 capstones"),
        ("x5/x5/x5/x5/1,2,x3 3 1", "1 or 2"),
        ("x5/x5/x5/x5/1,2,x3 1 0", "move number"),
        ("x5/x5/x5/x5/1,2,x3 1 3 4", "nothing is expected"),
        ("x5/x5/x5/x5/x5 2 1", "white moves first"),
        ("x5/x5/x5/x5/2,x4 1 1", "with one piece"),
    ] {
        let error = game.parse(given).unwrap_err().to_string();
        assert!(error.contains(why), "{given}: {error}");
    }
}

#[test]
fn ptn_moves_are_read_with_marks_and_in_long_form() {
    let game = Tak::new(5, 5);
    let pos = game.parse("x5/x5/x2,121,x2/x5/1C,x3,2 1 9").unwrap();
    for (given, canonical) in [
        ("a2", "a2"),
        ("Fa2!!", "a2"),
        ("Sa2'", "Sa2"),
        ("A2", "a2"),
        ("a1+", "a1+"),
        ("1a1+1*", "a1+"),
        ("3c3>12''", "3c3>12"),
        ("3c3>3?", "3c3>"),
        ("c3-", "c3-"),
    ] {
        let mv = game.parse_move(&pos, given).unwrap();
        assert_eq!(game.show_move(&pos, mv), canonical, "{given}");
    }
    for given in ["", "z9", "a1", "4c3>", "3c3>22", "e1-", "3c3>111111", "0c3>", "3c3>0", "c", "Cb1", "3c3", "é1+"] {
        assert!(game.parse_move(&pos, given).is_err(), "{given}");
    }
}

#[test]
fn the_boards_of_the_figures_have_as_many_moves_as_stated() {
    for (spelling, tps, moves) in branching::FIGURES {
        let game = Tak::from_spelling(spelling).unwrap().0;
        let pos = game.parse(tps).unwrap();
        assert_eq!((game.outcome(&pos), game.count_moves(&pos)), (None, moves), "{tps}");
        assert_eq!(collect_moves(&game, &pos).len(), moves);
    }
}

#[test]
fn no_position_of_three_by_three_has_more_than_71_moves() {
    let game = Tak::new(3, 3);
    let (most, pos) = branching::most_moves(&game);
    assert_eq!(most, 71);
    let text = game.tps(&pos);
    assert_eq!(game.parse(&text).map(|pos| game.count_moves(&pos)), Ok(71), "{text}");
}

#[test]
fn no_random_position_has_more_moves_than_the_bound_says() {
    // The same exhaustion on a smaller board, against every position of many plays.
    let game = Tak::new(2, 3).with_reserves(4, 0).with_swap(false);
    let (most, _) = branching::most_moves(&game);
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let mut pos = game.start();
        while let Some(mv) = game.random_move(&pos, &mut rng) {
            game.play(&mut pos, mv);
            assert!(game.count_moves(&pos) <= most as usize, "{}", game.tps(&pos));
        }
    }
}

#[test]
fn a_game_on_a_board_of_any_size_is_read_as_it_was_written() {
    for size in ["1x1", "2x2", "2x3", "3", "8"] {
        let (game, spelling) = Tak::from_spelling(&format!("tak:{size}")).unwrap();
        let written = game.ptn(&game.start(), &["a1".to_string()], &[]).unwrap();
        let read = ptn::Record::read(&written).unwrap();
        assert_eq!(read.spelling().as_ref(), Ok(&spelling), "{written}");
        assert_eq!(read.game().map(|game| game.spelling()), Ok(spelling), "{written}");
    }
}

#[test]
fn reserves_in_ptn_are_those_of_both_sides() {
    let spelled = |tags: &str| ptn::Record::read(tags).unwrap().spelling().map_err(|error| error.to_string());
    let tags = "[Size \"5\"][Flats1 \"10\"][Flats2 \"10\"][Caps1 \"2\"][Caps2 \"2\"] 1. a1 e5";
    assert_eq!(spelled(tags).as_deref(), Ok("tak:5,flats=10,caps=2"));
    let error = spelled("[Size \"5\"][Flats1 \"10\"][Flats2 \"12\"]").unwrap_err();
    assert!(error.contains("the sides have different flats"), "{error}");
    let error = spelled("[Size \"5\"][Opening \"double black stack\"] 1. 2a1 e5").unwrap_err();
    assert!(error.contains("expected swap or no-swap"), "{error}");
}

const WILD: &str = "\u{feff}[Site \"PlayTak.com\"]\n[Event \"a \\\"friendly\\\" game\"]\n[Size \"3\"] [Komi \"0\"]\n[Strange \"x\"]\n\n\
1. a3 {corner} c1!\n2. c2'' a2\n3. b2?! 1b1?\n4. Sb3 b1<*\n5. -- 1-2-1-2\n";

#[test]
fn games_from_the_wild_are_read() {
    let record = ptn::Record::read(WILD).unwrap();
    let game = record.game().unwrap();
    assert_eq!(record.tag("event"), Some("a \"friendly\" game"));
    assert_eq!(record.result, Some("1/2-1/2"));
    let line = record.replay(&game).map(|line| line.len());
    assert_eq!(record.plies, ["a3", "c1", "c2", "a2", "b2", "1b1", "Sb3", "b1<"]);
    // `1b1` is no move: a count belongs to slides.
    assert!(line.is_err_and(|e| e.to_string().starts_with("ply 6: invalid move `1b1`: expected one of ")));
    let record = ptn::Record::read(&WILD.replace("1b1?", "b1?")).unwrap();
    assert_eq!(record.replay(&game).unwrap().len(), 9);
}

/// Twenty shapes of PTN as they are found, each with the plies of its main line and of all its lines.
const SHAPES: [(&str, usize, usize); 20] = [
    // A playing site's export: every tag, one move on each line.
    (
        "[Site \"PlayTak.com\"]\n[Event \"Online Play\"]\n[Date \"2018.10.28\"]\n[Time \"16:10:44\"]\n[Player1 \"White\"]\n\
      [Player2 \"Black\"]\n[Clock \"10:0 +20\"]\n[Result \"1-0\"]\n[Size \"6\"]\n\n1. a6 f6\n2. d4 c4\n3. d3 c3\n",
        6,
        6,
    ),
    // Ratings, komi and reserves; a resignation.
    ("[Size \"6\"][Komi \"2\"][Flats \"30\"][Caps \"1\"][Rating1 \"1500\"]\n1. a1 f6 2. Cc3 d4 3. Sb2 0-1", 5, 5),
    // All on one line, numbers glued to the plies.
    ("[Size \"5\"] 1.a1 e5 2.c3 c2 3.d3", 5, 5),
    // Comments everywhere, several at one place, on several lines.
    (
        "[Size \"6\"]\n\n1. a6 f6\n2. {A comment?!*} {a second\n comment} d4 c4!! {What a\tmove}\n3. d3 {thought long} c3",
        6,
        6,
    ),
    // A comment before the first ply.
    ("[Size \"5\"]\n{Round one} {board two}\n1. a1 e5 {corners}\n", 2, 2),
    // Marks: good, bad, interesting, tak and tinue, in any order.
    ("[Size \"5\"]\n1. a1! e5? 2. c3!! c2?? 3. d3!? d2?! 4. b3' b2'' 5. a3\"! 0-0", 9, 9),
    // Curly quotes from a word processor, and Windows line ends.
    ("[Size \"5\"]\r\n\r\n1. a1 e5\r\n2. c3’ c2”\r\n", 4, 4),
    // A crushed wall, with the star that some write.
    ("[Size \"5\"]\n1. a1 e5 2. Cc3 Sc4 3. c3+* e4", 6, 6),
    // Counts and drops in long form.
    ("[Size \"5\"]\n1. a1 e5 2. c3 c2 3. 1c3-1 d4 4. 2c2+11 d5", 8, 8),
    // A game that begins at a position with black to move.
    ("[Size \"5\"][TPS \"x5/x5/x2,1,x2/x5/2,x3,1 2 2\"]\n2. -- c2\n3. d3 d2", 3, 3),
    // The same with the number missing.
    ("[Size \"5\"][TPS \"x5/x5/x2,1,x2/x5/2,x3,1 2 2\"] c2 d3", 2, 2),
    // One variation, as tree editors write it.
    ("[Size \"6\"]\n[Opening \"swap\"]\n\n1. a1 b1\n2. a2 b2\n3. a3 b3\n\n{3w1}\n3. c1 b3\n4. c2 b4\n", 6, 10),
    // Several at the same place.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n3. a3 b3\n\n{3w1}\n3. c1 b3\n\n{3w2}\n3. d1 b3\n\n{3w3}\n3. e1 b3\n", 6, 12),
    // A variation of a variation.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n3. a3 b3\n\n{3w1}\n3. c1 b3\n4. c2 b4\n\n{3w1/4w1}\n4. d1 b4\n", 6, 12),
    // One that begins with black's move, with comments and marks.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n\n{2b1}\n2. -- c4! {better}\n3. a3 b3?\n", 4, 7),
    // One at the first ply.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n\n{1w1}\n1. f6 b1\n", 4, 6),
    // Variations with names of their own.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n3. a3 b3\n\n{the quiet line}\n2. c1 c2\n", 6, 8),
    // A result behind the game, and variations after it.
    ("[Size \"3\"]\n1. a3 c1 2. a1 c3 3. b1 R-0\n\n{3w1}\n3. b2\n", 5, 6),
    // Unfinished, with the dots or dashes that stand for a move to come.
    ("[Size \"6\"]\n1. a1 b1\n2. a2 b2\n3. a3 ...\n", 5, 5),
    // No plies at all.
    ("[Site \"x\"]\n[Size \"6\"]\n[Player1 \"A \\\"B\\\"\"]\n", 0, 0),
];

#[test]
fn twenty_shapes_of_ptn_are_written_with_all_that_they_say() {
    for (text, main, all) in SHAPES {
        let record = ptn::Record::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((record.plies.len(), record.noted.len()), (main, all), "{text}");
        let game = record.game().unwrap();
        let start = record.start(&game).unwrap();
        let written = game.written(&start, &record).unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = ptn::Record::read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(game.written(&again.start(&game).unwrap(), &again).unwrap(), written);
        // Tags, comments, marks, variations and the result are the same; only the spelling of plies may differ.
        assert_eq!((again.intro.clone(), again.result), (record.intro.clone(), record.result), "{written}");
        let told = |record: &ptn::Record| {
            let mut told: Vec<_> = record.noted.iter().zip(record.replay_all(&game).unwrap()).collect::<Vec<_>>();
            told.sort_by_key(|(_, (before, after))| (game.show(before), game.show(after)));
            let each = told.into_iter().map(|(noted, (before, after))| {
                (game.show(&before), game.show(&after), noted.marks.clone(), noted.comments.clone())
            });
            each.collect::<Vec<_>>()
        };
        assert_eq!(told(&again), told(&record), "{written}");
        for (key, value) in record.tags.iter().filter(|(key, _)| !["Opening", "Flats", "Caps"].contains(&key.as_str()))
        {
            assert_eq!(again.tag(key), Some(value.as_str()), "{written}");
        }
    }
}

#[test]
fn a_variation_that_leaves_no_line_is_refused() {
    let error = ptn::Record::read("[Size \"6\"]\n1. a1 b1\n\n{9w1}\n9. c1").unwrap_err();
    assert!(error.to_string().contains("`9w1` begins after the end"), "{error}");
}

#[test]
fn random_games_survive_being_written_and_read() {
    for n in 3..=8 {
        for seed in 0..3 {
            let game = Tak::new(n, n).with_half_komi(seed as i32);
            let mut rng = Rng::new(seed);
            let mut pos = game.start();
            for _ in 0..seed * 5 {
                let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                game.play(&mut pos, mv);
            }
            let start = pos.clone();
            let mut plies = Vec::new();
            for _ in 0..200 {
                let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                plies.push(game.show_move(&pos, mv));
                game.play(&mut pos, mv);
            }
            let text = game.ptn(&start, &plies, &[("Player1".into(), "A \"B\" \\".into())]).unwrap();
            let record = ptn::Record::read(&text).unwrap();
            assert_eq!(record.tag("Player1"), Some("A \"B\" \\"));
            assert_eq!(record.plies, plies);
            assert_eq!(record.result, game.result_text(&pos));
            let again = record.game().unwrap();
            assert_eq!(record.replay(&again).unwrap().last(), Some(&pos));
            assert_eq!(again.ptn(&start, &record.plies, &record.tags).unwrap(), text);
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in ".{0,200}", n in 3usize..=8) {
        let game = Tak::new(n, n);
        let _ = game.parse(&text);
        let _ = game.parse_move(&game.start(), &text);
        if let Ok(record) = ptn::Record::read(&text) {
            let _ = record.game().map(|game| record.replay(&game));
        }
    }

    #[test]
    fn nearly_right_texts_are_read_or_refused(
        text in "(x[1-5]?,|[12]{1,9}[SC]?,|/){4,30} [12] [0-9]{1,3}",
        ptn in "(\\[Size \"[3-9]\"\\])?( ?([0-9]\\.)?[1-5]?[SCF]?[a-f][1-6][-+<>]?[1-4]{0,3}[*'!?{}]?){0,12}( R-0)?",
    ) {
        let game = Tak::new(5, 5);
        if let Ok(pos) = game.parse(&text) {
            proptest::prop_assert_eq!(game.parse(&game.show(&pos)), Ok(pos));
        }
        if let Ok(record) = ptn::Record::read(&ptn) {
            let _ = record.game().map(|game| record.replay(&game));
        }
    }
}
