//! Dots and Boxes: a move draws an edge; who closes a box owns it and moves again; who owns more boxes wins.

use crate::evaluate::Evaluate;
use crate::family::{Facts, Family, GameError, Kind, Params};
use crate::game::{Acyclic, Game, Guide, Notation, NotationError, Ranked, Symmetric};
use crate::words::{Outcome, Player};

/// A board of boxes.
///
/// Edges are numbered row by row through a grid of twice the size, in which a place with an odd sum of coordinates is
/// an edge, one with two odd coordinates a box and one with two even coordinates a dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dots {
    columns: usize,
    rows: usize,
    /// The edges of each box.
    boxes: Vec<u32>,
    /// For each symmetry, where each edge goes.
    maps: Vec<Vec<u8>>,
}

/// The edges drawn, the boxes of the first side less those of the second, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Drawn {
    edges: u32,
    balance: i8,
    turn: Player,
}

impl Dots {
    /// A board of at most 31 edges.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Dots {
        let mut dots = Dots { columns, rows, boxes: Vec::new(), maps: Vec::new() };
        let places = dots.places();
        assert!((1..32).contains(&places.len()), "a board of 1 to 31 edges");
        let edge = |x: usize, y: usize| places.iter().position(|&place| place == (x, y)).expect("an edge");
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (2 * x + 1, 2 * y + 1))) {
            let sides = [edge(x - 1, y), edge(x + 1, y), edge(x, y - 1), edge(x, y + 1)];
            dots.boxes.push(sides.iter().fold(0, |set, side| set | 1 << side));
        }
        for element in 0..if columns == rows { 8 } else { 4 } {
            let image = |&(x, y): &(usize, usize)| {
                let x = if element & 1 == 0 { x } else { 2 * columns - x };
                let y = if element & 2 == 0 { y } else { 2 * rows - y };
                if element & 4 == 0 { edge(x, y) as u8 } else { edge(y, x) as u8 }
            };
            dots.maps.push(places.iter().map(image).collect());
        }
        dots
    }

    /// The position of each edge in the grid of twice the size.
    fn places(&self) -> Vec<(usize, usize)> {
        let (width, height) = (2 * self.columns + 1, 2 * self.rows + 1);
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 1).collect()
    }

    fn edges(&self) -> usize {
        self.maps[0].len()
    }

    fn all(&self) -> u32 {
        (1 << self.edges()) - 1
    }

    fn closed(&self, edges: u32) -> usize {
        self.boxes.iter().filter(|&&sides| edges & sides == sides).count()
    }

    /// Balances that a board can have.
    fn balances(&self) -> usize {
        2 * self.boxes.len() + 1
    }
}

impl Game for Dots {
    type Position = Drawn;
    type Move = u8;
    type Undo = Drawn;

    fn start(&self) -> Drawn {
        Drawn { edges: 0, balance: 0, turn: Player::First }
    }
    fn turn(&self, pos: &Drawn) -> Player {
        pos.turn
    }
    fn outcome(&self, pos: &Drawn) -> Option<Outcome> {
        let result = match pos.balance {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        };
        (pos.edges == self.all()).then_some(result)
    }
    fn moves(&self, pos: &Drawn, each: &mut impl FnMut(u8)) {
        (0..self.edges() as u8).filter(|mv| pos.edges >> mv & 1 == 0).for_each(each);
    }
    fn play(&self, pos: &mut Drawn, mv: u8) -> Drawn {
        let old = *pos;
        pos.edges |= 1 << mv;
        let gained = (self.closed(pos.edges) - self.closed(old.edges)) as i8;
        pos.balance += if pos.turn == Player::First { gained } else { -gained };
        if gained == 0 {
            pos.turn = pos.turn.other();
        }
        old
    }
    fn undo(&self, pos: &mut Drawn, _mv: u8, undo: Drawn) {
        *pos = undo;
    }
}

impl Acyclic for Dots {
    fn height(&self, pos: &Drawn) -> u32 {
        self.edges() as u32 - pos.edges.count_ones()
    }
    fn draw_plies(&self, pos: &Drawn) -> Option<u32> {
        Some(self.height(pos))
    }
}

impl Ranked for Dots {
    fn ranks(&self) -> Option<usize> {
        Some((2 * self.balances()) << self.edges())
    }
    fn rank(&self, pos: &Drawn) -> usize {
        let balance = (i32::from(pos.balance) + self.boxes.len() as i32) as usize;
        (pos.edges as usize * self.balances() + balance) * 2 + pos.turn as usize
    }
    fn unrank(&self, rank: usize) -> Option<Drawn> {
        let (edges, balance) = (rank / 2 / self.balances(), rank / 2 % self.balances());
        let balance = balance as i8 - self.boxes.len() as i8;
        Some(Drawn { edges: edges as u32, balance, turn: Player::BOTH[rank % 2] })
    }
}

impl Symmetric for Dots {
    fn order(&self) -> usize {
        self.maps.len()
    }
    fn image(&self, element: usize, pos: &Drawn) -> Drawn {
        let edges = (0..self.edges()).filter(|edge| pos.edges >> edge & 1 == 1);
        Drawn { edges: edges.fold(0, |set, edge| set | 1 << self.maps[element][edge]), ..*pos }
    }
    fn image_of_move(&self, element: usize, mv: u8) -> u8 {
        self.maps[element][usize::from(mv)]
    }
    fn inverse(&self, element: usize) -> usize {
        let undoes =
            |other: &Vec<u8>| (0..self.edges()).all(|e| usize::from(other[usize::from(self.maps[element][e])]) == e);
        self.maps.iter().position(undoes).expect("a group")
    }
}

impl Guide for Dots {}

impl Evaluate for Dots {
    fn evaluate(&self, pos: &Drawn) -> i32 {
        let own = if pos.turn == Player::First { pos.balance } else { -pos.balance };
        100 * i32::from(own)
    }
}

impl Notation for Dots {
    fn show(&self, pos: &Drawn) -> String {
        format!("{:0width$b}/{}/{}", pos.edges, pos.balance, pos.turn.name(), width = self.edges())
    }
    fn parse(&self, text: &str) -> Result<Drawn, NotationError> {
        let wrong = || NotationError::position(text, "expected EDGES/BALANCE/SIDE");
        let [edges, balance, side] = text.split('/').collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let edges = u32::from_str_radix(edges, 2).ok().filter(|&edges| edges <= self.all()).ok_or_else(wrong)?;
        let closed = self.closed(edges) as i8;
        let balance: i8 = balance.parse().map_err(|_| wrong())?;
        let possible = balance.unsigned_abs() <= closed.unsigned_abs() && (balance - closed) % 2 == 0;
        let turn = Player::BOTH.into_iter().find(|turn| turn.name() == side).filter(|_| possible).ok_or_else(wrong)?;
        Ok(Drawn { edges, balance, turn })
    }
    fn show_move(&self, _pos: &Drawn, mv: u8) -> String {
        let (x, y) = self.places()[usize::from(mv)];
        format!("{x}.{y}")
    }
}

impl Family for Dots {
    fn facts() -> Facts {
        Facts::new(
            "dots",
            "Dots and Boxes",
            "A move draws an edge; who closes a box owns it and moves again; who owns more boxes wins.",
        )
        .positional("board", Kind::Size(1, 3), "2x2", "columns x rows")
    }

    fn build(params: &Params) -> Result<Dots, GameError> {
        let (columns, rows) = params.size("board");
        Ok(Dots::new(columns, rows))
    }
}
