//! Reduced positions: only live lines, and the marks on them.

use agon_core::Lines;
use agon_core::lines::{CellSet, MAX_MARKS};

/// A line that can still be completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Its cells that are still empty.
    pub need: CellSet,
    /// Its cells that hold its mark.
    pub have: CellSet,
    /// Empty cells that must not get its mark.
    pub guard: CellSet,
    /// Its mark.
    pub mark: u8,
    /// The track it lies on.
    pub track: u16,
}

/// A reduced position. Neutral cells (empty, on no live line) cancel in pairs, because the answer to a move in one is a
/// move in another; so only their parity is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// The cells of each mark that lie on a live line of that mark.
    pub marks: [CellSet; MAX_MARKS],
    /// Cells on no live line, filled or not.
    pub dead: CellSet,
    /// True if the maker is to move.
    pub maker: bool,
    /// True if the number of neutral cells is odd.
    pub spare: bool,
}

impl Position {
    /// The cells that are occupied or dead.
    #[must_use]
    pub fn filled(&self) -> CellSet {
        self.marks.iter().fold(self.dead, |set, cells| set | cells)
    }
}

/// A position packed for the transposition table: three bits a cell, and two flags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key {
    /// Bit planes: mark 0 is 001, mark 1 is 010, dead is 011, mark 2 is 100, mark 3 is 101.
    pub planes: [u64; 3],
    /// Turn and spare cell.
    pub flags: u8,
}

impl Key {
    fn of(pos: &Position) -> Key {
        let [a, b, c, d] = pos.marks;
        Key { planes: [a | pos.dead | d, b | pos.dead, c | d], flags: u8::from(pos.maker) | u8::from(pos.spare) << 1 }
    }

    /// Unpacks the position.
    #[must_use]
    pub fn position(&self) -> Position {
        let [p, q, r] = self.planes;
        let dead = p & q;
        let marks = [p & !q & !r, q & !dead, r & !p, r & p];
        Position { marks, dead, maker: self.flags & 1 == 1, spare: self.flags & 2 == 2 }
    }
}

/// An upper bound of the lines of a board with 64 cells and four marks.
const MAX_LINES: usize = 1024;

/// The result of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A line is complete, or nothing can prevent its completion.
    Made,
    /// No line is live.
    Spoiled,
    /// The game continues.
    On(Position),
}

/// The lines of a game, prepared for the search.
#[derive(Debug)]
pub struct Board {
    /// The rules.
    pub rules: Lines,
    /// The symmetries of the board except the identity, as look-up tables for each byte of a cell set.
    images: Vec<Vec<[CellSet; 256]>>,
    /// True if lines avoid cells, in which case fewer reductions are sound.
    pub avoiding: bool,
    /// True if lines that contain another line are dropped.
    drops_supersets: bool,
}

impl Board {
    /// Prepares the lines of a game.
    #[must_use]
    pub fn new(rules: &Lines) -> Board {
        let image = |map: &[u8], byte: usize, base: usize| {
            let cells = (0..8).filter(|bit| byte >> bit & 1 == 1).map(|bit| base + bit).filter(|&c| c < map.len());
            cells.fold(0, |set, cell| set | 1 << map[cell])
        };
        let bytes = |map: &Vec<u8>| {
            let tables = (0..map.len().div_ceil(8)).map(|i| std::array::from_fn(|byte| image(map, byte, 8 * i)));
            tables.collect()
        };
        let images = rules.symmetries.iter().skip(1).map(bytes).collect();
        let mut rules = rules.clone();
        if rules.settled && rules.marks == 1 {
            // The ends of such a line must be filled, and the only mark is the one that they must not hold.
            rules.lines.retain(|line| line.avoid == 0);
        }
        let avoiding = rules.avoiding();
        Board { images, avoiding, drops_supersets: !avoiding, rules }
    }

    /// The same lines, without dropping lines that contain another.
    #[must_use]
    pub fn keeping_all(rules: &Lines) -> Board {
        Board { drops_supersets: false, ..Board::new(rules) }
    }

    /// The position with these marks.
    #[must_use]
    pub fn position(&self, marks: [CellSet; MAX_MARKS], maker: bool) -> Position {
        Position { marks, maker, ..Position::default() }
    }

