//! Two arguments about lines that replace a walk over every play: a frame around a smaller game, and a pairing of all
//! cells. The game hands over data; everything that the arguments rest on is checked here.

use crate::judge::{Rejected, Shown};
use crate::walk::Walker;
use agon_core::family::shorten;
use agon_core::lines::{CellSet, Frame, Line, LineGame, Lines, MAX_MARKS};
use agon_core::{Ctx, Notation, Player, Symmetric, Wdl};

/// The most pairs of a pairing: all of their 2^24 boards are examined.
const MAX_PAIRS: usize = 24;

fn refuted<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Refuted(why.into()))
}

fn corrupt<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Corrupt(why.into()))
}

/// The lines of a game in which one side alone has lines and they decide. The argument must begin at its empty board.
fn deciding<G: LineGame>(game: &G, root: &G::Position) -> Result<Lines, Rejected> {
    let mut found = Player::BOTH.into_iter().filter_map(|maker| game.lines(maker));
    let lines = match (found.next(), found.next()) {
        (Some(lines), None) if lines.decides => lines,
        _ => return corrupt("this argument needs a game that the lines of one side decide"),
    };
    if *root != game.start() || game.line_marks(root, lines.maker) != [0; MAX_MARKS] {
        return corrupt("this argument begins at the empty board");
    }
    Ok(lines)
}

/// Proof by decomposition (Lemma 3.1 of Castelein's thesis, for any lines): the listed moves win the inner game, walked
/// exhaustively, and the maker answers every mark on the border in the other cell of its pair, with the other mark.
pub(crate) fn lifted<G: Notation + Symmetric + LineGame>(
    game: &G,
    root: &G::Position,
    entries: &[(String, Vec<String>)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let outer = deciding(game, root)?;
    let Some(frame) = game.frame() else { return refuted("there is no frame around a smaller game on this board") };
    let (inside, start) = (&frame.inner, frame.inner.start());
    let inner = deciding(inside, &start)?;
    if inner.maker != outer.maker || inside.turn(&start) != game.turn(root) {
        return refuted("the sides of the inner game are not those of the outer game");
    }
    surrounds(&frame, &inner, &outer, game.turn(root) == outer.maker)?;
    let walker = Walker { game: inside, root: start, symmetry: false, ctx };
    let looked_at = walker.strategy(inner.maker, Wdl::Win, None, entries)?;
    Ok((outer.maker, Wdl::Win, looked_at))
}

/// Checks that a win of the maker on the inner board gives one on the outer board.
///
/// Once an inner line is complete, the two cells of some pair on the border get different marks, because the maker
/// answers there. Either of them continues the line to an outer line, if the other mark is in the other cell.
fn surrounds<G>(frame: &Frame<G>, inner: &Lines, outer: &Lines, maker_begins: bool) -> Result<(), Rejected> {
    if inner.marks != 2 || outer.marks != 2 || inner.settled || inner.avoiding() {
        return refuted("the argument needs two marks, and inner lines that count as soon as they are complete");
    }
    // If lines count only when they are settled, the maker must not be forced to fill a pair on the border first: it
    // always has an answer on the inner board if the other side begins and the number of its cells is even.
    if outer.settled && (maker_begins || inner.cells % 2 == 1) {
        return refuted("where only the full board is judged, the argument needs the breaker first and an even board");
    }
    let mut taken: CellSet = 0;
    for cell in frame.cells.iter().copied().chain(frame.pairs.iter().flat_map(|&(one, other)| [one, other])) {
        if cell >= outer.cells || taken >> cell & 1 == 1 {
            return refuted("the frame uses a cell twice, or one that is not on the board");
        }
        taken |= 1 << cell;
    }
    if frame.cells.len() != inner.cells || taken != outer.all() {
        return refuted("the inner board and the pairs do not make up the outer board");
    }
    let continued = |line: &Line| {
        let cells = frame.cells.iter().enumerate().filter(|(cell, _)| line.want >> cell & 1 == 1);
        let want: CellSet = cells.fold(0, |set, (_, outside)| set | 1 << outside);
        let has = |end: usize, other: usize| {
            let fits = |l: &Line| l.mark == line.mark && l.want == want | 1 << end && l.avoid & !(1 << other) == 0;
            outer.lines.iter().any(fits)
        };
        frame.pairs.iter().any(|&(one, other)| has(one, other) && has(other, one))
    };
    if inner.lines.iter().all(continued) {
        return Ok(());
    }
    refuted("an inner line does not continue into both cells of a pair")
}

/// A pairing of all cells by which the breaker answers: every full board that agrees with it is examined. It counts
/// only where the maker begins and complete lines stay complete, so that the full board tells whether there was one.
pub(crate) fn pairing<G: LineGame>(
    game: &G,
    root: &G::Position,
    pairs: &[(String, String, bool)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let lines = deciding(game, root)?;
    if !lines.settled || lines.marks != 2 || game.turn(root) != lines.maker || pairs.len() > MAX_PAIRS {
        return refuted(format!(
            "the argument needs two marks, the maker first, only the full board judged, and at most {MAX_PAIRS} pairs"
        ));
    }
    let names: Vec<String> = (0..lines.cells).map(|cell| game.cell_name(cell)).collect();
    let mut cells = Vec::new();
    let mut taken: CellSet = 0;
    for (one, other, same) in pairs {
        let cell = |given: &String| names.iter().position(|name| name == given);
        let (Some(one), Some(other)) = (cell(one), cell(other)) else {
            return corrupt(format!("`{}` are not two cells", shorten(&format!("{one} {other}"))));
        };
        if one >= other || taken >> one & 1 == 1 || taken >> other & 1 == 1 {
            return corrupt("pairs must be different cells, the lower first, each used once");
        }
        taken |= 1 << one | 1 << other;
        cells.push((one, other, *same));
    }
    if taken != lines.all() {
        return refuted("the pairs do not cover the board, so an answer may be missing");
    }
    let mut meter = ctx.meter();
    for choice in 0..1u64 << cells.len() {
        meter.tick()?;
        let mut marks: [CellSet; 2] = [0, 0];
        for (i, &(one, other, same)) in cells.iter().enumerate() {
            let mark = (choice >> i & 1) as usize;
            marks[mark] |= 1 << one;
            marks[if same { mark } else { 1 - mark }] |= 1 << other;
        }
        let complete = |line: &Line| {
            let own = marks[usize::from(line.mark)];
            line.want & !own == 0 && line.avoid & own == 0
        };
        if lines.lines.iter().any(complete) {
            let board: String =
                (0..lines.cells).map(|cell| if marks[0] >> cell & 1 == 1 { 'X' } else { 'O' }).collect();
            return refuted(format!("the pairs allow the board `{board}`, on which a line is complete"));
        }
    }
    Ok((lines.maker.other(), lines.spoiled.flip(), 1 << cells.len()))
}
