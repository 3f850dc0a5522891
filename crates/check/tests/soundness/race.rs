//! Every reason of a race section at every state, one step at a time.

use crate::Count;
use crate::truth::windows;
use agon_check::seam::{Look, RaceSteps, State};
use agon_core::{LineGame, Player};
use agon_games::mnk::Mnk;

const LETTERS: &[u8; 4] = b".XO#";

/// For every board and either turn, true if `X` completes a row of k before `O` does.
pub(crate) struct Truth {
    cells: usize,
    values: Vec<[bool; 2]>,
    lines: Vec<Vec<usize>>,
}

fn digits(cells: usize, board: usize) -> Vec<usize> {
    (0..cells).map(|cell| board >> (2 * cell) & 3).collect()
}

impl Truth {
    pub(crate) fn new(columns: usize, rows: usize, k: usize) -> Truth {
        let cells = columns * rows;
        let lines: Vec<Vec<usize>> = windows(columns, rows, k).into_iter().map(|(cells, _)| cells).collect();
        let mut values = vec![[false; 2]; 1 << (2 * cells)];
        // Filling a cell makes the number of the board larger.
        for board in (0..values.len()).rev() {
            let digits = digits(cells, board);
            let complete = |mark: usize| lines.iter().any(|line| line.iter().all(|&cell| digits[cell] == mark));
            let empty = || (0..cells).filter(|&cell| digits[cell] == 0);
            values[board] = if complete(2) || empty().next().is_none() {
                [complete(1) && !complete(2); 2]
            } else if complete(1) {
                [true; 2]
            } else {
                let loser = empty().all(|cell| values[board | 2 << (2 * cell)][1]);
                [loser, empty().any(|cell| values[board | 1 << (2 * cell)][0])]
            };
        }
        Truth { cells, values, lines }
    }

    pub(crate) fn of(&self, state: &State) -> bool {
        let digit = |cell: u8| LETTERS.iter().position(|&letter| letter == cell).expect("a letter of the game");
        let board = state.cells.iter().rev().fold(0, |board, &cell| board << 2 | digit(cell));
        assert!(state.cells.len() == self.cells && !state.spare);
        self.values[board][usize::from(state.maker)]
    }
}

impl Truth {
    fn over(&self, state: &State) -> bool {
        self.lines.iter().any(|line| line.iter().all(|&cell| state.cells[cell] == b'X'))
    }
}

struct Trial<'a> {
    steps: RaceSteps<'a>,
    truth: &'a Truth,
    count: Count,
}

impl Trial<'_> {
    /// Fails if the reason is accepted although the claim is false here and true wherever the reason leads.
    fn attempt(&mut self, state: &State, reason: &str) {
        self.count.tried += 1;
        if let Some(asked) = self.steps.follow(state, reason) {
            self.count.accepted += 1;
            let unfounded = asked.iter().all(|asked| self.truth.of(asked));
            assert!(!unfounded, "`{reason}` at {state:?} proves a win falsely");
        }
    }

    /// Every list of different empty cells as threats.
    fn threats(&mut self, state: &State, list: &str, rest: &[usize]) {
        self.attempt(state, &format!("threats{list}"));
        for &cell in rest {
            let others: Vec<usize> = rest.iter().copied().filter(|&other| other != cell).collect();
            self.threats(state, &format!("{list} {cell}"), &others);
        }
    }

    fn entries(&mut self, state: &State) {
        let empty: Vec<usize> = (0..state.cells.len()).filter(|&cell| state.cells[cell] == b'.').collect();
        self.attempt(state, "all");
        for cell in 0..state.cells.len() {
            self.attempt(state, &format!("play {cell}"));
            self.attempt(state, &format!("threats {cell} {cell}"));
        }
        self.threats(state, "", &empty);
    }
}

