//! When a player stops thinking. Time is not among the limits: somebody else raises a flag.

/// At most so much work for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Nodes, or playouts.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}
