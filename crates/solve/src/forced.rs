//! Forced wins within a number of plies, for games in which play can cycle.
//!
//! A win within `n` plies is a finite statement, so cycles do no harm: iterative deepening over n = 1, 2, 3, … finds
//! the shortest forced win of either side. In the same way the search proves that a side can end the game without a
//! loss; if both sides can, the value is a draw.

use agon_core::forcing::Forcing;
use agon_core::{Bounds, Ctx, Meter, Player, Solution, Stop, Wdl};

/// A table entry: the attacker reaches its goal within `proved` plies, and not within `refuted` plies.
#[derive(Clone, Copy)]
struct Entry {
    key: u128,
    proved: u8,
    refuted: u8,
}

/// The goal is not proven within any number of plies.
const NEVER: u8 = u8::MAX;

impl Entry {
    const FREE: Entry = Entry { key: 0, proved: NEVER, refuted: 0 };

    fn is_free(&self) -> bool {
        self.proved == NEVER && self.refuted == 0
    }
}

/// A search for one attacker, with its transposition table.
pub struct Forced<G: Forcing> {
    attacker: Player,
    /// The goal of the attacker: a win, or an end without a loss.
    least: Wdl,
    table: Vec<Entry>,
    /// Entries in use.
    used: usize,
    /// The most entries, a power of two.
    max_entries: usize,
    /// A stack of the move lists of the current line.
    moves: Vec<(i32, G::Move)>,
}

impl<G: Forcing> Forced<G> {
    /// A search for wins of `attacker`, with a table of at most `bytes`.
    #[must_use]
    pub fn new(attacker: Player, bytes: usize) -> Forced<G> {
        let max_entries = 1 << (bytes / size_of::<Entry>()).max(2).ilog2();
        let table = vec![Entry::FREE; max_entries.min(1 << 14)];
        Forced { attacker, least: Wdl::Win, table, used: 0, max_entries, moves: Vec::new() }
    }

    /// A search for ends without a loss of `side`, which plays the attacker.
    #[must_use]
    pub fn holding(side: Player, bytes: usize) -> Forced<G> {
        Forced { least: Wdl::Draw, ..Forced::new(side, bytes) }
    }

    /// Returns whether the attacker wins within `n` plies from `pos`, with either side to move.
    pub fn within(&mut self, game: &G, pos: &G::Position, n: u32, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let mut pos = pos.clone();
        self.moves.clear();
        self.search(game, &mut pos, n.min(250) as u8, meter)
    }

    /// The length of the shortest win of the attacker, up to `most` plies.
    pub fn shortest(
        &mut self,
        game: &G,
        pos: &G::Position,
        most: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        let attacks = game.turn(pos) == self.attacker;
        for n in 0..=most {
            let own = (n % 2 == 1) == attacks;
            if (own || game.runs_out_within(pos, n)) && self.within(game, pos, n, meter)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    fn search(&mut self, game: &G, pos: &mut G::Position, n: u8, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        meter.tick()?;
        // Step 1: outcomes, and immediate wins of either side.
        if let Some(outcome) = game.outcome(pos) {
            return Ok(outcome.seen_by(self.attacker) >= self.least);
        }
        if n == 0 {
            return Ok(false);
        }
        let attacks = game.turn(pos) == self.attacker;
        if game.win_now(pos).is_some() {
            return Ok(attacks);
        }
        if attacks && n == 1 && self.least == Wdl::Win {
            return Ok(false);
        }
        // Step 2: transposition table.
        let key = game.key(pos);
        let known = self.table[self.slot(key)];
        if known.key == key {
            if known.proved <= n {
                return Ok(true);
            }
            if known.refuted >= n {
                return Ok(false);
            }
        }
        // Step 3: search. One move of the attacker suffices; every reply must fail.
        let begin = self.moves.len();
        self.list(game, pos);
        let mut won = !attacks;
        for i in begin..self.moves.len() {
            let (_, mv) = self.moves[i];
            let undo = game.play(pos, mv);
            let child = self.search(game, pos, n - 1, meter);
            game.undo(pos, mv, undo);
            if child? == attacks {
                won = attacks;
                break;
            }
        }
        self.moves.truncate(begin);
        // Step 4: store the result.
        self.remember(key, n, won);
        Ok(won)
    }

    fn remember(&mut self, key: u128, n: u8, won: bool) {
        if self.used > self.table.len() / 2 && self.table.len() < self.max_entries {
            let larger = vec![Entry::FREE; self.table.len() * 2];
            let old = std::mem::replace(&mut self.table, larger);
            for entry in old.into_iter().filter(|entry| !entry.is_free()) {
                let slot = self.slot(entry.key);
                self.table[slot] = entry;
            }
        }
        let slot = self.slot(key);
        let entry = &mut self.table[slot];
        self.used += usize::from(entry.is_free());
        if entry.key != key {
            *entry = Entry { key, ..Entry::FREE };
        }
        if won {
            entry.proved = entry.proved.min(n);
        } else {
            entry.refuted = entry.refuted.max(n);
        }
    }

    fn list(&mut self, game: &G, pos: &mut G::Position) {
        let begin = self.moves.len();
        game.moves(pos, &mut |mv| self.moves.push((0, mv)));
        for i in begin..self.moves.len() {
            let mv = self.moves[i].1;
            let undo = game.play(pos, mv);
            self.moves[i].0 = game.promise(pos);
            game.undo(pos, mv, undo);
        }
        self.moves[begin..].sort_by_key(|&(promise, _)| -promise);
    }

    fn slot(&self, key: u128) -> usize {
        let mixed = ((key as u64) ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.table.len().ilog2())) as usize
    }
}

/// The result of [`solve`].
#[derive(Clone, Debug)]
pub struct ForcedSolution<M> {
    /// The solution, with the bounds that are proven.
    pub solution: Solution<M>,
    /// Neither side has a forced win within this many plies.
    pub none_within: u32,
}

/// Searches for wins and holds (ends without a loss) of either side, the first player before the second. They keep their
/// tables between calls for positions of one game.
pub struct Searches<G: Forcing> {
    wins: [Forced<G>; 2],
    /// Made near the end of the game.
    holds: Option<[Forced<G>; 2]>,
    bytes: usize,
}

/// Holds are searched if the game may end without a win within this many plies.
const MAX_HOLD_PLIES: u32 = 8;

/// The value of `pos`, if either side wins or both hold within `most` plies; else bounds.
///
/// ```
/// use agon_core::{Bounds, Ctx, Game, Wdl};
/// use agon_games::tak::Tak;
///
/// let game = Tak::new(2, 2);
/// let found = agon_solve::forced::solve(&game, &game.start(), 20, 1 << 24, &Ctx::default());
/// assert_eq!((found.solution.value, found.solution.plies), (Bounds::exactly(Wdl::Win), Some(3)));
/// ```
pub fn solve<G: Forcing>(game: &G, pos: &G::Position, most: u32, bytes: usize, ctx: &Ctx) -> ForcedSolution<G::Move> {
    Searches::new(bytes).solve(game, pos, most, ctx)
}

impl<G: Forcing> Searches<G> {
    /// Searches with tables of at most `bytes` together.
    #[must_use]
    pub fn new(bytes: usize) -> Searches<G> {
        Searches { wins: Player::BOTH.map(|side| Forced::new(side, bytes / 4)), holds: None, bytes }
    }

