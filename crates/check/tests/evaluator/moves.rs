//! The words of strategies about moves of every kind: into cells on and off a part of the board, from other cells, and
//! with marks taken. The values are computed here from lists of cells, by the definitions in `docs/strategies.md`.
//!
//! A game of one choice tells which moves a text allows: a text is accepted exactly if it allows a move, and none that
//! loses.

use crate::common::Count;
use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::{Features, Layout, Placing, Row, Spot};
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{Ctx, Game, Notation, NotationError, Outcome, Player, Rng, Symmetric, Wdl};
use std::collections::BTreeSet;

/// The opponent moves once, then the side whose strategy it is, and the game is over.
#[derive(Clone, Debug)]
struct Once {
    side: Player,
    moves: u8,
    wins: BTreeSet<u8>,
}

/// Before the opponent's move, before the choice, and after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum At {
    Begin,
    Choice,
    End(u8),
}

impl Game for Once {
    type Position = At;
    type Move = u8;
    type Undo = At;

    fn start(&self) -> At {
        At::Begin
    }
    fn turn(&self, pos: &At) -> Player {
        if *pos == At::Choice { self.side } else { self.side.other() }
    }
    fn outcome(&self, pos: &At) -> Option<Outcome> {
        let At::End(chosen) = pos else { return None };
        Some(Outcome::Win(if self.wins.contains(chosen) { self.side } else { self.side.other() }))
    }
    fn moves(&self, pos: &At, each: &mut impl FnMut(u8)) {
        match pos {
            At::Begin => each(0),
            At::Choice => (0..self.moves).for_each(each),
            At::End(_) => {}
        }
    }
    fn play(&self, pos: &mut At, mv: u8) -> At {
        let next = if *pos == At::Begin { At::Choice } else { At::End(mv) };
        std::mem::replace(pos, next)
    }
    fn undo(&self, pos: &mut At, _mv: u8, before: At) {
        *pos = before;
    }
}

impl Symmetric for Once {}

impl Notation for Once {
    fn show(&self, pos: &At) -> String {
        format!("{pos:?}")
    }
    fn parse(&self, text: &str) -> Result<At, NotationError> {
        match text {
            "Begin" => Ok(At::Begin),
            _ => Err(NotationError::position(text, "only the beginning is read")),
        }
    }
    fn show_move(&self, _pos: &At, mv: u8) -> String {
        mv.to_string()
    }
}

type Cell = (i32, i32);

/// A move: the cell that it fills, the mark, where that comes from, and what is taken.
#[derive(Clone, Debug)]
struct Does {
    cell: Option<Cell>,
    mark: usize,
    from: Option<Cell>,
    taken: Vec<Cell>,
}

/// A line with the cells at its ends.
#[derive(Clone, Debug)]
struct Line {
    cells: Vec<Cell>,
    ends: Vec<Cell>,
    direction: u8,
}

/// A board: all of the cells, or some of them.
#[derive(Clone, Debug)]
struct Board {
    cells: Vec<Cell>,
    near: Vec<(Cell, Vec<Cell>)>,
    lines: Vec<Line>,
}

/// A situation that a text sees.
#[derive(Clone, Debug)]
struct Situation {
    side: Player,
    all: Vec<Cell>,
    boards: [Board; 2],
    /// The number of marks, and whether they belong to the sides.
    letters: usize,
    owned: bool,
    /// The marks on the board.
    marks: Vec<(Cell, usize)>,
    moves: Vec<Does>,
    last: Option<Cell>,
    region: Vec<Cell>,
    pairing: Vec<(Cell, Cell, bool)>,
}

fn king(a: Cell, b: Cell) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn name((x, y): Cell) -> String {
    format!("{}{y}", char::from(b'a' + x as u8 - 1))
}

/// Marks by cell.
fn mark_of(marks: &[(Cell, usize)], cell: Cell) -> Option<usize> {
    marks.iter().find(|(there, _)| *there == cell).map(|(_, mark)| *mark)
}

