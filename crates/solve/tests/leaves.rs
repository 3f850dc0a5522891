//! The number of ways to reach a stable board against Castelein's T1 on 4×4, counted a second time by code
//! that shares nothing with the game, the strategy or the verifier: boards are arrays, lines are lists.

use agon_core::{Ctx, Family, Game, Player, Wdl};
use agon_games::order_chaos::OrderChaos;
use agon_solve::verify::{Claim, verify};
use std::collections::HashMap;

/// 0 empty, 1 X, 2 O; row by row.
type Board = [u8; 16];

/// The ten lines of four, each with its direction.
fn lines() -> Vec<([usize; 4], usize)> {
    let mut all = vec![([0, 5, 10, 15], 2), ([3, 6, 9, 12], 3)];
    for n in 0..4 {
        all.push(([4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3], 0));
        all.push(([n, n + 4, n + 8, n + 12], 1));
    }
    all
}

/// The text leaves two things open: more open lines come first in step 5.1, and C3 is read as its sentence has it.
#[derive(Clone, Copy)]
struct Reading {
    in_step_5: bool,
    sentence: bool,
}

struct Option4 {
    cell: usize,
    mark: u8,
    own: usize,
    cut: usize,
    open: usize,
    twos: usize,
}

fn options(board: &Board) -> Vec<Option4> {
    let open_lines = |cell: usize, mark: u8| {
        let mut best = [0; 4];
        for (line, direction) in lines() {
            if line.contains(&cell) && line.iter().all(|&c| board[c] == 0 || board[c] == mark) {
                best[direction] = line.iter().filter(|&&c| board[c] == mark).count();
            }
        }
        best
    };
    let mut all = Vec::new();
    // By i + 4j, X before O.
    for cell in (0..16).map(|n| 4 * (n % 4) + n / 4).filter(|&cell| board[cell] == 0) {
        for mark in [1, 2] {
            let (own, other) = (open_lines(cell, mark), open_lines(cell, 3 - mark));
            let (open, twos) = (own.iter().filter(|&&n| n > 0).count(), own.iter().filter(|&&n| n == 2).count());
            let longest = |lines: [usize; 4]| lines.into_iter().max().unwrap();
            all.push(Option4 { cell, mark, own: longest(own), cut: longest(other), open, twos });
        }
    }
    all
}

fn longest<'a>(options: impl Iterator<Item = &'a Option4>, more_lines: bool) -> Option<(usize, u8)> {
    let mut best: Option<&Option4> = None;
    for option in options {
        let key = |o: &Option4| (o.own, if more_lines { o.open } else { 0 });
        if best.is_none_or(|best| key(option) > key(best)) {
            best = Some(option);
        }
    }
    best.map(|o| (o.cell, o.mark))
}

fn answer(board: &Board, reading: Reading) -> (usize, u8) {
    if board.iter().all(|&mark| mark == 0) {
        return (5, 1);
    }
    let all = options(board);
    let sure = all.iter().find(|o| o.own == 3).or_else(|| all.iter().find(|o| o.twos >= 2));
    if let Some(o) = sure {
        return (o.cell, o.mark);
    }
    if let Some(mv) = longest(all.iter().filter(|o| o.cut == 0), true) {
        return mv;
    }
    let limit = all.iter().map(|o| o.own).max().unwrap();
    let spared = all.iter().filter(|o| if reading.sentence { o.cut < limit } else { o.own < limit });
    longest(spared, reading.in_step_5).unwrap_or((all[0].cell, all[0].mark))
}

/// Complete plays from a board, and those that Chaos wins.
fn plays(board: &mut Board, order: bool, reading: Reading, known: &mut HashMap<Board, (u64, u64)>) -> (u64, u64) {
    let made = lines().iter().any(|(line, _)| board[line[0]] != 0 && line.iter().all(|&c| board[c] == board[line[0]]));
    let full = board.iter().all(|&mark| mark != 0);
    if made || full {
        return (1, u64::from(!made));
    }
    if let Some(&known) = known.get(board) {
        return known;
    }
    let moves: Vec<(usize, u8)> = if order {
        vec![answer(board, reading)]
    } else {
        (0..16).filter(|&cell| board[cell] == 0).flat_map(|cell| [(cell, 1), (cell, 2)]).collect()
    };
    let (mut all, mut lost) = (0, 0);
    for (cell, mark) in moves {
        board[cell] = mark;
        let (more, worse) = plays(board, !order, reading, known);
        board[cell] = 0;
        (all, lost) = (all + more, lost + worse);
    }
    known.insert(*board, (all, lost));
    (all, lost)
}

#[test]
fn leaves_of_t1_are_counted_twice() {
    let (game, _) = OrderChaos::from_spelling("order-chaos:4x4,k=4").unwrap();
    for (words, in_step_5, sentence, leaves) in [
        ("rescued", false, false, 193_752u64),
        ("rescued,prose", false, true, 179_592),
        ("rescued,step5", true, false, 191_921),
        ("rescued,prose,step5", true, true, 179_369),
    ] {
        let counted = plays(&mut [0; 16], true, Reading { in_step_5, sentence }, &mut HashMap::new());
        assert_eq!(counted, (leaves, 7), "{words}");
        let strategy = game.strategy("castelein-t1", words).unwrap();
        let claim = Claim { side: Player::First, least: Wdl::Win, root: game.start() };
        let lines = verify(&game, strategy.as_ref(), &claim, &Ctx::default()).unwrap().lines.unwrap();
        assert_eq!((lines.all(), lines.below(Wdl::Win)), (leaves.into(), 7u32.into()), "{words}");
    }
}
