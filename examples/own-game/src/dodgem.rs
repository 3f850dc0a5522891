//! Dodgem (Colin Vout): both sides drive their cars off the board; a side that blocks the other side completely loses.

use agon::core::scene::{Scene, Shape, Token, column_label};
use agon::core::{
    Alternating, Evaluate, Facts, Family, Game, GameError, Guide, Kind, Notation, NotationError, Outcome, Params,
    Player, Symmetric, collect_moves,
};

/// The board has `size` times `size` squares, and each side one car less than that.
#[derive(Clone, Debug)]
pub struct Dodgem {
    pub size: usize,
}

/// The squares of each side's cars, as bits row by row from the top, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cars {
    of: [u32; 2],
    turn: Player,
}

/// From a square to another; `None` is off the board.
pub type Drive = (u8, Option<u8>);

impl Dodgem {
    fn square(&self, x: usize, y: usize) -> usize {
        y * self.size + x
    }

    fn name(&self, square: usize) -> String {
        format!("{}{}", column_label(square % self.size), self.size - square / self.size)
    }

    /// Where a car may drive from a square, were the board empty: the first side drives right, the second up, and both
    /// may step aside.
    fn ways(&self, square: usize, player: Player) -> Vec<Option<usize>> {
        let (x, y, last) = (square % self.size, square / self.size, self.size - 1);
        let mut ways = Vec::new();
        match player {
            Player::First => {
                ways.push((x < last).then(|| self.square(x + 1, y)));
                ways.extend((y > 0).then(|| Some(self.square(x, y - 1))));
                ways.extend((y < last).then(|| Some(self.square(x, y + 1))));
            }
            Player::Second => {
                ways.push((y > 0).then(|| self.square(x, y - 1)));
                ways.extend((x > 0).then(|| Some(self.square(x - 1, y))));
                ways.extend((x < last).then(|| Some(self.square(x + 1, y))));
            }
        }
        ways
    }

    fn drives(&self, pos: &Cars, each: &mut impl FnMut(Drive)) {
        let taken = pos.of[0] | pos.of[1];
        for from in (0..self.size * self.size).filter(|from| pos.of[pos.turn as usize] >> from & 1 == 1) {
            for to in self.ways(from, pos.turn) {
                if to.is_none_or(|to| taken >> to & 1 == 0) {
                    each((from as u8, to.map(|to| to as u8)));
                }
            }
        }
    }
}

impl Game for Dodgem {
    const ALTERNATES: bool = true;
    type Position = Cars;
    type Move = Drive;
    type Undo = Cars;

    /// The first side stands on the left edge, the second on the lower one; the corner between them is free.
    fn start(&self) -> Cars {
        let edge = |square: &dyn Fn(usize) -> usize| (0..self.size - 1).fold(0, |set, i| set | 1 << square(i));
        let (left, lower) = (edge(&|i| self.square(0, i)), edge(&|i| self.square(i + 1, self.size - 1)));
        Cars { of: [left, lower], turn: Player::First }
    }

    fn turn(&self, pos: &Cars) -> Player {
        pos.turn
    }

    /// A side without cars has won. A side that cannot move has won too: the other has shut it in.
    fn outcome(&self, pos: &Cars) -> Option<Outcome> {
        let home = Player::BOTH.into_iter().find(|&side| pos.of[side as usize] == 0);
        let shut_in = || {
            let mut some = false;
            self.drives(pos, &mut |_| some = true);
            (!some).then_some(pos.turn)
        };
        home.or_else(shut_in).map(Outcome::Win)
    }

    fn moves(&self, pos: &Cars, each: &mut impl FnMut(Drive)) {
        if pos.of[0] != 0 && pos.of[1] != 0 {
            self.drives(pos, each);
        }
    }

    fn play(&self, pos: &mut Cars, (from, to): Drive) -> Cars {
        let before = *pos;
        let own = &mut pos.of[pos.turn as usize];
        *own = *own & !(1 << from) | to.map_or(0, |to| 1 << to);
        pos.turn = pos.turn.other();
        before
    }

    fn undo(&self, pos: &mut Cars, _mv: Drive, before: Cars) {
        *pos = before;
    }
}

impl Alternating for Dodgem {}
impl Symmetric for Dodgem {}
impl Guide for Dodgem {}

