//! The games by name. A family is one line here.

use crate::erased::{
    AnyGame, Entry, acyclic, board_file, board_from_rules, heaps, impartial, mills, names_a_file, tak,
};
use agon_core::GameError;
use agon_core::family::{check_length, same_game, split_spelling};
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Coded, Dawson, GrundysGame, Kayles, Nim, Subtraction};
use agon_games::impartial::sum::Sum;
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;

/// Every family. `acyclic` accepts only games with all that its solvers need: anything else does not
/// compile. `cyclic` and `indexed` are for games in which play can cycle.
pub static FAMILIES: &[Entry] = &{
    let [antrin, achi, three, tapatan, holes, picaria, tant_fant, shisima, rota, tsoro, morris] = mills();
    [
        acyclic::<Mnk>(),
        acyclic::<Drop>(),
        acyclic::<OrderChaos>(),
        tak(),
        heaps::<Coded>(),
        heaps::<Subtraction>(),
        heaps::<Nim>(),
        heaps::<Kayles>(),
        heaps::<Dawson>(),
        heaps::<GrundysGame>(),
        impartial::<Play<Treblecross>>(),
        impartial::<Play<Tiles<Ellie>>>(),
        impartial::<Play<Tiles<Cram>>>(),
        impartial::<Play<Circle>>(),
        impartial::<Play<Sum>>(),
        antrin,
        achi,
        three,
        tapatan,
        holes,
        picaria,
        tant_fant,
        shisima,
        rota,
        tsoro,
        morris,
        board_file(),
    ]
};

/// The game of that spelling, alias or family name. Neither the spelling given nor the canonical one may be longer than
/// [`LONGEST_SPELLING`](agon_core::family::LONGEST_SPELLING): what is written can be read again.
pub fn game(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    check_length(given)?;
    let game = build(given)?;
    check_length(game.spelling())?;
    Ok(game)
}

fn build(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (name, text) = split_spelling(given);
    if let Some(entry) = FAMILIES.iter().find(|entry| entry.facts.family.eq_ignore_ascii_case(name)) {
        return (entry.build)(given);
    }
    match aliases().find(|(alias, _, _)| alias.eq_ignore_ascii_case(name)) {
        Some((_, spelling, entry)) if text.is_empty() => (entry.build)(spelling),
        Some((alias, spelling, entry)) => {
            let why = format!("{alias} stands for {spelling} and takes no parameters; use {}:…", entry.facts.family);
            Err(GameError::new(given, why))
        }
        None => Err(GameError::new(given, format!("expected {}", known_names(name)))),
    }
}

/// The game that a file is about: its canonical spelling and, where they come from a file, its rules in canonical form.
/// Opens no file: who wrote the spelling may be anybody.
pub fn described(spelling: &str, rules: Option<&str>) -> Result<Box<dyn AnyGame>, GameError> {
    check_length(spelling)?;
    let built = match rules {
        Some(rules) => board_from_rules(spelling, rules)?,
        None if names_a_file(spelling) => {
            let why = "the rules of a board from a file must stand beside it, for no such file is looked for. An \
                       earlier version wrote none: make it again";
            return Err(GameError::new(spelling, why));
        }
        None => game(spelling)?,
    };
    if is_spelling_of(built.as_ref(), spelling) {
        Ok(built)
    } else {
        Err(GameError::new(spelling, format!("it should be spelled {}", built.spelling())))
    }
}

/// The game of a canonical spelling that was written to a file by agon.
pub fn canonical(spelling: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let built = game(spelling)?;
    if is_spelling_of(built.as_ref(), spelling) {
        return Ok(built);
    }
    let why = match names_a_file(spelling) {
        true => {
            format!("an earlier version wrote it and did not keep the rules; those there now are {}", built.spelling())
        }
        false => format!("it should be spelled {}", built.spelling()),
    };
    Err(GameError::new(spelling, why))
}

fn aliases() -> impl Iterator<Item = (&'static str, &'static str, &'static Entry)> {
    FAMILIES.iter().flat_map(|entry| entry.facts.aliases.iter().map(move |(alias, game)| (*alias, *game, entry)))
}

/// The names that would do, the nearest first.
fn known_names(near: &str) -> String {
    let families = FAMILIES.iter().map(|entry| entry.facts.family);
    let mut names: Vec<&str> = families.chain(aliases().map(|(alias, _, _)| alias)).collect();
    names.sort_by_key(|name| distance(near, name));
    format!("one of {}", names.join(", "))
}

/// Letters to change, add or drop to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let best = (diagonal + usize::from(a != *b)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[to.len()]
}

/// Whether a file that names its game so is about this game: by its one spelling, or by what was its one spelling in an
/// earlier version.
#[must_use]
pub fn is_spelling_of(game: &dyn AnyGame, text: &str) -> bool {
    same_game(&agon_games::impartial::modern(text), game.spelling())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_that_nobody_types_is_refused_with_its_length() {
        let long = format!("sum:{}", vec!["(nim:24)"; 2111].join("+"));
        let refused = [game(&long).err(), described(&long, None).err(), canonical(&long).err()];
        for why in refused {
            let why = why.expect("it is too long").to_string();
            assert!(why.contains("it has 19002 bytes; expected at most 4096") && why.len() < 300, "{why}");
        }
        let fits = format!("nim:{}24", " ".repeat(4096 - "nim:24".len()));
        assert_eq!((fits.len(), game(&fits).map(|game| game.spelling().to_string())), (4096, Ok("nim:24".into())));
    }

    #[test]
    fn names_aliases_and_what_would_do() {
        assert_eq!(game("tic-tac-toe").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
        assert_eq!(game(" mnk ").map(|g| g.spelling().to_string()), Ok("mnk:3,3,3".into()));
        let error = game("tictactoe").err().map(|e| e.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("expected one of tic-tac-toe")), "{error:?}");
        assert!(game("").is_err() && game("tic-tac-toe:4").is_err());
    }

    #[test]
    fn every_default_and_alias_builds() {
        for entry in FAMILIES {
            assert!((entry.build)(entry.facts.family).is_ok(), "{}", entry.facts.family);
            for (alias, spelling) in entry.facts.aliases {
                assert_eq!(game(alias).map(|g| g.spelling().to_string()), Ok((*spelling).to_string()));
            }
        }
    }
}
