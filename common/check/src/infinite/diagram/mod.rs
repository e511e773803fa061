//! The checker of diagrams: whether a diagram proves that a quotient is infinite.
//!
//! The independent checker of a [`DiagramFamily`]. It proves the same theorems as the checker of
//! columns and shares its `alphabet` and `multiples`. Hypotheses and proofs are in
//! `docs/infinite.md`; their numbers are used here.
//!
//! - `reading`: the diagram is well formed
//! - `layer`: sets of displaced positions, without those that need not be followed
//! - `product`: a statement about displaced outcomes, for all counts at once
//! - `outcomes`: the outcomes follow from one another, and heaps may be played as their words

mod layer;
mod outcomes;
mod product;
pub(super) mod reading;

use super::FamilyCheckError;
use super::multiples::{self, Automaton};
use super::reading::have_outcomes;
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::diagram::DiagramFamily;
use reading::Reading;

/// Proves that the misère quotient of the heaps `0..=heaps` of a game is infinite.
///
/// Cost: configurations of the searches times moves. All of it is spent from `control`, and memory
/// is bounded.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    check_letters(code, heaps, family, control)?;
    check_words(code, heaps, family, control)?;
    check_multiples(code, heaps, family, control)
}

/// Proves the first part of [`check`]: outcomes of positions of letters are right if the words are.
///
/// Cost: sets of runners times counts; all of it is spent from `control`.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_letters(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_letters(&reading, control)
}

/// Proves the second part of [`check`]: the other heaps may be played as their words.
///
/// Cost: as for letters, for each heap that is not a letter.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_words(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    outcomes::check_words(&reading, |_| true, control)
}

/// Proves a part of [`check_words`]: one heap may be played as its word.
///
/// If the outcomes claimed without this heap are right, those with it are right too.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_word(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
    heap: u32,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    check_these_words(code, heaps, family, |other| other == heap, control)
}

/// Proves a part of [`check_words`]: these heaps may be played as their words.
///
/// If the outcomes claimed without these heaps are right, those with them are right too.
pub(in super::super) fn check_these_words(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
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
    family: &DiagramFamily,
    control: &mut Control,
) -> Result<bool, FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    have_outcomes(reading.states, reading.starts(), control)
}

/// Proves the third part of [`check`]: the claimed outcomes distinguish the multiples.
///
/// These are the multiples that are claimed to be distinct.
///
/// Cost: the sets of pairs of states that can be reached.
///
/// # Errors
/// The first [`FamilyCheckError`].
pub fn check_multiples(
    code: &Code,
    heaps: u32,
    family: &DiagramFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let reading = Reading::new(code, heaps, family, control)?;
    multiples_differ(&reading, control)
}

/// Performs [`check_multiples`] for a diagram that has been read.
pub(super) fn multiples_differ(
    reading: &Reading<'_>,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let automaton = Automaton {
        states: reading.states,
        digits: reading.digits.len(),
        starts: reading.starts(),
    };
    multiples::check(&reading.distinct, &automaton, control)
}
