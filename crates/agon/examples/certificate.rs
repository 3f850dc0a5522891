//! Proves a value, writes the proof to a text, and checks it without any solver: `cargo run --example certificate`.
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use agon::check::{Certificate, Claim};
use agon::core::{Ctx, Wdl};
use agon::erased::SolveRequest;
use agon::failure::Failure;
use agon::registry::Registry;

fn main() -> Result<(), Failure> {
    let registry = Registry::standard();
    let game = registry.game("mnk:4,4,3")?;
    let (report, evidence) = game.solve("start", &SolveRequest::plain(1 << 30).certified(), &Ctx::default())?;
    let text = evidence?.expect("the value is proven").write();
    println!("{} is a {} for the first player; the certificate has {} bytes", report.game, report.value, text.len());

    // A reader of the text needs only the rules and the checker.
    let certificate = Certificate::read(text.as_bytes()).expect("a file that was just written");
    let proved = registry.game(&certificate.game)?.check(&certificate, &Ctx::default()).expect("a true claim");
    println!("checked: {proved:?}");

    // The same evidence does not prove anything else.
    let forged = Certificate { claim: Claim::Value(Wdl::Loss), ..certificate };
    let refused = game.check(&forged, &Ctx::default()).expect_err("a false claim");
    println!("refused: {refused:?}");
    Ok(())
}
