//! Every reason of a lines section at every state, one step at a time.

use crate::Count;
use crate::truth::{ROWS, Row, Truth, Variant};
use agon_check::seam::{LinesEntry, LinesSteps, Look, State};
use agon_core::{LineGame, Lines, Player};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::{OrderChaos, lines};
use std::collections::BTreeMap;

/// The lines of the game as the checker gets them.
pub(crate) fn rules(variant: &Variant) -> Lines {
    let Variant { columns, rows, k, marks, .. } = *variant;
    if variant.one_sided {
        return Mnk::new(columns, rows, k).lines(Player::First).expect("a game of lines");
    }
    let row = match variant.row {
        Row::AtLeast => lines::Row::AtLeast,
        Row::Exact => lines::Row::Exact,
        Row::ExactFinal => lines::Row::ExactFinal,
    };
    let game = OrderChaos::new(columns, rows, k, marks, true, row);
    game.lines(Player::First).expect("a game of lines")
}

/// Lists of pairs of the given cells, in every order, each pair with the same mark or with different ones.
pub(crate) fn pairings(cells: &[usize]) -> Vec<String> {
    let mut all = vec![String::new()];
    for (i, &a) in cells.iter().enumerate() {
        for (j, &b) in cells.iter().enumerate().skip(i + 1) {
            let rest: Vec<usize> =
                cells.iter().enumerate().filter(|(n, _)| ![i, j].contains(n)).map(|(_, &cell)| cell).collect();
            for longer in pairings(&rest) {
                all.push(format!(" {a}-{b}{longer}"));
                all.push(format!(" {a}={b}{longer}"));
            }
        }
    }
    all
}

/// Every mark in every empty cell.
fn moves(variant: &Variant, state: &State) -> Vec<String> {
    let letters = || b"XOAB"[..variant.marks].iter().map(|&mark| char::from(mark));
    let empty = (0..variant.cells()).filter(|&cell| state.cells[cell] == b'.');
    empty.flat_map(|cell| letters().map(move |mark| format!("{mark}{cell}"))).collect()
}

/// All that is tried at the states of one game.
struct Trial<'a> {
    truth: &'a Truth,
    wins: bool,
    /// Lists of pairs by the set of cells they may use.
    lists: BTreeMap<Vec<usize>, Vec<String>>,
    count: Count,
}