impl Evaluate for Dodgem {
    /// Random play may cycle for long.
    const CUT: Option<u32> = Some(200);

    /// The steps that the other side still has to drive, minus the mover's own.
    fn evaluate(&self, pos: &Cars) -> i32 {
        let squares = |side: Player| (0..self.size * self.size).filter(move |at| pos.of[side as usize] >> at & 1 == 1);
        let first: usize = squares(Player::First).map(|at| self.size - at % self.size).sum();
        let second: usize = squares(Player::Second).map(|at| at / self.size + 1).sum();
        let ahead = second as i32 - first as i32;
        100 * if pos.turn == Player::First { ahead } else { -ahead }
    }
}

impl Notation for Dodgem {
    fn show(&self, pos: &Cars) -> String {
        let letter = |square: usize| match pos.of.map(|set| set >> square & 1) {
            [1, _] => 'R',
            [_, 1] => 'U',
            _ => '.',
        };
        let row = |y: usize| (0..self.size).map(|x| letter(self.square(x, y))).collect::<String>();
        let rows: Vec<String> = (0..self.size).map(row).collect();
        format!("{}:{}", rows.join("/"), ["r", "u"][pos.turn as usize])
    }

    fn parse(&self, text: &str) -> Result<Cars, NotationError> {
        let fail = |why: &str| NotationError::position(text, why);
        let (board, turn) = text.split_once(':').ok_or_else(|| fail("expected rows of R, U and . and `:r` or `:u`"))?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.size || rows.iter().any(|row| row.chars().count() != self.size) {
            return Err(fail(&format!("expected {0} rows of {0} squares", self.size)));
        }
        let mut of = [0u32; 2];
        for (square, letter) in rows.concat().chars().enumerate() {
            match letter.to_ascii_uppercase() {
                '.' => {}
                'R' => of[0] |= 1 << square,
                'U' => of[1] |= 1 << square,
                _ => return Err(fail("a square is R, U or .")),
            }
        }
        let turn = match turn {
            "r" => Player::First,
            "u" => Player::Second,
            _ => return Err(fail("the side to move is r or u")),
        };
        if of.iter().any(|set| set.count_ones() as usize >= self.size) {
            return Err(fail(&format!("each side has at most {} cars", self.size - 1)));
        }
        // The side that has just driven its last car off has won, and no play goes on from there.
        if of == [0, 0] || of[turn.other() as usize] != 0 && of[turn as usize] == 0 {
            return Err(fail("play ended before"));
        }
        Ok(Cars { of, turn })
    }

    fn show_move(&self, _pos: &Cars, (from, to): Drive) -> String {
        let to = to.map_or("off".to_string(), |to| self.name(usize::from(to)));
        format!("{}-{to}", self.name(usize::from(from)))
    }

    fn scene(&self, pos: &Cars) -> Scene {
        let mut scene = Scene::grid(self.size, self.size);
        for (side, letter) in [(Player::First, 'R'), (Player::Second, 'U')] {
            let cars = (0..self.size * self.size).filter(|at| pos.of[side as usize] >> at & 1 == 1);
            cars.for_each(|at| scene.put(at, Token::new(Shape::Letter, side, letter)));
        }
        scene
    }

    /// To drive off the board, click the car twice.
    fn path(&self, _pos: &Cars, (from, to): Drive) -> Vec<usize> {
        vec![usize::from(from), usize::from(to.unwrap_or(from))]
    }

    fn player_name(&self, player: Player) -> String {
        ["right", "up"][player as usize].to_string()
    }

    fn end_reason(&self, pos: &Cars) -> &'static str {
        if collect_moves(self, pos).is_empty() && pos.of[0] != 0 && pos.of[1] != 0 { "shut in" } else { "all cars off" }
    }
}

impl Family for Dodgem {
    fn facts() -> Facts {
        let rules = "Right drives its cars to the right edge and off the board, and Up drives its cars to the upper \
                     edge and off it. Cars step forward or aside, onto empty squares. The first side without cars \
                     wins; a side that leaves the other side no move loses.";
        Facts::new("dodgem", "Dodgem", rules).positional("size", Kind::Int(2, 5), "3", "squares on each side")
    }

    fn build(params: &Params) -> Result<Dodgem, GameError> {
        Ok(Dodgem { size: params.int("size") })
    }
}
