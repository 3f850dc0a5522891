//! The tables of a game as tasks.

use super::{START_SECONDS, flags, planned, task_seconds};
use crate::cli::{Plan as Args, Shared};
use crate::erased::tables::{TableUnit, tables_of};
use crate::failure::Failure;
use crate::output::grouped;
use agon_check::tables::found_with;
use agon_plan::group::{Unit, group, needs};
use agon_plan::{Plan, Task, quoted};
use agon_table::directory::ENDING;
use agon_table::record;
use std::collections::BTreeMap;
use std::path::Path;

/// Processor time for an index as long as nothing is measured, in nanoseconds.
const USUAL_RATE: f64 = 200.0;
/// Processor time to derive a value again by forward moves, in nanoseconds.
const CHECK_RATE: f64 = 1_500.0;
/// Records with fewer indices say more about the start of a program than about its speed.
const LEAST_MEASURED: u64 = 1 << 20;
/// Bytes of a finished table for an index: nine men's morris needs 0.34, six men's morris 0.28.
const DISK_PER_INDEX: f64 = 0.35;
/// The most processes of one task.
const MOST_PROCESSES: u32 = 4096;
/// Bytes of a header and a record.
const DISK_PER_TABLE: u64 = 1 << 10;
/// Memory of the program besides states and values: buffers of blocks that are compressed together.
const PROGRAM_BYTES: u64 = 48 << 20;
const PROGRAM_BYTES_PER_THREAD: u64 = 8 << 20;

