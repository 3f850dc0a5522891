//! Indexing of positions, for the tables of games in which play can cycle.

use crate::game::Alternating;
use crate::words::Wdl;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// The index of a position: its orbit's entry in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableIndex<S> {
    /// The table.
    pub shard: S,
    /// The index in the table, below [`Indexed::shard_size`]. All positions of an orbit share it.
    pub index: u64,
    /// The order of the position's stabiliser: the number of symmetries that fix it.
    pub stabiliser: u32,
}

/// The one-ply expansion of a position, before its component is solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expansion<S> {
    /// The outcome of a finished position, seen by the side to move.
    pub over: Option<Wdl>,
    /// The number of moves that stay in the component.
    pub internal: u32,
    /// The best outcome of a move that ends the game, seen by the side that makes it.
    pub terminal: Option<Wdl>,
    /// The indexed positions outside the component that moves lead to, one entry for each move.
    pub external: Vec<TableIndex<S>>,
}

impl<S> Default for Expansion<S> {
    fn default() -> Expansion<S> {
        Expansion { over: None, internal: 0, terminal: None, external: Vec::new() }
    }
}

impl<S> Expansion<S> {
    /// Clears the expansion and keeps its allocation.
    pub fn clear(&mut self) {
        (self.over, self.internal, self.terminal) = (None, 0, None);
        self.external.clear();
    }
}

/// A game whose positions have indices in tables (*shards*), and whose moves can be undone from the child alone.
///
/// The tables form components: moves from a component lead into the same component, into an earlier one, or to a
/// finished position. Positions that a symmetry or an exchange of sides maps to each other share an index if they have
/// the same value. A finished position needs no index, because the rules value it. The turn alternates and no move
/// loses at once, so that wins take an odd number of plies and losses an even one.
///
/// These are the methods that you write. [`BulkIndexed`] has others, which make tables faster and have defaults: add
/// `impl BulkIndexed for MyGame {}`. The checker of tables trusts [`Indexed::table_index`] and [`Indexed::position`];
/// [`laws::indexed`](crate::laws::indexed) and [`laws::indices`](crate::laws::indices) compare all of them with the
/// rules.
///
/// ```
/// use agon_core::{Game, Indexed, laws, toy::Graph};
///
/// let game = Graph::new("a:b,c b:a,+ c:-,=");
/// let at = game.table_index(&game.start());
/// assert_eq!(game.position(at.shard, at.index), Some(game.start()));
/// laws::indexed(&game, 10, 1);
/// laws::indices(&game, 1);
/// ```
pub trait Indexed: Alternating {
    /// The name of a table.
    type Shard: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The components in topological order, successors first; every table is in one of them. Each is a list of tables;
    /// a component may be larger than a strongly connected one, at the cost of memory.
    fn components(&self) -> Vec<Vec<Self::Shard>>;

    /// The tables outside its component that moves from this table may lead to. It may list too many, at the cost of
    /// memory.
    fn leads_to(&self, shard: Self::Shard) -> Vec<Self::Shard>;

    /// The name of a table: unique, and valid as a file name.
    fn shard_name(&self, shard: Self::Shard) -> String;

    /// The size of the index range; some indices may be unused, and each costs two bytes.
    fn shard_size(&self, shard: Self::Shard) -> u64;

    /// The table of an unfinished position that can arise, or of a finished one that [`Indexed::is_indexed`].
    fn shard(&self, pos: &Self::Position) -> Self::Shard;

    /// The index of such a position, in the table that [`Indexed::shard`] names. All positions of an orbit have the
    /// same one, and positions of different value have different ones.
    fn table_index(&self, pos: &Self::Position) -> TableIndex<Self::Shard>;

    /// A position with that index, always the same one; `None` when the index is unused. The inverse of
    /// [`Indexed::table_index`] up to symmetry. `index` is below [`Indexed::shard_size`].
    fn position(&self, shard: Self::Shard, index: u64) -> Option<Self::Position>;

    /// The order of the symmetry group that indices forget. An orbit has `symmetries / stabiliser` positions.
    fn symmetries(&self) -> u32;

