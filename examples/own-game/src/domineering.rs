//! Domineering: Vertical and Horizontal put dominoes on a board; a player who cannot move loses.

use agon::core::scene::{Scene, Shape, Token, column_label};
use agon::core::{
    Acyclic, Alternating, Evaluate, Facts, Family, Game, GameError, Guide, Kind, Notation, NotationError, Outcome,
    Params, Player, Symmetric, collect_moves,
};

/// The board, of at most 64 squares.
#[derive(Clone, Debug)]
pub struct Domineering {
    pub columns: usize,
    pub rows: usize,
}

/// The squares covered by each side, as bits row by row from the top, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Covered {
    by: [u64; 2],
    turn: Player,
}

impl Domineering {
    fn letters(&self, pos: &Covered) -> impl Iterator<Item = char> {
        let by = pos.by;
        (0..self.columns * self.rows).map(move |square| match by.map(|set| set >> square & 1) {
            [1, _] => 'V',
            [_, 1] => 'H',
            _ => '.',
        })
    }

    /// The second square of a domino whose upper or left square is `square`, if it lies on the board.
    fn other_half(&self, square: usize, player: Player) -> Option<usize> {
        match player {
            Player::First => Some(square + self.columns).filter(|&below| below < self.columns * self.rows),
            Player::Second => Some(square + 1).filter(|right| right % self.columns != 0),
        }
    }

    fn name(&self, square: usize) -> String {
        format!("{}{}", column_label(square % self.columns), self.rows - square / self.columns)
    }

    /// Bit 0 of the element mirrors left and right, bit 1 top and bottom.
    fn image_of_square(&self, element: usize, square: usize) -> usize {
        let (mut x, mut y) = (square % self.columns, square / self.columns);
        if element & 1 != 0 {
            x = self.columns - 1 - x;
        }
        if element & 2 != 0 {
            y = self.rows - 1 - y;
        }
        y * self.columns + x
    }
}

/// A move is the two squares of a domino, the smaller number first.
impl Game for Domineering {
    const ALTERNATES: bool = true;
    type Position = Covered;
    type Move = [u8; 2];
    type Undo = Covered;

    fn start(&self) -> Covered {
        Covered { by: [0, 0], turn: Player::First }
    }

    fn turn(&self, pos: &Covered) -> Player {
        pos.turn
    }

    fn outcome(&self, pos: &Covered) -> Option<Outcome> {
        collect_moves(self, pos).is_empty().then_some(Outcome::Win(pos.turn.other()))
    }

    fn moves(&self, pos: &Covered, each: &mut impl FnMut([u8; 2])) {
        let free = |square: &usize| (pos.by[0] | pos.by[1]) >> square & 1 == 0;
        for square in (0..self.columns * self.rows).filter(free) {
            if let Some(other) = self.other_half(square, pos.turn).filter(free) {
                each([square as u8, other as u8]);
            }
        }
    }

    fn play(&self, pos: &mut Covered, mv: [u8; 2]) -> Covered {
        let before = *pos;
        pos.by[pos.turn as usize] |= 1 << mv[0] | 1 << mv[1];
        pos.turn = pos.turn.other();
        before
    }

    fn undo(&self, pos: &mut Covered, _mv: [u8; 2], before: Covered) {
        *pos = before;
    }
}

impl Alternating for Domineering {}

impl Acyclic for Domineering {
    /// Each move covers two squares, and a last position without a move may have free ones.
    fn height(&self, pos: &Covered) -> u32 {
        self.letters(pos).filter(|&letter| letter == '.').count() as u32 / 2
    }
}

impl Symmetric for Domineering {
    /// The identity, both mirrors and the half turn; quarter turns would exchange the sides.
    fn order(&self) -> usize {
        4
    }

    fn image(&self, element: usize, pos: &Covered) -> Covered {
        let mut image = Covered { by: [0, 0], turn: pos.turn };
        for square in 0..self.columns * self.rows {
            let at = self.image_of_square(element, square);
            (0..2).for_each(|side| image.by[side] |= (pos.by[side] >> square & 1) << at);
        }
        image
    }