    /// As [`solve`].
    pub fn solve(&mut self, game: &G, pos: &G::Position, most: u32, ctx: &Ctx) -> ForcedSolution<G::Move> {
        let solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        let mut found = ForcedSolution { solution, none_within: 0 };
        if let Some(outcome) = game.outcome(pos) {
            found.solution.value = Bounds::exactly(outcome.seen_by(game.turn(pos)));
            found.solution.plies = Some(0);
            return found;
        }
        if self.holds.is_none() && game.runs_out_within(pos, MAX_HOLD_PLIES) {
            self.holds = Some(Player::BOTH.map(|side| Forced::holding(side, self.bytes / 4)));
        }
        let mut meter = ctx.meter();
        for n in 1..=most {
            ctx.progress("solving, plies", u64::from(n), None);
            match self.step(game, pos, n, &mut found.solution, &mut meter) {
                Ok(()) if found.solution.value.value().is_none() => found.none_within = n,
                Ok(()) => break,
                Err(stop) => {
                    found.solution.stopped = Some(stop);
                    break;
                }
            }
        }
        found.solution.nodes = meter.nodes();
        found
    }

    /// Searches wins and holds within `n` plies, after those within `n - 1`.
    fn step(
        &mut self,
        game: &G,
        pos: &G::Position,
        n: u32,
        solution: &mut Solution<G::Move>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        // Step 1: wins. Unless the game may end otherwise, the winner makes the last ply.
        let runs_out = game.runs_out_within(pos, n);
        let first_to_move = game.turn(pos) == Player::First;
        let [first, second] = &mut self.wins;
        let (own, other) = if first_to_move { (first, second) } else { (second, first) };
        for (search, value) in [(own, Wdl::Win), (other, Wdl::Loss)] {
            let last_ply_is_its_own = (n % 2 == 1) == (value == Wdl::Win);
            if !(last_ply_is_its_own || runs_out) || !search.within(game, pos, n, meter)? {
                continue;
            }
            solution.value = Bounds::exactly(value);
            solution.plies = Some(n);
            solution.best = match value {
                Wdl::Win => search.winning_move(game, pos, n, meter).unwrap_or(None),
                _ => search.longest_defence(game, pos, n, meter).unwrap_or(None),
            };
            return Ok(());
        }
        // Step 2: holds.
        let Some([first, second]) = self.holds.as_mut().filter(|_| runs_out) else { return Ok(()) };
        let (own, other) = if first_to_move { (first, second) } else { (second, first) };
        if solution.value.lo == Wdl::Loss && own.within(game, pos, n, meter)? {
            solution.value.lo = Wdl::Draw;
            solution.best = own.winning_move(game, pos, n, meter).unwrap_or(None);
        }
        if solution.value.hi == Wdl::Win && other.within(game, pos, n, meter)? {
            solution.value.hi = Wdl::Draw;
        }
        Ok(())
    }
}

impl<G: Forcing> Forced<G> {
    /// A move of the defender, who loses in `n` plies, that resists for all of them.
    fn longest_defence(
        &mut self,
        game: &G,
        pos: &G::Position,
        n: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<G::Move>, Stop> {
        for mv in agon_core::collect_moves(game, pos) {
            if n < 2 || !self.within(game, &game.after(pos, mv), n - 2, meter)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// A move of the attacker after which it wins within the rest of `n` plies.
    pub fn winning_move(
        &mut self,
        game: &G,
        pos: &G::Position,
        n: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<G::Move>, Stop> {
        if game.turn(pos) != self.attacker || n == 0 {
            return Ok(None);
        }
        if let Some(mv) = game.win_now(&mut pos.clone()) {
            return Ok(Some(mv));
        }
        for mv in agon_core::collect_moves(game, pos) {
            if self.within(game, &game.after(pos, mv), n - 1, meter)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Notation, Rng, collect_moves};
    use agon_games::tak::Tak;

    /// The same question by the rules alone: without immediate wins, table or move ordering.
    fn plainly(game: &Tak, pos: &<Tak as Game>::Position, (side, least): (Player, Wdl), n: u32) -> bool {
        match game.outcome(pos) {
            Some(outcome) => outcome.seen_by(side) >= least,
            None if n == 0 => false,
            None => {
                let mut children = collect_moves(game, pos).into_iter().map(|mv| game.after(pos, mv));
                if game.turn(pos) == side {
                    children.any(|child| plainly(game, &child, (side, least), n - 1))
                } else {
                    children.all(|child| plainly(game, &child, (side, least), n - 1))
                }
            }
        }
    }

    #[test]
    fn the_search_agrees_with_plain_exhaustion() {
        let (mut rng, mut wins) = (Rng::new(3), 0);
        for (game, plays) in [(Tak::new(3, 3), 40), (Tak::new(3, 2).with_reserves(4, 1), 40)] {
            for _ in 0..plays {
                let mut pos = game.start();
                for _ in 0..4 + rng.below(12) {
                    let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                    game.play(&mut pos, mv);
                }
                for side in Player::BOTH {
                    let (mut search, mut hold) = (Forced::new(side, 1 << 16), Forced::holding(side, 1 << 16));
                    for n in 0..=3 {
                        let found = search.within(&game, &pos, n, &mut Ctx::default().meter());
                        let plain = plainly(&game, &pos, (side, Wdl::Win), n);
                        assert_eq!(found, Ok(plain), "{} within {n} for {side:?}", game.tps(&pos));
                        wins += u32::from(plain);
                        let held = hold.within(&game, &pos, n, &mut Ctx::default().meter());
                        let plain = plainly(&game, &pos, (side, Wdl::Draw), n);
                        assert_eq!(held, Ok(plain), "{} held within {n} by {side:?}", game.tps(&pos));
                    }
                }
            }
        }
        assert!(wins > 50, "{wins}");
    }

    #[test]
    fn three_by_three_is_a_win_for_white() {
        // Every first stone wins; the corner takes two plies more than the centre and the edge.
        let game = Tak::new(3, 3);
        let mut search = Forced::new(Player::First, 1 << 24);
        for (first, plies) in [("a1", 15), ("b1", 13), ("b2", 13)] {
            let pos = game.after(&game.start(), game.parse_move(&game.start(), first).unwrap());
            let found = search.shortest(&game, &pos, 20, &mut Ctx::default().meter());
            assert_eq!(found, Ok(Some(plies - 1)), "{first}");
        }
    }

    #[test]
    fn ends_are_solved_with_their_draws() {
        // Near the end of small games: the value by plain search to the last ply, where it settles.
        let game = Tak::new(3, 2).with_reserves(4, 1);
        let (mut rng, mut seen) = (Rng::new(9), [0; 3]);
        for _ in 0..400 {
            let mut pos = game.start();
            for _ in 0..5 + rng.below(8) {
                let Some(mv) = game.random_move(&pos, &mut rng) else { break };
                game.play(&mut pos, mv);
            }
            let mover = game.turn(&pos);
            let found = solve(&game, &pos, 3, 1 << 18, &Ctx::default()).solution;
            let plain = |side, least| plainly(&game, &pos, (side, least), 3);
            let expected = [
                (Wdl::Win, plain(mover, Wdl::Win)),
                (Wdl::Loss, plain(mover.other(), Wdl::Win)),
                (Wdl::Draw, plain(mover, Wdl::Draw) && plain(mover.other(), Wdl::Draw)),
            ];
            let expected = expected.into_iter().find(|(_, holds)| *holds).map(|(value, _)| value);
            assert_eq!(found.value.value(), expected, "{}", game.tps(&pos));
            if let Some(value) = expected {
                seen[value as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 5), "{seen:?}");
    }
}
