//! Exact counts: positions, games and tree nodes, with and without symmetry.
//!
//! "Up to symmetry" means the same everywhere: two positions are one when a symmetry *of the game* maps one onto the
//! other, whether or not it also maps the position counted from onto itself. So a count of positions up to symmetry is
//! the number of orbits that the reachable positions meet, which is what [`crate::Strong`] counts too. Where the rules
//! are the same for both sides, positions can also be counted up to symmetry *and* exchange of sides
//! ([`Counts::exchanging`]), which is what tables of mill games hold.
//!
//! "Games up to symmetry" has two meanings, and both are given: moves that a symmetry of the current position makes
//! equal are one ([`Counts::games_by_position`]), or whole games that one symmetry maps onto another are one
//! ([`Counts::games_by_sequence`]; such a symmetry maps the position they begin at onto itself).

use crate::exact_counts::Tally;
use crate::recursion::deep;
use crate::table::table_bytes;
use agon_core::{Acyclic, Ctx, Game, Meter, Outcome, Player, Stop, Symmetric};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::AddAssign;

/// Counts by outcome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByOutcome<N> {
    /// The first player won.
    pub first: N,
    /// The second player won.
    pub second: N,
    /// Draws.
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

impl<N: for<'a> AddAssign<&'a N>> ByOutcome<N> {
    fn add(&mut self, other: &ByOutcome<N>) {
        self.first += &other.first;
        self.second += &other.second;
        self.draw += &other.draw;
    }
}

impl ByOutcome<BigUint> {
    /// The sum.
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
    /// The number of move sequences of that length.
    pub sequences: BigUint,
    /// The number of distinct positions after them.
    pub positions: u64,
    /// The same up to symmetry of the game.
    pub classes: u64,
    /// Games of exactly that length.
    pub games: ByOutcome<BigUint>,
}

/// The result of a count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The counts of each ply, from ply 0.
    pub plies: Vec<Ply>,
    /// True if every line of play was followed to its end.
    pub complete: bool,
    /// True if the last ply brought no new position, so that none is missing.
    pub closed: bool,
    /// Why something asked for is missing.
    pub cut: Option<Cut>,
    /// Different positions over all plies, and up to symmetry of the game.
    pub positions: (u64, u64),
    /// All positions and the finished ones, up to symmetry and exchange of sides; `None` where sides are not exchanged.
    pub exchanging: Option<(u64, u64)>,
    /// Finished positions by outcome, and up to symmetry of the game.
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

/// The limits of a count.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The ply limit.
    pub plies: u32,
    /// The memory limit of a table, in bytes.
    pub bytes: usize,
    /// Also count games up to symmetry.
    pub up_to_symmetry: bool,
}

/// Why a count is incomplete; the counts that it has are exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// The work was stopped.
    Stopped(Stop),
    /// The positions of this ply exceed the memory limit.
    Memory {
        /// The ply that did not fit.
        ply: u32,
    },
    /// Games up to symmetry exceed the memory limit.
    SymmetryMemory,
}

impl From<Stop> for Cut {
    fn from(stop: Stop) -> Cut {
        Cut::Stopped(stop)
    }
}

/// Counts everything reachable from `root`.
///
/// ```
/// use agon_core::{Ctx, Game};
/// use agon_games::mnk::Mnk;
/// use agon_solve::count::{Limits, count};
///
/// let (game, limits) = (Mnk::new(3, 3, 3), Limits { plies: u32::MAX, bytes: 1 << 26, up_to_symmetry: true });
/// let counts = count(&game, &game.start(), limits, &Ctx::default());
/// assert_eq!(counts.positions, (5478, 765)); // all, and up to symmetry
/// assert_eq!(counts.games.total(), 255_168u32.into());
/// ```
pub fn count<G: Acyclic + Symmetric>(game: &G, root: &G::Position, limits: Limits, ctx: &Ctx) -> Counts {
    counted(game, root, limits, Whole { height: Some(game.height(root)), exchange: None }, ctx)
}

