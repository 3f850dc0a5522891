//! `agon serve`: the workbench in a browser.

use crate::cli::{Serve, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, tell};
use crate::reproduce::{self, DOCUMENTS};
use crate::{VERSION, progress};
use agon_web::{Claim, Recomputed};
use std::process::{Command, Stdio};

/// Runs the command.
pub fn command(args: &Serve, shared: &Shared) -> Result<(), Failure> {
    progress::farewell(|| tell("the workbench is closed"));
    let (json, open) = (shared.json, args.open);
    agon_web::run(args.port, claims(), move |address| {
        let url = format!("http://{address}/");
        let said = if json {
            emit_json(&serde_json::json!({"agon": VERSION, "game": null, "url": url}))
        } else {
            emit(&format!("the workbench is at {url} (Ctrl-C ends it)\n"))
        };
        // Whoever started it may have closed standard output; the workbench is there all the same.
        let _ = said;
        if open {
            open_browser(&url);
        }
    })
}

/// The claims of every document, ready to be recomputed.
fn claims() -> Vec<Claim> {
    let claim = |item: &'static reproduce::Item| {
        let number = item.id.split('/').next().unwrap_or_default();
        Claim {
            id: item.id,
            document: DOCUMENTS.iter().copied().find(|document| document.0 == number).unwrap_or((number, "")),
            source: item.source,
            claim: item.claim,
            claimed: item.claimed,
            how: item.how,
            slow: item.slow,
            run: Box::new(move |ctx| {
                let row = reproduce::run(item, ctx)?;
                let verdict = row.verdict.name();
                Ok(Recomputed { computed: row.computed, verdict, note: row.note, as_recorded: row.as_recorded })
            }),
        }
    };
    reproduce::items().into_iter().map(claim).collect()
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
