//! The methods of agon as witnesses.

use crate::statement::Statement;
use crate::witness::{Answer, Ask, Where, Witness};
use agon_check::tables::Extent;
use agon_check::{Certificate, Claim, Rejected, Section};
use agon_core::{Bounds, Ctx, Player, Status, Value, Wdl};
use agon_registry::erased::tables::{TableRequest, tables_of};
use agon_registry::erased::{AnyGame, MethodChoice, SolveRequest, StrategyRequest, VerifyRequest};
use agon_report::SolveReport;
use agon_report::failure::Failure;
use agon_solve::count::Limits;
use std::cell::RefCell;
use tempfile::TempDir;

/// The memory limit of one answer, in bytes.
const MEMORY: usize = 1 << 26;

/// The memory limit for the tables of a cyclic game, in bytes.
const TABLE_MEMORY: u64 = 1 << 30;

/// A certificate that agon wrote and accepted.
pub struct Accepted {
    /// The position of its claim.
    pub position: String,
    /// The file.
    pub file: String,
    /// The command that writes it; `GAME` and `POS` are placeholders.
    pub command: String,
}

/// Strategies as text that every game understands, by name. The last one has no move in some games.
const TEXTS: [(&str, &str); 3] = [
    ("any move", "rule any move\n"),
    ("care", "rule win\n  only wins\nrule care\n  only not lets-win\n  prefer min replies\nrule any move\n"),
    ("wins or replies", "rule win\n  only wins\nrule replies\n  when mobility > 1\n  only replies = most(replies)\n"),
];

/// All certificates of a run.
pub type Written = RefCell<Vec<Accepted>>;

/// Every method that a game offers. Certificates are written at about `certified` positions; those that agon accepts go to
/// `written`. A certificate with the value of every position, which is as long as the game, is written at fewer.
#[must_use]
pub fn witnesses<'a>(game: &'a dyn AnyGame, written: &'a Written, certified: usize, seed: u64) -> Vec<Witness<'a>> {
    let mut witnesses = Vec::new();
    let tabled = game.tables().is_some();
    let solvers = game.offers().solvers.into_iter().map(MethodChoice::from);
    for solver in std::iter::once(MethodChoice::Default).chain(solvers) {
        let name = solver.name().unwrap_or("auto").to_string();
        let few = (Where::Few(certified), certified / 100);
        let (place, few) = if solver == MethodChoice::Strong && !tabled { few } else { (Where::Everywhere, certified) };
        let flag = match &solver {
            MethodChoice::Default => String::new(),
            MethodChoice::Strong => " --strong".to_string(),
            MethodChoice::Named(name) => format!(" --method {name}"),
        };
        let witness = |name: String, command: String, place, ask| Witness { name, command, place, ask };
        witnesses.push(witness(
            name.clone(),
            format!("agon solve GAME --from POS{flag}"),
            place,
            solve(game, solver.clone()),
        ));
        let writing = format!("agon solve GAME --from POS{flag} --certificate c.agon");
        let (name, command) = (format!("certificate by {name}"), format!("{writing} && agon check c.agon"));
        witnesses.push(witness(name, command, Where::Few(few), certify(game, solver, writing, written)));
    }
    let show = "agon show GAME POS --values";
    witnesses.push(Witness {
        name: "values".into(),
        command: show.into(),
        place: Where::Everywhere,
        ask: values(game),
    });
    let play = "agon play GAME --from POS --first perfect --second perfect";
    witnesses.push(Witness {
        name: "perfect".into(),
        command: play.into(),
        place: Where::Few(2 * certified),
        ask: perfect(game, seed),
    });
    let counting = "agon count GAME --from POS";
    witnesses.push(Witness { name: "count".into(), command: counting.into(), place: Where::Root, ask: count(game) });
    for (name, text) in TEXTS {
        let write = format!("printf '{}' > t.rules", text.replace('\n', "\\n"));
        let command = format!("{write}; agon verify GAME t.rules --from POS --certificate c.agon && agon check c.agon");
        let name = format!("text: {name}");
        witnesses.push(Witness { name, command, place: Where::Few(certified / 2), ask: follow(game, text) });
    }
    if tabled {
        let probe = "agon solve GAME --strong --table DIR && agon table probe DIR POS";
        witnesses.push(Witness {
            name: "tables".into(),
            command: probe.into(),
            place: Where::Everywhere,
            ask: on_disk(game),
        });
        let (name, command) = ("best of the moves".to_string(), probe.to_string());
        witnesses.push(Witness { name, command, place: Where::Everywhere, ask: best_of_moves(game) });
    }
    witnesses
}

