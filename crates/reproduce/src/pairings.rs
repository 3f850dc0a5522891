//! Document 000: Castelein, section 5: van Gent's remark that Chaos wins n×n with rows of n - 1 for every n ≥ 7, proved by
//! pairings.
//!
//! Rows of n - 1 lie in 2n + 6 straight lines: the rows, the columns, the two diagonals, and the four diagonals of n - 1
//! cells. The *middle* of a line is what all its rows of n - 1 share. A *pairing* gives each line two cells of its middle,
//! all of them different. Chaos answers a mark in one cell of a pair with the other mark in the other, and so spoils the
//! line. If Order fills a cell outside the pairs, Chaos fills another one. If there is none left, Chaos *opens* a pair whose
//! line has a mark in its middle already: the other mark in one of its cells spoils the line, and the second cell is free.
//! That is possible whenever all pairs can be removed one by one, each with a cell of its middle outside the pairs that
//! remain; removing other pairs before only helps.
//!
//! A pairing for n makes one for n + 2: a ring is put around the board. Every old line and its middle lie in a new one, and
//! in each of the four new lines the ring has n cells of its own: two for the pair, one left over that lets it be opened. So
//! pairings for 7 and 8 prove the statement for all n ≥ 7.

use super::Finding;
use super::castelein::wins;
use agon_core::{Ctx, Rng};
use agon_report::failure::Failure;
use std::collections::BTreeSet;

/// A cell: row and column from 0.
type Cell = (usize, usize);

/// A line by its middle, with its pair.
#[derive(Clone, Debug)]
struct Paired {
    middle: Vec<Cell>,
    pair: [Cell; 2],
}

/// The pairing of a board.
#[derive(Clone, Debug)]
struct Pairing {
    n: usize,
    lines: Vec<Paired>,
}

/// The middles of the lines of n×n with rows of n - 1.
fn middles(n: usize) -> Vec<Vec<Cell>> {
    let inner = || 1..n - 1;
    let mut all: Vec<Vec<Cell>> = Vec::new();
    for i in 0..n {
        all.push(inner().map(|j| (i, j)).collect());
        all.push(inner().map(|j| (j, i)).collect());
    }
    all.push(inner().map(|i| (i, i)).collect());
    all.push(inner().map(|i| (i, n - 1 - i)).collect());
    for by in [0, 1] {
        all.push((0..n - 1).map(|i| (i + by, i + 1 - by)).collect());
        all.push((0..n - 1).map(|i| (i + by, n - 2 + by - i)).collect());
    }
    all
}

/// A pairing by matching lines with cells; cells are tried in an order that depends on the seed.
fn matched(n: usize, seed: u64) -> Option<Pairing> {
    let middles = middles(n);
    let mut rng = Rng::new(seed);
    let mut orders: Vec<Vec<Cell>> = Vec::new();
    for middle in &middles {
        let mut order = middle.clone();
        (1..order.len()).rev().for_each(|i| order.swap(i, rng.below(i + 1)));
        orders.push(order);
    }
    let mut owner: std::collections::BTreeMap<Cell, usize> = Default::default();
    for slot in 0..2 * middles.len() {
        if !placed(slot / 2, &orders, &mut owner, &mut BTreeSet::new()) {
            return None;
        }
    }
    let pair = |line: usize| {
        let own: Vec<Cell> = owner.iter().filter(|(_, owner)| **owner == line).map(|(cell, _)| *cell).collect();
        [own[0], own[1]]
    };
    let lines = middles.into_iter().enumerate().map(|(line, middle)| Paired { middle, pair: pair(line) }).collect();
    Some(Pairing { n, lines })
}

/// Gives a line one more cell, by an augmenting path.
fn placed(
    line: usize,
    orders: &[Vec<Cell>],
    owner: &mut std::collections::BTreeMap<Cell, usize>,
    seen: &mut BTreeSet<Cell>,
) -> bool {
    for &cell in &orders[line] {
        if owner.get(&cell) == Some(&line) || !seen.insert(cell) {
            continue;
        }
        let free = match owner.get(&cell).copied() {
            None => true,
            Some(other) => placed(other, orders, owner, seen),
        };
        if free {
            owner.insert(cell, line);
            return true;
        }
    }
    false
}

impl Pairing {
    /// A pairing for 7 or 8.
    fn of(n: usize) -> Option<Pairing> {
        (1..500).filter_map(|seed| matched(n, seed)).find(|pairing| pairing.can_be_opened())
    }

