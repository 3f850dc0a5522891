//! Impartial games by their parts: nim-values, outcomes and all winning moves, in normal and in misère play.

mod search;

use crate::grundy::{Failure, Grundy, Method};
use crate::recursion::deep;
use crate::table::Shared;
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Code, Ctx, Impartial, Meter, Solution, Stop, Wdl, collect_moves};
use rustc_hash::FxHashMap;
use search::{End, Known, Search};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Memory for the table of parts unless another amount is asked for.
const MEMORY: usize = 1 << 30;
/// After so many parts, all threads search.
const ALONE: u64 = 10_000;

/// The moves of a position are not listed if there are more: a heap that a move may split in three can have 10^11.
const MOST_LISTED: usize = 10_000_000;

/// All moves, if there are not too many.
fn listed<G: Impartial>(game: &G, pos: &G::Position) -> Result<Vec<G::Move>, Failure> {
    if game.count_moves(pos) > MOST_LISTED {
        return Err(Failure::Stopped(Stop::Memory));
    }
    Ok(collect_moves(game, pos))
}

/// A store of nim-values of parts. It belongs to one game.
pub struct Nimbers<G: Impartial> {
    parts: Shared<G::Part, Known>,
    heaps: Heaps,
    /// For misère play: whether the mover wins a sum of parts.
    sums: FxHashMap<Vec<G::Part>, bool>,
}

/// Tables of nim-values of heaps, by code.
#[derive(Default)]
struct Heaps(Mutex<Vec<(Code, Grundy)>>);

impl Heaps {
    fn value(&self, code: &Code, size: usize, ctx: &Ctx) -> Result<u32, Failure> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tables.iter().position(|(known, _)| known == code).unwrap_or_else(|| {
            tables.push((code.clone(), Grundy::new(code, 0, Method::Auto)));
            tables.len() - 1
        });
        let table = &mut tables[at].1;
        if table.len() <= size {
            let known: Vec<u32> = table.values().collect();
            let to = size.max(2 * known.len());
            let mut longer = Grundy::resume(code, to, Method::Auto, &known);
            longer.run(ctx, to)?;
            *table = longer;
        }
        Ok(table.value(size).expect("the table reaches the heap"))
    }
}

impl<G: Impartial> Default for Nimbers<G> {
    fn default() -> Nimbers<G> {
        Nimbers::new(MEMORY)
    }
}

impl<G: Impartial> Nimbers<G> {
    /// Creates an empty store. The table of parts takes at most about `bytes`; once it is full, what is cheapest to
    /// find again is forgotten.
    #[must_use]
    pub fn new(bytes: usize) -> Nimbers<G> {
        Nimbers { parts: Shared::new(bytes), heaps: Heaps::default(), sums: FxHashMap::default() }
    }

    /// The number of parts in the table.
    #[must_use]
    pub fn known(&self) -> usize {
        self.parts.len()
    }

