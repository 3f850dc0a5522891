//! Capabilities: what agon can do with the games of a family besides playing them.

use super::tables::{OnDisk, TableSupport};
use super::{BoardRow, Note, Recorded, TeiTerms};
use crate::annotated::AnnotatedGame;
use agon_check::{Certificate, Proved, Rejected};
use agon_core::features::Features;
use agon_core::forcing::Forcing;
use agon_core::setup::Setup;
use agon_core::solver::Failed;
use agon_core::{
    Acyclic, BulkIndexed, Ctx, Evaluate, Family, Game, Guide, Impartial, LineGame, Ranked, Symmetric, Tactics,
};
use agon_report::failure::Failure;
use agon_solve::Retro;
use agon_solve::count::{self, Counts, Limits};
use agon_solve::explain::sum::{self, Sum};
use agon_solve::method::{self, Methods, Tables};
use num_bigint::BigUint;
use std::sync::Arc;

/// Memory for the solver behind a player or a hint, in bytes, where it needs no table of all positions.
const SEARCH_MEMORY: u64 = 1 << 28;

/// The same for a table of all positions.
const TABLE_MEMORY: u64 = 1 << 30;

/// Counts positions and games from a position.
type Count<G> = Arc<dyn Fn(&G, &<G as Game>::Position, Limits, &Ctx) -> Counts + Send + Sync>;

/// The same position with the sides exchanged.
type Exchange<G> = fn(&<G as Game>::Position) -> <G as Game>::Position;

/// Checks a certificate of a game, with what strategies see of it.
type Check<G> = fn(&G, &dyn Features<G>, &Certificate, &Ctx) -> Result<Proved, Rejected>;

/// Every board of a game with what it is worth.
pub(super) type Boards<G> = fn(&G, &Retro<G>) -> Result<Vec<BoardRow>, Failure>;

/// The parts of a position of an impartial game, with their nim-values.
pub(super) type SumOf<G> = fn(&G, &<G as Game>::Position, &Ctx) -> Result<Sum, Failed>;

/// The independent parts of a position of an impartial game, as text, in order.
pub(super) type PartsOf<G> = fn(&G, &<G as Game>::Position) -> Vec<String>;

/// Writes a game with notes: where it begins, its moves, a note for each, and the text that it was read from.
type Annotate<G> = fn(&G, &<G as Game>::Position, &[String], &[Note], &str) -> Option<String>;

/// A game that was read: as it is played, and with all that its text says.
type ReadTree = (Recorded, AnnotatedGame);

/// Reads a text for a game of that spelling.
type Read<G> = fn(&G, &str, &str) -> Option<Result<ReadTree, Failure>>;

/// A notation for whole games besides agon's own.
pub struct Records<G: Game> {
    /// The extension of its files, which is its short name too.
    pub extension: &'static str,
    /// Its full name.
    pub name: &'static str,
    /// Reads a game as text for the game of that spelling; `None` when the text is not in this notation.
    pub read: Read<G>,
    /// Writes a game.
    pub write: fn(&G, &G::Position, &[String]) -> Option<String>,
    /// Writes a game with a note for each move, and with what else the text that it was read from says.
    pub annotate: Annotate<G>,
    /// Writes a game with its variations and comments.
    pub write_tree: fn(&G, &G::Position, &AnnotatedGame) -> Option<String>,
}

impl<G: Game> Clone for Records<G> {
    fn clone(&self) -> Records<G> {
        *self
    }
}

impl<G: Game> Copy for Records<G> {}

/// The methods of a game and what else it offers. Made for each game that is built, by one of the constructors for its
/// kind and the builder methods for what it can do besides.
pub struct Capabilities<G: Game> {
    pub(super) methods: Methods<G>,
    pub(super) count: Count<G>,
    /// The same position with the sides exchanged.
    pub(super) exchange: Option<Exchange<G>>,
    pub(super) check: Check<G>,
    /// A smaller game inside, from which a win of this game follows.
    pub(super) inner: fn(&G) -> Option<G>,
    /// True if play can cycle.
    pub(super) cyclic: bool,
    /// True if positions are too large to copy at every node of a count.
    pub(super) large: bool,
    /// True if values are found quickly enough for a player that errs now and then.
    pub(super) quick: bool,
    /// True if the strongest search of the game plays out instead of looking ahead.
    pub(super) plays_out: bool,
    pub(super) player_memory: u64,
    pub(super) tables: Option<Box<dyn TableSupport<G>>>,
    pub(super) records: Option<Records<G>>,
    pub(super) positions_at_most: Option<fn(&G) -> Option<BigUint>>,
    pub(super) sum: Option<SumOf<G>>,
    /// The independent parts of a position as text, in order.
    pub(super) parts: Option<PartsOf<G>>,
    pub(super) setup: Setup,
    pub(super) tei_terms: Option<fn(&G) -> Option<TeiTerms>>,
}

impl<G: Family + Symmetric + Evaluate> Capabilities<G> {
    /// A game in which every play ends.
    #[must_use]
    pub fn acyclic() -> Capabilities<G>
    where
        G: Acyclic + Guide,
    {
        Capabilities::new(method::acyclic(), Arc::new(count::count))
    }

