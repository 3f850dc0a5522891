//! When rows of k count.

/// The definition of a row of k.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// k or more equal marks, as soon as they stand.
    AtLeast,
    /// A run of exactly k, as soon as it is complete, whichever side completed it.
    Exact,
    /// A run of exactly k on the full board; what stood before does not matter.
    ExactFinal,
}

impl Row {
    /// All three, in the order of the thesis.
    pub const ALL: [Row; 3] = [Row::AtLeast, Row::Exact, Row::ExactFinal];

    /// The word in a game's spelling.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Row::AtLeast => "atleast",
            Row::Exact => "exact",
            Row::ExactFinal => "exact-final",
        }
    }

    /// Reads what [`Row::name`] writes.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Row> {
        Row::ALL.into_iter().find(|row| row.name() == name)
    }
}
