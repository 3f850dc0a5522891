//! One function per command: read the request, do the work, write the report.

use crate::cli::{CheckFile, Cli, Command, Count, Perft, Play, Selftest, Shared, Verify};
use crate::entry::Entry;
use crate::erased::{AnyGame, Evidence, SolveRequest, VerifyRequest};
use crate::failure::Failure;
pub use crate::output::read_text;
use crate::output::{Paint, emit, exact, grouped, read_file, table, tell, write_file};
use crate::places::{FileKind, check_place};
use crate::report::{Report, UndecidedReport};
use crate::{
    VERSION, analysing, arena, bench, distilling, engine, explaining, grading, grundy, mcp, plan, progress, puzzling,
    reproduce, results, serve, show, solving, tables, terminal, train, tree, tune,
};
use agon_check::{Certificate, Rejected, sequence};
use agon_core::{Ctx, Stop};
pub use agon_registry::players::{player, strategy_request};
use agon_selftest::{Options, Size};
use agon_solve::count::{Cut, Limits};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs the command.
pub fn dispatch(cli: &Cli) -> Result<(), Failure> {
    let shared = &cli.shared;
    if let (Some(flag), false) = (shared.place_flags().first(), cli.command.begins_at_a_position()) {
        return Err(Failure::Usage(format!("`agon {}` does not take {flag}", cli.command.name())));
    }
    match &cli.command {
        Command::Games => games(shared),
        Command::Show(args) => show::command(args, shared),
        Command::Explain(args) => explaining::command(args, shared),
        Command::Analyse(args) => analysing::command(args, shared),
        Command::Grade(args) => grading::command(args, shared),
        Command::Puzzles(args) => puzzling::command(args, shared),
        Command::Tree(args) => tree::command(args, shared),
        Command::Play(args) => play(args, shared),
        Command::Count(args) => count(args, shared),
        Command::Perft(args) => perft(args, shared),
        Command::Solve(args) => solving::command(args, shared),
        Command::Verify(args) => verify(args, shared),
        Command::Distil(args) => distilling::command(args, shared),
        Command::Grundy(args) => grundy::command(args, shared),
        Command::Table(args) => tables::command(args, shared),
        Command::Check(args) => check(args, shared),
        Command::Reproduce(args) => reproduce::command(args, shared),
        Command::Arena(args) => arena::command(args, shared),
        Command::Train(args) => train::command(args, shared),
        Command::Plan(args) => plan::command(args, shared),
        Command::Merge(args) => arena::merge(args, shared),
        Command::Serve(args) => serve::command(args, shared),
        Command::Results(args) => results::command(args, shared),
        Command::Bench(args) => bench::command(args, shared),
        Command::Selftest(args) => selftest(args, shared),
        Command::Engine(args) => engine::command(args, shared),
        Command::Tei => engine::tei_command(),
        Command::Mcp => mcp::command(&shared.registry),
        Command::Tune(args) => tune::command(args, shared),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::definition(), "agon", &mut script);
            emit(&String::from_utf8_lossy(&script))
        }
        Command::Man { about } => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(described(about.as_deref())?).render(&mut page);
            rendered.map_err(|error| Failure::Failed(format!("cannot write the manual: {error}")))?;
            emit(&String::from_utf8_lossy(&page))
        }
    }
}

/// The definition of agon or of one of its commands.
fn described(about: Option<&str>) -> Result<clap::Command, Failure> {
    let mut agon = Cli::definition();
    agon.build();
    let Some(name) = about else { return Ok(agon) };
    let names: Vec<&str> = agon.get_subcommands().map(clap::Command::get_name).collect();
    let unknown = || Failure::Usage(format!("no command `{name}`: expected one of {}", names.join(", ")));
    agon.find_subcommand(name).cloned().ok_or_else(unknown)
}