    /// The nim-value of a position in normal play.
    pub fn nimber(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<u32, Failure> {
        self.sum(game, &game.parts(pos), ctx)
    }

    /// The nim-value of a sum of parts.
    pub fn sum(&mut self, game: &G, parts: &[G::Part], ctx: &Ctx) -> Result<u32, Failure> {
        Ok(self.search(game, parts, None, ctx)?.expect("a value was asked for"))
    }

    /// The nim-value of a sum of parts; if `wanted` is a number, `None` says that it is not the value.
    fn search(&mut self, game: &G, parts: &[G::Part], wanted: Option<u32>, ctx: &Ctx) -> Result<Option<u32>, Failure> {
        ctx.progress("nim-values", 0, None);
        let (over, tables) = (AtomicBool::new(false), (&self.parts, &self.heaps));
        let begun = Search::new(game, tables, ctx, &over, 0);
        let mut begun = if ctx.threads() > 1 { begun.at_most(ALONE) } else { begun };
        match begun.sum(parts, wanted) {
            Ok(found) => return Ok(found),
            Err(End::Failed(failure)) => return Err(failure),
            Err(End::Enough | End::Over) => drop(begun),
        }
        let mut ends = Vec::new();
        std::thread::scope(|scope| {
            let thread = |number: usize| {
                let over = &over;
                move || {
                    let end = Search::new(game, tables, ctx, over, number).sum(parts, wanted);
                    over.store(true, Ordering::Relaxed);
                    end
                }
            };
            let threads: Vec<_> = (0..ctx.threads()).map(|number| scope.spawn(thread(number))).collect();
            ends.extend(threads.into_iter().map(|thread| thread.join().expect("a search does not panic")));
        });
        let mut failure = None;
        for end in ends {
            match end {
                Ok(found) => return Ok(found),
                Err(End::Failed(failed)) => failure = Some(failed),
                Err(End::Enough | End::Over) => {}
            }
        }
        Err(failure.expect("a thread found the value or failed"))
    }

    /// Returns whether the mover wins.
    pub fn wins(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<bool, Failure> {
        if !game.misere() {
            return Ok(self.search(game, &game.parts(pos), Some(0), ctx)? != Some(0));
        }
        let mut misere = Misere { game, meter: ctx.meter(), sums: &mut self.sums };
        Ok(misere.wins(game.parts(pos))?)
    }

    /// All winning moves, in the order of the rules.
    pub fn winning_moves(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Vec<G::Move>, Failure> {
        let mut winning = Vec::new();
        for mv in listed(game, pos)? {
            if !self.wins(game, &game.after(pos, mv), ctx)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }
}

impl<G: Impartial> Nimbers<G> {
    /// The value and a winning move, if there is one, without distances. If there are too many moves to list, the value
    /// is still given.
    pub fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let before = ctx.nodes();
        let wins = self.wins(game, pos, ctx);
        let best = wins.as_ref().ok().map(|&wins| self.good_move(game, pos, wins, ctx));
        let (best, stopped) = match best {
            Some(Ok(best)) => (best, None),
            Some(Err(Failure::Stopped(stop))) => (None, Some(stop)),
            Some(Err(Failure::Overflow(_))) => (None, Some(Stop::Nodes)),
            None => (None, None),
        };
        let solution = Self::solution(wins, best, ctx.nodes() - before);
        Solution { stopped: solution.stopped.or(stopped), ..solution }
    }
}

impl<G: Impartial> Solver<G> for Nimbers<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let mut list = Vec::new();
        let moves = listed(game, pos).map_err(|_| Failed::Stopped(Stop::Memory))?;
        for mv in moves {
            let after = Self::solution(self.wins(game, &game.after(pos, mv), ctx), None, 0);
            match after.stopped {
                Some(stop) => return Err(stop.into()),
                None => list.push((mv, after)),
            }
        }
        Ok(list)
    }
}

impl<G: Impartial> Nimbers<G> {
    fn solution(wins: Result<bool, Failure>, best: Option<G::Move>, nodes: u64) -> Solution<G::Move> {
        let (value, stopped) = match wins {
            Ok(wins) => (Bounds::exactly(if wins { Wdl::Win } else { Wdl::Loss }), None),
            Err(Failure::Stopped(stop)) => (Bounds::UNKNOWN, Some(stop)),
            Err(Failure::Overflow(_)) => (Bounds::UNKNOWN, Some(Stop::Nodes)),
        };
        Solution { value, plies: None, best, nodes, stopped }
    }

    /// A winning move; in a lost position, the first move.
    fn good_move(&mut self, game: &G, pos: &G::Position, wins: bool, ctx: &Ctx) -> Result<Option<G::Move>, Failure> {
        let moves = listed(game, pos)?;
        if wins {
            for &mv in &moves {
                if !self.wins(game, &game.after(pos, mv), ctx)? {
                    return Ok(Some(mv));
                }
            }
        }
        Ok(moves.first().copied())
    }
}

/// Misère play: a sum has no value of its own, so whole sums are searched.
struct Misere<'a, G: Impartial> {
    game: &'a G,
    meter: Meter<'a>,
    sums: &'a mut FxHashMap<Vec<G::Part>, bool>,
}

