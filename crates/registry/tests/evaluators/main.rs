//! Two evaluators of strategies as text, written apart: that of `agon-strategies`, which strategies are tested and found
//! with, and that of the checker. On random texts, random positions and every family they must allow the same moves;
//! and a text that is damaged must be refused by both or by neither.

mod write;

use agon_check::seam;
use agon_core::features::Features;
use agon_core::toy::{Dots, Pile};
use agon_core::{Family, Rng, Strategy as _, Symmetric};
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Coded, GrundysGame, Heaps, Kayles, Nim, Subtraction};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mill::Mill;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::tak::Tak;
use agon_strategies::{Rules, Text};
use std::collections::BTreeSet;
use write::Writer;

/// Counts of the comparisons.
#[derive(Default, Debug)]
struct Count {
    texts: u64,
    /// Positions at which a text was evaluated, and those where it left some of the moves and not all.
    positions: u64,
    telling: u64,
    /// Damaged texts that both refuse, and that both accept.
    refused: u64,
    accepted: u64,
}

/// Positions of random plays, each with what a strategy remembers of the last move.
fn positions<G: Family>(game: &G, features: &dyn Features<G>, rng: &mut Rng, most: usize) -> Vec<(G::Position, u16)> {
    let mut met = Vec::new();
    while met.len() < most {
        let (mut pos, mut memory) = (game.start(), 0);
        for _ in 0..60 {
            let Some(mv) = game.random_move(&pos, rng) else { break };
            met.push((pos.clone(), memory));
            let after = game.after(&pos, mv);
            memory = if game.turn(&after) == game.turn(&pos) { 0 } else { features.last(game, &pos, mv) };
            pos = after;
        }
    }
    while met.len() > most {
        met.swap_remove(rng.below(met.len()));
    }
    met
}

/// Returns whether both read the text, and then allow the same moves everywhere.
fn agree<G: Family + Symmetric>(
    game: &G,
    features: &dyn Features<G>,
    text: &str,
    positions: &[(G::Position, u16)],
    count: &mut Count,
) -> bool {
    let theirs = Text::parse(text).and_then(|text| Rules::new(game, &text));
    let (theirs, own) = match (theirs, seam::Text::new(game, features, text)) {
        (Ok(theirs), Ok(own)) => (theirs, own),
        (Err(_), Err(_)) => return false,
        (Ok(_), Err(why)) => panic!("only the checker refuses ({why}):\n{text}"),
        (Err(why), Ok(_)) => panic!("only the checker accepts ({why}):\n{text}"),
    };
    assert_eq!(theirs.looks_back(), own.looks_back(), "{text}");
    // Certificates hold the text as it is printed.
    let printed = theirs.text().to_string();
    let printed = seam::Text::new(game, features, &printed).unwrap_or_else(|why| panic!("{why} in\n{printed}"));
    for (pos, memory) in positions {
        let wanted: BTreeSet<G::Move> = theirs.choices_knowing(game, pos, *memory).into_iter().collect();
        let found: BTreeSet<G::Move> = own.moves(pos, *memory).into_iter().collect();
        assert_eq!(found, wanted, "at {} after {memory}:\n{text}", game.show(pos));
        assert_eq!(printed.moves(pos, *memory), own.moves(pos, *memory), "at {}, printed:\n{text}", game.show(pos));
        count.positions += 1;
        count.telling += u64::from(!found.is_empty() && found.len() < game.count_moves(pos));
    }
    true
}

/// Compares the evaluators on random texts for one game.
fn compare<G: Family + Symmetric>(spelling: &str, texts: usize, count: &mut Count) {
    let (game, _) = G::from_spelling(spelling).unwrap_or_else(|error| panic!("{error}"));
    let features = game.vocabulary();
    let mut rng = Rng::new(spelling.bytes().fold(7, |seed, byte| (seed % (1 << 40)) * 31 + u64::from(byte)));
    let met = positions(&game, features.as_ref(), &mut rng, 60);
    for _ in 0..texts {
        let mut writer = Writer::new(&game, features.as_ref(), &met, &mut rng);
        let text = writer.text();
        let damaged: Vec<String> = (0..4).map(|_| writer.damaged(&text)).collect();
        assert!(agree(&game, features.as_ref(), &text, &met, count), "both refuse:\n{text}");
        count.texts += 1;
        for text in damaged {
            let both = agree(&game, features.as_ref(), &text, &met[..2], count);
            *(if both { &mut count.accepted } else { &mut count.refused }) += 1;
        }
    }
}

