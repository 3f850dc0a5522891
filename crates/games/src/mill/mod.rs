//! Mill games: men are placed on the points of a board and then moved along its lines; a line of your own men wins, or
//! captures a man of the other side.
//!
//! | module | idea |
//! |---|---|
//! | [`board`] | boards as data, their symmetries |
//! | this one | the rules, for every board and every choice of parameters |
//! | [`presets`] | the games by name |
//! | [`rules_line`] | the rules as one line of text |
//! | `explain` | what is wrong with a move that was typed |
//! | `playout` | random plays |
//! | [`ranking`] | indices of positions: ranks of sets, up to symmetry |
//! | `tables` | the tables of a game, and the indices of positions |
//! | `expand` | expansion and unmoves of many positions at once |

pub mod board;
#[cfg(test)]
mod defence;
mod evaluate;
mod expand;
mod explain;
mod notation;
mod playout;
pub mod presets;
pub mod ranking;
pub mod rules_line;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod vocabulary;

use crate::grid::{Cells, each_cell};
use agon_core::{Alternating, Game, Guide, Outcome, Player, Rng, Symmetric};
use board::Board;
use std::sync::Arc;

/// The effect of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// It wins the game.
    Wins,
    /// It takes a man; a side with fewer than three men has lost.
    Captures,
}

/// The sides that may move to any empty point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fly {
    /// Neither side.
    Never,
    /// A side with three men, none in hand.
    AtThree,
    /// Everybody.
    Always,
}

/// The fate of a side that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// It has lost.
    Loses,
    /// The other side moves again.
    Passes,
    /// The game is drawn.
    Draws,
}

/// The effect of a line that is made by placing a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Early {
    /// As much as any other line.
    Wins,
    /// No effect.
    Ignored,
    /// It may not be made.
    Forbidden,
}

/// The rule for placing men on the centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bar {
    /// Always.
    None,
    /// Not the first man of the game.
    First,
    /// Never; it can be moved to.
    Placing,
}

/// Everything but the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Men of each side.
    pub men: u8,
    /// The effect of a line.
    pub line: Line,
    /// The sides that may fly.
    pub fly: Fly,
    /// The fate of a side that cannot move.
    pub blocked: Blocked,
    /// The effect of a line that is made by placing a man.
    pub early: Early,
    /// The rule for the centre.
    pub bar: Bar,
    /// True if men may be moved before all are placed.
    pub mixed: bool,
    /// The points of the men at the start, if they are not placed.
    pub start: Option<[Cells; 2]>,
}

/// Men on points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Men {
    /// The men of the first and of the second player.
    pub sides: [Cells; 2],
    /// Men still to be placed.
    pub hand: [u8; 2],
    /// Whose turn it is.
    pub turn: Player,
    /// The last move made a line that wins.
    pub won: bool,
}

impl Men {
    /// The men of the side to move, and of the other.
    #[inline]
    #[must_use]
    pub fn own_and_other(&self) -> (Cells, Cells) {
        let me = self.turn as usize;
        (self.sides[me], self.sides[1 - me])
    }

    /// The same position with the sides exchanged, the turn included: the rules are the same for both.
    #[must_use]
    pub fn exchanged(&self) -> Men {
        let ([first, second], [one, two]) = (self.sides, self.hand);
        Men { sides: [second, first], hand: [two, one], turn: self.turn.other(), won: self.won }
    }

    /// Men in hand of the side to move, and of the other.
    #[inline]
    #[must_use]
    pub fn hands(&self) -> (u8, u8) {
        let me = self.turn as usize;
        (self.hand[me], self.hand[1 - me])
    }
}

/// No point.
const NONE: u8 = u8::MAX;

/// A man is placed or moved, and perhaps another taken; or nothing, when a blocked side passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    from: u8,
    to: u8,
    take: u8,
}

impl Step {
    /// No man moves.
    pub const PASS: Step = Step { from: NONE, to: NONE, take: NONE };

    /// The source of the man, if it was on the board.
    #[must_use]
    pub fn from(self) -> Option<usize> {
        (self.from != NONE).then(|| usize::from(self.from))
    }

    /// The target of the man; `None` for a pass.
    #[must_use]
    pub fn to(self) -> Option<usize> {
        (self.to != NONE).then(|| usize::from(self.to))
    }

