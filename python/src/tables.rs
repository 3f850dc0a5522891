//! Tables in a directory.

use crate::answers::{dict, report};
use crate::failure::{exception, usage};
use crate::game::{Game, Shared, meant, registry};
use crate::position::{Position, of_table};
use crate::sequence::array;
use crate::value::Value;
use crate::work::{Limits, run};
use agon::check::Rejected;
use agon::check::tables::Extent;
use agon::core::Wdl;
use agon::erased::AnyGame;
use agon::erased::tables::{AnyLookUp, TableRequest, game_in, tables_of};
use agon::failure::Failure;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use serde_json::json;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The pause between two checkpoints.
const BETWEEN_SAVES: Duration = Duration::from_secs(50);

/// Tables on disk: the value of every position of a game in which play can cycle.
///
/// >>> import tempfile
/// >>> folder = tempfile.mkdtemp()
/// >>> table = agon.Table.solve("antrin:3", folder)
/// >>> table.game, table.value(table.game.start())
/// (Game('antrin:3'), Value('draw'))
/// >>> agon.Table(folder).check()["verdict"]
/// 'proved'
#[pyclass(module = "agon", frozen)]
pub(crate) struct Table {
    folder: PathBuf,
    game: Arc<Shared>,
    look_up: Box<dyn AnyLookUp>,
}

impl Table {
    /// The value of a position of this game.
    fn found(&self, position: &Position) -> Result<agon::core::Value, Failure> {
        let value = self.look_up.value(position.text())?;
        value.ok_or_else(|| {
            Failure::Usage(format!(
                "no value of `{}` in `{}`: no play leads to it, or its table was not solved",
                position.text(),
                self.folder.display()
            ))
        })
    }

