//! Recursion along a play, which can be longer than the stack of a thread allows.

use agon_core::solver::Failed;
use agon_core::{Acyclic, Value};

use std::cell::Cell;

/// The bytes of stack that one step of a recursion may need, and the bytes of a new stack.
const STEP: usize = 128 << 10;
const STACK: usize = 8 << 20;

thread_local! {
    /// The address below which the current stack has fewer than `STEP` bytes left; the largest address while that is not
    /// known.
    static FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs one step of a recursion, on a new stack where the current one is nearly used up.
#[inline]
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    if here() > FLOOR.get() { step() } else { with_room(step) }
}

/// An address in the current frame of the stack.
#[inline]
fn here() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}

/// Finds the floor of the current stack, or continues on a new one.
#[cold]
#[inline(never)]
fn with_room<T>(step: impl FnOnce() -> T) -> T {
    /// Puts the floor of the old stack back, also when a step panics.
    struct Back(usize);
    impl Drop for Back {
        fn drop(&mut self) {
            FLOOR.set(self.0);
        }
    }
    match stacker::remaining_stack() {
        Some(left) if left >= STEP => {
            FLOOR.set(here() - (left - STEP));
            step()
        }
        _ => stacker::grow(STACK, || {
            let _back = Back(FLOOR.replace(usize::MAX));
            step()
        }),
    }
}

/// Fails if a play can take more plies than a value can hold.
pub(crate) fn holds_distances<G: Acyclic>(game: &G, pos: &G::Position) -> Result<(), Failed> {
    let plies = game.height(pos);
    if plies <= Value::LONGEST {
        return Ok(());
    }
    Err(Failed::OutOfRange { what: format!("a play of {plies} plies"), limit: Value::LONGEST.into() })
}

#[cfg(test)]
mod tests {
    use crate::count::{Limits, count};
    use crate::method::acyclic;
    use crate::method::{Methods, Request};
    use agon_core::solver::Failed;
    use agon_core::{Ctx, Family, Game, Wdl};
    use agon_games::impartial::Play;
    use agon_games::impartial::heaps::{Heaps, Subtraction};

    type Taking = Play<Heaps<Subtraction>>;

    fn pile(counters: u32) -> Taking {
        Taking::from_spelling(&format!("subtract:1:{counters}")).unwrap().0
    }

    #[test]
    fn a_long_play_needs_no_large_stack() {
        let work = || {
            let (game, methods): (Taking, Methods<Taking>) = (pile(14_001), acyclic());
            let request = Request { evidence: false, totals: false, memory: 1 << 26 };
            for method in &methods {
                let found = method.solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
                assert_eq!((found.solution.value.value(), found.solution.plies), (Some(Wdl::Win), Some(14_001)));
            }
            let limits = Limits { plies: u32::MAX, bytes: 1 << 28, up_to_symmetry: true };
            assert_eq!(count(&game, &game.start(), limits, &Ctx::default()).positions.0, 14_002);
        };
        std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn misere_play_of_large_heaps_ends_in_time() {
        let wins = |spelling: &str, ctx: &Ctx| {
            let (game, _) = Taking::from_spelling(spelling).unwrap();
            crate::Nimbers::default().solve(&game, &game.start(), ctx)
        };
        // Whoever takes the last of an even number of counters, one by one, is the second player: the first one wins.
        let solved = wins("subtract:1:40000,play=misere", &Ctx::default());
        assert_eq!(solved.value.value(), Some(Wdl::Win));
        let stopped = wins("subtract:1,2,3:1000000,play=misere", &Ctx::default().with_budget(50_000));
        assert!(stopped.stopped.is_some() && stopped.nodes < 60_000, "{stopped:?}");
    }

    #[test]
    fn a_play_too_long_for_a_distance_is_refused() {
        let (game, methods): (Taking, Methods<Taking>) = (pile(15_001), acyclic());
        let request = Request { evidence: true, totals: false, memory: 1 << 26 };
        for method in &methods {
            let found = method.solve(&game, &game.start(), &request, &Ctx::default());
            assert!(matches!(found, Err(Failed::OutOfRange { .. })), "{}", method.name());
        }
    }
}
