//! The objective functions of Singh, Deep and Nagar for every board: one for each row of k, and their sum.

use super::{Mnk, Stones};
use crate::grid::each_cell;
use agon_core::{Game, Measured, Measures, Strategy, StrategyFacts, collect_moves};

/// Up to this many functions have a column of their own.
const MOST_COLUMNS: usize = 16;

impl Mnk {
    /// The values f1, f2, … of the board after a move of the mover: the sum of each row of k, where an own stone counts 1
    /// and another -1, and last the sum of these sums. Rows come as in section III.A of the paper: rows, columns,
    /// falling and rising diagonals.
    #[must_use]
    pub fn objectives(&self, pos: &Stones, mv: u8) -> Vec<i32> {
        let (own, other) = pos.sides();
        let own = own | 1 << mv;
        let count = |cells: u64| cells.count_ones() as i32;
        let mut values: Vec<i32> =
            self.tables.windows.iter().map(|row| count(row & own) - count(row & other)).collect();
        values.push(values.iter().sum());
        values
    }

    /// Table I of the paper for any position: the solutions with their objective functions, and those that the axioms
    /// choose.
    pub(super) fn table_of_solutions(&self, pos: &Stones) -> Option<Measures> {
        let (rows, k) = (self.tables.windows.len(), self.k as i32);
        if rows == 0 || self.outcome(pos).is_some() {
            return None;
        }
        let chosen = Objectives.choices(self, pos);
        let wide = rows <= MOST_COLUMNS;
        let columns: Vec<String> = match wide {
            true => (1..=rows + 1).map(|i| format!("f{i}")).collect(),
            false => ["largest", "how many", "negative", "sum"].map(String::from).to_vec(),
        };
        let of = |cell: usize| {
            let values = self.objectives(pos, cell as u8);
            let (sum, each) = values.split_last().expect("a sum at least");
            let best = chosen.contains(&(cell as u8));
            let largest = *each.iter().max().expect("a row at least");
            let shown: Vec<i32> = match wide {
                true => values.clone(),
                false => {
                    let number = |of: &dyn Fn(&&i32) -> bool| each.iter().filter(of).count() as i32;
                    vec![largest, number(&|f| **f == largest), number(&|f| **f < 0), *sum]
                }
            };
            let names = [self.grid.name(cell), (cell + 1).to_string()];
            let star = if best { "best" } else { "" };
            let values = names.into_iter().chain(shown.iter().map(i32::to_string)).chain([star.to_string()]);
            Measured::new(cell, format!("{sum}{}", if best { "*" } else { "" }), values.collect::<Vec<_>>())
        };
        let about = format!(
            "Solutions and objective functions (Singh, Deep and Nagar) for {}: f1 to f{rows} are the sums of the rows of \
             {k} after the move, own marks 1 and others -1; f{} is their sum, shown on the board. The best solutions by \
             the axioms have a star.",
            agon_core::Notation::player_name(self, self.turn(pos)),
            rows + 1
        );
        let head = ["cell", "box"].map(String::from).into_iter().chain(columns).chain(["axioms".to_string()]);
        Some(Measures::new(about, head, each_cell(self.empty(pos)).map(of)))
    }
}

/// The axioms of section III.B for any board: the paper asks whether its functions can be defined for other games. On
/// 3×3 they choose as the text `singh-objectives` does, read as filters.
pub(super) struct Objectives;

impl Objectives {
    /// Returns whether the strategy is offered for a board: wherever rows of three or more fit, except on 3×3, where
    /// the text is.
    pub(super) fn fit(game: &Mnk) -> bool {
        game.k >= 3 && *game != Mnk::new(3, 3, 3)
    }

    pub(super) fn facts() -> StrategyFacts {
        StrategyFacts {
            name: "singh-objectives",
            readings: vec!["filters".to_string()],
            about: "Singh, Deep & Nagar, section III.B, for rows of k: one objective function for each row, and their sum. \
                    Complete a row; leave no row that the opponent completes; then k - 1 in a row; then the largest sum; \
                    then the fewest negative functions"
                .to_string(),
        }
    }

