//! How often has a task failed, and what memory may it have next?
//!
//! | what happened | what follows |
//! |---|---|
//! | out of memory below the top class | once more in the next class |
//! | any other failure | once more in the same class |
//! | `max_failures` failures, or [`MAX_TOP_FAILURES`] out of memory in the top class | quarantine |
//!
//! Every failure counts towards `max_failures`, whatever its class, so that no task goes round for ever.

use misere_census::{Failure, MemoryClass};
use serde::{Deserialize, Serialize};

/// A task that ran out of memory so often in the top class is put into quarantine.
pub const MAX_TOP_FAILURES: u32 = 2;

/// What became of a task so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    /// Failures.
    pub failures: u32,
    /// Failures for want of memory in the top class.
    pub top_failures: u32,
    /// The class it is to be computed in next.
    pub class: MemoryClass,
}

impl Attempts {
    /// After one more failure.
    #[must_use]
    pub fn after(self, failure: &Failure) -> Self {
        let failures = self.failures.saturating_add(1);
        if !failure.is_out_of_memory() {
            return Self { failures, ..self };
        }
        match self.class.next() {
            Some(class) => Self {
                failures,
                class,
                ..self
            },
            None => Self {
                failures,
                top_failures: self.top_failures.saturating_add(1),
                ..self
            },
        }
    }

    /// Whether the task is to be tried no more.
    #[must_use]
    pub fn are_enough(self, max_failures: u32) -> bool {
        self.failures >= max_failures || self.top_failures >= MAX_TOP_FAILURES
    }
}
