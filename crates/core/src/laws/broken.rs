//! Small games with one fault each: the law that is about the fault finds it, and no other law does.

use super::*;
use crate::code::Code;
use crate::evaluate::Evaluate;
use crate::forcing::Forcing;
use crate::game::NotationError;
use crate::impartial::Impartial;
use crate::indexed::{BulkIndexed, Expansion, Indexed, TableIndex, expand};
use crate::lines::{CellSet, Line, LineGame, Lines, MAX_MARKS};
use crate::tactics::{StaticAnalysis, Tactics};
use crate::words::{Bounds, Player, Value, Wdl};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A fault of a [`Ring`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    Undo,
    ExtraTurn,
    MoveNames,
    Closure,
    Inverse,
    MoveImages,
    Height,
    Ranks,
    RankAfter,
    Unrank,
    DrawPlies,
    CandidateTwice,
    CandidatesLeaveOut,
    Bounds,
    Ended,
    StaticWin,
    Danger,
    Pass,
    OrderLeavesOut,
    MissingLine,
    LinesDecide,
    LinesSpoiled,
    LineMarks,
    LineMoves,
    LineSymmetry,
    NoLines,
    CellNames,
    Key,
    Fingerprint,
    WinNow,
    RunsOut,
    TableIndex,
    Unplay,
    Position,
    FixedBy,
    MaxInternal,
    UsedPosition,
    UnplayAll,
    ExpandRange,
    RowLen,
    RowOrbitSize,
}

const CELLS: usize = 6;

/// Six cells in a ring; who first has three neighbours wins. `SAID` is what it says about alternation.
#[derive(Clone, Debug)]
struct Ring<const SAID: bool>(Fault);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Stones {
    of: [u8; 2],
    turn: Player,
}

fn rotated(set: u8, by: usize) -> u8 {
    let all = (1u16 << CELLS) - 1;
    let wide = u16::from(set) << by;
    ((wide | wide >> CELLS) & all) as u8
}

impl Stones {
    fn filled(self) -> u8 {
        self.of[0] | self.of[1]
    }
    fn count(self) -> u32 {
        self.filled().count_ones()
    }
    fn empty(self) -> impl Iterator<Item = u8> {
        (0..CELLS as u8).filter(move |cell| self.filled() >> cell & 1 == 0)
    }
    fn rotated(self, by: usize) -> Stones {
        Stones { of: self.of.map(|set| rotated(set, by)), ..self }
    }
    fn raw(self) -> u64 {
        let digit = |cell: usize| u64::from(self.of[0] >> cell & 1) + 2 * u64::from(self.of[1] >> cell & 1);
        (0..CELLS).fold(0, |number, cell| 3 * number + digit(cell)) * 2 + self.turn as u64
    }
    fn from_raw(raw: u64) -> Stones {
        let (mut pos, mut rest) = (Stones { of: [0, 0], turn: Player::BOTH[(raw % 2) as usize] }, raw / 2);
        for cell in (0..CELLS).rev() {
            match rest % 3 {
                0 => {}
                side => pos.of[side as usize - 1] |= 1 << cell,
            }
            rest /= 3;
        }
        pos
    }
    fn least(self) -> Stones {
        (0..CELLS).map(|by| self.rotated(by)).min().expect("there are rotations")
    }
    fn stabiliser(self) -> u32 {
        (0..CELLS).filter(|&by| self.rotated(by) == self).count() as u32
    }
}

fn has_row(set: u8) -> bool {
    (0..CELLS).any(|by| rotated(0b111, by) & !set == 0)
}

