//! The rules of a game, and the capabilities a game may add to them.
//!
//! A solver states what it needs as a bound, so a pairing that would be unsound does not compile.
//!
//! | capability | gives | without it |
//! |---|---|---|
//! | [`Notation`] | text and pictures | the game cannot be shown or typed |
//! | [`Alternating`] | the promise that the turn passes with every move | no lines, no nim-values, no tables |
//! | [`Symmetric`] | a group acting on positions and moves | the default group of one element: larger tables |
//! | [`Acyclic`] | a height that falls with every move | no table search: play might cycle |
//! | [`Ranked`] | positions as small numbers | strong solving uses a hash table |
//! | [`Guide`] | bounds and candidates that need no search | slower search |

use crate::family::shorten;
use crate::rng::Rng;
use crate::scene::Scene;
use crate::words::{Bounds, Outcome, Player, Status};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The rules. Parameters live in `self`, so a position is small plain data.
///
/// Two positions are equal exactly when the same plays can follow them; they hold no history.
///
/// The turn need not alternate: a side may move several times in a row, as in Dots and Boxes. Searches, players and the
/// checker negate a value only when [`Game::turn`] changes. Code that relies on alternation requires [`Alternating`].
///
/// [`laws::rules`](crate::laws::rules) compares the methods with one another along random plays.
///
/// ```
/// use agon_core::{Game, Outcome, Player, laws};
///
/// /// A move takes one, two or three counters; the player who takes the last one wins.
/// #[derive(Clone, Debug)]
/// struct Counters(u8);
///
/// impl Game for Counters {
///     type Position = (u8, Player);
///     type Move = u8;
///     type Undo = (u8, Player);
///
///     fn start(&self) -> (u8, Player) {
///         (self.0, Player::First)
///     }
///     fn turn(&self, pos: &(u8, Player)) -> Player {
///         pos.1
///     }
///     fn outcome(&self, pos: &(u8, Player)) -> Option<Outcome> {
///         (pos.0 == 0).then_some(Outcome::Win(pos.1.other()))
///     }
///     fn moves(&self, pos: &(u8, Player), each: &mut impl FnMut(u8)) {
///         (1..=pos.0.min(3)).for_each(each);
///     }
///     fn play(&self, pos: &mut (u8, Player), mv: u8) -> (u8, Player) {
///         std::mem::replace(pos, (pos.0 - mv, pos.1.other()))
///     }
///     fn undo(&self, pos: &mut (u8, Player), _mv: u8, undo: (u8, Player)) {
///         *pos = undo;
///     }
/// }
///
/// let game = Counters(5);
/// laws::rules(&game, 20, 1);
/// let end = game.after(&game.after(&game.start(), 2), 3);
/// assert_eq!(game.outcome(&end), Some(Outcome::Win(Player::Second)));
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// True if every move passes the turn to the other side. It is an optimisation: searches then need not call
    /// [`Game::turn`] after each move. `false` is always correct. [`laws::rules`](crate::laws::rules) tests it, and the
    /// checker does not trust it.
    const ALTERNATES: bool = false;

    /// A position, with the side to move in it or derivable from it.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// A move, meaningful together with the position it is played in.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// The data that `undo` needs; for small positions simply the old position.
    type Undo;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// The side to move, which depends on the position only. In a finished position it may be either side, but always
    /// the same one, because the value of the position is seen by it.
    fn turn(&self, pos: &Self::Position) -> Player;

    /// The outcome, if the game is over. The game is over exactly if there is no legal move. It is called at every node
    /// of a search, so it should not allocate.
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome>;

    /// Calls `each` once for every legal move, in an order that depends on the position only; never when the game is
    /// over. It is called at every node of a search, so it should not allocate.
    fn moves(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move));

    /// Plays a legal move, which changes the position. It is called with legal moves only.
    fn play(&self, pos: &mut Self::Position, mv: Self::Move) -> Self::Undo;

    /// Takes back the move just played, with what [`Game::play`] returned: `pos` is equal to the position before.
    fn undo(&self, pos: &mut Self::Position, mv: Self::Move, undo: Self::Undo);

    /// The turn or the outcome.
    fn status(&self, pos: &Self::Position) -> Status {
        self.outcome(pos).map_or_else(|| Status::Turn(self.turn(pos)), Status::Over)
    }

    /// The position after a legal move.
    fn after(&self, pos: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut next = pos.clone();
        self.play(&mut next, mv);
        next
    }

    /// The number of moves that [`Game::moves`] lists. Override it where counting is cheaper than listing.
    fn count_moves(&self, pos: &Self::Position) -> usize {
        let mut n = 0;
        self.moves(pos, &mut |_| n += 1);
        n
    }

    /// A uniformly random legal move; `None` when the game is over.
    fn random_move(&self, pos: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        let count = self.count_moves(pos);
        if count == 0 {
            return None;
        }
        let (wanted, mut i, mut found) = (rng.below(count), 0, None);
        self.moves(pos, &mut |mv| {
            if i == wanted {
                found = Some(mv);
            }
            i += 1;
        });
        found
    }

    /// Plays uniformly random moves until the game is over. It requires a game in which play always ends. Override it
    /// where a whole playout is cheaper than its single moves.
    fn playout(&self, mut pos: Self::Position, rng: &mut Rng) -> Outcome {
        while let Some(mv) = self.random_move(&pos, rng) {
            self.play(&mut pos, mv);
        }
        self.outcome(&pos).expect("no moves means the play is over")
    }
}

