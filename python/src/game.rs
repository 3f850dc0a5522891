//! Games, and what positions of one game share.

use crate::custom;
use crate::failure::{exception, usage};
use crate::position::Position;
use crate::work::{Limits, run};
use agon::core::{Bounds, Ctx, Player};
use agon::erased::{AnyGame, AnyJudge};
use agon::failure::Failure;
use agon::registry::Registry;
use agon::registry::record;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex, Weak};

/// A proven value as far as it is known, and its distance.
pub(crate) type Known = (Bounds, Option<u32>);

/// A game and what its positions share.
pub(crate) struct Shared {
    pub(crate) rules: Box<dyn AnyGame>,
    /// The solver that is asked about many positions, and whether it has answered before.
    judge: Mutex<(Option<Box<dyn AnyJudge>>, bool)>,
    /// Values that were found before.
    values: Mutex<HashMap<String, Known>>,
    /// The fault of a game that is written in Python.
    fault: Option<Arc<custom::Fault>>,
}

/// No more values than that are kept for one game.
const MOST_VALUES: usize = 1 << 20;

/// Every family that agon has; spellings may name board files, as on the command line.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::standard().with_board_files());
    &REGISTRY
}

/// Games by their spelling, for as long as anybody holds them: what one of them has solved, the others know.
static MADE: LazyLock<Mutex<HashMap<String, Weak<Shared>>>> = LazyLock::new(Mutex::default);

impl Shared {
    pub(crate) fn new(rules: Box<dyn AnyGame>, fault: Option<Arc<custom::Fault>>) -> Arc<Shared> {
        Arc::new(Shared { rules, judge: Mutex::default(), values: Mutex::default(), fault })
    }

    /// The game of that spelling.
    pub(crate) fn spelled(py: Python<'_>, spelling: &str) -> PyResult<Arc<Shared>> {
        let rules = registry().game(spelling).map_err(|error| exception(py, &error.into()))?;
        let Ok(mut made) = MADE.lock() else { return Ok(Shared::new(rules, None)) };
        if let Some(shared) = made.get(rules.spelling()).and_then(Weak::upgrade) {
            return Ok(shared);
        }
        made.retain(|_, game| game.strong_count() > 0);
        let shared = Shared::new(rules, None);
        made.insert(shared.rules.spelling().to_string(), Arc::downgrade(&shared));
        Ok(shared)
    }

    /// A number that no other game has while this one lives.
    pub(crate) fn address(self: &Arc<Shared>) -> usize {
        Arc::as_ptr(self) as usize
    }

    /// Returns whether the positions of both may be equal.
    pub(crate) fn is(self: &Arc<Shared>, other: &Arc<Shared>) -> bool {
        Arc::ptr_eq(self, other)
            || self.fault.is_none() && other.fault.is_none() && self.rules.spelling() == other.rules.spelling()
    }

    /// The flag that stops work on a game written in Python whose rules have failed.
    pub(crate) fn failed(&self) -> Option<Arc<AtomicBool>> {
        self.fault.as_ref().map(|fault| fault.flag())
    }

    /// Raises the exception that the rules of a game in Python have raised before: nothing that was found with them
    /// can be trusted.
    pub(crate) fn sound(&self, py: Python<'_>) -> PyResult<()> {
        self.fault.as_ref().and_then(|fault| fault.raised(py)).map_or(Ok(()), Err)
    }

    /// The result of work, unless the rules of the game have failed meanwhile.
    pub(crate) fn finish<T>(&self, py: Python<'_>, done: PyResult<T>) -> PyResult<T> {
        self.sound(py).and(done)
    }

