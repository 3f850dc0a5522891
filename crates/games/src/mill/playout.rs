//! Random playouts of games in which lines of three capture, without listing moves.
//!
//! Rejection sampling draws a man and a direction until they make a move. A move that closes a line counts once for
//! each man that it can capture, so it gets as many more tickets. The men in each line are counted incrementally, in
//! four bits a line, so that bit operations find the threats.

use super::{Bar, Blocked, Early, Fly, Line, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::{Outcome, Player, Rng};

/// The tables of a board for playouts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quick {
    /// For each point, four bits a line: 1 in the lines through the point.
    lines_at: Vec<u64>,
    /// The points adjacent to each point, filled up with the point itself.
    ways: Vec<[u8; MAX_NEIGHBOURS]>,
}

/// The most neighbours of a point, rounded up to a power of two.
const MAX_NEIGHBOURS: usize = 4;
/// The lowest bit of every group of four.
const ONES: u64 = 0x1111_1111_1111_1111;

impl Quick {
    /// `None` if there are too many lines, lines are too long, or a point has too many neighbours.
    pub(super) fn new(near: &[Cells], mills: &[Cells]) -> Option<Quick> {
        let fits = mills.len() <= 16
            && mills.iter().all(|line| line.count_ones() == 3)
            && near.iter().all(|set| set.count_ones() as usize <= MAX_NEIGHBOURS);
        fits.then(|| {
            let lines_at = |p: usize| {
                let through = mills.iter().enumerate().filter(|(_, line)| **line >> p & 1 == 1);
                through.fold(0, |set, (i, _)| set | 1 << (4 * i))
            };
            let ways = |p: usize| {
                let mut ways = [p as u8; MAX_NEIGHBOURS];
                each_cell(near[p]).zip(&mut ways).for_each(|(to, way)| *way = to as u8);
                ways
            };
            Quick { lines_at: (0..near.len()).map(lines_at).collect(), ways: (0..near.len()).map(ways).collect() }
        })
    }
}

/// One side of a playout.
#[derive(Clone, Copy)]
struct Side {
    men: Cells,
    /// The points of the men, unordered.
    list: [u8; 16],
    count: usize,
    hand: u8,
    /// The number of men in each line, in four bits.
    lines: u64,
}

impl Side {
    fn new(quick: &Quick, men: Cells, hand: u8) -> Side {
        let mut side = Side { men: 0, list: [0; 16], count: 0, hand, lines: 0 };
        each_cell(men).for_each(|p| side.add(quick, p));
        side
    }

    #[inline]
    fn add(&mut self, quick: &Quick, p: usize) {
        self.list[self.count & 15] = p as u8;
        self.count += 1;
        self.men |= 1 << p;
        self.lines += quick.lines_at[p];
    }

    /// Removes a man by its index in the list.
    #[inline]
    fn remove(&mut self, quick: &Quick, at: usize) {
        let p = usize::from(self.list[at & 15]);
        self.count -= 1;
        self.list[at & 15] = self.list[self.count & 15];
        self.men &= !(1 << p);
        self.lines -= quick.lines_at[p];
    }

    /// Lines with exactly two men: the lowest bit of each four.
    #[inline]
    fn twos(&self) -> u64 {
        self.lines >> 1 & !self.lines & ONES
    }

    /// Lines with three men.
    #[inline]
    fn threes(&self) -> u64 {
        self.lines >> 1 & self.lines & ONES
    }
}

/// Moves that close a line: the source (or none), and the target.
struct Closing {
    list: [(u8, u8); MAX_CLOSING],
    count: usize,
}

/// An upper bound of the moves that close a line, for at most 15 men and lines of three.
const MAX_CLOSING: usize = 64;

impl Default for Closing {
    fn default() -> Closing {
        Closing { list: [(0, 0); MAX_CLOSING], count: 0 }
    }
}

impl Closing {
    fn push(&mut self, from: usize, to: usize) {
        let known = self.list[..self.count].contains(&(from as u8, to as u8));
        if !known && self.count < self.list.len() {
            self.list[self.count] = (from as u8, to as u8);
            self.count += 1;
        }
    }
}

/// Attempts of rejection sampling before the moves are listed.
const MAX_REJECTIONS: usize = 24;

impl Mill {
    /// The tables for playouts, if the rules allow this method.
    pub(super) fn plays_quickly(&self) -> Option<&Quick> {
        let plain = self.rules.line == Line::Captures
            && self.rules.early == Early::Wins
            && self.rules.bar == Bar::None
            && self.rules.blocked != Blocked::Passes
            && !self.rules.mixed
            && !self.board.leaping;
        self.board.quick.as_ref().filter(|_| plain)
    }

