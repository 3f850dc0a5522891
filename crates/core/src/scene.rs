//! The one picture of a position: places, lines, stacks of tokens, marks and labels.
//!
//! A game builds a `Scene`; text and SVG are each drawn in one place, for every game.
//!
//! ```
//! use agon_core::scene::{Scene, Shape, Token};
//! use agon_core::Player;
//! let mut scene = Scene::grid(3, 2);
//! scene.put(scene.at(1, 0), Token::new(Shape::Cross, Player::First, 'X'));
//! assert_eq!(scene.text(), "\
//! 2    │ X │
//!   ───┼───┼───
//! 1    │   │
//!    a   b   c
//! ");
//! ```

use crate::words::Player;

/// What the places stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// Tokens lie in squares.
    Squares,
    /// Tokens stand on points joined by lines.
    Points,
}

/// What a token looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Two crossed strokes.
    Cross,
    /// A circle.
    Ring,
    /// A filled round man.
    Disc,
    /// A flat square stone.
    Flat,
    /// A standing stone.
    Wall,
    /// A capstone.
    Cap,
    /// A filled square, for tiles that cover cells.
    Tile,
    /// A letter.
    Letter,
}

/// One piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it looks like.
    pub shape: Shape,
    /// Whose it is, if it is anyone's.
    pub owner: Option<Player>,
    /// How text shows it.
    pub letter: char,
}

impl Token {
    /// A piece of one side.
    #[must_use]
    pub fn new(shape: Shape, owner: Player, letter: char) -> Token {
        Token { shape, owner: Some(owner), letter }
    }

    /// A piece that belongs to nobody.
    #[must_use]
    pub fn neutral(shape: Shape, letter: char) -> Token {
        Token { shape, owner: None, letter }
    }
}

/// A place where tokens can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Steps to the right of the left edge.
    pub x: i32,
    /// Steps down from the top edge.
    pub y: i32,
    /// What a person types to name it.
    pub label: String,
    /// What stands there, bottom first.
    pub stack: Vec<Token>,
}

/// Why a place is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It belongs to the last move.
    Last,
    /// It belongs to what decided the game: a row, a mill, a road.
    Decisive,
    /// It is a move one might play; the note says what it is worth.
    Hint,
}

/// A mark on a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Index of the place.
    pub place: usize,
    /// Why it is marked.
    pub why: Why,
    /// A short text beside it, may be empty.
    pub note: String,
}

/// The picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Squares or points.
    pub board: Board,
    /// Columns and rows of steps.
    pub size: (i32, i32),
    /// Every place.
    pub places: Vec<Place>,
    /// Lines between places, for boards of points.
    pub lines: Vec<(usize, usize)>,
    /// Marked places.
    pub marks: Vec<Mark>,
    /// Labels of the columns, left to right; may be empty.
    pub columns: Vec<String>,
    /// Labels of the rows, top to bottom; may be empty.
    pub rows: Vec<String>,
    /// Lines of text below the board: reserves, whose turn, and so on.
    pub caption: Vec<String>,
}

/// The label of a column: a, b, …, z.
#[must_use]
pub fn column_label(x: usize) -> char {
    char::from(b'a' + (x % 26) as u8)
}

impl Scene {
    /// A board of squares. Places go row by row from the top left; `a1` is at the bottom left.
    #[must_use]
    pub fn grid(columns: usize, rows: usize) -> Scene {
        let place = |i: usize| {
            let (x, y) = (i % columns, i / columns);
            Place { x: x as i32, y: y as i32, label: format!("{}{}", column_label(x), rows - y), stack: Vec::new() }
        };
        Scene {
            board: Board::Squares,
            size: (columns as i32, rows as i32),
            places: (0..columns * rows).map(place).collect(),
            lines: Vec::new(),
            marks: Vec::new(),
            columns: (0..columns).map(|x| column_label(x).to_string()).collect(),
            rows: (0..rows).map(|y| (rows - y).to_string()).collect(),
            caption: Vec::new(),
        }
    }

    /// A board of labelled points at (x, y), joined by lines.
    #[must_use]
    pub fn points(points: &[(i32, i32, &str)], lines: &[(usize, usize)]) -> Scene {
        let place = |&(x, y, label): &(i32, i32, &str)| Place { x, y, label: label.to_string(), stack: Vec::new() };
        let far = |of: fn(&(i32, i32, &str)) -> i32| points.iter().map(of).max().unwrap_or(0) + 1;
        Scene {
            board: Board::Points,
            size: (far(|p| p.0), far(|p| p.1)),
            places: points.iter().map(place).collect(),
            lines: lines.to_vec(),
            marks: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            caption: Vec::new(),
        }
    }

    /// The index of the place at column `x`, row `y` from the top, of a grid.
    #[must_use]
    pub fn at(&self, x: usize, y: usize) -> usize {
        y * self.size.0 as usize + x
    }

    /// Puts a token on top of a place.
    pub fn put(&mut self, place: usize, token: Token) {
        self.places[place].stack.push(token);
    }

    /// Marks a place.
    pub fn mark(&mut self, place: usize, why: Why, note: impl Into<String>) {
        self.marks.push(Mark { place, why, note: note.into() });
    }

    /// The picture as text. Marked places stand in brackets, so colour is never needed.
    #[must_use]
    pub fn text(&self) -> String {
        crate::text::draw(self)
    }

    /// The picture as a stand-alone SVG that follows the reader's light or dark preference.
    #[must_use]
    pub fn svg(&self) -> String {
        crate::svg::draw(self)
    }

    pub(crate) fn mark_of(&self, place: usize) -> Option<&Mark> {
        self.marks.iter().rfind(|mark| mark.place == place)
    }
}
