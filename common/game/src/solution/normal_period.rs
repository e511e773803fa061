//! The claim that the nim-values of a game repeat for ever, and its JSON form.
//!
//! In 0.16 the nim-values repeat with period 149459 from heap 105351 on. The claim lists the 53
//! heaps whose nim-values have an even number of ones under the mask 11110; the last one is heap
//! 13935. With them the checker quickly finds the nim-values of the heaps to 268746, and these
//! prove the period (`docs/normal-play.md`).

use serde::{Deserialize, Serialize};

use super::document::{DocumentError, SCHEMA};
use crate::lists::at_most;
use crate::ruleset::Code;

/// The most rare heaps that a claim lists.
pub const MAX_RARE: usize = 1 << 22;
/// The greatest heap to which a claim is checked; each heap takes two bytes.
pub const MAX_HEAPS: u32 = 1 << 30;
/// The word for normal play in documents.
pub const CONVENTION: &str = "normal";
/// The word for a proved period in documents.
pub(super) const SOLVED: &str = "solved";

/// The claim that `G(h_{n + period}) = G(h_n)` for all `n ≥ preperiod`, with the data of its proof.
///
/// Period and preperiod are the least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalPeriod {
    /// The game, whose moves leave at most two heaps.
    pub code: Code,
    /// The least period.
    pub period: u32,
    /// The least heap from which on the period holds, heaps counted from 0.
    pub preperiod: u32,
    /// The heap to which nim-values must be computed for the proof.
    pub heaps: u32,
    /// The mask under which the ones of a number are counted.
    pub mask: u32,
    /// Whether the number of the heap is counted, too.
    pub parity: bool,
    /// The rare heaps from 1 to [`heaps`](Self::heaps), ascending.
    pub rare: Vec<u32>,
}

/// A [`NormalPeriod`] as a JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct NormalDocument {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    pub heaps: u32,
    pub period: u32,
    pub preperiod: u32,
    pub mask: u32,
    pub parity: bool,
    #[serde(deserialize_with = "at_most::<MAX_RARE, _, _>")]
    pub rare_heaps: Vec<u32>,
}

impl NormalDocument {
    /// Creates the document of a claim.
    #[must_use]
    pub fn new(claim: &NormalPeriod) -> Self {
        Self {
            schema: SCHEMA,
            code: claim.code.clone(),
            convention: CONVENTION.to_owned(),
            status: SOLVED.to_owned(),
            heaps: claim.heaps,
            period: claim.period,
            preperiod: claim.preperiod,
            mask: claim.mask,
            parity: claim.parity,
            rare_heaps: claim.rare.clone(),
        }
    }

    /// Returns the claim that the document states.
    ///
    /// # Errors
    /// [`DocumentError`] if the document has another version, or claims something else.
    pub fn into_claim(self) -> Result<NormalPeriod, DocumentError> {
        if self.schema != SCHEMA {
            return Err(DocumentError::Schema(self.schema));
        }
        if self.convention != CONVENTION {
            return Err(DocumentError::Convention(self.convention));
        }
        if self.status != SOLVED {
            return Err(DocumentError::Status(self.status));
        }
        Ok(NormalPeriod {
            code: self.code,
            period: self.period,
            preperiod: self.preperiod,
            heaps: self.heaps,
            mask: self.mask,
            parity: self.parity,
            rare: self.rare_heaps,
        })
    }
}