impl Trial<'_> {
    /// Fails if the reason is accepted although the claim is false here and true wherever the reason leads.
    fn attempt(&mut self, state: &State, entry: &LinesEntry<'_>, reason: &str) -> bool {
        self.count.tried += 1;
        let Some(asked) = entry.follow(reason) else { return false };
        self.count.accepted += 1;
        let unfounded = asked.iter().all(|asked| self.truth.of(asked) == self.wins);
        assert!(!unfounded, "{:?}: `{reason}` at {state:?} proves {} falsely", self.truth.variant, self.wins);
        true
    }

    /// A true claim has an entry: a move, or every move.
    fn has_entry(&self, state: &State, entry: &LinesEntry<'_>) {
        let proves = |reason: &str| {
            let asked = entry.follow(reason);
            asked.is_some_and(|asked| asked.iter().all(|asked| self.truth.of(asked) == self.wins))
        };
        let provable = if state.maker == self.wins {
            proves("wait") || moves(&self.truth.variant, state).iter().any(|mv| proves(&format!("play {mv}")))
        } else {
            proves("all")
        };
        assert!(provable, "{:?}: no entry of {state:?} proves {}", self.truth.variant, self.wins);
    }

    fn pairings(&mut self, cells: &[usize]) -> Vec<String> {
        self.lists.entry(cells.to_vec()).or_insert_with(|| pairings(cells)).clone()
    }

    /// Every reason at a state that has an entry.
    fn entries(&mut self, state: &State, entry: &LinesEntry<'_>) {
        let variant = self.truth.variant;
        let empty: Vec<usize> = (0..variant.cells()).filter(|&cell| state.cells[cell] == b'.').collect();
        self.attempt(state, entry, "all");
        self.attempt(state, entry, "wait");
        let moves = moves(&variant, state);
        for mv in &moves {
            self.attempt(state, entry, &format!("play {mv}"));
        }
        for list in self.pairings(&empty) {
            self.attempt(state, entry, &format!("pairs{list}"));
        }
        self.threats(state, entry, &moves, &mut Vec::new());
        self.meetings(state, entry, &moves);
    }

    /// Every list of threats that the checker reads to its end.
    fn threats<'m>(&mut self, state: &State, entry: &LinesEntry<'_>, moves: &'m [String], list: &mut Vec<&'m str>) {
        self.attempt(state, entry, &["threats"].iter().chain(&*list).copied().collect::<Vec<_>>().join(" "));
        if !self.wins || state.maker || (!list.is_empty() && !entry.reads(list)) {
            return;
        }
        for mv in moves {
            list.push(mv);
            self.threats(state, entry, moves, list);
            list.pop();
        }
    }

    /// Every meeting; and all twos and threes of those that hold and leave different cells.
    fn meetings(&mut self, state: &State, entry: &LinesEntry<'_>, moves: &[String]) {
        if !state.maker || self.wins {
            self.attempt(state, entry, &format!("meet {}", moves.first().map_or("X0", |mv| mv)));
            return;
        }
        let mut held: BTreeMap<Vec<usize>, String> = BTreeMap::new();
        let empty: Vec<usize> = (0..state.cells.len()).filter(|&cell| state.cells[cell] == b'.').collect();
        for mv in moves {
            let cell: usize = mv[1..].parse().expect("a cell");
            let rest: Vec<usize> = empty.iter().copied().filter(|&other| other != cell).collect();
            for list in self.pairings(&rest) {
                let meeting = format!("meet {mv}{list}");
                if self.attempt(state, entry, &meeting) {
                    let numbers = meeting.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
                    let mut cells: Vec<usize> = numbers.collect();
                    cells.sort_unstable();
                    held.entry(cells).or_insert(meeting);
                }
            }
        }
        let held: Vec<&String> = held.values().collect();
        for (i, one) in held.iter().enumerate() {
            for (j, two) in held.iter().enumerate().skip(i + 1) {
                self.attempt(state, entry, &format!("{one} {two}"));
                for three in &held[j + 1..] {
                    self.attempt(state, entry, &format!("{one} {two} {three}"));
                }
            }
        }
    }
}

/// Tries everything at every state of a game.
pub(crate) fn exhaust(variant: Variant) -> Count {
    let truth = Truth::new(variant);
    let rules = rules(&variant);
    let mut count = Count::default();
    for wins in [true, false] {
        let steps = LinesSteps::new(&rules, wins);
        let mut trial = Trial { truth: &truth, wins, lists: BTreeMap::new(), count: Count::default() };
        for board in 0..variant.boards() {
            for (maker, spare) in [(false, false), (true, false), (false, true), (true, true)] {
                let state = variant.state(board, maker, spare);
                let claim = truth.get(board, maker, spare) == wins;
                trial.count.states += 1;
                match steps.look(&state) {
                    Look::Holds => assert!(claim, "{variant:?}: {state:?} does not hold for {wins}"),
                    Look::Fails => assert!(!claim, "{variant:?}: {state:?} does not fail for {wins}"),
                    Look::Asks(reduced) => {
                        assert_eq!(truth.of(&reduced) == wins, claim, "{variant:?}: {state:?} is not {reduced:?}");
                        if reduced == state {
                            let entry = steps.entry(&state).expect("a state that is asked for has lines");
                            if claim { trial.has_entry(&state, &entry) } else { trial.entries(&state, &entry) }
                        }
                    }
                }
            }
        }
        count.add(trial.count);
    }
    count
}

