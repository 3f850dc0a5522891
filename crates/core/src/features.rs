//! Features of a game for strategies written as text: cells, lines, marks, and what a move does to them.
//!
//! The words of the language (`corner`, `completes`, `distance(last)`, …) are computed from these data by whoever
//! evaluates a strategy, so that an evaluator and a checker can share the data and no code. Nothing here searches: a
//! feature uses the rules alone.

use crate::game::{Game, Notation};
use crate::lines::{CellSet, MAX_MARKS};
use crate::scene::{Board as Background, Scene};
use crate::words::Player;

/// A cell of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The name that a person types.
    pub name: String,
    /// The column from the left; the first is 1.
    pub column: i32,
    /// The row from the bottom; the first is 1.
    pub row: i32,
}

/// A set of cells that matters when all of them hold the same mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its cells.
    pub cells: CellSet,
    /// The cells before and behind it, where the board goes on.
    pub ends: CellSet,
    /// The direction in which it runs, below [`MAX_DIRECTIONS`].
    pub direction: u8,
}

/// Rows have at most that many directions.
pub const MAX_DIRECTIONS: usize = 8;

/// A board as a strategy sees it: the whole board of a game, or a part of it with rows of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The name of this board in a strategy: `board` for the whole one.
    pub name: &'static str,
    /// All cells of the game, by number. Columns and rows are counted on this board.
    pub spots: Vec<Spot>,
    /// The cells that belong to this board.
    pub inside: CellSet,
    /// The cells next to each cell: joined by a line, or on squares a king's move away.
    pub near: Vec<CellSet>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The effect of a move on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placing {
    /// The cell that gets a mark.
    pub cell: Option<u8>,
    /// The mark that it gets.
    pub mark: u8,
    /// The cell that this mark comes from.
    pub from: Option<u8>,
    /// Cells that lose their mark besides.
    pub taken: CellSet,
}

/// The type of a feature: a number, or yes or no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Yes or no.
    Flag,
    /// A whole number.
    Number,
}

/// The subject of a feature: a position, or a move in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The position before the move.
    Position,
    /// A legal move.
    Move,
}

/// A feature that one game offers beside those that every board has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extra {
    /// Its word in a strategy.
    pub name: &'static str,
    /// Yes or no, or a number.
    pub sort: Sort,
    /// Of a position, or of a move.
    pub subject: Subject,
    /// A clause for a flag (`the game has a centre`), a noun for a number (`the size of the heap`).
    pub says: &'static str,
    /// True if it depends on the opponent's last move.
    pub looks_back: bool,
}

/// The features of a game that strategies can see. [`Pictured`] is the default for every game with a picture.
///
/// ```
/// use agon_core::features::{Features, Layout, Placing};
/// use agon_core::{Game, Player, toy::Pile};
///
/// /// A heap of counters: it has no cells, and one number that strategies can see.
/// struct Heap;
///
/// impl Features<Pile> for Heap {
///     fn boards(&self) -> &[Layout] {
///         &[]
///     }
///     fn marks(&self, _: &Pile, _: &(u8, Player)) -> [agon_core::lines::CellSet; agon_core::lines::MAX_MARKS] {
///         Default::default()
///     }
///     fn placing(&self, _: &Pile, _: &(u8, Player), _: u8) -> Placing {
///         Placing::default()
///     }
///     fn last(&self, _: &Pile, _: &(u8, Player), taken: u8) -> u16 {
///         taken.into()
///     }
/// }
///
/// let game = Pile::new(5);
/// assert_eq!(Heap.last(&game, &game.start(), 2), 2); // the opponent took two counters
/// ```
pub trait Features<G: Game>: Send + Sync {
    /// The boards, the whole one first; none if the game has no cells, or more than 64.
    fn boards(&self) -> &[Layout];

    /// The letters of the marks in pictures. In a game of two sides the first belongs to the first player.
    fn letters(&self) -> &[char] {
        &['X', 'O']
    }

    /// Returns whether the marks belong to the sides. If not, both sides may put any mark.
    fn owned(&self) -> bool {
        true
    }

    /// The cells that hold each mark.
    fn marks(&self, game: &G, pos: &G::Position) -> [CellSet; MAX_MARKS];

    /// The effect of a legal move on the board.
    fn placing(&self, game: &G, pos: &G::Position, mv: G::Move) -> Placing;

