//! The positions in which a strategy has to choose, and what its choices lead to.

use agon_core::solver::Failed;
use agon_core::{Game, Player};
use rustc_hash::FxHashMap;

/// A position in which a strategy has to choose, with the opponent's last move as far as it remembers it.
pub struct Point<G: Game, V> {
    /// The position.
    pub pos: G::Position,
    /// The memory of the opponent's last move.
    pub memory: u16,
    /// The legal moves.
    pub moves: Vec<G::Move>,
    /// What steps see of it.
    pub values: V,
    /// The moves that keep the claim, as bits.
    pub good: u64,
    /// For each move, once asked for, the points that the opponent can lead to next.
    next: Vec<Option<Box<[u32]>>>,
}

/// The moves of a position in the order of their bits, and what steps see of them.
pub type Observed<G, V> = (Vec<<G as Game>::Move>, V);

/// The game as a search for strategies sees it.
///
/// ```
/// use agon_core::toy::Pile;
/// use agon_core::{Game, Player, collect_moves, solver::Failed};
/// use agon_solve::distil::points::{Observed, Observer, Points};
///
/// /// Sees of each move how many counters it leaves.
/// struct Left;
///
/// impl Observer<Pile> for Left {
///     type Values = Vec<u8>;
///
///     fn observe(&mut self, game: &Pile, pos: &(u8, Player), _: u16) -> Result<Observed<Pile, Vec<u8>>, Failed> {
///         let moves = collect_moves(game, pos);
///         let left = moves.iter().map(|mv| pos.0 - mv).collect();
///         Ok((moves, left))
///     }
///
///     fn remembers(&self, _: &Pile, _: &(u8, Player), _: u8) -> u16 {
///         0
///     }
///
///     fn representative(&self, _: &Pile, pos: (u8, Player)) -> (u8, Player) {
///         pos
///     }
///
///     fn keeps(&mut self, _: &Pile, pos: &(u8, Player), side: Player) -> Result<bool, Failed> {
///         Ok((pos.0 % 3 != 0) == (pos.1 == side))
///     }
/// }
///
/// let pile = Pile::new(8);
/// let mut points = Points::new(&pile, &pile.start(), &[Player::First], Left).unwrap();
/// assert!(points.expand(100, |_| Ok(())).unwrap());
/// // A side that keeps the win of 8 counters meets 8, then 5 or 4, then 2 or 1.
/// assert_eq!(points.list().len(), 5);
/// ```
pub trait Observer<G: Game> {
    /// What steps see of a position.
    type Values;

    /// The moves of a position, at most 64, and what steps see of them.
    fn observe(&mut self, game: &G, pos: &G::Position, memory: u16) -> Result<Observed<G, Self::Values>, Failed>;

    /// The memory after a move of the opponent.
    fn remembers(&self, game: &G, before: &G::Position, mv: G::Move) -> u16;

    /// The representative of a position, if steps cannot tell some positions apart.
    fn representative(&self, game: &G, pos: G::Position) -> G::Position;

    /// Returns whether the side still gets what is claimed.
    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player) -> Result<bool, Failed>;
}

/// The points of a game, added as they are met.
pub struct Points<'a, G: Game, O: Observer<G>> {
    game: &'a G,
    observer: O,
    list: Vec<Point<G, O::Values>>,
    index: FxHashMap<(G::Position, u16), u32>,
    roots: Vec<u32>,
}

impl<'a, G: Game, O: Observer<G>> Points<'a, G, O> {
    /// The points that a strategy for each of `sides` meets first.
    pub fn new(game: &'a G, root: &G::Position, sides: &[Player], observer: O) -> Result<Points<'a, G, O>, Failed> {
        let mut points = Points { game, observer, list: Vec::new(), index: FxHashMap::default(), roots: Vec::new() };
        for &side in sides {
            let met = points.met(root.clone(), 0, side)?;
            points.roots.extend(met);
        }
        points.roots.sort_unstable();
        points.roots.dedup();
        Ok(points)
    }

    /// The points where play begins.
    #[must_use]
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The points met so far.
    #[must_use]
    pub fn list(&self) -> &[Point<G, O::Values>] {
        &self.list
    }

    /// The point of that number.
    #[must_use]
    pub fn at(&self, point: u32) -> &Point<G, O::Values> {
        &self.list[point as usize]
    }

    /// The observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The points that the opponent can lead to after a move, which must keep the claim.
    pub fn next(&mut self, point: u32, mv: usize) -> Result<&[u32], Failed> {
        if self.list[point as usize].next[mv].is_none() {
            let from = &self.list[point as usize];
            let side = self.game.turn(&from.pos);
            let after = self.game.after(&from.pos, from.moves[mv]);
            let met = self.met(after, 0, side)?;
            self.list[point as usize].next[mv] = Some(met.into());
        }
        Ok(self.list[point as usize].next[mv].as_deref().unwrap_or_default())
    }

    /// The same for a move that was asked for before.
    #[must_use]
    pub fn known_next(&self, point: u32, mv: usize) -> &[u32] {
        self.list[point as usize].next[mv].as_deref().unwrap_or_default()
    }

    /// Adds every point that play can lead to while each move of the side keeps the claim. Returns whether there are at
    /// most `most`.
    pub fn expand(&mut self, most: usize, mut each: impl FnMut(usize) -> Result<(), Failed>) -> Result<bool, Failed> {
        let mut at = 0;
        while at < self.list.len() {
            if self.list.len() > most {
                return Ok(false);
            }
            each(at)?;
            for mv in bits(self.list[at].good) {
                self.next(at as u32, mv)?;
            }
            at += 1;
        }
        Ok(true)
    }

    /// The points at which the side is next to move.
    fn met(&mut self, pos: G::Position, memory: u16, side: Player) -> Result<Vec<u32>, Failed> {
        let (mut met, mut todo) = (Vec::new(), vec![(pos, memory)]);
        while let Some((pos, memory)) = todo.pop() {
            if self.game.outcome(&pos).is_some() {
                continue;
            }
            if self.game.turn(&pos) == side {
                met.push(self.add(pos, memory, side)?);
                continue;
            }
            let (game, observer) = (self.game, &self.observer);
            game.moves(&pos, &mut |mv| {
                let after = game.after(&pos, mv);
                let memory = if game.turn(&after) == side { observer.remembers(game, &pos, mv) } else { 0 };
                todo.push((after, memory));
            });
        }
        met.sort_unstable();
        met.dedup();
        Ok(met)
    }

    fn add(&mut self, pos: G::Position, memory: u16, side: Player) -> Result<u32, Failed> {
        let pos = self.observer.representative(self.game, pos);
        if let Some(&known) = self.index.get(&(pos.clone(), memory)) {
            return Ok(known);
        }
        let (moves, values) = self.observer.observe(self.game, &pos, memory)?;
        let mut good = 0;
        for (i, &mv) in moves.iter().enumerate() {
            good |= u64::from(self.observer.keeps(self.game, &self.game.after(&pos, mv), side)?) << i;
        }
        let id = self.list.len() as u32;
        self.index.insert((pos.clone(), memory), id);
        let next = moves.iter().map(|_| None).collect();
        self.list.push(Point { pos, memory, moves, values, good, next });
        Ok(id)
    }
}

/// The numbers of the bits of a set.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| set &= set - 1)?;
        Some(bit)
    })
}
