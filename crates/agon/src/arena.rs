//! `agon arena` and `agon merge`.

use crate::cli::{Arena, Matches, Merge, Shared};
use crate::commands::{read_text, seconds_limit};
use crate::erased::{AnyGame, missing_board};
use crate::failure::Failure;
use crate::output::{counted, tell};
use crate::progress::interrupted;
use crate::registry::Registry;
use agon_arena::engine::program;
use agon_arena::files::Files;
use agon_arena::plan::{Plan, Shard, read_book};
use agon_arena::report::ArenaReport;
use agon_arena::run::Tournament;
use agon_arena::statistics::Sprt;
use agon_arena::store::{self, Store};
use agon_core::Status;
use agon_core::family::shorten;
use std::path::Path;
use std::time::Instant;

/// `agon arena`.
pub fn command(args: &Arena, shared: &Shared) -> Result<(), Failure> {
    store::when_waiting(tell);
    let begun = Instant::now();
    let shard = args.shard.as_deref().map(Shard::read).transpose()?;
    let (plan, game, mut store) = match &args.resume {
        Some(path) => {
            let store = Store::open(path)?;
            if !args.allow_programs {
                refuse_programs(path, &store.plan.players)?;
            }
            let game = game_of(&shared.registry, path, &store.plan)?;
            (store.plan.clone(), game, Some(store))
        }
        None => {
            let (plan, game) = planned(args, shared)?;
            let store = args.out.as_deref().map(|path| match args.go_on {
                true => Store::resume(path, &plan),
                false => Store::create(path, &plan),
            });
            let store = store.transpose()?;
            (plan, game, store)
        }
    };
    let game = crate::tables::opened(game, args.matches.table.as_deref())?;
    if shard.is_some() && plan.sprt.is_some() {
        return Err(Failure::Usage("a sequential test cannot be shared out: leave --shard or --sprt out".into()));
    }
    let results = store.as_ref().map_or(Ok(Vec::new()), Store::results)?;
    let done: std::collections::HashSet<u64> = results.iter().map(|result| result.id).collect();
    let wanted = |id: &u64| !done.contains(id) && shard.is_none_or(|shard| shard.holds(*id));
    let todo: Vec<u64> = (0..plan.total()).filter(wanted).collect();
    plan.files.unchanged(&plan.players, !todo.is_empty())?;
    let tournament = Tournament {
        plan: &plan,
        game: game.as_ref(),
        todo,
        results,
        store: store.as_mut(),
        threads: shared.thread_count(),
        audience: None,
    };
    let results = tournament.play(&shared.context())?;
    let path = args.resume.as_deref().or(args.out.as_deref());
    answer(&plan, game.as_ref(), &results, path, begun, shared)?;
    if interrupted() {
        let how = path.map_or("nothing was kept, next time use --out".to_string(), |path| {
            let programs =
                if plan.players.iter().any(|player| program(player).is_some()) { " --allow-programs" } else { "" };
            format!("continue with `agon arena --resume {}{programs}`", path.display())
        });
        return Err(Failure::Interrupted(format!("interrupted after {}; {how}", counted(results.len(), "game"))));
    }
    Ok(())
}

/// The game that a tournament is about. A board may be missing where it is looked for: that is no damage.
fn game_of(registry: &Registry, path: &Path, plan: &Plan) -> Result<Box<dyn AnyGame>, Failure> {
    registry.canonical(&plan.game).map_err(|error| match missing_board(&plan.game) {
        true => Failure::Failed(format!("the tournament in `{}` needs a board: {error}", path.display())),
        false => Failure::damaged(path, format!("it is not a tournament of agon: {error}")),
    })
}

/// A file may come from somebody else: what it says is run only if that was asked for.
fn refuse_programs(path: &Path, players: &[String]) -> Result<(), Failure> {
    let Some(command) = players.iter().find_map(|player| program(player)) else { return Ok(()) };
    let path = path.display();
    let message = format!("`{path}` asks to run `{}`; if you trust it, add --allow-programs", shorten(command));
    Err(Failure::Usage(message))
}

fn answer(
    plan: &Plan,
    game: &dyn AnyGame,
    results: &[store::GameResult],
    path: Option<&Path>,
    begun: Instant,
    shared: &Shared,
) -> Result<(), Failure> {
    let mut report = ArenaReport::new(plan, game, results);
    report.seconds = begun.elapsed().as_secs_f64();
    report.out = path.map(|path| path.display().to_string());
    shared.answer(&report)
}

impl Matches {
    /// Refuses a number of games that is not even.
    pub fn come_in_pairs(&self) -> Result<(), Failure> {
        let given = self.games;
        if given > 0 && given.is_multiple_of(2) {
            return Ok(());
        }
        let why = "expected an even one, because games come in pairs with sides changed";
        Err(Failure::Usage(format!("invalid number of games `{given}`: {why}")))
    }
}

/// The tournament that the command line asks for.
fn planned(args: &Arena, shared: &Shared) -> Result<(Plan, Box<dyn AnyGame>), Failure> {
    let usage = |why: &str| Err(Failure::Usage(why.to_string()));
    let Some(spelling) = &args.game else { return usage("expected a game and its players, or --resume FILE") };
    let game = shared.game(spelling)?;
    if args.players.len() < 2 {
        return usage("expected at least two players, like `agon arena tic-tac-toe perfect random`");
    }
    let matches = &args.matches;
    matches.come_in_pairs()?;
    let sprt = args.sprt.as_deref().map(Sprt::read).transpose().map_err(Failure::Usage)?;
    if sprt.is_some() && args.players.len() != 2 {
        return usage("a sequential test compares two players");
    }
    let from = shared.position(game.as_ref())?;
    if let Status::Over(_) = game.status(&from)? {
        return Err(Failure::Usage(format!("the play is over at `{from}`: expected a position with moves to play")));
    }
    let book = match &matches.book {
        Some(path) => read_book(game.as_ref(), &from, &path.display().to_string(), &read_text(path)?)?,
        None => Vec::new(),
    };
    let milliseconds = |seconds: f64| {
        let limit = seconds_limit(seconds)?.as_millis() as u64;
        if limit == 0 {
            return Err(Failure::Usage(format!("invalid time `{seconds}`: expected at least 0.001 seconds")));
        }
        Ok(limit)
    };
    let plan = Plan {
        game: game.spelling().to_string(),
        players: args.players.clone(),
        gauntlet: matches.gauntlet,
        games: matches.games,
        seed: shared.seed.unwrap_or(1),
        from,
        opening_plies: matches.opening_plies,
        book,
        move_time: matches.time.map(milliseconds).transpose()?,
        start_time: milliseconds(args.start_time)?,
        most_plies: matches.most_plies,
        sprt,
        files: Files::of(&args.players)?,
    };
    Ok((plan, game))
}

/// `agon merge`.
pub fn merge(args: &Merge, shared: &Shared) -> Result<(), Failure> {
    store::when_waiting(tell);
    let begun = Instant::now();
    let mut out = if args.out.exists() {
        Store::open(&args.out)?
    } else {
        // The first of the others says what is played.
        let plan = Store::open(&args.files[0])?.plan.clone();
        Store::create(&args.out, &plan)?
    };
    for path in &args.files {
        let taken = out.take(path)?;
        shared.note(&format!("{}: {}", path.display(), counted(taken, "new game")));
    }
    let game = game_of(&shared.registry, &args.out, &out.plan)?;
    answer(&out.plan, game.as_ref(), &out.results()?, Some(&args.out), begun, shared)
}
