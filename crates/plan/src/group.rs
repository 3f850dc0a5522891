//! Small units of work joined to tasks that are worth starting.

/// A unit of work that cannot be divided.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// How long it takes, in seconds.
    pub seconds: f64,
    /// The numbers of the units that it needs, all of them smaller than its own.
    pub needs: Vec<usize>,
}

/// Joins units to tasks of at most about `task_seconds`; a longer unit is a task of its own, and with 0 every unit is.
///
/// A task joins units that could begin within `task_seconds` of one another if there were enough workers, so nothing
/// waits much longer than that because of a task's other units. Tasks do not wait for one another in a circle: a unit
/// that comes between two units of a task would be shorter than `task_seconds`, and then it would begin in time for the
/// same task or an earlier one.
#[must_use]
pub fn group(units: &[Unit], task_seconds: f64) -> Vec<Vec<usize>> {
    if task_seconds <= 0.0 {
        return (0..units.len()).map(|at| vec![at]).collect();
    }
    // When each unit would begin, and in which order.
    let mut begin = vec![0.0f64; units.len()];
    for (at, unit) in units.iter().enumerate() {
        begin[at] = unit.needs.iter().map(|&before| begin[before] + units[before].seconds).fold(0.0, f64::max);
    }
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|&a, &b| begin[a].total_cmp(&begin[b]).then(a.cmp(&b)));
    let mut tasks: Vec<Vec<usize>> = Vec::new();
    let (mut joined, mut since, mut total): (Vec<usize>, f64, f64) = (Vec::new(), 0.0, 0.0);
    for at in order {
        let seconds = units[at].seconds;
        if seconds >= task_seconds {
            tasks.push(vec![at]);
            continue;
        }
        if !joined.is_empty() && (begin[at] >= since + task_seconds || total + seconds > task_seconds) {
            tasks.push(std::mem::take(&mut joined));
        }
        if joined.is_empty() {
            (since, total) = (begin[at], 0.0);
        }
        joined.push(at);
        total += seconds;
    }
    if !joined.is_empty() {
        tasks.push(joined);
    }
    for task in &mut tasks {
        task.sort_unstable();
    }
    tasks
}

/// The numbers of the tasks that each task needs.
#[must_use]
pub fn needs(units: &[Unit], tasks: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut of_unit = vec![0; units.len()];
    for (task, members) in tasks.iter().enumerate() {
        members.iter().for_each(|&unit| of_unit[unit] = task);
    }
    let of_task = |(task, members): (usize, &Vec<usize>)| {
        let mut needs: Vec<usize> =
            members.iter().flat_map(|&unit| &units[unit].needs).map(|&unit| of_unit[unit]).collect();
        needs.sort_unstable();
        needs.dedup();
        needs.retain(|&other| other != task);
        needs
    };
    tasks.iter().enumerate().map(of_task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plan, Task};

    fn unit(seconds: f64, needs: &[usize]) -> Unit {
        Unit { seconds, needs: needs.to_vec() }
    }

    /// The tasks as a plan, which refuses circles.
    fn plan(units: &[Unit], tasks: &[Vec<usize>]) -> Plan {
        let tasks = needs(units, tasks).into_iter().enumerate().map(|(at, needs)| Task {
            after: needs.iter().map(ToString::to_string).collect(),
            ..Task::new(&at.to_string(), "agon games", &[])
        });
        Plan::new("a test", None, tasks.collect()).unwrap()
    }

    #[test]
    fn small_units_are_joined_and_large_ones_stand_alone() {
        let units = [unit(1.0, &[]), unit(2.0, &[0]), unit(100.0, &[0]), unit(1.0, &[2]), unit(1.0, &[1])];
        let tasks = group(&units, 30.0);
        assert_eq!(tasks, [vec![2], vec![0, 1, 4], vec![3]]);
        assert_eq!(needs(&units, &tasks), [vec![1], vec![], vec![0]]);
        assert_eq!(plan(&units, &tasks).tasks[0].id, "1");
        assert_eq!(group(&units, 0.0).len(), 5);
        assert_eq!(group(&units, 1000.0), [vec![0, 1, 2, 3, 4]]);
    }

    /// Every graph of some shapes and durations: no circles, every unit once, and no long task but single units.
    #[test]
    fn tasks_never_wait_for_one_another() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let count = 1 + random(14) as usize;
            let units: Vec<Unit> = (0..count)
                .map(|at| unit(0.5 + random(40) as f64, &(0..at).filter(|_| random(3) == 0).collect::<Vec<_>>()))
                .collect();
            for task_seconds in [0.0, 1.0, 10.0, 30.0, 100.0] {
                let tasks = group(&units, task_seconds);
                let mut all: Vec<usize> = tasks.concat();
                all.sort_unstable();
                assert_eq!(all, (0..count).collect::<Vec<_>>());
                let seconds = |task: &Vec<usize>| task.iter().map(|&at| units[at].seconds).sum::<f64>();
                assert!(tasks.iter().all(|task| task.len() == 1 || seconds(task) <= task_seconds));
                assert_eq!(plan(&units, &tasks).tasks.len(), tasks.len());
            }
        }
    }
}
