//! Heap games: a move takes counters from one heap and may split what is left.

use super::{Named, Rules, play, split_start};
use agon_core::features::{Extra, Sort, Subject};
use agon_core::scene::{Board, Scene, Shape, Token};
use agon_core::{Code, Facts, GameError, Kind, Params};
use std::marker::PhantomData;

/// The largest heap in a game to be played.
const MAX_HEAP: u32 = 1_000_000;
/// The most heaps that a game to be played begins with. Later there may be more, for a move can split a heap.
const MAX_HEAPS: usize = 64;
/// The most counters in a position: what a game begins with at most. Moves never add any.
const MAX_COUNTERS: u64 = MAX_HEAPS as u64 * MAX_HEAP as u64;
/// Counters drawn for each heap, fewer if there are many heaps.
const DRAWN: usize = 24;

/// The counters that may be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taking {
    /// By a code.
    Code(Code),
    /// Any number, from one heap, which stays one heap.
    Any,
}

/// A family of heap games: how it is spelled, and what may be taken.
///
/// ```
/// use agon_games::impartial::{Named, Rules, heaps::{Coded, Heaps}};
///
/// let (kayles, _, spelling) = Heaps::<Coded>::spelled("heap:.77:3").unwrap();
/// assert_eq!(spelling, "heap:0.77:3"); // one text for each code
/// assert_eq!(kayles.count(&kayles.start()), 3);
/// ```
pub trait Spelling: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Name, rules and parameters.
    fn facts() -> Facts;

    /// The taking rule and the text of the heaps.
    fn read(params: &Params) -> Result<(Taking, String), String>;

    /// The one text of its parameter for this rule and these heaps, with `/` for a comma.
    fn spell(_taking: &Taking, heaps: &str) -> String {
        heaps.to_string()
    }

    /// True if the one parameter holds a list with commas.
    const COMMAS: bool = false;
}

/// The rules of one game on heaps.
#[derive(Clone, Debug)]
pub struct Heaps<S> {
    taking: Taking,
    start: Vec<u32>,
    spelling: PhantomData<S>,
}

/// A move: the heap it is made in, and the heaps it leaves, smallest first; zero for none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Take {
    heap: u32,
    left: [u32; 3],
}

impl Take {
    fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        self.left.iter().copied().filter(|&heap| heap > 0)
    }
}

impl Taking {
    /// Calls `each` for every way to move in a heap.
    fn each(&self, heap: u32, each: &mut impl FnMut([u32; 3])) {
        let code = match self {
            Taking::Any => return (0..heap).rev().for_each(|left| each([0, 0, left])),
            Taking::Code(code) => code,
        };
        let after = |heaps: u32| code.takes(heaps).into_iter().map(|i| i as u32).filter(move |&i| i <= heap);
        if after(0).any(|i| i == heap) && heap > 0 {
            each([0; 3]);
        }
        after(1).filter(|&i| i < heap).for_each(|i| each([0, 0, heap - i]));
        for m in after(2).map(|i| heap - i) {
            (1..=m / 2).filter(|a| !(code.unequal() && 2 * a == m)).for_each(|a| each([0, a, m - a]));
        }
        for m in after(3).map(|i| heap - i) {
            for a in 1..=m / 3 {
                (a..=(m - a) / 2).for_each(|b| each([a, b, m - a - b]));
            }
        }
    }
}

impl Taking {
    /// The number of moves in a heap, as [`Taking::each`] lists them.
    fn count(&self, heap: u32) -> u64 {
        let code = match self {
            Taking::Any => return u64::from(heap),
            Taking::Code(code) => code,
        };
        let left = |heaps: u32| {
            code.takes(heaps).into_iter().map(|i| i as u64).filter_map(move |i| u64::from(heap).checked_sub(i))
        };
        let none = u64::from(heap > 0 && left(0).any(|m| m == 0));
        let one = left(1).filter(|&m| m > 0).count() as u64;
        let two = left(2).map(|m| m / 2 - u64::from(code.unequal() && m > 0 && m % 2 == 0));
        // Partitions into three parts: the whole number nearest to m²/12.
        let three = left(3).map(|m| (m * m + 6) / 12);
        none + one + two.sum::<u64>() + three.sum::<u64>()
    }
}

