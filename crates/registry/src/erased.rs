//! A game that speaks text. The command line works with this; inside, everything is generic and fast.

pub mod agents;
mod board_file;
mod boards;
mod called;
mod capabilities;
mod distilling;
mod explaining;
mod game;
mod impartial;
mod judging;
mod learning;
mod mill;
mod puzzling;
mod reduced;
mod rules;
mod spoken;
pub mod tables;
mod tak;
mod verifying;
mod written;

use crate::annotated::AnnotatedGame;
use crate::openspiel::OpenSpiel;
use crate::record::RecordedTree;
use agon_check::{Certificate, Proved, Rejected};
use agon_core::family::shorten;
use agon_core::setup::Setup;
use agon_core::{Ctx, Player, Status, StrategyFacts, Wdl};
use agon_report::failure::Failure;
use agon_report::{
    CountReport, DistilReport, Estimate, ExplainReport, Puzzle, PuzzleKind, PuzzlesReport, SizeReport, SolveReport,
    VerifyReport,
};
use agon_solve::count::Limits;
use agon_solve::method::STRONG;
use std::time::Duration;

pub use agents::{Considered, Levels, Reasons, SearchScore};
pub use agon_strategies::vocabulary::Entry as StrategyWord;
pub use board_file::{board_file, missing_board};
pub use boards::BoardRow;
pub use called::Called;
pub use capabilities::{Capabilities, Records};
pub use explaining::ExplainRequest;
pub(crate) use game::built;
pub use game::made;
pub use impartial::{alone, heaps, tiles};
pub use judging::{AnyJudge, Judged};
pub use learning::AnyTrainer;
pub use mill::mill;
pub use puzzling::PuzzleRequest;
pub use spoken::{AnyRules, View};
pub use tak::tak;

/// The solvers, players and strategies of a game.
pub struct Offers {
    /// Names of methods, the default first.
    pub solvers: Vec<&'static str>,
    /// Names for players.
    pub agents: Vec<&'static str>,
    /// Strategies, which are players too.
    pub strategies: Vec<StrategyFacts>,
    /// The player with the strongest search, where nothing is proven.
    pub strongest: &'static str,
}

/// The parameters that an engine with the Tak Engine Interface gets about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeiTerms {
    /// The side of the board.
    pub size: usize,
    /// The komi in half flats.
    pub half_komi: i64,
}

/// The method that a person wants a position solved by. Any word names one; `""` and `auto` mean the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MethodChoice {
    /// The default of the game.
    #[default]
    Default,
    /// The strong solution: a table of all positions, and a count of what it holds.
    Strong,
    /// The method of that name.
    Named(String),
}

impl MethodChoice {
    /// The name of the method, unless it is the default.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            MethodChoice::Default => None,
            MethodChoice::Strong => Some(STRONG),
            MethodChoice::Named(name) => Some(name),
        }
    }
}

impl From<&str> for MethodChoice {
    fn from(text: &str) -> MethodChoice {
        match text.trim() {
            "" | "auto" => MethodChoice::Default,
            STRONG => MethodChoice::Strong,
            name => MethodChoice::Named(name.to_string()),
        }
    }
}

/// A request to solve a position.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// The method.
    pub solver: MethodChoice,
    /// Extract the evidence too.
    pub certificate: bool,
    /// Value every move, however much work that takes.
    pub all: bool,
    /// Bytes to use at most.
    pub memory: u64,
}

impl SolveRequest {
    /// The value by the game's default method, without evidence.
    #[must_use]
    pub fn plain(memory: u64) -> SolveRequest {
        SolveRequest { solver: MethodChoice::Default, certificate: false, all: false, memory }
    }

    /// The same by that method.
    #[must_use]
    pub fn by(self, solver: impl Into<MethodChoice>) -> SolveRequest {
        SolveRequest { solver: solver.into(), ..self }
    }

    /// The same with evidence.
    #[must_use]
    pub fn certified(self) -> SolveRequest {
        SolveRequest { certificate: true, ..self }
    }
}

/// A strategy as a person spells it.
#[derive(Clone, Debug)]
pub struct StrategyRequest {
    /// Name, perhaps with a reading after a colon.
    pub name: String,
    /// The strategy itself, if it is a text of your own; `name` then says where it comes from.
    pub text: Option<String>,
    /// The reading of that text; empty for the first.
    pub reading: String,
    /// The strategy itself, if it is a function; `name` then says what it is called.
    pub called: Option<Called>,
    /// A file of exceptions: its name and its text.
    pub exceptions: Option<(String, String)>,
}

