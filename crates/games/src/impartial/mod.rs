//! Impartial games. A family gives its [`Rules`]: states without a player to move; [`Play`] adds turns, the end of
//! play and both ways of winning, and is the game that everything else sees.
//!
//! | module | families |
//! |---|---|
//! | [`heaps`] | `heap`, `subtract`, `nim`, `kayles`, `dawson`, `grundy` |
//! | [`tiles`] | `ellie`, `cram` |
//! | [`treblecross`] | `treblecross` |
//! | [`circle`] | `circular-nim` |
//! | [`sum`] | `sum`, any of the above side by side |

pub mod circle;
pub mod heaps;
pub mod sum;
pub mod tiles;
pub mod treblecross;

use agon_core::features::{Extra, Features, Layout, Pictured, Placing};
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{
    Acyclic, Alternating, Code, Evaluate, Facts, Family, Game, GameError, Guide, Impartial, Kind, Notation,
    NotationError, Outcome, Param, Params, Player, Scene, Symmetric, family::split_spelling,
};
use std::fmt::Debug;
use std::hash::Hash;

/// The rules of an impartial game, without turns.
///
/// ```
/// use agon_games::impartial::{Rules, tiles::{Cram, Tiles}};
///
/// let cram = Tiles::<Cram>::new(3, 2);
/// let mut state = cram.start();
/// assert_eq!(cram.count(&state), 7); // four dominoes lie, three stand
/// let mut middle = None;
/// cram.steps(&state, &mut |step| if cram.path(&state, step) == [1, 4] { middle = Some(step) });
/// cram.apply(&mut state, middle.expect("a domino fits in the middle column"));
/// assert_eq!(cram.parts(&state).len(), 2); // the two outer columns
/// ```
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The heaps, tiles or stacks in play.
    type State: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// A move.
    type Step: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// An independent part of a state; see [`Impartial::Part`].
    type Part: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The state that play begins with.
    fn start(&self) -> Self::State;
    /// Calls `each` once for every move.
    fn steps(&self, state: &Self::State, each: &mut impl FnMut(Self::Step));
    /// The number of moves. Override it where there can be too many to list, as in a heap.
    fn count(&self, state: &Self::State) -> u64 {
        let mut count = 0;
        self.steps(state, &mut |_| count += 1);
        count
    }
    /// Makes a move.
    fn apply(&self, state: &mut Self::State, step: Self::Step);
    /// At least as many as the moves that can follow; falls with every move.
    fn height(&self, state: &Self::State) -> u32;
    /// See [`Impartial::parts`].
    fn parts(&self, state: &Self::State) -> Vec<Self::Part>;
    /// See [`Impartial::options`].
    fn options(&self, part: &Self::Part, each: &mut impl FnMut(&[Self::Part]));
    /// See [`Impartial::options_while`].
    fn options_while(&self, part: &Self::Part, each: &mut impl FnMut(&[Self::Part]) -> bool) {
        let mut more = true;
        self.options(part, &mut |option| more = more && each(option));
    }
    /// See [`Impartial::show_part`].
    fn show_part(&self, part: &Self::Part) -> String;
    /// See [`Impartial::heap`].
    fn heap<'a>(&'a self, _part: &Self::Part) -> Option<(&'a Code, usize)> {
        None
    }
    /// See [`Impartial::work`].
    fn work(&self, _part: &Self::Part) -> u64 {
        0
    }
    /// See [`Impartial::static_nimber`].
    fn static_nimber(&self, _part: &Self::Part) -> Option<u32> {
        None
    }

    /// See [`Symmetric::order`].
    fn order(&self) -> usize {
        1
    }
    /// See [`Symmetric::image`].
    fn image(&self, _element: usize, state: &Self::State) -> Self::State {
        state.clone()
    }
    /// See [`Symmetric::image_of_move`].
    fn image_of_step(&self, _element: usize, step: Self::Step) -> Self::Step {
        step
    }
    /// See [`Symmetric::inverse`].
    fn inverse(&self, _element: usize) -> usize {
        0
    }

    /// The canonical text of a state, without spaces and without `@`.
    fn show(&self, state: &Self::State) -> String;
    /// Reads a state, or says what would do.
    fn read(&self, text: &str) -> Result<Self::State, String>;
    /// The canonical text of a move.
    fn show_step(&self, state: &Self::State, step: Self::Step) -> String;
    /// The picture.
    fn scene(&self, state: &Self::State) -> Scene;
    /// The number of places in the picture.
    fn places(&self, state: &Self::State) -> usize {
        self.scene(state).places.len()
    }
    /// The places to click for a move.
    fn path(&self, state: &Self::State, step: Self::Step) -> Vec<usize>;

    /// See [`Notation::other_paths`].
    fn other_paths(&self, _state: &Self::State, _step: Self::Step) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Returns whether every state has the same places, so that they are cells of a board.
    fn is_board(&self) -> bool {
        true
    }
    /// Features for strategies written as text; see [`Features::extras`].
    fn extras(&self) -> &'static [Extra] {
        &[]
    }
    /// See [`Features::extra`].
    fn extra(&self, _state: &Self::State, _step: Self::Step, _last: u16, _which: usize) -> i32 {
        0
    }
    /// See [`Features::last`]; `None` for the cell of the move.
    fn last(&self, _state: &Self::State, _step: Self::Step) -> Option<u16> {
        None
    }
}