impl<const SAID: bool> Ring<SAID> {
    fn is(&self, fault: Fault) -> bool {
        self.0 == fault
    }
    /// A cell in which `side` completes a row.
    fn completing(&self, pos: Stones, side: Player) -> Option<u8> {
        pos.empty().find(|cell| has_row(pos.of[side as usize] | 1 << cell))
    }
    /// The rotation that an element stands for.
    fn turns(&self, element: usize) -> usize {
        if self.is(Fault::Closure) { [0, 1, CELLS - 1][element] } else { element }
    }
    fn can_arise(&self, pos: Stones) -> bool {
        let (first, second) = (pos.of[0].count_ones(), pos.of[1].count_ones());
        let turn = if first == second { Player::First } else { Player::Second };
        first.wrapping_sub(second) <= 1 && pos.turn == turn
    }
}

impl<const SAID: bool> Game for Ring<SAID> {
    const ALTERNATES: bool = SAID;
    type Position = Stones;
    type Move = u8;
    type Undo = Stones;

    fn start(&self) -> Stones {
        Stones { of: [0, 0], turn: Player::First }
    }
    fn turn(&self, pos: &Stones) -> Player {
        pos.turn
    }
    fn outcome(&self, pos: &Stones) -> Option<Outcome> {
        match pos.of.map(has_row) {
            [true, _] => Some(Outcome::Win(Player::First)),
            [_, true] => Some(Outcome::Win(Player::Second)),
            _ => (pos.count() == CELLS as u32).then_some(Outcome::Draw),
        }
    }
    fn moves(&self, pos: &Stones, each: &mut impl FnMut(u8)) {
        if self.outcome(pos).is_none() {
            pos.empty().for_each(each);
        }
    }
    fn play(&self, pos: &mut Stones, mv: u8) -> Stones {
        let old = *pos;
        pos.of[pos.turn as usize] |= 1 << mv;
        if !self.is(Fault::ExtraTurn) || pos.count() != 2 {
            pos.turn = pos.turn.other();
        }
        old
    }
    fn undo(&self, pos: &mut Stones, _mv: u8, undo: Stones) {
        *pos = if self.is(Fault::Undo) { Stones { turn: pos.turn, ..undo } } else { undo };
    }
}

impl<const SAID: bool> Alternating for Ring<SAID> {}

impl<const SAID: bool> Notation for Ring<SAID> {
    fn show(&self, pos: &Stones) -> String {
        pos.raw().to_string()
    }
    fn parse(&self, text: &str) -> Result<Stones, NotationError> {
        text.parse().map(Stones::from_raw).map_err(|_| NotationError::position(text, "expected a number"))
    }
    fn show_move(&self, _pos: &Stones, mv: u8) -> String {
        if self.is(Fault::MoveNames) { mv.min(4) } else { mv }.to_string()
    }
}

impl<const SAID: bool> Symmetric for Ring<SAID> {
    fn order(&self) -> usize {
        if self.is(Fault::Closure) { 3 } else { CELLS }
    }
    fn image(&self, element: usize, pos: &Stones) -> Stones {
        pos.rotated(self.turns(element))
    }
    fn image_of_move(&self, element: usize, mv: u8) -> u8 {
        let by = if self.is(Fault::MoveImages) { 2 * self.turns(element) } else { self.turns(element) };
        ((usize::from(mv) + by) % CELLS) as u8
    }
    fn inverse(&self, element: usize) -> usize {
        match element {
            _ if self.is(Fault::Inverse) => element,
            0 => 0,
            _ => self.order() - element,
        }
    }
}

impl<const SAID: bool> Acyclic for Ring<SAID> {
    fn height(&self, pos: &Stones) -> u32 {
        CELLS as u32 - pos.count() + u32::from(self.is(Fault::Height) && pos.count() == 3)
    }
    fn draw_plies(&self, pos: &Stones) -> Option<u32> {
        Some(if self.is(Fault::DrawPlies) { 3 } else { CELLS as u32 - pos.count() })
    }
}

