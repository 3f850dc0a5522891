//! Exact counts: positions, games and tree nodes, with and without symmetry.
//!
//! Symmetry here means the symmetries of the position counted from. "Games up to symmetry" has two
//! meanings, and both are given: moves that a symmetry *of the current position* makes equal are one
//! ([`Counts::games_by_position`]), or whole move sequences that one symmetry maps onto another are one
//! ([`Counts::games_by_sequence`]).

use crate::table::table_bytes;
use crate::tally::Tally;
use agon_core::{Acyclic, Ctx, Meter, Outcome, Player, Stop, Symmetric};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// Something counted by how play ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByOutcome<N> {
    /// The first player won.
    pub first: N,
    /// The second player won.
    pub second: N,
    /// Nobody won.
    pub draw: N,
}

impl<N> ByOutcome<N> {
    fn of(&mut self, outcome: Outcome) -> &mut N {
        match outcome {
            Outcome::Win(Player::First) => &mut self.first,
            Outcome::Win(Player::Second) => &mut self.second,
            Outcome::Draw => &mut self.draw,
        }
    }

    fn map<M>(&self, f: impl Fn(&N) -> M) -> ByOutcome<M> {
        ByOutcome { first: f(&self.first), second: f(&self.second), draw: f(&self.draw) }
    }
}

impl ByOutcome<u64> {
    fn merge(&mut self, other: &ByOutcome<u64>) {
        self.first += other.first;
        self.second += other.second;
        self.draw += other.draw;
    }
}

impl<N: Tally> ByOutcome<N> {
    fn none() -> ByOutcome<N> {
        ByOutcome { first: N::small(0), second: N::small(0), draw: N::small(0) }
    }

    /// Adds part by part; fails on overflow.
    fn add(&mut self, other: &ByOutcome<N>) -> Result<(), Failed> {
        let parts = [(&mut self.first, &other.first), (&mut self.second, &other.second), (&mut self.draw, &other.draw)];
        parts.into_iter().try_for_each(|(sum, part)| sum.add(part)).ok_or(Failed::Overflow)
    }
}

impl ByOutcome<BigUint> {
    /// However they ended.
    #[must_use]
    pub fn total(&self) -> BigUint {
        &self.first + &self.second + &self.draw
    }
}

/// One ply of the count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Moves played so far.
    pub ply: u32,
    /// Move sequences of that length.
    pub sequences: BigUint,
    /// Different positions after them.
    pub positions: u64,
    /// The same up to symmetry.
    pub classes: u64,
    /// Games of exactly that length.
    pub games: ByOutcome<BigUint>,
}

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Ply by ply, from no move at all.
    pub plies: Vec<Ply>,
    /// Whether every play was followed to its end.
    pub complete: bool,
    /// Whether the last ply brought no new position, so that none is missing.
    pub closed: bool,
    /// Why something asked for is missing.
    pub cut: Option<Cut>,
    /// Different positions over all plies, and up to symmetry.
    pub positions: (u64, u64),
    /// Finished positions by outcome, and up to symmetry.
    pub finished: (ByOutcome<u64>, ByOutcome<u64>),
    /// All games: sequences that end the play.
    pub games: ByOutcome<BigUint>,
    /// Games where moves equal under a symmetry of the current position count once.
    pub games_by_position: Option<ByOutcome<BigUint>>,
    /// Games where sequences equal under a symmetry count once.
    pub games_by_sequence: Option<ByOutcome<BigUint>>,
}

impl Counts {
    /// Nodes of the tree that stops when the play is over, root included.
    #[must_use]
    pub fn tree_nodes(&self) -> BigUint {
        self.plies.iter().map(|ply| &ply.sequences).sum()
    }
}

/// How far to count.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Stop after that many plies.
    pub plies: u32,
    /// Give up before a table takes more bytes than this.
    pub bytes: usize,
    /// Also count games up to symmetry.
    pub up_to_symmetry: bool,
}

/// Why a count ends before everything is counted; what is there is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Stopped from outside.
    Stopped(Stop),
    /// The positions of this ply do not fit the memory allowed.
    Memory {
        /// The ply that did not fit.
        ply: u32,
    },
    /// Games up to symmetry do not fit the memory allowed.
    SymmetryMemory,
}

enum Failed {
    Overflow,
    Cut(Cut),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Cut(Cut::Stopped(stop))
    }
}

