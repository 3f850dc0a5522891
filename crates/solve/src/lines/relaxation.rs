//! Lines that avoid cells, without what they avoid: a game in which the maker needs less.
//!
//! Whoever completes a line of the game completes it here too, so the breaker's success here is one in the game. Far more
//! can be forgotten where lines avoid nothing, so the search is often much quicker.

use super::evidence::Oracle;
use super::position::{Board, Position};
use super::prover::Prover;
use agon_core::lines::{CellSet, Line, MAX_MARKS};
use agon_core::{Ctx, Lines, Stop};

/// A prover for the relaxed lines, and the board of the lines as they are.
pub struct Relaxation {
    board: Board,
    prover: Prover,
}

impl Relaxation {
    /// For the lines of a game, with a transposition table of at most `bytes`; `None` if they avoid nothing, or if there
    /// is only one mark, so that relaxed lines cannot be spoiled.
    #[must_use]
    pub fn new(lines: &Lines, bytes: usize) -> Option<Relaxation> {
        let relaxed = lines.lines.iter().map(|line| Line { avoid: 0, ..*line }).collect();
        let relaxed = Lines { lines: relaxed, settled: false, ..lines.clone() };
        (lines.avoiding() && lines.marks > 1)
            .then(|| Relaxation { board: Board::new(lines), prover: Prover::new(&relaxed, bytes) })
    }

    /// The number of positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.prover.nodes()
    }

    /// The position with these marks.
    #[must_use]
    pub fn position(&self, marks: [CellSet; MAX_MARKS], maker: bool) -> Position {
        self.board.position(marks, maker)
    }

    /// A winning move of the breaker, as an empty cell and a mark.
    pub fn placing(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(usize, usize)>, Stop> {
        let found = Oracle::winning_move(self, pos, ctx)?;
        Ok(found.and_then(|(cell, mark)| Some((cell?, mark))))
    }

    /// Returns whether the breaker spoils every relaxed line, and so every line. If not, nothing is known.
    pub fn breaker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop> {
        Ok(!self.prover.maker_wins(pos, ctx)?)
    }
}

/// A reduced position of the game, read as one of the relaxed lines, has fewer of these: a dead cell spoils them. That
/// favours the breaker, so it still wins.
impl Oracle for Relaxation {
    fn board(&self) -> &Board {
        &self.board
    }

    fn maker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop> {
        self.prover.maker_wins(pos, ctx)
    }

    fn winning_move(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(Option<usize>, usize)>, Stop> {
        let found = self.prover.winning_move(pos, ctx)?;
        if !matches!(found, Some((None, _))) || pos.spare {
            return Ok(found);
        }
        // A cell on no relaxed line that can be completed may be one that a line of the game avoids.
        let mut live = Vec::new();
        self.prover.board().live(pos, &mut live);
        let used = live.iter().fold(pos.filled(), |set, line| set | line.need);
        let free = self.board.rules.all() & !used;
        Ok((free != 0).then(|| (Some(free.trailing_zeros() as usize), 0)))
    }
}
