//! Players and tournaments.

use crate::answers::report;
use crate::failure::{exception, usage};
use crate::game::{Shared, place};
use crate::position::Position;
use crate::work::{Limits, run};
use agon::core::Status;
use agon::erased::{AnyAgent, Choice};
use agon::failure::Failure;
use agon::registry::players;
use agon::report::Report;
use agon::report::words::Paint;
use agon::tournament::files::Files;
use agon::tournament::plan::Plan;
use agon::tournament::report::ArenaReport;
use agon::tournament::run::Tournament;
use agon::tournament::statistics::Sprt;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// A player of one game.
struct Seated {
    game: Arc<Shared>,
    player: Box<dyn AnyAgent>,
}

/// A player by its spelling, such as "perfect", "random", "mcts:playouts=500" or a strategy of the game.
///
/// It plays every game that has such a player, and like the same player of `agon play` with that seed.
///
/// >>> agent = agon.agent("perfect")
/// >>> agent.choose(agon.game("tic-tac-toe").position("XX./OO./..."))
/// 'c3'
#[pyclass(module = "agon", frozen, name = "Agent")]
pub(crate) struct Agent {
    spelling: String,
    seed: u64,
    seated: Mutex<Option<Seated>>,
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (spelling, *, seed=1))]
    fn new(py: Python<'_>, spelling: String, seed: u64) -> PyResult<Agent> {
        refuse_programs(py, &spelling)?;
        Ok(Agent { spelling, seed, seated: Mutex::default() })
    }

    /// How the player is spelled.
    #[getter]
    fn spelling(&self) -> &str {
        &self.spelling
    }

    /// A legal move of the player at a position where the play is not over.
    #[pyo3(signature = (position, *, time=None, nodes=None, threads=None))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<String> {
        Ok(self.chosen(py, position, Limits { seconds: time, nodes, threads })?.mv)
    }

    /// The same with the player's reasons, as `agon play --json` shows them: its move, whether that is proven, and what
    /// it thinks.
    #[pyo3(signature = (position, *, time=None, nodes=None, threads=None))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let choice = self.chosen(py, position, Limits { seconds: time, nodes, threads })?;
        report(py, &choice, &choice.mv, None)
    }

    fn __call__(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<String> {
        self.choose(py, position, None, None, None)
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}', seed={})", self.spelling, self.seed)
    }
}

impl Agent {
    fn chosen(&self, py: Python<'_>, position: &Bound<'_, PyAny>, limits: Limits) -> PyResult<Choice> {
        let Ok(position) = position.cast::<Position>() else {
            return Err(usage(py, "expected a Position, as game.start() is"));
        };
        let (game, pos) = (position.get().game.clone(), position.get().text());
        game.work(py, limits, |rules, ctx| {
            if let Status::Over(_) = rules.status(pos)? {
                return Err(Failure::Usage(format!("the play is over at `{pos}`: expected a position with moves")));
            }
            let Ok(mut seated) = self.seated.lock() else {
                return Err(Failure::Failed("the player has failed; make it again".to_string()));
            };
            if seated.as_ref().is_none_or(|seated| !Arc::ptr_eq(&seated.game, &game)) {
                let player = players::player(rules, &self.spelling, self.seed)?;
                *seated = Some(Seated { game: game.clone(), player });
            }
            match seated.as_mut() {
                Some(seated) => seated.player.choose(pos, ctx),
                None => Err(Failure::Failed("the player has failed; make it again".to_string())),
            }
        })
    }
}

/// The package starts no process.
fn refuse_programs(py: Python<'_>, player: &str) -> PyResult<()> {
    match ["tei:", "engine:"].into_iter().find(|kind| player.starts_with(kind)) {
        Some(kind) => Err(usage(
            py,
            format!("`{kind}` starts a program, which this package does not do; use `agon arena` on the command line"),
        )),
        None if player == "human" => Err(usage(py, "invalid player `human`: expected a computer player")),
        None => Ok(()),
    }
}

/// Plays a tournament: every pairing plays `games` games, in pairs with sides swapped, and the report is that of
/// `agon arena`. The same seed plays the same games.
///
/// >>> report = agon.arena("tic-tac-toe", ["perfect", "random"], games=10)
/// >>> [(row["player"], row["games"]) for row in report["standings"]]
/// [('perfect', 10), ('random', 10)]
#[pyfunction]
#[pyo3(signature = (position, players, *, games=100, seed=1, opening_plies=0, time=None, most_plies=1000, gauntlet=false, sprt=None, threads=None))]
#[allow(clippy::too_many_arguments)] // One for each flag of the command.
pub(crate) fn arena<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    players: Vec<String>,
    games: u64,
    seed: u64,
    opening_plies: u32,
    time: Option<f64>,
    most_plies: u32,
    gauntlet: bool,
    sprt: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, from) = place(py, position)?;
    for player in &players {
        refuse_programs(py, player)?;
    }
    if players.len() < 2 {
        return Err(usage(py, "expected at least two players, like [\"perfect\", \"random\"]"));
    }
    if games == 0 || games % 2 == 1 {
        let why = "expected an even one, for games come in pairs with sides changed";
        return Err(usage(py, format!("invalid number of games `{games}`: {why}")));
    }
    if sprt.is_some() && players.len() != 2 {
        return Err(usage(py, "a sequential test compares two players"));
    }
    let sprt = sprt.map(Sprt::read).transpose().map_err(|why| usage(py, why))?;
    let milliseconds = |seconds: f64| match std::time::Duration::try_from_secs_f64(seconds) {
        Ok(limit) if limit.as_millis() > 0 => Ok(limit.as_millis() as u64),
        _ => Err(usage(py, format!("invalid time `{seconds}`: expected at least 0.001 seconds"))),
    };
    let files = Files::of(&players).map_err(|failure| exception(py, &failure))?;
    let plan = Plan {
        game: game.rules.spelling().to_string(),
        players,
        gauntlet,
        games,
        seed,
        from,
        opening_plies,
        book: Vec::new(),
        move_time: time.map(milliseconds).transpose()?,
        start_time: 5000,
        most_plies,
        sprt,
        files,
    };
    game.sound(py)?;
    let ctx = Limits { threads, ..Limits::default() }.context(py, game.failed())?;
    let rules = game.rules.as_ref();
    let done = run(py, ctx, |ctx| {
        if let Status::Over(_) = rules.status(&plan.from)? {
            return Err(Failure::Usage(format!("the play is over at `{}`", plan.from)));
        }
        let tournament = Tournament {
            plan: &plan,
            game: rules,
            todo: (0..plan.total()).collect(),
            results: Vec::new(),
            store: None,
            threads: ctx.threads(),
            audience: None,
        };
        let results = tournament.play(ctx)?;
        ctx.check()?;
        Ok(ArenaReport::new(&plan, rules, &results))
    });
    let answer = game.finish(py, done)?;
    report(py, &answer, &answer.text(Paint::PLAIN), None)
}