/// Takes what was counted before a cut; an overflow goes on up.
fn until_cut<T>(result: Result<T, Failed>, cut: &mut Option<Cut>) -> Result<Option<T>, Failed> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failed::Cut(why)) => {
            *cut = Some(why);
            Ok(None)
        }
        Err(Failed::Overflow) => Err(Failed::Overflow),
    }
}

/// Counts everything reachable from `root`.
pub fn count<G: Acyclic + Symmetric>(game: &G, root: &G::Position, limits: Limits, ctx: &Ctx) -> Counts {
    counted(game, root, limits, Some(game.height(root)), ctx)
}

/// [`count`] where play can go round: stops when a ply brings no new position.
pub fn count_round<G: Symmetric>(game: &G, root: &G::Position, limits: Limits, ctx: &Ctx) -> Counts {
    counted(game, root, Limits { up_to_symmetry: false, ..limits }, None, ctx)
}

fn counted<G: Symmetric>(game: &G, root: &G::Position, limits: Limits, height: Option<u32>, ctx: &Ctx) -> Counts {
    let fast = Counter::<G, u128>::run(game, root, limits, height, ctx);
    let Ok(counts) = fast.or_else(|_| Counter::<G, BigUint>::run(game, root, limits, height, ctx)) else {
        unreachable!("big numbers do not overflow, and a cut is part of the answer");
    };
    counts
}

struct Counter<'a, G: Symmetric, N> {
    game: &'a G,
    /// The most plies there can be; `None` where play can go round.
    height: Option<u32>,
    /// The symmetries of the root.
    keep: Vec<usize>,
    limits: Limits,
    ctx: &'a Ctx,
    meter: Meter<'a>,
    number: std::marker::PhantomData<N>,
}

type Layer<G, N> = FxHashMap<<G as agon_core::Game>::Position, N>;

impl<'a, G: Symmetric, N: Tally> Counter<'a, G, N> {
    fn run(
        game: &'a G,
        root: &G::Position,
        limits: Limits,
        height: Option<u32>,
        ctx: &'a Ctx,
    ) -> Result<Counts, Failed> {
        let keep = game.stabiliser(root);
        let mut counter =
            Counter { game, height, keep, limits, ctx, meter: ctx.meter(), number: std::marker::PhantomData };
        let mut counts = counter.layers(root)?;
        if counts.complete && limits.up_to_symmetry {
            let mut memo = FxHashMap::default();
            let by_position = until_cut(counter.by_position(root, &mut memo), &mut counts.cut)?;
            counts.games_by_position = by_position.map(|games| games.map(N::big));
            counts.games_by_sequence = until_cut(counter.by_sequence(root), &mut counts.cut)?;
        }
        Ok(counts)
    }

    /// The least image under the symmetries of the root, and how many images there are.
    fn class(&self, pos: &G::Position) -> (G::Position, u64) {
        let mut least = pos.clone();
        let mut fixing = 1;
        for &element in &self.keep[1..] {
            let image = self.game.image(element, pos);
            if image == *pos {
                fixing += 1;
            } else if image < least {
                least = image;
            }
        }
        (least, (self.keep.len() / fixing) as u64)
    }

    /// Ply by ply: each class with the number of sequences that lead to its members.
    fn layers(&mut self, root: &G::Position) -> Result<Counts, Failed> {
        let mut layer: Layer<G, N> = FxHashMap::default();
        layer.insert(root.clone(), N::small(1));
        let mut counts = Counts {
            plies: Vec::new(),
            complete: false,
            closed: false,
            cut: None,
            positions: (0, 0),
            finished: Default::default(),
            games: ByOutcome::default(),
            games_by_position: None,
            games_by_sequence: None,
        };
        let mut seen: FxHashSet<G::Position> = FxHashSet::default();
        for ply in 0.. {
            let most = self.height.map_or(self.limits.plies, |height| height.min(self.limits.plies));
            self.ctx.progress("counting plies", u64::from(ply), (most < u32::MAX).then_some(u64::from(most)));
            let before = counts.positions.1;
            let counted = self.layer(ply, &layer, &mut seen, &mut counts);
            let Some(next) = until_cut(counted, &mut counts.cut)? else { break };
            counts.closed = next.is_empty() || counts.positions.1 == before;
            if next.is_empty() {
                counts.complete = true;
                break;
            }
            if ply >= self.limits.plies || (self.height.is_none() && counts.closed) {
                break;
            }
            layer = next;
        }
        Ok(counts)
    }

