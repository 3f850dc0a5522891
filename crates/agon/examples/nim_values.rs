//! Nim-values of a game on heaps, and of a sum: `cargo run --example nim_values -- 0.137 30`.
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use agon::core::{Code, Ctx};
use agon::erased::SolveRequest;
use agon::registry::Registry;
use agon::solve::grundy::{Grundy, Method};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let code: Code = args.next().unwrap_or_else(|| "0.137".into()).parse()?;
    let to: usize = args.next().unwrap_or_else(|| "30".into()).parse()?;
    let mut heaps = Grundy::new(&code, to, Method::Auto);
    heaps.run(&Ctx::default(), to)?;
    let values: Vec<u32> = heaps.values().collect();
    println!("{code}: {values:?}");
    let zeros: Vec<usize> = (0..values.len()).filter(|&heap| values[heap] == 0).collect();
    println!("the player to move loses from each of these heaps: {zeros:?}");

    // A sum of games has the exclusive or of their nim-values.
    let kayles = Registry::standard().game("kayles:17+21")?;
    let (report, _) = kayles.solve("start", &SolveRequest::plain(1 << 28), &Ctx::default())?;
    println!("kayles:17+21 has the nim-value {:?}", report.nimber);
    assert_eq!(report.nimber, Some(0));
    Ok(())
}