fn request(game: &dyn AnyGame, solver: &MethodChoice, certificate: bool) -> SolveRequest {
    let memory = if game.tables().is_some() { TABLE_MEMORY } else { MEMORY as u64 };
    SolveRequest { solver: solver.clone(), certificate, all: false, memory }
}

fn solve<'a>(game: &'a dyn AnyGame, solver: MethodChoice) -> Ask<'a> {
    Box::new(move |position, ctx| {
        let (report, _) = game.solve(position, &request(game, &solver, false), ctx)?;
        Ok(said(position, &report))
    })
}

/// The statements of a report. A solve that was stopped proves its bounds, but no distances or moves.
fn said(position: &str, report: &SolveReport) -> Vec<Answer> {
    let (Some(lo), Some(hi)) = (Wdl::from_name(report.lo), Wdl::from_name(report.hi)) else {
        let why = format!("bounds `{}` and `{}` are not values", report.lo, report.hi);
        return vec![(position.to_string(), Statement::Holds(Err(why)))];
    };
    let whole = report.stopped.is_none();
    let plies = report.plies.filter(|_| whole);
    let mut said = vec![Statement::Value(Bounds { lo, hi }, plies)];
    said.extend(report.none_within.map(Statement::NoneWithin));
    said.extend(report.nimber.map(Statement::Nimber));
    said.extend(report.winning_moves.clone().map(Statement::Winning));
    if whole && lo == hi {
        said.extend(report.best.clone().map(|mv| Statement::Keeps(mv, plies.is_some())));
        said.extend(report.best_moves.clone().map(|moves| Statement::Best(moves, plies.is_some())));
        said.extend(
            Some(report.pv.clone()).filter(|line| !line.is_empty()).map(|line| Statement::Line(line, plies.is_some())),
        );
    }
    let totals = report
        .totals
        .as_ref()
        .map(|totals| Statement::Totals(["win", "draw", "loss"].map(|name| totals[name].as_u64().unwrap_or(u64::MAX))));
    said.extend(totals);
    said.into_iter().map(|statement| (position.to_string(), statement)).collect()
}

fn certify<'a>(game: &'a dyn AnyGame, solver: MethodChoice, command: String, written: &'a Written) -> Ask<'a> {
    Box::new(move |position, ctx| {
        let (report, evidence) = game.solve(position, &request(game, &solver, true), ctx)?;
        let Some(certificate) = evidence? else { return Ok(said(position, &report)) };
        let file = certificate.write();
        let failed = |why: String| Ok(vec![(position.to_string(), Statement::Holds(Err(why)))]);
        let certificate = match Certificate::read(file.as_bytes()) {
            Ok(read) if read == certificate => read,
            Ok(_) => return failed("the certificate changes when it is written and read".into()),
            Err(corrupt) => return failed(format!("the certificate cannot be read: {corrupt}")),
        };
        match game.check(&certificate, ctx) {
            Ok(_) => {
                let (about, command) = (position.to_string(), command.clone());
                written.borrow_mut().push(Accepted { position: about, file, command });
                let mut all = said(position, &report);
                all.extend(claimed(position, &certificate));
                Ok(all)
            }
            Err(Rejected::Stopped(_)) => Ok(Vec::new()),
            Err(Rejected::Refuted(why) | Rejected::Corrupt(why)) => failed(format!("the check fails: {why}")),
        }
    })
}

