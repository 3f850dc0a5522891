//! Positions and moves as text, and the picture.
//!
//! Positions are TPS; where one word is needed, `_` stands for its blanks, and both are read. With a
//! draw rule a fourth word `!…` carries what the rule remembers: a number of plies, or boards joined by dots.

use super::moves::ARROWS;
use super::past::{self, Past};
use super::position::{EMPTY, Stack, height};
use super::{DrawRule, FIFTY, Move, Piece, Position, Tak, pieces_in};
use crate::grid::each_cell;
use agon_core::scene::{Board, Scene, Shape, Sides, Token, Tray, Why};
use agon_core::{Notation, NotationError, Player, collect_moves};
use std::fmt::Write as _;

impl Tak {
    /// The position as TPS, with blanks.
    #[must_use]
    pub fn tps(&self, pos: &Position) -> String {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let board = |pos: &Position| {
            let row = |y: usize| row_text(pos, y * columns, columns);
            (0..rows).map(row).collect::<Vec<_>>().join("/")
        };
        let mut out = format!("{} {} {}", board(pos), pos.turn + 1, pos.number);
        match self.draw {
            DrawRule::None => {}
            DrawRule::Fifty => {
                let _ = write!(out, " !{}", pos.past.plies());
            }
            DrawRule::Threefold => {
                let boards: Vec<String> = past::positions(pos).iter().map(board).collect();
                let _ = write!(out, " !{}", boards.join("."));
            }
        }
        out
    }

    fn read_tps(&self, text: &str) -> Result<Position, String> {
        let words: Vec<&str> = text.split(|c: char| c == '_' || c.is_whitespace()).filter(|w| !w.is_empty()).collect();
        let (board, rest) = words.split_first().ok_or("expected a TPS like x3/x3/x3 1 1")?;
        let mut pos = Position::empty(self.flats, self.capstones);
        self.read_board(board, &mut pos)?;
        self.take_from_reserves(&mut pos)?;
        pos.turn = match rest.first() {
            None | Some(&"1") => 0,
            Some(&"2") => 1,
            Some(other) => return Err(format!("the player to move is 1 or 2, not {}", clean(other))),
        };
        pos.number = match rest.get(1) {
            None => 1,
            Some(word) => {
                let number = word.parse().ok().filter(|n| (1..=1_000_000).contains(n));
                number.ok_or_else(|| format!("the move number is 1 to 1000000, not {}", clean(word)))?
            }
        };
        pos.hash = pos.fresh_hash();
        match rest.get(2..).unwrap_or_default() {
            [] => {}
            [word] if word.starts_with('!') && self.draw != DrawRule::None => {
                pos.past = self.read_past(&pos, &word[1..])?;
            }
            [word, ..] => return Err(format!("nothing is expected after the move number, not {}", clean(word))),
        }
        self.can_arise(&pos)?;
        Ok(pos)
    }

    /// The history for the draw rule: a number of plies, or the boards since the last placement or crush, in order.
    fn read_past(&self, now: &Position, text: &str) -> Result<Past, String> {
        if self.draw == DrawRule::Fifty {
            let plies = text.parse().ok().filter(|&n| n <= FIFTY);
            return Ok(Past::of_plies(plies.ok_or("after ! comes a number of plies, 0 to 50")?));
        }
        let boards: Vec<&str> = text.split('.').filter(|board| !board.is_empty()).collect();
        let mut past = Past::default();
        for (i, board) in boards.iter().enumerate() {
            let wrong = |why: &str| format!("board {} after ! {why}", i + 1);
            let mut pos = Position::empty(self.flats, self.capstones);
            self.read_board(board, &mut pos)
                .and_then(|()| self.take_from_reserves(&mut pos))
                .map_err(|why| wrong(&why))?;
            if (pos.flats, pos.capstones) != (now.flats, now.capstones) {
                return Err(wrong("has other pieces than the position"));
            }
            pos.turn = now.turn ^ ((boards.len() - i) % 2) as u8;
            pos.hash = pos.fresh_hash();
            past = past::extended(&past, &pos);
        }
        Ok(past)
    }

    fn read_board(&self, board: &str, pos: &mut Position) -> Result<(), String> {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let lines: Vec<&str> = board.split(['/', '-', '|']).collect();
        if lines.len() != rows {
            return Err(format!("expected {rows} rows, top first, joined by `/`; there are {}", lines.len()));
        }
        for (y, line) in lines.iter().enumerate() {
            let mut x = 0;
            for cell in line.split(',') {
                let wrong = || format!("{} is not a square: expected x, x2, or pieces like 1, 21S, 12C", clean(cell));
                if let Some(run) = cell.strip_prefix(['x', 'X']) {
                    let run = if run.is_empty() { Some(1) } else { run.parse().ok().filter(|n| (1..=8).contains(n)) };
                    x += run.ok_or_else(wrong)?;
                } else if x < columns {
                    let (stack, top) = read_stack(cell).ok_or_else(wrong)?;
                    pos.set(y * columns + x, stack, top);
                    x += 1;
                } else {
                    x += 1;
                }
                if x > columns {
                    break;
                }
            }
            if x != columns {
                return Err(format!(
                    "row {} has {} squares than {columns}",
                    rows - y,
                    if x < columns { "fewer" } else { "more" }
                ));
            }
        }
        Ok(())
    }

