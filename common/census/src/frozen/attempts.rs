//! The failures of a task so far, and the memory it may have next.
//!
//! | event | consequence |
//! |---|---|
//! | out of memory below the top class | another attempt in the next class |
//! | any other failure | another attempt in the same class |
//! | a later checkpoint is submitted | the failures by silence are forgotten |
//! | `max_failures` failures, or [`MAX_TOP_FAILURES`] out of memory in the top class | quarantine |
//!
//! Every failure counts towards `max_failures`, in any class, so that no task is tried for ever.
//! `conduct.rs` of the ledger decides which failures are the worker's and not the task's.

use std::collections::BTreeSet;

use crate::{Failure, MemoryClass, WorkerIdentity};
use serde::{Deserialize, Serialize};

/// The failures for lack of memory in the top class after which a task is put into quarantine.
pub const MAX_TOP_FAILURES: u32 = 2;

/// The failed attempts at a task so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    /// The number of failures.
    pub failures: u32,
    /// The number of failures for lack of memory in the top class.
    pub top_failures: u32,
    /// The class in which the task is computed next.
    pub class: MemoryClass,
    /// The failures by silence of a worker, since the task was last seen to advance.
    ///
    /// They are stored apart on disk: most tasks have none.
    #[serde(skip)]
    pub silences: u32,
}

impl Attempts {
    /// Returns the attempts after one more failure.
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

    /// Returns the attempts after the task was seen to advance, without the silences of workers.
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

    /// Returns the attempts that remain when the claims of some workers are void.
    ///
    /// These are the failures of the other workers; each of them failed at least once.
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

    /// Reports whether the task has failed often enough to be tried no more.
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
