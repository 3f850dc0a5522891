//! Plays a game between two players and prints it:
//! `cargo run --example play -- drop:7,6,4 mcts:playouts=200 negamax:depth=4`.
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use agon::core::Ctx;
use agon::failure::Failure;
use agon::registry::Registry;
use agon::registry::players::player;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let spelling = args.next().unwrap_or_else(|| "tic-tac-toe".into());
    let names = [args.next().unwrap_or_else(|| "perfect".into()), args.next().unwrap_or_else(|| "random".into())];
    let game = Registry::standard().game(&spelling)?;
    let mut players = [player(game.as_ref(), &names[0], 1)?, player(game.as_ref(), &names[1], 2)?];

    let mut view = game.look(&game.start(), 0)?;
    while !view.over() {
        let choice = players[view.turn as usize].choose(&view.position, &Ctx::default())?;
        let (mv, after) = game.play(&view.position, &choice.mv)?;
        view = game.look(&after, 0)?;
        println!("{mv}\n{}", view.scene.text());
    }
    println!("{}", view.status_text);
    assert!(names[0] != "perfect" || view.winner() != Some(agon::core::Player::Second), "a perfect player lost");
    Ok(())
}
