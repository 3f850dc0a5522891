//! `agon show`: a position, and what its moves are worth.

use crate::VERSION;
use crate::cli::{Shared, Show};
use crate::commands::{emit_json, seconds_limit};
use crate::erased::{AnyGame, MoveValue};
use crate::failure::Failure;
use crate::output::{counted, emit, table};
use crate::tables;
use agon_core::scene::Why;
use agon_core::{Measured, Measures, Status, Stop};
use serde_json::json;
use std::collections::BTreeMap;

/// `agon show`.
pub fn command(args: &Show, shared: &Shared) -> Result<(), Failure> {
    let game = shared.game(&args.game)?;
    let line = shared.line(game.as_ref(), args.position.as_deref())?;
    let (pos, status) = (line.position(), game.status_text(line.position())?);
    let over = matches!(game.status(pos)?, Status::Over(_));
    let values = if args.values { Some(Values::of(game.as_ref(), pos, over, args, shared)?) } else { None };
    let mut scene = game.scene(pos)?;
    for (place, value) in values.iter().flat_map(Values::by_place) {
        scene.mark(place, Why::Hint, value.sign());
    }
    let measures = if args.measures { Some(measured(game.as_ref(), pos, over)?) } else { None };
    for row in measures.iter().flat_map(|measures| &measures.rows) {
        scene.mark(row.place, Why::Hint, &row.note);
    }
    scene.caption.push(status.clone());
    scene.caption.extend(values.iter().flat_map(Values::text));
    if shared.json {
        let known = values.as_ref().filter(|values| values.all_open.is_none()).map(|values| &values.known);
        emit_json(&json!({
            "agon": VERSION, "game": game.spelling(), "position": pos, "status": status, "over": over,
            "winner": game.winner(pos)?, "moves": game.moves(pos)?, "text": scene.text(),
            "svg": args.svg.then(|| scene.svg()), "values": known,
            "values_reason": values.as_ref().and_then(Values::reason), "measures": measures.as_ref().map(as_json),
        }))?;
    } else {
        emit(&if args.svg { scene.svg() } else { scene.text() })?;
        if let Some(measures) = measures.filter(|_| !args.svg) {
            let columns: Vec<&str> = measures.columns.iter().map(String::as_str).collect();
            let rows: Vec<Vec<String>> = measures.rows.iter().map(|row| row.values.clone()).collect();
            emit(&format!("\n{}\n{}\n", measures.about, table(&columns, &rows)))?;
        }
    }
    match values.and_then(|values| values.all_open) {
        Some(why) => Err(Failure::Failed(format!("no values: {why}"))),
        None => Ok(()),
    }
}

/// The numbers of a position.
fn measured(game: &dyn AnyGame, pos: &str, over: bool) -> Result<Measures, Failure> {
    game.measures(pos)?.ok_or_else(|| {
        let why = if over { "the play is over" } else { "they are defined for Order and Chaos and for m,n,k games" };
        Failure::Usage(format!("no measures of this position of {}: {why}", game.spelling()))
    })
}

fn as_json(measures: &Measures) -> serde_json::Value {
    let row = |row: &Measured| json!({"place": row.place, "note": row.note, "values": row.values});
    let rows: Vec<serde_json::Value> = measures.rows.iter().map(row).collect();
    json!({"about": measures.about, "columns": measures.columns, "rows": rows})
}

/// The values of the moves of a position, as far as they are known.
struct Values {
    /// The moves whose value is proven.
    known: Vec<MoveValue>,
    /// The number of legal moves.
    moves: u64,
    /// The reason why no move has a value, if the play is not over.
    all_open: Option<String>,
    /// The time that was given.
    seconds: f64,
    /// True if values come from tables in a directory, which may lack some.
    looked_up: bool,
}

impl Values {
    fn of(game: &dyn AnyGame, pos: &str, over: bool, args: &Show, shared: &Shared) -> Result<Values, Failure> {
        let opened = tables::opened(game.duplicate(), args.table.as_deref())?;
        let (moves, seconds) = (game.count_moves(pos)?, args.time);
        let ctx = shared.context_for("solving").within(seconds_limit(seconds)?);
        let (known, all_open) = match if over { Ok(Vec::new()) } else { opened.values(pos, &ctx) } {
            Ok(known) if known.is_empty() && !over && args.table.is_none() => (known, Some(not_in_time(seconds))),
            Ok(known) => (known, None),
            Err(Failure::Stopped(Stop::Time)) => (Vec::new(), Some(not_in_time(seconds))),
            Err(other @ (Failure::Damaged { .. } | Failure::Closed)) => return Err(other),
            Err(other) if other.stop() == Some(Stop::Interrupted) => return Err(other),
            Err(other) => (Vec::new(), Some(other.to_string())),
        };
        Ok(Values { known, moves, all_open, seconds, looked_up: args.table.is_some() })
    }

    /// The best value of the moves that end on a place.
    fn by_place(&self) -> BTreeMap<usize, &MoveValue> {
        let mut best: BTreeMap<usize, &MoveValue> = BTreeMap::new();
        for value in &self.known {
            let Some(&place) = value.path.last() else { continue };
            let known = best.entry(place).or_insert(value);
            if value.preference() > known.preference() {
                *known = value;
            }
        }
        best
    }

    /// The reason why some or all moves have no value.
    fn reason(&self) -> Option<String> {
        let open = self.moves.saturating_sub(self.known.len() as u64);
        let some = || match self.looked_up {
            true => format!("the tables hold no value of {}", counted(open, "move")),
            false => format!("nothing is proven of {} within {} s", counted(open, "move"), self.seconds),
        };
        self.all_open.clone().or_else(|| (open > 0).then(some))
    }

    /// The meaning of the marks, and the number of moves with a mark.
    fn text(&self) -> Vec<String> {
        if let Some(why) = &self.all_open {
            return vec![format!("no values: {why}")];
        }
        if self.moves == 0 {
            return vec!["no values: the play is over".to_string()];
        }
        let valued = match self.reason() {
            Some(why) if self.known.is_empty() => return vec![format!("no values: {why}")],
            Some(why) => format!("{} of {} valued; {why}", self.known.len(), counted(self.moves, "move")),
            None => format!("{} valued", counted(self.moves, "move")),
        };
        let shared = self.by_place().len() < self.known.len();
        let marks = if shared { "; a place has the mark of the best move that ends there" } else { "" };
        vec![format!("▲ wins, ■ draws, ▼ loses, in that many plies{marks}"), valued]
    }
}

fn not_in_time(seconds: f64) -> String {
    format!("nothing is proven within {seconds} s; allow more with --time")
}