impl Shared {
    /// Something worth knowing that is not the answer.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            progress::hide();
            tell(text);
        }
    }

    /// Budget, threads, Ctrl-C and progress as the flags ask.
    #[must_use]
    pub fn context(&self) -> Ctx {
        progress::context(self.thread_count(), self.quiet)
    }

    /// The same without progress, for work that comes after the main work.
    #[must_use]
    pub fn quiet_context(&self) -> Ctx {
        progress::context(self.thread_count(), true)
    }

    /// The same with the name of the work, which is shown until it says more.
    #[must_use]
    pub fn context_for(&self, task: &'static str) -> Ctx {
        let ctx = self.context();
        ctx.progress(task, 0, None);
        ctx
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
        if self.json { Paint::PLAIN } else { self.color.paint() }
    }

    /// Writes a report in the form asked for.
    pub fn answer(&self, report: &impl Report) -> Result<(), Failure> {
        if self.json { emit_json(report) } else { emit(&report.text(self.paint())) }
    }

    /// The game of that spelling.
    pub fn game(&self, given: &str) -> Result<Box<dyn AnyGame>, Failure> {
        self.registry.game(given).map_err(|error| match self.registry.knows(given) {
            true => error.into(),
            false => Failure::Usage(format!("{error} (`agon games` lists all games)")),
        })
    }
}

/// One JSON object on standard output.
pub fn emit_json(report: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report);
    let text = text.map_err(|error| Failure::Failed(format!("cannot write JSON: {error}")))?;
    emit(&format!("{text}\n"))
}

fn games(shared: &Shared) -> Result<(), Failure> {
    if shared.json {
        let families = agon_api::families(&shared.registry)?;
        return emit_json(&json!({"agon": VERSION, "game": null, "families": families}));
    }
    let built = |entry: &Entry| entry.build(&entry.facts.family);
    let paint = shared.paint();
    let mut out = String::new();
    for entry in shared.registry.entries() {
        out.push_str(&family_text(built(entry)?.as_ref(), paint));
    }
    emit(&out)
}

fn family_text(game: &dyn AnyGame, paint: Paint) -> String {
    let (facts, offers) = (game.facts(), game.offers());
    let mut out = format!("{}  {} (default {})\n", paint.bold(&facts.family), facts.title, game.spelling());
    let _ = writeln!(out, "  {}", facts.rules);
    for p in &facts.params {
        let _ = writeln!(out, "  {:<10} {:<16} default {:<8} {}", p.name, p.kind.range(), p.default, p.help);
    }
    for (alias, game) in &facts.aliases {
        let _ = writeln!(out, "  alias      {alias} = {game}");
    }
    let _ = writeln!(out, "  methods    {}", offers.solvers.join(", "));
    let _ = writeln!(out, "  agents     {}", offers.agents.join(", "));
    for s in offers.strategies {
        let readings =
            if s.readings.len() > 1 { format!(" (readings: {})", s.readings.join(", ")) } else { String::new() };
        let _ = writeln!(out, "  strategy   {}{readings}\n             {}", s.name, s.about);
    }
    out.push('\n');
    out
}

fn play(args: &Play, shared: &Shared) -> Result<(), Failure> {
    let game = tables::opened(shared.game(&args.game)?, args.table.as_deref())?;
    if shared.reads_input() && [&args.first, &args.second].contains(&&"human".to_string()) {
        let why =
            "a human plays on standard input, so the game cannot be read from there: give a file, or two programs";
        return Err(Failure::Usage(why.into()));
    }
    let line = shared.line(game.as_ref(), None)?;
    let mut session = terminal::Session::at(game, line);
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64 % 1_000_000);
    let players = terminal::Players {
        names: [args.first.clone(), args.second.clone()],
        limit: seconds_limit(args.time)?,
        seed: shared.seed.unwrap_or_else(clock),
        table: args.table.clone(),
        most_plies: args.most_plies,
    };
    terminal::run(&mut session, &players, shared)
}

fn count(args: &Count, shared: &Shared) -> Result<(), Failure> {
    let game = shared.game(&args.game)?;
    if let Some(path) = &args.export {
        return tables::export(game.as_ref(), path, args.memory, shared);
    }
    let pos = shared.position(game.as_ref())?;
    let limits = Limits {
        plies: args.plies.unwrap_or(u32::MAX),
        bytes: args.memory.saturating_mul(1 << 20),
        up_to_symmetry: true,
    };
    let report = game.count(&pos, limits, &shared.context_for("counting"))?;
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
    let game = shared.game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let ctx = shared.context_for("counting");
    let bytes = args.table.map(|mib| (mib as usize).saturating_mul(1 << 20));
    let counts = game.perft(&pos, args.depth, bytes, &ctx)?;
    let divided = if args.divide { game.divide(&pos, args.depth, bytes, &ctx)? } else { Vec::new() };
    if shared.json {
        let mut answer = json!({"agon": VERSION, "game": game.spelling(), "position": pos, "counts": counts.iter().map(|&n| exact(&n.into())).collect::<serde_json::Value>()});
        if args.divide {
            answer["divide"] =
                divided.iter().map(|(mv, n)| json!({"move": mv, "count": exact(&(*n).into())})).collect();
        }
        return emit_json(&answer);
    }
    let longest = counts.iter().rposition(|&n| n > 0).map_or(0, |i| i + 1);
    let rows = counts.iter().take(longest).enumerate();
    let rows: Vec<_> = rows.map(|(i, n)| vec![(i + 1).to_string(), grouped(n)]).collect();
    let mut out = format!("{} from {pos}\n\n{}", game.spelling(), table(&["depth", "sequences"], &rows));
    if longest < counts.len() {
        let _ = writeln!(out, "no play is longer than {longest}");
    }
    if args.divide {
        let rows: Vec<_> = divided.iter().map(|(mv, n)| vec![mv.clone(), grouped(n)]).collect();
        let _ = write!(out, "\n{}", table(&["first move", "sequences"], &rows));
    }
    emit(&out)
}

