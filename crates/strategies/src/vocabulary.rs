//! The words of the language, as one list: names, what they speak of, and how they read in English.

use crate::board::{Table, mates};
use agon_core::Game;
use agon_core::features::{Extra, Features, Sort, Subject};
use std::fmt::Write as _;

/// The argument that a feature takes in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// No argument.
    None,
    /// A number of marks, 0 to 8.
    Number,
    /// One of [`TARGETS`].
    Target,
    /// The name of a cell.
    Cell,
    /// The name of a region of the strategy.
    Region,
    /// One of [`PAIRINGS`], or the name of a pairing of the strategy.
    Pairing,
}

/// The requirement of a feature on the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The rules alone.
    Rules,
    /// Cells.
    Cells,
    /// Cells, and lines of them.
    Lines,
}

/// A feature of every game that has what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// The word.
    pub name: &'static str,
    /// Yes or no, or a number.
    pub sort: Sort,
    /// Of a position, or of a move.
    pub subject: Subject,
    /// The argument in parentheses.
    pub argument: Argument,
    /// The requirement on the game.
    pub needs: Needs,
    /// A clause for a flag, a noun for a number; `{}` stands for the argument.
    pub says: &'static str,
    pub(crate) word: Word,
}

/// A target that cells can be near to.
pub const TARGETS: [(&str, &str); 5] = [
    ("last", "the cell of the opponent's last move"),
    ("centre", "the centre"),
    ("own", "a mark like the one placed"),
    ("other", "a mark of another kind"),
    ("any", "a mark"),
];

/// Pairings that every board has, with what they pair.
pub const PAIRINGS: [(&str, &str); 5] = [
    ("half-turn", "cells that a half-turn of the board exchanges"),
    ("left-right", "cells that lie opposite each other, left and right"),
    ("top-bottom", "cells that lie opposite each other, top and bottom"),
    ("border", "cells of the border that lie straight opposite each other, and opposite corners"),
    ("claimeven", "a cell of an odd row and the cell above it"),
];

/// The value to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
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
}

macro_rules! features {
    ($($name:literal $sort:ident $subject:ident $argument:ident $needs:ident $word:ident $says:literal;)*) => {
        [$(Feature {
            name: $name,
            sort: Sort::$sort,
            subject: Subject::$subject,
            argument: Argument::$argument,
            needs: Needs::$needs,
            says: $says,
            word: Word::$word,
        }),*]
    };
}

