//! The moves that a strategy allows at a position, and the features that need the rules of the game.

use super::board::Board;
use super::features::BoardFeatures;
use super::names::{Deciding, Feature, Number, Of, Picture, Step, Strategy, Test};
use super::words::Word;
use agon_core::features::Placing;
use agon_core::lines::MAX_MARKS;
use agon_core::{Ctx, Notation, Outcome, Player, Stop, Symmetric, collect_moves};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

/// Nodes between two looks at whether the check has to stop: a text may be long, and a move may have any number of
/// replies, so that one position can take its time.
const NODES_PER_LOOK: u64 = 1024;

/// A legal move and what it does.
struct Candidate<M> {
    mv: M,
    does: Placing,
}

/// A position of a strategy's side.
struct Seen<'s, 'a, G: Notation> {
    strategy: &'s Strategy<'a, G>,
    pos: &'s G::Position,
    shown: BoardFeatures,
    legal: Vec<Candidate<G::Move>>,
    /// Values over all legal moves.
    over: RefCell<Vec<Option<i32>>>,
    ctx: &'s Ctx,
    /// Values, and replies that they look at, which `ctx` has not counted yet; and why no more are computed.
    spent: Cell<u64>,
    stop: Cell<Option<Stop>>,
}

impl<G: Notation + Symmetric> Strategy<'_, G> {
    /// The moves that the strategy allows: those of the first rule or book that leaves any. `memory` is what is
    /// remembered of the opponent's last move.
    pub(crate) fn moves(&self, pos: &G::Position, memory: u16, ctx: &Ctx) -> Result<Vec<G::Move>, Stop> {
        let candidate = |mv| Candidate { mv, does: self.features.placing(self.game, pos, mv) };
        let marks = if self.boards.is_empty() { [0; MAX_MARKS] } else { self.features.marks(self.game, pos) };
        let seen = Seen {
            strategy: self,
            pos,
            shown: BoardFeatures {
                memory,
                turn: self.game.turn(pos),
                marks,
                owned: self.features.owned(),
                letters: self.features.letters().len(),
                cells: self.boards.first().map_or(0, |board| board.layout.spots.len()),
            },
            legal: collect_moves(self.game, pos).into_iter().map(candidate).collect(),
            over: RefCell::new(vec![None; self.over.len()]),
            ctx,
            spent: Cell::new(0),
            stop: Cell::new(None),
        };
        let allowed = self.parts.iter().map(|part| match part {
            Deciding::Rule { board, steps } => seen.rule(self.boards.get(*board), steps),
            Deciding::Book { exact, boards, pictures } => match self.listed(pos, boards, *exact) {
                moves if moves.is_empty() => seen.pictured(pictures),
                moves => moves,
            },
        });
        let moves = allowed.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default();
        seen.look();
        seen.stop.get().map_or(Ok(moves), Err)
    }

    /// The memory of the opponent's move, made at `before`.
    pub(crate) fn last(&self, before: &G::Position, mv: G::Move) -> u16 {
        self.features.last(self.game, before, mv)
    }

    /// The moves of a book at a position that it lists, or of which it lists an image.
    fn listed(&self, pos: &G::Position, boards: &HashMap<G::Position, Vec<G::Move>>, exact: bool) -> Vec<G::Move> {
        let elements = if exact { 1 } else { self.game.order() };
        let mut found = BTreeSet::new();
        for element in 0..elements {
            let back = self.game.inverse(element);
            let moves = boards.get(&self.game.image(element, pos)).into_iter().flatten();
            found.extend(moves.map(|&mv| self.game.image_of_move(back, mv)));
        }
        found.into_iter().collect()
    }
}

impl<G: Notation + Symmetric> Seen<'_, '_, G> {
    /// The moves that a rule leaves.
    fn rule(&self, board: Option<&Board<'_>>, steps: &[Step]) -> Vec<G::Move> {
        let mut left: Vec<usize> = (0..self.legal.len()).collect();
        for step in steps {
            let with = |test: &Test, left: &[usize]| {
                left.iter().copied().filter(|&at| self.test(board, test, at)).collect::<Vec<usize>>()
            };
            match step {
                // A feature of the position is the same for every move.
                Step::When(test) => {
                    if self.legal.is_empty() || !self.test(board, test, 0) {
                        return Vec::new();
                    }
                }
                Step::Only(test) => left = with(test, &left),
                Step::Prefer(test) => {
                    let better = with(test, &left);
                    if !better.is_empty() {
                        left = better;
                    }
                }
                Step::Best { number, largest } => {
                    let value = |at: &usize| self.number(board, number, *at);
                    let values = left.iter().map(value);
                    let best = if *largest { values.max() } else { values.min() };
                    left.retain(|at| Some(value(at)) == best);
                }
            }
        }
        left.into_iter().map(|at| self.legal[at].mv).collect()
    }

