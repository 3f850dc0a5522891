//! Published statements about sequences, checked one by one.
//!
//! A line is `CODE,WHAT,NUMBERS…`: `0.77,period,12`, `0.77,preperiod,71` (the first heap from which the period holds),
//! or `0.007,value,1683655,1314`. Lines that are empty or begin with `#` are skipped.

use super::enough_memory;
use crate::VERSION;
use crate::cli::Shared;
use crate::commands::read_text;
use crate::failure::Failure;
use crate::output::{Paint, table};
use crate::report::Report;
use agon_core::{Code, Ctx};
use agon_solve::grundy::{Grundy, Method};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Heaps tried before a stated period is called open; a stated period that needs more is tried as far as it needs.
const PATIENCE: usize = 1 << 16;
/// The same for codes that leave three heaps, which take far longer.
const WIDE_PATIENCE: usize = 1 << 11;
/// No statement is followed further than this.
const LARGEST: usize = 1 << 25;

/// Periods of octal games as published, with their sources.
pub(crate) const PUBLISHED: &str = include_str!("published.csv");

/// A statement about a sequence.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Its period.
    Period(usize),
    /// The first heap from which the period holds.
    Preperiod(usize),
    /// The value of a heap.
    Value(usize, u32),
}

/// The statements of a file by code, each with the number of its line.
pub type Statements = BTreeMap<Code, Vec<(usize, Statement)>>;

/// One statement, and how it fared.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    line: usize,
    pub(crate) code: String,
    pub(crate) statement: String,
    pub(crate) found: String,
    /// `holds`, `false` or `open`.
    pub(crate) verdict: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Audit {
    agon: &'static str,
    game: Option<String>,
    statements: Vec<Row>,
    holds: bool,
}

fn parse(number: usize, line: &str) -> Result<(Code, Statement), Failure> {
    let wrong = |why: &str| Failure::Usage(format!("line {number}: {why}"));
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let code: Code = fields[0].parse().map_err(|error| wrong(&format!("{error}")))?;
    let at = |i: usize| fields.get(i).and_then(|text| text.parse::<usize>().ok()).filter(|&n| n <= LARGEST);
    let statement = match (fields.get(1).copied(), fields.len()) {
        (Some("period"), 3) => at(2).filter(|&p| p > 0).map(Statement::Period),
        (Some("preperiod"), 3) => at(2).map(Statement::Preperiod),
        (Some("value"), 4) => at(2).zip(at(3)).map(|(n, v)| Statement::Value(n, v as u32)),
        _ => None,
    };
    let expected = "expected CODE,period,P or CODE,preperiod,N or CODE,value,N,V with numbers up to 33554432";
    Ok((code, statement.ok_or_else(|| wrong(expected))?))
}

/// `agon grundy --audit FILE`.
pub(super) fn command(file: &Path, shared: &Shared) -> Result<(), Failure> {
    let rows = audit(&read_text(file)?, &shared.context())?;
    if rows.is_empty() {
        let name = file.display();
        return Err(Failure::Usage(format!("`{name}` has no statements in it; expected lines such as 0.77,period,12")));
    }
    let holds = rows.iter().all(|row| row.verdict != "false");
    shared.answer(&Audit { agon: VERSION, game: None, statements: rows, holds })?;
    if holds { Ok(()) } else { Err(Failure::Refuted) }
}

/// Reads the statements of a file.
pub fn read(text: &str) -> Result<Statements, Failure> {
    let mut statements = Statements::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.eq_ignore_ascii_case("code,what,n,value") {
            continue;
        }
        let (code, statement) = parse(number, line)?;
        statements.entry(code).or_default().push((number, statement));
    }
    Ok(statements)
}

/// Checks every statement of a file.
pub(crate) fn audit(text: &str, ctx: &Ctx) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (code, list) in &read(text)? {
        rows.extend(check(code, list, ctx)?);
    }
    rows.sort_by_key(|row| row.line);
    Ok(rows)
}

fn check(code: &Code, list: &[(usize, Statement)], ctx: &Ctx) -> Result<Vec<Row>, Failure> {
    let stated = |f: fn(&Statement) -> Option<usize>| list.iter().filter_map(|(_, s)| f(s)).max();
    let period = stated(|s| if let Statement::Period(p) = s { Some(*p) } else { None });
    let preperiod = stated(|s| if let Statement::Preperiod(n) = s { Some(*n) } else { None });
    let value = stated(|s| if let Statement::Value(n, _) = s { Some(*n) } else { None });
    let mut to = value.unwrap_or(0);
    if period.is_some() || preperiod.is_some() {
        // As many heaps as the theorem would need if the statements were true.
        let heaps = code.most_heaps().max(1);
        let needed = heaps * (period.unwrap_or(0) + preperiod.unwrap_or(0)) + code.longest();
        let patience = if code.most_heaps() < 3 { PATIENCE } else { WIDE_PATIENCE };
        to = to.max(needed).clamp(patience, LARGEST);
    }
    enough_memory(code, to)?;
    let mut grundy = Grundy::new(code, to, Method::Auto);
    grundy.run(ctx, to)?;
    let found = grundy.find_period().cloned();
    let about = |truth: Option<usize>, claimed: usize| match truth {
        Some(truth) => (truth.to_string(), if truth == claimed { "holds" } else { "false" }),
        None => (format!("no period proved by heaps up to {to}"), "open"),
    };
    let row = |(line, statement): &(usize, Statement)| {
        let (words, (found, verdict)) = match statement {
            Statement::Period(p) => (format!("period {p}"), about(found.as_ref().map(|f| f.period), *p)),
            Statement::Preperiod(n) => (format!("preperiod {n}"), about(found.as_ref().map(|f| f.preperiod), *n)),
            Statement::Value(n, v) => {
                let truth = grundy.value(*n);
                let verdict = if truth == Some(*v) { "holds" } else { "false" };
                (format!("G({n}) = {v}"), (truth.map_or(String::new(), |t| t.to_string()), verdict))
            }
        };
        Row { line: *line, code: code.to_string(), statement: words, found, verdict }
    };
    Ok(list.iter().map(row).collect())
}

impl Report for Audit {
    fn text(&self, paint: Paint) -> String {
        let row = |r: &Row| vec![r.code.clone(), r.statement.clone(), r.found.clone(), r.verdict.to_string()];
        let rows: Vec<Vec<String>> = self.statements.iter().map(row).collect();
        let count = |verdict: &str| self.statements.iter().filter(|r| r.verdict == verdict).count();
        let wrong = format!("{} false", count("false"));
        let wrong = if self.holds { wrong } else { paint.bad(&wrong) };
        format!(
            "{}\n{} hold, {wrong}, {} open\n",
            table(&["code", "stated", "found", "verdict"], &rows),
            count("holds"),
            count("open")
        )
    }
}