impl Situation {
    /// Squares in columns and rows, of which the inner board has only some, and marks and moves at random.
    fn random(rng: &mut Rng, letters: usize, owned: bool) -> Situation {
        let (columns, rows) = (3 + rng.below(2) as i32, 3 + rng.below(2) as i32);
        let all: Vec<Cell> = (1..=rows).rev().flat_map(|y| (1..=columns).map(move |x| (x, y))).collect();
        let some = |rng: &mut Rng, list: &[Cell], share: usize| -> Vec<Cell> {
            list.iter().copied().filter(|_| rng.below(100) < share).collect()
        };
        let mut board = |cells: Vec<Cell>, k: i32| {
            let mut lines = Vec::new();
            for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
                for &(x, y) in &cells {
                    let at = |i: i32| (x + i * dx, y + i * dy);
                    let line: Vec<Cell> = (0..k).map(at).collect();
                    if line.iter().all(|cell| cells.contains(cell)) && rng.below(4) > 0 {
                        let ends = [at(-1), at(k)].into_iter().filter(|end| all.contains(end)).collect();
                        lines.push(Line { cells: line, ends, direction: direction as u8 });
                    }
                }
            }
            let near = all.iter().map(|&cell| (cell, some(rng, &cells, 40))).collect();
            Board { cells, near, lines }
        };
        let inner: Vec<Cell> = all.iter().copied().filter(|&(x, y)| x > 1 && y < rows).collect();
        let boards = [board(all.clone(), 3), board(inner, 2)];
        let marks: Vec<(Cell, usize)> =
            some(rng, &all, 60).into_iter().map(|cell| (cell, rng.below(letters))).collect();
        let side = Player::BOTH[rng.below(2)];
        let mut moves = vec![Does { cell: None, mark: 0, from: None, taken: vec![] }];
        for &cell in all.iter().filter(|&&cell| mark_of(&marks, cell).is_none()) {
            let mark = if owned { side as usize } else { rng.below(letters) };
            let like: Vec<Cell> = marks.iter().filter(|m| m.1 == mark).map(|m| m.0).collect();
            let from = if rng.below(2) == 0 { rng.pick(&like).copied() } else { None };
            let others: Vec<Cell> = marks.iter().filter(|m| m.1 != mark).map(|m| m.0).collect();
            let taken = if rng.below(2) == 0 { rng.pick(&others).into_iter().copied().collect() } else { vec![] };
            moves.push(Does { cell: Some(cell), mark, from, taken });
        }
        let region = some(rng, &all, 50);
        let mut left = all.clone();
        let mut pairing = Vec::new();
        while left.len() > 3 {
            let one = left.swap_remove(rng.below(left.len()));
            pairing.push((one, left.swap_remove(rng.below(left.len())), rng.below(2) == 0));
        }
        let last = if rng.below(5) == 0 { None } else { rng.pick(&all).copied() };
        let (region, pairing) = (if region.is_empty() { all[..1].to_vec() } else { region }, pairing);
        Situation { side, all, boards, letters, owned, marks, moves, last, region, pairing }
    }

    /// The partner of a cell, and whether both get the same mark.
    fn mate(&self, board: &Board, pairing: &str, (x, y): Cell) -> Option<(Cell, bool)> {
        if pairing == "own" {
            return self.pairing.iter().find_map(|&(a, b, same)| match (x, y) {
                cell if cell == a => Some((b, same)),
                cell if cell == b => Some((a, same)),
                _ => None,
            });
        }
        let edges = |of: fn(&Cell) -> i32| {
            let all = board.cells.iter().map(of).collect::<Vec<i32>>();
            (all.iter().copied().min().expect("cells"), all.iter().copied().max().expect("cells"))
        };
        let (across, upwards) = (edges(|c| c.0), edges(|c| c.1));
        let opposite = |at: i32, (low, high): (i32, i32)| low + (high - at);
        let swapped = |at: i32, ends: (i32, i32)| if at == ends.0 || at == ends.1 { opposite(at, ends) } else { at };
        let mate = match pairing {
            "half-turn" => (opposite(x, across), opposite(y, upwards)),
            "left-right" => (opposite(x, across), y),
            "top-bottom" => (x, opposite(y, upwards)),
            "border" => (swapped(x, across), swapped(y, upwards)),
            "claimeven" => (x, if y % 2 == 0 { y - 1 } else { y + 1 }),
            other => panic!("no pairing {other}"),
        };
        (mate != (x, y) && board.cells.contains(&mate)).then_some((mate, false))
    }

    /// Cells that lie least far from the middle.
    fn centre(board: &Board) -> Vec<Cell> {
        let column = |pick: fn(i32, i32) -> i32| board.cells.iter().map(|c| c.0).reduce(pick).expect("cells");
        let row = |pick: fn(i32, i32) -> i32| board.cells.iter().map(|c| c.1).reduce(pick).expect("cells");
        let middle = (column(i32::min) + column(i32::max), row(i32::min) + row(i32::max));
        let off = |cell: Cell| king((2 * cell.0, 2 * cell.1), middle);
        let least = board.cells.iter().map(|&cell| off(cell)).min();
        board.cells.iter().copied().filter(|&cell| Some(off(cell)) == least).collect()
    }

    /// Words of positions.
    fn about_position(&self, board: &Board, word: &str) -> Option<i32> {
        let there: Vec<usize> = board.cells.iter().filter_map(|&cell| mark_of(&self.marks, cell)).collect();
        let of = |side: Player| there.iter().filter(|&&mark| mark == side as usize).count();
        let complete = |line: &&Line| {
            let marks: Vec<_> = line.cells.iter().map(|&cell| mark_of(&self.marks, cell)).collect();
            marks[0].is_some() && marks.iter().all(|&mark| mark == marks[0])
        };
        Some(match word {
            "filled" => there.len(),
            "empty" => board.cells.len() - there.len(),
            "marks" => of(self.side),
            "other-marks" => of(self.side.other()),
            "complete-lines" => board.lines.iter().filter(complete).count(),
            "mobility" => self.moves.len(),
            "first" => usize::from(self.side == Player::First),
            _ => return None,
        } as i32)
    }

    /// The value of a word for a move.
    fn value(&self, board: &Board, does: &Does, word: &str, argument: &str) -> i32 {
        let flag = |holds: bool| i32::from(holds);
        match (word, does.cell) {
            ("mark", _) => return does.mark as i32 + 1,
            ("places", cell) => return flag(cell.is_some() && does.from.is_none()),
            ("takes", _) => return flag(!does.taken.is_empty()),
            (_, None) => return 0,
            ("column", Some(cell)) => return cell.0,
            ("row", Some(cell)) => return cell.1,
            ("cell", Some(cell)) => return flag(name(cell) == argument),
            ("extends", Some(cell)) => {
                let alike = |line: &Line| line.cells.iter().all(|&c| mark_of(&self.marks, c) == Some(does.mark));
                return flag(board.lines.iter().any(|line| line.ends.contains(&cell) && alike(line)));
            }
            (_, Some(cell)) if !board.cells.contains(&cell) => return 0,
            _ => {}
        }
        let cell = does.cell.expect("a cell");
        let own: Vec<Cell> =
            self.marks.iter().filter(|m| m.1 == does.mark && Some(m.0) != does.from).map(|m| m.0).collect();
        let other: Vec<Cell> = self.marks.iter().filter(|m| m.1 != does.mark).map(|m| m.0).collect();
        let after: Vec<(Cell, usize)> = self
            .marks
            .iter()
            .copied()
            .filter(|m| Some(m.0) != does.from && !does.taken.contains(&m.0))
            .chain([(cell, does.mark)])
            .collect();
        let replies: Vec<usize> =
            if self.owned { vec![self.side.other() as usize] } else { (0..self.letters).collect() };
        let border = |c: Cell| {
            let ends = |of: fn(&Cell) -> i32| {
                let all = board.cells.iter().map(of);
                (all.clone().min(), all.max())
            };
            let (across, upwards) = (ends(|c| c.0), ends(|c| c.1));
            let side = Some(c.0) == across.0 || Some(c.0) == across.1;
            let end = Some(c.1) == upwards.0 || Some(c.1) == upwards.1;
            (side, end)
        };
        let (side, end) = border(cell);
        let through: Vec<&Line> = board.lines.iter().filter(|line| line.cells.contains(&cell)).collect();
        let open: Vec<(u8, usize)> = through
            .iter()
            .filter(|line| !line.cells.iter().any(|c| other.contains(c)))
            .map(|line| (line.direction, line.cells.iter().filter(|c| own.contains(c)).count()))
            .collect();
        let closed: Vec<(usize, usize)> = through
            .iter()
            .filter(|line| !line.cells.iter().any(|c| own.contains(c)))
            .filter_map(|line| {
                // The mark that moves is neither an own mark nor another one.
                let marks: Vec<usize> =
                    line.cells.iter().filter(|c| other.contains(c)).filter_map(|&c| mark_of(&self.marks, c)).collect();
                marks.iter().all(|mark| *mark == marks[0]).then_some((marks.len(), line.cells.len()))
            })
            .collect();
        let n = argument.parse::<usize>().unwrap_or(0);
        let target: Vec<Cell> = match argument {
            "last" => self.last.into_iter().collect(),
            "centre" => Situation::centre(board),
            "own" => own.iter().copied().filter(|c| board.cells.contains(c)).collect(),
            "other" => other.iter().copied().filter(|c| board.cells.contains(c)).collect(),
            _ => own.iter().chain(&other).copied().filter(|c| board.cells.contains(c)).collect(),
        };
        let mate = || self.mate(board, argument, cell);
        match word {
            "corner" => flag(side && end),
            "edge" => flag(side != end),
            "border" => flag(side || end),
            "interior" => flag(!side && !end),
            "centre" => flag(Situation::centre(board).contains(&cell)),
            "inside" => 1,
            "in" => flag(self.region.contains(&cell)),
            "degree" => near(board, cell).len() as i32,
            "distance" => target.iter().filter(|&&c| c != cell).map(|&c| king(c, cell)).min().unwrap_or(99),
            "beside" => target.iter().filter(|c| near(board, cell).contains(c)).count() as i32,
            "same-column" => flag(self.last.is_some_and(|last| last.0 == cell.0)),
            "same-row" => flag(self.last.is_some_and(|last| last.1 == cell.1)),
            "lines" => through.len() as i32,
            "open" => open.iter().filter(|o| o.1 == n).count() as i32,
            "line" => open.iter().map(|o| o.1 as i32).max().unwrap_or(0),
            "cuts" => closed.iter().filter(|c| c.0 == n).count() as i32,
            "cut" => closed.iter().map(|c| c.0 as i32).max().unwrap_or(0),
            "directions" => open.iter().filter(|o| o.1 >= n).map(|o| o.0).collect::<BTreeSet<u8>>().len() as i32,
            "completes" => flag(through.iter().any(|line| line.cells.iter().all(|c| *c == cell || own.contains(c)))),
            "blocks" => flag(closed.iter().any(|&(marks, cells)| marks + 1 == cells)),
            "threats" => gaps(board, &after, &[does.mark]).len() as i32,
            "fork" => flag(gaps(board, &after, &[does.mark]).len() > 1),
            "leaves" => gaps(board, &after, &replies).len() as i32,
            "forks-left" => self.forks_left(board, &after, &replies),
            "run" => run(board, &own, &other, cell).0,
            "extensions" => run(board, &own, &other, cell).1,
            "answers" => flag(mate().is_some_and(|(mate, same)| match (self.owned, mark_of(&self.marks, mate)) {
                (_, None) => false,
                (true, Some(mark)) => mark == self.side.other() as usize,
                (false, Some(mark)) => (mark == does.mark) == (same || self.letters == 1),
            })),
            "answers-last" => flag(mate().is_some_and(|(mate, _)| self.last == Some(mate))),
            other => panic!("no word `{other}`"),
        }
    }

    fn forks_left(&self, board: &Board, after: &[(Cell, usize)], replies: &[usize]) -> i32 {
        let mut forks = 0;
        for &cell in board.cells.iter().filter(|&&cell| mark_of(after, cell).is_none()) {
            for &mark in replies {
                let then: Vec<(Cell, usize)> = after.iter().copied().chain([(cell, mark)]).collect();
                let full = |line: &Line| line.cells.iter().all(|&c| mark_of(&then, c) == Some(mark));
                let complete = board.lines.iter().any(|line| line.cells.contains(&cell) && full(line));
                let first = self.owned && !gaps(board, &then, &[self.side as usize]).is_empty();
                forks += i32::from(!complete && !first && gaps(board, &then, &[mark]).len() > 1);
            }
        }
        forks
    }
}