    /// The same with a ring around it.
    fn ringed(&self) -> Pairing {
        let n = self.n + 2;
        let out = |&(i, j): &Cell| (i + 1, j + 1);
        let old: Vec<(BTreeSet<Cell>, [Cell; 2])> = self
            .lines
            .iter()
            .map(|line| (line.middle.iter().map(out).collect(), line.pair.map(|cell| out(&cell))))
            .collect();
        let line = |middle: Vec<Cell>| {
            // The pair of the old line in it, or the first two cells of a side of the ring.
            let cells: BTreeSet<Cell> = middle.iter().copied().collect();
            let kept = old.iter().find(|(inside, _)| inside.is_subset(&cells)).map(|(_, pair)| *pair);
            Paired { pair: kept.unwrap_or([middle[0], middle[1]]), middle }
        };
        Pairing { n, lines: middles(n).into_iter().map(line).collect() }
    }

    /// Returns whether the pairs are disjoint and every row of n - 1 cells holds one: rows are listed cell by cell here.
    fn holds(&self) -> bool {
        let n = self.n as isize;
        let cells: BTreeSet<Cell> = self.lines.iter().flat_map(|line| line.pair).collect();
        let pairs: BTreeSet<[Cell; 2]> = self.lines.iter().map(|line| line.pair).collect();
        let mut rows = 0;
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            for (di, dj) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cell = |step: isize| (i + di * step, j + dj * step);
                let (last_i, last_j) = cell(n - 2);
                if !(0..n).contains(&last_i) || !(0..n).contains(&last_j) {
                    continue;
                }
                rows += 1;
                let row: BTreeSet<Cell> = (0..n - 1).map(|s| (cell(s).0 as usize, cell(s).1 as usize)).collect();
                if !pairs.iter().any(|pair| row.contains(&pair[0]) && row.contains(&pair[1])) {
                    return false;
                }
            }
        }
        cells.len() == 2 * self.lines.len() && rows == 4 * self.n + 8
    }

    /// Returns whether Chaos can always open a pair when it has no other move: all pairs can be removed one by one.
    fn can_be_opened(&self) -> bool {
        can_be_opened(&self.lines)
    }

    /// The board with a letter for each pair.
    fn text(&self) -> String {
        let letter = |k: usize| char::from_digit(k as u32 % 36, 36).unwrap_or('?');
        let mark = |cell: Cell| {
            let at = self.lines.iter().position(|line| line.pair.contains(&cell));
            at.map_or('.', letter)
        };
        let row = |i: usize| (0..self.n).map(|j| mark((i, j))).collect::<String>();
        (0..self.n).map(row).collect::<Vec<_>>().join("\n")
    }
}

fn can_be_opened(lines: &[Paired]) -> bool {
    let mut left: Vec<&Paired> = lines.iter().collect();
    loop {
        let cells: BTreeSet<Cell> = left.iter().flat_map(|line| line.pair).collect();
        let before = left.len();
        left.retain(|line| line.middle.iter().all(|cell| cells.contains(cell)));
        if left.is_empty() || left.len() == before {
            return left.is_empty();
        }
    }
}

/// The largest board whose pairing is generated and checked.
const LARGEST: usize = 60;