impl<S: Spelling> Heaps<S> {
    /// The game that begins with these heaps.
    #[must_use]
    pub fn new(taking: Taking, heaps: &[u32]) -> Heaps<S> {
        Heaps { taking, start: tidy(heaps), spelling: PhantomData }
    }

    /// The same game without its family's way of spelling it.
    #[must_use]
    pub fn plain(self) -> Heaps<Coded> {
        Heaps { taking: self.taking, start: self.start, spelling: PhantomData }
    }
}

/// Heaps in order, without empty ones.
fn tidy(heaps: &[u32]) -> Vec<u32> {
    let mut heaps: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    heaps
}

/// Counters drawn in a row.
fn columns(heaps: &[u32]) -> usize {
    let most = (MAX_HEAPS * DRAWN / heaps.len().max(1)).clamp(1, DRAWN);
    heaps.iter().copied().max().unwrap_or(1).min(most as u32) as usize
}

fn show_heaps(heaps: impl Iterator<Item = u32>) -> String {
    let text = heaps.map(|heap| heap.to_string()).collect::<Vec<_>>().join("+");
    if text.is_empty() { "0".to_string() } else { text }
}

fn read_heaps(text: &str) -> Result<Vec<u32>, String> {
    let heap = |part: &str| part.trim().parse().ok().filter(|&heap| heap <= MAX_HEAP);
    let heaps: Option<Vec<u32>> = text.split('+').map(heap).collect();
    let heaps = heaps.ok_or_else(|| format!("expected heaps such as 12+20+31, each 0..={MAX_HEAP}"))?;
    let counters: u64 = heaps.iter().map(|&heap| u64::from(heap)).sum();
    if counters > MAX_COUNTERS {
        return Err(format!("{counters} counters; expected at most {MAX_COUNTERS}"));
    }
    Ok(tidy(&heaps))
}

/// Reads the heaps that a game begins with.
fn read_start(text: &str) -> Result<Vec<u32>, String> {
    match text.split('+').count() {
        heaps if heaps > MAX_HEAPS => Err(format!("{heaps} heaps; expected at most {MAX_HEAPS}")),
        _ => read_heaps(text),
    }
}

impl Take {
    /// True if nothing is taken from the heap and two heaps are left.
    fn is_split(&self) -> bool {
        self.leaves().count() == 2 && self.leaves().sum::<u32>() == self.heap
    }
}

impl<S: Spelling> Heaps<S> {
    /// Returns whether the heap stands in a row from which neighbours are taken: its counters are all drawn, and what
    /// is left may stand on both sides of those that are taken.
    fn is_row(&self, step: Take, columns: usize) -> bool {
        let Taking::Code(code) = &self.taking else { return false };
        let left: u32 = step.leaves().sum();
        let splits = code.takes(2).iter().any(|&taken| taken > 0);
        splits && step.heap as usize <= columns && left < step.heap && step.leaves().count() <= 2
    }

    /// Neighbours that can be taken for a move: in each of the equal heaps, with either part on the left.
    fn taken(&self, state: &[u32], step: Take) -> Vec<Vec<usize>> {
        let columns = columns(state);
        let taken = (step.heap - step.leaves().sum::<u32>()) as usize;
        // With one heap left, it is on either side.
        let [_, a, b] = step.left.map(|heap| heap as usize);
        let ends = if a == b { vec![a] } else { vec![a, b] };
        let rows = (0..state.len()).filter(|&y| state[y] == step.heap);
        rows.flat_map(|y| ends.iter().map(move |&left| (0..taken).map(|i| y * columns + left + i).collect())).collect()
    }
}

impl<S: Spelling> Rules for Heaps<S> {
    type State = Vec<u32>;
    type Step = Take;
    type Part = u32;

    fn start(&self) -> Vec<u32> {
        self.start.clone()
    }

