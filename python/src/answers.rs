//! Solving, counting, verifying, explaining and checking: the reports of the command line, as dictionaries that read as
//! text.

use crate::failure::{exception, usage};
use crate::game::{Shared, meant, place, registry, side};
use crate::position::Position;
use crate::work::{Limits, run};
use agon::check::{Certificate, Rejected, sequence};
use agon::core::{Ctx, Rng, Wdl};
use agon::erased::{AnyGame, Called, Evidence, ExplainRequest, SolveRequest, StrategyRequest, VerifyRequest};
use agon::failure::Failure;
use agon::registry::{files, players};
use agon::report::Report;
use agon::report::words::Paint;
use agon::solve::{count as counting, explain};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A value of JSON as an object of Python.
fn object<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(object(py, value)?)?;
            }
            list.into_any()
        }
        Json::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                dict.set_item(key, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// What serialises as JSON, as an object of Python.
pub(crate) fn dict<'py>(py: Python<'py>, answer: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_value(answer).map_err(|error| exception(py, &Failure::Failed(error.to_string())))?;
    object(py, &json)
}

/// An `agon.Report`: the dictionary, its text, and a certificate.
pub(crate) fn report<'py>(
    py: Python<'py>,
    answer: &impl serde::Serialize,
    text: &str,
    certificate: Option<&Certificate>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = certificate.map(|certificate| PyBytes::new(py, certificate.write().as_bytes()));
    py.import("agon.report")?.getattr("Report")?.call1((dict(py, answer)?, text.trim_end(), bytes))
}

/// The same for a report of the command line.
fn answered<'py>(
    py: Python<'py>,
    answer: &impl Report,
    certificate: Option<&Certificate>,
) -> PyResult<Bound<'py, PyAny>> {
    report(py, answer, &answer.text(Paint::PLAIN), certificate)
}

/// The evidence that was asked for; a failure to extract it is raised.
fn evidence(py: Python<'_>, evidence: Evidence) -> PyResult<Option<Certificate>> {
    evidence.map_err(|failure| exception(py, &failure))
}

/// Solves a position; a game or its spelling means the start.
///
/// The report reads like that of `agon solve` when it is printed, and has the keys of its `--json`. With
/// `certificate=True`, `report.certificate` has the evidence, for `agon.check` and `agon check`. `method` names one of
/// `game.methods`; `strong=True` makes a table of all positions and counts it. `memory` is in MiB.
///
/// >>> report = agon.solve("mnk:4,4,3", certificate=True)
/// >>> report["value"], report["plies"], report["best"]
/// ('win', 5, 'b3')
/// >>> agon.check(report.certificate)["statement"]
/// 'mnk:4,4,3 from ..../..../..../....: first (x) wins within 5 plies against every reply'
#[pyfunction]
#[pyo3(signature = (position, *, method=None, strong=false, all=false, certificate=false, memory=4096, time=None, nodes=None, threads=None))]
#[allow(clippy::too_many_arguments)] // One for each flag of the command.
pub(crate) fn solve<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    method: Option<&str>,
    strong: bool,
    all: bool,
    certificate: bool,
    memory: u64,
    time: Option<f64>,
    nodes: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    if strong && method.is_some() {
        return Err(usage(py, "strong=True is a method of its own: leave method out"));
    }
    let (game, pos) = place(py, position)?;
    let name = if strong { agon::solve::method::STRONG } else { method.unwrap_or_default() };
    let request = SolveRequest { solver: name.into(), certificate, all, memory: memory.saturating_mul(1 << 20) };
    let limits = Limits { seconds: time, nodes, threads };
    let (mut answer, found) = game.work(py, limits, |rules, ctx| rules.solve(&pos, &request, ctx))?;
    if game.failed().is_none() {
        let known = registry().known_at(game.rules.as_ref(), &pos, answer.bounds);
        answer.known = known.map_err(|failure| exception(py, &failure))?;
    }
    answered(py, &answer, evidence(py, found)?.as_ref())
}