    /// Calls `each` with the predecessors of `pos` in its component, once for every move that leads to `pos`. A
    /// predecessor may be one that cannot arise, but not a finished one.
    fn unplay(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Position));

    /// The phase of the game that a table belongs to, such as `placing` or `moving`; reports are grouped by it.
    fn phase(&self, shard: Self::Shard) -> &'static str;

    /// Returns whether the side to move is blocked, whatever the rules make of that. Reports count such positions.
    fn is_blocked(&self, _pos: &Self::Position) -> bool {
        false
    }

    /// Returns whether the indexed positions lost in 0 plies are exactly the blocked ones.
    fn blocked_lose(&self) -> bool {
        false
    }

    /// Returns whether a finished position has an index nevertheless, and is looked up like any other.
    fn is_indexed(&self, _pos: &Self::Position) -> bool {
        false
    }
}

/// Expands one position of a component by playing its moves.
pub fn expand<G: Indexed>(game: &G, component: &[G::Shard], pos: &G::Position, expansion: &mut Expansion<G::Shard>) {
    expansion.clear();
    expansion.over = game.outcome(pos).map(|outcome| outcome.seen_by(game.turn(pos)));
    game.moves(pos, &mut |mv| {
        let after = game.after(pos, mv);
        match game.outcome(&after) {
            Some(outcome) if !game.is_indexed(&after) => {
                expansion.terminal = expansion.terminal.max(Some(outcome.seen_by(game.turn(pos))));
            }
            _ if component.contains(&game.shard(&after)) => expansion.internal += 1,
            _ => expansion.external.push(game.table_index(&after)),
        }
    });
}

/// Operations on many indices at once, which retrograde analysis spends its time in. Every method has a default that
/// follows from [`Indexed`], so `impl BulkIndexed for MyGame {}` suffices. An override must give the same answers,
/// faster; [`laws::bulk`](crate::laws::bulk) compares it with the default. The checker uses none of them.
///
/// ```
/// use agon_core::{BulkIndexed, Game, Indexed, laws, toy::Graph};
///
/// let game = Graph::new("a:b,c b:a,+ c:-,=");
/// let at = game.table_index(&game.start());
/// let mut moves = 0;
/// game.expand_range(&[()], (), at.index..at.index + 1, &mut |_, expansion| moves = expansion.internal);
/// assert_eq!(moves, 2);
/// laws::bulk(&game, 10, 1);
/// ```
pub trait BulkIndexed: Indexed {
    /// An upper bound of [`Expansion::internal`] in the table; at most 254. A component in which it is 0 everywhere is
    /// solved in one pass.
    fn max_internal(&self, _shard: Self::Shard) -> u32 {
        254
    }

    /// [`Indexed::position`] for a used index, which need not be tested.
    fn used_position(&self, shard: Self::Shard, index: u64) -> Self::Position {
        self.position(shard, index).expect("the index is used")
    }

    /// [`Indexed::unplay`] for used indices of one table, in increasing order. Calls `each` with the offset in
    /// `indices` and with the index of a predecessor, in any order.
    fn unplay_all(&self, shard: Self::Shard, indices: &[u64], each: &mut impl FnMut(usize, TableIndex<Self::Shard>)) {
        for (at, &index) in indices.iter().enumerate() {
            self.unplay(&self.used_position(shard, index), &mut |before| each(at, self.table_index(&before)));
        }
    }

    /// Calls `each` with every used index of a range, in increasing order, and what [`expand`] says of its position;
    /// the order of [`Expansion::external`] is free. `component` is that of the table.
    fn expand_range(
        &self,
        component: &[Self::Shard],
        shard: Self::Shard,
        indices: Range<u64>,
        each: &mut impl FnMut(u64, &Expansion<Self::Shard>),
    ) {
        let mut expansion = Expansion::default();
        for index in indices {
            if let Some(pos) = self.position(shard, index) {
                expand(self, component, &pos, &mut expansion);
                each(index, &expansion);
            }
        }
    }

    /// The length of a row: the indices from one multiple of it to the next. It divides [`Indexed::shard_size`]. See
    /// [`BulkIndexed::row_orbit_size`].
    fn row_len(&self, _shard: Self::Shard) -> u64 {
        1
    }

    /// The number of positions of every orbit in a row, if they all have the same. Rows with an answer need not look
    /// at single positions.
    fn row_orbit_size(&self, _shard: Self::Shard, _row: u64) -> Option<u32> {
        None
    }
}