    /// The memory of a strategy after the opponent has made a move at `before`; 0 is nothing. The default is the
    /// number of its cell, from 1.
    fn last(&self, game: &G, before: &G::Position, mv: G::Move) -> u16 {
        self.placing(game, before, mv).cell.map_or(0, |cell| u16::from(cell) + 1)
    }

    /// The features that only this game has.
    fn extras(&self) -> &[Extra] {
        &[]
    }

    /// The value of an extra for a legal move, by its index; 0 and 1 for a flag. An extra of positions is the same for
    /// every move. `last` is what [`Features::last`] remembers of the opponent's last move.
    fn extra(&self, _game: &G, _pos: &G::Position, _mv: G::Move, _last: u16, _which: usize) -> i32 {
        0
    }
}

/// Features from the picture of a position: places are cells, the topmost token on a place is its mark, and the last
/// place of a move's path is the cell that it fills.
pub struct Pictured {
    boards: Vec<Layout>,
    owned: bool,
}

impl Pictured {
    /// The places of the game's picture.
    pub fn new<G: Notation>(game: &G) -> Pictured {
        let scene = game.scene(&game.start());
        let fits = (1..=64).contains(&scene.places.len());
        Pictured { boards: if fits { vec![layout(&scene)] } else { Vec::new() }, owned: true }
    }

    /// The same for a game whose pieces belong to neither side: there is one mark.
    #[must_use]
    pub fn unowned(self) -> Pictured {
        Pictured { owned: false, ..self }
    }
}

fn layout(scene: &Scene) -> Layout {
    let bottom = scene.places.iter().map(|place| place.y).max().unwrap_or(0);
    let spot = |place: &crate::scene::Place| Spot {
        name: place.label.clone(),
        column: place.x + 1,
        row: bottom - place.y + 1,
    };
    let count = scene.places.len();
    let joined = |a: usize, b: usize| match scene.board {
        Background::Points => scene.lines.contains(&(a, b)) || scene.lines.contains(&(b, a)),
        _ => {
            let (a, b) = (&scene.places[a], &scene.places[b]);
            (a.x - b.x).abs().max((a.y - b.y).abs()) == 1
        }
    };
    let near = |a: usize| (0..count).filter(|&b| joined(a, b)).fold(0, |set, b| set | 1 << b);
    Layout {
        name: "board",
        spots: scene.places.iter().map(spot).collect(),
        inside: CellSet::MAX >> (64 - count),
        near: (0..count).map(near).collect(),
        rows: Vec::new(),
    }
}

impl<G: Notation> Features<G> for Pictured {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }

    fn letters(&self) -> &[char] {
        if self.owned { &['X', 'O'] } else { &['X'] }
    }

    fn owned(&self) -> bool {
        self.owned
    }

    fn marks(&self, game: &G, pos: &G::Position) -> [CellSet; MAX_MARKS] {
        let mut marks = [0; MAX_MARKS];
        for (cell, place) in game.scene(pos).places.iter().enumerate().take(64) {
            if let Some(token) = place.stack.last() {
                let mark = match token.owner {
                    _ if !self.owned => 0,
                    Some(owner) => owner as usize,
                    None => 2,
                };
                marks[mark] |= 1 << cell;
            }
        }
        marks
    }

    fn placing(&self, game: &G, pos: &G::Position, mv: G::Move) -> Placing {
        let path = game.path(pos, mv);
        let cell = path.last().filter(|&&cell| cell < 64).map(|&cell| cell as u8);
        let from = path.first().filter(|&&cell| path.len() > 1 && cell < 64).map(|&cell| cell as u8);
        Placing { cell, mark: u8::from(self.owned && game.turn(pos) == Player::Second), from, taken: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Shape, Token};
    use crate::toy::Dots;

    #[test]
    fn a_picture_is_a_board() {
        let mut scene = Scene::grid(3, 2);
        scene.put(0, Token::new(Shape::Cross, Player::First, 'X'));
        let board = layout(&scene);
        let spots: Vec<_> = board.spots.iter().map(|spot| (spot.name.as_str(), spot.column, spot.row)).collect();
        assert_eq!(spots[..4], [("a2", 1, 2), ("b2", 2, 2), ("c2", 3, 2), ("a1", 1, 1)]);
        assert_eq!((board.near[0], board.inside), (0b1_1010, 0b11_1111));
    }

    #[test]
    fn a_game_without_a_picture_has_no_cells() {
        let seen = Pictured::new(&Dots::new(2, 1));
        assert!(Features::<Dots>::boards(&seen).is_empty());
    }
}
