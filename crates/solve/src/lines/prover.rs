//! Proof-number search, depth first, with a table.

use super::guarded;
use super::moves::{Candidate, candidates, forced_win, private_pairs};
use super::position::{Board, Key, Live, Position, Step};
use agon_core::{Ctx, Lines, Meter, Stop};

/// What the search needs to know of a game with a maker and a breaker.
pub trait Rules {
    /// The lines in use.
    fn board(&self) -> &Board;

    /// Reduces a position as it stands; its live lines go to `out`.
    fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step;

    /// The move, cell and mark, by which the maker to move completes a line; the cell is always given.
    fn at_once(&self, pos: &Position, live: &[Live]) -> Option<(Option<usize>, usize)> {
        self.board().completing(pos, live)
    }

    /// Decided at sight, or an estimate.
    fn first_look(&self, pos: &Position, live: &[Live]) -> Effort;

    /// The moves worth trying where no first look decides.
    fn candidates(&self, pos: &Position, live: &[Live]) -> Vec<Candidate>;

    /// The position after a move; its live lines go to `out`.
    fn step(&self, pos: &Position, live: &[Live], candidate: Candidate, out: &mut Vec<Live>) -> Step {
        match candidate {
            Candidate::Put(cell, mark) => {
                let mut next = Position { maker: !pos.maker, ..*pos };
                next.marks[usize::from(mark)] |= 1 << cell;
                self.reduce(&next, out)
            }
            Candidate::Wait => {
                out.clear();
                out.extend_from_slice(live);
                self.board().wait(pos)
            }
        }
    }
}

const INFINITE: u32 = 1 << 30;

/// Children looked at before any more are made: with good ordering one of the first often decides.
const BATCH: usize = 6;

/// How hard a position is to prove and to disprove for the maker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    proof: u32,
    disproof: u32,
}

impl Effort {
    /// The maker wins.
    pub const MADE: Effort = Effort { proof: 0, disproof: INFINITE };
    /// The maker does not.
    pub const SPOILED: Effort = Effort { proof: INFINITE, disproof: 0 };

    /// An estimate from the number of private cells that the breaker is short of.
    #[must_use]
    pub fn short_of(missing: u32, maker: bool) -> Effort {
        match (missing.min(100), maker) {
            (0, _) => Effort::SPOILED,
            (d, true) => Effort { proof: 1 + 24 / d, disproof: d * d * d },
            (d, false) => Effort { proof: 1 + 24 / d, disproof: 1 + d * d * d / 2 },
        }
    }

