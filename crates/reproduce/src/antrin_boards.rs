//! Boards of the first phase of Antrin in the notation of Vaki's thesis: operators, encodings, unique boards, weights.

use super::Finding;
use super::antrin::antrin;
use agon_core::{Ctx, Game};
use agon_report::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};

/// A board in the order of the thesis: b2, a1, c1, c3, a3, b1, c2, b3, a2; 0 is empty, 1 and 2 are the players.
type Array = [u8; 9];
/// The cell to which the token of each cell moves.
type Operator = [usize; 9];

const CELLS: [&str; 9] = ["b2", "a1", "c1", "c3", "a3", "b1", "c2", "b3", "a2"];

/// An operator, given by its effect on the column (0 to 2 from the left) and the row (0 to 2 from the top).
fn operator(moved: fn(i32, i32) -> (i32, i32)) -> Operator {
    std::array::from_fn(|cell| {
        let name = CELLS[cell].as_bytes();
        let (x, y) = moved(i32::from(name[0] - b'a'), i32::from(name[1] - b'1'));
        let there = format!("{}{}", char::from(b'a' + x as u8), y + 1);
        CELLS.iter().position(|name| *name == there).expect("operators stay on the board")
    })
}

fn rotation() -> Operator {
    operator(|x, y| (2 - y, x))
}

