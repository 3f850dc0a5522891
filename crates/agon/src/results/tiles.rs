//! Nim-values of boards on which tiles are put: Ellie and Cram.

use crate::failure::Failure;
use agon_core::{Ctx, Game};
use agon_games::impartial::Play;
use agon_games::impartial::tiles::{Cram, Ellie, Tile, Tiles};
use agon_solve::grundy::Failure as Stopped;
use agon_solve::nimbers::Nimbers;
use std::fmt::Write as _;

/// Bytes of the table of parts.
const MEMORY: usize = 2 << 30;
/// The most cells of a board.
const CELLS: usize = 64;

/// The table of `docs/results/ellie.md`: every board of at least three rows, none with more rows than columns but the
/// first ones of each row.
pub(super) fn ellie(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    table::<Ellie>(3..=8, |_| 2, nodes, ctx)
}

/// `docs/results/cram.md`.
pub(super) fn cram(nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    Ok(format!(
        "# Cram\n\n\
         Computed by `agon results cram`. The entry is the nim-value of the empty board; 0 means that the first player\n\
         loses. Boards of up to {CELLS} cells are tried, each until the node limit (`--nodes`). `agon solve cram:7x5` shows one\n\
         board with its winning moves.\n\n{}\n\
         Where the literature has a value, it is the same: Schneider (2009), Lemoine and Viennot (2012), Uiterwijk (2019)\n\
         and Beling (2024), whose program `igsolve` computed the largest boards. Boards with an even number of rows and of\n\
         columns are lost: each domino is answered with its half-turn. agon finds this without search, for any tile.\n",
        table::<Cram>(3..=8, |rows| rows, nodes, ctx)?
    ))
}

/// Nim-values by rows, from a number of columns on.
fn table<T: Tile>(
    rows: std::ops::RangeInclusive<usize>,
    from: impl Fn(usize) -> usize,
    nodes: u64,
    ctx: &Ctx,
) -> Result<String, Failure> {
    let (narrowest, widest) = (from(*rows.start()), CELLS / rows.start());
    let head: Vec<String> = (narrowest..=widest).map(|n| n.to_string()).collect();
    let mut out = format!("| n | {} |\n|---|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for rows in rows {
        // A part of one board is a part of every longer one, so what is known stays known.
        let mut known = Nimbers::new(MEMORY);
        let mut cells = vec![String::new(); widest - narrowest + 1];
        for columns in from(rows)..=CELLS / rows {
            ctx.progress("columns", columns as u64, Some((CELLS / rows) as u64));
            let game = Play::new(Tiles::<T>::new(columns, rows), false);
            match known.nimber(&game, &game.start(), &ctx.with_own_count().with_budget(nodes)) {
                Ok(value) => cells[columns - narrowest] = value.to_string(),
                // A longer board may be easier: symmetric boards are.
                Err(Stopped::Stopped(_)) => ctx.check()?,
                Err(failure) => return Err(failure.into()),
            }
        }
        let _ = writeln!(out, "| {rows}×n | {} |", cells.join(" | "));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published nim-values of rows × columns: Beling's table (2024), which holds those of Schneider (2009), and of Lemoine
    /// and Viennot (2012).
    const PUBLISHED: [(usize, usize, &[u32]); 4] = [
        (4, 4, &[0, 2, 0, 3, 0, 1, 0, 1, 0, 3, 0, 4]),
        (5, 5, &[0, 2, 1, 1, 1, 2, 0, 3]),
        (6, 6, &[0, 5, 0, 1, 0]),
        (7, 7, &[1, 3, 1]),
    ];

    fn page(name: &str) -> String {
        let path = format!("{}/../../docs/results/{name}.md", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the page is there")
    }

    /// The cells of a page by rows and columns.
    fn cells(page: &str) -> Vec<(usize, usize, u32)> {
        let row =
            |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
        let head = page.lines().find(|line| line.starts_with("| n |")).map(row).expect("a table");
        let rows = page.lines().filter(|line| line.contains("×n |")).map(row);
        rows.flat_map(|cells| {
            let rows: usize = cells[0].trim_end_matches("×n").parse().expect("a number of rows");
            let cell = |(n, value): (&String, &String)| Some((rows, n.parse().ok()?, value.parse().ok()?));
            head.iter().zip(&cells).skip(1).filter_map(cell).collect::<Vec<_>>()
        })
        .collect()
    }

    #[test]
    fn the_page_of_cram_has_the_published_values() {
        let page = cells(&page("cram"));
        let mut compared = 0;
        for (rows, from, values) in PUBLISHED {
            for (columns, value) in (from..).zip(values) {
                for (_, _, found) in page.iter().filter(|cell| (cell.0, cell.1) == (rows, columns)) {
                    assert_eq!(found, value, "{rows}×{columns}");
                    compared += 1;
                }
            }
        }
        assert!(compared >= 16, "only {compared} published values are on the page");
    }

    #[test]
    fn the_pages_follow_from_the_rules() {
        fn recomputed<T: Tile>(page: &[(usize, usize, u32)], most: usize) -> usize {
            let small = page.iter().filter(|cell| cell.0 * cell.1 <= most);
            small
                .map(|&(rows, columns, value)| {
                    let game = Play::new(Tiles::<T>::new(columns, rows), false);
                    let found = Nimbers::new(MEMORY).nimber(&game, &game.start(), &Ctx::default());
                    assert_eq!(found, Ok(value), "{rows}×{columns}");
                })
                .count()
        }
        assert!(recomputed::<Cram>(&cells(&page("cram")), 28) > 8);
        assert!(recomputed::<Ellie>(&cells(&page("ellie")), 40) > 20);
    }
}
