//! Document 004: Beljaards on Tak, chapters 2 to 5.

use super::{Finding, Item, Verdict, item, long_double};
use agon_core::{Ctx, Family, Game, Notation, Symmetric, Wdl, collect_moves};
use agon_games::tak::branching::{self, FIGURE_3X3, FIGURE_5X5, FIGURE_8X8, FIGURES};
use agon_games::tak::counts::{self, Material};
use agon_games::tak::{Position, Tak};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use agon_solve::forced;
use num_bigint::BigUint;
use std::collections::BTreeSet;

const RULES: &str = "Beljaards, chapter 2";
const BRANCHING: &str = "Beljaards, section 4.1";
const STATES: &str = "Beljaards, Table 4.1";
const SYMMETRY: &str = "Beljaards, Table 5.1";

const EQUATION: &str = "equation 4.12 in exact integers, the four inner sums written out";
const GENERATED: &str = "the legal moves of the position, listed";
const ENUMERATED: &str = "every position after one and two plies, up to symmetry";

pub(super) static ITEMS: &[Item] = &[
    item(
        "004/reserves",
        RULES,
        "Stones and capstones a side, 3×3 to 8×8",
        "10+0 15+0 21+1 30+1 40+2 50+2",
        "the start positions of agon",
        Verdict::Reproduced,
        reserves,
    ),
    item(
        "004/eq-4.1",
        BRANCHING,
        "A stack of h stones with room all round moves in 4·(2^h − 1) ways; h = 1 to 4",
        "4 12 28 60",
        "a stack in the middle of an otherwise empty board, moves listed",
        Verdict::Reproduced,
        open_stacks,
    ),
    item(
        "004/eq-4.2",
        BRANCHING,
        "With s free squares a stack of h stones moves one way in Σ C(min(h, m, n), i) ways, i = 1 to s; 8×8, h = 5, s = 1 to 5",
        "5 15 25 30 31",
        "such a stack with a wall behind s squares, moves listed; all h and s, and rectangular boards",
        Verdict::Reproduced,
        walled_stacks,
    ),
    item(
        "004/eq-4.4",
        BRANCHING,
        "A stack of at least n stones on an open n×n board moves in 2^(n+1) − 4 ways wherever it stands; n = 3 to 8",
        "12 28 60 124 252 508",
        "such a stack on every square of every board, moves listed",
        Verdict::Reproduced,
        full_stacks,
    ),
    item(
        "004/worst-3x3",
        BRANCHING,
        "Most moves on 3×3",
        "71",
        "every board of 3×3, by what each square is to the mover; and a position",
        Verdict::Reproduced,
        worst_3x3,
    ),
    item(
        "004/worst-5x5",
        BRANCHING,
        "A position of 5×5 with 528 moves",
        "528",
        GENERATED,
        Verdict::Reproduced,
        worst_5x5,
    ),
    item(
        "004/worst-5x5-caption",
        BRANCHING,
        "The eight stacks of the 5×5 board are six high",
        "8 stacks of height 6",
        "pieces needed against pieces there are",
        Verdict::Corrected,
        caption_5x5,
    ),
    item(
        "004/worst-8x8",
        BRANCHING,
        "A position of 8×8 with 6,304 moves",
        "6,304",
        GENERATED,
        Verdict::Reproduced,
        worst_8x8,
    ),
    item(
        "004/best-case",
        BRANCHING,
        "Fewest moves: two on small boards, one where only a capstone is left",
        "2 1",
        GENERATED,
        Verdict::Reproduced,
        fewest,
    ),
    item(
        "004/eq-4.5",
        "Beljaards, section 4.2",
        "Arrangements of white and black flats in stacks: 2 and 2 on four squares, 3 and 1 on five, 4 and 4 on two",
        "210 280 630",
        "every board listed",
        Verdict::Reproduced,
        arrangements,
    ),
    item(
        "004/states-3x3",
        STATES,
        "Upper bound for the positions of 3×3",
        "96317109784544",
        EQUATION,
        Verdict::Reproduced,
        |_, c| Ok(states(3, c)),
    ),
    item(
        "004/states-4x4",
        STATES,
        "Upper bound for the positions of 4×4",
        "186068001400694400139264",
        EQUATION,
        Verdict::Corrected,
        |_, c| Ok(states(4, c)),
    ),
    item(
        "004/states-5x5",
        STATES,
        "Upper bound for the positions of 5×5",
        "17373764696009420302734166749679190016",
        EQUATION,
        Verdict::Corrected,
        |_, c| Ok(states(5, c)),
    ),
    item(
        "004/states-6x6",
        STATES,
        "Upper bound for the positions of 6×6",
        "234953877228339135788770198553992010653918615167827968",
        EQUATION,
        Verdict::Corrected,
        |_, c| Ok(states(6, c)),
    ),
    item(
        "004/states-7x7",
        STATES,
        "Upper bound for the positions of 7×7",
        "128700537923578263555452692444323607426853504501698758061991500643148234752",
        EQUATION,
        Verdict::Corrected,
        |_, c| Ok(states(7, c)),
    ),
    item(
        "004/states-8x8",
        STATES,
        "Upper bound for the positions of 8×8",
        "5557739736452234730714699067184608881329144653051408090385851751655184141794216390133861580800",
        EQUATION,
        Verdict::Corrected,
        |_, c| Ok(states(8, c)),
    ),
    item(
        "004/states-rounded",
        STATES,
        "The same to six digits, 3×3 to 8×8",
        "9.63171e13 1.86068e23 1.73738e37 2.34954e53 1.28701e74 5.55774e93",
        EQUATION,
        Verdict::Reproduced,
        states_rounded,
    ),
    item(
        "004/first-plies",
        SYMMETRY,
        "Positions after the first ply up to symmetry, 3×3 to 8×8",
        "3 3 6 6 10 10",
        ENUMERATED,
        Verdict::Reproduced,
        |_, c| plies(c, 1),
    ),
    item(
        "004/second-plies",
        SYMMETRY,
        "Positions after the second ply up to symmetry, 3×3 to 8×8",
        "12 33 85 165 315 518",
        ENUMERATED,
        Verdict::Reproduced,
        |_, c| plies(c, 2),
    ),
    item(
        "004/3x3-value",
        "Beljaards, section 6.1",
        "As determined by game tree search, 3×3 is won by White",
        "White wins",
        "agon solve tak:3",
        Verdict::Reproduced,
        three_by_three,
    ),
];

