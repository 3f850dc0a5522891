//! Forced wins of Tak under draw rules, against rules written a second time for this test.
//!
//! A draw rule makes the value of a position depend on the play before it, so a search that confuses two pasts states
//! wins that are none, or misses some.

use agon_core::{Ctx, Family, Game, Notation, Player, Rng, Wdl, collect_moves};
use agon_games::tak::Tak;
use agon_solve::forced::Forced;
use std::collections::{HashMap, HashSet};

/// A piece: its owner, and whether it is a flat (`F`), a wall (`S`) or a capstone (`C`).
type Piece = (usize, char);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Board {
    /// From the bottom to the top.
    stacks: Vec<Vec<Piece>>,
    turn: usize,
}

/// A position with everything that a draw rule may ask for.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    board: Board,
    left: [(u32, u32); 2],
    /// The boards since the last placement or crush.
    past: Vec<Board>,
}

/// The rules.
struct Rules {
    columns: usize,
    rows: usize,
    pieces: (u32, u32),
    half_komi: i32,
    swap: bool,
    draw: &'static str,
}

impl Rules {
    fn spelling(&self) -> String {
        let (flats, caps) = self.pieces;
        let opening = if self.swap { "swap" } else { "noswap" };
        format!(
            "tak:{}x{},flats={flats},caps={caps},komi={},opening={opening},draw={}",
            self.columns,
            self.rows,
            f64::from(self.half_komi) / 2.0,
            self.draw
        )
    }

    fn start(&self) -> State {
        let board = Board { stacks: vec![Vec::new(); self.columns * self.rows], turn: 0 };
        State { board, left: [self.pieces; 2], past: Vec::new() }
    }

    /// The square next to another, row 0 being the top one as on a page.
    fn step(&self, cell: usize, direction: char) -> Option<usize> {
        let (x, y) = (cell % self.columns, cell / self.columns);
        match direction {
            '+' if y > 0 => Some(cell - self.columns),
            '-' if y + 1 < self.rows => Some(cell + self.columns),
            '>' if x + 1 < self.columns => Some(cell + 1),
            '<' if x > 0 => Some(cell - 1),
            _ => None,
        }
    }

    fn name(&self, cell: usize) -> String {
        format!("{}{}", char::from(b'a' + (cell % self.columns) as u8), self.rows - cell / self.columns)
    }

    fn has_road(&self, board: &Board, side: usize) -> bool {
        let carries =
            |cell: usize| board.stacks[cell].last().is_some_and(|&(owner, kind)| owner == side && kind != 'S');
        let reaches = |from: Vec<usize>, to: &dyn Fn(usize) -> bool| {
            let mut todo: Vec<usize> = from.into_iter().filter(|&cell| carries(cell)).collect();
            let mut seen: HashSet<usize> = todo.iter().copied().collect();
            while let Some(cell) = todo.pop() {
                if to(cell) {
                    return true;
                }
                for next in ['+', '-', '>', '<'].into_iter().filter_map(|direction| self.step(cell, direction)) {
                    if carries(next) && seen.insert(next) {
                        todo.push(next);
                    }
                }
            }
            false
        };
        let (columns, rows) = (self.columns, self.rows);
        reaches((0..columns).collect(), &|cell| cell / columns == rows - 1)
            || reaches((0..rows).map(|y| y * columns).collect(), &|cell| cell % columns == columns - 1)
    }

    /// The winner, `None` for a draw; nothing while play continues.
    fn outcome(&self, state: &State) -> Option<Option<usize>> {
        let last = 1 - state.board.turn;
        if let Some(side) = [last, 1 - last].into_iter().find(|&side| self.has_road(&state.board, side)) {
            return Some(Some(side));
        }
        let full = state.board.stacks.iter().all(|stack| !stack.is_empty());
        if full || state.left.contains(&(0, 0)) {
            let tops = state.board.stacks.iter().filter_map(|stack| stack.last());
            let lead: i32 = tops.map(|&top| i32::from(top == (0, 'F')) - i32::from(top == (1, 'F'))).sum();
            return Some(match (2 * lead - self.half_komi).signum() {
                1 => Some(0),
                -1 => Some(1),
                _ => None,
            });
        }
        let drawn = match self.draw {
            "threefold" => state.past.iter().filter(|board| **board == state.board).count() >= 2,
            "fifty" => state.past.len() >= 50,
            _ => false,
        };
        drawn.then_some(None)
    }