/// A marker: every move passes the turn to the other side. [`laws::alternating`](crate::laws::alternating) tests it on
/// random plays. Arguments about lines, races, nim-values, tables and forced wins rest on it, so [`LineGame`],
/// [`Impartial`], [`Indexed`] and [`Forcing`] require it.
///
/// [`LineGame`]: crate::LineGame
/// [`Impartial`]: crate::Impartial
/// [`Indexed`]: crate::Indexed
/// [`Forcing`]: crate::forcing::Forcing
///
/// ```
/// use agon_core::{Alternating, collect_moves, laws, toy::Pile};
///
/// /// The number of first moves after which the other side is to move.
/// fn passing<G: Alternating>(game: &G) -> usize {
///     let pos = game.start();
///     let passes = |&mv: &G::Move| game.turn(&game.after(&pos, mv)) != game.turn(&pos);
///     collect_moves(game, &pos).iter().filter(|mv| passes(mv)).count()
/// }
///
/// assert_eq!(passing(&Pile::new(5)), 2);
/// laws::alternating(&Pile::new(5), 20, 1);
/// ```
pub trait Alternating: Game {}

/// Returns whether the side that moved from `pos` to `after` moves again.
#[inline]
pub fn moves_again<G: Game>(game: &G, pos: &G::Position, after: &G::Position) -> bool {
    !G::ALTERNATES && game.turn(pos) == game.turn(after)
}

/// All legal moves as a list, where speed does not matter.
pub fn collect_moves<G: Game>(game: &G, pos: &G::Position) -> Vec<G::Move> {
    let mut list = Vec::new();
    game.moves(pos, &mut |mv| list.push(mv));
    list
}

/// Why a text is not a position or not a move. Displays as one line with the input and what would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    what: &'static str,
    given: String,
    why: String,
}

impl NotationError {
    /// A text that is no position.
    pub fn position(given: impl Into<String>, why: impl Into<String>) -> NotationError {
        NotationError { what: "position", given: given.into(), why: why.into() }
    }

    /// A text that is no move.
    pub fn mv(given: impl Into<String>, why: impl Into<String>) -> NotationError {
        NotationError { what: "move", given: given.into(), why: why.into() }
    }

    /// The reason alone.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid {} `{}`: {}", self.what, shorten(&self.given), self.why)
    }
}

impl std::error::Error for NotationError {}

/// Text and pictures of a game. You write [`Notation::show`], [`Notation::parse`] and [`Notation::show_move`]; the rest
/// has defaults. [`laws::notation`](crate::laws::notation) tests all of it.
///
/// ```
/// use agon_core::{Game, Notation, laws, toy::Pile};
///
/// let game = Pile::new(5);
/// assert_eq!(game.show(&game.start()), "5:first");
/// assert_eq!(game.parse("5:first"), Ok(game.start()));
/// let error = game.parse("6:first").unwrap_err();
/// assert_eq!(error.to_string(), "invalid position `6:first`: expected 0..=5:first|second");
/// assert_eq!(game.parse_move(&game.start(), "2"), Ok(2));
/// let (names, end) = game.show_line(&game.start(), &[2, 1]);
/// assert_eq!((names.join(" "), game.show(&end)), ("2 1".to_string(), "2:first".to_string()));
/// laws::notation(&game, 20, 1);
/// ```
pub trait Notation: Game {
    /// The canonical text of a position, on one line and without spaces.
    fn show(&self, pos: &Self::Position) -> String;

