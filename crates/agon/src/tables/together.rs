//! `--processes`: one component of tables shared by several processes, which this program starts, or a scheduler.

use super::part::Work;
use crate::cli::{Shared, Solve};
use crate::erased::tables::{AnyTables, TableRequest};
use crate::failure::Failure;
use crate::progress::interrupt_flag;
use agon_core::Ctx;
use agon_solve::retro::peers::network::Network;
use agon_solve::retro::peers::{Lost, Peers};
use agon_table::replace::{Access, replace};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// In the environment of processes that this program starts: the name of their meeting, and the number of each.
const MEETING: &str = "AGON_MEETING";
const NUMBER: &str = "AGON_PROCESS";
/// What the program that started a process writes to its standard input.
const STOP: u8 = b's';
/// The most bytes of a list of addresses.
const LONGEST_LIST: u64 = 1 << 20;
/// A process that is lost ends the work of all others after at most this time.
const TO_THE_END: Duration = Duration::from_secs(20);
/// The time between two looks at processes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What this process does about `--processes`.
enum Role {
    /// It works alone.
    Alone,
    /// It starts all processes on this machine.
    Starts,
    /// It is one of them.
    One(Meeting),
}

/// How processes find one another.
struct Meeting {
    /// The number of this process.
    process: usize,
    processes: usize,
    place: Place,
}

enum Place {
    /// Line k of a file is the address of process k.
    Listed(Vec<String>),
    /// Each writes its address into the directory of the tables, under this name.
    Directory {
        name: String,
        /// The name of this machine, as the others know it.
        host: String,
        /// The addresses at which it listens.
        listens: &'static str,
    },
}

/// Solves the tables that are asked for: alone, as one of several processes, or by starting them.
pub(super) fn solve(
    args: &Solve,
    tables: &dyn AnyTables,
    request: &TableRequest<'_>,
    ctx: &Ctx,
    shared: &Shared,
) -> Result<Work, Failure> {
    match role(args)? {
        Role::Alone => {
            let (found, solved) = tables.solve(request, ctx)?;
            Ok(Work::Done { found, solved, sent: None })
        }
        Role::Starts => start(args, ctx, shared).map(|()| Work::Elsewhere),
        Role::One(meeting) => {
            let work = |peers: &mut dyn Peers| tables.solve_together(request, peers, ctx);
            let (found, solved, sent) = meet(&meeting, request.folder, request.patience, work)?;
            // The first process speaks for all.
            Ok(if meeting.process > 0 { Work::Elsewhere } else { Work::Done { found, solved, sent: Some(sent) } })
        }
    }
}

/// What this process does.
fn role(args: &Solve) -> Result<Role, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let number = |name: &str| variable(name).and_then(|value| value.parse::<usize>().ok());
    let processes = args.processes as usize;
    let one = |process: usize, place: Place| {
        if process < processes {
            return Ok(Role::One(Meeting { process, processes, place }));
        }
        Err(Failure::Usage(format!("invalid process `{process}`: expected 0 to {}", processes - 1)))
    };
    if let (Some(process), Some(hosts)) = (args.process, &args.hosts) {
        let read = agon_table::regular::read(hosts, LONGEST_LIST);
        let read = read.map_err(|error| Failure::Failed(format!("cannot read `{}`: {error}", hosts.display())))?;
        let text = String::from_utf8_lossy(&read);
        let addresses: Vec<String> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect();
        if addresses.len() != processes {
            return Err(Failure::Usage(format!(
                "`{}` has {} addresses: expected {processes}, one for each process, such as node7:4000",
                hosts.display(),
                addresses.len()
            )));
        }
        return one(process as usize, Place::Listed(addresses));
    }
    if processes == 1 {
        return Ok(Role::Alone);
    }
    if let (Some(name), Some(process)) = (variable(MEETING), number(NUMBER)) {
        return one(process, Place::Directory { name, host: "127.0.0.1".into(), listens: "127.0.0.1:0" });
    }
    match (number("SLURM_STEP_NUM_TASKS"), number("SLURM_PROCID"), variable("SLURM_JOB_ID")) {
        (Some(tasks), Some(process), Some(job)) if tasks == processes => {
            let step = variable("SLURM_STEP_ID").unwrap_or_default();
            let restart = variable("SLURM_RESTART_COUNT").unwrap_or_default();
            let host = variable("SLURMD_NODENAME").unwrap_or_else(|| "127.0.0.1".to_string());
            one(process, Place::Directory { name: format!("slurm-{job}-{step}-{restart}"), host, listens: "0.0.0.0:0" })
        }
        (Some(tasks), ..) if tasks > 1 => {
            Err(Failure::Usage(format!("srun has started {tasks} processes, and --processes is {processes}")))
        }
        _ => Ok(Role::Starts),
    }
}

