//! The kinds of entries, and the form of their keys.
//!
//! Kinds are one frozen enumeration: each has a column family, a form of key and a version of
//! value. A change to any of them is a new [`FORMAT`] and a migration; names are never reused.

use misere_census::frozen::code_key;
use misere_census::{TaskId, WorkerIdentity};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;

/// The version of the store as a whole.
///
/// A store of an earlier version is migrated when it is opened for writing (see
/// [`migrate`](super::migrate)); a store of a later version is not opened.
pub const FORMAT: u32 = 12;

/// The oldest format that is opened.
///
/// All entries of a store of this format are entries of the present one, so it is read without a
/// migration.
pub const OLDEST_FORMAT: u32 = 6;

/// The kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A fixed name → format, plan, counters, generation. See [`Meta`].
    Meta,
    /// Task id → the task and its state.
    Task,
    /// Position in the plan → task id, for every task that is not finished.
    Pending,
    /// Code → its record, or the representative code.
    Ruleset,
    /// Code → the certificate of its record.
    Certificate,
    /// Class key → order, |P|, first witness, and the quotient if it is known.
    Class,
    /// Class key and code → the heaps at which the code has the class.
    Membership,
    /// Task id → the reason why the task is in quarantine.
    Quarantine,
    /// Running number → an event with its time.
    Event,
    /// Task id → the description of a checkpoint; task id and [`BODY`] → the checkpoint itself.
    ///
    /// The description lists the makers and the progress.
    Checkpoint,
    /// Value of an indexed field, and code → nothing. See [`index`](super::index).
    Index,
    /// Order → the state of the level of the quotients of that order.
    Level,
    /// Order and running number → task id, for every task of a level.
    Part,
    /// Task id → the settled result of its construction schemes, as it was checked.
    Settled,
    /// Order, canonical code, position of a task → the hint with which that task reached the code.
    Candidate,
    /// Order and canonical code → class and games of a quotient found.
    Construction,
    /// Identity of a checker, and task id → nothing, for every certificate that it alone checked.
    Vouched,
    /// Identity of a worker, and task id → the worker that confirmed its word, if there is one.
    ///
    /// The result of the task rests on that word.
    Backer,
}

impl Kind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 18] = [
        Self::Meta,
        Self::Task,
        Self::Pending,
        Self::Ruleset,
        Self::Certificate,
        Self::Class,
        Self::Membership,
        Self::Quarantine,
        Self::Event,
        Self::Checkpoint,
        Self::Index,
        Self::Level,
        Self::Part,
        Self::Settled,
        Self::Candidate,
        Self::Construction,
        Self::Vouched,
        Self::Backer,
    ];

    /// Returns the column family.
    ///
    /// ```
    /// use misere_store::keys::Kind;
    ///
    /// assert_eq!(Kind::Certificate.family(), "certificate");
    /// ```
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Task => "task",
            Self::Pending => "pending",
            Self::Ruleset => "ruleset",
            Self::Certificate => "certificate",
            Self::Class => "class",
            Self::Membership => "membership",
            Self::Quarantine => "quarantine",
            Self::Event => "event",
            Self::Checkpoint => "checkpoint",
            Self::Index => "index",
            Self::Level => "level",
            Self::Part => "part",
            Self::Settled => "settled",
            Self::Candidate => "candidate",
            Self::Construction => "construction",
            Self::Vouched => "vouched",
            Self::Backer => "backer",
        }
    }

    /// Returns the version of the values, which is their first byte.
    #[must_use]
    pub fn version(self) -> u8 {
        match self {
            Self::Ruleset => 3,
            Self::Task | Self::Class | Self::Quarantine => 2,
            _ => 1,
        }
    }
}

/// The entries of [`Kind::Meta`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meta {
    /// [`FORMAT`] of this store.
    Format,
    /// The plan.
    Plan,
    /// The counters; present once all tasks of the plan are written.
    Counters,
    /// The number of times that the store was opened for writing.
    Generation,
    /// The workers that are distrusted.
    Distrusted,
    /// The distrusted workers and those that an operator refuses, with their names and the reasons.
    Marked,
    /// Whether an operator has paused the census; absent until it is paused once.
    Paused,
    /// The number of positions given to tasks.
    ///
    /// It is present once tasks were added after those of the plan.
    Positions,
    /// The [layout](super::index::LAYOUT) of the indexes; present once they are complete.
    Indexes,
    /// The earlier format of a migration that is not complete.
    ///
    /// The entry is deleted when all records have the present format.
    Migrating,
    /// The number of rulesets with each ending. See [`tallies`](super::tallies).
    ///
    /// A list of nine endings, before laws, had the key `tallies`; one of ten, before games were
    /// solved past an infinite quotient, the key `tallies-of-10`; one of eleven, before automata,
    /// the key `tallies-of-11`.
    Tallies,
}