impl<const SAID: bool> Ranked for Ring<SAID> {
    fn ranks(&self) -> Option<usize> {
        let all = 2 * 3usize.pow(CELLS as u32);
        Some(if self.is(Fault::Ranks) { all / 2 } else { all })
    }
    fn rank(&self, pos: &Stones) -> usize {
        pos.raw() as usize
    }
    fn rank_after(&self, rank: usize, _pos: &Stones, _mv: u8, after: &Stones) -> usize {
        if self.is(Fault::RankAfter) { rank } else { after.raw() as usize }
    }
    fn unrank(&self, rank: usize) -> Option<Stones> {
        let pos = Stones::from_raw(rank as u64);
        Some(if self.is(Fault::Unrank) { pos.least() } else { pos })
    }
}

impl<const SAID: bool> Guide for Ring<SAID> {
    fn bounds(&self, pos: &Stones) -> Bounds {
        if self.is(Fault::Bounds) && pos.count() == 3 {
            return Bounds::exactly(Wdl::Draw);
        }
        let open = |side: Player| (0..CELLS).any(|by| rotated(0b111, by) & pos.of[side.other() as usize] == 0);
        Bounds {
            lo: if open(pos.turn.other()) { Wdl::Loss } else { Wdl::Draw },
            hi: if open(pos.turn) { Wdl::Win } else { Wdl::Draw },
        }
    }

    fn candidates(&self, pos: &Stones, each: &mut impl FnMut(u8, i32)) {
        if self.is(Fault::CandidatesLeaveOut) {
            let poor = |cell: &u8| pos.count() == 5 || Some(*cell) != self.completing(*pos, pos.turn);
            return pos.empty().filter(poor).for_each(|cell| each(cell, 0));
        }
        match self.completing(*pos, pos.turn) {
            Some(cell) => each(cell, 0),
            None => pos.empty().for_each(|cell| each(cell, 0)),
        }
        if self.is(Fault::CandidateTwice) {
            each(self.completing(*pos, pos.turn).or_else(|| pos.empty().next()).expect("a cell"), 0);
        }
    }
}

impl<const SAID: bool> LineGame for Ring<SAID> {
    fn lines(&self, maker: Player) -> Option<Lines> {
        let line = |by| Line { mark: 0, want: CellSet::from(rotated(0b111, by)), avoid: 0, track: 0 };
        let rows = if self.is(Fault::MissingLine) { 5 } else { CELLS };
        let shift = |by: usize| (0..CELLS).map(|cell| ((cell + by) % CELLS) as u8).collect();
        let mut symmetries: Vec<Vec<u8>> = (0..CELLS).map(shift).collect();
        if self.is(Fault::LineSymmetry) {
            symmetries[1].swap(0, 1);
        }
        (!self.is(Fault::NoLines)).then_some(Lines {
            cells: CELLS,
            marks: 2,
            lines: (0..rows).map(line).collect(),
            settled: false,
            symmetries,
            alike: false,
            spoiled: if self.is(Fault::LinesSpoiled) { Wdl::Loss } else { Wdl::Draw },
            decides: self.is(Fault::LinesDecide),
            maker,
        })
    }

    fn line_marks(&self, pos: &Stones, maker: Player) -> [CellSet; MAX_MARKS] {
        let own = if self.is(Fault::LineMarks) { Player::First } else { maker };
        [CellSet::from(pos.of[own as usize]), CellSet::from(pos.of[own.other() as usize]), 0, 0]
    }

    fn line_move(&self, pos: &Stones, maker: Player, cell: usize, mark: usize) -> Option<u8> {
        let own = (pos.turn == maker) == (mark == 0);
        (own != self.is(Fault::LineMoves)).then_some(cell as u8)
    }

    fn cell_name(&self, cell: usize) -> String {
        if self.is(Fault::CellNames) { "cell".to_string() } else { cell.to_string() }
    }
}

