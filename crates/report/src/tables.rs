//! The contents of tables.

use crate::words::{grouped, table};
use agon_solve::Totals;
use agon_solve::retro::Stats;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// One phase of a game that was solved by tables: its positions by value.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    /// `placing` or `moving`.
    pub name: String,
    /// Positions by value for the side to move.
    pub totals: Json,
    /// The same up to symmetry and exchange of sides.
    pub classes: Json,
    /// Plies of the longest forced win.
    pub longest_win: Option<u32>,
    /// Plies of the longest resistance.
    pub longest_loss: Option<u32>,
    /// Positions whose mover cannot move.
    pub blocked: u64,
}

impl Phase {
    /// From what tables hold.
    #[must_use]
    pub fn new(name: String, stats: &Stats) -> Phase {
        let json = |t: Totals| json!({"win": t.win, "draw": t.draw, "loss": t.loss});
        Phase {
            name,
            totals: json(stats.totals),
            classes: json(stats.classes),
            longest_win: stats.longest_win,
            longest_loss: stats.longest_loss,
            blocked: stats.blocked,
        }
    }
}

/// One table, mover's men first.
#[derive(Clone, Debug, Serialize)]
pub struct ShardReport {
    /// The men of the side to move: what stands before the dash of the name.
    pub mover: String,
    /// The part of the game it belongs to.
    pub phase: &'static str,
    /// The number of indices, used or not.
    pub numbers: u64,
    /// Its contents.
    #[serde(flatten)]
    pub holds: Phase,
    /// Positions up to symmetry and exchange of sides by plies until the end; odd plies are wins, even ones losses.
    pub distances: BTreeMap<u32, u64>,
}

impl ShardReport {
    /// From what the table holds.
    #[must_use]
    pub fn new(name: String, phase: &'static str, numbers: u64, stats: &Stats) -> ShardReport {
        let distances = stats.by_distance.iter().filter_map(|((_, plies), n)| plies.map(|plies| (plies, *n))).collect();
        let mover = name.split('-').next().unwrap_or_default().to_string();
        ShardReport { holds: Phase::new(name, stats), mover, phase, numbers, distances }
    }
}

/// Tables as lines of text.
#[must_use]
pub fn shards_text(shards: &[ShardReport]) -> String {
    phases_text(&shards.iter().map(|shard| shard.holds.clone()).collect::<Vec<_>>())
}

pub(super) fn phases_text(phases: &[Phase]) -> String {
    let plies = |n: Option<u32>| n.map_or("-".to_string(), |n| n.to_string());
    let row = |phase: &Phase| {
        let count = |name: &str| {
            let of = |json: &Json| grouped(json[name].as_u64().unwrap_or(0));
            format!("{} ({})", of(&phase.totals), of(&phase.classes))
        };
        let counts = ["win", "draw", "loss"].map(count);
        let rest = [plies(phase.longest_win), plies(phase.longest_loss), grouped(phase.blocked)];
        std::iter::once(phase.name.clone()).chain(counts).chain(rest).collect()
    };
    let head = [
        "for the side to move",
        "win (orbits)",
        "draw (orbits)",
        "loss (orbits)",
        "longest win",
        "longest loss",
        "blocked",
    ];
    let note = "positions: all in the tables; orbits: these positions up to symmetry and exchange of sides";
    format!("{}{note}\n", table(&head, &phases.iter().map(row).collect::<Vec<Vec<String>>>()))
}
