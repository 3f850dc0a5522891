//! The side that can complete a line, found by going through every board. No code comes from the checker or a solver:
//! rows are laid out anew from the size of the board.

use agon_check::seam::State;

/// The definition of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    AtLeast,
    Exact,
    ExactFinal,
}

pub(crate) const ROWS: [Row; 3] = [Row::AtLeast, Row::Exact, Row::ExactFinal];

/// A game of lines on a small board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Variant {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) k: usize,
    pub(crate) marks: usize,
    pub(crate) row: Row,
    /// True if only the first mark has lines, as in m,n,k games.
    pub(crate) one_sided: bool,
}

/// A line: its mark, the cells it wants, the cells it avoids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) mark: u8,
    pub(crate) wants: Vec<usize>,
    pub(crate) avoids: Vec<usize>,
}

/// Every k cells in a straight row, and the cells before and behind them.
pub(crate) fn windows(columns: usize, rows: usize, k: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let at = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && x < columns as i32 && y < rows as i32;
        inside.then_some((y * columns as i32 + x) as usize)
    };
    let mut found = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for cell in 0..columns * rows {
            let (x, y) = ((cell % columns) as i32, (cell / columns) as i32);
            let along = |i: i32| at(x + dx * i, y + dy * i);
            let Some(cells) = (0..k as i32).map(along).collect::<Option<Vec<_>>>() else { continue };
            let ends = if k == 1 { Vec::new() } else { [along(-1), along(k as i32)].into_iter().flatten().collect() };
            found.push((cells, ends));
        }
    }
    found
}

impl Variant {
    pub(crate) fn cells(&self) -> usize {
        self.columns * self.rows
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        let windows = windows(self.columns, self.rows, self.k);
        let marks = 1..=if self.one_sided { 1 } else { self.marks as u8 };
        let line = |mark: u8, (wants, ends): &(Vec<usize>, Vec<usize>)| {
            let avoids = if self.row == Row::AtLeast { Vec::new() } else { ends.clone() };
            Line { mark, wants: wants.clone(), avoids }
        };
        marks.flat_map(|mark| windows.iter().map(move |window| line(mark, window))).collect()
    }

    /// Digits: 0 empty, then the marks, then a filled cell that holds none of them.
    pub(crate) fn base(&self) -> usize {
        self.marks + 2
    }

    pub(crate) fn boards(&self) -> usize {
        self.base().pow(self.cells() as u32)
    }

    pub(crate) fn digits(&self, mut board: usize) -> Vec<u8> {
        let mut digits = Vec::with_capacity(self.cells());
        for _ in 0..self.cells() {
            digits.push((board % self.base()) as u8);
            board /= self.base();
        }
        digits
    }

    fn letters(&self) -> Vec<u8> {
        let mut letters = b".XOAB"[..=self.marks].to_vec();
        letters.push(b'#');
        letters
    }

    pub(crate) fn state(&self, board: usize, maker: bool, spare: bool) -> State {
        let letters = self.letters();
        State { cells: self.digits(board).iter().map(|&digit| letters[usize::from(digit)]).collect(), maker, spare }
    }

    pub(crate) fn board(&self, state: &State) -> usize {
        let letters = self.letters();
        let digit = |cell: &u8| letters.iter().position(|letter| letter == cell).expect("a letter of the game");
        state.cells.iter().rev().fold(0, |board, cell| board * self.base() + digit(cell))
    }
}

/// The value of every state: who completes a line, with every mark free to both sides.
pub(crate) struct Truth {
    pub(crate) variant: Variant,
    /// For every board, a bit for each turn, with and without a spare move.
    values: Vec<u8>,
}

fn bit(maker: bool, spare: bool) -> u8 {
    u8::from(maker) | u8::from(spare) << 1
}

impl Truth {
    /// With one mark, where ends must be filled, no line that has ends is ever complete. A filled cell without a
    /// mark would complete it, but none comes up on a real board: the values of these are compared.
    pub(crate) fn new(variant: Variant) -> Truth {
        let all = Truth::with(variant, &variant.lines());
        if variant.marks > 1 || variant.row != Row::ExactFinal {
            return all;
        }
        let without: Vec<Line> = variant.lines().into_iter().filter(|line| line.avoids.is_empty()).collect();
        let truth = Truth::with(variant, &without);
        for board in (0..variant.boards()).filter(|&board| !variant.digits(board).contains(&2)) {
            assert_eq!(all.values[board], truth.values[board], "{variant:?} {board}");
        }
        truth
    }

    fn with(variant: Variant, lines: &[Line]) -> Truth {
        let mut truth = Truth { variant, values: vec![0; variant.boards()] };
        let powers: Vec<usize> = (0..variant.cells()).map(|cell| variant.base().pow(cell as u32)).collect();
        // Filling a cell makes the number of the board larger.
        for board in (0..variant.boards()).rev() {
            let digits = variant.digits(board);
            let empty: Vec<usize> = (0..digits.len()).filter(|&cell| digits[cell] == 0).collect();
            let complete = lines.iter().any(|line| {
                line.wants.iter().all(|&cell| digits[cell] == line.mark)
                    && line.avoids.iter().all(|&cell| digits[cell] != line.mark)
            });
            for (spare, maker) in [(false, false), (false, true), (true, false), (true, true)] {
                let full = empty.is_empty() && !spare;
                let judged = full || variant.row != Row::ExactFinal;
                let wins = if (judged && complete) || full {
                    judged && complete
                } else {
                    let filled = empty.iter().flat_map(|&cell| (1..=variant.marks).map(move |mark| (cell, mark)));
                    let mut after = filled.map(|(cell, mark)| truth.get(board + mark * powers[cell], !maker, spare));
                    let waited = spare.then(|| truth.get(board, !maker, false));
                    if maker {
                        waited == Some(true) || after.any(|wins| wins)
                    } else {
                        waited != Some(false) && after.all(|wins| wins)
                    }
                };
                truth.values[board] |= u8::from(wins) << bit(maker, spare);
            }
        }
        truth
    }

    pub(crate) fn get(&self, board: usize, maker: bool, spare: bool) -> bool {
        self.values[board] >> bit(maker, spare) & 1 == 1
    }

    pub(crate) fn of(&self, state: &State) -> bool {
        self.get(self.variant.board(state), state.maker, state.spare)
    }
}
