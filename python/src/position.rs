//! Positions.

use crate::answers;
use crate::failure::{stopped, usage};
use crate::game::{Game, Known, Shared};
use crate::value::{Value, hash_of};
use crate::work::Limits;
use agon::core::scene::Why;
use agon::core::{Bounds, Ctx, Status, Stop, Wdl};
use agon::erased::AnyJudge;
use agon::failure::Failure;
use agon::registry::record;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::sync::{Arc, OnceLock};

/// Nodes that a solver may take before the work moves to a thread of its own.
const QUICK_NODES: u64 = 4096;

/// What a pickled position is made from: the spelling, where play began, the moves.
type Restored = (String, String, Vec<String>);

/// A position and how it was reached.
struct Node {
    text: String,
    before: Option<(Arc<Node>, String)>,
    known: OnceLock<Known>,
}

impl Drop for Node {
    /// Long games are dropped without recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some((node, _)) = next {
            next = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}

/// A position of a game. It never changes: `play` returns another one.
///
/// Its `repr` is the notation of the game, it can be a key of a dictionary, and it draws itself in a notebook.
///
/// >>> start = agon.game("tic-tac-toe").start()
/// >>> [start.play("b2")]
/// [.../.X./...]
/// >>> {start: "the start"}[agon.game("tic-tac-toe").start()]
/// 'the start'
/// >>> print(start.play("b2 a1").text(), end="")
/// 3    │   │
///   ───┼───┼───
/// 2    │ X │
///   ───┼───┼───
/// 1  O │   │
///    a   b   c
#[pyclass(module = "agon", frozen, skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) game: Arc<Shared>,
    node: Arc<Node>,
}

impl Position {
    /// A position without a history.
    pub(crate) fn root(game: Arc<Shared>, text: String) -> Position {
        Position { game, node: Arc::new(Node { text, before: None, known: OnceLock::new() }) }
    }

