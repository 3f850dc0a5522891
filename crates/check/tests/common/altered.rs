//! A line game as it is, except for what it says about its lines.

use agon_core::lines::{CellSet, Frame, LineGame, Lines, MAX_MARKS};
use agon_core::{Alternating, Game, Notation, NotationError, Outcome, Player, Symmetric};
use std::fmt::Debug;

/// A change to what a game says about its lines; no change, unless stated.
pub(crate) trait Change<G: LineGame>: Copy + Debug + Send + Sync + 'static {
    fn lines(self, game: &G, maker: Player) -> Option<Lines> {
        game.lines(maker)
    }
    fn line_marks(self, game: &G, pos: &G::Position, maker: Player) -> [CellSet; MAX_MARKS] {
        game.line_marks(pos, maker)
    }
    fn frame(self) -> Option<Frame<Altered<G, Self>>> {
        None
    }
}

/// A game and what is changed in it.
#[derive(Clone, Debug)]
pub(crate) struct Altered<G, C>(pub(crate) G, pub(crate) C);

impl<G: LineGame, C: Change<G>> Game for Altered<G, C> {
    type Position = G::Position;
    type Move = G::Move;
    type Undo = G::Undo;

    fn start(&self) -> G::Position {
        self.0.start()
    }
    fn turn(&self, pos: &G::Position) -> Player {
        self.0.turn(pos)
    }
    fn outcome(&self, pos: &G::Position) -> Option<Outcome> {
        self.0.outcome(pos)
    }
    fn moves(&self, pos: &G::Position, each: &mut impl FnMut(G::Move)) {
        self.0.moves(pos, each);
    }
    fn play(&self, pos: &mut G::Position, mv: G::Move) -> G::Undo {
        self.0.play(pos, mv)
    }
    fn undo(&self, pos: &mut G::Position, mv: G::Move, undo: G::Undo) {
        self.0.undo(pos, mv, undo);
    }
}

impl<G: LineGame, C: Change<G>> Alternating for Altered<G, C> {}
impl<G: LineGame, C: Change<G>> Symmetric for Altered<G, C> {}

impl<G: LineGame + Notation, C: Change<G>> Notation for Altered<G, C> {
    fn show(&self, pos: &G::Position) -> String {
        self.0.show(pos)
    }
    fn parse(&self, text: &str) -> Result<G::Position, NotationError> {
        self.0.parse(text)
    }
    fn show_move(&self, pos: &G::Position, mv: G::Move) -> String {
        self.0.show_move(pos, mv)
    }
}

impl<G: LineGame, C: Change<G>> LineGame for Altered<G, C> {
    fn lines(&self, maker: Player) -> Option<Lines> {
        self.1.lines(&self.0, maker)
    }
    fn line_marks(&self, pos: &G::Position, maker: Player) -> [CellSet; MAX_MARKS] {
        self.1.line_marks(&self.0, pos, maker)
    }
    fn line_move(&self, pos: &G::Position, maker: Player, cell: usize, mark: usize) -> Option<G::Move> {
        self.0.line_move(pos, maker, cell, mark)
    }
    fn frame(&self) -> Option<Frame<Self>> {
        self.1.frame()
    }
}
