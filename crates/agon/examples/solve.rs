//! Solves a position and prints what is proven: `cargo run --example solve -- mnk:4,4,3 start`.
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use agon::core::Ctx;
use agon::erased::SolveRequest;
use agon::failure::Failure;
use agon::registry::Registry;
use std::time::Duration;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let spelling = args.next().unwrap_or_else(|| "tic-tac-toe".into());
    let position = args.next().unwrap_or_else(|| "start".into());
    let game = Registry::standard().game(&spelling)?;

    // At most ten seconds and a gibibyte; every move is valued.
    let ctx = Ctx::default().with_threads(2).within(Duration::from_secs(10));
    let request = SolveRequest { all: true, ..SolveRequest::plain(1 << 30) };
    let (report, _) = game.solve(&position, &request, &ctx)?;

    println!("{} from {}: {} for the side to move", report.game, report.position, report.value);
    println!("best play: {}", report.pv.join(" "));
    for mv in report.moves.iter().flatten() {
        println!("  {:6} {} in {:?}", mv.mv, mv.value, mv.plies);
    }
    assert!(report.value == "unknown" || report.lo == report.hi, "a value is proven from both sides");
    Ok(())
}
