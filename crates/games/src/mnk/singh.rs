//! Strategies from the paper of Singh, Deep and Nagar, *A "Never-loose" Strategy to Play the Game of Tic-tac-toe*.
//!
//! `singh-process` is the five-step process of section III.A, `singh-objectives` the nine objective
//! functions and four axioms of section III.B. The rule's own marks are called X here, as in the paper,
//! whichever side it plays; boxes are numbered 1 to 9 row by row.

/// The eight winning sequences, as boxes, in the order of section III.A.
pub const SEQUENCES: [[usize; 3]; 8] =
    [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]];

/// The paper's variables x1…x9 (at index 1 to 9): 1 for X, -1 for O, 0 for an empty box.
pub type Variables = [i32; 10];

fn empty_boxes(x: &Variables) -> impl Iterator<Item = usize> {
    (1..=9).filter(|&number| x[number] == 0)
}

/// The nine objective functions f1…f9 (at index 0 to 8) of a solution.
#[must_use]
pub fn objectives(x: &Variables) -> [i32; 9] {
    let mut f = [0; 9];
    for (value, sequence) in f.iter_mut().zip(&SEQUENCES) {
        *value = sequence.iter().map(|&b| x[b]).sum();
    }
    f[8] = f[..8].iter().sum();
    f
}

/// The solutions of a position: one zero mutated to 1, with the box that was filled.
#[must_use]
pub fn solutions(x: &Variables) -> Vec<(usize, Variables)> {
    let filled = |number: usize| {
        let mut solution = *x;
        solution[number] = 1;
        (number, solution)
    };
    empty_boxes(x).map(filled).collect()
}