    fn steps(&self, state: &Vec<u32>, each: &mut impl FnMut(Take)) {
        let mut last = 0;
        for &heap in state {
            if heap != last {
                self.taking.each(heap, &mut |left| each(Take { heap, left }));
                last = heap;
            }
        }
    }

    fn count(&self, state: &Vec<u32>) -> u64 {
        let different = state.chunk_by(|a, b| a == b);
        different.map(|same| self.taking.count(same[0])).sum()
    }

    fn apply(&self, state: &mut Vec<u32>, step: Take) {
        let at = state.iter().position(|&heap| heap == step.heap).expect("a move in a heap that is there");
        state.remove(at);
        state.extend(step.leaves());
        state.sort_unstable();
    }

    /// A heap of n can be split n − 1 times and emptied one counter at a time.
    fn height(&self, state: &Vec<u32>) -> u32 {
        state.iter().map(|heap| 2 * heap - 1).sum()
    }

    fn parts(&self, state: &Vec<u32>) -> Vec<u32> {
        state.clone()
    }

    fn options(&self, part: &u32, each: &mut impl FnMut(&[u32])) {
        self.taking.each(*part, &mut |left| {
            let empty = left.iter().take_while(|&&heap| heap == 0).count();
            each(&left[empty..]);
        });
    }

    fn show_part(&self, part: &u32) -> String {
        part.to_string()
    }

    fn heap<'a>(&'a self, part: &u32) -> Option<(&'a Code, usize)> {
        match &self.taking {
            Taking::Code(code) => Some((code, *part as usize)),
            Taking::Any => None,
        }
    }

    fn static_nimber(&self, part: &u32) -> Option<u32> {
        (self.taking == Taking::Any).then_some(*part)
    }

    fn show(&self, state: &Vec<u32>) -> String {
        show_heaps(state.iter().copied())
    }

    fn read(&self, text: &str) -> Result<Vec<u32>, String> {
        read_heaps(text)
    }

    fn show_step(&self, _state: &Vec<u32>, step: Take) -> String {
        format!("{}>{}", step.heap, show_heaps(step.leaves()))
    }

    fn scene(&self, state: &Vec<u32>) -> Scene {
        let columns = columns(state);
        let mut scene = Scene::grid(columns, state.len().max(1));
        scene.board = Board::Tray;
        for (y, &heap) in state.iter().enumerate() {
            for x in 0..columns.min(heap as usize) {
                let place = scene.at(x, y);
                scene.put(place, Token::neutral(Shape::Disc, 'o'));
            }
        }
        // Moves are named by heaps, not by places.
        scene.columns.clear();
        scene.rows = state.iter().map(u32::to_string).collect();
        scene.caption.push(format!("heaps {}", self.show(state)));
        scene
    }

    fn places(&self, state: &Vec<u32>) -> usize {
        columns(state) * state.len().max(1)
    }

    fn path(&self, state: &Vec<u32>, step: Take) -> Vec<usize> {
        let columns = columns(state);
        if self.is_row(step, columns)
            && let Some(path) = self.taken(state, step).into_iter().next()
        {
            return path;
        }
        // The counter where the heap is cut: it and all to its right go, or a gap begins there.
        let cut = (step.leaves().next().unwrap_or(0) as usize).min(columns - 1);
        state.iter().position(|&heap| heap == step.heap).map(|y| y * columns + cut).into_iter().collect()
    }

    fn other_paths(&self, state: &Vec<u32>, step: Take) -> Vec<Vec<usize>> {
        let columns = columns(state);
        if self.is_row(step, columns) {
            return self.taken(state, step).split_off(1);
        }
        // Any of the equal heaps, and either half of a heap that is split.
        let cuts = step.leaves().map(|leaf| (leaf as usize).min(columns - 1)).take(if step.is_split() { 2 } else { 1 });
        let cuts: Vec<usize> = if step.leaves().next().is_none() { vec![0] } else { cuts.collect() };
        let rows = (0..state.len()).filter(|&y| state[y] == step.heap);
        rows.flat_map(|y| cuts.iter().map(move |cut| vec![y * columns + cut])).skip(1).collect()
    }

    fn is_board(&self) -> bool {
        false
    }

    fn extras(&self) -> &'static [Extra] {
        EXTRAS
    }

    fn extra(&self, state: &Vec<u32>, step: Take, last: u16, which: usize) -> i32 {
        let small = |n: u64| i32::try_from(n).unwrap_or(i32::MAX);
        let left: u64 = step.leaves().map(u64::from).sum();
        let after = || {
            let mut after = state.clone();
            self.apply(&mut after, step);
            after
        };
        match which {
            0 => small(state.len() as u64),
            1 => small(u64::from(step.heap)),
            2 => small(u64::from(step.heap) - left),
            3 => small(left),
            4 => small(step.leaves().count() as u64),
            5 => small(after().iter().fold(0, |sum, &heap| sum ^ u64::from(heap))),
            6 => small(after().chunk_by(|a, b| a == b).filter(|same| same.len() % 2 == 1).count() as u64),
            7 => small(after().iter().filter(|&&heap| heap > 1).count() as u64),
            8 => small(after().len() as u64),
            _ => i32::from(u64::from(last) == u64::from(step.heap) + 1),
        }
    }

    /// The largest heap that the move left; nothing if that is larger than a memory can hold.
    fn last(&self, _: &Vec<u32>, step: Take) -> Option<u16> {
        let largest = step.leaves().max().map_or(0, |heap| heap.saturating_add(1));
        Some(u16::try_from(largest).unwrap_or(0))
    }
}