    /// Every move with where it leads.
    fn moves(&self, state: &State) -> Vec<(String, State)> {
        let side = state.board.turn;
        let placed: u32 = state.board.stacks.iter().map(|stack| stack.len() as u32).sum();
        let opening = self.swap && placed == side as u32 && state.past.is_empty();
        let mut list = Vec::new();
        for cell in 0..state.board.stacks.len() {
            if state.board.stacks[cell].is_empty() {
                let owner = if opening { 1 - side } else { side };
                for kind in if opening { vec!['F'] } else { vec!['F', 'S', 'C'] } {
                    let mut next = state.clone();
                    let reserve = &mut next.left[owner];
                    let reserve = if kind == 'C' { &mut reserve.1 } else { &mut reserve.0 };
                    if *reserve > 0 {
                        *reserve -= 1;
                        next.board.stacks[cell].push((owner, kind));
                        (next.board.turn, next.past) = (1 - side, Vec::new());
                        let letter = if kind == 'F' { String::new() } else { kind.to_string() };
                        list.push((letter + &self.name(cell), next));
                    }
                }
            } else if !opening && state.board.stacks[cell].last().is_some_and(|&(owner, _)| owner == side) {
                for carried in 1..=state.board.stacks[cell].len().min(self.columns.min(self.rows)) {
                    for direction in ['+', '-', '>', '<'] {
                        self.drop_on(state, (cell, carried, direction), &mut Vec::new(), &mut list);
                    }
                }
            }
        }
        list
    }

    /// Slides that begin with these drops.
    fn drop_on(
        &self,
        state: &State,
        (cell, carried, direction): (usize, usize, char),
        drops: &mut Vec<usize>,
        list: &mut Vec<(String, State)>,
    ) {
        let left = carried - drops.iter().sum::<usize>();
        if left == 0 {
            list.push(self.slide(state, (cell, carried, direction), drops));
            return;
        }
        let reached = (0..=drops.len()).try_fold(cell, |at, _| self.step(at, direction));
        let Some(next) = reached else { return };
        let top = state.board.stacks[next].last().map(|&(_, kind)| kind);
        let has_cap = state.board.stacks[cell].last().is_some_and(|&(_, kind)| kind == 'C');
        for drop in 1..=left {
            let crushes = top == Some('S') && has_cap && left == 1;
            if matches!(top, None | Some('F')) || crushes {
                drops.push(drop);
                self.drop_on(state, (cell, carried, direction), drops, list);
                drops.pop();
            }
        }
    }

    fn slide(
        &self,
        state: &State,
        (cell, carried, direction): (usize, usize, char),
        drops: &[usize],
    ) -> (String, State) {
        let mut next = state.clone();
        let height = next.board.stacks[cell].len();
        let mut hand = next.board.stacks[cell].split_off(height - carried).into_iter();
        let (mut at, mut crushed) = (cell, false);
        for &drop in drops {
            at = self.step(at, direction).expect("it was reached");
            if let Some(top) = next.board.stacks[at].last_mut().filter(|top| top.1 == 'S') {
                (top.1, crushed) = ('F', true);
            }
            next.board.stacks[at].extend(hand.by_ref().take(drop));
        }
        next.past.push(state.board.clone());
        if crushed {
            next.past.clear();
        }
        next.board.turn = 1 - state.board.turn;
        let count = if carried == 1 { String::new() } else { carried.to_string() };
        let shown: String = drops.iter().map(usize::to_string).collect();
        let shown = if drops.len() == 1 { String::new() } else { shown };
        (format!("{count}{}{direction}{shown}", self.name(cell)), next)
    }
}

/// Answers by exhaustion, each kept for the whole state.
struct Plain<'a> {
    rules: &'a Rules,
    side: usize,
    least: Wdl,
    known: HashMap<(State, u32), bool>,
}

