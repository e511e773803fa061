//! The checker of evidence that a quotient is infinite.
//!
//! The independent checker of an [`InfiniteFamily`]. It recomputes from the code the options of
//! every heap that the evidence covers and decides, by finite searches over the automaton, that
//!
//! 1. every outcome claimed of a position of letters is right if those claimed of its options are
//!    (`outcomes`);
//! 2. a heap that is not a letter may be played as its word (`outcomes`);
//! 3. any two multiples of the heaps named differ in outcome in some context (`multiples`).
//!
//! Definitions and proofs are in `docs/infinite.md`; their numbers are used here.

mod alphabet;
pub mod diagram;
mod multiples;
mod outcomes;
mod product;
mod reading;
pub mod whole;

use alphabet::MAX_COUNT;
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::evidence::InfiniteFamily;
use reading::{Reading, have_outcomes};

/// The first thing found wrong with a proof that a quotient is infinite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyCheckError {
    /// Evidence given for a claim that it does not support.
    #[error("it is given for a partial quotient that is not said to diverge")]
    NotDivergent,
    /// An amount that is too great for any check.
    #[error("it has {found} {what}, more than the {most} that are read")]
    TooLarge {
        /// The name of the things counted.
        what: &'static str,
        /// The number of things found.
        found: usize,
        /// The greatest number that is read.
        most: usize,
    },
    /// A heap that may not be where it is.
    #[error("heap {heap} is dead, too large, listed twice or out of order")]
    Heap {
        /// The number of beans of the heap.
        heap: u32,
    },
    /// A move that leaves a heap the evidence does not cover.
    #[error("a move in heap {heap} leaves heap {part}, which the evidence does not cover")]
    NotClosed {
        /// The heap in which the move is made.
        heap: u32,
        /// The heap that the move leaves.
        part: u32,
    },
    /// A word with a letter that is not smaller than its heap.
    #[error(
        "the word of heap {heap} contains heap {letter}; the letters of a word have to be smaller than its heap"
    )]
    GreaterLetter {
        /// The number of beans of the heap.
        heap: u32,
        /// The letter of its word, which is not a smaller heap.
        letter: u32,
    },
    /// A word that names a heap which is not a letter.
    #[error("the word of heap {heap} contains heap {part}, which is not a letter")]
    NotALetter {
        /// The heap whose word it is.
        heap: u32,
        /// The heap in the word.
        part: u32,
    },
    /// A word with a letter that it lists twice, or too often.
    #[error(
        "the word of heap {heap} lists heap {letter} twice, or contains more than {} of it",
        MAX_COUNT
    )]
    LetterCount {
        /// The heap whose word it is.
        heap: u32,
        /// The letter.
        letter: u32,
    },
    /// A cycle, a column, a state or a node that cannot be read.
    #[error("{what} number {number} (counted from 0) cannot be read")]
    Malformed {
        /// The kind of the part: a letter, a column, a state or a node.
        what: &'static str,
        /// The place of the part in its list, counted from 0.
        number: usize,
    },
    /// A state whose outcome changes with a leading zero of the counts.
    #[error("the outcome of state {state} is another after one more zero")]
    LeadingZero {
        /// The number of the state.
        state: u32,
    },
    /// An end that is not claimed to be an N-position.
    #[error("the empty position is not said to be an N-position")]
    End,
    /// An outcome claimed of a position of letters that does not follow from those of its options.
    #[error("in the column {column:?} an outcome does not follow from those of the options")]
    Outcome {
        /// The counts of the letters that are not digits.
        column: Vec<u32>,
    },
    /// An outcome that a diagram claims and that does not follow from those of the options.
    #[error(
        "the outcome claimed of {} does not follow from those of the options",
        listed(position)
    )]
    Position {
        /// The heaps of the position, all letters, with their counts.
        position: Vec<(u32, u64)>,
    },
    /// A heap that may not be played as its word.
    #[error("heap {heap} may not be played as its word")]
    Word {
        /// The number of beans of the heap.
        heap: u32,
    },
    /// A heap that may not be played as its word in some context.
    #[error("heap {heap} may not be played as its word beside {}", listed(context))]
    Context {
        /// The number of beans of the heap.
        heap: u32,
        /// The heaps of the context, all letters, with their counts.
        context: Vec<(u32, u64)>,
    },
    /// A live heap without a word, where all heaps must have one.
    #[error("heap {heap} has neither a word nor is it a letter")]
    NoWord {
        /// The number of beans of the heap.
        heap: u32,
    },
    /// Positions without a claimed outcome, where all outcomes must be claimed.
    #[error("of some positions no outcome is claimed")]
    Silent,
    /// Evidence that names no heap with distinct multiples.
    #[error("it names no heap whose multiples are distinct")]
    NoMultiples,
    /// A heap that is named for its distinct multiples and whose counts the automaton does not read.
    #[error("heap {heap} is named for distinct multiples, but is not a digit")]
    NotADigit {
        /// The number of beans of the heap.
        heap: u32,
    },
    /// A heap whose multiples are not distinguished.
    #[error("the outcomes claimed do not tell all multiples of heap {heap} apart")]
    Multiples {
        /// The number of beans of the heap.
        heap: u32,
    },
    /// A check that was stopped; the claim is undecided.
    #[error("not checked: {0}")]
    Unchecked(#[from] Stop),
}

