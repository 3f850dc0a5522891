//! The file of a certificate: what is written can be read, and nothing else can.

use agon_check::{Certificate, Claim, Section};
use agon_core::{Player, Value, Wdl};

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_string()).collect()
}

fn reasons() -> Vec<(String, String)> {
    vec![(".b".into(), "all".into()), (".m".into(), "play X0".into())]
}

fn certificate(claim: Claim, up_to_symmetry: bool, sections: Vec<Section>) -> Certificate {
    Certificate { game: "mnk:1,1,1".into(), rules: None, from: ".".into(), claim, up_to_symmetry, sections }
}

/// One certificate of every kind.
fn every_kind() -> Vec<Certificate> {
    let moves = vec![(".".to_string(), words(&["a1"])), ("X".to_string(), words(&["b2", "c3"]))];
    let values = vec![
        (".".to_string(), Value::win_in(1)),
        ("O".to_string(), Value::DRAW),
        ("X".to_string(), Value::loss_in(29_999)),
    ];
    let strategy = |side, least, within| Section::Strategy { side, least, within, entries: moves.clone() };
    let text = |side, least, within| {
        let text = "# any  move\n\nrule a corner\n  only corner\n\trule é\n".to_string();
        Section::Text { side, least, within, text }
    };
    vec![
        certificate(
            Claim::Value(Wdl::Draw),
            false,
            vec![strategy(Player::First, Wdl::Draw, None), strategy(Player::Second, Wdl::Draw, Some(7))],
        ),
        certificate(Claim::AtLeast(Player::Second, Wdl::Win), true, vec![strategy(Player::Second, Wdl::Win, Some(0))]),
        certificate(Claim::Table, true, vec![Section::Values(values)]),
        certificate(
            Claim::Value(Wdl::Loss),
            true,
            vec![Section::Lines { maker: Player::Second, wins: true, entries: reasons() }],
        ),
        certificate(
            Claim::Value(Wdl::Win),
            true,
            vec![Section::Lines { maker: Player::First, wins: false, entries: reasons() }],
        ),
        certificate(Claim::Value(Wdl::Win), true, vec![Section::Race { winner: Player::First, entries: reasons() }]),
        certificate(Claim::Value(Wdl::Win), true, vec![Section::Lifted(moves.clone())]),
        certificate(Claim::Value(Wdl::Win), false, vec![Section::LiftedText("rule a\n  only completes\n".into())]),
        certificate(
            Claim::Value(Wdl::Win),
            true,
            vec![Section::Pairing(vec![("a1".into(), "b1".into(), true), ("a2".into(), "b2".into(), false)])],
        ),
        certificate(Claim::AtLeast(Player::First, Wdl::Draw), false, vec![text(Player::First, Wdl::Draw, None)]),
        certificate(
            Claim::Value(Wdl::Draw),
            true,
            vec![text(Player::First, Wdl::Draw, Some(3)), strategy(Player::Second, Wdl::Draw, None)],
        ),
        certificate(Claim::Value(Wdl::Win), true, vec![]),
        Certificate {
            rules: Some("men=3 points=a1 b1".into()),
            ..certificate(Claim::Value(Wdl::Draw), true, vec![strategy(Player::First, Wdl::Draw, None)])
        },
    ]
}

#[test]
fn what_is_written_can_be_read() {
    for certificate in every_kind() {
        let text = certificate.write();
        assert_eq!(Certificate::read(text.as_bytes()), Ok(certificate), "{text}");
    }
}

#[test]
fn the_lines_of_a_text_are_written_one_by_one() {
    let written = |text: &str| {
        let (side, least, text) = (Player::First, Wdl::Win, text.to_string());
        certificate(Claim::Value(Wdl::Win), false, vec![Section::Text { side, least, within: None, text }]).write()
    };
    assert!(written("rule a\n  only corner").contains("\ntext first win - 2\nrule a\n  only corner\nblake3 "));
    assert_eq!(written("rule a\r\n  only corner\r\n"), written("rule a\n  only corner"));
    assert!(written("").contains("\ntext first win - 0\nblake3 "));
}

#[test]
fn a_certificate_has_this_spelling() {
    let text = every_kind()[0].write();
    let body = "agon-certificate 1\ngame mnk:1,1,1\nfrom .\nclaim value draw\nsymmetry none\nsections 2\n\
                strategy first draw - 2\n. a1\nX b2 c3\nstrategy second draw 7 2\n. a1\nX b2 c3\n";
    assert_eq!(text, format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex()));
    let claims: Vec<String> = every_kind().iter().map(|c| c.claim.to_string()).collect();
    assert_eq!(claims[..3], ["value draw", "at-least second win", "table"]);
}

/// Seals a body as a certificate is sealed.
fn sealed(body: &str) -> String {
    format!("{body}blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())
}

fn why(text: &str) -> String {
    Certificate::read(text.as_bytes()).expect_err("it is not a certificate").to_string()
}

#[test]
fn every_changed_byte_is_noticed() {
    for certificate in every_kind() {
        let bytes = certificate.write().into_bytes();
        for at in 0..bytes.len() {
            for bit in [0, 1, 5] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Certificate::read(&damaged).is_err(), "byte {at}");
            }
        }
        for end in 0..bytes.len() {
            assert!(Certificate::read(&bytes[..end]).is_err(), "cut at {end}");
        }
    }
}

