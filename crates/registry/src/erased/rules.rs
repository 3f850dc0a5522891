//! The rules of a game of any kind behind text.

use super::game::Erased;
use super::{AnyAgent, AnyRules, AnyTrainer, View, learning, status_text};
use agon_core::scene::Scene;
use agon_core::{Ctx, Evaluate, Facts, Family, Measures, Player, Status, Symmetric, collect_moves};
use agon_report::failure::Failure;
use agon_solve::perft;

impl<G: Family + Symmetric + Evaluate> AnyRules for Erased<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn spelling(&self) -> &str {
        &self.spelling
    }

    fn rules_line(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    fn start(&self) -> String {
        self.game.show(&self.game.start())
    }

    fn position(&self, text: &str) -> Result<String, Failure> {
        Ok(self.game.show(&self.read(text)?))
    }

    fn identity(&self, pos: &str) -> Result<String, Failure> {
        Ok(self.game.identity(&self.read(pos)?))
    }

    fn canonical(&self, pos: &str) -> Result<String, Failure> {
        Ok(self.game.show(&self.game.canonical(&self.read(pos)?).0))
    }

    fn alike(&self, pos: &str) -> Result<String, Failure> {
        match self.capabilities.parts {
            Some(parts) => Ok(parts(&self.game, &self.read(pos)?).join(" + ")),
            None => self.canonical(pos),
        }
    }

    fn look(&self, pos: &str, most: usize) -> Result<View, Failure> {
        let (pos, game) = (self.read(pos)?, &self.game);
        let mut moves = Vec::new();
        game.moves(&pos, &mut |mv| {
            if moves.len() < most {
                moves.push(mv);
            }
        });
        let status = game.status(&pos);
        let others =
            moves.iter().enumerate().flat_map(|(i, &mv)| game.other_paths(&pos, mv).into_iter().map(move |p| (i, p)));
        let other_paths = others.take(most).collect();
        Ok(View {
            other_paths,
            position: game.show(&pos),
            status,
            status_text: status_text(self, status),
            turn: game.turn(&pos),
            scene: game.scene(&pos),
            moves: moves.into_iter().map(|mv| (game.show_move(&pos, mv), game.path(&pos, mv))).collect(),
            move_count: game.count_moves(&pos) as u64,
        })
    }

    fn status(&self, pos: &str) -> Result<Status, Failure> {
        Ok(self.game.status(&self.read(pos)?))
    }

    fn turn(&self, pos: &str) -> Result<Player, Failure> {
        Ok(self.game.turn(&self.read(pos)?))
    }

    fn end_reason(&self, pos: &str) -> Result<&'static str, Failure> {
        Ok(self.game.end_reason(&self.read(pos)?))
    }

    fn scene(&self, pos: &str) -> Result<Scene, Failure> {
        Ok(self.game.scene(&self.read(pos)?))
    }

    fn measures(&self, pos: &str) -> Result<Option<Measures>, Failure> {
        Ok(self.game.measures(&self.read(pos)?))
    }

    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure> {
        let pos = self.read(pos)?;
        Ok(collect_moves(&self.game, &pos).into_iter().map(|mv| self.game.show_move(&pos, mv)).collect())
    }

    fn count_moves(&self, pos: &str) -> Result<u64, Failure> {
        Ok(self.game.count_moves(&self.read(pos)?) as u64)
    }

    fn path(&self, pos: &str, mv: &str) -> Result<Vec<usize>, Failure> {
        let pos = self.read(pos)?;
        Ok(self.game.path(&pos, self.game.parse_move(&pos, mv)?))
    }

    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure> {
        let (pos, game) = (self.read(pos)?, &self.game);
        let mv = game.parse_move(&pos, mv)?;
        Ok((game.show_move(&pos, mv), game.show(&game.after(&pos, mv))))
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        self.game.split_moves(text)
    }

    fn perft(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<u64>, Failure> {
        let (pos, game) = (self.read(pos)?, &self.game);
        Ok(match table {
            None if self.capabilities.large => perft::perft_in_place(game, &pos, depth, ctx)?,
            None => perft::perft(game, &pos, depth, ctx)?,
            Some(bytes) => perft::perft_with_table(game, &pos, depth, bytes, ctx)?,
        })
    }

    fn divide(&self, pos: &str, depth: u32, table: Option<usize>, ctx: &Ctx) -> Result<Vec<(String, u64)>, Failure> {
        let (pos, game) = (self.read(pos)?, &self.game);
        let counts = match table {
            None if self.capabilities.large => perft::divide_in_place(game, &pos, depth, ctx)?,
            None => perft::divide(game, &pos, depth, ctx)?,
            Some(bytes) => perft::divide_with_table(game, &pos, depth, bytes, ctx)?,
        };
        Ok(counts.into_iter().map(|(mv, n)| (game.show_move(&pos, mv), n)).collect())
    }

    fn trainer(&self, settings: agon_play::learned::Settings, seed: u64) -> Box<dyn AnyTrainer> {
        learning::trainer(&self.game, &self.spelling, settings, seed)
    }

    fn learned(&self, model: (&str, &str), seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        learning::learned(&self.game, &self.spelling, model, seed)
    }
}
