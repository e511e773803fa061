//! The words that coordinator and workers of a census share.
//!
//! | question | module |
//! |---|---|
//! | what names a task, a worker, a lease, a plan, a census? | [`id`] |
//! | how is a value hashed so that every machine gets the same hash? | [`facts`] |
//! | what may a task spend? | [`budget`] |
//! | which rulesets does a census cover? | [`plan`] |
//! | what is one unit of work? | [`task`] |
//! | what can a worker hand back? | [`outcome`] |
//! | how is a solution written to wire and disk? | [`certificate`], [`encoding`] |
//! | how is it written down where a long computation stands? | [`checkpoint`] |
//! | what does the census keep of a ruleset? | [`record`] |
//! | what is the same game under another code? | [`alias`] |
//! | what comes of a batch of construction schemes? | [`schemes`] |
//! | how does a part of a census travel as a file? | [`chunk`] |
//! | how does a file come to its place: whole, or not at all? | [`output_file`] |
//! | how much memory does a process take? | [`resident_memory`] |
//! | in which ways does a computation end? | [`status`] |
//! | would two builds come to the same results? | [`mod@engine`] |
//! | are two censuses the same? | [`digest`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod alias;
pub mod budget;
pub mod certificate;
pub mod checkpoint;
pub mod chunk;
pub mod digest;
pub mod encoding;
pub mod engine;
pub mod facts;
pub mod id;
pub mod memory_class;
pub mod outcome;
pub mod output_file;
pub mod plan;
pub mod record;
pub mod resident_memory;
pub mod schemes;
pub mod status;
pub mod task;

pub use alias::{Alias, NotTheSameGame};
pub use budget::{Budget, DEFAULT_FUEL};
pub use certificate::{CertificateError, MAX_CERTIFICATE_BYTES};
pub use checkpoint::MAX_CHECKPOINT_BYTES;
pub use digest::{CensusDigest, CertificatesDigest};
pub use encoding::EncodingError;
pub use engine::engine;
pub use id::{CertificateDigest, Epoch, HashError, PlanId, TaskId, WorkerId, WorkerIdentity};
pub use memory_class::MemoryClass;
pub use outcome::{Failure, InterruptCause, MAX_REASON_CHARS, printable};
pub use plan::{Games, Listing, Plan, PlanError, Space};
pub use record::Record;
pub use status::{NoStatus, Status};
pub use task::{Game, Schemes, Task};
