//! Text and picture.

use super::{Board, LETTERS, OrderChaos, Placing, Row};
use crate::grid::each_cell;
use agon_core::scene::{Scene, Shape, Token, Why};
use agon_core::{Game, Notation, NotationError, Outcome, Player};

/// The sign of a cell that the board lacks.
const MISSING: char = '#';

impl OrderChaos {
    fn letters(&self) -> String {
        LETTERS[..self.symbols()].iter().map(|c| format!(" {c}")).collect()
    }

    /// `((i,j),s)` as the thesis writes moves: row from the top, column from the left, mark.
    fn parse_thesis(&self, text: &str) -> Option<Placing> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = plain.strip_prefix("((")?.strip_suffix(')')?;
        let (place, symbol) = inner.split_once("),")?;
        let (i, j) = place.split_once(',')?;
        let (i, j): (usize, usize) = (i.parse().ok()?, j.parse().ok()?);
        let cell = self.cell_at((i, j))?;
        Some(Placing { cell: cell as u8, symbol: self.symbol(symbol)? })
    }

    fn symbol(&self, text: &str) -> Option<u8> {
        let letters = LETTERS[..self.symbols()].iter();
        letters.clone().position(|c| text.eq_ignore_ascii_case(&c.to_string())).map(|i| i as u8)
    }

    /// `X@c4`; also `Xc4` and `c4X`.
    fn parse_short(&self, text: &str) -> Option<Placing> {
        let (symbol, cell) = match text.split_once('@') {
            Some((symbol, cell)) => (symbol, cell),
            None => {
                let last = text.char_indices().last()?.0;
                let first = text.chars().next()?.len_utf8();
                if self.symbol(&text[last..]).is_some() && text.ends_with(|c: char| c.is_alphabetic()) {
                    (&text[last..], &text[..last])
                } else {
                    (&text[..first], &text[first..])
                }
            }
        };
        let cell = self.grid().cell(cell).filter(|cell| self.grid().all() >> cell & 1 == 1)?;
        Some(Placing { cell: cell as u8, symbol: self.symbol(symbol)? })
    }
}

impl Notation for OrderChaos {
    fn show(&self, pos: &Board) -> String {
        let bare = |cell: usize| if self.grid().all() >> cell & 1 == 1 { '.' } else { MISSING };
        let mark = |cell: usize| pos.at(cell).map_or(bare(cell), |symbol| LETTERS[symbol]);
        let columns = self.grid().columns();
        let row = |y: usize| (0..columns).map(|x| mark(y * columns + x)).collect::<String>();
        (0..self.grid().rows()).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse(&self, text: &str) -> Result<Board, NotationError> {
        let fail = |why: String| NotationError::position(text, why);
        let (columns, rows) = (self.grid().columns(), self.grid().rows());
        let shape = || {
            let like = self.show(&self.start());
            fail(format!("expected {rows} rows of {columns} from .{}, like {like}", self.letters()))
        };
        let lines: Vec<&str> = text.split(['/', '|', '\n', ' ']).map(str::trim).filter(|l| !l.is_empty()).collect();
        if lines.len() != rows || lines.iter().any(|line| line.chars().count() != columns) {
            return Err(shape());
        }
        let mut pos = Board::default();
        for (cell, mark) in lines.iter().flat_map(|line| line.chars()).enumerate() {
            let letter = if mark == '0' { 'O' } else { mark };
            let symbol = self.symbol(letter.encode_utf8(&mut [0; 4]));
            if (mark == MISSING) != (self.grid().all() >> cell & 1 == 0) {
                return Err(shape());
            }
            match (symbol, mark) {
                (Some(symbol), _) => pos.marks[usize::from(symbol)] |= 1 << cell,
                (None, '.' | '-' | '_' | MISSING) => {}
                _ => return Err(shape()),
            }
        }
        match self.why_impossible(&pos) {
            Some(why) => Err(fail(why)),
            None => Ok(pos),
        }
    }

    fn show_move(&self, _pos: &Board, mv: Placing) -> String {
        format!("{}@{}", LETTERS[usize::from(mv.symbol)], self.grid().name(usize::from(mv.cell)))
    }

    fn parse_move(&self, pos: &Board, text: &str) -> Result<Placing, NotationError> {
        let legal = |why: &str| NotationError::mv(text, format!("{why}{}", self.legal_moves_text(pos)));
        let mv = self.parse_thesis(text).or_else(|| self.parse_short(text.trim())).ok_or_else(|| legal(""))?;
        if self.outcome(pos).is_some() {
            return Err(legal(""));
        }
        if pos.filled() >> mv.cell & 1 == 1 {
            return Err(legal("that cell is taken; "));
        }
        Ok(mv)
    }

    fn end_reason(&self, pos: &Board) -> &'static str {
        if self.outcome(pos) == Some(Outcome::Win(self.order())) { "line" } else { "board full" }
    }

    fn scene(&self, pos: &Board) -> Scene {
        let mut scene = Scene::grid(self.grid().columns(), self.grid().rows());
        for cell in (0..self.grid().cells()).filter(|cell| self.grid().all() >> cell & 1 == 0) {
            scene.put(cell, Token::neutral(Shape::Tile, MISSING));
        }
        for cell in each_cell(pos.filled()) {
            let symbol = pos.at(cell).unwrap_or_default();
            let shape = [Shape::Cross, Shape::Ring, Shape::Letter, Shape::Letter][symbol];
            scene.put(cell, Token::neutral(shape, LETTERS[symbol]));
        }
        if self.outcome(pos).is_some() && (self.row() != Row::ExactFinal || self.empty(pos) == 0) {
            each_cell(self.decisive(pos)).for_each(|cell| scene.mark(cell, Why::Decisive, ""));
        }
        scene
    }

    fn path(&self, _pos: &Board, mv: Placing) -> Vec<usize> {
        vec![usize::from(mv.cell)]
    }

    fn player_name(&self, player: Player) -> String {
        if player == self.order() { "order".to_string() } else { "chaos".to_string() }
    }
}
