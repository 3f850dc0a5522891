//! One function per command: read the request, do the work, write the report.

use crate::cli::{CheckFile, Cli, Command, Count, Perft, Play, Shared, Show, Solve, Verify};
use crate::erased::{AnyGame, SolveRequest, StrategyRequest, VerifyRequest};
use crate::failure::Failure;
use crate::output::{Paint, emit, grouped, read_file, table, write_file};
use crate::report::Report;
use crate::{VERSION, bench, progress, registry, reproduce, terminal};
use agon_check::{Certificate, Rejected};
use agon_core::scene::Why;
use agon_core::{Ctx, Kind, Param};
use agon_solve::count::{Cut, Limits};
use clap::CommandFactory;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn dispatch(cli: &Cli) -> Result<(), Failure> {
    let shared = &cli.shared;
    match &cli.command {
        Command::Games => games(shared),
        Command::Show(args) => show(args, shared),
        Command::Play(args) => play(args, shared),
        Command::Count(args) => count(args, shared),
        Command::Perft(args) => perft(args, shared),
        Command::Solve(args) => solve(args, shared),
        Command::Verify(args) => verify(args, shared),
        Command::Check(args) => check(args, shared),
        Command::Reproduce(args) => reproduce::command(args, shared),
        Command::Bench(args) => bench::command(args, shared),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "agon", &mut script);
            emit(&String::from_utf8_lossy(&script))
        }
        Command::Man => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
            rendered.map_err(|error| Failure::Failed(format!("cannot write the manual: {error}")))?;
            emit(&String::from_utf8_lossy(&page))
        }
    }
}

impl Shared {
    /// Budget, threads, Ctrl-C and progress as the flags ask.
    #[must_use]
    pub fn context(&self) -> Ctx {
        progress::context(self.thread_count(), self.quiet)
    }

    /// Threads asked for, or all cores.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Colour as the flags ask.
    #[must_use]
    pub fn paint(&self) -> Paint {
        if self.json { Paint::PLAIN } else { Paint::new(self.color) }
    }

    /// Writes a report in the form asked for.
    pub fn answer(&self, report: &impl Report) -> Result<(), Failure> {
        if self.json { emit_json(report) } else { emit(&report.text(self.paint())) }
    }

    fn position(&self, game: &dyn AnyGame) -> Result<String, Failure> {
        self.from.as_ref().map_or_else(|| Ok(game.start()), |text| game.position(text))
    }
}

/// One JSON object on standard output.
pub fn emit_json(report: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report);
    let text = text.map_err(|error| Failure::Failed(format!("cannot write JSON: {error}")))?;
    emit(&format!("{text}\n"))
}

fn games(shared: &Shared) -> Result<(), Failure> {
    let built = |entry: &crate::erased::Entry| (entry.build)(entry.facts.family);
    if shared.json {
        let families = registry::FAMILIES.iter().map(|entry| Ok(family_json(built(entry)?.as_ref())));
        let families = families.collect::<Result<Vec<Json>, Failure>>()?;
        return emit_json(&json!({"agon": VERSION, "game": null, "families": families}));
    }
    let paint = shared.paint();
    let mut out = String::new();
    for entry in registry::FAMILIES {
        out.push_str(&family_text(built(entry)?.as_ref(), paint));
    }
    emit(&out)
}

fn family_json(game: &dyn AnyGame) -> Json {
    let facts = game.facts();
    let offers = game.offers();
    let param = |p: &Param| {
        let (lo, hi, choices) = match p.kind {
            Kind::Int(lo, hi) | Kind::Size(lo, hi) => (Some(lo), Some(hi), None),
            Kind::Word(words) => (None, None, Some(words)),
            Kind::Text(_) => (None, None, None),
        };
        json!({"name": p.name, "default": p.default, "range": p.kind.range(), "min": lo, "max": hi,
               "choices": choices, "help": p.help, "positional": p.positional})
    };
    let aliases: serde_json::Map<String, Json> =
        facts.aliases.iter().map(|(alias, game)| ((*alias).to_string(), json!(game))).collect();
    let strategies: Vec<Json> =
        offers.strategies.iter().map(|s| json!({"name": s.name, "readings": s.readings, "about": s.about})).collect();
    json!({
        "family": facts.family, "title": facts.title, "rules": facts.rules, "default": game.spelling(),
        "params": facts.params.iter().map(param).collect::<Vec<_>>(), "aliases": aliases,
        "solvers": offers.solvers, "agents": offers.agents, "strategies": strategies,
    })
}