/// Tries everything at every state of a game.
fn exhaust(columns: usize, rows: usize, k: usize) -> Count {
    let truth = Truth::new(columns, rows, k);
    let game = Mnk::new(columns, rows, k);
    let [own, other] = Player::BOTH.map(|side| game.lines(side).expect("a game of lines"));
    let mut trial = Trial { steps: RaceSteps::new([&own, &other]), truth: &truth, count: Count::default() };
    for board in 0..truth.values.len() {
        for maker in [false, true] {
            let cells = digits(truth.cells, board).into_iter().map(|digit| LETTERS[digit]).collect();
            let state = State { cells, maker, spare: false };
            let claim = truth.of(&state);
            trial.count.states += 1;
            match trial.steps.look(&state) {
                Look::Holds => assert!(claim, "{columns},{rows},{k}: {state:?} does not hold"),
                // No play goes on after a complete line, so nobody asks about the position then.
                Look::Fails => assert!(!claim || truth.over(&state), "{columns},{rows},{k}: {state:?} does not fail"),
                Look::Asks(reduced) => {
                    assert_eq!(truth.of(&reduced), claim, "{columns},{rows},{k}: {state:?} is not {reduced:?}");
                    if !claim && reduced == state {
                        trial.entries(&state);
                    }
                    if claim && reduced == state {
                        complete(&trial, &state);
                    }
                }
            }
        }
    }
    trial.count
}

/// A true claim has an entry: a move, or every move.
fn complete(trial: &Trial<'_>, state: &State) {
    let proves = |reason: &str| {
        let asked = trial.steps.follow(state, reason);
        asked.is_some_and(|asked| asked.iter().all(|asked| trial.truth.of(asked)))
    };
    let provable =
        if state.maker { (0..state.cells.len()).any(|cell| proves(&format!("play {cell}"))) } else { proves("all") };
    assert!(provable, "{state:?} has no entry");
}

/// The number of states with an entry; the number of lists of at most two threats that are accepted, and of states they
/// and `all` ask for.
fn profile(columns: usize, rows: usize, k: usize) -> [u64; 4] {
    let game = Mnk::new(columns, rows, k);
    let [own, other] = Player::BOTH.map(|side| game.lines(side).expect("a game of lines"));
    let steps = RaceSteps::new([&own, &other]);
    let cells = columns * rows;
    let mut found = [0; 4];
    for board in 0..1usize << (2 * cells) {
        for maker in [false, true] {
            let letters = digits(cells, board).into_iter().map(|digit| LETTERS[digit]).collect();
            let state = State { cells: letters, maker, spare: false };
            if steps.look(&state) != Look::Asks(state.clone()) {
                continue;
            }
            found[0] += 1;
            found[3] += steps.follow(&state, "all").map_or(0, |asked| asked.len() as u64);
            let one = (0..cells).map(|cell| format!("threats {cell}"));
            let two = (0..cells * cells).map(|both| format!("threats {} {}", both / cells, both % cells));
            for asked in one.chain(two).filter_map(|reason| steps.follow(&state, &reason)) {
                found[1] += 1;
                found[2] += asked.len() as u64;
            }
        }
    }
    found
}

#[test]
fn what_is_accepted_in_races_on_small_boards_is_on_record() {
    for (columns, rows, k, expected) in [
        (4, 1, 2, [24, 17, 7, 3]),
        (5, 1, 3, [86, 22, 7, 3]),
        (6, 1, 3, [217, 117, 66, 48]),
        (3, 2, 2, [148, 232, 131, 35]),
        (4, 2, 3, [717, 607, 484, 460]),
    ] {
        assert_eq!(profile(columns, rows, k), expected, "{columns},{rows},{k}");
    }
}

fn every_length(columns: usize, rows: usize) -> Count {
    let mut count = Count::default();
    (1..=columns.max(rows)).for_each(|k| count.add(exhaust(columns, rows, k)));
    count
}

#[test]
fn no_reason_of_a_race_section_proves_a_false_win() {
    let mut count = Count::default();
    for (columns, rows) in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (5, 1), (3, 2), (6, 1), (7, 1), (4, 2)] {
        count.add(every_length(columns, rows));
    }
    count.say("race sections, boards of up to 8 cells");
    assert!(count.tried > 1_000_000 && count.accepted > 1_000, "{count:?}");
}

#[test]
#[ignore = "minutes of processor time"]
fn races_on_3x3() {
    every_length(3, 3).say("races_on_3x3");
}

#[test]
#[ignore = "minutes of processor time"]
fn races_on_9x1() {
    every_length(9, 1).say("races_on_9x1");
}

#[test]
#[ignore = "minutes of processor time"]
fn races_on_5x2() {
    every_length(5, 2).say("races_on_5x2");
}