fn near(board: &Board, cell: Cell) -> &[Cell] {
    &board.near.iter().find(|(there, _)| *there == cell).expect("a cell").1
}

/// The empty cells that alone lack one of these marks in a line.
fn gaps(board: &Board, marks: &[(Cell, usize)], wanted: &[usize]) -> BTreeSet<Cell> {
    let mut gaps = BTreeSet::new();
    for line in &board.lines {
        let (empty, there): (Vec<Cell>, Vec<Cell>) = line.cells.iter().partition(|&&c| mark_of(marks, c).is_none());
        let alike = |mark: usize| there.iter().all(|&c| mark_of(marks, c) == Some(mark));
        if empty.len() == 1 && wanted.iter().any(|&mark| alike(mark)) {
            gaps.insert(empty[0]);
        }
    }
    gaps
}

/// The longest row of own marks through a cell, and the empty cells at its ends.
fn run(board: &Board, own: &[Cell], other: &[Cell], (x, y): Cell) -> (i32, i32) {
    let mut best = (1, 0);
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let mut found = (1, 0);
        for way in [-1, 1] {
            let at = |i: i32| (x + way * i * dx, y + way * i * dy);
            let reach = (1..).take_while(|&i| board.cells.contains(&at(i)) && own.contains(&at(i))).count() as i32;
            let end = at(reach + 1);
            let empty = board.cells.contains(&end) && !own.contains(&end) && !other.contains(&end);
            found = (found.0 + reach, found.1 + i32::from(empty));
        }
        best = best.max(found);
    }
    best
}