fn family_text(game: &dyn AnyGame, paint: Paint) -> String {
    let (facts, offers) = (game.facts(), game.offers());
    let mut out = format!("{}  {} (default {})\n", paint.bold(facts.family), facts.title, game.spelling());
    let _ = writeln!(out, "  {}", facts.rules);
    for p in facts.params {
        let _ = writeln!(out, "  {:<10} {:<16} default {:<8} {}", p.name, p.kind.range(), p.default, p.help);
    }
    for (alias, game) in facts.aliases {
        let _ = writeln!(out, "  alias      {alias} = {game}");
    }
    let _ = writeln!(out, "  solvers    {}", offers.solvers.join(", "));
    let _ = writeln!(out, "  agents     {}", offers.agents.join(", "));
    for s in offers.strategies {
        let readings =
            if s.readings.len() > 1 { format!(" (readings: {})", s.readings.join(", ")) } else { String::new() };
        let _ = writeln!(out, "  strategy   {}{readings}\n             {}", s.name, s.about);
    }
    out.push('\n');
    out
}

fn show(args: &Show, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let pos = match (&args.position, &shared.from) {
        (Some(_), Some(_)) => return Err(Failure::Usage("give the position once: as POS or with --from".into())),
        (Some(text), None) => game.position(text)?,
        (None, _) => shared.position(game.as_ref())?,
    };
    let mut scene = game.scene(&pos)?;
    let status = game.status_text(&pos)?;
    let values = if args.values { game.values(&pos, &shared.context())? } else { Vec::new() };
    for value in &values {
        if let Some(&place) = value.path.last() {
            scene.mark(place, Why::Hint, value.sign());
        }
    }
    scene.caption.push(status.clone());
    if shared.json {
        let values = args.values.then_some(values);
        return emit_json(&json!({
            "agon": VERSION, "game": game.spelling(), "position": pos, "status": status,
            "moves": game.moves(&pos)?, "text": scene.text(), "svg": args.svg.then(|| scene.svg()), "values": values,
        }));
    }
    emit(&if args.svg { scene.svg() } else { scene.text() })
}

fn play(args: &Play, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let from = shared.position(game.as_ref())?;
    let mut session = match &args.load {
        Some(path) => terminal::Session::load(game, &read_text(path)?)?,
        None => terminal::Session::new(game, from, args.moves.as_deref().unwrap_or(""))?,
    };
    let names = [args.first.clone(), args.second.clone()];
    terminal::run(&mut session, &names, seconds_limit(args.time)?, shared)
}

fn count(args: &Count, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let limits = Limits { plies: args.plies.unwrap_or(u32::MAX), bytes: args.memory << 20, up_to_symmetry: true };
    let report = game.count(&pos, limits, &shared.context())?;
    shared.answer(&report)?;
    let too_much = |what: String, instead: String| {
        Err(Failure::Failed(format!("{what} more than {} MiB; allow more with --memory{instead}", args.memory)))
    };
    match report.counts().cut {
        None => Ok(()),
        Some(Cut::Stopped(stop)) => Err(Failure::Interrupted(format!("{stop}; what is shown is exact"))),
        Some(Cut::Memory { ply }) => {
            too_much(format!("the positions of ply {ply} need"), format!(", or stop before with --plies {}", ply - 1))
        }
        Some(Cut::SymmetryMemory) => too_much("games up to symmetry need".into(), String::new()),
    }
}

fn perft(args: &Perft, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let ctx = shared.context();
    let counts = game.perft(&pos, args.depth, &ctx)?;
    let divided = if args.divide { game.divide(&pos, args.depth, &ctx)? } else { Vec::new() };
    if shared.json {
        let mut answer = json!({"agon": VERSION, "game": game.spelling(), "position": pos, "counts": counts});
        if args.divide {
            answer["divide"] = divided.iter().map(|(mv, n)| json!({"move": mv, "count": n})).collect();
        }
        return emit_json(&answer);
    }
    let rows: Vec<_> = counts.iter().enumerate().map(|(i, n)| vec![(i + 1).to_string(), grouped(n)]).collect();
    let mut out = format!("{} from {pos}\n\n{}", game.spelling(), table(&["depth", "sequences"], &rows));
    if args.divide {
        let rows: Vec<_> = divided.iter().map(|(mv, n)| vec![mv.clone(), grouped(n)]).collect();
        let _ = write!(out, "\n{}", table(&["first move", "sequences"], &rows));
    }
    emit(&out)
}