    fn layer(
        &mut self,
        ply: u32,
        layer: &Layer<G, N>,
        seen: &mut FxHashSet<G::Position>,
        counts: &mut Counts,
    ) -> Result<Layer<G, N>, Failed> {
        let mut next: Layer<G, N> = FxHashMap::default();
        let (mut sequences, mut games) = (N::small(0), ByOutcome::<N>::none());
        // Added to the totals only once the whole ply is counted.
        let (mut new, mut finished) = ((0, 0), (ByOutcome::<u64>::default(), ByOutcome::<u64>::default()));
        let mut positions = 0;
        let last = ply >= self.limits.plies;
        for (pos, number) in layer {
            self.meter.tick()?;
            let orbit = self.class(pos).1;
            positions += orbit;
            sequences.add(number).ok_or(Failed::Overflow)?;
            if seen.insert(pos.clone()) {
                new = (new.0 + orbit, new.1 + 1);
                if let Some(outcome) = self.game.outcome(pos) {
                    *finished.0.of(outcome) += orbit;
                    *finished.1.of(outcome) += 1;
                }
            }
            if let Some(outcome) = self.game.outcome(pos) {
                games.of(outcome).add(number).ok_or(Failed::Overflow)?;
            } else if last {
                // Only whether anything follows matters.
                next.insert(pos.clone(), N::small(0));
            } else {
                self.spread(pos, number, &mut next)?;
            }
            let (slot, key) = (size_of::<(G::Position, N)>(), size_of::<G::Position>());
            let here = table_bytes(0, layer.capacity(), slot);
            let growing =
                table_bytes(next.len(), next.capacity(), slot) + table_bytes(seen.len(), seen.capacity(), key);
            if here + growing > self.limits.bytes {
                return Err(Failed::Cut(Cut::Memory { ply: ply + 1 }));
            }
        }
        let games = games.map(N::big);
        counts.games.add(&games)?;
        counts.positions = (counts.positions.0 + new.0, counts.positions.1 + new.1);
        counts.finished.0.merge(&finished.0);
        counts.finished.1.merge(&finished.1);
        counts.plies.push(Ply { ply, sequences: sequences.big(), positions, classes: layer.len() as u64, games });
        Ok(next)
    }

    fn spread(&self, pos: &G::Position, number: &N, next: &mut Layer<G, N>) -> Result<(), Failed> {
        let mut fits = Some(());
        self.game.moves(pos, &mut |mv| {
            let child = self.class(&self.game.after(pos, mv)).0;
            let slot = next.entry(child).or_insert_with(|| N::small(0));
            fits = fits.and_then(|()| slot.add(number));
        });
        fits.ok_or(Failed::Overflow)
    }

    /// Games from `pos` on, where moves equal under a symmetry that fixes the position count once.
    fn by_position(
        &mut self,
        pos: &G::Position,
        memo: &mut FxHashMap<G::Position, ByOutcome<N>>,
    ) -> Result<ByOutcome<N>, Failed> {
        let class = self.class(pos).0;
        if let Some(known) = memo.get(&class) {
            return Ok(known.clone());
        }
        self.meter.tick()?;
        let mut total = ByOutcome::none();
        if let Some(outcome) = self.game.outcome(&class) {
            *total.of(outcome) = N::small(1);
        } else {
            for child in self.children_up_to_symmetry(&class) {
                total.add(&self.by_position(&child, memo)?)?;
            }
        }
        if table_bytes(memo.len(), memo.capacity(), size_of::<(G::Position, ByOutcome<N>)>()) > self.limits.bytes {
            return Err(Failed::Cut(Cut::SymmetryMemory));
        }
        memo.insert(class, total.clone());
        Ok(total)
    }

    /// One child per orbit of moves under the symmetries that fix `pos`.
    fn children_up_to_symmetry(&self, pos: &G::Position) -> Vec<G::Position> {
        let fixing: Vec<usize> = self.keep.iter().copied().filter(|&e| self.game.image(e, pos) == *pos).collect();
        let mut children = Vec::new();
        self.game.moves(pos, &mut |mv| {
            if fixing.iter().all(|&element| self.game.image_of_move(element, mv) >= mv) {
                children.push(self.game.after(pos, mv));
            }
        });
        children
    }

    /// Orbits of whole games by Burnside's lemma: the average, over the symmetries, of the games made
    /// only of moves that the symmetry leaves in place.
    fn by_sequence(&mut self, root: &G::Position) -> Result<ByOutcome<BigUint>, Failed> {
        let mut sum: ByOutcome<BigUint> = ByOutcome::default();
        for element in self.keep.clone() {
            let mut memo = FxHashMap::default();
            let fixed = self.fixed(element, root, &mut memo)?;
            sum.add(&fixed.map(N::big))?;
        }
        Ok(sum.map(|n| n / self.keep.len()))
    }

