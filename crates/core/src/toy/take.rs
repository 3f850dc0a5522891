//! Take one counter or two; a player who takes two moves again; the player who takes the last counter wins.

use crate::evaluate::Evaluate;
use crate::game::{Acyclic, Game, Guide, Notation, NotationError, Symmetric};
use crate::words::{Outcome, Player};

/// The game, from that many counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Take(pub u8);

/// Counters left, whose turn it is, and who took last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Counters {
    left: u8,
    turn: Player,
    last: Player,
}

impl Game for Take {
    type Position = Counters;
    type Move = u8;
    type Undo = Counters;

    fn start(&self) -> Counters {
        Counters { left: self.0, turn: Player::First, last: Player::Second }
    }
    fn turn(&self, pos: &Counters) -> Player {
        pos.turn
    }
    fn outcome(&self, pos: &Counters) -> Option<Outcome> {
        (pos.left == 0).then_some(Outcome::Win(pos.last))
    }
    fn moves(&self, pos: &Counters, each: &mut impl FnMut(u8)) {
        (1..=pos.left.min(2)).for_each(each);
    }
    fn play(&self, pos: &mut Counters, mv: u8) -> Counters {
        let turn = if mv == 2 { pos.turn } else { pos.turn.other() };
        std::mem::replace(pos, Counters { left: pos.left - mv, turn, last: pos.turn })
    }
    fn undo(&self, pos: &mut Counters, _mv: u8, undo: Counters) {
        *pos = undo;
    }
}

impl Acyclic for Take {
    fn height(&self, pos: &Counters) -> u32 {
        u32::from(pos.left)
    }
}

impl Symmetric for Take {}
impl Guide for Take {}
impl Evaluate for Take {}

impl Notation for Take {
    fn show(&self, pos: &Counters) -> String {
        format!("{}/{}/{}", pos.left, pos.turn.name(), pos.last.name())
    }
    fn parse(&self, text: &str) -> Result<Counters, NotationError> {
        let wrong = || NotationError::position(text, "expected COUNTERS/SIDE/SIDE");
        let side = |name: &str| Player::BOTH.into_iter().find(|side| side.name() == name).ok_or_else(wrong);
        match text.split('/').collect::<Vec<_>>()[..] {
            [left, turn, last] => {
                let left = left.parse().ok().filter(|&left| left <= self.0).ok_or_else(wrong)?;
                Ok(Counters { left, turn: side(turn)?, last: side(last)? })
            }
            _ => Err(wrong()),
        }
    }
    fn show_move(&self, _pos: &Counters, mv: u8) -> String {
        mv.to_string()
    }
}
