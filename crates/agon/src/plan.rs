//! `agon plan`: work as a file of tasks, which schedulers that exist run on one machine or many.

mod other;
mod tables;

use crate::VERSION;
use crate::cli::{Plan as Args, PlanForm, PlanFormat, PlanOf, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{counted, duration, emit, grouped, table, write_file};
use agon_plan::simulate::Schedule;
use agon_plan::{Format, Plan, Task};
use serde_json::json;

impl From<PlanFormat> for Format {
    fn from(format: PlanFormat) -> Format {
        match format {
            PlanFormat::Json => Format::Json,
            PlanFormat::Snakemake => Format::Snakemake,
            PlanFormat::Slurm => Format::Slurm,
            PlanFormat::Make => Format::Make,
        }
    }
}

/// What a start of the program takes, in seconds of processor time.
const START_SECONDS: f64 = 0.05;

/// `agon plan`.
pub fn command(args: &Args, shared: &Shared) -> Result<(), Failure> {
    match &args.other {
        None => {
            let (plan, note) = tables::plan(args, shared)?;
            if let Some(note) = note {
                shared.note(&note);
            }
            answer(&plan, &args.form, shared)
        }
        Some(PlanOf::Arena(args)) => answer(&other::arena(args, shared)?, &args.form, shared),
        Some(PlanOf::Verify(args)) => answer(&other::verify(args, shared)?, &args.form, shared),
        Some(PlanOf::Grundy(args)) => answer(&other::grundy(args)?, &args.form, shared),
        Some(PlanOf::Reproduce(args)) => answer(&other::reproduce(args)?, &args.form, shared),
    }
}

/// A plan of these tasks.
fn planned(about: &str, game: Option<&str>, tasks: Vec<Task>) -> Result<Plan, Failure> {
    Plan::new(about, game, tasks).map_err(Failure::Failed)
}

/// Seconds that a person typed.
fn task_seconds(form: &PlanForm) -> Result<f64, Failure> {
    let seconds = form.task_seconds;
    if seconds.is_finite() && seconds >= 0.0 {
        return Ok(seconds);
    }
    Err(Failure::Usage(format!("invalid --task-seconds `{seconds}`: expected seconds, like 30, or 0")))
}

/// The flags that each task of a plan gets.
fn flags(form: &PlanForm) -> String {
    format!("--threads {} --quiet", form.task_threads)
}

fn answer(plan: &Plan, form: &PlanForm, shared: &Shared) -> Result<(), Failure> {
    if !form.simulate.is_empty() {
        return simulated(plan, form, shared);
    }
    let text = plan.write(form.format.into());
    if let Some(path) = &form.out {
        write_file(path, text.as_bytes())?;
    }
    if shared.json {
        return emit_json(plan);
    }
    let Some(path) = &form.out else { return emit(&text) };
    let whole = plan.simulate(1, 1.0);
    emit(&format!(
        "{} written to {}: {}\nprocessor time about {}, longest chain {}, memory at most {} MiB, output about {} MB\n",
        counted(plan.tasks.len(), "task"),
        path.display(),
        plan.about,
        duration(plan.tasks.iter().map(|task| task.cpu_seconds).sum()),
        duration(whole.critical_path_seconds),
        grouped(whole.memory_bytes.div_ceil(1 << 20)),
        grouped(whole.written_bytes.div_ceil(1_000_000)),
    ))
}

/// `--simulate`.
fn simulated(plan: &Plan, form: &PlanForm, shared: &Shared) -> Result<(), Failure> {
    if !(form.scale.is_finite() && form.scale > 0.0) {
        return Err(Failure::Usage(format!("invalid --scale `{}`: expected a factor, like 1000", form.scale)));
    }
    let schedules: Vec<Schedule> =
        form.simulate.iter().map(|&workers| plan.simulate(workers as usize, form.scale)).collect();
    if shared.json {
        return emit_json(&json!({"agon": VERSION, "game": plan.game, "about": plan.about, "tasks": plan.tasks.len(),
                                 "scale": form.scale, "schedules": schedules}));
    }
    let row = |schedule: &Schedule| {
        vec![
            grouped(schedule.workers as u64),
            duration(schedule.makespan_seconds),
            format!("{:.1} %", 100.0 * schedule.idle_share),
            schedule.bottleneck.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = schedules.iter().map(row).collect();
    let Some(first) = schedules.first() else { return Ok(()) };
    let path = &first.critical_path;
    let chain = match path.as_slice() {
        [] => "-".to_string(),
        [only] => only.clone(),
        [from, .., to] => format!("{from} … {to}"),
    };
    emit(&format!(
        "{}: {} of {}\nwork {}, longest chain {} ({}: {chain})\nmemory of a task at most {} MiB; tasks read {} MB and \
         write {} MB\n\n{}",
        plan.about,
        counted(plan.tasks.len(), "task"),
        counted(form.task_threads, "thread"),
        duration(first.work_seconds),
        duration(first.critical_path_seconds),
        counted(path.len(), "task"),
        grouped(first.memory_bytes.div_ceil(1 << 20)),
        grouped(first.read_bytes.div_ceil(1_000_000)),
        grouped(first.written_bytes.div_ceil(1_000_000)),
        table(&["workers", "time", "idle", "bound by"], &rows)
    ))
}