impl Meta {
    /// Returns the key of the entry.
    #[must_use]
    pub fn key(self) -> &'static [u8] {
        match self {
            Self::Format => b"format",
            Self::Plan => b"plan",
            Self::Counters => b"counters",
            Self::Generation => b"generation",
            Self::Distrusted => b"distrusted",
            Self::Marked => b"marked",
            Self::Paused => b"paused",
            Self::Positions => b"positions",
            Self::Indexes => b"indexes",
            Self::Migrating => b"migrating",
            Self::Tallies => b"tallies-of-12",
        }
    }
}

/// Returns the key of a task.
#[must_use]
pub fn task_key(task: TaskId) -> [u8; 32] {
    task.0
}

/// The byte after the task in the key of the body of a checkpoint.
pub const BODY: u8 = 1;

/// Returns the key of the body of a checkpoint.
///
/// The description of the checkpoint is under the task's own key, right before.
#[must_use]
pub fn body_key(task: TaskId) -> [u8; 33] {
    let mut key = [BODY; 33];
    key[..32].copy_from_slice(&task.0);
    key
}

/// Returns the key of a position or running number; keys ascend as numbers do.
///
/// ```
/// use misere_store::keys::{number_key, number_of};
///
/// assert!(number_key(9) < number_key(10));
/// assert_eq!(number_of(&number_key(10)), Some(10));
/// ```
#[must_use]
pub fn number_key(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}

/// Returns the number in a key of [`number_key`].
///
/// ```
/// use misere_store::keys::number_of;
///
/// assert_eq!(number_of(&[0, 0, 0, 0, 0, 0, 1, 0]), Some(256));
/// assert_eq!(number_of(b"short"), None);
/// ```
#[must_use]
pub fn number_of(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(key.try_into().ok()?))
}

/// Returns the key of the running number of a task in a level.
///
/// The order alone is before all of them.
///
/// ```
/// use misere_store::keys::part_key;
///
/// assert!(part_key(8, u64::MAX) < part_key(10, 0));
/// ```
#[must_use]
pub fn part_key(order: u8, number: u64) -> [u8; 9] {
    let mut key = [order; 9];
    key[1..].copy_from_slice(&number.to_be_bytes());
    key
}

/// Returns the key of a construction; keys ascend as orders and codes do.
///
/// No canonical code begins with another one, as its first rows generate all.
///
/// ```
/// use misere_store::keys::construction_key;
///
/// assert!(construction_key(8, &[9]) < construction_key(10, &[1]));
/// ```
#[must_use]
pub fn construction_key(order: u8, code: &[u8]) -> Vec<u8> {
    [&[order], code].concat()
}

/// Returns the key of a code that a task has reached.
///
/// ```
/// use misere_store::keys::{candidate_key, candidate_of};
///
/// let key = candidate_key(8, &[1, 2], 7);
/// assert_eq!(candidate_of(&key), Some(&[1, 2][..]));
/// ```
#[must_use]
pub fn candidate_key(order: u8, code: &[u8], position: u64) -> Vec<u8> {
    [&[order], code, &position.to_be_bytes()].concat()
}

/// Returns the code in a key of [`candidate_key`].
#[must_use]
pub fn candidate_of(key: &[u8]) -> Option<&[u8]> {
    let (code, _) = key.get(1..)?.split_last_chunk::<8>()?;
    Some(code)
}

/// Returns the key of a task that rests on the word of a checker or worker.
#[must_use]
pub fn word_key(who: WorkerIdentity, task: TaskId) -> Vec<u8> {
    [who.0, task.0].concat()
}

/// Returns the checker or worker and the task in a key of [`word_key`].
///
/// ```
/// use misere_census::{TaskId, WorkerIdentity};
/// use misere_store::keys::{word_key, word_of};
///
/// let (who, task) = (WorkerIdentity::named("host-a"), TaskId([7; 32]));
/// assert_eq!(word_of(&word_key(who, task)), Some((who, task)));
/// assert_eq!(word_of(b"short"), None);
/// ```
#[must_use]
pub fn word_of(key: &[u8]) -> Option<(WorkerIdentity, TaskId)> {
    let (who, task) = key.split_first_chunk::<32>()?;
    Some((WorkerIdentity(*who), TaskId(task.try_into().ok()?)))
}

/// Returns the key of a class.
#[must_use]
pub fn class_key(class: &ClassKey) -> [u8; 32] {
    class.0
}

/// Returns the key of a code's membership in a class.
#[must_use]
pub fn membership_key(class: &ClassKey, code: &Code) -> Vec<u8> {
    let mut key = class.0.to_vec();
    key.extend(code_key(code));
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names are on disks; a change here is a change of format.
    #[test]
    fn the_kinds_are_frozen() {
        let families: Vec<_> = Kind::ALL.iter().map(|kind| kind.family()).collect();
        let frozen = "meta task pending ruleset certificate class membership quarantine event";
        let later = "checkpoint index level part settled candidate construction vouched backer";
        assert_eq!(families.join(" "), format!("{frozen} {later}"));
        assert_eq!(FORMAT, 12);
    }
}
