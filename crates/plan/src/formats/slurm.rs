//! A shell script that submits job arrays: the tasks of a wave that need the same number of processes and about the same
//! memory are an array, which begins when the arrays with the tasks that they wait for have ended.

use crate::{Plan, Task};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Slurm's default limit for the tasks of an array is 1,001.
const LARGEST_ARRAY: usize = 1000;

const RUN: &str = r#"
# Runs a task until it succeeds: a worker that was killed continues from its checkpoint. Wrong use (2), a refuted claim
# (3) and a damaged file (4) are not tried again. Slurm sends TERM before the time limit; then the task leaves a
# checkpoint and goes back into the queue.
run() {
  local try code child stopped=
  for ((try = 1; try <= ${AGON_TRIES:-20}; try++)); do
    code=0
    "task_$1" &
    child=$!
    trap 'stopped=yes; kill -TERM "$child" 2>/dev/null' TERM
    wait "$child" || code=$?
    if [ -n "$stopped" ]; then
      wait "$child" || true
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" || true
      exit 1
    fi
    case $code in
      0) mkdir -p "$stamps" && touch "$stamps/$(name "$1").done"; exit 0 ;;
      2 | 3 | 4) exit "$code" ;;
    esac
    sleep "$((try < 10 ? try : 10))"
  done
  exit "$code"
}

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  number=$((AGON_FIRST + SLURM_ARRAY_TASK_ID))
  [ -e "$stamps/$(name "$number").done" ] && exit 0
  run "$number"
fi

# Submits one array: its name, the arrays that it waits for, and options of sbatch.
submit() {
  local array=$1 after=$2 ids=
  shift 2
  for before in $after; do ids+=:${job[$before]}; done
  job[$array]=$(sbatch --parsable --job-name="agon-$array" --requeue --open-mode=append --signal=B:TERM@60 \
    --output="$logs/%x-%a.log" ${ids:+--dependency=afterok$ids} --kill-on-invalid-dep=yes "$@" "$script")
  echo "array $array: job ${job[$array]}"
}

declare -A job
script=$(realpath "$0")
logs=$stamps/logs
mkdir -p "$logs"
"#;

pub(super) fn write(plan: &Plan) -> String {
    let arrays = arrays(plan);
    let mut out = format!(
        "#!/bin/bash\n# {}\n# Run it with `bash FILE [OPTIONS OF SBATCH]` on a machine that can submit jobs; run it again \
         after a failure, and\n# it does what is left.\nset -euo pipefail\nstamps={}\n\n",
        plan.title(),
        plan.stamps()
    );
    // An array is numbered without gaps.
    let order: Vec<usize> = arrays.iter().flat_map(|array| array.tasks.iter().copied()).collect();
    for (number, &at) in order.iter().enumerate() {
        let task = &plan.tasks[at];
        // All processes of a task end with the first one that fails; then the task is tried again.
        let srun = match task.processes {
            0 | 1 => String::new(),
            processes => format!("srun --ntasks={processes} --cpus-per-task={} --kill-on-bad-exit=1 ", task.threads),
        };
        let _ = writeln!(out, "task_{number}() {{ exec {srun}{}; }}", task.command);
    }
    let _ = writeln!(out, "\nname() {{\n  case $1 in");
    for (number, &at) in order.iter().enumerate() {
        let _ = writeln!(out, "    {number}) echo {} ;;", crate::quoted(&plan.tasks[at].id));
    }
    let _ = writeln!(out, "  esac\n}}");
    out.push_str(RUN);
    let mut first = 0;
    for (number, array) in arrays.iter().enumerate() {
        let after: Vec<String> = array.after.iter().map(ToString::to_string).collect();
        let most = |of: &dyn Fn(&Task) -> u64| array.tasks.iter().map(|&at| of(&plan.tasks[at])).max().unwrap_or(1);
        let threads = most(&|task| u64::from(task.threads)).max(1);
        let processes = most(&|task| u64::from(task.processes));
        // Processes may lie on several machines, whose memory is asked for by processor.
        let memory = match processes {
            0 | 1 => format!("--mem={}M", most(&Task::mebibytes)),
            _ => {
                let each = most(&Task::mebibytes).div_ceil(processes * threads);
                format!("--ntasks={processes} --mem-per-cpu={each}M")
            }
        };
        let _ = writeln!(
            out,
            "submit {number} '{}' --array=0-{} --export=ALL,AGON_FIRST={first} {memory} --cpus-per-task={threads} --time={} \"$@\"",
            after.join(" "),
            array.tasks.len() - 1,
            most(&Task::minutes),
        );
        first += array.tasks.len();
    }
    out
}

struct Array {
    tasks: Vec<usize>,
    /// The numbers of the arrays that it waits for.
    after: BTreeSet<usize>,
}

fn arrays(plan: &Plan) -> Vec<Array> {
    let before = plan.before();
    let mut of_task = vec![0; plan.tasks.len()];
    let mut arrays: Vec<Array> = Vec::new();
    for wave in plan.waves() {
        let mut alike: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for at in wave {
            let task = &plan.tasks[at];
            let size = task.mebibytes().next_power_of_two().ilog2();
            alike.entry((task.processes, size)).or_default().push(at);
        }
        for tasks in alike.values().flat_map(|tasks| tasks.chunks(LARGEST_ARRAY)) {
            let after = tasks.iter().flat_map(|&at| &before[at]).map(|&first| of_task[first]).collect();
            tasks.iter().for_each(|&at| of_task[at] = arrays.len());
            arrays.push(Array { tasks: tasks.to_vec(), after });
        }
    }
    arrays
}
