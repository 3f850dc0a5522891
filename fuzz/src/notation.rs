//! Readers of what people type and of plain text files.

use super::games::{SMALL, samples};
use super::{readable, sampled, split, text};
use agon::terminal::Session;
use agon_arena::plan::read_book;
use agon_core::{Code, Status};
use agon_registry as registry;
use agon_registry::erased::{AnyGame, StrategyRequest};
use agon_registry::record;
use agon_report::failure::Failure;
use std::sync::OnceLock;

/// Words of spellings.
pub const SPELLING_WORDS: &[&str] = &[
    "mnk:",
    "order-chaos:",
    "tak:",
    "heap:",
    "sum:(",
    ")+(",
    ",play=misere",
    ",k=",
    ",symbols=",
    ",first=chaos",
    ",row=exact-final",
    ",komi=",
    ",draw=fifty",
    ",flats=",
    ",caps=",
    ",men=",
    ",fly=always",
    "x",
    ";",
    "+",
    ",",
    ":",
    "=",
];
/// Words of positions and moves.
pub const POSITION_WORDS: &[&str] = &[
    "start",
    "X",
    "O",
    ".",
    "/",
    ":",
    ":w:",
    ":b:",
    "-",
    "x",
    "a1",
    "b2",
    "c3",
    "+",
    ">",
    "<",
    "position ",
    "moves ",
    "0",
    "1",
    "2",
];
/// Words of Tak.
pub const TAK_WORDS: &[&str] = &[
    "x3",
    "x",
    "1",
    "2",
    "1S",
    "2C",
    "12121",
    "/",
    ",",
    " 1 1",
    " 2 9",
    "[Size \"5\"]",
    "[TPS \"",
    "\"]",
    "[Komi \"2\"]",
    "1. ",
    "--",
    "a1",
    "Cb2",
    "Sc3",
    "3a1>12",
    "{",
    "}",
    "R-0",
    "1/2-1/2",
    "[Opening \"no-swap\"]",
    "'",
    "?",
    "\\",
];
/// Words of players.
pub const PLAYER_WORDS: &[&str] = &[
    "random",
    "weighted",
    "mc",
    "mcts",
    "negamax",
    "perfect",
    "skill:",
    "playouts=",
    "nodes=",
    "depth=",
    "time=",
    "memory=",
    "threads=",
    "weights=",
    "cut=",
    ",",
    ":",
    "=",
    "human",
    "castelein",
];
/// Words of codes and of statements about them.
pub const CODE_WORDS: &[&str] =
    &["0.", "4.", "8.", "c.", "7", "77", "f", "kayles", "grundy", "dawson", ",period,", ",preperiod,", ",value,", "#"];

/// A game: what is read has one spelling, and that spelling is read as the same game.
pub fn spelling(data: &[u8]) {
    match registry::standard().game(&text(data)) {
        Err(error) => readable(&error.to_string()),
        Ok(game) => {
            let spelled = game.spelling();
            let again = registry::standard()
                .game(spelled)
                .unwrap_or_else(|error| panic!("{spelled} is not read again: {error}"));
            assert_eq!(again.spelling(), spelled);
            let start = game.start();
            assert_eq!(again.start(), start);
            assert_eq!(game.position(&start), Ok(start));
        }
    }
}

/// Spellings: defaults, aliases and small games.
pub fn spellings() -> Vec<Vec<u8>> {
    let families = registry::standard().entries();
    let names = families.flat_map(|entry| {
        let aliases = entry.aliases().flat_map(|(alias, spelled)| [alias, spelled]);
        std::iter::once(entry.facts.family.as_str()).chain(aliases)
    });
    names.chain(SMALL).map(|name| name.as_bytes().to_vec()).collect()
}

/// A position is read, and what was read is shown so that it is read as the same again. For a sample, all that must
/// hold of a position is compared. `data` is the case.
fn sound(game: &dyn AnyGame, given: &str, data: &[u8]) {
    let pos = match game.position(given) {
        Ok(pos) => pos,
        Err(failure) => return readable(&failure.message().unwrap_or_default()),
    };
    assert_eq!(game.position(&pos).as_ref(), Ok(&pos), "{}: {given} is shown as {pos}", game.spelling());
    if sampled(data, 4) {
        lawful(game, &pos, sampled(data, 16));
    }
}