/// The same as the data of a game.
struct Data<'a> {
    situation: &'a Situation,
    boards: Vec<Layout>,
    letters: Vec<char>,
}

impl<'a> Data<'a> {
    fn new(situation: &'a Situation) -> Data<'a> {
        let set = |cells: &[Cell]| cells.iter().fold(0, |set, &cell| set | 1 << situation.index(cell));
        let spots: Vec<Spot> = situation.all.iter().map(|&c| Spot { name: name(c), column: c.0, row: c.1 }).collect();
        let layout = |(board, name): (&Board, &'static str)| Layout {
            name,
            spots: spots.clone(),
            inside: set(&board.cells),
            near: board.near.iter().map(|(_, list)| set(list)).collect(),
            rows: board
                .lines
                .iter()
                .map(|line| Row { cells: set(&line.cells), ends: set(&line.ends), direction: line.direction })
                .collect(),
        };
        let boards = situation.boards.iter().zip(["board", "inner"]).map(layout).collect();
        Data { situation, boards, letters: ['X', 'O', 'A'][..situation.letters].to_vec() }
    }
}

impl Situation {
    fn index(&self, cell: Cell) -> usize {
        self.all.iter().position(|&there| there == cell).expect("a cell")
    }
}

impl Features<Once> for Data<'_> {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }
    fn letters(&self) -> &[char] {
        &self.letters
    }
    fn owned(&self) -> bool {
        self.situation.owned
    }
    fn marks(&self, _game: &Once, _pos: &At) -> [CellSet; MAX_MARKS] {
        let mut marks = [0; MAX_MARKS];
        self.situation.marks.iter().for_each(|&(cell, mark)| marks[mark] |= 1 << self.situation.index(cell));
        marks
    }
    fn placing(&self, _game: &Once, _pos: &At, mv: u8) -> Placing {
        let Does { cell, mark, from, taken } = &self.situation.moves[usize::from(mv)];
        let index = |cell: Cell| self.situation.index(cell) as u8;
        Placing {
            cell: cell.map(index),
            mark: *mark as u8,
            from: from.map(index),
            taken: taken.iter().fold(0, |set, &cell| set | 1 << index(cell)),
        }
    }
    fn last(&self, _game: &Once, _before: &At, _mv: u8) -> u16 {
        // Numbers beyond those of the cells mean something else.
        let none = if self.situation.side == Player::First { 0 } else { self.situation.all.len() as u16 + 1 };
        self.situation.last.map_or(none, |cell| self.situation.index(cell) as u16 + 1)
    }
}

