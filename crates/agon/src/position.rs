//! The starting position of a command: a position, a list of moves, or a game in a file.

use crate::cli::Shared;
use crate::erased::AnyGame;
use crate::failure::Failure;
use crate::output::{read_input, read_text};
use crate::registry::record::{self, Line};
use std::path::Path;

/// The value that stands for standard input.
const INPUT: &str = "-";

impl Shared {
    /// The line of play that `--from`, `--moves` and `--load` describe; its end is where the command begins. `own` is a
    /// position given without a flag.
    pub fn line(&self, game: &dyn AnyGame, own: Option<&str>) -> Result<Line, Failure> {
        self.refuse_contradictions(own)?;
        if let Some(path) = &self.load {
            return Ok(loaded(game, path)?.1);
        }
        let from = match own.or(self.from.as_deref()) {
            None => game.start(),
            Some(INPUT) => position_of(game, said(&read_input()?, "a position")?)?,
            Some(text) => position_of(game, text)?,
        };
        let moves = match self.moves.as_deref() {
            None => Vec::new(),
            Some(INPUT) => record::list(game, &read_input()?)?,
            Some(text) => record::list(game, text)?,
        };
        Line::new(game, from, &moves)
    }

    /// The position at which a command begins.
    pub fn position(&self, game: &dyn AnyGame) -> Result<String, Failure> {
        Ok(self.line(game, None)?.position().to_string())
    }

    /// The flags given that say where to begin.
    #[must_use]
    pub fn place_flags(&self) -> Vec<&'static str> {
        let given =
            [(self.from.is_some(), "--from"), (self.moves.is_some(), "--moves"), (self.load.is_some(), "--load")];
        given.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag).collect()
    }

    /// Returns whether one of them is read from standard input.
    #[must_use]
    pub fn reads_input(&self) -> bool {
        self.inputs(None) > 0
    }

    fn inputs(&self, own: Option<&str>) -> usize {
        let load = self.load.as_deref().and_then(Path::to_str);
        [own, self.from.as_deref(), self.moves.as_deref(), load].iter().filter(|given| **given == Some(INPUT)).count()
    }

    fn refuse_contradictions(&self, own: Option<&str>) -> Result<(), Failure> {
        let why = if own.is_some() && self.from.is_some() {
            "give the position once: as POS or with --from"
        } else if self.load.is_some() && (own.is_some() || self.from.is_some()) {
            "a game in a file says itself where it begins: leave --load or the position out"
        } else if self.load.is_some() && self.moves.is_some() {
            "a game in a file has its moves: leave --load or --moves out"
        } else if self.inputs(own) > 1 {
            "`-` can be used only once"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(why.into()))
    }
}

/// The position that a text describes. Moves where a position is expected are recognised.
fn position_of(game: &dyn AnyGame, text: &str) -> Result<String, Failure> {
    game.position(text).map_err(|failure| {
        let moves = record::list(game, text).ok().filter(|moves| !moves.is_empty());
        let plays = moves.is_some_and(|moves| Line::new(game, game.start(), &moves).is_ok());
        match (failure, plays) {
            (Failure::Usage(why), true) => {
                Failure::Usage(format!("{why}; these are moves: give them as --moves \"{text}\""))
            }
            (failure, _) => failure,
        }
    })
}

/// The game in a file, or in standard input, and the text that it was read from.
pub fn loaded(game: &dyn AnyGame, path: &Path) -> Result<(String, Line), Failure> {
    let input = path.to_str() == Some(INPUT);
    let text = if input { read_input()? } else { read_text(path)? };
    let line = record::load(game, &text).map_err(|failure| match failure {
        Failure::Usage(why) if input => Failure::Usage(format!("standard input: {why}")),
        Failure::Damaged { why, .. } if input => Failure::damaged_text(format!("standard input: {why}")),
        failure => failure.in_file(path),
    })?;
    Ok((text, line))
}

/// Reads standard input, which must not be empty.
fn said<'a>(text: &'a str, what: &str) -> Result<&'a str, Failure> {
    match text.trim() {
        "" => Err(Failure::Usage(format!("standard input is empty: expected {what}"))),
        text => Ok(text),
    }
}