fn reserves(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let of = |n| {
        let (flats, capstones) = Tak::new(n, n).reserves();
        format!("{flats}+{capstones}")
    };
    Ok(Finding::compare(claimed, (3..=8).map(of).collect::<Vec<_>>().join(" "), ""))
}

/// The numbers of slides of a white stack of `h` stones on each square of a board that is empty except for one black flat
/// out of its way.
fn stack_slides(n: usize, h: usize) -> Result<BTreeSet<usize>, Failure> {
    let game = Tak::new(n, n);
    let mut found = BTreeSet::new();
    for cell in 0..n * n {
        // The black flat stands off the row and column of the stack.
        let away = (0..n * n).find(|c| c / n != cell / n && c % n != cell % n).unwrap_or(0);
        let square = |c: usize| match c {
            c if c == cell => "1".repeat(h),
            c if c == away => "2".to_string(),
            _ => "x".to_string(),
        };
        let row = |y: usize| (0..n).map(|x| square(y * n + x)).collect::<Vec<_>>().join(",");
        let board = (0..n).map(row).collect::<Vec<_>>().join("/");
        let pos = game.parse(&format!("{board} 1 9"))?;
        found.insert(collect_moves(&game, &pos).iter().filter(|mv| mv.piece().is_none()).count());
    }
    Ok(found)
}

fn joined(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
}

fn open_stacks(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    // On 8×8 a stack of up to three stones has three squares in every direction from the centre, so the maximum is the
    // unobstructed number.
    let most = |h| Ok(stack_slides(8, h)?.into_iter().max().unwrap_or(0));
    let found = (1..=3).map(most).collect::<Result<Vec<_>, Failure>>()?;
    let last = counts::open_slides(4);
    let agree = found.iter().zip(1..).all(|(&n, h)| BigUint::from(n) == counts::open_slides(h));
    let note = if agree {
        "counted for h = 1 to 3; four stones would need four free squares each way, that is, a 9×9 board, so their number is computed"
    } else {
        "the equation disagrees with the moves listed"
    };
    Ok(Finding::compare(claimed, format!("{} {last}", joined(found)), note))
}