impl FamilyCheckError {
    /// Reports whether the evidence is too large to be checked, which leaves the claim undecided.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        matches!(self, Self::TooLarge { .. })
    }
}

/// Proves that the misère quotient of the heaps `0..=heaps` of a game is infinite.
///
/// Cost: states of the searches times moves. All of it is spent from `control`, which also bounds
/// the memory.
///
/// ```
/// use misere_check::infinite::check;
/// use misere_game::control::Control;
/// use misere_game::solution::{Document, Evidence};
/// // The quotient of the heaps 0 to 5 of 0.31011 is infinite (Weimerskirch).
/// let file = std::fs::read_to_string("../game/tests/data/0.31011.json")?;
/// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
/// let (code, control) = (&solution.code, &mut Control::unlimited());
/// let evidence = solution.evidence.as_ref().and_then(Evidence::columns);
/// let mut family = evidence.ok_or("evidence in columns")?.clone();
/// assert_eq!(check(code, 5, &family, control), Ok(()));
/// family.columns.clear();
/// assert!(check(code, 5, &family, control).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    check_outcomes(code, heaps, family, control)?;
    check_multiples(code, heaps, family, control)
}

/// Proves the first part of [`check`]: the outcomes claimed are right.
///
/// Cost: the configurations of each column; all of it is spent from `control`.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_outcomes(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_letters(&reading, control)?;
    outcomes::check_words(&reading, |_| true, control)
}

/// Proves a part of [`check_outcomes`]: one heap may be played as its word.
///
/// If the outcomes claimed without this heap are right, those with it are right too.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_word(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    heap: u32,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    check_these_words(code, heaps, family, |other| other == heap, control)
}

/// Proves a part of [`check_outcomes`]: these heaps may be played as their words.
///
/// If the outcomes claimed without these heaps are right, those with them are right too.
pub(super) fn check_these_words(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    asked: impl Fn(u32) -> bool,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_words(&reading, asked, control)
}

/// Reports whether an outcome is claimed of every position of the letters.
///
/// Cost: the states and the transitions of the automaton.
///
/// # Errors
/// The first [`FamilyCheckError`], if the evidence cannot be read.
pub fn is_total(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<bool, FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    let starts = reading.columns().iter().map(|&(_, state)| state).collect();
    Ok(reading.lists_all_columns() && have_outcomes(reading.states, starts, control)?)
}

/// Proves the second part of [`check`]: the claimed outcomes distinguish the multiples.
///
/// These are the multiples that are claimed to be distinct.
///
/// Cost: the sets of pairs of states that can be reached; all of it is spent from `control`.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_multiples(
    code: &Code,
    heaps: u32,
    family: &InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    let automaton = multiples::Automaton {
        states: reading.states,
        digits: reading.digits.len(),
        starts: reading.columns().iter().map(|&(_, state)| state).collect(),
    };
    multiples::check(&reading.distinct, &automaton, control)
}

/// Returns a position as a sum of heaps.
fn listed(position: &[(u32, u64)]) -> String {
    let heaps = position
        .iter()
        .map(|&(heap, count)| format!("{count}·{heap}"));
    heaps.collect::<Vec<_>>().join(" + ")
}

fn malformed(what: &'static str, number: usize) -> FamilyCheckError {
    FamilyCheckError::Malformed { what, number }
}

fn too_large(what: &'static str, found: usize, most: usize) -> FamilyCheckError {
    FamilyCheckError::TooLarge { what, found, most }
}
