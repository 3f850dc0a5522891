//! Plans for the schedulers that people have. None of them is told about tables: a finished task leaves a stamp, an
//! empty file, and a scheduler that removes the outputs of a task that failed removes nothing but stamps.

mod make;
mod slurm;
mod snakemake;

use crate::{Plan, Task};

/// The form of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// JSON, for everything else.
    #[default]
    Json,
    /// A Snakefile.
    Snakemake,
    /// A shell script that submits job arrays.
    Slurm,
    /// A makefile.
    Make,
}

/// The directory of the stamps, in the directory in which the scheduler runs.
const STAMPS: &str = ".agon-plan";
/// The least memory that a task is given: the program itself.
const LEAST_MIB: u64 = 64;
/// The least time that a task is given, in minutes.
const LEAST_MINUTES: u64 = 10;

impl Plan {
    /// The plan in this form.
    #[must_use]
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Json => {
                // A plan holds text and numbers, which can always be written.
                let text = serde_json::to_string_pretty(self).unwrap_or_default();
                format!("{text}\n")
            }
            Format::Snakemake => snakemake::write(self),
            Format::Slurm => slurm::write(self),
            Format::Make => make::write(self),
        }
    }

    /// The directory of this plan's stamps.
    fn stamps(&self) -> String {
        format!("{STAMPS}/{}", self.fingerprint())
    }

    /// What the file is, on one line.
    fn title(&self) -> String {
        format!("Written by agon {}: {}; {} tasks.", self.agon, self.about.replace('\n', " "), self.tasks.len())
    }
}

impl Task {
    /// The memory to ask for, in mebibytes.
    fn mebibytes(&self) -> u64 {
        self.memory_bytes.div_ceil(1 << 20).max(LEAST_MIB)
    }

    /// The time to ask for, in minutes: three times the estimate. A task that needs longer is stopped, leaves a
    /// checkpoint and is started again.
    fn minutes(&self) -> u64 {
        ((self.seconds() * 3.0 / 60.0).ceil() as u64).max(LEAST_MINUTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        let task =
            |id: &str, command: &str, after: &[&str]| Task { memory_bytes: 1 << 30, ..Task::new(id, command, after) };
        let tasks = vec![
            task("solve-3-3", "agon --version >> seen", &[]),
            task("solve-4+1-3", "agon --version >> 'seen $HOME'", &["solve-3-3"]),
            task("check-3-3", "agon --version >> seen", &["solve-3-3"]),
        ];
        Plan::new("a test", Some("antrin:3"), tasks).unwrap()
    }

    #[test]
    fn json_is_read_back() {
        let text = plan().write(Format::Json);
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan());
    }

    /// A program of this name that says so stands in for agon.
    fn runs(format: Format, name: &str, run: &[&str]) {
        let place = tempfile::tempdir().unwrap();
        let bin = place.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(place.path().join(name), plan().write(format)).unwrap();
        let agon = bin.join("agon");
        std::fs::write(&agon, "#!/bin/sh\necho ran\n").unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&agon, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        for times in 1..=2 {
            let mut command = std::process::Command::new(run[0]);
            command.args(&run[1..]).current_dir(place.path()).env("PATH", &path);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            // The second time, there is nothing left to do.
            assert_eq!(std::fs::read_to_string(place.path().join("seen")).unwrap(), "ran\nran\n", "time {times}");
            assert_eq!(std::fs::read_to_string(place.path().join("seen $HOME")).unwrap(), "ran\n");
        }
    }

    #[cfg(unix)]
    #[test]
    fn make_runs_every_task_once() {
        if std::process::Command::new("make").arg("--version").output().is_ok() {
            runs(Format::Make, "plan.make", &["make", "-j2", "-f", "plan.make"]);
        }
    }

    /// The script for Slurm with a stand-in for `sbatch`, which runs the tasks of an array at once.
    #[cfg(unix)]
    #[test]
    fn slurm_runs_every_task_once() {
        runs(Format::Slurm, "plan.sh", &["bash", "-c", SBATCH]);
    }

    const SBATCH: &str = r#"
        set -e
        test -e ran && exit 0
        cat > bin/sbatch <<'END'
#!/bin/bash
for word; do case $word in
  --array=*) array=${word#--array=} ;;
  --export=*) IFS=, read -ra vars <<< "${word#--export=}" ;;
esac; done
array=${array%%%*}
for ((i = ${array%-*}; i <= ${array#*-}; i++)); do
  env "${vars[@]:1}" SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$i bash "${@: -1}" >&2 || exit
done
echo 7
END
        chmod +x bin/sbatch
        bash plan.sh
        touch ran
    "#;

    #[test]
    fn a_task_of_several_processes_asks_for_them() {
        let mut plan = plan();
        (plan.tasks[1].processes, plan.tasks[1].threads) = (4, 2);
        let text = plan.write(Format::Slurm);
        let asked = text.lines().find(|line| line.starts_with("submit") && line.contains("--ntasks=4 ")).unwrap();
        assert!(asked.contains(" --mem-per-cpu=128M --cpus-per-task=2 "), "{asked}");
        assert_eq!(
            text.matches("exec srun --ntasks=4 --cpus-per-task=2 --kill-on-bad-exit=1 agon ").count(),
            1,
            "{text}"
        );
        assert!(plan.write(Format::Snakemake).contains("\"processes\": 4"));
    }

    #[test]
    fn a_snakefile_names_every_task() {
        let text = plan().write(Format::Snakemake);
        for part in ["solve-4+1-3", "seen $HOME", "mem_mb", "retries:", "rule all:"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
