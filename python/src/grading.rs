//! Players graded by the proven values of their moves.

use crate::answers::report;
use crate::game::meant;
use crate::work::Limits;
use agon::report::Report;
use agon::report::words::Paint;
use agon_grade::Grader;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Grades the players of games as text; `agon.grade` prepares the texts. `time` and `nodes` limit each position.
#[pyfunction]
#[pyo3(signature = (game, texts, *, proven_only=false, time=1.0, nodes=None, threads=None))]
pub(crate) fn grade<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    texts: Vec<(Option<String>, String)>,
    proven_only: bool,
    time: f64,
    nodes: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let shared = meant(py, game)?.0;
    let limit = Duration::try_from_secs_f64(time)
        .map_err(|_| crate::failure::usage(py, format!("invalid time `{time}`: expected seconds, like 1")))?;
    let limits = Limits { threads, ..Limits::default() };
    let (answer, csv) = shared.work(py, limits, |rules, ctx| {
        let begun = Instant::now();
        let mut grader = Grader::new(rules)?;
        if proven_only {
            grader = grader.proven_only();
        }
        let mut positions = 0;
        let mut each = || {
            ctx.progress("grading positions", positions, None);
            positions += 1;
            ctx.without_progress().sub_budget(nodes.unwrap_or(u64::MAX)).within(limit)
        };
        for (name, text) in &texts {
            grader.add_text(name.as_deref(), text, &mut each)?;
        }
        let answer = grader.finish(begun.elapsed().as_secs_f64());
        let csv = answer.csv();
        Ok((answer, csv))
    })?;
    let answer = report(py, &answer, &answer.text(Paint::PLAIN), None)?;
    answer.setattr("csv", csv)?;
    Ok(answer)
}
