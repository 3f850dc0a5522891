//! S. Vaki: Analysis and Implementation of Cypriot Game Antrin (bachelor's thesis, University of Cyprus, 2024).

use super::antrin_boards::{
    boards_in_phase_one, encoding, operators, rejections, rotations_alone, second_step, step_totals, stopped_at_wins,
    unique_boards, weights, winners, winning_lines,
};
use super::{Finding, Item, Verdict};
use agon_core::{Ctx, Family, Game, Notation, Player, Symmetric, Value, Wdl, collect_moves};
use agon_games::mill::{Men, Mill};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use agon_solve::Retro;
use std::collections::{BTreeSet, HashMap};

/// Antrin on 3 × 3 with the given parameters.
pub(super) fn antrin(rules: &str) -> Mill {
    let spelling = format!("antrin:3{rules}");
    Mill::from_spelling(&spelling).expect("the spelling is right").0
}

fn tables(game: &Mill, ctx: &Ctx) -> Result<Retro<Mill>, Failure> {
    Retro::solve(game, 1 << 30, ctx).map_err(|why| Failure::Failed(format!("no table: {why:?}")))
}

/// Every position of the second phase (own men, opposing men) without a line.
fn second_phase(game: &Mill) -> Vec<Men> {
    let mut found = Vec::new();
    for own in (0u64..512).filter(|men| men.count_ones() == 3 && !game.board().has_line(*men)) {
        let others = (0u64..512).filter(|men| men & own == 0 && men.count_ones() == 3 && !game.board().has_line(*men));
        found.extend(others.map(|other| Men { sides: [own, other], hand: [0, 0], turn: Player::First, won: false }));
    }
    found
}

fn blocked(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let stuck: Vec<Men> = second_phase(&game).into_iter().filter(|pos| !game.can_move(pos)).collect();
    let classes: BTreeSet<Men> = stuck.iter().map(|pos| game.canonical(pos).0).collect();
    let all: Vec<String> = stuck.iter().map(|pos| game.show(pos)).collect();
    let note =
        format!("{} positions with the blocked side to move, all equal up to symmetry: {}", stuck.len(), all.join(" "));
    Ok(Finding::compare(claimed, classes.len().to_string(), note))
}

/// The value of the first phase alone: if it ends without a line, it is a draw.
fn first_phase(game: &Mill, pos: &Men, known: &mut HashMap<Men, Wdl>) -> Wdl {
    if let Some(outcome) = game.outcome(pos) {
        return outcome.seen_by(pos.turn);
    }
    if pos.hand == [0, 0] {
        return Wdl::Draw;
    }
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let best = collect_moves(game, pos).into_iter().map(|mv| first_phase(game, &game.after(pos, mv), known).flip());
    let best = best.max().unwrap_or(Wdl::Loss);
    known.insert(*pos, best);
    best
}

fn no_strategy(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let mut known = HashMap::new();
    let value = first_phase(&game, &game.start(), &mut known);
    let computed = match value {
        Wdl::Draw => "no winning strategy",
        Wdl::Win => "player one wins",
        Wdl::Loss => "player two wins",
    };
    let note = format!("the first phase alone, solved: {} positions, neither side can force a line", known.len());
    Ok(Finding::compare(claimed, computed, note))
}

fn double_threats(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let mut seen = BTreeSet::new();
    let mut todo = vec![game.start()];
    let mut double = 0;
    while let Some(pos) = todo.pop() {
        if !seen.insert(pos) || game.outcome(&pos).is_some() || pos.hand == [0, 0] {
            continue;
        }
        // Only the side that has just placed, and only if it has a token left to execute a threat.
        let (own, other) = pos.own_and_other();
        let gaps: BTreeSet<u64> = game
            .board()
            .mills
            .iter()
            .map(|line| line & !other)
            .filter(|gap| gap.count_ones() == 1 && gap & own == 0)
            .collect();
        double += usize::from(gaps.len() > 1 && pos.hands().1 > 0);
        todo.extend(collect_moves(&game, &pos).into_iter().map(|mv| game.after(&pos, mv)));
    }
    let note = format!("of the {} positions of the first phase, with a token left to place", seen.len());
    Ok(Finding::compare(claimed, double.to_string(), note))
}

