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

/// The background of the places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Board {
    /// Tokens lie in squares of a ruled sheet.
    Squares,
    /// Tokens stand on the squares of a wooden board.
    Slab,
    /// Tokens stand in the round holes of an upright wall.
    Rack,
    /// Tokens lie in rows, with nothing drawn between them.
    Tray,
    /// Tokens stand on points joined by lines.
    Points,
}

/// The colours of boards and charts: name, in light, in dark.
#[must_use]
pub fn palette() -> &'static [(&'static str, &'static str, &'static str)] {
    crate::svg::PALETTE
}

/// The same as variables of CSS, `--first` and so on, which follow the reader's light or dark preference.
#[must_use]
pub fn palette_css() -> String {
    crate::svg::palette_css()
}

/// The style of boards for a picture that holds several, with the palette.
#[must_use]
pub fn style_css() -> String {
    crate::svg::style_css()
}

/// The way to tell the pieces of the two sides apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sides {
    /// By two colours.
    #[default]
    Coloured,
    /// The first player is white and the second is black.
    LightAndDark,
}

/// The shape of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
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
    /// The shape.
    pub shape: Shape,
    /// Whose it is, if it is anyone's.
    pub owner: Option<Player>,
    /// Its text.
    pub letter: char,
}

impl Token {
    /// A piece of one side.
    #[must_use]
    pub fn new(shape: Shape, owner: Player, letter: char) -> Token {
        Token { shape, owner: Some(owner), letter }
    }

    /// A piece of neither side.
    #[must_use]
    pub fn neutral(shape: Shape, letter: char) -> Token {
        Token { shape, owner: None, letter }
    }

    /// `white wall`, `cross`, `letter Q`.
    fn words(self, sides: Sides) -> String {
        let shape = match self.shape {
            Shape::Cross => "cross",
            Shape::Ring => "ring",
            Shape::Disc if self.owner.is_none() => "counter",
            Shape::Disc => "man",
            Shape::Flat => "flat stone",
            Shape::Wall => "wall",
            Shape::Cap => "capstone",
            Shape::Tile => "covered",
            Shape::Letter => return format!("letter {}", self.letter),
        };
        match (self.owner, sides) {
            (None, _) | (Some(_), Sides::Coloured) if self.shape != Shape::Disc => shape.to_string(),
            (None, _) => shape.to_string(),
            (Some(Player::First), Sides::LightAndDark) => format!("white {shape}"),
            (Some(Player::Second), Sides::LightAndDark) => format!("black {shape}"),
            (Some(Player::First), Sides::Coloured) => format!("{shape} of the first player"),
            (Some(Player::Second), Sides::Coloured) => format!("{shape} of the second player"),
        }
    }
}

/// A place where tokens can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Steps to the right of the left edge.
    pub x: i32,
    /// Steps down from the top edge.
    pub y: i32,
    /// The name that a person types.
    pub label: String,
    /// The tokens on the place, bottom first.
    pub stack: Vec<Token>,
}

/// Why a place is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// It belongs to the last move.
    Last,
    /// It belongs to what decided the game: a row, a mill, a road.
    Decisive,
    /// It is a suggested move; the note says what it is worth.
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

/// The pieces beside the board that a side can still place, and what counts for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tray {
    /// Whose pieces they are.
    pub owner: Player,
    /// The pieces, each with how many there are.
    pub pieces: Vec<(Token, usize)>,
    /// Twice the points that the side has, in games that count them.
    pub half_points: Option<u32>,
}

