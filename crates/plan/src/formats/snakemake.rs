//! A Snakefile: one rule, and a table of tasks.

use crate::Plan;
use serde_json::{Map, Value, json};

const RULES: &str = r#"
rule all:
    input:
        [f"{STAMPS}/{task}.done" for task in TASKS]


rule task:
    output:
        touch(STAMPS + "/{task}.done"),
    input:
        lambda wildcards: [f"{STAMPS}/{task}.done" for task in TASKS[wildcards.task]["after"]],
    params:
        command=lambda wildcards: TASKS[wildcards.task]["command"],
    threads: lambda wildcards: TASKS[wildcards.task]["threads"] * TASKS[wildcards.task]["processes"]
    retries: 20
    resources:
        mem_mb=lambda wildcards: TASKS[wildcards.task]["mem_mb"],
        disk_mb=lambda wildcards: TASKS[wildcards.task]["disk_mb"],
        runtime=lambda wildcards: TASKS[wildcards.task]["runtime"],
    shell:
        "{params.command}"


localrules:
    all,
"#;

pub(super) fn write(plan: &Plan) -> String {
    let mut tasks = Map::new();
    for task in &plan.tasks {
        let facts = json!({
            "command": task.command, "after": task.after, "threads": task.threads,
            "processes": task.processes, "mem_mb": task.mebibytes(),
            "disk_mb": task.disk_bytes.div_ceil(1 << 20).max(1), "runtime": task.minutes(),
        });
        tasks.insert(task.id.clone(), facts);
    }
    // Objects, lists, texts and numbers are written alike in JSON and in Python.
    let tasks = serde_json::to_string_pretty(&Value::Object(tasks)).unwrap_or_default();
    format!(
        "# {}\n# Run it with `snakemake --snakefile FILE --cores N`; docs/cluster.md has more.\n\nSTAMPS = \"{}\"\n\nTASKS = \
         {tasks}\n{RULES}",
        plan.title(),
        plan.stamps()
    )
}
