//! What a checker needs to follow a proof: for every position it will meet, one line saying why.

use super::moves::{TRIES, maker_last};
use super::pairing::{Pairs, pairs};
use super::position::{Board, Key, Live, Position, Step, put};
use super::prover::Prover;
use super::threats;
use agon_core::lines::{CellSet, MOST_MARKS};
use agon_core::{Ctx, Stop};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// Positions and reasons, sorted by position.
pub type Evidence = Vec<(String, String)>;

const LETTERS: [char; MOST_MARKS] = ['X', 'O', 'A', 'B'];

/// The text of a position: a character per cell (`#` where nothing matters any more), `m` or `b` for who
/// is to move, `+` where a neutral cell is left.
#[must_use]
pub fn show(board: &Board, pos: &Position) -> String {
    let mark = |cell: usize| pos.marks.iter().position(|cells| cells >> cell & 1 == 1);
    let letter = |cell: usize| match mark(cell) {
        Some(mark) => LETTERS[mark],
        None if pos.dead >> cell & 1 == 1 => '#',
        None => '.',
    };
    let mut text: String = (0..board.rules.cells).map(letter).collect();
    text.push(if pos.maker { 'm' } else { 'b' });
    if pos.spare {
        text.push('+');
    }
    text
}

/// The evidence that the maker wins from `root`, or that he does not.
pub fn extract(prover: &mut Prover, root: &Position, ctx: &Ctx) -> Result<(bool, Evidence), Stop> {
    let wins = prover.maker_wins(root, ctx)?;
    let mut walk = Walk { wins, seen: FxHashSet::default(), todo: Vec::new(), evidence: Vec::new() };
    let mut live = Vec::new();
    let step = prover.board().reduce(root, &mut live);
    walk.meet(prover.board(), step, &live);
    while let Some(key) = walk.todo.pop() {
        ctx.check()?;
        let pos = key.position();
        prover.board().live(&pos, &mut live);
        let reason = if pos.maker == wins {
            walk.own(prover, &pos, &live, ctx)?
        } else {
            walk.against(prover.board(), &pos, &live)
        };
        walk.evidence.push((show(prover.board(), &pos), reason));
        ctx.progress("writing the proof", walk.evidence.len() as u64, None);
    }
    walk.evidence.sort_unstable();
    Ok((wins, walk.evidence))
}

struct Walk {
    wins: bool,
    seen: FxHashSet<Key>,
    todo: Vec<Key>,
    evidence: Evidence,
}

impl Walk {
    /// Notes a position that the checker will ask about.
    fn meet(&mut self, board: &Board, step: Step, live: &[Live]) {
        let Step::On(pos) = step else { return };
        let at_once = self.wins && pos.maker && live.iter().any(|line| board.lacks(line) == 1);
        let key = board.key(&pos);
        if !at_once && self.seen.insert(key) {
            self.todo.push(key);
        }
    }

    /// The winner to move: pairs, or a move.
    fn own(&mut self, prover: &mut Prover, pos: &Position, live: &[Live], ctx: &Ctx) -> Result<String, Stop> {
        if let Some(text) = paired(prover.board(), pos, live).filter(|_| !self.wins) {
            return Ok(format!("pairs{text}"));
        }
        let (cell, mark) = prover.winning_move(pos, ctx)?.expect("a won position has a winning move");
        let mut next = Vec::new();
        let Some(cell) = cell else {
            let step = prover.board().wait(pos);
            self.meet(prover.board(), step, live);
            return Ok("wait".to_string());
        };
        let step = prover.board().play(pos, cell, mark, &mut next);
        self.meet(prover.board(), step, &next);
        Ok(format!("play {}{cell}", LETTERS[mark]))
    }

    /// The loser to move: every move that is not met wholesale.
    fn against(&mut self, board: &Board, pos: &Position, live: &[Live]) -> String {
        if let Some(text) = paired(board, pos, live).filter(|_| !self.wins) {
            return format!("pairs{text}");
        }
        let (reason, zone) = if board.avoiding || (!pos.maker && live.iter().any(|line| board.lacks(line) == 1)) {
            ("all".to_string(), None)
        } else if self.wins {
            threatened(board, live)
        } else {
            met(board, pos, live)
        };
        let mut next = Vec::new();
        for (cell, mark) in replies(board, pos, live) {
            if zone.is_none_or(|zone| zone >> cell & 1 == 1) {
                let step = board.play(pos, cell, mark, &mut next);
                self.meet(board, step, &next);
            }
        }
        if pos.spare && zone.is_none() {
            self.meet(board, board.wait(pos), live);
        }
        reason
    }
}