    /// The position after a move.
    pub(crate) fn then(&self, mv: String, text: String) -> Position {
        let before = Some((self.node.clone(), mv));
        Position { game: self.game.clone(), node: Arc::new(Node { text, before, known: OnceLock::new() }) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.node.text
    }

    /// The value, if it was found before.
    pub(crate) fn known(&self) -> Option<Known> {
        if let Some(known) = self.node.known.get() {
            return Some(*known);
        }
        let known = self.game.remembered(&self.node.text)?;
        Some(*self.node.known.get_or_init(|| known))
    }

    /// Keeps a proven value.
    pub(crate) fn learn(&self, known: Known) {
        if known.0.value().is_some() && self.node.known.set(known).is_ok() {
            self.game.remember(&self.node.text, known);
        }
    }

    /// The last move, with the position before it.
    pub(crate) fn last(&self) -> Option<(String, String)> {
        self.node.before.as_ref().map(|(before, mv)| (before.text.clone(), mv.clone()))
    }

    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |rules| rules.identity(&self.node.text))
    }

    /// The value as far as the limits allow.
    fn found(&self, py: Python<'_>, limits: Limits) -> PyResult<Known> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let ask = |judge: &mut dyn AnyJudge, ctx: &Ctx| Ok((judge.value(&self.node.text, ctx)?, ()));
        self.judged(py, limits, ask).map(|(known, ())| known)
    }

    /// The best move that the solver names; None where it names none.
    fn solved_best(&self, py: Python<'_>, limits: Limits) -> PyResult<Option<String>> {
        let ask = |judge: &mut dyn AnyJudge, ctx: &Ctx| {
            let (bounds, plies, best) = judge.best(&self.node.text, ctx)?;
            Ok(((bounds, plies), best))
        };
        self.judged(py, limits, ask).map(|(_, best)| best)
    }

    /// The value as far as the limits allow, and what else the solver says.
    fn judged<T: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        ask: impl Fn(&mut dyn AnyJudge, &Ctx) -> Result<(Known, T), Failure> + Send + Sync,
    ) -> PyResult<(Known, T)> {
        self.game.sound(py)?;
        let ask = |ctx: &Ctx, keep: bool| {
            let (mut found, mut stop) = (None, None);
            self.game.with_judge(keep, |judge| {
                let answer = ask(judge, ctx)?;
                let proven = answer.0.0.value().is_some();
                // A solver that is not stopped and has no answer lacks the memory for its tables.
                stop = (!proven).then(|| ctx.check().err().unwrap_or(Stop::Memory));
                found = Some(answer);
                Ok(proven)
            })?;
            Ok::<_, Failure>((found, stop))
        };
        if self.game.is_warm() && self.game.failed().is_none() {
            // A look-up needs no thread.
            let quick = py.detach(|| ask(&Ctx::default().with_budget(QUICK_NODES), true));
            if let Ok((Some(found), None)) = quick {
                self.learn(found.0);
                return Ok(found);
            }
        }
        match self.game.work(py, limits, |_, ctx| ask(ctx, false))? {
            (Some(found), None) => {
                self.learn(found.0);
                Ok(found)
            }
            (found, stop) => Err(stopped(
                py,
                stop.unwrap_or(Stop::Memory),
                Some(found.map_or(Bounds::UNKNOWN, |(known, _)| known.0)),
            )),
        }
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { shared: self.game.clone() }
    }

    /// Every legal move; none when the play is over.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.game.ask(py, |rules| rules.moves(&self.node.text))
    }

    /// The position after a move, or after several moves as people write them.
    ///
    /// >>> agon.game("connect-four").start().play("4455").moves()
    /// ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    /// >>> agon.game("tic-tac-toe").start().play("b2 b2")
    /// Traceback (most recent call last):
    ///     ...
    /// agon.errors.UsageError: move 2: invalid move `b2`: expected one of a3 b3 c3 a2 c2 a1 b1 c1
    #[pyo3(signature = (moves))]
    fn play(&self, py: Python<'_>, moves: &str) -> PyResult<Position> {
        let played = self.game.ask(py, |rules| {
            let moves = record::list(rules, moves)?;
            match &moves[..] {
                [mv] => Ok(vec![rules.play(&self.node.text, mv)?]),
                _ => Ok(record::Line::new(rules, self.node.text.clone(), &moves)?.played),
            }
        })?;
        Ok(played.into_iter().fold(self.clone(), |position, (mv, text)| position.then(mv, text)))
    }

    /// The moves that led here from the start, or from where play began.
    fn history(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let mut node = &self.node;
        while let Some((before, mv)) = &node.before {
            moves.push(mv.clone());
            node = before;
        }
        moves.reverse();
        moves
    }

    /// The position from which play began.
    fn origin(&self) -> Position {
        let mut node = &self.node;
        while let Some((before, _)) = &node.before {
            node = before;
        }
        Position { game: self.game.clone(), node: node.clone() }
    }

    /// Whose turn it is: `first` or `second`; in a finished position, the side that the value is given for.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.game.ask(py, |rules| rules.turn(&self.node.text))?.name())
    }

    /// True when the play is over.
    #[getter]
    fn over(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(matches!(self.game.ask(py, |rules| rules.status(&self.node.text))?, Status::Over(_)))
    }

    /// `first` or `second` when that side has won; None while the play goes on, and after a draw.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.game.ask(py, |rules| rules.winner(&self.node.text))
    }

    /// Whose turn it is or how the play ended, in words.
    ///
    /// >>> agon.game("tic-tac-toe").position("XXX/OO./...").status
    /// 'x wins'
    #[getter]
    fn status(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |rules| rules.status_text(&self.node.text))
    }

    /// The proven value for the side to move.
    ///
    /// >>> agon.game("nim:3+5").start().value()
    /// Value('win')
    ///
    /// What is found is kept. `time` in seconds and `nodes` limit the work; a value that stays open then raises
    /// `agon.errors.Stopped`, whose data have the bounds that are proven.
    #[pyo3(signature = (*, time=None, nodes=None, threads=None))]
    fn value(&self, py: Python<'_>, time: Option<f64>, nodes: Option<u64>, threads: Option<usize>) -> PyResult<Value> {
        let (bounds, plies) = self.found(py, Limits { seconds: time, nodes, threads })?;
        Value::proven(py, bounds, plies)
    }

    /// The value of every move, for the side that makes it.
    ///
    /// >>> agon.game("tic-tac-toe").position("XX./OO./...").values()["c3"]
    /// Value('win', plies=1)
    #[pyo3(signature = (*, time=None, nodes=None, threads=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        time: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (mv, value) in self.each_move(py, Limits { seconds: time, nodes, threads })? {
            dict.set_item(mv, value)?;
        }
        Ok(dict)
    }

    /// A best move: one that keeps the value, the quickest win or the longest defence; None when the play is over.
    ///
    /// It costs what `value` costs: the solver names the move, and the others are not valued.
    ///
    /// >>> agon.game("tic-tac-toe").position("XX./OO./...").best()
    /// 'c3'
    #[pyo3(signature = (*, time=None, nodes=None, threads=None))]
    fn best(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Option<String>> {
        let limits = Limits { seconds: time, nodes, threads };
        if let Some(best) = self.solved_best(py, limits)? {
            return Ok(Some(best));
        }
        let values = self.each_move(py, limits)?;
        let mut best: Option<&(String, Value)> = None;
        for choice in &values {
            if best.is_none_or(|best| choice.1.is_better(best.1)) {
                best = Some(choice);
            }
        }
        Ok(best.map(|(mv, _)| mv.clone()))
    }

    /// Why the position has its value: what refutes each move, and an answer to every defence. Print it, or read its
    /// parts, which are those of `agon explain --json`.
    ///
    /// >>> why = agon.game("tic-tac-toe").position("XX./OO./...").why()
    /// >>> why["sentence"]
    /// 'x wins in 1 ply with c3.'
    #[pyo3(signature = (*, strategy=None, side=None, positions=300, depth=40, time=10.0, nodes=None, threads=None))]
    #[allow(clippy::too_many_arguments)] // One for each flag of the command.
    fn why<'py>(
        &self,
        py: Python<'py>,
        strategy: Option<&Bound<'py, PyAny>>,
        side: Option<&str>,
        positions: usize,
        depth: u32,
        time: f64,
        nodes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Limits { seconds: Some(time), nodes, threads };
        answers::explained(py, self, strategy.map(|strategy| (strategy, side)), (positions, depth), limits)
    }

    /// The picture as SVG: a text that draws itself in a notebook. `values=True` marks each move with its value, and a
    /// dictionary marks moves with values or texts of your own.
    ///
    /// >>> agon.game("tic-tac-toe").start().svg().startswith("<svg")
    /// True
    #[pyo3(signature = (*, values=None))]
    fn svg<'py>(&self, py: Python<'py>, values: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let svg = self.scene(py, values, true)?.svg();
        py.import("agon.report")?.getattr("Picture")?.call1((svg,))
    }

    /// The picture as text.
    #[pyo3(name = "text", signature = (*, values=None))]
    fn drawn(&self, py: Python<'_>, values: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.scene(py, values, false)?.text())
    }

    /// The representative of the position up to symmetry.
    ///
    /// >>> agon.game("tic-tac-toe").start().play("c1").canonical() == agon.game("tic-tac-toe").start().play("a3").canonical()
    /// True
    fn canonical(&self, py: Python<'_>) -> PyResult<Position> {
        let text = self.game.ask(py, |rules| rules.canonical(&self.node.text))?;
        Ok(Position::root(self.game.clone(), text))
    }

    /// The number of move sequences of each length up to `depth`.
    ///
    /// >>> agon.game("connect-four").start().perft(3)
    /// [7, 49, 343]
    #[pyo3(signature = (depth, *, threads=None))]
    fn perft(&self, py: Python<'_>, depth: u32, threads: Option<usize>) -> PyResult<Vec<u64>> {
        let limits = Limits { threads, ..Limits::default() };
        self.game.work(py, limits, |rules, ctx| rules.perft(&self.node.text, depth, None, ctx))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.scene(py, None, true)?.svg())
    }

    fn __repr__(&self) -> &str {
        &self.node.text
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(hash_of(&[self.game.rules.spelling(), &self.identity(py)?]))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let (Ok(other), CompareOp::Eq | CompareOp::Ne) = (other.cast::<Position>(), op) else {
            return Ok(py.NotImplemented());
        };
        let other = other.get();
        let equal = self.game.is(&other.game)
            && (self.node.text == other.node.text || self.identity(py)? == other.identity(py)?);
        Ok(PyBool::new(py, equal == matches!(op, CompareOp::Eq)).to_owned().into_any().unbind())
    }

    /// Pickles the notation and the moves; a game in Python has no spelling that another process could read.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        if self.game.failed().is_some() {
            return Err(usage(
                py,
                "a position of a game in Python cannot be pickled; pickle your own position instead",
            ));
        }
        let restore = py.import("agon")?.getattr("_restored")?;
        Ok((restore, (self.game.rules.spelling().to_string(), self.origin().node.text.clone(), self.history())))
    }
}