    /// A request about the rules, which is quick.
    pub(crate) fn ask<T>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn AnyGame) -> Result<T, Failure> + Send,
    ) -> PyResult<T>
    where
        T: Send,
    {
        self.sound(py)?;
        let answer = match self.fault {
            // Rules in Python need the lock of the interpreter, which other threads may be waiting for.
            Some(_) => py.detach(|| ask(self.rules.as_ref())),
            None => ask(self.rules.as_ref()),
        };
        self.finish(py, answer.map_err(|failure| exception(py, &failure)))
    }

    /// Work on this game, on a thread of its own.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        work: impl FnOnce(&dyn AnyGame, &Ctx) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.sound(py)?;
        let ctx = limits.context(py, self.failed())?;
        let done = run(py, ctx, |ctx| work(self.rules.as_ref(), ctx));
        self.finish(py, done)
    }

    /// Asks the solver of the game; the answer says whether everything was proven. Where it fails or leaves something
    /// open, it is made anew for the next question, unless it is to be kept: a solver that has no table after all its
    /// memory or time gives up for good.
    pub(crate) fn with_judge(
        &self,
        keep: bool,
        ask: impl FnOnce(&mut dyn AnyJudge) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let Ok(mut judge) = self.judge.lock() else {
            return Err(Failure::Failed("the solver of this game has failed; make the game again".to_string()));
        };
        let solver = match &mut judge.0 {
            Some(solver) => solver,
            none => none.insert(self.rules.judge()?),
        };
        let answer = ask(solver.as_mut());
        match answer {
            Ok(true) => judge.1 = true,
            _ if keep => {}
            _ => *judge = (None, false),
        }
        answer.map(drop)
    }

    /// Returns whether the solver has its tables, if it needs any: what it knows, it then says quickly.
    pub(crate) fn is_warm(&self) -> bool {
        self.judge.try_lock().is_ok_and(|judge| judge.1)
    }

    pub(crate) fn remembered(&self, pos: &str) -> Option<Known> {
        self.values.lock().ok()?.get(pos).copied()
    }

    pub(crate) fn remember(&self, pos: &str, known: Known) {
        if let Ok(mut values) = self.values.lock() {
            if values.len() >= MOST_VALUES {
                values.clear();
            }
            values.insert(pos.to_string(), known);
        }
    }
}

