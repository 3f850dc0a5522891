//! Counts of positions and games.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, exact, grouped, table};
use agon_solve::count::{ByOutcome, Counts};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// Answer of `count`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CountReport {
    game: String,
    position: String,
    counts: Counts,
    played_out: Option<(BigUint, BigUint)>,
    at_most: Option<BigUint>,
}

impl CountReport {
    /// `played_out`: moves at each ply of the tree that does not stop at a win.
    #[must_use]
    pub fn new(game: &str, position: String, counts: Counts, played_out: Option<Vec<u64>>) -> CountReport {
        let played_out = played_out.map(|branching| {
            let (mut layer, mut nodes) = (BigUint::from(1u8), BigUint::from(1u8));
            for moves in branching {
                layer *= moves;
                nodes += &layer;
            }
            (nodes, layer)
        });
        CountReport { game: game.to_string(), position, counts, played_out, at_most: None }
    }

    /// With a bound on the number of positions of the whole game.
    #[must_use]
    pub fn bounded(self, at_most: Option<BigUint>) -> CountReport {
        CountReport { at_most, ..self }
    }

    /// The numbers themselves.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Nodes and leaves of the tree that does not stop at a win, root included.
    #[must_use]
    pub fn played_out(&self) -> Option<&(BigUint, BigUint)> {
        self.played_out.as_ref()
    }
}

fn outcomes(by: &ByOutcome<BigUint>) -> Json {
    json!({"total": exact(&by.total()), "first": exact(&by.first), "second": exact(&by.second), "draw": exact(&by.draw)})
}

fn small_outcomes(by: &ByOutcome<u64>) -> Json {
    json!({"total": by.first + by.second + by.draw, "first": by.first, "second": by.second, "draw": by.draw})
}

impl Serialize for CountReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let c = &self.counts;
        let plies: Vec<Json> = c
            .plies
            .iter()
            .map(|p| {
                json!({"ply": p.ply, "sequences": exact(&p.sequences), "positions": p.positions, "classes": p.classes,
                       "games": outcomes(&p.games)})
            })
            .collect();
        json!({
            "agon": VERSION, "game": self.game, "position": self.position, "plies": plies, "complete": c.complete, "closed": c.closed, "cut": c.cut.map(|why| format!("{why:?}")),
            "positions": c.positions.0, "classes": c.positions.1,
            "classes_exchanging_sides": c.exchanging.map(|(all, _)| all),
            "finished": {"positions": small_outcomes(&c.finished.0), "classes": small_outcomes(&c.finished.1),
                         "classes_exchanging_sides": c.exchanging.map(|(_, finished)| finished)},
            "games": outcomes(&c.games), "tree_nodes": exact(&c.tree_nodes()),
            "games_up_to_symmetry": {
                "by_position": c.games_by_position.as_ref().map(outcomes),
                "by_sequence": c.games_by_sequence.as_ref().map(outcomes),
            },
            "positions_at_most": self.at_most.as_ref().map(exact),
            "played_out": self.played_out.as_ref().map(|(n, l)| json!({"nodes": exact(n), "leaves": exact(l)})),
        })
        .serialize(serializer)
    }
}

impl Report for CountReport {
    fn text(&self, paint: Paint) -> String {
        let c = &self.counts;
        let row = |p: &agon_solve::count::Ply| {
            let ended = [&p.games.first, &p.games.second, &p.games.draw].map(grouped);
            let [first, second, draw] = ended;
            vec![
                p.ply.to_string(),
                grouped(&p.sequences),
                grouped(p.positions),
                grouped(p.classes),
                first,
                second,
                draw,
            ]
        };
        let head = ["ply", "sequences", "positions", "up to symmetry", "first wins", "second wins", "draws"];
        let rows: Vec<Vec<String>> = c.plies.iter().map(row).collect();
        let mut out = format!("{} from {}\n\n{}\n", self.game, self.position, table(&head, &rows));
        let mut line = |what: &str, text: String| {
            let _ = writeln!(out, "{what:<28} {text}");
        };
        let split = |b: &ByOutcome<BigUint>| {
            format!(
                "{} ({} first, {} second, {} drawn)",
                paint.bold(&grouped(b.total())),
                grouped(&b.first),
                grouped(&b.second),
                grouped(&b.draw)
            )
        };
        line(
            "positions",
            format!("{}, {} up to symmetry", paint.bold(&grouped(c.positions.0)), grouped(c.positions.1)),
        );
        if let Some((all, finished)) = c.exchanging {
            let exchanging = format!(
                "{} up to symmetry and exchange of sides, {} of them finished",
                grouped(all),
                grouped(finished)
            );
            line("", exchanging);
        }
        if let Some(at_most) = &self.at_most {
            line("  upper bound, whole game", grouped(at_most));
        }
        let f = &c.finished.0;
        line(
            "finished positions",
            format!("{} first, {} second, {} drawn", grouped(f.first), grouped(f.second), grouped(f.draw)),
        );
        line("games", split(&c.games));
        if let Some(games) = &c.games_by_position {
            line("  one move of each orbit", split(games));
        }
        if let Some(games) = &c.games_by_sequence {
            line("  up to symmetry", split(games));
        }
        line("tree nodes", format!("{}, root included", grouped(c.tree_nodes())));
        if let Some((nodes, leaves)) = &self.played_out {
            line("  ignoring wins", format!("{}, {} of them leaves", grouped(nodes), grouped(leaves)));
        }
        if c.closed && !c.complete {
            let _ = writeln!(
                out,
                "ply {} added no new position, so every position is counted; play can cycle, so longer games are \
                 not counted",
                c.plies.len() - 1
            );
        } else if !c.complete && !c.plies.is_empty() {
            let _ = writeln!(
                out,
                "play continues after ply {}; positions, games and tree nodes are counted up to that ply",
                c.plies.len() - 1
            );
        }
        out
    }
}
