//! Depth-first proof-number search with a transposition table (df-pn; Nagai 2002).
//!
//! The maker's nodes are OR nodes and the breaker's are AND nodes. `pn` and `dn` are the proof and the disproof number
//! of "the maker completes a line". At a node, φ is the number of the side to move (`pn` at an OR node, `dn` at an
//! AND node) and δ that of the other side. φ is the minimum, and δ the sum, of the children's numbers of that side.

use super::guarded;
use super::moves::{Candidate, candidates, forced_win, private_pairs};
use super::position::{Board, Key, Live, Position, Step};
use agon_core::{Ctx, Lines, Meter, Stop};

/// The rules of a maker-breaker game, as the search needs them.
pub trait Rules {
    /// The lines.
    fn board(&self) -> &Board;

    /// Reduces a position and writes its live lines to `out`.
    fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step;

    /// The move (cell, mark) that completes a line, if the maker is to move and has one. The cell is never `None`.
    fn completing_move(&self, pos: &Position, live: &[Live]) -> Option<(Option<usize>, usize)> {
        self.board().completing(pos, live)
    }

    /// The proof and disproof number of a leaf: decided, or an estimate.
    fn evaluate(&self, pos: &Position, live: &[Live]) -> Numbers;

    /// The moves to search, where `evaluate` does not decide.
    fn candidates(&self, pos: &Position, live: &[Live]) -> Vec<Candidate>;

    /// Plays a move and writes the live lines after it to `out`.
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

/// The number of a position that cannot be proven, or disproven.
const INFINITE: u32 = 1 << 30;

/// Children generated together: with good ordering one of the first often decides.
const CHILDREN_PER_BATCH: usize = 6;

/// The proof and disproof number of a position, for the claim that the maker completes a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The proof number: a lower bound of the leaves to prove. 0 when proven.
    pn: u32,
    /// The disproof number: a lower bound of the leaves to disprove. 0 when disproved.
    dn: u32,
}

impl Numbers {
    /// The maker completes a line.
    pub const PROVED: Numbers = Numbers { pn: 0, dn: INFINITE };
    /// The breaker spoils every line.
    pub const DISPROVED: Numbers = Numbers { pn: INFINITE, dn: 0 };

    /// An estimate from the number of cells that the breaker's pairing lacks; 0 disproves.
    #[must_use]
    pub fn from_missing_pairs(missing: u32, maker: bool) -> Numbers {
        match (missing.min(100), maker) {
            (0, _) => Numbers::DISPROVED,
            (d, true) => Numbers { pn: 1 + 24 / d, dn: d * d * d },
            (d, false) => Numbers { pn: 1 + 24 / d, dn: 1 + d * d * d / 2 },
        }
    }

