//! Wins by decomposition: the maker wins a smaller game inside the board, and the cells around it are paired.
//!
//! [`Frame`] states the argument. The conditions that it needs are tested here, and once more by the checker, in its
//! own code.

use super::Prover;
use agon_core::lines::{CellSet, Frame, Line, MAX_MARKS};
use agon_core::{Ctx, LineGame, Lines, Player, Stop};

/// A frame whose argument holds, and a prover for the game inside.
pub struct Decomposition {
    outer: Lines,
    inner: Lines,
    /// For each cell of the inner board, its cell of the outer board.
    cells: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    prover: Prover,
}

/// A move of the maker: a cell of the outer board, and a mark.
pub type Placed = (usize, usize);

impl Decomposition {
    /// The frame of a game, with a transposition table of at most `bytes`; `None` if the game has none, or none from
    /// which a win follows.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, bytes: usize) -> Option<Decomposition> {
        let Frame { inner: inside, cells, pairs } = game.frame()?;
        let (outer, inner) = (deciding(game)?, deciding(&inside)?);
        let (maker, begins) = (outer.maker, |game: &G| game.turn(&game.start()));
        if inner.maker != maker || begins(&inside) != begins(game) {
            return None;
        }
        let prover = Prover::new(&inner, bytes);
        let found = Decomposition { outer, inner, cells, pairs, prover };
        (found.fits(begins(game) == maker) && found.covers()).then_some(found)
    }

    /// Returns whether the rules allow the argument.
    fn fits(&self, maker_begins: bool) -> bool {
        let Decomposition { outer, inner, .. } = self;
        // If only the full board is judged, the maker must have an answer inside whenever the breaker moves there.
        let answers = !outer.settled || (!maker_begins && inner.cells % 2 == 0);
        inner.marks == 2 && outer.marks == 2 && !inner.settled && !inner.avoiding() && answers
    }

    /// Returns whether cells and pairs make up the board, and every inner line continues into both cells of a pair.
    fn covers(&self) -> bool {
        let mut used = vec![0; self.outer.cells];
        let paired = self.pairs.iter().flat_map(|&(one, other)| [one, other]);
        for cell in self.cells.iter().copied().chain(paired) {
            let Some(times) = used.get_mut(cell) else { return false };
            *times += 1;
        }
        let continues = |line: &Line| self.pairs.iter().any(|&pair| self.continues(line, pair));
        used.iter().all(|&times| times == 1)
            && self.cells.len() == self.inner.cells
            && self.inner.lines.iter().all(continues)
    }

    /// Returns whether either cell of a pair makes an outer line of an inner one, if the other holds another mark.
    fn continues(&self, line: &Line, (one, other): (usize, usize)) -> bool {
        let want = self.outward(line.want);
        let longer = |end: usize, avoided: usize| {
            let is_longer = |l: &&Line| l.mark == line.mark && l.want == want | 1 << end;
            self.outer.lines.iter().filter(is_longer).any(|l| l.avoid & !(1 << avoided) == 0)
        };
        longer(one, other) && longer(other, one)
    }

    /// Cells of the inner board on the outer board.
    fn outward(&self, cells: CellSet) -> CellSet {
        self.cells.iter().enumerate().filter(|(cell, _)| cells >> cell & 1 == 1).fold(0, |set, (_, out)| set | 1 << out)
    }

    /// The marks on the inner board.
    fn inward(&self, marks: [CellSet; MAX_MARKS]) -> [CellSet; MAX_MARKS] {
        marks.map(|set| {
            let held = self.cells.iter().enumerate().filter(|(_, out)| set >> **out & 1 == 1);
            held.fold(0, |set, (cell, _)| set | 1 << cell)
        })
    }

    /// The side whose win the argument shows.
    #[must_use]
    pub fn maker(&self) -> Player {
        self.outer.maker
    }

    /// The number of positions of the inner game that were expanded.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.prover.nodes()
    }

    /// Returns `None` if the argument shows nothing about a position of the outer game that is not over; otherwise the
    /// maker wins, and if it is to move, this is its move.
    pub fn win(
        &mut self,
        marks: [CellSet; MAX_MARKS],
        maker_to_move: bool,
        ctx: &Ctx,
    ) -> Result<Option<Option<Placed>>, Stop> {
        let Some(waiting) = self.waiting(marks).filter(|waiting| maker_to_move || waiting.is_none()) else {
            return Ok(None);
        };
        let inside = self.inward(marks);
        let own_move = maker_to_move && waiting.is_none();
        let root = self.prover.board().position(inside, own_move);
        if !self.prover.maker_wins(&root, ctx)? {
            return Ok(None);
        }
        if !maker_to_move || waiting.is_some() {
            return Ok(Some(waiting));
        }
        let complete = |line: &&Line| line.want & !inside[usize::from(line.mark)] == 0;
        let mv = match self.inner.lines.iter().find(complete) {
            Some(line) => self.finish(line, marks),
            None => match self.prover.winning_move(&root, ctx)? {
                Some((Some(cell), mark)) => Some((self.cells[cell], mark)),
                _ => self.empty_inside(marks).map(|cell| (cell, 0)),
            },
        };
        Ok(mv.map(Some))
    }

    /// `None` if the pairs are not as the maker keeps them: both cells empty, or filled with different marks. One pair
    /// may wait for its second mark, which is then returned.
    fn waiting(&self, marks: [CellSet; MAX_MARKS]) -> Option<Option<Placed>> {
        let mark = |cell: usize| (0..2).find(|&mark| marks[mark] >> cell & 1 == 1);
        let mut waiting = None;
        for &(one, other) in &self.pairs {
            let answer = match (mark(one), mark(other)) {
                (None, None) => continue,
                (Some(a), Some(b)) if a != b => continue,
                (Some(a), None) => (other, 1 - a),
                (None, Some(b)) => (one, 1 - b),
                (Some(_), Some(_)) => return None,
            };
            if waiting.replace(answer).is_some() {
                return None;
            }
        }
        Some(waiting)
    }

    /// The move once an inner line is complete: its next cell, or where only the full board is judged, any cell inside.
    fn finish(&self, line: &Line, marks: [CellSet; MAX_MARKS]) -> Option<Placed> {
        if self.outer.settled {
            return self.empty_inside(marks).map(|cell| (cell, 0));
        }
        let filled = marks.iter().fold(0, |set, cells| set | cells);
        let empty = |&&(one, other): &&(usize, usize)| (filled >> one | filled >> other) & 1 == 0;
        let (end, _) = self.pairs.iter().filter(empty).find(|&&pair| self.continues(line, pair))?;
        Some((*end, usize::from(line.mark)))
    }

    fn empty_inside(&self, marks: [CellSet; MAX_MARKS]) -> Option<usize> {
        let filled = marks.iter().fold(0, |set, cells| set | cells);
        self.cells.iter().copied().find(|cell| filled >> cell & 1 == 0)
    }
}

/// The lines of a game that the lines of one side decide, from an empty board.
fn deciding<G: LineGame>(game: &G) -> Option<Lines> {
    let mut found = Player::BOTH.into_iter().filter_map(|maker| game.lines(maker));
    let lines = found.next().filter(|lines| lines.decides)?;
    let empty = game.line_marks(&game.start(), lines.maker) == [0; MAX_MARKS];
    (found.next().is_none() && empty).then_some(lines)
}