/// The results of a player who follows the defensive map while placing, against every play of the opponent.
struct Defended {
    /// The number of plays lost while placing.
    lost_placing: usize,
    /// The numbers of positions at the end of the first phase, by value for the defender.
    after: [usize; 3],
}

fn defend(game: &Mill, solved: &Retro<Mill>, side: Player) -> Defended {
    let strategy = game.strategy("vaki-defence", "").expect("antrin has it");
    let (mut seen, mut todo) = (BTreeSet::new(), vec![game.start()]);
    let mut found = Defended { lost_placing: 0, after: [0; 3] };
    while let Some(pos) = todo.pop() {
        if !seen.insert(pos) {
            continue;
        }
        if pos.won {
            found.lost_placing += usize::from(game.turn(&pos) == side);
        } else if pos.hand == [0, 0] {
            let value = solved.value(game, &pos).map_or(Wdl::Draw, Value::wdl);
            let value = if game.turn(&pos) == side { value } else { value.flip() };
            found.after[value as usize] += 1;
        } else {
            let moves = if game.turn(&pos) == side { strategy.choices(game, &pos) } else { collect_moves(game, &pos) };
            todo.extend(moves.into_iter().map(|mv| game.after(&pos, mv)));
        }
    }
    found
}

fn defence(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let solved = tables(&game, ctx)?;
    let lost: Vec<usize> = Player::BOTH.map(|side| defend(&game, &solved, side).lost_placing).to_vec();
    let computed = if lost == [0, 0] { "never loses in phase one" } else { "can lose in phase one" };
    let note = format!("positions lost while placing: {} as player one, {} as player two", lost[0], lost[1]);
    Ok(Finding::compare(claimed, computed, note).corrected_if(lost != [0, 0]))
}

fn defence_later(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let solved = tables(&game, ctx)?;
    let found = Player::BOTH.map(|side| defend(&game, &solved, side).after);
    let lost = found.iter().any(|[loss, ..]| *loss > 0);
    let computed = if lost { "may lose in phase two" } else { "keeps the draw" };
    let say = |name: &str, [loss, draw, win]: [usize; 3]| format!("{name}: {win} won, {draw} drawn, {loss} lost");
    let note = format!(
        "positions in which phase one can end, by value for the defender; {}; {}. The map stops lines while placing \
         and leaves the choice between other points open: some of those choices lose by force in phase two",
        say("as player one", found[0]),
        say("as player two", found[1])
    );
    Ok(Finding::compare(claimed, computed, note).corrected_if(lost))
}

/// Positions of phase two by owner of b2 (the side to move, the other, nobody) and value for the side to move.
fn by_owner_of_centre(game: &Mill, solved: &Retro<Mill>) -> [[usize; 3]; 3] {
    const CENTRE: u64 = 1 << 4;
    let mut table = [[0usize; 3]; 3];
    for pos in second_phase(game) {
        let owner = if pos.sides[0] & CENTRE != 0 { 0 } else { 1 + usize::from(pos.sides[1] & CENTRE == 0) };
        if let Some(value) = solved.value(game, &pos) {
            table[owner][value.wdl() as usize] += 1;
        }
    }
    table
}

fn centre(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let table = by_owner_of_centre(&game, &tables(&game, ctx)?);
    let share = |row: [usize; 3], wdl: Wdl| row[wdl as usize] as f64 / row.iter().sum::<usize>() as f64;
    let [own, other, nobody] = table;
    let better = share(own, Wdl::Win) > share(nobody, Wdl::Win)
        && share(nobody, Wdl::Win) > share(other, Wdl::Win)
        && share(other, Wdl::Loss) > share(own, Wdl::Loss);
    let say = |name: &str, row: [usize; 3]| format!("{name}: {} won, {} drawn, {} lost", row[2], row[1], row[0]);
    let note = format!(
        "positions of phase two by value for the side to move; b2 its own: {}; {}; {}",
        say("", own).trim_start_matches(": "),
        say("the other's", other),
        say("empty", nobody)
    );
    let computed = if better { "the owner of b2 has a benefit" } else { "no such order" };
    Ok(Finding::compare(claimed, computed, note).corrected_if(!better))
}

