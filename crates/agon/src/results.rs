//! Tables of values, computed anew: `docs/results/order-chaos.md`, `octal.md`, `agreement.md`, `antrin.md` and the
//! boards of `ellie.md`.

mod antrin;
mod impartial;

use crate::cli::{Results, ResultsTable, Shared};
use crate::failure::Failure;
use crate::output::{emit, grouped};
use agon_core::solver::Solver;
use agon_core::{Bounds, Ctx, Game, Solution, Wdl};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::lines::Row;
use agon_games::order_chaos::{OrderChaos, lift};
use agon_solve::lines::Provers;
use agon_solve::{AlphaBeta, Auto, auto};
use std::fmt::Write as _;

/// `agon results`.
pub fn command(args: &Results, shared: &Shared) -> Result<(), Failure> {
    match args.table {
        ResultsTable::Antrin => emit(&antrin::antrin(&shared.context())?),
        ResultsTable::OrderChaos => emit(&order_chaos(args.nodes.unwrap_or(10_000), &shared.context())?),
        ResultsTable::Octal => emit(&impartial::octal(&shared.context())?),
        ResultsTable::Agreement => emit(&impartial::agreement(&shared.context())?),
        ResultsTable::Ellie => emit(&impartial::ellie(args.nodes.unwrap_or(40_000_000), &shared.context())?),
    }
}

const MEMORY: usize = 1 << 28;

/// Columns, rows, k and marks of values worth more nodes.
const LONG: [([usize; 4], u64); 3] = [([6, 5, 5, 2], 400_000), ([5, 4, 4, 3], 6_000_000), ([5, 5, 4, 3], 400_000)];

/// What [`LONG`] goes by; only the common rule is in it.
fn shape(game: &OrderChaos) -> [usize; 4] {
    match game.row() {
        Row::AtLeast => [game.grid().columns(), game.grid().rows(), game.k(), game.symbols()],
        Row::Exact | Row::ExactFinal => [0; 4],
    }
}

fn order_chaos(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::from(
        "# Order and Chaos: who wins\n\n\
         Computed by `agon results order-chaos`. A cell names the winner, the method and the positions it took:\n\
         *sweep* values every board; *lines* is proof-number search over live lines; *lemma* is Lemma 3.1 of\n\
         Castelein's thesis, from a sweep of the board inside; *k = …* follows from the neighbouring k, since a longer\n\
         row holds a shorter one. What was given up is named unknown, with the positions tried.\n",
    );
    for symbols in [2, 3] {
        for row in Row::ALL {
            let _ = writeln!(out, "\n## {symbols} marks, row={}\n", row.name());
            out.push_str("| board | k | order first | chaos first |\n|---|---|---|---|\n");
            for (rows, columns) in (3..=7).flat_map(|rows| (rows..=7).map(move |columns| (rows, columns))) {
                let cells = [true, false].map(|first| column(columns, rows, symbols, first, row, nodes, ctx));
                let [order, chaos] = cells;
                for ((k, order), (_, chaos)) in order?.into_iter().zip(chaos?) {
                    let _ = writeln!(out, "| {columns}×{rows} | {k} | {order} | {chaos} |");
                }
            }
        }
    }
    out.push_str(&mnk(nodes, ctx)?);
    Ok(out)
}

/// The cells of one board for every k that fits, from 2 on.
fn column(
    columns: usize,
    rows: usize,
    symbols: usize,
    order_first: bool,
    row: Row,
    nodes: u64,
    ctx: &Ctx,
) -> Result<Vec<(usize, String)>, Failure> {
    let mut cells: Vec<(usize, Option<bool>, String)> = Vec::new();
    for k in 2..=columns.max(rows) {
        ctx.check()?;
        let game = OrderChaos::new(columns, rows, k, symbols, order_first, row);
        // A shorter row that chaos can prevent settles every longer one.
        let below = cells.last().filter(|last| row == Row::AtLeast && last.1 == Some(false));
        let (order_wins, text) = match below {
            Some(_) => (Some(false), format!("chaos (k = {})", k - 1)),
            None => value(&game, nodes, ctx)?,
        };
        cells.push((k, order_wins, text));
    }
    // And a longer row that order can make settles every shorter one.
    for i in (1..cells.len()).rev() {
        if row == Row::AtLeast && cells[i].1 == Some(true) && cells[i - 1].1.is_none() {
            cells[i - 1].1 = Some(true);
            cells[i - 1].2 = format!("order (k = {})", cells[i].0);
        }
    }
    Ok(cells.into_iter().map(|(k, _, text)| (k, text)).collect())
}

/// Whether order wins, where that was found out, and the cell.
fn value(game: &OrderChaos, nodes: u64, ctx: &Ctx) -> Result<(Option<bool>, String), Failure> {
    if let Some(n) = lift::inner_of(game).map(|inner| inner.k()).filter(|n| [3, 4].contains(n)) {
        let inner = OrderChaos::new(n, n, n, 2, game.order_first(), Row::AtLeast);
        let solution = Auto::new(MEMORY).solve(&inner, &inner.start(), ctx);
        if order_wins(&inner, &solution) == Some(true) {
            return Ok((Some(true), format!("order (lemma from {n}×{n})")));
        }
    }
    let long = LONG.iter().find(|(spelled, _)| *spelled == shape(game));
    let budget = ctx.fresh().with_budget(long.map_or(nodes, |(_, most)| nodes.max(*most)));
    let solution = Auto::new(MEMORY).solve(game, &game.start(), &budget);
    ctx.check()?;
    let method = auto::choice(game, MEMORY);
    let wins = order_wins(game, &solution);
    let winner = match wins {
        Some(true) => "order",
        Some(false) => "chaos",
        None => "unknown",
    };
    let plies = solution.plies.filter(|_| wins == Some(true)).map_or(String::new(), |n| format!(" in {n}"));
    Ok((wins, format!("{winner}{plies} ({method}, {})", grouped(solution.nodes))))
}

fn order_wins<M>(game: &OrderChaos, solution: &Solution<M>) -> Option<bool> {
    let first_wins = solution.value.value()? == Wdl::Win;
    Some(first_wins == game.order_first())
}

/// m,n,k games by the same lines: a draw when neither side can complete a row against a spoiler, and
/// alpha-beta where the first player wins.
fn mnk(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::from(
        "\n## m,n,k games\n\n*lines*: each side, spoiling only, keeps the other from a row; *alphabeta*: the whole game.\n\n\
         | m | n | k | value for the first player | method |\n|---|---|---|---|---|\n",
    );
    for (n, m) in (3..=7).flat_map(|n| (n..=7).map(move |m| (n, m))) {
        for k in 3..=m {
            ctx.check()?;
            let game = Mnk::new(m, n, k);
            let (solution, method) = mnk_value(&game, nodes, ctx);
            let value = solution.value.value().map_or("unknown", Wdl::name);
            let _ = writeln!(out, "| {m} | {n} | {k} | {value} | {method}, {} |", grouped(solution.nodes));
        }
    }
    Ok(out)
}

fn mnk_value(game: &Mnk, nodes: u64, ctx: &Ctx) -> (Solution<u8>, &'static str) {
    let budget = |nodes: u64| ctx.fresh().with_budget(nodes);
    let lines = Provers::new(game, MEMORY).map(|mut p| p.solve(game, &game.start(), &budget(30 * nodes)));
    match lines.filter(|found| found.value == Bounds::exactly(Wdl::Draw)) {
        Some(found) => (found, "lines"),
        None => (AlphaBeta::new(MEMORY).solve(game, &game.start(), &budget(500 * nodes)), "alphabeta"),
    }
}
