//! Values of a game in which play can cycle, by fixpoint iteration: every reachable position is in a hash table, and
//! its value is recomputed until nothing changes. It is slow, and exists to check the other solvers.

use agon_core::{Ctx, Game, Stop, Value, Wdl, collect_moves};
use std::collections::BTreeMap;

/// The value of every position that can be reached from `root`.
pub fn solve<G: Game>(game: &G, root: &G::Position, ctx: &Ctx) -> Result<BTreeMap<G::Position, Value>, Stop> {
    let mut meter = ctx.meter();
    let mut next: BTreeMap<G::Position, Vec<G::Position>> = BTreeMap::new();
    let mut todo = vec![root.clone()];
    while let Some(pos) = todo.pop() {
        meter.tick()?;
        if next.contains_key(&pos) {
            continue;
        }
        let after: Vec<G::Position> = collect_moves(game, &pos).into_iter().map(|mv| game.after(&pos, mv)).collect();
        todo.extend(after.iter().filter(|pos| !next.contains_key(pos)).cloned());
        next.insert(pos, after);
    }
    let begin = |pos: &G::Position| {
        game.outcome(pos).map_or(Value::DRAW, |outcome| Value::finished(outcome.seen_by(game.turn(pos))))
    };
    let mut values: BTreeMap<G::Position, Value> = next.keys().map(|pos| (pos.clone(), begin(pos))).collect();
    // After round n, exactly the positions of distance at most n are decided, with their true distances.
    loop {
        let mut changed = Vec::new();
        for (pos, after) in next.iter().filter(|(_, after)| !after.is_empty()) {
            meter.tick()?;
            let worth = |next: &G::Position| values[next].to_parent_with(game.turn(next) == game.turn(pos));
            let best = after.iter().map(worth).max().unwrap_or(Value::DRAW);
            if best != values[pos] && values[pos].wdl() == Wdl::Draw {
                changed.push((pos.clone(), best));
            }
        }
        if changed.is_empty() {
            return Ok(values);
        }
        values.extend(changed);
    }
}