/// Starts all processes on this machine, waits for them, and ends as they do.
fn start(args: &Solve, ctx: &Ctx, shared: &Shared) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Failed(format!("cannot start a process: {error}"));
    let program = std::env::current_exe().map_err(cannot)?;
    let name = format!("here-{}-{}", std::process::id(), crate::commands::fresh_seed());
    let processes = args.processes as usize;
    let mut children: Vec<Child> = Vec::new();
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.args(std::env::args_os().skip(1)).env(MEETING, &name).env(NUMBER, process.to_string());
        if shared.threads.is_none() {
            command.args(["--threads", &(shared.thread_count() / processes).max(1).to_string()]);
        }
        if process > 0 {
            command.stdout(Stdio::null());
            if !shared.quiet {
                command.arg("--quiet");
            }
        }
        // A group of its own: Ctrl-C reaches this process alone, which tells the others once.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.stdin(Stdio::piped()).spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                children.iter_mut().for_each(|child| drop(child.kill()));
                return Err(cannot(error));
            }
        }
    }
    let (mut told, mut failed, mut codes) = (false, None::<Instant>, vec![None; processes]);
    while codes.iter().any(Option::is_none) {
        for (child, code) in children.iter_mut().zip(&mut codes) {
            if code.is_none()
                && let Some(status) = child.try_wait().map_err(cannot)?
            {
                *code = Some(status.code().unwrap_or(1));
                if !status.success() {
                    failed.get_or_insert_with(Instant::now);
                }
            }
        }
        if ctx.check().is_err() && !told {
            told = true;
            for stdin in children.iter_mut().filter_map(|child| child.stdin.as_mut()) {
                let _ = stdin.write_all(&[STOP]);
            }
        }
        if failed.is_some_and(|since| since.elapsed() > TO_THE_END) {
            children.iter_mut().for_each(|child| drop(child.kill()));
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    // They have said why.
    match codes.into_iter().flatten().max() {
        None | Some(0) => Ok(()),
        Some(code) => std::process::exit(code),
    }
}

/// A process that was started by this program ends with the one that started it, and stops when that one says so.
fn listen_to_starter() {
    if std::env::var_os(MEETING).is_none() {
        return;
    }
    let flag = interrupt_flag();
    let listen = move || {
        let mut byte = [0];
        while let Ok(1) = std::io::stdin().read(&mut byte) {
            if byte[0] == STOP {
                flag.store(true, Relaxed);
            }
        }
        std::process::exit(1);
    };
    let _ = std::thread::Builder::new().name("starter".to_string()).spawn(listen);
}

/// Runs `work` with a line to all other processes.
fn meet<T>(
    meeting: &Meeting,
    folder: &Path,
    patience: Duration,
    work: impl FnOnce(&mut dyn Peers) -> Result<T, Failure>,
) -> Result<T, Failure> {
    listen_to_starter();
    let bound = |address: &str| {
        TcpListener::bind(address).map_err(|error| Failure::Failed(format!("cannot listen at `{address}`: {error}")))
    };
    let lost = |lost: Lost| Failure::Failed(lost.0);
    let mut network = match &meeting.place {
        Place::Listed(addresses) => {
            let own = &addresses[meeting.process];
            let listener = bound(own)?;
            Network::connect(&listener, addresses, meeting.process, patience).map_err(lost)?
        }
        Place::Directory { name, host, listens } => {
            let listener = bound(listens)?;
            let failed = |error: std::io::Error| Failure::Failed(format!("cannot use `{}`: {error}", folder.display()));
            let port = listener.local_addr().map_err(failed)?.port();
            std::fs::create_dir_all(folder).map_err(failed)?;
            // Files with these names are known to be no tables, and are removed with other abandoned ones.
            let file = |process: usize| folder.join(format!(".{name}.{process}.lock"));
            let own = file(meeting.process);
            let text = format!("{host}:{port}\n");
            replace(&own, text.as_bytes(), Access::Usual).map_err(failed)?;
            let addresses = (0..meeting.processes).map(|process| address_in(&file(process), patience));
            let addresses = addresses.collect::<Option<Vec<String>>>();
            let none = || Failure::Failed(format!("not all of {} processes have begun", meeting.processes));
            let network = addresses
                .ok_or_else(none)
                .and_then(|addresses| Network::connect(&listener, &addresses, meeting.process, patience).map_err(lost));
            let _ = std::fs::remove_file(own);
            network?
        }
    };
    let result = work(&mut network);
    // All have finished, or all have stopped; after any other failure the others notice that this process is lost.
    if result.as_ref().err().is_none_or(|failure| failure.stop().is_some()) {
        network.close();
    }
    result
}

/// The address in a file that another process writes.
fn address_in(path: &Path, patience: Duration) -> Option<String> {
    let begun = Instant::now();
    loop {
        if let Ok(text) = std::fs::read_to_string(path)
            && let Some(address) = text.strip_suffix('\n')
        {
            return Some(address.to_string());
        }
        if begun.elapsed() > patience {
            return None;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
