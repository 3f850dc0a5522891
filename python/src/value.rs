//! Values, one by one and in batches.

use crate::failure::{stopped, usage};
use crate::game::Known;
use crate::position::Position;
use crate::sequence::array;
use crate::work::{Limits, run};
use agon::core::{Bounds, Stop, Wdl};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The proven value of a position for the side to move, or of a move for the side that makes it.
///
/// A value is equal to its word, and a larger value is better: a quick win before a slow one, a late loss before an
/// early one.
///
/// >>> value = agon.game("tic-tac-toe").position("XX./OO./...").value()
/// >>> value
/// Value('win', plies=1)
/// >>> value == "win", value.result, value.plies
/// (True, 'win', 1)
/// >>> str(value)
/// 'win in 1'
#[pyclass(module = "agon", frozen, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) wdl: Wdl,
    pub(crate) distance: Option<u32>,
}

impl Value {
    /// Larger is better.
    fn preference(self) -> (Wdl, i64) {
        let plies = i64::from(self.distance.unwrap_or(0));
        match self.wdl {
            Wdl::Win => (self.wdl, -plies),
            Wdl::Draw => (self.wdl, 0),
            Wdl::Loss => (self.wdl, plies),
        }
    }

    pub(crate) fn is_better(self, other: Value) -> bool {
        self.preference() > other.preference()
    }

    /// `▲5`, `■` or `▼2`, as pictures show it.
    pub(crate) fn sign(self) -> String {
        let sign = match self.wdl {
            Wdl::Win => "▲",
            Wdl::Draw => "■",
            Wdl::Loss => "▼",
        };
        self.distance.map_or(sign.to_string(), |plies| format!("{sign}{plies}"))
    }

    /// The value where the bounds meet.
    pub(crate) fn proven(py: Python<'_>, bounds: Bounds, plies: Option<u32>) -> PyResult<Value> {
        Value::proven_within(py, bounds, plies, Stop::Memory)
    }

    /// The same where `stop` is the reason for bounds that do not meet.
    fn proven_within(py: Python<'_>, bounds: Bounds, plies: Option<u32>, stop: Stop) -> PyResult<Value> {
        match bounds.value() {
            Some(wdl) => Ok(Value { wdl, distance: plies.filter(|_| wdl != Wdl::Draw) }),
            None => Err(stopped(py, stop, Some(bounds))),
        }
    }
}

#[pymethods]
impl Value {
    /// `win`, `draw` or `loss`.
    #[getter]
    fn result(&self) -> &'static str {
        self.wdl.name()
    }

    /// Plies until the end under best play; None for a draw, and where the method does not find distances.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.distance
    }

    fn __int__(&self) -> i8 {
        number(Some(self.wdl))
    }

    fn __str__(&self) -> String {
        match self.distance {
            Some(plies) => format!("{} in {plies}", self.wdl.name()),
            None => self.wdl.name().to_string(),
        }
    }

    fn __repr__(&self) -> String {
        match self.distance {
            Some(plies) => format!("Value('{}', plies={plies})", self.wdl.name()),
            None => format!("Value('{}')", self.wdl.name()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // A value is equal to its word, so both have the same hash.
        pyo3::types::PyString::new(py, self.wdl.name()).hash()
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let answer = |answer: bool| Ok(pyo3::types::PyBool::new(py, answer).to_owned().into_any().unbind());
        if let Ok(other) = other.cast::<Value>() {
            return answer(op.matches(self.preference().cmp(&other.get().preference())));
        }
        match (op, other.extract::<String>()) {
            (CompareOp::Eq, Ok(word)) => answer(word == self.wdl.name()),
            (CompareOp::Ne, Ok(word)) => answer(word != self.wdl.name()),
            _ => Ok(py.NotImplemented()),
        }
    }
}

/// 1 for a win, -1 for a loss, else 0.
fn number(value: Option<Wdl>) -> i8 {
    match value {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        Some(Wdl::Draw) | None => 0,
    }
}

/// A hash of a text.
pub(crate) fn hash_of(parts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The values of many positions as a NumPy array: 1 for a win of the side to move, 0 for a draw, -1 for a loss.
///
/// With `plies=True`, also the distances, -1 where there is none. The positions may be of several games. `time` and
/// `nodes` limit the whole work; a value that they leave open raises `agon.errors.Stopped`.
///
/// >>> start = agon.game("tic-tac-toe").start()
/// >>> agon.values([start.play(move) for move in start.moves()])
/// array([0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=int8)
#[pyfunction]
#[pyo3(signature = (positions, *, plies=false, time=None, nodes=None, threads=None))]
pub(crate) fn values<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    plies: bool,
    time: Option<f64>,
    nodes: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut asked: Vec<Position> = Vec::with_capacity(positions.len().unwrap_or(0));
    for position in positions.try_iter()? {
        let position = position?;
        let Ok(position) = position.cast::<Position>() else {
            let kind = position.get_type().name()?;
            return Err(usage(
                py,
                format!("invalid position of type `{kind}`: expected a Position, as game.start() is"),
            ));
        };
        asked.push(position.get().clone());
    }
    let mut answers = vec![(Bounds::UNKNOWN, None); asked.len()];
    // Where the value is known, there is nothing to do; the rest is grouped by game.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, position) in asked.iter().enumerate() {
        match position.known() {
            Some(known) => answers[i] = known,
            None => open.entry(position.game.address()).or_default().push(i),
        }
    }
    let mut stop = Stop::Memory;
    for indices in open.values() {
        let game = asked[indices[0]].game.clone();
        game.sound(py)?;
        let ctx = Limits { seconds: time, nodes, threads }.context(py, game.failed())?;
        let found = run(py, ctx, |ctx| {
            let (mut found, mut proven) = (Vec::with_capacity(indices.len()), true);
            game.with_judge(false, |judge| {
                for (done, &i) in indices.iter().enumerate() {
                    ctx.progress("valuing", done as u64, Some(indices.len() as u64));
                    let value = judge.value(asked[i].text(), ctx)?;
                    found.push(value);
                    if value.0.value().is_none() {
                        stop = ctx.check().err().unwrap_or(Stop::Memory);
                        proven = false;
                        break;
                    }
                }
                Ok(proven)
            })?;
            Ok(found)
        });
        let found = game.finish(py, found)?;
        for (&i, value) in indices.iter().zip(found) {
            asked[i].learn(value);
            answers[i] = value;
        }
    }
    for &(bounds, distance) in &answers {
        Value::proven_within(py, bounds, distance, stop)?;
    }
    let numbers = array(py, "int8", answers.iter().map(|(bounds, _)| number(bounds.value()).to_ne_bytes()))?;
    if !plies {
        return Ok(numbers);
    }
    let plies_of = |(bounds, distance): &Known| match (bounds.value(), distance) {
        (Some(Wdl::Win | Wdl::Loss), Some(plies)) => i32::try_from(*plies).unwrap_or(i32::MAX),
        _ => -1,
    };
    let distances = array(py, "int32", answers.iter().map(|known| plies_of(known).to_ne_bytes()))?;
    Ok(PyTuple::new(py, [numbers, distances])?.into_any())
}
