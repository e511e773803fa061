//! Classes of the memory that a task may need.
//!
//! Tasks begin in the least class. A task that runs out of memory is tried again in the next one,
//! on a worker that offers it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A class of memory; greater ones offer more.
///
/// The operator may set the class that a worker offers. Otherwise it follows from the bytes that
/// each of its tasks may take ([`MemoryClass::of_bytes`]).
///
/// ```
/// use misere_census::MemoryClass;
/// assert_eq!(MemoryClass::FIRST.next(), Some(MemoryClass::new(1)));
/// assert_eq!(MemoryClass::TOP.next(), None);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct MemoryClass(u8);

impl MemoryClass {
    /// The class in which every task begins.
    pub const FIRST: Self = Self(0);
    /// The greatest class.
    pub const TOP: Self = Self(2);
    /// The list of the classes, ascending.
    pub const ALL: [Self; 3] = [Self(0), Self(1), Self(2)];

    /// Returns the class of this number, or the greatest.
    ///
    /// ```
    /// use misere_census::MemoryClass;
    /// assert_eq!(MemoryClass::new(9), MemoryClass::TOP);
    /// ```
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(number.min(Self::TOP.0))
    }

    /// Returns the class of a worker whose tasks may take `bytes` each.
    ///
    /// It is 1 from 4 GiB on, and 2 from 16 GiB on.
    ///
    /// ```
    /// use misere_census::MemoryClass;
    /// assert_eq!(MemoryClass::of_bytes(1 << 30), MemoryClass::FIRST);
    /// assert_eq!(MemoryClass::of_bytes(4 << 30), MemoryClass::new(1));
    /// assert_eq!(MemoryClass::of_bytes(64 << 30), MemoryClass::TOP);
    /// ```
    #[must_use]
    pub fn of_bytes(bytes: u64) -> Self {
        const FROM_GIB: [u64; 2] = [4, 16];
        let reached = FROM_GIB.iter().filter(|&&gib| bytes >> 30 >= gib).count();
        Self::new(u8::try_from(reached).unwrap_or(u8::MAX))
    }

    /// Returns the number of the class.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the next greater class.
    ///
    /// ```
    /// use misere_census::MemoryClass;
    /// assert_eq!(MemoryClass::new(1).next(), Some(MemoryClass::TOP));
    /// assert_eq!(MemoryClass::TOP.next(), None);
    /// ```
    #[must_use]
    pub fn next(self) -> Option<Self> {
        (self < Self::TOP).then_some(Self(self.0 + 1))
    }
}

impl fmt::Display for MemoryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
