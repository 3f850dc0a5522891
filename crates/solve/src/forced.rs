//! Forced wins within a number of plies, for games in which play can go round.
//!
//! A win within `n` plies is a finite statement, so cycles do no harm: the search asks for n = 1, 2, 3, …
//! and the first yes is the shortest forced win. A yes for the side to move or for its opponent settles
//! the value; a draw is never proven this way.

use agon_core::forcing::Forcing;
use agon_core::{Bounds, Ctx, Meter, Player, Solution, Stop, Wdl};

/// What is known of one position: the attacker wins within `proved` plies, and not within `refuted`.
#[derive(Clone, Copy)]
struct Entry {
    key: u128,
    proved: u8,
    refuted: u8,
}

const NEVER: u8 = u8::MAX;

impl Entry {
    const FREE: Entry = Entry { key: 0, proved: NEVER, refuted: 0 };

    fn is_free(&self) -> bool {
        self.proved == NEVER && self.refuted == 0
    }
}

/// Remembers what it found for one attacker.
pub struct Forced<G: Forcing> {
    attacker: Player,
    table: Vec<Entry>,
    /// Entries in use, and the most there may be.
    used: usize,
    most: usize,
    /// Move lists of the current line, one above the other.
    moves: Vec<(i32, G::Move)>,
}

impl<G: Forcing> Forced<G> {
    /// Searches wins of `attacker` with a table of at most that many bytes.
    #[must_use]
    pub fn new(attacker: Player, bytes: usize) -> Forced<G> {
        let most = 1 << (bytes / size_of::<Entry>()).max(2).ilog2();
        Forced { attacker, table: vec![Entry::FREE; most.min(1 << 14)], used: 0, most, moves: Vec::new() }
    }

    /// Whether the attacker wins within `n` plies from `pos`, whoever is to move.
    pub fn within(&mut self, game: &G, pos: &G::Position, n: u32, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let mut pos = pos.clone();
        self.moves.clear();
        self.search(game, &mut pos, n.min(250) as u8, meter)
    }

    /// The shortest win of the attacker that takes at most `most` plies.
    pub fn shortest(
        &mut self,
        game: &G,
        pos: &G::Position,
        most: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        let first = u32::from(game.turn(pos) == self.attacker);
        for n in (first..=most).step_by(2) {
            if self.within(game, pos, n, meter)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    fn search(&mut self, game: &G, pos: &mut G::Position, n: u8, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        meter.tick()?;
        // Step 1: finished plays, and wins at sight of either side.
        if let Some(outcome) = game.outcome(pos) {
            return Ok(outcome.winner() == Some(self.attacker));
        }
        if n == 0 {
            return Ok(false);
        }
        let attacks = game.turn(pos) == self.attacker;
        if game.win_now(pos).is_some() {
            return Ok(attacks);
        }
        if attacks && n == 1 {
            return Ok(false);
        }
        // Step 2: what is known already.
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
        // Step 3: one move of the attacker must do, or every reply must fail; the promising ones first.
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
        // Step 4: remember it.
        self.remember(key, n, won);
        Ok(won)
    }

    fn remember(&mut self, key: u128, n: u8, won: bool) {
        if self.used > self.table.len() / 2 && self.table.len() < self.most {
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

/// The value of `pos`, if either side wins within `most` plies; else what that leaves open.
pub fn solve<G: Forcing>(game: &G, pos: &G::Position, most: u32, bytes: usize, ctx: &Ctx) -> Solution<G::Move> {
    let mut meter = ctx.meter();
    let mover = game.turn(pos);
    let mut solution = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
    if let Some(outcome) = game.outcome(pos) {
        solution.value = Bounds::exactly(outcome.seen_by(mover));
        solution.plies = Some(0);
        return solution;
    }
    let (mut own, mut other) = (Forced::new(mover, bytes / 2), Forced::new(mover.other(), bytes / 2));
    for n in 1..=most {
        ctx.progress("solving, plies", u64::from(n), None);
        let (side, value) = if n % 2 == 1 { (&mut own, Wdl::Win) } else { (&mut other, Wdl::Loss) };
        match side.within(game, pos, n, &mut meter) {
            Err(stop) => solution.stopped = Some(stop),
            Ok(false) => continue,
            Ok(true) => {
                solution.value = Bounds::exactly(value);
                solution.plies = Some(n);
                solution.best = match value {
                    Wdl::Win => own.winning_move(game, pos, n, &mut meter).unwrap_or(None),
                    _ => other.longest_defence(game, pos, n, &mut meter).unwrap_or(None),
                };
            }
        }
        break;
    }
    solution.nodes = meter.nodes();
    solution
}

impl<G: Forcing> Forced<G> {
    /// A move of the defender, who loses in `n` plies, that makes them last.
    fn longest_defence(
        &mut self,
        game: &G,
        pos: &G::Position,
        n: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<G::Move>, Stop> {
        for mv in agon_core::collect_moves(game, pos) {
            if n < 3 || !self.within(game, &game.after(pos, mv), n - 3, meter)? {
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

    /// The same question by the rules alone: no wins at sight, no table, no order.
    fn plainly(game: &Tak, pos: &<Tak as Game>::Position, side: Player, n: u32) -> bool {
        match game.outcome(pos) {
            Some(outcome) => outcome.winner() == Some(side),
            None if n == 0 => false,
            None => {
                let mut children = collect_moves(game, pos).into_iter().map(|mv| game.after(pos, mv));
                if game.turn(pos) == side {
                    children.any(|child| plainly(game, &child, side, n - 1))
                } else {
                    children.all(|child| plainly(game, &child, side, n - 1))
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
                    let mut search = Forced::new(side, 1 << 16);
                    for n in 0..=3 {
                        let found = search.within(&game, &pos, n, &mut Ctx::default().meter());
                        let plain = plainly(&game, &pos, side, n);
                        assert_eq!(found, Ok(plain), "{} within {n} for {side:?}", game.tps(&pos));
                        wins += u32::from(plain);
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
}
