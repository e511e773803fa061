//! The findings of an audit: the faults of a census.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of faults that are listed one by one; further faults are only counted.
const MAX_LISTED_FAULTS: usize = 1000;

/// The part of a census that has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The database as a whole: it does not open, or the checksum of a block is wrong.
    Database,
    /// The log: commits are lost.
    Log,
    /// Plan, counters, and the other entries for the whole census.
    Figures,
    /// A task and its state.
    Task,
    /// The record of a ruleset.
    Record,
    /// The certificate of a ruleset or of a batch of construction schemes.
    Certificate,
    /// An alias: another code of the same game.
    Alias,
    /// An entry by which records are found.
    Index,
    /// The heaps at which a ruleset has a class.
    Membership,
    /// A class of isomorphic quotients.
    Class,
    /// A level of the misère quotients.
    Level,
    /// The entry of a task in quarantine.
    Quarantine,
    /// A checkpoint of a long game.
    Checkpoint,
    /// An event.
    Event,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Database => "database",
            Self::Log => "log",
            Self::Figures => "figures",
            Self::Task => "task",
            Self::Record => "record",
            Self::Certificate => "certificate",
            Self::Alias => "alias",
            Self::Index => "index",
            Self::Membership => "membership",
            Self::Class => "class",
            Self::Level => "level",
            Self::Quarantine => "quarantine",
            Self::Checkpoint => "checkpoint",
            Self::Event => "event",
        })
    }
}

/// A fault of a census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The part of the census with the fault.
    pub part: Part,
    /// The entry with the fault: a code, a task, a class; empty if there is no single one.
    pub place: String,
    /// The description of the fault.
    pub what: String,
}

impl Fault {
    /// Creates a fault at an entry.
    pub(super) fn new(part: Part, place: impl fmt::Display, what: impl Into<String>) -> Self {
        Self {
            part,
            place: place.to_string(),
            what: what.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "{}: {}", self.part, self.what),
            place => write!(f, "{} {place}: {}", self.part, self.what),
        }
    }
}

/// The findings of an audit.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The first faults.
    pub faults: Vec<Fault>,
    /// The number of all faults.
    pub count: u64,
    /// The number of entries read, each from a block whose checksum was compared.
    pub entries: u64,
    /// The number of tasks that were checked.
    pub tasks: u64,
    /// The number of records compared with their certificates.
    pub records: u64,
    /// The number of certificates verified again, including those of an interrupted audit.
    pub proofs: u64,
}

impl Findings {
    /// Reports whether the census has no fault.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(&mut self, fault: Fault) {
        self.count += 1;
        if self.faults.len() < MAX_LISTED_FAULTS {
            self.faults.push(fault);
        }
    }

    pub(super) fn note(&mut self, part: Part, place: impl fmt::Display, what: impl Into<String>) {
        self.add(Fault::new(part, place, what));
    }
}