/// The vertical, horizontal, upward and downward mirrors.
fn mirrors() -> [(&'static str, Operator); 4] {
    [
        ("vertical", operator(|x, y| (2 - x, y))),
        ("horizontal", operator(|x, y| (x, 2 - y))),
        ("upward", operator(|x, y| (2 - y, 2 - x))),
        ("downward", operator(|x, y| (y, x))),
    ]
}

fn then(first: &Operator, second: &Operator) -> Operator {
    std::array::from_fn(|cell| second[first[cell]])
}

fn apply(operator: &Operator, board: &Array) -> Array {
    let mut image = [0; 9];
    (0..9).for_each(|cell| image[operator[cell]] = board[cell]);
    image
}

/// The group that the generators generate.
fn closure(generators: &[Operator]) -> BTreeSet<Operator> {
    let mut found = BTreeSet::from([std::array::from_fn(|cell| cell)]);
    loop {
        let more: Vec<Operator> = found.iter().flat_map(|a| generators.iter().map(|g| then(a, g))).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

pub(super) fn operators(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let all: Vec<Operator> = mirrors().into_iter().map(|(_, m)| m).chain([rotation()]).collect();
    let whole = closure(&all);
    let enough = |(_, mirror): &(&str, Operator)| closure(&[rotation(), *mirror]) == whole;
    let each = mirrors().iter().all(enough);
    let alone = closure(&[rotation()]).len();
    let computed = if each && alone < whole.len() { "rotations and one mirror" } else { "another set" };
    let note = format!(
        "the thesis offers evidence; this is a proof: R1 together with any one of the four mirrors closes to the same \
         {} permutations of the nine cells (the symmetries of the square), R1 alone to {alone}",
        whole.len()
    );
    Ok(Finding::compare(claimed, computed, note))
}

const LINES: [[&str; 3]; 6] = [
    ["a1", "b1", "c1"],
    ["a2", "b2", "c2"],
    ["a3", "b3", "c3"],
    ["a1", "a2", "a3"],
    ["b1", "b2", "b3"],
    ["c1", "c2", "c3"],
];

fn has_line(board: &Array, player: u8) -> bool {
    let at = |name: &str| CELLS.iter().position(|cell| *cell == name).is_some_and(|cell| board[cell] == player);
    LINES.iter().any(|line| line.iter().all(|name| at(name)))
}

fn wins(board: &Array) -> bool {
    has_line(board, 1) || has_line(board, 2)
}

/// The algorithm of section 6.2: the unique boards of each step with their weights. With `only_open`, won boards are not
/// extended.
fn unique(group: &BTreeSet<Operator>, only_open: bool) -> Vec<BTreeMap<Array, u64>> {
    let mut steps: Vec<BTreeMap<Array, u64>> = vec![BTreeMap::from([([0; 9], 1)])];
    for step in 0..6 {
        let player = 1 + step % 2;
        let mut next: BTreeMap<Array, u64> = BTreeMap::new();
        for (board, weight) in steps[steps.len() - 1].iter().filter(|(board, _)| !(only_open && wins(board))) {
            for cell in (0..9).filter(|&cell| board[cell] == 0) {
                let mut new = *board;
                new[cell] = player;
                let known = group.iter().map(|g| apply(g, &new)).find(|image| next.contains_key(image));
                *next.entry(known.unwrap_or(new)).or_default() += weight;
            }
        }
        steps.push(next);
    }
    steps.remove(0);
    steps
}

fn full_group() -> BTreeSet<Operator> {
    closure(&[rotation(), mirrors()[3].1])
}

/// Every board with the given numbers of tokens.
fn boards(ones: usize, twos: usize) -> Vec<Array> {
    let digits = |n: usize| -> Array { std::array::from_fn(|cell| (n / 3usize.pow(cell as u32) % 3) as u8) };
    let count = |board: &Array, player: u8| board.iter().filter(|&&token| token == player).count();
    (0..3usize.pow(9)).map(digits).filter(|b| count(b, 1) == ones && count(b, 2) == twos).collect()
}

/// The number of orbits by Burnside's lemma: the mean number of fixed boards over the group.
fn burnside(group: &BTreeSet<Operator>, boards: &[Array]) -> usize {
    let fixed = |g: &Operator| boards.iter().filter(|board| apply(g, board) == **board).count();
    group.iter().map(fixed).sum::<usize>() / group.len()
}

fn listed(numbers: impl IntoIterator<Item = u64>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

pub(super) fn step_totals(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin(",early=ignored");
    let counts = agon_solve::perft::perft(&game, &game.start(), 6, ctx)?;
    let distinct: Vec<u64> = (1..=6usize).map(|n| boards(n.div_ceil(2), n / 2).len() as u64).collect();
    let note = format!("these are orders of placing, not boards: of boards there are {}", listed(distinct));
    Ok(Finding::compare(claimed, listed(counts), note))
}

pub(super) fn boards_in_phase_one(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let sixth = boards(3, 3).len() as u64;
    let note = "60,480 counts the orders in which six tokens can be placed; each board of six arises in 36 orders";
    Ok(Finding::compare(claimed, sixth.to_string(), note).corrected_if(sixth * 36 == 60_480))
}

pub(super) fn unique_boards(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let group = full_group();
    let found: Vec<u64> = unique(&group, false).iter().map(|step| step.len() as u64).collect();
    let by_burnside: Vec<u64> = (1..=6usize).map(|n| burnside(&group, &boards(n.div_ceil(2), n / 2)) as u64).collect();
    if found != by_burnside {
        return Err(Failure::Failed(format!("the algorithm gives {found:?}, Burnside's lemma {by_burnside:?}")));
    }
    Ok(Finding::compare(claimed, listed(found), "by the thesis's algorithm and by Burnside's lemma"))
}

/// The unique boards with their weights, winning and other.
fn split(step: &BTreeMap<Array, u64>) -> [(usize, u64); 2] {
    [true, false].map(|won| {
        let part = step.iter().filter(|(board, _)| wins(board) == won);
        (part.clone().count(), part.map(|(_, weight)| weight).sum())
    })
}

pub(super) fn weights(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let steps = unique(&full_group(), false);
    let show = |step: usize| {
        let [won, open] = split(&steps[step - 1]);
        format!("{}/{} and {}/{}", won.0, won.1, open.0, open.1)
    };
    let totals = listed(steps.iter().map(|step| step.values().sum()));
    Ok(Finding::compare(claimed, format!("{}; {}", show(5), show(6)), format!("weights add up to {totals}")))
}

pub(super) fn stopped_at_wins(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let steps = unique(&full_group(), true);
    let [won, open] = split(&steps[5]);
    let computed = format!("{} = {} + {}", won.0 + open.0, won.0, open.0);
    let note = format!("when won boards are not extended; weights {} + {}", won.1, open.1);
    Ok(Finding::compare(claimed, computed, note))
}

pub(super) fn winners(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let steps = unique(&full_group(), false);
    let count = |step: usize, one: bool, two: bool| {
        steps[step - 1].keys().filter(|b| has_line(b, 1) == one && has_line(b, 2) == two).count()
    };
    let (fifth, only_one, only_two, both) =
        (count(5, true, false), count(6, true, false), count(6, false, true), count(6, true, true));
    let first = fifth + only_one + both;
    let computed = format!("{first}, {only_two}, {}", first + only_two);
    let note = format!(
        "step six has {} winning boards: {only_one} for player one alone, {only_two} for player two alone, {both} with \
         lines of both, which the thesis books under player one, together with the {fifth} of step five",
        only_one + only_two + both
    );
    Ok(Finding::compare(claimed, computed, note))
}

/// The operators with their names in the thesis: three rotations, and the four mirrors of section 5.1.
fn named() -> Vec<(&'static str, Operator)> {
    let once = rotation();
    let twice = then(&once, &once);
    let [vertical, horizontal, upward, downward] = mirrors().map(|(_, mirror)| mirror);
    vec![
        ("R1", once),
        ("R2", twice),
        ("R3", then(&twice, &once)),
        ("VM", vertical),
        ("HM", horizontal),
        ("UM", upward),
        ("DM", downward),
    ]
}

/// An operator in cycle notation, such as `(a1 c1 c3 a3)`; fixed cells are left out.
fn cycles(operator: &Operator) -> String {
    let mut seen = [false; 9];
    let mut out = String::new();
    for cell in 0..9 {
        let (mut cycle, mut at) = (Vec::new(), cell);
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(CELLS[at]);
            at = operator[at];
        }
        if cycle.len() > 1 {
            out.push_str(&format!("({})", cycle.join(" ")));
        }
    }
    out
}

pub(super) fn encoding(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let kinds: [&[usize]; 3] = [&[0], &[1, 2, 3, 4], &[5, 6, 7, 8]];
    let stays = |g: &Operator| kinds.iter().all(|kind| kind.iter().all(|&cell| kind.contains(&g[cell])));
    let computed = if named().iter().all(|(_, g)| stays(g)) { claimed } else { "cells change their kind" };
    let shown: Vec<String> = named().iter().map(|(name, g)| format!("{name} = {}", cycles(g))).collect();
    let note = format!(
        "array b2, a1, c1, c3, a3, b1, c2, b3, a2; grid a1 b1 c1 / a2 b2 c2 / a3 b3 c3. {}. R1 takes each cell of the \
         array to the next of its kind",
        shown.join(", ")
    );
    Ok(Finding::compare(claimed, computed, note))
}

pub(super) fn rejections(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let operators = named();
    let get = |name: &str| operators.iter().find(|(known, _)| *known == name).map_or([0; 9], |(_, g)| *g);
    let made = |goal: &str, a: &str, b: &str| -> Option<String> {
        let ways = [(a, b), (b, a)].into_iter().filter(|(a, b)| then(&get(a), &get(b)) == get(goal));
        let ways: Vec<String> = ways.map(|(a, b)| format!("{a} then {b}")).collect();
        (!ways.is_empty()).then(|| format!("{goal} is {}", ways.join(", and ")))
    };
    let found = [made("HM", "R1", "DM"), made("VM", "R1", "DM"), made("UM", "DM", "R2")];
    let computed = if found.iter().all(Option::is_some) { claimed } else { "not all of them" };
    let note = format!(
        "for every board, not the examples alone: {}",
        found.into_iter().flatten().collect::<Vec<_>>().join("; ")
    );
    Ok(Finding::compare(claimed, computed, note))
}

pub(super) fn rotations_alone(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let turned = closure(&[rotation()]);
    let alone = mirrors().iter().any(|(_, mirror)| turned.contains(mirror));
    let count = |only_open| listed(unique(&turned, only_open).iter().map(|step| step.len() as u64));
    let computed = if alone { "rotation can stand alone" } else { "rotation cannot stand alone" };
    let note = format!(
        "no mirror is a rotation; with rotations alone the unique boards would be {}, or {} when won boards are not \
         played on",
        count(false),
        count(true)
    );
    Ok(Finding::compare(claimed, computed, note))
}

pub(super) fn second_step(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let group = full_group();
    let mut words = Vec::new();
    for (name, first) in [("corner", 1), ("middle", 5), ("centre", 0)] {
        let mut board = [0; 9];
        board[first] = 1;
        let keep: Vec<&Operator> = group.iter().filter(|g| apply(g, &board) == board).collect();
        let orbit = |cell: usize| keep.iter().map(|g| g[cell]).collect::<BTreeSet<usize>>();
        let orbits: BTreeSet<BTreeSet<usize>> = (0..9).filter(|&cell| cell != first).map(orbit).collect();
        let times = (group.len() / keep.len()) as u64;
        words.push(format!("{name} {}: {}", orbits.len(), 8 * times));
    }
    Ok(Finding::compare(
        claimed,
        words.join(", "),
        "replies to each first token that differ, and all boards of two tokens",
    ))
}

pub(super) fn winning_lines(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let written =
        |line: &[&str; 3]| -> String { CELLS.iter().map(|cell| if line.contains(cell) { '1' } else { '0' }).collect() };
    let group = full_group();
    let arrays: Vec<Array> = LINES.iter().map(|line| CELLS.map(|cell| u8::from(line.contains(&cell)))).collect();
    let same = |a: &Array| group.iter().map(|g| apply(g, a)).min();
    let classes: BTreeSet<Option<Array>> = arrays.iter().map(same).collect();
    let note = format!(
        "as arrays: {}; {} up to symmetry, through the centre and along an edge",
        LINES.iter().map(written).collect::<Vec<_>>().join(" "),
        classes.len()
    );
    Ok(Finding::compare(claimed, arrays.len().to_string(), note))
}