    /// (φ, δ) for the maker (OR node) or the breaker (AND node).
    fn phi_delta(self, maker: bool) -> (u32, u32) {
        if maker { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }

    fn from_phi_delta(phi: u32, delta: u32, maker: bool) -> Numbers {
        if maker { Numbers { pn: phi, dn: delta } } else { Numbers { pn: delta, dn: phi } }
    }

    /// Returns whether the maker wins, once that is decided.
    fn decided(self) -> Option<bool> {
        match (self.pn, self.dn) {
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

    fn evaluate(&self, pos: &Position, live: &[Live]) -> Numbers {
        if pos.maker {
            if live.iter().any(|line| self.lacks(line) == 1) || forced_win(self, live).is_some() {
                return Numbers::PROVED;
            }
        } else if self.avoiding {
            if guarded::parries(self, live).is_some_and(|(parries, _)| parries.is_empty()) {
                return Numbers::PROVED;
            }
        } else {
            let short = live.iter().filter(|line| self.lacks(line) == 1).fold(0, |set: u64, line| set | line.need);
            if short.count_ones() > 1 {
                return Numbers::PROVED;
            }
        }
        Numbers::from_missing_pairs(private_pairs(self, pos, live, u32::MAX).missing, pos.maker)
    }
}

/// An entry of the transposition table: three planes of the key; `pn` and `dn`; work and flags. All zero is an empty
/// entry, so the system can supply the pages of an unused table on demand.
type Entry = [u64; 5];

fn pack(key: &Key, numbers: Numbers, work: u32) -> Entry {
    let [a, b, c] = key.planes;
    let packed = u64::from(numbers.pn) << 32 | u64::from(numbers.dn);
    [a, b, c, packed, u64::from(work) << 8 | u64::from(key.flags)]
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
    numbers: Numbers,
}

/// Proves or disproves that the maker completes a line.
pub struct Prover<R = Board> {
    rules: R,
    /// The transposition table. It grows on demand, so that a small proof uses little memory.
    table: Vec<Entry>,
    filled: usize,
    max_entries: usize,
    nodes: u64,
}

/// Entries in a bucket of the table.
const WAYS: usize = 4;
/// The initial size of the table, in entries.
const MIN_ENTRIES: usize = 1 << 14;

impl Prover<Board> {
    /// A prover whose transposition table takes at most `bytes`.
    #[must_use]
    pub fn new(rules: &Lines, bytes: usize) -> Prover {
        Prover::with(Board::new(rules), bytes)
    }
}

impl<R: Rules> Prover<R> {
    /// A prover for these rules whose transposition table takes at most `bytes`.
    #[must_use]
    pub fn with(rules: R, bytes: usize) -> Prover<R> {
        let max_entries = (bytes / size_of::<Entry>()).max(MIN_ENTRIES);
        let table = vec![[0; 5]; MIN_ENTRIES];
        Prover { rules, table, filled: 0, max_entries, nodes: 0 }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The lines.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.rules.board()
    }

    /// The number of positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Decides whether the maker completes a line from `pos`.
    pub fn maker_wins(&mut self, pos: &Position, ctx: &Ctx) -> Result<bool, Stop> {
        let mut live = Vec::new();
        match self.rules.reduce(pos, &mut live) {
            Step::Made => Ok(true),
            Step::Spoiled => Ok(false),
            Step::On(pos) => {
                let root = self.child(&pos, &live);
                let numbers = match root.numbers.decided() {
                    Some(_) => root.numbers,
                    None => self.search(
                        root.key,
                        Numbers { pn: INFINITE, dn: INFINITE },
                        &mut Work { ctx, meter: ctx.meter() },
                    )?,
                };
                Ok(numbers.decided().expect("an unlimited search decides"))
            }
        }
    }

    /// A winning move (cell, mark) of the side to move; `None` if there is none. The cell is `None` for the neutral
    /// cell.
    pub fn winning_move(&mut self, pos: &Position, ctx: &Ctx) -> Result<Option<(Option<usize>, usize)>, Stop> {
        let mut live = Vec::new();
        let reduced = match self.rules.reduce(pos, &mut live) {
            Step::On(reduced) => reduced,
            // The line cannot be spoiled any more, so any move wins.
            Step::Made if pos.maker => {
                let free = self.board().rules.all() & !pos.filled();
                return Ok((free != 0).then(|| (Some(free.trailing_zeros() as usize), 0)));
            }
            Step::Made | Step::Spoiled => return Ok(None),
        };
        if let Some(now) = self.rules.completing_move(&reduced, &live) {
            return Ok(Some(now));
        }
        let moves = self.rules.candidates(&reduced, &live);
        // Decided moves come first, because they follow the proof that was found.
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

    /// The result of a move, if the table has it.
    fn known(&self, pos: &Position, live: &[Live], candidate: Candidate) -> Option<bool> {
        match self.rules.step(pos, live, candidate, &mut Vec::new()) {
            Step::Made => Some(true),
            Step::Spoiled => Some(false),
            Step::On(after) => self.get(&self.board().key(&after))?.decided(),
        }
    }

    /// Decides whether the maker wins after a step.
    pub(super) fn decide(&mut self, step: Step, ctx: &Ctx) -> Result<bool, Stop> {
        match step {
            Step::Made => Ok(true),
            Step::Spoiled => Ok(false),
            Step::On(pos) => self.maker_wins(&pos, ctx),
        }
    }

    /// Looks a reduced position up in the table, or evaluates and stores it.
    fn child(&mut self, pos: &Position, live: &[Live]) -> Child {
        let key = self.board().key(pos);
        let numbers = self.get(&key).unwrap_or_else(|| {
            let numbers = self.rules.evaluate(pos, live);
            self.put(&key, numbers, 1);
            numbers
        });
        Child { key, numbers }
    }

    /// Multiple-iterative deepening: searches a position until `pn` or `dn` reaches its threshold.
    fn search(&mut self, key: Key, thresholds: Numbers, work: &mut Work<'_>) -> Result<Numbers, Stop> {
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
        let (max_phi, max_delta) = thresholds.phi_delta(pos.maker);
        let mut children: Vec<Child> = Vec::with_capacity(moves.len());
        let (mut generated, mut floor) = (0, 1);
        loop {
            // Step 1. Generate more children, once all present ones look worse than a fresh one.
            if generated < moves.len() && children.iter().all(|c| c.numbers.phi_delta(pos.maker).0 > floor) {
                let end = moves.len().min(generated + CHILDREN_PER_BATCH);
                let mut least = INFINITE;
                while generated < end && least > 0 {
                    let child = match self.rules.step(&pos, &live, moves[generated], &mut next) {
                        Step::Made => Child { key: Key::default(), numbers: Numbers::PROVED },
                        Step::Spoiled => Child { key: Key::default(), numbers: Numbers::DISPROVED },
                        Step::On(after) => self.child(&after, &next),
                    };
                    generated += 1;
                    least = least.min(child.numbers.phi_delta(pos.maker).0);
                    if child.numbers.decided().is_some() || children.iter().all(|c| c.key != child.key) {
                        children.push(child);
                    }
                }
                floor = floor.max(least.min(INFINITE / 4)).saturating_mul(2).min(INFINITE / 4);
                continue;
            }
            // Step 2. Compute φ and δ from the children, and return at a threshold.
            let rest = moves.len() - generated;
            let summary = Summary::of(&children, rest, floor, pos.maker);
            let numbers = Numbers::from_phi_delta(summary.phi, summary.delta, pos.maker);
            let done = numbers.decided().is_some() || summary.phi >= max_phi || summary.delta >= max_delta;
            if done {
                let spent = u32::try_from(self.nodes - begun + 1).unwrap_or(u32::MAX);
                self.put(&key, numbers, spent);
                return Ok(numbers);
            }
            // Step 3. Search the best child until its φ exceeds the second best by a quarter (Pawlewicz and Lew 2007).
            let slack = u64::from(summary.second) + u64::from(summary.second / 4).max(1);
            let phi = max_phi.min(slack.min(u64::from(INFINITE)) as u32);
            let delta = max_delta - summary.delta + children[summary.best].numbers.phi_delta(pos.maker).1;
            let thresholds = Numbers::from_phi_delta(phi, delta.min(INFINITE), pos.maker);
            let child = &mut children[summary.best];
            child.numbers = self.search(child.key, thresholds, work)?;
        }
    }

    fn bucket(&self, key: &Key) -> usize {
        let [a, b, c] = key.planes;
        let mut hash = a.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ b.rotate_left(29).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ c.wrapping_mul(0x1656_67B1_9E37_79F9)
            ^ u64::from(key.flags) << 17;
        hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (hash ^ hash >> 32) as usize & (self.table.len() - 1) & !(WAYS - 1)
    }

    fn get(&self, key: &Key) -> Option<Numbers> {
        let bucket = self.bucket(key);
        let hit = self.table[bucket..bucket + WAYS].iter().find(|entry| holds(entry, key))?;
        Some(Numbers { pn: (hit[3] >> 32) as u32, dn: hit[3] as u32 })
    }

    /// Stores an entry in its bucket, over the entry that took the least work.
    fn put(&mut self, key: &Key, numbers: Numbers, work: u32) {
        let bucket = self.bucket(key);
        let ways = &mut self.table[bucket..bucket + WAYS];
        let own = ways.iter().position(|entry| holds(entry, key));
        let least = (0..WAYS).min_by_key(|&i| self::work(&ways[i])).unwrap_or(0);
        let at = &mut ways[own.unwrap_or(least)];
        self.filled += usize::from(self::work(at) == 0);
        *at = pack(key, numbers, work);
        if 2 * self.filled > self.table.len() && 2 * self.table.len() <= self.max_entries {
            self.grow();
        }
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let doubled = vec![[0; 5]; 2 * self.table.len()];
        let old = std::mem::replace(&mut self.table, doubled);
        self.filled = 0;
        for entry in old.iter().filter(|entry| work(entry) > 0) {
            let key = Key { planes: [entry[0], entry[1], entry[2]], flags: entry[4] as u8 };
            let bucket = self.bucket(&key);
            let ways = &mut self.table[bucket..bucket + WAYS];
            if let Some(free) = ways.iter_mut().find(|way| work(way) == 0) {
                *free = *entry;
                self.filled += 1;
            }
        }
    }
}

/// The limits of a search, and its node count.
struct Work<'a> {
    ctx: &'a Ctx,
    meter: Meter<'a>,
}

/// φ and δ of a node, from its children.
struct Summary {
    phi: u32,
    delta: u32,
    /// The child with the least φ.
    best: usize,
    /// The second least φ.
    second: u32,
}

impl Summary {
    /// Combines the children. `rest` moves are not generated yet; each counts δ = 1, and φ is above `floor`.
    fn of(children: &[Child], rest: usize, floor: u32, maker: bool) -> Summary {
        let (mut best, mut first, mut second, mut least_delta) = (0, INFINITE, INFINITE, INFINITE);
        let (mut sum, mut all_lost) = (rest as u64, rest == 0);
        for (i, child) in children.iter().enumerate() {
            let (phi, delta) = child.numbers.phi_delta(maker);
            sum += u64::from(delta);
            all_lost &= delta == 0;
            if phi < first || (phi == first && delta < least_delta) {
                second = second.min(first);
                (best, first, least_delta) = (i, phi, delta);
            } else {
                second = second.min(phi);
            }
        }
        if rest > 0 {
            second = second.min(floor + 1);
        }
        let (phi, delta) = match (first, all_lost) {
            (_, true) => (INFINITE, 0),
            (0, _) => (0, INFINITE),
            _ => (first, sum.min(u64::from(INFINITE) - 1) as u32),
        };
        Summary { phi, delta, best, second }
    }
}
