//! Certificates: what is true is accepted, everything else is rejected.

mod common;

use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::{Ctx, Player, Rng, Value, Wdl};
use common::agon;

fn written(args: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("c.agon");
    let path = file.to_str().unwrap();
    let ran = agon(&[args, &["--certificate", path]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    std::fs::read_to_string(&file).unwrap()
}

fn certificates() -> Vec<String> {
    vec![
        written(&["solve", "tic-tac-toe"]),
        written(&["solve", "mnk:4,4,3"]),
        written(&["solve", "tic-tac-toe", "--from", "XO./.X./O.."]),
        written(&["solve", "tic-tac-toe", "--strong", "--from", "XO./.../..."]),
        written(&["verify", "tic-tac-toe", "singh-process", "--as", "first"]),
        written(&["verify", "tic-tac-toe", "singh-process", "--as", "first", "--listed"]),
        written(&["solve", "order-chaos:4x4,k=3"]),
        written(&["solve", "order-chaos:5x5,k=5,first=chaos"]),
        written(&["solve", "order-chaos:4x3,k=3,symbols=3,row=exact"]),
        written(&["solve", "order-chaos:5x3,k=3,row=exact", "--method", "lines"]),
        written(&["solve", "order-chaos:5x3,k=3,row=exact-final,first=chaos", "--method", "lines"]),
        written(&["solve", "order-chaos:5x3,k=4,row=exact-final,symbols=3", "--method", "lines"]),
        written(&["solve", "mnk:5,5,5", "--method", "lines"]),
        written(&["solve", "mnk:7,7,4"]),
        written(&["solve", "mnk:6,6,4", "--method", "race", "--from", "....../....../..X.../..O.../....../......"]),
    ]
}

fn judge(certificate: &Certificate) -> Result<String, Rejected> {
    let game = agon::registry::standard().game(&certificate.game).map_err(|e| Rejected::Corrupt(e.to_string()))?;
    Ok(game.check(certificate, &Ctx::default())?.statement)
}

#[test]
fn what_solve_and_verify_write_is_accepted() {
    for text in certificates() {
        let certificate = Certificate::read(text.as_bytes()).unwrap();
        judge(&certificate).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    }
}

#[test]
fn a_thousand_damaged_files_are_all_rejected() {
    let mut rng = Rng::new(2026);
    let originals = certificates();
    for round in 0..1000 {
        let original = originals[round % originals.len()].as_bytes();
        let mut bytes = original.to_vec();
        let at = rng.below(bytes.len());
        match rng.below(6) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, rng.next_u64() as u8),
            3 => drop(bytes.remove(at)),
            4 => bytes.extend_from_slice(&original[at..]),
            _ => {
                let other = rng.below(bytes.len());
                bytes.swap(at, other);
            }
        }
        if bytes == original {
            continue;
        }
        assert!(Certificate::read(&bytes).is_err(), "round {round} was accepted");
    }
}

/// Changes one thing and seals the file again, as a forger would.
fn forge(certificate: &mut Certificate, rng: &mut Rng) {
    let which = rng.below(certificate.sections.len());
    match (&mut certificate.sections[which], rng.below(4)) {
        (_, 0) => {
            certificate.claim = match certificate.claim {
                Claim::Value(Wdl::Win) => Claim::Value(Wdl::Loss),
                Claim::Value(_) => Claim::Value(Wdl::Win),
                Claim::AtLeast(side, Wdl::Draw) => Claim::AtLeast(side, Wdl::Win),
                Claim::AtLeast(side, _) => Claim::AtLeast(side.other(), Wdl::Win),
                Claim::Table => Claim::Value(Wdl::Win),
            }
        }
        (Section::Strategy { entries, .. }, 1) if !entries.is_empty() => drop(entries.remove(rng.below(entries.len()))),
        (Section::Strategy { least, .. }, 2) => *least = if *least == Wdl::Win { Wdl::Draw } else { Wdl::Win },
        (Section::Strategy { side, .. }, _) => *side = side.other(),
        (Section::Text { text, .. }, 1) => *text = format!("rule blunder\n  only lets-win\n{text}"),
        (Section::Text { least, .. }, 2) => *least = if *least == Wdl::Win { Wdl::Draw } else { Wdl::Win },
        (Section::Text { side, .. }, _) => *side = side.other(),
        (Section::Lines { entries, .. }, 1) => drop(entries.remove(rng.below(entries.len()))),
        (Section::Lines { wins, .. }, 2) => *wins = !*wins,
        (Section::Lines { maker, .. }, _) => *maker = maker.other(),
        (Section::Race { entries, .. }, 1 | 2) => drop(entries.remove(rng.below(entries.len()))),
        (Section::Race { winner, .. }, _) => *winner = winner.other(),
        (Section::Lifted(entries), _) => drop(entries.remove(rng.below(entries.len()))),
        (Section::Pairing(pairs), _) => drop(pairs.remove(rng.below(pairs.len()))),
        (Section::Values(entries), 1) => drop(entries.remove(rng.below(entries.len()))),
        (Section::Values(entries), _) => {
            let at = rng.below(entries.len());
            let other = [Value::DRAW, Value::win_in(3), Value::loss_in(2)][rng.below(3)];
            entries[at].1 = if entries[at].1 == other { Value::win_in(7) } else { other };
        }
        (other, _) => panic!("a section that this test cannot forge: {other:?}"),
    }
}