fn directions(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let game = antrin("");
    let of = |name: &str| {
        let point = game.board().points.iter().position(|p| p.2 == name).expect("a point of the board");
        game.board().near[point].count_ones()
    };
    let computed = format!("centre {}, edge middles {}, corners {}", of("b2"), of("b1"), of("a1"));
    let wrong = of("b1") == 3;
    Ok(Finding::compare(claimed, computed, "edge middles can be left in three directions").corrected_if(wrong))
}

fn whole_game(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let mut drawn = true;
    let mut lines = Vec::new();
    for early in ["wins", "ignored", "forbidden"] {
        for blocked in ["loses", "passes", "draws"] {
            let game = antrin(&format!(",blocked={blocked},early={early}"));
            let solved = tables(&game, ctx)?;
            let value = solved.value(&game, &game.start()).map_or_else(String::new, |value| value.to_string());
            drawn &= early != "wins" || value == "draw";
            lines.push(format!("early={early}, blocked={blocked}: {value}"));
        }
    }
    let game = antrin("");
    let solved = tables(&game, ctx)?;
    let single = second_phase(&game).into_iter().filter(|pos| only_move(&game, &solved, pos)).count();
    let computed = if drawn { "a guaranteed tie" } else { "no guaranteed tie" };
    let note = format!(
        "both phases solved; for player one {}. In {} positions of phase two one move alone keeps the draw",
        lines.join("; "),
        grouped(single)
    );
    Ok(Finding::compare(claimed, computed, note))
}

/// Returns whether the position is drawn and only one move keeps the draw.
fn only_move(game: &Mill, solved: &Retro<Mill>, pos: &Men) -> bool {
    let value = |pos: &Men| solved.value(game, pos).map(Value::wdl);
    let moves = collect_moves(game, pos);
    let keeping = moves.iter().filter(|&&mv| value(&game.after(pos, mv)) == Some(Wdl::Draw)).count();
    value(pos) == Some(Wdl::Draw) && keeping == 1 && moves.len() > 1
}

macro_rules! item {
    ($id:literal, $place:literal, $claim:literal, $claimed:literal, $how:literal, $verdict:ident, $run:ident) => {
        Item {
            id: concat!("003/", $id),
            source: concat!("Vaki, ", $place),
            claim: $claim,
            claimed: $claimed,
            how: $how,
            slow: false,
            expected: Verdict::$verdict,
            run: $run,
        }
    };
}

