//! Impartial games by their parts: nim-values, outcomes and all winning moves, in normal and in misère play.

use crate::grundy::{Failure, Grundy, Method};
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Code, Ctx, Impartial, Meter, Solution, Stop, Wdl, collect_moves};
use rustc_hash::FxHashMap;

/// Memoised nim-values of parts. A table belongs to one game.
#[derive(Debug)]
pub struct Nimbers<G: Impartial> {
    parts: FxHashMap<G::Part, u32>,
    tables: Vec<(Code, Grundy)>,
    /// For misère play: whether the mover wins a sum of parts.
    sums: FxHashMap<Vec<G::Part>, bool>,
}

impl<G: Impartial> Default for Nimbers<G> {
    fn default() -> Nimbers<G> {
        Nimbers { parts: FxHashMap::default(), tables: Vec::new(), sums: FxHashMap::default() }
    }
}

impl<G: Impartial> Nimbers<G> {
    /// The number of parts whose value was searched.
    #[must_use]
    pub fn searched(&self) -> usize {
        self.parts.len()
    }

    /// The nim-value of a position in normal play.
    pub fn nimber(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<u32, Failure> {
        self.sum(game, &game.parts(pos), ctx)
    }

    /// The nim-value of a sum of parts.
    pub fn sum(&mut self, game: &G, parts: &[G::Part], ctx: &Ctx) -> Result<u32, Failure> {
        let mut search = Search { game, ctx, meter: ctx.meter(), known: self };
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ search.part(part)?))
    }

    /// Returns whether the mover wins.
    pub fn wins(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<bool, Failure> {
        if !game.misere() {
            return Ok(self.nimber(game, pos, ctx)? != 0);
        }
        let mut search = Search { game, ctx, meter: ctx.meter(), known: self };
        Ok(search.wins_misere(game.parts(pos))?)
    }

    /// All winning moves, in the order of the rules.
    pub fn winning_moves(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Vec<G::Move>, Failure> {
        let mut winning = Vec::new();
        for mv in collect_moves(game, pos) {
            if !self.wins(game, &game.after(pos, mv), ctx)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }
}

impl<G: Impartial> Nimbers<G> {
    /// The value and a winning move, if there is one, without distances.
    pub fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let before = ctx.nodes();
        let found = self.wins(game, pos, ctx).and_then(|wins| Ok((wins, self.good_move(game, pos, wins, ctx)?)));
        let best = found.as_ref().ok().and_then(|(_, best)| *best);
        Self::solution(found.map(|(wins, _)| wins), best, ctx.nodes() - before)
    }
}

impl<G: Impartial> Solver<G> for Nimbers<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let mut list = Vec::new();
        for mv in collect_moves(game, pos) {
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
        let moves = collect_moves(game, pos);
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

struct Search<'a, G: Impartial> {
    game: &'a G,
    ctx: &'a Ctx,
    meter: Meter<'a>,
    known: &'a mut Nimbers<G>,
}

impl<G: Impartial> Search<'_, G> {
    fn part(&mut self, part: &G::Part) -> Result<u32, Failure> {
        if let Some(value) = self.game.nimber_at_sight(part) {
            return Ok(value);
        }
        if let Some((code, size)) = self.game.heap(part) {
            return self.heap(code, size);
        }
        if let Some(&value) = self.known.parts.get(part) {
            return Ok(value);
        }
        self.meter.tick()?;
        // All options in one list; `ends` has the end of each.
        let (mut options, mut ends) = (Vec::new(), Vec::new());
        self.game.options(part, &mut |option| {
            options.extend_from_slice(option);
            ends.push(options.len());
        });
        let (mut values, mut from) = (Vec::with_capacity(ends.len()), 0);
        for end in ends {
            let mut sum = 0;
            for part in &options[from..end] {
                sum ^= self.part(part)?;
            }
            values.push(sum);
            from = end;
        }
        let value = mex(&mut values);
        self.known.parts.insert(part.clone(), value);
        Ok(value)
    }

    fn heap(&mut self, code: &Code, size: usize) -> Result<u32, Failure> {
        let tables = &mut self.known.tables;
        let at = tables.iter().position(|(known, _)| known == code).unwrap_or_else(|| {
            tables.push((code.clone(), Grundy::new(code, 0, Method::Auto)));
            tables.len() - 1
        });
        let table = &mut tables[at].1;
        if table.len() <= size {
            let known: Vec<u32> = table.values().collect();
            let to = size.max(2 * known.len());
            let mut longer = Grundy::resume(code, to, Method::Auto, &known);
            longer.run(self.ctx, to)?;
            *table = longer;
        }
        Ok(table.value(size).expect("the table reaches the heap"))
    }

    /// Misère play: a sum has no value of its own, so whole sums are searched.
    fn wins_misere(&mut self, mut parts: Vec<G::Part>) -> Result<bool, Stop> {
        parts.sort_unstable();
        if let Some(&wins) = self.known.sums.get(&parts) {
            return Ok(wins);
        }
        self.meter.tick()?;
        let mut options: Vec<Vec<G::Part>> = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 && parts[i - 1] == *part {
                continue;
            }
            self.game.options(part, &mut |option| {
                let mut sum = parts.clone();
                sum.remove(i);
                sum.extend_from_slice(option);
                options.push(sum);
            });
        }
        // No part has a move: the mover wins.
        let mut wins = options.is_empty();
        for option in options {
            if !self.wins_misere(option)? {
                wins = true;
                break;
            }
        }
        self.known.sums.insert(parts, wins);
        Ok(wins)
    }
}

/// The minimal excluded value.
fn mex(values: &mut Vec<u32>) -> u32 {
    values.sort_unstable();
    values.dedup();
    (0..).zip(values.iter()).take_while(|(i, v)| i == *v).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Game, Notation};
    use agon_games::impartial::heaps::{Coded, Heaps, Nim};
    use agon_games::impartial::sum::Sum;
    use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
    use agon_games::impartial::{Named, Play};

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
    fn a_sum_is_the_xor_of_its_games() {
        let (heap, board) = (nimber::<Heaps<Coded>>("heap:0.07:9"), nimber::<Tiles<Ellie>>("ellie:3x4"));
        assert_eq!(nimber::<Sum>("sum:heap:0.07:9++ellie:3x4"), heap ^ board);
    }
}
