//! The failures of a task so far, and the memory it may have next.
//!
//! | what happened | what follows |
//! |---|---|
//! | out of memory below the top class | once more in the next class |
//! | any other failure | once more in the same class |
//! | a later checkpoint is handed in | those failures in which a worker fell silent are forgotten |
//! | `max_failures` failures, or [`MAX_TOP_FAILURES`] out of memory in the top class | quarantine |
//!
//! Every failure counts towards `max_failures`, whatever its class, so that no task goes round for
//! ever. Which failures are the worker's and not the task's is told in `conduct.rs` of the ledger.

use std::collections::BTreeSet;

use crate::{Failure, MemoryClass, WorkerIdentity};
use serde::{Deserialize, Serialize};

/// A task that ran out of memory so often in the top class is put into quarantine.
pub const MAX_TOP_FAILURES: u32 = 2;

/// The failed attempts at a task so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    /// Failures.
    pub failures: u32,
    /// Failures for want of memory in the top class.
    pub top_failures: u32,
    /// The class it is to be computed in next.
    pub class: MemoryClass,
    /// Those of the failures in which whoever computed it fell silent, since it was last seen to
    /// advance. Kept apart on disk: most tasks have none.
    #[serde(skip)]
    pub silences: u32,
}

impl Attempts {
    /// After one more failure.
    ///
    /// ```
    /// use misere_census::{Attempts, Failure, MemoryClass};
    /// let failed = Attempts::default().after(&Failure::OutOfMemory { limit: None });
    /// assert_eq!((failed.failures, failed.class), (1, MemoryClass::new(1)));
    /// let silent = Attempts::default().after(&Failure::Silence);
    /// assert_eq!((silent.failures, silent.silences), (1, 1));
    /// ```
    #[must_use]
    pub fn after(self, failure: &Failure) -> Self {
        let failures = self.failures.saturating_add(1);
        if *failure == Failure::Silence {
            let silences = self.silences.saturating_add(1);
            return Self {
                failures,
                silences,
                ..self
            };
        }
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

    /// After it was seen to advance: that workers fell silent over it was no fault of it.
    ///
    /// ```
    /// use misere_census::{Attempts, Failure};
    /// let silent = Attempts::default().after(&Failure::Silence);
    /// assert_eq!(silent.advanced(), Attempts::default());
    /// ```
    #[must_use]
    pub fn advanced(self) -> Self {
        Self {
            failures: self.failures.saturating_sub(self.silences),
            silences: 0,
            ..self
        }
    }

    /// The attempts that remain when the claims of some workers are void: the failures of the
    /// others, each of which failed at least once.
    ///
    /// ```
    /// use misere_census::{Attempts, WorkerIdentity};
    /// let failed = Attempts { failures: 3, ..Attempts::default() };
    /// // The claims of all but one of the workers that failed are void.
    /// let left = failed.of([WorkerIdentity::named("a")].into_iter());
    /// assert_eq!(left.failures, 1);
    /// ```
    #[must_use]
    pub fn of(self, failed_by: impl Iterator<Item = WorkerIdentity>) -> Self {
        let others: BTreeSet<WorkerIdentity> = failed_by.collect();
        let most = u32::try_from(others.len()).unwrap_or(u32::MAX);
        if most == 0 {
            return Self::default();
        }
        Self {
            failures: self.failures.min(most),
            silences: self.silences.min(most),
            top_failures: self.top_failures.min(most),
            ..self
        }
    }

    /// Whether the task is to be tried no more.
    ///
    /// ```
    /// use misere_census::Attempts;
    /// let attempts = Attempts { failures: 3, ..Attempts::default() };
    /// assert!(attempts.are_enough(3) && !attempts.are_enough(4));
    /// ```
    #[must_use]
    pub fn are_enough(self, max_failures: u32) -> bool {
        self.failures >= max_failures || self.top_failures >= MAX_TOP_FAILURES
    }
}
