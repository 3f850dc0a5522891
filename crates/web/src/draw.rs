//! Boards along a line of play. A position holds no history, so what only the moves tell is stored next to it: the cells
//! that one tile covers, and the places of the last move.

use crate::app::Metered;
use agon_core::scene::{Board, Scene, Shape, Why};
use agon_report::failure::Failure;

/// The most pairs of joined cells: four for each cell of the largest board.
const MAX_JOINS: usize = 1024;

/// A position with the moves that led there.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// The position.
    pub(crate) pos: String,
    /// Pairs of neighbouring cells covered by one tile.
    joins: Vec<(usize, usize)>,
    /// The places of the last move; empty if places are renumbered after it.
    pub(crate) path: Vec<usize>,
}

impl Played {
    /// A position before any move; `joins` is the text that [`Played::joins`] writes.
    pub(crate) fn at(pos: String, joins: &str) -> Played {
        let pair = |pair: &str| pair.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        Played { pos, joins: joins.split('.').filter_map(pair).take(MAX_JOINS).collect(), path: Vec::new() }
    }

    /// The tiles as text: `0-1.1-4`.
    pub(crate) fn joins(&self) -> String {
        self.joins.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>().join(".")
    }

    /// Plays a move and returns its canonical text.
    pub(crate) fn play(&mut self, game: &Metered<'_>, mv: &str) -> Result<String, Failure> {
        let (mv, next) = game.play(&self.pos, mv)?;
        self.path = game.path(&self.pos, &mv)?;
        self.pos = next;
        let scene = game.scene(&self.pos)?;
        if scene.board == Board::Tray {
            // Heaps are sorted, so places change.
            self.path.clear();
        }
        self.join(&scene);
        Ok(mv)
    }

    /// Joins the cells of the last move if it placed a tile.
    fn join(&mut self, scene: &Scene) {
        let tile = |&at: &usize| {
            scene.places.get(at).is_some_and(|place| place.stack.last().is_some_and(|t| t.shape == Shape::Tile))
        };
        if !self.path.iter().all(tile) {
            return;
        }
        for (i, &a) in self.path.iter().enumerate() {
            for &b in &self.path[i + 1..] {
                let (here, there) = (&scene.places[a], &scene.places[b]);
                if (here.x - there.x).abs() + (here.y - there.y).abs() == 1 {
                    self.joins.push((a, b));
                }
            }
        }
    }

    /// The picture, seen from `view`.
    pub(crate) fn scene(&self, game: &Metered<'_>, view: u8) -> Result<Scene, Failure> {
        self.finished(game, game.scene(&self.pos)?, view)
    }

    /// The picture `scene` of the position, seen from `view`, with the tiles joined.
    pub(crate) fn finished(&self, game: &Metered<'_>, scene: Scene, view: u8) -> Result<Scene, Failure> {
        let mut scene = scene.seen_from(view);
        let places = scene.places.len();
        game.pay_for_lines(self.joins.len())?;
        scene.lines.extend(self.joins.iter().filter(|(a, b)| *a < places && *b < places));
        // Every page shows the position on its own line; where there is no board, the text is the picture.
        let plain = self.pos.replace(['_', '+'], " ");
        scene.caption.retain(|line| places == 0 || !line.contains(&plain));
        Ok(scene)
    }

    /// A picture without click targets, with the last move marked.
    pub(crate) fn small(&self, game: &Metered<'_>) -> Result<String, Failure> {
        let mut scene = self.scene(game, 0)?;
        if scene.marks.is_empty() {
            let last: Vec<usize> = self.path.iter().copied().filter(|&place| place < scene.places.len()).collect();
            last.into_iter().for_each(|place| scene.mark(place, Why::Last, ""));
        }
        Ok(scene.svg_small())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;

    #[test]
    fn tiles_hang_together_and_can_be_sent() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "ellie").unwrap();
        let mut played = Played::at(game.start(), "");
        played.play(&game, "a4b4a3").unwrap();
        played.play(&game, "c2d2d1").unwrap();
        assert_eq!(played.joins(), "0-1.0-4.10-11.11-15");
        let again = Played::at(played.pos.clone(), &played.joins());
        assert_eq!(again.scene(&game, 3).unwrap().svg_in_page().matches("class=\"join\"").count(), 4);
        // Invalid pairs join nothing.
        let odd = Played::at(played.pos.clone(), "0-99.x-1.0-2.-");
        assert!(!odd.small(&game).unwrap().contains("class=\"join\""));
    }

    #[test]
    fn a_caption_does_not_repeat_the_position() {
        let (app, meter) = App::bare();
        let game = app.game(&meter, "tak:4").unwrap();
        let scene = Played::at(game.start(), "").scene(&game, 0).unwrap();
        assert_eq!(scene.caption.len(), 2, "{:?}", scene.caption);
    }
}
