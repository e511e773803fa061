//! What a computation may cost.

use misere_engine::quotient::Limits;
use serde::Deserialize;

use crate::BrowserError;

/// The greatest heap that may be asked for.
const MAX_HEAP: u32 = 20_000_000;

/// The limits of a computation, as a JSON object. A field that is left out has the value that the
/// command has without the option of this name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// The fuel; one unit is about one microsecond of one core of a native program.
    pub fuel: Option<u64>,
    /// The greatest heap.
    pub max_heap: Option<u32>,
    /// The greatest order of a partial quotient.
    pub max_order: Option<u32>,
    /// The fuel for proofs of infinity.
    pub evidence: Option<u64>,
}

impl Budget {
    /// Reads the JSON of a budget; an empty text is the budget of the command.
    ///
    /// ```
    /// use misere_browser::Budget;
    /// assert_eq!(Budget::parse("")?, Budget::default());
    /// assert_eq!(Budget::parse("{\"fuel\": 7}")?.fuel, Some(7));
    /// assert!(Budget::parse("{\"fuel\": -1}").is_err());
    /// # Ok::<(), misere_browser::BrowserError>(())
    /// ```
    ///
    /// # Errors
    /// [`BrowserError::Budget`] if the JSON is not a budget, [`BrowserError::TooLarge`] if the heap is
    /// too large for a browser.
    pub fn parse(text: &str) -> Result<Self, BrowserError> {
        let budget = match text {
            "" => Self::default(),
            _ => serde_json::from_str(text).map_err(BrowserError::Budget)?,
        };
        if budget.max_heap.is_some_and(|heap| heap > MAX_HEAP) {
            return Err(BrowserError::TooLarge {
                what: "the greatest heap",
                limit: MAX_HEAP as usize,
            });
        }
        Ok(budget)
    }

    /// Returns the limits of the solver.
    pub(crate) fn limits(self) -> Limits {
        let usual = Limits::default();
        Limits {
            max_heap: self.max_heap.unwrap_or(usual.max_heap),
            max_order: self.max_order.unwrap_or(usual.max_order).max(1),
            max_evidence: self.evidence.unwrap_or(usual.max_evidence),
            ..usual
        }
    }
}