fn solve(args: &Solve, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let mut ctx = shared.context().with_budget(args.nodes.unwrap_or(u64::MAX));
    if let Some(seconds) = args.time {
        let limit = std::time::Duration::try_from_secs_f64(seconds);
        let limit =
            limit.map_err(|_| Failure::Usage(format!("invalid time `{seconds}`: expected seconds, like 60")))?;
        ctx = progress::within(ctx, limit);
    }
    let request = SolveRequest {
        solver: args.solver,
        strong: args.strong,
        certificate: args.certificate.is_some(),
        memory: args.memory << 20,
    };
    let begun = Instant::now();
    let (mut report, certificate) = game.solve(&pos, request, &ctx)?;
    report.seconds = begun.elapsed().as_secs_f64();
    if let (Some(path), Some(certificate)) = (&args.certificate, certificate) {
        write_file(path, certificate.write().as_bytes())?;
        report.certificate = Some(path.display().to_string());
    }
    shared.answer(&report)?;
    match report.stopped {
        None => Ok(()),
        Some(why) if progress::interrupted() => {
            Err(Failure::Interrupted(format!("{why}; the bounds above are proven")))
        }
        Some(_) => Err(Failure::Failed("stopped at the limit given; the bounds above are proven".into())),
    }
}

fn seconds_limit(seconds: f64) -> Result<Duration, Failure> {
    let limit = Duration::try_from_secs_f64(seconds);
    limit.map_err(|_| Failure::Usage(format!("invalid time `{seconds}`: expected seconds, like 60")))
}

/// `NAME`, `NAME:READING`, or either with `@FILE`.
pub fn strategy_request(text: &str) -> Result<StrategyRequest, Failure> {
    let (name, exceptions) = match text.split_once('@') {
        Some((name, file)) => (name, Some(read_text(Path::new(file))?)),
        None => (text, None),
    };
    Ok(StrategyRequest { name: name.to_string(), exceptions })
}

/// A file that must be text.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let text = String::from_utf8(read_file(path)?);
    text.map_err(|_| Failure::Corrupt(format!("`{}` is not a text file", path.display())))
}

fn verify(args: &Verify, shared: &Shared) -> Result<(), Failure> {
    let game = registry::game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let request = VerifyRequest {
        strategy: strategy_request(&args.strategy)?,
        side: game.side(&args.side)?,
        least: args.claim.into(),
        all: args.all,
        repair: args.repair.then_some(args.most),
        certificate: args.certificate.is_some(),
    };
    let (mut report, certificate) = game.verify(&pos, &request, &shared.context())?;
    report.strategy.clone_from(&args.strategy);
    if let (Some(path), Some(certificate)) = (&args.certificate, certificate) {
        write_file(path, certificate.write().as_bytes())?;
        report.certificate = Some(path.display().to_string());
    }
    if let (Some(path), Some(repair)) = (&args.exceptions, &report.repair)
        && repair.exceptions.is_some()
    {
        write_file(path, repair.file().as_bytes())?;
    }
    shared.answer(&report)?;
    if report.holds { Ok(()) } else { Err(Failure::Refuted) }
}

fn check(args: &CheckFile, shared: &Shared) -> Result<(), Failure> {
    let bytes = read_file(&args.file)?;
    let named = |why: &dyn std::fmt::Display| format!("`{}`: {why}", args.file.display());
    let answer = |game: Option<&str>, claim: Option<String>, holds: bool, said: &str, positions: u64| {
        if shared.json {
            emit_json(&json!({"agon": VERSION, "game": game, "claim": claim, "holds": holds,
                              "statement": said, "positions": positions}))
        } else if holds {
            emit(&format!(
                "{}: {said}\n  ({} positions looked at)\n",
                shared.paint().good("proved"),
                grouped(positions)
            ))
        } else {
            emit(&format!("{}: {said}\n", shared.paint().bad("not proved")))
        }
    };
    let corrupt = |game: Option<&str>, why: &dyn std::fmt::Display| {
        if shared.json {
            answer(game, None, false, &why.to_string(), 0)?;
        }
        Err(Failure::Corrupt(named(why)))
    };
    let certificate = match Certificate::read(&bytes) {
        Ok(certificate) => certificate,
        Err(error) => return corrupt(None, &error),
    };
    let game = match registry::game(&certificate.game) {
        Ok(game) if game.spelling() == certificate.game => game,
        Ok(game) => {
            return corrupt(None, &format!("game `{}` should be spelled {}", certificate.game, game.spelling()));
        }
        Err(error) => return corrupt(None, &error),
    };
    let (name, claim) = (Some(certificate.game.as_str()), Some(certificate.claim.to_string()));
    match game.check(&certificate, &shared.context()) {
        Ok(proved) => answer(name, claim, true, &proved.statement, proved.positions),
        Err(Rejected::Stopped(stop)) => Err(stop.into()),
        Err(Rejected::Corrupt(why)) => corrupt(name, &why),
        Err(Rejected::Refuted(why)) => {
            answer(name, claim, false, &why, 0)?;
            Err(Failure::Refuted)
        }
    }
}
