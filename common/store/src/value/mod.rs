//! The values of entries. Frozen: postcard encodes them by position, so new variants go to the end.

mod task;

pub use task::{StoredTask, TaskState};

use misere_algebra::classify::batch::FoundQuotient;
use misere_census::{
    AllHeapsFacts, AutomatonFacts, Epoch, Failure, LawFacts, Misconduct, Record, TaskId, WorkerId,
    WorkerIdentity,
};
use misere_game::bipartite::families::name_of_class;
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::ruleset::Code;
use misere_game::solution::Reason;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of tasks in each durable state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// The number of all tasks of the plan.
    pub tasks: u64,
    /// The number of all codes of the plan.
    pub codes: u64,
    /// The number of settled tasks: solved, tame relative to a heap, diverging or growing.
    pub done: u64,
    /// The number of tasks that ended at a limit of the plan.
    pub exhausted: u64,
    /// The number of tasks that failed too often.
    pub quarantined: u64,
    /// The number of tasks that failed too often and that an operator dropped.
    pub dropped: u64,
}

impl Counters {
    /// Returns the number of tasks that are not finished.
    ///
    /// ```
    /// use misere_store::Counters;
    ///
    /// let counters = Counters {
    ///     tasks: 5,
    ///     done: 2,
    ///     exhausted: 1,
    ///     ..Counters::default()
    /// };
    /// assert_eq!(counters.pending(), 2);
    /// ```
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.tasks
            .saturating_sub(self.done + self.exhausted + self.quarantined + self.dropped)
    }

    /// Returns the number of tasks with a record.
    ///
    /// ```
    /// use misere_store::Counters;
    ///
    /// let counters = Counters {
    ///     tasks: 5,
    ///     done: 2,
    ///     exhausted: 1,
    ///     ..Counters::default()
    /// };
    /// assert_eq!(counters.records(), 3);
    /// ```
    #[must_use]
    pub fn records(&self) -> u64 {
        self.done + self.exhausted
    }

    /// Returns the sum of these counters and others.
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

    /// Returns the difference of these counters and others.
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

    /// Reports whether every task has its record.
    ///
    /// ```
    /// use misere_store::Counters;
    ///
    /// let counters = Counters {
    ///     tasks: 5,
    ///     done: 2,
    ///     exhausted: 1,
    ///     ..Counters::default()
    /// };
    /// assert!(!counters.is_complete());
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.records() == self.tasks
    }
}

/// The value under a code: a record, or the code that has the record.
///
/// On disk a record with a law or an automaton, one with a reason why infinity is not proved, one
/// of a game that is solved past an infinite quotient, and one of a game whose quotient is proved
/// infinite to a heap after the divergence are variants of their own, after the first two; so the
/// bytes of the first two never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruleset {
    /// The record of a game.
    Record(Box<Record>),
    /// The code under which the record of this game is stored.
    AliasOf(Code),
}

