//! Certificates in which one entry stands for all images of its position.

use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::Pictured;
use agon_core::{Ctx, Game as _, Notation, Player, Symmetric, Value, Wdl, collect_moves};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use std::collections::BTreeMap;

fn judge<G: Notation + Symmetric>(game: &G, claim: Claim, section: Section) -> Result<u64, Rejected> {
    let from = game.show(&game.start());
    let certificate =
        Certificate { game: "a game".into(), rules: None, from, claim, up_to_symmetry: true, sections: vec![section] };
    check(game, &Pictured::new(game), &certificate, &Ctx::default()).map(|proved| proved.positions)
}

/// The value of every class of positions, by its representative.
fn values<G: Notation + Symmetric>(game: &G, pos: &G::Position, known: &mut BTreeMap<G::Position, Value>) -> Value {
    let class = game.canonical(pos).0;
    if let Some(&value) = known.get(&class) {
        return value;
    }
    let value = match game.outcome(&class) {
        Some(outcome) => Value::finished(outcome.seen_by(game.turn(&class))),
        None => {
            let after = |mv| values(game, &game.after(&class, mv), known).to_parent();
            collect_moves(game, &class).into_iter().map(after).max().expect("a move")
        }
    };
    known.insert(class, value);
    value
}

fn sorted<T>(mut entries: Vec<(String, T)>) -> Vec<(String, T)> {
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// Tables in which each class is written as one of its images, and every change to one value or entry.
fn tables<G: Notation + Symmetric>(game: &G) {
    let mut known = BTreeMap::new();
    values(game, &game.start(), &mut known);
    for image in 0..game.order() {
        let entries: Vec<(String, Value)> =
            known.iter().map(|(class, &value)| (game.show(&game.image(image, class)), value)).collect();
        let judge = |entries: Vec<(String, Value)>| judge(game, Claim::Table, Section::Values(sorted(entries)));
        assert_eq!(judge(entries.clone()), Ok(entries.len() as u64), "image {image}");
        for at in 0..entries.len() {
            for value in [Value::DRAW, Value::win_in(0), Value::win_in(1), Value::loss_in(0), Value::loss_in(2)] {
                let mut changed = entries.clone();
                changed[at].1 = value;
                assert_eq!(judge(changed).is_ok(), value == entries[at].1, "{:?} {value}", entries[at]);
            }
            let mut fewer = entries.clone();
            fewer.remove(at);
            assert!(judge(fewer).is_err());
            let class = known.keys().nth(at).expect("a class");
            for element in 1..game.order() {
                let twice = game.show(&game.image(element, class));
                if twice != entries[at].0 {
                    let more = [entries.clone(), vec![(twice, entries[at].1)]].concat();
                    assert!(matches!(judge(more), Err(Rejected::Corrupt(_))));
                    break;
                }
            }
        }
    }
}

/// Strategies with one best move for every class that is met, written as one of its images.
fn strategies<G: Notation + Symmetric>(game: &G) {
    let mut known = BTreeMap::new();
    let value = values(game, &game.start(), &mut known).wdl();
    for side in Player::BOTH {
        let (mut moves, mut todo) = (BTreeMap::new(), vec![game.canonical(&game.start()).0]);
        let mut seen = std::collections::BTreeSet::new();
        while let Some(class) = todo.pop() {
            if !seen.insert(class.clone()) || game.outcome(&class).is_some() {
                continue;
            }
            let next = |mv: &G::Move| game.canonical(&game.after(&class, *mv)).0;
            let all = collect_moves(game, &class);
            if game.turn(&class) == side {
                let best = all.into_iter().max_by_key(|mv| known[&next(mv)].to_parent()).expect("a move");
                moves.insert(class.clone(), best);
                todo.push(next(&best));
            } else {
                todo.extend(all.iter().map(next));
            }
        }
        let gets = if game.turn(&game.start()) == side { value } else { value.flip() };
        for image in 0..game.order() {
            let entry = |(class, mv): (&G::Position, &G::Move)| {
                let (pos, mv) = (game.image(image, class), game.image_of_move(image, *mv));
                (game.show(&pos), vec![game.show_move(&pos, mv)])
            };
            let entries: Vec<(String, Vec<String>)> = sorted(moves.iter().map(entry).collect());
            for least in [Wdl::Draw, Wdl::Win] {
                let judge = |entries: Vec<(String, Vec<String>)>| {
                    let section = Section::Strategy { side, least, within: None, entries };
                    judge(game, Claim::AtLeast(side, least), section)
                };
                assert_eq!(judge(entries.clone()).is_ok(), gets >= least, "{side:?} {least} {image}");
                for at in 0..entries.len() {
                    let mut fewer = entries.clone();
                    fewer.remove(at);
                    assert!(judge(fewer).is_err());
                }
            }
        }
    }
}

#[test]
fn one_entry_stands_for_all_images_of_its_position() {
    for (m, n, k) in [(2, 1, 2), (3, 1, 3), (2, 2, 2), (3, 2, 3)] {
        tables(&Mnk::new(m, n, k));
        strategies(&Mnk::new(m, n, k));
    }
    for order_first in [true, false] {
        let game = OrderChaos::new(2, 2, 2, 2, order_first, Row::ExactFinal);
        tables(&game);
        strategies(&game);
    }
}

#[test]
fn what_is_proved_is_said_in_one_sentence() {
    let game = Mnk::new(2, 1, 1);
    let from = game.show(&game.start());
    let said = |claim, sections| {
        let certificate = Certificate {
            game: "mnk:2,1,1".into(),
            rules: None,
            from: from.clone(),
            claim,
            up_to_symmetry: false,
            sections,
        };
        check(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.statement)
    };
    let strategy = |within, least| {
        let entries = vec![("..".to_string(), vec!["a1".to_string()])];
        vec![Section::Strategy { side: Player::First, least, within, entries }]
    };
    let name = game.player_name(Player::First);
    assert_eq!(
        said(Claim::Value(Wdl::Win), strategy(Some(1), Wdl::Win)),
        Ok(format!("mnk:2,1,1 from ..: first ({name}) wins within 1 plies against every reply"))
    );
    assert_eq!(
        said(Claim::AtLeast(Player::First, Wdl::Draw), strategy(None, Wdl::Draw)),
        Ok(format!("mnk:2,1,1 from ..: first ({name}) gets at least a draw against every reply"))
    );
    let empty = said(Claim::AtLeast(Player::First, Wdl::Loss), vec![]);
    assert_eq!(empty, Err(Rejected::Corrupt("at least a loss is not a claim".into())));
    let values = vec![("..", Value::win_in(1)), (".X", Value::loss_in(0)), ("X.", Value::loss_in(0))];
    let values = Section::Values(values.into_iter().map(|(pos, value)| (pos.to_string(), value)).collect());
    assert_eq!(
        said(Claim::Table, vec![values.clone()]),
        Ok("mnk:2,1,1 from ..: the value and distance of every reachable position".to_string())
    );
    assert!(matches!(said(Claim::Value(Wdl::Win), vec![values]), Err(Rejected::Refuted(_))));
    assert!(matches!(said(Claim::Table, strategy(None, Wdl::Win)), Err(Rejected::Refuted(_))));
}

#[test]
fn positions_must_be_written_canonically_and_be_part_of_the_play() {
    let game = Mnk::new(2, 1, 1);
    let section = |pos: &str, mv: &str| Section::Strategy {
        side: Player::First,
        least: Wdl::Win,
        within: None,
        entries: vec![(pos.to_string(), vec![mv.to_string()])],
    };
    let claim = Claim::Value(Wdl::Win);
    assert_eq!(judge(&game, claim, section("..", "a1")), Ok(2));
    for (pos, mv) in [("-.", "a1"), ("...", "a1"), ("..", "c1"), ("..", "1"), ("..", "A1"), (".X", "a1")] {
        assert!(judge(&game, claim, section(pos, mv)).is_err(), "{pos} {mv}");
    }
}
