//! Checks evidence about line games, position by position.
//!
//! It is independent of the solver: cells are bytes, lines are lists, and everything is computed again.

use crate::judge::Rejected;
use agon_core::family::shorten;
use agon_core::lines::MAX_MARKS;
use agon_core::{Ctx, Lines};
use std::collections::{HashMap, HashSet};

pub(crate) const LETTERS: [u8; MAX_MARKS] = *b"XOAB";
pub(crate) const EMPTY: u8 = b'.';
/// A cell that no live line needs or avoids.
pub(crate) const DEAD: u8 = b'#';

/// A line that can still be completed: its mark, the empty cells it lacks, the empty cells it avoids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Live {
    mark: usize,
    lacks: Vec<usize>,
    avoids: Vec<usize>,
}

/// A position of a lines or race section.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// A character for every cell.
    pub cells: Vec<u8>,
    /// True if the maker is to move; in a race, the winner.
    pub maker: bool,
    /// True if an odd number of empty cells lies on no live line.
    pub spare: bool,
}

/// The state of a position: a line is complete or cannot be prevented, or no line can be completed, or neither.
pub(crate) enum Reduced {
    Made,
    Spoiled,
    On(State, Vec<Live>),
}

/// Two cells that the breaker fills with different marks (`3-4`) or with the same (`3=4`).
struct Pair {
    cells: [usize; 2],
    same: bool,
}

impl Pair {
    fn read(text: &str) -> Option<Pair> {
        let same = text.contains('=');
        let (a, b) = text.split_once(if same { '=' } else { '-' })?;
        Some(Pair { cells: [number(a)?, number(b)?], same })
    }
}

/// Parses a decimal integer without a sign or leading zeros.
pub(crate) fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}

pub(crate) struct Checker {
    rules: Lines,
    avoiding: bool,
    wins: bool,
}

pub(crate) fn refuted<T>(state: &State, why: &str) -> Result<T, Rejected> {
    Err(Rejected::Refuted(format!("at `{}`: {why}", state.text())))
}