const fn number(name: &'static str, subject: Subject, says: &'static str) -> Extra {
    Extra { name, sort: Sort::Number, subject, says, looks_back: false }
}

/// Features of heap games. Heaps of one size are the same heap.
const EXTRAS: &[Extra] = &[
    number("heaps", Subject::Position, "the number of heaps"),
    number("heap", Subject::Move, "the size of the heap that the move is made in"),
    number("counters-taken", Subject::Move, "the number of counters taken"),
    number("counters-left", Subject::Move, "the number of counters left of the heap"),
    number("heaps-made", Subject::Move, "the number of heaps left of the heap"),
    number("xor", Subject::Move, "the binary sum without carries of all heap sizes after the move"),
    number("unpaired", Subject::Move, "the number of sizes of which there is an odd number of heaps after the move"),
    number("large-heaps", Subject::Move, "the number of heaps of two and more counters after the move"),
    number("heaps-after", Subject::Move, "the number of heaps after the move"),
    Extra {
        name: "same-heap",
        sort: Sort::Flag,
        subject: Subject::Move,
        says: "the move is made in a heap of the size of the largest that the opponent's last move left, up to 65,534",
        looks_back: true,
    },
];

impl<S: Spelling> Named for Heaps<S> {
    fn facts() -> Facts {
        S::facts()
    }

    fn build(params: &Params) -> Result<Heaps<S>, GameError> {
        let (taking, heaps) = S::read(params).map_err(|why| params.error(why))?;
        Ok(Heaps::new(taking, &read_start(&heaps).map_err(|why| params.error(why))?))
    }

    fn hide_commas(text: &str) -> String {
        if !S::COMMAS {
            return text.to_string();
        }
        let mut out = String::new();
        for part in text.split(',') {
            if !out.is_empty() {
                out.push(if part.contains('=') { ',' } else { '/' });
            }
            out.push_str(part);
        }
        out
    }

    fn show_commas(spelling: &str) -> String {
        if S::COMMAS { spelling.replace('/', ",") } else { spelling.to_string() }
    }

    fn canonical(&self) -> Option<(String, String)> {
        Some((S::facts().params.swap_remove(0).name, S::spell(&self.taking, &self.show(&self.start))))
    }
}

const HEAPS: &str = "heaps such as 3+5+7";