/// Every variant of order-chaos on a board, with these marks.
fn order_chaos(columns: usize, rows: usize, marks: std::ops::RangeInclusive<usize>) -> Count {
    let mut count = Count::default();
    for marks in marks {
        for row in ROWS {
            for k in 1..=columns.max(rows) {
                count.add(exhaust(Variant { columns, rows, k, marks, row, one_sided: false }));
            }
        }
    }
    count
}

fn mnk(columns: usize, rows: usize) -> Count {
    let mut count = Count::default();
    for k in 1..=columns.max(rows) {
        count.add(exhaust(Variant { columns, rows, k, marks: 2, row: Row::AtLeast, one_sided: true }));
    }
    count
}

#[test]
fn no_reason_of_a_lines_section_proves_a_false_claim() {
    let mut count = Count::default();
    for (columns, rows, most) in
        [(1, 1, 4), (2, 1, 4), (3, 1, 4), (4, 1, 4), (2, 2, 4), (5, 1, 3), (3, 2, 2), (6, 1, 2)]
    {
        count.add(order_chaos(columns, rows, 1..=most));
    }
    count.say("lines sections of order-chaos, boards of up to 6 cells");
    assert!(count.tried > 1_000_000 && count.accepted > 10_000, "{count:?}");
}

#[test]
fn no_reason_of_a_lines_section_proves_a_false_draw_in_mnk() {
    let mut count = Count::default();
    for (columns, rows) in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (5, 1), (3, 2), (6, 1)] {
        count.add(mnk(columns, rows));
    }
    count.say("lines sections of mnk, boards of up to 6 cells");
    assert!(count.tried > 10_000, "{count:?}");
}

/// A foreign mark helps nobody in m,n,k games, so a proof that allows both marks to both sides is one of the game.
#[test]
fn the_freedom_of_marks_changes_nothing_where_only_one_mark_has_lines() {
    for (columns, rows, k) in [(3, 2, 2), (3, 2, 3), (4, 2, 3), (5, 1, 2), (3, 3, 3)] {
        let variant = Variant { columns, rows, k, marks: 2, row: Row::AtLeast, one_sided: true };
        let free = Truth::new(variant);
        let powers: Vec<usize> = (0..variant.cells()).map(|cell| variant.base().pow(cell as u32)).collect();
        let lines = variant.lines();
        let mut bound = vec![[false; 2]; variant.boards()];
        for board in (0..variant.boards()).rev() {
            let digits = variant.digits(board);
            let complete = lines.iter().any(|line| line.wants.iter().all(|&cell| digits[cell] == 1));
            let empty = || (0..digits.len()).filter(|&cell| digits[cell] == 0);
            bound[board] = if complete || empty().next().is_none() {
                [complete; 2]
            } else {
                let breaker = empty().all(|cell| bound[board + 2 * powers[cell]][1]);
                [breaker, empty().any(|cell| bound[board + powers[cell]][0])]
            };
            for maker in [false, true] {
                assert_eq!(bound[board][usize::from(maker)], free.get(board, maker, false), "{variant:?} {digits:?}");
            }
        }
    }
}

/// The number of states with an entry; for each reason, the number of entries accepted, and the number of states they
/// ask for, wherever the claim is true or false.
fn profile(variant: Variant) -> [u64; 11] {
    let rules = rules(&variant);
    let mut found = [0; 11];
    for wins in [true, false] {
        let steps = LinesSteps::new(&rules, wins);
        for board in 0..variant.boards() {
            for (maker, spare) in [(false, false), (true, false), (false, true), (true, true)] {
                let state = variant.state(board, maker, spare);
                if steps.look(&state) != Look::Asks(state.clone()) {
                    continue;
                }
                let entry = steps.entry(&state).expect("a state that is asked for has lines");
                found[0] += 1;
                let mut note = |at: usize, reason: String| {
                    if let Some(asked) = entry.follow(&reason) {
                        found[at] += 1;
                        found[at + 1] += asked.len() as u64;
                    }
                };
                note(1, "all".into());
                note(1, "wait".into());
                let moves = moves(&variant, &state);
                let empty: Vec<usize> = (0..variant.cells()).filter(|&cell| state.cells[cell] == b'.').collect();
                pairings(&empty).into_iter().for_each(|list| note(3, format!("pairs{list}")));
                for one in &moves {
                    note(5, format!("play {one}"));
                    note(7, format!("threats {one}"));
                    moves.iter().for_each(|two| note(7, format!("threats {one} {two}")));
                    pairings(&empty).into_iter().for_each(|list| note(9, format!("meet {one}{list}")));
                }
            }
        }
    }
    found
}