impl StrategyRequest {
    /// A strategy of the game by name, perhaps with a reading after a colon.
    #[must_use]
    pub fn named(name: impl Into<String>) -> StrategyRequest {
        StrategyRequest { name: name.into(), text: None, reading: String::new(), called: None, exceptions: None }
    }

    /// A strategy written as text; `name` says where it comes from.
    #[must_use]
    pub fn written(name: impl Into<String>, text: impl Into<String>) -> StrategyRequest {
        StrategyRequest { text: Some(text.into()), ..StrategyRequest::named(name) }
    }

    /// A strategy that is a function.
    #[must_use]
    pub fn called(name: impl Into<String>, strategy: Called) -> StrategyRequest {
        StrategyRequest { called: Some(strategy), ..StrategyRequest::named(name) }
    }

    /// Returns whether the request brings the strategy itself, so that its name is not looked up.
    pub(crate) fn brings_its_own(&self) -> bool {
        self.text.is_some() || self.called.is_some()
    }
}

/// A request to verify a strategy.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// The strategy.
    pub strategy: StrategyRequest,
    /// The side it plays.
    pub side: Player,
    /// The claimed result.
    pub least: Wdl,
    /// List every position where it goes wrong.
    pub all: bool,
    /// Repair it with at most that many exceptions.
    pub repair: Option<usize>,
    /// Extract the evidence too.
    pub certificate: bool,
    /// List the strategy's moves as evidence even if it is written as text.
    pub listed: bool,
}

/// A request to find a short strategy.
#[derive(Clone, Debug)]
pub struct DistilRequest {
    /// The sides it plays: one, or both.
    pub sides: Vec<Player>,
    /// The claimed result.
    pub least: Wdl,
    /// The features that it may use; empty for all.
    pub features: Vec<String>,
    /// The seed of random numbers, where the search needs them.
    pub seed: u64,
    /// The time for the search. What it finds is verified in any case.
    pub time: Option<Duration>,
    /// Extract the evidence too.
    pub certificate: bool,
}

impl DistilRequest {
    /// `first`, `second` or `either`.
    #[must_use]
    pub fn side_name(&self) -> &'static str {
        match self.sides[..] {
            [side] => side.name(),
            _ => "either",
        }
    }
}

/// A certificate if one was asked for and there is something to certify. `Err` here does not
/// invalidate the report.
pub type Evidence = Result<Option<Certificate>, Failure>;

/// The proven value of one move, for the side that makes it.
#[derive(Clone, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Win, draw or loss for the mover.
    #[serde(serialize_with = "agon_report::name_of")]
    pub value: Wdl,
    /// Plies until the end under best play.
    pub plies: Option<u32>,
    /// The places a person clicks.
    pub path: Vec<usize>,
}

impl MoveValue {
    /// Larger is better: the result, then haste in winning or delay in losing.
    #[must_use]
    pub fn preference(&self) -> (Wdl, i64) {
        let plies = i64::from(self.plies.unwrap_or(0));
        match self.value {
            Wdl::Win => (self.value, -plies),
            Wdl::Draw => (self.value, 0),
            Wdl::Loss => (self.value, plies),
        }
    }

    /// `▲5`, `■` or `▼2`: a sign and a number, readable without colour.
    #[must_use]
    pub fn sign(&self) -> String {
        let sign = match self.value {
            Wdl::Win => '▲',
            Wdl::Draw => '■',
            Wdl::Loss => '▼',
        };
        match self.plies.filter(|_| self.value != Wdl::Draw) {
            Some(plies) => format!("{sign}{plies}"),
            None => sign.to_string(),
        }
    }
}

/// The choice of a player.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Choice {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// False when the player promises proven moves and found no proof in time.
    pub proven: bool,
    /// For a player that promises proven moves: whether this one is proven to be best. Null for other players, and for
    /// moves drawn by lot.
    pub proof: Option<bool>,
    /// The player's judgement of the position, if it gives one.
    pub thought: Option<Reasons>,
}

/// A game as written down elsewhere: where it began, and its moves, all in canonical text.
pub struct Recorded {
    /// The game it is of, in its canonical spelling.
    pub spelling: String,
    /// The position at which play began.
    pub from: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// The comment on a move of a game that is written down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// `?`, `??`, `!` or nothing.
    pub mark: &'static str,
    /// A comment; empty for none.
    pub comment: String,
}

/// A node of the tree of a player's search.
#[derive(Clone, PartialEq, Debug)]
pub struct GrownText {
    /// The index of the node before, and the move from there.
    pub by: Option<(usize, String)>,
    /// The position.
    pub position: String,
    /// The number of plies from the root.
    pub ply: usize,
    /// The playouts through it.
    pub visits: u64,
    /// The share of their points that the side won which made the move.
    pub share: f64,
    /// True if nodes after it are left out.
    pub cut: bool,
}

