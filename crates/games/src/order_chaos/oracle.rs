//! The strategies of the thesis as Rust: the oracles that the texts are compared with.

use super::definitions::{Direction, Place};
use super::lift;
use super::{Board, OrderChaos, Placing};
use crate::grid::each_cell;
use agon_core::{Notation, Strategy};

/// T1, the strategy of section 3.3.1 for 4×4(4), with the readings its text allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct First {
    /// Among the moves of step 4.1, prefer those on more open lines. Not printed; without it T1 loses.
    pub(super) more_lines: bool,
    /// The same among the moves of step 5.1.
    pub(super) more_lines_in_step_5: bool,
    /// C3 holds the moves that do not cut the longest line, as the sentence before it says.
    pub(super) prose: bool,
    /// Boards of section 3.5 that are played as an exception, with the move to make there.
    pub(super) exceptions: Vec<(Board, Placing)>,
}

/// The six boards of section 3.5, each with the move to make there.
pub(super) const EXCEPTIONS: [(&str, &str); 6] = [
    ("O.../XXOX/O.X./O...", "((1,4),O)"),
    (".O../XXXO/..../...O", "((4,2),O)"),
    ("..../OXX./O.../....", "((1,4),X)"),
    ("OO../XX../..../....", "((1,4),O)"),
    ("X.O./OX../O.../O...", "((4,4),X)"),
    ("..../OX../O.../XX.O", "((3,4),O)"),
];

/// [`EXCEPTIONS`], read.
#[must_use]
pub(super) fn exceptions() -> Vec<(Board, Placing)> {
    let game = OrderChaos::new(4, 4, 4, 2, true, super::Row::AtLeast);
    let read = |&(board, mv): &(&str, &str)| {
        let pos = game.parse(board).ok()?;
        Some((pos, game.parse_move(&pos, mv).ok()?))
    };
    EXCEPTIONS.iter().filter_map(read).collect()
}

impl First {
    /// Reads `rescued`, `exceptions`, `prose`, `step5`, `literal`, joined by commas.
    #[must_use]
    pub(super) fn new(reading: &str) -> First {
        let has = |word: &str| reading.split(',').any(|part| part == word);
        let exceptions = if has("exceptions") { exceptions() } else { Vec::new() };
        First { more_lines: has("rescued"), more_lines_in_step_5: has("step5"), prose: has("prose"), exceptions }
    }

    /// The step that applies, and the move it prescribes.
    fn step(&self, game: &OrderChaos, pos: &Board) -> Option<(&'static str, Placing)> {
        // Section 3.5: six boards are answered one by one.
        if let Some((_, mv)) = self.exceptions.iter().find(|(board, _)| board == pos) {
            return Some(("an exception of section 3.5", *mv));
        }
        // 1. An empty board.
        if pos.filled() == 0 {
            return Some(("step 1: the board is empty", Placing { cell: 5, symbol: 0 }));
        }
        let options = options(game, pos);
        // 2. A line of three can be completed.
        if let Some(option) = first(options.iter().filter(|o| o.own() == 3)) {
            return Some(("step 2: a line of three can be completed", option));
        }
        // 3. Two open lines of two cross.
        let crossing = |o: &&Candidate| o.lines.iter().filter(|&&p| p == 2).count() >= 2;
        if let Some(option) = first(options.iter().filter(crossing)) {
            return Some(("step 3: two lines of two cross", option));
        }
        // 4. C1: moves that cut no line of the other mark; of these the longest feasible line.
        let harmless: Vec<&Candidate> = options.iter().filter(|o| o.cut == 0).collect();
        if let Some(mv) = longest(harmless, self.more_lines) {
            return Some(("step 4: cut nothing, make the longest line", mv));
        }
        // 5. C3: keep away from the longest line there is; of these the longest feasible line.
        let limit = options.iter().map(|o| o.own()).max()?;
        let keeps = |o: &&Candidate| if self.prose { o.cut < limit } else { o.own() < limit };
        let spared: Vec<&Candidate> = options.iter().filter(keeps).collect();
        longest(spared, self.more_lines_in_step_5)
            .map(|mv| ("step 5: spare the longest line", mv))
            .or_else(|| first(options.iter()).map(|mv| ("step 5 leaves nothing: any place", mv)))
    }
}

/// A move with what section 3.3.1 looks at.
struct Candidate {
    place: Place,
    mv: Placing,
    /// P in each direction for the mark placed.
    lines: [usize; 4],
    /// P for the other mark.
    cut: usize,
}

