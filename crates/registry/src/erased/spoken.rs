//! Positions and moves as text, in the same way for every kind of game.

use super::{AnyAgent, AnyTrainer};
use agon_core::scene::Scene;
use agon_core::{Ctx, Facts, Measures, Player, Status};
use agon_report::failure::Failure;

/// Everything that is seen of a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct View {
    /// The canonical text of the position.
    pub position: String,
    /// Whose turn it is, or how it ended.
    pub status: Status,
    /// The same in words.
    pub status_text: String,
    /// The side to move, or whose turn it would be.
    pub turn: Player,
    /// The picture.
    pub scene: Scene,
    /// The first legal moves, as many as were asked for, each with the places a person clicks.
    pub moves: Vec<(String, Vec<usize>)>,
    /// Other places to click for some of these moves, each with the index of its move.
    pub other_paths: Vec<(usize, Vec<usize>)>,
    /// The number of legal moves.
    pub move_count: u64,
}

impl View {
    /// Returns whether the play is over.
    #[must_use]
    pub fn over(&self) -> bool {
        matches!(self.status, Status::Over(_))
    }

    /// The side that has won.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.status {
            Status::Over(outcome) => outcome.winner(),
            Status::Turn(_) => None,
        }
    }
}

/// The rules of a game in text: positions and moves cross as notation.
///
/// ```
/// use agon_registry::Registry;
///
/// let game = Registry::standard().game("connect-four").unwrap();
/// let (mv, after) = game.play(&game.start(), "d").unwrap();
/// let view = game.look(&after, 10).unwrap(); // one look answers status, picture and moves
/// assert_eq!((mv.as_str(), view.status_text.as_str(), view.move_count), ("d", "o to move", 7));
/// assert_eq!(game.perft(&game.start(), 2, None, &Default::default()).unwrap(), [7, 49]);
/// ```
pub trait AnyRules: Send + Sync {
    /// Name, rules, parameters.
    fn facts(&self) -> &Facts;
    /// The canonical spelling.
    fn spelling(&self) -> &str;
    /// The rules in canonical form, where they come from a file: the spelling has their hash.
    fn rules_line(&self) -> Option<&str>;
    /// The game's name for a side.
    fn player_name(&self, player: Player) -> String;
    /// The start position.
    fn start(&self) -> String;
    /// The canonical text of a position; `start` names the start.
    fn position(&self, text: &str) -> Result<String, Failure>;
    /// The text that a position shares with all equal ones, whatever is notation alone.
    fn identity(&self, pos: &str) -> Result<String, Failure> {
        self.position(pos)
    }
    /// The representative of a position up to symmetry; the position itself if the game has no symmetry.
    fn canonical(&self, pos: &str) -> Result<String, Failure> {
        self.position(pos)
    }
    /// A text that positions share which play on alike: those of one orbit, or, in impartial games, those with the same
    /// independent parts.
    fn alike(&self, pos: &str) -> Result<String, Failure> {
        self.canonical(pos)
    }
    /// Status, picture and at most `most` moves of a position, which is read once.
    fn look(&self, pos: &str, most: usize) -> Result<View, Failure>;
    /// Whose turn it is, or how it ended.
    fn status(&self, pos: &str) -> Result<Status, Failure>;
    /// The side to move, or whose turn it would be.
    fn turn(&self, pos: &str) -> Result<Player, Failure>;
    /// The reason why a finished play ended: `line`, `board full`, `no move`.
    fn end_reason(&self, pos: &str) -> Result<&'static str, Failure>;
    /// The picture.
    fn scene(&self, pos: &str) -> Result<Scene, Failure>;
    /// Numbers that the literature defines for the places of a position; `None` if it does not.
    fn measures(&self, _pos: &str) -> Result<Option<Measures>, Failure> {
        Ok(None)
    }
    /// Every legal move.
    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure>;
    /// The number of legal moves, without a list of them where there can be very many.
    fn count_moves(&self, pos: &str) -> Result<u64, Failure>;
    /// The places a person clicks to make a move, as indices into the scene's places.
    fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure>;
    /// The canonical text of a move, and the position it leads to.
    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure>;
    /// Splits a list of moves, as people write it, into moves.
    fn split_moves(&self, text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }
    /// Move sequences of each length; with a table of that many bytes, if any.
    fn perft(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<u64>, Failure>;
    /// Move sequences of one length by first move.
    fn divide(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure>;
    /// A player that learns this game by playing against itself.
    fn trainer(&self, settings: agon_play::learned::Settings, seed: u64) -> Box<dyn AnyTrainer>;
    /// A player by a model of this game: the name of its file, and its text.
    fn learned(&self, model: (&str, &str), seed: u64) -> Result<Box<dyn AnyAgent>, Failure>;
}
