//! agon with three more games: `cargo run -- solve dodgem`, `cargo run -- play domineering:5x5`, `cargo run -- serve`.

mod dodgem;
mod domineering;
mod mu_torere;

use agon::entry::Entry;
use agon::main_with;
use agon::registry::Registry;
use std::process::ExitCode;

/// The standard games, a game in which every play ends, a game in which play can cycle, and one with tables on disk.
fn registry() -> Registry {
    Registry::standard()
        .with(Entry::acyclic::<domineering::Domineering>())
        .with(Entry::cyclic::<dodgem::Dodgem>())
        .with(Entry::indexed::<mu_torere::MuTorere>().with_samples(&["mu-torere", "mu-torere:centre=free"]))
}

fn main() -> ExitCode {
    main_with(registry())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon::core::{Ctx, laws};
    use agon::erased::{AnyGame, SolveRequest, StrategyRequest};

    fn solved(spelling: &str) -> (Box<dyn AnyGame>, String) {
        let game = registry().game(spelling).unwrap();
        let (report, evidence) =
            game.solve(&game.start(), &SolveRequest::plain(1 << 28).certified(), &Ctx::default()).unwrap();
        let certificate = evidence.unwrap().expect("a certificate");
        game.check(&certificate, &Ctx::default()).unwrap_or_else(|why| panic!("{spelling}: {why:?}"));
        (game, report.value.to_string())
    }

    #[test]
    fn values_are_the_published_ones_and_their_certificates_check() {
        // Domineering: Breuker, Uiterwijk and van den Herik, "Solving 8×8 Domineering" (2000), table 1.
        for (board, value) in
            [("2x2", "win"), ("3x3", "win"), ("4x4", "win"), ("5x5", "loss"), ("1x3", "win"), ("3x1", "loss")]
        {
            assert_eq!(solved(&format!("domineering:{board}")).1, value, "{board}");
        }
        // Dodgem on 3×3: the first player wins (Berlekamp, Conway and Guy, Winning Ways, chapter 22).
        assert_eq!(solved("dodgem:3").1, "win");
        // Mū Tōrere: a draw (Ascher, "Mu Torere: An Analysis of a Maori Game", Mathematics Magazine 60, 1987).
        assert_eq!(solved("mu-torere").1, "draw");
    }

    #[test]
    fn the_laws_hold() {
        for (columns, rows) in [(2, 2), (3, 2), (4, 4)] {
            laws::check(&domineering::Domineering { columns, rows }, 25, 1);
        }
        for size in [3, 4] {
            laws::cyclic(&dodgem::Dodgem { size }, 25, 1);
            laws::alternating(&dodgem::Dodgem { size }, 25, 1);
        }
        for free in [false, true] {
            let game = mu_torere::MuTorere { free };
            laws::cyclic(&game, 25, 1);
            laws::alternating(&game, 25, 1);
            laws::indexed(&game, 25, 1);
            laws::indices(&game, 1);
        }
    }

    #[test]
    fn a_perfect_player_wins_dodgem_from_the_start() {
        let (game, _) = solved("dodgem:3");
        let player = |name: &str| game.agent(&StrategyRequest::named(name), 7).unwrap();
        let (mut first, mut second) = (player("perfect"), player("random"));
        let mut pos = game.start();
        for ply in 0..200 {
            if game.moves(&pos).unwrap().is_empty() {
                break;
            }
            let mover = if ply % 2 == 0 { &mut first } else { &mut second };
            let choice = mover.choose(&pos, &Ctx::default()).unwrap();
            pos = game.play(&pos, &choice.mv).unwrap().1;
        }
        assert_eq!(game.winner(&pos).unwrap(), Some("first"));
    }
}