/// The claims.
pub(super) const ITEMS: &[Item] = &[
    item!(
        "operators",
        "5.2",
        "the operators that are needed",
        "rotations and one mirror",
        "closing permutations under composition",
        Reproduced,
        operators
    ),
    item!(
        "encoding",
        "6.1",
        "the effect of the operators on the cells of the array",
        "b2 stays, corners go to corners, middles to middles",
        "the operators as permutations of the nine cells",
        Reproduced,
        encoding
    ),
    item!(
        "rejections",
        "Figures 5.4 to 5.6",
        "mirrors that other operators replace",
        "HM and VM by R1 and DM, UM by DM and R2",
        "composing permutations",
        Reproduced,
        rejections
    ),
    item!(
        "rotations",
        "5.2",
        "whether rotation is enough",
        "rotation cannot stand alone",
        "the group that rotations close to, and unique boards under it",
        Reproduced,
        rotations_alone
    ),
    item!(
        "second-step",
        "4.4",
        "sub-patterns of the second step and boards they stand for, by first token",
        "corner 5: 32, middle 5: 32, centre 2: 8",
        "symmetries that fix the first token",
        Reproduced,
        second_step
    ),
    item!("lines", "Figure 6.4", "winning lines as arrays", "6", "rows and columns", Reproduced, winning_lines),
    item!(
        "step-totals",
        "4.2",
        "placements after each step",
        "9, 72, 504, 3024, 15120, 60480",
        "perft of the first phase, continued after lines",
        Reproduced,
        step_totals
    ),
    item!("boards", "4.2", "boards after six steps", "60480", "listing every board", Corrected, boards_in_phase_one),
    item!(
        "unique",
        "6.4",
        "unique boards after each step",
        "3, 12, 38, 108, 174, 228",
        "the thesis's algorithm, and Burnside's lemma",
        Reproduced,
        unique_boards
    ),
    item!(
        "weights",
        "6.4",
        "unique boards and weights, winning and other, at steps five and six",
        "15/1080 and 159/14040; 33/8208 and 195/52272",
        "the thesis's algorithm",
        Reproduced,
        weights
    ),
    item!(
        "unique-open",
        "6.4",
        "unique boards at step six when won boards are not extended",
        "210 = 15 + 195",
        "the thesis's algorithm",
        Reproduced,
        stopped_at_wins
    ),
    item!(
        "winners",
        "Figure 6.5",
        "winning unique boards of player one, of player two, in all",
        "33, 15, 48",
        "lines of each player on the unique boards",
        Reproduced,
        winners
    ),
    item!(
        "blocked",
        "4.1",
        "ways to be blocked without a line",
        "1",
        "every position of phase two, up to symmetry",
        Reproduced,
        blocked
    ),
    item!(
        "phase-one",
        "7.2",
        "a winning strategy for phase one",
        "no winning strategy",
        "solving phase one as a separate game",
        Reproduced,
        no_strategy
    ),
    item!(
        "double-threat",
        "7.2",
        "double threats that can still be executed in phase one",
        "0",
        "every position of phase one",
        Reproduced,
        double_threats
    ),
    item!(
        "defence",
        "7.2",
        "the defensive map in phase one",
        "never loses in phase one",
        "the map against every placement, every choice it leaves followed",
        Reproduced,
        defence
    ),
    item!(
        "defence-later",
        "7.2",
        "the defensive map as a map for not losing",
        "keeps the draw",
        "the value of every position the map can lead to",
        Corrected,
        defence_later
    ),
    item!(
        "centre",
        "7.2",
        "owning the centre in phase two",
        "the owner of b2 has a benefit",
        "values of all positions of phase two by owner of b2",
        Reproduced,
        centre
    ),
    item!(
        "directions",
        "7.2",
        "directions in which a token can be moved",
        "centre 4, edge middles 2, corners 2",
        "the board",
        Corrected,
        directions
    ),
    item!(
        "whole-game",
        "9.2",
        "whether some way of playing leads to a guaranteed tie (left open)",
        "a guaranteed tie",
        "retrograde analysis of both phases under every rule for blocked players and early lines",
        Reproduced,
        whole_game
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_antrin_has_what_is_computed() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/antrin.md");
        let page = std::fs::read_to_string(page).expect("the page about Antrin");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let game = antrin("");
        let solved = tables(&game, &Ctx::default()).expect("tables");
        let [one, two] = Player::BOTH.map(|side| defend(&game, &solved, side).after[0]);
        let defence = format!("{one} (as player one) and {two} (as player two) of the positions");
        let [own, other, nobody] = by_owner_of_centre(&game, &solved);
        let row = |name: &str, row: [usize; 3]| format!("| {name} | {} | {} | {} |", row[2], row[1], row[0]);
        let centre = format!("{} {} {}", row("its own", own), row("empty", nobody), row("the other's", other));
        for text in [defence, centre] {
            assert!(page.contains(&text), "docs/results/antrin.md lacks: {text}");
        }
    }
}