    fn take_from_reserves(&self, pos: &mut Position) -> Result<(), String> {
        let mut used = [[0u32; 2]; 2];
        for cell in each_cell(pos.occupied()) {
            let stack = pos.stacks[cell];
            let owner = (stack & 1) as usize;
            for (side, pieces) in pieces_in(stack).into_iter().enumerate() {
                used[side][0] += pieces;
            }
            if pos.top(cell) == Piece::Cap {
                used[owner][0] -= 1;
                used[owner][1] += 1;
            }
        }
        for (side, [flats, capstones]) in used.into_iter().enumerate() {
            let name = ["white", "black"][side];
            if flats > u32::from(self.flats) || capstones > u32::from(self.capstones) {
                return Err(format!(
                    "{name} has {flats} stones and {capstones} capstones on the board; there are only {} and {}",
                    self.flats, self.capstones
                ));
            }
            pos.flats[side] = self.flats - flats as u8;
            pos.capstones[side] = self.capstones - capstones as u8;
        }
        Ok(())
    }

    /// Rejects positions that fail cheap necessary conditions for reachability.
    fn can_arise(&self, pos: &Position) -> Result<(), String> {
        let pieces: u32 = each_cell(pos.occupied()).map(|cell| height(pos.stacks[cell])).sum();
        if pieces == 0 && pos.turn == 1 {
            return Err("white moves first: an empty board has 1 to move".into());
        }
        if pieces == 1 && pos.turn == 0 {
            return Err("white moved first: with one piece on the board 2 is to move".into());
        }
        Ok(())
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        let text = text.trim().trim_end_matches(['*', '\'', '"', '!', '?', '’', '”']);
        let chars: Vec<char> = text.chars().collect();
        let cell = |at: usize| {
            let name: String = chars.get(at..at + 2)?.iter().collect();
            self.grid.cell(&name)
        };
        let piece = |c: char| match c.to_ascii_uppercase() {
            'F' => Some(Piece::Flat),
            'S' | 'W' => Some(Piece::Wall),
            'C' => Some(Piece::Cap),
            _ => None,
        };
        match chars.len() {
            2 => return Some(Move::place(cell(0)?, Piece::Flat)),
            3 if chars[0].is_alphabetic() && chars[1].is_alphabetic() => {
                return Some(Move::place(cell(1)?, piece(chars[0])?));
            }
            _ => {}
        }
        let count = chars.first()?.to_digit(10);
        let at = usize::from(count.is_some());
        let from = cell(at)?;
        let direction = ARROWS.iter().position(|&arrow| Some(&arrow) == chars.get(at + 2))?;
        let drops: Vec<u32> = chars[at + 3..].iter().map(|c| c.to_digit(10)).collect::<Option<_>>()?;
        let count = count.unwrap_or(1);
        let drops = if drops.is_empty() { vec![count] } else { drops };
        if drops.iter().sum::<u32>() != count {
            return None;
        }
        Move::from_drops(from, direction, &drops)
    }

    /// The squares a slide enters.
    fn entered(&self, mv: Move) -> impl Iterator<Item = usize> {
        let (from, step) = (mv.cell() as isize, self.rays.step[mv.direction()]);
        (1..=mv.cuts().count_ones() as isize).map(move |i| (from + step * i) as usize)
    }
}

fn clean(text: &str) -> String {
    format!("`{}`", agon_core::family::shorten(text))
}

fn row_text(pos: &Position, first: usize, columns: usize) -> String {
    let mut cells: Vec<String> = Vec::new();
    let mut empty = 0;
    let run = |n: usize| if n == 1 { "x".to_string() } else { format!("x{n}") };
    for cell in first..first + columns {
        if pos.stacks[cell] == EMPTY {
            empty += 1;
            continue;
        }
        if empty > 0 {
            cells.push(run(std::mem::take(&mut empty)));
        }
        let top = match pos.top(cell) {
            Piece::Flat => "",
            Piece::Wall => "S",
            Piece::Cap => "C",
        };
        let pieces: String = colours(pos.stacks[cell]).map(|black| if black { '2' } else { '1' }).collect();
        cells.push(pieces + top);
    }
    if empty > 0 {
        cells.push(run(empty));
    }
    cells.join(",")
}

/// The stones of a stack from the bottom; true for black.
fn colours(stack: Stack) -> impl Iterator<Item = bool> {
    (0..height(stack)).rev().map(move |i| stack >> i & 1 == 1)
}

fn read_stack(text: &str) -> Option<(Stack, Piece)> {
    let (pieces, top) = match text.char_indices().last()? {
        (at, 'S' | 's') => (&text[..at], Piece::Wall),
        (at, 'C' | 'c') => (&text[..at], Piece::Cap),
        _ => (text, Piece::Flat),
    };
    if pieces.is_empty() || pieces.len() > 126 {
        return None;
    }
    let mut stack = EMPTY;
    for piece in pieces.chars() {
        stack = stack << 1
            | u128::from(match piece {
                '1' => false,
                '2' => true,
                _ => return None,
            });
    }
    Some((stack, top))
}