/// Every move of the loser that no other mark in the same cell outdoes.
fn replies(board: &Board, pos: &Position, live: &[Live]) -> Vec<(usize, usize)> {
    let (mut reach, mut used) = ([0; MOST_MARKS], 0);
    for line in live {
        reach[usize::from(line.mark)] |= line.need;
        used |= line.need | line.guard;
    }
    let mut found = Vec::new();
    let left_out = if board.avoiding { 0 } else { outdone(live, &reach) };
    for cell in (0..board.rules.cells).filter(|cell| (used & !left_out) >> cell & 1 == 1) {
        let reached = |mark: &usize| reach[*mark] >> cell & 1 == 1;
        let unreached = (0..board.rules.marks).find(|mark| !reached(mark));
        match (board.avoiding, pos.maker, unreached) {
            (true, ..) | (false, false, None) => found.extend((0..board.rules.marks).map(|mark| (cell, mark))),
            (false, true, _) => found.extend((0..board.rules.marks).filter(reached).map(|mark| (cell, mark))),
            (false, false, Some(mark)) => found.push((cell, mark)),
        }
    }
    found
}

/// Cells all of whose lines also need another cell, each wanted by one mark only; of equals, the first
/// stays.
fn outdone(live: &[Live], reach: &[CellSet; MOST_MARKS]) -> CellSet {
    let (once, twice) = reach.iter().fold((0, 0), |(once, twice), r| (once | r, twice | (once & r)));
    let single = once & !twice;
    let mut common = [CellSet::MAX; 64];
    for line in live {
        (0..64).filter(|cell| line.need >> cell & 1 == 1).for_each(|cell| common[cell] &= line.need);
    }
    let by = |cell: usize, other: usize| {
        let inside = other != cell && common[cell] >> other & 1 == 1;
        inside && (common[other] >> cell & 1 == 0 || other < cell)
    };
    let cells = || (0..64usize).filter(|cell| single >> cell & 1 == 1);
    cells().filter(|&cell| cells().any(|other| by(cell, other))).fold(0, |set, cell| set | 1 << cell)
}

fn threatened(board: &Board, live: &[Live]) -> (String, Option<CellSet>) {
    match threats::win(live, board.rules.marks, TRIES) {
        None => ("all".to_string(), None),
        Some(win) => {
            let moves = win.moves.iter().fold(String::from("threats"), |mut text, &(cell, mark)| {
                let _ = write!(text, " {}{cell}", LETTERS[usize::from(mark)]);
                text
            });
            (moves, Some(win.zone))
        }
    }
}

/// At most this many moves of the winner are named against a pass.
const MEETINGS: usize = 4;

/// Moves of the winner that meet every move outside few cells: the fewest first, then those that leave
/// even fewer.
fn met(board: &Board, pos: &Position, live: &[Live]) -> (String, Option<CellSet>) {
    let mut after = Vec::new();
    let mut all: Vec<(String, CellSet)> = Vec::new();
    for cell in (0..board.rules.cells).filter(|cell| board.rules.all() & !pos.filled() & 1 << cell != 0) {
        for (mark, letter) in LETTERS.iter().enumerate().take(board.rules.marks) {
            put(live, 1 << cell, mark as u8, &mut after);
            let found = pairs(&after, maker_last(board, pos), 1);
            if found.missing == 0 && holds(board, pos, &after, &found) {
                all.push((format!("meet {letter}{cell}{}", list(&found)), found.cells | 1 << cell));
            }
        }
    }
    let (mut text, mut zone) = (String::new(), CellSet::MAX);
    for _ in 0..MEETINGS {
        let best = all.iter().min_by_key(|(_, cells)| (cells & zone).count_ones());
        let Some((meeting, cells)) = best.filter(|(_, cells)| cells & zone != zone) else { break };
        zone &= cells;
        text = if text.is_empty() { meeting.clone() } else { format!("{text} {meeting}") };
    }
    if text.is_empty() { ("all".to_string(), None) } else { (text, Some(zone)) }
}

fn paired(board: &Board, pos: &Position, live: &[Live]) -> Option<String> {
    let found = pairs(live, maker_last(board, pos), 1);
    (found.missing == 0 && holds(board, pos, live, &found)).then(|| list(&found))
}

fn list(found: &Pairs) -> String {
    found.list().iter().fold(String::new(), |mut text, (a, b)| {
        let _ = write!(text, " {a}-{b}");
        text
    })
}

/// Whether the pairs also hold when every line is charged to the first pair it contains, which is all
/// that a checker is told.
fn holds(board: &Board, pos: &Position, live: &[Live], found: &Pairs) -> bool {
    let list: Vec<CellSet> = found.list().iter().map(|&(a, b)| 1 << a | 1 << b).collect();
    let mut charged: Vec<(CellSet, u8)> = vec![(CellSet::MAX, 0); list.len()];
    for line in live {
        let Some(i) = list.iter().position(|pair| line.need & pair == *pair) else { return false };
        charged[i].0 &= line.need;
        charged[i].1 |= 1 << line.mark;
    }
    if !maker_last(board, pos) {
        return true;
    }
    let mixed = |i: &usize| charged[*i].1.count_ones() > 1;
    let mut closed = (0..list.len()).filter(mixed).fold(0, |set, i| set | list[i]);
    while closed != 0 {
        match (0..list.len()).find(|&i| list[i] & closed != 0 && charged[i].0 & !closed != 0) {
            Some(i) => closed &= !list[i],
            None => return false,
        }
    }
    true
}
