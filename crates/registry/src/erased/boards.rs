//! The boards of a mill game with what they are worth: a set to learn from.

use agon_core::{Game, Indexed, Notation, Symmetric, Value};
use agon_games::mill::{Men, Mill};
use agon_report::failure::Failure;
use agon_solve::Retro;
use agon_solve::retro::unreadable;
use std::collections::BTreeMap;

/// A board with what it is worth to the side to move.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct BoardRow {
    /// `placing` or `moving`.
    pub phase: &'static str,
    /// Men placed so far, while placing.
    pub step: Option<u32>,
    /// The board, in the game's notation.
    pub board: String,
    /// True if the play is over.
    pub over: bool,
    /// The number of boards in its orbit.
    pub positions: u64,
    /// Ways to place the men so, while placing.
    pub sequences: Option<u64>,
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
    /// Plies until the end; none for a draw.
    pub plies: Option<u32>,
}

fn row(game: &Mill, solved: &Retro<Mill>, pos: &Men, sequences: Option<u64>, step: u32) -> Result<BoardRow, Failure> {
    let value = solved.look_up(game, pos).map_err(unreadable)?;
    let value = value.ok_or_else(|| Failure::Failed(format!("no table contains {}", game.show(pos))))?;
    Ok(BoardRow {
        phase: if sequences.is_some() { "placing" } else { "moving" },
        step: sequences.map(|_| step),
        board: game.show(pos),
        over: game.outcome(pos).is_some(),
        positions: game.order() as u64 / game.stabiliser(pos).len() as u64,
        sequences,
        value: value.wdl().name(),
        plies: Some(value).filter(|v| *v != Value::DRAW).and_then(Value::plies),
    })
}

/// Every board up to symmetry: those met while placing, step by step, with the number of ways to place
/// the men so; then those of the moving phase, with the side to move as white.
pub(super) fn boards(game: &Mill, solved: &Retro<Mill>) -> Result<Vec<BoardRow>, Failure> {
    let mut rows = Vec::new();
    let mut layer: BTreeMap<Men, u64> = BTreeMap::from([(game.start(), 1)]);
    let mut step = 0;
    while game.start().hand != [0, 0] && !layer.is_empty() {
        let mut next: BTreeMap<Men, u64> = BTreeMap::new();
        for (pos, ways) in &layer {
            rows.push(row(game, solved, pos, Some(*ways), step)?);
            if pos.hand != [0, 0] {
                game.moves(pos, &mut |mv| *next.entry(game.canonical(&game.after(pos, mv)).0).or_default() += ways);
            }
        }
        (layer, step) = (next, step + 1);
    }
    for &shard in solved.shards().iter().filter(|&&shard| game.phase(shard) == "moving") {
        let mut failed = None;
        let read = solved.each(game, shard, |pos, _, _| match row(game, solved, pos, None, 0) {
            Ok(row) => rows.push(row),
            Err(why) => failed = Some(why),
        });
        read.map_err(unreadable)?;
        failed.map_or(Ok(()), Err)?;
    }
    Ok(rows)
}