/// Follows a strategy as text for both sides: what is verified and what the checker accepts must be the same, and true.
fn follow<'a>(game: &'a dyn AnyGame, text: &'static str) -> Ask<'a> {
    Box::new(move |position, ctx| {
        let mut said = Vec::new();
        for (side, least) in Player::BOTH.into_iter().flat_map(|side| [(side, Wdl::Draw), (side, Wdl::Win)]) {
            let request = VerifyRequest {
                strategy: StrategyRequest::written("t.rules", text),
                side,
                least,
                all: false,
                repair: None,
                certificate: false,
                listed: false,
            };
            let (report, _) = game.verify(position, &request, ctx)?;
            let certificate = Certificate {
                game: game.spelling().to_string(),
                rules: game.rules_line().map(String::from),
                from: game.position(position)?,
                claim: Claim::AtLeast(side, least),
                up_to_symmetry: false,
                sections: vec![Section::Text { side, least, within: None, text: text.to_string() }],
            };
            let own = game.turn(position)? == side;
            let bounds =
                if own { Bounds { lo: least, hi: Wdl::Win } } else { Bounds { lo: Wdl::Loss, hi: least.flip() } };
            let found = match (game.check(&certificate, ctx), report.holds) {
                (Ok(_), true) => Statement::Value(bounds, None),
                (Err(Rejected::Refuted(_)), false) => Statement::Holds(Ok(())),
                (Err(Rejected::Stopped(_)), _) => continue,
                (checked, holds) => {
                    let who = format!("{} at least a {least}", side.name());
                    Statement::Holds(Err(format!("{who}: verification says {holds}, the checker {checked:?}")))
                }
            };
            said.push((position.to_string(), found));
        }
        Ok(said)
    })
}

/// The statements of an accepted certificate.
fn claimed(position: &str, certificate: &Certificate) -> Vec<Answer> {
    let exactly =
        |position: &str, value: Wdl, plies| (position.to_string(), Statement::Value(Bounds::exactly(value), plies));
    match certificate.claim {
        Claim::Value(value) => {
            let within = certificate.sections.iter().find_map(|section| match section {
                Section::Strategy { within, .. } => *within,
                _ => None,
            });
            let within = within.map(|plies| (position.to_string(), Statement::Within(plies)));
            std::iter::once(exactly(position, value, None)).chain(within).collect()
        }
        Claim::Table => {
            let entries = certificate.sections.iter().filter_map(|section| match section {
                Section::Values(entries) => Some(entries),
                _ => None,
            });
            entries.flatten().map(|(position, value)| exactly(position, value.wdl(), value.plies())).collect()
        }
        Claim::AtLeast(..) => Vec::new(),
    }
}

fn values(game: &dyn AnyGame) -> Ask<'_> {
    Box::new(move |position, ctx| {
        let values = game.values(position, ctx)?.into_iter();
        Ok(values.map(|v| (position.to_string(), Statement::Move(v.mv, v.value, v.plies))).collect())
    })
}

fn perfect(game: &dyn AnyGame, seed: u64) -> Ask<'_> {
    let mut agent = None;
    Box::new(move |position, ctx| {
        if let Status::Over(_) = game.status(position)? {
            return Ok(Vec::new());
        }
        if agent.is_none() {
            agent = Some(game.agent(&StrategyRequest::named("perfect"), seed)?);
        }
        let Some(agent) = &mut agent else { return Ok(Vec::new()) };
        let choice = agent.choose(position, ctx)?;
        let kept = choice.proven.then(|| (position.to_string(), Statement::Keeps(choice.mv, false)));
        Ok(kept.into_iter().collect())
    })
}