impl<const SAID: bool> Evaluate for Ring<SAID> {
    fn ended(&self, pos: &Stones, _mv: u8) -> Option<Outcome> {
        if self.is(Fault::Ended) && pos.count() == 5 { None } else { self.outcome(pos) }
    }
    fn ordered(&self, pos: &Stones, each: &mut impl FnMut(u8, i32)) {
        let poor = |cell: &u8| pos.count() == 5 || Some(*cell) != self.completing(*pos, pos.turn);
        pos.empty().filter(|cell| !self.is(Fault::OrderLeavesOut) || poor(cell)).for_each(|cell| each(cell, 0));
    }
    fn immediate_win(&self, pos: &mut Stones) -> Option<u8> {
        let side = if self.is(Fault::StaticWin) { pos.turn.other() } else { pos.turn };
        self.completing(*pos, side)
    }
    fn in_danger(&self, pos: &mut Stones) -> bool {
        self.completing(*pos, pos.turn.other()).is_some() || self.is(Fault::Danger) && pos.count() == 4
    }
    fn pass(&self, pos: &mut Stones) -> bool {
        if !self.is(Fault::Pass) {
            pos.turn = pos.turn.other();
        }
        true
    }
}

impl<const SAID: bool> Forcing for Ring<SAID> {
    fn key(&self, pos: &Stones) -> u128 {
        if self.is(Fault::Key) { pos.raw() } else { pos.least().raw() }.into()
    }
    fn has_exact_keys(&self) -> bool {
        !self.is(Fault::Closure)
    }
    fn fingerprint(&self, pos: &Stones) -> u128 {
        if self.is(Fault::Fingerprint) { pos.least().raw() } else { pos.raw() }.into()
    }
    fn win_now(&self, pos: &mut Stones) -> Option<u8> {
        self.completing(*pos, pos.turn).filter(|_| !self.is(Fault::WinNow) || pos.count() > 4)
    }
    fn threatens(&self, pos: &mut Stones) -> bool {
        self.completing(*pos, pos.turn.other()).is_some()
    }
    fn promise(&self, _pos: &Stones) -> i32 {
        0
    }
    fn runs_out_within(&self, pos: &Stones, n: u32) -> bool {
        pos.count() + n >= CELLS as u32 && !self.is(Fault::RunsOut)
    }
}

impl<const SAID: bool> Indexed for Ring<SAID> {
    type Shard = ();

    fn components(&self) -> Vec<Vec<()>> {
        vec![vec![()]]
    }
    fn leads_to(&self, _shard: ()) -> Vec<()> {
        Vec::new()
    }
    fn shard_name(&self, _shard: ()) -> String {
        "all".to_string()
    }
    fn shard_size(&self, _shard: ()) -> u64 {
        2 * 3u64.pow(CELLS as u32)
    }
    fn shard(&self, _pos: &Stones) {}
    fn table_index(&self, pos: &Stones) -> TableIndex<()> {
        let least = if self.is(Fault::TableIndex) && pos.count() == 1 { *pos } else { pos.least() };
        let stabiliser = if self.is(Fault::FixedBy) { 4 } else { pos.stabiliser() };
        TableIndex { shard: (), index: least.raw(), stabiliser }
    }
    fn position(&self, _shard: (), index: u64) -> Option<Stones> {
        let pos = Stones::from_raw(index);
        let single = self.is(Fault::TableIndex) && pos.count() == 1;
        let used = pos.least() == pos || single || self.is(Fault::Position) && pos.count() == 2;
        let arises = self.is(Fault::ExtraTurn) || self.can_arise(pos);
        (used && arises && self.outcome(&pos).is_none()).then_some(pos)
    }
    fn symmetries(&self) -> u32 {
        CELLS as u32
    }
    fn unplay(&self, pos: &Stones, each: &mut impl FnMut(Stones)) {
        for side in Player::BOTH {
            let own = (0..CELLS as u8).filter(|cell| pos.of[side as usize] >> cell & 1 == 1);
            for cell in own.filter(|&cell| !self.is(Fault::Unplay) || cell != 3) {
                let mut before = Stones { turn: side, ..*pos };
                before.of[side as usize] &= !(1 << cell);
                if self.outcome(&before).is_none() && self.after(&before, cell) == *pos {
                    each(before);
                }
            }
        }
    }
    fn phase(&self, _shard: ()) -> &'static str {
        "all"
    }
}

