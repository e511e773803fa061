//! The value of a task: its position in the plan, and its state. Frozen, as all values are.

use misere_census::{Attempts, Claim, Finish, Task, TaskId, WorkerIdentity};
use serde::{Deserialize, Serialize};

/// A task with its position and state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTask {
    /// The task.
    pub task: Task,
    /// The position of the task in the plan.
    pub position: u64,
    /// The durable state of the task.
    pub state: TaskState,
}

/// The durable states of a task.
///
/// Leases are not among them: they end with the coordinator that issued them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// The task is not finished.
    Pending {
        /// The number of failures so far.
        failures: u32,
    },
    /// The task is settled and has its record.
    ///
    /// It is solved, tame relative to a heap, diverging or growing.
    Done,
    /// The task ended at a limit of the plan and has its record.
    Exhausted,
    /// The task failed too often.
    Quarantined,
    /// The task failed too often, and an operator dropped it: no record will come.
    Dropped,
    /// The task is not finished, and more is known about it than the number of its failures.
    Retried {
        /// The attempts so far.
        attempts: Attempts,
        /// The claims of workers so far.
        ///
        /// A claim that waits for another worker to confirm it continues to wait after a restart.
        claims: Vec<Claim>,
    },
    /// Retired: tasks are no longer replaced by others.
    ///
    /// The variant keeps the numbers of the variants after it on disk.
    Split {
        /// The tasks that replaced it.
        children: Vec<TaskId>,
    },
    /// The task is not finished, and workers fell silent over it since it was last seen to advance.
    Silenced {
        /// The attempts so far.
        attempts: Attempts,
        /// The number of failures that were silence.
        silences: u32,
        /// The claims of workers so far.
        claims: Vec<Claim>,
    },
    /// The task failed too often, according to these workers.
    QuarantinedFor {
        /// The workers that reported a failure.
        by: Vec<WorkerIdentity>,
    },
}

impl TaskState {
    /// Returns the state of a task that is not finished.
    ///
    /// Cost: one comparison.
    ///
    /// ```
    /// use misere_census::Attempts;
    /// use misere_store::TaskState;
    ///
    /// let fresh = TaskState::pending(Attempts::default(), vec![]);
    /// assert_eq!(fresh, TaskState::Pending { failures: 0 });
    /// ```
    #[must_use]
    pub fn pending(attempts: Attempts, claims: Vec<Claim>) -> Self {
        let failures = attempts.failures;
        let plain = Attempts {
            failures,
            ..Attempts::default()
        };
        let silences = attempts.silences;
        if attempts == plain && claims.is_empty() {
            Self::Pending { failures }
        } else if silences == 0 {
            Self::Retried { attempts, claims }
        } else {
            Self::Silenced {
                attempts,
                silences,
                claims,
            }
        }
    }

    /// Returns the attempts and claims of a task that is not finished; `None` for other states.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_store::TaskState;
    ///
    /// let (attempts, claims) = TaskState::Pending { failures: 2 }.attempts().unwrap();
    /// assert_eq!((attempts.failures, claims.len()), (2, 0));
    /// assert!(TaskState::Done.attempts().is_none());
    /// ```
    #[must_use]
    pub fn attempts(&self) -> Option<(Attempts, &[Claim])> {
        match self {
            Self::Pending { failures } => {
                let failures = *failures;
                let attempts = Attempts {
                    failures,
                    ..Attempts::default()
                };
                Some((attempts, &[]))
            }
            Self::Retried { attempts, claims } => Some((*attempts, claims)),
            Self::Silenced {
                attempts,
                silences,
                claims,
            } => {
                let silences = *silences;
                let attempts = Attempts {
                    silences,
                    ..*attempts
                };
                Some((attempts, claims))
            }
            _ => None,
        }
    }

    /// Reports whether the task failed too often and was not dropped.
    ///
    /// ```
    /// use misere_store::TaskState;
    ///
    /// assert!(TaskState::Quarantined.is_quarantined());
    /// assert!(!TaskState::Dropped.is_quarantined());
    /// ```
    #[must_use]
    pub fn is_quarantined(&self) -> bool {
        matches!(self, Self::Quarantined | Self::QuarantinedFor { .. })
    }

    /// Reports whether the task is not finished.
    ///
    /// ```
    /// use misere_store::TaskState;
    ///
    /// assert!(TaskState::Pending { failures: 1 }.is_pending());
    /// assert!(!TaskState::Done.is_pending());
    /// ```
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.attempts().is_some()
    }
}

impl From<Finish> for TaskState {
    fn from(finish: Finish) -> Self {
        match finish {
            Finish::Done => Self::Done,
            Finish::Exhausted => Self::Exhausted,
        }
    }
}
