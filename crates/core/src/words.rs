//! One vocabulary for every kind of game.

use crate::ctx::Stop;
use std::fmt;

/// The two sides. `First` moves first from the start position; each game gives them display names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The side that moves first from the start position.
    First,
    /// The other side.
    Second,
}

impl Player {
    /// Both sides, first player first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// `first` or `second`, the names every game understands.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }
}

/// The outcome of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// A win of this side.
    Win(Player),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The outcome as `player` sees it.
    #[must_use]
    pub fn seen_by(self, player: Player) -> Wdl {
        match self {
            Outcome::Draw => Wdl::Draw,
            Outcome::Win(winner) if winner == player => Wdl::Win,
            Outcome::Win(_) => Wdl::Loss,
        }
    }

    /// The side that won, if any.
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }
}

/// Either a side is to move, or the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// That side is to move.
    Turn(Player),
    /// The play has ended.
    Over(Outcome),
}

/// Loss, draw or win, ordered by preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The worst.
    Loss,
    /// In between; also the value of infinite play.
    Draw,
    /// The best.
    Win,
}

impl Wdl {
    /// The same result seen by the opponent.
    #[must_use]
    pub fn flip(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The value of a move for the side that makes it, from the value of the child it leads to. `same_mover` says that
    /// the same side moves in the child.
    #[must_use]
    pub fn to_parent_with(self, same_mover: bool) -> Wdl {
        if same_mover { self } else { self.flip() }
    }

    /// `loss`, `draw` or `win`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }

    /// Reads what [`Wdl::name`] writes.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Wdl> {
        [Wdl::Loss, Wdl::Draw, Wdl::Win].into_iter().find(|w| w.name() == name)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The *proven* bounds of a position's value, seen by the mover. An estimate is never a `Bounds`.
///
/// ```
/// use agon_core::{Bounds, Wdl};
/// let not_lost = Bounds { lo: Wdl::Draw, hi: Wdl::Win };
/// let not_won = Bounds { lo: Wdl::Loss, hi: Wdl::Draw };
/// assert_eq!(not_lost.and(not_won), Some(Bounds::exactly(Wdl::Draw)));
/// assert_eq!(Bounds::exactly(Wdl::Win).and(not_won), None); // a contradiction: a bug
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The mover gets at least this.
    pub lo: Wdl,
    /// The mover gets at most this.
    pub hi: Wdl,
}

impl Bounds {
    /// No bound is proven.
    pub const UNKNOWN: Bounds = Bounds { lo: Wdl::Loss, hi: Wdl::Win };

    /// The value is proven.
    #[must_use]
    pub fn exactly(value: Wdl) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// The intersection of two results; `None` when they contradict each other.
    #[must_use]
    pub fn and(self, other: Bounds) -> Option<Bounds> {
        let both = Bounds { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (both.lo <= both.hi).then_some(both)
    }

    /// The same bounds seen by the opponent.
    #[must_use]
    pub fn flip(self) -> Bounds {
        Bounds { lo: self.hi.flip(), hi: self.lo.flip() }
    }

    /// The bounds of a move for the side that makes it, from those of the child it leads to. `same_mover` says that the
    /// same side moves in the child.
    #[must_use]
    pub fn to_parent_with(self, same_mover: bool) -> Bounds {
        if same_mover { self } else { self.flip() }
    }

    /// The value, if both bounds are equal.
    #[must_use]
    pub fn value(self) -> Option<Wdl> {
        (self.lo == self.hi).then_some(self.lo)
    }
}

/// An exact value for the mover *with* its distance, ordered by preference: a quick win beats a slow
/// one, any win beats a draw, a slow loss beats a quick one. Draws carry no distance.
///
/// ```
/// use agon_core::{Value, Wdl};
/// assert!(Value::win_in(3) > Value::win_in(5) && Value::win_in(5) > Value::DRAW);
/// assert!(Value::DRAW > Value::loss_in(6) && Value::loss_in(6) > Value::loss_in(2));
/// assert_eq!(Value::loss_in(2).to_parent(), Value::win_in(3));
/// assert_eq!(Value::loss_in(2).to_parent_with(true), Value::loss_in(3)); // the same side moves again
/// assert_eq!(Value::win_in(3).wdl(), Wdl::Win);
/// assert_eq!(Value::DRAW.plies(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(i16);

impl Value {
    const SOONEST: i16 = 32_000;
    /// The longest distance that a value can hold, in plies.
    pub const LONGEST: u32 = 29_999;
    /// Neither side can force a win.
    pub const DRAW: Value = Value(0);
    /// Worse than every value.
    pub const WORST: Value = Value(-32_700);
    /// A finished play, lost: the worst value.
    pub const SOONEST_LOSS: Value = Value(-Value::SOONEST);
    /// A finished play, won: the best value.
    pub const SOONEST_WIN: Value = Value(Value::SOONEST);
    /// Better than every value.
    pub const BEST: Value = Value(32_700);

    /// The mover wins after that many plies at best; 30,000 and more count as 29,999.
    #[must_use]
    pub fn win_in(plies: u32) -> Value {
        Value(Self::SOONEST - plies.min(Self::LONGEST) as i16)
    }

    /// The mover loses after that many plies at best; 30,000 and more count as 29,999.
    #[must_use]
    pub fn loss_in(plies: u32) -> Value {
        Value(plies.min(Self::LONGEST) as i16 - Self::SOONEST)
    }

    /// The value of a finished play.
    #[must_use]
    pub fn finished(wdl: Wdl) -> Value {
        match wdl {
            Wdl::Win => Value::win_in(0),
            Wdl::Draw => Value::DRAW,
            Wdl::Loss => Value::loss_in(0),
        }
    }