pub(super) fn every_n(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let mut wrong = Vec::new();
    let mut shown = String::new();
    for first in [7, 8] {
        let Some(mut pairing) = Pairing::of(first) else {
            wrong.push(first);
            continue;
        };
        shown.push_str(&format!("\n{first}×{first}:\n{}", pairing.text()));
        while pairing.n <= LARGEST {
            ctx.check()?;
            if !pairing.holds() || !pairing.can_be_opened() {
                wrong.push(pairing.n);
            }
            pairing = pairing.ringed();
        }
    }
    // The provers know nothing of these pairings.
    for (n, order_first) in [(7, true), (7, false), (8, true), (8, false)] {
        if wins(n, n, n - 1, order_first, ctx)? {
            wrong.push(n);
        }
    }
    let computed = if wrong.is_empty() { claimed.to_string() } else { format!("no pairing for {wrong:?}") };
    let note = format!(
        "whichever side begins: pairings for n = 7 and 8, generated, and a ring of two more rows and columns that makes one \
         for n + 2 of one for n; generated and checked row by row for every n to {LARGEST}, proved for all by \
         docs/results/pairings.md. The provers find the same for 7 and 8. Equal letters are pairs{shown}"
    );
    Ok(Finding::compare(claimed, computed, note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Outcome, collect_moves};
    use agon_games::order_chaos::lines::Row;
    use agon_games::order_chaos::{Board, OrderChaos, Placing};

    /// The move of Chaos after a mark of Order in `last`; `marks` holds the mark of each filled cell.
    fn answer(
        lines: &[Paired],
        all: &[Cell],
        marks: &std::collections::BTreeMap<Cell, usize>,
        last: Option<Cell>,
    ) -> (Cell, usize) {
        let empty = |cell: &Cell| !marks.contains_key(cell);
        if let Some(last) = last
            && let Some(line) = lines.iter().find(|line| line.pair.contains(&last))
        {
            let other = if line.pair[0] == last { line.pair[1] } else { line.pair[0] };
            if empty(&other) {
                return (other, 1 - marks[&last]);
            }
        }
        let intact = |line: &&Paired| line.pair.iter().all(&empty);
        let paired: BTreeSet<Cell> = lines.iter().filter(intact).flat_map(|line| line.pair).collect();
        if let Some(&free) = all.iter().find(|cell| empty(cell) && !paired.contains(cell)) {
            return (free, 0);
        }
        let open =
            |line: &Paired| line.middle.iter().find_map(|cell| marks.get(cell)).map(|mark| (line.pair[0], 1 - mark));
        lines.iter().filter(intact).find_map(open).expect("a pair can be opened")
    }

    /// Returns whether a mark in `cell` opens a pair.
    fn opens(lines: &[Paired], marks: &std::collections::BTreeMap<Cell, usize>, cell: Cell) -> bool {
        let empty = |line: &Paired| line.pair.iter().all(|cell| !marks.contains_key(cell));
        lines.iter().any(|line| line.pair.contains(&cell) && empty(line))
    }

    #[test]
    fn chaos_wins_random_games_on_real_boards_by_the_pairing() {
        let mut rng = Rng::new(1);
        for (n, order_first) in [(7, true), (7, false), (8, true), (8, false)] {
            let game = OrderChaos::new(n, n, n - 1, 2, order_first, Row::AtLeast);
            let pairing = Pairing::of(n).expect("there is one");
            let all: Vec<Cell> = (0..n * n).map(|cell| (cell / n, cell % n)).collect();
            for number in 0..60 {
                let mut pos = Board::default();
                let mut last = None;
                while game.outcome(&pos).is_none() {
                    let mv = if game.turn(&pos) == game.order() {
                        let moves = collect_moves(&game, &pos);
                        // Every second game Order prefers one mark, which makes long rows.
                        let liked: Vec<Placing> = moves.iter().copied().filter(|mv| mv.symbol == 0).collect();
                        let mv = *rng.pick(if number % 2 == 0 { &moves } else { &liked }).unwrap();
                        last = Some(all[usize::from(mv.cell)]);
                        mv
                    } else {
                        let mark = |cell: usize| pos.at(cell).map(|mark| (all[cell], mark));
                        let marks = (0..n * n).filter_map(mark).collect();
                        let (cell, mark) = answer(&pairing.lines, &all, &marks, last);
                        Placing { cell: (cell.0 * n + cell.1) as u8, symbol: mark as u8 }
                    };
                    game.play(&mut pos, mv);
                }
                assert_eq!(game.outcome(&pos), Some(Outcome::Win(game.order().other())), "{n}");
            }
        }
    }

    /// Every play of Order against the strategy on small systems of lines; a line is its middle here.
    #[test]
    fn no_play_beats_the_strategy_on_small_systems_of_lines() {
        let mut rng = Rng::new(5);
        let (mut tried, mut opened) = (0, 0);
        while tried < 60 {
            let cells = 5 + rng.below(4);
            let all: Vec<Cell> = (0..cells).map(|cell| (0, cell)).collect();
            let mut free = all.clone();
            let mut lines = Vec::new();
            for _ in 0..1 + rng.below(cells / 2) {
                let mut draw = |from: &mut Vec<Cell>| from.swap_remove(rng.below(from.len()));
                let pair = [draw(&mut free), draw(&mut free)];
                let more = all.iter().copied().filter(|cell| !pair.contains(cell) && rng.below(3) == 0);
                lines.push(Paired { middle: pair.into_iter().chain(more).collect(), pair });
            }
            if !can_be_opened(&lines) {
                continue;
            }
            tried += 1;
            let mut todo = vec![(std::collections::BTreeMap::new(), true), (std::collections::BTreeMap::new(), false)];
            while let Some((mut marks, order)) = todo.pop() {
                let full = marks.len() == cells;
                let complete =
                    lines.iter().any(|line| (0..2).any(|m| line.middle.iter().all(|cell| marks.get(cell) == Some(&m))));
                assert!(!complete, "{lines:?} {marks:?}");
                if full {
                    continue;
                }
                if !order {
                    // Chaos begins: it fills a free cell or opens a pair.
                    let (cell, mark) = answer(&lines, &all, &marks, None);
                    opened += usize::from(opens(&lines, &marks, cell));
                    marks.insert(cell, mark);
                    todo.push((marks, true));
                    continue;
                }
                for &cell in all.iter().filter(|cell| !marks.contains_key(cell)) {
                    for mark in 0..2 {
                        let mut after = marks.clone();
                        after.insert(cell, mark);
                        if after.len() < cells {
                            let (cell, mark) = answer(&lines, &all, &after, Some(cell));
                            opened += usize::from(opens(&lines, &after, cell));
                            after.insert(cell, mark);
                        }
                        todo.push((after, true));
                    }
                }
            }
        }
        assert!(opened > 0);
    }
}