/// Counts positions, games and tree nodes exactly, with and without symmetry.
///
/// >>> report = agon.count("tic-tac-toe")
/// >>> report["positions"], report["games"]["total"]
/// (5478, 255168)
#[pyfunction]
#[pyo3(signature = (position, *, plies=None, memory=8192, threads=None))]
pub(crate) fn count<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    plies: Option<u32>,
    memory: usize,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, pos) = place(py, position)?;
    let asked = counting::Limits {
        plies: plies.unwrap_or(u32::MAX),
        bytes: memory.saturating_mul(1 << 20),
        up_to_symmetry: true,
    };
    let limits = Limits { threads, ..Limits::default() };
    let answer = game.work(py, limits, |rules, ctx| {
        let answer = rules.count(&pos, asked, ctx)?;
        match answer.counts().cut {
            Some(counting::Cut::Stopped(stop)) => Err(stop.into()),
            _ => Ok(answer),
        }
    })?;
    answered(py, &answer, None)
}

/// The exception that a function of Python has raised while work was going on, and the flag that ends the work.
#[derive(Default)]
struct Raised {
    error: Mutex<Option<PyErr>>,
    flag: Arc<AtomicBool>,
}

impl Raised {
    fn raise(&self, error: PyErr) {
        if let Ok(mut slot) = self.error.lock() {
            slot.get_or_insert(error);
        }
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// A strategy as Python spells it: a name or a file, a text, or a function, and what the function raises.
fn strategy(
    py: Python<'_>,
    game: &Arc<Shared>,
    given: &Bound<'_, PyAny>,
) -> PyResult<(StrategyRequest, Option<Arc<Raised>>)> {
    if let Ok(text) = given.extract::<String>() {
        // A text of one line would be a name.
        if text.trim().contains('\n') {
            return Ok((StrategyRequest::written("text", text), None));
        }
        let request = players::strategy_request(&text).map_err(|failure| exception(py, &failure))?;
        return Ok((request, None));
    }
    if !given.is_callable() {
        let kind = given.get_type().name()?;
        let expected = "expected a name, a text, or a function from a Position to moves";
        return Err(usage(py, format!("invalid strategy of type `{kind}`: {expected}")));
    }
    let (raised, function) = (Arc::new(Raised::default()), given.clone().unbind());
    let (heard, played) = (raised.clone(), game.clone());
    let called = Called::new(move |pos| {
        Python::attach(|py| {
            choices(py, &played, function.bind(py), pos).unwrap_or_else(|error| {
                heard.raise(error);
                Vec::new()
            })
        })
    });
    let name = given.getattr("__name__").and_then(|name| name.extract::<String>());
    Ok((StrategyRequest::called(name.unwrap_or_else(|_| "function".to_string()), called), Some(raised)))
}

/// The moves that a function returns at a position: None, one move, or several.
fn choices(py: Python<'_>, game: &Arc<Shared>, function: &Bound<'_, PyAny>, pos: &str) -> PyResult<Vec<String>> {
    let answer = function.call1((Position::root(game.clone(), pos.to_string()),))?;
    let moves: Vec<String> = match answer.extract::<String>() {
        _ if answer.is_none() => Vec::new(),
        Ok(mv) => vec![mv],
        Err(_) => answer.extract()?,
    };
    for mv in &moves {
        game.rules
            .play(pos, mv)
            .map_err(|failure| usage(py, format!("the strategy plays `{mv}` at `{pos}`: {failure}")))?;
    }
    Ok(moves)
}

/// Tests a strategy against every reply: does `side` get at least `claim`?
///
/// The strategy is a name of the game (`game.strategies`), a file that ends in `.rules`, a text of several lines, or a
/// function that gets a Position and returns a move, a list of moves that it may choose among, or None. The report is
/// that of `agon verify`; `report["holds"]` is the answer. `repair=True` looks for the fewest exceptions that make the
/// claim true (a number allows so many; the default is 16), and `certificate=True` adds the evidence.
///
/// >>> agon.verify("tic-tac-toe", "singh-objectives", side="second", claim="draw")["holds"]
/// False
/// >>> def centre_first(position):
/// ...     return "b2" if "b2" in position.moves() else position.best()
/// >>> agon.verify("tic-tac-toe", centre_first, side="first", claim="draw")["holds"]
/// True
#[pyfunction]
#[pyo3(signature = (position, strategy, *, side="first", claim="draw", all=false, repair=None, certificate=false, listed=false, time=None, threads=None))]
#[allow(clippy::too_many_arguments)] // One for each flag of the command.
pub(crate) fn verify<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    side: &str,
    claim: &str,
    all: bool,
    repair: Option<&Bound<'py, PyAny>>,
    certificate: bool,
    listed: bool,
    time: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, pos) = place(py, position)?;
    let least = match claim {
        "win" => Wdl::Win,
        "draw" => Wdl::Draw,
        _ => return Err(usage(py, format!("invalid claim `{claim}`: expected win or draw"))),
    };
    let side = crate::game::side(py, &game, side)?;
    let (strategy, raised) = self::strategy(py, &game, strategy)?;
    const MOST_EXCEPTIONS: usize = 16;
    let repair = match repair {
        Some(flag) if flag.is_instance_of::<pyo3::types::PyBool>() => {
            flag.extract::<bool>()?.then_some(MOST_EXCEPTIONS)
        }
        Some(most) => Some(most.extract()?),
        None => None,
    };
    let request = VerifyRequest { strategy, side, least, all, repair, certificate, listed };
    let limits = Limits { seconds: time, nodes: None, threads };
    let done = game.work(py, limits, |rules, ctx| {
        let ctx = raised.as_ref().map_or(ctx.clone(), |raised| ctx.clone().with_cancel(raised.flag.clone()));
        rules.verify(&pos, &request, &ctx)
    });
    // What the function raised is the reason of everything that came after it.
    if let Some(error) = raised.and_then(|raised| raised.error.lock().ok().and_then(|mut error| error.take())) {
        return Err(error);
    }
    let (answer, found) = done?;
    answered(py, &answer, evidence(py, found)?.as_ref())
}