impl<const SAID: bool> BulkIndexed for Ring<SAID> {
    fn max_internal(&self, _shard: ()) -> u32 {
        if self.is(Fault::MaxInternal) { CELLS as u32 - 1 } else { CELLS as u32 }
    }
    fn used_position(&self, _shard: (), index: u64) -> Stones {
        let pos = Stones::from_raw(index);
        if self.is(Fault::UsedPosition) { pos.rotated(1) } else { pos }
    }
    fn unplay_all(&self, _shard: (), indices: &[u64], each: &mut impl FnMut(usize, TableIndex<()>)) {
        for (at, &index) in indices.iter().enumerate() {
            let mut skip = self.is(Fault::UnplayAll);
            self.unplay(&Stones::from_raw(index), &mut |before| {
                if !std::mem::take(&mut skip) {
                    each(at, self.table_index(&before));
                }
            });
        }
    }
    fn expand_range(
        &self,
        component: &[()],
        shard: (),
        indices: std::ops::Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<()>),
    ) {
        let mut expansion = Expansion::default();
        for index in indices {
            if let Some(pos) = self.position(shard, index) {
                expand(self, component, &pos, &mut expansion);
                expansion.internal += u32::from(self.is(Fault::ExpandRange));
                each(index, &expansion);
            }
        }
    }
    fn row_len(&self, _shard: ()) -> u64 {
        if self.is(Fault::RowLen) { 5 } else { 1 }
    }
    fn row_orbit_size(&self, _shard: (), row: u64) -> Option<u32> {
        match self.0 {
            Fault::RowOrbitSize => Some(CELLS as u32),
            Fault::RowLen | Fault::FixedBy => None,
            _ => Some(CELLS as u32 / Stones::from_raw(row).stabiliser()),
        }
    }
}

/// The names of the laws that a game breaks.
fn broken<G: Notation + Symmetric + Ranked + LineGame + Evaluate + Forcing + BulkIndexed>(
    game: &G,
) -> Vec<&'static str> {
    type Law<'a> = (&'static str, Box<dyn Fn() + 'a>);
    let laws: Vec<Law<'_>> = vec![
        ("rules", Box::new(|| rules(game, 40, 1))),
        ("alternating", Box::new(|| alternating(game, 40, 1))),
        ("notation", Box::new(|| notation(game, 40, 1))),
        ("symmetry", Box::new(|| symmetry(game, 40, 1))),
        ("acyclic", Box::new(|| acyclic(game, 40, 1))),
        ("ranked", Box::new(|| ranked(game, 40, 1))),
        ("guide", Box::new(|| guide(game, 40, 1))),
        ("static_bounds", Box::new(|| static_bounds(game, 40, 1))),
        ("lines", Box::new(|| lines(game, 40, 1))),
        ("evaluation", Box::new(|| evaluation(game, 40, 1))),
        ("order", Box::new(|| order(game, 40, 1))),
        ("forcing", Box::new(|| forcing(game, 40, 1))),
        ("indexed", Box::new(|| indexed(game, 40, 1))),
        ("indices", Box::new(|| indices(game, 1))),
        ("bulk", Box::new(|| bulk(game, 40, 1))),
    ];
    laws.iter().filter(|(_, law)| catch_unwind(AssertUnwindSafe(law)).is_err()).map(|(name, _)| *name).collect()
}

