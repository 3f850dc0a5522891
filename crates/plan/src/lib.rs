//! Work as a file: tasks with inputs, outputs and estimates, in an order in which they can be run, and the same for the
//! schedulers that people have.
//!
//! | module | contents |
//! |---|---|
//! | this one | tasks and plans |
//! | [`group`] | small units of work joined to tasks that are worth starting |
//! | [`formats`] | Snakemake, Slurm, make |
//! | [`simulate`] | a schedule on some workers, from the plan's own estimates |

pub mod formats;
pub mod group;
pub mod simulate;

pub use formats::Format;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of agon that a plan names.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One command, and what it needs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// A name of its own in the plan, valid as a file name.
    pub id: String,
    /// The command, for a shell; it begins with `agon `.
    pub command: String,
    /// Files that it reads.
    pub inputs: Vec<String>,
    /// Files that it writes.
    pub outputs: Vec<String>,
    /// The tasks that have to end before this one begins.
    pub after: Vec<String>,
    /// The number of processes that share the task, each perhaps on a machine of its own.
    #[serde(default = "one")]
    pub processes: u32,
    /// The number of threads that each process uses.
    pub threads: u32,
    /// The memory that all processes need together, in bytes.
    pub memory_bytes: u64,
    /// The processor time that it takes, in seconds, on all threads together.
    pub cpu_seconds: f64,
    /// The size of its outputs, in bytes.
    pub disk_bytes: u64,
}

impl Task {
    /// A task without files and estimates.
    #[must_use]
    pub fn new(id: &str, command: &str, after: &[&str]) -> Task {
        Task {
            id: id.to_string(),
            command: command.to_string(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            after: after.iter().map(ToString::to_string).collect(),
            processes: 1,
            threads: 1,
            memory_bytes: 0,
            cpu_seconds: 0.0,
            disk_bytes: 0,
        }
    }

    /// How long the task runs on the processes and threads that it uses.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.cpu_seconds / (f64::from(self.threads.max(1)) * f64::from(self.processes.max(1)))
    }
}

fn one() -> u32 {
    1
}

/// Tasks in an order in which they can be run one after the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The version of the program that made the plan.
    pub agon: String,
    /// The game, if it is about one.
    pub game: Option<String>,
    /// What the plan is for, in words.
    pub about: String,
    /// The tasks.
    pub tasks: Vec<Task>,
}

impl Plan {
    /// A plan of these tasks, which may come in any order. Fails if two have one name, if one waits for a task that is
    /// not there, or if tasks wait for one another.
    pub fn new(about: &str, game: Option<&str>, tasks: Vec<Task>) -> Result<Plan, String> {
        let number: BTreeMap<&str, usize> = tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        if number.len() != tasks.len() {
            return Err("two tasks of the plan have one name".into());
        }
        let mut waiting: Vec<usize> = Vec::with_capacity(tasks.len());
        let mut then: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
        for (at, task) in tasks.iter().enumerate() {
            let before: BTreeSet<&String> = task.after.iter().collect();
            waiting.push(before.len());
            for name in before {
                let before = number
                    .get(name.as_str())
                    .ok_or_else(|| format!("{} waits for {name}, which is no task", task.id))?;
                then[*before].push(at);
            }
        }
        // The order given is kept as far as it can be.
        let mut ready: BTreeSet<usize> = (0..tasks.len()).filter(|&at| waiting[at] == 0).collect();
        let mut order = Vec::with_capacity(tasks.len());
        while let Some(at) = ready.pop_first() {
            order.push(at);
            for &next in &then[at] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.insert(next);
                }
            }
        }
        if order.len() < tasks.len() {
            return Err("tasks of the plan wait for one another".into());
        }
        let mut tasks: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
        let tasks = order.into_iter().filter_map(|at| tasks[at].take()).collect();
        Ok(Plan { agon: VERSION.to_string(), game: game.map(String::from), about: about.to_string(), tasks })
    }

    /// The numbers of the tasks that each task waits for.
    #[must_use]
    pub fn before(&self) -> Vec<Vec<usize>> {
        let number: BTreeMap<&str, usize> =
            self.tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        let before = |task: &Task| task.after.iter().filter_map(|name| number.get(name.as_str()).copied()).collect();
        self.tasks.iter().map(before).collect()
    }

    /// The tasks in waves: a task is in the first wave after those of all tasks that it waits for.
    #[must_use]
    pub fn waves(&self) -> Vec<Vec<usize>> {
        let mut of_task = vec![0; self.tasks.len()];
        let mut waves: Vec<Vec<usize>> = Vec::new();
        for (at, before) in self.before().iter().enumerate() {
            of_task[at] = before.iter().map(|&before| of_task[before] + 1).max().unwrap_or(0);
            if waves.len() <= of_task[at] {
                waves.resize(of_task[at] + 1, Vec::new());
            }
            waves[of_task[at]].push(at);
        }
        waves
    }

    /// A number that tells this plan from others with other commands, as eight hexadecimal digits (FNV-1a).
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let bytes =
            self.tasks.iter().flat_map(|task| task.id.bytes().chain([0]).chain(task.command.bytes()).chain([0]));
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
    }
}

/// A word for a shell, in quotes if it needs them.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./:,=@%+-".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(tasks: &[(&str, &[&str])]) -> Result<Plan, String> {
        Plan::new("a test", None, tasks.iter().map(|(id, after)| Task::new(id, "agon games", after)).collect())
    }

    #[test]
    fn tasks_come_after_those_that_they_wait_for() {
        let made = plan(&[("c", &["a", "b"]), ("b", &["a"]), ("a", &[]), ("d", &[])]).unwrap();
        let names: Vec<&str> = made.tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(made.before(), [vec![], vec![0], vec![0, 1], vec![]]);
        assert_eq!(made.waves(), [vec![0, 3], vec![1], vec![2]]);
    }

    #[test]
    fn a_plan_that_cannot_be_run_is_refused() {
        assert!(plan(&[("a", &["b"]), ("b", &["a"])]).unwrap_err().contains("wait for one another"));
        assert!(plan(&[("a", &["x"])]).unwrap_err().contains("a waits for x"));
        assert!(plan(&[("a", &[]), ("a", &[])]).unwrap_err().contains("one name"));
    }

    #[test]
    fn words_survive_a_shell() {
        for word in ["plain-4+2.agt", "with space", "it's", "$HOME", "", "a\"b", "`x`", "tei:./engine --threads 1"] {
            let output = std::process::Command::new("sh").args(["-c", &format!("printf %s {}", quoted(word))]).output();
            assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap(), word);
        }
        assert_eq!(quoted("plain-4+2.agt"), "plain-4+2.agt");
    }
}
