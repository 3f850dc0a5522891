//! Take one counter or two; who takes the last one wins. It has every capability that so small a game can have.

use crate::evaluate::{Evaluate, Tunable};
use crate::family::{Facts, Family, GameError, Kind, Params};
use crate::forcing::Forcing;
use crate::game::{Acyclic, Alternating, Game, Guide, Notation, NotationError, Ranked, Symmetric};
use crate::impartial::Impartial;
use crate::tactics::{StaticAnalysis, Tactics};
use crate::words::{Bounds, Outcome, Player, Value, Wdl};

/// The game, from a number of counters. A multiple of three is lost for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pile {
    counters: u8,
    weight: i32,
}

impl Pile {
    /// The game from that many counters.
    #[must_use]
    pub fn new(counters: u8) -> Pile {
        Pile { counters, weight: 100 }
    }
}

/// The counters left, and whose turn it is.
type Left = (u8, Player);

impl Game for Pile {
    const ALTERNATES: bool = true;
    type Position = Left;
    type Move = u8;
    type Undo = Left;

    fn start(&self) -> Left {
        (self.counters, Player::First)
    }
    fn turn(&self, pos: &Left) -> Player {
        pos.1
    }
    fn outcome(&self, pos: &Left) -> Option<Outcome> {
        (pos.0 == 0).then_some(Outcome::Win(pos.1.other()))
    }
    fn moves(&self, pos: &Left, each: &mut impl FnMut(u8)) {
        (1..=pos.0.min(2)).for_each(each);
    }
    fn play(&self, pos: &mut Left, mv: u8) -> Left {
        std::mem::replace(pos, (pos.0 - mv, pos.1.other()))
    }
    fn undo(&self, pos: &mut Left, _mv: u8, undo: Left) {
        *pos = undo;
    }
}

impl Alternating for Pile {}

impl Symmetric for Pile {}

impl Acyclic for Pile {
    fn height(&self, pos: &Left) -> u32 {
        u32::from(pos.0)
    }
}

impl Ranked for Pile {
    fn ranks(&self) -> Option<usize> {
        Some(2 * (usize::from(self.counters) + 1))
    }
    fn rank(&self, pos: &Left) -> usize {
        2 * usize::from(pos.0) + pos.1 as usize
    }
    fn unrank(&self, rank: usize) -> Option<Left> {
        Some(((rank / 2) as u8, Player::BOTH[rank % 2]))
    }
}

impl Guide for Pile {
    fn bounds(&self, pos: &Left) -> Bounds {
        Bounds::exactly(if pos.0.is_multiple_of(3) { Wdl::Loss } else { Wdl::Win })
    }
}

impl Evaluate for Pile {
    fn evaluate(&self, pos: &Left) -> i32 {
        self.features(pos)[0] * self.weight
    }
    fn immediate_win(&self, pos: &mut Left) -> Option<u8> {
        (1..=2).contains(&pos.0).then_some(pos.0)
    }
}

impl Tunable for Pile {
    const FEATURES: &'static [&'static str] = &["no multiple of three"];

    fn features(&self, pos: &Left) -> Vec<i32> {
        vec![if pos.0.is_multiple_of(3) { -1 } else { 1 }]
    }
    fn feature_weights(&self) -> Vec<i32> {
        vec![self.weight]
    }
    fn with_feature_weights(&self, weights: &[i32]) -> Pile {
        Pile { weight: weights[0], ..self.clone() }
    }
}

impl Forcing for Pile {
    fn key(&self, pos: &Left) -> u128 {
        self.rank(pos) as u128
    }
    fn has_exact_keys(&self) -> bool {
        true
    }
    fn fingerprint(&self, pos: &Left) -> u128 {
        Forcing::key(self, pos)
    }
    fn win_now(&self, pos: &mut Left) -> Option<u8> {
        self.immediate_win(pos)
    }
    fn threatens(&self, pos: &mut Left) -> bool {
        self.immediate_win(pos).is_some()
    }
    fn promise(&self, pos: &Left) -> i32 {
        -self.evaluate(pos)
    }
    fn runs_out_within(&self, _pos: &Left, _n: u32) -> bool {
        false
    }
}

impl Tactics for Pile {
    fn static_analysis(&self, pos: &Left) -> StaticAnalysis<u8> {
        match pos.0 {
            0 => StaticAnalysis::Decided(Value::loss_in(0)),
            1 | 2 => StaticAnalysis::Decided(Value::win_in(1)),
            4 => StaticAnalysis::Forced(1),
            _ => StaticAnalysis::Open,
        }
    }
    fn promising(&self, pos: &Left, each: &mut impl FnMut(u8)) {
        self.moves(pos, each);
    }
    fn value_bounds(&self, pos: &Left) -> (Value, Value) {
        let height = self.height(pos);
        match pos.0 % 3 {
            0 => (Value::loss_in(2), Value::loss_in(height)),
            _ => (Value::win_in(height), Value::win_in(3)),
        }
    }
    fn promise(&self, pos: &Left, mv: u8) -> i32 {
        i32::from((pos.0 - mv).is_multiple_of(3))
    }
    fn key_bits(&self) -> u32 {
        8
    }
    fn key(&self, pos: &Left) -> u64 {
        u64::from(pos.0)
    }
}

impl Impartial for Pile {
    type Part = u8;

    fn misere(&self) -> bool {
        false
    }
    fn parts(&self, pos: &Left) -> Vec<u8> {
        vec![pos.0]
    }
    fn options(&self, part: &u8, each: &mut impl FnMut(&[u8])) {
        (1..=2).filter_map(|taken| part.checked_sub(taken)).for_each(|left| each(&[left]));
    }
    fn static_nimber(&self, part: &u8) -> Option<u32> {
        Some(u32::from(part % 3))
    }
}

impl Notation for Pile {
    fn show(&self, pos: &Left) -> String {
        format!("{}:{}", pos.0, pos.1.name())
    }
    fn parse(&self, text: &str) -> Result<Left, NotationError> {
        let wrong = || NotationError::position(text, format!("expected 0..={}:first|second", self.counters));
        let (left, side) = text.split_once(':').ok_or_else(wrong)?;
        let left = left.parse().ok().filter(|&left| left <= self.counters).ok_or_else(wrong)?;
        Ok((left, Player::BOTH.into_iter().find(|player| player.name() == side).ok_or_else(wrong)?))
    }
    fn show_move(&self, _pos: &Left, mv: u8) -> String {
        mv.to_string()
    }
}

impl Family for Pile {
    fn facts() -> Facts {
        Facts::new("pile", "Pile", "A move takes one or two counters; the player who takes the last one wins.")
            .positional("n", Kind::Int(1, 99), "10", "counters")
    }

    fn build(params: &Params) -> Result<Pile, GameError> {
        Ok(Pile::new(params.int("n") as u8))
    }
}
