//! Small boards: the value and distance of every position, by one pass over an array.
//!
//! The rank of a position has one digit for each cell, so every move increases it: in descending order, all successors
//! of a position are known before it. Both turns are valued together.

use agon_core::lines::Line;
use agon_core::solver::{Failed, Solver};
use agon_core::{Acyclic, Bounds, Ctx, LineGame, Lines, Solution, Stop, Strategy, Wdl, collect_moves};

/// The value of a completed line; it falls by one for every ply before it. 0 is a spoiled board.
const COMPLETE: u8 = 100;

/// The most boards in a block. A block is valued as a whole, so that most of the work is on rows of bytes.
const MAX_BLOCK: usize = 256;

/// Values of all boards, for either side to move.
pub struct Sweep {
    base: usize,
    /// Maker to move, then breaker to move.
    values: [Vec<u8>; 2],
}

/// Data that all blocks share.
struct Plan {
    base: usize,
    block: usize,
    high: usize,
    /// For each line, its condition on the high cells, and the low boards that satisfy it.
    lines: Vec<(Line, Vec<u8>)>,
    /// For each low board, its successors in the same block.
    next: Vec<Vec<u8>>,
    settled: bool,
}

impl Sweep {
    /// Memory in bytes for the values of a game; `None` above 8 GiB.
    #[must_use]
    pub fn bytes(rules: &Lines) -> Option<usize> {
        (rules.marks + 1).checked_pow(rules.cells as u32).filter(|&n| n <= 1 << 32).map(|n| 2 * n)
    }

    /// Values every board. The caller must check [`Sweep::bytes`] first.
    pub fn new(rules: &Lines, ctx: &Ctx) -> Result<Sweep, Stop> {
        let plan = Plan::new(rules);
        let blocks = plan.base.pow(plan.high as u32);
        let mut values = [vec![0; blocks * plan.block], vec![0; blocks * plan.block]];
        let mut digits = vec![plan.base - 1; plan.high];
        let mut row = Row { best: vec![0; plan.block], worst: vec![0; plan.block], made: vec![0; plan.block] };
        for block in (0..blocks).rev() {
            if block.is_multiple_of(1 << 16) {
                ctx.check()?;
                ctx.progress("valuing", (blocks - block) as u64, Some(blocks as u64));
            }
            plan.value(block, &digits, &mut values, &mut row);
            for digit in &mut digits {
                if *digit > 0 {
                    *digit -= 1;
                    break;
                }
                *digit = plan.base - 1;
            }
        }
        Ok(Sweep { base: plan.base, values })
    }

    /// The number of boards, each valued for both sides to move.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.values[0].len()
    }

    /// The rank of a board.
    #[must_use]
    pub fn rank(&self, marks: &[u64]) -> usize {
        let digit = |cell: usize| marks.iter().position(|cells| cells >> cell & 1 == 1).map_or(0, |mark| mark + 1);
        let cells = (0..64).take_while(|&cell| self.base.checked_pow(cell as u32).is_some_and(|p| p < self.boards()));
        cells.map(|cell| digit(cell) * self.base.pow(cell as u32)).sum()
    }

    /// Plies until a line is complete under best play; `None` where the breaker spoils them all.
    #[must_use]
    pub fn plies(&self, rank: usize, maker: bool) -> Option<u32> {
        match self.values[usize::from(!maker)][rank] {
            0 => None,
            value => Some(u32::from(COMPLETE - value)),
        }
    }
}

struct Row {
    best: Vec<u8>,
    worst: Vec<u8>,
    made: Vec<u8>,
}

impl Plan {
    fn new(rules: &Lines) -> Plan {
        let base = rules.marks + 1;
        let low = (0..=rules.cells).take_while(|&low| base.pow(low as u32) <= MAX_BLOCK).last().unwrap_or(0);
        let block = base.pow(low as u32);
        let digit = |board: usize, cell: usize| board / base.pow(cell as u32) % base;
        let fits = |line: &Line, board: usize| {
            (0..low).all(|cell| {
                let own = digit(board, cell) == usize::from(line.mark) + 1;
                (line.want >> cell & 1 == 0 || own) && (line.avoid >> cell & 1 == 0 || !own)
            })
        };
        let part = |line: &Line| {
            let high = Line { want: line.want >> low, avoid: line.avoid >> low, ..*line };
            (high, (0..block).map(|board| u8::from(fits(line, board)) * COMPLETE).collect())
        };
        let next = |board: usize| {
            let empty = (0..low).filter(move |&cell| digit(board, cell) == 0);
            empty.flat_map(|cell| (1..base).map(move |d| (board + d * base.pow(cell as u32)) as u8)).collect()
        };
        Plan {
            base,
            block,
            high: rules.cells - low,
            lines: rules.lines.iter().map(part).collect(),
            next: (0..block).map(next).collect(),
            settled: rules.settled,
        }
    }

