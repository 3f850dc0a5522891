//! A makefile.

use crate::Plan;
use std::fmt::Write as _;

pub(super) fn write(plan: &Plan) -> String {
    let stamps = plan.stamps();
    let stamp = |id: &str| format!("{stamps}/{id}.done");
    let mut out = format!("# {}\n# Run it with `make -f FILE -j N`; a second run does what is left.\n\n", plan.title());
    let all: Vec<String> = plan.tasks.iter().map(|task| stamp(&task.id)).collect();
    let _ = writeln!(out, "all: {}\n", all.join(" "));
    let _ = writeln!(out, "{stamps}:\n\tmkdir -p $@\n");
    for task in &plan.tasks {
        let before: Vec<String> = task.after.iter().map(|id| stamp(id)).collect();
        let _ = writeln!(out, "{}: {} | {stamps}", stamp(&task.id), before.join(" "));
        let _ = writeln!(out, "\t{}\n\t@touch $@\n", task.command.replace('$', "$$"));
    }
    out.push_str(".PHONY: all\n");
    out
}