/// The plan, and something worth knowing about it.
pub(super) fn plan(args: &Args, shared: &Shared) -> Result<(Plan, Option<String>), Failure> {
    let expected = || Failure::Usage("expected a game and --table DIR".to_string());
    let (spelling, folder) = args.game.as_ref().zip(args.table.as_deref()).ok_or_else(expected)?;
    let game = shared.game(spelling)?;
    let tables = tables_of(game.as_ref())?;
    let units = tables.units(args.only.as_deref())?;
    let rate = match args.rate {
        Some(rate) if rate.is_finite() && rate > 0.0 => rate,
        Some(rate) => return Err(Failure::Usage(format!("invalid --rate `{rate}`: expected nanoseconds, like 200"))),
        None => measured(folder, &units, game.spelling()).unwrap_or(USUAL_RATE),
    };
    // 1. Units that are worth starting, some by several processes.
    let processes =
        units.iter().map(|unit| processes_of(unit, args.process_memory)).collect::<Result<Vec<u32>, _>>()?;
    let number: BTreeMap<&str, usize> = units
        .iter()
        .enumerate()
        .flat_map(|(at, unit)| unit.tables.iter().map(move |name| (name.as_str(), at)))
        .collect();
    let threads = f64::from(args.form.task_threads);
    let of_unit = |unit: &TableUnit| {
        let mut needs: Vec<usize> = unit.inputs.iter().filter_map(|name| number.get(name.as_str()).copied()).collect();
        needs.dedup();
        Unit { seconds: unit.numbers as f64 * rate * 1e-9 / threads, needs }
    };
    let mut small: Vec<Unit> = units.iter().map(of_unit).collect();
    small.iter_mut().zip(&processes).for_each(|(unit, &processes)| unit.seconds /= f64::from(processes));
    let groups = group(&small, task_seconds(&args.form)?);
    // 2. Each group as a task, and one that checks it.
    let path = |name: &String| folder.join(format!("{name}.{ENDING}"));
    let text = |path: &Path| path.display().to_string();
    let with_record = |name: &String| [text(&path(name)), text(&record::record_of(&path(name)))];
    let (mut tasks, mut checks) = (Vec::new(), Vec::new());
    let before = needs(&small, &groups);
    let name_of = |group: usize| units[groups[group][0]].tables[0].as_str();
    let (shown, flags) = (quoted(&text(folder)), flags(&args.form));
    for (at, members) in groups.iter().enumerate() {
        let processes = members.iter().map(|&unit| processes[unit]).max().unwrap_or(1);
        let members: Vec<&TableUnit> = members.iter().map(|&unit| &units[unit]).collect();
        let own: Vec<String> = members.iter().flat_map(|unit| unit.tables.iter().cloned()).collect();
        let mut inputs: Vec<String> =
            members.iter().flat_map(|unit| &unit.inputs).filter(|name| !own.contains(name)).cloned().collect();
        inputs.sort();
        inputs.dedup();
        let numbers: u64 = members.iter().map(|unit| unit.numbers).sum();
        // The limit is that of one process.
        let bytes = members.iter().map(|unit| unit.bytes_among(processes)).max().unwrap_or(0);
        let program = PROGRAM_BYTES + u64::from(args.form.task_threads) * PROGRAM_BYTES_PER_THREAD;
        let memory = (bytes + program) * u64::from(processes);
        let together = if processes > 1 { format!(" --processes {processes}") } else { String::new() };
        // The components of a task are found again from one table of each.
        let part: Vec<&str> = members.iter().map(|unit| unit.tables[0].as_str()).collect();
        let id = format!("solve-{}", name_of(at));
        tasks.push(Task {
            id: id.clone(),
            command: format!(
                "agon solve {} --strong --table {shown} --part {} --memory {}{together} {flags}",
                quoted(spelling),
                part.join(","),
                bytes.div_ceil(1 << 20).max(1)
            ),
            inputs: inputs.iter().flat_map(with_record).collect(),
            outputs: own.iter().flat_map(with_record).collect(),
            after: before[at].iter().map(|&group| format!("solve-{}", name_of(group))).collect(),
            processes,
            threads: args.form.task_threads,
            memory_bytes: memory,
            cpu_seconds: numbers as f64 * rate * 1e-9 + START_SECONDS * f64::from(processes),
            disk_bytes: (numbers as f64 * DISK_PER_INDEX) as u64 + DISK_PER_TABLE * own.len() as u64,
        });
        if let Some(share) = args.verify {
            checks.push(Task {
                id: format!("check-{}", name_of(at)),
                command: format!("agon check {shown} --part {} --share {share} --record {flags}", own.join(",")),
                inputs: own.iter().chain(&inputs).flat_map(with_record).collect(),
                outputs: own.iter().map(|name| text(&record::check_of(&path(name)))).collect(),
                after: vec![id],
                processes: 1,
                threads: args.form.task_threads,
                memory_bytes: members.iter().map(|unit| unit.bytes).max().unwrap_or(0) + program,
                cpu_seconds: numbers as f64 * share * CHECK_RATE * 1e-9 + START_SECONDS,
                disk_bytes: 1 << 10,
            });
        }
    }
    let numbers: u64 = units.iter().map(|unit| unit.numbers).sum();
    let only = args.only.as_ref().map_or(String::new(), |name| format!(" up to {name}"));
    let about = format!("the tables of {}{only}, {} indices, {rate:.0} ns each", game.spelling(), grouped(numbers));
    tasks.extend(checks);
    let note = args.verify.map(|share| {
        let found = 100.0 * found_with(share, numbers as f64 / 1e6);
        format!(
            "checks of {} % of all values find a worker that returns one wrong value in a million indices with a \
             probability of {} or more",
            100.0 * share,
            if found > 99.99 { "99.99 %".to_string() } else { format!("{found:.2} %") }
        )
    });
    Ok((planned(&about, Some(game.spelling()), tasks)?, note))
}

/// The smallest number of processes of which none needs more than `limit` MiB.
fn processes_of(unit: &TableUnit, limit: Option<u64>) -> Result<u32, Failure> {
    let Some(limit) = limit else { return Ok(1) };
    let enough = (1..=MOST_PROCESSES).find(|&processes| unit.bytes_among(processes) <= limit << 20);
    enough.ok_or_else(|| {
        Failure::Usage(format!(
            "invalid --process-memory `{limit}`: each process at table {} needs more than {} MiB, for the tables that it \
             leads to",
            unit.tables[0],
            grouped(unit.bytes_of_each >> 20)
        ))
    })
}

/// The rate that the records of finished tables show: the processor time of an index, over all large components.
fn measured(folder: &Path, units: &[TableUnit], spelling: &str) -> Option<f64> {
    let (mut seconds, mut numbers) = (0.0, 0);
    for unit in units.iter().filter(|unit| unit.numbers >= LEAST_MEASURED) {
        let path = folder.join(format!("{}.{ENDING}", unit.tables[0]));
        let record = record::read(&path).ok().flatten().filter(|record| record.game == spelling);
        if let Some(made) = record.and_then(|record| record.made).filter(|made| !made.resumed) {
            seconds += made.seconds * made.threads as f64;
            numbers += made.numbers;
        }
    }
    (numbers > 0).then(|| seconds * 1e9 / numbers as f64)
}
