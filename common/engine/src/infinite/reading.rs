//! The reading of the counts of levels: as digits, or through cycles.

/// The reading of the count of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The count is a digit of the automaton, which reads it in binary.
    Digits,
    /// A count `x ≥ index + period` is read as `x - period`.
    Cycle { index: i32, period: i32 },
}

impl Reading {
    /// Returns the place of a count in the box; 0 for a digit.
    pub(super) fn read(self, x: i32) -> i32 {
        match self {
            Self::Digits => 0,
            Self::Cycle { index, period } if x < index + period => x,
            Self::Cycle { index, period } => index + (x - index) % period,
        }
    }
}