/// A game or a position, and what a person means by it: a spelling, a Game, a Position, or a game in Python.
pub(crate) fn meant(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<(Arc<Shared>, Option<Position>)> {
    if let Ok(position) = given.cast::<Position>() {
        return Ok((position.get().game.clone(), Some(position.get().clone())));
    }
    if let Ok(game) = given.cast::<Game>() {
        return Ok((game.get().shared.clone(), None));
    }
    if let Ok(spelling) = given.extract::<String>() {
        return Ok((Shared::spelled(py, &spelling)?, None));
    }
    Ok((custom::shared(py, given)?, None))
}

/// The game and the position that a person means; a game means its start.
pub(crate) fn place(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<(Arc<Shared>, String)> {
    let (game, position) = meant(py, given)?;
    let text = position.map_or_else(|| game.rules.start(), |position| position.text().to_string());
    Ok((game, text))
}

/// The side of that name.
pub(crate) fn side(py: Python<'_>, game: &Shared, name: &str) -> PyResult<Player> {
    game.rules.side(name).map_err(|failure| exception(py, &failure))
}

/// A game by its spelling, like "connect-four" or "mnk:4,4,3", or an object with the rules of a game in Python.
///
/// >>> agon.game("connect 4")
/// Game('drop:7,6,4')
/// >>> agon.game("conect-four")
/// Traceback (most recent call last):
///     ...
/// agon.errors.UsageError: invalid game `conect-four`: did you mean connect-four?
#[pyfunction]
#[pyo3(signature = (game))]
pub(crate) fn game(py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Game> {
    Ok(Game { shared: meant(py, game)?.0 })
}

/// The families of games: name, title, rules, parameters and aliases.
///
/// >>> [family["name"] for family in agon.games()][:3]
/// ['mnk', 'drop', 'order-chaos']
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for entry in registry().entries() {
        let (facts, family) = (&entry.facts, PyDict::new(py));
        family.set_item("name", &facts.family)?;
        family.set_item("title", &facts.title)?;
        family.set_item("rules", &facts.rules)?;
        let params = PyList::empty(py);
        for param in &facts.params {
            let one = PyDict::new(py);
            one.set_item("name", &param.name)?;
            one.set_item("values", param.kind.range())?;
            one.set_item("default", &param.default)?;
            one.set_item("help", &param.help)?;
            params.append(one)?;
        }
        family.set_item("parameters", params)?;
        let aliases = PyDict::new(py);
        for (alias, spelling) in &facts.aliases {
            aliases.set_item(alias, spelling)?;
        }
        family.set_item("aliases", aliases)?;
        list.append(family)?;
    }
    Ok(list)
}

/// A game. `agon.game` makes one.
///
/// >>> game = agon.game("tic-tac-toe")
/// >>> game.spelling, game.start()
/// ('mnk:3,3,3', .../.../...)
#[pyclass(module = "agon", frozen, skip_from_py_object)]
pub(crate) struct Game {
    pub(crate) shared: Arc<Shared>,
}

#[pymethods]
impl Game {
    /// The canonical spelling.
    #[getter]
    fn spelling(&self) -> &str {
        self.shared.rules.spelling()
    }

    /// The name that people use.
    #[getter]
    fn title(&self) -> String {
        let spelling = self.shared.rules.spelling();
        let entry = registry().entry(spelling).filter(|_| self.shared.failed().is_none());
        entry.map_or_else(|| self.shared.rules.facts().title.clone(), |entry| entry.title(spelling).to_string())
    }

    /// The rules in a sentence or two.
    #[getter]
    fn rules(&self) -> &str {
        &self.shared.rules.facts().rules
    }

    /// The methods that solve the game, the default first.
    #[getter]
    fn methods(&self) -> Vec<&'static str> {
        self.shared.rules.offers().solvers
    }

    /// The names of players, for `agon.agent`.
    #[getter]
    fn players(&self) -> Vec<&'static str> {
        self.shared.rules.offers().agents.into_iter().filter(|name| *name != "human").collect()
    }

    /// The strategies of the game, each with its readings and where it comes from.
    #[getter]
    fn strategies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for facts in self.shared.rules.offers().strategies {
            let one = PyDict::new(py);
            one.set_item("name", facts.name)?;
            one.set_item("readings", facts.readings)?;
            one.set_item("about", facts.about)?;
            list.append(one)?;
        }
        Ok(list)
    }

    /// The start position.
    ///
    /// >>> agon.game("nim:3+5").start().moves()
    /// ['3>2', '3>1', '3>0', '5>4', '5>3', '5>2', '5>1', '5>0']
    fn start(&self, py: Python<'_>) -> PyResult<Position> {
        let text = self.shared.ask(py, |rules| Ok(rules.start()))?;
        Ok(Position::root(self.shared.clone(), text))
    }

    /// The position that a text describes.
    ///
    /// >>> game = agon.game("tic-tac-toe")
    /// >>> game.position("XX./OO./...").moves()
    /// ['c3', 'c2', 'a1', 'b1', 'c1']
    /// >>> game.position("XXX/XXX/...")
    /// Traceback (most recent call last):
    ///     ...
    /// agon.errors.UsageError: invalid position `XXX/XXX/...`: 6 X and 0 O; x moves first, so expected as many X as O, or one more
    #[pyo3(signature = (text))]
    fn position(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let text = self.shared.ask(py, |rules| rules.position(text))?;
        Ok(Position::root(self.shared.clone(), text))
    }

    /// The position at the end of a game as text: a saved game, PTN for Tak, or a list of moves.
    ///
    /// >>> agon.game("connect-four").load("1. d d 2. e e").history()
    /// ['d', 'd', 'e', 'e']
    #[pyo3(signature = (text))]
    fn load(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let line = self.shared.ask(py, |rules| record::load(rules, text))?;
        let mut position = Position::root(self.shared.clone(), line.from);
        for (mv, after) in line.played {
            position = position.then(mv, after);
        }
        Ok(position)
    }

    /// The text of a strategy of the game, where it is written as text.
    ///
    /// >>> agon.game("tic-tac-toe").strategy_text("singh-process")[:24]
    /// 'about Singh, Deep & Naga'
    #[pyo3(signature = (name))]
    fn strategy_text(&self, py: Python<'_>, name: &str) -> PyResult<&'static str> {
        let text = self.shared.rules.strategy_text(name);
        text.ok_or_else(|| usage(py, format!("no strategy `{name}` of {} is written as text", self.spelling())))
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.spelling())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.shared.is(&other.get().shared))
    }

    fn __hash__(&self) -> u64 {
        crate::value::hash_of(&[self.shared.rules.spelling()])
    }
}
