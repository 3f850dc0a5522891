//! Evidence of a win in a race: for every position that the checker meets, one line with the reason.

use super::evidence::{Evidence, show};
use super::position::{Key, Live, Position, Step};
use super::prover::{Prover, Rules};
use super::race::{Forced, Race, disturbing, forced};
use agon_core::lines::CellSet;
use agon_core::{Ctx, Stop};
use rustc_hash::FxHashSet;

/// The evidence that the maker wins from `root`, which must be proven.
pub fn extract(prover: &mut Prover<Race>, root: &Position, ctx: &Ctx) -> Result<Evidence, Stop> {
    let mut walk = Walk { seen: FxHashSet::default(), todo: Vec::new() };
    let mut live = Vec::new();
    let mut evidence = Evidence::new();
    let step = prover.rules().reduce(root, &mut live);
    walk.visit(prover, step, &live);
    while let Some(key) = walk.todo.pop() {
        ctx.check()?;
        let pos = key.position();
        prover.board().live(&pos, &mut live);
        let reason = if pos.maker {
            walk.winner_to_move(prover, &pos, &live, ctx)?
        } else {
            walk.loser_to_move(prover, &pos, &live)
        };
        evidence.push((show(prover.board(), &pos), reason));
        ctx.progress("writing the proof", evidence.len() as u64, None);
    }
    evidence.sort_unstable();
    Ok(evidence)
}

struct Walk {
    seen: FxHashSet<Key>,
    todo: Vec<Key>,
}

impl Walk {
    /// Queues a position for which the checker needs a reason: any in which the maker cannot complete a line.
    fn visit(&mut self, prover: &Prover<Race>, step: Step, live: &[Live]) {
        let Step::On(pos) = step else { return };
        let completes = pos.maker && live.iter().any(|line| line.mark == 0 && line.need.count_ones() == 1);
        let key = prover.board().key(&pos);
        if !completes && self.seen.insert(key) {
            self.todo.push(key);
        }
    }

    /// The reason at a position with the winner to move: winning threats, or a move.
    fn winner_to_move(
        &mut self,
        prover: &mut Prover<Race>,
        pos: &Position,
        live: &[Live],
        ctx: &Ctx,
    ) -> Result<String, Stop> {
        if let Some(win) = forced(live, 0) {
            return Ok(threats(&win));
        }
        let found = prover.winning_move(pos, ctx)?;
        let cell = found.and_then(|(cell, _)| cell).expect("a won position has a winning move");
        self.reply(prover, pos, cell, 0);
        Ok(format!("play {cell}"))
    }

    /// The reason at a position with the loser to move; queues every reply, or those that disturb the threats.
    fn loser_to_move(&mut self, prover: &Prover<Race>, pos: &Position, live: &[Live]) -> String {
        let (reason, zone) = match forced(live, 0) {
            Some(win) => (threats(&win), disturbing(live, 1, &win)),
            None => ("all".to_string(), CellSet::MAX),
        };
        let cells = zone & live.iter().fold(0, |set, line| set | line.need);
        (0..64).filter(|cell| cells >> cell & 1 == 1).for_each(|cell| self.reply(prover, pos, cell, 1));
        reason
    }

    fn reply(&mut self, prover: &Prover<Race>, pos: &Position, cell: usize, mark: usize) {
        let mut next = Vec::new();
        let mut after = Position { maker: !pos.maker, ..*pos };
        after.marks[mark] |= 1 << cell;
        let step = prover.rules().reduce(&after, &mut next);
        self.visit(prover, step, &next);
    }
}

fn threats(win: &Forced) -> String {
    win.moves.iter().fold(String::from("threats"), |text, cell| format!("{text} {cell}"))
}