    pub(super) fn named(game: &Mnk, name: &str, reading: &str) -> Option<Objectives> {
        let known = name == "singh-objectives" && (reading.is_empty() || reading == "filters");
        (known && Objectives::fit(game)).then_some(Objectives)
    }
}

impl Strategy<Mnk> for Objectives {
    fn choices(&self, game: &Mnk, pos: &Stones) -> Vec<u8> {
        let k = game.k as i32;
        let mut left: Vec<(u8, Vec<i32>)> =
            collect_moves(game, pos).into_iter().map(|mv| (mv, game.objectives(pos, mv))).collect();
        // A complete row is best, whatever the other functions say.
        let complete = |(_, values): &(u8, Vec<i32>)| values[..values.len() - 1].contains(&k);
        if left.iter().any(complete) {
            return left.into_iter().filter(complete).map(|(mv, _)| mv).collect();
        }
        let mut keep = |wanted: &dyn Fn(&[i32], i32) -> i32| {
            let worth = |(_, values): &(u8, Vec<i32>)| {
                let (sum, each) = values.split_last().expect("a sum at least");
                wanted(each, *sum)
            };
            let best = left.iter().map(worth).max();
            left.retain(|solution| Some(worth(solution)) == best);
        };
        let safe = |each: &[i32]| each.iter().all(|&f| f > 1 - k);
        keep(&|each, _| i32::from(safe(each)));
        keep(&|each, _| i32::from(safe(each) && each.contains(&(k - 1))));
        keep(&|_, sum| sum);
        keep(&|each, _| -(each.iter().filter(|&&f| f < 0).count() as i32));
        left.into_iter().map(|(mv, _)| mv).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Notation};
    use std::collections::BTreeSet;

    #[test]
    fn the_axioms_for_every_board_choose_on_3x3_as_the_text_does() {
        let game = Mnk::new(3, 3, 3);
        let text = game.strategy("singh-objectives", "filters").expect("tic-tac-toe has it");
        let (mut seen, mut todo) = (BTreeSet::new(), vec![game.start()]);
        while let Some(pos) = todo.pop() {
            if !seen.insert(pos) || game.outcome(&pos).is_some() {
                continue;
            }
            let sorted = |mut moves: Vec<u8>| {
                moves.sort_unstable();
                moves
            };
            assert_eq!(
                sorted(Objectives.choices(&game, &pos)),
                sorted(text.choices(&game, &pos)),
                "{}",
                game.show(&pos)
            );
            todo.extend(collect_moves(&game, &pos).into_iter().map(|mv| game.after(&pos, mv)));
        }
        assert_eq!(seen.len(), 5_478); // the positions of tic-tac-toe
    }

    #[test]
    fn the_table_of_a_position_is_that_of_the_paper() {
        // Table I, the move X5: the variables are (1,0,-1,0,1,0,0,0,-1), and solution 3 is best.
        let game = Mnk::new(3, 3, 3);
        let pos = game.parse("X.O/.X./..O").unwrap();
        let table = game.measures(&pos).expect("the play is not over");
        let row = |i: usize| table.rows[i].values.join(" ");
        assert_eq!(table.columns.join(" "), "cell box f1 f2 f3 f4 f5 f6 f7 f8 f9 axioms");
        assert_eq!(row(0), "b3 2 1 1 -1 1 2 -2 1 0 3 ");
        assert_eq!(row(2), "c2 6 0 2 -1 1 1 -1 1 0 3 best");
        // On larger boards there is a function for each row.
        let game = Mnk::new(8, 8, 5);
        let table = game.measures(&game.start()).expect("rows");
        assert_eq!((table.rows.len(), table.columns.len()), (64, 7));
    }
}
