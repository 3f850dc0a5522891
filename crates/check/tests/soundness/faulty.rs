//! Rules about pairs that are unsound, each by one mistake that was made once. If the search through all entries did
//! not find them out, it would be worth nothing. The rule without a mistake, written anew from the document, is also
//! compared with the checker's, entry by entry.

use crate::lines::{pairings, rules};
use crate::truth::{Line, ROWS, Row, Truth, Variant};
use agon_check::seam::{LinesSteps, Look, State};

/// A fault of a rule about pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mistake {
    None,
    /// Pairs are used even where there is only one mark.
    OneMark,
    /// A pair can be opened if its lines have one mark, even where one wants a cell that another avoids.
    TwoRoles,
    /// A cell tells which lines are left if every line wants it or avoids it, even where some want it and others
    /// avoid it.
    Telling,
}

/// A live line: its mark, the cells it lacks, the cells it still avoids.
struct Live {
    mark: u8,
    lacks: Vec<usize>,
    avoids: Vec<usize>,
}

impl Live {
    fn spoiled_by(&self, cell: usize, mark: u8) -> bool {
        if self.lacks.contains(&cell) { self.mark != mark } else { self.avoids.contains(&cell) && self.mark == mark }
    }
}

struct Rule {
    variant: Variant,
    mistake: Mistake,
}

type Pair = ([usize; 2], bool);

impl Rule {
    fn settled(&self) -> bool {
        self.variant.row == Row::ExactFinal
    }

    /// The live lines of a state, those left out that lack more than another of their mark.
    fn live(&self, state: &State) -> Vec<Live> {
        let holds = |cell: usize, mark: u8| state.cells[cell] == b".XOAB"[usize::from(mark)];
        let live = |line: &Line| {
            let open = line.wants.iter().all(|&cell| holds(cell, 0) || holds(cell, line.mark));
            (open && !line.avoids.iter().any(|&cell| holds(cell, line.mark))).then(|| {
                let empty = |cells: &[usize]| cells.iter().copied().filter(|&cell| holds(cell, 0)).collect();
                Live { mark: line.mark, lacks: empty(&line.wants), avoids: empty(&line.avoids) }
            })
        };
        let mut lines = self.variant.lines();
        if self.settled() && self.variant.marks == 1 && self.mistake != Mistake::OneMark {
            lines.retain(|line| line.avoids.is_empty());
        }
        let avoiding = lines.iter().any(|line| !line.avoids.is_empty());
        let all: Vec<Live> = lines.iter().filter_map(live).collect();
        let longer = |line: &Live| {
            all.iter().any(|other| {
                let part = other.lacks.iter().all(|cell| line.lacks.contains(cell));
                other.mark == line.mark && part && other.lacks.len() < line.lacks.len()
            })
        };
        let longer: Vec<bool> = all.iter().map(|line| !avoiding && longer(line)).collect();
        all.into_iter().zip(longer).filter(|(_, longer)| !longer).map(|(line, _)| line).collect()
    }

    fn meets(&self, (cells, same): &Pair, line: &Live) -> bool {
        if self.variant.marks == 1 && self.mistake != Mistake::OneMark {
            return false;
        }
        let [lacks, avoids] = [&line.lacks, &line.avoids].map(|set| cells.iter().filter(|c| set.contains(c)).count());
        match (lacks, avoids) {
            (2, _) => !same,
            (1, 1) => self.settled() && *same,
            (_, 2) => self.settled() && !same,
            _ => false,
        }
    }

    fn accepts(&self, state: &State, pairs: &[Pair]) -> bool {
        let live = self.live(state);
        let mut charged: Vec<Vec<&Live>> = pairs.iter().map(|_| Vec::new()).collect();
        for line in &live {
            let Some(first) = pairs.iter().position(|pair| self.meets(pair, line)) else { return false };
            charged[first].push(line);
        }
        let one_mark = |lines: &[&Live]| lines.iter().all(|line| line.mark == lines[0].mark);
        for (pair, lines) in pairs.iter().zip(&charged) {
            let at_ends = lines.iter().copied().filter(|line| pair.0.iter().all(|cell| line.avoids.contains(cell)));
            if self.variant.marks > 2 && !one_mark(&at_ends.collect::<Vec<_>>()) {
                return false;
            }
        }
        let empty = state.cells.iter().filter(|&&cell| cell == b'.').count() + usize::from(state.spare);
        if empty.is_multiple_of(2) == state.maker {
            return true;
        }
        let mut closed: Vec<usize> = (0..pairs.len()).collect();
        while !closed.is_empty() {
            let open =
                |&i: &usize| self.opens(pairs[i], &charged[i], &closed.iter().map(|&i| pairs[i]).collect::<Vec<_>>());
            let Some(next) = closed.iter().position(open) else { return false };
            closed.remove(next);
        }
        true
    }