    /// The value without its distance.
    #[must_use]
    pub fn wdl(self) -> Wdl {
        match self.0 {
            0 => Wdl::Draw,
            1.. => Wdl::Win,
            _ => Wdl::Loss,
        }
    }

    /// The distance in plies; `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        (self.0 != 0).then(|| (Self::SOONEST - self.0.abs()) as u32)
    }

    /// The value of a move for the side that makes it, from the value of the child it leads to. The turn passes.
    #[must_use]
    #[inline]
    pub fn to_parent(self) -> Value {
        // Branch-free, because the branches would be as hard to predict as the game.
        Value(self.0.signum() - self.0)
    }

    /// The inverse of [`Value::to_parent`]: converts a bound for the parent's mover into one for the child's.
    #[must_use]
    #[inline]
    pub fn to_child(self) -> Value {
        Value((-self.0 - self.0.signum()).clamp(Value::WORST.0, Value::BEST.0))
    }

    /// The value of a move for the side that makes it, from the value of the child it leads to. `same_mover` says that
    /// the same side moves in the child.
    #[must_use]
    #[inline]
    pub fn to_parent_with(self, same_mover: bool) -> Value {
        if same_mover { Value(self.0 - self.0.signum()) } else { self.to_parent() }
    }

    /// The inverse of [`Value::to_parent_with`].
    #[must_use]
    #[inline]
    pub fn to_child_with(self, same_mover: bool) -> Value {
        if same_mover {
            Value((self.0 + self.0.signum()).clamp(Value::WORST.0, Value::BEST.0))
        } else {
            self.to_child()
        }
    }

    /// The value of a line of that many forced moves for the side that begins it, from the value of the position it
    /// leads to. The turn alternates.
    #[must_use]
    #[inline]
    pub fn to_ancestor(self, plies: u32) -> Value {
        let value = self.0 - self.0.signum() * plies as i16;
        Value(if plies & 1 == 1 { -value } else { value })
    }

    /// The inverse of [`Value::to_ancestor`].
    #[must_use]
    #[inline]
    pub fn to_descendant(self, plies: u32) -> Value {
        let value = (self.0 + self.0.signum() * plies as i16).clamp(Value::WORST.0, Value::BEST.0);
        Value(if plies & 1 == 1 { -value } else { value })
    }

    /// The next lower number, whether or not it is a value: a safe lower end for the window of a search.
    #[must_use]
    #[inline]
    pub fn just_below(self) -> Value {
        Value(self.0 - 1)
    }

    /// The next higher number, whether or not it is a value.
    #[must_use]
    #[inline]
    pub fn just_above(self) -> Value {
        Value(self.0 + 1)
    }

    /// A compact non-zero code, for tables in which zero means "not valued yet".
    #[must_use]
    pub fn code(self) -> u16 {
        (self.0 as u16) ^ 0x8000
    }

    /// Reads what [`Value::code`] wrote.
    #[must_use]
    pub fn from_code(code: u16) -> Value {
        Value((code ^ 0x8000) as i16)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.wdl()),
            None => f.write_str("draw"),
        }
    }
}

/// The result of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// The proven bounds, seen by the mover.
    pub value: Bounds,
    /// Plies to the end when the winner hurries and the loser delays; for draws only where the rules
    /// fix the length of every drawn play.
    pub plies: Option<u32>,
    /// A move that reaches the value.
    pub best: Option<M>,
    /// The number of positions visited.
    pub nodes: u64,
    /// Why the search ended before the bounds met, if it did.
    pub stopped: Option<Stop>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_their_code_and_a_step_to_the_parent_and_back() {
        for v in [Value::DRAW, Value::win_in(0), Value::win_in(9), Value::loss_in(0), Value::loss_in(40)] {
            assert_eq!(Value::from_code(v.code()), v);
            assert_ne!(v.code(), 0);
            assert_eq!(v.to_parent().to_child(), v);
            assert_eq!(v.to_parent().wdl(), v.wdl().flip());
            for again in [false, true] {
                assert_eq!(v.to_parent_with(again).to_child_with(again), v);
                assert_eq!(v.to_parent_with(again).wdl(), v.wdl().to_parent_with(again));
                assert_eq!(v.to_parent_with(again).plies(), v.plies().map(|plies| plies + 1));
            }
        }
        assert_eq!(Value::loss_in(0).to_parent(), Value::win_in(1));
        assert_eq!(Value::win_in(4).to_parent(), Value::loss_in(5));
    }

    #[test]
    fn steps_to_an_ancestor_are_steps_to_the_parent() {
        for v in [Value::DRAW, Value::win_in(0), Value::win_in(9), Value::loss_in(0), Value::loss_in(40)] {
            let mut up = v;
            for plies in 0..50 {
                assert_eq!((v.to_ancestor(plies), up.to_descendant(plies)), (up, v));
                up = up.to_parent();
            }
        }
        assert_eq!(Value::BEST.to_descendant(60).to_descendant(60), Value::BEST);
    }

    #[test]
    fn no_distance_turns_a_win_into_something_else() {
        for plies in [29_999, 30_000, 32_000, 32_767, 65_535, 65_536, 1_000_000, u32::MAX] {
            assert_eq!((Value::win_in(plies).wdl(), Value::loss_in(plies).wdl()), (Wdl::Win, Wdl::Loss), "{plies}");
            assert_eq!(Value::win_in(plies).plies(), Some(29_999));
        }
    }

    #[test]
    fn bounds_meet_or_contradict() {
        let draw = Bounds::exactly(Wdl::Draw);
        assert_eq!(Bounds::UNKNOWN.and(draw), Some(draw));
        assert_eq!(Bounds::exactly(Wdl::Win).and(draw), None);
        assert_eq!(Bounds::exactly(Wdl::Win).flip(), Bounds::exactly(Wdl::Loss));
    }
}