    fn fixed(
        &mut self,
        element: usize,
        pos: &G::Position,
        memo: &mut FxHashMap<G::Position, ByOutcome<N>>,
    ) -> Result<ByOutcome<N>, Failed> {
        if let Some(known) = memo.get(pos) {
            return Ok(known.clone());
        }
        self.meter.tick()?;
        let mut total = ByOutcome::none();
        if let Some(outcome) = self.game.outcome(pos) {
            *total.of(outcome) = N::small(1);
        }
        let mut children = Vec::new();
        self.game.moves(pos, &mut |mv| {
            if self.game.image_of_move(element, mv) == mv {
                children.push(self.game.after(pos, mv));
            }
        });
        for child in children {
            total.add(&self.fixed(element, &child, memo)?)?;
        }
        if table_bytes(memo.len(), memo.capacity(), size_of::<(G::Position, ByOutcome<N>)>()) > self.limits.bytes {
            return Err(Failed::Cut(Cut::SymmetryMemory));
        }
        memo.insert(pos.clone(), total.clone());
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Notation};
    use agon_games::drop::Drop;
    use agon_games::mill::Mill;
    use agon_games::mill::presets::ANTRIN;
    use agon_games::mnk::Mnk;
    use agon_games::tak::Tak;
    use std::collections::BTreeSet;

