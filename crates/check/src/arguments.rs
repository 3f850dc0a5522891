//! Two arguments about lines that replace a walk over every play: a frame around a smaller game, and a pairing of all
//! cells. The game hands over data; everything that the arguments rest on is checked here.

use crate::judge::{BoardFeatures, Rejected};
use crate::text::Strategy;
use crate::walk::{TEXT_MEMORY, Walker};
use agon_core::family::shorten;
use agon_core::features::Features;
use agon_core::lines::{CellSet, Frame, Line, LineGame, Lines, MAX_MARKS};
use agon_core::{Ctx, Notation, Outcome, Player, Stop, Symmetric, Wdl};
use std::collections::HashSet;

/// The most pairs of a pairing: all of their 2^24 boards are examined.
const MAX_PAIRS: usize = 24;

/// The bytes that a position takes in a set besides itself, about.
const POSITION_BYTES: usize = 16;

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
) -> Result<BoardFeatures, Rejected> {
    let (frame, inner) = framed(game, root)?;
    let (inside, start) = (&frame.inner, frame.inner.start());
    let walker = Walker { game: inside, root: start, symmetry: false, ctx };
    let looked_at = walker.strategy(inner.maker, Wdl::Win, None, entries)?;
    Ok((inner.maker, Wdl::Win, looked_at))
}

/// The same with a text for the whole game. While the border is empty, its moves must be moves of the inner game that
/// win there, whatever the other side does inside. What it does when the border is not empty plays no part.
pub(crate) fn lifted_text<G: Notation + Symmetric + LineGame>(
    game: &G,
    features: &dyn Features<G>,
    root: &G::Position,
    text: &str,
    ctx: &Ctx,
) -> Result<BoardFeatures, Rejected> {
    let (frame, inner) = framed(game, root)?;
    let strategy = Strategy::new(game, features, text)?;
    if strategy.looks_back {
        return refuted("a text that uses the last move cannot be lifted");
    }
    let complete = |marks: &[CellSet; MAX_MARKS]| {
        let at = |line: &Line, cell: usize| marks[usize::from(line.mark)] >> frame.cells[cell] & 1 == 1;
        inner.lines.iter().any(|line| (0..inner.cells).all(|cell| line.want >> cell & 1 == 0 || at(line, cell)))
    };
    let mut meter = ctx.meter();
    let (mut met, mut todo) = (HashSet::from([root.clone()]), vec![root.clone()]);
    while let Some(pos) = todo.pop() {
        meter.tick()?;
        if met.len().saturating_mul(POSITION_BYTES + size_of::<G::Position>()) > TEXT_MEMORY {
            return Err(Stop::Memory.into());
        }
        let won = Some(Outcome::Win(inner.maker));
        let marks = game.line_marks(&pos, inner.maker);
        match game.outcome(&pos) {
            None if !complete(&marks) => {}
            None => continue,
            over if over == won => continue,
            Some(_) => return refuted(format!("at `{}` the maker has not won", shorten(&game.show(&pos)))),
        }
        let there = || shorten(&game.show(&pos));
        let empty = frame.cells.iter().filter(|&&cell| marks.iter().all(|held| held >> cell & 1 == 0));
        let moves = empty.flat_map(|&cell| (0..inner.marks).map(move |mark| (cell, mark)));
        let inside: Vec<G::Move> =
            moves.filter_map(|(cell, mark)| game.line_move(&pos, inner.maker, cell, mark)).collect();
        if inside.is_empty() {
            return refuted(format!("at `{}` the inner board is full, and no line is complete", there()));
        }
        let chosen = match game.turn(&pos) == inner.maker {
            true => strategy.moves(&pos, 0, ctx)?,
            false => inside.clone(),
        };
        if chosen.is_empty() {
            return refuted(format!("the text has no move at `{}`", there()));
        }
        for mv in chosen {
            if !inside.contains(&mv) {
                let mv = shorten(&game.show_move(&pos, mv));
                return refuted(format!("at `{}` the text plays {mv}, outside the inner board", there()));
            }
            let after = game.after(&pos, mv);
            if met.insert(after.clone()) {
                todo.push(after);
            }
        }
    }
    Ok((inner.maker, Wdl::Win, met.len() as u64))
}

/// The frame of a game and the lines of the game inside, if a win of the maker inside gives one of the whole game.
fn framed<G: LineGame>(game: &G, root: &G::Position) -> Result<(Frame<G>, Lines), Rejected> {
    let outer = deciding(game, root)?;
    let Some(frame) = game.frame() else { return refuted("there is no frame around a smaller game on this board") };
    let start = frame.inner.start();
    let inner = deciding(&frame.inner, &start)?;
    if inner.maker != outer.maker || frame.inner.turn(&start) != game.turn(root) {
        return refuted("the sides of the inner game are not those of the outer game");
    }
    surrounds(&frame, &inner, &outer, game.turn(root) == outer.maker)?;
    Ok((frame, inner))
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
) -> Result<BoardFeatures, Rejected> {
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
