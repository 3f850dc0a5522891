//! Checks evidence about races: both sides have lines of their own, and the first complete one wins. It is independent
//! of the solver.
//!
//! `X` is the mark of the winner, `O` that of the loser; `m` means that the winner is to move. An additional mark never
//! hurts its owner, so cells on no live line are irrelevant.

use crate::judge::Rejected;
use crate::lines::{DEAD, EMPTY, LETTERS, State, follow_all, number, refuted, representative};
use agon_core::family::shorten;
use agon_core::{Ctx, Lines};
use std::collections::HashSet;

const WINNER: usize = 0;
const LOSER: usize = 1;

/// Lines that can still be completed: whose, and the empty cells they lack.
pub(crate) type Live = Vec<(usize, Vec<usize>)>;

pub(crate) type Todo = Vec<(State, Live)>;

pub(crate) struct Checker<'a> {
    /// The winner's lines and the loser's.
    pub(crate) rules: [&'a Lines; 2],
}

/// Checks the claim that the winner completes a line first, from the position with these marks.
pub(crate) fn check(
    rules: [&Lines; 2],
    marks: [u64; 2],
    winner_to_move: bool,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<u64, Rejected> {
    let checker = Checker { rules };
    let letter = |cell: usize| (0..2).find(|&m| marks[m] >> cell & 1 == 1).map_or(EMPTY, |m| LETTERS[m]);
    let cells = (0..rules[WINNER].cells).map(letter).collect();
    let (mut todo, mut met) = (Vec::new(), HashSet::new());
    checker.ask(State { cells, maker: winner_to_move, spare: false }, &mut todo, &mut met)?;
    follow_all(todo, met, entries, ctx, |state, live, reason, todo, met| checker.follow(state, live, reason, todo, met))
}

/// The cells in which a side completes a line, in ascending order.
fn completing(live: &Live, side: usize) -> Vec<usize> {
    let mut cells: Vec<usize> =
        live.iter().filter(|(whose, lacks)| *whose == side && lacks.len() == 1).map(|(_, lacks)| lacks[0]).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The live lines after a side has filled a cell.
fn put(live: &Live, cell: usize, side: usize) -> Live {
    let kept = live.iter().filter(|(whose, lacks)| *whose == side || !lacks.contains(&cell));
    kept.map(|(whose, lacks)| (*whose, lacks.iter().copied().filter(|&c| c != cell).collect())).collect()
}

impl Checker<'_> {
    pub(crate) fn live(&self, state: &State) -> Live {
        let mut live = Live::new();
        for side in [WINNER, LOSER] {
            for line in &self.rules[side].lines {
                let cells: Vec<usize> = (0..state.cells.len()).filter(|cell| line.want >> cell & 1 == 1).collect();
                if cells.iter().all(|&c| [EMPTY, LETTERS[side]].contains(&state.cells[c])) {
                    live.push((side, cells.into_iter().filter(|&c| state.cells[c] == EMPTY).collect()));
                }
            }
        }
        live
    }

    /// Reduces a position: marks and cells on no live line only block.
    fn forget(&self, state: &State, live: &Live) -> State {
        let mut kept = state.clone();
        for cell in 0..state.cells.len() {
            let holds = |side: usize| {
                let own = |c: usize| [EMPTY, LETTERS[side]].contains(&state.cells[c]);
                self.rules[side].lines.iter().any(|line| {
                    line.want >> cell & 1 == 1 && (0..state.cells.len()).all(|c| line.want >> c & 1 == 0 || own(c))
                })
            };
            let matters = match state.cells[cell] {
                EMPTY => live.iter().any(|(_, lacks)| lacks.contains(&cell)),
                mark => [WINNER, LOSER].into_iter().any(|side| LETTERS[side] == mark && holds(side)),
            };
            if !matters {
                kept.cells[cell] = DEAD;
            }
        }
        kept
    }

    /// Visits a position: it is won, lost, or queued.
    pub(crate) fn ask(&self, state: State, todo: &mut Todo, met: &mut HashSet<String>) -> Result<(), Rejected> {
        let live = self.live(&state);
        let complete = |side: usize| live.iter().any(|(whose, lacks)| *whose == side && lacks.is_empty());
        if complete(LOSER) || (!state.maker && !completing(&live, LOSER).is_empty()) {
            return refuted(&state, "the other side has a line, or can complete one at once");
        }
        if complete(WINNER) || (state.maker && !completing(&live, WINNER).is_empty()) {
            return Ok(());
        }
        if live.iter().all(|(whose, _)| *whose == LOSER) {
            return refuted(&state, "no line can be completed any more");
        }
        let state = representative(self.rules[WINNER], &self.forget(&state, &live));
        if met.insert(state.text()) {
            let live = self.live(&state);
            todo.push((state, live));
        }
        Ok(())
    }

    pub(crate) fn follow(
        &self,
        state: &State,
        live: &Live,
        reason: &str,
        todo: &mut Todo,
        met: &mut HashSet<String>,
    ) -> Result<(), Rejected> {
        let mut words = reason.split(' ');
        let word = words.next().unwrap_or_default();
        let wrong = || Rejected::Corrupt(format!("`{}` is not a reason for `{}`", shorten(reason), state.text()));
        let read = |text: &str| number(text).filter(|&cell| state.cells.get(cell) == Some(&EMPTY));
        let cells: Vec<usize> = words.map(read).collect::<Option<_>>().ok_or_else(wrong)?;
        let replies: Vec<usize> = match (word, &cells[..], state.maker) {
            ("play", &[cell], true) => return self.ask(state.with(cell, WINNER), todo, met),
            ("all", [], false) => (0..state.cells.len()).filter(|&cell| state.cells[cell] == EMPTY).collect(),
            ("threats", moves, maker) => match threats(live, moves) {
                None => return refuted(state, "these threats do not win"),
                Some(_) if maker => return Ok(()),
                Some(win) => disturbing(live, &win),
            },
            _ => return Err(wrong()),
        };
        replies.into_iter().try_for_each(|cell| self.ask(state.with(cell, LOSER), todo, met))
    }
}

/// The cells that a forced win uses.
#[derive(Default)]
struct Forced {
    zone: Vec<usize>,
    replies: Vec<usize>,
}

/// Plays the winner's moves, each of which must leave the winner a line one cell short, and the loser none.
fn threats(live: &Live, moves: &[usize]) -> Option<Forced> {
    let (mut live, mut found) = (live.clone(), Forced::default());
    for (i, &cell) in moves.iter().enumerate() {
        let last = i + 1 == moves.len();
        found.zone.push(cell);
        if completing(&live, WINNER).contains(&cell) {
            return last.then_some(found);
        }
        live = put(&live, cell, WINNER);
        if !completing(&live, LOSER).is_empty() {
            return None;
        }
        match completing(&live, WINNER)[..] {
            [] => return None,
            [reply] => {
                found.zone.push(reply);
                found.replies.push(reply);
                live = put(&live, reply, LOSER);
            }
            [one, other, ..] => {
                found.zone.extend([one, other]);
                return last.then_some(found);
            }
        }
    }
    None
}

/// The cells in which the loser can disturb a forced win: the cells of the win, and those of the loser's lines that
/// lack at most two cells besides the forced replies. A mark elsewhere has no effect before the win is complete.
fn disturbing(live: &Live, win: &Forced) -> Vec<usize> {
    let mut cells = win.zone.clone();
    for (_, lacks) in live.iter().filter(|(whose, _)| *whose == LOSER) {
        let rest: Vec<usize> = lacks.iter().copied().filter(|cell| !win.replies.contains(cell)).collect();
        if rest.len() <= 2 {
            cells.extend(rest);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}