impl Notation for Tak {
    fn show(&self, pos: &Position) -> String {
        self.tps(pos).replace(' ', "_")
    }

    fn identity(&self, pos: &Position) -> String {
        self.show(&Position { number: 1, ..pos.clone() })
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.read_tps(text).map_err(|why| NotationError::position(text, why))
    }

    fn show_move(&self, _pos: &Position, mv: Move) -> String {
        let cell = self.grid.name(mv.cell());
        match mv.piece() {
            Some(Piece::Flat) => cell,
            Some(Piece::Wall) => format!("S{cell}"),
            Some(Piece::Cap) => format!("C{cell}"),
            None => {
                let count = if mv.carried() > 1 { mv.carried().to_string() } else { String::new() };
                let drops: String = mv.drops().map(|n| n.to_string()).collect();
                let drops = if drops.len() > 1 { drops } else { String::new() };
                format!("{count}{cell}{}{drops}", ARROWS[mv.direction()])
            }
        }
    }

    fn parse_move(&self, pos: &Position, text: &str) -> Result<Move, NotationError> {
        let mv = self.read_move(text).filter(|mv| collect_moves(self, pos).contains(mv));
        mv.ok_or_else(|| NotationError::mv(text, self.legal_moves_text(pos)))
    }

    /// A board that is full when a reserve runs out counts as `no stones`.
    fn end_reason(&self, pos: &Position) -> &'static str {
        if self.has_road(pos, 0) || self.has_road(pos, 1) {
            "road"
        } else if (0..2).any(|side| pos.flats[side] == 0 && pos.capstones[side] == 0) {
            "no stones"
        } else if pos.occupied() == self.grid.all() {
            "board full"
        } else {
            "draw rule"
        }
    }

    fn scene(&self, pos: &Position) -> Scene {
        let mut scene = Scene::grid(self.grid.columns(), self.grid.rows());
        (scene.board, scene.sides) = (Board::Slab, Sides::LightAndDark);
        for cell in each_cell(pos.occupied()) {
            let last = height(pos.stacks[cell]) as usize - 1;
            for (i, black) in colours(pos.stacks[cell]).enumerate() {
                let piece = if i == last { pos.top(cell) } else { Piece::Flat };
                scene.put(cell, token(piece, black));
            }
        }
        for side in 0..2 {
            if self.has_road(pos, side) {
                each_cell(self.road(pos, side)).for_each(|cell| scene.mark(cell, Why::Decisive, ""));
            }
        }
        scene.legend =
            Some("white ○ flat ▯ wall △ capstone · black ● flat ▮ wall ▲ capstone · top on the right".into());
        for side in Player::BOTH {
            let (flats, capstones) = pos.reserve(side);
            let name = self.player_name(side);
            let count = pos.flat_count(side as usize);
            let noun = if capstones == 1 { "capstone" } else { "capstones" };
            let piece = |piece: Piece| token(piece, side == Player::Second);
            let komi = if side == Player::Second { self.half_komi } else { 0 };
            scene.trays.push(Tray {
                owner: side,
                pieces: vec![
                    (piece(Piece::Flat), flats as usize),
                    (piece(Piece::Wall), flats as usize),
                    (piece(Piece::Cap), capstones as usize),
                ],
                half_points: Some(2 * count + u32::try_from(komi).unwrap_or(0)),
            });
            scene.caption.push(format!("{name}: reserve {flats} stones, {capstones} {noun} · flats on top {count}"));
        }
        scene.caption.push(format!("TPS {}", self.tps(pos)));
        scene
    }

    fn path(&self, _pos: &Position, mv: Move) -> Vec<usize> {
        // The stack, and then each square as often as a piece is dropped on it.
        let mut path = vec![mv.cell()];
        if mv.piece().is_none() {
            let dropped = self.entered(mv).zip(mv.drops());
            path.extend(dropped.flat_map(|(cell, pieces)| std::iter::repeat_n(cell, pieces as usize)));
        }
        path
    }

    fn player_name(&self, player: Player) -> String {
        ["white", "black"][player as usize].to_string()
    }
}

impl Tak {
    /// The squares connected to a road of that side.
    fn road(&self, pos: &Position, side: usize) -> u64 {
        let cells = pos.road_squares(side);
        let seeds = each_cell(cells).map(|cell| self.rays.flood(1 << cell, cells));
        seeds.filter(|&part| self.rays.is_road(part)).fold(0, |road, part| road | part)
    }
}

fn token(piece: Piece, black: bool) -> Token {
    let (shape, letters) = match piece {
        Piece::Flat => (Shape::Flat, ['○', '●']),
        Piece::Wall => (Shape::Wall, ['▯', '▮']),
        Piece::Cap => (Shape::Cap, ['△', '▲']),
    };
    let owner = if black { Player::Second } else { Player::First };
    Token::new(shape, owner, letters[usize::from(black)])
}
