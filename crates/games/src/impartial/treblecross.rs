//! Treblecross: both mark cells of a row with the same mark; three in a row wins.

use super::{Named, Rules, play};
use crate::grid::{Cells, each_cell};
use agon_core::scene::{Scene, Shape, Token, Why};
use agon_core::{Facts, GameError, Kind, Params};

/// The rules on a row of cells.
#[derive(Clone, Debug)]
pub struct Treblecross {
    length: usize,
}

impl Treblecross {
    /// A row of at most 64 cells.
    #[must_use]
    pub fn new(length: usize) -> Treblecross {
        Treblecross { length }
    }

    fn mirrored(&self, marks: Cells) -> Cells {
        if self.length == 0 { 0 } else { marks.reverse_bits() >> (64 - self.length) }
    }
}

fn treble(marks: Cells) -> Cells {
    marks & marks << 1 & marks << 2
}

impl Rules for Treblecross {
    type State = Cells;
    type Step = u8;
    /// Three in a row ends everything, so a row does not fall apart: the whole row or its mirror image.
    type Part = Cells;

    fn start(&self) -> Cells {
        0
    }

    fn steps(&self, marks: &Cells, each: &mut impl FnMut(u8)) {
        if treble(*marks) == 0 {
            (0..self.length as u8).filter(|cell| marks >> cell & 1 == 0).for_each(each);
        }
    }

    fn apply(&self, marks: &mut Cells, cell: u8) {
        *marks |= 1 << cell;
    }

    fn height(&self, marks: &Cells) -> u32 {
        self.length as u32 - marks.count_ones()
    }

    fn parts(&self, marks: &Cells) -> Vec<Cells> {
        let over = treble(*marks) != 0 || marks.count_ones() as usize == self.length;
        if over { Vec::new() } else { vec![(*marks).min(self.mirrored(*marks))] }
    }

    fn options(&self, part: &Cells, each: &mut impl FnMut(&[Cells])) {
        self.steps(part, &mut |cell| each(&self.parts(&(part | 1 << cell))));
    }

    fn show_part(&self, part: &Cells) -> String {
        self.show(part)
    }

    fn show(&self, marks: &Cells) -> String {
        (0..self.length).map(|cell| if marks >> cell & 1 == 1 { 'X' } else { '.' }).collect()
    }

    fn read(&self, text: &str) -> Result<Cells, String> {
        let shape = || format!("expected {} marks from . and X, like {}", self.length, self.show(&0));
        if text.chars().count() != self.length {
            return Err(shape());
        }
        let mut marks = 0;
        for (cell, mark) in text.chars().enumerate() {
            match mark {
                'X' | 'x' => marks |= 1 << cell,
                '.' => {}
                _ => return Err(shape()),
            }
        }
        if treble(marks) != 0 && !each_cell(marks).any(|cell| treble(marks & !(1 << cell)) == 0) {
            return Err("no single mark can have completed these rows of three".to_string());
        }
        Ok(marks)
    }

    fn show_step(&self, _marks: &Cells, cell: u8) -> String {
        (cell + 1).to_string()
    }

    fn scene(&self, marks: &Cells) -> Scene {
        let mut scene = Scene::grid(self.length, 1);
        for (i, place) in scene.places.iter_mut().enumerate() {
            place.label = (i + 1).to_string();
        }
        scene.columns = (1..=self.length).map(|i| i.to_string()).collect();
        scene.rows = vec![String::new()];
        each_cell(*marks).for_each(|cell| scene.put(cell, Token::neutral(Shape::Cross, 'X')));
        let rows = treble(*marks);
        each_cell(rows | rows >> 1 | rows >> 2).for_each(|cell| scene.mark(cell, Why::Decisive, ""));
        scene
    }

    fn places(&self, _marks: &Cells) -> usize {
        self.length
    }

    fn path(&self, _marks: &Cells, cell: u8) -> Vec<usize> {
        vec![usize::from(cell)]
    }
}

impl Named for Treblecross {
    fn facts() -> Facts {
        Facts::new(
            "treblecross",
            "Treblecross",
            "The players take turns to mark an empty cell of a row, both with the same mark. The player who makes \
             three in a row ends the game and wins (in misère play, loses).",
        )
        .positional("board", Kind::text("1xL with L in 3..=64"), "1x9", "one row of L cells")
        .with(play())
    }

    fn build(params: &Params) -> Result<Treblecross, GameError> {
        let length = params.text("board").strip_prefix("1x").and_then(|text| text.parse().ok());
        let length = length.filter(|length| (3..=64).contains(length));
        length.map(Treblecross::new).ok_or_else(|| params.error("board must be 1xL with L in 3..=64"))
    }
}