/// The words about moves that take nothing in parentheses.
#[rustfmt::skip]
const FLAGS: [&str; 14] = [
    "corner", "edge", "border", "interior", "centre", "inside", "same-column", "same-row", "places", "takes", "completes",
    "blocks", "fork", "extends",
];
#[rustfmt::skip]
const NUMBERS: [&str; 12] = [
    "column", "row", "mark", "degree", "lines", "line", "cut", "threats", "leaves", "forks-left", "run", "extensions",
];

/// Returns whether a word is a yes or no.
fn is_flag(word: &str) -> bool {
    FLAGS.contains(&word) || ["cell", "in", "answers", "answers-last"].contains(&word)
}

/// Every word about moves, with its argument.
fn words(situation: &Situation) -> Vec<(&'static str, String)> {
    let mut words: Vec<(&str, String)> = FLAGS.iter().chain(&NUMBERS).map(|&word| (word, String::new())).collect();
    words.extend(situation.all.iter().map(|&cell| ("cell", name(cell))));
    words.push(("in", "some".into()));
    for target in ["last", "centre", "own", "other", "any"] {
        words.extend(["distance", "beside"].map(|word| (word, target.to_string())));
    }
    for n in 0..4 {
        words.extend(["open", "cuts", "directions"].map(|word| (word, n.to_string())));
    }
    for pairing in ["half-turn", "left-right", "top-bottom", "border", "claimeven", "own"] {
        words.extend(["answers", "answers-last"].map(|word| (word, pairing.to_string())));
    }
    words
}