/// A player that speaks text.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, erased::StrategyRequest};
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let mut player = game.agent(&StrategyRequest::named("perfect"), 1).unwrap();
/// let choice = player.choose("XX./OO./...", &Ctx::default()).unwrap();
/// assert_eq!(choice.mv, "c3"); // it completes the row
/// ```
pub trait AnyAgent: Send {
    /// A legal move at `pos`, where the play is not over. Searching players report their current
    /// choice through `on_choice`.
    fn think(&mut self, pos: &str, ctx: &Ctx, on_choice: &mut dyn FnMut(&Choice)) -> Result<Choice, Failure>;

    /// A new game begins: from now on play exactly as a player freshly made with that seed.
    fn begin(&mut self, seed: u64);

    /// From now on moves are stopped after that time. Players that divide their time need to know it beforehand.
    fn limit(&mut self, _time: Duration) {}

    /// The tree that grew at `pos` in the last thought, at most that many nodes, the root first; empty for players that
    /// grow none.
    fn grown(&self, _pos: &str, _most: usize) -> Result<Vec<GrownText>, Failure> {
        Ok(Vec::new())
    }

    /// A legal move at `pos`, where the play is not over.
    fn choose(&mut self, pos: &str, ctx: &Ctx) -> Result<Choice, Failure> {
        self.think(pos, ctx, &mut |_| ())
    }
}

/// A game that speaks text: its rules, and what agon can do with it.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, erased::SolveRequest};
///
/// let game = Registry::standard().game("mnk:4,4,3").unwrap();
/// let request = SolveRequest::plain(1 << 24).certified();
/// let (report, evidence) = game.solve(&game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!((report.value, report.plies), ("win", Some(5)));
/// let certificate = evidence.unwrap().expect("the value is proven");
/// assert!(game.check(&certificate, &Ctx::default()).is_ok());
/// ```
pub trait AnyGame: AnyRules {
    /// The same game once more; both share what their solvers keep.
    fn duplicate(&self) -> Box<dyn AnyGame>;
    /// Solvers, agents and strategies.
    fn offers(&self) -> Offers;
    /// Exact counts.
    fn count(&self, pos: &str, limits: Limits, ctx: &Ctx) -> Result<CountReport, Failure>;
    /// The value, and the evidence if asked for.
    fn solve(&self, pos: &str, request: &SolveRequest, ctx: &Ctx) -> Result<(SolveReport, Evidence), Failure>;
    /// The estimate of a position by the strongest search of the game, with a table of at most `memory` bytes; `None`
    /// where the play is over.
    fn estimate(&self, pos: &str, memory: u64, ctx: &Ctx) -> Result<Option<Estimate>, Failure>;
    /// The value of each move.
    fn values(&self, pos: &str, ctx: &Ctx) -> Result<Vec<MoveValue>, Failure>;
    /// Why a position has its value, and what a strategy does there.
    fn explain(&self, pos: &str, request: &ExplainRequest, ctx: &Ctx) -> Result<ExplainReport, Failure>;
    /// A solver that is asked about many positions.
    fn judge(&self) -> Result<Box<dyn AnyJudge>, Failure>;
    /// Positions with exactly one right move, from random games.
    fn puzzles(&self, request: &PuzzleRequest, ctx: &Ctx) -> Result<PuzzlesReport, Failure>;
    /// The puzzle that a position is, if exactly one of its moves wins, or saves the draw.
    fn puzzle(&self, pos: &str, kind: PuzzleKind, ctx: &Ctx) -> Result<Option<Puzzle>, Failure>;
    /// Tests the claim of a strategy, and returns the evidence if the request asks for it.
    fn verify(&self, pos: &str, request: &VerifyRequest, ctx: &Ctx) -> Result<(VerifyReport, Evidence), Failure>;
    /// The text of a strategy of the game, where it is written as text.
    fn strategy_text(&self, name: &str) -> Option<&'static str>;
    /// The words that strategies as text can use.
    fn strategy_words(&self) -> Vec<StrategyWord>;
    /// Finds a short strategy that keeps a claim, and returns the evidence if the request asks for it and it plays one
    /// side.
    fn distil(&self, pos: &str, request: &DistilRequest, ctx: &Ctx) -> Result<(DistilReport, Evidence), Failure>;
    /// The same report about a strategy that is written already.
    fn describe(&self, pos: &str, text: &str, request: &DistilRequest, ctx: &Ctx) -> Result<DistilReport, Failure>;
    /// The size of a strategy as text.
    fn size_of(&self, text: &str) -> Result<SizeReport, Failure>;
    /// Checks a certificate of this game.
    fn check(&self, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected>;
    /// A player by name.
    fn agent(&self, strategy: &StrategyRequest, seed: u64) -> Result<Box<dyn AnyAgent>, Failure>;
    /// Sets the players behind the levels.
    fn set_levels(&mut self, levels: Levels);
    /// The player of a level from 1 to 5.
    fn level(&self, level: u8) -> Option<String>;

    /// The name of the method that a choice stands for.
    fn method_name(&self, choice: &MethodChoice) -> Result<&'static str, Failure> {
        let solvers = self.offers().solvers;
        let found = solvers.iter().find(|solver| choice.name().is_none_or(|name| name == **solver));
        found.copied().ok_or_else(|| Failure::NotOffered {
            what: format!("method `{}`", shorten(choice.name().unwrap_or_default())),
            game: self.spelling().to_string(),
            offered: solvers.iter().map(ToString::to_string).collect(),
        })
    }

