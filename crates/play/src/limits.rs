//! Limits of a search. Time is not among them: the caller sets a cancellation flag.

/// The limits of the work for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The most nodes, or playouts.
    pub nodes: Option<u64>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
}
