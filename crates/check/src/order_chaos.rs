//! Two arguments about Order and Chaos that replace a walk over every play.

use crate::walk::{Rejected, Shown, Walker};
use agon_core::{Ctx, Game, Notation, Wdl};
use agon_games::grid::each_cell;
use agon_games::order_chaos::lines::{Row, windows};
use agon_games::order_chaos::{Board, OrderChaos};
use std::any::Any;

fn refuted<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Refuted(why.into()))
}

fn game_of<'a, G: Game>(game: &'a G, root: &G::Position) -> Result<&'a OrderChaos, Rejected> {
    let any: &dyn Any = game;
    let game = any.downcast_ref::<OrderChaos>();
    let game = game.ok_or_else(|| Rejected::Corrupt("this argument is about order-chaos only".into()))?;
    let root: &dyn Any = root;
    match root.downcast_ref::<Board>() {
        Some(board) if *board == game.start() => Ok(game),
        _ => Err(Rejected::Corrupt("this argument begins at the empty board".into())),
    }
}

/// Proof by decomposition (Lemma 3.1 of Castelein's thesis): the listed moves win on the inner board, walked
/// exhaustively, and the border is settled by answering every mark on the opposite place with the other
/// one. Checked of the border: opposite places pair it up, and the two ends of every inner row lie
/// opposite each other, so that between them they hold both marks, or one of them can be filled.
pub(crate) fn lifted<G: Game>(
    game: &G,
    root: &G::Position,
    entries: &[(String, Vec<String>)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let outer = game_of(game, root)?;
    let (columns, rows) = (outer.grid().columns(), outer.grid().rows());
    if columns != rows || columns < 3 || outer.symbols() != 2 || outer.k() != columns - 1 {
        return refuted("the lemma needs a square of n+2, rows of n+1 and two marks");
    }
    // Judged at the end only, Order may not be the one to fill an end of the row: with an even board
    // and Chaos first, Order always answers.
    if outer.row() == Row::ExactFinal && (outer.order_first() || columns % 2 == 1) {
        return refuted("judged on the full board, the lemma needs chaos first and an even board");
    }
    let n = columns - 2;
    mirrored(outer, n)?;
    let inner = OrderChaos::new(n, n, n, 2, outer.order_first(), Row::AtLeast);
    let walker = Walker { game: &inner, root: inner.start(), symmetry: false, ctx };
    let looked_at = walker.strategy(inner.order(), Wdl::Win, None, entries)?;
    Ok((outer.order(), Wdl::Win, looked_at))
}

/// Returns whether the border falls into opposite pairs and every inner row of n ends in one of them.
fn mirrored(outer: &OrderChaos, n: usize) -> Result<(), Rejected> {
    let side = n + 2;
    let border = |cell: usize| [cell / side, cell % side].iter().any(|&at| at == 0 || at == side - 1);
    let opposite = |cell: usize| {
        let turn = |at: usize| if at == 0 || at == side - 1 { side - 1 - at } else { at };
        turn(cell / side) * side + turn(cell % side)
    };
    for cell in (0..side * side).filter(|&cell| border(cell)) {
        let there = opposite(cell);
        if there == cell || !border(there) || opposite(there) != cell {
            return refuted("the border does not fall into opposite pairs");
        }
    }
    for row in windows(outer.grid(), n).iter().filter(|w| each_cell(w.cells).all(|cell| !border(cell))) {
        let ends: Vec<usize> = each_cell(row.ends).collect();
        let opposed = matches!(ends[..], [one, other] if border(one) && opposite(one) == other);
        if !opposed {
            return refuted("an inner row does not end in opposite places");
        }
    }
    Ok(())
}

/// A pairing of all cells by which Chaos answers: every full board that agrees with it is looked at. It
/// counts only where nothing but the full board is judged and Order begins.
pub(crate) fn pairing<G: Game>(
    game: &G,
    root: &G::Position,
    pairs: &[(String, String, bool)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let game = game_of(game, root)?;
    if game.row() != Row::ExactFinal || !game.order_first() || game.symbols() != 2 || pairs.len() > 24 {
        return refuted("the argument needs two marks, order first, and only the full board judged");
    }
    let mut cells = Vec::new();
    let mut taken = 0u64;
    for (one, other, same) in pairs {
        let cell = |name: &String| game.grid().cell(name).filter(|&cell| game.grid().name(cell) == *name);
        let (Some(one), Some(other)) = (cell(one), cell(other)) else {
            return Err(Rejected::Corrupt(format!("`{one} {other}` are not two cells")));
        };
        if one >= other || taken >> one & 1 == 1 || taken >> other & 1 == 1 {
            return Err(Rejected::Corrupt("pairs must be different cells, the lower first, each used once".into()));
        }
        taken |= 1 << one | 1 << other;
        cells.push((one, other, *same));
    }
    if taken != game.grid().all() {
        return refuted("the pairs do not cover the board, so an answer may be missing");
    }
    let mut meter = ctx.meter();
    for choice in 0..1u64 << cells.len() {
        meter.tick()?;
        let mut board = Board::default();
        for (i, &(one, other, same)) in cells.iter().enumerate() {
            let mark = (choice >> i & 1) as usize;
            board.marks[mark] |= 1 << one;
            board.marks[if same { mark } else { 1 - mark }] |= 1 << other;
        }
        if game.in_order(&board) {
            return refuted(format!("the pairs allow `{}`, which is in order", game.show(&board)));
        }
    }
    Ok((game.order().other(), Wdl::Win, 1 << cells.len()))
}
