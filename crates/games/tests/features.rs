//! The features of strategies against a plain evaluator that knows boards as pictures only.

use agon_core::{Family, Game, Notation, Rng, Symmetric};
use agon_games::drop::Drop;
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_strategies::Vocabulary;

type Cell = (i32, i32);

const DIRECTIONS: [Cell; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board by columns from the left and rows from the bottom, both from 1.
#[derive(Clone)]
struct Picture {
    rows: Vec<Vec<char>>,
    k: i32,
}

impl Picture {
    fn of(text: &str, k: usize) -> Picture {
        Picture { rows: text.split('/').rev().map(|row| row.chars().collect()).collect(), k: k as i32 }
    }

    fn size(&self) -> Cell {
        (self.rows[0].len() as i32, self.rows.len() as i32)
    }

    fn at(&self, (x, y): Cell) -> Option<char> {
        let (columns, rows) = self.size();
        ((1..=columns).contains(&x) && (1..=rows).contains(&y)).then(|| self.rows[y as usize - 1][x as usize - 1])
    }

    fn with(&self, (x, y): Cell, mark: char) -> Picture {
        let mut after = self.clone();
        after.rows[y as usize - 1][x as usize - 1] = mark;
        after
    }

    fn cells(&self) -> Vec<Cell> {
        let (columns, rows) = self.size();
        (1..=rows).flat_map(|y| (1..=columns).map(move |x| (x, y))).collect()
    }

    /// Every line, with its direction.
    fn lines(&self) -> Vec<(usize, Vec<Cell>)> {
        let mut lines = Vec::new();
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            for (x, y) in self.cells() {
                let line: Vec<Cell> = (0..self.k).map(|i| (x + i * dx, y + i * dy)).collect();
                if line.iter().all(|&cell| self.at(cell).is_some()) {
                    lines.push((direction, line));
                }
            }
        }
        lines
    }

    fn complete(&self, mark: char) -> bool {
        self.lines().iter().any(|(_, line)| line.iter().all(|&cell| self.at(cell) == Some(mark)))
    }

    fn empty(&self) -> Vec<Cell> {
        self.cells().into_iter().filter(|&cell| self.at(cell) == Some('.')).collect()
    }

    /// The empty cells in which one of the marks completes a line.
    fn gaps(&self, marks: &[char]) -> usize {
        let before = |mark: char| self.complete(mark);
        let fills = |cell: &&Cell| marks.iter().any(|&mark| !before(mark) && self.with(**cell, mark).complete(mark));
        self.empty().iter().filter(fills).count()
    }

    fn king(a: Cell, b: Cell) -> i32 {
        (a.0 - b.0).abs().max((a.1 - b.1).abs())
    }
}

/// The effect of a move as a picture: the cell, the mark, the marks of the replies, whether marks belong to the sides.
struct Put {
    cell: Cell,
    mark: char,
    replies: Vec<char>,
    owned: bool,
}