    /// The same position with the sides exchanged, where the rules are the same for both.
    fn exchanged(&self, _pos: &str) -> Result<String, Failure> {
        Err(Failure::not_offered("an exchange of the sides", self.spelling()))
    }

    /// Every board up to symmetry with what it is worth, using at most that many bytes.
    fn boards(&self, _memory: u64, _ctx: &Ctx) -> Result<Vec<BoardRow>, Failure> {
        Err(Failure::not_offered("a list of all boards", self.spelling()))
    }

    /// Tables on disk; `None` where positions have no indices.
    fn tables(&self) -> Option<Box<dyn tables::AnyTables>> {
        None
    }

    /// Reads a game in the family's own notation; `None` when there is none or the text is not in it.
    fn read_record(&self, _text: &str) -> Option<Result<Recorded, Failure>> {
        None
    }

    /// The same with variations, comments and marks, which are not played yet.
    fn read_annotated(&self, _text: &str) -> Option<Result<RecordedTree, Failure>> {
        None
    }

    /// Writes a game with variations, comments and marks in the family's own notation, where it has one.
    fn write_annotated(&self, _from: &str, _tree: &AnnotatedGame) -> Option<String> {
        None
    }

    /// The extension of files in the family's own notation, and the name of the notation, where it has one.
    fn record_notation(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The way in which a person sets up positions.
    fn setup(&self) -> Setup {
        Setup::LETTERS
    }

    /// The terms on which engines that speak the Tak Engine Interface play this game; `None` if they do not.
    fn tei_terms(&self) -> Option<TeiTerms> {
        None
    }

    /// What OpenSpiel calls the game and how it numbers moves, where the entry of the family says so.
    fn openspiel(&self) -> Option<OpenSpiel> {
        None
    }

    /// Sets what [`AnyGame::openspiel`] returns; the entry of the family does.
    fn set_openspiel(&mut self, _openspiel: OpenSpiel) {}

    /// Writes a game in the family's own notation, where it has one.
    fn write_record(&self, _from: &str, _moves: &[String]) -> Option<String> {
        None
    }

    /// The same with a note for each move; `source` is the text that the game was read from, whose tags are kept.
    fn annotate_record(&self, _from: &str, _moves: &[String], _notes: &[Note], _source: &str) -> Option<String> {
        None
    }

    /// The side of that name: `first`, `second`, or the game's own word.
    fn side(&self, name: &str) -> Result<Player, Failure> {
        let hit = Player::BOTH
            .into_iter()
            .find(|&p| p.name().eq_ignore_ascii_case(name) || self.player_name(p).eq_ignore_ascii_case(name));
        hit.ok_or_else(|| {
            let own = Player::BOTH.map(|p| self.player_name(p)).join(", ");
            Failure::Usage(format!("invalid side `{name}`: expected first, second, {own}"))
        })
    }

    /// `first` or `second` when that side has won.
    fn winner(&self, pos: &str) -> Result<Option<&'static str>, Failure> {
        Ok(match self.status(pos)? {
            Status::Over(outcome) => outcome.winner().map(Player::name),
            Status::Turn(_) => None,
        })
    }

    /// Whose turn it is or how it ended, in words.
    fn status_text(&self, pos: &str) -> Result<String, Failure> {
        Ok(status_text(self, self.status(pos)?))
    }
}

/// Whose turn it is or how it ended, in words.
fn status_text(game: &(impl AnyRules + ?Sized), status: Status) -> String {
    match status {
        Status::Turn(player) => format!("{} to move", game.player_name(player)),
        Status::Over(outcome) => match outcome.winner() {
            Some(player) => format!("{} wins", game.player_name(player)),
            None => "draw".to_string(),
        },
    }
}
