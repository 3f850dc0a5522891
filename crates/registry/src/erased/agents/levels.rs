//! `level:1` to `level:5`: five players of every game, from easy to the strongest.

use super::super::AnyGame as _;
use super::super::game::Erased;
use agon_core::{Ctx, Evaluate, Family, Symmetric};
use agon_solve::method::Purpose;

/// The players behind the levels of a family. Level 5 is `perfect`.
///
/// ```
/// use agon_registry::erased::Levels;
///
/// let levels = Levels { skills: [0.0, 0.3, 0.6, 0.9], ..Levels::default() };
/// assert_eq!(levels.skills[3], 0.9);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Levels {
    /// Where the start is solved quickly: the probability that a move of levels 1 to 4 is perfect; otherwise it is random.
    pub skills: [f64; 4],
    /// Elsewhere: the players of levels 1 to 4.
    pub searches: [&'static str; 4],
}

impl Default for Levels {
    fn default() -> Levels {
        Levels {
            skills: [0.0, 0.35, 0.62, 0.85],
            searches: ["mcts:playouts=10", "mcts:playouts=30", "mcts:playouts=110", "mcts:playouts=500"],
        }
    }
}

/// The nodes within which a search must solve the start, so that levels are players that err now and then.
const NODES: u64 = 1 << 15;

/// The same for the indices of tables, which take much less time each.
const INDICES: u64 = 1 << 22;

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// Returns whether the start is solved so quickly that every level knows the perfect moves. The same on every machine.
    pub(crate) fn is_quick(&self) -> bool {
        *self.quick.get_or_init(|| {
            let Some((mut solver, table)) = self.solver(Purpose::Moves).filter(|_| self.capabilities.quick) else {
                return false;
            };
            let indices = self.tables().and_then(|tables| tables.size(None).ok()).map_or(0, |(indices, _)| indices);
            let ctx = Ctx::default().with_budget(if table { INDICES } else { NODES });
            indices <= INDICES
                && solver
                    .solve(&self.game, &self.game.start(), &ctx)
                    .is_ok_and(|solution| solution.value.value().is_some())
        })
    }
}

/// The player of a level, by its number.
pub(crate) fn level<G: Family + Symmetric + Evaluate>(erased: &Erased<G>, number: &str) -> Option<String> {
    let below = number.parse::<usize>().ok()?.checked_sub(1)?;
    match below {
        4 => Some("perfect".to_string()),
        _ if erased.is_quick() => Some(format!("skill:{}", erased.levels.skills.get(below)?)),
        _ => erased.levels.searches.get(below).map(ToString::to_string),
    }
}