/// Soundness alone would allow a checker that accepts less and less, or asks for more and more. These numbers are
/// what the rules of the document give.
#[test]
fn what_is_accepted_on_small_boards_is_on_record() {
    let variant = |columns, rows, k, marks, row| Variant { columns, rows, k, marks, row, one_sided: false };
    for (variant, expected) in [
        (variant(4, 1, 3, 2, Row::AtLeast), [92, 46, 81, 50, 0, 140, 114, 4, 0, 105, 169]),
        (variant(4, 1, 3, 2, Row::Exact), [88, 40, 77, 46, 0, 136, 106, 4, 0, 105, 243]),
        (variant(4, 1, 3, 2, Row::ExactFinal), [104, 52, 99, 72, 0, 164, 132, 0, 0, 158, 368]),
        (variant(5, 1, 3, 2, Row::Exact), [256, 122, 287, 84, 0, 436, 354, 42, 32, 327, 982]),
        (variant(5, 1, 3, 2, Row::ExactFinal), [328, 178, 443, 214, 0, 622, 530, 14, 12, 708, 2440]),
        (variant(3, 2, 2, 2, Row::AtLeast), [720, 378, 164, 12, 0, 272, 254, 1506, 10, 0, 0]),
        (variant(3, 2, 3, 2, Row::AtLeast), [200, 120, 190, 636, 0, 380, 368, 96, 64, 1724, 4464]),
        (variant(3, 2, 2, 2, Row::Exact), [768, 390, 164, 12, 0, 284, 254, 1516, 10, 0, 0]),
        (variant(2, 2, 2, 4, Row::AtLeast), [72, 34, 26, 4, 0, 110, 88, 104, 0, 0, 0]),
        (variant(4, 1, 2, 3, Row::ExactFinal), [148, 72, 143, 20, 0, 272, 230, 10, 12, 63, 135]),
        (variant(5, 1, 2, 1, Row::Exact), [108, 46, 40, 0, 0, 48, 30, 70, 0, 0, 0]),
        (
            Variant { one_sided: true, ..variant(3, 2, 2, 2, Row::AtLeast) },
            [348, 178, 203, 24, 0, 380, 340, 466, 224, 178, 242],
        ),
    ] {
        assert_eq!(profile(variant), expected, "{variant:?}");
    }
}

macro_rules! large_boards {
    ($($name:ident: $count:expr;)*) => {$(
        #[test]
        #[ignore = "minutes of processor time"]
        fn $name() {
            $count.say(stringify!($name));
        }
    )*};
}

large_boards! {
    lines_of_order_chaos_7x1: order_chaos(7, 1, 1..=3);
    lines_of_order_chaos_8x1: order_chaos(8, 1, 1..=2);
    lines_of_order_chaos_4x2: order_chaos(4, 2, 1..=2);
    lines_of_order_chaos_3x3: order_chaos(3, 3, 1..=2);
    lines_of_order_chaos_3x2_with_many_marks: order_chaos(3, 2, 3..=4);
    lines_of_order_chaos_5x1_with_four_marks: order_chaos(5, 1, 4..=4);
    lines_of_order_chaos_6x1_with_many_marks: order_chaos(6, 1, 3..=4);
    lines_of_mnk_7x1: mnk(7, 1);
    lines_of_mnk_4x2: mnk(4, 2);
    lines_of_mnk_3x3: mnk(3, 3);
}
