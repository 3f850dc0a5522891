//! One component, solved by several processes: each sweeps its slice of a level, and all begin the next one together.
//!
//! 1. A round: each process sweeps for a while, sends what concerns others, and applies what arrives.
//! 2. All agree whether the level is done, whether a checkpoint is due, whether somebody was told to stop.
//!
//! Between two rounds no update is under way. The states of all processes, with the blocks that each still has to sweep
//! at the level, are then a checkpoint from which any number of processes can continue.

use super::NoTable;
use super::component::{Checkpoints, Component, Finished, Stage};
use super::peers::Peers;
use agon_core::indexed::BulkIndexed;
use agon_core::{Ctx, Stop};
use std::time::{Duration, Instant};

/// The time that a process sweeps until it listens to the others. Told to stop, all stop after about this time.
const ROUND: Duration = if cfg!(test) { Duration::from_millis(1) } else { Duration::from_millis(500) };

/// What the processes tell one another after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Word {
    /// The highest level of any code.
    deepest: u32,
    /// Some blocks of the level are still to be swept.
    open: bool,
    /// A checkpoint is due.
    due: bool,
    /// The work is told to stop.
    stop: bool,
    /// A forced win is longer than a state can hold.
    too_deep: bool,
}

impl Word {
    fn packed(self) -> u64 {
        let flags = [self.open, self.due, self.stop, self.too_deep];
        flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u64::from(flag)) << 32 | u64::from(self.deepest)
    }

    fn unpacked(word: u64) -> Word {
        let flag = |at: u32| word >> (32 + at) & 1 == 1;
        Word { deepest: word as u32, open: flag(0), due: flag(1), stop: flag(2), too_deep: flag(3) }
    }

    fn of_all(words: &[u64]) -> Word {
        words.iter().map(|&word| Word::unpacked(word)).fold(Word::default(), |all, one| Word {
            deepest: all.deepest.max(one.deepest),
            open: all.open || one.open,
            due: all.due || one.due,
            stop: all.stop || one.stop,
            too_deep: all.too_deep || one.too_deep,
        })
    }
}

impl<G: BulkIndexed> Component<'_, G> {
    /// Solves the component with other processes, starting or continuing at `stage`; every process calls this with its
    /// slice.
    pub(super) fn solve_together(
        &mut self,
        done: &Finished<'_, G::Shard>,
        peers: &mut dyn Peers,
        checkpoints: &mut impl Checkpoints<G>,
        ctx: &Ctx,
    ) -> Result<(), NoTable> {
        loop {
            // 1. A round.
            let (begun, plies) = (Instant::now(), self.stage.plies);
            while begun.elapsed() < ROUND
                && ctx.check().is_ok()
                && let Some(blocks) = self.stage.take(self.blocks_per_message())
            {
                match plies {
                    None => self.run_blocks(blocks, ctx, true, &|component, blocks| component.init(blocks, done))?,
                    Some(plies) => {
                        self.run_blocks(blocks, ctx, true, &|component, blocks| {
                            component.propagate_level(blocks, plies);
                        })?;
                        for (to, batch) in self.outgoing(plies) {
                            peers.send(to, batch)?;
                        }
                    }
                }
                self.apply_arrived(peers)?;
            }
            if plies.is_none() {
                let left: usize = self.stage.open.iter().map(|blocks| blocks.len()).sum();
                self.report((self.marks.len() - left) * peers.processes(), checkpoints);
            }
            peers.end_round(0)?;
            self.apply_arrived(peers)?;
            // 2. An agreement.
            let word = Word {
                deepest: self.deepest(),
                open: !self.stage.open.is_empty(),
                due: checkpoints.due(),
                stop: ctx.check().is_err(),
                too_deep: self.is_too_deep(),
            };
            let all = Word::of_all(&peers.end_round(word.packed())?);
            self.raise_deepest(all.deepest);
            if all.too_deep {
                return Err(self.too_long());
            }
            if all.stop {
                checkpoints.save_last(self)?;
                return Err(ctx.check().err().unwrap_or(Stop::Interrupted).into());
            }
            if !all.open {
                // Without internal moves, the expansion has decided every position.
                let next = plies.map_or(0, |plies| plies + 1);
                if !self.is_cyclic() || plies.is_some() && next > all.deepest {
                    self.stage = Stage { plies: Some(next), open: Vec::new() };
                    return Ok(());
                }
                self.stage = Stage { plies: Some(next), open: self.all_blocks() };
            }
            if all.due {
                checkpoints.save(self)?;
                // Older checkpoints are needed until every process has written this one.
                peers.end_round(0)?;
                checkpoints.saved_by_all(self);
            }
        }
    }

    /// Applies the updates that have arrived.
    fn apply_arrived(&self, peers: &mut dyn Peers) -> Result<(), NoTable> {
        while let Some(batch) = peers.receive()? {
            let applied = self.stage.plies.is_some_and(|plies| self.apply(&batch, plies));
            if !applied {
                return Err(NoTable::Processes("a process sent a batch that does not fit".to_string()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
