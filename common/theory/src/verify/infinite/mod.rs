//! Is this quotient infinite?
//!
//! The independent checker of an [`InfiniteFamily`]. It recomputes the options of every heap spoken
//! of from the code and decides, by finite searches over the automaton, that
//!
//! 1. every outcome claimed of a position of letters is right if those claimed of its options are
//!    ([`outcomes`]);
//! 2. a heap that is no letter may be played as its word ([`outcomes`]);
//! 3. any two multiples of the heaps named differ in outcome in some company ([`multiples`]).
//!
//! Definitions and proofs stand in `docs/infinite.md`; their numbers are used here.

mod alphabet;
pub mod diagram;
mod multiples;
mod outcomes;
mod product;
mod reading;

use crate::control::{Control, Stop};
use crate::ruleset::Code;
use crate::solution::evidence::InfiniteFamily;
use reading::Reading;

/// The first thing found wrong with a proof that a quotient is infinite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyFlaw {
    /// Evidence is given for a claim it does not support.
    #[error("it is given for a partial quotient that is not said to diverge")]
    NotDivergent,
    /// Too much of something for any check.
    #[error("it has {found} {what}, more than the {most} that are read")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many.
        found: usize,
        /// The most allowed.
        most: usize,
    },
    /// A heap that may not stand where it does.
    #[error("heap {heap} is dead, too large, listed twice or out of order")]
    Heap {
        /// The heap.
        heap: u32,
    },
    /// The positions spoken of are not closed under moves.
    #[error("a move in heap {heap} leaves heap {part}, of which nothing is said")]
    NotClosed {
        /// The heap moved in.
        heap: u32,
        /// The heap left.
        part: u32,
    },
    /// A word with a letter that is not smaller than its heap.
    #[error(
        "the word of heap {heap} contains heap {letter}; the letters of a word have to be smaller than its heap"
    )]
    GreaterLetter {
        /// The heap.
        heap: u32,
        /// The letter of its word, which is not a smaller heap.
        letter: u32,
    },
    /// A word, a cycle, a column or a state that cannot be read.
    #[error("{what} number {number} (counted from 0) cannot be read")]
    Malformed {
        /// What it is.
        what: &'static str,
        /// Which one.
        number: usize,
    },
    /// The outcome of a state changes with a leading zero of the counts.
    #[error("the outcome of state {state} is another after one more zero")]
    LeadingZero {
        /// The state.
        state: u32,
    },
    /// The end is not said to be an N-position.
    #[error("the empty position is not said to be an N-position")]
    End,
    /// An outcome claimed of a position of letters does not follow from those of its options.
    #[error("in the column {column:?} an outcome does not follow from those of the options")]
    Outcome {
        /// The counts of the letters that are not digits.
        column: Vec<u32>,
    },
    /// An outcome that a diagram claims of a position does not follow from those of its options.
    #[error(
        "the outcome claimed of {} does not follow from those of the options",
        listed(position)
    )]
    Position {
        /// The heaps of the position, all letters, with their counts.
        position: Vec<(u32, u64)>,
    },
    /// A heap may not be played as its word.
    #[error("heap {heap} may not be played as its word")]
    Word {
        /// The heap.
        heap: u32,
    },
    /// Multiples of a heap are not told apart.
    #[error("the outcomes claimed do not tell all multiples of heap {heap} apart")]
    Multiples {
        /// The heap.
        heap: u32,
    },
    /// The check was stopped; nothing is said about the claim.
    #[error("not checked: {0}")]
    Unchecked(#[from] Stop),
}

/// Proves that the misère quotient of the heaps `0..=heaps` of a game is infinite, or names the
/// first thing wrong.
///
/// Cost: states of the searches times moves; all of it is spent from `control`, and memory is
/// bounded by what is spent.
///
/// # Errors
/// The first [`FamilyFlaw`].
pub fn check(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyFlaw> {
    check_outcomes(code, heaps, family, control)?;
    check_multiples(code, heaps, family, control)
}

/// The first part of [`check`]: that the outcomes claimed are right.
///
/// # Errors
/// The first [`FamilyFlaw`].
pub fn check_outcomes(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyFlaw> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_letters(&reading, control)?;
    outcomes::check_words(&reading, |_| true, control)
}

/// A part of [`check_outcomes`]: that one heap may be played as its word. If the outcomes claimed
/// without this heap are right, those with it are right too.
///
/// # Errors
/// The first [`FamilyFlaw`].
pub fn check_word(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    heap: u32,
    control: &mut Control,
) -> Result<(), FamilyFlaw> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_words(&reading, |other| other == heap, control)
}

/// The second part of [`check`]: that outcomes as claimed tell the multiples apart that are said to
/// be distinct.
///
/// # Errors
/// The first [`FamilyFlaw`].
pub fn check_multiples(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyFlaw> {
    let reading = Reading::new(code, heaps, family, control)?;
    let automaton = multiples::Automaton {
        states: reading.states,
        digits: reading.digits.len(),
        starts: reading.columns().iter().map(|&(_, state)| state).collect(),
    };
    multiples::check(&reading.distinct, &automaton, control)
}

/// A position as a sum of heaps.
fn listed(position: &[(u32, u64)]) -> String {
    let heaps = position
        .iter()
        .map(|&(heap, count)| format!("{count}·{heap}"));
    heaps.collect::<Vec<_>>().join(" + ")
}

fn malformed(what: &'static str, number: usize) -> FamilyFlaw {
    FamilyFlaw::Malformed { what, number }
}

fn too_large(what: &'static str, found: usize, most: usize) -> FamilyFlaw {
    FamilyFlaw::TooLarge { what, found, most }
}