impl Candidate {
    fn own(&self) -> usize {
        self.lines.into_iter().max().unwrap_or(0)
    }

    /// The number of directions with an open line.
    fn open(&self) -> usize {
        self.lines.iter().filter(|&&p| p > 0).count()
    }
}

fn options(game: &OrderChaos, pos: &Board) -> Vec<Candidate> {
    let mut all = Vec::new();
    for cell in each_cell(game.empty(pos)) {
        let place = game.place_of(cell);
        let lines: [[usize; 4]; 2] =
            std::array::from_fn(|symbol| Direction::ALL.map(|d| game.open_line(pos, place, symbol, d)));
        for symbol in 0..2 {
            let cut = lines[1 - symbol].into_iter().max().unwrap_or(0);
            let mv = Placing { cell: cell as u8, symbol: symbol as u8 };
            all.push(Candidate { place, mv, lines: lines[symbol], cut });
        }
    }
    all
}

/// The move that makes the longest feasible line; of these, perhaps, on the most open lines.
fn longest(mut options: Vec<&Candidate>, more_lines: bool) -> Option<Placing> {
    let longest = options.iter().map(|o| o.own()).max();
    options.retain(|o| Some(o.own()) == longest);
    if more_lines {
        let most = options.iter().map(|o| o.open()).max();
        options.retain(|o| Some(o.open()) == most);
    }
    first(options.into_iter())
}

/// The move with the least i + 4j; X before O.
fn first<'a>(options: impl Iterator<Item = &'a Candidate>) -> Option<Placing> {
    options.min_by_key(|o| (o.place.0 + 4 * o.place.1, o.mv.symbol)).map(|o| o.mv)
}

impl Strategy<OrderChaos> for First {
    fn choices(&self, game: &OrderChaos, pos: &Board) -> Vec<Placing> {
        self.step(game, pos).map(|(_, mv)| mv).into_iter().collect()
    }

    fn reason(&self, game: &OrderChaos, pos: &Board, _mv: Placing) -> Option<String> {
        self.step(game, pos).map(|(why, _)| why.to_string())
    }
}

/// T2 alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror;

impl Strategy<OrderChaos> for Mirror {
    fn choices(&self, game: &OrderChaos, pos: &Board) -> Vec<Placing> {
        let Some(inner) = lift::inner_of(game) else { return Vec::new() };
        let border = game.grid().all() & !lift::middle(&inner);
        lift::mirror(game, border, pos).into_iter().collect()
    }
}

/// B_strategy, table (2) of section 4.2: cells with the same number are partners.
pub(super) const PAIRS: [[u8; 6]; 6] = [
    [2, 3, 7, 7, 6, 1],
    [4, 11, 18, 13, 18, 5],
    [9, 17, 12, 17, 14, 10],
    [9, 11, 16, 13, 16, 10],
    [6, 15, 12, 15, 14, 3],
    [1, 5, 8, 8, 4, 2],
];

/// The strategy of Theorem 4.1, for Chaos on 6×6(5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing;

impl Pairing {
    /// The partner of a cell: definition 4.1.
    #[must_use]
    pub(super) fn partner(cell: usize) -> usize {
        let number = |cell: usize| PAIRS[cell / 6][cell % 6];
        (0..36).find(|&other| other != cell && number(other) == number(cell)).unwrap_or(cell)
    }

    /// Returns whether the partner gets the same mark: only the corners do.
    #[must_use]
    pub(super) fn same(cell: usize) -> bool {
        [0, 5, 30, 35].contains(&cell)
    }
}

impl Strategy<OrderChaos> for Pairing {
    fn choices(&self, game: &OrderChaos, pos: &Board) -> Vec<Placing> {
        let empty = game.empty(pos);
        let answer = each_cell(pos.filled()).filter(|&cell| empty >> Pairing::partner(cell) & 1 == 1).map(|cell| {
            let symbol = pos.at(cell).unwrap_or_default();
            let symbol = if Pairing::same(cell) { symbol } else { 1 - symbol };
            Placing { cell: Pairing::partner(cell) as u8, symbol: symbol as u8 }
        });
        answer.collect()
    }

    fn reason(&self, _game: &OrderChaos, _pos: &Board, mv: Placing) -> Option<String> {
        let same = if Pairing::same(usize::from(mv.cell)) { "the same" } else { "the other" };
        Some(format!("pair {}: {same} mark on the partner", PAIRS[usize::from(mv.cell) / 6][usize::from(mv.cell) % 6]))
    }
}