fn count(game: &dyn AnyGame) -> Ask<'_> {
    Box::new(move |position, ctx| {
        let limits = Limits { plies: u32::MAX, bytes: MEMORY, up_to_symmetry: false };
        let report = game.count(position, limits, ctx)?;
        let counts = report.counts();
        let mut said = Vec::new();
        if counts.complete || counts.closed {
            let by = &counts.finished.0;
            said.push(Statement::Positions(counts.positions.0));
            said.push(Statement::Finished([by.first, by.second, by.draw]));
        }
        if counts.complete {
            let small = |n: &num_bigint::BigUint| u128::try_from(n).unwrap_or(u128::MAX);
            said.push(Statement::Games([&counts.games.first, &counts.games.second, &counts.games.draw].map(small)));
        }
        Ok(said.into_iter().map(|statement| (position.to_string(), statement)).collect())
    })
}

/// Solves tables into a directory, checks them, and looks up values.
fn on_disk(game: &dyn AnyGame) -> Ask<'_> {
    let mut kept: Option<(TempDir, Box<dyn AnyGame>)> = None;
    Box::new(move |position, ctx| {
        let mut said = Vec::new();
        if kept.is_none() {
            let (folder, reader) = written_tables(game, &ctx.clone().with_budget(u64::MAX))?;
            said.push((position.to_string(), Statement::Holds(Ok(()))));
            kept = Some((folder, reader));
        }
        let Some((_, reader)) = &kept else { return Ok(said) };
        let (report, _) = reader.solve(position, &request(game, &MethodChoice::Default, false), ctx)?;
        said.extend(self::said(position, &report));
        Ok(said)
    })
}

fn written_tables(game: &dyn AnyGame, ctx: &Ctx) -> Result<(TempDir, Box<dyn AnyGame>), Failure> {
    let folder = TempDir::new().map_err(|error| Failure::Failed(format!("no temporary directory: {error}")))?;
    let request = TableRequest::new(folder.path(), TABLE_MEMORY);
    let tables = tables_of(game)?;
    tables.solve(&request, ctx)?;
    tables.verify(folder.path(), ctx)?;
    tables.check(folder.path(), Extent::Full, ctx).map_err(|rejected| match rejected {
        Rejected::Stopped(stop) => stop.into(),
        Rejected::Refuted(why) | Rejected::Corrupt(why) => {
            Failure::Failed(format!("the check of the tables fails: {why}"))
        }
    })?;
    let reader = tables.open(folder.path())?;
    Ok((folder, reader))
}

/// Checks by lookups and the rules that the value of a position is that of its best move. This needs no graph, so it
/// works for boards that are too large for one.
fn best_of_moves(game: &dyn AnyGame) -> Ask<'_> {
    Box::new(move |position, ctx| {
        let looked_up = |position: &str| -> Result<(Player, Value), Failure> {
            let (report, _) = game.solve(position, &request(game, &MethodChoice::Default, false), ctx)?;
            let plies = report.plies.unwrap_or(0);
            let value = match report.value {
                "win" => Value::win_in(plies),
                "loss" => Value::loss_in(plies),
                _ => Value::DRAW,
            };
            Ok((game.turn(position)?, value))
        };
        let (mover, value) = looked_up(position)?;
        let mut best: Option<Value> = None;
        for mv in game.moves(position)? {
            let (next, after) = looked_up(&game.play(position, &mv)?.1)?;
            let worth = if next == mover { same_side_earlier(after) } else { after.to_parent() };
            best = best.max(Some(worth));
        }
        let holds = match best {
            Some(best) if best != value => Err(format!("{}, but by its best move it is {}", words(value), words(best))),
            _ => Ok(()),
        };
        Ok(vec![(position.to_string(), Statement::Holds(holds))])
    })
}

/// The value one ply earlier, with the same side to move.
fn same_side_earlier(after: Value) -> Value {
    match (after.wdl(), after.plies()) {
        (Wdl::Win, Some(plies)) => Value::win_in(plies + 1),
        (Wdl::Loss, Some(plies)) => Value::loss_in(plies + 1),
        _ => Value::DRAW,
    }
}

fn words(value: Value) -> String {
    value.plies().map_or_else(|| value.wdl().to_string(), |plies| format!("{} in {plies}", value.wdl()))
}