impl<G: Impartial> Misere<'_, G> {
    fn wins(&mut self, mut parts: Vec<G::Part>) -> Result<bool, Stop> {
        self.meter.tick()?;
        parts.sort_unstable();
        if let Some(&wins) = self.sums.get(&parts) {
            return Ok(wins);
        }
        // If no part has a move, the mover wins. Options are not kept: a heap can have very many.
        let (game, mut wins) = (self.game, Ok(true));
        for (i, part) in parts.iter().enumerate() {
            if i > 0 && parts[i - 1] == *part {
                continue;
            }
            let mut open = true;
            game.options_while(part, &mut |option| {
                let mut sum = parts.clone();
                sum.remove(i);
                sum.extend_from_slice(option);
                wins = deep(|| self.wins(sum)).map(|wins| !wins);
                open = wins == Ok(false);
                open
            });
            if !open {
                break;
            }
        }
        if let Ok(wins) = wins {
            self.sums.insert(parts, wins);
        }
        wins
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Alternating, Family, Game, Notation, Outcome, Player, Rng};
    use agon_games::impartial::circle::Circle;
    use agon_games::impartial::heaps::{Coded, Heaps, Nim};
    use agon_games::impartial::sum::Sum;
    use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
    use agon_games::impartial::{Named, Play};

    /// The minimal excluded value.
    fn mex(values: &mut Vec<u32>) -> u32 {
        values.sort_unstable();
        values.dedup();
        (0..).zip(values.iter()).take_while(|(i, v)| i == *v).count() as u32
    }

    fn game<R: Named>(given: &str) -> Play<R> {
        Play::<R>::from_spelling(given).expect(given).0
    }

    fn nimber<R: Named>(given: &str) -> u32 {
        let game = game::<R>(given);
        Nimbers::default().nimber(&game, &game.start(), &Ctx::default()).expect("a value")
    }

    fn winning<R: Named>(given: &str) -> Vec<String> {
        let game = game::<R>(given);
        let start = game.start();
        let moves = Nimbers::default().winning_moves(&game, &start, &Ctx::default()).expect("a value");
        moves.into_iter().map(|mv| game.show_move(&start, mv)).collect()
    }

    /// The value of a position from nothing but the moves of the whole game: no parts, no symmetry.
    fn by_moves<G: Game>(game: &G, pos: &G::Position, known: &mut FxHashMap<G::Position, u32>) -> u32 {
        if let Some(&value) = known.get(pos) {
            return value;
        }
        let after = collect_moves(game, pos).into_iter().map(|mv| game.after(pos, mv)).collect::<Vec<_>>();
        let mut values = after.iter().map(|pos| by_moves(game, pos, known)).collect();
        let value = mex(&mut values);
        known.insert(pos.clone(), value);
        value
    }

    #[test]
    fn values_follow_from_the_moves_of_the_whole_game() {
        fn same<R: Named>(given: &str) {
            let game = game::<R>(given);
            assert_eq!(nimber::<R>(given), by_moves(&game, &game.start(), &mut FxHashMap::default()), "{given}");
        }
        for board in ["3x3", "3x4", "3x5", "4x4", "6x3"] {
            same::<Tiles<Cram>>(&format!("cram:{board}"));
            same::<Tiles<Ellie>>(&format!("ellie:{board}"));
        }
        same::<Tiles<Ellie>>("ellie:5x4");
        same::<Heaps<Coded>>("heap:0.007:9+7+4");
        same::<Heaps<Coded>>("heap:0.8f:9+5");
        same::<Sum>("sum:heap:0.07:9++ellie:3x4++nim:2");
    }

    #[test]
    fn cram_values_match_the_published_table() {
        // Lemoine and Viennot, nimbers of Cram: 3x3 0, 3x4 1, 3x5 1, 4x4 0, 4x5 2, 5x5 0. All but the last also follow
        // from the moves of the whole game, above.
        for (board, value) in [("3x3", 0), ("3x4", 1), ("3x5", 1), ("4x4", 0), ("4x5", 2)] {
            assert_eq!(nimber::<Tiles<Cram>>(&format!("cram:{board}")), value, "{board}");
        }
    }

    #[test]
    fn two_rows_of_ellie_are_a_heap_of_all_cells() {
        for n in 1..=8 {
            let board = nimber::<Tiles<Ellie>>(&format!("ellie:{n}x2"));
            assert_eq!(board, nimber::<Heaps<Coded>>(&format!("heap:0.007:{}", 2 * n)), "2 x {n}");
        }
    }

    #[test]
    fn ellie_values_are_those_of_the_published_table() {
        // docs/results/ellie.md, as far as it is quick.
        let rows: [(usize, usize, &[u32]); 3] =
            [(3, 2, &[2, 0, 1, 2, 2, 1, 1, 3, 4, 0, 3]), (4, 2, &[0, 1, 0, 1, 0, 4]), (5, 2, &[3, 2, 1, 0])];
        for (rows, from, values) in rows {
            for (n, &value) in (from..).zip(values) {
                assert_eq!(nimber::<Tiles<Ellie>>(&format!("ellie:{n}x{rows}")), value, "{rows} x {n}");
            }
        }
    }

    #[test]
    fn winning_moves_of_nim() {
        assert_eq!(winning::<Heaps<Nim>>("nim:3+5+7"), ["3>2", "5>4", "7>6"]);
        assert_eq!(winning::<Heaps<Nim>>("nim:1+2+3"), [] as [&str; 0]);
        // Misère nim differs only among heaps of one.
        assert_eq!(winning::<Heaps<Nim>>("nim:1+1+4,play=misere"), ["4>1"]);
        assert_eq!(winning::<Heaps<Nim>>("nim:1+1+1,play=misere"), [] as [&str; 0]);
    }

    #[test]
    fn a_position_with_too_many_moves_has_a_value_all_the_same() {
        let game = game::<Heaps<Coded>>("heap:0.f:1000000");
        let (mut nimbers, start, ctx) = (Nimbers::default(), game.start(), Ctx::default());
        let solved = nimbers.solve(&game, &start, &ctx);
        assert_eq!((solved.value, solved.best, solved.stopped), (Bounds::exactly(Wdl::Loss), None, Some(Stop::Memory)));
        assert!(nimbers.each_move(&game, &start, &ctx).is_err() && nimbers.winning_moves(&game, &start, &ctx).is_err());
    }

    #[test]
    fn a_sum_is_the_xor_of_its_games() {
        let (heap, board) = (nimber::<Heaps<Coded>>("heap:0.07:9"), nimber::<Tiles<Ellie>>("ellie:3x4"));
        assert_eq!(nimber::<Sum>("sum:heap:0.07:9++ellie:3x4"), heap ^ board);
    }

    /// Nim with heaps as parts that have no code: nim-values of any size, found by search alone.
    #[derive(Clone, Debug)]
    struct PlainNim(Vec<u8>);

    impl Game for PlainNim {
        type Position = (Vec<u8>, Player);
        type Move = (usize, u8);
        type Undo = (Vec<u8>, Player);

        fn start(&self) -> (Vec<u8>, Player) {
            (self.0.clone(), Player::First)
        }
        fn turn(&self, pos: &(Vec<u8>, Player)) -> Player {
            pos.1
        }
        fn outcome(&self, pos: &(Vec<u8>, Player)) -> Option<Outcome> {
            pos.0.iter().all(|&heap| heap == 0).then_some(Outcome::Win(pos.1.other()))
        }
        fn moves(&self, pos: &(Vec<u8>, Player), each: &mut impl FnMut((usize, u8))) {
            pos.0.iter().enumerate().for_each(|(at, &heap)| (0..heap).for_each(|left| each((at, left))));
        }
        fn play(&self, pos: &mut (Vec<u8>, Player), (at, left): (usize, u8)) -> (Vec<u8>, Player) {
            let old = pos.clone();
            pos.0[at] = left;
            pos.1 = pos.1.other();
            old
        }
        fn undo(&self, pos: &mut (Vec<u8>, Player), _: (usize, u8), undo: (Vec<u8>, Player)) {
            *pos = undo;
        }
    }

    impl Alternating for PlainNim {}

    impl Impartial for PlainNim {
        type Part = u8;

        fn misere(&self) -> bool {
            false
        }
        fn parts(&self, pos: &(Vec<u8>, Player)) -> Vec<u8> {
            pos.0.clone()
        }
        fn options(&self, part: &u8, each: &mut impl FnMut(&[u8])) {
            (0..*part).for_each(|left| each(&[left]));
        }
    }

    #[test]
    fn nim_values_may_be_large() {
        for heaps in [vec![0], vec![62], vec![63], vec![64, 1], vec![200, 90, 77], vec![130, 130]] {
            let sum = heaps.iter().fold(0, |sum, &heap| sum ^ u32::from(heap));
            let game = PlainNim(heaps);
            let mut nimbers = Nimbers::default();
            let wins = nimbers.wins(&game, &game.start(), &Ctx::default());
            assert_eq!(
                (wins, nimbers.nimber(&game, &game.start(), &Ctx::default())),
                (Ok(sum != 0), Ok(sum)),
                "{game:?}"
            );
        }
    }

    /// A position after some random moves, with the parts it leaves.
    fn random_position<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::Position {
        (0..plies).fold(game.start(), |pos, _| match game.random_move(&pos, rng) {
            Some(mv) => game.after(&pos, mv),
            None => pos,
        })
    }

    #[test]
    fn random_boards_questions_threads_and_small_tables_agree_with_the_moves() {
        fn agree<R: Named>(given: &str, plies: usize, rng: &mut Rng) {
            let game = game::<R>(given);
            let (mut known, mut asked, mut forgetful) =
                (FxHashMap::default(), Nimbers::default(), Nimbers::<Play<R>>::new(0));
            for _ in 0..12 {
                let pos = random_position(&game, plies, rng);
                let value = by_moves(&game, &pos, &mut known);
                let name = || format!("{given} {}", game.show(&pos));
                let one = Ctx::default();
                assert_eq!(asked.wins(&game, &pos, &one), Ok(value != 0), "{}", name());
                assert_eq!(asked.nimber(&game, &pos, &one), Ok(value), "{}", name());
                assert_eq!(forgetful.nimber(&game, &pos, &one), Ok(value), "{}", name());
                let several = Nimbers::default().nimber(&game, &pos, &one.with_threads(3));
                assert_eq!(several, Ok(value), "{}", name());
            }
        }
        let rng = &mut Rng::new(7);
        agree::<Tiles<Cram>>("cram:5x4", 2, rng);
        agree::<Tiles<Cram>>("cram:7x3", 2, rng);
        agree::<Tiles<Ellie>>("ellie:5x5", 2, rng);
        agree::<Tiles<Ellie>>("ellie:8x3", 1, rng);
        agree::<Circle>("circular-nim:4,2:3+4+5+2", 1, rng);
        agree::<Circle>("circular-nim:5,2:2+3+2+1+3", 0, rng);
        agree::<Sum>("sum:cram:3x3++ellie:3x3++nim:5", 1, rng);
    }

    #[test]
    fn several_threads_find_what_one_finds() {
        let game = game::<Tiles<Cram>>("cram:6x5");
        let two = Ctx::default().with_threads(2);
        assert_eq!(Nimbers::default().nimber(&game, &game.start(), &two), Ok(2));
        assert!(two.nodes() > ALONE, "{} parts are too few for several threads", two.nodes());
        let stopped =
            Nimbers::default().nimber(&game, &game.start(), &Ctx::default().with_threads(2).with_budget(20_000));
        assert_eq!(stopped, Err(Failure::Stopped(Stop::Nodes)));
    }
}
