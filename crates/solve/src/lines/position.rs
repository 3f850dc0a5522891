//! A position reduced to what can still matter.

use agon_core::Lines;
use agon_core::lines::{CellSet, MOST_MARKS};

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

/// A position: marks that matter, cells that do not, whose turn, and whether an odd number of empty
/// cells lies on no live line. Two such cells cancel out: who is asked to fill one fills the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// The cells of each mark that lie on a live line of that mark.
    pub marks: [CellSet; MOST_MARKS],
    /// Cells on no live line, filled or not.
    pub dead: CellSet,
    /// Whether the maker is to move.
    pub maker: bool,
    /// Whether there is a neutral cell to fill.
    pub spare: bool,
}

impl Position {
    /// Cells that cannot be played, the neutral one aside.
    #[must_use]
    pub fn filled(&self) -> CellSet {
        self.marks.iter().fold(self.dead, |set, cells| set | cells)
    }
}

/// A position packed for the table: three bits a cell, and two flags.
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

    /// The position again.
    #[must_use]
    pub fn position(&self) -> Position {
        let [p, q, r] = self.planes;
        let dead = p & q;
        let marks = [p & !q & !r, q & !dead, r & !p, r & p];
        Position { marks, dead, maker: self.flags & 1 == 1, spare: self.flags & 2 == 2 }
    }
}

/// No board of 64 cells with four marks has more lines.
const MOST_LINES: usize = 1024;

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A line is complete, or will be whatever is played.
    Made,
    /// No line lives.
    Spoiled,
    /// Play goes on.
    On(Position),
}

/// The lines of a game, ready for use.
#[derive(Debug)]
pub struct Board {
    /// The rules.
    pub rules: Lines,
    /// The symmetries of the board but the identity, as images of each byte of a set.
    images: Vec<Vec<[CellSet; 256]>>,
    /// Whether lines avoid cells: then fewer shortcuts are sound.
    pub avoiding: bool,
    /// Whether lines that need more than others are left out.
    drops: bool,
}

impl Board {
    /// Takes the lines of a game.
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
            // Their ends must be filled, and only by the mark that they must not hold.
            rules.lines.retain(|line| line.avoid == 0);
        }
        let avoiding = rules.avoiding();
        Board { images, avoiding, drops: !avoiding, rules }
    }

    /// The same lines, each of them kept while it lives.
    #[must_use]
    pub fn keeping_all(rules: &Lines) -> Board {
        Board { drops: false, ..Board::new(rules) }
    }

    /// The position with these marks.
    #[must_use]
    pub fn position(&self, marks: [CellSet; MOST_MARKS], maker: bool) -> Position {
        Position { marks, maker, ..Position::default() }
    }

    /// A cell that lies on no live line.
    #[must_use]
    pub fn neutral_cell(&self, marks: [CellSet; MOST_MARKS]) -> Option<usize> {
        let mut live = Vec::new();
        self.live(&self.position(marks, true), &mut live);
        let used = live.iter().fold(0, |set, line| set | line.need | line.guard);
        let free = self.rules.all() & !marks.iter().fold(used, |set, cells| set | cells);
        (free != 0).then(|| free.trailing_zeros() as usize)
    }

    /// How many empty cells a line still lacks.
    #[inline]
    #[must_use]
    pub fn lacks(&self, line: &Live) -> u32 {
        line.need.count_ones() + if self.rules.settled { line.guard.count_ones() } else { 0 }
    }

    /// The move, cell and mark, by which the maker to move completes a line.
    #[must_use]
    pub fn completing(&self, pos: &Position, live: &[Live]) -> Option<(Option<usize>, usize)> {
        let line = live.iter().find(|line| pos.maker && self.lacks(line) == 1)?;
        let cells = line.need | if self.rules.settled { line.guard } else { 0 };
        let mark = if line.need != 0 { usize::from(line.mark) } else { usize::from(line.mark == 0) };
        Some((Some(cells.trailing_zeros() as usize), mark))
    }

    /// The live lines of a position; true if one is complete, or will be whatever is played.
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
        self.drop_longer(out);
        false
    }

    /// Reduces a position as it stands; its live lines go to `out`.
    pub fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step {
        if self.live(pos, out) {
            return Step::Made;
        }
        self.settle(*pos, out)
    }

    /// The position after a mark is put into a cell; its live lines go to `out`.
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

    /// Forgets marks and cells that cannot matter any more.
    fn settle(&self, mut pos: Position, live: &[Live]) -> Step {
        if live.is_empty() {
            return Step::Spoiled;
        }
        let (mut keep, mut used) = ([0; MOST_MARKS], 0);
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
            let settled = marks == pos.marks;
            pos.marks = marks;
            pos.dead = self.rules.all() & !used & !marks.iter().fold(0, |set, cells| set | cells);
            // What is forgotten may spoil lines that were dead anyway, and so let more be forgotten.
            if settled || !self.avoiding {
                break;
            }
        }
        Step::On(pos)
    }

    /// A mark may keep a line dead by standing where the line must not have it. Where another mark among
    /// the wanted cells does so too, it need not.
    fn keep_ends(&self, pos: &Position, keep: &mut [CellSet; MOST_MARKS]) {
        let filled = pos.filled();
        for line in &self.rules.lines {
            let own = pos.marks[usize::from(line.mark)];
            if line.want & filled & !own == 0 {
                keep[usize::from(line.mark)] |= line.avoid & own;
            }
        }
    }

    /// Drops every line that needs all that another line of its mark needs, and more: who completes it
    /// completes the other, who spoils the other spoils it. Of lines with equal needs all stay: to choose
    /// one would spoil the symmetry.
    fn drop_longer(&self, live: &mut Vec<Live>) {
        if !self.drops {
            return;
        }
        let mut dropped = [0u64; MOST_LINES / 64];
        let longer = |short: &Live, line: &Live| {
            line.mark == short.mark && short.need & !line.need == 0 && short.need != line.need
        };
        for (i, short) in live.iter().enumerate() {
            // Two needs in common lie on one track, and a track's lines are neighbours in the list.
            let near = |line: &&Live| short.need.count_ones() == 1 || line.track == short.track;
            for (j, _) in
                live[i + 1..].iter().enumerate().take_while(|(_, l)| near(l)).filter(|(_, l)| longer(short, l))
            {
                dropped[(i + 1 + j) / 64] |= 1 << ((i + 1 + j) % 64);
            }
            for (j, _) in
                live[..i].iter().rev().enumerate().take_while(|(_, l)| near(l)).filter(|(_, l)| longer(short, l))
            {
                dropped[(i - 1 - j) / 64] |= 1 << ((i - 1 - j) % 64);
            }
        }
        if dropped != [0; MOST_LINES / 64] {
            let mut i = 0;
            live.retain(|_| {
                i += 1;
                dropped[(i - 1) / 64] >> ((i - 1) % 64) & 1 == 0
            });
        }
    }

    /// The least image under the symmetries.
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
    /// Whether `mark` in `cell` (a set of one) spoils the line.
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
