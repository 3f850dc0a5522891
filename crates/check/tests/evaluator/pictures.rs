//! The words of strategies on rectangular boards, computed from pictures of positions alone: neither the evaluator of
//! the checker nor the data that it works with.

pub(crate) type Cell = (i32, i32);

const DIRECTIONS: [Cell; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board by columns from the left and rows from the bottom, both from 1.
#[derive(Clone)]
pub(crate) struct Picture {
    rows: Vec<Vec<char>>,
    k: i32,
}

/// A move into a cell, as it looks: the marks of both sides if marks belong to sides, and all marks if not.
pub(crate) struct Put {
    pub(crate) cell: Cell,
    pub(crate) mark: char,
    pub(crate) letters: Vec<char>,
    /// The marks of the side to move and of the other side.
    pub(crate) owned: Option<(char, char)>,
    /// The cell of the opponent's last move.
    pub(crate) last: Option<Cell>,
    /// True if the first side moves.
    pub(crate) first: bool,
}

impl Picture {
    pub(crate) fn of(text: &str, k: usize) -> Picture {
        Picture { rows: text.split('/').rev().map(|row| row.chars().collect()).collect(), k: k as i32 }
    }

    fn size(&self) -> Cell {
        (self.rows[0].len() as i32, self.rows.len() as i32)
    }

    fn at(&self, (x, y): Cell) -> Option<char> {
        let row = self.rows.get(usize::try_from(y - 1).ok()?)?;
        row.get(usize::try_from(x - 1).ok()?).copied()
    }

    fn marked(&self, cell: Cell) -> bool {
        self.at(cell).is_some_and(|mark| mark != '.')
    }

    fn with(&self, (x, y): Cell, mark: char) -> Picture {
        let mut after = self.clone();
        after.rows[y as usize - 1][x as usize - 1] = mark;
        after
    }

    pub(crate) fn cells(&self) -> Vec<Cell> {
        let (columns, rows) = self.size();
        (1..=rows).flat_map(|y| (1..=columns).map(move |x| (x, y))).collect()
    }

    /// The cell that differs in another picture, and what it holds there.
    pub(crate) fn difference(&self, other: &Picture) -> (Cell, char) {
        let cell = self.cells().into_iter().find(|&cell| self.at(cell) != other.at(cell)).expect("a difference");
        (cell, other.at(cell).expect("a cell"))
    }

    fn count(&self, holds: impl Fn(char) -> bool) -> i32 {
        self.rows.iter().flatten().filter(|&&mark| holds(mark)).count() as i32
    }

    /// Every line with its direction.
    fn lines(&self) -> Vec<(usize, Vec<Cell>)> {
        let mut lines = Vec::new();
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            for (x, y) in self.cells() {
                let line: Vec<Cell> = (0..self.k).map(|i| (x + i * dx, y + i * dy)).collect();
                // A line of one cell has no direction.
                let repeated = self.k == 1 && direction > 0;
                if !repeated && line.iter().all(|&cell| self.at(cell).is_some()) {
                    lines.push((direction, line));
                }
            }
        }
        lines
    }

    fn complete(&self, line: &[Cell]) -> bool {
        self.marked(line[0]) && line.iter().all(|&cell| self.at(cell) == self.at(line[0]))
    }

    /// The empty cells in which this mark would make a line complete.
    fn gaps(&self, marks: &[char]) -> i32 {
        let fills = |cell: Cell, mark: char| {
            let after = self.with(cell, mark);
            after.lines().iter().any(|(_, line)| line.contains(&cell) && after.complete(line))
        };
        let empty = self.cells().into_iter().filter(|&cell| !self.marked(cell));
        empty.filter(|&cell| marks.iter().any(|&mark| fills(cell, mark))).count() as i32
    }

    fn off_centre(&self, (x, y): Cell) -> i32 {
        let (columns, rows) = self.size();
        (2 * x - columns - 1).abs().max((2 * y - rows - 1).abs())
    }

    fn central(&self, cell: Cell) -> bool {
        self.cells().into_iter().all(|other| self.off_centre(cell) <= self.off_centre(other))
    }

    fn mate(&self, (x, y): Cell, pairing: &str) -> Option<Cell> {
        let (columns, rows) = self.size();
        let end = |at: i32, size: i32| if at == 1 || at == size { size + 1 - at } else { at };
        let mate = match pairing {
            "half-turn" => (columns + 1 - x, rows + 1 - y),
            "left-right" => (columns + 1 - x, y),
            "top-bottom" => (x, rows + 1 - y),
            "border" => (end(x, columns), end(y, rows)),
            _ => (x, y + if y % 2 == 1 { 1 } else { -1 }),
        };
        Some(mate).filter(|&mate| mate != (x, y) && self.at(mate).is_some())
    }
}

