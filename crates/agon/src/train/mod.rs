//! Players that learn by playing against themselves, and how well they come along.

mod boards;

use crate::VERSION;
use crate::cli::{Shared, Train};
use crate::commands::{emit_json, player, seconds_limit};
use crate::erased::{AnyAgent, AnyGame, AnyTrainer};
use crate::failure::Failure;
use crate::output::{counted, emit, exact, grouped, table, write_file};
use crate::places::{FileKind, check_place};
use crate::progress;
use agon_core::{Ctx, Status};
use agon_play::learned::Settings;
use agon_report::chart::{Axis, Chart};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// The player's scores after some games, as shares of the points.
#[derive(Clone, Copy, Debug, Serialize)]
struct Point {
    games: u64,
    positions: usize,
    against_perfect: Option<f64>,
    against_random: f64,
}

/// Plies after which a game of an examination is a draw.
const MOST_PLIES: usize = 300;

/// `agon train`.
pub fn command(args: &Train, shared: &Shared) -> Result<(), Failure> {
    let plot = args.plot.clone().or_else(|| Some(PathBuf::from(format!("{}.svg", args.out.as_ref()?.display()))));
    check_place(args.out.as_deref(), FileKind::Model)?;
    check_place(plot.as_deref(), FileKind::Picture)?;
    let game = shared.game(&args.game)?;
    let settings = settings(args)?;
    let seed = shared.seed.unwrap_or(1);
    let ctx = shared.context();
    let mut exam = Exam::new(game.as_ref(), args, seed)?;
    let mut trainer = game.trainer(settings, seed);
    let taught = args.boards.as_deref().map(|path| boards::teach(game.as_ref(), trainer.as_mut(), path)).transpose()?;
    if let Some(taught) = taught {
        shared.note(&format!("{} read as a training set", counted(taught, "board")));
    }
    let mut points = vec![exam.sit(game.as_ref(), trainer.as_ref(), 0, &ctx)?];
    let steps = args.points.clamp(1, args.games.max(1));
    for step in 1..=steps {
        let upto = args.games * step / steps;
        let before = args.games * (step - 1) / steps;
        ctx.progress("learning", before, Some(args.games));
        trainer.learn(upto - before, args.games, &ctx.without_progress())?;
        points.push(exam.sit(game.as_ref(), trainer.as_ref(), upto, &ctx)?);
    }
    let facts = [
        ("agon", VERSION.to_string()),
        ("rng", agon_core::Rng::NAME.to_string()),
        ("seed", seed.to_string()),
        ("games", args.games.to_string()),
        ("boards", taught.unwrap_or(0).to_string()),
        ("alpha", settings.alpha.to_string()),
        ("gamma", settings.gamma.to_string()),
        ("epsilon", settings.epsilon.to_string()),
        ("most-plies", settings.most_plies.to_string()),
    ];
    if let Some(path) = &args.out {
        write_file(path, trainer.model(&facts).as_bytes())?;
    }
    if let Some(plot) = &plot {
        write_file(plot, curve(game.spelling(), &points).as_bytes())?;
    }
    let files: Vec<PathBuf> = args.out.iter().cloned().chain(plot).collect();
    answer(game.as_ref(), settings, taught, &points, &files, args, shared)
}

fn settings(args: &Train) -> Result<Settings, Failure> {
    let share = |name: &str, value: f64| {
        let fits = (0.0..=1.0).contains(&value);
        fits.then_some(value).ok_or_else(|| Failure::Usage(format!("invalid {name} `{value}`: expected 0 to 1")))
    };
    Ok(Settings {
        alpha: share("alpha", args.alpha)?,
        gamma: share("gamma", args.gamma)?,
        epsilon: share("epsilon", args.epsilon)?,
        ..Settings::default()
    })
}