    /// Values one block, after all blocks above it.
    fn value(&self, block: usize, digits: &[usize], values: &mut [Vec<u8>; 2], row: &mut Row) {
        let at = block * self.block;
        // 1. Moves into the high cells lead to the same place in another block.
        row.best.fill(0);
        row.worst.fill(u8::MAX);
        let mut full = true;
        let mut power = self.block;
        for &digit in digits {
            if digit == 0 {
                full = false;
                for d in 1..self.base {
                    let there = at + d * power;
                    let [maker, breaker] = &*values;
                    raise(&mut row.best, &breaker[there..there + self.block]);
                    lower(&mut row.worst, &maker[there..there + self.block]);
                }
            }
            power *= self.base;
        }
        // 2. Boards with a complete line.
        row.made.fill(0);
        if full || !self.settled {
            self.complete(digits, &mut row.made);
        }
        // 3. Moves into the low cells stay in the block.
        let [maker, breaker] = values;
        let (maker, breaker) = (&mut maker[at..at + self.block], &mut breaker[at..at + self.block]);
        for board in (0..self.block).rev() {
            let next = &self.next[board];
            if row.made[board] > 0 && (!self.settled || next.is_empty()) {
                (maker[board], breaker[board]) = (COMPLETE, COMPLETE);
                continue;
            }
            let (mut best, mut worst) = (row.best[board], row.worst[board]);
            for &there in next {
                best = best.max(breaker[usize::from(there)]);
                worst = worst.min(maker[usize::from(there)]);
            }
            // A full board without a line has nowhere to go.
            let worst = if worst == u8::MAX { 0 } else { worst };
            (maker[board], breaker[board]) = (best.saturating_sub(1), worst.saturating_sub(1));
        }
    }

    fn complete(&self, digits: &[usize], made: &mut [u8]) {
        let mut marks = [0u64; agon_core::lines::MAX_MARKS + 1];
        digits.iter().enumerate().for_each(|(cell, &digit)| marks[digit] |= 1 << cell);
        for (high, low) in &self.lines {
            let own = marks[usize::from(high.mark) + 1];
            if own & high.want == high.want && own & high.avoid == 0 {
                raise(made, low);
            }
        }
    }
}

fn raise(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = (*to).max(from));
}

fn lower(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = (*to).min(from));
}

/// A solver that values all boards at the first question.
#[derive(Default)]
pub struct Swept(Option<(Sweep, agon_core::Player)>);

impl<G: Acyclic + LineGame> Solver<G> for Swept {
    /// If the lines are spoiled, play lasts until the board is full.
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        let (sweep, maker) = match &self.0 {
            Some((sweep, maker)) => (sweep, *maker),
            None => {
                let lines = agon_core::Player::BOTH.into_iter().find_map(|maker| game.lines(maker));
                let lines = lines.ok_or_else(|| Failed::Unsuitable("the game has no lines to complete".to_string()))?;
                let made = self.0.insert((Sweep::new(&lines, ctx)?, lines.maker));
                (&made.0, made.1)
            }
        };
        let plies = |pos: &G::Position| sweep.plies(sweep.rank(&game.line_marks(pos, maker)), game.turn(pos) == maker);
        let found = plies(pos);
        let won = found.is_some() == (game.turn(pos) == maker);
        let wanted = found.and_then(|plies| plies.checked_sub(1));
        let mut best = None;
        game.moves(pos, &mut |mv| {
            if best.is_none() && plies(&game.after(pos, mv)) == wanted {
                best = Some(mv);
            }
        });
        Ok(Solution {
            value: Bounds::exactly(if won { Wdl::Win } else { Wdl::Loss }),
            plies: found.or_else(|| game.outcome(pos).is_none().then(|| game.height(pos))),
            best,
            nodes: sweep.boards() as u64,
            stopped: None,
        })
    }
}

/// The maker's quickest wins, as a strategy.
pub struct Player {
    sweep: Sweep,
    maker: agon_core::Player,
}

impl Player {
    /// Values every board of a game of lines; the caller has made sure of the memory.
    pub fn new<G: LineGame>(game: &G, ctx: &Ctx) -> Result<Player, Stop> {
        let lines = agon_core::Player::BOTH.into_iter().find_map(|maker| game.lines(maker));
        let lines = lines.expect("a sweep is for games of lines");
        Ok(Player { maker: lines.maker, sweep: Sweep::new(&lines, ctx)? })
    }
}

impl<G: LineGame> Strategy<G> for Player {
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move> {
        let plies = |pos: &G::Position| {
            let rank = self.sweep.rank(&game.line_marks(pos, self.maker));
            self.sweep.plies(rank, game.turn(pos) == self.maker).unwrap_or(u32::MAX)
        };
        collect_moves(game, pos).into_iter().min_by_key(|&mv| plies(&game.after(pos, mv))).into_iter().collect()
    }
}
