//! Live games of a tournament, for pages that watch.

use crate::app::{App, Meter, Metered, lock};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time between two moves on the page, however fast they are played.
const MOVE_INTERVAL: Duration = Duration::from_millis(450);
/// A shorter time, used when the page is at least this many moves behind.
const CATCH_UP: (usize, Duration) = (12, Duration::from_millis(120));
/// The time for which the end of a game is shown.
const END_PAUSE: Duration = Duration::from_millis(1800);

/// The tables of a tournament. At each table one game is played at a time.
#[derive(Default)]
pub struct Watch {
    tables: Mutex<Vec<Arc<Mutex<Running>>>>,
}

/// A game being played, or just over.
#[derive(Clone, Debug, Default)]
struct Running {
    id: u64,
    players: [String; 2],
    start: String,
    moves: Vec<String>,
    /// For each move, whether it is proven; `None` if its player does not prove moves.
    proofs: Vec<Option<bool>>,
    ended: Option<String>,
}

impl Watch {
    /// A game begins at a table.
    pub fn begin(&self, table: usize, id: u64, players: [&str; 2], start: &str) {
        let mut tables = lock(&self.tables);
        if tables.len() <= table {
            tables.resize_with(table + 1, Arc::default);
        }
        let players = players.map(String::from);
        let game = Running { id, players, start: start.to_string(), ..Running::default() };
        // Viewers of the last game still hold it.
        tables[table] = Arc::new(Mutex::new(game));
    }

    /// A move is played at a table. `proof` says whether it is proven; `None` if its player does not prove moves.
    pub fn moved(&self, table: usize, mv: &str, proof: Option<bool>) {
        if let Some(game) = self.at(table) {
            let mut game = lock(&game);
            game.moves.push(mv.to_string());
            game.proofs.push(proof);
        }
    }

    /// The game at a table ends; `how` is its result in words.
    pub fn ended(&self, table: usize, how: &str) {
        if let Some(game) = self.at(table) {
            lock(&game).ended = Some(how.to_string());
        }
    }

    fn at(&self, table: usize) -> Option<Arc<Mutex<Running>>> {
        lock(&self.tables).get(table).cloned()
    }

    /// The two players at each table.
    #[must_use]
    pub fn tables(&self) -> Vec<[String; 2]> {
        lock(&self.tables).iter().map(|game| lock(game).players.clone()).collect()
    }
}

/// A page that watches one table, move by move. Fast games are slowed down for the eye.
pub(crate) struct Viewer {
    table: usize,
    game: Option<Arc<Mutex<Running>>>,
    shown: Option<usize>,
    pos: String,
    next: Instant,
}

impl Viewer {
    pub(crate) fn new(table: usize) -> Viewer {
        Viewer { table, game: None, shown: None, pos: String::new(), next: Instant::now() }
    }

    /// Returns whether it is time for another picture.
    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// The next picture, if there is one.
    pub(crate) fn look(&mut self, app: &App, meter: &Meter, spelling: &str, watch: &Watch) -> Option<Value> {
        let rules = app.game(meter, spelling).ok()?;
        let seen = self.game.as_ref().map(|game| lock(game).clone());
        match seen {
            Some(game) if self.shown.is_none_or(|shown| shown < game.moves.len()) => {
                self.step(&rules, &game);
                Some(self.picture(&rules, &game))
            }
            // Still thinking.
            Some(game) if game.ended.is_none() => None,
            _ => {
                let now = watch.at(self.table)?;
                if self.game.as_ref().is_some_and(|old| Arc::ptr_eq(old, &now)) {
                    return None;
                }
                // A viewer who joins during a game sees the current position.
                let first = self.game.is_none();
                let game = lock(&now).clone();
                (self.game, self.pos) = (Some(now), game.start.clone());
                let skipped = if first { game.moves.len() } else { 0 };
                for mv in &game.moves[..skipped] {
                    self.pos = rules.play(&self.pos, mv).ok()?.1;
                }
                self.shown = Some(skipped);
                self.next = Instant::now() + MOVE_INTERVAL;
                Some(self.picture(&rules, &game))
            }
        }
    }

    fn step(&mut self, rules: &Metered<'_>, game: &Running) {
        let shown = self.shown.unwrap_or(0);
        if let Ok((_, next)) = rules.play(&self.pos, &game.moves[shown]) {
            self.pos = next;
        }
        self.shown = Some(shown + 1);
        let ahead = game.moves.len() - shown - 1;
        let last = ahead == 0 && game.ended.is_some();
        self.next = Instant::now()
            + if last {
                END_PAUSE
            } else if ahead >= CATCH_UP.0 {
                CATCH_UP.1
            } else {
                MOVE_INTERVAL
            };
    }

    fn picture(&self, rules: &Metered<'_>, game: &Running) -> Value {
        let shown = self.shown.unwrap_or(0);
        let over = shown == game.moves.len() && game.ended.is_some();
        let status = if over { game.ended.clone() } else { None };
        let status = status.or_else(|| rules.status_text(&self.pos).ok()).unwrap_or_default();
        let proof = shown.checked_sub(1).and_then(|last| game.proofs[last]);
        let status = if proof == Some(false) { format!("{status} · the last move is not proven") } else { status };
        json!({
            "table": self.table, "id": game.id, "players": game.players, "ply": shown, "over": over, "status": status,
            "mv": shown.checked_sub(1).map(|last| &game.moves[last]), "proof": proof, "start": game.start,
            "moves": game.moves[..shown].join(" "),
            "svg": rules.scene(&self.pos).map(|scene| scene.svg_in_page()).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next picture, or null.
    fn next(viewer: &mut Viewer, watch: &Watch) -> Value {
        let (app, meter) = App::bare();
        viewer.look(&app, &meter, "tic-tac-toe", watch).unwrap_or_default()
    }

    #[test]
    fn a_fast_game_is_shown_move_by_move_and_then_the_next_one() {
        let watch = Watch::default();
        let mut viewer = Viewer::new(0);
        assert_eq!(next(&mut viewer, &watch), Value::Null);
        watch.begin(0, 6, ["perfect", "random"], ".../.../...");
        let begin = next(&mut viewer, &watch);
        assert_eq!((&begin["id"], &begin["ply"], &begin["mv"]), (&json!(6), &json!(0), &Value::Null));
        // No change, then two moves and the end at once, and the next game already.
        assert_eq!(next(&mut viewer, &watch), Value::Null);
        watch.moved(0, "b2", Some(false));
        watch.moved(0, "a1", None);
        watch.ended(0, "perfect wins: time");
        watch.begin(0, 7, ["random", "perfect"], ".../.../...");
        let first = next(&mut viewer, &watch);
        assert_eq!(
            (&first["mv"], &first["status"], &first["over"]),
            (&json!("b2"), &json!("o to move · the last move is not proven"), &json!(false))
        );
        assert!(first["svg"].as_str().unwrap().contains("<svg"));
        let second = next(&mut viewer, &watch);
        assert_eq!((&second["moves"], &second["status"]), (&json!("b2 a1"), &json!("perfect wins: time")));
        let new = next(&mut viewer, &watch);
        assert_eq!((&new["id"], &new["ply"], &new["players"][0]), (&json!(7), &json!(0), &json!("random")));
        // A viewer who joins later sees the current position.
        watch.moved(0, "c3", Some(true));
        assert_eq!(next(&mut Viewer::new(0), &watch)["ply"], 1);
        assert_eq!(watch.tables(), [["random".to_string(), "perfect".to_string()]]);
    }
}