/// A request to look a value up.
#[must_use]
pub fn look_up() -> SolveRequest {
    SolveRequest::plain(1 << 30)
}

/// Writes a certificate where one was asked for, and says so or why not.
pub fn keep_certificate(
    path: Option<&Path>,
    evidence: Evidence,
    what: &str,
    none: &str,
    shared: &Shared,
) -> Result<Option<String>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let Some(certificate) = evidence? else {
        shared.note(&format!("no certificate written: {none}"));
        return Ok(None);
    };
    write_file(path, certificate.write().as_bytes())?;
    let path = path.display().to_string();
    shared.note(&format!("{what} written to {path}; `agon check {path}` verifies it"));
    Ok(Some(path))
}

/// Seconds as a person typed them.
pub fn seconds_limit(seconds: f64) -> Result<Duration, Failure> {
    let limit = Duration::try_from_secs_f64(seconds);
    limit.map_err(|_| Failure::Usage(format!("invalid time `{seconds}`: expected seconds, like 60")))
}

/// An unpredictable seed, small enough to be a number in JSON.
#[must_use]
pub fn fresh_seed() -> u64 {
    getrandom::u64().expect("the system has a source of randomness") >> 16
}

fn verify(args: &Verify, shared: &Shared) -> Result<(), Failure> {
    check_place(args.certificate.as_deref(), FileKind::Certificate)?;
    check_place(args.exceptions.as_deref(), FileKind::Exceptions)?;
    check_place(args.out.as_deref(), FileKind::Strategy)?;
    let game = shared.game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let request = VerifyRequest {
        strategy: strategy_request(&args.strategy)?,
        side: game.side(&args.side)?,
        least: args.claim.into(),
        all: args.all,
        repair: args.repair.then_some(args.most),
        certificate: args.certificate.is_some(),
        listed: args.listed,
    };
    let mut ctx = shared.context_for("verifying").with_memory(args.memory.saturating_mul(1 << 20));
    if let Some(nodes) = args.nodes {
        ctx = ctx.with_budget(nodes);
    }
    if let Some(seconds) = args.time {
        ctx = ctx.within(seconds_limit(seconds)?);
    }
    let (mut report, evidence) = match game.verify(&pos, &request, &ctx) {
        Err(Failure::Stopped(stop)) if stop != Stop::Interrupted => {
            shared.answer(&UndecidedReport {
                agon: VERSION,
                game: game.spelling().to_string(),
                position: pos,
                strategy: args.strategy.clone(),
                side: request.side.name(),
                side_name: game.player_name(request.side),
                claim: request.least.name(),
                holds: None,
                positions: ctx.nodes(),
                stopped: stop.name(),
            })?;
            let flag = stop.name();
            return Err(Failure::Failed(format!("{stop} before the claim was decided; allow more with --{flag}")));
        }
        other => other?,
    };
    report.strategy.clone_from(&args.strategy);
    let what = if report.holds { "certificate" } else { "certificate of the repaired strategy" };
    let none = "the claim is refuted";
    let kept = keep_certificate(args.certificate.as_deref(), evidence, what, none, shared);
    report.certificate = kept.as_ref().ok().cloned().flatten();
    shared.answer(&report)?;
    kept?;
    if let Some(limit) = report.stopped {
        shared.note(&format!("the {limit} limit was reached after the verdict, so parts of the report are missing"));
    }
    if report.repair.as_ref().is_some_and(|repair| repair.beyond_limit) {
        shared.note("allow more exceptions with --most");
    }
    if let Some(path) = &args.exceptions {
        match report.repair.as_ref().filter(|repair| repair.exceptions.is_some()) {
            Some(repair) => {
                write_file(path, repair.file().as_bytes())?;
                let (path, name) = (path.display(), args.strategy.split('@').next().unwrap_or_default());
                shared.note(&format!("exceptions written to {path}; use them as {name}@{path}"));
            }
            None if report.holds => shared.note("no exceptions written: the claim holds without any"),
            None => shared.note("no exceptions written: there is no repair"),
        }
    }
    if let Some(path) = &args.out {
        match report.repair.as_ref().map(|repair| repair.text.as_ref()) {
            Some(Some(text)) => {
                write_file(path, text.as_bytes())?;
                shared.note(&format!("repaired strategy written to {}", path.display()));
            }
            None if report.holds => shared.note("nothing written: the claim holds without a repair"),
            _ => shared.note("nothing written: there is no repair as text"),
        }
    }
    if report.holds { Ok(()) } else { Err(Failure::Refuted) }
}