/// Why a position has its value; see `Position.why`.
///
/// >>> agon.why("nim:1+2")["sentence"]
/// 'first wins in 3 plies with 2>1.'
#[pyfunction]
#[pyo3(signature = (position, *, positions=300, depth=40, time=10.0, nodes=None, threads=None))]
pub(crate) fn why<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    positions: usize,
    depth: u32,
    time: f64,
    nodes: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, found) = meant(py, position)?;
    let position = found.unwrap_or_else(|| Position::root(game.clone(), game.rules.start()));
    explained(py, &position, None, (positions, depth), Limits { seconds: Some(time), nodes, threads })
}

/// The explanation of a position.
pub(crate) fn explained<'py>(
    py: Python<'py>,
    position: &Position,
    strategy: Option<(&Bound<'py, PyAny>, Option<&str>)>,
    (positions, depth): (usize, u32),
    limits: Limits,
) -> PyResult<Bound<'py, PyAny>> {
    let game = &position.game;
    let (strategy, raised) = match strategy {
        None => (None, None),
        Some((given, of)) => {
            let of = of.map(|name| side(py, game, name)).transpose()?;
            let (request, raised) = self::strategy(py, game, given)?;
            (Some((request, of)), raised)
        }
    };
    let request = ExplainRequest { limits: explain::Limits { positions, depth }, strategy, last: position.last() };
    let done = game.work(py, limits, |rules, ctx| rules.explain(position.text(), &request, ctx));
    if let Some(error) = raised.and_then(|raised| raised.error.lock().ok().and_then(|mut error| error.take())) {
        return Err(error);
    }
    answered(py, &done?, None)
}