/// The same position with the sides exchanged, where the rules are the same for both.
pub type Exchange<'a, G> = Option<&'a dyn Fn(&<G as Game>::Position) -> <G as Game>::Position>;

/// [`count`] where play can cycle: stops when a ply brings no new position.
///
/// ```
/// use agon_core::{Ctx, Family, Game};
/// use agon_games::mill::Mill;
/// use agon_solve::count::{Limits, count_cyclic};
///
/// let game = Mill::from_spelling("antrin:3").unwrap().0;
/// let limits = Limits { plies: u32::MAX, bytes: 1 << 26, up_to_symmetry: false };
/// let counts = count_cyclic(&game, &game.start(), limits, None, &Ctx::default());
/// assert!(counts.closed && !counts.complete); // every position, though plays do not end
/// ```
pub fn count_cyclic<G: Symmetric>(
    game: &G,
    root: &G::Position,
    limits: Limits,
    exchange: Exchange<'_, G>,
    ctx: &Ctx,
) -> Counts {
    let whole = Whole { height: None, exchange };
    counted(game, root, Limits { up_to_symmetry: false, ..limits }, whole, ctx)
}

fn counted<G: Symmetric>(game: &G, root: &G::Position, limits: Limits, whole: Whole<'_, G>, ctx: &Ctx) -> Counts {
    let mut counter = Counter { game, whole: &whole, keep: game.stabiliser(root), limits, ctx, meter: ctx.meter() };
    let mut counts = counter.layers(root);
    if counts.complete && limits.up_to_symmetry {
        let games = counter.by_position(root, &mut FxHashMap::default()).map_err(|why| counts.cut = Some(why));
        counts.games_by_position = games.ok().map(|games| games.map(Tally::big));
        counts.games_by_sequence = counter.by_sequence(root).map_err(|why| counts.cut = Some(why)).ok();
    }
    counts
}

/// Facts about the whole game.
struct Whole<'a, G: Game> {
    /// An upper bound of the plies; `None` if play can cycle.
    height: Option<u32>,
    /// The position with the sides exchanged, if that is to be counted.
    exchange: Exchange<'a, G>,
}

/// The positions so far.
struct Met<P> {
    /// Under the symmetries of the root, which lead from reachable positions to reachable ones.
    kept: FxHashSet<P>,
    /// Under all symmetries; not used where the root has them all.
    orbits: FxHashSet<P>,
    /// Under all symmetries and exchange of sides; not used where sides are not exchanged.
    exchanged: FxHashSet<P>,
}

impl<P> Met<P> {
    fn new() -> Met<P> {
        Met { kept: FxHashSet::default(), orbits: FxHashSet::default(), exchanged: FxHashSet::default() }
    }

    fn bytes(&self) -> usize {
        let bytes = |set: &FxHashSet<P>| table_bytes(set.len(), set.capacity(), size_of::<P>());
        bytes(&self.kept) + bytes(&self.orbits) + bytes(&self.exchanged)
    }
}

/// The contribution of a complete ply to the totals.
#[derive(Default)]
struct New {
    positions: (u64, u64),
    finished: (ByOutcome<u64>, ByOutcome<u64>),
    exchanged: (u64, u64),
}

impl New {
    fn add_to(&self, counts: &mut Counts) {
        counts.positions = (counts.positions.0 + self.positions.0, counts.positions.1 + self.positions.1);
        counts.finished.0.add(&self.finished.0);
        counts.finished.1.add(&self.finished.1);
        if let Some((all, finished)) = &mut counts.exchanging {
            *all += self.exchanged.0;
            *finished += self.exchanged.1;
        }
    }
}

struct Counter<'a, G: Symmetric> {
    game: &'a G,
    whole: &'a Whole<'a, G>,
    /// The symmetries of the root.
    keep: Vec<usize>,
    limits: Limits,
    ctx: &'a Ctx,
    meter: Meter<'a>,
}

