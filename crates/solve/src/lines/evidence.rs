//! Evidence for a checker: for every position that it meets, one line with the reason for its value.

use super::moves::{after, forced_win, maker_last, private_pairs, replies};
use super::pairing::Pairs;
use super::position::{Board, Key, Live, Position, Step};
use super::prover::Prover;
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{Ctx, Stop};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// Positions and reasons, sorted by position.
pub type Evidence = Vec<(String, String)>;

const LETTERS: [char; MAX_MARKS] = ['X', 'O', 'A', 'B'];

/// The text of a position: a character for each cell (`#` if it is dead), `m` or `b` for the side to move, and `+` if
/// there is a neutral cell.
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

/// Knows who wins, and by which move. What it says of a position must hold for all that its moves lead to.
///
/// ```
/// use agon_core::{Ctx, Game, LineGame};
/// use agon_games::order_chaos::OrderChaos;
/// use agon_games::order_chaos::lines::Row;
/// use agon_solve::lines::Provers;
/// use agon_solve::lines::evidence::{Oracle, extract};
///
/// // Order needs two like marks in a row on a board of two cells, and Chaos spoils them.
/// let game = OrderChaos::new(2, 1, 2, 2, true, Row::AtLeast);
/// let mut provers = Provers::new(&game, 1 << 20).unwrap();
/// let prover = provers.prover(game.order()).unwrap();
/// let root = Oracle::board(prover).position(game.line_marks(&game.start(), game.order()), true);
/// let (wins, entries) = extract(prover, &root, &Ctx::default()).unwrap();
/// assert!(!wins && !entries.is_empty());
/// ```
pub trait Oracle {
    /// The lines of the game that the evidence is about.
    fn board(&self) -> &Board;

    /// Decides whether the maker completes a line.
    fn maker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop>;

    /// A winning move (cell, mark) of the side to move, if there is one. The cell is `None` for the neutral cell.
    fn winning_move(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(Option<usize>, usize)>, Stop>;
}

impl Oracle for Prover {
    fn board(&self) -> &Board {
        Prover::board(self)
    }

    fn maker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop> {
        Prover::maker_wins(self, pos, ctx)
    }

