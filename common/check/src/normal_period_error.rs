//! The faults of a claim about normal play.

use misere_game::control::Stop;
use misere_game::solution::normal_period::{MAX_HEAPS, MAX_RARE};

/// The first thing wrong with a claim about normal play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NormalPeriodCheckError {
    /// The game is not of the kind that the theorem covers.
    #[error("the theorem is about codes with an end whose moves leave at most two heaps")]
    NotOctal,
    /// The claim is not in form.
    #[error("the claim is not in form: {0}")]
    Form(&'static str),
    /// The list of rare heaps is wrong.
    #[error("heap {heap} has the nim-value {value}: {}", if *.rare {
        "it is rare, and is not listed"
    } else {
        "it is listed as rare, and is common"
    })]
    Rare {
        /// The first heap that is listed wrongly.
        heap: u32,
        /// Its nim-value.
        value: u32,
        /// Whether it is rare.
        rare: bool,
    },
    /// A number in a mark is wrong.
    #[error("to heap {heaps} the {field} is {right}, not {found}")]
    Mark {
        /// The heap.
        heaps: u32,
        /// The field.
        field: &'static str,
        /// The number claimed.
        found: u32,
        /// The right number.
        right: u32,
    },
    /// A nim-value does not fit into two bytes.
    #[error("the nim-value of heap {0} does not fit into two bytes")]
    TooGreat(u32),
    /// The values do not repeat as claimed.
    #[error("heaps {heap} and {heap} + {period} have the nim-values {one} and {other}")]
    NotPeriodic {
        /// The smaller heap.
        heap: u32,
        /// The period claimed.
        period: u32,
        /// The nim-value of the smaller heap.
        one: u32,
        /// The nim-value of the heap one period greater.
        other: u32,
    },
    /// Too few heaps for either theorem.
    #[error("nim-values to heap {found} prove no period; heap {needed} is needed")]
    TooFewHeaps {
        /// The heaps claimed.
        found: u32,
        /// The fewest that can suffice.
        needed: u64,
    },
    /// A rare number below the value of a heap may cease to be the value of an option.
    #[error("of heap {heap} no option with a repeating heap has the nim-value {number}")]
    RareNumber {
        /// One of the last heaps.
        heap: u32,
        /// The number.
        number: u32,
    },
    /// A smaller period suffices.
    #[error("the period {0} will do")]
    SmallerPeriod(u32),
    /// A smaller preperiod suffices.
    #[error("the nim-values repeat from heap {0} on")]
    SmallerPreperiod(u32),
    /// The claim reaches farther than claims are checked.
    #[error("it claims nim-values to heap {0}; such claims are checked to heap {MAX_HEAPS}")]
    TooManyHeaps(u32),
    /// More heaps are rare than the check keeps.
    #[error("more than {MAX_RARE} of its heaps to {0} are rare, and such a claim is not checked")]
    TooManyRare(u32),
    /// There is no memory for the nim-values.
    #[error("its check needs {0} bytes of memory at once, which the system does not give")]
    NoMemory(usize),
    /// The check was stopped.
    #[error("not checked to the end: {0}")]
    Unchecked(#[from] Stop),
}

impl NormalPeriodCheckError {
    /// Reports whether the claim is too large for this check. Says nothing about its truth.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        matches!(
            self,
            Self::TooManyHeaps(_) | Self::TooManyRare(_) | Self::NoMemory(_)
        )
    }
}
