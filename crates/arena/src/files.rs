//! The files that players are built from: models and exceptions. A tournament records the hash of each, so that it is
//! never resumed with a different player of the same name.

use super::engine::program;
use agon_registry::erased::{AnyAgent, AnyGame};
use agon_registry::files::read_text;
use agon_registry::players::strategy_request;
use agon_report::failure::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The BLAKE3 hash of each file, keyed by its name in the spelling of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Files(BTreeMap<String, String>);

/// The file in the spelling of a player: `learned:FILE` or `NAME@FILE`.
fn file_of(player: &str) -> Option<&str> {
    let file = match player.strip_prefix("learned:") {
        Some(file) => Some(file),
        None if program(player).is_some() => None,
        None => player.split_once('@').map(|(_, file)| file),
    };
    file.filter(|file| !file.is_empty())
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

impl Files {
    /// Hashes the files of these players.
    pub fn of(players: &[String]) -> Result<Files, Failure> {
        let files = players.iter().filter_map(|player| file_of(player));
        let hashed = files.map(|file| Ok((file.to_string(), hash(&read_text(Path::new(file))?))));
        hashed.collect::<Result<_, Failure>>().map(Files)
    }

    /// Returns whether there are no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails if a file exists and has another hash than recorded. If games are left to play, it also fails if no hash
    /// is recorded.
    pub fn unchanged(&self, players: &[String], games_left: bool) -> Result<(), Failure> {
        for file in players.iter().filter_map(|player| file_of(player)) {
            if games_left || (self.0.contains_key(file) && Path::new(file).exists()) {
                self.same(file, &read_text(Path::new(file))?)?;
            }
        }
        Ok(())
    }

    /// The first file whose hash differs between two tournaments, or that only one of them has.
    #[must_use]
    pub fn difference<'a>(&'a self, other: &'a Files) -> Option<&'a str> {
        let names = self.0.keys().chain(other.0.keys());
        names.map(String::as_str).find(|name| self.0.get(*name) != other.0.get(*name))
    }

    fn same(&self, file: &str, text: &str) -> Result<(), Failure> {
        let Some(recorded) = self.0.get(file) else {
            return Err(Failure::Usage(format!(
                "the tournament has no hash of `{file}` because an earlier version of agon started it, so it is unknown \
                 whether its games were played with this file; start a new tournament"
            )));
        };
        let found = hash(text);
        if found == *recorded {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "`{file}` has changed since this tournament started: its BLAKE3 hash is {found}, and {recorded} is recorded; \
             restore the old file, or start a new tournament"
        )))
    }

    /// Creates a player from its spelling; fails if a file differs from the recorded one.
    pub fn player(&self, game: &dyn AnyGame, spelling: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        if let Some(file) = spelling.strip_prefix("learned:") {
            let text = read_text(Path::new(file))?;
            self.same(file, &text)?;
            return game.learned((file, &text), seed);
        }
        let request = strategy_request(spelling)?;
        if let Some((file, text)) = &request.exceptions {
            self.same(file, text)?;
        }
        game.agent(&request, seed)
    }
}
