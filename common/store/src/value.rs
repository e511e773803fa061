//! What do the values say?

use misere_census::{
    Attempts, Claim, Epoch, Failure, Finish, Misconduct, Record, Task, TaskId, WorkerId,
    WorkerIdentity,
};
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::classify::batch::FoundQuotient;
use misere_theory::ruleset::Code;
use serde::{Deserialize, Serialize};

/// A task and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTask {
    /// The task.
    pub task: Task,
    /// Its position in the plan.
    pub position: u64,
    /// Its state.
    pub state: TaskState,
}

/// The durable states of a task. Leases are not among them: they end with the coordinator that
/// issued them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// Not finished.
    Pending {
        /// Failures so far.
        failures: u32,
    },
    /// Settled: solved, tame relative to a heap, diverging or growing; the record is there.
    Done,
    /// At a limit of the plan; the record is there.
    Exhausted,
    /// Failed too often.
    Quarantined,
    /// Failed too often, and given up by an operator: no record will come.
    Dropped,
    /// Not finished, and more is known of it than how often it failed.
    Retried {
        /// What became of it so far.
        attempts: Attempts,
        /// What was said of it so far: what waits for another worker to confirm it waits on after a
        /// restart.
        claims: Vec<Claim>,
    },
    /// Retired: no task is replaced by others any more. The variant keeps the numbers of those
    /// behind it on disk.
    Split {
        /// The tasks that replaced it.
        children: Vec<TaskId>,
    },
    /// Not finished, and workers fell silent over it since it was last seen to advance.
    Silenced {
        /// What became of it so far.
        attempts: Attempts,
        /// How many of its failures were silence.
        silences: u32,
        /// What was said of it so far.
        claims: Vec<Claim>,
    },
    /// Failed too often, by the word of these workers.
    QuarantinedFor {
        /// Those who say so.
        by: Vec<WorkerIdentity>,
    },
}

impl TaskState {
    /// The state of a task that is not finished.
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

    /// What is known of a task that is not finished; `None` for others.
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

    /// Whether the task failed too often, and was not given up.
    #[must_use]
    pub fn is_quarantined(&self) -> bool {
        matches!(self, Self::Quarantined | Self::QuarantinedFor { .. })
    }

    /// Whether the task is not finished.
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

/// How many tasks are in each durable state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// All tasks of the plan.
    pub tasks: u64,
    /// All codes of the plan.
    pub codes: u64,
    /// Settled: solved, tame relative to a heap, diverging or growing.
    pub done: u64,
    /// At a limit.
    pub exhausted: u64,
    /// Failed too often.
    pub quarantined: u64,
    /// Failed too often, and given up by an operator.
    pub dropped: u64,
}

impl Counters {
    /// Tasks not finished.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.tasks
            .saturating_sub(self.done + self.exhausted + self.quarantined + self.dropped)
    }

    /// Tasks with a record.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.done + self.exhausted
    }

    /// So many more.
    #[must_use]
    pub(super) fn with(self, more: &Self) -> Self {
        Self {
            tasks: self.tasks + more.tasks,
            codes: self.codes + more.codes,
            done: self.done + more.done,
            exhausted: self.exhausted + more.exhausted,
            quarantined: self.quarantined + more.quarantined,
            dropped: self.dropped + more.dropped,
        }
    }

    /// So many fewer.
    #[must_use]
    pub(super) fn without(self, fewer: &Self) -> Self {
        Self {
            tasks: self.tasks.saturating_sub(fewer.tasks),
            codes: self.codes.saturating_sub(fewer.codes),
            done: self.done.saturating_sub(fewer.done),
            exhausted: self.exhausted.saturating_sub(fewer.exhausted),
            quarantined: self.quarantined.saturating_sub(fewer.quarantined),
            dropped: self.dropped.saturating_sub(fewer.dropped),
        }
    }

    /// Whether every task there is has its record.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.records() == self.tasks
    }
}

/// What stands under a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ruleset {
    /// The record of a game.
    Record(Box<Record>),
    /// The code that stands for the same game.
    AliasOf(Code),
}

/// A class of isomorphic quotients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// Order of the quotients.
    pub order: u32,
    /// Size of their P-portions.
    pub p_size: u32,
    /// The least code with a partial quotient of this class, if some game of the census has one.
    pub witness: Option<Code>,
    /// The first heap at which the witness has it.
    pub heap: u32,
    /// The canonical form, once some code of the census has ended with this class, or some
    /// construction has it.
    pub quotient: Option<Box<BipartiteMonoid>>,
    /// The least code, in the sense of [`misere_theory::classify::batch`], of a construction of
    /// this class, if one was found.
    pub construction: Option<Vec<u8>>,
}

