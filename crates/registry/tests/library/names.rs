//! Games by name: families, aliases, spellings, and families added to a registry.

use agon_core::Facts;
use agon_core::family::LONGEST_SPELLING;
use agon_core::toy::Dots;
use agon_registry::entry::Entry;
use agon_registry::{Registry, standard};

#[test]
fn a_spelling_that_nobody_types_is_refused_with_its_length() {
    let (games, long) = (standard(), format!("sum:{}", vec!["(nim:24)"; 2111].join("+")));
    let refused = [games.game(&long).err(), games.described(&long, None).err(), games.canonical(&long).err()];
    for why in refused {
        let why = why.expect("it is too long").to_string();
        assert!(why.contains("it has 19002 bytes; expected at most 4096") && why.len() < 300, "{why}");
    }
    let fits = format!("nim:{}24", " ".repeat(LONGEST_SPELLING - "nim:24".len()));
    assert_eq!(
        (fits.len(), standard().game(&fits).map(|game| game.spelling().to_string())),
        (4096, Ok("nim:24".into()))
    );
}

#[test]
fn names_aliases_and_what_would_do() {
    assert_eq!(standard().game("tic-tac-toe").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
    assert_eq!(standard().game(" mnk ").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
    assert!(standard().game("").is_err() && standard().game("tic-tac-toe:4").is_err());
    for (given, said) in [
        ("tiktaktoe", "did you mean tic-tac-toe"),
        ("conect four", "did you mean connect-four"),
        ("moris", "did you mean morris"),
        ("chess", "did you mean dawson"),
        ("gomoku", "did you mean mnk:8,8,5"),
        ("xyzzy", "expected the name of a family"),
        ("", "expected the name of a family"),
    ] {
        let error = standard().game(given).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(said), "{given}: {error}");
        assert!(error.matches(", ").count() < 6, "{error}");
    }
}

#[test]
fn names_are_read_without_regard_to_case_blanks_hyphens_and_apostrophes() {
    for (given, spelling) in [
        ("TicTacToe", "mnk:3,3,3"),
        ("tic tac_toe", "mnk:3,3,3"),
        ("connect 4", "drop:7,6,4"),
        ("Connect Four", "drop:7,6,4"),
        ("nine men's morris", "morris:nine"),
        ("Nine Men’s Morris", "morris:nine"),
        ("order & chaos", ""),
        ("Order Chaos:6x6", "order-chaos:6x6"),
        ("tsoro yematatu", "tsoro-yematatu"),
    ] {
        let found = standard().game(given).map(|game| game.spelling().to_string()).unwrap_or_default();
        assert_eq!(found, spelling, "{given}");
    }
}

#[test]
fn a_name_that_two_families_may_mean_is_refused() {
    let named = |family: &'static str| {
        let facts = Facts { family: family.to_string(), ..Entry::acyclic::<Dots>().facts };
        Entry::new(facts, |given| Entry::acyclic::<Dots>().build(given))
    };
    let two = Registry::standard().with(named("pen-dots")).with(named("pend-ots"));
    assert!(two.game("pendots").is_err() && two.game("pen-dots").is_ok() && two.game("PEND-OTS").is_ok());
    assert!(Registry::standard().with(named("pen-dots")).game("Pen Dots").is_ok());
}

#[test]
fn a_file_with_rules_is_one_under_every_spelling_of_its_family() {
    let games = Registry::standard().with_board_files();
    for given in ["board:some.toml", "BOARD:some.toml", "bo-ard:some.toml", "b oard:some.toml"] {
        assert!(games.names_a_file(given), "{given}");
        let why = games.described(given, None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(why.contains("the file itself is not opened"), "{given}: {why}");
    }
}

#[test]
fn a_family_is_added_or_takes_the_place_of_another() {
    let own = || Entry::acyclic::<Dots>();
    let (family, count) = (own().facts.family, standard().entries().count());
    assert!(standard().game(&family).is_err());
    let more = Registry::standard().with(own()).with(own());
    assert_eq!(more.entries().count(), count + 1);
    assert!(more.game(&family).is_ok());
}

#[test]
fn every_default_and_alias_builds() {
    for entry in standard().entries() {
        assert!(entry.build(&entry.facts.family).is_ok(), "{}", entry.facts.family);
        for (alias, spelling) in &entry.facts.aliases {
            assert_eq!(standard().game(alias).map(|g| g.spelling().to_string()), Ok((*spelling).to_string()));
        }
    }
}