macro_rules! spelling {
    ($name:ident, $family:literal, $title:literal, $rules:literal, $param:literal = $default:literal ($kind:expr, $help:literal), $read:expr $(, commas $commas:literal)? $(, spell $spell:expr)?) => {
        #[doc = $title]
        #[derive(Clone, Debug)]
        pub struct $name;

        impl Spelling for $name {
            fn facts() -> Facts {
                let facts = Facts::new($family, $title, $rules);
                facts.positional($param, Kind::text($kind), $default, $help).with(play())
            }
            $(const COMMAS: bool = $commas;)?
            $(
                fn spell(taking: &Taking, heaps: &str) -> String {
                    let spell: fn(&Taking, &str) -> String = $spell;
                    spell(taking, heaps)
                }
            )?

            fn read(params: &Params) -> Result<(Taking, String), String> {
                let read: fn(&str) -> Result<(Taking, String), String> = $read;
                read(params.text($param))
            }
        }
    };
}

fn known(code: &str, heaps: &str) -> Result<(Taking, String), String> {
    let code: Code = code.parse().map_err(|e: agon_core::code::CodeError| e.to_string())?;
    Ok((Taking::Code(code), heaps.to_string()))
}

spelling! {
    Coded, "heap", "Taking-and-breaking game",
    "A move takes counters from one heap and leaves some heaps, as a code d0.d1d2… allows: bit j of digit d_i (octal or \
     hexadecimal) allows taking i counters and leaving exactly j heaps. The player who makes the last \
     move wins (in misère play, loses).",
    "code" = "0.007:12+20+31" ("CODE:HEAPS such as 0.007:12+20", "code, then the heaps, 12+20+31 when left out"),
    |text| {
        let (code, heaps) = split_start(text);
        known(code, heaps.unwrap_or("12+20+31"))
    },
    spell |taking, heaps| match taking {
        Taking::Code(code) => format!("{code}:{heaps}"),
        Taking::Any => heaps.to_string(),
    }
}

spelling! {
    Subtraction, "subtract", "Subtraction game",
    "A move takes an allowed number of counters from one heap. The player who makes the last move wins (in misère play, \
     loses).",
    "set" = "1/2/3:10+11" ("SET:HEAPS such as 1,3,4:10", "the numbers that may be taken, then the heaps, 10+11 when left out"),
    |text| {
        let (set, heaps) = split_start(text);
        let amount = |part: &str| part.trim().parse().ok().filter(|i| (1..=Code::LONGEST).contains(i));
        let set: Option<Vec<usize>> = set.split('/').map(amount).collect();
        let set = set.ok_or_else(|| format!("expected numbers to take such as 1,3,4, each 1..={}", Code::LONGEST))?;
        Ok((Taking::Code(Code::subtraction(&set)), heaps.unwrap_or("10+11").to_string()))
    },
    commas true,
    spell |taking, heaps| match taking {
        Taking::Code(code) => {
            let set: Vec<String> = code.takes(1).iter().map(usize::to_string).collect();
            format!("{}:{heaps}", set.join("/"))
        }
        Taking::Any => heaps.to_string(),
    }
}

spelling! {
    Nim, "nim", "Nim",
    "A move takes any number of counters from one heap. The player who takes the last counter wins (in misère play, \
     loses).",
    "heaps" = "3+5+7" (HEAPS, "the heaps to begin with"),
    |heaps| Ok((Taking::Any, heaps.to_string()))
}

spelling! {
    Kayles, "kayles", "Kayles",
    "A move knocks down one skittle or two neighbouring ones of a row (code 0.77). The player who knocks down the last \
     skittle wins (in misère play, loses).",
    "heaps" = "10" (HEAPS, "the rows to begin with"),
    |heaps| known("0.77", heaps)
}

spelling! {
    Dawson, "dawson", "Dawson's chess",
    "Three rows of pawns where taking is compulsory; as a heap game, code 0.137. The player who makes the last move wins \
     (in misère play, loses).",
    "heaps" = "9" (HEAPS, "the widths to begin with"),
    |heaps| known("0.137", heaps)
}

spelling! {
    GrundysGame, "grundy", "Grundy's game",
    "A move splits one heap into two of different size. The player who makes the last move wins (in misère play, \
     loses).",
    "heaps" = "10" (HEAPS, "the heaps to begin with"),
    |heaps| known("grundy", heaps)
}
