//! Tables about heap games.

use crate::failure::Failure;
use crate::grundy::{agreement, audit, survey};
use crate::output::grouped;
use agon_core::Ctx;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `docs/results/octal.md`.
pub(super) fn octal(ctx: &Ctx) -> Result<String, Failure> {
    const DIGITS: u32 = 3;
    let rows = survey::survey(&survey::codes(DIGITS), survey::DEFAULT_TO, ctx)?;
    let (proved, open): (Vec<survey::Row>, Vec<survey::Row>) = rows.into_iter().partition(|row| row.proved);
    let mut out = format!(
        "# Octal games and their periods\n\nComputed by `agon results octal`, in a few minutes of processor time, nearly all of it for .354.\n\n\
         ## All codes of one to three digits\n\n\
         `agon grundy --survey {DIGITS}` looks at the {} codes up to heap {} and proves {} periods by the theorem of Guy\n\
         and Smith. Codes with the same values up to there share a row; *from* is the first heap from which the period\n\
         holds.\n\n| codes | period | from | largest value |\n|---|---|---|---|\n",
        grouped(proved.len() + open.len()),
        grouped(survey::DEFAULT_TO),
        grouped(proved.len())
    );
    for (names, row) in together(&proved) {
        let cell = |n: Option<usize>| n.map(grouped).unwrap_or_default();
        let _ =
            writeln!(out, "| {names} | {} | {} | {} |", cell(row.period), cell(row.preperiod), grouped(row.largest));
    }
    let open = together(&open);
    let _ = writeln!(
        out,
        "\n## Without a period so far\n\nUp to heap {} the other codes, {} different sequences, prove no period:\n\n\
         | codes | largest value |\n|---|---|",
        grouped(survey::DEFAULT_TO),
        grouped(open.len())
    );
    for (names, row) in open {
        let _ = writeln!(out, "| {names} | {} |", grouped(row.largest));
    }
    out.push_str(&published(ctx)?);
    Ok(out)
}

/// Rows with the same values in one, in the order of their first codes.
fn together(rows: &[survey::Row]) -> Vec<(String, &survey::Row)> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<(String, &survey::Row)> = Vec::new();
    for row in rows {
        match first.get(row.hash.as_str()) {
            Some(&at) => {
                let _ = write!(all[at].0, " {}", row.code);
            }
            None => {
                first.insert(&row.hash, all.len());
                all.push((row.code.clone(), row));
            }
        }
    }
    all
}

/// The published statements that agon ships, audited.
fn published(ctx: &Ctx) -> Result<String, Failure> {
    let rows = audit::audit(audit::PUBLISHED, ctx)?;
    let wrong: Vec<&audit::Row> = rows.iter().filter(|row| row.verdict != "holds").collect();
    let mut out = format!(
        "\n## Published periods\n\n`agon grundy --audit crates/agon/src/grundy/published.csv` checks {} statements about periods and\n\
         preperiods; the file names the sources. {} hold",
        grouped(rows.len()),
        grouped(rows.len() - wrong.len())
    );
    for row in &wrong {
        let _ = write!(out, "; {} of {} does not: it is {}", row.statement, row.code, row.found);
    }
    out.push_str(
        ".\n\nThose that need more than a survey:\n\n| code | stated | found | verdict |\n|---|---|---|---|\n",
    );
    let far = |row: &&audit::Row| row.found.parse().is_ok_and(|n: usize| 2 * n > survey::DEFAULT_TO);
    let codes: Vec<&str> = rows.iter().filter(far).map(|row| row.code.as_str()).collect();
    for row in rows.iter().filter(|row| codes.contains(&row.code.as_str())) {
        let _ = writeln!(out, "| {} | {} | {} | {} |", row.code, row.statement, row.found, row.verdict);
    }
    Ok(out)
}

/// `docs/results/agreement.md`.
pub(super) fn agreement(ctx: &Ctx) -> Result<String, Failure> {
    const TO: usize = 1 << 18;
    let found = agreement::agreements(None, TO, ctx)?;
    let (wild, agree) = found.wild();
    let verdict = if agree { "All values agree." } else { "**The methods disagree.**" };
    Ok(format!(
        "# Do all methods agree?\n\nComputed by `agon results agreement`; `agon grundy --self-test --to {TO}` shows the times.\n\n\
         Every value from heap 0 to heap {} by the plain loop, by vectors, through a sparse space forced from heap 8,192 on,\n\
         and by the engine's own choice. {verdict} {wild} of the codes below have no period that\n\
         these values prove, so that nothing could be repeated.\n\n{}",
        grouped(TO),
        found.markdown()
    ))
}