/// The value of a feature, computed plainly; `None` for features that are tested elsewhere.
fn plain(board: &Picture, put: &Put, name: &str, argument: Option<&str>) -> Option<i32> {
    let (x, y) = put.cell;
    let (columns, rows) = board.size();
    let (side, level) = (x == 1 || x == columns, y == 1 || y == rows);
    let flag = |holds: bool| Some(i32::from(holds));
    let number = argument.and_then(|text| text.parse::<i32>().ok());
    let through: Vec<(usize, Vec<Cell>)> = board.lines().into_iter().filter(|l| l.1.contains(&put.cell)).collect();
    let contents = |line: &[Cell]| line.iter().filter_map(|&c| board.at(c)).filter(|&c| c != '.').collect::<Vec<_>>();
    let own = |line: &[Cell]| contents(line).iter().all(|&c| c == put.mark).then(|| contents(line).len() as i32);
    let other = |line: &[Cell]| {
        let there = contents(line);
        let one = there.iter().all(|&c| c != put.mark && c == there[0]);
        one.then_some(there.len() as i32)
    };
    let after = board.with(put.cell, put.mark);
    let centre = |cell: Cell| (2 * cell.0 - columns - 1).abs().max((2 * cell.1 - rows - 1).abs());
    let most_central = board.cells().into_iter().map(centre).min()?;
    let target = |word: &str, cell: Cell| match word {
        "centre" => centre(cell) == most_central,
        "own" => board.at(cell) == Some(put.mark),
        "other" => board.at(cell) != Some(put.mark) && board.at(cell) != Some('.'),
        "any" => board.at(cell) != Some('.'),
        _ => false,
    };
    let targets = || board.cells().into_iter().filter(|&c| c != put.cell && target(argument.unwrap_or(""), c));
    let runs = || {
        DIRECTIONS.into_iter().map(|(dx, dy)| {
            let reach = |sign: i32| {
                (1..).take_while(|i| after.at((x + sign * i * dx, y + sign * i * dy)) == Some(put.mark)).count() as i32
            };
            let (ahead, back) = (reach(1), reach(-1));
            let ends = [(x + (ahead + 1) * dx, y + (ahead + 1) * dy), (x - (back + 1) * dx, y - (back + 1) * dy)];
            (ahead + back + 1, ends.into_iter().filter(|&end| after.at(end) == Some('.')).count() as i32)
        })
    };
    let mate = |word: &str| {
        let flip_end = |v: i32, end: i32| if v == 1 || v == end { end + 1 - v } else { v };
        let there = match word {
            "half-turn" => (columns + 1 - x, rows + 1 - y),
            "left-right" => (columns + 1 - x, y),
            "top-bottom" => (x, rows + 1 - y),
            "border" => (flip_end(x, columns), flip_end(y, rows)),
            _ => (x, if y % 2 == 1 { y + 1 } else { y - 1 }),
        };
        board.at(there).filter(|_| there != put.cell)
    };
    match name {
        "filled" => Some((board.cells().len() - board.empty().len()) as i32),
        "empty" => Some(board.empty().len() as i32),
        "complete-lines" => Some(0),
        "corner" => flag(side && level),
        "edge" => flag(side != level),
        "border" => flag(side || level),
        "interior" => flag(!side && !level),
        "centre" => flag(centre(put.cell) == most_central),
        "inside" | "places" => Some(1),
        "takes" => Some(0),
        "column" => Some(x),
        "row" => Some(y),
        "degree" => Some(board.cells().into_iter().filter(|&c| Picture::king(c, put.cell) == 1).count() as i32),
        "distance" => Some(targets().map(|c| Picture::king(c, put.cell)).min().unwrap_or(99)),
        "beside" => Some(targets().filter(|&c| Picture::king(c, put.cell) == 1).count() as i32),
        "lines" => Some(through.len() as i32),
        "open" => Some(through.iter().filter(|l| own(&l.1) == number).count() as i32),
        "cuts" => Some(through.iter().filter(|l| other(&l.1) == number).count() as i32),
        "line" => Some(through.iter().filter_map(|l| own(&l.1)).max().unwrap_or(0)),
        "cut" => Some(through.iter().filter_map(|l| other(&l.1)).max().unwrap_or(0)),
        "directions" => {
            let best = |d: usize| through.iter().filter(|l| l.0 == d).filter_map(|l| own(&l.1)).max();
            Some((0..4).filter(|&d| best(d) >= number).count() as i32)
        }
        "completes" => flag(after.complete(put.mark)),
        "blocks" => flag(put_by_others(board, put)),
        "threats" => Some(threats(&after, put.mark)),
        "fork" => flag(threats(&after, put.mark) >= 2),
        "leaves" => Some(after.gaps(&put.replies) as i32),
        "forks-left" => {
            let mut count = 0;
            for cell in after.empty() {
                for &mark in &put.replies {
                    let then = after.with(cell, mark);
                    let first = put.owned && then.gaps(&[put.mark]) > 0;
                    count += i32::from(!first && threats(&then, mark) >= 2);
                }
            }
            Some(count)
        }
        "run" => runs().map(|run| run.0).max(),
        "extensions" => runs().max().map(|run| run.1),
        "extends" => Some(0),
        "answers" => {
            let there = mate(argument?);
            flag(there.is_some_and(|mark| mark != '.' && mark != put.mark))
        }
        _ => None,
    }
}

fn threats(board: &Picture, mark: char) -> i32 {
    board.gaps(&[mark]) as i32
}

/// Returns whether some other mark would complete a line in that cell.
fn put_by_others(board: &Picture, put: &Put) -> bool {
    let others = ['X', 'O', 'A', 'B'].into_iter().filter(|&mark| mark != put.mark);
    others.into_iter().any(|mark| board.with(put.cell, mark).complete(mark))
}

