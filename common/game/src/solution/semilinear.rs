//! The P-positions of an infinite quotient, as linear conditions on the counts of its digits.
//!
//! A [`Region`] states, for some states of an automaton, which counts of the digits are P-positions
//! if reading begins there. `misere_check::infinite::whole` proves such claims.
//! `docs/semilinear.md` lists the conditions to prove and shows why they suffice.

use serde::{Deserialize, Serialize};

use super::diagram::DiagramFamily;
use super::document::SCHEMA;
use super::presented::{GeneratorHeap, PresentedError};
use crate::lists::at_most;
use crate::ruleset::Code;

/// The most regions, cells of a region, and conditions of a cell that are read.
const MAX_LINES: usize = 200_000;

/// The counts of the digits that are P-positions, for the states from which they are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// The states, ascending.
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub states: Vec<u32>,
    /// The cells: counts are a P-position if and only if all conditions of some cell hold.
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub cells: Vec<Cell>,
}

/// Conditions that hold together.
pub type Cell = Vec<Condition>;

/// A condition on the counts of the digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Condition {
    /// A linear form is not less than a bound.
    AtLeast {
        /// The coefficients of the counts, one for each digit in ascending order of the heaps.
        form: Vec<i64>,
        /// The bound.
        at_least: i64,
    },
    /// A count leaves a remainder.
    Remainder {
        /// The digit, by its place among the digits, counted from 0.
        digit: u32,
        /// The remainder, less than the modulus.
        remainder: u32,
        /// The modulus.
        modulus: u32,
    },
}

impl Condition {
    /// Reports whether the condition holds for some counts.
    ///
    /// The condition must be about the same number of digits.
    ///
    /// ```
    /// use misere_game::solution::semilinear::Condition;
    /// let condition = Condition::AtLeast { form: vec![1, -2], at_least: 3 };
    /// assert!(condition.holds(&[9, 3]) && !condition.holds(&[8, 3]));
    /// ```
    #[must_use]
    pub fn holds(&self, counts: &[i64]) -> bool {
        match self {
            Self::AtLeast { form, at_least } => {
                let terms = form.iter().zip(counts);
                terms.map(|(of_digit, count)| of_digit * count).sum::<i64>() >= *at_least
            }
            &Self::Remainder {
                digit,
                remainder,
                modulus,
            } => counts[digit as usize].rem_euclid(i64::from(modulus)) == i64::from(remainder),
        }
    }
}

/// The P-positions of an infinite quotient as a JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct SemilinearDocument {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    pub heaps: u32,
    pub silent_heaps: Vec<u32>,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub digits: Vec<GeneratorHeap>,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub regions: Vec<Region>,
    pub diagram: DiagramFamily,
}

impl SemilinearDocument {
    /// Checks that the document has this version of the form and misère play as its convention.
    ///
    /// # Errors
    /// [`PresentedError`] for the first of them that is different.
    pub fn check_version(&self) -> Result<(), PresentedError> {
        if self.schema != SCHEMA {
            return Err(PresentedError::Schema(self.schema));
        }
        match self.convention == "misere" {
            true => Ok(()),
            false => Err(PresentedError::Convention(self.convention.clone())),
        }
    }
}