/// Rules that can be asked for by name.
///
/// ```
/// use agon_games::impartial::{Named, Rules, tiles::{Cram, Tiles}};
///
/// let (cram, _, spelling) = Tiles::<Cram>::spelled("cram:02x2").unwrap();
/// assert_eq!((cram.count(&cram.start()), spelling.as_str()), (4, "cram:2x2"));
/// assert!(Tiles::<Cram>::spelled("cram:9x9").is_err()); // more than 64 cells
/// ```
pub trait Named: Rules {
    /// Name, rules and parameters, the last of which is [`play`].
    fn facts() -> Facts;

    /// Builds the rules.
    fn build(params: &Params) -> Result<Self, GameError>;

    /// Hides commas inside one parameter from the parser of parameters.
    fn hide_commas(text: &str) -> String {
        text.to_string()
    }

    /// Undoes [`Named::hide_commas`] in a spelling.
    fn show_commas(spelling: &str) -> String {
        spelling.to_string()
    }

    /// A parameter that can be spelled in several ways, with commas hidden, in its one way: `.007` is `0.007`.
    fn canonical(&self) -> Option<(String, String)> {
        None
    }

    /// Reads a spelling; gives the parameters and the one spelling too.
    fn spelled(given: &str) -> Result<(Self, Params, String), GameError> {
        let facts = Self::facts();
        let params = Params::parse(&facts, given, &Self::hide_commas(split_spelling(given).1))?;
        let rules = Self::build(&params)?;
        let params = match rules.canonical() {
            Some((name, text)) => params.with(&name, &text),
            None => params,
        };
        let spelling = Self::show_commas(&params.spelling(&facts));
        Ok((rules, params, spelling))
    }
}

/// Splits what comes before the position to begin with from that position: `0.007:12+20`. The separator used to be a
/// semicolon, at which a shell ends a command; it is still read.
fn split_start(text: &str) -> (&str, Option<&str>) {
    text.split_once([':', ';']).map_or((text, None), |(rules, start)| (rules, Some(start)))
}

/// Converts an older canonical spelling to the current one: `heap:0.07;9` becomes `heap:0.07:9`, and brackets around
/// the games of a sum become `++` between them. Older files contain such spellings. Other texts are returned unchanged.
#[must_use]
pub fn modern(spelling: &str) -> String {
    let (family, text) = split_spelling(spelling);
    match family {
        "heap" | "subtract" => spelling.replacen(';', ":", 1),
        // The stacks were left out where they are three counters each.
        "circular-nim" if !text.contains([':', ';']) => {
            let (sizes, play) = text
                .split_once(",play=")
                .map_or((text, String::new()), |(sizes, play)| (sizes, format!(",play={play}")));
            let stacks =
                sizes.split(',').next().and_then(|n| n.parse().ok()).filter(|n| (1..=64).contains(n)).unwrap_or(0);
            format!("circular-nim:{sizes}:{}{play}", vec!["3"; stacks].join("+"))
        }
        "circular-nim" => spelling.replacen(';', ":", 1),
        "sum" => match text.rsplit_once(')') {
            Some((games, play)) if games.starts_with('(') => {
                let games: Vec<String> = games[1..].split(")+(").map(modern).collect();
                format!("sum:{}{play}", games.join("++"))
            }
            _ => spelling.to_string(),
        },
        _ => spelling.to_string(),
    }
}

