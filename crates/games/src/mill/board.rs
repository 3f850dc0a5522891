//! Boards as data: points, edges, leaps, mills, and the automorphism group that follows from them.

use super::playout::Quick;
use crate::grid::{Cells, Symmetry, each_cell, group};
use agon_core::scene::column_label;

/// A board of at most 64 points.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    /// Column, row from the top, and name of each point.
    pub points: Vec<(i32, i32, String)>,
    /// The points adjacent to each point.
    pub near: Vec<Cells>,
    /// For each point, leaps over a man: over which point, to which.
    pub leaps: Vec<Vec<(u8, u8)>>,
    /// The lines of a mill.
    pub mills: Vec<Cells>,
    /// The lines of a mill through each point.
    pub mills_at: Vec<Vec<Cells>>,
    /// The point in the middle, where there is one.
    pub centre: Option<usize>,
    /// True if any man may leap.
    pub leaping: bool,
    pub(super) quick: Option<Quick>,
    pub(crate) symmetries: Vec<Symmetry>,
}

impl Board {
    /// `edges` are joined both ways; `leaps` are (from, over, to), both ways too.
    #[must_use]
    pub fn new(
        points: Vec<(i32, i32, String)>,
        edges: &[(usize, usize)],
        leaps: &[(usize, usize, usize)],
        mills: &[Vec<usize>],
    ) -> Board {
        let n = points.len();
        let mut near = vec![0; n];
        for &(a, b) in edges {
            near[a] |= 1 << b;
            near[b] |= 1 << a;
        }
        let mut over = vec![Vec::new(); n];
        for &(from, mid, to) in leaps {
            over[from].push((mid as u8, to as u8));
            over[to].push((mid as u8, from as u8));
        }
        let mills: Vec<Cells> = mills.iter().map(|line| line.iter().fold(0, |set, &p| set | 1 << p)).collect();
        let through = |p: usize| mills.iter().copied().filter(|line| line >> p & 1 == 1).collect();
        let mills_at = (0..n).map(through).collect();
        let (left, right) = (points.iter().map(|p| p.0).min(), points.iter().map(|p| p.0).max());
        let (top, bottom) = (points.iter().map(|p| p.1).min(), points.iter().map(|p| p.1).max());
        let middle = left.zip(right).map(|(l, r)| l + r).zip(top.zip(bottom).map(|(t, b)| t + b));
        let centre = points.iter().position(|p| Some((2 * p.0, 2 * p.1)) == middle);
        let symmetries = group(&automorphisms(&near, &over, &mills));
        let leaping = !leaps.is_empty();
        let quick = Quick::new(&near, &mills);
        Board { points, near, leaps: over, mills, mills_at, centre, leaping, quick, symmetries }
    }

    /// Keeps only the symmetries that fix the centre, which is special where it is barred.
    pub(super) fn fix_centre(&mut self) {
        let Some(centre) = self.centre else { return };
        let fixing = self.symmetries.iter().filter(|symmetry| usize::from(symmetry.to[centre]) == centre);
        self.symmetries = group(&fixing.map(|symmetry| symmetry.to.clone()).collect::<Vec<_>>());
    }

    /// The number of points.
    #[must_use]
    pub fn size(&self) -> usize {
        self.points.len()
    }

    /// The set of all points.
    #[must_use]
    pub fn all(&self) -> Cells {
        Cells::MAX >> (64 - self.size())
    }

    /// Returns whether `men` hold a whole line through `point`.
    #[inline]
    #[must_use]
    pub fn closes(&self, men: Cells, point: usize) -> bool {
        self.mills_at[point].iter().any(|line| men & line == *line)
    }

    /// Returns whether `men` hold a whole line.
    #[must_use]
    pub fn has_line(&self, men: Cells) -> bool {
        self.mills.iter().any(|line| men & line == *line)
    }

    /// The men that stand in a complete line.
    #[inline]
    #[must_use]
    pub fn in_lines(&self, men: Cells) -> Cells {
        self.mills.iter().fold(0, |set, line| set | if men & line == *line { *line } else { 0 })
    }

    /// The points that would complete a line.
    #[inline]
    #[must_use]
    pub fn one_short(&self, men: Cells) -> Cells {
        let missing = self.mills.iter().map(|line| line & !men);
        missing.fold(0, |set, missing| set | if missing & missing.wrapping_sub(1) == 0 { missing } else { 0 })
    }