    /// Runs a playout to the end.
    pub(super) fn quick_playout(&self, quick: &Quick, pos: Men, rng: &mut Rng) -> Outcome {
        let mut sides = [0, 1].map(|i| Side::new(quick, pos.sides[i], pos.hand[i]));
        let mut turn = pos.turn;
        loop {
            if let Some(outcome) = self.quick_step(quick, &mut sides, turn, rng) {
                return outcome;
            }
            turn = turn.other();
        }
    }

    /// Plays one random move, or returns the outcome.
    #[inline]
    fn quick_step(&self, quick: &Quick, sides: &mut [Side; 2], turn: Player, rng: &mut Rng) -> Option<Outcome> {
        let (own, other) = (&sides[turn as usize], &sides[1 - turn as usize]);
        if own.count + usize::from(own.hand) < 3 {
            return Some(Outcome::Win(turn.other()));
        }
        let empty = self.board.all() & !(own.men | other.men);
        if empty == 0 {
            return Some(Outcome::Draw);
        }
        let closing = if other.men == 0 { Closing::default() } else { self.closing(own, empty) };
        let takeable = if closing.count == 0 { 1 } else { self.takeable_of(other).count_ones() as usize };
        // One ticket for every man and direction, and the extra tickets of moves that close a line.
        let extra = closing.count * (takeable - 1);
        let drawn = match own.hand {
            0 => self.draw_move(quick, own, empty, extra, rng),
            _ => self.draw_point(empty, extra, rng),
        };
        let (at, to) = match drawn {
            Drawn::Move(at, to) => (at, to),
            Drawn::Extra(ticket) => {
                let (from, to) = closing.list[ticket / (takeable - 1)];
                let at = own.list[..own.count].iter().position(|&p| p == from);
                (at.unwrap_or(NOWHERE), usize::from(to))
            }
            Drawn::Nothing if self.rules.blocked == Blocked::Draws => return Some(Outcome::Draw),
            Drawn::Nothing => return Some(Outcome::Win(turn.other())),
        };
        self.quick_move(quick, sides, turn, (at, to), rng);
        None
    }

    #[inline]
    fn closing(&self, own: &Side, empty: Cells) -> Closing {
        let mut closing = Closing::default();
        let mut twos = own.twos();
        while twos != 0 {
            let line = self.board.mills[twos.trailing_zeros() as usize / 4];
            twos &= twos - 1;
            let to = line & !own.men;
            if to & empty == 0 {
                continue;
            }
            let to = to.trailing_zeros() as usize;
            if own.hand > 0 {
                closing.push(NOWHERE, to);
            } else {
                let able = if self.flies_quickly(own) { own.men } else { self.board.near[to] & own.men };
                each_cell(able & !line).for_each(|from| closing.push(from, to));
            }
        }
        closing
    }

    #[inline]
    fn takeable_of(&self, other: &Side) -> Cells {
        let (mut threes, mut standing) = (other.threes(), 0);
        while threes != 0 {
            standing |= self.board.mills[threes.trailing_zeros() as usize / 4];
            threes &= threes - 1;
        }
        let free = other.men & !standing;
        if free == 0 { other.men } else { free }
    }

    /// Draws a ticket: an empty point, or one of the extra tickets.
    #[inline]
    fn draw_point(&self, empty: Cells, extra: usize, rng: &mut Rng) -> Drawn {
        let points = self.board.size();
        loop {
            let ticket = rng.below(points + extra);
            if ticket >= points {
                return Drawn::Extra(ticket - points);
            }
            if empty >> ticket & 1 == 1 {
                return Drawn::Move(NOWHERE, ticket);
            }
        }
    }

    /// Draws a ticket: a man and a direction, or one of the extra tickets.
    #[inline]
    fn draw_move(&self, quick: &Quick, own: &Side, empty: Cells, extra: usize, rng: &mut Rng) -> Drawn {
        if self.flies_quickly(own) {
            let (points, all) = (self.board.size(), own.count * self.board.size());
            loop {
                let ticket = rng.below(all + extra);
                if ticket >= all {
                    return Drawn::Extra(ticket - all);
                }
                if empty >> (ticket % points) & 1 == 1 {
                    return Drawn::Move(ticket / points, ticket % points);
                }
            }
        }
        let all = own.count * MAX_NEIGHBOURS;
        for tries in 0.. {
            if tries == MAX_REJECTIONS {
                let able = |&from: &u8| self.board.near[usize::from(from)] & empty != 0;
                if !own.list[..own.count].iter().any(able) {
                    return Drawn::Nothing;
                }
            }
            // Two draws from one random number: 32 bits suffice for about fifty tickets.
            let bits = rng.next_u64();
            for half in [bits & 0xffff_ffff, bits >> 32] {
                let ticket = ((half * (all + extra) as u64) >> 32) as usize;
                if ticket >= all {
                    return Drawn::Extra(ticket - all);
                }
                let at = ticket / MAX_NEIGHBOURS;
                let to = quick.ways[usize::from(own.list[at & 15])][ticket % MAX_NEIGHBOURS];
                if empty >> to & 1 == 1 {
                    return Drawn::Move(at, usize::from(to));
                }
            }
        }
        Drawn::Nothing
    }