    /// The man taken.
    #[must_use]
    pub fn take(self) -> Option<usize> {
        (self.take != NONE).then(|| usize::from(self.take))
    }
}

/// A mill game. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Mill {
    board: Arc<Board>,
    rules: Rules,
    ranking: Arc<ranking::Ranking>,
}

/// A side with fewer men than this has lost, where lines capture.
const MIN_MEN: u32 = 3;

impl Mill {
    /// A board with rules. At most 64 points, and men that fit.
    #[must_use]
    pub fn new(mut board: Board, rules: Rules) -> Mill {
        assert!(board.size() <= 64 && usize::from(rules.men) * 2 <= board.size());
        assert!(usize::from(rules.men) <= ranking::MAX_MEN);
        if rules.bar != Bar::None {
            board.fix_centre();
        }
        let ranking = ranking::Ranking::new(board.size(), usize::from(rules.men));
        Mill { board: Arc::new(board), rules, ranking: Arc::new(ranking) }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The points without a man.
    #[inline]
    fn empty(&self, pos: &Men) -> Cells {
        self.board.all() & !(pos.sides[0] | pos.sides[1])
    }

    /// Returns whether men of that number may go anywhere.
    #[inline]
    fn flies(&self, men: Cells, hand: u8) -> bool {
        match self.rules.fly {
            Fly::Never => false,
            Fly::AtThree => hand == 0 && men.count_ones() <= MIN_MEN,
            Fly::Always => true,
        }
    }

    /// The points that a man on `from` can reach by leaping.
    fn leaps(&self, from: usize, taken: Cells) -> Cells {
        let able = self.board.leaps[from].iter().filter(|(over, to)| taken >> over & 1 == 1 && taken >> to & 1 == 0);
        able.fold(0, |set, (_, to)| set | 1 << to)
    }

    /// The points on which the side to move may place a man.
    fn room(&self, pos: &Men) -> Cells {
        let empty = self.empty(pos);
        let first = pos.sides == [0, 0];
        let barred = match self.rules.bar {
            Bar::None => false,
            Bar::First => first,
            Bar::Placing => true,
        };
        let open = match self.board.centre.filter(|_| barred) {
            Some(centre) => empty & !(1 << centre),
            None => empty,
        };
        if self.rules.early != Early::Forbidden {
            return open;
        }
        let own = pos.own_and_other().0;
        each_cell(open).filter(|&p| !self.board.closes(own | 1 << p, p)).fold(0, |set, p| set | 1 << p)
    }

    /// Calls `each` with the points a man of `own` can go to, man by man.
    #[inline]
    fn each_walk(&self, own: Cells, hand: u8, empty: Cells, mut each: impl FnMut(usize, Cells)) {
        let flies = self.flies(own, hand);
        let leaping = !flies && self.board.leaps.iter().any(|list| !list.is_empty());
        for from in each_cell(own) {
            let mut to = if flies { empty } else { self.board.near[from] & empty };
            if leaping {
                to |= self.leaps(from, self.board.all() & !empty);
            }
            each(from, to);
        }
    }

    /// Returns whether men are moved in this position.
    #[inline]
    fn walks(&self, hand: u8) -> bool {
        hand == 0 || self.rules.mixed
    }

    /// Returns whether the side to move can place or move a man.
    #[must_use]
    pub fn can_move(&self, pos: &Men) -> bool {
        let (own, _) = pos.own_and_other();
        let (hand, _) = pos.hands();
        if hand > 0 && self.room(pos) != 0 {
            return true;
        }
        let mut any = false;
        if self.walks(hand) {
            self.each_walk(own, hand, self.empty(pos), |_, to| any |= to != 0);
        }
        any
    }

    /// The men of `other` that may be taken: those on no line, or all when every one is on a line.
    fn takeable(&self, other: Cells) -> Cells {
        let free = other & !self.board.in_lines(other);
        if free == 0 { other } else { free }
    }

    /// Calls `each` for the move to `to`, with every man that may be taken by it.
    #[inline]
    fn emit(&self, own: Cells, other: Cells, from: u8, to: usize, each: &mut impl FnMut(Step)) {
        let plain = Step { from, to: to as u8, take: NONE };
        let counts = from != NONE || self.rules.early == Early::Wins;
        if self.rules.line == Line::Captures && counts && other != 0 {
            let lifted = if from == NONE { own } else { own & !(1 << from) };
            if self.board.closes(lifted | 1 << to, to) {
                return each_cell(self.takeable(other)).for_each(|take| each(Step { take: take as u8, ..plain }));
            }
        }
        each(plain);
    }
}

impl Alternating for Mill {}

impl Game for Mill {
    const ALTERNATES: bool = true;