/// Every feature, in the order of the documentation.
pub const FEATURES: [Feature; 46] = features! {
    // Positions.
    "filled" Number Position None Cells Filled "the number of filled cells";
    "empty" Number Position None Cells Empty "the number of empty cells";
    "marks" Number Position None Cells Marks "the number of marks of the side to move";
    "other-marks" Number Position None Cells OtherMarks "the number of marks of the opponent";
    "complete-lines" Number Position None Lines CompleteLines "the number of complete lines";
    "mobility" Number Position None Rules Mobility "the number of legal moves";
    "first" Flag Position None Rules First "the first player is to move";
    // Cells.
    "corner" Flag Move None Cells Corner "the cell is a corner";
    "edge" Flag Move None Cells Edge "the cell lies on the border and is not a corner";
    "border" Flag Move None Cells Border "the cell lies on the border";
    "interior" Flag Move None Cells Interior "the cell does not lie on the border";
    "centre" Flag Move None Cells Centre "the cell lies in the centre";
    "inside" Flag Move None Cells Inside "the cell belongs to the board in question";
    "cell" Flag Move Cell Cells Cell "the cell is {}";
    "in" Flag Move Region Cells In "the cell lies in {}";
    "column" Number Move None Cells Column "the column, counted from the left";
    "row" Number Move None Cells Row "the row, counted from the bottom";
    "mark" Number Move None Cells Mark "the number of the mark placed";
    "degree" Number Move None Cells Degree "the number of cells next to the cell";
    "distance" Number Move Target Cells Distance "the distance to {}";
    "beside" Number Move Target Cells Beside "the number of cells next to it that are {}";
    "same-column" Flag Move None Cells SameColumn "the cell lies in the column of the opponent's last move";
    "same-row" Flag Move None Cells SameRow "the cell lies in the row of the opponent's last move";
    "places" Flag Move None Cells Places "the move puts a new mark on the board";
    "takes" Flag Move None Cells Takes "the move takes a mark from the board";
    // Lines.
    "lines" Number Move None Lines Lines "the number of lines through the cell";
    "open" Number Move Number Lines Open "the number of lines through the cell with {} marks like the one placed and no others";
    "cuts" Number Move Number Lines Cuts "the number of lines through the cell with {} marks of one other kind and nothing else";
    "line" Number Move None Lines Line "the most marks like the one placed in an open line through the cell";
    "cut" Number Move None Lines Cut "the most marks of one other kind in a line through the cell that the move closes to them";
    "directions" Number Move Number Lines Directions "the number of directions with an open line of at least {} marks like the one placed";
    "completes" Flag Move None Lines Completes "the move completes a line";
    "blocks" Flag Move None Lines Blocks "the move fills the gap in a line of another mark that lacks only this cell";
    "threats" Number Move None Lines Threats "the number of cells in which the mark placed could complete a line next";
    "fork" Flag Move None Lines Fork "the mark placed could then complete a line in two cells";
    "leaves" Number Move None Lines Leaves "the number of cells in which the opponent could complete a line next";
    "forks-left" Number Move None Lines ForksLeft "the number of replies that make a fork and leave you no line to complete";
    "run" Number Move None Cells Run "the longest row of neighbouring equal marks through the cell after the move";
    "extensions" Number Move None Cells Extensions "the number of empty cells at the ends of that row";
    "extends" Flag Move None Lines Extends "the move puts the mark of a complete line at one of its ends";
    // Answers.
    "answers" Flag Move Pairing Cells Answers "the move answers a mark in the paired cell ({})";
    "answers-last" Flag Move Pairing Cells AnswersLast "the cell is paired with that of the opponent's last move ({})";
    // One or two plies of play.
    "wins" Flag Move None Rules Wins "the move wins";
    "loses" Flag Move None Rules Loses "the move ends the game in a loss";
    "lets-win" Flag Move None Rules LetsWin "some reply to it wins";
    "replies" Number Move None Rules Replies "the number of legal replies";
};

/// A feature with its argument, ready to be used in a rule of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Phrase {
    /// Its name.
    pub name: &'static str,
    /// Its argument.
    pub argument: Option<String>,
    /// Yes or no, or a number.
    pub sort: Sort,
    /// Of a position, or of a move.
    pub subject: Subject,
    /// In English.
    pub says: String,
    /// The cost in bits of naming it among all features of the game and the values of its argument.
    pub bits: f64,
}

/// Everything that a rule can say about a game on its whole board: features with every value of their arguments.
/// Regions and pairings that a strategy declares itself are not among them.
pub fn vocabulary<G: Game>(features: &dyn Features<G>) -> Vec<Phrase> {
    phrases(features.boards().first().map(Table::new).as_ref(), features.extras())
}

/// Everything that a rule can say about this board.
pub(crate) fn phrases(board: Option<&Table>, extras: &[Extra]) -> Vec<Phrase> {
    let usable: Vec<&Feature> = FEATURES.iter().filter(|feature| has(board, feature.needs)).collect();
    let names = (usable.len() + extras.len()).max(1) as f64;
    let mut phrases = Vec::new();
    for feature in usable {
        let Some(arguments) = arguments(feature.argument, board) else { continue };
        let bits = names.log2() + (arguments.len() as f64).log2();
        phrases.extend(arguments.into_iter().map(|argument| Phrase {
            name: feature.name,
            says: says(feature, argument.as_deref()),
            argument,
            sort: feature.sort,
            subject: feature.subject,
            bits,
        }));
    }
    phrases.extend(extras.iter().map(|extra| Phrase {
        name: extra.name,
        argument: None,
        sort: extra.sort,
        subject: extra.subject,
        says: extra.says.to_string(),
        bits: names.log2(),
    }));
    phrases
}

