//! Counts positions and games, all of them and up to symmetry: `cargo run --example count -- antrin:3`.
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use agon::core::Ctx;
use agon::failure::Failure;
use agon::registry::Registry;
use agon::report::Report;
use agon::report::words::Paint;
use agon::solve::count::Limits;

fn main() -> Result<(), Failure> {
    let spelling = std::env::args().nth(1).unwrap_or_else(|| "tic-tac-toe".into());
    let game = Registry::standard().game(&spelling)?;
    let limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: true };
    let report = game.count("start", limits, &Ctx::default())?;
    println!("{}", report.text(Paint::PLAIN));

    // Move sequences of each length, as engine authors compare them.
    let sequences = game.perft("start", 4, None, &Ctx::default())?;
    println!("sequences of 1 to 4 moves: {sequences:?}");
    assert_eq!(sequences[0], game.moves("start")?.len() as u64);
    Ok(())
}