/// Checks a certificate or a file of nim-values, with code that shares nothing with the solvers but the rules.
///
/// `evidence` is the bytes, or a path. A certificate of a game in Python needs the `game`. The report has the keys of
/// `agon check --json`; what does not hold what it should raises `agon.errors.Damaged`. Of a long file of nim-values a
/// sample is derived again, unless `full=True`.
///
/// >>> evidence = agon.solve("tic-tac-toe", certificate=True).certificate
/// >>> print(agon.check(evidence))
/// proved: mnk:3,3,3 from .../.../...: a draw; each side can hold it against every reply
/// >>> agon.check(evidence.replace(b"draw", b"loss", 1))["holds"]
/// Traceback (most recent call last):
///     ...
/// agon.errors.Damaged: the hash at the end does not fit: the file was changed or cut off
#[pyfunction]
#[pyo3(signature = (evidence, *, game=None, full=false, seed=1, threads=None))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    evidence: &Bound<'py, PyAny>,
    game: Option<&Bound<'py, PyAny>>,
    full: bool,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = match evidence.extract::<Vec<u8>>() {
        Ok(bytes) if !evidence.is_instance_of::<pyo3::types::PyString>() => bytes,
        _ => {
            let path: PathBuf = evidence.extract()?;
            files::read_file(&path).map_err(|failure| exception(py, &failure))?
        }
    };
    let limits = Limits { threads, ..Limits::default() };
    if bytes.starts_with(sequence::MAGIC) {
        let ctx = limits.context(py, None)?;
        let answer = run(py, ctx, |ctx| sequence_checked(&bytes, full, seed, ctx))?;
        return said(py, &answer);
    }
    let damaged = |why: &dyn std::fmt::Display| exception(py, &Failure::damaged_text(why.to_string()));
    let certificate = Certificate::read(&bytes).map_err(|error| damaged(&error))?;
    let shared = match game {
        Some(game) => meant(py, game)?.0,
        None => {
            let rules = registry().described(&certificate.game, certificate.rules.as_deref());
            Shared::new(rules.map_err(|error| damaged(&error))?, None)
        }
    };
    let own = shared.rules.spelling();
    if !agon::registry::is_spelling_of(shared.rules.as_ref(), &certificate.game) {
        return Err(usage(py, format!("the certificate is about {}, not {own}", certificate.game)));
    }
    let verdict = shared.work(py, limits, |rules, ctx| judged(rules, &certificate, ctx))?;
    let (verdict, said_, positions) = verdict;
    let answer = json!({"agon": agon::VERSION, "game": certificate.game, "claim": certificate.claim.to_string(),
                        "holds": verdict == "proved", "verdict": verdict, "statement": said_, "positions": positions});
    said(py, &answer)
}

/// The verdict on a certificate, the statement, and the number of positions.
fn judged(rules: &dyn AnyGame, certificate: &Certificate, ctx: &Ctx) -> Result<(&'static str, String, u64), Failure> {
    match rules.check(certificate, ctx) {
        Ok(proved) => Ok(("proved", proved.statement, proved.positions)),
        Err(Rejected::Refuted(why)) => Ok(("refuted", why, 0)),
        Err(Rejected::Stopped(stop)) => Err(stop.into()),
        Err(Rejected::Corrupt(why)) => Err(Failure::damaged_text(why)),
    }
}

/// A verdict as a report.
fn said<'py>(py: Python<'py>, answer: &Json) -> PyResult<Bound<'py, PyAny>> {
    let word = |key: &str| answer[key].as_str().unwrap_or_default().to_string();
    report(py, answer, &format!("{}: {}", word("verdict"), word("statement")), None)
}

/// Derives the values of a file again: all of them, or the first ones and a sample.
fn sequence_checked(bytes: &[u8], full: bool, seed: u64, ctx: &Ctx) -> Result<Json, Failure> {
    const ALWAYS: usize = 2000;
    const SAMPLE: usize = 500;
    let read = sequence::read(bytes).map_err(|why| Failure::damaged_text(why.to_string()))?;
    if read.whole < bytes.len() || read.values.is_empty() {
        return Err(Failure::damaged_text("the last block is cut off, or there are no values"));
    }
    let len = read.values.len();
    let full = full || len <= ALWAYS;
    let mut heaps: Vec<usize> = (0..if full { len } else { ALWAYS }).collect();
    if !full {
        let mut rng = Rng::new(seed);
        heaps.extend((0..SAMPLE).map(|_| ALWAYS + rng.below(len - ALWAYS)));
        heaps.sort_unstable();
        heaps.dedup();
    }
    let wrong = sequence::derive(&read.code, &read.values, heaps.iter().copied(), ctx)?;
    let (code, last) = (read.code.to_string(), len - 1);
    let statement = match (&wrong, full) {
        (Some(wrong), _) => {
            let (n, stated, derived) = (wrong.n, wrong.stated, wrong.derived);
            format!("G({n}) of {code} is {stated} in the file, but {derived} by the definition")
        }
        (None, true) => format!("all values of {code} up to heap {last} follow from the definition"),
        (None, false) => format!("a sample of {} of the {len} values of {code}, seed {seed}", heaps.len()),
    };
    let verdict = match (&wrong, full) {
        (Some(_), _) => "refuted",
        (None, true) => "proved",
        (None, false) => "sample",
    };
    Ok(json!({"agon": agon::VERSION, "game": null, "claim": format!("grundy {code} to {last}"),
              "holds": wrong.is_none(), "verdict": verdict, "statement": statement, "positions": heaps.len(),
              "full": full, "hash": sequence::fingerprint(read.values.iter().copied())}))
}