#[test]
fn each_fault_is_found_by_its_law_and_by_no_other() {
    for (fault, law) in [
        (Fault::Undo, "rules"),
        (Fault::ExtraTurn, "alternating"),
        (Fault::MoveNames, "notation"),
        (Fault::Closure, "symmetry"),
        (Fault::Inverse, "symmetry"),
        (Fault::MoveImages, "symmetry"),
        (Fault::Height, "acyclic"),
        (Fault::Ranks, "ranked"),
        (Fault::RankAfter, "ranked"),
        (Fault::Unrank, "ranked"),
        (Fault::DrawPlies, "acyclic"),
        (Fault::CandidateTwice, "guide"),
        (Fault::CandidatesLeaveOut, "static_bounds"),
        (Fault::Bounds, "static_bounds"),
        (Fault::MissingLine, "lines"),
        (Fault::LinesDecide, "lines"),
        (Fault::LinesSpoiled, "lines"),
        (Fault::LineMarks, "lines"),
        (Fault::LineMoves, "lines"),
        (Fault::LineSymmetry, "lines"),
        (Fault::NoLines, "lines"),
        (Fault::CellNames, "lines"),
        (Fault::Ended, "evaluation"),
        (Fault::StaticWin, "evaluation"),
        (Fault::Danger, "evaluation"),
        (Fault::Pass, "evaluation"),
        (Fault::OrderLeavesOut, "order"),
        (Fault::Key, "forcing"),
        (Fault::Fingerprint, "forcing"),
        (Fault::WinNow, "forcing"),
        (Fault::RunsOut, "forcing"),
        (Fault::TableIndex, "indexed"),
        (Fault::Unplay, "indexed"),
        (Fault::Position, "indices"),
        (Fault::FixedBy, "indices"),
        (Fault::MaxInternal, "bulk"),
        (Fault::UsedPosition, "bulk"),
        (Fault::UnplayAll, "bulk"),
        (Fault::ExpandRange, "bulk"),
        (Fault::RowLen, "bulk"),
        (Fault::RowOrbitSize, "bulk"),
    ] {
        assert_eq!(broken(&Ring::<false>(fault)), [law], "{fault:?}");
    }
}

#[test]
fn a_game_without_a_fault_keeps_every_law() {
    assert_eq!(broken(&Ring::<false>(Fault::None)), [] as [&str; 0]);
    assert_eq!(broken(&Ring::<true>(Fault::None)), [] as [&str; 0]);
}

#[test]
fn alternation_that_is_said_and_not_kept_breaks_the_rules() {
    assert_eq!(broken(&Ring::<true>(Fault::ExtraTurn)), ["rules", "alternating"]);
}

/// A fault of a [`Pile`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Nothing,
    Options,
    StaticNimber,
    Heap,
    Decided,
    Forced,
    Promising,
    ValueBounds,
    Key,
    KeyBits,
}

/// A pile of seven from which one or two counters are taken.
#[derive(Clone, Debug)]
struct Pile(Wrong);

impl Game for Pile {
    type Position = (usize, Player);
    type Move = usize;
    type Undo = (usize, Player);

    fn start(&self) -> (usize, Player) {
        (7, Player::First)
    }
    fn turn(&self, pos: &(usize, Player)) -> Player {
        pos.1
    }
    fn outcome(&self, pos: &(usize, Player)) -> Option<Outcome> {
        (pos.0 == 0).then_some(Outcome::Win(pos.1.other()))
    }
    fn moves(&self, pos: &(usize, Player), each: &mut impl FnMut(usize)) {
        (1..=pos.0.min(2)).for_each(each);
    }
    fn play(&self, pos: &mut (usize, Player), mv: usize) -> (usize, Player) {
        std::mem::replace(pos, (pos.0 - mv, pos.1.other()))
    }
    fn undo(&self, pos: &mut (usize, Player), _mv: usize, undo: (usize, Player)) {
        *pos = undo;
    }
}

impl Alternating for Pile {}

impl Impartial for Pile {
    type Part = usize;