    const ALL: Limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: true };

    fn small(n: &BigUint) -> u64 {
        n.try_into().expect("a small number")
    }

    #[test]
    fn tic_tac_toe_counts_match_the_literature() {
        let game = Mnk::new(3, 3, 3);
        let counts = count(&game, &game.start(), ALL, &Ctx::default());
        // Bottomley: 255,168 games, 131,184 / 77,904 / 46,080.
        let games = &counts.games;
        assert_eq!([&games.first, &games.second, &games.draw].map(small), [131_184, 77_904, 46_080]);
        assert_eq!((small(&games.total()), small(&counts.tree_nodes())), (255_168, 549_946));
        // 5,478 positions, 765 up to symmetry; finished: 626 X, 316 O, 16 drawn.
        assert_eq!(counts.positions, (5478, 765));
        assert_eq!(counts.finished.0, ByOutcome { first: 626, second: 316, draw: 16 });
        // Schaefer: 26,830 games when equivalent moves count once: 13,957 / 8,005 / 4,868.
        let by_position = counts.games_by_position.as_ref().unwrap();
        assert_eq!([&by_position.first, &by_position.second, &by_position.draw].map(small), [13_957, 8_005, 4_868]);
        assert_eq!(small(&counts.games_by_sequence.as_ref().unwrap().total()), 31_896);
    }

    #[test]
    fn connect_four_positions_match_the_published_sequence() {
        // OEIS A212693: positions after n plies of Connect Four.
        let game = Drop::new(7, 6, 4);
        let limits = Limits { plies: 8, ..ALL };
        let counts = count(&game, &game.start(), limits, &Ctx::default());
        let positions: Vec<u64> = counts.plies.iter().map(|ply| ply.positions).collect();
        assert_eq!(positions, [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275]);
    }

    /// Lists every game, and counts orbits of whole sequences by their least image.
    fn orbits_by_listing(game: &Mnk) -> usize {
        fn walk(game: &Mnk, pos: &<Mnk as Game>::Position, line: &mut Vec<u8>, seen: &mut BTreeSet<Vec<u8>>) {
            if game.outcome(pos).is_some() {
                let images = (0..game.order()).map(|e| line.iter().map(|&m| game.image_of_move(e, m)).collect());
                seen.extend(images.min());
            }
            game.moves(pos, &mut |mv| {
                line.push(mv);
                walk(game, &game.after(pos, mv), line, seen);
                line.pop();
            });
        }
        let mut seen = BTreeSet::new();
        walk(game, &game.start(), &mut Vec::new(), &mut seen);
        seen.len()
    }

    #[test]
    fn orbits_of_sequences_agree_with_listing_them() {
        for (m, n, k) in [(3, 3, 3), (4, 2, 2), (3, 2, 3)] {
            let game = Mnk::new(m, n, k);
            let counts = count(&game, &game.start(), ALL, &Ctx::default());
            let orbits = counts.games_by_sequence.unwrap().total();
            assert_eq!(small(&orbits) as usize, orbits_by_listing(&game), "{m},{n},{k}");
        }
    }

    #[test]
    fn a_lopsided_root_uses_only_its_own_symmetries() {
        let game = Mnk::new(3, 3, 3);
        let root = game.parse("XO./.../...").unwrap();
        let counts = count(&game, &root, ALL, &Ctx::default());
        assert_eq!(counts.plies[1].positions, 7);
        assert_eq!(counts.plies[1].classes, 7);
    }

    #[test]
    fn machine_and_big_numbers_agree_and_limits_are_kept() {
        let game = Mnk::new(3, 3, 3);
        let limits = Limits { plies: 4, ..ALL };
        let fast = count(&game, &game.start(), limits, &Ctx::default());
        let ctx = Ctx::default();
        let Ok(big) = Counter::<Mnk, BigUint>::run(&game, &game.start(), limits, None, &ctx) else {
            panic!("no count")
        };
        assert_eq!(fast, big);
        assert_eq!((fast.plies.len(), fast.complete), (5, false));
        let tiny = Limits { bytes: 10_000, ..ALL };
        let little = count(&game, &game.start(), tiny, &ctx);
        assert!(matches!(little.cut, Some(Cut::Memory { .. })) && !little.plies.is_empty() && !little.complete);
        let stopped = count(&Mnk::new(5, 5, 5), &Mnk::new(5, 5, 5).start(), ALL, &Ctx::default().with_budget(20_000));
        assert_eq!(stopped.cut, Some(Cut::Stopped(Stop::Budget)));
        assert_eq!(small(&stopped.plies[2].sequences), 25 * 24);
        assert_eq!(stopped.positions.0, stopped.plies.iter().map(|ply| ply.positions).sum::<u64>());
    }

    #[test]
    fn where_play_can_go_round_counting_stops_when_nothing_is_new() {
        let limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: false };
        let game = Tak::new(2, 2).with_reserves(3, 0);
        let counts = count_round(&game, &game.start(), limits, &Ctx::default());
        assert!(counts.closed && !counts.complete && counts.cut.is_none());
        // The same set of positions, one at a time.
        let (mut seen, mut todo) = (FxHashSet::from_iter([game.start()]), vec![game.start()]);
        while let Some(pos) = todo.pop() {
            let next = agon_core::collect_moves(&game, &pos).into_iter().map(|mv| game.after(&pos, mv));
            todo.extend(next.filter(|child| seen.insert(child.clone())));
        }
        let classes: FxHashSet<_> = seen.iter().map(|pos| game.canonical(pos).0).collect();
        assert_eq!(counts.positions, (seen.len() as u64, classes.len() as u64));
        // By ply: as many sequences as perft finds, and the classes of Beljaards's Table 5.1.
        let game = Tak::new(3, 3);
        let counts = count_round(&game, &game.start(), Limits { plies: 4, ..limits }, &Ctx::default());
        let sequences: Vec<BigUint> = counts.plies.iter().map(|ply| ply.sequences.clone()).collect();
        assert_eq!(sequences, [1u32, 9, 72, 1200, 17792].map(BigUint::from));
        assert_eq!((counts.plies[1].classes, counts.plies[2].classes, counts.closed), (3, 12, false));
    }

    #[test]
    fn placements_of_antrin_are_those_of_the_thesis() {
        let antrin = Mill::of_family(&ANTRIN, "antrin:3,early=ignored").unwrap().0;
        let limits = Limits { plies: 6, bytes: 1 << 26, up_to_symmetry: false };
        let counts = count_round(&antrin, &antrin.start(), limits, &Ctx::default());
        let by_ply = |of: fn(&Ply) -> u64| counts.plies.iter().map(of).collect::<Vec<_>>();
        assert_eq!(by_ply(|p| u64::try_from(&p.sequences).unwrap()), [1, 9, 72, 504, 3024, 15_120, 60_480]);
        assert_eq!(by_ply(|p| p.classes), [1, 3, 12, 38, 108, 174, 228]);
        assert_eq!(by_ply(|p| p.positions), [1, 9, 72, 252, 756, 1260, 1680]);
    }

    #[test]
    fn where_play_ends_it_counts_what_the_other_counts() {
        let game = Mnk::new(3, 3, 3);
        let limits = Limits { plies: 9, bytes: 1 << 26, up_to_symmetry: false };
        let slow = count_round(&game, &game.start(), limits, &Ctx::default());
        let fast = count(&game, &game.start(), limits, &Ctx::default());
        assert_eq!(
            (slow.plies, slow.positions, slow.finished, slow.games),
            (fast.plies, fast.positions, fast.finished, fast.games)
        );
    }
}
