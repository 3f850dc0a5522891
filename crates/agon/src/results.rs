//! Tables of values, computed anew: `docs/results/order-chaos.md`, `connect-four.md`, `known.md`, `octal.md`,
//! `agreement.md`, `antrin.md`, `cram.md`, `levels.md`, the boards of `ellie.md`, and the pages of `strategies`.

mod antrin;
mod connect_four;
mod impartial;
mod known;
mod levels;
mod strategies;
mod tiles;

use crate::cli::{Results, ResultsTable, Shared};
use crate::failure::Failure;
use crate::output::{emit, grouped};
use agon_check::{Certificate, Claim, Section};
use agon_core::{Ctx, Family, Game, Notation, Reduction, Solution, Wdl};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::lines::Row;
use agon_games::order_chaos::{OrderChaos, castelein, lift};
use agon_solve::lines::{Provers, Races};
use agon_solve::method::{self, Request};
use std::fmt::Write as _;

/// `agon results`.
pub fn command(args: &Results, shared: &Shared) -> Result<(), Failure> {
    match args.table {
        ResultsTable::Antrin => antrin::antrin(args.size as usize, &shared.context(), &mut |part| emit(part)),
        ResultsTable::OrderChaos => emit(&order_chaos(args.nodes.unwrap_or(10_000), &shared.context())?),
        ResultsTable::ConnectFour => emit(&connect_four::table(args.most, &shared.context())?),
        ResultsTable::Known => {
            let nodes = args.nodes.unwrap_or(u64::MAX);
            emit(&known::table(&shared.registry, &args.only, nodes, &shared.context())?)
        }
        ResultsTable::Levels => {
            emit(&levels::table(&shared.registry, &args.only, shared.thread_count(), &shared.context())?)
        }
        ResultsTable::Strategies if args.only.is_empty() => emit(&strategies::index(&shared.registry, &args.dir)?),
        ResultsTable::Strategies => {
            emit(&strategies::page(&shared.registry, &args.dir, &args.only, &shared.context())?)
        }
        ResultsTable::Octal => emit(&impartial::octal(&shared.context())?),
        ResultsTable::Agreement => emit(&impartial::agreement(&shared.context())?),
        ResultsTable::Cram => emit(&tiles::cram(args.nodes.unwrap_or(4_000_000), &shared.context())?),
        ResultsTable::Ellie => emit(&tiles::ellie(args.nodes.unwrap_or(4_000_000), &shared.context())?),
    }
}

const MEMORY: usize = 1 << 28;

/// Columns, rows, k and marks of values worth more nodes, and under which rule.
const LONG: [([usize; 4], Row, u64); 7] = [
    ([6, 5, 5, 2], Row::AtLeast, 400_000),
    ([5, 4, 4, 3], Row::AtLeast, 6_000_000),
    ([5, 5, 4, 3], Row::AtLeast, 400_000),
    ([5, 5, 4, 3], Row::Exact, 400_000),
    ([5, 5, 4, 2], Row::ExactFinal, 100_000),
    ([5, 5, 4, 3], Row::ExactFinal, 30_000),
    ([6, 6, 4, 2], Row::ExactFinal, 30_000),
];

fn order_chaos(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::from(
        "# Order and Chaos: who wins\n\n\
         Computed by `agon results order-chaos`. A cell names the winner, the method and the positions it took:\n\
         *sweep* values every board; *lines* is proof-number search over live lines; *lemma* is Lemma 3.1 of\n\
         Castelein's thesis, from a sweep of the board inside; *pairing* is the pairing of its Theorem 4.1, checked on\n\
         that many boards; *k = …* follows from the neighbouring k, since a longer row holds a shorter one; *row=…*\n\
         follows from another meaning of a row (see `docs/line-games.md`). What was given up is named unknown, with the\n\
         positions tried.\n",
    );
    let boards: Vec<(usize, usize)> = (3..=7).flat_map(|rows| (rows..=7).map(move |columns| (columns, rows))).collect();
    for symbols in [2, 3] {
        let mut tables: [String; 3] = Default::default();
        for &(columns, rows) in &boards {
            let [order, chaos] = [true, false].map(|first| every_rule(columns, rows, symbols, first, nodes, ctx));
            for ((order, chaos), table) in order?.into_iter().zip(chaos?).zip(&mut tables) {
                for ((k, order), chaos) in (2..).zip(order).zip(chaos) {
                    let _ = writeln!(table, "| {columns}×{rows} | {k} | {} | {} |", order.text, chaos.text);
                }
            }
        }
        for (row, table) in Row::ALL.iter().zip(tables) {
            let _ = writeln!(out, "\n## {symbols} marks, row={}\n", row.name());
            let _ = write!(out, "| board | k | order first | chaos first |\n|---|---|---|---|\n{table}");
        }
    }
    out.push_str(&mnk(nodes, ctx)?);
    Ok(out)
}

/// A cell of the page: the winner, if known, and its text.
struct Cell {
    order_wins: Option<bool>,
    text: String,
}

impl Cell {
    fn new(order_wins: Option<bool>, how: &str) -> Cell {
        let winner = match order_wins {
            Some(true) => "order",
            Some(false) => "chaos",
            None => "unknown",
        };
        Cell { order_wins, text: format!("{winner}{how}") }
    }
}