    #[inline]
    fn flies_quickly(&self, own: &Side) -> bool {
        match self.rules.fly {
            Fly::Never => false,
            Fly::AtThree => own.hand == 0 && own.count <= 3,
            Fly::Always => true,
        }
    }

    #[inline]
    fn quick_move(&self, quick: &Quick, sides: &mut [Side; 2], turn: Player, (at, to): (usize, usize), rng: &mut Rng) {
        let own = &mut sides[turn as usize];
        if at == NOWHERE {
            own.hand -= 1;
        } else {
            own.remove(quick, at);
        }
        own.add(quick, to);
        let closes = own.threes() & quick.lines_at[to] != 0;
        let other = &mut sides[1 - turn as usize];
        if closes && other.count > 0 {
            let takeable = self.takeable_of(other);
            loop {
                let at = rng.below(other.count);
                if takeable >> other.list[at & 15] & 1 == 1 {
                    return other.remove(quick, at);
                }
            }
        }
    }
}

const NOWHERE: usize = u8::MAX as usize;

/// A ticket.
enum Drawn {
    /// A man, by index (or none), and the target.
    Move(usize, usize),
    /// An extra ticket of a move that closes a line.
    Extra(usize),
    /// There is no move.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Game};

    /// Wins of each side among random plays, by listing moves and without.
    #[test]
    fn quick_plays_end_as_listed_ones_do() {
        const GAMES: usize = 6_000;
        for (name, from) in [("morris:nine", None), ("morris:six", None), ("morris:five,blocked=draws", None)] {
            let game = Mill::from_spelling(name).unwrap().0;
            let from: Men = from.unwrap_or_else(|| game.start());
            let quick = game.plays_quickly().expect("morris has short lines");
            let mut rng = Rng::new(11);
            let listed = |rng: &mut Rng| {
                let mut pos = from;
                while let Some(mv) = game.random_move(&pos, rng) {
                    game.play(&mut pos, mv);
                }
                game.outcome(&pos)
            };
            let first = Some(Outcome::Win(Player::First));
            let slow = (0..GAMES).filter(|_| listed(&mut rng) == first).count() as f64 / GAMES as f64;
            let fast = (0..GAMES).filter(|_| Some(game.quick_playout(quick, from, &mut rng)) == first).count();
            let fast = fast as f64 / GAMES as f64;
            // Five standard deviations of the difference of two shares.
            let wide = 5.0 * (2.0 * slow * (1.0 - slow) / GAMES as f64).sqrt();
            assert!((slow - fast).abs() < wide, "{name}: {slow} and {fast}");
        }
    }

    /// Each first move of a position has the same chance, captures counted one by one.
    #[test]
    fn every_move_has_the_same_chance() {
        let six = Mill::from_spelling("morris:six").unwrap().0;
        use agon_core::Notation;
        let pos = six.parse("WW./.../...W/B.B/BB.:w").unwrap();
        let moves = agon_core::collect_moves(&six, &pos);
        let quick = six.plays_quickly().unwrap();
        let mut seen = std::collections::BTreeMap::<Men, usize>::new();
        let mut rng = Rng::new(5);
        const DRAWS: usize = 40_000;
        for _ in 0..DRAWS {
            let mut sides = [0, 1].map(|i| Side::new(quick, pos.sides[i], 0));
            assert_eq!(six.quick_step(quick, &mut sides, pos.turn, &mut rng), None);
            let after = Men { sides: sides.map(|side| side.men), turn: Player::Second, ..pos };
            *seen.entry(after).or_default() += 1;
        }
        let expected = DRAWS as f64 / moves.len() as f64;
        assert_eq!(seen.len(), moves.len());
        for (after, n) in seen {
            assert!((n as f64 - expected).abs() < 5.0 * expected.sqrt(), "{n} of {expected} for {after:?}");
        }
    }
}