#[test]
fn a_thousand_forged_claims_are_all_refuted() {
    let mut rng = Rng::new(7);
    let originals: Vec<Certificate> =
        certificates().iter().map(|text| Certificate::read(text.as_bytes()).unwrap()).collect();
    for round in 0..1000 {
        let mut forged = originals[round % originals.len()].clone();
        forge(&mut forged, &mut rng);
        // The forged file itself is well-formed: only checking can tell.
        let sealed = forged.write();
        let read = Certificate::read(sealed.as_bytes()).unwrap();
        assert!(judge(&read).is_err(), "round {round}: {:?} was accepted", read.claim);
    }
}

#[test]
fn arguments_about_order_and_chaos_are_accepted_and_cannot_be_thinned_out() {
    let rules = [
        ("order-chaos:6x6", "castelein", "order"),
        ("order-chaos:6x6,row=exact", "castelein", "order"),
        ("order-chaos:6x6,row=exact-final", "pairing", "chaos"),
    ];
    for (game, strategy, side) in rules {
        let text = written(&["verify", game, strategy, "--as", side, "--claim", "win"]);
        let mut certificate = Certificate::read(text.as_bytes()).unwrap();
        judge(&certificate).unwrap_or_else(|why| panic!("{game}: {why:?}"));
        let of_another_game = Certificate { game: "order-chaos:6x6,first=chaos".into(), ..certificate.clone() };
        assert!(judge(&of_another_game).is_err(), "{game}");
        match &mut certificate.sections[0] {
            Section::Lifted(entries) => drop(entries.remove(1000)),
            Section::Pairing(pairs) => drop(pairs.remove(3)),
            other => panic!("{game}: {other:?}"),
        }
        assert!(judge(&certificate).is_err(), "{game}");
    }
}

/// Puts another move into a strategy. The claim may survive, when the move is as good; then what follows
/// must still be proven by the file itself, so a lost game can never be certified as won.
#[test]
fn no_move_can_be_forged_into_a_false_claim() {
    let text = written(&["solve", "tic-tac-toe", "--from", "XO./.X./O.."]);
    let certificate = Certificate::read(text.as_bytes()).unwrap();
    assert_eq!(certificate.claim, Claim::Value(Wdl::Win));
    let mut lies = certificate.clone();
    lies.from = "XX./OO./...".into();
    lies.claim = Claim::Value(Wdl::Loss);
    assert!(judge(&lies).is_err());
    let mut other_side = certificate.clone();
    other_side.claim = Claim::AtLeast(Player::Second, Wdl::Win);
    assert!(judge(&other_side).is_err());
}