/// At which heaps a code has a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// First and last heap of each range.
    pub ranges: Vec<(u32, u32)>,
    /// Whether the last range is known to go on for ever.
    pub forever: bool,
}

/// Why a task is in quarantine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// What people call it: the code of a game.
    pub name: String,
    /// Its failures.
    pub failures: u32,
    /// The last one.
    pub failure: Failure,
    /// When, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The failures before the last one, oldest first, as far as they were noted.
    pub earlier: Vec<Attempt>,
    /// Whether an operator has given the task up.
    pub dropped: bool,
}

/// One level of the quotients: all of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The order.
    pub order: u8,
    /// The tasks that it was cut into.
    pub tasks: u64,
    /// Those of them that are settled.
    pub settled: u64,
    /// Whether all are, and what was reached from them stands in the levels above.
    pub closed: bool,
    /// Candidates, no two of them the same.
    pub candidates: u64,
    /// Those that carry a valid minimex algebra and were extended, as far as settled.
    pub carriers: u64,
    /// Those that are misère quotients, as far as settled; isomorphisms fix `a`.
    pub constructions: u64,
    /// Classes of those, isomorphisms being free to move `a`; known when the level is closed.
    pub classes: u64,
    /// Entries of the extension search tried, as far as settled.
    pub nodes: u64,
    /// Fuel spent, as far as settled.
    pub fuel: u64,
}

impl Level {
    /// Adds the counts of other tasks of this level.
    pub(super) fn add(&mut self, other: &Self) {
        self.tasks += other.tasks;
        self.settled += other.settled;
        self.candidates += other.candidates;
        self.carriers += other.carriers;
        self.constructions += other.constructions;
        self.nodes += other.nodes;
        self.fuel += other.fuel;
    }
}

/// A misère quotient with games that have it, under its order and code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredConstruction {
    /// Its class, isomorphisms being free to move `a`.
    pub class: ClassKey,
    /// The task that found it.
    pub task: TaskId,
    /// Sequence, games and ranks.
    pub found: FoundQuotient,
}

/// What is known of the checkpoint of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointHead {
    /// What determines what whoever goes on from it would find ([`misere_census::engine_fingerprint()`]).
    pub engine: String,
    /// Who had a part in it.
    pub makers: Vec<WorkerIdentity>,
    /// The greatest heap known.
    pub heap: u32,
    /// The fuel spent until then.
    pub fuel: u64,
    /// The length of the checkpoint itself.
    pub bytes: u64,
}

/// A failed attempt at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Why it failed.
    pub failure: Failure,
    /// When, in milliseconds of Unix time.
    pub at_ms: u64,
}

/// Something that happened and that an operator may want to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When, in milliseconds of Unix time.
    pub at_ms: u64,
    /// What.
    pub what: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// The census was opened for the so-manieth time.
    Opened {
        /// The generation.
        generation: u32,
    },
    /// A worker introduced itself.
    WorkerJoined {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
    },
    /// A worker went away or fell silent.
    WorkerLeft {
        /// The worker.
        worker: WorkerId,
    },
    /// A worker handed in a certificate that the checker refused.
    CertificateRefused {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The lease.
        epoch: Epoch,
        /// What is wrong with it.
        reason: String,
    },
    /// An attempt failed.
    AttemptFailed {
        /// The task.
        task: TaskId,
        /// Failures so far.
        failures: u32,
        /// The failure.
        failure: Failure,
    },
    /// A task failed too often.
    Quarantined {
        /// The task.
        task: TaskId,
    },
    /// An operator had a task taken out of quarantine, to be tried again.
    Released {
        /// The task.
        task: TaskId,
    },
    /// An operator gave a task in quarantine up.
    Dropped {
        /// The task.
        task: TaskId,
    },
    /// The store was brought to this program's format.
    Migrated {
        /// The format it had.
        from: u32,
    },
    /// A worker was caught and is believed no more.
    WorkerDistrusted {
        /// Who.
        identity: WorkerIdentity,
        /// For what.
        why: Misconduct,
    },
    /// Retired: a task was replaced by its children. The variant keeps the numbers of those behind
    /// it on disk.
    Split {
        /// The task.
        task: TaskId,
        /// How many there are.
        children: u64,
    },
    /// A worker gets nothing for a while.
    WorkerHeldBack {
        /// Who.
        identity: WorkerIdentity,
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
    /// An operator had a worker sent away.
    WorkerEvicted {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
    },
    /// An operator refuses a worker.
    WorkerBanned {
        /// Who.
        identity: WorkerIdentity,
        /// Its name.
        name: String,
    },
    /// An operator had a worker believed again.
    WorkerPardoned {
        /// Who.
        identity: WorkerIdentity,
        /// Its name.
        name: String,
    },
}
