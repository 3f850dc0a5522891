//! Laws of games seen as lines.

use super::along;
use crate::game::collect_moves;
use crate::lines::{CellSet, Line, LineGame, Lines, MAX_MARKS};
use crate::words::{Outcome, Player};
use std::collections::BTreeSet;

type Marks = [CellSet; MAX_MARKS];

fn filled(marks: &Marks) -> CellSet {
    marks.iter().fold(0, |set, mark| set | mark)
}

/// Returns whether a line is complete: its cells hold its mark and none of those it avoids does; where it must be
/// settled, those are filled.
fn is_complete(rules: &Lines, line: &Line, marks: &Marks) -> bool {
    let own = marks[usize::from(line.mark)];
    let settled = !rules.settled || line.avoid & !filled(marks) == 0;
    line.want & !own == 0 && line.avoid & own == 0 && settled
}

/// [`LineGame`] agrees with the rules: some line is complete ⇔ the maker has won, and the marks and moves
/// of the lines are those of the game. A game in which neither side has lines breaks the law.
pub fn lines<G: LineGame>(game: &G, plays: u64, seed: u64) {
    assert!(Player::BOTH.into_iter().any(|maker| game.lines(maker).is_some()), "neither side has lines");
    for maker in Player::BOTH {
        let Some(rules) = game.lines(maker) else { continue };
        assert_eq!(rules.maker, maker, "the lines of one side are those of the other");
        board(&rules);
        let names: BTreeSet<String> = (0..rules.cells).map(|cell| game.cell_name(cell)).collect();
        assert_eq!(names.len(), rules.cells, "two cells share a name");
        assert!(names.iter().all(|name| !name.contains(char::is_whitespace)), "the name of a cell contains a space");
        along(game, plays, seed, |pos, _| {
            let marks = game.line_marks(pos, maker);
            marked(&rules, &marks);
            ends(game, &rules, pos, &marks);
            moved(game, &rules, pos, &marks);
        });
    }
}

/// Lines lie on the board, along their tracks, and symmetries and renamings map them onto themselves.
fn board(rules: &Lines) {
    let (cells, marks, all) = (rules.cells, rules.marks, rules.all());
    assert!((1..=64).contains(&cells) && (1..=MAX_MARKS).contains(&marks), "{cells} cells and {marks} marks");
    let key = |line: &Line| (line.mark, line.want, line.avoid);
    let lines: BTreeSet<_> = rules.lines.iter().map(key).collect();
    for line in &rules.lines {
        let on_board = (line.want | line.avoid) & !all == 0 && usize::from(line.mark) < marks;
        assert!(on_board && line.want != 0 && line.want & line.avoid == 0, "{line:?} is not a line");
        let crossing = rules.lines.iter().find(|l| l.track != line.track && (l.want & line.want).count_ones() > 1);
        assert_eq!(crossing, None, "shares more than a cell with {line:?}, of another track");
    }
    let identity: Vec<u8> = (0..cells as u8).collect();
    assert_eq!(rules.symmetries.first(), Some(&identity), "the first symmetry is not the identity");
    for map in &rules.symmetries {
        let image = |set: CellSet| (0..cells).filter(|cell| set >> cell & 1 == 1).fold(0, |s, cell| s | 1 << map[cell]);
        let images = lines.iter().map(|&(mark, want, avoid)| (mark, image(want), image(avoid)));
        assert!(
            image(all) == all && images.collect::<BTreeSet<_>>() == lines,
            "{map:?} is not a symmetry of the lines"
        );
    }
    if rules.alike {
        let next = lines.iter().map(|&(mark, want, avoid)| ((mark + 1) % marks as u8, want, avoid));
        assert_eq!(next.collect::<BTreeSet<_>>(), lines, "the marks are not alike");
        let swap = |mark| if mark < 2 && marks > 1 { 1 - mark } else { mark };
        let swapped = lines.iter().map(|&(mark, want, avoid)| (swap(mark), want, avoid));
        assert_eq!(swapped.collect::<BTreeSet<_>>(), lines, "the marks are not alike");
    }
}

/// No cell holds two marks, and none lies off the board.
fn marked(rules: &Lines, marks: &Marks) {
    let count: u32 = marks.iter().map(|mark| mark.count_ones()).sum();
    let all = filled(marks);
    assert!(all & !rules.all() == 0 && all.count_ones() == count, "marks {marks:?} share a cell or leave the board");
    assert!(marks[rules.marks..].iter().all(|&mark| mark == 0), "more than {} marks: {marks:?}", rules.marks);
}

/// Play ends as the lines say.
fn ends<G: LineGame>(game: &G, rules: &Lines, pos: &G::Position, marks: &Marks) {
    let complete = rules.lines.iter().any(|line| is_complete(rules, line, marks));
    let full = filled(marks) == rules.all();
    let maker = rules.maker;
    match game.outcome(pos) {
        Some(Outcome::Win(winner)) if winner == maker => assert!(complete, "{maker:?} has won without a line: {pos:?}"),
        Some(outcome) => {
            assert!(!complete, "a line is complete, and {maker:?} has not won: {pos:?}");
            let got = outcome.seen_by(maker);
            assert!(got <= rules.spoiled, "{maker:?} has more than said without a line: {pos:?}");
            assert!(!rules.decides || got == rules.spoiled && full, "lines do not decide: {pos:?}");
        }
        // If lines must be settled, the game may continue although the result is certain.
        None => assert!(!full && (!complete || rules.settled), "the play should be over: {pos:?}"),
    }
}

/// Each legal move puts one mark into an empty cell, and is the move that the lines name for it.
fn moved<G: LineGame>(game: &G, rules: &Lines, pos: &G::Position, marks: &Marks) {
    let legal: BTreeSet<G::Move> = collect_moves(game, pos).into_iter().collect();
    if legal.is_empty() {
        return;
    }
    let mut named = BTreeSet::new();
    for cell in (0..rules.cells).filter(|cell| filled(marks) >> cell & 1 == 0) {
        for mark in 0..rules.marks {
            let Some(mv) = game.line_move(pos, rules.maker, cell, mark) else { continue };
            assert!(
                legal.contains(&mv) && named.insert(mv),
                "{mv:?} for cell {cell} is illegal or named twice: {pos:?}"
            );
            let mut expected = *marks;
            expected[mark] |= 1 << cell;
            let after = game.line_marks(&game.after(pos, mv), rules.maker);
            assert_eq!(after, expected, "{mv:?} puts another mark than {mark} into {cell}: {pos:?}");
        }
    }
    assert_eq!(named, legal, "the lines leave moves out: {pos:?}");
    if rules.decides {
        assert_eq!(
            named.len(),
            rules.marks * (rules.all() & !filled(marks)).count_ones() as usize,
            "a mark is missing: {pos:?}"
        );
    }
}
