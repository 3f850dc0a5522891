//! Numbers that the literature defines for the places of a position: a table, and notes on the board.

/// Such numbers. Every row has a value for each column.
///
/// ```
/// use agon_core::measures::{Measured, Measures};
///
/// let row = |place: usize, value: &str| Measured::new(place, value, ["a1".to_string(), value.to_string()]);
/// let measures = Measures::new("Rows through each cell.", ["cell", "rows"], [row(0, "3")]);
/// assert_eq!(measures.rows[0].values.len(), measures.columns.len());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measures {
    /// What the numbers are, in one or two sentences.
    pub about: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Measured>,
}

/// The numbers of one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The index of the place in the picture.
    pub place: usize,
    /// The note on the board; may be empty.
    pub note: String,
    /// A value for each column.
    pub values: Vec<String>,
}

impl Measures {
    /// A table.
    pub fn new(
        about: impl Into<String>,
        columns: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Measured>,
    ) -> Measures {
        let columns = columns.into_iter().map(Into::into).collect();
        Measures { about: about.into(), columns, rows: rows.into_iter().collect() }
    }
}

impl Measured {
    /// A row.
    pub fn new(place: usize, note: impl Into<String>, values: impl IntoIterator<Item = String>) -> Measured {
        Measured { place, note: note.into(), values: values.into_iter().collect() }
    }
}
