//! `agon serve`: the workbench in a browser.

use crate::cli::{Serve, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, tell};
use crate::{VERSION, progress};
use agon_web::Program;
use agon_web::job_store::JobStore;
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the command.
pub fn command(args: &Serve, shared: &Shared) -> Result<(), Failure> {
    if args.openapi {
        return emit_json(&agon_api::openapi());
    }
    progress::farewell(|| tell("the workbench is closed"));
    let (json, open) = (shared.json, args.open);
    let data = data_folder(args.data.as_deref(), |name| std::env::var_os(name));
    let data = if args.data.is_none() { usable(data) } else { data };
    let store = data.map(|root| JobStore::open(&root, Box::new(tell))).transpose().map_err(|failure| {
        let why = failure.message().unwrap_or_default();
        Failure::Failed(format!("{why}; --data DIR names another directory, --data none keeps no jobs"))
    })?;
    let program =
        Program { registry: shared.registry.clone(), claims: agon_reproduce::items(), spectator: None, store };
    agon_web::run(args.port, program, move |address| {
        let url = format!("http://{address}/");
        let said = if json {
            emit_json(&json!({"agon": VERSION, "game": null, "url": url}))
        } else {
            emit(&format!("the workbench is at {url} (Ctrl-C ends it)\n"))
        };
        // The parent process may have closed standard output; the server runs all the same.
        let _ = said;
        if open {
            open_browser(&url);
        }
    })
}

/// The directory of jobs: as given, or the user's state directory as in the XDG Base Directory Specification.
fn data_folder(given: Option<&Path>, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    match given {
        Some(path) if path.as_os_str() == "none" => None,
        Some(path) => Some(path.to_path_buf()),
        None => absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
            .map(|state| state.join("agon")),
    }
}

/// The default directory is optional: if it cannot be used, the server runs without one.
fn usable(folder: Option<PathBuf>) -> Option<PathBuf> {
    let why = match &folder {
        None => "neither XDG_STATE_HOME nor HOME is set".to_string(),
        Some(folder) => match std::fs::create_dir_all(folder) {
            Ok(()) => return Some(folder.clone()),
            Err(error) => format!("cannot use `{}`: {error}", folder.display()),
        },
    };
    tell(&format!("{why}; so jobs end with the server, unless --data DIR says where to keep them"));
    None
}

/// Asks the system to show a page; says how to do it by hand if it cannot.
fn open_browser(url: &str) {
    let tries: &[(&str, &[&str])] =
        if cfg!(windows) { &[("cmd", &["/C", "start"])] } else { &[("xdg-open", &[]), ("open", &[])] };
    let started = |(program, words): &(&str, &[&str])| {
        let mut command = Command::new(program);
        command.args(*words).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    };
    if !tries.iter().any(started) {
        tell(&format!("no browser could be started; open {url} yourself"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_kept_where_the_rules_say() {
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/home/one"));
        let both = |name: &str| match name {
            "XDG_STATE_HOME" => Some(OsString::from("/state")),
            other => home(other),
        };
        let relative = |name: &str| if name == "HOME" { home(name) } else { Some(OsString::from("here")) };
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(data_folder(None, home), at("/home/one/.local/state/agon"));
        assert_eq!(data_folder(None, both), at("/state/agon"));
        // A relative one does not count.
        assert_eq!(data_folder(None, relative), at("/home/one/.local/state/agon"));
        assert_eq!(data_folder(None, |_| None), None);
        assert_eq!(data_folder(Some(Path::new("none")), both), None);
        assert_eq!(data_folder(Some(Path::new("./none")), both), at("./none"));
    }
}