/// Asserts what must hold of a position that was read.
fn lawful(game: &dyn AnyGame, pos: &str, drawn: bool) {
    // A heap of a million counters has as many moves: whoever asks for them gets them.
    if pos.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 3) && game.facts().family != "tak" {
        return;
    }
    let (status, moves) = (game.status(pos).expect("a status"), game.moves(pos).expect("moves"));
    assert_eq!(matches!(status, Status::Turn(_)), !moves.is_empty(), "{}: {pos}", game.spelling());
    game.turn(pos).expect("a turn");
    let scene = game.scene(pos).expect("a picture");
    assert!(scene.marks.iter().all(|mark| mark.place < scene.places.len()), "{}: {pos}", game.spelling());
    if drawn {
        let _ = (scene.text(), scene.svg());
    }
    for mv in moves.iter().step_by(moves.len() / 4 + 1) {
        let (name, after) = game.play(pos, mv).unwrap_or_else(|failure| panic!("{pos}: {failure:?}"));
        assert_eq!((&name, game.position(&after).as_ref()), (mv, Ok(&after)), "{}: {pos}", game.spelling());
        let path = game.path(pos, mv).expect("a path");
        assert!(path.iter().all(|&place| place < scene.places.len()), "{}: {pos} {mv}", game.spelling());
    }
}

/// A position of a small game; the first byte says which.
pub fn position(data: &[u8]) {
    let (which, rest) = split(data);
    sound(samples()[which % samples().len()].game.as_ref(), &text(rest), data);
}

fn with_first(which: usize, rest: &str) -> Vec<u8> {
    [&[which as u8], rest.as_bytes()].concat()
}

/// Positions of all small games.
pub fn positions() -> Vec<Vec<u8>> {
    let all = samples().iter().enumerate();
    all.flat_map(|(which, sample)| sample.positions.iter().map(move |pos| with_first(which, pos))).collect()
}

/// A move at a position that comes up; the first two bytes say which. What is accepted is a legal move.
pub fn a_move(data: &[u8]) {
    let ((which, rest), given) = (split(data), data.get(2..).unwrap_or_default());
    let sample = &samples()[which % samples().len()];
    let pos = &sample.positions[split(rest).0 % sample.positions.len()];
    let given = text(given);
    match sample.game.play(pos, &given) {
        Err(failure) => readable(&failure.message().unwrap_or_default()),
        Ok((name, after)) => {
            let legal = sample.game.moves(pos).expect("moves");
            assert!(legal.contains(&name), "{}: {pos} {given}: {name} is not legal", sample.game.spelling());
            assert_eq!(sample.game.play(pos, &name), Ok((name.clone(), after)), "{} {pos}", sample.game.spelling());
        }
    }
}

/// Legal moves of all small games.
pub fn moves() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (which, sample) in samples().iter().enumerate() {
        for (number, pos) in sample.positions.iter().enumerate().step_by(5) {
            let moves = sample.game.moves(pos).expect("moves");
            for mv in moves.iter().step_by(moves.len() / 3 + 1) {
                all.push([&[which as u8, number as u8], mv.as_bytes()].concat());
            }
        }
    }
    all
}

const TAK: [&str; 8] =
    ["tak:3", "tak:4", "tak:5", "tak:6", "tak:8", "tak:4x3", "tak:3,draw=threefold", "tak:4,flats=5,caps=1,komi=-1.5"];