/// The parameter that every impartial family has.
#[must_use]
pub fn play() -> Param {
    let help = "normal: a player who cannot move loses; misere: a player who cannot move wins";
    Param::keyed("play", Kind::words(&["normal", "misere"]), "normal", help)
}

/// Rules with turns.
#[derive(Clone, Debug)]
pub struct Play<R> {
    rules: R,
    misere: bool,
}

/// A state and whose turn it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turned<S> {
    /// The heaps, tiles or stacks in play.
    pub state: S,
    /// The side to move.
    pub turn: Player,
}

impl<R: Rules> Play<R> {
    /// Play by these rules.
    pub fn new(rules: R, misere: bool) -> Play<R> {
        Play { rules, misere }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }
}

impl<R: Rules> Alternating for Play<R> {}

impl<R: Rules> Game for Play<R> {
    const ALTERNATES: bool = true;

    type Position = Turned<R::State>;
    type Move = R::Step;
    type Undo = R::State;

    fn start(&self) -> Self::Position {
        Turned { state: self.rules.start(), turn: Player::First }
    }

    fn turn(&self, pos: &Self::Position) -> Player {
        pos.turn
    }

    fn outcome(&self, pos: &Self::Position) -> Option<Outcome> {
        let over = self.rules.count(&pos.state) == 0;
        over.then_some(Outcome::Win(if self.misere { pos.turn } else { pos.turn.other() }))
    }

    fn moves(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Move)) {
        self.rules.steps(&pos.state, each);
    }

    fn count_moves(&self, pos: &Self::Position) -> usize {
        usize::try_from(self.rules.count(&pos.state)).unwrap_or(usize::MAX)
    }

    fn play(&self, pos: &mut Self::Position, mv: Self::Move) -> Self::Undo {
        let old = pos.state.clone();
        self.rules.apply(&mut pos.state, mv);
        pos.turn = pos.turn.other();
        old
    }

    fn undo(&self, pos: &mut Self::Position, _mv: Self::Move, undo: Self::Undo) {
        pos.state = undo;
        pos.turn = pos.turn.other();
    }
}

impl<R: Rules> Impartial for Play<R> {
    type Part = R::Part;

    fn misere(&self) -> bool {
        self.misere
    }

    fn parts(&self, pos: &Self::Position) -> Vec<R::Part> {
        self.rules.parts(&pos.state)
    }

    fn options(&self, part: &R::Part, each: &mut impl FnMut(&[R::Part])) {
        self.rules.options(part, each);
    }

    fn options_while(&self, part: &R::Part, each: &mut impl FnMut(&[R::Part]) -> bool) {
        self.rules.options_while(part, each);
    }

    fn show_part(&self, part: &R::Part) -> String {
        self.rules.show_part(part)
    }

    fn heap<'a>(&'a self, part: &R::Part) -> Option<(&'a Code, usize)> {
        self.rules.heap(part)
    }

    fn work(&self, part: &R::Part) -> u64 {
        self.rules.work(part)
    }

    fn static_nimber(&self, part: &R::Part) -> Option<u32> {
        self.rules.static_nimber(part)
    }
}

impl<R: Rules> Symmetric for Play<R> {
    fn order(&self) -> usize {
        self.rules.order()
    }

    fn image(&self, element: usize, pos: &Self::Position) -> Self::Position {
        Turned { state: self.rules.image(element, &pos.state), turn: pos.turn }
    }

    fn image_of_move(&self, element: usize, mv: Self::Move) -> Self::Move {
        self.rules.image_of_step(element, mv)
    }

    fn inverse(&self, element: usize) -> usize {
        self.rules.inverse(element)
    }
}

