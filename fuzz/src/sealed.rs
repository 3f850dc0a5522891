//! Files that end with a hash of themselves. A mutated one is tried as it is, and sealed again as a forger would.

use super::games::truth;
use super::{identity, readable, sampled, text};
use agon_check::sequence;
use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::{Code, Ctx, Player, Wdl};
use agon_registry as registry;
use agon_registry::erased::{AnyGame, SolveRequest};
use agon_solve::grundy::{Grundy, Method};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Words of certificates and models.
pub const CERTIFICATE_WORDS: &[&str] = &[
    "agon-certificate 1\n",
    "game ",
    "rules ",
    "from ",
    "claim value win",
    "claim value loss",
    "claim value draw",
    "claim at-least first draw",
    "claim at-least second win",
    "claim table",
    "symmetry full",
    "symmetry none",
    "sections 1",
    "sections 2",
    "strategy ",
    "text first draw - 3",
    "rule a",
    "only completes",
    "prefer max line",
    "when any(blocks)",
    "exact book b",
    "values ",
    "lines first makes ",
    "lines second spoils ",
    "race first ",
    "lifted ",
    "lifted-text 3",
    "pairing ",
    "win",
    "draw",
    "loss",
    "first",
    "second",
    "pairs ",
    "meet ",
    "-",
    "=",
    "blake3 ",
    "\n",
    " ",
    "positions ",
];

/// Nodes a check may take; every value of a feature in a strategy is one.
const BUDGET: u64 = 100_000;

/// Nodes a move of a model may take.
const CHOICE: u64 = 20_000;

/// The text with the hash of what stands before the last line `blake3 …`.
fn resealed(text: &str) -> String {
    let body = text.rfind("\nblake3 ").map_or(text, |at| &text[..=at]);
    let end = if body.ends_with('\n') { "" } else { "\n" };
    let body = format!("{body}{end}");
    format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())
}

/// Games in which one position alone can take long are not checked here: some number in the name is large. A board
/// with its rules is always small enough.
fn is_small(read: &Certificate) -> bool {
    let short = |number: &str| number.len() < 3;
    read.rules.is_some() || read.game.len() < 80 && read.game.split(|c: char| !c.is_ascii_digit()).all(short)
}

/// A certificate: a file that is read is one that would be written, and what is proven is true.
pub fn certificate(data: &[u8]) {
    if let Ok(read) = Certificate::read(data) {
        assert_eq!(read.write().as_bytes(), data);
    }
    let sealed = resealed(&text(data));
    let read = match Certificate::read(sealed.as_bytes()) {
        Ok(read) => read,
        Err(why) => return readable(&why.to_string()),
    };
    assert_eq!(read.write(), sealed);
    if !is_small(&read) {
        return;
    }
    match certified_games().get(&(read.game.clone(), read.rules.clone())) {
        Some(game) => checked(game.as_ref(), &read, &sealed),
        None => match registry::standard().described(&read.game, read.rules.as_deref()) {
            Ok(game) => checked(game.as_ref(), &read, &sealed),
            Err(why) => readable(&why.to_string()),
        },
    }
}

/// The games of the certificates to begin with, each by its spelling and rules. They are built once.
fn certified_games() -> &'static HashMap<(String, Option<String>), Box<dyn AnyGame>> {
    type Games = HashMap<(String, Option<String>), Box<dyn AnyGame>>;
    static GAMES: OnceLock<Games> = OnceLock::new();
    GAMES.get_or_init(|| {
        let named = certificates().into_iter().map(|file| {
            let read = Certificate::read(&file).expect("a certificate to begin with");
            let game = registry::standard().described(&read.game, read.rules.as_deref()).expect("its game");
            ((read.game, read.rules), game)
        });
        named.collect()
    })
}

fn checked(game: &dyn AnyGame, read: &Certificate, sealed: &str) {
    match game.check(read, &Ctx::default().with_budget(BUDGET)) {
        Ok(_) => believed(game, read, sealed),
        Err(Rejected::Corrupt(why) | Rejected::Refuted(why)) => readable(&why),
        Err(Rejected::Stopped(_)) => {}
    }
}

/// A claim that the checker accepts must hold by plain exhaustion, where that ends soon.
fn believed(game: &dyn AnyGame, read: &Certificate, sealed: &str) {
    let value = |pos: &str| truth(game, pos);
    let Some(found) = value(&read.from) else { return };
    match read.claim {
        Claim::Value(claimed) => assert_eq!(claimed, found, "a false claim is believed:\n{sealed}"),
        Claim::AtLeast(side, least) => {
            let turn = game.turn(&read.from).expect("a position that was just read");
            let mine = match (turn == side, found) {
                (true, _) | (_, Wdl::Draw) => found,
                (false, Wdl::Win) => Wdl::Loss,
                (false, Wdl::Loss) => Wdl::Win,
            };
            assert!(mine >= least, "a false claim is believed:\n{sealed}");
        }
        Claim::Table => {
            for section in &read.sections {
                let Section::Values(entries) = section else { continue };
                for (pos, claimed) in entries.iter().step_by(entries.len() / 50 + 1) {
                    let found = value(pos);
                    assert!(found.is_none_or(|found| found == claimed.wdl()), "{pos} is not that:\n{sealed}");
                }
            }
        }
    }
}

