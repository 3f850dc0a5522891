//! The values that the pages of `docs/results` state, found again by the plain command.

use crate::erased::SolveRequest;
use crate::failure::Failure;
use crate::output::grouped;
use agon_core::Ctx;
use agon_registry::Registry;
use agon_report::SolveReport;
use std::fmt::Write as _;

/// One value a line: game, value, plies or nim-value, page.
const KNOWN: &str = include_str!("known.txt");

/// Bytes of memory, as `agon solve` takes them.
const MEMORY: u64 = 4096 << 20;

/// A value that a page states.
struct Known {
    game: &'static str,
    value: &'static str,
    /// Plies until the end, where the page states them.
    plies: Option<u32>,
    /// The nim-value, where the page states it.
    nimber: Option<u32>,
    page: &'static str,
}

fn list() -> impl Iterator<Item = Known> {
    let lines = KNOWN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [game, value, measure, page] = words[..] else { unreachable!("a line of the list has four words") };
        let nimber = measure.strip_prefix('*').and_then(|nimber| nimber.parse().ok());
        Known { game, value, plies: measure.parse().ok(), nimber, page }
    })
}

impl Known {
    /// The value as words.
    fn says(&self) -> String {
        match (self.plies, self.nimber) {
            (Some(plies), _) => format!("{} {plies}", self.value),
            (_, Some(nimber)) => format!("{} *{nimber}", self.value),
            _ => self.value.to_string(),
        }
    }

    /// Returns whether a report states the same.
    fn agrees(&self, report: &SolveReport) -> bool {
        let plies = self.plies.is_none_or(|plies| report.plies == Some(plies));
        let nimber = self.nimber.is_none_or(|nimber| report.nimber == Some(nimber));
        report.value == self.value && plies && nimber
    }

    /// The value by the game's default method, with at most that many nodes.
    fn find(&self, registry: &Registry, nodes: u64, ctx: &Ctx) -> Result<SolveReport, Failure> {
        let game = registry.game(self.game)?;
        let ctx = ctx.with_own_count().with_budget(nodes);
        Ok(game.solve(&game.start(), &SolveRequest::plain(MEMORY), &ctx)?.0)
    }
}