impl<R: Rules> Guide for Play<R> {}

impl<R: Rules> Evaluate for Play<R> {}

impl<R: Rules> Acyclic for Play<R> {
    fn height(&self, pos: &Self::Position) -> u32 {
        self.rules.height(&pos.state)
    }
}

impl<R: Rules> Notation for Play<R> {
    /// The state; `@second` follows when it is the second player's turn.
    fn show(&self, pos: &Self::Position) -> String {
        let turn = if pos.turn == Player::Second { "@second" } else { "" };
        self.rules.show(&pos.state) + turn
    }

    fn parse(&self, text: &str) -> Result<Self::Position, NotationError> {
        let (state, turn) = match text.trim().rsplit_once('@') {
            None => (text.trim(), Player::First),
            Some((state, "first")) => (state, Player::First),
            Some((state, "second")) => (state, Player::Second),
            Some(_) => return Err(NotationError::position(text, "after `@` expected first or second")),
        };
        let state = self.rules.read(state).map_err(|why| NotationError::position(text, why))?;
        Ok(Turned { state, turn })
    }

    fn show_move(&self, pos: &Self::Position, mv: Self::Move) -> String {
        self.rules.show_step(&pos.state, mv)
    }

    fn end_reason(&self, _: &Self::Position) -> &'static str {
        "no move"
    }

    fn scene(&self, pos: &Self::Position) -> Scene {
        self.rules.scene(&pos.state)
    }

    fn path(&self, pos: &Self::Position, mv: Self::Move) -> Vec<usize> {
        self.rules.path(&pos.state, mv)
    }

    fn other_paths(&self, pos: &Self::Position, mv: Self::Move) -> Vec<Vec<usize>> {
        self.rules.other_paths(&pos.state, mv)
    }
}

impl<R: Named> Family for Play<R> {
    fn facts() -> Facts {
        R::facts()
    }

    fn build(params: &Params) -> Result<Play<R>, GameError> {
        Ok(Play::new(R::build(params)?, params.text("play") == "misere"))
    }

    fn from_spelling(given: &str) -> Result<(Play<R>, String), GameError> {
        let (rules, params, spelling) = R::spelled(given)?;
        Ok((Play::new(rules, params.text("play") == "misere"), spelling))
    }

    fn vocabulary(&self) -> Box<dyn Features<Play<R>>> {
        let picture = self.rules.is_board().then(|| Pictured::new(self).unowned());
        Box::new(ImpartialFeatures { picture, extras: self.rules.extras() })
    }
}

/// The features for strategies written as text: the picture if it is a board, and the features of the rules.
struct ImpartialFeatures {
    picture: Option<Pictured>,
    extras: &'static [Extra],
}

impl<R: Rules> Features<Play<R>> for ImpartialFeatures {
    fn boards(&self) -> &[Layout] {
        self.picture.as_ref().map_or(&[], Features::<Play<R>>::boards)
    }

    fn letters(&self) -> &[char] {
        &['X']
    }

    fn owned(&self) -> bool {
        false
    }

    fn marks(&self, game: &Play<R>, pos: &Turned<R::State>) -> [CellSet; MAX_MARKS] {
        self.picture.as_ref().map_or([0; MAX_MARKS], |picture| picture.marks(game, pos))
    }

    fn placing(&self, game: &Play<R>, pos: &Turned<R::State>, mv: R::Step) -> Placing {
        self.picture.as_ref().map_or(Placing::default(), |picture| picture.placing(game, pos, mv))
    }

    fn last(&self, game: &Play<R>, before: &Turned<R::State>, mv: R::Step) -> u16 {
        let cell = || self.placing(game, before, mv).cell.map_or(0, |cell| u16::from(cell) + 1);
        game.rules.last(&before.state, mv).unwrap_or_else(cell)
    }

    fn extras(&self) -> &[Extra] {
        self.extras
    }

    fn extra(&self, game: &Play<R>, pos: &Turned<R::State>, mv: R::Step, last: u16, which: usize) -> i32 {
        game.rules.extra(&pos.state, mv, last, which)
    }
}

#[cfg(test)]
mod tests;