/// The slides to the right of `h` white stones at the left edge, with a wall after `s` free squares.
fn walled_slides(columns: usize, rows: usize, h: usize, s: usize) -> Result<usize, Failure> {
    let game = Tak::new(columns, rows).with_reserves(40, 0);
    let square = |x: usize| match x {
        0 => "1".repeat(h),
        x if x == s + 1 => "2S".to_string(),
        _ => "x".to_string(),
    };
    let first: Vec<String> = (0..columns).map(square).collect();
    let rest = format!("/x{columns}").repeat(rows - 1);
    let pos = game.parse(&format!("{}{rest} 1 30", first.join(",")))?;
    let right = |mv: &&agon_games::tak::Move| mv.piece().is_none() && mv.direction() == 2;
    Ok(collect_moves(&game, &pos).iter().filter(right).count())
}

fn walled_stacks(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let found = (1..=5).map(|s| walled_slides(8, 8, 5, s)).collect::<Result<Vec<_>, _>>()?;
    let mut agree = true;
    for (columns, rows) in [(3, 3), (5, 5), (8, 8), (8, 3), (6, 4)] {
        for (h, s) in (1..=9).flat_map(|h| (0..columns - 1).map(move |s| (h, s))) {
            // Without a wall the slide ends at the edge.
            let ways = counts::slides(h as u32, columns.min(rows) as u32, s as u32);
            agree &= BigUint::from(walled_slides(columns, rows, h, s)?) == ways;
        }
    }
    let note =
        if agree { "the same for all h up to 9 and all s on 3×3, 5×5, 8×8, 8×3 and 6×4" } else { "not always" };
    Ok(Finding::compare(claimed, if agree { joined(found) } else { note.to_string() }, note))
}

/// Every distribution of the remaining stones over the remaining squares, one stack at a time.
fn boards(squares: u32, left: [u32; 2], board: &mut Vec<String>, all: &mut BTreeSet<String>) {
    if squares == 0 {
        if left == [0, 0] {
            all.insert(board.join(","));
        }
        return;
    }
    boards(squares - 1, left, &mut [&board[..], &[String::new()]].concat(), all);
    for (side, name) in ["1", "2"].into_iter().enumerate().filter(|&(side, _)| left[side] > 0) {
        // One more stone on the current stack, or the first stone of a new one.
        let mut less = left;
        less[side] -= 1;
        grow(squares, less, name.to_string(), board, all);
    }
}

fn grow(squares: u32, left: [u32; 2], stack: String, board: &mut Vec<String>, all: &mut BTreeSet<String>) {
    boards(squares - 1, left, &mut [&board[..], std::slice::from_ref(&stack)].concat(), all);
    for (side, name) in ["1", "2"].into_iter().enumerate().filter(|&(side, _)| left[side] > 0) {
        let mut less = left;
        less[side] -= 1;
        grow(squares, less, format!("{stack}{name}"), board, all);
    }
}

fn arrangements(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (mut found, mut agree) = (Vec::new(), true);
    for (t, white, black) in [(4, 2, 2), (5, 3, 1), (2, 4, 4)] {
        let mut all = BTreeSet::new();
        boards(t, [white, black], &mut Vec::new(), &mut all);
        agree &= BigUint::from(all.len()) == counts::flats_exactly(t, white, black);
        found.push(all.len());
    }
    Ok(Finding::compare(claimed, joined(found), if agree { "the equation agrees" } else { "the equation disagrees" }))
}

fn full_stacks(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for n in 3..=8 {
        let slides = stack_slides(n, n + 1)?;
        found.extend(if slides.len() == 1 { slides.into_iter().collect() } else { Vec::new() });
    }
    Ok(Finding::compare(claimed, joined(found), "the same on every square of a board"))
}

fn moves_of(spelling: &str, tps: &str) -> Result<usize, Failure> {
    let game = Tak::from_spelling(spelling)?.0;
    let pos = game.parse(tps)?;
    Ok(collect_moves(&game, &pos).len())
}

fn worst_3x3(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (most, _) = branching::most_moves(&Tak::new(3, 3));
    let shown = moves_of("tak:3", FIGURE_3X3)?;
    let computed = if shown == most as usize { most.to_string() } else { format!("{most}, shown {shown}") };
    Ok(Finding::compare(claimed, computed, format!("the maximum over all boards; reached by {FIGURE_3X3}")))
}

fn worst_5x5(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    Ok(Finding::compare(claimed, grouped(moves_of("tak:5", FIGURE_5X5)?), FIGURE_5X5))
}

fn worst_8x8(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    Ok(Finding::compare(claimed, grouped(moves_of("tak:8", FIGURE_8X8)?), FIGURE_8X8))
}