#[test]
fn the_program_tells_damage_from_falsehood() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("c.agon");
    let path = file.to_str().unwrap();
    let text = written(&["solve", "mnk:4,4,3"]);
    let mut certificate = Certificate::read(text.as_bytes()).unwrap();
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    let damaged = agon(&["check", path]);
    assert_eq!(damaged.code, 4, "{}", damaged.err);
    if let Section::Strategy { within, .. } = &mut certificate.sections[0] {
        *within = Some(3);
    }
    std::fs::write(&file, certificate.write()).unwrap();
    let refuted = agon(&["check", path]);
    assert!(refuted.code == 3 && refuted.out.contains("takes 5 plies, not 3"), "{}", refuted.out);
    certificate.game = "mnk:4,4,k=3".into();
    std::fs::write(&file, certificate.write()).unwrap();
    assert_eq!(agon(&["check", path]).code, 4);
    certificate.game = "chess".into();
    std::fs::write(&file, certificate.write()).unwrap();
    assert_eq!(agon(&["check", path, "--json"]).code, 4);
}

#[test]
fn a_strategy_as_text_is_checked_by_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("c.agon");
    let path = file.to_str().unwrap();
    for (args, positions) in [
        (&["verify", "order-chaos:4x4,k=4", "castelein-t1", "--as", "order", "--claim", "win"][..], "129,922"),
        (&["verify", "tic-tac-toe", "singh-process", "--as", "first"], "412"),
    ] {
        let text = written(args);
        assert!(text.len() < 3000 && text.contains("\ntext first "), "{text}");
        std::fs::write(&file, text).unwrap();
        let ran = agon(&["check", path]);
        assert!(ran.code == 0 && ran.out.contains(&format!("({positions} positions looked at)")), "{}", ran.out);
    }
    let text = include_str!("../../games/strategies/singh-objectives.rules").to_string();
    let (side, least) = (Player::Second, Wdl::Draw);
    let objectives = Certificate {
        game: "mnk:3,3,3".into(),
        rules: None,
        from: ".../.../...".into(),
        claim: Claim::AtLeast(side, least),
        up_to_symmetry: false,
        sections: vec![Section::Text { side, least, within: None, text }],
    };
    std::fs::write(&file, objectives.write()).unwrap();
    let ran = agon(&["check", path]);
    let said = "the play ends in a loss for second, not a draw, after ";
    assert!(ran.code == 3 && ran.out.contains(said), "{} {}", ran.code, ran.out);
    let line: Vec<&str> = ran.out.trim_end().rsplit(said).next().unwrap().split(' ').collect();
    let mut game = (agon::registry::standard().game("mnk:3,3,3").unwrap(), ".../.../...".to_string());
    line.iter().for_each(|mv| game.1 = game.0.play(&game.1, mv).unwrap().1);
    assert!(game.0.moves(&game.1).unwrap().is_empty() && line.len() % 2 == 1, "{line:?}");
    std::fs::write(&file, objectives.write().replace("text second", "text third")).unwrap();
    assert_eq!(agon(&["check", path]).code, 4);
}

#[test]
fn certificates_that_spell_their_game_as_it_was_spelled_before_are_still_accepted() {
    let dir = tempfile::tempdir().unwrap();
    for (game, before) in [
        ("heap:0.77:4+5", "heap:0.77;4+5"),
        ("subtract:1,3:5+6,play=misere", "subtract:1,3;5+6,play=misere"),
        ("circular-nim:3,2:1+1+2", "circular-nim:3,2;1+1+2"),
        ("circular-nim:3,2:3+3+3", "circular-nim:3,2"),
        ("sum:kayles:3++nim:1+2", "sum:(kayles:3)+(nim:1+2)"),
    ] {
        let text = written(&["solve", game, "--method", "alphabeta"]);
        let mut certificate = Certificate::read(text.as_bytes()).unwrap();
        assert_eq!(certificate.game, game);
        certificate.game = before.to_string();
        let file = dir.path().join("old.agon");
        std::fs::write(&file, certificate.write()).unwrap();
        let ran = agon(&["check", file.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{before}: {}{}", ran.out, ran.err);
        assert!(ran.out.starts_with("proved"), "{before}: {}", ran.out);
        // Any other spelling is still none.
        certificate.game = before.replace(':', ": ");
        std::fs::write(&file, certificate.write()).unwrap();
        assert_eq!(agon(&["check", file.to_str().unwrap()]).code, 4, "{}", certificate.game);
    }
}