    /// The legal moves of the first picture that fits the position.
    fn pictured(&self, pictures: &[Picture]) -> Vec<G::Move> {
        let game = self.strategy.game;
        let names = pictures.iter().find(|picture| self.shown.fits(picture)).map_or(&[][..], |picture| &picture.moves);
        let moves: BTreeSet<G::Move> = names.iter().filter_map(|name| game.parse_move(self.pos, name).ok()).collect();
        let legal = self.legal.iter().map(|candidate| candidate.mv);
        legal.filter(|mv| moves.contains(mv)).collect()
    }

    fn test(&self, board: Option<&Board<'_>>, test: &Test, at: usize) -> bool {
        match test {
            Test::Flag(feature) => self.value(board, feature, at) != 0,
            Test::Any(clause) => self.over(*clause) != 0,
            Test::Not(part) => !self.test(board, part, at),
            Test::And(parts) => parts.iter().all(|part| self.test(board, part, at)),
            Test::Or(parts) => parts.iter().any(|part| self.test(board, part, at)),
            Test::Compare(a, sign, b) => {
                let (a, b) = (self.number(board, a, at), self.number(board, b, at));
                match *sign {
                    "=" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
        }
    }

    fn number(&self, board: Option<&Board<'_>>, number: &Number, at: usize) -> i32 {
        match number {
            Number::Constant(n) => *n,
            Number::Value(feature) => self.value(board, feature, at),
            Number::Over(clause) => self.over(*clause),
            Number::Sum(terms) => terms.iter().fold(0, |sum: i32, (minus, term)| {
                let term = self.number(board, term, at);
                if *minus { sum.saturating_sub(term) } else { sum.saturating_add(term) }
            }),
        }
    }

    /// The value of a clause about all legal moves.
    fn over(&self, clause: usize) -> i32 {
        if let Some(known) = self.over.borrow()[clause] {
            return known;
        }
        let over = &self.strategy.over[clause];
        let board = self.strategy.boards.get(over.board);
        let all = 0..self.legal.len();
        let value = match &over.of {
            Of::Any(test) => i32::from(all.into_iter().any(|at| self.test(board, test, at))),
            Of::Count(test) => all.filter(|&at| self.test(board, test, at)).count() as i32,
            Of::Most(number) => all.map(|at| self.number(board, number, at)).max().unwrap_or(0),
            Of::Least(number) => all.map(|at| self.number(board, number, at)).min().unwrap_or(0),
        };
        self.over.borrow_mut()[clause] = Some(value);
        value
    }

    /// The value of a feature for a legal move; 0 and 1 for no and yes.
    fn value(&self, board: Option<&Board<'_>>, feature: &Feature, at: usize) -> i32 {
        self.spend(1);
        if self.stop.get().is_some() {
            return 0;
        }
        let (game, Candidate { mv, does }) = (self.strategy.game, &self.legal[at]);
        let ends = |winner: Player| game.outcome(&game.after(self.pos, *mv)) == Some(Outcome::Win(winner));
        match feature.word {
            Word::Extra(which) => self.strategy.features.extra(game, self.pos, *mv, self.shown.memory, which),
            Word::Mobility => self.legal.len() as i32,
            Word::First => i32::from(self.shown.turn == Player::First),
            Word::Wins => i32::from(ends(self.shown.turn)),
            Word::Loses => i32::from(ends(self.shown.turn.other())),
            Word::LetsWin => i32::from(self.lets_win(*mv)),
            Word::Replies => self.replies(&game.after(self.pos, *mv)).len() as i32,
            _ => board.map_or(0, |board| self.shown.on_board(board, feature, does)),
        }
    }

    fn lets_win(&self, mv: G::Move) -> bool {
        let game = self.strategy.game;
        let (after, opponent) = (game.after(self.pos, mv), self.shown.turn.other());
        let won = |reply: G::Move| game.outcome(&game.after(&after, reply)) == Some(Outcome::Win(opponent));
        game.turn(&after) == opponent && self.replies(&after).into_iter().any(won)
    }

    fn replies(&self, after: &G::Position) -> Vec<G::Move> {
        let replies = collect_moves(self.strategy.game, after);
        self.spend(replies.len() as u64);
        replies
    }

    fn spend(&self, nodes: u64) {
        self.spent.set(self.spent.get() + nodes);
        if self.spent.get() >= NODES_PER_LOOK {
            self.look();
        }
    }

    /// Returns whether the check has to stop.
    fn look(&self) {
        let stopped = self.ctx.meter().count(self.spent.take()).err();
        self.stop.set(self.stop.get().or(stopped));
    }
}