impl Plain<'_> {
    /// Returns whether the side gets what it wants within `n` plies.
    fn within(&mut self, state: &State, n: u32) -> bool {
        if let Some(winner) = self.rules.outcome(state) {
            return winner == Some(self.side) || winner.is_none() && self.least == Wdl::Draw;
        }
        if n == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(state.clone(), n)) {
            return known;
        }
        let mut children = self.rules.moves(state).into_iter();
        let found = if state.board.turn == self.side {
            children.any(|(_, child)| self.within(&child, n - 1))
        } else {
            children.all(|(_, child)| self.within(&child, n - 1))
        };
        self.known.insert((state.clone(), n), found);
        found
    }
}

/// Compares searches along random plays with many slides; how many answers were yes, and no.
fn compare(rules: &Rules, plays: usize, deepest: u32, seed: u64) -> [u32; 2] {
    let (game, _) = Tak::from_spelling(&rules.spelling()).expect("a spelling");
    let mut rng = Rng::new(seed);
    let mut seen = [0; 2];
    for side in Player::BOTH {
        for least in [Wdl::Win, Wdl::Draw] {
            // One search answers about every position, as it does for the values of moves.
            let mut search =
                if least == Wdl::Win { Forced::new(side, 1 << 20) } else { Forced::holding(side, 1 << 20) };
            let mut plain = Plain { rules, side: side as usize, least, known: HashMap::new() };
            for _ in 0..plays {
                let (mut pos, mut state) = (game.start(), rules.start());
                while rules.outcome(&state).is_none() {
                    let text = game.show(&pos);
                    for n in 0..=deepest {
                        let found = search.within(&game, &pos, n, &mut Ctx::default().meter());
                        let expected = plain.within(&state, n);
                        let about = format!("{} {text}: {least:?} of {side:?} within {n}", rules.spelling());
                        assert_eq!(found, Ok(expected), "{about}");
                        seen[usize::from(expected)] += 1;
                    }
                    plain.known.clear();
                    let next = rules.moves(&state);
                    let mut names: Vec<&str> = next.iter().map(|(name, _)| name.as_str()).collect();
                    let legal = collect_moves(&game, &pos);
                    let mut given: Vec<String> = legal.iter().map(|&mv| game.show_move(&pos, mv)).collect();
                    names.sort_unstable();
                    given.sort_unstable();
                    assert_eq!(given, names, "{text}");
                    let slides: Vec<_> = next.iter().filter(|(name, _)| name.contains(['+', '-', '<', '>'])).collect();
                    let slide = !slides.is_empty() && rng.below(8) > 0;
                    let (name, after) =
                        if slide { slides[rng.below(slides.len())] } else { &next[rng.below(next.len())] };
                    let mv = game.parse_move(&pos, name).expect("the names agree");
                    game.play(&mut pos, mv);
                    state = after.clone();
                }
                let winner = rules.outcome(&state).flatten();
                let ended = game.outcome(&pos).map(|outcome| outcome.seen_by(Player::First));
                let expected = winner.map_or(Wdl::Draw, |side| if side == 0 { Wdl::Win } else { Wdl::Loss });
                assert_eq!(ended, Some(expected), "{}", game.show(&pos));
            }
        }
    }
    seen
}

#[test]
fn forced_wins_and_draws_agree_with_exhaustion_whatever_the_play_before() {
    let mut seen = [0; 2];
    for draw in ["threefold", "fifty", "none"] {
        for (columns, rows, pieces) in [(2, 2, (3, 0)), (3, 1, (3, 0)), (2, 2, (2, 1)), (3, 2, (4, 0))] {
            let deepest = if columns * rows > 4 { 3 } else { 4 };
            let rules = Rules { columns, rows, pieces, half_komi: 1, swap: true, draw };
            // Without a rule a play of slides need not end soon.
            let plays = if draw == "none" { 2 } else { 8 };
            let found = compare(&rules, plays, deepest, 7);
            seen = [seen[0] + found[0], seen[1] + found[1]];
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

#[test]
fn a_win_in_the_first_round_takes_one_ply() {
    // White places Black's only flat; komi gives White the count.
    for (columns, rows, half_komi, swap) in [(3, 3, -4, true), (3, 1, -4, true), (2, 2, -4, true), (2, 2, -4, false)] {
        let rules = Rules { columns, rows, pieces: (1, 0), half_komi, swap, draw: "none" };
        compare(&rules, 4, 3, 1);
    }
}