type Layer<G> = FxHashMap<<G as Game>::Position, Tally>;

impl<G: Symmetric> Counter<'_, G> {
    /// The canonical form under the stabiliser of the root, and the size of its orbit.
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

    /// The least image under all symmetries of the game; `None` where the root has them all, and its classes are
    /// orbits.
    fn orbit(&self, pos: &G::Position) -> Option<G::Position> {
        (self.keep.len() < self.game.order()).then(|| self.game.canonical(pos).0)
    }

    /// The least image under all symmetries and exchange of sides.
    fn exchanged(&self, pos: &G::Position) -> Option<G::Position> {
        let other = self.whole.exchange?(pos);
        Some(self.game.canonical(pos).0.min(self.game.canonical(&other).0))
    }

    /// Ply by ply: each class with the number of sequences that lead to its members.
    fn layers(&mut self, root: &G::Position) -> Counts {
        let mut layer: Layer<G> = FxHashMap::default();
        layer.insert(root.clone(), Tally::ONE);
        let mut counts = Counts {
            plies: Vec::new(),
            complete: false,
            closed: false,
            cut: None,
            positions: (0, 0),
            exchanging: self.whole.exchange.map(|_| (0, 0)),
            finished: Default::default(),
            games: ByOutcome::default(),
            games_by_position: None,
            games_by_sequence: None,
        };
        let mut met = Met::new();
        for ply in 0.. {
            let most = self.whole.height.map_or(self.limits.plies, |height| height.min(self.limits.plies));
            self.ctx.progress("counting plies", u64::from(ply), (most < u32::MAX).then_some(u64::from(most)));
            let before = counts.positions.0;
            let next = match self.layer(ply, &layer, &mut met, &mut counts) {
                Ok(next) => next,
                Err(why) => {
                    counts.cut = Some(why);
                    break;
                }
            };
            counts.closed = next.is_empty() || counts.positions.0 == before;
            if next.is_empty() {
                counts.complete = true;
                break;
            }
            if ply >= self.limits.plies || (self.whole.height.is_none() && counts.closed) {
                break;
            }
            layer = next;
        }
        counts
    }

    fn layer(
        &mut self,
        ply: u32,
        layer: &Layer<G>,
        met: &mut Met<G::Position>,
        counts: &mut Counts,
    ) -> Result<Layer<G>, Cut> {
        let mut next: Layer<G> = FxHashMap::default();
        let (mut sequences, mut games) = (Tally::default(), ByOutcome::<Tally>::default());
        // Added to the totals only once the whole ply is counted.
        let mut new = New::default();
        let (mut positions, mut orbits) = (0, FxHashSet::default());
        let last = ply >= self.limits.plies;
        for (pos, number) in layer {
            self.meter.tick()?;
            let size = self.class(pos).1;
            positions += size;
            orbits.extend(self.orbit(pos));
            sequences += number;
            self.meet(pos, size, met, &mut new);
            if let Some(outcome) = self.game.outcome(pos) {
                *games.of(outcome) += number;
            } else if last {
                // Only whether anything follows matters.
                next.insert(pos.clone(), Tally::default());
            } else {
                self.spread(pos, number, &mut next);
            }
            let slot = size_of::<(G::Position, Tally)>();
            let here = table_bytes(0, layer.capacity(), slot)
                + table_bytes(orbits.len(), orbits.capacity(), size_of::<G::Position>());
            let growing = table_bytes(next.len(), next.capacity(), slot) + met.bytes();
            if here + growing > self.limits.bytes {
                return Err(Cut::Memory { ply: ply + 1 });
            }
        }
        let games = games.map(Tally::big);
        counts.games.add(&games);
        new.add_to(counts);
        let classes = if orbits.is_empty() { layer.len() } else { orbits.len() } as u64;
        counts.plies.push(Ply { ply, sequences: sequences.big(), positions, classes, games });
        Ok(next)
    }

    /// Counts a class of `size` positions under the symmetries of the root, unless it was met before.
    fn meet(&self, pos: &G::Position, size: u64, met: &mut Met<G::Position>, new: &mut New) {
        if !met.kept.insert(pos.clone()) {
            return;
        }
        let orbit = u64::from(self.orbit(pos).is_none_or(|orbit| met.orbits.insert(orbit)));
        let exchanged = u64::from(self.exchanged(pos).is_some_and(|class| met.exchanged.insert(class)));
        new.positions = (new.positions.0 + size, new.positions.1 + orbit);
        new.exchanged.0 += exchanged;
        if let Some(outcome) = self.game.outcome(pos) {
            *new.finished.0.of(outcome) += size;
            *new.finished.1.of(outcome) += orbit;
            new.exchanged.1 += exchanged;
        }
    }

    fn spread(&self, pos: &G::Position, number: &Tally, next: &mut Layer<G>) {
        self.game.moves(pos, &mut |mv| {
            let child = self.class(&self.game.after(pos, mv)).0;
            *next.entry(child).or_default() += number;
        });
    }

    /// Games from `pos` on, where moves equal under a symmetry that fixes the position count once. That does not depend
    /// on the root, so that all symmetries of the game serve.
    fn by_position(
        &mut self,
        pos: &G::Position,
        memo: &mut FxHashMap<G::Position, ByOutcome<Tally>>,
    ) -> Result<ByOutcome<Tally>, Cut> {
        let class = self.game.canonical(pos).0;
        if let Some(known) = memo.get(&class) {
            return Ok(known.clone());
        }
        self.meter.tick()?;
        let mut total = ByOutcome::default();
        if let Some(outcome) = self.game.outcome(&class) {
            *total.of(outcome) = Tally::ONE;
        } else {
            for child in self.children_up_to_symmetry(&class) {
                total.add(&deep(|| self.by_position(&child, memo))?);
            }
        }
        if table_bytes(memo.len(), memo.capacity(), size_of::<(G::Position, ByOutcome<Tally>)>()) > self.limits.bytes {
            return Err(Cut::SymmetryMemory);
        }
        memo.insert(class, total.clone());
        Ok(total)
    }

    /// One child per orbit of moves under the symmetries that fix `pos`.
    fn children_up_to_symmetry(&self, pos: &G::Position) -> Vec<G::Position> {
        let fixing = self.game.stabiliser(pos);
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
    fn by_sequence(&mut self, root: &G::Position) -> Result<ByOutcome<BigUint>, Cut> {
        let mut sum: ByOutcome<BigUint> = ByOutcome::default();
        for element in self.keep.clone() {
            let mut memo = FxHashMap::default();
            let fixed = self.fixed(element, root, &mut memo)?;
            sum.add(&fixed.map(Tally::big));
        }
        Ok(sum.map(|n| n / self.keep.len()))
    }

    fn fixed(
        &mut self,
        element: usize,
        pos: &G::Position,
        memo: &mut FxHashMap<G::Position, ByOutcome<Tally>>,
    ) -> Result<ByOutcome<Tally>, Cut> {
        if let Some(known) = memo.get(pos) {
            return Ok(known.clone());
        }
        self.meter.tick()?;
        let mut total = ByOutcome::default();
        if let Some(outcome) = self.game.outcome(pos) {
            *total.of(outcome) = Tally::ONE;
        }
        let mut children = Vec::new();
        self.game.moves(pos, &mut |mv| {
            if self.game.image_of_move(element, mv) == mv {
                children.push(self.game.after(pos, mv));
            }
        });
        for child in children {
            total.add(&deep(|| self.fixed(element, &child, memo))?);
        }
        if table_bytes(memo.len(), memo.capacity(), size_of::<(G::Position, ByOutcome<Tally>)>()) > self.limits.bytes {
            return Err(Cut::SymmetryMemory);
        }
        memo.insert(pos.clone(), total.clone());
        Ok(total)
    }
}

#[cfg(test)]
mod tests;
