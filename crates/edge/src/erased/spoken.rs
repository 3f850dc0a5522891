//! What every game says in the same words, whatever kind it is: positions and moves, read and written as text.

use super::{AnyAgent, AnyTrainer};
use crate::failure::Failure;
use agon_core::scene::Scene;
use agon_core::{Ctx, Evaluate, Facts, Family, Game, Notation, Player, Status, Symmetric, collect_moves};
use agon_solve::perft;

/// The rules of a game in text: positions and moves cross as notation.
pub trait AnyRules: Send + Sync {
    /// Name, rules, parameters.
    fn facts(&self) -> &'static Facts;
    /// The canonical spelling.
    fn spelling(&self) -> &str;
    /// The rules in canonical form, where they come from a file: the spelling has their hash.
    fn rules_line(&self) -> Option<&str>;
    /// What the game calls a side.
    fn player_name(&self, player: Player) -> String;
    /// The start position.
    fn start(&self) -> String;
    /// The canonical text of a position; `start` names the start.
    fn position(&self, text: &str) -> Result<String, Failure>;
    /// Whose turn it is, or how it ended.
    fn status(&self, pos: &str) -> Result<Status, Failure>;
    /// The side to move, or whose turn it would be.
    fn turn(&self, pos: &str) -> Result<Player, Failure>;
    /// What ended a finished play: `line`, `board full`, `no move`.
    fn end_reason(&self, pos: &str) -> Result<&'static str, Failure>;
    /// The picture.
    fn scene(&self, pos: &str) -> Result<Scene, Failure>;
    /// Every legal move.
    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure>;
    /// How many legal moves there are, without listing them where there can be very many.
    fn count_moves(&self, pos: &str) -> Result<u64, Failure>;
    /// The first legal moves, at most that many, each with its [path](AnyRules::path).
    fn moves_with_paths(&self, pos: &str, most: usize) -> Result<Vec<(String, Vec<usize>)>, Failure>;
    /// The places a person clicks to make a move, as indices into the scene's places.
    fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure>;
    /// The canonical text of a move, and the position it leads to.
    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure>;
    /// Move sequences of each length; with a table of that many bytes, if any.
    fn perft(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<u64>, Failure>;
    /// Move sequences of one length by first move.
    fn divide(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure>;
    /// A player that learns this game by playing against itself.
    fn trainer(&self, settings: agon_play::learned::Settings, seed: u64) -> Box<dyn AnyTrainer>;
    /// A player by a model of this game: the name of its file, and its text.
    fn learned(&self, model: (&str, &str), seed: u64) -> Result<Box<dyn AnyAgent>, Failure>;
}

/// A game behind text, and what all kinds of games do with it alike.
pub(super) trait Behind: Send + Sync {
    /// The game's type.
    type Game: Family + Symmetric + Evaluate;
    /// Whether positions are too large to copy at every node of a count.
    const LARGE: bool;

    /// The game.
    fn game(&self) -> &Self::Game;
    /// Its canonical spelling.
    fn spelled(&self) -> &str;
    /// Its rules in canonical form, where they come from a file.
    fn described(&self) -> Option<&str> {
        None
    }
    /// What is known about its family.
    fn about(&self) -> &'static Facts;

    /// A position as a person spells it.
    fn read(&self, text: &str) -> Result<<Self::Game as Game>::Position, Failure> {
        if text.trim() == "start" { Ok(self.game().start()) } else { Ok(self.game().parse(text)?) }
    }

    /// The names of moves played one after the other.
    fn line(&self, root: &<Self::Game as Game>::Position, moves: &[<Self::Game as Game>::Move]) -> Vec<String> {
        let (mut pos, mut names) = (root.clone(), Vec::new());
        for &mv in moves {
            names.push(self.game().show_move(&pos, mv));
            self.game().play(&mut pos, mv);
        }
        names
    }
}

impl<B: Behind> AnyRules for B {
    fn facts(&self) -> &'static Facts {
        self.about()
    }

    fn spelling(&self) -> &str {
        self.spelled()
    }

    fn rules_line(&self) -> Option<&str> {
        self.described()
    }

    fn player_name(&self, player: Player) -> String {
        self.game().player_name(player)
    }

    fn start(&self) -> String {
        self.game().show(&self.game().start())
    }

    fn position(&self, text: &str) -> Result<String, Failure> {
        Ok(self.game().show(&self.read(text)?))
    }

    fn status(&self, pos: &str) -> Result<Status, Failure> {
        Ok(self.game().status(&self.read(pos)?))
    }

    fn turn(&self, pos: &str) -> Result<Player, Failure> {
        Ok(self.game().turn(&self.read(pos)?))
    }

    fn end_reason(&self, pos: &str) -> Result<&'static str, Failure> {
        Ok(self.game().end_reason(&self.read(pos)?))
    }

    fn scene(&self, pos: &str) -> Result<Scene, Failure> {
        Ok(self.game().scene(&self.read(pos)?))
    }

    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure> {
        let pos = self.read(pos)?;
        Ok(collect_moves(self.game(), &pos).into_iter().map(|mv| self.game().show_move(&pos, mv)).collect())
    }

    fn count_moves(&self, pos: &str) -> Result<u64, Failure> {
        Ok(self.game().count_moves(&self.read(pos)?) as u64)
    }

    fn moves_with_paths(&self, pos: &str, most: usize) -> Result<Vec<(String, Vec<usize>)>, Failure> {
        let (pos, game) = (self.read(pos)?, self.game());
        let moves = collect_moves(game, &pos).into_iter().take(most);
        Ok(moves.map(|mv| (game.show_move(&pos, mv), game.path(&pos, mv))).collect())
    }

    fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure> {
        let pos = self.read(pos)?;
        Ok(self.game().path(&pos, self.game().parse_move(&pos, mv)?))
    }

    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure> {
        let (pos, game) = (self.read(pos)?, self.game());
        let mv = game.parse_move(&pos, mv)?;
        Ok((game.show_move(&pos, mv), game.show(&game.after(&pos, mv))))
    }

    fn perft(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<u64>, Failure> {
        let (pos, game) = (self.read(pos)?, self.game());
        Ok(match table {
            None if B::LARGE => perft::perft_in_place(game, &pos, depth, ctx)?,
            None => perft::perft(game, &pos, depth, ctx)?,
            Some(bytes) => perft::perft_with_table(game, &pos, depth, bytes, ctx)?,
        })
    }

    fn divide(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure> {
        let (pos, game) = (self.read(pos)?, self.game());
        let counts = match table {
            None if B::LARGE => perft::divide_in_place(game, &pos, depth, ctx)?,
            None => perft::divide(game, &pos, depth, ctx)?,
            Some(bytes) => perft::divide_with_table(game, &pos, depth, bytes, ctx)?,
        };
        Ok(counts.into_iter().map(|(mv, n)| (game.show_move(&pos, mv), n)).collect())
    }

    fn trainer(&self, settings: agon_play::learned::Settings, seed: u64) -> Box<dyn AnyTrainer> {
        super::learning::trainer(self.game(), self.spelled(), settings, seed)
    }

    fn learned(&self, model: (&str, &str), seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        super::learning::learned(self.game(), self.spelled(), model, seed)
    }
}
