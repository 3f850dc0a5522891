//! Counts of positions by value.

use agon_core::Wdl;

/// Counts of positions by value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

impl Totals {
    /// Adds `n` to one count. It saturates, because the header of a damaged file may contain any count.
    pub(crate) fn add(&mut self, wdl: Wdl, n: u64) {
        let count = match wdl {
            Wdl::Win => &mut self.win,
            Wdl::Draw => &mut self.draw,
            Wdl::Loss => &mut self.loss,
        };
        *count = count.saturating_add(n);
    }

    /// The sum of the three.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.win.saturating_add(self.draw).saturating_add(self.loss)
    }
}
