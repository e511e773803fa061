//! The claim about the nim-values of a game to a heap, without a period, and its JSON form.
//!
//! It is open whether the nim-values of 0.6 repeat. But facts about them to some heap can be
//! claimed: the sparse space and the rare heaps, and at every power of two the number of rare
//! heaps, the last of them, the greatest nim-value, and the most frequent one.

use serde::{Deserialize, Serialize};

use super::ArithmeticPeriod;
use super::document::{DocumentError, SCHEMA};
use super::normal_period::{CONVENTION, MAX_RARE, SOLVED};
use crate::lists::at_most;
use crate::ruleset::Code;

/// The first power of two with a mark.
pub const FIRST_MARK: u32 = 1 << 10;
/// The greatest heap to which nim-values are listed one by one.
pub const LISTED_HEAPS: u32 = 1_000_000;
/// The most nim-values of a list.
const MAX_LISTED: usize = LISTED_HEAPS as usize + 1;
/// The most marks: one for each power of two, and one for the last heap.
const MAX_MARKS: usize = 33;

/// The facts about the nim-values of the heaps from 1 to one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The last heap that the facts cover.
    pub heaps: u32,
    /// The number of rare heaps.
    pub rare: u32,
    /// The last rare heap, 0 if there is none.
    pub last_rare: u32,
    /// The greatest nim-value.
    pub max_nim_value: u32,
    /// The first heap with this nim-value.
    pub max_nim_value_heap: u32,
    /// The least of the nim-values that occur most often.
    pub most_frequent: u32,
    /// The number of heaps with this nim-value.
    pub frequency: u32,
}

/// The claim about the nim-values of a game to a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalValues {
    /// The game, whose moves leave at most two heaps.
    pub code: Code,
    /// The last heap.
    pub heaps: u32,
    /// The mask under which the ones of a number are counted.
    pub mask: u32,
    /// Whether the number of the heap is counted, too.
    pub parity: bool,
    /// The rare heaps from 1 to [`heaps`](Self::heaps), ascending, if they are listed.
    pub rare: Option<Vec<u32>>,
    /// The facts at powers of two, and at the last heap.
    pub marks: Vec<Mark>,
}

/// Returns the heaps with marks: the powers of two from 1024 on, and the last heap.
///
/// ```
/// use misere_game::solution::normal_values::marked;
/// assert_eq!(marked(3_000).collect::<Vec<_>>(), [1024, 2048, 3000]);
/// assert_eq!(marked(2_048).collect::<Vec<_>>(), [1024, 2048]);
/// ```
pub fn marked(heaps: u32) -> impl Iterator<Item = u32> {
    let powers = (FIRST_MARK.ilog2()..u32::BITS).map(|power| 1_u32 << power);
    powers
        .take_while(move |&power| power < heaps)
        .chain([heaps])
}

/// The fields of a document of normal play with claims about the nim-values to a heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct NormalValuesDocument {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    pub heaps: u32,
    pub mask: u32,
    pub parity: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rare_heaps: Option<RareHeaps>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nim_value: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    #[serde(default, deserialize_with = "at_most::<MAX_MARKS, _, _>")]
    pub marks: Vec<Mark>,
}

/// A list of rare heaps whose length is bounded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RareHeaps(#[serde(deserialize_with = "at_most::<MAX_RARE, _, _>")] pub Vec<u32>);

impl NormalValuesDocument {
    /// Returns the claim that the document states.
    ///
    /// # Errors
    /// [`DocumentError`] if the document has another version or convention.
    pub fn into_claim(self) -> Result<NormalValues, DocumentError> {
        if self.schema != SCHEMA {
            return Err(DocumentError::Schema(self.schema));
        }
        if self.convention != CONVENTION {
            return Err(DocumentError::Convention(self.convention));
        }
        Ok(NormalValues {
            code: self.code,
            heaps: self.heaps,
            mask: self.mask,
            parity: self.parity,
            rare: self.rare_heaps.map(|list| list.0),
            marks: self.marks,
        })
    }
}

/// The list of nim-values in a document of normal play, with what is claimed to follow from it.
///
/// It is the whole claim where a game has no sparse space, and a redundant part of it elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct ListedValuesDocument {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    pub heaps: u32,
    pub period: Option<u32>,
    pub preperiod: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arithmetic_period: Option<ArithmeticPeriod>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nim_value: Option<u32>,
    #[serde(deserialize_with = "at_most::<MAX_LISTED, _, _>")]
    pub nim_values: Vec<u32>,
}

impl ListedValuesDocument {
    /// Checks the version of the document.
    ///
    /// # Errors
    /// [`DocumentError`] if the document has another version or convention.
    pub fn check_version(&self) -> Result<(), DocumentError> {
        if self.schema != SCHEMA {
            return Err(DocumentError::Schema(self.schema));
        }
        match self.convention == CONVENTION {
            true => Ok(()),
            false => Err(DocumentError::Convention(self.convention.clone())),
        }
    }

    /// Checks that the status of the document is that of a proved period.
    ///
    /// # Errors
    /// [`DocumentError::Status`] if it is another one.
    pub fn check_solved(&self) -> Result<(), DocumentError> {
        match self.status == SOLVED {
            true => Ok(()),
            false => Err(DocumentError::Status(self.status.clone())),
        }
    }
}