    fn winning_move(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(Option<usize>, usize)>, Stop> {
        Prover::winning_move(self, pos, ctx)
    }
}

/// Returns whether the maker wins from `root`, and the evidence for that.
pub fn extract(prover: &mut impl Oracle, root: &Position, ctx: &Ctx) -> Result<(bool, Evidence), Stop> {
    let wins = prover.maker_wins(root, ctx)?;
    let mut walk = Walk { wins, seen: FxHashSet::default(), todo: Vec::new(), evidence: Vec::new() };
    let mut live = Vec::new();
    let step = prover.board().reduce(root, &mut live);
    walk.visit(prover.board(), step, &live);
    while let Some(key) = walk.todo.pop() {
        ctx.check()?;
        let pos = key.position();
        prover.board().live(&pos, &mut live);
        let reason = if pos.maker == wins {
            walk.winner_to_move(prover, &pos, &live, ctx)?
        } else {
            walk.loser_to_move(prover.board(), &pos, &live)
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
    /// Queues a position for which the checker needs a reason.
    fn visit(&mut self, board: &Board, step: Step, live: &[Live]) {
        let Step::On(pos) = step else { return };
        let completes = self.wins && pos.maker && live.iter().any(|line| board.lacks(line) == 1);
        let key = board.key(&pos);
        if !completes && self.seen.insert(key) {
            self.todo.push(key);
        }
    }

    /// The reason at a position with the winner to move: a pairing, or a move.
    fn winner_to_move(
        &mut self,
        prover: &mut impl Oracle,
        pos: &Position,
        live: &[Live],
        ctx: &Ctx,
    ) -> Result<String, Stop> {
        if let Some(text) = paired(prover.board(), pos, live).filter(|_| !self.wins) {
            return Ok(format!("pairs{text}"));
        }
        let (cell, mark) = prover.winning_move(pos, ctx)?.expect("a won position has a winning move");
        let mut next = Vec::new();
        let Some(cell) = cell else {
            let step = prover.board().wait(pos);
            self.visit(prover.board(), step, live);
            return Ok("wait".to_string());
        };
        let step = prover.board().play(pos, cell, mark, &mut next);
        self.visit(prover.board(), step, &next);
        Ok(format!("play {}{cell}", LETTERS[mark]))
    }

    /// The reason at a position with the loser to move; queues every reply that the reason does not refute.
    fn loser_to_move(&mut self, board: &Board, pos: &Position, live: &[Live]) -> String {
        if let Some(text) = paired(board, pos, live).filter(|_| !self.wins) {
            return format!("pairs{text}");
        }
        let (reason, zone) = if !pos.maker && live.iter().any(|line| board.lacks(line) == 1) {
            ("all".to_string(), None)
        } else if self.wins {
            threatened(board, live)
        } else {
            met(board, pos, live)
        };
        let mut next = Vec::new();
        for (cell, mark) in replies(board, live, pos.maker) {
            if zone.is_none_or(|zone| zone >> cell & 1 == 1) {
                let step = board.play(pos, cell, mark, &mut next);
                self.visit(board, step, &next);
            }
        }
        if pos.spare && zone.is_none() {
            self.visit(board, board.wait(pos), live);
        }
        reason
    }
}

fn threatened(board: &Board, live: &[Live]) -> (String, Option<CellSet>) {
    match forced_win(board, live) {
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

/// The most moves of the winner in a `meet` reason.
const MAX_MEETINGS: usize = 4;

/// Moves of the winner that refute every move outside a small zone, chosen greedily.
fn met(board: &Board, pos: &Position, live: &[Live]) -> (String, Option<CellSet>) {
    let mut next = Vec::new();
    let mut all: Vec<(String, CellSet)> = Vec::new();
    for cell in (0..board.rules.cells).filter(|cell| board.rules.all() & !pos.filled() & 1 << cell != 0) {
        for (mark, letter) in LETTERS.iter().enumerate().take(board.rules.marks) {
            after(board, live, cell, mark as u8, &mut next);
            let found = private_pairs(board, pos, &next, 1);
            if found.missing == 0 && holds(board, pos, &next, &found) {
                all.push((format!("meet {letter}{cell}{}", list(&found)), found.cells | 1 << cell));
            }
        }
    }
    let (mut text, mut zone) = (String::new(), CellSet::MAX);
    for _ in 0..MAX_MEETINGS {
        let best = all.iter().min_by_key(|(_, cells)| (cells & zone).count_ones());
        let Some((meeting, cells)) = best.filter(|(_, cells)| cells & zone != zone) else { break };
        zone &= cells;
        text = if text.is_empty() { meeting.clone() } else { format!("{text} {meeting}") };
    }
    if text.is_empty() { ("all".to_string(), None) } else { (text, Some(zone)) }
}

fn paired(board: &Board, pos: &Position, live: &[Live]) -> Option<String> {
    let found = private_pairs(board, pos, live, 1);
    (found.missing == 0 && holds(board, pos, live, &found)).then(|| list(&found))
}

fn list(found: &Pairs) -> String {
    found.list().iter().fold(String::new(), |mut text, (a, b, same)| {
        let _ = write!(text, " {a}{}{b}", if *same { '=' } else { '-' });
        text
    })
}

/// Returns whether the pairing also holds when every line is assigned to the first pair it contains, as the checker
/// does.
fn holds(board: &Board, pos: &Position, live: &[Live], found: &Pairs) -> bool {
    let list: Vec<(CellSet, bool)> = found.list().iter().map(|&(a, b, same)| (1 << a | 1 << b, same)).collect();
    let mut assigned: Vec<Vec<&Live>> = vec![Vec::new(); list.len()];
    for line in live {
        let meets = |&(pair, same): &(CellSet, bool)| {
            let wanted = (line.need & pair).count_ones();
            let ends = if board.rules.settled { (line.guard & pair).count_ones() } else { 0 };
            wanted + ends == 2 && (wanted == 1) == same
        };
        let Some(i) = list.iter().position(meets) else { return false };
        assigned[i].push(line);
    }
    // Different marks at two ends spoil the lines of at most two marks.
    let marks_at_ends = |i: usize| {
        let pair = list[i].0;
        let at_ends = assigned[i].iter().filter(|line| line.guard & pair == pair);
        at_ends.fold(0u8, |set, line| set | 1 << line.mark).count_ones()
    };
    if board.rules.marks > 2 && (0..list.len()).any(|i| marks_at_ends(i) > 1) {
        return false;
    }
    if !maker_last(board, pos) {
        return true;
    }
    let mut closed = list.iter().fold(0, |set, (pair, _)| set | pair);
    while closed != 0 {
        let next = (0..list.len()).find(|&i| list[i].0 & closed != 0 && opens(board, list[i].0, &assigned[i], closed));
        match next {
            Some(i) => closed &= !list[i].0,
            None => return false,
        }
    }
    true
}

/// Returns whether the breaker can spoil all lines of a pair with one mark, once every cell outside `closed` is filled.
fn opens(board: &Board, pair: CellSet, lines: &[&Live], closed: CellSet) -> bool {
    let cells = |set: CellSet| (0..64).map(|i| 1 << i).filter(move |cell: &CellSet| set & cell != 0);
    let marks = || 0..board.rules.marks as u8;
    let spoilable = |left: &[&Live]| {
        cells(pair).any(|cell| marks().any(|mark| left.iter().all(|line| line.spoiled_by(cell, mark))))
    };
    let after =
        |cell: CellSet, mark: u8| lines.iter().copied().filter(|line| !line.spoiled_by(cell, mark)).collect::<Vec<_>>();
    let decides = |cell: CellSet| marks().all(|mark| spoilable(&after(cell, mark)));
    spoilable(lines) || cells(board.rules.all() & !closed).any(decides)
}