/// Compares every feature of every move along random plays. Returns how many values were compared.
fn compare<G: Family + Symmetric>(game: &G, k: usize, put: impl Fn(&G::Position, G::Move) -> Put) -> usize {
    let words = Vocabulary::new(game);
    let (mut rng, mut compared) = (Rng::new(11), 0);
    for _ in 0..4 {
        let mut pos = game.start();
        while let Some(mv) = game.random_move(&pos, &mut rng) {
            let board = Picture::of(&game.show(&pos), k);
            for (mv, values) in words.values(game, &pos, 0) {
                let put = put(&pos, mv);
                for (phrase, value) in words.phrases().iter().zip(values) {
                    if put_completes_already(&board, &put, phrase.name) {
                        continue;
                    }
                    if let Some(expected) = plain(&board, &put, phrase.name, phrase.argument.as_deref()) {
                        let (shown, argument) = (game.show_move(&pos, mv), &phrase.argument);
                        assert_eq!(value, expected, "{} {argument:?} of {shown} at {}", phrase.name, game.show(&pos));
                        compared += 1;
                    }
                }
            }
            game.play(&mut pos, mv);
        }
    }
    compared
}

/// Once a line is complete the game is over, and what would come next means nothing.
fn put_completes_already(board: &Picture, put: &Put, name: &str) -> bool {
    ["threats", "fork", "leaves", "forks-left"].contains(&name) && board.with(put.cell, put.mark).complete(put.mark)
}

fn cell_of(columns: usize, rows: usize, cell: usize) -> Cell {
    ((cell % columns) as i32 + 1, (rows - cell / columns) as i32)
}

#[test]
fn features_of_mnk_games_agree_with_pictures() {
    for (m, n, k) in [(3, 3, 3), (4, 4, 3), (5, 4, 4), (4, 2, 3)] {
        let game = Mnk::new(m, n, k);
        let compared = compare(&game, k, |pos, mv| {
            let marks = if pos.turn() == agon_core::Player::First { ['X', 'O'] } else { ['O', 'X'] };
            let cell = cell_of(m, n, usize::from(mv));
            Put { cell, mark: marks[0], replies: vec![marks[1]], owned: true }
        });
        assert!(compared > 2000, "{compared}");
    }
}

#[test]
fn features_of_drop_games_agree_with_pictures() {
    let game = Drop::new(5, 4, 4);
    let compared = compare(&game, 4, |pos, mv| {
        let marks = if pos.turn() == agon_core::Player::First { ['X', 'O'] } else { ['O', 'X'] };
        let board = Picture::of(&game.show(pos), 4);
        let x = i32::from(mv) + 1;
        let y = (1..=4).find(|&y| board.at((x, y)) == Some('.')).expect("a legal move has room");
        Put { cell: (x, y), mark: marks[0], replies: vec![marks[1]], owned: true }
    });
    assert!(compared > 2000, "{compared}");
}

#[test]
fn features_of_order_and_chaos_agree_with_pictures() {
    for (columns, rows, k, symbols) in [(4, 4, 4, 2), (3, 4, 3, 2), (4, 3, 3, 3)] {
        let game = OrderChaos::new(columns, rows, k, symbols, true, Row::AtLeast);
        let letters = &['X', 'O', 'A', 'B'][..symbols];
        let compared = compare(&game, k, |_, mv| {
            let cell = cell_of(columns, rows, usize::from(mv.cell));
            Put { cell, mark: letters[usize::from(mv.symbol)], replies: letters.to_vec(), owned: false }
        });
        assert!(compared > 2000, "{compared}");
    }
}

#[test]
fn looking_at_lines_and_playing_by_the_rules_say_the_same() {
    let game = Mnk::new(4, 3, 3);
    let words = Vocabulary::new(&game);
    let of = |values: &[i32], name: &str| values[words.phrases().iter().position(|p| p.name == name).unwrap()];
    let mut rng = Rng::new(2);
    for _ in 0..200 {
        let mut pos = game.start();
        while let Some(mv) = game.random_move(&pos, &mut rng) {
            for (_, values) in words.values(&game, &pos, 0) {
                assert_eq!(of(&values, "completes"), of(&values, "wins"));
                if of(&values, "wins") == 0 {
                    assert_eq!(of(&values, "leaves") > 0, of(&values, "lets-win") == 1);
                }
            }
            game.play(&mut pos, mv);
        }
    }
}