    type Position = Men;
    type Move = Step;
    type Undo = Men;

    fn start(&self) -> Men {
        let (sides, hand) = match self.rules.start {
            Some(sides) => (sides, [0, 0]),
            None => ([0, 0], [self.rules.men; 2]),
        };
        Men { sides, hand, turn: Player::First, won: false }
    }

    fn turn(&self, pos: &Men) -> Player {
        pos.turn
    }

    fn outcome(&self, pos: &Men) -> Option<Outcome> {
        let (own, _) = pos.own_and_other();
        let few = || own.count_ones() + u32::from(pos.hands().0) < MIN_MEN;
        if pos.won || (self.rules.line == Line::Captures && few()) {
            return Some(Outcome::Win(pos.turn.other()));
        }
        if self.empty(pos) == 0 {
            return Some(Outcome::Draw);
        }
        match self.rules.blocked {
            Blocked::Passes => None,
            _ if self.can_move(pos) => None,
            Blocked::Loses => Some(Outcome::Win(pos.turn.other())),
            Blocked::Draws => Some(Outcome::Draw),
        }
    }

    fn moves(&self, pos: &Men, each: &mut impl FnMut(Step)) {
        if self.outcome(pos).is_some() {
            return;
        }
        let (own, other) = pos.own_and_other();
        let (hand, _) = pos.hands();
        let mut any = false;
        if hand > 0 {
            for to in each_cell(self.room(pos)) {
                any = true;
                self.emit(own, other, NONE, to, each);
            }
        }
        if self.walks(hand) {
            self.each_walk(own, hand, self.empty(pos), |from, room| {
                any |= room != 0;
                each_cell(room).for_each(|to| self.emit(own, other, from as u8, to, each));
            });
        }
        if !any {
            each(Step::PASS);
        }
    }

    fn play(&self, pos: &mut Men, mv: Step) -> Men {
        let old = *pos;
        let me = pos.turn as usize;
        if let Some(to) = mv.to() {
            match mv.from() {
                Some(from) => pos.sides[me] &= !(1 << from),
                None => pos.hand[me] -= 1,
            }
            pos.sides[me] |= 1 << to;
            if let Some(take) = mv.take() {
                pos.sides[1 - me] &= !(1 << take);
            }
            let counts = mv.from().is_some() || self.rules.early == Early::Wins;
            pos.won = self.rules.line == Line::Wins && counts && self.board.closes(pos.sides[me], to);
        }
        pos.turn = pos.turn.other();
        old
    }

    fn undo(&self, pos: &mut Men, _mv: Step, undo: Men) {
        *pos = undo;
    }

    fn playout(&self, mut pos: Men, rng: &mut Rng) -> Outcome {
        if let (Some(quick), false) = (self.plays_quickly(), pos.won) {
            return self.quick_playout(quick, pos, rng);
        }
        while let Some(mv) = self.random_move(&pos, rng) {
            self.play(&mut pos, mv);
        }
        self.outcome(&pos).expect("no moves means the play is over")
    }
}

impl Guide for Mill {}

impl Symmetric for Mill {
    fn order(&self) -> usize {
        self.board.symmetries.len()
    }

    fn image(&self, element: usize, pos: &Men) -> Men {
        let symmetry = &self.board.symmetries[element];
        Men { sides: pos.sides.map(|men| symmetry.image(men)), ..*pos }
    }

    fn image_of_move(&self, element: usize, mv: Step) -> Step {
        let to = &self.board.symmetries[element].to;
        let moved = |p: u8| if p == NONE { NONE } else { to[usize::from(p)] };
        Step { from: moved(mv.from), to: moved(mv.to), take: moved(mv.take) }
    }

    fn inverse(&self, element: usize) -> usize {
        self.board.symmetries[element].inverse
    }
}