    /// The edges, each once.
    #[must_use]
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let of = |a: usize| each_cell(self.near[a]).filter(move |&b| a < b).map(move |b| (a, b));
        (0..self.size()).flat_map(of).collect()
    }

    /// A square of n × n points, named from the top left. `diagonals` joins them too: through the
    /// centre only, or everywhere. Lines are whole rows and columns, and the long diagonals if asked for.
    #[must_use]
    pub fn square(n: usize, diagonals: Diagonals, diagonal_lines: bool) -> Board {
        let at = |x: usize, y: usize| y * n + x;
        let points = (0..n * n).map(|p| {
            let (x, y) = (p % n, p / n);
            (x as i32, y as i32, format!("{}{}", column_label(x), y + 1))
        });
        let mut edges = Vec::new();
        for (x, y) in (0..n * n).map(|p| (p % n, p / n)) {
            if x + 1 < n {
                edges.push((at(x, y), at(x + 1, y)));
            }
            if y + 1 < n {
                edges.push((at(x, y), at(x, y + 1)));
            }
            if x + 1 < n && y + 1 < n {
                let both = [(at(x, y), at(x + 1, y + 1)), (at(x + 1, y), at(x, y + 1))];
                let on_long = [x == y, x + y + 2 == n];
                let wanted = |long: bool| match diagonals {
                    Diagonals::None => false,
                    Diagonals::Centre => long,
                    Diagonals::All => true,
                };
                edges.extend(both.into_iter().zip(on_long).filter(|(_, long)| wanted(*long)).map(|(edge, _)| edge));
            }
        }
        let mut mills: Vec<Vec<usize>> = (0..n).map(|y| (0..n).map(|x| at(x, y)).collect()).collect();
        mills.extend((0..n).map(|x| (0..n).map(|y| at(x, y)).collect::<Vec<_>>()));
        if diagonal_lines {
            mills.push((0..n).map(|i| at(i, i)).collect());
            mills.push((0..n).map(|i| at(n - 1 - i, i)).collect());
        }
        Board::new(points.collect(), &edges, &[], &mills)
    }

    /// Squares within squares, joined at the middles of their sides (and at their corners, if asked
    /// for); with a cross in the innermost one, if asked for. Named as morris players do: columns from
    /// the left, rows from the bottom.
    #[must_use]
    pub fn rings(rings: usize, corners: bool, cross: bool) -> Board {
        let r = rings as i32;
        let side = 2 * r + 1;
        let mut at = Vec::new();
        for y in 0..side {
            for x in 0..side {
                let (dx, dy) = ((x - r).abs(), (y - r).abs());
                let on_ring = dx.max(dy) >= 1 && (dx == dy || dx == 0 || dy == 0);
                if on_ring || (cross && dx + dy == 0) {
                    at.push((x, y));
                }
            }
        }
        let find = |x: i32, y: i32| at.iter().position(|&p| p == (x, y));
        let mut edges = Vec::new();
        let mut mills = Vec::new();
        let mut line = |points: &[(i32, i32)], mill: bool| {
            let line: Vec<usize> = points.iter().filter_map(|&(x, y)| find(x, y)).collect();
            edges.extend(line.windows(2).map(|pair| (pair[0], pair[1])));
            if mill && line.len() == 3 {
                mills.push(line);
            }
        };
        for d in 1..=r {
            let (lo, hi) = (r - d, r + d);
            line(&[(lo, lo), (r, lo), (hi, lo)], true);
            line(&[(lo, hi), (r, hi), (hi, hi)], true);
            line(&[(lo, lo), (lo, r), (lo, hi)], true);
            line(&[(hi, lo), (hi, r), (hi, hi)], true);
        }
        for step in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
            let spoke: Vec<(i32, i32)> = (1..=r).map(|d| (r + step.0 * d, r + step.1 * d)).collect();
            line(&spoke, true);
        }
        if corners {
            for step in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let spoke: Vec<(i32, i32)> = (1..=r).map(|d| (r + step.0 * d, r + step.1 * d)).collect();
                line(&spoke, true);
            }
        }
        if cross {
            line(&[(r - 1, r), (r, r), (r + 1, r)], true);
            line(&[(r, r - 1), (r, r), (r, r + 1)], true);
        }
        let name = |&(x, y): &(i32, i32)| (x, y, format!("{}{}", column_label(x as usize), side - y));
        Board::new(at.iter().map(name).collect(), &edges, &[], &mills)
    }

    /// A wheel: eight points round a centre. Lines go across, and also along the rim if asked for.
    #[must_use]
    pub fn wheel(rim_lines: bool) -> Board {
        const RIM: [(i32, i32); 8] = [(1, 0), (3, 0), (4, 1), (4, 3), (3, 4), (1, 4), (0, 3), (0, 1)];
        let mut points: Vec<(i32, i32, String)> =
            RIM.iter().enumerate().map(|(i, &(x, y))| (x, y, format!("r{}", i + 1))).collect();
        points.push((2, 2, "c".to_string()));
        let mut edges: Vec<(usize, usize)> = (0..8).map(|i| (i, (i + 1) % 8)).collect();
        edges.extend((0..8).map(|i| (i, 8)));
        let mut mills: Vec<Vec<usize>> = (0..4).map(|i| vec![i, 8, i + 4]).collect();
        if rim_lines {
            mills.extend((0..8).map(|i| vec![i, (i + 1) % 8, (i + 2) % 8]));
        }
        Board::new(points, &edges, &[], &mills)
    }

    /// A triangle cut by its height and a line across: seven points, five lines; a man may leap over
    /// another along a line.
    #[must_use]
    pub fn triangle() -> Board {
        const AT: [(i32, i32, &str); 7] =
            [(2, 0, "a1"), (1, 1, "b1"), (2, 1, "b2"), (3, 1, "b3"), (0, 2, "c1"), (2, 2, "c2"), (4, 2, "c3")];
        const LINES: [[usize; 3]; 5] = [[0, 1, 4], [0, 2, 5], [0, 3, 6], [1, 2, 3], [4, 5, 6]];
        let points = AT.iter().map(|&(x, y, name)| (x, y, name.to_string())).collect();
        let edges: Vec<(usize, usize)> = LINES.iter().flat_map(|l| [(l[0], l[1]), (l[1], l[2])]).collect();
        let leaps: Vec<(usize, usize, usize)> = LINES.iter().map(|l| (l[0], l[1], l[2])).collect();
        Board::new(points, &edges, &leaps, &LINES.map(|l| l.to_vec()))
    }
}