/// A [`Ruleset`] as it is written.
#[derive(Serialize)]
enum RulesetWritten<'a> {
    Record(&'a Record),
    AliasOf(&'a Code),
    RecordWithLaw(&'a Record, LawFacts),
    Unproved(&'a Record, Reason),
    PastInfinite(&'a Record, AllHeapsFacts, Vec<Option<AllHeapsFacts>>),
    RecordWithAutomaton(&'a Record, AutomatonFacts, Vec<Option<AutomatonFacts>>),
    InfiniteLater(&'a Record, u32, Repetitions),
}

/// A [`Ruleset`] as it is read.
#[derive(Deserialize)]
enum RulesetRead {
    Record(Box<Record>),
    AliasOf(Code),
    RecordWithLaw(Box<Record>, LawFacts),
    Unproved(Box<Record>, Reason),
    PastInfinite(Box<Record>, AllHeapsFacts, Vec<Option<AllHeapsFacts>>),
    RecordWithAutomaton(Box<Record>, AutomatonFacts, Vec<Option<AutomatonFacts>>),
    InfiniteLater(Box<Record>, u32, Repetitions),
}

/// The repetitions of the words of all heaps, of a record and of its aliases, if there are any.
type Repetitions = Option<(AllHeapsFacts, Vec<Option<AllHeapsFacts>>)>;

/// Returns the repetitions of a record and of its aliases.
fn repetitions(record: &Record) -> Repetitions {
    let aliases = record.aliases.iter().map(|alias| alias.all_heaps);
    Some((record.all_heaps?, aliases.collect()))
}

/// Adds the repetitions to a record and to its aliases.
fn add_repetitions(record: &mut Record, repetitions: Repetitions) {
    let Some((all, aliases)) = repetitions else {
        return;
    };
    record.all_heaps = Some(all);
    for (alias, all) in record.aliases.iter_mut().zip(aliases) {
        alias.all_heaps = all;
    }
}

impl Serialize for Ruleset {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::AliasOf(code) => RulesetWritten::AliasOf(code),
            // A game that grows can have a law or an automaton; one that diverges a reason, if
            // there is no proof of infinity, or words of all heaps, if there is one.
            Self::Record(record) => {
                if let Some(heap) = record.infinite_later {
                    let written = RulesetWritten::InfiniteLater(record, heap, repetitions(record));
                    return written.serialize(to);
                }
                let solved_by = (record.law, record.automaton, record.all_heaps);
                match (solved_by, record.reason) {
                    ((Some(law), ..), _) => RulesetWritten::RecordWithLaw(record, law),
                    ((_, Some(automaton), _), _) => {
                        let aliases = record.aliases.iter().map(|alias| alias.automaton);
                        RulesetWritten::RecordWithAutomaton(record, automaton, aliases.collect())
                    }
                    ((.., Some(all)), _) => {
                        let aliases = record.aliases.iter().map(|alias| alias.all_heaps);
                        RulesetWritten::PastInfinite(record, all, aliases.collect())
                    }
                    ((None, None, None), Some(reason)) => RulesetWritten::Unproved(record, reason),
                    ((None, None, None), None) => RulesetWritten::Record(record),
                }
            }
        };
        written.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Ruleset {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match RulesetRead::deserialize(from)? {
            RulesetRead::Record(record) => Self::Record(record),
            RulesetRead::AliasOf(code) => Self::AliasOf(code),
            RulesetRead::RecordWithLaw(mut record, law) => {
                record.law = Some(law);
                Self::Record(record)
            }
            RulesetRead::Unproved(mut record, reason) => {
                record.reason = Some(reason);
                Self::Record(record)
            }
            RulesetRead::RecordWithAutomaton(mut record, automaton, aliases) => {
                record.automaton = Some(automaton);
                for (alias, automaton) in record.aliases.iter_mut().zip(aliases) {
                    alias.automaton = automaton;
                }
                Self::Record(record)
            }
            RulesetRead::PastInfinite(mut record, all, aliases) => {
                add_repetitions(&mut record, Some((all, aliases)));
                Self::Record(record)
            }
            RulesetRead::InfiniteLater(mut record, heap, repetitions) => {
                record.infinite_later = Some(heap);
                add_repetitions(&mut record, repetitions);
                Self::Record(record)
            }
        })
    }
}

/// A class of isomorphic quotients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// The order of the quotients.
    pub order: u32,
    /// The size of their P-portions.
    pub p_size: u32,
    /// The least code with a partial quotient of this class, if some game of the census has one.
    pub witness: Option<Code>,
    /// The first heap at which the witness has it.
    pub heap: u32,
    /// The canonical form of the quotients.
    ///
    /// It is present once some code of the census has ended with this class, or some construction
    /// has it.
    pub quotient: Option<Box<BipartiteMonoid>>,
    /// The least code of a construction of this class, if one was found.
    ///
    /// Codes are those of [`misere_algebra::classify::batch`].
    pub construction: Option<Vec<u8>>,
}

impl Class {
    /// Returns the usual name of the quotients of this class, which has the given key.
    ///
    /// An example is `R_8`. Most names follow from the order, the size of the P-portion and the
    /// key, so that even a class without a stored table has its name.
    #[must_use]
    pub fn name(&self, key: &ClassKey) -> Option<String> {
        let by_key = name_of_class(self.order as usize, self.p_size as usize, key);
        by_key.or_else(|| self.quotient.as_deref()?.known_name())
    }
}

/// The heaps at which a code has a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// The first and last heap of each range.
    pub ranges: Vec<(u32, u32)>,
    /// Whether the last range is known to continue for ever.
    pub forever: bool,
}

/// The entry of a task in quarantine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// The name that people know the task by: the code of a game.
    pub name: String,
    /// The number of failures.
    pub failures: u32,
    /// The last failure.
    pub failure: Failure,
    /// The time of the last failure, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The recorded failures before the last one, oldest first.
    pub earlier: Vec<Attempt>,
    /// Whether an operator has dropped the task.
    pub dropped: bool,
}

/// The level of the quotients of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The order.
    pub order: u8,
    /// The number of tasks of the level.
    pub tasks: u64,
    /// The number of settled tasks.
    pub settled: u64,
    /// Whether all tasks are settled, and the candidates reached from them are in the levels above.
    pub closed: bool,
    /// The number of candidates, no two of them isomorphic.
    pub candidates: u64,
    /// The number of candidates that carry a valid minimex algebra and were extended.
    ///
    /// Only settled tasks count.
    pub carriers: u64,
    /// The number of misère quotients up to isomorphisms that fix `a`, as far as settled.
    pub constructions: u64,
    /// The number of misère quotients up to any isomorphism; known when the level is closed.
    pub classes: u64,
    /// The number of entries of the extension search that were tried, as far as settled.
    pub nodes: u64,
    /// The fuel spent, as far as settled.
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

/// A misère quotient with games that have it; the key holds its order and code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredConstruction {
    /// The class of the quotient, up to any isomorphism.
    pub class: ClassKey,
    /// The task that found the quotient.
    pub task: TaskId,
    /// The construction sequence, the games and their ranks.
    pub found: FoundQuotient,
}