/// Every value whose game contains `only`, with the method that found it and its nodes. A different value fails.
pub(super) fn table(registry: &Registry, only: &str, nodes: u64, ctx: &Ctx) -> Result<String, Failure> {
    let asked: Vec<Known> = list().filter(|known| known.game.contains(only)).collect();
    if asked.is_empty() {
        return Err(Failure::Usage(format!("no page states a value of a game that contains `{only}`")));
    }
    let (mut rows, mut found) = (String::new(), 0);
    for (i, known) in asked.iter().enumerate() {
        ctx.progress("values", i as u64, Some(asked.len() as u64));
        let report = match known.find(registry, nodes, &ctx.without_progress()) {
            Err(failure) if failure.stop().is_some() && ctx.check().is_ok() => None,
            report => Some(report?),
        };
        ctx.check()?;
        let report = report.filter(|report| report.value != "unknown");
        if let Some(report) = report.as_ref().filter(|report| !known.agrees(report)) {
            let (got, plies) = (report.value, report.plies.map_or(String::new(), |plies| format!(" {plies}")));
            return Err(Failure::Failed(format!(
                "{}: {} is known, and {got}{plies} was found",
                known.game,
                known.says()
            )));
        }
        found += usize::from(report.is_some());
        let how = report.map_or("not found within the nodes allowed".to_string(), |report| {
            format!("{}, {}", report.solver, grouped(report.nodes))
        });
        let _ = writeln!(rows, "| `{}` | {} | {} | {how} |", known.game, known.says(), known.page);
    }
    Ok(format!(
        "# What is known is found\n\n\
         Computed by `agon results known`. Every value that a page of this folder states, and that needs no tables on disk,\n\
         is found by `agon solve GAME` without flags: {} of {}. A row has the value for the side to move, with plies or\n\
         nim-value where the page states them, the page, and the method with its nodes.\n\n\
         | game | value | page | found by |\n|---|---|---|---|\n{rows}",
        grouped(found),
        grouped(asked.len())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn page(name: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/");
        std::fs::read_to_string(format!("{folder}{name}.md")).unwrap()
    }

    /// The cells of the rows of a table.
    fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
        let rows = text.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
        rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
    }

    /// Every value that the page of Order and Chaos states: the spelling without its defaults, and the value.
    fn order_chaos() -> BTreeMap<String, String> {
        let (text, mut stated) = (page("order-chaos"), BTreeMap::new());
        for part in text.split("\n## ").skip(1) {
            let (title, table) = part.split_once('\n').unwrap();
            if title == "m,n,k games" {
                let values = rows(table).skip(1).filter(|cells| cells[3] != "unknown");
                stated.extend(values.map(|c| (format!("mnk:{},{},{}", c[0], c[1], c[2]), c[3].to_string())));
                continue;
            }
            let (symbols, row) = title.split_once(" marks, row=").unwrap();
            for cells in rows(table).skip(1) {
                let (columns, rows) = cells[0].split_once('×').unwrap();
                for (first, cell) in [("order", cells[2]), ("chaos", cells[3])] {
                    let winner = cell.split(' ').next().unwrap();
                    if winner != "unknown" {
                        let given = format!("order-chaos:{columns}x{rows},k={},symbols={symbols}", cells[1]);
                        let value = if winner == first { "win" } else { "loss" };
                        stated.insert(format!("{given},first={first},row={row}"), value.to_string());
                    }
                }
            }
        }
        stated
    }

    #[test]
    fn the_list_holds_every_value_of_the_pages() {
        let registry = Registry::standard();
        let listed: BTreeMap<String, Known> =
            list().map(|known| (registry.game(known.game).unwrap().spelling().to_string(), known)).collect();
        assert_eq!(listed.len(), list().count(), "a game is listed twice");
        let mut stated = order_chaos();
        let four = page("connect-four");
        for cells in rows(&four).filter(|cells| cells[0].starts_with("**") && !cells[1].starts_with(char::is_numeric)) {
            for (columns, cell) in (4..).zip(&cells[1..]) {
                let value = match cell.split(' ').next().unwrap() {
                    "first" => "win",
                    "second" => "loss",
                    draw => draw,
                };
                stated.insert(format!("drop:{columns},{},4", cells[0].trim_matches('*')), value.to_string());
            }
        }
        let ellie = page("ellie");
        for cells in rows(&ellie).filter(|cells| cells[0].ends_with("×n")) {
            for (columns, nimber) in (2..).zip(&cells[1..]).filter(|(_, nimber)| !nimber.is_empty()) {
                let rows = cells[0].trim_end_matches("×n");
                let value = if *nimber == "0" { "loss" } else { "win" };
                stated.insert(format!("ellie:{columns}x{rows}"), value.to_string());
            }
        }
        assert!(stated.len() > 800, "{}", stated.len());
        for (given, value) in stated {
            let spelling = registry.game(&given).unwrap().spelling().to_string();
            assert_eq!(listed.get(&spelling).map(|known| known.value), Some(value.as_str()), "{given}");
        }
    }

    #[test]
    fn a_slice_of_what_is_known_is_found() {
        let (registry, ctx) = (Registry::standard(), Ctx::default());
        let slice = [
            "order-chaos:6x6",
            "order-chaos:6x6,first=chaos",
            "order-chaos:6x6,row=exact",
            "order-chaos:6x6,row=exact-final",
            "order-chaos:6x6,first=chaos,row=exact-final",
            "order-chaos:7x7,k=6,row=exact-final",
            "order-chaos:5x4,row=exact-final",
            "order-chaos:5x5,k=4,symbols=3,first=chaos",
            "order-chaos:3x3,k=3",
            "mnk:4,3,3",
            "mnk:6,5,4",
            "mnk:6,6,5",
            "mnk:7,7,4",
            "drop:4,4,4",
            "drop:6,4,4",
            "drop:4,6,4",
            "achi",
            "antrin:3",
            "ellie:8x3",
            "ellie:5x5",
        ];
        for known in list().filter(|known| slice.contains(&known.game)) {
            let report = known.find(&registry, 2_000_000, &ctx).unwrap();
            assert!(known.agrees(&report), "{}: {} is known, not {}", known.game, known.says(), report.value);
        }
        assert!(slice.iter().all(|game| list().any(|known| known.game == *game)));
    }
}