/// The diagonals of a square board that are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Diagonals {
    /// No diagonals.
    None,
    /// The two long ones.
    Centre,
    /// Every one.
    All,
}

/// The automorphisms: every permutation of the points that preserves edges, leaps and mills; the identity first.
fn automorphisms(near: &[Cells], leaps: &[Vec<(u8, u8)>], mills: &[Cells]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut steps = MAX_SEARCH_STEPS;
    let complete = extend(near, &mut Vec::new(), 0, &mut steps, &mut |map| {
        let image = |set: Cells| each_cell(set).fold(0, |out: Cells, p| out | 1 << map[p]);
        let keeps_mills = mills.iter().all(|&line| mills.contains(&image(line)));
        let moved = |&(over, to): &(u8, u8)| (map[usize::from(over)], map[usize::from(to)]);
        let keeps = |p: usize| leaps[p].iter().all(|leap| leaps[usize::from(map[p])].contains(&moved(leap)));
        if keeps_mills && (0..near.len()).all(keeps) {
            found.push(map.to_vec());
        }
        found.len() < TOO_MANY_SYMMETRIES
    });
    if !complete {
        // Too many to pay, or too hard to find: use the trivial group.
        return vec![(0..near.len() as u8).collect()];
    }
    // In order of images, so that the identity comes first.
    found.sort_unstable();
    found
}

/// A board with this many symmetries or more gets the trivial group.
const TOO_MANY_SYMMETRIES: usize = 97;

/// The step limit of the search for symmetries; beyond it, a board gets the trivial group. A board from a file could
/// make the search take for ever.
const MAX_SEARCH_STEPS: usize = 1 << 20;

/// Calls `each` with every permutation that preserves edges, until it returns false or the step limit is reached.
/// Returns whether it found them all.
fn extend(
    near: &[Cells],
    map: &mut Vec<u8>,
    used: Cells,
    steps: &mut usize,
    each: &mut impl FnMut(&[u8]) -> bool,
) -> bool {
    let p = map.len();
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    if p == near.len() {
        return each(map);
    }
    for q in (0..near.len()).filter(|q| used >> q & 1 == 0) {
        let alike = near[p].count_ones() == near[q].count_ones();
        let joined = |a: usize| (near[p] >> a & 1) == (near[q] >> map[a] & 1);
        if alike && (0..p).all(joined) {
            map.push(q as u8);
            let proceed = extend(near, map, used | 1 << q, steps, each);
            map.pop();
            if !proceed {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_on_which_symmetries_are_hard_to_find_has_none() {
        // Without a path every order of the points keeps the paths, and only one of 16! keeps the lines as well.
        let points = (0..16).map(|x| (x, 0, format!("p{x}"))).collect();
        let mut lines: Vec<Vec<usize>> = (0..15).map(|p| vec![p, p + 1]).collect();
        lines.push(vec![0, 2]);
        let board = Board::new(points, &[], &[], &lines);
        assert_eq!(board.symmetries.len(), 1);
    }

    #[test]
    fn boards_have_the_points_lines_and_symmetries_they_should() {
        let square = |n, d, l| Board::square(n, d, l);
        for (name, board, points, edges, mills, order) in [
            ("antrin", square(3, Diagonals::None, false), 9, 12, 6, 8),
            ("achi", square(3, Diagonals::Centre, true), 9, 16, 8, 8),
            ("picaria", square(3, Diagonals::All, true), 9, 20, 8, 8),
            ("antrin:6", square(6, Diagonals::None, false), 36, 60, 12, 8),
            ("six men's", Board::rings(2, false, false), 16, 20, 8, 16),
            ("seven men's", Board::rings(2, false, true), 17, 24, 10, 8),
            ("nine men's", Board::rings(3, false, false), 24, 32, 16, 16),
            ("morabaraba", Board::rings(3, true, false), 24, 40, 20, 16),
            ("shisima", Board::wheel(false), 9, 16, 4, 16),
            ("rota", Board::wheel(true), 9, 16, 12, 16),
            ("tsoro yematatu", Board::triangle(), 7, 10, 5, 2),
        ] {
            let found = (board.size(), board.edges().len(), board.mills.len(), board.symmetries.len());
            assert_eq!(found, (points, edges, mills, order), "{name}");
        }
    }
}