/// Judges a text in the game that the given moves win.
fn judge(data: &Data<'_>, wins: &BTreeSet<u8>, text: &str) -> Result<(), Rejected> {
    let situation = data.situation;
    let game = Once { side: situation.side, moves: situation.moves.len() as u8, wins: wins.clone() };
    let region: String = situation.region.iter().map(|&cell| format!(" {}", name(cell))).collect();
    let pair =
        |&(a, b, same): &(Cell, Cell, bool)| format!("  {} {}{}\n", name(a), name(b), if same { " same" } else { "" });
    let pairs: String = situation.pairing.iter().map(pair).collect();
    let section = Section::Text {
        side: situation.side,
        least: Wdl::Win,
        within: None,
        text: format!("region some\n {region}\npairing own\n{pairs}rule a\n{text}\n"),
    };
    let certificate = Certificate {
        game: "once".into(),
        rules: None,
        from: "Begin".into(),
        claim: Claim::AtLeast(situation.side, Wdl::Win),
        up_to_symmetry: false,
        sections: vec![section],
    };
    check(&game, data, &certificate, &Ctx::default()).map(drop)
}

/// Asserts that a text allows exactly these moves.
fn allows(data: &Data<'_>, moves: &BTreeSet<u8>, text: &str, count: &mut Count) {
    let wrong = |what: &str| panic!("{what} of {moves:?}\n{text}\n{:?}", data.situation);
    count.tried += 1;
    match judge(data, moves, text) {
        Ok(()) if !moves.is_empty() => count.accepted += 1,
        Err(Rejected::Refuted(_)) if moves.is_empty() => {}
        found => wrong(&format!("{found:?} for all")),
    }
    for mv in moves {
        let mut others = moves.clone();
        others.remove(mv);
        count.tried += 1;
        if !matches!(judge(data, &others, text), Err(Rejected::Refuted(_))) {
            wrong(&format!("{mv} is not one"));
        }
    }
}

#[test]
fn every_word_about_moves_of_every_kind() {
    let mut count = Count::default();
    let mut rng = Rng::new(11);
    for round in 0..36 {
        let (letters, owned) = [(2, true), (3, false), (1, false), (2, false)][round % 4];
        let situation = Situation::random(&mut rng, letters, owned);
        let data = Data::new(&situation);
        count.states += 1;
        let everything: BTreeSet<u8> = (0..situation.moves.len() as u8).collect();
        for (board, on) in situation.boards.iter().zip(["board", "inner"]) {
            for word in ["filled", "empty", "marks", "other-marks", "complete-lines", "mobility"] {
                let value = situation.about_position(board, word).expect("a word of positions");
                allows(&data, &everything, &format!("  on {on}\n  when {word} = {value}"), &mut count);
                allows(&data, &BTreeSet::new(), &format!("  on {on}\n  when {word} != {value}"), &mut count);
            }
            for (word, argument) in words(&situation) {
                let of = |does: &Does| situation.value(board, does, word, &argument);
                let values: Vec<i32> = situation.moves.iter().map(of).collect();
                let text = if argument.is_empty() { word.to_string() } else { format!("{word}({argument})") };
                for wanted in values.iter().copied().collect::<BTreeSet<i32>>() {
                    let with = everything.iter().copied().filter(|&mv| values[usize::from(mv)] == wanted).collect();
                    let line = match (is_flag(word), wanted) {
                        (true, 0) => format!("only not {text}"),
                        (true, _) => format!("only {text}"),
                        _ => format!("only {text} = {wanted}"),
                    };
                    allows(&data, &with, &format!("  on {on}\n  {line}"), &mut count);
                }
            }
        }
    }
    count.say("words about moves of every kind");
}
