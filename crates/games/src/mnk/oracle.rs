//! The rules of Singh, Deep and Nagar as Rust: the oracles that the texts are compared with.

use super::singh::{SEQUENCES, Variables, objectives, solutions};
use super::{Mnk, Stones};
use agon_core::{Game, Player, Strategy};

/// Builds a strategy by name; an empty reading is the first one listed.
pub(super) fn strategy(name: &str, reading: &str) -> Option<Box<dyn Strategy<Mnk>>> {
    match (name, reading) {
        ("singh-process", "" | "any") => Some(Box::new(Process::Any)),
        ("singh-process", "block-first") => Some(Box::new(Process::BlockFirst)),
        ("singh-process", "win-first") => Some(Box::new(Process::WinFirst)),
        ("singh-objectives", "" | "filters") => Some(Box::new(Objectives::Filters)),
        ("singh-objectives", "literal") => Some(Box::new(Objectives::Literal)),
        _ => None,
    }
}

/// The position as the side to move sees it.
fn variables(game: &Mnk, pos: &Stones) -> Variables {
    let (own, other) = match game.turn(pos) {
        Player::First => (pos.x, pos.o),
        Player::Second => (pos.o, pos.x),
    };
    std::array::from_fn(|number| match number.checked_sub(1) {
        Some(cell) => (own >> cell & 1) as i32 - (other >> cell & 1) as i32,
        None => 0,
    })
}

fn as_moves(boxes: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut moves: Vec<u8> = boxes.into_iter().map(|number| number as u8 - 1).collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// Section III.A.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Process {
    /// Step (ii) fills any sequence that holds two equal marks.
    Any,
    /// Step (ii) fills sequences of two O before those of two X.
    BlockFirst,
    /// Step (ii) fills sequences of two X before those of two O.
    WinFirst,
}

impl Process {
    /// The step that applies, and the boxes it allows.
    fn step(self, x: &Variables) -> (&'static str, Vec<usize>) {
        // (i) Check the 5th position; if it is empty then mark it.
        if x[5] == 0 {
            return ("step (i): the centre is empty", vec![5]);
        }
        // (ii) g(i) marks in the sequence, f(i) of them O: with g = 2 and f = 2 or f = 0, fill it.
        let f = |s: &[usize; 3]| s.iter().filter(|&&b| x[b] == -1).count();
        let g = |s: &[usize; 3]| s.iter().filter(|&&b| x[b] != 0).count();
        let holes = |wanted: usize| {
            let sequences = SEQUENCES.iter().filter(move |s| g(s) == 2 && f(s) == wanted);
            sequences.flat_map(|s| s.iter().copied().filter(|&b| x[b] == 0)).collect::<Vec<_>>()
        };
        let (blocks, wins) = (holes(2), holes(0));
        let filled = match self {
            Process::Any => [blocks, wins].concat(),
            Process::BlockFirst if blocks.is_empty() => wins,
            Process::BlockFirst => blocks,
            Process::WinFirst if wins.is_empty() => blocks,
            Process::WinFirst => wins,
        };
        if !filled.is_empty() {
            return ("step (ii): a sequence holds two equal marks", filled);
        }
        // (iii) only finds out who has won.
        // (iv) Otherwise, choose an empty position from 1, 3, 7, 9.
        let corners: Vec<usize> = [1, 3, 7, 9].into_iter().filter(|&b| x[b] == 0).collect();
        if !corners.is_empty() {
            return ("step (iv): a corner is empty", corners);
        }
        // (v) If none is empty, choose from 2, 4, 6, 8.
        ("step (v): only sides are left", [2, 4, 6, 8].into_iter().filter(|&b| x[b] == 0).collect())
    }
}

impl Strategy<Mnk> for Process {
    fn choices(&self, game: &Mnk, pos: &Stones) -> Vec<u8> {
        as_moves(self.step(&variables(game, pos)).1)
    }

    fn reason(&self, game: &Mnk, pos: &Stones, _mv: u8) -> Option<String> {
        Some(self.step(&variables(game, pos)).0.to_string())
    }
}

/// Section III.B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Objectives {
    /// Each axiom narrows the choice; f9 and then the number of negatives decide among the rest.
    Filters,
    /// Axiom 3 as printed: a solution that meets it "is the best solution", whatever its f9.
    Literal,
}

impl Objectives {
    /// The boxes of the best solutions, and the axiom that had the last word.
    #[must_use]
    fn best(self, x: &Variables) -> (&'static str, Vec<usize>) {
        let mut rest: Vec<(usize, [i32; 9])> = solutions(x).iter().map(|(b, s)| (*b, objectives(s))).collect();
        let boxes = |rest: &[(usize, [i32; 9])]| rest.iter().map(|(b, _)| *b).collect::<Vec<_>>();
        // Axiom 1: some fi = 3 wins.
        let wins = |f: &[i32; 9]| f[..8].contains(&3);
        if rest.iter().any(|(_, f)| wins(f)) {
            rest.retain(|(_, f)| wins(f));
            return ("axiom 1: a sequence is completed", boxes(&rest));
        }
        let mut word = "axiom 4: largest f9, then fewest negative functions";
        // Axiom 2: where some solutions keep every fi > -2, only those count.
        let safe = |f: &[i32; 9]| f[..8].iter().all(|&v| v > -2);
        if rest.iter().any(|(_, f)| safe(f)) {
            if !rest.iter().all(|(_, f)| safe(f)) {
                word = "axiom 2: every function stays above -2";
            }
            rest.retain(|(_, f)| safe(f));
        }
        // Axiom 3: some fi = 2 while the others stay above -2.
        let threatens = |f: &[i32; 9]| f[..8].contains(&2) && safe(f);
        if rest.iter().any(|(_, f)| threatens(f)) {
            rest.retain(|(_, f)| threatens(f));
            word = "axiom 3: two in a sequence, every other function above -2";
            if self == Objectives::Literal {
                return (word, boxes(&rest));
            }
        }
        // Axiom 4: the best f9; among equals the fewest negative functions.
        let most = rest.iter().map(|(_, f)| f[8]).max();
        rest.retain(|(_, f)| Some(f[8]) == most);
        let negatives = |f: &[i32; 9]| f[..8].iter().filter(|&&v| v < 0).count();
        let fewest = rest.iter().map(|(_, f)| negatives(f)).min();
        rest.retain(|(_, f)| Some(negatives(f)) == fewest);
        (word, boxes(&rest))
    }
}

impl Strategy<Mnk> for Objectives {
    fn choices(&self, game: &Mnk, pos: &Stones) -> Vec<u8> {
        as_moves(self.best(&variables(game, pos)).1)
    }

    fn reason(&self, game: &Mnk, pos: &Stones, _mv: u8) -> Option<String> {
        Some(self.best(&variables(game, pos)).0.to_string())
    }
}
