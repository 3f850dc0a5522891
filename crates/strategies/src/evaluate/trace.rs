//! Traces: the result of each rule of a strategy at a position.

use super::View;
use crate::board::Table;
use crate::compile::{Act, Deciding, Doing, Rules};
use crate::text::{Body, Guarded, Step};
use agon_core::Notation;

/// The result of a rule or a book at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried<M> {
    /// Its name.
    pub name: String,
    /// The steps of a rule, up to the first after which it does not apply; nothing for a book.
    pub steps: Option<Vec<Weighed<M>>>,
    /// The moves that it leaves; none if it does not apply, or if the book does not have the board.
    pub moves: Vec<M>,
}

/// The effect of one step of a rule on the moves that the steps before it left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weighed<M> {
    /// The step as text: `only corner`.
    pub line: String,
    /// True if the rule still applies after it.
    pub applies: bool,
    /// The moves that it keeps.
    pub kept: Vec<M>,
    /// The moves that it rejects.
    pub rejected: Vec<M>,
    /// For `prefer max` and `prefer min`: the value of the moves that it keeps.
    pub value: Option<i32>,
}

/// The moves that a rule leaves, and its steps.
type Traced<M> = (Vec<M>, Option<Vec<Weighed<M>>>);

impl<G: Notation> Rules<G> {
    /// Returns the result of each rule and book at a position, up to the one that decides.
    pub fn trace(&self, game: &G, pos: &G::Position, memory: u16) -> Vec<Tried<G::Move>> {
        let view = View::new(&self.inputs, game, pos, memory);
        let mut tried: Vec<Tried<G::Move>> = Vec::new();
        for (part, section) in self.parts.iter().zip(self.text().deciding()) {
            let (moves, steps) = match (&part.body, &section.body) {
                (Deciding::Rule { board, steps }, Body::Rule(lines)) => {
                    view.traced(self.inputs.tables.get(*board), steps, lines)
                }
                (Deciding::Book { boards, pictures }, _) => (view.book(boards, pictures), None),
                (Deciding::Rule { .. }, _) => (Vec::new(), None),
            };
            let decides = !moves.is_empty();
            tried.push(Tried { name: part.name.clone(), steps, moves });
            if decides {
                break;
            }
        }
        tried
    }
}

impl<G: Notation> View<'_, G> {
    /// The moves that a rule leaves, and what each of its steps does.
    fn traced(&self, board: Option<&Table>, steps: &[Doing], lines: &[Guarded]) -> Traced<G::Move> {
        let lines = lines.iter().map(|guarded| &guarded.step).filter(|step| !matches!(step, Step::On(_)));
        let named = |list: &[usize]| list.iter().map(|&at| self.legal[at].mv).collect::<Vec<G::Move>>();
        let (mut kept, mut weighed): (Vec<usize>, Vec<Weighed<G::Move>>) =
            ((0..self.legal.len()).collect(), Vec::new());
        for (doing, line) in steps.iter().zip(lines) {
            let before = kept.clone();
            let applies = self.step(board, doing, &mut kept);
            let value = match (&doing.step, kept.first()) {
                (Act::Max(number) | Act::Min(number), Some(&at)) => {
                    Some(self.number(board, number, &self.legal[at], &self.slots(board, &doing.over_all)))
                }
                _ => None,
            };
            let rejected: Vec<usize> = before.into_iter().filter(|at| !kept.contains(at)).collect();
            let (line, kept, rejected) = (line.to_string(), named(&kept), named(&rejected));
            weighed.push(Weighed { line, applies, kept, rejected, value });
            if !applies {
                return (Vec::new(), Some(weighed));
            }
        }
        (named(&kept), Some(weighed))
    }
}