/// The feature in English, with its argument.
pub(crate) fn says(feature: &Feature, argument: Option<&str>) -> String {
    let Some(argument) = argument else { return feature.says.to_string() };
    let named = |list: &[(&str, &'static str)]| list.iter().find(|(name, _)| *name == argument).map(|(_, says)| *says);
    let words = match feature.argument {
        Argument::Target if feature.name == "beside" => beside(argument),
        Argument::Target => named(&TARGETS),
        Argument::Pairing => named(&PAIRINGS),
        _ => None,
    };
    feature.says.replace("{}", words.unwrap_or(argument))
}

fn beside(target: &str) -> Option<&'static str> {
    Some(match target {
        "last" => "that of the opponent's last move",
        "centre" => "in the centre",
        "own" => "filled with the mark placed",
        "other" => "filled with another mark",
        "any" => "filled",
        _ => return None,
    })
}

/// Returns whether a board has what a feature needs.
pub(crate) fn has(board: Option<&Table>, needs: Needs) -> bool {
    match needs {
        Needs::Rules => true,
        Needs::Cells => board.is_some(),
        Needs::Lines => board.is_some_and(|board| !board.rows.is_empty()),
    }
}

/// The values that an argument can have; `None` if there is none.
fn arguments(argument: Argument, board: Option<&Table>) -> Option<Vec<Option<String>>> {
    let some = |words: Vec<String>| (!words.is_empty()).then(|| words.into_iter().map(Some).collect());
    match argument {
        Argument::None => Some(vec![None]),
        Argument::Number => some((0..board?.longest()).map(|n| n.to_string()).collect()),
        Argument::Target => some(TARGETS.iter().map(|(name, _)| name.to_string()).collect()),
        Argument::Cell => some(board?.names()),
        Argument::Region => None,
        Argument::Pairing => {
            let board = board?;
            let real =
                PAIRINGS.iter().filter(|(name, _)| mates(board, name).is_some_and(|m| m.iter().any(Option::is_some)));
            some(real.map(|(name, _)| name.to_string()).collect())
        }
    }
}

/// A word that strategies for a game can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The word, with a placeholder for its argument: `extend(N)`.
    pub word: String,
    /// Yes or no, or a number.
    pub sort: Sort,
    /// Of a position, or of a move.
    pub subject: Subject,
    /// In English.
    pub says: String,
}

/// The words for the first board of a game, one entry for each feature whatever its argument.
pub fn words<G: Game>(features: &dyn Features<G>) -> Vec<Entry> {
    let board = features.boards().first().map(Table::new);
    let usable = FEATURES.iter().filter(|feature| {
        let names = || arguments(feature.argument, board.as_ref()).is_some();
        has(board.as_ref(), feature.needs) && (feature.argument == Argument::Region || names())
    });
    let extra = |extra: &Extra| Entry {
        word: extra.name.to_string(),
        sort: extra.sort,
        subject: extra.subject,
        says: extra.says.to_string(),
    };
    usable.map(entry).chain(features.extras().iter().map(extra)).collect()
}

fn entry(feature: &Feature) -> Entry {
    let argument = match feature.argument {
        Argument::None => "",
        Argument::Number => "(N)",
        Argument::Target => "(TARGET)",
        Argument::Cell => "(CELL)",
        Argument::Region => "(REGION)",
        Argument::Pairing => "(PAIRING)",
    };
    let says = feature.says.replace("{}", argument.trim_matches(['(', ')']));
    Entry { word: format!("{}{argument}", feature.name), sort: feature.sort, subject: feature.subject, says }
}

/// The list of features as tables for a page.
#[must_use]
pub fn reference() -> String {
    let sort = |sort: Sort| if sort == Sort::Flag { "yes or no" } else { "number" };
    let mut out = String::new();
    for (subject, title) in [(Subject::Position, "Features of a position"), (Subject::Move, "Features of a move")] {
        let _ = writeln!(out, "\n**{title}**\n\n| word | is | meaning |\n|---|---|---|");
        for feature in FEATURES.iter().filter(|feature| feature.subject == subject) {
            let Entry { word, says, .. } = entry(feature);
            let _ = writeln!(out, "| `{word}` | {} | {says} |", sort(feature.sort));
        }
    }
    for (title, list) in [("TARGET", &TARGETS), ("PAIRING", &PAIRINGS)] {
        let _ = writeln!(out, "\n| {title} | meaning |\n|---|---|");
        list.iter().for_each(|(name, says)| {
            let _ = writeln!(out, "| `{name}` | {says} |");
        });
    }
    out
}
