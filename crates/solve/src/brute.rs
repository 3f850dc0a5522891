//! Exhaustive search without pruning, table or symmetry. It is slow on purpose: it exists to check the other solvers,
//! and shares nothing with them but the rules.

use crate::recursion::deep;
use agon_core::{Acyclic, Bounds, Ctx, Meter, Solution, Stop, Value};

/// The value of `pos`, visiting every node of the tree below it.
///
/// ```
/// use agon_core::{Bounds, Ctx, Game, Wdl};
/// use agon_games::mnk::Mnk;
///
/// let game = Mnk::new(3, 3, 3);
/// let solution = agon_solve::brute::solve(&game, &game.start(), &Ctx::default());
/// assert_eq!((solution.value, solution.plies), (Bounds::exactly(Wdl::Draw), Some(9)));
/// ```
pub fn solve<G: Acyclic>(game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
    let mut meter = ctx.meter();
    let result = value(game, pos, &mut meter);
    let nodes = meter.nodes();
    match result {
        Ok((value, best)) => Solution {
            value: Bounds::exactly(value.wdl()),
            plies: value.plies().or_else(|| game.draw_plies(pos)),
            best,
            nodes,
            stopped: None,
        },
        Err(stop) => Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes, stopped: Some(stop) },
    }
}

fn value<G: Acyclic>(game: &G, pos: &G::Position, meter: &mut Meter<'_>) -> Result<(Value, Option<G::Move>), Stop> {
    meter.tick()?;
    if let Some(outcome) = game.outcome(pos) {
        return Ok((Value::finished(outcome.seen_by(game.turn(pos))), None));
    }
    let mut best: Result<(Value, Option<G::Move>), Stop> = Ok((Value::WORST, None));
    game.moves(pos, &mut |mv| {
        let Ok((so_far, _)) = best else { return };
        let after = game.after(pos, mv);
        let again = game.turn(&after) == game.turn(pos);
        match deep(|| value(game, &after, meter)).map(|(child, _)| child.to_parent_with(again)) {
            Ok(worth) if worth > so_far => best = Ok((worth, Some(mv))),
            Ok(_) => {}
            Err(stop) => best = Err(stop),
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::toy::Tree;
    use agon_core::{Game, Wdl};
    use agon_games::mnk::Mnk;

    #[test]
    fn trees_have_the_value_one_reads_off_them() {
        for (text, value, plies) in [
            ("+", Wdl::Win, Some(0)),
            ("(- =)", Wdl::Draw, None),
            ("((+ -) (= +))", Wdl::Draw, None),
            ("((+ +) -)", Wdl::Win, Some(2)),
            ("(+ ((+ +)))", Wdl::Win, Some(1)),
            ("(- ((- -)))", Wdl::Loss, Some(3)),
        ] {
            let tree = Tree::new(text);
            let solution = solve(&tree, &tree.start(), &Ctx::default());
            assert_eq!((solution.value, solution.plies), (Bounds::exactly(value), plies), "{text}");
        }
    }

    #[test]
    fn tic_tac_toe_is_a_draw_after_549_946_nodes() {
        // Nodes of the tree that stops at a win: sum of the sequences per ply (Bottomley's count).
        let game = Mnk::new(3, 3, 3);
        let solution = solve(&game, &game.start(), &Ctx::default());
        assert_eq!(solution.value, Bounds::exactly(Wdl::Draw));
        assert_eq!((solution.nodes, solution.plies), (549_946, Some(9)));
    }

    #[test]
    fn a_budget_leaves_the_value_unknown() {
        let game = Mnk::new(4, 4, 4);
        let solution = solve(&game, &game.start(), &Ctx::default().with_budget(10_000));
        assert_eq!((solution.value, solution.stopped), (Bounds::UNKNOWN, Some(Stop::Nodes)));
    }
}
