//! A schedule on some workers, from a plan's own estimates: how long it takes, and what it waits for.

use crate::{Plan, Task};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a plan would run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Schedule {
    /// Workers, each of which runs one process at a time.
    pub workers: usize,
    /// From the start of the first task to the end of the last.
    pub makespan_seconds: f64,
    /// The same with as many workers as there are tasks: the longest chain of tasks that wait for one another.
    pub critical_path_seconds: f64,
    /// The time of all tasks on all of their workers.
    pub work_seconds: f64,
    /// The share of the workers' time in which they have nothing to do.
    pub idle_share: f64,
    /// The chain of tasks that takes longest.
    pub critical_path: Vec<String>,
    /// Bytes that tasks read from files of other tasks.
    pub read_bytes: u64,
    /// Bytes that tasks write.
    pub written_bytes: u64,
    /// The memory of the largest task.
    pub memory_bytes: u64,
    /// What bounds the time: `work` (more workers would help), `critical path` (only a faster worker or smaller tasks
    /// would), or `dependencies` (both, in between).
    pub bottleneck: &'static str,
}

/// A time as a number that can be sorted.
#[derive(Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Plan {
    /// Simulates the plan on some workers. Whenever a worker is free, it takes the task with the longest chain of tasks
    /// behind it. All estimates are multiplied by `scale`.
    #[must_use]
    pub fn simulate(&self, workers: usize, scale: f64) -> Schedule {
        let (workers, before) = (workers.max(1), self.before());
        // Fewer workers than processes take turns.
        let turns = |processes: u32| processes as usize as f64 / (processes as usize).min(workers) as f64;
        let time = |task: &Task| task.seconds() * scale * turns(task.processes.max(1));
        let seconds: Vec<f64> = self.tasks.iter().map(time).collect();
        let mut then: Vec<Vec<usize>> = vec![Vec::new(); self.tasks.len()];
        for (at, before) in before.iter().enumerate() {
            before.iter().for_each(|&first| then[first].push(at));
        }
        // The longest chain from each task to the end. Tasks come after those that they wait for.
        let mut chain = vec![0.0f64; self.tasks.len()];
        for at in (0..self.tasks.len()).rev() {
            chain[at] = seconds[at] + then[at].iter().map(|&next| chain[next]).fold(0.0, f64::max);
        }
        let longest = |among: &mut dyn Iterator<Item = usize>| among.max_by(|&a, &b| chain[a].total_cmp(&chain[b]));
        let mut critical_path = Vec::new();
        let mut at = longest(&mut (0..self.tasks.len()));
        while let Some(task) = at {
            critical_path.push(self.tasks[task].id.clone());
            at = longest(&mut then[task].iter().copied());
        }
        let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut ready: BinaryHeap<(Time, Reverse<usize>)> = BinaryHeap::new();
        (0..self.tasks.len()).filter(|&at| waiting[at] == 0).for_each(|at| ready.push((Time(chain[at]), Reverse(at))));
        let mut running: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
        // A task of several processes waits until it has all of its workers, and others wait behind it.
        let takes: Vec<usize> = self.tasks.iter().map(|task| (task.processes.max(1) as usize).min(workers)).collect();
        let (mut now, mut free) = (0.0, workers);
        loop {
            while let Some(&(_, Reverse(at))) = ready.peek()
                && takes[at] <= free
            {
                ready.pop();
                free -= takes[at];
                running.push(Reverse((Time(now + seconds[at]), at)));
            }
            let Some(Reverse((Time(end), at))) = running.pop() else { break };
            now = end;
            free += takes[at];
            for &next in &then[at] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.push((Time(chain[next]), Reverse(next)));
                }
            }
        }
        let work: f64 = seconds.iter().zip(&takes).map(|(seconds, &takes)| seconds * takes as f64).sum();
        let critical = chain.iter().copied().fold(0.0, f64::max);
        let idle = if now > 0.0 { 1.0 - work / (workers as f64 * now) } else { 0.0 };
        let bytes = |at: usize| self.tasks[at].disk_bytes;
        let read: u64 = before.iter().flatten().map(|&first| bytes(first)).sum();
        let written: u64 = (0..self.tasks.len()).map(bytes).sum();
        let memory = self.tasks.iter().map(|task| task.memory_bytes).max().unwrap_or(0);
        let scaled = |bytes: u64| (bytes as f64 * scale) as u64;
        let bottleneck = match (idle, now) {
            (idle, _) if idle < 0.1 => "work",
            (_, now) if now < 1.1 * critical => "critical path",
            _ => "dependencies",
        };
        Schedule {
            workers,
            makespan_seconds: now,
            critical_path_seconds: critical,
            work_seconds: work,
            idle_share: idle.max(0.0),
            critical_path,
            read_bytes: scaled(read),
            written_bytes: scaled(written),
            memory_bytes: scaled(memory),
            bottleneck,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Plan, Task};

    fn plan(tasks: &[(&str, f64, &[&str])]) -> Plan {
        let task = |&(id, cpu_seconds, after): &(&str, f64, &[&str])| Task {
            cpu_seconds,
            ..Task::new(id, "agon games", after)
        };
        Plan::new("a test", None, tasks.iter().map(task).collect()).unwrap()
    }

    #[test]
    fn a_task_of_several_processes_takes_several_workers() {
        let mut drawn = plan(&[("a", 8.0, &[]), ("b", 3.0, &[]), ("c", 1.0, &["a", "b"])]);
        drawn.tasks[0].processes = 2;
        let times: Vec<f64> = (1..=3).map(|workers| drawn.simulate(workers, 1.0).makespan_seconds).collect();
        // With two workers b waits for a; one worker does the shares of a in turns.
        assert_eq!(times, [12.0, 8.0, 5.0]);
    }

    #[test]
    fn small_schedules_are_those_drawn_by_hand() {
        // a before b and c, both before d; e by itself.
        let drawn =
            plan(&[("a", 2.0, &[]), ("b", 3.0, &["a"]), ("c", 4.0, &["a"]), ("d", 1.0, &["b", "c"]), ("e", 6.0, &[])]);
        let times: Vec<f64> = (1..=4).map(|workers| drawn.simulate(workers, 1.0).makespan_seconds).collect();
        // Two workers: a c d and b after e or between: a 0-2, e 0-6, c 2-6, b 6-9, d 9-10.
        assert_eq!(times, [16.0, 10.0, 7.0, 7.0]);
        let many = drawn.simulate(100, 1.0);
        assert_eq!((many.critical_path_seconds, many.work_seconds, many.bottleneck), (7.0, 16.0, "critical path"));
        assert_eq!(many.critical_path, ["a", "c", "d"]);
        assert_eq!(drawn.simulate(1, 1.0).bottleneck, "work");
        assert_eq!(drawn.simulate(1, 10.0).makespan_seconds, 160.0);
        assert!((drawn.simulate(2, 1.0).idle_share - 0.2).abs() < 1e-9);
    }

    #[test]
    fn a_plan_without_tasks_takes_no_time() {
        let empty = plan(&[]).simulate(3, 1.0);
        assert_eq!((empty.makespan_seconds, empty.idle_share, empty.critical_path.len()), (0.0, 0.0, 0));
    }
}