    fn image_of_move(&self, element: usize, mv: [u8; 2]) -> [u8; 2] {
        let [one, other] = mv.map(|square| self.image_of_square(element, usize::from(square)) as u8);
        [one.min(other), one.max(other)]
    }

    fn inverse(&self, element: usize) -> usize {
        element
    }
}

impl Guide for Domineering {}

impl Evaluate for Domineering {
    /// How many more moves the side to move has than the other.
    fn evaluate(&self, pos: &Covered) -> i32 {
        let moves = |turn| self.count_moves(&Covered { turn, ..*pos }) as i32;
        100 * (moves(pos.turn) - moves(pos.turn.other()))
    }
}

impl Notation for Domineering {
    fn show(&self, pos: &Covered) -> String {
        let letters: Vec<char> = self.letters(pos).collect();
        let rows: Vec<String> = letters.chunks(self.columns).map(|row| row.iter().collect()).collect();
        format!("{}:{}", rows.join("/"), ["v", "h"][pos.turn as usize])
    }

    /// Whether dominoes can lie so is not asked, only whether their number fits the turn.
    fn parse(&self, text: &str) -> Result<Covered, NotationError> {
        let fail = |why: &str| NotationError::position(text, why);
        let (board, turn) = text.split_once(':').ok_or_else(|| fail("expected rows of V, H and . and `:v` or `:h`"))?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.rows || rows.iter().any(|row| row.chars().count() != self.columns) {
            return Err(fail(&format!("expected {} rows of {} squares", self.rows, self.columns)));
        }
        let mut by = [0u64; 2];
        for (square, letter) in rows.concat().chars().enumerate() {
            match letter.to_ascii_uppercase() {
                '.' => {}
                'V' => by[0] |= 1 << square,
                'H' => by[1] |= 1 << square,
                _ => return Err(fail("a square is V, H or .")),
            }
        }
        let turn = match turn {
            "v" => Player::First,
            "h" => Player::Second,
            _ => return Err(fail("the side to move is v or h")),
        };
        let [vertical, horizontal] = by.map(u64::count_ones);
        let expected = if turn == Player::First { vertical } else { vertical.wrapping_sub(2) };
        if vertical % 2 == 0 && horizontal == expected {
            Ok(Covered { by, turn })
        } else {
            Err(fail("the sides move in turn, and each domino covers two squares"))
        }
    }

    fn show_move(&self, _pos: &Covered, mv: [u8; 2]) -> String {
        mv.map(|square| self.name(usize::from(square))).concat()
    }

    fn scene(&self, pos: &Covered) -> Scene {
        let mut scene = Scene::grid(self.columns, self.rows);
        for (square, letter) in self.letters(pos).enumerate() {
            match letter {
                'V' => scene.put(square, Token::new(Shape::Tile, Player::First, 'V')),
                'H' => scene.put(square, Token::new(Shape::Tile, Player::Second, 'H')),
                _ => {}
            }
        }
        scene
    }

    fn path(&self, _pos: &Covered, mv: [u8; 2]) -> Vec<usize> {
        mv.map(usize::from).to_vec()
    }

    fn player_name(&self, player: Player) -> String {
        ["vertical", "horizontal"][player as usize].to_string()
    }

    fn end_reason(&self, _pos: &Covered) -> &'static str {
        "no move"
    }
}

impl Family for Domineering {
    fn facts() -> Facts {
        let rules = "Vertical and Horizontal take turns to cover two neighbouring squares, each in its own direction. \
                     A player who cannot move loses.";
        Facts::new("domineering", "Domineering", rules).positional("board", Kind::Size(1, 8), "4x4", "columns x rows")
    }

    fn build(params: &Params) -> Result<Domineering, GameError> {
        let (columns, rows) = params.size("board");
        Ok(Domineering { columns, rows })
    }
}