    fn opens(&self, (cells, _): Pair, lines: &[&Live], closed: &[Pair]) -> bool {
        let marks = || 1..=self.variant.marks as u8;
        let one_mark = |left: &[&Live]| left.iter().all(|line| line.mark == left[0].mark);
        let spoilable = |left: &[&Live]| {
            let spoils = |cell: usize, mark: u8| left.iter().all(|line| line.spoiled_by(cell, mark));
            cells.iter().any(|&cell| marks().any(|mark| spoils(cell, mark)))
                || (self.mistake == Mistake::TwoRoles && one_mark(left))
        };
        let tells = |cell: usize| {
            let told = |line: &&Live| line.lacks.contains(&cell) || line.avoids.contains(&cell);
            let left = |mark: u8| lines.iter().copied().filter(|line| !line.spoiled_by(cell, mark)).collect::<Vec<_>>();
            marks().all(|mark| spoilable(&left(mark)))
                || (self.mistake == Mistake::Telling && self.variant.marks == 2 && lines.iter().all(told))
        };
        let free = |cell: &usize| !closed.iter().any(|(cells, _)| cells.contains(cell));
        spoilable(lines) || (0..self.variant.cells()).filter(free).any(tells)
    }
}

fn read(list: &str) -> Vec<Pair> {
    let pair = |text: &str| {
        let (a, b) = text.split_once(['-', '=']).expect("two cells");
        ([a, b].map(|cell| cell.parse().expect("a cell")), text.contains('='))
    };
    list.split_whitespace().map(pair).collect()
}

/// Every state of a game that is asked for, with every list of pairs of its empty cells.
fn each_entry(variant: Variant, mut see: impl FnMut(&State, &str, bool)) {
    let rules = rules(&variant);
    let steps = LinesSteps::new(&rules, false);
    for board in 0..variant.boards() {
        for (maker, spare) in [(false, false), (true, false), (false, true), (true, true)] {
            let state = variant.state(board, maker, spare);
            if steps.look(&state) != Look::Asks(state.clone()) {
                continue;
            }
            let entry = steps.entry(&state).expect("a state that is asked for has lines");
            let empty: Vec<usize> = (0..variant.cells()).filter(|&cell| state.cells[cell] == b'.').collect();
            for list in pairings(&empty) {
                see(&state, &list, entry.follow(&format!("pairs{list}")).is_some());
            }
        }
    }
}

/// A state whose maker wins although a rule with a mistake proves by pairs that he does not.
fn unsound(variant: Variant, mistake: Mistake) -> Option<String> {
    let (truth, rule) = (Truth::new(variant), Rule { variant, mistake });
    let mut found = None;
    for board in 0..variant.boards() {
        for maker in [false, true] {
            let state = variant.state(board, maker, false);
            let empty: Vec<usize> = (0..variant.cells()).filter(|&cell| state.cells[cell] == b'.').collect();
            if found.is_none() && truth.of(&state) && !rule.live(&state).is_empty() {
                let list = pairings(&empty).into_iter().find(|list| rule.accepts(&state, &read(list)));
                found = list.map(|list| format!("{variant:?} {state:?} pairs{list}"));
            }
        }
    }
    found
}

fn variants(marks: usize) -> Vec<Variant> {
    let boards = [(3, 1, 2), (3, 1, 3), (4, 1, 2), (4, 1, 3), (2, 2, 2), (3, 2, 2), (5, 1, 3)];
    let fits = |&(columns, rows, _): &(usize, usize, usize)| marks < 3 || columns * rows < 5;
    let variant = |(columns, rows, k), row| Variant { columns, rows, k, marks, row, one_sided: false };
    boards.into_iter().filter(fits).flat_map(|board| ROWS.map(|row| variant(board, row))).collect()
}

#[test]
fn every_unsound_rule_about_pairs_is_found_out() {
    let found = |mistake, marks| variants(marks).into_iter().filter_map(|v| unsound(v, mistake)).collect::<Vec<_>>();
    assert!(!found(Mistake::OneMark, 1).is_empty());
    for marks in 2..=4 {
        assert!(!found(Mistake::TwoRoles, marks).is_empty(), "{marks} marks");
    }
    assert!(!found(Mistake::Telling, 2).is_empty());
    for marks in 1..=4 {
        assert_eq!(found(Mistake::None, marks), Vec::<String>::new());
    }
}

#[test]
fn the_checker_accepts_the_pairs_that_the_document_allows_and_no_others() {
    let (mut entries, mut accepted) = (0, 0);
    for marks in 1..=4 {
        for variant in variants(marks) {
            let rule = Rule { variant, mistake: Mistake::None };
            each_entry(variant, |state, list, by_checker| {
                let by_document = rule.accepts(state, &read(list));
                assert_eq!(by_checker, by_document, "{variant:?} {state:?} pairs{list}");
                entries += 1;
                accepted += u32::from(by_checker);
            });
        }
    }
    assert!(entries > 40_000 && accepted > 1_000, "{entries} entries, {accepted} accepted");
}