    fn misere(&self) -> bool {
        false
    }
    fn parts(&self, pos: &(usize, Player)) -> Vec<usize> {
        (pos.0 > 0).then_some(pos.0).into_iter().collect()
    }
    fn options(&self, part: &usize, each: &mut impl FnMut(&[usize])) {
        let most = if self.0 == Wrong::Options && *part == 4 { 1 } else { 2 };
        for left in (1..=most.min(*part)).map(|taken| part - taken) {
            each(if left == 0 { &[] } else { std::slice::from_ref(&left) });
        }
    }
    fn heap<'a>(&'a self, part: &usize) -> Option<(&'a Code, usize)> {
        static CODES: std::sync::OnceLock<[Code; 2]> = std::sync::OnceLock::new();
        let codes = CODES.get_or_init(|| [Code::subtraction(&[1, 2]), Code::subtraction(&[1, 3])]);
        Some((&codes[usize::from(self.0 == Wrong::Heap)], *part))
    }
    fn static_nimber(&self, part: &usize) -> Option<u32> {
        Some((part % if self.0 == Wrong::StaticNimber { 4 } else { 3 }) as u32)
    }
}

#[test]
fn parts_that_are_not_the_whole_are_found_by_their_law_alone() {
    for wrong in [Wrong::Nothing, Wrong::Options, Wrong::StaticNimber, Wrong::Heap] {
        let game = Pile(wrong);
        rules(&game, 20, 1);
        alternating(&game, 20, 1);
        let found = catch_unwind(AssertUnwindSafe(|| parts(&game, 20, 1))).is_err();
        assert_eq!(found, wrong != Wrong::Nothing, "{wrong:?}");
    }
}

impl Symmetric for Pile {}

impl Acyclic for Pile {
    fn height(&self, pos: &(usize, Player)) -> u32 {
        pos.0 as u32
    }
}

impl Tactics for Pile {
    fn static_analysis(&self, pos: &(usize, Player)) -> StaticAnalysis<usize> {
        match pos.0 {
            0 => StaticAnalysis::Decided(Value::loss_in(0)),
            1 | 2 => StaticAnalysis::Decided(Value::win_in(if self.0 == Wrong::Decided { 3 } else { 1 })),
            4 => StaticAnalysis::Forced(if self.0 == Wrong::Forced { 2 } else { 1 }),
            _ => StaticAnalysis::Open,
        }
    }
    fn promising(&self, pos: &(usize, Player), each: &mut impl FnMut(usize)) {
        each(1);
        if self.0 != Wrong::Promising {
            each(2.min(pos.0));
        }
    }
    fn value_bounds(&self, pos: &(usize, Player)) -> (Value, Value) {
        let quickest = if self.0 == Wrong::ValueBounds { 5 } else { 3 };
        if pos.0.is_multiple_of(3) { (Value::loss_in(2), Value::DRAW) } else { (Value::DRAW, Value::win_in(quickest)) }
    }
    fn promise(&self, _pos: &(usize, Player), mv: usize) -> i32 {
        mv as i32
    }
    fn key_bits(&self) -> u32 {
        if self.0 == Wrong::KeyBits { 1 } else { 3 }
    }
    fn key(&self, pos: &(usize, Player)) -> u64 {
        if self.0 == Wrong::Key { 0 } else { pos.0 as u64 }
    }
}

#[test]
fn tactics_that_are_not_true_are_found_by_their_law_alone() {
    let faults = [Wrong::Decided, Wrong::Forced, Wrong::Promising, Wrong::ValueBounds, Wrong::Key, Wrong::KeyBits];
    for wrong in faults.into_iter().chain([Wrong::Nothing]) {
        let game = Pile(wrong);
        rules(&game, 20, 1);
        acyclic(&game, 20, 1);
        parts(&game, 20, 1);
        let found = catch_unwind(AssertUnwindSafe(|| tactics(&game, 20, 1))).is_err();
        assert_eq!(found, wrong != Wrong::Nothing, "{wrong:?}");
    }
}