fn caption_5x5(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (flats, capstones) = Tak::new(5, 5).reserves();
    // A stone and the capstone of the mover and one piece of the opponent must be in reserve, and one piece of the
    // opponent is on top of some stack; buried pieces are stones.
    let stones = 2 * u32::from(flats) - 1;
    let (high, needed) = ((stones - 1) / 8, 8 * 6 + 1);
    let note = format!(
        "eight stacks of six and a piece of the last mover are {needed} pieces; there are {} in all, and {stones} \
         stones can be on the board with 528 moves left",
        2 * (flats + capstones)
    );
    Ok(Finding::compare(claimed, format!("8 stacks of height {high}"), note).corrected_if(needed > stones))
}

fn fewest(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let found = FIGURES[3..].iter().map(|(game, tps, _)| moves_of(game, tps)).collect::<Result<Vec<_>, _>>()?;
    let note = format!("{}; {}", FIGURES[3].1, FIGURES[4].1);
    Ok(Finding::compare(claimed, joined(found), note))
}

fn states(n: usize, claimed: &str) -> Finding {
    let material = Material::of_square(n);
    let found = Finding::compare(claimed, material.positions_at_most().to_string(), "");
    let same = claimed.bytes().zip(found.computed.bytes()).take_while(|(a, b)| a == b).count();
    let regenerated = long_double::positions(&material).to_string() == claimed;
    let note = match (found.computed == claimed, regenerated) {
        (true, true) => "64 bits hold every partial sum, so `long double` loses nothing here".to_string(),
        (false, true) => format!(
            "wrong from digit {} on: …{} should be …{}; added up in 80-bit `long double` (64 bits, to nearest even; \
             walls and capstones first, then once by the flats) it comes out digit for digit as printed",
            same + 1,
            &claimed[same..],
            &found.computed[same..]
        ),
        _ => "the printed number does not come out of 80-bit `long double` either".to_string(),
    };
    Finding { note, ..found }.corrected_if(regenerated)
}

fn states_rounded(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let short = |n| {
        let digits = Material::of_square(n).positions_at_most().to_string();
        // Six significant digits, rounded half up.
        let seven: u64 = digits[..7].parse().unwrap_or(0);
        let six = ((seven + 5) / 10).to_string();
        format!("{}.{}e{}", &six[..1], &six[1..], digits.len() - 1)
    };
    Ok(Finding::compare(claimed, (3..=8).map(short).collect::<Vec<_>>().join(" "), ""))
}

fn plies(claimed: &str, ply: usize) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    let mut agree = true;
    for n in 3..=8 {
        let game = Tak::new(n, n);
        let mut positions: BTreeSet<Position> = BTreeSet::from([game.start()]);
        for _ in 0..ply {
            let step = |pos: &Position| {
                collect_moves(&game, pos)
                    .into_iter()
                    .map(|mv| game.canonical(&game.after(pos, mv)).0)
                    .collect::<Vec<_>>()
            };
            positions = positions.iter().flat_map(step).collect();
        }
        let equation = if ply == 1 { counts::first_plies(n as u64) } else { counts::second_plies(n as u64) };
        agree &= positions.len() as u64 == equation;
        found.push(positions.len());
    }
    let note = if agree { "the equations 5.3, 5.4 and 5.5 agree" } else { "an equation disagrees" };
    Ok(Finding::compare(claimed, joined(found), note))
}

fn three_by_three(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = Tak::new(3, 3);
    let solution = forced::solve(&game, &game.start(), 20, 1 << 26, ctx).solution;
    if let Some(stop) = solution.stopped {
        return Err(stop.into());
    }
    let computed = match solution.value.value() {
        Some(Wdl::Win) => "White wins",
        Some(Wdl::Loss) => "Black wins",
        _ => "neither",
    };
    let mut search = forced::Forced::new(game.turn(&game.start()), 1 << 26);
    let mut meter = ctx.meter();
    let mut first = Vec::new();
    for (name, place) in [("a corner", "a1"), ("an edge", "b1"), ("the centre", "b2")] {
        let after = game.after(&game.start(), game.parse_move(&game.start(), place)?);
        let plies = search.shortest(&game, &after, 20, &mut meter)?;
        first.push(format!("{} with the first stone in {name}", plies.map_or("none".into(), |n| (n + 1).to_string())));
    }
    let note = format!("the number of plies is not stated; the shortest forced win takes {}", first.join(", "));
    Ok(Finding::compare(claimed, computed, note))
}
