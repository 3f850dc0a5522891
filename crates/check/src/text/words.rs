//! The words that every game has.

use agon_core::features::{Sort, Subject};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Last,
    Centre,
    Own,
    Other,
    Any,
}

/// The argument that a word takes in parentheses.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    Nothing,
    Count,
    Target,
    Cell,
    Region,
    Pairing,
}

/// The requirement of a word on the board.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Needs {
    Nothing,
    Cells,
    Lines,
}

/// The words that every game has, and those of one game by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Filled,
    Empty,
    Marks,
    OtherMarks,
    CompleteLines,
    Mobility,
    First,
    Corner,
    Edge,
    Border,
    Interior,
    Centre,
    Inside,
    Cell,
    In,
    Column,
    Row,
    Mark,
    Degree,
    Distance,
    Beside,
    SameColumn,
    SameRow,
    Places,
    Takes,
    Lines,
    Open,
    Cuts,
    Line,
    Cut,
    Directions,
    Completes,
    Blocks,
    Threats,
    Fork,
    Leaves,
    ForksLeft,
    Run,
    Extensions,
    Extends,
    Answers,
    AnswersLast,
    Wins,
    Loses,
    LetsWin,
    Replies,
    Extra(usize),
}

/// A word: its name, what it is and speaks of, what it needs, and what it takes in parentheses.
pub(super) type Entry = (&'static str, Word, Sort, Subject, Needs, Takes);

/// Every word of every game.
#[rustfmt::skip]
pub(super) const WORDS: [Entry; 46] = {
    use {Needs as N, Sort::Flag, Sort::Number, Subject::Move, Subject::Position, Takes as T, Word as W};
    [
        ("filled", W::Filled, Number, Position, N::Cells, T::Nothing),
        ("empty", W::Empty, Number, Position, N::Cells, T::Nothing),
        ("marks", W::Marks, Number, Position, N::Cells, T::Nothing),
        ("other-marks", W::OtherMarks, Number, Position, N::Cells, T::Nothing),
        ("complete-lines", W::CompleteLines, Number, Position, N::Lines, T::Nothing),
        ("mobility", W::Mobility, Number, Position, N::Nothing, T::Nothing),
        ("first", W::First, Flag, Position, N::Nothing, T::Nothing),
        ("corner", W::Corner, Flag, Move, N::Cells, T::Nothing),
        ("edge", W::Edge, Flag, Move, N::Cells, T::Nothing),
        ("border", W::Border, Flag, Move, N::Cells, T::Nothing),
        ("interior", W::Interior, Flag, Move, N::Cells, T::Nothing),
        ("centre", W::Centre, Flag, Move, N::Cells, T::Nothing),
        ("inside", W::Inside, Flag, Move, N::Cells, T::Nothing),
        ("cell", W::Cell, Flag, Move, N::Cells, T::Cell),
        ("in", W::In, Flag, Move, N::Cells, T::Region),
        ("column", W::Column, Number, Move, N::Cells, T::Nothing),
        ("row", W::Row, Number, Move, N::Cells, T::Nothing),
        ("mark", W::Mark, Number, Move, N::Cells, T::Nothing),
        ("degree", W::Degree, Number, Move, N::Cells, T::Nothing),
        ("distance", W::Distance, Number, Move, N::Cells, T::Target),
        ("beside", W::Beside, Number, Move, N::Cells, T::Target),
        ("same-column", W::SameColumn, Flag, Move, N::Cells, T::Nothing),
        ("same-row", W::SameRow, Flag, Move, N::Cells, T::Nothing),
        ("places", W::Places, Flag, Move, N::Cells, T::Nothing),
        ("takes", W::Takes, Flag, Move, N::Cells, T::Nothing),
        ("lines", W::Lines, Number, Move, N::Lines, T::Nothing),
        ("open", W::Open, Number, Move, N::Lines, T::Count),
        ("cuts", W::Cuts, Number, Move, N::Lines, T::Count),
        ("line", W::Line, Number, Move, N::Lines, T::Nothing),
        ("cut", W::Cut, Number, Move, N::Lines, T::Nothing),
        ("directions", W::Directions, Number, Move, N::Lines, T::Count),
        ("completes", W::Completes, Flag, Move, N::Lines, T::Nothing),
        ("blocks", W::Blocks, Flag, Move, N::Lines, T::Nothing),
        ("threats", W::Threats, Number, Move, N::Lines, T::Nothing),
        ("fork", W::Fork, Flag, Move, N::Lines, T::Nothing),
        ("leaves", W::Leaves, Number, Move, N::Lines, T::Nothing),
        ("forks-left", W::ForksLeft, Number, Move, N::Lines, T::Nothing),
        ("run", W::Run, Number, Move, N::Cells, T::Nothing),
        ("extensions", W::Extensions, Number, Move, N::Cells, T::Nothing),
        ("extends", W::Extends, Flag, Move, N::Lines, T::Nothing),
        ("answers", W::Answers, Flag, Move, N::Cells, T::Pairing),
        ("answers-last", W::AnswersLast, Flag, Move, N::Cells, T::Pairing),
        ("wins", W::Wins, Flag, Move, N::Nothing, T::Nothing),
        ("loses", W::Loses, Flag, Move, N::Nothing, T::Nothing),
        ("lets-win", W::LetsWin, Flag, Move, N::Nothing, T::Nothing),
        ("replies", W::Replies, Number, Move, N::Nothing, T::Nothing),
    ]
};

/// A target of `distance` and `beside`.
pub(super) const TARGETS: [(&str, Target); 5] = [
    ("last", Target::Last),
    ("centre", Target::Centre),
    ("own", Target::Own),
    ("other", Target::Other),
    ("any", Target::Any),
];