fn king(a: Cell, b: Cell) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// A word of the language with its argument.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) name: &'static str,
    pub(crate) argument: String,
    /// True if it is a yes or no.
    pub(crate) flag: bool,
    /// True if it speaks of a position alone.
    pub(crate) position: bool,
}

impl Word {
    pub(crate) fn new(name: &'static str, argument: &str, flag: bool, position: bool) -> Word {
        let text = if argument.is_empty() { name.to_string() } else { format!("{name}({argument})") };
        Word { text, name, argument: argument.to_string(), flag, position }
    }
}

/// Every word about cells and lines, with every argument that means something on the board.
pub(crate) fn words(board: &Picture) -> Vec<Word> {
    let mut words = Vec::new();
    for name in ["filled", "empty", "marks", "other-marks", "complete-lines"] {
        words.push(Word::new(name, "", false, true));
    }
    for name in
        ["corner", "edge", "border", "interior", "centre", "inside", "same-column", "same-row", "places", "takes"]
    {
        words.push(Word::new(name, "", true, false));
    }
    for name in ["completes", "blocks", "fork", "extends"] {
        words.push(Word::new(name, "", true, false));
    }
    for name in ["column", "row", "mark", "degree", "lines", "line", "cut", "threats", "leaves", "forks-left", "run"] {
        words.push(Word::new(name, "", false, false));
    }
    words.push(Word::new("extensions", "", false, false));
    for (x, y) in board.cells() {
        let cell = format!("{}{y}", char::from(b'a' + x as u8 - 1));
        words.push(Word::new("cell", &cell, true, false));
    }
    words.push(Word::new("in", "diagonal", true, false));
    for target in ["last", "centre", "own", "other", "any"] {
        words.push(Word::new("distance", target, false, false));
        words.push(Word::new("beside", target, false, false));
    }
    for n in 0..board.k {
        for name in ["open", "cuts", "directions"] {
            words.push(Word::new(name, &n.to_string(), false, false));
        }
    }
    for pairing in ["half-turn", "left-right", "top-bottom", "border", "claimeven"] {
        words.push(Word::new("answers", pairing, true, false));
        words.push(Word::new("answers-last", pairing, true, false));
    }
    words
}

/// The value of one of these words for a move.
pub(crate) fn value(board: &Picture, put: &Put, word: &Word) -> i32 {
    let (x, y) = put.cell;
    let (columns, rows) = board.size();
    let (side, end) = (x == 1 || x == columns, y == 1 || y == rows);
    let after = board.with(put.cell, put.mark);
    let n = word.argument.parse::<i32>().unwrap_or(0);
    let sides = put.owned.unwrap_or(match put.first {
        true => (put.letters[0], *put.letters.get(1).unwrap_or(&'-')),
        false => (*put.letters.get(1).unwrap_or(&'-'), put.letters[0]),
    });
    let replies = put.owned.map_or(put.letters.clone(), |(_, other)| vec![other]);
    let flag = |holds: bool| i32::from(holds);
    let mate = board.mate(put.cell, &word.argument);
    match word.name {
        "filled" => board.count(|mark| mark != '.'),
        "empty" => board.count(|mark| mark == '.'),
        "marks" => board.count(|mark| mark == sides.0),
        "other-marks" => board.count(|mark| mark == sides.1),
        "complete-lines" => board.lines().iter().filter(|(_, line)| board.complete(line)).count() as i32,
        "corner" => flag(side && end),
        "edge" => flag(side != end),
        "border" => flag(side || end),
        "interior" => flag(!side && !end),
        "centre" => flag(board.central(put.cell)),
        "inside" | "places" => 1,
        "takes" | "extends" => 0,
        "cell" => flag(word.argument == format!("{}{y}", char::from(b'a' + x as u8 - 1))),
        "in" => flag(x == y),
        "column" => x,
        "row" => y,
        "mark" => 1 + put.letters.iter().position(|&mark| mark == put.mark).expect("a mark") as i32,
        "degree" => board.cells().into_iter().filter(|&cell| king(cell, put.cell) == 1).count() as i32,
        "distance" | "beside" => near(board, put, word),
        "same-column" => flag(put.last.is_some_and(|last| last.0 == x)),
        "same-row" => flag(put.last.is_some_and(|last| last.1 == y)),
        "threats" => after.gaps(&[put.mark]),
        "fork" => flag(after.gaps(&[put.mark]) > 1),
        "leaves" => after.gaps(&replies),
        "forks-left" => forks(&after, put, &replies),
        "run" => runs(&after, put).0,
        "extensions" => runs(&after, put).1,
        "answers" => flag(mate.and_then(|mate| board.at(mate)).is_some_and(|there| match put.owned {
            Some((_, other)) => there == other,
            None => there != '.' && (put.letters.len() == 1 || there != put.mark),
        })),
        "answers-last" => flag(mate.is_some() && mate == put.last),
        _ => of_lines(board, &after, put, word.name, n),
    }
}