/// The cells of one board for each rule and every k that fits, from 2 on.
fn every_rule(
    columns: usize,
    rows: usize,
    symbols: usize,
    order_first: bool,
    nodes: u64,
    ctx: &Ctx,
) -> Result<[Vec<Cell>; 3], Failure> {
    let mut tables: [Vec<Cell>; 3] = Default::default();
    for k in 2..=columns.max(rows) {
        for (i, row) in Row::ALL.into_iter().enumerate() {
            ctx.check()?;
            let game = OrderChaos::new(columns, rows, k, symbols, order_first, row);
            // A shorter row that chaos can prevent settles every longer one, and a weaker demand on rows
            // every stronger one.
            let shorter = tables[i].last().filter(|cell| row == Row::AtLeast && cell.order_wins == Some(false));
            let weaker = i.checked_sub(1).filter(|&i| tables[i][k - 2].order_wins == Some(false));
            let cell = match (shorter, weaker) {
                (Some(_), _) => Cell::new(Some(false), &format!(" (k = {})", k - 1)),
                (_, Some(i)) => Cell::new(Some(false), &format!(" (row={})", Row::ALL[i].name())),
                _ => value(&game, nodes, ctx)?,
            };
            tables[i].push(cell);
        }
    }
    // A win for Order with k also decides every smaller k and every weaker row rule.
    for k in (0..tables[0].len()).rev() {
        for i in [1, 0] {
            if tables[i + 1][k].order_wins == Some(true) && tables[i][k].order_wins.is_none() {
                tables[i][k] = Cell::new(Some(true), &format!(" (row={})", Row::ALL[i + 1].name()));
            }
        }
        if k > 0 && tables[0][k].order_wins == Some(true) && tables[0][k - 1].order_wins.is_none() {
            tables[0][k - 1] = Cell::new(Some(true), &format!(" (k = {})", k + 2));
        }
    }
    Ok(tables)
}

fn value(game: &OrderChaos, nodes: u64, ctx: &Ctx) -> Result<Cell, Failure> {
    if let Some(n) = lift::inner_of(game).map(|inner| inner.k()).filter(|n| [3, 4].contains(n)) {
        let inner = OrderChaos::new(n, n, n, 2, game.order_first(), Row::AtLeast);
        let (solution, _) = solved(&inner, ctx)?;
        if order_wins(&inner, &solution) == Some(true) {
            return Ok(Cell::new(Some(true), &format!(" (lemma from {n}×{n})")));
        }
    }
    if let Some(boards) = paired(game, ctx) {
        return Ok(Cell::new(Some(false), &format!(" (pairing, {})", grouped(boards))));
    }
    let shape = [game.grid().columns(), game.grid().rows(), game.k(), game.symbols()];
    let long = LONG.iter().find(|(spelled, row, _)| *spelled == shape && *row == game.row());
    let budget = ctx.with_own_count().with_budget(long.map_or(nodes, |(_, _, most)| nodes.max(*most)));
    let (solution, method) = solved(game, &budget)?;
    ctx.check()?;
    let wins = order_wins(game, &solution);
    let plies = solution.plies.filter(|_| wins == Some(true)).map_or(String::new(), |n| format!(" in {n}"));
    Ok(Cell::new(wins, &format!("{plies} ({method}, {})", grouped(solution.nodes))))
}

/// The value by a sweep over all boards or by lines, and which of them it was.
fn solved(game: &OrderChaos, ctx: &Ctx) -> Result<(Solution<<OrderChaos as Game>::Move>, &'static str), Failure> {
    let request = Request { evidence: false, totals: false, memory: MEMORY as u64 };
    let alone = method::lines_alone(game).expect("a game of lines is solved by lines");
    let found = alone.solve(game, &game.start(), &request, ctx)?;
    Ok((found.solution, found.by))
}

/// The number of boards that the checker examined to accept the pairing of Theorem 4.1 for this game.
fn paired(game: &OrderChaos, ctx: &Ctx) -> Option<u64> {
    let Some(Reduction::Pairing(pairs)) = castelein::reduction(game, "pairing", "") else { return None };
    let claim = Claim::AtLeast(game.order().other(), Wdl::Win);
    let from = game.show(&game.start());
    let sections = vec![Section::Pairing(pairs)];
    let certificate =
        Certificate { game: "order-chaos".into(), rules: None, from, claim, up_to_symmetry: false, sections };
    agon_check::check_lines(game, &*game.vocabulary(), &certificate, ctx).ok().map(|proved| proved.positions)
}

fn order_wins<M>(game: &OrderChaos, solution: &Solution<M>) -> Option<bool> {
    let first_wins = solution.value.value()? == Wdl::Win;
    Some(first_wins == game.order_first())
}

/// m,n,k games: a draw when neither side can complete a row against a spoiler, else by the race.
fn mnk(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::from(
        "\n## m,n,k games\n\n*lines*: each side, spoiling only, keeps the other from a row; *race*: who completes a row first.\n\n\
         | m | n | k | value for the first player | method |\n|---|---|---|---|---|\n",
    );
    for (n, m) in (3..=7).flat_map(|n| (n..=7).map(move |m| (n, m))) {
        for k in 3..=m {
            ctx.check()?;
            let game = Mnk::new(m, n, k);
            let (solution, method) = mnk_value(&game, 30 * nodes, ctx);
            let value = solution.value.value().map_or("unknown", Wdl::name);
            let _ = writeln!(out, "| {m} | {n} | {k} | {value} | {method}, {} |", grouped(solution.nodes));
        }
    }
    Ok(out)
}

fn mnk_value(game: &Mnk, nodes: u64, ctx: &Ctx) -> (Solution<u8>, &'static str) {
    let Some((mut lines, mut races)) = Provers::new(game, MEMORY).zip(Races::new(game, MEMORY)) else {
        unreachable!("an m,n,k game is a race to complete a line")
    };
    let budget = || ctx.with_own_count().with_budget(nodes);
    let raced = races.solve(game, &game.start(), &budget());
    if raced.value.value() == Some(Wdl::Win) {
        return (raced, "race");
    }
    let spoiled = lines.solve(game, &game.start(), &budget());
    if spoiled.value.value().is_some() { (spoiled, "lines") } else { (raced, "race") }
}
