//! Setting up a position: piece by piece, in its text.

use crate::scene::Token;

/// The setup of positions of a game. Their text is a board of rows with `/` between them and cells in the order of the
/// picture's places, and then perhaps the side to move. [`Setup::LETTERS`] is the default; a game with another notation
/// cannot be set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The pieces that can be placed; if there are none, those that the first moves of the game place.
    pub pieces: &'static [&'static str],
    /// True if a piece is placed on top of others.
    pub stacks: bool,
    /// The texts of the cells in a row, empty for an empty place; `None` if the row is not in this notation.
    pub read_row: fn(&str) -> Option<Vec<String>>,
    /// Writes a row.
    pub show_row: fn(&[String]) -> String,
    /// A cell after a piece is placed there; `.` removes one.
    pub put: fn(&str, &str) -> String,
    /// The picture of a cell that the first moves of the game do not show.
    pub draw: fn(&str) -> Vec<Token>,
    /// The letters of the first and the second player to move, if one of them is the second character after the board.
    pub sides: Option<[char; 2]>,
    /// True if the text ends with the men that each side has in hand while there are any, as in `:3-2`. The pieces are
    /// the two letters of the sides, in capitals, and a man that is placed comes from the hand.
    pub hands: bool,
}

impl Setup {
    /// One character for each place, `.` for an empty one, as in `X.O/...`.
    pub const LETTERS: Setup = Setup {
        pieces: &[],
        stacks: false,
        read_row: |row| Some(row.chars().map(|c| if c == '.' { String::new() } else { c.to_string() }).collect()),
        show_row: |row| row.iter().map(|cell| if cell.is_empty() { "." } else { cell }).collect(),
        put: |_, piece| piece.replace('.', ""),
        draw: |_| Vec::new(),
        sides: None,
        hands: false,
    };

    /// The same with letters for the side to move.
    #[must_use]
    pub const fn with_sides(self, sides: [char; 2]) -> Setup {
        Setup { sides: Some(sides), ..self }
    }

    /// The same with men in hand.
    #[must_use]
    pub const fn with_hands(self) -> Setup {
        Setup { hands: true, ..self }
    }
}
