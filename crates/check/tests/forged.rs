//! Certificates of false claims, each of which relies on a rule that is not sound.

use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::{Ctx, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;

/// Judges a lines section about the mover's value.
fn judge(game: &OrderChaos, from: &str, value: Wdl, makes: bool, entries: &[(&str, &str)]) -> Result<(), Rejected> {
    let entries = entries.iter().map(|(p, r)| ((*p).into(), (*r).into())).collect();
    let certificate = Certificate {
        game: "order-chaos".into(),
        rules: None,
        from: from.into(),
        claim: Claim::Value(value),
        up_to_symmetry: true,
        sections: vec![Section::Lines { maker: game.order(), wins: makes, entries }],
    };
    check_lines(game, &Pictured::new(game), &certificate, &Ctx::default()).map(drop)
}

fn refuted(result: Result<(), Rejected>) -> bool {
    matches!(result, Err(Rejected::Refuted(_)))
}

#[test]
fn a_pair_with_lines_both_ways_round_cannot_be_opened() {
    // Chaos fills either end with either mark; Order answers with a row of exactly three.
    for marks in 2..=4 {
        let game = OrderChaos::new(4, 1, 3, marks, false, Row::ExactFinal);
        assert!(refuted(judge(&game, ".XX.", Wdl::Win, false, &[(".OO.b", "pairs 0=3")])), "{marks} marks");
    }
}

#[test]
fn a_cell_that_one_line_wants_and_another_avoids_tells_nothing() {
    let game = OrderChaos::new(4, 1, 3, 2, false, Row::ExactFinal);
    assert!(refuted(judge(&game, "....", Wdl::Win, false, &[("....b", "pairs 1-2")])));
}

#[test]
fn with_one_mark_no_pair_spoils_a_line_and_no_end_can_be_filled() {
    for row in Row::ALL {
        let three = OrderChaos::new(3, 1, 3, 1, true, row);
        assert!(refuted(judge(&three, "...", Wdl::Loss, false, &[("...m", "pairs 0-1")])), "{row:?}");
        assert_eq!(judge(&three, "...", Wdl::Win, true, &[]), Ok(()), "{row:?}");
        // Every board ends full of the one mark, so Order wins before the first move.
        let eight = OrderChaos::new(8, 8, 8, 1, false, row);
        let empty = ["........"; 8].join("/");
        assert_eq!(judge(&eight, &empty, Wdl::Loss, true, &[]), Ok(()), "{row:?}");
        assert!(refuted(judge(&eight, &empty, Wdl::Win, false, &[])), "{row:?}");
    }
    // A row of three on a board of four: the fourth cell must be filled, and not with that mark.
    let four = OrderChaos::new(4, 1, 3, 1, true, Row::ExactFinal);
    assert!(refuted(judge(&four, "XXX.", Wdl::Loss, true, &[])));
    assert_eq!(judge(&four, "XXX.", Wdl::Win, false, &[]), Ok(()));
}