fn every_family(texts: usize) -> Count {
    let mut count = Count::default();
    for game in ["mnk:3,3,3", "mnk:4,4,3", "mnk:5,4,4", "mnk:3,2,2", "mnk:7,1,3"] {
        compare::<Mnk>(game, texts, &mut count);
    }
    for game in ["drop:4,4,3", "drop:7,6,4"] {
        compare::<Drop>(game, texts, &mut count);
    }
    for game in ["4x4,k=4", "6x6,k=5", "5x5,k=4,row=exact-final,first=chaos", "3x2,k=2,symbols=3", "3x3,k=3,symbols=1"]
    {
        compare::<OrderChaos>(&format!("order-chaos:{game}"), texts, &mut count);
    }
    for game in ["antrin:3", "three-mens:line=captures,fly=at3", "picaria", "rota", "morris:seven,men=3", "morris:nine"]
    {
        compare::<Mill>(game, texts, &mut count);
    }
    for game in ["tak:3", "tak:4", "tak:3x2,flats=2,caps=1"] {
        compare::<Tak>(game, texts, &mut count);
    }
    compare::<Play<Heaps<Nim>>>("nim:3+5+7", texts, &mut count);
    compare::<Play<Heaps<Kayles>>>("kayles:4+6", texts, &mut count);
    compare::<Play<Heaps<GrundysGame>>>("grundy:5+8", texts, &mut count);
    compare::<Play<Heaps<Coded>>>("heap:0.137:8+4,play=misere", texts, &mut count);
    compare::<Play<Heaps<Subtraction>>>("subtract:1,2,3:5+6", texts, &mut count);
    compare::<Play<Circle>>("circular-nim:4,2:1+2+1+2", texts, &mut count);
    compare::<Play<Sum>>("sum:kayles:4++cram:2x3", texts, &mut count);
    compare::<Play<Treblecross>>("treblecross:1x8", texts, &mut count);
    compare::<Play<Tiles<Cram>>>("cram:4x3", texts, &mut count);
    compare::<Play<Tiles<Ellie>>>("ellie:4x3", texts, &mut count);
    compare::<Pile>("pile:9", texts, &mut count);
    compare::<Dots>("dots:2x2", texts, &mut count);
    count
}

#[test]
fn both_evaluators_allow_the_same_moves() {
    let count = every_family(60);
    assert!(count.telling > 20_000 && count.refused > 4000 && count.accepted > 500, "{count:?}");
}

#[test]
#[ignore = "minutes of processor time"]
fn both_evaluators_allow_the_same_moves_in_many_texts() {
    let count = every_family(2000);
    assert!(count.texts > 0, "{count:?}");
}

#[test]
fn both_evaluators_agree_on_the_published_strategies() {
    let mut count = Count::default();
    let mut rng = Rng::new(3);
    let (game, _) = OrderChaos::from_spelling("order-chaos:6x6,k=5").unwrap();
    let features = game.vocabulary();
    let met = positions(&game, features.as_ref(), &mut rng, 300);
    let mut texts = 0;
    for facts in game.strategies() {
        if let Some(text) = game.strategy_text(facts.name) {
            assert!(agree(&game, features.as_ref(), text, &met, &mut count), "{}", facts.name);
            texts += 1;
        }
    }
    let (game, _) = OrderChaos::from_spelling("order-chaos:4x4,k=4").unwrap();
    let features = game.vocabulary();
    let met = positions(&game, features.as_ref(), &mut rng, 300);
    let t1 = game.strategy_text("castelein-t1").expect("T1 is a text");
    let readings = Text::parse(t1).unwrap().readings;
    for reading in &readings {
        let text = Text::parse(t1).unwrap().read_as(reading).unwrap().to_string();
        assert!(agree(&game, features.as_ref(), &text, &met, &mut count), "{reading}");
        texts += 1;
    }
    let (game, _) = Mnk::from_spelling("mnk:3,3,3").unwrap();
    let features = game.vocabulary();
    let met = positions(&game, features.as_ref(), &mut rng, 300);
    for facts in game.strategies() {
        let Some(text) = game.strategy_text(facts.name) else { continue };
        assert!(agree(&game, features.as_ref(), text, &met, &mut count), "{}", facts.name);
        texts += 1;
    }
    let (game, _) = Mill::from_spelling("antrin:3").unwrap();
    let features = game.vocabulary();
    let met = positions(&game, features.as_ref(), &mut rng, 300);
    let text = game.strategy_text("vaki-defence").expect("Vaki's defence is a text");
    assert!(agree(&game, features.as_ref(), text, &met, &mut count));
    assert!(texts >= 12 && count.telling > 2000, "{texts} texts, {count:?}");
}