    /// Reads a position; accepts at least what `show` writes, and never panics, since people type it. Only positions
    /// that can arise are accepted, as far as that is easy to tell; the error says what would do.
    fn parse(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// The text of a position without what is notation alone, such as the number of a move: equal positions, and only
    /// those, have the same. The default is [`Notation::show`].
    fn identity(&self, pos: &Self::Position) -> String {
        self.show(pos)
    }

    /// The canonical text of a legal move, without spaces, unique among the legal moves of `pos` whatever the case of
    /// its letters.
    fn show_move(&self, pos: &Self::Position, mv: Self::Move) -> String;

    /// Reads a legal move. The default accepts exactly the canonical texts, in either case.
    fn parse_move(&self, pos: &Self::Position, text: &str) -> Result<Self::Move, NotationError> {
        let legal = collect_moves(self, pos);
        let hit = legal.iter().copied().find(|&mv| self.show_move(pos, mv).eq_ignore_ascii_case(text.trim()));
        hit.ok_or_else(|| NotationError::mv(text, self.legal_moves_text(pos)))
    }

    /// Splits a list of moves, as people write it, into moves. The default splits at white space.
    fn split_moves(&self, text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    /// The picture of a position. The default has no board: it is the text of the position alone.
    fn scene(&self, pos: &Self::Position) -> Scene {
        Scene::of_text(self.show(pos))
    }

    /// The places a person clicks to make a move, as indices into the places of [`Notation::scene`]. Where several
    /// moves have the same path, the page asks which one is meant. The default is no place: such a move is made by a
    /// button with its name, or by typing it.
    fn path(&self, _pos: &Self::Position, _mv: Self::Move) -> Vec<usize> {
        Vec::new()
    }

    /// Other places that a person may click for the same move, as in a heap that can be taken from at either end.
    fn other_paths(&self, _pos: &Self::Position, _mv: Self::Move) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// The name of a side in this game, in lower case: `x`, `order`, `white`.
    fn player_name(&self, player: Player) -> String {
        player.name().to_string()
    }

    /// The reason why a finished game is over, in a word or two: `line`, `board full`, `no move`.
    fn end_reason(&self, pos: &Self::Position) -> &'static str {
        match self.outcome(pos) {
            Some(Outcome::Win(_)) => "win",
            _ => "draw",
        }
    }

    /// The names of legal moves played one after the other, and the position that they lead to.
    fn show_line(&self, from: &Self::Position, moves: &[Self::Move]) -> (Vec<String>, Self::Position) {
        let mut pos = from.clone();
        let mut names = Vec::with_capacity(moves.len());
        for &mv in moves {
            names.push(self.show_move(&pos, mv));
            self.play(&mut pos, mv);
        }
        (names, pos)
    }

    /// `expected one of a1 b1 …`, or why there is no move.
    fn legal_moves_text(&self, pos: &Self::Position) -> String {
        const SHOWN: usize = 12;
        let legal = collect_moves(self, pos);
        if legal.is_empty() {
            return "the play is over".to_string();
        }
        let names: Vec<String> = legal.iter().take(SHOWN).map(|&mv| self.show_move(pos, mv)).collect();
        let more = if legal.len() > SHOWN { " …" } else { "" };
        let one_of = if legal.len() > 1 { "one of " } else { "" };
        format!("expected {one_of}{}{more}", names.join(" "))
    }
}

/// A finite group that acts on positions and moves and commutes with play. Element 0 is the identity. The default is
/// the trivial group, so `impl Symmetric for MyGame {}` suffices; otherwise you write [`Symmetric::order`],
/// [`Symmetric::image`], [`Symmetric::image_of_move`] and [`Symmetric::inverse`]. The group preserves whose turn it is
/// and the outcome, so symmetric positions have the same value. Certificates that work up to symmetry trust it;
/// [`laws::symmetry`](crate::laws::symmetry) tests it along random plays.
///
/// ```
/// use agon_core::{Game, Symmetric, laws, toy::Dots};
///
/// let game = Dots::new(2, 1);
/// let pos = game.after(&game.start(), 0);
/// let (canonical, element) = game.canonical(&pos);
/// assert_eq!(game.image(element, &pos), canonical);
/// assert_eq!(game.canonical(&game.image(1, &pos)).0, canonical);
/// laws::symmetry(&game, 20, 1);
/// ```
pub trait Symmetric: Game {
    /// The number of elements of the group. Elements are the numbers below it.
    fn order(&self) -> usize {
        1
    }

    /// The image of a position under an element.
    fn image(&self, _element: usize, pos: &Self::Position) -> Self::Position {
        pos.clone()
    }