    /// A cell that lies on no live line.
    #[must_use]
    pub fn neutral_cell(&self, marks: [CellSet; MAX_MARKS]) -> Option<usize> {
        let mut live = Vec::new();
        self.live(&self.position(marks, true), &mut live);
        let used = live.iter().fold(0, |set, line| set | line.need | line.guard);
        let free = self.rules.all() & !marks.iter().fold(used, |set, cells| set | cells);
        (free != 0).then(|| free.trailing_zeros() as usize)
    }

    /// The number of cells that a line still lacks.
    #[inline]
    #[must_use]
    pub fn lacks(&self, line: &Live) -> u32 {
        line.need.count_ones() + if self.rules.settled { line.guard.count_ones() } else { 0 }
    }

    /// The move (cell, mark) that completes a line, if the maker is to move and has one.
    #[must_use]
    pub fn completing(&self, pos: &Position, live: &[Live]) -> Option<(Option<usize>, usize)> {
        let line = live.iter().find(|line| pos.maker && self.lacks(line) == 1)?;
        let cells = line.need | if self.rules.settled { line.guard } else { 0 };
        let mark = if line.need != 0 { usize::from(line.mark) } else { usize::from(line.mark == 0) };
        Some((Some(cells.trailing_zeros() as usize), mark))
    }

    /// Writes the live lines of a position to `out`. Returns true if one is complete, or if nothing can prevent its
    /// completion.
    pub fn live(&self, pos: &Position, out: &mut Vec<Live>) -> bool {
        out.clear();
        let filled = pos.filled();
        for line in &self.rules.lines {
            let own = pos.marks[usize::from(line.mark)];
            if line.want & filled & !own == 0 && line.avoid & own == 0 {
                let live = Live {
                    need: line.want & !filled,
                    have: line.want & own,
                    guard: line.avoid & !filled,
                    mark: line.mark,
                    track: line.track,
                };
                // With one mark, only that mark at an end can spoil a line.
                if self.lacks(&live) == 0 || (self.rules.marks == 1 && live.guard == 0) {
                    return true;
                }
                out.push(live);
            }
        }
        self.drop_supersets(out);
        false
    }

    /// Reduces a position as it stands; its live lines go to `out`.
    pub fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step {
        if self.live(pos, out) {
            return Step::Made;
        }
        self.drop_dead(*pos, out)
    }

    /// Puts a mark into a cell, reduces the position, and writes its live lines to `out`.
    pub fn play(&self, pos: &Position, cell: usize, mark: usize, out: &mut Vec<Live>) -> Step {
        let mut next = Position { maker: !pos.maker, ..*pos };
        next.marks[mark] |= 1 << cell;
        self.reduce(&next, out)
    }

    /// The position after the neutral cell is filled.
    #[must_use]
    pub fn wait(&self, pos: &Position) -> Step {
        Step::On(Position { maker: !pos.maker, spare: false, ..*pos })
    }

    /// Drops marks and cells that no live line needs.
    fn drop_dead(&self, mut pos: Position, live: &[Live]) -> Step {
        if live.is_empty() {
            return Step::Spoiled;
        }
        let (mut keep, mut used) = ([0; MAX_MARKS], 0);
        for line in live {
            used |= line.need | line.guard;
            keep[usize::from(line.mark)] |= line.have;
        }
        let neutral = self.rules.all() & !pos.filled() & !used;
        pos.spare ^= neutral.count_ones() & 1 == 1;
        pos.dead |= neutral;
        loop {
            let mut marks = keep;
            if self.avoiding {
                self.keep_ends(&pos, &mut marks);
            }
            let stable = marks == pos.marks;
            pos.marks = marks;
            pos.dead = self.rules.all() & !used & !marks.iter().fold(0, |set, cells| set | cells);
            // A dropped mark may have kept other marks relevant: repeat until nothing changes.
            if stable || !self.avoiding {
                break;
            }
        }
        Step::On(pos)
    }

    /// Keeps the marks that alone make a line dead, by standing on a cell that the line avoids. Another mark among the
    /// wanted cells makes them superfluous.
    fn keep_ends(&self, pos: &Position, keep: &mut [CellSet; MAX_MARKS]) {
        let filled = pos.filled();
        for line in &self.rules.lines {
            let own = pos.marks[usize::from(line.mark)];
            if line.want & filled & !own == 0 {
                keep[usize::from(line.mark)] |= line.avoid & own;
            }
        }
    }