    /// A game that has these methods and is counted so, and offers nothing else.
    fn new(methods: Methods<G>, count: Count<G>) -> Capabilities<G> {
        Capabilities {
            methods,
            count,
            exchange: None,
            check: agon_check::check,
            inner: |_| None,
            cyclic: false,
            large: false,
            quick: true,
            plays_out: false,
            player_memory: SEARCH_MEMORY,
            tables: None,
            records: None,
            positions_at_most: None,
            sum: None,
            parts: None,
            setup: Setup::LETTERS,
            tei_terms: None,
        }
    }

    /// An impartial game: sums are solved part by part.
    #[must_use]
    pub fn impartial() -> Capabilities<G>
    where
        G: Acyclic + Guide + Impartial,
    {
        let sum: SumOf<G> = |game, pos, ctx| sum::sum(game, pos, ctx).map_err(Failed::from);
        let parts = |game: &G, pos: &G::Position| {
            let mut parts: Vec<String> = game.parts(pos).iter().map(|part| game.show_part(part)).collect();
            parts.sort_unstable();
            parts
        };
        Capabilities { methods: method::nimbers(), sum: Some(sum), parts: Some(parts), ..Capabilities::acyclic() }
    }

    /// A game in which every play ends and whose positions have ranks: a strong solution uses an array.
    #[must_use]
    pub fn ranked() -> Capabilities<G>
    where
        G: Ranked,
    {
        Capabilities { methods: method::ranked(), ..Capabilities::acyclic() }
    }

    /// A game in which play can cycle. All its reachable positions are listed in memory.
    #[must_use]
    pub fn cyclic() -> Capabilities<G> {
        let count: Count<G> = Arc::new(|game, pos, limits, ctx| count::count_cyclic(game, pos, limits, None, ctx));
        let counted = Capabilities::new(method::cyclic(), count);
        Capabilities { cyclic: true, large: true, player_memory: TABLE_MEMORY, ..counted }
    }

    /// A game in which play can cycle and whose positions have indices: tables by retrograde analysis, also on disk.
    #[must_use]
    pub fn indexed() -> Capabilities<G>
    where
        G: BulkIndexed,
    {
        Capabilities::cyclic().with_tables(Tables::default(), None)
    }

    /// A game in which play can cycle, too large to list its positions, whose wins can be seen coming.
    #[must_use]
    pub fn forcing() -> Capabilities<G>
    where
        G: Forcing,
    {
        let methods = method::forced();
        Capabilities { methods, quick: false, player_memory: SEARCH_MEMORY, ..Capabilities::cyclic() }
    }

    /// Solvers and the checker may argue about the lines of the game instead of its plays.
    #[must_use]
    pub fn with_lines(self, game: &G) -> Capabilities<G>
    where
        G: Acyclic + LineGame,
    {
        let inner: fn(&G) -> Option<G> = |game| Some(game.frame()?.inner);
        Capabilities { methods: method::lines(game, self.methods), check: agon_check::check_lines, inner, ..self }
    }

    /// Values come from null-window search in a form of the game that has tactics.
    #[must_use]
    pub fn with_tactics<F>(self, form: F, place: fn(&F, &G::Position) -> F::Position) -> Capabilities<G>
    where
        G: Acyclic + Guide,
        F: Tactics<Move = G::Move> + Clone + 'static,
    {
        Capabilities { methods: method::tactical(form, place, self.methods), ..self }
    }

    /// Every board with what it is worth can be listed from the tables.
    #[must_use]
    pub fn with_boards(self, boards: Boards<G>) -> Capabilities<G>
    where
        G: BulkIndexed,
    {
        self.with_tables(Tables::default(), Some(boards))
    }

    /// Values come from these tables.
    pub(super) fn with_tables(mut self, tables: Tables<G>, boards: Option<Boards<G>>) -> Capabilities<G>
    where
        G: BulkIndexed,
    {
        self.methods = method::indexed(&tables);
        self.tables = Some(Box::new(OnDisk { tables, boards }));
        self
    }

    /// The rules are the same for both sides: positions are also counted up to exchange of the sides.
    #[must_use]
    pub fn with_exchange(mut self, exchange: Exchange<G>) -> Capabilities<G> {
        let exchanged = move |game: &G, pos: &G::Position, limits: Limits, ctx: &Ctx| {
            count::count_cyclic(game, pos, limits, Some(&exchange), ctx)
        };
        self.count = Arc::new(exchanged);
        self.exchange = Some(exchange);
        self
    }

    /// The strongest search of the game plays out instead of looking ahead.
    #[must_use]
    pub fn plays_out(mut self) -> Capabilities<G> {
        self.plays_out = true;
        self
    }

    /// Games can be read and written in a notation of their own.
    #[must_use]
    pub fn with_records(mut self, records: Records<G>) -> Capabilities<G> {
        self.records = Some(records);
        self
    }

    /// A person sets up positions in another way than [`Setup::LETTERS`].
    #[must_use]
    pub fn with_setup(mut self, setup: Setup) -> Capabilities<G> {
        self.setup = setup;
        self
    }

    /// Engines that speak the Tak Engine Interface play the game, on these terms.
    #[must_use]
    pub fn with_tei(mut self, terms: fn(&G) -> Option<TeiTerms>) -> Capabilities<G> {
        self.tei_terms = Some(terms);
        self
    }

    /// A bound on the number of positions is known.
    #[must_use]
    pub fn with_positions_at_most(mut self, bound: fn(&G) -> Option<BigUint>) -> Capabilities<G> {
        self.positions_at_most = Some(bound);
        self
    }
}