    /// The image of a move: playing `mv` and mapping the position gives the same as mapping the position and playing
    /// the image of `mv`.
    fn image_of_move(&self, _element: usize, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The element that undoes `element`.
    fn inverse(&self, _element: usize) -> usize {
        0
    }

    /// The canonical representative (the least image), and an element that maps `pos` to it.
    fn canonical(&self, pos: &Self::Position) -> (Self::Position, usize) {
        let mut best = (pos.clone(), 0);
        for element in 1..self.order() {
            let image = self.image(element, pos);
            if image < best.0 {
                best = (image, element);
            }
        }
        best
    }

    /// The stabiliser of `pos`: the elements that fix it.
    fn stabiliser(&self, pos: &Self::Position) -> Vec<usize> {
        (0..self.order()).filter(|&element| self.image(element, pos) == *pos).collect()
    }
}

/// A game in which play cannot cycle: a height falls with every move. [`laws::acyclic`](crate::laws::acyclic) tests it
/// along random plays.
///
/// ```
/// use agon_core::{Acyclic, Game, laws, toy::Pile};
///
/// let game = Pile::new(5);
/// let pos = game.start();
/// assert_eq!(game.height(&pos), 5);
/// assert!(game.height(&game.after(&pos, 1)) < 5);
/// laws::acyclic(&game, 20, 1);
/// ```
pub trait Acyclic: Game {
    /// An upper bound of the number of moves that can follow; smaller after every move. It is called at every node of
    /// some searches.
    fn height(&self, pos: &Self::Position) -> u32;

    /// The length in plies of every drawn line of play from `pos`, where the rules fix it.
    fn draw_plies(&self, _pos: &Self::Position) -> Option<u32> {
        None
    }
}

/// An acyclic game whose positions have ranks: small numbers, so that strong solving can use an array instead of a hash
/// table. [`laws::ranked`](crate::laws::ranked) tests it along random plays.
///
/// ```
/// use agon_core::{Game, Ranked, laws, toy::Dots};
///
/// let game = Dots::new(2, 1);
/// let rank = game.rank(&game.start());
/// assert!(rank < game.ranks().unwrap());
/// assert_eq!(game.unrank(rank), Some(game.start()));
/// laws::ranked(&game, 10, 1);
/// ```
pub trait Ranked: Acyclic {
    /// An exclusive upper bound of all ranks, the same at every call; `None` if the board is too large for an array of
    /// that many entries of two bytes. The other methods are called only if there is one.
    fn ranks(&self) -> Option<usize>;

    /// The rank of a position that can arise, finished or not: below [`Ranked::ranks`] and different for different
    /// positions. Symmetric positions have ranks of their own.
    fn rank(&self, pos: &Self::Position) -> usize;

    /// The rank of `after`, the position after `mv` from `pos` of rank `rank`. It is called for every move of every
    /// position. Override it where an update is cheaper than a fresh ranking.
    fn rank_after(&self, _rank: usize, _pos: &Self::Position, _mv: Self::Move, after: &Self::Position) -> usize {
        self.rank(after)
    }

    /// The position of a rank. For a number that is no rank it may return `None` or a position that cannot arise.
    fn unrank(&self, rank: usize) -> Option<Self::Position>;
}

/// Knowledge of a game that needs no search. Everything is optional, so `impl Guide for MyGame {}` suffices, and must
/// be proven, not likely: solvers believe it, and only the checker does not. [`laws::guide`](crate::laws::guide) and
/// [`laws::static_bounds`](crate::laws::static_bounds) compare it with a search where the tree is small.
///
/// ```
/// use agon_core::{Bounds, Game, Guide, Wdl, laws, toy::Pile};
///
/// let game = Pile::new(6); // a multiple of three is lost
/// assert_eq!(game.bounds(&game.start()), Bounds::exactly(Wdl::Loss));
/// laws::guide(&game, 20, 1);
/// laws::static_bounds(&game, 20, 1);
/// ```
pub trait Guide: Game {
    /// Bounds on the value for the mover of an unfinished position. It is called at every node of a search, so it
    /// should cost less than a few moves.
    fn bounds(&self, _pos: &Self::Position) -> Bounds {
        Bounds::UNKNOWN
    }

    /// Calls `each` with different legal moves of an unfinished position and their ordering scores (higher first). A
    /// move of best value *and* distance must be among them: the quickest win, or the slowest loss.
    fn candidates(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move, i32)) {
        self.moves(pos, &mut |mv| each(mv, 0));
    }
}