fn near(board: &Picture, put: &Put, word: &Word) -> i32 {
    let is_target = |cell: Cell| match word.argument.as_str() {
        "last" => put.last == Some(cell),
        "centre" => board.central(cell),
        "own" => board.at(cell) == Some(put.mark),
        "other" => board.marked(cell) && board.at(cell) != Some(put.mark),
        _ => board.marked(cell),
    };
    let distances = board.cells().into_iter().filter(|&cell| cell != put.cell && is_target(cell));
    let mut distances = distances.map(|cell| king(cell, put.cell));
    match word.name {
        "beside" => distances.filter(|&distance| distance == 1).count() as i32,
        _ => distances.by_ref().min().unwrap_or(99),
    }
}

fn of_lines(board: &Picture, after: &Picture, put: &Put, name: &str, n: i32) -> i32 {
    let all = board.lines();
    let through: Vec<&(usize, Vec<Cell>)> = all.iter().filter(|(_, line)| line.contains(&put.cell)).collect();
    let marks = |line: &[Cell]| line.iter().filter_map(|&c| board.at(c)).filter(|&c| c != '.').collect::<Vec<char>>();
    let open: Vec<(usize, i32)> = through
        .iter()
        .filter(|(_, line)| marks(line).iter().all(|&mark| mark == put.mark))
        .map(|(direction, line)| (*direction, marks(line).len() as i32))
        .collect();
    let closed: Vec<i32> = through
        .iter()
        .map(|(_, line)| marks(line))
        .filter(|marks| marks.iter().all(|&mark| mark == marks[0] && mark != put.mark))
        .map(|marks| marks.len() as i32)
        .collect();
    match name {
        "lines" => through.len() as i32,
        "open" => open.iter().filter(|(_, marks)| *marks == n).count() as i32,
        "cuts" => closed.iter().filter(|marks| **marks == n).count() as i32,
        "line" => open.iter().map(|(_, marks)| *marks).max().unwrap_or(0),
        "cut" => closed.iter().copied().max().unwrap_or(0),
        "directions" => {
            (0..4).filter(|direction| open.iter().any(|(d, marks)| d == direction && *marks >= n)).count() as i32
        }
        "completes" => i32::from(through.iter().any(|(_, line)| after.complete(line))),
        "blocks" => i32::from(closed.iter().any(|marks| marks + 1 == board.k)),
        other => panic!("no word `{other}`"),
    }
}

fn forks(after: &Picture, put: &Put, replies: &[char]) -> i32 {
    let mut forks = 0;
    for cell in after.cells().into_iter().filter(|&cell| !after.marked(cell)) {
        for &mark in replies {
            let then = after.with(cell, mark);
            let complete = then.lines().iter().any(|(_, line)| line.contains(&cell) && then.complete(line));
            let first = put.owned.is_some_and(|(own, _)| then.gaps(&[own]) > 0);
            forks += i32::from(!complete && !first && then.gaps(&[mark]) > 1);
        }
    }
    forks
}

fn runs(after: &Picture, put: &Put) -> (i32, i32) {
    let along = |(dx, dy): Cell| {
        let mut run = (1, 0);
        for way in [1, -1] {
            let at = |i: i32| after.at((put.cell.0 + way * i * dx, put.cell.1 + way * i * dy));
            let reach = (1..).take_while(|&i| at(i) == Some(put.mark)).count() as i32;
            run = (run.0 + reach, run.1 + i32::from(at(reach + 1) == Some('.')));
        }
        run
    };
    DIRECTIONS.into_iter().map(along).max().expect("four directions")
}
