//! Process groups: an engine and its child processes end together. On systems other than Unix, only the engine itself is
//! ended.

use std::process::{Child, Command};

/// Makes the started process the leader of a new process group.
pub(super) fn lead(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Kills every process of the group. The leader must not have been waited for, so that its id is not reused.
#[cfg(unix)]
pub(super) fn kill(leader: &Child) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(group) = i32::try_from(leader.id()) {
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
pub(super) fn kill(_leader: &Child) {}

/// Starts a process that kills the group when agon ends, which closes the pipe.
#[cfg(unix)]
pub(super) fn guard(leader: &Child) -> Option<Child> {
    use std::process::Stdio;
    let script = r#"read -r _; kill -s KILL -- "-$1""#;
    let mut command = Command::new("sh");
    command.args(["-c", script, "agon-guard", &leader.id().to_string()]);
    lead(&mut command).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

#[cfg(not(unix))]
pub(super) fn guard(_leader: &Child) -> Option<Child> {
    None
}