fn answer(
    game: &dyn AnyGame,
    settings: Settings,
    taught: Option<usize>,
    points: &[Point],
    files: &[PathBuf],
    args: &Train,
    shared: &Shared,
) -> Result<(), Failure> {
    let seed = shared.seed.unwrap_or(1);
    let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if shared.json {
        emit_json(&json!({
            "agon": VERSION, "game": game.spelling(), "seed": exact(&seed.into()), "rng": agon_core::Rng::NAME, "games": args.games,
            "boards": taught, "alpha": settings.alpha, "gamma": settings.gamma, "epsilon": settings.epsilon,
            "curve": points, "files": files,
        }))?;
    } else {
        let percent = |x: f64| format!("{:.1} %", 100.0 * x);
        let row = |p: &Point| {
            let perfect = p.against_perfect.map_or("–".to_string(), percent);
            vec![grouped(p.games), grouped(p.positions), perfect, percent(p.against_random)]
        };
        let rows: Vec<_> = points.iter().map(row).collect();
        emit(&table(&["games", "positions", "points against perfect", "against random"], &rows))?;
    }
    if !files.is_empty() {
        shared.note(&format!("written: {}", files.join(", ")));
    }
    if let Some(model) = args.out.as_ref() {
        let (game, model) = (game.spelling(), model.display());
        shared.note(&format!("`agon play {game} --second learned:{model}` plays against it"));
    }
    Ok(())
}

fn curve(spelling: &str, points: &[Point]) -> String {
    let most = points.last().map_or(1, |p| p.games);
    let title = format!("Learning {spelling}: share of the points");
    let across = Axis::to("games played against itself", most as f64);
    let mut chart = Chart::new(&title, (720.0, 360.0), across, Axis::share("points"));
    let of =
        |f: fn(&Point) -> Option<f64>| points.iter().filter_map(|p| Some((p.games as f64, f(p)?))).collect::<Vec<_>>();
    chart.line("against random", &of(|p| Some(p.against_random)));
    chart.line("against perfect", &of(|p| p.against_perfect));
    chart.finish()
}

/// The opponents of an examination.
struct Exam {
    perfect: Option<Box<dyn AnyAgent>>,
    random: Box<dyn AnyAgent>,
    games: u64,
    seed: u64,
    limit: Duration,
}

impl Exam {
    fn new(game: &dyn AnyGame, args: &Train, seed: u64) -> Result<Exam, Failure> {
        let (perfect, random) = (player(game, "perfect", seed).ok(), player(game, "random", seed)?);
        Ok(Exam { perfect, random, games: args.exam, seed, limit: seconds_limit(args.time)? })
    }

    /// Lets the player meet both opponents. An opponent without a proof is not perfect and is left out from then on.
    fn sit(&mut self, game: &dyn AnyGame, trainer: &dyn AnyTrainer, games: u64, ctx: &Ctx) -> Result<Point, Failure> {
        ctx.check()?;
        let against_perfect = match &mut self.perfect {
            Some(perfect) => {
                let timed = Ctx::default().with_cancel(progress::interrupt_flag()).within(self.limit);
                meet(game, trainer, perfect.as_mut(), self.games, self.seed, &timed)?
            }
            None => None,
        };
        if against_perfect.is_none() {
            self.perfect = None;
        }
        let against_random = meet(game, trainer, self.random.as_mut(), self.games, self.seed, ctx)?.unwrap_or(0.0);
        Ok(Point { games, positions: trainer.positions(), against_perfect, against_random })
    }
}

/// The share of the points against one opponent, sides changing; `None` if it played without proof.
fn meet(
    game: &dyn AnyGame,
    trainer: &dyn AnyTrainer,
    opponent: &mut dyn AnyAgent,
    games: u64,
    seed: u64,
    ctx: &Ctx,
) -> Result<Option<f64>, Failure> {
    let mut learned = trainer.agent(seed);
    let mut halves = 0;
    for number in 0..games {
        opponent.begin(seed.wrapping_add(number));
        learned.begin(seed.wrapping_sub(number));
        let own = number as usize % 2;
        let mut pos = game.start();
        for _ in 0..MOST_PLIES {
            let Status::Turn(player) = game.status(&pos)? else { break };
            let mine = player as usize == own;
            let choice = if mine { learned.choose(&pos, ctx)? } else { opponent.choose(&pos, ctx)? };
            if !choice.proven {
                return Ok(None);
            }
            pos = game.play(&pos, &choice.mv)?.1;
        }
        halves += match game.status(&pos)? {
            Status::Over(outcome) => outcome.winner().map_or(1, |winner| if winner as usize == own { 2 } else { 0 }),
            Status::Turn(_) => 1,
        };
    }
    Ok(Some(f64::from(halves) / 2.0 / games as f64))
}