    /// Seen by the side to move: to reach its aim, to be kept from it.
    fn seen(self, maker: bool) -> (u32, u32) {
        if maker { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    fn from_seen(aim: u32, kept: u32, maker: bool) -> Effort {
        if maker { Effort { proof: aim, disproof: kept } } else { Effort { proof: kept, disproof: aim } }
    }

    fn decided(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

impl Rules for Board {
    fn board(&self) -> &Board {
        self
    }

    fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step {
        Board::reduce(self, pos, out)
    }

    fn candidates(&self, pos: &Position, live: &[Live]) -> Vec<Candidate> {
        candidates(self, pos, live)
    }

    fn first_look(&self, pos: &Position, live: &[Live]) -> Effort {
        if pos.maker {
            if live.iter().any(|line| self.lacks(line) == 1) || forced_win(self, live).is_some() {
                return Effort::MADE;
            }
        } else if self.avoiding {
            if guarded::parries(self, live).is_some_and(|(parries, _)| parries.is_empty()) {
                return Effort::MADE;
            }
        } else {
            let short = live.iter().filter(|line| self.lacks(line) == 1).fold(0, |set: u64, line| set | line.need);
            if short.count_ones() > 1 {
                return Effort::MADE;
            }
        }
        Effort::short_of(private_pairs(self, pos, live, u32::MAX).missing, pos.maker)
    }
}

/// Key planes; proof and disproof number; work and flags. Plain words, so that an empty table costs
/// nothing before it is used.
type Entry = [u64; 5];

fn pack(key: &Key, effort: Effort, work: u32) -> Entry {
    let [a, b, c] = key.planes;
    let numbers = u64::from(effort.proof) << 32 | u64::from(effort.disproof);
    [a, b, c, numbers, u64::from(work) << 8 | u64::from(key.flags)]
}

fn holds(entry: &Entry, key: &Key) -> bool {
    work(entry) > 0 && entry[..3] == key.planes && entry[4] as u8 == key.flags
}

fn work(entry: &Entry) -> u32 {
    (entry[4] >> 8) as u32
}

#[derive(Clone, Copy)]
struct Child {
    key: Key,
    effort: Effort,
}

/// Finds out whether the maker can complete a line.
pub struct Prover<R = Board> {
    rules: R,
    /// Grows while it may: a small proof should not touch much memory.
    table: Vec<Entry>,
    filled: usize,
    most_slots: usize,
    nodes: u64,
}

const WAYS: usize = 4;
const FEWEST_SLOTS: usize = 1 << 14;

impl Prover<Board> {
    /// A prover whose table takes at most `bytes`.
    #[must_use]
    pub fn new(rules: &Lines, bytes: usize) -> Prover {
        Prover::with(Board::new(rules), bytes)
    }
}

impl<R: Rules> Prover<R> {
    /// A prover for these rules whose table takes at most `bytes`.
    #[must_use]
    pub fn with(rules: R, bytes: usize) -> Prover<R> {
        let most_slots = (bytes / size_of::<Entry>()).max(FEWEST_SLOTS);
        let table = vec![[0; 5]; FEWEST_SLOTS];
        Prover { rules, table, filled: 0, most_slots, nodes: 0 }
    }

    /// The rules in use.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The lines in use.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.rules.board()
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the maker can complete a line from `pos`.
    pub fn maker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop> {
        let mut live = Vec::new();
        match self.rules.reduce(pos, &mut live) {
            Step::Made => Ok(true),
            Step::Spoiled => Ok(false),
            Step::On(pos) => {
                let root = self.enter(&pos, &live);
                let effort = match root.effort.decided() {
                    Some(_) => root.effort,
                    None => self.search(root.key, INFINITE, INFINITE, &mut Work { ctx, meter: ctx.meter() })?,
                };
                Ok(effort.decided().expect("an unlimited search decides"))
            }
        }
    }

    /// The move, cell and mark, that wins for the side to move; the cell is `None` for the neutral one.
    /// `None` if no move does.
    pub fn winning_move(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(Option<usize>, usize)>, Stop> {
        let mut live = Vec::new();
        let reduced = match self.rules.reduce(pos, &mut live) {
            Step::On(reduced) => reduced,
            // Nothing can prevent it any more, so any move will do.
            Step::Made if pos.maker => {
                let free = self.board().rules.all() & !pos.filled();
                return Ok((free != 0).then(|| (Some(free.trailing_zeros() as usize), 0)));
            }
            Step::Made | Step::Spoiled => return Ok(None),
        };
        if let Some(now) = self.rules.at_once(&reduced, &live) {
            return Ok(Some(now));
        }
        let moves = self.rules.candidates(&reduced, &live);
        // What is known already comes first: it follows the proof that was found.
        let known = moves.iter().find(|&&mv| self.known(&reduced, &live, mv) == Some(reduced.maker)).copied();
        let mut next = Vec::new();
        for candidate in known.into_iter().chain(moves) {
            let step = self.rules.step(&reduced, &live, candidate, &mut next);
            if self.decide(step, ctx)? == reduced.maker {
                return Ok(Some(match candidate {
                    Candidate::Put(cell, mark) => (Some(usize::from(cell)), usize::from(mark)),
                    Candidate::Wait => (None, 0),
                }));
            }
        }
        Ok(None)
    }

    /// What the table knows about a move.
    fn known(&self, pos: &Position, live: &[Live], candidate: Candidate) -> Option<bool> {
        match self.rules.step(pos, live, candidate, &mut Vec::new()) {
            Step::Made => Some(true),
            Step::Spoiled => Some(false),
            Step::On(after) => self.get(&self.board().key(&after))?.decided(),
        }
    }

    /// Who wins after a step.
    pub(super) fn decide(&mut self, step: Step, ctx: &Ctx) -> Result<bool, Stop> {
        match step {
            Step::Made => Ok(true),
            Step::Spoiled => Ok(false),
            Step::On(pos) => self.maker_wins(&pos, ctx),
        }
    }

    /// What the table or a first look says about a reduced position.
    fn enter(&mut self, pos: &Position, live: &[Live]) -> Child {
        let key = self.board().key(pos);
        let effort = self.get(&key).unwrap_or_else(|| {
            let effort = self.rules.first_look(pos, live);
            self.put(&key, effort, 1);
            effort
        });
        Child { key, effort }
    }

    /// Works on a position until its numbers reach the limits.
    fn search(&mut self, key: Key, most_proof: u32, most_disproof: u32, work: &mut Work<'_>) -> Result<Effort, Stop> {
        work.meter.tick()?;
        self.nodes += 1;
        let begun = self.nodes;
        if begun.is_multiple_of(1 << 16) {
            work.ctx.progress("proving", begun, None);
        }
        let pos = key.position();
        let (mut live, mut next) = (Vec::new(), Vec::new());
        self.board().live(&pos, &mut live);
        let moves = self.rules.candidates(&pos, &live);
        let (most_aim, most_kept) = Effort { proof: most_proof, disproof: most_disproof }.seen(pos.maker);
        let mut children: Vec<Child> = Vec::with_capacity(moves.len());
        let (mut made, mut floor) = (0, 1);
        loop {
            // 1. More children, once those there are look worse than a fresh one.
            if made < moves.len() && children.iter().all(|c| c.effort.seen(pos.maker).0 > floor) {
                let end = moves.len().min(made + BATCH);
                let mut least = INFINITE;
                while made < end && least > 0 {
                    let child = match self.rules.step(&pos, &live, moves[made], &mut next) {
                        Step::Made => Child { key: Key::default(), effort: Effort::MADE },
                        Step::Spoiled => Child { key: Key::default(), effort: Effort::SPOILED },
                        Step::On(after) => self.enter(&after, &next),
                    };
                    made += 1;
                    least = least.min(child.effort.seen(pos.maker).0);
                    if child.effort.decided().is_some() || children.iter().all(|c| c.key != child.key) {
                        children.push(child);
                    }
                }
                floor = floor.max(least.min(INFINITE / 4)).saturating_mul(2).min(INFINITE / 4);
                continue;
            }
            // 2. The numbers of this position.
            let rest = moves.len() - made;
            let summary = Summary::of(&children, rest, floor, pos.maker);
            let effort = Effort::from_seen(summary.aim, summary.kept, pos.maker);
            let done = effort.decided().is_some() || summary.aim >= most_aim || summary.kept >= most_kept;
            if done {
                let spent = u32::try_from(self.nodes - begun + 1).unwrap_or(u32::MAX);
                self.put(&key, effort, spent);
                return Ok(effort);
            }
            // 3. The most promising child, until it looks clearly worse than the second.
            let slack = u64::from(summary.second) + u64::from(summary.second / 4).max(1);
            let aim = most_aim.min(slack.min(u64::from(INFINITE)) as u32);
            let kept = most_kept - summary.kept + children[summary.best].effort.seen(pos.maker).1;
            let limits = Effort::from_seen(aim, kept.min(INFINITE), pos.maker);
            let child = &mut children[summary.best];
            child.effort = self.search(child.key, limits.proof, limits.disproof, work)?;
        }
    }

    fn slot(&self, key: &Key) -> usize {
        let [a, b, c] = key.planes;
        let mut hash = a.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ b.rotate_left(29).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ c.wrapping_mul(0x1656_67B1_9E37_79F9)
            ^ u64::from(key.flags) << 17;
        hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (hash ^ hash >> 32) as usize & (self.table.len() - 1) & !(WAYS - 1)
    }

    fn get(&self, key: &Key) -> Option<Effort> {
        let slot = self.slot(key);
        let hit = self.table[slot..slot + WAYS].iter().find(|entry| holds(entry, key))?;
        Some(Effort { proof: (hit[3] >> 32) as u32, disproof: hit[3] as u32 })
    }

    /// Keeps what took the most work.
    fn put(&mut self, key: &Key, effort: Effort, work: u32) {
        let slot = self.slot(key);
        let ways = &mut self.table[slot..slot + WAYS];
        let own = ways.iter().position(|entry| holds(entry, key));
        let least = (0..WAYS).min_by_key(|&i| self::work(&ways[i])).unwrap_or(0);
        let at = &mut ways[own.unwrap_or(least)];
        self.filled += usize::from(self::work(at) == 0);
        *at = pack(key, effort, work);
        if 2 * self.filled > self.table.len() && 2 * self.table.len() <= self.most_slots {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let twice = vec![[0; 5]; 2 * self.table.len()];
        let old = std::mem::replace(&mut self.table, twice);
        self.filled = 0;
        for entry in old.iter().filter(|entry| work(entry) > 0) {
            let key = Key { planes: [entry[0], entry[1], entry[2]], flags: entry[4] as u8 };
            let slot = self.slot(&key);
            let ways = &mut self.table[slot..slot + WAYS];
            if let Some(free) = ways.iter_mut().find(|way| work(way) == 0) {
                *free = *entry;
                self.filled += 1;
            }
        }
    }
}

/// When to stop, and the count of nodes.
struct Work<'a> {
    ctx: &'a Ctx,
    meter: Meter<'a>,
}

/// The numbers of a position from its children's.
struct Summary {
    aim: u32,
    kept: u32,
    best: usize,
    second: u32,
}

impl Summary {
    fn of(children: &[Child], rest: usize, floor: u32, maker: bool) -> Summary {
        let (mut best, mut first, mut second, mut easiest) = (0, INFINITE, INFINITE, INFINITE);
        let (mut sum, mut all_lost) = (rest as u64, rest == 0);
        for (i, child) in children.iter().enumerate() {
            let (aim, kept) = child.effort.seen(maker);
            sum += u64::from(kept);
            all_lost &= kept == 0;
            if aim < first || (aim == first && kept < easiest) {
                second = second.min(first);
                (best, first, easiest) = (i, aim, kept);
            } else {
                second = second.min(aim);
            }
        }
        if rest > 0 {
            second = second.min(floor + 1);
        }
        let (aim, kept) = match (first, all_lost) {
            (_, true) => (INFINITE, 0),
            (0, _) => (0, INFINITE),
            _ => (first, sum.min(u64::from(INFINITE) - 1) as u32),
        };
        Summary { aim, kept, best, second }
    }
}
