//! Depth-first search with a table of decided positions: slower and simpler than `prover`, and an independent check of
//! it over the same candidates. It uses no threats and no pairings beyond them.

use super::moves::{Candidate, candidates};
use super::position::{Board, Key, Live, Position, Step};
use agon_core::{Ctx, Lines, Meter, Stop};
use rustc_hash::FxHashMap;

/// A depth-first solver.
pub struct DepthFirst<'a> {
    board: Board,
    decided: FxHashMap<Key, bool>,
    meter: Meter<'a>,
}

impl<'a> DepthFirst<'a> {
    /// A solver with an empty table.
    #[must_use]
    pub fn new(rules: &Lines, ctx: &'a Ctx) -> DepthFirst<'a> {
        DepthFirst { board: Board::new(rules), decided: FxHashMap::default(), meter: ctx.meter() }
    }

    /// The number of positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Decides whether the maker completes a line from `pos`.
    pub fn maker_wins(&mut self, pos: &Position) -> Result<bool, Stop> {
        let mut live = Vec::new();
        let step = self.board.reduce(pos, &mut live);
        self.decide(step, &live)
    }

    fn decide(&mut self, step: Step, live: &[Live]) -> Result<bool, Stop> {
        let Step::On(pos) = step else { return Ok(step == Step::Made) };
        if pos.maker && live.iter().any(|line| self.board.lacks(line) == 1) {
            return Ok(true);
        }
        let key = self.board.key(&pos);
        if let Some(&known) = self.decided.get(&key) {
            return Ok(known);
        }
        self.meter.tick()?;
        let mut next = Vec::new();
        let mut wins = !pos.maker;
        for candidate in candidates(&self.board, &pos, live) {
            let step = match candidate {
                Candidate::Put(c, m) => self.board.play(&pos, usize::from(c), usize::from(m), &mut next),
                Candidate::Wait => {
                    next = live.to_vec();
                    self.board.wait(&pos)
                }
            };
            if self.decide(step, &next)? == pos.maker {
                wins = pos.maker;
                break;
            }
        }
        self.decided.insert(key, wins);
        Ok(wins)
    }
}