    /// The position, which must be of this game.
    fn own<'a>(&self, py: Python<'_>, position: &'a Bound<'_, PyAny>) -> PyResult<&'a Position> {
        let Ok(position) = position.cast::<Position>() else {
            return Err(usage(py, "expected a Position, as game.start() is"));
        };
        let position = position.get();
        match self.game.is(&position.game) {
            true => Ok(position),
            false => {
                let (own, other) = (self.game.rules.spelling(), position.game.rules.spelling());
                Err(usage(py, format!("the tables are of {own}, and the position is of {other}")))
            }
        }
    }

    /// Tables in a directory, of a game that is known to fit them or is read from them.
    fn open(py: Python<'_>, folder: PathBuf, game: Option<Box<dyn AnyGame>>) -> PyResult<Table> {
        let opened = py.detach(|| {
            let game = match game {
                Some(game) => game,
                None => game_in(registry(), &folder)?,
            };
            let tables = tables_of(game.as_ref())?;
            Ok((tables.open(&folder)?, tables.look_up(&folder)?))
        });
        let (rules, look_up) = opened.map_err(|failure: Failure| exception(py, &failure))?;
        Ok(Table { folder, game: Shared::new(rules, None), look_up })
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Table> {
        Table::open(py, folder, None)
    }

    /// Solves the tables of a game into a directory and opens it. `only` names one table; what it leads to is solved
    /// too. With `resume=True`, finished tables are kept and a checkpoint is continued. `memory` is in MiB.
    #[staticmethod]
    #[pyo3(signature = (game, folder, *, only=None, resume=false, memory=4096, threads=None))]
    fn solve(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        folder: PathBuf,
        only: Option<&str>,
        resume: bool,
        memory: u64,
        threads: Option<usize>,
    ) -> PyResult<Table> {
        let shared = meant(py, game)?.0;
        let limits = Limits { threads, ..Limits::default() };
        shared.work(py, limits, |rules, ctx| {
            let last = Cell::new(Instant::now());
            let request = TableRequest {
                resume,
                only,
                due: &|| last.get().elapsed() >= BETWEEN_SAVES,
                saved: &|| last.set(Instant::now()),
                ..TableRequest::new(&folder, memory.saturating_mul(1 << 20))
            };
            tables_of(rules)?.solve(&request, ctx).map(drop)
        })?;
        Table::open(py, folder, Some(shared.rules.duplicate()))
    }

    /// The game, whose positions get their values from this directory.
    #[getter]
    fn game(&self) -> Game {
        Game { shared: self.game.clone() }
    }

    /// The directory.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The value of a position.
    #[pyo3(signature = (position))]
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        let found = self.found(self.own(py, position)?).map_err(|failure| exception(py, &failure))?;
        let (bounds, plies) = of_table(found);
        Value::proven(py, bounds, plies)
    }

    /// The values of many positions as a NumPy array, as `agon.values` gives them.
    #[pyo3(signature = (positions, *, plies=false))]
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>, plies: bool) -> PyResult<Bound<'py, PyAny>> {
        let mut asked = Vec::with_capacity(positions.len().unwrap_or(0));
        for position in positions.try_iter()? {
            asked.push(self.own(py, &position?)?.clone());
        }
        let ctx = Limits::default().context(py, None)?;
        let found: Vec<agon::core::Value> = run(py, ctx, |ctx| {
            let each = asked.iter().enumerate().map(|(done, position)| {
                if done % 1024 == 0 {
                    ctx.check()?;
                    ctx.progress("looking up", done as u64, Some(asked.len() as u64));
                }
                self.found(position)
            });
            each.collect()
        })?;
        let number = |value: &agon::core::Value| match value.wdl() {
            Wdl::Win => 1i8,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        };
        let numbers = array(py, "int8", found.iter().map(|value| number(value).to_ne_bytes()))?;
        if !plies {
            return Ok(numbers);
        }
        let distance = |value: &agon::core::Value| {
            let plies = value.plies().filter(|_| value.wdl() != Wdl::Draw);
            plies.map_or(-1i32, |plies| i32::try_from(plies).unwrap_or(i32::MAX))
        };
        let distances = array(py, "int32", found.iter().map(|value| distance(value).to_ne_bytes()))?;
        Ok(PyTuple::new(py, [numbers, distances])?.into_any())
    }

    /// What each table holds, from its header.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rules = self.game.rules.as_ref();
        let stats = tables_of(rules).and_then(|tables| tables.stats(&self.folder));
        let list = PyList::empty(py);
        for shard in stats.map_err(|failure| exception(py, &failure))? {
            list.append(dict(py, &shard)?)?;
        }
        Ok(list)
    }

    /// A position of the longest win and its moves, as a Position after all of them; None where no side can win.
    fn longest(&self, py: Python<'_>) -> PyResult<Option<Position>> {
        let found = py.detach(|| tables_of(self.game.rules.as_ref())?.longest(&self.folder));
        let Some((_, from, moves)) = found.map_err(|failure| exception(py, &failure))? else { return Ok(None) };
        let mut position = Position::root(self.game.clone(), from);
        for mv in moves {
            let (mv, text) = self.game.ask(py, |rules| rules.play(position.text(), &mv))?;
            position = position.then(mv, text);
        }
        Ok(Some(position))
    }

    /// Derives every value again by forward moves alone, or a sample of so many of each table, as `agon check` does.
    #[pyo3(signature = (*, sample=None, seed=1, threads=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        sample: Option<u64>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let extent = sample.map_or(Extent::Full, |of_each| Extent::Sample { of_each, seed });
        let limits = Limits { threads, ..Limits::default() };
        let (missing, checked) = self.game.work(py, limits, |rules, ctx| {
            let tables = tables_of(rules)?;
            let gaps = tables.gaps(&self.folder, None)?;
            if let Some((table, lost)) = &gaps.broken {
                let why = format!("table {table} leads to {lost}, which is missing, so its values cannot be derived");
                return Err(Failure::Failed(why));
            }
            match tables.check(&self.folder, extent, ctx) {
                Err(Rejected::Stopped(stop)) => Err(stop.into()),
                Err(Rejected::Corrupt(why)) => Err(Failure::damaged(&self.folder, why)),
                Err(Rejected::Refuted(why)) => Ok((gaps.missing, Err(why))),
                Ok(checked) => Ok((gaps.missing, Ok(checked))),
            }
        })?;
        let (verdict, said, positions) = match (&checked, sample) {
            (Err(why), _) => ("refuted", why.clone(), 0),
            (Ok(checked), Some(of_each)) => {
                ("sample", format!("a sample of at most {of_each} values of each table is correct"), checked.positions)
            }
            (Ok(checked), None) if missing.is_empty() => {
                ("proved", format!("every value of {} tables is correct", checked.tables), checked.positions)
            }
            (Ok(checked), None) => {
                let said = format!("every value of {} tables is correct; others are missing", checked.tables);
                ("part", said, checked.positions)
            }
        };
        let answer = json!({"agon": agon::VERSION, "game": self.game.rules.spelling(), "verdict": verdict,
                            "holds": matches!(verdict, "proved" | "sample"), "statement": said,
                            "positions": positions, "missing": missing});
        report(py, &answer, &format!("{verdict}: {said}"), None)
    }

    fn __repr__(&self) -> String {
        format!("Table('{}')", self.folder.display())
    }

    fn __contains__(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        let position = self.own(py, position)?;
        Ok(self.look_up.value(position.text()).map_err(|failure| exception(py, &failure))?.is_some())
    }
}
