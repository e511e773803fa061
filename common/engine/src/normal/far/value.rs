//! Nim-values in one byte or in two.

use std::ops::{BitOr, BitXor};

/// The stored form of a nim-value.
pub(super) trait Value:
    Copy + Default + Eq + Send + Sync + BitXor<Output = Self> + BitOr<Output = Self>
{
    /// The number all of whose bits are ones.
    const ONES: Self;
    /// The number of bits.
    const BITS: u32;
    /// Returns the number.
    fn number(self) -> usize;
    /// Returns a number that fits; of greater numbers it returns the low bits.
    fn of(number: usize) -> Self;
    /// Returns four values in one word, the first in its lowest bits.
    ///
    /// Sums of words are words of sums.
    fn packed(values: [Self; 4]) -> u64;

    /// Reports whether the number is one of these.
    ///
    /// All are compared, so that the compiler can compare many at a time.
    #[inline]
    fn is_among<const M: usize>(self, numbers: &[Self; M]) -> bool {
        let same = |&number: &Self| {
            if number == self {
                Self::ONES
            } else {
                Self::default()
            }
        };
        let any = numbers.iter().map(same);
        any.fold(Self::default(), BitOr::bitor) != Self::default()
    }
}

impl Value for u8 {
    const ONES: Self = Self::MAX;
    const BITS: u32 = Self::BITS;

    #[inline]
    fn packed(values: [Self; 4]) -> u64 {
        u32::from_le_bytes(values).into()
    }

    #[inline]
    fn number(self) -> usize {
        usize::from(self)
    }
    fn of(number: usize) -> Self {
        number as Self
    }
}

impl Value for u16 {
    const ONES: Self = Self::MAX;
    const BITS: u32 = Self::BITS;

    #[inline]
    fn packed(values: [Self; 4]) -> u64 {
        let [a, b, c, d] = values.map(u64::from);
        a | b << 16 | c << 32 | d << 48
    }

    #[inline]
    fn number(self) -> usize {
        usize::from(self)
    }
    fn of(number: usize) -> Self {
        number as Self
    }
}

/// The nim-values of the heaps from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All are less than 256.
    Narrow(Vec<u8>),
    /// All are less than 65,536.
    Wide(Vec<u16>),
}

impl Values {
    /// Returns the number of heaps, heap 0 among them.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    /// Reports whether there is no heap, not even heap 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nim-value of a heap, if it is known.
    #[must_use]
    pub fn get(&self, heap: usize) -> Option<u32> {
        match self {
            Self::Narrow(values) => values.get(heap).map(|&value| value.into()),
            Self::Wide(values) => values.get(heap).map(|&value| value.into()),
        }
    }

    /// Returns the nim-values, four bytes for each.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u32> {
        match self {
            Self::Narrow(values) => values.iter().map(|&value| value.into()).collect(),
            Self::Wide(values) => values.iter().map(|&value| value.into()).collect(),
        }
    }

    /// Returns the greatest nim-value and the first heap that has it.
    #[must_use]
    pub fn greatest(&self) -> (u32, u32) {
        fn of<V: Value>(values: &[V]) -> (u32, u32) {
            let most = values.iter().map(|value| value.number()).max().unwrap_or(0);
            let first = values.iter().position(|value| value.number() == most);
            (most as u32, first.unwrap_or(0) as u32)
        }
        match self {
            Self::Narrow(values) => of(values),
            Self::Wide(values) => of(values),
        }
    }

    /// Uses two bytes for each value from now on.
    pub(super) fn widen(&mut self) {
        if let Self::Narrow(values) = self {
            *self = Self::Wide(values.iter().map(|&value| value.into()).collect());
        }
    }
}
