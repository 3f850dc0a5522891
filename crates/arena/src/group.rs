//! Process groups: an engine and its child processes end together, and never outlive agon. On systems other than Unix, only
//! the engine itself is ended.

use std::process::{Child, Command};

/// The process group of an engine.
pub(super) struct Group {
    /// Leads the group, and kills it when agon ends. It is waited for last, so that the id of the group is not reused.
    #[cfg(unix)]
    guard: Child,
}

#[cfg(unix)]
impl Group {
    /// Starts the guard of a new group. It waits for the end of its input, which comes when agon ends, in whatever way. It
    /// is there before the engine, so agon can be killed at any moment.
    pub(super) fn new() -> std::io::Result<Group> {
        use std::os::unix::process::CommandExt as _;
        use std::process::Stdio;
        let mut command = Command::new("sh");
        command.args(["-c", "read -r _; kill -s KILL 0", "agon-guard"]).process_group(0);
        let guard = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok(Group { guard })
    }

    /// Starts a process in the group.
    pub(super) fn spawn(&self, command: &mut Command) -> std::io::Result<Child> {
        use std::os::unix::process::CommandExt as _;
        command.process_group(self.id()).spawn()
    }

    /// Kills every process of the group.
    pub(super) fn kill(&self) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(self.id()), Signal::SIGKILL);
    }

    fn id(&self) -> i32 {
        i32::try_from(self.guard.id()).expect("the system counts processes in 31 bits")
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        let _ = self.guard.wait();
    }
}

#[cfg(not(unix))]
impl Group {
    pub(super) fn new() -> std::io::Result<Group> {
        Ok(Group {})
    }

    pub(super) fn spawn(&self, command: &mut Command) -> std::io::Result<Child> {
        command.spawn()
    }

    pub(super) fn kill(&self) {}
}
