//! `agon distil`: short strategies, found and proven.

use crate::cli::{Distil, Shared};
use crate::commands::{keep_certificate, seconds_limit};
use crate::erased::DistilRequest;
use crate::failure::Failure;
use crate::output::write_file;
use crate::places::{FileKind, check_place};
use agon_core::Player;

/// The seed of the search unless one is given: the same command finds the same list, if the time suffices.
const SEED: u64 = 1;

/// `agon distil`.
pub fn command(args: &Distil, shared: &Shared) -> Result<(), Failure> {
    check_place(args.certificate.as_deref(), FileKind::Certificate)?;
    check_place(args.out.as_deref(), FileKind::Strategy)?;
    let game = shared.game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let either = args.side.eq_ignore_ascii_case("either");
    if either && args.certificate.is_some() {
        let why =
            "a certificate is about one side; write the list with --out, and use `agon verify --certificate` for each";
        return Err(Failure::Usage(why.to_string()));
    }
    let request = DistilRequest {
        sides: if either { Player::BOTH.to_vec() } else { vec![game.side(&args.side)?] },
        least: args.claim.into(),
        features: args.features.clone(),
        seed: shared.seed.unwrap_or(SEED),
        time: Some(seconds_limit(args.time)?),
        certificate: args.certificate.is_some(),
    };
    let ctx = shared.context_for("distilling");
    let (mut report, evidence) = game.distil(&pos, &request, &ctx)?;
    let kept = keep_certificate(args.certificate.as_deref(), evidence, "certificate", "there is no list", shared);
    report.certificate = kept.as_ref().ok().cloned().flatten();
    shared.answer(&report)?;
    kept?;
    let Some(rules) = report.rules.as_ref().filter(|_| report.holds) else {
        let why = report.why.unwrap_or_else(|| "the list that was found does not hold".to_string());
        return Err(if report.impossible { Failure::Refuted } else { Failure::Failed(why) });
    };
    if let Some(path) = &args.out {
        write_file(path, rules.as_bytes())?;
        shared.note(&format!("rules written to {}", path.display()));
    }
    Ok(())
}