/// Certificates of every kind, all of them short.
pub fn certificates() -> Vec<Vec<u8>> {
    let solved = [
        ("mnk:3,3,3", "XO./.X./O..", None),
        ("mnk:3,3,3", "XOX/.O./.X.", None),
        ("mnk:3,3,3", "XOX/OO./.X.", Some("strong")),
        ("mnk:4,3,3", "start", Some("race")),
        ("mnk:4,4,4", "start", Some("lines")),
        ("drop:3,3,3", "start", None),
        ("order-chaos:3x1,k=2", "start", Some("lines")),
        ("order-chaos:4x1,k=3", "start", Some("lines")),
        ("order-chaos:4x1,k=3,first=chaos,row=exact-final", "start", Some("lines")),
        ("order-chaos:3x3,k=3,row=exact", "start", Some("lines")),
        ("order-chaos:3x2,k=3,symbols=3", "start", Some("lines")),
        ("order-chaos:2x2,k=2", "start", Some("strong")),
        ("kayles:3+2", "start", None),
        ("nim:1+2,play=misere", "start", Some("strong")),
        ("circular-nim:3,2;1+1+2", "start", None),
        ("tak:3", "1,1,x/2,2,x/x3 1 4", None),
        ("antrin:3", "ww./bb./...:w:1-1", None),
        ("antrin:3", "start", None),
    ];
    let solved = solved.map(|(game, from, solver)| (registry::standard().game(game).expect("a game"), from, solver));
    // Boards whose rules stand in the certificate.
    let boards = identity::known().iter().map(|(spelling, rules)| {
        (registry::standard().described(spelling, Some(rules)).expect("a board"), "start", None)
    });
    let mut all = Vec::new();
    for (game, from, solver) in solved.into_iter().chain(boards) {
        let Ok(from) = game.position(from) else { continue };
        let request = SolveRequest::plain(64 << 20).certified().by(solver.unwrap_or_default());
        let found = game.solve(&from, &request, &Ctx::default().with_budget(2_000_000));
        if let Ok((_, Ok(Some(certificate)))) = found {
            all.push(certificate.write().into_bytes());
        }
    }
    all.extend(texts().map(|certificate| certificate.write().into_bytes()));
    assert!(all.len() > 10, "only {} certificates to begin with", all.len());
    all.retain(|text| text.len() < 8 << 10);
    let with_rules = all.iter().filter(|file| text(file).contains("\nrules ")).count();
    assert!(with_rules > 1, "only {with_rules} certificates with rules to begin with");
    all
}

/// Certificates of strategies as text, true ones and false ones.
fn texts() -> impl Iterator<Item = Certificate> {
    let lines = "rule complete a line\n  only completes\nrule block a line\n  only blocks\nrule the centre\n  only centre\n\
                 rule leave no fork\n  prefer min forks-left\n  prefer corner\n";
    let book = "about books\nreading a\nreading b\nexact book one\n  XO./?X./O.. a2\n[b] book two\n  XOX/OO./.X. c2\n\
                [a] book three\n  XO./.X./O.. c1 a2\nrule else\n  [not b] when mobility > 1 and any(wins)\n  only wins\n";
    let answers = "pairing columns\n  a1 a2\n  b1 b2\n  c1 c2\nregion low\n  a1 b1 c1\nrule follow up\n  \
                   only answers-last(claimeven) and not in(low)\nrule above\n  only answers(columns) or same-column\n";
    let heaps =
        "rule leave a sum of zero\n  only xor = 0 # of all heaps\nrule else\n  prefer min heap + counters-taken - 1\n";
    [
        ("mnk:3,3,3", "start", Player::Second, Wdl::Draw, lines),
        ("mnk:3,3,3", "XO./.X./O..", Player::First, Wdl::Win, book),
        ("order-chaos:2x2,k=2", "start", Player::First, Wdl::Win, lines),
        ("order-chaos:3x3,k=3", "XO./.X./O..", Player::Second, Wdl::Win, "rule any move\n"),
        ("drop:3,3,3", "start", Player::Second, Wdl::Draw, answers),
        ("nim:1+2", "start", Player::First, Wdl::Win, heaps),
        (
            "antrin:3",
            "start",
            Player::Second,
            Wdl::Draw,
            "rule win\n  only wins\nrule block\n  only not lets-win\nrule else\n",
        ),
    ]
    .into_iter()
    .map(|(spelling, from, side, least, text)| {
        let game = registry::standard().game(spelling).expect("a game");
        Certificate {
            game: game.spelling().to_string(),
            rules: None,
            from: game.position(from).expect("a position"),
            claim: Claim::AtLeast(side, least),
            up_to_symmetry: false,
            sections: vec![Section::Text { side, least, within: None, text: text.to_string() }],
        }
    })
}

