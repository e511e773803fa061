//! What is wrong with a census?

use std::fmt;

use serde::{Deserialize, Serialize};

/// So many faults are told one by one; of the others only how many there are.
const TOLD: usize = 1000;

/// The part of a census in which a fault lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The database as a whole: it does not open, or a block of it does not have its checksum.
    Database,
    /// The log: commits are lost.
    Log,
    /// Plan, counters and what else stands once for the whole census.
    Figures,
    /// A task and its state.
    Task,
    /// What is said of a ruleset.
    Record,
    /// The certificate of a ruleset or of a batch of construction schemes.
    Certificate,
    /// A code that stands for the same game.
    Alias,
    /// An entry by which records are found.
    Index,
    /// At which heaps a ruleset has a class.
    Membership,
    /// A class of isomorphic quotients.
    Class,
    /// A level of the misère quotients.
    Level,
    /// Why a task is in quarantine.
    Quarantine,
    /// A checkpoint of a long game.
    Checkpoint,
    /// What happened when.
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

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where.
    pub part: Part,
    /// At which entry: a code, a task, a class; empty if there is no single one.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl Fault {
    /// A fault at an entry.
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

/// What an audit has found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The first faults.
    pub faults: Vec<Fault>,
    /// How many faults there are in all.
    pub count: u64,
    /// Entries read, each from a block whose checksum was compared.
    pub entries: u64,
    /// Tasks looked at.
    pub tasks: u64,
    /// Records compared with their certificates.
    pub records: u64,
    /// Certificates that were verified again; those of an audit that was broken off before count as
    /// well.
    pub proofs: u64,
}

impl Findings {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(&mut self, fault: Fault) {
        self.count += 1;
        if self.faults.len() < TOLD {
            self.faults.push(fault);
        }
    }

    pub(super) fn note(&mut self, part: Part, place: impl fmt::Display, what: impl Into<String>) {
        self.add(Fault::new(part, place, what));
    }
}