/// Checks the claim that the maker completes a line, or cannot, from the position with these marks.
pub(crate) fn check(
    rules: &Lines,
    marks: [u64; MAX_MARKS],
    maker_to_move: bool,
    wins: bool,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<u64, Rejected> {
    let checker = Checker::new(rules, wins);
    let letter = |cell: usize| (0..rules.marks).find(|&m| marks[m] >> cell & 1 == 1).map_or(EMPTY, |m| LETTERS[m]);
    let cells = (0..rules.cells).map(letter).collect();
    let mut todo = Vec::new();
    let mut met = HashSet::new();
    checker.ask(State { cells, maker: maker_to_move, spare: false }, &mut todo, &mut met)?;
    follow_all(todo, met, entries, ctx, |state, live, reason, todo, met| checker.follow(state, live, reason, todo, met))
}

/// Looks at the positions of `todo` and at all that their reasons lead to, which `follow` adds; `met` has their texts. Returns
/// their number. Every entry must be met.
pub(crate) fn follow_all<L>(
    mut todo: Vec<(State, L)>,
    mut met: HashSet<String>,
    entries: &[(String, String)],
    ctx: &Ctx,
    follow: impl Fn(&State, &L, &str, &mut Vec<(State, L)>, &mut HashSet<String>) -> Result<(), Rejected>,
) -> Result<u64, Rejected> {
    let filed: HashMap<&str, &str> = entries.iter().map(|(p, r)| (p.as_str(), r.as_str())).collect();
    let (mut meter, mut looked_at) = (ctx.meter(), 0);
    while let Some((state, live)) = todo.pop() {
        meter.tick()?;
        looked_at += 1;
        ctx.progress("checking", looked_at, Some(entries.len() as u64));
        let Some(reason) = filed.get(state.text().as_str()) else { return refuted(&state, "no reason is given") };
        follow(&state, &live, reason, &mut todo, &mut met)?;
    }
    match entries.iter().find(|(text, _)| !met.contains(text)) {
        Some((text, _)) => Err(Rejected::Corrupt(format!("`{text}` is never reached"))),
        None => Ok(looked_at),
    }
}

impl State {
    pub(crate) fn text(&self) -> String {
        let mut text: String = self.cells.iter().map(|&c| char::from(c)).collect();
        text.push(if self.maker { 'm' } else { 'b' });
        if self.spare {
            text.push('+');
        }
        text
    }

    /// The key by which images are compared: three bits a cell, in planes.
    fn order(&self) -> [u64; 3] {
        let code = |cell: u8| match cell {
            DEAD => 3,
            _ => LETTERS.iter().position(|&l| l == cell).map_or(0, |mark| [1, 2, 4, 5][mark]),
        };
        let mut planes = [0; 3];
        for (i, &cell) in self.cells.iter().enumerate() {
            planes.iter_mut().enumerate().for_each(|(p, plane)| *plane |= (code(cell) >> p & 1) << i);
        }
        planes
    }

    pub(crate) fn with(&self, cell: usize, mark: usize) -> State {
        let mut next = State { maker: !self.maker, ..self.clone() };
        next.cells[cell] = LETTERS[mark];
        next
    }
}

pub(crate) type Todo = Vec<(State, Vec<Live>)>;

impl Checker {
    /// A checker of the claim that the maker wins, or not.
    pub(crate) fn new(rules: &Lines, wins: bool) -> Checker {
        let mut rules = rules.clone();
        if rules.settled && rules.marks == 1 {
            // The ends of such a line must be filled, and the only mark is the one that they must not hold.
            rules.lines.retain(|line| line.avoid == 0);
        }
        Checker { avoiding: rules.avoiding(), rules, wins }
    }

    /// Visits a position: it is decided, or it is queued.
    pub(crate) fn ask(&self, state: State, todo: &mut Todo, met: &mut HashSet<String>) -> Result<(), Rejected> {
        let at = state.clone();
        match self.see(state) {
            Reduced::Made if self.wins => Ok(()),
            Reduced::Spoiled if !self.wins => Ok(()),
            Reduced::Made => refuted(&at, "a line is complete"),
            Reduced::Spoiled => refuted(&at, "no line can be completed any more"),
            Reduced::On(state, live) => {
                if state.maker && live.iter().any(|line| self.short(line) == 1) {
                    return if self.wins { Ok(()) } else { refuted(&state, "a line can be completed at once") };
                }
                let state = representative(&self.rules, &state);
                if met.insert(state.text()) {
                    let Reduced::On(state, live) = self.see(state) else { unreachable!("an image looks the same") };
                    todo.push((state, live));
                }
                Ok(())
            }
        }
    }

    fn short(&self, line: &Live) -> usize {
        line.lacks.len() + if self.rules.settled { line.avoids.len() } else { 0 }
    }

    /// Finds the live lines and reduces the position to them.
    pub(crate) fn see(&self, mut state: State) -> Reduced {
        let mut live: Vec<(Live, u64)> = Vec::new();
        for line in &self.rules.lines {
            let own = LETTERS[usize::from(line.mark)];
            let cells = |set: u64| (0..self.rules.cells).filter(move |cell| set >> cell & 1 == 1);
            let spoiled = cells(line.want).any(|c| state.cells[c] != own && state.cells[c] != EMPTY)
                || cells(line.avoid).any(|c| state.cells[c] == own);
            if spoiled {
                continue;
            }
            let empty = |set: u64| cells(set).filter(|&c| state.cells[c] == EMPTY).collect::<Vec<_>>();
            let found = Live { mark: usize::from(line.mark), lacks: empty(line.want), avoids: empty(line.avoid) };
            // With one mark, only that mark at an end can spoil a line.
            if self.short(&found) == 0 || (self.rules.marks == 1 && found.avoids.is_empty()) {
                return Reduced::Made;
            }
            live.push((found, line.want));
        }
        if !self.avoiding {
            let all = live.clone();
            live.retain(|(line, _)| {
                let shorter = |other: &Live| {
                    other.lacks.len() < line.lacks.len() && other.lacks.iter().all(|c| line.lacks.contains(c))
                };
                !all.iter().any(|(other, _)| other.mark == line.mark && shorter(other))
            });
        }
        if live.is_empty() {
            return Reduced::Spoiled;
        }
        for cell in (0..self.rules.cells).filter(|&cell| state.cells[cell] == EMPTY).collect::<Vec<_>>() {
            if !live.iter().any(|(line, _)| line.lacks.contains(&cell) || line.avoids.contains(&cell)) {
                state.spare = !state.spare;
                state.cells[cell] = DEAD;
            }
        }
        // Drop irrelevant marks; that may make others irrelevant.
        loop {
            let ends = self.standing_ends(&state);
            let matters = |cell: usize| {
                let holds = |line: &Live, want: u64| want >> cell & 1 == 1 && LETTERS[line.mark] == state.cells[cell];
                live.iter().any(|(line, want)| holds(line, *want)) || ends.contains(&cell)
            };
            let marked = |cell: &usize| ![EMPTY, DEAD].contains(&state.cells[*cell]);
            let idle: Vec<usize> = (0..self.rules.cells).filter(marked).filter(|&cell| !matters(cell)).collect();
            if idle.is_empty() {
                break;
            }
            idle.into_iter().for_each(|cell| state.cells[cell] = DEAD);
        }
        Reduced::On(state, live.into_iter().map(|(line, _)| line).collect())
    }

    /// The cells whose mark alone spoils some line: the cell is an end of the line, and no wanted cell has another
    /// mark.
    fn standing_ends(&self, state: &State) -> HashSet<usize> {
        let mut ends = HashSet::new();
        for line in &self.rules.lines {
            let own = LETTERS[usize::from(line.mark)];
            let cells = |set: u64| (0..self.rules.cells).filter(move |cell| set >> cell & 1 == 1);
            if cells(line.want).all(|c| [own, EMPTY].contains(&state.cells[c])) {
                ends.extend(cells(line.avoid).filter(|&c| state.cells[c] == own));
            }
        }
        ends
    }

    /// Returns whether the maker fills the last cell.
    fn maker_last(&self, state: &State) -> bool {
        let empty = state.cells.iter().filter(|&&c| c == EMPTY).count() + usize::from(state.spare);
        (empty % 2 == 1) == state.maker
    }

    pub(crate) fn follow(
        &self,
        state: &State,
        live: &[Live],
        reason: &str,
        todo: &mut Todo,
        met: &mut HashSet<String>,
    ) -> Result<(), Rejected> {
        let words: Vec<&str> = reason.split(' ').collect();
        let own = state.maker == self.wins;
        match words.split_first() {
            Some((&"pairs", list)) if !self.wins => match self.pairs(live, list, self.maker_last(state)) {
                Some(_) => Ok(()),
                None => refuted(state, "these pairs do not meet every line"),
            },
            Some((&"wait", [])) if own && state.spare => self.ask(waited(state), todo, met),
            Some((&"play", [mv])) if own => match self.placing(state, mv) {
                Some((cell, mark)) => self.ask(state.with(cell, mark), todo, met),
                None => refuted(state, &format!("the move `{}` does not exist", shorten(mv))),
            },
            Some((&"all", [])) if !own => self.every_reply(state, live, None, todo, met),
            Some((&"threats", list)) if !own && self.wins => {
                let mut list = list.iter();
                match self.threats(live, &mut list).filter(|_| list.next().is_none()) {
                    Some(zone) => self.every_reply(state, live, Some(&zone), todo, met),
                    None => refuted(state, "these threats do not win"),
                }
            }
            Some((&"meet", _)) if !own && !self.wins => match self.meetings(state, live, &words) {
                Some(zone) => self.every_reply(state, live, Some(&zone), todo, met),
                None => refuted(state, "this move and these pairs do not meet every line"),
            },
            _ => Err(Rejected::Corrupt(format!("`{}` is not a reason for `{}`", shorten(reason), state.text()))),
        }
    }

    /// Checks `meet MOVE PAIR…`, perhaps several times: after a null move of the maker, the breaker's move and then the
    /// pairing meet every line. So they do after any move of the maker outside these cells; the cells common to all
    /// remain.
    fn meetings(&self, state: &State, live: &[Live], words: &[&str]) -> Option<Vec<usize>> {
        let mut zone: Vec<usize> = (0..self.rules.cells).collect();
        for meeting in words.split(|&word| word == "meet").skip(1) {
            let (mv, list) = meeting.split_first()?;
            let (cell, mark) = self.placing(state, mv)?;
            let cells = self.pairs(&put(live, cell, mark), list, self.maker_last(state))?;
            zone.retain(|&c| c == cell || cells.contains(&c));
        }
        Some(zone)
    }

    /// Dominated cells: all lines of the cell also lack another cell, each wanted by one mark only and avoided by none,
    /// so that the other cell is at least as good for either side. Of equivalent cells, the first stays.
    fn outdone(&self, live: &[Live], cell: usize) -> bool {
        let single = |cell: usize| {
            if live.iter().any(|line| line.avoids.contains(&cell)) {
                return false;
            }
            let mut marks = live.iter().filter(|line| line.lacks.contains(&cell)).map(|line| line.mark);
            marks.next().is_some_and(|first| marks.all(|mark| mark == first))
        };
        let covers = |one: usize, other: usize| {
            live.iter().filter(|line| line.lacks.contains(&other)).all(|line| line.lacks.contains(&one))
        };
        let better = |other: usize| {
            other != cell && single(other) && covers(other, cell) && (!covers(cell, other) || other < cell)
        };
        single(cell) && (0..self.rules.cells).any(better)
    }

    /// Visits every move of the loser in `zone`; moves outside it are irrelevant.
    ///
    /// In a cell, one mark dominates another for the breaker, if no line wants the first there and none avoids the
    /// second; for the maker it is the reverse. Of equivalent marks, the first is visited.
    fn every_reply(
        &self,
        state: &State,
        live: &[Live],
        zone: Option<&[usize]>,
        todo: &mut Todo,
        met: &mut HashSet<String>,
    ) -> Result<(), Rejected> {
        for cell in (0..self.rules.cells).filter(|&cell| state.cells[cell] == EMPTY) {
            if zone.is_some_and(|zone| !zone.contains(&cell)) || self.outdone(live, cell) {
                continue;
            }
            let wanted = |mark: usize| live.iter().any(|line| line.mark == mark && line.lacks.contains(&cell));
            let avoided = |mark: usize| live.iter().any(|line| line.mark == mark && line.avoids.contains(&cell));
            let spoils_more = |one: usize, other: usize| !wanted(one) && !avoided(other);
            let better = |one: usize, other: usize| {
                if state.maker { spoils_more(other, one) } else { spoils_more(one, other) }
            };
            for mark in 0..self.rules.marks {
                let mut others = (0..self.rules.marks).filter(|&other| other != mark);
                if !others.any(|other| better(other, mark) && (!better(mark, other) || other < mark)) {
                    self.ask(state.with(cell, mark), todo, met)?;
                }
            }
        }
        if state.spare && zone.is_none() {
            self.ask(waited(state), todo, met)?;
        }
        Ok(())
    }

    /// Reads `X12`: a mark and an empty cell.
    fn placing(&self, state: &State, text: &str) -> Option<(usize, usize)> {
        let (cell, mark) = self.mark_in(text)?;
        (state.cells[cell] == EMPTY).then_some((cell, mark))
    }

    fn mark_in(&self, text: &str) -> Option<(usize, usize)> {
        let mark = LETTERS[..self.rules.marks].iter().position(|&l| Some(&l) == text.as_bytes().first())?;
        let cell = number(&text[1..]).filter(|&cell| cell < self.rules.cells)?;
        Some((cell, mark))
    }

    /// Returns whether disjoint pairs of empty cells meet every line, two cells of each; the cells, if so.
    ///
    /// When either side fills one cell of a pair `3-4`, the breaker fills the other with another mark; of `3=4`, with
    /// the same. Wanted cells are spoiled by different marks; a wanted cell and an end, where ends must be
    /// filled, by the same; two ends by different ones, if there are two marks or one is at stake.
    ///
    /// If the maker has the last move, the breaker must open pairs: then [`Checker::opens`] must hold for one pair
    /// after another.
    fn pairs(&self, live: &[Live], list: &[&str], maker_last: bool) -> Option<Vec<usize>> {
        let pairs: Vec<Pair> = list.iter().map(|text| Pair::read(text)).collect::<Option<_>>()?;
        let cells: Vec<usize> = pairs.iter().flat_map(|pair| pair.cells).collect();
        let distinct: HashSet<&usize> = cells.iter().collect();
        if distinct.len() != cells.len() || cells.iter().any(|&cell| cell >= self.rules.cells) {
            return None;
        }
        let mut charged: Vec<Vec<&Live>> = vec![Vec::new(); pairs.len()];
        for line in live {
            let first = pairs.iter().position(|pair| self.meets(pair, line))?;
            charged[first].push(line);
        }
        for (pair, lines) in pairs.iter().zip(&charged) {
            let mut at_ends = lines.iter().filter(|line| pair.cells.iter().all(|cell| line.avoids.contains(cell)));
            let first = at_ends.next().map(|line| line.mark);
            if self.rules.marks > 2 && at_ends.any(|line| Some(line.mark) != first) {
                return None;
            }
        }
        let mut closed: Vec<usize> = if maker_last { (0..pairs.len()).collect() } else { Vec::new() };
        while !closed.is_empty() {
            let blocked: HashSet<usize> = closed.iter().flat_map(|&i| pairs[i].cells).collect();
            let next = closed.iter().position(|&i| self.opens(&pairs[i], &charged[i], &blocked))?;
            closed.remove(next);
        }
        Some(cells)
    }

    /// Returns whether a pair spoils a line once both its cells are filled as the pair says. With one mark it does not:
    /// there is no other to put.
    fn meets(&self, pair: &Pair, line: &Live) -> bool {
        let wanted = pair.cells.iter().filter(|cell| line.lacks.contains(cell)).count();
        let ends = pair.cells.iter().filter(|cell| self.rules.settled && line.avoids.contains(cell)).count();
        self.rules.marks > 1 && wanted + ends == 2 && (wanted == ends) == pair.same
    }

    /// Returns whether the breaker can open a pair once all but the `blocked` cells are filled: one mark in
    /// one of its cells spoils all its lines, or all that are left of them after each mark in some cell that
    /// is not blocked.
    fn opens(&self, pair: &Pair, lines: &[&Live], blocked: &HashSet<usize>) -> bool {
        let marks = 0..self.rules.marks;
        let spoilable = |left: &[&Live]| {
            let mut placings = pair.cells.into_iter().flat_map(|cell| marks.clone().map(move |mark| (cell, mark)));
            placings.any(|(cell, mark)| left.iter().all(|line| self.spoils(line, cell, mark)))
        };
        let after = |cell: usize, mark: usize| {
            lines.iter().copied().filter(|line| !self.spoils(line, cell, mark)).collect::<Vec<_>>()
        };
        let tells = |cell: usize| marks.clone().all(|mark| spoilable(&after(cell, mark)));
        spoilable(lines) || (0..self.rules.cells).any(|cell| !blocked.contains(&cell) && tells(cell))
    }

    /// Returns whether a mark in a cell spoils a line.
    fn spoils(&self, line: &Live, cell: usize, mark: usize) -> bool {
        (line.lacks.contains(&cell) && line.mark != mark) || (line.avoids.contains(&cell) && line.mark == mark)
    }

    /// Follows the maker's threats: each leaves a line one cell short, which few moves spoil. The cells
    /// used, if they win after each of these.
    pub(crate) fn threats(&self, live: &[Live], list: &mut std::slice::Iter<'_, &str>) -> Option<Vec<usize>> {
        let (cell, mark) = self.mark_in(list.next()?)?;
        let touches = |line: &Live| line.lacks.contains(&cell) || line.avoids.contains(&cell);
        let cells = |line: &Live| [&line.lacks[..], &line.avoids[..]].concat();
        // The move must be one: into an empty cell of some line.
        live.iter().find(|line| touches(line))?;
        let completes = |line: &&Live| self.short(line) == 1 && touches(line) && !self.spoils(line, cell, mark);
        let completes = |line: &&Live| completes(line) && (self.rules.settled || line.lacks.contains(&cell));
        if let Some(line) = live.iter().find(completes) {
            return Some(cells(line));
        }
        let after = put(live, cell, mark);
        let mut short = after.iter().filter(|line| self.short(line) == 1);
        if !self.avoiding {
            let mut open: Vec<usize> = short.clone().map(|line| line.lacks[0]).collect();
            open.sort_unstable();
            open.dedup();
            if let [one, other, ..] = open[..] {
                return Some(vec![cell, one, other]);
            }
        }
        let first = short.next()?;
        let mut zone = [vec![cell], cells(first)].concat();
        let mut parries: Vec<(usize, usize)> = Vec::new();
        for cell in (0..self.rules.cells).filter(|cell| cells(first).contains(cell)) {
            parries.extend((0..self.rules.marks).map(|m| (cell, m)).filter(|&(c, m)| self.spoils(first, c, m)));
        }
        for line in short {
            let before = parries.len();
            parries.retain(|&(c, m)| self.spoils(line, c, m));
            if parries.len() < before {
                zone.extend(cells(line));
            }
        }
        for (cell, mark) in parries {
            let next = put(&after, cell, mark);
            match next.iter().find(|line| self.short(line) == 0) {
                Some(line) => zone.extend([vec![cell], cells(line)].concat()),
                None => zone.extend(self.threats(&next, list)?),
            }
        }
        Some(zone)
    }
}

/// The canonical form: the least image under the symmetries of the board and, if marks are alike, their permutations.
pub(crate) fn representative(rules: &Lines, state: &State) -> State {
    let mut best = (state.order(), state.clone());
    let renamings = if rules.alike { renamings(rules.marks) } else { vec![(0..MAX_MARKS).collect()] };
    for map in &rules.symmetries {
        for renaming in &renamings {
            let mut image = state.clone();
            for (cell, &to) in map.iter().enumerate() {
                let renamed = LETTERS.iter().position(|&l| l == state.cells[cell]).map(|m| LETTERS[renaming[m]]);
                image.cells[usize::from(to)] = renamed.unwrap_or(state.cells[cell]);
            }
            let order = image.order();
            if order < best.0 {
                best = (order, image);
            }
        }
    }
    best.1
}

fn waited(state: &State) -> State {
    State { maker: !state.maker, spare: false, ..state.clone() }
}

/// The live lines after a mark is put into a cell.
fn put(live: &[Live], cell: usize, mark: usize) -> Vec<Live> {
    let spoiled = |line: &Live| {
        (line.lacks.contains(&cell) && line.mark != mark) || (line.avoids.contains(&cell) && line.mark == mark)
    };
    let without = |cells: &[usize]| cells.iter().copied().filter(|&c| c != cell).collect();
    let shorter = |line: &Live| Live { lacks: without(&line.lacks), avoids: without(&line.avoids), mark: line.mark };
    live.iter().filter(|line| !spoiled(line)).map(shorter).collect()
}

fn renamings(marks: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..marks {
        let longer = |list: &Vec<usize>| {
            let free = (0..marks).filter(|mark| !list.contains(mark)).collect::<Vec<_>>();
            free.into_iter().map(|mark| [&list[..], &[mark]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
