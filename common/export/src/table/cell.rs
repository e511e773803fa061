//! The content of one cell of a row, and its text.

use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;

/// The content of one cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A number.
    Integer(i64),
    /// Text.
    Text(String),
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<bool> for Cell {
    fn from(holds: bool) -> Self {
        Self::Integer(holds.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        // Orders and positions fit in 32 bits.
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        // More fuel would take three hundred thousand years.
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Code> for Cell {
    fn from(code: &Code) -> Self {
        Self::Text(code.to_string())
    }
}

impl From<ClassKey> for Cell {
    fn from(class: ClassKey) -> Self {
        Self::Text(class.to_string())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}
