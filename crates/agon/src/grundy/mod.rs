//! `agon grundy`: sequences of heap games.
//!
//! | module | what it does |
//! |---|---|
//! | `keep` | computes values, keeps them in a file and resumes after an interruption |
//! | `answer` | the report about a sequence, as text and JSON |
//! | `agreement` | all methods against each other |
//! | `measure` | the engine against the plain loop |
//! | `check` | files of values, derived again |
//! | `plot` | pictures |
//! | `options` | the options behind a value |
//! | `quotient` | misère quotients |
//! | `rules` | a code in words |
//! | `survey` | many codes at once, and their periods |
//! | `audit` | published statements, checked |

pub(crate) mod agreement;
mod answer;
pub mod audit;
mod check;
mod measure;
mod options;
mod plot;
mod quotient;
mod rules;
mod save;
pub(crate) mod survey;

use crate::cli::{Grundy as Args, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, grouped, write_file};
use crate::report::Report;
use agon_check::sequence::MAX_VALUES;
use agon_core::Code;
use agon_solve::grundy::Grundy;

pub use answer::Answer;
pub use check::check;

/// Runs the command.
pub fn command(args: &Args, shared: &Shared) -> Result<(), Failure> {
    if let Some(file) = &args.audit {
        return audit::command(file, shared);
    }
    if let Some(digits) = args.survey {
        return survey::command(digits, args.to, shared);
    }
    if args.self_test {
        return agreement::self_test(args.code.as_deref(), args.to, shared);
    }
    let code = args.code.as_deref().ok_or_else(|| Failure::Usage("give a code such as 0.007".into()))?;
    let code: Code = code.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    if args.quotient {
        return quotient(&code, args.to.unwrap_or(40), shared);
    }
    if let Some(heap) = args.options {
        enough_memory(&code, heap)?;
        let mut grundy = Grundy::new(&code, heap, agon_solve::grundy::Method::Auto);
        grundy.run(&shared.context(), heap)?;
        return shared.answer(&options::Options::new(&grundy, heap));
    }
    if args.misere {
        return misere(&code, args.to.unwrap_or(120), shared);
    }
    let plots = args.plot.iter().map(|text| plot::Request::read(text, &code)).collect::<Result<Vec<_>, _>>()?;
    let at = args.at.as_deref().map(read_list).transpose()?.unwrap_or_default();
    let to = args.to.unwrap_or_else(|| at.iter().copied().max().unwrap_or(100));
    if let Some(&beyond) = at.iter().find(|&&n| n > to) {
        return Err(Failure::Usage(format!("--at asks for heap {beyond}, beyond --to {to}")));
    }
    enough_memory(&code, to)?;
    if args.out.is_some() && to >= MAX_VALUES {
        return Err(Failure::Usage(format!(
            "a file holds at most {MAX_VALUES} values; expected --to of less, not {to}"
        )));
    }
    if args.race {
        return measure::race(&code, to, shared);
    }
    let ctx = shared.context();
    let mut grundy = save::run(&code, to, args.out.as_deref(), args.resume, &ctx)?;
    let asked = args.zeros || args.stats || args.period || !at.is_empty() || args.out.is_some() || !plots.is_empty();
    let answer = Answer::new(
        &mut grundy,
        &answer::Wanted {
            values: args.values || !asked,
            zeros: args.zeros,
            stats: args.stats,
            period: args.period,
            at: &at,
            out: args.out.as_deref(),
        },
    );
    for plot in &plots {
        write_file(&plot.file, plot.draw(&grundy).as_bytes())?;
    }
    shared.answer(&answer)?;
    if !shared.json {
        for plot in &plots {
            emit(&format!("plot written to {}\n", plot.file.display()))?;
        }
    }
    Ok(())
}

/// `1,2,30` and `5..=8`.
fn read_list(text: &str) -> Result<Vec<usize>, Failure> {
    let number = |part: &str| part.trim().parse::<usize>().ok();
    let part = |part: &str| match part.split_once("..=") {
        Some((from, to)) => {
            number(from).zip(number(to)).filter(|(a, b)| a <= b && b - a < 1 << 20).map(|(a, b)| (a..=b).collect())
        }
        None => number(part).map(|n| vec![n]),
    };
    let parts: Option<Vec<Vec<usize>>> = text.split(',').map(part).collect();
    parts.map(|parts| parts.concat()).ok_or_else(|| {
        let given = agon_core::family::shorten(text);
        Failure::Usage(format!("invalid heaps `{given}`: expected numbers such as 5,17 or 100..=120"))
    })
}

/// Refuses before memory runs out.
fn enough_memory(code: &Code, to: usize) -> Result<(), Failure> {
    let needed = Grundy::memory(code, to);
    let free = agon_registry::memory::free();
    if needed <= free / 10 * 9 {
        return Ok(());
    }
    let fits = |n: usize| Grundy::memory(code, n) <= free / 10 * 9;
    let most = (0..63).rev().map(|bit| 1usize << bit).find(|&n| fits(n)).unwrap_or(1);
    Err(Failure::Usage(format!(
        "{code} to {} needs about {} MiB of memory and {} MiB are free; expected --to of at most about {}",
        grouped(to),
        grouped(needed >> 20),
        grouped(free >> 20),
        grouped(most)
    )))
}

fn quotient(code: &Code, to: usize, shared: &Shared) -> Result<(), Failure> {
    const LARGEST: usize = 2_000;
    if code.most_heaps() > 2 {
        return Err(Failure::Usage(format!("{code} may leave three heaps; expected an octal code")));
    }
    if to > LARGEST {
        return Err(Failure::Usage(format!("expected --to of at most {LARGEST} with --quotient, not {to}")));
    }
    let found = agon_solve::misere::quotient::quotients(code, to, &shared.context())?;
    shared.answer(&quotient::Answer::new(code, &found))
}

fn misere(code: &Code, to: usize, shared: &Shared) -> Result<(), Failure> {
    const LARGEST: usize = 400;
    if to > LARGEST {
        return Err(Failure::Usage(format!("misère forms grow fast; expected --to of at most {LARGEST}, not {to}")));
    }
    let (heaps, forms) = agon_solve::misere::heaps(code, to, &shared.context())?;
    let answer = answer::Misere::new(code, &heaps, forms);
    if shared.json { emit_json(&answer) } else { emit(&answer.text(shared.paint())) }
}