#[test]
fn a_file_that_is_sealed_and_wrong_says_what_was_expected() {
    let head = "agon-certificate 1\ngame mnk:1,1,1\nfrom .\nclaim value win\nsymmetry full\n";
    let with = |rest: &str| why(&sealed(&format!("{head}{rest}")));
    assert!(Certificate::read(sealed(&format!("{head}sections 0\n")).as_bytes()).is_ok());
    for (rest, expected) in [
        ("", "line 7: the file ends early"),
        ("sections 3\n", "line 6: expected at most 2 sections"),
        ("sections x\n", "line 6: expected at most 2 sections"),
        ("sections 00\n", "not in canonical form"),
        ("sections 0\nvalues 0\n", "line 7: text after the last section"),
        ("sections 1\nvalues 1\n. win 30000\n", "line 8: expected `POSITION draw` or `POSITION win|loss PLIES`"),
        ("sections 1\nvalues 1\n. loss 30000\n", "line 8: expected `POSITION draw` or `POSITION win|loss PLIES`"),
        ("sections 1\nvalues 2\nX draw\n. draw\n", "entries must be sorted and different: `.`"),
        ("sections 1\nvalues 2\n. draw\n. draw\n", "entries must be sorted and different: `.`"),
        ("sections 1\nvalues x\n", "line 7: expected `values COUNT`"),
        ("sections 1\nvalues 2\n. draw\n", "line 9: the file ends early"),
        ("sections 1\nstrategy first win 1 1\n.\n", "line 8: expected `POSITION MOVE…`"),
        ("sections 1\nstrategy third win 1 1\n. a1\n", "line 7: expected `strategy SIDE RESULT PLIES COUNT`"),
        ("sections 1\nstrategy first win x 1\n. a1\n", "line 7: expected a number of plies"),
        ("sections 1\nstrategy first win - 2\n. a1\n. a1\n", "entries must be sorted and different: `.`"),
        ("sections 1\ntext first win 1 x\n", "line 7: expected `text SIDE RESULT PLIES COUNT`"),
        ("sections 1\ntext third win 1 0\n", "line 7: expected `text SIDE RESULT PLIES COUNT`"),
        ("sections 1\ntext first won 1 0\n", "line 7: expected `text SIDE RESULT PLIES COUNT`"),
        ("sections 1\ntext first win x 0\n", "line 7: expected a number of plies"),
        ("sections 1\ntext first win - 2\nrule a\n", "line 9: the file ends early"),
        ("sections 1\ntext first win - 1\nrule a\n only corner\n", "line 9: text after the last section"),
        ("sections 1\ntext first win - 1\nrule a\r\n", "there is a control character"),
        ("sections 1\nlifted x\n", "line 7: expected `lifted COUNT`"),
        ("sections 1\nlifted-text x\n", "line 7: expected `lifted-text COUNT`"),
        ("sections 1\nlifted-text 2\nrule a\n", "line 9: the file ends early"),
        ("sections 1\nlines first takes 0\n", "line 7: expected `lines SIDE makes|spoils COUNT`"),
        ("sections 1\nlines first makes 2\n.m all\n.b all\n", "entries must be sorted and different: `.b`"),
        ("sections 1\nrace third 0\n", "line 7: expected `race SIDE COUNT`"),
        ("sections 1\npairing x\n", "line 7: expected `pairing COUNT`"),
        ("sections 1\npairing 1\na1 b1 alike\n", "line 8: expected `CELL CELL same|other`"),
    ] {
        let found = with(rest);
        assert!(found.contains(expected) || rest.is_empty(), "{rest:?}: {found}");
    }
    let other = with("sections 1\nproof 0\n");
    assert!(other.starts_with("line 7: expected `strategy …`"), "{other}");
}

#[test]
fn the_head_of_a_file_must_be_complete() {
    let body = "agon-certificate 1\ngame mnk:1,1,1\nfrom .\nclaim value win\nsymmetry full\nsections 0\n";
    for (old, new, expected) in [
        ("agon-certificate 1", "agon-certificate 2", "another version"),
        ("agon-certificate 1\n", "agon-certificate 1\r\n", "lines end in CRLF"),
        ("agon-certificate 1", "certificate 1", "not a certificate"),
        ("game ", "gane ", "line 2: expected `game …`"),
        ("from ", "form ", "line 3: expected `from …`"),
        ("value win", "value won", "line 4: expected `claim value|at-least|table …`"),
        ("value win", "at-least third win", "line 4: expected `claim value|at-least|table …`"),
        ("value win", "tables", "line 4: expected `claim value|at-least|table …`"),
        ("full", "half", "line 5: expected `symmetry full|none`"),
    ] {
        let found = why(&sealed(&body.replacen(old, new, 1)));
        assert!(found.contains(expected), "{new:?}: {found}");
    }
    assert!(why(body).contains("truncated"));
    assert!(why(&sealed(body).replace("full", "none")).contains("the hash does not match"));
    assert_eq!(Certificate::read(b"\xff\xfe").expect_err("no text").to_string(), "not a text file");
}

#[test]
fn control_characters_are_refused() {
    // A terminal would hide what stands before them, and show what stands after them as the verdict.
    for name in ["board:a\u{1b}[2K\rproved: everything", "board:\u{7}", "board:a\u{9b}8m"] {
        let mut certificate = certificate(Claim::Value(Wdl::Win), false, Vec::new());
        certificate.game = name.into();
        let why = Certificate::read(certificate.write().as_bytes()).unwrap_err().0;
        assert_eq!(why, "there is a control character other than a line feed or a tab", "{name:?}");
    }
}
