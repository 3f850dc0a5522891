//! Players and strategies as people spell them, with the files they name.

use crate::erased::{AnyAgent, AnyGame, StrategyRequest};
use crate::files::read_text;
use agon_report::failure::Failure;
use std::path::Path;

/// `NAME`, `NAME:READING`, or either with `@FILE`.
pub fn strategy_request(text: &str) -> Result<StrategyRequest, Failure> {
    let (name, exceptions) = match text.split_once('@') {
        Some((_, "")) => return Err(Failure::Usage(format!("invalid strategy `{text}`: expected a file after @"))),
        Some((name, file)) => (name, Some((file.to_string(), read_text(Path::new(file))?))),
        None => (text, None),
    };
    Ok(StrategyRequest { name: name.to_string(), exceptions })
}

/// A player by its spelling; `learned:FILE` is one by a model.
pub fn player(game: &dyn AnyGame, spelling: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
    match spelling.strip_prefix("learned:") {
        Some(file) => game.learned((file, &read_text(Path::new(file))?), seed),
        None => game.agent(&strategy_request(spelling)?, seed),
    }
}
