//! Values of Connect Four on boards of other sizes.

use crate::failure::Failure;
use crate::output::grouped;
use agon_core::solver::Solver;
use agon_core::{Ctx, Game, Wdl};
use agon_games::drop::Drop;
use agon_solve::NullWindow;
use std::fmt::Write as _;

/// Bytes of the largest table.
const MEMORY: usize = 1 << 29;

/// Every board of at least four columns and rows, and at most that many together. One thread searches each board, so
/// that the numbers of nodes are always the same.
pub(super) fn table(most: u8, ctx: &Ctx) -> Result<String, Failure> {
    let ctx = ctx.clone().with_threads(1);
    let (mut values, mut nodes) = (String::new(), String::new());
    for rows in 4..=usize::from(most) - 4 {
        let (mut row, mut count) = (format!("| **{rows}** |"), format!("| **{rows}** |"));
        for columns in 4..=usize::from(most) - rows {
            let rack = Drop::new(columns, rows, 4).rack().expect("boards of this size fit");
            let found = NullWindow::new(MEMORY).solve(&rack, &rack.start(), &ctx)?;
            if let Some(stop) = found.stopped {
                return Err(stop.into());
            }
            let winner = match found.value.value() {
                Some(Wdl::Win) => "first",
                Some(Wdl::Loss) => "second",
                _ => "draw",
            };
            let _ = write!(row, " {winner} {} |", found.plies.unwrap_or_default());
            let _ = write!(count, " {} |", grouped(found.nodes));
        }
        let _ = (writeln!(values, "{row}"), writeln!(nodes, "{count}"));
    }
    let header = header_rows(most);
    Ok(format!(
        "# Connect Four on other boards\n\n\
         Computed by `agon results connect-four --most {most}`. A cell names the side that wins and the ply on which the\n\
         game ends if both sides play perfectly; a draw ends with the last cell. Rows are heights, columns are widths.\n\n\
         {header}{values}\n\
         These are the values of Tromp (2006) and the last moves of Steininger (2024), found without a book or a stored\n\
         value. The nodes of one thread, with a table of up to 512 MiB, were:\n\n{header}{nodes}"
    ))
}

fn header_rows(most: u8) -> String {
    let columns: String = (4..=most - 4).map(|columns| format!(" {columns} |")).collect();
    let rule = "---|".repeat(usize::from(most) - 7);
    format!("| height |{columns}\n|---|{rule}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page in the repository.
    fn page() -> String {
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/connect-four.md")).unwrap()
    }

    #[test]
    fn the_page_agrees_with_the_published_tables() {
        // Winners: John Tromp, "John's Connect Four Playground" (2006). Last moves: Christophe Steininger, "c4" (2024).
        for row in [
            "| **4** | draw 16 | draw 20 | second 24 | draw 28 | second 32 | second 36 |",
            "| **5** | draw 20 | draw 25 | draw 30 | draw 35 | first 39 |",
            "| **6** | draw 24 | draw 30 | second 36 | first 41 |",
            "| **7** | draw 28 | draw 35 | first 41 |",
            "| **8** | draw 32 | draw 40 |",
            "| **9** | draw 36 |",
        ] {
            assert!(page().lines().any(|line| line == row), "{row}");
        }
    }

    #[test]
    fn the_page_holds_what_the_command_computes() {
        let fresh = table(9, &Ctx::default()).unwrap();
        for row in fresh.lines().filter(|line| line.starts_with("| **")) {
            assert!(page().lines().any(|line| line.starts_with(row)), "{row}");
        }
    }
}