/// The picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Squares or points.
    pub board: Board,
    /// The way to tell the pieces of the two sides apart.
    pub sides: Sides,
    /// Columns and rows of steps.
    pub size: (i32, i32),
    /// Every place.
    pub places: Vec<Place>,
    /// Lines between places, for boards of points; on a ruled sheet, the cells that one tile covers together.
    pub lines: Vec<(usize, usize)>,
    /// Marked places.
    pub marks: Vec<Mark>,
    /// Labels of the columns, left to right; may be empty.
    pub columns: Vec<String>,
    /// Labels of the rows, top to bottom; may be empty.
    pub rows: Vec<String>,
    /// A legend for the letters of the text; a picture needs none.
    pub legend: Option<String>,
    /// Lines of text below the board: reserves, whose turn, and so on.
    pub caption: Vec<String>,
    /// The pieces beside the board. A text says the same in its caption.
    pub trays: Vec<Tray>,
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
            sides: Sides::default(),
            size: (columns as i32, rows as i32),
            places: (0..columns * rows).map(place).collect(),
            lines: Vec::new(),
            marks: Vec::new(),
            columns: (0..columns).map(|x| column_label(x).to_string()).collect(),
            rows: (0..rows).map(|y| (rows - y).to_string()).collect(),
            legend: None,
            caption: Vec::new(),
            trays: Vec::new(),
        }
    }

    /// A board of labelled points at (x, y), joined by lines.
    #[must_use]
    pub fn points(points: &[(i32, i32, &str)], lines: &[(usize, usize)]) -> Scene {
        let place = |&(x, y, label): &(i32, i32, &str)| Place { x, y, label: label.to_string(), stack: Vec::new() };
        let far = |of: fn(&(i32, i32, &str)) -> i32| points.iter().map(of).max().unwrap_or(0) + 1;
        Scene {
            board: Board::Points,
            sides: Sides::default(),
            size: (far(|p| p.0), far(|p| p.1)),
            places: points.iter().map(place).collect(),
            lines: lines.to_vec(),
            marks: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            legend: None,
            caption: Vec::new(),
            trays: Vec::new(),
        }
    }

    /// A line of text without a board.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Scene {
        let mut scene = Scene::points(&[], &[]);
        scene.board = Board::Tray;
        scene.caption.push(text.into());
        scene
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

    /// The picture as SVG to be part of a page: no colours of its own, no caption, and a labelled target on every
    /// place (`class="hit"`, `data-place`, `data-x`, `data-y`).
    #[must_use]
    pub fn svg_in_page(&self) -> String {
        crate::svg::draw_in_page(self, true)
    }

    /// The same without targets, and left out by screen readers: a small picture beside a text that says what it shows.
    #[must_use]
    pub fn svg_small(&self) -> String {
        crate::svg::draw_in_page(self, false)
    }

    /// The same as part of a larger picture: at `x`, `y` and `width` wide; returns the height of the board too. The
    /// larger picture needs [`style_css`].
    #[must_use]
    pub fn svg_at(&self, x: i32, y: i32, width: i32) -> (String, i32) {
        crate::svg::draw_at(self, x, y, width)
    }

    /// The same picture seen from elsewhere: `view % 4` quarter turns clockwise, mirrored first when `view >= 4`.
    /// Places keep their indices.
    #[must_use]
    pub fn seen_from(mut self, view: u8) -> Scene {
        if view % 8 >= 4 {
            let right = self.size.0 - 1;
            self.places.iter_mut().for_each(|place| place.x = right - place.x);
            self.columns.reverse();
        }
        for _ in 0..view % 4 {
            let (columns, rows) = self.size;
            self.places.iter_mut().for_each(|place| (place.x, place.y) = (rows - 1 - place.y, place.x));
            self.size = (rows, columns);
            let down = std::mem::take(&mut self.columns);
            self.columns = std::mem::replace(&mut self.rows, down);
            self.columns.reverse();
        }
        self
    }

    /// The contents of a place in words, for screen readers.
    #[must_use]
    pub fn describe(&self, place: usize) -> String {
        let place = &self.places[place];
        let stack: Vec<String> = place.stack.iter().map(|token| token.words(self.sides)).collect();
        match stack.len() {
            0 => format!("{}, empty", place.label),
            1 => format!("{}, {}", place.label, stack[0]),
            n => format!("{}, {n} pieces from the bottom: {}", place.label, stack.join(", ")),
        }
    }

    pub(crate) fn mark_of(&self, place: usize) -> Option<&Mark> {
        self.marks.iter().rfind(|mark| mark.place == place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarter_turns_and_two_mirrors_change_nothing() {
        let mut scene = Scene::grid(3, 2);
        scene.put(0, Token::new(Shape::Wall, Player::Second, 'w'));
        let turned = (0..4).fold(scene.clone(), |scene, _| scene.seen_from(1));
        assert_eq!(turned, scene);
        assert_eq!(scene.clone().seen_from(4).seen_from(4), scene);
        // a2 is at the top left; after a quarter turn clockwise it is at the top right.
        let turned = scene.seen_from(1);
        assert_eq!((turned.size, turned.places[0].x, turned.places[0].y), ((2, 3), 1, 0));
        assert_eq!((turned.columns.join(""), turned.rows.join("")), ("12".into(), "abc".into()));
    }

    #[test]
    fn a_scene_of_text_shows_the_text_and_nothing_else() {
        let scene = Scene::of_text("5:first");
        assert_eq!(scene.text().trim(), "5:first");
        assert!(scene.svg().contains(">5:first</text>") && !scene.svg().contains("class=\"sq\""));
    }

    #[test]
    fn places_are_described_in_words() {
        let mut scene = Scene::grid(2, 1);
        scene.sides = Sides::LightAndDark;
        scene.put(0, Token::new(Shape::Flat, Player::First, 'o'));
        scene.put(0, Token::new(Shape::Cap, Player::Second, 'C'));
        assert_eq!(scene.describe(0), "a1, 2 pieces from the bottom: white flat stone, black capstone");
        assert_eq!(scene.describe(1), "b1, empty");
        scene.legend = Some("o is white".into());
        assert!(scene.text().contains("o is white") && !scene.svg().contains("o is white"));
    }
}