/// Fails with the first of these options that was given: each with whether it was, and what it is for.
fn meaningless(about: &str, options: &[(bool, &str)]) -> Result<(), Failure> {
    match options.iter().find(|(given, _)| *given) {
        Some((_, why)) => Err(Failure::Usage(format!("{why}; {about}"))),
        None => Ok(()),
    }
}

fn check(args: &CheckFile, shared: &Shared) -> Result<(), Failure> {
    let only = (args.only.is_some(), "--only is for directories of tables");
    let seed = |random: bool| (shared.seed.is_some() && !random, "--seed is for random samples");
    if args.file.is_dir() {
        let random = args.sample.is_some() || args.share.is_some();
        meaningless("without --sample or --share every value of a table is checked", &[seed(random)])?;
        return tables::check(args, shared);
    }
    let bytes = read_file(&args.file)?;
    let share = (args.share.is_some(), "--share is for directories of tables");
    let part = (!args.part.is_empty(), "--part is for directories of tables");
    if bytes.starts_with(sequence::MAGIC) {
        meaningless("this is a file of Grundy values", &[only, share, part])?;
        meaningless("with --full every value is derived", &[seed(!args.full)])?;
        return grundy::check(&bytes, args, shared);
    }
    let sample = (args.sample.is_some(), "--sample is for files of Grundy values and directories of tables");
    meaningless("a certificate is always checked whole", &[sample, only, share, part, seed(false)])?;
    check_certificate(&bytes, args, shared)
}

fn check_certificate(bytes: &[u8], args: &CheckFile, shared: &Shared) -> Result<(), Failure> {
    let answer = |game: Option<&str>, claim: Option<String>, verdict: &str, said: &str, positions: u64| {
        let holds = verdict == "proved";
        if shared.json {
            emit_json(&json!({"agon": VERSION, "game": game, "claim": claim, "holds": holds, "verdict": verdict,
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
            answer(game, None, "corrupt", &why.to_string(), 0)?;
        }
        Err(Failure::damaged(&args.file, why))
    };
    let certificate = match Certificate::read(bytes) {
        Ok(certificate) => certificate,
        Err(error) => return corrupt(None, &error),
    };
    let game = match shared.registry.described(&certificate.game, certificate.rules.as_deref()) {
        Ok(game) => game,
        Err(error) => return corrupt(None, &error),
    };
    let (name, claim) = (Some(certificate.game.as_str()), Some(certificate.claim.to_string()));
    match game.check(&certificate, &shared.context_for("checking")) {
        Ok(proved) => answer(name, claim, "proved", &proved.statement, proved.positions),
        Err(Rejected::Stopped(stop)) => Err(stop.into()),
        Err(Rejected::Corrupt(why)) => corrupt(name, &why),
        Err(Rejected::Refuted(why)) => {
            answer(name, claim, "refuted", &why, 0)?;
            Err(Failure::Refuted)
        }
    }
}

fn selftest(args: &Selftest, shared: &Shared) -> Result<(), Failure> {
    let size = if args.quick { Size::Quick } else { Size::Whole };
    let options = Options {
        registry: shared.registry.clone(),
        families: args.families.clone(),
        size,
        seed: shared.seed.unwrap_or(1),
    };
    let report = agon_selftest::run(&options, &shared.context_for("comparing"))?;
    shared.answer(&report)?;
    if report.holds() { Ok(()) } else { Err(Failure::Refuted) }
}
