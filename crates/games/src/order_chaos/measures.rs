//! Definitions 2.2 to 2.5 of Castelein's thesis for every place of a board, as a table.

use super::definitions::{Direction, Place};
use super::{Board, LETTERS, OrderChaos};
use agon_core::{Measured, Measures};

impl OrderChaos {
    /// L in each direction with the extensions, and the longest; P for each mark.
    pub(super) fn lengths_and_lines(&self, pos: &Board) -> Measures {
        let marks = &LETTERS[..self.symbols()];
        let head = ["place", "(i,j)", "mark", "L→", "L↑", "L↗", "L↘", "L", "extended at"].map(String::from);
        let columns = head.into_iter().chain(marks.iter().map(|mark| format!("P({mark})")));
        let cells = (0..self.grid().cells()).filter(|cell| self.grid().all() >> cell & 1 == 1);
        let about = "Castelein, definitions 2.2 to 2.5. L is the number of equal marks in a row through a place, in each \
                     direction and at most, with the places that would extend the longest; P is the most marks of a kind \
                     in a row of k through the place that holds no other mark, 0 without such a row. The board shows L at \
                     marks, and the largest P at empty places.";
        Measures::new(about, columns, cells.map(|cell| self.measured(pos, cell)))
    }

    fn measured(&self, pos: &Board, cell: usize) -> Measured {
        let place = self.place_of(cell);
        let mark = pos.at(cell);
        let runs: Vec<_> = Direction::ALL.iter().filter_map(|&direction| self.run(pos, place, direction)).collect();
        let longest = runs.iter().map(|run| run.length).max();
        let longest_runs = runs.iter().filter(|run| Some(run.length) == longest);
        let mut ends: Vec<Place> = longest_runs.flat_map(|run| run.extensions.iter().copied()).collect();
        ends.retain(|&end| self.cell_at(end).is_some_and(|cell| pos.at(cell).is_none()));
        ends.sort_unstable();
        ends.dedup();
        let spelled = |(i, j): &Place| format!("({i},{j})");
        let feasible: Vec<usize> = (0..self.symbols()).map(|symbol| self.feasible(pos, place, symbol)).collect();
        let length = |direction: usize| runs.get(direction).map_or(String::new(), |run| run.length.to_string());
        let note = match longest {
            Some(longest) => format!("L{longest}"),
            None => format!("P{}", feasible.iter().max().copied().unwrap_or(0)),
        };
        let values = [
            self.grid().name(cell),
            spelled(&place),
            mark.map_or(String::new(), |mark| LETTERS[mark].to_string()),
            length(0),
            length(1),
            length(2),
            length(3),
            longest.map_or(String::new(), |longest| longest.to_string()),
            ends.iter().map(spelled).collect::<Vec<_>>().join(" "),
        ];
        Measured::new(cell, note, values.into_iter().chain(feasible.iter().map(usize::to_string)).collect::<Vec<_>>())
    }
}