    /// Drops every line whose needs are a proper superset of another line's of its mark: to complete it completes the
    /// other, and to spoil the other spoils it. Lines with equal needs all stay, because a choice would break symmetry.
    fn drop_supersets(&self, live: &mut Vec<Live>) {
        if !self.drops_supersets {
            return;
        }
        let mut dropped = [0u64; MAX_LINES / 64];
        let longer = |short: &Live, line: &Live| {
            line.mark == short.mark && short.need & !line.need == 0 && short.need != line.need
        };
        for (i, short) in live.iter().enumerate() {
            // Two common needs lie on one track, and the lines of a track are adjacent in the list.
            let same_track = |line: &&Live| short.need.count_ones() == 1 || line.track == short.track;
            for (j, _) in
                live[i + 1..].iter().enumerate().take_while(|(_, l)| same_track(l)).filter(|(_, l)| longer(short, l))
            {
                dropped[(i + 1 + j) / 64] |= 1 << ((i + 1 + j) % 64);
            }
            for (j, _) in
                live[..i].iter().rev().enumerate().take_while(|(_, l)| same_track(l)).filter(|(_, l)| longer(short, l))
            {
                dropped[(i - 1 - j) / 64] |= 1 << ((i - 1 - j) % 64);
            }
        }
        if dropped != [0; MAX_LINES / 64] {
            let mut i = 0;
            live.retain(|_| {
                i += 1;
                dropped[(i - 1) / 64] >> ((i - 1) % 64) & 1 == 0
            });
        }
    }

    /// The canonical key: the least image under the symmetries.
    #[must_use]
    pub fn key(&self, pos: &Position) -> Key {
        let mut best = Key::of(pos);
        if self.rules.alike {
            self.renamed(pos, &mut best);
        }
        for tables in &self.images {
            let map = |cells: CellSet| {
                tables.iter().enumerate().fold(0, |set, (i, t)| set | t[(cells >> (8 * i)) as usize & 0xff])
            };
            let mut image = Position { dead: map(pos.dead), ..*pos };
            image.marks[..self.rules.marks].iter_mut().for_each(|cells| *cells = map(*cells));
            best = best.min(Key::of(&image));
            if self.rules.alike {
                self.renamed(&image, &mut best);
            }
        }
        best
    }

    fn renamed(&self, pos: &Position, best: &mut Key) {
        fn permute(pos: &mut Position, at: usize, marks: usize, best: &mut Key) {
            if at + 1 >= marks {
                *best = (*best).min(Key::of(pos));
                return;
            }
            for other in at..marks {
                pos.marks.swap(at, other);
                permute(pos, at + 1, marks, best);
                pos.marks.swap(at, other);
            }
        }
        permute(&mut pos.clone(), 0, self.rules.marks, best);
    }
}

impl Live {
    /// Returns whether `mark` in `cell` (a set of one) spoils the line.
    #[must_use]
    pub fn spoiled_by(&self, cell: CellSet, mark: u8) -> bool {
        if self.need & cell != 0 { self.mark != mark } else { self.guard & cell != 0 && self.mark == mark }
    }
}

/// The live lines after `mark` is put into `cell` (a set of one).
pub fn put_minding_ends(live: &[Live], cell: CellSet, mark: u8, out: &mut Vec<Live>) {
    out.clear();
    let left = live.iter().filter(|line| !line.spoiled_by(cell, mark));
    out.extend(left.map(|line| Live {
        need: line.need & !cell,
        have: line.have | line.need & cell,
        guard: line.guard & !cell,
        ..*line
    }));
}

/// The live lines after `mark` is put into `cell` (a set of one); for lines that avoid nothing.
pub fn put(live: &[Live], cell: CellSet, mark: u8, out: &mut Vec<Live>) {
    out.clear();
    for line in live {
        if line.need & cell == 0 {
            out.push(*line);
        } else if line.mark == mark {
            out.push(Live { need: line.need & !cell, have: line.have | cell, ..*line });
        }
    }
}
