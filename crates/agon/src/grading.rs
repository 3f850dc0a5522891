//! `agon grade`: players graded by the proven values of their moves.

use crate::analysing::files;
use crate::cli::{Grade, Shared};
use crate::commands::seconds_limit;
use crate::failure::Failure;
use crate::output::{emit, read_input, read_text, write_file};
use crate::tables;
use agon_grade::{GradeReport, Grader, page};
use agon_registry::erased::AnyGame;
use std::path::Path;
use std::time::Instant;

/// `agon grade`.
pub fn command(args: &Grade, shared: &Shared) -> Result<(), Failure> {
    if args.csv && shared.json {
        return Err(Failure::Usage("give --csv or --json".into()));
    }
    let game = tables::opened(shared.game(&args.game)?, args.table.as_deref())?;
    let (begun, limit) = (Instant::now(), seconds_limit(args.time)?);
    let (ctx, nodes) = (shared.context(), args.nodes.unwrap_or(u64::MAX));
    if let Some(folder) = &args.out {
        let failed = |error: std::io::Error| Failure::io(folder, "create", error);
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut grader = Grader::new(game.as_ref())?;
    if args.proven_only {
        grader = grader.proven_only();
    }
    let mut positions = 0;
    let mut each = || {
        ctx.progress("grading positions", positions, None);
        positions += 1;
        ctx.without_progress().sub_budget(nodes).within(limit)
    };
    for file in files(&args.files)?.0 {
        let (name, text) = text_of(&file);
        match text {
            Ok(text) => grader.add_text(Some(&name), &text, &mut each)?,
            Err(failure @ Failure::Damaged { .. }) => grader.unread(Some(&name), None, failure.to_string()),
            Err(failure) => return Err(failure),
        }
    }
    let report = grader.finish(begun.elapsed().as_secs_f64());
    if let Some(folder) = &args.out {
        write(game.as_ref(), &report, folder)?;
    }
    match args.csv {
        true => emit(&report.csv())?,
        false => shared.answer(&report)?,
    }
    if let Some(folder) = &args.out {
        let folder = folder.display();
        shared.note(&format!("written to {folder}: grade.json, grade.csv, faults.csv and grade.html"));
    }
    match report.unread.len() {
        0 => Ok(()),
        1 => Err(Failure::damaged_text(format!("no game of {}: {}", game.spelling(), report.unread[0].text()))),
        n => Err(Failure::damaged_text(format!("{n} texts hold no game of {}", game.spelling()))),
    }
}

/// The name of a file, and its text.
fn text_of(path: &Path) -> (String, Result<String, Failure>) {
    match path.to_str() {
        Some("-") => ("standard input".to_string(), read_input()),
        _ => (path.display().to_string(), read_text(path)),
    }
}

fn write(game: &dyn AnyGame, report: &GradeReport, folder: &Path) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(report).unwrap_or_default() + "\n";
    for (name, text) in [
        ("grade.json", json),
        ("grade.csv", report.csv()),
        ("faults.csv", report.faults_csv()),
        ("grade.html", page(game, report)),
    ] {
        write_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(())
}
