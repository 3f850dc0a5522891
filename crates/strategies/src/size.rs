//! The size of a strategy: one number in bits, and its parts.

use crate::board::Table;
use crate::compile::Rules;
use crate::text::{Body, Condition, Expression, Step, Text};
use crate::vocabulary::phrases;
use agon_core::Game;
use agon_core::features::Extra;

/// The size of a strategy.
///
/// | part | bits |
/// |---|---|
/// | a rule or a book, and the end of the list | 1 each |
/// | a step, and the end of a rule | 3 each: when, only, prefer, max, min, on, end |
/// | a feature | log₂ of the number of features of the game, and log₂ of the number of its arguments |
/// | a comparison | 3, and 4 for each number |
/// | `and`, `or`, `not`, `any`, `count`, `most`, `least`, `+`, `-` | 3 |
/// | a board of a book | 1, the log₂ of the contents of its cells, and the log₂ of the number of legal moves at the start |
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// Everything, in bits.
    pub bits: f64,
    /// Rules.
    pub rules: usize,
    /// Features used.
    pub literals: usize,
    /// Boards in books.
    pub book: usize,
}

/// The bits of a line that says how a rule goes on.
pub(crate) const STEP: f64 = 3.0;
/// The bits of an operator.
pub(crate) const OPERATOR: f64 = 3.0;
/// The bits of a number.
pub(crate) const NUMBER: f64 = 4.0;
/// The bits that say whether another rule or book follows.
pub(crate) const BRANCH: f64 = 1.0;

impl<G: Game> Rules<G> {
    /// The size of the strategy, for this game.
    pub fn size(&self, game: &G) -> Size {
        let features = self.inputs.features.as_ref();
        let measure = Measure {
            board: self.inputs.tables.first(),
            extras: features.extras(),
            letters: features.letters().len(),
            moves: game.count_moves(&game.start()),
        };
        measure.size(self.text())
    }
}

/// The inputs of the size of a text.
struct Measure<'a> {
    board: Option<&'a Table>,
    extras: &'a [Extra],
    letters: usize,
    moves: usize,
}

impl Measure<'_> {
    fn size(&self, text: &Text) -> Size {
        let words = phrases(self.board, self.extras);
        let cells = self.board.map_or(0, |table| table.inside().count_ones());
        let contents = f64::from(cells) * ((self.letters + 1) as f64).log2();
        let entry = 1.0 + contents + (self.moves.max(1) as f64).log2();
        let mut size = Size { bits: 1.0, ..Size::default() };
        for section in &text.sections {
            match &section.body {
                Body::Rule(steps) => {
                    size.rules += 1;
                    size.bits += 1.0 + STEP;
                    for guarded in steps {
                        size.bits += STEP + operators(&guarded.step);
                        guarded.step.terms(&mut |term| {
                            let argument = term.argument.as_ref().map(|argument| argument.word.clone());
                            let known = words.iter().find(|w| w.name == term.name && w.argument == argument);
                            let same = words.iter().find(|w| w.name == term.name);
                            size.literals += 1;
                            size.bits += known.or(same).map_or(8.0, |word| word.bits);
                        });
                    }
                }
                Body::Book { entries, .. } => {
                    size.book += entries.len();
                    size.bits += 1.0 + 1.0 + entry * entries.len() as f64;
                }
                Body::Pairing(pairs) => {
                    size.bits += 1.0 + pairs.len() as f64 * 2.0 * f64::from(cells.max(1)).log2();
                }
                Body::Region(_) => size.bits += 1.0 + f64::from(cells),
            }
        }
        size
    }
}

fn operators(step: &Step) -> f64 {
    match step {
        Step::On(_) => 1.0,
        Step::When(c) | Step::Only(c) | Step::Prefer(c) => in_condition(c),
        Step::Max(e) | Step::Min(e) => in_expression(e),
    }
}

fn in_condition(condition: &Condition) -> f64 {
    match condition {
        Condition::Flag(_) => 0.0,
        Condition::Compare(a, _, b) => OPERATOR + in_expression(a) + in_expression(b),
        Condition::Not(part) | Condition::Any(part) => OPERATOR + in_condition(part),
        Condition::And(parts) | Condition::Or(parts) => {
            OPERATOR * (parts.len() - 1) as f64 + parts.iter().map(in_condition).sum::<f64>()
        }
    }
}

fn in_expression(expression: &Expression) -> f64 {
    match expression {
        Expression::Number(_) => NUMBER,
        Expression::Feature(_) => 0.0,
        Expression::Most(part) | Expression::Least(part) => OPERATOR + in_expression(part),
        Expression::Count(part) => OPERATOR + in_condition(part),
        Expression::Plus(a, b) | Expression::Minus(a, b) => OPERATOR + in_expression(a) + in_expression(b),
    }
}