/// Every block sealed anew, as far as there are whole ones.
fn resealed_sequence(data: &[u8]) -> Option<Vec<u8>> {
    let rest = data.strip_prefix(sequence::MAGIC)?;
    let mut at = sequence::MAGIC.len() + rest.windows(2).position(|pair| pair == b"\n\n")? + 2;
    let mut bytes = data.to_vec();
    let mut seal = *blake3::hash(&bytes[..at]).as_bytes();
    while let Some(head) = bytes.get(at..at + 5) {
        let count = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let end = at + 5 + (count.checked_mul(usize::from(head[4]))?).div_ceil(8);
        if end + 32 > bytes.len() {
            break;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seal).update(&bytes[at..end]);
        seal = *hasher.finalize().as_bytes();
        bytes[end..end + 32].copy_from_slice(&seal);
        at = end + 32;
    }
    Some(bytes)
}

/// A file of Grundy values: what is read is written the same, and what the definition confirms is true.
pub fn sequence(data: &[u8]) {
    for bytes in [Some(data.to_vec()), resealed_sequence(data)].into_iter().flatten() {
        let read = match sequence::read(&bytes) {
            Ok(read) => read,
            Err(why) => {
                readable(&why.to_string());
                continue;
            }
        };
        assert!(read.whole <= bytes.len());
        let (mut writer, mut written) = sequence::Writer::new(&read.code);
        written.extend(writer.append(&read.values));
        let again = sequence::read(&written).expect("what was just written");
        assert_eq!((&again.code, &again.values), (&read.code, &read.values));
        confirmed(&read.code, &read.values);
    }
}

fn confirmed(code: &Code, values: &[u32]) {
    const MOST: usize = 120;
    let values = &values[..values.len().min(MOST)];
    if values.is_empty() {
        return;
    }
    let ctx = Ctx::default();
    let derived = sequence::derive(code, values, 0..values.len(), &ctx).expect("nobody stops it");
    let mut grundy = Grundy::new(code, values.len() - 1, Method::Plain);
    if grundy.run(&ctx, values.len() - 1).is_ok() {
        let equal = grundy.values().take(values.len()).eq(values.iter().copied());
        assert_eq!(derived.is_none(), equal, "{code}: {values:?}");
    }
}

/// Sequences of a few codes, in one block and in several.
pub fn sequences() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for code in ["0.007", "0.77", "grundy", "0.1", "4.7", "0.8f"] {
        let code: Code = code.parse().expect("a code");
        let mut grundy = Grundy::new(&code, 60, Method::Plain);
        grundy.run(&Ctx::default(), 60).expect("a short sequence");
        let values: Vec<u32> = grundy.values().take(61).collect();
        for piece in [7, 30, 61] {
            let (mut writer, mut bytes) = sequence::Writer::new(&code);
            values.chunks(piece).for_each(|values| bytes.extend(writer.append(values)));
            all.push(bytes);
        }
    }
    all
}

const LEARNED: [&str; 3] = ["mnk:3,3,3", "nim:1+2+3", "antrin:3"];

/// The games of the models, built once.
fn learned_games() -> &'static [Box<dyn AnyGame>] {
    static GAMES: OnceLock<Vec<Box<dyn AnyGame>>> = OnceLock::new();
    GAMES.get_or_init(|| LEARNED.iter().map(|game| registry::standard().game(game).expect("a game")).collect())
}

/// A model: whoever plays by it plays legal moves.
pub fn model(data: &[u8]) {
    let given = text(data);
    let of = LEARNED.iter().position(|game| given.contains(&format!("game {game}\n"))).unwrap_or(0);
    let game = learned_games()[of].as_ref();
    let sealed = resealed(&given);
    let as_it_is = if *sealed == *given { "" } else { &*given };
    for model in [&sealed, as_it_is] {
        match game.learned(("file", model), 1) {
            Err(failure) => readable(&failure.message().unwrap_or_default()),
            Ok(mut agent) if sampled(data, 8) => {
                let choice = agent.choose(&game.start(), &Ctx::default().with_budget(CHOICE)).expect("a move");
                assert!(game.moves(&game.start()).expect("moves").contains(&choice.mv));
            }
            Ok(_) => {}
        }
    }
}

/// Models of small games after a few games.
pub fn models() -> Vec<Vec<u8>> {
    let learned = |spelling: &&str| {
        let game = registry::standard().game(spelling).expect("a game");
        let mut trainer = game.trainer(agon_play::learned::Settings::default(), 1);
        trainer.learn(4, 4, &Ctx::default()).expect("nobody stops it");
        trainer.model(&[("seed", "1".to_string())]).into_bytes()
    };
    LEARNED.iter().map(learned).collect()
}
