//! Players and strategies as people spell them, with the files they name.

use crate::erased::{AnyAgent, AnyGame, StrategyRequest};
use crate::files::{read_short_text, read_text};
use agon_report::failure::Failure;
use agon_strategies::LONGEST_TEXT;
use std::path::Path;

/// `NAME`, `NAME:READING`, `FILE.rules`, `FILE.rules:READING`, or one of them with `@FILE` for exceptions.
pub fn strategy_request(text: &str) -> Result<StrategyRequest, Failure> {
    let (name, exceptions) = match text.split_once('@') {
        Some((_, "")) => return Err(Failure::Usage(format!("invalid strategy `{text}`: expected a file after @"))),
        Some((name, file)) => (name, Some((file.to_string(), read_text(Path::new(file))?))),
        None => (text, None),
    };
    let (file, reading) = match name.rsplit_once(':') {
        Some((file, reading)) if file.ends_with(EXTENSION) => (file, reading),
        _ => (name, ""),
    };
    if !file.ends_with(EXTENSION) {
        return Ok(StrategyRequest { exceptions, ..StrategyRequest::named(name) });
    }
    let written = StrategyRequest::written(file, read_short_text(Path::new(file), LONGEST_TEXT as u64)?);
    Ok(StrategyRequest { reading: reading.to_string(), exceptions, ..written })
}

/// The ending of the name of a strategy file.
const EXTENSION: &str = ".rules";

/// A player by its spelling; `learned:FILE` is one by a model.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, players::player};
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let mut agent = player(game.as_ref(), "perfect", 1).unwrap();
/// assert_eq!(agent.choose("XX./OO./...", &Ctx::default()).unwrap().mv, "c3");
/// assert!(player(game.as_ref(), "nobody", 1).is_err());
/// ```
pub fn player(game: &dyn AnyGame, spelling: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
    match spelling.strip_prefix("learned:") {
        Some(file) => game.learned((file, &read_text(Path::new(file))?), seed),
        None => game.agent(&strategy_request(spelling)?, seed),
    }
}