/// The description of the checkpoint of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointHead {
    /// The fingerprint of the engine that made the checkpoint.
    ///
    /// See [`misere_census::engine_fingerprint()`].
    pub engine: String,
    /// The workers that contributed to the checkpoint.
    pub makers: Vec<WorkerIdentity>,
    /// The greatest heap known.
    pub heap: u32,
    /// The fuel spent to reach the checkpoint.
    pub fuel: u64,
    /// The length of the checkpoint in bytes.
    pub bytes: u64,
}

/// A failed attempt at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The failure.
    pub failure: Failure,
    /// The time of the failure, in milliseconds of Unix time.
    pub at_ms: u64,
}

/// An event that an operator may want to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The time of the event, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The kind of the event, with its details.
    pub what: EventKind,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// The census was opened for writing.
    Opened {
        /// The generation number of this opening.
        generation: u32,
    },
    /// A worker introduced itself.
    WorkerJoined {
        /// The worker.
        worker: WorkerId,
        /// The name of the worker.
        name: String,
    },
    /// A worker left or fell silent.
    WorkerLeft {
        /// The worker.
        worker: WorkerId,
    },
    /// A worker submitted a certificate that the checker refused.
    CertificateRefused {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch of the lease.
        epoch: Epoch,
        /// The reason why the checker refused the certificate.
        reason: String,
    },
    /// An attempt failed.
    AttemptFailed {
        /// The task.
        task: TaskId,
        /// The number of failures so far.
        failures: u32,
        /// The failure.
        failure: Failure,
    },
    /// A task failed too often.
    Quarantined {
        /// The task.
        task: TaskId,
    },
    /// An operator released a task from quarantine, to be tried again.
    Released {
        /// The task.
        task: TaskId,
    },
    /// An operator dropped a task in quarantine.
    Dropped {
        /// The task.
        task: TaskId,
    },
    /// The store was migrated to this program's format.
    Migrated {
        /// The earlier format.
        from: u32,
    },
    /// A worker was caught and is distrusted.
    WorkerDistrusted {
        /// The identity of the worker.
        identity: WorkerIdentity,
        /// The misconduct.
        why: Misconduct,
    },
    /// Retired: a task was replaced by its children.
    ///
    /// The variant keeps the numbers of the variants after it on disk.
    Split {
        /// The task.
        task: TaskId,
        /// The number of children.
        children: u64,
    },
    /// A worker is held back: it gets no tasks for a while.
    WorkerHeldBack {
        /// The identity of the worker.
        identity: WorkerIdentity,
        /// The name of the worker.
        name: String,
        /// The reason.
        why: String,
    },
    /// An operator sent a worker away.
    WorkerEvicted {
        /// The worker.
        worker: WorkerId,
        /// The name of the worker.
        name: String,
    },
    /// An operator refuses a worker.
    WorkerBanned {
        /// The identity of the worker.
        identity: WorkerIdentity,
        /// The name of the worker.
        name: String,
    },
    /// An operator pardoned a worker.
    WorkerPardoned {
        /// The identity of the worker.
        identity: WorkerIdentity,
        /// The name of the worker.
        name: String,
    },
}