impl Position {
    /// The value of each move.
    fn each_move(&self, py: Python<'_>, limits: Limits) -> PyResult<Vec<(String, Value)>> {
        let children = self.game.ask(py, |rules| {
            let turn = rules.turn(&self.node.text)?;
            let mut children = Vec::new();
            for mv in rules.moves(&self.node.text)? {
                let (mv, text) = rules.play(&self.node.text, &mv)?;
                let again = rules.turn(&text)? == turn;
                children.push((mv, text, again));
            }
            Ok(children)
        })?;
        let mut values = Vec::with_capacity(children.len());
        for (mv, text, again) in children {
            let (bounds, plies) = self.then(mv.clone(), text).found(py, limits)?;
            let value = Value::proven(py, bounds.to_parent_with(again), plies.map(|plies| plies + 1))?;
            values.push((mv, value));
        }
        Ok(values)
    }

    /// The picture, with marks on the moves, or on the last move.
    fn scene(&self, py: Python<'_>, values: Option<&Bound<'_, PyAny>>, last: bool) -> PyResult<agon::core::Scene> {
        let mut marks: Vec<(String, String)> = Vec::new();
        match values {
            None => {}
            Some(flag) if flag.is_instance_of::<PyBool>() => {
                let each = if flag.extract()? { self.each_move(py, Limits::default())? } else { Vec::new() };
                marks.extend(each.into_iter().map(|(mv, value)| (mv, value.sign())));
            }
            Some(given) => {
                let given = given.cast::<PyDict>().map_err(|_| {
                    usage(py, "invalid values: expected True, or a dictionary of moves with their values or texts")
                })?;
                for (mv, mark) in given {
                    let note = match mark.cast::<Value>() {
                        Ok(value) => value.get().sign(),
                        Err(_) => mark.str()?.to_string(),
                    };
                    marks.push((mv.extract()?, note));
                }
            }
        }
        let last = self.last().filter(|_| last && marks.is_empty());
        let picture = self.game.ask(py, |rules| {
            let mut scene = rules.scene(&self.node.text)?;
            if let Some((before, mv)) = &last
                && let Some(&place) = rules.path(before, mv)?.last()
            {
                scene.mark(place, Why::Last, "");
            }
            for (mv, note) in &marks {
                if let Some(&place) = rules.path(&self.node.text, mv)?.last() {
                    scene.mark(place, Why::Hint, note);
                }
            }
            Ok(scene)
        })?;
        Ok(picture)
    }
}

/// The bounds of a value seen by the side that has just moved; used for tables.
pub(crate) fn of_table(value: agon::core::Value) -> Known {
    let wdl: Wdl = value.wdl();
    (Bounds::exactly(wdl), value.plies())
}