/// The boards of Tak, and the games with strategies: built once.
fn built(spelling: &'static str) -> &'static dyn AnyGame {
    type Built = Vec<(&'static str, Box<dyn AnyGame>)>;
    static BUILT: OnceLock<Built> = OnceLock::new();
    let all = BUILT.get_or_init(|| {
        let names = TAK.iter().copied().chain(["mnk:3,3,3", "order-chaos:6x6"]);
        names.map(|name| (name, registry::standard().game(name).expect("a game"))).collect()
    });
    let found = all.iter().find(|(name, _)| *name == spelling);
    found.unwrap_or_else(|| panic!("{spelling} is not built")).1.as_ref()
}

/// A position of Tak; the first byte chooses the board.
pub fn tps(data: &[u8]) {
    let (which, rest) = split(data);
    sound(built(TAK[which % TAK.len()]), &text(rest), data);
}

/// Positions of Tak.
pub fn tps_texts() -> Vec<Vec<u8>> {
    let known = [
        (0, "x3/x3/x3 1 1"),
        (0, "1,2,x/x,1S,2S/21,x,x 2 4"),
        (1, "x4/x,12,1C,x/2,x,2S,x/x4 1 7"),
        (2, "2,x4/x2,1,x2/x,1221C,x3/x5/1,x4 2 5"),
        (4, "x8/x8/x8/x3,121212121S,x4/x8/x8/x8/1,x6,2 1 9"),
        (5, "x4/x4/2,x2,1 1 2"),
        (6, "1,x2/x3/x2,2 1 2"),
        (7, "1,x3/x,1C,x2/x2,2S,x/2,x3 1 4"),
    ];
    known.iter().map(|(which, tps)| with_first(*which, tps)).collect()
}

/// A whole game as PTN: what is read and written again is the same game.
pub fn ptn(data: &[u8]) {
    let given = text(data);
    let Some(read) = built("tak:5").read_record(&given) else { return };
    match read {
        Err(failure) => readable(&failure.message().unwrap_or_default()),
        Ok(recorded) => {
            let game = registry::standard().game(&recorded.spelling).unwrap_or_else(|error| panic!("{error}"));
            let written = game.write_record(&recorded.from, &recorded.moves).expect("a game that was read is written");
            let again = game.read_record(&written).and_then(Result::ok).unwrap_or_else(|| panic!("{written}"));
            assert_eq!((&again.from, &again.moves), (&recorded.from, &recorded.moves), "{written}");
            assert_eq!(
                registry::standard().game(&again.spelling).map(|g| g.spelling().to_string()),
                Ok(game.spelling().into())
            );
        }
    }
}

/// Games as PTN.
pub fn ptn_texts() -> Vec<Vec<u8>> {
    [
        "[Size \"3\"]\n\n1. a3 c1\n2. b2 b3\n3. c2 a2?!\n4. b2< R-0\n",
        "[Event \"x\"]\n[Size \"5\"]\n[Komi \"2\"]\n[Player1 \"a\"]\n[Result \"0-F\"]\n\n1. a1 e5 {a remark}\n2. Cc3 Sd4'\n3. c3+ --\n",
        "[TPS \"2,x4/x2,1,x2/x,1221C,x3/x5/1,x4 2 5\"]\n[Size \"5\"]\n\n5. -- b1\n6. 3b3>12 c2 1/2-1/2\n",
        "\u{feff}[Size \"4\"]\n[Opening \"no-swap\"]\n[Flats \"15\"]\n[Caps \"0\"]\n1. a1 a2 2. a1+ a3 3. 2a2> a2",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

/// A saved game; the first byte says of which game. What is saved again is the same game.
pub fn saved_game(data: &[u8]) {
    let (which, rest) = split(data);
    let (which, given) = (which % SMALL.len(), text(rest));
    let game = samples()[which].game.as_ref();
    let read = record::load(game, &given);
    if let Ok(line) = &read {
        let (saved, _) = record::write(game, &line.from, &line.moves());
        let again = record::load(game, &saved).unwrap_or_else(|failure| panic!("{failure:?}\n{saved}"));
        assert_eq!((&again.from, &again.played), (&line.from, &line.played), "{saved}");
    }
    if sampled(data, 64) {
        in_a_session(which, &given, read.as_ref().ok());
    }
    if let Err(failure) = read {
        readable(&failure.message().unwrap_or_default());
    }
}

/// A session in the terminal, which takes a game of its own, loads and saves the same.
fn in_a_session(which: usize, given: &str, line: Option<&record::Line>) {
    let build = || registry::standard().game(SMALL[which]).expect("a game");
    let session = Session::load(build(), given).ok();
    assert_eq!(session.is_some(), line.is_some(), "{given}");
    let Some((session, line)) = session.zip(line) else { return };
    let saved = session.file();
    assert_eq!(saved, record::write(samples()[which].game.as_ref(), &line.from, &line.moves()).0);
    let again = Session::load(build(), &saved).unwrap_or_else(|failure| panic!("{failure:?}\n{saved}"));
    assert_eq!(again.file(), saved);
}

/// Saved games of all small games.
pub fn saved_games() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (which, sample) in samples().iter().enumerate() {
        let (game, mut moves) = (sample.game.as_ref(), Vec::new());
        let mut pos = game.start();
        for turn in 0..6 {
            let legal = game.moves(&pos).expect("moves");
            let Some(mv) = legal.get(turn * 5 % legal.len().max(1)) else { break };
            moves.push(mv.clone());
            pos = game.play(&pos, mv).expect("a legal move").1;
        }
        let session =
            Session::new(registry::standard().game(SMALL[which]).expect("a game"), game.start(), &moves.join(" "));
        all.push(with_first(which, &session.expect("a game").file()));
        let own = format!("agon-game 1\ngame {}\nfrom {}\nmoves {}\n", game.spelling(), game.start(), moves.join(" "));
        all.push(with_first(which, &own));
    }
    all
}

/// The name of a player, with settings; the first byte chooses the game.
pub fn player(data: &[u8]) {
    let (which, rest) = split(data);
    let mut name = text(rest).into_owned();
    // A table of the size that is asked for is no surprise; only small ones are tried here.
    if name.trim_start().starts_with("negamax") && !name.contains("memory=") {
        name.push_str(if name.contains(':') { ",memory=1" } else { ":memory=1" });
    }
    let large = |part: &str| part.trim().strip_prefix("memory=").is_some_and(|n| n.trim().len() > 1);
    // The search behind `perfect` has a table of 64 MiB.
    let rare = ["perfect", "skill"].iter().any(|rare| name.starts_with(rare)) && !sampled(data, 64);
    if rare || name.split([',', ':']).any(large) {
        return;
    }
    let sample = &samples()[which % samples().len()];
    match sample.game.agent(&StrategyRequest::named(name), 1) {
        Ok(_) => {}
        Err(failure) => readable(&failure.message().unwrap_or_default()),
    }
}

/// Players of all games.
pub fn players() -> Vec<Vec<u8>> {
    let known = [
        "random",
        "weighted",
        "mc:playouts=50",
        "mcts:playouts=400,memory=1",
        "mcts:time=0.5,cut=8,memory=2",
        "negamax:depth=3,memory=1",
        "negamax:nodes=1000,threads=2,memory=1",
        "perfect:time=1",
        "skill:0.5",
        "singh-process:win-first",
        "castelein",
    ];
    (0..12).flat_map(|which| known.iter().map(move |name| with_first(which, name))).collect()
}

const STRATEGIES: [(&str, &str); 4] = [
    ("mnk:3,3,3", "singh-process"),
    ("mnk:3,3,3", "singh-objectives:literal"),
    ("order-chaos:6x6", "castelein"),
    ("order-chaos:6x6", "pairing"),
];

/// A file of exceptions to a strategy; the first byte chooses the strategy.
pub fn exceptions(data: &[u8]) {
    let (which, rest) = split(data);
    let (game, name) = STRATEGIES[which % STRATEGIES.len()];
    // A long strategy takes ten times as long to read as the exceptions to it.
    let strategy = match sampled(data, 16) {
        true => StrategyRequest::named(name),
        false => StrategyRequest::written("short", "rule else\n".to_string()),
    };
    let request = StrategyRequest { exceptions: Some(("file".into(), text(rest).into_owned())), ..strategy };
    if let Err(failure) = built(game).agent(&request, 1) {
        readable(&failure.message().unwrap_or_default());
    }
}

/// Files of exceptions.
pub fn exception_files() -> Vec<Vec<u8>> {
    let tic_tac_toe = "# a remark\n.../.X./... a1\n\nX../.O./..X b1\n";
    let order = "....../....../....../....../....../...... Xa1\nXO..../....../....../....../....../...... Oc3\n";
    (0..4).map(|which| with_first(which, if which < 2 { tic_tac_toe } else { order })).collect()
}

/// A book of openings; the first byte chooses the game. Every opening is a position where play goes on.
pub fn book(data: &[u8]) {
    let (which, rest) = split(data);
    let game = samples()[which % samples().len()].game.as_ref();
    match read_book(game, &game.start(), "book", &text(rest)) {
        Err(failure) => readable(&failure.message().unwrap_or_default()),
        Ok(openings) => {
            for pos in openings {
                assert_eq!(game.position(&pos).as_ref(), Ok(&pos));
                assert!(matches!(game.status(&pos), Ok(Status::Turn(_))), "{}: {pos}", game.spelling());
            }
        }
    }
}

/// Books of all small games.
pub fn books() -> Vec<Vec<u8>> {
    let of = |(which, sample): (usize, &super::games::Sample)| {
        let mut text = "# openings\n".to_string();
        for pos in sample.positions.iter().step_by(9).take(4) {
            text.push_str(&format!("position {pos} # a remark\n"));
        }
        for mv in sample.game.moves(&sample.game.start()).expect("moves").iter().take(3) {
            text.push_str(&format!("{mv}\n"));
        }
        with_first(which, &text)
    };
    samples().iter().enumerate().map(of).collect()
}

/// The code of a game on heaps: one spelling for each.
pub fn code(data: &[u8]) {
    match text(data).parse::<Code>() {
        Err(error) => readable(&error.to_string()),
        Ok(code) => {
            assert_eq!(code.to_string().parse().as_ref(), Ok(&code));
            let _ = (code.most_heaps(), code.longest(), code.takes(1));
        }
    }
}

/// Codes.
pub fn codes() -> Vec<Vec<u8>> {
    ["0.007", "0.77", ".137", "4.7", "0.8f", "kayles", "grundy", "dawson", "c.3333", "0.1000000"]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

/// A file of published statements about sequences.
pub fn statements(data: &[u8]) {
    if let Err(failure) = agon::grundy::audit::read(&text(data)) {
        assert!(matches!(failure, Failure::Usage(_)));
        readable(&failure.message().unwrap_or_default());
    }
}

/// Statements.
pub fn statement_files() -> Vec<Vec<u8>> {
    vec![
        b"# a table\ncode,what,n,value\n0.77,period,12\n0.77,preperiod,71\n0.137,period,34\n0.007,value,358,0\n"
            .to_vec(),
    ]
}
