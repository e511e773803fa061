//! The faults of a claim that nim-values grow from period to period.

use misere_game::control::Stop;

/// The first thing wrong with the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticPeriodCheckError {
    /// The game is not of the kind that the theorem covers.
    #[error("the theorem is about codes without marks whose moves leave at most three heaps")]
    NotCovered,
    /// The claim is not in form.
    #[error("the claim is not in form: {0}")]
    Form(&'static str),
    /// The values do not grow as claimed.
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
    /// Too few heaps.
    #[error("nim-values to heap {found} prove no period; heap {needed} is needed")]
    TooFewHeaps {
        /// The heaps claimed.
        found: u32,
        /// The fewest that suffice.
        needed: u64,
    },
    /// An option could have the nim-value that is claimed of its heap, or of a greater one.
    #[error(
        "the option of heap {heap} that takes {taken} and leaves {left:?}, or one with larger \
         heaps, may have the nim-value of its heap"
    )]
    Option {
        /// The heap.
        heap: u32,
        /// The beans taken.
        taken: u32,
        /// The heaps left.
        left: Vec<u32>,
    },
    /// A nim-value is less than twice the amount by which the values grow in a step.
    #[error("heap {heap} has the nim-value {value}, which is less than {least}")]
    TooSmall {
        /// The heap.
        heap: u32,
        /// Its nim-value.
        value: u32,
        /// The least value that suffices.
        least: u64,
    },
    /// A number below the nim-value of a heap is that of no option of the kind needed.
    #[error("of heap {heap} no {kind} option has the nim-value {number}")]
    NotMet {
        /// The heap.
        heap: u32,
        /// The number.
        number: u32,
        /// The kind of option.
        kind: &'static str,
    },
    /// A smaller period suffices.
    #[error("the period {0} will do")]
    SmallerPeriod(u32),
    /// A smaller preperiod suffices.
    #[error("the nim-values grow in this way from heap {0} on")]
    SmallerPreperiod(u32),
    /// The check was stopped.
    #[error("not checked to the end: {0}")]
    Unchecked(#[from] Stop),
}
